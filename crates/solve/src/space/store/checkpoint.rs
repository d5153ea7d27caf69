//! The manifest, which records the state of a piece of work.

use std::collections::HashSet;
use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::tables::part_of;
use super::{StoredWork, damaged, failed};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::watch::{Content, Disk};

const MANIFEST: &str = "manifest";

/// The program that writes manifests: another version may number positions in another order. The
/// revision increases whenever tables written before must not be used any more; those of revision 1
/// could contain sums that had overflowed, those of revision 2 were not packed in pieces, those of sweeps of
/// revision 4 were named by a manifest, and those of other work of revision 5 were.
const PROGRAM: &str = concat!("bid ", env!("CARGO_PKG_VERSION"), ", tables of revision 6");

/// The greatest number of bytes of a manifest.
const LONGEST_MANIFEST: u64 = 1 << 28;

/// A state from which work can be resumed.
pub trait SavedState: Serialize + DeserializeOwned {
    /// Returns the numbers of its tables.
    fn tables(&self) -> Vec<usize>;
}

/// The contents of a manifest.
#[derive(Serialize, Deserialize)]
struct Manifest<S> {
    program: String,
    title: String,
    /// The work's identity: folders are named after a hash of it, and different texts can have the
    /// same hash.
    identity: String,
    state: S,
}

/// A manifest without the state, whose form is known only if everything else matches.
#[derive(Deserialize)]
struct Heading {
    program: String,
    title: String,
    identity: String,
}

/// The folder of a piece of work.
#[derive(Debug)]
pub struct Checkpoint<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) folder: String,
    pub(super) work: StoredWork,
    /// `true` if the folder had a damaged manifest.
    is_damaged: bool,
}

impl<'a> Checkpoint<'a> {
    fn new(disk: &'a dyn Disk, work: StoredWork) -> Self {
        Self {
            disk,
            folder: work.folder(),
            work,
            is_damaged: false,
        }
    }

    /// Opens the folder of a piece of work and returns the state to resume from; removes the files
    /// that do not belong to it, which are all files if the manifest is damaged. A state that is
    /// not sound counts as damaged too: a manifest can be made by hand, so `is_sound` must check
    /// all counts, numbers and references of a state before they are used.
    ///
    /// # Errors
    /// If the disk fails, or the folder contains other work.
    pub(super) fn open<S: SavedState>(
        disk: &'a dyn Disk,
        work: StoredWork,
        is_sound: impl FnOnce(&S) -> bool,
    ) -> Result<(Self, Option<S>)> {
        let mut checkpoint = Self::new(disk, work);
        let content = checkpoint.read(MANIFEST, LONGEST_MANIFEST)?;
        let state = checkpoint.manifest::<S>(&content)?;
        let state = state.filter(|state| are_distinct(state.tables()) && is_sound(state));
        // An absent manifest means new work, whereas an unreadable one is worth a warning.
        checkpoint.is_damaged = state.is_none() && content != Content::Absent;
        let tables = state.as_ref().map(SavedState::tables).unwrap_or_default();
        let tables: HashSet<usize> = tables.into_iter().collect();
        let is_named = |(table, part)| part == 0 && tables.contains(&table);
        let keeps = |file: &str| {
            state.is_some() && (file == MANIFEST || part_of(file).is_some_and(is_named))
        };
        checkpoint.clear_but(keeps)?;
        Ok((checkpoint, state))
    }

    /// Opens the folder of a piece of work that keeps tables; also returns whether it contains a
    /// manifest. If no other process uses the folder, the files that do not belong to the work are
    /// removed, which are all files if the manifest is damaged.
    ///
    /// # Errors
    /// If the disk fails, the folder contains other work, or the manifest of a folder that
    /// processes share is damaged.
    pub(super) fn of_tables(disk: &'a dyn Disk, work: StoredWork) -> Result<(Self, bool)> {
        let checkpoint = Self::new(disk, work);
        let content = checkpoint.read(MANIFEST, LONGEST_MANIFEST)?;
        let is_begun = checkpoint.manifest::<()>(&content)?.is_some();
        if disk.sharing().is_none() {
            let keeps = |file: &str| is_begun && (file == MANIFEST || part_of(file).is_some());
            checkpoint.clear_but(keeps)?;
        // Other processes may be using the files, so that damage must not be repaired by removing
        // them.
        } else if !is_begun && content != Content::Absent {
            let what = "its manifest is not what was written";
            return Err(damaged(disk, &checkpoint.folder, what));
        }
        Ok((checkpoint, is_begun))
    }

    /// Returns `true` if the folder had a manifest but it was damaged, so that the work begins
    /// anew.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Removes all files, the manifest first.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn clear(&self) -> Result<()> {
        // Without a manifest the tables are ignored, so an interruption here leaves nothing
        // half-removed.
        self.remove(MANIFEST)?;
        self.clear_but(|_| false)
    }

    /// Returns the names of the files.
    pub(super) fn files(&self) -> Result<Vec<String>> {
        let listed = self.disk.list(&self.folder);
        listed.map_err(|error| self.failed("the checkpoint cannot be read", &error))
    }

    fn clear_but(&self, keeps: impl Fn(&str) -> bool) -> Result<()> {
        self.files()?
            .iter()
            .filter(|file| !keeps(file))
            .try_for_each(|file| self.remove(file))
    }

    /// Returns the state in the manifest; `None` if there is no manifest or it is damaged.
    fn manifest<S: DeserializeOwned>(&self, content: &Content) -> Result<Option<S>> {
        let Content::Bytes(bytes) = content else {
            return Ok(None);
        };
        let Some(text) = checked(bytes) else {
            return Ok(None);
        };
        // The heading is read first: only if it matches does the state have the expected form.
        let Ok(heading) = serde_json::from_slice::<Heading>(text) else {
            return Ok(None);
        };
        let refused = |message: String| {
            let help = format!(
                "remove the folder {}, or choose another with `--checkpoint DIR`",
                self.name()
            );
            Err(Diagnostic::new(Code::Checkpoint, message).help(help).into())
        };
        if heading.program != PROGRAM {
            return refused(format!(
                "the checkpoint was made by {}, and this is {PROGRAM}",
                heading.program
            ));
        }
        // Different work with the same hash is refused instead of being overwritten.
        if heading.identity != self.work.identity {
            return refused(format!(
                "the checkpoint belongs to other work: {}, not {}",
                heading.title, self.work.title
            ));
        }
        Ok(serde_json::from_slice(text)
            .ok()
            .map(|manifest: Manifest<S>| manifest.state))
    }

    pub(super) fn save<S: Serialize>(&self, state: &S) -> Result<()> {
        let StoredWork { title, identity } = self.work.clone();
        let manifest = Manifest {
            program: PROGRAM.to_owned(),
            title,
            identity,
            state,
        };
        let text = serde_json::to_vec(&manifest).expect("numbers and texts can be written");
        let mut bytes = format!("{:016x}\n", xxh3_64(&text)).into_bytes();
        bytes.extend(text);
        if bytes.len() as u64 > LONGEST_MANIFEST {
            return Err(self.too_long(bytes.len()));
        }
        // The files that it names must not come to the disk after it.
        self.sync()?;
        self.write(MANIFEST, &bytes)?;
        self.sync()
    }

    /// Makes the files that have been written durable.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn sync(&self) -> Result<()> {
        let synced = self.disk.sync(&self.folder);
        synced.map_err(|error| self.failed("the checkpoint cannot be written", &error))
    }

    fn too_long(&self, bytes: usize) -> Box<Diagnostic> {
        let message = format!(
            "the list of tables takes {bytes} bytes, and at most {LONGEST_MANIFEST} are kept"
        );
        Diagnostic::new(Code::Checkpoint, message)
            .help("with more memory the tables are fewer and larger: raise `--max-memory SIZE`")
            .into()
    }

    pub(super) fn read(&self, file: &str, most: u64) -> Result<Content> {
        let read = self.disk.read(&self.folder, file, most);
        read.map_err(|error| self.failed("the checkpoint cannot be read", &error))
    }

    pub(super) fn read_part(&self, file: &str, part: Range<usize>) -> Result<Content> {
        let read = self
            .disk
            .read_part(&self.folder, file, part.start as u64, part.len());
        read.map_err(|error| self.failed("the checkpoint cannot be read", &error))
    }

    pub(super) fn write(&self, file: &str, bytes: &[u8]) -> Result<()> {
        let written = self.disk.write(&self.folder, file, bytes);
        written.map_err(|error| self.failed("the checkpoint cannot be written", &error))
    }

    pub(super) fn remove(&self, file: &str) -> Result<()> {
        let removed = self.disk.remove(&self.folder, file);
        removed.map_err(|error| self.failed("the checkpoint cannot be tidied up", &error))
    }

    fn failed(&self, what: &str, error: &std::io::Error) -> Box<Diagnostic> {
        failed(self.disk, &self.folder, what, error)
    }

    pub(super) fn name(&self) -> String {
        self.disk.name(&self.folder)
    }
}

/// Returns `true` if no table is named twice, and there is a number for the next one.
fn are_distinct(mut tables: Vec<usize>) -> bool {
    tables.sort_unstable();
    // The greatest number is excluded because the next table's number is one more.
    tables.is_sorted_by(|a, b| a < b) && tables.last().is_none_or(|last| *last < usize::MAX)
}

/// Returns the text after its checksum, if that is correct.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, text) = bytes.split_at_checked(17)?;
    let sum = u64::from_str_radix(std::str::from_utf8(sum).ok()?.strip_suffix('\n')?, 16).ok()?;
    (sum == xxh3_64(text)).then_some(text)
}
