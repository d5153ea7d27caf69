//! Tables: each is written once, packed, in memory or as files of its own on the disk, so that
//! several processes can write tables of the same work and read each other's.
//!
//! A table has parts, and part 0 is written last: a table is there if that part is. A file begins
//! with a checksum of its contents, its name and the work, so that no file is taken for another.
//! All processes write the same contents for a table, and files are replaced at once.
//!
//! The number of a table says what it contains, or tables are numbered as they come; then a
//! [state](SavedState) in the manifest says what they contain.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::checkpoint::SavedState;
use super::codec::most_packed;
use super::{Checkpoint, CodecPool, StoredWork};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::watch::{Content, Context, Disk};

/// The number of bytes of the checksum of a file.
const HEAD: usize = 8;

/// A part of a table: the number of the table, and that of the part.
type TablePart = (usize, usize);

/// A part of a table that is in memory.
#[derive(Debug)]
struct PackedPart {
    bytes: Arc<[u8]>,
    /// `true` if it is on the disk too.
    is_written: bool,
}

/// The tables of a piece of work.
#[derive(Debug, Default)]
pub struct Tables<'a> {
    checkpoint: Option<Checkpoint<'a>>,
    /// The parts in memory, the greatest number of bytes that they take, and the number that they
    /// take now.
    packed: Mutex<BTreeMap<TablePart, PackedPart>>,
    room: u64,
    held: AtomicU64,
    codecs: CodecPool,
    /// The number of the next table, of those that are numbered as they come.
    next: AtomicUsize,
    /// The first number that the state on the disk does not know.
    unsaved: AtomicUsize,
    /// `true` if the folder contains a manifest.
    is_begun: AtomicBool,
    /// `true` if there were tables of another process or an earlier one.
    is_resumed: AtomicBool,
    /// `true` if a damaged file was found.
    is_damaged: AtomicBool,
}

impl<'a> Tables<'a> {
    /// Opens the folder of a piece of work. If no other process uses it, everything in it that does
    /// not belong to the work is removed, which is all of it if the manifest is damaged. All
    /// tables are on the disk.
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

    /// Opens the folder of a piece of work, if there is a disk for this process alone, and returns
    /// the state from which it is resumed, as [`Checkpoint::open`] does.
    ///
    /// # Errors
    /// If the disk fails, or the folder contains other work.
    pub fn resumed<S: SavedState>(
        context: &'a Context<'a>,
        work: StoredWork,
        room: u64,
        is_sound: impl FnOnce(&S) -> bool,
    ) -> Result<(Self, Option<S>)> {
        let Some(disk) = context.own_disk() else {
            return Ok((Self::of_room(room), None));
        };
        let (checkpoint, state) = Checkpoint::open(disk, work, is_sound)?;
        // Numbers continue after those in use, so no file of the saved state is overwritten.
        let numbers = state.iter().flat_map(SavedState::tables);
        let next = numbers.max().map_or(0, |last| last + 1);
        let tables = Self {
            checkpoint: Some(checkpoint),
            next: next.into(),
            unsaved: next.into(),
            is_resumed: state.is_some().into(),
            ..Self::of_room(room)
        };
        Ok((tables, state))
    }

    /// Creates tables in memory, of at most `room` bytes.
    pub fn of_room(room: u64) -> Self {
        Self {
            room,
            ..Self::default()
        }
    }

    /// Returns `true` if there is a disk.
    pub fn has_disk(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Returns the number of bytes in memory.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
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
            let parts = self.packed();
            return Ok(first_parts(parts.keys().copied()).collect());
        };
        let files = checkpoint.files()?;
        Ok(first_parts(files.iter().filter_map(|file| part_of(file))).collect())
    }

    /// Stores a part of a table: numbers of `size` bytes each, which may be in several runs. Returns
    /// `false` if there is neither room in memory nor a disk.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn store(&self, part: TablePart, size: usize, runs: &[&[u8]]) -> Result<bool> {
        self.codecs
            // A table that goes to the disk is written from the buffer, without a copy of its own.
            .with(|codec| self.put(part, Cow::Borrowed(codec.pack(size, runs))))
    }

    /// Stores numbers of `size` bytes each as the next table, and returns its number, as
    /// [`add`](Self::add) does.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn add_numbers(&self, size: usize, numbers: &[u8]) -> Result<Option<usize>> {
        let table = self.next.fetch_add(1, Ordering::Relaxed);
        Ok(self.store((table, 0), size, &[numbers])?.then_some(table))
    }

    /// Stores bytes as the next table, and returns its number; `None` if there is neither room in
    /// memory nor a disk.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn add(&self, bytes: Vec<u8>) -> Result<Option<usize>> {
        let table = self.next.fetch_add(1, Ordering::Relaxed);
        Ok(self.put((table, 0), Cow::Owned(bytes))?.then_some(table))
    }

    fn put(&self, part: TablePart, bytes: Cow<'_, [u8]>) -> Result<bool> {
        if self.takes(bytes.len()) {
            let bytes = bytes.into_owned().into();
            let is_written = false;
            self.packed().insert(part, PackedPart { bytes, is_written });
            return Ok(true);
        }
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(false);
        };
        write(checkpoint, part, &bytes).map(|()| true)
    }

    /// Takes room in memory for some bytes; returns `false` if there is none.
    fn takes(&self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        // Room is taken before it is compared, so two threads cannot both take the last of it.
        let takes = self
            .held
            .fetch_add(bytes, Ordering::Relaxed)
            .saturating_add(bytes)
            <= self.room;
        if !takes {
            self.held.fetch_sub(bytes, Ordering::Relaxed);
        }
        takes
    }

    /// Packs numbers for a part of a table that is read by itself: a checksum, and the compressed
    /// numbers.
    pub fn pack_range<T: Pod>(&self, numbers: &[T]) -> Vec<u8> {
        self.codecs.with(|codec| {
            let packed = codec.pack(size_of::<T>(), &[bytemuck::cast_slice(numbers)]);
            [&xxh3_64(packed).to_le_bytes(), packed].concat()
        })
    }

    /// Reads `count` numbers in a range of a table, to which [`pack_range`](Self::pack_range) has
    /// packed them.
    ///
    /// # Errors
    /// If its file cannot be read, or is not what was written.
    pub fn load_range<T: Pod>(
        &self,
        table: usize,
        range: Range<usize>,
        count: usize,
    ) -> Result<Vec<T>> {
        let unpack = |bytes: &[u8]| {
            let (sum, packed) = bytes.split_first_chunk()?;
            (u64::from_le_bytes(*sum) == xxh3_64(packed)).then_some(())?;
            self.codecs.with(|codec| codec.unpack(packed, count))
        };
        let numbers = match (self.in_memory((table, 0)), &self.checkpoint) {
            (Some(bytes), _) => unpack(&bytes[range]),
            (None, None) => None,
            (None, Some(checkpoint)) => {
                // The checksum of the whole file cannot be tested here, and the range has one of
                // its own.
                let range = range.start + HEAD..range.end + HEAD;
                match checkpoint.read_part(&name((table, 0)), range)? {
                    Content::Bytes(bytes) => unpack(&bytes),
                    Content::Absent | Content::Foreign => None,
                }
            }
        };
        numbers.ok_or_else(|| self.lost(table))
    }

    /// Reads a part of a table, which has `count` numbers.
    ///
    /// # Errors
    /// If its file cannot be read, or is not what was written.
    pub fn load<T: Pod>(&self, part: TablePart, count: usize) -> Result<Vec<T>> {
        let mut numbers = vec![T::zeroed(); count];
        let run = bytemuck::cast_slice_mut(&mut numbers);
        self.load_into(part, size_of::<T>(), &mut [run])?;
        Ok(numbers)
    }

    /// Reads a part of a table, numbers of `size` bytes each, to several runs, one after another.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_into(&self, part: TablePart, size: usize, runs: &mut [&mut [u8]]) -> Result<()> {
        let bytes = runs.iter().map(|run| run.len()).sum();
        let mut unpack = |packed: &[u8]| {
            self.codecs
                .with(|codec| codec.unpack_into(packed, size, runs))
        };
        let unpacked = match self.in_memory(part) {
            Some(packed) => unpack(&packed),
            None => self
                .read(part, most_packed(bytes, size))?
                .and_then(|bytes| unpack(&bytes[HEAD..])),
        };
        unpacked.ok_or_else(|| self.lost(part.0))
    }

    /// Reads the file of a part, of at most `most` bytes besides the checksum; returns `None` if it
    /// is missing, or is not what was written.
    fn read(&self, part: TablePart, most: u64) -> Result<Option<Vec<u8>>> {
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(None);
        };
        let name = name(part);
        let content = checkpoint.read(&name, most.saturating_add(HEAD as u64))?;
        let Content::Bytes(bytes) = content else {
            return Ok(None);
        };
        let is_whole = bytes.split_first_chunk().is_some_and(|(sum, packed)| {
            u64::from_le_bytes(*sum) == checksum(checkpoint, &name, packed)
        });
        Ok(is_whole.then_some(bytes))
    }

    /// Reads a table of an earlier process, of `bytes` bytes, into memory if there is room. Returns
    /// `false` if it is missing or is not what was written; then it is removed.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn restore(&self, table: usize, bytes: usize) -> Result<bool> {
        let whole = self.read((table, 0), bytes as u64)?;
        let Some(mut whole) = whole.filter(|whole| whole.len() == HEAD + bytes) else {
            self.remove(table, 1)?;
            return Ok(false);
        };
        if self.takes(bytes) {
            let packed = PackedPart {
                bytes: whole.split_off(HEAD).into(),
                is_written: true,
            };
            self.packed().insert((table, 0), packed);
        }
        Ok(true)
    }

    /// Removes a table of `parts` parts, its first part first; its files are kept until the next
    /// [`save`](Self::save) if the state on the disk knows it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn remove(&self, table: usize, parts: usize) -> Result<()> {
        (0..parts).try_for_each(|part| {
            let removed = self.packed().remove(&(table, part));
            if let Some(PackedPart { bytes, is_written }) = removed {
                self.held.fetch_sub(bytes.len() as u64, Ordering::Relaxed);
                if !is_written {
                    return Ok(());
                }
            }
            match &self.checkpoint {
                // The state on the disk does not name this table, so its files are not needed for
                // resuming.
                Some(checkpoint) if table >= self.unsaved.load(Ordering::Relaxed) => {
                    checkpoint.remove(&name((table, part)))
                }
                _ => Ok(()),
            }
        })
    }

    /// Writes the tables of a state that are only in memory, and the state; the other tables on the
    /// disk are removed.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn save(&self, state: &impl SavedState) -> Result<()> {
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(());
        };
        let tables: BTreeSet<usize> = state.tables().into_iter().collect();
        let mut packed = self.packed();
        for (part, packed) in packed.iter_mut() {
            // Tables that the state does not name may stay in memory only.
            if !packed.is_written && tables.contains(&part.0) {
                write(checkpoint, *part, &packed.bytes)?;
                packed.is_written = true;
            }
        }
        drop(packed);
        // Files of the former state are removed only once the new one is on the disk.
        checkpoint.save(state)?;
        self.is_begun.store(true, Ordering::Relaxed);
        self.unsaved
            .store(self.next.load(Ordering::Relaxed), Ordering::Relaxed);
        let others = checkpoint.files()?;
        let is_other = |file: &&String| part_of(file).is_some_and(|part| !tables.contains(&part.0));
        let mut others = others.iter().filter(is_other);
        others.try_for_each(|file| checkpoint.remove(file))
    }

    /// Removes all tables, so that the work begins anew.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn clear(&self) -> Result<()> {
        self.checkpoint.as_ref().map_or(Ok(()), Checkpoint::clear)?;
        self.packed().clear();
        self.held.store(0, Ordering::Relaxed);
        self.unsaved.store(0, Ordering::Relaxed);
        for is_so in [&self.is_begun, &self.is_resumed, &self.is_damaged] {
            is_so.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Builds the diagnostic of a table that is not what was written, and removes the table, so
    /// that it is computed again.
    ///
    /// # Panics
    /// If there is no disk: data in memory is not damaged.
    pub fn lost(&self, table: usize) -> Box<Diagnostic> {
        let harmed = self.harmed(&format!(
            "table {table} is missing or is not what was written"
        ));
        self.remove(table, 1).err().unwrap_or(harmed)
    }

    /// Builds the diagnostic of tables that cannot have been written;
    /// [`is_damaged`](Self::is_damaged) returns `true` from then on.
    ///
    /// # Panics
    /// If there is no disk: data in memory is not damaged.
    pub fn harmed(&self, what: &str) -> Box<Diagnostic> {
        assert!(self.checkpoint.is_some(), "only files can be damaged");
        self.is_damaged.store(true, Ordering::Relaxed);
        let message = format!("the checkpoint is damaged: {what}");
        Diagnostic::new(Code::Checkpoint, message)
            .note(self.words())
            .help(
                "ask again: the damaged files are removed, and their contents are worked out anew",
            )
            .into()
    }

    /// Builds the warning that the work begins anew, as its files are damaged.
    pub fn begun_anew(&self) -> Diagnostic {
        self.warning("the files of this work on the disk are damaged: it begins anew")
    }

    /// Builds the warning that this number of files are damaged, so that their contents are
    /// computed again, while the rest can be used.
    pub fn in_part_anew(&self, files: usize) -> Diagnostic {
        self.warning(&match files {
            1 => "a file of this work is damaged: its content is worked out anew".to_owned(),
            _ => format!(
                "{files} files of this work are damaged: their contents are worked out anew"
            ),
        })
    }

    fn warning(&self, what: &str) -> Diagnostic {
        Diagnostic::new(Code::DamagedCheckpoint, what).note(self.words())
    }

    /// Returns `true` if a damaged file was found.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Returns `true` if a damaged file was found, and has been removed, since this was last asked.
    pub fn has_lost_some(&self) -> bool {
        self.is_damaged.swap(false, Ordering::Relaxed)
    }

    /// Returns `true` if the work was resumed from tables of another process or an earlier one,
    /// whose contents cannot be relied upon.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed.load(Ordering::Relaxed)
    }

    /// Returns `true` if files may be the cause of an error: one is damaged, or values that were
    /// read do not follow from each other.
    pub fn is_to_blame(&self, error: &Diagnostic) -> bool {
        // Values that this process computed and checked itself are not the cause.
        self.is_damaged() || self.is_resumed() && error.code == Code::Internal
    }

    /// Returns `true` if the folder had a manifest but it was damaged, so that the work begins
    /// anew.
    pub fn has_damaged_manifest(&self) -> bool {
        let checkpoint = self.checkpoint.as_ref();
        checkpoint.is_some_and(Checkpoint::is_damaged)
    }

    /// Returns a part that is in memory.
    fn in_memory(&self, part: TablePart) -> Option<Arc<[u8]>> {
        let packed = self.packed();
        packed.get(&part).map(|packed| Arc::clone(&packed.bytes))
    }

    fn packed(&self) -> MutexGuard<'_, BTreeMap<TablePart, PackedPart>> {
        self.packed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the tables whose first part is among these.
fn first_parts(parts: impl Iterator<Item = TablePart>) -> impl Iterator<Item = usize> {
    parts.filter(|(_, part)| *part == 0).map(|(table, _)| table)
}

fn name((table, part): TablePart) -> String {
    format!("{table:010}-{part:03}.blob")
}

/// Returns the part that a file of this name contains, if it is the name of one.
pub(super) fn part_of(file: &str) -> Option<TablePart> {
    let (table, part) = file.strip_suffix(".blob")?.split_once('-')?;
    let part = (table.parse().ok()?, part.parse().ok()?);
    // Several spellings of a number can be parsed, but only one of them is a name.
    (name(part) == file).then_some(part)
}

fn write(checkpoint: &Checkpoint<'_>, part: TablePart, bytes: &[u8]) -> Result<()> {
    let name = name(part);
    let sum = checksum(checkpoint, &name, bytes).to_le_bytes();
    checkpoint.write(&name, &[&sum, bytes].concat())
}

fn checksum(checkpoint: &Checkpoint<'_>, name: &str, packed: &[u8]) -> u64 {
    // The seed contains the work and the name, so a file that was moved or renamed is not accepted.
    let identity = xxh3_64(checkpoint.work.identity.as_bytes());
    xxh3_64_with_seed(packed, xxh3_64_with_seed(name.as_bytes(), identity))
}
