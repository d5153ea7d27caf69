//! Sweeps that processes share by a disk: cut into batches, computed in any order that their
//! dependencies allow, interrupted, damaged, and finished by one process.

use bid_game::ruleset::{Indexed, Ruleset};
use bid_language::diagnostic::{Code, Diagnostic};
use bid_language::rules::{Draws, Rules};
use bid_language::watch::{Batch, Context, Cut, Sharing, WorkShare, longest_chain};
use num_rational::BigRational;
use rand::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::stored::{SCHEDULING, indexed, least_room, value};
use super::{classic, compiled, plain, try_compiled};
use crate::disk::{Memory, SharedMemory, Tight};

/// A question whose sweep processes share.
struct Shared<'a> {
    ruleset: &'a Ruleset,
    indexed: &'a Indexed,
    rules: &'a Rules,
    disk: &'a Memory,
    room: u64,
}

/// The end of a question: its value or why there is none, and the share that was done.
struct Ended {
    value: Result<BigRational, Box<Diagnostic>>,
    done: Option<Option<Cut>>,
}

impl Ended {
    fn refusal(self) -> Box<Diagnostic> {
        assert!(self.done.is_none());
        self.value.expect_err("it is refused")
    }
}

impl<'a> Shared<'a> {
    /// Shares a sweep on a disk, with the least room for it.
    fn new(ruleset: &'a Ruleset, indexed: &'a Indexed, rules: &'a Rules, disk: &'a Memory) -> Self {
        Self {
            ruleset,
            indexed,
            rules,
            disk,
            room: least_room(ruleset, indexed, Some(disk)),
        }
    }

    /// Asks the question in a process that does this share, and is stopped after some checks.
    fn ask_for(&self, share: WorkShare, looks: u64) -> Ended {
        let disk = SharedMemory {
            disk: self.disk,
            sharing: Sharing::default(),
        };
        disk.sharing.set(share);
        let tight = Tight::new(None, self.room).stopping_after(looks);
        let context = Context {
            disk: Some(&disk),
            ..tight.context()
        };
        let value = value(self.ruleset, self.indexed, self.rules, &context);
        let done = disk.sharing.done();
        Ended { value, done }
    }

    fn ask(&self, share: WorkShare) -> Ended {
        self.ask_for(share, u64::MAX / 60_000)
    }

    /// Returns the batches that are missing, cut so that there are at least `count` if the sweep
    /// has so many blocks; `None` if nothing is missing.
    fn cut(&self, count: usize) -> Option<Cut> {
        let mut seconds = 1.0;
        loop {
            let cut = self.ask(WorkShare::Cut(Some(seconds))).done??;
            if cut.batches.len() >= count || seconds < 1e-9 {
                return Some(cut);
            }
            seconds /= 2.0;
        }
    }

    fn work(&self, cut: &Cut, place: usize) -> Ended {
        self.ask(work_on(cut, place))
    }

    fn answer(&self) -> BigRational {
        self.ask(WorkShare::Answer)
            .value
            .expect("all is worked out")
    }
}

fn work_on(cut: &Cut, place: usize) -> WorkShare {
    WorkShare::Work(cut.sweep.clone(), cut.batches[place].blocks.clone())
}

/// Computes the batches in a random order that their dependencies allow, some of them twice.
fn work_in_some_order(shared: &Shared<'_>, cut: &Cut, dice: &mut StdRng) {
    let mut left: Vec<usize> = (0..cut.batches.len()).collect();
    let mut done = vec![false; left.len()];
    while !left.is_empty() {
        let ready = |place: &usize| cut.batches[*place].after.iter().all(|before| done[*before]);
        let ready: Vec<usize> = left.iter().copied().filter(ready).collect();
        let next = *ready
            .choose(dice)
            .expect("the first ones depend on no others");
        for _ in 0..dice.random_range(1..=2) {
            assert_eq!(shared.work(cut, next).done, Some(None), "batch {next}");
        }
        done[next] = true;
        left.retain(|place| *place != next);
    }
}

/// Checks that no block is in two batches, and that each batch comes after those from which it is
/// computed.
fn is_a_cut(batches: &[Batch]) {
    for (place, batch) in batches.iter().enumerate() {
        assert!(batch.after.iter().all(|before| *before < place));
        assert!(!batch.blocks.is_empty() && batch.seconds > 0.0);
        assert!(batch.blocks.is_sorted_by(|a, b| a < b));
    }
    let mut blocks: Vec<&usize> = batches.iter().flat_map(|batch| &batch.blocks).collect();
    blocks.sort_unstable();
    assert!(
        blocks.is_sorted_by(|a, b| a < b),
        "no block is in two batches"
    );
    let chain = longest_chain(batches);
    assert!((1..=batches.len()).contains(&chain), "{chain}");
}

fn question(rows: i64, columns: i64, goal: i64) -> (Ruleset, Indexed, BigRational) {
    let ruleset = compiled(&classic("connect"), &[goal, rows, columns]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let expected =
        value(&ruleset, &indexed, &Rules::default(), Context::plain()).expect("there is room");
    (ruleset, indexed, expected)
}

#[test]
fn sweeps_in_batches_have_the_values_of_sweeps_alone() {
    let mut dice = StdRng::seed_from_u64(39);
    let mut several = 0;
    for (rows, columns, goal) in [
        (2, 3, 2),
        (3, 3, 3),
        (2, 5, 3),
        (4, 3, 3),
        (3, 4, 3),
        (4, 4, 4),
    ] {
        let (ruleset, indexed, expected) = question(rows, columns, goal);
        // Room for a block and what it needs, for all that is needed at one time, and for all.
        for times in [1, 2, 4, 8, 1 << 20] {
            let disk = Memory::default();
            let room = least_room(&ruleset, &indexed, Some(&disk)) * times;
            let shared = Shared {
                ruleset: &ruleset,
                indexed: &indexed,
                rules: &Rules::default(),
                disk: &disk,
                room,
            };
            let cut = shared.cut(12).expect("nothing is there yet");
            is_a_cut(&cut.batches);
            several += usize::from(cut.batches.len() >= 6);
            work_in_some_order(&shared, &cut, &mut dice);
            assert_eq!(shared.cut(1), None, "nothing is missing");
            assert_eq!(shared.answer(), expected, "{rows} {columns} {goal}");
            // What is there is enough for one process too, at once.
            let alone = Tight::new(Some(&disk), room).stopping_after(SCHEDULING);
            let found = value(&ruleset, &indexed, &Rules::default(), &alone.context());
            assert_eq!(found.expect("nothing is left to do"), expected);
        }
    }
    assert!(several >= 6, "{several} sweeps in several batches");
}

#[test]
fn random_rulesets_have_the_same_values_in_batches() {
    let mut dice = StdRng::seed_from_u64(40);
    let (mut rulesets, mut several) = (0, 0);
    for seed in 0..300 {
        let Ok(ruleset) = try_compiled(&plain::falling::Writer::write(seed), &[2]) else {
            continue;
        };
        let Some(indexed) = indexed(&ruleset)
            .filter(|indexed| (1_000..60_000).contains(&indexed.numbering.positions()))
        else {
            continue;
        };
        let rules = &Rules {
            draws: [Draws::Half, Draws::Bob][seed as usize % 2],
            ..Rules::default()
        };
        let disk = Memory::default();
        let shared = Shared::new(&ruleset, &indexed, rules, &disk);
        let cut = shared.cut(5).expect("nothing is there yet");
        is_a_cut(&cut.batches);
        work_in_some_order(&shared, &cut, &mut dice);
        let expected = value(&ruleset, &indexed, rules, Context::plain()).expect("there is room");
        assert_eq!(shared.answer(), expected, "seed {seed}");
        rulesets += 1;
        several += usize::from(cut.batches.len() >= 3);
    }
    assert!(
        rulesets > 25 && several > 10,
        "{rulesets} rulesets, {several} in several batches"
    );
}

/// Stops processes in the middle of their batches, and lets others go on; at last one process
/// finishes alone.
#[test]
fn interrupted_batches_go_on() {
    let (ruleset, indexed, expected) = question(4, 4, 4);
    let (disk, rules) = (Memory::default(), &Rules::default());
    let (ruleset, indexed) = (&ruleset, &indexed);
    let shared = Shared::new(ruleset, indexed, rules, &disk);
    let mut stopped = 0;
    let cut = shared.cut(6).expect("nothing is there yet");
    for place in 0..cut.batches.len() / 2 {
        let mut looks = 100;
        loop {
            let ended = shared.ask_for(work_on(&cut, place), looks);
            if ended.done == Some(None) {
                break;
            }
            assert_eq!(ended.value.expect_err("it is not done").code, Code::Time);
            stopped += 1;
            looks += 20;
            assert!(looks < 5000, "every run comes further");
        }
    }
    assert!(stopped > 3, "{stopped}");
    let missing = shared.cut(6).expect("half of it is missing");
    let seconds = |cut: &Cut| cut.batches.iter().map(|batch| batch.seconds).sum::<f64>();
    assert!(seconds(&missing) < seconds(&cut), "it goes on");
    let refused = shared.ask(WorkShare::Answer).refusal();
    assert_eq!(refused.code, Code::Checkpoint);
    assert!(
        refused.message.contains("batches of the sweep are missing"),
        "{refused:?}"
    );
    let before = disk.names().len();
    let alone = Tight::new(Some(&disk), shared.room);
    let found = value(ruleset, indexed, rules, &alone.context());
    assert_eq!(found.expect("it goes on"), expected);
    assert!(disk.names().len() < before, "what is not needed is removed");
    assert_eq!(shared.answer(), expected);
}

#[test]
fn a_damaged_table_is_named_and_worked_out_anew() {
    let (ruleset, indexed, expected) = question(4, 4, 4);
    let (disk, rules) = (Memory::default(), &Rules::default());
    let (ruleset, indexed) = (&ruleset, &indexed);
    let shared = Shared::new(ruleset, indexed, rules, &disk);
    let cut = shared.cut(12).expect("nothing is there yet");
    let last = cut.batches.len() - 1;
    (0..last).for_each(|place| assert_eq!(shared.work(&cut, place).done, Some(None)));
    let mut named = 0;
    for table in disk
        .names()
        .into_iter()
        .filter(|(_, file)| file.ends_with(".blob"))
    {
        disk.change(&table, |bytes| bytes[9] ^= 1);
        let ended = shared.work(&cut, last);
        if ended.done.is_none() {
            let refused = ended.refusal();
            assert_eq!(refused.code, Code::Checkpoint);
            assert!(
                refused.message.contains("is not what was written"),
                "{refused:?}"
            );
            named += 1;
            break;
        }
    }
    assert_eq!(named, 1);
    let again = shared.cut(12).expect("a table is missing");
    assert!(
        again.batches.len() > 1,
        "it is computed before the last batch"
    );
    (0..again.batches.len())
        .for_each(|place| assert_eq!(shared.work(&again, place).done, Some(None)));
    assert_eq!(shared.answer(), expected);
}

#[test]
fn shares_of_other_work_are_refused() {
    let (ruleset, indexed, _) = question(4, 3, 3);
    let (other_ruleset, other_indexed, _) = question(3, 4, 3);
    let (disk, rules) = (Memory::default(), &Rules::default());
    let shared = Shared::new(&ruleset, &indexed, rules, &disk);
    let cut = shared.cut(4).expect("nothing is there yet");
    let nowhere = Memory::default();
    let blind = Shared {
        disk: &nowhere,
        ..shared
    };
    let refused = blind.work(&cut, 0).refusal();
    assert!(
        refused.message.contains("there is no folder of this sweep"),
        "{refused:?}"
    );
    assert_eq!(
        nowhere.names(),
        [],
        "nothing is written where the others do not see it"
    );
    let shared = Shared {
        disk: &disk,
        ..blind
    };
    let other = Shared {
        ruleset: &other_ruleset,
        indexed: &other_indexed,
        ..shared
    };
    other.cut(4).expect("nothing is there yet");
    let refused = other.work(&cut, 0).refusal();
    assert!(
        refused
            .message
            .contains("the batch belongs to another sweep"),
        "{refused:?}"
    );

    let manifest = (cut.sweep.clone(), "manifest".to_owned());
    let seal = |text: &[u8]| [format!("{:016x}\n", xxh3_64(text)).as_bytes(), text].concat();
    let original = disk.files.lock().expect("no test panics here")[&manifest].clone();
    for (from, to, message) in [
        (
            "tables of revision",
            "tables of version",
            "the checkpoint was made by",
        ),
        ("sweep of rows", "sweep of columns", "belongs to other work"),
    ] {
        let text = String::from_utf8(original[17..].to_vec()).expect("a text");
        disk.change(&manifest, |bytes| {
            *bytes = seal(text.replace(from, to).as_bytes())
        });
        let shared = Shared {
            ruleset: &ruleset,
            indexed: &indexed,
            ..other
        };
        let refused = shared.work(&cut, 0).refusal();
        assert!(refused.message.contains(message), "{refused:?}");
    }
    disk.change(&manifest, |bytes| bytes[40] ^= 1);
    let shared = Shared {
        ruleset: &ruleset,
        indexed: &indexed,
        ..other
    };
    let refused = shared.work(&cut, 0).refusal();
    assert!(
        refused.message.contains("manifest is not what was written"),
        "{refused:?}"
    );
}
