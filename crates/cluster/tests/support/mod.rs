//! What the tests share: teams whose processes are threads of one, each with its own connections.
#![allow(dead_code)]

use std::path::Path;
use std::thread;
use std::time::Duration;

use bid_cluster::{Config, Fingerprint, Place, Team};
use bid_language::diagnostic::Result;
use bid_language::watch::{Stop, Unwatched, Watch};

/// A process of a team that meets by way of a folder.
pub fn config(folder: &Path, processes: usize, process: usize) -> Config {
    let place = Place::Here(Some(folder.join("meeting")));
    Config {
        processes,
        process,
        place,
        patience: Duration::from_secs(30),
    }
}

/// What processes work on.
pub fn print(question: &str) -> Fingerprint {
    Fingerprint::new()
        .with("program", "1.0")
        .with("source", "game A = E")
        .with("rules", "")
        .with("question", question)
}

/// Does the same in every process of a team, and parts in peace.
pub fn together<T: Send>(processes: usize, work: impl Fn(&Team) -> T + Sync) -> Vec<T> {
    let folder = tempfile::tempdir().expect("a folder is made");
    let (folder, work) = (folder.path(), &work);
    thread::scope(|scope| {
        let process = |process| {
            scope.spawn(move || {
                let team = Team::join(
                    &config(folder, processes, process),
                    &print("R(A)"),
                    &Unwatched,
                )?;
                let done = work(&team);
                team.finish(&Unwatched)?;
                Ok(done)
            })
        };
        let all: Vec<_> = (0..processes).map(process).collect();
        let ends = all
            .into_iter()
            .map(|process| process.join().expect("no process panics"));
        ends.map(|end: Result<T>| end.unwrap_or_else(|error| panic!("{error:?}")))
            .collect()
    })
}

/// Stops as soon as it is asked.
pub struct Late;

impl Watch for Late {
    fn check(&self) -> std::result::Result<(), Stop> {
        Err(Stop::Interrupted)
    }
}

/// Numbers that look random.
pub fn scramble(number: u64) -> u64 {
    let number = (number ^ (number >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (number ^ (number >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// The bytes of a block: few for most, some megabytes for a few, none for some.
pub fn bytes_of(block: u64) -> Vec<u8> {
    let seed = scramble(block + 1);
    let size = match seed >> 56 {
        0 => 2_000_000 + seed % 1_000_000,
        1..=8 => 0,
        9..=24 => 1 << 16,
        _ => seed % 20_000,
    };
    let mut state = seed;
    let next = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..size).map(next).collect()
}
