//! The packing of blocks in runs, in memory and on a disk.

use super::block::ValueBlock;
use super::endings;
use super::pages::Paging;

/// If set, blocks can be packed, in memory or on a disk. The build for web pages cannot, because it
/// has to be small.
pub const CAN_PACK: bool = cfg!(not(target_family = "wasm"));

/// The greatest number of bytes of a run. The values of a block are packed in runs because packing
/// takes additional memory for a run.
const RUN: usize = 1 << 25;

/// Returns the number of pages of a run.
pub fn run_len(paging: Paging) -> usize {
    (RUN / paging.page_bytes()).max(1)
}

/// Returns the greatest number of bytes that a thread takes to write or read blocks: a run, and the
/// same run packed or a little more.
pub fn bytes_to_pack(largest: u64) -> u64 {
    5 * largest.min(RUN as u64) / 2
}

/// Returns the codes of the rows of a block: stored, or the kind of ending.
pub fn codes(block: &ValueBlock) -> Vec<u8> {
    block
        .ranks
        .iter()
        .map(|rank| endings::code(*rank))
        .collect()
}
