//! Collects the diagnostics of one source: keeps the first ones in full and counts the rest.

use super::{Diagnostic, Severity};
use crate::source::Span;

/// The most errors of one source that are kept, and the most warnings. Nobody reads more at a time.
const MOST: usize = 100;

/// The diagnostics found in a source.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Findings {
    /// Keeps a diagnostic, or only counts it if enough of its severity are kept.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= MOST {
            self.kept.push(diagnostic);
        }
    }

    /// Adds all diagnostics of another collection, its counts included.
    pub fn append(&mut self, other: Self) {
        // `push` counts only what is kept, so the sums are taken before and set after.
        let (errors, warnings) = (self.errors + other.errors, self.warnings + other.warnings);
        for diagnostic in other.kept {
            self.push(diagnostic);
        }
        (self.errors, self.warnings) = (errors, warnings);
    }

    /// Returns `true` if further errors are only counted, so that their messages need not be built.
    pub fn are_enough(&self) -> bool {
        self.errors >= MOST
    }

    /// Counts an error without a message.
    pub fn count_error(&mut self) {
        self.errors += 1;
    }

    /// Removes the kept diagnostics at the places for which `at` is true.
    pub fn forget(&mut self, at: impl Fn(Span) -> bool) {
        self.kept.retain(|diagnostic| {
            let forgotten = diagnostic.span().is_some_and(&at);
            if forgotten {
                match diagnostic.severity() {
                    Severity::Error => self.errors -= 1,
                    Severity::Warning => self.warnings -= 1,
                }
            }
            !forgotten
        });
    }

    /// Returns the number of diagnostics, counting those that are not kept.
    pub fn len(&self) -> usize {
        self.errors + self.warnings
    }

    /// Returns `true` if there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the kept diagnostics.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter()
    }

    /// Sorts the kept diagnostics by place.
    pub fn sort(&mut self) {
        self.kept
            .sort_by_key(|diagnostic| diagnostic.span().map(|span| (span.start, span.end)));
    }

    /// Returns the kept diagnostics. A note on the last one gives the number of those not kept.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        let more = self.len() - self.kept.len();
        if let Some(last) = self.kept.last_mut()
            && more > 0
        {
            last.notes
                .push(format!("and {more} more like these, which are not shown"));
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn found(errors: usize, warnings: usize) -> Findings {
        let mut found = Findings::default();
        (0..warnings)
            .for_each(|n| found.push(Diagnostic::new(Code::UnreachableNode, n.to_string())));
        (0..errors).for_each(|n| found.push(Diagnostic::new(Code::UnknownName, n.to_string())));
        found
    }

    #[test]
    fn the_rest_is_counted() {
        let all = found(MOST, MOST).into_vec();
        assert!(all.len() == 2 * MOST && all.iter().all(|diagnostic| diagnostic.notes.is_empty()));
        let one_more = found(MOST + 1, 0).into_vec();
        assert_eq!(one_more.len(), MOST);
        assert_eq!(
            one_more[MOST - 1].notes,
            ["and 1 more like these, which are not shown"]
        );
        assert_eq!(found(0, 0).into_vec(), []);
    }

    #[test]
    fn many_warnings_hide_no_error() {
        let all = found(1, MOST + 7).into_vec();
        assert_eq!(all.len(), MOST + 1);
        assert_eq!(all[MOST].severity(), Severity::Error);
    }

    #[test]
    fn what_was_counted_stays_counted() {
        let mut both = found(MOST + 5, 0);
        both.append(found(MOST + 5, 2));
        both.count_error();
        assert_eq!(both.len(), 2 * MOST + 13);
        assert_eq!(both.into_vec().last().map(|last| last.notes.len()), Some(1));
    }
}
