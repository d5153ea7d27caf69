//! The folder of `--checkpoint`.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::write::{remove_abandoned, replace_one_of_many, sync};
use crate::diagnostic::{Code, Diagnostic, plain};
use crate::watch::{Content, Disk, Sharing};

/// A folder on the disk in which work is kept.
#[derive(Debug)]
pub struct WorkFolder {
    root: PathBuf,
    /// The division of sweeps, if other processes use the folder too.
    sharing: Option<Sharing>,
    /// The files whose contents may not have reached the disk.
    unsynced: Mutex<Vec<PathBuf>>,
    /// The lock, which is held as long as the file is open.
    _lock: File,
}

impl WorkFolder {
    /// Creates the folder if it does not exist, and locks it for this process alone.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created or written to, or another process has
    /// locked it.
    pub fn open(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let failed = |error: io::Error| refused(root, plain(&error));
        fs::create_dir_all(root).map_err(failed)?;
        let lock = lock_file(&root.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                root: root.to_owned(),
                sharing: None,
                unsynced: Mutex::default(),
                _lock: lock,
            }),
            Err(fs::TryLockError::WouldBlock) => {
                Err(refused(root, "another process uses it".to_owned()))
            }
            Err(fs::TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Opens a folder that several processes share; it must exist. A file system of several
    /// machines may have no locks: then nothing keeps a process out that wants it alone, and the
    /// tables are nevertheless whole, since each is replaced at once.
    ///
    /// # Errors
    /// Returns an error if the folder does not exist or cannot be written to, or a process has
    /// locked it for itself alone.
    pub fn share(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let failed = |error: io::Error| refused(root, plain(&error));
        if !fs::metadata(root).map_err(failed)?.is_dir() {
            return Err(refused(root, "it is not a folder".to_owned()));
        }
        let lock = lock_file(&root.join("lock")).map_err(failed)?;
        if let Err(fs::TryLockError::WouldBlock) = lock.try_lock_shared() {
            return Err(refused(root, "another process uses it alone".to_owned()));
        }
        Ok(Self {
            root: root.to_owned(),
            sharing: Some(Sharing::default()),
            unsynced: Mutex::default(),
            _lock: lock,
        })
    }

    /// Returns the subfolder of this name, if it is a folder. A link is refused, because its target
    /// is not ours to read or to clear.
    fn inside(&self, folder: &str) -> io::Result<Option<PathBuf>> {
        let path = self.root.join(folder);
        match present(fs::symlink_metadata(&path))? {
            Some(found) if !found.is_dir() => Err(io::Error::new(
                io::ErrorKind::NotADirectory,
                "it is not a folder",
            )),
            found => Ok(found.map(|_| path)),
        }
    }
}

impl WorkFolder {
    fn unsynced(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.unsynced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a file of at most `most` bytes, or says what stands there instead.
    fn file(&self, folder: &str, file: &str, most: u64) -> io::Result<Result<File, Content>> {
        let Some(path) = self.inside(folder)?.map(|folder| folder.join(file)) else {
            return Ok(Err(Content::Absent));
        };
        match present(fs::symlink_metadata(&path))? {
            None => Ok(Err(Content::Absent)),
            // A file of another kind or length was not written here, and reading it could take for
            // ever.
            Some(found) if !found.is_file() || found.len() > most => Ok(Err(Content::Foreign)),
            Some(_) => File::open(&path).map(Ok),
        }
    }
}

impl Disk for WorkFolder {
    fn read(&self, folder: &str, file: &str, most: u64) -> io::Result<Content> {
        let opened = match self.file(folder, file, most)? {
            Ok(opened) => opened,
            Err(other) => return Ok(other),
        };
        let mut bytes = Vec::new();
        opened
            // The file may have grown since its length was read.
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)?;
        Ok(if bytes.len() as u64 > most {
            Content::Foreign
        } else {
            Content::Bytes(bytes)
        })
    }

    fn read_part(
        &self,
        folder: &str,
        file: &str,
        offset: u64,
        length: usize,
    ) -> io::Result<Content> {
        let mut opened = match self.file(folder, file, u64::MAX)? {
            Ok(opened) => opened,
            Err(other) => return Ok(other),
        };
        let mut bytes = vec![0; length];
        opened.seek(SeekFrom::Start(offset))?;
        match opened.read_exact(&mut bytes) {
            Ok(()) => Ok(Content::Bytes(bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Content::Foreign),
            Err(error) => Err(error),
        }
    }

    fn write(&self, folder: &str, file: &str, bytes: &[u8]) -> io::Result<()> {
        if self.inside(folder)?.is_none() {
            // Other threads may create it at the same time.
            fs::create_dir_all(self.root.join(folder))?;
        }
        let path = self.root.join(folder).join(file);
        replace_one_of_many(&path, bytes)?;
        self.unsynced().push(path);
        Ok(())
    }

    fn sync(&self, folder: &str) -> io::Result<()> {
        let Some(folder) = self.inside(folder)? else {
            return Ok(());
        };
        // The list is taken out at once, so that other threads can go on writing.
        let written = std::mem::take(&mut *self.unsynced());
        for path in written {
            // It may have been removed since.
            if let Some(file) = present(File::options().write(true).open(&path))? {
                file.sync_all()?;
            }
        }
        // The names of new files are entries of the folder, which is synchronised last.
        sync(&folder)
    }

    fn remove(&self, folder: &str, file: &str) -> io::Result<()> {
        let Some(folder) = self.inside(folder)? else {
            return Ok(());
        };
        present(fs::remove_file(folder.join(file))).map(drop)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let Some(folder) = self.inside(folder)? else {
            return Ok(Vec::new());
        };
        // Listing begins the work in a folder, so that its drafts are cleared away once.
        remove_abandoned(&folder);
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    }

    fn name(&self, folder: &str) -> String {
        self.root.join(folder).display().to_string()
    }

    fn sharing(&self) -> Option<&Sharing> {
        self.sharing.as_ref()
    }
}

fn refused(root: &Path, why: String) -> Box<Diagnostic> {
    let message = format!("cannot use the folder {}: {why}", root.display());
    Diagnostic::new(Code::Checkpoint, message)
        .help("choose another folder with `--checkpoint DIR`")
        .into()
}

/// Opens the lock file, which is created if it does not exist; nothing is written to it.
fn lock_file(path: &Path) -> io::Result<File> {
    match present(fs::symlink_metadata(path))? {
        // Opening a pipe would wait for a reader.
        Some(found) if !found.is_file() => {
            Err(io::Error::other("its `lock` is not a regular file"))
        }
        Some(_) | None => File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path),
    }
}

fn present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_whole_before_and_after_they_are_synchronised() {
        let root = tempfile::tempdir().expect("a scratch folder");
        let disk = WorkFolder::open(root.path()).expect("it is opened");
        let read = |file| disk.read("work", file, 3).expect("it can be read");
        for (file, bytes) in [("a", b"one"), ("b", b"two"), ("a", b"six")] {
            disk.write("work", file, bytes).expect("it is written");
            assert_eq!(read(file), Content::Bytes(bytes.to_vec()));
        }
        disk.remove("work", "b").expect("it is removed");
        disk.sync("work").expect("a removed file is passed over");
        assert!(disk.unsynced().is_empty());
        assert_eq!(
            [read("a"), read("b")],
            [Content::Bytes(b"six".to_vec()), Content::Absent]
        );
        disk.sync("none").expect("there is nothing to synchronise");
    }
}
