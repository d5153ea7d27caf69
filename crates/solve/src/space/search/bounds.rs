//! Bounds of thresholds, and the bounds of a position that follow from those of its moves.
//!
//! # Lemma
//! Let m be the best that the seeker can move to at a position, M the best that the opponent can
//! move to (the least and the greatest of the thresholds there, status by status), and T = F(m, M)
//! the position's thresholds. Then F is monotone: if m ≤ m' and M ≤ M' in every component, then
//! F(m, M) ≤ F(m', M'). Hence m⁻ ≤ m ≤ m⁺ and M⁻ ≤ M ≤ M⁺ imply F(m⁻, M⁻) ≤ T ≤ F(m⁺, M⁺).
//!
//! *Proof.* A threshold describes a set of winning purses: the smaller the threshold, the larger
//! the set. T describes the purses from which the seeker has a bid that is good against every bid
//! of the opponent. A bid is good if the player who then chooses the move may choose a position at
//! which the resulting purse wins. With more winning purses at the successors, no bid ceases to be
//! good; so no purse ceases to win. For *preventing* thresholds the order in which the bids are
//! chosen is exchanged, and the same argument applies. The formulas of
//! [`Kernel`](crate::chips) express this for all m and M; a test checks that each of them is
//! monotone for all thresholds of small totals. ∎
//!
//! This justifies the search with a window: to decide whether T ≤ t, only bounds of m and M with
//! F(m⁺, M⁺) ≤ t or F(m⁻, M⁻) > t are needed. A question about T becomes questions of the form m ≤
//! x or M ≤ x. The first holds if it holds after one of the seeker's moves, the second if it holds
//! after all of the opponent's ([`ThresholdLaw::next`] chooses them).

use crate::chips::{Kernel, Scale};
use crate::player::{Ending, Player};
use crate::rules::Winner;

/// The thresholds of a position in one total, as the kernels write them.
pub type ThresholdPair = [u16; 2];

/// Lower and upper bounds of thresholds, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThresholdInterval {
    pub low: ThresholdPair,
    pub high: ThresholdPair,
}

impl ThresholdInterval {
    /// Creates the interval of thresholds that are known.
    pub fn exactly(value: ThresholdPair) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// Returns the intersection of two intervals of the same thresholds.
    #[must_use]
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self {
            low: [self.low[0].max(other.low[0]), self.low[1].max(other.low[1])],
            high: [
                self.high[0].min(other.high[0]),
                self.high[1].min(other.high[1]),
            ],
        }
    }

    /// Returns the answer to a question, if it is known.
    #[inline]
    pub fn answers(&self, question: ThresholdQuestion) -> Option<bool> {
        if self.high[question.slot] <= question.most {
            return Some(true);
        }
        (self.low[question.slot] > question.most).then_some(false)
    }
}

/// The question whether one of a position's thresholds is at most a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThresholdQuestion {
    pub slot: usize,
    pub most: u16,
}

/// The side whose moves are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchSide {
    Seeker,
    Opponent,
}

/// The rule by which the player who moves at a position is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnKind {
    /// A bid decides.
    Bid,
    /// A player moves without a bid.
    Owned,
}

/// The bounds of the best move of each side; `None` if it has no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SideIntervals {
    pub seeker: Option<ThresholdInterval>,
    pub opponent: Option<ThresholdInterval>,
}

/// The rule by which the thresholds of one player in one total follow from each other.
#[derive(Debug, Clone, Copy)]
pub struct ThresholdLaw {
    pub kernel: Kernel,
    pub winner: Winner,
    /// If set, the question is about what the opponent cannot prevent, rather than what the seeker
    /// can force.
    pub preventing: bool,
    /// If set, a draw counts as a win.
    pub drawn: bool,
    /// The player whose thresholds these are, named by the part in the game.
    pub seeker: Player,
    /// The number of all chips plus one.
    pub beyond: u16,
}

/// A question about the best move of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideQuestion {
    pub side: SearchSide,
    pub question: ThresholdQuestion,
}

impl ThresholdLaw {
    /// Returns the scale of the numbers.
    pub fn scale(&self) -> Scale {
        self.kernel.scale()
    }

    /// Returns the interval of all thresholds.
    pub fn anything(&self) -> ThresholdInterval {
        ThresholdInterval {
            low: self.scale().always(self.beyond),
            high: self.scale().never(self.beyond),
        }
    }

    /// Returns the thresholds of an ending.
    pub fn ended(&self, ending: Ending) -> ThresholdPair {
        let won = ending.is_won_by(self.seeker, self.drawn);
        self.scale().ended(won, self.beyond)
    }

    /// Returns the side that a player is on.
    pub fn side(&self, player: Player) -> SearchSide {
        if player == self.seeker {
            SearchSide::Seeker
        } else {
            SearchSide::Opponent
        }
    }

    /// Computes F: the thresholds of a position from those of each side's best move.
    #[inline]
    pub fn value(
        &self,
        turn: TurnKind,
        seeker: Option<ThresholdPair>,
        opponent: Option<ThresholdPair>,
    ) -> ThresholdPair {
        let (m, others) = match (turn, seeker, opponent) {
            (TurnKind::Owned, Some(only), _) | (TurnKind::Owned, None, Some(only)) => return only,
            (TurnKind::Bid, Some(m), Some(others)) => (m, others),
            // A side without moves lets the other one move, whoever wins the bid.
            (TurnKind::Bid, Some(only), None) | (TurnKind::Bid, None, Some(only)) => (only, only),
            (_, None, None) => return self.ended(Ending::Draw),
        };
        let (won, lost) = match self.winner {
            Winner::Chooses => (
                [m[0].min(others[0]), m[1].min(others[1])],
                [m[0].max(others[0]), m[1].max(others[1])],
            ),
            Winner::Moves => (m, others),
        };
        let slots = self.scale().slots();
        let mut out = [0; 2];
        self.kernel.apply(
            self.preventing,
            &won[..slots],
            &lost[..slots],
            &[self.beyond],
            &mut out[..slots],
        );
        out
    }

    /// Computes the bounds of a position from those of each side's best move.
    #[inline]
    pub fn bounds(&self, turn: TurnKind, sides: &SideIntervals) -> ThresholdInterval {
        let low = |side: ThresholdInterval| side.low;
        let high = |side: ThresholdInterval| side.high;
        ThresholdInterval {
            low: self.value(turn, sides.seeker.map(low), sides.opponent.map(low)),
            high: self.value(turn, sides.seeker.map(high), sides.opponent.map(high)),
        }
    }
}

/// The greatest distance between a guess and a question that may decide at which the guess gives
/// way.
const NEAR: u16 = 1;

/// A component of the best move of a side of which not all is known.
#[derive(Debug, Clone, Copy)]
struct OpenComponent {
    side: SearchSide,
    slot: usize,
    low: u16,
    high: u16,
}

impl SideIntervals {
    fn get(&self, side: SearchSide) -> Option<ThresholdInterval> {
        match side {
            SearchSide::Seeker => self.seeker,
            SearchSide::Opponent => self.opponent,
        }
    }

    /// Returns the intervals with other bounds of one component.
    fn with(mut self, open: OpenComponent, low: u16, high: u16) -> Self {
        let interval = match open.side {
            SearchSide::Seeker => &mut self.seeker,
            SearchSide::Opponent => &mut self.opponent,
        };
        if let Some(interval) = interval {
            (interval.low[open.slot], interval.high[open.slot]) = (low, high);
        }
        self
    }

    /// Returns the answer to a question about a side, if it is known.
    #[inline]
    pub fn answers(&self, aim: SideQuestion) -> Option<bool> {
        self.get(aim.side)?.answers(aim.question)
    }

    fn open(self, slots: usize) -> impl Iterator<Item = OpenComponent> {
        let of = move |side| {
            let interval = self.get(side);
            let open = move |slot| {
                let ThresholdInterval { low, high } = interval?;
                (low[slot] < high[slot]).then_some(OpenComponent {
                    side,
                    slot,
                    low: low[slot],
                    high: high[slot],
                })
            };
            (0..slots).filter_map(open)
        };
        [SearchSide::Seeker, SearchSide::Opponent]
            .into_iter()
            .flat_map(of)
    }
}

/// Questions about one component that can decide the position.
#[derive(Debug, Clone, Copy, Default)]
struct Deciding {
    /// The greatest x such that the position's question is answered yes if the component is at most
    /// x.
    enough: Option<u16>,
    /// The least x such that it is answered no if the component is more than x.
    needed: Option<u16>,
}

impl ThresholdLaw {
    fn deciding(
        &self,
        turn: TurnKind,
        sides: &SideIntervals,
        question: ThresholdQuestion,
        open: OpenComponent,
    ) -> Deciding {
        let yes = |x: u16| {
            self.bounds(turn, &sides.with(open, open.low, x)).high[question.slot] <= question.most
        };
        let no = |x: u16| {
            self.bounds(turn, &sides.with(open, x + 1, open.high)).low[question.slot]
                > question.most
        };
        // A question about the greatest value would always be answered with yes.
        let last = open.high - 1;
        let enough =
            yes(open.low).then(|| first(open.low, last, |x| !yes(x)).map_or(last, |x| x - 1));
        let needed = no(last).then(|| first(open.low, last, no).unwrap_or(last));
        Deciding { enough, needed }
    }

    /// Returns the next question about the best moves, where the position's question is not
    /// decided.
    ///
    /// A question of which either answer decides comes first. Otherwise the question is one that
    /// decides if the other side turns out as the last one did: after a yes one whose yes decides,
    /// after a no one whose no decides, so that both sides' answers meet. The first question is a
    /// guess: that the thresholds on both sides are `lean` away from the one asked about, which
    /// tries the same bid that has been good nearby.
    pub fn next(
        &self,
        turn: TurnKind,
        sides: &SideIntervals,
        question: ThresholdQuestion,
        last: Option<(SideQuestion, bool)>,
        lean: u16,
    ) -> SideQuestion {
        let slots = self.scale().slots();
        let aim = |open: OpenComponent, most: u16| SideQuestion {
            side: open.side,
            question: ThresholdQuestion {
                slot: open.slot,
                most,
            },
        };
        let mut found: [Option<SideQuestion>; 3] = [None; 3];
        let mut widest: Option<(bool, u16, SideQuestion)> = None;
        for open in sides.open(slots) {
            let Deciding { enough, needed } = self.deciding(turn, sides, question, open);
            if let (Some(enough), Some(needed)) = (enough, needed)
                // Either answer decides anything between the two, so the middle is as good as any.
                && enough >= needed
            {
                return aim(open, enough.midpoint(needed));
            }
            if let Some((before, answer)) = last
                // The component asked about last has just changed, and the others have to answer
                // it.
                && (before.side, before.question.slot) != (open.side, open.slot)
                && let Some(most) = if answer { enough } else { needed }
            {
                found[0].get_or_insert(aim(open, most));
            }
            if last.is_none() && open.side == SearchSide::Seeker && open.slot == question.slot {
                let guess = question
                    .most
                    .saturating_sub(lean)
                    .clamp(open.low, open.high - 1);
                // A guess next to a question that may decide gives way to it.
                let enough = enough.filter(|enough| guess <= enough + NEAR);
                let needed = needed.filter(|needed| guess + NEAR >= *needed);
                found[1].get_or_insert(aim(open, enough.or(needed).unwrap_or(guess)));
            }
            if let Some(most) = enough.or(needed) {
                found[2].get_or_insert(aim(open, most));
            }
            // A component that cannot change the result comes last, however little is known of it.
            let width = (
                self.matters(turn, sides, question, open),
                open.high - open.low,
            );
            if widest.is_none_or(|(matters, wide, _)| (matters, wide) < width) {
                widest = Some((
                    width.0,
                    width.1,
                    aim(open, open.low.midpoint(open.high - 1)),
                ));
            }
        }
        let widest = widest.map(|(.., aim)| aim);
        found
            .into_iter()
            .flatten()
            .next()
            .or(widest)
            .expect("where nothing is open the question is decided")
    }

    /// Returns whether the value of a component makes a difference to the position.
    fn matters(
        &self,
        turn: TurnKind,
        sides: &SideIntervals,
        question: ThresholdQuestion,
        open: OpenComponent,
    ) -> bool {
        let now = self.bounds(turn, sides);
        let least = self.bounds(turn, &sides.with(open, open.low, open.low));
        let most = self.bounds(turn, &sides.with(open, open.high, open.high));
        least.high[question.slot] < now.high[question.slot]
            || most.low[question.slot] > now.low[question.slot]
    }
}

/// Returns the first number from `low` to `high` for which the condition holds. The condition must
/// hold for all greater numbers as well.
fn first(low: u16, high: u16, holds: impl Fn(u16) -> bool) -> Option<u16> {
    let (mut low, mut high) = (low, high + 1);
    let end = high;
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle
        } else {
            low = middle + 1
        }
    }
    (low < end).then_some(low)
}

#[cfg(test)]
mod tests;
