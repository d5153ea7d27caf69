//! Exact values where no equilibrium is pure: each bid is a matrix game over the values after it.
//!
//! Bids are simultaneous and all later choices are observed, so by backward induction the value of
//! a position is that of the matrix game whose entry for a pair of bids is the value after them,
//! with the best moves (von Neumann 1928 for each matrix). Where maximin and minimax agree, that is
//! the value, and no matrix is needed.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::ScoringSolution;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::law::decision::{Choice, movers};
use crate::matrix::{MatrixSolution, exact};
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Tie, settle, tie};
use crate::watch::Context;

/// The least number of bytes of an entry while a matrix game is solved: two integers and their
/// least digits.
const CELL: u64 = 96;

/// The decision of the winner of a bid, with its value, which includes the weight of the move.
#[derive(Debug, Clone, PartialEq)]
pub struct Valued {
    /// The mover and the move.
    pub choice: Choice,
    /// The value.
    pub value: BigRational,
}

/// Exact values of the states that have been asked about, and of those that they need.
pub struct Mixed<'a> {
    solved: ScoringSolution<'a>,
    known: HashMap<(NodeId, Purses), BigRational>,
    context: &'a Context<'a>,
}

impl<'a> Mixed<'a> {
    /// Creates the solver with nothing solved yet. All rows of the values must have been kept.
    pub fn new(solved: ScoringSolution<'a>, context: &'a Context<'a>) -> Self {
        Self {
            solved,
            known: HashMap::new(),
            context,
        }
    }

    /// Computes the value of a state, in units of the scores' denominator.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn value(&mut self, node: NodeId, purses: &Purses) -> Result<BigRational> {
        // If maximin and minimax agree that is the value, and the matrix would be wasted work.
        if let Some(value) = self.solved.values.at(node, purses).value() {
            return Ok(BigRational::from_integer(value.into()));
        }
        if let Some(known) = self.known.get(&(node, *purses)) {
            return Ok(known.clone());
        }
        let value =
            // The recursion is as deep as the longest play, which may exceed the stack of the
            // thread.
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.bids(node, purses))?.value;
        self.known.insert((node, *purses), value.clone());
        Ok(value)
    }

    /// Solves the matrix game of the bids at a vertex that is not an ending. Alice's bids are the
    /// rows.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn bids(&mut self, node: NodeId, purses: &Purses) -> Result<MatrixSolution<BigRational>> {
        self.context.check()?;
        if let Some(owner) = self.solved.game.graph.owner(node) {
            // There is no bid.
            let value = self.decision(node, purses, owner)?.value;
            // A matrix of one entry gives the result the same form as a bid.
            return Ok(exact::solve(1, 1, |_, _| &value, self.context)?);
        }
        let after_win = |mixed: &mut Self, winner: Player, bid: u64| {
            mixed.won(node, purses, PerPlayer::of(winner, bid, 0), winner)
        };
        let wins = |mixed: &mut Self, winner: Player| {
            (1..=purses.chips[winner])
                .map(|bid| after_win(mixed, winner, bid))
                .collect::<Result<Vec<_>>>()
        };
        // The loser pays nothing, so an entry depends on the winner's bid alone, and a matrix of n²
        // entries has only 3n different values.
        let (alice, bob) = (wins(self, Player::Alice)?, wins(self, Player::Bob)?);
        // Only bids that both players can afford can be equal.
        let common = purses.chips.alice.min(purses.chips.bob);
        let ties = (0..=common)
            .map(|bid| self.tied(node, purses, bid))
            .collect::<Result<Vec<_>>>()?;
        let entry = |row: usize, column: usize| match row.cmp(&column) {
            std::cmp::Ordering::Greater => &alice[row - 1],
            std::cmp::Ordering::Less => &bob[column - 1],
            std::cmp::Ordering::Equal => &ties[row],
        };
        let (rows, columns) = (alice.len() + 1, bob.len() + 1);
        self.context
            .admit((rows as u64 * columns as u64).saturating_mul(CELL))?;
        Ok(exact::solve(rows, columns, entry, self.context)?)
    }

    fn tied(&mut self, node: NodeId, purses: &Purses, bid: u64) -> Result<BigRational> {
        let bids = PerPlayer::new(bid, bid);
        match tie(self.solved.values.rules(), purses) {
            Tie::Goes(winner) => self.won(node, purses, bids, winner),
            Tie::ChosenBy(chooser) => {
                let [a, b] = Player::both(|winner| self.won(node, purses, bids, winner));
                Ok(better(chooser, a?, b?))
            }
            Tie::Coin | Tie::Nobody => {
                unreachable!("rules by which a tie is not won are not admitted")
            }
        }
    }

    /// Returns the value once a bid is won and paid, with the best mover and the best move.
    fn won(
        &mut self,
        node: NodeId,
        purses: &Purses,
        bids: PerPlayer<u64>,
        winner: Player,
    ) -> Result<BigRational> {
        let after = settle(self.solved.values.rules(), purses, bids, winner);
        Ok(self.decision(node, &after, winner)?.value)
    }

    /// Returns the decision of the winner of a bid with these purses left. The winner moves unless
    /// the opponent's moving is better.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn decision(&mut self, node: NodeId, after: &Purses, winner: Player) -> Result<Valued> {
        let (graph, rule) = (self.solved.game.graph, self.solved.values.rules().winner);
        let mut best: Option<Valued> = None;
        let movers = movers(graph, node, winner, rule);
        // The winner is tried first, so that between equal values the winner moves.
        let in_order = [winner, winner.other()].into_iter();
        for mover in in_order.filter(|mover| movers.contains(mover)) {
            let moved = self.moved(node, mover, after)?;
            let is_best = |best: &Valued| is_better(winner, &moved.value, &best.value);
            if best.as_ref().is_none_or(is_best) {
                best = Some(moved);
            }
        }
        Ok(best.expect("a vertex without an ending has edges"))
    }

    /// Returns a player's best move with these purses left.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn moved(&mut self, node: NodeId, mover: Player, after: &Purses) -> Result<Valued> {
        let game = self.solved.game;
        let mut best: Option<Valued> = None;
        for (to, weight) in game.scores.moves(game.graph, node, mover) {
            let value = self.value(to, after)? + BigInt::from(weight);
            if best
                .as_ref()
                .is_none_or(|best| is_better(mover, &value, &best.value))
            {
                best = Some(Valued {
                    choice: Choice { mover, to },
                    value,
                });
            }
        }
        Ok(best.expect("a mover can move"))
    }
}

fn better(player: Player, a: BigRational, b: BigRational) -> BigRational {
    if is_better(player, &a, &b) { a } else { b }
}

fn is_better(player: Player, a: &BigRational, b: &BigRational) -> bool {
    match player {
        Player::Alice => a > b,
        Player::Bob => a < b,
    }
}
