//! The thresholds after either player's winning the bid, from those of a position's successors.

use super::quantity::Quantity;
use crate::rules::Winner;

/// The thresholds after the seeker's and after the opponent's winning the bid, lane by lane.
pub(crate) struct Afterwards<T> {
    pub(crate) won: Vec<T>,
    pub(crate) lost: Vec<T>,
}

/// The player who is to move after each player's winning the bid, where both could. The variants
/// give the thresholds after the seeker's winning the bid and after the opponent's, from m, the
/// best of the seeker's own moves, and M, the best of the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Movers {
    /// The winner of the bid moves: m, M.
    Winner,
    /// The winner of the bid lets the player move whose move is better for the winner: min(m, M),
    /// max(m, M).
    Chosen,
    /// Chosen by the opponent; the seeker, on winning, moves: m, max(m, M).
    SeekerMoves,
    /// Chosen by the opponent; the seeker, on winning, lets the opponent move: M, max(m, M).
    SeekerLets,
    /// Chosen by the seeker; the opponent, on winning, moves: min(m, M), M.
    OpponentMoves,
    /// Chosen by the seeker; the opponent, on winning, lets the seeker move: min(m, M), m.
    OpponentLets,
}

impl From<Winner> for Movers {
    fn from(winner: Winner) -> Self {
        match winner {
            Winner::Chooses => Self::Chosen,
            Winner::Moves => Self::Winner,
        }
    }
}

impl Movers {
    fn arrange<T: Quantity>(self, m: T, others: T) -> (T, T) {
        match self {
            Self::Winner => (m, others),
            Self::Chosen => (m.smaller(others), m.larger(others)),
            Self::SeekerMoves => (m, m.larger(others)),
            Self::SeekerLets => (others, m.larger(others)),
            Self::OpponentMoves => (m.smaller(others), others),
            Self::OpponentLets => (m.smaller(others), m),
        }
    }
}

impl<T: Quantity> Afterwards<T> {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            won: vec![T::NOTHING; width],
            lost: vec![T::NOTHING; width],
        }
    }

    /// Computes the thresholds from the rows of the seeker's own successors and of the opponent's.
    /// If only one player can move, that player moves after either player's winning the bid.
    pub(crate) fn collect<'a, S: Copy>(
        &mut self,
        own: &[S],
        others: &[S],
        movers: Movers,
        row: impl Fn(S) -> &'a [T] + Copy,
    ) where
        T: 'a,
    {
        match (own.split_first(), others.split_first()) {
            (Some(own), Some(others)) => {
                fold(&mut self.won, own.0, own.1, row, T::smaller);
                fold(&mut self.lost, others.0, others.1, row, T::larger);
                for (won, lost) in self.won.iter_mut().zip(&mut self.lost) {
                    (*won, *lost) = movers.arrange(*won, *lost);
                }
            }
            (Some(own), None) => {
                fold(&mut self.won, own.0, own.1, row, T::smaller);
                // Only one player can move, so it makes no difference who has won the bid.
                self.lost.copy_from_slice(&self.won);
            }
            (None, Some(others)) => {
                fold(&mut self.won, others.0, others.1, row, T::larger);
                self.lost.copy_from_slice(&self.won);
            }
            (None, None) => unreachable!("a vertex without an ending has edges"),
        }
    }
}

/// Stores the best of several rows, lane by lane.
fn fold<'a, S: Copy, T: Quantity + 'a>(
    best: &mut [T],
    first: &S,
    rest: &[S],
    row: impl Fn(S) -> &'a [T],
    better: impl Fn(T, T) -> T,
) {
    best.copy_from_slice(row(*first));
    for &successor in rest {
        for (best, &value) in best.iter_mut().zip(row(successor)) {
            *best = better(*best, value);
        }
    }
}
