//! The packed arrays of a layer, concatenated to a few long *runs*, each of which is a table.
//!
//! A table for each array would mean tens of thousands of files, and the overhead of a file exceeds
//! the time to compute the array. Each array has its checksum in the run, as arrays are read one by
//! one, and each run has one of its own, which is checked before the work is resumed.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::chips::ThresholdInteger;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::space::store::Tables;

/// The byte ranges of an array's lanes in its run.
type LaneRanges = SmallVec<[Range<usize>; 2]>;

/// The packed arrays of a layer.
#[derive(Debug)]
pub struct Runs {
    /// The arrays that are there, by index in the layer.
    arrays: Vec<Option<Array>>,
    /// The runs that are complete.
    closed: Vec<Run>,
    /// The contents of the run that is being written, and what is in it.
    open: Vec<u8>,
    begun: Contents,
    /// The length at which runs are closed, in bytes.
    most: usize,
}

/// The location of an array.
#[derive(Debug, Clone)]
struct Array {
    run: usize,
    lanes: LaneRanges,
}

/// A run that is complete.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    pub table: usize,
    pub contents: Contents,
}

/// The arrays in a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Contents {
    /// The indices of the arrays in the layer, in order.
    pub places: Vec<u32>,
    /// The lengths of the arrays, lane by lane, in bytes.
    lens: Vec<u32>,
}

impl Runs {
    /// Creates an empty store for so many arrays, in runs of about `most` bytes.
    pub fn new(arrays: usize, most: usize) -> Self {
        Self {
            arrays: vec![None; arrays],
            closed: Vec::new(),
            open: Vec::new(),
            begun: Contents::default(),
            most,
        }
    }

    /// Returns `true` if an array is there.
    pub fn has(&self, place: usize) -> bool {
        self.arrays[place].is_some()
    }

    /// Appends an array, lane by lane.
    pub fn push(&mut self, place: usize, lanes: &[Vec<u8>]) {
        let part = |lane: &Vec<u8>| {
            let begin = self.open.len();
            self.open.extend_from_slice(lane);
            begin..self.open.len()
        };
        self.arrays[place] = Some(Array {
            // The run is still open, and will be the next one that is closed.
            run: self.closed.len(),
            lanes: lanes.iter().map(part).collect(),
        });
        self.begun.places.push(fit::<u32>(place));
        let lens = lanes.iter().map(|lane| fit::<u32>(lane.len()));
        self.begun.lens.extend(lens);
    }

    /// Returns `true` if the open run has reached the length at which it is closed.
    pub fn is_full(&self) -> bool {
        self.open.len() >= self.most
    }

    /// Closes the open run; returns `None` if there is no room for it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn close(&mut self, tables: &Tables<'_>) -> Result<Option<()>> {
        // An empty run would be a table without contents, which is not sound.
        if self.begun.places.is_empty() {
            return Ok(Some(()));
        }
        let Some(table) = tables.add(std::mem::take(&mut self.open))? else {
            return Ok(None);
        };
        let contents = std::mem::take(&mut self.begun);
        self.closed.push(Run { table, contents });
        Ok(Some(()))
    }

    /// Returns the values of an array, with `count` values in each lane.
    ///
    /// # Errors
    /// If the disk fails, or the run is not what was written.
    ///
    /// # Panics
    /// If the array is not there, or in the open run.
    pub fn load<S: ThresholdInteger>(
        &self,
        tables: &Tables<'_>,
        place: usize,
        count: usize,
    ) -> Result<Vec<Vec<S>>> {
        let array = self.arrays[place]
            .as_ref()
            .expect("arrays are worked out before they are asked for");
        let table = self.closed[array.run].table;
        array
            .lanes
            .iter()
            .map(|part| tables.load_range(table, part.clone(), count))
            .collect()
    }

    /// Closes the open run, and returns all runs.
    ///
    /// # Errors
    /// If the disk fails.
    ///
    /// # Panics
    /// If there is no disk.
    pub fn all(&mut self, tables: &Tables<'_>) -> Result<Vec<Run>> {
        self.close(tables)?.expect("there is a disk");
        Ok(self.closed.clone())
    }

    /// Restores the arrays of an earlier session whose runs are intact; also returns the number of
    /// damaged runs.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn restore(mut self, found: Vec<Run>, tables: &Tables<'_>) -> Result<(Self, usize)> {
        let mut lost = 0;
        for run in found {
            let Contents { places, lens } = &run.contents;
            let bytes = lens.iter().map(|len| *len as usize).sum();
            if !tables.restore(run.table, bytes)? {
                // The arrays of a damaged run are computed again, and the others are kept.
                lost += 1;
                continue;
            }
            let mut end = 0;
            // The state has been checked to be sound, so there are places, and the quotient is
            // whole.
            let lanes = lens.len() / places.len();
            for (place, lens) in places.iter().zip(lens.chunks(lanes)) {
                let part = |len: &u32| {
                    end += *len as usize;
                    end - *len as usize..end
                };
                let lanes = lens.iter().map(part).collect();
                self.arrays[*place as usize] = Some(Array {
                    run: self.closed.len(),
                    lanes,
                });
            }
            self.closed.push(run);
        }
        Ok((self, lost))
    }

    /// Discards the arrays.
    ///
    /// # Errors
    /// If their files cannot be removed.
    pub fn discard(self, tables: &Tables<'_>) -> Result<()> {
        let mut runs = self.closed.iter();
        runs.try_for_each(|run| tables.remove(run.table, 1))
    }
}

impl Contents {
    /// Returns `true` if they can belong to a layer with so many arrays, each with so many lanes.
    pub fn are_sound(&self, arrays: usize, lanes: usize) -> bool {
        !self.places.is_empty()
            && self.lens.len() == self.places.len() * lanes
            && self.places.iter().all(|place| (*place as usize) < arrays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests arrays in one run, or in many, in any order.
    #[test]
    fn arrays_come_back_as_they_were() {
        let tables = Tables::of_room(1 << 20);
        for most in [1, 100, 1 << 16] {
            let array = |place: usize| -> [Vec<u16>; 2] {
                [3, 5].map(|lane| {
                    (0..place * 7)
                        .map(|at| (at * lane * place % 1009) as u16)
                        .collect()
                })
            };
            let mut runs = Runs::new(20, most);
            for place in (0..20).rev().filter(|place| *place != 4) {
                let lanes = array(place).map(|lane| tables.pack_range(&lane));
                runs.push(place, &lanes);
                if runs.is_full() {
                    runs.close(&tables)
                        .expect("no disk fails")
                        .expect("there is room");
                }
            }
            runs.close(&tables)
                .expect("no disk fails")
                .expect("there is room");
            assert!(!runs.has(4) && runs.has(5));
            for place in (0..20).filter(|place| *place != 4) {
                let found: Vec<Vec<u16>> = runs
                    .load(&tables, place, place * 7)
                    .expect("it is in memory");
                assert_eq!(found, array(place), "{place} of runs of {most} bytes");
            }
            runs.discard(&tables).expect("no disk fails");
            assert_eq!(tables.held(), 0);
        }
    }
}
