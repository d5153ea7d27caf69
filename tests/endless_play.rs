//! Infinite play is a draw for every question: every query, under every value of draws, gives the
//! same answer for a game with a drawn position as for the game in which play can stay there for
//! ever.

use crate::support::session;
use bid::session::SessionEvent;

/// Games with a position `d`, which is a draw or a cycle; in some, play may also go on for ever
/// elsewhere.
const GAMES: [&str; 6] = [
    "both s -> d",
    "both s -> s, d",
    "alice s -> w, d\nbob s -> l, d\nwin alice: w\nwin bob: l",
    "alice s -> s, d\nbob s -> d, l\nwin bob: l",
    "alice s -> t, w\nbob s -> d, l\nalice t -> s\nbob t -> d, s\nwin alice: w\nwin bob: l",
    "alice s -> w, t\nbob s -> t\nalice t -> s, d\nbob t -> l, s\nwin alice: w\nwin bob: l",
];

const QUERIES: [(&str, &str); 26] = [
    ("R(g)", ""),
    ("P(g)", ""),
    ("R(g)", "pay: poorman"),
    ("R(g)", "pay: taxman(1/2)"),
    ("thresholds(g)", ""),
    ("f(g, 0..6)", ""),
    ("f(g, 0..6)", "ties: marker"),
    ("f(g, 0..6)", "ties: richer"),
    ("f(g, 0..6)", "ties: make_it_take_it, winner: moves"),
    ("f(g, bob: 0..3)", "pay: poorman, ties: ladies_first"),
    ("outcomes(g, 0..3, 0..3)", ""),
    ("[g(2*, 1), g(1, 2*)]", ""),
    ("table(g)[0]", ""),
    ("table(g)[1]", ""),
    ("period(g)[0]", ""),
    ("period(g)[2]", ""),
    ("stable(g)", ""),
    ("g <= E", ""),
    ("compare(g, Draw)", ""),
    ("v(g, 0..3, 0..2)", "pay: all_pay, ties: ladies_first"),
    ("v(g, 2, 2)", "pay: all_pay_bank, ties: marker"),
    ("v(g, 1, 2)", "pay: all_pay, ties: coin, winner: moves"),
    ("sure(g, 0..3)", "pay: all_pay, ties: ladies_first"),
    ("sure(g, 0..3)", "pay: all_pay_bank, ties: gentlemen_first"),
    ("sure(g, 0..3)", "pay: all_pay, ties: richer, winner: moves"),
    ("sure(g, 2*)", "pay: all_pay, ties: advantage"),
];

/// Returns the answer, or the error of the question; warnings are left out.
fn answer(game: &str, query: &str, rules: &str) -> String {
    let text = format!("game g = graph {{\nstart s\n{game}\n}}\n({query}) using {{ {rules} }}\n");
    let mut answer = String::new();
    session().run_text("endless.bid", &text, &mut |_, event| match event {
        SessionEvent::Value(value) => answer.push_str(&value.to_string()),
        SessionEvent::Diagnostic(diagnostic) if diagnostic.code.as_str().starts_with('E') => {
            answer.push_str(&format!(
                "{}: {}",
                diagnostic.code.as_str(),
                diagnostic.message
            ));
        }
        _ => {}
    });
    // The proof of an answer may differ, because the steps of a comparison depend on the compared
    // games.
    let compares = query.starts_with("compare") && !answer.starts_with("E0");
    if compares {
        answer.lines().nth(1).unwrap_or_default().to_owned()
    } else {
        answer
    }
}

#[test]
fn a_circle_is_a_draw_to_every_query() {
    let (mut asked, mut answered) = (0, 0);
    let mut differ = Vec::new();
    for game in GAMES {
        for draws in ["neither", "alice", "bob", "half"] {
            for (query, rules) in QUERIES {
                // Drawn games are refused there, because both players would lose them; on cycles
                // the bounds allow for any value.
                if draws == "neither" && query.starts_with('v') {
                    continue;
                }
                let rules = [rules, &format!("draws: {draws}")]
                    .iter()
                    .filter(|rule| !rule.is_empty())
                    .copied()
                    .collect::<Vec<_>>()
                    .join(", ");
                let [drawn, circle] = ["draw: d", "both d -> d"]
                    .map(|ending| answer(&format!("{game}\n{ending}"), query, &rules));
                asked += 1;
                answered += usize::from(!drawn.starts_with("E0"));
                assert!(
                    !drawn.is_empty() && !circle.is_empty(),
                    "{query} using {rules} says nothing"
                );
                if drawn != circle {
                    differ.push(format!(
                        "{query} using {rules} of\n{game}\na draw: {drawn}\na circle: {circle}"
                    ));
                }
            }
        }
    }
    assert!(
        differ.is_empty(),
        "{} of {asked} differ\n{}",
        differ.len(),
        differ.join("\n\n")
    );
    assert!(
        answered * 3 > asked * 2,
        "only {answered} of {asked} answered"
    );
}

/// Checks the game without any other outcome: Alice's value is that of a draw.
#[test]
fn endless_play_alone() {
    let alone = "both s -> s";
    for (draws, wins) in [
        ("neither", false),
        ("alice", true),
        ("bob", false),
        ("half", false),
    ] {
        for pay in ["all_pay", "all_pay_bank"] {
            for ties in ["ladies_first", "gentlemen_first", "richer", "coin"] {
                let rules = format!("pay: {pay}, ties: {ties}, draws: {draws}");
                let expected = if wins { "0" } else { "never" };
                assert_eq!(answer(alone, "sure(g, 1)", &rules), expected, "{rules}");
                let expected = match draws {
                    "alice" => "1",
                    "bob" => "0",
                    "half" => "1/2",
                    _ => "0.5 ± 0.5",
                };
                assert_eq!(answer(alone, "v(g, 1, 2)", &rules), expected, "{rules}");
            }
        }
    }
}

/// Checks cases in which bounds stayed at 0 and 1, and sure wins were not found.
#[test]
fn what_endless_play_is_worth_decides() {
    let stays = "alice s -> l, s\nbob s -> w, s\nwin alice: w\nwin bob: l";
    let v = |draws: &str| {
        answer(
            stays,
            "v(g, 1, 2)",
            &format!("pay: all_pay, ties: ladies_first, draws: {draws}"),
        )
    };
    assert_eq!(["bob", "half", "alice"].map(v), ["0", "1/2", "1"]);
    let hurts = "alice s -> l\nbob s -> w\nwin alice: w\nwin bob: l";
    let sure = |ties: &str| {
        answer(
            hurts,
            "[sure(g, b) for b in 0..3]",
            &format!("pay: all_pay, ties: {ties}, winner: moves"),
        )
    };
    assert_eq!(sure("gentlemen_first"), "[0, 0, 0, 0]");
    assert_eq!(sure("richer"), "[never, 0, 0, 0]");
    assert_eq!(sure("ladies_first"), "[never, never, never, never]");
    assert_eq!(answer(hurts, "period(g)[1]", "winner: moves"), "[1, 0, 1]");
    assert_eq!(answer(hurts, "len(period(g))", "winner: moves"), "2");
}
