//! The side of the threshold on which a share of the money lies, before income.
//!
//! With income the threshold 0 does not imply that Alice wins without any money, nor 1 that all of
//! it is too little: the share after the income decides, compared with the share that the bid needs.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::{Penniless, PlayerAim, Share, Shares};
use crate::game::{GameGraph, NodeId};
use crate::law::best::BestValues;
use crate::player::{Ending, Player};
use crate::richman::DrawValue;

impl Shares {
    /// Compares Alice's share of the money with the share that she needs at a vertex; greater means
    /// that it is enough. Returns `None` on the threshold, and where the bounds do not decide. With
    /// income play must end from there.
    pub fn standing(
        &self,
        graph: &GameGraph,
        node: NodeId,
        share: &BigRational,
    ) -> Option<Ordering> {
        if !self.has_income(graph) {
            // On the threshold itself only a player without money can be decided.
            return compared_strictly(&self.share(node), share)
                .or_else(|| self.without_money(graph, node, share));
        }
        self.before_income(graph, node, share, &mut FxHashMap::default())
    }

    /// Decides the cases in which one player has no money and needs none.
    fn without_money(
        &self,
        graph: &GameGraph,
        node: NodeId,
        share: &BigRational,
    ) -> Option<Ordering> {
        let (player, aim) = match (share.is_zero(), share.is_one(), self.draw) {
            (true, _, DrawValue::Win) => (Player::Alice, PlayerAim::Win),
            (true, ..) => (Player::Alice, PlayerAim::NoLoss),
            (_, true, DrawValue::Nothing) => (Player::Bob, PlayerAim::Win),
            (_, true, _) => (Player::Bob, PlayerAim::NoLoss),
            (false, false, _) => return None,
        };
        let order = match player {
            Player::Alice => Ordering::Greater,
            Player::Bob => Ordering::Less,
        };
        Penniless::new(graph, player, aim)
            .is_enough(node)
            .then_some(order)
    }

    fn before_income(
        &self,
        graph: &GameGraph,
        node: NodeId,
        share: &BigRational,
        known: &mut FxHashMap<NodeId, Option<Ordering>>,
    ) -> Option<Ordering> {
        if let Some(standing) = known.get(&node) {
            return *standing;
        }
        // Vertices with an owner have no bid and no income, so the share stays as it is.
        let standing = match (graph.ending(node), graph.owner(node)) {
            (Some(Ending::Win(_) | Ending::Draw), _) => compared(&self.share(node), share),
            (None, Some(owner)) => {
                let heads = graph.successors(node, owner).iter();
                let standings = heads.map(|head| self.before_income(graph, *head, share, known));
                let wanted = if owner == Player::Alice {
                    Ordering::Greater
                } else {
                    Ordering::Less
                };
                best(standings, wanted)
            }
            (None, None) => {
                let needed = self.needed(graph, node);
                let income = self.income(graph, node).unwrap_or_default();
                compared_strictly(&needed, &income.received(share))
            }
        };
        known.insert(node, standing);
        standing
    }

    /// Returns the share that a bid needs, after the income.
    fn needed(&self, graph: &GameGraph, node: NodeId) -> Share {
        let [alice, bob] =
            Player::both(|player| self.best(graph, node, player).map(|head| self.share(head)));
        let (low, high) = match BestValues::of(alice, bob) {
            BestValues::Both(alice, bob) => (alice.clone().least(bob.clone()), alice.greatest(bob)),
            BestValues::Only(only) => return only,
        };
        let needed = |low, high| self.tax.exact(low, high).0;
        Share {
            low: needed(&low.low, &high.low),
            high: needed(&low.high, &high.high),
        }
    }
}

/// Returns the best of several results for the player who wants `wanted`.
fn best(standings: impl Iterator<Item = Option<Ordering>>, wanted: Ordering) -> Option<Ordering> {
    let mut worst = Some(wanted.reverse());
    for standing in standings {
        if standing == Some(wanted) {
            return standing;
        }
        // An undecided successor leaves the result open, unless another one is a success.
        if standing != Some(wanted.reverse()) {
            worst = None;
        }
    }
    worst
}

fn compared_strictly(needed: &Share, share: &BigRational) -> Option<Ordering> {
    if *share > needed.high {
        Some(Ordering::Greater)
    } else if *share < needed.low {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// Compares a share with the needed one, where needing 0 means that the game is won whatever the
/// players have, and needing 1 that it is lost.
fn compared(needed: &Share, share: &BigRational) -> Option<Ordering> {
    match compared_strictly(needed, share) {
        None if needed.high.is_zero() => Some(Ordering::Greater),
        None if needed.low.is_one() => Some(Ordering::Less),
        standing => standing,
    }
}
