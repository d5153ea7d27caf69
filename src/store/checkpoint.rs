//! The manifest: how far a piece of work has come.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{Disk, Record, Work, damaged, failed};
use crate::diagnostic::{Code, Diagnostic, Result};

const MANIFEST: &str = "manifest";

/// Which program wrote a manifest: another one may count positions in another order.
const PROGRAM: &str = concat!("bid ", env!("CARGO_PKG_VERSION"));

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
    work: Work,
}

impl<'a> Checkpoint<'a> {
    /// Finds where the work was left, and clears away what it does not take.
    ///
    /// # Errors
    /// If the disk fails, the manifest is damaged, or the folder holds other work.
    pub fn open<S: Saved>(disk: &'a dyn Disk, work: Work) -> Result<(Self, Option<S>)> {
        let checkpoint = Self { disk, folder: work.folder(), work };
        let state = checkpoint.manifest::<S>()?;
        let taken: Vec<String> = state.iter().flat_map(Saved::records).map(|record| record.name()).collect();
        let listed = disk.list(&checkpoint.folder);
        for file in listed.map_err(|error| checkpoint.failed("the checkpoint cannot be read", &error))? {
            if file != MANIFEST && !taken.contains(&file) {
                checkpoint.remove(&file)?;
            }
        }
        Ok((checkpoint, state))
    }

    fn manifest<S: Saved>(&self) -> Result<Option<S>> {
        let Some(bytes) = self.read(MANIFEST)? else { return Ok(None) };
        let text = checked(&bytes).ok_or_else(|| self.damaged())?;
        let heading: Heading = serde_json::from_slice(text).map_err(|_| self.damaged())?;
        let refused = |message: String| {
            let help = format!("remove the folder {}, or choose another with `--checkpoint DIR`", self.name());
            Err(Diagnostic::new(Code::Checkpoint, message).help(help).into())
        };
        if heading.program != PROGRAM {
            return refused(format!("the checkpoint was made by {}, and this is {PROGRAM}", heading.program));
        }
        if heading.identity != self.folder {
            return refused(format!("the checkpoint is of other work: {}, not {}", heading.title, self.work.title));
        }
        let manifest: Manifest<S> = serde_json::from_slice(text).map_err(|_| self.damaged())?;
        Ok(Some(manifest.state))
    }

    pub(super) fn save<S: Serialize>(&self, state: &S) -> Result<()> {
        let (title, identity) = (self.work.title.clone(), self.folder.clone());
        let manifest = Manifest { program: PROGRAM.to_owned(), title, identity, state };
        let text = serde_json::to_vec(&manifest).expect("numbers and texts can be written");
        let mut bytes = format!("{:016x}\n", xxh3_64(&text)).into_bytes();
        bytes.extend(text);
        self.write(MANIFEST, &bytes)
    }

    pub(super) fn read(&self, file: &str) -> Result<Option<Vec<u8>>> {
        let read = self.disk.read(&self.folder, file);
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

    fn damaged(&self) -> Box<Diagnostic> {
        damaged(self.disk, &self.folder, "its manifest is not what was written")
    }

    fn name(&self) -> String {
        self.disk.name(&self.folder)
    }
}

/// The text after its checksum, if that is right.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, text) = bytes.split_at_checked(17)?;
    let sum = u64::from_str_radix(std::str::from_utf8(sum).ok()?.strip_suffix('\n')?, 16).ok()?;
    (sum == xxh3_64(text)).then_some(text)
}
