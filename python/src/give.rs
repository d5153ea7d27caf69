//! Converts Python's objects to values of a session.

use std::cell::Cell;

use bid::eval::MAX_LIST;
use bid::session::QueryArgument;
use bid_language::ir::Kinds;
use bid_language::player::{Outcome, Player};
use bid_language::scalar::{Bounds, NamedGame, Scalar};
use bid_language::syntax::MAX_BRACKETS;
use bid_report::Report;
use num_bigint::BigInt;
use num_rational::BigRational;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyIterator, PyRange, PyString, PyTuple};

use crate::chips::{self, PyChips};
use crate::classes::{Classes, classes, is_a};
use crate::written::{Written, rendered};

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
        rendered(py, &Report::Scalar(Scalar::Game(self.game.clone())), format)
    }

    /// The number of the session's engine, and the game's number in it.
    #[getter]
    fn key(&self) -> (u64, u32) {
        (self.session, self.game.id.0)
    }
}

/// The greatest depth of nested lists, that of brackets in a text.
const MOST_LEVELS: usize = MAX_BRACKETS;

/// The conversion of objects to values, for one session.
pub struct Giving<'py> {
    classes: &'static Classes,
    /// The session that takes the values, and its number.
    session: Option<(Bound<'py, PyAny>, u64)>,
    /// The number of elements of lists that have been converted.
    taken: Cell<usize>,
    /// The number of lists around the object that is being converted.
    levels: Cell<usize>,
}

impl<'py> Giving<'py> {
    /// Creates the conversion for the session with this number.
    pub fn to(session: &Bound<'py, PyAny>, number: u64) -> PyResult<Self> {
        Ok(Self {
            classes: classes(session.py())?,
            session: Some((session.clone(), number)),
            taken: Cell::new(0),
            levels: Cell::new(0),
        })
    }

    /// Creates the conversion without a session, in which games are their texts.
    pub fn to_be_written(py: Python<'py>) -> PyResult<Self> {
        Ok(Self {
            classes: classes(py)?,
            session: None,
            taken: Cell::new(0),
            levels: Cell::new(0),
        })
    }

    /// Converts an argument. Of a range only the ends are passed, and the session makes the list.
    pub fn argument(&self, object: &Bound<'_, PyAny>, needed: Kinds) -> PyResult<QueryArgument> {
        if object.is_instance_of::<PyRange>() && object.len().unwrap_or(usize::MAX) > 1 {
            let end = |name| object.getattr(name)?.extract::<BigInt>();
            let (start, stop, step) = (end("start")?, end("stop")?, end("step")?);
            // The ranges of the language have the step 1.
            if step == BigInt::from(1) {
                return Ok(QueryArgument::Range {
                    first: start,
                    last: stop - 1,
                });
            }
        }
        self.needed(object, needed).map(QueryArgument::Value)
    }

    /// Converts a value. A text stays a text, unless chips are needed and no text is accepted.
    fn needed(&self, object: &Bound<'_, PyAny>, needed: Kinds) -> PyResult<Report> {
        // Players and outcomes are subclasses of `str`, and are no texts.
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

    /// Converts a value.
    pub fn value(&self, object: &Bound<'_, PyAny>) -> PyResult<Report> {
        // Strings can be iterated too, so that single values come first.
        if let Some(scalar) = self.scalar(object)? {
            return Ok(Report::Scalar(scalar));
        }
        if object.is_instance_of::<PyRange>()
            && let Some(items) = self.narrow_range(object)?
        {
            return Ok(Report::List(items.into()));
        }
        if object.is_instance_of::<PyTuple>() {
            let items = self.items(object.try_iter()?)?;
            return Ok(if items.len() < 2 {
                Report::List(items.into())
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
            Ok(items) => Ok(Report::List(self.items(items)?.into())),
            Err(_) => Err(no_value(object)),
        }
    }

    /// Converts the elements of a list. All lists together are limited to the length of one list of
    /// the language, and their nesting to that of its brackets, because a list may contain itself.
    fn items(&self, items: Bound<'_, PyIterator>) -> PyResult<Vec<Report>> {
        let level = self.levels.get();
        if level == MOST_LEVELS {
            return Err(PyValueError::new_err(format!(
                "lists are nested more than {MOST_LEVELS} deep here, or a list holds itself"
            )));
        }
        self.levels.set(level + 1);
        let mut list = Vec::new();
        for item in items {
            self.take(1)?;
            list.push(self.value(&item?)?);
        }
        self.levels.set(level);
        Ok(list)
    }

    /// Returns the integers of a range whose ends fit in 64 bits, without a Python object for each.
    fn narrow_range(&self, range: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Report>>> {
        let ends: PyResult<[i64; 3]> = (|| {
            let end = |name| range.getattr(name)?.extract();
            Ok([end("start")?, end("stop")?, end("step")?])
        })();
        let Ok([start, _, step]) = ends else {
            return Ok(None);
        };
        let count = range.len().unwrap_or(usize::MAX);
        self.take(count)?;
        let integer = |place: i64| {
            Report::Scalar(Scalar::Integer(
                // The product of two numbers of 64 bits fits in 128.
                (i128::from(start) + i128::from(step) * i128::from(place)).into(),
            ))
        };
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        Ok(Some((0..count).map(integer).collect()))
    }

    /// Counts elements of lists, up to the limit.
    fn take(&self, elements: usize) -> PyResult<()> {
        let taken = self.taken.get().saturating_add(elements);
        if taken > MAX_LIST {
            return Err(PyValueError::new_err(format!(
                "a list has {MAX_LIST} elements at most, those of lists in it among them"
            )));
        }
        self.taken.set(taken);
        Ok(())
    }

    /// Converts an answer, whose games may be those of another session.
    fn answer(&self, written: &Written, py: Python<'_>) -> PyResult<Report> {
        let mut report = (*written.report).clone();
        if !report.mentions_games() {
            return Ok(report);
        }
        let own = written
            .games(py)?
            .iter()
            .map(|game| self.game(&game))
            .collect::<PyResult<Vec<_>>>()?;
        let mut own = own.into_iter();
        report.each_game(&mut |game| {
            if let Some(Scalar::Game(found)) = own.next() {
                *game = found;
            }
        });
        Ok(report)
    }

    /// Converts a single word or number; `None` for other objects.
    fn scalar(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
        // In Python `True` is an integer, so that this comes first.
        if let Ok(value) = object.cast::<PyBool>() {
            return Ok(Some(Scalar::Bool(value.is_true())));
        }
        if object.is_instance_of::<PyInt>() {
            return Ok(Some(Scalar::Integer(object.extract()?)));
        }
        if let Ok(chips) = object.cast::<PyChips>() {
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

    /// Converts numbers of other kinds: a float is the decimal that Python prints.
    fn number(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
        let py = object.py();
        let class = self.classes.fraction.bind(py);
        let fraction = if object.is_instance_of::<PyFloat>() {
            let decimal = PyFloat::new(py, object.extract()?).repr()?;
            class.call1((decimal,)).map_err(|_| no_value(object))?
        } else if is_a(object, &self.classes.decimal) || is_a(object, &self.classes.rational) {
            class.call1((object,)).map_err(|_| no_value(object))?
        } else if let Some(one) = numpy_value(object)? {
            return self.scalar(&one);
        } else if is_a(object, &self.classes.real) {
            // A float of another length, such as numpy's `float32`.
            class
                .call1((object.str()?,))
                .map_err(|_| no_value(object))?
        // An array with one element has both, but is a list.
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
        match &self.session {
            Some((session, number)) if reference.session != *number => {
                // The game's number has a meaning only in its own session.
                let own = session.call_method1("_adopt", (object,))?;
                let own = own.getattr("_reference")?;
                Ok(Scalar::Game(own.cast::<GameRef>()?.get().game.clone()))
            }
            Some(_) | None => Ok(Scalar::Game(reference.game.clone())),
        }
    }

    /// Converts a player, an outcome or `never`.
    fn word(&self, object: &Bound<'_, PyAny>) -> PyResult<Scalar> {
        if is_a(object, &self.classes.never) {
            return Ok(Scalar::Word("never"));
        }
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

    /// Converts an earlier answer, or a move, which becomes the text that plays it.
    fn written(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Report>> {
        let Some(written) = object.getattr_opt("_written")? else {
            return Ok(None);
        };
        match written.cast::<Written>() {
            Ok(written) => self.answer(written.get(), object.py()).map(Some),
            Err(_) => Ok(None),
        }
    }
}

/// Returns the single value of a numpy array without dimensions. A truth value of numpy, which is
/// not a number, becomes Python's.
fn numpy_value<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(kind) = object.getattr_opt("dtype")? else {
        return Ok(None);
    };
    let is_single = object
        .getattr_opt("ndim")?
        .is_some_and(|dimensions| dimensions.eq(0).unwrap_or(false));
    if !is_single {
        return Ok(None);
    }
    let inner = object.get_item(PyTuple::empty(object.py()))?;
    let is_truth = kind
        .getattr_opt("kind")?
        .is_some_and(|kind| kind.eq("b").unwrap_or(false));
    if is_truth {
        return object.call_method0("item").map(Some);
    }
    Ok((!inner.get_type().is(object.get_type())).then_some(inner))
}

fn no_value(object: &Bound<'_, PyAny>) -> PyErr {
    let class = object
        .get_type()
        .name()
        .map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "an object of the class {class} is not a value of the language"
    ))
}
