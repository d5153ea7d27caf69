//! The positions of a row that have ended, and rows that have ended as a whole.
//!
//! Most rows of a large table have ended: a line in the digits outside the row ends all positions
//! in it. Such a row takes neither work nor space; only the ending to which a move to it leads is
//! kept. That need not be the same ending at all its positions: if Bob has a line outside, Alice
//! may have one at those contents that complete a line for her. But such a position cannot be
//! reached from one that has not ended by a move of Bob's, because Alice's line was there before.
//! In general, let a player step from a position P that has not ended to Q by a move that changes
//! one digit outside the row. A condition whose tables have the same key before and after every
//! such step of that player (the player cannot *bring it about*) holds at Q only if it holds at P,
//! where none does. So at Q the first condition that holds among those that the player can bring
//! about decides, and the player never moves in this way to positions of the row at which one of
//! the others holds.
//!
//! Moves with guards may change several digits and the row; if there are any, every condition
//! counts as one that both players bring about.

use super::shape::SweepShape;
use super::walk::{RowWalk, Strides};
use crate::convert::fit;
use crate::game::ruleset::{Condition, Indexed};
use crate::player::{Ending, Player};

/// The endings, in the order of their numbers here.
pub const ENDINGS: [Ending; 3] = [
    Ending::Win(Player::Alice),
    Ending::Win(Player::Bob),
    Ending::Draw,
];

/// Returns the number of an ending.
pub fn number(ending: Ending) -> usize {
    ENDINGS
        .iter()
        .position(|other| *other == ending)
        .expect("all are listed")
}

/// The data stored for a row: the number of its values among those of its block, or the way in
/// which it ended.
///
/// A row that has ended has one of the greatest numbers, made of the ending to which a move of the
/// seeker's leads and that to which a move of the opponent's leads.
pub type Rank = u32;

/// The least of the numbers that stand for endings.
const ENDED: Rank = Rank::MAX - 15;

/// The code for the result of a move that no player makes.
const NEVER: usize = 3;

/// The rank of a row that has not been determined yet.
pub const UNKNOWN: Rank = ENDED - 1;

/// The greatest number of rows that a block can store.
pub const MOST_RANKS: usize = UNKNOWN as usize;

/// Returns the rank of a row that has ended, from the endings for the sides.
fn ended([seeker, opponent]: [usize; 2]) -> Rank {
    ENDED + fit::<Rank>(4 * seeker + opponent)
}

/// Returns the ending of a row for a move of a side; `None` if the row is stored.
#[inline(always)]
pub fn ending_for(side: usize, rank: Rank) -> Option<usize> {
    let code = rank.checked_sub(ENDED)?;
    // The code for a move that nobody makes becomes an arbitrary ending, since it is never used.
    Some((code >> (2 - 2 * side) & 3) as usize % NEVER)
}

/// Returns whether the values of a row are stored.
#[inline(always)]
pub fn is_stored(rank: Rank) -> bool {
    rank < ENDED
}

/// Returns the code of a row in a byte, for the disk; 16 stands for a stored row.
pub fn code(rank: Rank) -> u8 {
    rank.checked_sub(ENDED).map_or(16, |code| fit::<u8>(code))
}

/// Converts codes to ranks and returns the number of stored rows; `None` if there is an invalid
/// code.
pub fn ranks(codes: &[u8], ranks: &mut Vec<Rank>) -> Option<usize> {
    let mut next = 0;
    ranks.clear();
    for code in codes {
        match code {
            0..16 => ranks.push(ENDED + Rank::from(*code)),
            16 => {
                ranks.push(next);
                next += 1;
            }
            // The code was read from a disk, so it may be damaged.
            17.. => return None,
        }
    }
    Some(next as usize)
}

/// The conditions that end the game.
pub struct EndingConditions<'a> {
    indexed: &'a Indexed,
    /// The conditions, in their order.
    cases: Vec<Case<'a>>,
    /// The conditions to examine at each digit outside the row: those with a table that the digits
    /// up to this one decide, and the digits before it do not.
    told: Vec<Vec<DigitTest>>,
    /// The last digit on which each table depends.
    last_digits: Vec<Option<usize>>,
    /// The strides of the tables.
    pub strides: Strides,
    /// All contents of the row, as bits.
    pub everything: Vec<u64>,
}

/// A condition with its ending.
struct Case<'a> {
    condition: &'a Condition,
    /// The number of the ending.
    ending: usize,
    /// The tables of which one must hold, if the condition has this form, which is the most common.
    any_of: Option<Vec<usize>>,
    /// `true` for each side whose steps can bring the condition about.
    brought_about: [bool; 2],
}

/// A condition to examine at a digit.
struct DigitTest {
    case: usize,
    /// The tables that are decided by this digit, if it is enough that one holds.
    any_of: Option<Vec<usize>>,
}

/// The endings of 64 contents of a row.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndingWord {
    /// The contents that have ended, by ending.
    pub ended: [u64; 3],
    /// The contents that have not ended.
    pub open: u64,
}

impl<'a> EndingConditions<'a> {
    /// Creates the conditions of a game; the seeker is the first side.
    pub fn new(indexed: &'a Indexed, shape: &SweepShape, seeker: Player) -> Self {
        let numbering = &indexed.numbering;
        let contents = numbering.row_len();
        let everything = (0..contents.div_ceil(64)).map(|word| match contents - 64 * word {
            // Bits beyond the last content stay 0, so they never count as open.
            left @ 0..64 => (1 << left) - 1,
            64.. => u64::MAX,
        });
        let last_digits: Vec<Option<usize>> = indexed
            .tables
            .iter()
            .map(|table| table.last_digit())
            .collect();
        let is_guarded = Player::BOTH
            .iter()
            // A guarded move may change digits and the row at once, so nothing is excluded for
            // either player.
            .any(|player| !numbering.guarded_moves[*player].is_empty());
        let may_change =
            |condition: &Condition, side: Player| is_guarded || changes(indexed, condition, side);
        let sides = [seeker, seeker.other()];
        let case = |(condition, ending): &'a (Condition, Ending)| Case {
            condition,
            ending: number(*ending),
            any_of: any_of(condition),
            brought_about: sides.map(|side| may_change(condition, side)),
        };
        Self {
            indexed,
            cases: indexed.endings.iter().map(case).collect(),
            told: (0..numbering.digits.len())
                .map(|digit| told(indexed, &last_digits, shape.prefix(), digit))
                .collect(),
            last_digits,
            strides: Strides::new(indexed),
            everything: everything.collect(),
        }
    }

    /// Returns the endings of 64 contents of a row.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn word(&self, walk: &RowWalk<'_>, word: usize) -> EndingWord {
        let mut found = EndingWord {
            ended: [0; 3],
            open: self.everything[word],
        };
        // The first condition that holds decides, as in the lines of the ruleset, so later
        // conditions are only applied to open contents.
        let keys = walk.keys();
        for case in &self.cases {
            let holds = match &case.any_of {
                Some(tables) => {
                    let holds =
                        |table: &usize| self.indexed.tables[*table].holds(keys[*table], word);
                    tables.iter().fold(0, |any, table| any | holds(table))
                }
                None => self.holds(case.condition, keys, word),
            };
            let holds = found.open & holds;
            found.ended[case.ending] |= holds;
            found.open &= !holds;
        }
        found
    }

    /// Returns for which of 64 contents of the row a condition holds.
    #[inline]
    pub fn holds(&self, condition: &Condition, keys: &[u32], word: usize) -> u64 {
        holds(self.indexed, condition, keys, word)
    }

    /// Returns the rank of all rows that agree in the digits up to this one, if this digit
    /// determines it for all of them. The digits before it have been examined already.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn ended_at(&self, walk: &RowWalk<'_>, digit: usize) -> Option<Rank> {
        // Only tables that the digits so far decide are read, and their keys are complete.
        let keys = walk.keys_after(digit + 1);
        let holds = |told: &&DigitTest| match &told.any_of {
            Some(tables) => tables
                .iter()
                .any(|table| self.indexed.tables[*table].holds(keys[*table], 0) & 1 != 0),
            None => self.known(told.case, digit, |table| keys[table]) == Some(true),
        };
        self.told[digit]
            .iter()
            .filter(holds)
            .find_map(|told| self.ended_by(told.case))
    }

    /// Sets the ranks of the rows that differ only in the last digit, as far as that digit
    /// determines them; the others are left as they are. The walk is at any of these rows.
    pub fn ended_in(&self, walk: &RowWalk<'_>, ranks: &mut [Rank]) {
        let Some((told, last)) = self.told.last().zip(walk.digits.len().checked_sub(1)) else {
            return;
        };
        let keys = walk.keys_after(last);
        let strides = |table: usize| &self.indexed.tables[table].strides[last];
        for (told, rank) in told
            .iter()
            .filter_map(|told| Some((told, self.ended_by(told.case)?)))
        {
            let note = |ended: &mut Rank, holds: bool| {
                // The first condition in the order of the ruleset decides, so an earlier rank is
                // kept.
                *ended = if holds && *ended == UNKNOWN {
                    rank
                } else {
                    *ended
                };
            };
            match &told.any_of {
                Some(tables) => {
                    for number in tables {
                        let (table, key) = (&self.indexed.tables[*number], keys[*number]);
                        let holds = |stride: &u32| table.holds(key + stride, 0) & 1 != 0;
                        ranks
                            .iter_mut()
                            .zip(strides(*number))
                            .for_each(|(ended, stride)| note(ended, holds(stride)));
                    }
                }
                None => {
                    for (content, ended) in ranks.iter_mut().enumerate() {
                        let known = self.known(told.case, last, |table| {
                            keys[table] + strides(table)[content]
                        });
                        note(ended, known == Some(true));
                    }
                }
            }
        }
    }

    /// Returns the rank of a row for which a condition is known to hold, if it does not matter
    /// which others hold.
    fn ended_by(&self, certain: usize) -> Option<Rank> {
        let mut endings = [NEVER; 2];
        let Case {
            ending: first,
            brought_about,
            ..
        } = self.cases[certain];
        for (side, ending) in endings
            .iter_mut()
            .enumerate()
            .filter(|(side, _)| brought_about[*side])
        {
            if self.cases[..certain]
                .iter()
                .any(|case| case.brought_about[side] && case.ending != first)
            {
                // An earlier condition with another ending may decide for some of the positions.
                return None;
            }
            *ending = first;
        }
        Some(ended(endings))
    }

    /// Returns whether a case holds for every row that agrees in the digits up to this one, if that
    /// is known, given the keys in each table.
    fn known(&self, case: usize, digit: usize, key: impl Fn(usize) -> u32) -> Option<bool> {
        self.cases[case].condition.decided(&|table| {
            let is_decided = self.last_digits[*table].is_none_or(|last| last <= digit);
            is_decided.then(|| self.indexed.tables[*table].holds(key(*table), 0) & 1 != 0)
        })
    }

    /// Returns the rank of a row that has ended. Returns `None` if some of its positions have not,
    /// or its values must be stored because moves lead to several endings.
    pub fn ended_row(&self, walk: &RowWalk<'_>) -> Option<Rank> {
        let words = 0..self.everything.len();
        // Most rows that have not ended show it in their last contents, which have the most moves
        // left.
        if words
            .clone()
            .rev()
            .any(|word| self.word(walk, word).open != 0)
        {
            return None;
        }
        let mut endings = [NEVER; 2];
        for (side, ending) in endings.iter_mut().enumerate() {
            for word in words.clone() {
                let found = self.reached(walk, side, word);
                for (number, _) in found
                    .iter()
                    .enumerate()
                    .filter(|(_, contents)| **contents != 0)
                {
                    // Moves of one side lead to different endings, which a single rank cannot
                    // represent.
                    if *ending != NEVER && *ending != number {
                        return None;
                    }
                    *ending = number;
                }
            }
        }
        Some(ended(endings))
    }

    /// Returns the contents at which a move of a side may lead to each ending, in a row that has
    /// ended.
    fn reached(&self, walk: &RowWalk<'_>, side: usize, word: usize) -> [u64; 3] {
        let (keys, mut found, mut left) = (walk.keys(), [0; 3], self.everything[word]);
        let cases = |brought: bool| {
            self.cases
                .iter()
                .filter(move |case| case.brought_about[side] == brought)
        };
        // At positions where such a condition holds the side's moves never arrive.
        for case in cases(false) {
            left &= !self.holds(case.condition, keys, word);
        }
        for case in cases(true) {
            let holds = left & self.holds(case.condition, keys, word);
            found[case.ending] |= holds;
            left &= !holds;
        }
        found
    }
}

/// Returns the conditions to examine at a digit. Tables that are decided by the digits that number
/// blocks are examined at the first digit after them.
fn told(
    indexed: &Indexed,
    last_digits: &[Option<usize>],
    prefix: usize,
    digit: usize,
) -> Vec<DigitTest> {
    let is_decided =
        |table: &usize| last_digits[*table].map_or(prefix, |last| last.max(prefix)) == digit;
    let told = |(number, (condition, _)): (usize, &(Condition, Ending))| {
        let tables: Vec<usize> = condition
            .atoms()
            .into_iter()
            .copied()
            .filter(is_decided)
            .collect();
        let any_of = condition.any_of().is_some();
        (!tables.is_empty()).then(|| DigitTest {
            case: number,
            any_of: any_of.then_some(tables),
        })
    };
    if digit < prefix {
        Vec::new()
    } else {
        indexed
            .endings
            .iter()
            .enumerate()
            .filter_map(told)
            .collect()
    }
}

/// Returns the tables of which one must hold.
fn any_of(condition: &Condition) -> Option<Vec<usize>> {
    condition
        .any_of()
        .map(|tables| tables.into_iter().copied().collect())
}

/// Returns whether a player's steps outside the row can change the truth of a condition.
fn changes(indexed: &Indexed, condition: &Condition, player: Player) -> bool {
    condition.atoms().into_iter().any(|table| {
        let digits = indexed
            .numbering
            .digits
            .iter()
            .zip(&indexed.tables[*table].strides);
        digits.into_iter().any(|(digit, strides)| {
            let steps = digit.steps[player].iter().enumerate();
            steps
                .into_iter()
                .any(|(from, to)| to.iter().any(|to| strides[from] != strides[*to as usize]))
        })
    })
}

/// Returns for which of 64 contents of the row a condition holds, given the keys in each table.
#[inline]
fn holds(indexed: &Indexed, condition: &Condition, keys: &[u32], word: usize) -> u64 {
    condition.word(&|table| indexed.tables[*table].holds(keys[*table], word))
}

/// Returns the ending of a position, given its digits, with the row's content last; `None` if it
/// has not ended.
pub fn ending_of(indexed: &Indexed, digits: &[usize]) -> Option<Ending> {
    let (content, outside) = digits.split_last().expect("the row is the last digit");
    let key = |table: &crate::game::ruleset::TruthTable| {
        table
            .strides
            .iter()
            .zip(outside)
            .map(|(strides, content)| strides[*content])
            .sum::<u32>()
    };
    let keys: Vec<u32> = indexed.tables.iter().map(key).collect();
    let holds = |condition: &Condition| {
        holds(indexed, condition, &keys, *content / 64) >> (*content % 64) & 1 != 0
    };
    indexed
        .endings
        .iter()
        .find(|(condition, _)| holds(condition))
        .map(|(_, ending)| *ending)
}
