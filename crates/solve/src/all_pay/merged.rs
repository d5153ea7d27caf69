//! A cycle in which the positions that play alike are one, in an order that follows from the game
//! alone.
//!
//! The bids that are kept on a cycle depend on the order in which its positions are solved. Their
//! numbers would be such an order, but depend on the position from which the graph was explored. In
//! an order that does not, the bids of questions about several positions belong together.
//!
//! Positions are told apart by partition refinement (Paige & Tarjan, 1987, without their data
//! structures): two positions stay together as long as each player can move to the same classes.
//! Classes are numbered in the order of these sets. Outside of the cycle a class has positions of
//! the same values.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Payoff;
use super::table::AllPayWork;
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::Player;
use crate::watch::{Stop, watched};

/// A cycle of merged positions.
pub(super) struct MergedCycle {
    /// The merged positions, then those to which play leaves the cycle, without moves.
    pub(super) graph: GameGraph,
    /// The merged positions.
    pub(super) members: Vec<NodeId>,
    /// The merged position of each position of the cycle.
    pub(super) of: Vec<NodeId>,
    /// A position with the values of each of the graph's other vertices.
    pub(super) outside: Vec<NodeId>,
}

/// The owner of a position, if it has one, and the classes to which each player can move.
type Signature = (Option<bool>, [BTreeSet<usize>; 2]);

impl MergedCycle {
    /// Merges the positions of a cycle, given the values of those to which play leaves it.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn new<'v, N: Payoff + 'v>(
        work: AllPayWork<'_>,
        members: &[NodeId],
        row: impl Fn(NodeId) -> &'v [N],
    ) -> Result<Self, Stop> {
        let graph = work.graph;
        let places: HashMap<NodeId, usize> = members.iter().copied().zip(0..).collect();
        let heads = members.iter().flat_map(|node| graph.all_successors(*node));
        let mut left: Vec<NodeId> = heads.filter(|head| !places.contains_key(head)).collect();
        let by_values = |a: &NodeId, b: &NodeId| compare(row(*a), row(*b));
        left.sort_by(by_values);
        let mut outside: Vec<NodeId> = Vec::new();
        let mut classes_outside = HashMap::new();
        for node in left {
            if outside
                .last()
                .is_none_or(|last| by_values(last, &node).is_ne())
            {
                outside.push(node);
            }
            classes_outside.insert(node, outside.len() - 1);
        }
        // The classes outside are numbered after `inside` others.
        let class = |classes: &[usize], inside: usize, head: &NodeId| match places.get(head) {
            Some(place) => classes[*place],
            None => inside + classes_outside[head],
        };
        let mut classes = vec![0; members.len()];
        let mut signatures = BTreeMap::<Signature, usize>::new();
        loop {
            let class = |head| class(&classes, members.len(), head);
            let signature = |node: NodeId| -> Signature {
                let heads = |player| graph.successors(node, player).iter().map(class).collect();
                let owner = graph.owner(node).map(|owner| owner == Player::Bob);
                (owner, Player::both(heads))
            };
            let found: Vec<Signature> = watched(members, work.context)
                .map(|node| node.map(|node| signature(*node)))
                .collect::<Result<_, _>>()?;
            let before = signatures.len();
            let distinct: BTreeSet<&Signature> = found.iter().collect();
            signatures = distinct.into_iter().cloned().zip(0..).collect();
            classes = found.iter().map(|found| signatures[found]).collect();
            // Once no class is divided, none is divided any more.
            if signatures.len() == before {
                break;
            }
        }
        // The last round has divided no class, so each position has the moves of its class.
        let mut owners = vec![None; signatures.len()];
        let mut moves = vec![[Vec::new(), Vec::new()]; signatures.len()];
        for (node, own) in members.iter().zip(&classes) {
            owners[*own] = graph.owner(*node);
            moves[*own] = Player::both(|player| {
                let heads = graph.successors(*node, player).iter();
                let heads = heads.map(|head| class(&classes, signatures.len(), head));
                let heads: BTreeSet<usize> = heads.collect();
                heads.into_iter().map(NodeId::new).collect()
            });
        }
        let mut builder = GameGraphBuilder::default();
        for (owner, [alice, bob]) in owners.into_iter().zip(moves) {
            let node = builder.push(None, &alice, &bob);
            if let Some(owner) = owner {
                builder.own(node, owner);
            }
        }
        for _ in &outside {
            builder.push(None, &[], &[]);
        }
        Ok(Self {
            graph: builder.finish(NodeId::new(0)),
            members: (0..signatures.len()).map(NodeId::new).collect(),
            of: classes.into_iter().map(NodeId::new).collect(),
            outside,
        })
    }
}

/// Compares the values of two positions for all purses.
fn compare<N: Payoff>(a: &[N], b: &[N]) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            let [alice, bob] = Player::both(|player| a.compare(b, player));
            alice.then(bob)
        })
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
