//! The folder of `--checkpoint`.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bid_language::diagnostic::{Code, Diagnostic, plain};
use bid_language::files;
use bid_language::watch::{Content, Disk};

/// A folder on the disk that this process uses exclusively.
#[derive(Debug)]
pub struct LockedFolder {
    root: PathBuf,
    /// The lock, which is held as long as the file is open.
    _lock: File,
}

impl LockedFolder {
    /// Creates the folder if it does not exist, and locks it for this process.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created or written to, or another process has
    /// locked it.
    pub fn open(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let refused = |why: String| {
            let message = format!("cannot use the folder {}: {why}", root.display());
            Box::new(
                Diagnostic::new(Code::Checkpoint, message)
                    .help("choose another folder with `--checkpoint DIR`"),
            )
        };
        let failed = |error: io::Error| refused(plain(&error));
        fs::create_dir_all(root).map_err(failed)?;
        let lock = lock_file(&root.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                root: root.to_owned(),
                _lock: lock,
            }),
            Err(fs::TryLockError::WouldBlock) => Err(refused("another process uses it".to_owned())),
            Err(fs::TryLockError::Error(error)) => Err(failed(error)),
        }
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

impl Disk for LockedFolder {
    fn read(&self, folder: &str, file: &str, most: u64) -> io::Result<Content> {
        let Some(path) = self.inside(folder)?.map(|folder| folder.join(file)) else {
            return Ok(Content::Absent);
        };
        match present(fs::symlink_metadata(&path))? {
            None => return Ok(Content::Absent),
            Some(found) if !found.is_file() || found.len() > most => return Ok(Content::Foreign),
            Some(_) => {}
        }
        let mut bytes = Vec::new();
        File::open(&path)?
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
        let Some(path) = self.inside(folder)?.map(|folder| folder.join(file)) else {
            return Ok(Content::Absent);
        };
        match present(fs::symlink_metadata(&path))? {
            None => return Ok(Content::Absent),
            Some(found) if !found.is_file() => return Ok(Content::Foreign),
            Some(_) => {}
        }
        let mut bytes = vec![0; length];
        let mut file = File::open(&path)?;
        file.seek(SeekFrom::Start(offset))?;
        match file.read_exact(&mut bytes) {
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
        files::replace(&self.root.join(folder).join(file), bytes)
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
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    }

    fn name(&self, folder: &str) -> String {
        self.root.join(folder).display().to_string()
    }
}

/// Opens the lock file, which is created if it does not exist; nothing is written to it.
fn lock_file(path: &Path) -> io::Result<File> {
    match present(fs::symlink_metadata(path))? {
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
