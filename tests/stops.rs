//! Checks that long work asks often enough whether to go on. The checks are counted, not timed, so
//! that the test holds on any machine.

use std::sync::Arc;
use std::time::Duration;

use bid::session::{Session, SessionEvent, Summary};
use bid_language::diagnostic::Code;
use bid_language::source::SourceMap;
use bid_language::watch::{Guard, Settings};

use crate::support::Disk;

const GAMES: &str = "\
use \"games/classics.bid\"
game scores(n) { state x = n
 move t(s) for s in 1..3 if s <= x { x -= s; score s }
}
game unwinnable { state x = 50; state y = 50
 move a if x > 0 { x -= 1 }
 move b if y > 0 { y -= 1 }
 win alice if x + y > 100
}
game long(n) { state x = n
 move t if x > 0 { x -= 1 }
 win bob if x == 0
}
game walk(n) = graph {
    start 0
    both i <-> i + 1 for i in -n .. n - 1
    both i -> i + 2 for i in -n .. n - 2
    win alice: n
    win bob: -n
}
game skips(n) = graph {
    start 0
    both i -> i + 1, i + 2, i + 7 for i in 0 .. n - 1
    win alice: n, n + 3, n + 6
    win bob: n + 1, n + 2, n + 4, n + 5
}
";

/// Expressions, and the least number of checks while each is computed.
const ASKS: &[(&str, u64)] = &[
    // Each split of the chips is a search through the bids.
    ("value(scores(6), 60*, 60)", 700),
    ("bidding_matrix(scores(6), 60*, 60)", 700),
    // The first has wide rows of a sweep, the second plays that are checked.
    ("f(connect(3, 4, 4), 0..100)", 200),
    ("f(long(3000), 0..100)", 200),
    // Closed forms with long periods.
    ("table(skips(40))", 100),
    // Parts of a ruleset run on all contents of a counter.
    ("R(long(20000))", 20),
    ("pivotal(hex(5, 5), samples: 1000000)", 400),
    ("len(outcomes(tictactoe, 0..200, 0..200))", 10),
    ("R(walk(1500)) using { solver: iteration }", 50),
    ("f(walk(60), 0..60)", 100),
    ("size(connect(3, 4, 4))", 100),
    ("bounds(connect(4, 6, 7), moves: 8)", 1000),
    ("bounds(walk(1500), moves: 60)", 5),
    // Each round of the refinement tells few positions apart.
    ("minimise(walk(300)) using { ties: richer }", 100),
];

/// Runs an expression; returns its result and the number of checks.
fn run(expression: &str, most: Option<u64>) -> (Summary, u64) {
    // Only the expression is stopped, not the games that it needs.
    let guard = Arc::new(Guard::of_steps(u64::MAX));
    let mut session = Session::new(Box::new(Disk), Arc::clone(&guard));
    let mut sink = |_: &SourceMap, event: SessionEvent| {
        if let SessionEvent::Diagnostic(diagnostic) = event {
            let is_stop = most.is_some() && diagnostic.code.is_stop();
            assert!(
                is_stop || diagnostic.code == Code::NeverWon,
                "{expression}: {}",
                diagnostic.message
            );
        }
    };
    let summary = session.run_text("games", GAMES, &mut sink);
    assert!(!summary.stopped, "nothing stops the games");
    guard.set(Settings {
        timeout: most.map(Duration::from_millis),
        ..Settings::default()
    });
    guard.begin();
    let begun = guard.now();
    let summary = session.run_text("asked", expression, &mut sink);
    (summary, guard.now() - begun)
}

/// Stops at the first check, at the second, and so on in growing steps: the result is always the
/// stop, never a wrong answer.
#[test]
fn work_stops_wherever_it_is_told_to() {
    for (expression, least) in ASKS {
        for most in [0, 1, 2, 7, 20].into_iter().filter(|most| most < least) {
            let (summary, asked) = run(expression, Some(most));
            assert!(
                summary.stopped && summary.errors == 0,
                "{expression} after {most}: {summary:?}"
            );
            assert!(
                asked <= most + 64,
                "{expression} after {most}: asked {asked} times"
            );
        }
    }
}

/// Checks that an answer is not lost if only the search for a win, which follows it, is stopped.
#[test]
fn a_stop_after_the_answer_keeps_it() {
    const ASKED: &str = "R(unwinnable)";
    let (_, all) = run(ASKED, None);
    let is_kept = |most: u64| !run(ASKED, Some(most)).0.stopped;
    let least = (0..all).find(|most| is_kept(*most)).expect("one suffices");
    assert!(least < all / 4, "{least} of {all}: the search is too short");
    assert!((least..all / 2).all(is_kept), "{least} of {all}");
}

/// Checks that matches are not played to their last move if no move, or no move that a player would
/// make, leads to an end.
#[test]
fn endless_matches_are_given_up() {
    const ENDLESS: &[&str] = &[
        "simulate(graph { start x; alice x -> y; bob x -> z; both y -> y; alice z -> a; win alice: a }, games: 50)",
        "simulate(graph { start x; both x -> y; both y -> x; alice x -> b; bob y -> a; win alice: a; win bob: b }, games: 50)",
        "simulate(graph { start x; alice x -> y; bob x -> z; both y -> y; alice z -> a; win alice: a }, 4*, 4, games: 50)",
        "simulate(graph { start x; alice x -> y; bob x -> z; both y -> y; alice z -> a; win alice: a }, 4, 4, games: 50) using { pay: all_pay, ties: richer, draws: half }",
        "simulate(graph { start x; alice x -> y; bob x -> z; both y -> y; alice z -> a; win alice: a }, 2/3, 1/3, games: 50) using { bids: real }",
    ];
    for expression in ENDLESS {
        let (summary, asked) = run(expression, Some(2_000_000));
        assert!(
            !summary.stopped && summary.errors == 0,
            "{expression}: {asked}"
        );
    }
}
