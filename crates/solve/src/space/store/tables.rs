//! Tables: each is written once, packed, in memory or as files of its own on the disk, so that
//! several processes can write tables of the same work and read each other's.
//!
//! A table has parts, and part 0 is written last: a table is there if that part is. A file begins
//! with a checksum of its contents, its name and the work, so that no file is taken for another.
//! All processes write the same contents for a table, and files are replaced at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::codec::most_packed;
use super::{Checkpoint, CodecPool, StoredWork};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::watch::{Content, Disk};

/// The number of bytes of the checksum of a file.
const HEAD: usize = 8;

/// A part of a table: the number of the table, and that of the part.
type Part = (usize, usize);

/// The tables of a piece of work.
#[derive(Debug, Default)]
pub struct Tables<'a> {
    checkpoint: Option<Checkpoint<'a>>,
    /// The packed parts in memory, if there is no disk.
    packed: Mutex<BTreeMap<Part, Box<[u8]>>>,
    codecs: CodecPool,
    /// `true` if the folder contains a manifest.
    is_begun: AtomicBool,
    /// `true` if there were tables of another process or an earlier one.
    is_resumed: AtomicBool,
    /// `true` if a damaged file was found since this was last asked.
    is_damaged: AtomicBool,
}

impl<'a> Tables<'a> {
    /// Opens the folder of a piece of work. If no other process uses it, everything in it that does
    /// not belong to the work is removed, which is all of it if the manifest is damaged.
    ///
    /// # Errors
    /// If the disk fails, or the folder contains other work.
    pub fn on_disk(disk: &'a dyn Disk, work: StoredWork) -> Result<Self> {
        let (checkpoint, is_begun) = Checkpoint::of_tables(disk, work)?;
        let tables = Self {
            checkpoint: Some(checkpoint),
            is_begun: is_begun.into(),
            ..Self::default()
        };
        let is_resumed = !tables.stored()?.is_empty();
        tables.is_resumed.store(is_resumed, Ordering::Relaxed);
        Ok(tables)
    }

    /// Returns the folder, if there is a disk.
    pub fn folder(&self) -> Option<&str> {
        Some(&self.checkpoint.as_ref()?.folder)
    }

    /// Says where the tables are, for messages.
    pub fn words(&self) -> String {
        let name = self.checkpoint.as_ref().map(Checkpoint::name);
        format!("the folder is {}", name.unwrap_or_default())
    }

    /// Returns `true` if the folder contains a manifest, so that there may be tables in it.
    pub fn is_begun(&self) -> bool {
        self.is_begun.load(Ordering::Relaxed)
    }

    /// Writes the manifest, if there is a disk and no manifest on it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn begin(&self) -> Result<()> {
        match &self.checkpoint {
            Some(checkpoint) if !self.is_begun.swap(true, Ordering::Relaxed) => {
                checkpoint.save(&())
            }
            _ => Ok(()),
        }
    }

    /// Makes the tables that have been written durable.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync(&self) -> Result<()> {
        self.checkpoint.as_ref().map_or(Ok(()), Checkpoint::sync)
    }

    /// Returns the tables on the disk, or packed in memory.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn stored(&self) -> Result<BTreeSet<usize>> {
        let Some(checkpoint) = &self.checkpoint else {
            let first = |(table, part): &Part| (*part == 0).then_some(*table);
            return Ok(self.packed().keys().filter_map(first).collect());
        };
        let files = checkpoint.files()?;
        let first = |file: &String| part_of(file).filter(|(_, part)| *part == 0);
        Ok(files
            .iter()
            .filter_map(first)
            .map(|(table, _)| table)
            .collect())
    }

    /// Stores a part of a table: numbers of `size` bytes each, which may be in several runs.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn store(&self, part: Part, size: usize, runs: &[&[u8]]) -> Result<()> {
        self.begin()?;
        self.codecs.with(|codec| {
            let packed = codec.pack(size, runs);
            let Some(checkpoint) = &self.checkpoint else {
                self.packed().insert(part, packed.into());
                return Ok(());
            };
            let name = name(part);
            let sum = checksum(checkpoint, &name, packed).to_le_bytes();
            checkpoint.write(&name, &[&sum, packed].concat())
        })
    }

    /// Reads a part of a table, which has `count` numbers.
    ///
    /// # Errors
    /// If its file cannot be read, or is not what was written.
    pub fn load<T: Pod>(&self, part: Part, count: usize) -> Result<Vec<T>> {
        let size = size_of::<T>();
        let most = most_packed(count.saturating_mul(size), size);
        let numbers = self.unpacked(part, most, |packed| {
            self.codecs.with(|codec| codec.unpack(packed, count))
        })?;
        numbers.ok_or_else(|| self.harmed(part.0))
    }

    /// Reads a part of a table, numbers of `size` bytes each, to several runs, one after another.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_into(&self, part: Part, size: usize, runs: &mut [&mut [u8]]) -> Result<()> {
        let most = most_packed(runs.iter().map(|run| run.len()).sum(), size);
        let numbers = self.unpacked(part, most, |packed| {
            self.codecs
                .with(|codec| codec.unpack_into(packed, size, runs))
        })?;
        numbers.ok_or_else(|| self.harmed(part.0))
    }

    /// Unpacks a part, which has at most `most` bytes.
    fn unpacked<U>(
        &self,
        part: Part,
        most: u64,
        unpack: impl FnOnce(&[u8]) -> Option<U>,
    ) -> Result<Option<U>> {
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(self.packed().get(&part).and_then(|packed| unpack(packed)));
        };
        let name = name(part);
        let content = checkpoint.read(&name, most.saturating_add(HEAD as u64))?;
        let Content::Bytes(bytes) = content else {
            return Ok(None);
        };
        let whole = bytes.split_first_chunk().filter(|(sum, packed)| {
            u64::from_le_bytes(**sum) == checksum(checkpoint, &name, packed)
        });
        Ok(whole.and_then(|(_, packed)| unpack(packed)))
    }

    /// Removes a table of `parts` parts, its first part first.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn remove(&self, table: usize, parts: usize) -> Result<()> {
        (0..parts).try_for_each(|part| match &self.checkpoint {
            Some(checkpoint) => checkpoint.remove(&name((table, part))),
            None => {
                self.packed().remove(&(table, part));
                Ok(())
            }
        })
    }

    /// Builds the diagnostic of a table that is not what was written, and removes the table, so
    /// that it is computed again.
    ///
    /// # Panics
    /// If there is no disk: data in memory is not damaged.
    pub fn harmed(&self, table: usize) -> Box<Diagnostic> {
        assert!(self.checkpoint.is_some(), "only files can be damaged");
        self.is_damaged.store(true, Ordering::Relaxed);
        if let Err(failed) = self.remove(table, 1) {
            return failed;
        }
        let message = format!(
            "the checkpoint is damaged: table {table} is missing or is not what was written"
        );
        Diagnostic::new(Code::Checkpoint, message)
            .note(self.words())
            .help("ask again: it has been removed, and is worked out anew")
            .into()
    }

    /// Returns `true` if files may be the cause of an error, so that the work has to look at what
    /// is there again: one was damaged, and has been removed, or values that were read do not
    /// follow from each other; then all are removed.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn is_to_blame(&self, error: &Diagnostic) -> Result<bool> {
        if self.is_damaged.swap(false, Ordering::Relaxed) {
            return Ok(true);
        }
        let contradicts = error.code == Code::Internal;
        if !contradicts || !self.is_resumed.swap(false, Ordering::Relaxed) {
            return Ok(false);
        }
        self.checkpoint.as_ref().map_or(Ok(()), Checkpoint::clear)?;
        self.is_begun.store(false, Ordering::Relaxed);
        Ok(true)
    }

    fn packed(&self) -> MutexGuard<'_, BTreeMap<Part, Box<[u8]>>> {
        self.packed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name((table, part): Part) -> String {
    format!("{table:010}-{part:03}.blob")
}

/// Returns the part that a file of this name contains, if it is the name of one.
pub(super) fn part_of(file: &str) -> Option<Part> {
    let (table, part) = file.strip_suffix(".blob")?.split_once('-')?;
    let part = (table.parse().ok()?, part.parse().ok()?);
    (name(part) == file).then_some(part)
}

fn checksum(checkpoint: &Checkpoint<'_>, name: &str, packed: &[u8]) -> u64 {
    let identity = xxh3_64(checkpoint.work.identity.as_bytes());
    xxh3_64_with_seed(packed, xxh3_64_with_seed(name.as_bytes(), identity))
}
