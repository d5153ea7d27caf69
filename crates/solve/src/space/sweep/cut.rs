//! The cut of a sweep into batches that processes compute on their own.
//!
//! Blocks are joined to *units*, in the order in which they are computed: a block joins those from
//! which it is computed, and so joins them to each other, unless they would take longer together
//! than a batch may; then it begins a unit of the next *layer*. So a unit is computed from itself
//! and from lower layers, a layer can be cut between any two units, and only the blocks on the
//! border of two layers are read by others than those that compute them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::schedule::Schedule;
use crate::watch::Batch;

/// The number of batches into which a sweep is cut, and the bounds on their duration, in seconds,
/// which come first: shorter batches would take longer to hand out than to compute, and a batch
/// that is lost with its process should not cost much. Reading and packing are not counted.
const BATCHES: f64 = 256.0;
const SHORTEST: f64 = 1.0;
const LONGEST: f64 = 30.0;

/// A sweep that is being cut.
struct Cutter<'a> {
    schedule: &'a Schedule,
    /// The processor time of all missing blocks before each block, in seconds.
    seconds: Vec<f64>,
    /// The greatest duration of a batch.
    most: f64,
    /// For each missing block another one of its unit, or itself if it represents the unit.
    joined: Vec<usize>,
    /// The units by the blocks that represent them.
    units: Vec<Unit>,
}

/// Blocks that one process computes.
#[derive(Debug, Clone, Copy, Default)]
struct Unit {
    /// The greatest number of times that a chain of blocks, each computed from the next, leaves a
    /// unit, from this one on.
    layer: u32,
    /// The processor time in seconds.
    seconds: f64,
}

impl Schedule {
    /// Cuts the blocks that are missing into batches of at most about this many seconds of
    /// processor time, or into some hundred batches.
    pub fn cut(&self, most: Option<f64>, is_missing: &dyn Fn(usize) -> bool) -> Vec<Batch> {
        let (count, row) = (self.shape.blocks(), self.seconds_a_row());
        let mut seconds = vec![0.0; count + 1];
        let sequence = self.order.sequence().iter().copied();
        for block in sequence.filter(|block| is_missing(*block)) {
            seconds[block + 1] = self.seconds_of(block, row);
        }
        (0..count).for_each(|block| seconds[block + 1] += seconds[block]);
        let most = most.unwrap_or_else(|| (seconds[count] / BATCHES).clamp(SHORTEST, LONGEST));
        let mut cutter = Cutter {
            schedule: self,
            seconds,
            most,
            joined: (0..count).collect(),
            units: vec![Unit::default(); count],
        };
        cutter.find_units();
        let batches = cutter.batches();
        cutter.connected(&batches)
    }
}

impl Cutter<'_> {
    fn seconds(&self, blocks: &Range<usize>) -> f64 {
        self.seconds[blocks.end] - self.seconds[blocks.start]
    }

    fn is_missing(&self, block: usize) -> bool {
        self.seconds(&(block..block + 1)) > 0.0
    }

    /// Returns the block that represents the unit of a block.
    fn unit(&mut self, mut block: usize) -> usize {
        while self.joined[block] != block {
            self.joined[block] = self.joined[self.joined[block]];
            block = self.joined[block];
        }
        block
    }

    /// Divides the missing blocks into units.
    fn find_units(&mut self) {
        let order = &self.schedule.order;
        for block in order.sequence().iter().copied() {
            let own = self.seconds(&(block..block + 1));
            let needs = order.needs(block).iter().copied();
            let needs: Vec<usize> = needs.filter(|need| self.is_missing(*need)).collect();
            let mut needs: Vec<usize> = needs.into_iter().map(|need| self.unit(need)).collect();
            let layer = needs.iter().map(|unit| self.units[*unit].layer).max();
            let layer = layer.unwrap_or(0);
            // Units of lower layers are not joined: others of this layer may depend on them.
            needs.retain(|unit| self.units[*unit].layer == layer);
            needs.sort_unstable();
            needs.dedup();
            let all = needs.iter().map(|unit| self.units[*unit].seconds);
            let all = own + all.sum::<f64>();
            self.units[block] = if needs.is_empty() || all <= self.most {
                needs.iter().for_each(|unit| self.joined[*unit] = block);
                Unit {
                    layer,
                    seconds: all,
                }
            } else {
                Unit {
                    layer: layer + 1,
                    seconds: own,
                }
            };
        }
    }

    /// Returns the blocks of each batch: some whole layers that are short, or some units of a layer.
    fn batches(&mut self) -> Vec<Vec<usize>> {
        let mut blocks_of = BTreeMap::<(u32, usize), Vec<usize>>::new();
        for block in 0..self.joined.len() {
            if !self.is_missing(block) {
                continue;
            }
            let unit = self.unit(block);
            let layer = self.units[unit].layer;
            blocks_of.entry((layer, unit)).or_default().push(block);
        }
        let units: Vec<((u32, usize), Vec<usize>)> = blocks_of.into_iter().collect();
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut open = 0.0;
        for layer in units.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let time = |unit: usize| self.units[unit].seconds;
            let all: f64 = layer.iter().map(|((_, unit), _)| time(*unit)).sum();
            if let Some(before) = batches.last_mut().filter(|_| open + all <= self.most / 2.0) {
                before.extend(layer.iter().flat_map(|(_, blocks)| blocks));
                open += all;
                continue;
            }
            let each = all / (all / self.most).ceil().max(1.0);
            let mut taken = f64::INFINITY;
            for ((_, unit), blocks) in layer {
                if taken + time(*unit) / 2.0 > each {
                    batches.push(Vec::new());
                    taken = 0.0;
                }
                taken += time(*unit);
                batches.last_mut().expect("one was begun").extend(blocks);
            }
            // A layer can only be continued if it is whole.
            open = if all <= self.most { all } else { f64::INFINITY };
        }
        batches
    }

    /// Returns the batches with those from which each is computed.
    fn connected(&self, batches: &[Vec<usize>]) -> Vec<Batch> {
        let mut batch_of = vec![usize::MAX; self.joined.len()];
        for (place, blocks) in batches.iter().enumerate() {
            blocks.iter().for_each(|block| batch_of[*block] = place);
        }
        let batch = |(place, blocks): (usize, &Vec<usize>)| {
            let needs = blocks
                .iter()
                .flat_map(|block| self.schedule.order.needs(*block));
            let mut needs: Vec<usize> = needs
                .copied()
                .filter(|need| batch_of[*need] != place)
                .collect();
            needs.sort_unstable();
            needs.dedup();
            let after = needs.iter().map(|need| batch_of[*need]);
            let mut after: Vec<usize> = after.filter(|place| *place < batches.len()).collect();
            after.sort_unstable();
            after.dedup();
            Batch {
                blocks: Vec::new(),
                after,
                seconds: blocks
                    .iter()
                    .map(|block| self.seconds(&(*block..block + 1)))
                    .sum(),
                bytes: needs.iter().map(|need| self.schedule.sizes[*need]).sum(),
            }
        };
        let mut connected: Vec<Batch> = batches.iter().enumerate().map(batch).collect();
        // Blocks that are not missing do not end a run.
        let mut missing = (0..batch_of.len()).filter(|block| batch_of[*block] < batches.len());
        let mut run = missing.next().map(|block| block..block + 1);
        while let Some(now) = run {
            let next = missing.next();
            run = next.map(|block| block..block + 1);
            let place = batch_of[now.start];
            match next.filter(|block| batch_of[*block] == place) {
                Some(block) => run = Some(now.start..block + 1),
                None => connected[place].blocks.push(now),
            }
        }
        connected
    }
}
