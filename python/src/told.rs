//! All that a session was told: so that it begins again in a process that was forked from its own, and
//! that games it made are made elsewhere.

use std::path::Path;

use bid::session::{Program, ProgramStep, changes_session, with_full_paths};
use bid_language::files::{self, DiskFiles, Files};
use bid_report::Report;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// All that a session was told.
#[derive(Default)]
pub struct SessionRecord {
    /// Files and steps.
    pub program: Program,
    /// Set when a text was stopped between its definitions: nobody knows which of them hold.
    is_torn: bool,
    /// The program as bytes, if somebody has asked since the last step.
    bytes: Option<Py<PyBytes>>,
}

impl SessionRecord {
    /// Adds a step.
    pub fn add(&mut self, step: ProgramStep) {
        self.bytes = None;
        let steps = &mut self.program.steps;
        if let (Some(ProgramStep::Define(before, _)), ProgramStep::Define(name, _)) =
            (steps.last(), &step)
            && before == name
        {
            steps.pop();
        }
        steps.push(step);
    }

    /// A text was stopped.
    pub fn tear(&mut self) {
        self.is_torn = true;
    }

    /// Keeps the texts of the files that have been read.
    pub fn read(&mut self, files: Vec<(String, String)>) {
        self.bytes = None;
        self.program.files = files;
    }

    /// Why a session cannot begin again, if it cannot.
    pub fn obstacle(&self) -> Option<&'static str> {
        if self.is_torn {
            return Some("a text that defines names was stopped before its end");
        }
        let is_given = self
            .program
            .steps
            .iter()
            .any(|step| !step.can_be_repeated());
        is_given.then_some("games were given to it as values of names")
    }

    /// The program as bytes; the same object as long as nothing is added, so that a pickle of many
    /// games holds it once.
    pub fn bytes(&mut self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        if let Some(bytes) = &self.bytes {
            return Ok(bytes.clone_ref(py));
        }
        let bytes = PyBytes::new(py, &borsh::to_vec(&self.program)?).unbind();
        self.bytes = Some(bytes.clone_ref(py));
        Ok(bytes)
    }
}

/// The step that a text is, if it changes what later texts mean.
pub fn text(text: &str, names: &[(String, Report)], rules: Option<&String>) -> Option<ProgramStep> {
    // To read a text takes as long as to answer a short question.
    let may_change = ["let", "game", "rules", "use", "using"];
    let changes = may_change.iter().any(|word| text.contains(word)) && changes_session(text);
    changes.then(|| ProgramStep::Text {
        text: with_full_paths(&DiskFiles, text),
        names: names.to_vec(),
        rules: rules.cloned(),
    })
}

/// The step that a file is.
pub fn load(path: &Path) -> ProgramStep {
    let found = files::find(&DiskFiles, &path.to_string_lossy(), Path::new(""));
    let full = DiskFiles.canonical(&found).unwrap_or(found);
    ProgramStep::Load(full.to_string_lossy().into_owned())
}
