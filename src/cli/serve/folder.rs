//! The `.bid` files of one folder, which pages may list, read and write, and their programs may
//! `use`.
//!
//! A path is relative to the folder, with `/` between its parts. Its target, with all links
//! followed, must lie in the folder too, or it is not read. Programs may also use the game library,
//! and its folders that the user has named in `BID_PATH`.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use bid_language::diagnostic::plain;
use bid_language::files::{self, DiskFiles, Files, FolderEntry, MOST_BYTES, Pieces, Unread};
use bid_language::parallel::lock;
use bid_language::watch::Context;
use xxhash_rust::xxh3::xxh3_128;

/// The most files that are listed.
const MOST_LISTED: usize = 2_000;

/// A folder that is served.
pub struct ServedFolder {
    root: PathBuf,
    /// The lock of writing: one file is written at a time, so that no text is lost between a read
    /// and a write.
    writing: Mutex<()>,
}

/// A text with its version; different texts have different versions.
pub struct Opened {
    pub text: String,
    /// `None` if there is no such file yet.
    pub version: Option<String>,
}

/// The reason that a file is not read or written.
#[derive(Debug)]
pub enum FileRefusal {
    /// The path leads out of the folder, or does not name a `.bid` file.
    Path(String),
    /// The disk has another text than the page has seen; this is the text on the disk, with its
    /// version.
    Changed(String, Option<String>),
    /// The system refuses.
    Failed(String),
}

impl fmt::Display for FileRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(why) | Self::Failed(why) => f.write_str(why),
            Self::Changed(..) => f.write_str("the file has changed on the disk"),
        }
    }
}

impl ServedFolder {
    /// Creates the folder from its canonical path.
    pub fn new(root: PathBuf) -> Self {
        Self {
            root,
            writing: Mutex::new(()),
        }
    }

    /// Returns its path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the paths of its files, in order.
    pub fn list(&self) -> Vec<String> {
        let found = files::bid_files(std::slice::from_ref(&self.root)).unwrap_or_default();
        let named = found.iter().filter_map(|path| {
            path.strip_prefix(&self.root)
                .ok()?
                .to_str()
                .map(str::to_owned)
        });
        named
            .filter(|name| self.file(name).is_ok())
            .take(MOST_LISTED)
            .collect()
    }

    /// Returns the file that a path denotes; it need not exist.
    fn file(&self, path: &str) -> Result<PathBuf, FileRefusal> {
        let outside = || FileRefusal::Path(format!("{path} is not in the folder that is served"));
        let relative = Path::new(path);
        let is_plain = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !is_plain || path.is_empty() || path.contains(['\\', '\0']) {
            return Err(outside());
        }
        if relative.extension().is_none_or(|end| end != "bid") {
            return Err(FileRefusal::Path(format!("{path} is not a `.bid` file")));
        }
        let file = self.root.join(relative);
        let real = match file.canonicalize() {
            Ok(real) => real,
            // A link without a target could lead anywhere.
            Err(_) if fs::symlink_metadata(&file).is_ok() => return Err(outside()),
            Err(_) => {
                let parent = file.parent().unwrap_or(&self.root);
                let parent = parent
                    .canonicalize()
                    .map_err(|_| FileRefusal::Failed(format!("{path}: no such folder")))?;
                parent.join(file.file_name().unwrap_or_default())
            }
        };
        let is_bid = real.extension().is_some_and(|end| end == "bid");
        // A link named `.bid` may lead to a file of another kind, which is not shown.
        if real.starts_with(&self.root) && is_bid {
            Ok(real)
        } else {
            Err(outside())
        }
    }

    /// Returns the text of a file; the empty text if there is no such file yet.
    ///
    /// # Errors
    /// Returns the reason that it is not read.
    pub fn open(&self, path: &str) -> Result<Opened, FileRefusal> {
        let file = self.file(path)?;
        let failed = |error: &io::Error| {
            FileRefusal::Failed(format!("cannot read {path}: {}", plain(error)))
        };
        let found = match fs::metadata(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Opened {
                    text: String::new(),
                    version: None,
                });
            }
            found => found.map_err(|error| failed(&error))?,
        };
        if !found.is_file() {
            return Err(FileRefusal::Path(format!("{path} is not a file")));
        }
        // The length is checked before reading, so that a large file takes no memory.
        if found.len() > MOST_BYTES {
            return Err(too_long(path));
        }
        let bytes = fs::read(&file).map_err(|error| failed(&error))?;
        let text = files::utf8(path, bytes).map_err(|wrong| FileRefusal::Failed(wrong.message))?;
        Ok(Opened {
            version: Some(version(&text)),
            text,
        })
    }

    /// Writes a text in one step, if the file is the version that the page has seen (`seen`);
    /// returns the new version.
    ///
    /// # Errors
    /// Returns the reason that it is not written.
    pub fn save(&self, path: &str, text: &str, seen: Option<&str>) -> Result<String, FileRefusal> {
        let _alone = lock(&self.writing);
        let file = self.file(path)?;
        if text.len() as u64 > MOST_BYTES {
            return Err(too_long(path));
        }
        let there = self.open(path)?;
        // If the disk has this very text already, nothing can be lost.
        if there.version.as_deref() != seen && there.text != text {
            return Err(FileRefusal::Changed(there.text, there.version));
        }
        files::replace(&file, text).map_err(|error| {
            FileRefusal::Failed(format!("cannot write {path}: {}", plain(&error)))
        })?;
        Ok(version(text))
    }
}

fn too_long(path: &str) -> FileRefusal {
    FileRefusal::Failed(format!(
        "{path} is too long for a worksheet, which has up to {} MB",
        MOST_BYTES >> 20
    ))
}

fn version(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

/// The folder's files as programs see them, with paths relative to it.
pub struct ServedFiles {
    root: PathBuf,
    library: Vec<PathBuf>,
}

impl ServedFiles {
    /// Creates the files of a folder, with those of the game library.
    pub fn new(root: PathBuf) -> Self {
        Self {
            root,
            library: DiskFiles.library_path(),
        }
    }

    /// Returns the target of a path, if it is in the folder or in the library: its canonical path,
    /// and the name by which programs know it.
    fn real(&self, path: &Path) -> io::Result<(PathBuf, PathBuf)> {
        let in_library = self.library.iter().any(|folder| path.starts_with(folder));
        let real = DiskFiles.canonical(&if in_library {
            path.to_path_buf()
        } else {
            self.root.join(path)
        })?;
        if let Ok(inside) = real.strip_prefix(&self.root) {
            return Ok((real.clone(), inside.to_path_buf()));
        }
        let is_allowed = self.library.iter().any(|folder| {
            real.starts_with(folder)
                || folder
                    .canonicalize()
                    .is_ok_and(|folder| real.starts_with(folder))
        });
        if is_allowed {
            Ok((real.clone(), real))
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }
}

impl Files for ServedFiles {
    fn read(&self, path: &Path, context: &Context<'_>) -> Result<Vec<u8>, Unread> {
        let (real, _) = self.real(path)?;
        context.check().map_err(Unread::Stopped)?;
        DiskFiles.read(&real, Context::plain())
    }

    fn pieces<'w>(&self, path: &Path, context: &'w Context<'w>) -> Result<Pieces<'w>, Unread> {
        let (real, _) = self.real(path)?;
        DiskFiles.pieces(&real, context)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.real(path).map(|(_, name)| name)
    }

    fn library_path(&self) -> Vec<PathBuf> {
        self.library.clone()
    }

    fn entries(&self, folder: &Path) -> Vec<FolderEntry> {
        let found = self.root.join(folder).canonicalize();
        found
            .ok()
            .filter(|real| real.starts_with(&self.root))
            .map_or(Vec::new(), |real| DiskFiles.entries(&real))
    }
}
