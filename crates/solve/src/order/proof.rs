//! Proofs of G ≤ H in the manner of the paper, by comparing the players' moves.
//!
//! # Rules
//! 1. G ≤ H if Alice has won G, or cannot win H any more.
//! 2. *Answers*: G ≤ H if for every move of Alice's in H she has one in G that is at least as good
//!    for her, and for every move of Bob's in G he has one in H that is at least as good for him.
//!    For then m ≤ m' and M ≤ M' for the best moves, and the step from these to f is monotone.
//! 3. *Every way leads below*: G ≤ H if some move of Alice's in G and all moves of Bob's in G lead
//!    to games ≤ H: the step takes f(H), f(H) to f(H), where one threshold describes a position
//!    ([`Laws::idempotent`]).
//! 4. *Every way leads above*: G ≤ H if all moves of Alice's in H and some move of Bob's in H lead
//!    to games ≥ G, likewise.
//!
//! A finite tree of these rules is a proof. On games with cycles, steps by rules 1, 2 and 4 that
//! rest on each other in circles are a proof too: f(H) is the limit of the thresholds f(H\[n\]) of
//! its truncations, and by induction on n every step of the circle holds with H\[n\] in place of H,
//! because rules 2 and 4 go from H\[n\] to truncations after n − 1 moves. (Rule 3 does not, and
//! closes no circle.)

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::Laws;
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::{Ending, Player};

/// A position of the first game and one of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionPair {
    /// The position of the first game.
    pub g: NodeId,
    /// The position of the second game.
    pub h: NodeId,
}

/// The reason why one game is at most another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Alice has won the first game.
    Won,
    /// Alice cannot win the second game any more.
    Lost,
    /// Rule 2: pairs (in G, in H) for Alice's moves in H and for Bob's in G.
    Answers(Vec<PositionPair>, Vec<PositionPair>),
    /// Rule 3: the moves in G.
    Below(Vec<NodeId>),
    /// Rule 4: the moves in H.
    Above(Vec<NodeId>),
}

impl Reason {
    /// Returns the pairs that a step for this pair rests on.
    fn premises(&self, pair: PositionPair) -> Vec<PositionPair> {
        match self {
            Self::Won | Self::Lost => Vec::new(),
            Self::Answers(alice, bob) => alice.iter().chain(bob).copied().collect(),
            Self::Below(moves) => moves
                .iter()
                .map(|&to| PositionPair { g: to, ..pair })
                .collect(),
            Self::Above(moves) => moves
                .iter()
                .map(|&to| PositionPair { h: to, ..pair })
                .collect(),
        }
    }
}

/// A proof that one game is at most another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderProof {
    /// The steps: for a position of the first game and one of the second, the reason why the first
    /// is at most the second.
    pub steps: Vec<(PositionPair, Reason)>,
    /// `true` if steps rest on each other in circles; else each rests on later ones only.
    pub circular: bool,
}

/// Two games that are compared, which may be one graph, and the laws that hold.
#[derive(Debug, Clone, Copy)]
pub struct ComparedGames<'a> {
    /// The graph of the first game.
    pub g: &'a GameGraph,
    /// The graph of the second game.
    pub h: &'a GameGraph,
    /// The laws.
    pub laws: Laws,
}

/// Searches for a proof that the first game is at most the second from the positions `start`,
/// examining at most `most_pairs` pairs of positions.
pub fn prove(
    sides: ComparedGames<'_>,
    start: PositionPair,
    most_pairs: usize,
) -> Option<OrderProof> {
    // The rules count a draw as lost for Alice, so they prove nothing if draws count for her.
    if !sides.laws.draws_lose {
        return None;
    }
    let mut search = ProofSearch {
        sides,
        most_pairs,
        known: HashMap::new(),
    };
    // A finite tree is tried first: it is shorter, and may use rule 3 everywhere.
    if search.holds(start) {
        return Some(search.collect(start));
    }
    if [sides.g, sides.h].iter().all(|graph| graph.is_acyclic()) {
        return None;
    }
    if search.holds_at_last(start) {
        return Some(search.collect(start));
    }
    // Without cycles there are no circles of steps, so only cyclic games get here.
    search.known = circles(sides, start, most_pairs)?;
    // The pairs of the circles are known without a search, so they do not use up the limit.
    search.most_pairs += search.known.len();
    search.holds_at_last(start).then(|| search.collect(start))
}

/// A function that returns `true` if a pair may be used as a premise.
type Premise<'a> = &'a mut dyn FnMut(PositionPair) -> bool;

impl ComparedGames<'_> {
    /// Returns a reason for a pair by rules 1, 2 and 4, if there is one.
    fn guarded(self, pair: PositionPair, holds: Premise<'_>) -> Option<Reason> {
        let PositionPair { g, h } = pair;
        match (self.g.ending(g), self.h.ending(h)) {
            (Some(Ending::Win(Player::Alice)), _) => return Some(Reason::Won),
            (_, Some(Ending::Win(Player::Bob) | Ending::Draw)) => return Some(Reason::Lost),
            (None, None) => {
                if let Some(reason) = self.answers(pair, holds) {
                    return Some(reason);
                }
            }
            _ => {}
        }
        if self.laws.idempotent {
            self.all_above(pair, holds)
        } else {
            None
        }
    }

    fn answers(self, pair: PositionPair, holds: Premise<'_>) -> Option<Reason> {
        let PositionPair { g, h } = pair;
        let [alice_g, bob_g] = Player::both(|player| self.g.successors(g, player));
        let [alice_h, bob_h] = Player::both(|player| self.h.successors(h, player));
        if [alice_g, bob_g, alice_h, bob_h]
            .iter()
            .any(|moves| moves.is_empty())
        {
            // A player who cannot move lets the other one move, which the rule does not cover.
            return None;
        }
        let alice = alice_h.iter().map(|&to| {
            // The first answer that holds is enough, since any of them proves the step.
            let mut pairs = alice_g.iter().map(|&own| PositionPair { g: own, h: to });
            pairs.find(|pair| holds(*pair))
        });
        let alice = alice.collect::<Option<Vec<_>>>()?;
        let bob = bob_g.iter().map(|&to| {
            let mut pairs = bob_h.iter().map(|&own| PositionPair { g: to, h: own });
            pairs.find(|pair| holds(*pair))
        });
        Some(Reason::Answers(alice, bob.collect::<Option<Vec<_>>>()?))
    }

    fn all_below(self, pair: PositionPair, holds: Premise<'_>) -> Option<Reason> {
        let PositionPair { g, h } = pair;
        (self.laws.idempotent && self.g.ending(g).is_none()).then_some(())?;
        let [alice, bob] = Player::both(|player| self.g.successors(g, player));
        let all = bob.iter().all(|&to| holds(PositionPair { g: to, h }));
        let one = alice
            .iter()
            .copied()
            .find(|&to| holds(PositionPair { g: to, h }));
        // If Alice has no moves Bob moves whoever wins the bid, and all of his moves lead below.
        (all && (one.is_some() || alice.is_empty()))
            .then(|| Reason::Below(one.into_iter().chain(bob.iter().copied()).collect()))
    }

    fn all_above(self, pair: PositionPair, holds: Premise<'_>) -> Option<Reason> {
        let PositionPair { g, h } = pair;
        self.h.ending(h).is_none().then_some(())?;
        let [alice, bob] = Player::both(|player| self.h.successors(h, player));
        let all = alice.iter().all(|&to| holds(PositionPair { g, h: to }));
        let one = bob
            .iter()
            .copied()
            .find(|&to| holds(PositionPair { g, h: to }));
        // If Bob has no moves Alice moves whoever wins the bid, and all of her moves lead above.
        (all && (one.is_some() || bob.is_empty()))
            .then(|| Reason::Above(alice.iter().copied().chain(one).collect()))
    }
}

/// Finds the largest set of pairs of which each holds by rules 1, 2 and 4 if all others do; returns
/// `None` if there are too many pairs to examine.
fn circles(
    sides: ComparedGames<'_>,
    start: PositionPair,
    most_pairs: usize,
) -> Option<HashMap<PositionPair, Option<Reason>>> {
    let (first, second) = (sides.g.reachable(start.g), sides.h.reachable(start.h));
    // All pairs are examined in each round, so their number is limited beforehand.
    if first.len().checked_mul(second.len())? > most_pairs {
        return None;
    }
    let mut standing: BTreeSet<PositionPair> = first
        .iter()
        .flat_map(|&g| second.iter().map(move |&h| PositionPair { g, h }))
        .collect();
    let mut reasons = BTreeMap::new();
    loop {
        reasons.clear();
        for &pair in &standing {
            reasons.extend(
                sides
                    .guarded(pair, &mut |pair| standing.contains(&pair))
                    .map(|reason| (pair, reason)),
            );
        }
        if reasons.len() == standing.len() {
            return Some(
                reasons
                    .into_iter()
                    .map(|(pair, reason)| (pair, Some(reason)))
                    .collect(),
            );
        }
        // A pair that lost its reason may have been the premise of others, so the rest is tested
        // again.
        standing = reasons.keys().copied().collect();
    }
}

struct ProofSearch<'a> {
    sides: ComparedGames<'a>,
    most_pairs: usize,
    known: HashMap<PositionPair, Option<Reason>>,
}

impl ProofSearch<'_> {
    /// Searches until nothing more is found. A pair may have failed because its premise was being
    /// searched for and not found yet, so pairs that fail are examined again as long as others are
    /// found. If none is, no finite tree proves the pair: in the least tree that did, some pair
    /// that fails would have only premises that are found.
    fn holds_at_last(&mut self, pair: PositionPair) -> bool {
        loop {
            let found = self.known.len();
            if self.holds(pair) {
                return true;
            }
            self.known.retain(|_, reason| reason.is_some());
            if self.known.len() == found {
                return false;
            }
        }
    }

    /// Searches for a reason of a pair that is not known to hold or to fail.
    fn holds(&mut self, pair: PositionPair) -> bool {
        if let Some(reason) = self.known.get(&pair) {
            return reason.is_some();
        }
        // The pair is not recorded, because it may still hold.
        if self.known.len() >= self.most_pairs {
            return false;
        }
        // A pair whose proof is being searched for must not be its own premise.
        self.known.insert(pair, None);
        let reason = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.reason(pair));
        let found = reason.is_some();
        self.known.insert(pair, reason);
        found
    }

    fn reason(&mut self, pair: PositionPair) -> Option<Reason> {
        let sides = self.sides;
        let guarded = sides.guarded(pair, &mut |pair| self.holds(pair));
        // Rule 3 is not among the guarded ones, because circles of steps cannot use it.
        guarded.or_else(|| sides.all_below(pair, &mut |pair| self.holds(pair)))
    }

    /// Collects the steps that a proof rests on, each once.
    fn collect(&self, start: PositionPair) -> OrderProof {
        let mut steps = Vec::new();
        let mut waiting = VecDeque::from([start]);
        let mut seen = BTreeSet::from([start]);
        while let Some(pair) = waiting.pop_front() {
            let reason = self.known[&pair].clone().expect("a step of a proof holds");
            waiting.extend(
                reason
                    .premises(pair)
                    .into_iter()
                    .filter(|premise| seen.insert(*premise)),
            );
            steps.push((pair, reason));
        }
        let circular = is_circular(&steps);
        OrderProof { steps, circular }
    }
}

/// Returns `true` if the steps cannot be put in an order in which each rests on later ones.
fn is_circular(steps: &[(PositionPair, Reason)]) -> bool {
    let place: HashMap<PositionPair, NodeId> = steps
        .iter()
        .enumerate()
        .map(|(index, (pair, _))| (*pair, NodeId::new(index)))
        .collect();
    let mut builder = GameGraphBuilder::default();
    for (pair, reason) in steps {
        let premises: Vec<NodeId> = reason
            .premises(*pair)
            .iter()
            .map(|premise| place[premise])
            .collect();
        builder.push(None, &premises, &[]);
    }
    !builder.finish(NodeId::new(0)).is_acyclic()
}

#[cfg(test)]
mod tests {
    use bid_testing::{GraphShape, for_all};

    use super::*;
    use crate::random::games;
    use crate::rules::Rules;

    /// Adds all pairs that follow from some by the rules.
    fn close(sides: ComparedGames<'_>, pairs: &[PositionPair], held: &mut BTreeSet<PositionPair>) {
        loop {
            let follows = |pair: &&PositionPair| {
                let holds = &mut |premise: PositionPair| held.contains(&premise);
                sides.guarded(**pair, holds).is_some() || sides.all_below(**pair, holds).is_some()
            };
            let more: Vec<PositionPair> = pairs
                .iter()
                .filter(|pair| !held.contains(pair))
                .filter(follows)
                .copied()
                .collect();
            if more.is_empty() {
                return;
            }
            held.extend(more);
        }
    }

    /// A pair fails at first because its premise is being searched for, and the premise then holds.
    #[test]
    fn premises_found_later_count() {
        let [start, first, second, won] = [0, 1, 2, 3].map(NodeId::new);
        let mut g = GameGraphBuilder::default();
        g.push(None, &[], &[first, second]);
        g.push(None, &[second, won], &[]);
        g.push(None, &[], &[first]);
        g.push(Some(Ending::Win(Player::Alice)), &[], &[]);
        let mut h = GameGraphBuilder::default();
        h.push(Some(Ending::Win(Player::Alice)), &[], &[]);
        let sides = ComparedGames {
            g: &g.finish(start),
            h: &h.finish(start),
            laws: Laws::of(&Rules::default()),
        };
        let pair = PositionPair { g: start, h: start };
        assert!(prove(sides, pair, 10_000).is_some());
    }

    #[test]
    fn whatever_follows_is_found() {
        let (mut all, mut proofs) = (0, 0);
        let shape = GraphShape {
            positions: 1..=6,
            moves: 1..=3,
            cycles: 0.5,
            ..GraphShape::SMALL
        };
        for_all(400, [(); 2].map(|()| games(shape.clone())), |[g, h]| {
            let sides = ComparedGames {
                g: &g,
                h: &h,
                laws: Laws::of(&Rules::default()),
            };
            let pairs: Vec<PositionPair> = g
                .nodes()
                .flat_map(|g| h.nodes().map(move |h| PositionPair { g, h }))
                .collect();
            let mut held = BTreeSet::new();
            close(sides, &pairs, &mut held);
            for &start in &pairs {
                // The circles are those among the pairs that the start leads to.
                let mut held = held.clone();
                held.extend(
                    circles(sides, start, 10_000)
                        .expect("there are few pairs")
                        .into_keys(),
                );
                close(sides, &pairs, &mut held);
                let found = prove(sides, start, 10_000).is_some();
                assert_eq!(found, held.contains(&start), "{start:?}\n{g:?}\n{h:?}");
                all += 1;
                proofs += usize::from(found);
            }
        });
        assert!(
            proofs * 10 > all && proofs < all,
            "{proofs} proofs of {all}"
        );
    }
}
