//! Reads inputs: by a line editor on a terminal, as plain lines from a pipe.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{BufRead, ErrorKind, IsTerminal, Read as _, stdin, stdout};
use std::rc::Rc;
use std::sync::Arc;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use bid::session::Session;
use bid_language::diagnostic::plain;
use bid_language::files::MOST_BYTES;
use bid_language::syntax;

use super::super::PROMPT;
use super::super::output::{Output, complain};
use super::super::status::Status;
use super::super::talk::Asker;
use super::super::terminal_guard::TerminalGuard;
use super::history::HistoryFile;
use super::{complete, highlight};

/// The text before the lines of an input after its first.
const CONTINUATION: &str = "...> ";

/// The result of asking for an input.
#[derive(Debug)]
pub enum EditorInput {
    /// Statements or a command.
    Text(String),
    /// Ctrl-C: the line is discarded.
    Cleared,
    /// The end of the input.
    End,
    /// The input cannot be read; this has been reported.
    Failed(Status),
}

/// The source of inputs.
pub enum Input {
    /// A terminal.
    Terminal(Box<Terminal>),
    /// A pipe or a file.
    Lines,
}

/// A line editor with its history. `play` asks through the same editor, because it buffers the text
/// typed ahead of its questions.
pub struct Terminal {
    editor: Rc<RefCell<LineEditor>>,
    kept: Option<HistoryFile>,
    guard: Arc<TerminalGuard>,
}

type LineEditor = Editor<Assistant, FileHistory>;

impl Input {
    /// Opens the terminal, if standard input and output are one.
    pub fn open(output: &Output) -> Self {
        // If output goes to a file, prompts and keys of an editor would be written into it.
        let is_terminal = stdin().is_terminal() && stdout().is_terminal();
        match is_terminal
            .then(|| Terminal::open(output.colour, &output.guard))
            .flatten()
        {
            Some(terminal) => Self::Terminal(Box::new(terminal)),
            None => Self::Lines,
        }
    }

    /// Returns `true` if a user is typing.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// Returns the function that asks the questions of `play` at the terminal, if there is one.
    pub fn asker(&self) -> Option<Asker> {
        match self {
            Self::Terminal(terminal) => {
                let editor = Rc::clone(&terminal.editor);
                Some(Box::new(move |question| {
                    ask(&mut editor.borrow_mut(), question)
                }))
            }
            Self::Lines => None,
        }
    }

    /// Reads the next input, over several lines if it is incomplete after the first.
    pub fn read(&mut self, session: &Session) -> EditorInput {
        match self {
            Self::Terminal(terminal) => terminal.read(session),
            Self::Lines => read_lines(),
        }
    }
}

/// Asks for an answer that is not an input of the language: nothing is completed or coloured, and
/// the history neither offers inputs nor keeps the answer.
fn ask(editor: &mut LineEditor, question: &str) -> Option<String> {
    let assistant = editor.helper().cloned();
    // An empty history takes its place, so that answers do not mix with inputs.
    let history = std::mem::take(editor.history_mut());
    editor.set_helper(None);
    let answer = editor.readline(question).ok();
    editor.set_helper(assistant);
    *editor.history_mut() = history;
    answer
}

fn read_lines() -> EditorInput {
    let mut text = String::new();
    loop {
        let before = text.len();
        // Input without a newline or with an open bracket would otherwise fill the memory.
        if text.len() as u64 > MOST_BYTES {
            complain(&format!("an input has up to {MOST_BYTES} bytes"));
            return EditorInput::Failed(Status::Wrong);
        }
        match stdin().lock().take(MOST_BYTES + 1).read_line(&mut text) {
            Ok(0) if before == 0 => return EditorInput::End,
            Ok(0) => return EditorInput::Text(text),
            Ok(_) if wants_more(&text) => {}
            Ok(_) => return EditorInput::Text(text),
            Err(error) => {
                let reason = if error.kind() == ErrorKind::InvalidData {
                    "it is not UTF-8".to_owned()
                } else {
                    plain(&error)
                };
                complain(&format!("cannot read standard input: {reason}"));
                return EditorInput::Failed(Status::Wrong);
            }
        }
    }
}

/// Returns `true` if an input continues in the next line: until its brackets close, and after
/// documentation. Two empty lines end it anyway, so that a forgotten bracket can be reported.
fn wants_more(text: &str) -> bool {
    let is_documentation = text
        .lines()
        .rev()
        .find(|line| !line.is_empty())
        .is_some_and(|line| line.trim_start().starts_with("///"));
    !text.trim_start().starts_with(':')
        && !text.ends_with("\n\n")
        && (is_documentation || syntax::is_incomplete(text))
}

impl Terminal {
    fn open(colour: bool, guard: &Arc<TerminalGuard>) -> Option<Self> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .history_ignore_space(true)
            .history_ignore_dups(true)
            .ok()?
            .build();
        let mut editor = Editor::with_config(config.clone()).ok()?;
        editor.set_helper(Some(Assistant {
            names: Vec::new(),
            before: String::new(),
            colour,
        }));
        let (kept, inputs) = HistoryFile::open(config);
        *editor.history_mut() = inputs;
        Some(Self {
            editor: Rc::new(RefCell::new(editor)),
            kept,
            guard: Arc::clone(guard),
        })
    }

    fn read(&mut self, session: &Session) -> EditorInput {
        let mut editor = self.editor.borrow_mut();
        if let Some(assistant) = editor.helper_mut() {
            assistant.names = session
                .names()
                .into_iter()
                .map(|known| known.name)
                .collect();
        }
        let guard = Arc::clone(&self.guard);
        let mut text = String::new();
        loop {
            if let Some(assistant) = editor.helper_mut() {
                assistant.before.clone_from(&text);
            }
            let prompt = if text.is_empty() {
                PROMPT
            } else {
                CONTINUATION
            };
            match guard.at_prompt(|| editor.readline(prompt)) {
                Ok(line) => {
                    // Without a line editor Ctrl-C is a signal, and the lines before it have not
                    // been discarded.
                    if guard.take_cleared() {
                        text.clear();
                    }
                    text.push_str(&line);
                    if !wants_more(&text) {
                        self.remember(&mut editor, &text);
                        return EditorInput::Text(text);
                    }
                    text.push('\n');
                }
                Err(ReadlineError::Interrupted) => return EditorInput::Cleared,
                Err(ReadlineError::Eof) if text.is_empty() => return EditorInput::End,
                Err(ReadlineError::Eof) => return EditorInput::Text(text),
                Err(error) => {
                    let reason = match error {
                        ReadlineError::Io(error) => plain(&error),
                        _ => "it does not do what a terminal does".to_owned(),
                    };
                    complain(&format!("cannot read the terminal: {reason}"));
                    return EditorInput::Failed(Status::Wrong);
                }
            }
        }
    }

    fn remember(&self, editor: &mut LineEditor, text: &str) {
        let added = !text.trim().is_empty() && editor.add_history_entry(text).unwrap_or(false);
        if let Some(kept) = self.kept.as_ref().filter(|_| added) {
            // A failure to keep the history is ignored.
            let _ = kept.add(text);
        }
    }
}

/// Completion and highlighting while a line is typed.
#[derive(Clone)]
struct Assistant {
    names: Vec<String>,
    /// The lines of the input before the one that is typed.
    before: String,
    colour: bool,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) =
            // Brackets opened on earlier lines decide which words fit here.
            complete::complete(&format!("{}{}", self.before, &line[..pos]), &self.names);
        // The editor counts from the beginning of the present line.
        let start = start.saturating_sub(self.before.len());
        let pairs = words.into_iter().map(|word| Pair {
            display: word.trim_end().to_owned(),
            replacement: word,
        });
        Ok((start, pairs.collect()))
    }
}

impl Validator for Assistant {}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        if self.colour {
            Cow::Owned(highlight::line(line, pos))
        } else {
            Cow::Borrowed(line)
        }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.colour {
            Cow::Owned(format!("\x1b[1;34m{prompt}\x1b[0m"))
        } else {
            Cow::Borrowed(prompt)
        }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.colour
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_go_on_inside_brackets_and_after_documentation() {
        for text in [
            "R(A",
            "game g {\n",
            "/// Half.",
            "/// Half.\n/// Of it.\n",
            "/// Half.\nlet h = (",
        ] {
            assert!(wants_more(text), "{text:?}");
        }
        for text in [
            "R(A)",
            "/// Half.\nlet h = 1/2",
            "// No documentation.",
            ":type (",
            "R(A\n\n",
            "/// Half.\n\n",
        ] {
            assert!(!wants_more(text), "{text:?}");
        }
    }
}
