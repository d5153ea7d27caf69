//! Files that are not certificates, numbers out of range, and stopped work: nothing panics, nothing
//! hangs.

use bid::session::builtins;
use bid_language::watch::{Context, Guard, Stop};
use bid_verify::Failure;

use super::{certified, json, library, proved};
use crate::support;

#[test]
fn hostile_files_are_no_certificates() {
    let good = json(
        &certified(&library("tug"), "R(tug(2))")
            .expect("answered")
            .expect("written"),
    )
    .to_string();
    let deep = "[".repeat(100_000);
    let mut texts: Vec<Vec<u8>> = vec![
        vec![],
        b"null".to_vec(),
        b"{}".to_vec(),
        b"\xff\xfe".to_vec(),
        deep.clone().into_bytes(),
        good.replacen("[[", &deep, 1).into_bytes(),
        good.replacen("\"version\":2", "\"version\":99999999999999999999", 1)
            .into_bytes(),
        good.replacen("\"version\":2", "\"version\":2,\"version\":2", 1)
            .into_bytes(),
        good.replacen("\"1/2\"", &format!("\"1/{}\"", "7".repeat(200_000)), 1)
            .into_bytes(),
        good.replacen("\"1/2\"", "\"1/0\"", 1).into_bytes(),
        good.replacen("\"1/2\"", "\"2/4\"", 1).into_bytes(),
        format!("{good}x").into_bytes(),
        good.replacen("R(tug(2))", &"(".repeat(50_000), 1)
            .into_bytes(),
        good.replacen("R(tug(2))", "let f(x) = f(x + 1) in R(f(0))", 1)
            .into_bytes(),
        good.replacen("R(tug(2))", "R(tug(sum(0..9000000)))", 1)
            .into_bytes(),
        good.replacen("R(tug(2))", "show R(tug(2))", 1).into_bytes(),
        good.replacen("R(tug(2))", "R(nothing)", 1).into_bytes(),
        good.replacen("\"uses\":[]", "\"uses\":[0]", 1).into_bytes(),
    ];
    texts.extend(
        (0..good.len())
            .step_by(97)
            .map(|end| good.as_bytes()[..end].to_vec()),
    );
    for text in texts {
        let found = bid_verify::verify(&mut &text[..], &builtins(), &support::small().context());
        let shown = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
        assert!(
            matches!(found, Err(Failure::Malformed(_) | Failure::Stopped(_))),
            "{shown}: {found:?}"
        );
    }
}

/// Checks that chips in the millions, and listings that name positions out of range, are rejected
/// at once.
#[test]
fn hostile_numbers_end_at_once() {
    let good = json(
        &certified(&library("round"), "f(round, 3)")
            .expect("answered")
            .expect("written"),
    );
    for (path, value) in [
        ("/proof/sets/0/total", i64::from(i32::MAX)),
        ("/claim/f/totals/0", i64::from(i32::MAX)),
        ("/game/alice/0/0", i64::from(i32::MAX)),
        ("/game/alice/0/0", -1),
        ("/game/over/alice/0", 1 << 40),
        ("/question/loads/0", 1 << 50),
        ("/proof/sets/0/states/0/0/0", i64::from(i32::MIN)),
    ] {
        let mut mutant = good.clone();
        if let Some(slot) = mutant.pointer_mut(path) {
            *slot = value.into();
            assert!(!proved(&mutant), "{path}");
        }
    }
}

#[test]
fn the_check_can_be_stopped() {
    let stopped = Guard::default();
    stopped.interrupt();
    let good = json(
        &certified(&library("tug"), "R(tug(2))")
            .expect("answered")
            .expect("written"),
    )
    .to_string();
    assert_eq!(
        bid_verify::verify(&mut good.as_bytes(), &builtins(), &stopped.context()),
        Err(Failure::Stopped(Stop::Interrupted))
    );
    let certificate = bid_verify::read(&mut good.as_bytes(), Context::plain()).expect("read");
    assert_eq!(
        bid_verify::check(&certificate, &builtins(), &stopped.context()),
        Err(Failure::Stopped(Stop::Interrupted))
    );
}

/// Checks a certificate with more bids than can be tried: the check can be stopped, and purses
/// whose sum overflows are refused.
#[test]
fn guarantees_for_very_many_chips_are_stopped() {
    let question = "v(tug(2), 1, 1) using { pay: all_pay_bank, ties: ladies_first, draws: bob }";
    let good = json(
        &certified(&library("tug"), question)
            .expect("answered")
            .expect("written"),
    );
    let listed = good["proof"]["guarantees"].as_array().expect("a list");
    let start = listed
        .iter()
        .find(|turn| turn["position"] == 0 && turn["purses"]["alice"] == 1)
        .expect("the start");
    for (chips, stopped) in [(1_000_000_000, true), (2_000_000_000, false)] {
        let mut mutant = good.clone();
        let purses = serde_json::json!({ "alice": chips, "bob": chips, "holder": null });
        mutant["question"]["expression"] = question
            .replace("1, 1", &format!("{chips}, {chips}"))
            .into();
        mutant["claim"]["bounds"]["purses"] = purses.clone();
        let mut turn = start.clone();
        turn["purses"] = purses;
        mutant["proof"]["guarantees"] = serde_json::json!([turn]);
        let soon = Guard::of_steps(1_000);
        let found = bid_verify::verify(
            &mut mutant.to_string().as_bytes(),
            &builtins(),
            &soon.context(),
        );
        match found {
            Err(Failure::Stopped(_)) => assert!(stopped, "{chips}"),
            Err(Failure::Malformed(why)) => assert!(!stopped, "{chips}: {why}"),
            other => panic!("{chips}: {other:?}"),
        }
    }
}

/// Checks that thresholds far beyond the total, which a position is checked against before they are
/// checked themselves, are refused.
#[test]
fn thresholds_of_any_size_are_no_trouble() {
    let certificate = certified(&library("tug"), "f(tug(2), 5)");
    let good = json(&certificate.expect("answered").expect("written"));
    let rows = good["proof"]["half_chips"][0]["stairs"].as_array();
    let count = rows.expect("rows").len();
    assert!(count > 3);
    for (row, number) in (0..count).flat_map(|row| [i32::MAX, i32::MIN].map(|n| (row, n))) {
        let mut mutant = good.clone();
        mutant["proof"]["half_chips"][0]["stairs"][row] = serde_json::json!([0, number]);
        let found = bid_verify::verify(
            &mut mutant.to_string().as_bytes(),
            &builtins(),
            Context::plain(),
        );
        assert!(
            matches!(found, Err(Failure::Malformed(_) | Failure::Unproved(_))),
            "{row} {number}: {found:?}"
        );
    }
}
