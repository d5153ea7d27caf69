//! Tests of sure wins under all-pay bidding against closed forms on races and tug-of-war;
//! `docs/results.md` derives them.

use crate::oracle::{Oracle, Order};
use crate::shared::tug;
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Payment, Purses, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::all_pay::SureWins;

/// Creates a builder with the ends of a game: Alice has won, Bob has won.
fn ends() -> (GameGraphBuilder, NodeId, NodeId) {
    let mut builder = GameGraphBuilder::default();
    let won = builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    let lost = builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    (builder, won, lost)
}

/// Builds a race in which Alice needs `m` moves before Bob makes `n`.
pub fn race(m: usize, n: usize) -> GameGraph {
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

fn least(graph: &GameGraph, pay: Payment, ties: TieBreak, most: u64) -> Vec<u64> {
    let rules = Rules {
        pay,
        ties,
        ..Rules::default()
    };
    let mut wins = SureWins::new(graph, &rules, graph.start(), most, Context::plain());
    let least = |bob| {
        wins.least(bob, None)
            .expect("nothing stops it")
            .expect("a rich Alice wins")
    };
    (0..=most).map(least).collect()
}

/// Returns the values of the closed form for 0, 1, 2, … of Bob's chips, but at least 0.
fn form(most: u64, of: impl Fn(i64) -> i64) -> Vec<u64> {
    (0..=most as i64)
        .map(|b| u64::try_from(of(b)).unwrap_or(0))
        .collect()
}

/// Checks the form (2^m − 1) b − 2^m (n − 1); if ties go to the richer, at least as much as Bob
/// has.
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

/// Checks the form b − n + 1 + (m − 1) ⌊b / n⌋.
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

/// Checks the form (2^m − 1) b, unless Bob has fewer chips than steps to go.
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

/// Checks two steps either way, paid to the bank: in the long run Alice needs φ = (1 + √5) / 2
/// times as many chips as Bob has.
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

/// Builds a graph with a cycle that no number of chips surely leaves: under `ties: richer` and
/// `winner: moves` the least number that may suffice grows with Bob's possible chips.
fn circle() -> GameGraph {
    let (mut builder, won, lost) = ends();
    let [two, three, four, five] = [2, 3, 4, 5].map(NodeId::new);
    builder.push(None, &[lost, two, three], &[lost, four, five]);
    builder.push(None, &[won, two], &[two, three, five]);
    builder.push(None, &[five], &[lost, two, three]);
    builder.push(None, &[five], &[three]);
    builder.finish(five)
}

#[test]
fn a_search_that_might_go_on_for_ever_is_given_up() {
    let graph = circle();
    let rules = Rules {
        pay: Payment::AllPay,
        ties: TieBreak::Richer,
        winner: Winner::Moves,
        draws: Draws::Bob,
        ..Rules::default()
    };
    for bob in 0..3 {
        let mut wins = SureWins::new(&graph, &rules, graph.start(), bob, Context::plain());
        let why = wins.least(bob, None).expect_err("it is given up");
        assert!(
            why.message.contains("no number of chips up to"),
            "{}",
            why.message
        );
        for alice in 0..25 {
            let oracle = Oracle {
                graph: &graph,
                rules: &rules,
                total: alice + bob,
            };
            let purses = Purses::new(alice, bob, None);
            let won = oracle.won(Player::Alice, Order::Forcing);
            assert!(
                !won.contains(graph.start(), &purses),
                "{alice} against {bob}"
            );
        }
    }
}
