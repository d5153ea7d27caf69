//! Names and types, before anything runs: abstract syntax to the [intermediate representation](crate::ir).
//!
//! One short function per message. An expression that cannot be lowered gives a diagnostic and a placeholder, so that
//! several independent errors are found in one run; nothing with an error in it is ever evaluated.

mod call;
mod definitions;
mod expr;
mod graph;
mod names;
mod rules;
mod ruleset;
mod statement;

pub use definitions::{Definition, Definitions, FunctionSignature, Scope};
pub use statement::{Statement, StatementKind, TopExpr, check, check_expr};

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::ir::{Expr, ExprKind, Kinds};
use crate::source::Span;

use names::Locals;

/// The state of checking a statement.
struct Checker<'a> {
    definitions: &'a mut Definitions,
    scope: &'a mut Scope,
    locals: Locals,
    /// The part of a ruleset that is being checked, if any.
    within: Option<ruleset::Within>,
    /// The values that are defined further down, with their places: no name stands for one of them yet.
    later: HashMap<String, Vec<Span>>,
    diagnostics: Findings,
}

impl<'a> Checker<'a> {
    fn new(definitions: &'a mut Definitions, scope: &'a mut Scope) -> Self {
        Self {
            definitions,
            scope,
            locals: Locals::default(),
            within: None,
            later: HashMap::new(),
            diagnostics: Findings::default(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Where a name is defined further down, if it is.
    fn defined_later(&self, name: &str) -> Option<Span> {
        self.later.get(name).and_then(|places| places.first().copied())
    }

    /// Reports, and stands in for the expression.
    fn broken(&mut self, diagnostic: Diagnostic, span: Span) -> Typed {
        self.report(diagnostic);
        Typed::new(ExprKind::Constant(crate::ir::Value::Bool(false)), Kinds::ANY, span)
    }
}

/// An expression with what it may be.
struct Typed {
    expr: Expr,
    kinds: Kinds,
}

impl Typed {
    fn new(kind: ExprKind, kinds: Kinds, span: Span) -> Self {
        Self { expr: Expr { kind: Box::new(kind), span }, kinds }
    }
}

fn wrong_type(span: Span, why: &str, needed: Kinds, found: Kinds) -> Diagnostic {
    Diagnostic::new(Code::WrongType, format!("{why}, but this is {found}"))
        .label(span, format!("this is {found}"))
        .maybe_help(found.remedy(needed).map(str::to_owned))
}

fn twice(what: &str, name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateName, format!("the {what} `{name}` is defined twice"))
        .label(again, "again here")
        .label(first, "first here")
        .help("rename one of them")
}
