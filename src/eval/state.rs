//! The state of a session that evaluation changes.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::builtin::{Builtin, Builtins};
use crate::ask::Memory;
use crate::files::{Files, Nowhere};
use crate::game::{Games, GamesMark};
use crate::ir::{GlobalId, Value};

/// The state that evaluation changes: the games that exist, the values of top-level names, and the
/// solutions found so far.
#[derive(Debug)]
pub struct SessionState {
    /// The builtins that can be called.
    pub(super) builtins: Builtins,
    /// All games.
    pub games: Games,
    /// The values of the definitions, by id.
    pub globals: Vec<Option<Value>>,
    /// The definitions whose evaluation failed.
    pub(super) lost: BTreeSet<GlobalId>,
    /// The number of games when a game was last handed out of the session. Its holder may pass it
    /// back, so that none of these games is dropped.
    lent: Option<GamesMark>,
    /// The results of earlier questions.
    pub memory: Memory,
    /// The source from which files of edges are read.
    pub(super) files: Readable,
}

/// The files that can be read during an evaluation.
pub(super) struct Readable(pub Rc<dyn Files>);

impl std::fmt::Debug for Readable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readable")
    }
}

impl SessionState {
    /// Creates a state without definitions and solutions, in which these builtins can be called.
    pub fn new(builtins: impl IntoIterator<Item = &'static Builtin>) -> Self {
        Self {
            builtins: builtins.into_iter().collect(),
            games: Games::default(),
            globals: Vec::new(),
            lost: BTreeSet::new(),
            lent: None,
            memory: Memory::default(),
            files: Readable(Rc::new(Nowhere)),
        }
    }

    /// Sets the source from which files of edges are read.
    pub fn set_files(&mut self, files: Rc<dyn Files>) {
        self.files = Readable(files);
    }

    /// Gives a definition its value.
    pub fn define(&mut self, id: GlobalId, value: Value) {
        let index = id.0 as usize;
        if self.globals.len() <= index {
            // Definitions before this one may have failed and have no value.
            self.globals.resize(index + 1, None);
        }
        self.globals[index] = Some(value);
    }

    /// Releases the memory that a failed statement took, and that of everything explored and
    /// solved, which is computed again if it is asked for again. `before` is the number of games
    /// before the statement.
    pub fn give_back_memory(&mut self, before: GamesMark) {
        self.memory = Memory::default();
        // Games that were lent out keep their numbers, since their holder may ask about them again.
        self.games
            .roll_back(self.lent.map_or(before, |lent| lent.max(before)));
    }

    /// Records that all present games may be known outside of the session.
    pub fn lend_games(&mut self) {
        self.lent = Some(self.games.mark());
    }

    /// Records that a definition has no value because its evaluation failed.
    pub fn lose(&mut self, id: GlobalId) {
        self.lost.insert(id);
    }
}
