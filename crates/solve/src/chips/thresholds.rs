//! The thresholds of one player at every vertex of a graph, for any number of totals at once.

use super::credit::{self, CreditTask};
use super::kernel::{Kernel, Scale};
use super::pass::{Aim, Fall, FallHistory, Goal, Play, ThresholdPass};
use super::quantity::ThresholdInteger;
use super::sums::Sums;
use super::swept::{self, Lane};
use super::threshold::Threshold;
use super::values::{NarrowestThresholds, VertexThresholds};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, Goals, MarkedGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::positions::Graphless;
use crate::rules::admit::{self, ChipsQuestion, MOST_CHIPS};
use crate::rules::{Purses, Rules, Solver, TieBreak};
use crate::space::sweep::Need;
use crate::watch::{Context, Stop};

/// The number of chips from which on a player wins, at every vertex, for each of some totals
/// ("lanes").
#[derive(Debug, Clone)]
pub struct Thresholds {
    seeker: Player,
    ties: TieBreak,
    scale: Scale,
    totals: Vec<u64>,
    forcing: NarrowestThresholds,
    /// The thresholds of wins that cannot be prevented; `None` if they are proved to be the same.
    unprevented: Option<NarrowestThresholds>,
    history: Option<FallHistory>,
}

impl Thresholds {
    /// Solves a graph for the player who seeks to win, for every total at once.
    ///
    /// # Errors
    /// Returns E0602 or E0603 under rules without thresholds ([`admit::chips`]), E0701 for
    /// too many chips, and an error if the work is stopped.
    pub fn solve<'a>(
        game: impl Into<MarkedGraph<'a>>,
        rules: &Rules,
        seeker: Player,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Self> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        if let Some(&most) = totals.iter().find(|&&total| total > MOST_CHIPS) {
            admit::total(&most.into())?;
        }
        let game = game.into();
        let task = ThresholdTask {
            game: ThresholdSubject::Graph(game),
            rules,
            totals,
            context,
            play: None,
        };
        task.refuse_wrong_solver()?;
        Ok(task
            .thresholds(seeker, Recording::No)?
            .expect("a graph has thresholds"))
    }

    /// Solves for some positions of a numbered ruleset, which are then the vertices, or for one
    /// position layer by layer. Returns `None` if no such method applies.
    ///
    /// # Errors
    /// The errors of [`Thresholds::solve`].
    pub fn solve_graphless<'a>(
        positions: impl Into<Graphless<'a>>,
        rules: &Rules,
        seeker: Player,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Option<Self>> {
        let task = ThresholdTask {
            game: ThresholdSubject::Graphless(positions.into()),
            rules,
            totals,
            context,
            play: None,
        };
        if is_for_sweeps(rules, totals)? {
            task.thresholds(seeker, Recording::No)
        } else {
            Ok(None)
        }
    }

    /// Returns the resources of sweeps that find the thresholds of one player, or of both at once;
    /// `None` if the rules need a graph, or there are too many chips for machine numbers.
    ///
    /// # Errors
    /// The errors of [`Thresholds::solve`].
    pub fn sweep_need(rules: &Rules, totals: &[u64], players: usize) -> Result<Option<Need>> {
        if !is_for_sweeps(rules, totals)? {
            return Ok(None);
        }
        let kernel = Kernel::of(rules, Player::Alice);
        let drawn = if players == 1 {
            1
        } else {
            drawn_lanes(rules).len()
        };
        let lanes: Vec<Lane> = totals
            .iter()
            .flat_map(|total| {
                (0..drawn).map(|n| Lane {
                    total: *total,
                    drawn: n > 0,
                })
            })
            .collect();
        // With a gap, wins that are forced and wins that cannot be prevented take a sweep each.
        let passes = if kernel.has_gap() { 2 } else { 1 };
        let need = swept::need(kernel.scale(), &lanes);
        Ok(need.map(|need| Need {
            sweeps: need.sweeps * passes,
            ..need
        }))
    }

    /// Solves for both players' thresholds at once.
    ///
    /// # Errors
    /// The errors of [`Thresholds::solve`].
    pub(super) fn solve_both(
        positions: Graphless<'_>,
        rules: &Rules,
        totals: &[u64],
        context: &Context<'_>,
    ) -> Result<Option<PerPlayer<Self>>> {
        let task = ThresholdTask {
            game: ThresholdSubject::Graphless(positions),
            rules,
            totals,
            context,
            play: None,
        };
        if is_for_sweeps(rules, totals)? {
            task.both(positions)
        } else {
            Ok(None)
        }
    }

    /// Solves for one total and keeps the order in which states became won. `drawn` says whether a
    /// drawn ending counts as a win of the seeker.
    pub(crate) fn solve_recording(
        game: MarkedGraph<'_>,
        rules: &Rules,
        seeker: Player,
        drawn: bool,
        total: u64,
        context: &Context<'_>,
    ) -> Result<Self> {
        admit::chips(rules, ChipsQuestion::Threshold)?;
        admit::total(&total.into())?;
        let task = ThresholdTask {
            game: ThresholdSubject::Graph(game),
            rules,
            totals: &[total],
            context,
            play: None,
        };
        Ok(task
            .reaching(seeker, drawn, Recording::Yes)?
            .expect("a graph has thresholds"))
    }

    /// Finds the sums of weights by which a player's strategy reaches these thresholds, if weights
    /// are the objective. `drawn` says whether a draw is good enough.
    pub(crate) fn sums(
        &self,
        game: MarkedGraph<'_>,
        rules: &Rules,
        drawn: bool,
        context: &Context<'_>,
    ) -> Result<Option<Sums>> {
        let Some(Goals::Weights(weights)) = game.goals else {
            return Ok(None);
        };
        let task = CreditTask {
            graph: game.graph,
            weights,
            rules,
            context,
        };
        Sums::of(&task, drawn, self, self.totals[0]).map(Some)
    }

    /// Finds the thresholds of the seeker's forced wins, whatever the rules say of draws, for
    /// players who play as `play` says.
    pub(crate) fn solve_reaching(
        graph: &GameGraph,
        rules: &Rules,
        seeker: Player,
        totals: &[u64],
        play: Option<Play<'_>>,
        context: &Context<'_>,
    ) -> Result<Self> {
        let task = ThresholdTask {
            game: ThresholdSubject::Graph(graph.into()),
            rules,
            totals,
            context,
            play,
        };
        Ok(task
            .reaching(seeker, false, Recording::No)?
            .expect("a graph has thresholds"))
    }

    /// Returns the player whose wins these are.
    pub fn seeker(&self) -> Player {
        self.seeker
    }

    /// Returns the totals, by lane.
    pub fn totals(&self) -> &[u64] {
        &self.totals
    }

    /// Returns the least chips with which the seeker forces a win, for a holder of the tie status;
    /// k + 1 if there are none. Under rules without a status the holder does not matter.
    pub fn forces(&self, node: NodeId, holder: Player, lane: usize) -> u64 {
        self.scale.least(
            self.forcing.raw(node, lane),
            holder == self.seeker,
            self.totals[lane],
        )
    }

    /// Returns the forcing threshold in the rule's notation, which `f(G, k)` prints for Alice.
    pub fn threshold(&self, node: NodeId, lane: usize) -> Threshold {
        Threshold::new(
            self.scale,
            self.ties,
            self.forcing.raw(node, lane),
            self.totals[lane],
        )
    }

    /// Returns whether the seeker forces a win with these purses, which must add up to the lane's
    /// total.
    pub fn is_forced(&self, node: NodeId, purses: &Purses, lane: usize) -> bool {
        self.reached(self.forcing.raw(node, lane), purses, lane)
    }

    /// Returns whether the opponent has no way to prevent the seeker's win with these purses.
    pub fn is_unpreventable(&self, node: NodeId, purses: &Purses, lane: usize) -> bool {
        self.reached(self.unprevented().raw(node, lane), purses, lane)
    }

    /// Returns whether these purses reach thresholds of this scale.
    pub(crate) fn reached(&self, raw: [u64; 2], purses: &Purses, lane: usize) -> bool {
        debug_assert_eq!(
            purses.chips.alice + purses.chips.bob,
            self.totals[lane],
            "the lane of another total"
        );
        let has_status = purses.status == Some(self.seeker);
        self.scale.reached(
            raw,
            purses.chips[self.seeker],
            has_status,
            self.totals[lane],
        )
    }

    /// Returns the thresholds of a vertex as the kernels write them.
    pub(crate) fn raw(&self, node: NodeId, lane: usize) -> [u64; 2] {
        self.forcing.raw(node, lane)
    }

    /// Returns the thresholds from which a win cannot be prevented, as the kernels write them.
    pub fn raw_unprevented(&self, node: NodeId, lane: usize) -> [u64; 2] {
        self.unprevented().raw(node, lane)
    }

    /// Returns the scale of the kernels' numbers.
    pub(crate) fn scale(&self) -> Scale {
        self.scale
    }

    /// Returns the falls of a vertex's thresholds inside its cyclic component, in order; empty
    /// elsewhere, and where nothing was recorded.
    pub(crate) fn falls(&self, node: NodeId) -> &[Fall] {
        self.history
            .as_ref()
            .map_or(&[], |history| &history[node.index()])
    }

    fn unprevented(&self) -> &NarrowestThresholds {
        self.unprevented.as_ref().unwrap_or(&self.forcing)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recording {
    Yes,
    No,
}

/// The subject of a task: all vertices of a graph, or some positions of a ruleset.
#[derive(Clone, Copy)]
enum ThresholdSubject<'a> {
    Graph(MarkedGraph<'a>),
    Graphless(Graphless<'a>),
}

/// The task of solving for one player's thresholds.
struct ThresholdTask<'a> {
    game: ThresholdSubject<'a>,
    rules: &'a Rules,
    totals: &'a [u64],
    context: &'a Context<'a>,
    play: Option<Play<'a>>,
}

/// Returns whether a method that needs no graph may be used.
fn is_for_sweeps(rules: &Rules, totals: &[u64]) -> Result<bool> {
    admit::chips(rules, ChipsQuestion::Threshold)?;
    if let Some(&most) = totals.iter().find(|&&total| total > MOST_CHIPS) {
        admit::total(&most.into())?;
    }
    // In a game without cycles no play goes on for ever.
    Ok(match rules.solver {
        Solver::Auto | Solver::Acyclic | Solver::Search => true,
        Solver::Iteration
        | Solver::StrategyImprovement
        | Solver::PathSlopes
        | Solver::TwoMoves
        | Solver::Exact
        | Solver::Toeplitz
        | Solver::LinearProgram => false,
    })
}

/// Returns the values of draws in the lanes that answer for both players: for Alice's thresholds,
/// and for the complement of Bob's if that is another one. `true` means that a draw counts as a
/// win.
fn drawn_lanes(rules: &Rules) -> Vec<bool> {
    let (own, others) = (
        rules.draws.favours(Player::Alice),
        !rules.draws.favours(Player::Bob),
    );
    if own == others {
        vec![own]
    } else {
        vec![own, others]
    }
}

impl ThresholdTask<'_> {
    /// Solves for both players in one pass. Bob forces exactly the wins that Alice cannot prevent,
    /// and the other way round: his thresholds are the complement of hers for the goal not to lose.
    /// So the lanes of the pass differ in the value of a draw.
    fn both(&self, positions: Graphless<'_>) -> Result<Option<PerPlayer<Thresholds>>> {
        let (alice, bob) = (Player::Alice, Player::Bob);
        let kernel = Kernel::of(self.rules, alice);
        let drawn = drawn_lanes(self.rules);
        let lanes = self.totals.iter().flat_map(|total| {
            drawn.iter().map(|drawn| Lane {
                total: *total,
                drawn: *drawn,
            })
        });
        let lanes: Vec<Lane> = lanes.collect();
        let tables = |preventing| -> Result<Option<PerPlayer<NarrowestThresholds>>> {
            let goal = Goal {
                seeker: alice,
                kernel,
                winner: self.rules.winner,
                preventing,
            };
            let Some(rows) = swept::thresholds(positions, goal, &lanes, self.context)? else {
                return Ok(None);
            };
            let table = |first: usize| -> NarrowestThresholds {
                let every = |row: &Vec<[u64; 2]>| {
                    row.iter()
                        .skip(first)
                        .step_by(drawn.len())
                        .copied()
                        .collect()
                };
                VertexThresholds::<u64>::of_rows(
                    kernel.scale(),
                    &rows.iter().map(every).collect::<Vec<_>>(),
                )
                .into()
            };
            // In the last lane of each total a draw counts for Alice unless draws favour Bob, so
            // the complement is what Bob wins.
            let complement = table(drawn.len() - 1).complement(self.totals, self.context)?;
            Ok(Some(PerPlayer::new(table(0), complement)))
        };
        let Some(forcing) = tables(false)? else {
            return Ok(None);
        };
        let prevented = if kernel.has_gap() {
            tables(true)?
        } else {
            None
        };
        let one = |seeker, scale, forcing, unprevented| Thresholds {
            seeker,
            ties: self.rules.ties,
            scale,
            totals: self.totals.to_vec(),
            forcing,
            unprevented,
            history: None,
        };
        let (own, others) = (kernel.scale(), kernel.scale().other());
        Ok(Some(match prevented {
            Some(prevented) => PerPlayer::new(
                one(alice, own, forcing.alice, Some(prevented.alice)),
                // Bob forces a win exactly where Alice's goal can be prevented, so the two tables
                // change places.
                one(bob, others, prevented.bob, Some(forcing.bob)),
            ),
            None => PerPlayer::new(
                one(alice, own, forcing.alice, None),
                one(bob, others, forcing.bob, None),
            ),
        }))
    }

    fn refuse_wrong_solver(&self) -> Result<()> {
        let acyclic = match self.game {
            ThresholdSubject::Graph(game) => game.graph.is_acyclic(),
            ThresholdSubject::Graphless(_) => true,
        };
        if self.rules.solver != Solver::Acyclic || acyclic {
            return Ok(());
        }
        Err(Box::new(
            Diagnostic::new(Code::RulesClash, "`solver: acyclic` cannot treat this game, which has cycles")
                .note(
                    "a play of it can go on for ever, so no order of the positions puts every one after its successors",
                )
                .help("write `solver: iteration`, or leave the choice to `solver: auto`"),
        ))
    }

    /// Solves for a player's thresholds under the rule for draws.
    fn thresholds(&self, seeker: Player, recording: Recording) -> Result<Option<Thresholds>> {
        self.reaching(seeker, self.rules.draws.favours(seeker), recording)
    }

    /// Solves for a player's thresholds. `drawn` says whether a draw counts as a win of the seeker.
    fn reaching(
        &self,
        seeker: Player,
        drawn: bool,
        recording: Recording,
    ) -> Result<Option<Thresholds>> {
        let kernel = Kernel::of(self.rules, seeker);
        self.check_memory(kernel)?;
        let goal = Goal {
            seeker,
            kernel,
            winner: self.rules.winner,
            preventing: false,
        };
        let Some((forcing, history)) = self.table(goal, drawn, recording)? else {
            return Ok(None);
        };
        let preventing = Goal {
            preventing: true,
            ..goal
        };
        let unprevented = match kernel.has_gap() {
            true => self
                .table(preventing, drawn, Recording::No)?
                .map(|(table, _)| table),
            false => None,
        };
        Ok(Some(Thresholds {
            seeker,
            ties: self.rules.ties,
            scale: kernel.scale(),
            totals: self.totals.to_vec(),
            forcing,
            unprevented,
            history,
        }))
    }

    fn is_narrow(&self) -> bool {
        self.totals
            .iter()
            .all(|&total| total <= NarrowestThresholds::NARROW_MOST)
    }

    fn table(
        &self,
        goal: Goal,
        drawn: bool,
        recording: Recording,
    ) -> Result<Option<(NarrowestThresholds, Option<FallHistory>)>> {
        let game = match self.game {
            ThresholdSubject::Graph(game) => game,
            ThresholdSubject::Graphless(positions) => {
                let lanes = self.totals.iter().map(|total| Lane {
                    total: *total,
                    drawn,
                });
                let found =
                    swept::thresholds(positions, goal, &lanes.collect::<Vec<_>>(), self.context)?;
                return Ok(found.map(|found| {
                    (
                        VertexThresholds::<u64>::of_rows(goal.kernel.scale(), &found).into(),
                        None,
                    )
                }));
            }
        };
        let priorities = match game.goals {
            Some(Goals::Priorities(priorities)) => Some(&priorities[..]),
            Some(Goals::Weights(weights)) => {
                let task = CreditTask {
                    graph: game.graph,
                    weights,
                    rules: self.rules,
                    context: self.context,
                };
                let found = credit::thresholds(&task, goal, drawn, self.totals)?;
                return Ok(Some((found.into(), None)));
            }
            None => None,
        };
        let aim = Aim { drawn, priorities };
        if self.is_narrow() {
            let pass = ThresholdPass::<u32>::new(game.graph, goal, aim, self.totals, self.context);
            let (values, history) = self.pass(pass, recording)?;
            return Ok(Some((values.into(), history)));
        }
        let pass = ThresholdPass::<u64>::new(game.graph, goal, aim, self.totals, self.context);
        let (values, history) = self.pass(pass, recording)?;
        Ok(Some((values.into(), history)))
    }

    fn pass<T: ThresholdInteger>(
        &self,
        pass: ThresholdPass<'_, T>,
        recording: Recording,
    ) -> Result<(VertexThresholds<T>, Option<FallHistory>)> {
        let mut pass = pass.played(self.play);
        if recording == Recording::Yes {
            pass = pass.recording();
        }
        match self.rules.solver {
            Solver::Iteration if recording == Recording::No => pass.run_by_iteration(),
            Solver::Auto
            | Solver::Acyclic
            | Solver::Iteration
            | Solver::StrategyImprovement
            | Solver::PathSlopes
            | Solver::TwoMoves
            | Solver::Exact
            | Solver::Toeplitz
            | Solver::LinearProgram
            | Solver::Search => pass.run(),
        }
    }

    fn check_memory(&self, kernel: Kernel) -> Result<()> {
        let ThresholdSubject::Graph(MarkedGraph { graph, .. }) = self.game else {
            return Ok(());
        };
        let bytes = if self.is_narrow() { 4 } else { 8 };
        let tables = if kernel.has_gap() { 2 } else { 1 };
        let cells =
            graph.len() as u128 * self.totals.len() as u128 * kernel.scale().slots() as u128;
        let limit = self.context.limits.max_memory;
        // The product is formed in 128 bits, since each factor may be large.
        if cells * bytes * tables > u128::from(limit) {
            return Err(Stop::Memory(limit).into());
        }
        Ok(())
    }
}
