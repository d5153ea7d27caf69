//! The recursion for one vertex: the threshold before the bid, from the thresholds after either
//! player's winning it.
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
//! Each line is a union of rays, so the least c for which some x exists is the minimum over three
//! kinds of bid: 0, more than the opponent has (k − c + 1), and in between. Put q = Q − 1 (not
//! below 0) and p = max(P, Pₜ). Where the seeker wins ties
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
//! and f_B is in N − ε.) The tests derive this from the rules themselves.
//!
//! The players bid at the same time, so *forcing* a win (some x good against every y) and its not
//! being *preventable* (no y good against every x) may differ. The second is the same recursion
//! seen by the opponent: [`dual`]. For every rule but the marker, and the advantage where the
//! winner must move, the formulas are their own duals, which proves that there is no gap. (For the
//! latter no game with a gap has been found, but single bids with arbitrary thresholds have one, so
//! both are computed.)

use super::quantity::Quantity;
use crate::player::Player;
use crate::rules::{Rules, TieBreak, Winner};

/// The recursion of a rule, from the seeker's point of view, with the scale of its numbers.
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

/// The number of thresholds of a vertex under a kernel, and their meaning.
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
    /// Returns the number of parts in which a chip is counted.
    pub(crate) fn units(self) -> u64 {
        match self {
            Self::Half => 2,
            Self::Plain | Self::ByHolder | Self::ByMajority(_) => 1,
        }
    }

    /// Returns the number of thresholds of a vertex.
    pub(crate) fn slots(self) -> usize {
        match self {
            Self::Half | Self::Plain => 1,
            Self::ByHolder | Self::ByMajority(_) => 2,
        }
    }

    /// Returns the thresholds for "never wins" where `beyond` is k + 1.
    pub(crate) fn never<T: Quantity>(self, beyond: T) -> [T; 2] {
        match self {
            Self::Half => [beyond + beyond, T::NOTHING],
            Self::Plain => [beyond, T::NOTHING],
            Self::ByHolder => [beyond, beyond],
            Self::ByMajority(seeker) => [beyond, majority(beyond, seeker)],
        }
    }

    /// Returns the thresholds for "always wins" where `beyond` is k + 1.
    pub(crate) fn always<T: Quantity>(self, beyond: T) -> [T; 2] {
        match self {
            Self::Half | Self::Plain | Self::ByHolder => [T::NOTHING; 2],
            Self::ByMajority(seeker) => [majority(beyond, seeker), T::NOTHING],
        }
    }

    /// Returns the thresholds of an ending that is won or not, where `beyond` is k + 1.
    pub(crate) fn ended<T: Quantity>(self, won: bool, beyond: T) -> [T; 2] {
        if won {
            self.always(beyond)
        } else {
            self.never(beyond)
        }
    }

    /// Returns the least chips with which the opponent is *kept* from the goal whose thresholds
    /// these are, on the opponent's scale: the complement of the set of winning states, from the
    /// other player's point of view. `beyond` is k + 1.
    pub(crate) fn complement<T: Quantity>(self, raw: [T; 2], beyond: T) -> [T; 2] {
        match self {
            Self::Half => [beyond + beyond - raw[0], T::NOTHING],
            Self::Plain => [beyond - raw[0], T::NOTHING],
            // The opponent has the status, or the majority, exactly where the seeker has not.
            Self::ByHolder | Self::ByMajority(_) => [beyond - raw[1], beyond - raw[0]],
        }
    }

    /// Returns the least count that wins ties, if the two thresholds depend on it.
    pub(crate) fn half(self, total: u64) -> Option<u64> {
        match self {
            Self::ByMajority(seeker) => Some(majority(total + 1, seeker)),
            Self::Half | Self::Plain | Self::ByHolder => None,
        }
    }

    /// Returns the same scale for the other player.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Half | Self::Plain | Self::ByHolder => self,
            Self::ByMajority(seeker) => Self::ByMajority(seeker.other()),
        }
    }

    /// Returns whether a seeker with these chips has reached the threshold.
    pub(crate) fn reached(self, raw: [u64; 2], chips: u64, has_status: bool, total: u64) -> bool {
        let (component, count) = self.component(chips, has_status, total);
        count >= raw[component]
    }

    /// Returns the index of the threshold for a seeker with these chips, and the count that must
    /// reach it.
    pub(crate) fn component(self, chips: u64, has_status: bool, total: u64) -> (usize, u64) {
        match self {
            Self::Half => (0, 2 * chips + u64::from(has_status)),
            Self::Plain => (0, chips),
            Self::ByHolder => (usize::from(!has_status), chips),
            Self::ByMajority(seeker) => (usize::from(chips < majority(total + 1, seeker)), chips),
        }
    }

    /// Returns the least chips that reach the threshold.
    pub(crate) fn least(self, raw: [u64; 2], has_status: bool, total: u64) -> u64 {
        match self {
            // An even threshold is reached with or without the status, an odd one takes a chip more
            // without it.
            Self::Half => (raw[0] + u64::from(!has_status)) / 2,
            Self::Plain => raw[0],
            Self::ByHolder => raw[usize::from(!has_status)],
            Self::ByMajority(seeker) if raw[1] < majority(total + 1, seeker) => raw[1],
            Self::ByMajority(_) => raw[0],
        }
    }
}

/// Returns the least count that wins ties by being the larger one, or, for Alice, not the smaller
/// one.
pub(super) fn majority<T: Quantity>(beyond: T, seeker: Player) -> T {
    match seeker {
        // With equal chips Alice counts as the richer one, so half of the chips, rounded up, is
        // enough for her.
        Player::Alice => beyond >> 1,
        Player::Bob => (beyond + T::UNIT) >> 1,
    }
}

impl Kernel {
    /// Returns the recursion of admitted rules for a player who seeks to win.
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

    /// Returns the scale of the numbers.
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

    /// Returns whether a bid changes nothing where the thresholds after it do not depend on its
    /// winner, so that it is equivalent to no bid. The formulas give P where P = Q.
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

    /// Returns whether a win that cannot be forced may be impossible to prevent.
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

    /// Returns whether thresholds after a bid that are at most d whole chips higher lead to
    /// thresholds before it that are at most d higher.
    pub(crate) fn keeps_distances(self) -> bool {
        match self {
            Self::HalfAdvantage
            | Self::HalfMakeIt
            | Self::WinsTies
            | Self::LosesTies
            | Self::Richer(_)
            | Self::Advantage
            | Self::Marker
            | Self::MakeIt
            | Self::LosersBall
            | Self::Attached => true,
            // Half of the chips stays where it is.
            Self::Split(_) => false,
        }
    }

    /// Computes the thresholds before the bid, lane by lane, from those after it: `p` where the
    /// seeker wins it, `q` where the opponent does; `beyond` is k + 1. Rows of kernels with two
    /// thresholds have all lanes of the first, then all of the second. If `preventing`, the
    /// thresholds are those of wins that the opponent cannot prevent, otherwise of wins that the
    /// seeker can force.
    // This function is inlined so that it is compiled for the instructions that a sweep has chosen.
    // The build for web pages uses only the program's own instructions, and has to be small.
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

/// The player who wins the bid outright, for the price of the bid, even with a bid of nothing: the
/// other player may *underbid*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Underbid {
    /// The seeker is underbid: the seeker's bid must be good against that as well.
    Seeker,
    /// The opponent is underbid.
    Opponent,
}

impl Kernel {
    /// Converts thresholds before the bid into those where a player may be underbid. A bid of 1 or
    /// more must be good against 0, which changes nothing; a bid of 0 must now also be good where
    /// it wins outright and costs nothing. So besides its old bound, the threshold is at least P
    /// (at most Q) at the status after the player has won outright.
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
            // Each status stays unchanged.
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

/// Applies a kernel with one threshold, to all lanes in one loop that the compiler vectorises.
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

/// Applies a kernel with two thresholds, to all lanes in one loop that the compiler vectorises.
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

/// Computes ⌈(a + b)/2⌉.
#[inline(always)]
fn ceil_half<T: Quantity>(a: T, b: T) -> T {
    // The sum is at most 2(k + 1) + 1, for which the width of numbers is chosen.
    (a + b + T::UNIT) >> 1
}

#[inline(always)]
fn less_one<T: Quantity>(a: T) -> T {
    // The numbers are unsigned, so 0 stays 0.
    a.larger(T::UNIT) - T::UNIT
}

/// Computes the threshold where the seeker wins ties; `tied` is the threshold after winning by a
/// tie, `p` after winning outright.
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

/// Computes [`wins_ties`] where the threshold after winning is the same with a tie and without.
#[inline(always)]
fn steady_win<T: Quantity>(p: T, q: T) -> T {
    p.larger(ceil_half(p, less_one(q)))
}

/// Computes the threshold where the opponent wins ties; `tied` is the threshold after losing by a
/// tie, `q` after losing outright.
#[inline(always)]
fn loses_ties<T: Quantity>(p: T, tied: T, q: T) -> T {
    let q = tied.larger(less_one(q));
    q.smaller(ceil_half(p, q))
}

/// Computes the thresholds where the holder of the advantage chooses the winner of a tie: a tie is
/// good for the holder if either result is, and against the holder if both are.
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

/// Computes the thresholds where the holder of the marker may attach it to a bid: then winning
/// outright passes it as well. A seeker who holds it has the better of both; one who does not must
/// be prepared for both. (A bid that is good whether the marker is attached or not is good with the
/// larger of the two Q, and the formula is monotone in Q, so it does not matter whether the holder
/// announces it before the bids.)
#[inline(always)]
fn attached<T: Quantity>(p: [T; 2], q: [T; 2], beyond: T) -> [T; 2] {
    let with = wins_ties(p[0], p[1], q[0], beyond).smaller(wins_ties(p[1], p[1], q[0], beyond));
    [with, loses_ties(p[1], q[0], q[0].larger(q[1]))]
}

/// Computes the threshold where P ≤ Q and ties are won from `half` chips on. Winning them is never
/// worse then, so one threshold is enough.
#[inline(always)]
fn richer<T: Quantity>(p: T, q: T, half: T) -> T {
    let (poorer, richer) = (loses_ties(p, q, q), steady_win(p, q));
    // The smaller half decides if some count in it wins; otherwise winning takes at least the
    // majority.
    poorer.if_less(half, poorer, richer.larger(half))
}

/// Computes the thresholds where ties are won from `half` chips on, and in zugzwang a player would
/// rather lose them. The counts that win need not reach up to k. But the winning counts of each
/// half reach up to its end, because below the half only the least count of P and the last run of Q
/// matter.
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

/// Converts a recursion for forcing into that for wins that the opponent cannot prevent:
/// complement, exchange, recursion, complement.
#[inline(always)]
fn dual<T: Quantity>(
    forcing: impl Fn([T; 2], [T; 2], T) -> [T; 2],
) -> impl Fn([T; 2], [T; 2], T) -> [T; 2] {
    let complement = |[with, without]: [T; 2], beyond: T| [beyond - without, beyond - with];
    move |p, q, beyond| {
        complement(
            // For the opponent the thresholds after winning are the complements of those after
            // losing.
            forcing(complement(q, beyond), complement(p, beyond), beyond),
            beyond,
        )
    }
}

#[cfg(test)]
mod tests;
