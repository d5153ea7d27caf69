//! Verification of the values of the real-valued theory: a check of their certificate against the
//! graph.
//!
//! # Theorem
//! Let a number `R(v)` be given for each vertex and a *rank* for each vertex on a cycle, and let
//! `w` be the value of play without end. For a vertex with `R(v) ≠ w` on a cycle, the *escaper* is
//! the player for whom `R(v)` is better than w. The numbers are the values if and only if ranks
//! exist such that
//!
//! 1. `R` has the values that the rules give at the endings,
//! 2. `R(v) = (m + M)/2` elsewhere, or the only player's best value,
//! 3. each vertex on a cycle with `R(v) ≠ w` has a rank r ≥ 1, and either the escaper has an edge,
//!    among those of the best value, that *makes progress*, or the opponent has edges and all of
//!    them do: an edge makes progress if it leads out of the component, to another value, or to a
//!    rank below r.
//!
//! *Proof.* Let Alice always play the best edge of the least rank. Whatever Bob does, R(v) is a
//! supermartingale along the play, so it converges, and its mean at the end is at most the R of the
//! start. A play that does not end stays, with probability 1, among vertices and edges that it
//! visits infinitely often; by convergence they have one value c. If c < w, then by 3 each toss
//! brings the play to a lower rank or to another value with probability 1/2 or more, a
//! contradiction. Hence c ≥ w: play without end costs Alice no more than R says, and she can
//! guarantee `R` from every vertex. By the same argument Bob can. Conversely, if no rank can be
//! found the opponent of the escaper can keep the play for ever on one value, which is better for
//! him, so the number is not the value. ∎
//!
//! All arithmetic is on integers of any length. Of the solvers only the order of the numbers is
//! used.

use crate::game::{GameGraph, NodeId};
use crate::player::Player;
use crate::richman::{Coin, DrawValue, Values};
use crate::rules::Rules;
use crate::watch::{Context, Stop};

/// Checks that values are those of random-turn play with a coin, where `R(v)` is the coin's mean of
/// m and M; returns the vertices whose values are not proved.
///
/// # Errors
/// If the work is stopped.
pub fn certify(
    graph: &GameGraph,
    rules: &Rules,
    coin: Coin,
    values: &Values,
    context: &Context<'_>,
) -> Result<Vec<NodeId>, Stop> {
    // The other checks index the values by vertex.
    if values.len() != graph.len() {
        return Ok(graph.nodes().collect());
    }
    let check = CertificateCheck {
        graph,
        values,
        coin,
        draw: DrawValue::new(rules.draws),
        cycles: graph.components().cycle_numbers(),
    };
    let mut unproved = Vec::new();
    for node in graph.nodes() {
        // The numbers may be long, so the check is made for every vertex.
        context.check()?;
        if !check.is_proved(node) {
            unproved.push(node);
        }
    }
    Ok(unproved)
}

struct CertificateCheck<'a> {
    graph: &'a GameGraph,
    values: &'a Values,
    coin: Coin,
    draw: DrawValue,
    /// For each vertex on a cycle, the number of its component.
    cycles: Vec<Option<u32>>,
}

impl CertificateCheck<'_> {
    fn is_proved(&self, node: NodeId) -> bool {
        if let Some(ending) = self.graph.ending(node) {
            let value = self.draw.of(ending);
            return self.values.compare_halves(node, value).is_eq();
        }
        // Only the player for whom R is better than endless play has to prove that the play ends.
        let escaper = match self.values.compare_halves(node, self.draw.halves()) {
            std::cmp::Ordering::Less => Some(Player::Alice),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Player::Bob),
        };
        let on_cycle = self.cycles[node.index()].is_some();
        self.is_mean(node)
            && escaper.is_none_or(|escaper| !on_cycle || self.gets_away(node, escaper))
    }

    /// Checks condition 2.
    fn is_mean(&self, node: NodeId) -> bool {
        match Player::both(|player| self.best(node, player)) {
            [Some(alice), Some(bob)] if self.coin.is_fair() => {
                self.values.is_mean(node, alice, bob)
            }
            [Some(alice), Some(bob)] => {
                let [value, alice, bob] = [node, alice, bob].map(|node| self.values.value(node));
                value == self.coin.average(&alice, &bob)
            }
            [Some(only), None] | [None, Some(only)] => self.values.compare(node, only).is_eq(),
            [None, None] => false,
        }
    }

    /// Returns a successor with the value that is best for a player.
    fn best(&self, node: NodeId, player: Player) -> Option<NodeId> {
        let heads = self.graph.successors(node, player).iter().copied();
        match player {
            Player::Alice => heads.min_by(|&a, &b| self.values.compare(a, b)),
            Player::Bob => heads.max_by(|&a, &b| self.values.compare(a, b)),
        }
    }

    /// Checks condition 3.
    fn gets_away(&self, node: NodeId, escaper: Player) -> bool {
        let best = self.best(node, escaper);
        let is_best = |head| best.is_some_and(|best| self.values.compare(head, best).is_eq());
        let keepers = self.graph.successors(node, escaper.other());
        let mut own = self.graph.successors(node, escaper).iter();
        // The number 0 stands for no rank.
        self.rank(node) > 0
            // The escaper needs one such edge, as the escaper chooses it; of the opponent's edges
            // all must make progress.
            && (own.any(|&head| is_best(head) && self.gets_on(node, head))
                || (!keepers.is_empty() && keepers.iter().all(|&head| self.gets_on(node, head))))
    }

    fn gets_on(&self, node: NodeId, head: NodeId) -> bool {
        self.cycles[node.index()] != self.cycles[head.index()]
            || self.values.compare(node, head).is_ne()
            // Falling ranks cannot go on for ever, so the play leaves the value or the component.
            || (1..self.rank(node)).contains(&self.rank(head))
    }

    fn rank(&self, node: NodeId) -> u32 {
        self.values
            .certificate()
            .ranks
            .get(node.index())
            .copied()
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;
    use crate::richman::RankCertificate;
    use crate::shared::written;
    use crate::watch::Context;

    fn nodes<const N: usize>(indices: [usize; N]) -> [NodeId; N] {
        indices.map(NodeId::new)
    }

    fn claim<const N: usize>(values: [(i32, i32); N], ranks: [u32; N]) -> Values {
        let values = values.map(|(n, d)| BigRational::new(n.into(), d.into()));
        Values::claim(
            values.to_vec(),
            RankCertificate {
                ranks: ranks.to_vec(),
            },
        )
    }

    fn unproved(graph: &GameGraph, values: &Values) -> Vec<NodeId> {
        let (rules, coin) = (Rules::default(), Coin::default());
        certify(graph, &rules, coin, values, Context::plain()).expect("nothing stops it")
    }

    /// Builds the graph 0: Alice → 0; Bob → 0; 1: Alice → 2, 1; Bob → 3, 1. With a self-loop for
    /// both players, every value of vertex 0 satisfies the equation.
    fn tempting_loop() -> GameGraph {
        written(&[[&[0], &[0]], [&[2, 1], &[3, 1]]])
    }

    #[test]
    fn a_self_loop_does_not_fool_it() {
        let (graph, rules) = (tempting_loop(), Rules::default());
        let right = claim([(1, 1), (1, 2), (0, 1), (1, 1)], [0, 1, 0, 0]);
        assert_eq!(unproved(&graph, &right), nodes([]));
        assert_eq!(
            Values::solve(&graph, &rules, Context::plain())
                .map(|values| values.value(NodeId::new(0))),
            Ok(right.value(NodeId::new(0)))
        );
        for rank in 0..3 {
            let wrong = claim([(1, 3), (1, 2), (0, 1), (1, 1)], [rank, 1, 0, 0]);
            assert_eq!(unproved(&graph, &wrong), nodes([0]));
        }
    }

    #[test]
    fn every_unproved_vertex_is_reported() {
        let graph = tempting_loop();
        let wrong = claim([(1, 1), (2, 3), (1, 4), (1, 1)], [0; 4]);
        assert_eq!(unproved(&graph, &wrong), nodes([1, 2]));
        let short = claim([(1, 1)], [0]);
        assert_eq!(unproved(&graph, &short), nodes([0, 1, 2, 3]));
    }
}
