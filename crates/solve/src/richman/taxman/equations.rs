//! Linear equations in rationals, few enough to be solved by elimination.

use num_rational::BigRational;
use num_traits::Zero;

use crate::diagnostic::Result;
use crate::watch::Context;

/// Solves as many equations as unknowns, each a row of coefficients with the right side last.
/// Returns `None` if there is not exactly one solution.
pub(super) fn solve(
    mut rows: Vec<Vec<BigRational>>,
    context: &Context<'_>,
) -> Result<Option<Vec<BigRational>>> {
    for column in 0..rows.len() {
        context.check()?;
        // Rationals have no rounding errors, so any pivot but 0 serves.
        let Some(pivot) = (column..rows.len()).find(|row| !rows[*row][column].is_zero()) else {
            return Ok(None);
        };
        rows.swap(column, pivot);
        let scale = rows[column][column].recip();
        rows[column][column..]
            .iter_mut()
            .for_each(|cell| *cell *= &scale);
        let chosen = rows[column].clone();
        for row in (0..rows.len()).filter(|row| *row != column) {
            let factor = rows[row][column].clone();
            if factor.is_zero() {
                continue;
            }
            for (cell, part) in rows[row]
                .iter_mut()
                .zip(&chosen)
                .skip(column)
                // Equations of games are sparse, and products of long rationals with 0 still cost
                // time.
                .filter(|(_, part)| !part.is_zero())
            {
                *cell -= part * &factor;
            }
        }
    }
    Ok(Some(
        rows.into_iter().filter_map(|mut row| row.pop()).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Context;

    #[test]
    fn equations_with_one_solution_are_solved() {
        let row = |numbers: [i64; 3]| {
            numbers
                .map(|number| BigRational::from_integer(number.into()))
                .to_vec()
        };
        let ratio = |n: i64, d: i64| BigRational::new(n.into(), d.into());
        let found = solve(vec![row([0, 2, 3]), row([3, 1, 1])], Context::plain());
        assert_eq!(found, Ok(Some(vec![ratio(-1, 6), ratio(3, 2)])));
        assert_eq!(
            solve(vec![row([1, 2, 3]), row([2, 4, 6])], Context::plain()),
            Ok(None)
        );
    }
}
