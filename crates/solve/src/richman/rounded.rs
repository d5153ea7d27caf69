//! Bounds on Richman values in numbers of 16 bits, for tables that would otherwise be larger than
//! the memory.
//!
//! **Theorem.** Let 1 be replaced by 1 − 1/2^16, and every mean be rounded down to a multiple of
//! 1/2^16. Then a position from which no play has more than n moves gets a value of at most R, and
//! of at least R − (n + 2)/2^17.
//!
//! *Proof.* By induction on n. An ending is too small by 1/2^16 at most. The least of some numbers,
//! the greatest and the mean are monotone, and change by no more than the number that changes most;
//! rounding takes half of 1/2^16 at most from the mean of two multiples of 1/2^16. ∎
//!
//! If the players, and with them the value of a draw, are exchanged, R becomes 1 − R. So the same
//! sweep of the exchanged game bounds R from above, and the two bounds are no further apart than
//! (n + 2)/2^16: 0.0007 for the 42 moves of the standard board.

use num_rational::BigRational;
use num_traits::One;

use super::swept::admitted;
use super::theory::Ends;
use crate::diagnostic::Result;
use crate::game::ruleset::Numbering;
use crate::law::{Ended, Law};
use crate::positions::Numbered;
use crate::rules::{Rules, Winner};
use crate::space::sweep::{self, Need};
use crate::watch::Context;

/// A value as a multiple of 1/2^16.
type RoundedShare = u16;

/// Returns the resources that two sweeps need to bound the values of numbered positions as narrowly
/// as the rules ask; `None` if sweeps do not bound them so narrowly.
///
/// # Errors
/// If the theory does not cover the rules.
pub fn bounds_need(rules: &Rules, numbering: &Numbering) -> Result<Option<Need>> {
    // The width of the two bounds is the theorem's error twice, once for each side.
    let is_near = over_all(u64::from(numbering.plies) + 2) <= rules.precision.0;
    // The build for web pages has no such large tables, because it has to be small.
    let is_suited = cfg!(not(target_family = "wasm")) && is_near && rules.winner == Winner::Chooses;
    Ok((is_suited && admitted(rules)?).then_some(Need {
        width: size_of::<RoundedShare>(),
        sweeps: 2,
    }))
}

/// Finds bounds on the Richman values of some positions, where [`bounds_need`] allows it. Returns
/// `None` if one of them is not numbered.
///
/// # Errors
/// If the work is stopped, there is too little memory, or the disk fails.
pub fn bounds(
    positions: Numbered<'_>,
    rules: &Rules,
    context: &Context<'_>,
) -> Result<Option<Vec<[BigRational; 2]>>> {
    if cfg!(target_family = "wasm") {
        return Ok(None);
    }
    let ends = Ends::of(positions.conjugated, rules);
    let least = |ends: Ends| -> Result<Option<Vec<BigRational>>> {
        let theory = Rounded(ends.as_numbers(share));
        let swept = sweep::sweep::<u64, _>(positions, &theory, context)?;
        let value = |state| swept.value(positions.indexed, state).map(over_all);
        Ok(positions.states.iter().map(value).collect())
    };
    let Some(low) = least(ends)? else {
        return Ok(None);
    };
    let Some(exchanged) = least(ends.exchanged())? else {
        return Ok(None);
    };
    let bounds = low
        .into_iter()
        .zip(exchanged)
        .map(|(low, least)| [low, BigRational::one() - least]);
    Ok(Some(bounds.collect()))
}

/// Returns a number of halves.
fn share(halves: u8) -> RoundedShare {
    [0, 1 << (RoundedShare::BITS - 1), RoundedShare::MAX][usize::from(halves)]
}

fn over_all(shares: u64) -> BigRational {
    BigRational::new(shares.into(), (1 << RoundedShare::BITS).into())
}

/// The theory R = (R⁻ + R⁺)/2, rounded down.
struct Rounded(Ended<RoundedShare>);

impl Law for Rounded {
    type Number = RoundedShare;

    fn name(&self) -> String {
        format!(
            "R rounded down for {:?}, endings worth {:?}",
            self.0.seeker, self.0.values
        )
    }

    fn ended(&self) -> &Ended<RoundedShare> {
        &self.0
    }

    #[inline(always)]
    fn settle(&self, alice: RoundedShare, bob: RoundedShare) -> RoundedShare {
        // This is the mean rounded down; the sum itself could overflow 16 bits.
        (alice & bob) + ((alice ^ bob) >> 1)
    }

    fn follows(&self, value: &RoundedShare, alice: &RoundedShare, bob: &RoundedShare) -> bool {
        u32::from(*value) == (u32::from(*alice) + u32::from(*bob)) / 2
    }
}
