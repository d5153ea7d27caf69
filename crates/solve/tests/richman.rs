//! Tests of real-valued Richman values against enumeration of all strategies, truncations, laws and
//! known answers.
//!
//! The oracle has nothing in common with the solver: it tries every pair of positional strategies in
//! rationals.

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Payment, Rules, Solver, Winner};
use bid_language::watch::Context;
use bid_solve::proof::certify::certify;
use bid_solve::richman::taxman::{Share, Shares};
use bid_solve::richman::{Coin, Values};
use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::{NumAssign, One, ToPrimitive};
use proptest::strategy::Strategy;

use crate::oracle::worth;
use crate::positional::{Choice, CoinGame, PositionalStrategy, Turn, best};
use crate::random::games;
use crate::shared::{solve_equations, tug, written};
use bid_testing::{GraphShape, Out, for_all, share};

pub type Small = Ratio<i128>;

fn rules(draws: Draws) -> Rules {
    Rules {
        draws,
        ..Rules::default()
    }
}

const ALL_DRAWS: [Draws; 4] = [Draws::Neither, Draws::Bob, Draws::Alice, Draws::Half];

/// Solves a graph and certifies the values.
fn solve(graph: &GameGraph, rules: &Rules) -> Values {
    let values = Values::solve(graph, rules, Context::plain()).expect("the rules are supported");
    assert_eq!(
        certify(graph, rules, Coin::default(), &values, Context::plain()),
        Ok(vec![]),
        "{graph:?}"
    );
    values
}

pub fn big(value: Small) -> BigRational {
    BigRational::new((*value.numer()).into(), (*value.denom()).into())
}

fn ratio(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

/// The shape of graphs whose moves lead to all vertices with the same probability. Self-loops,
/// traps, positions of one player and repeated structure all occur.
const SHAPE: GraphShape = GraphShape {
    stuck: 0.25,
    traps: true,
    cycles: 1.0,
    draws: 1.0,
    out: Out::Evenly,
    ..GraphShape::SMALL
};

/// Returns the game in which a fair coin decides who moves. Where one player would let the other
/// move, so would the other, and the mean is the same.
fn fair(graph: &GameGraph) -> CoinGame<'_, Small> {
    CoinGame {
        graph,
        winner: Winner::Moves,
        coin: Small::new(1, 2),
    }
}

/// Computes the probability of Bob's winning at every vertex if these turns are played, by
/// elimination; play without end is a draw.
pub fn chances_of_bob<T: NumAssign + Copy>(
    graph: &GameGraph,
    draws: Draws,
    turns: &[Turn<T>],
) -> Vec<T> {
    let n = graph.len();
    let endings: Vec<_> = graph.nodes().map(|v| graph.ending(v)).collect();
    let mut ends: Vec<bool> = endings.iter().map(Option::is_some).collect();
    for _ in 0..n {
        for v in 0..n {
            ends[v] |= turns[v].iter().any(|(_, head, _)| ends[head.index()]);
        }
    }
    let equation = |v: usize| {
        let mut row = vec![T::zero(); n + 1];
        row[v] = T::one();
        match endings[v] {
            Some(ending) => row[n] = worth(ending, draws),
            None if !ends[v] => row[n] = worth(Ending::Draw, draws),
            None => turns[v]
                .iter()
                .for_each(|(_, head, probability)| row[head.index()] -= *probability),
        }
        row
    };
    solve_equations((0..n).map(equation).collect()).expect("every walk ends or is told apart")
}

/// Generates random graphs with few pairs of strategies.
fn tiny_games() -> impl Strategy<Value = GameGraph> {
    let graphs = games(GraphShape {
        positions: 1..=5,
        ..SHAPE
    });
    graphs.prop_filter("few pairs of strategies", |graph| {
        fair(graph).pairs() <= 400
    })
}

#[test]
fn values_are_those_of_all_pairs_of_strategies() {
    let mut cyclic = 0;
    for_all(3_000, tiny_games(), |graph| {
        cyclic += u32::from(!graph.is_acyclic());
        for draws in [Draws::Neither, Draws::Alice, Draws::Half] {
            let values = solve(&graph, &rules(draws));
            let expected =
                fair(&graph).values(|turns| chances_of_bob(&graph, draws, turns), |a, b| a == b);
            for (node, expected) in graph.nodes().zip(expected) {
                assert_eq!(
                    values.value(node),
                    big(expected),
                    "{draws:?}, vertex {node:?}: {graph:?}"
                );
            }
        }
    });
    assert!(cyclic > 500, "only {cyclic} graphs had cycles");
}

#[test]
fn best_moves_attain_the_value_against_every_reply() {
    for_all(2_000, tiny_games(), |graph| {
        for draws in [Draws::Neither, Draws::Alice, Draws::Half] {
            let values = solve(&graph, &rules(draws));
            let oracle = fair(&graph);
            let value =
                |alice: &_, bob: &_| chances_of_bob(&graph, draws, &oracle.turns(alice, bob));
            let [alices, bobs] = Player::both(|player| oracle.strategies(player));
            let [alice, bob] = Player::both(|player| -> PositionalStrategy {
                let head = |node| values.best(&graph, node, player);
                let choice = |node| Choice {
                    head: head(node),
                    lets: false,
                };
                graph.nodes().map(choice).collect()
            });
            let conceded = best(Player::Bob, bobs.iter().map(|bob| value(&alice, bob)));
            let won = best(Player::Alice, alices.iter().map(|alice| value(alice, &bob)));
            for (v, node) in graph.nodes().enumerate() {
                let value = values.value(node);
                assert_eq!(
                    big(conceded[v]),
                    value,
                    "{draws:?}, Alice at {v}: {graph:?}"
                );
                assert_eq!(big(won[v]), value, "{draws:?}, Bob at {v}: {graph:?}");
            }
        }
    });
}

/// Returns the least value that Alice can move to and the greatest that Bob can; `None` for a player
/// without a move.
pub fn best_moves<T: PartialOrd + Clone>(
    graph: &GameGraph,
    node: NodeId,
    values: &[T],
) -> [Option<T>; 2] {
    let of = |player| {
        let heads = graph.successors(node, player).iter();
        heads.map(|head| values[head.index()].clone())
    };
    [
        of(Player::Alice).reduce(|least, value| if value < least { value } else { least }),
        of(Player::Bob).reduce(|most, value| if value > most { value } else { most }),
    ]
}

/// Computes one step of the truncations R(G[n]), exactly.
fn step(graph: &GameGraph, draws: Draws, before: &[BigRational]) -> Vec<BigRational> {
    let next = |node| match (graph.ending(node), best_moves(graph, node, before)) {
        (Some(ending), _) => worth(ending, draws),
        (None, [Some(alice), Some(bob)]) => (alice + bob) / BigInt::from(2),
        (None, [alice, bob]) => alice.or(bob).expect("a position has an edge"),
    };
    graph.nodes().map(next).collect()
}

#[test]
fn truncations_come_down_to_the_value() {
    for_all(400, tiny_games(), |graph| {
        for draws in [Draws::Neither, Draws::Bob] {
            let values = solve(&graph, &rules(draws));
            let mut truncation = vec![BigRational::one(); graph.len()];
            for _ in 0..12 {
                truncation = step(&graph, draws, &truncation);
                let above = graph
                    .nodes()
                    .all(|node| truncation[node.index()] >= values.value(node));
                assert!(above, "{graph:?}");
            }
            let limit = float_iteration(&graph, draws, 1.0, 4000);
            for node in graph.nodes() {
                let value = values.value(node).to_f64().expect("a float");
                assert!(
                    (limit[node.index()] - value).abs() < 1e-9,
                    "{node:?}: {graph:?}"
                );
            }
        }
    });
}

/// Computes many truncations in floats, from a constant.
fn float_iteration(graph: &GameGraph, draws: Draws, start: f64, steps: usize) -> Vec<f64> {
    let mut values = vec![start; graph.len()];
    for _ in 0..steps {
        for node in graph.nodes() {
            let [alice, bob] = best_moves(graph, node, &values);
            values[node.index()] = match graph.ending(node) {
                Some(ending) => worth(ending, draws),
                None => (alice.or(bob).expect("an edge") + bob.or(alice).expect("an edge")) / 2.0,
            };
        }
    }
    values
}

#[test]
fn larger_graphs_are_certified_and_agree_with_iteration() {
    for_all(
        share(60),
        games(GraphShape {
            positions: 8..=59,
            moves: 3..=3,
            draws: 0.5,
            ..SHAPE
        }),
        |graph| {
            for draws in ALL_DRAWS {
                let values = solve(&graph, &rules(draws));
                let start = match draws {
                    Draws::Neither | Draws::Bob => 1.0,
                    Draws::Alice => 0.0,
                    Draws::Half => continue,
                };
                let limit = float_iteration(&graph, draws, start, 20_000);
                for node in graph.nodes() {
                    let value = values.value(node).to_f64().expect("a float");
                    assert!(
                        (limit[node.index()] - value).abs() < 1e-6,
                        "{draws:?}, {node:?}: {value}"
                    );
                }
            }
        },
    );
}

#[test]
fn conjugation_exchanges_what_draws_are_worth() {
    for_all(1_500, tiny_games(), |graph| {
        let conjugate = graph.conjugate();
        for (draws, other) in [
            (Draws::Neither, Draws::Alice),
            (Draws::Alice, Draws::Bob),
            (Draws::Half, Draws::Half),
        ] {
            let (values, conjugates) = (
                solve(&graph, &rules(draws)),
                solve(&conjugate, &rules(other)),
            );
            for node in graph.nodes() {
                let sum = values.value(node) + conjugates.value(node);
                assert_eq!(sum, BigRational::one(), "{draws:?}, {node:?}: {graph:?}");
            }
        }
    });
}

#[test]
fn the_more_a_draw_is_worth_to_bob_the_greater_the_value() {
    for_all(1_500, tiny_games(), |graph| {
        let [alice, half, neither] =
            [Draws::Alice, Draws::Half, Draws::Neither].map(|draws| solve(&graph, &rules(draws)));
        for node in graph.nodes() {
            let ordered =
                alice.value(node) <= half.value(node) && half.value(node) <= neither.value(node);
            assert!(ordered, "{node:?}: {graph:?}");
        }
    });
}

/// Checks that `R(~G) = 1 - R(G)` where both players have the same moves, an ending can be reached
/// from everywhere and there are no draws, as Lazarus et al. assume: play without end then has
/// probability 0 under optimal play.
#[test]
fn conjugates_add_up_to_one_in_the_classical_games() {
    let classical = GraphShape {
        positions: 1..=11,
        moves: 2..=2,
        cycles: 1.0,
        draws: 0.0,
        shared: 1.0,
        leaving: true,
        out: Out::Evenly,
        ..GraphShape::SMALL
    };
    for_all(400, games(classical), |graph| {
        let (values, conjugates) = (
            solve(&graph, &Rules::default()),
            solve(&graph.conjugate(), &Rules::default()),
        );
        for node in graph.nodes() {
            assert_eq!(
                values.value(node) + conjugates.value(node),
                BigRational::one(),
                "{graph:?}"
            );
        }
    });
}

/// Checks that the law fails without those conditions: in a closed loop neither player wins.
#[test]
fn conjugates_do_not_add_up_in_a_closed_loop() {
    let mut builder = GameGraphBuilder::default();
    builder.push(None, &[NodeId::new(0)], &[NodeId::new(0)]);
    let graph = builder.finish(NodeId::new(0));
    let value = |graph: &GameGraph, draws| solve(graph, &rules(draws)).value(graph.start());
    assert_eq!(value(&graph, Draws::Neither), ratio(1, 1));
    assert_eq!(value(&graph.conjugate(), Draws::Neither), ratio(1, 1));
    assert_eq!(value(&graph, Draws::Alice), ratio(0, 1));
    assert_eq!(value(&graph, Draws::Half), ratio(1, 2));
}

#[test]
fn tug_of_war_is_linear_on_a_path() {
    for n in [1, 2, 3, 7, 50, 500] {
        let graph = tug(n, n);
        let values = solve(&graph, &Rules::default());
        assert_eq!(values.value(graph.start()), ratio(1, 2));
        for (i, node) in graph.nodes().enumerate() {
            assert_eq!(values.value(node), ratio(i as i64, 2 * n as i64));
        }
    }
}

/// Builds ultimatum of degree n, as in the language's manual: 0 is the start, k and -k follow, then
/// the endings.
fn ultimatum(n: usize) -> GameGraph {
    let plus = |k: usize| {
        if k == 0 {
            NodeId::new(0)
        } else {
            NodeId::new(k)
        }
    };
    let minus = |k: usize| {
        if k == 0 {
            NodeId::new(0)
        } else {
            NodeId::new(n + k)
        }
    };
    let (won, lost) = (NodeId::new(2 * n + 1), NodeId::new(2 * n + 2));
    let mut builder = GameGraphBuilder::default();
    builder.push(None, &[plus(n)], &[minus(n)]);
    for k in 1..=n {
        builder.push(None, &[won], &[plus(k - 1)]);
    }
    for k in 1..=n {
        builder.push(None, &[minus(k - 1)], &[lost]);
    }
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    builder.finish(NodeId::new(0))
}

#[test]
fn ultimatum_is_even_but_its_positions_are_not() {
    for n in [1, 2, 5, 30, 300, 1200] {
        let graph = ultimatum(n);
        let values = solve(&graph, &Rules::default());
        assert_eq!(values.value(graph.start()), ratio(1, 2));
        // Bob needs n moves in a row to get back to the start, whose value is 1/2: 1/2^(n + 1).
        let tiny = BigRational::new(BigInt::one(), BigInt::one() << (n + 1));
        assert_eq!(values.value(NodeId::new(n)), tiny);
        assert_eq!(values.value(NodeId::new(2 * n)), BigRational::one() - tiny);
    }
}

/// Checks A^n as a graph: Alice wins by any of the next n moves; R = 1/2^n, beyond every fixed
/// width.
#[test]
fn deep_acyclic_graphs_of_every_width() {
    for n in [1, 10, 62, 63, 64, 126, 127, 128, 5000] {
        let mut builder = GameGraphBuilder::default();
        for i in 0..n {
            builder.push(
                None,
                &[NodeId::new(n)],
                &[if i == 0 {
                    NodeId::new(n + 1)
                } else {
                    NodeId::new(i - 1)
                }],
            );
        }
        builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
        builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
        let graph = builder.finish(NodeId::new(n - 1));
        let expected = BigRational::new(BigInt::one(), BigInt::one() << n);
        for solver in [Solver::Auto, Solver::Acyclic, Solver::StrategyImprovement] {
            let rules = Rules {
                solver,
                ..Rules::default()
            };
            assert_eq!(solve(&graph, &rules).value(graph.start()), expected);
        }
    }
}

/// Checks that a method for special graphs gives the values of the general one, whatever draws are
/// worth. Returns the number of values that are neither 0, 1 nor 1/2.
fn check_method(graph: &GameGraph, solver: Solver) -> usize {
    let mut inner = 0;
    for draws in ALL_DRAWS {
        let of = |solver| Rules {
            solver,
            ..rules(draws)
        };
        let [special, general] =
            [solver, Solver::StrategyImprovement].map(|solver| solve(graph, &of(solver)));
        for node in graph.nodes() {
            let value = special.value(node);
            assert_eq!(value, general.value(node), "{draws:?}, {node:?}: {graph:?}");
            inner += usize::from(value.denom() > &BigInt::from(2));
        }
    }
    inner
}

#[test]
fn methods_agree_on_acyclic_graphs() {
    let shape = GraphShape {
        positions: 1..=99,
        moves: 2..=2,
        cycles: 0.0,
        ..SHAPE
    };
    let mut inner = 0;
    for_all(300, games(shape), |graph| {
        inner += check_method(&graph, Solver::Acyclic)
    });
    assert!(inner > 1000, "{inner}");
}

/// Checks Theorem 2.6 of Arun.
#[test]
fn the_steepest_paths_give_the_values_of_undirected_graphs() {
    let shape = GraphShape {
        positions: 1..=59,
        moves: 2..=2,
        cycles: 1.0,
        draws: 0.5,
        out: Out::Evenly,
        undirected: true,
        ..GraphShape::SMALL
    };
    let mut inner = 0;
    for_all(300, games(shape), |graph| {
        inner += check_method(&graph, Solver::PathSlopes)
    });
    assert!(inner > 1000, "{inner}");
}

/// Builds a position where Alice's only move loses and Bob's only move loses too.
fn zugzwang() -> GameGraph {
    written(&[[&[2], &[1]]])
}

#[test]
fn zugzwang_is_a_mean_if_the_winner_chooses_and_refused_if_the_winner_moves() {
    let graph = zugzwang();
    assert_eq!(
        solve(&graph, &Rules::default()).value(graph.start()),
        ratio(1, 2)
    );
    let moves = Rules {
        winner: Winner::Moves,
        ..Rules::default()
    };
    insta::assert_snapshot!(refusal(&graph, &moves));
    // Tug of war has no zugzwang, so the rule does not matter there.
    assert_eq!(solve(&tug(3, 3), &moves).value(NodeId::new(3)), ratio(1, 2));
}

#[test]
fn zugzwang_matters_where_a_player_has_a_use_for_it() {
    let mut builder = GameGraphBuilder::default();
    let [zugzwang, won, lost] = [0, 1, 2].map(NodeId::new);
    builder.push(None, &[lost], &[won]);
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    // Alice wins at once rather than move to the zugzwang, but Bob may move there.
    let beside = builder.push(None, &[won, zugzwang], &[lost]);
    let before = builder.push(None, &[won], &[zugzwang, won]);
    let graph = builder.finish(beside);
    for pay in [Payment::Richman, Payment::Poorman] {
        let rules = Rules {
            winner: Winner::Moves,
            pay,
            ..Rules::default()
        };
        let shares = Shares::solve(&graph, &rules, Context::plain()).expect("solved");
        assert_eq!(shares.share(beside), Share::exact(ratio(1, 2)));
        let covered = graph.nodes().filter(|node| shares.covers(*node).is_ok());
        assert_eq!(covered.collect::<Vec<_>>(), [won, lost, beside]);
        assert!(shares.share(before) != shares.share(won) && shares.covers_all().is_err());
    }
}

/// Builds a position with three neighbours, two of them endings.
fn crossroads() -> GameGraph {
    written(&[[&[1, 2, 3], &[1, 2, 3]], [&[0], &[0]]])
}

fn refusal(graph: &GameGraph, rules: &Rules) -> String {
    let diagnostic =
        Values::solve(graph, rules, Context::plain()).expect_err("the rules are refused");
    let notes = diagnostic
        .notes
        .iter()
        .map(|note| format!("\n  note: {note}"))
        .collect::<String>();
    let help = diagnostic
        .help
        .iter()
        .map(|help| format!("\n  help: {help}"))
        .collect::<String>();
    format!(
        "{}: {}{notes}{help}",
        diagnostic.code.as_str(),
        diagnostic.message
    )
}

#[test]
fn what_the_theory_does_not_cover_is_refused_with_a_reason() {
    let pays = [
        Payment::Poorman,
        Payment::Taxman(ratio(1, 3)),
        Payment::AllPay,
        Payment::AllPayBank,
    ];
    let mut refused: Vec<_> = pays
        .into_iter()
        .map(|pay| {
            refusal(
                &tug(2, 2),
                &Rules {
                    pay,
                    ..Rules::default()
                },
            )
        })
        .collect();
    for solver in [Solver::Acyclic, Solver::Iteration, Solver::Toeplitz] {
        refused.push(refusal(
            &tug(2, 2),
            &Rules {
                solver,
                ..Rules::default()
            },
        ));
    }
    for (graph, solver) in [
        (zugzwang(), Solver::PathSlopes),
        (ultimatum(2), Solver::PathSlopes),
        (crossroads(), Solver::TwoMoves),
    ] {
        refused.push(refusal(
            &graph,
            &Rules {
                solver,
                ..Rules::default()
            },
        ));
    }
    insta::assert_snapshot!(refused.join("\n\n"));
}
