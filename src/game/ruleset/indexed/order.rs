//! The order of contents: every move lowers the height of a part that it changes.
//!
//! The *height* of a content is the length of the longest chain of moves in its part alone. Where a part can return to a
//! content (whose turn it is, say) it has no heights; such a part is no obstacle as long as every move lowers another.

use indexmap::IndexSet;

use super::parts::{Part, Piece, Transition};

/// The heights of a part's contents, or `None` if it can return to one.
pub type Heights = Option<Vec<u32>>;

/// Numbers the contents of every part by height, and within a height in the order of their discovery. The heights
/// afterwards, by number; `None` if a move need not lower any.
pub fn sort(parts: &mut [Part], pieces: &mut [Piece]) -> Option<Vec<Heights>> {
    let mut all = Vec::new();
    for (index, part) in parts.iter_mut().enumerate() {
        let heights = heights(part.contents.len(), &steps(index, pieces));
        let ranks = ranks(heights.as_deref().unwrap_or(&vec![0; part.contents.len()]));
        renumber(index, part, pieces, &ranks);
        all.push(heights.map(|mut heights| {
            heights.sort_unstable();
            heights
        }));
    }
    let lowers = |piece: &Piece, (from, to): &Transition| {
        let mut changes = piece.parts.iter().zip(from.iter().zip(to));
        changes.any(|(part, (from, to))| from != to && all[*part].is_some())
    };
    let every = pieces.iter().all(|piece| piece.transitions.iter().all(|transition| lowers(piece, transition)));
    every.then_some(all)
}

/// What the moves change a part's contents to.
fn steps(part: usize, pieces: &[Piece]) -> Vec<(u32, u32)> {
    let mut steps = Vec::new();
    for piece in pieces {
        if let Some(place) = piece.parts.iter().position(|other| *other == part) {
            steps.extend(piece.transitions.iter().map(|(from, to)| (from[place], to[place])));
        }
    }
    steps.retain(|(from, to)| from != to);
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// The longest chains, by taking away contents from which no step is left (Kahn, 1962).
fn heights(contents: usize, steps: &[(u32, u32)]) -> Heights {
    let mut left = vec![0_u32; contents];
    let mut sources = vec![Vec::new(); contents];
    for &(from, to) in steps {
        left[from as usize] += 1;
        sources[to as usize].push(from);
    }
    let mut heights = vec![0; contents];
    let mut open: Vec<usize> = (0..contents).filter(|content| left[*content] == 0).collect();
    let mut closed = 0;
    while let Some(content) = open.pop() {
        closed += 1;
        for &source in &sources[content] {
            let source = source as usize;
            heights[source] = heights[source].max(heights[content] + 1);
            left[source] -= 1;
            if left[source] == 0 {
                open.push(source);
            }
        }
    }
    (closed == contents).then_some(heights)
}

/// The new number of each content.
fn ranks(heights: &[u32]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by_key(|content| heights[*content]);
    let mut ranks = vec![0; heights.len()];
    for (rank, content) in (0..).zip(order) {
        ranks[content] = rank;
    }
    ranks
}

fn renumber(index: usize, part: &mut Part, pieces: &mut [Piece], ranks: &[u32]) {
    let mut contents: Vec<_> = ranks.iter().zip(part.contents.iter().cloned()).collect();
    contents.sort_unstable_by_key(|(rank, _)| **rank);
    part.contents = IndexSet::from_iter(contents.into_iter().map(|(_, content)| content));
    for piece in pieces {
        let Some(place) = piece.parts.iter().position(|other| *other == index) else { continue };
        for (from, to) in &mut piece.transitions {
            (from[place], to[place]) = (ranks[from[place] as usize], ranks[to[place] as usize]);
        }
    }
}
