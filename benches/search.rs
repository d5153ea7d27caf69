//! Search on boards of Connect Four: how many positions it goes through, in what time, twice over with another order of moves and another table.
//!
//! `cargo bench --bench search` measures small boards; `-- ROWS COLS A B` asks about one board with these chips, A with the advantage, and
//! `-- ROWS COLS turns` about the board where moves alternate and nobody bids.
#![allow(clippy::print_stdout, reason = "a benchmark tells what it measured")]

use std::error::Error;
use std::rc::Rc;
use std::time::Instant;

use bid::check::{self, Definitions, Scope, StatementKind};
use bid::eval::{Evaluator, SessionState};
use bid::game::ruleset::{self, Ruleset};
use bid::ir::Value;
use bid::player::{PerPlayer, Player};
use bid::rules::{Overrides, Purses, Rules};
use bid::solve::search::{self, Manner, Origin};
use bid::source::SourceMap;
use bid::syntax;
use bid::watch::{Limits, Stop, Unwatched, Watch};

const GAME: &str = "game connect(n, rows, cols) {
    state board = grid(rows, cols)
    move drop(col) for col in 0 .. cols - 1 if height(board, col) < rows { drop(board, col, me) }
    win me if line(board, me, n)
    draw if full(board)
    TURNS
    symmetry mirror(board)
}
";

const TURNS: &str = "turn alice if count(board, alice) == count(board, bob)
    turn bob if count(board, alice) > count(board, bob)";

/// Lets a table take so many bytes.
struct Room(u64);

impl Watch for Room {
    fn check(&self) -> Result<(), Stop> {
        Ok(())
    }

    fn limits(&self) -> Limits {
        Limits { max_memory: self.0, ..Limits::default() }
    }
}

/// A board and who holds what.
struct Board {
    rows: i64,
    cols: i64,
    chips: PerPlayer<u64>,
    turns: bool,
}

fn compiled(board: &Board) -> Result<Ruleset, Box<dyn Error>> {
    let source = GAME.replace("TURNS", if board.turns { TURNS } else { "" });
    let mut sources = SourceMap::default();
    let parsed = {
        let id = sources.add("connect.bid", source);
        syntax::parse(&sources, id)
    };
    let mut world = SessionState::new(bid::library::all());
    let (mut definitions, mut scope) = (Definitions::new(bid::library::signatures()), Scope::default());
    let (statements, _) = check::check(&mut definitions, &mut scope, &parsed.file.statements);
    let template = statements.into_iter().find_map(|statement| match statement.kind {
        StatementKind::Ruleset { ruleset, .. } => Some(ruleset),
        _ => None,
    });
    let mut evaluator = Evaluator::new(&mut world, Rc::new(Overrides::default()), &Unwatched);
    let arguments = [4, board.rows, board.cols].map(Value::integer);
    let template = template.ok_or("the source has a ruleset")?;
    ruleset::compile(&template, &arguments, &mut evaluator).map_err(|error| error.message.into())
}

fn measure(board: &Board) -> Result<(), Box<dyn Error>> {
    let ruleset = compiled(board)?;
    let origin = Origin::Position { ruleset: &ruleset, state: ruleset.start(), conjugated: false };
    let purses = Purses { chips: board.chips, status: Some(Player::Alice) };
    for (seed, memory) in [(0, 4 << 30), (1, 2 << 30)] {
        let begun = Instant::now();
        let found = search::outcome(origin, &Rules::default(), &purses, Manner { seed }, &Room(memory));
        let found = found.map_err(|error| error.message)?;
        let (seconds, nodes) = (begun.elapsed().as_secs_f64(), found.nodes);
        let Board { rows, cols, chips, turns } = board;
        let how = if *turns { "turns".to_owned() } else { format!("{}*, {}", chips.alice, chips.bob) };
        println!(
            "{rows} × {cols}, {how}: {:?}, {nodes} positions in {seconds:.2} s, {:.2} million a second (seed {seed}, {} GB)",
            found.answer,
            nodes as f64 / seconds / 1e6,
            memory >> 30,
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |place: usize| -> Result<i64, Box<dyn Error>> { Ok(arguments[place].parse()?) };
    let bidding = |rows, cols, alice, bob| Board { rows, cols, chips: PerPlayer::new(alice, bob), turns: false };
    let turns = |rows, cols| Board { rows, cols, chips: PerPlayer::new(0, 0), turns: true };
    match arguments.len() {
        0 => [
            bidding(4, 4, 3, 3),
            bidding(4, 5, 0, 0),
            bidding(4, 5, 1, 1),
            bidding(5, 5, 0, 0),
            turns(4, 5),
            turns(5, 5),
            turns(6, 5),
        ]
        .iter()
        .try_for_each(measure),
        3 => measure(&turns(number(0)?, number(1)?)),
        4 => measure(&bidding(number(0)?, number(1)?, number(2)?.try_into()?, number(3)?.try_into()?)),
        _ => Err("give a board's rows and columns, and both players' chips or `turns`".into()),
    }
}
