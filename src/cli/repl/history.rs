//! Keeps the inputs of earlier sessions in a file.
//!
//! Each input is added to the present content of the file, because other sessions add theirs. The
//! file is rewritten each time, so that a full disk loses none of it.

use std::fs::{self, File};
use std::path::PathBuf;

use bid_language::files::{self, Draft};
use rustyline::history::{FileHistory, History as _};
use rustyline::{Config, Result};

/// The file that keeps inputs.
pub struct HistoryFile {
    path: PathBuf,
    config: Config,
}

impl HistoryFile {
    /// Opens the user's file, and returns it with its inputs. Nothing is kept if there can be no
    /// such file; a file that cannot be read is left alone.
    pub fn open(config: Config) -> (Option<Self>, FileHistory) {
        let kept = files::history_file().map(|path| Self {
            path,
            config: config.clone(),
        });
        match kept.as_ref().map(Self::inputs) {
            Some(Ok(inputs)) => (kept, inputs),
            Some(Err(_)) | None => (None, FileHistory::with_config(&config)),
        }
    }

    fn inputs(&self) -> Result<FileHistory> {
        let mut inputs = FileHistory::with_config(&self.config);
        if self.path.exists() {
            inputs.load(&self.path)?;
        }
        Ok(inputs)
    }

    /// Adds an input.
    ///
    /// # Errors
    /// Returns an error if it cannot be kept; the file is then unchanged.
    pub fn add(&self, input: &str) -> Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            // The file itself is replaced each time, so a lock on it would not keep others out.
            .open(self.path.with_extension("lock"))?;
        lock.lock()?;
        let mut inputs = self.inputs()?;
        // An input that the history drops, such as a repeated one, needs no new file.
        if inputs.add(input)? {
            let draft = Draft::private(&self.path)?;
            inputs.save(draft.aside())?;
            draft.publish()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(path: &std::path::Path) -> HistoryFile {
        HistoryFile {
            path: path.to_owned(),
            config: Config::default(),
        }
    }

    fn all(path: &std::path::Path) -> Vec<String> {
        let inputs = kept(path).inputs().expect("it can be read");
        inputs.iter().cloned().collect()
    }

    #[test]
    fn sessions_add_to_what_others_have_added() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("state/history");
        let (one, other) = (kept(&path), kept(&path));
        for (session, input) in [(&one, "R(A)"), (&other, "let x =\n  \"\\\\\""), (&one, "x")] {
            session.add(input).expect("it is kept");
        }
        assert_eq!(all(&path), ["R(A)", "let x =\n  \"\\\\\"", "x"]);
    }

    /// The line editor's own method would empty such a file at the first input.
    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("history");
        let bytes = b"#V2\nR(A)\n\xff\n";
        fs::write(&path, bytes).expect("it is written");
        assert!(kept(&path).add("x").is_err());
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
    }
}
