//! Values of the cells in selection games under random-turn play, and with it under real-valued
//! bidding.
//!
//! When a fair coin decides who takes the next cell, both players want the cell that is most likely
//! *pivotal*: its owner decides the game when the rest is filled at random (Peres, Schramm,
//! Sheffield & Wilson 2007; Arun 2021, Theorem 3.2). So the value of the game is its value under a
//! random filling, and the best bid is half the probability of being pivotal, of all the money
//! (Payne & Robeva 2008; Arun, Theorem 3.4). A cell's probability of being pivotal is P(Alice wins
//! | she has it) − P(Alice wins | Bob has it), so that each filling needs to be evaluated only once
//! for all cells (Arun, Theorem 3.3, for the games where more cells never hurt).
//!
//! Fillings are evaluated 64 at a time, one per bit: all of them if there are few, else as many
//! random ones as asked for.

mod fillings;
mod judge;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::convert::fit;
use crate::game::ruleset::selection::Selection;
use crate::parallel;
use crate::player::Player;
use crate::watch::{Context, Stop};
use fillings::{Every, Fillings, Random};
use judge::Bench;

/// The number of empty cells up to which all fillings are evaluated.
pub const EXACT_CELLS: usize = 26;

/// The probability with which some printed bound of a sample may be wrong.
pub const DOUBT: f64 = 1e-6;

/// The number of blocks of 64 fillings in a chunk, which one thread evaluates at a time.
const CHUNK: u64 = 1 << 10;

/// The number of blocks that a thread evaluates between two checks.
const ASK_EVERY: u32 = 1 << 5;

/// The method that chooses the fillings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FillingMethod {
    /// Every filling.
    Exact,
    /// A number of random fillings.
    Sample {
        /// The number of fillings, rounded up to a multiple of 64.
        fillings: u64,
        /// The seed of the random generator.
        seed: u64,
    },
}

/// The counts over the fillings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// The method that chose the fillings.
    pub method: FillingMethod,
    /// The number of fillings.
    pub fillings: u64,
    /// The number of fillings in which Alice wins.
    pub wins: u64,
    /// For each cell, the number of fillings in which Alice has it, and of those in which she has
    /// it and wins.
    pub cells: Vec<[u64; 2]>,
}

/// The reason why nothing was counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountFailure {
    /// The work was stopped.
    Stopped(Stop),
    /// A filled board has no winner, or both players win on it; the list contains the owners of its
    /// cells.
    NotOneWinner(Vec<Player>),
}

/// A number that is known exactly or to lie between bounds.
#[derive(Debug, Clone, PartialEq)]
pub enum KnownNumber {
    /// The exact number.
    Exactly(BigRational),
    /// Bounds that hold, together with all other bounds of the same counts, except with a
    /// probability of [`DOUBT`].
    Between(f64, f64),
}

/// Evaluates fillings of the empty cells and counts Alice's wins.
///
/// # Errors
/// If the work is stopped, or a filling does not have one winner, so that the game is no selection
/// game.
pub fn count(
    selection: &Selection<'_>,
    method: FillingMethod,
    context: &Context<'_>,
) -> Result<Counts, CountFailure> {
    match method {
        FillingMethod::Exact => {
            count_over(selection, &Every::new(&selection.taken), method, context)
        }
        FillingMethod::Sample { fillings, seed } => count_over(
            selection,
            &Random::new(&selection.taken, fillings, seed),
            method,
            context,
        ),
    }
}

fn count_over(
    selection: &Selection<'_>,
    fillings: &impl Fillings,
    method: FillingMethod,
    context: &Context<'_>,
) -> Result<Counts, CountFailure> {
    // Threads count on their own, and sums of integers do not depend on the order in which they are
    // added.
    let empty = || Counts {
        method,
        fillings: 0,
        wins: 0,
        cells: vec![[0; 2]; selection.taken.len()],
    };
    let chunks = fillings.blocks().div_ceil(CHUNK);
    let done = std::sync::atomic::AtomicU64::new(0);
    let chunk_into = |bench: &mut Bench, counts: &mut Counts, chunk: u64| {
        context.check().map_err(CountFailure::Stopped)?;
        let blocks = chunk * CHUNK..fillings.blocks().min((chunk + 1) * CHUNK);
        let mut unasked = 0;
        fillings.visit(blocks, &mut |alices, lanes| {
            unasked += 1;
            if unasked % ASK_EVERY == 0 {
                context.check().map_err(CountFailure::Stopped)?;
            }
            counts.add(alices, lanes, bench.alice_wins(alices, lanes)?);
            Ok(())
        })?;
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        context.report("filling boards", done, Some(chunks));
        Ok(())
    };
    // Each piece of the work has counts of its own, and processes every chunk whose number leaves
    // the same remainder.
    let pieces = chunks.min(16 * parallel::threads() as u64);
    let counted = parallel::try_map(0..pieces, |piece| {
        let (mut bench, mut counts) = (Bench::new(selection), empty());
        (piece..chunks)
            .step_by(fit::<usize>(pieces))
            .try_for_each(|chunk| chunk_into(&mut bench, &mut counts, chunk))?;
        Ok(counts)
    })?;
    Ok(counted.iter().fold(empty(), Counts::and))
}

impl Counts {
    fn add(&mut self, alices: &[u64], lanes: u64, wins: u64) {
        self.fillings += u64::from(lanes.count_ones());
        self.wins += u64::from(wins.count_ones());
        for ([has, wins_with], alices) in self.cells.iter_mut().zip(alices) {
            *has += u64::from((alices & lanes).count_ones());
            *wins_with += u64::from((alices & wins).count_ones());
        }
    }

    fn and(mut self, other: &Self) -> Self {
        self.fillings += other.fillings;
        self.wins += other.wins;
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            cell[0] += more[0];
            cell[1] += more[1];
        }
        self
    }

    /// Returns the probability with which Alice wins when the rest is filled at random: her winning
    /// probability under random-turn play.
    pub fn win(&self) -> KnownNumber {
        match self.method {
            FillingMethod::Exact => KnownNumber::Exactly(ratio(self.wins, self.fillings)),
            FillingMethod::Sample { .. } => {
                // The error is that of numbers between −1 and 1; wins are between 0 and 1, half as
                // wide.
                let (middle, error) = (self.wins as f64 / self.fillings as f64, self.error() / 2.0);
                KnownNumber::Between((middle - error).max(0.0), (middle + error).min(1.0))
            }
        }
    }

    /// Returns the probability that a cell is pivotal; it is negative if having the cell would
    /// hurt.
    pub fn pivotal(&self, cell: usize) -> KnownNumber {
        let [has, wins_with] = self.cells[cell];
        match self.method {
            FillingMethod::Exact => KnownNumber::Exactly(
                ratio(wins_with, has) - ratio(self.wins - wins_with, self.fillings - has),
            ),
            FillingMethod::Sample { .. } => {
                // Each filling gives the cell to either player with probability 1/2, so the mean of
                // the agreement is the probability sought.
                let middle = self.agreement(cell) as f64 / self.fillings as f64;
                KnownNumber::Between(
                    (middle - self.error()).max(-1.0),
                    (middle + self.error()).min(1.0),
                )
            }
        }
    }

    /// Returns the number of fillings in which the cell is the winner's, less the number of those
    /// in which it is the loser's.
    pub fn agreement(&self, cell: usize) -> i64 {
        let [has, wins_with] = self.cells[cell];
        let winners = wins_with + (self.fillings - self.wins) - (has - wins_with);
        2 * fit::<i64>(winners) - fit::<i64>(self.fillings)
    }

    /// Returns a bound on the error of a mean of numbers from −1 to 1 over random fillings, by
    /// Hoeffding's inequality, with the doubt shared by the bounds of all cells and of the game.
    pub fn error(&self) -> f64 {
        // The doubts of all bounds add up to the doubt allowed, whatever their dependence.
        let bounds = self.cells.len() as f64 + 1.0;
        (2.0 * (2.0 * bounds / DOUBT).ln() / self.fillings as f64).sqrt()
    }
}

fn ratio(part: u64, whole: u64) -> BigRational {
    BigRational::new(BigInt::from(part), BigInt::from(whole))
}
