//! The values of all positions, for all purses that play can reach, from the endings backward.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasher;

use num_traits::Zero;
use rustc_hash::FxBuildHasher;

use super::kept::CyclePlay;
use super::matrix::Matrix;
use super::merged::MergedCycle;
use super::onward::OnwardValues;
use super::{BidMethod, Budgets, Equilibrium, Payoff};
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::game::{GameGraph, NodeId};
use crate::parallel;
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{Draws, Purses, Rules, TieBreak};
use crate::watch::{Context, Stop};

/// A row of values for each position solved so far. The solved rows stay when the work is stopped.
#[derive(Debug, Clone)]
pub struct ValueTable<N: Payoff> {
    budgets: Budgets,
    rows: Vec<Option<Vec<N>>>,
    /// The positions whose turns were solved, by the hash of the values after the bid.
    turns: HashMap<u64, NodeId>,
    /// The strategies on cycles, by position.
    kept: HashMap<NodeId, CyclePlay<N::Probability>>,
    /// The number of turns solved by each method. Turns with equal payoffs are solved once.
    pub methods: Methods,
    /// The number of times that the bounds of a cycle were improved, on the cycle that took
    /// longest; 0 if there are no cycles.
    pub rounds: u64,
}

/// The number of turns solved by each method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Methods {
    /// By exact arithmetic.
    pub exact: u64,
    /// By single bids.
    pub pure: u64,
    /// By Toeplitz systems.
    pub toeplitz: u64,
    /// By linear programming.
    pub linear_program: u64,
}

impl Methods {
    pub(super) fn count(&mut self, method: BidMethod) {
        *match method {
            BidMethod::Exact => &mut self.exact,
            BidMethod::Pure => &mut self.pure,
            BidMethod::Toeplitz => &mut self.toeplitz,
            BidMethod::LinearProgram => &mut self.linear_program,
            BidMethod::Iteration => return,
        } += 1;
    }
}

/// A game with its rules, and the context that is asked whether to go on.
#[derive(Clone, Copy)]
pub struct AllPayWork<'a> {
    pub(super) graph: &'a GameGraph,
    pub(super) rules: &'a Rules,
    pub(super) context: &'a Context<'a>,
    /// The results of play that stays at a vertex for ever, where equal bids move nobody.
    pub(super) standing: &'a [Ending],
}

impl<N: Payoff> ValueTable<N> {
    /// Creates a table with nothing solved yet.
    ///
    /// # Errors
    /// If the values would not fit in memory; the message says how much they need.
    pub(super) fn new(graph: &GameGraph, budgets: Budgets, context: &Context<'_>) -> Result<Self> {
        let bytes = (graph.len() as u64)
            .saturating_mul(budgets.len() as u64)
            .saturating_mul(size_of::<N>() as u64);
        let limit = context.limits.max_memory;
        // The whole table is checked at once, because rows are kept until the end.
        if bytes > limit {
            return Err(too_much(graph.len(), &budgets, bytes, limit).into());
        }
        Ok(Self {
            budgets,
            rows: vec![None; graph.len()],
            turns: HashMap::new(),
            kept: HashMap::new(),
            methods: Methods::default(),
            rounds: 0,
        })
    }

    /// Returns the purses of each row.
    pub fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    /// Returns the value of a position that has been solved.
    pub fn value(&self, node: NodeId, purses: &Purses) -> Option<&N> {
        self.rows[node.index()]
            .as_ref()
            .map(|row| &row[self.budgets.index(purses)])
    }

    /// Returns the number of positions that have been solved.
    pub fn solved(&self) -> usize {
        self.rows.iter().filter(|row| row.is_some()).count()
    }

    /// Finds bids at a solved vertex that is not an ending, with the value that they prove. They
    /// are optimal turn by turn; on cycles they are the ones that may be repeated for ever. Bids
    /// below a player's minimum have no weight.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn equilibrium(
        &self,
        graph: &GameGraph,
        rules: &Rules,
        node: NodeId,
        purses: &Purses,
        context: &Context<'_>,
    ) -> std::result::Result<Equilibrium<N>, Stop> {
        let matrix = self.matrix(graph, rules, node, purses, context)?;
        let mut found = N::equilibrium(&matrix, rules.solver, context)?;
        for player in Player::BOTH {
            let least = fit::<usize>(rules.minimum_bid.of(purses.chips[player]));
            found.strategies[player]
                // The matrix numbers bids from the least one on, whereas strategies begin with a
                // bid of 0.
                .splice(0..0, std::iter::repeat_n(N::Probability::zero(), least));
        }
        let Some(kept) = self.kept.get(&node) else {
            return Ok(found);
        };
        let index = self.budgets.index(purses);
        found.value = self.row(node)[index].clone();
        for player in Player::BOTH {
            if let Some(bids) = &kept.bids[player][index] {
                found.strategies[player].clone_from(bids);
                found.method = BidMethod::Iteration;
            }
        }
        Ok(found)
    }

    /// Returns what both players can expect of moving on to a position that has been solved.
    pub(super) fn promise(
        &self,
        from: NodeId,
        to: NodeId,
        purses: &Purses,
    ) -> PositionPromise<'_, N> {
        let index = self.budgets.index(purses);
        let ranks = self
            .kept
            .get(&from)
            .zip(self.kept.get(&to))
            // Ranks of different cycles are not comparable; leaving the cycle counts as nearest.
            .filter(|(from, to)| from.cycle == to.cycle);
        let ranks =
            ranks.map(|(_, kept)| PerPlayer::new(kept.ranks.alice[index], kept.ranks.bob[index]));
        PositionPromise {
            value: &self.row(to)[index],
            ranks: ranks.unwrap_or_default(),
        }
    }

    /// Computes the payoff matrix at a solved vertex that is not an ending.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn matrix(
        &self,
        graph: &GameGraph,
        rules: &Rules,
        node: NodeId,
        purses: &Purses,
        context: &Context<'_>,
    ) -> std::result::Result<Matrix<N>, Stop> {
        let onward = self.onward(graph, rules, node, context)?;
        Matrix::new(rules, &self.budgets, &onward, purses, context)
    }

    fn onward(
        &self,
        graph: &GameGraph,
        rules: &Rules,
        node: NodeId,
        context: &Context<'_>,
    ) -> std::result::Result<OnwardValues<N>, Stop> {
        let row = |head| self.row(head);
        OnwardValues::new(graph, rules, &self.budgets, node, row, context)
    }

    /// Returns the value of a position with the purses of this number.
    pub(super) fn at(&self, node: NodeId, index: usize) -> &N {
        &self.row(node)[index]
    }

    /// Sets the value of a position with the purses of this number.
    pub(super) fn set(&mut self, node: NodeId, index: usize, value: N) {
        self.rows[node.index()]
            .as_mut()
            .expect("the row is filled first")[index] = value;
    }

    /// Sets or removes the row of a position.
    pub(super) fn fill(&mut self, node: NodeId, row: Option<Vec<N>>) {
        self.rows[node.index()] = row;
    }

    /// Returns whether a position has been solved.
    pub(super) fn is_solved(&self, node: NodeId) -> bool {
        self.rows[node.index()].is_some()
    }

    /// Stores the strategies at positions of cycles.
    pub(super) fn keep(
        &mut self,
        kept: impl IntoIterator<Item = (NodeId, CyclePlay<N::Probability>)>,
    ) {
        self.kept.extend(kept);
    }

    fn row(&self, node: NodeId) -> &[N] {
        self.rows[node.index()]
            .as_ref()
            .expect("successors are solved first")
    }

    /// Solves all positions that can be reached from a vertex, as far as `fuel` lasts. Returns
    /// whether it sufficed.
    pub(super) fn advance(
        &mut self,
        work: AllPayWork<'_>,
        from: NodeId,
        fuel: &mut u64,
    ) -> Result<bool> {
        if work.rules.ties == TieBreak::Nobody {
            return self.advance_by_chips(work, from, fuel);
        }
        let needed = work.graph.reached(from);
        let total = needed.iter().filter(|needed| **needed).count() as u64;
        let mut done = 0;
        for (members, cyclic) in work.graph.components().iter() {
            if !needed[members[0].index()] || self.rows[members[0].index()].is_some() {
                done += u64::from(needed[members[0].index()]) * members.len() as u64;
                continue;
            }
            work.context.report("solving", done, Some(total));
            if cyclic {
                self.enclose(work, members)?;
            } else if !self.solve_row(work, members[0], fuel)? {
                return Ok(false);
            }
            done += members.len() as u64;
        }
        Ok(true)
    }

    /// Solves one vertex whose successors are solved.
    fn solve_row(&mut self, work: AllPayWork<'_>, node: NodeId, fuel: &mut u64) -> Result<bool> {
        let len = self.budgets.len();
        if let Some(ending) = work.graph.ending(node) {
            self.rows[node.index()] = Some(vec![N::halves(worth(ending, work.rules)); len]);
            return Ok(true);
        }
        let onward = self.onward(work.graph, work.rules, node, work.context)?;
        let hash = FxBuildHasher.hash_one(&onward);
        if let Some(&known) = self.turns.get(&hash)
            && self.onward(work.graph, work.rules, known, work.context)? == onward
        {
            // Positions often differ only in what no longer matters, with equal payoffs.
            self.rows[node.index()] = self.rows[known.index()].clone();
            return Ok(true);
        }
        let cost = N::cost(onward.values(), work.context)?.saturating_mul(self.budgets.work());
        match fuel.checked_sub(cost) {
            // The estimate is deducted in advance, so that no row is begun that cannot be paid for.
            Some(left) => *fuel = left,
            None => return Ok(false),
        }
        let solved = self.solve_turns(work, &onward)?;
        solved
            .iter()
            .for_each(|(_, method)| self.methods.count(*method));
        self.rows[node.index()] = Some(solved.into_iter().map(|(value, _)| value).collect());
        self.turns.insert(hash, node);
        Ok(true)
    }

    fn solve_turns(
        &self,
        work: AllPayWork<'_>,
        onward: &OnwardValues<N>,
    ) -> std::result::Result<Vec<(N, BidMethod)>, Stop> {
        let solve = |index| {
            work.context.check()?;
            let purses = self.budgets.purses(index);
            let matrix = Matrix::new(work.rules, &self.budgets, onward, &purses, work.context)?;
            let found = N::equilibrium(&matrix, work.rules.solver, work.context)?;
            Ok((found.value, found.method))
        };
        parallel::try_map(0..self.budgets.len(), solve)
    }

    /// Computes bounds for the positions of a cycle.
    fn enclose(&mut self, work: AllPayWork<'_>, members: &[NodeId]) -> Result<()> {
        let cycle = MergedCycle::new(work, members, |head| self.row(head))?;
        let mut rows = vec![None; cycle.members.len()];
        rows.extend(
            cycle
                .outside
                .iter()
                .map(|node| self.rows[node.index()].clone()),
        );
        let work = AllPayWork {
            graph: &cycle.graph,
            ..work
        };
        let found = N::enclose(work, &self.budgets, &cycle.members, &mut rows)?;
        self.rounds = self.rounds.max(found.sweeps);
        for (node, merged) in members.iter().zip(&cycle.of) {
            self.rows[node.index()].clone_from(&rows[merged.index()]);
            let kept = CyclePlay {
                cycle: members[0],
                ..found.kept[merged.index()].clone()
            };
            self.kept.insert(*node, kept);
        }
        Ok(())
    }
}

/// The expectation of both players at a position: its value, and each player's rank, the distance
/// to a state where the player's bound changes ([`CyclePlay`]).
#[derive(Debug)]
pub(super) struct PositionPromise<'a, N> {
    value: &'a N,
    ranks: PerPlayer<u32>,
}

impl<N> Clone for PositionPromise<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for PositionPromise<'_, N> {}

impl<N: Payoff> PositionPromise<'_, N> {
    /// Compares two positions for a player: the one that guarantees more is greater, and of equal
    /// ones the nearer.
    pub(super) fn compare(&self, other: &Self, player: Player) -> Ordering {
        self.value
            .compare(other.value, player)
            .then(other.ranks[player].cmp(&self.ranks[player]))
    }
}

/// Returns the value of an ending to Alice, in halves. Under `draws: neither` a draw is admitted
/// only where it cannot happen.
pub(super) fn worth(ending: Ending, rules: &Rules) -> u8 {
    match (ending, rules.draws) {
        (Ending::Win(Player::Alice), _) | (Ending::Draw, Draws::Alice) => 2,
        (Ending::Draw, Draws::Half) => 1,
        (Ending::Win(Player::Bob), _) | (Ending::Draw, Draws::Bob | Draws::Neither) => 0,
    }
}

fn too_much(positions: usize, budgets: &Budgets, bytes: u64, limit: u64) -> Diagnostic {
    Diagnostic::new(
        Code::Memory,
        format!(
            "the values of {} for {} each would take {}",
            counted(positions, "position"),
            counted(budgets.len(), "purse"),
            in_words(bytes)
        ),
    )
    .note(format!("the limit is {}", in_words(limit)))
    .help("raise the limit with `--max-memory SIZE`, or play with fewer chips")
}

/// Formats a number of bytes, rounded up to a unit that reads well.
fn in_words(bytes: u64) -> String {
    const UNITS: [(&str, u32); 4] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let unit = UNITS.iter().find(|(_, shift)| bytes >> shift > 0);
    unit.map_or(format!("{bytes} bytes"), |(name, shift)| {
        format!("{} {name}", bytes.div_ceil(1 << shift))
    })
}
