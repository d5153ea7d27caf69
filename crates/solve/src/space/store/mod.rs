//! Storage of long work on a disk: tables that do not fit in memory, and the state from which the
//! work is resumed after an interrupt or a crash.
//!
//! The library accesses no files itself; its caller passes a [`Disk`] with its
//! [`Context`](crate::watch::Context). On it every piece of work has a folder of its own, named
//! after the task ([`StoredWork`]). It contains *tables*, compressed runs of numbers that are
//! written once ([`tables`]), and a *manifest* that names the work ([`checkpoint`]). If the parts of
//! the work are known beforehand, there is a table for each, so that several processes can share a
//! folder, and what has been done follows from the files that are there; otherwise the manifest
//! records the state of the work and the tables that belong to it, and a table that it does not
//! name is treated as absent. Files are replaced atomically and carry checksums. So nothing
//! half-written is ever read as a result.

mod checkpoint;
mod codec;
mod tables;

use std::fmt;
use std::io;

use xxhash_rust::xxh3::xxh3_128;

use self::checkpoint::Checkpoint;
pub use self::checkpoint::SavedState;
use self::codec::CodecPool;
pub use self::codec::{pack, unpack};
pub use self::tables::Tables;
use crate::diagnostic::{Code, Diagnostic, plain};
use crate::watch::Disk;

/// The task of a piece of work: the game with its rules and the method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWork {
    /// A description for messages.
    pub title: String,
    /// The text of everything that the result depends on: two pieces of work are the same if and
    /// only if their identities are.
    pub identity: String,
}

impl StoredWork {
    /// Creates a task whose result depends on the game's identity and on `rest`.
    pub fn new(title: impl Into<String>, game: &str, rest: fmt::Arguments<'_>) -> Self {
        Self {
            title: title.into(),
            identity: format!("{game} {rest}"),
        }
    }

    /// Returns the name of the work's folder: a hash of its identity, which the manifest contains
    /// in full.
    pub(crate) fn folder(&self) -> String {
        // Identities can be long and contain any character, so the name of a folder is a hash.
        format!("{:032x}", xxh3_128(self.identity.as_bytes()))
    }
}

/// Writes the title, with a hash that distinguishes the work from others of that title.
impl fmt::Display for StoredWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.title, self.folder())
    }
}

/// Builds the diagnostic of a disk operation that failed.
fn failed(disk: &dyn Disk, folder: &str, what: &str, error: &io::Error) -> Box<Diagnostic> {
    Diagnostic::new(Code::Checkpoint, format!("{what}: {}", plain(error)))
        .note(format!("the folder is {}", disk.name(folder)))
        .help("free some space there, or choose another folder with `--checkpoint DIR`")
        .into()
}

/// Builds the diagnostic of damaged files.
fn damaged(disk: &dyn Disk, folder: &str, what: &str) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Checkpoint,
        format!("the checkpoint is damaged: {what}"),
    )
    .help(format!(
        "remove the folder {} to begin anew",
        disk.name(folder)
    ))
    .into()
}
