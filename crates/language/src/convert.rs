//! Conversions of integers that lose nothing.

use std::fmt::Display;

/// Converts an integer to another type of integers. Lossless conversions are written with `From`,
/// or with `as` from 32 bits to a `usize`. This one is for values that the code around it knows to
/// be small enough.
///
/// # Panics
/// If the value does not fit: another number would be a wrong answer.
#[inline]
#[track_caller]
pub fn fit<T>(value: impl TryInto<T> + Display + Copy) -> T {
    match value.try_into() {
        Ok(fitting) => fitting,
        Err(_) => refuse(&value, std::any::type_name::<T>()),
    }
}

#[cold]
#[track_caller]
fn refuse(value: &dyn Display, kind: &str) -> ! {
    panic!("{value} does not fit into {kind}")
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn the_greatest_and_least_values_fit() {
        assert_eq!(fit::<u8>(255_u64), 255);
        assert_eq!(fit::<i8>(-128_i64), -128);
        assert_eq!(fit::<u32>(u64::from(u32::MAX)), u32::MAX);
    }

    #[test]
    #[should_panic(expected = "256 does not fit into u8")]
    fn greater_values_do_not_fit() {
        fit::<u8>(256_u64);
    }

    #[test]
    #[should_panic(expected = "-1 does not fit into u64")]
    fn negative_values_do_not_fit_without_a_sign() {
        fit::<u64>(-1_i64);
    }
}
