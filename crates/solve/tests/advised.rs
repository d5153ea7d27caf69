//! A turn of a player who follows advice to the letter, against every choice of the opponent's.

use crate::oracle::LiteralTurn;
use bid_game::{GameGraph, NodeId};
use bid_language::player::{PerPlayer, Player};
use bid_language::rules::{Purses, Rules, Tie};
use bid_solve::law::advice::Advice;
use bid_solve::law::decision::WinnerChoice;

/// A way that one turn can go.
#[derive(Debug, Clone, Copy)]
pub struct AdvisedTurn {
    /// The player who moved.
    pub mover: Player,
    /// The vertex that was moved to.
    pub to: NodeId,
    /// The purses after the bid.
    pub after: Purses,
}

/// Returns all ways that a turn can go for one reply, if a player follows advice to the letter.
pub fn advised(
    graph: &GameGraph,
    rules: &Rules,
    advice: &Advice,
    node: NodeId,
    purses: &Purses,
    reply: u64,
) -> Vec<AdvisedTurn> {
    let (player, other) = (advice.player, advice.player.other());
    let played = |mover: Player, heads: &[NodeId], after: Purses| -> Vec<AdvisedTurn> {
        let heads = heads.iter();
        heads.map(|&to| AdvisedTurn { mover, to, after }).collect()
    };
    let any_move = |after| played(other, graph.successors(node, other), after);
    let chosen = |choice: Option<WinnerChoice>, after| match choice.expect("this can happen") {
        WinnerChoice::Move(head) => played(player, &[head], after),
        WinnerChoice::LetMove => any_move(after),
    };
    let Some(bid) = advice.bid else {
        return chosen(advice.on_win, *purses);
    };
    let bids = PerPlayer::of(player, bid, reply);
    let turn = LiteralTurn {
        graph,
        rules,
        node,
        purses: *purses,
    };
    let winners = match turn.decided(bids) {
        Tie::Goes(winner) => vec![winner],
        Tie::ChosenBy(chooser) if chooser == other => Player::BOTH.to_vec(),
        Tie::ChosenBy(_) => match advice.use_advantage.expect("there is a choice") {
            true => vec![player],
            false => vec![other],
        },
        Tie::Coin | Tie::Nobody => unreachable!("no coin here"),
    };
    let is_tied = bid == reply;
    let mut all = Vec::new();
    for winner in winners {
        let after = turn.settled(bids, winner);
        let able = turn.movers(winner);
        if winner == player {
            let decision = if is_tied {
                advice.on_tied_win
            } else {
                advice.on_win
            };
            all.extend(chosen(decision, after));
            continue;
        }
        if able.contains(&other) {
            all.extend(any_move(after));
        }
        if able.contains(&player) {
            let answers = |&&(from, _): &&(u64, NodeId)| from <= reply;
            let by_more = || advice.on_loss.iter().rev().find(answers);
            let head = if is_tied {
                advice.on_tied_loss
            } else {
                by_more().map(|&(_, head)| head)
            };
            all.extend(played(player, &[head.expect("this can happen")], after));
        }
    }
    all
}
