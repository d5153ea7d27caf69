//! Settling a bid: the one place where chips change hands.

use super::{Rules, TieBreak};
use crate::player::{PerPlayer, Player};

/// What both players hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Purses {
    /// Ordinary chips.
    pub chips: PerPlayer<u64>,
    /// Who has the tie status: the advantage, the marker, or the right to win the next tie. `None`
    /// exactly under the rules without a status.
    pub status: Option<Player>,
}

/// Who can win a tied bid: one player by rule, or whom the holder of the advantage prefers, or a
/// coin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tie {
    /// This player wins it.
    Goes(Player),
    /// This player decides who wins it.
    ChosenBy(Player),
    /// Either, with probability a half.
    Coin,
    /// Nobody: both bid again.
    Nobody,
}

/// Who wins a tie under these rules with these purses.
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

/// The purses after both bids are laid down and `winner` has won: by the higher bid, or a tie by
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

/// The purses after a bid that nobody won: what both pay is gone to where the rules say.
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

/// Who has the tie status after a bid that `winner` won. Under `attached` this is so for a marker
/// that was not attached to the bid.
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
