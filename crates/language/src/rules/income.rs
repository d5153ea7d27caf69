//! Income: the money that players receive before each bid (Avni, Goharshady, Henzinger & Mallik
//! 2024, *Bidding Games with Charging*).

use borsh::{BorshDeserialize, BorshSerialize};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::player::{PerPlayer, Player};

/// The parts of all money that the players receive before a bid. Then the money is normalised: both
/// have together what they had before. No part is negative.
#[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub struct Income {
    #[borsh(
        serialize_with = "crate::codec::write_rational",
        deserialize_with = "crate::codec::read_rational"
    )]
    alice: BigRational,
    #[borsh(
        serialize_with = "crate::codec::write_rational",
        deserialize_with = "crate::codec::read_rational"
    )]
    bob: BigRational,
}

/// The words for income in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomeWords {
    /// The circumstance: "under `income: [1/8, 0]`".
    pub under: String,
    /// The remedy that takes the income away.
    pub without: &'static str,
}

impl Default for Income {
    fn default() -> Self {
        Self {
            alice: BigRational::zero(),
            bob: BigRational::zero(),
        }
    }
}

impl Income {
    /// Creates the income of these parts. Returns `None` if one of them is negative.
    pub fn new(parts: PerPlayer<BigRational>) -> Option<Self> {
        let PerPlayer { alice, bob } = parts;
        (!alice.is_negative() && !bob.is_negative()).then_some(Self { alice, bob })
    }

    /// Returns the part of all money that a player receives.
    pub fn of(&self, player: Player) -> &BigRational {
        match player {
            Player::Alice => &self.alice,
            Player::Bob => &self.bob,
        }
    }

    /// Returns `true` if nobody receives anything.
    pub fn is_idle(&self) -> bool {
        self.alice.is_zero() && self.bob.is_zero()
    }

    /// Returns the income where both are received.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            alice: &self.alice + &other.alice,
            bob: &self.bob + &other.bob,
        }
    }

    /// Returns the income with the players exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            alice: self.bob.clone(),
            bob: self.alice.clone(),
        }
    }

    /// Returns all money after the income, in units of the money before it.
    pub fn whole(&self) -> BigRational {
        BigRational::one() + &self.alice + &self.bob
    }

    /// Computes Alice's share of the money after the income.
    pub fn received(&self, share: &BigRational) -> BigRational {
        (share + &self.alice) / self.whole()
    }

    /// Computes Alice's share before the income from her share after it. The result is outside 0 to
    /// 1 if no share leads to this one.
    pub fn before(&self, share: &BigRational) -> BigRational {
        share * self.whole() - &self.alice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn income_moves_shares_towards_those_who_receive_it() {
        let ratio = |n: i32, d: i32| BigRational::new(n.into(), d.into());
        let income =
            Income::new(PerPlayer::new(ratio(1, 8), ratio(0, 1))).expect("it is an income");
        // Alice has 1/2 and 1/8 of 9/8.
        assert_eq!(income.received(&ratio(1, 2)), ratio(5, 9));
        assert_eq!(income.before(&ratio(5, 9)), ratio(1, 2));
        assert_eq!(income.swapped().received(&ratio(1, 2)), ratio(4, 9));
        assert_eq!(
            income.and(&income.swapped()).received(&ratio(1, 2)),
            ratio(1, 2)
        );
        assert!(Income::new(PerPlayer::new(ratio(0, 1), ratio(-1, 9))).is_none());
    }
}
