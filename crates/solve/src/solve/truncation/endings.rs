//! The tests that end the game, at given levels: as far as these decide them, they are decided once.

use crate::game::ruleset::{Product, Test};
use crate::player::Ending;

/// A test at given levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reduced {
    /// Decided.
    Known(bool),
    /// Whether a line of this set is complete.
    Line(usize),
    /// The opposite.
    Not(Box<Reduced>),
    /// Whether all hold.
    All(Vec<Reduced>),
    /// Whether one holds.
    Any(Vec<Reduced>),
}

/// What is known of sets of lines, a bit for each: whether a line is complete, whether one can still be.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    /// The sets with a complete line.
    pub complete: u64,
    /// The sets with a line that other components may complete.
    pub open: u64,
}

impl Reduced {
    fn new(test: &Test, levels: &[u8]) -> Self {
        let all = |tests: &[Test]| tests.iter().map(|test| Self::new(test, levels)).collect::<Vec<_>>();
        match test {
            Test::Constant(truth) => Self::Known(*truth),
            Test::Line(set) => Self::Line(*set),
            Test::Count(count) => Self::Known(count.holds(levels)),
            Test::Not(inner) => match Self::new(inner, levels) {
                Self::Known(truth) => Self::Known(!truth),
                inner => Self::Not(Box::new(inner)),
            },
            Test::All(tests) => Self::joined(all(tests), false, Self::All),
            Test::Any(tests) => Self::joined(all(tests), true, Self::Any),
        }
    }

    /// Several as one; one that is known to be `decisive` decides.
    fn joined(mut tests: Vec<Self>, decisive: bool, join: fn(Vec<Self>) -> Self) -> Self {
        if tests.contains(&Self::Known(decisive)) {
            return Self::Known(decisive);
        }
        tests.retain(|test| *test != Self::Known(!decisive));
        if tests.is_empty() { Self::Known(!decisive) } else { join(tests) }
    }

    /// Whether it holds, if what is known decides it (Kleene).
    fn decided(&self, seen: Seen) -> Option<bool> {
        let all = |tests: &[Self], decisive: bool| {
            let mut known = Some(!decisive);
            for test in tests {
                match test.decided(seen) {
                    Some(truth) if truth == decisive => return Some(decisive),
                    Some(_) => {}
                    None => known = None,
                }
            }
            known
        };
        match self {
            Self::Known(truth) => Some(*truth),
            Self::Line(set) if seen.complete >> set & 1 != 0 => Some(true),
            Self::Line(set) => (seen.open >> set & 1 == 0).then_some(false),
            Self::Not(inner) => inner.decided(seen).map(|truth| !truth),
            Self::All(tests) => all(tests, false),
            Self::Any(tests) => all(tests, true),
        }
    }

    /// For which of 64 contents it holds; `complete` has those for which a set has a complete line.
    fn word(&self, complete: &impl Fn(usize) -> u64) -> u64 {
        match self {
            Self::Known(truth) => {
                if *truth {
                    u64::MAX
                } else {
                    0
                }
            }
            Self::Line(set) => complete(*set),
            Self::Not(inner) => !inner.word(complete),
            Self::All(tests) => tests.iter().fold(u64::MAX, |all, test| all & test.word(complete)),
            Self::Any(tests) => tests.iter().fold(0, |any, test| any | test.word(complete)),
        }
    }
}

/// How positions of the same levels end.
#[derive(Debug)]
pub struct Endings {
    /// The tests that may hold, in order: the first that does decides.
    tests: Vec<(Reduced, Ending)>,
}

/// What is known of the ending of several positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// All have ended so.
    Ended(Ending),
    /// None has ended.
    Open,
    /// Some may have ended.
    Mixed,
}

impl Endings {
    /// At these levels.
    pub fn new(product: &Product, levels: &[u8]) -> Self {
        let mut tests = Vec::new();
        for (test, ending) in &product.endings {
            let test = Reduced::new(test, levels);
            let decides = test == Reduced::Known(true);
            if test != Reduced::Known(false) {
                tests.push((test, *ending));
            }
            if decides {
                break;
            }
        }
        Self { tests }
    }

    /// What is known where this much is known of lines.
    pub fn known(&self, seen: Seen) -> Known {
        for (test, ending) in &self.tests {
            match test.decided(seen) {
                Some(true) => return Known::Ended(*ending),
                Some(false) => {}
                None => return Known::Mixed,
            }
        }
        Known::Open
    }

    /// The endings, with the contents among 64 that have each of them.
    pub fn words<'a>(&'a self, complete: impl Fn(usize) -> u64 + 'a) -> impl Iterator<Item = (Ending, u64)> + 'a {
        let mut open = u64::MAX;
        self.tests.iter().map(move |(test, ending)| {
            let ended = open & test.word(&complete);
            open &= !ended;
            (*ending, ended)
        })
    }
}
