//! The REPL: reads statements and `:commands`, prints values, and keeps definitions.

mod command;
mod complete;
mod editor;
mod help;
mod highlight;
mod history;

use std::path::{Path, PathBuf};

use bid::session::{Session, SessionEvent};
use bid_language::scalar::Scalar;
use bid_language::syntax;
use bid_report::{Format, Report};

use super::output::{Output, complain};
use super::status::Status;
use super::talk;
use editor::{EditorInput, Input};

/// The decision to continue after an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Reads the next input.
    Continue,
    /// Ends the REPL.
    Quit,
}

/// The state of a REPL.
pub struct Repl<'o> {
    output: &'o Output,
    session: Session,
    /// The files that `:save` has written.
    saved: Vec<PathBuf>,
}

/// Loads the files, then reads until the end of the input or `:quit`.
///
/// On a terminal errors do not affect the exit status; from a pipe the exit status is that of the
/// worst.
pub fn run(output: &Output, files: &[PathBuf]) -> Status {
    let mut session = output.session();
    let mut input = Input::open(output);
    talk::invite(&mut session, &output.guard, input.asker());
    let mut repl = Repl {
        output,
        session,
        saved: Vec::new(),
    };
    let mut status = Status::Good;
    for path in files {
        status = status.max(repl.load(path));
    }
    if input.is_terminal() {
        // Errors in the loaded files have been shown, and the user goes on typing.
        status = Status::Good;
        output.remark(&format!(
            "bid {}, :help for help",
            env!("CARGO_PKG_VERSION")
        ));
    }
    loop {
        let text = match input.read(&repl.session) {
            EditorInput::Text(text) => text,
            EditorInput::Cleared => continue,
            EditorInput::End => return status,
            EditorInput::Failed(failure) => return failure,
        };
        let (outcome, flow) = repl.enter(&text);
        if !input.is_terminal() {
            status = status.max(outcome);
        }
        if flow == Flow::Quit {
            return status;
        }
    }
}

impl Repl<'_> {
    /// Handles one input: a `:command` or statements.
    fn enter(&mut self, text: &str) -> (Status, Flow) {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return (Status::Good, Flow::Continue);
        }
        match trimmed.strip_prefix(':') {
            Some(command) => command::run(self, command),
            None => match command::meant(trimmed, &|name| self.has_meaning(name)) {
                Some(command) => command::run(self, &command),
                None => (self.evaluate(text), Flow::Continue),
            },
        }
    }

    /// Returns `true` if a word is part of the language or the name of something.
    fn has_meaning(&self, word: &str) -> bool {
        syntax::is_keyword(word) || self.session.names().iter().any(|known| known.name == word)
    }

    /// Runs statements and records them if they had no errors.
    fn evaluate(&mut self, text: &str) -> Status {
        let output = self.output;
        let _work = output.guard.begin();
        let mut game = None;
        let summary = self.session.enter(text, &mut |sources, event| {
            // Only the last value counts, since it is the one that the input ends with.
            game = match &event {
                SessionEvent::Value(Report::Scalar(Scalar::Game(game))) => Some(game.clone()),
                _ => None,
            };
            output.event(sources, event);
        });
        let described = game.and_then(|game| self.session.described(&game));
        if let Some(described) = described.filter(|_| output.format == Format::Text) {
            output.result(&described);
        }
        summary.into()
    }

    /// Loads the definitions of a file.
    fn load(&mut self, path: &Path) -> Status {
        let output = self.output;
        let _work = output.guard.begin();
        self.session
            .load(path, &mut |sources, event| output.event(sources, event))
            .into()
    }

    /// Loads all files as they are now, and repeats the definitions made since.
    fn reload(&mut self) -> Status {
        let output = self.output;
        let _work = output.guard.begin();
        let status = Status::from(
            self.session
                .reload(&mut |sources, event| output.event(sources, event)),
        );
        if status != Status::Good {
            complain("the session stays as it was before :reload");
        }
        status
    }
}
