//! Certificates with a winner of infinite play, of random graphs with accepting positions,
//! priorities or weights: every written one is proved, and a changed one is rejected exactly if it
//! is not a proof any more.

use std::fmt::Write;

use bid_testing::{GraphShape, PlainGraph, for_all, graphs, samples, share};
use rand::RngExt;
use rand::rngs::StdRng;

use super::bounds::nudged;
use super::promises::holds;
use super::{Tally, certified, dice, json, proved, source};

/// Returns the source of a graph with random labels for an objective.
pub fn marked(graph: &PlainGraph, dice: &mut StdRng, objective: &str) -> String {
    let mut text = source(graph).trim_end_matches("}\n").to_owned();
    let open: Vec<usize> = (0..graph.positions()).collect();
    match objective {
        "buchi" => {
            let named: Vec<String> = open
                .iter()
                .filter(|_| dice.random_range(0..3) == 0)
                .map(ToString::to_string)
                .collect();
            writeln!(
                text,
                "    accepting: {}",
                if named.is_empty() {
                    "x".to_owned()
                } else {
                    named.join(", ")
                }
            )
            .expect("a string");
        }
        "parity" => {
            for position in open {
                writeln!(text, "    priority {}: {position}", dice.random_range(0..4))
                    .expect("a string");
            }
        }
        _ => {
            for position in open {
                writeln!(text, "    weight {}: {position}", dice.random_range(-2..3))
                    .expect("a string");
            }
        }
    }
    text + "}\n"
}

/// Draws a question about infinite play under random rules.
fn question(dice: &mut StdRng, objective: &str) -> String {
    let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
    let (winner, draws) = (
        one_of(&["chooses", "chooses", "moves"]),
        one_of(&["neither", "alice", "bob"]),
    );
    let pay = match objective {
        "mean_payoff" => "richman".to_owned(),
        _ => one_of(&["richman", "richman", "poorman", "taxman(1/3)"]),
    };
    let query = one_of(&["R(g)", "R(g)", "R(~g)", "P(g)", "P(g, 1/3)"]);
    format!(
        "{query} using {{ objective: {objective}, pay: {pay}, winner: {winner}, draws: {draws} }}"
    )
}

#[test]
fn random_graphs_with_objectives_of_infinite_play() {
    for (objective, least) in [("buchi", 250), ("parity", 250), ("mean_payoff", 250)] {
        let mut tally = Tally::default();
        for_all(
            share(300),
            (graphs(GraphShape::SMALL), 0..u64::MAX),
            |(graph, seed)| {
                let mut dice = dice(seed);
                let source = marked(&graph, &mut dice, objective);
                let question = question(&mut dice, objective);
                if let Some(certificate) = tally.ask(&source, &question) {
                    assert!(holds(&certificate), "{question}\n{source}");
                }
            },
        );
        println!("{objective}: {tally:#?}");
        let count: usize = tally.proved.values().sum();
        assert!(count >= share(least), "{objective}: {tally:#?}");
        for kind in ["R endless 0", "R endless 1", "R endless", "P endless"] {
            assert!(
                tally
                    .proved
                    .get(kind)
                    .is_some_and(|count| *count >= share(10)),
                "{objective} {kind}: {tally:#?}"
            );
        }
    }
}

/// Draws a question about infinite play with chips under random rules.
pub fn question_in_chips(dice: &mut StdRng, objective: &str) -> String {
    let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
    let (ties, star) = match one_of(&["status", "none"]).as_str() {
        "none" => (
            one_of(&["ladies_first", "gentlemen_first", "richer"]),
            ["", ""],
        ),
        _ => (
            one_of(&[
                "advantage",
                "marker",
                "marker",
                "make_it_take_it",
                "losers_ball",
            ]),
            [["*", ""], ["", "*"]][usize::from(one_of(&["alice", "bob"]) == "bob")],
        ),
    };
    let (winner, draws) = (
        one_of(&["chooses", "moves"]),
        one_of(&["neither", "alice", "bob"]),
    );
    let (game, a, b) = (
        one_of(&["g", "~g"]),
        one_of(&["0", "1", "2"]),
        one_of(&["0", "1", "2"]),
    );
    let asked: &[&str] = match objective {
        "energy" => &["f", "outcome", "credit"],
        _ => &["f", "f", "outcome"],
    };
    let query = match one_of(asked).as_str() {
        "f" => format!("f({game}, 0..{a})"),
        "credit" => format!("credit({game}, {a}{}, {b}{})", star[0], star[1]),
        _ => format!("({game})({a}{}, {b}{})", star[0], star[1]),
    };
    let energy = match objective {
        "energy" => one_of(&[", energy: 1", "", ", energy: 5/2"]),
        _ => String::new(),
    };
    format!(
        "{query} using {{ objective: {objective}{energy}, ties: {ties}, winner: {winner}, draws: {draws} }}"
    )
}

#[test]
fn random_graphs_with_objectives_and_chips() {
    for objective in ["buchi", "parity", "mean_payoff", "energy"] {
        let mut tally = Tally::default();
        let cases = (graphs(GraphShape::SMALL), 0..u64::MAX);
        for_all(share(300), cases, |(graph, seed)| {
            let mut dice = dice(seed);
            let source = marked(&graph, &mut dice, objective);
            let question = question_in_chips(&mut dice, objective);
            let Some(certificate) = tally.ask(&source, &question) else {
                return;
            };
            // The set of another player, or fewer members, proves nothing.
            for (from, to) in [
                ("\"forces\"", "\"unprevented\""),
                ("\"unprevented\"", "\"forces\""),
            ] {
                let text = certificate.to_string();
                if text.contains(from) {
                    let mutant =
                        serde_json::from_str(&text.replacen(from, to, 1)).expect("it is JSON");
                    assert!(!proved(&mutant), "{question}\n{source}");
                }
            }
        });
        println!("{objective}: {tally:#?}");
        let count: usize = tally.proved.values().sum();
        assert!(count >= share(250), "{objective}: {tally:#?}");
        for kind in ["f ", "outcome alice", "outcome bob", "credit "] {
            let is_asked = kind != "credit " || objective == "energy";
            let enough = !is_asked
                || tally
                    .proved
                    .get(kind)
                    .is_some_and(|count| *count >= share(20));
            assert!(enough, "{objective} {kind}: {tally:#?}");
        }
    }
}

/// Changes every number of some certificates.
#[test]
fn changed_promises_are_rejected_unless_they_are_kept() {
    let (mut rejected, mut still) = (0, 0);
    let (mut dice, mut graphs) = (dice(1_618), samples(graphs(GraphShape::SMALL)));
    for objective in ["buchi", "parity", "mean_payoff"] {
        let mut certificates = 0;
        while certificates < share(12) {
            let graph = graphs.next().expect("there is no end of them");
            let source = marked(&graph, &mut dice, objective);
            let question = question(&mut dice, objective);
            let Some(Ok(certificate)) = certified(&source, &question) else {
                continue;
            };
            let mut certificate = json(&certificate);
            // Values are written once, and may be given as both bounds.
            let proof = &mut certificate["proof"]["promises"];
            if proof.get("low").is_none() {
                proof["low"] = proof["high"].clone();
            }
            let exact = certificate["claim"]["R"]["answer"]
                .as_str()
                .unwrap_or("1/2");
            if ["0", "1"].contains(&exact) && certificates % 2 == 0 {
                continue;
            }
            certificates += 1;
            assert!(
                proved(&certificate) && holds(&certificate),
                "{question}\n{source}"
            );
            let mut places = Vec::new();
            for part in ["/claim", "/proof", "/game"] {
                let whole = certificate.pointer(part).expect("a part");
                super::changes::leaves(whole, &mut Vec::new(), &mut |path, leaf| {
                    places.push((format!("{part}{path}"), leaf.clone()));
                });
            }
            for (path, leaf) in places {
                for other in nudged(&leaf) {
                    let mut mutant = certificate.clone();
                    *mutant.pointer_mut(&path).expect("the path leads there") = other.clone();
                    let coin = path == "/claim/P/coin";
                    let right = !path.starts_with("/game") && !coin && holds(&mutant);
                    assert_eq!(
                        proved(&mutant),
                        right,
                        "{question}\n{source}\n{path}: {leaf} -> {other}"
                    );
                    if right { still += 1 } else { rejected += 1 }
                }
            }
        }
    }
    println!("{rejected} rejected, {still} still true");
    assert!(
        rejected > share(2_000) && still > share(10),
        "{rejected} rejected, {still} still true"
    );
}

/// Checks that potentials prove nothing about priorities: constant ones would give Alice every game
/// in which a mean of 0 is her win.
#[test]
fn priorities_are_not_proved_by_potentials() {
    for (objective, mark) in [("parity", "priority 1: 0"), ("buchi", "accepting: 1")] {
        let source = format!("game g = graph {{\n start 0\n both 0 -> 0\n {mark}\n}}\n");
        let question = format!("R(g) using {{ objective: {objective}, draws: alice }}");
        let certificate = certified(&source, &question).expect("an answer");
        let mut forged = json(&certificate.expect("a certificate"));
        assert!(proved(&forged), "{question}");
        assert_eq!(forged["claim"]["R"]["answer"], "1", "{question}");
        let level = serde_json::json!(["0"]);
        forged["claim"]["R"]["answer"] = "0".into();
        forged["proof"] = serde_json::json!({ "promises": {
            "high": level, "alice": { "potentials": level }, "bob": { "potentials": level },
        } });
        assert!(!proved(&forged), "{question}");
    }
}
