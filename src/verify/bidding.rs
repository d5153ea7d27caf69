//! One bid, literally by the rules: who can win it, who has the tie status afterwards, and who can be made to move.
//!
//! The rest of the program has its own code for this, [`settle`](crate::rules::settle); nothing here uses it.

use super::Graph;
use crate::player::Player;
use crate::rules::{Rules, TieBreak, Winner};

/// Who wins a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Won {
    /// This player.
    By(Player),
    /// Whom this player names.
    ChosenBy(Player),
    /// Either, by a fair coin.
    Coin,
}

/// Both players' chips with who has the tie status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Holdings {
    /// Alice's chips.
    pub alice: i32,
    /// Bob's chips.
    pub bob: i32,
    /// Who has the status, under rules with one.
    pub holder: Option<Player>,
}

/// Who wins when Alice bids `x` and Bob `y`.
pub fn won(rules: &Rules, holdings: &Holdings, x: i32, y: i32) -> Won {
    if x != y {
        return Won::By(if x > y { Player::Alice } else { Player::Bob });
    }
    match (rules.ties, holdings.holder) {
        (TieBreak::Advantage, Some(holder)) => Won::ChosenBy(holder),
        (TieBreak::Marker | TieBreak::MakeItTakeIt | TieBreak::LosersBall, Some(holder)) => Won::By(holder),
        (TieBreak::LadiesFirst, _) => Won::By(Player::Alice),
        (TieBreak::GentlemenFirst, _) => Won::By(Player::Bob),
        (TieBreak::Richer, _) if holdings.bob > holdings.alice => Won::By(Player::Bob),
        (TieBreak::Richer, _) => Won::By(Player::Alice),
        (TieBreak::Coin, _) => Won::Coin,
        (TieBreak::Advantage | TieBreak::Marker | TieBreak::MakeItTakeIt | TieBreak::LosersBall, None) => {
            unreachable!("purses were checked to have a holder")
        }
    }
}

/// Who has the tie status after `winner` has won, in a tie or not.
pub fn next_holder(rules: &Rules, holder: Option<Player>, winner: Player, tied: bool) -> Option<Player> {
    let holder = holder?;
    Some(match rules.ties {
        TieBreak::MakeItTakeIt => winner,
        TieBreak::LosersBall => winner.other(),
        // Used, so it goes to the other player.
        TieBreak::Advantage | TieBreak::Marker if tied && winner == holder => holder.other(),
        TieBreak::Advantage
        | TieBreak::Marker
        | TieBreak::LadiesFirst
        | TieBreak::GentlemenFirst
        | TieBreak::Richer
        | TieBreak::Coin => holder,
    })
}

/// Who can be made to move by the winner of a bid.
pub fn movers(graph: &Graph<'_>, rules: &Rules, position: usize, winner: Player) -> Vec<Player> {
    let able: Vec<Player> =
        Player::BOTH.into_iter().filter(|player| !graph.moves(position, *player).is_empty()).collect();
    match rules.winner {
        Winner::Moves if able.len() == 2 => vec![winner],
        Winner::Moves | Winner::Chooses => able,
    }
}
