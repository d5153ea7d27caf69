//! Whole chips: that no number of Alice's chips is enough against a budget of Bob's.
//!
//! # What is checked
//! A state is a position with Bob's chips y, from 0 to some most C, and who has the tie status;
//! Alice has as many chips as she likes. A set says from which states Bob keeps her from winning
//! with y chips or more. Endings that Alice has won are not in it, others are, with rank 0.
//! Elsewhere Alice bids any x up to y + 1 and then Bob any z up to y. If she wins he has y + x
//! chips, if he wins y − z; more than C count as C. Under `ties: richer` Alice wins ties. His
//! choices take the least rank of what they can lead to, hers the greatest, a state outside of the
//! set counting as infinite. The state is in the set exactly if that is finite. Its rank is 0, or,
//! where the rules call a draw Alice's win, 1 more than that; a state that counts C chips for more
//! is then taken for −1.
//!
//! # Why that is enough
//! Let Alice have any number of chips, and Bob y at least. He takes the extra ones for lost.
//! Against her bid he has an answer that leads to the set again; a bid above y + 1 does what y + 1
//! does, and leaves him more. So play stays in the set, where Alice has won nowhere. Where a draw
//! is her win, his rank falls at every turn, or what he takes for lost grows by a chip at least. It
//! never shrinks, and there are finitely many chips; so he reaches rank 0, an ending that he has
//! won. (Under `richer` a tie may be Bob's. Where he counts on Alice to win one with a bid that is
//! not 0, he bids 0 instead; at 0 nothing is paid, and the winner, who chooses, can do what the
//! loser could.)

use super::bidding::{Holdings, Won, movers, next_holder, won};
use super::listing::look;
use super::sets::{NEVER, States};
use super::{Checked, Graph, malformed, unproved};
use crate::format::{Never, Rows};
use crate::player::{Ending, Player};
use crate::rules::{Draws, Rules, TieBreak, Winner};
use crate::watch::Context;

/// The least number of chips where none is enough.
pub const NONE: i32 = -1;

/// Checks the set, and that it holds the budgets against which no number of chips is said to be
/// enough.
pub(super) fn check(
    graph: &Graph<'_>,
    rules: &Rules,
    budgets: &[i32],
    answers: &Rows,
    proof: &Never,
    context: &Context<'_>,
) -> Checked<()> {
    if rules.ties == TieBreak::Richer && rules.winner == Winner::Moves {
        return unproved("where the richer player must move more chips can hurt");
    }
    let states = States::read(graph, rules, proof.chips, &proof.states, context)?;
    let check = Check::new(graph, rules, &states);
    for position in 0..graph.len() {
        look(context, "checking states", position, graph.len())?;
        let needed = check.ranks_at(position, context)?;
        if let Some(place) =
            (0..needed.len()).find(|place| needed[*place] != states.ranks(position)[*place])
        {
            let (claimed, rank) = (states.ranks(position)[place], needed[place]);
            return unproved(format!(
                "at position {position} Bob's rank is not {claimed}, but {rank}"
            ));
        }
    }
    for (index, budget) in budgets.iter().enumerate() {
        for (status, _) in answers
            .row(index)
            .iter()
            .enumerate()
            .filter(|(_, least)| **least == NONE)
        {
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

/// One step back from a set of states.
#[derive(Debug)]
pub struct Check<'c> {
    graph: &'c Graph<'c>,
    rules: &'c Rules,
    states: &'c States,
    /// Whether Bob must win; else it is enough that Alice does not.
    must_win: bool,
}

impl<'c> Check<'c> {
    /// The step of a set of states by Bob's chips.
    pub fn new(graph: &'c Graph<'c>, rules: &'c Rules, states: &'c States) -> Self {
        Self {
            graph,
            rules,
            states,
            must_win: rules.draws == Draws::Alice,
        }
    }

    /// The ranks that the states of a position must have: by status and Bob's chips.
    pub fn ranks_at(&self, position: usize, context: &Context<'_>) -> Checked<Vec<i32>> {
        let mut ranks = Vec::new();
        for status in 0..self.states.statuses {
            for chips in 0..=self.states.total {
                context.check()?;
                ranks.push(self.rank(position, status, chips));
            }
        }
        Ok(ranks)
    }

    fn rank(&self, position: usize, status: usize, bob: i32) -> i32 {
        if let Some(ending) = self.graph.ending(position) {
            let kept = match ending {
                Ending::Win(player) => player == Player::Bob,
                Ending::Draw => !self.must_win,
            };
            return if kept { 0 } else { -1 };
        }
        let holder = (self.states.statuses == 2).then_some(Player::BOTH[status]);
        // Alice is the richer one.
        let held = Holdings {
            alice: i32::MAX,
            bob,
            holder,
        };
        let answered = |x: i32| {
            (0..=bob)
                .map(|z| self.bid(position, &held, [x, z]))
                .min()
                .unwrap_or(NEVER)
        };
        match (0..=bob + 1).map(answered).max() {
            None | Some(NEVER) => -1,
            Some(_) if !self.must_win => 0,
            Some(rank) => rank.saturating_add(1),
        }
    }

    fn choice(&self, by: Player, ranks: impl Iterator<Item = i32>) -> i32 {
        let choice = if by == Player::Bob {
            ranks.min()
        } else {
            ranks.max()
        };
        choice.unwrap_or(NEVER)
    }

    /// The rank that follows when Alice bids `x` and Bob `z`.
    fn bid(&self, position: usize, held: &Holdings, [x, z]: [i32; 2]) -> i32 {
        let wins = |winner: Player| {
            let bob = if winner == Player::Bob {
                held.bob - z
            } else {
                held.bob + x
            };
            let holder = next_holder(self.rules, held.holder, winner, x == z);
            let movers = movers(self.graph, self.rules.winner, position, winner);
            let of_mover = |mover: &Player| {
                let heads = self.graph.moves(position, *mover).iter();
                self.choice(
                    *mover,
                    heads.map(|to| self.reached(*to as usize, holder, bob)),
                )
            };
            self.choice(winner, movers.iter().map(of_mover))
        };
        match won(self.rules, held, x, z) {
            Won::By(winner) => wins(winner),
            Won::ChosenBy(player) => self.choice(player, Player::BOTH.map(wins).into_iter()),
            Won::Coin => NEVER,
        }
    }

    /// The rank of a state that is reached with so many chips of Bob's.
    fn reached(&self, position: usize, holder: Option<Player>, bob: i32) -> i32 {
        let most = self.states.total;
        match self.states.rank(
            position,
            usize::from(holder == Some(Player::Bob)),
            bob.min(most),
        ) {
            -1 => NEVER,
            _ if bob > most && self.must_win => -1,
            rank => rank,
        }
    }
}
