//! Rulesets whose positions need no exploration: each has a number, and every move leads to a
//! lesser one.
//!
//! A position consists of the contents of its parts ([`parts`]), one digit for each. If every move
//! lowers the height of a content ([`order`]), the contents of each part can be numbered after
//! those that moves lead to, and the mixed-radix number of a position's contents falls with every
//! move. The positions can then be processed from 0 on, each after those that its moves lead to,
//! with their values in a flat array: nothing is hashed and no edge is stored. The least
//! significant digits form a *row*, so that everything that is the same for a whole row is looked
//! up once: most moves, and the digits outside the row that the conditions ([`conditions`]) depend
//! on.
//!
//! The numbered positions include all that can be reached from the start. This module affects only
//! the speed; a ruleset that is not of this kind is explored instead.

mod additive;
mod conditions;
mod images;
mod line_grid;
mod lines;
mod order;
mod parts;
mod product;
mod reads;
mod split;
mod steps;
mod symmetric;

use std::sync::{Arc, Mutex};

pub use self::conditions::{Condition, TruthTable};
use self::conditions::{Extent, Tabulator};
pub use self::images::{Image, RowImage, Target};
pub use self::line_grid::LineGrid;
use self::order::{Heights, SortedParts};
use self::parts::{MovePiece, StatePart, Tuple};
pub use self::product::{Component, ComponentLevel, EndingCells, Product, Test};
use self::reads::BitSet;
pub use self::steps::{DigitSteps, MoveTarget, Stepper};
pub(super) use self::symmetric::SymmetryProof;
use super::program::Bool;
use super::{Ruleset, State};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::Stuck;
use crate::watch::{Context, Stop};

/// The bounds on the length of a row: parts are added until it has at least the first number of
/// contents, where there are enough parts, and further as long as it does not exceed the second.
const SHORT_ROW: usize = 24;
const LONG_ROW: usize = 100;

/// The numbers of a ruleset's positions and the effects of its moves, without the conditions of the
/// moves.
///
/// It is computed quickly, whatever the size of the game, while tabulating the conditions
/// ([`Indexed`]) can take longer than answering a question about a small game.
#[derive(Debug)]
pub struct Numbering {
    /// The parts outside the row, most significant first.
    pub digits: Vec<Digit>,
    /// The row, the last digit.
    pub row: Digit,
    /// The moves that touch several parts, or depend on more than they touch.
    pub guarded_moves: PerPlayer<Vec<GuardedMove>>,
    /// The ending if a player must move and cannot; `None` if the opponent moves then.
    pub stuck: PerPlayer<Option<Ending>>,
    /// An upper bound on the number of moves of a play.
    pub plies: u32,
    /// The heights of contents, by digit (the row last) and content. The sum over the digits of a
    /// position is an upper bound on the number of moves of a play from it.
    heights: Vec<Vec<u32>>,
    /// The ruleset's [`Ruleset::identity`].
    pub identity: String,
    /// The effects of the symmetries other than the identity on the numbers; empty if moves lower
    /// digits by stages.
    pub images: Vec<Image>,
    constants: ConstantBits,
    parts: Vec<StatePart>,
}

/// A ruleset whose positions are numbered, with its conditions in tables: the input of a sweep.
#[derive(Debug)]
pub struct Indexed {
    /// The numbering of the positions.
    pub numbering: Numbering,
    /// For each of the moves that touch several parts, the other conditions that must hold.
    pub guards: PerPlayer<Vec<Vec<Condition>>>,
    /// The endings in order, with their conditions.
    pub endings: Vec<(Condition, Ending)>,
    /// The tables that the conditions consist of.
    pub tables: Vec<TruthTable>,
    /// The sample of rows that was taken last: it takes a part of a second, and every plan and every
    /// batch of a sweep asks for it.
    pub sample: Mutex<Option<RowSample>>,
}

/// The number of rows of each block that are stored, by a sample.
#[derive(Debug, Clone)]
pub struct RowSample {
    /// The number of digits that number the blocks.
    pub prefix: usize,
    /// `true` if only one of the blocks that a symmetry exchanges is computed.
    pub is_symmetric: bool,
    /// The estimated number of stored rows of each block that is computed.
    pub stored: Arc<[usize]>,
}

/// A part outside the row, or the row as one digit.
#[derive(Debug)]
pub struct Digit {
    /// For each content, the contents that a move of this digit alone can change it to, all of them
    /// less.
    pub steps: PerPlayer<Vec<Vec<u32>>>,
}

/// A move that is not a plain step of one digit.
#[derive(Debug)]
pub struct GuardedMove {
    /// The digits that the move touches, and the number of contents of each.
    pub digits: Vec<(usize, usize)>,
    /// For each combination of contents of these digits, a number in mixed radix, the results of
    /// the move.
    pub landings: Vec<Vec<Landing>>,
    /// The other conditions that must hold, as in the ruleset.
    guards: Vec<Bool>,
}

/// A result of a guarded move.
#[derive(Debug)]
pub struct Landing {
    /// The contents of the move's digits after the move.
    pub to: Tuple,
    /// The changes of the row's content, as pairs of the contents from which the move can be made
    /// and those it leads to; `None` if the row is unchanged.
    pub row: Option<Vec<(u32, u32)>>,
}

impl GuardedMove {
    /// Returns the contents of the move's digits that an index into its landings encodes.
    pub fn contents(&self, number: usize) -> Tuple {
        let sizes: Vec<usize> = self.digits.iter().map(|(_, size)| *size).collect();
        parts::tuple(number, &sizes)
    }
}

/// The reason why there is no index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declined {
    /// The ruleset is not of this kind.
    NotSuited,
    /// The work was stopped.
    Stopped(Stop),
}

impl From<Stop> for Declined {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl Ruleset {
    /// Returns the numbering of the positions; `None` if the ruleset has none.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn numbering(&self, context: &Context<'_>) -> Result<Option<Numbering>, Stop> {
        suited(Numbering::new(self, context))
    }

    /// Returns the numbering with its conditions in tables; `None` if the ruleset has no numbering
    /// or the tables would be too large.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn indexed(&self, context: &Context<'_>) -> Result<Option<Indexed>, Stop> {
        match self.numbering(context)? {
            Some(numbering) => numbering.tabulated(self, context),
            None => Ok(None),
        }
    }
}

/// Converts [`Declined::NotSuited`] to `None`.
fn suited<T>(made: Result<T, Declined>) -> Result<Option<T>, Stop> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(Declined::NotSuited) => Ok(None),
        Err(Declined::Stopped(stop)) => Err(stop),
    }
}

/// Returns `true` if finding the parts of a position that each move touches would take long.
fn is_large(ruleset: &Ruleset) -> bool {
    /// The greatest number of words of bits that may be compared.
    const MOST: usize = 1 << 27;
    let (scalars, moves) = (ruleset.scalars().count(), ruleset.all_moves().count());
    let words = ruleset.start.0.len();
    scalars.saturating_mul(moves).saturating_mul(words) > MOST
}

/// Returns the ending if a player must move and cannot, if the game ends then.
fn stuck_endings(ruleset: &Ruleset) -> Result<PerPlayer<Option<Ending>>, Declined> {
    match ruleset.stuck {
        // Scores are not values of positions alone, so they need the graph.
        _ if ruleset.scored => Err(Declined::NotSuited),
        // A pass leaves the position as it is, and lowers no number.
        Stuck::Passes => Err(Declined::NotSuited),
        Stuck::OpponentMoves => Ok(PerPlayer::new(None, None)),
        Stuck::Ends(result) => Ok(PerPlayer::new(Player::Alice, Player::Bob)
            .map(|player| Some(result.for_player(player)))),
    }
}

impl Numbering {
    fn new(ruleset: &Ruleset, context: &Context<'_>) -> Result<Self, Declined> {
        let stuck = stuck_endings(ruleset)?;
        if is_large(ruleset) || !ruleset.symmetry.is_proved() {
            return Err(Declined::NotSuited);
        }
        let (mut parts, mut pieces) = parts::take_apart(ruleset, context)?;
        let constants = set_aside_constants(ruleset, &mut parts, &mut pieces);
        let SortedParts {
            mut heights,
            stages,
        } = order::sort(&mut parts, &mut pieces).ok_or(Declined::NotSuited)?;
        let plies = heights
            .iter()
            .flatten()
            .filter_map(|heights| heights.iter().max())
            .sum();
        // Parts of different stages have a fixed order, which symmetries could not respect.
        let symmetric = stages.iter().all(|stage| *stage == Some(0));
        if symmetric {
            let order =
                images::by_orbits(&symmetric::images(ruleset, &parts, context)?, parts.len());
            order::rearrange(&mut parts, &mut pieces, &mut heights, &order);
        }
        let first = first_of_row(&parts, &heights).ok_or(Declined::NotSuited)?;
        // Only rows are numbered by height: many of their contents are processed at a time.
        for (index, part) in parts.iter_mut().enumerate().skip(first) {
            order::by_height(index, part, &mut heights[index], &mut pieces);
        }
        let images = if symmetric {
            symmetric::images(ruleset, &parts, context)?
        } else {
            Vec::new()
        };
        let row_part = product(&parts[first..], ruleset);
        let heights = heights_with_row(heights, &parts, first);
        let row_parts = parts.split_off(first);
        let (digits, row, guarded_moves) = split::split(&pieces, &parts, &row_parts);
        let images = images
            .iter()
            .map(|image| images::Image::new(image, &parts, &row_parts))
            .collect();
        parts.push(row_part);
        let identity = ruleset.identity();
        Ok(Self {
            digits,
            row,
            guarded_moves,
            stuck,
            plies,
            heights,
            identity,
            images,
            constants,
            parts,
        })
    }

    /// Tabulates the conditions of the numbering's ruleset; returns `None` if that is not possible,
    /// or the tables would be too large.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn tabulated(
        self,
        ruleset: &Ruleset,
        context: &Context<'_>,
    ) -> Result<Option<Indexed>, Stop> {
        suited(self.with_tables(ruleset, context))
    }

    /// Returns `true` if tables of the conditions would be small enough. They are not filled, so a
    /// condition may still turn out to have no value at some position.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn has_small_tables(&self, ruleset: &Ruleset, context: &Context<'_>) -> Result<bool, Stop> {
        let sizes = Tabulator::new(
            ruleset,
            &self.constants.values,
            &self.parts,
            Extent::Sizes,
            context,
        );
        Ok(suited(sizes.and_then(|mut sizes| self.conditions(ruleset, &mut sizes)))?.is_some())
    }

    fn with_tables(self, ruleset: &Ruleset, context: &Context<'_>) -> Result<Indexed, Declined> {
        let mut tabulator = Tabulator::new(
            ruleset,
            &self.constants.values,
            &self.parts,
            Extent::Filled,
            context,
        )?;
        let (guards, endings) = self.conditions(ruleset, &mut tabulator)?;
        let tables = tabulator.tables;
        Ok(Indexed {
            numbering: self,
            guards,
            endings,
            tables,
            sample: Mutex::default(),
        })
    }

    /// Returns the guards of each player's moves, and the endings.
    fn conditions(
        &self,
        ruleset: &Ruleset,
        tabulator: &mut Tabulator<'_>,
    ) -> Result<Conditions, Declined> {
        let endings = endings(ruleset, tabulator)?;
        let mut guards = PerPlayer::<Vec<Vec<Condition>>>::default();
        for player in Player::BOTH {
            for guarded in &self.guarded_moves[player] {
                let conditions = guarded
                    .guards
                    .iter()
                    .map(|guard| tabulator.condition(guard));
                guards[player].push(conditions.collect::<Result<_, _>>()?);
            }
        }
        Ok((guards, endings))
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.parts.iter().fold(1, |len, part| {
            len.saturating_mul(part.contents.len() as u64)
        })
    }

    /// Returns the number of contents of a row.
    pub fn row_len(&self) -> usize {
        self.parts.last().map_or(1, |row| row.contents.len())
    }

    /// Returns the number of contents of a digit.
    pub fn radix(&self, digit: usize) -> usize {
        self.parts[digit].contents.len()
    }

    /// Returns an upper bound on the number of moves of a play from a position, given its digits.
    pub fn plies_from(&self, digits: &[usize]) -> u32 {
        digits
            .iter()
            .zip(&self.heights)
            .map(|(content, heights)| heights[*content])
            .sum()
    }

    /// Returns the number of positions from which plays may take more moves than this.
    pub fn positions_before(&self, plies: u32) -> u64 {
        // The number of combinations of the digits so far for each number of moves; those with more
        // moves than `plies` are counted together.
        let most = plies as usize + 1;
        let mut counts = vec![0_u64; most + 1];
        counts[0] = 1;
        for heights in &self.heights {
            let mut longer = vec![0_u64; most + 1];
            for height in heights {
                for (moves, count) in counts.iter().enumerate() {
                    let sum = &mut longer[(moves + *height as usize).min(most)];
                    *sum = sum.saturating_add(*count);
                }
            }
            counts = longer;
        }
        counts[most]
    }

    /// Returns the digits of a position, the row's content last; `None` if it is not among those
    /// numbered.
    pub fn digits_of(&self, state: &State) -> Option<Vec<usize>> {
        digits_of(&self.constants, &self.parts, state)
    }
}

/// Returns the contents of the parts at a position; `None` if it is not among those numbered.
fn digits_of(constants: &ConstantBits, parts: &[StatePart], state: &State) -> Option<Vec<usize>> {
    // Positions with other constant bits cannot be reached, and have no number.
    if constants.mask.of(state) != constants.values {
        return None;
    }
    parts
        .iter()
        .map(|part| part.contents.get_index_of(&part.mask.of(state)))
        .collect()
}

/// The bits that no move changes.
#[derive(Debug)]
struct ConstantBits {
    mask: BitSet,
    values: State,
}

/// Removes the parts whose content never changes; returns their bits and the values of these.
fn set_aside_constants(
    ruleset: &Ruleset,
    parts: &mut Vec<StatePart>,
    pieces: &mut [MovePiece],
) -> ConstantBits {
    let words = ruleset.start.0.len();
    let (mut mask, mut values) = (BitSet::none(words), State::zero(words));
    let kept: Vec<bool> = parts.iter().map(|part| part.contents.len() > 1).collect();
    for part in parts.extract_if(.., |part| part.contents.len() == 1) {
        mask.add_all(&part.mask);
        parts::put(&mut values, &part.contents[0]);
    }
    let places: Vec<usize> = kept
        .iter()
        .scan(0, |next, kept| {
            Some(std::mem::replace(next, *next + usize::from(*kept)))
        })
        .collect();
    for piece in pieces {
        piece.retain(&kept);
        piece
            .parts
            .iter_mut()
            .for_each(|part| *part = places[*part]);
    }
    ConstantBits { mask, values }
}

/// Returns the first part of the row; `None` if the row would be too long.
fn first_of_row(parts: &[StatePart], heights: &[Heights]) -> Option<usize> {
    const MOST: usize = 1 << 16;
    let mut first = heights
        .iter()
        .position(Option::is_none)
        // Parts without heights have to be in the row, whose content may change in any way when
        // another digit falls.
        .unwrap_or(parts.len());
    let size = |first: usize| {
        parts[first..].iter().fold(1_usize, |size, part| {
            size.saturating_mul(part.contents.len())
        })
    };
    while first > 0 && (size(first) < SHORT_ROW || size(first - 1) <= LONG_ROW) {
        first -= 1;
    }
    (size(first) <= MOST).then_some(first)
}

/// Returns the heights by digit and content, where the parts from `first` on form the row; they are
/// 0 in parts without heights.
fn heights_with_row(heights: Vec<Heights>, parts: &[StatePart], first: usize) -> Vec<Vec<u32>> {
    let of_part = |(heights, part): (Heights, &StatePart)| {
        heights.unwrap_or_else(|| vec![0; part.contents.len()])
    };
    let mut heights: Vec<Vec<u32>> = heights.into_iter().zip(parts).map(of_part).collect();
    let of_row = heights.split_off(first);
    let sizes: Vec<usize> = of_row.iter().map(Vec::len).collect();
    let of_content = |number| {
        let contents = parts::tuple(number, &sizes);
        contents
            .iter()
            .zip(&of_row)
            .map(|(content, heights)| heights[*content as usize])
            .sum()
    };
    heights.push((0..sizes.iter().product()).map(of_content).collect());
    heights
}

/// Combines several parts into one, whose contents are numbered in mixed radix.
fn product(parts: &[StatePart], ruleset: &Ruleset) -> StatePart {
    let words = ruleset.start.0.len();
    let sizes: Vec<usize> = parts.iter().map(|part| part.contents.len()).collect();
    let mut mask = BitSet::none(words);
    parts.iter().for_each(|part| mask.add_all(&part.mask));
    let content = |number| {
        let mut state = State::zero(words);
        for (part, content) in parts.iter().zip(parts::tuple(number, &sizes)) {
            parts::put(&mut state, &part.contents[content as usize]);
        }
        state
    };
    StatePart {
        mask,
        contents: (0..sizes.iter().product()).map(content).collect(),
    }
}

/// The guards of each player's moves, and the endings with their conditions.
type Conditions = (PerPlayer<Vec<Vec<Condition>>>, Vec<(Condition, Ending)>);

fn endings(
    ruleset: &Ruleset,
    tabulator: &mut Tabulator<'_>,
) -> Result<Vec<(Condition, Ending)>, Declined> {
    let mut endings = Vec::new();
    for line in &ruleset.endings {
        for (condition, ending) in line.cases().ok_or(Declined::NotSuited)? {
            endings.push((tabulator.condition(&condition)?, ending));
        }
    }
    Ok(endings)
}
