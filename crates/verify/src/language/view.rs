//! The games of a question from outside, for who writes their rules down in another language.

use std::rc::Rc;

use super::games::{Game, GameIndex};
use super::rulesets::Instance;
use super::value::{Result, Value};
use super::{Interpreter, LocalFrame};
use crate::player::Player;
use crate::syntax::ast::Expr;

impl Interpreter<'_> {
    /// The outermost form of a game.
    pub fn form(&self, game: GameIndex) -> &Game {
        self.games.get(game)
    }

    /// What a vertex of an explicit graph is called.
    pub fn vertex_name(&self, graph: usize, vertex: usize) -> String {
        self.games.graphs[graph].names[vertex].words()
    }

    /// A ruleset with its arguments by its number.
    pub fn instance_at(&self, number: usize) -> Rc<Instance> {
        Rc::clone(&self.games.instances[number])
    }

    /// Whether a line of a game says where a player moves without a bid.
    pub fn has_turns(&self) -> bool {
        self.games.has_turns
            || self
                .games
                .graphs
                .iter()
                .any(|graph| graph.vertices.iter().any(|vertex| vertex.owner.is_some()))
    }

    /// The value of an expression of a ruleset that uses nothing of the state, in the line with
    /// this number.
    ///
    /// # Errors
    /// If it has none.
    pub fn constant(&mut self, instance: &Instance, line: usize, expr: &Expr) -> Result<Value> {
        let mut frame = instance.frame(&instance.start(), Player::Alice, line);
        self.in_module(instance.module, |this| this.eval(expr, &mut frame))
    }

    /// The value of an expression that uses nothing but the definitions of a text.
    ///
    /// # Errors
    /// If it has none.
    pub fn defined_constant(&mut self, module: usize, expr: &Expr) -> Result<Value> {
        self.in_module(module, |this| this.eval(expr, &mut LocalFrame::default()))
    }

    /// What a definition of a text stands for.
    pub fn definition(&self, module: usize, name: &str) -> Option<&Value> {
        self.modules[module].get(name)
    }
}
