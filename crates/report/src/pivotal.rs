//! The pivot probabilities of a selection game: for every empty cell, the probability of being
//! pivotal.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::Report;
use super::block::{Block, Cell, Line, Medium};
use super::picture::{BoardLook, Picture};
use bid_language::player::Player;
use bid_language::scalar::Scalar;

/// The cells of a position with their pivot probabilities.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "pivotal")]
pub struct Pivotal {
    /// Alice's winning probability at random-turn play: a rational or an interval.
    pub win: Scalar,
    /// The best bid as a part of all chips; `None` if no cell is empty, and in zugzwang where the
    /// winner of a bid must move.
    pub bid: Option<Scalar>,
    /// `true` if every cell hurts its owner, so that the winner of the bid lets the opponent take
    /// one.
    #[serde(rename = "let_move")]
    pub lets: bool,
    /// The number of fillings that were evaluated, and their choice.
    pub method: String,
    /// The shape of the cells and the sides to join. A row of hexagons is drawn half a cell to the
    /// right of the one above.
    #[serde(skip)]
    pub look: BoardLook,
    /// The number of cells in a row.
    pub cols: usize,
    /// The cells, row by row from the top.
    pub cells: Vec<PivotalCell>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum PivotalCell {
    /// The cell belongs to this player.
    Taken(Player),
    /// The cell is empty.
    #[serde(untagged)]
    Open {
        /// The probability that the cell decides the game: a rational or an interval.
        #[serde(rename = "pivotal")]
        probability: Scalar,
        /// `true` if no other cell is known to be better.
        best: bool,
    },
}

impl Pivotal {
    pub(super) fn blocks(&self, medium: Medium) -> Vec<Block<'_>> {
        match medium {
            Medium::Terminal | Medium::Page => {
                let lines = Block::lines([self.sentence(), vec![Cell::text(&self.method)]]);
                let bid = self.bid.as_ref().map(|bid| {
                    let best = self
                        .best()
                        .map(|(row, col)| format!("({row}, {col})"))
                        .collect::<Vec<_>>()
                        .join(", ");
                    let bid = vec![
                        Cell::text("bid    "),
                        Cell::value(bid),
                        Cell::text(" of all chips"),
                    ];
                    let head = if self.lets {
                        "best   let the opponent take "
                    } else {
                        "best   "
                    };
                    Block::lines([vec![Cell::text(head), Cell::text(best)], bid])
                });
                [lines, Block::Picture(Picture::Cells(self))]
                    .into_iter()
                    .chain(bid)
                    .collect()
            }
            Medium::Paper => {
                // The board has no form of its own in LaTeX, so that it is printed as in the
                // terminal.
                let text = Report::Pivotal(self.clone()).to_string();
                vec![Block::line([Cell::Fixed(text)])]
            }
            Medium::Sheet => {
                let rows = self
                    .cells
                    .iter()
                    .enumerate()
                    .map(|(index, cell)| self.row(index, cell));
                vec![Block::sheet(["row", "col", "taken", "pivotal"], rows)]
            }
        }
    }

    /// Returns a sentence with the value of the whole position.
    pub(super) fn sentence(&self) -> Line<'_> {
        vec![
            Cell::text("alice wins with probability "),
            Cell::value(&self.win),
        ]
    }

    /// Returns the row for a spreadsheet. For a cell that is taken it names the owner.
    fn row<'a>(&self, index: usize, cell: &'a PivotalCell) -> [Cell<'a>; 4] {
        let [taken, probability] = match cell {
            PivotalCell::Taken(player) => [Cell::text(player.word()), Cell::text("")],
            PivotalCell::Open { probability, .. } => [Cell::text(""), Cell::value(probability)],
        };
        [
            Cell::words(index / self.cols),
            Cell::words(index % self.cols),
            taken,
            probability,
        ]
    }

    /// Returns the best cells, as rows and columns.
    pub fn best(&self) -> impl Iterator<Item = (usize, usize)> {
        let best = |cell: &PivotalCell| matches!(cell, PivotalCell::Open { best: true, .. });
        let cells = self
            .cells
            .iter()
            .enumerate()
            .filter(move |(_, cell)| best(cell));
        cells.map(|(index, _)| (index / self.cols, index % self.cols))
    }
}

impl PivotalCell {
    /// Returns the probability as a floating-point number.
    pub(super) fn approximate(&self) -> Option<f64> {
        match self {
            Self::Taken(_) => None,
            Self::Open { probability, .. } => probability.approximate(),
        }
    }
}
