//! The builtins: one table entry each, with name, types, help and runnable examples.

/// A builtin function.
#[derive(Debug)]
pub struct Builtin {
    /// The name it is called by.
    pub name: &'static str,
}
