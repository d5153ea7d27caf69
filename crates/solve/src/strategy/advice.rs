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
    /// The move if the opponent wins by a higher bid and makes this player move; `None` if that
    /// cannot happen.
    pub on_loss: Option<NodeId>,
    /// The move if the opponent wins a tied bid and makes this player move; `None` if that cannot
    /// happen.
    pub on_tied_loss: Option<NodeId>,
    /// The move if the opponent wins by a bid so high that this player becomes the richer one, who
    /// wins ties, and makes this player move; `None` if that cannot happen, or if already the least
    /// higher bid does so.
    pub on_enriching_loss: Option<NodeId>,
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
        // The opponent may use the advantage on a tie, or keep it.
        let is_open = matches!(tie, Some(Tie::ChosenBy(chooser)) if chooser != player);
        let others = turn.purses().chips[player.other()];
        // The usual move stands where it is good enough, so that no more is said than is needed.
        let made_to = |reply, usual: Option<NodeId>| {
            let after = turn.settled(bid, reply, player.other());
            let best = turn.destination_if_made_to(&after)?;
            let is_as_good =
                |usual: &NodeId| turn.misses(*usual, &after) <= turn.misses(best, &after);
            Some(usual.filter(is_as_good).unwrap_or(best))
        };
        // Of all higher bids the least pays this player least, so the advice is for the worst of
        // them.
        let on_loss = (bid < others).then(|| made_to(bid + 1, None)).flatten();
        Self {
            player,
            promise: turn.promise(),
            bid: Some(bid),
            use_advantage: matches!(tie, Some(Tie::ChosenBy(chooser)) if chooser == player)
                .then_some(wins_ties),
            // A bid of 0 is never the higher one.
            on_win: (bid > 0).then(|| choice(turn, &turn.settled(bid, 0, player))),
            on_tied_win: (wins_ties || is_open)
                .then(|| choice(turn, &turn.settled(bid, bid, player))),
            on_loss,
            on_tied_loss: (tie.is_some() && !wins_ties)
                .then(|| made_to(bid, on_loss))
                .flatten(),
            on_enriching_loss: turn
                .enriching_reply()
                .and_then(|reply| made_to(reply, on_loss)),
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
            on_tied_loss: None,
            on_enriching_loss: None,
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
