//! Makes the user a partner in a dialogue, for `play`.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufRead, IsTerminal, Read, stdin, stdout};
use std::sync::Arc;

use bid::eval::Dialogue;
use bid::session::Session;
use bid_report::safe::visible;
use rustyline::DefaultEditor;

use super::output::print;
use super::terminal_guard::TerminalGuard;

/// The most bytes of an answer that does not come from a terminal.
const LONGEST: u64 = 1 << 16;

/// A function that asks at the terminal. One line editor reads all answers, because it buffers the
/// text typed ahead.
pub type Asker = Box<dyn FnMut(&str) -> Option<String>>;

/// A partner with questions on standard output and answers from standard input, through a line
/// editor if both are a terminal.
struct Partner {
    guard: Arc<TerminalGuard>,
    asker: Option<Asker>,
}

impl fmt::Debug for Partner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partner")
            .field("is_terminal", &self.asker.is_some())
            .finish_non_exhaustive()
    }
}

/// Lets `play` talk with the user at standard input, through the line editor of a terminal if there
/// is one.
pub fn invite(session: &mut Session, guard: &Arc<TerminalGuard>, asker: Option<Asker>) {
    session.set_dialogue(Box::new(Partner {
        guard: Arc::clone(guard),
        asker,
    }));
}

/// Lets `play` talk with the user if there is a terminal.
pub fn invite_from_terminal(session: &mut Session, guard: &Arc<TerminalGuard>) {
    if stdin().is_terminal() && stdout().is_terminal() {
        let mut editor = None;
        let asker: Asker = Box::new(move |question| {
            // The editor is made at the first question, since most runs ask none.
            if editor.is_none() {
                editor = DefaultEditor::new().ok();
            }
            editor.as_mut()?.readline(question).ok()
        });
        invite(session, guard, Some(asker));
    }
}

impl Dialogue for Partner {
    fn say(&mut self, text: &str) {
        self.guard.clear_progress();
        print(&format!("{}\n", visible(text)));
    }

    /// Returns a random number from the keys that the standard library draws for its hash maps.
    fn chance(&mut self) -> u64 {
        RandomState::new().build_hasher().finish()
    }

    /// Asks a question. The end of the input and Ctrl-C stop the dialogue.
    fn ask(&mut self, question: &str) -> Option<String> {
        self.guard.clear_progress();
        // Ctrl-C before the question must not be swallowed by the line editor.
        if self.guard.interrupted() {
            return None;
        }
        if let Some(asker) = &mut self.asker {
            return self.guard.asking(|| asker(&visible(question)));
        }
        let mut answer = String::new();
        let read = stdin().lock().take(LONGEST).read_line(&mut answer).ok()?;
        print(&format!(
            "{}{}\n",
            visible(question),
            visible(answer.trim_end())
        ));
        (read > 0).then_some(answer)
    }
}
