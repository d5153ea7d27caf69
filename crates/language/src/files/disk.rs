//! Files on the disk, the files built into the program, and the folders of the user's own files.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Files, FolderEntry, Pieces, Unread, read};
use crate::watch::Context;

/// The files of the disk.
#[derive(Debug, Clone, Copy)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn read(&self, path: &Path, context: &Context<'_>) -> Result<Vec<u8>, Unread> {
        match built_in(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => read::file(path, context),
        }
    }

    fn pieces<'w>(&self, path: &Path, context: &'w Context<'w>) -> Result<Pieces<'w>, Unread> {
        match built_in(path) {
            Some(text) => Ok(Pieces::held(text.as_bytes().to_vec(), context)),
            None => read::pieces(path, context),
        }
    }

    /// Returns the path itself for a pipe, which has no other name.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if built_in(path).is_some() {
            return Ok(path.to_path_buf());
        }
        // A process substitution of a shell leads to a pipe, which cannot be resolved.
        fs::canonicalize(path).or_else(|error| {
            fs::metadata(path)
                .map(|_| path.to_path_buf())
                .map_err(|_| error)
        })
    }

    /// Returns the folders of `BID_PATH`, then the user's own library, then the program's.
    fn library_path(&self) -> Vec<PathBuf> {
        let named =
            env::var_os("BID_PATH").map(|paths| env::split_paths(&paths).collect::<Vec<_>>());
        let own = user_folder("XDG_DATA_HOME", ".local/share").map(|folder| folder.join("games"));
        named
            .unwrap_or_default()
            .into_iter()
            .chain(own)
            .chain([PathBuf::from(BUILT_IN)])
            .collect()
    }

    fn entries(&self, folder: &Path) -> Vec<FolderEntry> {
        if folder.starts_with(BUILT_IN) {
            return built_in_entries(folder);
        }
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let named = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(FolderEntry {
                name,
                is_folder: entry.path().is_dir(),
            })
        });
        named.collect()
    }
}

/// The files built into the program, and no others, for use without a disk.
#[derive(Debug, Clone, Copy)]
pub struct Library;

impl Files for Library {
    fn read(&self, path: &Path, _: &Context<'_>) -> Result<Vec<u8>, Unread> {
        let text = built_in(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(text.as_bytes().to_vec())
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        built_in(path)
            .map(|_| path.to_path_buf())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn library_path(&self) -> Vec<PathBuf> {
        vec![PathBuf::from(BUILT_IN)]
    }

    fn entries(&self, folder: &Path) -> Vec<FolderEntry> {
        built_in_entries(folder)
    }
}

/// Returns the entries of a folder of the built-in library. The files stand in its root and again
/// in the folder `games`.
fn built_in_entries(folder: &Path) -> Vec<FolderEntry> {
    let files = || {
        LIBRARY.iter().map(|(name, _)| FolderEntry {
            name: (*name).to_owned(),
            is_folder: false,
        })
    };
    match folder.strip_prefix(BUILT_IN) {
        Ok(rest) if rest.as_os_str().is_empty() => files()
            .chain([FolderEntry {
                name: "games".to_owned(),
                is_folder: true,
            }])
            .collect(),
        Ok(rest) if rest == Path::new("games") => files().collect(),
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// The name of the folder that stands for the built-in library.
const BUILT_IN: &str = "<library>";

/// The texts of files of the game library, with their names.
macro_rules! texts {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../games/", $name)))),+]
    };
}

/// The files of the game library, built in so that an installed program has them wherever it runs.
const LIBRARY: &[(&str, &str)] = texts![
    "arun.bid",
    "budgets.bid",
    "chess.bid",
    "classics.bid",
    "develin_payne.bid",
    "fence.bid",
    "goodfellow.bid",
    "income.bid",
    "infinite_play.bid",
    "larsson_patel_rai.bid",
    "menz_wang_xie.bid",
    "oshi_zumo.bid",
    "robin_hood.bid",
    "sums.bid",
    "turns.bid",
    "variants.bid",
];

/// Returns the names and texts of the files of the built-in library.
pub fn library() -> &'static [(&'static str, &'static str)] {
    LIBRARY
}

/// Returns `true` for the path of a file of the built-in library.
pub fn is_built_in(path: &Path) -> bool {
    built_in(path).is_some()
}

/// Returns `true` for the name of a file of the built-in library, as `use` takes it.
pub fn is_in_library(name: &str) -> bool {
    is_built_in(&Path::new(BUILT_IN).join(name))
}

/// Returns the text of a file of the built-in library. `<library>/classics.bid` and
/// `<library>/games/classics.bid` are the same file.
fn built_in(path: &Path) -> Option<&'static str> {
    let path = path.strip_prefix(BUILT_IN).ok()?;
    let name = path.strip_prefix("games").unwrap_or(path);
    LIBRARY
        .iter()
        .find(|(file, _)| Path::new(file) == name)
        .map(|(_, text)| *text)
}

/// The most bytes of a history file. A longer file was not written by the REPL.
const LONGEST_HISTORY: u64 = 1 << 26;

/// Returns the path of the REPL's history, with a link resolved if the user has put one there.
/// Returns `None` if the path leads to something else: a device, a pipe, or a file too long to be a
/// history.
pub fn history_file() -> Option<PathBuf> {
    let path = user_folder("XDG_STATE_HOME", ".local/state")?.join("history");
    let path = fs::canonicalize(&path).unwrap_or(path);
    let is_ours =
        fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= LONGEST_HISTORY);
    // If nothing is there yet, the file can be created.
    (is_ours || fs::symlink_metadata(&path).is_err()).then_some(path)
}

/// Returns the program's folder below one of the XDG base directories.
fn user_folder(variable: &str, default: &str) -> Option<PathBuf> {
    let set = env::var_os(variable)
        .map(PathBuf::from)
        // The XDG specification demands that relative paths are ignored.
        .filter(|path| path.is_absolute());
    let base = set.or_else(|| {
        env::home_dir()
            .filter(|home| home.is_absolute())
            .map(|home| home.join(default))
    })?;
    Some(base.join("bid"))
}

/// Returns `true` if a path of the command line means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Finds all `.bid` files that the paths name: a file stands for itself, a folder for the files
/// below it in alphabetical order. Standard input counts as a file.
///
/// Hidden folders, `target` and `snapshots` are skipped.
///
/// # Errors
/// Returns the path that could not be read, and the reason.
pub fn bid_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut found = Vec::new();
    for path in paths {
        let is_folder = || fs::metadata(path).map(|found| found.is_dir());
        if is_standard_input(path) || !is_folder().map_err(|error| (path.clone(), error))? {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        collect(path, &mut found)?;
        // Systems list folders in any order, and results must not depend on it.
        found[before..].sort();
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|path| seen.insert(path.clone()));
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    let blame = |error| (folder.to_path_buf(), error);
    for entry in fs::read_dir(folder).map_err(blame)? {
        let entry = entry.map_err(blame)?;
        let path = entry.path();
        // The type of the entry itself is asked for, so that a link to a folder is not followed in
        // a circle.
        if entry.file_type().map_err(blame)?.is_dir() {
            let name = entry.file_name();
            let passed_over =
                name == "target" || name == "snapshots" || name.to_string_lossy().starts_with('.');
            if !passed_over {
                collect(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "bid") {
            found.push(strip_dot(&path));
        }
    }
    Ok(())
}

/// Removes a leading `./`: returns `games/classics.bid` for `./games/classics.bid`.
fn strip_dot(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_library_is_part_of_the_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let mut files = bid_files(&[folder]).expect("the folder is there");
        files.sort();
        let names: Vec<_> = files
            .iter()
            .filter_map(|path| path.file_name()?.to_str())
            .collect();
        assert_eq!(
            names,
            LIBRARY.iter().map(|(name, _)| *name).collect::<Vec<_>>()
        );
        assert!(
            DiskFiles
                .read(
                    Path::new("<library>/games/classics.bid"),
                    crate::watch::Context::plain()
                )
                .is_ok()
        );
    }
}
