//! Evaluates expressions.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::builtin::Call;
use super::frame::Frame;
use super::memo::Memo;
use super::state::SessionState;
use crate::ask::Ask;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::Dialogue;
use crate::game::ruleset::Constants;
use crate::ir::{
    Abscissae, CheckedClause, CheckedExpr, CheckedExprKind, Function, GlobalId, Items, Kinds,
    Operand, Primitive, RulesField, Value,
};
use crate::player::{Ending, GameId};
use crate::rules::{Numeric, Overrides, Rules};
use crate::source::Span;
use crate::syntax::ast::BinaryOp;
use crate::watch::Context;

/// The most elements that a list may have.
pub const MAX_LIST: usize = 10_000_000;

/// The number of steps between two checks for a stop.
const CHECK_EVERY: u32 = 256;

/// Evaluates expressions in a session, under rules.
pub struct Evaluator<'a> {
    /// The state that evaluation changes.
    pub world: &'a mut SessionState,
    /// The limits, and the check whether to go on.
    pub context: &'a Context<'a>,
    /// The dialogue with the user, if there is one.
    pub dialogue: Option<&'a mut dyn Dialogue>,
    /// The warnings about likely mistakes.
    pub warnings: Vec<Diagnostic>,
    /// The games that perhaps nobody can win, from questions whose place is not known yet.
    pub(super) one_sided: Vec<GameId>,
    /// The games that perhaps nobody can win, each with the place of its first question.
    pub(super) perhaps_unwinnable: BTreeMap<GameId, Span>,
    /// The default rules of the current file.
    pub(super) defaults: Rc<Overrides>,
    /// The rules set by the `using` expressions around the current place.
    pub(super) explicit: Overrides,
    /// `true` while a question about games is answered whose positions may have income.
    pub(super) has_positions_with_income: bool,
    /// `true` if a text that names a position is first read as positions print: a caller passes on
    /// what it was told, while `"1"` in a program is the label beside the number `1`.
    pub reads_printed: bool,
    pub(super) memo: Memo,
    /// `true` if the user has been told or asked something: such calls are not stored in the memo.
    pub talked: bool,
    /// The number of questions that the user has answered.
    pub answers: usize,
    pub(super) depth: usize,
    steps: u32,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator that starts from the default rules of a file.
    pub fn new(
        world: &'a mut SessionState,
        defaults: Rc<Overrides>,
        context: &'a Context<'a>,
    ) -> Self {
        Self {
            world,
            context,
            dialogue: None,
            warnings: Vec::new(),
            one_sided: Vec::new(),
            perhaps_unwinnable: BTreeMap::new(),
            defaults,
            explicit: Overrides::default(),
            has_positions_with_income: false,
            reads_printed: false,
            memo: Memo::default(),
            talked: false,
            answers: 0,
            depth: 0,
            steps: 0,
        }
    }

    /// Returns the context in which questions about games are asked.
    pub fn ask(&mut self) -> Ask<'_> {
        Ask {
            games: &mut self.world.games,
            memory: &mut self.world.memory,
            context: self.context,
            warnings: &mut self.warnings,
            one_sided: &mut self.one_sided,
        }
    }

    /// Returns the rules in force.
    pub fn rules(&self) -> Rules {
        let base = Rules {
            has_positions_with_income: self.has_positions_with_income,
            ..Rules::default()
        };
        self.explicit.over(&self.defaults.over(&base))
    }

    /// Evaluates an expression.
    pub fn eval(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Value> {
        self.step()?;
        // Nested expressions and recursive functions may need more stack than a thread has.
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            self.eval_unguarded(expr, frame)
        })
    }

    pub(super) fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps == CHECK_EVERY {
            self.steps = 0;
            self.context.check()?;
        }
        Ok(())
    }

    fn eval_unguarded(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Value> {
        match &*expr.kind {
            CheckedExprKind::Constant(value) => Ok(value.clone()),
            CheckedExprKind::Primitive(primitive) => Ok(Value::Game(self.primitive(*primitive))),
            CheckedExprKind::Local(slot) => Ok(frame.slots[*slot].clone()),
            CheckedExprKind::Captured(index) => Ok(frame.captured[*index].clone()),
            CheckedExprKind::Global(id) => self.global(*id, expr.span),
            CheckedExprKind::Call { callee, arguments } => {
                self.call(callee, arguments, frame, expr.span)
            }
            CheckedExprKind::Builtin {
                builtin,
                arguments,
                named,
                labels,
            } => {
                let arguments = self.spanned(arguments, frame)?;
                let named = named
                    .iter()
                    .map(|(name, value)| {
                        Ok((*name, Operand::new(self.eval(value, frame)?, value.span)))
                    })
                    .collect::<Result<_>>()?;
                self.builtin(
                    builtin,
                    &Call {
                        name: builtin.name,
                        arguments,
                        named,
                        labels,
                        span: expr.span,
                    },
                )
            }
            CheckedExprKind::Index(base, indices) => {
                let base_value = self.eval(base, frame)?;
                let indices = self.spanned(indices, frame)?;
                self.index(base_value, &indices, expr.span)
            }
            CheckedExprKind::List(items) => Ok(Value::List(self.all(items, frame)?.into())),
            CheckedExprKind::Comprehension(element, clauses, names) => {
                let mut found = Vec::new();
                let variables = &names.variables;
                let mut abscissae = Abscissae::of(variables.iter().map(|each| &each.name));
                self.for_each(clauses, frame, &mut |evaluator, frame| {
                    // Room is checked before the element is computed, so that no work is lost.
                    evaluator.admit_next(&found, 1 + abscissae.kept(), expr.span)?;
                    abscissae.push(variables.iter().map(|each| &frame.slots[each.slot]));
                    found.push(evaluator.eval(element, frame)?);
                    Ok(())
                })?;
                // The elements are collected first and then moved into shared memory, which takes
                // their space once more.
                self.admit_elements(found.len(), size_of::<Value>(), expr.span)?;
                Ok(Value::List(
                    Items::from(found).made_along(abscissae.finish(&names.parts)),
                ))
            }
            CheckedExprKind::Tuple(items) => Ok(Value::Tuple(self.all(items, frame)?.into())),
            CheckedExprKind::Braces(sides) => {
                let alice = self.games(&sides.alice, frame)?;
                let bob = self.games(&sides.bob, frame)?;
                Ok(Value::Game(self.world.games.braces(alice, bob)))
            }
            CheckedExprKind::Rules(fields) => self.rules_value(fields, frame),
            CheckedExprKind::Graph(items) => self.graph(items, frame, expr.span).map(Value::Game),
            CheckedExprKind::Unary(op, operand) => {
                let value = self.eval(operand, frame)?;
                self.unary(*op, value, operand.span)
            }
            CheckedExprKind::Binary(op, left, right) => {
                self.binary(*op, left, right, frame, expr.span)
            }
            CheckedExprKind::At(game, position) => {
                let base = self.eval_game(game, frame)?;
                let position_value = self.eval(position, frame)?;
                self.at(base, &position_value, position.span)
                    .map(Value::Game)
            }
            CheckedExprKind::After(game, plies) => {
                let game = self.eval_game(game, frame)?;
                self.after(game, plies, frame).map(Value::Game)
            }
            CheckedExprKind::Using(inner, rules) => self.using(inner, rules, frame),
            CheckedExprKind::If(condition, then, otherwise) => {
                let branch = if self.eval_bool(condition, frame)? {
                    then
                } else {
                    otherwise
                };
                // The other branch is not evaluated, or no recursion would end.
                self.eval(branch, frame)
            }
            CheckedExprKind::Let(slot, value, body) => {
                let value = self.eval(value, frame)?;
                frame.set(*slot, value);
                self.eval(body, frame)
            }
            CheckedExprKind::Closure(code, captured) => {
                let captured = self.all(captured, frame)?;
                // The rules in force where a function is defined go with it.
                let defaults = Rc::clone(&self.defaults);
                Ok(Value::Function(Rc::new(Function::Closure {
                    code: Rc::clone(code),
                    captured,
                    defaults,
                })))
            }
            CheckedExprKind::State(_)
            | CheckedExprKind::Mover
            | CheckedExprKind::Opponent
            | CheckedExprKind::RuleLet(..) => Err(outside_rulesets(expr.span)),
        }
    }

    fn primitive(&mut self, primitive: Primitive) -> GameId {
        let games = &mut self.world.games;
        match primitive {
            Primitive::Win(player) => games.ended(Ending::Win(player)),
            Primitive::Draw => games.ended(Ending::Draw),
            Primitive::Even => games.even(),
        }
    }

    fn global(&self, id: GlobalId, span: Span) -> Result<Value> {
        let value = self.world.globals.get(id.0 as usize).cloned().flatten();
        value.ok_or_else(|| {
            let diagnostic = if self.world.lost.contains(&id) {
                Diagnostic::new(
                    Code::UnknownName,
                    "this name has no value, because its definition failed",
                )
                .label(span, "no value")
                .help("correct the definition; its error is shown above")
            } else {
                Diagnostic::new(Code::UnknownName, "this name is used before it has a value")
                    .label(span, "no value yet")
                    .help("move the definition before its first use")
            };
            diagnostic.into()
        })
    }

    fn all(&mut self, exprs: &[CheckedExpr], frame: &mut Frame) -> Result<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr, frame)).collect()
    }

    pub(super) fn spanned(
        &mut self,
        exprs: &[CheckedExpr],
        frame: &mut Frame,
    ) -> Result<Vec<Operand<Value>>> {
        exprs
            .iter()
            .map(|expr| Ok(Operand::new(self.eval(expr, frame)?, expr.span)))
            .collect()
    }

    fn games(&mut self, exprs: &[CheckedExpr], frame: &mut Frame) -> Result<Vec<GameId>> {
        exprs
            .iter()
            .map(|expr| self.eval_game(expr, frame))
            .collect()
    }

    pub(super) fn eval_game(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<GameId> {
        match self.eval(expr, frame)? {
            Value::Game(game) => Ok(game),
            other => Err(type_error(expr.span, Kinds::GAME, &other)),
        }
    }

    pub(super) fn eval_bool(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<bool> {
        truth(&self.eval(expr, frame)?, expr.span)
    }

    /// Runs `body` for every combination of values that the clauses allow.
    pub(super) fn for_each(
        &mut self,
        clauses: &[CheckedClause],
        frame: &mut Frame,
        body: &mut dyn FnMut(&mut Self, &mut Frame) -> Result<()>,
    ) -> Result<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            self.step()?;
            return body(self, frame);
        };
        match clause {
            CheckedClause::If(condition) => {
                if self.eval_bool(condition, frame)? {
                    self.for_each(rest, frame, body)?;
                }
            }
            CheckedClause::For(slots, iterable) => {
                let span = iterable.span;
                // A range takes no list: its integers are made one by one.
                if let CheckedExprKind::Binary(BinaryOp::Range, first, last) = &*iterable.kind {
                    let first = Operand::new(self.eval(first, frame)?, first.span);
                    let last = Operand::new(self.eval(last, frame)?, last.span);
                    for n in self.integers(first.as_ref(), last.as_ref(), span)? {
                        bind(slots, &Value::Integer(n), frame, span)?;
                        self.for_each(rest, frame, body)?;
                    }
                    return Ok(());
                }
                let value = self.eval(iterable, frame)?;
                for item in elements(&value, span)?.iter() {
                    bind(slots, item, frame, span)?;
                    self.for_each(rest, frame, body)?;
                }
            }
        }
        Ok(())
    }

    fn using(
        &mut self,
        inner: &CheckedExpr,
        rules: &CheckedExpr,
        frame: &mut Frame,
    ) -> Result<Value> {
        let overrides = self.eval_rules(rules, frame)?;
        self.under(&overrides, |evaluator| evaluator.eval(inner, frame))
    }

    /// Runs `work` under other rules.
    pub(super) fn under<T>(
        &mut self,
        overrides: &Overrides,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outside = std::mem::take(&mut self.explicit);
        self.explicit = outside.then(overrides);
        // The result is passed on only after the rules are restored, so that an error leaves no
        // inner rules in force.
        let done = work(self);
        self.explicit = outside;
        done
    }

    /// Evaluates an expression of rules.
    ///
    /// # Errors
    /// Returns an error if the value is something else, or cannot be evaluated.
    pub fn eval_rules(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Rc<Overrides>> {
        overrides(&self.eval(expr, frame)?, expr.span)
    }

    fn rules_value(&mut self, fields: &[RulesField], frame: &mut Frame) -> Result<Value> {
        let mut overrides = Overrides::default();
        for field in fields {
            overrides.set(match field {
                RulesField::Known(value) => value.clone(),
                RulesField::Number(numeric, part) => {
                    let value = self.eval(part, frame)?;
                    let number = |value: &Value| {
                        let number = value.as_rational();
                        number.ok_or_else(|| type_error(part.span, Kinds::NUMBER, value))
                    };
                    let numbers = if numeric.for_each_player {
                        let items = elements(&value, part.span)?;
                        items.iter().map(number).collect::<Result<Vec<_>>>()?
                    } else {
                        vec![number(&value)?]
                    };
                    (numeric.value)(&numbers).ok_or_else(|| out_of_range(*numeric, part.span))?
                }
            });
        }
        Ok(Value::Rules(Rc::new(overrides)))
    }
}

impl Constants for Evaluator<'_> {
    fn evaluate(&mut self, expr: &CheckedExpr, frame: &mut Vec<Value>) -> Result<Value> {
        // The variables are moved, not copied, since this runs for each part of a ruleset.
        let mut local = Frame::of(std::mem::take(frame));
        let value = self.eval(expr, &mut local);
        *frame = local.slots;
        value
    }
}

/// Returns the elements of a list, a tuple or an answer with elements.
pub(crate) fn elements(value: &Value, span: Span) -> Result<Rc<[Value]>> {
    match value {
        Value::List(items) | Value::Tuple(items) => Ok(Rc::clone(items.values())),
        Value::Answer(answer) => answer
            .elements()
            .ok_or_else(|| type_error(span, Kinds::LIST, value)),
        other => Err(type_error(span, Kinds::LIST, other)),
    }
}

pub(super) fn bind(slots: &[usize], item: &Value, frame: &mut Frame, span: Span) -> Result<()> {
    // A single name takes the whole element, even if it is a tuple.
    if let [slot] = slots {
        frame.set(*slot, item.clone());
        return Ok(());
    }
    match item {
        Value::Tuple(parts) | Value::List(parts) if parts.len() == slots.len() => {
            for (slot, part) in slots.iter().zip(parts.iter()) {
                frame.set(*slot, part.clone());
            }
            Ok(())
        }
        other => {
            let message = format!(
                "each element is taken apart into {} names, but one is {}",
                slots.len(),
                other.kinds()
            );
            Err(Diagnostic::new(Code::WrongType, message)
                .label(span, "in here")
                .into())
        }
    }
}

/// Returns a value that is true or false.
pub(super) fn truth(value: &Value, span: Span) -> Result<bool> {
    match value {
        Value::Bool(value) => Ok(*value),
        other => Err(type_error(span, Kinds::BOOL, other)),
    }
}

/// Returns a value that is a set of rules.
pub(super) fn overrides(value: &Value, span: Span) -> Result<Rc<Overrides>> {
    match value {
        Value::Rules(rules) => Ok(Rc::clone(rules)),
        other => Err(type_error(span, Kinds::RULES, other)),
    }
}

pub(crate) fn type_error(span: Span, needed: Kinds, found: &Value) -> Box<Diagnostic> {
    let found = found.kinds();
    Diagnostic::new(
        Code::WrongType,
        format!("{needed} is needed here, but this is {found}"),
    )
    .label(span, format!("this is {found}"))
    .maybe_help(found.remedy(needed).map(str::to_owned))
    .into()
}

fn out_of_range(numeric: Numeric, span: Span) -> Box<Diagnostic> {
    let [message, label, help] = numeric.refusal;
    Diagnostic::new(Code::BadValue, message)
        .label(span, label)
        .help(help)
        .into()
}

pub(super) fn list_too_long(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Memory,
        format!("stopped: this list has more than {MAX_LIST} elements"),
    )
    .label(span, "too long")
    .help("make the range shorter")
    .into()
}

fn outside_rulesets(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadRuleset,
        "this depends on the position, but its value must be known before play",
    )
    .label(span, "depends on the position")
    .into()
}
