//! A number between proved bounds of any length, as a decimal with its error.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero, pow};

/// Proved bounds of a number, the first less than the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// It is not less.
    pub low: BigRational,
    /// It is not more.
    pub high: BigRational,
}

impl Bounds {
    /// The middle to as many digits as the bounds agree on, and how far the bounds are from it: `0.41421356237310 ± 2e-14`.
    pub fn text(&self) -> String {
        let width = &self.high - &self.low;
        if width.is_zero() {
            return self.low.to_string();
        }
        let ten = BigInt::from(10);
        // 10^-digits is less than the width.
        let digits = (width.recip().ceil().to_integer()).to_string().len();
        let unit = pow(ten, digits);
        let middle = ((&self.low + &self.high) / BigInt::from(2) * &unit).round().to_integer();
        let shown = BigRational::new(middle.clone(), unit.clone());
        let error = (&self.high - &shown).max(&shown - &self.low) * unit;
        format!("{} ± {}", decimal(&middle, digits), one_digit(error.ceil().to_integer(), digits))
    }
}

/// `number / 10^digits`.
fn decimal(number: &BigInt, digits: usize) -> String {
    let sign = if number < &BigInt::zero() { "-" } else { "" };
    let text = format!("{:0>width$}", number.magnitude(), width = digits + 1);
    let (whole, part) = text.split_at(text.len() - digits);
    format!("{sign}{whole}.{part}")
}

/// `number / 10^digits` rounded up to one digit: `3e-13`.
fn one_digit(number: BigInt, digits: usize) -> String {
    let places = number.to_string().len() - 1;
    let unit = pow(BigInt::from(10), places);
    let leading = (number + &unit - BigInt::one()) / unit;
    let (leading, places) = if leading == BigInt::from(10) { (BigInt::one(), places + 1) } else { (leading, places) };
    format!("{leading}e{}", places as i64 - digits as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_that_are_known_are_shown() {
        let ratio = |n: i64, d: i64| BigRational::new(n.into(), d.into());
        let text = |low, high| Bounds { low, high }.text();
        assert_eq!(text(ratio(1, 3), ratio(1, 3)), "1/3");
        assert_eq!(text(ratio(333_333, 1_000_000), ratio(333_334, 1_000_000)), "0.3333335 ± 5e-7");
        assert_eq!(text(ratio(0, 1), ratio(1, 2)), "0.3 ± 3e-1");
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
            let float = |number: &BigRational| num_traits::ToPrimitive::to_f64(number).expect("a float");
            assert!(parse(middle) - parse(error) <= float(&bounds.low) + 1e-12, "{text}");
            assert!(parse(middle) + parse(error) >= float(&bounds.high) - 1e-12, "{text}");
        }
    }
}
