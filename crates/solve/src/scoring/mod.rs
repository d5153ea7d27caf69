//! Discrete bidding for scores (Larsson, Patel & Rai 2020): Alice maximises the sum of the weights
//! of the moves made and of the ending reached, Bob minimises it, and the winner of a bid pays the
//! loser.
//!
//! Definition 1 gives every vertex with purses two numbers. The *maximin* value is the score that
//! Alice can guarantee: the maximum over her bids of the minimum over Bob's replies, with the best
//! moves after each, and the maximin values of the successors. The *minimax* value is the score
//! that Bob can guarantee, with the orders exchanged; it is never less. Where the two agree, that
//! is the equilibrium score; where they differ there is no equilibrium in pure strategies, because
//! the same recursion would find a pure strategy of Alice's that guarantees more, or of Bob's that
//! concedes less.
//!
//! Definition 2 names three properties of a position for a total budget: more chips do not hurt
//! (A), the marker does not hurt (B), the marker is not worth more than a chip (C). Where all
//! positions after a bid have them, the two values agree (Theorem 3), and only tied bids and bids
//! one above a tie matter: see `row::from_ties`. The properties are not assumed but tested on every
//! row, in the time that it takes to use them.
//!
//! Only finite play has a score, so the graph must be acyclic.

mod cycle;
mod mixed;
mod monotone;
mod period;
mod row;
mod stage;
mod turn;
mod values;

pub use cycle::cycle;
pub use mixed::{Mixed, Valued};
pub use monotone::{Breach, Property, breach};
pub use period::{Heaps, Period, Takes, period};
pub use row::ScoreInterval;
pub use turn::BestBid;
pub use values::{KeptRows, ScoreValues};

use crate::game::{GameGraph, NodeId, Scores};
use crate::player::Player;
use crate::watch::{Context, Stop};

/// A game with its scores.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// The graph, without wins.
    pub graph: &'a GameGraph,
    /// The scores of its moves and endings.
    pub scores: &'a Scores,
}

/// A game with its values, from which advice on bids and moves is derived.
#[derive(Debug, Clone, Copy)]
pub struct ScoringSolution<'a> {
    /// The game.
    pub game: Scored<'a>,
    /// Its values; the rows of all vertices that are asked about, and of their successors, must
    /// have been kept.
    pub values: &'a ScoreValues,
}

impl<'a> ScoringSolution<'a> {
    /// Returns the values that `player` can guarantee after each result of a bid.
    fn after(
        self,
        node: NodeId,
        player: Player,
        context: &Context<'_>,
    ) -> Result<row::ValuesAfterBid<'a>, Stop> {
        let row = |head| self.values.row(head);
        row::after(self.game, self.values.rules(), node, player, &row, context)
    }
}
