//! The construction of one player's decision process from the other player's strategy on a cycle.

use std::collections::HashMap;

use super::process::{Process, ProcessNode};
use super::{CycleStates, PayoffBounds};
use crate::convert::fit;
use crate::game::NodeId;
use crate::law::decision::movers;
use crate::matrix::float;
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Tie, settle, tie};

/// The number of edges beyond which no decision process is built.
const MOST_EDGES: usize = 2_000_000;

/// The kind of bids that a player makes at the states where bounds are not yet equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlayMode {
    /// The bids that proved the lower bound last: a payoff better than endless play has to be
    /// reached.
    Progress,
    /// The bids that are best for the upper bounds: a payoff no better than endless play has to be
    /// preserved.
    Safety,
    /// Progress where more than the value of endless play is proved, otherwise safety.
    Proved,
    /// Progress where more than the value of endless play is possible, otherwise safety.
    Possible,
    /// Progress with small weights reduced: some values are only approached, the more closely the
    /// less is risked.
    Sharp,
}

impl PlayMode {
    pub(super) const ALL: [Self; 5] = [
        Self::Progress,
        Self::Safety,
        Self::Proved,
        Self::Possible,
        Self::Sharp,
    ];

    fn progresses(self, bounds: PayoffBounds, endless: f64) -> bool {
        match self {
            Self::Progress | Self::Sharp => true,
            Self::Safety => false,
            Self::Proved => bounds.least > endless,
            Self::Possible => bounds.most > endless,
        }
    }
}

impl CycleStates<'_> {
    /// Returns a player's bids at a state in this mode.
    pub(super) fn bids(&self, player: Player, way: PlayMode, state: usize) -> Vec<f64> {
        let len = self.budgets.len();
        let bounds = self.bounds(player, self.members[state / len], state % len);
        let progress = &self.progress[player][state];
        match way {
            PlayMode::Sharp => {
                float::normalised(progress.iter().map(|&weight| sharpened(weight)).collect())
            }
            _ if way.progresses(bounds, self.endless(player)) => progress.clone(),
            PlayMode::Progress | PlayMode::Safety | PlayMode::Proved | PlayMode::Possible => {
                self.safety[player][state].clone()
            }
        }
    }
}

/// Makes a small weight smaller.
fn sharpened(weight: f64) -> f64 {
    /// The bound below which a weight is small.
    const SMALL: f64 = 0.1;
    /// The least result; anything smaller would be lost in rounding.
    const LEAST: f64 = 1e-8;
    if weight < SMALL {
        (weight * weight).max(weight.min(LEAST))
    } else {
        weight
    }
}

/// The rank of a state for a player who has to choose among several.
#[derive(Debug, Clone, Copy)]
struct StateRank {
    bounds: PayoffBounds,
    /// The time at which the lower bound was raised last.
    stamp: u32,
}

/// A point of a turn after the bids, or a position that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum TurnPoint {
    /// A position, with the number of the purses.
    Position(NodeId, usize),
    /// A position at which the player has won the bid and decides, with the number of the purses.
    Won(NodeId, Player, usize),
    /// A position at which the player is to move, with the number of the purses.
    Moves(NodeId, Player, usize),
    /// A tie that the player decides: the purses if Alice wins it, and if Bob does.
    Tie(NodeId, Player, PerPlayer<usize>),
}

/// One player's strategy, and the process that the other player faces.
pub(super) struct CyclePlan<'a> {
    component: &'a CycleStates<'a>,
    player: Player,
    way: PlayMode,
    /// `true` for each state where play stops with the proved bound.
    stops: &'a [bool],
    process: Process,
    numbers: HashMap<TurnPoint, u32>,
    waiting: Vec<TurnPoint>,
    edges: usize,
}

impl<'a> CyclePlan<'a> {
    /// Builds the process, with the number of the node of each state. Returns `None` if it would be
    /// too large.
    pub(super) fn process(
        component: &'a CycleStates<'a>,
        player: Player,
        way: PlayMode,
        stops: &'a [bool],
    ) -> Option<(Process, Vec<u32>)> {
        let (process, numbers, waiting) = (Process::default(), HashMap::new(), Vec::new());
        let mut plan = Self {
            component,
            player,
            way,
            stops,
            process,
            numbers,
            waiting,
            edges: 0,
        };
        let mut states = Vec::new();
        for &node in component.members {
            for index in 0..component.budgets.len() {
                states.push(plan.number(TurnPoint::Position(node, index)));
            }
        }
        while let Some(point) = plan.waiting.pop() {
            let node = plan.node(point);
            let number = plan.numbers[&point] as usize;
            plan.process.nodes[number] = node;
            // A proof by strategies is optional, so a large process is given up instead of refused.
            if plan.edges > MOST_EDGES {
                return None;
            }
        }
        Some((plan.process, states))
    }

    fn number(&mut self, point: TurnPoint) -> u32 {
        *self.numbers.entry(point).or_insert_with(|| {
            self.waiting.push(point);
            // The node is a placeholder until its point is no longer waiting.
            self.process.nodes.push(ProcessNode::Known(0.0));
            fit::<u32>(self.process.nodes.len()) - 1
        })
    }

    fn node(&mut self, point: TurnPoint) -> ProcessNode {
        match point {
            TurnPoint::Position(node, index) => match self.component.state(node, index) {
                Some(state) if !self.stops[state] => self.lotteries(node, index, state),
                Some(_) | None => ProcessNode::Known(self.rank(point).bounds.least),
            },
            TurnPoint::Won(..) | TurnPoint::Moves(..) | TurnPoint::Tie(..) => {
                let (chooser, options) = self.options(point);
                // The player's own choices are part of the fixed strategy, so they are no choices
                // of the process.
                if chooser == self.player {
                    let best = self.best(&options);
                    return ProcessNode::forced(self.number(best));
                }
                self.edges += options.len();
                ProcessNode::Choice(
                    options
                        .into_iter()
                        .map(|option| self.number(option))
                        .collect(),
                )
            }
        }
    }

    /// Returns the player who chooses at a point after the bids, and the options.
    fn options(&self, point: TurnPoint) -> (Player, Vec<TurnPoint>) {
        let CycleStates { work, .. } = self.component;
        match point {
            TurnPoint::Position(..) => unreachable!("nobody has bid yet"),
            TurnPoint::Won(node, winner, index) => {
                let movers = movers(work.graph, node, winner, work.rules.winner);
                (
                    winner,
                    movers
                        .iter()
                        .map(|mover| TurnPoint::Moves(node, *mover, index))
                        .collect(),
                )
            }
            TurnPoint::Moves(node, mover, index) => {
                let heads = work.graph.successors(node, mover);
                (
                    mover,
                    heads
                        .iter()
                        .map(|&head| TurnPoint::Position(head, index))
                        .collect(),
                )
            }
            TurnPoint::Tie(node, chooser, after) => (
                chooser,
                Player::both(|winner| TurnPoint::Won(node, winner, after[winner])).into(),
            ),
        }
    }

    /// Creates the node of a state: the opponent's bids, each with the lottery over the player's.
    fn lotteries(&mut self, node: NodeId, index: usize, state: usize) -> ProcessNode {
        let component = self.component;
        let purses = component.budgets.purses(index);
        let own = component.bids(self.player, self.way, state);
        // The opponent bids without knowing the player's bid, so each answer faces the whole
        // lottery.
        let answers = (0..=purses.chips[self.player.other()]).map(|other| {
            let weights = own.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
            let mut parts = Vec::new();
            for (bid, &weight) in weights {
                let mut bids = PerPlayer::new(other, other);
                bids[self.player] = bid as u64;
                self.after_bids(node, &purses, bids, weight, &mut parts);
            }
            self.edges += parts.len() + 1;
            self.process.nodes.push(ProcessNode::Lottery(parts));
            fit::<u32>(self.process.nodes.len()) - 1
        });
        ProcessNode::Choice(answers.collect())
    }

    /// Adds the points that two bids lead to, to the parts of a lottery.
    fn after_bids(
        &mut self,
        node: NodeId,
        purses: &Purses,
        bids: PerPlayer<u64>,
        weight: f64,
        parts: &mut Vec<(f64, u32)>,
    ) {
        let component = self.component;
        let left = |winner| {
            component
                .budgets
                .index(&settle(component.work.rules, purses, bids, winner))
        };
        let won = |winner| TurnPoint::Won(node, winner, left(winner));
        if bids.alice != bids.bob {
            let winner = if bids.alice > bids.bob {
                Player::Alice
            } else {
                Player::Bob
            };
            return parts.push((weight, self.number(won(winner))));
        }
        match tie(component.work.rules, purses) {
            Tie::Goes(player) => parts.push((weight, self.number(won(player)))),
            Tie::ChosenBy(player) => {
                let point = TurnPoint::Tie(
                    node,
                    player,
                    PerPlayer::new(left(Player::Alice), left(Player::Bob)),
                );
                parts.push((weight, self.number(point)));
            }
            Tie::Nobody => unreachable!(
                "where equal bids move nobody every move costs chips, and no cycle matters"
            ),
            Tie::Coin => {
                for winner in Player::BOTH {
                    parts.push((weight / 2.0, self.number(won(winner))));
                }
            }
        }
    }

    /// Returns the player's choice among points.
    fn best(&self, options: &[TurnPoint]) -> TurnPoint {
        let ranks: Vec<StateRank> = options.iter().map(|&option| self.rank(option)).collect();
        let proved = (0..ranks.len()).reduce(|best, next| {
            if self.prefers(ranks[next], ranks[best]) {
                next
            } else {
                best
            }
        });
        let possible = (0..ranks.len()).reduce(|best, next| {
            if ranks[next].bounds.most > ranks[best].bounds.most {
                next
            } else {
                best
            }
        });
        let (Some(proved), Some(possible)) = (proved, possible) else {
            unreachable!("somebody can move")
        };
        let bounds = PayoffBounds {
            least: ranks[proved].bounds.least,
            most: ranks[possible].bounds.most,
        };
        let progresses = self
            .way
            .progresses(bounds, self.component.endless(self.player));
        options[if progresses { proved } else { possible }]
    }

    /// Returns whether a point has the better lower bound, or has had the same one for longer.
    fn prefers(&self, one: StateRank, other: StateRank) -> bool {
        one.bounds
            .least
            .total_cmp(&other.bounds.least)
            // A bound is proved from bounds raised before it, so the earlier stamp leads toward the
            // proof.
            .then(other.stamp.cmp(&one.stamp))
            .is_gt()
    }

    fn rank(&self, point: TurnPoint) -> StateRank {
        if let TurnPoint::Position(node, index) = point {
            let stamp = self
                .component
                .state(node, index)
                .map_or(0, |state| self.component.stamps[self.player][state]);
            return StateRank {
                bounds: self.component.bounds(self.player, node, index),
                stamp,
            };
        }
        let (chooser, options) = self.options(point);
        let ranks = options.into_iter().map(|option| self.rank(option));
        // The player takes the better of two points, and the opponent the worse one.
        let both = |one: StateRank, other: StateRank| {
            let own = chooser == self.player;
            let better = self.prefers(one, other) == own;
            let most = if own { f64::max } else { f64::min };
            let ahead = if better { one } else { other };
            let bounds = PayoffBounds {
                least: ahead.bounds.least,
                most: most(one.bounds.most, other.bounds.most),
            };
            StateRank {
                bounds,
                stamp: ahead.stamp,
            }
        };
        ranks
            .reduce(both)
            .unwrap_or_else(|| unreachable!("somebody can move"))
    }
}
