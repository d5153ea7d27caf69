//! Sure wins: with which budgets Alice wins whatever happens.
//!
//! On a finite graph a mixed bid that wins with certainty wins with each bid in it, so single bids suffice: Alice wins for sure if she has
//! a bid after which, whatever Bob bids, she wins for sure. On cycles it is the least such set, since a play that never ends is not won.
//! More chips never hurt at a fixed tie status, so for each of Bob's budgets there is a least one of hers.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::matrix::Matrix;
use super::onward::movers;
use super::table::{Table, Work, worth};
use super::{Budgets, Equilibrium, Method, Payoff};
use crate::diagnostic::Result;
use crate::game::{Components, GameGraph, NodeId, PerPlayer, Player};
use crate::rules::{Payment, Purses, Rules, Solver};
use crate::watch::Watch;

/// Whether Alice wins for sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sure(bool);

impl Payoff for Sure {
    type Probability = ();
    const SWEEPS: usize = usize::MAX;

    fn halves(halves: u8) -> Self {
        Self(halves == 2)
    }

    fn unknown() -> Self {
        Self(false)
    }

    fn compare(&self, other: &Self, player: Player) -> Ordering {
        match player {
            Player::Alice => self.0.cmp(&other.0),
            Player::Bob => other.0.cmp(&self.0),
        }
    }

    fn either(&self, other: &Self, player: Player) -> Self {
        match player {
            Player::Alice => Self(self.0 || other.0),
            Player::Bob => Self(self.0 && other.0),
        }
    }

    fn mean(&self, other: &Self) -> Self {
        Self(self.0 && other.0)
    }

    fn equilibrium(matrix: &Matrix<Self>, _: Solver) -> Equilibrium<Self> {
        let bob = matrix.bids(Player::Bob);
        let wins = match matrix.diagonals() {
            // A bid wins if the differences that it can lead to all do: as many on end as Bob has bids.
            Some(differences) => longest_run(differences) >= bob,
            None => (0..matrix.bids(Player::Alice)).any(|alice| (0..bob).all(|bob| matrix.at(alice, bob).0)),
        };
        let value = Self(wins);
        Equilibrium::new(value, Vec::new(), Vec::new(), Method::Pure)
    }

    fn cost<'a>(_: impl Iterator<Item = &'a Self>) -> u64 {
        0
    }

    fn tighten(&mut self, newer: &Self) -> f64 {
        let gain = f64::from(u8::from(newer.0 && !self.0));
        self.0 |= newer.0;
        gain
    }
}

/// The length of the longest run of sure wins.
fn longest_run(outcomes: &[Sure]) -> usize {
    let runs = outcomes.split(|sure| !sure.0).map(<[Sure]>::len);
    runs.max().unwrap_or(0)
}

/// Which budgets suffice for sure wins from one vertex, as far as has been asked.
pub struct SureWins<'a> {
    work: Work<'a>,
    components: Components,
    node: NodeId,
    /// The most chips of Bob's that will be asked about.
    most: u64,
    rich_alice_wins: bool,
    tables: HashMap<Budgets, Table<Sure>>,
}

impl<'a> SureWins<'a> {
    /// For up to `most` chips of Bob's.
    pub fn new(graph: &'a GameGraph, rules: &'a Rules, node: NodeId, most: u64, watch: &'a dyn Watch) -> Self {
        Self {
            work: Work { graph, rules, watch },
            components: graph.components(),
            node,
            most,
            rich_alice_wins: rich_alice_wins(graph, rules, node),
            tables: HashMap::new(),
        }
    }

    /// The least chips with which Alice wins for sure against this many of Bob's; `holder` has the tie status, if there is one. `None` if no
    /// number suffices.
    ///
    /// # Errors
    /// If the watch stops it, or the numbers of chips to try would not fit in memory.
    pub fn least(&mut self, bob: u64, holder: Option<Player>) -> Result<Option<u64>> {
        if !self.rich_alice_wins {
            return Ok(None);
        }
        let mut suffices = |alice| self.suffices(PerPlayer::new(alice, bob), holder);
        if suffices(0)? {
            return Ok(Some(0));
        }
        let (mut short, mut enough) = (0, bob.max(1));
        while !suffices(enough)? {
            (short, enough) = (enough, 2 * enough);
        }
        while enough - short > 1 {
            let middle = u64::midpoint(short, enough);
            *if suffices(middle)? { &mut enough } else { &mut short } = middle;
        }
        Ok(Some(enough))
    }

    fn suffices(&mut self, chips: PerPlayer<u64>, holder: Option<Player>) -> Result<bool> {
        let budgets = Budgets::from(self.work.rules, self.covered(chips));
        if !self.tables.contains_key(&budgets) {
            let mut table = Table::new(self.work.graph, budgets, self.work.watch)?;
            table.advance(self.work, &self.components, self.node, &mut u64::MAX.clone())?;
            self.tables.insert(budgets, table);
        }
        Ok(self.tables[&budgets].value(self.node, &Purses { chips, status: holder }).is_some_and(|sure| sure.0))
    }

    /// Paid to the bank, one table serves all smaller budgets: it is made for Bob's greatest, and for Alice's next power of two.
    fn covered(&self, chips: PerPlayer<u64>) -> PerPlayer<u64> {
        match self.work.rules.pay {
            Payment::AllPayBank => PerPlayer::new((chips.alice + 1).next_power_of_two().max(self.most), self.most),
            Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => chips,
        }
    }
}

/// Whether Alice wins if she wins every bid: with enough chips she can.
fn rich_alice_wins(graph: &GameGraph, rules: &Rules, node: NodeId) -> bool {
    let won_ending = |node| graph.ending(node).is_some_and(|ending| worth(ending, rules) == 2);
    let mut won: Vec<bool> = graph.nodes().map(won_ending).collect();
    loop {
        let mut changed = false;
        for at in graph.nodes().rev().filter(|&at| graph.ending(at).is_none()) {
            let wins = movers(graph, rules, at, Player::Alice).into_iter().any(|mover| {
                let mut heads = graph.successors(at, mover).iter().map(|head| won[head.index()]);
                if mover == Player::Alice { heads.any(|won| won) } else { heads.all(|won| won) }
            });
            changed |= wins && !won[at.index()];
            won[at.index()] |= wins;
        }
        if !changed {
            return won[node.index()];
        }
    }
}
