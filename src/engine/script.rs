//! Plays a match whose answers are known in advance, as far as they go. The match is played again
//! from its beginning with one more answer each time, so that no thread waits for an answer, and an
//! answer can be taken back.

use std::cell::RefCell;
use std::rc::Rc;
use std::vec::IntoIter;

use serde::Deserialize;

use crate::eval::{Dialogue, Sight};

/// The data that determine a match so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct Script {
    /// The seed of the random numbers: the same match has the same random numbers.
    pub seed: u64,
    /// The user's answers.
    pub answers: Vec<String>,
}

/// The events that have been seen but not reported yet.
pub type Sights = Rc<RefCell<Vec<Sight>>>;

/// A partner who reads from a script, and stops the match at its end.
pub struct ScriptReader {
    answers: IntoIter<String>,
    seed: u64,
    seen: Sights,
}

impl ScriptReader {
    /// Creates a partner with a script; the events of the match are added to `seen`.
    pub fn new(script: Script, seen: Sights) -> Self {
        Self {
            answers: script.answers.into_iter(),
            seed: script.seed,
            seen,
        }
    }
}

impl Dialogue for ScriptReader {
    /// Does nothing, because the sights have the same content.
    fn say(&mut self, _: &str) {}

    fn ask(&mut self, _: &str) -> Option<String> {
        self.answers.next()
    }

    fn chance(&mut self) -> u64 {
        // A counter is enough, since a match only seeds its generators with it.
        self.seed = self.seed.wrapping_add(1);
        self.seed
    }

    fn draws(&self) -> bool {
        true
    }

    fn see(&mut self, sight: Sight) {
        self.seen.borrow_mut().push(sight);
    }
}
