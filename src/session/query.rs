//! Questions given as values instead of text, and text in which names denote values that are given
//! with it.
//!
//! A question as values is a call whose arguments are variables with values. It is checked and
//! evaluated like the corresponding text, to which diagnostics refer.

use std::rc::Rc;

use num_bigint::BigInt;

use super::{EventSink, Session, Summary};
use crate::check::{self, Scope, TopExpr};
use crate::diagnostic::{Code, Diagnostic, Result, Severity};
use crate::eval::print::print_briefly;
use crate::interchange::EdgeList;
use crate::ir::{CheckedExprKind, Kinds, Value};
use crate::player::Player;
use crate::report::Report;
use crate::rules::Overrides;
use crate::scalar::Scalar;
use crate::source::{SourceId, Span};
use crate::syntax;
use crate::syntax::ast::{self, Argument, BinaryOp, Expr, Name, Ply};

/// A question given as values.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The function or operation.
    pub callee: Callee,
    /// The arguments in order; the game is first if there is one.
    pub arguments: Vec<QueryArgument>,
    /// The named arguments.
    pub named: Vec<(String, Report)>,
}

/// An argument of a [`Query`].
#[derive(Debug, Clone, PartialEq)]
pub enum QueryArgument {
    /// A value.
    Value(Report),
    /// A range `first..last`: the session makes the list, within its limits.
    Range {
        /// The first integer.
        first: BigInt,
        /// The last one.
        last: BigInt,
    },
}

/// The function or operation of a [`Query`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callee {
    /// A builtin, even if the session uses its name for another definition: `f(G, k)`.
    Builtin(String),
    /// A function or family of the session: `connect(4, 4, 5)`.
    Name(String),
    /// The outcome: `G(a, b)`.
    Outcome,
    /// A position: `G at POSITION`.
    At,
    /// A position after moves, `G after [alice MOVE, bob MOVE]`: the arguments after the game are
    /// pairs of a player and a move.
    After,
}

/// A checked question with the values of its variables, or its errors.
type CheckedQuery = Result<(TopExpr, Vec<Value>), Vec<Diagnostic>>;

/// The text of a question while it is written, and the values in it.
struct QueryWriter<'a> {
    session: &'a Session,
    source: SourceId,
    text: String,
    values: Vec<Value>,
    labels: Vec<String>,
}

impl Session {
    /// Answers a question; the value is an event.
    pub fn query(&mut self, query: &Query, sink: &mut EventSink) -> Summary {
        // The text is written while the call is built, and replaces this one before it is checked.
        let source = self.sources.add("<call>", "");
        let summary = self.loading(sink, |load| {
            let checked = load.session.checked_query(query, source);
            let answered = checked.and_then(|(top, values)| {
                let defaults = Rc::clone(&load.session.defaults);
                load.answer(&top, values, &defaults)
                    .map_err(|error| vec![*error])
            });
            for diagnostic in answered.err().into_iter().flatten() {
                load.report(diagnostic);
            }
        });
        self.forget_last(source);
        summary
    }

    /// Runs text at the prompt in which these names denote these values.
    pub fn evaluate(
        &mut self,
        text: &str,
        names: &[(String, Report)],
        sink: &mut EventSink,
    ) -> Summary {
        let before = self.scope.clone();
        for (name, value) in names {
            if let Err(wrong) = self.define(name, value) {
                self.scope = before;
                return self.loading(sink, |load| load.report(*wrong));
            }
        }
        let input = self.next_input();
        let summary = self.run_text(&input, text, sink);
        for (name, _) in names {
            self.scope.restore(name, &before);
        }
        summary
    }

    /// Makes a game of a graph; the value is an event.
    pub fn graph(&mut self, edges: &EdgeList, sink: &mut EventSink) -> Summary {
        let source = self.sources.add("<graph>", "graph");
        let summary = self.loading(sink, |load| {
            if let Err(why) = load.graph(edges, Span::new(source, 0..5)) {
                load.report(*why);
            }
        });
        self.forget_last(source);
        summary
    }

    /// Applies these rules over the defaults of the prompt. Returns the earlier defaults, to be
    /// passed to [`put_back`](Self::put_back).
    ///
    /// # Errors
    /// Returns errors if the text is not an expression of rules.
    pub fn put_under(&mut self, rules: &str) -> Result<Rc<Overrides>, Vec<Diagnostic>> {
        let before = Rc::clone(&self.defaults);
        let source = self.sources.add("<rules>", rules);
        let set = self.set_rules_of(source);
        // Errors refer to the text, which therefore has to stay.
        if set.is_ok() {
            self.forget_last(source);
        }
        set.map(|()| before)
    }

    /// Removes the source that was added last, if it is this one.
    fn forget_last(&mut self, source: SourceId) {
        self.warned.forget(source);
        self.sources.forget_last(source);
    }

    /// Restores earlier default rules.
    pub fn put_back(&mut self, rules: Rc<Overrides>) {
        self.defaults = rules;
    }

    /// Records that the caller keeps the games that it is given.
    pub fn lend_games(&mut self) {
        self.lends = true;
    }

    /// Checks a question, and returns it with the values of its variables.
    fn checked_query(&mut self, query: &Query, source: SourceId) -> CheckedQuery {
        let mut writer = QueryWriter {
            session: self,
            source,
            text: String::new(),
            values: Vec::new(),
            labels: Vec::new(),
        };
        let written = writer.question(query);
        let QueryWriter {
            text,
            values,
            labels,
            ..
        } = writer;
        self.sources.replace(source, text);
        let expr = written.map_err(|wrong| vec![*wrong])?;
        let known: Vec<(Name, Kinds)> = values
            .iter()
            .enumerate()
            .map(|(place, value)| (variable(place, expr.span), value.kinds()))
            .collect();
        let nothing = &mut Scope::default();
        // In an empty scope a builtin is found even if the session uses its name.
        let scope = if matches!(query.callee, Callee::Name(_)) {
            &mut self.scope
        } else {
            nothing
        };
        let (mut top, diagnostics) = check::check_with(&mut self.definitions, scope, &known, &expr);
        if diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
        {
            return Err(diagnostics);
        }
        if let CheckedExprKind::Builtin { labels: told, .. } = &mut *top.expr.kind {
            // Variables have no names that a label could show, so the values' texts take their
            // place.
            *told = labels;
        }
        Ok((top, values))
    }
}

/// Returns the name of a variable, which no text can contain.
fn variable(place: usize, span: Span) -> Name {
    Name {
        text: format!("\0{place}"),
        span,
    }
}

impl QueryWriter<'_> {
    /// Writes a question, as far as its arguments are values.
    fn question(&mut self, query: &Query) -> Result<Expr> {
        match &query.callee {
            Callee::Builtin(name) | Callee::Name(name) => {
                let start = self.text.len();
                self.text.push_str(name);
                let callee = self.expr(ast::ExprKind::Name(name.clone()), start);
                self.call(callee, &query.arguments, &query.named)
            }
            Callee::Outcome => {
                let (game, chips) = first(&query.arguments)?;
                let callee = self.given(game, syntax::operand)?;
                self.call(callee, chips, &[])
            }
            Callee::At => {
                let (game, position) = first(&query.arguments)?;
                let game = self.given(game, syntax::operand)?;
                self.text.push_str(" at ");
                let position = self.given(first(position)?.0, |label| label)?;
                Ok(self.expr(ast::ExprKind::At(game, position), 0))
            }
            Callee::After => {
                let (game, plies) = first(&query.arguments)?;
                let game = self.given(game, syntax::operand)?;
                self.text.push_str(" after [");
                let plies = plies
                    .iter()
                    .enumerate()
                    .map(|(place, ply)| self.ply(place, ply))
                    .collect::<Result<_>>()?;
                self.text.push(']');
                Ok(self.expr(ast::ExprKind::After(game, plies), 0))
            }
        }
    }

    /// Makes an expression whose text begins at byte `start`.
    fn expr(&self, kind: ast::ExprKind, start: usize) -> Expr {
        Expr {
            kind: Box::new(kind),
            span: Span::new(self.source, start..self.text.len()),
        }
    }

    fn call(
        &mut self,
        callee: Expr,
        arguments: &[QueryArgument],
        named: &[(String, Report)],
    ) -> Result<Expr> {
        self.text.push('(');
        let mut written = Vec::new();
        for argument in arguments {
            self.comma(written.len());
            written.push(Argument {
                name: None,
                value: self.given(argument, |label| label)?,
            });
        }
        for (name, value) in named {
            self.comma(written.len());
            let start = self.text.len();
            self.text.push_str(name);
            let name = Name {
                text: name.clone(),
                span: Span::new(self.source, start..self.text.len()),
            };
            self.text.push_str(": ");
            written.push(Argument {
                name: Some(name),
                value: self.labelled(value, |label| label)?,
            });
        }
        self.text.push(')');
        Ok(self.expr(
            ast::ExprKind::Call {
                callee,
                arguments: written,
            },
            0,
        ))
    }

    /// Separates an argument from those before it.
    fn comma(&mut self, before: usize) {
        self.text.push_str(if before == 0 { "" } else { ", " });
    }

    /// Writes an argument. `written` formats its label; it puts a game in brackets if an operator
    /// follows.
    fn given(&mut self, given: &QueryArgument, written: impl Fn(String) -> String) -> Result<Expr> {
        let (first, last) = match given {
            QueryArgument::Value(report) => return self.labelled(report, written),
            QueryArgument::Range { first, last } => (first, last),
        };
        let start = self.text.len();
        let low = self.variable(Value::Integer(first.clone()), &first.to_string());
        self.text.push_str("..");
        let high = self.variable(Value::Integer(last.clone()), &last.to_string());
        self.labels.push(self.text[start..].to_owned());
        Ok(self.expr(ast::ExprKind::Binary(BinaryOp::Range, low, high), start))
    }

    /// Writes a variable with this value. `written` formats its label, the value's text.
    fn labelled(&mut self, report: &Report, written: impl Fn(String) -> String) -> Result<Expr> {
        let value = self.session.value(report, Span::new(self.source, 0..0))?;
        let label = written(
            range(&value).unwrap_or_else(|| print_briefly(&self.session.world.games, &value)),
        );
        let variable = self.variable(value, &label);
        self.labels.push(label);
        Ok(variable)
    }

    fn variable(&mut self, value: Value, label: &str) -> Expr {
        let start = self.text.len();
        self.text.push_str(label);
        let name = variable(self.values.len(), Span::new(self.source, start..start));
        self.values.push(value);
        self.expr(ast::ExprKind::Name(name.text), start)
    }

    fn ply(&mut self, place: usize, ply: &QueryArgument) -> Result<Ply> {
        self.comma(place);
        let start = self.text.len();
        let QueryArgument::Value(Report::Tuple(parts)) = ply else {
            return Err(no_ply(self.source));
        };
        let [Report::Scalar(Scalar::Player(player)), action] = &parts[..] else {
            return Err(no_ply(self.source));
        };
        let player: Player = *player;
        self.text.push_str(player.word());
        self.text.push(' ');
        let action = self.labelled(action, |label| label)?;
        Ok(Ply {
            player,
            action,
            span: Span::new(self.source, start..self.text.len()),
        })
    }
}

/// Splits off the first of some arguments.
fn first(arguments: &[QueryArgument]) -> Result<(&QueryArgument, &[QueryArgument])> {
    arguments
        .split_first()
        .ok_or_else(|| Diagnostic::new(Code::WrongCount, "an argument is missing").into())
}

fn no_ply(source: SourceId) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongType,
        "a move is a pair of a player and what is played",
    )
    .label(Span::new(source, 0..0), "in this list of moves")
    .into()
}

/// Formats consecutive integers as a range: `0..255`.
fn range(value: &Value) -> Option<String> {
    let Value::List(items) = value else {
        return None;
    };
    let [Value::Integer(low), .., Value::Integer(high)] = &items[..] else {
        return None;
    };
    let steps = items.windows(2).all(|pair| match pair {
        [Value::Integer(one), Value::Integer(next)] => {
            match (i64::try_from(one), i64::try_from(next)) {
                // Small numbers need no allocation, and a range may have millions of them.
                (Ok(one), Ok(next)) => one.checked_add(1) == Some(next),
                _ => *next == one + 1,
            }
        }
        _ => false,
    });
    steps.then(|| format!("{low}..{high}"))
}
