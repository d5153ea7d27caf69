//! Tests of random turns with any coin on small graphs with cycles, zugzwang and draws, against all
//! pairs of positional strategies.

use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Rules, Winner};
use bid_language::watch::Context;
use bid_solve::game::{GameGraph, NodeId};
use bid_solve::richman::{Coin, Values};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::random::games;
use bid_testing::{GraphShape, Out, for_all};

/// The shape of graphs with a few positions and up to two moves of each player. In half of the
/// graphs no move wins at once for the player who makes it, which makes zugzwang.
const SHAPE: GraphShape = GraphShape {
    positions: 1..=3,
    moves: 2..=2,
    stuck: 0.15,
    traps: true,
    cycles: 1.0,
    draws: 1.0,
    out: Out::Evenly,
    contrary: 0.5,
    ..GraphShape::SMALL
};

/// A player's choice at a vertex: to let the other one move after a toss that is won or not, and
/// the move.
#[derive(Clone, Copy)]
struct Choice {
    lets: bool,
    head: Option<NodeId>,
}

/// Returns all choices of a player at each vertex.
fn choices(graph: &GameGraph, player: Player, winner: Winner) -> Vec<Vec<Choice>> {
    let of = |node: NodeId| {
        let own = graph.successors(node, player);
        let both = Player::BOTH
            .iter()
            .all(|player| !graph.successors(node, *player).is_empty());
        let heads: Vec<Option<NodeId>> = if own.is_empty() {
            vec![None]
        } else {
            own.iter().map(|head| Some(*head)).collect()
        };
        let lets: &[bool] = if both && winner == Winner::Chooses {
            &[false, true]
        } else {
            &[false]
        };
        heads
            .into_iter()
            .flat_map(|head| lets.iter().map(move |lets| Choice { lets: *lets, head }))
            .collect()
    };
    graph.nodes().map(of).collect()
}

/// Returns every positional strategy.
fn strategies(choices: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    choices.iter().fold(vec![Vec::new()], |all, here| {
        let with = |strategy: &Vec<Choice>| {
            here.iter()
                .map(|choice| strategy.iter().copied().chain([*choice]).collect())
                .collect::<Vec<Vec<Choice>>>()
        };
        all.iter().flat_map(with).collect()
    })
}

/// Returns the successors of each vertex under both strategies, with probabilities.
fn chain(graph: &GameGraph, alice: &[Choice], bob: &[Choice], coin: f64) -> Vec<Vec<(usize, f64)>> {
    let at = |node: NodeId| {
        if graph.ending(node).is_some() {
            return Vec::new();
        }
        let (a, b) = (alice[node.index()], bob[node.index()]);
        match (a.head, b.head) {
            (Some(own), Some(other)) => {
                let [after_alice, after_bob] = [
                    if a.lets { other } else { own },
                    if b.lets { own } else { other },
                ];
                let edges = [(after_alice.index(), coin), (after_bob.index(), 1.0 - coin)];
                edges
                    .into_iter()
                    .filter(|(_, weight)| *weight > 0.0)
                    .collect()
            }
            (Some(only), None) | (None, Some(only)) => vec![(only.index(), 1.0)],
            (None, None) => unreachable!("a vertex without moves is an ending"),
        }
    };
    graph.nodes().map(at).collect()
}

/// Computes Bob's winning probabilities in a walk, by elimination; play that never ends is worth
/// `forever`.
fn walk(
    graph: &GameGraph,
    edges: &[Vec<(usize, f64)>],
    worth: impl Fn(Ending) -> f64,
    forever: f64,
) -> Vec<f64> {
    let n = graph.len();
    let mut ends: Vec<bool> = graph
        .nodes()
        .map(|node| graph.ending(node).is_some())
        .collect();
    while let Some(more) =
        (0..n).find(|&v| !ends[v] && edges[v].iter().any(|(head, _)| ends[*head]))
    {
        ends[more] = true;
    }
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|v| {
            let mut row = vec![0.0; n + 1];
            row[v] = 1.0;
            match graph.ending(NodeId::new(v)) {
                Some(ending) => row[n] = worth(ending),
                None if !ends[v] => row[n] = forever,
                None => edges[v]
                    .iter()
                    .for_each(|(head, weight)| row[*head] -= weight),
            }
            row
        })
        .collect();
    for pivot in 0..n {
        let best = (pivot..n)
            .max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs()))
            .expect("a row");
        rows.swap(pivot, best);
        for row in 0..n {
            if row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot];
                let above = rows[pivot].clone();
                rows[row]
                    .iter_mut()
                    .zip(above)
                    .for_each(|(entry, above)| *entry -= factor * above);
            }
        }
    }
    (0..n).map(|v| rows[v][n] / rows[v][v]).collect()
}

/// Computes the value of each vertex if both play positional strategies, from both sides, and
/// checks that they agree.
fn literal(graph: &GameGraph, rules: &Rules, coin: f64) -> Vec<f64> {
    let half = match rules.draws {
        Draws::Neither | Draws::Bob => 1.0,
        Draws::Half => 0.5,
        Draws::Alice => 0.0,
    };
    let worth = |ending| match ending {
        Ending::Win(Player::Alice) => 0.0,
        Ending::Win(Player::Bob) => 1.0,
        Ending::Draw => half,
    };
    let [alice, bob] = Player::BOTH.map(|player| strategies(&choices(graph, player, rules.winner)));
    let n = graph.len();
    let (mut least, mut most) = (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n]);
    let mut against = vec![vec![f64::INFINITY; n]; bob.len()];
    for own in &alice {
        let mut worst = vec![f64::NEG_INFINITY; n];
        for (number, other) in bob.iter().enumerate() {
            let found = walk(graph, &chain(graph, own, other, coin), worth, half);
            for v in 0..n {
                worst[v] = worst[v].max(found[v]);
                against[number][v] = against[number][v].min(found[v]);
            }
        }
        least
            .iter_mut()
            .zip(worst)
            .for_each(|(least, worst)| *least = least.min(worst));
    }
    for best in against {
        most.iter_mut()
            .zip(best)
            .for_each(|(most, best)| *most = most.max(best));
    }
    for v in 0..n {
        assert!(
            (least[v] - most[v]).abs() < 1e-9,
            "positional strategies are optimal: {least:?} {most:?}"
        );
    }
    least
}

fn check(cases: u32) -> [usize; 2] {
    let (mut zugzwang, mut certain) = (0, 0);
    for_all(cases, (0..3_usize, games(SHAPE)), |(which, graph)| {
        let draws = [Draws::Bob, Draws::Alice, Draws::Half][which];
        for (numerator, denominator) in [(0, 1), (1, 1), (1, 2), (1, 3), (3, 4)] {
            for winner in [Winner::Chooses, Winner::Moves] {
                let rules = Rules {
                    draws,
                    winner,
                    ..Rules::default()
                };
                let coin = match (numerator, denominator) {
                    (0, _) => Coin::always(Player::Bob),
                    (a, b) if a == b => Coin::always(Player::Alice),
                    (a, b) => {
                        Coin::new(&BigRational::new(BigInt::from(a), b.into())).expect("a coin")
                    }
                };
                let found = Values::with_coin(&graph, &rules, coin, Context::plain());
                let found =
                    found.unwrap_or_else(|error| panic!("{error:?}: {graph:?} {rules:?} {coin:?}"));
                let right = literal(
                    &graph,
                    &rules,
                    f64::from(numerator) / f64::from(denominator),
                );
                for node in graph.nodes() {
                    let value = found.value(node).to_f64().expect("a float");
                    assert!(
                        (value - right[node.index()]).abs() < 1e-9,
                        "{value} is not {}: {graph:?} {rules:?} {coin:?}",
                        right[node.index()]
                    );
                    let best = Player::BOTH.map(|player| found.best(&graph, node, player));
                    let worse = matches!(best, [Some(a), Some(b)] if found.compare(a, b).is_gt());
                    let cyclic = !graph.is_acyclic();
                    zugzwang += usize::from(
                        cyclic && worse && winner == Winner::Chooses && denominator > 2,
                    );
                    certain += usize::from(cyclic && denominator == 1);
                }
            }
        }
    });
    [zugzwang, certain]
}

#[test]
fn every_coin_is_answered_on_cycles() {
    let [zugzwang, certain] = check(480);
    assert!(zugzwang > 40 && certain > 1_000, "{zugzwang} {certain}");
}

/// Checks as many graphs as needed to trust the result.
#[test]
#[ignore = "takes minutes"]
fn every_coin_is_answered_on_many_graphs() {
    check(3_000);
}
