//! Thresholds of rulesets against a budget, by all methods that find them.

use crate::support;

/// Compares thresholds of rulesets that are swept, with a search among totals, with the recursion
/// on their graphs.
#[test]
fn sweeps_find_the_same_thresholds_against_budgets() {
    let rules = [
        "ties: advantage",
        "ties: marker",
        "ties: make_it_take_it, draws: alice",
        "ties: losers_ball",
        "ties: ladies_first, winner: moves",
        "ties: richer, draws: bob",
    ];
    let games = [
        "connect(3, 3, 2)",
        "toetactic at \"AB./.A./B..\"",
        "~(toetactic at \"AB./.A./B..\")",
        "tictactoe at \"ABA/.../B..\"",
    ];
    let checks = games.iter().flat_map(|game| {
        rules.iter().map(move |rules| {
            format!("check f({game}, bob: 0..5) using {{ {rules} }} == f({game}, bob: 0..5) using {{ {rules}, solver: iteration }}\n")
        })
    });
    let text = format!("use \"games/classics.bid\"\n{}", checks.collect::<String>());
    assert_eq!(
        support::transcript(&mut support::session(), "asked.bid", &text),
        ""
    );
}
