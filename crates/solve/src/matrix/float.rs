//! Matrix games in floating point, by the simplex method on a dense tableau.
//!
//! Nothing is promised: rounding may end it early. What it finds is a pair of mixed choices; how
//! good they are is for the caller to certify by best responses.

use crate::watch::{Asking, Context, Stop};

/// The number of cells that are computed between two checks.
const CELLS: usize = 1 << 14;

/// Smaller entries count as zero when a pivot is chosen.
const PIVOT_LEAST: f64 = 1e-10;
/// Smaller improvements count as none.
const IMPROVEMENT_LEAST: f64 = 1e-12;

/// Mixed choices of both players, each with sum 1, in the game whose entry in a row and column is
/// `entry(row, column)`, a number from 0 to 1.
///
/// # Errors
/// If it is stopped.
///
/// # Panics
/// If there are no rows or no columns.
pub fn solve(
    rows: usize,
    columns: usize,
    entry: impl Fn(usize, usize) -> f64,
    context: &Context<'_>,
) -> Result<(Vec<f64>, Vec<f64>), Stop> {
    assert!(
        rows > 0 && columns > 0,
        "a game has choices for both players"
    );
    let mut tableau = FloatTableau::new(rows, columns, entry);
    tableau.improve(context)?;
    Ok(tableau.weights())
}

/// As in [`exact`](super::exact), with the columns of the game labelled from 0 and the slacks of
/// its rows after them.
struct FloatTableau {
    cells: Vec<f64>,
    width: usize,
    basic: Vec<usize>,
    others: Vec<usize>,
}

impl FloatTableau {
    fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut cells = Vec::with_capacity((rows + 1) * (columns + 1));
        for row in 0..rows {
            // One is added to make all entries positive.
            cells.extend((0..columns).map(|column| entry(row, column) + 1.0));
            cells.push(1.0);
        }
        cells.extend(std::iter::repeat_n(-1.0, columns));
        cells.push(0.0);
        Self {
            cells,
            width: columns + 1,
            basic: (columns..columns + rows).collect(),
            others: (0..columns).collect(),
        }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    fn improve(&mut self, context: &Context<'_>) -> Result<(), Stop> {
        let size = self.basic.len() + self.others.len();
        // Rounding can make even Bland's rule run in a circle, so the number of pivots is limited.
        for pivots in 0..50 * size {
            let Some(column) = self.entering(pivots > 10 * size) else {
                break;
            };
            let Some(row) = self.leaving(column) else {
                break;
            };
            self.pivot(row, column, context)?;
        }
        Ok(())
    }

    fn entering(&self, bland: bool) -> Option<usize> {
        let objective = &self.row(self.basic.len())[..self.others.len()];
        let improving = objective
            .iter()
            .enumerate()
            .filter(|(_, cell)| **cell < -IMPROVEMENT_LEAST);
        if bland {
            return improving
                .map(|(column, _)| column)
                .min_by_key(|&column| self.others[column]);
        }
        improving
            .min_by(|a, b| a.1.total_cmp(b.1))
            .map(|(column, _)| column)
    }

    fn leaving(&self, column: usize) -> Option<usize> {
        let right = self.width - 1;
        // A pivot near zero would be the result of rounding, and dividing by it would spoil the
        // tableau.
        let candidates = (0..self.basic.len()).filter(|&row| self.row(row)[column] > PIVOT_LEAST);
        let ratio = |row: usize| self.row(row)[right] / self.row(row)[column];
        candidates.min_by(|&a, &b| {
            ratio(a)
                .total_cmp(&ratio(b))
                .then(self.basic[a].cmp(&self.basic[b]))
        })
    }

    fn pivot(&mut self, row: usize, column: usize, context: &Context<'_>) -> Result<(), Stop> {
        let pivot = self.row(row)[column];
        let above: Vec<f64> = self.row(row).iter().map(|cell| cell / pivot).collect();
        let mut asking = Asking::every(CELLS, context);
        for (i, cells) in self.cells.chunks_mut(self.width).enumerate() {
            asking.step(self.width)?;
            let left = cells[column];
            if i == row {
                cells.copy_from_slice(&above);
                cells[column] = 1.0 / pivot;
            // A row without an entry in the column does not change.
            } else if left != 0.0 {
                for (cell, above) in cells.iter_mut().zip(&above) {
                    *cell -= left * above;
                }
                cells[column] = -left / pivot;
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
        Ok(())
    }

    fn weights(&self) -> (Vec<f64>, Vec<f64>) {
        let (columns, right) = (self.others.len(), self.width - 1);
        let (mut of_rows, mut of_columns) = (vec![0.0; self.basic.len()], vec![0.0; columns]);
        for (row, &label) in self.basic.iter().enumerate() {
            if label < columns {
                of_columns[label] = self.row(row)[right];
            }
        }
        for (column, &label) in self.others.iter().enumerate() {
            if label >= columns {
                of_rows[label - columns] = self.row(self.basic.len())[column];
            }
        }
        (normalised(of_rows), normalised(of_columns))
    }
}

/// The weights without negative ones, scaled to sum 1; all on the first choice if there is nothing
/// to scale.
pub fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    weights
        .iter_mut()
        // The maximum with 0 also replaces numbers that are undefined.
        .for_each(|weight| *weight = weight.max(0.0));
    let total: f64 = weights.iter().sum();
    if total > 0.0 && total.is_finite() {
        weights.iter_mut().for_each(|weight| *weight /= total);
    } else {
        weights.fill(0.0);
        weights[0] = 1.0;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Context;

    #[test]
    fn agrees_with_the_exact_method() {
        use num_rational::BigRational;
        use num_traits::ToPrimitive;
        use rand::rngs::StdRng;
        use rand::{RngExt, SeedableRng};
        let mut dice = StdRng::seed_from_u64(4);
        for _ in 0..300 {
            let (rows, columns) = (dice.random_range(1..12), dice.random_range(1..12));
            let entries: Vec<u8> = (0..rows * columns)
                .map(|_| dice.random_range(0..=16))
                .collect();
            let exact: Vec<_> = entries
                .iter()
                .map(|&n| BigRational::new(n.into(), 16.into()))
                .collect();
            let value = super::super::exact::solve(
                rows,
                columns,
                |row, column| &exact[row * columns + column],
                Context::plain(),
            )
            .expect("nothing stops it")
            .value;
            let (x, y) = solve(
                rows,
                columns,
                |row, column| f64::from(entries[row * columns + column]) / 16.0,
                Context::plain(),
            )
            .expect("nothing stops it");
            let got = |row: usize, column: usize| f64::from(entries[row * columns + column]) / 16.0;
            let low = (0..columns)
                .map(|c| (0..rows).map(|r| x[r] * got(r, c)).sum::<f64>())
                .fold(f64::INFINITY, f64::min);
            let high = (0..rows)
                .map(|r| (0..columns).map(|c| y[c] * got(r, c)).sum::<f64>())
                .fold(0.0, f64::max);
            let value = value.to_f64().expect("a value between 0 and 1");
            assert!(
                (low - value).abs() < 1e-9 && (high - value).abs() < 1e-9,
                "{low} {value} {high}"
            );
        }
    }

    #[test]
    fn weights_without_a_sum_become_a_choice() {
        assert_eq!(normalised(vec![-1.0, 0.0]), [1.0, 0.0]);
        assert_eq!(normalised(vec![f64::NAN, 3.0]), [0.0, 1.0]);
    }
}
