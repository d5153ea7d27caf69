//! Laws: the values of endings, and the value of a turn computed from the values of its moves.
//!
//! A solver is a law run over a [space](crate::space): the vertices of a graph, layers by a count,
//! numbered positions, or a search from one position. No law has a copy for each space, and none
//! knows the space that it runs over.

use crate::number::Number;
use crate::player::{Ending, Player};

pub mod advice;
pub(crate) mod best;
pub mod decision;
pub(crate) mod turns;

/// The values of the endings.
#[derive(Debug, Clone)]
pub struct Ended<N> {
    /// The player for whom less is better.
    pub seeker: Player,
    /// The values of the seeker's win, of the opponent's, and of a draw.
    pub values: [N; 3],
}

impl<N> Ended<N> {
    /// Creates the values for a seeker.
    pub fn new(seeker: Player, value: impl Fn(Ending) -> N) -> Self {
        let endings = [
            Ending::Win(seeker),
            Ending::Win(seeker.other()),
            Ending::Draw,
        ];
        Self {
            seeker,
            values: endings.map(value),
        }
    }

    /// Returns the value of an ending.
    #[inline(always)]
    pub fn of(&self, ending: Ending) -> &N {
        match ending {
            Ending::Win(winner) => &self.values[usize::from(winner != self.seeker)],
            Ending::Draw => &self.values[2],
        }
    }
}

/// Computes the values of several positions by [`Law::settle`].
#[inline(always)]
pub(crate) fn one_by_one<L: Law<Number: Copy> + ?Sized, const LEN: usize>(
    law: &L,
    seeker: &[L::Number; LEN],
    opponent: &[L::Number; LEN],
    values: &mut [L::Number; LEN],
) {
    for ((value, seeker), opponent) in values.iter_mut().zip(seeker).zip(opponent) {
        *value = law.settle(*seeker, *opponent);
    }
}

/// A rule by which values follow from each other.
pub trait Law: Sync {
    /// The value of a position.
    type Number: Number;

    /// Returns the name of the theory, with everything that the values depend on besides the game.
    fn name(&self) -> String;

    /// Returns the values of the endings.
    fn ended(&self) -> &Ended<Self::Number>;

    /// Returns the value of a position from the best values that the seeker and the opponent can
    /// move to.
    fn settle(&self, seeker: Self::Number, opponent: Self::Number) -> Self::Number;

    /// Computes the values of several positions at once, equal to those that
    /// [`settle`](Self::settle) returns.
    #[inline(always)]
    fn settle_each<const LEN: usize>(
        &self,
        seeker: &[Self::Number; LEN],
        opponent: &[Self::Number; LEN],
        values: &mut [Self::Number; LEN],
    ) where
        Self::Number: Copy,
    {
        one_by_one(self, seeker, opponent, values);
    }

    /// Returns `true` if a value is the one that [`settle`](Self::settle) should return, computed
    /// in numbers without bounds, and lies in the range of possible values.
    fn follows(&self, value: &Self::Number, seeker: &Self::Number, opponent: &Self::Number)
    -> bool;

    /// Returns the player for whom less is better.
    fn seeker(&self) -> Player {
        self.ended().seeker
    }

    /// Returns the value of an ending.
    #[inline(always)]
    fn ending(&self, ending: Ending) -> Self::Number {
        self.ended().of(ending).clone()
    }

    /// Returns the value of a position where a player may have no move: then the other one moves,
    /// and without any move it is a draw.
    #[inline(always)]
    fn turn(&self, seeker: Option<Self::Number>, opponent: Option<Self::Number>) -> Self::Number {
        match (seeker, opponent) {
            (Some(seeker), Some(opponent)) => self.settle(seeker, opponent),
            // The bid is still made and paid, so the value is that of a turn with two equal
            // results.
            (Some(only), None) | (None, Some(only)) => self.settle(only.clone(), only),
            (None, None) => self.ending(Ending::Draw),
        }
    }
}
