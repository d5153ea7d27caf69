//! A game of random turns without letting the other player move: its graph of turns
//! ([`TurnGraph`]), with the objective.
//!
//! Both players have the same edges from a toss. So a positional strategy is one edge for each
//! vertex, and all statements are about Alice: Bob is Alice in the conjugate. Draws are won by the
//! player for whom they are good.

use num_traits::Zero;

use crate::game::{GameGraph, Goals, NodeId, Score, Scores, ScoresBuilder};
use crate::law::turns::{TurnGraph, split_at};
use crate::player::{Ending, PerPlayer, Player};
use crate::richman::Coin;
use crate::rules::Winner;

/// The graph with the objective, and the coin.
#[derive(Debug, Clone)]
pub(super) struct TossGame {
    /// The vertices of the game first, with their own numbers.
    pub(super) graph: GameGraph,
    pub(super) goals: Goals,
    pub(super) coin: Coin,
    /// If set, a mean of 0 is good for Alice.
    pub(super) level: bool,
    /// The tosses that lead to a vertex of Alice's or one of Bob's.
    pub(super) splits: Vec<(NodeId, PerPlayer<NodeId>)>,
}

impl TossGame {
    /// Creates the game. A draw, and a mean of 0, is good for Alice if `level`, otherwise for Bob.
    pub(super) fn new(graph: &GameGraph, goals: &Goals, coin: Coin, level: bool) -> Self {
        let differ = |node| {
            // A toss needs no vertices after it if both players have the same moves with the same
            // weights.
            moves(graph, goals, node, Player::Alice) != moves(graph, goals, node, Player::Bob)
        };
        let ending = |ending| match ending {
            Ending::Draw => Ending::Win(if level { Player::Alice } else { Player::Bob }),
            Ending::Win(_) => ending,
        };
        let turns = TurnGraph::new(graph, coin, ending, differ);
        let goals = goals_of_turns(graph, goals, &turns);
        let TurnGraph { graph, splits } = turns;
        Self {
            graph,
            goals,
            coin,
            level,
            splits,
        }
    }

    /// Returns the game with the players exchanged.
    pub(super) fn conjugate(&self) -> Self {
        let goals = match &self.goals {
            Goals::Priorities(priorities) => {
                // Adding 1 exchanges even and odd, and keeps the order.
                Goals::Priorities(priorities.iter().map(|priority| priority + 1).collect())
            }
            Goals::Weights(scores) => Goals::Weights(scores.conjugate()),
        };
        let splits = self
            .splits
            .iter()
            .map(|(toss, turns)| (*toss, turns.swapped()))
            .collect();
        let coin = Coin {
            weights: self.coin.weights.swapped(),
        };
        Self {
            graph: self.graph.conjugate(),
            goals,
            coin,
            level: !self.level,
            splits,
        }
    }

    /// Returns the game that tells what Alice is sure of where players bid. If the winner of a bid
    /// must move, she cannot let Bob move: both players may bid nothing where each would rather see
    /// the other move, and then the rule for ties decides. So a toss that she wins leads to her own
    /// turn, while Bob still chooses, and what she is sure of here she is sure of under every rule
    /// for ties.
    pub(super) fn of_bids(&self, winner: Winner) -> Self {
        let lets = |toss: NodeId, turn: NodeId| {
            let turns = split_at(&self.splits, toss);
            turns.is_some_and(|turns| turns.bob == turn)
        };
        let keeps = |node, player, head| {
            winner == Winner::Chooses || player == Player::Bob || !lets(node, head)
        };
        self.with(keeps, |_| None)
    }

    /// Returns the game with only some of the moves, and with more endings.
    pub(super) fn with(
        &self,
        keeps: impl Fn(NodeId, Player, NodeId) -> bool,
        ending: impl Fn(NodeId) -> Option<Ending>,
    ) -> Self {
        let ending = |node| self.graph.ending(node).or_else(|| ending(node));
        let graph = self.graph.restricted(ending, keeps);
        let goals = match &self.goals {
            Goals::Priorities(priorities) => Goals::Priorities(priorities.clone()),
            Goals::Weights(scores) => Goals::Weights(self.weights(&graph, scores)),
        };
        Self {
            graph,
            goals,
            coin: self.coin,
            level: self.level,
            splits: self.splits.clone(),
        }
    }

    /// Returns the weights of the remaining moves.
    fn weights(&self, graph: &GameGraph, scores: &Scores) -> Scores {
        let mut builder = ScoresBuilder::new(graph);
        for (tail, player) in graph
            .nodes()
            .flat_map(|tail| Player::both(|player| (tail, player)))
        {
            for (head, units) in scores.moves(&self.graph, tail, player) {
                if graph.successors(tail, player).contains(&head) {
                    builder.weigh(player, tail, head, scores.score(units));
                }
            }
        }
        builder.finish().expect("the same weights as before")
    }
}

/// Returns a player's moves with their scores, in order.
fn moves(game: &GameGraph, goals: &Goals, node: NodeId, player: Player) -> Vec<(NodeId, Score)> {
    let mut moves: Vec<(NodeId, Score)> = match goals {
        Goals::Weights(scores) => scores
            .moves(game, node, player)
            .map(|(head, units)| (head, scores.score(units)))
            .collect(),
        Goals::Priorities(_) => game
            .successors(node, player)
            .iter()
            .map(|head| (*head, Score::zero()))
            .collect(),
    };
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// Transfers the objective of a game to its graph of turns.
fn goals_of_turns(game: &GameGraph, goals: &Goals, turns: &TurnGraph) -> Goals {
    if let Goals::Priorities(priorities) = goals {
        let behind = turns
            .splits
            .iter()
            .flat_map(|(toss, _)| [priorities[toss.index()]; 2]);
        // The vertices after a toss have its priority, so that they change nothing about what
        // recurs.
        return Goals::Priorities(priorities.iter().copied().chain(behind).collect());
    }
    let graph = &turns.graph;
    let mut scores = ScoresBuilder::new(graph);
    for (node, player) in game
        .nodes()
        .flat_map(|node| Player::both(|player| (node, player)))
    {
        let tail = turns.turn(node, player);
        for (head, weight) in moves(game, goals, node, player) {
            if graph.successors(tail, player).contains(&head) {
                scores.weigh(player, tail, head, weight);
            }
        }
    }
    for (toss, player) in turns
        .splits
        .iter()
        .flat_map(|(toss, _)| Player::both(|player| (*toss, player)))
    {
        graph
            .successors(toss, player)
            .iter()
            // The edge from a toss to its winner is no move, and pays nothing.
            .for_each(|turn| scores.weigh(player, toss, *turn, Score::zero()));
    }
    Goals::Weights(scores.finish().expect("the weights of the game"))
}
