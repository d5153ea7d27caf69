//! Checks numbers of chips against the rules.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::rules::{FieldValue, Purses, Rules};

/// The most chips that a game may be played with. Sums of two thresholds in half chips still fit in
/// 64 bits.
pub const MOST_CHIPS: u64 = 1 << 61;

/// Returns the total of chips as the solvers count it.
///
/// # Errors
/// Returns E0701 if it is negative or beyond [`MOST_CHIPS`].
pub fn total(chips: &BigInt) -> Result<u64> {
    if chips.sign() == num_bigint::Sign::Minus {
        return Err(Box::new(
            Diagnostic::new(
                Code::BadChips,
                format!("{chips} is not a valid number of chips"),
            )
            .help("the total of chips is a whole number, zero or more"),
        ));
    }
    chips
        .to_u64()
        .filter(|&total| total <= MOST_CHIPS)
        .ok_or_else(|| Box::new(too_many(chips)))
}

fn too_many(chips: &BigInt) -> Diagnostic {
    Diagnostic::new(
        Code::BadChips,
        format!("{chips} chips are more than can be counted"),
    )
    .help(format!(
        "the most is {MOST_CHIPS} in all; for the limit of many chips ask for `R`"
    ))
}

/// Accepts purses that fit the rules: one player has the tie status if the rules have one, and
/// neither otherwise.
///
/// # Errors
/// Returns E0701 otherwise, and if the total is beyond [`MOST_CHIPS`].
pub fn purses(rules: &Rules, held: &Purses) -> Result<()> {
    // The sum of two numbers of 64 bits may need 65.
    let total = BigInt::from(held.chips.alice) + held.chips.bob;
    if total > BigInt::from(MOST_CHIPS) {
        return Err(Box::new(too_many(&total)));
    }
    let (name, value) = FieldValue::Ties(rules.ties).words();
    let (message, help) = match (rules.ties.has_status(), held.status) {
        (true, Some(_)) | (false, None) => return Ok(()),
        (true, None) => (
            format!("neither side has the star, and under `{name}: {value}` one of them must"),
            "put a `*` behind the chips of the player who has it, as in `G(4*, 4)`",
        ),
        (false, Some(_)) => (
            format!("there is no star under `{name}: {value}`"),
            "leave out the `*`: the rule alone settles who wins a tie",
        ),
    };
    Err(Box::new(
        Diagnostic::new(Code::BadChips, message).help(help),
    ))
}
