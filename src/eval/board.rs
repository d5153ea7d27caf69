//! Boards as plain values: what `grid` and `hexgrid` make, and what the plain evaluation of a ruleset works on.

use super::value::Value;

/// How the cells of a board touch and line up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `grid`: squares; lines run along rows, columns and both diagonals.
    Square,
    /// `hexgrid`: a rhombus of hexagons; each cell has six neighbours, lines run in the three directions.
    Hex,
}

/// A board with what stands on each cell, row by row from the top.
#[derive(Debug, Clone)]
pub struct Board {
    /// The shape of the cells.
    pub shape: Shape,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// `rows × cols` values.
    pub cells: Vec<Value>,
}
