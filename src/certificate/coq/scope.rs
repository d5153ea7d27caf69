//! The names that are visible to an expression while it is translated, and the names that it
//! mentions.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::names::TakenNames;
use super::terms::{GallinaTerm, Type};
use crate::syntax::ast::{Clause, Definition, Expr, ExprKind};
use crate::verify::{Instance, let_line};

/// A variable in scope.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its name in the file, with its type.
    pub term: GallinaTerm,
}

/// Facts about numbers that conditions imply, where they hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// The pairs of terms of which the first is known to be at most the second.
    pub below: Vec<(String, String)>,
    /// The terms with a known lower bound.
    pub least: Vec<(String, i64)>,
}

/// The names that are visible to an expression.
#[derive(Debug, Clone)]
pub(super) struct TranslationScope {
    /// The text whose definitions are visible.
    pub module: usize,
    /// The surrounding ruleset, and the line in it.
    pub ruleset: Option<(Rc<Instance>, usize)>,
    /// The state variables, parameters and variables of clauses; later ones hide earlier ones.
    pub variables: Vec<Variable>,
    /// The number of variables that are the state.
    pub state: usize,
    /// The player who moves.
    pub me: Option<GallinaTerm>,
    /// The facts that hold where the expression is evaluated.
    pub facts: Facts,
    /// The names of the state variables that were used, and `me` if it was used.
    pub used: BTreeSet<String>,
}

impl TranslationScope {
    pub fn new(module: usize) -> Self {
        Self {
            module,
            ruleset: None,
            variables: Vec::new(),
            state: 0,
            me: None,
            facts: Facts::default(),
            used: BTreeSet::new(),
        }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.variables
            .iter()
            .rposition(|variable| variable.name == name)
    }

    /// Adds a variable under a name of its own, and returns that name.
    pub fn bind(&mut self, name: &str, ty: Type, names: &TakenNames) -> String {
        let others = self.variables.iter().map(|variable| variable.term.name());
        let me = self.me.as_ref().map(GallinaTerm::name);
        let coq = names.variable(name, others.chain(me));
        self.variables.push(Variable {
            name: name.to_owned(),
            term: GallinaTerm::atom(&coq, ty),
        });
        coq
    }

    /// Drops the known facts about terms that use a name.
    pub fn forget(&mut self, name: &str) {
        let uses = |text: &str| words(text).any(|word| word == name);
        self.facts.below.retain(|(a, b)| !uses(a) && !uses(b));
        self.facts.least.retain(|(a, _)| !uses(a));
    }

    /// Returns the visible `let` line of this name: its number, and its definition.
    pub fn rule_let(&self, name: &str) -> Option<(usize, &Definition)> {
        let (instance, before) = self.ruleset.as_ref()?;
        let_line(&instance.ruleset, *before, name)
    }

    /// Returns `true` if an expression uses a value that is known only in a position.
    pub fn is_dynamic(&self, expr: &Expr) -> bool {
        self.uses(expr, &|scope, name| scope.find(name).is_some())
    }

    /// Returns `true` if an expression depends on the player who moves.
    pub fn depends_on_mover(&self, expr: &Expr) -> bool {
        self.uses(expr, &|_, _| false)
    }

    /// Returns `true` if an expression mentions the mover or a name with a property, directly or
    /// through a line of the ruleset.
    fn uses(&self, expr: &Expr, has: &dyn Fn(&Self, &str) -> bool) -> bool {
        let mut names = BTreeSet::new();
        mentions(expr, &mut names);
        names.iter().any(|name| {
            matches!(name.as_str(), "me" | "other")
                || has(self, name)
                || self.rule_let(name).is_some_and(|(line, definition)| {
                    // The body sees only the lines before it, so this recursion ends.
                    let mut scope = self.before(line);
                    // Parameters hide constants of the same name; what they hold does not matter
                    // here.
                    let parameters = definition.parameters.iter().flatten();
                    scope.variables.extend(parameters.map(|parameter| Variable {
                        name: parameter.text.clone(),
                        term: GallinaTerm::atom("_", Type::Unknown),
                    }));
                    scope.uses(&definition.body, has)
                })
        })
    }

    /// Returns `true` if an expression may read a state variable of this name, directly or through
    /// a line of the ruleset.
    pub fn reads(&self, expr: &Expr, variable: &str) -> bool {
        let mut names = BTreeSet::new();
        mentions(expr, &mut names);
        names
            .iter()
            .any(|name| name == variable || self.rule_let(name).is_some())
    }

    /// Returns the scope of a `let` line: the state, the player who moves, and the lines before it.
    pub fn before(&self, line: usize) -> Self {
        let ruleset = self
            .ruleset
            .as_ref()
            .map(|(instance, _)| (Rc::clone(instance), line));
        Self {
            ruleset,
            variables: self.variables[..self.state].to_vec(),
            used: BTreeSet::new(),
            ..self.clone()
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''))
}

/// Collects the names in an expression, including those that it binds.
pub(super) fn mentions(expr: &Expr, names: &mut BTreeSet<String>) {
    let mut all = |exprs: &[&Expr]| exprs.iter().for_each(|expr| mentions(expr, names));
    match &*expr.kind {
        ExprKind::Name(name) => {
            names.insert(name.clone());
        }
        ExprKind::Call { callee, arguments } => {
            all(&[callee]);
            arguments
                .iter()
                .for_each(|argument| all(&[&argument.value]));
        }
        ExprKind::Index { base, indices } => {
            all(&[base]);
            indices.iter().for_each(|index| all(&[index]));
        }
        ExprKind::List(items) | ExprKind::Tuple(items) => {
            items.iter().for_each(|item| all(&[item]));
        }
        ExprKind::Comprehension { element, clauses } => {
            all(&[element]);
            for clause in clauses {
                match clause {
                    Clause::For { iterable, .. } => all(&[iterable]),
                    Clause::If(condition) => all(&[condition]),
                }
            }
        }
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => all(&[inner]),
        ExprKind::Binary(_, a, b) | ExprKind::Using(a, b) | ExprKind::At(a, b) => all(&[a, b]),
        ExprKind::After(game, _) => all(&[game]),
        ExprKind::Braces { alice, bob } => {
            alice.iter().chain(bob).for_each(|option| all(&[option]));
        }
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => all(&[condition, then, otherwise]),
        ExprKind::Let(definition, body) => all(&[&definition.body, body]),
        ExprKind::Integer(_)
        | ExprKind::Decimal(..)
        | ExprKind::Star(_)
        | ExprKind::MinusEpsilon(_)
        | ExprKind::String(_)
        | ExprKind::Bool(_)
        | ExprKind::Player(..)
        | ExprKind::Rules(_)
        | ExprKind::Graph(_) => {}
    }
}
