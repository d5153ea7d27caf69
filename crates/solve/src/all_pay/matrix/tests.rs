//! Laws of all-pay bidding (Menz, Wang & Xie, 2015) on random precise turns, in exact arithmetic.
//!
//! The turn has the form that the game gives it: the values of a won bid and of a lost bid both
//! increase strictly with the chips left, and with the same chips a won bid is worth no less. Alice
//! has the advantage.

use bid_testing::random_cases;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;

use super::*;
use crate::all_pay::{
    BidMethod, Equilibrium, ExactOrCertified, Payoff, Preciseness, length, precision,
};
use crate::rules::Solver;

/// A precise turn.
#[derive(Debug, Clone)]
struct PreciseTurn {
    /// Alice's chips.
    a: usize,
    /// Bob's chips, at most as many.
    b: usize,
    /// The steps of the value of a won bid and of that of a lost one, from each number of chips to
    /// the next.
    steps: Vec<(u8, u8)>,
    /// The value from which that of a won bid goes up.
    head: u8,
}

impl PreciseTurn {
    /// Returns the payoffs by difference, −b to a.
    fn payoffs(&self) -> Vec<BigRational> {
        let Self { a, b, .. } = *self;
        let (mut won, mut lost) = (i64::from(self.head), 0);
        let mut values = Vec::new();
        for (of_won, of_lost) in self.steps.iter().take(a + b + 1) {
            won += i64::from(*of_won);
            lost += i64::from(*of_lost);
            won = won.max(lost);
            values.push((won, lost));
        }
        let scale = values.last().expect("there are chips").0 + 1;
        let after = |difference: i64| values[(a as i64 - difference) as usize];
        let payoff = |difference: i64| {
            if difference >= 0 {
                after(difference).0
            } else {
                after(difference).1
            }
        };
        (-(b as i64)..=a as i64)
            .map(|d| BigRational::new(payoff(d).into(), scale.into()))
            .collect()
    }
}

/// Creates the matrix of the payoffs for the differences −b to a.
fn toeplitz<N>(cells: Vec<N>, a: usize, b: usize) -> Matrix<N> {
    assert_eq!(cells.len(), a + b + 1);
    Matrix {
        cells,
        most: PerPlayer::new(a, b),
        toeplitz: true,
    }
}

fn exact(
    cells: &[BigRational],
    a: usize,
    b: usize,
) -> (Matrix<BigRational>, Equilibrium<BigRational>) {
    let matrix = toeplitz(cells.to_vec(), a, b);
    let found = BigRational::equilibrium(&matrix, Solver::Exact, Context::plain());
    let found = found.expect("nobody stops it");
    (matrix, found)
}

/// Returns Alice's payoff of a pure bid against Bob's mixed one.
fn against(matrix: &Matrix<BigRational>, alice: usize, bob: &[BigRational]) -> BigRational {
    bob.iter()
        .enumerate()
        .map(|(bid, weight)| matrix.at(alice, bid) * weight)
        .sum()
}

fn span(weights: &[BigRational]) -> usize {
    weights
        .iter()
        .rposition(|weight| !weight.is_zero())
        .expect("weights sum to 1")
        + 1
}

fn is_singular(mut rows: Vec<Vec<BigRational>>) -> bool {
    let n = rows.len();
    for column in 0..n {
        let Some(pivot) = (column..n).find(|&row| !rows[row][column].is_zero()) else {
            return true;
        };
        rows.swap(column, pivot);
        let pivot_row = rows[column].clone();
        for row in &mut rows[column + 1..] {
            let factor = &row[column] / &pivot_row[column];
            row.iter_mut()
                .zip(&pivot_row)
                .for_each(|(cell, part)| *cell -= part * &factor);
        }
    }
    false
}

fn turns() -> impl Strategy<Value = PreciseTurn> {
    (0_usize..9, 0_usize..9)
        .prop_map(|(a, b)| (a.max(b), a.min(b)))
        .prop_flat_map(|(a, b)| {
            (
                Just(a),
                Just(b),
                prop::collection::vec((1_u8..6, 1_u8..6), a + b + 1),
                0_u8..12,
            )
        })
        .prop_map(|(a, b, steps, head)| PreciseTurn { a, b, steps, head })
}

proptest! {
    #![proptest_config(random_cases(400, "tests/proptest-regressions/all_pay_matrix.txt"))]

    /// Checks Proposition 2.2 and Theorems 2.3 to 2.5.
    #[test]
    fn optimal_bids_in_precise_turns(turn in turns()) {
        let PreciseTurn { a, b, .. } = turn;
        let cells = turn.payoffs();
        let (matrix, found) = exact(&cells, a, b);
        prop_assert_eq!(precision(&ExactOrCertified::Exact(matrix.clone()), Player::Alice), Preciseness::Precise);
        let s = &found.strategies.alice;
        let ell = span(s);
        prop_assert!(s[..ell].iter().all(|weight| !weight.is_zero()), "gap-free, and 0 is bid: {:?}", s);
        prop_assert_eq!(length(&matrix, Player::Alice, Context::plain()), Ok(ell));

        // By the Reverse Theorem, Alice's bids in reverse order are optimal for Bob.
        let reverse: Vec<BigRational> = s[..ell].iter().rev().cloned().collect();
        prop_assert!(ell <= b + 1);
        for bid in 0..=a {
            let got = against(&matrix, bid, &reverse);
            if bid < ell {
                prop_assert_eq!(&got, &found.value);
            } else {
                prop_assert!(got < found.value, "bids from {} on are worse", ell);
            }
        }
        // So Alice's optimal bids stay below ℓ and make Bob indifferent there; they are the only
        // solution (Theorem 2.4).
        let leading = (0..ell).map(|bob| (0..ell).map(|alice| matrix.at(alice, bob).clone()).collect()).collect();
        prop_assert!(!is_singular(leading));

        // By Theorem 2.5, Bob's bids are between the reverse and the reverse moved up by one.
        let t = &found.strategies.bob;
        prop_assert!((ell..=ell + 1).contains(&span(t)));
        let weight = &t[0] / &reverse[0];
        for (bid, probability) in t.iter().enumerate() {
            let at = |index: Option<usize>| index.and_then(|i| reverse.get(i)).cloned().unwrap_or_else(BigRational::zero);
            prop_assert_eq!(probability, &(at(Some(bid)) * &weight + at(bid.checked_sub(1)) * (BigRational::one() - &weight)));
        }
    }

    /// Checks the fast method on the same turns: its enclosure contains the exact value, and
    /// Toeplitz systems suffice.
    #[test]
    fn toeplitz_systems_solve_precise_turns(turn in turns()) {
        let PreciseTurn { a, b, .. } = turn;
        let cells = turn.payoffs();
        let (_, found) = exact(&cells, a, b);
        let near = |cell: &BigRational| cell.to_f64().expect("a fraction");
        // The nearest float may be off by half a step either way.
        let cells = cells.iter().map(near).map(|x| FloatEnclosure { low: x.next_down(), high: x.next_up() }).collect();
        let matrix = toeplitz(cells, a, b);
        let fast = FloatEnclosure::equilibrium(&matrix, Solver::Auto, Context::plain());
        let fast = fast.expect("nobody stops it");
        let bound = |bound: f64| BigRational::from_float(bound).expect("a finite bound");
        prop_assert!(bound(fast.value.low) <= found.value && found.value <= bound(fast.value.high));
        prop_assert!(fast.value.width() < 1e-11, "{:?}", fast);
        prop_assert!(fast.method != BidMethod::LinearProgram);
    }
}
