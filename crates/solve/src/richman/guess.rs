//! A guess at the optimal strategies of a large component, in time that is almost linear where play
//! ends soon.
//!
//! A few sweeps of value iteration bring the values near enough for both players to see where to
//! go; then they switch at once, the values of each pair of strategies being found by steps along
//! its edges (see [`Quick`]) from those of the pair before. Strategy improvement makes sure that
//! nothing was missed, as far as floats can tell.

use std::cmp::Ordering;

use super::arena::{Arena, ArenaStrategies};
use super::improve::Improvement;
use super::valuation::{Chain, Valuation};
use crate::diagnostic::Result;
use crate::linear::{LinearMethod, Quick};
use crate::player::Player;
use crate::watch::Context;

/// Sweeps before the first strategies.
const SWEEPS: usize = 24;
/// Pairs of strategies that both players switch to at once.
const RACE: usize = 40;
/// Pairs of strategies that floats may try afterwards.
const GUESSES: u64 = 60;

/// Near the optimal strategies, with their values.
pub(super) struct Guess {
    pub(super) strategies: ArenaStrategies,
    /// Of the vertices, the exits, and play without end.
    pub(super) values: Vec<f64>,
    /// Which way of solving linear systems was quick.
    pub(super) way: LinearMethod,
}

/// Guesses from strategies to begin with and the values of the exits and of play without end.
pub(super) fn guess(
    arena: &Arena,
    hero: Player,
    mut strategies: ArenaStrategies,
    known: Vec<f64>,
    context: &Context<'_>,
) -> Result<Guess> {
    let values = swept(arena, &known);
    let valuation = Nearby {
        known,
        values: values.clone(),
        care: Care::Little,
        way: LinearMethod::default(),
    };
    let mut improvement = Improvement {
        arena,
        valuation,
        hero,
        budget: GUESSES,
        context,
    };
    improvement.race(&mut strategies, values, RACE)?;
    improvement.valuation.care = Care::Much;
    let values = improvement.run(&mut strategies)?;
    Ok(Guess {
        strategies,
        values,
        way: improvement.valuation.way,
    })
}

/// Values after some sweeps from that of play without end.
fn swept(arena: &Arena, known: &[f64]) -> Vec<f64> {
    let forever = known[known.len() - 1];
    let mut values = vec![forever; arena.len];
    values.extend_from_slice(known);
    for _ in 0..SWEEPS {
        for vertex in 0..arena.len {
            let of = |player| {
                arena
                    .heads(vertex, player)
                    .iter()
                    .map(|head| values[*head as usize])
            };
            let [alice, bob] = Player::BOTH.map(|player| f64::from(arena.coin.weights[player]));
            values[vertex] = match (
                of(Player::Alice).reduce(f64::min),
                of(Player::Bob).reduce(f64::max),
            ) {
                (Some(low), Some(high)) => (alice * low + bob * high) / (alice + bob),
                (Some(only), None) | (None, Some(only)) => only,
                (None, None) => unreachable!("a vertex without an ending has an edge"),
            };
        }
    }
    values
}

/// How near to the values of a pair of strategies one comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Care {
    /// As near as helps to choose the next pair.
    Little,
    /// As near as floats come.
    Much,
}

/// The values of a pair of strategies, from values that are not far away.
struct Nearby {
    known: Vec<f64>,
    /// Those of the last pair, by vertex.
    values: Vec<f64>,
    care: Care,
    way: LinearMethod,
}

/// Values that are closer than this may be equal.
const TOLERANCE: f64 = 1e-11;

impl Valuation for Nearby {
    type Value = f64;

    fn values(&mut self, chain: &Chain, context: &Context<'_>) -> Result<Vec<f64>> {
        /// Corrections with much care; the last is the one that makes no difference.
        const CORRECTIONS: usize = 8;
        const SMALL: f64 = 4.0 * f64::EPSILON;
        let mut quick = Quick::new(&chain.walk, self.way);
        let mut found: Vec<f64> = chain.vertices().map(|vertex| self.values[vertex]).collect();
        let (corrections, tolerance) = if self.care == Care::Little {
            (1, 1e-2)
        } else {
            (CORRECTIONS, 1e-4)
        };
        let mut least = f64::INFINITY;
        for _ in 0..corrections {
            let sources = imbalance(chain, &found, &self.known);
            let size = sources
                .iter()
                .fold(0.0, |most: f64, source| source.abs().max(most));
            if size <= SMALL || size > least / 2.0 {
                break;
            }
            least = size;
            let steps = quick.to(sources, tolerance, context)?;
            found
                .iter_mut()
                .zip(steps)
                .for_each(|(value, step)| *value = (*value + step).clamp(0.0, 1.0));
        }
        self.way = quick.way;
        self.values = chain.spread(&found, self.known.clone());
        Ok(self.values.clone())
    }

    fn compare(&self, a: &f64, b: &f64) -> Ordering {
        if (a - b).abs() <= TOLERANCE {
            Ordering::Equal
        } else {
            a.total_cmp(b)
        }
    }
}

/// How far each state is from what its heads make it, times its weights.
fn imbalance(chain: &Chain, found: &[f64], known: &[f64]) -> Vec<f64> {
    let value = |head: usize| {
        found
            .get(head)
            .copied()
            .unwrap_or_else(|| known[head - found.len()])
    };
    let of = |state: usize| {
        let edges = chain.walk.edges(state).iter();
        edges
            .map(|(head, weight)| f64::from(*weight) * (value(*head as usize) - found[state]))
            .sum()
    };
    (0..found.len()).map(of).collect()
}
