//! Income at positions: the `income PLAYER part if …` lines in order, evaluated on positions where
//! the game has not ended.

use num_rational::BigRational;

use super::compile::Compiler;
use super::fault::{Cause, Fault, Site};
use super::program::{Bool, Int, Machine};
use super::{Ruleset, State};
use crate::diagnostic::Result;
use crate::ir::IncomeRule;
use crate::player::{PerPlayer, Player};
use crate::rules::Income;

/// The program of an `income` line.
#[derive(Debug)]
pub struct IncomeProgram {
    /// The condition of the line.
    condition: Bool,
    /// The numerator and the denominator of the part.
    numerator: Int,
    denominator: i64,
    /// The source of the part.
    site: Site,
}

impl IncomeProgram {
    /// Returns the part of all money by this line, if its condition holds.
    fn run(&self, machine: &mut Machine) -> std::result::Result<Option<BigRational>, Fault> {
        if !self.condition.run(machine)? {
            return Ok(None);
        }
        let numerator = self.numerator.run(machine)?;
        // The denominator is positive, so the numerator has the sign of the part.
        if numerator < 0 {
            return Err(self.site.fault(numerator));
        }
        Ok(Some(BigRational::new(
            numerator.into(),
            self.denominator.into(),
        )))
    }
}

impl Compiler<'_> {
    /// Compiles an `income` line; returns `None` if its condition never holds.
    pub(super) fn income(&mut self, rule: &IncomeRule) -> Result<Option<IncomeProgram>> {
        let mut scope = self.specialiser.scope();
        let condition = self.specialiser.truth(&rule.condition, &mut scope)?;
        // Without such programs `has_income` can tell that there is no income at all.
        if condition == Bool::Constant(false) {
            return Ok(None);
        }
        let (numerator, denominator) = self.specialiser.fraction(&rule.part, &mut scope)?;
        let site = self
            .specialiser
            .sites
            .add(rule.part.span, Cause::NegativeIncome);
        Ok(Some(IncomeProgram {
            condition,
            numerator,
            denominator,
            site,
        }))
    }
}

impl Ruleset {
    /// Returns `true` if an `income` line may hold at some position.
    pub fn has_income(&self) -> bool {
        Player::BOTH
            .into_iter()
            .any(|player| !self.incomes[player].is_empty())
    }

    /// Returns the income before a bid at a position: for each player the first `income` line that
    /// holds determines it.
    ///
    /// # Errors
    /// If evaluating the lines leaves a range, or a part is negative.
    pub fn income(&self, state: &State) -> Result<Income> {
        if !self.has_income() {
            return Ok(Income::default());
        }
        let mut parts = PerPlayer::<BigRational>::default();
        let mut machine = self.machine(state);
        for player in Player::BOTH {
            let part = self.first_of(&self.incomes[player], &mut machine, IncomeProgram::run)?;
            parts[player] = part.unwrap_or_default();
        }
        Ok(Income::new(parts).expect("negative parts are faults"))
    }
}
