//! The distance of thresholds in chips from those of real-valued bidding, where no play has a cycle
//! and the winner of a bid chooses who moves.
//!
//! Let Alice need σb of real money against b; σ is R/(1 − R). Then there are numbers c and d with
//!
//! σb − d ≤ T(b) ≤ σb + c for every b,
//!
//! for every rule for ties. They follow from those of the successors. Let w, l be the amounts that
//! she needs against 1 after a win of hers and one of Bob's (w ≤ l), let the loser get the part ρ
//! of a bid, rounded down, and δ = 1, or 0 where nothing is rounded. The bids in balance are βb
//! with β = (l − w)/(1 + wρ + l + ρ), and σ = β + w(1 + ρβ) = l(1 − β) − ρβ.
//!
//! - *At most.* Let her bid x = ⌈βb⌉. If she wins she needs at most x + w(b + ρx) + c_w ≤ σb + 1 +
//!   wρ + c_w; if Bob outbids her or wins the tie, at most l(b − x) + c_l − ρx + δ ≤ σb + c_l + δ.
//! - *At least.* A bid x ≥ βb of 1 or more needs x + w(b + ρx − δ) − d_w ≥ σb − wδ − d_w if she
//!   wins. Against one of x < βb, and against 0, Bob bids x + 1: l(b − x − 1) − d_l − ρ(x + 1) ≥ σb
//!   − l − ρ − d_l.
//! - Where Bob wins for good by winning the bid, she bids b or b + 1: then σ = 1 + w(1 + ρ), c =
//!   1 + wρ + c_w, d = wδ + d_w.
//!
//! Of several moves, the least is at most the need of one with the least σ, and the greatest at
//! least the need of one with the greatest σ.

use std::convert::Infallible;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::turn::{BudgetTurn, best_after_bid};
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::rules::{Rules, Winner};
use crate::watch::{Context, Stop};

/// The amount that real-valued bidding needs against 1, and the distance of chips from its
/// multiples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The rate σ.
    pub rate: BigRational,
    /// The number c: T(b) is never more than this above σb.
    pub above: BigRational,
    /// The number d: T(b) is never more than this below σb.
    pub below: BigRational,
}

/// Computes the limit at a vertex. Returns `None` if play may be endless, if the rules have none of
/// this kind (all-pay bidding, `winner: moves`), if no amount is enough, or if its numbers are too
/// long.
///
/// # Errors
/// If the work is stopped.
pub fn limit(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    context: &Context<'_>,
) -> std::result::Result<Option<Limit>, Stop> {
    if rules.winner == Winner::Moves || rules.pay.is_all_pay() || !graph.is_acyclic() {
        return Ok(None);
    }
    let turn = BudgetTurn::new(graph, rules);
    let mut limits: Vec<Option<Limit>> = vec![None; graph.len()];
    for &node in graph.components().order() {
        // The numbers grow from vertex to vertex.
        context.check()?;
        let after = |winner| {
            let of = |head: NodeId| Ok::<_, Infallible>(limits[head.index()].clone());
            let Ok(after) = best_after_bid(graph, rules, node, winner, of, |player, a, b| {
                Ok(better(player, a, b))
            });
            after
        };
        limits[node.index()] = match (graph.ending(node), graph.owner(node)) {
            (Some(ending), _) => (turn.ended(ending) == 0).then(Limit::zero),
            (None, Some(owner)) => after(owner),
            (None, None) => turned(&turn, after(Player::Alice), after(Player::Bob)),
        };
        if limits[node.index()].as_ref().is_some_and(Limit::is_long) {
            return Ok(None);
        }
    }
    Ok(limits.swap_remove(node.index()))
}

impl Limit {
    /// Returns `true` if its numbers are too long to go on: they can double in length with every
    /// move.
    fn is_long(&self) -> bool {
        const MOST_BITS: u64 = 1 << 13;
        let mut numbers = [&self.rate, &self.above, &self.below].into_iter();
        numbers.any(|number| number.denom().bits() > MOST_BITS)
    }

    fn zero() -> Self {
        Self {
            rate: BigRational::zero(),
            above: BigRational::zero(),
            below: BigRational::zero(),
        }
    }
}

/// Returns the lesser of two limits for Alice, the greater one for Bob; `None` means that no amount
/// is enough.
fn better(player: Player, a: Option<Limit>, b: Option<Limit>) -> Option<Limit> {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => {
            return if player == Player::Alice {
                // Bob chooses the move against which nothing is enough, and Alice the other one.
                a.or(b)
            } else {
                None
            };
        }
    };
    // The distance on the other side has to hold for whichever move is best at a given budget.
    let worst = [
        a.above.clone().max(b.above.clone()),
        a.below.clone().max(b.below.clone()),
    ];
    let is_first = match player {
        Player::Alice => a.rate < b.rate || a.rate == b.rate && a.above <= b.above,
        Player::Bob => a.rate > b.rate || a.rate == b.rate && a.below <= b.below,
    };
    let best = if is_first { a } else { b };
    Some(match player {
        Player::Alice => Limit {
            below: worst[1].clone(),
            ..best
        },
        Player::Bob => Limit {
            above: worst[0].clone(),
            ..best
        },
    })
}

/// Computes the limit at a vertex from those after a win of each player's.
fn turned(turn: &BudgetTurn<'_>, won: Option<Limit>, lost: Option<Limit>) -> Option<Limit> {
    // If even a won bid is not enough, no amount is.
    let won = won?;
    let one = BigRational::one();
    let returned = turn.part_returned();
    let rounding = if returned.is_integer() {
        BigRational::zero()
    } else {
        one.clone()
    };
    let bid = turn.balanced_bid(&won.rate, lost.as_ref().map(|lost| &lost.rate));
    let rate = &bid + &won.rate * (&one + &returned * &bid);
    let above = &one + &won.rate * &returned + won.above;
    let below = &won.rate * &rounding + won.below;
    let Some(lost) = lost else {
        return Some(Limit { rate, above, below });
    };
    Some(Limit {
        rate,
        above: above.max(lost.above + rounding),
        below: below.max(lost.rate + returned + lost.below),
    })
}
