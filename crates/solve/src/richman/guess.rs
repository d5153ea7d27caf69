//! A guess at the optimal strategies of a large component, in time that is almost linear where play
//! ends soon.
//!
//! A few sweeps of value iteration bring the values near enough for both players to choose good
//! edges. Both switch to them at once, the values of the new pair of strategies are found by steps
//! along its edges (see [`Quick`]), and so on. The steps find what is far away, the sweeps choose
//! among edges nearby. The values of a pair are only as precise as its distance from the next one
//! asks for, and differences within their error are no reason to switch. Strategy improvement finds
//! the remaining mistakes, as far as floats allow.

use std::cmp::Ordering;

use super::arena::{Arena, ArenaStrategies};
use super::improve::Improvement;
use super::valuation::{Chain, Valuation};
use crate::diagnostic::Result;
use crate::number::linear::{LinearMethod, Quick};
use crate::player::{PerPlayer, Player};
use crate::watch::Context;

/// The number of sweeps before both players switch.
const SWEEPS: usize = 8;
/// The greatest number of pairs of strategies that both players switch to at once.
const RACE: usize = 100;
/// The greatest number of such pairs in a row after which the players switch no fewer choices than
/// before.
const IDLE: usize = 8;
/// The greatest number of pairs of strategies that floats may try afterwards.
const GUESSES: u64 = 200;

/// Strategies near the optimal ones.
pub(super) struct Guess {
    pub(super) strategies: ArenaStrategies,
    /// The values of the vertices, of the exits, and of play without end.
    pub(super) values: Vec<f64>,
    /// The method of solving linear systems that is quick.
    pub(super) way: LinearMethod,
}

/// Guesses strategies from initial ones and the values of the exits and of play without end.
pub(super) fn guess(
    arena: &Arena,
    hero: Player,
    mut strategies: ArenaStrategies,
    known: Vec<f64>,
    context: &Context<'_>,
) -> Result<Guess> {
    let forever = known[known.len() - 1];
    // All vertices start from the value of play without end, as the truncations do.
    let mut values = vec![forever; arena.len];
    values.extend_from_slice(&known);
    let valuation = Nearby {
        known,
        values: Vec::new(),
        care: Care::Little,
        tolerance: TOLERANCE,
        way: LinearMethod::default(),
    };
    let mut improvement = Improvement {
        arena,
        valuation,
        hero,
        budget: GUESSES,
        context,
    };
    let first = strategies.clone();
    let (mut has_switched, mut stands) = (true, false);
    let (mut fewest, mut idle) = (0, 0);
    for round in 0..RACE {
        context.check()?;
        // Sweeps would hide that players switch back and forth for ever, so strategies that nobody
        // left are judged by their own values.
        if has_switched {
            (0..SWEEPS).for_each(|_| sweep(arena, &mut values));
        }
        let better = arena.for_both(|player| improvement.better(&strategies, player, &values));
        let switches = switches(&strategies, &better);
        has_switched = switches > 0;
        strategies = PerPlayer::new(
            better.alice.unwrap_or(strategies.alice),
            better.bob.unwrap_or(strategies.bob),
        );
        // The first pair is evaluated in any case, because that tells the quick method. Later a pair
        // stands only if its values are exact enough to tell that no edge is better.
        stands = round > 0 && !has_switched && improvement.valuation.tolerance <= TOLERANCE;
        // The first two pairs are too far from the values that belong to them to tell anything.
        (fewest, idle) = if round < 2 || switches < fewest {
            (switches, 0)
        } else {
            (fewest, idle + 1)
        };
        if stands || idle > IDLE {
            break;
        }
        // The linear solver corrects these values, so it starts near the solution.
        improvement.valuation.values = values;
        values = improvement
            .valuation
            .values(&Chain::new(arena, &strategies), context)?;
    }
    // Two players who keep switching at many vertices have got no nearer to the optimal strategies.
    if idle > IDLE && fewest > arena.len / 16 {
        strategies = first;
    }
    improvement.valuation.care = Care::Much;
    let values = if stands {
        improvement.run_from(&mut strategies, values)?
    } else {
        improvement.run(&mut strategies)?
    };
    Ok(Guess {
        strategies,
        values,
        way: improvement.valuation.way,
    })
}

/// Returns the number of choices of both players in which better strategies differ from these.
fn switches(strategies: &ArenaStrategies, better: &PerPlayer<Option<Vec<Option<u32>>>>) -> usize {
    let of = |player: Player| {
        let better = better[player].iter().flatten();
        let choices = better.zip(&strategies[player]);
        choices.filter(|(new, old)| new != old).count()
    };
    Player::BOTH.map(of).into_iter().sum()
}

/// Gives each vertex the value that follows from those of its heads.
fn sweep(arena: &Arena, values: &mut [f64]) {
    let [alice, bob] = Player::BOTH.map(|player| f64::from(arena.coin.weights[player]));
    for vertex in 0..arena.len {
        let of = |player| {
            arena
                .heads(vertex, player)
                .iter()
                .map(|head| values[*head as usize])
        };
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

/// The precision to which the values of a pair of strategies are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Care {
    /// Enough to choose the next pair.
    Little,
    /// As much as floats allow.
    Much,
}

/// The arithmetic that computes the values of a pair of strategies from values nearby.
struct Nearby {
    known: Vec<f64>,
    /// The values of the last pair, by vertex.
    values: Vec<f64>,
    care: Care,
    /// The difference below which values may be equal.
    tolerance: f64,
    way: LinearMethod,
}

/// The difference below which the most precise values may be equal.
const TOLERANCE: f64 = 1e-11;

impl Valuation for Nearby {
    type Value = f64;

    fn values(&mut self, chain: &Chain, context: &Context<'_>) -> Result<Vec<f64>> {
        /// The greatest number of corrections at high precision; the last one makes no difference.
        const CORRECTIONS: usize = 8;
        const SMALL: f64 = 4.0 * f64::EPSILON;
        /// A value is wrong by about this multiple of the remaining imbalance.
        const ERROR: f64 = 4.0;
        /// The part of the imbalance that remains after a correction by elimination.
        const ELIMINATED: f64 = 1e-9;
        let mut quick = Quick::new(&chain.walk, self.way);
        let mut found: Vec<f64> = chain.vertices().map(|vertex| self.values[vertex]).collect();
        let (corrections, tolerance) = if self.care == Care::Little {
            (1, 1e-2)
        } else {
            (CORRECTIONS, 1e-4)
        };
        // The tolerance of a single solution is coarse; corrections gain the remaining digits.
        let mut least = f64::INFINITY;
        for _ in 0..corrections {
            let sources = imbalance(chain, &found, &self.known);
            let size = sources
                .iter()
                .fold(0.0, |most: f64, source| source.abs().max(most));
            let helps = size > SMALL && size <= least / 2.0;
            least = size.min(least);
            if !helps {
                break;
            }
            let steps = quick.to(sources, tolerance, context)?;
            found
                .iter_mut()
                .zip(steps)
                .for_each(|(value, step)| *value = (*value + step).clamp(0.0, 1.0));
        }
        // The method that proved quick for one pair is tried first for the next.
        self.way = quick.way;
        // Elimination is more precise than it is asked to be.
        let reached = match self.way {
            LinearMethod::Elimination => ELIMINATED,
            LinearMethod::FewSteps | LinearMethod::ManySteps => tolerance,
        };
        // Edges that seem better only within the error can form a cycle; the players would then make
        // and undo the same switches for ever.
        self.tolerance = match self.care {
            Care::Little => TOLERANCE.max(ERROR * reached * least),
            Care::Much => TOLERANCE,
        };
        self.values = chain.spread(found, self.known.clone());
        Ok(self.values.clone())
    }

    fn compare(&self, a: &f64, b: &f64) -> Ordering {
        if (a - b).abs() <= self.tolerance {
            Ordering::Equal
        } else {
            a.total_cmp(b)
        }
    }
}

/// Returns for each state the sum over its edges of the weight times the difference between the
/// successor's value and its own.
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
