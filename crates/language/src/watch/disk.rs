//! Access to the files that long work may use.

use std::fmt;
use std::io;

use super::Sharing;

/// The content found under the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Absent,
    /// A file with these bytes.
    Bytes(Vec<u8>),
    /// Something that was not written by this program: a link, a pipe, a device, a folder, or a
    /// file longer than the requested size.
    Foreign,
}

/// The disk operations that work needs. A file is identified by the names of its folder and of
/// itself.
pub trait Disk: Sync + fmt::Debug {
    /// Reads the content under the name of a file, at most `most` bytes of it.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn read(&self, folder: &str, file: &str, most: u64) -> io::Result<Content>;

    /// Reads `length` bytes of a file from an offset on. A file that ends before is
    /// [`Content::Foreign`].
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
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

    /// Creates or replaces a file atomically. A crash of the machine before [`sync`](Self::sync) may
    /// leave nothing or anything of a new file; a replaced one is the old or the new one.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    fn write(&self, folder: &str, file: &str, bytes: &[u8]) -> io::Result<()>;

    /// Makes the files in a folder durable.
    ///
    /// # Errors
    /// Returns an error if they cannot be written.
    fn sync(&self, _folder: &str) -> io::Result<()> {
        Ok(())
    }

    /// Removes a file if it exists.
    ///
    /// # Errors
    /// Returns an error if it cannot be removed.
    fn remove(&self, folder: &str, file: &str) -> io::Result<()>;

    /// Lists the names of the files in a folder, after removing what programs that were killed have
    /// left half-written. The list is empty if there is no folder.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Returns the name of the folder in messages.
    fn name(&self, folder: &str) -> String;

    /// Returns the division of sweeps among the processes that use the disk at the same time;
    /// `None` if no other process uses it.
    fn sharing(&self) -> Option<&Sharing> {
        None
    }
}
