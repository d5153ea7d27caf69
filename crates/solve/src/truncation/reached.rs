//! The state from which interrupted work on a truncation is resumed: some arrays of a layer, and
//! those of the next one.

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use super::runs::Run;
use crate::space::store::SavedState;

/// The arrays computed so far.
#[derive(Debug, Serialize, Deserialize)]
pub struct TruncationRecord {
    /// The layer that is being computed.
    pub layer: u32,
    /// The runs of its arrays computed so far.
    pub arrays: Vec<Run>,
    /// The runs of all arrays of the next layer; `None` if that is the last one, which is not
    /// kept.
    pub next: Option<Vec<Run>>,
}

impl SavedState for TruncationRecord {
    fn tables(&self) -> Vec<usize> {
        self.arrays
            .iter()
            .chain(self.next.iter().flatten())
            .map(|run| run.table)
            .collect()
    }
}

impl TruncationRecord {
    /// Returns `true` if the runs can belong to a truncation with this last layer, each array
    /// with so many lanes.
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

/// Returns the number of arrays in some runs, if the runs can belong to a layer with so many arrays
/// and contain none twice.
fn are_sound(runs: &[Run], arrays: usize, lanes: usize) -> Option<usize> {
    if !runs.iter().all(|run| run.contents.are_sound(arrays, lanes)) {
        return None;
    }
    let mut places: Vec<u32> = runs
        .iter()
        .flat_map(|run| &run.contents.places)
        .copied()
        .collect();
    let count = places.len();
    // An array that is named twice would count as two, and another one could be missing.
    places.sort_unstable();
    places.dedup();
    (places.len() == count).then_some(count)
}
