//! One player's decisions for one turn.

use super::{Solution, Strategies, found};
use crate::chips::{Scale, SumLane, SumMove, Sums, Thresholds};
use crate::game::NodeId;
use crate::law::advice::{Advice, SingleBid};
use crate::law::decision::movers;
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Tie, settle, tie};

/// The result that a player's strategy guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// No guarantee: the opponent's win cannot be prevented. The strategy then plays as if it had
    /// the chips that it lacks.
    Nothing,
    /// The opponent does not win.
    Draw,
    /// The player wins.
    Win,
}

/// The states that the strategy may move to.
#[derive(Debug, Clone, Copy)]
enum AcceptableStates<'a> {
    /// States that reach these thresholds of the player's; inside the cyclic component, those found
    /// before a time.
    Own {
        thresholds: &'a Thresholds,
        until: Option<u64>,
    },
    /// States that do not reach these thresholds of the opponent's.
    Others(&'a Thresholds),
    /// States that leave a sum of weights as it must be.
    Sums(&'a Sums, SumLane),
}

/// A player's decisions at a vertex, with given purses before the bid. The bid is chosen without
/// knowledge of the opponent's.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    strategies: &'a Strategies<'a>,
    player: Player,
    node: NodeId,
    purses: Purses,
    promise: Promise,
    aim: AcceptableStates<'a>,
    /// The thresholds after winning the bid; `lost` are those after losing it.
    won: [u64; 2],
    lost: [u64; 2],
}

impl<'a> Turn<'a> {
    pub(super) fn new(
        strategies: &'a Strategies<'a>,
        player: Player,
        node: NodeId,
        purses: Purses,
    ) -> Self {
        debug_assert!(strategies.graph.ending(node).is_none(), "the game is over");
        let (own, others) = (
            &strategies.solution.thresholds[player],
            &strategies.solution.thresholds[player.other()],
        );
        let promise = if own.is_forced(node, &purses, 0) {
            Promise::Win
        } else if others.is_unpreventable(node, &purses, 0) {
            Promise::Nothing
        } else {
            Promise::Draw
        };
        let own = |thresholds| AcceptableStates::Own {
            thresholds,
            until: found(thresholds, node, &purses),
        };
        let solution = &strategies.solution;
        let sums = solution.sums.as_ref().and_then(|sums| {
            let sums = match promise {
                Promise::Win => &sums[player].win,
                Promise::Draw | Promise::Nothing => &sums[player].draw,
            };
            Some(AcceptableStates::Sums(sums, sums.lane(node, &purses)?))
        });
        let aim = sums.unwrap_or_else(|| match (promise, &solution.kept_off) {
            (Promise::Win, _) => own(&solution.thresholds[player]),
            (Promise::Draw | Promise::Nothing, Some(kept_off)) => own(&kept_off[player]),
            (Promise::Draw | Promise::Nothing, None) => AcceptableStates::Others(others),
        });
        let mut turn = Self {
            strategies,
            player,
            node,
            purses,
            promise,
            aim,
            won: [0; 2],
            lost: [0; 2],
        };
        // These are the same for every bid, so they are computed once per turn.
        turn.won = turn.after(player);
        turn.lost = turn.after(player.other());
        turn
    }

    /// Returns the player whose decisions these are.
    pub fn player(&self) -> Player {
        self.player
    }

    /// Returns the result that the strategy guarantees.
    pub fn promise(&self) -> Promise {
        self.promise
    }

    /// Returns the purses before the bid.
    pub fn purses(&self) -> &Purses {
        &self.purses
    }

    /// Returns the least optimal bid.
    pub fn bid(&self) -> u64 {
        let own = self.purses.chips[self.player];
        self.least_good_bid(&self.purses)
            .or_else(|| self.wishful_bid())
            // A player who lacks chips wishes for a bid that may exceed the purse.
            .map_or(0, |bid| bid.min(own))
    }

    /// Returns the player who should win tied bids, if this player may choose: the holder of the
    /// advantage uses it or keeps it.
    pub fn tie_winner(&self, bid: u64) -> Player {
        let bids = PerPlayer::new(bid, bid);
        let good = |winner| {
            self.is_good(
                settle(self.strategies.rules, &self.purses, bids, winner),
                winner,
            )
        };
        // If neither choice is good the player wins the tie, but keeps the advantage where nothing
        // was bid.
        if good(self.player) || (bid > 0 && !good(self.player.other())) {
            self.player
        } else {
            self.player.other()
        }
    }

    /// Returns the player who should move, if this player has won the bid; `after` are the purses
    /// once the bid is paid. If the winner has no choice, the rules determine the mover.
    pub fn mover(&self, after: &Purses) -> Player {
        let movers = self.movers(self.player);
        let [first, second] = movers else {
            return movers[0];
        };
        let (first_is, second_is) = (
            self.merit_of_mover(*first, after),
            self.merit_of_mover(*second, after),
        );
        // Between equals the player keeps the move.
        if first_is == second_is {
            return self.player;
        }
        if first_is < second_is {
            *first
        } else {
            *second
        }
    }

    /// Returns the move, if this player is to move; `None` if there is none.
    pub fn destination(&self, after: &Purses) -> Option<NodeId> {
        let nodes = self.strategies.graph.successors(self.node, self.player);
        nodes
            .iter()
            .copied()
            // The vertex decides between equal merits, so that the advice does not vary.
            .min_by_key(|&node| (self.merit(self.player, node, after), node))
    }

    /// Returns the move, if the opponent has won the bid and this player has to move; `None` if
    /// that cannot happen.
    fn destination_if_made_to(&self, after: &Purses) -> Option<NodeId> {
        self.movers(self.player.other())
            .contains(&self.player)
            .then(|| self.destination(after))
            .flatten()
    }

    /// Returns the optimal bid, with the decisions after it.
    pub fn advice(&self) -> Advice {
        if self.strategies.graph.owner(self.node).is_some() {
            return Advice::without_bid(self.player, self.destination(&self.purses));
        }
        let (bid, others) = (self.bid(), self.purses.chips[self.player.other()]);
        let single = SingleBid {
            rules: self.strategies.rules,
            purses: &self.purses,
            player: self.player,
            bid,
            tie_winner: (bid <= others).then(|| self.tie_winner(bid)),
        };
        let replies = self.replies(&self.purses, bid);
        Advice::with_bid(
            single,
            replies.filter(|&reply| reply > bid),
            |after| {
                let moves = self.mover(after) == self.player;
                moves.then(|| self.destination(after)).flatten()
            },
            |after, usual| {
                let best = self.destination_if_made_to(after)?;
                let is_as_good =
                    |usual: &NodeId| self.misses(*usual, after) <= self.misses(best, after);
                Some(usual.filter(is_as_good).unwrap_or(best))
            },
        )
    }

    /// Returns `true` if this player's move to a vertex misses the aim.
    fn misses(&self, node: NodeId, after: &Purses) -> bool {
        !self.reached(self.raw(self.player, node), after)
    }

    fn bids(&self, own: u64, other: u64) -> PerPlayer<u64> {
        PerPlayer::of(self.player, own, other)
    }

    /// Returns the scale of the aim's thresholds: they are read as the player's own, so the
    /// opponent's thresholds are first replaced by their complements.
    fn scale(&self) -> Scale {
        self.strategies.solution.thresholds[self.player].scale()
    }

    /// Returns the aim's thresholds after a move to a vertex.
    fn raw(&self, mover: Player, node: NodeId) -> [u64; 2] {
        let Solution {
            components, total, ..
        } = &self.strategies.solution;
        match self.aim {
            // Only inside the component play could go round for ever, so only there states found
            // before are required.
            AcceptableStates::Own {
                thresholds,
                until: Some(until),
            } if components[node.index()] == components[self.node.index()] => {
                let falls = thresholds.falls(node);
                // The falls are in the order of time, so a binary search finds the thresholds of
                // that time.
                let before = falls.partition_point(|fall| fall.stamp < until);
                falls[..before]
                    .last()
                    .map_or(thresholds.scale().never(*total + 1), |fall| fall.raw)
            }
            AcceptableStates::Own { thresholds, .. } => thresholds.raw(node, 0),
            AcceptableStates::Sums(sums, lane) => {
                let by = SumMove {
                    tail: self.node,
                    mover,
                    head: node,
                };
                sums.raw(self.strategies.graph, lane, by)
            }
            AcceptableStates::Others(others) => others
                .scale()
                .complement(others.raw_unprevented(node, 0), *total + 1),
        }
    }

    /// Returns the players whom the winner of a bid can make move.
    fn movers(&self, winner: Player) -> &'static [Player] {
        let Strategies { graph, rules, .. } = self.strategies;
        movers(graph, self.node, winner, rules.winner)
    }

    /// Returns the thresholds after a bid that `winner` has won.
    fn after(&self, winner: Player) -> [u64; 2] {
        let moved = |mover: Player| {
            let nodes = self.strategies.graph.successors(self.node, mover).iter();
            best_for(
                mover == self.player,
                nodes.map(|&node| self.raw(mover, node)),
            )
        };
        best_for(
            winner == self.player,
            self.movers(winner).iter().map(|&mover| moved(mover)),
        )
    }

    fn is_good(&self, after: Purses, winner: Player) -> bool {
        let raw = if winner == self.player {
            self.won
        } else {
            self.lost
        };
        self.reached(raw, &after)
    }

    fn reached(&self, raw: [u64; 2], purses: &Purses) -> bool {
        let has_status = purses.status == Some(self.player);
        self.scale().reached(
            raw,
            purses.chips[self.player],
            has_status,
            self.strategies.solution.total,
        )
    }

    /// Returns the merit of moving to a vertex, the least being the best: whether the aim is missed
    /// there, then the chips needed there, then the sum of those needed with the status and
    /// without.
    fn merit(&self, mover: Player, node: NodeId, purses: &Purses) -> (bool, u64, u64) {
        let (raw, has_status) = (self.raw(mover, node), purses.status == Some(self.player));
        let least = self
            .scale()
            .least(raw, has_status, self.strategies.solution.total);
        (!self.reached(raw, purses), least, raw[0] + raw[1])
    }

    fn merit_of_mover(&self, mover: Player, purses: &Purses) -> (bool, u64, u64) {
        let merits = self
            .strategies
            .graph
            .successors(self.node, mover)
            .iter()
            .map(|&node| self.merit(mover, node, purses));
        // The opponent, if made to move, chooses the worst move for this player.
        let merit = if mover == self.player {
            merits.min()
        } else {
            merits.max()
        };
        merit.expect("who may move can move")
    }

    /// Returns the least bid that no reply refutes with these purses, if the aim can be reached.
    fn least_good_bid(&self, purses: &Purses) -> Option<u64> {
        let mut bids = self.turning_points(purses);
        // The least good bid is wanted, and the candidates come from several formulas.
        bids.sort_unstable();
        bids.into_iter().find(|&bid| {
            self.replies(purses, bid)
                .all(|reply| self.withstands(purses, bid, reply))
        })
    }

    /// Returns the bids at which some reply may stop being a refutation: see the derivation of the
    /// kernels.
    fn turning_points(&self, purses: &Purses) -> Vec<u64> {
        let (own, others) = (purses.chips[self.player], purses.chips[self.player.other()]);
        let total = self.strategies.solution.total;
        let enough =
            [true, false].map(|has_status| self.scale().least(self.lost, has_status, total));
        let half = self.scale().half(total);
        let counts = enough.into_iter().chain(self.lost).chain(half);
        let mut bids: Vec<_> = counts
            // A reply that is one higher pays the player one more than an equal one, so both
            // differences matter.
            .flat_map(|count| [count.saturating_sub(own + 1), count.saturating_sub(own)])
            .collect();
        bids.extend([0, others, others + 1]);
        bids.extend(half.map(|half| (own + 1).saturating_sub(half)));
        // Some formulas give bids that the player cannot pay.
        bids.retain(|&bid| bid <= own);
        bids
    }

    /// Iterates over the replies to a bid that can refute it: 0, an equal bid, one more, and the
    /// least higher bid that makes the player the richer one.
    fn replies(&self, purses: &Purses, bid: u64) -> impl Iterator<Item = u64> + use<> {
        let (own, others) = (purses.chips[self.player], purses.chips[self.player.other()]);
        let richer = self
            .scale()
            .half(self.strategies.solution.total)
            .map(|half| half.saturating_sub(own).max(bid + 1));
        [Some(0), Some(bid), Some(bid + 1), richer]
            .into_iter()
            .flatten()
            // The opponent cannot bid more than the purse.
            .filter(move |&reply| reply <= others)
    }

    fn withstands(&self, purses: &Purses, bid: u64, reply: u64) -> bool {
        let rules = self.strategies.rules;
        let good =
            |winner| self.is_good(settle(rules, purses, self.bids(bid, reply), winner), winner);
        let (player, other) = (self.player, self.player.other());
        if bid != reply {
            return good(if bid > reply { player } else { other });
        }
        match tie(rules, purses) {
            Tie::Goes(winner) => good(winner),
            // One good result is enough for the player who chooses; of the opponent's choices both
            // have to be good.
            Tie::ChosenBy(chooser) if chooser == player => good(player) || good(other),
            Tie::ChosenBy(_) => good(player) && good(other),
            Tie::Coin | Tie::Nobody => {
                unreachable!("rules by which a tie is not won are not admitted")
            }
        }
    }

    /// Returns the bid of a player who cannot reach the aim: the one that would be right with just
    /// enough chips.
    fn wishful_bid(&self) -> Option<u64> {
        let total = self.strategies.solution.total;
        let has_status = self.purses.status == Some(self.player);
        let here = match self.aim {
            // Sums are about credit after a move, so the chips needed here come from the thresholds
            // themselves.
            AcceptableStates::Sums(..) => {
                self.strategies.solution.thresholds[self.player].raw(self.node, 0)
            }
            _ => self.raw(self.player, self.node),
        };
        let enough = self.scale().least(here, has_status, total);
        let others = total.checked_sub(enough)?;
        let purses = Purses {
            chips: self.bids(enough, others),
            status: self.purses.status,
        };
        self.least_good_bid(&purses)
    }
}

/// Returns the best thresholds for the player who reads them, or for the opponent.
fn best_for(own: bool, raws: impl Iterator<Item = [u64; 2]>) -> [u64; 2] {
    // Fewer chips needed are better for the player who reads, and worse if the opponent chooses.
    let better = |a: u64, b: u64| if own { a.min(b) } else { a.max(b) };
    raws.reduce(|a, b| [better(a[0], b[0]), better(a[1], b[1])])
        .expect("who may move can move")
}
