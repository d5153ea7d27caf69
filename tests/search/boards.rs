//! Search on bits, for boards on which lines alone decide: the games that are recognised, and their
//! answers compared with tables.

use bid_game::ruleset::{LineGrid, Ruleset};
use bid_game::{GameGraph, NodeId};
use bid_language::player::Player;
use bid_language::rules::{Draws, Rules};
use bid_language::watch::Context;
use bid_solve::chips::{Outcomes, Thresholds};
use bid_solve::space::search::{self, SearchOptions, SearchOrigin};
use bid_testing::{share, some};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::{
    all_purses, compiled, explored, rules_of_search, searched_outcome, searched_threshold,
};

const FALLING: &str =
    "move drop(c) for c in 0 .. cols - 1 if height(board, c) < rows { drop(board, c, me) }";
const PLACED: &str = "move place(c) for c in cells(board) if board[c] == empty { board[c] = me }";
const LINE: &str = "win me if line(board, me, n)";
const FULL: &str = "draw if full(board)";
const TURNS: &str = "turn alice if count(board, alice) == count(board, bob)\n    turn bob if count(board, alice) > count(board, bob)";

fn board(lines: &[&str]) -> String {
    format!(
        "game board(n, rows, cols) {{\n    state board = grid(rows, cols)\n    {}\n}}\n",
        lines.join("\n    ")
    )
}

fn recognised(ruleset: &Ruleset) -> Option<LineGrid> {
    let steps = ruleset
        .steps(Context::plain())
        .expect("nobody stops it")
        .expect("its moves change digits");
    steps.line_grid().expect("turns can be evaluated")
}

fn seen(lines: &[&str], shape: [i64; 3]) -> Option<LineGrid> {
    recognised(&compiled(&board(lines), &shape).expect("it compiles"))
}

/// Checks that a recognised game has the right parameters, and that other games are refused.
#[test]
fn boards_of_lines_are_recognised() {
    let standard = seen(&[FALLING, LINE, FULL], [4, 6, 7]).expect("lines decide it");
    assert_eq!((standard.rows, standard.cols, standard.length), (6, 7, 4));
    assert!(standard.is_falling && standard.directions.len() == 4 && standard.owners.is_empty());
    let placed = seen(&[PLACED, LINE, FULL, "symmetry board"], [3, 3, 4]).expect("lines decide it");
    assert_eq!(
        (placed.rows, placed.cols, placed.length, placed.is_falling),
        (3, 4, 3, false)
    );
    let turns = seen(&[FALLING, LINE, FULL, TURNS], [3, 3, 3]).expect("turns follow from counts");
    assert_eq!(
        (turns.owners[0][0], turns.owners[2][1]),
        (Some(Player::Alice), Some(Player::Bob))
    );
    assert!(
        seen(&[FALLING, LINE], [4, 4, 5]).is_some(),
        "a board that is full is a draw in any case"
    );

    let misere = "win other if line(board, me, n)";
    let alone = "win alice if line(board, alice, n)";
    let both = "win alice if line(board, alice, n)\n    win bob if line(board, bob, n + 1)";
    let round = "win me if line(board, me, n) or any([all([board[r, (c + i) % cols] == me for i in 0 .. n - 1]) for r in 0 .. rows - 1 for c in 0 .. cols - 1])";
    for endings in [
        [misere, FULL].as_slice(),
        &[alone, FULL],
        &[both, FULL],
        &[round, FULL],
        &[LINE, "win bob if full(board)"],
        &[LINE, "draw if count(board, alice) == 3"],
        &[FULL, "draw if line(board, me, n)"],
        &[LINE, FULL, "stuck loses"],
        &[LINE, FULL, "turn alice if board[0, 0] == alice"],
    ] {
        for moves in [FALLING, PLACED] {
            let lines = [&[moves], endings].concat();
            assert_eq!(seen(&lines, [3, 3, 4]), None, "{lines:?}");
        }
    }
    let guarded = "move place(r, c) for (r, c) in cells(board) if board[r, c] == empty and r + c > 0 { board[r, c] = me }";
    assert_eq!(
        seen(&[guarded, LINE, FULL], [3, 3, 3]),
        None,
        "a cell that nobody can set"
    );
    let apart = "move alice place(c) for c in cells(board) if board[c] == empty { board[c] = me }\n    \
                 move bob drop(c) for c in 0 .. cols - 1 if height(board, c) < rows { drop(board, c, me) }";
    assert_eq!(
        seen(&[apart, LINE, FULL], [3, 3, 3]),
        None,
        "one drops and one places"
    );
}

/// Draws a board that is recognised, small enough for a table.
fn some_board(dice: &mut StdRng) -> (String, [i64; 3]) {
    let (rows, cols) = loop {
        let (rows, cols) = (dice.random_range(1..=5), dice.random_range(1..=5));
        if (3..=10).contains(&(rows * cols)) {
            break (rows, cols);
        }
    };
    let is_falling = dice.random_bool(0.6);
    let mut lines = vec![if is_falling { FALLING } else { PLACED }, LINE];
    if dice.random_bool(0.7) {
        lines.push(FULL);
    }
    match dice.random_range(0..8) {
        0 | 1 => lines.push(TURNS),
        2 => lines.push("turn bob if count(board, alice) == 2 and count(board, bob) <= 1"),
        3 => lines
            .push("turn alice if count(board, bob) == 1\n    turn bob if count(board, alice) == 1"),
        _ => {}
    }
    if dice.random_bool(0.5) {
        lines.push("symmetry mirror(board)");
    }
    (board(&lines), [dice.random_range(2..=3), rows, cols])
}

/// Returns the graph of a board, if it is recognised.
fn some_graph(ruleset: &Ruleset) -> Option<(GameGraph, Vec<bid_game::ruleset::State>)> {
    recognised(ruleset).map(|_| explored(ruleset))
}

/// Checks boards of all shapes, from positions in the middle of play, under all rules, in both
/// roles, with draws worth a win to either player.
#[test]
fn boards_of_lines_are_searched_as_their_tables_say() {
    let (mut compared, mut boards) = (0, 0);
    for seed in 0..share(160_u64) {
        let mut dice = StdRng::seed_from_u64(0xb0a_0000 + seed);
        let (source, shape) = some_board(&mut dice);
        let ruleset = compiled(&source, &shape).expect("it compiles");
        let Some((graph, states)) = some_graph(&ruleset) else {
            continue;
        };
        boards += 1;
        for round in 0..8_u64 {
            let all = rules_of_search();
            let rules = all.choose(&mut dice).expect("there are rules");
            let draws = *[Draws::Neither, Draws::Alice, Draws::Bob]
                .choose(&mut dice)
                .expect("there are three");
            // Outcomes do not depend on the value of a draw, but thresholds do.
            let valued = &Rules {
                draws,
                ..rules.clone()
            };
            let total = dice.random_range(0..=[0, 3, 9, 60][round as usize % 4]);
            let solved = Outcomes::solve(&graph, rules, &[total], Context::plain())
                .expect("it has outcomes");
            let thresholds =
                Thresholds::solve(&graph, valued, Player::Alice, &[total], Context::plain())
                    .expect("solved");
            for _ in 0..12 {
                let node = dice.random_range(0..states.len());
                let origin = SearchOrigin::Position {
                    ruleset: &ruleset,
                    state: &states[node],
                    conjugated: false,
                };
                let context = || {
                    format!(
                        "seed {seed}, {valued:?}, {total} at {:?}\n{source}{shape:?}",
                        ruleset.print(&states[node])
                    )
                };
                let found = searched_threshold(origin, valued, total, round % 3);
                assert_eq!(
                    found,
                    thresholds.threshold(NodeId::new(node), 0),
                    "{}",
                    context()
                );
                let purses = all_purses(rules, total);
                let purses = purses.choose(&mut dice).expect("there are purses");
                let found = searched_outcome(origin, rules, purses, round % 3);
                assert_eq!(
                    found,
                    solved.outcome(NodeId::new(node), purses, 0),
                    "{purses:?} {}",
                    context()
                );
                compared += 1;
            }
        }
    }
    assert!(
        boards > share(100) && compared > share(10_000),
        "{boards} {compared}"
    );
}

/// Checks boards with the players' roles exchanged.
#[test]
fn conjugated_boards_are_searched_from_the_other_side() {
    let source = board(&[FALLING, LINE, FULL, TURNS]);
    for (source, shape) in [
        (source, [3, 3, 3]),
        (board(&[FALLING, LINE, FULL]), [3, 2, 4]),
    ] {
        let ruleset = compiled(&source, &shape).expect("it compiles");
        let (graph, states) = explored(&ruleset);
        let conjugate = graph.conjugate();
        for rules in rules_of_search() {
            for total in [0, 1, 4] {
                let solved = Thresholds::solve(
                    &conjugate,
                    &rules,
                    Player::Alice,
                    &[total],
                    Context::plain(),
                )
                .expect("solved");
                for (node, state) in some(states.iter().enumerate().step_by(19)) {
                    let origin = SearchOrigin::Position {
                        ruleset: &ruleset,
                        state,
                        conjugated: true,
                    };
                    let found = searched_threshold(origin, &rules, total, 0);
                    assert_eq!(
                        found,
                        solved.threshold(NodeId::new(node), 0),
                        "{rules:?} {total} {state:?}"
                    );
                }
            }
        }
    }
}

/// Checks boards of alternating turns on which neither player can force a line of four.
#[test]
fn alternating_boards_are_as_known() {
    for (shape, alice, bob) in [
        ([4, 4, 4], false, false),
        ([4, 4, 5], false, false),
        ([4, 5, 4], false, false),
        ([4, 5, 5], false, false),
        ([4, 6, 4], false, false),
    ] {
        let ruleset = compiled(&board(&[FALLING, LINE, FULL, TURNS]), &shape).expect("it compiles");
        let origin = SearchOrigin::Position {
            ruleset: &ruleset,
            state: ruleset.start(),
            conjugated: false,
        };
        let purses = all_purses(&Rules::default(), 0);
        let found = search::outcome(
            origin,
            &Rules::default(),
            &purses[0],
            SearchOptions::default(),
            Context::plain(),
        )
        .expect("found");
        assert_eq!(
            found.answer == bid_language::player::Outcome::Wins(Player::Alice),
            alice,
            "{shape:?}"
        );
        assert_eq!(
            found.answer == bid_language::player::Outcome::Wins(Player::Bob),
            bob,
            "{shape:?}"
        );
        assert!(found.nodes < 5_000_000, "{shape:?}: {}", found.nodes);
    }
}
