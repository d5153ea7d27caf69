//! Measures the scores of unitary bidding cumulative subtraction: the cost of one more heap size,
//! and heaps of 10,000.

use std::hint::black_box;

use bid_game::{GameGraph, GameGraphBuilder, NodeId, Scores, ScoresBuilder};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Purses, preset};
use bid_language::watch::Context;
use bid_solve::scoring::{Heaps, KeptRows, ScoreValues, Scored, Takes};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Builds the unitary game as a graph. Vertex i is the heap after i items have been taken.
fn unitary(heap: usize) -> (GameGraph, Scores) {
    let mut builder = GameGraphBuilder::default();
    for taken in 0..heap {
        let next = [NodeId::new(taken + 1)];
        builder.push(None, &next, &next);
    }
    builder.push(Some(Ending::Draw), &[], &[]);
    let graph = builder.finish(NodeId::new(0));
    let mut scores = ScoresBuilder::new(&graph);
    for taken in 0..heap {
        for (player, score) in [(Player::Alice, 1), (Player::Bob, -1)] {
            scores.weigh(
                player,
                NodeId::new(taken),
                NodeId::new(taken + 1),
                score.into(),
            );
        }
    }
    let scores = scores.finish().expect("small scores");
    (graph, scores)
}

fn whole_heaps(criterion: &mut Criterion) {
    let rules = preset("larsson").expect("a preset");
    let mut group = criterion.benchmark_group("unitary heap");
    group.sample_size(10);
    for (heap, total) in [(1000, 100), (10_000, 1000)] {
        let (graph, scores) = unitary(heap);
        let start = [graph.start()];
        group.bench_function(
            BenchmarkId::from_parameter(format!("{heap} with TB {total}")),
            |bencher| {
                bencher.iter(|| {
                    let game = Scored {
                        graph: &graph,
                        scores: &scores,
                    };
                    let values = ScoreValues::solve(
                        game,
                        &rules,
                        total,
                        KeptRows::Only(&start),
                        Context::plain(),
                    )
                    .expect("small scores");
                    let purses = Purses {
                        chips: PerPlayer::new(total / 2, total / 2),
                        status: Some(Player::Alice),
                    };
                    black_box(values.at(start[0], &purses))
                });
            },
        );
    }
    group.finish();
}

/// Measures one more heap size for total budgets that double. The time is linear in the budget.
fn one_heap_more(criterion: &mut Criterion) {
    let rules = preset("larsson").expect("a preset");
    let takes = Takes::new(vec![1], vec![1]).expect("a set of one number");
    let mut group = criterion.benchmark_group("one heap more");
    for total in [250, 500, 1000, 2000, 4000] {
        let mut heaps = Heaps::new(&takes, &rules, total);
        for _ in 0..100 {
            heaps.advance(Context::plain()).expect("nothing stops it");
        }
        group.throughput(Throughput::Elements(total));
        group.bench_function(BenchmarkId::from_parameter(total), |bencher| {
            bencher.iter(|| heaps.advance(Context::plain()))
        });
    }
    group.finish();
}

criterion_group!(benches, whole_heaps, one_heap_more);
criterion_main!(benches);
