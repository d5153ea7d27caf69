//! What names mean while a ruleset is checked.

use crate::ir::{CheckedExprKind, Kinds};
use crate::source::Span;
use crate::syntax::ast;

/// The part of a ruleset that is being checked.
#[derive(Debug)]
pub enum RulesetSection {
    /// The state at the start; the `let` lines that it may use, whose bodies stand in for their
    /// names.
    Start(Vec<ast::Definition>),
    /// The other lines.
    Lines(RulesetNames),
}

/// The names that a ruleset's lines may use besides its parameters.
#[derive(Debug, Default)]
pub struct RulesetNames {
    /// The state variables with what they may be.
    state: Vec<(String, Kinds, Span)>,
    /// Names of `let` lines with the number of their parameters.
    lets: Vec<(String, usize, Span)>,
    /// The name and the number of parameters of the `let` line whose body is being checked.
    pub(super) defining: Option<(ast::Name, usize)>,
    /// Whether something that may depend on who moves has been met: `me`, `other`, a `let` line.
    pub(super) mover_asked: bool,
}

impl RulesetNames {
    pub(super) fn new(state: Vec<(String, Kinds, Span)>) -> Self {
        Self {
            state,
            ..Self::default()
        }
    }

    /// What a name stands for.
    pub fn find(&mut self, name: &str) -> Option<(CheckedExprKind, Kinds)> {
        if let Some(index) = self.variable(name) {
            return Some((CheckedExprKind::State(index), self.kinds(index)));
        }
        let found = match name {
            "me" => (CheckedExprKind::Mover, Kinds::PLAYER),
            "other" => (CheckedExprKind::Opponent, Kinds::PLAYER),
            _ => {
                let (index, 0) = self.find_let(name)? else {
                    return None;
                };
                (CheckedExprKind::RuleLet(index, Vec::new()), Kinds::ANY)
            }
        };
        self.mover_asked = true;
        Some(found)
    }

    /// The `let` line with this name and the number of its parameters.
    pub fn find_let(&mut self, name: &str) -> Option<(usize, usize)> {
        let index = self.lets.iter().rposition(|(known, ..)| known == name)?;
        self.mover_asked = true;
        Some((index, self.lets[index].1))
    }

    /// A `let` line from here on.
    pub(super) fn add_let(&mut self, name: &ast::Name, parameters: usize) {
        self.lets.push((name.text.clone(), parameters, name.span));
    }

    /// Where a name is declared.
    pub fn declared(&self, name: &str) -> Option<Span> {
        let state = self
            .state
            .iter()
            .find(|(known, ..)| known == name)
            .map(|(.., span)| *span);
        state.or_else(|| {
            self.lets
                .iter()
                .rfind(|(known, ..)| known == name)
                .map(|(.., span)| *span)
        })
    }

    /// The state variable with this name.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.state.iter().position(|(state, ..)| state == name)
    }

    /// The names of the state variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.state.iter().map(|(name, ..)| name.as_str())
    }

    /// What a state variable may be.
    pub(super) fn kinds(&self, variable: usize) -> Kinds {
        self.state[variable].1
    }

    /// All names, for "did you mean".
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.variables()
            .chain(self.lets.iter().map(|(name, ..)| name.as_str()))
    }
}
