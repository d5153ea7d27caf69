//! Local names: parameters, loop variables, names of `let … in`, and the names that local functions
//! capture.

use crate::ir::{CheckedExpr, CheckedExprKind, Kinds};
use crate::source::Span;
use crate::syntax::ast;

/// A local name.
#[derive(Debug)]
struct Local {
    name: String,
    slot: usize,
    kinds: Kinds,
    /// The place of the declaration.
    span: Span,
}

/// The names of one function (or of the top level).
#[derive(Debug, Default)]
struct FunctionNames {
    /// The visible names, innermost last.
    visible: Vec<Local>,
    /// The number of slots in the frame.
    frame: usize,
    /// The names captured from the surrounding function: each with the expression that reads it
    /// there, and its kinds.
    captured: Vec<(String, CheckedExpr, Kinds)>,
    /// The number of `if`s around the place that is being checked. Uses within an `if` narrow no
    /// kinds.
    conditions: usize,
}

/// The local names visible at a place, by function, innermost last.
#[derive(Debug)]
pub struct Locals {
    functions: Vec<FunctionNames>,
}

impl Default for Locals {
    fn default() -> Self {
        Self {
            functions: vec![FunctionNames::default()],
        }
    }
}

impl Locals {
    fn current(&mut self) -> &mut FunctionNames {
        self.functions
            .last_mut()
            .expect("the top level is always there")
    }

    /// Binds a name to a new slot and returns the slot.
    pub fn bind(&mut self, name: &ast::Name, kinds: Kinds) -> usize {
        let function = self.current();
        let slot = function.frame;
        function.frame += 1;
        function.visible.push(Local {
            name: name.text.clone(),
            slot,
            kinds,
            span: name.span,
        });
        slot
    }

    /// Returns the number of names visible in the current function, for a later call of
    /// [`unbind_to`](Self::unbind_to).
    pub fn mark(&mut self) -> usize {
        self.current().visible.len()
    }

    /// Removes the names bound since the mark. Their slots stay reserved.
    pub fn unbind_to(&mut self, mark: usize) {
        self.current().visible.truncate(mark);
    }

    /// Enters a local function.
    pub fn enter(&mut self) {
        self.functions.push(FunctionNames::default());
    }

    /// Leaves a local function. Returns the size of its frame, and the captured values as
    /// expressions of the surrounding function.
    pub fn leave(&mut self) -> (usize, Vec<CheckedExpr>) {
        let function = self.functions.pop().expect("leave follows enter");
        (
            function.frame,
            function
                .captured
                .into_iter()
                .map(|(_, expr, _)| expr)
                .collect(),
        )
    }

    /// Enters or leaves a part that may not be evaluated. Uses in it narrow no kinds.
    pub fn conditionally(&mut self, enter: bool) {
        let conditions = &mut self.current().conditions;
        *conditions = if enter {
            *conditions + 1
        } else {
            *conditions - 1
        };
    }

    /// Finds the meaning of a local name, and captures it through the surrounding functions if
    /// necessary.
    pub fn find(&mut self, name: &str, span: Span) -> Option<(CheckedExprKind, Kinds)> {
        self.find_in(self.functions.len() - 1, name, span)
    }

    fn find_in(
        &mut self,
        level: usize,
        name: &str,
        span: Span,
    ) -> Option<(CheckedExprKind, Kinds)> {
        let function = &self.functions[level];
        if let Some(local) = function
            .visible
            .iter()
            .rev()
            .find(|local| local.name == name)
        {
            return Some((CheckedExprKind::Local(local.slot), local.kinds));
        }
        if let Some(index) = function
            .captured
            .iter()
            .position(|(captured, ..)| captured == name)
        {
            return Some((CheckedExprKind::Captured(index), function.captured[index].2));
        }
        if level == 0 {
            return None;
        }
        // Each function between captures the value too, as it must pass it on.
        let (kind, kinds) = self.find_in(level - 1, name, span)?;
        let captured = &mut self.functions[level].captured;
        captured.push((
            name.to_owned(),
            CheckedExpr {
                kind: Box::new(kind),
                span,
            },
            kinds,
        ));
        Some((CheckedExprKind::Captured(captured.len() - 1), kinds))
    }

    /// Finds the place where a local name is declared.
    pub fn declared(&self, name: &str) -> Option<Span> {
        let visible = self
            .functions
            .iter()
            .rev()
            .flat_map(|function| function.visible.iter().rev());
        visible
            .into_iter()
            .find(|local| local.name == name)
            .map(|local| local.span)
    }

    /// Narrows the kinds of the local in this slot to those that an unconditional use needs.
    /// Returns the kinds that remain possible.
    pub fn narrow(&mut self, slot: usize, needed: Kinds) -> Kinds {
        let function = self.current();
        // A use that may not happen says nothing about the cases in which it does not.
        let conditional = function.conditions > 0;
        match function
            .visible
            .iter_mut()
            .rev()
            .find(|local| local.slot == slot)
        {
            Some(local) => {
                let remaining = local.kinds.and(needed);
                if !conditional {
                    local.kinds = remaining;
                }
                remaining
            }
            None => needed,
        }
    }

    /// Returns the kinds that the local in this slot may have.
    pub fn kinds(&mut self, slot: usize) -> Kinds {
        self.current()
            .visible
            .iter()
            .find(|local| local.slot == slot)
            .map_or(Kinds::ANY, |local| local.kinds)
    }

    /// Returns all visible names, for "did you mean".
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions
            .iter()
            .flat_map(|function| function.visible.iter().map(|local| local.name.as_str()))
    }
}
