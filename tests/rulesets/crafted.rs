//! Crafted checkpoints: manifests and tables with correct checksums and false contents. Their work
//! is done again; nothing panics, and no inconsistent data is taken for a result.

use bid_game::ruleset::Ruleset;
use bid_language::rules::Rules;
use bid_language::watch::Context;
use bid_solve::positions::Layered;
use bid_solve::richman;
use bid_solve::space::store::{pack, unpack};
use bid_testing::{share, some};
use num_rational::BigRational;
use serde_json::Value;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::layers::pawns;
use super::stored::{indexed, least_room, value};
use super::{classic, compiled};
use crate::disk::{Memory, Tight};

type Name = (String, String);

/// Numbers that replace others.
const NUMBERS: [u64; 6] = [0, 1, 1 << 31, 1 << 32, 1 << 63, u64::MAX];

/// A change of a value of a manifest, with its name.
type Change = (String, fn(&mut Value, u64));

/// Work that was left on a disk in the middle.
struct Left<'a> {
    disk: Memory,
    answer: &'a dyn Fn(&Memory) -> BigRational,
    expected: BigRational,
}

impl Left<'_> {
    fn names(&self, is_manifest: bool) -> Vec<Name> {
        self.disk
            .names()
            .into_iter()
            .filter(|(_, file)| (file == "manifest") == is_manifest)
            .collect()
    }

    fn manifest(&self, name: &Name) -> Value {
        let files = self.disk.files.lock().expect("no test panics here");
        serde_json::from_slice(&files[name][17..]).expect("it was written")
    }

    fn copy(&self) -> Memory {
        Memory {
            files: self
                .disk
                .files
                .lock()
                .expect("no test panics here")
                .clone()
                .into(),
            ..Memory::default()
        }
    }

    /// Returns the disk with another manifest, sealed.
    fn with(&self, name: &Name, manifest: &Value) -> Memory {
        let disk = self.copy();
        disk.change(name, |bytes| {
            let text = serde_json::to_vec(manifest).expect("it can be written");
            *bytes = [format!("{:016x}\n", xxh3_64(&text)).into_bytes(), text].concat();
        });
        disk
    }

    /// Returns the disk with another table of the work of a manifest, sealed.
    fn with_table(&self, name: &Name, manifest: &Value, harm: fn(&mut Vec<u8>)) -> Memory {
        let disk = self.copy();
        disk.change(name, |bytes| {
            let mut changed = (0..1 << 20)
                .find_map(|count| unpack::<u8>(&bytes[8..], count))
                .expect("it was packed");
            harm(&mut changed);
            let packed = pack(&changed);
            let identity = manifest["identity"].as_str().expect("a text");
            let seed = xxh3_64_with_seed(name.1.as_bytes(), xxh3_64(identity.as_bytes()));
            let sum = xxh3_64_with_seed(&packed, seed).to_le_bytes();
            *bytes = [&sum[..], &packed].concat();
        });
        disk
    }

    /// Asks with each manifest changed; returns the number of questions.
    fn survives(&self, what: &str, changes: &[Change], places: fn(&Value) -> bool) -> usize {
        let mut asked = 0;
        for name in self.names(true) {
            let manifest = self.manifest(&name);
            let mut found = Vec::new();
            pointers(&manifest["state"], "/state", places, &mut found);
            let step = found.len().div_ceil(24).max(1);
            for place in some(found.iter().step_by(step)) {
                for (turn, (title, change)) in changes.iter().enumerate() {
                    let mut crafted = manifest.clone();
                    change(
                        crafted.pointer_mut(place).expect("it is there"),
                        NUMBERS[turn % NUMBERS.len()],
                    );
                    let answer = (self.answer)(&self.with(&name, &crafted));
                    assert_eq!(
                        answer, self.expected,
                        "{what}: {place} {title} in {}",
                        crafted["state"]
                    );
                    asked += 1;
                }
            }
        }
        asked
    }
}

/// Collects the paths of the wanted values in a document.
fn pointers(value: &Value, at: &str, wanted: fn(&Value) -> bool, found: &mut Vec<String>) {
    if wanted(value) {
        found.push(at.to_owned());
    }
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), wanted, found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                pointers(field, &format!("{at}/{name}"), wanted, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn crafted_manifests(what: &str, left: &Left<'_>) {
    let put = |value: &mut Value, number: u64| *value = number.into();
    let numbers: Vec<Change> = NUMBERS
        .iter()
        .map(|number| (format!("is {number}"), put as fn(&mut Value, u64)))
        .collect();
    let lists: [Change; 4] = [
        ("is emptied".to_owned(), |list, _| {
            list.as_array_mut().expect("a list").clear()
        }),
        ("is cut short".to_owned(), |list, _| {
            drop(list.as_array_mut().expect("a list").pop())
        }),
        ("has its first twice".to_owned(), |list, _| {
            let list = list.as_array_mut().expect("a list");
            list.extend(list.first().cloned());
        }),
        ("is turned round".to_owned(), |list, _| {
            list.as_array_mut().expect("a list").reverse()
        }),
    ];
    let bools: [Change; 1] = [("is the other".to_owned(), |value, _| {
        *value = (!value.as_bool().expect("a truth")).into()
    })];
    let asked = left.survives(what, &numbers, Value::is_number)
        + left.survives(what, &lists, Value::is_array)
        + left.survives(what, &bools, Value::is_boolean);
    assert!(asked > share(50), "{what}: {asked} asked");
}

/// Tries layers with false positions and matching checksums; the work starts afresh. Returns the
/// number of tries.
///
/// False values could only be detected by computing them again; false layers are detected, because
/// every head of a move is looked up.
fn crafted_tables(left: &Left<'_>) -> usize {
    let mut asked = 0;
    let harms: [fn(&mut Vec<u8>); 4] = [
        |bytes| bytes.fill(0),
        |bytes| bytes.fill(0xFF),
        |bytes| bytes.reverse(),
        |bytes| bytes.iter_mut().step_by(3).for_each(|byte| *byte ^= 0x5A),
    ];
    for name in left.names(true) {
        let manifest = left.manifest(&name);
        if manifest["state"]["layers"].is_null() {
            continue;
        }
        for blob in left
            .names(false)
            .into_iter()
            .filter(|(folder, _)| *folder == name.0)
            .step_by(3)
        {
            for harm in some(harms) {
                let disk = left.with_table(&blob, &manifest, harm);
                asked += 1;
                assert_eq!((left.answer)(&disk), left.expected, "{blob:?}");
            }
        }
    }
    asked
}

/// Tries tables of a sweep that are not of the form that they must have. Values that are false
/// could only be detected by computing them again.
#[test]
fn sweeps_do_not_believe_crafted_checkpoints() {
    let ruleset = compiled(&classic("connect"), &[3, 4, 3]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let rules = Rules::default();
    let expected = value(&ruleset, &indexed, &rules, Context::plain()).expect("there is room");
    let disk = Memory::default();
    let room = least_room(&ruleset, &indexed, Some(&disk));
    let tight = Tight::new(Some(&disk), room).cautious().stopping_after(200);
    value(&ruleset, &indexed, &rules, &tight.context()).expect_err("it is not done yet");
    let answer = |disk: &Memory| {
        value(
            &ruleset,
            &indexed,
            &rules,
            &Tight::new(Some(disk), room).context(),
        )
        .expect("what does not fit is made anew")
    };
    let left = Left {
        disk,
        answer: &answer,
        expected,
    };
    let manifest = left.manifest(&left.names(true)[0]);
    let harms: [fn(&mut Vec<u8>); 4] = [
        |bytes| bytes.fill(0xFF),
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| bytes.extend_from_within(..1),
        Vec::clear,
    ];
    let mut asked = 0;
    for name in some(left.names(false)) {
        for harm in &harms[usize::from(!name.1.contains("-000"))..] {
            let disk = left.with_table(&name, &manifest, *harm);
            assert_eq!((left.answer)(&disk), left.expected, "{name:?}");
            asked += 1;
        }
    }
    assert!(asked > share(20), "{asked} asked");
}

fn layered(ruleset: &Ruleset, context: &Context<'_>) -> Option<BigRational> {
    let layered = richman::layered(
        Layered::new(ruleset, ruleset.start()),
        &Rules::default(),
        context,
    );
    layered
        .inspect_err(|error| {
            assert_eq!(
                error.code,
                bid_language::diagnostic::Code::Time,
                "{error:?}"
            )
        })
        .ok()
        .flatten()
}

#[test]
fn layers_do_not_believe_crafted_checkpoints() {
    let ruleset = compiled(&pawns(3), &[2]);
    let expected = layered(&ruleset, Context::plain()).expect("there are layers");
    let answer = |disk: &Memory| {
        layered(&ruleset, &Tight::new(Some(disk), 1 << 12).context()).expect("it is made anew")
    };
    let (mut finding, mut solving, mut asked) = (false, false, 0);
    for looks in (5..).step_by(7) {
        let disk = Memory::default();
        if layered(
            &ruleset,
            &Tight::new(Some(&disk), 1 << 12)
                .cautious()
                .stopping_after(looks)
                .context(),
        )
        .is_some()
        {
            break;
        }
        let left = Left {
            disk,
            answer: &answer,
            expected: expected.clone(),
        };
        let manifests: Vec<Value> = left
            .names(true)
            .iter()
            .map(|name| left.manifest(name))
            .collect();
        if manifests.is_empty() {
            // The work was stopped before there was anything to save.
            continue;
        }
        let is_solving = manifests
            .iter()
            .any(|manifest| manifest["state"]["values"].is_array());
        let seen = if is_solving {
            &mut solving
        } else {
            &mut finding
        };
        if !std::mem::replace(seen, true) {
            crafted_manifests(&format!("layers after {looks} looks"), &left);
            asked += crafted_tables(&left);
        }
    }
    assert!(finding && solving, "both halves were left in the middle");
    assert!(asked > share(20), "{asked} crafted tables were tried");
}

/// Checks that a folder, whose name is a hash, is used only if the text of the work in it is the
/// work's own.
#[test]
fn a_manifest_is_of_a_work_if_its_text_is() {
    let ruleset = compiled(&classic("connect"), &[3, 4, 3]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let disk = Memory::default();
    let room = least_room(&ruleset, &indexed, Some(&disk));
    let tight = Tight::new(Some(&disk), room).cautious().stopping_after(60);
    value(&ruleset, &indexed, &Rules::default(), &tight.context()).expect_err("it is not done yet");
    let name = disk
        .names()
        .into_iter()
        .find(|(_, file)| file == "manifest")
        .expect("it was saved");
    let text = disk.files.lock().expect("no test panics here")[&name][17..].to_vec();
    let mut manifest: Value = serde_json::from_slice(&text).expect("it was written");
    let identity = manifest["identity"].as_str().expect("a text").to_owned();
    assert!(
        identity.contains("sweep"),
        "the work's own text: {identity}"
    );
    manifest["identity"] = identity.replacen('1', "2", 1).into();
    let left = Left {
        disk,
        answer: &|_| BigRational::default(),
        expected: BigRational::default(),
    };
    let crafted = left.with(&name, &manifest);
    let refused = value(
        &ruleset,
        &indexed,
        &Rules::default(),
        &Tight::new(Some(&crafted), room).context(),
    );
    assert!(
        refused
            .expect_err("it is of another work")
            .message
            .contains("belongs to other work")
    );
}
