//! Builtin functions on terms: functions of a board or a list that depends on the position.
//!
//! Questions about a whole board become operations on sets of cells ([`Plane`]).

use std::rc::Rc;

use super::cells::{Connection, Direction, Lines, neighbour_directions, side_cells, words_of};
use super::layout::{ALICE, BOB, EMPTY};
use super::operators::{first_fault, some};
use super::program::{Binder, Bool, ComparisonOp, FoldOp, Int, IntOp, Part, Plane};
use super::specialise::{Specialiser, list, malformed, tuple, wrong_kind};
use super::term::{BoardTerm, SpannedTerm, Term, all, compare, not};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::ir::{Side, Value};
use crate::player::Player;
use crate::source::Span;

/// A call of a builtin whose arguments are terms.
struct TermCall<'c> {
    name: &'static str,
    arguments: &'c [SpannedTerm],
    span: Span,
}

impl Specialiser<'_> {
    /// Specialises a call of a builtin that depends on the position.
    pub(super) fn builtin(
        &mut self,
        name: &'static str,
        arguments: &[SpannedTerm],
        span: Span,
    ) -> Result<Term> {
        // An argument that fails makes the call fail with the same message.
        if let Some(fault) = first_fault(arguments.iter().map(|argument| &argument.term)) {
            return Ok(fault);
        }
        let call = TermCall {
            name,
            arguments,
            span,
        };
        match (name, arguments.len()) {
            ("min", _) => self.extreme(FoldOp::Least, &call),
            ("max", _) => self.extreme(FoldOp::Greatest, &call),
            ("sum", _) => {
                self.fold_numbers(FoldOp::Sum, &self.parts(&arguments[0])?, arguments[0].span)
            }
            ("len", _) => self.length(&call),
            // All hold exactly if none fails, so one fold serves both functions.
            ("all", _) => Ok(Term::truth(not(some(self.truths(&call, true)?)))),
            ("any", _) => Ok(Term::truth(some(self.truths(&call, false)?))),
            ("floor", _) => self.rounded(&call, 0),
            ("ceil", _) => self.rounded(&call, 1),
            ("abs", _) => self.absolute(&call),
            ("row" | "col", 1) => self.coordinate(&call),
            ("row" | "col", _) => self.row_or_column(&call),
            ("count", _) if counted_board(arguments).is_none() => self.count_in_list(&call),
            _ => self.board_function(&call),
        }
    }

    fn extreme(&mut self, op: FoldOp, call: &TermCall<'_>) -> Result<Term> {
        let parts = match call.arguments {
            [list] => self.parts(list)?,
            many => many
                .iter()
                .map(|argument| Part::plain(argument.term.clone()))
                .collect(),
        };
        self.fold_numbers(op, &parts, call.span)
    }

    fn length(&mut self, call: &TermCall<'_>) -> Result<Term> {
        let parts = self.parts(&call.arguments[0])?;
        // Without binders every part is present at every position, so the length is known.
        if parts.iter().all(|part| part.binders.is_empty()) {
            return Ok(Term::Known(Value::integer(parts.len())));
        }
        let one = |part: Part<Term>| Part {
            binders: part.binders,
            value: Term::Known(Value::integer(1)),
        };
        let ones: Vec<Part<Term>> = parts.into_iter().map(one).collect();
        self.fold_numbers(FoldOp::Sum, &ones, call.span)
    }

    fn truths(&mut self, call: &TermCall<'_>, negated: bool) -> Result<Vec<Part<Bool>>> {
        let truth = |part: Part<Term>| {
            let value = part.value.as_truth();
            let value = value
                .ok_or_else(|| wrong_kind("true or false", &part.value, call.arguments[0].span))?;
            Ok(Part {
                binders: part.binders,
                value: if negated { not(value) } else { value },
            })
        };
        self.parts(&call.arguments[0])?
            .into_iter()
            .map(truth)
            .collect()
    }

    /// Computes ⌊(n + (d − 1)·up) / d⌋.
    fn rounded(&mut self, call: &TermCall<'_>, up: i64) -> Result<Term> {
        let Some((numerator, denominator)) = call.arguments[0].term.as_number() else {
            return Err(wrong_kind(
                "a number",
                &call.arguments[0].term,
                call.arguments[0].span,
            ));
        };
        if denominator == 1 {
            return Ok(Term::Number(numerator, 1));
        }
        let raised = self.apply(
            IntOp::Add,
            numerator,
            // Adding the denominator less one before the division rounds up.
            Int::Constant((denominator - 1) * up),
            call.span,
        );
        Ok(Term::Number(
            self.apply(
                IntOp::FloorDivide,
                raised,
                Int::Constant(denominator),
                call.span,
            ),
            1,
        ))
    }

    fn absolute(&mut self, call: &TermCall<'_>) -> Result<Term> {
        let negated = self.negate(&call.arguments[0].term, call.arguments[0].span)?;
        let both = [call.arguments[0].term.clone(), negated].map(Part::plain);
        self.fold_numbers(FoldOp::Greatest, &both, call.span)
    }

    fn coordinate(&mut self, call: &TermCall<'_>) -> Result<Term> {
        match call.arguments[0].term.as_items().as_deref() {
            Some([row, col]) => Ok(if call.name == "row" {
                row.clone()
            } else {
                col.clone()
            }),
            _ => Err(wrong_kind(
                "a cell (row, column)",
                &call.arguments[0].term,
                call.arguments[0].span,
            )),
        }
    }

    fn row_or_column(&mut self, call: &TermCall<'_>) -> Result<Term> {
        let board = self.board(call)?;
        let (by_row, count) = if call.name == "row" {
            (true, board.rows)
        } else {
            (false, board.cols)
        };
        let line = |n: usize| {
            let on = |cell: usize| {
                n == if by_row {
                    cell / board.cols
                } else {
                    cell % board.cols
                }
            };
            let cells = board.cells.iter().enumerate().filter(|(cell, _)| on(*cell));
            Term::list(cells.map(|(_, term)| term.clone()))
        };
        let lines: Vec<Term> = (0..count).map(line).collect();
        self.index(&Term::list(lines), &[call.arguments[1].clone()], call.span)
    }

    fn count_in_list(&mut self, call: &TermCall<'_>) -> Result<Term> {
        let mut found = Vec::new();
        for mut part in self.parts(&call.arguments[0])? {
            part.binders.push(Binder::Guard(self.equal(
                &part.value,
                &call.arguments[1].term,
                call.span,
            )?));
            found.push(Part {
                binders: part.binders,
                value: Term::Known(Value::integer(1)),
            });
        }
        self.fold_numbers(FoldOp::Sum, &found, call.span)
    }

    fn board(&self, call: &TermCall<'_>) -> Result<Rc<BoardTerm>> {
        board_of(&call.arguments[0].term).ok_or_else(|| {
            let message = match &call.arguments[0].term {
                Term::Board(_) | Term::Known(_) => format!("`{}` cannot be applied here", call.name),
                other => format!("`{}` takes a board, but this is {}", call.name, other.kind()),
            };
            let help = "the state holds a board if it starts as `grid(rows, cols)`, `hexgrid(rows, cols)`, or as a list of \
                        equally long lists of cells";
            malformed(&message, call.arguments[0].span, "not a board", help)
        })
    }

    fn board_function(&mut self, call: &TermCall<'_>) -> Result<Term> {
        if !BOARD_FUNCTIONS.contains(&call.name) {
            let message = format!(
                "`{}` cannot be applied to something that depends on the position",
                call.name
            );
            let help = "inside rulesets there are the functions on boards, and `min max sum len all any floor ceil abs`";
            return Err(malformed(
                &message,
                call.span,
                "depends on the position",
                help,
            ));
        }
        let board = self.board(call)?;
        if ["full", "empty_cells", "height"].contains(&call.name) {
            needs_cells(&board, call)?;
        }
        match call.name {
            "rows" => Ok(Term::Known(Value::integer(board.rows))),
            "cols" => Ok(Term::Known(Value::integer(board.cols))),
            "cells" => Ok(list(
                (0..board.cells.len())
                    .map(|cell| Part::plain(cell_term(&board, cell)))
                    .collect(),
            )),
            "full" => {
                let empty = self.plane(&board, &Term::Known(Value::Empty), call.span)?;
                Ok(Term::truth(not(Bool::Occupied(Box::new(empty)))))
            }
            "empty_cells" => Ok(list(empty_cells(&board))),
            "count" => {
                let plane = self.plane(&board, &call.arguments[1].term, call.arguments[1].span)?;
                Ok(Term::Number(Int::Count(Box::new(plane)), 1))
            }
            "height" => self.height(&board, call),
            "line" => self.line(&board, call),
            "connected" => self.connected(&board, call),
            _ => self.neighbours(&board, call),
        }
    }

    /// Builds the set of cells that contain a value.
    fn plane(&mut self, board: &BoardTerm, value: &Term, span: Span) -> Result<Plane> {
        if let (Some(planes), Some(code)) = (&board.planes, value.as_cell()) {
            let taken = || Plane::Or(Box::new((planes.alice.clone(), planes.bob.clone())));
            let free = || Plane::Without(Box::new((everything(board), taken())));
            let is = |wanted| compare(ComparisonOp::Equal, code.clone(), Int::Constant(wanted));
            return Ok(match code {
                Int::Constant(ALICE) => planes.alice.clone(),
                Int::Constant(BOB) => planes.bob.clone(),
                Int::Constant(EMPTY) => free(),
                _ => Plane::If(Box::new((
                    is(ALICE),
                    planes.alice.clone(),
                    Plane::If(Box::new((is(BOB), planes.bob.clone(), free()))),
                ))),
            });
        }
        if let (Some(_), Term::Known(never)) = (&board.planes, value) {
            let message = format!(
                "the cells of this board are `empty`, `alice` or `bob`, and never {}",
                never.kinds()
            );
            let help = "the players are written without quotation marks";
            return Err(malformed(&message, span, "on no cell", help));
        }
        let tests: Result<Vec<Bool>> = board
            .cells
            .iter()
            .map(|cell| self.equal(cell, value, span))
            .collect();
        Ok(Plane::Gather(tests?.into()))
    }

    /// Builds the number of occupied cells of a column.
    fn height(&mut self, board: &BoardTerm, call: &TermCall<'_>) -> Result<Term> {
        let free = self.plane(board, &Term::Known(Value::Empty), call.span)?;
        // The plane and the column are built once, and the heights of all columns are made from
        // them.
        let column = self.column(&call.arguments[1], board.cols)?;
        let heights = (0..board.cols).map(|col| {
            let cells = (0..board.cells.len()).filter(|cell| cell % board.cols == col);
            let cells = Plane::Constant(words_of(board.cells.len(), cells));
            Term::Number(
                Int::Count(Box::new(Plane::Without(Box::new((cells, free.clone()))))),
                1,
            )
        });
        let column = Term::Number(column, 1).spanned(call.arguments[1].span);
        self.index(&Term::list(heights), &[column], call.span)
    }

    fn line(&mut self, board: &BoardTerm, call: &TermCall<'_>) -> Result<Term> {
        let length = match self.integer(&call.arguments[2])? {
            Int::Constant(length) if length >= 1 => usize::try_from(length).unwrap_or(usize::MAX),
            Int::Constant(_) => {
                return Err(malformed(
                    "a line has at least one cell",
                    call.arguments[2].span,
                    "not a length",
                    "write 1 or more",
                ));
            }
            _ => {
                let help = "use a parameter or a constant";
                return Err(malformed(
                    "the length of a line must be known before play",
                    call.arguments[2].span,
                    "depends on the position",
                    help,
                ));
            }
        };
        let plane = self.plane(board, &call.arguments[1].term, call.arguments[1].span)?;
        let lines = Lines::new(board.shape, board.rows, board.cols, length);
        Ok(Term::truth(Bool::Line(Box::new((plane, lines)))))
    }

    fn connected(&mut self, board: &BoardTerm, call: &TermCall<'_>) -> Result<Term> {
        let side = |index: usize| -> Result<Box<[u64]>> {
            let found = side_of(&call.arguments[index].term);
            let side = found.ok_or_else(|| {
                wrong_kind(
                    "`left`, `right`, `top` or `bottom`",
                    &call.arguments[index].term,
                    call.arguments[index].span,
                )
            })?;
            Ok(words_of(
                board.cells.len(),
                side_cells(board.rows, board.cols, side),
            ))
        };
        let (from, to) = (side(2)?, side(3)?);
        let plane = self.plane(board, &call.arguments[1].term, call.arguments[1].span)?;
        let connection = Connection::new(board.shape, board.rows, board.cols, from, to);
        Ok(Term::truth(Bool::Connected(Box::new((plane, connection)))))
    }

    fn neighbours(&mut self, board: &BoardTerm, call: &TermCall<'_>) -> Result<Term> {
        let Some([row, col]) = call.arguments[1]
            .term
            .as_items()
            .and_then(|items| <[Term; 2]>::try_from(items).ok())
        else {
            return Err(wrong_kind(
                "a cell (row, column)",
                &call.arguments[1].term,
                call.arguments[1].span,
            ));
        };
        let row = self.row(&row.spanned(call.arguments[1].span), board.rows)?;
        let col = self.column(&col.spanned(call.arguments[1].span), board.cols)?;
        if let (Int::Fault(site), _) | (_, Int::Fault(site)) = (&row, &col) {
            return Ok(Term::Fault(*site));
        }
        let mut parts = Vec::new();
        for &Direction { down, right } in neighbour_directions(board.shape) {
            let row = self.apply(
                IntOp::Add,
                row.clone(),
                Int::Constant(down as i64),
                call.span,
            );
            let col = self.apply(
                IntOp::Add,
                col.clone(),
                Int::Constant(right as i64),
                call.span,
            );
            let on_board = all([inside(&row, board.rows), inside(&col, board.cols)]);
            match on_board {
                // For a known cell the neighbours beyond the edge are left out before play.
                Bool::Constant(false) => continue,
                Bool::Constant(true) => parts.push(Part::plain(cell_of(row, col))),
                guard => parts.push(Part::guarded(guard, cell_of(row, col))),
            }
        }
        Ok(list(parts))
    }
}

/// Checks that a function that looks for empty cells is given a board that can have some. On other
/// boards its value would not depend on the position.
/// Returns the board that a term stands for: a board, or the rows of one.
fn board_of(term: &Term) -> Option<Rc<BoardTerm>> {
    term.as_board().or_else(|| term.as_rows().map(Rc::new))
}

/// Returns the board whose cells `count` counts. A list among the elements of a list is one of
/// them, anything else is on a cell.
fn counted_board(arguments: &[SpannedTerm]) -> Option<Rc<BoardTerm>> {
    let is_list = arguments[1].term.as_parts().is_some();
    board_of(&arguments[0].term).filter(|_| !is_list)
}

fn needs_cells(board: &BoardTerm, call: &TermCall<'_>) -> Result<()> {
    let other = board.cells.iter().find(|cell| cell.as_cell().is_none());
    other.map_or(Ok(()), |other| {
        Err(malformed(
            &format!(
                "`{}` takes a board whose cells are `empty`, `alice` or `bob`",
                call.name
            ),
            call.arguments[0].span,
            &format!("a cell holds {}", other.kind()),
            OTHER_CELLS,
        ))
    })
}

/// The advice where a board holds other cells than `empty` and players.
pub const OTHER_CELLS: &str = "leave out the third argument of `grid`: the cells are `empty` then; \
    to test for other cells, count them: `count(board, false) == 0`";

/// The functions whose first argument is a board.
const BOARD_FUNCTIONS: [&str; 10] = [
    "rows",
    "cols",
    "cells",
    "full",
    "empty_cells",
    "count",
    "height",
    "line",
    "connected",
    "neighbours",
];

fn cell_term(board: &BoardTerm, cell: usize) -> Term {
    let number = |n: usize| Term::Known(Value::integer(n));
    tuple(vec![number(cell / board.cols), number(cell % board.cols)])
}

fn cell_of(row: Int, col: Int) -> Term {
    tuple(vec![Term::integer(row), Term::integer(col)])
}

fn inside(index: &Int, count: usize) -> Bool {
    let last = Int::Constant(fit::<i64>(count) - 1);
    all([
        compare(ComparisonOp::LessEqual, Int::Constant(0), index.clone()),
        compare(ComparisonOp::LessEqual, index.clone(), last),
    ])
}

fn everything(board: &BoardTerm) -> Plane {
    Plane::Constant(words_of(board.cells.len(), 0..board.cells.len()))
}

fn empty_cells(board: &BoardTerm) -> Vec<Part<Term>> {
    let empty = |term: &Term| match term.as_cell() {
        Some(code) => compare(ComparisonOp::Equal, code, Int::Constant(EMPTY)),
        None => Bool::Constant(false),
    };
    let cells = board
        .cells
        .iter()
        .enumerate()
        .filter_map(|(cell, term)| match empty(term) {
            Bool::Constant(false) => None,
            Bool::Constant(true) => Some(Part::plain(cell_term(board, cell))),
            guard => Some(Part::guarded(guard, cell_term(board, cell))),
        });
    cells.collect()
}

/// Returns the side of the board that a term names; `left` and `right` are the same words as for
/// the players.
fn side_of(term: &Term) -> Option<Side> {
    match term {
        Term::Known(Value::Side(side)) => Some(*side),
        Term::Known(Value::Player(Player::Alice)) => Some(Side::Left),
        Term::Known(Value::Player(Player::Bob)) => Some(Side::Right),
        _ => None,
    }
}
