//! An answer as it is written, in every form.

use std::sync::Arc;

use bid::report::{Format, Report};
use bid::watch::Unwatched;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::table::Numbers;

/// An answer of the engine: what stands behind its Python object, and writes it.
#[pyclass(frozen, module = "bid._bid")]
pub struct Written(pub Arc<Report>);

#[pymethods]
impl Written {
    /// The answer as `text`, `json`, `csv`, `latex` or `html`.
    pub fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let format = match format {
            "text" => Format::Text,
            "json" => Format::Json,
            "csv" => Format::Csv,
            "latex" => Format::Latex,
            "html" => Format::Html,
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no format {other:?}"
                )));
            }
        };
        let report = Arc::clone(&self.0);
        let text = py.detach(move || report.render(format, &Unwatched));
        text.map_err(|_| PyValueError::new_err("the answer cannot be written"))
    }

    /// The answer's picture as SVG, if it has one.
    fn svg(&self, py: Python<'_>) -> Option<String> {
        let report = Arc::clone(&self.0);
        py.detach(move || {
            report
                .picture()
                .and_then(|picture| picture.svg(&Unwatched).ok())
        })
    }

    /// The numbers of a table's column (0 is the parameter) with their type in numpy's words: whole
    /// numbers of 64 bits, else floats, where a star counts a half and a number between bounds is
    /// in the middle of them; `None` if they are no numbers.
    fn numbers<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Option<Numbers<'py>>> {
        self.column_numbers(py, column)
    }

    /// The values of a table's column (0 is the parameter) as themselves.
    fn values<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Bound<'py, PyList>> {
        self.column_values(py, column)
    }

    /// The answer's diagram in the language of Graphviz, if it is one.
    fn dot(&self) -> Option<String> {
        self.0
            .picture()
            .and_then(|picture| picture.diagram())
            .map(|diagram| diagram.dot())
    }
}
