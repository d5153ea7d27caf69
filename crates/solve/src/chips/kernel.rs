//! The recursion for one vertex: from the thresholds after either player's winning the bid to the
//! threshold before it.
//!
//! # Derivation
//! Let the *seeker* have c of k chips and bid x, the *opponent* bid y. Write P for the least chips
//! with which the seeker wins after winning the bid, Q after losing it, each at the tie status that
//! then holds; t-indices mean "on a tie". Since a higher winning bid of the opponent only pays the
//! seeker more, x is good against every y exactly if
//!
//! - x = 0 or c − x ≥ P (some y < x exists, and all are alike);
//! - x ≥ k − c or c + x + 1 ≥ Q (the opponent's cheapest higher bid is x + 1);
//! - x > k − c, or the tie is good: c − x ≥ Pₜ where the seeker wins ties, c + x ≥ Qₜ where the
//!   opponent does; either of these where the seeker chooses, both where the opponent does.
//!
//! Each line is a union of rays, so the least c for which some x exists is found by looking at
//! three kinds of bid: 0, more than the opponent has (k − c + 1), and in between. Put q = Q − 1
//! (not below 0) and p = max(P, Pₜ). Where the seeker wins ties
//!
//! - `T = min(k + 1, max(Pₜ, q), ⌈(k + 1 + P)/2⌉, max(p + 1, ⌈(p + q)/2⌉))`,
//!
//! which is max(P, ⌈(P + q)/2⌉) if P = Pₜ; where the opponent wins them, with r = max(Qₜ, Q − 1),
//!
//! - `T = min(r, ⌈(P + r)/2⌉)`.
//!
//! If P ≤ Q and the two statuses interleave, both statuses are one number h in half chips, and the
//! formulas become `h = ⌈lo/2⌉ + ⌊hi/2⌋` for the tie-breaking advantage (Theorem 3.7 of Develin &
//! Payne 2010, with lo/hi for f_A, f_B so that it holds in zugzwang too) and `h = ⌊lo/2⌋ + ⌈hi/2⌉`
//! for make-it take-it. The appendix of the paper prints a case distinction for the latter whose
//! two odd cases ask whether f_A is in N; they must ask about f_B, as its even cases do. (With S =
//! |f_A| + |f_B| the formula here says ⌊S/2⌋ + 1 − ε if S is odd and f_B is in N, ⌊S/2⌋ if S is odd
//! and f_B is in N − ε.) The tests find this from the rules themselves.
//!
//! The players bid at the same time, so *forcing* a win (some x good against every y) and its not
//! being *preventable* (no y good against every x) may differ. What the opponent can prevent is the
//! same recursion seen from the other side of the table: [`dual`]. For every rule but the marker,
//! and the advantage where the winner must move, the formulas are their own duals, which is the
//! proof that there is no gap. (For the latter no game with a gap was met, but single bids with
//! thresholds from nowhere have one, so both are computed.)

use super::quantity::Quantity;
use crate::player::Player;
use crate::rules::{Rules, TieBreak, Winner};

/// A rule's recursion, as the seeker sees it, and how its numbers are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// The advantage, in half chips: 2c for c, 2c + 1 for c*.
    HalfAdvantage,
    /// Make-it take-it, in half chips: 2c for c − ε, 2c + 1 for c.
    HalfMakeIt,
    /// The seeker wins ties.
    WinsTies,
    /// The opponent wins ties.
    LosesTies,
    /// The richer player wins ties, and the winner of the bid chooses who moves.
    Richer(Player),
    /// The advantage, where the winner of the bid must move: two thresholds.
    Advantage,
    /// The marker: two thresholds.
    Marker,
    /// Make-it take-it, where the winner of the bid must move: two thresholds.
    MakeIt,
    /// Loser's ball: two thresholds.
    LosersBall,
    /// The marker, which may be attached to a bid: two thresholds.
    Attached,
    /// The richer player wins ties, and the winner of the bid must move: a threshold among the
    /// counts that win ties, another among those that lose them.
    Split(Player),
}

/// How many thresholds a vertex has under a kernel, and what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// One, in half chips; the odd ones have the status.
    Half,
    /// One, in chips.
    Plain,
    /// Two: where the seeker has the status, where the opponent has.
    ByHolder,
    /// Two: among the counts that win ties for this seeker, among the smaller ones.
    ByMajority(Player),
}

impl Scale {
    /// In how many parts a chip is counted.
    pub(crate) fn units(self) -> u64 {
        match self {
            Self::Half => 2,
            Self::Plain | Self::ByHolder | Self::ByMajority(_) => 1,
        }
    }

    /// How many thresholds a vertex has.
    pub(crate) fn slots(self) -> usize {
        match self {
            Self::Half | Self::Plain => 1,
            Self::ByHolder | Self::ByMajority(_) => 2,
        }
    }

    /// "Never wins" where `beyond` is k + 1.
    pub(crate) fn never<T: Quantity>(self, beyond: T) -> [T; 2] {
        match self {
            Self::Half => [beyond + beyond, T::NOTHING],
            Self::Plain => [beyond, T::NOTHING],
            Self::ByHolder => [beyond, beyond],
            Self::ByMajority(seeker) => [beyond, majority(beyond, seeker)],
        }
    }

    /// "Always wins" where `beyond` is k + 1.
    pub(crate) fn always<T: Quantity>(self, beyond: T) -> [T; 2] {
        match self {
            Self::Half | Self::Plain | Self::ByHolder => [T::NOTHING; 2],
            Self::ByMajority(seeker) => [majority(beyond, seeker), T::NOTHING],
        }
    }

    /// The least chips with which the opponent is *kept* from the goal whose thresholds these are,
    /// read by the opponent: the complement of a set of states, seen from the other side of the
    /// table. `beyond` is k + 1.
    pub(crate) fn complement<T: Quantity>(self, raw: [T; 2], beyond: T) -> [T; 2] {
        match self {
            Self::Half => [beyond + beyond - raw[0], T::NOTHING],
            Self::Plain => [beyond - raw[0], T::NOTHING],
            Self::ByHolder | Self::ByMajority(_) => [beyond - raw[1], beyond - raw[0]],
        }
    }

    /// Where the counts that win ties begin, if that is what the two thresholds are about.
    pub(crate) fn half(self, total: u64) -> Option<u64> {
        match self {
            Self::ByMajority(seeker) => Some(majority(total + 1, seeker)),
            Self::Half | Self::Plain | Self::ByHolder => None,
        }
    }

    /// The same scale read by the other player.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Half | Self::Plain | Self::ByHolder => self,
            Self::ByMajority(seeker) => Self::ByMajority(seeker.other()),
        }
    }

    /// Whether a seeker with these chips has reached the threshold.
    pub(crate) fn reached(self, raw: [u64; 2], chips: u64, has_status: bool, total: u64) -> bool {
        let (component, count) = self.component(chips, has_status, total);
        count >= raw[component]
    }

    /// Which of the thresholds is about a seeker with these chips, and the count that must reach
    /// it.
    pub(crate) fn component(self, chips: u64, has_status: bool, total: u64) -> (usize, u64) {
        match self {
            Self::Half => (0, 2 * chips + u64::from(has_status)),
            Self::Plain => (0, chips),
            Self::ByHolder => (usize::from(!has_status), chips),
            Self::ByMajority(seeker) => (usize::from(chips < majority(total + 1, seeker)), chips),
        }
    }

    /// The least chips that reach the threshold.
    pub(crate) fn least(self, raw: [u64; 2], has_status: bool, total: u64) -> u64 {
        match self {
            Self::Half => (raw[0] + u64::from(!has_status)) / 2,
            Self::Plain => raw[0],
            Self::ByHolder => raw[usize::from(!has_status)],
            Self::ByMajority(seeker) if raw[1] < majority(total + 1, seeker) => raw[1],
            Self::ByMajority(_) => raw[0],
        }
    }
}

/// The least count that wins ties by being the larger one, or, for Alice, not the smaller one.
pub(super) fn majority<T: Quantity>(beyond: T, seeker: Player) -> T {
    match seeker {
        Player::Alice => beyond >> 1,
        Player::Bob => (beyond + T::UNIT) >> 1,
    }
}

impl Kernel {
    /// The recursion of admitted rules for a player who seeks to win.
    pub(crate) fn of(rules: &Rules, seeker: Player) -> Self {
        match (rules.ties, rules.winner) {
            (TieBreak::Advantage, Winner::Chooses) => Self::HalfAdvantage,
            (TieBreak::Advantage, Winner::Moves) => Self::Advantage,
            (TieBreak::MakeItTakeIt, Winner::Chooses) => Self::HalfMakeIt,
            (TieBreak::MakeItTakeIt, Winner::Moves) => Self::MakeIt,
            (TieBreak::Marker, _) => Self::Marker,
            (TieBreak::LosersBall, _) => Self::LosersBall,
            (TieBreak::LadiesFirst, _) if seeker == Player::Alice => Self::WinsTies,
            (TieBreak::LadiesFirst, _) => Self::LosesTies,
            (TieBreak::GentlemenFirst, _) if seeker == Player::Bob => Self::WinsTies,
            (TieBreak::GentlemenFirst, _) => Self::LosesTies,
            (TieBreak::Richer, Winner::Chooses) => Self::Richer(seeker),
            (TieBreak::Richer, Winner::Moves) => Self::Split(seeker),
            (TieBreak::Attached, _) => Self::Attached,
            (TieBreak::Coin | TieBreak::Nobody, _) => {
                unreachable!("rules by which ties are not won are not admitted")
            }
        }
    }

    /// How the numbers are to be read.
    pub(crate) fn scale(self) -> Scale {
        match self {
            Self::HalfAdvantage | Self::HalfMakeIt => Scale::Half,
            Self::WinsTies | Self::LosesTies | Self::Richer(_) => Scale::Plain,
            Self::Advantage | Self::Marker | Self::Attached | Self::MakeIt | Self::LosersBall => {
                Scale::ByHolder
            }
            Self::Split(seeker) => Scale::ByMajority(seeker),
        }
    }

    /// Whether a bid changes nothing where what follows does not depend on who wins it: then it is
    /// as good as no bid. The formulas give back P where P = Q.
    pub(crate) fn is_indifferent(self) -> bool {
        match self {
            Self::HalfAdvantage
            | Self::HalfMakeIt
            | Self::WinsTies
            | Self::LosesTies
            | Self::Richer(_) => true,
            Self::Advantage
            | Self::Marker
            | Self::Attached
            | Self::MakeIt
            | Self::LosersBall
            | Self::Split(_) => false,
        }
    }

    /// Whether a win that cannot be forced may yet be one that cannot be prevented.
    pub(crate) fn has_gap(self) -> bool {
        match self {
            Self::Marker | Self::Attached | Self::Advantage => true,
            Self::HalfAdvantage
            | Self::HalfMakeIt
            | Self::WinsTies
            | Self::LosesTies
            | Self::Richer(_)
            | Self::MakeIt
            | Self::LosersBall
            | Self::Split(_) => false,
        }
    }

    /// The thresholds before the bid, lane by lane, from those after it: `p` where the seeker wins
    /// it, `q` where the opponent does; `beyond` is k + 1. Rows of kernels with two thresholds hold
    /// all lanes of the first, then all of the second. `preventing` asks for what the opponent
    /// cannot prevent instead of what the seeker can force.
    // Inlined, so that it is compiled for the instructions that a sweep has found; a page has those
    // of the program alone, and is to be small.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn apply<T: Quantity>(
        self,
        preventing: bool,
        p: &[T],
        q: &[T],
        beyond: &[T],
        out: &mut [T],
    ) {
        match self {
            Self::HalfAdvantage => single(p, q, beyond, out, |p, q, _| {
                ceil_half(p, T::NOTHING) + (q >> 1)
            }),
            Self::HalfMakeIt => single(p, q, beyond, out, |p, q, _| {
                (p >> 1) + ceil_half(q, T::NOTHING)
            }),
            Self::WinsTies => single(p, q, beyond, out, |p, q, _| steady_win(p, q)),
            Self::LosesTies => single(p, q, beyond, out, |p, q, _| loses_ties(p, q, q)),
            Self::Richer(seeker) => single(p, q, beyond, out, |p, q, beyond| {
                richer(p, q, majority(beyond, seeker))
            }),
            Self::Advantage if preventing => pair(p, q, beyond, out, dual(advantage)),
            Self::Advantage => pair(p, q, beyond, out, advantage),
            Self::Marker if preventing => pair(p, q, beyond, out, dual(marker)),
            Self::Marker => pair(p, q, beyond, out, marker),
            Self::Attached if preventing => pair(p, q, beyond, out, dual(attached)),
            Self::Attached => pair(p, q, beyond, out, attached),
            Self::MakeIt => pair(p, q, beyond, out, |p, q, _| {
                [steady_win(p[0], q[1]), loses_ties(p[0], q[1], q[1])]
            }),
            Self::LosersBall => {
                pair(p, q, beyond, out, |p, q, _| {
                    [steady_win(p[1], q[0]), loses_ties(p[1], q[0], q[0])]
                });
            }
            Self::Split(seeker) => pair(p, q, beyond, out, |p, q, beyond| {
                split(p, q, beyond, majority(beyond, seeker))
            }),
        }
    }
}

/// A player who wins the bid outright, at his price, even if he bids nothing: the other may
/// *underbid*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Underbid {
    /// The seeker is underbid: a bid must be good against that as well.
    Seeker,
    /// The opponent is.
    Opponent,
}

impl Kernel {
    /// Turns thresholds before the bid into those where a player may be underbid. A bid of 1 or
    /// more must be good against 0, which is the same; a bid of 0 must now also be good where it
    /// wins outright and costs nothing. So beside what it was, the threshold is at least P (at most
    /// Q) at the status that follows when the player wins outright.
    pub(crate) fn underbid<T: Quantity>(self, who: Underbid, p: &[T], q: &[T], out: &mut [T]) {
        let lanes = out.len() / self.scale().slots();
        let even = |half: T| half + half;
        match (self, who) {
            (
                Self::HalfAdvantage | Self::WinsTies | Self::LosesTies | Self::Richer(_),
                Underbid::Seeker,
            ) => {
                adjust(out, p, T::larger);
            }
            (
                Self::HalfAdvantage | Self::WinsTies | Self::LosesTies | Self::Richer(_),
                Underbid::Opponent,
            ) => {
                adjust(out, q, T::smaller);
            }
            // The winner of the bid wins the next tie.
            (Self::HalfMakeIt, Underbid::Seeker) => {
                adjust(out, p, |out, p| out.larger(even(p >> 1)))
            }
            (Self::HalfMakeIt, Underbid::Opponent) => {
                adjust(out, q, |out, q| out.smaller(even(ceil_half(q, T::NOTHING))));
            }
            // Each status stays what it is.
            (Self::Attached, _) => {
                unreachable!("closed forms are not admitted for a marker that may be attached")
            }
            (Self::Advantage | Self::Marker | Self::Split(_), Underbid::Seeker) => {
                adjust(out, p, T::larger)
            }
            (Self::Advantage | Self::Marker | Self::Split(_), Underbid::Opponent) => {
                adjust(out, q, T::smaller)
            }
            (Self::MakeIt, Underbid::Seeker) => out
                .chunks_mut(lanes)
                .for_each(|out| adjust(out, &p[..lanes], T::larger)),
            (Self::MakeIt, Underbid::Opponent) => {
                out.chunks_mut(lanes)
                    .for_each(|out| adjust(out, &q[lanes..], T::smaller));
            }
            // The loser of the bid wins the next tie.
            (Self::LosersBall, Underbid::Seeker) => {
                out.chunks_mut(lanes)
                    .for_each(|out| adjust(out, &p[lanes..], T::larger));
            }
            (Self::LosersBall, Underbid::Opponent) => {
                out.chunks_mut(lanes)
                    .for_each(|out| adjust(out, &q[..lanes], T::smaller));
            }
        }
    }
}

fn adjust<T: Quantity>(out: &mut [T], by: &[T], formula: impl Fn(T, T) -> T) {
    out.iter_mut()
        .zip(by)
        .for_each(|(out, &by)| *out = formula(*out, by));
}

/// Kernels with one threshold, all lanes in one loop that the compiler vectorises.
#[inline(always)]
fn single<T: Quantity>(
    p: &[T],
    q: &[T],
    beyond: &[T],
    out: &mut [T],
    formula: impl Fn(T, T, T) -> T,
) {
    for (((out, &p), &q), &beyond) in out.iter_mut().zip(p).zip(q).zip(beyond) {
        *out = formula(p, q, beyond);
    }
}

/// Kernels with two thresholds, likewise.
#[inline(always)]
fn pair<T: Quantity>(
    p: &[T],
    q: &[T],
    beyond: &[T],
    out: &mut [T],
    formula: impl Fn([T; 2], [T; 2], T) -> [T; 2],
) {
    let lanes = beyond.len();
    let (p0, p1) = p.split_at(lanes);
    let (q0, q1) = q.split_at(lanes);
    let (out0, out1) = out.split_at_mut(lanes);
    let afterwards = p0.iter().zip(p1).zip(q0.iter().zip(q1));
    for (((out0, out1), ((&p0, &p1), (&q0, &q1))), &beyond) in
        out0.iter_mut().zip(out1).zip(afterwards).zip(beyond)
    {
        [*out0, *out1] = formula([p0, p1], [q0, q1], beyond);
    }
}

/// ⌈(a + b)/2⌉.
#[inline(always)]
fn ceil_half<T: Quantity>(a: T, b: T) -> T {
    (a + b + T::UNIT) >> 1
}

#[inline(always)]
fn less_one<T: Quantity>(a: T) -> T {
    a.larger(T::UNIT) - T::UNIT
}

/// The seeker wins ties, and winning by a tie is worth `tied`, winning outright `p`.
#[inline(always)]
fn wins_ties<T: Quantity>(p: T, tied: T, q: T, beyond: T) -> T {
    let (both, q) = (p.larger(tied), less_one(q));
    let bids_nothing = tied.larger(q);
    let bids_more_than_there_is = ceil_half(beyond, p);
    let bids_between = (both + T::UNIT).larger(ceil_half(both, q));
    beyond
        .smaller(bids_nothing)
        .smaller(bids_more_than_there_is)
        .smaller(bids_between)
}

/// [`wins_ties`] where winning is worth the same with a tie and without.
#[inline(always)]
fn steady_win<T: Quantity>(p: T, q: T) -> T {
    p.larger(ceil_half(p, less_one(q)))
}

/// The opponent wins ties; losing by a tie is worth `tied`, losing outright `q`.
#[inline(always)]
fn loses_ties<T: Quantity>(p: T, tied: T, q: T) -> T {
    let q = tied.larger(less_one(q));
    q.smaller(ceil_half(p, q))
}

/// The holder of the advantage chooses: ties are good if either is; against the holder, if both
/// are.
#[inline(always)]
fn advantage<T: Quantity>(p: [T; 2], q: [T; 2], beyond: T) -> [T; 2] {
    let with = wins_ties(p[0], p[1], q[0], beyond).smaller(loses_ties(p[0], q[0], q[0]));
    let q = q[0].larger(less_one(q[1]));
    [with, p[1].larger(ceil_half(p[1], q))]
}

#[inline(always)]
fn marker<T: Quantity>(p: [T; 2], q: [T; 2], beyond: T) -> [T; 2] {
    [
        wins_ties(p[0], p[1], q[0], beyond),
        loses_ties(p[1], q[0], q[1]),
    ]
}

/// The holder of the marker may attach it to a bid: then winning outright passes it as well. A
/// seeker who holds it has the better of both; one who does not must be prepared for both. (A bid
/// that is good whether it is attached or not is good with the larger of the two Q, and the formula
/// is monotone in Q, so it does not matter whether the holder says so before the bids.)
#[inline(always)]
fn attached<T: Quantity>(p: [T; 2], q: [T; 2], beyond: T) -> [T; 2] {
    let with = wins_ties(p[0], p[1], q[0], beyond).smaller(wins_ties(p[1], p[1], q[0], beyond));
    [with, loses_ties(p[1], q[0], q[0].larger(q[1]))]
}

/// Where P ≤ Q: ties are won from `half` chips on. Winning them is never worse then, so one
/// threshold will do.
#[inline(always)]
fn richer<T: Quantity>(p: T, q: T, half: T) -> T {
    let (poorer, richer) = (loses_ties(p, q, q), steady_win(p, q));
    poorer.if_less(half, poorer, richer.larger(half))
}

/// Ties are won from `half` chips on, and in zugzwang a player would rather lose them: counts that
/// win need not reach up. But each half of them does, since below the half only the least count of
/// P and the last run of Q matter.
#[inline(always)]
fn split<T: Quantity>(p: [T; 2], q: [T; 2], beyond: T, half: T) -> [T; 2] {
    let least_p = p[1].if_less(half, p[1], p[0]);
    let all_q = half.if_less(q[0], q[0], q[1]);
    let q = less_one(all_q);
    let bids_nothing = p[0].larger(q);
    let bids_more = (least_p + T::UNIT).larger(ceil_half(least_p, q));
    [
        half.larger(bids_nothing.smaller(bids_more)).smaller(beyond),
        half.smaller(loses_ties(least_p, all_q, all_q)),
    ]
}

/// A recursion for forcing, turned into that for what the opponent cannot prevent: complement,
/// exchange, recur, complement.
#[inline(always)]
fn dual<T: Quantity>(
    forcing: impl Fn([T; 2], [T; 2], T) -> [T; 2],
) -> impl Fn([T; 2], [T; 2], T) -> [T; 2] {
    let complement = |[with, without]: [T; 2], beyond: T| [beyond - without, beyond - with];
    move |p, q, beyond| {
        complement(
            forcing(complement(q, beyond), complement(p, beyond), beyond),
            beyond,
        )
    }
}

#[cfg(test)]
mod tests;
