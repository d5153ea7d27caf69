//! Evaluating expressions.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::Games;
use super::builtin::{Builtin, Builtins, Call};
use super::call::instance_title;
use super::memo::Memo;
use crate::ask::{Ask, Memory};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::Dialogue;
use crate::files::{Files, Nowhere};
use crate::game::GamesMark;
use crate::game::ruleset::Constants;
use crate::ir::{
    Abscissae, CheckedClause, CheckedExpr, CheckedExprKind, Function, GlobalId, Items, Kinds,
    Primitive, RulesField, Value,
};
use crate::player::{Ending, GameId};
use crate::rules::{Numeric, Overrides, Rules};
use crate::source::Span;
use crate::watch::Context;

/// How many elements a list may have.
pub const MAX_LIST: usize = 10_000_000;

/// How many steps are taken between two checks.
const CHECK_EVERY: u32 = 256;

/// What evaluation changes: the games that exist, the values of top-level names, what has been
/// solved.
#[derive(Debug)]
pub struct SessionState {
    /// The builtins that can be called.
    pub(super) builtins: Builtins,
    /// All games.
    pub games: Games,
    /// The values of the definitions, by id.
    pub globals: Vec<Option<Value>>,
    /// The definitions whose evaluation failed.
    lost: BTreeSet<GlobalId>,
    /// How many games there were when one was last given away: whoever has it may come back with
    /// it, so that none of these is forgotten.
    lent: Option<GamesMark>,
    /// The results of earlier questions.
    pub memory: Memory,
    /// Where files of edges are read.
    pub(super) files: Readable,
}

/// Files that can be read while something is evaluated.
pub(super) struct Readable(pub Rc<dyn Files>);

impl std::fmt::Debug for Readable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readable")
    }
}

impl SessionState {
    /// Nothing defined, and nothing solved; these builtins can be called.
    pub fn new(builtins: impl IntoIterator<Item = &'static Builtin>) -> Self {
        Self {
            builtins: builtins.into_iter().collect(),
            games: Games::default(),
            globals: Vec::new(),
            lost: BTreeSet::new(),
            lent: None,
            memory: Memory::default(),
            files: Readable(Rc::new(Nowhere)),
        }
    }

    /// From now on files of edges are read here.
    pub fn set_files(&mut self, files: Rc<dyn Files>) {
        self.files = Readable(files);
    }

    /// Gives a definition its value.
    pub fn define(&mut self, id: GlobalId, value: Value) {
        let index = id.0 as usize;
        if self.globals.len() <= index {
            self.globals.resize(index + 1, None);
        }
        self.globals[index] = Some(value);
    }

    /// Gives back the memory that a failed statement took, and that of everything explored and
    /// solved: what is asked again is worked out again. `before` is how many games there were
    /// before the statement.
    pub fn give_back_memory(&mut self, before: GamesMark) {
        self.memory = Memory::default();
        self.games
            .roll_back(self.lent.map_or(before, |lent| lent.max(before)));
    }

    /// Says that games which there are now are known outside of the session.
    pub fn lend_games(&mut self) {
        self.lent = Some(self.games.mark());
    }

    /// Remembers that a definition has no value because its evaluation failed.
    pub fn lose(&mut self, id: GlobalId) {
        self.lost.insert(id);
    }
}

/// The variables of a call.
#[derive(Debug, Default)]
pub struct Frame {
    slots: Vec<Value>,
    pub(super) captured: Rc<[Value]>,
    title: Title,
    /// While questions are planned: the slots whose values depend on answers.
    unknown: BTreeSet<usize>,
}

/// What explicit graphs in a piece of code are called.
#[derive(Debug, Default)]
enum Title {
    /// Nothing yet.
    #[default]
    None,
    /// `tug`.
    Name(Rc<str>),
    /// `tug(3)`: a call. It is written only where there is a graph, for arguments may be long.
    Call {
        name: Rc<str>,
        arguments: Range<usize>,
    },
}

impl Frame {
    /// An empty frame of this many slots.
    pub fn new(slots: usize) -> Self {
        Self {
            slots: vec![Value::Bool(false); slots],
            ..Self::default()
        }
    }

    /// The same with a title for the explicit graphs in it.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.title = Title::Name(title.into());
        self
    }

    /// The same with the title of a call whose arguments are in these slots.
    #[must_use]
    pub(super) fn titled_call(mut self, name: &str, arguments: Range<usize>) -> Self {
        self.title = Title::Call {
            name: name.into(),
            arguments,
        };
        self
    }

    /// What explicit graphs in this code are called.
    pub(super) fn title(&self, games: &Games) -> String {
        match &self.title {
            Title::None => String::new(),
            Title::Name(name) => name.to_string(),
            Title::Call { name, arguments } => {
                instance_title(games, name, &self.slots[arguments.clone()])
            }
        }
    }

    /// Gives a slot its value.
    pub fn set(&mut self, slot: usize, value: Value) {
        self.slots[slot] = value;
    }

    /// Gives a slot its value, or marks it as one whose value depends on an answer.
    pub(super) fn set_if_known(&mut self, slot: usize, value: Option<Value>) {
        match value {
            Some(value) => {
                self.unknown.remove(&slot);
                self.set(slot, value);
            }
            None => {
                self.unknown.insert(slot);
            }
        }
    }

    /// Whether the value of a slot depends on an answer.
    pub(super) fn lacks(&self, slot: usize) -> bool {
        self.unknown.contains(&slot)
    }
}

/// Evaluates expressions in a world, under rules.
pub struct Evaluator<'a> {
    /// What evaluation changes.
    pub world: &'a mut SessionState,
    /// Asked whether to go on.
    pub context: &'a Context<'a>,
    /// The user, where there is one to talk with.
    pub dialogue: Option<&'a mut dyn Dialogue>,
    /// What has been found that looks like a mistake.
    pub warnings: Vec<Diagnostic>,
    /// The rules that the current file starts from.
    pub(super) defaults: Rc<Overrides>,
    /// What `using` expressions around the current place have written.
    pub(super) explicit: Overrides,
    pub(super) memo: Memo,
    /// Whether something has been said to or asked of the user: such calls are not remembered.
    pub talked: bool,
    /// How many questions the user has answered.
    pub answers: usize,
    pub(super) depth: usize,
    steps: u32,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that starts from the default rules of a file.
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
            defaults,
            explicit: Overrides::default(),
            memo: Memo::default(),
            talked: false,
            answers: 0,
            depth: 0,
            steps: 0,
        }
    }

    /// Where questions about games are asked.
    pub fn ask(&mut self) -> Ask<'_> {
        Ask {
            games: &mut self.world.games,
            memory: &mut self.world.memory,
            context: self.context,
            warnings: &mut self.warnings,
        }
    }

    /// The rules in force.
    pub fn rules(&self) -> Rules {
        self.explicit.over(&self.defaults.over(&Rules::default()))
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// The first thing that went wrong.
    pub fn eval(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Value> {
        self.step()?;
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
                    .map(|(name, value)| Ok((*name, self.eval(value, frame)?, value.span)))
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
            CheckedExprKind::Comprehension(element, clauses, variable) => {
                let mut found = Vec::new();
                let mut abscissae = variable
                    .as_ref()
                    .map(|variable| Abscissae::of(&variable.name));
                self.for_each(clauses, frame, &mut |evaluator, frame| {
                    evaluator.admit_next(&found, expr.span)?;
                    if let (Some(abscissae), Some(variable)) = (&mut abscissae, variable) {
                        abscissae.push(&frame.slots[variable.slot]);
                    }
                    found.push(evaluator.eval(element, frame)?);
                    Ok(())
                })?;
                // The elements are collected; moved to where they are shared they take room once more.
                self.admit_elements(found.len(), size_of::<Value>(), expr.span)?;
                Ok(Value::List(
                    Items::from(found).made_along(abscissae.and_then(Abscissae::finish)),
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
                self.eval(branch, frame)
            }
            CheckedExprKind::Let(slot, value, body) => {
                let value = self.eval(value, frame)?;
                frame.set(*slot, value);
                self.eval(body, frame)
            }
            CheckedExprKind::Closure(code, captured) => {
                let captured = self.all(captured, frame)?;
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
    ) -> Result<Vec<(Value, Span)>> {
        exprs
            .iter()
            .map(|expr| Ok((self.eval(expr, frame)?, expr.span)))
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
        match self.eval(expr, frame)? {
            Value::Bool(value) => Ok(value),
            other => Err(type_error(expr.span, Kinds::BOOL, &other)),
        }
    }

    /// Runs `body` for every way through the clauses.
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
                let value = self.eval(iterable, frame)?;
                for item in elements(&value, iterable.span)?.iter() {
                    bind(slots, item, frame, iterable.span)?;
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

    /// Does something under other rules.
    pub(super) fn under<T>(
        &mut self,
        overrides: &Overrides,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outside = std::mem::take(&mut self.explicit);
        self.explicit = outside.then(overrides);
        let done = work(self);
        self.explicit = outside;
        done
    }

    /// The value of a rules expression.
    ///
    /// # Errors
    /// If it is something else, or cannot be evaluated.
    pub fn eval_rules(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Rc<Overrides>> {
        match self.eval(expr, frame)? {
            Value::Rules(rules) => Ok(rules),
            other => Err(type_error(expr.span, Kinds::RULES, &other)),
        }
    }

    fn rules_value(&mut self, fields: &[RulesField], frame: &mut Frame) -> Result<Value> {
        let mut overrides = Overrides::default();
        for field in fields {
            overrides.set(match field {
                RulesField::Known(value) => value.clone(),
                RulesField::Number(numeric, part) => {
                    let value = self.eval(part, frame)?;
                    let number = value
                        .as_rational()
                        .ok_or_else(|| type_error(part.span, Kinds::NUMBER, &value))?;
                    (numeric.value)(number).ok_or_else(|| out_of_range(*numeric, part.span))?
                }
            });
        }
        Ok(Value::Rules(Rc::new(overrides)))
    }
}

impl Constants for Evaluator<'_> {
    fn evaluate(&mut self, expr: &CheckedExpr, frame: &mut Vec<Value>) -> Result<Value> {
        let mut local = Frame {
            slots: std::mem::take(frame),
            ..Frame::default()
        };
        let value = self.eval(expr, &mut local);
        *frame = local.slots;
        value
    }
}

/// The elements of something that can be walked through.
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
