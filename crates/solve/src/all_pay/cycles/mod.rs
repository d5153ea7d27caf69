//! Bounds where positions come back.
//!
//! The values of a cycle solve the equations of every turn, but so may other numbers: the right
//! solution depends on the value of endless play (Everett, 1957). Under `draws: bob` it is the
//! least, under `draws: alice` the greatest, under `draws: half` one between. Bounds are proved in
//! three ways, each of which keeps the earlier proofs valid:
//!
//! 1. **Sure play** ([`region`]): states from which single bids win, or keep a payoff as good as
//!    endless play, whatever the opponent bids. These bounds are exact.
//! 2. **Turns**: a bound for the successors of a turn, however it was proved, gives one for the
//!    turn.
//! 3. **Strategies** ([`plan`], [`process`]): any fixed strategy proves the payoff that it
//!    guarantees against the best response. Strategies are taken from the turns: bids that have
//!    raised the player's bound make progress, bids that are best for the opponent's bound preserve
//!    what can be preserved. The choice is a guess, but the result is a bound in any case.
//!
//! At every state the bids are kept by which each player's bound was raised last, however it was
//! proved. *Together they prove all bounds*: a player who makes them at every turn for ever is sure
//! of the bound. For let this be so of some bounds and bids, let other bids prove numbers for some
//! states, with play stopping at the others with their known bounds, and take the new number and
//! the new bids exactly where the number is greater. Whatever the opponent does, the bound still
//! rises in the mean or stays the same. Suppose that the opponent can keep play for ever in a set
//! of states (each visited again and again) whose bounds are better for the player than endless
//! play. They are equal then, to c. Where the bids are new, the mean of the numbers at the
//! successors is at least c, and none is greater than the bound, which is c; so all are c, and at
//! those successors where the old bids are made the old bound is c. Where the bids are old, the
//! mean of the old bounds at the successors is at least c, so all are c; but where the bids are new
//! the old bound was less than c: old bids do not lead to new ones. So all bids in the set are old,
//! or all are new, and either proves by itself that play does not stay. The choices after the bids
//! are covered by the same argument, each a state of its own; if the best ones by their bounds are
//! made, and of those the ones of the least rank ([`ranks`]), play does not stay where it would not
//! by any others.
//!
//! Under `draws: neither` both players lose endless play: Alice's bound counts it as a win for Bob,
//! Bob's as a win for Alice.

mod plan;
mod process;
mod ranks;
mod system;

use std::collections::HashMap;

use self::plan::{CyclePlan, PlayMode};
use super::certified::sides;
use super::kept::{CyclePlay, Enclosed};
use super::matrix::Matrix;
use super::onward::OnwardValues;
use super::region::{SureGoal, region};
use super::table::AllPayWork;
use super::{Budgets, Equilibrium, FloatEnclosure};
use crate::convert::fit;
use crate::game::{NodeId, for_alice};
use crate::matrix::float;
use crate::parallel;
use crate::player::{PerPlayer, Player};
use crate::rules::Draws;
use crate::watch::{Stop, watched};

/// The number of times that every turn is solved between two rounds of strategies.
const TURNS: usize = 8;
/// The greatest number of rounds.
const ROUNDS: usize = 60;
/// The distance of two bounds that counts as equal.
const NEAR: f64 = 1e-12;
/// The greatest decrease of the total width in a round that counts as idle.
const GAIN: f64 = 1e-13;
/// The number of consecutive idle rounds after which the work ends.
const IDLE: usize = 2;
/// The number of rounds in which at least a tenth of the width must disappear.
const PATIENCE: usize = 12;
/// The least weight that is kept in bids that have to preserve a payoff. Smaller ones are rounding
/// errors, and any of them would lead play away for good.
const WEIGHT_LEAST: f64 = 1e-9;

/// Bounds of a player's payoff from that player's point of view: the payoff to Alice for her, and
/// its negative for Bob.
#[derive(Debug, Clone, Copy)]
struct PayoffBounds {
    least: f64,
    most: f64,
}

/// The states of a cycle: its positions with all purses, numbered position by position.
struct CycleStates<'a> {
    work: AllPayWork<'a>,
    budgets: &'a Budgets,
    members: &'a [NodeId],
    places: HashMap<NodeId, usize>,
    /// The bounds of every position solved so far, this cycle's included.
    rows: &'a mut [Option<Vec<FloatEnclosure>>],
    /// The value of endless play, as each player's bound has to count it.
    endless: PerPlayer<f64>,
    /// The bids by which each player's bound was raised last, by state.
    progress: PerPlayer<Vec<Vec<f64>>>,
    /// Each player's bids that are optimal for the opponent's bounds.
    safety: PerPlayer<Vec<Vec<f64>>>,
    /// The time at which each player's bound was raised last; 0 if it never was.
    stamps: PerPlayer<Vec<u32>>,
    clock: u32,
}

/// Fills the rows of a cycle's positions with bounds. Returns the strategies there.
///
/// # Errors
/// If the work is stopped; the rows are then incomplete.
pub(super) fn enclose(
    work: AllPayWork<'_>,
    budgets: &Budgets,
    members: &[NodeId],
    rows: &mut [Option<Vec<FloatEnclosure>>],
) -> Result<Enclosed<f64>, Stop> {
    let bids: u64 = budgets
        .iter()
        .map(|purses| purses.chips.alice + purses.chips.bob + 2)
        .sum();
    let weights = bids.saturating_mul(2 * members.len() as u64);
    work.context
        // Both players' bids are kept at every state, and they take more memory than the bounds.
        .admit_values::<f64>(weights)?;
    for member in members {
        rows[member.index()] = Some(vec![
            FloatEnclosure {
                low: 0.0,
                high: 1.0
            };
            budgets.len()
        ]);
    }
    let mut component = CycleStates::new(work, budgets, members, rows)?;
    // Sure play comes first, because its bounds are exact and everything else builds on them.
    component.sure_play()?;
    let (mut sweeps, mut idle) = (0, 0);
    let mut earlier = f64::INFINITY;
    for round in 0..ROUNDS {
        work.context
            .report("narrowing the bounds", round as u64, None);
        let before = component.total_width();
        for _ in 0..TURNS {
            sweeps += 1;
            component.turns()?;
        }
        // Turns are cheap and spread what is known, so several of them precede each costly proof.
        component.strategies()?;
        if component.widest() <= NEAR {
            break;
        }
        idle = if before - component.total_width() > GAIN {
            0
        } else {
            idle + 1
        };
        if idle > IDLE {
            break;
        }
        // Bounds may keep moving by a little for ever, so slow progress over many rounds ends the
        // work too.
        if round % PATIENCE == 0 {
            if component.total_width() > 0.9 * earlier {
                break;
            }
            earlier = component.total_width();
        }
    }
    Ok(Enclosed {
        sweeps,
        kept: component.kept()?,
    })
}

impl<'a> CycleStates<'a> {
    fn new(
        work: AllPayWork<'a>,
        budgets: &'a Budgets,
        members: &'a [NodeId],
        rows: &'a mut [Option<Vec<FloatEnclosure>>],
    ) -> Result<Self, Stop> {
        let states = members.len() * budgets.len();
        let endless = match work.rules.draws {
            // Each player's bound counts endless play as a loss for that player.
            Draws::Neither => PerPlayer::new(0.0, 1.0),
            Draws::Alice => PerPlayer::new(1.0, 1.0),
            Draws::Bob => PerPlayer::new(0.0, 0.0),
            Draws::Half => PerPlayer::new(0.5, 0.5),
        };
        let even = |player: Player| -> Result<Vec<Vec<f64>>, Stop> {
            let bids = members.iter().flat_map(|_| {
                let purses = budgets.iter();
                purses.map(|purses| fit::<usize>(purses.chips[player]) + 1)
            });
            watched(bids, work.context)
                .map(|bids| bids.map(|bids| vec![1.0 / bids as f64; bids]))
                .collect()
        };
        let both = || Ok(PerPlayer::new(even(Player::Alice)?, even(Player::Bob)?));
        Ok(Self {
            work,
            budgets,
            members,
            places: members.iter().copied().zip(0..).collect(),
            rows,
            endless,
            progress: both()?,
            safety: both()?,
            stamps: PerPlayer::new(vec![0; states], vec![0; states]),
            clock: 1,
        })
    }

    /// Returns the number of a state of the cycle; `None` for positions outside.
    fn state(&self, node: NodeId, index: usize) -> Option<usize> {
        self.places
            .get(&node)
            .map(|place| place * self.budgets.len() + index)
    }

    fn row(&self, node: NodeId) -> &[FloatEnclosure] {
        self.rows[node.index()]
            .as_ref()
            .expect("successors are solved first")
    }

    /// Returns the known bounds of a player's payoff, from this player's point of view.
    fn bounds(&self, player: Player, node: NodeId, index: usize) -> PayoffBounds {
        let FloatEnclosure { low, high } = self.row(node)[index];
        match player {
            Player::Alice => PayoffBounds {
                least: low,
                most: high,
            },
            Player::Bob => PayoffBounds {
                least: -high,
                most: -low,
            },
        }
    }

    /// Returns the value of endless play, from a player's point of view.
    fn endless(&self, player: Player) -> f64 {
        for_alice(player, self.endless[player])
    }

    fn enclosures(&self) -> impl Iterator<Item = &FloatEnclosure> {
        self.members.iter().flat_map(|&member| self.row(member))
    }

    fn total_width(&self) -> f64 {
        self.enclosures().map(FloatEnclosure::width).sum()
    }

    fn widest(&self) -> f64 {
        self.enclosures()
            .map(FloatEnclosure::width)
            .fold(0.0, f64::max)
    }

    /// Raises a bound if the new one is better than the known one. Returns whether it is.
    fn raise(&mut self, player: Player, node: NodeId, index: usize, least: f64) -> bool {
        let known = self.bounds(player, node, index);
        debug_assert!(least <= known.most + 1e-9, "the bounds of {node:?} cross");
        let least = least.min(known.most);
        if least <= known.least {
            return false;
        }
        let Some(state) = self.state(node, index) else {
            return false;
        };
        let cell = &mut self.rows[node.index()]
            .as_mut()
            .expect("the rows of a cycle are filled first")[index];
        match player {
            Player::Alice => cell.low = least,
            // The subtraction avoids -0, which some readers take for another number than 0.
            Player::Bob => cell.high = 0.0 - least,
        }
        self.stamps[player][state] = self.clock;
        true
    }

    /// Raises the bounds of states from which a player surely wins, or surely gets the value of
    /// endless play.
    fn sure_play(&mut self) -> Result<(), Stop> {
        for player in Player::BOTH {
            let won = match player {
                Player::Alice => 1.0,
                Player::Bob => 0.0,
            };
            // Sure wins are found first, because they are at least as good as endless play.
            for worth in [won, self.endless[player]] {
                let signed = for_alice(player, worth);
                let goal = SureGoal {
                    player,
                    endless: signed <= self.endless(player),
                };
                let outside = |node, index| self.bounds(player, node, index).least >= signed;
                let found = region(self.work, self.budgets, self.members, goal, outside)?;
                for (&member, row) in self.members.iter().zip(found) {
                    for (index, bid) in row.into_iter().enumerate() {
                        let Some((bid, state)) = bid.zip(self.state(member, index)) else {
                            continue;
                        };
                        if self.raise(player, member, index, signed) {
                            let bids = &mut self.progress[player][state];
                            bids.fill(0.0);
                            bids[bid] = 1.0;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Solves every turn once.
    fn turns(&mut self) -> Result<(), Stop> {
        for place in 0..self.members.len() {
            let member = self.members[place];
            self.clock += 1;
            let AllPayWork {
                graph,
                rules,
                context,
                ..
            } = self.work;
            let row = |head| self.row(head);
            let onward = OnwardValues::new(graph, rules, self.budgets, member, row, context)?;
            let solve = |index: usize| {
                context.check()?;
                // Bounds that coincide cannot be raised, so their matrix need not be solved.
                if self.row(member)[index].width() <= 0.0 {
                    return Ok(None);
                }
                let purses = self.budgets.purses(index);
                let matrix = Matrix::new(rules, self.budgets, &onward, &purses, context)?;
                sides(&matrix, rules.solver, context).map(Some)
            };
            let solved: Vec<Option<[Equilibrium<FloatEnclosure>; 2]>> =
                // All turns of a position are solved from the same bounds, so threads need no
                // locks.
                parallel::try_map::<_, _, Stop>(0..self.budgets.len(), solve)?;
            for (index, sides) in solved.into_iter().enumerate() {
                if let Some(sides) = sides {
                    self.turn(member, index, sides);
                }
            }
        }
        Ok(())
    }

    /// Stores the bounds that the bids of one turn prove, and the bids.
    fn turn(&mut self, node: NodeId, index: usize, [low, high]: [Equilibrium<FloatEnclosure>; 2]) {
        let Some(state) = self.state(node, index) else {
            return;
        };
        if self.raise(Player::Alice, node, index, low.value.low) {
            self.progress.alice[state] = low.strategies.alice;
        }
        if self.raise(Player::Bob, node, index, -high.value.high) {
            self.progress.bob[state] = high.strategies.bob;
        }
        // Alice's bids for the upper bounds, which are Bob's, keep what she can still hope for.
        self.safety.alice[state] = kept(high.strategies.alice);
        self.safety.bob[state] = kept(low.strategies.bob);
    }

    /// Raises the bounds that fixed strategies prove.
    fn strategies(&mut self) -> Result<(), Stop> {
        for player in Player::BOTH {
            for way in PlayMode::ALL {
                self.strategy(player, way)?;
            }
        }
        Ok(())
    }

    /// Returns the strategies of both players at each position. The bids are moved out of the
    /// states.
    fn kept(&mut self) -> Result<Vec<CyclePlay<f64>>, Stop> {
        let players = PerPlayer::new(Player::Alice, Player::Bob);
        let ranks = PerPlayer::new(self.ranks(Player::Alice)?, self.ranks(Player::Bob)?);
        let len = self.budgets.len();
        let at = |place: usize| {
            let states = place * len..(place + 1) * len;
            let bids = players.map(|player| {
                let bids = |state: usize| {
                    (self.stamps[player][state] > 0)
                        .then(|| std::mem::take(&mut self.progress[player][state]))
                };
                states.clone().map(bids).collect()
            });
            let ranks = players.map(|player| ranks[player][states.clone()].to_vec());
            CyclePlay {
                cycle: self.members[0],
                bids,
                ranks,
            }
        };
        Ok((0..self.members.len()).map(at).collect())
    }

    /// Raises the bounds that a strategy proves: once as it is, and once with play stopping where
    /// more has been proved already.
    fn strategy(&mut self, player: Player, way: PlayMode) -> Result<(), Stop> {
        let mut stops: Vec<bool> = self
            .enclosures()
            .map(|found| found.width() <= NEAR)
            .collect();
        // The second time play stops where the strategy proves less than is known, which helps
        // states that lead there.
        for _ in 0..2 {
            let Some((process, states)) = CyclePlan::process(self, player, way, &stops) else {
                return Ok(());
            };
            let Some(found) = process.guaranteed(self.endless(player), self.work.context)? else {
                return Ok(());
            };
            self.clock += 1;
            let (mut stopped, len) = (false, self.budgets.len());
            let played: Vec<Vec<f64>> = (0..stops.len())
                .map(|state| self.bids(player, way, state))
                .collect();
            for (state, number) in states.into_iter().enumerate() {
                let (node, index, least) = (
                    self.members[state / len],
                    state % len,
                    found[number as usize],
                );
                if self.raise(player, node, index, least) {
                    self.progress[player][state].clone_from(&played[state]);
                } else if !stops[state] && least < self.bounds(player, node, index).least {
                    (stops[state], stopped) = (true, true);
                }
            }
            if !stopped {
                break;
            }
        }
        Ok(())
    }
}

/// Removes weights that are rounding errors from bids.
fn kept(weights: Vec<f64>) -> Vec<f64> {
    float::normalised(
        weights
            .into_iter()
            .map(|weight| if weight < WEIGHT_LEAST { 0.0 } else { weight })
            .collect(),
    )
}
