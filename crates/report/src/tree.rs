//! The optimal moves from a position onwards.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::block::{Block, Cell, Medium};
use super::picture::{BoardLook, Picture};
use bid_language::player::Player;
use bid_language::scalar::Scalar;

/// The optimal moves from a position onwards. They form a graph, since lines of play may meet
/// again.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "tree")]
pub struct Tree {
    /// The quantity of the values: `R`, `f`.
    pub measure: String,
    /// The vertices; the first is the start.
    pub nodes: Vec<TreeNode>,
}

/// A vertex of a [`Tree`].
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct TreeNode {
    /// The position.
    pub position: String,
    /// The drawing of its board, if it is one.
    #[serde(skip)]
    pub board: BoardLook,
    /// Its value.
    pub value: Scalar,
    /// The player who moves there without a bid, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Player>,
    /// The income before the bid there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub income: Vec<TreeIncome>,
    /// The optimal moves.
    pub moves: Vec<TreeMove>,
    /// The reason why moves are missing, if any are.
    pub rest: Rest,
}

/// The income of a player before a bid.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct TreeIncome {
    /// The player who receives it.
    pub player: Player,
    /// The part of all money.
    pub part: Scalar,
}

/// An edge of a [`Tree`].
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct TreeMove {
    /// The player who moves.
    pub player: Player,
    /// The move's name, which may be empty.
    #[serde(rename = "move")]
    pub action: String,
    /// The number of best moves of the player there, of which this is one.
    pub choices: usize,
    /// The index of the vertex to which it leads.
    pub to: usize,
}

impl TreeMove {
    /// Says that there are other best moves. Returns an empty text if there are none.
    pub fn others(&self) -> String {
        match self.choices {
            0 | 1 => String::new(),
            choices => format!(" (one of {choices} best)"),
        }
    }
}

impl TreeNode {
    /// Describes the player who moves there without a bid, or the income before the bid, with
    /// `before` in front of each. Returns an empty text if there is neither.
    pub fn remarks(&self, before: &str) -> String {
        let turn = self.turn.iter();
        let turn = turn.map(|player| format!("{before}{} to move", player.word()));
        let income = self
            .income
            .iter()
            .map(|TreeIncome { player, part }| format!("{before}income {} {part}", player.word()));
        turn.chain(income).collect()
    }
}

/// The completeness of a vertex's moves in a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rest {
    /// All optimal moves are listed.
    Shown,
    /// Nothing is left to decide: the position is won, lost or drawn whoever moves.
    Decided,
    /// The moves are left out, because the vertex lies at the requested depth.
    LeftOut,
}

impl Tree {
    /// Returns the tree as a picture. In a spreadsheet, returns a row for each optimal move, with
    /// both positions and their values.
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        // A spreadsheet has no pictures, but can hold the edges.
        if medium != Medium::Sheet {
            return Block::Picture(Picture::Tree(self));
        }
        let edges = self
            .nodes
            .iter()
            .flat_map(|tail| tail.moves.iter().map(move |edge| self.row(tail, edge)));
        Block::sheet(
            [
                "from",
                &self.measure,
                "player",
                "move",
                "best moves",
                "to",
                &self.measure,
            ],
            edges,
        )
    }

    fn row<'a>(&'a self, tail: &'a TreeNode, edge: &'a TreeMove) -> [Cell<'a>; 7] {
        let head = &self.nodes[edge.to];
        [
            Cell::text(&tail.position),
            Cell::value(&tail.value),
            Cell::text(edge.player.word()),
            Cell::text(&edge.action),
            Cell::words(edge.choices),
            Cell::text(&head.position),
            Cell::value(&head.value),
        ]
    }
}
