//! Settles bids. Chips change hands nowhere else.

use super::{Rules, TieBreak};
use crate::player::{PerPlayer, Player};

/// The chips and the tie status of both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Purses {
    /// The ordinary chips.
    pub chips: PerPlayer<u64>,
    /// The player with the tie status: the advantage, the marker, or the right to win the next tie.
    /// `None` exactly under the rules without a status.
    pub status: Option<Player>,
}

impl Purses {
    /// Creates the purses with these chips of Alice's and of Bob's, and this holder of the tie
    /// status.
    pub fn new(alice: u64, bob: u64, status: Option<Player>) -> Self {
        Self {
            chips: PerPlayer::new(alice, bob),
            status,
        }
    }

    /// Iterates over all ways to divide these chips and the tie status, if there is one: Alice's
    /// status first, then by her chips.
    pub fn of_total(ties: TieBreak, total: u64) -> impl Iterator<Item = Self> {
        let chips = move || (0..=total).map(move |alice| PerPlayer::new(alice, total - alice));
        let holders = ties.holders().iter();
        holders.flat_map(move |&status| chips().map(move |chips| Self { chips, status }))
    }

    /// Returns the total of both players' chips.
    pub fn total(&self) -> u64 {
        self.chips.alice + self.chips.bob
    }

    /// Formats a player's chips, with the star if the player has the tie status.
    pub fn words(&self, player: Player) -> String {
        let star = if self.status == Some(player) { "*" } else { "" };
        format!("{}{star}", self.chips[player])
    }
}

/// The possible winners of a tied bid: one player by rule, or the choice of the holder of the
/// advantage, or the result of a coin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tie {
    /// This player wins it.
    Goes(Player),
    /// This player decides who wins it.
    ChosenBy(Player),
    /// Either player wins, with probability a half.
    Coin,
    /// Nobody wins: both bid again.
    Nobody,
}

/// Returns the possible winners of a tie under these rules with these purses.
///
/// # Panics
/// If a status rule is in force and nobody has the status.
pub fn tie(rules: &Rules, purses: &Purses) -> Tie {
    let holder = || purses.status.expect("a status rule has a holder");
    match rules.ties {
        TieBreak::Advantage => Tie::ChosenBy(holder()),
        TieBreak::Marker | TieBreak::MakeItTakeIt | TieBreak::LosersBall | TieBreak::Attached => {
            Tie::Goes(holder())
        }
        TieBreak::LadiesFirst => Tie::Goes(Player::Alice),
        TieBreak::GentlemenFirst => Tie::Goes(Player::Bob),
        TieBreak::Richer if purses.chips.bob > purses.chips.alice => Tie::Goes(Player::Bob),
        TieBreak::Richer => Tie::Goes(Player::Alice),
        TieBreak::Coin => Tie::Coin,
        TieBreak::Nobody => Tie::Nobody,
    }
}

/// Computes the purses after both bids are made and `winner` has won, by the higher bid or a tie by
/// [`tie`].
///
/// Under `taxman(t)` the part that goes to the bank is rounded up to whole chips
/// ([`Payment::returned`](super::Payment::returned)).
pub fn settle(rules: &Rules, purses: &Purses, bids: PerPlayer<u64>, winner: Player) -> Purses {
    let loser = winner.other();
    let mut chips = purses.chips;
    let mut pay = |payer: Player| {
        chips[payer] -= bids[payer];
        chips[payer.other()] += rules.pay.returned(bids[payer]);
    };
    // Each bid is affordable by itself, so that the order of the payments does not matter.
    pay(winner);
    if rules.pay.is_all_pay() {
        pay(loser);
    }
    let tied = bids.alice == bids.bob;
    Purses {
        chips,
        status: purses
            .status
            .map(|holder| next_holder(rules.ties, holder, winner, tied)),
    }
}

/// Computes the purses after a bid that nobody won. If both players pay, both bids go to the
/// recipients that the rules name.
pub fn settle_undecided(rules: &Rules, purses: &Purses, bids: PerPlayer<u64>) -> Purses {
    let mut left = *purses;
    if rules.pay.is_all_pay() {
        for payer in Player::BOTH {
            left.chips[payer] -= bids[payer];
            left.chips[payer.other()] += rules.pay.returned(bids[payer]);
        }
    }
    left
}

/// Returns the player with the tie status after a bid that `winner` won. Under `attached` this
/// holds for a marker that was not attached to the bid.
pub fn next_holder(ties: TieBreak, holder: Player, winner: Player, tied: bool) -> Player {
    match ties {
        TieBreak::Advantage | TieBreak::Marker | TieBreak::Attached if tied && winner == holder => {
            holder.other()
        }
        TieBreak::MakeItTakeIt => winner,
        TieBreak::LosersBall => winner.other(),
        TieBreak::Advantage
        | TieBreak::Marker
        | TieBreak::LadiesFirst
        | TieBreak::GentlemenFirst
        | TieBreak::Richer
        | TieBreak::Coin
        | TieBreak::Nobody
        | TieBreak::Attached => holder,
    }
}
