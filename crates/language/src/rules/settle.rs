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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Payment;

    const ALICE: Option<Player> = Some(Player::Alice);
    const BOB: Option<Player> = Some(Player::Bob);

    /// The rules with a status, and the holder after a bid of Alice's holding it: she wins or loses
    /// by the higher bid, she wins or loses a tie.
    const STATUS: [(TieBreak, [Player; 4]); 5] = {
        use Player::{Alice, Bob};
        [
            (TieBreak::Advantage, [Alice, Alice, Bob, Alice]),
            (TieBreak::Marker, [Alice, Alice, Bob, Alice]),
            (TieBreak::Attached, [Alice, Alice, Bob, Alice]),
            (TieBreak::MakeItTakeIt, [Alice, Bob, Alice, Bob]),
            (TieBreak::LosersBall, [Bob, Alice, Bob, Alice]),
        ]
    };

    fn rules(ties: TieBreak, pay: Payment) -> Rules {
        Rules {
            ties,
            pay,
            ..Rules::default()
        }
    }

    #[test]
    fn the_status_passes_as_each_rule_says() {
        for (ties, expected) in STATUS {
            let cases = [
                (Player::Alice, false),
                (Player::Bob, false),
                (Player::Alice, true),
                (Player::Bob, true),
            ];
            for ((winner, tied), holder) in cases.into_iter().zip(expected) {
                assert_eq!(next_holder(ties, Player::Alice, winner, tied), holder);
                // Exchanging the players exchanges the holders.
                let other = next_holder(ties, Player::Bob, winner.other(), tied);
                assert_eq!(other, holder.other(), "{ties:?} {winner:?} {tied}");
            }
        }
    }

    #[test]
    fn ties_are_won_as_each_rule_says() {
        let tied = |ties, alice, bob, status| {
            tie(
                &rules(ties, Payment::Richman),
                &Purses::new(alice, bob, status),
            )
        };
        assert_eq!(
            tied(TieBreak::Advantage, 1, 2, ALICE),
            Tie::ChosenBy(Player::Alice)
        );
        for (ties, _) in &STATUS[1..] {
            assert_eq!(
                tied(*ties, 1, 2, ALICE),
                Tie::Goes(Player::Alice),
                "{ties:?}"
            );
            assert_eq!(tied(*ties, 2, 1, BOB), Tie::Goes(Player::Bob), "{ties:?}");
        }
        assert_eq!(
            tied(TieBreak::LadiesFirst, 1, 2, None),
            Tie::Goes(Player::Alice)
        );
        assert_eq!(
            tied(TieBreak::GentlemenFirst, 2, 1, None),
            Tie::Goes(Player::Bob)
        );
        let richer = [
            (2, 1, Player::Alice),
            (1, 2, Player::Bob),
            (1, 1, Player::Alice),
        ];
        for (alice, bob, winner) in richer {
            assert_eq!(tied(TieBreak::Richer, alice, bob, None), Tie::Goes(winner));
        }
        assert_eq!(tied(TieBreak::Coin, 1, 2, None), Tie::Coin);
        assert_eq!(tied(TieBreak::Nobody, 1, 2, None), Tie::Nobody);
    }

    #[test]
    fn bids_are_paid_as_each_rule_says() {
        // Alice wins with 5 against 3; a half of 5 is 3 for the bank and 2 for the loser.
        let half = Payment::Taxman(num_rational::BigRational::new(1.into(), 2.into()));
        for (pay, chips) in [
            (Payment::Richman, [5, 15]),
            (Payment::Poorman, [5, 10]),
            (half, [5, 12]),
            (Payment::AllPay, [8, 12]),
            (Payment::AllPayBank, [5, 7]),
        ] {
            let rules = rules(TieBreak::LadiesFirst, pay);
            let purses = Purses::new(10, 10, None);
            let after = settle(&rules, &purses, PerPlayer::new(5, 3), Player::Alice);
            assert_eq!(
                [after.chips.alice, after.chips.bob],
                chips,
                "{:?}",
                rules.pay
            );
        }
    }

    #[test]
    fn purses_are_listed_by_holder_and_then_by_chips() {
        let listed = |ties| Purses::of_total(ties, 1).map(|purses| purses.words(Player::Alice));
        assert_eq!(
            listed(TieBreak::Marker).collect::<Vec<_>>(),
            ["0*", "1*", "0", "1"]
        );
        assert_eq!(listed(TieBreak::Coin).collect::<Vec<_>>(), ["0", "1"]);
    }
}
