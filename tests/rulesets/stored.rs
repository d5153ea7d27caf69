//! Sweeps with little memory: parts of their tables are on a disk; they are interrupted and
//! resumed, also on disks that lose written data.

use std::sync::atomic::Ordering;

use bid_game::ruleset::{Indexed, Ruleset};
use bid_language::diagnostic::{Code, Diagnostic};
use bid_language::rules::{Draws, Rules};
use bid_language::watch::{Context, Limits, Stop};
use bid_solve::positions::Numbered;
use bid_solve::richman;
use bid_solve::space::sweep::{Keep, Schedule};
use num_rational::BigRational;

use super::{classic, compiled, plain, try_compiled};
use crate::disk::{Memory, Tight};

pub fn indexed(ruleset: &Ruleset) -> Option<Indexed> {
    ruleset.indexed(Context::plain()).expect("nobody stops it")
}

pub fn value(
    ruleset: &Ruleset,
    indexed: &Indexed,
    rules: &Rules,
    context: &Context<'_>,
) -> Result<BigRational, Box<Diagnostic>> {
    let start = Numbered::new(ruleset, indexed, std::slice::from_ref(ruleset.start()));
    let swept = richman::RichmanSweep::solve(start, rules, context)?;
    Ok(swept
        .value(indexed, ruleset.start())
        .expect("it was asked for"))
}

/// Returns the least memory under which a sweep does not ask for more; the memory that it asks for
/// must be enough.
pub fn least_room(ruleset: &Ruleset, indexed: &Indexed, disk: Option<&Memory>) -> u64 {
    let room = 1 << 10;
    let refused = value(
        ruleset,
        indexed,
        &Rules::default(),
        &Tight::new(disk, room).context(),
    );
    let Err(refused) = refused else { return room };
    assert_eq!(refused.code, Code::Memory);
    let needed = refused
        .message
        .strip_prefix("this needs ")
        .and_then(|rest| rest.split_once(" of memory"));
    let needed = needed.expect("it says what it needs").0;
    let (number, unit) = needed.split_at(needed.len() - 1);
    let limit = number.parse::<u64>().expect("a number") << if unit == "K" { 10 } else { 20 };
    Limits {
        max_memory: limit,
        ..Limits::default()
    }
    .room()
}

/// The most checks for a stop that are made before the first block of a sweep is computed.
pub const SCHEDULING: u64 = 10;

/// Returns that memory to within a few bytes.
fn exact_room(width: usize, indexed: &Indexed, disk: Option<&Memory>) -> u64 {
    let room = 1 << 10;
    match Schedule::new(
        width,
        &indexed.numbering,
        Some(indexed),
        &Tight::new(disk, room).context(),
    ) {
        Ok(_) => room,
        Err(Stop::Shortage(shortage)) => Limits {
            max_memory: shortage.needed,
            ..Limits::default()
        }
        .room(),
        Err(stop) => panic!("nobody stops it: {stop:?}"),
    }
}

#[test]
fn random_rulesets_have_the_same_values_with_a_disk_and_packed_in_memory_and_without() {
    let (mut rulesets, mut spilled, mut packed) = (0, 0, 0);
    for seed in 0..600 {
        let Ok(ruleset) = try_compiled(&plain::falling::Writer::write(seed), &[2]) else {
            continue;
        };
        let Some(indexed) = indexed(&ruleset)
            .filter(|indexed| (1_000..60_000).contains(&indexed.numbering.positions()))
        else {
            continue;
        };
        let disk = Memory::default();
        let room = least_room(&ruleset, &indexed, Some(&disk));
        let rules = Rules {
            draws: [Draws::Half, Draws::Bob][seed as usize % 2],
            ..Rules::default()
        };
        let expected = value(&ruleset, &indexed, &rules, Context::plain()).expect("there is room");
        let tight = Tight::new(Some(&disk), room);
        let tight = if seed % 3 == 0 {
            tight.cautious()
        } else {
            tight
        };
        let found = value(&ruleset, &indexed, &rules, &tight.context());
        assert_eq!(
            found.expect("it said that this is enough"),
            expected,
            "seed {seed}"
        );
        // Without a disk, blocks that do not fit are packed in memory.
        let need = richman::sweep_need(&rules, &indexed.numbering)
            .expect("it has values")
            .expect("it is swept");
        let alone = Tight::new(None, exact_room(need.width, &indexed, None));
        let found = value(&ruleset, &indexed, &rules, &alone.context());
        assert_eq!(
            found.expect("it said that this is enough"),
            expected,
            "seed {seed}"
        );
        let schedule = Schedule::new(
            need.width,
            &indexed.numbering,
            Some(&indexed),
            &alone.context(),
        )
        .expect("it is enough");
        packed += usize::from(matches!(schedule.keep(), Keep::Few(_)));
        rulesets += 1;
        spilled += usize::from(disk.written.load(Ordering::Relaxed) > 0);
    }
    assert!(
        rulesets > 50 && spilled > 20,
        "{rulesets} rulesets, {spilled} of them with something on the disk"
    );
    assert!(packed > 20, "{packed} of {rulesets} with packed blocks");
}

/// Checks Connect Four on 4 × 4 with the memory that its sweep asks for, without a disk and with
/// one, and with a little less.
#[test]
fn what_is_needed_is_said_and_is_enough() {
    let ruleset = compiled(&classic("connect"), &[4, 4, 4]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let disk = Memory::default();
    let (alone, helped) = [None, Some(&disk)]
        .map(|disk| exact_room(4, &indexed, disk))
        .into();
    assert!(
        helped < alone && alone < 4 * indexed.numbering.positions(),
        "{helped} with a disk, {alone} without"
    );
    let rules = Rules::default();
    let expected = value(&ruleset, &indexed, &rules, Context::plain()).expect("there is room");
    for tight in [Tight::new(None, alone), Tight::new(Some(&disk), helped)] {
        assert_eq!(
            value(&ruleset, &indexed, &rules, &tight.context())
                .expect("it said that this is enough"),
            expected
        );
    }
    for tight in [
        Tight::new(None, alone - 64),
        Tight::new(Some(&disk), helped - 64),
    ] {
        assert_eq!(
            value(&ruleset, &indexed, &rules, &tight.context())
                .expect_err("that is too little")
                .code,
            Code::Memory
        );
    }
    assert!(disk.written.load(Ordering::Relaxed) > 0);
}

/// Checks that a sweep that is stopped again and again resumes its work each time.
#[test]
fn interrupted_sweeps_go_on() {
    let ruleset = compiled(&classic("connect"), &[4, 4, 4]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let rules = Rules::default();
    let expected = value(&ruleset, &indexed, &rules, Context::plain()).expect("there is room");
    let disk = Memory::default();
    let room = least_room(&ruleset, &indexed, Some(&disk));
    let mut runs = 1;
    let found = loop {
        let tight = Tight::new(Some(&disk), room).stopping_after(200);
        match value(&ruleset, &indexed, &rules, &tight.context()) {
            Ok(found) => break found,
            Err(stopped) => assert_eq!(stopped.code, Code::Time),
        }
        runs += 1;
        assert!(runs < 100, "every run comes further");
    };
    assert_eq!(found, expected);
    assert!(runs > 3, "{runs} runs");
    let again = Tight::new(Some(&disk), room).stopping_after(SCHEDULING);
    assert_eq!(
        value(&ruleset, &indexed, &rules, &again.context()).expect("nothing is left to do"),
        expected
    );
}

/// Returns a disk that was left in the middle of a sweep.
fn left(ruleset: &Ruleset, indexed: &Indexed) -> Memory {
    let disk = Memory::default();
    let room = least_room(ruleset, indexed, Some(&disk));
    let tight = Tight::new(Some(&disk), room).stopping_after(600);
    let stopped = value(ruleset, indexed, &Rules::default(), &tight.context())
        .expect_err("it is not done yet");
    assert_eq!(stopped.code, Code::Time);
    disk
}

/// Checks that a crash loses no table that was written, and that files of other kinds are removed.
#[test]
fn crashes_cost_no_more_than_the_work_since_the_last_save() {
    let ruleset = compiled(&classic("connect"), &[4, 4, 4]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let expected =
        value(&ruleset, &indexed, &Rules::default(), Context::plain()).expect("there is room");
    let disk = left(&ruleset, &indexed);
    let before = disk.files.lock().expect("no test panics here").clone();
    let room = least_room(&ruleset, &indexed, Some(&disk));
    let tight = Tight::new(Some(&disk), room).stopping_after(300);
    value(&ruleset, &indexed, &Rules::default(), &tight.context()).expect_err("it is not done yet");
    let mut files = disk.files.lock().expect("no test panics here");
    let manifest = before
        .iter()
        .find(|((_, file), _)| file == "manifest")
        .expect("it was saved");
    let folder = manifest.0.0.clone();
    let crashed = before
        .clone()
        .into_iter()
        .chain([((folder, "0000099999.blob".to_owned()), vec![7])]);
    *files = crashed.collect();
    drop(files);
    let found = value(
        &ruleset,
        &indexed,
        &Rules::default(),
        &Tight::new(Some(&disk), room).context(),
    );
    assert_eq!(found.expect("the files are whole"), expected);
    assert!(
        !disk.names().iter().any(|(_, file)| file.contains("99999")),
        "what is no table is cleared away"
    );
}

#[test]
fn what_is_damaged_is_made_anew() {
    let ruleset = compiled(&classic("connect"), &[4, 4, 4]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let expected =
        value(&ruleset, &indexed, &Rules::default(), Context::plain()).expect("there is room");
    let whole = left(&ruleset, &indexed);
    let room = least_room(&ruleset, &indexed, Some(&whole));
    let harms: [fn(&mut Vec<u8>); 3] = [
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        },
        Vec::clear,
    ];
    let files = whole.files.lock().expect("no test panics here").clone();
    let last = files
        .keys()
        .rev()
        .find(|(_, file)| file.ends_with("blob"))
        .expect("something is on the disk");
    let manifest = files
        .keys()
        .find(|(_, file)| file == "manifest")
        .expect("it was saved");
    for name in [last, manifest] {
        for harm in harms {
            let disk = Memory {
                files: files.clone().into(),
                ..Memory::default()
            };
            disk.change(name, harm);
            let found = value(
                &ruleset,
                &indexed,
                &Rules::default(),
                &Tight::new(Some(&disk), room).context(),
            );
            assert_eq!(found.expect("it begins anew"), expected, "{name:?}");
        }
    }
}

/// Checks that other work uses other folders, and that data of another game in this game's folder
/// is refused.
#[test]
fn foreign_checkpoints_are_refused() {
    let ruleset = compiled(&classic("connect"), &[4, 4, 4]);
    let other = compiled(&classic("connect"), &[3, 4, 4]);
    let (indexed, other_indexed) = (
        indexed(&ruleset).expect("columns"),
        indexed(&other).expect("columns"),
    );
    let (disk, foreign) = (left(&ruleset, &indexed), left(&other, &other_indexed));
    let folder = disk.names()[0].0.clone();
    assert_ne!(folder, foreign.names()[0].0);
    let moved = foreign
        .files
        .into_inner()
        .expect("no test panics here")
        .into_iter();
    let moved = Memory {
        files: moved
            .map(|((_, file), bytes)| ((folder.clone(), file), bytes))
            .collect::<std::collections::BTreeMap<_, _>>()
            .into(),
        ..Memory::default()
    };
    let room = least_room(&ruleset, &indexed, Some(&Memory::default()));
    let refused = value(
        &ruleset,
        &indexed,
        &Rules::default(),
        &Tight::new(Some(&moved), room).context(),
    );
    let refused = refused.expect_err("it is of another game");
    assert_eq!(refused.code, Code::Checkpoint);
    assert!(
        refused.message.contains("belongs to other work"),
        "{refused:?}"
    );
}
