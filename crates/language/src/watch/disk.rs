//! The files that long work may use.

use std::fmt;
use std::io;

/// What stands under the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Absent,
    /// A file with these bytes.
    Bytes(Vec<u8>),
    /// What was not written here: a link, a pipe, a device, a folder, or a file longer than was
    /// asked for.
    Foreign,
}

/// Files by name in folders by name: what is needed of a disk.
pub trait Disk: Sync + fmt::Debug {
    /// What is under the name of a file; no more than `most` bytes of it are read.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&self, folder: &str, file: &str, most: u64) -> io::Result<Content>;

    /// So many bytes of a file from an offset on. A file that ends before is [`Content::Foreign`].
    ///
    /// # Errors
    /// If it cannot be read.
    fn read_part(
        &self,
        folder: &str,
        file: &str,
        offset: u64,
        length: usize,
    ) -> io::Result<Content> {
        let content = self.read(folder, file, u64::MAX)?;
        let Content::Bytes(bytes) = &content else {
            return Ok(content);
        };
        let part = usize::try_from(offset)
            .ok()
            .and_then(|start| bytes.get(start..start.checked_add(length)?));
        Ok(part.map_or(Content::Foreign, |part| Content::Bytes(part.to_vec())))
    }

    /// Makes or replaces a file, wholly or not at all, whatever happens meanwhile. It lasts once
    /// this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&self, folder: &str, file: &str, bytes: &[u8]) -> io::Result<()>;

    /// Removes a file if it is there.
    ///
    /// # Errors
    /// If it cannot be removed.
    fn remove(&self, folder: &str, file: &str) -> io::Result<()>;

    /// The names of the files in a folder; none if there is no folder.
    ///
    /// # Errors
    /// If it cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// What messages call the folder.
    fn name(&self, folder: &str) -> String;
}
