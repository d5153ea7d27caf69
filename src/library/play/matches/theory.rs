//! The budgets of a match and the theory of optimal play, for every kind of budgets.

use std::fmt::Display;

use num_traits::Zero;

use super::Dice;
use super::questions::{AnswerResult, Unanswered};
use crate::eval::{Evaluator, NamedMove};
use crate::game::{GameGraph, NodeId, Score};
use crate::player::{PerPlayer, Player};
use crate::rules::{Rules, Tie};
use crate::watch::{Context, Stop};

/// The budgets of both players, and the way they change.
pub(crate) trait Held: Clone {
    type Bid: Ord + Display;

    /// If set, both players bid even if only one of them can move.
    const BIDS_IN_VAIN: bool;

    /// If set, neither player holds anything, so that the rest of play depends on the position
    /// alone.
    const IS_NOTHING: bool = false;

    /// Returns a random bid that a player can afford.
    fn any_bid(&self, player: Player, dice: &Dice) -> Self::Bid;

    /// Returns the rule for a tie: a coin by default.
    fn tie(&self, _: &Rules) -> Tie {
        Tie::Coin
    }

    /// Returns the budgets with which the players bid at a vertex.
    fn before_bid(&self, _: &Rules, _: &GameGraph, _: NodeId) -> Self {
        self.clone()
    }

    /// Returns the budgets after the bids are paid.
    fn settle(&self, rules: &Rules, bids: PerPlayer<Self::Bid>, winner: Player) -> Self;

    /// Returns a player's budget in words.
    fn words(&self, _: Player) -> String {
        String::new()
    }

    /// Asks a person for a bid; `advice` computes the optimal bid for a hint. The default stops the
    /// match, for bids that no person is asked for.
    fn ask_bid(
        &self,
        _: Player,
        _advice: &dyn Fn() -> Self::Bid,
        _: &mut Evaluator<'_>,
    ) -> AnswerResult<Self::Bid> {
        Err(Unanswered::Stopped)
    }
}

/// A position at which a player has to decide, with both budgets before the bid.
pub(crate) struct DecisionPoint<'s, H> {
    pub(crate) graph: &'s GameGraph,
    pub(crate) node: NodeId,
    pub(crate) held: &'s H,
}

/// Optimal play: the decisions of a player on [`Seat::Optimal`](super::Seat::Optimal).
pub(crate) trait PlayTheory {
    type Held: Held;

    /// Returns a player's bid.
    fn bid(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Self::Held>,
        context: &Context<'_>,
    ) -> Result<<Self::Held as Held>::Bid, Stop>;

    /// Returns the player whom `player`, who may choose, lets win a tied bid: by default herself.
    fn tie_winner(
        &self,
        player: Player,
        _: &DecisionPoint<'_, Self::Held>,
        _: &PerPlayer<<Self::Held as Held>::Bid>,
        _: &Context<'_>,
    ) -> Result<Player, Stop> {
        Ok(player)
    }

    /// Returns the player whom the winner of the bid lets move, if both can move. `told` holds the
    /// destinations that given strategies would choose.
    fn mover(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Self::Held>,
        after: &Self::Held,
        told: PerPlayer<Option<NodeId>>,
    ) -> Player;

    /// Returns the vertex to which a player moves; `None` if all moves are equally good.
    fn destination(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Self::Held>,
        after: &Self::Held,
    ) -> Option<NodeId>;

    /// Returns that move in words, if the theory knows them better than the graph does.
    fn named(&self) -> Option<NamedMove> {
        None
    }

    /// Returns the score of a move.
    fn weight(&self, _: &GameGraph, _: NodeId, _: NodeId, _: Player) -> Score {
        Score::zero()
    }

    /// Returns the score of an ending.
    fn ending_weight(&self, _: NodeId) -> Score {
        Score::zero()
    }

    /// Returns `true` if there is a score.
    fn is_scored(&self) -> bool {
        false
    }
}
