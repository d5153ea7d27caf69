//! Runs a document statement by statement, in a session that outlives its texts.

use std::path::Path;
use std::rc::Rc;

use super::load::{Load, Purpose, path_folder};
use super::{EventSink, Session, Summary};
use crate::check::{CheckedStatement, CheckedStatementKind, Scope};
use crate::ir::GlobalId;
use crate::rules::Overrides;

/// A document that has been checked.
pub struct Prepared {
    /// Its statements that have not been run yet, in order.
    pub statements: std::vec::IntoIter<CheckedStatement>,
    /// The names that are visible at its end.
    scope: Scope,
    /// The rules in force after the statements that have been run.
    defaults: Rc<Overrides>,
    /// `true` if a limit or an interrupt stopped a statement: nothing more is run.
    is_stopped: bool,
}

/// Returns the definition that a statement makes, if it makes one.
pub fn defines(statement: &CheckedStatement) -> Option<GlobalId> {
    match &statement.kind {
        CheckedStatementKind::Value { id, .. }
        | CheckedStatementKind::Function { id, .. }
        | CheckedStatementKind::Ruleset { id, .. } => Some(*id),
        _ => None,
    }
}

impl Session {
    /// Checks a text as that of the file at a path, and runs the files that it uses. Nothing is
    /// prepared if there is any error.
    pub fn prepare(
        &mut self,
        path: &Path,
        text: &str,
        sink: &mut EventSink,
    ) -> (Option<Prepared>, Summary) {
        let source = self.sources.add(path.display().to_string(), text);
        let canonical = self
            .files
            .canonical(path)
            .unwrap_or_else(|_| path.to_owned());
        let mut load = Load::within(self, sink, canonical);
        let mut scope = Scope::default();
        let statements = load.checked(source, &path_folder(path), &mut scope);
        let prepared = statements.map(|statements| Prepared {
            statements: statements.into_iter(),
            scope,
            defaults: Rc::default(),
            is_stopped: false,
        });
        (prepared, load.summary)
    }

    /// Runs one statement of a document.
    pub fn run_statement(
        &mut self,
        prepared: &mut Prepared,
        statement: CheckedStatement,
        sink: &mut EventSink,
    ) -> Summary {
        let mut load = Load::new(self, sink);
        // A statement after a stop is skipped, and a test among them is reported as skipped.
        load.summary.stopped = prepared.is_stopped;
        let lost = load.run_statements(vec![statement], &mut prepared.defaults, Purpose::Run);
        let summary = load.summary;
        prepared.is_stopped = summary.stopped;
        for name in lost {
            prepared.scope.restore(&name, &Scope::default());
        }
        summary
    }

    /// Gives a definition the value of an earlier one; returns `true` if that one has a value.
    pub fn reuse(&mut self, earlier: GlobalId, now: GlobalId) -> bool {
        let value = self
            .world
            .globals
            .get(earlier.0 as usize)
            .cloned()
            .flatten();
        let has_value = value.is_some();
        if let Some(value) = value {
            self.world.define(now, value);
        }
        has_value
    }

    /// Makes the definitions of a document visible at the prompt, and its rules those of the
    /// prompt.
    pub fn adopt(&mut self, prepared: &Prepared) {
        self.scope = prepared.scope.clone();
        self.defaults = Rc::clone(&prepared.defaults);
    }
}
