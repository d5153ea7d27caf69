//! Sure wins: the least chips with which Alice wins whatever happens.
//!
//! More chips never hurt at a fixed tie status where the rule for ties does not look at chips, since they can be left aside; nor under
//! `richer` where the winner of a bid chooses who moves. So for each position, status and purse of Bob's there is a least purse of
//! Alice's, and the least purses follow from those of the next positions: the winner of the bid chooses the smaller or the greater one, a
//! bid of Alice's needs the chips that are bid and enough for whatever Bob bids, and she takes the best bid. A bid above all that Bob has
//! wins like the one just above it, and costs more, so only bids up to one more than he has matter.
//!
//! Where both pay each other Bob's purse grows. Let him throw away what he has above a cap: that cannot help him, so the least purses of this
//! game are no more than the true ones, and where none suffices none does in truth. If the least purse found and Bob's together do
//! not exceed the cap, nothing is ever thrown away, and it is the true one. Else the cap is raised.
//!
//! Where endless play is not won the least purses are found from "none suffices" downward: a win takes finitely many turns. Where it is
//! won they are found from 0 upward. These are the credits of an energy game on finitely many states, in which a player needs no more than
//! what is lost on a way through states that differ (Bouyer et al., 2008; Brim et al., 2011): a credit that is more than the turns that
//! cost anything times the greatest bid is infinite. Paid to the bank, every turn may cost something; paid to the other, chips are lost
//! only where Bob throws some away, and is at the cap.

use super::Budgets;
use super::onward::movers;
use super::region::{Goal, region};
use super::table::{Work, worth};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::{Draws, Payment, Purses, Rules, Tie, TieBreak, Winner, settle, tie};
use crate::watch::Watch;

/// No number of chips suffices.
const NEVER: u64 = u64::MAX;
/// Under rules where more chips can hurt, budgets of Alice's up to this many, and as many times Bob's, are tried.
const TRIED: u64 = 64;

/// Which budgets suffice for sure wins from one vertex, as far as has been asked.
pub struct SureWins<'a> {
    work: Work<'a>,
    node: NodeId,
    /// The most chips of Bob's that will be asked about.
    most: u64,
    /// The least purses by the cap of Bob's.
    tables: Vec<Purse>,
}

impl<'a> SureWins<'a> {
    /// For up to `most` chips of Bob's.
    pub fn new(graph: &'a GameGraph, rules: &'a Rules, node: NodeId, most: u64, watch: &'a dyn Watch) -> Self {
        Self { work: Work { graph, rules, watch }, node, most, tables: Vec::new() }
    }

    /// The least chips with which Alice wins for sure against this many of Bob's; `holder` has the tie status, if there is one. `None` if no
    /// number suffices.
    ///
    /// # Errors
    /// If the watch stops it, the numbers of chips to try would not fit in memory, or more chips can hurt and none of those tried suffices.
    pub fn least(&mut self, bob: u64, holder: Option<Player>) -> Result<Option<u64>> {
        let least = self.least_purse(bob, holder)?;
        match self.more_can_hurt() {
            false => Ok(least),
            true => least.map_or(Ok(None), |least| self.tried(least, bob).map(Some)),
        }
    }

    /// Whether one more chip can turn a win into a loss: it wins a tie, and who wins it has to move.
    fn more_can_hurt(&self) -> bool {
        self.work.rules.ties == TieBreak::Richer && self.work.rules.winner == Winner::Moves
    }

    /// The least purse; where more chips can hurt, that of a game in which Alice decides ties, which is no more.
    fn least_purse(&mut self, bob: u64, holder: Option<Player>) -> Result<Option<u64>> {
        // Where more chips can hurt, nothing exact is known of a purse at the cap.
        let mut cap = self.most.max(bob) + u64::from(self.more_can_hurt());
        loop {
            let known = self.tables.iter().position(|table| table.cap >= cap);
            let at = match known {
                Some(at) => at,
                None => {
                    self.tables.push(self.solve(cap)?);
                    self.tables.len() - 1
                }
            };
            let table = &self.tables[at];
            let least = table.least(self.node, bob, holder);
            if least == NEVER {
                return Ok(None);
            }
            if self.work.rules.pay == Payment::AllPayBank || least.saturating_add(bob) <= table.cap {
                return Ok(Some(least));
            }
            cap = table.cap.saturating_mul(2).saturating_add(1);
        }
    }

    /// The least purses under a cap. Where more chips can hurt, throwing some away can help Bob: at the cap, which stands for all greater
    /// purses, Alice decides ties; what is found for less is no more than the truth.
    fn solve(&self, cap: u64) -> Result<Purse> {
        if !self.more_can_hurt() {
            return Purse::new(self.work, self.node, cap, Ties::Ruled)?.solved(self.work, cap + 1);
        }
        let for_alice = Purse::new(self.work, self.node, cap, Ties::ForAlice)?.solved(self.work, cap + 1)?;
        let mut ruled = Purse::new(self.work, self.node, cap, Ties::Ruled)?;
        let solved = match self.work.rules.pay {
            Payment::AllPayBank => cap + 1,
            Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => cap,
        };
        let at = ruled.index(solved, None);
        for (row, known) in ruled.rows.iter_mut().zip(for_alice.rows).filter(|(row, _)| !row.is_empty()) {
            row[at..].copy_from_slice(&known[at..]);
        }
        ruled.solved(self.work, solved)
    }

    /// The first number of chips, from one on, with which Alice wins.
    fn tried(&self, from: u64, bob: u64) -> Result<u64> {
        let Work { graph, rules, watch } = self.work;
        let order = graph.components();
        let needed = graph.reached(self.node);
        let inner = |node: &NodeId| needed[node.index()] && graph.ending(*node).is_none();
        let members: Vec<NodeId> = order.order().iter().copied().filter(inner).collect();
        let goal = Goal { player: Player::Alice, endless: rules.draws == Draws::Alice };
        let won = |node: NodeId| graph.ending(node).is_some_and(|ending| worth(ending, rules) == 2);
        let most = from.saturating_add(TRIED.saturating_mul(bob + 1));
        for alice in from..=most {
            let chips = PerPlayer::new(alice, bob);
            let budgets = Budgets::from(rules, chips);
            let sure = region(self.work, &budgets, &members, goal, |node, _| won(node))?;
            let place = members.iter().position(|&member| member == self.node);
            let wins = |place: usize| sure[place][budgets.index(&Purses { chips, status: None })].is_some();
            if place.map_or(won(self.node), wins) {
                return Ok(alice);
            }
        }
        watch.check()?;
        Err(undecided(most, bob))
    }
}

fn undecided(most: u64, bob: u64) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NotSupported,
        format!("Alice wins for sure with no number of chips up to {most} against {bob}; whether a greater one does is not known"),
    )
    .note("under `ties: richer` and `winner: moves` more chips can hurt, since who wins a tie has to move")
    .help("write `winner: chooses`, or ask for single budgets: `v(G, a, b)` is 1 where Alice wins for sure")
    .into()
}

/// How tied bids are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ties {
    /// By the rule.
    Ruled,
    /// Alice decides each: she needs no more than by the rule.
    ForAlice,
}

/// For each position, status and purse of Bob's the least purse with which Alice wins, when Bob keeps no more than a cap.
struct Purse {
    cap: u64,
    ties: Ties,
    holders: Vec<Option<Player>>,
    /// By position, then by Bob's chips and the status.
    rows: Vec<Vec<u64>>,
    /// A purse above this is infinite.
    greatest: u64,
}

impl Purse {
    /// Nothing but endings known yet.
    fn new(work: Work<'_>, from: NodeId, cap: u64, ties: Ties) -> Result<Self> {
        let Work { graph, rules, watch } = work;
        let holders: Vec<Option<Player>> =
            if rules.ties.has_status() { Player::BOTH.map(Some).into() } else { vec![None] };
        let needed = graph.reached(from);
        let positions = needed.iter().filter(|needed| **needed).count() as u64;
        let states = cap.saturating_add(1).saturating_mul(holders.len() as u64).saturating_mul(positions);
        let limit = watch.limits().max_memory;
        if states.saturating_mul(size_of::<u64>() as u64) > limit {
            return Err(too_many(cap, limit));
        }
        let start = if rules.draws == Draws::Alice { 0 } else { NEVER };
        let len = holders.len() * (cap as usize + 1);
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
        let greatest = turns.saturating_add(2).saturating_mul(cap.saturating_add(2));
        Ok(Self { cap, ties, holders, rows, greatest })
    }

    /// Finds the least purses against less than `below` chips of Bob's.
    fn solved(mut self, work: Work<'_>, below: u64) -> Result<Self> {
        let inner = |node: &NodeId| !self.rows[node.index()].is_empty() && work.graph.ending(*node).is_none();
        let components = work.graph.components();
        let components: Vec<(Vec<NodeId>, bool)> = components
            .iter()
            .map(|(members, cyclic)| (members.iter().copied().filter(inner).collect(), cyclic))
            .collect();
        for (members, cyclic) in components {
            let mut changed = true;
            while changed {
                changed = false;
                for &node in &members {
                    work.watch.check()?;
                    let found = self.row(work, node, below);
                    let row = &mut self.rows[node.index()][..found.len()];
                    changed |= cyclic && *row != *found;
                    row.copy_from_slice(&found);
                }
            }
        }
        Ok(self)
    }

    fn index(&self, bob: u64, holder: Option<Player>) -> usize {
        bob as usize * self.holders.len() + usize::from(holder == Some(Player::Bob))
    }

    fn least(&self, node: NodeId, bob: u64, holder: Option<Player>) -> u64 {
        self.rows[node.index()][self.index(bob, holder)]
    }

    /// The least purses at a position from those of the next.
    fn row(&self, work: Work<'_>, node: NodeId, below: u64) -> Vec<u64> {
        let won = PerPlayer::new(Player::Alice, Player::Bob).map(|winner| self.after(work, node, winner));
        let states = (0..below).flat_map(|bob| self.holders.iter().map(move |&holder| (bob, holder)));
        let turn = |(bob, holder)| {
            let least = Turn { purse: self, rules: work.rules, won: &won, bob, holder }.least();
            if least > self.greatest { NEVER } else { least }
        };
        states.map(turn).collect()
    }

    /// The least purses after a bid that `winner` has won, by status and Bob's chips.
    fn after(&self, work: Work<'_>, node: NodeId, winner: Player) -> Vec<u64> {
        let pick = |player: Player, rows: Vec<Vec<u64>>| -> Vec<u64> {
            let better = |a: u64, b: u64| if player == Player::Alice { a.min(b) } else { a.max(b) };
            let merge = |a: Vec<u64>, b: Vec<u64>| a.into_iter().zip(b).map(|(a, b)| better(a, b)).collect();
            rows.into_iter().reduce(merge).unwrap_or_default()
        };
        let moved = |mover: Player| {
            let heads = work.graph.successors(node, mover);
            pick(mover, heads.iter().map(|head| self.rows[head.index()].clone()).collect())
        };
        pick(winner, movers(work.graph, work.rules, node, winner).into_iter().map(moved).collect())
    }
}

fn too_many(cap: u64, limit: u64) -> Box<Diagnostic> {
    Diagnostic::new(Code::Memory, format!("the least purses against up to {cap} chips of Bob's do not fit in memory"))
        .note(format!("the limit is {} MiB", limit >> 20))
        .help("raise the limit with `--max-memory SIZE`, or give Bob fewer chips")
        .into()
}

/// One turn: Bob's chips and who has the status, and the least purses after it.
struct Turn<'a> {
    purse: &'a Purse,
    rules: &'a Rules,
    /// By the winner of the bid.
    won: &'a PerPlayer<Vec<u64>>,
    bob: u64,
    holder: Option<Player>,
}

impl Turn<'_> {
    fn least(&self) -> u64 {
        match self.rules.ties {
            TieBreak::Richer if self.purse.ties == Ties::ForAlice => self.least_with(Tie::ChosenBy(Player::Alice)),
            TieBreak::Richer => {
                let poorer = self.least_with(Tie::Goes(Player::Bob));
                if poorer < self.bob { poorer } else { self.least_with(Tie::Goes(Player::Alice)).max(self.bob) }
            }
            TieBreak::Advantage
            | TieBreak::Marker
            | TieBreak::MakeItTakeIt
            | TieBreak::LosersBall
            | TieBreak::LadiesFirst
            | TieBreak::GentlemenFirst
            | TieBreak::Coin => {
                let chips = PerPlayer::new(0, self.bob);
                self.least_with(tie(self.rules, &Purses { chips, status: self.holder }))
            }
        }
    }

    /// The least over her bids of what each needs: the chips themselves, and enough after each of Bob's.
    fn least_with(&self, rule: Tie) -> u64 {
        let highest = self.bob + 1;
        // By Alice's bid, what those bids of Bob's need that are higher: the next bid meets one of them less.
        let mut lost = vec![0; highest as usize + 1];
        for alice in (0..self.bob).rev() {
            let least = match self.rules.pay {
                Payment::AllPayBank => self.after(PerPlayer::new(alice, alice + 1), Player::Bob),
                // Only the difference matters: the least that she meets is her bid less all that he has.
                Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => {
                    self.after(PerPlayer::new(0, self.bob - alice), Player::Bob)
                }
            };
            lost[alice as usize] = lost[alice as usize + 1].max(least);
        }
        let (mut won, mut best) = (0, NEVER);
        for alice in 0..=highest {
            if let Some(below) = alice.checked_sub(1) {
                let greatest = match self.rules.pay {
                    Payment::AllPayBank => self.after(PerPlayer::new(alice, below), Player::Alice),
                    Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => {
                        self.after(PerPlayer::new(alice, 0), Player::Alice)
                    }
                };
                won = won.max(greatest);
            }
            let tied = if alice <= self.bob { self.tied(alice, rule) } else { 0 };
            let paid = if self.rules.pay == Payment::AllPayBank { alice } else { 0 };
            let needed = won.max(tied).max(lost[alice as usize]).saturating_add(paid);
            best = best.min(needed.max(alice));
        }
        best
    }

    fn tied(&self, bid: u64, rule: Tie) -> u64 {
        let after = |winner| self.after(PerPlayer::new(bid, bid), winner);
        match rule {
            Tie::Goes(player) => after(player),
            Tie::ChosenBy(Player::Alice) => after(Player::Alice).min(after(Player::Bob)),
            Tie::ChosenBy(Player::Bob) | Tie::Coin => after(Player::Alice).max(after(Player::Bob)),
        }
    }

    /// How many chips Alice needs for what follows two bids; paid to the bank, her own bid is not counted in.
    fn after(&self, bids: PerPlayer<u64>, winner: Player) -> u64 {
        let Turn { rules, bob, holder, .. } = *self;
        let after = settle(rules, &Purses { chips: PerPlayer::new(bids.alice, bob), status: holder }, bids, winner);
        let next = self.won[winner][self.purse.index(after.chips.bob.min(self.purse.cap), after.status)];
        match rules.pay {
            _ if next == NEVER => NEVER,
            Payment::AllPayBank => next,
            Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => {
                (next + bids.alice).saturating_sub(after.chips.alice)
            }
        }
    }
}
