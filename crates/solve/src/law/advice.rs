//! A player's decisions at one turn, made before the opponent's are known.

use super::decision::{WinnerChoice, won_by};
use crate::game::NodeId;
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Rules, Tie, settle, tie};

/// The bid and the decisions after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The player who is advised.
    pub player: Player,
    /// The bid; `None` if there is no bid.
    pub bid: Option<u64>,
    /// `true` if the player should use the advantage when the bids are tied; `None` for a player
    /// who has no such choice.
    pub use_advantage: Option<bool>,
    /// The decision after winning by the higher bid, or without a bid; `None` if the bid cannot win
    /// so.
    pub on_win: Option<WinnerChoice>,
    /// The decision after winning a tied bid; `None` if that cannot happen.
    pub on_tied_win: Option<WinnerChoice>,
    /// The moves if the opponent wins by a higher bid and makes this player move. Each has the least
    /// bid of the opponent's that it answers, and these bids ascend.
    pub on_loss: Vec<(u64, NodeId)>,
    /// The move if the opponent wins a tied bid and makes this player move; `None` if that cannot
    /// happen.
    pub on_tied_loss: Option<NodeId>,
}

/// A bid, with the situation in which it is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SingleBid<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The purses before the bid.
    pub purses: &'a Purses,
    /// The player who bids.
    pub player: Player,
    /// The bid.
    pub bid: u64,
    /// The winner that the player chooses for a tied bid, if the choice is this player's; `None` if
    /// the opponent cannot bid as much.
    pub tie_winner: Option<Player>,
}

impl Advice {
    /// Returns the advice at a vertex with an owner, who moves without a bid: the move, or `None`
    /// if the owner is the opponent.
    pub(crate) fn without_bid(player: Player, head: Option<NodeId>) -> Self {
        Self {
            player,
            bid: None,
            use_advantage: None,
            on_win: Some(choice(head)),
            on_tied_win: None,
            on_loss: Vec::new(),
            on_tied_loss: None,
        }
    }

    /// Returns the advice for a bid. `decide` is asked for the move with the purses after the bid was
    /// won, or `None` to let the opponent move; `made_to` for the move with the purses after it was
    /// lost, where the move found before stands if it is good enough. `replies` are the higher bids
    /// of the opponent's for which another move may be needed, in ascending order.
    pub(crate) fn with_bid(
        SingleBid {
            rules,
            purses,
            player,
            bid,
            tie_winner,
        }: SingleBid<'_>,
        replies: impl IntoIterator<Item = u64>,
        decide: impl Fn(&Purses) -> Option<NodeId>,
        made_to: impl Fn(&Purses, Option<NodeId>) -> Option<NodeId>,
    ) -> Self {
        let other = player.other();
        let tie = tie_winner.map(|_| tie(rules, purses));
        let chooses = tie == Some(Tie::ChosenBy(player));
        let wins_ties = tie == Some(Tie::Goes(player)) || chooses && tie_winner == Some(player);
        // The opponent may use the advantage on a tie, or keep it.
        let is_open = tie == Some(Tie::ChosenBy(other));
        let tied = |winner| settle(rules, purses, PerPlayer::new(bid, bid), winner);
        let mut on_loss: Vec<(u64, NodeId)> = Vec::new();
        for reply in replies {
            let usual = on_loss.last().map(|&(_, head)| head);
            let head = made_to(&won_by(rules, purses, other, reply), usual);
            on_loss.extend(
                head.filter(|&head| usual != Some(head))
                    .map(|head| (reply, head)),
            );
        }
        let usual = on_loss.first().map(|&(_, head)| head);
        Self {
            player,
            bid: Some(bid),
            use_advantage: chooses.then_some(wins_ties),
            // A bid of 0 is never the higher one.
            on_win: (bid > 0).then(|| choice(decide(&won_by(rules, purses, player, bid)))),
            on_tied_win: (wins_ties || is_open).then(|| choice(decide(&tied(player)))),
            on_tied_loss: (tie.is_some() && !wins_ties)
                .then(|| made_to(&tied(other), usual))
                .flatten(),
            on_loss,
        }
    }
}

fn choice(head: Option<NodeId>) -> WinnerChoice {
    head.map_or(WinnerChoice::LetMove, WinnerChoice::Move)
}
