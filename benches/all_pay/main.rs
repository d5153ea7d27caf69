//! Benchmarks of all-pay bidding: the full table of tic-tac-toe, and the growth with the number of
//! chips.
//!
//! `cargo bench --bench all_pay` uses 200 chips; `cargo bench --bench all_pay -- CHIPS` uses
//! another number. The comparison with HiGHS is a package of its own, `benches/highs`.
#![allow(clippy::print_stdout, reason = "a benchmark tells what it measured")]

mod turns;

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Purses, Solver};
use bid_language::watch::Context;
use bid_solve::all_pay::{FloatEnclosure, Payoff};
use turns::{table, tic_tac_toe, time, turns};

fn full_table(chips: u64) {
    let graph = tic_tac_toe();
    let (table, took) = table(&graph, chips);
    let purses: Vec<Purses> = table.budgets().iter().collect();
    let values = graph
        .nodes()
        .flat_map(|node| purses.iter().map(move |purses| (node, purses)));
    let widest = values
        .filter_map(|(node, purses)| table.value(node, purses))
        .map(FloatEnclosure::width)
        .fold(0.0, f64::max);
    println!(
        "tic-tac-toe, {chips} chips: {} positions, every split, in {:.1} s on {} threads",
        graph.len(),
        took.as_secs_f64(),
        rayon::current_num_threads()
    );
    println!(
        "  turns solved: {:?}; widest enclosure {widest:.1e}",
        table.methods
    );
    let even = Purses {
        chips: PerPlayer::new(chips / 2, chips / 2),
        status: None,
    };
    println!(
        "  v at an even split: {:?}",
        table.value(graph.start(), &even)
    );
}

/// Builds a race in which Alice needs `alice` more moves and Bob `bob`.
fn race(alice: usize, bob: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    let id = |a: usize, b: usize| match (a, b) {
        (0, _) => NodeId::new(0),
        (_, 0) => NodeId::new(1),
        _ => NodeId::new(2 + (a - 1) * bob + b - 1),
    };
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    for a in 1..=alice {
        for b in 1..=bob {
            builder.push(None, &[id(a - 1, b)], &[id(a, b - 1)]);
        }
    }
    builder.finish(id(alice, bob))
}

/// Measures a race with n chips in all, on one thread. The time of its turns at an even split grows
/// as n², and that of the whole table, which has n + 1 splits, as n³.
fn growth() {
    let graph = race(4, 4);
    println!("race, four moves each, n chips in all");
    let mut before: Option<(f64, f64)> = None;
    for chips in [100, 200, 400, 800] {
        let (table, whole) = table(&graph, chips);
        let even = Purses {
            chips: PerPlayer::new(chips / 2, chips / 2),
            status: None,
        };
        let turns = turns(&table, &graph, &[even]);
        let solve = || {
            turns
                .iter()
                .map(|turn| FloatEnclosure::equilibrium(turn, Solver::Auto, Context::plain()))
                .map(|found| found.expect("nobody stops it"))
                .collect::<Vec<_>>()
        };
        let found = solve();
        // The least of several times counts, which excludes other activity of the machine.
        let took = (0..20)
            .map(|_| time(solve).1)
            .min()
            .expect("there are several");
        let widest = found
            .iter()
            .map(|turn| turn.value.width())
            .fold(0.0, f64::max);
        let each = took.as_secs_f64() * 1e6 / turns.len() as f64;
        let whole = whole.as_secs_f64();
        let growth = before.map_or(String::new(), |before| {
            format!(
                "; {:.1} and {:.1} times as long",
                each / before.0,
                whole / before.1
            )
        });
        println!(
            "  n = {chips}: {each:>6.1} µs a turn at an even split, {whole:>6.3} s the table, widest enclosure {widest:.1e}{growth}"
        );
        before = Some((each, whole));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let chips = arguments
        .first()
        .and_then(|chips| chips.parse().ok())
        .unwrap_or(200);
    growth();
    full_table(chips);
}
