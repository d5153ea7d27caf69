//! Translates expressions of rules to terms of Gallina.

use std::collections::HashMap;
use std::fmt::Display;

use super::names::TakenNames;
use super::scope::TranslationScope;
use super::terms::{GallinaTerm, Type, common, level, listed};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::Player;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};
use crate::verify::{BoardSide, BoardValue, Interpreter, Trouble, Value};

/// The translation of one game.
pub(super) struct Translator<'t, 'i> {
    pub interpreter: &'t mut Interpreter<'i>,
    pub names: TakenNames,
    /// The definitions of the file, in order.
    pub definitions: Vec<String>,
    /// The functions that have been translated, by their identity and the types of their arguments.
    pub functions: HashMap<(String, Vec<Type>), super::functions::TranslatedFunction>,
    /// The functions that are being translated.
    pub open: Vec<String>,
}

/// Reports that a part of the rules has no translation.
pub(super) fn untranslated(what: impl Display, span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(
            Code::NotSupported,
            format!("no theorem can be written: {what}"),
        )
        .label(span, "this has no translation for Coq")
        .help("docs/how_sure.md says which rules have one; a file that does not end in `.v` gets a certificate, which has no such limit"),
    )
}

/// The function that translates the body of clauses.
pub(super) type Body<'b> =
    &'b mut dyn FnMut(&mut Translator<'_, '_>, &mut TranslationScope) -> Result<GallinaTerm>;

impl<'t, 'i> Translator<'t, 'i> {
    /// Creates a translation that has defined nothing yet. These names are taken.
    pub fn new(interpreter: &'t mut Interpreter<'i>, names: TakenNames) -> Self {
        Self {
            interpreter,
            names,
            definitions: Vec::new(),
            functions: HashMap::new(),
            open: Vec::new(),
        }
    }

    /// Translates an expression to a term.
    pub fn term(&mut self, expr: &Expr, scope: &mut TranslationScope) -> Result<GallinaTerm> {
        // A constant range is not evaluated, because a written list would be long and lose its
        // bounds.
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
                        "the theory cannot express named arguments",
                        named.span,
                    ));
                }
                let arguments = arguments.iter().map(|argument| &argument.value);
                let arguments: Vec<&Expr> = arguments.collect();
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
            ExprKind::Tuple(items) => self.terms(items, scope).map(GallinaTerm::tuple),
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
                let (_, [then, otherwise]) = self.alike([then, otherwise], expr.span)?;
                Ok(GallinaTerm::choice(&condition, then, &otherwise))
            }
            ExprKind::Let(definition, body) if definition.parameters.is_none() => {
                let value = self.term(&definition.body, scope)?;
                let before = scope.variables.len();
                let name = scope.bind(&definition.name.text, value.ty.clone(), &self.names);
                let body = self.term(body, scope)?;
                scope.variables.truncate(before);
                let text = format!("let {name} := {} in {}", value.whole(), body.whole());
                Ok(GallinaTerm::new(text, level::WHOLE, body.ty))
            }
            _ => Err(untranslated(
                "the theory cannot express this kind of expression",
                expr.span,
            )),
        }
    }

    pub fn terms<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e Expr>,
        scope: &mut TranslationScope,
    ) -> Result<Vec<GallinaTerm>> {
        let terms = exprs.into_iter().map(|expr| self.term(expr, scope));
        terms.collect()
    }

    /// Translates an expression to a term of type `bool`.
    pub fn truth(&mut self, expr: &Expr, scope: &mut TranslationScope) -> Result<GallinaTerm> {
        let term = self.term(expr, scope)?;
        self.of_type(term, &Type::Bool, expr.span)
    }

    /// Converts a term to this type.
    pub fn of_type(&mut self, term: GallinaTerm, ty: &Type, span: Span) -> Result<GallinaTerm> {
        let found = term.ty.words();
        term.wide(ty, &mut self.names).ok_or_else(|| {
            untranslated(
                format!("{} stands where {found} is found", ty.words()),
                span,
            )
        })
    }

    /// Converts terms to their common type.
    pub fn alike<const N: usize>(
        &mut self,
        terms: [GallinaTerm; N],
        span: Span,
    ) -> Result<(Type, [GallinaTerm; N])> {
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

    fn constant(&mut self, expr: &Expr, scope: &TranslationScope) -> Result<GallinaTerm> {
        let value = self.value(expr, scope);
        let value = value.map_err(super::super::explore::diagnostic)?;
        self.literal(&value, expr.span)
    }

    /// Evaluates an expression that is known before play.
    pub fn value(
        &mut self,
        expr: &Expr,
        scope: &TranslationScope,
    ) -> std::result::Result<Value, Trouble> {
        let line = scope.ruleset.as_ref();
        let line = line.map(|(instance, line)| (&**instance, *line));
        self.interpreter.constant(scope.module, line, expr)
    }

    /// Converts a value to a term.
    pub fn literal(&mut self, value: &Value, span: Span) -> Result<GallinaTerm> {
        let all = |this: &mut Self, items: &[Value]| -> Result<Vec<GallinaTerm>> {
            items.iter().map(|item| this.literal(item, span)).collect()
        };
        Ok(match value {
            Value::Number(number) if number.is_integer() => {
                GallinaTerm::number(number.to_integer())
            }
            Value::Bool(truth) => GallinaTerm::atom(truth.to_string(), Type::Bool),
            Value::Player(player) => GallinaTerm::atom(player.name(), Type::Player),
            Value::Empty => GallinaTerm::atom("None", Type::Content),
            Value::List(items) => {
                let items = all(self, items)?;
                listed(items, &mut self.names).ok_or_else(|| {
                    untranslated("the elements of a list have no common type", span)
                })?
            }
            Value::Tuple(items) => GallinaTerm::tuple(all(self, items)?),
            Value::Board(board) => board_literal(board).ok_or_else(|| {
                untranslated("only players stand on the boards of the theory", span)
            })?,
            other => {
                return Err(untranslated(
                    format!("the theory cannot express {}", other.kind()),
                    span,
                ));
            }
        })
    }

    fn name(
        &mut self,
        name: &str,
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        if let Some(index) = scope.find(name) {
            if index < scope.state {
                // A definition takes only the state variables that its body uses, so each use is
                // recorded.
                scope.used.insert(name.to_owned());
            }
            let mut term = scope.variables[index].term.clone();
            let known = scope
                .facts
                .least
                .iter()
                .filter(|(text, _)| text == term.name());
            term.least = term.least.max(known.map(|(_, least)| *least).max());
            return Ok(term);
        }
        if scope.rule_let(name).is_some() {
            return self.rule_let(name, &[], span, scope);
        }
        let Some(me) = scope.me.clone() else {
            return Err(untranslated("nobody moves here", span));
        };
        scope.used.insert("me".to_owned());
        Ok(match (name, me.name()) {
            ("me", _) => me,
            (_, "Alice") => GallinaTerm::atom("Bob", Type::Player),
            (_, "Bob") => GallinaTerm::atom("Alice", Type::Player),
            _ => GallinaTerm::apply("other", &[&me], Type::Player),
        })
    }

    fn range(
        &mut self,
        first: &Expr,
        last: &Expr,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
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
        let range = GallinaTerm::apply(function, &[&first, &last], ty.list());
        Ok(range.between(first.least, last.most))
    }

    /// Translates an index into a list, a tuple, or a board.
    pub fn element(
        &mut self,
        base: &GallinaTerm,
        indices: Vec<GallinaTerm>,
        span: Span,
    ) -> Result<GallinaTerm> {
        if indices
            .iter()
            .any(|index| !index.ty.is_number() && index.ty != Type::cell())
        {
            return Err(untranslated(
                "this is not a place in a list or on a board",
                span,
            ));
        }
        let indices: Vec<GallinaTerm> = indices.into_iter().map(GallinaTerm::natural).collect();
        match (&base.ty, &indices[..]) {
            (Type::Grid { .. }, [cell]) if cell.ty == Type::cell() => {
                Ok(GallinaTerm::apply("at_cell", &[base, cell], Type::Content))
            }
            (Type::Grid { .. }, [row, col]) => {
                Ok(GallinaTerm::apply("cell", &[base, row, col], Type::Content))
            }
            (Type::List(item), [place]) => {
                // Functions of Coq are total, so an index beyond the list needs a value as well.
                let default = GallinaTerm::atom(item.default(), (**item).clone());
                Ok(GallinaTerm::apply(
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
                Ok(GallinaTerm::apply(function, &[base], part.clone()))
            }
            _ => Err(untranslated(
                format!(
                    "the theory cannot express the elements of {}",
                    base.ty.words()
                ),
                span,
            )),
        }
    }
}

/// Returns the name of a side of a board.
pub(super) fn side(value: &Value) -> Option<&'static str> {
    match value {
        Value::Player(Player::Alice) => Some("left_side"),
        Value::Player(Player::Bob) => Some("right_side"),
        Value::Side(BoardSide::Top) => Some("top_side"),
        Value::Side(BoardSide::Bottom) => Some("bottom_side"),
        _ => None,
    }
}

fn board_literal(board: &BoardValue) -> Option<GallinaTerm> {
    let ty = Type::Grid {
        hexagons: board.hexagons,
    };
    // Most games begin with an empty board, which is much shorter in this form.
    if board.cells.iter().all(|cell| matches!(cell, Value::Empty)) {
        let text = format!("empty_grid {} {}", board.rows, board.cols);
        return Some(GallinaTerm::new(text, level::APPLICATION, ty));
    }
    let content = |cell: &Value| match cell {
        Value::Empty => Some("None".to_owned()),
        Value::Player(player) => Some(format!("Some {}", player.name())),
        _ => None,
    };
    let rows = board.cells.chunks(board.cols).map(|row| {
        let row = row.iter().map(content).collect::<Option<Vec<_>>>()?;
        Some(format!("[{}]", row.join("; ")))
    });
    let rows = rows.collect::<Option<Vec<_>>>()?;
    Some(GallinaTerm::atom(format!("[{}]", rows.join("; ")), ty))
}
