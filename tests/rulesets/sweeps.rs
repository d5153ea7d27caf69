//! Sweeps over numbered rulesets: compared, position by position, with the values on the explored
//! graph.

use bid_game::ruleset::{Indexed, Ruleset, State};
use bid_game::{GameGraph, NodeId, neighbourhood};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Purses, Rules, TieBreak, Winner};
use bid_language::watch::{Context, Limits};
use bid_solve::chips::{Outcomes, ThresholdCache, Thresholds};
use bid_solve::law::advice::Advice;
use bid_solve::law::decision::WinnerChoice;
use bid_solve::positions::{Graphless, Numbered};
use bid_solve::richman;
use bid_solve::richman::Coin;
use bid_solve::space::sweep::Schedule;
use bid_solve::strategy::Strategies;

use super::layers::pawns;
use super::{Labelled, classic, compiled, explore, plain, ruleset_in, try_compiled};
use bid_testing::{share, some};

/// Returns a context with so little memory that tables are cut into the shortest possible blocks.
/// Small games then also have rows that have ended, images of blocks and steps from block to block.
pub fn short() -> Context<'static> {
    Context::within(Limits::memory(Limits::for_room(8_000_000)))
}

fn indexed(ruleset: &Ruleset) -> Option<Indexed> {
    ruleset.indexed(Context::plain()).expect("nobody stops it")
}

/// The numbers of comparisons.
#[derive(Default)]
struct Tally {
    rulesets: usize,
    positions: usize,
    guarded_moves: usize,
    strategies: usize,
    outcomes: usize,
}

/// Compares the Richman values of all positions that can be reached, and the thresholds of some.
fn compare(name: &str, ruleset: &Ruleset, tally: &mut Tally) {
    let Some(indexed) = indexed(ruleset).filter(|indexed| indexed.numbering.positions() <= 30_000)
    else {
        return;
    };
    let Ok(explored) = explore(ruleset, &Context::within(Limits::positions(1_500))) else {
        return;
    };
    assert!(
        explored.graph.is_acyclic(),
        "{name} is numbered, so it has no cycles"
    );
    tally.rulesets += 1;
    tally.positions += explored.positions.len();
    tally.guarded_moves += usize::from(
        Player::BOTH
            .iter()
            .any(|player| !indexed.numbering.guarded_moves[*player].is_empty()),
    );
    for draws in [Draws::Neither, Draws::Alice, Draws::Bob, Draws::Half] {
        let rules = Rules {
            draws,
            ..Rules::default()
        };
        let expected = richman::Values::solve(&explored.graph, &rules, Context::plain())
            .expect("a value for each vertex");
        let start = Numbered::new(ruleset, &indexed, std::slice::from_ref(ruleset.start()));
        for context in [Context::plain(), &short()] {
            let swept =
                richman::RichmanSweep::solve(start, &rules, context).expect("nobody stops it");
            for (vertex, state) in explored.positions.iter().enumerate() {
                let (found, expected) = (
                    swept.value(&indexed, state),
                    expected.value(NodeId::new(vertex)),
                );
                assert_eq!(
                    found,
                    Some(expected),
                    "{name}, {draws:?}, at {}",
                    ruleset.print(state)
                );
            }
        }
    }
    if indexed.numbering.positions() <= 3_000 {
        compare_thresholds(name, ruleset, &indexed, &explored, tally.rulesets);
        tally.outcomes += compare_outcomes(name, ruleset, &indexed, &explored, tally.rulesets);
        tally.strategies += compare_strategies(name, ruleset, &indexed, &explored, tally.rulesets);
    }
}

/// Compares thresholds under one of several rules, each in its turn.
fn compare_thresholds(
    name: &str,
    ruleset: &Ruleset,
    indexed: &Indexed,
    explored: &Labelled,
    turn: usize,
) {
    let last = explored.positions.len() - 1;
    let ties = [
        (TieBreak::Advantage, Winner::Chooses, Draws::Neither),
        (TieBreak::Advantage, Winner::Moves, Draws::Alice),
        (TieBreak::MakeItTakeIt, Winner::Chooses, Draws::Bob),
        (TieBreak::Marker, Winner::Moves, Draws::Neither),
        (TieBreak::LosersBall, Winner::Chooses, Draws::Neither),
        (TieBreak::LadiesFirst, Winner::Chooses, Draws::Alice),
        (TieBreak::Richer, Winner::Moves, Draws::Neither),
    ];
    let (ties, winner, draws) = ties[turn % ties.len()];
    let rules = Rules {
        ties,
        winner,
        draws,
        ..Rules::default()
    };
    for (seeker, totals) in [
        (Player::Alice, vec![5]),
        (Player::Bob, (0..40).collect()),
        (Player::Alice, vec![3, 32_766, 40_000, 1 << 20]),
    ] {
        let expected =
            Thresholds::solve(&explored.graph, &rules, seeker, &totals, Context::plain())
                .expect("admitted");
        for vertex in [0, last / 2] {
            let state = &explored.positions[vertex];
            let position = Numbered::new(ruleset, indexed, std::slice::from_ref(state));
            let found =
                Thresholds::solve_graphless(position, &rules, seeker, &totals, Context::plain());
            let found = found.expect("admitted").expect("it is numbered");
            for (lane, total) in totals.iter().enumerate() {
                let (here, there) = (NodeId::new(0), NodeId::new(vertex));
                let place = || format!("{name}, {rules:?}, {} of {}", ruleset.print(state), total);
                assert_eq!(
                    found.threshold(here, lane),
                    expected.threshold(there, lane),
                    "{}",
                    place()
                );
                assert_eq!(
                    found.raw_unprevented(here, lane),
                    expected.raw_unprevented(there, lane),
                    "{}",
                    place()
                );
            }
        }
    }
}

/// Compares the winner for every split of some totals, for the game and its conjugate, asked twice
/// of the same sweeps; returns the number of comparisons.
fn compare_outcomes(
    name: &str,
    ruleset: &Ruleset,
    indexed: &Indexed,
    explored: &Labelled,
    turn: usize,
) -> usize {
    const TOTALS: [u64; 4] = [0, 5, 126, 127];
    let ties = TieBreak::certain().nth(turn % 7).expect("there are seven");
    let winner = [Winner::Chooses, Winner::Moves][turn / 7 % 2];
    let draws = [Draws::Neither, Draws::Neither, Draws::Alice, Draws::Bob][turn / 14 % 4];
    let rules = Rules {
        ties,
        winner,
        draws,
        ..Rules::default()
    };
    let totals = [&TOTALS[1..2], &TOTALS][turn % 2];
    let vertex = [0, explored.positions.len() / 2][turn / 2 % 2];
    let state = &explored.positions[vertex];
    let mut compared = 0;
    for conjugated in [false, true] {
        let graph = if conjugated {
            explored.graph.conjugate()
        } else {
            explored.graph.clone()
        };
        let expected = Outcomes::solve(&graph, &rules, totals, Context::plain()).expect("admitted");
        let kept = ThresholdCache::default();
        let position = Numbered {
            conjugated,
            kept: Some(&kept),
            ..Numbered::new(ruleset, indexed, std::slice::from_ref(state))
        };
        for _ in 0..2 {
            let found = Outcomes::solve_graphless(
                Graphless::Numbered(position),
                &rules,
                totals,
                Context::plain(),
            );
            let found = found.expect("admitted").expect("it is numbered");
            for (lane, total) in totals.iter().enumerate() {
                for purses in splits(*total, ties) {
                    let [here, there] = [(&found, 0), (&expected, vertex)]
                        .map(|(solved, vertex)| solved.outcome(NodeId::new(vertex), &purses, lane));
                    assert_eq!(
                        here, there,
                        "{name}, {rules:?}, conjugated: {conjugated}, {purses:?}"
                    );
                    compared += 1;
                }
            }
        }
        let value = |graph| {
            richman::Values::solve(graph, &rules, Context::plain())
                .map(|values| values.value(NodeId::new(vertex)))
        };
        let coin = Coin {
            weights: PerPlayer::new(3, 2),
        };
        if richman::coin_sweep_need(&rules, coin, indexed.numbering.plies).is_some() {
            let swept = richman::RichmanSweep::tossed(position, &rules, coin, Context::plain())
                .expect("nobody stops it");
            let tossed = swept
                .value(indexed, &explored.positions[vertex])
                .expect("it was asked for");
            let expected = richman::Values::with_coin(&graph, &rules, coin, Context::plain())
                .expect("no cycles");
            assert_eq!(
                tossed,
                expected.value(NodeId::new(vertex)),
                "{name}, {rules:?}, conjugated: {conjugated}"
            );
        }
        if winner == Winner::Moves {
            // The sweep is refused if a player may want to lose a bid at a position that can be
            // reached from the start.
            let start = Numbered {
                conjugated,
                ..Numbered::new(
                    ruleset,
                    indexed,
                    std::slice::from_ref(&explored.positions[0]),
                )
            };
            let found = richman::without_zugzwang(start, &rules, Context::plain())
                .expect("nobody stops it");
            let expected = richman::Values::solve(&graph, &rules, Context::plain())
                .map(|values| vec![values.value(NodeId::new(0))]);
            assert_eq!(
                found,
                expected.ok(),
                "{name}, {rules:?}, conjugated: {conjugated}"
            );
        } else {
            let found = richman::RichmanSweep::solve(position, &rules, Context::plain())
                .expect("nobody stops it");
            assert_eq!(
                found.value(indexed, state),
                value(&graph).ok(),
                "{name}, {rules:?}, conjugated: {conjugated}"
            );
        }
    }
    compared
}

/// Returns all ways to divide chips and the tie status, if there is one.
pub fn splits(total: u64, ties: TieBreak) -> impl Iterator<Item = Purses> {
    let purses = move |own| {
        let chips = PerPlayer::new(own, total - own);
        let holders = ties.holders().iter();
        holders.map(move |&status| Purses { chips, status })
    };
    (0..=total).flat_map(purses)
}

/// Compares the advice at the start, found from the values of its successors alone, for every split
/// of a total; returns the number of comparisons.
fn compare_strategies(
    name: &str,
    ruleset: &Ruleset,
    indexed: &Indexed,
    explored: &Labelled,
    turn: usize,
) -> usize {
    const TOTAL: u64 = 6;
    let start = NodeId::new(0);
    if explored.graph.ending(start).is_some() {
        return 0;
    }
    let near = neighbourhood(ruleset, ruleset.start()).expect("it was explored");
    let Some((graph, positions)) = near else {
        return 0;
    };
    let (winner, draws) = [
        (Winner::Chooses, Draws::Neither),
        (Winner::Moves, Draws::Neither),
        (Winner::Chooses, Draws::Bob),
    ][turn % 3];
    let rules = Rules {
        winner,
        draws,
        ..Rules::default()
    };
    let states: Vec<State> = positions.states().collect();
    let ended: Vec<Ending> = graph
        .nodes()
        .skip(states.len())
        .filter_map(|node| graph.ending(node))
        .collect();
    let numbered = Numbered {
        ended: &ended,
        ..Numbered::new(ruleset, indexed, &states)
    };
    let found = Strategies::solve_numbered(&graph, numbered, &rules, TOTAL, Context::plain());
    let found = found.expect("nobody stops it").expect("it is numbered");
    let expected = Strategies::solve(&explored.graph, &rules, TOTAL, Context::plain())
        .expect("nobody stops it");
    let mut compared = 0;
    for own in 0..=TOTAL {
        for holder in Player::BOTH {
            let purses = Purses::new(own, TOTAL - own, Some(holder));
            assert_eq!(
                found.outcome(start, &purses),
                expected.outcome(start, &purses),
                "{name} {rules:?} {purses:?}"
            );
            for player in Player::BOTH {
                let [here, there] = [
                    (&found, &graph, states.len()),
                    (&expected, &explored.graph, explored.positions.len()),
                ]
                .map(|(solved, graph, count)| {
                    by_ending(solved.turn(player, start, purses).advice(), graph, count)
                });
                assert_eq!(here, there, "{name} {rules:?} {purses:?}");
                compared += 1;
            }
        }
    }
    compared
}

/// Renumbers the endings in advice that are not positions. They come last, under the same numbers
/// in all graphs.
fn by_ending(advice: Advice, graph: &GameGraph, positions: usize) -> Advice {
    let node = |node: NodeId| match graph.ending(node).filter(|_| node.index() >= positions) {
        None => node,
        Some(Ending::Draw) => NodeId::new(1_000_000),
        Some(Ending::Win(player)) => NodeId::new(2_000_000 + usize::from(player == Player::Alice)),
    };
    let choice = |choice| match choice {
        WinnerChoice::Move(to) => WinnerChoice::Move(node(to)),
        WinnerChoice::LetMove => WinnerChoice::LetMove,
    };
    Advice {
        on_win: advice.on_win.map(choice),
        on_tied_win: advice.on_tied_win.map(choice),
        on_loss: advice
            .on_loss
            .into_iter()
            .map(|(from, head)| (from, node(head)))
            .collect(),
        on_tied_loss: advice.on_tied_loss.map(node),
        ..advice
    }
}

#[test]
fn random_rulesets_have_the_values_of_their_graphs() {
    let mut tally = Tally::default();
    for seed in 0..share(800) {
        let source = plain::falling::Writer::write(seed);
        if let Ok(ruleset) = try_compiled(&source, &[2]) {
            compare(&format!("seed {seed}\n{source}"), &ruleset, &mut tally);
        }
    }
    let Tally {
        rulesets,
        positions,
        guarded_moves,
        strategies,
        outcomes,
    } = tally;
    let counts = format!(
        "{rulesets} rulesets with {positions} positions, {guarded_moves} of them with guarded_moves; advice: {strategies}, outcomes: {outcomes}"
    );
    assert!(
        rulesets > share(400)
            && positions > share(40_000)
            && guarded_moves > share(100)
            && strategies > share(3_000)
            && outcomes > share(100_000),
        "{counts}"
    );
}

/// Checks that a guard with the effect of `drop` is recognised: the columns are numbered by their
/// possible contents.
#[test]
fn gravity_written_by_hand_is_numbered_like_the_builtin() {
    let built_in = classic("connect");
    let line = built_in
        .lines()
        .find(|line| line.contains("move drop"))
        .expect("it has one");
    let by_hand = "    move put(r, c) for (r, c) in cells(board) if board[r, c] == empty \
                   and (r == rows - 1 or board[r + 1, c] != empty) { board[r, c] = me }";
    let by_list = "    move put(r, c) for (r, c) in cells(board) if board[r, c] == empty \
                   and all([board[below, c] != empty for below in r + 1 .. rows - 1]) { board[r, c] = me }";
    for arguments in [[3, 3, 3], [3, 4, 3], [3, 3, 4]] {
        let numbered = |source: &str| {
            let ruleset = compiled(source, &arguments);
            let indexed = indexed(&ruleset).expect("it is numbered");
            let swept = richman::RichmanSweep::solve(
                Numbered::new(&ruleset, &indexed, std::slice::from_ref(ruleset.start())),
                &Rules::default(),
                Context::plain(),
            );
            let swept = swept.expect("nobody stops it");
            (
                indexed.numbering.positions(),
                swept.value(&indexed, ruleset.start()),
            )
        };
        let expected = numbered(&built_in);
        for other in [by_hand, by_list] {
            assert_eq!(
                numbered(&built_in.replace(line, other)),
                expected,
                "{other} {arguments:?}"
            );
        }
    }
}

/// Checks that variants of known games are numbered like them, and have the values of their graphs.
#[test]
fn variants_are_numbered_like_their_relatives() {
    let file = include_str!("../../benches/native/variants.bid");
    let mut tally = Tally::default();
    let cases: [(&str, &[i64], u64); 7] = [
        ("plain", &[2, 2, 3], 7 * 7 * 7),
        ("cylinder", &[2, 2, 3], 7 * 7 * 7),
        ("skyline", &[3, 3, 2], 15 * 7),
        // A flag, and in each column as many contents as before.
        ("pie", &[3, 3, 2], 2 * 15 * 15),
        ("hex", &[2, 3], 3 * 3 * 3 * 3 * 3 * 3),
        ("holed", &[2, 3], 3 * 3 * 3 * 3 * 3),
        ("holed", &[3, 2], 3 * 3 * 3 * 3 * 3),
    ];
    for (name, arguments, positions) in cases {
        let ruleset = compiled(&ruleset_in(file, name), arguments);
        assert_eq!(
            indexed(&ruleset).map(|indexed| indexed.numbering.positions()),
            Some(positions),
            "{name}"
        );
        compare(name, &ruleset, &mut tally);
    }
    assert_eq!(tally.rulesets, cases.len());
}

/// Checks that the contents of a column from which a player's move leads equally far are adjacent:
/// all those of a height, and no others.
#[test]
fn contents_of_a_height_stand_side_by_side() {
    for rows in 4..=6 {
        let indexed =
            indexed(&compiled(&classic("connect"), &[4, rows, 4])).expect("a board is numbered");
        let row = &indexed.numbering.row;
        let count = row.steps[Player::Alice].len();
        assert_eq!(count, (2 << rows) - 1);
        let back = |content: usize| {
            Player::both(|player| {
                row.steps[player][content]
                    .iter()
                    .map(|to| content - *to as usize)
                    .collect::<Vec<_>>()
            })
        };
        let breaks = (1..count)
            .filter(|content| back(*content) != back(*content - 1))
            .count();
        assert_eq!(breaks, rows as usize, "{rows}");
    }
}

/// Checks a game in which every piece steps forward: a cell is left and entered again, but the
/// cells of the last rows only once, so they come first.
#[test]
fn pieces_that_go_forward_are_numbered() {
    let ruleset = compiled(&pawns(3), &[2]);
    assert!(indexed(&ruleset).is_some_and(|indexed| indexed.numbering.positions() <= 3_u64.pow(9)));
    let mut tally = Tally::default();
    compare("pawns", &ruleset, &mut tally);
    assert_eq!(tally.rulesets, 1);
}

/// Checks that a count of cells is looked up by the amount that each part adds to it: a table of
/// all combinations would be far larger than the game.
#[test]
fn conditions_on_sums_take_no_large_tables() {
    let source = "game g(n) {
        state board = grid(3, 4)
        state heaps = [n, n, n]
        move place(c) for c in cells(board) if board[c] == empty and len(empty_cells(board)) + sum(heaps) > 3 { board[c] = me }
        move take(h) for h in 0 .. 2 if heaps[h] > 0 and count(board, me) <= count(board, other) + heaps[h] { heaps[h] -= 1 }
        win me if 2 * count(board, me) > 9 - sum(heaps)
        draw if len(empty_cells(board)) == 1
    }
";
    let ruleset = compiled(source, &[3]);
    let indexed = indexed(&ruleset).expect("moves use cells and counters up");
    assert_eq!(indexed.numbering.positions(), 3_u64.pow(12) * 64);
    let words: usize = indexed.tables.iter().map(|table| table.bits.len()).sum();
    assert!(words < 100_000, "{words}");
    let small = compiled(
        &source
            .replace("grid(3, 4)", "grid(2, 2)")
            .replace("> 9", "> 3"),
        &[1],
    );
    let mut tally = Tally::default();
    compare("sums", &small, &mut tally);
    assert_eq!(tally.rulesets, 1);
}

/// Compares boards on which blocks are images of others with their graphs: mirrored, rotated and
/// reflected, with an odd and an even width, and with endings that depend on several parts.
#[test]
fn symmetries_save_blocks_and_change_no_value() {
    let drop = "move drop(col) for col in 0 .. COLS - 1 if height(board, col) < ROWS { drop(board, col, me) }";
    let place = "move place(c) for c in cells(board) if board[c] == empty { board[c] = me }";
    let boards = [
        (
            "grid(3, 4)",
            drop,
            "win me if line(board, me, 3)",
            "symmetry mirror(board)",
        ),
        (
            "grid(4, 3)",
            drop,
            "win other if line(board, me, 3)",
            "symmetry mirror(board)",
        ),
        (
            "grid(2, 5)",
            drop,
            "win bob if line(board, me, 3)",
            "symmetry mirror(board)",
        ),
        (
            "grid(3, 3)",
            place,
            "win me if line(board, me, 3)",
            "symmetry board",
        ),
        (
            "grid(2, 4)",
            place,
            "win alice if count(board, me) > 2 and line(board, other, 3)",
            "symmetry board",
        ),
        (
            "grid(3, 3)",
            place,
            "win other if line(board, me, 3)",
            "symmetry rotate(board)",
        ),
        (
            "grid(4, 4)",
            drop,
            "win me if line(board, me, 3)",
            "symmetry mirror(board)",
        ),
        (
            "hexgrid(3, 3)",
            place,
            "win bob if line(board, other, 3)",
            "symmetry rotate(board)",
        ),
    ];
    let mut saved = 0;
    for (board, moves, win, symmetry) in some(boards) {
        let size = board.split(['(', ',', ')']).collect::<Vec<_>>();
        let moves = moves
            .replace("ROWS", size[1].trim())
            .replace("COLS", size[2].trim());
        let source = |symmetry: &str| {
            format!(
                "game g() {{\n state board = {board}\n {moves}\n {win}\n draw if full(board)\n {symmetry}\n}}\n"
            )
        };
        let (ruleset, plain) = (compiled(&source(symmetry), &[]), compiled(&source(""), &[]));
        let [blocks, all] = [&ruleset, &plain].map(|ruleset| {
            let numbering = ruleset
                .numbering(Context::plain())
                .expect("nobody stops it")
                .expect("it is numbered");
            Schedule::new(4, &numbering, None, &short())
                .expect("there is room")
                .blocks()
        });
        saved += usize::from(blocks < all);
        let indexed = indexed(&ruleset).expect("it is numbered");
        let explored =
            explore(&plain, &Context::within(Limits::positions(500_000))).expect("it is small");
        for draws in [Draws::Alice, Draws::Half] {
            let rules = Rules {
                draws,
                ..Rules::default()
            };
            let expected = richman::Values::solve(&explored.graph, &rules, Context::plain())
                .expect("a value for each vertex");
            let start = Numbered::new(&ruleset, &indexed, std::slice::from_ref(ruleset.start()));
            // The numbers of the sweep have room for whole plays, and for fewer moves.
            let plies = indexed.numbering.plies;
            for room in [plies, plies - 1, plies / 2, 1] {
                let swept = richman::RichmanSweep::with_room_for(room, start, &rules, &short())
                    .expect("nobody stops it");
                for (vertex, state) in explored.positions.iter().enumerate() {
                    let (found, expected) = (
                        swept.value(&indexed, state),
                        expected.value(NodeId::new(vertex)),
                    );
                    let place = format!(
                        "room for {room}, {draws:?}, at {}\n{}",
                        ruleset.print(state),
                        source(symmetry)
                    );
                    assert_eq!(found, Some(expected), "{place}");
                }
            }
        }
    }
    assert!(saved > share(4), "{saved}");
}
