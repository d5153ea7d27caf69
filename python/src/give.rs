//! Python's objects as values of a session.

use std::sync::Arc;

use bid::eval::MAX_LIST;
use bid::ir::Kinds;
use bid::player::{Outcome, Player};
use bid::report::{Bounds, NamedGame, Report, Scalar};
use bid::session::Given;
use num_bigint::BigInt;
use num_rational::BigRational;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyIterator, PyRange, PyString, PyTuple};

use crate::chips::{self, Chips};
use crate::classes::{Classes, classes, is_a};
use crate::written::Written;

/// Which game of which session an object stands for.
#[pyclass(frozen, module = "bid._bid")]
pub struct GameRef {
    /// The session's number.
    pub session: u64,
    /// The game.
    pub game: NamedGame,
}

#[pymethods]
impl GameRef {
    /// The game as an expression.
    #[getter]
    fn text(&self) -> &str {
        &self.game.text
    }

    /// The game in a form, as `Written.render`.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        Written(Arc::new(Report::Scalar(Scalar::Game(self.game.clone())))).render(py, format)
    }

    /// What games of a session are told apart by.
    #[getter]
    fn key(&self) -> String {
        format!("{}/{:?}", self.session, self.game.id)
    }
}

/// What makes values of objects, for one session.
pub struct Giving {
    classes: &'static Classes,
    session: u64,
}

impl Giving {
    /// For the session with this number.
    pub fn to(py: Python<'_>, session: u64) -> PyResult<Self> {
        Ok(Self {
            classes: classes(py)?,
            session,
        })
    }

    /// An argument: of a range its ends go in, and the session makes the list.
    pub fn argument(&self, object: &Bound<'_, PyAny>, needed: Kinds) -> PyResult<Given> {
        if object.is_instance_of::<PyRange>() && object.len().unwrap_or(usize::MAX) > 1 {
            let end = |name| object.getattr(name)?.extract::<BigInt>();
            let (start, stop, step) = (end("start")?, end("stop")?, end("step")?);
            if step == BigInt::from(1) {
                return Ok(Given::Range {
                    first: start,
                    last: stop - 1,
                });
            }
        }
        self.needed(object, needed).map(Given::Value)
    }

    /// A value; a text is one, unless chips are needed and no text would do.
    fn needed(&self, object: &Bound<'_, PyAny>, needed: Kinds) -> PyResult<Report> {
        let is_text = object.is_exact_instance_of::<PyString>();
        if is_text && needed.meets(Kinds::CHIPS) && !needed.meets(Kinds::TEXT) {
            let text: String = object.extract()?;
            let chips = chips::read(&text);
            let chips = chips.ok_or_else(|| {
                PyValueError::new_err(format!(
                    "{text:?} is not a valid number of chips, like '4*'"
                ))
            })?;
            return Ok(Report::Scalar(Scalar::from(&chips)));
        }
        self.value(object)
    }

    /// A value.
    pub fn value(&self, object: &Bound<'_, PyAny>) -> PyResult<Report> {
        if let Some(scalar) = self.scalar(object)? {
            return Ok(Report::Scalar(scalar));
        }
        if object.is_instance_of::<PyRange>()
            && let Some(items) = narrow_range(object)?
        {
            return Ok(Report::List(items));
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            let items: Vec<Report> = tuple
                .iter()
                .map(|item| self.value(&item))
                .collect::<PyResult<_>>()?;
            return Ok(if items.len() < 2 {
                Report::List(items)
            } else {
                Report::Tuple(items)
            });
        }
        if let Some(written) = self.written(object)? {
            return Ok(written);
        }
        if object.is_instance_of::<PyDict>() {
            return Err(no_value(object));
        }
        match object.try_iter() {
            Ok(items) => self.list(items),
            Err(_) => Err(no_value(object)),
        }
    }

    /// A list, which may not be longer than the language's own.
    fn list(&self, items: Bound<'_, PyIterator>) -> PyResult<Report> {
        let mut list = Vec::new();
        for item in items {
            if list.len() == MAX_LIST {
                return Err(too_long());
            }
            list.push(self.value(&item?)?);
        }
        Ok(Report::List(list))
    }

    /// One word or number.
    fn scalar(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
        if let Ok(value) = object.cast::<PyBool>() {
            return Ok(Some(Scalar::Bool(value.is_true())));
        }
        if object.is_instance_of::<PyInt>() {
            return Ok(Some(Scalar::Integer(object.extract()?)));
        }
        if let Ok(chips) = object.cast::<Chips>() {
            return Ok(Some(Scalar::from(&chips.get().0)));
        }
        if object.is_exact_instance_of::<PyString>() {
            return Ok(Some(Scalar::String(object.extract()?)));
        }
        if is_a(object, &self.classes.game) {
            return self.game(object).map(Some);
        }
        if object.is_instance_of::<PyString>() {
            return self.word(object).map(Some);
        }
        if is_a(object, &self.classes.interval) {
            let end = |name| object.getattr(name)?.extract::<BigRational>();
            return Ok(Some(Scalar::from(Bounds {
                low: end("low")?,
                high: end("high")?,
            })));
        }
        if is_a(object, &self.classes.function) {
            let (name, parameters) = (
                object.getattr("name")?.extract()?,
                object.getattr("parameters")?.extract()?,
            );
            return Ok(Some(Scalar::Function { name, parameters }));
        }
        self.number(object)
    }

    /// Numbers of other kinds: a float is the decimal that Python prints.
    fn number(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
        let py = object.py();
        let fraction = if object.is_instance_of::<PyFloat>() {
            let decimal = PyFloat::new(py, object.extract()?).repr()?;
            self.classes
                .fraction
                .bind(py)
                .call1((decimal,))
                .map_err(|_| no_value(object))?
        } else if is_a(object, &self.classes.decimal) || is_a(object, &self.classes.rational) {
            self.classes.fraction.bind(py).call1((object,))?
        } else if object.hasattr("__index__")? && !object.hasattr("__len__")? {
            return Ok(Some(Scalar::Integer(
                object.call_method0("__index__")?.extract()?,
            )));
        } else {
            return Ok(None);
        };
        let value: BigRational = fraction.extract()?;
        Ok(Some(if value.is_integer() {
            Scalar::Integer(value.to_integer())
        } else {
            Scalar::Rational(value)
        }))
    }

    fn game(&self, object: &Bound<'_, PyAny>) -> PyResult<Scalar> {
        let reference = object.getattr("_reference")?;
        let reference = reference.cast::<GameRef>()?.get();
        if reference.session != self.session {
            let text = &reference.game.text;
            return Err(PyValueError::new_err(format!(
                "the game {text} belongs to another session"
            )));
        }
        Ok(Scalar::Game(reference.game.clone()))
    }

    /// A player or an outcome.
    fn word(&self, object: &Bound<'_, PyAny>) -> PyResult<Scalar> {
        let word: String = object.extract()?;
        let player = Player::BOTH
            .into_iter()
            .find(|player| player.word() == word);
        if is_a(object, &self.classes.player)
            && let Some(player) = player
        {
            return Ok(Scalar::Player(player));
        }
        if is_a(object, &self.classes.outcome) {
            return Ok(Scalar::Outcome(match (player, word.as_str()) {
                (Some(player), _) => Outcome::Wins(player),
                (None, "draw") => Outcome::Draw,
                (None, _) => Outcome::Undetermined,
            }));
        }
        Ok(Scalar::String(word))
    }

    /// An answer that was given before, or a move as the text that plays it.
    fn written(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Report>> {
        let Some(written) = object.getattr_opt("_written")? else {
            return Ok(None);
        };
        Ok(written
            .cast::<Written>()
            .ok()
            .map(|written| (*written.get().0).clone()))
    }
}

/// The integers of a range whose ends fit in 64 bits: no object of Python's for each.
fn narrow_range(range: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Report>>> {
    let ends: PyResult<[i64; 3]> = (|| {
        let end = |name| range.getattr(name)?.extract();
        Ok([end("start")?, end("stop")?, end("step")?])
    })();
    let Ok([start, _, step]) = ends else {
        return Ok(None);
    };
    let count = range
        .len()
        .ok()
        .filter(|count| *count <= MAX_LIST)
        .ok_or_else(too_long)?;
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let integer = |place: i64| {
        Report::Scalar(Scalar::Integer(
            (i128::from(start) + i128::from(step) * i128::from(place)).into(),
        ))
    };
    Ok(Some((0..count).map(integer).collect()))
}

fn too_long() -> PyErr {
    PyValueError::new_err(format!("a list has {MAX_LIST} elements at most"))
}

fn no_value(object: &Bound<'_, PyAny>) -> PyErr {
    let class = object
        .get_type()
        .name()
        .map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "an object of the class {class} is no value of the language"
    ))
}
