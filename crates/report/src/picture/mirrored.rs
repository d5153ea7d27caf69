//! Computes layered drawings that are symmetric about a level line, such as those of partial orders
//! that are reversed when the players are exchanged.
//!
//! A box lies as far above the line as its image lies below it. The upper half of the drawing is
//! ordered and placed as in [`layered`](super::layered), and the lower half is its reflection.

use std::collections::HashMap;

use super::layered::{Boxes, DrawingPlaces, LayeredGraph, LayeredNode, placed};
use bid_language::watch::{Context, Stop};

/// The distance from the line at which two edges pass that are each other's images and cross.
const APART: f64 = 5.0;

/// Places boxes and edges, symmetrically under `mirror`. Returns `None` if the edges are not
/// symmetric, or have cycles.
pub(super) fn place(
    boxes: Boxes<'_>,
    mirror: &[usize],
    context: &Context<'_>,
) -> Result<Option<DrawingPlaces>, Stop> {
    let Some(images) = images_of_edges(boxes.edges, mirror) else {
        return Ok(None);
    };
    let Some(ranks) = ranks(boxes, mirror) else {
        return Ok(None);
    };
    let down = vec![true; boxes.edges.len()];
    let layers = LayeredGraph::of(boxes, &down, &ranks);
    let image = images_of_nodes(&layers, mirror, &images);
    let half = UpperHalf::of(&layers, &image);
    let mut folded = half.graph;
    folded.order(context)?;
    let xs = boxes.across(&folded, context)?;
    let x = |(node, at): (usize, &usize)| {
        let crosses = image[node] != node && half.on_line[*at];
        let aside = match (crosses, node < image[node]) {
            (false, _) => 0.0,
            // Two edges that are each other's images would lie on one point of the line.
            (true, true) => -APART,
            (true, false) => APART,
        };
        xs[*at] + aside
    };
    let xs: Vec<f64> = half.index.iter().enumerate().map(x).collect();
    Ok(Some(placed(boxes, &layers, &xs)))
}

/// Returns the index of each edge's image, from the image of its head to that of its tail.
fn images_of_edges(edges: &[(usize, usize)], mirror: &[usize]) -> Option<Vec<usize>> {
    let index_of: HashMap<(usize, usize), usize> = edges
        .iter()
        .enumerate()
        .map(|(index, edge)| (*edge, index))
        .collect();
    let image = |&(tail, head): &(usize, usize)| {
        index_of
            .get(&(*mirror.get(head)?, *mirror.get(tail)?))
            .copied()
    };
    edges.iter().map(image).collect()
}

/// Returns the row of each box: half-way between the highest row that the edges allow and the
/// lowest.
fn ranks(boxes: Boxes<'_>, mirror: &[usize]) -> Option<Vec<usize>> {
    let count = boxes.sizes.len();
    let mut depth = vec![0_usize; count];
    for round in 0..=count {
        let mut is_changed = false;
        for &(tail, head) in boxes.edges {
            if depth[head] <= depth[tail] {
                depth[head] = depth[tail] + 1;
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
        // Without a cycle the depths no longer change after as many rounds as there are boxes.
        if round == count {
            return None;
        }
    }
    let deepest = depth.iter().copied().max().unwrap_or(0);
    let mut ranks: Vec<usize> = (0..count)
        // Doubled ranks leave odd ones free for boxes that are moved off the line.
        .map(|each| 2 * depth[each] + 2 * (deepest - depth[mirror[each]]))
        .collect();
    let line = 2 * deepest;
    for each in 0..count {
        // A box on the line that is not its own image is moved off it.
        if ranks[each] == line && each < mirror[each] {
            (ranks[each], ranks[mirror[each]]) = (line - 1, line + 1);
        }
    }
    let mut used = ranks.clone();
    used.sort_unstable();
    used.dedup();
    let row = |rank: &usize| used.binary_search(rank).unwrap_or(0);
    Some(ranks.iter().map(row).collect())
}

/// Returns the image of each node. The joints of an edge are those of its image in reverse order.
fn images_of_nodes(layers: &LayeredGraph, mirror: &[usize], images: &[usize]) -> Vec<usize> {
    let mut image: Vec<usize> = (0..layers.nodes.len()).collect();
    image[..mirror.len()].copy_from_slice(mirror);
    for (chain, other) in layers.chains.iter().zip(images) {
        for (node, reflected) in chain.iter().zip(layers.chains[*other].iter().rev()) {
            image[*node] = *reflected;
        }
    }
    image
}

/// The rows above the line and on it.
struct UpperHalf {
    /// The nodes of these rows. A node on the line and its image are one.
    graph: LayeredGraph,
    /// The node of the half that stands for each node of the whole.
    index: Vec<usize>,
    /// `true` for each node of the half that lies on the line.
    on_line: Vec<bool>,
}

impl UpperHalf {
    fn of(layers: &LayeredGraph, image: &[usize]) -> Self {
        let count = layers.rows.len();
        let height = count.div_ceil(2);
        let mut half = Self {
            graph: LayeredGraph {
                rows: vec![Vec::new(); height],
                ..LayeredGraph::default()
            },
            index: vec![usize::MAX; layers.nodes.len()],
            on_line: Vec::new(),
        };
        let mut row_of = vec![0; layers.nodes.len()];
        for (row, nodes) in layers.rows.iter().enumerate() {
            for &node in nodes {
                row_of[node] = row;
                // The image of this node may already stand for it.
                if row >= height || half.index[node] != usize::MAX {
                    continue;
                }
                let (own, other) = (layers.nodes[node], layers.nodes[image[node]]);
                let both = LayeredNode {
                    reach: [0, 1].map(|side| own.reach[side].max(other.reach[side])),
                    height: own.height.max(other.height),
                    is_joint: own.is_joint && other.is_joint,
                };
                let index = half.graph.add(both, row);
                half.on_line.push(2 * row + 1 == count);
                half.index[node] = index;
                half.index[image[node]] = index;
            }
        }
        for (upper, lowers) in layers.neighbours[1].iter().enumerate() {
            for &lower in lowers {
                if row_of[lower] < height {
                    let (upper, lower) = (half.index[upper], half.index[lower]);
                    half.graph.neighbours[1][upper].push(lower);
                    half.graph.neighbours[0][lower].push(upper);
                }
            }
        }
        half
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places boxes of equal size.
    fn placed(edges: &[(usize, usize)], mirror: &[usize]) -> Option<DrawingPlaces> {
        let sizes = vec![(20.0, 10.0); mirror.len()];
        let boxes = Boxes {
            sizes: &sizes,
            borders: &vec![20.0; mirror.len()],
            edges,
            labels: &vec![(0.0, 0.0); edges.len()],
            is_order: true,
            mirror: Some(mirror),
        };
        place(boxes, mirror, Context::plain()).expect("nothing stops it")
    }

    #[test]
    fn images_lie_opposite() {
        // A hexagon with a tail at both ends, whose sides have images on the same side.
        let edges = [
            (0, 1),
            (1, 2),
            (1, 3),
            (2, 4),
            (3, 5),
            (4, 6),
            (5, 6),
            (6, 7),
        ];
        let mirror = [7, 6, 4, 5, 2, 3, 1, 0];
        let places = placed(&edges, &mirror).expect("it is symmetric");
        let line = places.middles[0].1 + places.middles[7].1;
        for (each, other) in mirror.into_iter().enumerate() {
            let (own, image) = (places.middles[each], places.middles[other]);
            assert!((own.0 - image.0).abs() < 1e-6, "{places:?}");
            assert!((own.1 + image.1 - line).abs() < 1e-6, "{places:?}");
        }
    }

    #[test]
    fn boxes_that_are_not_comparable_with_their_images_stand_off_the_line() {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3)];
        let places = placed(&edges, &[3, 2, 1, 0]).expect("it is symmetric");
        assert!(places.middles[1].1 < places.middles[2].1, "{places:?}");
        assert!(
            placed(&[(0, 1)], &[0, 1]).is_none(),
            "the edge has no image"
        );
        assert!(placed(&[(0, 1), (1, 0)], &[0, 1]).is_none(), "a cycle");
    }
}
