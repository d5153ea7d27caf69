//! A threshold in the notation of its rule.

use std::fmt;
use std::ops::RangeInclusive;

use num_bigint::BigInt;

use super::kernel::{Scale, majority};
use crate::convert::fit;
use crate::rules::{ChipMark, Chips, TieBreak};
use crate::scalar::Scalar;

/// The least chips with which a player wins, as the rule writes them. Never winning is k + 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Threshold {
    /// A single count is enough: `3`, `3*`, `3-ε`.
    One(Chips),
    /// The two statuses do not interleave: `(3*, 5)`.
    Both {
        /// The least chips of a player who has the tie status.
        with: Chips,
        /// The least chips of a player whose opponent has it.
        without: Chips,
    },
    /// All counts that win, where they do not reach up to k (`richer` in zugzwang, where the winner
    /// of a bid must move).
    Counts(Vec<RangeInclusive<u64>>),
}

impl Threshold {
    pub(crate) fn new(scale: Scale, ties: TieBreak, raw: [u64; 2], total: u64) -> Self {
        match scale {
            Scale::Half => Self::One(half_chips(ties, raw[0], total)),
            Scale::Plain => Self::One(Chips::new(raw[0], ChipMark::None)),
            Scale::ByHolder => Self::by_holder(ties, raw, total),
            Scale::ByMajority(seeker) => Self::by_majority(raw, majority(total + 1, seeker), total),
        }
    }

    /// Creates a threshold from those of both holders. Advantage and make-it take-it interleave
    /// nearly always, and are then written as one count.
    fn by_holder(ties: TieBreak, [with, without]: [u64; 2], total: u64) -> Self {
        let one_count = matches!(ties, TieBreak::Advantage | TieBreak::MakeItTakeIt);
        // Only then do both statuses interleave, so that their sum tells both of them.
        if one_count && (with..=with + 1).contains(&without) {
            return Self::One(half_chips(ties, with + without, total));
        }
        Self::Both {
            with: marked(ties, with, true),
            without: marked(ties, without, false),
        }
    }

    fn by_majority([above, below]: [u64; 2], half: u64, total: u64) -> Self {
        let ranges: Vec<_> = match (below < half, above <= total) {
            // The two runs are adjacent, and are written as one.
            (true, true) if above == half => vec![below..=total],
            (true, true) => vec![below..=half - 1, above..=total],
            (true, false) => vec![below..=half - 1],
            (false, _) => return Self::One(Chips::new(above, ChipMark::None)),
        };
        match ranges.as_slice() {
            [range] if *range.end() == total => {
                Self::One(Chips::new(*range.start(), ChipMark::None))
            }
            _ => Self::Counts(ranges),
        }
    }
}

/// Writes 2c and 2c + 1 in the notation of the rule. More than all chips means never winning, which
/// has no mark.
fn half_chips(ties: TieBreak, half: u64, total: u64) -> Chips {
    // Such a count is k + 1 whichever status would be asked for.
    if half / 2 > total {
        return Chips::new(half / 2, ChipMark::None);
    }
    half_count(ties, fit::<i64>(half))
}

/// Writes 2c and 2c + 1 in the notation of the rule; also for differences, which may be negative.
pub(crate) fn half_count(ties: TieBreak, half: i64) -> Chips {
    // Euclidean division keeps the mark right for negative differences.
    marked(ties, half.div_euclid(2), half.rem_euclid(2) == 1)
}

/// Returns chips with or without the right to win, or use, the next tie.
pub(crate) fn marked(ties: TieBreak, chips: impl Into<BigInt>, has_status: bool) -> Chips {
    let mark = match (ties, has_status) {
        (TieBreak::MakeItTakeIt, false) => ChipMark::MinusEpsilon,
        (
            TieBreak::Advantage | TieBreak::Marker | TieBreak::LosersBall | TieBreak::Attached,
            true,
        ) => ChipMark::Star,
        (
            TieBreak::Advantage
            | TieBreak::Marker
            | TieBreak::MakeItTakeIt
            | TieBreak::LosersBall
            | TieBreak::LadiesFirst
            | TieBreak::GentlemenFirst
            | TieBreak::Richer
            | TieBreak::Coin
            | TieBreak::Nobody
            | TieBreak::Attached,
            _,
        ) => ChipMark::None,
    };
    Chips::new(chips, mark)
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(chips) => chips.fmt(f),
            Self::Both { with, without } => write!(f, "({with}, {without})"),
            Self::Counts(ranges) => {
                let ranges: Vec<_> = ranges
                    .iter()
                    .map(|range| format!("{}..{}", range.start(), range.end()))
                    .collect();
                f.write_str(&ranges.join(", "))
            }
        }
    }
}

impl From<&Threshold> for Scalar {
    fn from(threshold: &Threshold) -> Self {
        match threshold {
            Threshold::One(chips) => chips.into(),
            Threshold::Both { with, without } => Self::Tuple(vec![with.into(), without.into()]),
            Threshold::Counts(_) => Self::String(threshold.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Player;

    #[test]
    fn each_rule_has_its_notation() {
        let text = |scale, ties, raw| Threshold::new(scale, ties, raw, 8).to_string();
        assert_eq!(text(Scale::Half, TieBreak::Advantage, [9, 0]), "4*");
        assert_eq!(text(Scale::Half, TieBreak::MakeItTakeIt, [6, 0]), "3-ε");
        assert_eq!(text(Scale::Half, TieBreak::MakeItTakeIt, [7, 0]), "3");
        assert_eq!(text(Scale::Half, TieBreak::MakeItTakeIt, [18, 0]), "9");
        assert_eq!(
            text(Scale::ByHolder, TieBreak::LosersBall, [3, 3]),
            "(3*, 3)"
        );
        assert_eq!(text(Scale::ByHolder, TieBreak::Advantage, [3, 4]), "3*");
        assert_eq!(
            text(Scale::ByHolder, TieBreak::Advantage, [5, 3]),
            "(5*, 3)"
        );
        assert_eq!(text(Scale::Plain, TieBreak::LadiesFirst, [3, 0]), "3");
    }

    #[test]
    fn counts_that_do_not_reach_up_are_listed() {
        let text = |raw| {
            Threshold::new(Scale::ByMajority(Player::Alice), TieBreak::Richer, raw, 8).to_string()
        };
        assert_eq!(text([4, 2]), "2");
        assert_eq!(text([6, 2]), "2..3, 6..8");
        assert_eq!(text([9, 2]), "2..3");
        assert_eq!(text([9, 4]), "9");
    }
}
