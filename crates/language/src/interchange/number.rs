//! Reads numbers as files write them: `3`, `-1/2`, `0.25`, `1e-3`.

use std::fmt;

use num_rational::Rational64;
use num_traits::{CheckedMul, Zero, checked_pow};

/// The reason why a text is not a usable number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoNumber {
    /// It has a decimal comma instead of a point.
    DecimalComma,
    /// It is a word by which other programs mark a missing number.
    Missing,
    /// It has too many digits.
    TooLarge,
    /// It is not written as a number.
    Other,
}

/// Writes the second half of a sentence that begins with the text.
impl fmt::Display for NoNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DecimalComma => "has a decimal comma: write a point, as in 0.5",
            Self::Missing => "is not a number: leave it out where there is none",
            Self::TooLarge => "is not a number that fits in 64 bits",
            Self::Other => "is not a number: numbers are written like 3, -1/2, 0.25 and 1e-3",
        })
    }
}

/// Reads the exact value of a number.
///
/// # Errors
/// Returns the reason if the text is not a number, or the number does not fit in 64 bits.
pub fn rational(text: &str) -> Result<Rational64, NoNumber> {
    let known = ["nan", "na", "inf", "infinity", "none", "null"];
    let word = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    if known.contains(&word.as_str()) {
        return Err(NoNumber::Missing);
    }
    if text.matches(',').count() == 1 && rational(&text.replace(',', ".")).is_ok() {
        return Err(NoNumber::DecimalComma);
    }
    if let Some((top, bottom)) = text.split_once('/') {
        let (top, bottom) = (whole(top.trim())?, whole(bottom.trim())?);
        // A sign belongs before the fraction, and a denominator of 0 has no value.
        return if bottom > 0 {
            Ok(Rational64::new(top, bottom))
        } else {
            Err(NoNumber::Other)
        };
    }
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (front, part) = match digits.split_once('.') {
        Some((_, "")) => return Err(NoNumber::Other),
        Some(parts) => parts,
        None => (digits, ""),
    };
    if !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NoNumber::Other);
    }
    // This only checks how the number is written; its size shows when all digits are read.
    whole(front).or_else(|why| match why {
        NoNumber::TooLarge => Ok(0),
        _ => Err(why),
    })?;
    // Zeros at the end add no value, but digits that may not fit.
    let part = part.trim_end_matches('0');
    let digits = whole(&format!("{front}{part}"))?;
    let exponent = whole(exponent)?;
    // 0 stays 0 with any exponent, even with one that would not fit.
    if digits.is_zero() {
        return Ok(Rational64::zero());
    }
    let scaled = || {
        let exponent = exponent.checked_sub(i64::try_from(part.len()).ok()?)?;
        let power: i64 = checked_pow(10, usize::try_from(exponent.unsigned_abs()).ok()?)?;
        let scale = if exponent < 0 {
            Rational64::new(1, power)
        } else {
            Rational64::from_integer(power)
        };
        Rational64::from_integer(digits).checked_mul(&scale)
    };
    scaled().ok_or(NoNumber::TooLarge)
}

/// Reads a whole number with or without a sign.
fn whole(text: &str) -> Result<i64, NoNumber> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NoNumber::Other);
    }
    text.parse().map_err(|_| NoNumber::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        let ratio = |top, bottom| Ok(Rational64::new(top, bottom));
        let read = [
            "3", "-1/2", "0.25", "1e-3", "-2.50", "1e3", "+7", "1.0", "-0.5", "0e99999", "-0.0e-99",
        ]
        .map(rational);
        let expected = [
            (3, 1),
            (-1, 2),
            (1, 4),
            (1, 1000),
            (-5, 2),
            (1000, 1),
            (7, 1),
            (1, 1),
            (-1, 2),
            (0, 1),
            (0, 1),
        ];
        assert_eq!(read, expected.map(|(top, bottom)| ratio(top, bottom)));
        let wrong = [
            (
                NoNumber::Other,
                &[
                    "", "-", "x", "1/0", "1/-2", "1.", ".5", "1e", "--1", "1 2", "1,2,3", "0x1",
                ][..],
            ),
            (
                NoNumber::TooLarge,
                &[
                    "1e99",
                    "99999999999999999999",
                    "1e-99",
                    "1e99999999999999999999",
                    "1/99999999999999999999",
                ],
            ),
            (NoNumber::Missing, &["nan", "NaN", "-inf", "NA", "None"]),
            (NoNumber::DecimalComma, &["0,5", "-1,25", "1,5e3"]),
        ];
        for (why, texts) in wrong {
            for text in texts {
                assert_eq!(rational(text), Err(why), "{text}");
            }
        }
    }
}
