//! Compares bid, HiGHS, and scipy's HiGHS on the all-pay turns of tic-tac-toe: the same matrices in
//! one run, on one thread.
//!
//! Bid's time includes the certificate. HiGHS's time is that of its solver alone, since the problem
//! is built before. Run `cargo run --release --manifest-path benches/highs/Cargo.toml`, with
//! `PYTHON` naming an interpreter that has scipy if `python3` does not.
#![allow(clippy::print_stdout, reason = "a benchmark tells what it measured")]

#[path = "../../all_pay/turns.rs"]
mod turns;

use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::process::{Command, Stdio};
use std::time::Duration;

use bid_language::player::{PerPlayer, Player};
use bid_language::rules::{Purses, Solver};
use bid_language::watch::Context;
use bid_solve::all_pay::{BidMethod, Equilibrium, FloatEnclosure, Matrix, Payoff};
use highs::{ColProblem, HighsModelStatus, Model, Row, Sense};

/// The number of turns of each size that are compared.
const SAMPLE: usize = 40;
/// The number of times that bid solves each of them, because one solution is too short to measure.
const REPEAT: u32 = 20;
/// The largest accepted error of HiGHS's values. Its own tolerance is left at 1e-7.
const TOLERANCE: f64 = 1e-6;

/// Builds the problem to maximise w such that Alice's mixed bid gets at least w whatever Bob bids.
fn linear_program(matrix: &Matrix<FloatEnclosure>) -> Model {
    let mut problem = ColProblem::new();
    let sum = problem.add_row(1.0..=1.0);
    let against: Vec<Row> = (0..matrix.bids(Player::Bob))
        .map(|_| problem.add_row(0.0..))
        .collect();
    for alice in 0..matrix.bids(Player::Alice) {
        let gets = against
            .iter()
            .enumerate()
            .map(|(bob, &row)| (row, matrix.at(alice, bob).middle()));
        problem.add_column(0.0, 0.0.., gets.chain([(sum, 1.0)]));
    }
    problem.add_column(
        1.0,
        f64::NEG_INFINITY..,
        against.iter().map(|&row| (row, -1.0)),
    );
    let mut model = problem.optimise(Sense::Maximise);
    model.make_quiet();
    model.set_threads(NonZeroU32::MIN);
    model
}

/// Returns the result of work, and its mean time over `times` runs.
fn repeated<T>(times: u32, mut work: impl FnMut() -> T) -> (T, Duration) {
    let (mut done, mut took) = turns::time(&mut work);
    for _ in 1..times {
        let (again, longer) = turns::time(&mut work);
        (done, took) = (again, took + longer);
    }
    (done, took / times)
}

fn solved(turn: &Matrix<FloatEnclosure>) -> Equilibrium<FloatEnclosure> {
    let found = FloatEnclosure::equilibrium(turn, Solver::Auto, Context::plain());
    found.expect("nobody stops it")
}

fn by_bid(sample: &[Matrix<FloatEnclosure>]) -> (Vec<FloatEnclosure>, Duration) {
    repeated(REPEAT, || {
        sample.iter().map(|turn| solved(turn).value).collect()
    })
}

fn by_highs(sample: &[Matrix<FloatEnclosure>]) -> (Vec<f64>, Duration) {
    let models: Vec<Model> = sample.iter().map(linear_program).collect();
    let (solved, took) = turns::time(|| models.into_iter().map(Model::solve).collect::<Vec<_>>());
    assert!(
        solved
            .iter()
            .all(|solved| solved.status() == HighsModelStatus::Optimal)
    );
    (
        solved
            .iter()
            .map(|solved| solved.objective_value())
            .collect(),
        took,
    )
}

/// Returns the seconds that `scipy_turns.py` reports for the turns, or `None` if there is no scipy.
fn by_scipy(sample: &[Matrix<FloatEnclosure>]) -> Option<Duration> {
    let mut text = String::new();
    for matrix in sample {
        let [alice, bob] = Player::both(|player| matrix.bids(player) - 1);
        write!(text, "{alice} {bob}").expect("writing to a string succeeds");
        for cell in matrix.diagonals().expect("all-pay matrices are Toeplitz") {
            write!(text, " {}", cell.middle()).expect("writing to a string succeeds");
        }
        text.push('\n');
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scipy_turns.py");
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().expect("it is piped");
    // Without scipy, the script ends before it has read anything.
    let written = std::io::Write::write_all(&mut input, text.as_bytes());
    drop(input);
    let output = child.wait_with_output().ok()?;
    written.ok().filter(|()| output.status.success())?;
    String::from_utf8(output.stdout)
        .ok()?
        .trim()
        .parse()
        .ok()
        .map(Duration::from_secs_f64)
}

/// Returns turns with this many chips each that are not decided by single bids, evenly thinned out.
fn sample(chips: u64) -> Vec<Matrix<FloatEnclosure>> {
    let graph = turns::tic_tac_toe();
    let (table, _) = turns::table(&graph, 2 * chips);
    let all = turns::turns(
        &table,
        &graph,
        &[Purses {
            chips: PerPlayer::new(chips, chips),
            status: None,
        }],
    );
    let mixed = |turn: &Matrix<FloatEnclosure>| solved(turn).method != BidMethod::Pure;
    let mut mixed: Vec<_> = all.into_iter().filter(mixed).collect();
    let every = mixed.len().div_ceil(SAMPLE);
    let mut place = 0..;
    mixed.retain(|_| place.next().expect("there is no end") % every == 0);
    mixed
}

fn compare(chips: u64) {
    let sample = sample(chips);
    let each = |all: Duration| all.as_secs_f64() * 1e6 / sample.len() as f64;
    let (enclosures, bid) = by_bid(&sample);
    let (values, highs) = by_highs(&sample);
    let widest = enclosures
        .iter()
        .map(FloatEnclosure::width)
        .fold(0.0, f64::max);
    for (enclosure, value) in enclosures.iter().zip(&values) {
        assert!(
            (enclosure.middle() - value).abs() < TOLERANCE,
            "{enclosure:?} and {value}"
        );
    }
    print!(
        "{chips} chips each, {} turns: bid {:.1} µs, enclosures at most {widest:.0e} wide",
        sample.len(),
        each(bid)
    );
    print!(
        "; HiGHS {:.0} µs, {:.0} times",
        each(highs),
        each(highs) / each(bid)
    );
    match by_scipy(&sample) {
        Some(scipy) => println!(
            "; scipy {:.0} µs, {:.0} times",
            each(scipy),
            each(scipy) / each(bid)
        ),
        None => println!("; no scipy here"),
    }
}

fn main() {
    println!(
        "all-pay tic-tac-toe, turns at an even split that need mixed bids, per turn on one thread"
    );
    for chips in [50, 100, 200] {
        compare(chips);
    }
}
