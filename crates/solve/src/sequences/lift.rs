//! A step from thresholds to thresholds, applied to all totals at once.
//!
//! Let the step compute an output from the inputs at the same k by sums, halves rounded down,
//! minima, maxima and comparisons, halving at most once on each path. Let N be the largest
//! pre-period of the inputs, and P twice the least common multiple of their periods. For each
//! residue r the inputs at k = N + r + Pn are lines in n with even slopes ([`AffineLine`]), so the
//! output is one from some n on, which the arithmetic of lines finds. Below that the step is
//! applied total by total.

use std::ops::Range;

use num_integer::Integer;

use super::line::AffineLine;
use super::sequence::Sequence;
use crate::chips::Quantity;
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::watch::Context;

/// The thresholds of one position for all totals: a sequence for each threshold of the scale.
pub(super) type ThresholdSequences = Box<[Sequence]>;

/// A step on rows. A row has all lanes of the first threshold, then all of the second.
pub(super) trait LiftedStep {
    /// Returns the number of thresholds of the output.
    fn slots(&self) -> usize;

    /// Applies the step; `beyond` is k + 1.
    fn run<T: Quantity>(&self, rows: &[Vec<T>], beyond: &[T], out: &mut [T]);
}

/// Applies the step to all totals.
///
/// # Errors
/// If the result is too long for the memory allowed, grows at different rates for different
/// residues, or the work is stopped.
pub(super) fn lift(
    step: &impl LiftedStep,
    inputs: &[&ThresholdSequences],
    room: MemoryLeft<'_>,
) -> Result<ThresholdSequences> {
    room.context.check()?;
    let sequences = || inputs.iter().flat_map(|form| form.iter());
    let start = sequences().map(Sequence::pre_period).max().unwrap_or(0);
    // The period is twice the least common multiple, which makes all slopes even: a step halves at
    // most once on each path, and half of an even slope is an integer.
    let mut period = 2_u64;
    for sequence in sequences() {
        period = period
            // The factor 2 is kept out of the divisor, so that it remains in the period as an extra
            // factor.
            .checked_mul(sequence.period() / (period / 2).gcd(&sequence.period()))
            .ok_or_else(beyond_all)?;
    }
    // The memory is checked before anything is allocated, since a period can be astronomically
    // long.
    let rows = (sequences().count() + ROWS_OF_A_STEP * step.slots()) as u64;
    let result = step.slots() as u64;
    room.check(
        "period",
        period,
        period.saturating_mul(rows),
        size_of::<AffineLine>(),
    )?;
    let lines = lines(step, inputs, start..start + period, room.context)?;
    // From this n on all comparisons in the step have their final results, at every residue.
    let late = lines.iter().map(|line| line.from).max().unwrap_or(0);
    let end = fit::<u64>(late)
        .checked_mul(period)
        .and_then(|more| more.checked_add(start))
        .ok_or_else(beyond_all)?;
    let room = room.less(lines.len() as u64, size_of::<AffineLine>()).less(
        result.saturating_mul(end.saturating_add(period)),
        size_of::<u32>(),
    );
    room.check(
        "pre-period",
        end,
        end.saturating_mul(rows),
        size_of::<u64>(),
    )?;
    // Below the lines' range the step itself is exact, at the price of one evaluation per total.
    let before = values(step, inputs, end, room.context)?;
    let slots = lines
        .chunks(fit::<usize>(period))
        .enumerate()
        .map(|(slot, lines)| {
            room.context.check()?;
            let slope = lines[0].slope;
            // A sequence has one increment for all residues.
            if lines.iter().any(|line| line.slope != slope) {
                return Err(several_rates());
            }
            let beginning = &before[slot * fit::<usize>(end)..][..fit::<usize>(end)];
            let cycle = lines
                .iter()
                .map(|line| u32::try_from(line.at(late)).map_err(|_| beyond_all()));
            let beginning = beginning
                .iter()
                .map(|&value| u32::try_from(value).map_err(|_| beyond_all()));
            let slope = u64::try_from(slope).map_err(|_| beyond_all())?;
            Ok(Sequence::new(
                beginning.chain(cycle).collect::<Result<_>>()?,
                fit::<usize>(period),
                slope,
            ))
        });
    slots.collect()
}

/// Computes the output for k = start + r + period·n, as lines in n.
fn lines(
    step: &impl LiftedStep,
    inputs: &[&ThresholdSequences],
    totals: Range<u64>,
    context: &Context<'_>,
) -> Result<Vec<AffineLine>> {
    let period = totals.end - totals.start;
    let line = |sequence: &Sequence, k| {
        let slope = sequence.increment() * (period / sequence.period());
        AffineLine::new(fit::<i64>(slope), fit::<i64>(sequence.at(k)))
    };
    run(
        step,
        inputs,
        totals,
        At {
            line_or_value: line,
            beyond: |k| AffineLine::new(fit::<i64>(period), fit::<i64>(k) + 1),
        },
        context,
    )
}

/// Computes the output for k below `end`.
fn values(
    step: &impl LiftedStep,
    inputs: &[&ThresholdSequences],
    end: u64,
    context: &Context<'_>,
) -> Result<Vec<u64>> {
    run(
        step,
        inputs,
        0..end,
        At {
            line_or_value: Sequence::at,
            beyond: |k| k + 1,
        },
        context,
    )
}

/// The functions that give the numbers of a step at one total.
struct At<V, B> {
    /// The number of a sequence.
    line_or_value: V,
    /// The number k + 1.
    beyond: B,
}

/// The number of totals to which a step is applied between two checks.
const CHECK_EVERY: u64 = 1 << 12;

fn run<T: Quantity>(
    step: &impl LiftedStep,
    inputs: &[&ThresholdSequences],
    totals: Range<u64>,
    at: At<impl Fn(&Sequence, u64) -> T + Copy, impl Fn(u64) -> T>,
    context: &Context<'_>,
) -> Result<Vec<T>> {
    let whole = fit::<usize>(totals.end - totals.start);
    let mut out = vec![T::NOTHING; step.slots() * whole];
    // The totals are lanes of a row, so the recursion is the code that also fills the tables.
    for start in totals.clone().step_by(fit::<usize>(CHECK_EVERY)) {
        context.check()?;
        let some = start..totals.end.min(start + CHECK_EVERY);
        let row = |form: &&ThresholdSequences| {
            let of = |sequence| some.clone().map(move |k| (at.line_or_value)(sequence, k));
            form.iter().flat_map(of).collect::<Vec<T>>()
        };
        let rows: Vec<_> = inputs.iter().map(row).collect();
        let beyond: Vec<T> = some.clone().map(&at.beyond).collect();
        let mut found = vec![T::NOTHING; step.slots() * beyond.len()];
        step.run(&rows, &beyond, &mut found);
        let first = fit::<usize>(start - totals.start);
        for (slot, found) in found.chunks(beyond.len()).enumerate() {
            out[slot * whole + first..][..found.len()].copy_from_slice(found);
        }
    }
    Ok(out)
}

/// The number of rows of a step besides its inputs: the thresholds after winning, those after
/// losing, and the output.
const ROWS_OF_A_STEP: usize = 3;

/// The memory that is left.
#[derive(Clone, Copy)]
pub(super) struct MemoryLeft<'a> {
    /// The context that has the limit.
    pub(super) context: &'a Context<'a>,
    /// The number of bytes that are taken already.
    pub(super) taken: u64,
}

impl MemoryLeft<'_> {
    /// Returns the memory that is left after `numbers` more numbers of `bytes` each.
    fn less(self, numbers: u64, bytes: usize) -> Self {
        Self {
            taken: self
                .taken
                .saturating_add(numbers.saturating_mul(bytes as u64)),
            ..self
        }
    }

    /// Checks that `numbers` numbers of `bytes` each fit. The error says that `what` is `length`
    /// long.
    fn check(self, what: &str, length: u64, numbers: u64, bytes: usize) -> Result<()> {
        /// The greatest length; thresholds in half chips fit in 32 bits up to it.
        const MOST: u64 = 1 << 30;
        let limit = self.context.limits.max_memory;
        if length <= MOST && self.less(numbers, bytes).taken <= limit {
            return Ok(());
        }
        Err(too_long(what, length, limit))
    }
}

fn too_long(what: &str, length: u64, limit: u64) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Memory,
        format!(
            "stopped: the closed form has a {what} of up to {length}, too long for {limit} bytes"
        ),
    )
    .help("raise the limit with `--max-memory SIZE`, or ask for a range of totals, `f(G, 0..1000)`")
    .into()
}

fn beyond_all() -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Memory,
        "stopped: the closed form has a period of more than 64 bits",
    )
    .help("ask for a range of totals, `f(G, 0..1000)`")
    .into()
}

fn several_rates() -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NotSupported,
        "the threshold grows at different rates for different residues of k, which the closed forms do not cover",
    )
    .help("`winner: chooses` has closed forms for every rule for ties; `f(G, 0..1000)` computes a range of totals")
    .into()
}
