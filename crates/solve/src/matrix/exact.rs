//! Matrix games in exact arithmetic, by the simplex method with integer pivoting.
//!
//! The tableau is kept in whole numbers over one common denominator, the last pivot: after each
//! pivot all entries are subdeterminants of the matrix, so the division by the pivot before is
//! exact (Edmonds, 1967). No fraction is ever reduced on the way. Machine words are used until one
//! overflows. Among the choices that improve most the first is taken; once no progress is made for
//! a while, Bland's rule (1977), which cannot run in a circle.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::MatrixSolution;
use crate::number::linear::common_multiple;
use crate::watch::{Context, Stop};

/// Solves the game whose entry in a row and column is `entry(row, column)`.
///
/// # Errors
/// If it is stopped.
///
/// # Panics
/// If there are no rows or no columns.
pub fn solve<'a>(
    rows: usize,
    columns: usize,
    entry: impl Fn(usize, usize) -> &'a BigRational,
    context: &Context<'_>,
) -> Result<MatrixSolution<BigRational>, Stop> {
    assert!(
        rows > 0 && columns > 0,
        "a game has choices for both players"
    );
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let denominators = cells
        .clone()
        .map(|(row, column)| entry(row, column).denom());
    // A common denominator scales the game, which scales the value and changes no optimal choice.
    let denominator = common_multiple(denominators, context)?;
    let whole = |(row, column)| {
        let entry: &BigRational = entry(row, column);
        entry.numer() * (&denominator / entry.denom())
    };
    let numerators: Vec<BigInt> = cells.map(whole).collect();
    // Adding the same to every entry changes the value and nothing else; it makes all entries
    // positive.
    let least = numerators.iter().min().expect("there is an entry");
    let shift = BigInt::one() - least;
    let entries: Vec<BigInt> = numerators
        .into_iter()
        .map(|numerator| numerator + &shift)
        .collect();
    let narrow: Option<Vec<i128>> = entries.iter().map(ToPrimitive::to_i128).collect();
    if let Some(entries) = narrow
        // An overflow shows only on the way, and then the work begins again in long integers.
        && let Some(optimum) = Tableau::new(columns, &entries).optimum(context)?
    {
        return Ok(optimum.solution(&shift, &denominator));
    }
    let optimum = Tableau::new(columns, &entries)
        .optimum(context)?
        .expect("unbounded integers do not overflow");
    Ok(optimum.solution(&shift, &denominator))
}

/// A whole number that a tableau can be made of.
trait Whole: Clone + Ord + Zero + One + std::ops::Neg<Output = Self> + Into<BigInt> {
    /// `(self · pivot − left · above) / last`, which is whole; `None` if it does not fit.
    fn eliminate(&self, pivot: &Self, left: &Self, above: &Self, last: &Self) -> Option<Self>;

    /// The product; `None` if it does not fit.
    fn times(&self, other: &Self) -> Option<Self>;
}

impl Whole for i128 {
    fn eliminate(&self, pivot: &Self, left: &Self, above: &Self, last: &Self) -> Option<Self> {
        Some(
            self.checked_mul(*pivot)?
                .checked_sub(left.checked_mul(*above)?)?
                // The product may overflow although the quotient would fit; then the long integers
                // take over.
                / last,
        )
    }

    fn times(&self, other: &Self) -> Option<Self> {
        self.checked_mul(*other)
    }
}

impl Whole for BigInt {
    fn eliminate(&self, pivot: &Self, left: &Self, above: &Self, last: &Self) -> Option<Self> {
        Some((self * pivot - left * above) / last)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }
}

/// The variable that a row or column of the tableau represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TableauLabel {
    /// The weight of a column of the game.
    Weight(usize),
    /// The slack of a row of the game.
    Slack(usize),
}

/// The dictionary of the linear program: a row for each basic variable and the objective last, a
/// column for each other variable and the right-hand sides last.
struct Tableau<N> {
    cells: Vec<N>,
    width: usize,
    /// The common denominator of all cells.
    denominator: N,
    basic: Vec<TableauLabel>,
    others: Vec<TableauLabel>,
}

impl<N: Whole> Tableau<N> {
    fn new(columns: usize, entries: &[N]) -> Self {
        let rows = entries.len() / columns;
        let mut cells = Vec::with_capacity((rows + 1) * (columns + 1));
        for row in entries.chunks(columns) {
            cells.extend_from_slice(row);
            cells.push(N::one());
        }
        cells.extend(std::iter::repeat_n(-N::one(), columns));
        cells.push(N::zero());
        Self {
            cells,
            width: columns + 1,
            denominator: N::one(),
            basic: (0..rows).map(TableauLabel::Slack).collect(),
            others: (0..columns).map(TableauLabel::Weight).collect(),
        }
    }

    fn at(&self, row: usize, column: usize) -> &N {
        &self.cells[row * self.width + column]
    }

    /// Pivots until nothing improves; `None` on overflow.
    fn optimum(mut self, context: &Context<'_>) -> Result<Option<Self>, Stop> {
        // The simplex method rarely needs more pivots than a few times the size, so more of them
        // are a sign of running in a circle.
        let patience = 4 * (self.basic.len() + self.others.len());
        let mut pivots = 0;
        while let Some(column) = self.entering(pivots > patience) {
            let Some(row) = self.leaving(column) else {
                return Ok(None);
            };
            if self.pivot(row, column, context)?.is_none() {
                return Ok(None);
            }
            pivots += 1;
        }
        Ok(Some(self))
    }

    /// The column to bring in: that with the steepest improvement, or the first label that improves
    /// (Bland).
    fn entering(&self, bland: bool) -> Option<usize> {
        let objective = self.basic.len();
        let improving =
            (0..self.others.len()).filter(|&column| *self.at(objective, column) < N::zero());
        if bland {
            // Bland's rule goes by label, because columns change their labels at each pivot.
            return improving.min_by_key(|&column| self.others[column]);
        }
        improving.min_by(|&a, &b| self.at(objective, a).cmp(self.at(objective, b)))
    }

    /// The row with the least ratio of right-hand side to entry, the first label among equals;
    /// `None` on overflow.
    fn leaving(&self, column: usize) -> Option<usize> {
        let right = self.width - 1;
        let mut best: Option<usize> = None;
        for row in (0..self.basic.len()).filter(|&row| *self.at(row, column) > N::zero()) {
            let better = match best {
                None => true,
                Some(best) => {
                    // Ratios are compared by cross multiplication, since both denominators are
                    // positive.
                    let ours = self.at(row, right).times(self.at(best, column))?;
                    let theirs = self.at(best, right).times(self.at(row, column))?;
                    ours < theirs || (ours == theirs && self.basic[row] < self.basic[best])
                }
            };
            if better {
                best = Some(row);
            }
        }
        Some(best.expect("positive entries bound the weights"))
    }

    /// Exchanges what a row and a column stand for; `None` on overflow.
    fn pivot(
        &mut self,
        row: usize,
        column: usize,
        context: &Context<'_>,
    ) -> Result<Option<()>, Stop> {
        let pivot = self.at(row, column).clone();
        // The pivot row is copied, because the other rows are changed while it is read.
        let above: Vec<N> = self.cells[row * self.width..(row + 1) * self.width].to_vec();
        for i in (0..=self.basic.len()).filter(|&i| i != row) {
            // The numbers of a row may be long.
            context.check()?;
            let cells = &mut self.cells[i * self.width..(i + 1) * self.width];
            let left = cells[column].clone();
            for (j, cell) in cells.iter_mut().enumerate().filter(|(j, _)| *j != column) {
                let Some(next) = cell.eliminate(&pivot, &left, &above[j], &self.denominator) else {
                    return Ok(None);
                };
                *cell = next;
            }
            // Over the new denominator the exchanged column only changes its sign, and the pivot
            // row stays as it is.
            cells[column] = -left;
        }
        self.cells[row * self.width + column] = std::mem::replace(&mut self.denominator, pivot);
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
        Ok(Some(()))
    }

    /// Reads the weights off the right-hand sides, their dual off the objective.
    fn solution(&self, shift: &BigInt, scale: &BigInt) -> MatrixSolution<BigRational> {
        let (right, objective) = (self.width - 1, self.basic.len());
        let number = |row, column| -> BigInt { self.at(row, column).clone().into() };
        let total = number(objective, right);
        let mut found = MatrixSolution {
            // The value of the shifted game is the reciprocal of the optimum; shift and scale are
            // undone here.
            value: (BigRational::new(self.denominator.clone().into(), total.clone())
                - BigRational::from(shift.clone()))
                / BigRational::from(scale.clone()),
            rows: vec![BigRational::zero(); self.basic.len()],
            columns: vec![BigRational::zero(); self.others.len()],
        };
        for (row, label) in self.basic.iter().enumerate() {
            if let TableauLabel::Weight(column) = label {
                found.columns[*column] = BigRational::new(number(row, right), total.clone());
            }
        }
        for (column, label) in self.others.iter().enumerate() {
            if let TableauLabel::Slack(row) = label {
                found.rows[*row] = BigRational::new(number(objective, column), total.clone());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::watch::Context;

    fn solved(columns: usize, entries: &[i64]) -> (Vec<BigRational>, MatrixSolution<BigRational>) {
        let entries: Vec<BigRational> = entries
            .iter()
            .map(|&n| BigRational::from_integer(n.into()))
            .collect();
        let found = solve(
            entries.len() / columns,
            columns,
            |row, column| &entries[row * columns + column],
            Context::plain(),
        )
        .expect("nothing stops it");
        (entries, found)
    }

    fn ratio(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn matching_pennies_and_rock_paper_scissors() {
        let (_, pennies) = solved(2, &[1, -1, -1, 1]);
        assert_eq!(
            pennies,
            MatrixSolution {
                value: ratio(0, 1),
                rows: vec![ratio(1, 2); 2],
                columns: vec![ratio(1, 2); 2]
            }
        );
        let (_, hands) = solved(3, &[0, -1, 1, 1, 0, -1, -1, 1, 0]);
        assert_eq!(
            hands,
            MatrixSolution {
                value: ratio(0, 1),
                rows: vec![ratio(1, 3); 3],
                columns: vec![ratio(1, 3); 3]
            }
        );
    }

    #[test]
    fn entries_beyond_machine_words() {
        let (entries, found) = solved(2, &[i64::MAX, 0, 0, i64::MAX - 1]);
        assert_eq!(
            found.value,
            (&entries[0] * &entries[3]) / (&entries[0] + &entries[3])
        );
    }

    proptest! {
        /// Both guarantee the value: weak duality makes that a proof of optimality.
        #[test]
        fn both_choices_guarantee_the_value(columns in 1_usize..7, seed in prop::collection::vec(-4_i64..5, 1..49)) {
            prop_assume!(seed.len() >= columns);
            let rows = seed.len() / columns;
            let (entries, found) = solved(columns, &seed[..rows * columns]);
            let sum = |weights: &[BigRational]| weights.iter().sum::<BigRational>();
            for weights in [&found.rows, &found.columns] {
                prop_assert!(weights.iter().all(|weight| *weight >= BigRational::zero()));
                prop_assert_eq!(sum(weights), BigRational::one());
            }
            for column in 0..columns {
                let got: BigRational = (0..rows).map(|row| &entries[row * columns + column] * &found.rows[row]).sum();
                prop_assert!(got >= found.value);
            }
            for row in 0..rows {
                let got: BigRational = (0..columns).map(|column| &entries[row * columns + column] * &found.columns[column]).sum();
                prop_assert!(got <= found.value);
            }
        }
    }
}
