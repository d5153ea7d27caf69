//! The sequences of positions on cycles, by the theorems of Develin & Payne (2010).
//!
//! # Theorem
//! Let M be such that M·R(v) and M·Δ(v) are integers for every position v that can be reached, with R the Richman value and
//! Δ = |R_B − R_A|/2. Write f^A for the thresholds where Alice, f^B where Bob is kept to stable play ([`Stable`]); f^A ≥ f ≥ f^B. If for a
//! total k
//!
//! 1. Alice wins by stable play with all k chips and the tie status against her wherever R < 1, and Bob keeps her from
//!    winning by stable play with all k chips and the tie status for her wherever R > 0, and
//! 2. f^A(v, k) = f(v, k) = f^B(v, k),
//!
//! then both hold for k + M, and f(v, k + M) = f(v, k) + M·R(v). So a *window* of M totals in a row for which they hold settles all that
//! follow.
//!
//! *Proof.* Theorems 3.13 and 3.14: bid M·Δ more, and keep M·R(w) more chips than in the play with k chips, at every position w. Their
//! proof passes over bids that the opponent can pay only with the additional chips. After such a bid he has fewer than his share of
//! M chips left, and by 1 the player goes on as from all k chips, with one chip to spare; each further such bid leaves one
//! more to spare, so there are finitely many. Therefore f^A(w, k + M) ≤ f^A(w, k) + M·R(w) wherever R(w) < 1, and likewise for f^B, which gives
//! 1 for k + M, and with 2 the equations. ∎
//!
//! No use is made of the rule for ties but that it speaks of who has the status and not of how many chips there are.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use super::lift::Form;
use super::sequence::Sequence;
use super::stable::Stable;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, GameGraphBuilder, NodeId, Player};
use crate::rules::{FieldValue, Rules, TieBreak, Winner};
use crate::solve::chips::Thresholds;
use crate::solve::richman;
use crate::watch::Watch;

/// Whose play is kept to stable decisions.
pub(super) type Kept = Option<Player>;

/// The most totals that are tried.
const MOST_TOTALS: u64 = 1 << 16;

/// The most thresholds that are worked out at once.
const MOST_CELLS: u64 = 1 << 28;

/// The forms of some positions on cycles, as they are for the seeker.
pub(super) fn forms(
    graph: &GameGraph,
    rules: &Rules,
    seeker: Player,
    kept: Kept,
    nodes: &[NodeId],
    watch: &dyn Watch,
) -> Result<Vec<Form>> {
    if rules.winner == Winner::Moves || matches!(rules.ties, TieBreak::Richer | TieBreak::Marker) {
        return Err(not_covered(rules));
    }
    let values = richman::Values::solve(graph, rules, watch)?;
    let period = common_denominator(graph, &values).filter(|&period| period <= MOST_TOTALS / 2);
    let Some(period) = period else { return Err(too_long()) };
    let most = MOST_TOTALS.min(MOST_CELLS / graph.len() as u64);
    let mut totals = (2 * period + 32).min(most);
    loop {
        let window = Window::solve(graph, rules, seeker, &values, totals, watch)?;
        let found: Option<Vec<u64>> = nodes.iter().map(|&node| window.start(node, period)).collect();
        if let Some(starts) = found {
            let form = |(&node, start)| window.form(node, kept, start, period);
            return Ok(nodes.iter().zip(starts).map(form).collect());
        }
        if totals == most {
            return Err(undecided(most, period));
        }
        totals = (2 * totals).min(most);
    }
}

/// The least M for which M·R and M·Δ are integers everywhere.
fn common_denominator(graph: &GameGraph, values: &richman::Values) -> Option<u64> {
    let two = BigRational::from_integer(2.into());
    let mut common = BigInt::one();
    for node in graph.nodes() {
        let value = values.value(node);
        common = common.lcm(value.denom());
        let best = Player::BOTH.map(|player| values.best(graph, node, player));
        if let [Some(alice), Some(bob)] = best {
            common = common.lcm(((values.value(bob) - values.value(alice)).abs() / &two).denom());
        }
    }
    common.to_u64()
}

/// The thresholds of all play and of stable play for the totals 0, 1, ….
struct Window<'a> {
    graph: &'a GameGraph,
    values: &'a richman::Values,
    seeker: Player,
    totals: u64,
    /// Of all play, of Alice's stable play, of Bob's.
    thresholds: [Thresholds; 3],
    /// Whether condition 1 of the theorem holds, by total.
    steady: Vec<bool>,
}

impl<'a> Window<'a> {
    fn solve(
        graph: &'a GameGraph,
        rules: &Rules,
        seeker: Player,
        values: &'a richman::Values,
        totals: u64,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let lanes: Vec<u64> = (0..totals).collect();
        let all = Thresholds::solve_reaching(graph, rules, seeker, &lanes, None, watch)?;
        let kept = |player| {
            let stable = Stable::new(graph, values, player);
            let movers: Vec<_> = graph.nodes().map(|node| stable.movers(node, seeker, rules)).collect();
            Thresholds::solve_reaching(&kept_to(graph, &stable), rules, seeker, &lanes, Some(&movers), watch)
        };
        let thresholds = [all, kept(Player::Alice)?, kept(Player::Bob)?];
        let mut window = Self { graph, values, seeker, totals, thresholds, steady: Vec::new() };
        window.steady = (0..totals).map(|total| window.is_steady(total)).collect();
        Ok(window)
    }

    /// Condition 1, for the seeker and the opponent.
    fn is_steady(&self, total: u64) -> bool {
        let [own, others] = [self.seeker, self.seeker.other()].map(|player| &self.thresholds[slot(Some(player))]);
        let lane = total as usize;
        self.graph.nodes().all(|node| {
            let (sure, hopeless) = self.extremes(node);
            (hopeless || own.forces(node, self.seeker.other(), lane) <= total)
                && (sure || others.forces(node, self.seeker, lane) >= 1)
        })
    }

    /// Whether the Richman value says that the seeker wins with nothing, or never.
    fn extremes(&self, node: NodeId) -> (bool, bool) {
        let (least, most) = (self.values.compare_halves(node, 0).is_eq(), self.values.compare_halves(node, 2).is_eq());
        if self.seeker == Player::Alice { (least, most) } else { (most, least) }
    }

    /// The total from which on the conditions hold at a position, if they do for a whole window.
    fn start(&self, node: NodeId, period: u64) -> Option<u64> {
        let holds = |total: u64| {
            let [all, alice, bob] = &self.thresholds;
            let raw = |thresholds: &Thresholds| thresholds.raw(node, total as usize);
            self.steady[total as usize] && raw(all) == raw(alice) && raw(all) == raw(bob)
        };
        let start = (0..self.totals).rev().find(|&total| !holds(total)).map_or(0, |last| last + 1);
        (self.totals - start >= period).then_some(start)
    }

    fn form(&self, node: NodeId, kept: Kept, start: u64, period: u64) -> Form {
        let thresholds = &self.thresholds[slot(kept)];
        let scale = thresholds.scale();
        let value = self.values.value(node);
        let value = if self.seeker == Player::Alice { value } else { BigRational::one() - value };
        let chips =
            (value * BigRational::from_integer(period.into())).to_integer().to_u64().expect("a part of the period");
        let increment = scale.units() * chips;
        let sequence = |slot: usize| {
            let raw = |total: u64| thresholds.raw(node, total as usize)[slot] as u32;
            Sequence::new((0..start + period).map(raw).collect(), period as usize, increment)
        };
        (0..scale.slots()).map(sequence).collect()
    }
}

fn slot(kept: Kept) -> usize {
    match kept {
        None => 0,
        Some(Player::Alice) => 1,
        Some(Player::Bob) => 2,
    }
}

/// The graph without the moves that stable play leaves out.
fn kept_to(graph: &GameGraph, stable: &Stable<'_>) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes() {
        let [alice, bob] = Player::BOTH.map(|player| stable.moves(node, player));
        builder.push(graph.ending(node), &alice, &bob);
    }
    builder.finish(graph.start())
}

fn not_covered(rules: &Rules) -> Box<Diagnostic> {
    let (_, ties) = FieldValue::Ties(rules.ties).words();
    let winner = if rules.winner == Winner::Moves { ", `winner: moves`" } else { "" };
    Diagnostic::new(
        Code::NotSupported,
        format!("there is no closed form of a game with cycles under `ties: {ties}`{winner}"),
    )
    .note("the theorems that settle all large totals need more chips to leave the tie status, and who is made to move, as they are")
    .help("ask for a range of totals, `f(G, 0..1000)`, or use `ties: advantage` and `winner: chooses`")
    .into()
}

fn too_long() -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NotSupported,
        format!("the closed form of this game, which has cycles, has a period of more than {} chips", MOST_TOTALS / 2),
    )
    .help("ask for a range of totals, `f(G, 0..1000)`")
    .into()
}

fn undecided(most: u64, period: u64) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NotSupported,
        format!(
            "undecided: no {period} totals in a row below k = {most} have stable play at every position on a cycle"
        ),
    )
    .note("such a window would settle all larger totals (Develin & Payne, Theorems 3.12 to 3.14)")
    .help("ask for a range of totals, `f(G, 0..1000)`")
    .into()
}
