//! The tests that end the game, evaluated at given levels as far as these determine them.

use crate::game::ruleset::{Formula, Product, Test};
use crate::player::Ending;

/// The known status of sets of lines, a bit for each.
#[derive(Debug, Clone, Copy, Default)]
pub struct LineStatus {
    /// The sets with a complete line.
    pub complete: u64,
    /// The sets with a line that other components may complete.
    pub open: u64,
}

impl LineStatus {
    /// Returns whether a line of a set is complete, if that is known.
    fn line(self, set: usize) -> Option<bool> {
        match (self.complete >> set & 1, self.open >> set & 1) {
            (1.., _) => Some(true),
            (0, 0) => Some(false),
            (0, 1..) => None,
        }
    }
}

/// The tests of the endings of positions at the same levels.
#[derive(Debug)]
pub struct EndingTests {
    /// The tests that may hold, in order, with sets of lines as atoms; the first test that holds
    /// determines the ending.
    tests: Vec<(Formula<usize>, Ending)>,
}

/// The knowledge about the endings of several positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownEnding {
    /// All have this ending.
    Ended(Ending),
    /// None has ended.
    Open,
    /// Some may have ended.
    Mixed,
}

impl EndingTests {
    /// Creates the tests at these levels.
    pub fn new(product: &Product, levels: &[u8]) -> Self {
        let mut tests = Vec::new();
        let at_levels = |test: &Test| match test {
            Test::Line(set) => Formula::Atom(*set),
            Test::Count(count) => Formula::Constant(count.holds(levels)),
        };
        for (test, ending) in &product.endings {
            let test = test.reduced(&at_levels);
            let decides = test == Formula::Constant(true);
            if test != Formula::Constant(false) {
                tests.push((test, *ending));
            }
            // Later tests cannot decide any more, because this one holds at all these levels.
            if decides {
                break;
            }
        }
        Self { tests }
    }

    /// Returns the knowledge about endings that follows from the status of lines.
    pub fn known(&self, seen: LineStatus) -> KnownEnding {
        for (test, ending) in &self.tests {
            match test.decided(&|set| seen.line(*set)) {
                Some(true) => return KnownEnding::Ended(*ending),
                Some(false) => {}
                // An earlier test that is open may decide, so later ones are not asked.
                None => return KnownEnding::Mixed,
            }
        }
        KnownEnding::Open
    }

    /// Iterates over the endings, each with those of 64 contents that have it, as bits.
    pub fn words<'a>(
        &'a self,
        complete: impl Fn(usize) -> u64 + 'a,
    ) -> impl Iterator<Item = (Ending, u64)> + 'a {
        let mut open = u64::MAX;
        self.tests.iter().map(move |(test, ending)| {
            // Only contents that no earlier test has ended are left for this one.
            let ended = open & test.word(&|set| complete(*set));
            open &= !ended;
            (*ending, ended)
        })
    }
}
