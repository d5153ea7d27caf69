//! Exploring a ruleset on several threads gives the same graph, with the same numbers, as exploring
//! one position after another.

use bid_language::watch::{Context, Limits};
use bid_solve::game::ruleset::Ruleset;
use bid_solve::game::{Blocks, explore, explore_ruleset};

use super::{classic, compiled, plain, try_compiled, without_symmetry};

/// Divisions so fine that small games have blocks of many batches, and the usual one.
const DIVISIONS: [Blocks; 3] = [
    Blocks {
        batch: 1,
        batches: 4,
        few: 1,
    },
    Blocks {
        batch: 3,
        batches: 5,
        few: 7,
    },
    Blocks {
        batch: 512,
        batches: 64,
        few: 1024,
    },
];

/// Checks that all divisions find the same graph; returns the number of positions of the ruleset,
/// if it can be explored.
fn compare(name: &str, ruleset: &Ruleset, most: u64) -> Option<usize> {
    let (mut space, start, context) = (
        ruleset,
        ruleset.start(),
        Context::within(Limits::positions(most)),
    );
    let expected = explore(&mut space, start.clone(), &context);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads can be made");
        for blocks in DIVISIONS {
            let found = pool.install(|| explore_ruleset(ruleset, start, blocks, &context));
            let context = || format!("{name}, {threads} threads, {blocks:?}");
            match (&found, &expected) {
                (Ok((graph, positions)), Ok(expected)) => {
                    assert!(*graph == expected.graph, "{}", context());
                    assert!(
                        positions.states().eq(expected.positions.iter().cloned()),
                        "{}",
                        context()
                    );
                }
                (Err(found), Err(expected)) => {
                    assert_eq!(found.message, expected.message, "{}", context())
                }
                (Ok(_), Err(_)) | (Err(_), Ok(_)) => {
                    panic!("{}: only one of them fails", context())
                }
            }
        }
    }
    expected.ok().map(|explored| explored.positions.len())
}

#[test]
fn classics_are_explored_alike_on_all_threads() {
    let connect = compiled(&classic("connect"), &[3, 3, 4]);
    let sizes = [
        ("tictactoe", compiled(&classic("tictactoe"), &[])),
        (
            "tictactoe without symmetry",
            compiled(&without_symmetry(&classic("tictactoe")), &[]),
        ),
        ("connect", connect),
        ("hex", compiled(&classic("hex"), &[3, 3])),
        ("hexapawn", compiled(&classic("hexapawn"), &[])),
    ]
    .map(|(name, ruleset)| compare(name, &ruleset, 20_000).expect("the game stays in its range"));
    assert_eq!(sizes[1], 18_753);
}

#[test]
fn random_rulesets_are_explored_alike_on_all_threads() {
    let (mut explored, mut failed) = (0, 0);
    for seed in 0..40 {
        for source in [
            plain::random::Writer::write(seed),
            plain::falling::Writer::write(seed),
        ] {
            let Ok(ruleset) = try_compiled(&source, &[2]) else {
                continue;
            };
            match compare(&format!("seed {seed}\n{source}"), &ruleset, 1_000) {
                Some(positions) => explored += usize::from(positions > 8),
                None => failed += 1,
            }
        }
    }
    assert!(
        explored > 5 && failed > 5,
        "{explored} explored, {failed} failed"
    );
}
