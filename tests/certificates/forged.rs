//! Forged certificates, in which a proof of one thing is passed off as a proof of another. Both
//! checkers reject each.

use bid_testing::{GraphShape, graphs, samples, share};
use rand::RngExt;
use serde_json::{Value, json as object};

use super::endless::marked;
use super::{certified, dice, json, proved, python, source};

/// Returns the certificate of a question, as JSON.
fn written(source: &str, question: &str) -> Value {
    let certificate = certified(source, question).unwrap_or_else(|| panic!("{question}"));
    let certificate = json(&certificate.unwrap_or_else(|why| panic!("{question}: {why:?}")));
    assert!(proved(&certificate), "{question}");
    certificate
}

/// Checks that both checkers reject some certificates.
fn rejected(forged: &[(String, Value)]) {
    for (about, certificate) in forged {
        assert!(!proved(certificate), "{about}: {certificate}");
    }
    // The checker in Python takes longer.
    let some = forged.iter().step_by(forged.len().div_ceil(200));
    let certificates: Vec<Value> = some.clone().map(|(_, forged)| forged.clone()).collect();
    for (code, (about, certificate)) in python::statuses(&certificates)
        .into_iter()
        .flatten()
        .zip(some)
    {
        assert_ne!(code, 0, "{about}: {certificate}");
    }
}

/// Changes the question and its claim, and keeps the proof.
fn asked(certificate: &Value, question: &str, claim: Value) -> Value {
    let mut forged = certificate.clone();
    forged["question"]["expression"] = question.into();
    forged["claim"] = claim;
    forged
}

const WEIGHTED: &str = "game g = graph {\n start 0\n both 0 -> 1, W, L\n both 1 -> 0, W, L\n \
                        weight -1: 0, 1\n win alice: W\n win bob: L\n}\n";

/// Checks that a win that is reached proves nothing under the energy objective, where the sum may
/// have fallen below 0 before.
#[test]
fn a_reached_win_is_no_proof_of_energy() {
    let reached = written(WEIGHTED, "R(g)");
    let energy = written(WEIGHTED, "f(g, 1) using { objective: energy }");
    let mut forged = Vec::new();
    for (question, claim) in [
        ("R(g)", object!({ "R": { "answer": "1/2" } })),
        ("P(g)", object!({ "P": { "coin": "1/2", "answer": "1/2" } })),
    ] {
        let question = format!("{question} using {{ objective: energy }}");
        let mut mutant = asked(&energy, &question, claim);
        mutant["proof"] = reached["proof"].clone();
        forged.push((question, mutant));
    }
    // A set by which Alice reaches a win, with and without the sums of another.
    let set = written(WEIGHTED, "f(g, 1) using { ties: marker }")["proof"]["sets"][0].clone();
    let energy = written(
        WEIGHTED,
        "g(1*, 0) using { objective: energy, ties: marker }",
    );
    for sums in [
        Value::Null,
        object!({ "scale": 1 }),
        object!({ "scale": 1, "most": 1 }),
    ] {
        let mut mutant = energy.clone();
        mutant["claim"]["outcome"]["answer"] = "alice".into();
        let mut set = set.clone();
        if !sums.is_null() {
            set["sums"] = sums;
        }
        mutant["proof"] = object!({ "sets": [set] });
        forged.push(("a set of a reached win".to_owned(), mutant));
    }
    rejected(&forged);
}

#[test]
fn sums_belong_to_objectives_of_weights() {
    let marks = "game g = graph {\n start 0\n both 0 -> 1, W, L\n both 1 -> 0, W, L\n \
                 priority 1: 0, 1\n accepting: 1\n win alice: W\n win bob: L\n}\n";
    let mut forged = Vec::new();
    for question in [
        "f(g, 2) using { ties: marker }",
        "f(g, bob: 1) using { ties: marker }",
        "g(1*, 1) using { ties: marker }",
        "f(g, 2) using { objective: parity }",
        "g(1*, 1) using { objective: buchi }",
    ] {
        let certificate = written(marks, question);
        let sets = certificate["proof"]["sets"].as_array().expect("sets").len();
        for (index, sums) in (0..sets).flat_map(|index| {
            [object!({ "scale": 1 }), object!({ "scale": 1, "most": 3 })].map(|sums| (index, sums))
        }) {
            let mut mutant = certificate.clone();
            mutant["proof"]["sets"][index]["sums"] = sums.clone();
            forged.push((format!("{question}: {sums}"), mutant));
            let mut mutant = certificate.clone();
            mutant["game"]["weights"] = object!({
                "alice": [["0", "0", "0"], ["0", "0", "0"], [], []],
                "bob": [["0", "0", "0"], ["0", "0", "0"], [], []],
            });
            forged.push((format!("{question}: weights"), mutant));
        }
    }
    rejected(&forged);
}

/// Checks that ranks do not go in circles, and that bounds are no more than 1 and no less than 0: in
/// a game that does not end no rank is right.
#[test]
fn ranks_do_not_go_in_circles() {
    let circle = "game g = graph {\n start 0\n both 0 -> 1\n both 1 -> 0\n}\n";
    let stay = "game g = graph {\n start 0\n alice 0 -> 0\n bob 0 -> L\n win bob: L\n}\n";
    let mut forged = Vec::new();
    for (source, question, claimed) in [
        (circle, "R(g)", "R"),
        (circle, "R(g) using { draws: alice }", "R"),
        (circle, "R(g) using { draws: half }", "R"),
        (circle, "P(g, 1/3)", "P"),
        (stay, "P(g, 1/2)", "P"),
        (stay, "P(~g, 1/2) using { draws: alice }", "P"),
    ] {
        let certificate = written(source, question);
        let coin = match (source == stay, question.contains('~')) {
            (true, is_conjugate) => ["1", "0"][usize::from(is_conjugate)],
            (false, _) => "1/3",
        };
        let last = certificate["proof"]["promises"]["high"]
            .as_array()
            .expect("values")
            .last()
            .expect("a position")
            .clone();
        for value in ["-1", "0", "1/4", "1/2", "3/4", "1", "2"] {
            let other = if source == circle {
                value.into()
            } else {
                last.clone()
            };
            let mut mutant = certificate.clone();
            let answer = match (claimed, value) {
                ("R", value) => value,
                (_, "-1") => "2",
                (_, "0") => "1",
                (_, "1/4") => "3/4",
                (_, "1/2") => "1/2",
                (_, "3/4") => "1/4",
                (_, "1") => "0",
                (_, _) => "-1",
            };
            if source == stay {
                mutant["question"]["expression"] = question.replace("1/2", coin).into();
                mutant["claim"]["P"]["coin"] = coin.into();
            }
            // The answers that are true: endless play is worth 0 to Alice, or to Bob.
            let draw = [("half", "1/2"), ("alice", "0")];
            let draw = draw.iter().find(|(word, _)| question.contains(word));
            if value == draw.map_or("1", |(_, draw)| draw) {
                continue;
            }
            mutant["claim"][claimed]["answer"] = answer.into();
            for (alice, bob) in (0..3).flat_map(|alice| (0..3).map(move |bob| (alice, bob))) {
                let rank = |number: i32| object!({ "ranks": [[number], [if source == circle { 3 - number } else { 0 }]] });
                let short = |number: i32| object!({ "ranks": [[number], []] });
                let row = |number| {
                    if source == circle {
                        rank(number)
                    } else {
                        short(number)
                    }
                };
                let both =
                    object!({ "high": [value, other], "alice": row(alice), "bob": row(bob) });
                for missing in [&[][..], &["alice"], &["bob"], &["alice", "bob"]] {
                    let mut proof = both.clone();
                    for name in missing {
                        proof.as_object_mut().expect("an object").remove(*name);
                    }
                    mutant["proof"] = object!({ "promises": proof });
                    forged.push((format!("{question} = {answer}"), mutant.clone()));
                }
            }
        }
    }
    assert!(forged.len() > 1_000);
    rejected(&forged);
}

/// Checks that the parts of promises stand where they belong.
#[test]
fn parts_of_promises_are_not_exchanged() {
    let graph = "game g = graph {\n start 0\n both 0 -> 0, 1\n both 1 -> 0, 2\n both 2 -> 1, 2\n \
                 priority 1: 0, 2\n priority 2: 1\n weight 1: 0, 1, 2\n accepting: 1\n}\n";
    let chain = "game g = graph {\n start 0\n both 0 -> 1\n both 1 -> 0, 2\n alice 2 -> W\n \
                 bob 2 -> L\n win alice: W\n win bob: L\n}\n";
    let mut forged = Vec::new();
    for (source, question) in [
        (chain, "R(g)"),
        (chain, "R(g) using { draws: alice }"),
        (chain, "R(g) using { pay: poorman }"),
        (chain, "P(g, 1/3)"),
        (graph, "R(g) using { objective: parity }"),
        (graph, "P(g, 1/3) using { objective: buchi }"),
        (graph, "R(g) using { objective: mean_payoff }"),
    ] {
        let certificate = written(source, question);
        let promises = &certificate["proof"]["promises"];
        let count = promises["high"].as_array().expect("values").len();
        let zeros = Value::from(vec!["0"; count]);
        let empty = Value::from(vec![Value::from(Vec::<i32>::new()); count]);
        let mut add = |what: &str, proof: Value| {
            if proof != *promises {
                let mut mutant = certificate.clone();
                mutant["proof"]["promises"] = proof;
                forged.push((format!("{question}: {what}"), mutant));
            }
        };
        for (name, other) in [("alice", "bob"), ("bob", "alice")] {
            let given = promises.get(name);
            for progress in [
                object!({ "potentials": zeros }),
                object!({ "ranks": empty }),
                object!({ "ranks": [] }),
                object!({}),
            ] {
                // Potentials belong to mean payoffs.
                let is_own = given.is_some()
                    && question.contains("mean")
                    && progress.get("potentials").is_some();
                let mut proof = promises.clone();
                proof[name] = progress;
                if !is_own {
                    add("another progress", proof);
                }
            }
            if let Some(given) = given {
                let mut proof = promises.clone();
                proof.as_object_mut().expect("an object").remove(name);
                add("none", proof.clone());
                proof[other] = given.clone();
                add("that of the other", proof);
            }
        }
        for pairs in [
            object!([[0, 0]]),
            object!([]),
            object!([[0, 1], [0, 0]]),
            object!([[0, 0], [1, 1]]),
        ] {
            let mut proof = promises.clone();
            proof["mirror"] = pairs;
            // The threshold 1/2 of position 0 makes it its own mirror image.
            if promises["high"][0] != "1/2"
                || question.contains("objective")
                || question.starts_with('P')
            {
                add("mirror", proof);
            }
        }
        for bound in ["-1", "2"] {
            let mut proof = promises.clone();
            proof["low"] = vec![bound; count].into();
            add("low", proof);
        }
    }
    rejected(&forged);
}

/// Checks that a proof under one rule for draws, payment, objective or coin is none under another,
/// if the answers differ.
#[test]
fn proofs_are_not_taken_from_other_rules() {
    let (mut dice, mut graphs) = (dice(8_128), samples(graphs(GraphShape::SMALL)));
    let mut forged = Vec::new();
    while forged.len() < share(1_200) {
        let graph = graphs.next().expect("there is no end of them");
        let objective = ["reachability", "buchi", "parity", "mean_payoff"][dice.random_range(0..4)];
        let source = match objective {
            "reachability" => source(&graph),
            _ => marked(&graph, &mut dice, objective),
        };
        let questions: Vec<String> = ["neither", "alice", "half"]
            .iter()
            .flat_map(|draws| {
                [
                    "R(g)",
                    "P(g)",
                    "P(g, 1)",
                    "P(g, 1/3)",
                    "f(g, 2)",
                    "f(g, bob: 1)",
                ]
                .map(|asked| format!("{asked} using {{ draws: {draws}"))
            })
            .flat_map(|asked| {
                ["richman", "poorman"]
                    .map(|pay| format!("{asked}, objective: {objective}, pay: {pay} }}"))
            })
            .collect();
        let certificates: Vec<Value> = questions
            .iter()
            .filter_map(|question| Some(json(&certified(&source, question)?.ok()?)))
            .collect();
        for (one, other) in certificates
            .iter()
            .flat_map(|one| certificates.iter().map(move |other| (one, other)))
        {
            let kind = |of: &Value| {
                of["claim"]
                    .as_object()
                    .and_then(|of| of.keys().next().cloned())
            };
            if kind(one) != kind(other)
                || one["claim"] == other["claim"]
                || dice.random_range(0..8) > 0
            {
                continue;
            }
            let mut mutant = one.clone();
            mutant["proof"] = other["proof"].clone();
            mutant["claim"] = other["claim"].clone();
            if kind(one).as_deref() == Some("P") {
                mutant["claim"]["P"]["coin"] = one["claim"]["P"]["coin"].clone();
                if mutant["claim"] == one["claim"] {
                    continue;
                }
            }
            forged.push((
                format!("{}\n{source}", one["question"]["expression"]),
                mutant,
            ));
        }
    }
    rejected(&forged);
}
