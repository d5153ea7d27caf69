//! Sequences as formulas in chips, `f(G, 256n + r) = 133n + t_r`.

use super::sequence::Sequence;
use super::solve::{ClassId, Sequences};
use crate::rules::{Chips, Mark};
use crate::solve::chips::{Scale, half_count, marked};

/// Which thresholds a formula gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
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

/// f(G, p·n + r) = m·n + t_r for every n ≥ 0, with finitely many exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// What it is about.
    pub part: Part,
    /// The least period p in which the threshold grows by a whole number of chips.
    pub period: u64,
    /// That number, m.
    pub increment: u64,
    /// t_0, …, t_{p−1}; one may be negative if the formula does not hold for that total itself.
    pub terms: Vec<Chips>,
    /// The total from which on the formula holds for every total.
    pub from: u64,
    /// Totals for which it does not hold, with the threshold and what the formula gives.
    pub exceptions: Vec<(u64, Chips, Chips)>,
}

impl Sequences {
    /// The thresholds of a class as formulas: one, or one for each part.
    pub fn formulas(&self, class: ClassId) -> Vec<Formula> {
        let parts: &[Part] = match self.scale() {
            Scale::Half | Scale::Plain => &[Part::Whole],
            Scale::ByHolder => &[Part::With, Part::Without],
            Scale::ByMajority(_) => &[Part::Richer, Part::Poorer],
        };
        parts.iter().zip(self.sequences(class)).map(|(&part, sequence)| self.formula(part, sequence)).collect()
    }

    fn formula(&self, part: Part, sequence: &Sequence) -> Formula {
        let halves = self.scale() == Scale::Half;
        let times = if halves && sequence.increment() % 2 == 1 { 2 } else { 1 };
        let (period, raw_increment) = (sequence.period() * times, sequence.increment() * times);
        // What is never enough has no mark.
        let never = |total: u64| halves && sequence.at(total) == 2 * (total + 1);
        let chips = |raw: i64, total: u64| match (self.scale(), part) {
            (Scale::Half, _) if never(total) => Chips::new(raw / 2, Mark::None),
            (Scale::Half, _) => half_count(self.ties(), raw),
            (Scale::ByHolder, part) => marked(self.ties(), raw, part == Part::With),
            (Scale::Plain | Scale::ByMajority(_), _) => Chips::new(raw, Mark::None),
        };
        let start = sequence.pre_period();
        let turns = |residue: u64| start.saturating_sub(residue).div_ceil(period);
        let settled = |residue: u64| residue + turns(residue) * period;
        let term = |residue: u64| sequence.at(settled(residue)) as i64 - (turns(residue) * raw_increment) as i64;
        let terms: Vec<i64> = (0..period).map(term).collect();
        let exceptions = (0..start).filter_map(|total| {
            let (value, turns) = (sequence.at(total) as i64, total / period);
            let formula = terms[(total % period) as usize] + (turns * raw_increment) as i64;
            (value != formula).then(|| (total, chips(value, total), chips(formula, settled(total % period))))
        });
        Formula {
            part,
            period,
            increment: if halves { raw_increment / 2 } else { raw_increment },
            from: start,
            exceptions: exceptions.collect(),
            terms: terms.iter().zip(0..).map(|(&term, residue)| chips(term, settled(residue))).collect(),
        }
    }
}
