//! Expressions of rules as terms of Gallina.

use std::collections::HashMap;
use std::fmt::Display;

use super::names::Names;
use super::scope::Scope;
use super::terms::{Term, Type, common, level, listed};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::Player;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Clause, Expr, ExprKind, Name, UnaryOp};
use crate::verify::{Board, BoardSide, Interpreter, Value};

/// The translation of one game.
pub(super) struct Translator<'t, 'i> {
    pub interpreter: &'t mut Interpreter<'i>,
    pub names: Names,
    /// Definitions of the file, in order.
    pub definitions: Vec<String>,
    /// Functions that have been translated, by their identity and the types of their arguments.
    pub functions: HashMap<(String, Vec<Type>), super::functions::Translated>,
    /// Functions that are being translated.
    pub open: Vec<String>,
}

/// Says that a part of the rules has no translation.
pub(super) fn untranslated(what: impl Display, span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(
            Code::NotSupported,
            format!("no theorem can be written: {what}"),
        )
        .label(span, "this has no translation for Coq")
        .help("proofs/README.md says which rules have one; a certificate in a file that does not end in `.v` has no such limit"),
    )
}

/// What a body of clauses does.
type Body<'b> = &'b mut dyn FnMut(&mut Translator<'_, '_>, &mut Scope) -> Result<Term>;

impl Translator<'_, '_> {
    /// The term of an expression.
    pub fn term(&mut self, expr: &Expr, scope: &mut Scope) -> Result<Term> {
        if let ExprKind::Binary(BinaryOp::Range, first, last) = &*expr.kind {
            return self.range(first, last, scope);
        }
        if !scope.is_dynamic(expr) {
            return self.constant(expr, scope);
        }
        match &*expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span, scope),
            ExprKind::Paren(inner) => self.term(inner, scope),
            ExprKind::Call { callee, arguments } => {
                if let Some(named) = arguments.iter().find_map(|argument| argument.name.as_ref()) {
                    return Err(untranslated(
                        "arguments with names are not known",
                        named.span,
                    ));
                }
                let arguments: Vec<&Expr> =
                    arguments.iter().map(|argument| &argument.value).collect();
                self.call(callee, &arguments, expr.span, scope)
            }
            ExprKind::Index { base, indices } => {
                let base = self.term(base, scope)?;
                let indices = self.terms(indices, scope)?;
                self.element(&base, indices, expr.span)
            }
            ExprKind::List(items) => {
                let items = self.terms(items, scope)?;
                listed(items, &mut self.names).ok_or_else(|| {
                    untranslated("the elements of this list have no common type", expr.span)
                })
            }
            ExprKind::Tuple(items) => {
                let items = self.terms(items, scope)?;
                let text: Vec<String> = items.iter().map(Term::whole).collect();
                let ty = Type::Tuple(items.into_iter().map(|item| item.ty).collect());
                Ok(Term::atom(format!("({})", text.join(", ")), ty))
            }
            ExprKind::Comprehension { element, clauses } => {
                self.through(clauses, scope, &mut |this, scope| this.term(element, scope))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.span, scope),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, scope),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.truth(condition, scope)?;
                let (then, otherwise) = (self.term(then, scope)?, self.term(otherwise, scope)?);
                let (ty, [then, otherwise]) = self.alike([then, otherwise], expr.span)?;
                let text = format!(
                    "if {} then {} else {}",
                    condition.whole(),
                    then.whole(),
                    otherwise.whole()
                );
                Ok(Term::new(text, level::WHOLE, ty))
            }
            ExprKind::Let(definition, body) if definition.parameters.is_none() => {
                let value = self.term(&definition.body, scope)?;
                let before = scope.variables.len();
                let name = scope.bind(&definition.name.text, value.ty.clone(), &self.names);
                let body = self.term(body, scope)?;
                scope.variables.truncate(before);
                let text = format!("let {name} := {} in {}", value.whole(), body.whole());
                Ok(Term::new(text, level::WHOLE, body.ty))
            }
            _ => Err(untranslated(
                "this kind of expression is not known",
                expr.span,
            )),
        }
    }

    pub fn terms(&mut self, exprs: &[Expr], scope: &mut Scope) -> Result<Vec<Term>> {
        exprs.iter().map(|expr| self.term(expr, scope)).collect()
    }

    /// A term that is true or false.
    pub fn truth(&mut self, expr: &Expr, scope: &mut Scope) -> Result<Term> {
        let term = self.term(expr, scope)?;
        self.of_type(term, &Type::Bool, expr.span)
    }

    /// The term, as one of this type.
    pub fn of_type(&mut self, term: Term, ty: &Type, span: Span) -> Result<Term> {
        let found = term.ty.words();
        term.wide(ty, &mut self.names).ok_or_else(|| {
            untranslated(
                format!("{} stands where {found} is found", ty.words()),
                span,
            )
        })
    }

    /// Terms as ones of the type that all have.
    pub fn alike<const N: usize>(
        &mut self,
        terms: [Term; N],
        span: Span,
    ) -> Result<(Type, [Term; N])> {
        let ty =
            common(&terms).ok_or_else(|| untranslated("these values have no common type", span))?;
        let mut wide = Vec::new();
        for term in terms {
            wide.push(self.of_type(term, &ty, span)?);
        }
        let wide = wide
            .try_into()
            .unwrap_or_else(|_| unreachable!("as many as before"));
        Ok((ty, wide))
    }

    fn constant(&mut self, expr: &Expr, scope: &Scope) -> Result<Term> {
        let value = match &scope.ruleset {
            Some((instance, line)) => self.interpreter.constant(instance, *line, expr),
            None => self.interpreter.defined_constant(scope.module, expr),
        };
        let value = value.map_err(super::super::explore::diagnostic)?;
        self.literal(&value, expr.span)
    }

    /// A value as a term.
    pub fn literal(&mut self, value: &Value, span: Span) -> Result<Term> {
        let all = |this: &mut Self, items: &[Value]| -> Result<Vec<Term>> {
            items.iter().map(|item| this.literal(item, span)).collect()
        };
        Ok(match value {
            Value::Number(number) if number.is_integer() => Term::number(number.to_integer()),
            Value::Bool(truth) => Term::atom(truth.to_string(), Type::Bool),
            Value::Player(player) => Term::atom(word(*player), Type::Player),
            Value::Empty => Term::atom("None", Type::Content),
            Value::List(items) => {
                let items = all(self, items)?;
                listed(items, &mut self.names).ok_or_else(|| {
                    untranslated("the elements of a list have no common type", span)
                })?
            }
            Value::Tuple(items) => {
                let items = all(self, items)?;
                let text: Vec<String> = items.iter().map(Term::whole).collect();
                let ty = Type::Tuple(items.into_iter().map(|item| item.ty).collect());
                Term::atom(format!("({})", text.join(", ")), ty)
            }
            Value::Board(board) => board_literal(board).ok_or_else(|| {
                untranslated("only players stand on the boards of the theory", span)
            })?,
            other => {
                return Err(untranslated(
                    format!("{} is not known there", other.kind()),
                    span,
                ));
            }
        })
    }

    fn name(&mut self, name: &str, span: Span, scope: &mut Scope) -> Result<Term> {
        if let Some(index) = scope.find(name) {
            if index < scope.state {
                scope.used.insert(name.to_owned());
            }
            let mut term = scope.variables[index].term.clone();
            let known = scope.least.iter().filter(|(text, _)| text == term.name());
            term.least = term.least.max(known.map(|(_, least)| *least).max());
            return Ok(term);
        }
        if let Some(line) = scope.rule_let(name) {
            return self.rule_let(line, &[], span, scope);
        }
        let Some(me) = scope.me.clone() else {
            return Err(untranslated("nobody moves here", span));
        };
        scope.used.insert("me".to_owned());
        Ok(match (name, me.name()) {
            ("me", _) => me,
            (_, "Alice") => Term::atom("Bob", Type::Player),
            (_, "Bob") => Term::atom("Alice", Type::Player),
            _ => Term::apply("other", &[&me], Type::Player),
        })
    }

    fn range(&mut self, first: &Expr, last: &Expr, scope: &mut Scope) -> Result<Term> {
        let span = last.span;
        let (first, last) = (self.term(first, scope)?, self.term(last, scope)?);
        let (ty, [first, last]) = self.alike([first, last], span)?;
        let function = match ty {
            Type::Natural => "range",
            Type::Integer => "range_Z",
            _ => {
                return Err(untranslated(
                    "a range goes from one integer to another",
                    span,
                ));
            }
        };
        let range = Term::apply(function, &[&first, &last], ty.list());
        Ok(range.between(first.least, last.most))
    }

    /// An element of a list, a tuple, or a board.
    pub fn element(&mut self, base: &Term, indices: Vec<Term>, span: Span) -> Result<Term> {
        if indices
            .iter()
            .any(|index| !index.ty.is_number() && index.ty != Type::cell())
        {
            return Err(untranslated(
                "this is no place in a list or on a board",
                span,
            ));
        }
        let indices: Vec<Term> = indices.into_iter().map(Term::natural).collect();
        match (&base.ty, &indices[..]) {
            (Type::Grid { .. }, [cell]) if cell.ty == Type::cell() => {
                Ok(Term::apply("at_cell", &[base, cell], Type::Content))
            }
            (Type::Grid { .. }, [row, col]) => {
                Ok(Term::apply("cell", &[base, row, col], Type::Content))
            }
            (Type::List(item), [place]) => {
                let default = Term::atom(item.default(), (**item).clone());
                Ok(Term::apply(
                    "item",
                    &[&default, base, place],
                    (**item).clone(),
                ))
            }
            (Type::Tuple(parts), [place]) if parts.len() == 2 && place.is_written_number() => {
                let (function, part) = if place.name() == "0" {
                    ("fst", &parts[0])
                } else {
                    ("snd", &parts[1])
                };
                Ok(Term::apply(function, &[base], part.clone()))
            }
            _ => Err(untranslated(
                format!("the elements of {} are not known there", base.ty.words()),
                span,
            )),
        }
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        operand: &Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Result<Term> {
        match op {
            UnaryOp::Not => {
                let truth = self.truth(operand, scope)?;
                Ok(Term::apply("negb", &[&truth], Type::Bool))
            }
            UnaryOp::Negate => {
                let zero = Term::number(0);
                let operand = self.term(operand, scope)?;
                self.arithmetic(BinaryOp::Subtract, zero, operand, span, scope)
            }
            UnaryOp::Conjugate => Err(untranslated("games inside rules are not known", span)),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        scope: &mut Scope,
    ) -> Result<Term> {
        let span = left.span.to(right.span);
        if let BinaryOp::And | BinaryOp::Or = op {
            let a = self.truth(left, scope)?;
            let (below, least) = (scope.below.len(), scope.least.len());
            if op == BinaryOp::And {
                self.learn(left, scope)?;
            }
            let b = self.truth(right, scope)?;
            scope.below.truncate(below);
            scope.least.truncate(least);
            let (sign, level) = match op {
                BinaryOp::And => ("&&", level::PRODUCT),
                _ => ("||", level::SUM),
            };
            let text = format!("{} {sign} {}", a.outside(level), b.outside(level - 1));
            return Ok(Term::new(text, level, Type::Bool));
        }
        let (a, b) = (self.term(left, scope)?, self.term(right, scope)?);
        match op {
            BinaryOp::Equal => self.equality(a, b, span),
            BinaryOp::NotEqual => {
                let equal = self.equality(a, b, span)?;
                Ok(Term::apply("negb", &[&equal], Type::Bool))
            }
            BinaryOp::Less => self.comparison("<?", a, b, span),
            BinaryOp::LessEqual => self.comparison("<=?", a, b, span),
            BinaryOp::Greater => self.comparison("<?", b, a, span),
            BinaryOp::GreaterEqual => self.comparison("<=?", b, a, span),
            BinaryOp::In => self.membership(a, b, span),
            BinaryOp::Concatenate => {
                let (ty, [a, b]) = self.alike([a, b], span)?;
                let text = format!(
                    "{} ++ {}",
                    a.outside(level::APPEND - 1),
                    b.outside(level::APPEND)
                );
                Ok(Term::new(text, level::APPEND, ty))
            }
            _ => self.arithmetic(op, a, b, span, scope),
        }
    }

    fn membership(&mut self, a: Term, list: Term, span: Span) -> Result<Term> {
        let Type::List(item) = &list.ty else {
            return Err(untranslated("`in` needs a list", span));
        };
        let ty =
            a.ty.join(item)
                .ok_or_else(|| untranslated("these values have no common type", span))?;
        let a = self.of_type(a, &ty, span)?;
        let list = self.of_type(list, &ty.list(), span)?;
        let text = format!("some (equal {}) {}", a.outside(0), list.outside(0));
        Ok(Term::new(text, level::APPLICATION, Type::Bool))
    }

    /// `a == b`
    pub fn equality(&mut self, a: Term, b: Term, span: Span) -> Result<Term> {
        if a.ty.is_number() && b.ty.is_number() {
            return self.comparison("=?", a, b, span);
        }
        let equal =
            |function: &str, a: &Term, b: &Term| Ok(Term::apply(function, &[a, b], Type::Bool));
        match (&a.ty, &b.ty) {
            (Type::Content, Type::Content) if b.name() == "None" => {
                Ok(Term::apply("is_empty", &[&a], Type::Bool))
            }
            (Type::Content, Type::Player) => equal("holds", &a, &b),
            (Type::Player, Type::Content) => equal("holds", &b, &a),
            (Type::Player, Type::Player) => equal("same", &a, &b),
            _ => {
                let (_, [a, b]) = self.alike([a, b], span)?;
                equal("equal", &a, &b)
            }
        }
    }

    fn comparison(&mut self, sign: &str, a: Term, b: Term, span: Span) -> Result<Term> {
        let (ty, [a, b]) = self.alike([a, b], span)?;
        let side = |term: &Term| term.inside(level::COMPARISON - 1);
        let text = format!("{} {sign} {}", side(&a), side(&b));
        match ty {
            Type::Natural => Ok(Term::new(text, level::COMPARISON, Type::Bool)),
            Type::Integer => Ok(Term::integers(text, level::COMPARISON, Type::Bool)),
            _ => Err(untranslated("only numbers have an order there", span)),
        }
    }

    /// Whether `b` is known to be no greater than `a`.
    fn fits(a: &Term, b: &Term, scope: &Scope) -> bool {
        let by_bounds = a
            .least
            .zip(b.most)
            .is_some_and(|(least, most)| most <= least);
        by_bounds
            || scope
                .below
                .iter()
                .any(|(small, large)| small == b.name() && large == a.name())
    }

    /// Arithmetic on integers. A difference is taken in the natural numbers where it is known not
    /// to be negative.
    pub fn arithmetic(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        span: Span,
        scope: &Scope,
    ) -> Result<Term> {
        if !a.ty.is_number() || !b.ty.is_number() {
            return Err(untranslated("only integers are added there", span));
        }
        let (sign, own) = match op {
            BinaryOp::Add => ("+", level::SUM),
            BinaryOp::Subtract => ("-", level::SUM),
            BinaryOp::Multiply => ("*", level::PRODUCT),
            BinaryOp::Remainder => ("mod", level::PRODUCT),
            BinaryOp::Power => ("^", level::POWER),
            BinaryOp::Divide => {
                return Err(untranslated(
                    "a quotient is known only within `floor` or `ceil`",
                    span,
                ));
            }
            _ => return Err(untranslated("this operator is not known there", span)),
        };
        let negative = op == BinaryOp::Subtract && !Self::fits(&a, &b, scope);
        if op == BinaryOp::Power && b.least.is_none_or(|least| least < 0) {
            return Err(untranslated("this exponent may be negative", span));
        }
        let natural = a.ty == Type::Natural && b.ty == Type::Natural && !negative;
        let (least, most) = bounds(op, &a, &b);
        if natural {
            let text = format!("{} {sign} {}", a.outside(left(own)), b.outside(right(own)));
            return Ok(Term::new(text, own, Type::Natural).between(least, most));
        }
        let a = self.of_type(a, &Type::Integer, span)?;
        let b = self.of_type(b, &Type::Integer, span)?;
        let text = format!("{} {sign} {}", a.inside(left(own)), b.inside(right(own)));
        Ok(Term::integers(text, own, Type::Integer).between(least, most))
    }

    /// Takes down what a condition says of numbers, for where it holds.
    pub fn learn(&mut self, condition: &Expr, scope: &mut Scope) -> Result<()> {
        let ExprKind::Binary(op, left, right) = &*condition.kind else {
            if let ExprKind::Paren(inner) = &*condition.kind {
                return self.learn(inner, scope);
            }
            return Ok(());
        };
        let (small, large, more) = match op {
            BinaryOp::And => {
                self.learn(left, scope)?;
                return self.learn(right, scope);
            }
            BinaryOp::LessEqual => (left, right, 0),
            BinaryOp::Less => (left, right, 1),
            BinaryOp::GreaterEqual => (right, left, 0),
            BinaryOp::Greater => (right, left, 1),
            BinaryOp::NotEqual => {
                let (a, b) = (self.term(left, scope)?, self.term(right, scope)?);
                if a.ty == Type::Natural && b.name() == "0" {
                    scope.least.push((a.name().to_owned(), 1));
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        let (small, large) = (self.term(small, scope)?, self.term(large, scope)?);
        if (&small.ty, &large.ty) == (&Type::Natural, &Type::Natural) {
            if let Some(least) = small.least.and_then(|least| least.checked_add(more)) {
                scope.least.push((large.name().to_owned(), least));
            }
            scope
                .below
                .push((small.name().to_owned(), large.name().to_owned()));
        }
        Ok(())
    }

    /// The list of what a body gives, for every way through some clauses.
    pub fn through(
        &mut self,
        clauses: &[Clause],
        scope: &mut Scope,
        body: Body<'_>,
    ) -> Result<Term> {
        let before = (scope.below.len(), scope.least.len());
        let guards = clauses
            .iter()
            .take_while(|clause| matches!(clause, Clause::If(_)))
            .count();
        let (guards, rest) = clauses.split_at(guards);
        let truth = self.guards(guards, scope)?;
        let list = match rest.split_first() {
            Some((Clause::For { pattern, iterable }, rest)) => {
                let range = self.term(iterable, scope)?;
                let variables = scope.variables.len();
                let pattern = self.pattern(pattern, &range, iterable.span, scope)?;
                let list = self.through(rest, scope, body)?;
                scope.variables.truncate(variables);
                // Loops within loops stand below each other, as in the source.
                let inner = match list.whole() {
                    text if text.starts_with("for_each ") => text,
                    text => format!("  {}", text.replace('\n', "\n  ")),
                };
                let text = format!("for_each {} (fun {pattern} =>\n{inner})", range.outside(0));
                Term::new(text, level::APPLICATION, list.ty)
            }
            _ => {
                let item = body(self, scope)?;
                Term::atom(format!("[{}]", item.whole()), item.ty.list())
            }
        };
        scope.below.truncate(before.0);
        scope.least.truncate(before.1);
        Ok(match truth {
            None => list,
            Some(truth) => {
                let inner = list.whole().replace('\n', "\n  ");
                let text = format!("if {} then\n  {inner}\nelse []", truth.whole());
                Term::new(text, level::WHOLE, list.ty)
            }
        })
    }

    /// Some conditions in a row, each knowing those before.
    pub fn guards(&mut self, guards: &[Clause], scope: &mut Scope) -> Result<Option<Term>> {
        let mut all: Option<Term> = None;
        for guard in guards {
            let Clause::If(condition) = guard else {
                continue;
            };
            let truth = self.truth(condition, scope)?;
            self.learn(condition, scope)?;
            all = Some(match all {
                None => truth,
                Some(before) => {
                    let own = level::PRODUCT;
                    let text = format!("{} && {}", before.outside(own), truth.outside(own - 1));
                    Term::new(text, own, Type::Bool)
                }
            });
        }
        Ok(all)
    }

    /// Binds what runs through a list; the pattern as Coq has it.
    pub fn pattern(
        &mut self,
        pattern: &[Name],
        list: &Term,
        span: Span,
        scope: &mut Scope,
    ) -> Result<String> {
        let Type::List(item) = &list.ty else {
            return Err(untranslated(
                format!("`for` runs through a list, not {}", list.ty.words()),
                span,
            ));
        };
        match (pattern, &**item) {
            ([name], item) => {
                let name = scope.bind(&name.text, item.clone(), &self.names);
                if let Some(variable) = scope.variables.last_mut().filter(|_| item.is_number()) {
                    variable.term = variable.term.clone().between(list.least, list.most);
                }
                Ok(name)
            }
            (names, Type::Tuple(parts)) if names.len() == parts.len() => {
                let bound: Vec<String> = names
                    .iter()
                    .zip(parts)
                    .map(|(name, part)| scope.bind(&name.text, part.clone(), &self.names))
                    .collect();
                Ok(format!("'({})", bound.join(", ")))
            }
            _ => Err(untranslated(
                "this `for` names parts of what has none",
                span,
            )),
        }
    }
}

/// How strongly the left side of an operator has to bind.
fn left(own: u8) -> u8 {
    if own == level::POWER { own - 1 } else { own }
}

/// How strongly the right side of an operator has to bind.
fn right(own: u8) -> u8 {
    if own == level::POWER { own } else { own - 1 }
}

/// Bounds of the result of arithmetic.
fn bounds(op: BinaryOp, a: &Term, b: &Term) -> (Option<i64>, Option<i64>) {
    let both = |a: Option<i64>, b: Option<i64>, work: fn(i64, i64) -> Option<i64>| {
        a.zip(b).and_then(|(a, b)| work(a, b))
    };
    let positive =
        a.least.is_some_and(|least| least >= 0) && b.least.is_some_and(|least| least >= 0);
    match op {
        BinaryOp::Add => (
            both(a.least, b.least, i64::checked_add),
            both(a.most, b.most, i64::checked_add),
        ),
        BinaryOp::Subtract => (
            both(a.least, b.most, i64::checked_sub),
            both(a.most, b.least, i64::checked_sub),
        ),
        BinaryOp::Multiply if positive => (
            both(a.least, b.least, i64::checked_mul),
            both(a.most, b.most, i64::checked_mul),
        ),
        BinaryOp::Remainder if b.least.is_some_and(|least| least > 0) => {
            (Some(0), b.most.map(|most| most - 1))
        }
        _ => (None, None),
    }
}

/// What a player is called.
pub(super) fn word(player: Player) -> &'static str {
    match player {
        Player::Alice => "Alice",
        Player::Bob => "Bob",
    }
}

/// A side of a board.
pub(super) fn side(value: &Value) -> Option<&'static str> {
    match value {
        Value::Player(Player::Alice) => Some("left_side"),
        Value::Player(Player::Bob) => Some("right_side"),
        Value::Side(BoardSide::Top) => Some("top_side"),
        Value::Side(BoardSide::Bottom) => Some("bottom_side"),
        _ => None,
    }
}

fn board_literal(board: &Board) -> Option<Term> {
    let ty = Type::Grid {
        hexagons: board.hexagons,
    };
    if board.cells.iter().all(|cell| matches!(cell, Value::Empty)) {
        let text = format!("empty_grid {} {}", board.rows, board.cols);
        return Some(Term::new(text, level::APPLICATION, ty));
    }
    let content = |cell: &Value| match cell {
        Value::Empty => Some("None".to_owned()),
        Value::Player(player) => Some(format!("Some {}", word(*player))),
        _ => None,
    };
    let rows = board.cells.chunks(board.cols).map(|row| {
        let row = row.iter().map(content).collect::<Option<Vec<_>>>()?;
        Some(format!("[{}]", row.join("; ")))
    });
    let rows = rows.collect::<Option<Vec<_>>>()?;
    Some(Term::atom(format!("[{}]", rows.join("; ")), ty))
}
