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

/// A set that an answer needs.
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
    /// Returns the set that decides whether Alice wins: her own set, or, if a draw is a win for
    /// her, Bob's, outside of which she wins.
    ///
    /// # Errors
    /// If a draw is half a win, there is no such set.
    pub fn telling(rules: &Rules) -> Checked<Self> {
        let (player, order) = match rules.draws {
            // If a draw is no win for Alice, she must force a win herself.
            Draws::Neither | Draws::Bob => (Player::Alice, BidOrder::Forces),
            Draws::Alice => (Player::Bob, BidOrder::Unprevented),
            Draws::Half => return unproved("half a win is neither forced nor missed"),
        };
        Ok(Self {
            player,
            order,
            prevents: false,
        })
    }

    /// Returns the set of the states from which a player forces a win.
    pub fn forced(player: Player) -> Self {
        Self {
            player,
            order: BidOrder::Forces,
            prevents: false,
        }
    }

    /// Returns the set of the states from which the other player prevents this one's.
    #[must_use]
    pub fn dual(self) -> Self {
        Self {
            player: self.player.other(),
            // In both sets one player bids first, but the sets belong to different players.
            order: match self.order {
                BidOrder::Forces => BidOrder::Unprevented,
                BidOrder::Unprevented => BidOrder::Forces,
            },
            prevents: !self.prevents,
        }
    }

    /// Returns the sets that `f(G, k)` needs for each total: the telling one, and, where states
    /// outside of a set prove nothing, the dual one.
    ///
    /// # Errors
    /// If a draw is half a win.
    pub fn of_thresholds(rules: &Rules) -> Checked<Vec<Self>> {
        let telling = Self::telling(rules)?;
        Ok(match is_lasting(rules) {
            true => vec![telling, telling.dual()],
            false => vec![telling],
        })
    }

    /// Returns the sets that an outcome needs, each with `true` if it contains the state asked
    /// about. `last` is the player who cannot be prevented from winning, if the outcome is
    /// undetermined.
    pub fn of_outcome(rules: &Rules, answer: &str, last: Player) -> Option<Vec<(Self, bool)>> {
        let set = |player, order, prevents| Self {
            player,
            order,
            prevents,
        };
        let wins = |player, order| (set(player, order, false), true);
        // Both players prevent the other's win. Outside of the dual set they do, but this proves
        // nothing under objectives of infinite play.
        let both = |order| match is_lasting(rules) {
            true => Player::both(|player| (set(player, order, true), true)),
            false => Player::both(|player| (set(player.other(), order, true).dual(), false)),
        };
        match answer {
            "alice" => Some(vec![wins(Player::Alice, BidOrder::Forces)]),
            "bob" => Some(vec![wins(Player::Bob, BidOrder::Forces)]),
            "draw" => Some(both(BidOrder::Forces).to_vec()),
            "undetermined" => {
                let mut sets = both(BidOrder::Unprevented).to_vec();
                sets.push(wins(last, BidOrder::Unprevented));
                Some(sets)
            }
            _ => None,
        }
    }

    /// Returns `true` if Alice wins with this many chips at position 0, by the telling set.
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

    /// Checks a set, and returns its states. Those at position 0 that are not good enough are left
    /// out. Under the energy objective `credit` is Alice's, or `None` if she has any.
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
        Check::new(graph, &states, self, &measure).all()?;
        // The claim is about position 0 only, so that the other states need not be good enough.
        states.keep(|rank| measure.is_enough(rank));
        Ok(states)
    }
}

/// Returns `true` if the objective is one of infinite play, where states outside of a set prove
/// nothing.
fn is_lasting(rules: &Rules) -> bool {
    rules.objective != Objective::Reachability
}

/// A set that a claim about purses needs, under the energy objective with Alice's credit.
struct Claimed {
    needed: NeededSet,
    credit: Option<BigRational>,
    /// `true` if the set contains the state asked about.
    inside: bool,
}

/// Checks the sets that a claim about purses needs.
fn holds(
    graph: &CertifiedGraph<'_>,
    purses: &ListedPurses,
    sets: &[WinSet],
    claimed: &[Claimed],
) -> Checked<()> {
    if claimed.len() != sets.len() {
        return malformed("`proof` does not have the sets that the claim needs");
    }
    let total = purses.alice.checked_add(purses.bob);
    let status = usize::from(purses.holder == Some(Player::Bob));
    for (set, claimed) in sets.iter().zip(claimed) {
        let states = claimed
            .needed
            .states(graph, set, total, claimed.credit.as_ref())?;
        if (states.rank(0, status, purses.alice) >= 0) != claimed.inside {
            return unproved(format!(
                "another answer is right: see the set of {}",
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
    let first = NeededSet::telling(rules)?;
    let second = first.dual();
    let (alice, bob) = match first.player {
        Player::Alice => (first, second),
        Player::Bob => (second, first),
    };
    Ok(match least {
        None => vec![(bob, None)],
        // No credit is less than 0.
        Some(least) if least.is_zero() => vec![(alice, Some(least.clone()))],
        Some(least) => {
            // Credits between two sums are worth as much as the lesser one, so that one step down
            // suffices.
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
        return unproved("the credit is not a sum of weights");
    }
    let needed = of_credit(graph.rules, least, &units)?;
    let claimed = needed.into_iter().map(|(needed, credit)| Claimed {
        needed,
        credit,
        inside: true,
    });
    holds(graph, purses, sets, &claimed.collect::<Vec<_>>())
}

/// Checks an outcome.
pub(super) fn outcome(
    graph: &CertifiedGraph<'_>,
    purses: &ListedPurses,
    answer: &str,
    sets: &[WinSet],
) -> Checked<()> {
    let last = sets.last().map_or(Player::Bob, |set| set.player);
    let Some(needed) = NeededSet::of_outcome(graph.rules, answer, last) else {
        return malformed(format!("{:?} is not an outcome", super::shortened(answer)));
    };
    let claimed = needed.into_iter().map(|(needed, inside)| Claimed {
        needed,
        credit: Some(graph.rules.energy.0.clone()),
        inside,
    });
    holds(graph, purses, sets, &claimed.collect::<Vec<_>>())
}

/// Checks `f(G, k)` for some totals.
pub(super) fn thresholds(
    graph: &CertifiedGraph<'_>,
    totals: &[i32],
    answers: &[String],
    sets: &[WinSet],
) -> Checked<()> {
    let needed = NeededSet::of_thresholds(graph.rules)?;
    if totals.len() != answers.len() || Some(sets.len()) != totals.len().checked_mul(needed.len()) {
        return malformed("`claim` and `proof` do not have an answer and sets for every total");
    }
    let credit = Some(&graph.rules.energy.0);
    for ((total, answer), sets) in totals.iter().zip(answers).zip(sets.chunks(needed.len())) {
        let states = needed
            .iter()
            .zip(sets)
            .map(|(needed, set)| needed.states(graph, set, Some(*total), credit));
        let states = states.collect::<Checked<Vec<States>>>()?;
        if let [own, other] = &states[..] {
            let mut both = own.ranks(0).iter().zip(other.ranks(0));
            // A state in neither set is undecided, and one in both would contradict a proof.
            if both.any(|(own, other)| (*own < 0) == (*other < 0)) {
                return unproved(format!(
                    "for {total} chips in all, the two sets do not decide every state"
                ));
            }
        }
        let found = notation(graph.rules.ties, *total, |chips, status| {
            needed[0].wins(&states[0], status, chips)
        });
        if found != *answer {
            return unproved(format!(
                "for {total} chips in all, the threshold is not {answer}, but {found}"
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
    let telling = NeededSet::telling(graph.rules)?;
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
    // The totals are in order and distinct, so that each set has its total by its place.
    if totals.len() != sets.len() {
        return malformed("`proof` does not have a set for every total up to those of the answers");
    }
    for (total, set) in totals.into_iter().zip(sets) {
        let states = telling.states(graph, set, Some(total), None)?;
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
    let (needed, measure) = Measure::keeping(graph.rules);
    Check::new(graph, &states, needed, &measure).all()?;
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
