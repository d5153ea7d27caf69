//! How the exact Richman values grow: tug of war on paths and grids, random games with cycles, acyclic games.
//!
//! `cargo bench --bench richman` runs all; `cargo bench --bench richman -- path` those on paths.

use std::hint::black_box;
use std::time::Duration;

use bid::game::{Ending, GameGraph, GameGraphBuilder, NodeId, Player};
use bid::rules::{Payment, Rules, Solver};
use bid::solve::richman::Values;
use bid::solve::richman::taxman::Shares;
use bid::watch::Unwatched;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Tug of war on a path with n positions between the endings.
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

/// Tug of war on an n × n grid, between two opposite corners; some edges are missing, or the answer would be plain.
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

/// n positions with three random edges of each player; about 1 in 50 edges ends the game.
fn digraph(n: usize) -> GameGraph {
    let mut random = StdRng::seed_from_u64(1);
    let mut builder = GameGraphBuilder::default();
    let (ends, edges) = (n / 50 + 1, 3);
    for _ in 0..n {
        let mut heads = || -> Vec<_> { (0..edges).map(|_| random.random_range(0..n + ends)).collect() };
        let [alice, bob] = [heads(), heads()].map(|heads| heads.into_iter().map(NodeId::new).collect::<Vec<_>>());
        builder.push(None, &alice, &bob);
    }
    for i in 0..ends {
        builder.push(Some(Ending::Win(if i % 2 == 0 { Player::Alice } else { Player::Bob })), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

/// An acyclic game in layers of 10,000 positions, n in all.
fn layered(n: usize) -> GameGraph {
    let mut random = StdRng::seed_from_u64(3);
    let mut builder = GameGraphBuilder::default();
    let width = 10_000;
    for i in 0..n {
        let next = (i / width + 1) * width;
        let mut heads = || {
            let mut head = || NodeId::new((next + random.random_range(0..width)).min(n + random.random_range(0..2)));
            [head(), head(), head()]
        };
        let (alice, bob) = (heads(), heads());
        builder.push(None, &alice, &bob);
    }
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    builder.finish(NodeId::new(0))
}

/// Proved bounds: poorman bidding on cycles, and graphs that are too large to be solved.
fn bounds(criterion: &mut Criterion, name: &str, build: fn(usize) -> GameGraph, rules: &Rules, sizes: &[usize]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
    for &size in sizes {
        let graph = build(size);
        group.bench_with_input(BenchmarkId::from_parameter(size), &graph, |bencher, graph| {
            bencher.iter(|| Shares::solve(black_box(graph), rules, &Unwatched).expect("bounds are found"));
        });
    }
}

fn growth(criterion: &mut Criterion, name: &str, build: fn(usize) -> GameGraph, sizes: &[usize]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
    for &size in sizes {
        let graph = build(size);
        group.bench_with_input(BenchmarkId::from_parameter(size), &graph, |bencher, graph| {
            bencher.iter(|| Values::solve(black_box(graph), &Rules::default(), &Unwatched));
        });
    }
}

fn all(criterion: &mut Criterion) {
    growth(criterion, "path", path, &[100, 1_000, 10_000]);
    growth(criterion, "grid", grid, &[10, 30, 100]);
    growth(criterion, "digraph", digraph, &[100, 300, 1_000, 3_000]);
    let poorman = Rules { pay: Payment::Poorman, ..Rules::default() };
    bounds(criterion, "poorman path to 1e-12", path, &poorman, &[10, 100, 1_000]);
    let iteration = Rules { solver: Solver::Iteration, ..Rules::default() };
    bounds(criterion, "digraph to 1e-12 by iteration", digraph, &iteration, &[1_000, 10_000, 100_000]);
    growth(criterion, "acyclic", layered, &[10_000, 1_000_000]);
}

criterion_group!(benches, all);
criterion_main!(benches);
