//! Measures search on boards of Connect Four: the number of positions visited and the time. Each
//! search runs twice, with different orders of moves and different tables.
//!
//! `cargo bench --bench search` measures small boards. `-- ROWS COLS A B` asks about one board with
//! these chips, written like `1` and `'0*'` for the player with the advantage. `-- ROWS COLS turns`
//! asks about the board where moves alternate and nobody bids.
#![allow(clippy::print_stdout, reason = "a benchmark tells what it measured")]

use std::error::Error;
use std::rc::Rc;
use std::time::Instant;

use bid::eval::{Evaluator, SessionState};
use bid_game::ruleset::{self, Ruleset};
use bid_language::check::{self, CheckedStatementKind, Definitions, Scope};
use bid_language::ir::Value;
use bid_language::player::{PerPlayer, Player};
use bid_language::rules::{Overrides, Purses, Rules};
use bid_language::source::SourceMap;
use bid_language::syntax;
use bid_language::watch::{Context, Limits};
use bid_solve::space::search::{self, SearchOptions, SearchOrigin};

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

/// A board, with the chips of both players.
struct Board {
    rows: i64,
    cols: i64,
    purses: Purses,
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
    let (mut definitions, mut scope) = (
        Definitions::new(bid::library::signatures()),
        Scope::default(),
    );
    let (statements, _) = check::check(&mut definitions, &mut scope, &parsed.file.statements);
    let template = statements
        .into_iter()
        .find_map(|statement| match statement.kind {
            CheckedStatementKind::Ruleset { ruleset, .. } => Some(ruleset),
            _ => None,
        });
    let mut evaluator = Evaluator::new(&mut world, Rc::new(Overrides::default()), Context::plain());
    let arguments = [4, board.rows, board.cols].map(Value::integer);
    let template = template.ok_or("the source has a ruleset")?;
    ruleset::compile(&template, &arguments, &mut evaluator, Context::plain())
        .map_err(|error| error.message.into())
}

fn measure(board: &Board) -> Result<(), Box<dyn Error>> {
    let ruleset = compiled(board)?;
    let origin = SearchOrigin::Position {
        ruleset: &ruleset,
        state: ruleset.start(),
        conjugated: false,
    };
    for (seed, memory) in [(0, 4 << 30), (1, 2 << 30)] {
        let begun = Instant::now();
        let found = search::outcome(
            origin,
            &Rules::default(),
            &board.purses,
            SearchOptions { seed },
            &Context::within(Limits::memory(memory)),
        );
        let found = found.map_err(|error| error.message)?;
        let (seconds, nodes) = (begun.elapsed().as_secs_f64(), found.nodes);
        let Board {
            rows,
            cols,
            purses,
            turns,
        } = board;
        let purse = |player| {
            format!(
                "{}{}",
                purses.chips[player],
                if purses.status == Some(player) {
                    "*"
                } else {
                    ""
                }
            )
        };
        let how = if *turns {
            "turns".to_owned()
        } else {
            Player::both(purse).join(", ")
        };
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
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let number = |place: usize| -> Result<i64, Box<dyn Error>> { Ok(arguments[place].parse()?) };
    let with = |alice, bob, holder| Purses {
        chips: PerPlayer::new(alice, bob),
        status: Some(holder),
    };
    let bidding = |rows, cols, alice, bob| Board {
        rows,
        cols,
        purses: with(alice, bob, Player::Alice),
        turns: false,
    };
    let turns = |rows, cols| Board {
        rows,
        cols,
        purses: with(0, 0, Player::Alice),
        turns: true,
    };
    let purse = |place: usize| -> Result<(u64, bool), Box<dyn Error>> {
        let text = &arguments[place];
        Ok((text.trim_end_matches('*').parse()?, text.ends_with('*')))
    };
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
        4 => {
            let (rows, cols, (alice, has_alice), (bob, has_bob)) =
                (number(0)?, number(1)?, purse(2)?, purse(3)?);
            let holder = match (has_alice, has_bob) {
                (true, false) => Player::Alice,
                (false, true) => Player::Bob,
                _ => return Err("give one player the advantage, like `1 '0*'`".into()),
            };
            measure(&Board {
                rows,
                cols,
                purses: with(alice, bob, holder),
                turns: false,
            })
        }
        _ => Err("give a board's rows and columns, and both players' chips or `turns`".into()),
    }
}
