//! A match whose answers are known beforehand, as far as they go: it is played again from its
//! beginning with one answer more each time, so that nobody waits for an answer, and an answer can
//! be taken back.

use std::cell::RefCell;
use std::rc::Rc;
use std::vec::IntoIter;

use serde::Deserialize;

use crate::eval::{Dialogue, Sight};

/// What fixes a match as far as it has come.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct Script {
    /// What the chances come from: the same match has the same chances.
    pub seed: u64,
    /// What the user has answered.
    pub answers: Vec<String>,
}

/// What has been seen and not been told yet.
pub type Sights = Rc<RefCell<Vec<Sight>>>;

/// A partner who reads from a script, and stops the match where it ends.
pub struct ScriptReader {
    answers: IntoIter<String>,
    seed: u64,
    seen: Sights,
}

impl ScriptReader {
    /// A partner with a script; what is seen goes there.
    pub fn new(script: Script, seen: Sights) -> Self {
        Self {
            answers: script.answers.into_iter(),
            seed: script.seed,
            seen,
        }
    }
}

impl Dialogue for ScriptReader {
    /// The sights say it.
    fn say(&mut self, _: &str) {}

    fn ask(&mut self, _: &str) -> Option<String> {
        self.answers.next()
    }

    fn chance(&mut self) -> u64 {
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
