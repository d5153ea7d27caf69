//! Which words are positions: what is read from a file is looked at before a program runs on it.

use super::Ruleset;
use super::layout::ScalarPlace;

/// The words that the state variables of a ruleset can make.
#[derive(Debug)]
pub struct Domain {
    scalars: Vec<ScalarPlace>,
    /// The bits that belong to no variable.
    unused: Vec<u64>,
}

impl Ruleset {
    /// Its domain.
    pub fn domain(&self) -> Domain {
        let scalars: Vec<ScalarPlace> = self
            .variables
            .iter()
            .flat_map(|(_, place)| place.scalars())
            .collect();
        let mut unused = vec![u64::MAX; self.words()];
        for bit in scalars.iter().flat_map(|scalar| scalar.bits()) {
            bit.put(&mut unused, false);
        }
        Domain { scalars, unused }
    }
}

impl Domain {
    /// Whether every variable has a value that it can hold, and no other bit is set.
    pub fn contains(&self, words: &[u64]) -> bool {
        words.len() == self.unused.len()
            && words
                .iter()
                .zip(&self.unused)
                .all(|(word, unused)| word & unused == 0)
            && self
                .scalars
                .iter()
                .all(|scalar| scalar.holds(scalar.get(words)))
    }
}
