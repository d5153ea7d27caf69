//! Builtins on boards, for plain values. They follow their definitions directly, by walking from
//! cell to cell. Inside rulesets the same functions are compiled to operations on sets of cells;
//! tests compare the two.

use std::rc::Rc;

use num_traits::ToPrimitive;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Comparer, elements, no_question, placed, same, type_error};
use crate::game::ruleset::{OTHER_CELLS, line_directions, neighbour_directions, step};
use crate::ir::board::{Board, Shape};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Side, Value};
use crate::player::Player;
use crate::source::Span;
use crate::watch::Context;

/// The most cells a board can have.
const MAX_CELLS: usize = 4096;

/// A board, or a list of rows, which denotes the board of squares with these cells.
const BOARD: Parameter = Parameter {
    name: "board",
    kinds: Kinds::BOARD.or(Kinds::LIST),
};
const VALUE: Parameter = Parameter {
    name: "value",
    kinds: Kinds::ANY,
};
const NEW: &[Parameter] = &[integer("rows"), integer("cols"), VALUE];
const INDEXED: &[Parameter] = &[
    Parameter {
        name: "board",
        kinds: BOARD.kinds.or(Kinds::TUPLE),
    },
    integer("index"),
];
const COUNTED: &[Parameter] = &[
    Parameter {
        name: "board",
        kinds: Kinds::BOARD.or(Kinds::SEQUENCE),
    },
    VALUE,
];
const CONNECTED: &[Parameter] = &[BOARD, VALUE, side("from"), side("to")];

const fn integer(name: &'static str) -> Parameter {
    Parameter {
        name,
        kinds: Kinds::INTEGER,
    }
}

const fn side(name: &'static str) -> Parameter {
    Parameter {
        name,
        kinds: Kinds::SIDE.or(Kinds::PLAYER),
    }
}

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        signature: BuiltinSignature {
            required: 2,
            help: "A board of squares: every cell is empty, or holds the third argument. Neighbours share an edge; lines run \
               along rows, columns and both diagonals.",
            examples: &[("grid(2, 3)", ".../..."), ("grid(1, 2, alice)", "AA")],
            ..BuiltinSignature::new("grid", NEW, Kinds::BOARD)
        },
        asks: no_question,
        run: |_, call| new(call, Shape::Square),
    },
    Builtin {
        signature: BuiltinSignature {
            required: 2,
            help: "A rhombus of hexagons: the cell (r, c) touches (r ± 1, c), (r, c ± 1), (r + 1, c − 1) and (r − 1, c + 1); \
               lines run in these three directions.",
            examples: &[("len(neighbours(hexgrid(3, 3), (1, 1)))", "6")],
            ..BuiltinSignature::new("hexgrid", NEW, Kinds::BOARD)
        },
        asks: no_question,
        run: |_, call| new(call, Shape::Hex),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "All cells of a board as pairs (row, column), row by row from the top; both count from 0.",
            examples: &[("cells(grid(1, 2))", "[(0, 0), (0, 1)]")],
            ..BuiltinSignature::new("cells", &[BOARD], Kinds::LIST)
        },
        asks: no_question,
        run: |_, call| board(call).map(|board| cell_list(&board, |_| true)),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The cells of a board that are empty.",
            examples: &[("len(empty_cells(grid(3, 3)))", "9")],
            ..BuiltinSignature::new("empty_cells", &[BOARD], Kinds::LIST)
        },
        asks: no_question,
        run: |_, call| {
            board_of_players(call)
                .map(|board| cell_list(&board, |cell| matches!(board.cells[cell], Value::Empty)))
        },
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The number of rows of a board.",
            examples: &[("rows(grid(2, 3))", "2")],
            ..BuiltinSignature::new("rows", &[BOARD], Kinds::INTEGER)
        },
        asks: no_question,
        run: |_, call| board(call).map(|board| Value::integer(board.rows)),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The number of columns of a board.",
            examples: &[("cols(grid(2, 3))", "3")],
            ..BuiltinSignature::new("cols", &[BOARD], Kinds::INTEGER)
        },
        asks: no_question,
        run: |_, call| board(call).map(|board| Value::integer(board.cols)),
    },
    Builtin {
        signature: BuiltinSignature {
            required: 1,
            help: "The cells of a row of a board, from the left; or the row of a cell: row((1, 2)) is 1.",
            examples: &[
                ("row(grid(2, 2, bob), 0)", "[bob, bob]"),
                ("row((1, 2))", "1"),
            ],
            ..BuiltinSignature::new("row", INDEXED, Kinds::LIST.or(Kinds::INTEGER))
        },
        asks: no_question,
        run: |_, call| row_or_column(call, 0),
    },
    Builtin {
        signature: BuiltinSignature {
            required: 1,
            help: "The cells of a column of a board, from the top; or the column of a cell: col((1, 2)) is 2.",
            examples: &[("col(grid(2, 2, 7), 1)", "[7, 7]"), ("col((1, 2))", "2")],
            ..BuiltinSignature::new("col", INDEXED, Kinds::LIST.or(Kinds::INTEGER))
        },
        asks: no_question,
        run: |_, call| row_or_column(call, 1),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The number of cells of a board, or of elements of a list, that hold a value.",
            examples: &[
                ("count(grid(3, 3), empty)", "9"),
                ("count([1, 2, 1], 1)", "2"),
            ],
            ..BuiltinSignature::new("count", COUNTED, Kinds::INTEGER)
        },
        asks: no_question,
        run: |evaluator, call| count(call, evaluator.context),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The number of taken cells in a column.",
            examples: &[("height(grid(4, 4), 0)", "0")],
            ..BuiltinSignature::new("height", &[BOARD, integer("column")], Kinds::INTEGER)
        },
        asks: no_question,
        run: |_, call| height(call),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "True if no cell of a board is empty: alice or bob is on each.",
            examples: &[
                ("full(grid(2, 2))", "false"),
                ("full(grid(2, 2, alice))", "true"),
            ],
            ..BuiltinSignature::new("full", &[BOARD], Kinds::BOOL)
        },
        asks: no_question,
        run: |_, call| full(call),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "True if a value stands on n cells in a row, column or diagonal (on a hexgrid, in one of its three \
               directions). Here and in the other functions on boards, a list of equally long lists of cells is a \
               board of squares.",
            examples: &[
                ("line(grid(3, 3), alice, 3)", "false"),
                ("line([[alice, bob], [bob, alice]], alice, 2)", "true"),
            ],
            ..BuiltinSignature::new("line", &[BOARD, VALUE, integer("n")], Kinds::BOOL)
        },
        asks: no_question,
        run: |_, call| line(call),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "True if a chain of neighbouring cells that hold a value joins two sides: left, right, top, bottom.",
            examples: &[(
                "connected(hexgrid(2, 2, alice), alice, left, right)",
                "true",
            )],
            ..BuiltinSignature::new("connected", CONNECTED, Kinds::BOOL)
        },
        asks: no_question,
        run: |_, call| connected(call),
    },
    Builtin {
        signature: BuiltinSignature {
            help: "The cells that touch a cell: up to 4 on a grid, up to 6 on a hexgrid.",
            examples: &[("neighbours(grid(2, 2), (0, 0))", "[(0, 1), (1, 0)]")],
            ..BuiltinSignature::new(
                "neighbours",
                &[
                    BOARD,
                    Parameter {
                        name: "cell",
                        kinds: Kinds::TUPLE,
                    },
                ],
                Kinds::LIST,
            )
        },
        asks: no_question,
        run: |_, call| neighbours(call),
    },
];

fn new(call: &Call<'_>, shape: Shape) -> Result<Value> {
    let (rows, cols) = (size(call, 0)?, size(call, 1)?);
    if rows.saturating_mul(cols) > MAX_CELLS {
        let message = format!("a board has at most {MAX_CELLS} cells");
        return Err(bad(message, call.span, "too large", "make it smaller"));
    }
    let content = call
        .arguments
        .get(2)
        .map_or(Value::Empty, |(value, _)| value.clone());
    Ok(Value::Board(Rc::new(Board {
        shape,
        rows,
        cols,
        cells: vec![content; rows * cols],
    })))
}

fn size(call: &Call<'_>, index: usize) -> Result<usize> {
    let (value, span) = &call.arguments[index];
    let Value::Integer(n) = value else {
        return Err(type_error(*span, Kinds::INTEGER, value));
    };
    match n.to_usize() {
        Some(n) if n > 0 => Ok(n),
        Some(_) | None if n.sign() == num_bigint::Sign::Plus => Ok(usize::MAX),
        Some(_) | None => Err(bad(
            "a board has at least one row and one column".to_owned(),
            *span,
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
    match &call.arguments[0] {
        (Value::Board(board), _) => Ok(Rc::clone(board)),
        (Value::List(rows), span) => board_of_rows(rows.values())
            .ok_or_else(|| no_board(*span))
            .map(Rc::new),
        (other, span) => Err(type_error(*span, BOARD.kinds, other)),
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
            "write `[[empty, alice], [bob, empty]]`, or make a board by `grid(rows, cols)`; of a list, look at the elements: \
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
        let (_, span) = &call.arguments[0];
        let label = format!("a cell holds {}", other.kinds());
        return Err(bad(
            format!(
                "`{}` takes a board whose cells are `empty`, `alice` or `bob`",
                call.name
            ),
            *span,
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
    let (value, span) = &call.arguments[argument];
    let Value::Integer(n) = value else {
        return Err(type_error(*span, Kinds::INTEGER, value));
    };
    n.to_usize().filter(|n| *n < count).ok_or_else(|| {
        let help = format!("they are numbered from 0 to {}", count.saturating_sub(1));
        bad(
            format!("the board has no {what} {n}"),
            *span,
            "outside the board",
            &help,
        )
    })
}

fn row_or_column(call: &Call<'_>, part: usize) -> Result<Value> {
    match &call.arguments[..] {
        [(Value::Tuple(parts), _)] if parts.len() == 2 => Ok(parts[part].clone()),
        [(other, span)] => Err(type_error(*span, Kinds::TUPLE, other)),
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
    let wanted = &call.arguments[1].0;
    let found = match &call.arguments[0] {
        (Value::Board(board), _) => board
            .cells
            .iter()
            .filter(|cell| holds(cell, wanted))
            .count(),
        (list, span) => {
            let mut comparer = Comparer::new(context);
            let mut found = 0;
            for item in elements(list, *span)?.iter() {
                let same = comparer.same(item, wanted);
                found += usize::from(same.map_err(|error| placed(error.into(), call.span))?);
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
    let wanted = &call.arguments[1].0;
    let (length, span) = (&call.arguments[2].0, call.arguments[2].1);
    let length = match length {
        Value::Integer(n) if n.sign() == num_bigint::Sign::Plus => {
            n.to_usize().unwrap_or(usize::MAX)
        }
        Value::Integer(_) => {
            return Err(bad(
                "a line has at least one cell".to_owned(),
                span,
                "no length",
                "write 1 or more",
            ));
        }
        other => return Err(type_error(span, Kinds::INTEGER, other)),
    };
    let holds = |cell: usize| holds(&board.cells[cell], wanted);
    let runs = |cell: usize, direction| {
        (0..length).all(|n| step(board.rows, board.cols, cell, direction, n).is_some_and(holds))
    };
    let directions = line_directions(board.shape);
    let found = (0..board.cells.len())
        .any(|cell| directions.iter().any(|direction| runs(cell, *direction)));
    Ok(Value::Bool(found))
}

fn connected(call: &Call<'_>) -> Result<Value> {
    let board = board(call)?;
    let wanted = &call.arguments[1].0;
    let (from, to) = (side_of(call, 2)?, side_of(call, 3)?);
    let holds = |cell: &usize| holds(&board.cells[*cell], wanted);
    let mut seen = vec![false; board.cells.len()];
    let mut open: Vec<usize> = (0..seen.len())
        .filter(|cell| on_side(&board, *cell, from))
        .filter(holds)
        .collect();
    while let Some(cell) = open.pop() {
        if std::mem::replace(&mut seen[cell], true) {
            continue;
        }
        open.extend(touching(&board, cell).filter(holds));
    }
    Ok(Value::Bool(
        (0..seen.len()).any(|cell| seen[cell] && on_side(&board, cell, to)),
    ))
}

fn side_of(call: &Call<'_>, argument: usize) -> Result<Side> {
    match &call.arguments[argument] {
        (Value::Side(side), _) => Ok(*side),
        (Value::Player(Player::Alice), _) => Ok(Side::Left),
        (Value::Player(Player::Bob), _) => Ok(Side::Right),
        (other, span) => Err(type_error(*span, Kinds::SIDE, other)),
    }
}

fn on_side(board: &Board, cell: usize, side: Side) -> bool {
    match side {
        Side::Left => cell.is_multiple_of(board.cols),
        Side::Right => cell % board.cols == board.cols - 1,
        Side::Top => cell < board.cols,
        Side::Bottom => cell / board.cols == board.rows - 1,
    }
}

fn touching(board: &Board, cell: usize) -> impl Iterator<Item = usize> {
    let directions = neighbour_directions(board.shape).iter();
    directions.filter_map(move |direction| step(board.rows, board.cols, cell, *direction, 1))
}

fn neighbours(call: &Call<'_>) -> Result<Value> {
    let board = board(call)?;
    let (cell, span) = &call.arguments[1];
    board.cell(&[(cell.clone(), *span)])?;
    let parts = elements(cell, *span)?;
    let number = |part: &Value| match part {
        Value::Integer(n) => n.to_usize().unwrap_or(0),
        _ => 0,
    };
    let cell = number(&parts[0]) * board.cols + number(&parts[1]);
    Ok(Value::list(
        touching(&board, cell).map(|cell| cell_value(&board, cell)),
    ))
}
