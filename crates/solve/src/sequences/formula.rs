//! Sequences as formulas in chips, such as `f(G, 256n + r) = 133n + t_r`.

use num_integer::Integer;

use super::sequence::Sequence;
use super::solve::{ClassId, Sequences};
use crate::chips::{Scale, half_count, marked};
use crate::convert::fit;
use crate::rules::{ChipMark, Chips, TieBreak};

/// The thresholds that a formula gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaCase {
    /// The threshold, which is one count.
    Whole,
    /// The threshold of a player who has the tie status.
    With,
    /// The threshold of a player whose opponent has it.
    Without,
    /// The least winning count among those that win ties for having more chips.
    Richer,
    /// The least winning count among the others.
    Poorer,
}

/// The formula f(G, p·n + r) = m·n + t_r for every n ≥ 0, with finitely many exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThresholdFormula {
    /// The thresholds that it gives.
    pub part: FormulaCase,
    /// The least period p in which the threshold grows by a whole number of chips.
    pub period: u64,
    /// The increment m: this number of chips.
    pub increment: u64,
    /// The terms t_0, …, t_{p−1}; one may be negative if the formula does not hold for that total
    /// itself.
    pub terms: Vec<Chips>,
    /// The total from which on the formula holds for every total.
    pub from: u64,
    /// The totals for which it does not hold, with the threshold and the value of the formula.
    pub exceptions: Vec<(u64, Chips, Chips)>,
}

/// A row of thresholds that is linear over its period from some total on.
struct LinearRun<'s> {
    period: u64,
    increment: u64,
    pre_period: u64,
    at: Box<dyn Fn(u64) -> u64 + 's>,
    /// If set, it counts half chips, with an odd number for the status.
    halves: bool,
}

impl<'s> LinearRun<'s> {
    fn of(sequence: &'s Sequence, halves: bool) -> Self {
        // The number of chips by which the threshold grows in a period has to be whole.
        let times = if halves && sequence.increment() % 2 == 1 {
            2
        } else {
            1
        };
        Self {
            period: sequence.period() * times,
            increment: sequence.increment() * times,
            pre_period: sequence.pre_period(),
            at: Box::new(|total| sequence.at(total)),
            halves,
        }
    }

    /// Combines both rows into one in half chips, if at each total a player without the status
    /// needs as much as with it, or one more.
    fn interleaved(with: &'s Sequence, without: &'s Sequence) -> Option<Self> {
        let period = with.period().lcm(&without.period());
        // Both increments are counted over the common period, so that they can be compared.
        let increments = [with, without].map(|row| row.increment() * (period / row.period()));
        let pre_period = with.pre_period().max(without.pre_period());
        let fits = |total| (with.at(total)..=with.at(total) + 1).contains(&without.at(total));
        let holds = increments[0] == increments[1] && (0..pre_period + period).all(fits);
        // The sum of the two counts is twice the first, plus one where the second is greater, which
        // is the notation in half chips.
        holds.then(|| Self {
            period,
            increment: 2 * increments[0],
            pre_period,
            at: Box::new(|total| with.at(total) + without.at(total)),
            halves: true,
        })
    }
}

impl Sequences {
    /// Returns the thresholds of a class as formulas: one, or one for each part.
    pub fn formulas(&self, class: ClassId) -> Vec<ThresholdFormula> {
        let parts: &[FormulaCase] = match self.scale() {
            Scale::Half | Scale::Plain => &[FormulaCase::Whole],
            Scale::ByHolder => &[FormulaCase::With, FormulaCase::Without],
            Scale::ByMajority(_) => &[FormulaCase::Richer, FormulaCase::Poorer],
        };
        let sequences = self.sequences(class);
        if let (Scale::ByHolder, [with, without]) = (self.scale(), sequences)
            && matches!(self.ties(), TieBreak::Advantage | TieBreak::MakeItTakeIt)
            // If the two thresholds never differ by more than one chip, one formula in half chips
            // says as much as two.
            && let Some(run) = LinearRun::interleaved(with, without)
        {
            return vec![self.formula(FormulaCase::Whole, &run)];
        }
        let halves = self.scale() == Scale::Half;
        parts
            .iter()
            .zip(sequences)
            .map(|(&part, sequence)| self.formula(part, &LinearRun::of(sequence, halves)))
            .collect()
    }

    fn formula(&self, part: FormulaCase, run: &LinearRun<'_>) -> ThresholdFormula {
        // A threshold of "never" has no mark.
        let never = |total: u64| run.halves && (run.at)(total) / 2 > total;
        run.formula(part, |raw, total| match part {
            FormulaCase::Whole if never(total) => Chips::new(raw / 2, ChipMark::None),
            FormulaCase::Whole if run.halves => half_count(self.ties(), raw),
            FormulaCase::With | FormulaCase::Without => {
                marked(self.ties(), raw, part == FormulaCase::With)
            }
            FormulaCase::Whole | FormulaCase::Richer | FormulaCase::Poorer => {
                Chips::new(raw, ChipMark::None)
            }
        })
    }
}

impl ThresholdFormula {
    /// Creates the formula of a sequence of counts without marks.
    pub fn plain(part: FormulaCase, sequence: &Sequence) -> Self {
        LinearRun::of(sequence, false).formula(part, |count, _| Chips::new(count, ChipMark::None))
    }
}

impl LinearRun<'_> {
    /// Converts the run to a formula; `chips` converts a count at a total to chips.
    fn formula(&self, part: FormulaCase, chips: impl Fn(i64, u64) -> Chips) -> ThresholdFormula {
        let LinearRun {
            period,
            increment,
            pre_period: start,
            at,
            halves,
        } = self;
        let (period, increment, start) = (*period, *increment, *start);
        // Each residue is read at its first total in the linear part, and extrapolated back to n =
        // 0.
        let turns = |residue: u64| start.saturating_sub(residue).div_ceil(period);
        let settled = |residue: u64| residue + turns(residue) * period;
        let term = |residue: u64| {
            fit::<i64>(at(settled(residue))) - fit::<i64>(turns(residue) * increment)
        };
        let terms: Vec<i64> = (0..period).map(term).collect();
        // The formula may hold by chance before the linear part, so only true exceptions are
        // listed.
        let exceptions = (0..start).filter_map(|total| {
            let (value, turns) = (fit::<i64>(at(total)), total / period);
            let formula = terms[fit::<usize>(total % period)] + fit::<i64>(turns * increment);
            (value != formula).then(|| {
                (
                    total,
                    chips(value, total),
                    chips(formula, settled(total % period)),
                )
            })
        });
        ThresholdFormula {
            part,
            period,
            // The increment is even here, because the period was doubled otherwise.
            increment: if *halves { increment / 2 } else { increment },
            from: start,
            exceptions: exceptions.collect(),
            terms: terms
                .iter()
                .zip(0..)
                .map(|(&term, residue)| chips(term, settled(residue)))
                .collect(),
        }
    }
}
