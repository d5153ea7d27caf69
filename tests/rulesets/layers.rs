//! Layers: compared with the values of explored graphs and of sweeps, with much memory and with
//! little.

use std::sync::atomic::Ordering;

use bid_game::NodeId;
use bid_game::ruleset::{Ruleset, State};
use bid_language::diagnostic::Code;
use bid_language::player::Player;
use bid_language::rules::{Draws, Rules, TieBreak};
use bid_language::watch::{Context, Limits};
use bid_solve::chips::Thresholds;
use bid_solve::positions::{Graphless, Layered, Numbered};
use bid_solve::richman;
use num_rational::BigRational;

use super::{Labelled, classic, compiled, explore, plain, try_compiled, without_symmetry};
use crate::disk::{Memory, Tight};

/// A limit so small that the layers of all but the smallest games go to the disk.
const ROOM: u64 = 1 << 12;

/// A game in which pieces are traded two for one, both ways. No single counter only falls, but
/// their sum does, so there are layers but no numbering.
const TRADE: &str = "game trade(n) {
    state gold = [n for i in 1 .. 3]
    state silver = [n for i in 1 .. 3]
    move sell(i) for i in 0 .. 2 if gold[i] >= 2 and silver[i] < 2 * n { gold[i] -= 2; silver[i] += 1 }
    move buy(i) for i in 0 .. 2 if silver[i] >= 2 and gold[i] < 2 * n { silver[i] -= 2; gold[i] += 1 }
    win alice if sum(gold) <= 1
    win bob if sum(silver) <= 1 or gold[0] == silver[0] + 3
    stuck loses
}
";

/// Returns Hexapawn on more rows: pieces leave the board and cells are entered again.
pub fn pawns(rows: usize) -> String {
    let (last, before) = (rows - 1, rows - 2);
    let empty = vec!["empty"; 3 * before].join(", ");
    format!(
        "game pawns(n) {{
    state board = [bob, bob, bob, {empty}, alice, alice, alice]
    move alice step(c) for c in 3 .. {ours} if board[c] == alice and board[c - 3] == empty {{
        board[c] = empty
        board[c - 3] = alice
    }}
    move bob step(c) for c in 0 .. {theirs} if board[c] == bob and board[c + 3] == empty {{
        board[c] = empty
        board[c + 3] = bob
    }}
    move alice take(3 * r + x, 3 * r - 3 + y) for r in 1 .. {last} for x in 0 .. 2 for y in 0 .. 2
            if abs(x - y) == 1 and board[3 * r + x] == alice and board[3 * r - 3 + y] == bob {{
        board[3 * r + x] = empty
        board[3 * r - 3 + y] = alice
    }}
    move bob take(3 * r + x, 3 * r + 3 + y) for r in 0 .. {before} for x in 0 .. 2 for y in 0 .. 2
            if abs(x - y) == 1 and board[3 * r + x] == bob and board[3 * r + 3 + y] == alice {{
        board[3 * r + x] = empty
        board[3 * r + 3 + y] = bob
    }}
    win alice if board[0] == alice or board[1] == alice or board[2] == alice
    win bob if board[{first}] == bob or board[{first} + 1] == bob or board[{first} + 2] == bob
    stuck loses
}}
",
        ours = 3 * rows - 1,
        theirs = 3 * last - 1,
        first = 3 * last,
    )
}

fn layered(
    ruleset: &Ruleset,
    state: &State,
    rules: &Rules,
    context: &Context<'_>,
) -> Option<BigRational> {
    richman::layered(Layered::new(ruleset, state), rules, context).expect("nobody stops it")
}

/// Compares the values of some positions that can be reached, and the thresholds of the start;
/// returns `true` if there are layers.
fn agrees(name: &str, ruleset: &Ruleset, explored: &Labelled, turn: usize) -> bool {
    let rules = Rules {
        draws: [Draws::Half, Draws::Bob, Draws::Alice][turn % 3],
        ..Rules::default()
    };
    let expected = richman::Values::solve(&explored.graph, &rules, Context::plain())
        .expect("a value for each vertex");
    let count = explored.positions.len();
    for vertex in [0, count / 2] {
        let disk = Memory::default();
        let tight = Tight::new(Some(&disk), ROOM);
        let context = if turn.is_multiple_of(2) {
            Context::default()
        } else {
            tight.context()
        };
        let state = &explored.positions[vertex];
        let Some(found) = layered(ruleset, state, &rules, &context) else {
            return false;
        };
        assert_eq!(
            found,
            expected.value(NodeId::new(vertex)),
            "{name}, at {}",
            ruleset.print(state)
        );
    }
    let draws = [Draws::Neither, Draws::Bob, Draws::Alice][turn % 3];
    let rules = Rules {
        draws,
        ties: [TieBreak::Advantage, TieBreak::MakeItTakeIt][turn % 2],
        ..rules
    };
    let totals: Vec<u64> = (0..36).collect();
    let expected = Thresholds::solve(
        &explored.graph,
        &rules,
        Player::Alice,
        &totals,
        Context::plain(),
    )
    .expect("admitted");
    let position = Graphless::Layered(Layered::new(ruleset, ruleset.start()));
    let found =
        Thresholds::solve_graphless(position, &rules, Player::Alice, &totals, Context::plain());
    let found = found.expect("admitted").expect("there are layers");
    for lane in 0..totals.len() {
        let node = NodeId::new(0);
        assert_eq!(
            found.threshold(node, lane),
            expected.threshold(node, lane),
            "{name}, {rules:?}, {lane}"
        );
    }
    true
}

#[test]
fn random_rulesets_have_the_same_values_in_layers() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..400_u64 {
        let source = if seed % 4 == 0 {
            plain::random::Writer::write(seed)
        } else {
            plain::falling::Writer::write(seed)
        };
        let Ok(ruleset) = try_compiled(&source, &[2]) else {
            continue;
        };
        let Ok(explored) = explore(&ruleset, &Context::within(Limits::positions(500))) else {
            continue;
        };
        if explored.positions.len() < 3 || !explored.graph.is_acyclic() {
            continue;
        }
        match agrees(
            &format!("seed {seed}\n{source}"),
            &ruleset,
            &explored,
            seed as usize / 4,
        ) {
            true => with += 1,
            false => without += 1,
        }
    }
    assert!(
        with > 60 && with > 4 * without,
        "{with} with layers, {without} without"
    );
}

#[test]
fn games_without_a_numbering_have_layers() {
    let trade = compiled(TRADE, &[4]);
    assert!(
        trade
            .indexed(Context::plain())
            .expect("nobody stops it")
            .is_none()
    );
    for (name, ruleset) in [("trade", trade), ("pawns", compiled(&pawns(4), &[2]))] {
        let explored = explore(&ruleset, Context::plain()).expect("it is small");
        assert!(explored.positions.len() > 500);
        for turn in 0..2 {
            assert!(
                agrees(name, &ruleset, &explored, turn),
                "{name}: every step goes forward"
            );
        }
    }
    let value = |ruleset: &Ruleset| {
        layered(
            ruleset,
            ruleset.start(),
            &Rules::default(),
            Context::plain(),
        )
    };
    // If a position can recur, there are no layers.
    let back_and_forth = "game g(n) { state x = n\n move up if x < 9 { x += 1 }\n move down if x > 0 { x -= 1 }\n win me if x == 9 }\n";
    assert_eq!(value(&compiled(back_and_forth, &[2])), None);
}

/// Compares Connect Four by a sweep and by layers, with and without its symmetry, with and without
/// a disk.
#[test]
fn layers_agree_with_sweeps() {
    let source = classic("connect");
    let ruleset = compiled(&source, &[4, 4, 3]);
    let indexed = ruleset
        .indexed(Context::plain())
        .expect("nobody stops it")
        .expect("columns have an index");
    let rules = Rules::default();
    let swept = richman::RichmanSweep::solve(
        Numbered::new(&ruleset, &indexed, std::slice::from_ref(ruleset.start())),
        &rules,
        Context::plain(),
    )
    .expect("nobody stops it");
    let expected = swept.value(&indexed, ruleset.start());
    let disk = Memory::default();
    assert_eq!(
        layered(&ruleset, ruleset.start(), &rules, Context::plain()),
        expected
    );
    assert_eq!(
        layered(
            &ruleset,
            ruleset.start(),
            &rules,
            &Tight::new(Some(&disk), 1 << 15).cautious().context()
        ),
        expected
    );
    assert!(disk.written.load(Ordering::Relaxed) > 50);
    let plain = compiled(&without_symmetry(&source), &[4, 4, 3]);
    assert_eq!(
        layered(&plain, plain.start(), &rules, Context::plain()),
        expected
    );
    let refused = richman::layered(
        Layered::new(&ruleset, ruleset.start()),
        &rules,
        &Tight::new(None, 1 << 15).context(),
    );
    let refused = refused.expect_err("there is no room");
    assert_eq!(refused.code, Code::Memory);
    assert!(
        refused
            .help
            .is_some_and(|help| help.contains("--checkpoint"))
    );
}

#[test]
fn interrupted_layers_go_on() {
    let ruleset = compiled(&pawns(4), &[2]);
    let rules = Rules::default();
    let expected = layered(&ruleset, ruleset.start(), &rules, Context::plain());
    let mut disk = Memory::default();
    for step in [30, 50, 80, 130] {
        disk = Memory::default();
        let mut runs = 1;
        let found = loop {
            let tight = Tight::new(Some(&disk), ROOM).stopping_after(step * runs);
            match richman::layered(
                Layered::new(&ruleset, ruleset.start()),
                &rules,
                &tight.context(),
            ) {
                Ok(found) => break found,
                Err(stopped) => assert_eq!(stopped.code, Code::Time),
            }
            runs += 1;
            assert!(runs < 1000, "every run comes further");
        };
        assert_eq!(found, expected);
        assert!(runs > 1, "{runs} runs");
    }
    for (name, harm) in disk.names().iter().zip([true, false].into_iter().cycle()) {
        let harmed = Memory {
            files: disk
                .files
                .lock()
                .expect("no test panics here")
                .clone()
                .into(),
            ..Memory::default()
        };
        harmed.change(name, |bytes| {
            if harm {
                bytes.truncate(bytes.len() - 1)
            } else {
                bytes[0] ^= 1
            }
        });
        let found = layered(
            &ruleset,
            ruleset.start(),
            &rules,
            &Tight::new(Some(&harmed), ROOM).context(),
        );
        assert_eq!(found, expected, "{name:?}: what is damaged is made anew");
    }
}
