//! Files for sessions that need none.

use std::io;
use std::path::{Path, PathBuf};

use bid::files::Unread;
use bid::watch::Watch;

/// No files at all.
pub struct Nowhere;

impl bid::files::Files for Nowhere {
    fn read(&self, _: &Path, _: &dyn Watch) -> Result<Vec<u8>, Unread> {
        Err(io::Error::from(io::ErrorKind::NotFound).into())
    }

    fn canonical(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn library_path(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}
