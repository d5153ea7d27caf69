//! Real-valued bidding where a part of the winning bid goes to the bank: taxman bidding, with poorman (all of it) and Richman
//! bidding (none) at its ends.
//!
//! # Definition
//! The threshold is Alice's share of both players' money above which she wins and below which she does not. It is 0 and 1 at
//! the endings, and elsewhere one function of the thresholds that the winner of the bid leads to ([`local`]). On cycles it is the
//! limit of the truncations: the greatest solution if play without end is not won, the least if it is not lost.
//!
//! Without cycles the thresholds are rational, and exact as long as they are not too long to write down. On cycles they are algebraic, in
//! general irrational; they are enclosed between two numbers that are *proved* ([`cyclic`]), and exact where they are found to be rational.
//!
//! # The proof of an enclosure
//! Let Φ be the local function at all vertices of a component, what it leads to being known. Φ rises with its arguments, and moves no
//! further than they do (`|Φ(x) − Φ(y)| ≤ max |x − y|`, by the slopes in [`local`]). Let g be its greatest solution in [0, 1].
//!
//! - If `L ≤ Φ(L)` then `L ≤ g` (Knaster & Tarski).
//! - If `Φ(U)(v) < U(v)` wherever `U(v) < 1`, then `g ≤ U`: let `d = max (g − U)` be positive, at v; then `U(v) < 1`, and
//!   `g(v) = Φ(g)(v) ≤ Φ(U + d)(v) ≤ Φ(U)(v) + d < U(v) + d = g(v)`.
//!
//! For the least solution it is the other way round. Both are checked in integers with directed rounding; how L and U were found does
//! not matter.
//!
//! # The proof of a rational
//! A solution is the greatest one if the ranks of [`certify`](crate::solve::certify) exist: let g exceed it by most, d, on a set S.
//! From S both slopes add up to 1, so `lo = hi` there if t > 0, and all of Alice's best edges and one of Bob's lead back into S;
//! the vertex of least rank in S contradicts that. (For t = 0 it is the theorem of `certify`.)

mod cyclic;
mod iteration;
mod local;

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use self::cyclic::Solver;
use self::local::Tax;
use super::Worth;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, NodeId, Player};
use crate::rules::{Draws, FieldValue, Payment, Rules, Solver as Asked, Winner};
use crate::watch::Watch;

/// A number between proved bounds, which are equal if it is known exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// It is not less.
    pub low: BigRational,
    /// It is not more.
    pub high: BigRational,
}

impl Share {
    /// A number that is known.
    pub fn exact(value: BigRational) -> Self {
        Self { low: value.clone(), high: value }
    }

    /// The number, if it is known.
    pub fn value(&self) -> Option<&BigRational> {
        (self.low == self.high).then_some(&self.low)
    }

    /// Its difference from 1.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self { low: BigRational::one() - &self.high, high: BigRational::one() - &self.low }
    }

    /// Bounds that are no longer than they need be.
    fn rounded(self, bits: u64) -> Self {
        if self.value().is_some() {
            return self;
        }
        let unit = BigInt::one() << bits;
        Self { low: (self.low * &unit).floor() / &unit, high: (self.high * &unit).ceil() / unit }
    }

    fn least(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.min(other.high) }
    }

    fn greatest(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }
}

/// The threshold of every vertex, as Alice's share.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    shares: Vec<Share>,
    tax: Tax,
}

/// What both players have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    /// Alice's.
    pub alice: BigRational,
    /// Bob's.
    pub bob: BigRational,
}

impl Money {
    /// Alice's share, if there is any money.
    pub fn share(&self) -> Option<BigRational> {
        let sum = &self.alice + &self.bob;
        (!sum.is_zero()).then(|| &self.alice / sum)
    }
}

/// Whether a number can be read at a glance.
fn is_short(number: &BigRational) -> bool {
    number.denom().bits() <= 40
}

/// The most bits that the precision may have.
const MOST_BITS: u64 = 1 << 20;

impl Shares {
    /// Solves a graph, to the precision that the rules ask for.
    ///
    /// # Errors
    /// If the rules are not ones of this theory, the precision cannot be reached, or the watch stops the work.
    pub fn solve(graph: &GameGraph, rules: &Rules, watch: &dyn Watch) -> Result<Self> {
        Self::solve_to(graph, &[], rules, watch)
    }

    /// The same where some endings have thresholds of their own.
    ///
    /// # Errors
    /// As [`Shares::solve`].
    pub fn solve_to(
        graph: &GameGraph,
        thresholds: &[(NodeId, Share)],
        rules: &Rules,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let tax = admit(rules)?;
        let wanted = bits_of(&rules.precision.0).filter(|bits| *bits <= MOST_BITS);
        let Some(wanted) = wanted else { return Err(out_of_reach(rules)) };
        let worth = Worth::new(rules.draws);
        if rules.solver == Asked::Iteration && thresholds.is_empty() {
            let shares = iteration::solve(graph, worth, &rules.pay, &rules.precision.0, watch)?;
            if shares.iter().any(|share| &share.high - &share.low > rules.precision.0) {
                return Err(apart(rules));
            }
            let shares = Self { shares, tax };
            shares.refuse_zugzwang(graph, rules)?;
            return Ok(shares);
        }
        // Every number loses some bits on the way to the start: how many is seen afterwards.
        for guard in [64, 256, 1024] {
            let shares = Solver::new(graph, worth, &tax, wanted + guard, watch)?.solve(thresholds)?;
            let half = &rules.precision.0 / BigInt::from(2);
            if shares.iter().all(|share| &share.high - &share.low <= half) {
                let shares = Self { shares: shares.into_iter().map(|share| share.rounded(wanted + 2)).collect(), tax };
                shares.refuse_zugzwang(graph, rules)?;
                return Ok(shares);
            }
        }
        Err(out_of_reach(rules))
    }

    /// The threshold of a vertex.
    pub fn share(&self, node: NodeId) -> &Share {
        &self.shares[node.index()]
    }

    /// How the thresholds of two vertices compare, equal if the bounds do not tell.
    pub fn compare(&self, a: NodeId, b: NodeId) -> Ordering {
        let (a, b) = (self.share(a), self.share(b));
        if a == b || (a.low <= b.high && b.low <= a.high && (a.value().is_none() || b.value().is_none())) {
            return Ordering::Equal;
        }
        a.low.cmp(&b.low)
    }

    /// A player's best move at a vertex, the first of those; `None` where the player has none.
    pub fn best(&self, graph: &GameGraph, node: NodeId, player: Player) -> Option<NodeId> {
        let order = |a: &NodeId, b: &NodeId| match player {
            Player::Alice => self.compare(*a, *b),
            Player::Bob => self.compare(*b, *a),
        };
        graph.successors(node, player).iter().copied().min_by(order)
    }

    /// A bid at a vertex that a player can afford: having won with it the player has at least the share that is needed where the bid's winner
    /// goes, having lost to no less at least that of where the loser ends up. `None` if no bid is known to be.
    pub fn affordable(&self, graph: &GameGraph, node: NodeId, player: Player, money: &Money) -> Option<BigRational> {
        /// Decimals that are tried before the bid is given in full.
        const DECIMALS: usize = 40;
        let both = Player::BOTH.map(|player| self.best(graph, node, player));
        let [Some(alice), Some(bob)] = both else { return Some(BigRational::zero()) };
        let (a, b) = (self.share(alice).clone(), self.share(bob).clone());
        // As the player sees them: own money first, thresholds as own shares, on the safe side.
        let (low, high) = match player {
            Player::Alice => (a.clone().least(b.clone()).high, a.greatest(b).high),
            Player::Bob => {
                let (a, b) = (a.complement(), b.complement());
                (a.clone().least(b.clone()).high, a.greatest(b).high)
            }
        };
        let (own, other) = match player {
            Player::Alice => (&money.alice, &money.bob),
            Player::Bob => (&money.bob, &money.alice),
        };
        let (share, part) = self.tax.exact(&low, &high);
        let bid = if share.is_one() { part * own } else { part * other / (BigRational::one() - share) };
        let affords = |bid: &BigRational| self.tax.affords(own, other, bid, &low, &high);
        if is_short(&bid) && affords(&bid) {
            return Some(bid);
        }
        let rounded = |decimals: usize| {
            let unit = num_traits::pow(BigInt::from(10), decimals);
            (&bid * &unit).round() / unit
        };
        (0..DECIMALS).map(rounded).chain([bid.clone()]).find(affords)
    }

    /// Whether a player who has won the bid moves, to this best successor, rather than lets the opponent move.
    pub fn rather_moves(&self, graph: &GameGraph, node: NodeId, player: Player, own: NodeId) -> bool {
        let Some(other) = self.best(graph, node, player.other()) else { return true };
        match player {
            Player::Alice => self.compare(own, other).is_le(),
            Player::Bob => self.compare(own, other).is_ge(),
        }
    }

    /// The thresholds of Richman bidding, which are known exactly.
    pub fn of_richman(values: &super::Values) -> Self {
        let shares = (0..values.len()).map(|vertex| Share::exact(values.value(NodeId::new(vertex)))).collect();
        Self { shares, tax: Tax::new(&Payment::Richman).expect("the winner of a bid pays") }
    }

    /// Refuses `winner: moves` where somebody may want to lose the bid.
    fn refuse_zugzwang(&self, graph: &GameGraph, rules: &Rules) -> Result<()> {
        if rules.winner == Winner::Chooses {
            return Ok(());
        }
        let wants_to_lose = |node: NodeId| {
            let best = Player::BOTH.map(|player| self.best(graph, node, player));
            let [Some(alice), Some(bob)] = best else { return false };
            let shared = graph
                .successors(node, Player::Alice)
                .iter()
                .any(|head| graph.successors(node, Player::Bob).contains(head));
            !shared && self.share(alice).high > self.share(bob).low
        };
        if !graph.nodes().any(wants_to_lose) {
            return Ok(());
        }
        Err(Diagnostic::new(
            Code::NotSupported,
            "not supported: `R` under `winner: moves` where a player may want to lose the bid",
        )
        .help("write `winner: chooses`, under which the bid's winner decides who moves")
        .into())
    }
}

/// How many bits after the point a precision needs; `None` if it is no precision.
fn bits_of(precision: &BigRational) -> Option<u64> {
    let positive = precision > &BigRational::zero();
    positive.then(|| (precision.denom() / precision.numer() + BigInt::one()).bits() + 1)
}

fn admit(rules: &Rules) -> Result<Tax> {
    let refused = |message: String, help: &str| Err(Diagnostic::new(Code::RulesClash, message).help(help).into());
    let Some(tax) = Tax::new(&rules.pay) else {
        return refused("`R` has no meaning where both players pay".to_owned(), "write `using { pay: poorman }`");
    };
    if rules.draws == Draws::Half {
        return refused(
            "half a win is no threshold: a share of the money wins, or does not lose, or neither".to_owned(),
            "write `draws: bob` for the share that wins, `draws: alice` for the one that does not lose; `thresholds(G)` gives both",
        );
    }
    match rules.solver {
        Asked::Auto | Asked::StrategyImprovement | Asked::Iteration => Ok(tax),
        Asked::Acyclic
        | Asked::PathSlopes
        | Asked::TwoMoves
        | Asked::Exact
        | Asked::Toeplitz
        | Asked::LinearProgram => {
            let (name, value) = FieldValue::Solver(rules.solver).words();
            refused(
                format!("`{name}: {value}` does not find thresholds of poorman and taxman bidding"),
                "write `solver: auto`",
            )
        }
    }
}

fn out_of_reach(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Precision(rules.precision.clone()).words();
    Diagnostic::new(Code::NotSupported, format!("`{name}: {value}` cannot be reached for this game"))
        .help("ask for less, as in `precision: 1e-30`; the default is 1e-12")
        .into()
}

fn apart(rules: &Rules) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Precision(rules.precision.clone()).words();
    Diagnostic::new(
        Code::NotSupported,
        format!("the bounds of `solver: iteration` do not come as near as `{name}: {value}`"),
    )
    .note("floats end at about 1e-15, and where play without end can be forced the bounds do not meet")
    .help("write `solver: auto`, or ask for less")
    .into()
}

fn unproved() -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NotSupported,
        "not supported: no bounds could be proved for a part of this game that goes round in circles",
    )
    .note("the values there change too little from one position to the next, or not at all")
    .help("ask about the truncated game, `G[n]`, or write `using { pay: richman }`")
    .into()
}

#[cfg(test)]
mod tests;
