//! The literal game under all-pay bidding, with the matrix game of every turn solved by trying all
//! square submatrices (Shapley & Snow, 1950) in rational arithmetic, which has nothing in common
//! with the simplex method or Toeplitz systems.

use std::collections::HashMap;

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Purses, Rules, Tie, TieBreak, settle_undecided};
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::oracle::{Chooser, LiteralTurn, best, worth};
use crate::shared::solve_equations;

/// The literal game, with the values found so far.
pub struct Literal<'a> {
    graph: &'a GameGraph,
    rules: &'a Rules,
    /// The result of play that stays at a position for ever, by position.
    standing: Vec<Ending>,
    known: HashMap<(NodeId, Purses), BigRational>,
}

impl<'a> Literal<'a> {
    pub fn new(graph: &'a GameGraph, rules: &'a Rules) -> Self {
        Self {
            graph,
            rules,
            standing: vec![Ending::Draw; graph.len()],
            known: HashMap::new(),
        }
    }

    /// Sets the results of play that stays at a position for ever.
    pub fn standing(self, standing: &[Ending]) -> Self {
        Self {
            standing: standing.to_vec(),
            ..self
        }
    }

    pub fn value(&mut self, node: NodeId, purses: Purses) -> BigRational {
        if let Some(known) = self.known.get(&(node, purses)) {
            return known.clone();
        }
        let value = match self.graph.ending(node) {
            Some(ending) => self.worth(ending),
            None if self.graph.owner(node).is_some() => {
                let owner = self.graph.owner(node).expect("somebody's turn");
                let heads = self.graph.successors(node, owner).iter();
                best(owner, heads.map(|&head| self.value(head, purses)))
            }
            None if self.rules.ties == TieBreak::Nobody && purses.chips == PerPlayer::new(0, 0) => {
                self.worth(self.standing[node.index()])
            }
            None => {
                let turn = LiteralTurn {
                    graph: self.graph,
                    rules: self.rules,
                    node,
                    purses,
                };
                let least = purses
                    .chips
                    .map(|chips| self.rules.minimum_bid.0.min(chips));
                let rows = (least.alice..=purses.chips.alice).map(|alice| {
                    (least.bob..=purses.chips.bob)
                        .map(|bob| self.after(turn, PerPlayer::new(alice, bob)))
                        .collect()
                });
                matrix_value(&rows.collect::<Vec<Vec<_>>>())
            }
        };
        self.known.insert((node, purses), value.clone());
        value
    }

    fn worth(&self, ending: Ending) -> BigRational {
        BigRational::one() - worth::<BigRational>(ending, self.rules.draws)
    }

    fn after(&mut self, turn: LiteralTurn<'_>, bids: PerPlayer<u64>) -> BigRational {
        if turn.decided(bids) == Tie::Nobody {
            let purses = settle_undecided(turn.rules, &turn.purses, bids);
            return self.value(turn.node, purses);
        }
        let pick = |chooser, values: &mut dyn Iterator<Item = BigRational>| match chooser {
            Chooser::Player(player) => best(player, values),
            Chooser::Coin => values.sum::<BigRational>() / BigRational::from_integer(2.into()),
        };
        turn.after_bids(bids, pick, |played| self.value(played.to, played.after))
    }
}

/// Returns the value of a matrix game: that of a square submatrix whose equalising weights are a
/// solution of the whole.
pub fn matrix_value(matrix: &[Vec<BigRational>]) -> BigRational {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    for size in 1..=rows.min(columns) {
        for chosen_rows in subsets(rows, size) {
            for chosen_columns in subsets(columns, size) {
                if let Some(value) = kernel(matrix, &chosen_rows, &chosen_columns) {
                    return value;
                }
            }
        }
    }
    unreachable!("every matrix game has a kernel (Shapley & Snow)")
}

fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let all = (0..1_u32 << n).filter(|set| set.count_ones() as usize == size);
    all.map(|set| (0..n).filter(|i| set >> i & 1 == 1).collect())
        .collect()
}

fn kernel(matrix: &[Vec<BigRational>], rows: &[usize], columns: &[usize]) -> Option<BigRational> {
    let of_columns: Vec<Vec<BigRational>> = rows
        .iter()
        .map(|&r| columns.iter().map(|&c| matrix[r][c].clone()).collect())
        .collect();
    let of_rows: Vec<Vec<BigRational>> = columns
        .iter()
        .map(|&c| rows.iter().map(|&r| matrix[r][c].clone()).collect())
        .collect();
    let (y, value) = equaliser(&of_columns)?;
    let (x, same) = equaliser(&of_rows)?;
    let guaranteed = |column: usize| {
        rows.iter()
            .zip(&x)
            .map(|(&r, w)| &matrix[r][column] * w)
            .sum::<BigRational>()
            >= value
    };
    let held = |row: usize| {
        columns
            .iter()
            .zip(&y)
            .map(|(&c, w)| &matrix[row][c] * w)
            .sum::<BigRational>()
            <= value
    };
    (value == same && (0..matrix[0].len()).all(guaranteed) && (0..matrix.len()).all(held))
        .then_some(value)
}

/// Returns weights with sum 1, none negative, that give every row of a square matrix the same mean,
/// and that mean.
pub fn equaliser(matrix: &[Vec<BigRational>]) -> Option<(Vec<BigRational>, BigRational)> {
    let n = matrix.len();
    let mut system: Vec<Vec<BigRational>> = matrix
        .iter()
        .map(|row| {
            row.iter()
                .cloned()
                .chain([-BigRational::one(), BigRational::zero()])
                .collect()
        })
        .collect();
    let mut last = vec![BigRational::one(); n];
    last.extend([BigRational::zero(), BigRational::one()]);
    system.push(last);
    let mut weights = solve_equations(system)?;
    let value = weights.pop().expect("the value comes last");
    weights
        .iter()
        .all(|weight| *weight >= BigRational::zero())
        .then_some((weights, value))
}

/// Unrolls a graph for a number of moves; plays that are not finished then end with `unfinished`.
pub fn truncated(graph: &GameGraph, moves: usize, unfinished: Ending) -> GameGraph {
    let n = graph.len();
    let mut builder = GameGraphBuilder::default();
    for left in (0..=moves).rev() {
        for node in graph.nodes() {
            let below = (moves - left + 1) * n;
            let heads = |player| -> Vec<NodeId> {
                graph
                    .successors(node, player)
                    .iter()
                    .map(|head| NodeId::new(below + head.index()))
                    .collect()
            };
            let ending = graph.ending(node).or((left == 0).then_some(unfinished));
            match ending {
                Some(_) => builder.push(ending, &[], &[]),
                None => builder.push(None, &heads(Player::Alice), &heads(Player::Bob)),
            };
        }
    }
    builder.finish(graph.start())
}
