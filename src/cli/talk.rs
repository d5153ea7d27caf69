//! The user as a partner in a dialogue, for `play`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufRead, IsTerminal, Read, stdin, stdout};
use std::sync::Arc;

use bid::eval::Dialogue;
use bid::report::safe::visible;
use bid::session::Session;
use rustyline::DefaultEditor;

use super::output::print;
use super::terminal_watch::TerminalWatch;

/// The most bytes of an answer that does not come from a terminal.
const LONGEST: u64 = 1 << 16;

/// Questions on standard output, answers from standard input: with a line editor if both are a terminal.
#[derive(Debug)]
struct Partner {
    guard: Arc<TerminalWatch>,
    is_terminal: bool,
}

/// Lets `play` talk with whoever is at standard input.
pub fn invite(session: &mut Session, guard: &Arc<TerminalWatch>) {
    let is_terminal = stdin().is_terminal() && stdout().is_terminal();
    session.set_dialogue(Box::new(Partner { guard: Arc::clone(guard), is_terminal }));
}

/// Lets `play` talk with the user if there is a terminal.
pub fn invite_from_terminal(session: &mut Session, guard: &Arc<TerminalWatch>) {
    if stdin().is_terminal() && stdout().is_terminal() {
        invite(session, guard);
    }
}

impl Dialogue for Partner {
    fn say(&mut self, text: &str) {
        self.guard.clear_progress();
        print(&format!("{}\n", visible(text)));
    }

    /// From the keys that the standard library draws for its hash maps.
    fn chance(&mut self) -> u64 {
        RandomState::new().build_hasher().finish()
    }

    /// The end of the input and Ctrl-C stop the dialogue.
    fn ask(&mut self, question: &str) -> Option<String> {
        self.guard.clear_progress();
        if self.guard.interrupted() {
            return None;
        }
        if self.is_terminal {
            return self.guard.asking(|| DefaultEditor::new().ok()?.readline(&visible(question).into_owned()).ok());
        }
        let mut answer = String::new();
        let read = stdin().lock().take(LONGEST).read_line(&mut answer).ok()?;
        print(&format!("{}{}\n", visible(question), visible(answer.trim_end())));
        (read > 0).then_some(answer)
    }
}
