//! Lines that end the game, and which contents of some components complete one, as bits.
//!
//! The positions of the same levels stand in an array; the contents of the last components, the *inner* ones, make a chunk of it. Whether a line is
//! complete inside depends on the levels of these components alone, so each line's bits are made once for all chunks of such levels.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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

impl LineOf<'_> {
    /// All lines of a product.
    pub fn all(product: &Product) -> Vec<LineOf<'_>> {
        let with_set = product.lines.iter().enumerate().flat_map(|(set, lines)| lines.iter().map(move |line| (set, line)));
        let line = |(set, line): (usize, &'_ crate::game::ruleset::Line)| (set, line.needs.last().map(|need| need.0));
        let mut all: Vec<LineOf<'_>> = Vec::new();
        for (set, line_of) in with_set {
            let mut needs = vec![None; product.components.len()];
            line_of.needs.iter().for_each(|(component, by_level)| needs[*component] = Some(by_level.as_slice()));
            all.push(LineOf { set, last: line((set, line_of)).1, needs });
        }
        all
    }

    /// The contents of a component at its level that complete the line as far as it lies there; `None` if it does not.
    pub fn needs(&self, component: usize, levels: &[u8]) -> Option<&[bool]> {
        self.needs[component].map(|by_level| by_level[usize::from(levels[component])].as_slice())
    }

    /// Whether some contents complete it at these levels.
    pub fn is_possible(&self, levels: &[u8]) -> bool {
        (0..levels.len()).all(|component| self.needs(component, levels).is_none_or(|here| here.contains(&true)))
    }
}

/// For each line the contents of a chunk that complete it inside, from 64 to a word; `None` for lines that none completes, or that do not lie inside.
pub type Patterns = Vec<Option<Box<[u64]>>>;

/// The patterns of the components from one on.
fn patterns(product: &Product, lines: &[LineOf<'_>], first: usize, levels: &[u8]) -> Patterns {
    let sizes: Vec<usize> = sizes(product, levels).skip(first).collect();
    let bits = |line: &LineOf<'_>| {
        line.last.filter(|last| *last >= first)?;
        let mut complete = vec![true];
        for (component, size) in (first..).zip(&sizes) {
            let here = line.needs(component, levels);
            let holds = |before: bool, content: usize| before && here.is_none_or(|here| here[content]);
            complete = complete.iter().flat_map(|before| (0..*size).map(move |content| holds(*before, content))).collect();
        }
        let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, bit| word << 1 | u64::from(*bit));
        complete.contains(&true).then(|| complete.chunks(64).map(word).collect())
    };
    lines.iter().map(bits).collect()
}

/// Patterns that have been made.
#[derive(Debug, Default)]
pub struct PatternCache(Mutex<HashMap<Levels, Arc<Patterns>>>);

impl PatternCache {
    /// Those of the components from one on, at these levels.
    pub fn get(&self, product: &Product, lines: &[LineOf<'_>], first: usize, levels: &[u8]) -> Arc<Patterns> {
        let key = Levels::from_slice(&levels[first..]);
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return Arc::clone(known);
        }
        let made = Arc::new(patterns(product, lines, first, levels));
        lock().insert(key, Arc::clone(&made));
        made
    }
}
