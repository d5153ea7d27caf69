//! Moves as changes of digits, which a search from one position makes and takes back on numbered
//! positions.
//!
//! A position consists of the contents of the ruleset's parts, and its number is that of the
//! contents in mixed radix; so a move changes the number by a sum of terms of its parts. The images
//! of a position under the declared symmetries have numbers too, which a move changes in the same
//! way: the least of all is the position's *key*, one number for all equivalent positions,
//! maintained without reading the position.
//!
//! A condition that depends on no bit that a move changes has the same value after the move as
//! before. At a position where the game has not ended no ending's condition holds, so only those
//! conditions need a test that depend on a bit that the move changes.

use smallvec::SmallVec;

use super::order;
use super::parts::{self, MovePiece, StatePart};
use super::reads::{BitSet, Reads};
use super::{
    ConstantBits, Declined, digits_of, set_aside_constants, stuck_endings, suited, symmetric,
};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::player::{Ending, PerPlayer, Player};
use crate::ruleset::program::{Bool, Machine};
use crate::ruleset::{Ruleset, State};
use crate::watch::{Context, Stop};

/// The number of endings for which each move records whether it can cause them; the others share
/// one bit.
const TOLD_APART: usize = 63;

/// A ruleset's moves as changes of digits.
#[derive(Debug)]
pub struct DigitSteps<'a> {
    pub(super) ruleset: &'a Ruleset,
    pub(super) parts: Vec<StatePart>,
    constants: ConstantBits,
    /// For each part and content, its terms in the numbers of the position and of its images.
    worth: Vec<Vec<ImageNumbers>>,
    pub(super) pieces: PerPlayer<Vec<PieceMoves>>,
    pub(super) steps: Vec<DigitChange>,
    pub(super) endings: Vec<(Bool, Ending)>,
    pub(super) stuck: PerPlayer<Option<Ending>>,
}

/// The numbers of a position and of its images under the symmetries. They are sums modulo 2^64,
/// each less than 2^64 itself.
type ImageNumbers = SmallVec<[u64; 2]>;

/// The moves of one piece, by the contents of the parts that it touches.
#[derive(Debug)]
pub struct PieceMoves {
    /// The parts, with the weight of a content in the index into `first`.
    parts: SmallVec<[(u16, u32); 2]>,
    /// For each combination of contents, the index of its first step; the steps end where those of
    /// the next combination begin.
    pub first: Vec<u32>,
    pub guards: Vec<Bool>,
}

/// A change of digits.
#[derive(Debug)]
pub struct DigitChange {
    /// The parts, with their contents before and after.
    pub digits: SmallVec<[(u16, u16, u16); 2]>,
    /// The exclusive or of the states before and after.
    pub flips: SmallVec<[u64; 2]>,
    /// The amounts by which the numbers increase, modulo 2^64.
    rise: ImageNumbers,
    /// The endings whose conditions depend on bits that change, as bits.
    pub tested: u64,
    /// A hash of the bits that change, equal for steps that change the same bits.
    kind: u32,
    /// `true` if the step only sets bits.
    pub adds: bool,
}

/// The target of a move.
#[derive(Debug, Clone, Copy)]
pub struct MoveTarget {
    /// The index of the step.
    pub step: u32,
    /// The key of the position after the move.
    pub key: u64,
    /// The ending, if the game has ended there.
    pub ending: Option<Ending>,
    /// The kind of the move: moves that change the same bits are of one kind.
    pub kind: u32,
}

impl Ruleset {
    /// Returns the moves as changes of digits; `None` if the positions have no numbers of 64 bits.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn steps(
        &self,
        context: &Context<'_>,
    ) -> std::result::Result<Option<DigitSteps<'_>>, Stop> {
        suited(DigitSteps::new(self, context))
    }
}

impl<'a> DigitSteps<'a> {
    fn new(ruleset: &'a Ruleset, context: &Context<'_>) -> std::result::Result<Self, Declined> {
        let stuck = stuck_endings(ruleset)?;
        if !ruleset.symmetry.is_proved() {
            return Err(Declined::NotSuited);
        }
        let (mut parts, mut pieces) = parts::take_apart(ruleset, context)?;
        let constants = set_aside_constants(ruleset, &mut parts, &mut pieces);
        order::sort(&mut parts, &mut pieces).ok_or(Declined::NotSuited)?;
        let worth = worth(ruleset, &parts, context)?;
        let mut endings = Vec::new();
        for line in &ruleset.endings {
            endings.extend(line.cases().ok_or(Declined::NotSuited)?);
        }
        let mut made = Self {
            ruleset,
            parts,
            constants,
            worth,
            pieces: PerPlayer::default(),
            steps: Vec::new(),
            endings,
            stuck,
        };
        for piece in pieces.iter().filter(|piece| !piece.transitions.is_empty()) {
            let source = made.source(piece).ok_or(Declined::NotSuited)?;
            made.pieces[piece.player].push(source);
        }
        Ok(made)
    }

    /// Converts a piece to its moves and adds its steps to the others; returns `None` if there are
    /// too many.
    fn source(&mut self, piece: &MovePiece) -> Option<PieceMoves> {
        let mut count = 1_u32;
        let mut strides: SmallVec<[(u16, u32); 2]> = SmallVec::new();
        for part in piece.parts.iter().rev() {
            strides.push((u16::try_from(*part).ok()?, count));
            count = count.checked_mul(u32::try_from(self.parts[*part].contents.len()).ok()?)?;
        }
        strides.reverse();
        let place = |from: &[u32]| {
            from.iter()
                .zip(&strides)
                .map(|(content, (_, stride))| content * stride)
                .sum::<u32>()
        };
        let mut sorted: Vec<_> = piece
            .transitions
            .iter()
            .map(|(from, to)| (place(from), from, to))
            .collect();
        // Steps from the same contents become adjacent, so that two indices describe them.
        sorted.sort_by_key(|(place, ..)| *place);
        let mut first = vec![0; count as usize + 1];
        for (place, from, to) in sorted {
            first[place as usize + 1] += 1;
            let step = self.step(&piece.parts, from, to)?;
            self.steps.push(step);
        }
        // The counts become indices once the number of steps before this piece is added.
        first[0] = u32::try_from(self.steps.len() - piece.transitions.len()).ok()?;
        for place in 0..count as usize {
            first[place + 1] += first[place];
        }
        Some(PieceMoves {
            parts: strides,
            first,
            guards: piece.guards.clone(),
        })
    }

    fn step(&self, parts: &[usize], from: &[u32], to: &[u32]) -> Option<DigitChange> {
        let words = self.ruleset.start.0.len();
        let mut flips: SmallVec<[u64; 2]> = SmallVec::from_elem(0, words);
        let mut rise: ImageNumbers =
            SmallVec::from_elem(0, 1 + self.ruleset.symmetry.elements().len());
        let mut digits = SmallVec::new();
        let mut adds = true;
        for (part, (from, to)) in parts.iter().zip(from.iter().zip(to)) {
            let contents = &self.parts[*part].contents;
            let [before, after] = [from, to].map(|content| &contents[*content as usize]);
            adds &= before
                .0
                .iter()
                .zip(&after.0)
                .all(|(before, after)| before & !after == 0);
            for state in [before, after] {
                flips
                    .iter_mut()
                    .zip(&state.0)
                    .for_each(|(flips, word)| *flips ^= word);
            }
            let [before, after] = [from, to].map(|content| &self.worth[*part][*content as usize]);
            for (rise, (before, after)) in rise.iter_mut().zip(before.iter().zip(after)) {
                // Numbers are sums modulo 2^64, so a decrease may wrap around.
                *rise = rise.wrapping_add(after.wrapping_sub(*before));
            }
            digits.push((
                u16::try_from(*part).ok()?,
                u16::try_from(*from).ok()?,
                u16::try_from(*to).ok()?,
            ));
        }
        let changed = BitSet(State(flips.clone()));
        let looks = |condition: &Bool| Reads::of_truth(condition, words).all.meets(&changed);
        let tested = self
            .endings
            .iter()
            .enumerate()
            .filter(|(_, (condition, _))| looks(condition));
        let tested = tested.fold(0, |tested, (ending, _)| {
            tested | 1 << ending.min(TOLD_APART)
        });
        let kind = flips.iter().fold(0_u64, |kind, word| {
            (kind ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        Some(DigitChange {
            digits,
            flips,
            rise,
            tested,
            kind: (kind >> 32) as u32,
            adds,
        })
    }

    /// Creates a stepper at a position; returns `None` if the position is not among those numbered.
    pub fn stepper(&self, state: &State) -> Option<Stepper<'_>> {
        let digits = digits_of(&self.constants, &self.parts, state)?;
        let digits: Vec<u16> = digits.into_iter().map(fit::<u16>).collect();
        let mut numbers: ImageNumbers =
            SmallVec::from_elem(0, 1 + self.ruleset.symmetry.elements().len());
        for (worth, digit) in self.worth.iter().zip(&digits) {
            add(&mut numbers, &worth[usize::from(*digit)]);
        }
        let words = state.0.clone();
        Some(Stepper {
            plan: self,
            digits,
            words,
            numbers,
            machine: self.ruleset.machine(state),
            path: Vec::new(),
        })
    }
}

/// Returns, for each part and content, its terms in the numbers of a position and its images.
///
/// # Errors
/// If the numbers exceed 64 bits, or the work is stopped.
fn worth(
    ruleset: &Ruleset,
    parts: &[StatePart],
    context: &Context<'_>,
) -> std::result::Result<Vec<Vec<ImageNumbers>>, Declined> {
    let mut strides = vec![0_u64; parts.len()];
    let mut count = 1_u128;
    for (stride, part) in strides.iter_mut().zip(parts).rev() {
        *stride = u64::try_from(count).map_err(|_| Declined::NotSuited)?;
        count *= part.contents.len() as u128;
    }
    // Numbers from 0 to 2^64 − 1 fit a word exactly.
    if count > 1 << 64 {
        return Err(Declined::NotSuited);
    }
    let plain = |(part, stride): (&StatePart, &u64)| {
        (0..part.contents.len() as u64)
            .map(|content| SmallVec::from_elem(content * stride, 1))
            .collect()
    };
    let mut worth: Vec<Vec<ImageNumbers>> = parts.iter().zip(&strides).map(plain).collect();
    for contents in symmetric::images(ruleset, parts, context)? {
        for (part, (place, contents)) in contents.into_iter().enumerate() {
            for (numbers, content) in worth[part].iter_mut().zip(contents) {
                numbers.push(u64::from(content) * strides[place]);
            }
        }
    }
    Ok(worth)
}

fn add(numbers: &mut ImageNumbers, more: &ImageNumbers) {
    numbers
        .iter_mut()
        .zip(more)
        .for_each(|(number, more)| *number = number.wrapping_add(*more));
}

/// A position from which moves are made and taken back.
#[derive(Debug, Clone)]
pub struct Stepper<'p> {
    plan: &'p DigitSteps<'p>,
    digits: Vec<u16>,
    words: SmallVec<[u64; 2]>,
    numbers: ImageNumbers,
    machine: Machine,
    /// The steps that were made and not taken back.
    path: Vec<u32>,
}

impl Stepper<'_> {
    /// Returns the key of the position, which is the same for all equivalent positions.
    pub fn key(&self) -> u64 {
        self.numbers.iter().copied().fold(u64::MAX, u64::min)
    }

    /// Returns the ending of the position, if the game has ended there.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn ending(&mut self) -> Result<Option<Ending>> {
        self.machine.words.copy_from_slice(&self.words);
        self.tested_ending(u64::MAX)
    }

    /// Returns the player who moves here without a bid, if the position has an owner.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn owner(&mut self) -> Result<Option<Player>> {
        self.machine.words.copy_from_slice(&self.words);
        self.plan.ruleset.owner_on(&mut self.machine)
    }

    /// Returns the ending if a player must move here and cannot; `None` if the opponent moves then.
    pub fn stuck(&self, player: Player) -> Option<Ending> {
        self.plan.stuck[player]
    }

    /// Calls `visit` with the target of each move of a player, at a position where the game has not
    /// ended.
    ///
    /// # Errors
    /// If a move cannot be evaluated.
    pub fn moves(&mut self, player: Player, visit: &mut impl FnMut(MoveTarget)) -> Result<()> {
        let plan = self.plan;
        for source in &plan.pieces[player] {
            let place =
                |(part, stride): &(u16, u32)| u32::from(self.digits[usize::from(*part)]) * stride;
            let place = source.parts.iter().map(place).sum::<u32>() as usize;
            let steps = source.first[place]..source.first[place + 1];
            if steps.is_empty() || !self.passes(&source.guards)? {
                continue;
            }
            for step in steps {
                let made = &plan.steps[step as usize];
                let words = self
                    .machine
                    .words
                    .iter_mut()
                    .zip(self.words.iter().zip(&made.flips));
                words.for_each(|(to, (from, flips))| *to = from ^ flips);
                // Most steps change no bit that an ending depends on, and cannot end the game.
                let ending = if made.tested == 0 {
                    None
                } else {
                    self.tested_ending(made.tested)?
                };
                let numbers = self.numbers.iter().zip(&made.rise);
                let key = numbers.fold(u64::MAX, |key, (number, rise)| {
                    key.min(number.wrapping_add(*rise))
                });
                visit(MoveTarget {
                    step,
                    key,
                    ending,
                    kind: made.kind,
                });
            }
        }
        Ok(())
    }

    /// Makes a step.
    pub fn make(&mut self, step: u32) {
        let made = &self.plan.steps[step as usize];
        for (part, _, to) in &made.digits {
            self.digits[usize::from(*part)] = *to;
        }
        for (number, rise) in self.numbers.iter_mut().zip(&made.rise) {
            *number = number.wrapping_add(*rise);
        }
        self.flip(&made.flips);
        self.path.push(step);
    }

    fn flip(&mut self, flips: &[u64]) {
        for (word, flips) in self.words.iter_mut().zip(flips) {
            *word ^= flips;
        }
    }

    /// Takes the last step back, if there is one.
    pub fn unmake(&mut self) {
        let Some(step) = self.path.pop() else { return };
        let made = &self.plan.steps[step as usize];
        for (part, from, _) in &made.digits {
            self.digits[usize::from(*part)] = *from;
        }
        for (number, rise) in self.numbers.iter_mut().zip(&made.rise) {
            *number = number.wrapping_sub(*rise);
        }
        self.flip(&made.flips);
    }

    /// Returns `true` if all of some conditions hold here.
    fn passes(&mut self, guards: &[Bool]) -> Result<bool> {
        for guard in guards {
            self.machine.words.copy_from_slice(&self.words);
            let plan = self.plan;
            let holds = guard.run(&mut self.machine);
            if !holds.map_err(|fault| {
                plan.ruleset
                    .diagnostic(fault, &State(self.words.clone()), None)
            })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the first ending among those given as bits whose condition holds at the state that
    /// the machine is on.
    fn tested_ending(&mut self, tested: u64) -> Result<Option<Ending>> {
        for (place, (condition, ending)) in self.plan.endings.iter().enumerate() {
            if tested >> place.min(TOLD_APART) & 1 == 0 {
                continue;
            }
            let holds = condition.run(&mut self.machine);
            let at = || State(self.machine.words.clone());
            if holds.map_err(|fault| self.plan.ruleset.diagnostic(fault, &at(), None))? {
                return Ok(Some(*ending));
            }
        }
        Ok(None)
    }
}
