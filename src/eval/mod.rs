//! The evaluator: intermediate representation to values. Pure; games go into the session's [`Games`].

mod against;
mod answer;
mod arithmetic;
mod atlas;
pub mod board;
mod call;
mod check;
mod compare;
mod evaluator;
mod function;
mod graph;
mod measure;
mod memo;
mod numbered;
mod operators;
mod order;
mod position;
mod print;
mod query;
mod report;
mod value;

pub use answer::Answer;
pub(crate) use arithmetic::Total;
pub use atlas::{Atlas, Chart, Place};
pub use check::CheckResult;
pub(crate) use compare::Comparer;
pub use evaluator::{Evaluator, Frame, World};
pub(crate) use evaluator::{elements, type_error};
pub use function::Function;
pub use measure::Measure;
pub use numbered::Space;
pub(crate) use operators::{floor, rounded};
pub use order::{Fact, Facts};
pub use position::NamedMove;
pub use print::{name_of_text, print_briefly, print_game, print_position, print_rules, print_target, shows_hexagons};
pub(crate) use query::placed;
pub use report::report;
pub use value::{Side, Value};

pub use crate::solve::Outcome;

use crate::game::Games;
