//! Mean payoffs where both players pay their bids (Avni, Jecker & Žikelić 2021, *Infinite-duration
//! all-pay bidding games*).
//!
//! In a graph in which both players have the same moves, and every vertex can be reached from every
//! other, the payoff is that of random turns with some coin, as it is where only the winner pays.
//! Players who mix their bids get it with probability 1; bids that are not mixed can be foreseen,
//! and what they get for sure is less. With a and b the players' money:
//!
//! - Where both pay each other, mixed bids have the value of a fair coin. Bids that are not mixed
//!   get nothing for sure: Bob bids slightly more than Alice where he can, which costs him the
//!   difference only, and lets her win where he cannot, which happens a few times only, since it at
//!   least doubles what he has.
//! - Where both pay the bank, the coin of mixed bids falls for Alice with probability 1 − b/2a if
//!   she is the richer one, and a/2b otherwise; the coin of bids that are not mixed with (a − b)/a,
//!   if that is positive.

use num_rational::BigRational;
use num_traits::One;

use super::mean::Ring;
use super::{Endless, Sides, reached_without_end, refuse};
use crate::diagnostic::Result;
use crate::game::{NodeId, Scores};
use crate::player::Player;
use crate::richman::Coin;
use crate::rules::Payment;
use crate::watch::Context;

/// The way in which a payoff is guaranteed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarantee {
    /// By bids that are not mixed, whatever the opponent bids.
    Sure,
    /// With probability 1, by mixed bids.
    AlmostSure,
}

/// The terms on which a payoff is asked for.
#[derive(Debug, Clone, Copy)]
pub struct AllPayTerms<'a> {
    /// The payment, by both players.
    pub pay: &'a Payment,
    /// Alice's share of the money, if it is given.
    pub share: Option<&'a BigRational>,
    /// The way in which the payoff is guaranteed.
    pub guarantee: Guarantee,
}

/// The player who moves at each turn.
enum Turns {
    Tossed(Coin),
    /// Bob makes all moves.
    Bob,
}

/// Computes the best mean payoff that Alice can guarantee from a position where both players pay.
///
/// # Errors
/// If the share is not given but matters, or the players have different moves, or play can end or
/// stay in a part of the graph.
pub fn all_pay_payoff(
    game: &Endless<'_>,
    weights: &Scores,
    start: NodeId,
    terms: &AllPayTerms<'_>,
    context: &Context<'_>,
) -> Result<BigRational> {
    let reached = reached_without_end(game.graph, start)?;
    // The equivalence with random turns is proved only for players with the same moves.
    let sides = Sides {
        graph: game.graph,
        weights: Some(weights),
    };
    if let Some(vertex) = sides.differ(&reached) {
        return Err(refuse::own_moves(game, vertex));
    }
    let components = game.graph.components();
    let whole = components
        .iter()
        .any(|(members, _)| members.len() == reached.len() && members.contains(&start));
    if !whole {
        return Err(refuse::several_means(game, start));
    }
    let ring = Ring::new(game.graph, weights, &reached);
    let found = match turns(terms)? {
        Turns::Tossed(coin) => ring.solve(coin, context)?,
        // No coin has an effect if only one player can move.
        Turns::Bob => ring.of_one(Player::Bob).solve(Coin::default(), context)?,
    };
    let found = found.ok_or_else(|| refuse::not_found(game, start))?;
    Ok(ring.payoff(&found.gain))
}

fn turns(terms: &AllPayTerms<'_>) -> Result<Turns> {
    let AllPayTerms {
        pay,
        share,
        guarantee,
    } = *terms;
    let one = BigRational::one();
    let to_each_other = match pay {
        Payment::AllPay => true,
        Payment::AllPayBank => false,
        Payment::Richman | Payment::Poorman | Payment::Taxman(_) => {
            unreachable!("both players pay")
        }
    };
    if to_each_other {
        return Ok(match guarantee {
            Guarantee::Sure => Turns::Bob,
            Guarantee::AlmostSure => Turns::Tossed(Coin::default()),
        });
    }
    let alice = share.ok_or_else(refuse::no_budgets)?;
    let bob = &one - alice;
    let probability = match guarantee {
        // The formula for the richer player would give a probability that is not positive.
        Guarantee::Sure if *alice <= bob => return Ok(Turns::Bob),
        Guarantee::Sure => (alice - &bob) / alice,
        Guarantee::AlmostSure if *alice < bob => alice / (&bob + &bob),
        Guarantee::AlmostSure => &one - bob / (alice + alice),
    };
    Coin::new(&probability)
        .map(Turns::Tossed)
        .ok_or_else(refuse::no_coin)
}
