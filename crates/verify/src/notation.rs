//! Writes thresholds in chips as the program does: `3*`, `(2*, 4)`, `2..3, 6..8`.

use super::bidding::has_status;
use crate::rules::TieBreak;

/// Writes a threshold from the states that win, given by Alice's chips and by status (0: she has
/// it, 1: Bob has it).
pub fn notation(ties: TieBreak, total: i32, wins: impl Fn(i32, usize) -> bool) -> String {
    // Sets of states have too few chips for an overflow.
    let beyond = total + 1;
    if !has_status(ties) {
        let mut runs: Vec<(i32, i32)> = Vec::new();
        for chips in (0..=total).filter(|chips| wins(*chips, 0)) {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == chips => *last = chips,
                _ => runs.push((chips, chips)),
            }
        }
        return match runs[..] {
            [] => beyond.to_string(),
            // If all greater numbers win too, the least one says everything.
            [(first, last)] if last == total => first.to_string(),
            _ => runs
                .iter()
                .map(|(first, last)| format!("{first}..{last}"))
                .collect::<Vec<_>>()
                .join(", "),
        };
    }
    let least = |status| {
        let mut all = 0..=total;
        all.find(|chips| wins(*chips, status)).unwrap_or(beyond)
    };
    counts(ties, total, [least(0), least(1)])
}

/// Writes the least numbers of chips with which Alice wins: with the status, and without it.
pub fn counts(ties: TieBreak, total: i32, [with, without]: [i32; 2]) -> String {
    let marked = |chips: i32, has: bool| match (ties, has) {
        (TieBreak::MakeItTakeIt, false) => format!("{chips}-ε"),
        (TieBreak::MakeItTakeIt, true) => chips.to_string(),
        (_, true) => format!("{chips}*"),
        (_, false) => chips.to_string(),
    };
    let one_count = matches!(ties, TieBreak::Advantage | TieBreak::MakeItTakeIt);
    match without - with {
        // No purse wins, so that the holder makes no difference.
        0 | 1 if one_count && with > total => with.to_string(),
        0 if one_count => marked(with, false),
        1 if one_count => marked(with, true),
        _ => format!("({}, {})", marked(with, true), marked(without, false)),
    }
}
