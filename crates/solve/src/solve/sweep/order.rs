//! In which order blocks are worked out, and which others each takes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::shape::Shape;
use crate::game::ruleset::{GuardedMove, Numbering};
use crate::player::Player;

/// The blocks in the order in which they are worked out: by levels, whose blocks do not depend on each other.
#[derive(Debug)]
pub struct Order {
    sequence: Vec<usize>,
    levels: Vec<Range<usize>>,
    /// By block: the others that it is worked out from.
    needs: Vec<Vec<usize>>,
    /// By block: where in the sequence those stand that are worked out from it, ascending.
    uses: Vec<Vec<usize>>,
}

impl Order {
    pub fn new(numbering: &Numbering, shape: &Shape) -> Self {
        let guarded_moves: Vec<Shifts> = Player::BOTH
            .iter()
            .flat_map(|player| &numbering.guarded_moves[*player])
            .map(|guarded| Shifts::of_move(guarded, shape))
            .filter(|shifts| !shifts.by_contents.is_empty())
            .collect();
        let needs: Vec<Vec<usize>> =
            (0..shape.blocks()).map(|block| needs(numbering, shape, &guarded_moves, block)).collect();
        let sequence = shape.levels().concat();
        let mut uses = vec![Vec::new(); sequence.len()];
        for (place, block) in sequence.iter().enumerate() {
            needs[*block].iter().for_each(|need| uses[*need].push(place));
        }
        let level = |next: &mut usize, level: &Vec<usize>| {
            let first = std::mem::replace(next, *next + level.len());
            Some(first..*next)
        };
        let levels = shape.levels().iter().scan(0, level).collect();
        Self { sequence, levels, needs, uses }
    }

    /// The places of each level in the sequence.
    pub fn levels(&self) -> &[Range<usize>] {
        &self.levels
    }

    /// The blocks at some places.
    pub fn at(&self, places: Range<usize>) -> &[usize] {
        &self.sequence[places]
    }

    /// The blocks that a block is worked out from.
    pub fn needs(&self, block: usize) -> &[usize] {
        &self.needs[block]
    }

    /// The first place from one on where a block is needed.
    pub fn next_use(&self, block: usize, place: usize) -> Option<usize> {
        let uses = &self.uses[block];
        uses.get(uses.partition_point(|other| *other < place)).copied()
    }

    /// The most blocks that must be kept at one time where a whole level is worked out at once.
    pub fn most_alive(&self) -> usize {
        let mut changes = vec![0_isize; self.levels.len() + 1];
        for (level, places) in self.levels.iter().enumerate() {
            for block in &self.sequence[places.clone()] {
                let last = self.uses[*block].last().map_or(level, |last| self.level(*last));
                changes[level] += 1;
                changes[last + 1] -= 1;
            }
        }
        let alive = changes.iter().scan(0, |alive, change| {
            *alive += change;
            Some(*alive)
        });
        alive.max().map_or(0, isize::unsigned_abs)
    }

    /// The most blocks that one is worked out from.
    pub fn most_needed(&self) -> usize {
        self.needs.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn level(&self, place: usize) -> usize {
        self.levels.partition_point(|places| places.end <= place)
    }
}

/// By how many blocks a guarded move leads away, by the contents of those of its digits that number blocks.
struct Shifts {
    digits: Vec<usize>,
    by_contents: BTreeMap<Vec<usize>, BTreeSet<isize>>,
}

impl Shifts {
    fn of_move(guarded: &GuardedMove, shape: &Shape) -> Self {
        let places: Vec<usize> =
            (0..guarded.digits.len()).filter(|at| guarded.digits[*at].0 < shape.prefix()).collect();
        let mut by_contents = BTreeMap::<Vec<usize>, BTreeSet<isize>>::new();
        for (number, landings) in guarded.landings.iter().enumerate().filter(|(_, landings)| !landings.is_empty()) {
            let from = guarded.contents(number);
            let away = landings.iter().map(|landing| {
                let shift =
                    |at: &usize| shape.shift(guarded.digits[*at].0, from[*at] as usize, landing.to[*at] as usize).0;
                places.iter().map(shift).sum::<isize>()
            });
            let away: BTreeSet<isize> = away.filter(|shift| *shift != 0).collect();
            if !away.is_empty() {
                by_contents.entry(places.iter().map(|at| from[*at] as usize).collect()).or_default().extend(away);
            }
        }
        Self { digits: places.iter().map(|at| guarded.digits[*at].0).collect(), by_contents }
    }
}

fn needs(numbering: &Numbering, shape: &Shape, guarded_moves: &[Shifts], block: usize) -> Vec<usize> {
    let contents = shape.block_digits(block);
    let mut shifts = BTreeSet::new();
    for (digit, content) in contents.iter().enumerate() {
        for player in Player::BOTH {
            let steps = &numbering.digits[digit].steps[player][*content];
            shifts.extend(steps.iter().map(|to| shape.shift(digit, *content, *to as usize).0));
        }
    }
    for guarded in guarded_moves {
        let own: Vec<usize> = guarded.digits.iter().map(|digit| contents[*digit]).collect();
        shifts.extend(guarded.by_contents.get(&own).into_iter().flatten());
    }
    shifts.into_iter().filter(|shift| *shift != 0).map(|shift| block.wrapping_add_signed(shift)).collect()
}
