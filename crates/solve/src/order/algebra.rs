//! Calculation with games up to equivalence, where a class is represented by its sequences.

use crate::diagnostic::Result;
use crate::player::Player;
use crate::rules::Rules;
use crate::rules::admit::{self, ChipsQuestion};
use crate::sequences::{ClassId, Sequences, Solving};
use crate::watch::Context;

/// Equivalence classes of games under fixed rules, made from those of other games.
pub struct Algebra<'a> {
    solving: Solving<'a>,
    rules: Rules,
}

impl<'a> Algebra<'a> {
    /// Creates an algebra without classes.
    ///
    /// # Errors
    /// E0602 and E0603 under rules without thresholds.
    pub fn new(rules: &Rules, context: &'a Context<'a>) -> Result<Self> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        Ok(Self {
            solving: Solving::for_alice(rules, context),
            rules: rules.clone(),
        })
    }

    /// Returns the class of A or B.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn ended(&mut self, winner: Player) -> Result<ClassId> {
        self.solving.ending(winner == Player::Alice)
    }

    /// Returns the class of { G1, … | H1, … }; at least one of the lists must not be empty.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn braces(&mut self, alice: &[ClassId], bob: &[ClassId]) -> Result<ClassId> {
        self.solving
            .position(alice.to_vec(), bob.to_vec(), self.rules.winner.into())
    }

    /// Returns the class of G ∧ H.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn wedge(&mut self, g: ClassId, h: ClassId) -> Result<ClassId> {
        self.braces(&[g, h], &[g, h])
    }

    /// Returns the class in this algebra of a position that was solved elsewhere under the same
    /// rules.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn adopt(&mut self, sequences: &Sequences, class: ClassId) -> Result<ClassId> {
        self.solving.class(sequences.sequences(class).into())
    }

    /// Returns `true` if G ≤ H.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn at_most(&self, g: ClassId, h: ClassId) -> Result<bool> {
        // G ≤ H if there is no total for which G needs more chips.
        Ok(self.solving.above(g, h)?.least().is_none())
    }

    /// Returns the number of classes.
    pub fn len(&self) -> usize {
        self.solving.class_count()
    }

    /// Returns `true` if there are no classes yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
