//! The order in which blocks are computed, and the other blocks that each one reads.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::shape::SweepShape;
use crate::game::ruleset::{GuardedMove, Numbering};
use crate::player::Player;

/// The greatest number of blocks that are considered for a batch, for each block that is wanted.
const LOOK_AHEAD: usize = 8;

/// The blocks in the order of their computation: in batches, whose blocks do not depend on each
/// other.
///
/// Blocks are numbered depth first, so processing them in the order of their numbers keeps few at a
/// time. A batch consists of the first ones whose needs have been computed.
#[derive(Debug)]
pub struct BlockOrder {
    sequence: Vec<usize>,
    batches: Vec<Range<usize>>,
    /// The other blocks to which moves lead from each block.
    moves_to: Vec<Vec<usize>>,
    /// The other blocks from which each block is computed, including those of which it uses images.
    needs: Vec<Vec<usize>>,
    /// The first and the last batch that uses each block, to compute it or another one from it.
    uses: Vec<Option<(usize, usize)>>,
}

/// The blocks that a sweep still has to compute, and those that it still has to read.
#[derive(Debug)]
pub struct Demand {
    /// The blocks that are missing: something is computed from them, and they are not there.
    pub missing: Vec<bool>,
    /// The blocks from which missing ones are computed, and those that contain answers.
    pub wanted: Vec<bool>,
}

impl BlockOrder {
    /// Creates batches of `width` blocks, given the blocks to which moves lead from each.
    pub fn new(moves_to: Vec<Vec<usize>>, shape: &SweepShape, width: usize) -> Self {
        let worked_out = |moves_to: &Vec<usize>| -> Vec<usize> {
            let needs: BTreeSet<usize> = moves_to
                .iter()
                .map(|need| shape.worked_out(*need).0)
                .collect();
            needs.into_iter().collect()
        };
        let needs: Vec<Vec<usize>> = moves_to.iter().map(worked_out).collect();
        let order = Self {
            sequence: Vec::new(),
            batches: Vec::new(),
            moves_to,
            needs,
            uses: Vec::new(),
        };
        order.in_batches_of(width, shape)
    }

    /// Rearranges the same blocks in batches of `width` blocks.
    pub fn in_batches_of(self, width: usize, shape: &SweepShape) -> Self {
        let Self {
            moves_to, needs, ..
        } = self;
        let mut left: Vec<usize> = (0..shape.blocks())
            // A block that is the image of another one is not computed.
            .filter(|block| shape.worked_out(*block).1.is_none())
            .collect();
        // The block with the least number is then popped first.
        left.reverse();
        let mut done = vec![false; shape.blocks()];
        let (mut sequence, mut batches) = (Vec::with_capacity(left.len()), Vec::new());
        while !left.is_empty() {
            let first = sequence.len();
            let mut skipped = Vec::new();
            // Looking further would compute blocks long before they are used, and keep more in
            // memory.
            for _ in 0..LOOK_AHEAD * width {
                let Some(block) = left.pop() else { break };
                if needs[block].iter().all(|need| done[*need]) {
                    sequence.push(block)
                } else {
                    skipped.push(block)
                }
                if sequence.len() - first == width {
                    break;
                }
            }
            // Skipped blocks stay first in line. The least one needs only lesser blocks, so that
            // every batch has at least one block.
            left.extend(skipped.into_iter().rev());
            // Blocks of a batch are marked afterwards, because they are computed at the same time.
            sequence[first..]
                .iter()
                .for_each(|block| done[*block] = true);
            batches.push(first..sequence.len());
        }
        Self {
            sequence,
            batches,
            moves_to,
            needs,
            uses: Vec::new(),
        }
        .with_uses()
    }

    fn with_uses(mut self) -> Self {
        self.uses = vec![None; self.needs.len()];
        for (number, batch) in self.batches.iter().enumerate() {
            for block in &self.sequence[batch.clone()] {
                for used in self.needs[*block].iter().chain([block]) {
                    let (_, last) = self.uses[*used].get_or_insert((number, number));
                    *last = number;
                }
            }
        }
        self
    }

    /// Returns the blocks that are computed, in this order.
    pub fn sequence(&self) -> &[usize] {
        &self.sequence
    }

    /// Returns the blocks to which moves lead from a block, including those of which images are
    /// used.
    pub fn moves_to(&self, block: usize) -> &[usize] {
        &self.moves_to[block]
    }

    /// Returns the number of batches.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Returns the blocks of a batch.
    pub fn batch(&self, number: usize) -> &[usize] {
        &self.sequence[self.batches[number].clone()]
    }

    /// Returns the blocks from which a block is computed.
    pub fn needs(&self, block: usize) -> &[usize] {
        &self.needs[block]
    }

    /// Returns the last batch that uses a block.
    pub fn last_batch(&self, block: usize) -> usize {
        self.uses[block].map_or(0, |(_, last)| last)
    }

    /// Returns the demand of a sweep, given the blocks with answers and those that are there. A
    /// block that was there and is no longer wanted may have been removed.
    pub fn demand(
        &self,
        has_answers: &dyn Fn(usize) -> bool,
        is_there: &dyn Fn(usize) -> bool,
    ) -> Demand {
        let (mut missing, mut wanted) =
            (vec![false; self.needs.len()], vec![false; self.needs.len()]);
        // Blocks come before those that they need, so that all demands on a block are known by
        // then.
        for block in self.sequence.iter().rev().copied() {
            wanted[block] |= has_answers(block);
            missing[block] = wanted[block] && !is_there(block);
            if missing[block] {
                self.needs[block]
                    .iter()
                    .for_each(|need| wanted[*need] = true);
            }
        }
        Demand { missing, wanted }
    }

    /// Returns the greatest total size of the blocks in use at one time, given the size of each,
    /// and the additional size of a batch while it is computed.
    pub fn most_alive(
        &self,
        size: &dyn Fn(usize) -> u64,
        besides: &dyn Fn(&[usize]) -> u64,
    ) -> u64 {
        let (mut beginning, mut ending) = (
            vec![0_u64; self.batches.len()],
            vec![0_u64; self.batches.len()],
        );
        for (block, uses) in self.uses.iter().enumerate() {
            if let Some((first, last)) = uses {
                beginning[*first] = beginning[*first].saturating_add(size(block));
                ending[*last] = ending[*last].saturating_add(size(block));
            }
        }
        let (mut alive, mut most) = (0_u64, 0);
        for (number, (beginning, ending)) in beginning.into_iter().zip(ending).enumerate() {
            alive = alive.saturating_add(beginning);
            most = most.max(alive.saturating_add(besides(self.batch(number))));
            // Sums that were cut off at the greatest number may be less than their parts.
            alive -= ending.min(alive);
        }
        most
    }
}

/// The distances in blocks by which a guarded move leads away, by the contents of those of its
/// digits that number blocks.
struct Shifts {
    digits: Vec<usize>,
    by_contents: BTreeMap<Vec<usize>, BTreeSet<isize>>,
}

impl Shifts {
    fn of_move(guarded: &GuardedMove, shape: &SweepShape) -> Self {
        let places: Vec<usize> = (0..guarded.digits.len())
            .filter(|at| guarded.digits[*at].0 < shape.prefix())
            .collect();
        let mut by_contents = BTreeMap::<Vec<usize>, BTreeSet<isize>>::new();
        for (number, landings) in guarded
            .landings
            .iter()
            .enumerate()
            .filter(|(_, landings)| !landings.is_empty())
        {
            let from = guarded.contents(number);
            let away = landings.iter().map(|landing| {
                let shift = |at: &usize| {
                    shape
                        .shift(
                            guarded.digits[*at].0,
                            from[*at] as usize,
                            landing.to[*at] as usize,
                        )
                        .0
                };
                places.iter().map(shift).sum::<isize>()
            });
            let away: BTreeSet<isize> = away.filter(|shift| *shift != 0).collect();
            if !away.is_empty() {
                by_contents
                    .entry(places.iter().map(|at| from[*at] as usize).collect())
                    .or_default()
                    .extend(away);
            }
        }
        Self {
            digits: places.iter().map(|at| guarded.digits[*at].0).collect(),
            by_contents,
        }
    }
}

/// Returns the other blocks to which moves lead from each block.
pub fn moves_of_blocks(numbering: &Numbering, shape: &SweepShape) -> Vec<Vec<usize>> {
    let guarded_moves: Vec<Shifts> = Player::BOTH
        .iter()
        .flat_map(|player| &numbering.guarded_moves[*player])
        .map(|guarded| Shifts::of_move(guarded, shape))
        .filter(|shifts| !shifts.by_contents.is_empty())
        .collect();
    (0..shape.blocks())
        .map(|block| moves_of_block(numbering, shape, &guarded_moves, block))
        .collect()
}

fn moves_of_block(
    numbering: &Numbering,
    shape: &SweepShape,
    guarded_moves: &[Shifts],
    block: usize,
) -> Vec<usize> {
    let contents = shape.block_digits(block);
    let mut shifts = BTreeSet::new();
    for (digit, content) in contents.iter().enumerate() {
        for player in Player::BOTH {
            let steps = &numbering.digits[digit].steps[player][*content];
            shifts.extend(
                steps
                    .iter()
                    .map(|to| shape.shift(digit, *content, *to as usize).0),
            );
        }
    }
    for guarded in guarded_moves {
        let own: Vec<usize> = guarded
            .digits
            .iter()
            .map(|digit| contents[*digit])
            .collect();
        shifts.extend(guarded.by_contents.get(&own).into_iter().flatten());
    }
    shifts
        .into_iter()
        .filter(|shift| *shift != 0)
        .map(|shift| block.wrapping_add_signed(shift))
        .collect()
}
