//! The bits of the state that a program reads and writes.

use crate::convert::fit;
use crate::ruleset::State;
use crate::ruleset::layout::{Bit, Field, ScalarPlace};
use crate::ruleset::program::{Bool, Change, Int, Plane};
use crate::ruleset::visit::AnyProgram;

/// A set of bits of a state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BitSet(pub State);

impl BitSet {
    /// Creates an empty set.
    pub fn none(words: usize) -> Self {
        Self(State::zero(words))
    }

    pub fn add(&mut self, bit: Bit) {
        bit.put(&mut self.0.0, true);
    }

    pub fn add_scalar(&mut self, scalar: ScalarPlace) {
        scalar.bits().into_iter().for_each(|bit| self.add(bit));
    }

    pub fn add_all(&mut self, other: &Self) {
        self.0
            .0
            .iter_mut()
            .zip(&other.0.0)
            .for_each(|(word, other)| *word |= other);
    }

    pub fn meets(&self, other: &Self) -> bool {
        self.0
            .0
            .iter()
            .zip(&other.0.0)
            .any(|(word, other)| word & other != 0)
    }

    pub fn is_within(&self, other: &Self) -> bool {
        self.0
            .0
            .iter()
            .zip(&other.0.0)
            .all(|(word, other)| word & !other == 0)
    }

    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// Returns the index of the first bit, if there is one.
    pub fn first(&self) -> Option<usize> {
        let (place, word) = self.0.0.iter().enumerate().find(|(_, word)| **word != 0)?;
        Some(place * u64::BITS as usize + word.trailing_zeros() as usize)
    }

    /// Returns the bits of a state that are in the set.
    pub fn of(&self, state: &State) -> State {
        State(
            state
                .0
                .iter()
                .zip(&self.0.0)
                .map(|(word, mask)| word & mask)
                .collect(),
        )
    }
}

/// The dependencies of programs on the state.
#[derive(Debug, Clone)]
pub struct Reads {
    /// All bits that they read.
    pub all: BitSet,
    /// The bits that they read one by one.
    pub single: BitSet,
    /// The sets of cells that they read as wholes; each cell's membership is determined by the
    /// contents of that cell.
    pub planes: Vec<Plane>,
    /// The bits that they write.
    pub writes: BitSet,
    /// `true` if they use variables, which loops before them may set.
    pub variables: bool,
}

impl Reads {
    pub fn none(words: usize) -> Self {
        let none = || BitSet::none(words);
        Self {
            all: none(),
            single: none(),
            planes: Vec::new(),
            writes: none(),
            variables: false,
        }
    }

    /// Returns the dependencies of a program.
    pub fn of(program: AnyProgram<'_>, words: usize) -> Self {
        let mut reads = Self::none(words);
        reads.add(program);
        reads
    }

    /// Returns the dependencies of a condition.
    pub fn of_truth(truth: &Bool, words: usize) -> Self {
        Self::of(AnyProgram::Bool(truth), words)
    }

    /// Returns the dependencies of changes.
    pub fn of_changes(changes: &[Change], words: usize) -> Self {
        let mut reads = Self::none(words);
        let changes = changes.iter().map(AnyProgram::Change);
        changes.for_each(|change| reads.add(change));
        reads
    }

    fn bit(&mut self, bit: Bit) {
        self.all.add(bit);
        self.single.add(bit);
    }

    fn scalar(&mut self, scalar: ScalarPlace) {
        scalar.bits().into_iter().for_each(|bit| self.bit(bit));
    }

    /// Adds the dependencies of a program.
    pub fn add(&mut self, program: AnyProgram<'_>) {
        match program {
            // A register holds what a loop or an earlier step has computed, not a part of the
            // state.
            AnyProgram::Int(Int::Register(_)) | AnyProgram::Bool(Bool::Register(_)) => {
                self.variables = true;
            }
            AnyProgram::Int(Int::Scalar(scalar)) => self.scalar(*scalar),
            AnyProgram::Bool(Bool::Bit(bit)) => self.bit(*bit),
            AnyProgram::Bool(Bool::Neither(a, b)) => {
                self.bit(*a);
                self.bit(*b);
            }
            AnyProgram::Plane(plane) if is_cell_by_cell(plane) => {
                // Such a plane counts as a whole: only the membership of its cells matters, not
                // each bit.
                open_bits(plane, &mut |_, bit| self.all.add(bit));
                if !self.planes.contains(plane) {
                    self.planes.push(plane.clone());
                }
                return;
            }
            AnyProgram::Change(Change::Set(scalar, ..)) => self.writes.add_scalar(*scalar),
            // A falling piece reads which cells are empty, and writes one of them.
            AnyProgram::Change(Change::Fill(cells, ..)) => {
                for &cell in cells {
                    self.writes.add_scalar(cell);
                    self.scalar(cell);
                }
            }
            _ => {}
        }
        program.parts(&mut |part| self.add(part));
    }
}

/// Returns `true` if the membership of each cell in a plane is determined by the contents of that
/// cell alone.
pub fn is_cell_by_cell(plane: &Plane) -> bool {
    match plane {
        Plane::Constant(_) | Plane::Field(_) => true,
        Plane::Without(sides) | Plane::Or(sides) => {
            is_cell_by_cell(&sides.0) && is_cell_by_cell(&sides.1)
        }
        Plane::If(_) | Plane::Gather(_) => false,
    }
}

/// Returns `true` if a cell-by-cell plane contains a cell.
pub fn has_cell(plane: &Plane, cell: usize, state: &State) -> bool {
    let bit = |field: Field| Some(field.bit(fit::<u32>(cell)).get(&state.0));
    decided(plane, cell, &bit).expect("every bit is known")
}

/// Visits the cells of a cell-by-cell plane that depend on the state, with each bit that they
/// depend on.
pub fn open_bits(plane: &Plane, visit: &mut dyn FnMut(usize, Bit)) {
    fields(AnyProgram::Plane(plane), &mut |field| {
        for cell in 0..field.bits {
            // A cell that a constant decides depends on no bit, although the field has one for it.
            if decided(plane, cell as usize, &|_| None).is_none() {
                visit(cell as usize, field.bit(cell));
            }
        }
    });
}

/// Returns whether a cell-by-cell plane contains a cell, given the bits of fields that are known;
/// `None` if that depends on the others.
fn decided(plane: &Plane, cell: usize, bit: &impl Fn(Field) -> Option<bool>) -> Option<bool> {
    let part = |plane: &Plane| decided(plane, cell, bit);
    match plane {
        Plane::Constant(words) => Some(words[cell / 64] >> (cell % 64) & 1 != 0),
        Plane::Field(field) => bit(*field),
        Plane::Without(sides) => match (part(&sides.0), part(&sides.1)) {
            // Either side can decide without the other.
            (Some(false), _) | (_, Some(true)) => Some(false),
            (first, Some(false)) => first,
            (_, None) => None,
        },
        Plane::Or(sides) => match (part(&sides.0), part(&sides.1)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (other, Some(false)) | (Some(false), other) => other,
            (None, None) => None,
        },
        Plane::If(_) | Plane::Gather(_) => unreachable!("a cell-by-cell plane has no such part"),
    }
}

/// Visits the fields of the state that a cell-by-cell plane consists of.
fn fields(plane: AnyProgram<'_>, visit: &mut dyn FnMut(Field)) {
    if let AnyProgram::Plane(Plane::Field(field)) = plane {
        visit(*field);
    }
    plane.parts(&mut |part| fields(part, visit));
}

/// Visits the sets of cells that one change treats together: the columns that pieces fall into.
pub fn groups(change: AnyProgram<'_>, visit: &mut dyn FnMut(&[ScalarPlace])) {
    if let AnyProgram::Change(Change::Fill(cells, ..)) = change {
        visit(cells);
    }
    change.parts(&mut |part| groups(part, visit));
}
