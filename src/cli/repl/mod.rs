//! The REPL: reads statements and `:commands`, prints values, keeps what they define.

mod command;
mod complete;
mod editor;
mod highlight;

use std::path::PathBuf;

use bid::session::{Session, Summary};
use bid::source::SourceMap;
use bid::syntax;

use super::output::{Output, complain};
use super::status::Status;
use super::talk;
use editor::{Input, Read};

/// Whether the REPL goes on after an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// The user has had enough.
    Quit,
}

/// The state of a REPL.
pub struct Repl<'o> {
    output: &'o Output,
    session: Session,
    /// The files that were loaded, for `:reload` and `:save`.
    loaded: Vec<PathBuf>,
    /// The inputs without errors, in order.
    inputs: Vec<String>,
    /// Where `:save` has written.
    saved: Vec<PathBuf>,
    /// How many inputs there were.
    count: usize,
}

/// Loads the files, then reads until the end of the input or `:quit`.
///
/// On a terminal, errors are the user's business; from a pipe, the exit status tells of the worst.
pub fn run(output: &Output, files: &[PathBuf]) -> Status {
    output.guard.outlive_work();
    let mut repl = Repl {
        output,
        session: new_session(output),
        loaded: Vec::new(),
        inputs: Vec::new(),
        saved: Vec::new(),
        count: 0,
    };
    let mut status = Status::Good;
    for path in files {
        status = status.max(repl.load(path));
    }
    let mut input = Input::open(output);
    if input.is_terminal() {
        status = Status::Good;
        output.remark(&format!("bid {}, :help for help", env!("CARGO_PKG_VERSION")));
    }
    loop {
        let text = match input.read(&repl.session) {
            Read::Text(text) => text,
            Read::Cleared => continue,
            Read::End => return status,
            Read::Failed(failure) => return failure,
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

fn new_session(output: &Output) -> Session {
    let mut session = output.session();
    talk::invite(&mut session, &output.guard);
    session
}

impl Repl<'_> {
    /// Takes one input: a `:command` or statements.
    fn enter(&mut self, text: &str) -> (Status, Flow) {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return (Status::Good, Flow::Continue);
        }
        match trimmed.strip_prefix(':') {
            Some(command) => command::run(self, command),
            None if self.is_bare_command(trimmed) => {
                complain(&format!("commands begin with a colon: :{trimmed}"));
                (Status::Wrong, Flow::Continue)
            }
            None => (self.evaluate(text), Flow::Continue),
        }
    }

    /// Whether a text is the name of a command and means nothing else.
    fn is_bare_command(&self, text: &str) -> bool {
        let is_command = command::COMMANDS.iter().any(|command| command.name == text);
        is_command && !syntax::is_keyword(text) && self.session.names().iter().all(|known| known.name != text)
    }

    /// Runs statements and remembers them if they were right.
    fn evaluate(&mut self, text: &str) -> Status {
        let summary = self.run_text(text);
        if summary.errors == 0 && !summary.stopped {
            self.inputs.push(text.trim().to_owned());
        }
        summary.into()
    }

    fn run_text(&mut self, text: &str) -> Summary {
        let name = self.next_name();
        let output = self.output;
        let _work = output.guard.begin();
        self.session.run_text(&name, text, &mut |sources, event| output.event(sources, event))
    }

    /// A name for the next piece of text that diagnostics may point into.
    fn next_name(&mut self) -> String {
        self.count += 1;
        format!("<input {}>", self.count)
    }

    /// Loads a file's definitions.
    fn load(&mut self, path: &PathBuf) -> Status {
        let output = self.output;
        let _work = output.guard.begin();
        let summary = self.session.use_file(path, &mut |sources, event| output.event(sources, event));
        let status = Status::from(summary);
        if status == Status::Good && !self.loaded.contains(path) {
            self.loaded.push(path.clone());
        }
        status
    }

    /// Starts afresh, loads the files as they are now, and defines again what was defined since. If any of that fails,
    /// the session stays as it was.
    fn reload(&mut self) -> Status {
        let before = std::mem::replace(&mut self.session, new_session(self.output));
        let mut status = Status::Good;
        for path in self.loaded.clone() {
            status = status.max(self.load(&path));
        }
        for input in self.inputs.clone().iter().filter(|input| defines(input)) {
            status = status.max(self.run_text(input).into());
        }
        if status != Status::Good {
            self.session = before;
            complain("the session stays as it was before :reload");
        }
        status
    }
}

/// Whether a text changes what later text means, rather than only asks.
fn defines(text: &str) -> bool {
    use syntax::ast::StatementKind as Kind;
    let mut sources = SourceMap::default();
    let id = sources.add("", text);
    syntax::parse(&sources, id).file.statements.iter().any(|statement| match statement.kind {
        Kind::Use { .. } | Kind::Let(_) | Kind::Game(_) | Kind::Ruleset(_) | Kind::Rules { .. } | Kind::Using(_) => {
            true
        }
        Kind::Show(_) | Kind::Check(_) | Kind::Test { .. } | Kind::Expr(_) => false,
    })
}
