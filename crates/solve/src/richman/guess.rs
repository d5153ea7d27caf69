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
use crate::law::best::BestValues;
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
    first: ArenaStrategies,
    known: Vec<f64>,
    context: &Context<'_>,
) -> Result<Guess> {
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
    let (mut strategies, values) = race(&mut improvement, first)?;
    improvement.valuation.care = Care::Much;
    let values = match values {
        Some(values) => improvement.run_from(&mut strategies, values)?,
        None => improvement.run(&mut strategies)?,
    };
    Ok(Guess {
        strategies,
        values,
        way: improvement.valuation.way,
    })
}

/// Lets both players switch at once until neither can do better, or they switch as much as before.
/// Returns the strategies to improve, with their values if these are precise.
fn race(
    improvement: &mut Improvement<'_, Nearby>,
    first: ArenaStrategies,
) -> Result<(ArenaStrategies, Option<Vec<f64>>)> {
    let arena = improvement.arena;
    let known = &improvement.valuation.known;
    // All vertices start from the value of play without end, as the truncations do.
    let mut values = vec![known[known.len() - 1]; arena.len];
    values.extend_from_slice(known);
    let mut strategies = first.clone();
    let (mut switches, mut fewest, mut idle) = (arena.len, 0, 0);
    for round in 0..RACE {
        improvement.context.check()?;
        // Sweeps would hide that players switch back and forth for ever, so strategies that nobody
        // left are judged by their own values.
        if switches > 0 {
            (0..SWEEPS).for_each(|_| sweep(arena, &mut values));
        }
        let better = arena.for_both(|player| improvement.better(&strategies, player, &values));
        switches = count_switches(&strategies, &better);
        strategies = PerPlayer::new(
            better.alice.unwrap_or(strategies.alice),
            better.bob.unwrap_or(strategies.bob),
        );
        // The first pair is evaluated in any case, because that tells the quick method. Later a pair
        // stands only if its values are exact enough to tell that no edge is better.
        if round > 0 && switches == 0 && improvement.valuation.tolerance <= TOLERANCE {
            return Ok((strategies, Some(values)));
        }
        // The first two pairs are too far from the values that belong to them to tell anything.
        (fewest, idle) = if round < 2 || switches < fewest {
            (switches, 0)
        } else {
            (fewest, idle + 1)
        };
        if idle > IDLE {
            break;
        }
        // The linear solver corrects these values, so it starts near the solution.
        improvement.valuation.values = values;
        values = improvement
            .valuation
            .values(&Chain::new(arena, &strategies), improvement.context)?;
    }
    // Two players who keep switching at many vertices have got no nearer to the optimal strategies.
    let is_lost = idle > IDLE && fewest > arena.len / 16;
    Ok((if is_lost { first } else { strategies }, None))
}

/// Returns the number of choices of both players in which better strategies differ from these.
fn count_switches(
    strategies: &ArenaStrategies,
    better: &PerPlayer<Option<Vec<Option<u32>>>>,
) -> usize {
    let of = |player: Player| {
        let better = better[player].iter().flatten();
        let choices = better.zip(&strategies[player]);
        choices.filter(|(new, old)| new != old).count()
    };
    Player::both(of).into_iter().sum()
}

/// Gives each vertex the value that follows from those of its heads.
fn sweep(arena: &Arena, values: &mut [f64]) {
    let [alice, bob] = Player::both(|player| f64::from(arena.coin.weights[player]));
    for vertex in 0..arena.len {
        let of = |player| {
            let heads = arena.heads(vertex, player).iter();
            heads.map(|head| values[*head as usize])
        };
        let best = BestValues::fold(of, f64::min, f64::max);
        values[vertex] = best.turn(|low, high| (alice * low + bob * high) / (alice + bob));
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
            let sources = chain.imbalances(&found, &self.known);
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
