//! Which of several processes works out which blocks.
//!
//! The blocks whose first digit lies in one *subtree* (a content with all to which its steps lead,
//! which stand before it) are worked out from each other. So the processes are laid out along a
//! line, and each subtree gets the piece of it that its work is of the whole: its root is divided
//! among all processes of the piece, by the next digit in the same way, and what stands below it
//! among parts of the piece. What falls to one process alone needs nothing from others; these
//! blocks are the most. For elimination trees of sparse matrices this is proportional mapping
//! (Pothen & Sun 1993). Any division is right, also for digits that are no trees; only the traffic
//! depends on it. In which order each works its blocks out is played through in
//! [`course`](super::course).

use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::course::Batches;
use super::order::Order;
use super::shape::Shape;
use crate::game::ruleset::{Digit, Numbering};
use crate::player::Player;
use crate::watch::Member;

/// The length of one process on the line.
const PROCESS: u64 = 1 << 32;

/// Ends of pieces that are no farther than this from the end of a process are moved there.
const NEAR: u64 = PROCESS / 64;

/// What is less than one part in so many of the work of one process is not divided.
const GRAIN: u64 = 64;

/// Who works out which block.
#[derive(Debug)]
pub struct Owners {
    /// How many processes there are.
    pub processes: usize,
    /// By block.
    owners: Vec<u16>,
}

impl Owners {
    /// Who works a block out.
    pub fn of(&self, block: usize) -> usize {
        self.owners[block].into()
    }

    /// The blocks of an order divided among so many processes, given how much work each block is.
    pub fn new(
        processes: usize,
        (numbering, shape): (&Numbering, &Shape),
        order: &Order,
        sizes: &[u64],
    ) -> Self {
        let mut blocks = order.sequence().to_vec();
        blocks.sort_unstable();
        let mut before = vec![0_u64];
        before.extend(blocks.iter().scan(0_u64, |sum, block| {
            *sum = sum.saturating_add(sizes[*block]);
            Some(*sum)
        }));
        let lowest = numbering.digits[..shape.prefix()]
            .iter()
            .map(lowest)
            .collect();
        let least = before[blocks.len()] / (GRAIN * processes as u64);
        let (all, end) = (0..blocks.len(), PROCESS * processes as u64);
        let mut division = Division {
            shape,
            lowest,
            blocks,
            before,
            least,
            end,
            owners: vec![0; shape.blocks()],
        };
        division.divide(0, all, 0..end);
        Self {
            processes,
            owners: division.owners,
        }
    }
}

/// The blocks of one process and those of the others.
#[derive(Debug)]
pub struct Share {
    /// This process.
    pub member: Member,
    owners: Owners,
    /// The blocks of all processes that are worked out.
    all: Vec<usize>,
    /// By block of this process: whether others take it. By others' blocks: no.
    taken: Vec<bool>,
    /// What tells the orders in which all work from other ones.
    pub digest: u64,
}

impl Share {
    /// The share of a process, given the batches of all.
    pub fn new(member: Member, owners: Owners, order: &Order, batches: &Batches) -> Self {
        let mut taken = vec![false; owners.owners.len()];
        for block in order
            .sequence()
            .iter()
            .filter(|block| owners.of(**block) != member.own)
        {
            let own = order
                .needs(*block)
                .iter()
                .filter(|need| owners.of(**need) == member.own);
            own.for_each(|need| taken[*need] = true);
        }
        let mut hasher = Xxh3::new();
        let mut hash = |number: usize| hasher.update(&(number as u64).to_le_bytes());
        for batch in batches.iter().flatten() {
            hash(batch.len());
            batch.iter().for_each(|block| hash(*block));
        }
        let digest = hasher.digest();
        Self {
            member,
            owners,
            all: order.sequence().to_vec(),
            taken,
            digest,
        }
    }

    /// The blocks of a process.
    pub fn of(&self, process: usize) -> impl Iterator<Item = usize> {
        self.all
            .iter()
            .copied()
            .filter(move |block| self.owner(*block) == process)
    }

    /// Who works a block out.
    pub fn owner(&self, block: usize) -> usize {
        self.owners.of(block)
    }

    /// Whether this process works a block out.
    pub fn is_own(&self, block: usize) -> bool {
        self.owner(block) == self.member.own
    }

    /// Whether other processes take a block, which is this one's.
    pub fn is_taken(&self, block: usize) -> bool {
        self.taken[block]
    }
}

/// By content: the least to which steps lead from it, one after another; steps that raise it are
/// those of another stage.
fn lowest(digit: &Digit) -> Vec<usize> {
    let mut lowest: Vec<usize> = Vec::new();
    for content in 0..digit.steps[Player::Alice].len() {
        let heads = Player::BOTH
            .iter()
            .flat_map(|player| &digit.steps[*player][content]);
        let below = heads
            .map(|head| *head as usize)
            .filter(|head| *head < content);
        let least = below.map(|head| lowest[head]).min().unwrap_or(content);
        lowest.push(least);
    }
    lowest
}

/// The blocks on the way to be divided. Ranges are of places among those that are worked out, by
/// number.
struct Division<'a> {
    shape: &'a Shape,
    /// By digit and content.
    lowest: Vec<Vec<usize>>,
    /// In the order of their numbers.
    blocks: Vec<usize>,
    /// By place: the work of all blocks before it.
    before: Vec<u64>,
    least: u64,
    /// The end of the line.
    end: u64,
    owners: Vec<u16>,
}

impl Division<'_> {
    fn work(&self, range: &Range<usize>) -> u64 {
        self.before[range.end] - self.before[range.start]
    }

    fn content(&self, digit: usize, place: usize) -> usize {
        self.shape.content(digit, self.blocks[place])
    }

    /// The first place of a range whose content of a digit is no less than this, the contents being
    /// in order.
    fn first(&self, digit: usize, range: &Range<usize>, content: usize) -> usize {
        let less = self.blocks[range.clone()]
            .partition_point(|block| self.shape.content(digit, *block) < content);
        range.start + less
    }

    /// Divides blocks that agree in the digits before this one, and whose contents of it make a
    /// part of its tree, among the processes of a piece.
    fn divide(&mut self, digit: usize, range: Range<usize>, piece: Range<u64>) {
        let [first, last] =
            [piece.start, piece.end.max(piece.start + 1) - 1].map(|end| end / PROCESS);
        if range.is_empty() {
            return;
        }
        if first == last || digit == self.shape.prefix() || self.work(&range) <= self.least {
            let owner = (piece.start + (piece.end - piece.start) / 2).min(self.end - 1) / PROCESS;
            let owner = u16::try_from(owner).expect("there are a few hundred processes at most");
            self.blocks[range]
                .iter()
                .for_each(|block| self.owners[*block] = owner);
            return;
        }
        let [lowest_content, root] =
            [range.start, range.end - 1].map(|place| self.content(digit, place));
        if lowest_content == root {
            return self.divide(digit + 1, range, piece);
        }
        let mut end = range.end;
        if self.lowest[digit][root] <= lowest_content {
            end = self.first(digit, &range, root);
            self.divide(digit + 1, end..range.end, piece.clone());
        }
        let below = range.start..end;
        let mut subtrees = Vec::new();
        while end > below.start {
            let lowest = self.lowest[digit][self.content(digit, end - 1)];
            let start = self.first(digit, &below, lowest);
            subtrees.push(start..end);
            end = start;
        }
        let work = u128::from(self.work(&below).max(1));
        let at = |done: u64| {
            // No more than the piece.
            let along = (u128::from(piece.end - piece.start) * u128::from(done) / work) as u64;
            let near = (piece.start + along + NEAR) / PROCESS * PROCESS;
            let at = piece.start + along;
            if near.abs_diff(at) <= NEAR {
                near.clamp(piece.start, piece.end)
            } else {
                at
            }
        };
        for subtree in subtrees.into_iter().rev() {
            let ends = [subtree.start, subtree.end]
                .map(|place| at(self.before[place] - self.before[below.start]));
            self.divide(digit, subtree, ends[0]..ends[1]);
        }
    }
}
