//! The parts of a state that moves change independently, and their possible contents.
//!
//! A part is a set of bits: a cell, a heap, or a column that pieces fall into. A *piece* is a move
//! restricted to the parts that it touches: those that it changes and those that the change depends
//! on. Conditions on other parts are set aside as *guards*. Starting from the initial contents,
//! every piece is run on every combination of contents of its parts until nothing new appears;
//! guards are assumed to hold, so the contents found include those of all positions that can be
//! reached.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::reads::{self, BitSet, Reads};
use super::{Declined, suited};
use crate::convert::fit;
use crate::player::Player;
use crate::ruleset::layout::ScalarPlace;
use crate::ruleset::moves::Move;
use crate::ruleset::program::{Binder, Bool, Change, each, run_all};
use crate::ruleset::visit::AnyProgram;
use crate::ruleset::{Ruleset, State};
use crate::watch::{Asking, Context, Stop};

/// The limits of the search for contents.
#[derive(Debug, Clone, Copy)]
struct ContentLimits {
    /// The greatest number of contents of a part.
    contents: usize,
    /// The greatest number of combinations of contents that a piece is run on.
    combinations: usize,
    /// The greatest number of transitions of all pieces.
    transitions: usize,
    /// The greatest number of runs of all pieces.
    runs: usize,
}

const BOUNDS: ContentLimits = ContentLimits {
    contents: 1 << 16,
    combinations: 1 << 16,
    transitions: 1 << 18,
    runs: 1 << 19,
};

/// The limits for joined parts, which are only an attempt: columns of up to 11 cells are within
/// them.
const JOINED: ContentLimits = ContentLimits {
    contents: 1 << 12,
    combinations: 1 << 12,
    transitions: 1 << 17,
    runs: 1 << 17,
};

/// The number of parts up to which a condition is included in the piece rather than set aside.
const NARROW: usize = 3;

/// The contents of several parts, as their indices.
pub type Tuple = SmallVec<[u32; 2]>;

/// The contents before and after a move.
pub type Transition = (Tuple, Tuple);

/// A part of the state.
#[derive(Debug, Clone)]
pub struct StatePart {
    /// The bits of the part.
    pub mask: BitSet,
    /// The possible contents, as states whose other bits are 0; the initial content is the first.
    pub contents: IndexSet<State, FxBuildHasher>,
}

/// A move restricted to the parts it touches.
#[derive(Debug, Clone)]
pub struct MovePiece {
    pub player: Player,
    binders: Vec<Binder>,
    changes: Vec<Change>,
    /// The conditions under which the game has ended before the move.
    finals: Vec<Bool>,
    /// The conditions on the rest of the position, all of which must hold.
    pub guards: Vec<Bool>,
    /// The parts that the move touches.
    pub parts: Vec<usize>,
    /// The transitions between the contents of these parts.
    pub transitions: Vec<Transition>,
    /// The number of contents of each part that the piece has been run on.
    done: Vec<usize>,
}

/// Decomposes a ruleset's states into parts and its moves into pieces.
///
/// Cells are joined to a part of several if moves that change one depend on the contents of
/// another, provided that few of the joint contents can appear: for example the columns of a board
/// whose rules require that a piece lies on another.
///
/// # Errors
/// If the ruleset does not decompose into parts of few contents, or the work is stopped.
pub fn take_apart(ruleset: &Ruleset, context: &Context<'_>) -> Result<Apart, Declined> {
    let masks = masks(ruleset);
    let joined = joined_by_conditions(ruleset, masks.clone(), context)?;
    // Both ways are tried, because joining cells may give fewer positions or far too many.
    let together = if joined == masks {
        None
    } else {
        taken_apart(ruleset, joined, JOINED, context)?
    };
    let apart = taken_apart(ruleset, masks, BOUNDS, context)?;
    let fewest = [together, apart].into_iter().flatten();
    fewest
        .min_by(|(a, _), (b, _)| positions(a).total_cmp(&positions(b)))
        .ok_or(Declined::NotSuited)
}

/// Returns the number of combinations of the parts' contents.
fn positions(parts: &[StatePart]) -> f64 {
    parts
        .iter()
        .map(|part| part.contents.len() as f64)
        .product()
}

/// The parts of a ruleset's positions, and the pieces of its moves.
type Apart = (Vec<StatePart>, Vec<MovePiece>);

/// Decomposes a ruleset into the parts of these masks and their pieces; returns `None` if that
/// exceeds the limits.
fn taken_apart(
    ruleset: &Ruleset,
    masks: Vec<BitSet>,
    bounds: ContentLimits,
    context: &Context<'_>,
) -> Result<Option<Apart>, Stop> {
    let mut parts: Vec<StatePart> = masks
        .into_iter()
        .map(|mask| StatePart::of(mask, ruleset))
        .collect();
    let finals = finals(ruleset, &parts);
    let mut pieces = Vec::new();
    for player in Player::BOTH {
        for one in &ruleset.moves[player] {
            context.check()?;
            let Some(piece) = piece(one, player, &parts, &finals) else {
                return Ok(None);
            };
            pieces.push(piece);
        }
    }
    let mut left = Left {
        runs: bounds.runs,
        bounds,
        asking: Asking::every(CHECK_EVERY, context),
    };
    let closed = close(ruleset, &mut parts, &mut pieces, &mut left);
    suited(closed.map(|()| (parts, pieces)))
}

/// Joins masks that a move reads to the one that it changes, as far as its piece includes them.
fn joined_by_conditions(
    ruleset: &Ruleset,
    mut masks: Vec<BitSet>,
    context: &Context<'_>,
) -> Result<Vec<BitSet>, Stop> {
    let words = ruleset.start.0.len();
    let parts: Vec<StatePart> = masks
        .iter()
        .map(|mask| StatePart::of(mask.clone(), ruleset))
        .collect();
    for one in ruleset.all_moves() {
        context.check()?;
        let reads = Reads::of_changes(&one.changes, words);
        let needed = needed(one, &parts, words);
        if touched(&parts, &reads.writes).len() == 1 && touched(&parts, &needed).len() > 1 {
            join(&mut masks, &needed);
        }
    }
    Ok(masks)
}

/// Returns, for each part, the conditions that end the game and depend on that part alone.
fn finals(ruleset: &Ruleset, parts: &[StatePart]) -> Vec<Vec<Bool>> {
    let mut finals = vec![Vec::new(); parts.len()];
    for condition in ruleset
        .endings
        .iter()
        .flat_map(|line| disjuncts(&line.condition))
    {
        let reads = Reads::of_truth(condition, ruleset.start.0.len());
        // An ending that depends on one part can be tested without knowing the others.
        if let [part] = touched(parts, &reads.all)[..] {
            finals[part].push(condition.clone());
        }
    }
    finals
}

fn disjuncts(condition: &Bool) -> Vec<&Bool> {
    match condition {
        Bool::Any(parts) => parts.iter().flat_map(disjuncts).collect(),
        other => vec![other],
    }
}

/// Returns the bits of each scalar; the cells that one change treats together share a mask.
fn masks(ruleset: &Ruleset) -> Vec<BitSet> {
    let words = ruleset.start.0.len();
    let bits = |scalars: &[ScalarPlace]| {
        let mut bits = BitSet::none(words);
        scalars.iter().for_each(|scalar| bits.add_scalar(*scalar));
        bits
    };
    let mut masks: Vec<BitSet> = ruleset
        .scalars()
        .map(|scalar| bits(&[scalar]))
        .filter(|mask| !mask.is_empty())
        .collect();
    for one in ruleset.all_moves() {
        let changes = one.changes.iter().map(AnyProgram::Change);
        changes.for_each(|change| {
            reads::groups(change, &mut |cells| join(&mut masks, &bits(cells)));
        });
    }
    masks
}

impl StatePart {
    /// Creates the part of these bits, with the initial content.
    fn of(mask: BitSet, ruleset: &Ruleset) -> Self {
        let initial = mask.of(&ruleset.start);
        Self {
            mask,
            contents: IndexSet::from_iter([initial]),
        }
    }
}

/// Joins all masks that share bits with these.
fn join(masks: &mut Vec<BitSet>, bits: &BitSet) {
    let Some(first) = masks.iter().position(|mask| mask.meets(bits)) else {
        return;
    };
    let mut joined = bits.clone();
    masks
        .iter()
        .filter(|mask| mask.meets(bits))
        .for_each(|mask| joined.add_all(mask));
    let mut index = 0;
    masks.retain(|mask| {
        index += 1;
        index - 1 <= first || !mask.meets(bits)
    });
    masks[first] = joined;
}

fn touched(parts: &[StatePart], bits: &BitSet) -> Vec<usize> {
    (0..parts.len())
        .filter(|part| parts[*part].mask.meets(bits))
        .collect()
}

/// Returns the bits that a move changes and reads, except for conditions on too many parts.
fn needed(one: &Move, parts: &[StatePart], words: usize) -> BitSet {
    let (conditions, loops) = conditions(one, words);
    let mut reads = Reads::of_changes(&one.changes, words);
    let loops = loops.iter().map(AnyProgram::Binder);
    loops.for_each(|binder| reads.add(binder));
    let mut needed = reads.all;
    needed.add_all(&reads.writes);
    for condition in &conditions {
        let reads = Reads::of_truth(condition, words);
        // Wide conditions become guards, so that they do not join half of the state to one part.
        if touched(parts, &reads.all).len() <= NARROW {
            needed.add_all(&reads.all);
        }
    }
    needed
}

/// Splits the conditions of a move into those on the parts that it touches and its guards; returns
/// `None` if it touches nothing, and so leaves the position unchanged.
fn piece(
    one: &Move,
    player: Player,
    parts: &[StatePart],
    finals: &[Vec<Bool>],
) -> Option<MovePiece> {
    let words = parts.first()?.mask.0.0.len();
    let (conditions, loops) = conditions(one, words);
    let needed = needed(one, parts, words);
    let touched = touched(parts, &needed);
    let mut own = BitSet::none(words);
    touched
        .iter()
        .for_each(|part| own.add_all(&parts[*part].mask));
    let is_own = |condition: &Bool| Reads::of_truth(condition, words).all.is_within(&own);
    let (inner, guards): (Vec<Bool>, Vec<Bool>) = conditions.into_iter().partition(is_own);
    let binders = inner.into_iter().map(Binder::Guard).chain(loops).collect();
    Some(MovePiece {
        player,
        binders,
        changes: one.changes.clone(),
        finals: touched
            .iter()
            .flat_map(|part| finals[*part].clone())
            .collect(),
        guards,
        transitions: Vec::new(),
        done: vec![0; touched.len()],
        parts: touched,
    })
    .filter(|piece| !piece.parts.is_empty())
}

/// Returns the conditions of a move that depend on no variable, and its other binders.
fn conditions(one: &Move, words: usize) -> (Vec<Bool>, Vec<Binder>) {
    let (mut conditions, mut loops) = (Vec::new(), Vec::new());
    for binder in &one.binders {
        match binder {
            Binder::Guard(guard) => {
                for condition in conjuncts(guard) {
                    // A condition on variables has to stay behind the loops that set them.
                    if loops.is_empty() || !Reads::of_truth(condition, words).variables {
                        conditions.push(condition.clone());
                    } else {
                        loops.push(Binder::Guard(condition.clone()));
                    }
                }
            }
            Binder::Each(..) | Binder::Keep(..) => loops.push(binder.clone()),
        }
    }
    (conditions, loops)
}

fn conjuncts(guard: &Bool) -> Vec<&Bool> {
    match guard {
        Bool::All(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

/// The number of words of combinations run between two checks: their time and memory grow with the
/// words of a state.
const CHECK_EVERY: usize = 1 << 10;

/// The remaining work that is allowed.
struct Left<'w> {
    /// The number of combinations of contents that may still be tried.
    runs: usize,
    bounds: ContentLimits,
    asking: Asking<'w>,
}

/// Runs the pieces until no part gets new contents.
///
/// # Errors
/// If the limits are exceeded, a piece faults, or the work is stopped.
fn close(
    ruleset: &Ruleset,
    parts: &mut [StatePart],
    pieces: &mut [MovePiece],
    left: &mut Left<'_>,
) -> Result<(), Declined> {
    loop {
        let mut grown = false;
        for piece in pieces.iter_mut() {
            grown |= piece.run(ruleset, parts, left)?;
        }
        let transitions: usize = pieces.iter().map(|piece| piece.transitions.len()).sum();
        let bounds = left.bounds;
        if parts
            .iter()
            .any(|part| part.contents.len() > bounds.contents)
            || transitions > bounds.transitions
        {
            return Err(Declined::NotSuited);
        }
        if !grown {
            return Ok(());
        }
    }
}

impl MovePiece {
    /// Runs the piece on the combinations of contents that are new; returns `true` if there were
    /// any.
    fn run(
        &mut self,
        ruleset: &Ruleset,
        parts: &mut [StatePart],
        left: &mut Left<'_>,
    ) -> Result<bool, Declined> {
        let sizes: Vec<usize> = self
            .parts
            .iter()
            .map(|part| parts[*part].contents.len())
            .collect();
        // Every combination of these contents has been run already.
        if sizes == self.done {
            return Ok(false);
        }
        let count = sizes
            .iter()
            .try_fold(1_usize, |count, size| count.checked_mul(*size));
        let count = count
            .filter(|count| *count <= left.bounds.combinations)
            .ok_or(Declined::NotSuited)?;
        // If one part is touched, the old contents come first and can be skipped.
        let first = if let [done] = self.done[..] { done } else { 0 };
        // The work is limited in all, because every piece may run again when a part has grown.
        left.runs = left
            .runs
            .checked_sub(count - first)
            .ok_or(Declined::NotSuited)?;
        for number in first..count {
            left.asking.step(ruleset.words())?;
            let from = tuple(number, &sizes);
            if from
                .iter()
                .zip(&self.done)
                .any(|(content, done)| *content as usize >= *done)
            {
                self.run_on(ruleset, parts, from)
                    .ok_or(Declined::NotSuited)?;
            }
        }
        self.done = sizes;
        Ok(true)
    }

    /// Removes the parts that are not kept.
    pub fn retain(&mut self, kept: &[bool]) {
        let places: Vec<usize> = (0..self.parts.len())
            .filter(|place| kept[self.parts[*place]])
            .collect();
        let pick = |tuple: &Tuple| places.iter().map(|place| tuple[*place]).collect::<Tuple>();
        self.transitions = self
            .transitions
            .iter()
            .map(|(from, to)| (pick(from), pick(to)))
            .collect();
        self.parts = places.iter().map(|place| self.parts[*place]).collect();
    }

    fn run_on(&mut self, ruleset: &Ruleset, parts: &mut [StatePart], from: Tuple) -> Option<()> {
        let mut state = State::zero(ruleset.start.0.len());
        for (part, content) in self.parts.iter().zip(&from) {
            put(&mut state, &parts[*part].contents[*content as usize]);
        }
        let mut machine = ruleset.machine(&state);
        if self
            .finals
            .iter()
            .any(|condition| matches!(condition.run(&mut machine), Ok(true)))
        {
            // The game has ended with these contents, so the move is never made from them.
            return Some(());
        }
        let mut found: Vec<State> = Vec::new();
        let run = each(&self.binders, &mut machine, &mut |machine| {
            let before = machine.words.clone();
            run_all(&self.changes, machine)?;
            found.push(State(std::mem::replace(&mut machine.words, before)));
            Ok(true)
        });
        run.ok()?;
        for state in found {
            let content = |part: &usize| {
                let part = &mut parts[*part];
                let content = part.mask.of(&state);
                fit::<u32>(part.contents.insert_full(content).0)
            };
            let to: Tuple = self.parts.iter().map(content).collect();
            let transition = (from.clone(), to);
            // Loops often produce the same result several times in a row.
            if self.transitions.last() != Some(&transition) {
                self.transitions.push(transition);
            }
        }
        Some(())
    }
}

/// Adds the bits of a content to a state in which the bits of its part are 0.
pub fn put(state: &mut State, content: &State) {
    state
        .0
        .iter_mut()
        .zip(&content.0)
        .for_each(|(word, bits)| *word |= bits);
}

/// Returns the weight of each digit in mixed radix, most significant first.
pub fn weights(sizes: &[usize]) -> Vec<usize> {
    (1..=sizes.len())
        .map(|next| sizes[next..].iter().product())
        .collect()
}

/// Returns the number of digits in mixed radix, most significant first.
pub fn number(digits: &[u32], sizes: &[usize]) -> usize {
    digits
        .iter()
        .zip(sizes)
        .fold(0, |number, (digit, size)| number * size + *digit as usize)
}

/// Returns the digits of a number in mixed radix, most significant first.
pub fn tuple(mut number: usize, sizes: &[usize]) -> Tuple {
    let mut digits: Tuple = SmallVec::from_elem(0, sizes.len());
    for (digit, size) in digits.iter_mut().zip(sizes).rev() {
        *digit = fit::<u32>(number % size);
        number /= size;
    }
    digits
}
