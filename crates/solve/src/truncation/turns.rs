//! The theories of values: Richman values, and thresholds in chips for rules where one number
//! represents both tie statuses.

use super::fill::TurnLaw;
use crate::chips::ThresholdInteger;
use crate::player::{Ending, Player};
use crate::richman::DrawValue;

/// The number of additional bits if [routes](super::routes) count. The values of two routes are
/// rounded to this precision: the table with one move left, the largest, still fits in bytes.
pub const FINER: u32 = 6;

/// The rule by which the value of a position follows from those one move later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnRule {
    /// The sum of the least and the greatest, in a unit that is half as large with each move left.
    Sum,
    /// The sum of their halves, in half chips.
    Halves(OddHalf),
}

impl TurnRule {
    /// Computes the value of a position from the least and the greatest value that moves lead to.
    #[inline(always)]
    pub fn settle<S: ThresholdInteger, D: ThresholdInteger + From<S>>(
        self,
        least: S,
        greatest: S,
    ) -> D {
        let Self::Halves(odd) = self else {
            // The unit is halved with each move left, so the mean is the sum and nothing is
            // rounded.
            return <D as From<S>>::from(least) + <D as From<S>>::from(greatest);
        };
        // In zugzwang the winner of the bid lets the other move.
        let (low, high) = (least.min(greatest), least.max(greatest));
        <D as From<S>>::from(match odd {
            OddHalf::Lesser => ((low + S::UNIT) >> 1) + (high >> 1),
            OddHalf::Greater => (low >> 1) + ((high + S::UNIT) >> 1),
        })
    }

    /// Computes the values of adjacent positions.
    pub fn settle_all<S: ThresholdInteger, D: ThresholdInteger + From<S>>(
        self,
        least: &[S],
        greatest: &[S],
        out: &mut [D],
    ) {
        let turns = out.iter_mut().zip(least.iter().zip(greatest));
        // Each loop is compiled for its rule, without a branch.
        match self {
            Self::Sum => turns.for_each(|(out, (a, b))| *out = Self::Sum.settle(*a, *b)),
            Self::Halves(OddHalf::Lesser) => {
                let rule = Self::Halves(OddHalf::Lesser);
                turns.for_each(|(out, (a, b))| *out = rule.settle(*a, *b));
            }
            Self::Halves(OddHalf::Greater) => {
                let rule = Self::Halves(OddHalf::Greater);
                turns.for_each(|(out, (a, b))| *out = rule.settle(*a, *b));
            }
        }
    }
}

/// Richman values as numerators over 2^left, with additional bits if a draw is worth a half or
/// routes count. Since the denominator doubles with each move left, the mean of two values is the
/// sum of their numerators.
#[derive(Debug)]
pub struct Means {
    worth: DrawValue,
    /// The player who plays Alice's part.
    alice: Player,
    /// The number of additional bits.
    finer: u32,
}

impl Means {
    /// Creates the theory for a value of draws; `has_routes` says whether routes count.
    pub fn new(worth: DrawValue, alice: Player, has_routes: bool) -> Self {
        Self {
            worth,
            alice,
            finer: if has_routes {
                FINER
            } else {
                u32::from(worth == DrawValue::Half)
            },
        }
    }

    /// Returns the exponent of the denominator, a power of two, with so many moves left.
    pub fn scale(&self, left: u32) -> u32 {
        left + self.finer
    }
}

impl TurnLaw for Means {
    fn worth(&self, ending: Ending, left: u32) -> u64 {
        let ending = if self.alice == Player::Alice {
            ending
        } else {
            ending.conjugate()
        };
        let one = 1 << self.scale(left);
        match self.worth.of(ending) {
            0 => 0,
            1 => one / 2,
            _ => one,
        }
    }

    fn nearly(&self, winner: Player, needs: &[u8]) -> u64 {
        let one = 1 << self.scale(0);
        // The chance is 1 minus the product of the routes' chances to fail, rounded down: without a
        // route it is 0.
        let sum: u32 = needs.iter().map(|need| u32::from(*need)).sum();
        let left: u64 = needs.iter().map(|need| (1 << need) - 1).product();
        // Rounding down keeps it a lower bound of the chance.
        let chance = (((1 << sum) - left) << self.scale(0)) >> sum;
        if winner == self.alice {
            one - chance
        } else {
            chance
        }
    }

    fn rule(&self) -> TurnRule {
        TurnRule::Sum
    }
}

/// The player who gets the odd half chip, under rules for ties whose two statuses interleave, where
/// the winner of a bid chooses who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddHalf {
    /// The formula of the tie-breaking advantage: `h = ⌈lo/2⌉ + ⌊hi/2⌋`.
    Lesser,
    /// The formula of make-it take-it: `h = ⌊lo/2⌋ + ⌈hi/2⌉`.
    Greater,
}

/// Thresholds in half chips for one total, by the formulas that the chips' kernel derives.
#[derive(Debug)]
pub struct HalfChips {
    /// Twice the threshold of a game that Alice can never win.
    pub never: u64,
    /// The formula.
    pub odd: OddHalf,
    /// `true` if a draw is a win for Alice.
    pub wins_draws: bool,
    /// The player who plays Alice's part.
    pub alice: Player,
}

impl TurnLaw for HalfChips {
    fn worth(&self, ending: Ending, _: u32) -> u64 {
        let won = ending.is_won_by(self.alice, self.wins_draws);
        if won { 0 } else { self.never }
    }

    fn nearly(&self, winner: Player, needs: &[u8]) -> u64 {
        let [won, lost] = [winner, winner.other()].map(|player| self.worth(Ending::Win(player), 0));
        // The winner steps on the first route; the opponent's move leaves the others.
        let Some((first, others)) = needs.split_first() else {
            return lost;
        };
        let left = self.nearly(winner, others);
        (0..*first).fold(won, |after, _| self.rule().settle(after, left))
    }

    fn rule(&self) -> TurnRule {
        TurnRule::Halves(self.odd)
    }
}
