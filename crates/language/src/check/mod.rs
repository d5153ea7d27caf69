//! Checks names and types before anything runs, and lowers the abstract syntax to the [intermediate
//! representation](crate::ir).
//!
//! Each message has a short function of its own. An expression that cannot be lowered yields a
//! diagnostic and a placeholder, so that several independent errors are found in one run. Nothing
//! that contains an error is ever evaluated.

mod call;
mod definitions;
mod expr;
mod graph;
mod index;
mod names;
mod operators;
mod rules;
mod ruleset;
mod statement;
mod unknown;

pub use definitions::{
    Definitions, FunctionSignature, GlobalDefinition, Scope, heading, hidden_names,
};
pub use index::{Declaration, DeclarationKind, Index, Reference, Target};
pub use statement::{
    CheckedStatement, CheckedStatementKind, TopExpr, check, check_expr, check_file, check_with,
};

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Code, Diagnostic, Findings, Fix, Help};
use crate::ir::{CheckedExpr, CheckedExprKind, GlobalId, Kinds};
use crate::source::Span;
use crate::watch::{Context, Stop};

use names::Locals;

/// The state while a statement is checked.
struct Checker<'a> {
    definitions: &'a mut Definitions,
    scope: &'a mut Scope,
    locals: Locals,
    /// The part of a ruleset that is being checked, if any.
    within: Option<ruleset::RulesetSection>,
    /// The values that are defined further down, with the places of their definitions. No name
    /// stands for one of them yet.
    later: HashMap<String, Vec<Span>>,
    /// The functions that are defined further down. Other functions may already name them, but an
    /// expression that is evaluated before their definition may not.
    coming: HashSet<GlobalId>,
    /// `true` while the checked expression is evaluated where it stands, unlike the body of a
    /// function.
    evaluated: bool,
    diagnostics: Findings,
    /// The index for editors, if one is wanted.
    index: Option<&'a mut Index>,
    /// The span of the `test` that is being checked, if any. Names that it defines are visible only
    /// there.
    block: Option<Span>,
    context: &'a Context<'a>,
    /// The number of expressions checked since the checker last asked whether to stop.
    unasked: u32,
    /// The reason why nothing more is checked, if the work was stopped.
    stop: Option<Stop>,
}

/// The number of expressions checked between two questions whether to stop.
const ASK_EVERY: u32 = 256;

impl<'a> Checker<'a> {
    fn new(
        definitions: &'a mut Definitions,
        scope: &'a mut Scope,
        context: &'a Context<'a>,
    ) -> Self {
        Self {
            definitions,
            scope,
            locals: Locals::default(),
            within: None,
            later: HashMap::new(),
            coming: HashSet::new(),
            evaluated: false,
            diagnostics: Findings::default(),
            index: None,
            block: None,
            context,
            unasked: 0,
            stop: None,
        }
    }

    /// Asks now and then whether to stop. Returns `true` if nothing more is to be checked.
    fn is_stopped(&mut self) -> bool {
        self.unasked += 1;
        // After a stop the context is not asked again, since its answer may change.
        if self.stop.is_none() && self.unasked >= ASK_EVERY {
            self.unasked = 0;
            self.stop = self.context.check().err();
        }
        self.stop.is_some()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Finds the place further down where a name is defined, if there is one.
    fn defined_later(&self, name: &str) -> Option<Span> {
        self.later
            .get(name)
            .and_then(|places| places.first().copied())
    }

    /// Builds the error of an expression that has other kinds than those needed. `why` is the first
    /// half of the message.
    fn wrong_type(&self, expr: &CheckedExpr, why: &str, needed: Kinds, found: Kinds) -> Diagnostic {
        let hidden = || self.hidden_builtin(expr).map(Help::from);
        let remedy = || found.remedy(needed).map(Help::from);
        Diagnostic::new(Code::WrongType, format!("{why}, but this is {found}"))
            .label(expr.span, format!("this is {found}"))
            // A forgotten call is likelier than a conversion, so it is suggested first.
            .maybe_help(
                self.missing_arguments(expr, needed)
                    .or_else(hidden)
                    .or_else(remedy),
            )
    }

    /// Suggests arguments for a bare name, if calling it would give one of the kinds needed.
    fn missing_arguments(&self, expr: &CheckedExpr, needed: Kinds) -> Option<Help> {
        let CheckedExprKind::Global(id) = *expr.kind else {
            return None;
        };
        let definition = self.definitions.get(id);
        definition
            .signature
            .as_ref()
            .filter(|signature| signature.result.meets(needed))?;
        let called = definition.heading();
        let help = Help::from(format!(
            "`{}` needs its arguments: `{called}`",
            definition.name
        ));
        Some(help.with(Fix::replace(expr.span, called)))
    }

    /// Reports a diagnostic and returns a placeholder for the expression.
    fn broken(&mut self, diagnostic: Diagnostic, span: Span) -> Typed {
        self.report(diagnostic);
        Typed::stand_in(span)
    }
}

/// An expression with the kinds that its value may have.
struct Typed {
    expr: CheckedExpr,
    kinds: Kinds,
}

impl Typed {
    fn new(kind: CheckedExprKind, kinds: Kinds, span: Span) -> Self {
        Self {
            expr: CheckedExpr {
                kind: Box::new(kind),
                span,
            },
            kinds,
        }
    }

    /// Creates a placeholder for an expression that is never evaluated.
    fn stand_in(span: Span) -> Self {
        Self::new(
            CheckedExprKind::Constant(crate::ir::Value::Bool(false)),
            Kinds::ANY,
            span,
        )
    }
}

fn twice(what: &str, name: &str, again: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        Code::DuplicateName,
        format!("the {what} `{name}` is defined twice"),
    )
    .label(again, "again here")
    .label(first, "first here")
    .help("rename one of them")
}
