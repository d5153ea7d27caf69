//! Spot checks: values found by a sweep or by layers are recomputed at some positions from the
//! ruleset's own lines.
//!
//! A sweep works with tables derived from the lines, in numbers of a fixed width. A check makes the
//! moves of one position by the lines, looks up the values of the positions that they lead to, and
//! asks the theory whether the position's value follows from these in numbers without bounds
//! ([`Law::follows`]). A value that does not is never given as an answer.

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::ruleset::{MoveWalker, Ruleset, State};
use crate::law::Law;
use crate::number::Number;
use crate::player::{Ending, Player};

/// Builds the diagnostic of a result that contradicts the rules of the game or another result.
pub fn contradiction(found: String) -> Box<Diagnostic> {
    Diagnostic::new(Code::Internal, found)
        .help("this is a bug in bid, not in your program: no answer is given; please report it with the game")
        .into()
}

/// A position with its ending and moves by the lines of its ruleset.
pub struct Spot {
    /// The position.
    pub position: State,
    /// The ending, if the game has ended there.
    pub ending: Option<Ending>,
    /// The moves of the seeker and of the opponent.
    pub sides: [PlayerMoves; 2],
}

/// The moves of one player at a position.
#[derive(Default)]
pub struct PlayerMoves {
    /// The positions that the moves lead to.
    pub heads: Vec<State>,
    /// The ending if it is this player's turn, if the game ends because there is no move.
    pub stuck: Option<Ending>,
}

impl Spot {
    /// Makes the moves of a position; `seeker` is the player whose side comes first.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn at(moves: &mut MoveWalker<'_>, position: &[u64], seeker: Player) -> Result<Self> {
        let ending = moves.go_to(position)?;
        let mut sides = [PlayerMoves::default(), PlayerMoves::default()];
        for (side, player) in sides
            .iter_mut()
            .zip([seeker, seeker.other()])
            // An ended position has no moves, and its lines for moves may fault.
            .filter(|_| ending.is_none())
        {
            side.stuck = moves.of(player, &mut |to| side.heads.push(State::from_words(to)))?;
        }
        Ok(Self {
            position: State::from_words(position),
            ending,
            sides,
        })
    }

    /// Checks that a value follows from those of the positions that the moves lead to. If one of
    /// these is not known nothing is checked.
    ///
    /// # Errors
    /// If the value does not follow.
    pub fn check<T: Law>(
        &self,
        ruleset: &Ruleset,
        theory: &T,
        value: T::Number,
        value_of: &dyn Fn(&State) -> Option<T::Number>,
    ) -> Result<()> {
        let Some([seeker, opponent]) = self.afterwards(theory, value_of) else {
            return Ok(());
        };
        if theory.follows(&value, &seeker, &opponent) {
            return Ok(());
        }
        Err(self.mistaken(
            ruleset,
            format!(
                "{value:?} was found ({}), after moves to {seeker:?} and {opponent:?}",
                theory.name()
            ),
        ))
    }

    /// Builds the diagnostic of a value that does not follow.
    fn mistaken(&self, ruleset: &Ruleset, compared: String) -> Box<Diagnostic> {
        let position = ruleset.print(&self.position);
        let found = format!(
            "the value found at the position {position:?} does not follow from the game's own lines"
        );
        Box::new(contradiction(found).note(compared))
    }

    /// Returns the value of the position, if those of the positions that the moves lead to are
    /// known.
    pub fn value<T: Law>(
        &self,
        theory: &T,
        value_of: &dyn Fn(&State) -> Option<T::Number>,
    ) -> Option<T::Number> {
        match self.ending {
            Some(ending) => Some(theory.ending(ending)),
            None => self
                .afterwards(theory, value_of)
                .map(|[seeker, opponent]| theory.settle(seeker, opponent)),
        }
    }

    /// Returns the best values for the seeker and for the opponent after this turn, if all are
    /// known.
    fn afterwards<T: Law>(
        &self,
        theory: &T,
        value_of: &dyn Fn(&State) -> Option<T::Number>,
    ) -> Option<[T::Number; 2]> {
        let best = |side: &PlayerMoves, better: fn(T::Number, &T::Number) -> T::Number| {
            let mut best = side.stuck.map(|ending| theory.ending(ending));
            for head in &side.heads {
                // One unknown value makes the best unknown.
                let value = value_of(head)?;
                best = Some(match best {
                    Some(best) => better(best, &value),
                    None => value,
                });
            }
            Some(best)
        };
        let seeker = best(&self.sides[0], T::Number::least)?;
        let opponent = best(&self.sides[1], T::Number::greatest)?;
        // A player who cannot move lets the other one move.
        let over = theory.ending(self.ending.unwrap_or(Ending::Draw));
        let first = seeker
            .clone()
            .or_else(|| opponent.clone())
            .unwrap_or_else(|| over.clone());
        Some([first, opponent.or(seeker).unwrap_or(over)])
    }
}
