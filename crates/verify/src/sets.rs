//! Checks claims about whole chips by the sets of states from which a player reaches a win. The
//! sections "Sets of states" and "No number of chips" of `docs/certificates.md` describe the checks
//! and prove that they suffice.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::bidding::has_status;
use super::lasting::{self, Measure};
use super::notation::notation;
use super::states::{Check, MOST_CHIPS, States};
use super::{CertifiedGraph, Checked, malformed, unproved};
use crate::format::{BidOrder, ListedPurses, Never, Rows, WinSet};
use crate::player::Player;
use crate::rules::{Draws, Objective, Rules, TieBreak, Winner};

/// The answer if no number of chips is enough.
pub const NONE: i32 = -1;

/// The set that decides whether Alice wins.
#[derive(Debug, Clone, Copy)]
pub struct Telling {
    /// The player to whom the set belongs.
    pub player: Player,
    /// Its order of bids.
    pub order: BidOrder,
}

impl Telling {
    /// Returns Alice's own set, or, if a draw is a win for her, Bob's, outside of which she wins.
    ///
    /// # Errors
    /// If a draw is half a win, there is no such set.
    pub fn of(rules: &Rules) -> Checked<Self> {
        let (player, order) = match rules.draws {
            Draws::Neither | Draws::Bob => (Player::Alice, BidOrder::Forces),
            Draws::Alice => (Player::Bob, BidOrder::Unprevented),
            Draws::Half => return unproved("half a win is neither forced nor missed"),
        };
        Ok(Self { player, order })
    }

    /// Returns `true` if Alice wins with this many chips at position 0.
    pub fn wins(self, states: &States, status: usize, chips: i32) -> bool {
        (states.rank(0, status, chips) >= 0) == (self.player == Player::Alice)
    }

    /// Checks that the states of a total agree with the least numbers of chips against budgets.
    ///
    /// # Errors
    /// If a number is not the least.
    pub fn least(self, states: &States, budgets: &[i32], answers: &Rows) -> Checked<()> {
        for (index, budget) in budgets.iter().enumerate() {
            let chips = states.most - budget;
            for (status, least) in answers.row(index).iter().enumerate() {
                if (0..=*least).contains(&chips)
                    && self.wins(states, status, chips) != (chips == *least)
                {
                    return unproved(format!(
                        "against {budget} chips {least} is not the least number"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks the set that decides a total, and returns its states.
    fn states(self, graph: &CertifiedGraph<'_>, set: &WinSet, total: i32) -> Checked<States> {
        if (set.player, set.order, set.total) != (self.player, self.order, total) {
            return malformed(format!(
                "the set for {total} chips is of another player, order or total"
            ));
        }
        checked(graph, set)
    }
}

/// Reads a set and checks it.
fn checked(graph: &CertifiedGraph<'_>, set: &WinSet) -> Checked<States> {
    if set.sums.is_some() {
        return malformed("`sums` belong to objectives of weights");
    }
    let states = States::read(graph, Player::Alice, set.total, &set.states)?;
    Check::reaching(graph, &states, set.player, set.order).all()?;
    Ok(states)
}

/// A set that an answer about infinite play needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeededSet {
    /// The player to whom the set belongs.
    pub player: Player,
    /// Its order of bids.
    pub order: BidOrder,
    /// `true` if a draw is good enough for the player.
    pub prevents: bool,
}

impl NeededSet {
    /// Returns the sets that `f(G, k)` needs for each total: that of the telling player, and that of
    /// the states from which the other prevents it.
    pub fn of_thresholds(telling: Telling) -> [Self; 2] {
        let [order, dual] = match telling.order {
            BidOrder::Forces => [BidOrder::Forces, BidOrder::Unprevented],
            BidOrder::Unprevented => [BidOrder::Unprevented, BidOrder::Forces],
        };
        [
            Self {
                player: telling.player,
                order,
                prevents: false,
            },
            Self {
                player: telling.player.other(),
                order: dual,
                prevents: true,
            },
        ]
    }

    /// Returns the sets that an outcome needs, all of which contain the state asked about. `last` is
    /// the player who cannot be prevented from winning, if the outcome is undetermined.
    pub fn of_outcome(answer: &str, last: Player) -> Option<Vec<Self>> {
        let set = |player, order, prevents| Self {
            player,
            order,
            prevents,
        };
        let both = |order| Player::BOTH.map(|player| set(player, order, true)).to_vec();
        match answer {
            "alice" => Some(vec![set(Player::Alice, BidOrder::Forces, false)]),
            "bob" => Some(vec![set(Player::Bob, BidOrder::Forces, false)]),
            "draw" => Some(both(BidOrder::Forces)),
            "undetermined" => {
                let mut sets = both(BidOrder::Unprevented);
                sets.push(set(last, BidOrder::Unprevented, false));
                Some(sets)
            }
            _ => None,
        }
    }

    /// Checks a set under an objective of infinite play, and returns its states. Those at position
    /// 0 that are not good enough are left out.
    fn states(
        self,
        graph: &CertifiedGraph<'_>,
        set: &WinSet,
        total: Option<i32>,
        credit: Option<&BigRational>,
    ) -> Checked<States> {
        if (set.player, set.order, Some(set.total)) != (self.player, self.order, total) {
            return malformed("a set is of another player, order or total than the claim needs");
        }
        let mut states = States::read(graph, Player::Alice, set.total, &set.states)?;
        let measure = Measure::of(graph, self, set.sums, &states, credit)?;
        Check::reaching(graph, &states, set.player, set.order)
            .lasting(&measure, self.prevents)
            .all()?;
        states.keep(|rank| measure.is_enough(rank));
        Ok(states)
    }
}

/// Checks `f(G, k)` for some totals under an objective of infinite play: at position 0 every state
/// is in the set of the telling player, or in that of the other.
fn recurring_thresholds(
    graph: &CertifiedGraph<'_>,
    totals: &[i32],
    answers: &[String],
    sets: &[WinSet],
) -> Checked<()> {
    if totals.len() != answers.len() || Some(sets.len()) != totals.len().checked_mul(2) {
        return malformed("`claim` and `proof` do not have an answer and two sets for every total");
    }
    let telling = Telling::of(graph.rules)?;
    let needed = NeededSet::of_thresholds(telling);
    for ((total, answer), sets) in totals.iter().zip(answers).zip(sets.chunks_exact(2)) {
        let of = |index: usize| {
            needed[index].states(
                graph,
                &sets[index],
                Some(*total),
                Some(&graph.rules.energy.0),
            )
        };
        let (states, others) = (of(0)?, of(1)?);
        let (own, other) = (states.ranks(0), others.ranks(0));
        if own
            .iter()
            .zip(other)
            .any(|(own, other)| (*own < 0) == (*other < 0))
        {
            return unproved(format!(
                "of {total} chips the two sets do not decide every state"
            ));
        }
        let found = notation(graph.rules.ties, *total, |chips, status| {
            telling.wins(&states, status, chips)
        });
        if found != *answer {
            return unproved(format!(
                "of {total} chips the threshold is not {answer}, but {found}"
            ));
        }
    }
    Ok(())
}

/// Checks an outcome under an objective of infinite play.
fn recurring_outcome(
    graph: &CertifiedGraph<'_>,
    purses: &ListedPurses,
    answer: &str,
    sets: &[WinSet],
) -> Checked<()> {
    let last = sets.last().map_or(Player::Bob, |set| set.player);
    let needed = NeededSet::of_outcome(answer, last);
    let Some(needed) = needed.filter(|needed| needed.len() == sets.len()) else {
        return malformed("`proof` does not have the sets that the outcome needs");
    };
    let total = purses.alice.checked_add(purses.bob);
    let status = usize::from(purses.holder == Some(Player::Bob));
    for (set, needed) in sets.iter().zip(needed) {
        let states = needed.states(graph, set, total, Some(&graph.rules.energy.0))?;
        if states.rank(0, status, purses.alice) < 0 {
            return unproved(format!(
                "the outcome is not {answer}: see the set of {}",
                set.player.name()
            ));
        }
    }
    Ok(())
}

/// Returns the sets that the least credit needs, each with the credit of its player; 1 is cut into
/// so many units.
///
/// # Errors
/// If a draw is half a win.
pub fn of_credit(
    rules: &Rules,
    least: Option<&BigRational>,
    units: &BigInt,
) -> Checked<Vec<(NeededSet, Option<BigRational>)>> {
    let [first, second] = NeededSet::of_thresholds(Telling::of(rules)?);
    let (alice, bob) = match first.player {
        Player::Alice => (first, second),
        Player::Bob => (second, first),
    };
    Ok(match least {
        None => vec![(bob, None)],
        Some(least) if least.is_zero() => vec![(alice, Some(least.clone()))],
        Some(least) => {
            let less = least - BigRational::new(BigInt::one(), units.clone());
            vec![(alice, Some(least.clone())), (bob, Some(less))]
        }
    })
}

/// Checks the least credit with some purses: it is enough, and the next lower sum is not.
pub(super) fn credit(
    graph: &CertifiedGraph<'_>,
    purses: &ListedPurses,
    least: Option<&BigRational>,
    sets: &[WinSet],
) -> Checked<()> {
    let units = lasting::units(graph);
    let is_sum = |least: &BigRational| !least.is_negative() && (least * &units).is_integer();
    if !least.is_none_or(is_sum) {
        return unproved("the credit is no sum of weights");
    }
    let needed = of_credit(graph.rules, least, &units)?;
    if needed.len() != sets.len() {
        return malformed("`proof` does not have the sets that the credit needs");
    }
    let total = purses.alice.checked_add(purses.bob);
    let status = usize::from(purses.holder == Some(Player::Bob));
    for (set, (needed, credit)) in sets.iter().zip(needed) {
        let states = needed.states(graph, set, total, credit.as_ref())?;
        if states.rank(0, status, purses.alice) < 0 {
            return unproved(format!(
                "another credit is the least: see the set of {}",
                set.player.name()
            ));
        }
    }
    Ok(())
}

/// Checks `f(G, k)` for some totals.
pub(super) fn thresholds(
    graph: &CertifiedGraph<'_>,
    totals: &[i32],
    answers: &[String],
    sets: &[WinSet],
) -> Checked<()> {
    if graph.rules.objective != Objective::Reachability {
        return recurring_thresholds(graph, totals, answers, sets);
    }
    if totals.len() != answers.len() || totals.len() != sets.len() {
        return malformed("`claim` and `proof` do not have an answer and a set for every total");
    }
    let telling = Telling::of(graph.rules)?;
    for ((total, answer), set) in totals.iter().zip(answers).zip(sets) {
        let states = telling.states(graph, set, *total)?;
        let wins = |chips, status| telling.wins(&states, status, chips);
        let found = notation(graph.rules.ties, *total, wins);
        if found != *answer {
            return unproved(format!(
                "of {total} chips the threshold is not {answer}, but {found}"
            ));
        }
    }
    Ok(())
}

/// Checks `f(G, bob: b)` for some budgets.
pub(super) fn against(
    graph: &CertifiedGraph<'_>,
    budgets: &[i32],
    answers: &Rows,
    sets: &[WinSet],
) -> Checked<()> {
    let telling = Telling::of(graph.rules)?;
    if graph.rules.ties == TieBreak::Richer && graph.rules.winner == Winner::Moves {
        return unproved("where the richer player must move more chips can hurt");
    }
    let statuses = if has_status(graph.rules.ties) { 2 } else { 1 };
    let fits = |row: &[i32]| row.len() == statuses && row.iter().all(|least| *least >= NONE);
    if answers.len() != budgets.len() || !(0..answers.len()).all(|index| fits(answers.row(index))) {
        return malformed(
            "`answers` does not have a row for every budget, with a number of chips, or -1, for every holder",
        );
    }
    let mut totals = BTreeSet::new();
    for (index, budget) in budgets.iter().enumerate() {
        // If no number is enough, -1 makes the range empty.
        let most = answers
            .row(index)
            .iter()
            .max()
            .and_then(|most| budget.checked_add(*most));
        match most.filter(|most| (0..=MOST_CHIPS).contains(budget) && *most <= MOST_CHIPS) {
            Some(most) => totals.extend(*budget..=most),
            None => {
                return malformed(format!(
                    "the sets of a certificate have at most {MOST_CHIPS} chips"
                ));
            }
        }
    }
    if totals.len() != sets.len() {
        return malformed("`proof` does not have a set for every total up to those of the answers");
    }
    for (total, set) in totals.into_iter().zip(sets) {
        let states = telling.states(graph, set, total)?;
        telling.least(&states, budgets, answers)?;
    }
    Ok(())
}

/// Checks the budgets against which, by the claim, no number of chips is enough.
pub(super) fn never(
    graph: &CertifiedGraph<'_>,
    budgets: &[i32],
    answers: &Rows,
    proof: &Never,
) -> Checked<()> {
    let states = States::read(graph, Player::Bob, proof.chips, &proof.states)?;
    Check::keeping(graph, &states).all()?;
    for (index, budget) in budgets.iter().enumerate() {
        let row = answers.row(index).iter().enumerate();
        for (status, _) in row.filter(|(_, least)| **least == NONE) {
            if !(0..=proof.chips).contains(budget) {
                return malformed("the set of states does not reach to the budgets");
            }
            if states.rank(0, status, *budget) < 0 {
                return unproved(format!(
                    "some number of chips may be enough against {budget}"
                ));
            }
        }
    }
    Ok(())
}

/// Checks an outcome.
pub(super) fn outcome(
    graph: &CertifiedGraph<'_>,
    purses: &ListedPurses,
    answer: &str,
    sets: &[WinSet],
) -> Checked<()> {
    use BidOrder::{Forces, Unprevented};
    use Player::{Alice, Bob};
    if graph.rules.objective != Objective::Reachability {
        return recurring_outcome(graph, purses, answer, sets);
    }
    let last = sets.last().map_or(Bob, |set| set.player);
    // The sets that an answer needs, each with `true` if it must contain the state.
    let needed = match answer {
        "alice" => vec![(Alice, Forces, true)],
        "bob" => vec![(Bob, Forces, true)],
        "draw" => vec![(Alice, Unprevented, false), (Bob, Unprevented, false)],
        "undetermined" => {
            vec![
                (Alice, Forces, false),
                (Bob, Forces, false),
                (last, Unprevented, true),
            ]
        }
        _ => return malformed(format!("{:?} is no outcome", super::shortened(answer))),
    };
    let kinds = needed.iter().map(|(player, order, _)| (*player, *order));
    if !kinds.eq(sets.iter().map(|set| (set.player, set.order))) {
        return malformed(format!(
            "the sets of `proof` are not those that the outcome {answer} needs"
        ));
    }
    let total = purses.alice.checked_add(purses.bob);
    for (set, (player, _, expected)) in sets.iter().zip(needed) {
        if Some(set.total) != total {
            return malformed("the set is about another total of chips");
        }
        let states = checked(graph, set)?;
        let status = usize::from(purses.holder == Some(Bob));
        if (states.rank(0, status, purses.alice) >= 0) != expected {
            return unproved(format!(
                "the outcome is not {answer}: see the set of {}",
                player.name()
            ));
        }
    }
    Ok(())
}
