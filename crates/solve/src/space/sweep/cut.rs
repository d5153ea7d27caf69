//! The cut of a sweep into batches that processes compute on their own.
//!
//! Blocks are numbered by the first digits of their positions. Those that agree in so many of these
//! that they take no longer than a batch may are a *unit*, since most moves stay within them. A
//! block's *layer* is the greatest number of times that a chain of blocks, each computed from the
//! next, leaves a unit. So blocks of one layer that are computed from each other are in one unit,
//! and a layer can be cut between any two units.

use std::ops::Range;

use super::schedule::Schedule;
use crate::watch::Batch;

/// The number of batches into which a sweep is cut, and the bounds on their duration, in seconds,
/// which come first: shorter batches would take longer to hand out than to compute, and a batch
/// that is lost with its process should not cost much. Reading and packing, which are not counted,
/// take about as long again.
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
    /// The unit and the layer of each block.
    units: Vec<u32>,
    layers: Vec<u32>,
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
            units: vec![0; count],
            layers: vec![0; count],
        };
        cutter.find_units(0..count, 0);
        cutter.find_layers();
        cutter.connected(&cutter.batches())
    }
}

impl Cutter<'_> {
    fn seconds(&self, blocks: &Range<usize>) -> f64 {
        self.seconds[blocks.end] - self.seconds[blocks.start]
    }

    fn is_missing(&self, block: usize) -> bool {
        self.seconds(&(block..block + 1)) > 0.0
    }

    /// Divides blocks that agree in the digits before this one into units, each named after its
    /// first block.
    fn find_units(&mut self, blocks: Range<usize>, digit: usize) {
        let shape = &self.schedule.shape;
        if digit == shape.prefix() || self.seconds(&blocks) <= self.most / 2.0 {
            self.units[blocks.clone()].fill(blocks.start as u32);
            return;
        }
        let length = blocks.len() / shape.radix(digit);
        for start in blocks.step_by(length) {
            self.find_units(start..start + length, digit + 1);
        }
    }

    fn find_layers(&mut self) {
        let order = &self.schedule.order;
        for block in order.sequence().iter().copied() {
            let needs = order.needs(block).iter().copied();
            let after =
                |need: usize| self.layers[need] + u32::from(self.units[need] != self.units[block]);
            let layer = needs.filter(|need| self.is_missing(*need)).map(after).max();
            self.layers[block] = layer.unwrap_or(0);
        }
    }

    /// Returns the blocks of each batch: some whole layers that are short, or a part of a layer.
    fn batches(&self) -> Vec<Vec<usize>> {
        let mut blocks: Vec<usize> = (0..self.units.len())
            .filter(|block| self.is_missing(*block))
            .collect();
        blocks.sort_by_key(|block| self.layers[*block]);
        let time = |blocks: &[usize]| -> f64 {
            blocks
                .iter()
                .map(|block| self.seconds(&(*block..block + 1)))
                .sum()
        };
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut open = 0.0;
        for layer in blocks.chunk_by(|a, b| self.layers[*a] == self.layers[*b]) {
            let all = time(layer);
            if let Some(before) = batches.last_mut().filter(|_| open + all <= self.most / 2.0) {
                before.extend(layer);
                open += all;
                continue;
            }
            let each = all / (all / self.most).ceil().max(1.0);
            let mut taken = f64::INFINITY;
            for unit in layer.chunk_by(|a, b| self.units[*a] == self.units[*b]) {
                if taken >= each {
                    batches.push(Vec::new());
                    taken = 0.0;
                }
                taken += time(unit);
                batches.last_mut().expect("one was begun").extend(unit);
            }
            // A layer can only be continued if it is whole.
            open = if all <= self.most { all } else { f64::INFINITY };
        }
        batches
    }

    /// Returns the batches with those from which each is computed.
    fn connected(&self, batches: &[Vec<usize>]) -> Vec<Batch> {
        let mut batch_of = vec![usize::MAX; self.units.len()];
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
