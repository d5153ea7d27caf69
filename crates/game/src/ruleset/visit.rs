//! Programs of any kind, and a visit of the programs that one consists of.

use super::program::{Binder, Bool, Change, Int, Part, Plane};

/// A program of any kind.
#[derive(Debug, Clone, Copy)]
pub enum AnyProgram<'p> {
    /// For an integer, a cell or a player.
    Int(&'p Int),
    /// For a truth value.
    Bool(&'p Bool),
    /// For a set of cells.
    Plane(&'p Plane),
    /// A loop, a condition or an assignment.
    Binder(&'p Binder),
    /// A change of the state.
    Change(&'p Change),
}

impl<'p> AnyProgram<'p> {
    /// Visits the programs that this one immediately consists of, in the order of evaluation.
    pub fn parts(self, visit: &mut dyn FnMut(AnyProgram<'p>)) {
        match self {
            Self::Int(program) => match program {
                Int::Constant(_) | Int::Register(_) | Int::Scalar(_) | Int::Fault(_) => {}
                Int::Truth(truth) => visit(Self::Bool(truth)),
                Int::Binary(_, sides, _) | Int::Let(_, sides) => {
                    each([&sides.0, &sides.1], Self::Int, visit);
                }
                Int::If(parts) => {
                    visit(Self::Bool(&parts.0));
                    each([&parts.1, &parts.2], Self::Int, visit);
                }
                Int::Count(plane) => visit(Self::Plane(plane)),
                Int::Pick(index, items, _) => {
                    visit(Self::Int(index));
                    each(items, Self::Int, visit);
                }
                Int::Fold(_, parts, _) => elements(parts, Self::Int, visit),
            },
            Self::Bool(program) => match program {
                Bool::Constant(_)
                | Bool::Register(_)
                | Bool::Bit(_)
                | Bool::Neither(..)
                | Bool::Fault(_) => {}
                Bool::Not(inner) => visit(Self::Bool(inner)),
                Bool::All(parts) | Bool::Any(parts) => each(parts, Self::Bool, visit),
                Bool::Compare(_, sides) => {
                    each([&sides.0, &sides.1], Self::Int, visit);
                }
                Bool::If(parts) => {
                    each([&parts.0, &parts.1, &parts.2], Self::Bool, visit);
                }
                Bool::Let(_, parts) => {
                    visit(Self::Int(&parts.0));
                    visit(Self::Bool(&parts.1));
                }
                Bool::Pick(index, items, _) => {
                    visit(Self::Int(index));
                    each(items, Self::Bool, visit);
                }
                Bool::Some(parts) => elements(parts, Self::Bool, visit),
                Bool::Occupied(plane) => visit(Self::Plane(plane)),
                Bool::Line(parts) => visit(Self::Plane(&parts.0)),
                Bool::Connected(parts) => visit(Self::Plane(&parts.0)),
            },
            Self::Plane(program) => match program {
                Plane::Constant(_) | Plane::Field(_) => {}
                Plane::Without(sides) | Plane::Or(sides) => {
                    each([&sides.0, &sides.1], Self::Plane, visit);
                }
                Plane::If(parts) => {
                    visit(Self::Bool(&parts.0));
                    each([&parts.1, &parts.2], Self::Plane, visit);
                }
                Plane::Gather(cells) => each(cells, Self::Bool, visit),
            },
            Self::Binder(program) => match program {
                Binder::Guard(guard) => visit(Self::Bool(guard)),
                Binder::Each(_, from, to) => {
                    each([from, to], Self::Int, visit);
                }
                Binder::Keep(_, value) => visit(Self::Int(value)),
            },
            Self::Change(program) => match program {
                Change::Set(_, value, _) | Change::Keep(_, value) | Change::Fill(_, value, _) => {
                    visit(Self::Int(value));
                }
                Change::Pick(index, choices, _) => {
                    visit(Self::Int(index));
                    each(choices.iter().flatten(), Self::Change, visit);
                }
                Change::If(condition, then, otherwise) => {
                    visit(Self::Bool(condition));
                    each(then.iter().chain(otherwise), Self::Change, visit);
                }
                Change::Score(numerator, ..) => visit(Self::Int(numerator)),
                Change::Fault(_) => {}
            },
        }
    }
}

/// Visits programs of one kind.
fn each<'p, T: 'p>(
    programs: impl IntoIterator<Item = &'p T>,
    kind: fn(&'p T) -> AnyProgram<'p>,
    visit: &mut dyn FnMut(AnyProgram<'p>),
) {
    programs.into_iter().map(kind).for_each(visit);
}

/// Visits the binders and values of a list's elements.
fn elements<'p, T>(
    parts: &'p [Part<T>],
    value: fn(&'p T) -> AnyProgram<'p>,
    visit: &mut dyn FnMut(AnyProgram<'p>),
) {
    for part in parts {
        each(&part.binders, AnyProgram::Binder, visit);
        visit(value(&part.value));
    }
}
