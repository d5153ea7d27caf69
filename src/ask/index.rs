//! The numbering of a ruleset, as far as it has been built.

use std::rc::Rc;

use crate::game::ruleset::{Indexed, Numbering, Ruleset};
use crate::watch::{Context, Stop};

/// The state of a ruleset's numbering.
#[derive(Debug, Clone)]
pub(super) enum NumberingState {
    /// It has no numbering, or none that can be swept.
    Missing,
    /// It has more positions than the limit, so its conditions were not tabulated.
    Large(Rc<Numbering>),
    /// It can be swept.
    Ready(Rc<Indexed>),
}

impl NumberingState {
    pub(super) fn new(ruleset: &Ruleset, context: &Context<'_>) -> Result<Self, Stop> {
        let Some(numbering) = ruleset.numbering(context)? else {
            return Ok(Self::Missing);
        };
        if numbering.positions() > context.limits.max_positions {
            let large = numbering.has_small_tables(ruleset, context)?;
            return Ok(if large {
                Self::Large(Rc::new(numbering))
            } else {
                Self::Missing
            });
        }
        Ok(numbering
            .tabulated(ruleset, context)?
            .map_or(Self::Missing, |indexed| Self::Ready(Rc::new(indexed))))
    }

    pub(super) fn numbering(&self) -> Option<&Numbering> {
        match self {
            Self::Missing => None,
            Self::Large(numbering) => Some(numbering),
            Self::Ready(indexed) => Some(&indexed.numbering),
        }
    }

    /// Returns the numbering with its tables, if these were made.
    pub(super) fn tables(&self) -> Option<&Indexed> {
        match self {
            Self::Missing | Self::Large(_) => None,
            Self::Ready(indexed) => Some(indexed),
        }
    }

    /// Returns the tables for a sweep, if there are any.
    pub(super) fn indexed(self) -> Option<Rc<Indexed>> {
        match self {
            Self::Missing | Self::Large(_) => None,
            Self::Ready(indexed) => Some(indexed),
        }
    }
}
