//! Sure wins under all-pay bidding, held to closed forms on races and tug-of-war; `docs/results.md`
//! derives them.

use bid::game::{GameGraph, GameGraphBuilder, NodeId};
use bid::player::{Ending, Player};
use bid::rules::{Payment, Rules, TieBreak};
use bid::solve::all_pay::SureWins;
use bid::watch::Unwatched;

/// The ends of a game: Alice has won, Bob has won.
fn ends() -> (GameGraphBuilder, NodeId, NodeId) {
    let mut builder = GameGraphBuilder::default();
    let won = builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    let lost = builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    (builder, won, lost)
}

/// Alice needs `m` moves before Bob makes `n`.
fn race(m: usize, n: usize) -> GameGraph {
    let (mut builder, won, lost) = ends();
    let mut rows = vec![vec![won; n + 1]];
    for left in 1..=m {
        let mut row = vec![lost];
        for other in 1..=n {
            row.push(builder.push(None, &[rows[left - 1][other]], &[row[other - 1]]));
        }
        rows.push(row);
    }
    builder.finish(rows[m][n])
}

/// Alice is `m` steps from her end of a path, Bob `n` from his.
fn tug(m: usize, n: usize) -> GameGraph {
    let (mut builder, won, lost) = ends();
    let inner = |place: usize| NodeId::new(2 + place);
    for place in 0..m + n - 1 {
        let up = if place == m + n - 2 {
            won
        } else {
            inner(place + 1)
        };
        let down = if place == 0 { lost } else { inner(place - 1) };
        builder.push(None, &[up, down], &[up, down]);
    }
    builder.finish(inner(n - 1))
}

fn least(graph: &GameGraph, pay: Payment, ties: TieBreak, most: u64) -> Vec<u64> {
    let rules = Rules {
        pay,
        ties,
        ..Rules::default()
    };
    let mut wins = SureWins::new(graph, &rules, graph.start(), most, &Unwatched);
    let least = |bob| {
        wins.least(bob, None)
            .expect("nothing stops it")
            .expect("a rich Alice wins")
    };
    (0..=most).map(least).collect()
}

/// What the closed form says for 0, 1, 2, … of Bob's chips, not less than 0.
fn form(most: u64, of: impl Fn(i64) -> i64) -> Vec<u64> {
    (0..=most as i64)
        .map(|b| u64::try_from(of(b)).unwrap_or(0))
        .collect()
}

/// (2^m − 1) b − 2^m (n − 1); as much as Bob where ties go to the richer.
#[test]
fn races_paid_to_each_other() {
    for (m, n) in (1..=4).flat_map(|m| (1..=4).map(move |n| (m, n))) {
        let double = 1_i64 << m;
        let expected = |b| (double - 1) * b - double * (n as i64 - 1);
        let graph = race(m, n);
        assert_eq!(
            least(&graph, Payment::AllPay, TieBreak::LadiesFirst, 7),
            form(7, expected),
            "race({m}, {n})"
        );
        assert_eq!(
            least(&graph, Payment::AllPay, TieBreak::Richer, 7),
            form(7, |b| expected(b).max(b)),
            "race({m}, {n})"
        );
    }
}

/// b − n + 1 + (m − 1) ⌊b / n⌋.
#[test]
fn races_paid_to_the_bank() {
    for (m, n) in (1..=4).flat_map(|m| (1..=4).map(move |n| (m, n))) {
        let (rounds, other) = (m as i64 - 1, n as i64);
        let expected = form(9, |b| b - other + 1 + rounds * (b / other));
        assert_eq!(
            least(&race(m, n), Payment::AllPayBank, TieBreak::LadiesFirst, 9),
            expected,
            "race({m}, {n})"
        );
    }
}

/// (2^m − 1) b, unless Bob has fewer chips than steps to go.
#[test]
fn tug_of_war_paid_to_each_other() {
    for (m, n) in (1..=3).flat_map(|m| (1..=3).map(move |n| (m, n))) {
        let graph = tug(m, n);
        let far = |b| b < n as i64;
        let expected = |b| ((1_i64 << m) - 1) * b;
        let ladies_first = form(6, |b| if far(b) { 0 } else { expected(b) });
        let richer = form(6, |b| if far(b) { b } else { expected(b) });
        assert_eq!(
            least(&graph, Payment::AllPay, TieBreak::LadiesFirst, 6),
            ladies_first,
            "tug({m}, {n})"
        );
        assert_eq!(
            least(&graph, Payment::AllPay, TieBreak::Richer, 6),
            richer,
            "tug({m}, {n})"
        );
    }
}

/// Two steps either way, paid to the bank: in the long run Alice needs φ = (1 + √5) / 2 times what
/// Bob has.
#[test]
fn tug_of_war_paid_to_the_bank_has_the_golden_ratio() {
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    for (b, a) in (0..).zip(least(
        &tug(2, 2),
        Payment::AllPayBank,
        TieBreak::LadiesFirst,
        21,
    )) {
        assert!(
            (a as f64 - golden * f64::from(b)).abs() < 4.0,
            "{a} against {b}"
        );
    }
}
