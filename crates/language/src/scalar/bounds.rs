//! A number between proved bounds of any length, printed as a decimal with its error.

use borsh::{BorshDeserialize, BorshSerialize};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero, pow};
use serde::Serialize;

use super::json;
use crate::convert::fit;

/// Proved bounds of a number, the first less than the second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "bounds")]
pub struct Bounds {
    /// The lower bound.
    #[serde(serialize_with = "json::rational")]
    #[borsh(
        serialize_with = "crate::codec::write_rational",
        deserialize_with = "crate::codec::read_rational"
    )]
    pub low: BigRational,
    /// The upper bound.
    #[serde(serialize_with = "json::rational")]
    #[borsh(
        serialize_with = "crate::codec::write_rational",
        deserialize_with = "crate::codec::read_rational"
    )]
    pub high: BigRational,
}

/// The distance from the middle, in thousandths, from which bounds are printed as a decimal with
/// two digits of error.
const WIDE: i64 = 1;

impl Bounds {
    /// Prints the middle to as many digits as the bounds agree on, and the distance of the bounds
    /// from it: `0.41421356237310 ± 2e-14`. The printed interval contains both bounds.
    pub fn text(&self) -> String {
        let width = &self.high - &self.low;
        if width.is_zero() {
            return self.low.to_string();
        }
        let half = &width / BigInt::from(2);
        if half >= BigRational::new(WIDE.into(), 1000.into()) {
            return self.wide(&half);
        }
        // So many digits that 10^-digits is less than the width.
        let digits = (width.recip().ceil().to_integer()).to_string().len();
        let (middle, _) = self.rounded(digits);
        // The distance is rounded up to one digit of its own, which may stand further right.
        let shown = BigRational::new(middle.clone(), pow(BigInt::from(10), digits));
        let finer = digits + 3;
        let error = (&self.high - &shown).max(&shown - &self.low) * pow(BigInt::from(10), finer);
        format!(
            "{} ± {}",
            decimal(&middle, digits),
            one_digit(error.ceil().to_integer(), finer)
        )
    }

    /// Prints the middle and the distance with two digits of the distance, and removes zeros at the
    /// end of both: `0.5 ± 0.5`, `0.25 ± 0.25`.
    fn wide(&self, half: &BigRational) -> String {
        let leading = (1..4)
            .find(|&digits| half * pow(BigInt::from(10), digits) >= BigRational::one())
            .unwrap_or(1);
        let mut digits = if *half >= BigRational::one() {
            1
        } else {
            leading + 1
        };
        let (mut middle, mut error) = self.rounded(digits);
        let ten = BigInt::from(10);
        while digits > 1 && (&middle % &ten).is_zero() && (&error % &ten).is_zero() {
            (middle, error, digits) = (middle / &ten, error / &ten, digits - 1);
        }
        format!("{} ± {}", decimal(&middle, digits), decimal(&error, digits))
    }

    /// Rounds the middle to this many digits after the point. Also returns the greatest distance of
    /// the bounds from it. Both are in units of the last digit.
    fn rounded(&self, digits: usize) -> (BigInt, BigInt) {
        let unit = pow(BigInt::from(10), digits);
        let middle = ((&self.low + &self.high) / BigInt::from(2) * &unit)
            .round()
            .to_integer();
        let shown = BigRational::new(middle.clone(), unit.clone());
        let error = (&self.high - &shown).max(&shown - &self.low) * unit;
        (middle, error.ceil().to_integer())
    }
}

/// Prints `number / 10^digits`.
pub fn decimal(number: &BigInt, digits: usize) -> String {
    let sign = if number < &BigInt::zero() { "-" } else { "" };
    let text = number.magnitude().to_string();
    // The width of a format argument is limited to 65,535, so the zeros are written by hand.
    let zeros = "0".repeat((digits + 1).saturating_sub(text.len()));
    let text = zeros + &text;
    let (whole, part) = text.split_at(text.len() - digits);
    let point = if part.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{part}")
}

/// Prints `number / 10^digits` rounded up to one digit: `3e-13`.
fn one_digit(number: BigInt, digits: usize) -> String {
    let places = number.to_string().len() - 1;
    let unit = pow(BigInt::from(10), places);
    let leading = (number + &unit - BigInt::one()) / unit;
    // A 9 that is rounded up becomes a 10, which is 1 in the next place.
    let (leading, places) = if leading == BigInt::from(10) {
        (BigInt::one(), places + 1)
    } else {
        (leading, places)
    };
    format!("{leading}e{}", fit::<i64>(places) - fit::<i64>(digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_that_are_known_are_shown() {
        let ratio = |n: i64, d: i64| BigRational::new(n.into(), d.into());
        let text = |low, high| Bounds { low, high }.text();
        assert_eq!(text(ratio(1, 3), ratio(1, 3)), "1/3");
        assert_eq!(
            text(ratio(333_333, 1_000_000), ratio(333_334, 1_000_000)),
            "0.3333335 ± 5e-7"
        );
        assert_eq!(text(ratio(0, 1), ratio(1, 2)), "0.25 ± 0.25");
        assert_eq!(text(ratio(0, 1), ratio(1, 1)), "0.5 ± 0.5");
        assert_eq!(text(ratio(-1, 1), ratio(4, 1)), "1.5 ± 2.5");
        assert_eq!(text(ratio(1, 3), ratio(2, 3)), "0.50 ± 0.17");
        assert_eq!(text(ratio(1, 2), ratio(502, 1000)), "0.501 ± 0.001");
        assert_eq!(text(ratio(999, 1000), ratio(1000, 1000)), "0.9995 ± 5e-4");
        assert_eq!(text(ratio(998, 1000), ratio(1000, 1000)), "0.999 ± 0.001");
        assert_eq!(text(ratio(-30, 1), ratio(170, 1)), "70.0 ± 100.0");
    }

    /// Wide bounds are printed at most fifteen hundredths wider, narrow ones at most four times as
    /// wide.
    #[test]
    fn what_is_shown_is_not_much_wider() {
        for (n, scale) in (1..300_i64)
            .flat_map(|n| [1_i64, 10, 100, 1_000, 100_000, 1_000_000_000].map(|scale| (n, scale)))
        {
            let low = BigRational::new((n * 37).into(), 9973.into());
            let high = &low + BigRational::new(n.into(), (97 * scale).into());
            let bounds = Bounds { low, high };
            let text = bounds.text();
            let (_, error) = text.split_once(" ± ").expect("a decimal with its error");
            let shown: f64 = error.parse().expect("a number");
            let half = num_traits::ToPrimitive::to_f64(&(&bounds.high - &bounds.low))
                .expect("a float")
                / 2.0;
            let most = if half >= 0.001 { 1.15 } else { 4.0 };
            assert!(
                shown >= half * 0.999_999 && shown <= half * most + 1e-15,
                "{text} for a half of {half}"
            );
        }
    }

    #[test]
    fn what_is_shown_holds_both_bounds() {
        for n in 1..200_i64 {
            let bounds = Bounds {
                low: BigRational::new(n.into(), 701.into()),
                high: BigRational::new((3 * n + 1).into(), 2103.into()),
            };
            let text = bounds.text();
            let (middle, error) = text.split_once(" ± ").expect("a decimal with its error");
            let parse = |text: &str| text.parse::<f64>().expect("a number");
            let float =
                |number: &BigRational| num_traits::ToPrimitive::to_f64(number).expect("a float");
            assert!(
                parse(middle) - parse(error) <= float(&bounds.low) + 1e-12,
                "{text}"
            );
            assert!(
                parse(middle) + parse(error) >= float(&bounds.high) - 1e-12,
                "{text}"
            );
        }
    }

    #[test]
    fn any_number_of_digits_is_written() {
        let text = decimal(&BigInt::from(-7), 70_000);
        assert_eq!((text.len(), &text[..4]), (70_003, "-0.0"));
        assert_eq!(decimal(&BigInt::from(-7), 0), "-7");
    }
}
