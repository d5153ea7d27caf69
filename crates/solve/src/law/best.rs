//! The values of a position's moves, folded to each player's best one.

use crate::player::Player;

/// The best values that the players can move to at a position that is no ending.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BestValues<T> {
    /// Alice's best value and Bob's.
    Both(T, T),
    /// The best value of the only player who can move.
    Only(T),
}

impl<T> BestValues<T> {
    /// Folds the values of each player's moves; `alice` and `bob` return the one of two values that
    /// is better for the player.
    #[inline(always)]
    pub(crate) fn fold<I: Iterator<Item = T>>(
        values: impl Fn(Player) -> I,
        alice: impl FnMut(T, T) -> T,
        bob: impl FnMut(T, T) -> T,
    ) -> Self {
        let [of_alice, of_bob] = Player::both(values);
        Self::of(of_alice.reduce(alice), of_bob.reduce(bob))
    }

    /// Folds values of which Alice wants the least and Bob the greatest.
    #[inline(always)]
    pub(crate) fn ordered<I: Iterator<Item = T>>(values: impl Fn(Player) -> I) -> Self
    where
        T: Ord,
    {
        Self::fold(values, T::min, T::max)
    }

    /// Creates the values from each player's best; `None` for a player who cannot move.
    #[inline(always)]
    pub(crate) fn of(alice: Option<T>, bob: Option<T>) -> Self {
        match (alice, bob) {
            (Some(alice), Some(bob)) => Self::Both(alice, bob),
            (Some(only), None) | (None, Some(only)) => Self::Only(only),
            (None, None) => unreachable!("a vertex without an ending has an edge"),
        }
    }

    /// Returns the value of the turn: that of the only player who can move, or what `both` makes of
    /// both players' best values.
    #[inline(always)]
    pub(crate) fn turn(self, both: impl FnOnce(T, T) -> T) -> T {
        match self {
            Self::Both(alice, bob) => both(alice, bob),
            Self::Only(only) => only,
        }
    }
}
