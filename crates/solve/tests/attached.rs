//! Tests of the marker that may be attached to a bid, against the oracle: the holder attaches it or
//! not, and both bid, in every possible way.

use crate::oracle::{Oracle, Order, all_purses};
use crate::random::games;
use bid_language::player::Player;
use bid_language::rules::{Draws, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::chips::Thresholds;
use bid_testing::{GraphShape, for_all};

/// Compares thresholds with the oracle: both players, both orders of the quantifiers, draws and
/// zugzwang and cycles, whichever player a draw counts for.
#[test]
fn thresholds_are_those_of_the_oracle() {
    for_all(
        3_000,
        (0..6_usize, games(GraphShape::OWNED), 0..=4_u64),
        |(which, graph, total)| {
            let rules = Rules {
                ties: TieBreak::Attached,
                winner: [Winner::Chooses, Winner::Moves][which % 2],
                draws: [Draws::Neither, Draws::Alice, Draws::Bob][which / 2],
                ..Rules::default()
            };
            let oracle = Oracle {
                graph: &graph,
                rules: &rules,
                total,
            };
            for seeker in Player::BOTH {
                let solved = Thresholds::solve(&graph, &rules, seeker, &[total], Context::plain())
                    .expect("there are thresholds");
                let forced = oracle.won(seeker, Order::Forcing);
                let unpreventable = oracle.won(seeker, Order::NotPreventable);
                for node in graph.nodes() {
                    for purses in all_purses(&rules, total) {
                        let context = || {
                            format!("{rules:?}, {seeker:?} at {node:?} with {purses:?}\n{graph:?}")
                        };
                        assert_eq!(
                            solved.is_forced(node, &purses, 0),
                            forced.contains(node, &purses),
                            "{}",
                            context()
                        );
                        assert_eq!(
                            solved.is_unpreventable(node, &purses, 0),
                            unpreventable.contains(node, &purses),
                            "not preventable: {}",
                            context()
                        );
                    }
                }
            }
        },
    );
}

/// Checks that attaching makes a difference: a marker that its holder would rather not have can be
/// passed on with a bid.
#[test]
fn attaching_the_marker_can_help() {
    let mut differing = 0;
    for_all(500, games(GraphShape::SMALL), |graph| {
        let solve = |ties| {
            let rules = Rules {
                ties,
                winner: Winner::Moves,
                ..Rules::default()
            };
            let found = Thresholds::solve(&graph, &rules, Player::Alice, &[4], Context::plain())
                .expect("there are thresholds");
            graph
                .nodes()
                .map(|node| found.forces(node, Player::Alice, 0))
                .collect::<Vec<_>>()
        };
        differing += usize::from(solve(TieBreak::Attached) != solve(TieBreak::Marker));
    });
    assert!(differing > 0);
}
