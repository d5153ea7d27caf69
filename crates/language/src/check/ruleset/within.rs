//! The meanings of names while a ruleset is checked.

use crate::ir::{CheckedExprKind, Kinds};
use crate::source::Span;
use crate::syntax::ast;

/// The part of a ruleset that is being checked.
#[derive(Debug)]
pub enum RulesetSection {
    /// The initial values of the state. Holds the `let` lines that they may use, whose bodies take
    /// the place of their names.
    Start(Vec<ast::Definition>),
    /// The other lines, with the names that they may use.
    Lines(RulesetNames),
}

/// The names that a ruleset's lines may use besides its parameters.
#[derive(Debug, Default)]
pub struct RulesetNames {
    /// The state variables, with their kinds and places.
    state: Vec<(String, Kinds, Span)>,
    /// The `let` lines.
    lets: Vec<KnownLet>,
    /// The name and the number of parameters of the `let` line whose body is being checked.
    pub(super) defining: Option<(ast::Name, usize)>,
    /// `true` once a name was used that depends on the player who moves: `me`, `other`, or a `let`
    /// line that uses such a name.
    pub(super) mover_asked: bool,
}

/// A `let` line.
#[derive(Debug)]
struct KnownLet {
    name: String,
    /// The number of its parameters.
    parameters: usize,
    span: Span,
    /// `true` if it depends on the player who moves.
    asks_mover: bool,
}

impl RulesetNames {
    pub(super) fn new(state: Vec<(String, Kinds, Span)>) -> Self {
        Self {
            state,
            ..Self::default()
        }
    }

    /// Finds the meaning of a name.
    pub fn find(&mut self, name: &str) -> Option<(CheckedExprKind, Kinds)> {
        if let Some(index) = self.variable(name) {
            return Some((CheckedExprKind::State(index), self.kinds(index)));
        }
        let found = match name {
            "me" => (CheckedExprKind::Mover, Kinds::PLAYER),
            "other" => (CheckedExprKind::Opponent, Kinds::PLAYER),
            _ => {
                // A line with parameters has no value without its arguments.
                let (index, 0) = self.find_let(name)? else {
                    return None;
                };
                return Some((CheckedExprKind::RuleLet(index, Vec::new()), Kinds::ANY));
            }
        };
        self.mover_asked = true;
        Some(found)
    }

    /// Finds the index of the `let` line with this name and the number of its parameters.
    pub fn find_let(&mut self, name: &str) -> Option<(usize, usize)> {
        let index = self.lets.iter().rposition(|known| known.name == name)?;
        let KnownLet {
            parameters,
            asks_mover,
            ..
        } = self.lets[index];
        // A line that uses such a line asks who moves, too.
        self.mover_asked |= asks_mover;
        Some((index, parameters))
    }

    /// Makes a `let` line, which has just been read, known to the lines after it.
    pub(super) fn add_let(&mut self, name: &ast::Name, parameters: usize) {
        self.lets.push(KnownLet {
            name: name.text.clone(),
            parameters,
            span: name.span,
            asks_mover: self.mover_asked,
        });
    }

    /// Finds the place where a name is declared.
    pub fn declared(&self, name: &str) -> Option<Span> {
        let state = self
            .state
            .iter()
            .find(|(known, ..)| known == name)
            .map(|(.., span)| *span);
        state.or_else(|| {
            self.lets
                .iter()
                .rfind(|known| known.name == name)
                .map(|known| known.span)
        })
    }

    /// Finds the index of the state variable with this name.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.state.iter().position(|(state, ..)| state == name)
    }

    /// Returns the names of the state variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.state.iter().map(|(name, ..)| name.as_str())
    }

    /// Returns the kinds that a state variable may take.
    pub(super) fn kinds(&self, variable: usize) -> Kinds {
        self.state[variable].1
    }

    /// Returns all names, for "did you mean".
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.variables()
            .chain(self.lets.iter().map(|known| known.name.as_str()))
    }
}
