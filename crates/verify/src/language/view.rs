//! Gives code outside the interpreter access to the games of a question, to translate their rules
//! into another language.

use std::rc::Rc;

use super::Interpreter;
use super::games::{Game, GameIndex};
use super::rulesets::Instance;
use super::value::{Result, Value};
use crate::player::Player;
use crate::syntax::ast::Expr;

impl Interpreter<'_> {
    /// Returns the outermost form of a game.
    pub fn form(&self, game: GameIndex) -> &Game {
        self.games.get(game)
    }

    /// Returns the name of a vertex of an explicit graph.
    pub fn vertex_name(&self, graph: usize, vertex: usize) -> String {
        self.games.graphs[graph].names[vertex].words()
    }

    /// Returns a ruleset with its arguments by its index.
    pub fn instance_at(&self, number: usize) -> Rc<Instance> {
        Rc::clone(&self.games.instances[number])
    }

    /// Returns `true` if a line of a game gives a player moves without a bid.
    pub fn has_turns(&self) -> bool {
        self.games.has_turns
    }

    /// Evaluates an expression of a text that does not use a state, possibly in a line of a ruleset.
    ///
    /// # Errors
    /// If it has no value.
    pub fn constant(
        &mut self,
        module: usize,
        line: Option<(&Instance, usize)>,
        expr: &Expr,
    ) -> Result<Value> {
        // The expression does not depend on the state, so that any state and player will do.
        let in_line = |(instance, line): (&Instance, _)| {
            instance.frame(&instance.start(), Player::Alice, line)
        };
        let mut frame = line.map(in_line).unwrap_or_default();
        self.in_module(module, |this| this.eval(expr, &mut frame))
    }

    /// Returns the value of a definition of a text.
    pub fn definition(&self, module: usize, name: &str) -> Option<&Value> {
        self.modules[module].get(name)
    }
}
