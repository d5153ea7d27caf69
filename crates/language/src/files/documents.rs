//! Open documents, whose texts hide the contents of the files beneath them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::{Files, FolderEntry, Pieces, Unread};
use crate::watch::Context;

/// Open documents over other files. An open path is read from here, any other from the files
/// beneath.
///
/// Clones share the documents.
#[derive(Clone)]
pub struct Documents {
    open: Rc<RefCell<BTreeMap<PathBuf, String>>>,
    beneath: Rc<dyn Files>,
}

impl Documents {
    /// Creates a set without open documents over these files.
    pub fn over(beneath: Rc<dyn Files>) -> Self {
        Self {
            open: Rc::default(),
            beneath,
        }
    }

    /// Creates a set without files beneath it.
    pub fn alone() -> Self {
        Self::over(Rc::new(Nowhere))
    }

    /// Opens a document, or replaces the text of an open one.
    pub fn set(&self, path: &Path, text: impl Into<String>) {
        self.open.borrow_mut().insert(self.key(path), text.into());
    }

    /// Closes a document, so that its path is read from beneath again.
    pub fn close(&self, path: &Path) {
        self.open.borrow_mut().remove(&self.key(path));
    }

    /// Returns the text of an open document.
    pub fn text(&self, path: &Path) -> Option<String> {
        self.open.borrow().get(&self.key(path)).cloned()
    }

    /// Returns the canonical name of a path: that of the file beneath if there is one, else the
    /// path without `.` and `..`.
    fn key(&self, path: &Path) -> PathBuf {
        self.beneath
            .canonical(path)
            .unwrap_or_else(|_| normal(path))
    }
}

impl Files for Documents {
    fn read(&self, path: &Path, context: &Context<'_>) -> Result<Vec<u8>, Unread> {
        match self.text(path) {
            Some(text) => Ok(text.into_bytes()),
            None => self.beneath.read(path, context),
        }
    }

    fn pieces<'w>(&self, path: &Path, context: &'w Context<'w>) -> Result<Pieces<'w>, Unread> {
        match self.text(path) {
            Some(text) => Ok(Pieces::held(text.into_bytes(), context)),
            None => self.beneath.pieces(path, context),
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let key = self.key(path);
        // An open document need not exist beneath.
        if self.open.borrow().contains_key(&key) {
            Ok(key)
        } else {
            self.beneath.canonical(path)
        }
    }

    fn library_path(&self) -> Vec<PathBuf> {
        self.beneath.library_path()
    }

    fn entries(&self, folder: &Path) -> Vec<FolderEntry> {
        let mut found = self.beneath.entries(folder);
        let mut seen: BTreeSet<String> = found.iter().map(|entry| entry.name.clone()).collect();
        let folder = self.key(folder);
        for path in self.open.borrow().keys() {
            let mut rest = path
                .strip_prefix(&folder)
                .map(Path::components)
                .into_iter()
                .flatten();
            let Some(Component::Normal(name)) = rest.next() else {
                continue;
            };
            let entry = FolderEntry {
                name: name.to_string_lossy().into_owned(),
                is_folder: rest.next().is_some(),
            };
            // A file that is open and saved is listed once.
            if seen.insert(entry.name.clone()) {
                found.push(entry);
            }
        }
        found
    }
}

/// Removes `.` and `..` from a path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            Component::ParentDir
            | Component::Prefix(_)
            | Component::RootDir
            | Component::Normal(_) => {
                normal.push(component);
            }
        }
    }
    normal
}

/// A file system without files, for sessions that need none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nowhere;

impl Files for Nowhere {
    fn read(&self, _: &Path, _: &Context<'_>) -> Result<Vec<u8>, Unread> {
        Err(io::Error::from(io::ErrorKind::NotFound).into())
    }

    fn canonical(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn library_path(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Context;

    fn read(files: &dyn Files, path: &str) -> Option<String> {
        files
            .read(Path::new(path), Context::plain())
            .ok()
            .map(|bytes| String::from_utf8(bytes).expect("it was a string"))
    }

    #[test]
    fn open_documents_hide_the_files_beneath() {
        let disk = Documents::alone();
        disk.set(Path::new("a/x.bid"), "saved");
        let open = Documents::over(Rc::new(disk.clone()));
        assert_eq!(read(&open, "a/./x.bid").as_deref(), Some("saved"));
        open.set(Path::new("a/b/../x.bid"), "unsaved");
        open.set(Path::new("a/new.bid"), "new");
        assert_eq!(read(&open, "a/x.bid").as_deref(), Some("unsaved"));
        assert_eq!(read(&disk, "a/x.bid").as_deref(), Some("saved"));
        assert_eq!(
            open.canonical(Path::new("a/b/../new.bid")).ok(),
            Some(PathBuf::from("a/new.bid"))
        );
        let names: Vec<String> = open
            .entries(Path::new("a"))
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, ["x.bid", "new.bid"]);
        assert_eq!(
            open.entries(Path::new("")),
            [FolderEntry {
                name: "a".into(),
                is_folder: true
            }]
        );
        open.close(Path::new("a/x.bid"));
        open.close(Path::new("a/new.bid"));
        assert_eq!(read(&open, "a/x.bid").as_deref(), Some("saved"));
        assert_eq!(read(&open, "a/new.bid"), None);
        assert!(open.canonical(Path::new("a/new.bid")).is_err());
    }
}
