//! Which move is searched first, and which bid is tried: what has been good nearby is tried again.
//! Answers do not depend on it.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::bounds::{SearchSide, SideQuestion, ThresholdInterval};

/// How many kinds of moves are told apart.
const KINDS: usize = 1 << 10;

/// The greatest score of a kind of moves, and by which part of the distance to it a success raises
/// the score.
const GREATEST: i32 = 1 << 16;
const STEP: i32 = 32;

/// How much another score breaks ties between moves of which nothing is known, for threads but the
/// first.
const SCATTER: u64 = 1 << 12;

/// What a cell that completes a line counts for in the order of moves.
const THREAT: i32 = GREATEST / 2;

/// What choosing among moves looks at.
#[derive(Debug, Clone, Copy)]
pub struct MoveFeatures {
    pub side: SearchSide,
    pub kind: u32,
    /// How many cells complete a line of the mover's.
    pub threats: u8,
    pub known: ThresholdInterval,
}

/// What has been good so far.
pub struct Habits {
    /// By side and kind: how often such moves decided.
    scores: [Vec<i32>; 2],
    /// By depth: how far the thresholds on both sides are from the one asked about, in sixteenths.
    leans: Vec<Option<u32>>,
}

impl Habits {
    /// Nothing is known; seeds but 0 prefer some moves by chance.
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

    /// A move was good for its side, or not.
    pub fn learn(&mut self, side: SearchSide, kind: u32, is_good: bool) {
        let score = &mut self.scores[side as usize][Self::place(kind)];
        let to = if is_good { GREATEST } else { -GREATEST };
        *score += (to - *score) / STEP;
    }

    /// The move to search for an answer to what is asked of one side: of those that may answer it
    /// alone the one that seems best for the side, by what is known of it, and by the score of its
    /// kind where that is the same.
    pub fn choose(&self, children: impl Iterator<Item = MoveFeatures>, aim: SideQuestion) -> usize {
        let slot = aim.question.slot;
        let mut best: Option<(usize, (i32, i32))> = None;
        for (
            place,
            MoveFeatures {
                side,
                kind,
                threats,
                known,
            },
        ) in children.enumerate()
        {
            let (low, high) = (known.low[slot], known.high[slot]);
            if side != aim.side || low > aim.question.most || high <= aim.question.most {
                continue;
            }
            let sum = i32::from(low) + i32::from(high);
            let score = self.scores[side as usize][Self::place(kind)] + THREAT * i32::from(threats);
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

    /// How far from the threshold asked about those on both sides may be: a quarter of what is on
    /// one side, until more is known.
    pub fn lean(&self, depth: usize, beyond: u16) -> u16 {
        let known = self.leans.get(depth).copied().flatten();
        known.map_or(beyond / 4, |lean| ((lean + 8) / 16) as u16)
    }

    /// What has turned out about it at a depth.
    pub fn lean_by(&mut self, depth: usize, found: u16) {
        if depth >= self.leans.len() {
            self.leans.resize(depth + 1, None);
        }
        let found = 16 * u32::from(found);
        let lean = &mut self.leans[depth];
        *lean = Some(lean.map_or(found, |lean| (7 * lean + found) / 8));
    }
}
