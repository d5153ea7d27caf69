//! One exact number for each vertex, in the narrowest form that can represent them all.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::dyadic::Dyadic;
use super::fraction::UnreducedFraction;
use super::theory::over_power;
use crate::game::NodeId;

/// The values of all vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Numerators over `2^scale`, `scale` ≤ 63.
    Narrow { scale: u32, numerators: Vec<u64> },
    /// Numerators over `2^scale`, `scale` ≤ 127.
    Wide { scale: u32, numerators: Vec<u128> },
    /// Dyadics, for acyclic graphs of any depth.
    Dyadic(Vec<Dyadic>),
    /// Fractions, for graphs with cycles.
    Fraction(Vec<UnreducedFraction>),
}

impl Numbers {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow { numerators, .. } => numerators.len(),
            Self::Wide { numerators, .. } => numerators.len(),
            Self::Dyadic(values) => values.len(),
            Self::Fraction(values) => values.len(),
        }
    }

    pub(super) fn value(&self, node: NodeId) -> BigRational {
        let v = node.index();
        match self {
            Self::Narrow { scale, numerators } => over_power(numerators[v].into(), *scale),
            Self::Wide { scale, numerators } => over_power(numerators[v].into(), *scale),
            Self::Dyadic(values) => values[v].to_rational(),
            Self::Fraction(values) => values[v].to_rational(),
        }
    }

    pub(super) fn compare(&self, a: NodeId, b: NodeId) -> Ordering {
        let (a, b) = (a.index(), b.index());
        match self {
            Self::Narrow { numerators, .. } => numerators[a].cmp(&numerators[b]),
            Self::Wide { numerators, .. } => numerators[a].cmp(&numerators[b]),
            Self::Dyadic(values) => values[a].cmp(&values[b]),
            Self::Fraction(values) => values[a].cmp(&values[b]),
        }
    }

    pub(super) fn compare_halves(&self, node: NodeId, halves: u8) -> Ordering {
        let v = node.index();
        match self {
            Self::Narrow { scale, numerators } => {
                // The scale is at most 63, so two halves shifted by it still fit 128 bits.
                (2 * u128::from(numerators[v])).cmp(&(u128::from(halves) << scale))
            }
            Self::Wide { scale, numerators } => {
                // At scale 127 two halves need 129 bits, so this comparison takes long integers.
                (BigInt::from(numerators[v]) * 2u32).cmp(&(BigInt::from(halves) << *scale))
            }
            Self::Dyadic(values) => values[v].cmp(&Dyadic::new(halves.into(), 1)),
            Self::Fraction(values) => {
                let (twice, halves): (BigInt, BigInt) =
                    (&values[v].numerator * 2, &*values[v].denominator * halves);
                twice.cmp(&halves)
            }
        }
    }

    /// Returns whether the value of `node` is exactly the mean of those of `a` and `b`. It uses
    /// integer arithmetic only and shares no code with the computation of means.
    pub(super) fn is_mean(&self, node: NodeId, a: NodeId, b: NodeId) -> bool {
        let (v, a, b) = (node.index(), a.index(), b.index());
        match self {
            Self::Narrow { numerators: x, .. } => {
                2 * u128::from(x[v]) == u128::from(x[a]) + u128::from(x[b])
            }
            Self::Wide { numerators: x, .. } => is_mean(&[x[v], x[a], x[b]].map(BigInt::from)),
            Self::Dyadic(x) => {
                let exponent = x[v].exponent.max(x[a].exponent).max(x[b].exponent);
                let [v, a, b] =
                    [&x[v], &x[a], &x[b]].map(|x| &x.mantissa << (exponent - x.exponent));
                v << 1 == a + b
            }
            Self::Fraction(x) => {
                let [v, a, b] = [&x[v], &x[a], &x[b]];
                if v.denominator == a.denominator && v.denominator == b.denominator {
                    return is_mean(&[&v.numerator, &a.numerator, &b.numerator]);
                }
                let (dv, da, db) = (&*v.denominator, &*a.denominator, &*b.denominator);
                &v.numerator * 2 * da * db == dv * (&a.numerator * db + &b.numerator * da)
            }
        }
    }
}

fn is_mean<T: std::borrow::Borrow<BigInt>>([v, a, b]: &[T; 3]) -> bool {
    v.borrow() * 2 == a.borrow() + b.borrow()
}
