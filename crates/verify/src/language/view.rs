//! Gives code outside the interpreter access to the games of a question, to translate their rules
//! into another language.

use std::rc::Rc;

use super::games::{Game, GameIndex};
use super::rulesets::Instance;
use super::value::{Result, Value};
use super::{Interpreter, LocalFrame};
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
            || self
                .games
                .graphs
                .iter()
                .any(|graph| graph.vertices.iter().any(|vertex| vertex.owner.is_some()))
    }

    /// Evaluates an expression of a ruleset that does not use the state, in the line with this
    /// index.
    ///
    /// # Errors
    /// If it has no value.
    pub fn constant(&mut self, instance: &Instance, line: usize, expr: &Expr) -> Result<Value> {
        // The expression does not depend on the state, so that any state and player will do.
        let mut frame = instance.frame(&instance.start(), Player::Alice, line);
        self.in_module(instance.module, |this| this.eval(expr, &mut frame))
    }

    /// Evaluates an expression that uses only the definitions of a text.
    ///
    /// # Errors
    /// If it has no value.
    pub fn defined_constant(&mut self, module: usize, expr: &Expr) -> Result<Value> {
        self.in_module(module, |this| this.eval(expr, &mut LocalFrame::default()))
    }

    /// Returns the value of a definition of a text.
    pub fn definition(&self, module: usize, name: &str) -> Option<&Value> {
        self.modules[module].get(name)
    }
}
