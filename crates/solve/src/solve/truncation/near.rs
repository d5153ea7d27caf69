//! Which routes the players have where the truncation ends, chunk by chunk, 64 positions at a time.

use std::ops::Range;
use std::sync::Arc;

use super::number::Narrow;
use super::patterns::{LineOf, PatternCache, Patterns};
use super::routes::{MOST_NEED, Route, Routes};
use crate::game::ruleset::Product;
use crate::player::{PerPlayer, Player};

/// Needs from 0 on.
const NEEDS: usize = MOST_NEED as usize + 1;

/// By the needs of two routes, the lesser one first, what a position is worth at which a player has them; 0 stands for no second one.
pub type Worths = [[u64; NEEDS]; NEEDS];

/// The routes of a truncation.
#[derive(Debug)]
pub struct Near<'a> {
    routes: &'a Routes,
    /// The contents at which each can be completed.
    lines: Vec<LineOf<'a>>,
    patterns: PatternCache,
}

impl<'a> Near<'a> {
    /// These routes.
    pub fn new(product: &Product, routes: &'a Routes) -> Self {
        let line = |route: &'a Route| LineOf::new(0, &route.open, product.components.len());
        Self { routes, lines: routes.all.iter().map(line).collect(), patterns: PatternCache::default() }
    }

    /// What is followed while the contents of the components before `first` are gone through.
    pub fn nearest(&'a self, product: &Product, first: usize, levels: &'a [u8]) -> Nearest<'a> {
        let mut here = Vec::new();
        for (line, (route, open)) in self.routes.all.iter().zip(&self.lines).enumerate() {
            let (cost, components) = route.at(levels);
            if (cost.need <= MOST_NEED || cost.lack <= 1) && open.is_possible(levels) {
                here.push(Here { line, player: route.player, need: cost.need, is_threat: cost.lack <= 1, components });
            }
        }
        here.sort_by_key(|route| route.need);
        Nearest {
            near: self,
            levels,
            first,
            patterns: self.patterns.get(product, &self.lines, first, levels),
            followed: (0..here.len() as u32).collect(),
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
    /// Whether it lacks no more than one of the player's moves.
    is_threat: bool,
    /// The components that are open.
    components: u64,
}

/// A route in a chunk: at which contents it can be completed.
#[derive(Debug, Clone, Copy)]
struct Inside<'a> {
    components: u64,
    /// From 64 to a word; `None` for all.
    contents: Option<&'a [u64]>,
}

impl Inside<'_> {
    #[inline]
    fn word(&self, word: usize) -> u64 {
        self.contents.map_or(u64::MAX, |contents| contents[word])
    }
}

/// The routes at levels, those of the least need first.
#[derive(Debug)]
pub struct Nearest<'a> {
    near: &'a Near<'a>,
    levels: &'a [u8],
    /// The first component inside of chunks.
    first: usize,
    patterns: Arc<Patterns>,
    here: Vec<Here>,
    /// Which of them the contents gone through so far leave.
    followed: Vec<u32>,
}

impl Nearest<'_> {
    /// Goes on with a content of a component, from the routes that are followed from `begin` on; where those begin that are followed then.
    pub fn descend(&mut self, component: usize, content: usize, begin: usize) -> usize {
        let end = self.followed.len();
        for place in begin..end {
            let line = &self.near.lines[self.here[self.followed[place] as usize].line];
            if line.needs(component, self.levels).is_none_or(|open| open[content]) {
                self.followed.push(self.followed[place]);
            }
        }
        end
    }

    /// Forgets what was followed from here on.
    pub fn truncate(&mut self, end: usize) {
        self.followed.truncate(end);
    }

    /// Writes over a chunk what a position is worth at which a player has routes; those from `begin` on are followed.
    pub fn write<D: Narrow>(&self, out: &mut [D], player: Player, begin: usize, worths: &Worths) {
        let mut routes: [Vec<Inside<'_>>; NEEDS] = Default::default();
        let mut threats = Vec::new();
        for number in &self.followed[begin..] {
            let here = &self.here[*number as usize];
            let Some(inside) = self.inside(here) else { continue };
            if here.player != player {
                threats.extend(here.is_threat.then_some(inside));
            } else if here.need <= MOST_NEED {
                routes[usize::from(here.need)].push(inside);
            }
        }
        let pairs = self.near.routes.pairs[player];
        for (word, out) in out.chunks_mut(64).enumerate() {
            let threatened = threats.iter().fold(0, |known, threat| known | threat.word(word));
            let found = shares(&routes, word, if pairs { !threatened } else { 0 });
            let here = u64::MAX >> (64 - out.len());
            for (a, second) in found.iter().enumerate() {
                for (b, contents) in second.iter().enumerate().filter(|(_, contents)| **contents & here != 0) {
                    D::write_over(out, contents & here, D::narrow(worths[a][b]));
                }
            }
        }
    }

    /// A route in the chunk; `None` if no content leaves it.
    fn inside(&self, here: &Here) -> Option<Inside<'_>> {
        let lies_outside = self.near.lines[here.line].last.is_none_or(|last| last < self.first);
        let pattern = self.patterns[here.line].as_deref();
        let contents = if lies_outside { None } else { Some(pattern?) };
        Some(Inside { components: here.components, contents })
    }
}

/// By the needs of two routes the contents among 64 for which these are the least: of the second one, 0 stands for none. `pairs` has those at which two count.
fn shares(routes: &[Vec<Inside<'_>>; NEEDS], word: usize, pairs: u64) -> Worths {
    let mut found = [[0; NEEDS]; NEEDS];
    let mut left = u64::MAX;
    for a in 1..NEEDS {
        let here = left & routes[a].iter().fold(0, |known, route| known | route.word(word));
        if here == 0 {
            continue;
        }
        left &= !here;
        let mut single = here;
        let mut open = here & pairs;
        for b in a..NEEDS {
            let both = if open == 0 { 0 } else { open & together(routes, [a, b], word, open) };
            found[a][b] = both;
            open &= !both;
            single &= !both;
        }
        found[a][0] = single;
    }
    found
}

/// The contents at which there are two routes of these needs that have no open component in common, at least as far as they are among those asked about.
fn together(routes: &[Vec<Inside<'_>>; NEEDS], [a, b]: [usize; 2], word: usize, asked: u64) -> u64 {
    let mut found = 0;
    for (place, first) in routes[a].iter().enumerate() {
        let here = first.word(word) & asked & !found;
        if here == 0 {
            continue;
        }
        let others: Range<usize> = if a == b { place + 1..routes[b].len() } else { 0..routes[b].len() };
        for second in &routes[b][others] {
            if first.components & second.components == 0 {
                found |= here & second.word(word);
            }
        }
    }
    found
}

/// What both players' routes are worth, by a function of the winner and the needs.
pub fn worths(worth: impl Fn(Player, &[u8]) -> u64) -> PerPlayer<Worths> {
    let of = |player: Player| {
        let mut worths = [[0; NEEDS]; NEEDS];
        for a in 1..=MOST_NEED {
            worths[usize::from(a)][0] = worth(player, &[a]);
            for b in a..=MOST_NEED {
                worths[usize::from(a)][usize::from(b)] = worth(player, &[a, b]);
            }
        }
        worths
    };
    PerPlayer::new(of(Player::Alice), of(Player::Bob))
}
