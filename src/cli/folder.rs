//! The folder of `--checkpoint`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bid::diagnostic::{Code, Diagnostic};
use bid::store::Disk;

/// Files are written under this ending first, which nothing reads.
const UNFINISHED: &str = "unfinished";

/// A folder on the disk that this process has to itself.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl Folder {
    /// Makes the folder if it is not there, and takes it for this process.
    ///
    /// # Errors
    /// If it cannot be made or written to, or another process has it.
    pub fn open(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let refused = |why: String| {
            let message = format!("cannot use the folder {}: {why}", root.display());
            Box::new(Diagnostic::new(Code::Checkpoint, message).help("choose another folder with `--checkpoint DIR`"))
        };
        let failed = |error: io::Error| refused(error.to_string());
        fs::create_dir_all(root).map_err(failed)?;
        let lock = File::create(root.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { root: root.to_owned(), _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => Err(refused("another process uses it".to_owned())),
            Err(fs::TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    fn path(&self, folder: &str, file: &str) -> PathBuf {
        self.root.join(folder).join(file)
    }
}

impl Disk for Folder {
    fn read(&self, folder: &str, file: &str) -> io::Result<Option<Vec<u8>>> {
        present(fs::read(self.path(folder, file)))
    }

    /// Under another name first, so that a crash leaves the old file or the new one.
    fn write(&self, folder: &str, file: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(folder, file);
        let unfinished = path.with_extension(UNFINISHED);
        fs::create_dir_all(self.root.join(folder))?;
        let mut open = File::create(&unfinished)?;
        open.write_all(bytes)?;
        open.sync_all()?;
        fs::rename(&unfinished, &path)?;
        sync_folder(&self.root.join(folder))
    }

    fn remove(&self, folder: &str, file: &str) -> io::Result<()> {
        present(fs::remove_file(self.path(folder, file))).map(drop)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let Some(entries) = present(fs::read_dir(self.root.join(folder)))? else { return Ok(Vec::new()) };
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn name(&self, folder: &str) -> String {
        self.root.join(folder).display().to_string()
    }
}

/// Makes the names in a folder last, where the system can do that.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

fn present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
