//! Builtins on boards, for plain values. Lines and connections are found by the operations on sets
//! of cells to which rulesets compile them.

use std::rc::Rc;

use num_traits::ToPrimitive;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Comparer, Placed, elements, same, type_error};
use crate::game::ruleset::{
    CellSet, Connection, Lines, OTHER_CELLS, Wide, neighbour_directions, side_cells, step, words_of,
};
use crate::ir::board::{Board, Shape};
use crate::ir::{Kinds, Operand, Parameter, Side, Value};
use crate::player::Player;
use crate::source::Span;
use crate::watch::Context;

/// The most cells a board can have.
const MAX_CELLS: usize = 4096;

/// A board, or a list of rows, which denotes the board of squares with these cells.
const BOARD: Parameter = Parameter::new("board", Kinds::BOARD.or(Kinds::LIST));
const VALUE: Parameter = Parameter::new("value", Kinds::ANY);
const NEW: &[Parameter] = &[integer("rows"), integer("cols"), VALUE];
const INDEXED: &[Parameter] = &[
    Parameter::new("board", BOARD.kinds.or(Kinds::TUPLE)),
    integer("index"),
];
const COUNTED: &[Parameter] = &[
    Parameter::new("board", Kinds::BOARD.or(Kinds::SEQUENCE)),
    VALUE,
];
const CONNECTED: &[Parameter] = &[BOARD, VALUE, side("from"), side("to")];

const fn integer(name: &'static str) -> Parameter {
    Parameter::new(name, Kinds::INTEGER)
}

const fn side(name: &'static str) -> Parameter {
    Parameter::new(name, Kinds::SIDE.or(Kinds::PLAYER))
}

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "grid"(NEW) -> Kinds::BOARD, None, |_, call| new(call, Shape::Square),
        { required: 2 }
        "A board of squares: every cell is empty, or holds the third argument. Neighbours share an edge; lines run \
         along rows, columns and both diagonals.",
        "grid(2, 3)" => ".../...",
        "grid(1, 2, alice)" => "AA";
    "hexgrid"(NEW) -> Kinds::BOARD, None, |_, call| new(call, Shape::Hex),
        { required: 2 }
        "A rhombus of hexagons: the cell (r, c) touches (r ± 1, c), (r, c ± 1), (r + 1, c − 1) and (r − 1, c + 1); \
         lines run in these three directions.",
        "len(neighbours(hexgrid(3, 3), (1, 1)))" => "6";
    "cells"(&[BOARD])
        -> Kinds::LIST, None, |_, call| board(call).map(|board| cell_list(&board, |_| true)),
        "All cells of a board as pairs (row, column), row by row from the top; both count from 0.",
        "cells(grid(1, 2))" => "[(0, 0), (0, 1)]";
    "empty_cells"(&[BOARD]) -> Kinds::LIST, None, |_, call| {
            board_of_players(call)
                .map(|board| cell_list(&board, |cell| matches!(board.cells[cell], Value::Empty)))
        },
        "The cells of a board that are empty.",
        "len(empty_cells(grid(3, 3)))" => "9";
    "rows"(&[BOARD])
        -> Kinds::INTEGER, None, |_, call| board(call).map(|board| Value::integer(board.rows)),
        "The number of rows of a board.",
        "rows(grid(2, 3))" => "2";
    "cols"(&[BOARD])
        -> Kinds::INTEGER, None, |_, call| board(call).map(|board| Value::integer(board.cols)),
        "The number of columns of a board.",
        "cols(grid(2, 3))" => "3";
    "row"(INDEXED) -> Kinds::LIST.or(Kinds::INTEGER), None, |_, call| row_or_column(call, 0),
        { required: 1 }
        "The cells of a row of a board, from the left; or the row of a cell: row((1, 2)) is 1.",
        "row(grid(2, 2, bob), 0)" => "[bob, bob]",
        "row((1, 2))" => "1";
    "col"(INDEXED) -> Kinds::LIST.or(Kinds::INTEGER), None, |_, call| row_or_column(call, 1),
        { required: 1 }
        "The cells of a column of a board, from the top; or the column of a cell: col((1, 2)) is 2.",
        "col(grid(2, 2, 7), 1)" => "[7, 7]",
        "col((1, 2))" => "2";
    "count"(COUNTED) -> Kinds::INTEGER, None, |evaluator, call| count(call, evaluator.context),
        "The number of cells of a board, or of elements of a list, that hold a value.",
        "count(grid(3, 3), empty)" => "9",
        "count([[alice, bob], [bob, empty]], bob)" => "2",
        "count([1, 2, 1], 1)" => "2";
    "height"(&[BOARD, integer("column")]) -> Kinds::INTEGER, None, |_, call| height(call),
        "The number of taken cells in a column.",
        "height(grid(4, 4), 0)" => "0";
    "full"(&[BOARD]) -> Kinds::BOOL, None, |_, call| full(call),
        "True if no cell of a board is empty: alice or bob is on each.",
        "full(grid(2, 2))" => "false",
        "full(grid(2, 2, alice))" => "true";
    "line"(&[BOARD, VALUE, integer("n")]) -> Kinds::BOOL, None, |_, call| line(call),
        "True if a value stands on n cells in a row, column or diagonal (on a hexgrid, in one of its three \
         directions). Here and in the other functions on boards, a list of equally long lists of cells is a \
         board of squares.",
        "line(grid(3, 3), alice, 3)" => "false",
        "line([[alice, bob], [bob, alice]], alice, 2)" => "true";
    "connected"(CONNECTED) -> Kinds::BOOL, None, |_, call| connected(call),
        "True if a chain of neighbouring cells that hold a value joins two sides: left, right, top, bottom.",
        "connected(hexgrid(2, 2, alice), alice, left, right)" => "true";
    "neighbours"(&[BOARD, Parameter::new("cell", Kinds::TUPLE)])
        -> Kinds::LIST, None, |_, call| neighbours(call),
        "The cells that touch a cell: up to 4 on a grid, up to 6 on a hexgrid.",
        "neighbours(grid(2, 2), (0, 0))" => "[(0, 1), (1, 0)]";
};

fn new(call: &Call<'_>, shape: Shape) -> Result<Value> {
    let (rows, cols) = (size(call, 0)?, size(call, 1)?);
    if rows.saturating_mul(cols) > MAX_CELLS {
        let message = format!("a board has at most {MAX_CELLS} cells");
        return Err(bad(message, call.span, "too large", "make it smaller"));
    }
    let content = call
        .arguments
        .get(2)
        .map_or(Value::Empty, |given| given.value.clone());
    Ok(Value::Board(Rc::new(Board {
        shape,
        rows,
        cols,
        cells: vec![content; rows * cols],
    })))
}

fn size(call: &Call<'_>, index: usize) -> Result<usize> {
    let n = call.integer(index);
    match n.to_usize() {
        Some(n) if n > 0 => Ok(n),
        // A size beyond the machine's numbers is refused like one that is merely too large.
        Some(_) | None if n.sign() == num_bigint::Sign::Plus => Ok(usize::MAX),
        Some(_) | None => Err(bad(
            "a board has at least one row and one column".to_owned(),
            call.arguments[index].span,
            "less than 1",
            "write 1 or more",
        )),
    }
}

fn bad(message: String, span: Span, label: &str, help: &str) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, message)
        .label(span, label)
        .help(help)
        .into()
}

fn board(call: &Call<'_>) -> Result<Rc<Board>> {
    let Operand { value, span } = &call.arguments[0];
    match value {
        Value::Board(board) => Ok(Rc::clone(board)),
        Value::List(rows) => board_of_rows(rows.values())
            .ok_or_else(|| no_board(*span))
            .map(Rc::new),
        other => Err(type_error(*span, BOARD.kinds, other)),
    }
}

/// Returns the board of squares with these rows of cells; `None` if the rows differ in length, are
/// too many, or contain lists.
fn board_of_rows(rows: &[Value]) -> Option<Board> {
    let cells = |row: &Value| match row {
        Value::List(cells) => Some(Rc::clone(cells.values())),
        _ => None,
    };
    let cols = cells(rows.first()?)?.len();
    if cols == 0 || rows.len().saturating_mul(cols) > MAX_CELLS {
        return None;
    }
    let lines: Vec<_> = rows
        .iter()
        .map(|row| cells(row).filter(|row| row.len() == cols))
        .collect::<Option<_>>()?;
    let cells: Vec<Value> = lines.iter().flat_map(|row| row.iter().cloned()).collect();
    let is_plain = cells
        .iter()
        .all(|cell| !cell.kinds().meets(Kinds::SEQUENCE));
    is_plain.then_some(Board {
        shape: Shape::Square,
        rows: rows.len(),
        cols,
        cells,
    })
}

fn no_board(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "this list is not a board: a board is a list of equally long lists of cells")
        .label(span, "not a board")
        .note(format!("a board has from 1 to {MAX_CELLS} cells, and none of them is a list"))
        .help(
            "write `[[empty, alice], [bob, empty]]`, or make a board by `grid(rows, cols)`; for a list, look at the elements: \
             `all([x == me for x in xs])`",
        )
        .into()
}

/// Reads the board of a function that looks for empty cells. A cell with another value than `empty`
/// and the players would never be empty, so that the answer would not depend on it.
fn board_of_players(call: &Call<'_>) -> Result<Rc<Board>> {
    let board = board(call)?;
    let is_other = |cell: &&Value| !matches!(cell, Value::Empty | Value::Player(_));
    if let Some(other) = board.cells.iter().find(is_other) {
        let span = call.arguments[0].span;
        let label = format!("a cell holds {}", other.kinds());
        return Err(bad(
            format!(
                "`{}` takes a board whose cells are `empty`, `alice` or `bob`",
                call.name
            ),
            span,
            &label,
            OTHER_CELLS,
        ));
    }
    Ok(board)
}

fn full(call: &Call<'_>) -> Result<Value> {
    let board = board_of_players(call)?;
    let is_empty = |cell: &Value| matches!(cell, Value::Empty);
    Ok(Value::Bool(!board.cells.iter().any(is_empty)))
}

fn cell_value(board: &Board, cell: usize) -> Value {
    Value::tuple([
        Value::integer(cell / board.cols),
        Value::integer(cell % board.cols),
    ])
}

fn cell_list(board: &Board, wanted: impl Fn(usize) -> bool) -> Value {
    Value::list(
        (0..board.cells.len())
            .filter(|cell| wanted(*cell))
            .map(|cell| cell_value(board, cell)),
    )
}

/// Reads an argument as an index below `count`.
fn index(call: &Call<'_>, argument: usize, count: usize, what: &str) -> Result<usize> {
    let n = call.integer(argument);
    n.to_usize().filter(|n| *n < count).ok_or_else(|| {
        let help = format!("they are numbered from 0 to {}", count.saturating_sub(1));
        bad(
            format!("the board has no {what} {n}"),
            call.arguments[argument].span,
            "outside the board",
            &help,
        )
    })
}

fn row_or_column(call: &Call<'_>, part: usize) -> Result<Value> {
    match &call.arguments[..] {
        [Operand { value, span }] => match value {
            Value::Tuple(parts) if parts.len() == 2 => Ok(parts[part].clone()),
            other => Err(type_error(*span, Kinds::TUPLE, other)),
        },
        _ => {
            let board = board(call)?;
            let (count, what) = if part == 0 {
                (board.rows, "row")
            } else {
                (board.cols, "column")
            };
            let wanted = index(call, 1, count, what)?;
            let place = |cell: usize| {
                if part == 0 {
                    cell / board.cols
                } else {
                    cell % board.cols
                }
            };
            let cells = board
                .cells
                .iter()
                .enumerate()
                .filter(|(cell, _)| place(*cell) == wanted);
            Ok(Value::list(cells.map(|(_, value)| value.clone())))
        }
    }
}

/// Returns `true` if a cell contains this value. No cell contains a list, so the comparison takes
/// no time.
fn holds(cell: &Value, wanted: &Value) -> bool {
    same(cell, wanted, Context::plain()).is_ok_and(|same| same)
}

fn count(call: &Call<'_>, context: &Context<'_>) -> Result<Value> {
    let wanted = &call.arguments[1].value;
    let Operand { value, span } = &call.arguments[0];
    let board = match value {
        Value::Board(board) => Some(Rc::clone(board)),
        // A list among the elements of a list is one of them, anything else is on a cell.
        Value::List(rows) if !wanted.kinds().meets(Kinds::SEQUENCE) => {
            board_of_rows(rows.values()).map(Rc::new)
        }
        _ => None,
    };
    let found = match board {
        Some(board) => {
            let cells = board.cells.iter();
            cells.filter(|cell| holds(cell, wanted)).count()
        }
        None => {
            let mut comparer = Comparer::new(context);
            let mut found = 0;
            for item in elements(value, *span)?.iter() {
                let same = comparer.same(item, wanted);
                found += usize::from(same.placed(call.span)?);
            }
            found
        }
    };
    Ok(Value::integer(found))
}

fn height(call: &Call<'_>) -> Result<Value> {
    let board = board_of_players(call)?;
    let column = index(call, 1, board.cols, "column")?;
    let taken = |row: &usize| !matches!(board.cells[row * board.cols + column], Value::Empty);
    Ok(Value::integer((0..board.rows).filter(taken).count()))
}

fn line(call: &Call<'_>) -> Result<Value> {
    let board = board(call)?;
    let wanted = &call.arguments[1].value;
    let length = call.integer(2);
    if length.sign() != num_bigint::Sign::Plus {
        return Err(bad(
            "a line has at least one cell".to_owned(),
            call.arguments[2].span,
            "not a length",
            "write 1 or more",
        ));
    }
    // No line is so long, so any number beyond the board has the same answer.
    let length = length.to_usize().unwrap_or(usize::MAX);
    let lines = Lines::new(board.shape, board.rows, board.cols, length);
    Ok(Value::Bool(lines.any(&cells_with(&board, wanted))))
}

/// Returns the cells of a board that contain a value.
fn cells_with(board: &Board, wanted: &Value) -> Wide {
    let count = board.cells.len();
    let found = (0..count).filter(|cell| holds(&board.cells[*cell], wanted));
    Wide::from_words(&words_of(count, found))
}

fn connected(call: &Call<'_>) -> Result<Value> {
    let board = board(call)?;
    let wanted = &call.arguments[1].value;
    let (rows, cols) = (board.rows, board.cols);
    let [from, to] = [side_of(call, 2), side_of(call, 3)]
        .map(|side| words_of(rows * cols, side_cells(rows, cols, side)));
    let connection = Connection::new(board.shape, rows, cols, from, to);
    Ok(Value::Bool(connection.any(&cells_with(&board, wanted))))
}

fn side_of(call: &Call<'_>, argument: usize) -> Side {
    match &call.arguments[argument].value {
        Value::Side(side) => *side,
        // The words `left` and `right` are read as the players, so that a player here is a side.
        Value::Player(Player::Bob) => Side::Right,
        _ => Side::Left,
    }
}

fn neighbours(call: &Call<'_>) -> Result<Value> {
    let board = board(call)?;
    let Operand { value: cell, span } = &call.arguments[1];
    // The access only checks the cell, so that a wrong one has the usual message.
    board.cell(std::slice::from_ref(&call.arguments[1]))?;
    let parts = elements(cell, *span)?;
    let number = |part: &Value| match part {
        Value::Integer(n) => n.to_usize().unwrap_or(0),
        _ => 0,
    };
    let cell = number(&parts[0]) * board.cols + number(&parts[1]);
    let directions = neighbour_directions(board.shape).iter();
    let touching = directions
        .filter_map(|direction| step(board.rows, board.cols, cell, *direction, 1))
        .map(|cell| cell_value(&board, cell));
    Ok(Value::list(touching))
}
