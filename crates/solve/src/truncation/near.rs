//! The players' routes where the truncation ends, computed chunk by chunk, 64 positions at a time.

use std::ops::Range;
use std::sync::Arc;

use super::patterns::{LineOf, PatternCache, Patterns};
use super::routes::{MOST_NEED, Route, Routes};
use crate::chips::ThresholdInteger;
use crate::convert::fit;
use crate::game::ruleset::Product;
use crate::player::{PerPlayer, Player};

/// The number of needs, which start at 0.
const NEEDS: usize = MOST_NEED as usize + 1;

/// The number of bits of a *class*, which encodes the needs of a player's route, or of two.
const CLASS_BITS: usize = 4;

/// The class of a single route, indexed by its need; the classes of two routes with this lesser
/// need follow, in the order of the second need.
const SINGLE: [usize; NEEDS] = [0, 1, 6, 10, 13];

/// The value of a position at which a player has the routes of a class, indexed by class; class 0
/// has none.
pub type ClassWorths = [u64; 1 << CLASS_BITS];

/// The routes of a truncation.
#[derive(Debug)]
pub struct NearRoutes<'a> {
    routes: &'a Routes,
    /// The contents at which each route can be completed.
    lines: Vec<LineOf<'a>>,
    patterns: PatternCache,
}

impl<'a> NearRoutes<'a> {
    /// Prepares routes with the contents at which each can be completed.
    pub fn new(product: &Product, routes: &'a Routes) -> Self {
        let line = |route: &'a Route| LineOf::new(0, &route.open, product.components.len());
        Self {
            routes,
            lines: routes.all.iter().map(line).collect(),
            patterns: PatternCache::default(),
        }
    }

    /// Returns the routes at some levels, to be followed through the contents of the components
    /// before `first`.
    pub fn nearest(&'a self, product: &Product, first: usize, levels: &'a [u8]) -> Nearest<'a> {
        let mut here = Vec::new();
        for (line, (route, open)) in self.routes.all.iter().zip(&self.lines).enumerate() {
            let (cost, components) = route.at(levels);
            // Longer routes count for nothing, except as threats against pairs of the other player.
            if (cost.need <= MOST_NEED || cost.lack <= 1) && open.is_possible(levels) {
                here.push(Here {
                    line,
                    player: route.player,
                    need: cost.need,
                    is_threat: cost.lack <= 1,
                    components,
                });
            }
        }
        here.sort_by_key(|route| route.need);
        Nearest {
            near: self,
            levels,
            first,
            patterns: self.patterns.get(product, self.lines.len(), first, levels),
            followed: (0..fit::<u32>(here.len())).collect(),
            here,
        }
    }
}

/// A route at levels.
#[derive(Debug)]
struct Here {
    line: usize,
    player: Player,
    need: u8,
    /// `true` if it lacks no more than one of the player's moves.
    is_threat: bool,
    /// The open components, as bits.
    components: u64,
}

/// A route in a chunk, with the contents at which it can be completed.
#[derive(Debug, Clone, Copy)]
struct ChunkRoute<'a> {
    components: u64,
    /// The contents, 64 to a word; `None` for all of them.
    contents: Option<&'a [u64]>,
}

impl ChunkRoute<'_> {
    #[inline]
    fn word(&self, word: usize) -> u64 {
        self.contents.map_or(u64::MAX, |contents| contents[word])
    }
}

/// The routes at some levels, sorted by need.
#[derive(Debug)]
pub struct Nearest<'a> {
    near: &'a NearRoutes<'a>,
    levels: &'a [u8],
    /// The first component inside chunks.
    first: usize,
    patterns: Arc<Patterns>,
    here: Vec<Here>,
    /// The routes that the contents chosen so far allow, as a stack of indices.
    followed: Vec<u32>,
}

impl Nearest<'_> {
    /// Fixes the content of a component and pushes those of the routes from `begin` on that it
    /// allows; returns the index at which they begin.
    pub fn descend(&mut self, component: usize, content: usize, begin: usize) -> usize {
        let end = self.followed.len();
        for place in begin..end {
            let line = &self.near.lines[self.here[self.followed[place] as usize].line];
            if line
                .needs(component, self.levels)
                // A component that the route does not cross allows every content.
                .is_none_or(|open| open[content])
            {
                self.followed.push(self.followed[place]);
            }
        }
        end
    }

    /// Pops the routes from an index on.
    pub fn truncate(&mut self, end: usize) {
        self.followed.truncate(end);
    }

    /// Writes the values of a chunk's positions by the routes of a player; those from `begin` on
    /// are followed.
    pub fn write<D: ThresholdInteger>(
        &self,
        out: &mut [D],
        player: Player,
        begin: usize,
        worths: &ClassWorths,
    ) {
        let mut routes: [Vec<ChunkRoute<'_>>; NEEDS] = Default::default();
        let mut threats = Vec::new();
        for number in &self.followed[begin..] {
            let here = &self.here[*number as usize];
            let Some(inside) = self.inside(here) else {
                continue;
            };
            if here.player != player {
                threats.extend(here.is_threat.then_some(inside));
            } else if here.need <= MOST_NEED {
                routes[usize::from(here.need)].push(inside);
            }
        }
        let worths = worths.map(D::narrow);
        let pairs = self.near.routes.pairs[player];
        for (word, out) in out.chunks_mut(64).enumerate() {
            let threatened = threats
                .iter()
                .fold(0, |known, threat| known | threat.word(word));
            let classes = classes(&routes, word, if pairs { !threatened } else { 0 });
            for (place, out) in out.iter_mut().enumerate() {
                let is_set = |bit: usize| usize::from(classes[bit] >> place & 1 != 0);
                *out = worths[(0..CLASS_BITS).fold(0, |class, bit| class | is_set(bit) << bit)];
            }
        }
    }

    /// Returns a route restricted to the chunk; `None` if no content allows it.
    fn inside(&self, here: &Here) -> Option<ChunkRoute<'_>> {
        let line = &self.near.lines[here.line];
        let lies_outside = line.last.is_none_or(|last| last < self.first);
        let pattern = || self.patterns.of(here.line, line, self.levels);
        let contents = if lies_outside { None } else { Some(pattern()?) };
        Some(ChunkRoute {
            components: here.components,
            contents,
        })
    }
}

/// Computes the classes of 64 contents, as bit planes. `pairs` contains the contents at which two
/// routes count.
fn classes(routes: &[Vec<ChunkRoute<'_>>; NEEDS], word: usize, pairs: u64) -> [u64; CLASS_BITS] {
    let mut classes = [0; CLASS_BITS];
    let mut set = |class: usize, contents: u64| {
        let planes = classes
            .iter_mut()
            .enumerate()
            .filter(|(bit, _)| class >> bit & 1 != 0);
        planes.for_each(|(_, plane)| *plane |= contents);
    };
    let mut left = u64::MAX;
    for a in 1..NEEDS {
        let here = left
            & routes[a]
                .iter()
                .fold(0, |known, route| known | route.word(word));
        // A content with a route of a lesser need is not looked at again.
        left &= !here;
        let mut open = here & pairs;
        let mut single = here;
        for b in a..NEEDS {
            // Nothing is left to be searched if no content has a route of this need, or each has a
            // pair.
            if open == 0 {
                break;
            }
            let both = together(routes, [a, b], word, open);
            set(SINGLE[a] + 1 + b - a, both);
            open &= !both;
            single &= !both;
        }
        set(SINGLE[a], single);
    }
    classes
}

/// Returns the contents at which there are two routes of these needs that have no open component in
/// common, as far as they are among the contents asked about.
fn together(
    routes: &[Vec<ChunkRoute<'_>>; NEEDS],
    [a, b]: [usize; 2],
    word: usize,
    asked: u64,
) -> u64 {
    let mut found = 0;
    for (place, first) in routes[a].iter().enumerate() {
        let mut here = first.word(word) & asked & !found;
        let others: Range<usize> = if a == b {
            // A route does not form a pair with itself, and each pair is tried once.
            place + 1..routes[b].len()
        } else {
            0..routes[b].len()
        };
        for second in &routes[b][others] {
            if here == 0 {
                break;
            }
            if first.components & second.components == 0 {
                let both = here & second.word(word);
                found |= both;
                here &= !both;
            }
        }
    }
    found
}

/// Tabulates the values of both players' routes, by a function of the winner and the needs.
pub fn worths(worth: impl Fn(Player, &[u8]) -> u64) -> PerPlayer<ClassWorths> {
    let of = |player: Player| {
        let mut worths = [worth(player, &[]); 1 << CLASS_BITS];
        for a in 1..=MOST_NEED {
            let single = SINGLE[usize::from(a)];
            worths[single] = worth(player, &[a]);
            for b in a..=MOST_NEED {
                worths[single + 1 + usize::from(b - a)] = worth(player, &[a, b]);
            }
        }
        worths
    };
    PerPlayer::new(of(Player::Alice), of(Player::Bob))
}
