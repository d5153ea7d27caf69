//! An answer in every format in which it can be written.

use std::path::PathBuf;
use std::sync::Arc;

use bid_language::player::GameId;
use bid_language::scalar::NamedGame;
use bid_language::watch::Context;
use bid_report::{Format, Report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::give::GameRef;
use crate::table::NumberColumn;
use crate::take::Taking;

/// An answer of the engine: what stands behind its Python object, and writes it.
#[pyclass(frozen, module = "bid._bid")]
pub struct Written {
    /// The answer.
    pub report: Arc<Report>,
    /// The session that games in it belong to, and its number; none where there are no games.
    pub session: Option<(Py<PyAny>, u64)>,
}

#[pymethods]
impl Written {
    /// The answer as `text`, `json`, `csv`, `latex` or `html`.
    pub fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let form = form(format)?;
        let report = Arc::clone(&self.report);
        // A long answer takes a while to write, and other threads may run meanwhile.
        let text = py.detach(move || report.render(form, Context::plain()));
        text.map_err(|_| PyValueError::new_err("the answer cannot be written"))
    }

    /// The answer's picture as SVG, if it has one.
    fn svg(&self, py: Python<'_>) -> Option<String> {
        let report = Arc::clone(&self.report);
        py.detach(move || {
            report
                .picture()
                .and_then(|picture| picture.svg(Context::plain()).ok())
        })
    }

    /// The answer as bytes, without its games' numbers in the session: equal answers have equal
    /// ones, and [`unpacked`] makes the answer of them.
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = if self.report.mentions_games() {
            let mut report = (*self.report).clone();
            // The numbers depend on the order in which a session made its games.
            report.each_game(&mut |game| game.id = GameId(0));
            borsh::to_vec(&report)
        } else {
            borsh::to_vec(&*self.report)
        };
        Ok(PyBytes::new(py, &bytes?))
    }

    /// The games in the answer, in order.
    pub fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let games = PyList::empty(py);
        let Some((session, number)) = &self.session else {
            return Ok(games);
        };
        let taking = Taking::of(session.bind(py), *number)?;
        for game in named(&self.report) {
            games.append(taking.game(&game)?)?;
        }
        Ok(games)
    }

    /// The numbers of a table's column (0 is the parameter) with their type in numpy's words: whole
    /// numbers of 64 bits, else floats, as `float` makes them: a star counts a half, −ε takes a
    /// half away, and a number between bounds is in the middle of them; `None` if they are no numbers.
    fn numbers<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Option<NumberColumn<'py>>> {
        self.column_numbers(py, column)
    }

    /// The values of a table's column (0 is the parameter) as themselves.
    fn values<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Bound<'py, PyList>> {
        self.column_values(py, column)
    }

    /// One value of a table's column.
    fn value<'py>(
        &self,
        py: Python<'py>,
        column: usize,
        place: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.column_value(py, column, place)
    }

    /// The answer's diagram in the language of Graphviz, if it is one.
    fn dot(&self) -> Option<String> {
        self.report
            .picture()
            .and_then(|picture| picture.diagram())
            .map(|diagram| diagram.dot())
    }
}

/// Gives a file another text in one step, wholly or not at all, and not through a link.
#[pyfunction]
pub fn replace(path: PathBuf, text: &str) -> PyResult<()> {
    Ok(bid_language::files::replace(&path, text)?)
}

/// The answer of such bytes, with these games in it, which belong to one session.
#[pyfunction]
pub fn unpacked<'py>(
    bytes: &[u8],
    games: Vec<Bound<'py, PyAny>>,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut report: Report = borsh::from_slice(bytes)
        .map_err(|why| PyValueError::new_err(format!("these bytes are not an answer: {why}")))?;
    let Some(first) = games.first() else {
        return Taking::without_games(py)?.answer(&Arc::new(report));
    };
    // All games belong to one session, so that the first one tells which.
    let session = first.getattr("session")?;
    let (mut named, mut number) = (Vec::new(), 0);
    for game in &games {
        let reference = game.getattr("_reference")?;
        let reference = reference.cast::<GameRef>()?.get();
        number = reference.session;
        named.push(reference.game.clone());
    }
    let mut named = named.into_iter();
    report.each_game(&mut |game| {
        if let Some(found) = named.next() {
            *game = found;
        }
    });
    Taking::of(&session, number)?.answer(&Arc::new(report))
}

/// Writes a report in a format.
pub fn rendered(py: Python<'_>, report: &Report, format: &str) -> PyResult<String> {
    let form = form(format)?;
    let text = py.detach(|| report.render(form, Context::plain()));
    text.map_err(|_| PyValueError::new_err("the answer cannot be written"))
}

fn form(name: &str) -> PyResult<Format> {
    Ok(match name {
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
    })
}

/// Returns the games in an answer.
fn named(report: &Report) -> Vec<NamedGame> {
    let mut found = Vec::new();
    report
        .clone()
        .each_game(&mut |game| found.push(game.clone()));
    found
}
