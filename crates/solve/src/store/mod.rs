//! Long work on a disk: tables that do not fit in memory, and where to go on after an interrupt or
//! a crash.
//!
//! The library touches no files; whoever calls it passes a [`Disk`] with its
//! [`Context`](crate::watch::Context). On it every piece of work has a folder of its own, named after
//! what is worked out ([`StoredWork`]): *blobs*, compressed runs of numbers that are written once
//! ([`vault`]), and a *manifest* that says how far the work has come and which blobs that takes
//! ([`checkpoint`]). A blob that no manifest names is as good as absent, and a manifest is replaced
//! at once or not at all; blobs and manifests carry checksums. So nothing half-written is ever read
//! as a result.

mod checkpoint;
mod codec;
mod vault;

use std::fmt;
use std::io;

use xxhash_rust::xxh3::xxh3_128;

pub use self::checkpoint::{Checkpoint, Saved};
use self::codec::CodecBuffers;
pub use self::codec::{pack, unpack};
pub use self::vault::{Blob, Record, Vault};
use crate::diagnostic::{Code, Diagnostic, plain};
use crate::watch::Disk;

/// What is worked out: the game with its rules and the method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWork {
    /// In words, for messages.
    pub title: String,
    /// Everything that the result depends on: two works are the same if and only if their
    /// identities are.
    pub identity: String,
}

impl StoredWork {
    /// The work whose result depends on nothing but the game and what else is given.
    pub fn new(title: impl Into<String>, game: &str, rest: fmt::Arguments<'_>) -> Self {
        Self {
            title: title.into(),
            identity: format!("{game} {rest}"),
        }
    }

    /// The name of its folder: a hash of its identity, which the manifest holds in full.
    fn folder(&self) -> String {
        format!("{:032x}", xxh3_128(self.identity.as_bytes()))
    }
}

/// The title, with what tells the work from others of that title.
impl fmt::Display for StoredWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.title, self.folder())
    }
}

/// The diagnostic of a disk that does not do what it is asked.
fn failed(disk: &dyn Disk, folder: &str, what: &str, error: &io::Error) -> Box<Diagnostic> {
    Diagnostic::new(Code::Checkpoint, format!("{what}: {}", plain(error)))
        .note(format!("the folder is {}", disk.name(folder)))
        .help("free some space there, or choose another folder with `--checkpoint DIR`")
        .into()
}

/// The diagnostic of files that are not what they were.
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
