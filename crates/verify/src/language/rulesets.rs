//! Rulesets (the heading "Rulesets" in the page of the language): the lines as they are written,
//! position by position.

use std::rc::Rc;

use super::games::{Game, GameId};
use super::value::{Result, Value, arithmetic, placed, wrong};
use super::{Frame, Interpreter, Lets};
use crate::player::{Ending, Player};
use crate::syntax::ast::{
    self, AssignOp, BinaryOp, Expr, ExprKind, RuleItemKind, StuckKind, UpdateKind,
};

/// A ruleset with its arguments.
#[derive(Debug)]
pub struct Instance {
    /// Its lines.
    pub ruleset: Rc<ast::Ruleset>,
    /// The text whose names it sees.
    pub module: usize,
    /// Its parameters with their values.
    pub arguments: Vec<(Rc<str>, Value)>,
    /// The state variables with their values at the start.
    pub variables: Vec<(Rc<str>, Value)>,
    /// What happens to a player who is to move and cannot.
    pub stuck: Stuck,
}

/// What happens to a player who is to move and cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stuck {
    /// The other moves.
    OpponentMoves,
    /// Nothing changes.
    Passes,
    /// The player loses.
    Loses,
    /// The player wins.
    Wins,
    /// It is a draw.
    Draws,
}

impl Interpreter<'_> {
    /// The start of a ruleset with these arguments.
    pub(super) fn instance(
        &mut self,
        ruleset: &Rc<ast::Ruleset>,
        arguments: Vec<Value>,
    ) -> Result<GameId> {
        let names = ruleset.parameters.as_deref().unwrap_or_default();
        if names.len() != arguments.len() {
            return wrong(format!(
                "`{}` takes {} arguments",
                ruleset.name.text,
                names.len()
            ));
        }
        let arguments: Vec<(Rc<str>, Value)> = names
            .iter()
            .map(|name| name.text.as_str().into())
            .zip(arguments)
            .collect();
        let lets = Lets {
            ruleset: Rc::clone(ruleset),
            before: ruleset.items.len(),
            base: arguments.len(),
            at_start: true,
        };
        let mut frame = Frame {
            locals: arguments.clone(),
            lets: Some(lets),
        };
        let (mut variables, mut stuck) = (Vec::new(), Stuck::OpponentMoves);
        for item in &ruleset.items {
            match &item.kind {
                RuleItemKind::State(name, initial) => {
                    variables.push((name.text.as_str().into(), self.eval(initial, &mut frame)?));
                }
                RuleItemKind::Stuck(kind) => {
                    stuck = match kind {
                        StuckKind::Loses => Stuck::Loses,
                        StuckKind::Wins => Stuck::Wins,
                        StuckKind::Draws => Stuck::Draws,
                        StuckKind::Passes => Stuck::Passes,
                        StuckKind::Score(_) => return wrong("the checker does not know scores"),
                    };
                }
                RuleItemKind::Turn(..) => self.games.has_turns = true,
                RuleItemKind::Score(..) => return wrong("the checker does not know scores"),
                RuleItemKind::Let(_)
                | RuleItemKind::Move { .. }
                | RuleItemKind::Win(..)
                | RuleItemKind::Draw(_)
                // Positions that are alike are listed each for itself.
                | RuleItemKind::Symmetry(..) => {}
            }
        }
        let instance = Instance {
            ruleset: Rc::clone(ruleset),
            module: self.module,
            arguments,
            variables,
            stuck,
        };
        let start = instance
            .variables
            .iter()
            .map(|(_, value)| value.clone())
            .collect::<Vec<_>>();
        let start = instance.pack(&start)?;
        self.games.instances.push(Rc::new(instance));
        Ok(self
            .games
            .add(Game::State(self.games.instances.len() - 1, start)))
    }

    /// How the game has ended by the `win` and `draw` lines in order, each for Alice as `me` first.
    pub(super) fn state_ending(
        &mut self,
        instance: &Instance,
        state: &[u8],
    ) -> Result<Option<Ending>> {
        self.in_module(instance.module, |this| {
            let state = instance.unpack(state)?;
            for (index, item) in instance.ruleset.items.iter().enumerate() {
                let (winner, condition) = match &item.kind {
                    RuleItemKind::Win(winner, condition) => (Some(winner), condition),
                    RuleItemKind::Draw(condition) => (None, condition),
                    _ => continue,
                };
                for me in Player::BOTH {
                    let mut frame = instance.frame(&state, me, index);
                    if placed(this.eval(condition, &mut frame)?.truth(), condition.span)? {
                        return this.result(winner, &mut frame).map(Some);
                    }
                }
            }
            Ok(None)
        })
    }

    /// Whose turn it is by the first `turn` line that holds, if it is anybody's.
    pub(super) fn state_owner(
        &mut self,
        instance: &Instance,
        state: &[u8],
    ) -> Result<Option<Player>> {
        self.in_module(instance.module, |this| {
            let state = instance.unpack(state)?;
            for (index, item) in instance.ruleset.items.iter().enumerate() {
                let RuleItemKind::Turn(player, condition) = &item.kind else {
                    continue;
                };
                // No name in the line means who moves.
                let mut frame = instance.frame(&state, Player::Alice, index);
                if !placed(this.eval(condition, &mut frame)?.truth(), condition.span)? {
                    continue;
                }
                return match this.eval(player, &mut frame)? {
                    Value::Player(player) => Ok(Some(player)),
                    other => wrong(format!("{} cannot move", other.kind())),
                };
            }
            Ok(None)
        })
    }

    fn result(&mut self, winner: Option<&Expr>, frame: &mut Frame) -> Result<Ending> {
        let Some(winner) = winner else {
            return Ok(Ending::Draw);
        };
        match self.eval(winner, frame)? {
            Value::Player(player) => Ok(Ending::Win(player)),
            other => wrong(format!("{} cannot win", other.kind())),
        }
    }

    /// The moves of a player by the `move` lines in order, with what they are called.
    pub(super) fn state_successors(
        &mut self,
        instance: &Instance,
        state: &[u8],
        player: Player,
    ) -> Result<Vec<(String, Rc<[u8]>)>> {
        self.in_module(instance.module, |this| {
            let state = instance.unpack(state)?;
            let mut found = Vec::new();
            for (index, item) in instance.ruleset.items.iter().enumerate() {
                let RuleItemKind::Move {
                    player: owner,
                    name,
                    arguments,
                    clauses,
                    updates,
                } = &item.kind
                else {
                    continue;
                };
                if owner.is_some_and(|owner| owner != player) {
                    continue;
                }
                let mut frame = instance.frame(&state, player, index);
                this.each(clauses, &mut frame, &mut |this, frame| {
                    let words = if this.naming {
                        this.label(name, arguments, frame)?
                    } else {
                        String::new()
                    };
                    let mut changed = frame.clone();
                    this.update(instance, updates, &mut changed)?;
                    let values: Vec<Value> = instance.state_of(&changed);
                    found.push((words, placed(instance.pack(&values), item.span)?));
                    Ok(())
                })?;
            }
            Ok(found)
        })
    }

    /// `place(1, 1)`: cells are spread out.
    fn label(&mut self, name: &ast::Name, arguments: &[Expr], frame: &mut Frame) -> Result<String> {
        let mut words = Vec::new();
        for argument in arguments {
            match self.eval(argument, frame)? {
                Value::Tuple(parts) => words.extend(parts.iter().map(Value::words)),
                other => words.push(other.words()),
            }
        }
        Ok(if words.is_empty() {
            name.text.clone()
        } else {
            format!("{}({})", name.text, words.join(", "))
        })
    }

    fn update(
        &mut self,
        instance: &Instance,
        updates: &[ast::Update],
        frame: &mut Frame,
    ) -> Result<()> {
        for update in updates {
            match &update.kind {
                UpdateKind::Assign {
                    target,
                    indices,
                    op,
                    value,
                } => {
                    let mut path = Vec::new();
                    for index in indices {
                        path.push(self.eval(index, frame)?);
                    }
                    let value = self.eval(value, frame)?;
                    let target = instance.variable(frame, target)?;
                    placed(assign(target, &path, *op, value), update.span)?;
                }
                UpdateKind::Drop {
                    board,
                    column,
                    value,
                } => {
                    let (column, value) = (self.eval(column, frame)?, self.eval(value, frame)?);
                    let target = instance.variable(frame, board)?;
                    let Value::Board(board) = target else {
                        return wrong("`drop` needs a board");
                    };
                    let cell = placed(board.landing(&column), update.span)?;
                    Rc::make_mut(board).cells[cell] = value;
                }
                UpdateKind::Score(_) => return wrong("the checker does not know scores"),
                UpdateKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let branch = if self.eval(condition, frame)?.truth()? {
                        then
                    } else {
                        otherwise
                    };
                    self.update(instance, branch, frame)?;
                }
            }
        }
        Ok(())
    }

    /// Runs a piece of work that sees the names of a text.
    pub(super) fn in_module<T>(
        &mut self,
        module: usize,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outside = std::mem::replace(&mut self.module, module);
        let result = work(self);
        self.module = outside;
        result
    }

    /// Plays the moves of an `after` list.
    pub(super) fn after(
        &mut self,
        mut game: GameId,
        plies: &[ast::Ply],
        frame: &mut Frame,
    ) -> Result<GameId> {
        for ply in plies {
            if self.ending(game)?.is_some() {
                return wrong("the game is over before this move");
            }
            self.naming = true;
            let moves = self.named_moves(game, ply.player);
            self.naming = false;
            let found = self.chosen(&moves?, &ply.action, frame)?;
            game = placed(
                found.map_or_else(|| wrong("there is no such move"), Ok),
                ply.span,
            )?;
        }
        Ok(game)
    }

    /// The move that an action names, if there is one.
    fn chosen(
        &mut self,
        moves: &[(String, GameId)],
        action: &Expr,
        frame: &mut Frame,
    ) -> Result<Option<GameId>> {
        if let ExprKind::Call { callee, arguments } = &*action.kind
            && let ExprKind::Name(name) = &*callee.kind
            && moves
                .iter()
                .any(|(words, _)| words.split('(').next() == Some(name.as_str()))
        {
            let arguments: Vec<Expr> = arguments
                .iter()
                .map(|argument| argument.value.clone())
                .collect();
            let wanted = self.label(
                &ast::Name {
                    text: name.clone(),
                    span: callee.span,
                },
                &arguments,
                frame,
            )?;
            return Ok(moves
                .iter()
                .find(|(words, _)| *words == wanted)
                .map(|(_, to)| *to));
        }
        let value = self.eval_node(action, frame)?;
        if let Value::Game(game) = value {
            return Ok(moves.iter().find(|(_, to)| *to == game).map(|(_, to)| *to));
        }
        let (words, mut key) = (value.words(), String::new());
        value.key(&mut key);
        let called = |(name, to): &&(String, GameId)| match self.games.get(*to) {
            Game::Vertex(graph, vertex) => {
                self.games.graphs[*graph].names.get_index(*vertex) == Some(&key)
            }
            _ => *name == words,
        };
        Ok(moves.iter().find(called).map(|(_, to)| *to))
    }
}

impl Instance {
    /// The names that a line sees at a state: those of the state, `me` and `other`, and the
    /// arguments.
    pub(super) fn frame(&self, state: &[Value], me: Player, line: usize) -> Frame {
        let mut locals: Vec<(Rc<str>, Value)> = self
            .variables
            .iter()
            .zip(state)
            .map(|((name, _), value)| (Rc::clone(name), value.clone()))
            .collect();
        locals.push(("me".into(), Value::Player(me)));
        locals.push(("other".into(), Value::Player(me.other())));
        locals.extend(self.arguments.iter().cloned());
        let base = locals.len();
        let lets = Lets {
            ruleset: Rc::clone(&self.ruleset),
            before: line,
            base,
            at_start: false,
        };
        Frame {
            locals,
            lets: Some(lets),
        }
    }

    /// The values of the state variables in a frame.
    fn state_of(&self, frame: &Frame) -> Vec<Value> {
        frame.locals[..self.variables.len()]
            .iter()
            .map(|(_, value)| value.clone())
            .collect()
    }

    fn variable<'f>(&self, frame: &'f mut Frame, name: &ast::Name) -> Result<&'f mut Value> {
        let index = self
            .variables
            .iter()
            .position(|(variable, _)| **variable == *name.text);
        index.map_or_else(
            || wrong(format!("`{}` is not a state variable", name.text)),
            |index| Ok(&mut frame.locals[index].1),
        )
    }
}

fn assign(target: &mut Value, path: &[Value], op: AssignOp, value: Value) -> Result<()> {
    let place = part(target, path)?;
    *place = match op {
        AssignOp::Set => value,
        AssignOp::Add => arithmetic(BinaryOp::Add, place, &value)?,
        AssignOp::Subtract => arithmetic(BinaryOp::Subtract, place, &value)?,
    };
    Ok(())
}

/// The part of a value at some indices.
fn part<'v>(value: &'v mut Value, path: &[Value]) -> Result<&'v mut Value> {
    let Some((first, rest)) = path.split_first() else {
        return Ok(value);
    };
    match value {
        Value::Board(board) => {
            let cell = board.cell(path)?;
            Ok(&mut Rc::make_mut(board).cells[cell])
        }
        Value::List(items) | Value::Tuple(items) => {
            let index = first.index(items.len())?;
            part(&mut Rc::make_mut(items)[index], rest)
        }
        other => wrong(format!("{} has no elements", other.kind())),
    }
}
