//! Writes files to a temporary name first and then moves them into their place in one step.
//!
//! A full disk, a crash or a limit leaves the old file as it was, and nobody ever reads half of a
//! new one. The program writes all its files this way.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

/// A temporary file with a random name, in the folder of the file that it will replace. It is
/// removed unless it is published.
#[derive(Debug)]
pub struct Draft {
    file: NamedTempFile,
    path: PathBuf,
    /// `true` if there is a file that it will replace.
    replaces: bool,
}

impl Draft {
    /// Creates a draft of a file that others may read as far as the user's settings permit. If it
    /// replaces a file, it takes that file's permissions.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written to, or if the path leads to something other
    /// than a writable regular file. A link is refused, because it may lead anywhere.
    pub fn of(path: &Path) -> io::Result<Self> {
        remove_abandoned(folder(path));
        Self::in_tidy_folder(path)
    }

    /// Creates a draft as [`of`](Self::of) does, in a folder from which the abandoned ones have
    /// been removed: to look for them takes as long as there are files.
    fn in_tidy_folder(path: &Path) -> io::Result<Self> {
        let old = replaceable(path)?;
        #[cfg(unix)]
        let permissions = old
            .is_none()
            // Temporary files are private by default; the user's mask takes away from these
            // permissions.
            .then(|| std::os::unix::fs::PermissionsExt::from_mode(0o666));
        #[cfg(not(unix))]
        let permissions = None;
        let file = aside_in(folder(path), permissions)?;
        if let Some(old) = &old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Self {
            file,
            path: path.to_owned(),
            replaces: old.is_some(),
        })
    }

    /// Creates a draft of a file that only the user may read.
    pub fn private(path: &Path) -> io::Result<Self> {
        remove_abandoned(folder(path));
        let old = replaceable(path)?;
        Ok(Self {
            file: aside_in(folder(path), None)?,
            path: path.to_owned(),
            replaces: old.is_some(),
        })
    }

    /// Returns the path of the temporary file, for code that writes to paths only.
    pub fn aside(&self) -> &Path {
        self.file.path()
    }

    /// Moves the draft into its place after its contents have reached the disk.
    ///
    /// # Errors
    /// Returns an error if the disk does not take it. The old file is then as it was.
    pub fn publish(self) -> io::Result<()> {
        let path = self.path.clone();
        // The contents must be on the disk before the name points to them.
        self.file.as_file().sync_all()?;
        self.publish_unsynced()?;
        // The new name is an entry of the folder, which a crash could lose.
        sync(folder(&path))
    }

    /// Moves the draft into its place, perhaps before its contents have reached the disk.
    fn publish_unsynced(self) -> io::Result<()> {
        let persisted = self.file.persist(&self.path);
        persisted.map(drop).map_err(|failed| failed.error)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Replaces the contents of a file in one step.
///
/// # Errors
/// Returns an error if the file cannot be written. The old file is then as it was.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    let mut draft = Draft::of(path)?;
    draft.write_all(text.as_ref())?;
    draft.publish()
}

/// Replaces the contents of a file in one step, as [`replace`] does, in a folder of many files: the
/// folder is not searched for abandoned drafts, so [`remove_abandoned`] comes before the first of
/// them, and neither a new file nor the folder is synchronised, so the caller does that after the
/// last: many together take hardly longer than one.
pub(super) fn replace_one_of_many(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::in_tidy_folder(path)?;
    draft.write_all(bytes)?;
    // A crash of the machine could leave neither the old contents nor the new ones.
    if draft.replaces {
        draft.file.as_file().sync_all()?;
    }
    draft.publish_unsynced()
}

const PREFIX: &str = ".bid-";
const SUFFIX: &str = ".tmp";

/// The age at which a draft counts as abandoned by a program that was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Creates a temporary file in a folder.
fn aside_in(folder: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut aside = Builder::new();
    aside.prefix(PREFIX).suffix(SUFFIX);
    if let Some(permissions) = permissions {
        aside.permissions(permissions);
    }
    aside.tempfile_in(folder)
}

/// Removes abandoned drafts. Failures are ignored, because nothing depends on the removal.
pub(super) fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        let written = entry.metadata().and_then(|found| found.modified());
        let age = written.ok().and_then(|written| written.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED) {
            // Another program may have removed it already.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Checks that the file at a path may be replaced. Returns its metadata, or `None` if there is no
/// file.
fn replaceable(path: &Path) -> io::Result<Option<Metadata>> {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let refused = |kind, why: &str| Err(io::Error::new(kind, why));
    if found.is_symlink() {
        refused(
            ErrorKind::InvalidInput,
            "it is a link, and nothing is written through links: name the file itself",
        )
    } else if found.is_dir() {
        refused(ErrorKind::IsADirectory, "it is a folder")
    } else if !found.is_file() {
        refused(ErrorKind::InvalidInput, "it is not a regular file")
    } else if found.permissions().readonly() {
        refused(ErrorKind::PermissionDenied, "it is read-only")
    } else {
        Ok(Some(found))
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    }
}

/// Writes the entries of a folder to the disk, on systems that can do that.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    // A folder with write but no read permission cannot be opened.
    let Ok(folder) = File::open(folder) else {
        return Ok(());
    };
    match folder.sync_all() {
        // Some file systems cannot synchronise folders and return this error.
        Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let named = entries.map(|entry| entry.expect("it can be read").file_name());
        named
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_draft_is_seen_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("a");
        replace(&path, "old").expect("it is written");
        let mut draft = Draft::of(&path).expect("it is begun");
        draft.write_all(b"ne").expect("it is written");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        drop(draft);
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        assert_eq!(names(folder.path()), ["a"]);
        replace(&path, "new").expect("it is written");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn drafts_of_killed_programs_are_removed() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let at = |name: &str| folder.path().join(name);
        for (name, hours) in [
            (".bid-1.tmp", 25),
            (".bid-2.tmp", 23),
            (".bid-3", 25),
            ("4.tmp", 25),
        ] {
            let file = File::create(at(name)).expect("it is made");
            let written = SystemTime::now() - Duration::from_secs(hours * 60 * 60);
            file.set_modified(written).expect("it is set");
        }
        replace(&at("a"), "text").expect("it is written");
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [".bid-2.tmp", ".bid-3", "4.tmp", "a"]);
    }

    #[test]
    fn what_is_written_by_the_path_is_published_too() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("a");
        let draft = Draft::private(&path).expect("it is begun");
        fs::write(draft.aside(), "all").expect("it is written");
        draft.publish().expect("it is published");
        assert_eq!(fs::read(&path).expect("it is there"), b"all");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_folders_devices_and_read_only_files_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a scratch folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("thesis"), "a year's work").expect("it is written");
        fs::create_dir(at("folder")).expect("it is made");
        fs::write(at("kept"), "kept").expect("it is written");
        fs::set_permissions(at("kept"), Permissions::from_mode(0o444)).expect("it is set");
        symlink("thesis", at("link")).expect("it is linked");
        symlink("nowhere", at("dangling")).expect("it is linked");
        let mut before = names(folder.path());
        before.sort();
        for (name, why) in [
            ("link", "a link"),
            ("dangling", "a link"),
            ("folder", "a folder"),
            ("kept", "read-only"),
        ] {
            let refused = replace(&at(name), "new").expect_err(name).to_string();
            assert!(refused.contains(why), "{name}: {refused}");
        }
        let refused = replace(Path::new("/dev/null"), "new").expect_err("a device");
        assert!(
            refused.to_string().contains("not a regular file"),
            "{refused}"
        );
        assert_eq!(
            fs::read(at("thesis")).expect("it is there"),
            b"a year's work"
        );
        let mut after = names(folder.path());
        after.sort();
        assert_eq!(after, before);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_private_files_are_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a scratch folder");
        let mode = |name: &str| {
            let found = fs::metadata(folder.path().join(name)).expect("it is there");
            found.permissions().mode() & 0o777
        };
        fs::write(folder.path().join("plain"), "").expect("it is written");
        replace(&folder.path().join("new"), "").expect("it is written");
        assert_eq!(mode("new"), mode("plain"));
        let run = folder.path().join("run");
        replace(&run, "").expect("it is written");
        fs::set_permissions(&run, Permissions::from_mode(0o751)).expect("it is set");
        replace(&run, "other").expect("it is written");
        assert_eq!(mode("run"), 0o751);
        let draft = Draft::private(&folder.path().join("own")).expect("it is begun");
        draft.publish().expect("it is published");
        assert_eq!(mode("own"), 0o600);
    }
}
