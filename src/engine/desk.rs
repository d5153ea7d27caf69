//! What editors ask about texts, by plain calls on the thread that owns the desk: nothing is run.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use xxhash_rust::xxh3::Xxh3;

use super::cells::cells;
use super::message::{DocumentCell, FileChange, Finding};
use crate::analysis::{Analysis, Workspace};
use crate::diagnostic::{Diagnostic, Result};
use crate::files::{Documents, Files};
use crate::watch::Context;

/// Documents and what is known of them.
pub struct Desk {
    documents: Documents,
    workspace: Workspace,
}

impl Desk {
    /// A desk with these files beneath; no document is open.
    pub fn new(beneath: Rc<dyn Files>) -> Self {
        let documents = Documents::over(beneath);
        let workspace = Workspace::new(documents.clone());
        Self {
            documents,
            workspace,
        }
    }

    /// The open documents, with the files beneath.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// What can be asked about a text that has been analysed.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Takes in that a document or a file is another one now.
    pub fn change(&mut self, change: &FileChange) {
        // A name may mean another file once a document is open or closed: what was known is
        // forgotten under both.
        self.workspace.forget(change.path());
        match change {
            FileChange::Open(path, text) => self.documents.set(path, text.as_str()),
            FileChange::Close(path) => self.documents.close(path),
            FileChange::Disk(_) => {}
        }
        self.workspace.forget(change.path());
    }

    /// What is known of a document.
    ///
    /// # Errors
    /// If it cannot be read, or the work is stopped.
    pub fn analysis(&mut self, path: &Path, context: &Context<'_>) -> Result<Rc<Analysis>> {
        self.workspace.analysis(path, context)
    }

    /// Everything that is wrong with a document.
    pub fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        analysis
            .diagnostics
            .iter()
            .map(|wrong| self.finding(wrong))
            .collect()
    }

    /// A diagnostic about documents, to be understood without their texts.
    pub fn finding(&self, diagnostic: &Diagnostic) -> Finding {
        Finding::of(&self.documents, self.workspace.sources(), diagnostic)
    }

    /// The statements of a document, and which of them need which.
    pub fn cells(&self, analysis: &Analysis) -> Vec<DocumentCell> {
        cells(analysis, self.workspace.text(analysis).1)
    }

    /// A checksum of all files that a document uses, at first hand or not.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn uses(&mut self, analysis: &Rc<Analysis>, context: &Context<'_>) -> Result<u128> {
        let (mut hash, mut open) = (Xxh3::new(), vec![Rc::clone(analysis)]);
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            for used in next
                .uses
                .iter()
                .filter(|used| seen.insert(used.path.clone()))
            {
                hash.update(used.path.as_os_str().as_encoded_bytes());
                match self.workspace.analysis(&used.path, context) {
                    Ok(used) => {
                        hash.update(self.workspace.text(&used).1.as_bytes());
                        open.push(used);
                    }
                    Err(stopped) if stopped.code.is_stop() => return Err(stopped),
                    Err(_) => hash.update(&[0]),
                }
            }
        }
        Ok(hash.digest128())
    }
}
