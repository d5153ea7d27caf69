//! Classes where they can be had: of all positions, or of those from which play always ends.

use std::rc::Rc;

use super::solve::{ClassId, Sequences};
use crate::diagnostic::Result;
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::Ending;
use crate::rules::Rules;
use crate::watch::Watch;

/// The sequences of the positions of a game for which they are known.
#[derive(Debug, Clone)]
pub struct Known {
    sequences: Rc<Sequences>,
    /// The positions that are known; `None` if all are.
    positions: Option<Vec<bool>>,
}

impl Known {
    /// All positions of a solved game.
    pub fn all(sequences: Rc<Sequences>) -> Self {
        Self {
            sequences,
            positions: None,
        }
    }

    /// Solves the positions that do not lead to a cycle, for games of which the cycles have no
    /// closed form.
    ///
    /// # Errors
    /// As [`Sequences::solve`] of a game without cycles.
    pub fn where_play_ends(graph: &GameGraph, rules: &Rules, watch: &dyn Watch) -> Result<Self> {
        let mut ends = vec![true; graph.len()];
        for (members, cyclic) in graph.components().iter() {
            let leads_on = members
                .iter()
                .any(|&node| graph.all_successors(node).any(|head| !ends[head.index()]));
            members
                .iter()
                .for_each(|node| ends[node.index()] = !cyclic && !leads_on);
        }
        let mut builder = GameGraphBuilder::default();
        for node in graph.nodes() {
            if ends[node.index()] {
                let [alice, bob] =
                    crate::player::Player::BOTH.map(|player| graph.successors(node, player));
                builder.push(graph.ending(node), alice, bob);
            } else {
                builder.push(Some(Ending::Draw), &[], &[]);
            }
        }
        let sequences = Rc::new(Sequences::solve(
            &builder.finish(graph.start()),
            rules,
            watch,
        )?);
        Ok(Self {
            sequences,
            positions: Some(ends),
        })
    }

    /// The class of a position, if it is known.
    pub fn class(&self, node: NodeId) -> Option<ClassId> {
        let known = self
            .positions
            .as_ref()
            .is_none_or(|known| known[node.index()]);
        known.then(|| self.sequences.class(node))
    }

    /// What the classes are of.
    pub fn sequences(&self) -> &Sequences {
        &self.sequences
    }
}
