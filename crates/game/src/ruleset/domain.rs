//! Validation of packed positions: words read from a file are checked before a program runs on
//! them.

use super::Ruleset;
use super::layout::ScalarPlace;

/// The set of words that encode values of a ruleset's state variables.
#[derive(Debug)]
pub struct Domain {
    scalars: Vec<ScalarPlace>,
    /// The bits that belong to no variable.
    unused: Vec<u64>,
}

impl Ruleset {
    /// Returns the domain of the ruleset's positions.
    pub fn domain(&self) -> Domain {
        let scalars: Vec<ScalarPlace> = self.scalars().collect();
        // States are compared as words, so a stray bit would make two states of one position.
        let mut unused = vec![u64::MAX; self.words()];
        for bit in scalars.iter().flat_map(|scalar| scalar.bits()) {
            bit.put(&mut unused, false);
        }
        Domain { scalars, unused }
    }
}

impl Domain {
    /// Returns `true` if every variable has a value that it can hold, and no other bit is set.
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
