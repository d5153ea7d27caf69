//! Eventually quasi-linear sequences of natural numbers.

use crate::convert::fit;
use num_integer::Integer;

/// A sequence s(0), s(1), …, with s(k + p) = s(k) + m for every k from the *pre-period* on, where p
/// is the *period* and m the *increment*.
///
/// Period and pre-period are the least possible ones, so that equal sequences are equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sequence {
    prefix: Box<[u32]>,
    cycle: Box<[u32]>,
    increment: u64,
}

impl Sequence {
    /// Creates the sequence that begins with `values` and goes on with s(k + p) = s(k) + m, where
    /// the last p of the values are the first period for which this holds.
    ///
    /// # Panics
    /// If there are fewer values than the period, or the period is 0.
    pub fn new(mut values: Vec<u32>, period: usize, increment: u64) -> Self {
        assert!(
            0 < period && period <= values.len(),
            "the values hold a period"
        );
        let first = values.len() - period;
        let (period, increment) = least_period(&values[first..], increment);
        let mut start = first;
        // Values before the period given may follow the same law, and the least pre-period makes
        // equal sequences equal values.
        while start > 0
            && u64::from(values[start - 1]) + increment == u64::from(values[start - 1 + period])
        {
            start -= 1;
        }
        let cycle = values[start..start + period].into();
        values.truncate(start);
        Self {
            prefix: values.into(),
            cycle,
            increment,
        }
    }

    /// Returns s(k).
    pub fn at(&self, k: u64) -> u64 {
        let Some(beyond) = k.checked_sub(self.pre_period()) else {
            return u64::from(self.prefix[fit::<usize>(k)]);
        };
        let (turns, place) = beyond.div_rem(&self.period());
        u64::from(self.cycle[fit::<usize>(place)]) + turns * self.increment
    }

    /// Returns the least p with s(k + p) = s(k) + m for all large k.
    pub fn period(&self) -> u64 {
        self.cycle.len() as u64
    }

    /// Returns the growth of the sequence in a period.
    pub fn increment(&self) -> u64 {
        self.increment
    }

    /// Returns the k from which on s(k + p) = s(k) + m.
    pub fn pre_period(&self) -> u64 {
        self.prefix.len() as u64
    }

    /// Returns the size of the sequence in bytes.
    pub fn bytes(&self) -> u64 {
        (size_of::<Self>() + size_of_val::<[u32]>(&self.prefix) + size_of_val::<[u32]>(&self.cycle))
            as u64
    }
}

/// Returns the least period of a sequence that has the period `cycle.len()`, and its increment.
fn least_period(cycle: &[u32], increment: u64) -> (usize, u64) {
    let (mut period, mut increment) = (cycle.len(), increment);
    let mut rest = period;
    let mut divisor = 2;
    while rest > 1 {
        if divisor * divisor > rest {
            // The rest has no divisor up to its square root, so it is prime.
            divisor = rest;
        }
        if !rest.is_multiple_of(divisor) {
            divisor += 1;
            continue;
        }
        // Every prime factor is tried as often as it occurs; a factor that fails once fails for
        // each shorter period too.
        rest /= divisor;
        let part = period / divisor;
        if increment.is_multiple_of(divisor as u64)
            && has_period(&cycle[..period], increment, part, divisor)
        {
            period = part;
            increment /= divisor as u64;
        }
    }
    (period, increment)
}

/// Returns whether the sequence that `cycle` and `increment` describe grows by a `divisor`-th of
/// the increment in `part` steps.
fn has_period(cycle: &[u32], increment: u64, part: usize, divisor: usize) -> bool {
    let step = increment / divisor as u64;
    let later = cycle[part..].iter().map(|&value| u64::from(value));
    // The end of the cycle is compared with the beginning of the next one, which is one increment
    // higher.
    let wrapped = cycle[..part]
        .iter()
        .map(|&value| u64::from(value) + increment);
    cycle
        .iter()
        .zip(later.chain(wrapped))
        .all(|(&value, later)| u64::from(value) + step == later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn period_and_pre_period_are_the_least() {
        // The sequence is k + 1, in the second case with an odd beginning, and is given with a
        // period of 12.
        let sequence = Sequence::new((1..=20).collect(), 12, 12);
        assert_eq!(
            (
                sequence.pre_period(),
                sequence.period(),
                sequence.increment()
            ),
            (0, 1, 1)
        );
        let sequence = Sequence::new([7].into_iter().chain(2..=20).collect(), 12, 12);
        assert_eq!(
            (
                sequence.pre_period(),
                sequence.period(),
                sequence.increment()
            ),
            (1, 1, 1)
        );
        assert_eq!(
            (0..4).map(|k| sequence.at(k)).collect::<Vec<_>>(),
            [7, 2, 3, 4]
        );
    }

    #[test]
    fn every_way_to_tell_a_sequence_gives_the_same_value() {
        let value = |k: u64| (2 * k / 3 + u64::from(k % 4 == 1)) as u32 + u32::from(k < 5) * 9;
        let told = |length: u64, period: usize| {
            Sequence::new(
                (0..length).map(value).collect(),
                period,
                period as u64 * 2 / 3,
            )
        };
        let least = told(17, 12);
        assert_eq!(
            (least.pre_period(), least.period(), least.increment()),
            (5, 12, 8)
        );
        assert!((0..200).all(|k| least.at(k) == u64::from(value(k))));
        for (length, period) in [(29, 12), (41, 36), (50, 24), (72, 60)] {
            assert_eq!(told(length, period), least);
        }
    }
}
