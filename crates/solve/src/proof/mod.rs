//! Proof: certificates of values, and checks of values against the lines of a ruleset.
//!
//! No value of a cyclic game is printed before [`certify`] has checked its certificate against the
//! graph; values of spaces without a graph are computed again by [`spot`] checks.

pub mod certify;
pub(crate) mod spot;
