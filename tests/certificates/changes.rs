//! Checks that certificates in which a number, a word or a part was changed prove nothing.

use bid_testing::{share, some};
use serde_json::Value;

use super::guarantees::recount;
use super::{QUESTIONS, certified, json, library, never, promises, proved, python};

/// Calls `visit` with the path of every value that is neither a list nor an object.
pub fn leaves(value: &Value, path: &mut Vec<String>, visit: &mut dyn FnMut(&str, &Value)) {
    let mut go = |key: String, inner: &Value| {
        path.push(key);
        leaves(inner, path, visit);
        path.pop();
    };
    match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| go(index.to_string(), item)),
        Value::Object(parts) => {
            parts
                .iter()
                .for_each(|(name, part)| go(name.replace('~', "~0").replace('/', "~1"), part));
        }
        leaf => visit(&format!("/{}", path.join("/")), leaf),
    }
}

/// Returns other values that could replace a value.
pub fn changes(path: &str, leaf: &Value) -> Vec<Value> {
    const WORDS: &[&str] = &[
        "alice",
        "bob",
        "draw",
        "forces",
        "unprevented",
        "chooses",
        "moves",
        "half",
        "richman",
        "marker",
    ];
    match leaf {
        Value::Number(number) => {
            let number = number.as_i64().expect("a whole number");
            [-1, 0, 1, 2, 7]
                .map(|other| {
                    Value::from(if other < 2 {
                        number + 2 * other - 1
                    } else {
                        other
                    })
                })
                .to_vec()
        }
        // The names of texts have no meaning, and a text or an expression with other words may have
        // the same meaning and thus the same proof.
        Value::String(_) if path.starts_with("/sources") || path == "/question/expression" => {
            Vec::new()
        }
        Value::String(text) => {
            let numbers = ["0", "1", "1/2", "3/4", "3*", "3"].map(str::to_owned);
            numbers
                .into_iter()
                .chain(WORDS.iter().map(|word| (*word).to_owned()))
                .chain([format!("1{text}")])
                .map(Value::from)
                .collect()
        }
        Value::Null => vec![Value::from("alice"), Value::from(0)],
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => panic!("no such leaf"),
    }
}

/// Returns `true` if a changed certificate also proves its claim, by other bounds, potentials,
/// ranks that go round, or chips that are counted. The tests recompute this, or the checker in
/// Python does.
fn still_holds(path: &str, mutant: &Value) -> bool {
    let goes_round = path.starts_with("/proof/sets/") && mutant["rules"].get("objective").is_some();
    path.starts_with("/proof/guarantees/") && path.ends_with("/bound") && recount::holds(mutant)
        || path.starts_with("/proof/promises/") && promises::holds(mutant)
        || never::is_of_the_set(path) && never::holds(mutant)
        || goes_round && python::status(mutant).is_none_or(|status| status == 0)
}

#[test]
fn every_changed_number_and_word_is_rejected() {
    let (mut changed, mut accepted) = (0, Vec::new());
    for question in some(QUESTIONS) {
        let certificate = json(
            &certified(&library(question), question)
                .expect("answered")
                .expect("written"),
        );
        if certificate.to_string().len() > 40_000 {
            continue;
        }
        let mut places = Vec::new();
        leaves(&certificate, &mut Vec::new(), &mut |path, leaf| {
            places.push((path.to_owned(), leaf.clone()))
        });
        // Large certificates are sampled evenly.
        let step = places.len().div_ceil(40);
        for (path, leaf) in places.iter().step_by(step) {
            for other in changes(path, leaf)
                .into_iter()
                .filter(|other| other != leaf)
            {
                let mut mutant = certificate.clone();
                *mutant.pointer_mut(path).expect("the path leads there") = other.clone();
                changed += 1;
                if proved(&mutant) && !still_holds(path, &mutant) {
                    accepted.push(format!("{question}: {path} {leaf} -> {other}"));
                }
            }
        }
    }
    assert!(changed > share(4_000), "only {changed} changes were tried");
    assert_eq!(accepted, Vec::<String>::new(), "of {changed} changes");
}

/// Checks that removed or repeated parts are rejected. The rules contain only fields that matter: a
/// rule for ties has no effect on values.
#[test]
fn what_is_left_out_or_doubled_is_rejected() {
    let mut removed = 0;
    for question in some(QUESTIONS) {
        let certificate = json(
            &certified(&library(question), question)
                .expect("answered")
                .expect("written"),
        );
        let mut places = Vec::new();
        collections(&certificate, "", &mut places);
        for path in places
            .iter()
            .filter(|path| !path.starts_with("/sources"))
            .take(40)
        {
            let whole = certificate.pointer(path).expect("the path leads there");
            let mut mutants = Vec::new();
            match whole {
                Value::Array(items) => {
                    for index in (0..items.len()).step_by(items.len().div_ceil(5).max(1)) {
                        let mut fewer = items.clone();
                        let item = fewer.remove(index);
                        mutants.push(Value::Array(fewer));
                        mutants.push(Value::Array([&items[..], &[item]].concat()));
                    }
                }
                Value::Object(parts) => {
                    for name in parts.keys() {
                        let mut fewer = parts.clone();
                        fewer.remove(name);
                        mutants.push(Value::Object(fewer));
                    }
                    let mut more = parts.clone();
                    more.insert("more".to_owned(), Value::from(1));
                    mutants.push(Value::Object(more));
                }
                _ => unreachable!("only lists and objects were looked for"),
            }
            for mutant in mutants.into_iter().filter(|mutant| mutant != whole) {
                let mut all = certificate.clone();
                *all.pointer_mut(path).expect("the path leads there") = mutant;
                removed += 1;
                assert!(
                    !proved(&all) || harmless(question, path, &all, &certificate),
                    "{question}: {path}: {all}"
                );
            }
        }
    }
    assert!(removed > share(1_000), "only {removed} were tried");
}

/// Returns `true` if a change is harmless: the texts that a question loads may be named twice, and
/// a `null` holder equals a missing one.
fn harmless(question: &str, path: &str, mutant: &Value, certificate: &Value) -> bool {
    let loads = path == "/question/loads";
    let holder = mutant.pointer(&format!("{path}/holder")).is_none()
        && certificate.pointer(&format!("{path}/holder")) == Some(&Value::Null);
    let unused = question.starts_with("R(A")
        || question.starts_with("R({")
        || question.starts_with("R(~")
        || question.starts_with("P(A");
    holder
        || loads
            && (unused
                || mutant["question"]["loads"]
                    .as_array()
                    .is_some_and(|loads| !loads.is_empty())
                || !question.contains("tug"))
}

fn collections(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            found.push(path.to_owned());
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| collections(item, &format!("{path}/{index}"), found));
        }
        Value::Object(parts) => {
            found.push(path.to_owned());
            parts
                .iter()
                .for_each(|(name, part)| collections(part, &format!("{path}/{name}"), found));
        }
        _ => {}
    }
    found.retain(|path| !path.is_empty());
}
