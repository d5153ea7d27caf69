//! The marker that may be attached to a bid, held to the oracle: the holder attaches it or not, and
//! both bid, in every way there is.

use crate::oracle::random::{dice, small_game, sometimes_owned};
use crate::oracle::{Oracle, Order, all_purses};
use bid_language::player::Player;
use bid_language::rules::{Draws, Rules, TieBreak, Winner};
use bid_language::watch::Unwatched;
use bid_solve::chips::Thresholds;
use rand::RngExt;

/// Both players, both orders of the quantifiers, draws and zugzwang and cycles, whatever a draw
/// counts for.
#[test]
fn thresholds_are_those_of_the_oracle() {
    for seed in 0..3000_u64 {
        let mut dice = dice(seed);
        let graph = sometimes_owned(small_game(&mut dice), seed);
        let rules = Rules {
            ties: TieBreak::Attached,
            winner: if seed.is_multiple_of(2) {
                Winner::Chooses
            } else {
                Winner::Moves
            },
            draws: [Draws::Neither, Draws::Alice, Draws::Bob][(seed / 2 % 3) as usize],
            ..Rules::default()
        };
        let total = dice.random_range(0..=4);
        let oracle = Oracle {
            graph: &graph,
            rules: &rules,
            total,
        };
        for seeker in Player::BOTH {
            let solved = Thresholds::solve(&graph, &rules, seeker, &[total], &Unwatched)
                .expect("there are thresholds");
            let forced = oracle.won(seeker, Order::Forcing);
            let unpreventable = oracle.won(seeker, Order::NotPreventable);
            for node in graph.nodes() {
                for purses in all_purses(&rules, total) {
                    let context = || {
                        format!(
                            "seed {seed}, {rules:?}, {seeker:?} at {node:?} with {purses:?}\n{graph:?}"
                        )
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
    }
}

/// It makes a difference: a marker that its holder would rather not have can be passed on with a
/// bid.
#[test]
fn attaching_the_marker_can_help() {
    let differs = (0..500_u64).any(|seed| {
        let graph = small_game(&mut dice(seed));
        let solve = |ties| {
            let rules = Rules {
                ties,
                winner: Winner::Moves,
                ..Rules::default()
            };
            let found = Thresholds::solve(&graph, &rules, Player::Alice, &[4], &Unwatched)
                .expect("there are thresholds");
            graph
                .nodes()
                .map(|node| found.forces(node, Player::Alice, 0))
                .collect::<Vec<_>>()
        };
        solve(TieBreak::Attached) != solve(TieBreak::Marker)
    });
    assert!(differs);
}
