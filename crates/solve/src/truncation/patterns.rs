//! Bit patterns of the contents of some components that complete the lines that end the game.
//!
//! The positions at the same levels form an array; the contents of the last components, the *inner*
//! ones, form a chunk of it. Whether a line is complete inside depends on the levels of these
//! components alone, so each line's bits are computed once for all chunks with such levels.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::layer::{Levels, sizes};
use crate::game::ruleset::Product;

/// A line of a product.
#[derive(Debug)]
pub struct LineOf<'a> {
    /// The index of the line's set.
    pub set: usize,
    /// The last component that contains a cell of the line; `None` for lines that are complete
    /// anywhere.
    pub last: Option<usize>,
    /// For each component, by level and content, whether all of the line's cells there are the
    /// player's; `None` if it has none there.
    needs: Vec<Option<&'a [Vec<bool>]>>,
}

impl<'a> LineOf<'a> {
    /// Creates a line of a set, given the components that it lies in and the number of all
    /// components.
    pub fn new(set: usize, lies_in: &'a [(usize, Vec<Vec<bool>>)], components: usize) -> Self {
        let mut needs = vec![None; components];
        lies_in
            .iter()
            .for_each(|(component, by_level)| needs[*component] = Some(by_level.as_slice()));
        Self {
            set,
            last: lies_in.last().map(|(component, _)| *component),
            needs,
        }
    }

    /// Returns all lines of a product, set by set.
    pub fn all(product: &'a Product) -> Vec<Self> {
        let mut all = Vec::new();
        for (set, lines) in product.lines.iter().enumerate() {
            let components = product.components.len();
            all.extend(
                lines
                    .iter()
                    .map(|line| LineOf::new(set, &line.needs, components)),
            );
        }
        all
    }

    /// Returns the contents of a component at its level that complete the line as far as it lies
    /// there; `None` if the line has no cell there.
    pub fn needs(&self, component: usize, levels: &[u8]) -> Option<&[bool]> {
        self.needs[component].map(|by_level| by_level[usize::from(levels[component])].as_slice())
    }

    /// Returns `true` if some contents at these levels complete the line.
    pub fn is_possible(&self, levels: &[u8]) -> bool {
        (0..levels.len()).all(|component| {
            self.needs(component, levels)
                .is_none_or(|here| here.contains(&true))
        })
    }
}

/// For each line, the contents of a chunk that complete it inside; computed on first use.
#[derive(Debug)]
pub struct Patterns {
    /// The first component inside the chunk.
    first: usize,
    /// The number of contents of each component inside.
    sizes: Vec<usize>,
    lines: Vec<OnceLock<Pattern>>,
}

/// The contents as bits, 64 to a word; `None` for a line that none completes, or that has no cell
/// inside.
type Pattern = Option<Box<[u64]>>;

impl Patterns {
    fn new(product: &Product, lines: usize, first: usize, levels: &[u8]) -> Self {
        let sizes = sizes(product, levels).skip(first).collect();
        Self {
            first,
            sizes,
            lines: (0..lines).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the pattern of a line, given its index; `levels` are those of all components, of
    /// which the outer ones do not matter.
    pub fn of(&self, number: usize, line: &LineOf<'_>, levels: &[u8]) -> Option<&[u64]> {
        self.lines[number]
            .get_or_init(|| self.made(line, levels))
            .as_deref()
    }

    fn made(&self, line: &LineOf<'_>, levels: &[u8]) -> Pattern {
        // A line that ends before the chunk is followed outside, and needs no pattern.
        let last = line.last.filter(|last| *last >= self.first)?;
        let lies_in = |component: usize| line.needs(component, levels);
        if !(self.first..=last)
            .all(|component| lies_in(component).is_none_or(|here| here.contains(&true)))
        {
            return None;
        }
        // From the last component on: for each content that allows the line, the pattern of the
        // components after it is appended, else zeros.
        let mut complete = BitVector {
            words: vec![1],
            len: 1,
        };
        for (place, size) in self.sizes.iter().enumerate().rev() {
            let component = self.first + place;
            let mut outside = BitVector {
                words: Vec::with_capacity((complete.len * size).div_ceil(64) + 1),
                len: 0,
            };
            for content in 0..*size {
                outside.append(
                    &complete,
                    lies_in(component).is_none_or(|here| here[content]),
                );
            }
            complete = outside;
        }
        Some(complete.words.into())
    }
}

/// A vector of bits, 64 to a word.
struct BitVector {
    words: Vec<u64>,
    len: usize,
}

impl BitVector {
    /// Appends other bits, or as many zeros.
    fn append(&mut self, others: &Self, kept: bool) {
        let shift = self.len % 64;
        for word in &others.words {
            let word = if kept { *word } else { 0 };
            if shift == 0 {
                self.words.push(word);
                continue;
            }
            // The bits beyond the length are 0, so that the new ones can be combined by `|`.
            *self.words.last_mut().expect("bits of it stand there") |= word << shift;
            self.words.push(word >> (64 - shift));
        }
        self.len += others.len;
        // A shifted word may leave one more word than the bits take.
        self.words.truncate(self.len.div_ceil(64));
    }
}

/// A cache of patterns.
#[derive(Debug, Default)]
pub struct PatternCache(Mutex<HashMap<Levels, Arc<Patterns>>>);

impl PatternCache {
    /// Returns the patterns of all lines in the components from `first` on, at these levels.
    pub fn get(
        &self,
        product: &Product,
        lines: usize,
        first: usize,
        levels: &[u8],
    ) -> Arc<Patterns> {
        let key = Levels::from_slice(&levels[first..]);
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return Arc::clone(known);
        }
        // The lock is released meanwhile. If another thread is faster, its patterns are used.
        let made = Arc::new(Patterns::new(product, lines, first, levels));
        Arc::clone(lock().entry(key).or_insert(made))
    }
}
