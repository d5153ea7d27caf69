//! The output of checking and input of evaluation: the checked tree, kinds, values, and the
//! signatures of builtins.

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
pub use items::{Abscissae, Along, AlongVariable, Items};
pub use kinds::Kinds;
pub use tree::*;
pub use value::{Operand, Side, Value};
