//! Income of explored games: the parts of all money that players receive before bids.
//!
//! A conjugate exchanges the players' incomes; truncations, cuts and rules for stuck players keep
//! them. Wedge sums and braces have none of their own. A sum of games has none either, so that its
//! parts must not have any.

use rustc_hash::FxHashSet;

use super::parts::{inner, led_to};
use super::{Explored, GameExpr, Games};
use crate::diagnostic::Result;
use crate::player::{GameId, PerPlayer, Player};
use crate::rules::Income;
use crate::watch::{Context, watched};

impl Games {
    /// Returns `true` if a position that a game can reach may have income of its own, by the
    /// definitions of the graphs and rulesets that the game is made of.
    pub fn has_income(&self, game: GameId) -> bool {
        // Without such definitions, which are rare, long expressions need not be searched.
        if !self.defines_income() {
            return false;
        }
        let mut seen = FxHashSet::from_iter([game]);
        let mut networks = FxHashSet::default();
        let mut found = vec![game];
        while let Some(game) = found.pop() {
            let next = match self.expr(game) {
                GameExpr::State(ruleset, _) if self.ruleset(*ruleset).has_income() => return true,
                GameExpr::Vertex(network, _) if self.network(*network).has_income() => return true,
                // The games that a graph leads to are the same for all of its vertices.
                GameExpr::Vertex(network, _) if !networks.insert(*network) => Vec::new(),
                GameExpr::Vertex(network, _) => led_to(self.network(*network)).collect(),
                expr => inner(expr),
            };
            found.extend(next.into_iter().filter(|game| seen.insert(*game)));
        }
        false
    }

    /// Returns the income before a bid at a position.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range, or an `income` line names a negative part.
    pub fn income(&self, game: GameId) -> Result<Income> {
        let core = self.core(game);
        let income = match core.expr {
            GameExpr::Vertex(network, vertex) => {
                let given = &self.network(*network).vertex(*vertex).marks().income;
                let part = |player: Player| {
                    let part = given[player].unwrap_or_default();
                    num_rational::BigRational::new((*part.numer()).into(), (*part.denom()).into())
                };
                let parts = PerPlayer::new(part(Player::Alice), part(Player::Bob));
                Income::new(parts).expect("income that is read is not negative")
            }
            GameExpr::State(ruleset, state) => self.ruleset(*ruleset).income(state)?,
            _ => Income::default(),
        };
        Ok(if core.is_exchanged {
            income.swapped()
        } else {
            income
        })
    }
}

impl Explored {
    /// Adds the income of all positions with bids to the graph of a game.
    pub(super) fn with_income(
        mut self,
        games: &mut Games,
        game: GameId,
        context: &Context<'_>,
    ) -> Result<Self> {
        if !games.has_income(game) {
            return Ok(self);
        }
        for node in watched(self.graph.nodes(), context) {
            let node = node?;
            let has_bid = self.graph.ending(node).is_none() && self.graph.owner(node).is_none();
            // Income is received before bids only, so other vertices stay without any.
            if has_bid {
                let position = self.game(games, node);
                self.graph.receive(node, games.income(position)?);
            }
        }
        Ok(self)
    }
}
