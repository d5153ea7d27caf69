//! Bounds by truncation: what a game is worth if every play of more than n moves is worth a win to
//! one player, or to the other.
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
//! The proof asks neither that play ends nor that bids are real: thresholds in chips have such
//! bounds too, and so have games on cycles. What infinite plays are worth does not enter: they are
//! all given away.
//!
//! What is stopped may be worth more than nothing to who does not get it: where lines end the game
//! and pieces fall, it can be counted which lines a player may still complete ([`routes`]). The
//! proof above goes through with any bounds on what stopped plays are worth in place of 0 and 1, if
//! these come no further apart with a move more.
//!
//! **How.** Games of which moves change one [component](crate::game::ruleset::Product) alone have
//! their positions numbered by the number of moves made: a *layer* is a union of arrays, one for
//! all positions with the same numbers of moves in each component ([`layer`]). A layer follows from
//! the next one, array by array ([`fill`]), so two of them are there at a time, in memory or
//! packed, and on the disk ([`tables`]). Of a board that is its own mirror image half of them are
//! worked out, and the others are [images](image) of these: routes follow from lines and steps, and
//! are exchanged with them. Values are whole multiples of one over two to the moves left: near the
//! truncation, where nearly all positions are, they take a byte.

mod endings;
mod fill;
mod image;
mod layer;
mod near;
mod number;
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

use self::fill::{TruncatedBoard, TurnTheory};
use self::near::NearRoutes;
use self::patterns::{LineOf, PatternCache};
use self::routes::Routes;
use self::tables::Tables;
pub use self::turns::OddHalf;
use self::turns::{FINER, HalfChips, Means};
use super::chips::{Kernel, Scale, Threshold, Thresholds};
use super::graphless::part;
use super::richman::DrawValue;
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::Product;
use crate::player::{Ending, Player};
use crate::rules::{MinimumBid, Payment, Rules};
use crate::watch::Context;

/// The most moves of a truncation whose values are worked out in 64 bits: a draw may be worth a
/// half.
const MOST_MOVES: u32 = 62;

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
    /// Whether lines that may still be completed count where play is stopped.
    pub lines: bool,
}

/// The product goes on for so many moves after it is stopped, for routes to count there.
pub const ONWARD: u32 = routes::MOST_NEED as u32;

/// Whether bounds on Richman values of such games are worked out here.
pub fn is_suited(truncated: Truncated<'_>) -> bool {
    truncated.moves_made() + FINER <= MOST_MOVES && truncated.product.lines.len() <= MOST_SETS
}

/// How many positions are worked out.
pub fn positions(truncated: Truncated<'_>) -> u64 {
    layer::counts(truncated.product, truncated.moves)
        .into_iter()
        .fold(0, u64::saturating_add)
}

/// Bounds on the Richman value: what it is if plays of more moves are Alice's, and if they are
/// Bob's.
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
    let found = bounds(given, turns, &scales, context, warnings)?;
    Ok(found.map(|numerator| BigRational::new(numerator.into(), one.clone())))
}

/// Bounds on Alice's threshold for this total of chips; `None` under rules for which it is not
/// worked out here.
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
    let found = bounds(given, turns, &scales, context, warnings)?;
    Ok(Some(found.map(|half| {
        Threshold::new(Scale::Half, rules.ties, [half, 0], total)
    })))
}

/// The formula of the rules, if one number holds both statuses.
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
    /// No play has more moves, or so many that it is stopped.
    fn longest(&self) -> u32 {
        let longest: usize = self
            .product
            .components
            .iter()
            .map(|component| component.levels.len() - 1)
            .sum();
        u32::try_from(longest).unwrap_or(u32::MAX - 1)
    }

    /// Whether every play ends before it is stopped, so that nothing is given away.
    fn is_whole(&self) -> bool {
        self.longest() <= self.moves
    }

    /// How many moves are left at the start; one more than any play has where nothing is given
    /// away.
    fn moves_made(&self) -> u32 {
        if self.is_whole() {
            self.longest() + 1
        } else {
            self.moves
        }
    }

    /// The routes that count where play is stopped, if it is and there are any.
    fn routes(&self) -> Option<Routes> {
        if self.lines && !self.is_whole() {
            routes::routes(self.product, self.moves)
        } else {
            None
        }
    }
}

/// What is truncated, what counts where that is, and what tells the work from other work.
#[derive(Clone, Copy)]
struct TruncationInput<'a> {
    truncated: Truncated<'a>,
    routes: Option<&'a Routes>,
    identity: &'a str,
}

/// The two bounds; `scales` are the greatest numbers by the moves left.
fn bounds<T: TurnTheory>(
    given: TruncationInput<'_>,
    turns: T,
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
    let [alice, bob] = Player::BOTH.map(|player| part(conjugated, player));
    // Where nothing is given away both are the value.
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
    let found = tables.solve(|left| scales[left as usize], warnings)?;
    Ok([found[0], found[lanes - 1]])
}
