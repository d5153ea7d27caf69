//! One bid: the values that the players can guarantee from the results of every pair of bids.

use super::ScoringSolution;
use super::row::{PurseLayout, ScoreInterval, ValuesAfterBid};
use crate::game::{NodeId, for_alice};
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Rules, Tie, settle, tie};
use crate::watch::{Context, Stop, watched};

/// A bid at a vertex with given purses.
#[derive(Debug, Clone, Copy)]
pub(super) struct BidStage<'a> {
    pub(super) rules: &'a Rules,
    pub(super) layout: PurseLayout,
    pub(super) purses: Purses,
    /// The values after the bid that one of the players can guarantee.
    pub(super) after: &'a ValuesAfterBid<'a>,
}

impl BidStage<'_> {
    /// Returns the greatest gain that a player can guarantee (for Bob the least score), with the
    /// least bid that guarantees it.
    ///
    /// All higher replies to a bid have the result of the opponent's winning with that reply, and
    /// all lower ones the result of winning with the bid. So each bid is evaluated in constant
    /// time, from the highest down.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn security(
        &self,
        player: Player,
        context: &Context<'_>,
    ) -> Result<(i64, u64), Stop> {
        let (own, others) = (self.purses.chips[player], self.purses.chips[player.other()]);
        let lost = |reply: u64| for_alice(player, self.after_win(player.other(), reply));
        let mut beaten: Option<i64> = None;
        // Replies beyond the player's own chips win against every bid.
        for reply in watched(own + 1..=others, context) {
            beaten = [beaten, Some(lost(reply?))].into_iter().flatten().min();
        }
        let mut best = None;
        for bid in watched((0..=own).rev(), context) {
            let bid = bid?;
            // Nothing is lower than a bid of nothing, so it never wins strictly.
            let strict = (bid > 0).then(|| for_alice(player, self.after_win(player, bid)));
            // The opponent can tie only a bid that is covered by the opponent's chips.
            let tied = (bid <= others).then(|| for_alice(player, self.after_tie(bid)));
            let worst = [strict, tied, beaten]
                .into_iter()
                .flatten()
                .min()
                .expect("some reply is possible");
            // Bids come in descending order, so an equal gain with a lower bid replaces the earlier
            // one.
            if best.is_none_or(|(sure, _)| worst >= sure) {
                best = Some((worst, bid));
            }
            // For the next lower bid this one becomes a reply that wins.
            if bid > 0 && bid <= others {
                beaten = [beaten, Some(lost(bid))].into_iter().flatten().min();
            }
        }
        let (sure, bid) = best.expect("a bid of nothing is possible");
        Ok((for_alice(player, sure), bid))
    }

    /// Returns the result of a pair of bids.
    pub(super) fn result(&self, bids: PerPlayer<u64>) -> i64 {
        match bids.alice.cmp(&bids.bob) {
            std::cmp::Ordering::Greater => self.after_win(Player::Alice, bids.alice),
            std::cmp::Ordering::Less => self.after_win(Player::Bob, bids.bob),
            std::cmp::Ordering::Equal => self.after_tie(bids.alice),
        }
    }

    /// Returns the result if the higher bid of `winner` wins.
    fn after_win(&self, winner: Player, bid: u64) -> i64 {
        self.settled(PerPlayer::of(winner, bid, 0), winner)
    }

    fn after_tie(&self, bid: u64) -> i64 {
        let won_by = |winner| self.settled(PerPlayer::new(bid, bid), winner);
        match tie(self.rules, &self.purses) {
            Tie::Goes(winner) => won_by(winner),
            Tie::ChosenBy(Player::Alice) => won_by(Player::Alice).max(won_by(Player::Bob)),
            Tie::ChosenBy(Player::Bob) => won_by(Player::Alice).min(won_by(Player::Bob)),
            Tie::Coin | Tie::Nobody => {
                unreachable!("rules by which a tie is not won are not admitted")
            }
        }
    }

    fn settled(&self, bids: PerPlayer<u64>, winner: Player) -> i64 {
        let after = settle(self.rules, &self.purses, bids, winner);
        self.after.of(winner)[self.layout.index(&after)]
    }
}

impl ScoringSolution<'_> {
    /// Computes the table of results by both bids: a row for each bid of Bob's, with an entry for
    /// each bid of Alice's, as in the paper's Example 12. Each entry has the values that the
    /// players can guarantee after these bids.
    ///
    /// # Errors
    /// If the work is stopped, or there is no memory for so many entries.
    pub fn bidding_matrix(
        self,
        node: NodeId,
        purses: Purses,
        context: &Context<'_>,
    ) -> Result<Vec<Vec<ScoreInterval>>, Stop> {
        let (rules, layout) = (self.values.rules(), self.values.layout());
        let (after_alice, after_bob) = (
            self.after(node, Player::Alice, context)?,
            self.after(node, Player::Bob, context)?,
        );
        let least = BidStage {
            rules,
            layout,
            purses,
            after: &after_alice,
        };
        let most = BidStage {
            rules,
            layout,
            purses,
            after: &after_bob,
        };
        if let Some(owner) = self.game.graph.owner(node) {
            let index = layout.index(&purses);
            return Ok(vec![vec![ScoreInterval {
                least: after_alice.of(owner)[index],
                most: after_bob.of(owner)[index],
            }]]);
        }
        let entry = |alice, bob| {
            let bids = PerPlayer::new(alice, bob);
            ScoreInterval {
                least: least.result(bids),
                most: most.result(bids),
            }
        };
        let bids = purses.chips.map(|chips| chips.saturating_add(1));
        let entries = bids.alice.saturating_mul(bids.bob);
        context.admit_values::<ScoreInterval>(entries)?;
        let row = |bob| {
            watched(0..=purses.chips.alice, context)
                .map(|alice| Ok(entry(alice?, bob)))
                .collect()
        };
        watched(0..=purses.chips.bob, context)
            .map(|bob| row(bob?))
            .collect()
    }
}
