//! A plain evaluation of rulesets, with which the compiled ones are compared. It follows the lines
//! as they are written, position by position, on plain values, with the evaluator for the
//! expressions. It is slow and simple.

pub mod falling;
pub mod random;

use std::rc::Rc;

use bid::eval::{Evaluator, SessionState};
use bid_game::ruleset::Constants;
use bid_language::check::{self, CheckedStatementKind, Definitions, Scope};
use bid_language::diagnostic::{Code, Diagnostic, Result, Severity};
use bid_language::ir::board::Board;
use bid_language::ir::{
    CheckedClause, CheckedExpr, CheckedExprKind, CheckedUpdate, EndingResult, Operand,
    RulesetTemplate, StuckRule, Value,
};
use bid_language::player::{Ending, Player};
use bid_language::source::SourceMap;
use bid_language::syntax;
use bid_language::syntax::ast::{AssignOp, BinaryOp};
use num_rational::BigRational;
use num_traits::Zero;

/// Returns the only ruleset of a source; functions before it are defined in the world.
pub fn template(source: &str, world: &mut SessionState) -> Rc<RulesetTemplate> {
    let mut sources = SourceMap::default();
    let id = sources.add("random.bid", source);
    let parsed = syntax::parse(&sources, id);
    assert!(
        parsed.diagnostics.is_empty(),
        "{source}\n{:#?}",
        parsed.diagnostics
    );
    let (mut definitions, mut scope) = (
        Definitions::new(bid::library::signatures()),
        Scope::default(),
    );
    let (statements, diagnostics) =
        check::check(&mut definitions, &mut scope, &parsed.file.statements);
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity() == Severity::Error)
        .count();
    assert_eq!(errors, 0, "{source}\n{diagnostics:#?}");
    let mut found = None;
    for statement in statements {
        match statement.kind {
            CheckedStatementKind::Ruleset { ruleset, .. } => found = Some(ruleset),
            CheckedStatementKind::Function { id, code } => {
                let defaults = Rc::new(bid_language::rules::Overrides::default());
                let function = bid_language::ir::Function::Closure {
                    code,
                    captured: Vec::new(),
                    defaults,
                };
                world.define(id, Value::Function(Rc::new(function)));
            }
            _ => panic!("only functions and a ruleset are expected"),
        }
    }
    found.expect("the source has a ruleset")
}

/// A position: the values of the state variables.
pub type Position = Vec<Value>;

/// A ruleset with its arguments, evaluated from its lines.
pub struct Plain<'a, 'w> {
    pub template: &'a RulesetTemplate,
    pub arguments: &'a [Value],
    pub evaluator: &'a mut Evaluator<'w>,
    /// The score that the current move has added to the mover's side.
    pub score: BigRational,
}

impl Plain<'_, '_> {
    fn frame(&self) -> Vec<Value> {
        let mut frame = self.arguments.to_vec();
        // A slot is written before it is read, so that its first value does not matter.
        frame.resize(self.template.frame, Value::Bool(false));
        frame
    }

    /// Returns the position at the start.
    pub fn start(&mut self) -> Result<Position> {
        let mut frame = self.frame();
        self.template
            .state
            .iter()
            .map(|variable| self.evaluator.evaluate(&variable.initial, &mut frame))
            .collect()
    }

    fn value(
        &mut self,
        expr: &CheckedExpr,
        position: &Position,
        me: Player,
        frame: &mut Vec<Value>,
    ) -> Result<Value> {
        let expr = substitute(
            expr,
            &Known {
                template: self.template,
                position,
                me,
            },
        );
        self.evaluator.evaluate(&expr, frame)
    }

    fn holds(
        &mut self,
        expr: &CheckedExpr,
        position: &Position,
        me: Player,
        frame: &mut Vec<Value>,
    ) -> Result<bool> {
        match self.value(expr, position, me, frame)? {
            Value::Bool(truth) => Ok(truth),
            other => panic!("a condition is {other:?}"),
        }
    }

    fn number(
        &mut self,
        expr: &CheckedExpr,
        position: &Position,
        me: Player,
        frame: &mut Vec<Value>,
    ) -> Result<BigRational> {
        let value = self.value(expr, position, me, frame)?;
        Ok(value
            .as_rational()
            .unwrap_or_else(|| panic!("a score is {value:?}")))
    }

    /// Returns the score that being stuck adds, for Alice.
    pub fn stuck_score(&mut self, position: &Position, me: Player) -> Result<BigRational> {
        let Some(StuckRule::Score(score)) = &self.template.stuck else {
            return Ok(BigRational::zero());
        };
        Ok(for_alice(
            me,
            self.number(score, position, me, &mut self.frame())?,
        ))
    }

    /// Returns the ending at a position, and the score that it adds.
    pub fn ending(&mut self, position: &Position) -> Result<Option<(Ending, BigRational)>> {
        for line in &self.template.endings {
            for me in Player::BOTH {
                if !self.holds(&line.condition, position, me, &mut self.frame())? {
                    continue;
                }
                let mut score = BigRational::zero();
                let ending = match &line.result {
                    EndingResult::WinMe => Ending::Win(me),
                    EndingResult::Draw => Ending::Draw,
                    EndingResult::Score(expr) => {
                        score = self.number(expr, position, me, &mut self.frame())?;
                        Ending::Draw
                    }
                    EndingResult::Win(winner) => {
                        match self.value(winner, position, me, &mut self.frame())? {
                            Value::Player(player) => Ending::Win(player),
                            _ => return Err(bad("no winner")),
                        }
                    }
                };
                return Ok(Some((ending, score)));
            }
        }
        Ok(None)
    }

    /// Returns the player whose turn it is at a position, if it is one player's.
    pub fn owner(&mut self, position: &Position) -> Result<Option<Player>> {
        for line in &self.template.turns {
            // No name in a line of turns depends on the mover.
            if self.holds(&line.condition, position, Player::Alice, &mut self.frame())? {
                return match self.value(&line.player, position, Player::Alice, &mut self.frame())? {
                    Value::Player(player) => Ok(Some(player)),
                    _ => Err(bad("nobody's turn")),
                };
            }
        }
        Ok(None)
    }

    /// Returns the labels of a player's moves, their successors, and the scores that they add, for
    /// Alice.
    pub fn moves(
        &mut self,
        position: &Position,
        me: Player,
    ) -> Result<Vec<(String, Position, BigRational)>> {
        let mut found = Vec::new();
        if self.owner(position)? == Some(me.other()) {
            return Ok(found);
        }
        for line in self
            .template
            .moves
            .iter()
            .filter(|line| line.players.contains(&me))
        {
            self.walk(
                &line.clauses,
                position,
                me,
                &mut self.frame(),
                &mut |this, frame| {
                    let mut words = Vec::new();
                    for argument in &line.arguments {
                        match this.value(argument, position, me, frame)? {
                            Value::Tuple(parts) => words.extend(parts.iter().map(word)),
                            other => words.push(word(&other)),
                        }
                    }
                    let mut next = position.clone();
                    this.score = BigRational::zero();
                    this.update_all(&line.updates, &mut next, me, frame)?;
                    let score = for_alice(me, this.score.clone());
                    found.push((format!("{}({})", line.name, words.join(", ")), next, score));
                    Ok(())
                },
            )?;
        }
        Ok(found)
    }

    fn walk(
        &mut self,
        clauses: &[CheckedClause],
        position: &Position,
        me: Player,
        frame: &mut Vec<Value>,
        each: &mut dyn FnMut(&mut Self, &mut Vec<Value>) -> Result<()>,
    ) -> Result<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            return each(self, frame);
        };
        match clause {
            CheckedClause::If(condition) => {
                if self.holds(condition, position, me, frame)? {
                    self.walk(rest, position, me, frame, each)?;
                }
            }
            CheckedClause::For(slots, iterable) => {
                let Value::List(items) = self.value(iterable, position, me, frame)? else {
                    panic!("no list")
                };
                for item in items.iter() {
                    match (slots.as_slice(), item) {
                        ([slot], item) => frame[*slot] = item.clone(),
                        (slots, Value::Tuple(parts)) => {
                            slots
                                .iter()
                                .zip(parts.iter())
                                .for_each(|(slot, part)| frame[*slot] = part.clone());
                        }
                        _ => panic!("no tuple"),
                    }
                    self.walk(rest, position, me, frame, each)?;
                }
            }
        }
        Ok(())
    }

    fn update_all(
        &mut self,
        updates: &[CheckedUpdate],
        next: &mut Position,
        me: Player,
        frame: &mut Vec<Value>,
    ) -> Result<()> {
        updates
            .iter()
            .try_for_each(|update| self.update(update, next, me, frame))
    }

    fn update(
        &mut self,
        update: &CheckedUpdate,
        next: &mut Position,
        me: Player,
        frame: &mut Vec<Value>,
    ) -> Result<()> {
        match update {
            CheckedUpdate::Assign {
                target,
                indices,
                op,
                value,
                span,
            } => {
                let mut path = Vec::new();
                for index in indices {
                    path.push(self.value(index, next, me, frame)?);
                }
                let mut value = self.value(value, next, me, frame)?;
                if *op != AssignOp::Set {
                    // The evaluator computes the sum, so that it refuses what the language refuses.
                    let before = at(&mut next[*target], &path)?.clone();
                    let op = if *op == AssignOp::Add {
                        BinaryOp::Add
                    } else {
                        BinaryOp::Subtract
                    };
                    value = self.evaluator.apply_binary(
                        op,
                        Operand::new(&before, *span),
                        Operand::new(&value, *span),
                        *span,
                    )?;
                }
                let place = at(&mut next[*target], &path)?;
                if matches!((&*place, &value), (Value::Integer(_), Value::Rational(_))) {
                    return Err(bad("a fraction"));
                }
                if matches!(&value, Value::Integer(n) if i32::try_from(n).is_err()) {
                    return Err(bad("an integer of the state has 32 bits"));
                }
                *place = value;
                Ok(())
            }
            CheckedUpdate::Drop {
                target,
                column,
                value,
                ..
            } => {
                let column = self.value(column, next, me, frame)?;
                let value = self.value(value, next, me, frame)?;
                let Value::Board(board) = &mut next[*target] else {
                    panic!("no board")
                };
                let board = Rc::make_mut(board);
                let column = index(&column, board.cols)?;
                let cells = (0..board.rows).rev().map(|row| row * board.cols + column);
                let free = cells
                    .into_iter()
                    .find(|cell| matches!(board.cells[*cell], Value::Empty));
                board.cells[free.ok_or_else(|| bad("a full column"))?] = value;
                Ok(())
            }
            CheckedUpdate::Score(score) => {
                let score = self.number(score, next, me, frame)?;
                self.score += score;
                Ok(())
            }
            CheckedUpdate::If(condition, then, otherwise) => {
                let branch = if self.holds(condition, next, me, frame)? {
                    then
                } else {
                    otherwise
                };
                self.update_all(branch, next, me, frame)
            }
        }
    }
}

/// Converts a score of the mover's side to Alice's.
fn for_alice(me: Player, score: BigRational) -> BigRational {
    match me {
        Player::Alice => score,
        Player::Bob => -score,
    }
}

fn bad(why: &str) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, why).into()
}

fn index(value: &Value, count: usize) -> Result<usize> {
    match value {
        Value::Integer(n) => usize::try_from(n)
            .ok()
            .filter(|n| *n < count)
            .ok_or_else(|| bad("outside")),
        other => panic!("{other:?} is no index"),
    }
}

/// Returns the part of a value at some indices.
fn at<'v>(value: &'v mut Value, path: &[Value]) -> Result<&'v mut Value> {
    if path.is_empty() {
        return Ok(value);
    }
    match value {
        Value::Board(board) => {
            let parts = match path {
                [Value::Tuple(parts)] => parts.to_vec(),
                many => many.to_vec(),
            };
            let board: &mut Board = Rc::make_mut(board);
            let cell = index(&parts[0], board.rows)? * board.cols + index(&parts[1], board.cols)?;
            Ok(&mut board.cells[cell])
        }
        Value::List(items) | Value::Tuple(items) => {
            let index = index(&path[0], items.len())?;
            at(&mut items.to_mut()[index], &path[1..])
        }
        other => panic!("{other:?} has no elements"),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::Integer(n) => n.to_string(),
        Value::Rational(q) => q.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Player(player) => player.word().to_owned(),
        Value::Empty => "empty".to_owned(),
        other => panic!("{other:?} in a label"),
    }
}

/// Formats a position as the program prints it.
pub fn text(template: &RulesetTemplate, position: &Position) -> String {
    if let [only] = position.as_slice() {
        return value_text(only);
    }
    // The first board of a position is written without its name.
    let bare = position
        .iter()
        .position(|value| matches!(value, Value::Board(_)));
    let board = bare.map(|bare| value_text(&position[bare]));
    let named = template
        .state
        .iter()
        .zip(position)
        .enumerate()
        .filter(|(place, _)| Some(*place) != bare);
    let named =
        named.map(|(_, (variable, value))| format!("{}={}", variable.name, value_text(value)));
    board.into_iter().chain(named).collect::<Vec<_>>().join(" ")
}

fn value_text(value: &Value) -> String {
    match value {
        Value::List(items) => format!(
            "[{}]",
            items.iter().map(value_text).collect::<Vec<_>>().join(", ")
        ),
        Value::Tuple(items) => format!(
            "({})",
            items.iter().map(value_text).collect::<Vec<_>>().join(", ")
        ),
        Value::Board(board) => board
            .cells
            .chunks(board.cols)
            .map(row_text)
            .collect::<Vec<_>>()
            .join("/"),
        scalar => word(scalar),
    }
}

fn row_text(row: &[Value]) -> String {
    let letters: Option<String> = row
        .iter()
        .map(|cell| match cell {
            Value::Empty => Some('.'),
            Value::Player(Player::Alice) => Some('A'),
            Value::Player(Player::Bob) => Some('B'),
            _ => None,
        })
        .collect();
    letters.unwrap_or_else(|| row.iter().map(word).collect::<Vec<_>>().join(","))
}

/// The values of a ruleset's names at a position.
struct Known<'k> {
    template: &'k RulesetTemplate,
    position: &'k Position,
    me: Player,
}

/// Substitutes the position and the mover into an expression.
fn substitute(expr: &CheckedExpr, known: &Known<'_>) -> CheckedExpr {
    let go = |expr: &CheckedExpr| substitute(expr, known);
    let all = |exprs: &[CheckedExpr]| exprs.iter().map(go).collect::<Vec<_>>();
    let kind = match &*expr.kind {
        CheckedExprKind::State(index) => CheckedExprKind::Constant(known.position[*index].clone()),
        CheckedExprKind::Mover => CheckedExprKind::Constant(Value::Player(known.me)),
        CheckedExprKind::Opponent => CheckedExprKind::Constant(Value::Player(known.me.other())),
        CheckedExprKind::RuleLet(index, arguments) => {
            let line = &known.template.lets[*index];
            let bound = line.parameters.iter().zip(arguments).rev();
            // The parameters become nested `let` expressions, of which the first parameter is the
            // outermost.
            return bound.fold(go(&line.body), |body, (slot, argument)| CheckedExpr {
                kind: Box::new(CheckedExprKind::Let(*slot, go(argument), body)),
                span: expr.span,
            });
        }
        CheckedExprKind::Call { callee, arguments } => CheckedExprKind::Call {
            callee: go(callee),
            arguments: all(arguments),
        },
        CheckedExprKind::Builtin {
            builtin,
            arguments,
            named,
            labels,
        } => CheckedExprKind::Builtin {
            builtin,
            arguments: all(arguments),
            named: named
                .iter()
                .map(|(name, argument)| (*name, go(argument)))
                .collect(),
            labels: labels.clone(),
        },
        CheckedExprKind::Index(base, indices) => CheckedExprKind::Index(go(base), all(indices)),
        CheckedExprKind::List(items) => CheckedExprKind::List(all(items)),
        CheckedExprKind::Tuple(items) => CheckedExprKind::Tuple(all(items)),
        CheckedExprKind::Comprehension(element, clauses, variable) => {
            let clause = |clause: &CheckedClause| match clause {
                CheckedClause::For(slots, iterable) => {
                    CheckedClause::For(slots.clone(), go(iterable))
                }
                CheckedClause::If(condition) => CheckedClause::If(go(condition)),
            };
            CheckedExprKind::Comprehension(
                go(element),
                clauses.iter().map(clause).collect(),
                variable.clone(),
            )
        }
        CheckedExprKind::Unary(op, operand) => CheckedExprKind::Unary(*op, go(operand)),
        CheckedExprKind::Binary(op, a, b) => CheckedExprKind::Binary(*op, go(a), go(b)),
        CheckedExprKind::If(a, b, c) => CheckedExprKind::If(go(a), go(b), go(c)),
        CheckedExprKind::Let(slot, value, body) => CheckedExprKind::Let(*slot, go(value), go(body)),
        other => other.clone(),
    };
    CheckedExpr {
        kind: Box::new(kind),
        span: expr.span,
    }
}
