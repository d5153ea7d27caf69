//! Which of several processes works out which blocks.
//!
//! The blocks whose first digit lies in one *subtree* (a content with all to which its steps lead, which stand before it) are worked out from
//! each other, so a process owns whole subtrees, as many as make its part of the work; what stands above them is divided
//! by the second digit in the same way. All processes go through the blocks in the same order, each stopping at its own. So they do not wait for each
//! other in a circle: the first block of the order that has not been worked out takes none that is still to come, and its
//! owner has nothing to do before it.

use std::cmp::Reverse;
use std::ops::Range;

use super::order::Order;
use super::shape::Shape;
use crate::game::ruleset::{Digit, Numbering};
use crate::player::Player;
use crate::watch::Member;

/// A subtree is divided further if it is more than one part in so many of what a process works out.
const PARTS: u64 = 4;

/// The blocks of one process and those of the others.
#[derive(Debug)]
pub struct Share {
    /// This process.
    pub member: Member,
    /// By block.
    owners: Vec<u16>,
    /// The blocks of all processes that are worked out.
    all: Vec<usize>,
    /// By block of this process: whether others take it. By others' blocks: no.
    taken: Vec<bool>,
}

impl Share {
    /// The share of a process, given how much work each block is.
    pub fn new(member: Member, (numbering, shape): (&Numbering, &Shape), order: &Order, sizes: &[u64]) -> Self {
        let owners = owners(numbering, shape, (order.sequence(), sizes), member.of);
        let mut taken = vec![false; owners.len()];
        for block in order.sequence().iter().filter(|block| usize::from(owners[**block]) != member.own) {
            let own = order.needs(*block).iter().filter(|need| usize::from(owners[**need]) == member.own);
            own.for_each(|need| taken[*need] = true);
        }
        Self { member, owners, all: order.sequence().to_vec(), taken }
    }

    /// The blocks of a process.
    pub fn of(&self, process: usize) -> impl Iterator<Item = usize> {
        self.all.iter().copied().filter(move |block| self.owner(*block) == process)
    }

    /// Who works a block out.
    pub fn owner(&self, block: usize) -> usize {
        self.owners[block].into()
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

/// The owner of each block.
fn owners(numbering: &Numbering, shape: &Shape, (sequence, sizes): (&[usize], &[u64]), processes: usize) -> Vec<u16> {
    let most = sequence.iter().map(|block| sizes[*block]).sum::<u64>() / (PARTS * processes as u64);
    let digits: Vec<Vec<usize>> = sequence.iter().map(|block| shape.block_digits(*block)).collect();
    let weights = |digit: usize, counts: &dyn Fn(usize) -> bool| {
        let mut weights = vec![0; shape.radix(digit)];
        let counted = (0..sequence.len()).filter(|place| counts(*place));
        counted.for_each(|place| weights[digits[place][digit]] += sizes[sequence[place]]);
        weights
    };
    // By block of the sequence: its part. What is too much for one part is divided by the next digit.
    let mut parts: Vec<Option<usize>> = vec![None; sequence.len()];
    let mut loads: Vec<u64> = Vec::new();
    for digit in 0..shape.prefix() {
        let is_last = digit + 1 == shape.prefix();
        let weights = weights(digit, &|place| parts[place].is_none());
        let mut subtrees = Vec::new();
        divide(&lowest(&numbering.digits[digit]), &weights, most, 0..weights.len(), &mut subtrees);
        let mut part_of = vec![None; weights.len()];
        for subtree in subtrees {
            let load = weights[subtree.clone()].iter().sum();
            if load <= most || is_last {
                part_of[subtree].fill(Some(loads.len()));
                loads.push(load);
            }
        }
        for (place, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.is_none()) {
            *part = part_of[digits[place][digit]];
        }
    }
    let owner_of_part = dealt(&loads, processes);
    let mut owners = vec![0; shape.blocks()];
    for (block, part) in sequence.iter().zip(parts) {
        owners[*block] = part.map_or(0, |part| owner_of_part[part]);
    }
    owners
}

/// By content: the least to which steps lead from it, one after another; steps that raise it are those of another stage.
fn lowest(digit: &Digit) -> Vec<usize> {
    let mut lowest: Vec<usize> = Vec::new();
    for content in 0..digit.steps[Player::Alice].len() {
        let heads = Player::BOTH.iter().flat_map(|player| &digit.steps[*player][content]);
        let below = heads.map(|head| *head as usize).filter(|head| *head < content);
        let least = below.map(|head| lowest[head]).min().unwrap_or(content);
        lowest.push(least);
    }
    lowest
}

/// Divides contents into subtrees that weigh no more than this, and those above them one by one.
fn divide(lowest: &[usize], weights: &[u64], most: u64, range: Range<usize>, subtrees: &mut Vec<Range<usize>>) {
    if range.len() <= 1 || weights[range.clone()].iter().sum::<u64>() <= most {
        subtrees.extend((!range.is_empty()).then_some(range));
        return;
    }
    let mut end = range.end - 1;
    let whole = lowest[end] <= range.start;
    if whole {
        subtrees.push(end..range.end);
    } else {
        end = range.end;
    }
    while end > range.start {
        let start = lowest[end - 1].max(range.start);
        divide(lowest, weights, most, start..end, subtrees);
        end = start;
    }
}

/// Who gets which part: the largest first, each to who has least (Graham 1969).
fn dealt(loads: &[u64], processes: usize) -> Vec<u16> {
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by_key(|part| Reverse(loads[*part]));
    let mut taken = vec![0_u64; processes];
    let mut owners = vec![0; loads.len()];
    for part in order {
        let least = (0..processes).min_by_key(|process| taken[*process]).unwrap_or(0);
        taken[least] += loads[part];
        owners[part] = u16::try_from(least).expect("there are a few hundred processes at most");
    }
    owners
}
