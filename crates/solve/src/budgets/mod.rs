//! The least number of chips with which Alice wins against each budget of Bob's, whatever part of a
//! winning bid the bank keeps.
//!
//! More chips never hurt, so for every vertex, budget b of Bob's and holder of the tie status there
//! is a least number T of chips with which Alice has a bid that is good against every bid of Bob's.
//! For a bid x of hers she needs
//!
//! - if she wins by it, `x + T'(b + r(x))`, where T' is the threshold of the position that she then
//!   moves to and r(x) the part of her bid that Bob gets;
//! - for each higher bid y of Bob's, `T''(b − y) − r(y)`, where T'' is that of the position that he
//!   moves to;
//! - on a tie one of these two, according to the rule for ties;
//!
//! and T is the least over x of the greatest of these. (Under `ties: richer` with `winner: moves`
//! more chips can hurt, since the player who has more must move on a tie: there is no threshold
//! then.) On cycles T is the least fixed point, from "never". The number of chips with which she
//! does not lose is the greatest fixed point, from 0. If it is finite it is at most
//! [`ThresholdTable::enough`], budget by budget: along a play that Alice does not lose, Bob's
//! budget is unchanged or shrinks; while it is unchanged, she pays at a position and holder at most
//! once (paying again would make her need more than she needs), and never more than his budget and
//! one.

mod fixed_totals;
pub mod forms;
pub mod limit;
mod owned;
mod rows;
mod sequences;
mod table;
mod totals;
mod turn;
mod unbeaten;

use std::ops::Range;

use self::table::ThresholdTable;
use self::turn::BudgetTurn;
pub(super) use self::turn::after_bid;
use crate::diagnostic::{Diagnostic, Result};
use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::rules::admit;
use crate::rules::{FieldValue, Payment, Rules};
use crate::watch::Context;

/// The number of thresholds computed between two checks.
const CELLS: usize = 1 << 12;

/// The threshold if no number of chips suffices.
pub const NEVER: u64 = u64::MAX;

/// The holder of the tie status, if there is one.
pub type Holder = Option<Player>;

/// Computes the thresholds of a vertex against each of the budgets, for each holder of the tie
/// status.
///
/// # Errors
/// If the rules have no such thresholds, or Bob's budget may grow on cycles and no method is known
/// for that, or the work is stopped.
pub fn against(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    budgets: &[u64],
    context: &Context<'_>,
) -> Result<Vec<(Holder, Vec<u64>)>> {
    admit::against(rules)?;
    let holders = rules.ties.holders();
    let turn = BudgetTurn::new(graph, rules);
    // Without cycles one pass is enough, whatever the bank keeps.
    if graph.is_acyclic() {
        return rows::against(&turn, node, budgets, holders, context);
    }
    // If the bank keeps all, Bob's budget never grows, so thresholds follow budget by budget.
    if turn.bank_keeps_all() {
        let most = budgets.iter().copied().max().unwrap_or(0);
        let table = ThresholdTable::solve(&turn, most, holders, context)?;
        return Ok(by_holder(holders, budgets, |budget, holder| {
            table.get(node, budget, holder)
        }));
    }
    totals::against(&turn, node, budgets, holders, context)
}

/// Lists the thresholds against each of the budgets, for each holder of the tie status.
fn by_holder(
    holders: &[Holder],
    budgets: &[u64],
    get: impl Fn(u64, Holder) -> u64,
) -> Vec<(Holder, Vec<u64>)> {
    let row = |holder| budgets.iter().map(|budget| get(*budget, holder)).collect();
    holders
        .iter()
        .map(|holder| (*holder, row(*holder)))
        .collect()
}

/// Returns the index of a vertex with a holder of the tie status, in a list with two entries for
/// each vertex.
fn place(node: NodeId, holder: Holder) -> usize {
    2 * node.index() + usize::from(holder == Some(Player::Bob))
}

fn growing(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Pay(rules.pay.clone()).words();
    Diagnostic::unsupported(format!("thresholds against a budget under `{name}: {value}, winner: moves` in a game with cycles, where Alice may need \
             Bob to win bids"))
    .note(
        "each bid that he lets her win adds to his budget, and each bid that he wins takes from it: whether she can \
         go on for ever is an energy game whose chips the program cannot bound; where a number is not enough, a greater one may be",
    )
    .help(match rules.pay {
        Payment::Richman => {
            "write `winner: chooses`, ask for totals, `f(G, 0..100)`, or ask about `G[n]`"
        }
        _ => "write `winner: chooses`, or ask about `G[n]`",
    })
    .into()
}

/// Returns the first of these numbers from which on a condition holds, or their end; the search is
/// fast if the result is near their start.
fn first(numbers: Range<u64>, is_so: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (numbers.start, numbers.end);
    let mut probe = low;
    while low < high {
        if is_so(probe) {
            high = probe;
            probe = u64::midpoint(low, high);
        } else {
            // Doubles the distance from the start, until it is too far.
            let step = probe - numbers.start + 1;
            low = probe + 1;
            probe = probe.saturating_add(step);
        }
        if probe >= high {
            probe = u64::midpoint(low, high);
        }
    }
    high
}
