//! Where the work on a truncation goes on after it was stopped: some arrays of a layer, and those
//! of the next one.

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use super::runs::RunRecord;
use crate::store::{Record, Saved};

/// What has been worked out.
#[derive(Debug, Serialize, Deserialize)]
pub struct TruncationRecord {
    /// The layer that is being worked out.
    pub layer: u32,
    /// Some of its arrays.
    pub arrays: Vec<RunRecord>,
    /// All arrays of the next layer; `None` if that is the last one, which is not kept.
    pub next: Option<Vec<RunRecord>>,
}

impl Saved for TruncationRecord {
    fn records(&self) -> Vec<Record> {
        self.arrays
            .iter()
            .chain(self.next.iter().flatten())
            .map(|run| run.file)
            .collect()
    }
}

impl TruncationRecord {
    /// Whether these are arrays of a truncation with this last layer, each with so many lanes.
    pub fn is_sound(&self, last: u32, layer: impl Fn(u32) -> Layer, lanes: usize) -> bool {
        if self.layer >= last || self.next.is_none() != (self.layer + 1 == last) {
            return false;
        }
        let (here, next) = (
            layer(self.layer).levels.len(),
            layer(self.layer + 1).levels.len(),
        );
        are_sound(&self.arrays, here, lanes).is_some()
            && self
                .next
                .as_ref()
                .is_none_or(|runs| are_sound(runs, next, lanes) == Some(next))
    }
}

/// How many arrays some runs hold, if they are runs of a layer with so many and none is there
/// twice.
fn are_sound(runs: &[RunRecord], arrays: usize, lanes: usize) -> Option<usize> {
    if !runs.iter().all(|run| run.is_sound(arrays, lanes)) {
        return None;
    }
    let mut places: Vec<u32> = runs.iter().flat_map(|run| &run.places).copied().collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    (places.len() == count).then_some(count)
}
