//! The steepest of a few paths, exactly: Dinkelbach's method in rationals, for paths that floats
//! cannot distinguish.

use std::collections::BinaryHeap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};

/// A path from its greatest value to its least. Both ends are solved, the vertices between them are
/// not.
pub(super) type VertexPath = Vec<u32>;

/// The vertices that the steepest path may lead through.
pub(super) struct Candidates<'a, N> {
    /// The neighbours of a vertex.
    pub(super) neighbours: N,
    /// The values of the solved vertices.
    pub(super) values: &'a [Option<BigRational>],
    /// The other vertices that may be used.
    pub(super) through: FxHashSet<u32>,
}

/// The height above a line that a path from a solved vertex reaches, and the vertex before.
type PathReach = FxHashMap<u32, (BigRational, u32)>;

impl<'a, N: Fn(u32) -> &'a [u32]> Candidates<'a, N> {
    /// Returns the steepest path through the candidates. It is at least as steep as `first`.
    pub(super) fn steepest(&self, first: VertexPath) -> VertexPath {
        let mut best = first;
        loop {
            let slope = self.slope(&best);
            let [above, below] = [1, -1].map(|sign| self.pass(&slope, sign));
            let excess = |vertex: &u32| Some(&above.get(vertex)?.0 + &below.get(vertex)?.0);
            let most = self
                .through
                .iter()
                .filter_map(|vertex| Some((excess(vertex)?, *vertex)))
                .max();
            match most {
                // A positive excess means a strictly steeper path, so the slopes increase and the
                // loop ends.
                Some((excess, through)) if excess.is_positive() => {
                    best = self.path(through, &above, &below)
                }
                Some(_) | None => return best,
            }
        }
    }

    fn value(&self, vertex: u32) -> Option<&'a BigRational> {
        self.values[vertex as usize].as_ref()
    }

    fn slope(&self, path: &[u32]) -> BigRational {
        let end = |vertex: u32| self.value(vertex).expect("a path ends at solved vertices");
        (end(path[0]) - end(path[path.len() - 1])) / BigInt::from(path.len() - 1)
    }

    /// Computes for each candidate the greatest height above a line of this slope of a path from
    /// above (sign 1) or, with all values negated, from below.
    fn pass(&self, slope: &BigRational, sign: i32) -> PathReach {
        let (mut reached, mut queue) = (PathReach::default(), BinaryHeap::new());
        for &vertex in &self.through {
            let solved = (self.neighbours)(vertex)
                .iter()
                .filter_map(|head| Some((self.value(*head)? * BigInt::from(sign), *head)));
            if let Some((value, head)) = solved.max() {
                queue.push((value - slope, vertex, head));
            }
        }
        while let Some((reach, vertex, from)) = queue.pop() {
            // Each step lowers the height by a positive slope, so the first entry popped is the
            // highest.
            if reached.contains_key(&vertex) {
                continue;
            }
            for head in (self.neighbours)(vertex) {
                if self.through.contains(head) && !reached.contains_key(head) {
                    queue.push((&reach - slope, *head, vertex));
                }
            }
            reached.insert(vertex, (reach, from));
        }
        reached
    }

    fn path(&self, through: u32, above: &PathReach, below: &PathReach) -> VertexPath {
        let side = |reached: &PathReach| {
            let mut path = vec![through];
            while let Some((_, from)) = path.last().and_then(|vertex| reached.get(vertex)) {
                path.push(*from);
            }
            path
        };
        side(above)
            .into_iter()
            .rev()
            .chain(side(below).into_iter().skip(1))
            .collect()
    }
}
