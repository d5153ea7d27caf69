//! The effect of a bid and of the income before it on shares of the money.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::local::{Rounding, Tax};
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::rules::Income;

/// The income at a position, with the numbers by which it changes thresholds: `(whole · s − part) /
/// unit` is the threshold before the income where s is the one after it.
pub(super) struct PositionIncome {
    pub(super) income: Income,
    whole: BigInt,
    part: BigInt,
    unit: BigInt,
}

impl From<Income> for PositionIncome {
    fn from(income: Income) -> Self {
        let (whole, part) = (income.whole(), income.of(Player::Alice));
        let unit = whole.denom().lcm(part.denom());
        Self {
            whole: whole.numer() * (&unit / whole.denom()),
            part: part.numer() * (&unit / part.denom()),
            unit,
            income,
        }
    }
}

/// The effect of bids and the income before them on shares.
#[derive(Debug, Clone)]
pub(super) struct IncomeLaw<'a> {
    pub(super) tax: &'a Tax,
    /// The income at all vertices, besides their own.
    pub(super) everywhere: Income,
}

impl IncomeLaw<'_> {
    /// Returns the law of the game in which the players are exchanged.
    pub(super) fn exchanged(&self) -> Self {
        Self {
            everywhere: self.everywhere.swapped(),
            ..self.clone()
        }
    }

    /// Returns the threshold of a vertex with some income from its best values: the smaller and, if
    /// both players can move, the greater.
    pub(super) fn exact(
        &self,
        low: &BigRational,
        high: Option<&BigRational>,
        income: &Income,
    ) -> BigRational {
        let share = self.unbounded(low, high, income);
        share.clamp(BigRational::zero(), BigRational::one())
    }

    /// Returns that threshold before it is cut off at 0 and 1.
    pub(super) fn unbounded(
        &self,
        low: &BigRational,
        high: Option<&BigRational>,
        income: &Income,
    ) -> BigRational {
        let share = high.map_or_else(|| low.clone(), |high| self.tax.exact(low, high).0);
        income.before(&share)
    }

    /// Returns the threshold in multiples of `2^-bits`.
    pub(super) fn rounded(
        &self,
        low: &BigInt,
        high: Option<&BigInt>,
        position: &PositionIncome,
        bits: u64,
        rounding: Rounding,
    ) -> BigInt {
        let share = high.map_or_else(
            || low.clone(),
            |high| self.tax.rounded(low, high, bits, rounding),
        );
        // The share has been rounded in the same direction, and `whole` is positive.
        let above = share * &position.whole - (&position.part << bits);
        let before = match rounding {
            Rounding::Down => above.div_floor(&position.unit),
            Rounding::Up => above.div_ceil(&position.unit),
        };
        before.clamp(BigInt::zero(), BigInt::one() << bits)
    }
}

/// Returns the income before the bid at a vertex of a graph, besides the given one that is received
/// everywhere, if there is any. At endings and at vertices with an owner there is no bid.
pub fn income_at(everywhere: &Income, graph: &GameGraph, node: NodeId) -> Option<Income> {
    let has_bid = graph.ending(node).is_none() && graph.owner(node).is_none();
    let income = match graph.income(node) {
        Some(own) => everywhere.and(own),
        None => everywhere.clone(),
    };
    (has_bid && !income.is_idle()).then_some(income)
}
