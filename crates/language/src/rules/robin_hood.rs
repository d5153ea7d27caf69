//! The tax that the richer player pays to the poorer one (Almagor, Avni & Dafni 2025, *Robin Hood
//! Reachability Bidding Games*).

use borsh::{BorshDeserialize, BorshSerialize};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::Income;
use crate::player::PerPlayer;

/// The part of the difference between both players' money that the richer one gives the poorer
/// before each bid: at least 0, less than 1/2.
#[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub struct RobinHood(
    #[borsh(
        serialize_with = "crate::codec::write_rational",
        deserialize_with = "crate::codec::read_rational"
    )]
    BigRational,
);

impl Default for RobinHood {
    fn default() -> Self {
        Self(BigRational::zero())
    }
}

impl RobinHood {
    /// Creates a tax of this part. Returns `None` if the part is negative, or so great that the
    /// poorer player would not remain the poorer.
    pub fn new(part: BigRational) -> Option<Self> {
        let half = BigRational::new(1.into(), 2.into());
        (BigRational::zero() <= part && part < half).then_some(Self(part))
    }

    /// Returns the part.
    pub fn part(&self) -> &BigRational {
        &self.0
    }

    /// Returns `true` if nothing is given.
    pub fn is_idle(&self) -> bool {
        self.0.is_zero()
    }

    /// Returns the income of both players that has the same effect as the tax: a share x becomes x
    /// (1 − 2t) + t, which is (x + r)/(1 + 2r) for r = t/(1 − 2t).
    pub fn income(&self) -> Income {
        let part = &self.0 / (BigRational::one() - &self.0 - &self.0);
        let both = PerPlayer::new(part.clone(), part);
        Income::new(both).expect("the part lies between 0 and 1/2")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gifts_narrow_the_difference() {
        let ratio = |n: i32, d: i32| BigRational::new(n.into(), d.into());
        let tenth = RobinHood::new(ratio(1, 10)).expect("a part").income();
        // With shares 3/4 and 1/4, the richer player gives a tenth of 1/2.
        assert_eq!(tenth.received(&ratio(3, 4)), ratio(7, 10));
        assert_eq!(tenth.before(&ratio(7, 10)), ratio(3, 4));
        assert_eq!(tenth.received(&ratio(1, 2)), ratio(1, 2));
        assert!(RobinHood::new(ratio(1, 2)).is_none() && RobinHood::new(ratio(-1, 9)).is_none());
    }
}
