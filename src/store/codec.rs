//! Numbers as bytes, compressed.
//!
//! The bytes of one significance stand together, as neighbours share the greater ones; LZ4 does the rest.

/// A number of so many bytes.
pub trait Packed: Sized {
    /// How many.
    const BYTES: usize;

    /// One of its bytes.
    fn byte(&self, index: usize) -> u8;

    /// The number with these bytes.
    fn from_bytes(bytes: impl Fn(usize) -> u8) -> Self;
}

macro_rules! packed_machine_numbers {
    ($($number:ty),*) => {$(
        impl Packed for $number {
            const BYTES: usize = size_of::<Self>();

            fn byte(&self, index: usize) -> u8 {
                self.to_le_bytes()[index]
            }

            fn from_bytes(bytes: impl Fn(usize) -> u8) -> Self {
                Self::from_le_bytes(std::array::from_fn(bytes))
            }
        }
    )*};
}

packed_machine_numbers!(u8, u16, u32, u64, i32, i64, i128);

impl<T: Packed, const N: usize> Packed for [T; N] {
    const BYTES: usize = N * T::BYTES;

    fn byte(&self, index: usize) -> u8 {
        self[index / T::BYTES].byte(index % T::BYTES)
    }

    fn from_bytes(bytes: impl Fn(usize) -> u8) -> Self {
        std::array::from_fn(|item| T::from_bytes(|index| bytes(item * T::BYTES + index)))
    }
}

/// Room for turning numbers into bytes and these into fewer, to be used again and again: large buffers that come and go leave
/// an allocator with more than it gives back.
#[derive(Debug, Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    packed: Vec<u8>,
}

/// How many bytes say how many come before they are compressed.
const HEAD: usize = 4;

impl Scratch {
    /// Numbers compressed.
    ///
    /// # Panics
    /// If they take 4 GB or more.
    pub fn pack<T: Packed>(&mut self, numbers: &[T]) -> &[u8] {
        self.bytes.clear();
        self.bytes.reserve_exact(numbers.len() * T::BYTES);
        for index in 0..T::BYTES {
            self.bytes.extend(numbers.iter().map(|number| number.byte(index)));
        }
        let size = u32::try_from(self.bytes.len()).expect("blobs are much shorter than 4 GB");
        let most = HEAD + lz4_flex::block::get_maximum_output_size(self.bytes.len());
        self.packed.reserve_exact(most.saturating_sub(self.packed.len()));
        self.packed.resize(most.max(self.packed.len()), 0);
        self.packed[..HEAD].copy_from_slice(&size.to_le_bytes());
        let len =
            lz4_flex::block::compress_into(&self.bytes, &mut self.packed[HEAD..]).expect("there is room for the most");
        &self.packed[..HEAD + len]
    }

    /// The numbers again, if that is what these bytes are and there are so many.
    pub fn unpack<T: Packed>(&mut self, packed: &[u8], count: usize, numbers: &mut Vec<T>) -> Option<()> {
        let (size, packed) = lz4_flex::block::uncompressed_size(packed).ok()?;
        if size != count.checked_mul(T::BYTES)? {
            return None;
        }
        self.bytes.reserve_exact(size.saturating_sub(self.bytes.len()));
        self.bytes.resize(size, 0);
        lz4_flex::block::decompress_into(packed, &mut self.bytes).ok().filter(|len| *len == size)?;
        numbers.clear();
        let bytes = &self.bytes;
        numbers.extend((0..count).map(|place| T::from_bytes(|index| bytes[index * count + place])));
        Some(())
    }
}

/// Numbers compressed.
pub fn pack<T: Packed>(numbers: &[T]) -> Vec<u8> {
    Scratch::default().pack(numbers).to_vec()
}

/// The numbers again, if that is what these bytes are and there are so many.
pub fn unpack<T: Packed>(packed: &[u8], count: usize) -> Option<Vec<T>> {
    let mut numbers = Vec::new();
    Scratch::default().unpack(packed, count, &mut numbers).map(|()| numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers: Vec<i64> = (0..5000).map(|n: i64| n * n - 7_000_000 * (n % 3)).collect();
        let packed = pack(&numbers);
        assert!(packed.len() < numbers.len() * 4);
        assert_eq!(unpack::<i64>(&packed, numbers.len()), Some(numbers.clone()));
        assert_eq!(unpack::<i64>(&packed, numbers.len() - 1), None);
        let pairs: Vec<[u64; 2]> = numbers.iter().map(|n| [*n as u64, 1 << 63]).collect();
        assert_eq!(unpack(&pack(&pairs), pairs.len()), Some(pairs));
        assert_eq!(unpack::<u16>(&pack::<u16>(&[]), 0), Some(vec![]));
    }

    #[test]
    fn what_is_cut_short_is_not_read() {
        let packed = pack(&(0..1000).collect::<Vec<i32>>());
        assert!((0..packed.len()).all(|len| unpack::<i32>(&packed[..len], 1000).is_none()));
    }
}
