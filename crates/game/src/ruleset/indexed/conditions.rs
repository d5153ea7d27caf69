//! Tables of conditions on the position, indexed by the distinctions that each condition depends
//! on.
//!
//! A condition depends on few of the distinctions between contents: whether Alice has a line does
//! not depend on the places of Bob's pieces. For each part the contents that a condition cannot
//! distinguish form a *class*; a table contains, for each combination of classes outside the row,
//! the row's contents for which the condition holds, as bits.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Declined;
use super::additive::Additive;
use super::parts::{StatePart, put};
use super::reads::{BitSet, Reads, has_cell, open_bits};
use crate::convert::fit;
use crate::ruleset::formula::Formula;
use crate::ruleset::program::{Bool, Plane};
use crate::ruleset::{Ruleset, State};
use crate::watch::{Asking, Context};

/// The number of combinations tested between two checks.
const CHECK_EVERY: usize = 1 << 12;

/// The number of combinations up to which a condition becomes one table, even if its parts would
/// have smaller ones.
const SMALL: usize = 1 << 17;

/// A formula over tables, given by their indices.
pub type Condition = Formula<usize>;

/// A table of the row's contents for which something holds, for each combination of classes outside
/// the row.
#[derive(Debug)]
pub struct TruthTable {
    /// For each digit and content, the offset that it adds to the index into `bits`.
    pub strides: Vec<Vec<u32>>,
    /// The bits, read by [`Self::holds`].
    pub bits: Vec<u64>,
    /// `true` if there is one bit for each combination, as the row's content makes no difference;
    /// else there are as many words for each as a row's contents need.
    is_whole: bool,
}

impl TruthTable {
    /// Returns, as bits, for which of 64 contents of the row the condition holds, given the sum of
    /// the strides.
    #[inline(always)]
    pub fn holds(&self, key: u32, word: usize) -> u64 {
        let key = key as usize;
        if self.is_whole {
            // Negation spreads the single bit over all 64 contents.
            (self.bits[key / 64] >> (key % 64) & 1).wrapping_neg()
        } else {
            self.bits[key + word]
        }
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&*self.bits)
            + self
                .strides
                .iter()
                .map(|strides| size_of_val(&**strides))
                .sum::<usize>()) as u64
    }

    /// Returns the last digit on which the table depends; `None` if it depends on none,
    /// [`usize::MAX`] if it depends on the row.
    pub fn last_digit(&self) -> Option<usize> {
        if !self.is_whole {
            return Some(usize::MAX);
        }
        self.strides
            .iter()
            .rposition(|strides| strides.iter().any(|stride| *stride != strides[0]))
    }
}

/// The extent to which tables are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// With their contents.
    Filled,
    /// Only their sizes, to know that they are not too large.
    Sizes,
}

/// Builds the tables of a ruleset's conditions.
pub struct Tabulator<'a> {
    pub ruleset: &'a Ruleset,
    /// The bits that no move changes.
    pub base: &'a State,
    /// The parts outside the row, and the row as one part.
    pub digits: &'a [StatePart],
    pub row: &'a StatePart,
    pub tables: Vec<TruthTable>,
    extent: Extent,
    /// The conditions tabulated before.
    known: FxHashMap<Bool, Condition>,
    /// The number of combinations that may still be tested.
    budget: usize,
    pub asking: Asking<'a>,
}

/// The classes of a part's contents that a condition cannot distinguish.
pub struct ContentClasses {
    /// The class of each content.
    pub of: Vec<usize>,
    /// One content of each class.
    pub examples: Vec<usize>,
}

impl ContentClasses {
    pub fn new(part: &StatePart, reads: &Reads) -> Self {
        let planes: Vec<(&Plane, Vec<usize>)> = reads
            .planes
            .iter()
            .map(|plane| (plane, cells(plane, part)))
            .collect();
        let look = |content: &State| {
            let single = reads.single.of(content);
            let cells = planes.iter().flat_map(|(plane, cells)| {
                cells.iter().map(|cell| has_cell(plane, *cell, content))
            });
            (single, cells.collect::<Vec<bool>>())
        };
        let mut known = IndexMap::<_, usize, FxBuildHasher>::default();
        let mut of = Vec::new();
        for (number, content) in part.contents.iter().enumerate() {
            let entry = known.entry(look(content));
            of.push(entry.index());
            entry.or_insert(number);
        }
        Self {
            of,
            examples: known.into_values().collect(),
        }
    }
}

/// Returns the number of words with a bit for each content of a row.
pub fn words(row: &ContentClasses) -> usize {
    row.of.len().div_ceil(64)
}

/// Returns the cells of a plane that a part determines.
pub fn cells(plane: &Plane, part: &StatePart) -> Vec<usize> {
    let mut cells = Vec::new();
    open_bits(plane, &mut |cell, bit| {
        let mut single = BitSet::none(part.mask.0.0.len());
        single.add(bit);
        if single.meets(&part.mask) {
            cells.push(cell);
        }
    });
    cells.sort_unstable();
    cells.dedup();
    cells
}

impl<'a> Tabulator<'a> {
    /// Creates a tabulator for the parts of a position that can change, the row last.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn new(
        ruleset: &'a Ruleset,
        base: &'a State,
        parts: &'a [StatePart],
        extent: Extent,
        context: &'a Context<'a>,
    ) -> Result<Self, Declined> {
        let (row, digits) = parts.split_last().ok_or(Declined::NotSuited)?;
        let positions = digits.iter().fold(row.contents.len(), |all, part| {
            all.saturating_mul(part.contents.len())
        });
        // Tabulating should not take much longer than looking at every position once.
        let budget = positions.saturating_mul(2).saturating_add(SMALL);
        let (tables, known) = (Vec::new(), FxHashMap::default());
        Ok(Self {
            ruleset,
            base,
            digits,
            row,
            tables,
            extent,
            known,
            budget,
            asking: Asking::every(CHECK_EVERY, context),
        })
    }

    /// Tabulates a condition of the ruleset.
    ///
    /// # Errors
    /// If the condition has no value somewhere, the tables would be too large, or the work is
    /// stopped.
    pub fn condition(&mut self, condition: &Bool) -> Result<Condition, Declined> {
        if let Bool::Constant(truth) = condition {
            return Ok(Condition::Constant(*truth));
        }
        // Rulesets repeat conditions, for example in the guards of similar moves.
        if let Some(known) = self.known.get(condition) {
            return Ok(known.clone());
        }
        let made = self.make(condition)?;
        self.known.insert(condition.clone(), made.clone());
        Ok(made)
    }

    fn all(&mut self, conditions: &[Bool]) -> Result<Vec<Condition>, Declined> {
        conditions.iter().map(|one| self.condition(one)).collect()
    }

    fn make(&mut self, condition: &Bool) -> Result<Condition, Declined> {
        let reads = Reads::of_truth(condition, self.base.0.len());
        let classes: Vec<ContentClasses> = self
            .digits
            .iter()
            .map(|part| ContentClasses::new(part, &reads))
            .collect();
        let row = ContentClasses::new(self.row, &reads);
        let keys = classes.iter().try_fold(1_usize, |keys, classes| {
            keys.checked_mul(classes.examples.len())
        });
        let keys = keys.ok_or(Declined::NotSuited)?;
        let combinations = keys.saturating_mul(row.examples.len());
        if combinations > SMALL {
            // A sum has far fewer values than there are combinations of its terms.
            if let Some(made) = self.additive(condition) {
                return Ok(made);
            }
            if let Some(parts) = self.lines_by_parts(condition) {
                return Ok(Condition::Any(self.all(&parts)?));
            }
            match condition {
                Bool::Not(inner) => return Ok(Condition::Not(Box::new(self.condition(inner)?))),
                Bool::All(parts) => return Ok(Condition::All(self.all(parts)?)),
                Bool::Any(parts) => return Ok(Condition::Any(self.all(parts)?)),
                _ => {}
            }
        }
        self.budget = self
            .budget
            .checked_sub(combinations)
            .ok_or(Declined::NotSuited)?;
        // Keys and strides are kept in 32 bits.
        u32::try_from(keys.saturating_mul(words(&row))).map_err(|_| Declined::NotSuited)?;
        match self.extent {
            Extent::Filled => match self.lines(condition, &classes, &row) {
                Some(lines) => self.tabulate_lines(&lines, &classes, &row, keys),
                None => self.tabulate(condition, &classes, &row, keys),
            },
            // Only the sizes are wanted, so the value does not matter.
            Extent::Sizes => Ok(Condition::Constant(false)),
        }
    }

    /// Tabulates a condition on a sum, by the sum of the terms of the parts outside the row.
    /// Returns `None` if it is no such condition, or the sum has too many values.
    fn additive(&mut self, condition: &Bool) -> Option<Condition> {
        let parts: Vec<&StatePart> = self.digits.iter().chain([self.row]).collect();
        let additive = Additive::of(condition, self.ruleset, self.base, &parts)?;
        let (row, digits) = additive.worth.split_last()?;
        let words = row.len().div_ceil(64);
        let is_whole = false;
        let least: Vec<i64> = digits
            .iter()
            .map(|worth| worth.iter().min().copied().unwrap_or(0))
            .collect();
        let most: i64 = digits
            .iter()
            .map(|worth| worth.iter().max().copied().unwrap_or(0))
            .sum();
        let lowest: i64 = least.iter().sum();
        // The table has an entry for every sum between the bounds.
        if most - lowest >= fit::<i64>(SMALL) {
            return None;
        }
        let mut bits = Vec::new();
        for sum in lowest..=most {
            let first = bits.len();
            bits.resize(first + words, 0_u64);
            let holds = row
                .iter()
                .enumerate()
                .filter(|(_, worth)| additive.holds(sum + **worth));
            holds.for_each(|(content, _)| bits[first + content / 64] |= 1 << (content % 64));
        }
        let place = |worth: &i64, least: i64| fit::<u32>(worth - least) * fit::<u32>(words);
        let strides = digits
            .iter()
            .zip(&least)
            .map(|(worth, least)| worth.iter().map(|worth| place(worth, *least)).collect());
        self.tables.push(TruthTable {
            strides: strides.collect(),
            bits,
            is_whole,
        });
        Some(Condition::Atom(self.tables.len() - 1))
    }

    fn tabulate(
        &mut self,
        condition: &Bool,
        classes: &[ContentClasses],
        row: &ContentClasses,
        keys: usize,
    ) -> Result<Condition, Declined> {
        // With a single class the row's content makes no difference, and one bit is enough.
        let is_whole = row.examples.len() == 1;
        let words = if is_whole { 1 } else { words(row) };
        let mut members = vec![vec![0_u64; words]; row.examples.len()];
        for (content, &class) in row.of.iter().enumerate().take(64 * words) {
            members[class][content / 64] |= 1 << (content % 64);
        }
        let mut bits = empty_bits(keys, words, is_whole);
        let mut machine = self.ruleset.machine(self.base);
        // The states with the contents of the first digits, for each number of them.
        let mut states = vec![self.base.clone(); classes.len() + 1];
        let mut contents = vec![0; classes.len()];
        for key in 0..keys {
            for digit in first_changed(&contents)..contents.len() {
                let content = classes[digit].examples[contents[digit]];
                states[digit + 1] = states[digit].clone();
                put(
                    &mut states[digit + 1],
                    &self.digits[digit].contents[content],
                );
            }
            for (&example, members) in row.examples.iter().zip(&members) {
                self.asking.step(1)?;
                // The row's bits are 0 in the state, so that its contents can be added by `|`.
                let words_of_both = states[contents.len()]
                    .0
                    .iter()
                    .zip(&self.row.contents[example].0);
                machine
                    .words
                    .iter_mut()
                    .zip(words_of_both)
                    .for_each(|(word, (state, row))| *word = state | row);
                let holds = condition
                    .run(&mut machine)
                    .map_err(|_| Declined::NotSuited)?;
                if is_whole {
                    bits[key / 64] |= u64::from(holds) << (key % 64);
                } else if holds {
                    bits[key * words..]
                        .iter_mut()
                        .zip(members)
                        .for_each(|(word, members)| *word |= members);
                }
            }
            next_tuple(&mut contents, classes);
        }
        Ok(self.add(classes, words, bits, is_whole))
    }

    /// Adds a table for the classes of the digits, with this number of words for each combination.
    pub fn add(
        &mut self,
        classes: &[ContentClasses],
        words: usize,
        bits: Vec<u64>,
        is_whole: bool,
    ) -> Condition {
        let mut stride = words;
        let mut strides = vec![Vec::new(); classes.len()];
        for (strides, classes) in strides.iter_mut().zip(classes).rev() {
            *strides = classes
                .of
                .iter()
                .map(|class| fit::<u32>(class * stride))
                .collect();
            stride *= classes.examples.len();
        }
        self.tables.push(TruthTable {
            strides,
            bits,
            is_whole,
        });
        Condition::Atom(self.tables.len() - 1)
    }
}

/// Returns the bits of a table in which nothing holds yet.
pub fn empty_bits(keys: usize, words: usize, is_whole: bool) -> Vec<u64> {
    let words = if is_whole {
        keys.div_ceil(64)
    } else {
        keys * words
    };
    vec![0; words]
}

/// Advances to the next combination of classes, the last digit first.
pub fn next_tuple(contents: &mut [usize], classes: &[ContentClasses]) {
    for (content, classes) in contents.iter_mut().zip(classes).rev() {
        *content += 1;
        if *content < classes.examples.len() {
            return;
        }
        *content = 0;
    }
}

/// Returns the first digit in which a combination may differ from the one before: the digits after
/// the last nonzero one have become 0.
pub fn first_changed(contents: &[usize]) -> usize {
    contents
        .iter()
        .rposition(|content| *content != 0)
        .unwrap_or(0)
}
