//! Access to sources: on the disk, in documents that are open in an editor, or in memory.
//!
//! The library knows files only through [`Files`]. [`DiskFiles`] reads the machine's disk.
//! [`Documents`] holds texts that hide those on the disk: an editor's unsaved files, or all files
//! in a browser.

mod disk;
mod documents;
#[cfg(not(target_arch = "wasm32"))]
mod folder;
mod read;
#[cfg(not(target_arch = "wasm32"))]
mod write;

pub use disk::{
    DiskFiles, Library, bid_files, history_file, is_built_in, is_in_library, is_standard_input,
    library,
};
pub use documents::{Documents, Nowhere};
#[cfg(not(target_arch = "wasm32"))]
pub use folder::WorkFolder;
pub use read::{MOST_BYTES, Pieces, all, file, pieces};
#[cfg(not(target_arch = "wasm32"))]
pub use write::{Draft, replace};

use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use crate::diagnostic::{Code, Diagnostic, plain};
use crate::watch::{self, Context, Stop};

/// A source of files: the disk on the command line, memory in tests.
pub trait Files {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too long for a source, or the work is
    /// stopped.
    fn read(&self, path: &Path, context: &Context<'_>) -> Result<Vec<u8>, Unread>;

    /// Returns the bytes of a data file as they arrive. There may be as many as fit in memory.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    fn pieces<'w>(&self, path: &Path, context: &'w Context<'w>) -> Result<Pieces<'w>, Unread> {
        Ok(Pieces::held(self.read(path, context)?, context))
    }

    /// Returns one name for all ways to write the same path, so that a file is loaded once.
    ///
    /// # Errors
    /// Returns an error if there is no such file.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// Returns the folders in which `use` looks after the folder of the file that contains it.
    fn library_path(&self) -> Vec<PathBuf>;

    /// Lists the entries of a folder, for completion of paths. The list is empty if they are
    /// unknown.
    fn entries(&self, _folder: &Path) -> Vec<FolderEntry> {
        Vec::new()
    }
}

/// A file or a folder in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// `true` if it is a folder.
    pub is_folder: bool,
}

/// The reason why a file's bytes are not available.
#[derive(Debug)]
pub enum Unread {
    /// The system reported an error.
    Failed(io::Error),
    /// The file has more than this many bytes.
    TooLong(u64),
    /// The work was stopped.
    Stopped(Stop),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Finds the file that `use "path"` means: in the folder of the file that contains it, else in the
/// game library.
pub fn find(files: &dyn Files, path: &str, folder: &Path) -> PathBuf {
    let beside = folder.join(path);
    if files.canonical(&beside).is_ok() {
        return beside;
    }
    let library = files
        .library_path()
        .into_iter()
        .map(|folder| folder.join(path));
    library
        .into_iter()
        .find(|candidate| files.canonical(candidate).is_ok())
        // The message about a missing file names the nearest place.
        .unwrap_or(beside)
}

/// Returns `true` if the name of a file ends in `.bid`, and that of the file that it links to as
/// well. If the link cannot be resolved, the first condition suffices.
pub fn is_bid_file(files: &dyn Files, path: &Path) -> bool {
    let is_named = |path: &Path| path.extension().is_some_and(|end| end == "bid");
    is_named(path)
        && files
            .canonical(path)
            // If there is no such file, reading it reports that.
            .map_or(true, |canonical| is_named(&canonical))
}

/// Reads the text of a file. Also returns the canonical name of its path.
///
/// # Errors
/// Returns a diagnostic if the file cannot be read or is not text.
pub fn text(
    files: &dyn Files,
    path: &Path,
    context: &Context<'_>,
) -> Result<(String, PathBuf), Diagnostic> {
    let name = path.display().to_string();
    let read = |canonical| Ok((canonical, files.read(path, context)?));
    let found = files.canonical(path).map_err(Unread::Failed).and_then(read);
    let (canonical, bytes) = found.map_err(|why| unreadable(&name, why))?;
    Ok((utf8(&name, bytes)?, canonical))
}

/// Decodes bytes as the text of a source.
///
/// # Errors
/// Returns a diagnostic if they are not text.
pub fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    // A zero byte is valid UTF-8, but no text has one.
    if bytes.contains(&0) {
        return Err(no_text(name, &bytes));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(name, &error))
}

/// Builds the diagnostic of a file that cannot be read.
pub fn unreadable(name: &str, why: Unread) -> Diagnostic {
    let error = match why {
        Unread::Stopped(stop) => {
            return Diagnostic::from(stop).note(format!("{name} was being read"));
        }
        Unread::TooLong(most) => {
            return Diagnostic::new(Code::NoFile, format!("{name} is too long for a source"))
                .note(format!("sources have up to {} bytes", watch::size(most)))
                .help("write the game as rules, or spread it over files that are brought in with `use`");
        }
        Unread::Failed(error) => error,
    };
    let is_missing = error.kind() == io::ErrorKind::NotFound;
    let what = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => plain(&error),
    };
    let error = Diagnostic::new(Code::NoFile, format!("cannot read {name}: {what}"));
    if is_missing && is_in_library(name) {
        return error.help(format!("the game library has this file: `bid eval -l {name} EXPR` loads it, and so does `use \"{name}\"` in a program"));
    }
    error.help("a path on the command line is relative to the current folder, a path after `use` to the file that names it, and then to the game library")
}

/// Builds the diagnostic of a `use` of a file that is not a program.
pub fn no_bid_file(path: &str) -> Diagnostic {
    let help = if Path::new(path).extension().is_none() && !path.is_empty() {
        format!("write `use \"{path}.bid\"`")
    } else {
        "`use` reads files whose names end in `.bid`; a file that is named on the command line may have any name".to_owned()
    };
    Diagnostic::new(
        Code::NoFile,
        format!("cannot use {path}: it is not a `.bid` file"),
    )
    .help(help)
}

/// Builds the diagnostic of files that use each other in a cycle, each the next one and the last
/// one the first.
pub fn circle(files: &[PathBuf]) -> Diagnostic {
    let name = |path: &PathBuf| {
        path.file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into())
    };
    let circle: Vec<String> = files.iter().map(name).collect();
    let message = format!(
        "this file uses itself: {} → {}",
        circle.join(" → "),
        circle[0]
    );
    Diagnostic::new(Code::ImportCycle, message).help("move what both files need into a third one")
}

/// Builds the diagnostic of bytes of which some are 0, which are not text.
fn no_text(name: &str, bytes: &[u8]) -> Diagnostic {
    let before = bytes.iter().take_while(|byte| **byte != 0).count();
    Diagnostic::new(Code::NotUtf8, format!("{name} is not text"))
        .note(format!(
            "byte number {} is 0, which does not occur in text",
            before + 1
        ))
        .help("name a text file, saved as UTF-8")
}

/// Builds the diagnostic of a text that is not UTF-8, with the line of the first mistake.
fn not_utf8(name: &str, error: &FromUtf8Error) -> Diagnostic {
    let before = error.utf8_error().valid_up_to();
    let line = 1 + error.as_bytes()[..before]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    Diagnostic::new(Code::NotUtf8, format!("{name} is not UTF-8 text"))
        .note(format!(
            "the first bad byte is number {}, on line {line}",
            before + 1
        ))
        .help("save the file as UTF-8")
}
