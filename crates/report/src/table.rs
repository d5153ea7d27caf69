//! Tables: values over a range, and lists of objects with named properties.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::block::{Block, Cell, Column, Grid, Medium};
use bid_language::scalar::Scalar;

/// Rows of values over a range.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "table")]
pub struct Table {
    /// The parameter of the columns: `k`.
    pub parameter: String,
    /// The parameter's values.
    pub columns: Vec<Scalar>,
    /// The rows, of which there is at least one.
    pub rows: Vec<Row>,
}

/// A row of a [`Table`].
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Row {
    /// The label before the row: `f(E, k)`.
    pub label: String,
    /// A value for each column.
    pub values: Vec<Scalar>,
}

impl Table {
    /// Returns `true` if the tables cover the same range and have the same values, row by row.
    pub(super) fn has_values_of(&self, other: &Self) -> bool {
        let values = self.rows.iter().map(|row| &row.values);
        self.columns == other.columns && values.eq(other.rows.iter().map(|row| &row.values))
    }

    /// Creates a table of values over a range.
    pub fn over(
        parameter: &str,
        columns: impl IntoIterator<Item = impl Into<Scalar>>,
        rows: Vec<Row>,
    ) -> Self {
        Self {
            parameter: parameter.to_owned(),
            columns: columns.into_iter().map(Into::into).collect(),
            rows,
        }
    }

    /// Returns the rows as they are. In a spreadsheet, the parameter runs downwards.
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        let parameter = || Cell::expression(&self.parameter);
        // Spreadsheets allow far fewer columns than rows.
        if medium == Medium::Sheet {
            let labels = self.rows.iter().map(|row| Cell::expression(&row.label));
            let heads = [parameter()]
                .into_iter()
                .chain(labels)
                .map(Column::right)
                .collect();
            return Block::Grid(Grid::new(
                heads,
                self.columns.len(),
                |row, column| match column {
                    0 => Cell::entry(&self.columns[row]),
                    _ => Cell::entry(&self.rows[column - 1].values[row]),
                },
            ));
        }
        let values = self.columns.iter().map(Cell::entry).map(Column::right);
        let heads = [Column::left(parameter())]
            .into_iter()
            .chain(values)
            .collect();
        let grid = Grid::new(heads, self.rows.len(), |row, column| match column {
            0 => Cell::expression(&self.rows[row].label),
            _ => Cell::entry(&self.rows[row].values[column - 1]),
        });
        Block::Grid(grid.across())
    }
}

/// A list of objects with named properties.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "listing")]
pub struct Listing {
    /// The names of the properties.
    pub columns: Vec<String>,
    /// The objects, with a cell for each property.
    pub rows: Vec<Vec<Scalar>>,
    /// A note about all of them, which may be empty.
    pub note: String,
}

impl Listing {
    /// Creates a list of objects without a note.
    pub fn new<'c>(columns: impl IntoIterator<Item = &'c str>, rows: Vec<Vec<Scalar>>) -> Self {
        Self {
            columns: columns.into_iter().map(str::to_owned).collect(),
            rows,
            note: String::new(),
        }
    }

    /// Returns the list with a note about all of them.
    #[must_use]
    pub fn noted(self, note: String) -> Self {
        Self { note, ..self }
    }

    pub(super) fn blocks(&self, medium: Medium) -> Vec<Block<'_>> {
        let heads = self
            .columns
            .iter()
            .map(|column| Column::left(Cell::text(column)))
            .collect();
        let grid = Grid::new(heads, self.rows.len(), |row, column| {
            Cell::value(&self.rows[row][column])
        });
        let mut blocks = vec![Block::Grid(grid)];
        if matches!(medium, Medium::Terminal | Medium::Page) && !self.note.is_empty() {
            blocks.push(Block::line([Cell::text(&self.note)]));
        }
        blocks
    }
}
