//! Records the warnings about definitions, each of which is given once. A definition may be
//! evaluated for every question about it, and would be warned about every time.

use std::collections::HashSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// The warnings about definitions that a session has reported.
#[derive(Debug, Clone, Default)]
pub(super) struct Warned(HashSet<Mistake>);

/// A mistake in a definition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Mistake {
    /// A mistake at this place of a text.
    Placed(Code, Span),
    /// A mistake that the message tells from all others, for example by the name of the game.
    Named(String),
}

impl Mistake {
    fn of(warning: &Diagnostic) -> Option<Self> {
        // A warning without a place is about a question, and is repeated with it.
        let place = warning.span()?;
        match warning.code {
            Code::UnreachableNode
            | Code::DeadEnd
            | Code::LikelyMisspelling
            | Code::NeverEqual
            | Code::NeverPlayed
            | Code::IdleIncome => Some(Self::Placed(warning.code, place)),
            Code::LabelsLikeNumbers => Some(Self::Named(warning.message.clone())),
            Code::NeverWon if title(&warning.message).is_some() => {
                Some(Self::Named(warning.message.clone()))
            }
            Code::NeverWon => Some(Self::Placed(warning.code, place)),
            _ => None,
        }
    }
}

/// Returns the name of the game in a message.
fn title(message: &str) -> Option<&str> {
    message.split('`').nth(1)
}

impl Warned {
    /// Returns `true` if a warning should be reported: it is not about a definition, or the first
    /// of its kind about this one.
    pub fn is_new(&mut self, warning: &Diagnostic) -> bool {
        Mistake::of(warning).is_none_or(|mistake| self.0.insert(mistake))
    }

    /// Forgets the warnings about a source whose number may be given to another one.
    pub fn forget(&mut self, source: SourceId) {
        self.0.retain(
            |mistake| !matches!(mistake, Mistake::Placed(_, span) if span.source == source),
        );
    }

    /// Forgets the warnings about games of this name, which is being defined.
    pub fn redefined(&mut self, name: &str) {
        let is_of = |title: &str| {
            let rest = title.strip_prefix(name);
            // A family's games are titled by their calls, such as `tug(3)`.
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
        };
        self.0.retain(
            |mistake| !matches!(mistake, Mistake::Named(message) if title(message).is_some_and(is_of)),
        );
    }
}
