//! Where inputs come from: a line editor on a terminal, plain lines from a pipe.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs;
use std::io::{BufRead, ErrorKind, IsTerminal, Read as _, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use bid::files::{self, MOST_BYTES};
use bid::session::Session;
use bid::syntax;

use super::super::PROMPT;
use super::super::output::{Output, complain, plain};
use super::super::status::Status;
use super::super::terminal_watch::TerminalWatch;
use super::{complete, highlight};

/// What came of asking for an input.
#[derive(Debug)]
pub enum Read {
    /// Statements or a command.
    Text(String),
    /// Ctrl-C: the line is thrown away.
    Cleared,
    /// The input is at its end.
    End,
    /// The input cannot be read; that has been said.
    Failed(Status),
}

/// Where inputs come from.
pub enum Input {
    /// A terminal.
    Terminal(Box<Terminal>),
    /// A pipe or a file.
    Lines,
}

/// A line editor with its history.
pub struct Terminal {
    editor: Editor<Assistant, FileHistory>,
    history: Option<PathBuf>,
    guard: Arc<TerminalWatch>,
}

impl Input {
    /// The terminal, if standard input and output are one.
    pub fn open(output: &Output) -> Self {
        let is_terminal = stdin().is_terminal() && stdout().is_terminal();
        match is_terminal.then(|| Terminal::open(output.colour, &output.guard)).flatten() {
            Some(terminal) => Self::Terminal(Box::new(terminal)),
            None => Self::Lines,
        }
    }

    /// Whether somebody is typing.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// The next input, over several lines if it is incomplete after the first.
    pub fn read(&mut self, session: &Session) -> Read {
        match self {
            Self::Terminal(terminal) => terminal.read(session),
            Self::Lines => read_lines(),
        }
    }
}

fn read_lines() -> Read {
    let mut text = String::new();
    loop {
        let before = text.len();
        if text.len() as u64 > MOST_BYTES {
            complain(&format!("an input has up to {MOST_BYTES} bytes"));
            return Read::Failed(Status::Wrong);
        }
        match stdin().lock().take(MOST_BYTES + 1).read_line(&mut text) {
            Ok(0) if before == 0 => return Read::End,
            Ok(0) => return Read::Text(text),
            Ok(_) if wants_more(&text) => {}
            Ok(_) => return Read::Text(text),
            Err(error) => {
                let reason =
                    if error.kind() == ErrorKind::InvalidData { "it is not UTF-8".to_owned() } else { plain(&error) };
                complain(&format!("cannot read standard input: {reason}"));
                return Read::Failed(Status::Wrong);
            }
        }
    }
}

/// Whether an input goes on in the next line. Two empty lines end it anyway, so that a forgotten bracket can be reported.
fn wants_more(text: &str) -> bool {
    !text.trim_start().starts_with(':') && !text.ends_with("\n\n") && syntax::is_incomplete(text)
}

impl Terminal {
    fn open(colour: bool, guard: &Arc<TerminalWatch>) -> Option<Self> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .history_ignore_space(true)
            .history_ignore_dups(true)
            .ok()?
            .build();
        let mut editor = Editor::with_config(config).ok()?;
        editor.set_helper(Some(Assistant {
            names: Vec::new(),
            colour,
            guard: Arc::clone(guard),
            last_line: Cell::default(),
        }));
        let history = files::history_file();
        if let Some(path) = &history {
            // No history is no reason not to work.
            let _ = path.parent().map(fs::create_dir_all);
            let _ = editor.load_history(path);
        }
        Some(Self { editor, history, guard: Arc::clone(guard) })
    }

    fn read(&mut self, session: &Session) -> Read {
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.names = session.names().into_iter().map(|known| known.name).collect();
        }
        let guard = Arc::clone(&self.guard);
        match guard.at_prompt(|| self.editor.readline(PROMPT)) {
            Ok(text) => {
                self.remember(&text);
                Read::Text(text)
            }
            Err(ReadlineError::Interrupted) => {
                let last_line = self.editor.helper().and_then(|assistant| assistant.last_line.take());
                last_line.map_or(Read::Cleared, Read::Text)
            }
            Err(ReadlineError::Eof) => Read::End,
            Err(error) => {
                complain(&format!("cannot read the terminal: {error}"));
                Read::Failed(Status::Wrong)
            }
        }
    }

    fn remember(&mut self, text: &str) {
        let added = !text.trim().is_empty() && self.editor.add_history_entry(text).unwrap_or(false);
        if let Some(path) = self.history.as_ref().filter(|_| added) {
            let _ = self.editor.append_history(path);
        }
    }
}

/// Helps while a line is typed: completion, highlighting, and whether Enter ends the input.
struct Assistant {
    names: Vec<String>,
    colour: bool,
    guard: Arc<TerminalWatch>,
    /// What was typed after Ctrl-C, where lines before it had to be thrown away.
    last_line: Cell<Option<String>>,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = complete::complete(&line[..pos], &self.names);
        let pairs = words.into_iter().map(|word| Pair { display: word.trim_end().to_owned(), replacement: word });
        Ok((start, pairs.collect()))
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        // A terminal without a line editor keeps the lines of an unfinished input that Ctrl-C should have cleared.
        if self.guard.take_cleared()
            && let Some((_, last)) = context.input().rsplit_once('\n')
        {
            self.last_line.set(Some(last.to_owned()));
            return Err(ReadlineError::Interrupted);
        }
        let more = wants_more(context.input());
        Ok(if more { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        if self.colour { Cow::Owned(highlight::line(line, pos)) } else { Cow::Borrowed(line) }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.colour { Cow::Owned(format!("\x1b[1;34m{prompt}\x1b[0m")) } else { Cow::Borrowed(prompt) }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.colour
    }
}
