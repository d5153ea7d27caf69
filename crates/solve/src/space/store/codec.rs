//! Compression of numbers to bytes.
//!
//! Bytes of equal significance are stored together, since neighbouring numbers often agree in the
//! more significant ones; LZ4 compresses the result.

use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;
use num_traits::{AsPrimitive, FromBytes, PrimInt, ToBytes};

/// Buffers for the conversion of numbers to bytes and their compression. They are reused, since
/// large buffers that are allocated and freed again and again leave an allocator with more memory
/// than it gives back.
/// For the same reason they never get shorter: what they hold at the end is of an earlier use.
#[derive(Debug, Default)]
pub struct CodecBuffers {
    bytes: Vec<u8>,
    packed: Vec<u8>,
}

/// Returns the first bytes of a buffer, which is made longer if it has to be.
fn first_bytes(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
    &mut buffer[..len]
}

/// The buffers of the threads that pack or unpack.
#[derive(Debug, Default)]
pub struct CodecPool(Mutex<Vec<CodecBuffers>>);

impl CodecPool {
    /// Does work with buffers that no other thread uses meanwhile.
    pub fn with<R>(&self, work: impl FnOnce(&mut CodecBuffers) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is held only while buffers change hands, not during the work.
        let mut buffers = lock().pop().unwrap_or_default();
        let done = work(&mut buffers);
        lock().push(buffers);
        done
    }
}

/// The greatest number of bytes of a piece that is compressed at once: LZ4 takes no more than 2 GB,
/// and a table may be longer.
const PIECE: usize = 1 << 22;

/// The number of bytes of the length before each compressed piece.
const HEAD: usize = 4;

/// The number of numbers whose bytes are taken apart or put together at once, while they are in a
/// processor's nearest cache.
const LINE: usize = 1 << 9;

/// Returns the greatest number of bytes of a piece that consists of numbers of `size` bytes each.
const fn piece_bytes(size: usize) -> usize {
    if size > PIECE {
        size
    } else {
        PIECE / size * size
    }
}

/// Returns an upper bound on the number of bytes to which `bytes` bytes are compressed, in numbers
/// of `size` bytes each.
pub fn most_packed(bytes: usize, size: usize) -> u64 {
    let most = |bytes: usize| (HEAD + lz4_flex::block::get_maximum_output_size(bytes)) as u64;
    let piece = piece_bytes(size);
    ((bytes / piece) as u64)
        .saturating_mul(most(piece))
        .saturating_add(most(bytes % piece))
}

impl CodecBuffers {
    /// Compresses numbers of `size` bytes each. They may be in several parts, each of whole
    /// numbers; the result is the same as if the parts were adjacent.
    pub fn pack(&mut self, size: usize, parts: &[&[u8]]) -> &[u8] {
        let mut done = 0;
        let (mut piece, mut free) = (Vec::new(), piece_bytes(size));
        for mut part in parts.iter().copied() {
            // Pieces are cut by their length alone, so the parts do not show in the result.
            while let Some((bytes, rest)) = part.split_at_checked(free) {
                piece.push(bytes);
                done = self.pack_piece(size, &piece, done);
                piece.clear();
                (part, free) = (rest, piece_bytes(size));
            }
            piece.push(part);
            free -= part.len();
        }
        if free < piece_bytes(size) {
            done = self.pack_piece(size, &piece, done);
        }
        &self.packed[..done]
    }

    /// Compresses a piece and writes it behind the first `done` bytes of those that are packed;
    /// returns the number of these with the piece.
    fn pack_piece(&mut self, size: usize, parts: &[&[u8]], done: usize) -> usize {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        let bytes = first_bytes(&mut self.bytes, len);
        let mut first = 0;
        for part in parts {
            let planes = bytes.chunks_exact_mut(len / size);
            let planes = planes.map(|plane| &mut plane[first..][..part.len() / size]);
            take_apart(size, part, planes);
            first += part.len() / size;
        }
        let most = HEAD + lz4_flex::block::get_maximum_output_size(len);
        let (head, packed) = first_bytes(&mut self.packed, done + most)[done..].split_at_mut(HEAD);
        let len =
            lz4_flex::block::compress_into(bytes, packed).expect("there is room for the most");
        head.copy_from_slice(&u32::try_from(len).expect("pieces are short").to_le_bytes());
        done + HEAD + len
    }

    /// Decompresses numbers; returns `None` unless the bytes encode exactly `count` numbers.
    pub fn unpack<T: Pod>(&mut self, packed: &[u8], count: usize) -> Option<Vec<T>> {
        let mut numbers = vec![T::zeroed(); count];
        let into = bytemuck::cast_slice_mut(&mut numbers);
        self.unpack_into(packed, size_of::<T>(), &mut [into])?;
        Some(numbers)
    }

    /// Decompresses numbers of `size` bytes each to several parts, one after another; returns
    /// `None` unless the bytes encode exactly as many numbers as the parts have space for.
    pub fn unpack_into(
        &mut self,
        mut packed: &[u8],
        size: usize,
        parts: &mut [&mut [u8]],
    ) -> Option<()> {
        let mut left: usize = parts.iter().map(|part| part.len()).sum();
        let mut parts = parts.iter_mut();
        let mut part: &mut [u8] = &mut [];
        while left > 0 {
            let (head, rest) = packed.split_first_chunk::<HEAD>()?;
            let (piece, rest) =
                rest.split_at_checked(usize::try_from(u32::from_le_bytes(*head)).ok()?)?;
            let len = left.min(piece_bytes(size));
            let piece = self.unpack_piece(piece, size, len)?;
            let mut done = 0;
            while done < len {
                if part.is_empty() {
                    part = parts.next()?;
                }
                let here = part.len().min(len - done);
                let (numbers, after) = std::mem::take(&mut part).split_at_mut(here);
                piece.write(done / size, numbers);
                (part, done) = (after, done + here);
            }
            (packed, left) = (rest, left - len);
        }
        // Bytes that are left over would mean that more numbers were packed than are expected.
        packed.is_empty().then_some(())
    }

    /// Decompresses a piece; returns `None` unless it consists of `len` bytes.
    fn unpack_piece(&mut self, piece: &[u8], size: usize, len: usize) -> Option<CodecPiece<'_>> {
        let bytes = first_bytes(&mut self.bytes, len);
        let unpacked = lz4_flex::block::decompress_into(piece, bytes).ok()?;
        // Decompression may end early without an error.
        (unpacked == len).then_some(CodecPiece { size, bytes })
    }
}

/// A decompressed piece: numbers of `size` bytes each, with the bytes of equal significance
/// together.
struct CodecPiece<'b> {
    size: usize,
    bytes: &'b [u8],
}

impl CodecPiece<'_> {
    /// Writes the numbers from number `first` on, as many as there is space for.
    fn write(&self, first: usize, numbers: &mut [u8]) {
        let planes = self.bytes.chunks_exact(self.bytes.len() / self.size);
        let count = numbers.len() / self.size;
        put_together(
            self.size,
            planes.map(|plane| &plane[first..][..count]),
            numbers,
        );
    }
}

/// Writes the bytes of equal significance of some numbers to one slice for each significance.
fn take_apart<'b>(size: usize, numbers: &[u8], planes: impl Iterator<Item = &'b mut [u8]>) {
    let mut planes: Vec<&mut [u8]> = planes.collect();
    for (number, numbers) in numbers.chunks(LINE * size).enumerate() {
        for (index, plane) in planes.iter_mut().enumerate() {
            let plane = &mut plane[number * LINE..][..numbers.len() / size];
            match size {
                4 => take_bytes::<u32, 4>(index, numbers, plane),
                8 => take_bytes::<u64, 8>(index, numbers, plane),
                _ => {
                    for (byte, number) in plane.iter_mut().zip(numbers.chunks_exact(size)) {
                        *byte = number[index];
                    }
                }
            }
        }
    }
}

/// Reads one byte of each number, by an operation on whole numbers, of which a processor does
/// several at once.
fn take_bytes<T, const SIZE: usize>(index: usize, numbers: &[u8], plane: &mut [u8])
where
    T: PrimInt + AsPrimitive<u8> + FromBytes<Bytes = [u8; SIZE]>,
{
    let (numbers, _) = numbers.as_chunks::<SIZE>();
    for (byte, number) in plane.iter_mut().zip(numbers) {
        *byte = (T::from_le_bytes(number) >> (8 * index)).as_();
    }
}

/// Composes numbers of the bytes in one slice for each significance.
fn put_together<'b>(size: usize, planes: impl Iterator<Item = &'b [u8]>, numbers: &mut [u8]) {
    let planes: Vec<&[u8]> = planes.collect();
    for (number, numbers) in numbers.chunks_mut(LINE * size).enumerate() {
        // Bytes are combined by `|`, so the numbers have to begin as 0.
        numbers.fill(0);
        for (index, plane) in planes.iter().enumerate() {
            let plane = &plane[number * LINE..][..numbers.len() / size];
            match size {
                4 => add_bytes::<u32, 4>(index, plane, numbers),
                8 => add_bytes::<u64, 8>(index, plane, numbers),
                _ => {
                    for (byte, number) in plane.iter().zip(numbers.chunks_exact_mut(size)) {
                        number[index] = *byte;
                    }
                }
            }
        }
    }
}

/// Adds one byte of each number, as [`take_bytes`] reads it.
fn add_bytes<T, const SIZE: usize>(index: usize, plane: &[u8], numbers: &mut [u8])
where
    T: PrimInt + FromBytes<Bytes = [u8; SIZE]> + ToBytes<Bytes = [u8; SIZE]> + 'static,
    u8: AsPrimitive<T>,
{
    let (numbers, _) = numbers.as_chunks_mut::<SIZE>();
    for (byte, number) in plane.iter().zip(numbers) {
        let added: T = byte.as_();
        *number = (T::from_le_bytes(number) | added << (8 * index)).to_le_bytes();
    }
}

/// Compresses numbers.
pub fn pack<T: Pod>(numbers: &[T]) -> Vec<u8> {
    CodecBuffers::default()
        .pack(size_of::<T>(), &[bytemuck::cast_slice(numbers)])
        .to_vec()
}

/// Decompresses numbers; returns `None` unless the bytes encode exactly `count` numbers.
pub fn unpack<T: Pod>(packed: &[u8], count: usize) -> Option<Vec<T>> {
    CodecBuffers::default().unpack(packed, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack_parts(parts: &[&[u64]]) -> Vec<u8> {
        let parts: Vec<&[u8]> = parts
            .iter()
            .map(|part| bytemuck::cast_slice(part))
            .collect();
        CodecBuffers::default()
            .pack(size_of::<u64>(), &parts)
            .to_vec()
    }

    /// Decompresses numbers to parts of `part` numbers each.
    fn unpack_parts(packed: &[u8], count: usize, part: usize) -> Option<Vec<u64>> {
        let mut numbers = vec![0; count];
        let mut parts: Vec<&mut [u8]> = numbers
            .chunks_mut(part)
            .map(bytemuck::cast_slice_mut)
            .collect();
        CodecBuffers::default().unpack_into(packed, size_of::<u64>(), &mut parts)?;
        Some(numbers)
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
        let short: Vec<u32> = numbers.iter().map(|n| *n as u32).collect();
        assert_eq!(unpack(&pack(&short), short.len()), Some(short));
        assert_eq!(unpack::<u16>(&pack::<u16>(&[]), 0), Some(vec![]));
    }

    /// Tests runs whose lengths are just below, at and above the length of one piece and of two.
    #[test]
    fn long_runs_are_packed_in_pieces() {
        let len = piece_bytes(size_of::<u64>()) / size_of::<u64>();
        for count in [len - 1, len, len + 1, 2 * len - 1, 2 * len, 2 * len + 1] {
            let numbers: Vec<u64> = (0..count as u64)
                .map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15))
                .collect();
            let packed = pack(&numbers);
            let most = most_packed(count * size_of::<u64>(), size_of::<u64>());
            assert!(packed.len() as u64 <= most, "{count}");
            for part in [len / 3, len - 1, len, len + 1, 3 * len] {
                assert!(
                    pack_parts(&numbers.chunks(part).collect::<Vec<_>>()) == packed,
                    "{count} {part}"
                );
            }
            assert!(
                unpack_parts(&packed, count, len - 1).as_ref() == Some(&numbers),
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
