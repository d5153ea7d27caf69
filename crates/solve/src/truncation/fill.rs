//! Computation of the values of the positions at the same levels, from those one move later.
//!
//! Their array is in mixed radix: the contents of the first component are the most significant. The
//! contents of the last components form a *chunk* of it, long enough to be processed as a whole.
//! Outside of chunks the components' contents are enumerated one after another, together with the
//! lines that can still be completed; if one is complete, all positions inside have ended and are
//! not computed.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use super::endings::{EndingTests, KnownEnding, LineStatus};
use super::layer::sizes;
use super::near::{ClassWorths, NearRoutes, Nearest, worths};
use super::patterns::{LineOf, PatternCache, Patterns};
use super::steps::{ComponentSteps, fold, fold_inner};
use super::turns::TurnRule;
use crate::chips::ThresholdInteger;
use crate::game::ruleset::Product;
use crate::player::{Ending, PerPlayer, Player};

/// The least length of a chunk, where the levels allow it.
const CHUNK: usize = 1 << 10;

/// A theory by which values are computed from those one move later.
pub trait TurnLaw: Debug + Sync {
    /// Returns the number of an ending, with so many moves left before the truncation.
    fn worth(&self, ending: Ending, left: u32) -> u64;

    /// Returns the number, where the truncation ends, of a position at which a player has one
    /// [route](super::routes) of such a need, or two, the lesser need first: an upper bound on what
    /// the player needs.
    fn nearly(&self, winner: Player, needs: &[u8]) -> u64;

    /// Returns the rule by which the value of a position follows from the least and the greatest
    /// value that moves lead to.
    fn rule(&self) -> TurnRule;
}

/// A game to be truncated, with everything that its values depend on.
pub struct TruncatedBoard<'a> {
    /// The game.
    pub product: &'a Product,
    /// The lines of the game.
    pub lines: Vec<LineOf<'a>>,
    /// The player of the game for whom less is better.
    pub seeker: Player,
    /// The theory of the values.
    pub turns: &'a dyn TurnLaw,
    /// The endings that positions count as where the truncation ends, one per lane.
    pub leaves: Vec<Ending>,
    /// The cache of patterns.
    pub patterns: PatternCache,
    /// The routes that count where the truncation ends, if there are any.
    pub near: Option<NearRoutes<'a>>,
}

/// The moves of one component.
struct ComponentMoves<'a> {
    component: usize,
    /// The number of contents of the component after a move.
    next: usize,
    steps: &'a PerPlayer<Vec<Vec<u32>>>,
}

/// The optimum over a chunk's moves so far, and room for one step of the fold.
struct Gathered<'g, S> {
    best: &'g mut [S],
    room: &'g mut [S],
}

/// Iterates over the components in which moves are left.
pub fn movable<'a>(product: &'a Product, levels: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let can_move =
        |place: &usize| usize::from(levels[*place]) + 1 < product.components[*place].levels.len();
    (0..levels.len()).filter(can_move)
}

impl TruncatedBoard<'_> {
    /// Computes the values at some levels with so many moves left, by lane. `sources` contains, for
    /// each lane and each component that can be moved in, the values one move later.
    pub fn fill<S: ThresholdInteger, D: ThresholdInteger + From<S>>(
        &self,
        levels: &[u8],
        left: u32,
        sources: &[Vec<&[S]>],
    ) -> Vec<Vec<D>> {
        ArrayFilling::new(self, levels, left, sources).run()
    }

    /// Computes the values at levels of the last layer, where the truncation ends or, with a move
    /// left, nobody can move.
    pub fn fill_last<D: ThresholdInteger>(&self, levels: &[u8], left: u32) -> Vec<Vec<D>> {
        ArrayFilling::<D, D>::new(self, levels, left, &[]).run()
    }
}

/// The first entries, in the stacks of open lines and of routes, that are followed.
#[derive(Debug, Clone, Copy)]
struct Begin {
    open: usize,
    near: usize,
}

/// An array that is being filled.
struct ArrayFilling<'a, S, D> {
    board: &'a TruncatedBoard<'a>,
    levels: &'a [u8],
    left: u32,
    sizes: Vec<usize>,
    /// The first component inside chunks.
    first: usize,
    /// The length of a chunk.
    chunk: usize,
    moves: Vec<ComponentMoves<'a>>,
    sources: &'a [Vec<&'a [S]>],
    endings: EndingTests,
    patterns: Arc<Patterns>,
    /// The routes of the players, where the truncation ends, and their values.
    nearest: Option<(Nearest<'a>, PerPlayer<ClassWorths>)>,
    /// The lines that are followed, a stack of those that the contents chosen so far allow.
    open: Vec<u32>,
    /// For each set of lines, the contents of the chunk that complete one.
    complete: Vec<Vec<u64>>,
    least: Vec<S>,
    greatest: Vec<S>,
    /// Scratch space for as many values.
    spread: Vec<S>,
    out: Vec<Vec<D>>,
}

impl<'a, S: ThresholdInteger, D: ThresholdInteger + From<S>> ArrayFilling<'a, S, D> {
    fn new(
        board: &'a TruncatedBoard<'a>,
        levels: &'a [u8],
        left: u32,
        sources: &'a [Vec<&'a [S]>],
    ) -> Self {
        let product = board.product;
        let sizes: Vec<usize> = sizes(product, levels).collect();
        let mut first = sizes.len();
        // Longer chunks amortise the work between them, shorter ones end earlier where a line is
        // complete.
        while first > 0 && sizes[first..].iter().product::<usize>() < CHUNK {
            first -= 1;
        }
        let chunk: usize = sizes[first..].iter().product();
        let moves = |component: usize| {
            let level = usize::from(levels[component]);
            let levels = &product.components[component].levels;
            ComponentMoves {
                component,
                next: levels[level + 1].len,
                steps: &levels[level].steps,
            }
        };
        // At the end of the truncation nothing is gathered, and no memory is taken for it.
        let best = if left > 0 { chunk } else { 0 };
        Self {
            board,
            levels,
            left,
            first,
            chunk,
            moves: if left > 0 {
                movable(product, levels).map(moves).collect()
            } else {
                Vec::new()
            },
            sources,
            endings: EndingTests::new(product, levels),
            patterns: board
                .patterns
                .get(product, board.lines.len(), first, levels),
            nearest: board.near.as_ref().filter(|_| left == 0).map(|near| {
                let worths = worths(|winner, needs| board.turns.nearly(winner, needs));
                (near.nearest(product, first, levels), worths)
            }),
            open: Vec::new(),
            complete: vec![vec![0; chunk.div_ceil(64)]; product.lines.len()],
            least: vec![S::max_value(); best],
            greatest: vec![S::min_value(); best],
            spread: vec![S::min_value(); best],
            out: vec![vec![D::min_value(); sizes.iter().product()]; board.leaves.len()],
            sizes,
        }
    }

    fn run(mut self) -> Vec<Vec<D>> {
        let mut seen = LineStatus::default();
        for (number, line) in (0..)
            .zip(&self.board.lines)
            .filter(|(_, line)| line.is_possible(self.levels))
        {
            match line.last {
                // A line without cells is complete at every position.
                None => seen.complete |= 1 << line.set,
                Some(_) => {
                    seen.open |= 1 << line.set;
                    self.open.push(number);
                }
            }
        }
        let begin = Begin { open: 0, near: 0 };
        self.descend(0, 0, begin, seen);
        self.out
    }

    /// Enumerates the contents of the components from one on. `outer` is the index of the contents
    /// of those before it; these contents allow the open lines and the routes from `begin` on.
    fn descend(&mut self, component: usize, outer: usize, begin: Begin, seen: LineStatus) {
        let inside: usize = self.sizes[component..].iter().product();
        // All positions inside have the same ending, so that they are filled at once.
        if let KnownEnding::Ended(ending) = self.endings.known(seen) {
            return self.end(outer * inside..(outer + 1) * inside, ending);
        }
        if component == self.first {
            return self.work_out(outer, begin, seen.complete);
        }
        let end = self.open.len();
        for content in 0..self.sizes[component] {
            let mut here = LineStatus {
                complete: seen.complete,
                open: 0,
            };
            for place in begin.open..end {
                let number = self.open[place];
                let line = &self.board.lines[number as usize];
                if line
                    .needs(component, self.levels)
                    .is_some_and(|needs| !needs[content])
                {
                    continue;
                }
                if line.last == Some(component) {
                    here.complete |= 1 << line.set;
                } else {
                    here.open |= 1 << line.set;
                    self.open.push(number);
                }
            }
            let near = self.nearest.as_mut().map_or(0, |(nearest, _)| {
                nearest.descend(component, content, begin.near)
            });
            self.descend(
                component + 1,
                outer * self.sizes[component] + content,
                Begin { open: end, near },
                here,
            );
            // The stack is cut back, so that every content begins with the lines that the
            // components before this one allow.
            self.open.truncate(end);
            self.nearest
                .iter_mut()
                .for_each(|(nearest, _)| nearest.truncate(near));
        }
    }

    /// Fills the values of positions that have the same ending.
    fn end(&mut self, positions: Range<usize>, ending: Ending) {
        let value = D::narrow(self.board.turns.worth(ending, self.left));
        self.out
            .iter_mut()
            .for_each(|out| out[positions.clone()].fill(value));
    }

    /// Computes a chunk.
    fn work_out(&mut self, outer: usize, begin: Begin, complete: u64) {
        for (set, bits) in self.complete.iter_mut().enumerate() {
            bits.fill(if complete >> set & 1 != 0 {
                u64::MAX
            } else {
                0
            });
        }
        for number in &self.open[begin.open..] {
            let line = &self.board.lines[*number as usize];
            if let Some(pattern) = self.patterns.of(*number as usize, line, self.levels) {
                let bits = &mut self.complete[line.set];
                bits.iter_mut()
                    .zip(pattern)
                    .for_each(|(bits, pattern)| *bits |= pattern);
            }
        }
        for lane in 0..self.out.len() {
            if self.left == 0 {
                let leaf = D::narrow(self.board.turns.worth(self.board.leaves[lane], 0));
                let out = &mut self.out[lane][outer * self.chunk..][..self.chunk];
                match (&self.nearest, self.board.leaves[lane]) {
                    // A position that is given to one player is worth less to that player if the
                    // other has routes.
                    (Some((nearest, worths)), Ending::Win(given)) => {
                        let winner = given.other();
                        nearest.write(out, winner, begin.near, &worths[winner]);
                    }
                    (_, Ending::Win(_) | Ending::Draw) => out.fill(leaf),
                }
            } else if self.moves.is_empty() {
                let stuck = self.stuck();
                self.out[lane][outer * self.chunk..][..self.chunk].fill(stuck);
            } else {
                self.gather(outer, lane);
                let out = &mut self.out[lane][outer * self.chunk..][..self.chunk];
                let rule = self.board.turns.rule();
                rule.settle_all(&self.least, &self.greatest, out);
            }
        }
        self.overlay(outer);
    }

    /// Returns the value of positions where nobody can move.
    fn stuck(&self) -> D {
        let TruncatedBoard {
            product,
            turns,
            seeker,
            ..
        } = self.board;
        let side = |player: Player| {
            // The rule takes values one move later, whose scale is that of the moves left then.
            product.stuck[player].map(|ending| S::narrow(turns.worth(ending, self.left - 1)))
        };
        match (side(*seeker), side(seeker.other())) {
            (Some(least), Some(greatest)) => turns.rule().settle(least, greatest),
            (Some(only), None) | (None, Some(only)) => turns.rule().settle(only, only),
            (None, None) => D::narrow(turns.worth(Ending::Draw, self.left)),
        }
    }

    /// Overwrites the computed values of positions that have ended; this costs less than skipping
    /// them.
    fn overlay(&mut self, outer: usize) {
        let turns = &self.board.turns;
        for word in 0..self.chunk.div_ceil(64) {
            let complete = &self.complete;
            for (ending, ended) in self
                .endings
                .words(|set| complete[set][word])
                .filter(|(_, ended)| *ended != 0)
            {
                let value = D::narrow(turns.worth(ending, self.left));
                for out in &mut self.out {
                    let out = &mut out[outer * self.chunk..][..self.chunk][64 * word..];
                    for (place, out) in out.iter_mut().take(64).enumerate() {
                        if ended >> place & 1 != 0 {
                            *out = value;
                        }
                    }
                }
            }
        }
    }

    /// Computes the least and the greatest value that moves lead to, for the positions of a chunk.
    fn gather(&mut self, outer: usize, lane: usize) {
        self.least.fill(S::max_value());
        self.greatest.fill(S::min_value());
        let (mut least, mut greatest) = (
            std::mem::take(&mut self.least),
            std::mem::take(&mut self.greatest),
        );
        let mut room = std::mem::take(&mut self.spread);
        for (moves, source) in self.moves.iter().zip(&self.sources[lane]) {
            self.lead(
                moves,
                source,
                outer,
                self.board.seeker,
                Gathered {
                    best: &mut least,
                    room: &mut room,
                },
                S::min,
            );
            self.lead(
                moves,
                source,
                outer,
                self.board.seeker.other(),
                Gathered {
                    best: &mut greatest,
                    room: &mut room,
                },
                S::max,
            );
        }
        (self.least, self.greatest, self.spread) = (least, greatest, room);
    }

    /// Includes the values that a player's moves in one component lead to.
    fn lead(
        &self,
        moves: &ComponentMoves<'_>,
        source: &[S],
        outer: usize,
        player: Player,
        into: Gathered<'_, S>,
        better: impl Fn(S, S) -> S + Copy,
    ) {
        let Gathered { best, room } = into;
        let size = self.sizes[moves.component];
        let steps = &moves.steps[player];
        // A move in a component inside the chunk leads to parts of one source, a move in one
        // outside to another chunk as a whole.
        if moves.component >= self.first {
            let len = self.chunk / size * moves.next;
            let inner = self.sizes[moves.component + 1..].iter().product();
            let steps = ComponentSteps {
                of: steps,
                next: moves.next,
                inner,
            };
            return fold_inner(best, &source[outer * len..][..len], steps, room, better);
        }
        // The number of combinations of contents of the components between this one and the chunks.
        let between: usize = self.sizes[moves.component + 1..self.first].iter().product();
        let (above, content, below) = (
            outer / between / size,
            outer / between % size,
            outer % between,
        );
        for to in &steps[content] {
            let place = (above * moves.next + *to as usize) * between + below;
            fold(best, &source[place * self.chunk..][..self.chunk], better);
        }
    }
}
