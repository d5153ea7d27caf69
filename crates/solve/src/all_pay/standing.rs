//! Games in which equal bids move nobody and both players pay the bank, as in Oshi-zumo.
//!
//! The winner of a bid has bid at least one chip, and equal bids of at least one chip are paid as
//! well. So every turn uses up chips, unless both bid nothing, and the values with a given number
//! of chips in all follow from those with fewer, even if positions come back. When both bid nothing
//! the state does not change. Play can go on like this for ever, and its result then depends on the
//! position at which it stays.
//!
//! Under a minimum bid only players without chips bid nothing, and values are exact rationals.
//! Otherwise a turn is worth the solution of x = val M(x), where M(x) is its matrix with the entry
//! x for two bids of nothing (Everett, 1957: a recursive game with one state). val M is monotone,
//! and no steeper than the identity, so its fixed points are an interval, and the value is the one
//! nearest to the value of endless play. It may be irrational: bounds are proved by strategies that
//! are repeated for ever. Alice's bids σ get
//!
//! - Σ σᵢ Mᵢⱼ against a bid j > 0,
//! - Σ_{i>0} σᵢ Mᵢ₀ / (1 − σ₀) against bids of nothing for ever, or the value of endless play if σ₀
//!   = 1,
//!
//! and no other reply is better, because the other player faces a decision process with one state.

use super::certified::{is_pure, rounding, sides};
use super::kept::CyclePlay;
use super::matrix::Matrix;
use super::onward::OnwardValues;
use super::payoff::FloatEnclosure;
use super::table::{AllPayWork, ValueTable, worth};
use super::{BidMethod, Payoff};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::parallel;
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{Purses, Rules, Solver};
use crate::watch::{Context, Stop};

/// The greatest number of rounds in which the bids of a turn that may be repeated are improved.
const IMPROVEMENTS: u64 = 200;
/// The number of consecutive rounds that may change nothing.
const IDLE: u64 = 4;
/// The distance of two bounds at which the improvement ends.
const NEAR: f64 = 1e-13;

/// Bounds of a turn that may be repeated for ever, with the bids that prove them.
#[derive(Debug, Clone)]
pub struct Lasting<N: Payoff> {
    /// The value of the turn.
    pub(super) value: N,
    /// The bids of each player, from the least on.
    pub(super) bids: PerPlayer<Vec<N::Probability>>,
    /// The number of rounds in which they were improved.
    pub(super) rounds: u64,
}

/// The value found for a turn, with the method.
struct TurnValue<N: Payoff> {
    value: N,
    method: BidMethod,
    lasting: Option<Lasting<N>>,
}

/// Returns the value to Alice of staying at a position for ever, in halves.
pub(super) fn worth_of_standing(standing: &[Ending], rules: &Rules, node: NodeId) -> u8 {
    worth(
        standing.get(node.index()).copied().unwrap_or(Ending::Draw),
        rules,
    )
}

/// Returns whether two bids of nothing are possible, and another bid is as well.
fn may_last(rules: &Rules, purses: &Purses) -> bool {
    let PerPlayer { alice, bob } = purses.chips;
    alice + bob > 0 && rules.minimum_bid.of(alice) == 0 && rules.minimum_bid.of(bob) == 0
}

impl<N: Payoff> ValueTable<N> {
    /// Solves all positions that can be reached from a vertex, in increasing order of the number of
    /// chips left in all, as far as `fuel` lasts. Returns whether it sufficed.
    pub(super) fn advance_by_chips(
        &mut self,
        work: AllPayWork<'_>,
        from: NodeId,
        fuel: &mut u64,
    ) -> Result<bool> {
        let needed = work.graph.reached(from);
        let len = self.budgets().len();
        let open = |node: &NodeId| needed[node.index()] && !self.is_solved(*node);
        let open: Vec<NodeId> = work.graph.nodes().filter(open).collect();
        for &node in &open {
            let ended = work
                .graph
                .ending(node)
                .map_or(0, |ending| worth(ending, work.rules));
            self.fill(node, Some(vec![N::halves(ended); len]));
        }
        let members: Vec<NodeId> = open
            .iter()
            .copied()
            .filter(|&node| work.graph.ending(node).is_none())
            .collect();
        match self.levels(work, &members, fuel) {
            Ok(true) => Ok(true),
            unfinished => {
                // Rows that are filled only in part must not count as solved.
                open.iter().for_each(|&node| self.fill(node, None));
                unfinished
            }
        }
    }

    /// Solves these positions, with the fewest chips first.
    fn levels(&mut self, work: AllPayWork<'_>, members: &[NodeId], fuel: &mut u64) -> Result<bool> {
        let len = self.budgets().len();
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for (index, purses) in self.budgets().iter().enumerate() {
            let chips = fit::<usize>(purses.chips.alice + purses.chips.bob);
            levels.resize_with(levels.len().max(chips + 1), Vec::new);
            levels[chips].push(index);
        }
        let mut onward = vec![OnwardValues::unknown(&N::halves(0), len); members.len()];
        let mut kept: Vec<CyclePlay<N::Probability>> = members
            .iter()
            .map(|&node| CyclePlay::nothing(node, len))
            .collect();
        for (chips, level) in levels.iter().enumerate() {
            work.context
                .report("solving", chips as u64, Some(levels.len() as u64));
            let Some(turns) = self.level(work, members, &onward, level, fuel)? else {
                return Ok(false);
            };
            for ((place, index), turn) in states(members.len(), level).zip(turns) {
                self.methods.count(turn.method);
                self.set(members[place], index, turn.value);
                if let Some(lasting) = turn.lasting {
                    self.rounds = self.rounds.max(lasting.rounds);
                    let PerPlayer { alice, bob } = lasting.bids;
                    (kept[place].bids.alice[index], kept[place].bids.bob[index]) =
                        (Some(alice), Some(bob));
                }
            }
            for (place, index) in states(members.len(), level) {
                // Turns with more chips read these values, but those of the same level do not.
                onward[place].learn(work.graph, work.rules, members[place], index, |node| {
                    self.at(node, index)
                });
            }
        }
        self.keep(
            members
                .iter()
                .copied()
                .zip(kept)
                .filter(|(_, kept)| kept.is_something()),
        );
        Ok(true)
    }

    /// Solves the turns with the same number of chips in all. Returns `None` if that takes more
    /// work than there is fuel.
    fn level(
        &self,
        work: AllPayWork<'_>,
        members: &[NodeId],
        onward: &[OnwardValues<N>],
        level: &[usize],
        fuel: &mut u64,
    ) -> std::result::Result<Option<Vec<TurnValue<N>>>, Stop> {
        let states: Vec<(usize, usize)> = states(members.len(), level).collect();
        let most = *fuel;
        let solve = |state: usize| -> std::result::Result<(u64, Option<TurnValue<N>>), Stop> {
            work.context.check()?;
            let (place, index) = states[state];
            let purses = self.budgets().purses(index);
            let onward = &onward[place];
            let matrix = Matrix::new(work.rules, self.budgets(), onward, &purses, work.context)?;
            let (rows, columns) = (
                matrix.bids(Player::Alice) as u64,
                matrix.bids(Player::Bob) as u64,
            );
            let cost = N::cost(matrix.cells().iter(), work.context)?
                .saturating_mul(rows * columns * rows.min(columns));
            let endless = N::halves(worth_of_standing(work.standing, work.rules, members[place]));
            // Threads compare with the fuel at the start of the level, so the result does not
            // depend on them.
            let turn = (cost <= most).then(|| turn(work, &matrix, &purses, endless));
            Ok((cost, turn.transpose()?))
        };
        let mut turns = Vec::with_capacity(states.len());
        for (cost, turn) in parallel::try_map(0..states.len(), solve)? {
            let (Some(left), Some(turn)) = (fuel.checked_sub(cost), turn) else {
                return Ok(None);
            };
            *fuel = left;
            turns.push(turn);
        }
        Ok(Some(turns))
    }
}

/// Iterates over all pairs of a place and the number of purses.
fn states(places: usize, level: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..places).flat_map(move |place| level.iter().map(move |&index| (place, index)))
}

/// Computes the value of a turn.
fn turn<N: Payoff>(
    AllPayWork { rules, context, .. }: AllPayWork<'_>,
    matrix: &Matrix<N>,
    purses: &Purses,
    endless: N,
) -> std::result::Result<TurnValue<N>, Stop> {
    // Nobody can ever bid, so play stays at this position for ever.
    if purses.chips.alice + purses.chips.bob == 0 {
        return Ok(TurnValue {
            value: endless,
            method: BidMethod::Pure,
            lasting: None,
        });
    }
    if may_last(rules, purses) {
        let lasting = N::lasting(matrix, &endless, rules.solver, context)?;
        return Ok(TurnValue {
            value: lasting.value.clone(),
            method: BidMethod::Iteration,
            lasting: Some(lasting),
        });
    }
    let found = N::equilibrium(matrix, rules.solver, context)?;
    Ok(TurnValue {
        value: found.value,
        method: found.method,
        lasting: None,
    })
}

/// Computes bounds of a turn that may be repeated for ever.
pub(super) fn enclosed(
    matrix: &Matrix<FloatEnclosure>,
    endless: &FloatEnclosure,
    solver: Solver,
    context: &Context<'_>,
) -> std::result::Result<Lasting<FloatEnclosure>, Stop> {
    let endless = endless.low;
    let repeated = Repeated { matrix, endless };
    let mut guess = endless;
    let (mut before, mut idle) = (f64::INFINITY, 0);
    let mut found: Option<Lasting<FloatEnclosure>> = None;
    for round in 1..=IMPROVEMENTS {
        let [low, high] = sides(
            &matrix.clone().lasting(FloatEnclosure {
                low: guess,
                high: guess,
            }),
            solver,
            context,
        )?;
        let (alice, bob) = (low.strategies.alice, high.strategies.bob);
        let (least, most) = (repeated.guaranteed(&alice), repeated.held_to(&bob));
        let best = found.get_or_insert_with(|| Lasting {
            value: FloatEnclosure {
                low: least,
                high: most,
            },
            bids: PerPlayer::new(alice.clone(), bob.clone()),
            rounds: round,
        });
        best.rounds = round;
        // Each player's bound is valid for itself, so the best of all rounds are combined.
        if least > best.value.low {
            (best.value.low, best.bids.alice) = (least, alice);
        }
        if most < best.value.high {
            (best.value.high, best.bids.bob) = (most, bob);
        }
        idle = if best.value.width() < before {
            0
        } else {
            idle + 1
        };
        before = best.value.width();
        if before <= NEAR || idle > IDLE {
            break;
        }
        // Newton's method approaches from the side of endless play. It is slow where a value is
        // only approached, by bids that are seldom more than nothing; there a guess between the
        // bounds is better.
        let newton = if best.value.low > endless {
            best.value.low
        } else {
            best.value.high.min(endless)
        };
        guess = if round % 2 == 1 && newton != guess {
            newton
        } else {
            best.value.middle()
        };
    }
    Ok(found.unwrap_or_else(|| unreachable!("there is at least one round")))
}

/// A turn that both players repeat with the same bids until somebody bids something.
struct Repeated<'a> {
    matrix: &'a Matrix<FloatEnclosure>,
    endless: f64,
}

impl Repeated<'_> {
    /// Returns the least payoff that Alice's bids guarantee if they are repeated.
    fn guaranteed(&self, bids: &[f64]) -> f64 {
        let against = |bob: usize| {
            self.mean(bids, usize::from(bob == 0), |alice| {
                self.matrix.at(alice, bob).low
            })
        };
        let worst = (0..self.matrix.bids(Player::Bob))
            .map(against)
            .fold(1.0, f64::min);
        if is_pure(bids) {
            worst
        } else {
            (worst - rounding(bids.len())).max(0.0)
        }
    }

    /// Returns the greatest payoff that Bob's bids allow Alice if they are repeated.
    fn held_to(&self, bids: &[f64]) -> f64 {
        let against = |alice: usize| {
            self.mean(bids, usize::from(alice == 0), |bob| {
                self.matrix.at(alice, bob).high
            })
        };
        let best = (0..self.matrix.bids(Player::Alice))
            .map(against)
            .fold(0.0, f64::max);
        if is_pure(bids) {
            best
        } else {
            (best + rounding(bids.len())).min(1.0)
        }
    }

    /// Returns the mean payoff of the bids from `first` on, the first that ends the repetition; the
    /// value of endless play if they have no weight.
    fn mean(&self, bids: &[f64], first: usize, payoff: impl Fn(usize) -> f64) -> f64 {
        // Against a reply of nothing the bid of nothing repeats the turn, and has no part in the
        // mean.
        let weight: f64 = bids[first..].iter().sum();
        if weight == 0.0 {
            return self.endless;
        }
        (first..bids.len())
            .map(|bid| bids[bid] * payoff(bid))
            .sum::<f64>()
            / weight
    }
}
