//! The evaluator: intermediate representation to values. Pure; games go into the session's [`Games`](crate::game::Games).

pub mod board;
mod function;
mod value;

pub use function::Function;
pub use value::{Outcome, Side, Value};

/// A result of a query that is more than one value.
#[derive(Debug)]
pub enum Answer {}
