//! The least chips with which Alice wins against each budget of Bob's, whatever part of a winning bid goes to the bank.
//!
//! More chips never hurt, so for every vertex, budget b of Bob's and holder of the tie status there is a least number T of chips with
//! which Alice has a bid that is good against every bid of Bob's. For a bid x of hers she needs
//!
//! - if she wins by it, `x + T'(b + r(x))`, where T' is the threshold of where she then goes and r(x) what Bob gets of her bid;
//! - for each higher bid y of Bob's, `T''(b − y) − r(y)`, where T'' is that of where he goes;
//! - on a tie what the rule for ties says of these two;
//!
//! and T is the least over x of the greatest of these. (Under `ties: richer` with `winner: moves` more chips can hurt, since who has more must
//! move on a tie: there is no threshold then.)
//! On cycles T is the least fixed point, from "never". What it takes not to lose is the greatest one, from 0. Where it is finite it is at
//! most [`Table::enough`], budget by budget: along a play that Alice does not lose, Bob's budget stays as it is or shrinks; while it stays, she pays at a
//! position and holder at most once (paying again would make her need more than she needs), and never more than his budget and one.

mod totals;
mod unbeaten;

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::admit;
use crate::rules::{Draws, FieldValue, Purses, Rules, Tie, TieBreak, Winner, next_holder, tie};
use crate::watch::{Stop, Watch};

/// No number of chips suffices.
pub const NEVER: u64 = u64::MAX;

/// Who holds the tie status, if there is one.
type Holder = Option<Player>;

/// The thresholds of a vertex against each budget in question, for each holder of the tie status.
///
/// # Errors
/// If the rules have no such thresholds, or none that are known to be found where Bob's budget may grow on cycles, or the watch stops the work.
pub fn against(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    budgets: &[u64],
    watch: &dyn Watch,
) -> Result<Vec<(Holder, Vec<u64>)>> {
    admit::against(rules)?;
    let holders: &[Holder] = if rules.ties.has_status() { &[Some(Player::Alice), Some(Player::Bob)] } else { &[None] };
    let turn = Turn::new(graph, rules);
    let most = budgets.iter().copied().max().unwrap_or(0);
    if turn.bank_keeps_all() {
        let table = Table::solve(&turn, most, holders, watch)?;
        let row = |holder: &Holder| budgets.iter().map(|budget| table.get(node, *budget, *holder)).collect();
        return Ok(holders.iter().map(|holder| (*holder, row(holder))).collect());
    }
    if !graph.components().acyclic() {
        return totals::against(&turn, node, budgets, holders, watch);
    }
    let mut memo = Memo { turn, known: HashMap::new(), watch };
    let mut rows = Vec::new();
    for &holder in holders {
        let row = budgets.iter().map(|budget| memo.threshold(node, *budget, holder)).collect::<Result<_>>()?;
        rows.push((holder, row));
    }
    Ok(rows)
}

fn growing(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Pay(rules.pay.clone()).words();
    Diagnostic::new(
        Code::NotSupported,
        format!(
            "not supported: thresholds against a budget under `{name}: {value}, winner: moves` in a game with cycles, where Alice may need \
             Bob to win bids"
        ),
    )
    .note(
        "each of her bids that he lets win makes his budget grow, and each of his makes it shrink: whether she can keep that up for ever is \
         a game of energy for which no bound of the chips is known here, so that a number that is not enough does not tell whether more are",
    )
    .help("write `winner: chooses`, ask for totals, `f(G, 0..100)`, or ask about `G[n]`")
    .into()
}

/// One turn at a vertex.
struct Turn<'a> {
    graph: &'a GameGraph,
    rules: &'a Rules,
    /// The part of a bid that the bank keeps.
    tax: BigRational,
}

impl<'a> Turn<'a> {
    fn new(graph: &'a GameGraph, rules: &'a Rules) -> Self {
        Self { graph, rules, tax: rules.pay.tax().unwrap_or_else(BigRational::one) }
    }

    fn bank_keeps_all(&self) -> bool {
        self.tax.is_one()
    }

    fn bank_keeps_nothing(&self) -> bool {
        self.tax.is_zero()
    }

    /// What the loser gets of a bid.
    fn returned(&self, bid: u64) -> u64 {
        self.rules.pay.returned(bid)
    }

    /// The threshold at an ending.
    fn ended(&self, ending: Ending) -> u64 {
        let won = match ending {
            Ending::Win(player) => player == Player::Alice,
            Ending::Draw => self.rules.draws == Draws::Alice,
        };
        if won { 0 } else { NEVER }
    }

    /// The threshold of where a bid's winner takes the play.
    fn after<E>(
        &self,
        node: NodeId,
        winner: Player,
        mut of: impl FnMut(NodeId) -> std::result::Result<u64, E>,
    ) -> std::result::Result<u64, E> {
        let able = |player: Player| !self.graph.successors(node, player).is_empty();
        let must_move = self.rules.winner == Winner::Moves && Player::BOTH.into_iter().all(able);
        let mut best: Option<u64> = None;
        for mover in Player::BOTH.into_iter().filter(|mover| able(*mover) && (!must_move || *mover == winner)) {
            let mut moved: Option<u64> = None;
            for &head in self.graph.successors(node, mover) {
                let value = of(head)?;
                moved = Some(moved.map_or(value, |moved| better(mover, moved, value)));
            }
            let moved = moved.expect("who is able to move has a move");
            best = Some(best.map_or(moved, |best| better(winner, best, moved)));
        }
        Ok(best.expect("a vertex without an ending has an edge"))
    }

    /// The threshold at a vertex that is no ending, from those of its successors.
    fn threshold<E>(
        &self,
        node: NodeId,
        budget: u64,
        holder: Holder,
        mut of: impl FnMut(NodeId, u64, Holder) -> std::result::Result<u64, E>,
    ) -> std::result::Result<u64, E> {
        let next = |winner, tied| holder.map(|holder| next_holder(self.rules.ties, holder, winner, tied));
        let mut won = |bid: u64, tied: bool| {
            let (left, status) = (budget + self.returned(bid), next(Player::Alice, tied));
            Ok(bid.saturating_add(self.after(node, Player::Alice, |head| of(head, left, status))?))
        };
        let mut wins = Vec::new();
        // What she needs against all higher bids, for each bid of hers, comes later; first what she needs to win.
        let mut ties_won = Vec::new();
        for bid in 0..=budget + 1 {
            wins.push(if bid == 0 { 0 } else { won(bid, false)? });
            ties_won.push(if bid <= budget { won(bid, true)? } else { 0 });
            if wins[bid as usize] == NEVER {
                break;
            }
        }
        let mut lost = |bid: u64, tied: bool| {
            let (left, status) = (budget - bid, next(Player::Bob, tied));
            let needed = self.after(node, Player::Bob, |head| of(head, left, status))?;
            Ok(if needed == NEVER { NEVER } else { needed.saturating_sub(self.returned(bid)) })
        };
        let mut higher = 0;
        for bid in wins.len() as u64..=budget {
            higher = higher.max(lost(bid, false)?);
        }
        let mut least = NEVER;
        for bid in (0..wins.len() as u64).rev() {
            let base = higher.max(wins[bid as usize]);
            let needed = if bid > budget {
                base
            } else {
                self.with_tie(base, budget, holder, ties_won[bid as usize], lost(bid, true)?)
            };
            least = least.min(needed.max(bid));
            if bid <= budget {
                higher = higher.max(lost(bid, false)?);
            }
        }
        Ok(least)
    }

    /// What she needs in all if she needs `base`, and on a tie that she wins `won`, on one that he wins `lost`.
    fn with_tie(&self, base: u64, budget: u64, holder: Holder, won: u64, lost: u64) -> u64 {
        if self.rules.ties == TieBreak::Richer {
            let poorer = base.max(lost);
            return if poorer < budget { poorer } else { base.max(won).max(budget) };
        }
        let purses = Purses { chips: PerPlayer::new(0, budget), status: holder };
        base.max(match tie(self.rules, &purses) {
            Tie::Goes(Player::Alice) => won,
            Tie::Goes(Player::Bob) => lost,
            Tie::ChosenBy(player) => better(player, won, lost),
            Tie::Coin => unreachable!("rules with a coin are not admitted"),
        })
    }
}

fn better(player: Player, a: u64, b: u64) -> u64 {
    match player {
        Player::Alice => a.min(b),
        Player::Bob => a.max(b),
    }
}

/// All thresholds for budgets that never grow.
struct Table {
    budgets: usize,
    cells: Vec<u64>,
    /// The greatest threshold so far that is a number.
    greatest: u64,
}

impl Table {
    fn index(&self, node: NodeId, budget: u64, holder: Holder) -> usize {
        let held = usize::from(holder == Some(Player::Bob));
        (2 * node.index() + held) * self.budgets + budget as usize
    }

    fn get(&self, node: NodeId, budget: u64, holder: Holder) -> u64 {
        self.cells[self.index(node, budget, holder)]
    }

    fn solve(turn: &Turn<'_>, most: u64, holders: &[Holder], watch: &dyn Watch) -> Result<Self> {
        let budgets = most as usize + 1;
        let cells = (2 * turn.graph.len()).saturating_mul(budgets);
        let limit = watch.limits().max_memory;
        if cells.saturating_mul(size_of::<u64>()) as u64 > limit {
            return Err(Stop::Memory(limit).into());
        }
        let components = turn.graph.components();
        let from = if turn.rules.draws == Draws::Alice { 0 } else { NEVER };
        let mut table = Self { budgets, cells: vec![from; cells], greatest: 0 };
        for (vertices, cyclic) in components.iter() {
            for budget in 0..=most {
                let capped = if from == 0 { table.enough(vertices.len() as u64, budget) } else { NEVER };
                loop {
                    watch.check()?;
                    let mut changed = false;
                    for &node in vertices {
                        changed |= table.vertex(turn, node, budget, (holders, capped));
                    }
                    if !(changed && cyclic) {
                        break;
                    }
                }
                table.look_at(vertices, budget, holders);
            }
        }
        Ok(table)
    }

    /// As much as any threshold of a component against a budget of Bob's, if those of less and of where it leads to are known.
    fn enough(&self, vertices: u64, budget: u64) -> u64 {
        self.greatest.saturating_add((2 * vertices).saturating_mul(budget + 1))
    }

    fn look_at(&mut self, vertices: &[NodeId], budget: u64, holders: &[Holder]) {
        for (&node, &holder) in vertices.iter().flat_map(|node| holders.iter().map(move |holder| (node, holder))) {
            let least = self.get(node, budget, holder);
            if least != NEVER {
                self.greatest = self.greatest.max(least);
            }
        }
    }

    /// Computes a vertex anew, where what exceeds `capped` is never enough; whether anything has changed.
    fn vertex(&mut self, turn: &Turn<'_>, node: NodeId, budget: u64, (holders, capped): (&[Holder], u64)) -> bool {
        let mut changed = false;
        for &holder in holders {
            let known = |head, budget, holder| Ok::<_, std::convert::Infallible>(self.get(head, budget, holder));
            let value = match turn.graph.ending(node) {
                Some(ending) => turn.ended(ending),
                None => match turn.threshold(node, budget, holder, known) {
                    Ok(value) => value,
                    Err(never) => match never {},
                },
            };
            let value = if value > capped { NEVER } else { value };
            let index = self.index(node, budget, holder);
            changed |= std::mem::replace(&mut self.cells[index], value) != value;
        }
        changed
    }
}

/// Thresholds as they are needed: budgets may grow.
struct Memo<'a> {
    turn: Turn<'a>,
    known: HashMap<(NodeId, u64, Holder), u64>,
    watch: &'a dyn Watch,
}

impl Memo<'_> {
    fn threshold(&mut self, node: NodeId, budget: u64, holder: Holder) -> Result<u64> {
        if let Some(ending) = self.turn.graph.ending(node) {
            return Ok(self.turn.ended(ending));
        }
        if let Some(&known) = self.known.get(&(node, budget, holder)) {
            return Ok(known);
        }
        self.watch.check()?;
        let limit = self.watch.limits().max_memory;
        if (self.known.len() * 64) as u64 > limit {
            return Err(Stop::Memory(limit).into());
        }
        let turn = Turn::new(self.turn.graph, self.turn.rules);
        let solve =
            || turn.threshold(node, budget, holder, |head, budget, holder| self.threshold(head, budget, holder));
        let value = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, solve)?;
        self.known.insert((node, budget, holder), value);
        Ok(value)
    }
}
