//! Tests of random turns with any coin on small graphs with cycles, zugzwang and draws, against all
//! pairs of positional strategies.

use bid_language::player::Player;
use bid_language::rules::{Draws, Rules, Winner};
use bid_language::watch::Context;
use bid_solve::richman::{Coin, Values};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::positional::CoinGame;
use crate::random::games;
use crate::richman::chances_of_bob;
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
                let literal = CoinGame {
                    graph: &graph,
                    winner,
                    coin: f64::from(numerator) / f64::from(denominator),
                };
                let of = |turns: &_| chances_of_bob(&graph, draws, turns);
                let right = literal.values(of, |a, b| (a - b).abs() < 1e-9);
                for node in graph.nodes() {
                    let value = found.value(node).to_f64().expect("a float");
                    assert!(
                        (value - right[node.index()]).abs() < 1e-9,
                        "{value} is not {}: {graph:?} {rules:?} {coin:?}",
                        right[node.index()]
                    );
                    let best = Player::both(|player| found.best(&graph, node, player));
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
