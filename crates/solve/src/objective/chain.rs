//! The random walk of a pair of strategies: the income on round trips, and the class in which it
//! ends up.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::mean::{Ring, StrategyPair, WeightedMove};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{GameGraphBuilder, NodeId};
use crate::number::linear::{RationalSolution, Walk};
use crate::player::Player;
use crate::richman::Coin;
use crate::watch::Context;

/// The random walk of a pair of strategies, cut at one vertex of each recurrent class.
pub(super) struct RecurrentChain<'a> {
    ring: &'a Ring,
    tosses: Vec<[WeightedMove; 2]>,
    coin: Coin,
    /// The representative vertex of each recurrent class.
    pub(super) classes: Vec<usize>,
    /// The place of each vertex in the walk: a state, or after them a place that stands for a
    /// class.
    places: Vec<u32>,
    walk: Walk,
}

impl<'a> RecurrentChain<'a> {
    pub(super) fn new(ring: &'a Ring, pair: &StrategyPair, coin: Coin) -> Self {
        let tosses: Vec<_> = (0..ring.moves.len())
            .map(|vertex| ring.tosses(pair, vertex))
            .collect();
        let mut builder = GameGraphBuilder::default();
        for steps in &tosses {
            let heads: Vec<_> = weighted(steps, coin)
                .map(|(head, _)| NodeId::new(head as usize))
                .collect();
            builder.push(None, &heads, &[]);
        }
        let graph = builder.finish(NodeId::new(0));
        let components = graph.components();
        let component = components.numbers();
        let recurrent = |vertices: &[NodeId]| {
            let inside = |node: &NodeId| {
                graph
                    .all_successors(*node)
                    .all(|head| component[head.index()] == component[node.index()])
            };
            vertices.iter().all(inside)
        };
        let classes: Vec<usize> = components
            .iter()
            .filter(|(vertices, _)| recurrent(vertices))
            // Any vertex of a recurrent class can represent it, since play comes back to each of
            // them.
            .map(|(vertices, _)| vertices[0].index())
            .collect();
        let mut places = vec![u32::MAX; tosses.len()];
        let states = fit::<u32>(tosses.len() - classes.len());
        classes
            .iter()
            // States are numbered first, and the representatives after them count as exits of the
            // walk.
            .zip(states..)
            .for_each(|(&vertex, place)| places[vertex] = place);
        places
            .iter_mut()
            .filter(|place| **place == u32::MAX)
            .zip(0..)
            .for_each(|(place, state)| *place = state);
        let mut walk = Walk::new();
        for vertex in (0..tosses.len()).filter(|&vertex| places[vertex] < states) {
            walk.push(
                weighted(&tosses[vertex], coin)
                    .map(|(head, weight)| (places[head as usize], weight)),
            );
        }
        Self {
            ring,
            tosses,
            coin,
            classes,
            places,
            walk,
        }
    }

    /// Returns the sum of the weights of a toss.
    pub(super) fn total(&self) -> u64 {
        Player::BOTH
            .iter()
            .map(|&player| u64::from(self.coin.weights[player]))
            .sum()
    }

    /// Returns the mean income at a vertex, times the total weight.
    pub(super) fn income(&self, vertex: usize) -> BigInt {
        let [alice, bob] = self.tosses[vertex];
        BigInt::from(alice.weight) * self.coin.weights.alice
            + BigInt::from(bob.weight) * self.coin.weights.bob
    }

    /// Computes the amount gathered on a trip from each vertex to the next representative of a
    /// class, if the amounts `sources` (times the total weight) are gathered at the vertices.
    pub(super) fn trips(
        &self,
        sources: &[BigInt],
        context: &Context<'_>,
    ) -> Result<Option<Vec<BigRational>>> {
        let mut right = vec![BigInt::zero(); self.walk.len()];
        for (source, &place) in sources.iter().zip(&self.places) {
            if let Some(slot) = right.get_mut(place as usize) {
                slot.clone_from(source);
            }
        }
        let Some(RationalSolution {
            numerators,
            denominator,
        }) = self.walk.gather(&right, context)?
        else {
            return Ok(None);
        };
        let of = |vertex: u32| {
            let numerator = numerators
                .get(self.places[vertex as usize] as usize)
                .cloned()
                .unwrap_or_default();
            BigRational::new(numerator, denominator.clone())
        };
        let from = |vertex: usize| -> Result<BigRational> {
            context.check()?;
            if (self.places[vertex] as usize) < numerators.len() {
                return Ok(of(fit::<u32>(vertex)));
            }
            // A representative is an exit of the walk, so its round trip begins with one move by
            // hand.
            let onward: BigRational = weighted(&self.tosses[vertex], self.coin)
                .map(|(head, weight)| of(head) * BigInt::from(weight))
                .sum();
            Ok((onward + &sources[vertex]) / BigInt::from(self.total()))
        };
        let found: Result<Vec<BigRational>> = (0..self.ring.moves.len()).map(from).collect();
        found.map(Some)
    }

    /// Computes the mean, at each vertex, of numbers that belong to the classes.
    pub(super) fn settle(
        &self,
        numbers: &[BigRational],
        context: &Context<'_>,
    ) -> Result<Vec<BigRational>> {
        // The linear solver takes non-negative numbers, so all are raised by the same amount first.
        let least = numbers.iter().min().cloned().unwrap_or_default();
        let above: Vec<BigRational> = numbers.iter().map(|number| number - &least).collect();
        let known = RationalSolution::of(&above, context)?;
        debug_assert!(known.numerators.iter().all(|known| !known.is_negative()));
        let solution = self.walk.solve(&known.numerators, context)?;
        let of = |&place: &u32| {
            context.check()?;
            let place = place as usize;
            Ok(match solution.numerators.get(place) {
                Some(numerator) => {
                    let denominator = &solution.denominator * &known.denominator;
                    BigRational::new(numerator.clone(), denominator) + &least
                }
                None => numbers[place - solution.numerators.len()].clone(),
            })
        };
        self.places.iter().map(of).collect()
    }
}

/// Iterates over the vertices to which a toss leads, with the weights of the coin.
fn weighted(steps: &[WeightedMove; 2], coin: Coin) -> impl Iterator<Item = (u32, u32)> + use<> {
    let [alice, bob] = steps.map(|step| step.head);
    [(alice, coin.weights.alice), (bob, coin.weights.bob)]
        .into_iter()
        .filter(|(_, weight)| *weight > 0)
}
