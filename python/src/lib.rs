//! The engine of `bid` as a Python module: what stands beneath the package `bid` in `package/`.
//!
//! A session runs on threads of the engine's own; the interpreter lock is free while somebody waits
//! for it. Values cross as themselves: [`take`] makes Python's objects of answers, [`give`] answers
//! of Python's objects. What is policy (which exception, which name) is Python's.

mod calls;
mod chips;
mod classes;
mod engine;
mod give;
mod graph;
mod live;
mod names;
mod table;
mod take;
mod told;
mod written;

use pyo3::prelude::*;

/// The module `bid._bid`.
#[pymodule]
mod _bid {
    #[pymodule_export]
    use super::chips::PyChips;
    #[pymodule_export]
    use super::engine::PyEngine;
    #[pymodule_export]
    use super::give::GameRef;
    #[pymodule_export]
    use super::names::{builtins, explain};
    #[pymodule_export]
    use super::written::{Written, replace, unpacked};

    /// The version of the package, which is that of the program.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
