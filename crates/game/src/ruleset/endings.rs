//! Compilation of endings: the `win`, `draw` and `score … if` lines in order, evaluated at every
//! position.

use super::compile::Compiler;
use super::fault::{Cause, Fault, Site};
use super::layout::ScalarPlace;
use super::program::{Bool, Int, Machine};
use super::specialise::wrong_kind;
use super::term::{named, player_code, player_of};
use crate::Score;
use crate::diagnostic::Result;
use crate::ir::{CheckedExpr, EndingResult, EndingRule};
use crate::player::{Ending, Player};
use num_traits::Zero;

/// The program of a line that ends the game.
#[derive(Debug, PartialEq, Eq)]
pub struct EndingProgram {
    /// The condition under which the game ends.
    pub condition: Bool,
    /// The result of the game.
    pub result: ResultProgram,
}

/// The result of a line that ends the game.
#[derive(Debug, PartialEq, Eq)]
pub enum ResultProgram {
    /// A win of the player with this code.
    Win(Int, Site),
    /// A draw.
    Draw,
    /// A score, positive for Alice, as the program of its numerator and its denominator.
    Score(Int, i64),
}

impl EndingProgram {
    /// Splits the line into conditions each of which ends the game with one result: two of them if
    /// the winner depends on the position. Returns `None` for scores, and if the winner might be
    /// `empty`.
    pub fn cases(&self) -> Option<Vec<(Bool, Ending)>> {
        match &self.result {
            ResultProgram::Draw => Some(vec![(self.condition.clone(), Ending::Draw)]),
            ResultProgram::Win(Int::Constant(code), _) => {
                let winner = player_of(*code)?;
                Some(vec![(self.condition.clone(), Ending::Win(winner))])
            }
            // A winner that might be `empty` is a fault, which a condition cannot express.
            ResultProgram::Win(winner, _) if is_a_player(winner) => {
                let case = |player| (named(&self.condition, winner, player), Ending::Win(player));
                Some(Player::both(case).into())
            }
            ResultProgram::Win(..) | ResultProgram::Score(..) => None,
        }
    }

    /// Returns `true` if the result is a score.
    pub fn is_score(&self) -> bool {
        matches!(self.result, ResultProgram::Score(..))
    }

    /// Returns the ending by this line, if its condition holds, and the amount that it adds to the
    /// score. A scored ending is a draw.
    ///
    /// # Errors
    /// If the program faults.
    pub fn run(
        &self,
        machine: &mut Machine,
    ) -> std::result::Result<Option<(Ending, Score)>, Fault> {
        if !self.condition.run(machine)? {
            return Ok(None);
        }
        Ok(Some(match &self.result {
            ResultProgram::Draw => (Ending::Draw, Score::zero()),
            ResultProgram::Score(numerator, denominator) => {
                let score = Score::new(numerator.run(machine)?, *denominator);
                (Ending::Draw, score)
            }
            ResultProgram::Win(winner, site) => {
                let code = winner.run(machine)?;
                let winner = player_of(code).ok_or_else(|| site.fault(code))?;
                (Ending::Win(winner), Score::zero())
            }
        }))
    }
}

/// Returns `true` if the form of a program for a cell or a player shows that its value is always a
/// player.
fn is_a_player(program: &Int) -> bool {
    match program {
        Int::Constant(code) => player_of(*code).is_some(),
        Int::Scalar(scalar) => matches!(scalar, ScalarPlace::Player(_)),
        Int::If(parts) => is_a_player(&parts.1) && is_a_player(&parts.2),
        Int::Let(_, parts) => is_a_player(&parts.1),
        Int::Pick(_, items, _) => items.iter().all(is_a_player),
        Int::Register(_)
        | Int::Truth(_)
        | Int::Binary(..)
        | Int::Count(_)
        | Int::Fold(..)
        | Int::Fault(_) => false,
    }
}

impl Compiler<'_> {
    /// Compiles a line to programs: one, or one for each meaning of `me` if they differ.
    pub(super) fn ending(&mut self, rule: &EndingRule) -> Result<Vec<EndingProgram>> {
        let mut programs = Vec::new();
        for me in Player::BOTH {
            self.specialiser.mover = Some(me);
            let program = self.ending_for(rule, me)?;
            // A line that does not mention `me` compiles to the same program for both players.
            if program.condition != Bool::Constant(false) && !programs.contains(&program) {
                programs.push(program);
            }
        }
        Ok(programs)
    }

    fn ending_for(&mut self, rule: &EndingRule, me: Player) -> Result<EndingProgram> {
        let mut scope = self.specialiser.scope();
        let condition = self.specialiser.truth(&rule.condition, &mut scope)?;
        let result = match &rule.result {
            EndingResult::Draw => ResultProgram::Draw,
            EndingResult::WinMe => {
                let site = self.specialiser.sites.add(rule.span, Cause::NobodyWins);
                ResultProgram::Win(Int::Constant(player_code(me)), site)
            }
            EndingResult::Win(winner) => self.winner(winner)?,
            EndingResult::Score(score) => {
                let (numerator, denominator) = self.specialiser.fraction(score, &mut scope)?;
                ResultProgram::Score(numerator, denominator)
            }
        };
        Ok(EndingProgram { condition, result })
    }

    fn winner(&mut self, winner: &CheckedExpr) -> Result<ResultProgram> {
        let mut scope = self.specialiser.scope();
        let term = self.specialiser.expr(winner, &mut scope)?;
        let program = term
            .as_cell()
            .ok_or_else(|| wrong_kind("a player", &term, winner.span))?;
        Ok(ResultProgram::Win(
            program,
            self.specialiser.sites.add(winner.span, Cause::NobodyWins),
        ))
    }
}
