//! Compilation of updates: the changes that a move makes to the state and to the score.

use super::fault::{Cause, Site};
use super::layout::{BoardPlace, ScalarPlace, VariablePlace};
use super::program::{Bool, Change, Int, IntOp, Register};
use super::scope::VariableScope;
use super::specialise::{Specialiser, malformed, wrong_kind};
use super::term::{SpannedTerm, Term};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::ir::{CheckedUpdate, Value};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, BinaryOp};

/// The place that an update writes to: one place, or one of several, selected by an index.
enum Target<'p> {
    One(&'p VariablePlace),
    Cell(&'p BoardPlace, usize),
    Chosen(Int, Vec<Target<'p>>),
    Nowhere(Site),
}

/// Compiles the updates of one move.
pub(super) struct UpdateCompiler<'u, 'a> {
    pub specialiser: &'u mut Specialiser<'a>,
    pub places: &'u [VariablePlace],
    /// The state variables that start as players and were found to need room for `empty` too.
    pub wider: &'u mut Vec<usize>,
    /// `true` if one of the updates adds to the score.
    pub scored: bool,
}

impl UpdateCompiler<'_, '_> {
    /// Compiles updates in their order.
    pub fn all(
        &mut self,
        updates: &[CheckedUpdate],
        scope: &mut VariableScope,
    ) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        for update in updates {
            self.update(update, scope, &mut changes)?;
        }
        Ok(changes)
    }

    fn update(
        &mut self,
        update: &CheckedUpdate,
        scope: &mut VariableScope,
        changes: &mut Vec<Change>,
    ) -> Result<()> {
        match update {
            CheckedUpdate::Assign {
                target,
                indices,
                op,
                value,
                span,
            } => {
                let indices = self.specialiser.spanned(indices, scope)?;
                let value = self.specialiser.expr(value, scope)?.spanned(value.span);
                let value = self.combined(*target, &indices, *op, value, *span)?;
                let places = self.places;
                let written = self.target(Target::One(&places[*target]), &indices, *span)?;
                self.assign(*target, &written, &value, changes)
            }
            CheckedUpdate::Drop {
                target,
                column,
                value,
                span,
            } => {
                let column = self.specialiser.expr(column, scope)?.spanned(column.span);
                let value = self.specialiser.expr(value, scope)?.spanned(value.span);
                changes.push(self.drop(*target, &column, &value, *span)?);
                Ok(())
            }
            CheckedUpdate::Score(score) => {
                let (numerator, denominator) = self.specialiser.fraction(score, scope)?;
                let site = self.specialiser.sites.add(score.span, Cause::Overflow);
                changes.push(Change::Score(numerator, denominator, site));
                self.scored = true;
                Ok(())
            }
            CheckedUpdate::If(condition, then, otherwise) => {
                let condition = self.specialiser.truth(condition, scope)?;
                match condition {
                    Bool::Constant(true) => changes.extend(self.all(then, scope)?),
                    Bool::Constant(false) => changes.extend(self.all(otherwise, scope)?),
                    condition => {
                        let branches = (self.all(then, scope)?, self.all(otherwise, scope)?);
                        changes.push(Change::If(condition, branches.0, branches.1));
                    }
                }
                Ok(())
            }
        }
    }

    /// Returns the value to be written; for `+=` and `-=` it is computed from the place's value and
    /// the given one.
    fn combined(
        &mut self,
        target: usize,
        indices: &[SpannedTerm],
        op: AssignOp,
        value: SpannedTerm,
        span: Span,
    ) -> Result<SpannedTerm> {
        let op = match op {
            AssignOp::Set => return Ok(value),
            AssignOp::Add => BinaryOp::Add,
            AssignOp::Subtract => BinaryOp::Subtract,
        };
        let variable = self.specialiser.state[target].clone();
        let before = if indices.is_empty() {
            variable
        } else {
            self.element(variable, indices, span)?
        };
        let after = self
            .specialiser
            .operator(op, &before.spanned(span), &value, span)?;
        Ok(after.spanned(span))
    }

    /// Returns the element at several indices, one for each level of nested lists.
    fn element(&mut self, variable: Term, indices: &[SpannedTerm], span: Span) -> Result<Term> {
        if variable.as_board().is_some() || indices.len() == 1 {
            return self.specialiser.index(&variable, indices, span);
        }
        let inner = self.specialiser.index(&variable, &indices[..1], span)?;
        self.element(inner, &indices[1..], span)
    }

    /// Returns the place at the indices.
    fn target<'p>(
        &mut self,
        place: Target<'p>,
        indices: &[SpannedTerm],
        span: Span,
    ) -> Result<Target<'p>> {
        let Some((first, rest)) = indices.split_first() else {
            return Ok(place);
        };
        match place {
            Target::One(VariablePlace::Board(board)) => {
                let cell = self
                    .specialiser
                    .cell_number(board.rows, board.cols, indices, span)?;
                chosen(cell, board.cells.len(), |cell| {
                    Ok(Target::Cell(board, cell))
                })
            }
            Target::One(VariablePlace::Items { tuple, items }) => {
                let index = self.specialiser.integer(first)?;
                let what = if *tuple { "this tuple" } else { "this list" };
                let index = self
                    .specialiser
                    .within(index, items.len(), what, first.span);
                chosen(index, items.len(), |item| {
                    self.target(Target::One(&items[item]), rest, span)
                })
            }
            Target::One(VariablePlace::Scalar(_)) | Target::Cell(..) => {
                let help = "only boards, lists and tuples take an index";
                Err(malformed(
                    "this has no elements",
                    first.span,
                    "one index too many",
                    help,
                ))
            }
            Target::Chosen(..) | Target::Nowhere(_) => Ok(place),
        }
    }

    fn assign(
        &mut self,
        variable: usize,
        target: &Target<'_>,
        value: &SpannedTerm,
        changes: &mut Vec<Change>,
    ) -> Result<()> {
        match target {
            Target::Nowhere(site) => changes.push(Change::Fault(*site)),
            Target::Cell(board, cell) => {
                changes.push(self.set(variable, board.cells[*cell], value)?)
            }
            Target::One(VariablePlace::Scalar(scalar)) => {
                changes.push(self.set(variable, *scalar, value)?)
            }
            Target::One(place) => self.assign_whole(variable, place, value, changes)?,
            Target::Chosen(index, targets) => {
                let mut choices = Vec::new();
                let value = self.kept(value, changes)?;
                for target in targets {
                    let mut choice = Vec::new();
                    self.assign(variable, target, &value, &mut choice)?;
                    choices.push(choice);
                }
                let site = self
                    .specialiser
                    .index_site("this", choices.len(), value.span);
                changes.push(Change::Pick(index.clone(), choices.into(), site));
            }
        }
        Ok(())
    }

    /// Stores the value in a register, so that it is computed once.
    fn kept(&mut self, value: &SpannedTerm, changes: &mut Vec<Change>) -> Result<SpannedTerm> {
        let Some(program) = value.term.as_scalar() else {
            return Ok(value.clone());
        };
        let register: Register = self.specialiser.register(value.span)?;
        changes.push(Change::Keep(register, program));
        let stored = value.term.in_register(register);
        Ok(stored
            .expect("a scalar fits in a register")
            .spanned(value.span))
    }

    /// Assigns a value to a list, tuple or board; the whole value is computed before any part of it
    /// is written.
    fn assign_whole(
        &mut self,
        variable: usize,
        place: &VariablePlace,
        value: &SpannedTerm,
        changes: &mut Vec<Change>,
    ) -> Result<()> {
        if let Term::Fault(site) = value.term {
            changes.push(Change::Fault(site));
            return Ok(());
        }
        let mut pairs = Vec::new();
        if !pair(place, &value.term, &mut pairs) {
            let name = &self.specialiser.template.state[variable].name;
            let help =
                "the shape of a state variable comes from its initial value and never changes";
            let message = format!("`{name}` is set to a value of another shape");
            return Err(malformed(&message, value.span, "another shape", help));
        }
        let mut writes = Vec::new();
        for (scalar, term) in pairs {
            let part = self.kept(&term.spanned(value.span), changes)?;
            writes.push(self.set(variable, scalar, &part)?);
        }
        changes.extend(writes);
        Ok(())
    }

    fn set(&mut self, variable: usize, scalar: ScalarPlace, value: &SpannedTerm) -> Result<Change> {
        let SpannedTerm { term, span } = value;
        if let Term::Fault(site) = term {
            return Ok(Change::Fault(*site));
        }
        let name = self.specialiser.template.state[variable].name.clone();
        let wrong = |needed: &str| {
            let message = format!("`{name}` holds {needed}, but is set to {}", term.kind());
            malformed(
                &message,
                *span,
                "another kind",
                "a state variable keeps the kind of its initial value",
            )
        };
        let (value, cause) = match scalar {
            ScalarPlace::Integer(integer) => {
                let (numerator, denominator) =
                    term.as_number().ok_or_else(|| wrong("an integer"))?;
                let value = match denominator {
                    1 => numerator,
                    _ => self.specialiser.apply(
                        IntOp::ExactDivide,
                        numerator,
                        Int::Constant(denominator),
                        *span,
                    ),
                };
                (value, Cause::Range(name, integer.range))
            }
            ScalarPlace::Bool(_) => {
                let truth = term.as_truth().ok_or_else(|| wrong("true or false"))?;
                (Int::Truth(Box::new(truth)), Cause::NotPlayer(name))
            }
            ScalarPlace::Player(_) => {
                if let (Some(_), Term::Cell(_) | Term::Known(Value::Empty)) = (term.as_cell(), term)
                {
                    self.wider.push(variable);
                }
                (
                    term.as_cell().ok_or_else(|| wrong("a player"))?,
                    Cause::NotPlayer(name),
                )
            }
            ScalarPlace::Cell(_) => (
                term.as_cell().ok_or_else(|| wrong("`empty` or a player"))?,
                Cause::NotPlayer(name),
            ),
        };
        let site = self.specialiser.sites.add(*span, cause);
        Ok(Change::Set(scalar, value, site))
    }

    /// Compiles `drop(board, col, value)`, which fills the lowest empty cell of the column.
    fn drop(
        &mut self,
        target: usize,
        column: &SpannedTerm,
        value: &SpannedTerm,
        span: Span,
    ) -> Result<Change> {
        let VariablePlace::Board(board) = &self.places[target] else {
            let name = &self.specialiser.template.state[target].name;
            return Err(malformed(
                &format!("`{name}` is not a board"),
                span,
                "`drop` needs a board",
                "use `grid(rows, cols)`",
            ));
        };
        if board.planes.is_none() {
            let message = "`drop` needs a board whose cells are `empty` or a player";
            return Err(malformed(
                message,
                span,
                "dropped here",
                "start it as `grid(rows, cols)`",
            ));
        }
        let code = value
            .term
            .as_cell()
            .ok_or_else(|| wrong_kind("a player", &value.term, value.span))?;
        let index = self.specialiser.column(column, board.cols)?;
        let site = self.specialiser.sites.add(span, Cause::FullColumn);
        let fill = |col: usize| {
            let cells = (0..board.rows)
                .rev()
                .map(|row| board.cells[row * board.cols + col]);
            Change::Fill(cells.collect(), code.clone(), site)
        };
        Ok(match index {
            Int::Fault(site) => Change::Fault(site),
            Int::Constant(col) => fill(usize::try_from(col).expect("within the board")),
            index => Change::Pick(
                index,
                (0..board.cols).map(|col| vec![fill(col)]).collect(),
                site,
            ),
        })
    }
}

/// Returns the target at an index. If the index is known, only that target has to exist: of the parts
/// of a tuple some may have no elements.
fn chosen<'p>(
    index: Int,
    count: usize,
    mut target: impl FnMut(usize) -> Result<Target<'p>>,
) -> Result<Target<'p>> {
    if let Int::Constant(n) = index {
        return target(fit::<usize>(n));
    }
    let targets = (0..count).map(target).collect::<Result<_>>()?;
    Ok(match index {
        Int::Fault(site) => Target::Nowhere(site),
        index => Target::Chosen(index, targets),
    })
}

/// Pairs the scalars of a place with the parts of a term; returns `false` if the shapes differ.
pub(super) fn pair(
    place: &VariablePlace,
    term: &Term,
    pairs: &mut Vec<(ScalarPlace, Term)>,
) -> bool {
    match place {
        VariablePlace::Scalar(scalar) => {
            pairs.push((*scalar, term.clone()));
            true
        }
        VariablePlace::Items { items, .. } => match term.as_items() {
            Some(terms) if terms.len() == items.len() => items
                .iter()
                .zip(&terms)
                .all(|(item, term)| pair(item, term, pairs)),
            Some(_) | None => false,
        },
        VariablePlace::Board(board) => match term.as_board() {
            Some(other)
                if (other.shape, other.rows, other.cols)
                    == (board.shape, board.rows, board.cols) =>
            {
                pairs.extend(board.cells.iter().copied().zip(other.cells.iter().cloned()));
                true
            }
            Some(_) | None => false,
        },
    }
}
