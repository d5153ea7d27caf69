//! Tests of the partial order against thresholds total by total.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::oracle::all_rules;
use crate::oracle::{Oracle, Order, all_purses};
use crate::random::games;
use bid_game::{Edge, EndlessPlay, Explored, GameGraph, Games, Head, Marks, Network, NodeId};
use bid_language::player::{GameId, Player};
use bid_language::rules::{Draws, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::chips::Thresholds;
use bid_solve::order::{
    Algebra, ComparedGames, Comparison, Laws, Merged, Merging, PositionPair, SimplifiedGame, prove,
    simplest,
};
use bid_solve::richman::Values;
use bid_solve::sequences::{KnownSequences, Sequences};
use bid_testing::{GraphShape, for_all, share};
use proptest::strategy::Strategy;

/// A total past the pre-periods and one common period of the small games below.
const PAST: u64 = 600;

/// Generates games of up to three moves each from a position.
fn games_of(positions: RangeInclusive<usize>, cycles: f64) -> impl Strategy<Value = GameGraph> {
    games(GraphShape {
        positions,
        moves: 3..=3,
        cycles,
        ..GraphShape::SMALL
    })
}

#[test]
fn comparisons_and_proofs_agree_with_single_totals() {
    let (mut proofs, mut relations) = (0, 0);
    for_all(
        400,
        [(); 2].map(|()| games_of(1..=5, 0.0)),
        |[first, second]| {
            for ties in [
                TieBreak::Advantage,
                TieBreak::MakeItTakeIt,
                TieBreak::Marker,
            ] {
                let rules = Rules {
                    ties,
                    ..Rules::default()
                };
                let solve = |graph| {
                    Sequences::solve(graph, &rules, Context::plain())
                        .expect("these rules have closed forms")
                };
                let (g, h) = (solve(&first), solve(&second));
                let start = NodeId::new(0);
                let found = Comparison::of(&g, start, &h, start, Context::plain())
                    .expect("nothing stops it");
                let parts = |solved: &Sequences, total| -> Vec<u64> {
                    solved
                        .sequences(solved.class(start))
                        .iter()
                        .map(|sequence| sequence.at(total))
                        .collect()
                };
                for total in 0..PAST {
                    let exceeds = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a > b);
                    let (a, b) = (parts(&g, total), parts(&h, total));
                    assert_eq!(
                        found.above.contains(total),
                        exceeds(&a, &b),
                        "{ties:?}, {total} chips"
                    );
                    assert_eq!(
                        found.below.contains(total),
                        exceeds(&b, &a),
                        "{ties:?}, {total} chips"
                    );
                }
                let holds = found.above.least().is_none();
                relations += usize::from(holds);
                let sides = ComparedGames {
                    g: &first,
                    h: &second,
                    laws: Laws::of(&rules),
                };
                let proof = prove(sides, PositionPair { g: start, h: start }, 10_000);
                assert!(
                    proof.is_none() || holds,
                    "{ties:?}: a proof of what is false\n{first:?}\n{second:?}"
                );
                proofs += usize::from(proof.is_some());
            }
        },
    );
    assert!(
        proofs * 2 > relations,
        "{proofs} proofs of {relations} relations"
    );
}

/// Computes Alice's thresholds of all positions for totals below this.
fn rows(graph: &GameGraph, rules: &Rules, totals: u64) -> Thresholds {
    let totals: Vec<u64> = (0..totals).collect();
    Thresholds::solve(graph, rules, Player::Alice, &totals, Context::plain())
        .expect("these rules have thresholds")
}

/// Returns whether a position needs no more chips than another one, for every total that was
/// computed and every holder of the tie status.
fn at_most(g: &Thresholds, first: NodeId, h: &Thresholds, second: NodeId, totals: u64) -> bool {
    let forces = |of: &Thresholds, node, holder, total| of.forces(node, holder, total as usize);
    (0..totals).all(|total| {
        Player::BOTH
            .iter()
            .all(|&holder| forces(g, first, holder, total) <= forces(h, second, holder, total))
    })
}

/// Returns whether two positions need the same chips, for every total that was computed and every
/// holder of the tie status.
fn are_equal(g: &Thresholds, first: NodeId, h: &Thresholds, second: NodeId, totals: u64) -> bool {
    at_most(g, first, h, second, totals) && at_most(h, second, g, first, totals)
}

#[test]
fn proofs_on_cycles_say_nothing_false() {
    let start = NodeId::new(0);
    let (mut circular, mut proofs, mut relations) = (0, 0, 0);
    for_all(
        600,
        (games_of(1..=5, 1.0), games_of(3..=3, 1.0)),
        |(first, second)| {
            for rules in all_rules() {
                let (g, h) = (rows(&first, &rules, 30), rows(&second, &rules, 30));
                let holds = at_most(&g, start, &h, start, 30);
                let sides = ComparedGames {
                    g: &first,
                    h: &second,
                    laws: Laws::of(&rules),
                };
                let proof = prove(sides, PositionPair { g: start, h: start }, 10_000);
                assert!(
                    proof.is_none() || holds,
                    "{rules:?}: a proof of what is false\n{first:?}\n{second:?}"
                );
                relations += usize::from(holds);
                proofs += usize::from(proof.is_some());
                circular += usize::from(proof.is_some_and(|proof| proof.circular));
            }
        },
    );
    assert!(
        circular > 100 && proofs * 3 > relations,
        "{proofs} proofs, {circular} of them circular, of {relations}"
    );
}

/// Converts a graph to a game of the language, with the game at each vertex.
fn as_games(games: &mut Games, graph: &GameGraph) -> Vec<GameId> {
    let mut network = Network::titled("");
    for node in graph.nodes() {
        let vertex = network.vertex_named(&node.index().to_string());
        network.vertex_mut(vertex).ending = graph.ending(node);
        network.vertex_mut(vertex).set_marks(Marks {
            owner: graph.owner(node),
            ..Marks::default()
        });
        for player in Player::BOTH {
            let heads = graph
                .successors(node, player)
                .iter()
                .map(|head| Head::Vertex(head.index() as u32));
            let edges = heads.map(|head| Edge::new(head, Default::default(), Default::default()));
            network.vertex_mut(vertex).edges[player] = edges.collect();
        }
    }
    let network = games.add_network(network);
    graph
        .nodes()
        .map(|node| games.vertex(network, node.index() as u32))
        .collect()
}

/// Returns the known classes of a game, as the queries use them.
fn known(graph: &GameGraph, rules: &Rules) -> KnownSequences {
    match Sequences::solve(graph, rules, Context::plain()) {
        Ok(solved) => KnownSequences::all(Rc::new(solved)),
        Err(_) => KnownSequences::where_closed(graph, rules, Context::plain())
            .expect("games without cycles and owners have closed forms"),
    }
}

/// Returns the smallest game found for the start of an explored game.
fn simplified(games: &mut Games, explored: &Explored, rules: &Rules) -> GameId {
    let source = SimplifiedGame {
        explored,
        known: &known(&explored.graph, rules),
        laws: Laws::of(rules),
        has_endless_play: false,
    };
    let algebra = Algebra::new(rules, Context::plain()).expect("these rules have thresholds");
    let start = [explored.graph.start()];
    simplest(algebra, games, source, &start).expect("nothing stops it")[0]
}

#[test]
fn simplified_games_are_equivalent() {
    const TOTALS: u64 = 200;
    let mut smaller = 0;
    for_all(share(36), games_of(1..=5, 0.67), |graph| {
        for ties in [
            TieBreak::Advantage,
            TieBreak::MakeItTakeIt,
            TieBreak::Marker,
        ] {
            let rules = Rules {
                ties,
                ..Rules::default()
            };
            let mut games = Games::default();
            let start = as_games(&mut games, &graph)[0];
            let explored = Explored::of(&mut games, start, Context::plain()).expect("it is finite");
            let found = simplified(&mut games, &explored, &rules);
            let simple = Explored::of(&mut games, found, Context::plain()).expect("it is finite");
            let (g, h) = (
                rows(&explored.graph, &rules, TOTALS),
                rows(&simple.graph, &rules, TOTALS),
            );
            let starts = (explored.graph.start(), simple.graph.start());
            assert!(
                are_equal(&g, starts.0, &h, starts.1, TOTALS),
                "{ties:?}\n{graph:?}"
            );
            smaller += usize::from(found != start);
        }
    });
    assert!(smaller > share(45), "only {smaller} are told otherwise");
}

#[test]
fn minimised_games_are_equivalent_and_minimal() {
    const TOTALS: u64 = 60;
    let mut merged = 0;
    for_all(400, games_of(1..=8, 0.5), |graph| {
        let acyclic = graph.is_acyclic();

        for (at, rules) in all_rules().into_iter().enumerate() {
            let known = known(&graph, &rules);
            let silent = EndlessPlay::default();
            // From most vertices only a part of the others can be reached.
            let start = NodeId::new(at % graph.len());
            let merging = Merging::of(
                &graph,
                start,
                &silent,
                |node| known.class(node),
                Context::plain(),
            )
            .expect("nothing stops it");
            let Merged {
                graph: minimal,
                positions: stand_ins,
                ..
            } = merging.merged();
            let groups = merging.groups();
            assert_eq!(
                groups.values().map(Vec::len).sum::<usize>(),
                graph.reachable(start).len()
            );
            let (g, h) = (rows(&graph, &rules, TOTALS), rows(&minimal, &rules, TOTALS));
            for (vertex, stand_in) in minimal.nodes().zip(&stand_ins) {
                for &node in &groups[stand_in] {
                    assert!(
                        are_equal(&g, node, &h, vertex, TOTALS),
                        "{rules:?}, {node:?}\n{graph:?}\n{minimal:?}"
                    );
                }
            }
            if acyclic && known.class(start).is_some() {
                let classes: HashSet<_> = stand_ins.iter().map(|&node| known.class(node)).collect();
                assert_eq!(
                    classes.len(),
                    minimal.len(),
                    "{rules:?}: two positions of one class"
                );
                assert!(
                    minimal.is_acyclic(),
                    "{rules:?}: a cycle that was not there"
                );
            }
            merged += usize::from(minimal.len() < graph.reachable(start).len());
        }
    });
    assert!(merged > 1_000, "only {merged} are smaller");
}

/// Checks small games with owners, cycles, draws and zugzwang under every rule for ties: the merged
/// and the simplified game have the same Richman value, the same thresholds, and are won with the
/// same chips by literal play.
#[test]
fn smaller_games_keep_values_and_thresholds() {
    let ties: Vec<TieBreak> = TieBreak::certain().chain([TieBreak::Attached]).collect();
    let (mut merged, mut owned, mut valued) = (0, 0, 0);
    for_all(
        share(3_000),
        (0..10_000_usize, games(GraphShape::OWNED)),
        |(which, graph)| {
            let rules = Rules {
                ties: ties[which % ties.len()],
                winner: if which / 9 % 2 == 0 {
                    Winner::Chooses
                } else {
                    Winner::Moves
                },
                draws: [Draws::Neither, Draws::Bob, Draws::Alice][which / 18 % 3],
                ..Rules::default()
            };
            let mut games = Games::default();
            let start = as_games(&mut games, &graph)[0];
            let explored = Explored::of(&mut games, start, Context::plain()).expect("it is finite");
            let graph = &explored.graph;
            let known = known(graph, &rules);
            let silent = EndlessPlay::default();
            let class = |node| known.class(node);
            let minimal = Merging::of(graph, graph.start(), &silent, class, Context::plain())
                .expect("nothing stops it")
                .merged()
                .graph;
            let mut smaller = vec![("minimise", minimal.clone())];
            // The search for a wedge sum takes longer than all the rest.
            if which.is_multiple_of(23) {
                let found = simplified(&mut games, &explored, &rules);
                let simple =
                    Explored::of(&mut games, found, Context::plain()).expect("it is finite");
                smaller.push(("simplify", simple.graph));
            }
            for (way, other) in &smaller {
                let place = || format!("{way}, {rules:?}\n{graph:?}\n{other:?}");
                let totals: Vec<u64> = (0..=8).collect();
                let thresholds = |graph: &GameGraph| {
                    let solved =
                        Thresholds::solve(graph, &rules, Player::Alice, &totals, Context::plain())
                            .expect("solved");
                    let forces = |lane: usize| {
                        Player::both(|holder| solved.forces(graph.start(), holder, lane))
                    };
                    (0..totals.len()).map(forces).collect::<Vec<_>>()
                };
                assert_eq!(thresholds(graph), thresholds(other), "{}", place());
                // There are no Richman values in zugzwang where the winner of a bid moves.
                let values =
                    [graph, other].map(|graph| Values::solve(graph, &rules, Context::plain()).ok());
                if let [Some(values), Some(others)] = values {
                    let (value, other) = (values.value(graph.start()), others.value(other.start()));
                    assert_eq!(value, other, "{}", place());
                    valued += 1;
                }
                let total = which as u64 % 4;
                let won = |graph: &GameGraph| {
                    let oracle = Oracle {
                        graph,
                        rules: &rules,
                        total,
                    };
                    let won = oracle.won(Player::Alice, Order::Forcing);
                    all_purses(&rules, total)
                        .iter()
                        .map(|held| won.contains(graph.start(), held))
                        .collect::<Vec<_>>()
                };
                assert_eq!(won(graph), won(other), "{}", place());
            }
            merged += usize::from(minimal.len() < graph.len());
            owned += usize::from(smaller.iter().all(|(_, graph)| graph.has_owners()));
        },
    );
    assert!(
        merged > share(1_000) && owned > share(150) && valued > share(1_500),
        "{merged} {owned} {valued}"
    );
}
