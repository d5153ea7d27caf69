//! The builtins' table, and the pages of diagnostics.

use bid::library::THEMES;
use bid_language::diagnostic::Code;
use bid_language::ir::{BuiltinSignature, Kinds, Parameter};
use bid_language::parallel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Sets the number of threads on which this process works, which has no effect once it has begun.
#[pyfunction]
pub fn set_threads(threads: usize) {
    parallel::set_threads(threads);
}

/// All builtins, each as a dictionary: its name, theme, heading, parameters, help and examples.
#[pyfunction]
pub fn builtins(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let mut all = Vec::new();
    for theme in THEMES {
        for signature in theme.signatures() {
            all.push(builtin(py, theme.title, signature)?);
        }
    }
    Ok(all)
}

fn builtin<'py>(
    py: Python<'py>,
    theme: &str,
    signature: &BuiltinSignature,
) -> PyResult<Bound<'py, PyDict>> {
    let parameters = |parameters: &[Parameter]| -> Vec<(&'static str, String)> {
        parameters
            .iter()
            .map(|parameter| (parameter.name, parameter.kinds.to_string()))
            .collect()
    };
    let entry = PyDict::new(py);
    entry.set_item("name", signature.name)?;
    entry.set_item("theme", theme)?;
    entry.set_item("heading", signature.heading())?;
    entry.set_item("parameters", parameters(signature.parameters))?;
    entry.set_item("required", signature.required)?;
    entry.set_item("variadic", signature.variadic)?;
    entry.set_item("named", parameters(signature.named))?;
    entry.set_item("help", signature.help)?;
    entry.set_item("examples", signature.examples.to_vec())?;
    entry.set_item("asks_a_game", asks_a_game(signature))?;
    entry.set_item("result", signature.result.to_string())?;
    Ok(entry)
}

/// Returns `true` if the first argument must be a game, or is named `G` and may be one.
fn asks_a_game(signature: &BuiltinSignature) -> bool {
    let first = signature.parameters.first();
    first.is_some_and(|first| {
        first.kinds == Kinds::GAME || (first.name == "G" && first.kinds.meets(Kinds::GAME))
    })
}

/// The page on a diagnostic's code.
#[pyfunction]
pub fn explain(code: &str) -> Option<&'static str> {
    Code::parse(code).map(Code::page)
}
