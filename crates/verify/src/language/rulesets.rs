//! Evaluates rulesets (the heading "Rulesets" in the page of the language): the lines as they are
//! written, position by position.

use std::rc::Rc;

use super::eval::admit_arguments;
use super::games::{Game, GameIndex};
use super::value::{Result, Value, arithmetic, placed, wrong};
use super::{Interpreter, Lets, LocalFrame, NO_INCOME};
use crate::player::{Ending, Player};
use crate::syntax::ast::{
    self, AssignOp, BinaryOp, Expr, ExprKind, RuleItem, RuleItemKind, StuckKind, UpdateKind,
};

/// Returns the last `let` line of this name among the first lines of a ruleset: its number, and its
/// definition.
pub fn let_line<'r>(
    ruleset: &'r ast::RulesetDefinition,
    before: usize,
    name: &str,
) -> Option<(usize, &'r ast::Definition)> {
    let lines = ruleset.items[..before].iter().enumerate().rev();
    let mut lines = lines.filter_map(|(line, item)| match &item.kind {
        RuleItemKind::Let(definition) => Some((line, definition)),
        _ => None,
    });
    lines.find(|(_, definition)| definition.name.text == name)
}

/// A ruleset with its arguments.
#[derive(Debug)]
pub struct Instance {
    /// Its lines.
    pub ruleset: Rc<ast::RulesetDefinition>,
    /// The index of the text whose names are visible in it.
    pub module: usize,
    /// Its parameters with their values.
    pub arguments: Vec<(Rc<str>, Value)>,
    /// The state variables with their values at the start.
    pub variables: Vec<(Rc<str>, Value)>,
    /// The `stuck` line's result for a player who is to move and cannot. Without one the other
    /// player moves.
    pub stuck: Option<StuckKind>,
}

impl Interpreter<'_> {
    /// Returns the start of a ruleset with these arguments.
    pub(super) fn instance(
        &mut self,
        ruleset: &Rc<ast::RulesetDefinition>,
        arguments: Vec<Value>,
    ) -> Result<GameIndex> {
        let names = ruleset.parameters.as_deref().unwrap_or_default();
        admit_arguments(&ruleset.name, names, &arguments)?;
        let mut frame = LocalFrame::default();
        frame.bind_all(names, &arguments);
        let arguments = frame.locals.clone();
        frame.lets = Some(Lets {
            ruleset: Rc::clone(ruleset),
            before: ruleset.items.len(),
            base: arguments.len(),
            // The values at the start must not depend on themselves.
            at_start: true,
        });
        let (mut variables, mut stuck) = (Vec::new(), None);
        for item in &ruleset.items {
            match &item.kind {
                RuleItemKind::State(name, initial) => {
                    variables.push((name.text.as_str().into(), self.eval(initial, &mut frame)?));
                }
                RuleItemKind::Score(..) | RuleItemKind::Stuck(StuckKind::Score(_)) => {
                    return wrong("the checker does not know scores");
                }
                RuleItemKind::Stuck(kind) => stuck = Some(kind.clone()),
                RuleItemKind::Turn(..) => self.games.has_turns = true,
                RuleItemKind::Income(..) => return wrong(NO_INCOME),
                RuleItemKind::Let(_)
                | RuleItemKind::Move { .. }
                | RuleItemKind::Win(..)
                | RuleItemKind::Draw(_)
                // The checker does not merge symmetric positions, so each is listed separately.
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
        let start = instance.pack(&instance.start())?;
        self.games.instances.push(Rc::new(instance));
        let number = self.games.instances.len() - 1;
        Ok(self.games.add(Game::State(number, start)))
    }

    /// Evaluates the lines of a ruleset at a state, each with its index, until one returns a
    /// result.
    fn at_state<T>(
        &mut self,
        instance: &Instance,
        state: &[u8],
        mut line: impl FnMut(&mut Self, &[Value], (usize, &RuleItem)) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        self.in_module(instance.module, |this| {
            let state = instance.unpack(state);
            let mut items = instance.ruleset.items.iter().enumerate();
            items
                .find_map(|item| line(this, &state, item).transpose())
                .transpose()
        })
    }

    fn holds(&mut self, condition: &Expr, frame: &mut LocalFrame) -> Result<bool> {
        placed(self.eval(condition, frame)?.truth(), condition.span)
    }

    fn player(&mut self, expr: &Expr, frame: &mut LocalFrame, can: &str) -> Result<Player> {
        match self.eval(expr, frame)? {
            Value::Player(player) => Ok(player),
            other => wrong(format!("{} cannot {can}", other.kind())),
        }
    }

    /// Returns the ending by the `win` and `draw` lines in order. Each line is evaluated with Alice
    /// as `me` first.
    pub(super) fn state_ending(
        &mut self,
        instance: &Instance,
        state: &[u8],
    ) -> Result<Option<Ending>> {
        self.at_state(instance, state, |this, state, (index, item)| {
            let (winner, condition) = match &item.kind {
                RuleItemKind::Win(winner, condition) => (Some(winner), condition),
                RuleItemKind::Draw(condition) => (None, condition),
                _ => return Ok(None),
            };
            // If the condition holds for both players, the line counts for Alice.
            for me in Player::BOTH {
                let mut frame = instance.frame(state, me, index);
                if this.holds(condition, &mut frame)? {
                    return Ok(Some(match winner {
                        Some(winner) => Ending::Win(this.player(winner, &mut frame, "win")?),
                        None => Ending::Draw,
                    }));
                }
            }
            Ok(None)
        })
    }

    /// Returns the player who moves without a bid by the first `turn` line that holds, if there is
    /// one.
    pub(super) fn state_owner(
        &mut self,
        instance: &Instance,
        state: &[u8],
    ) -> Result<Option<Player>> {
        self.at_state(instance, state, |this, state, (index, item)| {
            let RuleItemKind::Turn(player, condition) = &item.kind else {
                return Ok(None);
            };
            // No name in the line depends on the mover, so either player may stand for `me`.
            let mut frame = instance.frame(state, Player::Alice, index);
            match this.holds(condition, &mut frame)? {
                true => this.player(player, &mut frame, "move").map(Some),
                false => Ok(None),
            }
        })
    }

    /// Returns the moves of a player by the `move` lines in order, with their names.
    pub(super) fn state_successors(
        &mut self,
        instance: &Instance,
        state: &[u8],
        player: Player,
    ) -> Result<Vec<(String, Rc<[u8]>)>> {
        let mut found = Vec::new();
        self.at_state(instance, state, |this, state, (index, item)| {
            let RuleItemKind::Move {
                player: owner,
                name,
                arguments,
                clauses,
                updates,
            } = &item.kind
            else {
                return Ok(None::<()>);
            };
            if owner.is_some_and(|owner| owner != player) {
                return Ok(None);
            }
            let mut frame = instance.frame(state, player, index);
            this.each(clauses, &mut frame, &mut |this, frame| {
                let words = match this.naming {
                    true => this.label(&name.text, arguments.iter(), frame)?,
                    false => String::new(),
                };
                // Each move starts from the same state.
                let mut changed = frame.clone();
                this.update(instance, updates, &mut changed)?;
                let values = changed.locals[..instance.variables.len()].iter();
                let values: Vec<Value> = values.map(|(_, value)| value.clone()).collect();
                found.push((words, placed(instance.pack(&values), item.span)?));
                Ok(())
            })?;
            Ok(None)
        })?;
        Ok(found)
    }

    /// Writes a move as `place(1, 1)`. The parts of a tuple are written as separate arguments.
    fn label<'e>(
        &mut self,
        name: &str,
        arguments: impl Iterator<Item = &'e Expr>,
        frame: &mut LocalFrame,
    ) -> Result<String> {
        let mut words = Vec::new();
        for argument in arguments {
            match self.eval(argument, frame)? {
                // `place((1, 1))` and `place(1, 1)` are the same move.
                Value::Tuple(parts) => words.extend(parts.iter().map(Value::words)),
                other => words.push(other.words()),
            }
        }
        Ok(match words.is_empty() {
            true => name.to_owned(),
            false => format!("{name}({})", words.join(", ")),
        })
    }

    fn update(
        &mut self,
        instance: &Instance,
        updates: &[ast::Update],
        frame: &mut LocalFrame,
    ) -> Result<()> {
        for update in updates {
            match &update.kind {
                UpdateKind::Assign {
                    target,
                    indices,
                    op,
                    value,
                } => {
                    let path = indices.iter().map(|index| self.eval(index, frame));
                    let path = path.collect::<Result<Vec<_>>>()?;
                    // The value is computed before the cell is borrowed, since it may use the old
                    // one.
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
                } => match self.eval(condition, frame)?.truth()? {
                    true => self.update(instance, then, frame)?,
                    false => self.update(instance, otherwise, frame)?,
                },
            }
        }
        Ok(())
    }

    /// Runs work with the names of a text in scope.
    pub(super) fn in_module<T>(
        &mut self,
        module: usize,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        // The text is restored even after an error, since a constant without a value is no error.
        let outside = std::mem::replace(&mut self.module, module);
        let result = work(self);
        self.module = outside;
        result
    }

    /// Plays the moves of an `after` list.
    pub(super) fn after(
        &mut self,
        mut game: GameIndex,
        plies: &[ast::Ply],
        frame: &mut LocalFrame,
    ) -> Result<GameIndex> {
        for ply in plies {
            if self.ending(game)?.is_some() {
                return wrong("the game is over before this move");
            }
            // Names take time to write, and only `after` needs them.
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

    /// Finds the move that an action names.
    fn chosen(
        &mut self,
        moves: &[(String, GameIndex)],
        action: &Expr,
        frame: &mut LocalFrame,
    ) -> Result<Option<GameIndex>> {
        let named = |name: &str| {
            let mut words = moves.iter().map(|(words, _)| words.split('(').next());
            words.any(|word| word == Some(name))
        };
        let value = match &*action.kind {
            ExprKind::Call { callee, arguments } => match &*callee.kind {
                ExprKind::Name(name) if named(name) => {
                    let arguments = arguments.iter().map(|argument| &argument.value);
                    Value::Text(self.label(name, arguments, frame)?.into())
                }
                _ => self.eval_node(action, frame)?,
            },
            _ => self.eval_node(action, frame)?,
        };
        let words = value.words();
        let meant = |(name, to): &&(String, GameIndex)| match (&value, self.games.get(*to)) {
            (Value::Game(game), _) => game == to,
            (_, Game::Vertex(graph, vertex)) => {
                self.games.graphs[*graph].names.get_index(*vertex) == Some(&value)
            }
            _ => *name == words,
        };
        Ok(moves.iter().find(meant).map(|(_, to)| *to))
    }
}

impl Instance {
    /// Creates the names visible in a line at a state: those of the state, `me` and `other`, and
    /// the arguments.
    pub(super) fn frame(&self, state: &[Value], me: Player, line: usize) -> LocalFrame {
        let names = self.variables.iter().map(|(name, _)| Rc::clone(name));
        let mut locals: Vec<(Rc<str>, Value)> = names.zip(state.iter().cloned()).collect();
        locals.push(("me".into(), Value::Player(me)));
        locals.push(("other".into(), Value::Player(me.other())));
        locals.extend(self.arguments.iter().cloned());
        let lets = Some(Lets {
            ruleset: Rc::clone(&self.ruleset),
            before: line,
            base: locals.len(),
            at_start: false,
        });
        LocalFrame { locals, lets }
    }

    /// Returns the values of the state variables at the start.
    pub(super) fn start(&self) -> Vec<Value> {
        self.variables
            .iter()
            .map(|(_, value)| value.clone())
            .collect()
    }

    fn variable<'f>(&self, frame: &'f mut LocalFrame, name: &ast::Name) -> Result<&'f mut Value> {
        let mut variables = self.variables.iter();
        match variables.position(|(variable, _)| **variable == *name.text) {
            Some(index) => Ok(&mut frame.locals[index].1),
            None => wrong(format!("`{}` is not a state variable", name.text)),
        }
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

/// Borrows the part of a value at some indices.
fn part<'v>(value: &'v mut Value, path: &[Value]) -> Result<&'v mut Value> {
    let Some((first, rest)) = path.split_first() else {
        return Ok(value);
    };
    match value {
        Value::Board(board) => {
            let cell = board.cell(path)?;
            // Other states may share the board, so that it is copied before it is changed.
            Ok(&mut Rc::make_mut(board).cells[cell])
        }
        Value::List(items) | Value::Tuple(items) => {
            let index = first.index(items.len())?;
            part(&mut Rc::make_mut(items)[index], rest)
        }
        other => wrong(format!("{} has no elements", other.kind())),
    }
}
