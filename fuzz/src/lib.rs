//! The functions that the fuzz targets call: [`harness`], with the parts of the test suite that it
//! uses.

#[path = "../../crates/language/tests/syntax_laws/laws.rs"]
mod laws;
#[path = "../../crates/language/tests/syntax_laws/same.rs"]
mod same;

mod harness;

pub use harness::*;
