//! Lowers statements, and with them whole files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use super::definitions::{Definitions, FunctionSignature, GlobalDefinition, Scope};
use super::index::{Declaration, DeclarationKind, Index};
use super::{Checker, Typed, twice};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{CheckedExpr, FunctionCode, GlobalId, Kinds, RulesetTemplate};
use crate::source::Span;
use crate::syntax::{ast, print_expr};
use crate::watch::{Context, Stop};

/// A checked statement.
#[derive(Debug)]
pub struct CheckedStatement {
    /// The kind of statement, with its parts.
    pub kind: CheckedStatementKind,
    /// The place of the statement.
    pub span: Span,
}

/// The kinds of checked statements. `use` is not among them, because the session loads the file
/// beforehand.
#[derive(Debug)]
pub enum CheckedStatementKind {
    /// A name for a value: `let x = …`, `game g = …`, `rules r = …`.
    Value {
        /// The definition.
        id: GlobalId,
        /// Its name, which becomes the title of explicit graphs in the body.
        name: String,
        /// The value.
        body: CheckedExpr,
        /// The number of slots in the frame.
        frame: usize,
    },
    /// A function or family.
    Function {
        /// The definition.
        id: GlobalId,
        /// The code.
        code: Rc<FunctionCode>,
    },
    /// A ruleset.
    Ruleset {
        /// The definition.
        id: GlobalId,
        /// The template.
        ruleset: Rc<RulesetTemplate>,
    },
    /// `using rules`.
    Using(TopExpr),
    /// `show e`.
    Show(TopExpr),
    /// `check e`.
    Check(TopExpr),
    /// `test "name" { … }`.
    Test(String, Vec<CheckedStatement>),
    /// An expression on its own.
    Expr(TopExpr),
}

/// An expression that stands by itself.
#[derive(Debug)]
pub struct TopExpr {
    /// The expression.
    pub expr: CheckedExpr,
    /// The number of slots in its frame.
    pub frame: usize,
    /// The expression as the formatter prints it.
    pub label: String,
    /// The kinds that its value may have.
    pub kinds: Kinds,
}

/// Checks the statements of a file or of a REPL line, in order. Each definition enters `scope` when
/// it is reached, but definitions with parameters do so at the beginning. Every `use` must have
/// been imported before.
pub fn check(
    definitions: &mut Definitions,
    scope: &mut Scope,
    statements: &[ast::Statement],
) -> (Vec<CheckedStatement>, Vec<Diagnostic>) {
    let mut checker = Checker::new(definitions, scope, Context::plain());
    let checked = checker.statements(&statements.iter().collect::<Vec<_>>());
    (checked, checker.diagnostics.into_vec())
}

/// Checks a file. The work can be stopped. Of a statement that could not be read, the name is
/// defined, but no further errors in it are reported. Findings about names and expressions are
/// recorded in the index, if there is one.
pub fn check_file<'a>(
    definitions: &'a mut Definitions,
    scope: &'a mut Scope,
    file: &ast::File,
    context: &'a Context<'a>,
    index: Option<&'a mut Index>,
) -> Result<(Vec<CheckedStatement>, Vec<Diagnostic>), Stop> {
    let mut checker = Checker::new(definitions, scope, context);
    checker.index = index;
    let broken = file.broken.iter();
    let mut statements: Vec<&ast::Statement> = broken
        .clone()
        .filter_map(|broken| broken.rest.as_ref())
        .collect();
    statements.extend(&file.statements);
    // The rests of broken statements take their places among the others.
    statements.sort_by_key(|statement| statement.span.start);
    broken
        .clone()
        // Names of statements that could not be read are known, so that their uses are no errors.
        .for_each(|broken| checker.broken_name(broken));
    let checked = checker.statements(&statements);
    // Errors in a broken statement would only follow from the syntax error.
    checker.diagnostics.forget(|span| {
        let before = file
            .broken
            .partition_point(|broken| broken.span.start <= span.start);
        before > 0 && span.start <= file.broken[before - 1].span.end
    });
    if let Some(index) = checker.index {
        index.sort();
    }
    checker
        .stop
        .map_or_else(|| Ok((checked, checker.diagnostics.into_vec())), Err)
}

/// Checks one expression.
pub fn check_expr(
    definitions: &mut Definitions,
    scope: &mut Scope,
    expr: &ast::Expr,
) -> (TopExpr, Vec<Diagnostic>) {
    check_with(definitions, scope, &[], expr)
}

/// Checks one expression in which some names stand for values that are already known. These take
/// the first slots of the frame.
pub fn check_with(
    definitions: &mut Definitions,
    scope: &mut Scope,
    known: &[(ast::Name, Kinds)],
    expr: &ast::Expr,
) -> (TopExpr, Vec<Diagnostic>) {
    let mut checker = Checker::new(definitions, scope, Context::plain());
    let checked = checker.top_with(known, expr, None);
    (checked, checker.diagnostics.into_vec())
}

impl Checker<'_> {
    /// Defines the name of a statement of which nothing else could be read.
    fn broken_name(&mut self, broken: &ast::Broken) {
        if let Some(name) = broken.name.as_ref().filter(|_| broken.rest.is_none()) {
            let id = self.define(name, None, Kinds::ANY, None);
            self.declare_global(id, DeclarationKind::Unknown, broken.span);
        }
    }

    fn statements(&mut self, statements: &[&ast::Statement]) -> Vec<CheckedStatement> {
        let announced = self.announce(statements);
        self.coming.extend(announced.iter().flatten());
        let values = statements
            .iter()
            .filter(|statement| parameters(&statement.kind).is_none());
        let values = values.filter_map(|statement| defined_name(&statement.kind));
        for name in values {
            self.later
                .entry(name.text.clone())
                .or_default()
                .push(name.span);
        }
        let checked = statements
            .iter()
            .zip(announced)
            .filter_map(|(statement, id)| {
                if let Some(name) = defined_name(&statement.kind) {
                    self.met(name);
                }
                if self.is_stopped() {
                    return None;
                }
                let kind = self.statement(statement, id)?;
                if let Some(id) = id {
                    self.coming.remove(&id);
                }
                self.declare_statement(statement, &kind);
                Some(CheckedStatement {
                    kind,
                    span: statement.span,
                })
            });
        checked.collect()
    }

    /// Removes a definition from those further down, because it has been reached.
    fn met(&mut self, name: &ast::Name) {
        if let Entry::Occupied(mut places) = self.later.entry(name.text.clone()) {
            places.get_mut().retain(|span| *span != name.span);
            if places.get().is_empty() {
                places.remove();
            }
        }
    }

    /// Defines everything that has parameters before anything is checked, so that these definitions
    /// may refer to each other. Returns, for each statement, the id of its definition if it has
    /// parameters.
    fn announce(&mut self, statements: &[&ast::Statement]) -> Vec<Option<GlobalId>> {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut tests: HashMap<&str, Span> = HashMap::new();
        let mut announced = Vec::new();
        for statement in statements {
            if let ast::StatementKind::Test {
                name, name_span, ..
            } = &statement.kind
            {
                match tests.entry(name) {
                    Entry::Occupied(first) => {
                        self.report(twice("test", name, *name_span, *first.get()))
                    }
                    Entry::Vacant(place) => {
                        place.insert(*name_span);
                    }
                }
            }
            let name = defined_name(&statement.kind);
            if let Some(name) = name {
                // All later ones are compared with the first, so that each is reported once.
                let first = *seen.entry(&name.text).or_insert(name.span);
                if first != name.span {
                    self.report(twice("name", &name.text, name.span, first));
                }
                if self.is_builtin(&name.text) {
                    self.report(hides_builtin(name));
                }
            }
            let parameters = parameters(&statement.kind);
            announced.push(name.zip(parameters).map(|(name, parameters)| {
                let parameters = parameters
                    .iter()
                    .map(|parameter| (parameter.text.clone(), Kinds::ANY))
                    .collect();
                let signature = FunctionSignature {
                    parameters,
                    result: result_kinds(&statement.kind),
                    // A function may ask until its body has been checked.
                    asks: !matches!(statement.kind, ast::StatementKind::Ruleset(_)),
                };
                self.define(
                    name,
                    statement.doc.clone(),
                    Kinds::FUNCTION,
                    Some(signature),
                )
            }));
        }
        announced
    }

    fn define(
        &mut self,
        name: &ast::Name,
        doc: Option<String>,
        kinds: Kinds,
        signature: Option<FunctionSignature>,
    ) -> GlobalId {
        let id = self.definitions.add(GlobalDefinition {
            name: name.text.clone(),
            span: name.span,
            doc,
            kinds,
            signature,
        });
        self.scope.insert(name.text.clone(), id);
        id
    }

    fn statement(
        &mut self,
        statement: &ast::Statement,
        announced: Option<GlobalId>,
    ) -> Option<CheckedStatementKind> {
        let doc = || statement.doc.clone();
        Some(match &statement.kind {
            ast::StatementKind::Use { .. } => return None,
            ast::StatementKind::Let(definition) | ast::StatementKind::Game(definition) => {
                let needed =
                    matches!(statement.kind, ast::StatementKind::Game(_)).then_some(Kinds::GAME);
                match announced {
                    Some(id) => self.function(id, definition, needed, statement.span),
                    None => self.value(&definition.name, &definition.body, needed, doc()),
                }
            }
            ast::StatementKind::Rules { name, body } => {
                self.value(name, body, Some(Kinds::RULES), doc())
            }
            ast::StatementKind::Ruleset(ruleset) => {
                let lowered = self.ruleset(ruleset, statement.span);
                let id = announced
                    .unwrap_or_else(|| self.define(&ruleset.name, doc(), Kinds::GAME, None));
                CheckedStatementKind::Ruleset {
                    id,
                    ruleset: lowered,
                }
            }
            ast::StatementKind::Using(rules) => CheckedStatementKind::Using(
                self.top(rules, Some((Kinds::RULES, "`using` takes rules"))),
            ),
            ast::StatementKind::Show(expr) => CheckedStatementKind::Show(self.top(expr, None)),
            ast::StatementKind::Check(expr) => CheckedStatementKind::Check(
                self.top(expr, Some((Kinds::BOOL, "`check` takes true or false"))),
            ),
            ast::StatementKind::Test { name, body, .. } => {
                CheckedStatementKind::Test(name.clone(), self.test(body, statement.span))
            }
            ast::StatementKind::Expr(expr) => CheckedStatementKind::Expr(self.top(expr, None)),
        })
    }

    /// Checks the statements of a test. Names that they define are not visible after it. Only these
    /// names are saved and restored: copying the whole scope would be slow, because a file may have
    /// as many tests as names.
    fn test(&mut self, body: &[ast::Statement], span: Span) -> Vec<CheckedStatement> {
        let block = self.block.replace(span);
        let names = body
            .iter()
            .filter_map(|statement| defined_name(&statement.kind));
        let outside: Vec<_> = names
            .map(|name| (&name.text, self.scope.find(&name.text)))
            .collect();
        let checked = self.statements(&body.iter().collect::<Vec<_>>());
        for (name, id) in outside {
            self.scope.set(name, id);
        }
        self.block = block;
        checked
    }

    /// Records the declaration of a checked statement, if an index is made.
    fn declare_statement(&mut self, statement: &ast::Statement, checked: &CheckedStatementKind) {
        let (kind, id) = match (&statement.kind, checked) {
            (
                ast::StatementKind::Test {
                    name, name_span, ..
                },
                _,
            ) => {
                let declaration = || Declaration {
                    name: name.clone(),
                    kind: DeclarationKind::Test,
                    span: statement.span,
                    name_span: *name_span,
                    // A test's name is no name in expressions, so it is visible nowhere else.
                    visible: Some(*name_span),
                    doc: statement.doc.clone(),
                    kinds: Kinds::ANY,
                    signature: None,
                };
                return self.declare(declaration);
            }
            (ast::StatementKind::Let(_), CheckedStatementKind::Value { id, .. }) => {
                (DeclarationKind::Value, id)
            }
            (ast::StatementKind::Let(_), CheckedStatementKind::Function { id, .. }) => {
                (DeclarationKind::Function, id)
            }
            (ast::StatementKind::Rules { .. }, CheckedStatementKind::Value { id, .. }) => {
                (DeclarationKind::Rules, id)
            }
            (_, CheckedStatementKind::Value { id, .. }) => (DeclarationKind::Game, id),
            (_, CheckedStatementKind::Function { id, .. }) => (DeclarationKind::Family, id),
            (_, CheckedStatementKind::Ruleset { id, ruleset }) if ruleset.parameters.is_none() => {
                (DeclarationKind::Game, id)
            }
            (_, CheckedStatementKind::Ruleset { id, .. }) => (DeclarationKind::Family, id),
            (
                _,
                CheckedStatementKind::Using(_)
                | CheckedStatementKind::Show(_)
                | CheckedStatementKind::Check(_)
                | CheckedStatementKind::Test(..)
                | CheckedStatementKind::Expr(_),
            ) => return,
        };
        self.declare_global(*id, kind, statement.span);
    }

    fn value(
        &mut self,
        name: &ast::Name,
        body: &ast::Expr,
        needed: Option<Kinds>,
        doc: Option<String>,
    ) -> CheckedStatementKind {
        let (body, frame) =
            self.framed(&[], body, needed.map(|needed| (needed, wrong_body(needed))));
        // The name is defined after its body, so that it means an earlier definition in it.
        let id = self.define(name, doc, needed.unwrap_or(body.kinds), None);
        CheckedStatementKind::Value {
            id,
            name: name.text.clone(),
            body: body.expr,
            frame,
        }
    }

    fn function(
        &mut self,
        id: GlobalId,
        definition: &ast::Definition,
        needed: Option<Kinds>,
        span: Span,
    ) -> CheckedStatementKind {
        let names = definition.parameters.as_deref().unwrap_or_default();
        self.locals.enter();
        let slots = self.parameters(names, span);
        // A function that calls itself asks only if something else in its body does.
        self.signature(id).asks = false;
        let body = self.expr(&definition.body);
        if let Some(needed) = needed.filter(|needed| !body.kinds.meets(*needed)) {
            self.report(self.wrong_type(&body.expr, wrong_body(needed), needed, body.kinds));
        }
        // The body has narrowed the kinds, and its names are gone once the function is left.
        let kinds: Vec<Kinds> = slots.iter().map(|slot| self.locals.kinds(*slot)).collect();
        let (frame, _) = self.locals.leave();
        self.refine(names, &kinds);
        let asks = self.may_ask(&body.expr);
        let signature = self.signature(id);
        signature.asks = asks;
        signature.result = needed.unwrap_or(body.kinds);
        for (parameter, kinds) in signature.parameters.iter_mut().zip(kinds) {
            parameter.1 = kinds;
        }
        let parameters = signature
            .parameters
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        let (name, span) = (definition.name.text.clone(), definition.name.span);
        let code = FunctionCode {
            name,
            parameters,
            holds_itself: false,
            frame,
            body: body.expr,
            span,
        };
        CheckedStatementKind::Function {
            id,
            code: Rc::new(code),
        }
    }

    /// Returns the signature of a function that has been announced.
    fn signature(&mut self, id: GlobalId) -> &mut FunctionSignature {
        let definition = self.definitions.get_mut(id);
        let signature = definition.signature.as_mut();
        signature.expect("announced with a signature")
    }

    fn top(&mut self, expr: &ast::Expr, needed: Option<(Kinds, &str)>) -> TopExpr {
        self.top_with(&[], expr, needed)
    }

    fn top_with(
        &mut self,
        known: &[(ast::Name, Kinds)],
        expr: &ast::Expr,
        needed: Option<(Kinds, &str)>,
    ) -> TopExpr {
        let (typed, frame) = self.framed(known, expr, needed);
        TopExpr {
            expr: typed.expr,
            frame,
            label: print_expr(expr),
            kinds: typed.kinds,
        }
    }

    /// Checks an expression with a frame of its own, in which some names are known. Also returns
    /// the number of slots that it needs.
    fn framed(
        &mut self,
        known: &[(ast::Name, Kinds)],
        expr: &ast::Expr,
        needed: Option<(Kinds, &str)>,
    ) -> (Typed, usize) {
        self.locals.enter();
        for (name, kinds) in known {
            self.locals.bind(name, *kinds);
        }
        self.evaluated = true;
        let typed = self.expr(expr);
        self.evaluated = false;
        let (frame, _) = self.locals.leave();
        if let Some((needed, why)) = needed.filter(|(needed, _)| !typed.kinds.meets(*needed)) {
            self.report(self.wrong_type(&typed.expr, why, needed, typed.kinds));
        }
        (typed, frame)
    }
}

fn defined_name(kind: &ast::StatementKind) -> Option<&ast::Name> {
    match kind {
        ast::StatementKind::Let(definition) | ast::StatementKind::Game(definition) => {
            Some(&definition.name)
        }
        ast::StatementKind::Ruleset(ruleset) => Some(&ruleset.name),
        ast::StatementKind::Rules { name, .. } => Some(name),
        _ => None,
    }
}

fn parameters(kind: &ast::StatementKind) -> Option<&[ast::Name]> {
    match kind {
        ast::StatementKind::Let(definition) | ast::StatementKind::Game(definition) => {
            definition.parameters.as_deref()
        }
        ast::StatementKind::Ruleset(ruleset) => ruleset.parameters.as_deref(),
        _ => None,
    }
}

/// Returns the kinds of the result of a definition with parameters, as far as its keyword tells.
fn result_kinds(kind: &ast::StatementKind) -> Kinds {
    match kind {
        ast::StatementKind::Game(_) | ast::StatementKind::Ruleset(_) => Kinds::GAME,
        _ => Kinds::ANY,
    }
}

fn wrong_body(needed: Kinds) -> &'static str {
    if needed == Kinds::RULES {
        "`rules` defines rules"
    } else {
        "`game` defines a game; other values take `let`"
    }
}

fn hides_builtin(name: &ast::Name) -> Diagnostic {
    Diagnostic::new(
        Code::Shadowed,
        format!("`{}` hides the builtin of that name", name.text),
    )
    .label(name.span, "hides a builtin")
    .help("choose another name, unless this is intended")
}
