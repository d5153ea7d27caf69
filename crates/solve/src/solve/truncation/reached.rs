//! Where the work on a truncation goes on after it was stopped: some arrays of a layer, and those of the next one.

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use crate::store::{Record, Saved};

/// What has been worked out, by array and lane.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reached {
    /// The layer that is being worked out.
    pub layer: u32,
    /// Its first arrays.
    pub arrays: Vec<Vec<Record>>,
    /// All arrays of the next layer; `None` if that is the last one, which is not kept.
    pub next: Option<Vec<Vec<Record>>>,
}

impl Saved for Reached {
    fn records(&self) -> Vec<Record> {
        self.arrays.iter().chain(self.next.iter().flatten()).flatten().copied().collect()
    }
}

impl Reached {
    /// Whether these are arrays of a truncation with this last layer, each with so many lanes.
    pub fn is_sound(&self, last: u32, layer: impl Fn(u32) -> Layer, lanes: usize) -> bool {
        if self.layer >= last || self.next.is_none() != (self.layer + 1 == last) {
            return false;
        }
        let is_next = |next: &Vec<_>| next.len() == layer(self.layer + 1).levels.len();
        self.next.as_ref().is_none_or(is_next)
            && self.arrays.len() <= layer(self.layer).levels.len()
            && self.arrays.iter().chain(self.next.iter().flatten()).all(|array| array.len() == lanes)
    }
}
