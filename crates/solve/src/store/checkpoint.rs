//! The manifest: how far a piece of work has come.

use std::collections::HashSet;
use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{Record, StoredWork, failed};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::watch::{Content, Disk};

const MANIFEST: &str = "manifest";

/// Which program wrote a manifest: another one may count positions in another order. The revision
/// goes up whenever tables that were written before must not be gone on with; those of revision 1
/// could hold sums that had overflowed, those of revision 2 were not packed in pieces.
const PROGRAM: &str = concat!("bid ", env!("CARGO_PKG_VERSION"), ", tables of revision 4");

/// No manifest has more bytes.
const LONGEST_MANIFEST: u64 = 1 << 28;

/// A state to go on from.
pub trait Saved: Serialize + DeserializeOwned {
    /// The blobs that it takes.
    fn records(&self) -> Vec<Record>;
}

/// What a manifest says.
#[derive(Serialize, Deserialize)]
struct Manifest<S> {
    program: String,
    title: String,
    /// The work's own text: folders are named after a hash of it, and different texts can have the
    /// same hash.
    identity: String,
    state: S,
}

/// The same without the state, whose form is known only if all else fits.
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
    work: StoredWork,
    /// Whether it had a manifest that is not what was written.
    is_damaged: bool,
}

impl<'a> Checkpoint<'a> {
    /// Finds where the work was left, and clears away what it does not take: all, if the manifest
    /// is not what was written. That is also so if the state is not sound: a manifest can be made
    /// by hand, and whatever a state counts, numbers or points at is looked at by `is_sound` before
    /// it is used.
    ///
    /// # Errors
    /// If the disk fails, or the folder holds other work.
    pub fn open<S: Saved>(
        disk: &'a dyn Disk,
        work: StoredWork,
        is_sound: impl FnOnce(&S) -> bool,
    ) -> Result<(Self, Option<S>)> {
        let mut checkpoint = Self {
            disk,
            folder: work.folder(),
            work,
            is_damaged: false,
        };
        let content = checkpoint.read(MANIFEST, LONGEST_MANIFEST)?;
        let state = checkpoint.manifest::<S>(&content)?;
        let state = state.filter(|state| are_distinct(&state.records()) && is_sound(state));
        checkpoint.is_damaged = state.is_none() && content != Content::Absent;
        let taken: HashSet<String> = state
            .iter()
            .flat_map(Saved::records)
            .map(|record| record.name())
            .collect();
        let keeps = |file: &str| state.is_some() && (file == MANIFEST || taken.contains(file));
        checkpoint.clear_but(keeps)?;
        Ok((checkpoint, state))
    }

    /// Whether the work was left there, but the manifest was not what was written, so that it
    /// begins anew.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Clears everything away, the manifest first.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn clear(&self) -> Result<()> {
        self.remove(MANIFEST)?;
        self.clear_but(|_| false)
    }

    fn clear_but(&self, keeps: impl Fn(&str) -> bool) -> Result<()> {
        let listed = self.disk.list(&self.folder);
        let listed =
            listed.map_err(|error| self.failed("the checkpoint cannot be read", &error))?;
        listed
            .iter()
            .filter(|file| !keeps(file))
            .try_for_each(|file| self.remove(file))
    }

    /// What the manifest says; `None` if there is none that is what was written.
    fn manifest<S: Saved>(&self, content: &Content) -> Result<Option<S>> {
        let Content::Bytes(bytes) = content else {
            return Ok(None);
        };
        let Some(text) = checked(bytes) else {
            return Ok(None);
        };
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
        if heading.identity != self.work.identity {
            return refused(format!(
                "the checkpoint is of other work: {}, not {}",
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
        self.write(MANIFEST, &bytes)
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

    fn name(&self) -> String {
        self.disk.name(&self.folder)
    }
}

/// Whether no two records name the same file, and there is a number for the next one.
fn are_distinct(records: &[Record]) -> bool {
    let mut seen = HashSet::new();
    records
        .iter()
        .all(|record| record.file < u64::MAX && seen.insert(record.file))
}

/// The text after its checksum, if that is right.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, text) = bytes.split_at_checked(17)?;
    let sum = u64::from_str_radix(std::str::from_utf8(sum).ok()?.strip_suffix('\n')?, 16).ok()?;
    (sum == xxh3_64(text)).then_some(text)
}
