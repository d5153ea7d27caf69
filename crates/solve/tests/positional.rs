//! The oracle of games in which a coin decides each turn: every pair of positional strategies makes
//! a Markov chain, which elimination solves. Such strategies are optimal for both players (Condon,
//! 1992).

use crate::oracle::worth;
use crate::shared::solve_equations;
use bid_game::{GameGraph, NodeId};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Winner};
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

/// A game whose turns are decided by a coin.
#[derive(Debug, Clone, Copy)]
pub struct CoinGame<'a, T> {
    pub graph: &'a GameGraph,
    pub draws: Draws,
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

impl<T: NumAssign + PartialOrd + Copy> CoinGame<'_, T> {
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

    /// Returns the vertices that a turn leads to, with their probabilities.
    fn turn(&self, alice: Choice, bob: Choice) -> Vec<(NodeId, T)> {
        match (alice.head, bob.head) {
            (Some(hers), Some(his)) => {
                let won = if alice.lets { his } else { hers };
                let lost = if bob.lets { hers } else { his };
                [(won, self.coin), (lost, T::one() - self.coin)]
                    .into_iter()
                    .filter(|(_, probability)| !probability.is_zero())
                    .collect()
            }
            (Some(only), None) | (None, Some(only)) => vec![(only, T::one())],
            (None, None) => vec![],
        }
    }

    /// Computes the probability of Bob's winning at every vertex when both strategies are played;
    /// play without end is a draw.
    pub fn value(&self, alice: &[Choice], bob: &[Choice]) -> Vec<T> {
        let n = self.graph.len();
        let worth = |ending| worth::<T>(ending, self.draws);
        let turns: Vec<_> = (0..n).map(|v| self.turn(alice[v], bob[v])).collect();
        let endings: Vec<_> = self.graph.nodes().map(|v| self.graph.ending(v)).collect();
        let mut ends: Vec<bool> = endings.iter().map(Option::is_some).collect();
        for _ in 0..n {
            for v in 0..n {
                ends[v] |= turns[v].iter().any(|(head, _)| ends[head.index()]);
            }
        }
        let equation = |v: usize| {
            let mut row = vec![T::zero(); n + 1];
            row[v] = T::one();
            match endings[v] {
                Some(ending) => row[n] = worth(ending),
                None if !ends[v] => row[n] = worth(Ending::Draw),
                None => turns[v]
                    .iter()
                    .for_each(|(head, probability)| row[head.index()] -= *probability),
            }
            row
        };
        solve_equations((0..n).map(equation).collect()).expect("every walk ends or is told apart")
    }

    /// Computes the value of every vertex: the least over Alice's strategies of the greatest over
    /// Bob's, which agrees with the greatest of the least.
    pub fn values(&self, agree: impl Fn(T, T) -> bool) -> Vec<T> {
        let [alices, bobs] = Player::both(|player| self.strategies(player));
        let replies =
            |alice: &PositionalStrategy| bobs.iter().map(|bob| self.value(alice, bob)).collect();
        let table: Vec<Vec<Vec<T>>> = alices.iter().map(replies).collect();
        let least = |bob: usize| best(Player::Alice, table.iter().map(|row| row[bob].clone()));
        let greatest = |row: &Vec<Vec<T>>| best(Player::Bob, row.iter().cloned());
        let lower = best(Player::Bob, (0..bobs.len()).map(least));
        let upper = best(Player::Alice, table.iter().map(greatest));
        for (&lower, &upper) in lower.iter().zip(&upper) {
            assert!(
                agree(lower, upper),
                "positional strategies do not settle the game"
            );
        }
        upper
    }
}
