//! Random-turn play with a coin that need not be fair.
//!
//! With a fair coin it makes no difference whether the winner of a toss must move or decides who
//! does; with another coin it does, in zugzwang. Without cycles both rules are computed directly;
//! on cycles a winner who chooses is treated as one who moves in another graph
//! ([`letting`](super::letting)).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::biased_coin::BiasedCoinLaw;
use super::fraction::UnreducedFraction;
use super::numbers::Numbers;
use super::theory::Ends;
use super::{DrawValue, Values};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::Winner;
use crate::space::graph::backward;
use crate::watch::{Context, Stop, watched};

/// The probabilities with which a coin falls for each player, as integer weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Coin {
    /// The weights: not both 0, and their sum fits in 32 bits.
    pub weights: PerPlayer<u32>,
}

impl Default for Coin {
    fn default() -> Self {
        Self {
            weights: PerPlayer::new(1, 1),
        }
    }
}

impl Coin {
    /// Creates the coin that falls for Alice with this probability. Returns `None` if the fraction
    /// is too long, or not strictly between 0 and 1: a coin that always falls for one player is
    /// made by `always`.
    pub fn new(probability: &BigRational) -> Option<Self> {
        /// The greatest sum of both weights.
        const MOST: u32 = 2_000_000_000;
        let sum = probability.denom().to_u32().filter(|sum| *sum <= MOST)?;
        let alice = probability
            .numer()
            .to_u32()
            .filter(|alice| (1..sum).contains(alice))?;
        Some(Self {
            weights: PerPlayer::new(alice, sum - alice),
        })
    }

    /// Creates the coin that always falls for one player.
    pub fn always(player: Player) -> Self {
        let mut weights = PerPlayer::new(0, 0);
        weights[player] = 1;
        Self { weights }
    }

    /// Returns the player for whom it always falls, if there is one.
    pub fn certain(self) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|player| self.weights[player.other()] == 0)
    }

    /// Returns the probability that it falls for Alice.
    pub fn probability(self) -> BigRational {
        let [alice, bob] = Player::both(|player| BigInt::from(self.weights[player]));
        BigRational::new(alice.clone(), alice + bob)
    }

    /// Returns whether it falls for both players with the same probability.
    pub fn is_fair(self) -> bool {
        self.weights.alice == self.weights.bob
    }

    /// Returns the mean of the values after each player's toss.
    pub(super) fn mean(
        self,
        alice: &UnreducedFraction,
        bob: &UnreducedFraction,
    ) -> UnreducedFraction {
        // The mean of fractions with a shared denominator needs no greatest common divisor.
        if self.is_fair() {
            return alice.mean(bob);
        }
        self.average(&alice.to_rational(), &bob.to_rational())
            .into()
    }

    /// Returns the mean of two rationals.
    pub fn average(self, alice: &BigRational, bob: &BigRational) -> BigRational {
        let [of_alice, of_bob] = Player::both(|player| BigInt::from(self.weights[player]));
        let sum = &of_alice + &of_bob;
        (alice * of_alice + bob * of_bob) / sum
    }
}

/// Computes the values of an acyclic graph when the winner of a toss decides who moves.
pub(super) fn choosing(
    graph: &GameGraph,
    draw: DrawValue,
    coin: Coin,
    context: &Context<'_>,
) -> Result<Numbers> {
    let theory = BiasedCoinLaw::of_fractions(Ends::worth(draw), Winner::Chooses, coin);
    Ok(Numbers::Fraction(backward(graph, &theory, context)?))
}

/// Returns whether a player would rather let the other one move, at any position.
///
/// # Errors
/// If the work is stopped.
pub(super) fn has_zugzwang(
    graph: &GameGraph,
    values: &Values,
    context: &Context<'_>,
) -> std::result::Result<bool, Stop> {
    let zugzwang = |node: NodeId| {
        let best = Player::both(|player| values.best(graph, node, player));
        matches!(best, [Some(alice), Some(bob)] if values.compare(alice, bob).is_gt())
    };
    for node in watched(graph.nodes(), context) {
        if zugzwang(node?) {
            return Ok(true);
        }
    }
    Ok(false)
}
