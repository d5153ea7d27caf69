//! Proofs of G ≤ H in the manner of the paper: by what the players can move to.
//!
//! # Rules
//! 1. G ≤ H if Alice has won G, or cannot win H any more.
//! 2. *Answers*: G ≤ H if for every move of Alice's in H she has one in G that is at least as good for her, and for every
//!    move of Bob's in G he has one in H that is at least as good for him. For then m ≤ m' and M ≤ M' for the best moves, and the step from
//!    these to f is monotone.
//! 3. *Every way leads below*: G ≤ H if some move of Alice's in G and all moves of Bob's in G lead to games ≤ H: the step takes
//!    f(H), f(H) to f(H), where one threshold describes a position.
//! 4. *Every way leads above*: G ≤ H if all moves of Alice's in H and some move of Bob's in H lead to games ≥ G, likewise.
//!
//! A proof is a finite tree of these rules, so it says something about games without cycles only.

use std::collections::HashMap;

use crate::game::{Ending, GameGraph, NodeId, Player};

/// Why one game is at most another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Alice has won the first.
    Won,
    /// Alice cannot win the second any more.
    Lost,
    /// Rule 2: pairs (in G, in H) for Alice's moves in H and for Bob's in G.
    Answers(Vec<(NodeId, NodeId)>, Vec<(NodeId, NodeId)>),
    /// Rule 3: the moves in G.
    Below(Vec<NodeId>),
    /// Rule 4: the moves in H.
    Above(Vec<NodeId>),
}

/// A proof: steps of which each rests on later ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// For a position of the first game and one of the second: why the first is at most the second.
    pub steps: Vec<((NodeId, NodeId), Reason)>,
}

/// Looks for a proof that the first game is at most the second, looking at no more pairs of positions than this. `idempotent` says
/// whether one threshold describes a position, so that rules 3 and 4 hold.
pub fn prove(
    first: (&GameGraph, NodeId),
    second: (&GameGraph, NodeId),
    idempotent: bool,
    most_pairs: usize,
) -> Option<Proof> {
    let mut search = Search { g: first.0, h: second.0, idempotent, most_pairs, known: HashMap::new() };
    search.holds(first.1, second.1).then(|| search.collect(first.1, second.1))
}

struct Search<'a> {
    g: &'a GameGraph,
    h: &'a GameGraph,
    idempotent: bool,
    most_pairs: usize,
    known: HashMap<(NodeId, NodeId), Option<Reason>>,
}

impl Search<'_> {
    fn holds(&mut self, g: NodeId, h: NodeId) -> bool {
        if let Some(reason) = self.known.get(&(g, h)) {
            return reason.is_some();
        }
        if self.known.len() >= self.most_pairs {
            return false;
        }
        // What is being looked for proves nothing yet.
        self.known.insert((g, h), None);
        let reason = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.reason(g, h));
        let found = reason.is_some();
        self.known.insert((g, h), reason);
        found
    }

    fn reason(&mut self, g: NodeId, h: NodeId) -> Option<Reason> {
        match (self.g.ending(g), self.h.ending(h)) {
            (Some(Ending::Win(Player::Alice)), _) => return Some(Reason::Won),
            (_, Some(Ending::Win(Player::Bob) | Ending::Draw)) => return Some(Reason::Lost),
            (None, None) => {
                if let Some(reason) = self.answers(g, h) {
                    return Some(reason);
                }
            }
            _ => {}
        }
        if !self.idempotent {
            return None;
        }
        self.all_below(g, h).or_else(|| self.all_above(g, h))
    }

    fn answers(&mut self, g: NodeId, h: NodeId) -> Option<Reason> {
        let [alice_g, bob_g] = Player::BOTH.map(|player| self.g.successors(g, player));
        let [alice_h, bob_h] = Player::BOTH.map(|player| self.h.successors(h, player));
        if [alice_g, bob_g, alice_h, bob_h].iter().any(|moves| moves.is_empty()) {
            return None;
        }
        let alice = alice_h.iter().map(|&to| Some((alice_g.iter().copied().find(|&own| self.holds(own, to))?, to)));
        let alice = alice.collect::<Option<Vec<_>>>()?;
        let bob = bob_g.iter().map(|&to| Some((to, bob_h.iter().copied().find(|&own| self.holds(to, own))?)));
        Some(Reason::Answers(alice, bob.collect::<Option<Vec<_>>>()?))
    }

    fn all_below(&mut self, g: NodeId, h: NodeId) -> Option<Reason> {
        self.g.ending(g).is_none().then_some(())?;
        let [alice, bob] = Player::BOTH.map(|player| self.g.successors(g, player));
        let all = bob.iter().all(|&to| self.holds(to, h));
        let one = alice.iter().copied().find(|&to| self.holds(to, h));
        (all && (one.is_some() || alice.is_empty()))
            .then(|| Reason::Below(one.into_iter().chain(bob.iter().copied()).collect()))
    }

    fn all_above(&mut self, g: NodeId, h: NodeId) -> Option<Reason> {
        self.h.ending(h).is_none().then_some(())?;
        let [alice, bob] = Player::BOTH.map(|player| self.h.successors(h, player));
        let all = alice.iter().all(|&to| self.holds(g, to));
        let one = bob.iter().copied().find(|&to| self.holds(g, to));
        (all && (one.is_some() || bob.is_empty())).then(|| Reason::Above(alice.iter().copied().chain(one).collect()))
    }

    /// The steps that a proof rests on, each once.
    fn collect(&self, g: NodeId, h: NodeId) -> Proof {
        let mut steps = Vec::new();
        let mut waiting = std::collections::VecDeque::from([(g, h)]);
        let mut seen = std::collections::HashSet::from([(g, h)]);
        while let Some(pair) = waiting.pop_front() {
            let reason = self.known[&pair].clone().expect("a step of a proof holds");
            let premises: Vec<_> = match &reason {
                Reason::Won | Reason::Lost => Vec::new(),
                Reason::Answers(alice, bob) => alice.iter().chain(bob).copied().collect(),
                Reason::Below(moves) => moves.iter().map(|&to| (to, pair.1)).collect(),
                Reason::Above(moves) => moves.iter().map(|&to| (pair.0, to)).collect(),
            };
            waiting.extend(premises.into_iter().filter(|premise| seen.insert(*premise)));
            steps.push((pair, reason));
        }
        Proof { steps }
    }
}
