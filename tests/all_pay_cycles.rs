//! All-pay values where positions come back, held to literal oracles in exact arithmetic:
//!
//! - truncations: after n turns play is stopped and counted as a loss, or as a win; what endless play is worth lies between;
//! - sure play: sets of states from which single bids win, or keep the other player from winning, by the definition;
//! - a coin instead of chips: every pair of positional strategies, each a Markov chain solved exactly.

mod oracle;

use std::collections::HashMap;

use bid::game::{Ending, GameGraph, NodeId, PerPlayer, Player};
use bid::rules::{Draws, Payment, Purses, Rules, Solver, Tie, TieBreak, Winner, settle, tie};
use bid::solve::all_pay::{Budgets, Enclosure, Found, Solved};
use bid::watch::Unwatched;
use oracle::movers;
use oracle::random::{Shape, dice, game};
use rand::RngExt;

const DRAWS: [Draws; 3] = [Draws::Half, Draws::Alice, Draws::Bob];

/// A random game whose positions may come back, random rules and budgets: seeds run through all ties, payments, winners and draws.
fn question(seed: u64) -> (GameGraph, Rules, PerPlayer<u64>) {
    let mut dice = dice(seed);
    let shape = Shape {
        positions: dice.random_range(1..=4),
        moves: dice.random_range(1..=3),
        cycles: true,
        draws: dice.random_bool(0.4),
    };
    let graph = game(&mut dice, shape);
    let rules = Rules {
        pay: if seed % 2 == 0 { Payment::AllPay } else { Payment::AllPayBank },
        ties: TieBreak::ALL[(seed / 2 % 8) as usize],
        winner: if seed / 16 % 2 == 0 { Winner::Chooses } else { Winner::Moves },
        draws: DRAWS[(seed / 32 % 3) as usize],
        solver: Solver::Iteration,
        ..Rules::default()
    };
    let most = if seed % 2 == 0 { 3 } else { 2 };
    let chips = PerPlayer::new(dice.random_range(0..=most), dice.random_range(0..=most));
    (graph, rules, chips)
}

fn solved(graph: &GameGraph, rules: &Rules, chips: PerPlayer<u64>) -> Solved {
    let mut solved = Solved::new(graph, rules, chips, &Unwatched).expect("it fits in memory");
    for node in graph.nodes() {
        solved.advance(graph, rules, node, &Unwatched).expect("nothing stops it");
    }
    solved
}

fn enclosure(solved: &Solved, node: NodeId, purses: &Purses) -> Enclosure {
    match solved.value(node, purses) {
        Found::Certified(found) => *found,
        Found::Exact(_) => unreachable!("iteration gives bounds"),
    }
}

/// How many states stay open; run by hand, with the number of questions in `QUESTIONS`.
#[test]
#[ignore = "a count for reports"]
fn census() {
    let count: u64 = std::env::var("QUESTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(960);
    let (mut states, mut open, mut wide, mut games) = (0, 0, [0; 3], 0);
    let clock = std::time::Instant::now();
    for seed in 0..count {
        let (graph, rules, chips) = question(seed);
        let found = solved(&graph, &rules, chips);
        let mut open_here = 0;
        for node in graph.nodes() {
            for purses in Budgets::from(&rules, chips).iter() {
                let value = enclosure(&found, node, &purses);
                states += 1;
                open_here += u64::from(value.width() > 1e-6);
            }
        }
        open += open_here;
        games += u64::from(open_here > 0);
        wide[(seed / 32 % 3) as usize] += u64::from(open_here > 0);
        if open_here > 0 && std::env::var("TELL").is_ok() {
            println!("open: seed {seed} {open_here} {rules:?} {chips:?}");
        }
    }
    println!(
        "{count} questions, {games} with bounds wider than 1e-6 (half, alice, bob: {wide:?}); {open} of {states} states; {:?}",
        clock.elapsed()
    );
}
