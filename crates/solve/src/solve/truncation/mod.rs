//! Bounds by truncation: what a game is worth if every play of more than n moves is worth a win to one player, or to the other.
//!
//! **Theorem.** Let `low` be the threshold with which Alice wins G if every play is stopped after n moves and is hers unless it has ended before; `high` likewise
//! if it is Bob's. Then low ≤ R(G) ≤ high; low does not fall and high does not rise with n; and if no play has more than n moves, both are R(G).
//!
//! *Proof.* A strategy with which Alice wins G from some budget also wins when plays longer than n are given to her: each of its plays ends with her win
//! within n moves, or is given to her. So low ≤ R(G). The strategies with which she wins when they are given to Bob win within n moves, in G too: R(G) ≤ high.
//! With n + 1 in place of n the same two arguments apply: what is given away after n + 1 moves was given away after n, or it ends. Nothing is
//! given away where no play is longer. (Draws among these plays keep what the rules say they are worth. Where they are worth a half, values take the place of
//! strategies: the value of a position rises with that of each of its successors, by induction on the moves left.) ∎
//!
//! The proof asks neither that play ends nor that bids are real: thresholds in chips have such bounds too, and so have games on cycles. What infinite plays are
//! worth does not enter: they are all given away.
//!
//! **How.** Games of which moves change one [component](crate::game::ruleset::Product) alone have their positions numbered by the number of moves made: a
//! *layer* is a union of arrays, one for all positions with the same numbers of moves in each component ([`layer`]). A layer follows from the
//! next one, array by array ([`fill`]), so two of them are there at a time, in memory or packed, and on the disk ([`tables`]). Values are
//! whole multiples of one over two to the moves left: near the truncation, where nearly all positions are, they take a byte.

mod endings;
mod fill;
mod layer;
mod number;
mod patterns;
mod steps;
mod tables;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

pub use self::fill::Turns;
use self::fill::Board;
pub use self::number::Narrow;
use self::patterns::{LineOf, PatternCache};
use self::tables::Tables;
use super::graphless::part;
use super::richman::DrawValue;
use crate::diagnostic::Result;
use crate::game::ruleset::Product;
use crate::player::{Ending, Player};
use crate::rules::Rules;
use crate::watch::Watch;

/// The most moves of a truncation whose values are worked out in 64 bits: a draw may be worth a half.
pub const MOST_MOVES: u32 = 62;

/// No more sets of lines than this are looked for.
const MOST_SETS: usize = 64;

/// A product of components, and how far play goes.
#[derive(Debug, Clone, Copy)]
pub struct Truncated<'a> {
    /// The game.
    pub product: &'a Product,
    /// After so many moves it is stopped.
    pub moves: u32,
    /// Whether the players have exchanged their parts.
    pub conjugated: bool,
}

/// Whether bounds on Richman values of such games are worked out here.
pub fn is_suited(truncated: Truncated<'_>) -> bool {
    truncated.moves <= MOST_MOVES && truncated.product.lines.len() <= MOST_SETS
}

/// How many positions are worked out.
pub fn positions(truncated: Truncated<'_>) -> u64 {
    layer::counts(truncated.product, truncated.moves).into_iter().fold(0, u64::saturating_add)
}

/// Bounds on the Richman value: what it is if plays of more moves are Alice's, and if they are Bob's.
///
/// # Errors
/// If the watch stops the work, there is too little memory, or the disk fails.
pub fn richman(truncated: Truncated<'_>, identity: &str, rules: &Rules, watch: &dyn Watch) -> Result<[BigRational; 2]> {
    let Truncated { product, moves, conjugated } = truncated;
    let worth = DrawValue::new(rules.draws);
    // Halves are whole in twice the numbers.
    let finer = u32::from(worth == DrawValue::Half);
    let turns = Means { worth, alice: part(conjugated, Player::Alice), finer };
    let [alice, bob] = [Player::Alice, Player::Bob].map(|player| Ending::Win(part(conjugated, player)));
    let board = Board {
        product,
        lines: LineOf::all(product),
        seeker: part(conjugated, Player::Alice),
        turns,
        leaves: vec![alice, bob],
        patterns: PatternCache::default(),
    };
    // Where every play ends before, nothing is given away: a move more is left when nobody can move.
    let longest: usize = product.components.iter().map(|component| component.levels.len() - 1).sum();
    let moves = if longest as u32 <= moves { longest as u32 + 1 } else { moves };
    let found = Tables::new(&board, moves, identity, watch)?.solve(|left| 1 << (left + finer))?;
    let one = BigInt::one() << (moves + finer);
    Ok([found[0], found[1]].map(|numerator| BigRational::new(numerator.into(), one.clone())))
}

/// The Richman theory in numerators over 2^left, or twice that if a draw is worth a half: a mean of two of them, over twice as much, is their sum.
struct Means {
    worth: DrawValue,
    /// Who plays Alice's part.
    alice: Player,
    finer: u32,
}

impl Turns for Means {
    fn worth(&self, ending: Ending, left: u32) -> u64 {
        let ending = if self.alice == Player::Alice { ending } else { ending.conjugate() };
        let one = 1 << (left + self.finer);
        match self.worth.of(ending) {
            0 => 0,
            1 => one / 2,
            _ => one,
        }
    }

    #[inline(always)]
    fn settle<S: Narrow, D: Narrow + From<S>>(&self, least: S, greatest: S) -> D {
        D::from(least).plus(D::from(greatest))
    }
}
