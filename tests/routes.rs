//! Checks that every method leads to the same answer.
//!
//! A question is drawn at random: a game (a ruleset, a graph with cycles, an expression), rules
//! with any of their fields, and any query. It is asked in every way: by a sweep, by layers, by
//! exploring, on a graph written out by an interpreter that reads only the lines of the game, with
//! symmetric positions merged and not, on one thread, with little memory and a disk, with the
//! players' roles exchanged twice, after other questions. All answers must be equal, or all must be
//! refusals.
//!
//! `ROUTES_SECONDS=3600 cargo test --release routes:: -- --nocapture` runs for this long and prints
//! the questions.

mod games;
mod questions;
mod ways;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bid_testing::share;
use rand::SeedableRng;
use rand::rngs::StdRng;

use games::Game;
use questions::{Compared, Question};
use ways::{Answer, Way};

/// The number of questions in the suite.
const SUITE: u64 = 600;

/// The questions and their results.
#[derive(Debug, Default)]
struct Tally {
    questions: u64,
    asked: u64,
    answered: u64,
    refused: u64,
    stopped: u64,
    /// The number of answers and refusals, by query.
    by_query: BTreeMap<&'static str, [u64; 2]>,
    /// The number of comparisons, by way.
    by_way: BTreeMap<&'static str, u64>,
    differences: Vec<String>,
}

/// Asks one question in every way, and records differences.
fn compare(seed: u64, tally: &mut Tally) {
    let mut dice = StdRng::seed_from_u64(seed);
    let game = Game::random(&mut dice);
    let question = Question::random(&mut dice, &game);
    let earlier: Vec<String> = (0..3)
        .map(|_| Question::random(&mut dice, &game).text)
        .collect();
    if std::env::var_os("ROUTES_VERBOSE").is_some() {
        eprintln!("seed {seed}: {}, after {earlier:?}", question.text);
    }
    let mut ways = Way::all(&game);
    if question.compared == Compared::Text {
        ways.retain(|way| way.keeps_names(&game));
    }
    if question.query.starts_with("bounds") {
        // Bounds may rest on the labels of vertices that are not reached.
        ways.retain(|way| *way != Way::Surrounded);
    }
    let answers: Vec<(Way, Answer)> = ways
        .into_iter()
        .map(|way| (way, way.ask(&game, &question.text, &earlier)))
        .collect();
    if answers.iter().any(|(_, answer)| answer.is_no_game()) {
        return;
    }
    tally.questions += 1;
    tally.asked += answers.len() as u64;
    let Some((_, first)) = answers
        .iter()
        .find(|(_, answer)| !matches!(answer, Answer::Stopped))
    else {
        tally.stopped += 1;
        return;
    };
    let counts = tally.by_query.entry(question.query).or_default();
    match first {
        Answer::Value(_) => {
            tally.answered += 1;
            counts[0] += 1;
        }
        Answer::Refused { .. } | Answer::Stopped | Answer::Broken => {
            tally.refused += 1;
            counts[1] += 1;
        }
    }
    for (way, answer) in &answers {
        if !matches!(answer, Answer::Stopped) {
            *tally.by_way.entry(way.name()).or_default() += 1;
        }
        let shape_decides =
            question.depends_on_shape() && (first.is_unsupported() || answer.is_unsupported());
        if !first.agrees(answer) && !shape_decides {
            let all: Vec<String> = answers
                .iter()
                .map(|(way, answer)| format!("{}: {answer:?}", way.name()))
                .collect();
            let asked = format!("{}{}", game.definition(), way.definition(&game));
            tally.differences.push(format!(
                "seed {seed}: {}\n{asked}\n{}",
                question.text,
                all.join("\n")
            ));
            return;
        }
    }
}

#[test]
fn every_way_leads_to_the_same_answer() {
    let seconds = std::env::var("ROUTES_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .map(Duration::from_secs);
    let first: u64 = std::env::var("ROUTES_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let (begun, mut tally) = (Instant::now(), Tally::default());
    for seed in first.. {
        let over = match seconds {
            Some(seconds) => begun.elapsed() >= seconds,
            None => tally.questions >= share(SUITE),
        };
        if over || tally.differences.len() >= 20 {
            break;
        }
        compare(seed, &mut tally);
    }
    println!("{tally:#?}");
    assert!(
        tally.differences.is_empty(),
        "{} differences:\n{}",
        tally.differences.len(),
        tally.differences.join("\n\n")
    );
    assert!(
        tally.answered > tally.questions / 4,
        "too little was answered: {tally:#?}"
    );
}
