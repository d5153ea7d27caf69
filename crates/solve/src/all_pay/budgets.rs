//! The purses for which a table has an entry, and the positions of their entries.

use crate::convert::fit;
use crate::player::{PerPlayer, Player};
use crate::rules::{Payment, Purses, Rules};

/// The set of all purses that play can reach, numbered.
///
/// Where both players pay each other the total is constant, so that Alice's chips determine Bob's;
/// where both pay the bank every pair up to the first budgets can occur. Under a rule with a tie
/// status each pair occurs twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Budgets {
    shape: PurseRegion,
    has_status: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PurseRegion {
    /// All splits of a total.
    Splits(u64),
    /// All pairs up to these.
    Rectangle(u64, u64),
}

impl Budgets {
    /// Creates the set of purses that can be reached from these.
    pub fn from(rules: &Rules, chips: PerPlayer<u64>) -> Self {
        let shape = match rules.pay {
            Payment::AllPayBank => PurseRegion::Rectangle(chips.alice, chips.bob),
            Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => {
                PurseRegion::Splits(chips.alice + chips.bob)
            }
        };
        Self {
            shape,
            has_status: rules.ties.has_status(),
        }
    }

    /// Returns the number of purses; the greatest integer if there are more, for which no memory has
    /// room.
    pub fn len(&self) -> usize {
        let pairs = match self.shape {
            PurseRegion::Splits(total) => total.saturating_add(1),
            PurseRegion::Rectangle(alice, bob) => alice
                .saturating_add(1)
                .saturating_mul(bob.saturating_add(1)),
        };
        usize::try_from(pairs)
            .unwrap_or(usize::MAX)
            .saturating_mul(self.holders())
    }

    /// Returns whether there are no purses, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of these purses.
    pub fn index(&self, purses: &Purses) -> usize {
        let pair = match self.shape {
            PurseRegion::Splits(_) => purses.chips.alice,
            PurseRegion::Rectangle(_, bob) => purses.chips.alice * (bob + 1) + purses.chips.bob,
        };
        // Both holders of a pair are adjacent, so that splits that differ by a chip are `holders`
        // apart.
        fit::<usize>(pair) * self.holders() + usize::from(purses.status == Some(Player::Bob))
    }

    /// Returns the number of entries for each pair of purses, one for each holder of a tie status.
    pub(super) fn holders(&self) -> usize {
        1 + usize::from(self.has_status)
    }

    /// Returns the purses with this number.
    pub fn purses(&self, index: usize) -> Purses {
        let holders = self.holders();
        let (pair, holder) = ((index / holders) as u64, Player::BOTH[index % holders]);
        let chips = match self.shape {
            PurseRegion::Splits(total) => PerPlayer::new(pair, total - pair),
            PurseRegion::Rectangle(_, bob) => PerPlayer::new(pair / (bob + 1), pair % (bob + 1)),
        };
        Purses {
            chips,
            status: self.has_status.then_some(holder),
        }
    }

    /// Iterates over all purses in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Purses> + '_ {
        (0..self.len()).map(|index| self.purses(index))
    }

    /// Estimates the number of multiplications that solving the matrices of all purses takes, from
    /// their numbers of cells. It decides between exact arithmetic and floating point.
    pub(super) fn work(&self) -> u64 {
        let holders = 1 + u64::from(self.has_status);
        let side = |chips: u64| u128::from(chips) + 1;
        let cost = |a: u64, b: u64| side(a) * side(b) * side(a.min(b));
        let all: u128 = match self.shape {
            // So many splits exceed the fuel of exact arithmetic by far, and the rest need not be
            // added.
            PurseRegion::Splits(total) => (0..=total.min(4096)).map(|a| cost(a, total - a)).sum(),
            // For long purses the mean cost of a pair is at most a sixth of the greatest one, so a
            // quarter is on the safe side.
            PurseRegion::Rectangle(alice, bob) => side(alice) * side(bob) * cost(alice, bob) / 4,
        };
        u64::try_from(all)
            .unwrap_or(u64::MAX)
            .saturating_mul(holders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::TieBreak;

    #[test]
    fn numbers_and_purses_are_inverse() {
        for pay in [Payment::AllPay, Payment::AllPayBank] {
            for ties in [TieBreak::Advantage, TieBreak::Richer] {
                let budgets = Budgets::from(
                    &Rules {
                        pay: pay.clone(),
                        ties,
                        ..Rules::default()
                    },
                    PerPlayer::new(3, 4),
                );
                let indices: Vec<usize> = budgets
                    .iter()
                    .map(|purses| budgets.index(&purses))
                    .collect();
                assert_eq!(indices, (0..budgets.len()).collect::<Vec<_>>());
                assert_eq!(
                    indices.len(),
                    if pay == Payment::AllPay { 8 } else { 20 }
                        * if ties.has_status() { 2 } else { 1 }
                );
            }
        }
    }
}
