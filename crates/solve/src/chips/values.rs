//! Thresholds of every vertex in one flat table, with a row of lanes for each vertex.

use super::kernel::Scale;
use super::pass::CELLS;
use super::quantity::ThresholdInteger;
use crate::game::NodeId;
use crate::watch::{Asking, Context, Stop};

/// A table with a row for each vertex, which has all lanes for each threshold of the scale. Every
/// sum of two thresholds fits in `T`.
#[derive(Debug, Clone)]
pub(super) struct VertexThresholds<T> {
    cells: Vec<T>,
    scale: Scale,
    lanes: usize,
}

impl<T: ThresholdInteger> VertexThresholds<T> {
    pub(super) fn new(scale: Scale, nodes: usize, lanes: usize) -> Self {
        Self {
            cells: vec![T::NOTHING; nodes * scale.slots() * lanes],
            scale,
            lanes,
        }
    }

    pub(super) fn width(&self) -> usize {
        self.scale.slots() * self.lanes
    }

    pub(super) fn row(&self, node: NodeId) -> &[T] {
        let start = node.index() * self.width();
        &self.cells[start..start + self.width()]
    }

    pub(super) fn row_mut(&mut self, node: NodeId) -> &mut [T] {
        let (start, width) = (node.index() * self.width(), self.width());
        &mut self.cells[start..start + width]
    }

    /// Returns one lane of a vertex.
    pub(super) fn raw(&self, node: NodeId, lane: usize) -> [u64; 2] {
        let row = self.row(node);
        [
            row[lane].widen(),
            // With one threshold for each lane there is no second part of the row.
            row.get(self.lanes + lane)
                .map_or(0, |second| second.widen()),
        ]
    }

    fn set_raw(&mut self, node: NodeId, lane: usize, raw: [u64; 2]) {
        let lanes = self.lanes;
        let row = self.row_mut(node);
        row[lane] = T::narrow(raw[0]);
        if let Some(second) = row.get_mut(lanes + lane) {
            *second = T::narrow(raw[1]);
        }
    }

    /// Creates the table of some vertices from their thresholds, lane by lane.
    pub(super) fn of_rows(scale: Scale, rows: &[Vec<[u64; 2]>]) -> Self {
        let mut values = Self::new(scale, rows.len(), rows.first().map_or(0, Vec::len));
        for (node, lanes) in rows.iter().enumerate() {
            lanes
                .iter()
                .enumerate()
                .for_each(|(lane, raw)| values.set_raw(NodeId::new(node), lane, *raw));
        }
        values
    }

    /// Returns the thresholds from which on the opponent keeps the seeker from the goal.
    pub(super) fn complement(
        mut self,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Self, Stop> {
        let nodes = self.cells.len() / self.width().max(1);
        let mut asking = Asking::every(CELLS, context);
        for node in (0..nodes).map(NodeId::new) {
            asking.step(totals.len())?;
            for (lane, &total) in totals.iter().enumerate() {
                let raw = self.scale.complement(self.raw(node, lane), total + 1);
                self.set_raw(node, lane, raw);
            }
        }
        self.scale = self.scale.other();
        Ok(self)
    }

    /// Gives a vertex the thresholds that follow from the total alone.
    pub(super) fn fill(&mut self, node: NodeId, totals: &[u64], value: impl Fn(u64) -> [u64; 2]) {
        for (lane, &total) in totals.iter().enumerate() {
            self.set_raw(node, lane, value(total));
        }
    }
}

/// A table in the narrowest numbers for its totals.
#[derive(Debug, Clone)]
pub(super) enum NarrowestThresholds {
    Narrow(VertexThresholds<u32>),
    Wide(VertexThresholds<u64>),
}

impl NarrowestThresholds {
    /// The largest total k for which 2(k + 1) + 1, the largest sum that a kernel forms, fits in 32
    /// bits.
    pub(super) const NARROW_MOST: u64 = (1 << 31) - 3;

    pub(super) fn raw(&self, node: NodeId, lane: usize) -> [u64; 2] {
        match self {
            Self::Narrow(values) => values.raw(node, lane),
            Self::Wide(values) => values.raw(node, lane),
        }
    }

    pub(super) fn complement(self, totals: &[u64], context: &Context<'_>) -> Result<Self, Stop> {
        Ok(match self {
            Self::Narrow(values) => Self::Narrow(values.complement(totals, context)?),
            Self::Wide(values) => Self::Wide(values.complement(totals, context)?),
        })
    }
}

impl From<VertexThresholds<u32>> for NarrowestThresholds {
    fn from(values: VertexThresholds<u32>) -> Self {
        Self::Narrow(values)
    }
}

impl From<VertexThresholds<u64>> for NarrowestThresholds {
    fn from(values: VertexThresholds<u64>) -> Self {
        Self::Wide(values)
    }
}
