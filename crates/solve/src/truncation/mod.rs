//! Bounds by truncation: the values of a game if every play of more than n moves is won by one
//! player, or by the other.
//!
//! **Theorem.** Let `low` be the threshold with which Alice wins G if every play is stopped after n
//! moves and is hers unless it has ended before; `high` likewise if it is Bob's. Then low ≤ R(G) ≤
//! high; low does not fall and high does not rise with n; and if no play has more than n moves,
//! both are R(G).
//!
//! *Proof.* A strategy with which Alice wins G from some budget also wins when plays longer than n
//! are given to her: each of its plays ends with her win within n moves, or is given to her. So low
//! ≤ R(G). The strategies with which she wins when they are given to Bob win within n moves, in G
//! too: R(G) ≤ high. With n + 1 in place of n the same two arguments apply: what is given away
//! after n + 1 moves was given away after n, or it ends. Nothing is given away where no play is
//! longer. (Draws among these plays keep what the rules say they are worth. Where they are worth a
//! half, values take the place of strategies: the value of a position rises with that of each of
//! its successors, by induction on the moves left.) ∎
//!
//! The proof requires neither that play ends nor that bids are real: thresholds in chips have such
//! bounds too, and so have games on cycles. The results of infinite plays do not enter, since all
//! of them are given away.
//!
//! A stopped play may be worth more than nothing to the player who does not get it: if lines end
//! the game and pieces fall, the lines that a player may still complete give such a bound
//! ([`routes`]). The proof above works with any bounds on the values of stopped plays in place of 0
//! and 1, if these come no further apart with one more move.
//!
//! **Method.** Games whose moves change one [component](crate::game::ruleset::Product) each have
//! their positions numbered by the number of moves made: a *layer* is a union of arrays, one for
//! all positions with the same numbers of moves in each component ([`layer`]). A layer is computed
//! from the next one, array by array ([`fill`]), so only two of them exist at a time, in memory or
//! packed, and on the disk ([`tables`]). If a board is its own mirror image, half of the arrays are
//! computed, and the others are [images](image) of these: routes follow from lines and steps, and
//! are exchanged with them. Values are integer multiples of one over two to the number of moves
//! left: near the truncation, where nearly all positions are, they take a byte.

mod endings;
mod fill;
mod image;
mod layer;
mod near;
mod patterns;
mod reached;
mod routes;
mod runs;
mod steps;
mod tables;
mod turns;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use self::fill::{TruncatedBoard, TurnLaw};
use self::near::NearRoutes;
use self::patterns::{LineOf, PatternCache};
use self::routes::Routes;
use self::tables::Tables;
pub use self::turns::OddHalf;
use self::turns::{FINER, HalfChips, Means};
use crate::chips::{Kernel, Scale, Threshold, Thresholds};
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::Product;
use crate::player::{Ending, Player};
use crate::positions::part;
use crate::richman::DrawValue;
use crate::rules::{MinimumBid, Payment, Rules};
use crate::watch::Context;

/// The greatest number of moves of a truncation whose values are computed in 64 bits; a draw worth
/// a half needs one bit more.
const MOST_MOVES: u32 = 62;

/// The greatest number of sets of lines.
const MOST_SETS: usize = 64;

/// A product of components with the number of moves after which play is stopped.
#[derive(Debug, Clone, Copy)]
pub struct Truncated<'a> {
    /// The game.
    pub product: &'a Product,
    /// The number of moves after which play is stopped.
    pub moves: u32,
    /// `true` if the players are exchanged.
    pub conjugated: bool,
    /// `true` if lines that may still be completed count where play is stopped.
    pub lines: bool,
}

/// The number of moves for which the product continues after play is stopped, so that routes count
/// there.
pub const ONWARD: u32 = routes::MOST_NEED as u32;

/// Returns `true` if this module can compute bounds on the Richman value of such a game.
pub fn is_suited(truncated: Truncated<'_>) -> bool {
    truncated.moves_made() + FINER <= MOST_MOVES && truncated.product.lines.len() <= MOST_SETS
}

/// Returns the number of positions to be computed.
pub fn positions(truncated: Truncated<'_>) -> u64 {
    layer::counts(truncated.product, truncated.moves)
        .into_iter()
        .fold(0, u64::saturating_add)
}

/// Computes bounds on the Richman value: its values if plays of more moves are Alice's, and if they
/// are Bob's.
///
/// # Errors
/// If the work is stopped, there is too little memory, or the disk fails.
pub fn richman(
    truncated: Truncated<'_>,
    identity: &str,
    rules: &Rules,
    context: &Context<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<[BigRational; 2]> {
    let alice = part(truncated.conjugated, Player::Alice);
    let routes = truncated.routes();
    let turns = Means::new(DrawValue::new(rules.draws), alice, routes.is_some());
    let moves = truncated.moves_made();
    let one = BigInt::one() << turns.scale(moves);
    let scales: Vec<u64> = (0..=moves).map(|left| 1 << turns.scale(left)).collect();
    let given = TruncationInput {
        truncated,
        routes: routes.as_ref(),
        identity,
    };
    let found = bounds(given, &turns, &scales, context, warnings)?;
    Ok(found.map(|numerator| BigRational::new(numerator.into(), one.clone())))
}

/// Computes bounds on Alice's threshold for this total of chips; returns `None` under rules that
/// this module does not support.
///
/// # Errors
/// As [`richman`], and if the rules have no thresholds.
pub fn chips(
    truncated: Truncated<'_>,
    identity: &str,
    rules: &Rules,
    total: u64,
    context: &Context<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Option<[Threshold; 2]>> {
    let Some(odd) = odd_half(rules, total)? else {
        return Ok(None);
    };
    let turns = HalfChips {
        never: 2 * (total + 1),
        odd,
        wins_draws: rules.draws.favours(Player::Alice),
        alice: part(truncated.conjugated, Player::Alice),
    };
    let scales = vec![turns.never; truncated.moves_made() as usize + 1];
    let routes = truncated.routes();
    let given = TruncationInput {
        truncated,
        routes: routes.as_ref(),
        identity,
    };
    let found = bounds(given, &turns, &scales, context, warnings)?;
    Ok(Some(found.map(|half| {
        Threshold::new(Scale::Half, rules.ties, [half, 0], total)
    })))
}

/// Returns the formula of the rules, if one number represents the thresholds of both tie statuses.
///
/// # Errors
/// If the rules have no thresholds.
pub fn odd_half(rules: &Rules, total: u64) -> Result<Option<OddHalf>> {
    let is_plain = rules.pay == Payment::Richman && rules.minimum_bid == MinimumBid::default();
    if !is_plain || Thresholds::sweep_need(rules, &[total], 1)?.is_none() {
        return Ok(None);
    }
    Ok(match Kernel::of(rules, Player::Alice) {
        Kernel::HalfAdvantage => Some(OddHalf::Lesser),
        Kernel::HalfMakeIt => Some(OddHalf::Greater),
        Kernel::WinsTies
        | Kernel::LosesTies
        | Kernel::Richer(_)
        | Kernel::Advantage
        | Kernel::Marker
        | Kernel::MakeIt
        | Kernel::LosersBall
        | Kernel::Attached
        | Kernel::Split(_) => None,
    })
}

impl Truncated<'_> {
    /// Returns the greatest number of moves of a play of the product, or a number so great that
    /// play is stopped before.
    fn longest(&self) -> u32 {
        let longest: usize = self
            .product
            .components
            .iter()
            .map(|component| component.levels.len() - 1)
            .sum();
        // One less than the greatest number leaves room for the move that `moves_made` adds.
        u32::try_from(longest).unwrap_or(u32::MAX - 1)
    }

    /// Returns `true` if every play ends before it is stopped, so that nothing is given away.
    fn is_whole(&self) -> bool {
        self.longest() <= self.moves
    }

    /// Returns the number of moves left at the start; if nothing is given away, it is one more than
    /// any play has.
    fn moves_made(&self) -> u32 {
        if self.is_whole() {
            // With the additional move the rules decide where players are stuck, instead of the
            // truncation.
            self.longest() + 1
        } else {
            self.moves
        }
    }

    /// Returns the routes that count where play is stopped, if it is stopped and there are any.
    fn routes(&self) -> Option<Routes> {
        if self.lines && !self.is_whole() {
            routes::routes(self.product, self.moves)
        } else {
            None
        }
    }
}

/// The truncated game, the routes that count where play is stopped, and the identity by which
/// stored work is recognised.
#[derive(Clone, Copy)]
struct TruncationInput<'a> {
    truncated: Truncated<'a>,
    routes: Option<&'a Routes>,
    identity: &'a str,
}

/// Computes the two bounds; `scales` contains the greatest numbers, indexed by the moves left.
fn bounds(
    given: TruncationInput<'_>,
    turns: &dyn TurnLaw,
    scales: &[u64],
    context: &Context<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<[u64; 2]> {
    let TruncationInput {
        truncated,
        routes,
        identity,
    } = given;
    let Truncated {
        product,
        conjugated,
        ..
    } = truncated;
    let [alice, bob] = Player::both(|player| part(conjugated, player));
    // If nothing is given away, both bounds are the value.
    let lanes = if truncated.is_whole() { 1 } else { 2 };
    let leaves = [Ending::Win(alice), Ending::Win(bob)];
    let board = TruncatedBoard {
        product,
        lines: LineOf::all(product),
        seeker: alice,
        turns,
        leaves: leaves[..lanes].to_vec(),
        patterns: PatternCache::default(),
        near: routes.map(|routes| NearRoutes::new(product, routes)),
    };
    let tables = Tables::new(&board, truncated.moves_made(), identity, context)?;
    let found = tables.solve(&|left| scales[left as usize], warnings)?;
    Ok([found[0], found[lanes - 1]])
}
