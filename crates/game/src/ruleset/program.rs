//! Programs: the form of a ruleset's expressions once its parameters, its loop variables and the
//! mover are known.
//!
//! Every value is a 64-bit integer: a number itself, a truth value 0 or 1, a cell or player its
//! [code](super::layout::CellCode). Kinds are checked when the program is compiled, so that running
//! it checks no kinds and allocates nothing. A program that cannot continue (an index outside a
//! board, a number beyond 64 bits) ends in a [`Fault`].

use num_traits::CheckedAdd;
use smallvec::SmallVec;

use super::cells::{CellSet, Connection, Lines, Wide};
use super::fault::{Fault, Site};
use super::layout::{BOB, Bit, Field, ScalarPlace};
use crate::Score;
use crate::convert::fit;
use crate::player::PerPlayer;

/// The index of a variable of a program.
pub type Register = u16;

/// The data that a program runs on: a packed state and its variables.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The state.
    pub words: SmallVec<[u64; 2]>,
    /// The variables.
    pub registers: SmallVec<[i64; 8]>,
    /// The amount that the move has added to the mover's score so far.
    pub score: Score,
}

type RunResult<T> = std::result::Result<T, Fault>;

/// A program for an integer, a cell or a player.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Int {
    /// A known value.
    Constant(i64),
    /// A variable.
    Register(Register),
    /// A part of the state.
    Scalar(ScalarPlace),
    /// 1 if true, else 0.
    Truth(Box<Bool>),
    /// An operation on two numbers, with its place in the source.
    Binary(IntOp, Box<(Int, Int)>, Site),
    /// The first number if the condition holds, else the second.
    If(Box<(Bool, Int, Int)>),
    /// The number's value after a variable has been given a value.
    Let(Register, Box<(Int, Int)>),
    /// The number of cells of a set.
    Count(Box<Plane>),
    /// The program at this index.
    Pick(Box<Int>, Box<[Int]>, Site),
    /// The sum, least or greatest of a list.
    Fold(FoldOp, Box<[Part<Int>]>, Site),
    /// A program that always faults.
    Fault(Site),
}

/// Operations on two integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntOp {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient rounded down.
    FloorDivide,
    /// The remainder of floor division.
    Remainder,
    /// The quotient, which must be an integer.
    ExactDivide,
}

/// Operations that reduce a list of integers to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoldOp {
    /// The sum.
    Sum,
    /// The least; the list must not be empty.
    Least,
    /// The greatest; the list must not be empty.
    Greatest,
}

/// The elements of a list that come from one expression, one for each assignment that its binders
/// produce.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part<T> {
    /// The loops and conditions, outermost first.
    pub binders: Vec<Binder>,
    /// The element.
    pub value: T,
}

impl<T> Part<T> {
    /// Creates a part of one element.
    pub fn plain(value: T) -> Self {
        Self {
            binders: Vec::new(),
            value,
        }
    }

    /// Creates a part of an element that is there where a condition holds.
    pub fn guarded(guard: Bool, value: T) -> Self {
        Self {
            binders: vec![Binder::Guard(guard)],
            value,
        }
    }
}

/// A loop or a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Binder {
    /// A condition; execution continues only if it holds.
    Guard(Bool),
    /// A loop; execution continues with the variable set to each number from the first to the
    /// second.
    Each(Register, Int, Int),
    /// An assignment; execution continues with the variable set to this value.
    Keep(Register, Int),
}

/// A program for a truth value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Bool {
    /// A known value.
    Constant(bool),
    /// A variable, true if it is not 0.
    Register(Register),
    /// A bit of the state.
    Bit(Bit),
    /// The test that neither of two bits is set, as for an empty cell.
    Neither(Bit, Bit),
    /// The negation.
    Not(Box<Bool>),
    /// The conjunction, evaluated in order.
    All(Box<[Bool]>),
    /// The disjunction, evaluated in order.
    Any(Box<[Bool]>),
    /// A comparison of two numbers, cells or players.
    Compare(ComparisonOp, Box<(Int, Int)>),
    /// The first truth value if the condition holds, else the second.
    If(Box<(Bool, Bool, Bool)>),
    /// The truth value after a variable has been given a value.
    Let(Register, Box<(Int, Bool)>),
    /// The program at this index.
    Pick(Box<Int>, Box<[Bool]>, Site),
    /// The test whether an element of a list holds.
    Some(Box<[Part<Bool>]>),
    /// The test whether a set is not empty.
    Occupied(Box<Plane>),
    /// The test whether a set contains a line.
    Line(Box<(Plane, Lines)>),
    /// The test whether a set joins two sides.
    Connected(Box<(Plane, Connection)>),
    /// A program that always faults.
    Fault(Site),
}

/// The comparisons of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOp {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

/// A program for a set of cells.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Plane {
    /// A known set.
    Constant(Box<[u64]>),
    /// A player's cells.
    Field(Field),
    /// The cells of the first set that are not in the second.
    Without(Box<(Plane, Plane)>),
    /// The cells of either set.
    Or(Box<(Plane, Plane)>),
    /// The first set if the condition holds, else the second.
    If(Box<(Bool, Plane, Plane)>),
    /// The cells whose truth value holds, one program per cell.
    Gather(Box<[Bool]>),
}

impl Int {
    /// Computes the value.
    ///
    /// # Errors
    /// If the program faults.
    pub fn run(&self, machine: &mut Machine) -> RunResult<i64> {
        match self {
            Self::Constant(n) => Ok(*n),
            Self::Register(register) => Ok(machine.registers[*register as usize]),
            Self::Scalar(scalar) => Ok(scalar.get(&machine.words)),
            Self::Truth(truth) => truth.run(machine).map(i64::from),
            Self::Binary(op, sides, site) => {
                let (a, b) = (sides.0.run(machine)?, sides.1.run(machine)?);
                op.apply(a, b)
                    // The message names the divisor where it is 0, and otherwise the first operand.
                    .ok_or_else(|| site.fault(if b == 0 { 0 } else { a }))
            }
            Self::If(parts) => if parts.0.run(machine)? {
                &parts.1
            } else {
                &parts.2
            }
            .run(machine),
            Self::Let(register, parts) => {
                machine.registers[*register as usize] = parts.0.run(machine)?;
                parts.1.run(machine)
            }
            Self::Count(plane) => Ok(if plane.is_narrow() {
                plane.run::<u64>(machine)?.count()
            } else {
                plane.run::<Wide>(machine)?.count()
            }
            .into()),
            Self::Pick(index, items, site) => pick(index, items, *site, machine)?.run(machine),
            Self::Fold(op, parts, site) => fold(*op, parts, *site, machine),
            Self::Fault(site) => Err(site.fault(0)),
        }
    }
}

impl IntOp {
    /// Returns the result, if it is a 64-bit integer.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::FloorDivide => {
                // The division of the processor rounds toward 0, so negative quotients need a
                // correction.
                let quotient = a.checked_div(b)?;
                Some(if a % b != 0 && (a < 0) != (b < 0) {
                    quotient - 1
                } else {
                    quotient
                })
            }
            Self::Remainder => {
                // The remainder belongs to the division rounded down, so it has the sign of the
                // divisor.
                let remainder = a.checked_rem(b)?;
                Some(if remainder != 0 && (remainder < 0) != (b < 0) {
                    remainder + b
                } else {
                    remainder
                })
            }
            Self::ExactDivide => a.checked_div(b).filter(|_| a % b == 0),
        }
    }
}

fn pick<'a, T>(index: &Int, items: &'a [T], site: Site, machine: &mut Machine) -> RunResult<&'a T> {
    let index = index.run(machine)?;
    usize::try_from(index)
        .ok()
        .and_then(|index| items.get(index))
        .ok_or_else(|| site.fault(index))
}

fn fold(op: FoldOp, parts: &[Part<Int>], site: Site, machine: &mut Machine) -> RunResult<i64> {
    // Only the sum of an empty list has a value.
    let mut total: Option<i64> = (op == FoldOp::Sum).then_some(0);
    for part in parts {
        let complete = each(&part.binders, machine, &mut |machine| {
            let value = part.value.run(machine)?;
            total = Some(match (op, total) {
                (_, None) => value,
                (FoldOp::Sum, Some(total)) => {
                    total.checked_add(value).ok_or_else(|| site.fault(value))?
                }
                (FoldOp::Least, Some(total)) => total.min(value),
                (FoldOp::Greatest, Some(total)) => total.max(value),
            });
            Ok(true)
        })?;
        debug_assert!(complete, "only a refusal stops the elements");
    }
    total.ok_or_else(|| site.fault(0))
}

/// Runs `f` for every assignment that the binders produce, until it returns `false`; returns its
/// last result, or `true` if it was never run.
///
/// # Errors
/// If a binder or `f` faults.
pub fn each(
    binders: &[Binder],
    machine: &mut Machine,
    f: &mut dyn FnMut(&mut Machine) -> RunResult<bool>,
) -> RunResult<bool> {
    match binders {
        [] => f(machine),
        [Binder::Guard(guard), inner @ ..] => Ok(!guard.run(machine)? || each(inner, machine, f)?),
        [Binder::Keep(register, value), inner @ ..] => {
            machine.registers[*register as usize] = value.run(machine)?;
            each(inner, machine, f)
        }
        [Binder::Each(register, from, to), inner @ ..] => {
            let (from, to) = (from.run(machine)?, to.run(machine)?);
            for n in from..=to {
                machine.registers[*register as usize] = n;
                if !each(inner, machine, f)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

impl Bool {
    /// Computes the truth value.
    ///
    /// # Errors
    /// If the program faults.
    pub fn run(&self, machine: &mut Machine) -> RunResult<bool> {
        match self {
            Self::Constant(truth) => Ok(*truth),
            Self::Register(register) => Ok(machine.registers[*register as usize] != 0),
            Self::Bit(bit) => Ok(bit.get(&machine.words)),
            Self::Neither(a, b) => Ok(!a.get(&machine.words) && !b.get(&machine.words)),
            Self::Not(inner) => inner.run(machine).map(|truth| !truth),
            Self::All(parts) => {
                for part in parts {
                    if !part.run(machine)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Any(parts) => {
                for part in parts {
                    if part.run(machine)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Compare(comparison, sides) => {
                let (a, b) = (sides.0.run(machine)?, sides.1.run(machine)?);
                Ok(comparison.holds(a, b))
            }
            Self::If(parts) => if parts.0.run(machine)? {
                &parts.1
            } else {
                &parts.2
            }
            .run(machine),
            Self::Let(register, parts) => {
                machine.registers[*register as usize] = parts.0.run(machine)?;
                parts.1.run(machine)
            }
            Self::Pick(index, items, site) => pick(index, items, *site, machine)?.run(machine),
            Self::Some(parts) => {
                for part in parts {
                    if !each(&part.binders, machine, &mut |machine| {
                        part.value.run(machine).map(|truth| !truth)
                    })? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Occupied(plane) if plane.is_narrow() => Ok(plane.run::<u64>(machine)?.any()),
            Self::Occupied(plane) => Ok(plane.run::<Wide>(machine)?.any()),
            Self::Line(parts) if parts.0.is_narrow() => {
                Ok(parts.1.any(&parts.0.run::<u64>(machine)?))
            }
            Self::Line(parts) => Ok(parts.1.any(&parts.0.run::<Wide>(machine)?)),
            Self::Connected(parts) if parts.0.is_narrow() => {
                Ok(parts.1.any(&parts.0.run::<u64>(machine)?))
            }
            Self::Connected(parts) => Ok(parts.1.any(&parts.0.run::<Wide>(machine)?)),
            Self::Fault(site) => Err(site.fault(0)),
        }
    }
}

impl Bool {
    /// Returns `true` if the condition says that no cell of a board is empty, given the players'
    /// cells.
    pub fn says_full(&self, planes: PerPlayer<Field>) -> bool {
        let Self::Not(inner) = self else { return false };
        let Self::Occupied(plane) = &**inner else {
            return false;
        };
        let Plane::Without(sides) = &**plane else {
            return false;
        };
        let (Plane::Constant(everything), Plane::Or(taken)) = (&sides.0, &sides.1) else {
            return false;
        };
        // The constant has to be the whole board, or some empty cells would not count.
        let count: u32 = everything.iter().map(|word| word.count_ones()).sum();
        let both = (Plane::Field(planes.alice), Plane::Field(planes.bob));
        **taken == both && count == planes.alice.bits
    }
}

impl ComparisonOp {
    /// Returns `true` if the comparison holds.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Less => a < b,
            Self::LessEqual => a <= b,
        }
    }
}

impl Plane {
    /// Returns `true` if the set fits in one word.
    fn is_narrow(&self) -> bool {
        match self {
            Self::Constant(words) => words.len() == 1,
            Self::Field(field) => field.bits <= 64,
            // Both sides are sets of the same board, so one of them tells the width.
            Self::Without(sides) | Self::Or(sides) => sides.0.is_narrow(),
            Self::If(parts) => parts.1.is_narrow(),
            Self::Gather(cells) => cells.len() <= 64,
        }
    }

    fn run<S: CellSet>(&self, machine: &mut Machine) -> RunResult<S> {
        match self {
            Self::Constant(words) => Ok(S::from_words(words)),
            Self::Field(field) if field.bits <= 64 => {
                Ok(S::from_words(&[field.get(&machine.words)]))
            }
            Self::Field(field) => {
                // The last word may hold other parts of the state beyond the plane.
                let (first, last) = (
                    field.first.word as usize,
                    field.bits.div_ceil(64) as usize - 1,
                );
                let mut words =
                    SmallVec::<[u64; 4]>::from_slice(&machine.words[first..=first + last]);
                words[last] &= u64::MAX >> (64 * (fit::<u32>(last) + 1) - field.bits);
                Ok(S::from_words(&words))
            }
            Self::Without(sides) => Ok(sides.0.run::<S>(machine)?.without(&sides.1.run(machine)?)),
            Self::Or(sides) => Ok(sides.0.run::<S>(machine)?.or(&sides.1.run(machine)?)),
            Self::If(parts) => if parts.0.run(machine)? {
                &parts.1
            } else {
                &parts.2
            }
            .run(machine),
            Self::Gather(cells) => {
                let mut set = S::from_words(&SmallVec::<[u64; 4]>::from_elem(
                    0,
                    cells.len().div_ceil(64).max(1),
                ));
                for (cell, truth) in cells.iter().enumerate() {
                    if truth.run(machine)? {
                        set.insert(cell);
                    }
                }
                Ok(set)
            }
        }
    }
}

/// A change of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Sets a part of the state to a value, which must be in its range.
    Set(ScalarPlace, Int, Site),
    /// Sets a variable to a value.
    Keep(Register, Int),
    /// Makes the changes at this index.
    Pick(Int, Box<[Vec<Change>]>, Site),
    /// Sets the first empty one of these cells to a value.
    Fill(Box<[ScalarPlace]>, Int, Site),
    /// Makes the first changes if the condition holds, else the second.
    If(Bool, Vec<Change>, Vec<Change>),
    /// Adds this fraction to the mover's score.
    Score(Int, i64, Site),
    /// Always faults.
    Fault(Site),
}

impl Change {
    /// Makes the change.
    ///
    /// # Errors
    /// If the program faults.
    pub fn run(&self, machine: &mut Machine) -> RunResult<()> {
        match self {
            Self::Set(scalar, value, site) => {
                let value = value.run(machine)?;
                // The bits of the place can represent the values of its range only.
                if !scalar.holds(value) {
                    return Err(site.fault(value));
                }
                scalar.put(&mut machine.words, value);
            }
            Self::Keep(register, value) => {
                machine.registers[*register as usize] = value.run(machine)?
            }
            Self::Pick(index, choices, site) => {
                let choice = pick(index, choices, *site, machine)?;
                return run_all(choice, machine);
            }
            Self::Fill(cells, value, site) => {
                let value = value.run(machine)?;
                let free = cells
                    .iter()
                    .find(|cell| cell.get(&machine.words) == super::layout::EMPTY);
                let free = free.ok_or_else(|| site.fault(0))?;
                debug_assert!((0..=BOB).contains(&value));
                free.put(&mut machine.words, value);
            }
            Self::If(condition, then, otherwise) => {
                let branch = if condition.run(machine)? {
                    then
                } else {
                    otherwise
                };
                return run_all(branch, machine);
            }
            Self::Score(numerator, denominator, site) => {
                let score = Score::new(numerator.run(machine)?, *denominator);
                machine.score = machine
                    .score
                    .checked_add(&score)
                    .ok_or_else(|| site.fault(*score.numer()))?;
            }
            Self::Fault(site) => return Err(site.fault(0)),
        }
        Ok(())
    }
}

/// Makes changes in order; each sees the effects of those before it.
///
/// # Errors
/// If a change faults.
pub fn run_all(changes: &[Change], machine: &mut Machine) -> RunResult<()> {
    changes.iter().try_for_each(|change| change.run(machine))
}
