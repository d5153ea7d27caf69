//! All-pay bidding: the full table of tic-tac-toe, Toeplitz systems against linear programming on the same turns, and growth with the chips.
//!
//! `cargo bench --bench all_pay` runs all with 200 chips; `cargo bench --bench all_pay -- CHIPS FILE` takes other chips and writes
//! the turns that were compared to FILE, one per line (Alice's chips, Bob's, payoffs by difference), for `benches/highs.py`.
#![allow(clippy::print_stdout, reason = "a benchmark tells what it measured")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use bid::diagnostic::Result;
use bid::game::{Ending, GameGraph, GameGraphBuilder, NodeId, PerPlayer, Player, StateSpace, Successor, explore};
use bid::rules::{Purses, Rules, Solver, preset};
use bid::solve::all_pay::{Budgets, Enclosure, Matrix, Payoff, Solved, Table};
use bid::watch::Unwatched;

/// Tic-tac-toe, positions equal up to symmetry taken together; 0 is empty, 1 Alice, 2 Bob.
struct TicTacToe;

type Board = [u8; 9];

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn canonical(board: Board) -> Board {
    let turned = |b: Board| [b[6], b[3], b[0], b[7], b[4], b[1], b[8], b[5], b[2]];
    let mirrored = |b: Board| [b[2], b[1], b[0], b[5], b[4], b[3], b[8], b[7], b[6]];
    let turns = std::iter::successors(Some(board), |board| Some(turned(*board))).take(4);
    turns.flat_map(|board| [board, mirrored(board)]).min().expect("eight images")
}

impl StateSpace for TicTacToe {
    type Position = Board;

    fn ending(&mut self, board: &Board) -> Result<Option<Ending>> {
        let has = |mark| LINES.iter().any(|line| line.iter().all(|&cell| board[cell] == mark));
        Ok(match (has(1), has(2)) {
            (true, _) => Some(Ending::Win(Player::Alice)),
            (_, true) => Some(Ending::Win(Player::Bob)),
            _ => (!board.contains(&0)).then_some(Ending::Draw),
        })
    }

    fn moves(&mut self, board: &Board, player: Player, found: &mut Vec<Successor<Board>>) -> Result<()> {
        for cell in (0..9).filter(|&cell| board[cell] == 0) {
            let mut next = *board;
            next[cell] = if player == Player::Alice { 1 } else { 2 };
            found.push(Successor::Position(canonical(next)));
        }
        Ok(())
    }
}

fn menz(solver: Solver) -> Rules {
    Rules { solver, ..preset("menz").expect("the preset is in the table") }
}

fn certified(graph: &GameGraph, chips: u64) -> (Table<Enclosure>, Duration) {
    // Opened for certified values even where exact ones would be cheap; the turns themselves are solved as `auto` does.
    let chips = PerPlayer::new(chips / 2, chips - chips / 2);
    let mut solved = Solved::new(graph, &menz(Solver::Toeplitz), chips, &Unwatched).expect("the table fits in memory");
    let rules = menz(Solver::Auto);
    let start = Instant::now();
    solved.advance(graph, &rules, graph.start(), &Unwatched).expect("nothing stops it");
    let took = start.elapsed();
    match solved {
        Solved::Certified(table) => (table, took),
        Solved::Exact(_) => unreachable!("certified values were asked for"),
    }
}

fn turns(table: &Table<Enclosure>, graph: &GameGraph, chips: u64, every: usize) -> Vec<(Purses, Matrix<Enclosure>)> {
    let rules = menz(Solver::Auto);
    let budgets = Budgets::from(&rules, PerPlayer::new(0, chips));
    let positions = graph.nodes().filter(|&node| graph.ending(node).is_none());
    let all = positions.flat_map(|node| budgets.iter().map(move |purses| (node, purses)).collect::<Vec<_>>());
    let some = all.step_by(every);
    some.map(|(node, purses)| (purses, table.matrix(graph, &rules, node, &purses))).collect()
}

fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

fn tic_tac_toe(chips: u64, file: Option<&String>) {
    let graph = explore(&mut TicTacToe, [0; 9], &Unwatched).expect("tic-tac-toe can be explored").graph;
    let (table, took) = certified(&graph, chips);
    let budgets = *table.budgets();
    let widths = graph.nodes().flat_map(|node| budgets.iter().map(move |purses| (node, purses)).collect::<Vec<_>>());
    let widest =
        widths.filter_map(|(node, purses)| table.value(node, &purses)).map(Enclosure::width).fold(0.0, f64::max);
    println!(
        "tic-tac-toe, {chips} chips: {} positions, every split, in {:.1} s on {} threads",
        graph.len(),
        took.as_secs_f64(),
        rayon::current_num_threads()
    );
    println!("  turns solved: {:?}; widest enclosure {widest:.1e}", table.methods);
    let even = Purses { chips: PerPlayer::new(chips / 2, chips - chips / 2), status: None };
    println!("  v at an even split: {:?}", table.value(graph.start(), &even));

    let sample = turns(&table, &graph, chips, 997);
    let (fast, of_fast) =
        time(|| sample.iter().map(|(_, m)| Enclosure::equilibrium(m, Solver::Auto).value).collect::<Vec<_>>());
    let (slow, of_slow) =
        time(|| sample.iter().map(|(_, m)| Enclosure::equilibrium(m, Solver::LinearProgram).value).collect::<Vec<_>>());
    let agree = fast.iter().zip(&slow).all(|(a, b)| a.low <= b.high && b.low <= a.high);
    let each = |all: Duration| all.as_secs_f64() * 1e6 / sample.len() as f64;
    println!("  {} of the turns, one thread, certificates included; all enclosures meet: {agree}", sample.len());
    println!("    as solved           {:>10.1} µs each", each(of_fast));
    println!(
        "    own dense simplex   {:>10.1} µs each, {:.0} times as long",
        each(of_slow),
        each(of_slow) / each(of_fast)
    );
    if let Some(file) = file {
        let mut text = String::new();
        for (purses, matrix) in &sample {
            write!(text, "{} {}", purses.chips.alice, purses.chips.bob).expect("writing to a string succeeds");
            for cell in matrix.diagonals().expect("all-pay matrices are Toeplitz") {
                write!(text, " {}", cell.middle()).expect("writing to a string succeeds");
            }
            text.push('\n');
        }
        std::fs::write(file, text).expect("the file can be written");
    }
}

/// A race: Alice needs `alice` more moves, Bob `bob`.
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

/// Turns of a race with n chips each, on one thread: the time of one turn grows as n².
fn growth() {
    let graph = race(4, 4);
    println!("race, four moves each, n chips in all: one turn at an even split, and the length of the bids");
    let mut before: Option<f64> = None;
    for chips in [100, 200, 400, 800] {
        let (table, _) = certified(&graph, chips);
        let purses = Purses { chips: PerPlayer::new(chips / 2, chips / 2), status: None };
        let matrix = table.matrix(&graph, &menz(Solver::Auto), graph.start(), &purses);
        let repeat = 20;
        let (found, took) = time(|| (0..repeat).fold(None, |_, _| Some(Enclosure::equilibrium(&matrix, Solver::Auto))));
        let found = found.expect("repeated at least once");
        let length = found.strategies.alice.iter().rposition(|bid| *bid > 0.0).map_or(0, |last| last + 1);
        let each = took.as_secs_f64() * 1e6 / f64::from(repeat);
        let growth = before.map_or(String::new(), |before| format!(", {:.2} times as long", each / before));
        println!(
            "  n = {chips}: {each:.1} µs, length {length}, {:?}, width {:.1e}{growth}",
            found.method,
            found.value.width()
        );
        before = Some(each);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let chips = arguments.first().and_then(|chips| chips.parse().ok()).unwrap_or(200);
    growth();
    tic_tac_toe(chips, arguments.get(1));
}
