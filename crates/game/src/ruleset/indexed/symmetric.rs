//! Proofs of declared symmetries: if positions are not explored one by one, their symmetry cannot
//! be tested one by one either.
//!
//! A permutation of the bits is a symmetry if it maps parts to parts and contents to contents, each
//! player's transitions to transitions with the same guards, and preserves every ending's
//! condition. For the latter the condition is compared with its image on all contents that either
//! can distinguish; conditions on lines are compared line by line.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::additive::Additive;
use super::conditions::ContentClasses;
use super::images::PartImages;
use super::parts::{MovePiece, StatePart, Transition, put, take_apart};
use super::reads::Reads;
use super::suited;
use crate::convert::fit;
use crate::player::Player;
use crate::ruleset::cells::Lines;
use crate::ruleset::endings::EndingProgram;
use crate::ruleset::layout::Field;
use crate::ruleset::program::{Bool, Plane};
use crate::ruleset::symmetry::Permutation;
use crate::ruleset::turns::TurnProgram;
use crate::ruleset::{Ruleset, State};
use crate::watch::{Context, Stop};

/// The greatest number of combinations of contents on which conditions are compared with their
/// images.
const MOST_COMPARED: usize = 1 << 18;

/// A proof that a game respects its symmetries at every position that consists of certain contents
/// of its parts; its moves lead to such positions again.
#[derive(Debug)]
pub struct SymmetryProof {
    parts: Vec<StatePart>,
    /// `true` if the game has turns or income, which are tested position by position.
    is_partial: bool,
}

impl SymmetryProof {
    /// Searches for a proof for all positions reachable from the start; returns `None` if there are
    /// no symmetries, or no proof is found.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn of(ruleset: &Ruleset, context: &Context<'_>) -> Result<Option<Self>, Stop> {
        let has_none = ruleset.symmetry.generators().next().is_none();
        // The proof says nothing of scores.
        if has_none || ruleset.scored {
            return Ok(None);
        }
        let Some((parts, pieces)) = suited(take_apart(ruleset, context))? else {
            return Ok(None);
        };
        let is_proved = is_proved(ruleset, &parts, &pieces, context)?;
        Ok(is_proved.then_some(Self {
            parts,
            is_partial: ruleset.has_turns() || ruleset.has_income(),
        }))
    }

    /// Returns `true` if the proof covers everything at a position.
    pub fn covers(&self, state: &State) -> bool {
        let contains = |part: &StatePart| part.contents.contains(&part.mask.of(state));
        !self.is_partial && self.parts.iter().all(contains)
    }
}

/// Returns `true` if all declared symmetries are proved.
fn is_proved(
    ruleset: &Ruleset,
    parts: &[StatePart],
    pieces: &[MovePiece],
    context: &Context<'_>,
) -> Result<bool, Stop> {
    for generator in ruleset.symmetry.generators() {
        let Some(image) = PermutedParts::new(ruleset, parts, generator, context)? else {
            return Ok(false);
        };
        let respects = image.respects(pieces);
        if let Some(stop) = image.stopped.get() {
            return Err(stop);
        }
        if !respects {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the action of each symmetry but the identity on parts and contents, given that all are
/// proved.
///
/// # Errors
/// If the work is stopped.
pub fn images(
    ruleset: &Ruleset,
    parts: &[StatePart],
    context: &Context<'_>,
) -> Result<Vec<PartImages>, Stop> {
    let image = |permutation| {
        let image = PermutedParts::new(ruleset, parts, permutation, context)?;
        Ok(image.expect("symmetries take parts to parts").to)
    };
    ruleset.symmetry.elements().iter().map(image).collect()
}

/// The action of a permutation of the bits on parts and contents.
struct PermutedParts<'a> {
    ruleset: &'a Ruleset,
    parts: &'a [StatePart],
    permutation: &'a Permutation,
    /// For each part its image, and for each of its contents the image.
    to: PartImages,
    /// The results of comparisons of conditions.
    known: RefCell<FxHashMap<(Bool, Bool), bool>>,
    /// The number of combinations that may still be compared.
    budget: Cell<usize>,
    context: &'a Context<'a>,
    /// The reason why the comparison was stopped, if it was; no further conditions are found to
    /// agree then.
    stopped: Cell<Option<Stop>>,
}

/// The contents of some parts before and after a move: part, content before, content after.
type ContentChange = BTreeSet<(usize, u32, u32)>;

impl<'a> PermutedParts<'a> {
    fn new(
        ruleset: &'a Ruleset,
        parts: &'a [StatePart],
        permutation: &'a Permutation,
        context: &'a Context<'a>,
    ) -> Result<Option<Self>, Stop> {
        let masks = parts.iter().map(|part| &part.mask.0);
        let places: FxHashMap<&State, usize> = masks.zip(0..).collect();
        let part_image = |part: &StatePart| {
            let place = *places.get(&permutation.apply(&part.mask.0))?;
            let content = |content: &State| {
                let number = parts[place]
                    .contents
                    .get_index_of(&permutation.apply(content))?;
                u32::try_from(number).ok()
            };
            let contents: Option<Vec<u32>> = part.contents.iter().map(content).collect();
            Some((place, contents?))
        };
        let mut to = Vec::with_capacity(parts.len());
        for part in parts {
            context.check()?;
            match part_image(part) {
                Some(image) => to.push(image),
                None => return Ok(None),
            }
        }
        let (known, budget) = (RefCell::default(), Cell::new(MOST_COMPARED));
        Ok(Some(Self {
            ruleset,
            parts,
            permutation,
            to,
            known,
            budget,
            context,
            stopped: Cell::new(None),
        }))
    }

    /// Returns `true` if the comparison may continue.
    fn goes_on(&self) -> bool {
        if self.stopped.get().is_none() {
            self.stopped.set(self.context.check().err());
        }
        self.stopped.get().is_none()
    }

    fn respects(&self, pieces: &[MovePiece]) -> bool {
        let kept = |line: &EndingProgram| {
            line.cases().is_some_and(|cases| {
                cases
                    .iter()
                    .all(|(condition, _)| self.keeps(condition, condition))
            })
        };
        let turned = |line: &TurnProgram| {
            line.cases()
                .iter()
                .all(|condition| self.keeps(condition, condition))
        };
        self.ruleset.endings.iter().all(kept)
            && self.ruleset.turns.iter().all(turned)
            && Player::BOTH
                .into_iter()
                .all(|player| self.respects_moves(pieces, player))
    }

    fn respects_moves(&self, pieces: &[MovePiece], player: Player) -> bool {
        let own = || {
            pieces
                .iter()
                .filter(|piece| piece.player == player && !piece.transitions.is_empty())
        };
        // Moves without guards may be split into pieces in different ways, so all changes are
        // compared.
        let free: FxHashSet<ContentChange> = own()
            .filter(|piece| piece.guards.is_empty())
            .flat_map(changes)
            .collect();
        own().all(|piece| {
            if !self.goes_on() {
                return false;
            }
            let images: FxHashSet<ContentChange> =
                changes(piece).map(|change| self.change(&change)).collect();
            // The map of the changes is one to one, and the sets are finite, so a subset is enough.
            if piece.guards.is_empty() {
                return images.is_subset(&free);
            }
            own().any(|other| {
                piece.guards.len() == other.guards.len()
                    && images == changes(other).collect()
                    && piece
                        .guards
                        .iter()
                        .zip(&other.guards)
                        .all(|(guard, image)| self.keeps(guard, image))
            })
        })
    }

    fn change(&self, change: &ContentChange) -> ContentChange {
        let image = |&(part, from, to): &(usize, u32, u32)| {
            let (place, contents) = &self.to[part];
            (*place, contents[from as usize], contents[to as usize])
        };
        change.iter().map(image).collect()
    }

    /// Returns `true` if a condition is found to hold at a position exactly if another holds at the
    /// position's image.
    fn keeps(&self, condition: &Bool, other: &Bool) -> bool {
        match (condition, other) {
            (Bool::Constant(truth), Bool::Constant(other)) => truth == other,
            (Bool::Not(inner), Bool::Not(other)) => self.keeps(inner, other),
            (Bool::Line(parts), Bool::Line(others)) => match (&**parts, &**others) {
                ((Plane::Field(own), lines), (Plane::Field(field), of)) => {
                    let words = self.ruleset.words();
                    let image = masks(own, lines, words).map(|line| self.permutation.apply(&line));
                    image.collect::<FxHashSet<State>>() == masks(field, of, words).collect()
                }
                _ => self.agrees(condition, other),
            },
            (Bool::All(parts), Bool::All(others)) | (Bool::Any(parts), Bool::Any(others)) => {
                let one_by_one = parts.len() == others.len()
                    && parts
                        .iter()
                        .zip(others)
                        .all(|(part, other)| self.keeps(part, other));
                one_by_one || self.agrees(condition, other)
            }
            _ => self.agrees(condition, other),
        }
    }

    /// Returns whether two conditions compare the same sum, part by part, if both compare sums;
    /// this works for boards of any size.
    fn adds_up(&self, condition: &Bool, other: &Bool) -> Option<bool> {
        let (base, parts) = (
            State::zero(self.ruleset.words()),
            self.parts.iter().collect::<Vec<_>>(),
        );
        let [here, there] = [condition, other]
            .map(|condition| Additive::of(condition, self.ruleset, &base, &parts));
        let (here, there) = (here?, there?);
        // The terms of the first contents, and the differences of the others from these, must
        // agree.
        let (mut first, mut image_first) = (0, 0);
        for (worth, (place, contents)) in here.worth.iter().zip(&self.to) {
            let image = |content: usize| there.worth[*place][contents[content] as usize];
            // Only differences within a part are compared: a constant may be counted in any part.
            if (0..worth.len())
                .any(|content| worth[content] - worth[0] != image(content) - image(0))
            {
                return Some(false);
            }
            (first, image_first) = (first + worth[0], image_first + image(0));
        }
        Some(here.compares_like(&there) && first == image_first)
    }

    /// Returns `true` if [`Self::compare`] finds that two conditions agree, or both compare the
    /// same sum.
    fn agrees(&self, condition: &Bool, other: &Bool) -> bool {
        let key = (condition.clone(), other.clone());
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let agrees = self.adds_up(condition, other) == Some(true)
            || self.compare(condition, other).unwrap_or(false);
        // A symmetry is asked about the same conditions for many pieces.
        self.known.borrow_mut().insert(key, agrees);
        agrees
    }

    /// Compares two conditions on all contents that either can distinguish; returns `None` if these
    /// are too many, one of the conditions has no value, or the work is stopped.
    fn compare(&self, condition: &Bool, other: &Bool) -> Option<bool> {
        let [here, there] =
            [condition, other].map(|condition| Reads::of_truth(condition, self.ruleset.words()));
        let examples: Vec<Vec<&State>> = (0..self.parts.len())
            .map(|part| self.examples(part, &here, &there))
            .collect();
        let count = examples
            .iter()
            .try_fold(1_usize, |count, examples| count.checked_mul(examples.len()))?;
        // The budget is for all conditions together, which limits the whole proof.
        self.budget.set(self.budget.get().checked_sub(count)?);
        let sizes: Vec<usize> = examples.iter().map(Vec::len).collect();
        for number in 0..count {
            if !self.goes_on() {
                return None;
            }
            let mut state = State::zero(self.ruleset.words());
            for (examples, class) in examples.iter().zip(super::parts::tuple(number, &sizes)) {
                put(&mut state, examples[class as usize]);
            }
            let truth = condition.run(&mut self.ruleset.machine(&state)).ok()?;
            if other
                .run(&mut self.ruleset.machine(&self.permutation.apply(&state)))
                .ok()?
                != truth
            {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns one content of a part for each class of contents that look the same to both
    /// conditions: to one by themselves, to the other by their images.
    fn examples(&self, part: usize, here: &Reads, there: &Reads) -> Vec<&'a State> {
        let (place, image) = &self.to[part];
        let (here, there) = (
            ContentClasses::new(&self.parts[part], here),
            ContentClasses::new(&self.parts[*place], there),
        );
        let mut known = FxHashSet::default();
        let contents = self.parts[part].contents.iter().enumerate();
        let new = contents.filter(|(content, _)| {
            // Contents that neither condition can distinguish give the same result.
            known.insert((here.of[*content], there.of[image[*content] as usize]))
        });
        new.map(|(_, content)| content).collect()
    }
}

fn changes(piece: &MovePiece) -> impl Iterator<Item = ContentChange> {
    let change = |(from, to): &Transition| {
        let parts = piece.parts.iter().zip(from.iter().zip(to));
        parts
            .map(|(part, (from, to))| (*part, *from, *to))
            .collect()
    };
    piece.transitions.iter().map(change)
}

/// Iterates over the lines of a player's plane, as bits of the state.
fn masks(field: &Field, lines: &Lines, words: usize) -> impl Iterator<Item = State> {
    lines.cells().map(move |cells| {
        let mut state = State::zero(words);
        cells
            .into_iter()
            .for_each(|cell| field.bit(fit::<u32>(cell)).put(&mut state.0, true));
        state
    })
}
