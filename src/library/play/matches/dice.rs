//! Random numbers from a seed.

use std::cell::RefCell;
use std::rc::Rc;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::convert::fit;
use crate::player::Player;

/// Random numbers from a seed, by splitmix64 (Steele, Lea & Flood, 2014), so that a match can be
/// repeated. Clones draw from the same sequence.
#[derive(Clone)]
pub(crate) struct Dice(Rc<RefCell<RandomNumbers>>);

struct RandomNumbers {
    numbers: SplitMix64,
    /// The number of choices between several possibilities.
    chances: u64,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rc::new(RefCell::new(RandomNumbers {
            numbers: SplitMix64::seed_from_u64(seed),
            chances: 0,
        })))
    }

    /// Returns how often chance has chosen between several possibilities.
    pub(crate) fn chances(&self) -> u64 {
        self.0.borrow().chances
    }

    /// Returns a number from 0 up to 1, exclusive.
    pub(crate) fn fraction(&self) -> f64 {
        self.among(true)
    }

    /// Draws a number from 0 up to 1, exclusive. `are_several` says whether it decides between
    /// several outcomes; otherwise nothing is left to chance.
    fn among(&self, are_several: bool) -> f64 {
        let mut sequence = self.0.borrow_mut();
        sequence.chances += u64::from(are_several);
        // A floating-point number has 53 bits, so the other 11 would only be rounded, perhaps up to
        // 1.
        (sequence.numbers.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a whole number below `most`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part of `most`"
    )]
    pub(crate) fn below(&self, most: u64) -> u64 {
        // For a large `most` the product may round up to it.
        ((self.among(most > 1) * most as f64) as u64).min(most - 1)
    }

    /// Returns either player.
    pub(crate) fn either(&self) -> Player {
        Player::BOTH[fit::<usize>(self.below(2))]
    }

    /// Returns an index, drawn with these weights.
    pub(crate) fn draw(&self, weights: &[f64]) -> u64 {
        let are_several = weights.iter().filter(|weight| **weight > 0.0).count() > 1;
        let mut left = self.among(are_several) * weights.iter().sum::<f64>();
        let mut last = 0;
        for (index, &weight) in (0..).zip(weights).filter(|(_, weight)| **weight > 0.0) {
            if left < weight {
                return index;
            }
            left -= weight;
            last = index;
        }
        // Rounding may leave a rest, which then belongs to the last bid that has a weight.
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bids_are_drawn_with_their_weights_and_repeat_with_the_seed() {
        let weights = [0.5, 0.0, 0.25, 0.25];
        let drawn = |seed| {
            let dice = Dice::new(seed);
            (0..4000).map(|_| dice.draw(&weights)).collect::<Vec<u64>>()
        };
        let count = |bid| drawn(7).into_iter().filter(|drawn| *drawn == bid).count();
        assert_eq!(count(1), 0);
        assert!(
            (1850..2150).contains(&count(0)) && (880..1120).contains(&count(2)),
            "{} {}",
            count(0),
            count(2)
        );
        assert_eq!(drawn(3), drawn(3));
        assert_ne!(drawn(3), drawn(4));
    }
}
