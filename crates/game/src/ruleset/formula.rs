//! Formulas: atoms joined by *not*, *all* and *any*.

/// A formula over atoms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula<A> {
    /// A known truth value.
    Constant(bool),
    /// An atom.
    Atom(A),
    /// The negation.
    Not(Box<Self>),
    /// The conjunction.
    All(Vec<Self>),
    /// The disjunction.
    Any(Vec<Self>),
}

impl<A> Formula<A> {
    /// Returns the truth value, if the known truth values of atoms determine it (the strong logic
    /// of Kleene, 1938).
    pub fn decided(&self, known: &impl Fn(&A) -> Option<bool>) -> Option<bool> {
        let joined = |parts: &[Self], decisive: bool| {
            let mut all = Some(!decisive);
            for part in parts {
                match part.decided(known) {
                    // One decisive part determines the result, whatever is unknown about the
                    // others.
                    Some(truth) if truth == decisive => return Some(decisive),
                    Some(_) => {}
                    None => all = None,
                }
            }
            all
        };
        match self {
            Self::Constant(truth) => Some(*truth),
            Self::Atom(atom) => known(atom),
            Self::Not(inner) => inner.decided(known).map(|truth| !truth),
            Self::All(parts) => joined(parts, false),
            Self::Any(parts) => joined(parts, true),
        }
    }

    /// Evaluates the formula in 64 cases at once, one per bit.
    #[inline]
    pub fn word(&self, atom: &impl Fn(&A) -> u64) -> u64 {
        match self {
            Self::Constant(true) => u64::MAX,
            Self::Constant(false) => 0,
            Self::Atom(one) => atom(one),
            Self::Not(inner) => !inner.word(atom),
            Self::All(parts) => parts
                .iter()
                .fold(u64::MAX, |all, part| all & part.word(atom)),
            Self::Any(parts) => parts.iter().fold(0, |any, part| any | part.word(atom)),
        }
    }

    /// Substitutes formulas for the atoms and removes parts that make no difference.
    pub fn reduced<B>(&self, atom: &impl Fn(&A) -> Formula<B>) -> Formula<B> {
        let joined = |parts: &[Self], decisive: bool, join: fn(Vec<Formula<B>>) -> Formula<B>| {
            let mut left = Vec::new();
            for part in parts {
                match part.reduced(atom) {
                    Formula::Constant(truth) if truth == decisive => {
                        return Formula::Constant(decisive);
                    }
                    // A constant that is not decisive makes no difference.
                    Formula::Constant(_) => {}
                    part => left.push(part),
                }
            }
            if left.is_empty() {
                Formula::Constant(!decisive)
            } else {
                join(left)
            }
        };
        match self {
            Self::Constant(truth) => Formula::Constant(*truth),
            Self::Atom(one) => atom(one),
            Self::Not(inner) => match inner.reduced(atom) {
                Formula::Constant(truth) => Formula::Constant(!truth),
                inner => Formula::Not(Box::new(inner)),
            },
            Self::All(parts) => joined(parts, false, Formula::All),
            Self::Any(parts) => joined(parts, true, Formula::Any),
        }
    }

    /// Returns all atoms, perhaps some of them several times.
    pub fn atoms(&self) -> Vec<&A> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Atom(atom) => vec![atom],
            Self::Not(inner) => inner.atoms(),
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::atoms).collect(),
        }
    }

    /// Returns the atoms of a formula that is the disjunction of atoms; `None` for other formulas.
    pub fn any_of(&self) -> Option<Vec<&A>> {
        match self {
            Self::Atom(atom) => Some(vec![atom]),
            Self::Any(parts) => parts
                .iter()
                .map(Self::any_of)
                .collect::<Option<Vec<_>>>()
                .map(|parts| parts.concat()),
            Self::Constant(_) | Self::Not(_) | Self::All(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::fit;

    /// Returns a formula of a few levels over four atoms, determined by the digits of a number.
    fn formula(code: &mut u64, depth: u32) -> Formula<usize> {
        let digit = |code: &mut u64, radix: u64| {
            let digit = *code % radix;
            *code /= radix;
            digit
        };
        let kind = digit(code, 6);
        let parts = |code: &mut u64| {
            (0..digit(code, 4))
                .map(|_| formula(code, depth - 1))
                .collect()
        };
        match kind {
            0 => Formula::Constant(digit(code, 2) == 0),
            1 | 2 if depth > 0 => Formula::All(parts(code)),
            3 if depth > 0 => Formula::Any(parts(code)),
            4 if depth > 0 => Formula::Not(Box::new(formula(code, depth - 1))),
            _ => Formula::Atom(fit(digit(code, 4))),
        }
    }

    fn truth(formula: &Formula<usize>, holds: u64) -> bool {
        match formula {
            Formula::Constant(truth) => *truth,
            Formula::Atom(atom) => holds >> atom & 1 != 0,
            Formula::Not(inner) => !truth(inner, holds),
            Formula::All(parts) => parts.iter().all(|part| truth(part, holds)),
            Formula::Any(parts) => parts.iter().any(|part| truth(part, holds)),
        }
    }

    /// The truth values of four atoms in all 16 cases, one case per bit.
    const ATOMS: [u64; 4] = [0xAAAA, 0xCCCC, 0xF0F0, 0xFF00];

    #[test]
    fn all_readings_agree() {
        let (mut decided, mut made) = (0, 0);
        for number in 0..4000_u64 {
            let formula = formula(&mut number.wrapping_mul(0x9E37_79B9_7F4A_7C15), 3);
            let word = formula.word(&|atom| ATOMS[*atom]);
            let reduced = formula.reduced(&|atom| Formula::Atom(*atom));
            for holds in 0..16 {
                assert_eq!(
                    word >> holds & 1 != 0,
                    truth(&formula, holds),
                    "{formula:?}"
                );
                assert_eq!(
                    truth(&reduced, holds),
                    truth(&formula, holds),
                    "{formula:?}"
                );
                if let Some(atoms) = formula.any_of() {
                    assert_eq!(
                        truth(&formula, holds),
                        atoms.iter().any(|atom| holds >> **atom & 1 != 0)
                    );
                    made += 1;
                }
                // The truth values of two atoms determine only what holds whatever the others are.
                let known = |atom: &usize| (*atom < 2).then_some(holds >> atom & 1 != 0);
                if let Some(known) = formula.decided(&known) {
                    decided += 1;
                    for others in 0..4 {
                        assert_eq!(
                            truth(&formula, holds & 3 | others << 2),
                            known,
                            "{formula:?}"
                        );
                    }
                }
                assert_eq!(
                    formula.decided(&|atom| Some(holds >> atom & 1 != 0)),
                    Some(truth(&formula, holds))
                );
            }
        }
        assert!(decided > 1000 && made > 1000, "{decided} {made}");
    }
}
