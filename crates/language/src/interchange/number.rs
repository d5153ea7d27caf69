//! Numbers as files write them: `3`, `-1/2`, `0.25`, `1e-3`.

use num_rational::Rational64;
use num_traits::{CheckedMul, checked_pow};

/// The exact value of a number, if it is one and fits in 64 bits.
pub fn rational(text: &str) -> Option<Rational64> {
    if let Some((top, bottom)) = text.split_once('/') {
        let bottom: i64 = bottom.trim().parse().ok().filter(|bottom| *bottom > 0)?;
        return Some(Rational64::new(top.trim().parse().ok()?, bottom));
    }
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = match digits.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (digits, ""),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole.trim_start_matches(['-', '+'])) || !(part.is_empty() || is_number(part)) {
        return None;
    }
    let part = part.trim_end_matches('0');
    let digits: i64 = format!("{whole}{part}").parse().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(part.len()).ok()?)?;
    let power: i64 = checked_pow(10, usize::try_from(exponent.unsigned_abs()).ok()?)?;
    let scale = if exponent < 0 {
        Rational64::new(1, power)
    } else {
        Rational64::from_integer(power)
    };
    Rational64::from_integer(digits).checked_mul(&scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        let ratio = |top, bottom| Some(Rational64::new(top, bottom));
        let read = ["3", "-1/2", "0.25", "1e-3", "-2.50", "1e3", "+7", "1.0"].map(rational);
        let expected = [
            (3, 1),
            (-1, 2),
            (1, 4),
            (1, 1000),
            (-5, 2),
            (1000, 1),
            (7, 1),
            (1, 1),
        ];
        assert_eq!(read, expected.map(|(top, bottom)| ratio(top, bottom)));
        for bad in [
            "",
            "-",
            "x",
            "1/0",
            "1/-2",
            "1.",
            ".5",
            "1e",
            "--1",
            "1e99",
            "99999999999999999999",
            "1 2",
            "nan",
        ] {
            assert_eq!(rational(bad), None, "{bad}");
        }
    }
}
