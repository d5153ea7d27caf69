//! The cut of a sweep into batches that processes compute on their own.
//!
//! Blocks are joined to *units*, in the order in which they are computed: a block joins those from
//! which it is computed, and so joins them to each other, unless they would take longer together
//! than a batch may; then it begins a unit of the next *layer*. So a unit is computed from itself
//! and from lower layers, a layer can be cut between any two units, and only the blocks on the
//! border of two layers are read by others than those that compute them.

use std::collections::{BTreeMap, BTreeSet};

use super::schedule::Schedule;
use crate::watch::Batch;

/// The number of batches into which a sweep is cut, and the bounds on their duration, in seconds,
/// which come first: shorter batches would spend their time on what they read and write for each
/// other, and a batch that is lost with its process should not cost much. Packing is not counted.
const BATCHES: f64 = 256.0;
// On 6 × 5, batches of 1 s read and write twice as much as batches of 2 s.
const SHORTEST: f64 = 2.0;
const LONGEST: f64 = 30.0;

/// The processor time in seconds of reading a byte of another batch and unpacking it, measured on
/// a machine of 2024 with the file in the system's cache.
const READ: f64 = 1.25e-9;

/// A sweep that is being cut.
struct Cutter<'a> {
    schedule: &'a Schedule,
    /// The processor time of each block in seconds, zero if it is not missing.
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
    /// The processor time in seconds, with that of reading what others have computed.
    seconds: f64,
}

impl Schedule {
    /// Cuts the blocks that are missing into batches of at most about this many seconds of
    /// processor time, or into some hundred batches.
    pub fn cut(&self, most: Option<f64>, is_missing: &dyn Fn(usize) -> bool) -> Vec<Batch> {
        let (count, row) = (self.shape.blocks(), self.seconds_a_row());
        let mut seconds = vec![0.0; count];
        let sequence = self.order.sequence().iter().copied();
        for block in sequence.filter(|block| is_missing(*block)) {
            seconds[block] = self.seconds_of(block, row);
        }
        let all: f64 = seconds.iter().sum();
        let most = most.unwrap_or_else(|| (all / BATCHES).clamp(SHORTEST, LONGEST));
        let mut cutter = Cutter {
            schedule: self,
            seconds,
            most,
            joined: (0..count).collect(),
            units: vec![Unit::default(); count],
        };
        cutter.find_units();
        let batches = cutter.batches();
        cutter.connected(batches)
    }
}

impl Cutter<'_> {
    fn is_missing(&self, block: usize) -> bool {
        self.seconds[block] > 0.0
    }

    /// Returns the block that represents the unit of a block.
    fn unit(&mut self, mut block: usize) -> usize {
        while self.joined[block] != block {
            // Each step halves the path, which keeps the chains of joined blocks short.
            self.joined[block] = self.joined[self.joined[block]];
            block = self.joined[block];
        }
        block
    }

    /// Returns the layer of a block; `None` if it has been computed.
    fn layer(&mut self, block: usize) -> Option<u32> {
        let unit = self.is_missing(block).then(|| self.unit(block));
        unit.map(|unit| self.units[unit].layer)
    }

    /// Divides the missing blocks into units.
    fn find_units(&mut self) {
        let Schedule { order, sizes, .. } = self.schedule;
        let bytes = |blocks: &[usize]| blocks.iter().map(|block| sizes[*block]).sum::<u64>();
        // The last block that was seen to read each block from outside its unit.
        let mut readers = vec![None; self.joined.len()];
        for block in order.sequence().iter().copied() {
            if !self.is_missing(block) {
                continue;
            }
            let needs = order.needs(block);
            let top = needs.iter().filter_map(|need| self.layer(*need)).max();
            // Units of lower layers are not joined: others of this layer may depend on them.
            let (inner, mut others): (Vec<usize>, Vec<usize>) = needs
                .iter()
                .partition(|need| top.is_some() && self.layer(**need) == top);
            let layer = top.unwrap_or(0);
            let mut below: Vec<usize> = inner.into_iter().map(|need| self.unit(need)).collect();
            below.sort_unstable();
            below.dedup();
            // A block that one of the units reads already is not read again.
            let mut read = others.clone();
            read.retain(|need| {
                let reader = readers[*need].map(|reader| self.unit(reader));
                reader.is_none_or(|reader| below.binary_search(&reader).is_err())
            });
            let own = self.seconds[block];
            let joined = below.iter().map(|unit| self.units[*unit].seconds);
            let all = own + bytes(&read) as f64 * READ + joined.sum::<f64>();
            // Joining is refused only if the unit would be too long; the block then begins the next
            // layer.
            self.units[block] = if below.is_empty() || all <= self.most {
                below.iter().for_each(|unit| self.joined[*unit] = block);
                Unit {
                    layer,
                    seconds: all,
                }
            } else {
                others = needs.to_vec();
                Unit {
                    layer: layer + 1,
                    seconds: own + bytes(needs) as f64 * READ,
                }
            };
            for other in others {
                readers[other] = Some(block);
            }
        }
    }

    /// Returns the blocks of each batch: some whole layers that are short, or some units of a layer.
    fn batches(&mut self) -> Vec<Vec<usize>> {
        // The order by layer puts every batch after those from which it is computed.
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
            // Short layers are joined to one batch, because handing out a batch has a cost of its
            // own.
            if let Some(before) = batches.last_mut().filter(|_| open + all <= self.most / 2.0) {
                before.extend(layer.iter().flat_map(|(_, blocks)| blocks));
                open += all;
                continue;
            }
            let each = all / (all / self.most).ceil().max(1.0);
            // The first unit of a layer begins a batch in any case.
            let mut taken = f64::INFINITY;
            for ((_, unit), blocks) in layer {
                // Half of the unit counts, so batches are as long as intended on average.
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
    fn connected(&self, batches: Vec<Vec<usize>>) -> Vec<Batch> {
        let count = batches.len();
        let mut batch_of = vec![usize::MAX; self.joined.len()];
        for (place, blocks) in batches.iter().enumerate() {
            blocks.iter().for_each(|block| batch_of[*block] = place);
        }
        let batch = |mut blocks: Vec<usize>| {
            blocks.sort_unstable();
            let order = &self.schedule.order;
            let needs = blocks.iter().flat_map(|block| order.needs(*block));
            // Blocks that are computed already are in no batch, but are still read from the disk.
            let others = needs.filter(|need| blocks.binary_search(need).is_err());
            let others: BTreeSet<usize> = others.copied().collect();
            let after = others.iter().map(|other| batch_of[*other]);
            let after: BTreeSet<usize> = after.filter(|place| *place < count).collect();
            let seconds = blocks.iter().map(|block| self.seconds[*block]);
            let bytes: u64 = others.iter().map(|other| self.schedule.sizes[*other]).sum();
            Batch {
                after: after.into_iter().collect(),
                seconds: seconds.sum::<f64>() + bytes as f64 * READ,
                bytes,
                blocks,
            }
        };
        batches.into_iter().map(batch).collect()
    }
}
