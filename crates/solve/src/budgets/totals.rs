//! Thresholds against a budget in games with cycles where the loser gets a part of each bid, so
//! that Bob's budget may grow.
//!
//! The sum of both players' chips does not grow: a bid that is not 0 costs it a chip at least if
//! the bank keeps anything, and nothing under Richman bidding. So thresholds are found total by
//! total among the positions of the same total: the chips needed to win as the least fixed point,
//! from "never", the chips needed not to lose as the greatest one, from those of a total of one
//! less. Against a budget b of Bob's Alice needs the least a that is not below the threshold of the
//! total a + b. To win, there is one if she wins when she wins every bid, because then she can pay
//! for all of them. Not to lose, [`Unbeaten`] tells whether there is one.

use std::convert::Infallible;

use super::turn::{BudgetTurn, after_bid, bought};
use super::unbeaten::Unbeaten;
use super::{CELLS, Holder, NEVER, first, fixed_totals, growing, owned, place};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::player::Player;
use crate::rules::{Draws, Purses, Tie, Winner, next_holder, tie};
use crate::space::worklist::{IncomingEdges, Worklist};
use crate::watch::{Asking, Context, Stop};

/// Finds the thresholds of a vertex against each budget, for each holder of the tie status.
pub(super) fn against(
    turn: &BudgetTurn<'_>,
    node: NodeId,
    budgets: &[u64],
    holders: &[Holder],
    context: &Context<'_>,
) -> Result<Vec<(Holder, Vec<u64>)>> {
    let finite = Finite::find(turn, node, holders, context)?;
    // If the bank keeps nothing the total is constant, so totals can be solved independently.
    if turn.bank_keeps_nothing() {
        return fixed_totals::against(turn, &finite, node, budgets, holders, context);
    }
    let mut totals = TotalThresholds::new(turn, holders, context);
    let mut row = |holder: &Holder| -> Result<(Holder, Vec<u64>)> {
        // More chips of Bob's do not help her, so for a greater budget the search continues from
        // the last result.
        let mut reached = (0, 0);
        let mut found = Vec::with_capacity(budgets.len());
        for &budget in budgets {
            if !finite.is_one(node, budget, *holder) {
                found.push(NEVER);
                continue;
            }
            let from = if budget >= reached.0 { reached.1 } else { 0 };
            reached = (budget, totals.least(node, budget, *holder, from)?);
            found.push(reached.1);
        }
        Ok((*holder, found))
    };
    holders.iter().map(&mut row).collect()
}

/// The knowledge of whether some number of chips is enough.
pub(super) enum Finite {
    /// For winning, the answer is the same for all budgets.
    Winning(bool),
    /// For not losing, the answer depends on the budget.
    Unbeaten(Unbeaten),
}

impl Finite {
    fn find(
        turn: &BudgetTurn<'_>,
        node: NodeId,
        holders: &[Holder],
        context: &Context<'_>,
    ) -> Result<Self> {
        let moves = turn.rules.winner == Winner::Moves;
        if turn.rules.draws == Draws::Alice {
            return if moves {
                Err(growing(turn.rules))
            } else {
                owned::refuse(turn.graph, turn.rules)?;
                Ok(Self::Unbeaten(Unbeaten::find(turn, holders, context)?))
            };
        }
        let wins = bought(turn)[node.index()];
        if moves && !wins {
            Err(growing(turn.rules))
        } else {
            Ok(Self::Winning(wins))
        }
    }

    pub(super) fn is_one(&self, node: NodeId, budget: u64, holder: Holder) -> bool {
        match self {
            Self::Winning(wins) => *wins,
            Self::Unbeaten(unbeaten) => unbeaten.is_finite(node, budget, holder),
        }
    }
}

/// The thresholds of the totals 0, 1, 2, …: the least chips of Alice's with which she wins.
struct TotalThresholds<'a> {
    turn: &'a BudgetTurn<'a>,
    holders: &'a [Holder],
    /// The edges within each component that is cyclic.
    edges: Vec<Option<IncomingEdges>>,
    rows: Vec<Vec<u64>>,
    asking: Asking<'a>,
}

impl<'a> TotalThresholds<'a> {
    fn new(turn: &'a BudgetTurn<'a>, holders: &'a [Holder], context: &'a Context<'a>) -> Self {
        let within = |(members, cyclic): (&[NodeId], bool)| {
            cyclic.then(|| IncomingEdges::within(turn.graph, members))
        };
        let edges = turn.graph.components().iter().map(within).collect();
        Self {
            turn,
            holders,
            edges,
            rows: Vec::new(),
            asking: Asking::every(CELLS, context),
        }
    }

    fn get(&self, total: u64, node: NodeId, holder: Holder) -> u64 {
        self.rows[fit::<usize>(total)][place(node, holder)]
    }

    /// Returns the least chips that are enough against a budget, where some number is, and fewer
    /// than `from` are not.
    fn least(&mut self, node: NodeId, budget: u64, holder: Holder, from: u64) -> Result<u64> {
        let mut chips = from;
        loop {
            self.extend(chips + budget)?;
            if self.get(chips + budget, node, holder) <= chips {
                return Ok(chips);
            }
            // Totals are computed in ascending order anyway, so that each step costs one more
            // total.
            chips += 1;
        }
    }

    /// Finds the thresholds up to a total.
    fn extend(&mut self, total: u64) -> Result<()> {
        let graph = self.turn.graph;
        while self.rows.len() as u64 <= total {
            let bytes = (self.rows.len() as u64 + 1).saturating_mul(16 * graph.len() as u64);
            let limit = self.asking.context().limits.max_memory;
            if bytes > limit {
                return Err(Stop::Memory(limit).into());
            }
            // Not losing takes no fewer chips than at a total of one chip less, which was Bob's.
            let total = self.rows.len() as u64;
            let row = match (self.turn.rules.draws, self.rows.last()) {
                (Draws::Alice, Some(before)) => {
                    before.iter().map(|least| (*least).min(total)).collect()
                }
                (Draws::Alice, None) => vec![0; 2 * graph.len()],
                (Draws::Neither | Draws::Bob | Draws::Half, _) => vec![NEVER; 2 * graph.len()],
            };
            self.rows.push(row);
            self.settle()?;
        }
        Ok(())
    }

    /// Computes the fixed point of the latest total.
    fn settle(&mut self) -> Result<()> {
        let components = self.turn.graph.components();
        for at in 0..self.edges.len() {
            let members = components.members(at).len();
            let mut waiting = Worklist::all(members);
            while let Some(place) = waiting.take() {
                self.asking.step(self.holders.len())?;
                let changed = self.work_out(components.members(at)[place]);
                if let (true, Some(edges)) = (changed, &self.edges[at]) {
                    edges
                        .tails_of(place)
                        .iter()
                        .for_each(|tail| waiting.add(*tail));
                }
            }
        }
        Ok(())
    }

    /// Recomputes a vertex at the latest total. Returns whether anything has changed.
    fn work_out(&mut self, node: NodeId) -> bool {
        let total = self.rows.len() as u64 - 1;
        let mut changed = false;
        for &holder in self.holders {
            let found = self.threshold(total, node, holder);
            let cell = &mut self.rows[fit::<usize>(total)][place(node, holder)];
            changed |= std::mem::replace(cell, found) != found;
        }
        changed
    }

    fn threshold(&self, total: u64, node: NodeId, holder: Holder) -> u64 {
        if let Some(ending) = self.turn.graph.ending(node) {
            return self.turn.ended(ending);
        }
        // More chips of hers do not hurt her, and more of Bob's do not help her. The chips needed
        // to win decrease from "never", and those needed not to lose increase from those that are
        // enough at the total before.
        let before = self.get(total, node, holder).min(total + 1);
        let (low, high) = match self.turn.rules.draws {
            Draws::Alice => (before, total + 1),
            Draws::Neither | Draws::Bob | Draws::Half if total == 0 => (0, before),
            Draws::Neither | Draws::Bob | Draws::Half => {
                // A chip more in all cannot lower the threshold.
                (self.get(total - 1, node, holder).min(total), before)
            }
        };
        // The bounds are near each other after the first visits, so the search takes few steps.
        let least = first(low..high, |chips| {
            self.wins(node, [chips, total - chips], holder)
        });
        if least > total { NEVER } else { least }
    }

    /// Returns whether a bid of hers is good against every bid of his.
    ///
    /// The less a winner pays, the better for the winner. So she must not bid less than some
    /// number, or he can outbid her profitably. Of the bids from there on the best is the least if
    /// she wins ties, and otherwise the least at which she can afford to lose a tie; or she bids
    /// more than he has.
    fn wins(&self, node: NodeId, [alice, bob]: [u64; 2], holder: Holder) -> bool {
        if let Some(owner) = self.turn.graph.owner(node) {
            return self.is_enough(node, [alice, bob], holder, owner);
        }
        let after =
            |winner, bid, tied| self.won_after(node, [alice, bob], holder, winner, bid, tied);
        // From this bid on every higher bid of his loses the game for him.
        let least = first(1..bob + 1, |bid| after(Player::Bob, bid, false)) - 1;
        let purses = Purses::new(alice, bob, holder);
        let rule = tie(self.turn.rules, &purses);
        let tied = |bid: u64| match rule {
            Tie::Goes(winner) => after(winner, bid, true),
            Tie::ChosenBy(Player::Alice) => Player::BOTH
                .into_iter()
                .any(|winner| after(winner, bid, true)),
            Tie::ChosenBy(Player::Bob) => Player::BOTH
                .into_iter()
                .all(|winner| after(winner, bid, true)),
            Tie::Coin | Tie::Nobody => {
                unreachable!("rules by which a tie is not won are not admitted")
            }
        };
        let is_good = |bid: u64| {
            bid <= alice
                && (bid == 0 || after(Player::Alice, bid, false))
                && (bid > bob || tied(bid))
        };
        is_good(least)
            || is_good(first(least..bob + 1, |bid| after(Player::Bob, bid, true)))
            || is_good(bob + 1)
    }

    /// Returns whether Alice wins after a bid has been won.
    fn won_after(
        &self,
        node: NodeId,
        [alice, bob]: [u64; 2],
        holder: Holder,
        winner: Player,
        bid: u64,
        tied: bool,
    ) -> bool {
        let returned = self.turn.returned(bid);
        let (alice, bob) = match winner {
            Player::Alice => (alice - bid, bob + returned),
            Player::Bob => (alice + returned, bob - bid),
        };
        let holder = holder.map(|holder| next_holder(self.turn.rules.ties, holder, winner, tied));
        self.is_enough(node, [alice, bob], holder, winner)
    }

    /// Returns whether Alice wins where this player decides who moves.
    fn is_enough(
        &self,
        node: NodeId,
        [alice, bob]: [u64; 2],
        holder: Holder,
        decides: Player,
    ) -> bool {
        let of = |head| Ok::<_, Infallible>(self.get(alice + bob, head, holder));
        let Ok(needed) = after_bid(self.turn.graph, self.turn.rules, node, decides, of);
        alice >= needed
    }
}
