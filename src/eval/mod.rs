//! The evaluator: intermediate representation to values. Pure; games go into the session's
//! [`Games`].

mod against;
mod arithmetic;
mod budget;
mod builtin;
mod call;
mod check;
mod compare;
mod dialogue;
mod evaluator;
mod graph;
mod index;
mod listed;
mod measure;
mod memo;
mod numbered;
mod operators;
mod order;
mod planning;
mod position;
mod query;
mod report;
mod searched;
mod solutions;
mod truncation;

pub(crate) use arithmetic::Total;
pub use builtin::{Builtin, Builtins, Call};
pub use check::CheckResult;
pub(crate) use compare::{Comparer, copied, listed, same, weight};
pub use dialogue::{Dialogue, Offer, Sight, Why};
pub use evaluator::{Evaluator, Frame, MAX_LIST, SessionState};
pub(crate) use evaluator::{elements, type_error};
pub use measure::Measure;
pub use numbered::Neighbourhood;
pub(crate) use numbered::plain_turns;
pub(crate) use operators::{floor, rounded};
pub use order::{Fact, Facts};
pub use planning::Planned;
pub use position::NamedMove;
pub(crate) use query::placed;
pub use report::{into_report, into_report_to_keep, report};
pub use solutions::{JudgedBoard, LocatedVertex, SolutionCache, SolvedGraph};
pub use truncation::{Bounded, Depth};

use crate::game::Games;
