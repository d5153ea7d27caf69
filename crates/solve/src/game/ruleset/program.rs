//! Programs: what is left of a ruleset's expressions when its parameters, its loop variables and
//! the mover are known.
//!
//! Everything is a 64-bit integer: a number itself, a truth 0 or 1, a cell or player its
//! [code](super::layout::CellCode). The kinds were told apart when the program was made, so running
//! one looks at no kinds and allocates nothing. A program that cannot go on (an index outside a
//! board, a number beyond 64 bits) ends in a [`Fault`].

use num_traits::CheckedAdd;
use smallvec::SmallVec;

use super::cells::{CellSet, Connection, Lines, Wide};
use super::fault::{Fault, Site};
use super::layout::{BOB, Bit, Field, ScalarPlace};
use crate::game::Score;

/// A variable of a program.
pub type Register = u16;

/// What a program runs on: a packed state and its variables.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The state.
    pub words: SmallVec<[u64; 2]>,
    /// The variables.
    pub registers: SmallVec<[i64; 8]>,
    /// What the move has added to the mover's score so far.
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
    /// An operation on two numbers, and where it is written.
    Binary(IntOp, Box<(Int, Int)>, Site),
    /// The first if the condition holds, else the second.
    If(Box<(Bool, Int, Int)>),
    /// Gives a variable a value first.
    Let(Register, Box<(Int, Int)>),
    /// How many cells a set has.
    Count(Box<Plane>),
    /// The program at this index.
    Pick(Box<Int>, Box<[Int]>, Site),
    /// The sum, least or greatest of a list.
    Fold(FoldOp, Box<[Part<Int>]>, Site),
    /// Never has a value.
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
    /// What floor division leaves.
    Remainder,
    /// The quotient, which must be an integer.
    ExactDivide,
}

/// What becomes of a list of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoldOp {
    /// Their sum.
    Sum,
    /// The least; the list must not be empty.
    Least,
    /// The greatest; the list must not be empty.
    Greatest,
}

/// The elements of a list that one expression gives: as many as its binders let through.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part<T> {
    /// The loops and conditions, outermost first.
    pub binders: Vec<Binder>,
    /// The element.
    pub value: T,
}

/// A loop or a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Binder {
    /// Goes on only if it holds.
    Guard(Bool),
    /// Goes on with the variable at each number from the first to the second.
    Each(Register, Int, Int),
    /// Goes on with the variable at this value.
    Keep(Register, Int),
}

/// A program for a truth.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Bool {
    /// A known value.
    Constant(bool),
    /// A variable that is not 0.
    Register(Register),
    /// A bit of the state.
    Bit(Bit),
    /// Whether neither of two bits is set: an empty cell.
    Neither(Bit, Bit),
    /// The opposite.
    Not(Box<Bool>),
    /// Whether all hold, tested in order.
    All(Box<[Bool]>),
    /// Whether one holds, tested in order.
    Any(Box<[Bool]>),
    /// A comparison of two numbers, cells or players.
    Compare(ComparisonOp, Box<(Int, Int)>),
    /// The first if the condition holds, else the second.
    If(Box<(Bool, Bool, Bool)>),
    /// Gives a variable a value first.
    Let(Register, Box<(Int, Bool)>),
    /// The program at this index.
    Pick(Box<Int>, Box<[Bool]>, Site),
    /// Whether an element of a list holds.
    Some(Box<[Part<Bool>]>),
    /// Whether a set has a cell.
    Occupied(Box<Plane>),
    /// Whether a set has a line.
    Line(Box<(Plane, Lines)>),
    /// Whether a set joins two sides.
    Connected(Box<(Plane, Connection)>),
    /// Never has a value.
    Fault(Site),
}

/// How two numbers are compared.
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
    /// The cells of the first set that the second has not.
    Without(Box<(Plane, Plane)>),
    /// The cells of either set.
    Or(Box<(Plane, Plane)>),
    /// The first if the condition holds, else the second.
    If(Box<(Bool, Plane, Plane)>),
    /// The cells whose truth holds, of so many words.
    Gather(Box<[Bool]>),
}

impl Int {
    /// Its value.
    ///
    /// # Errors
    /// If there is none.
    pub fn run(&self, machine: &mut Machine) -> RunResult<i64> {
        match self {
            Self::Constant(n) => Ok(*n),
            Self::Register(register) => Ok(machine.registers[*register as usize]),
            Self::Scalar(scalar) => Ok(scalar.get(&machine.words)),
            Self::Truth(truth) => truth.run(machine).map(i64::from),
            Self::Binary(op, sides, site) => {
                let (a, b) = (sides.0.run(machine)?, sides.1.run(machine)?);
                op.apply(a, b)
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
    /// The result, if it is a 64-bit integer.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::FloorDivide => {
                let quotient = a.checked_div(b)?;
                Some(if a % b != 0 && (a < 0) != (b < 0) {
                    quotient - 1
                } else {
                    quotient
                })
            }
            Self::Remainder => {
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

/// Runs `f` for everything that the binders let through, until it answers false; gives its last
/// answer.
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
    /// Whether it holds.
    ///
    /// # Errors
    /// If it has no value.
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

impl ComparisonOp {
    /// Whether it holds.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Less => a < b,
            Self::LessEqual => a <= b,
        }
    }
}

impl Plane {
    /// Whether one word holds it.
    fn is_narrow(&self) -> bool {
        match self {
            Self::Constant(words) => words.len() == 1,
            Self::Field(field) => field.bits <= 64,
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
                words[last] &= u64::MAX >> (64 * (last as u32 + 1) - field.bits);
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
    /// A part of the state takes a value, which must be in its range.
    Set(ScalarPlace, Int, Site),
    /// A variable takes a value.
    Keep(Register, Int),
    /// The changes at this index.
    Pick(Int, Box<[Vec<Change>]>, Site),
    /// The first empty one of these cells takes a value.
    Fill(Box<[ScalarPlace]>, Int, Site),
    /// The first if the condition holds, else the second.
    If(Bool, Vec<Change>, Vec<Change>),
    /// The mover's score rises by this fraction.
    Score(Int, i64, Site),
    /// Always fails.
    Fault(Site),
}

impl Change {
    /// Makes the change.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn run(&self, machine: &mut Machine) -> RunResult<()> {
        match self {
            Self::Set(scalar, value, site) => {
                let value = value.run(machine)?;
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

/// Makes changes one after another: each sees those before.
///
/// # Errors
/// If one cannot be made.
pub fn run_all(changes: &[Change], machine: &mut Machine) -> RunResult<()> {
    changes.iter().try_for_each(|change| change.run(machine))
}
