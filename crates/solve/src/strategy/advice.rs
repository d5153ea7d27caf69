//! A strategy's decisions at one turn, collected for printing.

use super::turn::{Promise, Turn};
use crate::game::NodeId;
use crate::law::decision::WinnerChoice;
use crate::player::Player;
use crate::rules::{Purses, Tie};

/// The bid and the decisions after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The player of the strategy.
    pub player: Player,
    /// The result that the strategy guarantees.
    pub promise: Promise,
    /// The least optimal bid; `None` if there is no bid.
    pub bid: Option<u64>,
    /// `true` if the player should use the advantage when the bids are tied; `None` for a player
    /// who has no such choice.
    pub use_advantage: Option<bool>,
    /// The decision after winning by the higher bid, or without a bid; `None` if the bid cannot win
    /// so.
    pub on_win: Option<WinnerChoice>,
    /// The decision after winning a tied bid; `None` if that cannot happen.
    pub on_tied_win: Option<WinnerChoice>,
    /// The move if the opponent wins the bid and makes this player move; `None` if that cannot
    /// happen.
    pub on_loss: Option<NodeId>,
}

impl Advice {
    pub(super) fn of(turn: &Turn) -> Self {
        if turn.is_owned() {
            return Self::without_bid(turn);
        }
        let (player, bid) = (turn.player(), turn.bid());
        let tie = turn.tie();
        let wins_ties = match tie {
            Some(Tie::ChosenBy(chooser)) => chooser == player && turn.tie_winner(bid) == player,
            Some(Tie::Goes(winner)) => winner == player,
            Some(Tie::Coin | Tie::Nobody) | None => false,
        };
        let may_be_let_win = matches!(tie, Some(Tie::ChosenBy(chooser)) if chooser != player);
        let others = turn.purses().chips[player.other()];
        // Of all higher bids the least pays this player least, so the advice is for the worst of
        // them.
        let higher = (bid < others).then(|| turn.settled(bid, bid + 1, player.other()));
        let tied = || tie.map(|_| turn.settled(bid, bid, player.other()));
        Self {
            player,
            promise: turn.promise(),
            bid: Some(bid),
            use_advantage: matches!(tie, Some(Tie::ChosenBy(chooser)) if chooser == player)
                .then_some(wins_ties),
            // A bid of 0 is never the higher one.
            on_win: (bid > 0).then(|| choice(turn, &turn.settled(bid, 0, player))),
            on_tied_win: (wins_ties || may_be_let_win)
                .then(|| choice(turn, &turn.settled(bid, bid, player))),
            on_loss: higher
                .or_else(tied)
                .and_then(|after| turn.destination_if_made_to(&after)),
        }
    }

    /// Returns the advice at a vertex with an owner.
    fn without_bid(turn: &Turn) -> Self {
        Self {
            player: turn.player(),
            promise: turn.promise(),
            bid: None,
            use_advantage: None,
            on_win: Some(
                turn.destination(turn.purses())
                    .map_or(WinnerChoice::LetMove, WinnerChoice::Move),
            ),
            on_tied_win: None,
            on_loss: None,
        }
    }
}

fn choice(turn: &Turn, after: &Purses) -> WinnerChoice {
    if turn.mover(after) != turn.player() {
        return WinnerChoice::LetMove;
    }
    turn.destination(after)
        .map_or(WinnerChoice::LetMove, WinnerChoice::Move)
}
