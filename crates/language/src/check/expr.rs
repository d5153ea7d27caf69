//! Lowers expressions.

use std::rc::Rc;

use num_bigint::BigInt;

use super::index::LocalScope;
use super::ruleset::RulesetSection;
use super::unknown::used_early;
use super::{Checker, Typed, twice};
use crate::diagnostic::{Code, Diagnostic, Fix, Help};
use crate::ir::{
    CheckedClause, CheckedExpr, CheckedExprKind, ComprehensionNames, ComprehensionVariable,
    FunctionCode, Kinds, Primitive, Side, Value,
};
use crate::player::{Outcome, PerPlayer, Player};
use crate::rules::{ChipMark, Chips, PRESETS, preset};
use crate::source::Span;
use crate::syntax::vocabulary::constants;
use crate::syntax::{ast, print_expr};

impl Checker<'_> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Typed {
        if self.is_stopped() {
            return Typed::stand_in(expr.span);
        }
        // Long chains of operators nest as deeply as brackets do, beyond the stack of a thread.
        let typed = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_unguarded(expr));
        self.note_kinds(expr.span, typed.kinds);
        typed
    }

    fn expr_unguarded(&mut self, expr: &ast::Expr) -> Typed {
        let span = expr.span;
        let typed = |kind, kinds| Typed::new(kind, kinds, span);
        let constant = |value, kinds| Typed::new(CheckedExprKind::Constant(value), kinds, span);
        match &*expr.kind {
            ast::ExprKind::Integer(n) => {
                constant(Value::Integer(BigInt::from(n.clone())), Kinds::INTEGER)
            }
            ast::ExprKind::Decimal(value, _) => {
                constant(Value::rational(value.clone()), Kinds::NUMBER)
            }
            ast::ExprKind::Star(n) => constant(
                Value::chips(Chips::new(n.clone(), ChipMark::Star)),
                Kinds::CHIPS,
            ),
            ast::ExprKind::MinusEpsilon(n) => constant(
                Value::chips(Chips::new(n.clone(), ChipMark::MinusEpsilon)),
                Kinds::CHIPS,
            ),
            ast::ExprKind::String(text) => constant(Value::text(text.as_str()), Kinds::TEXT),
            ast::ExprKind::Bool(value) => constant(Value::Bool(*value), Kinds::BOOL),
            ast::ExprKind::Player(player, _) => constant(Value::Player(*player), Kinds::PLAYER),
            ast::ExprKind::Name(name) => self.name(name, span),
            ast::ExprKind::Call { callee, arguments } => self.call(callee, arguments, span),
            ast::ExprKind::Index { base, indices } => self.index(base, indices, span),
            ast::ExprKind::List(items) => {
                if let Some(range) = only_range(expr) {
                    let message =
                        "a range is a list already, and here it is the only element of another";
                    self.report(range_in_list(Code::RangeInList, message, span, range));
                }
                typed(CheckedExprKind::List(self.exprs(items)), Kinds::LIST)
            }
            ast::ExprKind::Comprehension { element, clauses } => {
                self.comprehension(element, clauses, span)
            }
            ast::ExprKind::Tuple(items) => {
                typed(CheckedExprKind::Tuple(self.exprs(items)), Kinds::TUPLE)
            }
            ast::ExprKind::Paren(inner) => self.expr(inner),
            ast::ExprKind::Braces { alice, bob } => {
                let mut options = |side: &[ast::Expr]| {
                    side.iter()
                        .map(|option| {
                            self.needs(option, Kinds::GAME, "an option in braces is a game")
                        })
                        .collect()
                };
                let sides = PerPlayer::new(options(alice), options(bob));
                typed(CheckedExprKind::Braces(sides), Kinds::GAME)
            }
            ast::ExprKind::Rules(fields) => self.rules_literal(fields, span),
            ast::ExprKind::Graph(items) => self.graph(items, span),
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ast::ExprKind::At(game, position) => {
                let game = self.needs(game, Kinds::GAME, "`at` stands after a game");
                typed(CheckedExprKind::At(game, self.node(position)), Kinds::GAME)
            }
            ast::ExprKind::After(game, plies) => {
                let game = self.needs(game, Kinds::GAME, "`after` stands after a game");
                typed(CheckedExprKind::After(game, self.plies(plies)), Kinds::GAME)
            }
            ast::ExprKind::Using(inner, rules) => {
                let rules = self.needs(rules, Kinds::RULES, "`using` takes rules");
                let found = self.diagnostics.len();
                let inner = self.expr(inner);
                // Nothing is known about an expression that has an error.
                if self.diagnostics.len() == found && !self.may_ask(&inner.expr) {
                    self.report(idle_rules(rules.span));
                }
                typed(CheckedExprKind::Using(inner.expr, rules), inner.kinds)
            }
            ast::ExprKind::If {
                condition,
                then,
                otherwise,
            } => self.conditional(condition, then, otherwise, span),
            ast::ExprKind::Let(definition, body) => self.let_in(definition, body, span),
        }
    }

    /// Returns `false` if the value of an expression is the same under all rules, because nothing in
    /// it asks a question about games.
    pub(super) fn may_ask(&self, expr: &CheckedExpr) -> bool {
        let asks = match &*expr.kind {
            // Most builtins ask; the others are seldom written before `using`.
            CheckedExprKind::Builtin { .. } => true,
            // A call of a game asks for the outcome of the game with the chips of both players.
            CheckedExprKind::Call { callee, .. } => match *callee.kind {
                CheckedExprKind::Global(id) => {
                    let signature = self.definitions.get(id).signature.as_ref();
                    signature.is_none_or(|signature| signature.asks)
                }
                _ => true,
            },
            CheckedExprKind::Binary(op, a, b) if op.compares() => {
                let may_be_game =
                    |operand: &CheckedExpr| !matches!(*operand.kind, CheckedExprKind::Constant(_));
                may_be_game(a) && may_be_game(b)
            }
            CheckedExprKind::Closure(code, _) => self.may_ask(&code.body),
            _ => false,
        };
        asks || !expr.all_parts(&mut |part| !self.may_ask(part))
    }

    fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<CheckedExpr> {
        exprs.iter().map(|expr| self.expr(expr).expr).collect()
    }

    /// Lowers an expression that must be of one of these kinds. `why` is the first half of the
    /// message if it is not.
    pub(super) fn needs(&mut self, expr: &ast::Expr, needed: Kinds, why: &str) -> CheckedExpr {
        self.needs_typed(expr, needed, why).expr
    }

    pub(super) fn needs_typed(&mut self, expr: &ast::Expr, needed: Kinds, why: &str) -> Typed {
        let typed = self.expr(expr);
        self.fitting(typed, needed, why)
    }

    /// Reports an expression that has none of the kinds needed.
    pub(super) fn fitting(
        &mut self,
        Typed { expr, kinds }: Typed,
        needed: Kinds,
        why: &str,
    ) -> Typed {
        if !kinds.meets(needed) {
            self.report(self.wrong_type(&expr, why, needed, kinds));
        } else if let CheckedExprKind::Local(slot) = *expr.kind {
            // A parameter that is used as a game must be one, so that its callers can be checked.
            self.locals.narrow(slot, needed);
        }
        let kinds = if kinds.meets(needed) {
            kinds.and(needed)
        } else {
            Kinds::ANY
        };
        Typed { expr, kinds }
    }

    fn name(&mut self, name: &str, span: Span) -> Typed {
        match self.known_name(name, span) {
            Some(typed) => {
                self.refer(name, span);
                if let CheckedExprKind::Global(id) = *typed.expr.kind
                    && self.evaluated
                    && self.coming.contains(&id)
                {
                    let definition = self.definitions.get(id).span;
                    self.report(used_early(name, span, definition));
                }
                typed
            }
            None => {
                let diagnostic = self.unknown_name(name, span);
                self.broken(diagnostic, span)
            }
        }
    }

    /// Finds the meaning of a name, if it has one here.
    pub(super) fn known_name(&mut self, name: &str, span: Span) -> Option<Typed> {
        let typed = |kind, kinds| Some(Typed::new(kind, kinds, span));
        if let Some((kind, kinds)) = self.locals.find(name, span) {
            return typed(kind, kinds);
        }
        match &mut self.within {
            Some(RulesetSection::Lines(names)) => {
                if let Some((kind, kinds)) = names.find(name) {
                    return typed(kind, kinds);
                }
            }
            Some(RulesetSection::Start(constants)) => {
                if let Some(at) = constants
                    .iter()
                    .rposition(|constant| constant.name.text == name)
                {
                    // A constant sees only those before it, so that none can refer to itself.
                    let from_here = constants.split_off(at);
                    return Some(self.inlined_constant(from_here));
                }
            }
            None => {}
        }
        if let Some(id) = self.scope.find(name) {
            return typed(CheckedExprKind::Global(id), self.definitions.get(id).kinds);
        }
        let (kind, kinds) = builtin_name(name)?;
        typed(kind, kinds)
    }

    /// Lowers the body of the first of these constants. They have been split off the list that is
    /// in scope, so the body may use only the constants before it.
    fn inlined_constant(&mut self, from_here: Vec<ast::Definition>) -> Typed {
        let body = self.expr(&from_here[0].body);
        if let Some(RulesetSection::Start(constants)) = &mut self.within {
            constants.extend(from_here);
        }
        body
    }

    fn index(&mut self, base: &ast::Expr, indices: &[ast::Expr], span: Span) -> Typed {
        const INDEXED: Kinds = Kinds::GAME
            .or(Kinds::LIST)
            .or(Kinds::TUPLE)
            .or(Kinds::BOARD)
            .or(Kinds::BOUNDS)
            .or(Kinds::ANSWER);
        let base = self.expr(base);
        if !base.kinds.meets(INDEXED) {
            let why = "only games, lists and boards take an index";
            self.report(self.wrong_type(&base.expr, why, INDEXED, base.kinds));
        }
        let indices = self.exprs(indices);
        let kinds = if base.kinds == Kinds::GAME {
            Kinds::GAME
        } else {
            Kinds::ANY
        };
        Typed::new(CheckedExprKind::Index(base.expr, indices), kinds, span)
    }

    fn comprehension(&mut self, element: &ast::Expr, clauses: &[ast::Clause], span: Span) -> Typed {
        let mark = self.locals.mark();
        self.locals.conditionally(true);
        // The names are taken from the source, since the lowered clauses have only slots.
        let bound = bound_names(clauses);
        let clauses = self.clauses(clauses, span);
        let slots = clauses.iter().flat_map(|clause| match clause {
            CheckedClause::For(slots, _) => &slots[..],
            CheckedClause::If(_) => &[],
        });
        let variable = |(name, slot): (&ast::Name, &usize)| ComprehensionVariable {
            name: name.text.as_str().into(),
            slot: *slot,
        };
        let names = ComprehensionNames {
            variables: bound.zip(slots).map(variable).collect(),
            parts: parts(element).map(|part| print_expr(part).into()).collect(),
        };
        let element = self.expr(element).expr;
        self.locals.conditionally(false);
        self.locals.unbind_to(mark);
        Typed::new(
            CheckedExprKind::Comprehension(element, clauses, names),
            Kinds::LIST,
            span,
        )
    }

    /// Lowers the `for` and `if` clauses of the part at `span`. The names that they bind stay
    /// visible until the caller unbinds them.
    pub(super) fn clauses(&mut self, clauses: &[ast::Clause], span: Span) -> Vec<CheckedClause> {
        let mut lowered = Vec::new();
        for clause in clauses {
            lowered.push(match clause {
                ast::Clause::If(condition) => CheckedClause::If(self.needs(
                    condition,
                    Kinds::BOOL,
                    "a condition is true or false",
                )),
                ast::Clause::For { pattern, iterable } => {
                    let iterable = self.needs(
                        iterable,
                        Kinds::SEQUENCE,
                        "`for` goes through a list or range",
                    );
                    let names = pattern
                        .iter()
                        .map(|name| self.bind(name, LocalScope::variable(span), Kinds::ANY));
                    CheckedClause::For(names.collect(), iterable)
                }
            });
        }
        lowered
    }

    fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Typed {
        let condition = self.needs(condition, Kinds::BOOL, "a condition is true or false");
        self.locals.conditionally(true);
        let (then, otherwise) = (self.expr(then), self.expr(otherwise));
        self.locals.conditionally(false);
        Typed::new(
            CheckedExprKind::If(condition, then.expr, otherwise.expr),
            then.kinds.or(otherwise.kinds),
            span,
        )
    }

    fn let_in(&mut self, definition: &ast::Definition, body: &ast::Expr, span: Span) -> Typed {
        let mark = self.locals.mark();
        // The value is lowered before its name is bound, so that the name means an earlier one in
        // it.
        let value = match &definition.parameters {
            None => self.expr(&definition.body),
            Some(parameters) => self.closure(&definition.name, parameters, &definition.body),
        };
        let slot = self.bind(&definition.name, LocalScope::variable(span), value.kinds);
        let body = self.expr(body);
        self.locals.unbind_to(mark);
        Typed::new(
            CheckedExprKind::Let(slot, value.expr, body.expr),
            body.kinds,
            span,
        )
    }

    /// Binds a local name to the next slot.
    fn bind(&mut self, name: &ast::Name, part: LocalScope, kinds: Kinds) -> usize {
        self.declare_local(name, part, name.span, kinds);
        self.locals.bind(name, kinds)
    }

    /// Binds the parameters of the function at `span` to the next slots.
    pub(super) fn parameters(&mut self, parameters: &[ast::Name], span: Span) -> Vec<usize> {
        for (index, name) in parameters.iter().enumerate() {
            if let Some(first) = parameters[..index]
                .iter()
                .find(|first| first.text == name.text)
            {
                self.report(twice("parameter", &name.text, name.span, first.span));
            }
        }
        parameters
            .iter()
            .map(|name| self.bind(name, LocalScope::parameter(span), Kinds::ANY))
            .collect()
    }

    fn closure(&mut self, name: &ast::Name, parameters: &[ast::Name], body: &ast::Expr) -> Typed {
        let span = name.span;
        self.locals.enter();
        // The function's own name has the first slot, so that it can call itself.
        self.locals.bind(name, Kinds::FUNCTION);
        self.parameters(parameters, span.to(body.span));
        let body = self.expr(body).expr;
        let (frame, captured) = self.locals.leave();
        let parameters = parameters
            .iter()
            .map(|parameter| parameter.text.clone())
            .collect();
        let code = FunctionCode {
            name: name.text.clone(),
            parameters,
            holds_itself: true,
            frame,
            body,
            span,
        };
        Typed::new(
            CheckedExprKind::Closure(Rc::new(code), captured),
            Kinds::FUNCTION,
            span,
        )
    }
}

/// Finds a predefined name: a primitive, cell, side, outcome or preset.
fn builtin_name(name: &str) -> Option<(CheckedExprKind, Kinds)> {
    let primitive = |primitive| Some((CheckedExprKind::Primitive(primitive), Kinds::GAME));
    match name {
        "A" => primitive(Primitive::Win(Player::Alice)),
        "B" => primitive(Primitive::Win(Player::Bob)),
        "Draw" => primitive(Primitive::Draw),
        "E" => primitive(Primitive::Even),
        "empty" => Some((CheckedExprKind::Constant(Value::Empty), Kinds::EMPTY)),
        "never" => Some((CheckedExprKind::Constant(Value::Never), Kinds::NEVER)),
        "top" => Some((
            CheckedExprKind::Constant(Value::Side(Side::Top)),
            Kinds::SIDE,
        )),
        "bottom" => Some((
            CheckedExprKind::Constant(Value::Side(Side::Bottom)),
            Kinds::SIDE,
        )),
        "draw" => Some((
            CheckedExprKind::Constant(Value::Outcome(Outcome::Draw)),
            Kinds::OUTCOME,
        )),
        "undetermined" => Some((
            CheckedExprKind::Constant(Value::Outcome(Outcome::Undetermined)),
            Kinds::OUTCOME,
        )),
        _ => {
            let rules = preset(name)?;
            Some((
                CheckedExprKind::Constant(Value::Rules(Rc::new(rules.into()))),
                Kinds::RULES,
            ))
        }
    }
}

impl Checker<'_> {
    /// Returns `true` if a name is predefined, so that defining it hides something.
    pub(super) fn is_builtin(&self, name: &str) -> bool {
        constants().any(|constant| constant == name)
            || PRESETS.iter().any(|preset| preset.name == name)
            || self.definitions.builtin(name).is_some()
    }
}

/// Returns the names that the `for` clauses of a comprehension bind, in order.
fn bound_names(clauses: &[ast::Clause]) -> impl Iterator<Item = &ast::Name> {
    clauses.iter().flat_map(|clause| match clause {
        ast::Clause::For { pattern, .. } => &pattern[..],
        ast::Clause::If(_) => &[],
    })
}

/// Returns the parts of a tuple, or the whole of another expression.
fn parts(element: &ast::Expr) -> impl Iterator<Item = &ast::Expr> {
    match &*element.kind {
        ast::ExprKind::Tuple(parts) => parts.iter(),
        _ => std::slice::from_ref(element).iter(),
    }
}

/// Returns the range of a list like `[1..3]`, which has no other element.
pub(super) fn only_range(list: &ast::Expr) -> Option<&ast::Expr> {
    match &*list.kind {
        ast::ExprKind::List(items) => match &items[..] {
            [only] if matches!(*only.kind, ast::ExprKind::Binary(ast::BinaryOp::Range, ..)) => {
                Some(only)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Reports a list like `[1..3]`, by which the range alone was probably meant.
pub(super) fn range_in_list(
    code: Code,
    message: impl Into<String>,
    list: Span,
    range: &ast::Expr,
) -> Diagnostic {
    let range = print_expr(range);
    let help = Help::from(match code {
        Code::RangeInList => {
            format!("write `{range}`, or `[({range})]` if a list of one list is meant")
        }
        _ => format!("write `{range}`"),
    });
    Diagnostic::new(code, message)
        .label(
            list,
            format!("this is the list whose one element is {range}"),
        )
        .help(help.with(Fix::replace(list, range)))
}

/// Warns of rules around an expression that asks nothing.
fn idle_rules(rules: Span) -> Diagnostic {
    let message = "these rules have no effect, because nothing before `using` asks a question";
    Diagnostic::new(Code::IdleRules, message)
        .label(rules, "no effect")
        .help(
            "write `R(G) using { … }`; since `using` binds tighter than comparisons, a comparison under these rules takes brackets: `(G == H) using { … }`",
        )
}
