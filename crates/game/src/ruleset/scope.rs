//! The variables that an expression is specialised under.

use std::rc::Rc;

use super::term::Term;
use crate::ir::{CheckedExpr, Value};

/// The binding of a variable.
#[derive(Debug, Clone)]
pub enum Binding {
    /// The variable has no value yet.
    Unbound,
    /// A term.
    Term(Term),
    /// An expression that is specialised anew at each use.
    Delayed(Rc<(CheckedExpr, VariableScope)>),
}

/// The variables of a function or ruleset.
#[derive(Debug, Clone)]
pub struct VariableScope {
    slots: Vec<Binding>,
    /// The terms that the function captured.
    pub captured: Rc<[Term]>,
}

impl VariableScope {
    /// Creates a scope of this many slots.
    pub fn new(slots: usize, captured: Rc<[Term]>) -> Self {
        Self {
            slots: vec![Binding::Unbound; slots],
            captured,
        }
    }

    /// Returns the binding of a slot.
    pub fn get(&self, slot: usize) -> &Binding {
        self.slots.get(slot).unwrap_or(&Binding::Unbound)
    }

    /// Binds a slot; returns its previous binding.
    pub fn set(&mut self, slot: usize, binding: Binding) -> Binding {
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, Binding::Unbound);
        }
        std::mem::replace(&mut self.slots[slot], binding)
    }

    /// Returns the known variables as a frame of the evaluator.
    pub fn frame(&self) -> Vec<Value> {
        let value = |binding: &Binding| match binding {
            Binding::Term(Term::Known(value)) => value.clone(),
            // Only known expressions are evaluated in the frame, and they use none of these.
            Binding::Unbound | Binding::Term(_) | Binding::Delayed(_) => Value::Empty,
        };
        self.slots.iter().map(value).collect()
    }
}
