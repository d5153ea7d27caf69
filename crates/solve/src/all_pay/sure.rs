//! Sure wins: the least number of chips with which Alice wins whatever happens.
//!
//! More chips never hurt at a fixed tie status where the rule for ties does not look at chips,
//! because they can be left aside; nor under `richer` where the winner of a bid chooses who moves.
//! So for each position, status and purse of Bob's there is a least purse of Alice's. The least
//! purses follow from those of the successors: the winner of the bid chooses the smaller or the
//! greater one, a bid of Alice's needs the chips that are bid and enough for any bid of Bob's, and
//! she takes the best bid. A bid above all that Bob has wins like the one just above it, and costs
//! more, so only bids up to one more than he has matter.
//!
//! Where both pay each other Bob's purse grows. Let him throw away the chips above a cap. That
//! cannot help him, so the least purses of this game are no more than the true ones, and where no
//! number suffices none does in the true game. If the least purse found and Bob's together do not
//! exceed the cap, nothing is ever thrown away, and it is the true one. Otherwise the cap is
//! raised.
//!
//! Where endless play is not a win the least purses are found from "none suffices" downward,
//! because a win takes finitely many turns. Where it is a win they are found from 0 upward. These
//! are the credits of an energy game on finitely many states, in which a player needs no more than
//! the loss on a path through distinct states (Bouyer et al., 2008; Brim et al., 2011): a credit
//! that is more than the number of turns that can cost anything times the greatest bid is infinite.
//! If bids are paid to the bank, every turn may cost something; if they are paid to the other
//! player, chips are lost only where Bob throws some away, and then he is at the cap.

mod front;
mod purse;

use self::purse::{NEVER, Purse, Ties};
use super::Budgets;
use super::region::{SureGoal, region};
use super::table::{AllPayWork, worth};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::{Draws, Payment, Purses, Rules, TieBreak, Winner};
use crate::watch::Context;

/// The number of budgets of Alice's for each of Bob's (and one more) that are tried from the least
/// possible on, under rules where more chips can hurt.
const TRIED: u64 = 64;

/// The budgets that suffice for sure wins from one vertex, as far as they have been computed.
pub struct SureWins<'a> {
    work: AllPayWork<'a>,
    node: NodeId,
    /// The greatest number of Bob's chips that will be asked about.
    most: u64,
    /// The least purses, by the cap of Bob's purse.
    tables: Vec<Purse>,
}

impl<'a> SureWins<'a> {
    /// Creates an empty set of tables for up to `most` chips of Bob's.
    pub fn new(
        graph: &'a GameGraph,
        rules: &'a Rules,
        node: NodeId,
        most: u64,
        context: &'a Context<'a>,
    ) -> Self {
        Self {
            work: AllPayWork {
                graph,
                rules,
                context,
                standing: &[],
            },
            node,
            most,
            tables: Vec::new(),
        }
    }

    /// Returns the least number of chips with which Alice wins for sure against this many of Bob's;
    /// `holder` has the tie status, if there is one. Returns `None` if no number suffices.
    ///
    /// # Errors
    /// If the work is stopped, the numbers of chips to try would not fit in memory, or more chips
    /// can hurt and none of those tried suffices.
    pub fn least(&mut self, bob: u64, holder: Option<Player>) -> Result<Option<u64>> {
        let least = self.least_purse(bob, holder)?;
        match self.more_can_hurt() {
            false => Ok(least),
            true => least.map_or(Ok(None), |least| self.tried(least, bob).map(Some)),
        }
    }

    /// Returns whether one more chip can turn a win into a loss: it can win a tie, and the winner
    /// of a tie has to move.
    fn more_can_hurt(&self) -> bool {
        self.work.rules.ties == TieBreak::Richer && self.work.rules.winner == Winner::Moves
    }

    /// Returns the least purse. Where more chips can hurt it is that of a game in which Alice
    /// decides ties, which is no more than the true one.
    fn least_purse(&mut self, bob: u64, holder: Option<Player>) -> Result<Option<u64>> {
        // Nothing exact is known of a purse at the cap where more chips can hurt, so the cap is one
        // higher.
        let mut cap = self.most.max(bob) + u64::from(self.more_can_hurt());
        loop {
            // A table with a greater cap answers this question too.
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
            if self.work.rules.pay == Payment::AllPayBank || least.saturating_add(bob) <= table.cap
            {
                return Ok(Some(least));
            }
            // The purse found may grow with the cap for ever where more chips can hurt.
            if self.more_can_hurt() && least > tried_at_once(bob) {
                return Err(undecided(least - 1, bob));
            }
            // Doubling keeps the cost of all tables within a constant factor of that of the last
            // one.
            cap = table.cap.saturating_mul(2).saturating_add(1);
        }
    }

    /// Computes the least purses under a cap. Where more chips can hurt, throwing some away can
    /// help Bob. So Alice decides ties at the cap, which stands for all greater purses; the purses
    /// found below it are then no more than the true ones.
    fn solve(&self, cap: u64) -> Result<Purse> {
        if !self.more_can_hurt() {
            return Purse::new(self.work, self.node, cap, Ties::Ruled)?.solved(self.work, cap + 1);
        }
        let for_alice =
            Purse::new(self.work, self.node, cap, Ties::ForAlice)?.solved(self.work, cap + 1)?;
        let mut ruled = Purse::new(self.work, self.node, cap, Ties::Ruled)?;
        let solved = match self.work.rules.pay {
            Payment::AllPayBank => cap + 1,
            // Only here can Bob's purse reach the cap from below, so the entry at the cap stays in
            // Alice's favour.
            Payment::AllPay | Payment::Richman | Payment::Poorman | Payment::Taxman(_) => cap,
        };
        ruled.take_over(for_alice, solved);
        ruled.solved(self.work, solved)
    }

    /// Returns the first number of chips, from `from` on, with which Alice wins.
    fn tried(&self, from: u64, bob: u64) -> Result<u64> {
        let AllPayWork {
            graph,
            rules,
            context,
            ..
        } = self.work;
        let order = graph.components();
        let needed = graph.reached(self.node);
        let inner = |node: &NodeId| needed[node.index()] && graph.ending(*node).is_none();
        let members: Vec<NodeId> = order.order().iter().copied().filter(inner).collect();
        let goal = SureGoal {
            player: Player::Alice,
            endless: rules.draws == Draws::Alice,
        };
        let won = |node: NodeId| {
            graph
                .ending(node)
                .is_some_and(|ending| worth(ending, rules) == 2)
        };
        let most = from.saturating_add(tried_at_once(bob));
        for alice in from..=most {
            let chips = PerPlayer::new(alice, bob);
            let budgets = Budgets::from(rules, chips);
            let sure = region(self.work, &budgets, &members, goal, |node, _| won(node))?;
            let place = members.iter().position(|&member| member == self.node);
            let wins = |place: usize| {
                sure[place][budgets.index(&Purses {
                    chips,
                    status: None,
                })]
                .is_some()
            };
            if place.map_or(won(self.node), wins) {
                return Ok(alice);
            }
        }
        context.check()?;
        Err(undecided(most, bob))
    }
}

/// Returns the number of budgets of Alice's that are tried against one of Bob's.
fn tried_at_once(bob: u64) -> u64 {
    TRIED.saturating_mul(bob.saturating_add(1))
}

fn undecided(most: u64, bob: u64) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NotSupported,
        format!("no number of chips up to {most} lets Alice win for sure against {bob}; whether a greater number does is not known"),
    )
    .note("under `ties: richer` and `winner: moves` more chips can hurt, since who wins a tie has to move")
    .help("write `winner: chooses`, or ask for single budgets: `v(G, a, b)` is 1 where Alice wins for sure")
    .into()
}

fn too_many(cap: u64, limit: u64) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Memory,
        format!("the least purses against up to {cap} chips of Bob's do not fit in memory"),
    )
    .note(format!("the limit is {} MiB", limit >> 20))
    .help("raise the limit with `--max-memory SIZE`, or give Bob fewer chips")
    .into()
}
