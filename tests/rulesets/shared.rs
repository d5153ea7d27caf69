//! Sweeps that several processes share: as many threads as there would be processes, each with a
//! table of its own, hand each other the blocks.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use bid::diagnostic::{Code, Diagnostic, Result};
use bid::game::ruleset::Ruleset;
use bid::player::Player;
use bid::rules::{Draws, Rules};
use bid::solve::Numbered;
use bid::solve::chips::Thresholds;
use bid::solve::sweep::{Keep, Layout, Schedule};
use bid::watch::{Departure, Disk, Limits, Lost, Offered, Peers, Stop, Traffic, Unwatched, Watch};

use super::stored::{indexed, value};
use super::{classic, compiled, plain, try_compiled};
use crate::disk::{Memory, Tight};

/// Where processes meet.
#[derive(Debug, Default)]
struct Hub {
    table: Mutex<Table>,
    changed: Condvar,
    of: usize,
}

#[derive(Default)]
struct Table {
    offers: HashMap<(usize, u64), Arc<dyn Offered>>,
    arrived: Vec<String>,
    round: usize,
    differ: bool,
    lost: Option<usize>,
    fetched: u64,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

impl Hub {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("nobody panics with it")
    }

    /// Waits until there is something, or somebody is lost.
    fn wait<R>(
        &self,
        watch: &dyn Watch,
        mut look: impl FnMut(&mut Table) -> Option<R>,
    ) -> Result<R> {
        let mut table = self.table();
        loop {
            watch.check()?;
            if let Some(process) = table.lost {
                let process = u16::try_from(process).expect("there are few");
                return Err(Stop::Process(Lost {
                    process,
                    departure: Departure::Ended,
                })
                .into());
            }
            if let Some(found) = look(&mut table) {
                return Ok(found);
            }
            table = self
                .changed
                .wait_timeout(table, std::time::Duration::from_millis(20))
                .expect("nobody panics")
                .0;
        }
    }
}

/// A process among others.
#[derive(Debug)]
struct Process<'a> {
    hub: &'a Hub,
    own: usize,
}

impl Peers for Process<'_> {
    fn count(&self) -> usize {
        self.hub.of
    }

    fn own(&self) -> usize {
        self.own
    }

    fn offer(&self, block: u64, bytes: Arc<dyn Offered>) {
        let before = self.hub.table().offers.insert((self.own, block), bytes);
        assert!(before.is_none(), "block {block} is offered twice");
        self.hub.changed.notify_all();
    }

    fn fetch(&self, block: u64, from: usize, most: u64, watch: &dyn Watch) -> Result<Vec<u8>> {
        let found = self
            .hub
            .wait(watch, |table| table.offers.get(&(from, block)).cloned())?;
        assert!(found.size() <= most);
        let mut bytes = vec![0; usize::try_from(found.size()).expect("it is in memory")];
        for (place, piece) in bytes.chunks_mut(1000).enumerate() {
            found
                .read(1000 * place as u64, piece)
                .expect("it is in memory");
        }
        self.hub.table().fetched += if from == self.own {
            0
        } else {
            bytes.len() as u64
        };
        Ok(bytes)
    }

    fn retire(&self, block: u64) {
        assert!(
            self.hub.table().offers.remove(&(self.own, block)).is_some(),
            "block {block} was not offered"
        );
    }

    fn barrier(&self, work: &str, watch: &dyn Watch) -> Result<()> {
        let round = {
            let mut table = self.hub.table();
            table.arrived.push(work.to_owned());
            if table.arrived.len() == self.hub.of {
                table.round += 1;
                table.differ = table.arrived.iter().any(|other| *other != table.arrived[0]);
                table.arrived.clear();
                table.offers.clear();
                self.hub.changed.notify_all();
                table.round
            } else {
                table.round + 1
            }
        };
        self.hub.wait(&Unlimited(watch), |table| {
            (table.round >= round).then_some(())
        })?;
        let differ = self.hub.table().differ;
        if differ {
            Err(Diagnostic::new(Code::Processes, "other work").into())
        } else {
            Ok(())
        }
    }

    fn lost(&self) -> Option<Lost> {
        None
    }

    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}

/// Waiting is no work: it does not count as looks.
struct Unlimited<'a>(&'a dyn Watch);

impl Watch for Unlimited<'_> {
    fn check(&self) -> std::result::Result<(), Stop> {
        Ok(())
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }
}

/// What a process is given.
struct Sharing<'a> {
    tight: Tight<'a>,
    process: Process<'a>,
}

impl Watch for Sharing<'_> {
    fn check(&self) -> std::result::Result<(), Stop> {
        self.tight.check()
    }

    fn limits(&self) -> Limits {
        self.tight.limits()
    }

    fn disk(&self) -> Option<&dyn Disk> {
        self.tight.disk()
    }

    fn save_due(&self) -> bool {
        self.tight.save_due()
    }

    fn peers(&self) -> Option<&dyn Peers> {
        Some(&self.process)
    }
}

/// What each of some processes finds, and how many bytes they sent each other.
fn together<'a, R: Send>(
    of: usize,
    watch: impl Fn(usize) -> Tight<'a> + Sync,
    work: impl Fn(&dyn Watch) -> Result<R> + Sync,
) -> (Vec<Result<R>>, u64) {
    let hub = Hub {
        of,
        ..Hub::default()
    };
    let found = thread::scope(|scope| {
        let started: Vec<_> = (0..of)
            .map(|own| {
                let (hub, watch, work) = (&hub, &watch, &work);
                scope.spawn(move || {
                    let found = work(&Sharing {
                        tight: watch(own),
                        process: Process { hub, own },
                    });
                    if found.is_err() {
                        hub.table().lost.get_or_insert(own);
                        hub.changed.notify_all();
                    }
                    found
                })
            })
            .collect();
        started
            .into_iter()
            .map(|thread| thread.join().expect("it does not panic"))
            .collect()
    });
    let fetched = hub.table().fetched;
    (found, fetched)
}

/// The most room with which so many processes do not keep all values of so many bytes in memory;
/// `None` if less is too little.
fn room_for_some(ruleset: &Ruleset, bytes: usize, of: usize, disk: Option<&Memory>) -> Option<u64> {
    let indexed = indexed(ruleset).expect("it is numbered");
    let hub = Hub {
        of,
        ..Hub::default()
    };
    let mut room = u64::MAX >> 2;
    loop {
        let watch = Sharing {
            tight: Tight::new(disk, room),
            process: Process { hub: &hub, own: 0 },
        };
        let schedule = Schedule::new(
            Layout::single(bytes),
            (&indexed.numbering, Some(&indexed)),
            &watch,
        )
        .ok()?;
        match schedule.keep() {
            Keep::All => room = schedule.bytes_held().min(room) - 1,
            Keep::Needed | Keep::Few(_) => return Some(room),
        }
    }
}

/// Boards that are swept by processes together, with and without symmetry.
fn boards() -> Vec<(String, Ruleset)> {
    let drop =
        "move drop(c) for c in 0 .. COLS - 1 if height(board, c) < ROWS { drop(board, c, me) }";
    let place = "move place(c) for c in cells(board) if board[c] == empty { board[c] = me }";
    let source = |board: &str, rows: &str, cols: &str, moves: &str, rest: &str| {
        let moves = moves.replace("ROWS", rows).replace("COLS", cols);
        format!("game g() {{\n state board = {board}({rows}, {cols})\n {moves}\n {rest}\n}}\n")
    };
    let mut boards = Vec::new();
    for (board, rows, cols, moves, rest) in [
        (
            "grid",
            "3",
            "4",
            drop,
            "win me if line(board, me, 3)\n draw if full(board)\n symmetry mirror(board)",
        ),
        (
            "grid",
            "3",
            "4",
            drop,
            "win me if line(board, me, 3)\n draw if full(board)",
        ),
        (
            "grid",
            "2",
            "5",
            drop,
            "win other if line(board, me, 3)\n draw if full(board)\n symmetry mirror(board)",
        ),
        (
            "grid",
            "4",
            "4",
            drop,
            "win me if line(board, me, 4)\n draw if full(board)\n symmetry mirror(board)",
        ),
        (
            "grid",
            "3",
            "3",
            place,
            "win me if line(board, me, 3)\n draw if full(board)\n symmetry board",
        ),
        (
            "grid",
            "2",
            "5",
            place,
            "win alice if line(board, me, 3)\n win bob if full(board)",
        ),
        (
            "hexgrid",
            "3",
            "3",
            place,
            "win bob if line(board, other, 3)\n draw if full(board)\n symmetry rotate(board)",
        ),
    ] {
        let text = source(board, rows, cols, moves, rest);
        boards.push((text.clone(), compiled(&text, &[])));
    }
    boards
}

#[test]
fn processes_find_what_one_finds() {
    let (mut shared, mut games) = (0, 0);
    for (source, ruleset) in boards() {
        let indexed = indexed(&ruleset).expect("it is numbered");
        let rules = Rules {
            draws: Draws::Half,
            ..Rules::default()
        };
        let expected = value(&ruleset, &indexed, &rules, &Unwatched).expect("nobody stops it");
        for of in 1..=5 {
            let room = room_for_some(&ruleset, 4, of, None).expect("some is enough");
            let (found, fetched) = together(
                of,
                |_| Tight::new(None, room),
                |watch| value(&ruleset, &indexed, &rules, watch),
            );
            for found in found {
                assert_eq!(
                    found.expect("nobody stops it"),
                    expected,
                    "{of} processes\n{source}"
                );
            }
            shared += u64::from(of > 1 && fetched > 0);
            games += 1;
        }
    }
    assert!(shared > 20 && games == 35, "{shared} of {games}");
}

#[test]
fn processes_share_thresholds_in_chips() {
    for (source, ruleset) in boards() {
        let indexed = indexed(&ruleset).expect("it is numbered");
        let rules = Rules::default();
        let thresholds = |watch: &dyn Watch| {
            let start = Numbered::new(&ruleset, &indexed, std::slice::from_ref(ruleset.start()));
            let found =
                Thresholds::solve_numbered(start, &rules, Player::Alice, &[0, 1, 2, 5], watch)?;
            Ok(format!("{:?}", found.expect("it can be swept")))
        };
        let expected = thresholds(&Unwatched).expect("nobody stops it");
        let room = room_for_some(&ruleset, 16, 3, None).expect("some is enough");
        let (found, fetched) = together(3, |_| Tight::new(None, room), thresholds);
        for found in found {
            assert_eq!(found.expect("nobody stops it"), expected, "{source}");
        }
        assert!(fetched > 0, "{source}");
    }
}

/// As far as is known beforehand all have about as much to do, nobody waits long, and little
/// travels.
#[test]
fn the_work_is_divided_evenly() {
    let ruleset = compiled(&classic("connect"), &[4, 5, 5]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    for (of, overhead, travels) in [(2, 5, 12), (3, 10, 20), (4, 18, 25), (8, 60, 60)] {
        let hub = Hub {
            of,
            ..Hub::default()
        };
        let watch = Sharing {
            tight: Tight::new(None, 1 << 28),
            process: Process { hub: &hub, own: 0 },
        };
        let schedule = Schedule::new(
            Layout::single(4),
            (&indexed.numbering, Some(&indexed)),
            &watch,
        )
        .expect("there is room");
        let course = schedule.course().expect("they share it");
        let even = course.all / of as u64;
        assert!(
            course.longest < even + even * overhead / 100,
            "{of} processes: {course:?}"
        );
        assert!(
            course.travels < course.all / 100 * travels,
            "{of} processes: {course:?}"
        );
    }
}

/// Random rulesets, also such as move several parts at once, whose digits are no trees.
#[test]
fn processes_share_random_rulesets() {
    let mut shared = 0;
    for seed in 0..400 {
        let Ok(ruleset) = try_compiled(&plain::falling::Writer::write(seed), &[2]) else {
            continue;
        };
        let Some(indexed) = indexed(&ruleset)
            .filter(|indexed| (2_000..40_000).contains(&indexed.numbering.positions()))
        else {
            continue;
        };
        let rules = Rules {
            draws: [Draws::Half, Draws::Bob][seed as usize % 2],
            ..Rules::default()
        };
        let expected = value(&ruleset, &indexed, &rules, &Unwatched).expect("nobody stops it");
        let disks: [Memory; 4] = std::array::from_fn(|_| Memory::default());
        let of = 2 + seed as usize % 3;
        let Some(room) = room_for_some(&ruleset, 4, of, Some(&disks[0])) else {
            continue;
        };
        let watch = |own: usize| {
            let watch = Tight::new(Some(&disks[own]), room);
            if seed % 2 == 0 {
                watch.cautious()
            } else {
                watch
            }
        };
        let (found, fetched) =
            together(of, watch, |watch| value(&ruleset, &indexed, &rules, watch));
        for found in found {
            assert_eq!(found.expect("there is room"), expected, "seed {seed}");
        }
        shared += usize::from(fetched > 0);
    }
    assert!(shared > 20, "{shared}");
}

/// One of them stops again and again, each in its turn; all go on from their disks.
#[test]
fn processes_go_on() {
    let ruleset = compiled(&classic("connect"), &[4, 4, 4]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let rules = Rules::default();
    let expected = value(&ruleset, &indexed, &rules, &Unwatched).expect("nobody stops it");
    for of in [2, 4] {
        let room = room_for_some(&ruleset, 4, of, None).expect("some is enough");
        let disks: Vec<Memory> = (0..of).map(|_| Memory::default()).collect();
        let mut runs = 0;
        loop {
            let watch = |own: usize| {
                let watch = Tight::new(Some(&disks[own]), room).cautious();
                if own == runs % of {
                    watch.stopping_after(20 + 20 * runs)
                } else {
                    watch
                }
            };
            let (found, _) = together(of, watch, |watch| value(&ruleset, &indexed, &rules, watch));
            runs += 1;
            if found.iter().all(|found| found.is_ok()) {
                assert!(
                    found
                        .into_iter()
                        .all(|found| found.expect("it was looked at") == expected)
                );
                break;
            }
            for stopped in found.into_iter().filter_map(std::result::Result::err) {
                assert!(
                    matches!(stopped.code, Code::Interrupted | Code::Process),
                    "{stopped:?}"
                );
            }
            assert!(runs < 60, "every run comes further");
        }
        assert!(runs > 2, "{runs} runs");
    }
}
