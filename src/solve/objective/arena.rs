//! A game of random turns without letting: who wins a toss moves, or takes the play to a vertex where one player alone is to move.
//!
//! A vertex where the players have different moves becomes three: the toss, with the same two edges for both, and a vertex of either
//! player's. So a positional strategy is one edge for each vertex, and everything here is said of Alice: Bob is Alice in the conjugate.
//! Draws are won by the player for whom they are good.

use num_traits::Zero;

use crate::game::{GameGraph, GameGraphBuilder, Goals, NodeId, Score, Scores, ScoresBuilder};
use crate::player::{Ending, PerPlayer, Player};
use crate::solve::richman::Coin;

/// The graph with what its plays are worth, and the coin.
#[derive(Debug, Clone)]
pub(super) struct Arena {
    /// The vertices of the game first, with their own numbers.
    pub(super) graph: GameGraph,
    pub(super) goals: Goals,
    pub(super) coin: Coin,
    /// Whether a mean of 0 is good for Alice.
    pub(super) level: bool,
    /// The tosses that lead to a vertex of Alice's or one of Bob's.
    pub(super) splits: Vec<(NodeId, PerPlayer<NodeId>)>,
}

/// A player's moves with what they add.
type Moves = Vec<(NodeId, Score)>;

impl Arena {
    /// A draw, and a mean of 0, is good for Alice if `level`, else for Bob.
    pub(super) fn new(graph: &GameGraph, goals: &Goals, coin: Coin, level: bool) -> Self {
        let mut builder = Builder::new(graph, goals, coin, level);
        for node in graph.nodes() {
            builder.vertex(node);
        }
        builder.finish(goals, coin, level)
    }

    /// The same with the players exchanged.
    pub(super) fn conjugate(&self) -> Self {
        let goals = match &self.goals {
            Goals::Priorities(priorities) => {
                Goals::Priorities(priorities.iter().map(|priority| priority + 1).collect())
            }
            Goals::Weights(scores) => Goals::Weights(scores.conjugate()),
        };
        let splits = self.splits.iter().map(|(toss, turns)| (*toss, turns.swapped())).collect();
        let coin = Coin { weights: self.coin.weights.swapped() };
        Self { graph: self.graph.conjugate(), goals, coin, level: !self.level, splits }
    }

    /// The same with some moves only, and more endings.
    pub(super) fn with(
        &self,
        keeps: impl Fn(NodeId, Player, NodeId) -> bool,
        ending: impl Fn(NodeId) -> Option<Ending>,
    ) -> Self {
        let mut builder = GameGraphBuilder::default();
        for node in self.graph.nodes() {
            let ending = self.graph.ending(node).or_else(|| ending(node));
            let moves = Player::BOTH.map(|player| {
                let heads = self.graph.successors(node, player).iter().copied();
                heads.filter(|head| ending.is_none() && keeps(node, player, *head)).collect::<Vec<_>>()
            });
            builder.push(ending, &moves[0], &moves[1]);
        }
        let graph = builder.finish(self.graph.start());
        let goals = match &self.goals {
            Goals::Priorities(priorities) => Goals::Priorities(priorities.clone()),
            Goals::Weights(scores) => Goals::Weights(self.weights(&graph, scores)),
        };
        Self { graph, goals, coin: self.coin, level: self.level, splits: self.splits.clone() }
    }

    /// The weights of the moves that are left.
    fn weights(&self, graph: &GameGraph, scores: &Scores) -> Scores {
        let mut builder = ScoresBuilder::new(graph);
        for (tail, player) in graph.nodes().flat_map(|tail| Player::BOTH.map(|player| (tail, player))) {
            for (head, units) in scores.moves(&self.graph, tail, player) {
                if graph.successors(tail, player).contains(&head) {
                    builder.weigh(player, tail, head, scores.score(units));
                }
            }
        }
        builder.finish().expect("the same weights as before")
    }
}

struct Builder<'a> {
    game: &'a GameGraph,
    weights: Option<&'a Scores>,
    coin: Coin,
    level: bool,
    /// Endings and both players' moves of each vertex.
    vertices: Vec<(Option<Ending>, PerPlayer<Moves>)>,
    /// The vertices of one player's that come behind those of the game, with the toss that leads there.
    turns: Vec<(NodeId, PerPlayer<Moves>)>,
}

impl<'a> Builder<'a> {
    fn new(game: &'a GameGraph, goals: &'a Goals, coin: Coin, level: bool) -> Self {
        let weights = match goals {
            Goals::Priorities(_) => None,
            Goals::Weights(weights) => Some(weights),
        };
        Self { game, weights, coin, level, vertices: Vec::new(), turns: Vec::new() }
    }

    fn moves(&self, node: NodeId, player: Player) -> Moves {
        let mut moves: Moves = match self.weights {
            Some(scores) => {
                let moves = scores.moves(self.game, node, player);
                moves.map(|(head, units)| (head, scores.score(units))).collect()
            }
            None => self.game.successors(node, player).iter().map(|head| (*head, Score::zero())).collect(),
        };
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    fn vertex(&mut self, node: NodeId) {
        let ending = self.game.ending(node).map(|ending| match ending {
            Ending::Draw => Ending::Win(if self.level { Player::Alice } else { Player::Bob }),
            Ending::Win(_) => ending,
        });
        let [alice, bob] = Player::BOTH.map(|player| self.moves(node, player));
        let moves = PerPlayer::new(alice, bob);
        if ending.is_some() {
            self.vertices.push((ending, PerPlayer::default()));
        } else if moves.alice.is_empty() || moves.bob.is_empty() {
            self.vertices.push((None, moves));
        } else if moves.alice == moves.bob {
            self.vertices.push((None, self.toss(moves.alice)));
        } else {
            let turn = self.game.len() + 2 * self.turns.len();
            let turns: Moves = [turn, turn + 1].map(|turn| (NodeId::new(turn), Score::zero())).to_vec();
            self.vertices.push((None, self.toss(turns)));
            self.turns.push((node, moves));
        }
    }

    /// The same moves for both, or for the one for whom the coin always falls.
    fn toss(&self, moves: Moves) -> PerPlayer<Moves> {
        let of = |player: Player| if self.coin.weights[player] == 0 { Vec::new() } else { moves.clone() };
        PerPlayer::new(of(Player::Alice), of(Player::Bob))
    }

    fn finish(mut self, goals: &Goals, coin: Coin, level: bool) -> Arena {
        let mut splits = Vec::new();
        for (toss, moves) in std::mem::take(&mut self.turns) {
            let turns = [0, 1].map(|turn| NodeId::new(self.vertices.len() + turn));
            splits.push((toss, PerPlayer::new(turns[0], turns[1])));
            self.vertices.push((None, PerPlayer::new(moves.alice, Vec::new())));
            self.vertices.push((None, PerPlayer::new(Vec::new(), moves.bob)));
        }
        let mut builder = GameGraphBuilder::default();
        for (ending, moves) in &self.vertices {
            let heads = |player: Player| moves[player].iter().map(|(head, _)| *head).collect::<Vec<_>>();
            builder.push(*ending, &heads(Player::Alice), &heads(Player::Bob));
        }
        let graph = builder.finish(self.game.start());
        let goals = match goals {
            Goals::Priorities(priorities) => {
                let behind = splits.iter().flat_map(|(toss, _)| [priorities[toss.index()]; 2]);
                Goals::Priorities(priorities.iter().copied().chain(behind).collect())
            }
            Goals::Weights(_) => {
                let mut scores = ScoresBuilder::new(&graph);
                for (tail, (_, moves)) in graph.nodes().zip(&self.vertices) {
                    for player in Player::BOTH {
                        moves[player].iter().for_each(|(head, weight)| scores.weigh(player, tail, *head, *weight));
                    }
                }
                Goals::Weights(scores.finish().expect("the weights of the game"))
            }
        };
        Arena { graph, goals, coin, level, splits }
    }
}
