//! The moves that are handled position by position: moves with guards, and rows in which a player
//! may be stuck.

use super::super::cells::Cells;
use super::super::shape::SweepShape;
use super::super::walk::RowWalk;
use super::{
    Before, OPPONENT, RowKernel, RowScratch, SEEKER, Shift, Stored, each, each_open, ending_for,
    has,
};
use crate::game::ruleset::{self, Condition, Indexed};
use crate::player::Player;
use crate::theory::{Number, Theory};

/// A guarded move with its shifts.
pub struct ShiftedMove<'a> {
    digits: &'a [(usize, usize)],
    landings: Vec<Vec<GuardedLanding<'a>>>,
    guards: &'a [Condition],
}

/// The distance of a guarded move, and the changes of the row's content if it does not stay the
/// same.
type GuardedLanding<'a> = (Shift, Option<&'a [(u32, u32)]>);

impl<C: Cells, T: Theory<Number = C::Number>> RowKernel<'_, T, C> {
    /// Adds the values to which guarded moves of a side lead.
    pub fn gather_guarded(
        &self,
        side: usize,
        walk: &RowWalk<'_>,
        before: &Before<'_, C>,
        own: Stored<'_, C>,
        scratch: &mut RowScratch<C>,
    ) {
        let better = [T::Number::least, T::Number::greatest][side];
        let has_steps = !before.steps[side].is_empty() || !scratch.away.rows[side].is_empty();
        let movable = &mut scratch.movable[side];
        if has_steps {
            movable.copy_from_slice(&self.endings.everything)
        } else {
            movable.fill(0)
        }
        scratch.within[side].clear();
        for guarded in &self.guarded_moves[side] {
            let landings = guarded.landings(&walk.digits);
            if !landings.is_empty() && self.passes(guarded, walk, scratch) {
                landings.iter().for_each(|landing| {
                    self.land(side, *landing, (walk.row, before, own), scratch, better)
                });
            }
        }
    }

    /// Finds the contents that pass a move's guards. Returns whether there are any.
    fn passes(
        &self,
        guarded: &ShiftedMove<'_>,
        walk: &RowWalk<'_>,
        scratch: &mut RowScratch<C>,
    ) -> bool {
        for (word, guard) in scratch.guard.iter_mut().enumerate() {
            let holds = |guard: &Condition| self.endings.holds(guard, walk.keys(), word);
            *guard = guarded
                .guards
                .iter()
                .fold(scratch.found[word].open, |all, guard| all & holds(guard));
        }
        scratch.guard.iter().any(|word| *word != 0)
    }

    /// Adds the values to which a guarded move leads, from the contents that pass its guards.
    fn land(
        &self,
        side: usize,
        ((blocks, rows), changes): GuardedLanding<'_>,
        (row, before, own): (usize, &Before<'_, C>, Stored<'_, C>),
        scratch: &mut RowScratch<C>,
        better: impl Fn(T::Number, &T::Number) -> T::Number,
    ) {
        let passes = |guard: &[u64], content: u32| has(guard, content as usize);
        if (blocks, rows) == (0, 0) {
            let changes = changes
                .into_iter()
                .flatten()
                .filter(|(from, _)| passes(&scratch.guard, *from));
            scratch.within[side].extend(changes);
            return;
        }
        let (ranks, values) = if blocks == 0 {
            own
        } else {
            before.sources.at(blocks)
        };
        let rank = ranks[row.wrapping_add_signed(rows)];
        let value_at = |content: usize| match ending_for(side, rank) {
            None => value(values.row(rank, self.shape.paging), content),
            Some(ending) => self.ended[ending],
        };
        let (best, movable) = (&mut scratch.best[side], &mut scratch.movable[side]);
        let mut improve = |content: usize, value| {
            let best = &mut best[content / C::CONTENTS];
            let content_there = content % C::CONTENTS;
            let value = if has(movable, content) {
                better(best.get(content_there), &value)
            } else {
                value
            };
            best.set(content_there, value);
            movable[content / 64] |= 1 << (content % 64);
        };
        match changes {
            Some(changes) => changes
                .iter()
                .filter(|(from, _)| passes(&scratch.guard, *from))
                .for_each(|(from, to)| improve(*from as usize, value_at(*to as usize))),
            None => each(&scratch.guard, |content| {
                improve(content, value_at(content))
            }),
        }
    }

    /// Computes the values of a row in which some moves depend on the content, or a player may be
    /// stuck.
    pub fn settle_with_care(&self, out: &mut [C], scratch: &mut RowScratch<C>) {
        // The contents are visited in order, so each side's changes are read from front to back,
        // each once.
        scratch
            .within
            .iter_mut()
            .for_each(|changes| changes.sort_unstable());
        let RowScratch {
            best,
            movable,
            within,
            found,
            ..
        } = scratch;
        let mut next = [0; 2];
        each_open(found, |content| {
            let mut side = |side: usize, better: fn(T::Number, &T::Number) -> T::Number| {
                let changes = &within[side];
                let first = next[side]
                    + changes[next[side]..].partition_point(|(from, _)| (*from as usize) < content);
                let count = changes[first..].partition_point(|(from, _)| *from as usize == content);
                next[side] = first + count;
                let here = changes[first..first + count]
                    .iter()
                    .map(|(_, to)| value(out, *to as usize));
                let always = self.within[side]
                    .of(content)
                    .iter()
                    .map(|head| value(out, *head as usize));
                let elsewhere = has(&movable[side], content).then(|| value(&best[side], content));
                elsewhere
                    .into_iter()
                    .chain(always)
                    .chain(here)
                    .reduce(|best, value| better(best, &value))
                    .or(self.stuck[side])
            };
            let seeker = side(SEEKER, T::Number::least);
            let settled = self
                .theory
                .turn(seeker, side(OPPONENT, T::Number::greatest));
            out[content / C::CONTENTS].set(content % C::CONTENTS, settled);
        });
    }
}

/// Returns the value at a content of a row.
fn value<C: Cells>(row: &[C], content: usize) -> C::Number {
    row[content / C::CONTENTS].get(content % C::CONTENTS)
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
                .map(|landing| (shift(&landing.to), landing.row.as_deref()))
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
