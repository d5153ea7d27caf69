//! Blocks that processes hand each other arrive as they were.

mod support;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bid_cluster::Team;
use bid_language::diagnostic::Code;
use bid_language::watch::{Offered, Peers, Unwatched};
use support::{Late, bytes_of, scramble, together};

const BLOCKS: u64 = 10_000;

/// Which process works a block out.
fn owner(block: u64, processes: usize) -> usize {
    usize::try_from(scramble(block) % processes as u64).expect("it is small")
}

/// Offers the own blocks, and fetches all others' on three threads, each in an order of its own.
fn exchange(team: &Team) -> u64 {
    let own = team.own() as u64;
    let fetched = AtomicU64::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for at in 0..BLOCKS {
                let block = (at * 7919 + own * 31) % BLOCKS;
                if owner(block, team.count()) == team.own() {
                    team.offer(block, Arc::new(bytes_of(block)));
                }
            }
        });
        for part in 0..3 {
            let fetched = &fetched;
            scope.spawn(move || {
                for at in (part..BLOCKS).step_by(3) {
                    let block = (at * 4001 + own * 17) % BLOCKS;
                    let from = owner(block, team.count());
                    let bytes = team
                        .fetch(block, from, 3_000_000, &Unwatched)
                        .expect("it comes");
                    assert!(bytes == bytes_of(block), "block {block} of process {from}");
                    fetched.fetch_add(
                        if from == team.own() {
                            0
                        } else {
                            bytes.len() as u64
                        },
                        Ordering::Relaxed,
                    );
                }
            });
        }
    });
    fetched.into_inner()
}

fn ten_thousand_blocks(processes: usize) {
    let counted = together(processes, |team| {
        let fetched = exchange(team);
        team.barrier("exchanged", &Unwatched).expect("all come");
        (fetched, team.traffic())
    });
    for (fetched, traffic) in &counted {
        assert_eq!(traffic.fetched, *fetched);
        assert!(traffic.received >= *fetched);
        // Headers, checksums, questions and answers: a few hundred bytes for a block.
        assert!(
            traffic.received < fetched + fetched / 50 + BLOCKS * 500,
            "{traffic:?}"
        );
    }
    let sent: u64 = counted.iter().map(|(_, traffic)| traffic.sent).sum();
    let received: u64 = counted.iter().map(|(_, traffic)| traffic.received).sum();
    assert!(
        sent.abs_diff(received) < 10_000,
        "what is sent is received: {sent} {received}"
    );
}

#[test]
fn two_processes_exchange_ten_thousand_blocks() {
    ten_thousand_blocks(2);
}

#[test]
fn three_processes_exchange_ten_thousand_blocks() {
    ten_thousand_blocks(3);
}

#[test]
fn four_processes_exchange_ten_thousand_blocks() {
    ten_thousand_blocks(4);
}

/// Every round numbers its blocks anew; who is ahead gets the blocks of the new round, not those of
/// the old one.
#[test]
fn rounds_do_not_mix() {
    together(3, |team| {
        for round in 0..200_u64 {
            team.barrier(&format!("round {round}"), &Unwatched)
                .expect("all come");
            team.offer(5, Arc::new(vec![team.own() as u8, round as u8]));
            for from in 0..3 {
                let bytes = team.fetch(5, from, 2, &Unwatched).expect("it comes");
                assert_eq!(bytes, [from as u8, round as u8]);
            }
        }
    });
}

#[test]
fn who_waits_for_a_block_gets_it_when_it_is_there() {
    together(2, |team| {
        if team.own() == 0 {
            thread::sleep(Duration::from_millis(300));
            team.offer(1, Arc::new(b"late".to_vec()));
        } else {
            assert_eq!(
                team.fetch(1, 0, 4, &Late)
                    .expect_err("the watch says stop")
                    .code,
                Code::Interrupted
            );
            assert_eq!(team.fetch(1, 0, 4, &Unwatched).expect("it comes"), b"late");
        }
    });
}

/// Many threads may wait for what is not there yet, and others still get what is.
#[test]
fn who_waits_keeps_nobody_from_fetching() {
    together(2, |team| {
        if team.own() == 0 {
            team.offer(100, Arc::new(bytes_of(100)));
            // The others are offered only when block 200 has come back.
            team.fetch(200, 1, 10, &Unwatched).expect("it comes");
            (0..40).for_each(|block| team.offer(block, Arc::new(bytes_of(block))));
            return;
        }
        thread::scope(|scope| {
            for block in 0..40 {
                scope.spawn(move || {
                    assert_eq!(
                        team.fetch(block, 0, 3_000_000, &Unwatched)
                            .expect("it comes"),
                        bytes_of(block)
                    );
                });
            }
            thread::sleep(Duration::from_millis(100));
            assert_eq!(
                team.fetch(100, 0, 3_000_000, &Unwatched).expect("it comes"),
                bytes_of(100)
            );
            team.offer(200, Arc::new(Vec::new()));
        });
    });
}

/// A block on a disk that fails.
struct Broken;

impl Offered for Broken {
    fn size(&self) -> u64 {
        1 << 20
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        into.fill(1);
        if offset + into.len() as u64 <= 1 << 19 {
            Ok(())
        } else {
            Err(io::Error::other("the disk is on fire"))
        }
    }
}

#[test]
fn what_cannot_be_had_is_refused_with_the_reason() {
    together(2, |team| {
        let other = 1 - team.own();
        team.offer(1, Arc::new(Broken));
        team.offer(2, Arc::new(vec![0; 1000]));
        team.offer(3, Arc::new(vec![0; 1000]));
        team.retire(3);
        team.barrier("offered", &Unwatched).expect("all come");
        team.offer(1, Arc::new(Broken));
        team.offer(2, Arc::new(vec![0; 1000]));
        team.retire(3);
        for from in [other, team.own()] {
            let why = |block, most| {
                *team
                    .fetch(block, from, most, &Unwatched)
                    .expect_err("it cannot be had")
            };
            assert!(
                why(1, 1 << 20).message.contains("the disk is on fire"),
                "{:?}",
                why(1, 1 << 20)
            );
            assert_eq!(
                why(2, 999).message,
                "block 2 has 1000 bytes, which is more than 999"
            );
            assert!(why(3, 1 << 20).message.contains("does not offer that"));
        }
        let begun = Instant::now();
        let stopped = team
            .fetch(4, team.own(), 1, &Late)
            .expect_err("the watch says stop");
        assert_eq!(stopped.code, Code::Interrupted);
        assert!(begun.elapsed() < Duration::from_secs(1));
        // What went wrong has not hurt the others.
        assert_eq!(
            team.fetch(2, other, 1000, &Unwatched).expect("it comes"),
            vec![0; 1000]
        );
        team.barrier("fetched", &Unwatched).expect("all come");
    });
}

/// Who waits at the barrier offers nothing more: nobody waits for it in vain.
#[test]
fn who_is_done_does_not_keep_others_waiting() {
    together(2, |team| {
        if team.own() == 0 {
            team.barrier("done", &Unwatched).expect("all come");
        } else {
            let early = team
                .fetch(1, 0, 10, &Unwatched)
                .expect_err("it is not offered");
            assert!(early.message.contains("does not offer that"), "{early:?}");
            team.barrier("done", &Unwatched).expect("all come");
        }
    });
}

#[test]
fn other_work_is_a_contradiction() {
    let told = together(3, |team| {
        let work = if team.own() == 2 {
            "chess"
        } else {
            "connect four"
        };
        team.barrier(work, &Unwatched)
            .err()
            .map(|error| error.message)
    });
    assert_eq!(
        told[0].as_deref(),
        Some("process 2 has come to another piece of work than `connect four`")
    );
    assert_eq!(told[1], told[0]);
    assert_eq!(
        told[2].as_deref(),
        Some("process 0 has come to another piece of work than `chess`")
    );
}

/// The most that is under way to a process that reads slowly is bounded, whatever the blocks.
#[test]
fn memory_stays_bounded() {
    /// A large block that is nowhere in memory, and how much of it has been read.
    struct Large(AtomicU64);
    impl Offered for Large {
        fn size(&self) -> u64 {
            64 << 20
        }

        fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
            into.iter_mut()
                .zip(offset..)
                .for_each(|(byte, at)| *byte = (at >> 10) as u8);
            self.0.fetch_add(into.len() as u64, Ordering::Relaxed);
            Ok(())
        }
    }
    together(2, |team| {
        let large = Arc::new(Large(AtomicU64::new(0)));
        if team.own() == 0 {
            team.offer(0, large.clone());
        } else {
            let bytes = team.fetch(0, 0, 64 << 20, &Unwatched).expect("it comes");
            assert!(
                bytes
                    .iter()
                    .zip(0_u64..)
                    .all(|(byte, at)| *byte == (at >> 10) as u8)
            );
            // Who gives up soon has not been sent it all.
            assert!(team.fetch(0, 0, 64 << 20, &Late).is_err());
        }
        team.barrier("fetched", &Unwatched).expect("all come");
        if team.own() == 0 {
            let read = large.0.load(Ordering::Relaxed);
            assert!((64 << 20..128 << 20).contains(&read), "{read}");
        }
    });
}
