//! Evaluates expressions.

use std::rc::Rc;

use num_rational::Ratio;
use num_traits::{CheckedAdd, ToPrimitive};

use super::games::{Game, GameIndex};
use super::rulesets::let_line;
use super::value::{
    BoardSide, Callable, FunctionValue, Result, Value, arithmetic, exact, fitting, floor, placed,
    wrong,
};
use super::{Interpreter, Lets, LocalFrame};
use crate::convert::fit;
use crate::diagnostic::counted;
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{ChipMark, FieldValue, Overrides, RuleField, preset};
use crate::syntax::ast::{self, BinaryOp, Clause, Expr, ExprKind, UnaryOp};

/// The most elements of a range.
const MOST_ITEMS: i64 = 10_000_000;

impl Interpreter<'_> {
    /// Returns the value of an expression.
    pub fn eval(&mut self, expr: &Expr, frame: &mut LocalFrame) -> Result<Value> {
        self.deeper(|this| placed(this.eval_kind(expr, frame), expr.span))
    }

    fn eval_kind(&mut self, expr: &Expr, frame: &mut LocalFrame) -> Result<Value> {
        match &*expr.kind {
            ExprKind::Name(name) => self.lookup(name, frame)?.map_or_else(
                || wrong(format!("the checker knows nothing called `{name}`")),
                Ok,
            ),
            ExprKind::Call { callee, arguments } => self.call_expression(callee, arguments, frame),
            ExprKind::Index { base, indices } => {
                let base = self.eval(base, frame)?;
                let indices = self.all(indices, frame)?;
                self.index(&base, &indices)
            }
            ExprKind::List(items) => self.all(items, frame).map(Value::list),
            ExprKind::Tuple(items) => self.all(items, frame).map(Value::tuple),
            ExprKind::Comprehension { element, clauses } => {
                let mut found = Vec::new();
                self.each(clauses, frame, &mut |this, frame| {
                    this.admit(1)?;
                    found.push(this.eval(element, frame)?);
                    Ok(())
                })?;
                Ok(Value::list(found))
            }
            // Rules change the answers about a game, but not its positions and moves.
            ExprKind::Paren(inner) | ExprKind::Using(inner, _) => self.eval(inner, frame),
            ExprKind::Braces { alice, bob } => {
                let options =
                    PerPlayer::new(self.options(alice, frame)?, self.options(bob, frame)?);
                Ok(Value::Game(self.games.add(Game::Braces(options))))
            }
            ExprKind::Rules(fields) => self.rules(fields, frame),
            ExprKind::Graph(items) => self.graph(items, frame).map(Value::Game),
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(operand, frame)?;
                self.unary(*op, &operand)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, frame),
            ExprKind::At(game, position) => {
                let game = self.eval(game, frame)?.game()?;
                let position = self.eval_node(position, frame)?;
                self.at(game, &position).map(Value::Game)
            }
            ExprKind::After(game, plies) => {
                let game = self.eval(game, frame)?.game()?;
                self.after(game, plies, frame).map(Value::Game)
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => match self.eval(condition, frame)?.truth()? {
                true => self.eval(then, frame),
                false => self.eval(otherwise, frame),
            },
            ExprKind::Let(definition, body) => {
                self.within(definition, frame, |this, frame| this.eval(body, frame))
            }
            literal => self::literal(literal),
        }
    }

    /// Evaluates one side's options of a game in braces.
    fn options(&mut self, side: &[Expr], frame: &mut LocalFrame) -> Result<Rc<[GameIndex]>> {
        side.iter()
            .map(|option| self.eval(option, frame)?.game())
            .collect()
    }

    fn unary(&mut self, op: UnaryOp, operand: &Value) -> Result<Value> {
        match op {
            UnaryOp::Negate => arithmetic(BinaryOp::Subtract, &Value::integer(0), operand),
            UnaryOp::Not => operand.truth().map(|truth| Value::Bool(!truth)),
            UnaryOp::Conjugate => operand
                .game()
                .map(|game| Value::Game(self.games.conjugate(game))),
        }
    }

    /// Runs work with a local definition in scope.
    pub(super) fn within<T>(
        &mut self,
        definition: &ast::Definition,
        frame: &mut LocalFrame,
        work: impl FnOnce(&mut Self, &mut LocalFrame) -> Result<T>,
    ) -> Result<T> {
        let value = match &definition.parameters {
            None => self.eval(&definition.body, frame)?,
            // A function takes the values that its names have here, and not where it is called.
            Some(_) => {
                let code = Callable::Definition(definition.clone());
                Value::Function(self.function(code, frame.clone()))
            }
        };
        frame.bind(&definition.name, value);
        let result = work(self, frame);
        frame.locals.pop();
        result
    }

    /// Creates a function.
    pub(super) fn function(&mut self, code: Callable, captured: LocalFrame) -> Rc<FunctionValue> {
        self.functions += 1;
        Rc::new(FunctionValue {
            id: self.functions,
            code,
            module: self.module,
            captured,
        })
    }

    fn all(&mut self, exprs: &[Expr], frame: &mut LocalFrame) -> Result<Vec<Value>> {
        self.admit(exprs.len())?;
        exprs.iter().map(|expr| self.eval(expr, frame)).collect()
    }

    /// Returns the value of a name.
    pub(super) fn lookup(&mut self, name: &str, frame: &LocalFrame) -> Result<Option<Value>> {
        if let Some(value) = frame.find(name) {
            return Ok(Some(value.clone()));
        }
        if let Some(value) = self.rule_let(name, &[], frame)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.modules[self.module].get(name) {
            return Ok(Some(value.clone()));
        }
        Ok(Some(match name {
            "A" => Value::Game(self.games.over(Ending::Win(Player::Alice))),
            "B" => Value::Game(self.games.over(Ending::Win(Player::Bob))),
            "Draw" => Value::Game(self.games.over(Ending::Draw)),
            "E" => Value::Game(self.games.power(Player::Alice, 1)),
            "empty" => Value::Empty,
            "top" => Value::Side(BoardSide::Top),
            "bottom" => Value::Side(BoardSide::Bottom),
            _ => return Ok(preset(name).map(|rules| Value::Rules(Rc::new(rules.into())))),
        }))
    }

    /// Returns the value of a `let` line of the surrounding ruleset, evaluated anew.
    pub(super) fn rule_let(
        &mut self,
        name: &str,
        arguments: &[Value],
        frame: &LocalFrame,
    ) -> Result<Option<Value>> {
        let Some(lets) = &frame.lets else {
            return Ok(None);
        };
        let Some((index, definition)) = let_line(&lets.ruleset, lets.before, name) else {
            return Ok(None);
        };
        let parameters = definition.parameters.as_deref().unwrap_or_default();
        // A function among the lines may use the state, which is not known yet.
        if parameters.len() != arguments.len() || lets.at_start && definition.parameters.is_some() {
            return Ok(None);
        }
        let mut inner = LocalFrame {
            // A line sees the state and the arguments, but not the variables of the line that uses
            // it.
            locals: frame.locals[..lets.base].to_vec(),
            lets: None,
        };
        inner.bind_all(parameters, arguments);
        inner.lets = Some(Lets {
            before: index,
            ..lets.clone()
        });
        self.eval(&definition.body, &mut inner).map(Some)
    }

    fn call_expression(
        &mut self,
        callee: &Expr,
        arguments: &[ast::Argument],
        frame: &mut LocalFrame,
    ) -> Result<Value> {
        if arguments.iter().any(|argument| argument.name.is_some()) {
            return wrong("the checker knows no call with named arguments");
        }
        let values = arguments
            .iter()
            .map(|argument| self.eval(&argument.value, frame))
            .collect::<Result<Vec<_>>>()?;
        if let ExprKind::Name(name) = &*callee.kind {
            if frame.find(name).is_none()
                && let Some(value) = self.rule_let(name, &values, frame)?
            {
                return Ok(value);
            }
            if self.lookup(name, frame)?.is_none() {
                return self.builtin(name, &values);
            }
        }
        match self.eval(callee, frame)? {
            Value::Function(function) => self.call(&function, values),
            other => other.no("a function"),
        }
    }

    /// Returns the result of a call. Calls of a text's functions are memoised.
    pub(super) fn call(
        &mut self,
        function: &Rc<FunctionValue>,
        arguments: Vec<Value>,
    ) -> Result<Value> {
        // A function that captures local names is a new one each time, so its calls are not
        // memoised.
        let key = function
            .captured
            .is_empty()
            .then(|| (function.id, arguments.clone()));
        if let Some(value) = key.as_ref().and_then(|key| self.memo.get(key)) {
            return Ok(value.clone());
        }
        let value = self.in_module(function.module, |this| match &function.code {
            Callable::Definition(definition) => this.run(function, definition, arguments),
            Callable::Ruleset(ruleset) => this.instance(ruleset, arguments).map(Value::Game),
        })?;
        if let Some(key) = key {
            self.memo.insert(key, value.clone());
        }
        Ok(value)
    }

    fn run(
        &mut self,
        function: &Rc<FunctionValue>,
        definition: &ast::Definition,
        arguments: Vec<Value>,
    ) -> Result<Value> {
        let parameters = definition.parameters.as_deref().unwrap_or_default();
        admit_arguments(&definition.name, parameters, &arguments)?;
        let mut frame = function.captured.clone();
        if definition.parameters.is_some() {
            // The name of the function is visible in its body, so that it can call itself.
            frame.bind(&definition.name, Value::Function(Rc::clone(function)));
        }
        frame.bind_all(parameters, &arguments);
        self.eval(&definition.body, &mut frame)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        frame: &mut LocalFrame,
    ) -> Result<Value> {
        let a = self.eval(left, frame)?;
        match (op, &a) {
            (BinaryOp::And, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => {
                return Ok(a);
            }
            _ => {}
        }
        let b = self.eval(right, frame)?;
        let same = || match (&a, &b) {
            (Value::Game(_), Value::Game(_)) => wrong("the checker does not compare games"),
            _ => Ok(a == b),
        };
        Ok(match op {
            BinaryOp::And | BinaryOp::Or => Value::Bool(b.truth()?),
            BinaryOp::Wedge => Value::Game(self.games.add(Game::Wedge(a.game()?, b.game()?))),
            BinaryOp::Power if matches!(a, Value::Game(_)) => {
                let Game::Over(Ending::Win(player)) = *self.games.get(a.game()?) else {
                    return wrong("only A and B have powers");
                };
                match u32::try_from(b.whole()?).ok().filter(|n| *n > 0) {
                    Some(n) => Value::Game(self.games.power(player, n)),
                    None => return wrong("the power of a game is from 1 on"),
                }
            }
            BinaryOp::Power
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::Add
            | BinaryOp::Subtract => arithmetic(op, &a, &b)?,
            BinaryOp::PlusMinus => return wrong("numbers between bounds define no game"),
            BinaryOp::Concatenate => {
                let (a, b) = (a.items()?, b.items()?);
                self.admit(a.len() + b.len())?;
                Value::list(a.iter().chain(b.iter()).cloned())
            }
            BinaryOp::Range => {
                let (first, last) = (a.whole()?, b.whole()?);
                // The difference of two numbers of 64 bits may need 65.
                if last.saturating_sub(first) >= MOST_ITEMS {
                    return wrong("this range is too long");
                }
                self.admit(fit::<usize>(last.saturating_sub(first).max(0)))?;
                Value::list((first..=last).map(|n| Value::Number(Ratio::from_integer(n))))
            }
            BinaryOp::In => Value::Bool(b.items()?.contains(&a)),
            BinaryOp::Equal | BinaryOp::Equivalent => Value::Bool(same()?),
            BinaryOp::NotEqual | BinaryOp::NotEquivalent => Value::Bool(!same()?),
            BinaryOp::Less => Value::Bool(a.compare(&b)?.is_lt()),
            BinaryOp::LessEqual => Value::Bool(a.compare(&b)?.is_le()),
            BinaryOp::Greater => Value::Bool(a.compare(&b)?.is_gt()),
            BinaryOp::GreaterEqual => Value::Bool(a.compare(&b)?.is_ge()),
            BinaryOp::Incomparable => return wrong("the checker does not compare games"),
        })
    }

    fn index(&mut self, base: &Value, indices: &[Value]) -> Result<Value> {
        match (base, indices) {
            (Value::Game(game), [n]) => match u32::try_from(n.whole()?) {
                Ok(n) => Ok(Value::Game(self.games.truncation(*game, n))),
                Err(_) => wrong("a game is cut off after a number of moves from 0 on"),
            },
            (Value::Board(board), _) => Ok(board.cells[board.cell(indices)?].clone()),
            (Value::List(items) | Value::Tuple(items), [n]) => {
                Ok(items[n.index(items.len())?].clone())
            }
            _ => wrong("only games, lists and boards take an index"),
        }
    }

    /// Runs work for every combination of values that some clauses produce.
    pub(super) fn each(
        &mut self,
        clauses: &[Clause],
        frame: &mut LocalFrame,
        work: &mut dyn FnMut(&mut Self, &mut LocalFrame) -> Result<()>,
    ) -> Result<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            // The work may evaluate calls, which must not nest without limit through
            // comprehensions.
            return self.deeper(|this| work(this, frame));
        };
        match clause {
            Clause::If(condition) => {
                if self.eval(condition, frame)?.truth()? {
                    self.each(rest, frame, work)?;
                }
            }
            Clause::For { pattern, iterable } => {
                let value = self.eval(iterable, frame)?;
                for item in value.items()?.iter() {
                    let before = frame.locals.len();
                    match &pattern[..] {
                        [name] => frame.bind(name, item.clone()),
                        names => {
                            let parts = item.items()?;
                            if parts.len() != names.len() {
                                return wrong("this `for` names another number of parts");
                            }
                            frame.bind_all(names, parts);
                        }
                    }
                    self.each(rest, frame, work)?;
                    frame.locals.truncate(before);
                }
            }
        }
        Ok(())
    }

    fn field_value(
        &mut self,
        field: &ast::RuleSetting,
        frame: &mut LocalFrame,
    ) -> Result<Option<FieldValue>> {
        let Some(known) = RuleField::named(&field.name.text) else {
            return Ok(None);
        };
        let (numeric, number) = match (known.number, &*field.value.kind) {
            (Some(numeric), _) => (numeric, &field.value),
            (None, ExprKind::Name(word)) => return Ok(known.value(word)),
            (None, ExprKind::Player(_, word)) => return Ok(known.value(word)),
            (None, ExprKind::Call { callee, arguments }) => match (&*callee.kind, &arguments[..]) {
                (ExprKind::Name(called), [part]) => match known.called(called) {
                    Some(numeric) => (numeric, &part.value),
                    None => return Ok(None),
                },
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let given = self.eval(number, frame)?;
        let numbers = match numeric.for_each_player {
            true => given.items()?.iter().map(Value::number).collect(),
            false => given.number().map(|number| vec![number]),
        };
        let numbers: Vec<_> = numbers?.iter().map(exact).collect();
        Ok((numeric.value)(&numbers))
    }

    fn rules(&mut self, fields: &[ast::RuleSetting], frame: &mut LocalFrame) -> Result<Value> {
        let mut rules = Overrides::default();
        for field in fields {
            match self.field_value(field, frame)? {
                Some(value) => rules.set(value),
                None => {
                    let name = &field.name.text;
                    return wrong(format!("the checker does not know this value of `{name}`"));
                }
            }
        }
        Ok(Value::Rules(Rc::new(rules)))
    }

    /// Evaluates builtins on lists and numbers, and passes the others to boards.
    fn builtin(&mut self, name: &str, arguments: &[Value]) -> Result<Value> {
        let zero = Value::integer(0);
        Ok(match (name, arguments) {
            ("min" | "max", [_, ..]) => {
                let many = match arguments {
                    [list] => list.items()?,
                    many => many,
                };
                let Some(mut best) = many.first() else {
                    return wrong(format!("`{name}` of nothing"));
                };
                for value in many {
                    let order = value.compare(best)?;
                    if if name == "min" {
                        order.is_lt()
                    } else {
                        order.is_gt()
                    } {
                        best = value;
                    }
                }
                best.clone()
            }
            ("sum", [list]) => {
                let add = |sum, value| arithmetic(BinaryOp::Add, &sum, value);
                list.items()?.iter().try_fold(zero, add)?
            }
            ("len", [list]) => Value::integer(list.items()?.len()),
            ("all", [list]) => Value::Bool(truths(list)?.iter().all(|truth| *truth)),
            ("any", [list]) => Value::Bool(truths(list)?.contains(&true)),
            ("floor", [number]) => Value::Number(floor(number.number()?)),
            ("ceil", [number]) => {
                let number = number.number()?;
                let below = floor(number);
                let above = if number == below {
                    Some(below)
                } else {
                    below.checked_add(&1.into())
                };
                fitting(above)?
            }
            ("abs", [number]) => {
                let number = number.number()?;
                match number < Ratio::default() {
                    true => arithmetic(BinaryOp::Subtract, &zero, &Value::Number(number))?,
                    false => Value::Number(number),
                }
            }
            _ => return self.board_function(name, arguments),
        })
    }
}

/// Checks that there are as many arguments as parameters.
pub(super) fn admit_arguments(
    name: &ast::Name,
    parameters: &[ast::Name],
    arguments: &[Value],
) -> Result<()> {
    match parameters.len() == arguments.len() {
        true => Ok(()),
        false => wrong(format!(
            "`{}` takes {}",
            name.text,
            counted(parameters.len(), "argument")
        )),
    }
}

fn truths(list: &Value) -> Result<Vec<bool>> {
    list.items()?.iter().map(Value::truth).collect()
}

/// Returns the value of a literal.
fn literal(kind: &ExprKind) -> Result<Value> {
    let counted = |n: &num_bigint::BigUint, mark| Some(Value::Chips(n.to_i64()?, mark));
    let value = match kind {
        ExprKind::Integer(n) => n.to_i64().map(|n| Value::Number(Ratio::from_integer(n))),
        ExprKind::Decimal(q, _) => q
            .numer()
            .to_i64()
            .zip(q.denom().to_i64())
            .map(|parts| Value::Number(parts.into())),
        ExprKind::Star(n) => counted(n, ChipMark::Star),
        ExprKind::MinusEpsilon(n) => counted(n, ChipMark::MinusEpsilon),
        ExprKind::String(text) => Some(Value::Text(text.as_str().into())),
        ExprKind::Bool(truth) => Some(Value::Bool(*truth)),
        ExprKind::Player(player, _) => Some(Value::Player(*player)),
        _ => unreachable!("everything else is reckoned"),
    };
    match value {
        Some(value) => Ok(value),
        None => wrong("a number does not fit in the checker's 64 bits"),
    }
}
