//! Certificates of bounds of all-pay bidding on cycles: every answer on random graphs is written
//! and proved, and no changed number is.

pub mod recount;

use std::collections::BTreeMap;

use bid_language::diagnostic::Code;
use bid_testing::{GraphShape, PlainGraph, for_all, graphs, samples, share};
use num_rational::BigRational;
use proptest::strategy::Strategy;
use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::Value;

use super::changes::{changes, leaves};
use super::{certified, dice, json, proved, source, verify};

/// Generates graphs with cycles, with draws and without, and a seed for the question.
fn cases() -> impl Strategy<Value = ([PlainGraph; 2], u64)> {
    let shape = |draws| {
        graphs(GraphShape {
            positions: 1..=4,
            cycles: 1.0,
            draws,
            ..GraphShape::SMALL
        })
    };
    ([0.0, 0.4].map(shape), 0..u64::MAX)
}

/// Draws a question under random rules of all-pay bidding, about the graph that fits them.
fn question([decided, drawn]: &[PlainGraph; 2], dice: &mut StdRng) -> (String, String) {
    let draws = ["neither", "half", "alice", "bob"][dice.random_range(0..4)];
    let source = source(if draws == "neither" { decided } else { drawn });
    let ties = [
        "advantage",
        "marker",
        "make_it_take_it",
        "losers_ball",
        "ladies_first",
        "gentlemen_first",
        "richer",
        "coin",
    ][dice.random_range(0..8)];
    let status = ["advantage", "marker", "make_it_take_it", "losers_ball"].contains(&ties);
    let [a, b] = [0, 1].map(|_| dice.random_range(0..=3));
    let purses = match dice.random_range(0..2) {
        0 if status => format!("{a}*, {b}"),
        _ if status => format!("{a}, {b}*"),
        _ => format!("{a}, {b}"),
    };
    let pay = ["all_pay", "all_pay_bank"][dice.random_range(0..2)];
    let winner = ["chooses", "chooses", "moves"][dice.random_range(0..3)];
    let query = ["v", "v", "nash"][dice.random_range(0..3)];
    (
        source,
        format!(
            "{query}(g, {purses}) using {{ pay: {pay}, ties: {ties}, winner: {winner}, draws: {draws} }}"
        ),
    )
}

fn fraction(text: &Value) -> Option<BigRational> {
    text.as_str()?.parse().ok()
}

/// Checks that every answer has a certificate, under all rules.
#[test]
fn bounds_on_cycles_are_proved() {
    let mut kinds = BTreeMap::<&str, usize>::new();
    for_all(share(400), cases(), |(graphs, seed)| {
        let (source, question) = question(&graphs, &mut dice(seed));
        let Some(certificate) = certified(&source, &question) else {
            return;
        };
        let certificate = match certificate {
            Ok(certificate) => json(&certificate),
            Err(why) => {
                assert!(
                    why.code == Code::NotSupported && why.message.contains("over before it begins"),
                    "{question}\n{source}\n{why:?}"
                );
                return;
            }
        };
        verify(&certificate).unwrap_or_else(|why| panic!("{question}\n{source}\n{why:?}"));
        assert!(
            certificate["proof"].get("guarantees").is_none() || recount::holds(&certificate),
            "{question}\n{source}"
        );
        let claim = if question.starts_with("nash") {
            "nash"
        } else {
            "bounds"
        };
        *kinds.entry(claim).or_default() += 1;
        let [low, high] = ["low", "high"]
            .map(|bound| fraction(&certificate["claim"][claim][bound]).expect("a fraction"));
        assert!(low <= high, "{question}\n{source}");
        let kind = if low < high {
            "bounds apart"
        } else if low.is_integer() {
            "0 or 1"
        } else {
            "between"
        };
        *kinds.entry(kind).or_default() += 1;
    });
    println!("{kinds:?}");
    let answered: usize = ["bounds apart", "0 or 1", "between"]
        .iter()
        .filter_map(|kind| kinds.get(kind))
        .sum();
    assert!(answered > share(380), "only {answered}");
    for (kind, least) in [
        ("bounds apart", 10),
        ("0 or 1", 100),
        ("between", 5),
        ("nash", 50),
    ] {
        assert!(
            kinds.get(kind).is_some_and(|count| *count >= share(least)),
            "{kind}: {kinds:?}"
        );
    }
}

/// Changes every number and word of some certificates. A bound that is worse for the player than
/// the proved one is also true. If no other part depends on it, as this test recomputes, the
/// certificate is accepted; no other changed certificate is.
#[test]
fn changed_guarantees_are_rejected() {
    let mut cases = samples(cases());
    let (mut tried, mut weaker, mut certificates) = (0, 0, 0);
    while certificates < share(16) {
        let (graphs, seed) = cases.next().expect("there is no end of them");
        let (source, question) = question(&graphs, &mut dice(seed));
        let Some(Ok(certificate)) = certified(&source, &question) else {
            continue;
        };
        let certificate = json(&certificate);
        let turns = certificate["proof"]["guarantees"]
            .as_array()
            .map_or(0, Vec::len);
        let ranked = certificate.to_string().contains("\"rank\":2");
        if !(3..=40).contains(&turns) || !ranked && certificates % 2 == 0 {
            continue;
        }
        certificates += 1;
        let mut places = Vec::new();
        leaves(&certificate, &mut Vec::new(), &mut |path, leaf| {
            places.push((path.to_owned(), leaf.clone()))
        });
        let step = places.len().div_ceil(150);
        for (path, leaf) in places.iter().skip(certificates % step).step_by(step) {
            for other in changes(path, leaf)
                .into_iter()
                .filter(|other| other != leaf)
            {
                let mut mutant = certificate.clone();
                *mutant.pointer_mut(path).expect("the path leads there") = other.clone();
                tried += 1;
                let right = path.starts_with("/proof/guarantees/")
                    && path.ends_with("/bound")
                    && recount::holds(&mutant);
                assert_eq!(
                    proved(&mutant),
                    right,
                    "{question}\n{source}\n{path}: {leaf} -> {other}"
                );
                weaker += usize::from(right);
            }
        }
    }
    println!("{tried} changes, {weaker} of them to weaker bounds that nothing rests on");
    assert!(
        tried > share(8_000) && weaker * 20 < tried,
        "{tried} {weaker}"
    );
}
