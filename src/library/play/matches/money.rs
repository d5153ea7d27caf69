//! Matches with money, in exact amounts: any amount may be bid.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::{DecisionPoint, Dice, Held, PlayTheory};
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::Rules;
use crate::solve::law::decision::WinnerChoice;
use crate::solve::onward::Onward;
use crate::solve::richman::taxman::{Money, income_at};
use crate::watch::{Context, Stop};

impl Held for Money {
    type Bid = BigRational;

    const BIDS_IN_VAIN: bool = false;

    /// Returns a random part of the player's money, rounded down to millionths.
    fn any_bid(&self, player: Player, dice: &Dice) -> BigRational {
        let amount = if player == Player::Alice {
            &self.alice
        } else {
            &self.bob
        };
        let million = BigInt::from(1_000_000);
        let part = BigRational::new(BigInt::from(dice.below(1025)), BigInt::from(1024));
        // Rounding keeps the fractions from growing with every bid, and rounding down keeps them
        // payable.
        (amount * part * &million).floor() / million
    }

    fn before_bid(&self, rules: &Rules, graph: &GameGraph, node: NodeId) -> Self {
        let income = income_at(&rules.income_everywhere(), graph, node);
        income.map_or_else(|| self.clone(), |income| self.received(&income))
    }

    fn settle(&self, rules: &Rules, bids: PerPlayer<BigRational>, winner: Player) -> Self {
        let to_bank = rules.pay.tax().unwrap_or_default();
        let (bid, mut money) = (&bids[winner], self.clone());
        let (payer, payee) = match winner {
            Player::Alice => (&mut money.alice, &mut money.bob),
            Player::Bob => (&mut money.bob, &mut money.alice),
        };
        *payer -= bid;
        *payee += bid * (BigRational::one() - to_bank);
        money
    }
}

/// The strategy that `strategy(G, a, b)` advises to a player who has enough money.
pub(crate) struct Advised<'a>(pub(in super::super) Onward<'a>);

impl PlayTheory for Advised<'_> {
    type Held = Money;

    fn bid(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Money>,
        _: &Context<'_>,
    ) -> Result<BigRational, Stop> {
        debug_assert_eq!(player, self.0.player());
        Ok(self.0.bid(spot.node, spot.held).unwrap_or_default())
    }

    fn mover(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Money>,
        _: &Money,
        _: PerPlayer<Option<NodeId>>,
    ) -> Player {
        match self.0.step(spot.node) {
            Some(WinnerChoice::Move(_)) => player,
            Some(WinnerChoice::LetMove) | None => player.other(),
        }
    }

    fn destination(&self, _: Player, spot: &DecisionPoint<'_, Money>, _: &Money) -> Option<NodeId> {
        self.0.best(spot.node)
    }
}
