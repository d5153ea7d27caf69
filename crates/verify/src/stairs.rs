//! Checks claims about whole chips under the tie-breaking advantage by thresholds in half chips:
//! one line for each position, and no bids. The section "Half chips" of `docs/certificates.md`
//! describes the check and proves that it suffices.

use std::collections::BTreeSet;

use super::listing::least_for;
use super::notation::counts;
use super::{CertifiedGraph, CertifiedMove, Checked, malformed, unproved};
use crate::convert::fit;
use crate::format::{HalfChips, ListedPurses};
use crate::player::{Ending, Player};
use crate::rules::{Objective, Rules, TieBreak, Winner};
use crate::sets::NeededSet;

/// The most chips of a total.
const MOST_CHIPS: i32 = 1 << 29;

/// Returns `true` if thresholds follow from each other in half chips under these rules.
pub fn applies(rules: &Rules) -> bool {
    (rules.ties, rules.winner, rules.objective)
        == (
            TieBreak::Advantage,
            Winner::Chooses,
            Objective::Reachability,
        )
}

/// Returns a threshold in half chips that no purse reaches.
fn never(total: i32) -> i32 {
    2 * total + 2
}

/// Writes Alice's threshold as the program does, from the threshold of the telling player.
pub fn notation(telling: Player, total: i32, half_chips: i32) -> String {
    let half_chips = match telling {
        Player::Alice => half_chips,
        // Alice wins exactly where Bob does not.
        Player::Bob => never(total) - half_chips,
    };
    counts(
        TieBreak::Advantage,
        total,
        [half_chips / 2, (half_chips + 1) / 2],
    )
}

/// Returns the last threshold of a row.
pub fn last_threshold(row: &[i32], total: i32) -> i32 {
    row.last().copied().unwrap_or(never(total))
}

/// The thresholds of a player for a total, by stage. `rows` gives the row of each position.
pub struct Staircases<'c, R> {
    graph: &'c CertifiedGraph<'c>,
    player: Player,
    total: i32,
    rows: R,
}

impl<'c, R: Fn(usize) -> &'c [i32]> Staircases<'c, R> {
    /// Creates the thresholds of a player from their rows.
    ///
    /// # Errors
    /// If the rules or the total have no thresholds in half chips.
    pub fn new(
        graph: &'c CertifiedGraph<'c>,
        player: Player,
        total: i32,
        rows: R,
    ) -> Checked<Self> {
        if !applies(graph.rules) {
            return unproved(
                "half chips are thresholds only under `ties: advantage`, `winner: chooses` and `objective: reachability`",
            );
        }
        if !(0..=MOST_CHIPS).contains(&total) {
            return malformed(format!(
                "thresholds in half chips are for 0 to {MOST_CHIPS} chips, not for {total}"
            ));
        }
        Ok(Self {
            graph,
            player,
            total,
            rows,
        })
    }

    /// Returns the pairs of a stage and a threshold at a position.
    fn pairs(&self, position: usize) -> impl Iterator<Item = [i32; 2]> {
        let row = (self.rows)(position).chunks_exact(2);
        row.map(|pair| [pair[0], pair[1]])
    }

    /// Returns the threshold at a position by a stage.
    fn by(&self, position: usize, stage: i32) -> i32 {
        let reached = self.pairs(position).take_while(|[from, _]| *from <= stage);
        let last = reached.last();
        last.map_or(never(self.total), |[_, half_chips]| half_chips)
    }

    /// Returns the stages at which the threshold of a position can fall.
    fn stages(&self, position: usize) -> BTreeSet<i32> {
        // If play must end, stages are not needed, and all are 0.
        if self.graph.ordered || self.graph.ending(position).is_some() {
            return BTreeSet::from([0]);
        }
        Player::BOTH
            .iter()
            .flat_map(|player| self.graph.moves(position, *player))
            .flat_map(|to| self.pairs(fit::<usize>(*to)))
            .map(|[stage, _]| stage.saturating_add(1))
            .collect()
    }

    /// Computes the threshold that a position has at a stage from the thresholds of its successors.
    fn follows(&self, position: usize, stage: i32) -> i32 {
        if let Some(ending) = self.graph.ending(position) {
            return match ending == Ending::Win(self.player) {
                true => 0,
                false => never(self.total),
            };
        }
        let before = if self.graph.ordered { stage } else { stage - 1 };
        let order = |a: &i32, b: &i32| least_for(self.player, a.cmp(b));
        let of = |winner| {
            let after = |choice: CertifiedMove| self.by(choice.to, before);
            self.graph.turn(position, winner, after, order)
        };
        let (own, others) = (of(self.player), of(self.player.other()));
        // Rows that are not checked yet may hold any number.
        own.saturating_add(1) / 2 + others / 2
    }

    /// Returns the last stage of a position with its threshold, if the position's row does not have
    /// that threshold yet.
    pub fn step(&self, position: usize) -> Option<[i32; 2]> {
        let stage = *self.stages(position).last()?;
        let half_chips = self.follows(position, stage);
        (half_chips != self.by(position, i32::MAX)).then_some([stage, half_chips])
    }

    /// Computes the row of a position from the rows of its successors.
    fn row(&self, position: usize) -> Vec<i32> {
        let (mut row, mut before) = (Vec::new(), never(self.total));
        for stage in self.stages(position) {
            let half_chips = self.follows(position, stage);
            // A row lists only the stages at which the threshold falls.
            if half_chips != before {
                row.extend([stage, half_chips]);
                before = half_chips;
            }
        }
        row
    }

    fn check(&self, position: usize) -> Checked<()> {
        let row = (self.rows)(position);
        let pairs: Vec<[i32; 2]> = self.pairs(position).collect();
        let is_rising = pairs.is_sorted_by(|[a, _], [b, _]| a < b);
        // A threshold that no purse reaches is expressed by the absence of an entry.
        let possible = 0..never(self.total);
        let is_possible = pairs
            .iter()
            .all(|[stage, half_chips]| *stage >= 0 && possible.contains(half_chips));
        if row.len() != 2 * pairs.len() || !is_rising || !is_possible {
            return malformed(format!(
                "the row of position {position} is not in the form of `stairs`"
            ));
        }
        let found = self.row(position);
        match row == found {
            true => Ok(()),
            false => unproved(format!(
                "the thresholds at position {position} are not {row:?}, but {found:?}"
            )),
        }
    }
}

/// Checks the thresholds of a player for a total, and returns that of position 0, in half chips.
fn threshold(
    graph: &CertifiedGraph<'_>,
    listed: &HalfChips,
    player: Player,
    total: i32,
) -> Checked<i32> {
    let row = |position| listed.stairs.row(position);
    let stairs = Staircases::new(graph, player, total, row)?;
    if (listed.player, listed.total, listed.stairs.len()) != (player, total, graph.len()) {
        return malformed(format!(
            "the thresholds for {total} chips are of another player, total or number of positions"
        ));
    }
    graph.each("checking thresholds", |position| stairs.check(position))?;
    Ok(last_threshold(row(0), total))
}

/// Checks `f(G, k)` for some totals.
pub(super) fn thresholds(
    graph: &CertifiedGraph<'_>,
    totals: &[i32],
    answers: &[String],
    listed: &[HalfChips],
) -> Checked<()> {
    if totals.len() != answers.len() || totals.len() != listed.len() {
        return malformed(
            "`claim` and `proof` do not have an answer and thresholds for every total",
        );
    }
    let player = NeededSet::telling(graph.rules)?.player;
    for ((total, answer), listed) in totals.iter().zip(answers).zip(listed) {
        let half_chips = threshold(graph, listed, player, *total)?;
        let found = notation(player, *total, half_chips);
        if found != *answer {
            return unproved(format!(
                "for {total} chips in all, the threshold is not {answer}, but {found}"
            ));
        }
    }
    Ok(())
}

/// Returns a player's purse in half chips.
pub fn purse(purses: &ListedPurses, player: Player) -> i64 {
    let chips = match player {
        Player::Alice => purses.alice,
        Player::Bob => purses.bob,
    };
    2 * i64::from(chips) + i64::from(purses.holder == Some(player))
}

/// Checks an outcome.
pub(super) fn outcome(
    graph: &CertifiedGraph<'_>,
    purses: &ListedPurses,
    answer: &str,
    listed: &[HalfChips],
) -> Checked<()> {
    let (players, wins): (&[Player], bool) = match answer {
        "alice" => (&[Player::Alice], true),
        "bob" => (&[Player::Bob], true),
        "draw" => (&Player::BOTH, false),
        _ => {
            return malformed(format!(
                "{:?} is not an outcome under the advantage",
                super::shortened(answer)
            ));
        }
    };
    let total = purses.alice.checked_add(purses.bob);
    let Some(total) = total.filter(|_| listed.len() == players.len()) else {
        return malformed("`proof` does not have the thresholds that the outcome needs");
    };
    for (player, listed) in players.iter().zip(listed) {
        let half_chips = threshold(graph, listed, *player, total)?;
        if (purse(purses, *player) >= i64::from(half_chips)) != wins {
            return unproved(format!(
                "the outcome is not {answer}: see the thresholds of {}",
                player.name()
            ));
        }
    }
    Ok(())
}
