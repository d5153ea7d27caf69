//! The engine of `bid` as a Python module, on which the package `bid` in `package/` is built.
//!
//! A session runs on threads of the engine's own; the interpreter lock is released while a caller
//! waits for it. [`take`] converts answers to Python's objects, and [`give`] Python's objects to
//! answers. Policy (exceptions, names) is left to Python.

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
    use super::names::{builtins, explain, set_threads};
    #[pymodule_export]
    use super::written::{Written, replace, unpacked};

    /// The version of the package, which is that of the program.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
