//! Evaluating expressions.

use std::rc::Rc;

use super::function::Function;
use super::memo::{Key, Memo};
use super::query::placed;
use super::value::Value;
use super::{Atlas, Games};
use crate::check::Kinds;
use crate::check::ir::{Clause, Code as FunctionCode, Expr, ExprKind, GlobalId, Primitive, RulesField, Ruleset};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::dialogue::Dialogue;
use crate::game::ruleset::{self, Constants};
use crate::game::{Ending, GameId};
use crate::library::{Builtin, Call};
use crate::rules::{FieldValue, Overrides, Rules};
use crate::source::Span;
use crate::watch::Watch;

/// How deep calls of users' functions may nest.
const MAX_DEPTH: usize = 10_000;

/// How many elements a list may have.
pub(super) const MAX_LIST: usize = 10_000_000;

/// How many steps are taken between two looks at the watch.
const CHECK_EVERY: u32 = 1024;

/// What evaluation changes: the games that exist, the values of top-level names, what has been solved.
#[derive(Debug, Default)]
pub struct World {
    /// All games.
    pub games: Games,
    /// The values of the definitions, by id.
    pub globals: Vec<Option<Value>>,
    /// Explored and solved games.
    pub atlas: Atlas,
}

impl World {
    /// Gives a definition its value.
    pub fn define(&mut self, id: GlobalId, value: Value) {
        let index = id.0 as usize;
        if self.globals.len() <= index {
            self.globals.resize(index + 1, None);
        }
        self.globals[index] = Some(value);
    }
}

/// The variables of a call.
#[derive(Debug, Default)]
pub struct Frame {
    slots: Vec<Value>,
    captured: Rc<[Value]>,
    /// What explicit graphs in this code are called: `tug(3)`.
    title: Option<Rc<str>>,
}

impl Frame {
    /// An empty frame of this many slots.
    pub fn new(slots: usize) -> Self {
        Self { slots: vec![Value::Bool(false); slots], ..Self::default() }
    }

    /// The same with a title for the explicit graphs in it.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.title = Some(title.into());
        self
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(super) fn set(&mut self, slot: usize, value: Value) {
        self.slots[slot] = value;
    }
}

/// Evaluates expressions in a world, under rules.
pub struct Evaluator<'a> {
    /// What evaluation changes.
    pub world: &'a mut World,
    /// Asked whether to go on.
    pub watch: &'a dyn Watch,
    /// The user, where there is one to talk with.
    pub dialogue: Option<&'a mut dyn Dialogue>,
    /// What has been found that looks like a mistake.
    pub warnings: Vec<Diagnostic>,
    /// The rules that the current file starts from.
    pub(super) defaults: Rc<Overrides>,
    /// What `using` expressions around the current place have written.
    explicit: Overrides,
    memo: Memo,
    /// Whether something has been said to or asked of the user: such calls are not remembered.
    pub talked: bool,
    depth: usize,
    steps: u32,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that starts from the default rules of a file.
    pub fn new(world: &'a mut World, defaults: Rc<Overrides>, watch: &'a dyn Watch) -> Self {
        Self {
            world,
            watch,
            dialogue: None,
            warnings: Vec::new(),
            defaults,
            explicit: Overrides::default(),
            memo: Memo::default(),
            talked: false,
            depth: 0,
            steps: 0,
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
    pub fn eval(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Value> {
        self.step()?;
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.eval_unguarded(expr, frame))
    }

    fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps == CHECK_EVERY {
            self.steps = 0;
            self.watch.check()?;
        }
        Ok(())
    }

    fn eval_unguarded(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Value> {
        match &*expr.kind {
            ExprKind::Constant(value) => Ok(value.clone()),
            ExprKind::Primitive(primitive) => Ok(Value::Game(self.primitive(*primitive))),
            ExprKind::Local(slot) => Ok(frame.slots[*slot].clone()),
            ExprKind::Captured(index) => Ok(frame.captured[*index].clone()),
            ExprKind::Global(id) => self.global(*id, expr.span),
            ExprKind::Call { callee, arguments } => self.call(callee, arguments, frame, expr.span),
            ExprKind::Builtin { builtin, arguments, named, labels } => {
                let arguments = self.spanned(arguments, frame)?;
                let named = named
                    .iter()
                    .map(|(name, value)| Ok((*name, self.eval(value, frame)?, value.span)))
                    .collect::<Result<_>>()?;
                self.builtin(builtin, &Call { name: builtin.name, arguments, named, labels, span: expr.span })
            }
            ExprKind::Index(base, indices) => {
                let base_value = self.eval(base, frame)?;
                let indices = self.spanned(indices, frame)?;
                self.index(base_value, &indices, expr.span)
            }
            ExprKind::List(items) => Ok(Value::List(self.all(items, frame)?.into())),
            ExprKind::Comprehension(element, clauses) => {
                let mut found = Vec::new();
                self.for_each(clauses, frame, &mut |evaluator, frame| {
                    if found.len() >= MAX_LIST {
                        return Err(list_too_long(expr.span));
                    }
                    found.push(evaluator.eval(element, frame)?);
                    Ok(())
                })?;
                Ok(Value::List(found.into()))
            }
            ExprKind::Tuple(items) => Ok(Value::Tuple(self.all(items, frame)?.into())),
            ExprKind::Braces(sides) => {
                let alice = self.games(&sides.alice, frame)?;
                let bob = self.games(&sides.bob, frame)?;
                Ok(Value::Game(self.world.games.braces(alice, bob)))
            }
            ExprKind::Rules(fields) => self.rules_value(fields, frame),
            ExprKind::Graph(items) => self.graph(items, frame, expr.span).map(Value::Game),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand, frame)?;
                self.unary(*op, value, operand.span)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, frame, expr.span),
            ExprKind::At(game, position) => {
                let base = self.eval_game(game, frame)?;
                let position_value = self.eval(position, frame)?;
                self.at(base, &position_value, position.span).map(Value::Game)
            }
            ExprKind::After(game, plies) => {
                let game = self.eval_game(game, frame)?;
                self.after(game, plies, frame).map(Value::Game)
            }
            ExprKind::Using(inner, rules) => self.using(inner, rules, frame),
            ExprKind::If(condition, then, otherwise) => {
                let branch = if self.eval_bool(condition, frame)? { then } else { otherwise };
                self.eval(branch, frame)
            }
            ExprKind::Let(slot, value, body) => {
                let value = self.eval(value, frame)?;
                frame.set(*slot, value);
                self.eval(body, frame)
            }
            ExprKind::Closure(code, captured) => {
                let captured = self.all(captured, frame)?;
                let defaults = Rc::clone(&self.defaults);
                Ok(Value::Function(Rc::new(Function::Closure { code: Rc::clone(code), captured, defaults })))
            }
            ExprKind::State(_) | ExprKind::Mover | ExprKind::Opponent | ExprKind::RuleLet(..) => {
                Err(outside_rulesets(expr.span))
            }
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
            Diagnostic::new(Code::UnknownName, "this name is used before it has a value")
                .label(span, "no value yet")
                .help("move the definition before its first use")
                .into()
        })
    }

    fn all(&mut self, exprs: &[Expr], frame: &mut Frame) -> Result<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr, frame)).collect()
    }

    fn spanned(&mut self, exprs: &[Expr], frame: &mut Frame) -> Result<Vec<(Value, Span)>> {
        exprs.iter().map(|expr| Ok((self.eval(expr, frame)?, expr.span))).collect()
    }

    fn games(&mut self, exprs: &[Expr], frame: &mut Frame) -> Result<Vec<GameId>> {
        exprs.iter().map(|expr| self.eval_game(expr, frame)).collect()
    }

    pub(super) fn eval_game(&mut self, expr: &Expr, frame: &mut Frame) -> Result<GameId> {
        match self.eval(expr, frame)? {
            Value::Game(game) => Ok(game),
            other => Err(type_error(expr.span, Kinds::GAME, &other)),
        }
    }

    pub(super) fn eval_bool(&mut self, expr: &Expr, frame: &mut Frame) -> Result<bool> {
        match self.eval(expr, frame)? {
            Value::Bool(value) => Ok(value),
            other => Err(type_error(expr.span, Kinds::BOOL, &other)),
        }
    }

    /// Runs `body` for every way through the clauses.
    pub(super) fn for_each(
        &mut self,
        clauses: &[Clause],
        frame: &mut Frame,
        body: &mut dyn FnMut(&mut Self, &mut Frame) -> Result<()>,
    ) -> Result<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            self.step()?;
            return body(self, frame);
        };
        match clause {
            Clause::If(condition) => {
                if self.eval_bool(condition, frame)? {
                    self.for_each(rest, frame, body)?;
                }
            }
            Clause::For(slots, iterable) => {
                let value = self.eval(iterable, frame)?;
                for item in elements(&value, iterable.span)?.iter() {
                    bind(slots, item, frame, iterable.span)?;
                    self.for_each(rest, frame, body)?;
                }
            }
        }
        Ok(())
    }

    fn using(&mut self, inner: &Expr, rules: &Expr, frame: &mut Frame) -> Result<Value> {
        let overrides = self.eval_rules(rules, frame)?;
        let outside = std::mem::take(&mut self.explicit);
        self.explicit = outside.then(&overrides);
        let value = self.eval(inner, frame);
        self.explicit = outside;
        value
    }

    /// The value of a rules expression.
    ///
    /// # Errors
    /// If it is something else, or cannot be evaluated.
    pub fn eval_rules(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Rc<Overrides>> {
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
                RulesField::Taxman(part) => {
                    let value = self.eval(part, frame)?;
                    let number = value.as_rational().ok_or_else(|| type_error(part.span, Kinds::NUMBER, &value))?;
                    FieldValue::taxman(number).ok_or_else(|| bad_part(part.span))?
                }
            });
        }
        Ok(Value::Rules(Rc::new(overrides)))
    }

    fn call(&mut self, callee: &Expr, arguments: &[Expr], frame: &mut Frame, span: Span) -> Result<Value> {
        let called = self.eval(callee, frame)?;
        let arguments = self.spanned(arguments, frame)?;
        match called {
            Value::Function(function) => self.apply(&function, arguments, span),
            Value::Game(game) => self.outcome(game, &arguments, span).map(Value::Outcome),
            other => Err(type_error(callee.span, Kinds::FUNCTION.or(Kinds::GAME), &other)),
        }
    }

    fn builtin(&mut self, builtin: &'static Builtin, call: &Call<'_>) -> Result<Value> {
        for (index, (value, span)) in call.arguments.iter().enumerate() {
            let needed = builtin.parameter(index).kinds;
            if !value.kinds().meets(needed) {
                return Err(type_error(*span, needed, value));
            }
        }
        for (name, value, span) in &call.named {
            let parameter = builtin.named.iter().find(|parameter| parameter.name == *name);
            let needed = parameter.expect("checking has found it").kinds;
            if !value.kinds().meets(needed) {
                return Err(type_error(*span, needed, value));
            }
        }
        (builtin.run)(self, call).map_err(|error| placed(error, call.span))
    }

    /// Calls a function or family.
    fn apply(&mut self, function: &Rc<Function>, arguments: Vec<(Value, Span)>, span: Span) -> Result<Value> {
        if arguments.len() != function.parameters().len() {
            return Err(wrong_count(function, arguments.len(), span));
        }
        let arguments: Vec<Value> = arguments.into_iter().map(|(value, _)| value).collect();
        match &**function {
            Function::Family { ruleset } => self.instance(ruleset, &arguments, span).map(Value::Game),
            Function::Closure { code, captured, defaults } => {
                let outside = std::mem::replace(&mut self.defaults, Rc::clone(defaults));
                let key = if captured.is_empty() { Memo::key(code, &arguments) } else { None };
                let value = match key {
                    Some(key) => {
                        self.remembered(key, |evaluator| evaluator.run(function, code, captured, arguments, span))
                    }
                    None => self.run(function, code, captured, arguments, span),
                };
                self.defaults = outside;
                value
            }
        }
    }

    /// The value of a call: remembered, or computed and then remembered unless it has talked with the user.
    fn remembered(&mut self, key: Key, compute: impl FnOnce(&mut Self) -> Result<Value>) -> Result<Value> {
        if let Some(value) = self.memo.recall(&key, &self.defaults, &self.explicit) {
            return Ok(value);
        }
        let value = compute(self)?;
        if !self.talked {
            self.memo.remember(key, &self.defaults, &self.explicit, &value);
        }
        Ok(value)
    }

    fn run(
        &mut self,
        function: &Rc<Function>,
        code: &FunctionCode,
        captured: &[Value],
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<Value> {
        if self.depth == MAX_DEPTH {
            return Err(too_deep(&code.name, span));
        }
        let mut frame = self.frame(function, code, captured, arguments);
        self.depth += 1;
        let value = self.eval(&code.body, &mut frame);
        self.depth -= 1;
        value
    }

    fn frame(&self, function: &Rc<Function>, code: &FunctionCode, captured: &[Value], arguments: Vec<Value>) -> Frame {
        let mut frame = Frame::new(code.frame).titled(&self.instance_title(&code.name, &arguments));
        frame.captured = captured.into();
        let mut slot = 0;
        if code.holds_itself {
            frame.set(0, Value::Function(Rc::clone(function)));
            slot = 1;
        }
        for argument in arguments {
            frame.set(slot, argument);
            slot += 1;
        }
        frame
    }

    fn instance_title(&self, name: &str, arguments: &[Value]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|argument| self.print(argument)).collect();
        format!("{name}({})", arguments.join(", "))
    }

    /// The start of a ruleset with these parameters, compiled once.
    ///
    /// # Errors
    /// If the ruleset cannot be compiled with them.
    pub fn instance(&mut self, ruleset: &Rc<Ruleset>, arguments: &[Value], span: Span) -> Result<GameId> {
        let title = match ruleset.parameters {
            None => ruleset.name.clone(),
            Some(_) => self.instance_title(&ruleset.name, arguments),
        };
        let key = format!("{title} #{:?}", ruleset.span);
        let id = match self.world.games.find_ruleset(&key) {
            Some(id) => id,
            None => {
                let compiled =
                    ruleset::compile(ruleset, arguments, self).map_err(|error| instance_error(error, span))?;
                self.world.games.add_ruleset(key, title, compiled)
            }
        };
        let start = self.world.games.ruleset(id).start().clone();
        Ok(self.world.games.state(id, start))
    }
}

impl Constants for Evaluator<'_> {
    fn evaluate(&mut self, expr: &Expr, frame: &mut Vec<Value>) -> Result<Value> {
        let mut local = Frame { slots: std::mem::take(frame), ..Frame::default() };
        let value = self.eval(expr, &mut local);
        *frame = local.slots;
        value
    }
}

/// The elements of something that can be walked through.
pub(crate) fn elements(value: &Value, span: Span) -> Result<Rc<[Value]>> {
    match value {
        Value::List(items) | Value::Tuple(items) => Ok(Rc::clone(items)),
        Value::Answer(answer) => answer.elements().ok_or_else(|| type_error(span, Kinds::LIST, value)),
        other => Err(type_error(span, Kinds::LIST, other)),
    }
}

fn bind(slots: &[usize], item: &Value, frame: &mut Frame, span: Span) -> Result<()> {
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
            let message =
                format!("each element is taken apart into {} names, but one is {}", slots.len(), other.kinds());
            Err(Diagnostic::new(Code::WrongType, message).label(span, "in here").into())
        }
    }
}

pub(crate) fn type_error(span: Span, needed: Kinds, found: &Value) -> Box<Diagnostic> {
    let found = found.kinds();
    Diagnostic::new(Code::WrongType, format!("{needed} is needed here, but this is {found}"))
        .label(span, format!("this is {found}"))
        .maybe_help(found.remedy(needed).map(str::to_owned))
        .into()
}

fn wrong_count(function: &Function, found: usize, span: Span) -> Box<Diagnostic> {
    let expected = function.parameters().len();
    let message = format!("`{}` is called with {found} arguments, but takes {expected}", function.name());
    let heading = format!("{}({})", function.name(), function.parameters().join(", "));
    Diagnostic::new(Code::WrongCount, message).label(span, "called here").help(format!("write `{heading}`")).into()
}

fn too_deep(name: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::Recursion, format!("`{name}` calls itself more than {MAX_DEPTH} times deep"))
        .label(span, "the call that was too much")
        .help("give the recursion an end, `if n == 0 then … else …`, or smaller arguments")
        .into()
}

fn bad_part(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "taxman's part lies between 0 and 1")
        .label(span, "outside 0 … 1")
        .help("0 is `richman`, 1 is `poorman`")
        .into()
}

pub(super) fn list_too_long(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::Memory, format!("stopped: this list has more than {MAX_LIST} elements"))
        .label(span, "too long")
        .help("make the range shorter")
        .into()
}

fn outside_rulesets(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadRuleset, "this needs a position, but its value must be known before play")
        .label(span, "depends on the position")
        .into()
}

/// A ruleset's own diagnostic, with the place of the call that made the instance.
fn instance_error(error: Box<Diagnostic>, span: Span) -> Box<Diagnostic> {
    if error.span().is_some_and(|place| place == span) { error } else { error.label(span, "made here").into() }
}
