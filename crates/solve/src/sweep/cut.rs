//! The cut of a sweep into batches that processes compute on their own.
//!
//! Blocks are numbered by the first digits of their positions, and each is computed from blocks
//! with lesser numbers. So runs of consecutive blocks depend only on earlier runs. A run consists
//! of blocks that agree in as many first digits as possible, since most moves stay within them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::schedule::Schedule;
use crate::watch::Batch;

/// The number of batches into which a sweep is cut, and the bounds on their duration, in seconds,
/// which come first: shorter batches would take longer to hand out than to compute, and a batch
/// that is lost with its process should not cost much.
const BATCHES: f64 = 256.0;
const SHORTEST: f64 = 2.0;
const LONGEST: f64 = 60.0;

/// A sweep that is being cut.
struct Cutter<'a> {
    schedule: &'a Schedule,
    /// The blocks that are missing.
    missing: Vec<bool>,
    /// The processor time of all blocks before each block, in seconds.
    seconds: Vec<f64>,
    /// The greatest duration of a batch.
    most: f64,
    batches: Vec<Range<usize>>,
}

impl Schedule {
    /// Cuts the blocks that are missing into batches of at most about this many seconds of
    /// processor time, or into some hundred batches.
    pub fn cut(&self, most: Option<f64>, is_missing: &dyn Fn(usize) -> bool) -> Vec<Batch> {
        let count = self.shape.blocks();
        let (mut missing, mut seconds) = (vec![false; count], vec![0.0; count + 1]);
        let sequence = self.order.sequence().iter().copied();
        for block in sequence.filter(|block| is_missing(*block)) {
            missing[block] = true;
            seconds[block + 1] = self.seconds_of(block);
        }
        (0..count).for_each(|block| seconds[block + 1] += seconds[block]);
        let most = most.unwrap_or_else(|| (seconds[count] / BATCHES).clamp(SHORTEST, LONGEST));
        let mut cutter = Cutter {
            schedule: self,
            missing,
            seconds,
            most,
            batches: Vec::new(),
        };
        cutter.cut(0..count, 0);
        cutter.connected()
    }
}

impl Cutter<'_> {
    fn seconds(&self, blocks: &Range<usize>) -> f64 {
        self.seconds[blocks.end] - self.seconds[blocks.start]
    }

    /// Cuts blocks that agree in the digits before this one.
    fn cut(&mut self, blocks: Range<usize>, digit: usize) {
        let shape = &self.schedule.shape;
        if digit == shape.prefix() || self.seconds(&blocks) <= self.most {
            self.batches.push(blocks);
            return;
        }
        let length = blocks.len() / shape.radix(digit);
        let mut together = blocks.start..blocks.start;
        for start in blocks.step_by(length) {
            let more = together.start..start + length;
            if self.seconds(&more) <= self.most {
                together = more;
                continue;
            }
            self.batches.push(together);
            together = start + length..start + length;
            if self.seconds(&(start..start + length)) > self.most {
                self.cut(start..start + length, digit + 1);
            } else {
                together.start = start;
            }
        }
        self.batches.push(together);
    }

    /// Returns the batches in which blocks are missing, each with those from which it is computed.
    fn connected(self) -> Vec<Batch> {
        let runs: Vec<&Range<usize>> = self
            .batches
            .iter()
            .filter(|blocks| self.missing[(*blocks).clone()].contains(&true))
            .collect();
        let batch = |blocks: &&Range<usize>| {
            let missing = (*blocks).clone().filter(|block| self.missing[*block]);
            let needs: BTreeSet<usize> = missing
                .flat_map(|block| self.schedule.order.needs(block))
                .copied()
                .filter(|need| !blocks.contains(need))
                .collect();
            let missing = needs.iter().filter(|need| self.missing[**need]);
            let after: BTreeSet<usize> = missing
                .map(|need| runs.partition_point(|run| run.end <= *need))
                .collect();
            Batch {
                blocks: (*blocks).clone(),
                after: after.into_iter().collect(),
                seconds: self.seconds(blocks),
                bytes: needs.iter().map(|need| self.schedule.sizes[*need]).sum(),
            }
        };
        runs.iter().map(batch).collect()
    }
}
