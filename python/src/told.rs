//! Records the inputs of a session, so that it can be repeated in a process forked from its own,
//! and its games can be made in other sessions.

use std::path::Path;

use bid::session::{Program, ProgramStep, changes_session, with_full_paths};
use bid_language::files::{self, DiskFiles, Files};
use bid_report::Report;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The recorded inputs of a session.
#[derive(Default)]
pub struct SessionRecord {
    /// The files and steps.
    pub program: Program,
    /// Set if a text was stopped between its definitions, so that it is unknown which of them
    /// apply.
    is_torn: bool,
    /// The program as bytes, if it has been requested since the last step.
    bytes: Option<Py<PyBytes>>,
}

impl SessionRecord {
    /// Adds a step.
    pub fn add(&mut self, step: ProgramStep) {
        self.bytes = None;
        let steps = &mut self.program.steps;
        if let (Some(ProgramStep::Define(before, _)), ProgramStep::Define(name, _)) =
            (steps.last(), &step)
            // The first value has no effect any more, and a loop that redefines a name would fill
            // the memory.
            && before == name
        {
            steps.pop();
        }
        steps.push(step);
    }

    /// Records that a text was stopped.
    pub fn tear(&mut self) {
        self.is_torn = true;
    }

    /// Records the texts of the files that have been read.
    pub fn read(&mut self, files: Vec<(String, String)>) {
        self.bytes = None;
        self.program.files = files;
    }

    /// Returns the reason that a session cannot be repeated, if there is one.
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

    /// Returns the program as bytes. The object stays the same as long as nothing is added, so that
    /// a pickle of many games contains it once.
    pub fn bytes(&mut self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        if let Some(bytes) = &self.bytes {
            return Ok(bytes.clone_ref(py));
        }
        let bytes = PyBytes::new(py, &borsh::to_vec(&self.program)?).unbind();
        self.bytes = Some(bytes.clone_ref(py));
        Ok(bytes)
    }
}

/// Returns the step of a text, if it changes the meaning of later texts.
pub fn text(text: &str, names: &[(String, Report)], rules: Option<&String>) -> Option<ProgramStep> {
    // Parsing a text takes as long as answering a short question.
    let may_change = ["let", "game", "rules", "use", "using"];
    let changes = may_change.iter().any(|word| text.contains(word)) && changes_session(text);
    changes.then(|| ProgramStep::Text {
        text: with_full_paths(&DiskFiles, text),
        names: names.to_vec(),
        rules: rules.cloned(),
    })
}

/// Returns the step of a file.
pub fn load(path: &Path) -> ProgramStep {
    let found = files::find(&DiskFiles, &path.to_string_lossy(), Path::new(""));
    // The working folder may change before the step is repeated.
    let full = DiskFiles.canonical(&found).unwrap_or(found);
    ProgramStep::Load(full.to_string_lossy().into_owned())
}
