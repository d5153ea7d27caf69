//! Terms: the form of an expression once parameters, loop variables and the mover are known. A term
//! is either a value, or a program for one, or a structure of such.

use std::rc::Rc;

use num_traits::ToPrimitive;

use super::fault::Site;
use super::layout::{ALICE, BOB, EMPTY, ScalarPlace, VariablePlace};
use super::program::{Binder, Bool, ComparisonOp, Int, Part, Plane, Register};
use crate::ir::board::{Board, Shape};
use crate::ir::{FunctionCode, Kinds, Value};
use crate::player::{PerPlayer, Player};
use crate::source::Span;

/// The result of specialising an expression.
#[derive(Debug, Clone)]
pub enum Term {
    /// A value known before play.
    Known(Value),
    /// A number that depends on the position, as a fraction with a known positive denominator.
    Number(Int, i64),
    /// A truth value that depends on the position.
    Truth(Bool),
    /// `empty` or a player.
    Cell(Int),
    /// A player.
    Player(Int),
    /// A tuple.
    Tuple(Rc<[Term]>),
    /// A list. Its parts have binders where its length depends on the position.
    List(Rc<[Part<Term>]>),
    /// A board.
    Board(Rc<BoardTerm>),
    /// A local function that uses the state.
    Function(Rc<FunctionCode>, Rc<[Term]>),
    /// No value, since a fault occurs for certain.
    Fault(Site),
}

/// A term with the place in the source that it comes from.
#[derive(Debug, Clone)]
pub struct SpannedTerm {
    /// The term.
    pub term: Term,
    /// The place in the source.
    pub span: Span,
}

/// A board whose cells are terms.
#[derive(Debug, Clone)]
pub struct BoardTerm {
    /// The shape of the cells.
    pub shape: Shape,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The cells, row by row from the top.
    pub cells: Vec<Term>,
    /// The players' sets of cells, if the board is a variable of the state and its cells hold
    /// `empty` or a player.
    pub planes: Option<PerPlayer<Plane>>,
}

impl Term {
    /// Returns the term with the place in the source that it comes from.
    pub fn spanned(self, span: Span) -> SpannedTerm {
        SpannedTerm { term: self, span }
    }

    /// Returns the contents of a state variable.
    pub fn of_place(place: &VariablePlace) -> Self {
        match place {
            VariablePlace::Scalar(scalar) => Self::of_scalar(*scalar),
            VariablePlace::Items { tuple: true, items } => {
                Self::Tuple(items.iter().map(Self::of_place).collect())
            }
            VariablePlace::Items {
                tuple: false,
                items,
            } => Self::list(items.iter().map(Self::of_place)),
            VariablePlace::Board(board) => Self::Board(Rc::new(BoardTerm {
                shape: board.shape,
                rows: board.rows,
                cols: board.cols,
                cells: board
                    .cells
                    .iter()
                    .map(|cell| Self::of_scalar(*cell))
                    .collect(),
                planes: board.planes.map(|planes| planes.map(Plane::Field)),
            })),
        }
    }

    fn of_scalar(scalar: ScalarPlace) -> Self {
        match scalar {
            ScalarPlace::Integer(_) => Self::Number(Int::Scalar(scalar), 1),
            ScalarPlace::Bool(bit) => Self::Truth(Bool::Bit(bit)),
            ScalarPlace::Player(_) => Self::Player(Int::Scalar(scalar)),
            ScalarPlace::Cell(_) => Self::Cell(Int::Scalar(scalar)),
        }
    }

    /// Builds a list of known length.
    pub fn list(items: impl IntoIterator<Item = Term>) -> Self {
        Self::List(items.into_iter().map(Part::plain).collect())
    }

    /// Builds a truth value, known if its program is constant.
    pub fn truth(program: Bool) -> Self {
        match program {
            Bool::Constant(truth) => Self::Known(Value::Bool(truth)),
            program => Self::Truth(program),
        }
    }

    /// Builds an integer, known if its program is constant.
    pub fn integer(program: Int) -> Self {
        match program {
            Int::Constant(n) => Self::Known(Value::integer(n)),
            program => Self::Number(program, 1),
        }
    }

    /// Returns a description of the term's kind for messages.
    pub fn kind(&self) -> String {
        let kind = match self {
            Self::Known(value) => return value.kinds().to_string(),
            Self::Number(_, 1) => "an integer",
            Self::Number(..) => "a number",
            Self::Truth(_) => "true or false",
            Self::Cell(_) => "the content of a cell",
            Self::Player(_) => "a player",
            Self::Tuple(_) => "a tuple",
            Self::List(_) => "a list",
            Self::Board(_) => "a board",
            Self::Function(..) => "a function",
            Self::Fault(_) => "an index outside of something",
        };
        kind.to_owned()
    }

    /// Returns the kinds of values that the term may have.
    pub fn kinds(&self) -> Kinds {
        match self {
            Self::Known(value) => value.kinds(),
            Self::Number(..) => Kinds::NUMBER,
            Self::Truth(_) => Kinds::BOOL,
            Self::Cell(_) => Kinds::PLAYER.or(Kinds::EMPTY),
            Self::Player(_) => Kinds::PLAYER,
            Self::Tuple(_) => Kinds::TUPLE,
            Self::List(_) => Kinds::LIST,
            Self::Board(_) => Kinds::BOARD,
            Self::Function(..) => Kinds::FUNCTION,
            Self::Fault(_) => Kinds::ANY,
        }
    }

    /// Returns the number as a fraction, if the term is a number whose parts fit in 64 bits.
    pub fn as_number(&self) -> Option<(Int, i64)> {
        match self {
            Self::Number(numerator, denominator) => Some((numerator.clone(), *denominator)),
            Self::Known(Value::Integer(n)) => Some((Int::Constant(n.to_i64()?), 1)),
            Self::Known(Value::Rational(q)) => {
                Some((Int::Constant(q.numer().to_i64()?), q.denom().to_i64()?))
            }
            // A term that certainly faults has any kind that is asked for: the fault is reported
            // when the position is evaluated, and only if this part of the program is reached.
            Self::Fault(site) => Some((Int::Fault(*site), 1)),
            _ => None,
        }
    }

    /// Returns the integer, if the term's denominator shows that it is one.
    pub fn as_integer(&self) -> Option<Int> {
        self.as_number()
            .filter(|(_, denominator)| *denominator == 1)
            .map(|(program, _)| program)
    }

    /// Returns the truth value, if the term is one.
    pub fn as_truth(&self) -> Option<Bool> {
        match self {
            Self::Truth(program) => Some(program.clone()),
            Self::Known(Value::Bool(truth)) => Some(Bool::Constant(*truth)),
            Self::Fault(site) => Some(Bool::Fault(*site)),
            _ => None,
        }
    }

    /// Returns the code of a cell or player, if the term is one.
    pub fn as_cell(&self) -> Option<Int> {
        match self {
            Self::Cell(program) | Self::Player(program) => Some(program.clone()),
            Self::Known(Value::Empty) => Some(Int::Constant(EMPTY)),
            Self::Known(Value::Player(player)) => Some(Int::Constant(player_code(*player))),
            Self::Fault(site) => Some(Int::Fault(*site)),
            _ => None,
        }
    }

    /// Returns the elements of a list or tuple as parts.
    pub fn as_parts(&self) -> Option<Rc<[Part<Term>]>> {
        match self {
            Self::List(parts) => Some(Rc::clone(parts)),
            Self::Tuple(items) => Some(items.iter().cloned().map(Part::plain).collect()),
            Self::Known(Value::List(items) | Value::Tuple(items)) => {
                let items = items.iter().cloned().map(Term::Known);
                Some(items.map(Part::plain).collect())
            }
            // The guard faults before the element is counted or used.
            Self::Fault(site) => Some(Rc::new([Part::guarded(Bool::Fault(*site), self.clone())])),
            _ => None,
        }
    }

    /// Returns the elements of a list or tuple whose length is known.
    pub fn as_items(&self) -> Option<Vec<Term>> {
        let parts = self.as_parts()?;
        let plain = parts.iter().all(|part| part.binders.is_empty());
        plain.then(|| parts.iter().map(|part| part.value.clone()).collect())
    }

    /// Returns the board, if the term is one.
    pub fn as_board(&self) -> Option<Rc<BoardTerm>> {
        match self {
            Self::Board(board) => Some(Rc::clone(board)),
            Self::Known(Value::Board(board)) => Some(Rc::new(BoardTerm::of(board))),
            _ => None,
        }
    }

    /// Returns the board of squares whose rows are the elements of this list, if it is a list of
    /// equally long lists of cells.
    pub fn as_rows(&self) -> Option<BoardTerm> {
        let items = |list: &Self| list.as_items().filter(|_| list.is_list());
        let rows: Vec<Vec<Term>> = items(self)?.iter().map(items).collect::<Option<_>>()?;
        let cols = rows.first()?.len();
        let is_board = cols > 0
            && rows
                .iter()
                // A row that holds lists is a table of lists, which no board can hold as cells.
                .all(|row| row.len() == cols && row.iter().all(|cell| cell.as_parts().is_none()));
        let size = rows.len();
        is_board.then(|| BoardTerm {
            shape: Shape::Square,
            rows: size,
            cols,
            cells: rows.into_iter().flatten().collect(),
            planes: None,
        })
    }

    pub fn is_list(&self) -> bool {
        matches!(self, Self::List(_) | Self::Known(Value::List(_)))
    }

    /// Returns the program of a term that is a single number and no structure, so that a register
    /// can hold it.
    pub fn as_scalar(&self) -> Option<Int> {
        match self {
            Self::Number(program, _) | Self::Cell(program) | Self::Player(program) => {
                Some(program.clone())
            }
            // Registers hold integers, so a truth value is stored as 0 or 1.
            Self::Truth(program) => Some(Int::Truth(Box::new(program.clone()))),
            _ => None,
        }
    }

    /// Returns a scalar of the same kind with its value in a register.
    pub fn in_register(&self, register: Register) -> Option<Term> {
        let held = Int::Register(register);
        match self {
            Self::Number(_, denominator) => Some(Self::Number(held, *denominator)),
            Self::Truth(_) => Some(Self::Truth(Bool::Register(register))),
            Self::Cell(_) => Some(Self::Cell(held)),
            Self::Player(_) => Some(Self::Player(held)),
            _ => None,
        }
    }

    /// Returns the term with each of its programs preceded by an assignment to a register.
    #[must_use]
    pub fn after(&self, register: Register, value: &Int) -> Term {
        let int = |program: &Int| match program {
            // These read no register, so the assignment before them would be work without effect.
            Int::Constant(_) | Int::Scalar(_) => program.clone(),
            _ => Int::Let(register, Box::new((value.clone(), program.clone()))),
        };
        let truth = |program: &Bool| match program {
            Bool::Constant(_) | Bool::Bit(_) | Bool::Neither(..) => program.clone(),
            _ => Bool::Let(register, Box::new((value.clone(), program.clone()))),
        };
        let binder = |binder: &Binder| match binder {
            Binder::Guard(guard) => Binder::Guard(truth(guard)),
            Binder::Each(each, from, to) => Binder::Each(*each, int(from), int(to)),
            Binder::Keep(keep, value) => Binder::Keep(*keep, int(value)),
        };
        let part = |part: &Part<Term>| Part {
            binders: part.binders.iter().map(binder).collect(),
            value: part.value.after(register, value),
        };
        let all = |items: &[Term]| {
            items
                .iter()
                .map(|item| item.after(register, value))
                .collect::<Vec<_>>()
        };
        match self {
            Self::Known(_) | Self::Fault(_) => self.clone(),
            Self::Number(program, denominator) => Self::Number(int(program), *denominator),
            Self::Truth(program) => Self::Truth(truth(program)),
            Self::Cell(program) => Self::Cell(int(program)),
            Self::Player(program) => Self::Player(int(program)),
            Self::Tuple(items) => Self::Tuple(all(items).into()),
            Self::List(parts) => Self::List(parts.iter().map(part).collect()),
            Self::Board(board) => Self::Board(Rc::new(BoardTerm {
                cells: all(&board.cells),
                // The cells may now read the register, so the state's planes no longer describe
                // them.
                planes: None,
                ..**board
            })),
            Self::Function(code, captured) => Self::Function(Rc::clone(code), all(captured).into()),
        }
    }

    /// Returns `true` if a list in the term loops over a range that depends on the position. Such a
    /// term has its own loop variable, and must be built anew for each use.
    pub fn has_loop(&self) -> bool {
        match self {
            Self::Known(_)
            | Self::Number(..)
            | Self::Truth(_)
            | Self::Cell(_)
            | Self::Player(_)
            | Self::Board(_)
            | Self::Fault(_) => false,
            Self::Tuple(items) | Self::Function(_, items) => items.iter().any(Term::has_loop),
            Self::List(parts) => parts.iter().any(|part| {
                part.value.has_loop()
                    || part
                        .binders
                        .iter()
                        .any(|binder| matches!(binder, Binder::Each(..)))
            }),
        }
    }
}

impl BoardTerm {
    /// Returns a known board as terms.
    pub fn of(board: &Board) -> Self {
        let cells = board.cells.iter().cloned().map(Term::Known).collect();
        Self {
            shape: board.shape,
            rows: board.rows,
            cols: board.cols,
            cells,
            planes: None,
        }
    }
}

/// Returns the code of a player's piece.
pub fn player_code(player: Player) -> i64 {
    match player {
        Player::Alice => ALICE,
        Player::Bob => BOB,
    }
}

/// Returns the player whose piece has a code; `None` for an empty cell.
pub fn player_of(code: i64) -> Option<Player> {
    Player::BOTH
        .into_iter()
        .find(|player| player_code(*player) == code)
}

/// Returns the condition that another holds and a program has the code of a player.
pub fn named(condition: &Bool, program: &Int, player: Player) -> Bool {
    let sides = (program.clone(), Int::Constant(player_code(player)));
    let is_it = Bool::Compare(ComparisonOp::Equal, Box::new(sides));
    Bool::All([condition.clone(), is_it].into())
}

/// Returns the negation.
pub fn not(program: Bool) -> Bool {
    match program {
        Bool::Constant(truth) => Bool::Constant(!truth),
        Bool::Not(inner) => *inner,
        program => Bool::Not(Box::new(program)),
    }
}

/// Returns the conjunction, evaluated in order.
pub fn all(parts: impl IntoIterator<Item = Bool>) -> Bool {
    joined(parts, false)
}

/// Returns the disjunction, evaluated in order.
pub fn any(parts: impl IntoIterator<Item = Bool>) -> Bool {
    joined(parts, true)
}

/// Returns the disjunction or the conjunction, in which one part with the decisive value is enough.
fn joined(parts: impl IntoIterator<Item = Bool>, decisive: bool) -> Bool {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Bool::Constant(truth) if truth != decisive => {}
            // A decisive constant ends the evaluation only if nothing stands before it: an earlier
            // part may fault, and then the fault has to be reported.
            Bool::Constant(_) if kept.is_empty() => return Bool::Constant(decisive),
            Bool::Any(inner) if decisive => kept.extend(inner),
            Bool::All(inner) if !decisive => kept.extend(inner),
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Bool::Constant(!decisive),
        1 => kept.remove(0),
        _ if decisive => Bool::Any(kept.into()),
        _ => Bool::All(kept.into()),
    }
}

/// Returns a comparison; a comparison of a cell of the state with a known code becomes a test of
/// bits.
pub fn compare(comparison: ComparisonOp, a: Int, b: Int) -> Bool {
    match (comparison, &a, &b) {
        (_, Int::Constant(a), Int::Constant(b)) => Bool::Constant(comparison.holds(*a, *b)),
        (ComparisonOp::Equal, Int::Scalar(scalar), Int::Constant(code))
        | (ComparisonOp::Equal, Int::Constant(code), Int::Scalar(scalar)) => {
            bit_test(*scalar, *code).unwrap_or_else(|| Bool::Compare(comparison, Box::new((a, b))))
        }
        _ => Bool::Compare(comparison, Box::new((a, b))),
    }
}

fn bit_test(scalar: ScalarPlace, code: i64) -> Option<Bool> {
    match scalar {
        // An integer has several bits, so that one comparison is cheaper than a test of each of
        // them.
        ScalarPlace::Integer(_) | ScalarPlace::Bool(_) => None,
        ScalarPlace::Player(bit) => Some(match code {
            BOB => Bool::Bit(bit),
            ALICE => Bool::Not(Box::new(Bool::Bit(bit))),
            _ => Bool::Constant(false),
        }),
        ScalarPlace::Cell(bits) => Some(match code {
            ALICE => Bool::Bit(bits.alice),
            BOB => Bool::Bit(bits.bob),
            // An empty cell has neither bit; one test of both is cheaper than the conjunction of
            // two negations.
            EMPTY => Bool::Neither(bits.alice, bits.bob),
            _ => Bool::Constant(false),
        }),
    }
}
