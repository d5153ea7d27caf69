//! The oracle of games in which a coin decides each turn: every pair of positional strategies makes
//! a Markov chain. Such strategies are optimal for both players (Condon, 1992).

use bid_game::{GameGraph, NodeId};
use bid_language::player::{PerPlayer, Player};
use bid_language::rules::Winner;
use num_traits::NumAssign;

/// A player's choice at a vertex: the move, and to let the other one move after a toss that is won
/// or not.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub head: Option<NodeId>,
    pub lets: bool,
}

/// A choice for each vertex.
pub type PositionalStrategy = Vec<Choice>;

/// The movers and the moves to which the coin leads at a vertex, with their probabilities.
pub type Turn<T> = Vec<(Player, NodeId, T)>;

/// A game whose turns are decided by a coin.
#[derive(Debug, Clone, Copy)]
pub struct CoinGame<'a, T> {
    pub graph: &'a GameGraph,
    pub winner: Winner,
    /// The probability that Alice wins a toss.
    pub coin: T,
}

/// Returns, for each vertex, the best for a player of the values that are possible there.
pub fn best<T: PartialOrd>(player: Player, options: impl Iterator<Item = Vec<T>>) -> Vec<T> {
    let better = |(a, b)| {
        if (a < b) == (player == Player::Alice) {
            a
        } else {
            b
        }
    };
    options
        .reduce(|a, b| a.into_iter().zip(b).map(better).collect())
        .expect("there is a strategy")
}

impl<T: NumAssign + PartialOrd + Copy + std::fmt::Debug> CoinGame<'_, T> {
    /// Returns every positional strategy of a player.
    pub fn strategies(&self, player: Player) -> Vec<PositionalStrategy> {
        self.graph.nodes().fold(vec![vec![]], |partial, node| {
            let choices = self.choices(node, player);
            let extend = |strategy: &PositionalStrategy| {
                choices
                    .iter()
                    .map(|choice| [&strategy[..], &[*choice]].concat())
                    .collect::<Vec<_>>()
            };
            partial.iter().flat_map(extend).collect()
        })
    }

    /// Returns the number of pairs of strategies.
    pub fn pairs(&self) -> usize {
        let choices = |node| Player::both(|player| self.choices(node, player).len());
        self.graph.nodes().flat_map(choices).product()
    }

    fn choices(&self, node: NodeId, player: Player) -> Vec<Choice> {
        let [own, others] = [player, player.other()].map(|of| self.graph.successors(node, of));
        if own.is_empty() {
            let (head, lets) = (None, false);
            return vec![Choice { head, lets }];
        }
        let lets: &[bool] = match self.winner {
            Winner::Chooses if !others.is_empty() => &[false, true],
            Winner::Chooses | Winner::Moves => &[false],
        };
        let with = |&lets: &bool| {
            own.iter().map(move |&head| {
                let head = Some(head);
                Choice { head, lets }
            })
        };
        lets.iter().flat_map(with).collect()
    }

    /// Returns the turns of both strategies, vertex by vertex; there is none where nobody can move.
    pub fn turns(&self, alice: &[Choice], bob: &[Choice]) -> Vec<Turn<T>> {
        let tosses = [
            (Player::Alice, self.coin),
            (Player::Bob, T::one() - self.coin),
        ];
        let turn = |choices: PerPlayer<&Choice>| {
            let step = |(winner, probability): (Player, T)| {
                let moves = choices[winner].head.is_some() && !choices[winner].lets;
                let mover = if moves { winner } else { winner.other() };
                Some((mover, choices[mover].head?, probability))
            };
            let possible = tosses.into_iter().filter(|(_, part)| !part.is_zero());
            possible.filter_map(step).collect()
        };
        let both = alice.iter().zip(bob);
        both.map(|(alice, bob)| turn(PerPlayer::new(alice, bob)))
            .collect()
    }

    /// Computes the value of every vertex, from those of the chain of each pair: the least over
    /// Alice's strategies of the greatest over Bob's, which agrees with the greatest of the least.
    pub fn values(
        &self,
        of: impl Fn(&[Turn<T>]) -> Vec<T>,
        agree: impl Fn(T, T) -> bool,
    ) -> Vec<T> {
        let [alices, bobs] = Player::both(|player| self.strategies(player));
        let replies = |alice: &PositionalStrategy| {
            bobs.iter().map(|bob| of(&self.turns(alice, bob))).collect()
        };
        let table: Vec<Vec<Vec<T>>> = alices.iter().map(replies).collect();
        let least = |bob: usize| best(Player::Alice, table.iter().map(|row| row[bob].clone()));
        let greatest = |row: &Vec<Vec<T>>| best(Player::Bob, row.iter().cloned());
        let lower = best(Player::Bob, (0..bobs.len()).map(least));
        let upper = best(Player::Alice, table.iter().map(greatest));
        for (node, (&lower, &upper)) in self.graph.nodes().zip(lower.iter().zip(&upper)) {
            assert!(
                agree(lower, upper),
                "positional strategies leave {lower:?} and {upper:?} at {node:?}: {:?}",
                self.graph
            );
        }
        upper
    }
}
