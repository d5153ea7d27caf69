//! Real-valued Richman bidding: the critical threshold `R(v)` of every vertex of a finite game
//! graph, exactly.
//!
//! # Definition
//! `R(v)` is the share of the money above which Alice wins and below which Bob prevents it
//! (Lazarus, Loeb, Propp, Stromquist & Ullman 1999; Develin & Payne 2010, section 3.3). At an
//! ending it is 0 if Alice has won and 1 if Bob has. Elsewhere, with `m` the least value among
//! Alice's successors and `M` the greatest among Bob's, `R = (m + M)/2`; if only one player has
//! edges, it is that player's value alone. On graphs with cycles it is the limit of the truncations
//! `R(G[n])`: the greatest solution of these equations, because infinite play is not a win.
//!
//! `P(v) = 1 - R(v)` is Alice's winning probability when a fair coin decides who moves (Arun 2021,
//! Theorem 1.4), and all computations use that game of chance.
//!
//! # The value of a draw
//! Draws and infinite play count alike: under `draws: neither` and `draws: bob` as 1 (Alice has not
//! won), under `alice` as 0 (then R is the *least* solution, by the symmetry of the players). Under
//! `half` they count 1/2 in the game of chance, whose value exists and is attained by positional
//! strategies (it is a stochastic game with mean payoffs: Gillette 1957, Liggett & Lippman 1969); R
//! is 1 minus that value.
//!
//! # Zugzwang
//! Under `winner: chooses` the winner of a bid takes the better of the two sides, so Alice gets to
//! `min(m, M)` and Bob to `max(m, M)`: the mean is the same whichever is smaller. Under `winner:
//! moves` a player in zugzwang would rather lose the bid; the theory does not cover that, and
//! `Values::solve` refuses it (see [`refuse`]).
//!
//! The theory is of real-valued bids: `bids` and `ties` do not change it. Thresholds in whole chips
//! are another module.
//!
//! # Layout
//! Strongly connected components are solved after all that they lead to. A graph without cycles
//! takes [`acyclic`]: one pass in fixed-point arithmetic. Otherwise [`cyclic`] solves each
//! component: an `arena` is a component with its exits; `improve` is strategy improvement, once in
//! floats for a good guess and once exactly; `valuation` gives the values of a pair of strategies
//! in either arithmetic; `escape` decides who can be kept in a cycle for ever. `rules.solver` can
//! choose methods for special graphs: [`slopes`] for undirected ones, and a single walk where there
//! are two moves at most. The results are proved by [`certify`](crate::proof::certify), which does not
//! depend on the methods.

mod acyclic;
mod arena;
mod biased_coin;
mod bounds;
mod coin;
mod cyclic;
mod dyadic;
mod early;
mod enclosure;
mod escape;
mod fraction;
mod guess;
mod improve;
mod letting;
mod numbers;
mod reach;
mod refuse;
mod rounded;
mod slopes;
mod steepest;
mod swept;
pub mod taxman;
mod theory;
mod valuation;
mod zugzwang;

use std::cmp::Ordering;

use num_rational::BigRational;

pub use self::biased_coin::coin_sweep_need;
pub use self::coin::Coin;
use self::fraction::UnreducedFraction;
use self::numbers::Numbers;
pub use self::reach::has_dense_component;
pub use self::rounded::{bounds, bounds_need};
pub use self::swept::{RichmanSweep, in_layers, layered, sweep_need, value_of};
pub use self::zugzwang::without_zugzwang;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};
use crate::rules::admit;
use crate::rules::{Draws, Rules, Solver, Winner};
use crate::watch::Context;

/// The value of a draw, and of play without end, as a share of Bob's win: none, half or all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrawValue {
    Nothing,
    Half,
    Win,
}

impl DrawValue {
    pub(crate) fn new(draws: Draws) -> Self {
        match draws {
            Draws::Neither | Draws::Bob => Self::Win,
            Draws::Half => Self::Half,
            Draws::Alice => Self::Nothing,
        }
    }

    /// Returns the value of a draw that a player wins.
    pub(crate) fn won_by(player: Player) -> Self {
        match player {
            Player::Alice => Self::Nothing,
            Player::Bob => Self::Win,
        }
    }

    /// Returns the value with the players exchanged.
    pub(crate) fn exchanged(self) -> Self {
        match self {
            Self::Nothing => Self::Win,
            Self::Half => Self::Half,
            Self::Win => Self::Nothing,
        }
    }

    /// Returns the value of a draw, in halves.
    pub(crate) fn halves(self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Half => 1,
            Self::Win => 2,
        }
    }

    /// Returns the value of an ending, in halves.
    pub(crate) fn of(self, ending: Ending) -> u8 {
        match ending {
            Ending::Win(Player::Alice) => 0,
            Ending::Win(Player::Bob) => 2,
            Ending::Draw => self.halves(),
        }
    }
}

/// The exact value `R` of every vertex of a graph, with its certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    numbers: Numbers,
    certificate: RankCertificate,
}

/// The certificate that proves the values: the distance of each vertex of a cycle from leaving it.
///
/// The local equations alone prove nothing (a self-loop satisfies them with any value). They do
/// together with this condition: where a value is better for a player than play without end, that
/// player can *escape*, by moves that keep the value. Ranks prove it locally, as
/// [`certify`](crate::proof::certify::certify) states and checks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RankCertificate {
    /// The rank of each vertex, greater than those in the components that can be reached from
    /// there; empty if the graph has no cycles, 0 where no rank is needed.
    pub ranks: Vec<u32>,
}

impl Values {
    /// Solves a graph. If it has cycles the values are certified before they are returned; if it
    /// has none, the single pass over it is the definition itself.
    ///
    /// # Errors
    /// If the theory does not cover the rules, or the work is stopped.
    pub fn solve(graph: &GameGraph, rules: &Rules, context: &Context<'_>) -> Result<Self> {
        let values = Self::of_choosing_winners(graph, rules, context)?;
        if rules.winner == Winner::Moves {
            // Zugzwang is a property of the values, so it can be refused only after they are known.
            taxman::Shares::of_richman(&values, rules.draws)
                .examined(graph, rules, context)?
                .covers_all()?;
        }
        Ok(values)
    }

    /// Solves a graph as if the winner of a bid could choose who moves.
    fn of_choosing_winners(
        graph: &GameGraph,
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<Self> {
        admit::shares(rules)?;
        refuse::graph(graph, rules.solver)?;
        let draw = DrawValue::new(rules.draws);
        Ok(match method(rules.solver, graph.is_acyclic()) {
            RichmanMethod::Acyclic => Self::acyclic(acyclic::solve(graph, draw, context)?),
            RichmanMethod::Cyclic(method) => {
                let values = cyclic::solve(graph, draw, Coin::default(), method, context)?;
                refuse::unproved(graph, rules, Coin::default(), values, context)?
            }
        })
    }

    /// Creates the values of a graph without cycles, which need no certificate.
    fn acyclic(numbers: Numbers) -> Self {
        Self {
            numbers,
            certificate: RankCertificate::default(),
        }
    }

    /// Solves a graph in which a coin that need not be fair decides who moves, or who chooses the
    /// mover. R is Bob's winning probability.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn with_coin(
        graph: &GameGraph,
        rules: &Rules,
        coin: Coin,
        context: &Context<'_>,
    ) -> Result<Self> {
        let draw = DrawValue::new(rules.draws);
        if graph.is_acyclic() && rules.winner == Winner::Chooses {
            return Ok(Self::acyclic(coin::choosing(graph, draw, coin, context)?));
        }
        // With such a coin one player's edges have weight 0, so the local equations of the graph
        // itself would leave out that player's moves even where the other one cannot move.
        if coin.certain().is_some() {
            return letting::solve(graph, rules, coin, context);
        }
        let values = cyclic::solve(graph, draw, coin, ComponentMethod::Improvement, context)?;
        let values = refuse::unproved(graph, rules, coin, values, context)?;
        if rules.winner == Winner::Chooses
            // Without zugzwang the winner always prefers to move, and with a fair coin it makes no
            // difference: in both cases the values stand.
            && !coin.is_fair()
            && coin::has_zugzwang(graph, &values, context)?
        {
            return letting::solve(graph, rules, coin, context);
        }
        Ok(values)
    }

    /// Creates values that are claimed and remain to be certified.
    pub fn claim(values: Vec<BigRational>, certificate: RankCertificate) -> Self {
        Self {
            numbers: Numbers::Fraction(values.into_iter().map(UnreducedFraction::from).collect()),
            certificate,
        }
    }

    /// Returns the value of a vertex.
    pub fn value(&self, node: NodeId) -> BigRational {
        self.numbers.value(node)
    }

    /// Compares the values of two vertices; this is faster than comparing the results of
    /// [`Values::value`].
    pub fn compare(&self, a: NodeId, b: NodeId) -> Ordering {
        self.numbers.compare(a, b)
    }

    /// Compares the value of a vertex with a number of halves.
    pub(crate) fn compare_halves(&self, node: NodeId, halves: u8) -> Ordering {
        self.numbers.compare_halves(node, halves)
    }

    /// Returns whether the value of `node` is exactly the mean of those of `a` and `b`.
    pub fn is_mean(&self, node: NodeId, a: NodeId, b: NodeId) -> bool {
        self.numbers.is_mean(node, a, b)
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a player's optimal move at a vertex, the first one in the graph's order; `None` if
    /// the player has none.
    ///
    /// Among moves of the same value on a cycle it takes one that gets away from it: always playing
    /// these moves attains the value, whereas always playing the first move of the best value may
    /// go round a cycle for ever.
    pub fn best(&self, graph: &GameGraph, node: NodeId, player: Player) -> Option<NodeId> {
        let preferred = |a: &NodeId, b: &NodeId| self.preference(node, player, *a, *b);
        graph
            .successors(node, player)
            .iter()
            .copied()
            .min_by(preferred)
    }

    /// Returns the certificate of the values.
    pub fn certificate(&self) -> &RankCertificate {
        &self.certificate
    }

    /// Returns whether a player who decides who moves should rather let the other one move, to
    /// `other`, than go to `own`: for a better value, or for the same value if moving does not get
    /// away from a cycle.
    pub fn rather_lets(&self, node: NodeId, player: Player, own: NodeId, other: NodeId) -> bool {
        let by_value = match player {
            Player::Alice => self.compare(own, other),
            Player::Bob => self.compare(other, own),
        };
        let rank = self
            .certificate
            .ranks
            .get(node.index())
            .copied()
            .unwrap_or(0);
        by_value.is_gt() || (by_value.is_eq() && rank > 0 && self.rank_from(node, own) >= rank)
    }

    /// Compares two moves for a player at `node`: by the better value, then by the smaller rank.
    fn preference(&self, node: NodeId, player: Player, a: NodeId, b: NodeId) -> Ordering {
        let by_value = match player {
            Player::Alice => self.compare(a, b),
            Player::Bob => self.compare(b, a),
        };
        by_value.then_with(|| self.rank_from(node, a).cmp(&self.rank_from(node, b)))
    }

    /// Returns the rank of a successor as it counts at `node`: leaving for another value is the
    /// best escape.
    fn rank_from(&self, node: NodeId, head: NodeId) -> u32 {
        match self.certificate.ranks.get(head.index()) {
            // Ranks compare only within a level set. Any change of the value leaves it at once.
            Some(&rank) if self.compare(node, head).is_eq() => rank,
            Some(_) | None => 0,
        }
    }
}

/// The algorithms.
enum RichmanMethod {
    Acyclic,
    Cyclic(ComponentMethod),
}

/// The algorithms for a strongly connected component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ComponentMethod {
    /// Strategy improvement.
    Improvement,
    /// The steepest path first, for undirected graphs.
    Slopes,
}

fn method(solver: Solver, acyclic: bool) -> RichmanMethod {
    match solver {
        Solver::Auto if acyclic => RichmanMethod::Acyclic,
        Solver::Acyclic => RichmanMethod::Acyclic,
        Solver::PathSlopes => RichmanMethod::Cyclic(ComponentMethod::Slopes),
        Solver::Auto
        | Solver::StrategyImprovement
        | Solver::TwoMoves
        | Solver::Iteration
        | Solver::Exact
        | Solver::Toeplitz
        | Solver::LinearProgram
        | Solver::Search => RichmanMethod::Cyclic(ComponentMethod::Improvement),
    }
}

#[cfg(test)]
mod tests;
