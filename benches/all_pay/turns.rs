//! Games whose turns are measured, with their turns.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Purses, Rules, Solver, preset};
use bid_language::watch::Context;
use bid_solve::all_pay::{AllPayValues, FloatEnclosure, Matrix, Standing, ValueTable};

/// A position of tic-tac-toe. 0 is empty, 1 Alice, 2 Bob.
type Board = [u8; 9];

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

fn canonical(board: Board) -> Board {
    let turned = |b: Board| [b[6], b[3], b[0], b[7], b[4], b[1], b[8], b[5], b[2]];
    let mirrored = |b: Board| [b[2], b[1], b[0], b[5], b[4], b[3], b[8], b[7], b[6]];
    let turns = std::iter::successors(Some(board), |board| Some(turned(*board))).take(4);
    turns
        .flat_map(|board| [board, mirrored(board)])
        .min()
        .expect("eight images")
}

fn ending(board: &Board) -> Option<Ending> {
    let has = |mark| {
        LINES
            .iter()
            .any(|line| line.iter().all(|&cell| board[cell] == mark))
    };
    match (has(1), has(2)) {
        (true, _) => Some(Ending::Win(Player::Alice)),
        (_, true) => Some(Ending::Win(Player::Bob)),
        _ => (!board.contains(&0)).then_some(Ending::Draw),
    }
}

/// Returns the graph of tic-tac-toe from the empty board, with positions merged that are equal up
/// to symmetry.
pub fn tic_tac_toe() -> GameGraph {
    let mut positions = vec![[0; 9]];
    let mut numbers = HashMap::from([([0; 9], 0)]);
    let mut builder = GameGraphBuilder::default();
    while let Some(&board) = positions.get(builder.len()) {
        let ending = ending(&board);
        let [alice, bob] = [1, 2].map(|mark| {
            let open = (0..9).filter(|&cell| ending.is_none() && board[cell] == 0);
            let next = open.map(|cell| {
                let mut next = board;
                next[cell] = mark;
                let next = canonical(next);
                let number = *numbers.entry(next).or_insert(positions.len());
                if number == positions.len() {
                    positions.push(next);
                }
                NodeId::new(number)
            });
            let mut heads: Vec<NodeId> = next.collect();
            heads.sort_unstable();
            heads.dedup();
            heads
        });
        builder.push(ending, &alice, &bob);
    }
    builder.finish(NodeId::new(0))
}

/// Returns the rules of Menz, Wang & Xie, with draws worth a half.
pub fn menz(solver: Solver) -> Rules {
    Rules {
        solver,
        ..preset("menz").expect("the preset is in the table")
    }
}

/// Computes the table of enclosures for every position and every split, and the time that this
/// took.
pub fn table(graph: &GameGraph, chips: u64) -> (ValueTable<FloatEnclosure>, Duration) {
    // The table is created for enclosures even where exact values would be cheap. The turns
    // themselves are solved as under `auto`.
    let chips = PerPlayer::new(chips / 2, chips - chips / 2);
    let mut solved = AllPayValues::new(graph, &menz(Solver::Toeplitz), chips, Context::plain())
        .expect("the table fits in memory");
    let rules = menz(Solver::Auto);
    let (done, took) =
        time(|| solved.advance(Standing::of(graph), &rules, graph.start(), Context::plain()));
    done.expect("nothing stops it");
    match solved {
        AllPayValues::Certified(table) => (table, took),
        AllPayValues::Exact(_) => unreachable!("enclosures were asked for"),
    }
}

/// Returns the turns with these purses at all positions that are not endings.
pub fn turns(
    table: &ValueTable<FloatEnclosure>,
    graph: &GameGraph,
    purses: &[Purses],
) -> Vec<Matrix<FloatEnclosure>> {
    let rules = menz(Solver::Auto);
    let positions = graph.nodes().filter(|&node| graph.ending(node).is_none());
    positions
        .flat_map(|node| purses.iter().map(move |purses| (node, purses)))
        .map(|(node, purses)| table.matrix(graph, &rules, node, purses, Context::plain()))
        .map(|turn| turn.expect("nobody stops it"))
        .collect()
}

/// Returns the result of work, and the time that it took.
pub fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}
