//! The choice of bids and moves.

use super::ScoringSolution;
use super::stage::BidStage;
use crate::game::{NodeId, for_alice};
use crate::law::advice::{Advice, SingleBid};
use crate::law::decision::movers;
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, settle};
use crate::watch::{Context, Stop};

/// A player's best bid at a position, chosen without knowledge of the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestBid {
    /// The least of the best bids.
    pub bid: u64,
    /// The score that it guarantees: Alice gets at least this from here on, Bob concedes at most
    /// this.
    pub sure: i64,
}

/// Decisions at a vertex that is not an ending; the rows of its successors must have been kept.
impl ScoringSolution<'_> {
    /// Returns a player's best bid.
    ///
    /// # Errors
    /// If the work is stopped.
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

    /// Returns the winner that this player would choose for a tied bid: the opponent only if that
    /// is better.
    ///
    /// # Errors
    /// If the work is stopped.
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
            for_alice(
                player,
                after.of(winner)[self.values.layout().index(&settled)],
            )
        };
        // Between equal values the player wins the tie.
        Ok(if worth(player) >= worth(player.other()) {
            player
        } else {
            player.other()
        })
    }

    /// Returns the player who is to move, if this player has won the bid and has paid.
    pub fn mover(self, player: Player, node: NodeId, after: &Purses) -> Player {
        let moved = |mover| {
            let (_, score) = self
                .best_move(mover, player, node, after)
                .expect("who may move can move");
            for_alice(player, score)
        };
        let movers = movers(self.game.graph, node, player, self.values.rules().winner);
        match movers {
            // There is nothing to choose if only one player can move.
            [only] => *only,
            _ if moved(player.other()) > moved(player) => player.other(),
            _ => player,
        }
    }

    /// Returns the vertex to which a player moves who is to move: the first of the best moves;
    /// `None` if there is none.
    pub fn destination(self, player: Player, node: NodeId, after: &Purses) -> Option<NodeId> {
        self.best_move(player, player, node, after)
            .map(|(head, _)| head)
    }

    /// Returns the best bid, with the decisions after it. More chips can make a position worse for a
    /// player, so every reply is tried.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn advice(
        self,
        player: Player,
        node: NodeId,
        purses: &Purses,
        context: &Context<'_>,
    ) -> Result<Advice, Stop> {
        let best = |after: &Purses| self.destination(player, node, after);
        let graph = self.game.graph;
        if let Some(owner) = graph.owner(node) {
            let head = (owner == player).then(|| best(purses)).flatten();
            return Ok(Advice::without_bid(player, head));
        }
        let rules = self.values.rules();
        let BestBid { bid, sure } = self.bid(player, node, purses, context)?;
        let others = purses.chips[player.other()];
        let tie_winner = || self.tie_winner(player, bid, node, purses, context);
        let single = SingleBid {
            rules,
            purses,
            player,
            bid,
            tie_winner: (bid <= others).then(tie_winner).transpose()?,
        };
        let is_made_to = movers(graph, node, player.other(), rules.winner).contains(&player);
        let replies = bid + 1..=others;
        let keeps_promise = |usual: &NodeId, after: &Purses| {
            let moves = self.game.scores.moves(graph, node, player);
            moves
                .filter(|(head, _)| head == usual)
                .any(|(head, weight)| {
                    let worth = self.worth(player, head, weight, after);
                    for_alice(player, worth) >= for_alice(player, sure)
                })
        };
        let made_to = |after: &Purses, usual: Option<NodeId>| {
            usual
                .filter(|usual| keeps_promise(usual, after))
                .or_else(|| best(after))
        };
        Ok(Advice::with_bid(
            single,
            replies.take_while(|_| is_made_to),
            |after| {
                let moves = self.mover(player, node, after) == player;
                moves.then(|| best(after)).flatten()
            },
            |after, usual| is_made_to.then(|| made_to(after, usual)).flatten(),
        ))
    }

    /// Returns the value of a move with these purses after the bid, as `eye` can guarantee it.
    pub fn worth(self, eye: Player, head: NodeId, weight: i64, after: &Purses) -> i64 {
        self.values.at(head, after).secured(eye) + weight
    }

    /// Returns the best move of `mover`, with values as `eye` can guarantee them.
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
            // A strict comparison keeps the first of equal moves, so that the choice does not vary.
            if for_alice(mover, b.1) > for_alice(mover, a.1) {
                b
            } else {
                a
            }
        })
    }
}
