//! The packed arrays of a layer, concatenated to a few long *runs*: each is a blob in memory, or a
//! file on the disk.
//!
//! A file for each array would mean tens of thousands of files, and the overhead of a file exceeds
//! the time to compute the array. Each array has its checksum in the run, as arrays are read one by
//! one, and each run has one of its own in the record, which is checked for the whole run before
//! the work is resumed.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::number::Narrow;
use crate::diagnostic::Result;
use crate::space::store::{Blob, Record, Vault};

/// The byte ranges of an array's lanes in its run.
type LaneRanges = SmallVec<[Range<usize>; 2]>;

/// The packed arrays of a layer.
#[derive(Debug)]
pub struct Runs {
    /// The arrays that are there, by index in the layer.
    arrays: Vec<Option<Array>>,
    /// The runs that are complete.
    closed: Vec<ClosedRun>,
    /// The run that is being written.
    open: Vec<u8>,
    /// The indices of the arrays in the open run.
    places: Vec<u32>,
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
#[derive(Debug)]
struct ClosedRun {
    blob: Blob,
    /// The indices of its arrays, in order.
    places: Vec<u32>,
}

/// A run on the disk, as recorded in a manifest.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The file.
    pub file: Record,
    /// The indices of its arrays in the layer, in order.
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
            places: Vec::new(),
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
            run: self.closed.len(),
            lanes: lanes.iter().map(part).collect(),
        });
        self.places.push(place as u32);
    }

    /// Returns `true` if the open run has reached the length at which it is closed.
    pub fn is_full(&self) -> bool {
        self.open.len() >= self.most
    }

    /// Closes the open run; returns `None` if there is no room for it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn close(&mut self, vault: &Vault<'_>) -> Result<Option<()>> {
        if self.places.is_empty() {
            return Ok(Some(()));
        }
        let Some(blob) = vault.put(std::mem::take(&mut self.open))? else {
            return Ok(None);
        };
        self.closed.push(ClosedRun {
            blob,
            places: std::mem::take(&mut self.places),
        });
        Ok(Some(()))
    }

    /// Returns the values of an array, with `count` values in each lane.
    ///
    /// # Errors
    /// If the disk fails, or the run is not what was written.
    ///
    /// # Panics
    /// If the array is not there, or in the open run.
    pub fn load<S: Narrow>(
        &self,
        vault: &Vault<'_>,
        place: usize,
        count: usize,
    ) -> Result<Vec<Vec<S>>> {
        let array = self.arrays[place]
            .as_ref()
            .expect("arrays are worked out before they are asked for");
        let blob = &self.closed[array.run].blob;
        array
            .lanes
            .iter()
            .map(|part| vault.load_part(blob, part.clone(), count))
            .collect()
    }

    /// Ensures that all runs are on the disk, and returns their records.
    ///
    /// # Errors
    /// If the disk fails.
    ///
    /// # Panics
    /// If there is no disk.
    pub fn record(&mut self, vault: &Vault<'_>) -> Result<Vec<RunRecord>> {
        self.close(vault)?.expect("there is a disk");
        let arrays = &self.arrays;
        let record = |run: &mut ClosedRun| {
            let here = run.places.iter().flat_map(|place| &arrays[*place as usize]);
            let lens = here
                .flat_map(|array| &array.lanes)
                .map(|part| part.len() as u32)
                .collect();
            Ok(RunRecord {
                file: vault.record(&mut run.blob)?,
                places: run.places.clone(),
                lens,
            })
        };
        self.closed.iter_mut().map(record).collect()
    }

    /// Restores the arrays of an earlier session whose runs are intact; also returns the number of
    /// damaged runs.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn restore(self, records: Vec<RunRecord>, vault: &Vault<'_>) -> Result<(Self, usize)> {
        let mut runs = self;
        let mut lost = 0;
        for RunRecord { file, places, lens } in records {
            let Some(blob) = vault.restore(file)? else {
                vault.discard(Blob::from(file))?;
                lost += 1;
                continue;
            };
            let mut end = 0;
            let lanes = lens.len() / places.len();
            for (place, lens) in places.iter().zip(lens.chunks(lanes)) {
                let part = |len: &u32| {
                    end += *len as usize;
                    end - *len as usize..end
                };
                let lanes = lens.iter().map(part).collect();
                runs.arrays[*place as usize] = Some(Array {
                    run: runs.closed.len(),
                    lanes,
                });
            }
            runs.closed.push(ClosedRun { blob, places });
        }
        Ok((runs, lost))
    }

    /// Discards the arrays.
    ///
    /// # Errors
    /// If their files cannot be removed.
    pub fn discard(self, vault: &Vault<'_>) -> Result<()> {
        self.closed
            .into_iter()
            .try_for_each(|run| vault.discard(run.blob))
    }
}

impl RunRecord {
    /// Returns `true` if the record can belong to a layer with so many arrays, each with so many
    /// lanes.
    pub fn is_sound(&self, arrays: usize, lanes: usize) -> bool {
        let bytes = self
            .lens
            .iter()
            .fold(0_u64, |sum, len| sum.saturating_add(u64::from(*len)));
        !self.places.is_empty()
            && self.lens.len() == self.places.len() * lanes
            && self.places.iter().all(|place| (*place as usize) < arrays)
            && bytes == self.file.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests arrays in one run, or in many, in any order.
    #[test]
    fn arrays_come_back_as_they_were() {
        let vault = Vault::in_memory(1 << 20);
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
                let lanes = array(place).map(|lane| vault.pack_part(&lane));
                runs.push(place, &lanes);
                if runs.is_full() {
                    runs.close(&vault)
                        .expect("no disk fails")
                        .expect("there is room");
                }
            }
            runs.close(&vault)
                .expect("no disk fails")
                .expect("there is room");
            assert!(!runs.has(4) && runs.has(5));
            for place in (0..20).filter(|place| *place != 4) {
                let found: Vec<Vec<u16>> = runs
                    .load(&vault, place, place * 7)
                    .expect("it is in memory");
                assert_eq!(found, array(place), "{place} of runs of {most} bytes");
            }
            runs.discard(&vault).expect("no disk fails");
            assert_eq!(vault.held(), 0);
        }
    }
}
