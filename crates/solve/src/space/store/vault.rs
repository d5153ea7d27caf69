//! Blobs: runs of bytes that are written once, kept in memory while there is room and on the disk
//! otherwise.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::codec::most_packed;
use super::{Checkpoint, CodecPool, Saved, damaged};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::watch::Content;

/// Bytes in memory, on the disk, or both.
#[derive(Debug)]
pub struct Blob {
    bytes: Option<Box<[u8]>>,
    record: Option<Record>,
}

/// A blob on the disk, as recorded in a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The number in its name.
    pub file: u64,
    len: u64,
    check: u64,
}

impl Record {
    /// Returns the number of bytes.
    pub fn size(&self) -> u64 {
        self.len
    }

    /// Returns the name of the blob's file.
    pub fn name(&self) -> String {
        name(self.file)
    }
}

fn name(file: u64) -> String {
    format!("{file:010}.blob")
}

impl From<Record> for Blob {
    fn from(record: Record) -> Self {
        Self {
            bytes: None,
            record: Some(record),
        }
    }
}

/// A store of blobs, with at most `room` bytes of them in memory, the others on the disk, if there
/// is one.
#[derive(Debug)]
pub struct Vault<'a> {
    checkpoint: Option<Checkpoint<'a>>,
    room: u64,
    held: AtomicU64,
    next: AtomicU64,
    /// The numbers of files that are no longer needed but named by the last manifest.
    retired: Mutex<Vec<u64>>,
    /// The first file number that the last manifest does not name.
    unsaved: AtomicU64,
    codecs: CodecPool,
    /// `true` if a damaged file was found.
    damaged: AtomicBool,
    /// `true` if the work was resumed from files of an earlier session.
    resumed: bool,
}

impl<'a> Vault<'a> {
    /// Creates a vault; `reached` is the state from which the work is resumed, if it is.
    pub fn new<S: Saved>(
        checkpoint: Option<Checkpoint<'a>>,
        room: u64,
        reached: Option<&S>,
    ) -> Self {
        let files = reached
            .into_iter()
            .flat_map(Saved::records)
            .map(|record| record.file + 1);
        Self::with_next(
            checkpoint,
            room,
            files.max().unwrap_or(0),
            reached.is_some(),
        )
    }

    /// Creates a vault in memory.
    pub fn in_memory(room: u64) -> Self {
        Self::with_next(None, room, 0, false)
    }

    /// Creates a vault; `next` is the first unused file number.
    fn with_next(checkpoint: Option<Checkpoint<'a>>, room: u64, next: u64, resumed: bool) -> Self {
        Self {
            checkpoint,
            room,
            held: AtomicU64::new(0),
            next: AtomicU64::new(next),
            retired: Mutex::default(),
            unsaved: AtomicU64::new(next),
            codecs: CodecPool::default(),
            damaged: AtomicBool::new(false),
            resumed,
        }
    }

    /// Returns `true` if there is a disk.
    pub fn has_disk(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Builds the warning that the work begins anew, as its files are damaged.
    pub fn begun_anew(&self) -> Diagnostic {
        self.warning(
            "what was left of this work on the disk is not what was written: it begins anew",
        )
    }

    /// Builds the warning that this number of files are damaged, so that their contents are
    /// computed again, while the rest can be used.
    pub fn in_part_anew(&self, files: usize) -> Diagnostic {
        self.warning(&format!(
            "what {files} of the files of this work held is not what was written: it is worked out anew"
        ))
    }

    fn warning(&self, what: &str) -> Diagnostic {
        let warning = Diagnostic::new(Code::DamagedCheckpoint, what);
        let Some(checkpoint) = &self.checkpoint else {
            return warning;
        };
        warning.note(format!(
            "the folder is {}",
            checkpoint.disk.name(&checkpoint.folder)
        ))
    }

    /// Returns `true` if the work was resumed from files of an earlier session, whose contents
    /// cannot be relied upon.
    pub fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Stores bytes; returns `None` if there is neither room in memory nor a disk.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn put(&self, bytes: Vec<u8>) -> Result<Option<Blob>> {
        let len = bytes.len() as u64;
        if self.held.fetch_add(len, Ordering::Relaxed) + len <= self.room {
            return Ok(Some(Blob {
                bytes: Some(bytes.into()),
                record: None,
            }));
        }
        self.held.fetch_sub(len, Ordering::Relaxed);
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(None);
        };
        Ok(Some(self.write(checkpoint, &bytes)?.into()))
    }

    /// Stores numbers, as [`put`](Self::put) does.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn put_numbers<T: Pod>(&self, numbers: &[T]) -> Result<Option<Blob>> {
        self.put_packed(size_of::<T>(), bytemuck::cast_slice(numbers))
    }

    /// Stores numbers of `size` bytes each, as [`put_numbers`](Self::put_numbers) does.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn put_packed(&self, size: usize, numbers: &[u8]) -> Result<Option<Blob>> {
        self.put(self.packed(size, numbers))
    }

    fn packed(&self, size: usize, numbers: &[u8]) -> Vec<u8> {
        self.codecs
            .with(|scratch| scratch.pack(size, &[numbers]).to_vec())
    }

    /// Packs numbers as a part of a blob: a checksum and the compressed numbers.
    pub fn pack_part<T: Pod>(&self, numbers: &[T]) -> Vec<u8> {
        let packed = self.packed(size_of::<T>(), bytemuck::cast_slice(numbers));
        [&xxh3_64(&packed).to_le_bytes(), packed.as_slice()].concat()
    }

    /// Reads the numbers, `count` of them, in a part of a blob.
    ///
    /// # Errors
    /// If its file cannot be read, or is not what was written.
    pub fn load_part<T: Pod>(
        &self,
        blob: &Blob,
        part: Range<usize>,
        count: usize,
    ) -> Result<Vec<T>> {
        let bytes = match (&blob.bytes, &blob.record, &self.checkpoint) {
            (Some(bytes), _, _) => Cow::Borrowed(&bytes[part]),
            (None, Some(record), Some(checkpoint)) => {
                Cow::Owned(self.read_part(checkpoint, record, part)?)
            }
            (None, _, _) => unreachable!("a blob is in memory or on the disk"),
        };
        let packed = bytes
            .split_first_chunk()
            .filter(|(sum, packed)| u64::from_le_bytes(**sum) == xxh3_64(packed));
        let unpacked = packed
            .and_then(|(_, packed)| self.codecs.with(|scratch| scratch.unpack(packed, count)));
        match (unpacked, &blob.record) {
            (Some(numbers), _) => Ok(numbers),
            (None, Some(record)) => {
                Err(self.harmed(&format!("{} is not what was written", record.name())))
            }
            (None, None) => unreachable!("what was packed in memory can be unpacked"),
        }
    }

    fn read_part(
        &self,
        checkpoint: &Checkpoint<'_>,
        record: &Record,
        part: Range<usize>,
    ) -> Result<Vec<u8>> {
        match checkpoint.read_part(&record.name(), part)? {
            Content::Bytes(bytes) => Ok(bytes),
            Content::Absent | Content::Foreign => {
                Err(self.harmed(&format!("{} is not what was written", record.name())))
            }
        }
    }

    /// Restores a blob of an earlier session, in memory if there is room; returns `None` if its
    /// file is missing or damaged.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn restore(&self, record: Record) -> Result<Option<Blob>> {
        let Some(checkpoint) = &self.checkpoint else {
            return Ok(None);
        };
        let Content::Bytes(bytes) = checkpoint.read(&record.name(), record.len)? else {
            return Ok(None);
        };
        if bytes.len() as u64 != record.len || xxh3_64(&bytes) != record.check {
            return Ok(None);
        }
        let kept = self.held.fetch_add(record.len, Ordering::Relaxed) + record.len <= self.room;
        if !kept {
            self.held.fetch_sub(record.len, Ordering::Relaxed);
        }
        Ok(Some(Blob {
            bytes: kept.then(|| bytes.into()),
            record: Some(record),
        }))
    }

    /// Returns the number of bytes in memory.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// Reads the numbers of a blob, `count` of them.
    ///
    /// # Errors
    /// If its file cannot be read, or is not what was written.
    pub fn load<T: Pod>(&self, blob: &Blob, count: usize) -> Result<Vec<T>> {
        let bytes = self.bytes(blob, size_of::<T>(), count)?;
        self.intact(self.codecs.with(|codec| codec.unpack(&bytes, count)))
    }

    /// Reads the numbers of a blob, `count` of them, of `size` bytes each.
    ///
    /// # Errors
    /// If its file cannot be read, or is not what was written.
    pub fn load_bytes(&self, blob: &Blob, size: usize, count: usize) -> Result<Vec<u8>> {
        let bytes = self.bytes(blob, size, count)?;
        self.intact(
            self.codecs
                .with(|codec| codec.unpack_bytes(&bytes, size, count)),
        )
    }

    /// Returns numbers if they were unpacked.
    fn intact<T>(&self, unpacked: Option<Vec<T>>) -> Result<Vec<T>> {
        match (unpacked, &self.checkpoint) {
            (Some(unpacked), _) => Ok(unpacked),
            (None, Some(_)) => Err(self.harmed("a table is not of the size it should have")),
            (None, None) => unreachable!("what was packed in memory can be unpacked"),
        }
    }

    /// Returns the bytes of a blob to which `count` numbers of `size` bytes each are packed.
    fn bytes<'b>(&self, blob: &'b Blob, size: usize, count: usize) -> Result<Cow<'b, [u8]>> {
        let most = most_packed(count.saturating_mul(size), size);
        match (&blob.bytes, &blob.record, &self.checkpoint) {
            (Some(bytes), _, _) => Ok(Cow::Borrowed(bytes)),
            (None, Some(record), Some(checkpoint)) => {
                self.read(checkpoint, record, most).map(Cow::Owned)
            }
            (None, _, _) => unreachable!("a blob is in memory or on the disk"),
        }
    }

    /// Discards a blob.
    ///
    /// # Errors
    /// If its file cannot be removed.
    pub fn discard(&self, blob: Blob) -> Result<()> {
        if let Some(bytes) = blob.bytes {
            self.held.fetch_sub(bytes.len() as u64, Ordering::Relaxed);
        }
        let (Some(record), Some(checkpoint)) = (blob.record, &self.checkpoint) else {
            return Ok(());
        };
        if record.file >= self.unsaved.load(Ordering::Relaxed) {
            return checkpoint.remove(&record.name());
        }
        self.retired
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(record.file);
        Ok(())
    }

    /// Ensures that a blob is on the disk, and returns its record for a manifest.
    ///
    /// # Errors
    /// If the disk fails.
    ///
    /// # Panics
    /// If there is no disk.
    pub fn record(&self, blob: &mut Blob) -> Result<Record> {
        if let Some(record) = blob.record {
            return Ok(record);
        }
        let checkpoint = self
            .checkpoint
            .as_ref()
            .expect("manifests are made where there is a disk");
        let bytes = blob
            .bytes
            .as_ref()
            .expect("a blob is in memory or on the disk");
        let record = self.write(checkpoint, bytes)?;
        blob.record = Some(record);
        Ok(record)
    }

    /// Saves a state to resume from; all of its blobs must have a record.
    ///
    /// # Errors
    /// If the disk fails.
    ///
    /// # Panics
    /// If there is no disk.
    pub fn save<S: Serialize>(&self, state: &S) -> Result<()> {
        let checkpoint = self
            .checkpoint
            .as_ref()
            .expect("manifests are made where there is a disk");
        checkpoint.save(state)?;
        self.unsaved
            .store(self.next.load(Ordering::Relaxed), Ordering::Relaxed);
        let retired =
            std::mem::take(&mut *self.retired.lock().unwrap_or_else(PoisonError::into_inner));
        retired
            .into_iter()
            .try_for_each(|file| checkpoint.remove(&name(file)))
    }

    fn write(&self, checkpoint: &Checkpoint<'_>, bytes: &[u8]) -> Result<Record> {
        let file = self.next.fetch_add(1, Ordering::Relaxed);
        let record = Record {
            file,
            len: bytes.len() as u64,
            check: xxh3_64(bytes),
        };
        checkpoint.write(&record.name(), bytes)?;
        Ok(record)
    }

    fn read(&self, checkpoint: &Checkpoint<'_>, record: &Record, most: u64) -> Result<Vec<u8>> {
        let name = record.name();
        if record.len > most {
            return Err(self.harmed(&format!("{name} is longer than its table can be")));
        }
        match checkpoint.read(&name, record.len)? {
            Content::Bytes(bytes)
                if bytes.len() as u64 == record.len && xxh3_64(&bytes) == record.check =>
            {
                Ok(bytes)
            }
            Content::Bytes(_) | Content::Foreign => {
                Err(self.harmed(&format!("{name} is not what was written")))
            }
            Content::Absent => Err(self.harmed(&format!("{name} is missing"))),
        }
    }

    /// Builds the diagnostic of data that cannot have been written;
    /// [`is_damaged`](Self::is_damaged) returns `true` from then on.
    ///
    /// # Panics
    /// If there is no disk: data in memory is not damaged.
    pub fn harmed(&self, what: &str) -> Box<Diagnostic> {
        let checkpoint = self.checkpoint.as_ref().expect("only files can be damaged");
        self.damaged.store(true, Ordering::Relaxed);
        damaged(checkpoint.disk, &checkpoint.folder, what)
    }

    /// Returns `true` if a damaged file was found, so that the work must begin anew.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Returns `true` if files may be the cause of an error: one is damaged, or values that were
    /// read do not follow from each other.
    pub fn is_to_blame(&self, error: &Diagnostic) -> bool {
        self.is_damaged() || self.resumed && error.code == Code::Internal
    }

    /// Clears the folder, so that the work begins anew.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn clear(&self) -> Result<()> {
        self.checkpoint.as_ref().map_or(Ok(()), Checkpoint::clear)?;
        self.unsaved.store(0, Ordering::Relaxed);
        self.retired
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.damaged.store(false, Ordering::Relaxed);
        Ok(())
    }
}
