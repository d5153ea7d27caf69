//! Dixon's p-adic lifting (1982): the digits of the solution modulo p, p², p³, …, each by one
//! solution modulo p.
//!
//! With A the matrix and `A x = b`, the lowest digit is `A⁻¹ b` modulo p. It is subtracted, the
//! remainder is divided by p, and the next digit follows from that. The remainder stays as small as
//! the weights of the walk, whatever the length of the answer, because b is used digit by digit.
//! When there are enough digits, one denominator serves all unknowns, and the result is verified.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::elimination::Elimination;
use super::modular::Prime;
use super::{RationalSolution, Walk, reconstruction};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::watch::Context;

/// Computes the exact solution of a walk for right-hand sides ≥ 0, in which no unknown exceeds
/// `greatest`.
pub(super) fn solve(
    walk: &Walk,
    right: &[BigInt],
    greatest: &BigUint,
    context: &Context<'_>,
) -> Result<RationalSolution> {
    let mut lifting = Lifting::new(walk, right, context)?;
    let mut wanted = 1;
    loop {
        while lifting.digits.len() < wanted {
            context.check()?;
            lifting.lift();
        }
        if let Some(solution) = lifting
            .reconstruct(greatest)
            // The reconstruction is a guess; only the check in integers makes it a solution.
            .filter(|solution| walk.verify(right, solution))
        {
            return Ok(solution);
        }
        // By growing a quarter each time, all reconstructions together cost a few times the last
        // one.
        wanted += 1 + wanted / 4;
    }
}

struct Lifting<'a> {
    walk: &'a Walk,
    field: Prime,
    elimination: Elimination<u64>,
    /// The total weight from each state: the diagonal of A.
    totals: Vec<i128>,
    /// The digits of b.
    right: Vec<Vec<u64>>,
    /// The remainder of b after subtracting the digits so far.
    carries: Vec<i128>,
    /// The digits of all unknowns, lowest first.
    digits: Vec<Vec<u64>>,
}

impl<'a> Lifting<'a> {
    fn new(walk: &'a Walk, right: &[BigInt], context: &Context<'_>) -> Result<Self> {
        let mut field = Prime::first();
        let elimination = loop {
            match Elimination::new(walk, &field, context)? {
                Some(elimination) => break elimination,
                // The system is not singular, so it is singular modulo finitely many primes only.
                None => field = field.next(),
            }
        };
        let n = walk.len();
        let total = |i| {
            walk.edges(i)
                .iter()
                .map(|&(_, weight)| i128::from(weight))
                .sum()
        };
        Ok(Self {
            walk,
            field,
            elimination,
            totals: (0..n).map(total).collect(),
            right: right
                .iter()
                .map(|b| digits(b.magnitude(), field.modulus()))
                .collect(),
            carries: vec![0; n],
            digits: Vec::new(),
        })
    }

    /// Computes one more digit of every unknown.
    fn lift(&mut self) {
        for (carry, right) in self.carries.iter_mut().zip(&self.right) {
            *carry += i128::from(right.get(self.digits.len()).copied().unwrap_or(0));
        }
        let residues = self
            .carries
            .iter()
            .map(|&carry| self.field.enter(carry))
            .collect();
        let solved = self.elimination.solve(&self.field, residues);
        let digits: Vec<_> = solved.into_iter().map(|x| self.field.leave(x)).collect();
        for (i, carry) in self.carries.iter_mut().enumerate() {
            let inner: i128 = self
                .walk
                .inner(i)
                .map(|(j, weight)| i128::from(weight) * i128::from(digits[j]))
                .sum();
            // The digits solve the system modulo p, so the division leaves no remainder.
            *carry = (*carry - self.totals[i] * i128::from(digits[i]) + inner)
                / i128::from(self.field.modulus());
        }
        self.digits.push(digits);
    }

    /// Returns the solution in which no unknown exceeds `greatest`, if there are enough digits to
    /// identify one.
    fn reconstruct(&self, greatest: &BigUint) -> Option<RationalSolution> {
        let modulus = BigUint::from(self.field.modulus()).pow(fit::<u32>(self.digits.len()));
        // One reconstruction for a combination replaces one for each unknown.
        let mut denominator =
            reconstruction::denominator(&(self.combination() % &modulus), &modulus)?;
        let mut most = greatest * &denominator;
        let mut numerators = Vec::with_capacity(self.walk.len());
        for unknown in 0..self.walk.len() {
            let x = number(
                self.digits.iter().map(|digits| digits[unknown].into()),
                self.field.modulus(),
            );
            let mut numerator = &x * &denominator % &modulus;
            if numerator > most {
                // The combination has lost a factor of the denominator.
                let factor = reconstruction::denominator(&numerator, &modulus)?;
                denominator *= &factor;
                most *= &factor;
                numerators
                    .iter_mut()
                    .for_each(|numerator: &mut BigInt| *numerator *= BigInt::from(factor.clone()));
                numerator = x * &denominator % &modulus;
            }
            // Such a fraction is not determined by the residue, so more digits are needed.
            if denominator >= modulus || numerator > most {
                return None;
            }
            numerators.push(BigInt::from_biguint(Sign::Plus, numerator));
        }
        Some(RationalSolution {
            numerators,
            denominator: denominator.into(),
        })
    }

    /// Returns a pseudorandom combination of all unknowns. Its denominator is almost the common
    /// denominator of all of them.
    fn combination(&self) -> BigUint {
        let coefficient = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let sum = |digits: &Vec<u64>| {
            let terms = digits.iter().enumerate();
            terms
                .map(|(i, digit)| u128::from(coefficient(i)) * u128::from(*digit))
                .sum()
        };
        number(self.digits.iter().map(sum), self.field.modulus())
    }
}

/// Returns the digits of a number, lowest first.
fn digits(number: &BigUint, base: u64) -> Vec<u64> {
    let (mut rest, mut digits) = (number.clone(), Vec::new());
    while !rest.is_zero() {
        let (quotient, digit) = rest.div_rem(&base.into());
        digits.push(digit.to_u64().expect("a digit is less than its base"));
        rest = quotient;
    }
    digits
}

/// Returns the number with these digits, lowest first; they may exceed the base.
fn number(digits: impl DoubleEndedIterator<Item = u128>, base: u64) -> BigUint {
    digits
        .rev()
        .fold(BigUint::zero(), |number, digit| number * base + digit)
}

#[cfg(test)]
mod tests {
    use num_traits::One;

    use super::*;

    #[test]
    fn digits_and_numbers_are_inverse() {
        let x = BigUint::one() << 300u32;
        assert_eq!(
            number(digits(&x, 1_000_003).into_iter().map(u128::from), 1_000_003),
            x
        );
        assert!(digits(&BigUint::zero(), 7).is_empty());
    }
}
