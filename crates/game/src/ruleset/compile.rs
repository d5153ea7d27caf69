//! Compilation of a ruleset with its arguments: state variables get their places, `move` lines
//! their programs for each player, and endings their programs in order.

use num_traits::Zero;

use super::endings::EndingProgram;
use super::income::IncomeProgram;
use super::indexed::SymmetryProof;
use super::layout::{Allocator, Range, VariablePlace};
use super::moves::Move;
use super::program::{Int, Machine};
use super::specialise::{Constants, Specialiser, malformed};
use super::symmetry::Symmetry;
use super::term::Term;
use super::{Penalty, Ruleset, State};
use crate::Score;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir;
use crate::ir::Value;
use crate::player::{PerPlayer, Player};
use crate::rules::{Stuck, StuckResult};
use crate::watch::Context;

/// Compiles a ruleset with its arguments.
///
/// # Errors
/// If with these arguments a line is ill-typed or the game does not respect its symmetries,
/// or the work is stopped.
pub fn compile(
    template: &ir::RulesetTemplate,
    arguments: &[Value],
    constants: &mut dyn Constants,
    context: &Context<'_>,
) -> Result<Ruleset> {
    let source = AppliedRuleset {
        template,
        arguments,
    };
    let initial = initial_values(source, constants, context)?;
    let mut fitting =
        |wider, ranges: &[Range]| fitting(source, constants, &initial, wider, ranges, context);
    // The first pass uses wide integers; the ranges are inferred from its programs.
    let (mut ruleset, wider) = fitting(Vec::new(), &[])?;
    let ranges = super::ranges::infer(&ruleset, context)?;
    // The second pass packs the state into fewer bits, which makes every table smaller.
    if ranges.iter().any(|range| *range != Range::WIDE) {
        (ruleset, _) = fitting(wider, &ranges)?;
    }
    ruleset.symmetry = Symmetry::declared(template, &ruleset)?;
    ruleset.symmetry.proof = SymmetryProof::of(&ruleset, context)?;
    ruleset.symmetry.verify_sample(&ruleset, context)?;
    // Exploration merges symmetric positions, so the start has to be a representative as well.
    ruleset.start = ruleset.canonical(ruleset.start.clone());
    Ok(ruleset)
}

/// Compiles the ruleset without its symmetries, again and again until every variable that needs
/// room for `empty` has it.
fn fitting(
    source: AppliedRuleset<'_>,
    constants: &mut dyn Constants,
    initial: &[Value],
    mut wider: Vec<usize>,
    ranges: &[Range],
    context: &Context<'_>,
) -> Result<(Ruleset, Vec<usize>)> {
    loop {
        let known = wider.len();
        let compiler = Compiler::new(source, constants, initial, wider, ranges, context)?;
        let (ruleset, found) = compiler.run(initial)?;
        // The set of wider variables only grows, so this ends.
        if found.len() == known {
            return Ok((ruleset, found));
        }
        wider = found;
    }
}

/// A ruleset and its arguments.
#[derive(Clone, Copy)]
struct AppliedRuleset<'a> {
    template: &'a ir::RulesetTemplate,
    arguments: &'a [Value],
}

impl<'a> AppliedRuleset<'a> {
    fn specialiser(
        self,
        constants: &'a mut dyn Constants,
        context: &'a Context<'a>,
    ) -> Specialiser<'a> {
        Specialiser::new(self.template, self.arguments, constants, context)
    }
}

fn initial_values(
    source: AppliedRuleset<'_>,
    constants: &mut dyn Constants,
    context: &Context<'_>,
) -> Result<Vec<Value>> {
    let mut specialiser = source.specialiser(constants, context);
    let mut values = Vec::new();
    for variable in &source.template.state {
        let mut scope = specialiser.scope();
        values.push(specialiser.known(&variable.initial, &mut scope)?);
    }
    Ok(values)
}

/// Compiles the lines of one ruleset.
pub struct Compiler<'a> {
    pub(super) specialiser: Specialiser<'a>,
    /// The places of the state variables.
    pub(super) places: Vec<VariablePlace>,
    /// The state variables that start as players and were found to need room for `empty` too.
    pub(super) wider: Vec<usize>,
    words: usize,
}

impl<'a> Compiler<'a> {
    fn new(
        source: AppliedRuleset<'a>,
        constants: &'a mut dyn Constants,
        initial: &[Value],
        wider: Vec<usize>,
        ranges: &[Range],
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let mut allocator = Allocator::new(ranges);
        let mut places = Vec::new();
        for (index, (variable, value)) in source.template.state.iter().zip(initial).enumerate() {
            // A variable that starts as a player needs one bit, unless it may become `empty`.
            let with_empty = wider.contains(&index) || has_empty(value);
            places.push(
                allocator
                    .place(value, with_empty)
                    .ok_or_else(|| no_state(variable, value))?,
            );
        }
        let mut specialiser = source.specialiser(constants, context);
        specialiser.state = places.iter().map(Term::of_place).collect();
        Ok(Self {
            specialiser,
            places,
            wider,
            words: allocator.words(),
        })
    }

    /// Compiles the ruleset without its symmetries; also returns the variables that need room for
    /// `empty`.
    fn run(mut self, initial: &[Value]) -> Result<(Ruleset, Vec<usize>)> {
        let template = self.specialiser.template;
        let start = self.start(initial)?;
        let mut moves = PerPlayer::<Vec<Move>>::default();
        for player in Player::BOTH {
            for rule in template
                .moves
                .iter()
                .filter(|rule| rule.players.contains(&player))
            {
                moves[player].extend(self.move_line(rule, player)?);
            }
        }
        let mut endings: Vec<EndingProgram> = Vec::new();
        for rule in &template.endings {
            endings.extend(self.ending(rule)?);
        }
        let mut turns = Vec::new();
        for rule in &template.turns {
            turns.extend(self.turn(rule)?);
        }
        let mut incomes = PerPlayer::<Vec<IncomeProgram>>::default();
        for rule in &template.incomes {
            incomes[rule.player].extend(self.income(rule)?);
        }
        let (stuck, penalties) = match &template.stuck {
            Some(ir::StuckRule::Fixed(stuck)) => (*stuck, None),
            Some(ir::StuckRule::Score(score)) => {
                (Stuck::Ends(StuckResult::Draw), Some(self.penalties(score)?))
            }
            None => (Stuck::OpponentMoves, None),
        };
        let scored = penalties.is_some()
            || endings.iter().any(EndingProgram::is_score)
            || Player::BOTH
                .iter()
                .any(|player| moves[*player].iter().any(|one| one.scored));
        let names = template.state.iter().map(|variable| variable.name.clone());
        let ruleset = Ruleset {
            variables: names.zip(self.places).collect(),
            start,
            endings,
            turns,
            incomes,
            moves,
            stuck,
            penalties,
            scored,
            symmetry: Symmetry::default(),
            registers: self.specialiser.registers(),
            warnings: self.specialiser.comparisons.warnings(),
            sites: self.specialiser.sites,
        };
        Ok((ruleset, self.wider))
    }

    /// Compiles `stuck score e`: the amount that each player's side gets.
    fn penalties(&mut self, score: &ir::CheckedExpr) -> Result<PerPlayer<Penalty>> {
        let mut penalty = |player| -> Result<Penalty> {
            self.specialiser.mover = Some(player);
            let mut scope = self.specialiser.scope();
            let (numerator, denominator) = self.specialiser.fraction(score, &mut scope)?;
            Ok(Penalty {
                numerator,
                denominator,
            })
        };
        Ok(PerPlayer::new(
            penalty(Player::Alice)?,
            penalty(Player::Bob)?,
        ))
    }

    fn start(&mut self, initial: &[Value]) -> Result<State> {
        let template = self.specialiser.template;
        let mut words = State::zero(self.words);
        for ((variable, place), value) in template.state.iter().zip(&self.places).zip(initial) {
            if !put(place, value, &mut words.0) {
                let range = Range::WIDE;
                let message = format!("the initial value of `{}` is out of range", variable.name);
                return Err(Diagnostic::new(Code::OutOfRange, message)
                    .label(variable.initial.span, "too large")
                    .help(format!(
                        "integers of the state lie between {} and {}",
                        range.low, range.high
                    ))
                    .into());
            }
        }
        Ok(words)
    }
}

/// Writes a known value into a state; returns `false` if a part of it is out of range.
fn put(place: &VariablePlace, value: &Value, words: &mut [u64]) -> bool {
    let mut pairs = Vec::new();
    super::updates::pair(place, &Term::Known(value.clone()), &mut pairs)
        && pairs.into_iter().all(|(scalar, term)| {
            let code = match (&term, term.as_integer().or_else(|| term.as_cell())) {
                (Term::Known(Value::Bool(truth)), _) => Some(i64::from(*truth)),
                (_, Some(Int::Constant(n))) if scalar.holds(n) => Some(n),
                _ => None,
            };
            code.map(|code| scalar.put(words, code)).is_some()
        })
}

impl Ruleset {
    /// Creates a machine on a state.
    pub(super) fn machine(&self, state: &State) -> Machine {
        let registers = smallvec::SmallVec::from_elem(0, self.registers);
        Machine {
            words: state.0.clone(),
            registers,
            score: Score::zero(),
        }
    }
}

fn has_empty(value: &Value) -> bool {
    match value {
        Value::Empty => true,
        Value::List(items) | Value::Tuple(items) => items.iter().any(has_empty),
        _ => false,
    }
}

/// Returns the first part of a value that no state variable can hold.
fn unstorable(value: &Value) -> Option<&Value> {
    match value {
        Value::List(items) | Value::Tuple(items) => items.iter().find_map(unstorable),
        Value::Board(board) => board.cells.iter().find(|cell| !is_simple(cell)),
        other => (!is_simple(other)).then_some(other),
    }
}

/// Returns `true` for a value that a cell of a board can hold.
fn is_simple(value: &Value) -> bool {
    matches!(
        value,
        Value::Integer(_) | Value::Bool(_) | Value::Player(_) | Value::Empty
    )
}

fn no_state(variable: &ir::StateVariable, value: &Value) -> Box<Diagnostic> {
    let held = value.kinds();
    let message = match unstorable(value).map(Value::kinds) {
        Some(part) if part != held => {
            format!("a state variable cannot hold {held} that contains {part}")
        }
        _ => format!("a state variable cannot hold {held}"),
    };
    let help = "a state holds integers, booleans, players, and lists, tuples, `grid`s and `hexgrid`s of these";
    malformed(
        &message,
        variable.initial.span,
        &format!("the initial value of `{}`", variable.name),
        help,
    )
}
