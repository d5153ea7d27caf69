//! The least purses of a game in which Bob keeps no more than a cap.

use std::convert::Infallible;

use super::super::table::{AllPayWork, worth};
use super::front::Front;
use super::too_many;
pub(super) use crate::budgets::NEVER;
use crate::budgets::after_bid;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::player::{PerPlayer, Player};
use crate::rules::{Draws, Payment, Purses, Tie, TieBreak, next_holder, tie};
use crate::space::worklist::{IncomingEdges, Worklist};
use crate::watch::Asking;

/// The number of purses that are computed between two checks.
const CELLS: usize = 1 << 12;

/// The interpretation of tied bids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ties {
    /// By the rule.
    Ruled,
    /// Alice decides each tie; she needs no more than by the rule.
    ForAlice,
}

/// The least purses with which Alice wins, for each position, status and purse of Bob's, when Bob
/// keeps no more than a cap.
pub(super) struct Purse {
    pub(super) cap: u64,
    ties: Ties,
    holders: &'static [Option<Player>],
    /// The least purses, by position, then by Bob's chips and the status.
    rows: Vec<Vec<u64>>,
    /// The greatest finite purse; a purse above it is infinite.
    greatest: u64,
}

impl Purse {
    /// Creates the table with only the endings known.
    pub(super) fn new(work: AllPayWork<'_>, from: NodeId, cap: u64, ties: Ties) -> Result<Self> {
        let AllPayWork {
            graph,
            rules,
            context,
            ..
        } = work;
        let holders = rules.ties.holders();
        let needed = graph.reached(from);
        let positions = needed.iter().filter(|needed| **needed).count() as u64;
        let states = cap
            .saturating_add(1)
            .saturating_mul(holders.len() as u64)
            .saturating_mul(positions);
        let limit = context.limits.max_memory;
        if states.saturating_mul(size_of::<u64>() as u64) > limit {
            return Err(too_many(cap, limit));
        }
        // Endless play that is a win is found from below, a win in finitely many turns from above.
        let start = if rules.draws == Draws::Alice {
            0
        } else {
            NEVER
        };
        let len = holders.len() * (fit::<usize>(cap) + 1);
        let row = |node: NodeId| match (needed[node.index()], graph.ending(node)) {
            (false, _) => Vec::new(),
            (true, None) => vec![start; len],
            (true, Some(ending)) => vec![if worth(ending, rules) == 2 { 0 } else { NEVER }; len],
        };
        let rows = graph.nodes().map(row).collect();
        let turns = match rules.pay {
            Payment::AllPayBank => states,
            Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => {
                positions.saturating_mul(holders.len() as u64)
            }
        };
        // The bound for energy games is the number of costly turns times the greatest loss in one.
        let greatest = turns
            .saturating_add(2)
            .saturating_mul(cap.saturating_add(2));
        Ok(Self {
            cap,
            ties,
            holders,
            rows,
            greatest,
        })
    }

    /// Copies the entries for at least `from` chips of Bob's from another table.
    pub(super) fn take_over(&mut self, known: Self, from: u64) {
        let at = self.index(from, None);
        for (row, known) in self
            .rows
            .iter_mut()
            .zip(known.rows)
            .filter(|(row, _)| !row.is_empty())
        {
            row[at..].copy_from_slice(&known[at..]);
        }
    }

    /// Finds the least purses against fewer than `below` chips of Bob's.
    pub(super) fn solved(mut self, work: AllPayWork<'_>, below: u64) -> Result<Self> {
        let mut asking = Asking::every(CELLS, work.context);
        for (members, cyclic) in work.graph.components().iter() {
            let inner = |node: &NodeId| {
                !self.rows[node.index()].is_empty() && work.graph.ending(*node).is_none()
            };
            let members: Vec<NodeId> = members.iter().copied().filter(inner).collect();
            match work.rules.pay {
                Payment::AllPayBank => {
                    self.paid_to_bank(work, &members, cyclic, below, &mut asking)?;
                }
                Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => {
                    self.paid_to_other(work, &members, cyclic, below, &mut asking)?;
                }
            }
        }
        Ok(self)
    }

    /// Solves positions under payment to the bank, where no purse grows: budget by budget, the need
    /// of a bid that takes something from Bob is known from smaller budgets.
    fn paid_to_bank(
        &mut self,
        work: AllPayWork<'_>,
        members: &[NodeId],
        cyclic: bool,
        below: u64,
        asking: &mut Asking<'_>,
    ) -> Result<()> {
        let edges = cyclic.then(|| IncomingEdges::within(work.graph, members));
        let mut waiting = Worklist::all(members.len());
        let mut fronts = vec![
            PerPlayer::new(Front::default(), Front::default());
            members.len() * self.holders.len()
        ];
        for bob in 0..below {
            // The needs against smaller budgets are final, so each is added to the fronts once.
            if let Some(before) = bob.checked_sub(1) {
                let states = members
                    .iter()
                    .flat_map(|node| self.holders.iter().map(move |holder| (*node, *holder)));
                for ((node, holder), fronts) in states.zip(&mut fronts) {
                    asking.step(1)?;
                    let turn = PurseTurn {
                        purse: self,
                        work,
                        node,
                        bob: before,
                        holder,
                    };
                    turn.readings().for_each(|(reading, rule)| {
                        fronts[reading].push(turn.against_ties_and_higher(rule))
                    });
                }
            }
            waiting.add_all();
            while let Some(place) = waiting.take() {
                asking.step(self.holders.len())?;
                let mut changed = false;
                for at in 0..self.holders.len() {
                    let turn = PurseTurn {
                        purse: self,
                        work,
                        node: members[place],
                        bob,
                        holder: self.holders[at],
                    };
                    let fronts = &fronts[place * self.holders.len() + at];
                    let found =
                        turn.least(|reading, rule| turn.least_to_bank(&fronts[reading], rule));
                    changed |= self.set(members[place], bob, self.holders[at], found);
                }
                if changed {
                    edges
                        .iter()
                        .flat_map(|edges| edges.tails_of(place))
                        .for_each(|tail| waiting.add(*tail));
                }
            }
        }
        Ok(())
    }

    /// Solves positions under payment to the other player, where Bob's purse grows and shrinks.
    /// Alice's needs against one purse depend on those against greater and smaller ones, so all are
    /// recomputed until nothing changes, upward and downward in turn.
    fn paid_to_other(
        &mut self,
        work: AllPayWork<'_>,
        members: &[NodeId],
        cyclic: bool,
        below: u64,
        asking: &mut Asking<'_>,
    ) -> Result<()> {
        let mut upward = true;
        loop {
            let mut changed = false;
            for step in 0..below {
                let bob = if upward { step } else { below - 1 - step };
                for &node in members {
                    asking.step(self.holders.len())?;
                    for at in 0..self.holders.len() {
                        let turn = PurseTurn {
                            purse: self,
                            work,
                            node,
                            bob,
                            holder: self.holders[at],
                        };
                        let found = turn.least(|_, rule| turn.least_to_other(rule));
                        changed |= self.set(node, bob, self.holders[at], found);
                    }
                }
            }
            // Without a cycle the rows of the successors are final, and one pass suffices.
            if !(changed && cyclic) {
                return Ok(());
            }
            // Bob's purse shrinks as well as grows, so alternate directions carry changes both
            // ways.
            upward = !upward;
        }
    }

    /// Stores a purse and returns whether it changed.
    fn set(&mut self, node: NodeId, bob: u64, holder: Option<Player>, found: u64) -> bool {
        // A need beyond the greatest finite one would go on growing for ever.
        let found = if found > self.greatest { NEVER } else { found };
        let index = self.index(bob, holder);
        std::mem::replace(&mut self.rows[node.index()][index], found) != found
    }

    fn index(&self, bob: u64, holder: Option<Player>) -> usize {
        fit::<usize>(bob) * self.holders.len() + usize::from(holder == Some(Player::Bob))
    }

    /// Returns the least purse at a position, against this many chips of Bob's.
    pub(super) fn least(&self, node: NodeId, bob: u64, holder: Option<Player>) -> u64 {
        self.rows[node.index()][self.index(bob, holder)]
    }
}

/// One turn: the position, Bob's chips and the holder of the status.
#[derive(Clone, Copy)]
struct PurseTurn<'a> {
    purse: &'a Purse,
    work: AllPayWork<'a>,
    node: NodeId,
    bob: u64,
    holder: Option<Player>,
}

impl<'a> PurseTurn<'a> {
    /// Returns the interpretations of a tie that may be needed, each with a key: under `richer` one
    /// in favour of each player, otherwise only one.
    fn readings(self) -> impl Iterator<Item = (Player, Tie)> {
        let both = self.is_by_chips();
        let rule = move |player: Player| match both {
            true => Some((player, Tie::Goes(player))),
            false => (player == Player::Alice).then(|| (player, self.rule())),
        };
        Player::BOTH.into_iter().filter_map(rule)
    }

    fn is_by_chips(self) -> bool {
        self.work.rules.ties == TieBreak::Richer && self.purse.ties == Ties::Ruled
    }

    /// Returns the winner of a tie, where that does not depend on chips.
    fn rule(self) -> Tie {
        if self.purse.ties == Ties::ForAlice {
            return Tie::ChosenBy(Player::Alice);
        }
        tie(self.work.rules, &Purses::new(0, self.bob, self.holder))
    }

    /// Returns the least purse, from the least for each interpretation of ties.
    fn least(self, least: impl Fn(Player, Tie) -> u64) -> u64 {
        let AllPayWork { graph, rules, .. } = self.work;
        if let Some(owner) = graph.owner(self.node) {
            // There is no bid, so that all purses stay as they are.
            let of = |head| Ok(self.purse.least(head, self.bob, self.holder));
            let Ok(needed) = after_bid::<Infallible>(graph, rules, self.node, owner, of);
            return needed;
        }
        if !self.is_by_chips() {
            return least(Player::Alice, self.rule());
        }
        let poorer = least(Player::Bob, Tie::Goes(Player::Bob));
        // With fewer chips than Bob's, Alice loses ties; with as many or more she wins them.
        if poorer < self.bob {
            poorer
        } else {
            least(Player::Alice, Tie::Goes(Player::Alice)).max(self.bob)
        }
    }

    /// Returns the least need over her bids if they are paid to the bank: a bid of 0, one above
    /// Bob's budget, or one in between.
    fn least_to_bank(self, front: &Front, rule: Tie) -> u64 {
        let won = self.after(self.bob, Player::Alice, false);
        let nothing = self.against_ties_and_higher(rule);
        nothing
            .min(front.least(won))
            .min(won.saturating_add(self.bob + 1))
    }

    /// Returns the chips that Alice needs besides her bid if Bob, who has `self.bob` chips more
    /// than it, bids as much or one more.
    fn against_ties_and_higher(self, rule: Tie) -> u64 {
        let higher = self
            .bob
            .checked_sub(1)
            .map_or(0, |left| self.after(left, Player::Bob, false));
        higher.max(self.tied(rule))
    }

    /// Returns the least need over her bids if they are paid to the other player. Only the
    /// difference of the bids matters. Bob's best answers are a bid of 0, the same bid, and one
    /// more, so of her bids only 0, all that he has, and one more than that need to be considered.
    fn least_to_other(self, rule: Tie) -> u64 {
        let won = |bid: u64| {
            self.after(
                self.bob.saturating_add(bid).min(self.purse.cap),
                Player::Alice,
                false,
            )
            .saturating_add(bid)
        };
        let tied = self.tied(rule);
        let higher =
            self.bob
                .checked_sub(1)
                .map_or(0, |left| match self.after(left, Player::Bob, false) {
                    NEVER => NEVER,
                    // Bob bids one chip more and pays it to her, so she needs one less.
                    needed => needed.saturating_sub(1),
                });
        let equal = if self.bob == 0 { 0 } else { won(self.bob) };
        tied.max(higher).min(tied.max(equal)).min(won(self.bob + 1))
    }

    /// Returns the chips that she needs after a tie.
    fn tied(self, rule: Tie) -> u64 {
        let after = |winner| self.after(self.bob, winner, true);
        match rule {
            Tie::Goes(player) => after(player),
            Tie::ChosenBy(Player::Alice) => after(Player::Alice).min(after(Player::Bob)),
            Tie::ChosenBy(Player::Bob) | Tie::Coin => after(Player::Alice).max(after(Player::Bob)),
            Tie::Nobody => unreachable!("such rules are not admitted"),
        }
    }

    /// Returns the chips that she needs after a bid, against `left` chips of Bob's.
    fn after(self, left: u64, winner: Player, tied: bool) -> u64 {
        let AllPayWork { graph, rules, .. } = self.work;
        let status = self
            .holder
            .map(|holder| next_holder(rules.ties, holder, winner, tied));
        let of = |head| Ok(self.purse.least(head, left, status));
        let Ok(needed) = after_bid::<Infallible>(graph, rules, self.node, winner, of);
        needed
    }
}
