//! What values follow from: Richman values, and thresholds in chips where one number holds both
//! statuses.

use super::fill::TurnTheory;
use super::number::Narrow;
use crate::player::{Ending, Player};
use crate::richman::DrawValue;

/// How many more bits there are where [routes](super::routes) count. What two of them are worth is
/// rounded to so many: the table with a move left, the largest, is still one of bytes.
pub const FINER: u32 = 6;

/// The Richman theory in numerators over 2^left, and more if a draw is worth a half, or routes
/// count: a mean of two of them, over twice as much, is their sum.
#[derive(Debug)]
pub struct Means {
    worth: DrawValue,
    /// Who plays Alice's part.
    alice: Player,
    /// How many more bits there are.
    finer: u32,
}

impl Means {
    /// The theory where a draw is worth this, and routes count if there are any.
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

    /// To which power of two the number of 1 is, with so many moves left.
    pub fn scale(&self, left: u32) -> u32 {
        left + self.finer
    }
}

impl TurnTheory for Means {
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
        // The chance is 1 less the product of what is left of each route, rounded down: with no
        // route it is 0.
        let sum: u32 = needs.iter().map(|need| u32::from(*need)).sum();
        let left: u64 = needs.iter().map(|need| (1 << need) - 1).product();
        let chance = (((1 << sum) - left) << self.scale(0)) >> sum;
        if winner == self.alice {
            one - chance
        } else {
            chance
        }
    }

    #[inline(always)]
    fn settle<S: Narrow, D: Narrow + From<S>>(&self, least: S, greatest: S) -> D {
        D::from(least).plus(D::from(greatest))
    }
}

/// Who gets the odd half chip: the rules for ties whose two statuses interleave, where the winner
/// of a bid chooses who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddHalf {
    /// The advantage: `h = ⌈lo/2⌉ + ⌊hi/2⌋`.
    Lesser,
    /// Make-it take-it: `h = ⌊lo/2⌋ + ⌈hi/2⌉`.
    Greater,
}

/// Thresholds in half chips for one total, by the formulas that the chips' kernel derives.
#[derive(Debug)]
pub struct HalfChips {
    /// Twice the threshold of never winning.
    pub never: u64,
    /// Which formula.
    pub odd: OddHalf,
    /// Whether a draw is a win for Alice.
    pub wins_draws: bool,
    /// Who plays Alice's part.
    pub alice: Player,
}

impl TurnTheory for HalfChips {
    fn worth(&self, ending: Ending, _: u32) -> u64 {
        let wins = match ending {
            Ending::Win(winner) => winner == self.alice,
            Ending::Draw => self.wins_draws,
        };
        if wins { 0 } else { self.never }
    }

    fn nearly(&self, winner: Player, needs: &[u8]) -> u64 {
        let [won, lost] = [winner, winner.other()].map(|player| self.worth(Ending::Win(player), 0));
        // The winner steps on the first route; the opponent's move leaves the others.
        let Some((first, others)) = needs.split_first() else {
            return lost;
        };
        let left = self.nearly(winner, others);
        (0..*first).fold(won, |after, _| self.settle(after, left))
    }

    #[inline(always)]
    fn settle<S: Narrow, D: Narrow + From<S>>(&self, least: S, greatest: S) -> D {
        // In zugzwang the winner of the bid lets the other move.
        let (low, high) = (least.min(greatest), least.max(greatest));
        let settled = match self.odd {
            OddHalf::Lesser => low.plus(S::narrow(1)).half().plus(high.half()),
            OddHalf::Greater => low.half().plus(high.plus(S::narrow(1)).half()),
        };
        D::from(settled)
    }
}
