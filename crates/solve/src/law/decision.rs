//! Decisions of the winner of a bid: who moves, and where to; and by the chips left for mixed bids,
//! where many results of a bid are possible.

use std::collections::BTreeMap;

use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Rules, Tie, Winner, settle, tie};

/// Returns the players whom the winner of a bid can make move: the other player moves if the winner
/// cannot. There is none at an ending.
pub fn movers(graph: &GameGraph, node: NodeId, winner: Player, rule: Winner) -> &'static [Player] {
    let [alice, bob] = Player::both(|player| !graph.successors(node, player).is_empty());
    match (alice, bob, rule, winner) {
        (true, true, Winner::Chooses, _) => &Player::BOTH,
        (true, true, Winner::Moves, Player::Alice) | (true, false, _, _) => &[Player::Alice],
        (true, true, Winner::Moves, Player::Bob) | (false, true, _, _) => &[Player::Bob],
        (false, false, _, _) => &[],
    }
}

/// Returns the purses after a player has won by the higher bid.
pub fn won_by(rules: &Rules, purses: &Purses, winner: Player, bid: u64) -> Purses {
    settle(rules, purses, PerPlayer::of(winner, bid, 0), winner)
}

/// The decision of a player who decides who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WinnerChoice {
    /// To move here.
    Move(NodeId),
    /// To let the opponent move.
    LetMove,
}

/// The mover and the target of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The player who moves.
    pub mover: Player,
    /// The vertex that the player moves to.
    pub to: NodeId,
}

/// The decision of a player after a bid, for a range of chips left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The purses after the bid with the fewest chips of the player to which the decision applies.
    pub least: Purses,
    /// The purses with the most chips.
    pub most: Purses,
    /// The decision.
    pub choice: Choice,
    /// `true` if the decision also depends on the opponent's chips, of which `least` and `most` then
    /// have the fewest and the most. Where the bank keeps chips, both players' chips vary.
    pub needs_both: bool,
}

/// Returns a player's decisions after one of these bids, by the chips left, for all bids of the
/// opponent with which `winner` wins.
///
/// # Errors
/// Returns the errors of `choice`.
pub fn decisions(
    rules: &Rules,
    purses: &Purses,
    player: Player,
    bids: &[u64],
    winner: Player,
    mut choice: impl FnMut(&Purses) -> Result<Choice>,
) -> Result<Vec<Decision>> {
    let chosen = purses_after(rules, purses, player, bids, winner)
        .map(|left| Ok((left, choice(&left)?)))
        .collect::<Result<Vec<_>>>()?;
    let own = |left: &Purses| (left.status, left.chips[player]);
    let mut found: Vec<Decision> = Vec::new();
    for against in chosen.chunk_by(|(a, _), (b, _)| own(a) == own(b)) {
        let needs_both = against.iter().any(|(_, choice)| *choice != against[0].1);
        for &(left, choice) in against {
            // Neighbouring purses with the same decision make one range, but not across a change of
            // the status, nor of the player's chips where the opponent's matter.
            let continues = |last: &&mut Decision| {
                (last.choice, last.needs_both) == (choice, needs_both)
                    && last.most.status == left.status
                    && (!needs_both || own(&last.most) == own(&left))
            };
            match found.last_mut().filter(continues) {
                Some(last) => last.most = left,
                None => found.push(Decision {
                    least: left,
                    most: left,
                    choice,
                    needs_both,
                }),
            }
        }
    }
    Ok(found)
}

/// Iterates over the purses to which one of a player's bids can lead if `winner` wins, ordered by
/// the holder of the tie status, then by the player's chips.
fn purses_after(
    rules: &Rules,
    purses: &Purses,
    player: Player,
    bids: &[u64],
    winner: Player,
) -> impl Iterator<Item = Purses> {
    let mut after = BTreeMap::new();
    let others = purses.chips[player.other()];
    let least = rules.minimum_bid.of(others);
    for &own in bids {
        // The winner's bid beats or ties the other one.
        let range = if winner == player {
            least..=own.min(others)
        } else {
            least.max(own)..=others
        };
        for other in range {
            if other != own || can_win_tie(rules, purses, winner) {
                let bids = PerPlayer::of(player, own, other);
                let left = settle(rules, purses, bids, winner);
                let lost_status = left.status.map(|holder| holder != player);
                // Different pairs of bids can leave the same purses, which count once.
                after.insert(
                    (lost_status, left.chips[player], left.chips[player.other()]),
                    left,
                );
            }
        }
    }
    after.into_values()
}

/// Returns `true` if the player may win a tie.
fn can_win_tie(rules: &Rules, purses: &Purses, player: Player) -> bool {
    match tie(rules, purses) {
        Tie::Goes(winner) => winner == player,
        Tie::ChosenBy(_) | Tie::Coin => true,
        Tie::Nobody => false,
    }
}
