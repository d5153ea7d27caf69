//! Which positions of a row have ended, and rows that have ended as wholes.
//!
//! Most rows of a large table have ended: a line in the digits outside ends all that is inside.
//! Such a row has neither work nor room of its own; what is left of it is the ending that a move to
//! it leads to. That need not be the same ending at all its positions: where Bob has a line
//! outside, Alice has one at those contents that hold one for her. But such a position cannot be
//! reached from one that has not ended by a move of Bob's, as Alice's line was there before. In
//! general: let a player step from a position P that has not ended to Q by a move that changes one
//! digit outside the row. A condition whose tables have the same key before and after every such
//! step of that player (the player cannot *bring it about*) holds at Q only if it holds at P, where
//! none does. So at Q the first condition decides that holds among those that the player can bring
//! about, and positions of the row at which one of the others holds are not moved to so.
//!
//! Where moves have guards they may change several digits and the row; then every condition counts
//! as one that both players bring about.

use super::shape::SweepShape;
use super::walk::{RowWalk, Strides};
use crate::game::ruleset::{Condition, Indexed};
use crate::player::{Ending, Player};

/// The endings, as they are numbered here.
pub const ENDINGS: [Ending; 3] = [
    Ending::Win(Player::Alice),
    Ending::Win(Player::Bob),
    Ending::Draw,
];

/// The number of an ending.
pub fn number(ending: Ending) -> usize {
    ENDINGS
        .iter()
        .position(|other| *other == ending)
        .expect("all are listed")
}

/// What is stored of a row: the number of its values among those of its block, or how it ended.
///
/// A row that has ended is one of the greatest numbers, made of the ending to which a move of the
/// seeker's leads and that to which a move of the opponent's leads.
pub type Rank = u32;

/// The least of the numbers that stand for endings.
const ENDED: Rank = Rank::MAX - 15;

/// What a move leads to that nobody makes.
const NEVER: usize = 3;

/// A row of which it has not been found out yet.
pub const UNKNOWN: Rank = ENDED - 1;

/// The most rows that a block can store.
pub const MOST_RANKS: usize = UNKNOWN as usize;

/// A row that has ended, by the endings of the sides.
fn ended([seeker, opponent]: [usize; 2]) -> Rank {
    ENDED + (4 * seeker + opponent) as Rank
}

/// How a row ended for a move of a side; `None` if it is stored.
#[inline(always)]
pub fn ending_for(side: usize, rank: Rank) -> Option<usize> {
    let code = rank.checked_sub(ENDED)?;
    Some((code >> (2 - 2 * side) & 3) as usize % NEVER)
}

/// Whether values are stored.
#[inline(always)]
pub fn is_stored(rank: Rank) -> bool {
    rank < ENDED
}

/// The code of a row in a byte, for the disk: 16 where it is stored.
pub fn code(rank: Rank) -> u8 {
    rank.checked_sub(ENDED).map_or(16, |code| code as u8)
}

/// The ranks of rows that have these codes; `None` if there are no such codes.
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
            17.. => return None,
        }
    }
    Some(next as usize)
}

/// The conditions that end the game.
pub struct EndingConditions<'a> {
    indexed: &'a Indexed,
    /// In their order.
    cases: Vec<Case<'a>>,
    /// By digit outside the row: the conditions of which more is known when it is known than
    /// before.
    told: Vec<Vec<DigitTest>>,
    /// By table: the last digit on which it depends.
    last_digits: Vec<Option<usize>>,
    /// Where rows lead in the tables.
    pub strides: Strides,
    /// All contents of the row, as bits.
    pub everything: Vec<u64>,
}

/// A condition with the ending that it brings.
struct Case<'a> {
    condition: &'a Condition,
    /// The number of the ending.
    ending: usize,
    /// The tables of which one must hold, if that is all there is to it, which is most common.
    any_of: Option<Vec<usize>>,
    /// By side: whether a step of that side can bring it about.
    brought_about: [bool; 2],
}

/// A condition of which a digit tells more.
struct DigitTest {
    case: usize,
    /// The tables that are decided with this digit, where it is enough that one holds.
    any_of: Option<Vec<usize>>,
}

/// Which contents of a row have ended how, 64 at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndingWord {
    /// By ending.
    pub ended: [u64; 3],
    /// Those that have not ended.
    pub open: u64,
}

impl<'a> EndingConditions<'a> {
    /// The conditions of a game; the seeker is the first side.
    pub fn new(indexed: &'a Indexed, shape: &SweepShape, seeker: Player) -> Self {
        let numbering = &indexed.numbering;
        let contents = numbering.row_len();
        let everything = (0..contents.div_ceil(64)).map(|word| match contents - 64 * word {
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

    /// Which of 64 contents of a row have ended.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn word(&self, walk: &RowWalk<'_>, word: usize) -> EndingWord {
        let mut found = EndingWord {
            ended: [0; 3],
            open: self.everything[word],
        };
        // The first condition that holds decides, as in the lines of the ruleset: so those after it
        // see only what is still open.
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

    /// For which of 64 contents of the row a condition holds.
    #[inline]
    pub fn holds(&self, condition: &Condition, keys: &[u32], word: usize) -> u64 {
        holds(self.indexed, condition, keys, word)
    }

    /// How all rows have ended that agree in the digits up to this one, if it tells that of them
    /// all. What the digits before it tell has been looked at.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn ended_at(&self, walk: &RowWalk<'_>, digit: usize) -> Option<Rank> {
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

    /// How the rows have ended that differ in the last digit only, as far as it tells that; the
    /// others are left as they are. The walk is at any of them.
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

    /// How a row ended of which it is known that a condition holds, if it does not matter which
    /// others hold.
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
                return None;
            }
            *ending = first;
        }
        Some(ended(endings))
    }

    /// Whether a case holds for every row that agrees in the digits up to this one, if that is
    /// known, given where those lead in each table.
    fn known(&self, case: usize, digit: usize, key: impl Fn(usize) -> u32) -> Option<bool> {
        self.cases[case].condition.decided(&|table| {
            let is_decided = self.last_digits[*table].is_none_or(|last| last <= digit);
            is_decided.then(|| self.indexed.tables[*table].holds(key(*table), 0) & 1 != 0)
        })
    }

    /// How a row ended; `None` if some of its positions have not, or its values must be stored as
    /// moves lead to several endings.
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
                    if *ending != NEVER && *ending != number {
                        return None;
                    }
                    *ending = number;
                }
            }
        }
        Some(ended(endings))
    }

    /// By ending: the contents at which a move of a side may lead to it, of a row that has ended.
    fn reached(&self, walk: &RowWalk<'_>, side: usize, word: usize) -> [u64; 3] {
        let (keys, mut found, mut left) = (walk.keys(), [0; 3], self.everything[word]);
        let cases = |brought: bool| {
            self.cases
                .iter()
                .filter(move |case| case.brought_about[side] == brought)
        };
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

/// The conditions of which a digit tells more: what digits tell that number blocks is looked at
/// with the first one after them.
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

/// The tables of which one must hold.
fn any_of(condition: &Condition) -> Option<Vec<usize>> {
    condition
        .any_of()
        .map(|tables| tables.into_iter().copied().collect())
}

/// Whether a player's steps outside the row can change the truth of a condition.
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

/// For which of 64 contents of the row a condition holds, given where the digits lead in each
/// table.
#[inline]
fn holds(indexed: &Indexed, condition: &Condition, keys: &[u32], word: usize) -> u64 {
    condition.word(&|table| indexed.tables[*table].holds(keys[*table], word))
}

/// The ending of a position, given its digits, the row's content last; `None` if it has not ended.
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
