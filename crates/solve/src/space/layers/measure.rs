//! Search for a count that every move lowers, such as the pieces left to place, the steps left to
//! go, the counters in heaps, or a sum of these.
//!
//! A measure is a linear function of a position's features. The moves of games played at random
//! give inequalities for its coefficients, which can be satisfied if and only if the value of a
//! matrix game is positive (its optimal mixed choice then has the least sum of coefficients, so
//! layers are not far apart). Moves that do not occur in the random games may contradict the
//! measure: so a user of a measure examines every move, and asks for another measure after learning
//! the moves that it does not lower.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rustc_hash::FxHashSet;

use crate::convert::fit;
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::{Feature, MoveWalker, Ruleset, State};
use crate::matrix::exact;
use crate::number::linear::RationalSolution;
use crate::player::Player;
use crate::watch::{Context, Stop};

/// The number of positions in the random games, and the number of inequalities added at a time.
const SAMPLE: usize = 1500;
const AT_ONCE: usize = 24;

/// The greatest number of inequalities; a game that needs more is hardly of this kind.
const MOST: usize = 400;

/// The number of measures that are tried before giving up.
const ATTEMPTS: usize = 20;

/// The reason why work that needs a measure has no result.
#[derive(Debug)]
pub enum Halt {
    /// A move from the first position to the second does not lower the measure.
    NotLowered(Vec<u64>, Vec<u64>),
    /// Plays are longer than the work allows.
    TooLong,
    /// There was an error, or the work was stopped.
    Stopped(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Halt {
    fn from(stopped: Box<Diagnostic>) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop.into())
    }
}

/// The result of work that needs a measure, or of a step of it.
pub type Attempt<T> = std::result::Result<T, Halt>;

/// Does some work with one measure after another, until it finds no move that the measure does not
/// lower. Returns `None` if no such measure is found, or plays are too long.
///
/// # Errors
/// If a position cannot be evaluated, or the work is stopped.
pub fn attempt<T>(
    ruleset: &Ruleset,
    start: &State,
    context: &Context<'_>,
    mut work: impl FnMut(&Measure) -> Attempt<T>,
) -> Result<Option<T>> {
    let mut search = MeasureSearch::new(ruleset, start)?;
    for _ in 0..ATTEMPTS {
        let Some(measure) = search.measure(context)? else {
            break;
        };
        match work(&measure) {
            Ok(done) => return Ok(Some(done)),
            // The move contradicts the measure, so the next one is found with this move in mind.
            Err(Halt::NotLowered(from, to)) => search.learn(&from, &to),
            Err(Halt::TooLong) => break,
            Err(Halt::Stopped(stopped)) => return Err(stopped),
        }
    }
    Ok(None)
}

/// A count that every known move lowers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// The terms: sets of bits, with the weight of each bit in them.
    terms: Vec<(i64, Vec<u64>)>,
}

impl Measure {
    /// Computes the measure of a position.
    pub fn of(&self, position: &[u64]) -> i64 {
        let count = |mask: &[u64]| -> u32 {
            position
                .iter()
                .zip(mask)
                .map(|(word, mask)| (word & mask).count_ones())
                .sum()
        };
        self.terms
            .iter()
            .map(|(weight, mask)| weight * i64::from(count(mask)))
            .sum()
    }
}

/// The effects of moves on the features of positions, from which measures are found.
#[derive(Debug)]
pub struct MeasureSearch {
    features: Vec<Feature>,
    /// The amounts by which moves lower each feature.
    known: FxHashSet<Vec<i64>>,
    /// The inequalities that the next measure must satisfy.
    kept: Vec<Vec<i64>>,
}

impl MeasureSearch {
    /// Plays games at random from a position and learns their moves.
    ///
    /// # Errors
    /// If a position cannot be evaluated.
    pub fn new(ruleset: &Ruleset, start: &State) -> Result<Self> {
        let mut search = Self {
            features: ruleset.features(),
            known: FxHashSet::default(),
            kept: Vec::new(),
        };
        // A fixed seed makes a run repeatable, and with it the layers that are resumed from a disk.
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(0);
        let mut moves = MoveWalker::new(ruleset, ruleset.is_symmetric_from(start));
        let mut here = start.words().to_vec();
        for _ in 0..SAMPLE {
            let mut heads: Vec<Vec<u64>> = Vec::new();
            if moves.go_to(&here)?.is_none() {
                for player in Player::BOTH {
                    moves.of(player, &mut |to| heads.push(to.to_vec()))?;
                }
            }
            heads.iter().for_each(|to| search.learn(&here, to));
            here = match heads.len() as u64 {
                // A game that is over is followed by another one from the start.
                0 => start.words().to_vec(),
                count => heads.swap_remove(fit::<usize>(chance.next_u64() % count)),
            };
        }
        Ok(search)
    }

    /// Adds a move to the known ones.
    fn learn(&mut self, from: &[u64], to: &[u64]) {
        self.known.insert(
            self.features
                .iter()
                .map(|feature| feature.of(from) - feature.of(to))
                .collect(),
        );
    }

    /// Finds a measure that all known moves lower; returns `None` if there is none, or it would
    /// take too long to find.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn measure(&mut self, context: &Context<'_>) -> Result<Option<Measure>> {
        let lowered = |weights: &[i64], change: &[i64]| {
            weights.iter().zip(change).map(|(w, c)| w * c).sum::<i64>()
        };
        let mut weights = vec![0; self.features.len()];
        loop {
            let wrong = self
                .known
                .iter()
                .filter(|change| lowered(&weights, change) < 1)
                // A few violated inequalities at a time keep the matrix game small.
                .take(AT_ONCE);
            let wrong: Vec<Vec<i64>> = wrong.cloned().collect();
            if wrong.is_empty() {
                return Ok(Some(self.with_weights(&weights)));
            }
            self.kept.extend(wrong);
            if self.kept.len() > MOST {
                return Ok(None);
            }
            let Some(found) = weights_for(&self.kept, self.features.len(), context)? else {
                return Ok(None);
            };
            weights = found;
        }
    }

    fn with_weights(&self, weights: &[i64]) -> Measure {
        let mut terms: Vec<(i64, Vec<u64>)> = Vec::new();
        let words = self
            .features
            .iter()
            .flat_map(|feature| &feature.bits)
            .map(|(bit, _)| bit / 64 + 1)
            .max()
            .unwrap_or(1);
        for (feature, weight) in self
            .features
            .iter()
            .zip(weights)
            .filter(|(_, weight)| **weight != 0)
        {
            for (bit, count) in &feature.bits {
                let place = terms
                    .iter()
                    .position(|(other, _)| *other == weight * count)
                    .unwrap_or_else(|| {
                        terms.push((weight * count, vec![0; words as usize]));
                        terms.len() - 1
                    });
                // Features are disjoint sets of bits, so no bit is counted in two terms.
                terms[place].1[*bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        Measure { terms }
    }
}

/// Finds integer coefficients, as small as possible, under which every change is at least 1;
/// returns `None` if there are none.
fn weights_for(
    changes: &[Vec<i64>],
    features: usize,
    context: &Context<'_>,
) -> Result<Option<Vec<i64>>> {
    // In the matrix game Alice chooses a feature and a sign, Bob a change.
    let entries: Vec<Vec<BigRational>> = (0..2 * features)
        .map(|row| {
            let sign = if row < features { 1 } else { -1 };
            changes
                .iter()
                .map(|change| BigRational::from_integer((sign * change[row % features]).into()))
                .collect()
        })
        .collect();
    let entry = |row: usize, column: usize| &entries[row][column];
    let solution = exact::solve(2 * features, changes.len(), entry, context)?;
    // By the minimax theorem no combination of features is lowered by every change then.
    if !solution.value.is_positive() {
        return Ok(None);
    }
    let weights: Vec<BigRational> = (0..features)
        .map(|f| &solution.rows[f] - &solution.rows[features + f])
        .collect();
    let scaled = RationalSolution::of(&weights, context)?.numerators;
    let divisor = scaled
        .iter()
        .fold(BigInt::zero(), |common, weight| common.gcd(weight));
    // Greater coefficients would make more layers than there are positions.
    const GREATEST: i64 = 1 << 20;
    let whole = scaled.iter().map(|weight| {
        // Dividing by the common divisor brings the layers as close together as possible.
        (weight / &divisor)
            .to_i64()
            .filter(|weight| weight.abs() <= GREATEST)
    });
    Ok(whole.collect())
}
