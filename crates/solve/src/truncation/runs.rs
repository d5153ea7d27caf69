//! The packed arrays of a layer, one after another in a few long *runs*: in memory each is a blob,
//! on the disk a file.
//!
//! A file for each array would be tens of thousands of them, and what a disk takes for a file is
//! more than what it takes to work out the array. Each array has its checksum in the run, as arrays
//! are read one by one, and each run has one of its own in the record, by which all of it is looked
//! at before the work goes on.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::number::Narrow;
use crate::diagnostic::Result;
use crate::store::{Blob, Record, Vault};

/// What lanes of an array take in their run: where each begins and ends.
type LaneRanges = SmallVec<[Range<usize>; 2]>;

/// The packed arrays of a layer.
#[derive(Debug)]
pub struct Runs {
    /// By place in the layer, if the array is there.
    arrays: Vec<Option<Array>>,
    /// Those that are written to no more.
    closed: Vec<ClosedRun>,
    /// The one that is written to.
    open: Vec<u8>,
    /// Which arrays stand in it.
    places: Vec<u32>,
    /// How long runs become.
    most: usize,
}

/// Where an array stands.
#[derive(Debug, Clone)]
struct Array {
    run: usize,
    lanes: LaneRanges,
}

/// A run that is written to no more.
#[derive(Debug)]
struct ClosedRun {
    blob: Blob,
    /// Which arrays stand in it, in order.
    places: Vec<u32>,
}

/// A run on the disk, as a manifest names it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// Its file.
    pub file: Record,
    /// Which arrays of the layer stand in it, in order.
    pub places: Vec<u32>,
    /// How long they are, lane by lane.
    lens: Vec<u32>,
}

impl Runs {
    /// Room for so many arrays, in runs of about so many bytes.
    pub fn new(arrays: usize, most: usize) -> Self {
        Self {
            arrays: vec![None; arrays],
            closed: Vec::new(),
            open: Vec::new(),
            places: Vec::new(),
            most,
        }
    }

    /// Whether an array is there.
    pub fn has(&self, place: usize) -> bool {
        self.arrays[place].is_some()
    }

    /// Adds an array, by lane.
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

    /// Whether the run that is written to is as long as they become.
    pub fn is_full(&self) -> bool {
        self.open.len() >= self.most
    }

    /// Writes no more to the open run; `None` if there is no room for it.
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

    /// The values of an array, of which there are so many in each lane.
    ///
    /// # Errors
    /// If the disk fails, or the run is not what was written.
    ///
    /// # Panics
    /// If it is not there, or in the open run.
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

    /// Sees to it that all are on the disk.
    ///
    /// # Errors
    /// If the disk fails.
    ///
    /// # Panics
    /// If there is none.
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

    /// The arrays of another time, as far as their runs are what was written; and how many runs are
    /// not.
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

    /// Lets them go.
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
    /// Whether it is one of a layer with so many arrays, each with so many lanes.
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

    /// In one run, or in many, in any order.
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
