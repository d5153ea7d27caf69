//! Blocks are packed in runs, in memory and on a disk.

use super::block::ValueBlock;
use super::endings;
use super::pages::Paging;

/// Whether blocks can be packed, in memory or on a disk: a page is to be small.
pub const CAN_PACK: bool = cfg!(not(target_family = "wasm"));

/// The values of a block are packed in runs of at most so many bytes: packing a run takes room
/// besides.
const RUN: usize = 1 << 25;

/// How many pages a run has.
pub fn run_len(paging: Paging) -> usize {
    (RUN / paging.page_bytes()).max(1)
}

/// The bytes that a thread takes at most to write blocks, or to read them: a run, and the same
/// packed or a little more.
pub fn bytes_to_pack(largest: u64) -> u64 {
    5 * largest.min(RUN as u64) / 2
}

/// Which rows of a block are stored, and how the others ended.
pub fn codes(block: &ValueBlock) -> Vec<u8> {
    block
        .ranks
        .iter()
        .map(|rank| endings::code(*rank))
        .collect()
}
