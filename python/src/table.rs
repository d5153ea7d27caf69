//! Columns of numbers as bytes, for numpy, without a text or an object for each number.

use bid_language::scalar::Scalar;
use bid_report::Table;
use num_bigint::BigInt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList};

use crate::chips;
use crate::take::Taking;
use crate::written::Written;

/// A column of numbers: its type as numpy names it, and its bytes.
pub type NumberColumn<'py> = (&'static str, Bound<'py, PyByteArray>);

impl Written {
    pub(crate) fn column_numbers<'py>(
        &self,
        py: Python<'py>,
        column: usize,
    ) -> PyResult<Option<NumberColumn<'py>>> {
        let values = cells(self, column)?;
        // Integers come first, because floats lose those of more than 53 bits.
        let integers: Option<Vec<i64>> = values.iter().map(integer).collect();
        if let Some(integers) = integers {
            let bytes: Vec<u8> = integers.into_iter().flat_map(i64::to_ne_bytes).collect();
            return Ok(Some(("int64", PyByteArray::new(py, &bytes))));
        }
        let floats: Option<Vec<f64>> = values.iter().map(approximate).collect();
        Ok(floats.map(|floats| {
            let bytes: Vec<u8> = floats.into_iter().flat_map(f64::to_ne_bytes).collect();
            ("float64", PyByteArray::new(py, &bytes))
        }))
    }

    pub(crate) fn column_values<'py>(
        &self,
        py: Python<'py>,
        column: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let taking = Taking::without_games(py)?;
        let values: Vec<_> = cells(self, column)?
            .iter()
            .map(|value| taking.scalar(value))
            .collect::<PyResult<_>>()?;
        PyList::new(py, values)
    }
}

impl Written {
    pub(crate) fn column_value<'py>(
        &self,
        py: Python<'py>,
        column: usize,
        place: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value = cells(self, column)?.get(place);
        let value = value.ok_or_else(|| PyIndexError::new_err("no such column"))?;
        Taking::without_games(py)?.scalar(value)
    }
}

fn integer(scalar: &Scalar) -> Option<i64> {
    match scalar {
        Scalar::Integer(value) => narrow(value),
        _ => None,
    }
}

/// Returns a number as `float` converts it, in which marks of chips count.
fn approximate(scalar: &Scalar) -> Option<f64> {
    match scalar {
        Scalar::Chips(chips) => Scalar::Integer(chips.count.clone())
            .approximate()
            .map(|count| count + chips::half(chips.mark)),
        other => other.approximate(),
    }
}

fn narrow(value: &BigInt) -> Option<i64> {
    i64::try_from(value).ok()
}

fn table(written: &Written) -> Option<&Table> {
    match &*written.report {
        bid_report::Report::Table(table) => Some(table),
        _ => None,
    }
}

fn cells(written: &Written, column: usize) -> PyResult<&[Scalar]> {
    let table =
        table(written).ok_or_else(|| PyIndexError::new_err("this answer is not a table"))?;
    match column {
        0 => Ok(&table.columns),
        _ => table
            .rows
            .get(column - 1)
            .map(|row| &*row.values)
            .ok_or_else(|| PyIndexError::new_err("no such row")),
    }
}
