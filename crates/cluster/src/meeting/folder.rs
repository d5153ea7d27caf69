//! How processes of one machine find each other without a list: by way of a folder that belongs to
//! the user.
//!
//! Each listens on a free port of 127.0.0.1 and leaves a note with it, under a name made from its
//! [fingerprint](Fingerprint) and number. So the same command finds its fellows, two different ones
//! never mix, and the same one started twice is noticed by the lock. A token in the note, which
//! only the user can read, keeps others off the port.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bid_language::files::Draft;
use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;

/// No note is longer.
const MOST: u64 = 1 << 16;

/// Where processes of this user find each other: a folder for the session if the system gives one,
/// otherwise one among the temporary files.
pub fn usual_folder() -> PathBuf {
    let session = std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.is_dir());
    session.map_or_else(
        || std::env::temp_dir().join(format!("bid-processes{}", user())),
        |folder| folder.join("bid-processes"),
    )
}

/// What tells the temporary folders of users apart.
#[cfg(target_os = "linux")]
fn user() -> String {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").map_or_else(|_| String::new(), |own| format!("-{}", own.uid()))
}

/// Elsewhere each user has a temporary folder.
#[cfg(not(target_os = "linux"))]
fn user() -> String {
    String::new()
}

/// What a process tells of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Where it listens.
    pub port: u16,
    /// What to tell it.
    pub token: String,
    /// What it works on.
    pub fingerprint: Fingerprint,
}

/// Why there can be no note.
#[derive(Debug)]
pub enum Unwritten {
    /// The same process of the same command is at work.
    Twice,
    /// The folder belongs to somebody else.
    Foreign,
    /// It cannot be written to.
    Failed(io::Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// The note of this process, which is there until this is dropped.
#[derive(Debug)]
pub struct Posted {
    note: PathBuf,
    lock: PathBuf,
    /// Locked as long as it is open.
    _held: File,
}

impl Drop for Posted {
    fn drop(&mut self) {
        // What stays is overwritten the next time.
        let _ = fs::remove_file(&self.note);
        let _ = fs::remove_file(&self.lock);
    }
}

/// The processes of this machine that work on the same.
#[derive(Debug, Clone)]
pub struct Board {
    folder: PathBuf,
    digest: String,
    processes: usize,
}

impl Board {
    /// For the processes of a command.
    ///
    /// # Errors
    /// If there can be no such folder.
    pub fn open(
        folder: &Path,
        fingerprint: &Fingerprint,
        processes: usize,
    ) -> Result<Self, Unwritten> {
        make_private(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            digest: fingerprint.digest(),
            processes,
        })
    }

    fn name(&self, process: usize, ending: &str) -> String {
        format!("{}-{process}-of-{}.{ending}", self.digest, self.processes)
    }

    /// Leaves a note for a process.
    ///
    /// # Errors
    /// If it is at work already, or the note cannot be written.
    pub fn post(&self, process: usize, note: &Note) -> Result<Posted, Unwritten> {
        let lock = self.folder.join(self.name(process, "lock"));
        let held = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock)?;
        lock_soon(&held)?;
        let path = self.folder.join(self.name(process, "json"));
        let mut draft = Draft::private(&path)?;
        draft.write_all(&serde_json::to_vec(note).map_err(io::Error::other)?)?;
        draft.publish()?;
        Ok(Posted {
            note: path,
            lock,
            _held: held,
        })
    }

    /// The note of a process, if it has left one.
    pub fn note(&self, process: usize) -> Option<Note> {
        read(&self.folder.join(self.name(process, "json")))
    }

    /// The note of a process of this number among as many that is at work on something else.
    pub fn other_note(&self, process: usize) -> Option<Note> {
        let own = self.name(process, "json");
        let ending = own.strip_prefix(&self.digest)?;
        let entries = fs::read_dir(&self.folder).ok()?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let others = names.filter(|name| *name != own && name.ends_with(ending));
        others
            .filter(|name| self.is_held(name))
            .find_map(|name| read(&self.folder.join(name)))
    }

    /// Whether the process of a number that works on the same as who left a note is there.
    pub fn has_fellow(&self, note: &Note, process: usize) -> bool {
        let theirs = Self {
            digest: note.fingerprint.digest(),
            ..self.clone()
        };
        self.is_held(&theirs.name(process, "json"))
    }

    /// Whether the process that left a note still holds its lock.
    fn is_held(&self, note: &str) -> bool {
        let lock = self.folder.join(Path::new(note).with_extension("lock"));
        File::open(lock)
            .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }
}

/// Locks a file. Others look for a moment whether it is locked, by locking it: so it is tried for a
/// while.
fn lock_soon(file: &File) -> Result<(), Unwritten> {
    for _ in 0..10 {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(fs::TryLockError::WouldBlock) => {
                std::thread::sleep(std::time::Duration::from_millis(20))
            }
            Err(fs::TryLockError::Error(error)) => return Err(error.into()),
        }
    }
    Err(Unwritten::Twice)
}

fn read(path: &Path) -> Option<Note> {
    let length = fs::symlink_metadata(path)
        .ok()
        .filter(fs::Metadata::is_file)?
        .len();
    if length > MOST {
        return None;
    }
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Makes a folder that only the user can look into; one that is there must be so.
fn make_private(folder: &Path) -> Result<(), Unwritten> {
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above)?;
    }
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
        Ok(()) | Err(_) => {}
    }
    let found = fs::symlink_metadata(folder)?;
    if found.is_dir() && is_private(&found) {
        Ok(())
    } else {
        Err(Unwritten::Foreign)
    }
}

/// Whether nobody else can write to a folder. Its owner can; a folder of somebody else's cannot be
/// written to then, which is noticed.
#[cfg(unix)]
fn is_private(folder: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    folder.mode() & 0o077 == 0
}

/// Elsewhere the folder above is the user's.
#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(question: &str, port: u16) -> Note {
        Note {
            port,
            token: "t".to_owned(),
            fingerprint: Fingerprint::new().with("question", question),
        }
    }

    fn board(folder: &Path, question: &str) -> Board {
        Board::open(folder, &note(question, 1).fingerprint, 2).expect("a folder is made")
    }

    #[test]
    fn notes_are_found_by_the_same_command_only() {
        let folder = tempfile::tempdir().expect("a folder is made");
        let inside = folder.path().join("a/b");
        let (here, other) = (board(&inside, "R(A)"), board(&inside, "R(B)"));
        assert_eq!(here.note(0), None);
        let posted = here.post(0, &note("R(A)", 77)).expect("nobody has");
        assert_eq!(here.note(0), Some(note("R(A)", 77)));
        assert_eq!((other.note(0), here.note(1)), (None, None));
        assert_eq!(other.other_note(0), Some(note("R(A)", 77)));
        assert_eq!((here.other_note(0), other.other_note(1)), (None, None));
        assert!(matches!(
            here.post(0, &note("R(A)", 78)),
            Err(Unwritten::Twice)
        ));
        drop(posted);
        assert_eq!((here.note(0), other.other_note(0)), (None, None));
        assert!(here.post(0, &note("R(A)", 79)).is_ok());
    }

    #[test]
    fn notes_of_the_dead_are_not_believed() {
        let folder = tempfile::tempdir().expect("a folder is made");
        let (here, other) = (
            board(&folder.path().join("x"), "R(A)"),
            board(&folder.path().join("x"), "R(B)"),
        );
        let posted = here.post(0, &note("R(A)", 77)).expect("nobody has");
        let (path, lock) = (posted.note.clone(), posted.lock.clone());
        drop(posted);
        fs::write(
            path,
            serde_json::to_vec(&note("R(A)", 77)).expect("it is data"),
        )
        .expect("it is written");
        fs::write(lock, "").expect("it is written");
        assert_eq!(other.other_note(0), None);
        assert!(here.post(0, &note("R(A)", 78)).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_to_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder is made");
        let inside = folder.path().join("open");
        fs::create_dir(&inside).expect("a folder is made");
        fs::set_permissions(&inside, fs::Permissions::from_mode(0o777)).expect("it is ours");
        assert!(matches!(
            Board::open(&inside, &Fingerprint::new(), 2),
            Err(Unwritten::Foreign)
        ));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).expect("a link is made");
        assert!(matches!(
            Board::open(&link, &Fingerprint::new(), 2),
            Err(Unwritten::Foreign)
        ));
    }
}
