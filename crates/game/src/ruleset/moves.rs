//! Compilation of moves. Every `move` line becomes, for each player and each value of its loop
//! variables that is known before play, a straight-line program of its own: conditions, loops whose
//! range depends on the position, and changes.

use num_traits::Zero;

use super::compile::Compiler;
use super::fault::{Cause, Fault};
use super::layout::{BoardPlace, ScalarPlace, VariablePlace};
use super::program::{Binder, Change, Int, Machine, Register, each, run_all};
use super::scope::VariableScope;
use super::specialise::{malformed, wrong_kind};
use super::term::{SpannedTerm, Term};
use crate::Score;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::ir::{CheckedUpdate, MoveRule, Value};
use crate::player::Player;
use crate::source::Span;
use crate::syntax::ast::{AssignOp, BinaryOp};

/// A move with its known loop variables fixed.
#[derive(Debug)]
pub struct Move {
    /// The conditions and loops before the change.
    pub binders: Vec<Binder>,
    /// The changes that the move makes.
    pub changes: Vec<Change>,
    /// The name of the move.
    name: String,
    /// The move's arguments, the text between its parentheses.
    arguments: Vec<LabelPart>,
    /// `true` if it adds to the mover's score.
    pub scored: bool,
}

/// A part of a move's label.
#[derive(Debug)]
enum LabelPart {
    Text(String),
    Number(Int, i64),
    Truth(Int),
    Cell(Int),
}

impl Move {
    /// Calls `visit` with the machine after each way to make the move; the state is restored before
    /// it returns.
    ///
    /// # Errors
    /// If the program faults.
    pub fn run(
        &self,
        machine: &mut Machine,
        visit: &mut dyn FnMut(&mut Machine),
    ) -> std::result::Result<(), Fault> {
        each(&self.binders, machine, &mut |machine| {
            self.make(machine, |machine| visit(machine))
        })?;
        Ok(())
    }

    /// Calls `visit` with the machine after the move for one choice of its variables.
    fn make(
        &self,
        machine: &mut Machine,
        visit: impl FnOnce(&mut Machine),
    ) -> std::result::Result<bool, Fault> {
        let before = machine.words.clone();
        machine.score = Score::zero();
        run_all(&self.changes, machine)?;
        visit(machine);
        machine.words = before;
        Ok(true)
    }

    /// Calls `visit` with the label of the move and the machine after each way to make it.
    ///
    /// # Errors
    /// If the program faults; the error contains the label of the move that faulted.
    pub fn run_labelled(
        &self,
        machine: &mut Machine,
        visit: &mut dyn FnMut(String, &mut Machine),
    ) -> std::result::Result<(), (Fault, String)> {
        let mut label = if self.arguments.is_empty() {
            self.name.clone()
        } else {
            format!("{}(…)", self.name)
        };
        let done = each(&self.binders, machine, &mut |machine| {
            label = self.label(machine)?;
            self.make(machine, |machine| visit(label.clone(), machine))
        });
        done.map(drop).map_err(|fault| (fault, label))
    }

    fn label(&self, machine: &mut Machine) -> std::result::Result<String, Fault> {
        let parts: std::result::Result<Vec<String>, Fault> = self
            .arguments
            .iter()
            .map(|argument| argument.print(machine))
            .collect();
        let parts = parts?;
        Ok(if parts.is_empty() {
            self.name.clone()
        } else {
            format!("{}({})", self.name, parts.join(", "))
        })
    }
}

impl LabelPart {
    fn print(&self, machine: &mut Machine) -> std::result::Result<String, Fault> {
        Ok(match self {
            Self::Text(text) => text.clone(),
            Self::Number(program, 1) => program.run(machine)?.to_string(),
            Self::Number(program, denominator) => {
                num_rational::Ratio::new(program.run(machine)?, *denominator).to_string()
            }
            Self::Truth(program) => (program.run(machine)? != 0).to_string(),
            Self::Cell(program) => super::text::cell_word(program.run(machine)?).to_owned(),
        })
    }
}

/// The place that an update writes to: one place, or one of several, selected by an index.
enum Target<'p> {
    One(&'p VariablePlace),
    Cell(&'p BoardPlace, usize),
    Chosen(Int, Vec<Target<'p>>),
    Nowhere(super::fault::Site),
}

impl Compiler<'_> {
    /// Compiles a `move` line into the moves of one player.
    pub(super) fn move_line(&mut self, rule: &MoveRule, player: Player) -> Result<Vec<Move>> {
        self.specialiser.mover = Some(player);
        let mut scope = self.specialiser.scope();
        let mut moves = Vec::new();
        // The specialiser walks through the clauses while the closure compiles moves with these
        // fields, so they are moved out of `self` for that time.
        let places = std::mem::take(&mut self.places);
        let mut wider = std::mem::take(&mut self.wider);
        let done = self.specialiser.clauses(
            &rule.clauses,
            true,
            &mut scope,
            &mut Vec::new(),
            &mut |specialiser, scope, binders| {
                let mut updates = UpdateCompiler {
                    specialiser,
                    places: &places,
                    wider: &mut wider,
                    scored: false,
                };
                let arguments = updates.labels(&rule.arguments, scope)?;
                let changes = updates.all(&rule.updates, scope)?;
                let scored = updates.scored;
                moves.push(Move {
                    binders: binders.to_vec(),
                    changes,
                    name: rule.name.clone(),
                    arguments,
                    scored,
                });
                Ok(())
            },
        );
        (self.places, self.wider) = (places, wider);
        done.map(|()| moves)
    }
}

/// Compiles the updates of one move.
struct UpdateCompiler<'u, 'a> {
    specialiser: &'u mut super::specialise::Specialiser<'a>,
    places: &'u [VariablePlace],
    /// The state variables that start as players and were found to need room for `empty` too.
    wider: &'u mut Vec<usize>,
    /// `true` if one of the updates adds to the score.
    scored: bool,
}

impl UpdateCompiler<'_, '_> {
    fn labels(
        &mut self,
        arguments: &[crate::ir::CheckedExpr],
        scope: &mut VariableScope,
    ) -> Result<Vec<LabelPart>> {
        let mut labels = Vec::new();
        for argument in arguments {
            let term = self.specialiser.expr(argument, scope)?;
            self.label(&term, argument.span, &mut labels)?;
        }
        Ok(labels)
    }

    /// Appends the parts of a label; cells and other tuples are spread out: `place(1, 1)`.
    fn label(&mut self, term: &Term, span: Span, labels: &mut Vec<LabelPart>) -> Result<()> {
        let is_tuple = matches!(term, Term::Tuple(_) | Term::Known(Value::Tuple(_)));
        if is_tuple && let Some(items) = term.as_items() {
            return items
                .iter()
                .try_for_each(|item| self.label(item, span, labels));
        }
        labels.push(match term {
            Term::Known(value) => LabelPart::Text(
                super::text::print_value(value).ok_or_else(|| unlabelled(term, span))?,
            ),
            Term::Number(program, denominator) => LabelPart::Number(program.clone(), *denominator),
            Term::Truth(_) => {
                LabelPart::Truth(term.as_scalar().ok_or_else(|| unlabelled(term, span))?)
            }
            Term::Cell(program) | Term::Player(program) => LabelPart::Cell(program.clone()),
            Term::Fault(site) => LabelPart::Number(Int::Fault(*site), 1),
            Term::Tuple(_) | Term::List(_) | Term::Board(_) | Term::Function(..) => {
                return Err(unlabelled(term, span));
            }
        });
        Ok(())
    }

    fn all(&mut self, updates: &[CheckedUpdate], scope: &mut VariableScope) -> Result<Vec<Change>> {
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
                    super::program::Bool::Constant(true) => changes.extend(self.all(then, scope)?),
                    super::program::Bool::Constant(false) => {
                        changes.extend(self.all(otherwise, scope)?)
                    }
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
                let cells = (0..board.cells.len())
                    .map(|cell| Target::Cell(board, cell))
                    .collect();
                Ok(chosen(cell, cells))
            }
            Target::One(VariablePlace::Items { items, .. }) => {
                let index = self.specialiser.integer(first)?;
                let index = self
                    .specialiser
                    .within(index, items.len(), "this list", first.span);
                // Only the part that is meant needs elements: the others of a tuple may have none.
                if let Int::Constant(part) = index {
                    let item = &items[fit::<usize>(part)];
                    return self.target(Target::One(item), rest, span);
                }
                let items: Result<Vec<Target<'p>>> = items
                    .iter()
                    .map(|item| self.target(Target::One(item), rest, span))
                    .collect();
                Ok(chosen(index, items?))
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
                        super::program::IntOp::ExactDivide,
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

fn chosen<'p>(index: Int, mut targets: Vec<Target<'p>>) -> Target<'p> {
    match index {
        Int::Constant(n) => targets.swap_remove(fit::<usize>(n)),
        Int::Fault(site) => Target::Nowhere(site),
        index => Target::Chosen(index, targets),
    }
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

fn unlabelled(term: &Term, span: Span) -> Box<crate::diagnostic::Diagnostic> {
    let message = format!(
        "the arguments of a move are numbers, booleans, players and cells, but this is {}",
        term.kind()
    );
    malformed(
        &message,
        span,
        "not a label",
        "name the move by what it changes, as in `move place(c)`",
    )
}
