//! Evaluates the intermediate representation to values. The evaluator is pure; games are added to
//! the session's [`Games`](crate::game::Games).

mod apply;
mod arithmetic;
mod bounds;
mod builtin;
mod call;
mod check;
mod compare;
mod dialogue;
mod evaluator;
mod frame;
mod graph;
mod listed;
mod memo;
mod operators;
mod order;
mod planning;
mod position;
pub mod print;
mod query;
mod report;
mod state;

pub(crate) use arithmetic::Total;
pub(crate) use bounds::{BoundedNumber, absolute, extreme, rounded};
pub use builtin::{Builtin, Builtins, Call, graphs, no_question};
pub(crate) use compare::{Comparer, copied, listed, same, weight};
pub use dialogue::{Dialogue, MatchResult, Offer, Sight, Why, score_in_words};
pub use evaluator::{Evaluator, MAX_LIST};
pub(crate) use evaluator::{elements, type_error};
pub use frame::Frame;
pub(crate) use operators::floor;
pub use order::{Fact, OrderFacts};
pub use planning::Questions;
pub use position::NamedMove;
pub(crate) use query::Placed;
pub use report::{into_report, into_report_to_keep, look, report};
pub use state::SessionState;
