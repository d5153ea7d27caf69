//! The names that are visible to an expression while it is translated, and the names that it
//! mentions.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::names::TakenNames;
use super::terms::{GallinaTerm, Type};
use crate::syntax::ast::{Clause, Expr, ExprKind, RuleItemKind, RulesetDefinition};
use crate::verify::Instance;

/// A variable in scope.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its name in the file, with its type.
    pub term: GallinaTerm,
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
    /// The pairs of terms of which the first is known to be at most the second.
    pub below: Vec<(String, String)>,
    /// The terms with a known lower bound.
    pub least: Vec<(String, i64)>,
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
            below: Vec::new(),
            least: Vec::new(),
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
        self.below.retain(|(a, b)| !uses(a) && !uses(b));
        self.least.retain(|(a, _)| !uses(a));
    }

    /// Returns the visible `let` line of this name.
    pub fn rule_let(&self, name: &str) -> Option<usize> {
        let (instance, line) = self.ruleset.as_ref()?;
        let_line(&instance.ruleset, *line, name)
    }

    /// Returns `true` if an expression uses a value that is known only in a position.
    pub fn is_dynamic(&self, expr: &Expr) -> bool {
        let mut names = BTreeSet::new();
        mentions(expr, &mut names);
        names.iter().any(|name| self.is_dynamic_name(name))
    }

    fn is_dynamic_name(&self, name: &str) -> bool {
        if self.find(name).is_some() || matches!(name, "me" | "other") {
            return true;
        }
        match (self.rule_let(name), &self.ruleset) {
            (Some(line), Some((instance, _))) => {
                match &instance.ruleset.items[line].kind {
                    RuleItemKind::Let(definition) => {
                        // The body sees only the lines before it, so this recursion ends.
                        let mut scope = self.before(line);
                        scope
                            .variables
                            // Parameters hide constants of the same name; what they hold does not
                            // matter here.
                            .extend(definition.parameters.iter().flatten().map(|parameter| {
                                Variable {
                                    name: parameter.text.clone(),
                                    term: GallinaTerm::atom("_", Type::Unknown),
                                }
                            }));
                        scope.is_dynamic(&definition.body)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Returns `true` if an expression depends on the player who moves.
    pub fn depends_on_mover(&self, expr: &Expr) -> bool {
        let mut names = BTreeSet::new();
        mentions(expr, &mut names);
        names.iter().any(|name| {
            matches!(name.as_str(), "me" | "other")
                || match (self.rule_let(name), &self.ruleset) {
                    (Some(line), Some((instance, _))) => match &instance.ruleset.items[line].kind {
                        RuleItemKind::Let(definition) => {
                            self.before(line).depends_on_mover(&definition.body)
                        }
                        _ => false,
                    },
                    _ => false,
                }
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

/// Returns the number of the last `let` line of this name before a line.
fn let_line(ruleset: &RulesetDefinition, before: usize, name: &str) -> Option<usize> {
    ruleset.items.iter().take(before).rposition(
        |item| matches!(&item.kind, RuleItemKind::Let(definition) if definition.name.text == name),
    )
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
