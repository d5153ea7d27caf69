//! Checks guarantees of all-pay bidding: strategies that guarantee bounds of Alice's winning
//! probability, or the value, if both bounds are equal. The section "Guarantees" of
//! `docs/certificates.md` describes the check and proves that it suffices.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::bidding::{has_status, onward, outcomes};
use super::listing::{NEVER, least_for};
use super::{CertifiedGraph, Checked, malformed, unproved};
use crate::convert::fit;
use crate::format::{Fraction, Guarantee, Guaranteed, ListedPurses};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::Rules;

/// The rank of a turn for which progress is not yet proved. It occurs only while ranks are being
/// computed.
pub const OPEN: i32 = NEVER;

/// A position with purses.
pub type PositionAndPurses = (usize, ListedPurses);

/// Checks guarantees. Returns the first turn of play, at position 0 with the purses of the
/// question.
pub(super) fn check<'c>(
    graph: &CertifiedGraph<'_>,
    purses: &ListedPurses,
    listed: &'c [Guaranteed],
) -> Checked<&'c Guaranteed> {
    let start = (0, *purses);
    let check = GuaranteeCheck::new(graph, listed)?;
    check.reached_from(start)?;
    for (number, turn) in listed.iter().enumerate() {
        graph.look("checking guarantees", number, listed.len())?;
        for player in Player::BOTH {
            let (name, position) = (player.name(), turn.position);
            let (rank, found) = (side(turn, player).rank, check.rank_at(number, player)?);
            // A listed rank may be the number that stands for none, so that this comes before the
            // comparison.
            if found == OPEN {
                return unproved(format!(
                    "nothing says that play from position {position} ends for {name}"
                ));
            }
            if found != rank {
                return unproved(format!(
                    "{name}'s rank at position {position} is not {rank}, but {found}"
                ));
            }
        }
    }
    match check.numbers.get(&start) {
        Some(first) => Ok(&listed[*first]),
        None => malformed("the game is over, and has no turns"),
    }
}

/// Returns one player's guarantee at a turn.
fn side(turn: &Guaranteed, player: Player) -> &Guarantee {
    match player {
        Player::Alice => &turn.alice,
        Player::Bob => &turn.bob,
    }
}

/// A bound that a player guarantees, with its rank.
#[derive(Debug, Clone, Copy)]
struct RankedBound<'p> {
    bound: &'p BigRational,
    rank: i32,
}

/// Computes bounds and ranks from those of the turns that follow.
pub struct GuaranteeCheck<'c> {
    graph: &'c CertifiedGraph<'c>,
    listed: &'c [Guaranteed],
    numbers: BTreeMap<PositionAndPurses, usize>,
    /// Alice's winning probability at each position at which the game is over.
    endings: BTreeMap<usize, BigRational>,
    /// The ranks of the turns.
    pub ranks: PerPlayer<Vec<i32>>,
}

impl<'c> GuaranteeCheck<'c> {
    /// Accepts turns that are in order and possible.
    ///
    /// # Errors
    /// Returns an error about the first turn that is not.
    pub fn new(graph: &'c CertifiedGraph<'c>, listed: &'c [Guaranteed]) -> Checked<Self> {
        let mut endings = BTreeMap::new();
        for position in 0..graph.len() {
            if let Some(ending) = graph.ending(position) {
                endings.insert(position, worth(graph, ending)?);
            }
        }
        let ranks = PerPlayer::new(Player::Alice, Player::Bob)
            .map(|player| listed.iter().map(|turn| side(turn, player).rank).collect());
        let mut check = Self {
            graph,
            listed,
            numbers: BTreeMap::new(),
            endings,
            ranks,
        };
        for turn in listed {
            check.add(turn)?;
        }
        Ok(check)
    }

    fn add(&mut self, turn: &Guaranteed) -> Checked<()> {
        let (place, purses) = (turn.position, turn.purses);
        let position = self.graph.inside(place);
        let position = position.filter(|position| self.graph.ending(*position).is_none());
        let Some(position) = position.filter(|_| is_sound(&purses, self.graph.rules)) else {
            return malformed(format!(
                "there is no turn at position {place} with these purses"
            ));
        };
        if !is_mixed(&turn.alice.bids, purses.alice) || !is_mixed(&turn.bob.bids, purses.bob) {
            return unproved(format!(
                "the bids of a turn at position {place} are not mixed from those that can be paid"
            ));
        }
        let possible = |bound: &Fraction| !bound.0.is_negative() && bound.0 <= BigRational::one();
        if !possible(&turn.alice.bound) || !possible(&turn.bob.bound) {
            return malformed(format!("a bound at position {place} is not a probability"));
        }
        let place = (position, purses);
        let last = self.numbers.last_key_value();
        // The strict order also shows that no turn is listed twice.
        if last.is_some_and(|(last, _)| *last >= place) {
            return malformed(
                "the turns are not in order of positions, Alice's chips, Bob's chips and holders",
            );
        }
        self.numbers.insert(place, self.numbers.len());
        Ok(())
    }

    /// Accepts turns that are exactly those that play can reach.
    fn reached_from(&self, start: PositionAndPurses) -> Checked<()> {
        let (mut reached, mut open) = (BTreeSet::from([start]), vec![start]);
        let mut turns = 0;
        while let Some(place) = open.pop() {
            self.graph.context.check()?;
            if self.graph.ending(place.0).is_some() {
                continue;
            }
            if !self.numbers.contains_key(&place) {
                return unproved(format!(
                    "play comes to position {}, but no turn is listed there with these purses",
                    place.0
                ));
            }
            turns += 1;
            let next = onward(self.graph, place.0, &place.1)?;
            open.extend(next.into_iter().filter(|to| reached.insert(*to)));
        }
        // Each turn that was reached is listed, so that equal numbers mean that no other turn is.
        if turns == self.listed.len() {
            Ok(())
        } else {
            unproved("a turn is listed that no play reaches")
        }
    }

    /// Returns the value of endless play to Alice, as a player's bound has to count it.
    fn endless(&self, player: Player) -> BigRational {
        // If endless play has no value, each player must count it as a loss.
        let lost = || match player {
            Player::Alice => BigRational::zero(),
            Player::Bob => BigRational::one(),
        };
        self.graph.draw_worth().unwrap_or_else(lost)
    }

    /// Computes the rank that a turn must have: [`OPEN`] if nothing proves progress, and −1 if
    /// endless play is no worse than the bound. The turns to which bids lead must be listed.
    ///
    /// # Errors
    /// If the bound is not guaranteed.
    pub fn rank_at(&self, number: usize, player: Player) -> Checked<i32> {
        let turn = &self.listed[number];
        let (own, others) = match player {
            Player::Alice => (&turn.alice, turn.purses.bob),
            Player::Bob => (&turn.bob, turn.purses.alice),
        };
        let bound = &own.bound.0;
        // A greater bound is better for Alice, so `least_for` orders the worse one first.
        let is_worse = |bound: &BigRational, than| least_for(player, bound.cmp(than)).is_lt();
        let mut rank = 0;
        // Against a mixed reply the mean lies between those against pure ones, so that these
        // suffice.
        for other in 0..=others {
            self.graph.context.check()?;
            let (mut mean, mut steps) = (BigRational::zero(), OPEN);
            let bids = (0..).zip(&own.bids).filter(|(_, bid)| !bid.0.is_zero());
            for (bid, Fraction(probability)) in bids {
                let bids = match player {
                    Player::Alice => [bid, other],
                    Player::Bob => [other, bid],
                };
                let outcomes = self.outcomes(turn, bids, player);
                let count = outcomes.iter().flatten().count();
                // A coin has two outcomes of equal probability, everything else one.
                let share = probability / BigRational::from_integer(count.into());
                for prospect in outcomes.into_iter().flatten() {
                    mean += &share * prospect.bound;
                    let same = prospect.bound == bound;
                    steps = steps.min(if same { prospect.rank } else { 0 });
                }
            }
            if is_worse(&mean, bound) {
                return unproved(format!(
                    "at position {} {}'s bids do not guarantee the bound against {other}",
                    turn.position,
                    player.name()
                ));
            }
            // The other player chooses the reply from which progress takes longest.
            rank = rank.max(steps);
        }
        match is_worse(&self.endless(player), bound) {
            true => Ok(rank.checked_add(1).unwrap_or(OPEN)),
            false => Ok(-1),
        }
    }

    /// Computes the outcomes of a pair of bids for a player. The player chooses the better bound,
    /// and among equal ones the lesser rank. The other player does the reverse.
    fn outcomes(
        &self,
        turn: &Guaranteed,
        bids: [i32; 2],
        player: Player,
    ) -> [Option<RankedBound<'_>>; 2] {
        let order = |a: &RankedBound<'_>, b: &RankedBound<'_>| -> Ordering {
            let nearer = || least_for(player, a.rank.cmp(&b.rank));
            b.bound.cmp(a.bound).then_with(nearer)
        };
        let of = |winner: Player, left: ListedPurses| {
            let of = |to: super::CertifiedMove| self.prospect((to.to, left), player);
            self.graph
                .turn(fit::<usize>(turn.position), winner, of, order)
        };
        outcomes(self.graph.rules, &turn.purses, bids, of, order)
    }

    fn prospect(&self, place: PositionAndPurses, player: Player) -> RankedBound<'_> {
        if let Some(bound) = self.endings.get(&place.0) {
            return RankedBound { bound, rank: 0 };
        }
        let number = self.numbers[&place];
        RankedBound {
            bound: &side(&self.listed[number], player).bound.0,
            rank: self.ranks[player][number],
        }
    }
}

/// Returns Alice's winning probability at an ending.
fn worth(graph: &CertifiedGraph<'_>, ending: Ending) -> Checked<BigRational> {
    let worth = match ending {
        Ending::Win(Player::Alice) => Some(BigRational::one()),
        Ending::Win(Player::Bob) => Some(BigRational::zero()),
        Ending::Draw => graph.draw_worth(),
    };
    worth.map_or_else(|| unproved("the rules do not say what a draw is worth"), Ok)
}

/// Returns `true` if there can be such purses under the rules. The sum of all chips must fit in 32
/// bits.
fn is_sound(purses: &ListedPurses, rules: &Rules) -> bool {
    let counts =
        purses.alice >= 0 && purses.bob >= 0 && purses.alice.checked_add(purses.bob).is_some();
    counts && purses.holder.is_some() == has_status(rules.ties)
}

/// Returns `true` if these are probabilities of bids from 0 on that can be paid.
fn is_mixed(bids: &[Fraction], chips: i32) -> bool {
    let sum: BigRational = bids.iter().map(|bid| &bid.0).sum();
    // The list begins with the bid 0, so that it may have one entry more than there are chips.
    let affordable = fit::<i64>(bids.len()) <= i64::from(chips) + 1
        && bids.last().is_some_and(|last| !last.0.is_zero());
    affordable && sum.is_one() && !bids.iter().any(|bid| bid.0.is_negative())
}
