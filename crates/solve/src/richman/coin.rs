//! Random-turn play with a coin that need not be fair.
//!
//! With a fair coin it makes no difference whether the winner of a toss must move or decides who
//! does; with another one it does, in zugzwang. Without cycles both rules are followed as they are;
//! on cycles a winner who chooses is one who moves in another graph ([`letting`](super::letting)).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::biased_coin::BiasedCoinTheory;
use super::fraction::UnreducedFraction;
use super::numbers::Numbers;
use super::theory::Ends;
use super::{DrawValue, Values};
use crate::certify::certify_with;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{Components, GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::{Rules, Winner};
use crate::theory::backward;
use crate::watch::{Context, Stop};

/// How often a coin falls for each player, as whole weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Coin {
    /// The weights: not both 0, their sum fits in 32 bits.
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
    /// The coin that falls for Alice with this probability between 0 and 1; `None` if the fraction
    /// is too long.
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

    /// The coin that always falls for one player.
    pub fn always(player: Player) -> Self {
        let mut weights = PerPlayer::new(0, 0);
        weights[player] = 1;
        Self { weights }
    }

    /// The player for whom it always falls, if there is one.
    pub fn certain(self) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|player| self.weights[player.other()] == 0)
    }

    /// How likely it falls for Alice.
    pub fn probability(self) -> BigRational {
        let [alice, bob] = Player::BOTH.map(|player| BigInt::from(self.weights[player]));
        BigRational::new(alice.clone(), alice + bob)
    }

    /// Whether it falls for both alike.
    pub fn is_fair(self) -> bool {
        self.weights.alice == self.weights.bob
    }

    /// The mean of what each player's toss leads to.
    pub(super) fn mean(
        self,
        alice: &UnreducedFraction,
        bob: &UnreducedFraction,
    ) -> UnreducedFraction {
        if self.is_fair() {
            return alice.mean(bob);
        }
        self.average(&alice.to_rational(), &bob.to_rational())
            .into()
    }

    /// The same for rationals.
    pub fn average(self, alice: &BigRational, bob: &BigRational) -> BigRational {
        let [of_alice, of_bob] = Player::BOTH.map(|player| BigInt::from(self.weights[player]));
        let sum = &of_alice + &of_bob;
        (alice * of_alice + bob * of_bob) / sum
    }
}

/// The values of an acyclic graph when the winner of a toss decides who moves.
pub(super) fn choosing(
    graph: &GameGraph,
    components: &Components,
    draw: DrawValue,
    coin: Coin,
    context: &Context<'_>,
) -> Result<Numbers> {
    let theory = BiasedCoinTheory::of_fractions(Ends::worth(draw), Winner::Chooses, coin);
    Ok(Numbers::Fraction(backward(
        graph,
        components.order().iter().copied(),
        &theory,
        context,
    )?))
}

/// Passes values of winners who move that are proved.
///
/// # Errors
/// If they are not, or it is stopped.
pub(super) fn check(
    graph: &GameGraph,
    rules: &Rules,
    coin: Coin,
    values: &Values,
    context: &Context<'_>,
) -> Result<()> {
    if certify_with(graph, rules, coin, values, context)?.is_empty() {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::NotSupported,
        "not supported: values that their certificate does not prove",
    )
    .help("please report the game")
    .into())
}

/// Whether somebody would rather let the other player move, somewhere.
///
/// # Errors
/// If it is stopped.
pub(super) fn has_zugzwang(
    graph: &GameGraph,
    values: &Values,
    context: &Context<'_>,
) -> std::result::Result<bool, Stop> {
    let zugzwang = |node: NodeId| {
        let best = Player::BOTH.map(|player| values.best(graph, node, player));
        matches!(best, [Some(alice), Some(bob)] if values.compare(alice, bob).is_gt())
    };
    for node in graph.nodes() {
        // The numbers may be long.
        context.check()?;
        if zugzwang(node) {
            return Ok(true);
        }
    }
    Ok(false)
}
