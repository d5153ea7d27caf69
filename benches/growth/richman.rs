//! Measures the growth of the time for exact Richman values: tug of war on paths and grids, random
//! games with cycles, acyclic games. Also runs value iteration with the stopping rule of model
//! checkers, and shows its results.
//!
//! `cargo bench -p bid-growth --bench richman` runs all; `cargo bench -p bid-growth --bench richman -- path` those on paths;
//! `cargo bench -p bid-growth --bench richman -- --usual` compares with value iteration, which takes some
//! minutes.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "boards and powers are small"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Payment, Rules, Solver};
use bid_language::watch::Context;
use bid_solve::richman::Values;
use bid_solve::richman::taxman::Shares;
use criterion::{BenchmarkId, Criterion, criterion_group};
use num_traits::ToPrimitive;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Builds tug of war on a path with n positions between the endings.
fn path(n: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    for i in 1..=n {
        let heads = [NodeId::new(i - 1), NodeId::new(i + 1)];
        builder.push(None, &heads, &heads);
    }
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.finish(NodeId::new(n.div_ceil(2)))
}

/// Builds tug of war on an n × n grid, between two opposite corners. Some edges are missing,
/// because otherwise the answer would be obvious.
fn grid(n: usize) -> GameGraph {
    let mut random = StdRng::seed_from_u64(7);
    let mut neighbours = vec![Vec::new(); n * n];
    let mut join = |a: usize, b: usize| {
        if random.random_range(0..8) > 0 || a == 0 || b == n * n - 1 {
            neighbours[a].push(NodeId::new(b));
            neighbours[b].push(NodeId::new(a));
        }
    };
    for row in 0..n {
        for column in 0..n {
            let cell = row * n + column;
            (column + 1 < n).then(|| join(cell, cell + 1));
            (row + 1 < n).then(|| join(cell, cell + n));
        }
    }
    let mut builder = GameGraphBuilder::default();
    for (cell, heads) in neighbours.iter().enumerate() {
        let ending = match cell {
            0 => Some(Ending::Win(Player::Alice)),
            _ if cell == n * n - 1 => Some(Ending::Win(Player::Bob)),
            _ => None,
        };
        builder.push(ending, heads, heads);
    }
    builder.finish(NodeId::new(n / 2 * n + n / 2))
}

/// Builds a game with n positions and three random edges of each player. About 1 in 50 edges ends
/// the game.
fn digraph(n: usize) -> GameGraph {
    let mut random = StdRng::seed_from_u64(1);
    let mut builder = GameGraphBuilder::default();
    let (ends, edges) = (n / 50 + 1, 3);
    for _ in 0..n {
        let mut heads = || -> Vec<_> {
            (0..edges)
                .map(|_| random.random_range(0..n + ends))
                .collect()
        };
        let [alice, bob] =
            [heads(), heads()].map(|heads| heads.into_iter().map(NodeId::new).collect::<Vec<_>>());
        builder.push(None, &alice, &bob);
    }
    for i in 0..ends {
        builder.push(
            Some(Ending::Win(if i % 2 == 0 {
                Player::Alice
            } else {
                Player::Bob
            })),
            &[],
            &[],
        );
    }
    builder.finish(NodeId::new(0))
}

/// Builds an acyclic game in layers of 10,000 positions, n in all.
fn layered(n: usize) -> GameGraph {
    let mut random = StdRng::seed_from_u64(3);
    let mut builder = GameGraphBuilder::default();
    let width = 10_000;
    for i in 0..n {
        let next = (i / width + 1) * width;
        let mut heads = || {
            let mut head = || {
                NodeId::new(
                    (next + random.random_range(0..width)).min(n + random.random_range(0..2)),
                )
            };
            [head(), head(), head()]
        };
        let (alice, bob) = (heads(), heads());
        builder.push(None, &alice, &bob);
    }
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    builder.finish(NodeId::new(0))
}

/// Measures proved bounds: poorman bidding on cycles, and graphs that are too large for exact
/// solutions.
fn bounds(
    criterion: &mut Criterion,
    name: &str,
    build: fn(usize) -> GameGraph,
    rules: &Rules,
    sizes: &[usize],
) {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500));
    for &size in sizes {
        let graph = build(size);
        group.bench_with_input(
            BenchmarkId::from_parameter(size),
            &graph,
            |bencher, graph| {
                bencher.iter(|| {
                    Shares::solve(black_box(graph), rules, Context::plain())
                        .expect("bounds are found")
                });
            },
        );
    }
}

/// The rule by which value iteration stops.
#[derive(Debug, Clone, Copy)]
enum Stop {
    /// Stops when no value changes by 1e-6.
    Absolute,
    /// Stops when no value changes by 1e-6 of itself, which is the default of model checkers.
    Relative,
}

/// The longest time that the usual iteration may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Computes Alice's winning probability at the start by value iteration from 0. Also returns the
/// number of rounds, if it stops in time.
fn usual_iteration(graph: &GameGraph, stop: Stop) -> (f64, Option<usize>) {
    let started = Instant::now();
    let ending = |node| match graph.ending(node) {
        Some(Ending::Win(Player::Alice)) => 1.0,
        Some(_) | None => 0.0,
    };
    let mut values: Vec<f64> = graph.nodes().map(ending).collect();
    let mut after = values.clone();
    for rounds in 1.. {
        let mut greatest = 0.0_f64;
        for node in graph.nodes().filter(|node| graph.ending(*node).is_none()) {
            let of = |player| {
                graph
                    .successors(node, player)
                    .iter()
                    .map(|head| values[head.index()])
            };
            let (old, new) = (
                values[node.index()],
                match (
                    of(Player::Alice).reduce(f64::max),
                    of(Player::Bob).reduce(f64::min),
                ) {
                    (Some(alice), Some(bob)) => f64::midpoint(alice, bob),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => values[node.index()],
                },
            );
            let change = match stop {
                Stop::Relative if new > 0.0 => (new - old).abs() / new,
                Stop::Absolute | Stop::Relative => (new - old).abs(),
            };
            greatest = greatest.max(change);
            after[node.index()] = new;
        }
        std::mem::swap(&mut values, &mut after);
        let value = values[graph.start().index()];
        if greatest < 1e-6 {
            return (value, Some(rounds));
        }
        if started.elapsed() > PATIENCE {
            return (value, None);
        }
    }
    unreachable!("the values rise, and are at most 1")
}

/// Compares the result of the usual iteration with the exact value.
fn compare(name: &str, build: fn(usize) -> GameGraph, sizes: &[usize], solver: Solver) {
    for &size in sizes {
        let graph = build(size);
        let started = Instant::now();
        let rules = Rules {
            solver,
            ..Rules::default()
        };
        let right = match solver {
            Solver::Iteration => {
                let shares =
                    Shares::solve(&graph, &rules, Context::plain()).expect("bounds are found");
                1.0 - shares.share(graph.start()).low.to_f64().unwrap_or(f64::NAN)
            }
            _ => {
                1.0 - float(
                    &Values::solve(&graph, &rules, Context::plain()).expect("solved"),
                    graph.start(),
                )
            }
        };
        println!(
            "{name}/{size}: {right:.10} ({solver:?}, {:.2?})",
            started.elapsed()
        );
        for stop in [Stop::Absolute, Stop::Relative] {
            let started = Instant::now();
            let (value, rounds) = usual_iteration(&graph, stop);
            let rounds = rounds.map_or("given up".to_owned(), |rounds| format!("{rounds} rounds"));
            println!(
                "{name}/{size}: {value:.10} (value iteration, {stop:?}, {rounds}, {:.2?})",
                started.elapsed()
            );
        }
    }
}

fn float(values: &Values, node: NodeId) -> f64 {
    values.value(node).to_f64().unwrap_or(f64::NAN)
}

fn growth(
    criterion: &mut Criterion,
    name: &str,
    build: fn(usize) -> GameGraph,
    rules: &Rules,
    sizes: &[usize],
) {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500));
    for &size in sizes {
        let graph = build(size);
        group.bench_with_input(
            BenchmarkId::from_parameter(size),
            &graph,
            |bencher, graph| {
                bencher.iter(|| {
                    Values::solve(black_box(graph), rules, Context::plain()).expect("solved")
                });
            },
        );
    }
}

/// Measures strongly connected components by our code and by petgraph's, each on its own kind of
/// graph.
fn components(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("components");
    for (name, graph) in [("digraph", digraph(100_000)), ("path", path(100_000))] {
        let petgraph = DiGraph::<(), ()>::from_edges(graph.nodes().flat_map(|node| {
            graph
                .all_successors(node)
                .map(move |head| (node.index() as u32, head.index() as u32))
        }));
        group.bench_function(format!("{name}/tarjan"), |bencher| {
            bencher.iter(|| black_box(&graph).components())
        });
        group.bench_function(format!("{name}/kosaraju"), |bencher| {
            bencher.iter(|| kosaraju_scc(black_box(&petgraph)))
        });
    }
}

fn all(criterion: &mut Criterion) {
    components(criterion);
    let usual = Rules::default();
    growth(criterion, "path", path, &usual, &[100, 1_000, 10_000]);
    growth(criterion, "grid", grid, &usual, &[10, 30, 100]);
    growth(
        criterion,
        "digraph",
        digraph,
        &usual,
        &[170, 1_000, 3_000, 10_000],
    );
    let slopes = Rules {
        solver: Solver::PathSlopes,
        ..Rules::default()
    };
    growth(criterion, "path by slopes", path, &slopes, &[1_000, 10_000]);
    growth(criterion, "grid by slopes", grid, &slopes, &[10, 30, 100]);
    let poorman = Rules {
        pay: Payment::Poorman,
        ..Rules::default()
    };
    bounds(
        criterion,
        "poorman path to 1e-12",
        path,
        &poorman,
        &[10, 100, 1_000],
    );
    let iteration = Rules {
        solver: Solver::Iteration,
        ..Rules::default()
    };
    bounds(
        criterion,
        "digraph to 1e-12 by iteration",
        digraph,
        &iteration,
        &[170, 1_700, 17_000, 100_000, 170_000],
    );
    growth(criterion, "acyclic", layered, &usual, &[10_000, 1_000_000]);
}

criterion_group!(benches, all);

/// Runs the measurements. With the argument `--usual`, compares value iteration as it is usually
/// stopped instead.
fn main() {
    if std::env::args().any(|argument| argument == "--usual") {
        compare("path", path, &[99, 999, 9_999], Solver::Auto);
        compare("grid", grid, &[10, 30, 100], Solver::PathSlopes);
        compare("digraph", digraph, &[1_000], Solver::Auto);
        compare("digraph", digraph, &[10_000, 100_000], Solver::Iteration);
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
