//! The reconstruction of a fraction from its residue modulo M.
//!
//! Euclid's algorithm on M and the residue r passes through all small pairs with `n ≡ d · r` modulo
//! M. If a fraction is much smaller than M, a huge quotient follows it: where `n · d` is less than
//! M by a factor 2^t, the quotient has about t bits, while no quotient of random residues is nearly
//! so large (Monagan 2004). So no bound on the answer is needed, and a modulus that is too small is
//! noticed.

use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The number of bits that the quotient must have for the fraction to be accepted; the answer is
/// verified in the end all the same.
const BELIEVED_BITS: u64 = 40;

/// Returns the denominator of the fraction that a residue stands for, if there is a clear
/// candidate.
pub(super) fn denominator(residue: &BigUint, modulus: &BigUint) -> Option<BigUint> {
    if residue.is_zero() {
        return Some(BigUint::one());
    }
    let (mut before, mut now) = (modulus.clone(), residue.clone());
    // The cofactors are kept as absolute values, because their signs alternate.
    let (mut cofactor_before, mut cofactor) = (BigUint::zero(), BigUint::one());
    let mut best = (BELIEVED_BITS, None);
    while !now.is_zero() {
        let quotient = &before / &now;
        // The longest quotient follows the fraction that is smallest in comparison with the
        // modulus.
        if quotient.bits() > best.0 {
            best = (quotient.bits(), Some(cofactor.clone()));
        }
        let rest = &before - &quotient * &now;
        before = std::mem::replace(&mut now, rest);
        let next = cofactor_before + quotient * &cofactor;
        cofactor_before = std::mem::replace(&mut cofactor, next);
    }
    best.1
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_integer::Integer;

    use super::*;

    #[test]
    fn finds_denominators_and_notices_a_small_modulus() {
        let modulus = BigUint::from((1u64 << 61) - 1).pow(3);
        let m = BigInt::from(modulus.clone());
        for (n, d) in [
            (1, 2),
            (17, 48),
            (1_000_003, 999_999_937u64),
            (u64::MAX - 58, u64::MAX),
        ] {
            let inverse = BigInt::from(d).extended_gcd(&m).x;
            let residue = (inverse * n)
                .mod_floor(&m)
                .to_biguint()
                .expect("a residue is not negative");
            assert_eq!(denominator(&residue, &modulus), Some(d.into()));
        }
        let small = BigUint::from((1u64 << 61) - 1);
        assert_eq!(
            denominator(&BigUint::from(123_456_789_123_456u64), &small),
            None
        );
    }
}
