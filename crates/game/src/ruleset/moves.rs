//! Compilation of moves. Every `move` line becomes, for each player and each value of its loop
//! variables that is known before play, a straight-line program of its own: conditions, loops whose
//! range depends on the position, and changes.

use num_traits::Zero;

use super::compile::Compiler;
use super::fault::Fault;
use super::program::{Binder, Change, Int, Machine, each, run_all};
use super::scope::VariableScope;
use super::specialise::{Specialiser, malformed};
use super::term::Term;
use super::updates::UpdateCompiler;
use crate::Score;
use crate::diagnostic::{Diagnostic, Result};
use crate::ir::{CheckedExpr, MoveRule, Value};
use crate::player::Player;
use crate::source::Span;

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
                let arguments = labels(specialiser, &rule.arguments, scope)?;
                let mut updates = UpdateCompiler {
                    specialiser,
                    places: &places,
                    wider: &mut wider,
                    scored: false,
                };
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

/// Compiles the arguments of a move to the parts of its label.
fn labels(
    specialiser: &mut Specialiser<'_>,
    arguments: &[CheckedExpr],
    scope: &mut VariableScope,
) -> Result<Vec<LabelPart>> {
    let mut labels = Vec::new();
    for argument in arguments {
        let term = specialiser.expr(argument, scope)?;
        label(&term, argument.span, &mut labels)?;
    }
    Ok(labels)
}

/// Appends the parts of a label; cells and other tuples are spread out: `place(1, 1)`.
fn label(term: &Term, span: Span, labels: &mut Vec<LabelPart>) -> Result<()> {
    let is_tuple = matches!(term, Term::Tuple(_) | Term::Known(Value::Tuple(_)));
    if is_tuple && let Some(items) = term.as_items() {
        return items.iter().try_for_each(|item| label(item, span, labels));
    }
    labels.push(match term {
        Term::Known(value) => {
            LabelPart::Text(super::text::print_value(value).ok_or_else(|| unlabelled(term, span))?)
        }
        Term::Number(program, denominator) => LabelPart::Number(program.clone(), *denominator),
        Term::Truth(_) => LabelPart::Truth(term.as_scalar().ok_or_else(|| unlabelled(term, span))?),
        Term::Cell(program) | Term::Player(program) => LabelPart::Cell(program.clone()),
        Term::Fault(site) => LabelPart::Number(Int::Fault(*site), 1),
        Term::Tuple(_) | Term::List(_) | Term::Board(_) | Term::Function(..) => {
            return Err(unlabelled(term, span));
        }
    });
    Ok(())
}

fn unlabelled(term: &Term, span: Span) -> Box<Diagnostic> {
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
