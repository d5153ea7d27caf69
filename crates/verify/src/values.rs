//! Values under real-valued bids and random turns.
//!
//! # What is checked
//! Each position has a value: at an ending 0 where Alice has won, 1 where Bob has, and what a draw
//! is worth (1 under `draws: neither` and `bob`, 0 under `alice`, 1/2 under `half`) at a draw.
//! Elsewhere let m be the least value that Alice can move to, M the greatest that Bob can. Under
//! `winner: chooses` whoever wins the turn has both, so Alice gets lo = min(m, M) and Bob gets hi =
//! max(m, M); under `winner: moves` lo = m and hi = M; where one player alone can move, lo = hi is
//! that player's. The value must be `p lo + (1 - p) hi` for a coin that falls for Alice with
//! probability p, and `(hi + (1 - t) lo)/(2 - t + t (hi - lo))` where the part t of the winning bid
//! goes to the bank (t = 0: Richman bidding, the fair coin; t = 1: poorman).
//!
//! If every move leads to a greater number, play ends, and by induction from the last position on
//! the values are those of the game: that is all. Otherwise ranks are checked too, for coins and
//! Richman bidding only.
//!
//! # Ranks
//! Let e be what play without end is worth, the same as a draw. A position with a value below e is
//! *Alice's*, one above e *Bob's*: there the owner must see to it that play ends. An ending of the
//! owner's has rank 0. At another position let the rank of a turn be: if the owner wins it, the
//! least rank of the owner's best choices (moves of the best value; under `winner: chooses` also to
//! let the other move, if that is worth as much, and then the greatest rank of the other's best
//! replies counts); if the other wins it, the greatest rank of the other's best choices. Positions
//! that are not the owner's have no rank. The rank of the position must be 1 more than the lesser
//! of the two turns that the coin can fall for. These equations have one solution at most: the
//! first position, by the lesser rank, at which two solutions differ has the same best turn in
//! both.
//!
//! # Why that is enough
//! Let the owner, say Bob, take best choices always, of least rank where there are several. Then
//! the value is a submartingale whatever Alice does. At a position of rank r, with probability at
//! least some c > 0, the next turn goes to the one whose rank is r - 1: then the rank falls, or
//! Alice makes a choice that is not her best, which raises the expected value by at least
//! some d > 0. The values are bounded, so almost surely that happens finitely often; hence almost surely
//! play that comes to Bob's positions again and again ends. So play almost surely ends, or goes on
//! for ever and stays at values of e at most from some turn on, where it is worth e. Either way
//! what Bob gets is at least the limit of the values, so in the mean at least the value at the
//! start (bounded convergence). The same with the players exchanged gives Alice her part, so the
//! values are those of the game. (A player who has no position of his own needs no ranks: there the
//! limit of the values is never better than e.)
//!
//! With real-valued Richman bidding the critical threshold is the same number (Lazarus, Loeb,
//! Propp, Stromquist & Ullman 1999, Theorem 2.2 and section 3; Develin & Payne 2010, section 3.3).
//! Under `winner: moves` that holds where nobody would rather lose the turn: the check then demands
//! m ≤ M, and on cycles m < M or a move that both have.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::bidding::movers;
use super::listing::look;
use super::{Checked, Graph, malformed, unproved};
use crate::format::Fraction;
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{Draws, Rules, Winner};
use crate::watch::Context;

/// How the value of a position follows from lo and hi.
#[derive(Debug, Clone, PartialEq)]
pub enum Law {
    /// Bidding, where this part of the winning bid goes to the bank.
    Taxed(BigRational),
    /// A coin that falls for Alice with this probability.
    Tossed(BigRational),
}

/// What the values are of.
#[derive(Debug, Clone, PartialEq)]
pub struct Theory {
    law: Law,
    winner: Winner,
    /// What a draw, and play without end, is worth.
    draw: BigRational,
}

impl Theory {
    /// The theory of rules with a law.
    pub fn new(rules: &Rules, law: Law) -> Self {
        let draw = match rules.draws {
            Draws::Neither | Draws::Bob => BigRational::one(),
            Draws::Alice => BigRational::zero(),
            Draws::Half => BigRational::new(1.into(), 2.into()),
        };
        Self {
            law,
            winner: rules.winner,
            draw,
        }
    }

    /// What an ending is worth.
    pub(super) fn worth(&self, ending: Ending) -> BigRational {
        match ending {
            Ending::Win(Player::Alice) => BigRational::zero(),
            Ending::Win(Player::Bob) => BigRational::one(),
            Ending::Draw => self.draw.clone(),
        }
    }

    /// The coin that decides who moves, if it is not bids.
    pub(super) fn coin(&self) -> Option<&BigRational> {
        match &self.law {
            Law::Tossed(coin) => Some(coin),
            Law::Taxed(_) => None,
        }
    }

    /// Whether part of a bid goes to the bank.
    pub(super) fn is_taxed(&self) -> bool {
        matches!(&self.law, Law::Taxed(part) if !part.is_zero())
    }

    /// The value of a position whose turn one player wins to get to lo, the other to get to hi.
    pub(super) fn value(&self, low: &BigRational, high: &BigRational) -> BigRational {
        let one = BigRational::one();
        match &self.law {
            Law::Tossed(p) => low * p + high * (one - p),
            Law::Taxed(t) if t.is_zero() => (low + high) / BigRational::from_integer(2.into()),
            Law::Taxed(t) => {
                let below = &one + &one - t + t * (high - low);
                (high + (one - t) * low) / below
            }
        }
    }
}

/// Checks values, and ranks where they are needed.
pub(super) fn check(
    graph: &Graph<'_>,
    theory: &Theory,
    values: &[Fraction],
    ranks: Option<&[i32]>,
    context: &Context<'_>,
) -> Checked<()> {
    if values.len() != graph.len() || ranks.is_some_and(|ranks| ranks.len() != graph.len()) {
        return malformed("`proof` does not have a value, or a rank, for every position");
    }
    match ranks {
        None if !graph.ordered => {
            return malformed("a listing whose positions come back needs `ranks`");
        }
        Some(_) if graph.ordered => {
            return malformed(
                "a listing in which every move leads to a greater number has no `ranks`",
            );
        }
        Some(_) if theory.is_taxed() => {
            return unproved(
                "where part of a bid goes to the bank and positions come back values need bounds",
            );
        }
        _ => {}
    }
    let check = Check {
        graph,
        theory,
        values,
        ranks,
    };
    for position in 0..graph.len() {
        look(context, "checking values", position, graph.len())?;
        check.position(position)?;
    }
    Ok(())
}

/// The two sides of a turn: what each player's own move is worth.
pub(super) struct Turn<'v> {
    alice: Option<&'v BigRational>,
    bob: Option<&'v BigRational>,
}

/// One step back from the values and the ranks of the positions that follow.
#[derive(Debug)]
pub struct Check<'c> {
    /// The positions.
    pub graph: &'c Graph<'c>,
    /// What the values are of.
    pub theory: &'c Theory,
    /// The value of each position.
    pub values: &'c [Fraction],
    /// The rank of each position, where positions come back.
    pub ranks: Option<&'c [i32]>,
}

impl<'c> Check<'c> {
    fn value(&self, position: i32) -> &'c BigRational {
        &self.values[position as usize].0
    }

    fn position(&self, position: usize) -> Checked<()> {
        self.nobody_wants_to_lose(position)?;
        if self.values[position].0 != self.value_at(position) {
            return unproved(format!(
                "the value of position {position} does not follow from those it leads to"
            ));
        }
        match self.ranks {
            Some(ranks) => match self.rank_at(position) {
                Some(rank) if rank == ranks[position] => Ok(()),
                Some(rank) => unproved(format!(
                    "the rank of position {position} is not {}, but {rank}",
                    ranks[position]
                )),
                None => unproved(format!(
                    "nothing says that play from position {position} ends"
                )),
            },
            None => Ok(()),
        }
    }

    /// The value that a position must have.
    pub fn value_at(&self, position: usize) -> BigRational {
        if let Some(ending) = self.graph.ending(position) {
            return self.theory.worth(ending);
        }
        let turn = self.turn(position);
        self.theory.value(
            self.wins_turn(&turn, Player::Alice),
            self.wins_turn(&turn, Player::Bob),
        )
    }

    /// What each player's own move is worth at a position.
    pub(super) fn turn(&self, position: usize) -> Turn<'c> {
        let [of_alice, of_bob] = Player::BOTH.map(|player| self.graph.moves(position, player));
        Turn {
            alice: of_alice.iter().map(|to| self.value(*to)).min(),
            bob: of_bob.iter().map(|to| self.value(*to)).max(),
        }
    }

    /// The value that the winner of a turn gets to.
    pub(super) fn wins_turn<'v>(&self, turn: &Turn<'v>, winner: Player) -> &'v BigRational {
        match (turn.alice, turn.bob) {
            (Some(m), Some(greatest)) => match (self.theory.winner, winner) {
                (Winner::Chooses, Player::Alice) => m.min(greatest),
                (Winner::Chooses, Player::Bob) => m.max(greatest),
                (Winner::Moves, Player::Alice) => m,
                (Winner::Moves, Player::Bob) => greatest,
            },
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => unreachable!("a position that is not over has a move"),
        }
    }

    /// Passes a position where nobody would rather lose the bid, if whoever wins it must move.
    pub fn nobody_wants_to_lose(&self, position: usize) -> Checked<()> {
        nobody_wants_to_lose(self.graph, self.theory, [self.values; 2], position)
    }

    /// The rank that a position must have; `None` if nothing says that play from there ends.
    pub fn rank_at(&self, position: usize) -> Option<i32> {
        let ranks = self.ranks?;
        let owner = match self.values[position].0.cmp(&self.theory.draw) {
            std::cmp::Ordering::Less => Player::Alice,
            std::cmp::Ordering::Greater => Player::Bob,
            std::cmp::Ordering::Equal => return Some(-1),
        };
        if self.graph.ending(position).is_some() {
            return Some(0);
        }
        let coin = match &self.theory.law {
            Law::Taxed(_) => [true, true],
            Law::Tossed(p) => [!p.is_zero(), !p.is_one()],
        };
        let turns = Player::BOTH
            .into_iter()
            .zip(coin)
            .filter(|(_, falls)| *falls);
        let ranked =
            |mover, index| self.owned_rank(self.graph.moves(position, mover)[index], owner, ranks);
        let least = turns
            .filter_map(|(winner, _)| self.leads(position, winner, owner, ranked))
            .min();
        least.and_then(|rank| rank.checked_add(1))
    }

    /// Where a turn leads that one player wins: `of` tells of a move, by its mover and its number,
    /// how far it leads. Choices are those of the best value; the owner takes the least, the other
    /// the greatest, and what is nowhere is the farthest.
    pub(super) fn leads<T: Ord>(
        &self,
        position: usize,
        winner: Player,
        owner: Player,
        of: impl Fn(Player, usize) -> Option<T>,
    ) -> Option<T> {
        let turn = self.turn(position);
        let best = self.wins_turn(&turn, winner);
        let is_best = |mover: &Player| PerPlayer::new(turn.alice, turn.bob)[*mover] == Some(best);
        let movers = movers(self.graph, self.theory.winner, position, winner)
            .into_iter()
            .filter(is_best);
        let side = |mover: Player| {
            let moves = self.graph.moves(position, mover).iter().enumerate();
            let moves = moves.filter(|(_, to)| self.value(**to) == best);
            chosen(moves.map(|(index, _)| of(mover, index)), mover == owner)
        };
        chosen(movers.map(side), winner == owner)
    }

    /// The rank of a position, if it is the owner's.
    fn owned_rank(&self, position: i32, owner: Player, ranks: &[i32]) -> Option<i32> {
        let owned = match owner {
            Player::Alice => *self.value(position) < self.theory.draw,
            Player::Bob => *self.value(position) > self.theory.draw,
        };
        owned
            .then(|| ranks[position as usize])
            .filter(|rank| *rank >= 0)
    }
}

/// Passes a position where nobody would rather lose the bid, by lower and upper bounds of the
/// values, if whoever wins it must move: Alice's least upper bound is below Bob's greatest lower
/// one (or equal, if play ends), or there is a move that both have.
pub(super) fn nobody_wants_to_lose(
    graph: &Graph<'_>,
    theory: &Theory,
    [low, high]: [&[Fraction]; 2],
    position: usize,
) -> Checked<()> {
    let [of_alice, of_bob] = Player::BOTH.map(|player| graph.moves(position, player));
    let least = of_alice.iter().map(|to| &high[*to as usize].0).min();
    let greatest = of_bob.iter().map(|to| &low[*to as usize].0).max();
    let both = least
        .zip(greatest)
        .filter(|_| theory.winner == Winner::Moves && theory.coin().is_none());
    let Some((least, greatest)) = both else {
        return Ok(());
    };
    let common = || {
        of_alice
            .iter()
            .collect::<BTreeSet<_>>()
            .intersection(&of_bob.iter().collect())
            .next()
            .is_some()
    };
    if least < greatest || graph.ordered && least == greatest || common() {
        return Ok(());
    }
    unproved(format!(
        "at position {position} a player may want to lose the bid, and then must not be made to move"
    ))
}

/// The least of some places, or the greatest; whoever chooses it. What is nowhere is the greatest.
fn chosen<T: Ord>(places: impl Iterator<Item = Option<T>>, by_owner: bool) -> Option<T> {
    if by_owner {
        places.flatten().min()
    } else {
        places
            .map(|place| (place.is_none(), place))
            .max()
            .and_then(|(_, place)| place)
    }
}
