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

packed_machine_numbers!(u16, u32, u64, i32, i64);

impl<T: Packed, const N: usize> Packed for [T; N] {
    const BYTES: usize = N * T::BYTES;

    fn byte(&self, index: usize) -> u8 {
        self[index / T::BYTES].byte(index % T::BYTES)
    }

    fn from_bytes(bytes: impl Fn(usize) -> u8) -> Self {
        std::array::from_fn(|item| T::from_bytes(|index| bytes(item * T::BYTES + index)))
    }
}

/// Numbers compressed.
pub fn pack<T: Packed>(numbers: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() * T::BYTES);
    for index in 0..T::BYTES {
        bytes.extend(numbers.iter().map(|number| number.byte(index)));
    }
    lz4_flex::compress_prepend_size(&bytes)
}

/// The numbers again, if that is what these bytes are and there are so many.
pub fn unpack<T: Packed>(packed: &[u8], count: usize) -> Option<Vec<T>> {
    let (size, _) = lz4_flex::block::uncompressed_size(packed).ok()?;
    if size != count.checked_mul(T::BYTES)? {
        return None;
    }
    let bytes = lz4_flex::decompress_size_prepended(packed).ok().filter(|bytes| bytes.len() == size)?;
    Some((0..count).map(|place| T::from_bytes(|index| bytes[index * count + place])).collect())
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
