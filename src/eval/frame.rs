//! The variables of a call while it is evaluated.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::apply::instance_title;
use crate::game::Games;
use crate::ir::Value;

/// The variables of a call.
#[derive(Debug, Default)]
pub struct Frame {
    pub(super) slots: Vec<Value>,
    pub(super) captured: Rc<[Value]>,
    title: Title,
    /// The slots whose values depend on answers, while questions are planned.
    unknown: BTreeSet<usize>,
}

/// The name of explicit graphs in a piece of code.
#[derive(Debug, Default)]
enum Title {
    /// No name.
    #[default]
    None,
    /// A name such as `tug`.
    Name(Rc<str>),
    /// A call such as `tug(3)`. It is formatted only if there is a graph, because arguments may be
    /// long.
    Call {
        name: Rc<str>,
        arguments: Range<usize>,
    },
}

impl Frame {
    /// Creates an empty frame of this many slots.
    pub fn new(slots: usize) -> Self {
        Self::of(vec![Value::Bool(false); slots])
    }

    /// Creates a frame with these values in its slots.
    pub(super) fn of(slots: Vec<Value>) -> Self {
        Self {
            slots,
            ..Self::default()
        }
    }

    /// Sets the title of the explicit graphs in the frame.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.title = Title::Name(title.into());
        self
    }

    /// Sets the title to a call whose arguments are in these slots.
    #[must_use]
    pub(super) fn titled_call(mut self, name: &str, arguments: Range<usize>) -> Self {
        self.title = Title::Call {
            name: name.into(),
            arguments,
        };
        self
    }

    /// Returns the name of explicit graphs in this code.
    pub(super) fn title(&self, games: &Games) -> String {
        match &self.title {
            Title::None => String::new(),
            Title::Name(name) => name.to_string(),
            Title::Call { name, arguments } => {
                instance_title(games, name, &self.slots[arguments.clone()])
            }
        }
    }

    /// Sets the value of a slot.
    pub fn set(&mut self, slot: usize, value: Value) {
        self.slots[slot] = value;
    }

    /// Sets the value of a slot, or marks the slot as depending on an answer.
    pub(super) fn set_if_known(&mut self, slot: usize, value: Option<Value>) {
        match value {
            Some(value) => {
                // The variable of a loop may be known in one round and unknown in another.
                self.unknown.remove(&slot);
                self.set(slot, value);
            }
            None => {
                self.unknown.insert(slot);
            }
        }
    }

    /// Returns `true` if the value of a slot depends on an answer.
    pub(super) fn lacks(&self, slot: usize) -> bool {
        self.unknown.contains(&slot)
    }
}
