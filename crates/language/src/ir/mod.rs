//! What checking makes and evaluating reads: the checked tree, kinds, values, and what builtins
//! look like from outside.

mod answer;
pub mod board;
mod builtin;
mod enclosure;
mod function;
mod items;
mod kinds;
mod tree;
mod value;

pub use answer::AnswerValue;
pub use builtin::{BuiltinSignature, Parameter};
pub use enclosure::{Enclosure, Origin};
pub use function::Function;
pub use items::{Abscissae, Along, Items};
pub use kinds::Kinds;
pub use tree::*;
pub use value::{Side, Value};
