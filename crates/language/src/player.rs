//! The basic vocabulary: the two players, the endings of a game, its outcomes, and its id.

use std::ops::{Index, IndexMut};

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

/// Alice (left, red) or Bob (right, blue).
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    BorshSerialize,
    BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Alice, Left, Red.
    Alice,
    /// Bob, Right, Blue.
    Bob,
}

impl Player {
    /// Both players, Alice first.
    pub const BOTH: [Player; 2] = [Player::Alice, Player::Bob];

    /// Returns the values of `f` for Alice and for Bob. The `map` of an array would be compiled to ten
    /// times as much code.
    pub fn both<T>(mut f: impl FnMut(Player) -> T) -> [T; 2] {
        [f(Player::Alice), f(Player::Bob)]
    }

    /// Returns the opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Alice => Self::Bob,
            Self::Bob => Self::Alice,
        }
    }

    /// Returns `alice` or `bob`, as the language writes them.
    pub fn word(self) -> &'static str {
        match self {
            Self::Alice => "alice",
            Self::Bob => "bob",
        }
    }

    /// Returns `Alice` or `Bob`, for sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alice => "Alice",
            Self::Bob => "Bob",
        }
    }
}

/// One value for each player.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    Serialize,
    Deserialize,
    BorshSerialize,
    BorshDeserialize,
)]
#[serde(deny_unknown_fields)]
pub struct PerPlayer<T> {
    /// Alice's value.
    pub alice: T,
    /// Bob's value.
    pub bob: T,
}

impl<T> PerPlayer<T> {
    /// Creates a pair of Alice's and Bob's values.
    pub fn new(alice: T, bob: T) -> Self {
        Self { alice, bob }
    }

    /// Creates a pair from the value of a player and that of the opponent.
    pub fn of(player: Player, own: T, opponents: T) -> Self {
        match player {
            Player::Alice => Self::new(own, opponents),
            Player::Bob => Self::new(opponents, own),
        }
    }

    /// Exchanges the values of the players.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            alice: self.bob,
            bob: self.alice,
        }
    }

    /// Applies `f` to both values by reference.
    pub fn map_ref<U>(&self, mut f: impl FnMut(&T) -> U) -> PerPlayer<U> {
        PerPlayer {
            alice: f(&self.alice),
            bob: f(&self.bob),
        }
    }

    /// Applies `f` to both values.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> PerPlayer<U> {
        PerPlayer {
            alice: f(self.alice),
            bob: f(self.bob),
        }
    }
}

impl<T> Index<Player> for PerPlayer<T> {
    type Output = T;
    fn index(&self, player: Player) -> &T {
        match player {
            Player::Alice => &self.alice,
            Player::Bob => &self.bob,
        }
    }
}

impl<T> IndexMut<Player> for PerPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::Alice => &mut self.alice,
            Player::Bob => &mut self.bob,
        }
    }
}

/// The ending of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub enum Ending {
    /// This player has won.
    Win(Player),
    /// Nobody has won.
    Draw,
}

impl Ending {
    /// Returns the same ending with the players exchanged.
    #[must_use]
    pub fn conjugate(self) -> Self {
        match self {
            Self::Win(player) => Self::Win(player.other()),
            Self::Draw => Self::Draw,
        }
    }

    /// Returns `true` if it counts as a player's win; `drawn` says that a draw does.
    pub fn is_won_by(self, player: Player, drawn: bool) -> bool {
        match self {
            Self::Win(winner) => winner == player,
            Self::Draw => drawn,
        }
    }
}

/// The player who can force a win from given chips, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Both can prevent the other's win.
    Draw,
    /// Neither player can force either by pure strategies.
    Undetermined,
    /// This player can force a win.
    #[serde(untagged)]
    Wins(Player),
}

impl Outcome {
    /// Returns the word that the language prints.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wins(player) => player.word(),
            Self::Draw => "draw",
            Self::Undetermined => "undetermined",
        }
    }
}

/// A game, which is a position, by its index in the session's table of games.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, BorshSerialize, BorshDeserialize,
)]
pub struct GameId(pub u32);
