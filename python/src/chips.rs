//! Chip counts with their marks.

use std::hash::{DefaultHasher, Hash, Hasher};

use bid_language::rules::{self, ChipMark};
use num_bigint::{BigInt, Sign};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

/// A number of chips, with the tie-breaking advantage (`star`) or the −ε chip (`minus_epsilon`).
///
/// Chips are totally ordered, ``3-ε < 3 < 3* < 4-ε``, also among plain integers, and equal integers
/// where they have no mark.
///
/// >>> Chips(4, star=True)
/// Chips('4*')
/// >>> Chips("3*") < 4 < Chips("4*")
/// True
#[pyclass(frozen, module = "bid", name = "Chips")]
pub struct PyChips(pub rules::Chips);

/// Returns what a mark adds to a number of chips when they become a float.
pub fn half(mark: ChipMark) -> f64 {
    f64::from(mark.halves()) / 2.0
}

/// Parses `4`, `4*`, `3-ε`, `3-eps`.
pub fn read(text: &str) -> Option<rules::Chips> {
    let text = text.trim();
    let (digits, mark) = if let Some(digits) = text.strip_suffix('*') {
        (digits, ChipMark::Star)
    } else if let Some(digits) = text
        .strip_suffix("-ε")
        .or(text.strip_suffix("-eps"))
        .or(text.strip_suffix("−ε"))
    {
        (digits, ChipMark::MinusEpsilon)
    } else {
        (text, ChipMark::None)
    };
    // `BigInt` would also accept signs and underscores.
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        .then(|| {
            digits
                .parse::<BigInt>()
                .ok()
                .map(|count| rules::Chips::new(count, mark))
        })
        .flatten()
}

/// Converts chips, an integer or a text to chips.
fn any(value: &Bound<'_, PyAny>) -> Option<rules::Chips> {
    if let Ok(chips) = value.cast::<PyChips>() {
        return Some(chips.get().0.clone());
    }
    // Integers of other libraries, such as numpy's, have this method.
    if !value.is_instance_of::<PyInt>() && !value.hasattr("__index__").ok()? {
        return None;
    }
    Some(rules::Chips::new(
        value.extract::<BigInt>().ok()?,
        ChipMark::None,
    ))
}

impl PyChips {
    /// Returns this number of chips, unless it is below zero.
    fn some(count: BigInt, mark: ChipMark) -> PyResult<Self> {
        if count.sign() == Sign::Minus {
            return Err(PyValueError::new_err("chips do not go below zero"));
        }
        Ok(Self(rules::Chips::new(count, mark)))
    }
}

#[pymethods]
impl PyChips {
    #[new]
    #[pyo3(signature = (count, *, star = false, minus_epsilon = false))]
    fn new(count: &Bound<'_, PyAny>, star: bool, minus_epsilon: bool) -> PyResult<Self> {
        let mark = match (star, minus_epsilon) {
            (false, false) => ChipMark::None,
            (true, false) => ChipMark::Star,
            (false, true) => ChipMark::MinusEpsilon,
            (true, true) => return Err(PyValueError::new_err("chips have one mark at most")),
        };
        if let Ok(text) = count.extract::<String>() {
            let chips =
                read(&text).filter(|chips| mark == ChipMark::None || chips.mark == ChipMark::None);
            let chips = chips.ok_or_else(|| {
                PyValueError::new_err(format!(
                    "{text:?} is not a valid number of chips, like 4 or 4*"
                ))
            })?;
            let mark = if mark == ChipMark::None {
                chips.mark
            } else {
                mark
            };
            return Ok(Self(rules::Chips::new(chips.count, mark)));
        }
        match any(count) {
            Some(chips) if mark == ChipMark::None => Self::some(chips.count, chips.mark),
            Some(chips) if chips.mark == ChipMark::None => Self::some(chips.count, mark),
            _ => Err(PyTypeError::new_err(
                "chips are made of an integer, or of a text like '4*'",
            )),
        }
    }

    /// The ordinary chips.
    #[getter]
    fn count(&self) -> BigInt {
        self.0.count.clone()
    }

    /// `True` if the tie-breaking advantage is with them.
    #[getter]
    fn star(&self) -> bool {
        self.0.mark == ChipMark::Star
    }

    /// `True` if the −ε chip of make-it take-it is with them.
    #[getter]
    fn minus_epsilon(&self) -> bool {
        self.0.mark == ChipMark::MinusEpsilon
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Chips('{}')", self.0)
    }

    /// The chips as a text with a format of texts: `f"{chips:>5}"`.
    fn __format__<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyAny>> {
        let text = self.__str__().into_pyobject(py)?;
        text.call_method1("__format__", (form,))
    }

    fn _repr_latex_(&self) -> String {
        let mark = match self.0.mark {
            ChipMark::MinusEpsilon => "-\\varepsilon",
            ChipMark::None => "",
            ChipMark::Star => "^*",
        };
        format!("${}{mark}$", self.0.count)
    }

    /// Equal numbers have equal hashes.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        if self.0.mark == ChipMark::None {
            // Chips without a mark equal an integer, so that they must have its hash.
            return self.0.count.clone().into_pyobject(py)?.hash();
        }
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        let hash = hasher.finish().cast_signed() as isize;
        // Python uses -1 as the sign of an error.
        Ok(if hash == -1 { -2 } else { hash })
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match any(other) {
            Some(other) => Ok(op
                .matches(self.0.cmp(&other))
                .into_pyobject(py)?
                .to_owned()
                .into_any()
                .unbind()),
            // Python then asks the other object.
            None => Ok(py.NotImplemented()),
        }
    }

    /// A star counts a half, and −ε takes a half away.
    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        let count = self.0.count.clone().into_pyobject(py)?;
        let count: f64 = py.get_type::<PyFloat>().call1((count,))?.extract()?;
        Ok(count + half(self.0.mark))
    }

    fn __add__(&self, more: BigInt) -> PyResult<Self> {
        Self::some(&self.0.count + more, self.0.mark)
    }

    fn __radd__(&self, more: BigInt) -> PyResult<Self> {
        self.__add__(more)
    }

    fn __sub__(&self, less: BigInt) -> PyResult<Self> {
        Self::some(&self.0.count - less, self.0.mark)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((
            slf.get_type().into_any().unbind(),
            (slf.get().0.to_string(),),
        ))
    }
}
