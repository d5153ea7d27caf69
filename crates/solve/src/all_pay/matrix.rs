//! The payoff matrix of one turn (Menz, Wang & Xie, section 2), by Alice's and Bob's bids.
//!
//! Where both pay each other, only the difference of the bids matters: the matrix is Toeplitz
//! (Lemma 2.1a), and one number for each difference is kept.
//!
//! Bids are numbered from the least that a player can make, which is 0 unless the rules say
//! otherwise.

use num_rational::BigRational;

use super::onward::OnwardValues;
use super::{Budgets, FloatEnclosure, Worth};
use crate::convert::fit;
use crate::player::{PerPlayer, Player};
use crate::rules::{Payment, Purses, Rules, Tie, settle, settle_undecided, tie};
use crate::watch::{Context, Stop, watched};

/// The number of entries up to which a matrix is allocated without asking for memory.
const FEW: u64 = 1 << 16;

/// The number of bytes for each entry while the matrix game is solved, besides the entry itself:
/// its bounds, and the tableau of the linear program.
const BESIDE: u64 = 3 * size_of::<f64>() as u64;

/// The payoffs to Alice for all pairs of bids.
#[derive(Debug, Clone)]
pub struct Matrix<N> {
    /// The payoffs, by the difference of the bids, or by Alice's bid and then Bob's.
    cells: Vec<N>,
    most: PerPlayer<usize>,
    toeplitz: bool,
}

impl<N: Worth> Matrix<N> {
    /// Creates the matrix for these purses from the values after the turn. Where there is no bid it
    /// has one entry: nothing is paid, and the tie status stays where it is.
    ///
    /// # Errors
    /// If the work is stopped, or there is no memory for so many entries.
    pub(super) fn new(
        rules: &Rules,
        budgets: &Budgets,
        onward: &OnwardValues<N>,
        purses: &Purses,
        context: &Context<'_>,
    ) -> Result<Self, Stop> {
        // A turn with an owner has no bid, and a single entry lets it share all code for matrices.
        if let Some(owner) = onward.owner() {
            let worth = onward.won_by(owner, budgets.index(purses)).clone();
            return Ok(Self {
                cells: vec![worth],
                most: PerPlayer::new(0, 0),
                toeplitz: rules.pay == Payment::AllPay,
            });
        }
        let cell = |bids| after_bids(rules, budgets, onward, purses, bids);
        let PerPlayer { alice, bob } = purses.chips;
        let least = purses.chips.map(|chips| rules.minimum_bid.of(chips));
        let toeplitz = rules.pay == Payment::AllPay;
        let cells = if toeplitz {
            // The loser's bid of nothing, and each chip of the winner's bid moves the purses on to
            // the next entry of the row.
            let won = |winner: Player, bids: PerPlayer<u64>| {
                let first = budgets.index(&settle(rules, purses, bids, winner));
                move |more: u64| {
                    let further = fit::<usize>(more) * budgets.holders();
                    let index = match winner {
                        Player::Alice => first - further,
                        Player::Bob => first + further,
                    };
                    onward.won_by(winner, index).clone()
                }
            };
            assert_eq!(
                least,
                PerPlayer::new(0, 0),
                "bids have no minimum where the players pay each other"
            );
            let mut cells = Vec::with_capacity(fit::<usize>(alice + bob + 1));
            if bob > 0 {
                let won = won(Player::Bob, PerPlayer::new(0, 1));
                // Differences run from the most negative one, by which Bob wins with all of his
                // chips.
                cells.extend((0..bob).rev().map(won));
            }
            cells.push(cell(PerPlayer::new(0, 0)));
            if alice > 0 {
                let won = won(Player::Alice, PerPlayer::new(1, 0));
                cells.extend((0..alice).map(won));
            }
            cells
        } else {
            let count = (alice - least.alice + 1).saturating_mul(bob - least.bob + 1);
            // Small matrices are not worth a request, and there are many of them.
            if count > FEW {
                context.admit(count.saturating_mul(size_of::<N>() as u64 + BESIDE))?;
            }
            let pairs = (least.alice..=alice)
                .flat_map(|own| (least.bob..=bob).map(move |other| PerPlayer::new(own, other)));
            watched(pairs, context)
                .map(|bids| bids.map(cell))
                .collect::<Result<Vec<_>, Stop>>()?
        };
        let most = PerPlayer::new(
            fit::<usize>(alice - least.alice),
            fit::<usize>(bob - least.bob),
        );
        Ok(Self {
            cells,
            most,
            toeplitz,
        })
    }

    /// Returns the number of a player's bids.
    pub fn bids(&self, player: Player) -> usize {
        self.most[player] + 1
    }

    /// Returns the payoff for both bids.
    pub fn at(&self, alice: usize, bob: usize) -> &N {
        let index = if self.toeplitz {
            self.most.bob + alice - bob
        } else {
            alice * (self.most.bob + 1) + bob
        };
        &self.cells[index]
    }

    /// Returns the payoffs by the difference of the bids, −`most.bob` first, if only that matters.
    pub fn diagonals(&self) -> Option<&[N]> {
        self.toeplitz.then_some(&*self.cells)
    }

    /// Returns the matrix of a turn in which both can bid nothing, with `worth` as the payoff for
    /// that.
    #[must_use]
    pub(super) fn lasting(mut self, worth: N) -> Self {
        self.cells[0] = worth;
        self
    }

    /// Applies a function to every payoff.
    #[must_use]
    pub(super) fn map(&self, image: impl Fn(&N) -> N) -> Self {
        Self {
            cells: self.cells.iter().map(image).collect(),
            most: self.most,
            toeplitz: self.toeplitz,
        }
    }

    /// Returns all payoffs, in an unspecified order.
    pub(super) fn cells(&self) -> &[N] {
        &self.cells
    }

    /// Returns the same matrix for a player who bids less than `bids` chips.
    #[must_use]
    pub fn restricted(&self, player: Player, bids: usize) -> Self {
        let mut most = self.most;
        most[player] = bids - 1;
        let cells = if self.toeplitz {
            // A lower limit of Bob's cuts off differences at the start, one of Alice's at the end.
            let first = self.most.bob - most.bob;
            self.cells[first..=first + most.alice + most.bob].to_vec()
        } else {
            let rows = 0..=most.alice;
            rows.flat_map(|alice| (0..=most.bob).map(move |bob| self.at(alice, bob).clone()))
                .collect()
        };
        Self {
            cells,
            most,
            toeplitz: self.toeplitz,
        }
    }
}

impl Matrix<FloatEnclosure> {
    /// Returns the matrix of exact payoffs, if the bounds of each are equal.
    ///
    /// # Errors
    /// If the work is stopped, or there is no memory for so many numbers.
    pub fn exact(&self, context: &Context<'_>) -> Result<Option<Matrix<BigRational>>, Stop> {
        let number = |FloatEnclosure { low, high }: &FloatEnclosure| {
            let known = (low == high).then_some(*low);
            known.and_then(BigRational::from_float)
        };
        context.admit((self.cells.len() * size_of::<BigRational>()) as u64)?;
        let cells = watched(&self.cells, context)
            .map(|cell| cell.map(number))
            .collect::<Result<Option<Vec<_>>, Stop>>()?;
        Ok(cells.map(|cells| Matrix {
            cells,
            most: self.most,
            toeplitz: self.toeplitz,
        }))
    }
}

/// Returns the value after two bids: the winner is determined, the chips change hands, and the
/// winner decides.
fn after_bids<N: Worth>(
    rules: &Rules,
    budgets: &Budgets,
    onward: &OnwardValues<N>,
    purses: &Purses,
    bids: PerPlayer<u64>,
) -> N {
    let won_by =
        |winner| onward.won_by(winner, budgets.index(&settle(rules, purses, bids, winner)));
    if bids.alice != bids.bob {
        return won_by(if bids.alice > bids.bob {
            Player::Alice
        } else {
            Player::Bob
        })
        .clone();
    }
    match tie(rules, purses) {
        Tie::Goes(player) => won_by(player).clone(),
        Tie::ChosenBy(player) => won_by(Player::Alice).either(won_by(Player::Bob), player),
        Tie::Coin => won_by(Player::Alice).mean(won_by(Player::Bob)),
        Tie::Nobody => onward
            .stayed(budgets.index(&settle_undecided(rules, purses, bids)))
            .clone(),
    }
}

#[cfg(test)]
mod tests;
