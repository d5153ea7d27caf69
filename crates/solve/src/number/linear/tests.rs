//! Comparisons of the solver with elimination in rationals, on random walks of many shapes.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::shared::solve_equations;
use crate::watch::Context;

/// Solves by Gauss's elimination with `BigRational`s, as in a textbook.
fn oracle(walk: &Walk, known: &[BigInt]) -> Vec<BigRational> {
    let n = walk.len();
    let integer = |x: i64| BigRational::from_integer(x.into());
    let mut rows: Vec<Vec<BigRational>> = vec![vec![BigRational::zero(); n + 1]; n];
    for (i, row) in rows.iter_mut().enumerate() {
        for &(head, weight) in walk.edges(i) {
            row[i] += integer(weight.into());
            match (head as usize).checked_sub(n) {
                None => row[head as usize] -= integer(weight.into()),
                Some(j) => row[n] += integer(weight.into()) * known[j].clone(),
            }
        }
    }
    solve_equations(rows).expect("absorbing")
}

/// Draws a walk with n states, two edges each, that can always leave: state i has an edge to an
/// earlier one or out.
fn random_walk(random: &mut StdRng, n: u32, known: u32) -> Walk {
    let mut walk = Walk::new();
    for i in 0..n {
        let down = random.random_range(0..i + 1);
        let down = if down == i {
            n + random.random_range(0..known)
        } else {
            down
        };
        let any = random.random_range(0..n + known);
        walk.push([
            (down, random.random_range(1..3)),
            (any, random.random_range(1..3)),
        ]);
    }
    walk
}

fn check(walk: &Walk, known: &[BigInt]) {
    let solution = walk
        .solve(known, Context::plain())
        .expect("nothing stops it");
    let expected = oracle(walk, known);
    let floats: Vec<_> = known.iter().map(|x| x.to_f64().expect("a float")).collect();
    let [approximate] = walk
        .approximate([&floats], Context::plain())
        .expect("nothing stops it");
    for ((numerator, x), float) in solution
        .numerators
        .into_iter()
        .zip(expected)
        .zip(approximate)
    {
        let exact = x.to_f64().expect("a float");
        assert!(
            (float - exact).abs() <= 1e-12 * exact,
            "{float} for {exact}"
        );
        assert_eq!(BigRational::new(numerator, solution.denominator.clone()), x);
    }
}

#[test]
fn agrees_with_elimination_in_rationals() {
    let mut random = StdRng::seed_from_u64(1);
    for round in 0..300 {
        let (n, known) = (round % 40 + 1, round % 3 + 1);
        let values: Vec<_> = (0..known)
            .map(|_| BigInt::from(random.random_range(0..1000)))
            .collect();
        check(&random_walk(&mut random, n, known), &values);
    }
}

#[test]
fn long_known_values_are_fed_in_digit_by_digit() {
    let mut random = StdRng::seed_from_u64(2);
    let values: Vec<_> = (0..3u32)
        .map(|i| (BigInt::one() << (200 * i)) + 7 * i)
        .collect();
    check(&random_walk(&mut random, 30, 3), &values);
}

#[test]
fn dense_remainder_and_tiny_probabilities() {
    let mut random = StdRng::seed_from_u64(3);
    check(
        &random_walk(&mut random, 120, 2),
        &[BigInt::zero(), BigInt::one()],
    );
    // The walk tosses heads every time for 60 tosses, or goes back to the start: 2^-60 against the
    // other exit's certainty.
    let mut walk = Walk::new();
    (0..60).for_each(|i| walk.push([(i + 1, 1), (0, 1)]));
    walk.push([(62, 1), (63, (1 << 20) - 1)]);
    check(&walk, &[BigInt::zero(), BigInt::one(), BigInt::zero()]);
}

/// The denominators on a path that the walk leaves at its ends have the length of the path as a
/// factor; those of a walk that begins again at every other toss have a digit for each state. The
/// estimate is never less than the length of the true denominator.
#[test]
fn the_length_of_denominators_is_known_before_them() {
    let bits = |walk: &Walk| {
        let bits = walk.bits(10, Context::plain());
        bits.expect("nothing stops it").expect("it stays sparse")
    };
    let length = |walk: &Walk| {
        let solution = walk.solve(&[BigInt::zero(), BigInt::one()], Context::plain());
        let denominator = solution.expect("nothing stops it").denominator;
        denominator.bits() as f64
    };
    for n in [1, 2, 7, 300] {
        let (mut path, mut again) = (Walk::new(), Walk::new());
        for i in 0..n {
            let before = if i == 0 { n + 1 } else { i - 1 };
            path.push([(before, 1), (i + 1, 1)]);
            again.push([(0, 1), (i + 1, 1)]);
        }
        assert!((bits(&path) - f64::from(n + 1).log2()).abs() < 1e-6, "{n}");
        assert!(bits(&path) >= length(&path) - 1.0, "{n}");
        assert!(bits(&again) >= length(&again) - 1.0, "{n}");
        assert!(bits(&again) <= f64::from(n) + 1e-6, "{n}");
    }
}

#[test]
fn denominator_that_is_the_prime() {
    // The equations are x0 = (a x1 + 1)/(a + 1), x1 = b x0/(b + e): the determinant (a + 1) e + b
    // is the modulus, and the next prime is needed.
    let p = modular::Prime::first().modulus();
    let e = (1 << 31) - 1;
    let (a, b) = ((p / e - 1) as u32, (p % e) as u32);
    let mut walk = Walk::new();
    walk.push([(1, a), (2, 1)]);
    walk.push([(0, b), (3, e as u32)]);
    let singular = Elimination::new(&walk, &modular::Prime::first(), Context::plain())
        .expect("nothing stops it");
    assert!(singular.is_none());
    check(&walk, &[BigInt::one(), BigInt::zero()]);
}

#[test]
fn no_states() {
    let solution = Walk::new()
        .solve(&[], Context::plain())
        .expect("nothing stops it");
    assert_eq!(
        solution,
        RationalSolution {
            numerators: vec![],
            denominator: BigInt::one()
        }
    );
}
