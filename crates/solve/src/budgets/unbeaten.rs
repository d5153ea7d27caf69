//! The budgets of Bob's against which Alice can avoid losing with some number of chips, where the
//! loser of a bid gets a part of it and the winner of a bid decides who moves.
//!
//! # The region Z
//! Let Z be the set of positions from which Bob is sure to win if a coin decides whose turn it is
//! to decide, with the usual ranks: he has won at rank 0; at rank r his turn can lead to a rank
//! below r, and no turn of Alice's leads out of Z ([`region`]).
//!
//! *Outside of Z some number of chips suffices against every budget.* Z is left after positions
//! have been removed in stages. From those removed at a stage either a turn of Alice's can lead to
//! an earlier stage, or she can keep the play among positions of this stage and earlier ones
//! whoever wins the bid. In the latter she bids 0; in the former she bids b + 1 against b chips,
//! once for each stage. Her total payment is bounded.
//!
//! *In Z a budget of C or more wins for Bob, whatever Alice has.* Let y(1) = 1, and let y(j) be the
//! least bid of which the loser gets at least y(1) + … + y(j − 1), or one more than that if the
//! bank keeps nothing; C is the sum of all y(j) up to the greatest rank. Bob bids y(1), y(2), …
//! from one position to the next. If he wins each of these bids he gets to rank 0. If Alice wins
//! one, his budget is C or more again, and either it has grown or the bank has taken a chip. As the
//! chips of both together are finite, that cannot go on for ever.
//!
//! # The budgets in between
//! So let Alice have as many chips as she likes, and let Bob have won where he is in Z with C or
//! more. The rest is a finite game of Bob's budget: the least budget g with which he wins is found
//! from C downward, as the set of positions that are won in finitely many moves. If the bank keeps
//! nothing, Alice keeps Bob's budget below g with bids of at most C and never needs more than that
//! and the chips that she needs outside of Z. If the bank keeps anything, she may pay only a finite
//! number of times: then g is found in rounds, in which her payments must lead to positions that
//! the round before has found to be hers. Below g some number of chips suffices; from g on none
//! does.

use std::convert::Infallible;

use super::turn::{BudgetTurn, best_after_bid};
use super::{Holder, first, place};
use crate::diagnostic::{Diagnostic, Result};
use crate::game::{NodeId, better};
use crate::player::{Ending, Player};
use crate::rules::{Purses, Tie, next_holder, tie};
use crate::watch::Context;

/// The budget of a position at which Bob never wins against arbitrarily many chips of Alice's,
/// whatever his budget.
const ANY: u64 = u64::MAX;

/// The greatest budget that is considered.
const MOST: u64 = 1 << 32;

/// The least budget of Bob's against which no number of chips keeps Alice from losing, for every
/// position and holder of the tie status.
pub(super) struct Unbeaten {
    least: Vec<u64>,
}

impl Unbeaten {
    /// Finds all these budgets.
    pub(super) fn find(
        turn: &BudgetTurn<'_>,
        holders: &[Holder],
        context: &Context<'_>,
    ) -> Result<Self> {
        let ranks = region(turn);
        let enough = enough(turn, ranks.iter().flatten().copied().max().unwrap_or(0))?;
        let from = ranks.iter().map(|rank| match rank {
            Some(0) => 0,
            Some(_) => enough,
            None => ANY,
        });
        let from: Vec<u64> = from.flat_map(|least| [least; 2]).collect();
        let nodes: Vec<NodeId> = turn
            .graph
            .nodes()
            .filter(|node| ranks[node.index()].is_some_and(|r| r > 0))
            .collect();
        let search = BudgetGame {
            turn,
            holders,
            nodes,
        };
        // If the bank keeps nothing, Alice's payments are never lost to both players: there is one
        // round, which refers to itself.
        if turn.bank_keeps_nothing() {
            return Ok(Self {
                least: search.round(from, None, context)?,
            });
        }
        let mut before: Vec<u64> = from
            .iter()
            // At first every payment of Alice's counts as lost in Z; each round allows one more.
            .map(|least| if *least == ANY { ANY } else { 0 })
            .collect();
        loop {
            let least = search.round(from.clone(), Some(&before), context)?;
            if least == before {
                return Ok(Self { least });
            }
            before = least;
        }
    }

    /// Returns whether some number of chips suffices against a budget.
    pub(super) fn is_finite(&self, node: NodeId, budget: u64, holder: Holder) -> bool {
        budget < self.least[place(node, holder)]
    }
}

/// Computes the rank of each position of Z; `None` outside.
fn region(turn: &BudgetTurn<'_>) -> Vec<Option<u32>> {
    let graph = turn.graph;
    // Returns whether the winner of a bid can make sure that the play goes on within a set.
    let can = |node: NodeId, winner: Player, within: &dyn Fn(NodeId) -> bool| {
        let sure = |mover: Player| {
            let heads = graph.successors(node, mover);
            let mut good = heads.iter().map(|head| within(*head));
            !heads.is_empty()
                && if mover == winner {
                    good.any(|good| good)
                } else {
                    good.all(|good| good)
                }
        };
        Player::BOTH.into_iter().any(sure)
    };
    let mut left: Vec<bool> = vec![true; graph.len()];
    loop {
        let mut ranks: Vec<Option<u32>> = graph
            .nodes()
            .map(|node| (graph.ending(node) == Some(Ending::Win(Player::Bob))).then_some(0))
            .collect();
        for rank in 1.. {
            let reached = |node: &NodeId| {
                left[node.index()]
                    && ranks[node.index()].is_none()
                    && graph.ending(*node).is_none()
                    && can(*node, Player::Bob, &|head| ranks[head.index()].is_some())
                    && !can(*node, Player::Alice, &|head| !left[head.index()])
            };
            let more: Vec<NodeId> = graph.nodes().filter(reached).collect();
            if more.is_empty() {
                break;
            }
            more.into_iter()
                .for_each(|node| ranks[node.index()] = Some(rank));
        }
        let kept: Vec<bool> = ranks.iter().map(Option::is_some).collect();
        if kept == left {
            return ranks;
        }
        left = kept;
    }
}

/// Computes C for this greatest rank.
fn enough(turn: &BudgetTurn<'_>, rank: u32) -> Result<u64> {
    let spare = u64::from(turn.bank_keeps_nothing());
    let mut sum = 0;
    for step in 0..rank {
        let wanted = if step == 0 { 0 } else { sum + spare };
        let mut high = 1;
        // Doubling finds an upper end without knowing the part that is returned.
        while turn.returned(high) < wanted && high < MOST {
            high *= 2;
        }
        sum += first(1..high, |bid| turn.returned(bid) >= wanted);
        if sum >= MOST {
            return Err(too_far(rank));
        }
    }
    Ok(sum)
}

fn too_far(rank: u32) -> Box<Diagnostic> {
    Diagnostic::unsupported(format!("the chips that save Alice from losing where Bob wins only by {rank} bids in a row"))
    .note(format!(
        "Bob may need more than {MOST} chips for that, and the search for the least such budget begins there"
    ))
    .help("ask about `G[n]`, or what it takes to win: `draws: neither`")
    .into()
}

/// The finite game of Bob's budget.
struct BudgetGame<'a> {
    turn: &'a BudgetTurn<'a>,
    holders: &'a [Holder],
    /// The positions of Z that are not endings.
    nodes: Vec<NodeId>,
}

impl BudgetGame<'_> {
    /// Computes the least budgets with which Bob wins, from these downward. The positions after
    /// Alice has paid are looked up in `paid`, if it is given.
    fn round(
        &self,
        mut least: Vec<u64>,
        paid: Option<&[u64]>,
        context: &Context<'_>,
    ) -> Result<Vec<u64>> {
        loop {
            context.check()?;
            let mut changed = false;
            for &node in &self.nodes {
                for &holder in self.holders {
                    let found = self.least(node, holder, &least, paid);
                    changed |= std::mem::replace(&mut least[place(node, holder)], found) != found;
                }
            }
            if !changed {
                return Ok(least);
            }
        }
    }

    fn least(&self, node: NodeId, holder: Holder, least: &[u64], paid: Option<&[u64]>) -> u64 {
        let next = |winner, tied| {
            holder.map(|holder| next_holder(self.turn.rules.ties, holder, winner, tied))
        };
        let after =
            |table: &[u64], winner, tied| self.after(table, node, winner, next(winner, tied));
        let both =
            |table: &[u64], winner| [after(table, winner, false), after(table, winner, true)];
        let bid = BidRequirement {
            search: self,
            holder,
            lost: both(least, Player::Bob),
            free: after(least, Player::Alice, true),
            won: both(paid.unwrap_or(least), Player::Alice),
        };
        // Budgets only decrease in a round, so the search ends at the known one.
        first(0..least[place(node, holder)], |budget| bid.is_won(budget))
    }

    /// Returns the least budget with which Bob wins after a bid.
    fn after(&self, table: &[u64], node: NodeId, winner: Player, holder: Holder) -> u64 {
        let of = |head| Ok::<_, Infallible>(table[place(head, holder)]);
        let BudgetTurn { graph, rules, .. } = *self.turn;
        let Ok(best) = best_after_bid(graph, rules, node, winner, of, |player, a, b| {
            Ok(better(player, a, b))
        });
        best
    }
}

/// A bid at a position: the budgets that Bob needs after it, by strict bids and by ties.
struct BidRequirement<'a> {
    search: &'a BudgetGame<'a>,
    holder: Holder,
    /// The budgets that he needs after he has won it.
    lost: [u64; 2],
    /// The budget that he needs after Alice has won a tie at 0.
    free: u64,
    /// The budgets that he needs after she has won and paid.
    won: [u64; 2],
}

impl BidRequirement<'_> {
    /// Returns whether Bob has an answer to every bid of Alice's with this budget.
    ///
    /// He outbids the low ones and yields to the high ones, as far as either leads to a win; for
    /// those between there are ties. A tie that he loses is the better for him the higher it is,
    /// one that he wins the lower it is.
    fn is_won(&self, budget: u64) -> bool {
        let low = budget.saturating_sub(self.lost[0]);
        // Only one bid that he cannot outbid needs to be considered, because higher ones only give
        // him more.
        let yields = |bid: u64| self.paid(budget, bid) >= self.won[0];
        let high = first(low.max(1)..budget + 2, yields);
        if high > budget + 1 {
            return false;
        }
        // Every bid of hers is either outbid or yielded to, and no tie has to decide.
        if low >= high {
            return true;
        }
        let lost = |bid: u64| budget - bid >= self.lost[1];
        let won = |bid: u64| {
            if bid == 0 {
                budget >= self.free
            } else {
                self.paid(budget, bid) >= self.won[1]
            }
        };
        // She has more chips than he does.
        let purses = Purses::new(budget + 1, budget, self.holder);
        match tie(self.search.turn.rules, &purses) {
            Tie::Goes(Player::Alice) => won(low),
            Tie::Goes(Player::Bob) => lost(high - 1),
            Tie::ChosenBy(Player::Alice) => won(low) && lost(high - 1),
            Tie::ChosenBy(Player::Bob) => {
                let too_high = first(low..high, |bid| !lost(bid));
                too_high == high || won(too_high)
            }
            Tie::Coin | Tie::Nobody => {
                unreachable!("rules by which a tie is not won are not admitted")
            }
        }
    }

    /// Returns his budget after Alice has paid.
    fn paid(&self, budget: u64, bid: u64) -> u64 {
        budget + self.search.turn.returned(bid)
    }
}
