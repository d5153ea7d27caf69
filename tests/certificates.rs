//! Certificates: every written certificate is proved, and no changed one is; on games of the
//! library, random graphs and random rulesets, under all rules that have answers, by the checker of
//! the program and by the one in Python.

mod bounds;
mod changes;
mod endless;
mod forged;
mod guarantees;
mod hostile;
mod never;
mod promises;
mod python;
mod shell;

use crate::plain::random as rulesets;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::Memory;
use bid::session::{self, Session, SessionEvent};
use bid_language::diagnostic::{Code, Diagnostic};
use bid_language::watch::{Context, Guard, Limits};
use bid_report::Report;
use bid_testing::{GraphShape, PlainGraph, for_all, graphs, samples, share};
use bid_verify::Failure;
use bid_verify::format::Certificate;
use proptest::strategy::Strategy;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

/// Returns a guard that stops early, because the random games are small.
fn few() -> Arc<Guard> {
    Arc::new(Guard::default().within(Limits::positions(2_000)))
}

/// Returns the certificate of an expression over a source; `None` if there is no answer.
fn certified(source: &str, expression: &str) -> Option<Result<Certificate, Box<Diagnostic>>> {
    let files = Memory(BTreeMap::from([(
        PathBuf::from("game.bid"),
        source.as_bytes().to_vec(),
    )]));
    let mut session = Session::new(Box::new(files), few());
    let loaded = session.use_file(Path::new("game.bid"), &mut |_, _| {});
    let answer = answer(&mut session, expression)?;
    assert_eq!(loaded.errors, 0, "{source}");
    Some(session.certificate(expression, &answer))
}

fn answer(session: &mut Session, expression: &str) -> Option<Report> {
    let mut answer = None;
    session.run_text("question", expression, &mut |_, event| {
        if let SessionEvent::Value(value) = event {
            answer = Some(value);
        }
    });
    answer
}

fn json(certificate: &Certificate) -> Value {
    serde_json::to_value(certificate).expect("a certificate is JSON")
}

fn verify(value: &Value) -> Result<String, Failure> {
    bid_verify::verify(
        &mut value.to_string().as_bytes(),
        &session::builtins(),
        Context::plain(),
    )
}

fn proved(value: &Value) -> bool {
    match verify(value) {
        Ok(_) => true,
        Err(Failure::Unproved(_) | Failure::Malformed(_)) => false,
        Err(Failure::Stopped(stop)) => panic!("stopped: {stop:?}"),
    }
}

/// The games of the questions below. Each certificate contains those that its question names.
const GAMES: &[(&str, &str)] = &[
    (
        "tug",
        "game tug(n) = graph {\n start 0\n both i <-> i + 1 for i in -n .. n - 1\n win alice: n\n win bob: -n\n}\n",
    ),
    ("ultimatum", ULTIMATUM),
    (
        "tictactoe",
        "game tictactoe {\n state board = grid(3, 3)\n move place(c) for c in cells(board) if board[c] == empty { board[c] = me }\n \
         win me if line(board, me, 3)\n draw if full(board)\n symmetry board\n}\n",
    ),
    (
        "connect",
        "game connect(n, rows, cols) {\n state board = grid(rows, cols)\n \
         move drop(col) for col in 0 .. cols - 1 if height(board, col) < rows { drop(board, col, me) }\n \
         win me if line(board, me, n)\n draw if full(board)\n symmetry mirror(board)\n}\n",
    ),
    ("round", ROUND),
    ("lasso", LASSO),
    ("choice", CHOICE),
    ("subtraction_like", OWN),
];

const ULTIMATUM: &str = "game ultimatum(n) = graph {\n start 0\n alice 0 -> n\n bob 0 -> -n\n alice k -> W for k in 1..n\n bob k -> k - 1 for k in 1..n\n \
                         bob -k -> L for k in 1..n\n alice -k -> -k + 1 for k in 1..n\n win alice: W\n win bob: L\n}\n";

/// A small cyclic game with draws and zugzwang.
const ROUND: &str = "game round = graph {\n start 0\n both 0 -> 1, 2\n alice 1 -> 0, W\n bob 1 -> 2\n alice 2 -> L, D\n bob 2 -> 0, 3\n both 3 -> 3, 1\n \
                     win alice: W\n win bob: L\n draw: D\n}\n";

/// A game with infinite play and every label for it.
const LASSO: &str = "game lasso = graph {\n start 0\n both 0 -> 1, 2\n both 1 -> 0, 1\n alice 2 -> 2, 0\n bob 2 -> 3\n both 3 -> 2, 4\n win alice: 4\n accepting: 1\n \
                     priority 1: 0, 2\n priority 2: 1\n priority 3: 3\n weight 1: 1\n weight -1/2: 2, 3\n}\n";

/// A game with vertices at which one player moves without a bid, on a cycle.
const CHOICE: &str = "game choice = graph {\n start 0\n turn alice: 0\n turn bob: 1\n alice 0 -> 1, 2\n bob 1 -> 0, 2\n both 2 -> 1, 3\n alice 2 -> W\n bob 2 -> L\n \
                      both 3 -> W, L\n win alice: W\n win bob: L\n}\n";

/// Questions of every kind, about games with and without cycles.
const QUESTIONS: &[&str] = &[
    "R(A ∧ (A^2 ∧ B^3))",
    "R({ A, B^2 | B }[3]) using { winner: moves }",
    "R(~(A^2 ∧ { B, Draw | A })) using { draws: half }",
    "R(tug(3))",
    "R(round)",
    "R(round) using { draws: half }",
    "R(round) using { draws: alice }",
    "P(round)",
    "P(round, 2/3) using { winner: moves, draws: half }",
    "P(A^3 ∧ { B | A }, 1/5)",
    "R(choice)",
    "R(choice) using { draws: alice }",
    "R(choice[5]) using { pay: poorman }",
    "P(~choice, 1/3)",
    "R(A ∧ B^3) using { pay: poorman }",
    "R(A^2 ∧ (B^2 ∧ A)) using { pay: taxman(1/3) }",
    "let g = tug(2) in R(g at 1)",
    "R(tug(2) after [alice 1, bob 0])",
    "f(tug(2), 0..3)",
    "f(round, 4)",
    "f(round, 3) using { draws: alice }",
    "f(round, 3) using { draws: bob, ties: losers_ball }",
    "f(round, 4) using { ties: richer, winner: moves }",
    "f(B^2, 5) using { ties: make_it_take_it }",
    "f(ultimatum(2), 4) using larsson",
    "f(tug(2), bob: 0..2)",
    "f(B, bob: 0..3)",
    "f(round, bob: [0, 2]) using { draws: alice }",
    "R(lasso) using { objective: buchi }",
    "P(lasso, 1/3) using { objective: parity }",
    "R(lasso) using { objective: mean_payoff, draws: alice }",
    "f(lasso, 0..3) using { objective: buchi }",
    "f(lasso, 2) using { objective: buchi, winner: moves, draws: alice, ties: marker }",
    "f(~lasso, 2) using { objective: buchi, ties: richer }",
    "lasso(1*, 1) using { objective: buchi }",
    "f(lasso, 0..2) using { objective: parity }",
    "f(lasso, 0..2) using { objective: mean_payoff, draws: alice }",
    "lasso(1*, 1) using { objective: mean_payoff }",
    "f(lasso, 0..2) using { objective: energy, energy: 1/2, ties: marker, winner: moves }",
    "f(~lasso, 2) using { objective: energy, energy: 3, ties: richer }",
    "lasso(0, 2*) using { objective: energy, ties: make_it_take_it }",
    "credit(lasso, 2*, 0)",
    "credit(lasso, 1, 1) using { ties: ladies_first }",
    "credit(~lasso, 1, 1*) using { ties: losers_ball, draws: alice }",
    "credit(graph { start 0; both 0 -> 1; draw: 1; weight -1: 0 }, 0, 0*) using { draws: alice }",
    "lasso(0, 2*) using { objective: buchi, ties: make_it_take_it }",
    "f(tug(2), bob: 2) using { draws: alice, ties: make_it_take_it }",
    "f(A ∧ B^2, bob: [3, 1]) using { ties: gentlemen_first }",
    "R(tug(2) at 1) using { pay: poorman }",
    "tug(2)(3*, 3)",
    "tug(2)(1, 3*)",
    "round(2*, 2)",
    "round(1, 1) using { ties: gentlemen_first }",
    "(tictactoe at \"AAB/BBA/.A.\")(2*, 1)",
    "connect(2, 2, 2)(1*, 1)",
    "f(subtraction_like, 3)",
    "v(A^2 ∧ B, 1, 2) using menz",
    "v(connect(2, 2, 2), 1, 1) using { pay: all_pay_bank, ties: coin, draws: half }",
    "v({ A | B^2 }, 2*, 1) using { pay: all_pay, winner: moves }",
    "v(tug(2), 1, 1) using { pay: all_pay, ties: ladies_first, draws: bob }",
    "v(round, 1*, 1) using { pay: all_pay, ties: marker, draws: half }",
    "nash(A^2 ∧ B, 1, 2) using { pay: all_pay, ties: ladies_first }",
    "nash(tug(2), 1, 2) using { pay: all_pay, ties: coin, draws: bob }",
];

const OWN: &str = "game subtraction_like {\n state n = 4\n state last = alice\n move take(s) for s in [1, 2] if s <= n { n -= s; last = me }\n \
                   win last if n == 0\n stuck loses\n}\n";

/// Returns the definitions that a question needs.
fn library(question: &str) -> String {
    GAMES
        .iter()
        .filter(|(name, _)| question.contains(name))
        .map(|(_, text)| *text)
        .collect()
}

#[test]
fn questions_of_every_kind_are_written_and_proved() {
    for question in QUESTIONS {
        let certificate = certified(&library(question), question)
            .unwrap_or_else(|| panic!("{question} has an answer"));
        let certificate = certificate.unwrap_or_else(|why| panic!("{question}: {why:?}"));
        let read = bid_verify::read(
            &mut json(&certificate).to_string().as_bytes(),
            Context::plain(),
        );
        assert_eq!(
            read.as_ref(),
            Ok(&certificate),
            "{question}: what is written is read"
        );
        let sentence =
            verify(&json(&certificate)).unwrap_or_else(|why| panic!("{question}: {why:?}"));
        assert!(sentence.starts_with(question), "{sentence}");
    }
}

/// Returns a graph as source.
fn source(graph: &PlainGraph) -> String {
    format!("game g = graph {{\n{}}}\n", graph.text())
}

/// Generates small graphs of all kinds as source, with a seed for the question.
fn sources() -> impl Strategy<Value = (String, u64)> {
    (
        graphs(GraphShape::SMALL).prop_map(|graph| source(&graph)),
        0..u64::MAX,
    )
}

fn dice(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// Draws a random question about `g` under random rules, from all that have certificates.
fn question(dice: &mut StdRng) -> String {
    let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
    let status = ["advantage", "marker", "make_it_take_it", "losers_ball"];
    let ties = one_of(&[
        "advantage",
        "marker",
        "make_it_take_it",
        "losers_ball",
        "ladies_first",
        "gentlemen_first",
        "richer",
    ]);
    let (winner, draws) = (
        one_of(&["chooses", "moves"]),
        one_of(&["neither", "alice", "bob", "half"]),
    );
    let star = if status.contains(&ties.as_str()) {
        one_of(&["a", "b"])
    } else {
        String::new()
    };
    let [a, b] = [0, 1].map(|_| one_of(&["0", "1", "2", "3"]));
    let purses = match star.as_str() {
        "a" => format!("{a}*, {b}"),
        "b" => format!("{a}, {b}*"),
        _ => format!("{a}, {b}"),
    };
    let pay = one_of(&["richman", "richman", "richman", "poorman", "taxman(2/5)"]);
    let both = one_of(&["all_pay", "all_pay_bank"]);
    match one_of(&[
        "R", "P", "coin", "f", "range", "against", "outcome", "outcome", "v",
    ])
    .as_str()
    {
        "R" => format!("R(g) using {{ pay: {pay}, winner: {winner}, draws: {draws} }}"),
        "P" => format!("P(g) using {{ winner: {winner}, draws: {draws} }}"),
        "coin" => format!(
            "P(g, {}) using {{ winner: {winner}, draws: {draws} }}",
            one_of(&["1/3", "3/4"])
        ),
        "f" => format!("f(g, {a}) using {{ ties: {ties}, winner: {winner}, draws: {draws} }}"),
        "range" => {
            format!("f(g, 0..{a}) using {{ ties: {ties}, winner: {winner}, draws: {draws} }}")
        }
        "against" => format!(
            "f(g, bob: [{a}, {b}]) using {{ ties: {ties}, winner: {winner}, draws: {draws} }}"
        ),
        "outcome" => {
            format!("g({purses}) using {{ ties: {ties}, winner: {winner}, draws: {draws} }}")
        }
        _ => format!(
            "v(g, {purses}) using {{ pay: {both}, ties: {ties}, winner: {winner}, draws: {draws} }}"
        ),
    }
}

/// The outcomes of random questions.
#[derive(Debug, Default)]
struct Tally {
    proved: BTreeMap<String, usize>,
    unanswered: usize,
    refused: BTreeMap<String, usize>,
}

impl Tally {
    /// Asks a question, writes and verifies its certificate, and checks that wrong answers are
    /// rejected.
    fn ask(&mut self, source: &str, question: &str) -> Option<Value> {
        match certified(source, question) {
            None => self.unanswered += 1,
            Some(Err(why)) => {
                assert!(
                    matches!(why.code, Code::NotSupported | Code::Positions),
                    "{question}\n{source}\n{why:?}"
                );
                assert!(
                    !why.message.contains("the answer is "),
                    "{question}\n{source}\n{why:?}"
                );
                *self.refused.entry(why.message.clone()).or_default() += 1;
            }
            Some(Ok(certificate)) => {
                let certificate = json(&certificate);
                let sentence = verify(&certificate)
                    .unwrap_or_else(|why| panic!("{question}\n{source}\n{why:?}"));
                let kind = certificate["claim"]
                    .as_object()
                    .and_then(|claim| claim.keys().next().cloned());
                let outcome = certificate["claim"]["outcome"]["answer"]
                    .as_str()
                    .unwrap_or_default();
                let how = match &certificate["proof"] {
                    proof
                        if certificate["rules"].get("objective").is_some()
                            && proof.get("promises").is_some() =>
                    {
                        match certificate["claim"]["R"]["answer"].as_str() {
                            Some("0") => "endless 0",
                            Some("1") => "endless 1",
                            _ => "endless",
                        }
                    }
                    proof if proof.get("promises").is_none() => "",
                    proof if proof["promises"].get("low").is_some() => "bounds",
                    _ if !goes_back(&certificate["game"]) => "",
                    _ if certificate["rules"]["pay"] == "richman" => "cyclic",
                    _ => "bounds",
                };
                let kind = format!("{} {outcome}{how}", kind.unwrap_or_default());
                *self.proved.entry(kind).or_default() += 1;
                reject_wrong_answers(&certificate, &sentence);
                return Some(certificate);
            }
        }
        None
    }
}

/// Returns `true` if a move of a listing does not lead to a greater number.
fn goes_back(game: &Value) -> bool {
    ["alice", "bob"].iter().any(|player| {
        let rows = game[player].as_array().expect("rows").iter().enumerate();
        rows.flat_map(|(position, row)| {
            row.as_array()
                .expect("a row")
                .iter()
                .map(move |to| (position, to))
        })
        .any(|(position, to)| to.as_u64().expect("a number") <= position as u64)
    })
}

fn reject_wrong_answers(certificate: &Value, sentence: &str) {
    let claim = certificate["claim"].as_object().expect("an object");
    let (kind, parts) = claim.iter().next().expect("one claim");
    let wrong: Vec<(String, Value)> = match parts.get("answers") {
        None if kind == "bounds" => ["low", "high"]
            .iter()
            .flat_map(|bound| {
                ["0", "1", "1/2", "1/3", "2/3"].map(|wrong| ((*bound).to_owned(), wrong.into()))
            })
            .collect(),
        Some(answers) => answers
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .flat_map(|(index, _)| {
                ["0", "0*", "1", "2", "2*"].map(|wrong| (format!("answers/{index}"), wrong.into()))
            })
            .collect(),
        None if kind == "credit" => [
            Value::Null,
            "0".into(),
            "1".into(),
            "2".into(),
            "1/2".into(),
        ]
        .map(|wrong| ("answer".to_owned(), wrong))
        .to_vec(),
        None if kind == "between" => vec![
            ("low".to_owned(), "1".into()),
            ("high".to_owned(), "0".into()),
        ],
        None => [
            "0",
            "1",
            "1/2",
            "1/3",
            "alice",
            "bob",
            "draw",
            "undetermined",
        ]
        .map(|wrong| ("answer".to_owned(), wrong.into()))
        .to_vec(),
    };
    for (place, wrong) in wrong {
        let mut mutant = certificate.clone();
        let slot = mutant
            .pointer_mut(&format!("/claim/{kind}/{place}"))
            .expect("the answer is there");
        if *slot != wrong {
            *slot = wrong;
            assert!(!proved(&mutant), "{sentence}: {mutant}");
        }
    }
}

#[test]
fn random_graphs_under_all_rules() {
    let mut tally = Tally::default();
    for_all(share(800), sources(), |(source, seed)| {
        tally.ask(&source, &question(&mut dice(seed)));
    });
    println!("{tally:#?}");
    for kind in [
        "R ",
        "R cyclic",
        "P ",
        "P cyclic",
        "f ",
        "against ",
        "outcome alice",
        "outcome bob",
        "outcome draw",
        "bounds ",
    ] {
        assert!(
            tally
                .proved
                .get(kind)
                .is_some_and(|count| *count >= share(5)),
            "{kind}: {tally:#?}"
        );
    }
}

/// Checks certificates with the marker in zugzwang: neither player forces a win, and neither can
/// prevent the other's.
#[test]
fn undetermined_outcomes_have_certificates() {
    let mut tally = Tally::default();
    // If no move wins at once, the right to move is a burden.
    let zugzwang = GraphShape {
        contrary: 1.0,
        ..GraphShape::SMALL
    };
    let mut graphs = samples(graphs(zugzwang));
    let mut tried = 0;
    while tally
        .proved
        .get("outcome undetermined")
        .is_none_or(|count| *count < share(4))
    {
        let source = source(&graphs.next().expect("there is no end of them"));
        for purses in ["2*, 2", "2, 2*", "1*, 2"] {
            let question = format!("g({purses}) using {{ ties: marker }}");
            let mut session = Session::new(Box::new(Memory::default()), few());
            let answer = answer(&mut session, &format!("{source}\n{question}"));
            if answer.is_some_and(|answer| answer.to_string() == "undetermined") {
                let _ = tally.ask(&source, &question);
            }
        }
        tried += 1;
        assert!(tried < 3000, "{tally:#?}");
    }
}

#[test]
fn random_rulesets_are_compared_with_their_source() {
    let mut tally = Tally::default();
    let mut dice = dice(99);
    for seed in 0..share(250) {
        let source = rulesets::Writer::write(seed) + "game g = random(1)[3]\n";
        if source.contains("score") {
            continue;
        }
        let question = question(&mut dice);
        if let Some(mut certificate) = tally.ask(&source, &question) {
            // This changes a rule of the game: one more chip in the heap at the start.
            let text = certificate["sources"][0]["text"]
                .as_str()
                .expect("a text")
                .replace("random(1)[3]", "random(1)[2]");
            certificate["sources"][0]["text"] = text.into();
            let game = &certificate["game"]["alice"];
            let deep = game.as_array().is_some_and(|moves| moves.len() > 40);
            assert!(!deep || !proved(&certificate), "{question}\n{source}");
        }
    }
    println!("{tally:#?}");
    assert!(
        tally.proved.values().sum::<usize>() >= share(40),
        "{tally:#?}"
    );
}

#[test]
fn what_has_no_certificate_is_refused_by_name() {
    let cases = [
        ("size(round)", "`size`"),
        ("R(E) + 1", "not a query"),
        ("table(E)", "`table`"),
        ("P(lasso, 0)", "always falls for the same player"),
    ];
    for (question, part) in cases {
        let why = certified(&library(question), question)
            .expect("answered")
            .expect_err("refused");
        assert_eq!(why.code, Code::NotSupported, "{question}");
        assert!(why.message.contains(part), "{question}: {}", why.message);
    }
    let bowtie = "game g = graph {\n start 0\n both 0 -> 0, 1\n both 1 -> 0, 1\n weight 1: 0\n weight -1: 1\n}\n";
    let question = "R(g) using { objective: mean_payoff, pay: poorman }";
    let why = certified(bowtie, question)
        .expect("answered")
        .expect_err("refused");
    assert!(
        why.message.contains("under poorman and taxman bidding"),
        "{}",
        why.message
    );
}

/// Checks that a local function uses the `let` lines of the ruleset around it, not the names of the
/// text with the same spelling.
#[test]
fn local_functions_see_the_lines_of_their_ruleset() {
    let source = "let w = 1\ngame g {\n state n = 0\n let w = 2\n move a if n == 0 { n = 1 }\n \
                  win alice if n == 1 and (let f(x) = x + w in f(1)) == 3\n \
                  win bob if n == 1 and (let f(x) = x + w in f(1)) == 2\n}\n";
    let certificate = certified(source, "R(g)").expect("an answer");
    let certificate = json(&certificate.expect("a certificate"));
    assert_eq!(certificate["claim"]["R"]["answer"], "0");
    assert!(proved(&certificate));
}

/// Checks that a definition that the checker cannot evaluate still hides the builtin of its name.
#[test]
fn definitions_beyond_the_checker_are_not_mistaken_for_others() {
    let source = "let E = if R(A^2) == 1/4 then A else B\ngame g = { A | B }\n";
    let why = certified(source, "R(E ∧ B)")
        .expect("answered")
        .expect_err("refused");
    assert!(
        why.message.contains("does not know the function `R`"),
        "{}",
        why.message
    );
    let other = certified(source, "R(g)")
        .expect("answered")
        .expect("written");
    assert!(proved(&json(&other)));
    let mut forged = json(
        &certified("", "R(E ∧ B)")
            .expect("answered")
            .expect("written"),
    );
    assert!(proved(&forged));
    forged["sources"] = serde_json::json!([{ "name": "game.bid", "text": source, "uses": [] }]);
    forged["question"]["loads"] = serde_json::json!([0]);
    assert!(!proved(&forged), "the name means another game now");
}

/// Checks that a question without a meaning is not proved by a proof of another question.
#[test]
fn questions_without_a_meaning_are_not_proved() {
    for (asked, rule, meaningless) in [
        (
            "R(A ∧ B^2) using { pay: poorman }",
            ("draws", "half"),
            "R(A ∧ B^2) using { pay: poorman, draws: half }",
        ),
        (
            "R(A ∧ B^2) using { pay: taxman(1/3) }",
            ("draws", "half"),
            "R(A ∧ B^2) using { pay: taxman(1/3), draws: half }",
        ),
        (
            "f(A ∧ B^2, bob: 1) using { ties: richer }",
            ("winner", "moves"),
            "f(A ∧ B^2, bob: 1) using { ties: richer, winner: moves }",
        ),
    ] {
        let certificate = certified("", asked)
            .expect("an answer")
            .expect("a certificate");
        let mut forged = json(&certificate);
        assert!(proved(&forged), "{asked}");
        forged["question"]["expression"] = meaningless.into();
        forged["rules"][rule.0] = rule.1.into();
        assert!(!proved(&forged), "{meaningless}");
        assert!(
            certified("", meaningless).is_none(),
            "{meaningless} has no answer"
        );
    }
    let certificate = certified("", "P(A ∧ B)")
        .expect("an answer")
        .expect("a certificate");
    let mut forged = json(&certificate);
    for coin in ["-1", "2"] {
        let answer: i32 = coin.parse().expect("a number");
        forged["question"]["expression"] = format!("P(A ∧ B, {coin})").into();
        forged["claim"]["P"] = serde_json::json!({ "coin": coin, "answer": coin });
        forged["proof"]["promises"]["high"][0] = (1 - answer).to_string().into();
        assert!(!proved(&forged), "a coin of {coin}");
    }
}

/// Checks numbers at the ends of 64 bits, the width of the checker's numbers: those that do not fit
/// are reported, and the others are handled.
#[test]
fn numbers_at_the_ends_of_64_bits_are_no_trouble() {
    for (number, fits) in [
        ("floor(-9223372036854775807/2)", true),
        ("ceil(9223372036854775807/2)", true),
        ("ceil(-9223372036854775807/2)", true),
        ("abs(-9223372036854775807)", true),
        ("abs(-9223372036854775807 - 1)", false),
        ("(-9223372036854775807 - 1) / (-1)", false),
        ("(-9223372036854775807 - 1) % (-1)", false),
        ("(-9223372036854775807 - 1) % 2", true),
        ("(-2) ^ 63", true),
        ("2 ^ 63", false),
        ("(-1) ^ 9223372036854775807", true),
        ("3037000500 ^ 2", false),
    ] {
        let question = format!("R(if {number} == 1/3 then A else E)");
        let certificate = certified("", &question).expect("an answer");
        match certificate {
            Ok(certificate) => assert!(fits && proved(&json(&certificate)), "{question}"),
            Err(why) => assert!(
                !fits && why.message.contains("64 bits"),
                "{question}: {why:?}"
            ),
        }
    }
}
