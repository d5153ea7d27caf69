//! Checks that `prism(G, p)` is a model whose value is `P(G, p)`: random games, read and solved by
//! a reader and a solver of models that have no notion of bidding.

mod reader;
mod solver;

use bid::session::{Session, SessionEvent};
use bid_language::scalar::Scalar;
use bid_report::Report;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use self::reader::Model;
use crate::support::{session, transcript};

/// Draws a random game of a few vertices: edges of both players and of one, vertices without moves,
/// also with an owner, draws, or none of these.
fn random_graph(dice: &mut StdRng) -> String {
    let vertices = dice.random_range(1..=4);
    let cyclic = dice.random_bool(0.5);
    let ends: &[&str] = [
        &["A", "B"][..],
        &["A", "B", "Draw"],
        &["B", "A", "A"],
        &["A"],
    ]
    .choose(dice)
    .expect("there are some");
    let mut lines = vec!["start 0".to_owned()];
    let sides: &[&str] = [
        &["alice", "bob", "both"][..],
        &["alice", "bob"],
        &["alice"],
        &["bob"],
    ]
    .choose_weighted(dice, |sides| sides.len() * sides.len())
    .expect("there are some");
    for vertex in 0..vertices {
        for _ in 0..dice.random_range(if vertex == 0 { 1..=4 } else { 0..=4 }) {
            let side = sides.choose(dice).expect("there are some");
            let first = if cyclic { 0 } else { vertex + 1 };
            let head = if first == vertices || dice.random_bool(0.4) {
                (*ends.choose(dice).expect("there are some")).to_owned()
            } else {
                dice.random_range(first..vertices).to_string()
            };
            lines.push(format!("{side} {vertex} -> {head}"));
        }
        if dice.random_bool(0.15) {
            let owner = ["alice", "bob"].choose(dice).expect("there are two");
            lines.push(format!("turn {owner}: {vertex}"));
        }
    }
    format!("graph {{ {} }}", lines.join("; "))
}

fn random_rules(dice: &mut StdRng) -> String {
    let fields: [(&str, &[&str]); 4] = [
        (
            "pay",
            &[
                "richman",
                "poorman",
                "taxman(1/3)",
                "all_pay",
                "all_pay_bank",
            ],
        ),
        ("winner", &["chooses", "moves"]),
        (
            "stuck",
            &["opponent_moves", "loses", "wins", "draws", "passes"],
        ),
        ("draws", &["neither", "alice", "bob", "half"]),
    ];
    let field = |(name, values): (&str, &[&str])| {
        format!("{name}: {}", values.choose(dice).expect("there are some"))
    };
    format!("{{ {} }}", fields.map(field).join(", "))
}

/// Returns the value of an expression.
fn answer(session: &mut Session, text: &str) -> Result<Scalar, String> {
    let mut found = Err("no answer".to_owned());
    session.run_text("question", text, &mut |_, event| match event {
        SessionEvent::Value(Report::Scalar(value)) => found = Ok(value),
        SessionEvent::Diagnostic(diagnostic) => found = Err(diagnostic.message.clone()),
        _ => {}
    });
    found
}

fn number(session: &mut Session, text: &str) -> BigRational {
    match answer(session, text) {
        Ok(Scalar::Integer(value)) => value.into(),
        Ok(Scalar::Rational(value)) => value,
        other => panic!("{text}: {other:?}"),
    }
}

fn model(session: &mut Session, text: &str) -> (Model, String) {
    let Ok(Scalar::String(source)) = answer(session, text) else {
        panic!("{text} is no text")
    };
    let model = Model::of(&source).unwrap_or_else(|why| panic!("{why}: {text}\n{source}"));
    (model, source)
}

/// Compares the model with `P`, for a game under given rules with a given coin.
fn check(session: &mut Session, game: &str, coin: &str, rules: &str) {
    let (model, source) = model(session, &format!("prism({game}{coin}) using {rules}"));
    let value = number(session, &format!("P({game}{coin}) using {rules}"));
    let low = solver::most(&model, "alice", "alice_wins");
    let high = BigRational::one() - solver::least(&model, "alice", "bob_wins");
    let told = |text: &str| source.contains(text);
    let about = format!("{game}{coin} {rules}: {value}, {low}, {high}\n{source}");
    if told("// P is <<alice>> Pmax=? [ F \"alice_wins\" ].") {
        assert_eq!(value, low, "{about}");
    } else if told("// P is 1 - <<alice>> Pmin=? [ F \"bob_wins\" ].") {
        assert_eq!(value, high, "{about}");
    } else {
        assert!(
            rules.contains("half") && told("at least") && told("at most"),
            "{about}"
        );
        assert!(low <= value && value <= high, "{about}");
    }
}

#[test]
fn models_have_the_value_of_random_turns() {
    let dice = &mut StdRng::seed_from_u64(36);
    let mut session = session();
    for _ in 0..400 {
        let (game, rules) = (random_graph(dice), random_rules(dice));
        let coin = ["", ", 1/2", ", 1/3", ", 3/4", ", 0", ", 1"]
            .choose(dice)
            .expect("some");
        check(&mut session, &game, coin, &rules);
    }
}

#[test]
fn games_of_the_library_have_models() {
    let mut session = session();
    transcript(&mut session, "library", "use \"games/classics.bid\"");
    let games = [
        "A",
        "B",
        "Draw",
        "E",
        "A^2 ∧ B",
        "{ B | A }",
        "{ A | }",
        "tug(2)",
        "E[1]",
        "~ultimatum(2)",
    ];
    for game in games {
        for coin in ["", ", 1/3"] {
            for winner in ["chooses", "moves"] {
                check(&mut session, game, coin, &format!("{{ winner: {winner} }}"));
            }
        }
    }
}

/// Checks a game in which the winner of the toss may let the opponent move, which differs from one
/// in which he must move.
#[test]
fn a_turn_may_be_unwanted() {
    let mut session = session();
    for (winner, value) in [("chooses", (1, 3)), ("moves", (2, 3))] {
        let value = BigRational::new(value.0.into(), value.1.into());
        let question =
            |what: &str| format!("{what}({{ B | A }}, 1/3) using {{ winner: {winner} }}");
        let (model, _) = model(&mut session, &question("prism"));
        assert_eq!(solver::most(&model, "alice", "alice_wins"), value);
        assert_eq!(number(&mut session, &question("P")), value);
    }
}

#[test]
fn what_has_no_random_turns_has_no_model() {
    let mut session = session();
    let cases = [
        ("A^2", "robin_hood: 1/10"),
        (
            "graph { start 0; alice 0 -> 1 score 2; bob 0 -> 1 score 1 }",
            "pay: richman",
        ),
        (
            "graph { start 0; both 0 -> 0, 1; both 1 -> 0, 1; accepting: 1 }",
            "objective: buchi",
        ),
    ];
    for (game, rules) in cases {
        let said = answer(&mut session, &format!("prism({game}) using {{ {rules} }}"));
        assert!(said.is_err(), "{game} {rules}: {said:?}");
    }
}

/// Checks that the reader refuses the texts that PRISM-games refuses, so that it can detect an
/// invalid model.
#[test]
fn the_reader_refuses_what_is_no_model() {
    const GOOD: &str = "smg\nplayer alice game, [go] endplayer\nplayer bob [stay] endplayer\n\
        module game\n x : [0..2] init 0;\n [go] x=0 -> 1/3 : (x'=1) + 2/3 : (x'=2);\n \
        [stay] x=1 -> (x'=1);\n [stay] x=1 -> (x'=2);\n [] x=2 -> true;\nendmodule\nlabel \"end\" = x=2;";
    let found = Model::of(GOOD).expect("a model");
    assert_eq!(
        solver::least(&found, "bob", "end"),
        BigRational::new(2.into(), 3.into())
    );
    assert!(solver::most(&found, "bob", "end").is_one());
    assert!(!solver::most(&found, "alice", "end").is_zero());
    let changes = [
        (
            "[go] endplayer",
            "[go], [toss] endplayer",
            "action `toss` does not exist",
        ),
        (
            "alice game,",
            "alice games,",
            "module `games` does not exist",
        ),
        ("bob [stay]", "bob [go]", "action `go` comes twice"),
        ("player bob", "player alice", "player `alice` comes twice"),
        (
            "[stay] x=1 -> (x'=2)",
            "[go] x=1 -> (x'=2)",
            "choices of several players",
        ),
        (" [stay] endplayer", " endplayer", "choices of nobody"),
        (" [] x=2 -> true;\n", "", "a deadlock"),
        ("1/3 :", "1/2 :", "probabilities"),
        (
            "x=1 -> (x'=1)",
            "y=1 -> (x'=1)",
            "variable `y` does not exist",
        ),
        ("(x'=1);", "(x'=3);", "out of the range"),
        ("smg", "mdp", "`mdp` where `smg` should be"),
        (
            "player bob [stay] endplayer\n",
            "player bob [stay]\n",
            "`module`",
        ),
    ];
    for (from, to, said) in changes {
        assert!(GOOD.contains(from), "{from}");
        let refused = Model::of(&GOOD.replacen(from, to, 1)).expect_err(to);
        assert!(refused.contains(said), "{to}: {refused}");
    }
}
