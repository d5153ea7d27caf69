//! What to bid and where to move.

use super::ScoringSolution;
use super::stage::BidStage;
use crate::game::NodeId;
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Winner, settle};
use crate::watch::{Context, Stop};

/// A player's best bid at a position, chosen without a look at the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestBid {
    /// The least of the best bids.
    pub bid: u64,
    /// What it makes sure of: Alice gets at least this score from here on, Bob concedes at most
    /// this.
    pub sure: i64,
}

/// Decisions at a vertex that is no ending; the rows of its successors must have been kept.
impl ScoringSolution<'_> {
    /// A player's best bid.
    ///
    /// # Errors
    /// If it is stopped.
    pub fn bid(
        self,
        player: Player,
        node: NodeId,
        purses: &Purses,
        context: &Context<'_>,
    ) -> Result<BestBid, Stop> {
        let after = self.after(node, player, context)?;
        if let Some(owner) = self.game.graph.owner(node) {
            return Ok(BestBid {
                bid: 0,
                sure: after.of(owner)[self.values.layout().index(purses)],
            });
        }
        let stage = BidStage {
            rules: self.values.rules(),
            layout: self.values.layout(),
            purses: *purses,
            after: &after,
        };
        let (sure, bid) = stage.security(player, context)?;
        Ok(BestBid { bid, sure })
    }

    /// Who is to win a tied bid, if this player may choose: the opponent only where that is better.
    ///
    /// # Errors
    /// If it is stopped.
    pub fn tie_winner(
        self,
        player: Player,
        bid: u64,
        node: NodeId,
        purses: &Purses,
        context: &Context<'_>,
    ) -> Result<Player, Stop> {
        let after = self.after(node, player, context)?;
        let worth = |winner| {
            let settled = settle(
                self.values.rules(),
                purses,
                PerPlayer::new(bid, bid),
                winner,
            );
            gain(
                player,
                after.of(winner)[self.values.layout().index(&settled)],
            )
        };
        Ok(if worth(player) >= worth(player.other()) {
            player
        } else {
            player.other()
        })
    }

    /// Who is to move, if this player has won the bid and has paid.
    pub fn mover(self, player: Player, node: NodeId, after: &Purses) -> Player {
        let graph = self.game.graph;
        let can = |mover| !graph.successors(node, mover).is_empty();
        if !can(player) || !can(player.other()) {
            return if can(player) { player } else { player.other() };
        }
        match self.values.rules().winner {
            Winner::Moves => player,
            Winner::Chooses => {
                let moved = |mover| {
                    let (_, score) = self
                        .best_move(mover, player, node, after)
                        .expect("both can move");
                    gain(player, score)
                };
                if moved(player) >= moved(player.other()) {
                    player
                } else {
                    player.other()
                }
            }
        }
    }

    /// Where a player moves, if he is to move: the first of the best moves; `None` if there is
    /// none.
    pub fn destination(self, player: Player, node: NodeId, after: &Purses) -> Option<NodeId> {
        self.best_move(player, player, node, after)
            .map(|(head, _)| head)
    }

    /// What a move is worth with these purses after the bid, by what `eye` can be sure of.
    pub fn worth(self, eye: Player, head: NodeId, weight: i64, after: &Purses) -> i64 {
        self.values.at(head, after).secured(eye) + weight
    }

    /// The best move of `mover`, seen with the eyes of `eye`.
    fn best_move(
        self,
        mover: Player,
        eye: Player,
        node: NodeId,
        after: &Purses,
    ) -> Option<(NodeId, i64)> {
        let moves = self.game.scores.moves(self.game.graph, node, mover);
        let worth = moves.map(|(head, weight)| (head, self.worth(eye, head, weight, after)));
        worth.reduce(|a, b| {
            if gain(mover, b.1) > gain(mover, a.1) {
                b
            } else {
                a
            }
        })
    }
}

/// A score as the player's own gain.
fn gain(player: Player, score: i64) -> i64 {
    match player {
        Player::Alice => score,
        Player::Bob => -score,
    }
}
