//! Working out one row: the positions that differ in the last digit only, which stand side by side in memory.
//!
//! This is where a sweep spends its time. Most of a row's moves change another digit: they lead from each position of the row to the position
//! in the same place of an earlier row. So a row is worked out a whole earlier row at a time, without a branch in the loop over its positions,
//! and conditions are looked up for 64 positions at once, as bits. What does not fit that (moves within the row, moves with guards,
//! players who are stuck) is done position by position, and only in rows that have it.

use super::Slot;
use super::block::{Before, Shift, Walk};
use super::shape::Shape;
use crate::game::ruleset::{self, Condition, Indexed};
use crate::player::{Ending, Player};
use crate::solve::theory::{Number, Theory};

/// The endings, as they are numbered here.
const ENDINGS: [Ending; 3] = [Ending::Win(Player::Alice), Ending::Win(Player::Bob), Ending::Draw];

/// The seeker's and the opponent's side, as they are numbered here.
const SEEKER: usize = 0;
const OPPONENT: usize = 1;

/// What is known of all rows.
pub struct Kernel<'a, T: Theory<Number: Slot>> {
    pub indexed: &'a Indexed,
    pub shape: &'a Shape,
    pub theory: &'a T,
    /// By digit, side and content: where steps lead.
    pub steps: Vec<[Vec<Vec<Shift>>; 2]>,
    /// By side: the steps within the row.
    within: [Within; 2],
    guarded_moves: [Vec<ShiftedMove<'a>>; 2],
    /// The conditions that end the game, and which ending it is.
    conditions: Vec<(&'a Condition, usize)>,
    /// The value of each ending.
    ended: [T::Number; 3],
    /// By side: the value if the player is to move and cannot.
    stuck: [Option<T::Number>; 2],
    /// All contents of the row, as bits.
    everything: Vec<u64>,
}

/// The steps within a row, by content.
struct Within {
    starts: Vec<u32>,
    heads: Vec<u32>,
}

/// A guarded move with its shifts.
struct ShiftedMove<'a> {
    digits: &'a [(usize, usize)],
    landings: Vec<Vec<Landing<'a>>>,
    guards: &'a [Condition],
}

/// How far away a guarded move leads, and what becomes of the row's content if it does not stay.
type Landing<'a> = (Shift, Option<&'a [(u32, u32)]>);

/// What is used again from row to row.
pub struct Scratch<N> {
    /// By side: the best values so far.
    best: [Vec<N>; 2],
    /// By side: the contents from which something can be moved to, as bits.
    movable: [Vec<u64>; 2],
    /// By side: moves within the row that hold in this one only, in the order of their contents.
    within: [Vec<(u32, u32)>; 2],
    /// The contents that have not ended.
    open: Vec<u64>,
    /// The contents that pass a move's guards.
    guard: Vec<u64>,
}

impl<N: Slot> Scratch<N> {
    pub fn new<T: Theory<Number = N>>(kernel: &Kernel<'_, T>) -> Self {
        let words = || vec![0; kernel.everything.len()];
        let row = || vec![N::BLANK; kernel.shape.stride()];
        Self {
            best: [row(), row()],
            movable: [words(), words()],
            within: [Vec::new(), Vec::new()],
            open: words(),
            guard: words(),
        }
    }
}

impl Within {
    fn new(steps: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        let mut heads: Vec<u32> = Vec::new();
        for steps in steps {
            heads.extend(steps);
            starts.push(heads.len() as u32);
        }
        Self { starts, heads }
    }

    #[inline(always)]
    fn of(&self, content: usize) -> &[u32] {
        &self.heads[self.starts[content] as usize..self.starts[content + 1] as usize]
    }
}

impl<'a, T: Theory<Number: Slot>> Kernel<'a, T> {
    pub fn new(indexed: &'a Indexed, shape: &'a Shape, theory: &'a T) -> Self {
        let numbering = &indexed.numbering;
        let sides = [theory.seeker(), theory.seeker().other()];
        let digit = |digit: usize| {
            sides.map(|player| {
                let steps = numbering.digits[digit].steps[player].iter().enumerate();
                steps.map(|(from, to)| to.iter().map(|to| shape.shift(digit, from, *to as usize)).collect()).collect()
            })
        };
        let number = |ending: Ending| ENDINGS.iter().position(|other| *other == ending).expect("all are listed");
        let contents = numbering.row_len();
        let everything = (0..contents.div_ceil(64)).map(|word| match contents - 64 * word {
            left @ 0..64 => (1 << left) - 1,
            64.. => u64::MAX,
        });
        Self {
            indexed,
            shape,
            theory,
            steps: (0..numbering.digits.len()).map(digit).collect(),
            within: sides.map(|player| Within::new(&numbering.row.steps[player])),
            guarded_moves: sides.map(|player| shifted_moves(indexed, shape, player)),
            conditions: indexed.endings.iter().map(|(condition, ending)| (condition, number(*ending))).collect(),
            ended: ENDINGS.map(|ending| theory.ending(ending)),
            stuck: sides.map(|player| numbering.stuck[player].map(|ending| theory.ending(ending))),
            everything: everything.collect(),
        }
    }

    /// The values of a row, given those before it.
    pub fn work_out(
        &self,
        walk: &Walk,
        before: &Before<'_, T::Number>,
        out: &mut [T::Number],
        scratch: &mut Scratch<T::Number>,
    ) {
        if !self.end(walk, out, scratch) {
            return;
        }
        self.gather(SEEKER, walk, before, scratch, T::Number::least);
        self.gather(OPPONENT, walk, before, scratch, T::Number::greatest);
        // Where everybody can move out of every position, nobody is stuck and `best` holds a value everywhere: no need to ask at each position.
        let steady = scratch.within.iter().all(Vec::is_empty)
            && [SEEKER, OPPONENT].iter().all(|side| scratch.movable[*side] == self.everything);
        if steady { self.settle(out, scratch) } else { self.settle_with_care(out, scratch) }
    }

    /// Finds which contents have ended and gives them their values; whether any are left.
    fn end(&self, walk: &Walk, out: &mut [T::Number], scratch: &mut Scratch<T::Number>) -> bool {
        let mut left = 0;
        for (word, everything) in self.everything.iter().enumerate() {
            let mut open = *everything;
            let mut ended = [0; 3];
            // The first condition that holds decides, as in the lines of the ruleset: so those after it see only what is still open.
            for (condition, ending) in &self.conditions {
                let holds = open & self.holds(condition, walk.keys(), word);
                ended[*ending] |= holds;
                open &= !holds;
            }
            for (ended, value) in ended.into_iter().zip(self.ended) {
                each_bit(ended, |bit| out[64 * word + bit] = value);
            }
            scratch.open[word] = open;
            left |= open;
        }
        left != 0
    }

    /// For which of 64 contents of the row a condition holds.
    #[inline]
    fn holds(&self, condition: &Condition, keys: &[u32], word: usize) -> u64 {
        match condition {
            Condition::Table(table) => self.indexed.tables[*table].bits[keys[*table] as usize + word],
            Condition::Constant(truth) => {
                if *truth {
                    u64::MAX
                } else {
                    0
                }
            }
            Condition::Not(inner) => !self.holds(inner, keys, word),
            Condition::All(parts) => parts.iter().fold(u64::MAX, |all, part| all & self.holds(part, keys, word)),
            Condition::Any(parts) => parts.iter().fold(0, |any, part| any | self.holds(part, keys, word)),
        }
    }

    /// Gathers the best that a side can move to in other rows.
    fn gather(
        &self,
        side: usize,
        walk: &Walk,
        before: &Before<'_, T::Number>,
        scratch: &mut Scratch<T::Number>,
        better: impl Fn(T::Number, &T::Number) -> T::Number + Copy,
    ) {
        let stride = self.shape.stride();
        let best = &mut scratch.best[side];
        let movable = &mut scratch.movable[side];
        if let Some((first, rest)) = walk.sources[side].split_first() {
            // Values of contents that have ended are gathered with the others: leaving them out would cost more than it saves, and
            // `settle` does not read them.
            best.copy_from_slice(before.row(*first, stride));
            rest.iter().for_each(|shift| fold(best, before.row(*shift, stride), better));
            movable.copy_from_slice(&self.everything);
        } else {
            movable.fill(0);
        }
        scratch.within[side].clear();
        for guarded in &self.guarded_moves[side] {
            let landings = guarded.landings(&walk.digits);
            if !landings.is_empty() && self.guarded(guarded, walk, scratch) {
                landings.iter().for_each(|landing| self.land(side, *landing, before, scratch, better));
            }
        }
    }

    /// Finds the contents that pass a move's guards; whether any do.
    fn guarded(&self, guarded: &ShiftedMove<'_>, walk: &Walk, scratch: &mut Scratch<T::Number>) -> bool {
        for (word, guard) in scratch.guard.iter_mut().enumerate() {
            let holds = |guard: &Condition| self.holds(guard, walk.keys(), word);
            *guard = guarded.guards.iter().fold(scratch.open[word], |all, guard| all & holds(guard));
        }
        scratch.guard.iter().any(|word| *word != 0)
    }

    /// Takes in what a guarded move leads to, from the contents that pass its guards.
    fn land(
        &self,
        side: usize,
        (shift, row): Landing<'_>,
        before: &Before<'_, T::Number>,
        scratch: &mut Scratch<T::Number>,
        better: impl Fn(T::Number, &T::Number) -> T::Number,
    ) {
        let passes = |guard: &[u64], content: u32| has(guard, content as usize);
        if shift == (0, 0) {
            let changes = row.into_iter().flatten().filter(|(from, _)| passes(&scratch.guard, *from));
            scratch.within[side].extend(changes);
            return;
        }
        let source = before.row(shift, self.shape.stride());
        let (best, movable) = (&mut scratch.best[side], &mut scratch.movable[side]);
        let mut improve = |content: usize, value| {
            best[content] = if has(movable, content) { better(best[content], &value) } else { value };
            movable[content / 64] |= 1 << (content % 64);
        };
        match row {
            Some(changes) => changes
                .iter()
                .filter(|(from, _)| passes(&scratch.guard, *from))
                .for_each(|(from, to)| improve(*from as usize, source[*to as usize])),
            None => each(&scratch.guard, |content| improve(content, source[content])),
        }
    }

    /// The values of a row where both players can move out of it.
    fn settle(&self, out: &mut [T::Number], scratch: &Scratch<T::Number>) {
        let [seeker, opponent] = &scratch.best;
        each(&scratch.open, |content| {
            // Steps within a row lead to smaller contents, whose values stand in `out` already: the numbering sees to that.
            let heads = |side: usize| self.within[side].of(content).iter().map(|head| &out[*head as usize]);
            let best = heads(SEEKER).fold(seeker[content], T::Number::least);
            let worst = heads(OPPONENT).fold(opponent[content], T::Number::greatest);
            out[content] = self.theory.settle(best, worst);
        });
    }

    /// The values of a row where some moves stay in it, some depend on the content, or a player may be stuck.
    fn settle_with_care(&self, out: &mut [T::Number], scratch: &mut Scratch<T::Number>) {
        // The contents are visited in order, so each side's changes are read from front to back, each once.
        scratch.within.iter_mut().for_each(|changes| changes.sort_unstable());
        let Scratch { best, movable, within, open, .. } = scratch;
        let mut next = [0; 2];
        each(open, |content| {
            let mut side = |side: usize, better: fn(T::Number, &T::Number) -> T::Number| {
                let changes = &within[side];
                let first = next[side] + changes[next[side]..].partition_point(|(from, _)| (*from as usize) < content);
                let count = changes[first..].partition_point(|(from, _)| *from as usize == content);
                next[side] = first + count;
                let here = changes[first..first + count].iter().map(|(_, to)| out[*to as usize]);
                let always = self.within[side].of(content).iter().map(|head| out[*head as usize]);
                let elsewhere = has(&movable[side], content).then(|| best[side][content]);
                elsewhere
                    .into_iter()
                    .chain(always)
                    .chain(here)
                    .reduce(|best, value| better(best, &value))
                    .or(self.stuck[side])
            };
            let seeker = side(SEEKER, T::Number::least);
            out[content] = self.theory.turn(seeker, side(OPPONENT, T::Number::greatest));
        });
    }
}

fn shifted_moves<'a>(indexed: &'a Indexed, shape: &Shape, player: Player) -> Vec<ShiftedMove<'a>> {
    let numbering = &indexed.numbering;
    let plan = |(guarded, guards): (&'a ruleset::GuardedMove, &'a Vec<Condition>)| {
        let shifted = |(number, landings): (usize, &'a Vec<ruleset::Landing>)| {
            let from = guarded.contents(number);
            let shift = |to: &[u32]| {
                let changes = guarded.digits.iter().zip(from.iter().zip(to));
                let shifts = changes.map(|((digit, _), (from, to))| shape.shift(*digit, *from as usize, *to as usize));
                shifts.fold((0, 0), |(blocks, numbers), (more, away)| (blocks + more, numbers + away))
            };
            landings.iter().map(|landing| (shift(&landing.to), landing.row.as_deref())).collect()
        };
        let landings = guarded.landings.iter().enumerate().map(shifted).collect();
        ShiftedMove { digits: &guarded.digits, landings, guards }
    };
    numbering.guarded_moves[player].iter().zip(&indexed.guards[player]).map(plan).collect()
}

impl<'a> ShiftedMove<'a> {
    fn landings(&self, digits: &[usize]) -> &[Landing<'a>] {
        &self.landings[self.digits.iter().fold(0, |number, (digit, size)| number * size + digits[*digit])]
    }
}

fn has(bits: &[u64], content: usize) -> bool {
    bits[content / 64] >> (content % 64) & 1 != 0
}

fn each(bits: &[u64], mut visit: impl FnMut(usize)) {
    for (word, bits) in bits.iter().enumerate() {
        each_bit(*bits, |bit| visit(64 * word + bit));
    }
}

#[inline(always)]
fn each_bit(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Takes the better of two rows, number by number.
#[inline(always)]
fn fold<N: Slot>(best: &mut [N], row: &[N], better: impl Fn(N, &N) -> N) {
    // In eights, as the compiler turns a loop of known length into vector instructions.
    let (best, best_rest) = best.as_chunks_mut::<8>();
    let (row, row_rest) = row.as_chunks::<8>();
    for (best, row) in best.iter_mut().zip(row) {
        for (best, value) in best.iter_mut().zip(row) {
            *best = better(*best, value);
        }
    }
    for (best, value) in best_rest.iter_mut().zip(row_rest) {
        *best = better(*best, value);
    }
}
