//! Real-valued bidding where a part of the winning bid goes to the bank: taxman bidding, with
//! poorman bidding (all of it) and Richman bidding (none) as its extremes.
//!
//! # Definition
//! The threshold is Alice's share of both players' money above which she wins and below which she
//! does not. It is 0 and 1 at the endings, and elsewhere a function of the thresholds at the
//! successors that the winner of the bid chooses ([`local`]). On cycles it is the limit of the
//! truncations: the greatest solution if play without end is not won, the least if it is not lost.
//!
//! Without cycles the thresholds are rational, and exact as long as they are not too long to write
//! down. On cycles they are algebraic, in general irrational; they are enclosed between two numbers
//! that are *proved* ([`cyclic`]), and exact where they are found to be rational.
//!
//! # The proof of an enclosure
//! Let Φ be the local function at all vertices of a component, whose exits are known. Φ is
//! monotone, and changes no more than its arguments (`|Φ(x) − Φ(y)| ≤ max |x − y|`, by the slopes
//! in [`local`]). Let g be its greatest solution in [0, 1].
//!
//! - If `L ≤ Φ(L)` then `L ≤ g` (Knaster & Tarski).
//! - If `Φ(U)(v) < U(v)` wherever `U(v) < 1`, then `g ≤ U`: let `d = max (g − U)` be positive, at
//!   v; then `U(v) < 1`, and `g(v) = Φ(g)(v) ≤ Φ(U + d)(v) ≤ Φ(U)(v) + d < U(v) + d = g(v)`.
//!
//! For the least solution it is the other way round. Both are checked in integers with directed
//! rounding; the method by which L and U were found does not matter.
//!
//! # The proof of a rational
//! A solution is the greatest one if the ranks of [`certify`](crate::proof::certify) exist: let g exceed
//! it by the greatest difference d on a set S. From S both slopes add up to 1, so `lo = hi` there
//! if t > 0, and all of Alice's best edges and one of Bob's lead back into S; the vertex of least
//! rank in S contradicts that. (For t = 0 it is the theorem of `certify`.)

mod cyclic;
mod equations;
mod income;
mod iteration;
mod law;
mod local;
mod penniless;
mod rational;
mod refuse;
mod returning;
mod share;
mod standing;

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use self::cyclic::TaxmanSolver;
pub use self::law::income_at;
use self::local::Tax;
pub use self::penniless::{Penniless, PlayerAim};
pub use self::share::Share;
use self::share::VertexShares;
pub(crate) use self::share::compare_fractions;
use super::{DrawValue, enclosure};
use crate::diagnostic::Result;
use crate::game::{GameGraph, Goals, NodeId};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{Draws, Income, Payment, Rules, Solver as Asked, admit};
use crate::watch::Context;

/// The threshold of every vertex, as Alice's share.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    shares: VertexShares,
    tax: Tax,
    /// The income at all vertices, besides their own.
    everywhere: Income,
    /// The value of a draw, and of play without end.
    draw: DrawValue,
    /// For each vertex, whether the theory does not cover the rule that the winner of a bid must
    /// move; empty if it covers all of them.
    doubtful: Vec<bool>,
}

/// The money of both players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    /// Alice's money.
    pub alice: BigRational,
    /// Bob's money.
    pub bob: BigRational,
}

impl Money {
    /// Returns Alice's share, if there is any money.
    pub fn share(&self) -> Option<BigRational> {
        let sum = &self.alice + &self.bob;
        (!sum.is_zero()).then(|| &self.alice / sum)
    }

    /// Returns the money after the players have received income, in units in which both have
    /// together as much as before.
    #[must_use]
    pub fn received(&self, income: &Income) -> Self {
        let all = &self.alice + &self.bob;
        let whole = income.whole();
        let after = |own: &BigRational, player| (own + &all * income.of(player)) / &whole;
        Self {
            alice: after(&self.alice, Player::Alice),
            bob: after(&self.bob, Player::Bob),
        }
    }
}

/// The greatest number of bits of the precision.
const MOST_BITS: u64 = 1 << 20;

/// Returns the number of bits of the precision that the rules ask for.
fn wanted_bits(rules: &Rules) -> Result<u64> {
    let wanted = bits_of(&rules.precision.0).filter(|bits| *bits <= MOST_BITS);
    wanted.ok_or_else(|| refuse::too_fine(rules))
}

impl Shares {
    /// Solves a graph, to the precision that the rules ask for.
    ///
    /// # Errors
    /// If the theory does not cover the rules, the precision cannot be reached, or the watch stops
    /// the work.
    pub fn solve(graph: &GameGraph, rules: &Rules, context: &Context<'_>) -> Result<Self> {
        Self::solve_to(graph, &[], rules, context)
    }

    /// Solves a graph in which some endings have thresholds of their own.
    ///
    /// # Errors
    /// The errors of [`Shares::solve`].
    pub fn solve_to(
        graph: &GameGraph,
        thresholds: &[(NodeId, Share)],
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<Self> {
        let tax = Tax::of(rules)?;
        let wanted = wanted_bits(rules)?;
        context.admit_values::<Share>(graph.len() as u64)?;
        let found = match rules.solver {
            // Income comes first, because no other solver allows for it, whichever is asked for.
            _ if !rules.income_everywhere().is_idle() || graph.has_income() => {
                Self::with_income(graph, rules, &tax, wanted, context)?
            }
            Asked::Iteration => Self::iterated(graph, thresholds, rules, context)?,
            _ => rounded(
                Self::solved(graph, thresholds, rules, &tax, wanted, context)?,
                wanted,
            ),
        };
        Self::found(found, tax, rules).examined(graph, rules, context)
    }

    /// Solves a graph under Richman bidding, exactly.
    ///
    /// # Errors
    /// The errors of [`Values::solve`](super::Values::solve), apart from zugzwang.
    pub fn richman(graph: &GameGraph, rules: &Rules, context: &Context<'_>) -> Result<Self> {
        let values = super::Values::of_choosing_winners(graph, rules, context)?;
        Self::of_richman(&values, rules.draws).examined(graph, rules, context)
    }

    fn found(shares: VertexShares, tax: Tax, rules: &Rules) -> Self {
        Self {
            shares,
            tax,
            everywhere: rules.income_everywhere(),
            draw: DrawValue::new(rules.draws),
            doubtful: Vec::new(),
        }
    }

    /// Finds the vertices at which it may matter that the winner of a bid must move.
    pub(super) fn examined(
        mut self,
        graph: &GameGraph,
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<Self> {
        self.doubtful = super::refuse::doubtful(graph, rules, &self, context)?;
        Ok(self)
    }

    /// Checks that the theory covers the rules at a vertex.
    ///
    /// # Errors
    /// If there may be zugzwang.
    pub fn covers(&self, node: NodeId) -> Result<()> {
        if self.is_doubtful(node) {
            return Err(super::refuse::zugzwang());
        }
        Ok(())
    }

    fn is_doubtful(&self, node: NodeId) -> bool {
        self.doubtful.get(node.index()) == Some(&true)
    }

    /// Checks that the theory covers the rules at every vertex.
    ///
    /// # Errors
    /// If there may be zugzwang.
    pub fn covers_all(&self) -> Result<()> {
        if self.doubtful.is_empty() {
            return Ok(());
        }
        Err(super::refuse::zugzwang())
    }

    /// Returns the graph without the moves for which a player who can win at once has no use, and
    /// without those of the vertices that the theory does not cover. No other move leads to these.
    #[must_use]
    pub fn needed_moves(&self, graph: &GameGraph) -> GameGraph {
        let is_won = |player: Player, head: NodeId| {
            let best = match player {
                Player::Alice => BigRational::zero(),
                Player::Bob => BigRational::one(),
            };
            graph.ending(head).is_some() && self.share(head) == Share::exact(best)
        };
        let wins_at_once = |node, player| {
            let mut heads = graph.successors(node, player).iter();
            heads.any(|head| is_won(player, *head))
        };
        let both = |node| {
            let [alice, bob] = Player::both(|player| wins_at_once(node, player));
            PerPlayer::new(alice, bob)
        };
        let wins: Vec<PerPlayer<bool>> = graph.nodes().map(both).collect();
        let ending = |node: NodeId| {
            let outside = self.is_doubtful(node).then_some(Ending::Draw);
            graph.ending(node).or(outside)
        };
        graph.restricted(ending, |node, player, head| {
            !wins[node.index()][player] || is_won(player, head)
        })
    }

    /// Finds proved bounds of the Richman values of a graph whose exact ones would take too long.
    /// Returns `None` if none are found that are as near as the rules ask for.
    ///
    /// # Errors
    /// The errors of [`Shares::solve`].
    pub fn enclose(
        graph: &GameGraph,
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<Option<Self>> {
        let tax = Tax::of(rules)?;
        let found = Self::enclosed(graph, &[], rules, context)?;
        found
            .map(|shares| Self::found(shares, tax, rules).examined(graph, rules, context))
            .transpose()
    }

    /// Finds bounds that prove themselves, by the same methods as the answer, but not rounded: the
    /// lower ones are at most the values of the local function there, the upper ones at least,
    /// except for differences that a few sweeps remove.
    ///
    /// # Errors
    /// The errors of [`Shares::solve`].
    pub fn proof(graph: &GameGraph, rules: &Rules, context: &Context<'_>) -> Result<Vec<Share>> {
        let tax = Tax::of(rules)?;
        let wanted = wanted_bits(rules)?;
        let found = match (&rules.pay, rules.solver) {
            // Under Richman bidding the bounds in integers of fixed length prove themselves.
            (Payment::Richman, _) | (_, Asked::Iteration) => {
                Self::iterated(graph, &[], rules, context)?
            }
            _ => VertexShares::Each(Self::solved(graph, &[], rules, &tax, wanted, context)?),
        };
        let found = match found {
            // All places are kept: rounded bounds would not satisfy the inequalities any more.
            VertexShares::Bounds(bounds, _) => VertexShares::Bounds(bounds, enclosure::BITS.into()),
            found => found,
        };
        Ok(graph.nodes().map(|node| found.share(node)).collect())
    }

    /// Solves a graph with a Büchi objective, where players receive income before bids.
    ///
    /// # Errors
    /// The errors of [`Shares::solve`], and an error if the objective is another one.
    pub fn with_goals(
        graph: &GameGraph,
        goals: &Goals,
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<Self> {
        let tax = Tax::of(rules)?;
        let wanted = wanted_bits(rules)?;
        let Some((seeker, accepting)) = sought(graph, goals) else {
            return Err(refuse::endless_income(rules));
        };
        let game = returning::BuchiGame {
            graph,
            accepting: &accepting,
            seeker,
            draws: admit::taxed_shares(rules)?,
        };
        let half = &rules.precision.0 / BigInt::from(2);
        // Visits add up their errors, so the first guard is longer than for a single aim.
        for guard in [96, 256] {
            let law = law::IncomeLaw {
                tax: &tax,
                everywhere: rules.income_everywhere(),
            };
            let fineness = returning::Fineness {
                bits: wanted + guard,
                near: &half,
            };
            let Some(shares) = returning::solve(&game, law, fineness, context)? else {
                continue;
            };
            let found = Self::found(rounded(shares, wanted), tax, rules);
            return found.examined(graph, rules, context);
        }
        Err(refuse::income(rules))
    }

    /// Finds thresholds where players receive income before bids.
    fn with_income(
        graph: &GameGraph,
        rules: &Rules,
        tax: &Tax,
        wanted: u64,
        context: &Context<'_>,
    ) -> Result<VertexShares> {
        let half = &rules.precision.0 / BigInt::from(2);
        for guard in [64, 256, 1024] {
            let law = law::IncomeLaw {
                tax,
                everywhere: rules.income_everywhere(),
            };
            let found = income::solve(
                graph,
                admit::taxed_shares(rules)?,
                law,
                wanted + guard,
                &half,
                context,
            )?;
            if let Some(shares) = found
                && shares
                    .iter()
                    .all(|share| &share.high - &share.low <= rules.precision.0)
            {
                return Ok(rounded(shares, wanted));
            }
        }
        Err(refuse::income(rules))
    }

    /// Finds bounds that are proved in integers of fixed length, if that length suffices.
    fn enclosed(
        graph: &GameGraph,
        thresholds: &[(NodeId, Share)],
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<Option<VertexShares>> {
        let draws = admit::taxed_shares(rules)?;
        let units = |number: &BigRational| number * (BigInt::one() << enclosure::BITS);
        let whole =
            |number: BigRational| number.to_integer().to_i128().expect("a share is at most 1");
        let known: Vec<_> = thresholds
            .iter()
            .map(|(node, share)| {
                (
                    *node,
                    [
                        whole(units(&share.low).floor()),
                        whole(units(&share.high).ceil()),
                    ],
                )
            })
            .collect();
        // Half of the precision is left for rounding the bounds when they are reported.
        let precision = whole(units(&rules.precision.0)) / 2;
        let bounds = enclosure::solve(graph, draws, &known, precision, context)?;
        Ok(bounds.map(|bounds| {
            VertexShares::Bounds(bounds, bits_of(&rules.precision.0).unwrap_or(0) + 2)
        }))
    }

    /// Finds bounds by iteration from both sides, in floats.
    fn iterated(
        graph: &GameGraph,
        thresholds: &[(NodeId, Share)],
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<VertexShares> {
        if rules.pay == Payment::Richman
            && let Some(found) = Self::enclosed(graph, thresholds, rules, context)?
        {
            return Ok(found);
        }
        iteration::solve(graph, thresholds, rules, context)?.ok_or_else(|| refuse::apart(rules))
    }

    /// Solves a graph by strategy improvement, with bounds in integers as long as needed.
    fn solved(
        graph: &GameGraph,
        thresholds: &[(NodeId, Share)],
        rules: &Rules,
        tax: &Tax,
        wanted: u64,
        context: &Context<'_>,
    ) -> Result<Vec<Share>> {
        let half = &rules.precision.0 / BigInt::from(2);
        // Every number loses some bits on the way to the start; their number is known only
        // afterwards.
        for guard in [64, 256, 1024] {
            let shares = TaxmanSolver::new(
                graph,
                admit::taxed_shares(rules)?,
                tax,
                wanted + guard,
                context,
            )?
            .solve(thresholds)?;
            if shares.iter().all(|share| &share.high - &share.low <= half) {
                return Ok(shares);
            }
        }
        Err(refuse::precision(rules))
    }

    /// Returns the threshold of a vertex; bounds that say nothing where the theory does not
    /// [cover](Self::covers) the rules.
    pub fn share(&self, node: NodeId) -> Share {
        if self.is_doubtful(node) {
            return Share::unknown();
        }
        self.shares.share(node)
    }

    /// Compares the thresholds of two vertices. They count as equal if the bounds do not decide.
    pub fn compare(&self, a: NodeId, b: NodeId) -> Ordering {
        let (a, b) = (self.share(a), self.share(b));
        if a.value().is_some() && b.value().is_some() {
            return compare_fractions(&a.low, &b.low);
        }
        if a.low <= b.high && b.low <= a.high {
            return Ordering::Equal;
        }
        a.low.cmp(&b.low)
    }

    /// Returns a player's best move at a vertex, the first of those; `None` if the player has none.
    pub fn best(&self, graph: &GameGraph, node: NodeId, player: Player) -> Option<NodeId> {
        let order = |a: &NodeId, b: &NodeId| match player {
            Player::Alice => self.compare(*a, *b),
            Player::Bob => self.compare(*b, *a),
        };
        graph.successors(node, player).iter().copied().min_by(order)
    }

    /// Returns the part of a bid that goes to the bank.
    pub fn tax(&self) -> BigRational {
        self.tax.part()
    }

    /// Returns whether players receive income before some bids.
    pub fn has_income(&self, graph: &GameGraph) -> bool {
        !self.everywhere.is_idle() || graph.has_income()
    }

    /// Returns the income before the bid at a vertex, if there is any.
    pub fn income(&self, graph: &GameGraph, node: NodeId) -> Option<Income> {
        income_at(&self.everywhere, graph, node)
    }

    /// Converts the thresholds of Richman bidding, which are known exactly, where draws have this
    /// value.
    pub fn of_richman(values: &super::Values, draws: Draws) -> Self {
        let shares = (0..values.len())
            .map(|vertex| Share::exact(values.value(NodeId::new(vertex))))
            .collect();
        let tax = Tax::new(&Payment::Richman).expect("the winner of a bid pays");
        Self {
            shares: VertexShares::Each(shares),
            tax,
            everywhere: Income::default(),
            draw: DrawValue::new(draws),
            doubtful: Vec::new(),
        }
    }
}

/// Returns the player whose aim it is to visit vertices infinitely often, and these vertices, if the
/// goals say no more than that.
fn sought(graph: &GameGraph, goals: &Goals) -> Option<(Player, Vec<NodeId>)> {
    let Goals::Priorities(priorities) = goals else {
        return None;
    };
    let components = graph.components();
    // Only vertices on cycles can be visited infinitely often; other priorities do not count.
    let cyclic = components.iter().filter(|(_, cyclic)| *cyclic);
    let on_cycles: Vec<NodeId> = cyclic.flat_map(|(vertices, _)| vertices.to_vec()).collect();
    let priority = |node: &NodeId| priorities[node.index()];
    let greatest = on_cycles.iter().map(priority).max().unwrap_or(0);
    let least = on_cycles.iter().map(priority).min().unwrap_or(0);
    let seeker = if greatest.is_multiple_of(2) {
        Player::Alice
    } else {
        Player::Bob
    };
    let accepting = on_cycles
        .into_iter()
        .filter(|node| priority(node) == greatest);
    // With two adjacent priorities the greater one is visited infinitely often or not, and that is
    // a Büchi objective.
    (greatest - least <= 1).then(|| (seeker, accepting.collect()))
}

/// Rounds bounds to two bits more than the precision needs. If they were found to half the
/// precision, that takes less than the other half.
fn rounded(shares: Vec<Share>, wanted: u64) -> VertexShares {
    let rounded = shares.into_iter().map(|share| share.rounded(wanted + 2));
    VertexShares::Each(rounded.collect())
}

/// Returns the number of bits after the binary point that a precision needs; `None` if it is not
/// positive.
fn bits_of(precision: &BigRational) -> Option<u64> {
    let positive = precision > &BigRational::zero();
    positive.then(|| (precision.denom() / precision.numer() + BigInt::one()).bits() + 1)
}
