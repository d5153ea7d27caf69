//! Certificates of thresholds that lie between bounds: every written one is proved, and a changed
//! one is rejected exactly if it is not a proof any more.

use bid_testing::for_all;
use num_rational::BigRational;
use num_traits::One;
use rand::RngExt;
use serde_json::Value;

use super::promises::holds;
use super::{Tally, certified, dice, json, library, proved, sources};

const QUESTIONS: &[&str] = &[
    "R(tug(3) at 1) using { pay: poorman }",
    "R(tug(3) at 1) using { pay: taxman(1/3), draws: alice }",
    "R(tug(2) at 1) using { pay: poorman, solver: iteration }",
    "R(tug(3) at 1) using { solver: iteration, draws: alice }",
    "R(tug(3)) using { pay: poorman }",
    "R(tug(2)) using { pay: taxman(1/3), draws: alice }",
    "R(round) using { pay: taxman(2/5) }",
    "R(round) using { pay: poorman, draws: alice }",
    "R(ultimatum(2)) using { pay: taxman(1/2), winner: moves }",
];

#[test]
fn bounds_are_written_and_proved() {
    for question in QUESTIONS {
        let certificate = certified(&library(question), question)
            .unwrap_or_else(|| panic!("{question} has an answer"));
        let certificate = json(&certificate.unwrap_or_else(|why| panic!("{question}: {why:?}")));
        assert!(certificate["proof"].get("promises").is_some(), "{question}");
        assert!(holds(&certificate), "{question}");
        assert!(proved(&certificate), "{question}");
    }
}

#[test]
fn random_graphs_between_bounds() {
    let mut tally = Tally::default();
    for_all(300, sources(), |(source, seed)| {
        let mut dice = dice(seed);
        let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
        let pay = one_of(&[
            "poorman",
            "taxman(1/7)",
            "taxman(3/4)",
            "richman, solver: iteration",
        ]);
        let (winner, draws) = (
            one_of(&["chooses", "moves"]),
            one_of(&["neither", "alice", "bob"]),
        );
        let question = format!("R(g) using {{ pay: {pay}, winner: {winner}, draws: {draws} }}");
        if let Some(certificate) = tally.ask(&source, &question) {
            assert!(holds(&certificate), "{question}\n{source}");
        }
    });
    println!("{tally:#?}");
    for (kind, least) in [("between bounds", 20), ("R bounds", 20)] {
        assert!(
            tally.proved.get(kind).is_some_and(|count| *count >= least),
            "{kind}: {tally:#?}"
        );
    }
}

/// Changes every number of the bounds, by a little and by a lot.
#[test]
fn changed_bounds_are_rejected_unless_they_are_bounds() {
    let (mut rejected, mut still) = (0, 0);
    for question in QUESTIONS {
        let mut certificate = json(
            &certified(&library(question), question)
                .expect("answered")
                .expect("written"),
        );
        // Values are written once, and may be given as both bounds.
        let proof = &mut certificate["proof"]["promises"];
        if proof.get("low").is_none() {
            proof["low"] = proof["high"].clone();
        }
        let mut places = Vec::new();
        for part in ["/claim", "/proof"] {
            let whole = certificate.pointer(part).expect("a part");
            super::changes::leaves(whole, &mut Vec::new(), &mut |path, leaf| {
                places.push((format!("{part}{path}"), leaf.clone()));
            });
        }
        for (path, leaf) in places {
            for other in nudged(&leaf) {
                let mut mutant = certificate.clone();
                *mutant.pointer_mut(&path).expect("the path leads there") = other.clone();
                let right = holds(&mutant);
                assert_eq!(
                    proved(&mutant),
                    right,
                    "{question}: {path}: {leaf} -> {other}"
                );
                if right { still += 1 } else { rejected += 1 }
            }
        }
    }
    println!("{rejected} rejected, {still} still true");
    assert!(
        rejected > 200 && still > 10,
        "{rejected} rejected, {still} still true"
    );
}

pub fn nudged(leaf: &Value) -> Vec<Value> {
    if let Some(number) = leaf.as_i64() {
        return [-1, 0, 1, 2, 3]
            .into_iter()
            .filter(|other| *other != number)
            .map(Value::from)
            .collect();
    }
    let number = fraction(leaf);
    let tiny = BigRational::new(1.into(), num_bigint::BigInt::from(1) << 50);
    let half = BigRational::new(1.into(), 2.into());
    let others = [
        &number + &tiny,
        &number - &tiny,
        &number * &half,
        (&number + BigRational::one()) * half,
    ];
    others
        .into_iter()
        .filter(|other| *other != number)
        .map(|other| Value::from(other.to_string()))
        .collect()
}

pub fn fraction(value: &Value) -> BigRational {
    value.as_str().expect("a text").parse().expect("a fraction")
}
