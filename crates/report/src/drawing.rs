//! The graph of a game, as it is drawn.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::block::{Block, Cell, Column, Grid, Medium};
use super::picture::{BoardLook, Picture};
use bid_language::player::{Outcome, Player};
use bid_language::scalar::Scalar;

/// The positions and moves of a game, with the values of the positions.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "drawing")]
pub struct Drawing {
    /// The quantity of the values: `R`, `f`. `None` if the game has no thresholds.
    pub measure: Option<String>,
    /// The vertices; the first is the start.
    pub vertices: Vec<GraphVertex>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
}

/// A vertex of a [`Drawing`].
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct GraphVertex {
    /// The position.
    pub position: String,
    /// The drawing of its board, if it is one.
    #[serde(skip)]
    pub board: BoardLook,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Scalar>,
    /// Its score, weight and priority in words.
    pub marks: Vec<String>,
    /// The outcome, if the game has ended there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Outcome>,
    /// The player who moves there without a bid, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Player>,
    /// `true` if play can come back to it.
    pub cyclic: bool,
}

/// An edge of a [`Drawing`].
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct GraphEdge {
    /// The player whose edge it is; `None` if it is both players'.
    pub player: Option<Player>,
    /// The index of the vertex from which it leads.
    pub from: usize,
    /// The index of the vertex to which it leads.
    pub to: usize,
    /// Its score and weight in words, which may be empty.
    pub label: String,
}

impl GraphEdge {
    /// Returns the word for the player whose edge it is.
    pub(super) fn owner(&self) -> &'static str {
        self.player.map_or("both", Player::word)
    }
}

impl GraphVertex {
    /// Describes it besides its name and value: its ending, its owner, its marks.
    pub(super) fn words(&self) -> String {
        // Where scores are added up, an ending has no winner.
        let ending = self.ending.filter(|_| self.marks.is_empty());
        let ending = ending.map(|ending| match ending {
            Outcome::Wins(player) => format!("{} wins", player.word()),
            Outcome::Draw | Outcome::Undetermined => "draw".to_owned(),
        });
        let turn = self.turn.map(|player| format!("{} to move", player.word()));
        let words = ending.into_iter().chain(turn).chain(self.marks.clone());
        words.collect::<Vec<_>>().join(", ")
    }
}

impl Drawing {
    /// Returns the drawing as a picture; in the terminal as a row for each vertex, and in a
    /// spreadsheet as a row for each edge.
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        let name = |vertex: usize| Cell::text(&self.vertices[vertex].position);
        match medium {
            Medium::Page | Medium::Paper => Block::Picture(Picture::Drawing(self)),
            Medium::Terminal => self.rows(),
            Medium::Sheet => {
                let edges = self.edges.iter().map(move |edge| {
                    [
                        Cell::text(edge.owner()),
                        name(edge.from),
                        name(edge.to),
                        Cell::text(&edge.label),
                    ]
                });
                Block::sheet(["player", "from", "to", "label"], edges)
            }
        }
    }

    /// Returns a row for each vertex, with the vertices to which each player can move.
    fn rows(&self) -> Block<'_> {
        let heads = Player::both(|player| player.word().to_owned());
        let measure = self.measure.clone().unwrap_or_default();
        let heads = ["vertex".to_owned(), measure]
            .into_iter()
            .chain(heads)
            .chain([String::new()]);
        let columns = heads.map(|head| Column::left(Cell::text(head))).collect();
        // The edges are gone through once, not once for each vertex.
        let mut reached = vec![[String::new(), String::new()]; self.vertices.len()];
        for edge in &self.edges {
            for (player, words) in Player::BOTH.into_iter().zip(&mut reached[edge.from]) {
                if edge.player.is_none_or(|owner| owner == player) {
                    words.push_str(if words.is_empty() { "" } else { ", " });
                    words.push_str(&self.vertices[edge.to].position);
                    if !edge.label.is_empty() {
                        words.push_str(&format!(" ({})", edge.label));
                    }
                }
            }
        }
        let cell = move |row: usize, column: usize| {
            let vertex = &self.vertices[row];
            match column {
                0 => Cell::text(&vertex.position),
                1 => vertex.value.as_ref().map_or(Cell::Nothing, Cell::entry),
                2 | 3 => Cell::text(reached[row][column - 2].clone()),
                _ => {
                    let cycle = vertex.cyclic.then(|| "on a cycle".to_owned());
                    let words = [vertex.words()]
                        .into_iter()
                        .filter(|words| !words.is_empty());
                    let start = (row == 0).then(|| "start".to_owned());
                    let words = start.into_iter().chain(words).chain(cycle);
                    Cell::text(words.collect::<Vec<_>>().join(", "))
                }
            }
        };
        Block::Grid(Grid::new(columns, self.vertices.len(), cell))
    }
}
