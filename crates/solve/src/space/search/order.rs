//! The order in which moves are searched and bids are tried: those that have been good nearby come
//! first. Answers do not depend on the order.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::bounds::{SearchSide, SideQuestion, ThresholdInterval};
use crate::convert::fit;

/// The number of kinds of moves that are distinguished.
const KINDS: usize = 1 << 10;

/// The greatest score of a kind of moves, and the divisor of the distance to it that gives the
/// increase of the score after a success.
const GREATEST: i32 = 1 << 16;
const STEP: i32 = 32;

/// The bound of the random initial scores, which break ties between moves of which nothing is known
/// differently in every thread but the first.
const SCATTER: u64 = 1 << 12;

/// The features of a move that the choice among moves looks at.
#[derive(Debug, Clone, Copy)]
pub struct MoveFeatures {
    pub side: SearchSide,
    pub kind: u32,
    pub known: ThresholdInterval,
}

/// The statistics of which moves and bids have been good so far.
pub struct Habits {
    /// The score of each kind of moves by side, which rises when such a move decides.
    scores: [Vec<i32>; 2],
    /// The distance of the thresholds on both sides from the one asked about, in sixteenths, by
    /// depth.
    leans: Vec<Option<u32>>,
}

impl Habits {
    /// Creates statistics in which nothing is known. A seed other than 0 prefers some moves at
    /// random.
    pub fn new(seed: u64) -> Self {
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut scatter = || {
            if seed == 0 {
                0
            } else {
                (chance.next_u64() % SCATTER) as i32
            }
        };
        let mut scores = || (0..KINDS).map(|_| scatter()).collect::<Vec<i32>>();
        Self {
            scores: [scores(), scores()],
            leans: Vec::new(),
        }
    }

    fn place(kind: u32) -> usize {
        kind as usize % KINDS
    }

    /// Records whether a move was good for its side.
    pub fn learn(&mut self, side: SearchSide, kind: u32, is_good: bool) {
        let score = &mut self.scores[side as usize][Self::place(kind)];
        let to = if is_good { GREATEST } else { -GREATEST };
        // The step shrinks near the bounds, so scores stay within them and recent results count
        // most.
        *score += (to - *score) / STEP;
    }

    /// Returns the move to search for an answer to a question about one side. Of the moves that may
    /// answer it alone, this is the one that seems best for the side by the known bounds, with ties
    /// broken by the score of its kind.
    pub fn choose(&self, children: impl Iterator<Item = MoveFeatures>, aim: SideQuestion) -> usize {
        let slot = aim.question.slot;
        let mut best: Option<(usize, (i32, i32))> = None;
        for (place, MoveFeatures { side, kind, known }) in children.enumerate() {
            let (low, high) = (known.low[slot], known.high[slot]);
            // A move whose bounds answer the question already has nothing to be searched for.
            if side != aim.side || low > aim.question.most || high <= aim.question.most {
                continue;
            }
            let sum = i32::from(low) + i32::from(high);
            let score = self.scores[side as usize][Self::place(kind)];
            let rank = match side {
                SearchSide::Seeker => (-sum, score),
                SearchSide::Opponent => (sum, score),
            };
            if best.is_none_or(|(_, best)| rank > best) {
                best = Some((place, rank));
            }
        }
        best.map(|(place, _)| place)
            .expect("what is open about the best move is open about some move")
    }

    /// Returns the expected distance of the thresholds on both sides from the one asked about: a
    /// quarter of `beyond` until more is known.
    pub fn lean(&self, depth: usize, beyond: u16) -> u16 {
        let known = self.leans.get(depth).copied().flatten();
        known.map_or(beyond / 4, |lean| fit::<u16>((lean + 8) / 16))
    }

    /// Records a distance that was found at a depth.
    pub fn lean_by(&mut self, depth: usize, found: u16) {
        if depth >= self.leans.len() {
            self.leans.resize(depth + 1, None);
        }
        let found = 16 * u32::from(found);
        let lean = &mut self.leans[depth];
        // A moving average follows changes, but not every single position.
        *lean = Some(lean.map_or(found, |lean| (7 * lean + found) / 8));
    }
}
