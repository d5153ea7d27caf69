//! Going from position to position by changing digits: what a search from one position needs of
//! numbered positions.
//!
//! A position is the contents of the ruleset's parts, and its number is that of the contents in
//! mixed radix; so a move changes the number by what its parts contribute. The images of a position
//! under the declared symmetries have numbers too, which a move changes in the same way: the least
//! of all is the position's *key*, one number for all positions that are alike, and kept without
//! looking at the position.
//!
//! A condition that looks at nothing which a move changes is after the move what it was before. At
//! a position where the game has not ended none of the endings' conditions holds, so only those
//! have to be tested that look at a bit that the move changes.

use smallvec::SmallVec;

use super::lookout::{Lookout, OpenLines, Outlook};
use super::order;
use super::parts::{self, MovePiece, StatePart};
use super::reads::{BitSet, Reads};
use super::{Declined, set_aside_constants, stuck_endings, suited, symmetric};
use crate::diagnostic::Result;
use crate::game::ruleset::program::{Bool, Machine};
use crate::game::ruleset::{Ruleset, State};
use crate::player::{Ending, PerPlayer, Player};
use crate::watch::{Context, Stop};

/// So many endings are told apart by the moves that can bring them about; the others are tested
/// after every move.
const TOLD_APART: usize = 63;

/// What is known of a ruleset's moves as changes of digits.
#[derive(Debug)]
pub struct DigitSteps<'a> {
    ruleset: &'a Ruleset,
    parts: Vec<StatePart>,
    /// The bits that no move changes.
    base: (BitSet, State),
    /// By part and content: what it contributes to the numbers of the position and of its images.
    worth: Vec<Vec<ImageNumbers>>,
    pieces: PerPlayer<Vec<PieceMoves>>,
    steps: Vec<DigitChange>,
    endings: Vec<(Bool, Ending)>,
    stuck: PerPlayer<Option<Ending>>,
    lookout: Option<Lookout>,
}

/// The numbers of a position and of its images under the symmetries. They are sums modulo 2^64,
/// each less than 2^64 itself.
type ImageNumbers = SmallVec<[u64; 2]>;

/// The moves of one piece, by the contents of the parts that it touches.
#[derive(Debug)]
struct PieceMoves {
    /// The parts, with what a content counts for in the place.
    parts: SmallVec<[(u16, u32); 2]>,
    /// By place: the first of the steps, which end where those of the next place begin.
    first: Vec<u32>,
    guards: Vec<Bool>,
}

/// A change of digits.
#[derive(Debug)]
pub struct DigitChange {
    /// The parts, with their contents before and after.
    pub digits: SmallVec<[(u16, u16, u16); 2]>,
    /// What is exclusive to the state before or after.
    pub flips: SmallVec<[u64; 2]>,
    /// By how much the numbers rise, modulo 2^64.
    rise: ImageNumbers,
    /// The endings whose conditions look at what changes, as bits.
    pub tested: u64,
    /// The bits that change, as a number that two steps share if the same bits change.
    kind: u32,
    /// Whether it sets bits only.
    pub adds: bool,
}

/// Where a move leads.
#[derive(Debug, Clone, Copy)]
pub struct MoveTarget {
    /// Which step it is.
    pub step: u32,
    /// The key of the position.
    pub key: u64,
    /// How the game has ended there, if it has.
    pub ending: Option<Ending>,
    /// What kind of move it is: those that change the same bits are of one kind.
    pub kind: u32,
    /// Who can end the game there.
    pub outlook: Outlook,
    /// Who moves there without a bid, if it is somebody's turn.
    pub owner: Option<Player>,
}

impl Ruleset {
    /// The moves as changes of digits; `None` if the positions have no numbers of 64 bits.
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
        let (mut parts, mut pieces) = parts::take_apart(ruleset, context)?;
        let mut heights = order::sort(&mut parts, &mut pieces).ok_or(Declined::NotSuited)?;
        if !symmetric::is_proved(ruleset, &parts, &pieces, context)? {
            return Err(Declined::NotSuited);
        }
        let worth = worth(ruleset, &parts, context)?.ok_or(Declined::NotSuited)?;
        let kept = |(part, _): &(&StatePart, Vec<ImageNumbers>)| part.contents.len() > 1;
        let worth = parts
            .iter()
            .zip(worth)
            .filter(kept)
            .map(|(_, worth)| worth)
            .collect();
        let base = set_aside_constants(ruleset, &mut parts, &mut pieces, &mut heights);
        let mut endings = Vec::new();
        for line in &ruleset.endings {
            endings.extend(line.cases().ok_or(Declined::NotSuited)?);
        }
        let mut made = Self {
            ruleset,
            parts,
            base,
            worth,
            pieces: PerPlayer::default(),
            steps: Vec::new(),
            endings,
            stuck,
            lookout: None,
        };
        for piece in pieces.iter().filter(|piece| !piece.transitions.is_empty()) {
            let source = made.source(piece).ok_or(Declined::NotSuited)?;
            made.pieces[piece.player].push(source);
        }
        made.lookout = made.look_out();
        Ok(made)
    }

    /// The ruleset.
    pub(super) fn ruleset(&self) -> &'a Ruleset {
        self.ruleset
    }

    /// All steps of both players.
    pub(super) fn all_steps(&self) -> impl Iterator<Item = &DigitChange> {
        self.steps.iter()
    }

    /// What each part that moves change can contain.
    pub(super) fn contents(&self) -> impl Iterator<Item = impl Iterator<Item = &State>> {
        self.parts.iter().map(|part| part.contents.iter())
    }

    /// What is looked for before moves are made, if there is something.
    pub(super) fn lookout(&self) -> Option<&Lookout> {
        self.lookout.as_ref()
    }

    /// What is to be looked for before moves are made, if that can be seen.
    fn look_out(&self) -> Option<Lookout> {
        let sources = |player| self.pieces[player].iter();
        let is_plain = |source: &PieceMoves| source.guards.is_empty() && source.parts.len() == 1;
        if !Player::BOTH
            .into_iter()
            .all(|player| sources(player).all(is_plain))
        {
            return None;
        }
        let steps = PerPlayer::new(Player::Alice, Player::Bob).map(|player| -> Vec<&DigitChange> {
            let range = |source: &PieceMoves| {
                source.first[0] as usize..source.first[source.first.len() - 1] as usize
            };
            sources(player)
                .flat_map(|source| &self.steps[range(source)])
                .collect()
        });
        let contents: Vec<usize> = self.parts.iter().map(|part| part.contents.len()).collect();
        let ends_stuck = Player::BOTH
            .into_iter()
            .any(|player| self.stuck[player].is_some());
        let lookout = Lookout::new(&self.endings, steps, &contents)?;
        let lookout = if ends_stuck {
            lookout.with_stuck_ends()
        } else {
            lookout
        };
        Some(if self.ruleset.has_turns() {
            lookout.with_turns()
        } else {
            lookout
        })
    }

    /// A piece with its steps, which are added to the others; `None` if there are too many.
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
        sorted.sort_by_key(|(place, ..)| *place);
        let mut first = vec![0; count as usize + 1];
        for (place, from, to) in sorted {
            first[place as usize + 1] += 1;
            let step = self.step(&piece.parts, from, to)?;
            self.steps.push(step);
        }
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
            SmallVec::from_elem(0, 1 + self.ruleset.symmetry.images().len());
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

    /// A walker at a position; `None` if the position is not among those numbered.
    pub fn stepper(&self, state: &State) -> Option<Stepper<'_>> {
        if self.base.0.of(state) != self.base.1 {
            return None;
        }
        let content = |part: &StatePart| {
            part.contents
                .get_index_of(&part.mask.of(state))
                .map(|content| content as u16)
        };
        let digits: Vec<u16> = self.parts.iter().map(content).collect::<Option<_>>()?;
        let mut numbers: ImageNumbers =
            SmallVec::from_elem(0, 1 + self.ruleset.symmetry.images().len());
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
            standing: None,
        })
    }
}

/// What each part's contents contribute to the numbers of a position and its images; `None` if the
/// numbers exceed 64 bits, or a symmetry does not take parts to parts.
fn worth(
    ruleset: &Ruleset,
    parts: &[StatePart],
    context: &Context<'_>,
) -> std::result::Result<Option<Vec<Vec<ImageNumbers>>>, Stop> {
    let mut strides = vec![0_u64; parts.len()];
    let mut count = 1_u128;
    for (stride, part) in strides.iter_mut().zip(parts).rev() {
        let Ok(fits) = u64::try_from(count) else {
            return Ok(None);
        };
        *stride = fits;
        count *= part.contents.len() as u128;
    }
    if count > 1 << 64 {
        return Ok(None);
    }
    let plain = |(part, stride): (&StatePart, &u64)| {
        (0..part.contents.len() as u64)
            .map(|content| SmallVec::from_elem(content * stride, 1))
            .collect()
    };
    let mut worth: Vec<Vec<ImageNumbers>> = parts.iter().zip(&strides).map(plain).collect();
    for image in ruleset.symmetry.images() {
        let Some(contents) = symmetric::contents_under(ruleset, parts, image, context)? else {
            return Ok(None);
        };
        for (part, (place, contents)) in contents.into_iter().enumerate() {
            for (numbers, content) in worth[part].iter_mut().zip(contents) {
                numbers.push(u64::from(content) * strides[place]);
            }
        }
    }
    Ok(Some(worth))
}

fn add(numbers: &mut ImageNumbers, more: &ImageNumbers) {
    numbers
        .iter_mut()
        .zip(more)
        .for_each(|(number, more)| *number = number.wrapping_add(*more));
}

/// A position, from which moves are made and taken back.
#[derive(Debug, Clone)]
pub struct Stepper<'p> {
    plan: &'p DigitSteps<'p>,
    digits: Vec<u16>,
    words: SmallVec<[u64; 2]>,
    numbers: ImageNumbers,
    machine: Machine,
    /// The steps that were made.
    path: Vec<u32>,
    /// What can be seen from here, once that has been looked at.
    standing: Option<OpenLines>,
}

impl Stepper<'_> {
    /// One number for all positions that are alike.
    pub fn key(&self) -> u64 {
        self.numbers.iter().copied().fold(u64::MAX, u64::min)
    }

    /// How the game has ended here, if it has.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn ending(&mut self) -> Result<Option<Ending>> {
        self.machine.words.copy_from_slice(&self.words);
        self.tested_ending(u64::MAX)
    }

    /// Who moves here without a bid, if it is somebody's turn.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    pub fn owner(&mut self) -> Result<Option<Player>> {
        if !self.plan.ruleset.has_turns() {
            return Ok(None);
        }
        self.machine.words.copy_from_slice(&self.words);
        let state = State(self.words.clone());
        self.plan.ruleset.owner_on(&mut self.machine, &state)
    }

    /// How the game ends for a player who is to move here and cannot; without, the opponent moves.
    pub fn stuck(&self, player: Player) -> Option<Ending> {
        self.plan.stuck[player]
    }

    /// Calls `visit` with what a player can move to from here, where the game has not ended.
    ///
    /// # Errors
    /// If a move cannot be evaluated.
    pub fn moves(&mut self, player: Player, visit: &mut impl FnMut(MoveTarget)) -> Result<()> {
        let plan = self.plan;
        let lookout = plan
            .lookout
            .as_ref()
            .map(|lookout| (lookout, self.standing(lookout)));
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
                let ending = if made.tested == 0 {
                    None
                } else {
                    self.tested_ending(made.tested)?
                };
                let numbers = self.numbers.iter().zip(&made.rise);
                let key = numbers.fold(u64::MAX, |key, (number, rise)| {
                    key.min(number.wrapping_add(*rise))
                });
                let (mut outlook, mut owner) = (Outlook::default(), None);
                if let (Some((lookout, standing)), None) = (&lookout, ending) {
                    outlook = lookout.after(standing, player, made, &self.machine.words);
                    if plan.ruleset.has_turns() {
                        let state = State(self.machine.words.clone());
                        owner = plan.ruleset.owner_on(&mut self.machine, &state)?;
                    }
                }
                visit(MoveTarget {
                    step,
                    key,
                    ending,
                    kind: made.kind,
                    outlook,
                    owner,
                });
            }
        }
        Ok(())
    }

    /// What can be seen from here; both players' moves are looked at with the same.
    fn standing(&mut self, lookout: &Lookout) -> OpenLines {
        *self
            .standing
            .get_or_insert_with(|| lookout.standing(&self.digits, &self.words))
    }

    /// Goes where a step leads.
    pub fn make(&mut self, step: u32) {
        self.standing = None;
        let made = &self.plan.steps[step as usize];
        made.digits
            .iter()
            .for_each(|(part, _, to)| self.digits[usize::from(*part)] = *to);
        self.words
            .iter_mut()
            .zip(&made.flips)
            .for_each(|(word, flips)| *word ^= flips);
        self.numbers
            .iter_mut()
            .zip(&made.rise)
            .for_each(|(number, rise)| *number = number.wrapping_add(*rise));
        self.path.push(step);
    }

    /// Takes the last step back, if there is one.
    pub fn unmake(&mut self) {
        let Some(step) = self.path.pop() else { return };
        self.standing = None;
        let made = &self.plan.steps[step as usize];
        made.digits
            .iter()
            .for_each(|(part, from, _)| self.digits[usize::from(*part)] = *from);
        self.words
            .iter_mut()
            .zip(&made.flips)
            .for_each(|(word, flips)| *word ^= flips);
        self.numbers
            .iter_mut()
            .zip(&made.rise)
            .for_each(|(number, rise)| *number = number.wrapping_sub(*rise));
    }

    /// Whether all of some conditions hold here.
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

    /// The first of some endings whose condition holds at the state that the machine is on.
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
