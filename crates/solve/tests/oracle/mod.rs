//! The slow oracle: bidding games with few chips, played literally by the rules.
//!
//! A state is a vertex with the purses before a bid. The oracle decides whether a player forces a
//! win from it by trying all bids of both, all tie choices, both movers where the winner of the bid
//! may choose, and all moves; chips change hands only in [`settle`], and ties are decided only by
//! [`tie`]. No formula of the solvers is used. Choices after the bids are made with the bids known,
//! so only the two bids are simultaneous, and both orders of their quantifiers are computed.

use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Purses, Rules, Tie, TieBreak, Winner, settle, tie};
use bid_solve::game::{GameGraph, NodeId};

/// The order in which the two bids are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The seeker has a bid that is good against every bid of the opponent.
    Forcing,
    /// Against every bid of the opponent the seeker has a bid that is good.
    NotPreventable,
}

/// The choice whether the marker is attached to a winning bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attached {
    Yes,
    No,
}

/// A game with its rules and a total of chips.
#[derive(Debug, Clone, Copy)]
pub struct Oracle<'a> {
    pub graph: &'a GameGraph,
    pub rules: &'a Rules,
    pub total: u64,
}

/// A set of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct States {
    pub members: Vec<bool>,
    pub total: u64,
}

impl States {
    pub fn index(&self, node: NodeId, purses: &Purses) -> usize {
        let status = usize::from(purses.status == Some(Player::Bob));
        (node.index() * (self.total as usize + 1) + purses.chips.alice as usize) * 2 + status
    }

    pub fn contains(&self, node: NodeId, purses: &Purses) -> bool {
        self.members[self.index(node, purses)]
    }
}

/// Returns all purses with this total that fit the rules.
pub fn all_purses(rules: &Rules, total: u64) -> Vec<Purses> {
    let holders: &[Option<Player>] = if rules.ties.has_status() {
        &[Some(Player::Alice), Some(Player::Bob)]
    } else {
        &[None]
    };
    let with = |status| {
        (0..=total).map(move |alice| Purses {
            chips: PerPlayer::new(alice, total - alice),
            status,
        })
    };
    holders.iter().flat_map(|&status| with(status)).collect()
}

/// Returns the players that the winner of a bid may make move.
pub fn movers(graph: &GameGraph, rules: &Rules, node: NodeId, winner: Player) -> Vec<Player> {
    let able: Vec<_> = Player::BOTH
        .into_iter()
        .filter(|&player| !graph.successors(node, player).is_empty())
        .collect();
    match rules.winner {
        Winner::Moves if able.len() == 2 => vec![winner],
        Winner::Moves | Winner::Chooses => able,
    }
}

impl Oracle<'_> {
    /// Computes the states from which a player wins, in one order of the quantifiers: the least
    /// fixed point, because a play that goes on for ever is not won; for a player whom draws
    /// favour, the greatest.
    pub fn won(&self, seeker: Player, order: Order) -> States {
        let draws_count = self.rules.draws.favours(seeker);
        let len = self.graph.len() * (self.total as usize + 1) * 2;
        let mut states = States {
            members: vec![draws_count; len],
            total: self.total,
        };
        let all = all_purses(self.rules, self.total);
        loop {
            let mut changed = false;
            for node in self.graph.nodes().rev() {
                for purses in &all {
                    let index = states.index(node, purses);
                    if states.members[index] == draws_count
                        && self.wins(&states, seeker, order, node, purses) != draws_count
                    {
                        states.members[index] = !draws_count;
                        changed = true;
                    }
                }
            }
            if !changed {
                return states;
            }
        }
    }

    /// Returns whether a player's turn, or an ending, leads to one of the states of `won`.
    pub fn wins(
        &self,
        won: &States,
        seeker: Player,
        order: Order,
        node: NodeId,
        purses: &Purses,
    ) -> bool {
        if let Some(ending) = self.graph.ending(node) {
            return ending == Ending::Win(seeker)
                || (ending == Ending::Draw && self.rules.draws.favours(seeker));
        }
        if let Some(owner) = self.graph.owner(node) {
            let mut won = self
                .graph
                .successors(node, owner)
                .iter()
                .map(|head| won.contains(*head, purses));
            return if owner == seeker {
                won.any(|won| won)
            } else {
                won.all(|won| won)
            };
        }
        let (own, others) = (purses.chips[seeker], purses.chips[seeker.other()]);
        match order {
            Order::Forcing => (0..=own).any(|bid| self.forces(won, seeker, node, purses, bid)),
            Order::NotPreventable => {
                !(0..=others).any(|bid| self.prevents(won, seeker, node, purses, bid))
            }
        }
    }

    /// Returns whether a bid of the seeker's leads to won states against every bid of the opponent,
    /// with the marker attached to it or not, if there is one to attach.
    pub fn forces(
        &self,
        won: &States,
        seeker: Player,
        node: NodeId,
        purses: &Purses,
        bid: u64,
    ) -> bool {
        let others = purses.chips[seeker.other()];
        let good = |with: Attached| {
            (0..=others).all(|reply| {
                self.good(
                    won,
                    seeker,
                    node,
                    with,
                    purses,
                    PerPlayer::of(seeker, bid, reply),
                )
            })
        };
        let mut choices = self.attached(purses).iter().map(|&with| good(with));
        if purses.status == Some(seeker) {
            choices.any(|good| good)
        } else {
            choices.all(|good| good)
        }
    }

    /// Returns the choices of the holder of the marker.
    fn attached(&self, purses: &Purses) -> &'static [Attached] {
        match (self.rules.ties, purses.status) {
            (TieBreak::Attached, Some(_)) => &[Attached::No, Attached::Yes],
            _ => &[Attached::No],
        }
    }

    /// Returns whether a bid of the opponent's leads out of the seeker's won states against every
    /// bid of the seeker.
    pub fn prevents(
        &self,
        won: &States,
        seeker: Player,
        node: NodeId,
        purses: &Purses,
        bid: u64,
    ) -> bool {
        let own = purses.chips[seeker];
        let good = |with: Attached| {
            (0..=own).any(|reply| {
                self.good(
                    won,
                    seeker,
                    node,
                    with,
                    purses,
                    PerPlayer::of(seeker, reply, bid),
                )
            })
        };
        let mut choices = self.attached(purses).iter().map(|&with| good(with));
        if purses.status == Some(seeker) {
            !choices.any(|good| good)
        } else {
            !choices.all(|good| good)
        }
    }

    /// Returns whether these bids lead to a won state, whatever the opponent chooses after them.
    fn good(
        &self,
        won: &States,
        seeker: Player,
        node: NodeId,
        with: Attached,
        purses: &Purses,
        bids: PerPlayer<u64>,
    ) -> bool {
        let after = |winner: Player| {
            let mut after = settle(self.rules, purses, bids, winner);
            if with == Attached::Yes && purses.status == Some(winner) {
                after.status = Some(winner.other());
            }
            let mut moved = movers(self.graph, self.rules, node, winner)
                .into_iter()
                .map(|mover| {
                    let mut nodes = self.graph.successors(node, mover).iter();
                    let is_won = |&node: &NodeId| won.contains(node, &after);
                    if mover == seeker {
                        nodes.any(is_won)
                    } else {
                        nodes.all(is_won)
                    }
                });
            if winner == seeker {
                moved.any(|won| won)
            } else {
                moved.all(|won| won)
            }
        };
        if bids.alice != bids.bob {
            return after(if bids.alice > bids.bob {
                Player::Alice
            } else {
                Player::Bob
            });
        }
        match tie(self.rules, purses) {
            Tie::Goes(player) => after(player),
            Tie::ChosenBy(player) if player == seeker => after(Player::Alice) || after(Player::Bob),
            Tie::ChosenBy(_) => after(Player::Alice) && after(Player::Bob),
            Tie::Coin | Tie::Nobody => unreachable!("no number of chips makes a tie be won"),
        }
    }
}

/// Returns the rules that have thresholds in chips: each rule for ties, with the winner of a bid
/// choosing who moves or having to move.
pub fn all_rules() -> Vec<Rules> {
    let with = |ties| {
        [Winner::Chooses, Winner::Moves].map(|winner| Rules {
            ties,
            winner,
            ..Rules::default()
        })
    };
    TieBreak::certain().flat_map(with).collect()
}
