//! The order of contents, in which every move lowers the height of a part that it changes.
//!
//! The *height* of a content is the length of the longest chain of moves in its part alone. A part
//! that can return to a content has no heights at first. But a move that lowers a part with heights
//! may change the others in any way, as long as that part is more significant: so the remaining
//! parts are examined again without these moves, *stage* by stage. (For example, a piece may change
//! its colour once: the flag that records this comes first.) A part that no move lowers in the end,
//! such as the player to move, has no heights; that is no obstacle as long as every move lowers
//! another part.

use indexmap::IndexSet;

use super::parts::{MovePiece, StatePart, Transition};
use crate::player::Player;

/// The heights of a part's contents, or `None` if it can return to a content.
pub type Heights = Option<Vec<u32>>;

/// Numbers the contents of every part so that the moves of its stage lead to lesser numbers; parts
/// of earlier stages come first, those without heights last. Returns the heights by number, chosen
/// so that every move lowers their sum over the parts, even if it changes several; `None` if a move
/// need not lower any part.
///
/// Contents are numbered depth first, each after all that its moves lead to. Then at any time there
/// are few contents that have been processed and are still needed, about one for each move of a
/// play.
pub fn sort(parts: &mut Vec<StatePart>, pieces: &mut [MovePiece]) -> Option<SortedParts> {
    let mut stages = Stages::new(parts, pieces);
    while stages.advance(pieces) {}
    // Some move lowers no part, so a play may return to a position.
    if !stages.is_complete() {
        return None;
    }
    let mut heights = stages.weighted(pieces)?;
    for (index, part) in parts.iter_mut().enumerate() {
        if let Some(ranks) = stages.ranks[index].take() {
            renumber(index, part, &mut heights[index], pieces, &ranks);
        }
    }
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|part| stages.of[*part].unwrap_or(usize::MAX));
    rearrange(parts, pieces, &mut heights, &order);
    Some(SortedParts {
        heights,
        stages: order.into_iter().map(|part| stages.of[part]).collect(),
    })
}

/// The heights and stages of sorted parts.
pub struct SortedParts {
    /// The heights of each part.
    pub heights: Vec<Heights>,
    /// The stage at which each part got its heights.
    pub stages: Vec<Option<usize>>,
}

/// Numbers the contents of a part by height, and within a height by their bits, with either the
/// first or the last bit as the most significant one. It chooses the order in which more contents
/// have the same distances to the contents that moves lead to as their neighbours, so that many
/// contents of a row can be processed at a time.
pub fn by_height(
    index: usize,
    part: &mut StatePart,
    heights: &mut Heights,
    pieces: &mut [MovePiece],
) {
    let Some(known) = heights else { return };
    let last_first = |content: &usize| (known[*content], part.contents[*content].0.to_vec());
    let first_first = |content: &usize| {
        let words = part.contents[*content].0.iter().rev();
        (
            known[*content],
            words.map(|word| word.reverse_bits()).collect::<Vec<_>>(),
        )
    };
    let steps = steps_within(index, known.len(), pieces);
    let (last_first, first_first) = (
        sorted(known.len(), last_first),
        sorted(known.len(), first_first),
    );
    // Fewer breaks make longer runs of contents that are processed together.
    let ranks = if breaks(&first_first, &steps) < breaks(&last_first, &steps) {
        first_first
    } else {
        last_first
    };
    renumber(index, part, heights, pieces, &ranks);
}

/// Returns the ranks of contents when sorted by a key.
fn sorted<K: Ord>(contents: usize, key: impl Fn(&usize) -> K) -> Vec<u32> {
    let mut order: Vec<usize> = (0..contents).collect();
    order.sort_by_cached_key(key);
    let mut ranks = vec![0; contents];
    for (rank, content) in (0..).zip(order) {
        ranks[content] = rank;
    }
    ranks
}

/// Returns, for each content, the other contents of the part that moves lead to, with the movers.
fn steps_within(index: usize, contents: usize, pieces: &[MovePiece]) -> Vec<Vec<(Player, u32)>> {
    let mut steps = vec![Vec::new(); contents];
    for piece in pieces {
        let Some(place) = piece.parts.iter().position(|part| *part == index) else {
            continue;
        };
        for (from, to) in &piece.transitions {
            steps[from[place] as usize].push((piece.player, to[place]));
        }
    }
    steps
}

/// Counts the adjacent pairs of contents whose steps lead to different distances.
fn breaks(ranks: &[u32], steps: &[Vec<(Player, u32)>]) -> usize {
    let mut by_rank = vec![Vec::new(); ranks.len()];
    for (rank, steps) in ranks.iter().zip(steps) {
        let far = |(player, to): &(Player, u32)| {
            (*player, i64::from(*rank) - i64::from(ranks[*to as usize]))
        };
        let mut away: Vec<(Player, i64)> = steps.iter().map(far).collect();
        away.sort_unstable();
        by_rank[*rank as usize] = away;
    }
    by_rank.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// Rearranges the parts in an order that is given as their old indices.
pub fn rearrange(
    parts: &mut Vec<StatePart>,
    pieces: &mut [MovePiece],
    heights: &mut Vec<Heights>,
    order: &[usize],
) {
    let mut places = vec![0; order.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(place, part)| places[*part] = place);
    *parts = order.iter().map(|part| parts[*part].clone()).collect();
    *heights = order.iter().map(|part| heights[*part].take()).collect();
    for piece in pieces {
        piece
            .parts
            .iter_mut()
            .for_each(|part| *part = places[*part]);
    }
}

/// The parts that have heights so far, and the moves that lower them.
struct Stages {
    heights: Vec<Heights>,
    /// The stage at which each part got its heights.
    of: Vec<Option<usize>>,
    /// For each part, the number of each content, such that the moves of its stage lead to lesser
    /// numbers.
    ranks: Vec<Option<Vec<u32>>>,
    /// For each piece and transition, the stage of the parts that it lowers.
    lowered: Vec<Vec<Option<usize>>>,
    count: usize,
    sizes: Vec<usize>,
}

impl Stages {
    fn new(parts: &[StatePart], pieces: &[MovePiece]) -> Self {
        Self {
            heights: vec![None; parts.len()],
            of: vec![None; parts.len()],
            ranks: vec![None; parts.len()],
            lowered: pieces
                .iter()
                .map(|piece| vec![None; piece.transitions.len()])
                .collect(),
            count: 0,
            sizes: parts.iter().map(|part| part.contents.len()).collect(),
        }
    }

    /// Finds the heights of more parts; returns `true` if some move lowers one of them.
    fn advance(&mut self, pieces: &[MovePiece]) -> bool {
        let mut found = false;
        for part in 0..self.sizes.len() {
            let steps = self.steps(part, pieces);
            // Later stages take only parts that some remaining move changes.
            let wanted = self.of[part].is_none() && (self.count == 0 || !steps.is_empty());
            if wanted && let Some((ranks, heights)) = depth_first(self.sizes[part], &steps) {
                (self.heights[part], self.of[part]) = (Some(heights), Some(self.count));
                self.ranks[part] = Some(ranks);
                found |= !steps.is_empty();
            }
        }
        for (piece, lowered) in pieces.iter().zip(&mut self.lowered) {
            for ((from, to), lowered) in piece
                .transitions
                .iter()
                .zip(lowered)
                .filter(|(_, lowered)| lowered.is_none())
            {
                let mut changes = piece.parts.iter().zip(from.iter().zip(to));
                let lowers = changes
                    .any(|(part, (from, to))| from != to && self.of[*part] == Some(self.count));
                *lowered = lowers.then_some(self.count);
            }
        }
        self.count += 1;
        found
    }

    /// Returns the changes of a part's content by the moves that lower nothing yet.
    fn steps(&self, part: usize, pieces: &[MovePiece]) -> Vec<(u32, u32)> {
        let mut steps = Vec::new();
        for (piece, lowered) in pieces.iter().zip(&self.lowered) {
            if let Some(place) = piece.parts.iter().position(|other| *other == part) {
                let open = piece
                    .transitions
                    .iter()
                    .zip(lowered)
                    .filter(|(_, lowered)| lowered.is_none());
                steps.extend(open.map(|((from, to), _)| (from[place], to[place])));
            }
        }
        // A move that leaves the part unchanged neither lowers nor raises it.
        steps.retain(|(from, to)| from != to);
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// Returns `true` if every move lowers a part.
    fn is_complete(&self) -> bool {
        self.lowered.iter().flatten().all(Option::is_some)
    }

    /// Returns the heights, with those of each stage weighted so that a move lowers them by more
    /// than it raises those of later stages; `None` if sums of them need more than 32 bits.
    fn weighted(&mut self, pieces: &[MovePiece]) -> Option<Vec<Heights>> {
        // Later stages are weighted first, because earlier ones have to outweigh them.
        for stage in (0..self.count).rev() {
            let rise =
                |piece: &MovePiece, (from, to): &Transition| {
                    let rises = piece.parts.iter().zip(from.iter().zip(to)).filter_map(
                        |(part, (from, to))| {
                            let heights = self.heights[*part]
                                .as_ref()
                                .filter(|_| self.of[*part] > Some(stage))?;
                            Some(heights[*to as usize].saturating_sub(heights[*from as usize]))
                        },
                    );
                    rises.fold(0, u32::saturating_add)
                };
            let lowering = pieces
                .iter()
                .zip(&self.lowered)
                .flat_map(|(piece, lowered)| {
                    let of_stage = piece
                        .transitions
                        .iter()
                        .zip(lowered)
                        .filter(|(_, lowered)| **lowered == Some(stage));
                    of_stage.map(move |(transition, _)| (piece, transition))
                });
            let weight = lowering
                .map(|(piece, transition)| rise(piece, transition))
                .max()
                .unwrap_or(0)
                // One more than the greatest rise makes the sum fall with every move.
                .checked_add(1)?;
            let parts = (0..self.sizes.len())
                .filter(|part| self.of[*part] == Some(stage))
                .collect::<Vec<_>>();
            for part in parts {
                for height in self.heights[part].iter_mut().flatten() {
                    *height = height.checked_mul(weight)?;
                }
            }
        }
        let greatest = |heights: &Heights| heights.iter().flatten().max().copied().unwrap_or(0);
        let sums = self.heights.iter().map(greatest).map(u64::from);
        u32::try_from(sums.sum::<u64>()).ok()?;
        Some(std::mem::take(&mut self.heights))
    }
}

/// Numbers the contents depth first, each after all that its steps lead to, and computes the lengths
/// of the longest chains; returns `None` if the steps have a cycle.
fn depth_first(contents: usize, steps: &[(u32, u32)]) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut heads = vec![Vec::new(); contents];
    steps
        .iter()
        .for_each(|(from, to)| heads[*from as usize].push(*to as usize));
    let (mut ranks, mut next) = (vec![u32::MAX; contents], 0);
    for start in 0..contents {
        let mut path = vec![start];
        while let Some(&content) = path.last() {
            // An explicit stack is used, because chains of contents can be long.
            match heads[content].pop() {
                Some(head) if ranks[head] == u32::MAX => path.push(head),
                Some(_) => {}
                None => {
                    path.pop();
                    if ranks[content] == u32::MAX {
                        ranks[content] = next;
                        next += 1;
                    }
                }
            }
        }
    }
    // Only on a cycle is a content numbered before one that it leads to.
    let falls = |(from, to): &(u32, u32)| ranks[*from as usize] > ranks[*to as usize];
    let mut steps = steps.to_vec();
    steps.sort_by_key(|(from, _)| ranks[*from as usize]);
    let mut heights = vec![0; contents];
    for (from, to) in &steps {
        heights[*from as usize] = heights[*from as usize].max(heights[*to as usize] + 1);
    }
    steps.iter().all(falls).then_some((ranks, heights))
}

fn renumber(
    index: usize,
    part: &mut StatePart,
    heights: &mut Heights,
    pieces: &mut [MovePiece],
    ranks: &[u32],
) {
    let mut contents: Vec<_> = ranks.iter().zip(part.contents.iter().cloned()).collect();
    contents.sort_unstable_by_key(|(rank, _)| **rank);
    part.contents = IndexSet::from_iter(contents.into_iter().map(|(_, content)| content));
    if let Some(heights) = heights {
        let old = heights.clone();
        ranks
            .iter()
            .zip(old)
            .for_each(|(rank, height)| heights[*rank as usize] = height);
    }
    for piece in pieces {
        let Some(place) = piece.parts.iter().position(|other| *other == index) else {
            continue;
        };
        for (from, to) in &mut piece.transitions {
            (from[place], to[place]) = (ranks[from[place] as usize], ranks[to[place] as usize]);
        }
    }
}
