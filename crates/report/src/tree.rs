//! The optimal moves from a position onwards.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::block::{Block, Cell, Grid, Medium};
use super::picture::Picture;
use bid_language::player::Player;
use bid_language::scalar::Scalar;

/// The optimal moves from a position onwards: a graph, since lines of play may meet again.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "tree")]
pub struct Tree {
    /// What the values are: `R`, `f`.
    pub measure: String,
    /// The vertices; the first is the start.
    pub nodes: Vec<TreeNode>,
}

/// A vertex of a [`Tree`].
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct TreeNode {
    /// The position.
    pub position: String,
    /// Whether the cells of its board are hexagons.
    #[serde(skip)]
    pub hexagons: bool,
    /// Its value.
    pub value: Scalar,
    /// Who moves there without a bid, if it is somebody's turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Player>,
    /// The optimal moves.
    pub moves: Vec<TreeMove>,
    /// Whether these are all of them.
    pub rest: Rest,
}

/// An edge of a [`Tree`].
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct TreeMove {
    /// Who moves.
    pub player: Player,
    /// The move's name; may be empty.
    #[serde(rename = "move")]
    pub action: String,
    /// The index of the vertex it leads to.
    pub to: usize,
}

impl TreeNode {
    /// Who moves there without a bid, in words; nothing where both bid.
    pub fn turn_words(&self, before: &str) -> String {
        self.turn.map_or(String::new(), |player| {
            format!("{before}{} to move", player.word())
        })
    }
}

/// Why a vertex of a [`Tree`] has no moves, or that it has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rest {
    /// All optimal moves are there.
    Shown,
    /// Nothing is open any more: it is won, lost or drawn whoever moves.
    Decided,
    /// The moves are left out: it lies at the depth that was asked for.
    LeftOut,
}

impl Tree {
    /// In a spreadsheet a row for each optimal move, with both positions and their values.
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        if medium != Medium::Sheet {
            return Block::Picture(Picture::Tree(self));
        }
        let edges = self
            .nodes
            .iter()
            .flat_map(|tail| tail.moves.iter().map(move |edge| self.row(tail, edge)));
        Block::Grid(Grid::sheet(
            ["from", &self.measure, "player", "move", "to", &self.measure],
            edges,
        ))
    }

    fn row<'a>(&'a self, tail: &'a TreeNode, edge: &'a TreeMove) -> [Cell<'a>; 6] {
        let head = &self.nodes[edge.to];
        [
            Cell::text(tail.position.as_str()),
            Cell::value(&tail.value),
            Cell::text(edge.player.word()),
            Cell::text(edge.action.as_str()),
            Cell::text(head.position.as_str()),
            Cell::value(&head.value),
        ]
    }
}
