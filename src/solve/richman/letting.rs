//! Random turns on graphs with cycles where the winner of a toss may let the other player move, and where a coin always falls for one player.
//!
//! A position at which both players can move becomes three: the toss, from which whoever wins it goes to either of two vertices, one of which
//! is Alice's to move from and the other Bob's. That is the same game, and in it nobody is ever in zugzwang: both players have the same edges from a
//! toss. So the values are those of winners who must move, and the theorem of [`certify`](crate::solve::certify) proves them. Where a coin
//! always falls for one player, the toss is that player's vertex, and what is left is a game without chance.
//!
//! *Where the graph need not be changed*: let m and M be the best values of Alice's and of Bob's moves, with m ≤ M everywhere. Then each prefers
//! to move, and the equations are those of the graph as it is. So are the ranks: they are needed where m = M only (elsewhere every edge
//! changes the value), and there the escaper, who loses nothing by letting the other move, can make use of either condition.

use super::numbers::Numbers;
use super::{Certificate, Coin, DrawValue, Inside, Values, cyclic};
use crate::diagnostic::Result;
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::Player;
use crate::rules::{Rules, Winner};
use crate::watch::Watch;

/// The values of a graph with cycles for this coin and this rule for who moves.
///
/// # Errors
/// If the watch stops the work, or the values are not proved, which would be a mistake of the program.
pub(super) fn solve(graph: &GameGraph, rules: &Rules, coin: Coin, watch: &dyn Watch) -> Result<Values> {
    let turns = turns(graph, rules.winner, coin);
    // A game without chance has no tosses for a coin to decide.
    let coin = if coin.certain().is_some() { Coin::default() } else { coin };
    let draw = DrawValue::new(rules.draws);
    let values = cyclic::solve(&turns, &turns.components(), (draw, coin), Inside::Improvement, watch)?;
    super::coin::check(&turns, rules, coin, &values)?;
    let Values { numbers, certificate: Certificate { mut ranks } } = values;
    ranks.truncate(graph.len());
    let Numbers::Fraction(mut fractions) = numbers else { unreachable!("cycles are solved in fractions") };
    fractions.truncate(graph.len());
    Ok(Values { numbers: Numbers::Fraction(fractions), certificate: Certificate { ranks } })
}

/// The graph of turns: the vertices of the graph first, with their own numbers.
fn turns(graph: &GameGraph, winner: Winner, coin: Coin) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    let mut split = Vec::new();
    for node in graph.nodes() {
        let [alice, bob] = Player::BOTH.map(|player| graph.successors(node, player));
        if alice.is_empty() || bob.is_empty() {
            builder.push(graph.ending(node), alice, bob);
            continue;
        }
        let own: [Vec<NodeId>; 2] = match winner {
            Winner::Moves => [alice.to_vec(), bob.to_vec()],
            Winner::Chooses => {
                let turn = graph.len() + 2 * split.len();
                split.push(node);
                let either = vec![NodeId::new(turn), NodeId::new(turn + 1)];
                [either.clone(), either]
            }
        };
        let [alice, bob] = match coin.certain() {
            None => own,
            Some(Player::Alice) => [own[0].clone(), Vec::new()],
            Some(Player::Bob) => [Vec::new(), own[1].clone()],
        };
        builder.push(None, &alice, &bob);
    }
    for node in split {
        builder.push(None, graph.successors(node, Player::Alice), &[]);
        builder.push(None, &[], graph.successors(node, Player::Bob));
    }
    builder.finish(graph.start())
}
