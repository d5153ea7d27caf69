//! Random turns on graphs with cycles where the winner of a toss may let the other player move, and
//! where a coin always falls for one player.
//!
//! They are solved on the graph of turns ([`TurnGraph`]), whose values are those of winners who
//! must move, so that the theorem of [`certify`](crate::proof::certify) proves them.
//!
//! *The graph need not be changed* in one case: let m and M be the best values of Alice's and of
//! Bob's moves, with m ≤ M everywhere. Then each player prefers to move, and the equations are
//! those of the graph as it is. The same holds for the ranks: they are needed only where m = M
//! (elsewhere every edge changes the value), and there the escaper, who loses nothing by letting
//! the other player move, can make use of either condition.

use super::numbers::Numbers;
use super::{Coin, ComponentMethod, DrawValue, RankCertificate, Values, cyclic, refuse};
use crate::diagnostic::Result;
use crate::game::GameGraph;
use crate::law::turns::TurnGraph;
use crate::rules::{Rules, Winner};
use crate::watch::Context;

/// Computes the values of a graph with cycles for this coin and this rule for who moves.
///
/// # Errors
/// If the work is stopped, or the values are not proved, which would be an error of the program.
pub(super) fn solve(
    graph: &GameGraph,
    rules: &Rules,
    coin: Coin,
    context: &Context<'_>,
) -> Result<Values> {
    let TurnGraph { graph: turns, .. } = TurnGraph::new(
        graph,
        coin,
        |ending| ending,
        |_| rules.winner == Winner::Chooses,
    );
    // A game without chance has no tosses for a coin to decide.
    let coin = if coin.certain().is_some() {
        Coin::default()
    } else {
        coin
    };
    let draw = DrawValue::new(rules.draws);
    let values = cyclic::solve(&turns, draw, coin, ComponentMethod::Improvement, context)?;
    let Values {
        numbers,
        certificate: RankCertificate { mut ranks },
    } = refuse::unproved(&turns, rules, coin, values, context)?;
    // The graph of turns numbers the original vertices first; the others are not part of the
    // answer.
    ranks.truncate(graph.len());
    let Numbers::Fraction(mut fractions) = numbers else {
        unreachable!("cycles are solved in fractions")
    };
    fractions.truncate(graph.len());
    Ok(Values {
        numbers: Numbers::Fraction(fractions),
        certificate: RankCertificate { ranks },
    })
}
