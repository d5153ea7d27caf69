//! Moves with guards, which are handled position by position.

use super::super::pages::Grain;
use super::super::shape::SweepShape;
use super::{KernelRow, Shift, ending_for, has};
use crate::game::ruleset::{self, Condition, Indexed};
use crate::player::Player;

/// A guarded move with its shifts.
pub struct ShiftedMove<'a> {
    digits: &'a [(usize, usize)],
    landings: Vec<Vec<GuardedLanding<'a>>>,
    guards: &'a [Condition],
}

/// The effect of a guarded move on the digits and on the row's content.
#[derive(Clone, Copy)]
struct GuardedLanding<'a> {
    /// The distance of the row that the move leads to.
    shift: Shift,
    /// The changes of the row's content; `None` if it stays the same.
    changes: Option<&'a [(u32, u32)]>,
}

/// A row that a guarded move leads to.
pub enum GuardedHead<'l> {
    /// A stored row.
    Stored(&'l [Grain]),
    /// A row that has ended; the number of the ending.
    Ended(usize),
}

/// The effect of a guarded move from a row that is being computed to another row.
pub struct Landed<'l> {
    pub head: GuardedHead<'l>,
    /// The changes of the row's content, as pairs of the contents from which the move can be made
    /// and those it leads to; `None` if the content stays the same.
    pub changes: Option<&'l [(u32, u32)]>,
    /// The contents that pass the guards.
    pub guard: &'l [u64],
    /// The best values so far of the player who makes the move.
    pub best: &'l mut [Grain],
    /// The contents for which there are such values.
    pub movable: &'l mut [u64],
}

impl KernelRow<'_> {
    /// Returns `true` if some moves have guards.
    #[inline(always)]
    pub fn is_guarded(&self) -> bool {
        self.structure
            .guarded_moves
            .iter()
            .any(|moves| !moves.is_empty())
    }

    /// Visits the effects of a side's guarded moves to other rows, and collects the moves within
    /// the row.
    pub fn each_landing(&mut self, side: usize, visit: &mut dyn FnMut(Landed<'_>)) {
        let has_steps = !self.blocks[side].is_empty() || !self.away.rows[side].is_empty();
        let movable = &mut self.scratch.movable[side];
        // Steps out of the row exist at every content or at none.
        if has_steps {
            movable.copy_from_slice(&self.structure.endings.everything)
        } else {
            movable.fill(0)
        }
        self.scratch.within[side].clear();
        let structure = self.structure;
        for guarded in &structure.guarded_moves[side] {
            let landings = guarded.landings(&self.walk.digits);
            if !landings.is_empty() && self.passes(guarded) {
                landings
                    .iter()
                    .for_each(|landing| self.land(side, *landing, visit));
            }
        }
        // The contents are settled in order, so each side's changes are read from front to back,
        // each once.
        self.scratch.within[side].sort_unstable();
    }

    /// Finds the contents that pass a move's guards. Returns whether there are any.
    fn passes(&mut self, guarded: &ShiftedMove<'_>) -> bool {
        let (endings, keys) = (&self.structure.endings, self.walk.keys());
        for (word, guard) in self.scratch.guard.iter_mut().enumerate() {
            let holds = |guard: &Condition| endings.holds(guard, keys, word);
            *guard = guarded
                .guards
                .iter()
                // Contents that have ended have no moves, so they do not pass either.
                .fold(self.found[word].open, |all, guard| all & holds(guard));
        }
        self.scratch.guard.iter().any(|word| *word != 0)
    }

    /// Visits an effect of a guarded move from the contents that pass its guards, or collects the
    /// move if it stays within the row.
    fn land(
        &mut self,
        side: usize,
        landing: GuardedLanding<'_>,
        visit: &mut dyn FnMut(Landed<'_>),
    ) {
        let GuardedLanding { shift, changes } = landing;
        let (blocks, rows) = shift;
        let guard = &self.scratch.guard;
        // The row is not finished, so moves within it are applied while its contents are settled.
        if (blocks, rows) == (0, 0) {
            let changes = changes
                .into_iter()
                .flatten()
                .filter(|(from, _)| has(guard, *from as usize));
            self.scratch.within[side].extend(changes);
            return;
        }
        let (ranks, values) = if blocks == 0 {
            self.own
        } else {
            self.sources.at(blocks)
        };
        let rank = ranks[self.walk.row.wrapping_add_signed(rows)];
        visit(Landed {
            head: match ending_for(side, rank) {
                None => GuardedHead::Stored(values.row(rank, self.structure.shape.paging)),
                Some(ending) => GuardedHead::Ended(ending),
            },
            changes,
            guard,
            best: &mut self.scratch.best[side],
            movable: &mut self.scratch.movable[side],
        });
    }
}

/// Returns a player's guarded moves with their shifts.
pub fn shifted_moves<'a>(
    indexed: &'a Indexed,
    shape: &SweepShape,
    player: Player,
) -> Vec<ShiftedMove<'a>> {
    let numbering = &indexed.numbering;
    let plan = |(guarded, guards): (&'a ruleset::GuardedMove, &'a Vec<Condition>)| {
        let shifted = |(number, landings): (usize, &'a Vec<ruleset::Landing>)| {
            let from = guarded.contents(number);
            let shift = |to: &[u32]| {
                let changes = guarded.digits.iter().zip(from.iter().zip(to));
                let shifts = changes.map(|((digit, _), (from, to))| {
                    shape.shift(*digit, *from as usize, *to as usize)
                });
                shifts.fold((0, 0), |(blocks, numbers), (more, away)| {
                    (blocks + more, numbers + away)
                })
            };
            landings
                .iter()
                .map(|landing| GuardedLanding {
                    shift: shift(&landing.to),
                    changes: landing.row.as_deref(),
                })
                .collect()
        };
        let landings = guarded.landings.iter().enumerate().map(shifted).collect();
        ShiftedMove {
            digits: &guarded.digits,
            landings,
            guards,
        }
    };
    numbering.guarded_moves[player]
        .iter()
        .zip(&indexed.guards[player])
        .map(plan)
        .collect()
}

impl<'a> ShiftedMove<'a> {
    fn landings(&self, digits: &[usize]) -> &[GuardedLanding<'a>] {
        &self.landings[self
            .digits
            .iter()
            .fold(0, |number, (digit, size)| number * size + digits[*digit])]
    }
}
