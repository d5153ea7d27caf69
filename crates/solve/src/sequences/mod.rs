//! Thresholds for all totals of chips at once.
//!
//! For a finite game f(G, k) is *eventually quasi-linear* in k: from some k on, f(G, k + M) = f(G,
//! k) + M·R(G), where M is a common denominator of the Richman values (Develin & Payne 2010,
//! Theorems 3.12 to 3.14). Such a sequence is a finite value ([`Sequence`]), and so is a position's
//! threshold for every k.
//!
//! On games without cycles no bound is needed for "from some k on": the recursion of the thresholds
//! consists of sums, halves rounded down, minima and maxima of thresholds at the same k, and each
//! of these operations on two quasi-linear sequences gives another one, from a k that is found
//! exactly ([`lift`]). The recursion itself is that of [`chips`](crate::chips), for every rule for
//! ties. Positions with equal sequences share one value, and the result for equal values is
//! computed once.
//!
//! On cycles the theorems settle all totals after a window of one period in which play is stable at
//! every total ([`cyclic`]).

mod cyclic;
mod formula;
mod known;
mod lift;
mod line;
mod sequence;
mod solve;
mod stable;
mod totals;

pub use cyclic::Settling;
pub use formula::{FormulaCase, ThresholdFormula};
pub use known::KnownSequences;
pub use sequence::Sequence;
pub(crate) use solve::Solving;
pub use solve::{ClassId, Sequences};
pub use totals::{Totals, TotalsShape};
