//! Symmetries: permutations of a board's cells under which the game is the same.
//!
//! The declared symmetries generate a group acting on the bits of a state; the representative of a
//! position is the least of its images. Merging is correct if the group commutes with the rules at
//! every reachable position: the image of a position ends the same way, and its moves are the
//! images of the moves. By induction from the start, every position is then equivalent to its
//! representative. If that is proved for all positions at once ([`SymmetryProof`]) nothing is left
//! to test; otherwise the checks below test exactly that, at each position that is explored, so a
//! wrong declaration is always found before it can corrupt a value.

use indexmap::IndexSet;

use super::indexed::SymmetryProof;
use super::layout::{Bit, BoardPlace, VariablePlace};
use super::specialise::malformed;
use super::{Ruleset, State};
use crate::Score;
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir;
use crate::ir::board::Shape;
use crate::player::{Ending, Player};
use crate::source::Span;
use crate::syntax::ast::SymmetryKind;
use crate::watch::Context;

/// The number of positions tested before play, breadth first from the start.
const SAMPLE: usize = 200;

/// The declared symmetries of a ruleset.
#[derive(Debug, Default)]
pub struct Symmetry {
    /// Every element of the group but the identity.
    images: Vec<Permutation>,
    /// The generators that each `symmetry` line declares, for diagnostics.
    lines: Vec<(Span, Vec<Permutation>)>,
    /// A proof that the game respects the symmetries, if it was found without enumerating
    /// positions.
    pub(super) proof: Option<SymmetryProof>,
}

/// A permutation of the bits of a state.
#[derive(Debug, Clone)]
pub(super) struct Permutation {
    /// The image of each bit, with word and shift in one number.
    to: Vec<u32>,
}

impl Permutation {
    /// Returns the image of a state of one word.
    fn of_word(&self, mut word: u64) -> u64 {
        let mut image = 0;
        while word != 0 {
            image |= 1 << (self.to[word.trailing_zeros() as usize] % 64);
            // Clearing the lowest bit makes the loop as long as the number of set bits, not of all
            // bits.
            word &= word - 1;
        }
        image
    }

    /// Returns the image of each bit, with word and shift in one number.
    pub(super) fn bits(&self) -> &[u32] {
        &self.to
    }

    pub(super) fn apply(&self, state: &State) -> State {
        let mut image = State::zero(state.0.len());
        for (to, mut word) in self.to.chunks_exact(64).zip(state.0.iter().copied()) {
            while word != 0 {
                let to = to[word.trailing_zeros() as usize];
                image.0[(to / 64) as usize] |= 1 << (to % 64);
                word &= word - 1;
            }
        }
        image
    }
}

/// A symmetry of a board, which maps (rows, columns, row, column) to the image of that cell.
type CellMap = fn(usize, usize, usize, usize) -> (usize, usize);

const MIRROR: CellMap = |_, n, r, c| (r, n - 1 - c);
const HALF_TURN: CellMap = |m, n, r, c| (m - 1 - r, n - 1 - c);
const QUARTER_TURN: CellMap = |m, _, r, c| (c, m - 1 - r);
const TRANSPOSE: CellMap = |_, _, r, c| (c, r);

/// Returns generators of the symmetries that a declaration names; `None` if the shape has none of
/// that kind.
fn generators(kind: SymmetryKind, board: &BoardPlace) -> Option<Vec<CellMap>> {
    let square = board.rows == board.cols;
    match (kind, board.shape) {
        (SymmetryKind::Mirror, Shape::Square) => Some(vec![MIRROR]),
        // Exchanging left and right does not map neighbours of a hexagonal cell to neighbours.
        (SymmetryKind::Mirror, Shape::Hex) => None,
        // A quarter turn exchanges rows and columns, so it maps only a square board to itself.
        (SymmetryKind::Rotate, Shape::Square) if square => Some(vec![QUARTER_TURN]),
        (SymmetryKind::Rotate, Shape::Square | Shape::Hex) => Some(vec![HALF_TURN]),
        (SymmetryKind::All, Shape::Square) if square => Some(vec![MIRROR, QUARTER_TURN]),
        (SymmetryKind::All, Shape::Square) => Some(vec![MIRROR, HALF_TURN]),
        (SymmetryKind::All, Shape::Hex) if square => Some(vec![HALF_TURN, TRANSPOSE]),
        (SymmetryKind::All, Shape::Hex) => Some(vec![HALF_TURN]),
    }
}

impl Symmetry {
    /// Returns the group that a template's `symmetry` lines generate.
    ///
    /// # Errors
    /// If a line names something that has no such symmetries.
    pub(super) fn declared(template: &ir::RulesetTemplate, ruleset: &Ruleset) -> Result<Self> {
        let words = ruleset.start.0.len();
        let mut lines = Vec::new();
        for (variable, kind, span) in &template.symmetries {
            let (name, place) = &ruleset.variables[*variable];
            let VariablePlace::Board(board) = place else {
                let message = format!("`{name}` is not a board, and only boards have symmetries");
                return Err(malformed(
                    &message,
                    *span,
                    "not a board",
                    "leave out this line",
                ));
            };
            let Some(maps) = generators(*kind, board) else {
                let message = "exchanging left and right is not a symmetry of a hexgrid: it changes which cells touch";
                let help = "its half turn is `symmetry rotate(board)`";
                return Err(malformed(message, *span, "not a symmetry", help));
            };
            let line = maps
                .into_iter()
                .map(|map| permutation(board, map, words))
                .collect();
            lines.push((*span, line));
        }
        let images = group(&lines, words)?;
        Ok(Self {
            images,
            lines,
            proof: None,
        })
    }

    /// Returns every element of the group but the identity.
    pub(super) fn elements(&self) -> &[Permutation] {
        &self.images
    }

    /// Iterates over permutations that generate the group.
    pub(super) fn generators(&self) -> impl Iterator<Item = &Permutation> {
        self.lines.iter().flat_map(|(_, line)| line)
    }

    /// Returns the least image of a state.
    pub fn canonical(&self, state: State) -> State {
        let least = self.images.iter().map(|image| image.apply(&state)).min();
        match least {
            Some(least) if least < state => least,
            Some(_) | None => state,
        }
    }

    /// Calls `visit` with the least image of a state.
    pub fn with_canonical(&self, words: &[u64], visit: &mut dyn FnMut(&[u64])) {
        // A state of one word is compared without building the images, since this runs for every
        // move.
        if let [word] = *words {
            visit(&[self
                .images
                .iter()
                .map(|image| image.of_word(word))
                .fold(word, u64::min)]);
        } else {
            visit(&self.canonical(State::from_words(words)).0);
        }
    }

    /// Returns `true` if there are no symmetries, or they were proved without enumerating positions.
    pub(super) fn is_proved(&self) -> bool {
        self.lines.is_empty() || self.proof.is_some()
    }

    /// Returns `true` if nothing needs a test at a position and all positions reachable from it.
    pub(super) fn is_proved_from(&self, state: &State) -> bool {
        self.images.is_empty() || self.proof.as_ref().is_some_and(|proof| proof.covers(state))
    }

    /// Tests that a position's images have its ending.
    ///
    /// # Errors
    /// If one has another; the error names the positions.
    pub(super) fn check_ending(
        &self,
        ruleset: &Ruleset,
        state: &State,
        ending: Option<(Ending, Score)>,
    ) -> Result<()> {
        // The proof covers all positions that can be reached, so their images need not be computed.
        if self.is_proved_from(state) {
            return Ok(());
        }
        let differs =
            |image: &Permutation| Ok(ruleset.plain_ending(&image.apply(state))? != ending);
        self.check(ruleset, state, "end", &differs)
    }

    /// Tests that the moves of a position's images are the images of its moves, and that the owner
    /// and the income are the same there.
    ///
    /// # Errors
    /// If that does not hold; the error names the positions.
    pub(super) fn check_moves(
        &self,
        ruleset: &Ruleset,
        state: &State,
        player: Player,
    ) -> Result<()> {
        if self.is_proved_from(state) {
            return Ok(());
        }
        let (here, owner) = (moves(ruleset, state, player)?, ruleset.owner(state)?);
        let income = ruleset.income(state)?;
        let differs = |image: &Permutation| {
            // Owner and income belong to the position as much as its moves: if they differ, the
            // image is another game.
            let image_of = image.apply(state);
            if ruleset.owner(&image_of)? != owner || ruleset.income(&image_of)? != income {
                return Ok(true);
            }
            let there = moves(ruleset, &image_of, player)?;
            Ok(there
                // An image permutes the cells, and with them the order in which moves are
                // generated, so the moves are compared as sets.
                != as_set(
                    here.iter()
                        .map(|(state, score)| (image.apply(state), *score))
                        .collect(),
                ))
        };
        self.check(ruleset, state, "move", &differs)
    }

    fn check(
        &self,
        ruleset: &Ruleset,
        state: &State,
        verb: &str,
        differs: &dyn Fn(&Permutation) -> Result<bool>,
    ) -> Result<()> {
        for image in &self.images {
            if differs(image)? {
                return Err(self.broken(ruleset, state, image, verb, differs));
            }
        }
        Ok(())
    }

    /// Tests the first positions from the start, so that a wrong declaration is found when the
    /// ruleset is compiled.
    ///
    /// # Errors
    /// If a position shows that the game does not respect its symmetries.
    pub(super) fn verify_sample(&self, ruleset: &Ruleset, context: &Context<'_>) -> Result<()> {
        if self.is_proved_from(&ruleset.start) {
            return Ok(());
        }
        let mut found: IndexSet<State> = IndexSet::from([ruleset.start.clone()]);
        let mut next = 0;
        while next < found.len() {
            context.check()?;
            let state = found[next].clone();
            next += 1;
            if ruleset.ending(&state)?.is_some() {
                continue;
            }
            for player in Player::BOTH {
                // The calls test the images as a side effect; the positions found are only places
                // to go on from.
                ruleset.scored_moves(&state, player, &mut |to, _| {
                    // The sample stops growing, but every position in it is still tested, so the
                    // loop ends.
                    if found.len() < SAMPLE {
                        found.insert(to);
                    }
                })?;
            }
        }
        Ok(())
    }

    fn broken(
        &self,
        ruleset: &Ruleset,
        state: &State,
        image: &Permutation,
        verb: &str,
        differs: &dyn Fn(&Permutation) -> Result<bool>,
    ) -> Box<Diagnostic> {
        let blamed = |(_, line): &&(Span, Vec<Permutation>)| {
            line.iter().any(|image| matches!(differs(image), Ok(true)))
        };
        // If no generator alone is at fault at this position, a product of several is, and the
        // first line stands for them.
        let line = self.lines.iter().find(blamed).or(self.lines.first());
        let (here, there) = (ruleset.print(state), ruleset.print(&image.apply(state)));
        let shown = if here == there {
            format!(
                "the position {here:?} is its own image, but its moves are not: they would be merged with others"
            )
        } else {
            format!(
                "the positions {here:?} and {there:?} would be merged, but they {verb} differently"
            )
        };
        let several = line.is_none_or(|(_, generators)| generators.len() > 1);
        let less = if several {
            ", or declare less: `mirror(board)`, `rotate(board)`"
        } else {
            ""
        };
        let diagnostic =
            Diagnostic::new(Code::NotSymmetric, "the game does not respect its symmetry")
                .note(shown)
                .help(format!("leave out the line{less}"));
        match line {
            Some((span, _)) => diagnostic.label(*span, "declared here").into(),
            None => diagnostic.into(),
        }
    }
}

/// Returns a player's moves and their scores as a sorted set.
fn moves(ruleset: &Ruleset, state: &State, player: Player) -> Result<Vec<(State, Score)>> {
    let mut found = Vec::new();
    ruleset.plain_moves(state, player, &mut |to, score| found.push((to, score)))?;
    Ok(as_set(found))
}

fn as_set(mut found: Vec<(State, Score)>) -> Vec<(State, Score)> {
    found.sort_unstable();
    found.dedup();
    found
}

fn number(bit: Bit) -> u32 {
    64 * bit.word + bit.shift
}

/// Converts a map of a board's cells to a permutation of the bits of a state.
fn permutation(board: &BoardPlace, map: CellMap, words: usize) -> Permutation {
    // Bits of other variables keep their places, so that one permutation acts on the whole state.
    let mut to: Vec<u32> = (0..64 * fit::<u32>(words)).collect();
    for (cell, scalar) in board.cells.iter().enumerate() {
        let (row, col) = map(board.rows, board.cols, cell / board.cols, cell % board.cols);
        let image = board.cells[row * board.cols + col];
        for (from, into) in scalar.bits().into_iter().zip(image.bits()) {
            to[number(from) as usize] = number(into);
        }
    }
    Permutation { to }
}

/// Returns all products of the generators but the identity.
fn group(lines: &[(Span, Vec<Permutation>)], words: usize) -> Result<Vec<Permutation>> {
    const MOST: usize = 512;
    let identity: Vec<u32> = (0..64 * fit::<u32>(words)).collect();
    let mut elements: IndexSet<Vec<u32>> = IndexSet::from([identity]);
    let mut next = 0;
    while let Some(element) = elements.get_index(next).cloned() {
        next += 1;
        for (span, line) in lines {
            for generator in line {
                // Products with generators alone reach the whole group: it is finite, so inverses
                // are products too.
                elements.insert(
                    element
                        .iter()
                        .map(|bit| generator.to[*bit as usize])
                        .collect(),
                );
            }
            if elements.len() > MOST {
                let message = format!("these symmetries have more than {MOST} combinations");
                return Err(malformed(
                    &message,
                    *span,
                    "one of them",
                    "declare fewer boards symmetric",
                ));
            }
        }
    }
    // The identity was inserted first.
    let others = elements.into_iter().skip(1);
    Ok(others.map(|to| Permutation { to }).collect())
}
