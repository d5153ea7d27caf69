//! Sure wins: with which budgets Alice wins whatever happens.
//!
//! On a finite graph a mixed bid that wins with certainty wins with each bid in it, so single bids suffice: Alice wins for sure if she has
//! a bid after which, whatever Bob bids, she wins for sure. On cycles it is the least such set, since a play that never ends is not won.
//! More chips never hurt at a fixed tie status, so for each of Bob's budgets there is a least one of hers.

use std::cmp::Ordering;

use super::matrix::Matrix;
use super::onward::movers;
use super::table::{Table, Work, worth};
use super::{Budgets, Equilibrium, Method, Payoff};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId, PerPlayer, Player};
use crate::rules::{Purses, Rules, Solver};
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
        let wins = |alice: usize| (0..matrix.bids(Player::Bob)).all(|bob| matrix.at(alice, bob).0);
        let value = Self((0..matrix.bids(Player::Alice)).any(wins));
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

/// The least chips with which Alice wins for sure against this many of Bob's; `holder` has the tie status, if there is one. `None` if no
/// number suffices.
///
/// # Errors
/// If the watch stops it, or the numbers of chips to try would not fit in memory.
pub fn sure(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    (bob, holder): (u64, Option<Player>),
    watch: &dyn Watch,
) -> Result<Option<u64>> {
    if !rich_alice_wins(graph, rules, node) {
        return Ok(None);
    }
    let components = graph.components();
    let suffices = |alice: u64| -> Result<bool> {
        let chips = PerPlayer::new(alice, bob);
        let mut table = Table::<Sure>::new(graph, Budgets::from(rules, chips), watch)?;
        table.advance(Work { graph, rules, watch }, &components, node, &mut u64::MAX.clone())?;
        Ok(table.value(node, &Purses { chips, status: holder }).is_some_and(|sure| sure.0))
    };
    let (mut short, mut enough) = (None, bob);
    while !suffices(enough)? {
        short = Some(enough);
        enough = 2 * enough + 1;
    }
    let mut short = match short {
        Some(short) => short,
        None if enough == 0 || suffices(0)? => return Ok(Some(0)),
        None => 0,
    };
    while enough - short > 1 {
        let middle = u64::midpoint(short, enough);
        *if suffices(middle)? { &mut enough } else { &mut short } = middle;
    }
    Ok(Some(enough))
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
