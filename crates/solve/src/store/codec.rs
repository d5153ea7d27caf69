//! Compression of numbers to bytes.
//!
//! Bytes of equal significance are stored together, since neighbouring numbers often agree in the
//! more significant ones; LZ4 compresses the result.

/// A number with a fixed number of bytes.
pub trait Packed: Sized {
    /// The number of bytes.
    const BYTES: usize;

    /// Returns one of the number's bytes.
    fn byte(&self, index: usize) -> u8;

    /// Creates the number from its bytes.
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

/// Buffers for the conversion of numbers to bytes and their compression. They are reused, since
/// large buffers that are allocated and freed again and again leave an allocator with more memory
/// than it gives back.
#[derive(Debug, Default)]
pub struct CodecBuffers {
    bytes: Vec<u8>,
    packed: Vec<u8>,
}

/// The greatest number of bytes of a piece that is compressed at once: LZ4 takes no more than 2 GB,
/// and a blob may be longer.
const PIECE: usize = 1 << 22;

/// The number of bytes of the length before each compressed piece.
const HEAD: usize = 4;

/// Returns the greatest number of numbers in a piece.
const fn piece_len<T: Packed>() -> usize {
    if T::BYTES == 0 || T::BYTES > PIECE {
        1
    } else {
        PIECE / T::BYTES
    }
}

/// Returns an upper bound on the number of bytes that so many numbers are compressed to.
pub fn most_packed<T: Packed>(count: usize) -> u64 {
    let most = |numbers: usize| {
        (HEAD + lz4_flex::block::get_maximum_output_size(numbers * T::BYTES)) as u64
    };
    let (whole, rest) = (count / piece_len::<T>(), count % piece_len::<T>());
    (whole as u64)
        .saturating_mul(most(piece_len::<T>()))
        .saturating_add(most(rest))
}

impl CodecBuffers {
    /// Compresses numbers.
    pub fn pack<T: Packed>(&mut self, numbers: &[T]) -> &[u8] {
        self.pack_parts(&[numbers])
    }

    /// Compresses the concatenation of several runs of numbers.
    pub fn pack_parts<T: Packed>(&mut self, parts: &[&[T]]) -> &[u8] {
        self.packed.clear();
        let (mut piece, mut free) = (Vec::new(), piece_len::<T>());
        for mut part in parts.iter().copied() {
            while let Some((numbers, rest)) = part.split_at_checked(free) {
                piece.push(numbers);
                self.pack_piece(&piece);
                piece.clear();
                (part, free) = (rest, piece_len::<T>());
            }
            piece.push(part);
            free -= part.len();
        }
        if free < piece_len::<T>() {
            self.pack_piece(&piece);
        }
        &self.packed
    }

    fn pack_piece<T: Packed>(&mut self, parts: &[&[T]]) {
        self.bytes.clear();
        self.bytes
            .reserve_exact(parts.iter().map(|part| part.len()).sum::<usize>() * T::BYTES);
        for index in 0..T::BYTES {
            for part in parts {
                self.bytes
                    .extend(part.iter().map(|number| number.byte(index)));
            }
        }
        let head = self.packed.len();
        let room = HEAD + lz4_flex::block::get_maximum_output_size(self.bytes.len());
        self.packed.resize(head + room, 0);
        let (head, packed) = self.packed[head..].split_at_mut(HEAD);
        let len = lz4_flex::block::compress_into(&self.bytes, packed)
            .expect("there is room for the most");
        head.copy_from_slice(&u32::try_from(len).expect("pieces are short").to_le_bytes());
        self.packed.truncate(self.packed.len() - room + HEAD + len);
    }

    /// Decompresses numbers and appends them to others; returns `None` unless the bytes encode
    /// exactly `count` numbers.
    pub fn unpack<T: Packed>(
        &mut self,
        mut packed: &[u8],
        count: usize,
        numbers: &mut impl Extend<T>,
    ) -> Option<()> {
        let mut left = count;
        while left > 0 {
            let (head, rest) = packed.split_first_chunk::<HEAD>()?;
            let (piece, rest) =
                rest.split_at_checked(usize::try_from(u32::from_le_bytes(*head)).ok()?)?;
            let len = left.min(piece_len::<T>());
            self.unpack_piece(piece, len, numbers)?;
            (packed, left) = (rest, left - len);
        }
        packed.is_empty().then_some(())
    }

    fn unpack_piece<T: Packed>(
        &mut self,
        piece: &[u8],
        count: usize,
        numbers: &mut impl Extend<T>,
    ) -> Option<()> {
        let size = count * T::BYTES;
        self.bytes
            .reserve_exact(size.saturating_sub(self.bytes.len()));
        self.bytes.resize(size, 0);
        lz4_flex::block::decompress_into(piece, &mut self.bytes)
            .ok()
            .filter(|len| *len == size)?;
        let bytes = &self.bytes;
        numbers.extend((0..count).map(|place| T::from_bytes(|index| bytes[index * count + place])));
        Some(())
    }
}

/// Compresses numbers.
pub fn pack<T: Packed>(numbers: &[T]) -> Vec<u8> {
    CodecBuffers::default().pack(numbers).to_vec()
}

/// Decompresses numbers; returns `None` unless the bytes encode exactly `count` numbers.
pub fn unpack<T: Packed>(packed: &[u8], count: usize) -> Option<Vec<T>> {
    let mut numbers = Vec::new();
    CodecBuffers::default()
        .unpack(packed, count, &mut numbers)
        .map(|()| numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack_parts<T: Packed>(parts: &[&[T]]) -> Vec<u8> {
        CodecBuffers::default().pack_parts(parts).to_vec()
    }

    #[test]
    fn numbers_come_back() {
        let numbers: Vec<i64> = (0..5000)
            .map(|n: i64| n * n - 7_000_000 * (n % 3))
            .collect();
        let packed = pack(&numbers);
        assert!(packed.len() < numbers.len() * 4);
        assert_eq!(unpack::<i64>(&packed, numbers.len()), Some(numbers.clone()));
        assert_eq!(unpack::<i64>(&packed, numbers.len() - 1), None);
        let pairs: Vec<[u64; 2]> = numbers.iter().map(|n| [*n as u64, 1 << 63]).collect();
        assert_eq!(unpack(&pack(&pairs), pairs.len()), Some(pairs));
        assert_eq!(unpack::<u16>(&pack::<u16>(&[]), 0), Some(vec![]));
    }

    /// Tests runs whose lengths are just below, at and above the length of one piece and of two.
    #[test]
    fn long_runs_are_packed_in_pieces() {
        let len = piece_len::<u64>();
        for count in [len - 1, len, len + 1, 2 * len - 1, 2 * len, 2 * len + 1] {
            let numbers: Vec<u64> = (0..count as u64)
                .map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15))
                .collect();
            let packed = pack(&numbers);
            assert!(packed.len() as u64 <= most_packed::<u64>(count), "{count}");
            for part in [len / 3, len - 1, len, len + 1, 3 * len] {
                assert!(
                    pack_parts(&numbers.chunks(part).collect::<Vec<_>>()) == packed,
                    "{count} {part}"
                );
            }
            assert_eq!(
                unpack::<u64>(&packed, count).as_ref(),
                Some(&numbers),
                "{count}"
            );
            assert_eq!(unpack::<u64>(&packed, count - 1), None, "{count}");
            assert_eq!(unpack::<u64>(&packed, count + 1), None, "{count}");
        }
    }

    #[test]
    fn what_is_longer_is_not_read() {
        let mut packed = pack(&(0..1000).collect::<Vec<i32>>());
        packed.push(0);
        assert_eq!(unpack::<i32>(&packed, 1000), None);
        assert_eq!(unpack::<i32>(&[0], 0), None);
    }

    #[test]
    fn what_is_cut_short_is_not_read() {
        let packed = pack(&(0..1000).collect::<Vec<i32>>());
        assert!((0..packed.len()).all(|len| unpack::<i32>(&packed[..len], 1000).is_none()));
    }
}
