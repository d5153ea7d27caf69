//! Answers the questions of editors about texts, by plain calls on the thread that owns the desk,
//! without running anything.

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

/// Documents with their analyses.
pub struct Desk {
    documents: Documents,
    workspace: Workspace,
}

impl Desk {
    /// Creates a desk over these files, without open documents.
    pub fn new(beneath: Rc<dyn Files>) -> Self {
        let documents = Documents::over(beneath);
        let workspace = Workspace::new(documents.clone());
        Self {
            documents,
            workspace,
        }
    }

    /// Returns the open documents, over the files.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// Returns the workspace, which answers questions about analysed texts.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Records that a document or a file has changed.
    pub fn change(&mut self, change: &FileChange) {
        // A name may denote another file once a document is opened or closed, so analyses are
        // dropped under both its old and its new meaning.
        self.workspace.forget(change.path());
        match change {
            FileChange::Open(path, text) => self.documents.set(path, text.as_str()),
            FileChange::Close(path) => self.documents.close(path),
            FileChange::Disk(_) => {}
        }
        self.workspace.forget(change.path());
    }

    /// Returns the analysis of a document.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or the work is stopped.
    pub fn analysis(&mut self, path: &Path, context: &Context<'_>) -> Result<Rc<Analysis>> {
        self.workspace.analysis(path, context)
    }

    /// Returns all diagnostics of a document.
    pub fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        analysis
            .diagnostics
            .iter()
            .map(|wrong| self.finding(wrong))
            .collect()
    }

    /// Converts a diagnostic about documents to a form that is understood without their texts.
    pub fn finding(&self, diagnostic: &Diagnostic) -> Finding {
        Finding::of(&self.documents, self.workspace.sources(), diagnostic)
    }

    /// Returns the statements of a document, each with the statements that it needs.
    pub fn cells(&self, analysis: &Analysis) -> Vec<DocumentCell> {
        cells(analysis, self.workspace.text(analysis).1)
    }

    /// Computes a checksum of all files that a document uses, directly or indirectly.
    pub(super) fn uses(&mut self, analysis: &Rc<Analysis>, context: &Context<'_>) -> Result<u128> {
        let (mut hash, mut open) = (Xxh3::new(), vec![Rc::clone(analysis)]);
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            for used in next
                .uses
                .iter()
                // A file that is used in two ways counts once.
                .filter(|used| seen.insert(used.path.clone()))
            {
                hash.update(used.path.as_os_str().as_encoded_bytes());
                match self.workspace.analysis(&used.path, context) {
                    Ok(used) => {
                        hash.update(self.workspace.text(&used).1.as_bytes());
                        open.push(used);
                    }
                    Err(stopped) if stopped.code.is_stop() => return Err(stopped),
                    // A file that appears later changes the checksum, which then has its text here.
                    Err(_) => hash.update(&[0]),
                }
            }
        }
        Ok(hash.digest128())
    }
}
