//! Exploring a ruleset on several threads gives the same graph, with the same numbers, as exploring
//! one position after another.

use std::collections::HashMap;

use bid_game::ruleset::Ruleset;
use bid_game::{Blocks, GameGraphBuilder, NodeId, explore_ruleset};
use bid_language::diagnostic::Result;
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::Stuck;
use bid_language::watch::{Context, Limits, Stop};

use super::{Labelled, classic, compiled, plain, try_compiled, without_symmetry};
use crate::support;

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
    let (start, context) = (ruleset.start(), Context::within(Limits::positions(most)));
    let expected = one_by_one(ruleset, most);
    for threads in [1, 3] {
        let pool = support::threads(threads);
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

/// Explores a ruleset one position after another, Alice's moves before Bob's. Endings that stuck
/// players are sent to follow the positions.
fn one_by_one(ruleset: &Ruleset, most: u64) -> Result<Labelled> {
    const ENDINGS: [Ending; 3] = [
        Ending::Draw,
        Ending::Win(Player::Bob),
        Ending::Win(Player::Alice),
    ];
    let mut positions = vec![ruleset.start().clone()];
    let mut numbers = HashMap::from([(ruleset.start().clone(), 0)]);
    let mut rows = Vec::new();
    while let Some(state) = positions.get(rows.len()).cloned() {
        let ending = ruleset.ending(&state)?;
        let (mut heads, mut sent) = (PerPlayer::<Vec<usize>>::default(), PerPlayer::default());
        for player in Player::BOTH.into_iter().filter(|_| ending.is_none()) {
            ruleset.scored_moves(&state, player, &mut |to, _| {
                let to = ruleset.canonical(to);
                let number = *numbers.entry(to.clone()).or_insert(positions.len());
                if number == positions.len() {
                    positions.push(to);
                }
                heads[player].push(number);
            })?;
            // At a position with an owner the opponent is never asked for a move.
            if heads[player].is_empty() && ruleset.owner(&state)? != Some(player.other()) {
                match ruleset.stuck() {
                    Stuck::Ends(result) => sent[player] = Some(result.for_player(player)),
                    Stuck::Passes if ruleset.passes(&state, player)? => {
                        heads[player].push(rows.len())
                    }
                    Stuck::Passes | Stuck::OpponentMoves => {}
                }
            }
            heads[player].sort_unstable();
            heads[player].dedup();
        }
        let owner = match ending {
            Some(_) => None,
            None => ruleset.owner(&state)?,
        };
        rows.push((ending, owner, heads, sent));
        if positions.len() as u64 > most {
            return Err(Stop::Positions(most).into());
        }
    }
    let is_used = |ending: &Ending| {
        let mut sent = rows.iter().flat_map(|(.., sent)| [sent.alice, sent.bob]);
        sent.any(|sent| sent == Some(*ending))
    };
    let endings: Vec<Ending> = ENDINGS.into_iter().filter(is_used).collect();
    let mut builder = GameGraphBuilder::default();
    for (ending, owner, heads, sent) in &rows {
        let [alice, bob] = Player::both(|player| {
            let place = |sent: Ending| endings.iter().position(|ending| *ending == sent);
            let sent = sent[player].and_then(place).map(|place| rows.len() + place);
            let heads = heads[player].iter().copied().chain(sent);
            heads.map(NodeId::new).collect::<Vec<_>>()
        });
        let node = builder.push(*ending, &alice, &bob);
        let can_move = |owner: &Player| ![&alice, &bob][*owner as usize].is_empty();
        if let Some(owner) = owner.filter(can_move) {
            builder.own(node, owner);
        }
    }
    for ending in endings {
        builder.push(Some(ending), &[], &[]);
    }
    Ok(Labelled {
        graph: builder.finish(NodeId::new(0)),
        positions,
    })
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
