//! Lines that end the game, and which contents of some components complete one, as bits.
//!
//! The positions of the same levels stand in an array; the contents of the last components, the
//! *inner* ones, make a chunk of it. Whether a line is complete inside depends on the levels of
//! these components alone, so each line's bits are made once for all chunks of such levels.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::layer::{Levels, sizes};
use crate::game::ruleset::Product;

/// A line of a product.
#[derive(Debug)]
pub struct LineOf<'a> {
    /// The number of the set that it is in.
    pub set: usize,
    /// The last component in which it lies; `None` for lines that are complete anywhere.
    pub last: Option<usize>,
    /// By component: by level and content whether the line is complete as far as it lies there.
    needs: Vec<Option<&'a [Vec<bool>]>>,
}

impl<'a> LineOf<'a> {
    /// A line of a set, by the components in which it lies, of so many.
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

    /// All lines of a product, set by set.
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

    /// The contents of a component at its level that complete the line as far as it lies there;
    /// `None` if it does not.
    pub fn needs(&self, component: usize, levels: &[u8]) -> Option<&[bool]> {
        self.needs[component].map(|by_level| by_level[usize::from(levels[component])].as_slice())
    }

    /// Whether some contents complete it at these levels.
    pub fn is_possible(&self, levels: &[u8]) -> bool {
        (0..levels.len()).all(|component| {
            self.needs(component, levels)
                .is_none_or(|here| here.contains(&true))
        })
    }
}

/// For each line the contents of a chunk that complete it inside, made when it is first asked for.
#[derive(Debug)]
pub struct Patterns {
    /// The first component inside.
    first: usize,
    /// How many contents those inside have.
    sizes: Vec<usize>,
    lines: Vec<OnceLock<Pattern>>,
}

/// From 64 to a word; `None` for lines that none completes, or that do not lie inside.
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

    /// That of a line, by its number; `levels` are those of all components, the ones outside of no
    /// account.
    pub fn of(&self, number: usize, line: &LineOf<'_>, levels: &[u8]) -> Option<&[u64]> {
        self.lines[number]
            .get_or_init(|| self.made(line, levels))
            .as_deref()
    }

    fn made(&self, line: &LineOf<'_>, levels: &[u8]) -> Pattern {
        let last = line.last.filter(|last| *last >= self.first)?;
        let lies_in = |component: usize| line.needs(component, levels);
        if !(self.first..=last)
            .all(|component| lies_in(component).is_none_or(|here| here.contains(&true)))
        {
            return None;
        }
        // From the last component on: what is complete inside stands there for each content that
        // is.
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

/// So many bits, from 64 to a word.
struct BitVector {
    words: Vec<u64>,
    len: usize,
}

impl BitVector {
    /// Adds others, or as many zeros.
    fn append(&mut self, others: &Self, kept: bool) {
        let shift = self.len % 64;
        for word in &others.words {
            let word = if kept { *word } else { 0 };
            if shift == 0 {
                self.words.push(word);
                continue;
            }
            *self.words.last_mut().expect("bits of it stand there") |= word << shift;
            self.words.push(word >> (64 - shift));
        }
        self.len += others.len;
        self.words.truncate(self.len.div_ceil(64));
    }
}

/// Patterns that have been made.
#[derive(Debug, Default)]
pub struct PatternCache(Mutex<HashMap<Levels, Arc<Patterns>>>);

impl PatternCache {
    /// Those of so many lines in the components from one on, at these levels.
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
        let made = Arc::new(Patterns::new(product, lines, first, levels));
        Arc::clone(lock().entry(key).or_insert(made))
    }
}
