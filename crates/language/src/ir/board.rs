//! Boards as plain values: the results of `grid` and `hexgrid`, on which the plain evaluation of a
//! ruleset works.

use num_traits::ToPrimitive;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir::{Operand, Value};

/// The adjacency and the lines of a board's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `grid`: squares. Lines run along rows, columns and both diagonals.
    Square,
    /// `hexgrid`: a rhombus of hexagons. Each cell has up to six neighbours, and lines run in the
    /// three directions.
    Hex,
}

/// A board with the contents of its cells, row by row from the top.
#[derive(Debug, Clone)]
pub struct Board {
    /// The shape of the cells.
    pub shape: Shape,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The `rows × cols` values of the cells, row by row.
    pub cells: Vec<Value>,
}

impl Board {
    /// Returns the value of a cell, given as `(row, column)` or as two indices.
    ///
    /// # Errors
    /// Returns an error if there is no such cell.
    pub fn cell(&self, indices: &[Operand<Value>]) -> Result<Value> {
        let span = indices[0].span;
        let parts: Vec<Value> = match (&indices[0].value, indices.len()) {
            (Value::Tuple(parts), 1) => parts.to_vec(),
            _ => indices.iter().map(|index| index.value.clone()).collect(),
        };
        let index = match &parts[..] {
            [Value::Integer(row), Value::Integer(col)] => {
                let (row, col) = (row.to_usize(), col.to_usize());
                row.filter(|row| *row < self.rows)
                    .zip(col.filter(|col| *col < self.cols))
            }
            _ => None,
        };
        let (row, col) = index.ok_or_else(|| {
            if let [Value::Integer(_)] = parts[..] {
                return Diagnostic::new(Code::BadValue, "a cell has a row and a column")
                    .label(span, "one number")
                    .help("write `b[r, c]`, or `b[(r, c)]`; `row(b, r)` is the list of the cells of a row");
            }
            Diagnostic::new(Code::BadValue, "the board has no such cell")
                .label(span, "outside the board")
                .help(format!(
                    "cells are pairs (row, column) from (0, 0) to ({}, {})",
                    self.rows.saturating_sub(1),
                    self.cols.saturating_sub(1)
                ))
        })?;
        Ok(self.cells[row * self.cols + col].clone())
    }
}
