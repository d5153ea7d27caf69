//! The layers of a product: its positions by the number of moves made.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::convert::fit;
use crate::game::ruleset::{Component, ComponentLevel, Product};

/// The number of moves made in each component.
pub type Levels = SmallVec<[u8; 16]>;

/// All levels that add up to a number of moves, in lexicographic order; if mirror images have equal
/// values, only the first of each pair is included.
#[derive(Debug)]
pub struct Layer {
    /// The levels, in order.
    pub levels: Vec<Levels>,
    places: FxHashMap<Levels, u32>,
}

/// The index of levels in a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerIndex {
    Here(usize),
    /// The index of their mirror images.
    Mirrored(usize),
}

/// Returns the levels of the mirror images.
fn reversed(levels: &Levels) -> Levels {
    levels.iter().rev().copied().collect()
}

impl Layer {
    /// Creates the layer after so many moves; `is_mirrored` says that the product is its own mirror
    /// image.
    pub fn new(product: &Product, is_mirrored: bool, moves: u32) -> Self {
        let mut most = vec![0; product.components.len() + 1];
        for (place, component) in product.components.iter().enumerate().rev() {
            most[place] = most[place + 1] + component.levels.len() - 1;
        }
        let mut levels = Vec::new();
        extend(&most, moves as usize, &mut Levels::new(), &mut levels);
        // Of two mirror images the lesser one is kept.
        levels.retain(|levels| !is_mirrored || *levels <= reversed(levels));
        let places = levels.iter().cloned().zip(0..).collect();
        Self { levels, places }
    }

    /// Returns the index of levels.
    ///
    /// # Panics
    /// If neither they nor their mirror images are in the layer.
    pub fn find(&self, levels: &Levels) -> LayerIndex {
        let here = self
            .places
            .get(levels)
            .map(|place| LayerIndex::Here(*place as usize));
        here.unwrap_or_else(|| LayerIndex::Mirrored(self.places[&reversed(levels)] as usize))
    }

    /// Returns the indices of the levels with a prefix.
    pub fn with_prefix(&self, prefix: &[u8]) -> std::ops::Range<usize> {
        let begin = self
            .levels
            // The levels are in lexicographic order, so those with a prefix are adjacent.
            .partition_point(|levels| levels[..prefix.len()] < *prefix);
        begin
            ..begin
                + self.levels[begin..].partition_point(|levels| levels[..prefix.len()] == *prefix)
    }
}

/// Appends all completions of levels that add up to `left`; `most[i]` is the greatest sum of levels
/// of the components from i on.
fn extend(most: &[usize], left: usize, begun: &mut Levels, found: &mut Vec<Levels>) {
    let place = begun.len();
    if place + 1 == most.len() {
        found.extend((left == 0).then(|| begun.clone()));
        return;
    }
    // The bounds leave only levels that the components after this one can complete.
    for level in left.saturating_sub(most[place + 1])..=left.min(most[place] - most[place + 1]) {
        begun.push(fit::<u8>(level));
        extend(most, left - level, begun, found);
        begun.pop();
    }
}

/// Iterates over the components; yields the number of contents of each at these levels.
pub fn sizes<'a>(
    product: &'a Product,
    levels: &'a [u8],
) -> impl DoubleEndedIterator<Item = usize> + 'a {
    product
        .components
        .iter()
        .zip(levels)
        .map(|(component, level)| component.levels[usize::from(*level)].len)
}

/// Returns the number of positions after each number of moves, up to this one; `u64::MAX` stands
/// for more.
pub fn counts(product: &Product, moves: u32) -> Vec<u64> {
    counted(product, moves, |level| level.len as u64)
}

/// Returns the number of positions that are computed, one of each two mirror images, after each
/// number of moves.
pub fn counts_but_images(product: &Product, moves: u32) -> Vec<u64> {
    let (pairs, middle) = product.components.split_at(product.components.len() / 2);
    let middle = middle.first().filter(|_| product.components.len() % 2 == 1);
    let squares = pairs.iter().map(|component| (2, component, 2));
    let own = multiplied(
        squares.chain(middle.map(|component| (1, component, 1))),
        moves,
        |level| level.len as u64,
    );
    counts(product, moves)
        .into_iter()
        .zip(own)
        // Each pair of images counts twice in `all`, and positions that are their own image count
        // in both.
        .map(|(all, own)| all.saturating_add(own) / 2)
        .collect()
}

/// Returns the number of levels of the largest of these layers; `u64::MAX` stands for more.
pub fn most_levels(product: &Product, moves: u32) -> u64 {
    counted(product, moves, |_| 1)
        .into_iter()
        .max()
        .unwrap_or(0)
}

fn counted(product: &Product, moves: u32, count: impl Fn(&ComponentLevel) -> u64) -> Vec<u64> {
    multiplied(
        product.components.iter().map(|component| (1, component, 1)),
        moves,
        count,
    )
}

/// Returns the number of combinations that add up to each number of moves, up to this one. Each
/// component's moves count `times` times, and its contents are raised to `power`.
fn multiplied<'p>(
    components: impl Iterator<Item = (usize, &'p Component, u32)>,
    moves: u32,
    count: impl Fn(&ComponentLevel) -> u64,
) -> Vec<u64> {
    let mut counts = vec![1_u64];
    for (times, component, power) in components {
        let mut next = vec![
            0_u64;
            (counts.len() + times * (component.levels.len() - 1))
                .min(moves as usize + 1)
        ];
        for (before, already) in counts.iter().enumerate() {
            for (level, here) in component.levels.iter().enumerate() {
                if let Some(sum) = next.get_mut(before + times * level) {
                    *sum = sum
                        .saturating_add(already.saturating_mul(count(here).saturating_pow(power)));
                }
            }
        }
        counts = next;
    }
    counts
}
