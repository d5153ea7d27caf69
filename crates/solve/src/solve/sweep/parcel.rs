//! Blocks packed: in runs, as they are written to a disk and as they travel.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::block::Block;
use super::cells::Cells;
use super::endings;
use super::pages::Paging;
use super::pool::Pool;
use crate::store::{most_packed, pack, pack_parts, unpack_onto};
use crate::watch::Offered;

/// Whether blocks can be packed, in memory or on a disk: a page is to be small.
pub const CAN_PACK: bool = cfg!(not(target_family = "wasm"));

/// The values of a block are packed in runs of at most so many bytes: packing a run takes room
/// besides.
const RUN: usize = 1 << 25;

/// How many numbers a run has at most.
pub const fn run_len<C>() -> usize {
    if size_of::<C>() > RUN {
        1
    } else {
        RUN / size_of::<C>()
    }
}

/// The bytes that a thread takes at most to write blocks, or to read them: a run, and the same
/// packed or a little more.
pub fn bytes_to_pack(largest: u64) -> u64 {
    5 * largest.min(RUN as u64) / 2
}

/// Which rows of a block are stored, and how the others ended.
pub fn codes<C>(block: &Block<C>) -> Vec<u8> {
    block
        .ranks
        .iter()
        .map(|rank| endings::code(*rank))
        .collect()
}

/// The codes of a block, or a run of its values, packed.
pub struct Part {
    pub bytes: Arc<dyn Offered>,
    /// The checksum of the bytes.
    pub check: u64,
}

impl Part {
    fn in_memory(bytes: Vec<u8>) -> Self {
        Self {
            check: xxh3_64(&bytes),
            bytes: Arc::new(bytes),
        }
    }
}

/// A block packed in memory.
pub fn packed<C: Cells>(block: &Block<C>) -> Vec<Part> {
    let runs = block
        .values
        .runs(run_len::<C>())
        .map(|run| pack_parts(&run));
    std::iter::once(pack(&codes(block)))
        .chain(runs)
        .map(Part::in_memory)
        .collect()
}

/// What is said of a part before the parts: its length and its checksum.
type Head = [u64; 2];

/// How many bytes a number of a head takes.
const NUMBER: usize = size_of::<u64>();

/// The most bytes that a block travels in.
pub fn most_bytes<C: Cells>(rows: usize, paging: Paging) -> u64 {
    let runs = paging.runs(rows, run_len::<C>()).len();
    let heads = (NUMBER * (1 + 2 * (1 + runs))) as u64;
    // Packed run by run, which takes more than all at once, by less than a head for each.
    heads
        + most_packed::<u8>(rows)
        + most_packed::<C>(rows * paging.stride())
        + runs as u64 * most_packed::<C>(0)
}

/// A block for others: the number of parts, the length and the checksum of each, and the parts.
pub struct Parcel {
    head: Vec<u8>,
    parts: Vec<Arc<dyn Offered>>,
    size: u64,
    number: usize,
    /// How many have still to take it.
    takers: AtomicUsize,
    /// Where it says that all have.
    taken: Arc<Taken>,
}

/// The numbers of blocks that all have taken who are to.
pub type Taken = Mutex<Vec<usize>>;

impl Parcel {
    /// A block for so many others.
    pub fn new(number: usize, parts: Vec<Part>, takers: usize, taken: &Arc<Taken>) -> Self {
        let heads = parts
            .iter()
            .flat_map(|part| [part.bytes.size(), part.check]);
        let head: Vec<u8> = std::iter::once(parts.len() as u64)
            .chain(heads)
            .flat_map(u64::to_le_bytes)
            .collect();
        let parts: Vec<Arc<dyn Offered>> = parts.into_iter().map(|part| part.bytes).collect();
        let size = head.len() as u64 + parts.iter().map(|part| part.size()).sum::<u64>();
        Self {
            head,
            parts,
            size,
            number,
            takers: AtomicUsize::new(takers),
            taken: Arc::clone(taken),
        }
    }
}

/// The part of a range of bytes that lies in a piece which begins at this place and has so many
/// bytes: where in the piece, and where in the range.
fn within(range: &Range<u64>, begin: u64, len: u64) -> Option<(u64, Range<usize>)> {
    let (start, end) = (range.start.max(begin), range.end.min(begin + len));
    // The range is that of a buffer in memory.
    (start < end).then(|| {
        (
            start - begin,
            (start - range.start) as usize..(end - range.start) as usize,
        )
    })
}

impl Offered for Parcel {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let range = offset..offset + into.len() as u64;
        if range.end > self.size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut begin = 0;
        for part in
            std::iter::once(&self.head as &dyn Offered).chain(self.parts.iter().map(|part| &**part))
        {
            if let Some((at, place)) = within(&range, begin, part.size()) {
                part.read(at, &mut into[place])?;
            }
            begin += part.size();
        }
        if range.end == self.size && self.takers.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.taken
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(self.number);
        }
        Ok(())
    }
}

/// The block again; `None` if that is not what these bytes are.
pub fn unpacked<C: Cells>(bytes: &[u8], rows: usize, pool: &Pool<C>) -> Option<Block<C>> {
    let (count, mut rest) = number(bytes)?;
    let mut heads: Vec<Head> = Vec::new();
    for _ in 0..count {
        let (len, after) = number(rest)?;
        let (check, after) = number(after)?;
        heads.push([len, check]);
        rest = after;
    }
    let mut parts = heads.into_iter().map(|[len, check]| {
        let (part, after) = rest.split_at_checked(usize::try_from(len).ok()?)?;
        rest = after;
        (xxh3_64(part) == check).then_some(part)
    });
    let mut codes = Vec::new();
    unpack_onto::<u8>(parts.next()??, rows, &mut codes)?;
    let mut ranks = pool.ranks(rows);
    let stored = endings::ranks(&codes, &mut ranks)?;
    let mut values = pool.room(stored);
    for count in pool.paging().runs(stored, run_len::<C>()) {
        unpack_onto(parts.next()??, count, &mut values)?;
    }
    (parts.next().is_none() && rest.is_empty()).then_some(Block { ranks, values })
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<NUMBER>()?;
    Some((u64::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_travel_in_pieces_of_any_length() {
        let values: Vec<u32> = (0..4000)
            .map(|n: u32| n.wrapping_mul(2_654_435_761) >> 12)
            .collect();
        let pool = Pool::new(Paging::new(1000, 4, size_of::<u32>()));
        let mut block = Block {
            ranks: (0..1000).collect(),
            values: pool.room(1000),
        };
        block.values.extend(values.iter().copied());
        for length in [1, 7, 64, 1 << 16] {
            let taken = Arc::default();
            let parcel = Parcel::new(5, packed(&block), 2, &taken);
            for taker in 1..=2 {
                let mut bytes = vec![0; parcel.size() as usize];
                for (place, piece) in bytes.chunks_mut(length).enumerate() {
                    parcel
                        .read((length * place) as u64, piece)
                        .expect("it is in memory");
                }
                assert!(bytes.len() as u64 <= most_bytes::<u32>(1000, pool.paging()));
                let again = unpacked(&bytes, 1000, &pool).expect("it is what was packed");
                assert!(
                    again.ranks == block.ranks
                        && again
                            .values
                            .runs(usize::MAX)
                            .flatten()
                            .flatten()
                            .eq(&values)
                );
                assert_eq!(taken.lock().expect("nobody panics").len(), taker / 2);
                for place in [0, 8, 16, bytes.len() / 2, bytes.len() - 1] {
                    let mut other = bytes.clone();
                    other[place] ^= 1;
                    assert!(unpacked(&other, 1000, &pool).is_none());
                }
                assert!(unpacked(&bytes[..bytes.len() - 1], 1000, &pool).is_none());
            }
            assert!(parcel.read(parcel.size(), &mut [0]).is_err());
        }
    }
}
