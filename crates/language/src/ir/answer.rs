//! Results of queries that consist of more than one value.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use crate::ir::Value;

/// A table, strategy or other answer: its report, and its values if it is a row of values.
///
/// Reports are written by a package that depends on this one, so that a change of a writer or
/// picture recompiles no solver. For this reason a report may have any type here.
#[derive(Clone)]
pub struct AnswerValue {
    report: Rc<dyn Any>,
    elements: Option<Rc<[Value]>>,
}

impl AnswerValue {
    /// Creates an answer that consists of a report alone.
    pub fn report(report: impl Any) -> Self {
        Self {
            report: Rc::new(report),
            elements: None,
        }
    }

    /// Creates an answer that is also a list of values: `f(G, 0..255)`.
    pub fn row(report: impl Any, elements: impl IntoIterator<Item = Value>) -> Self {
        Self {
            report: Rc::new(report),
            elements: Some(elements.into_iter().collect()),
        }
    }

    /// Replaces each value of this answer by its image.
    #[must_use]
    pub fn map(&self, image: impl FnMut(&Value) -> Value) -> Self {
        let elements = self.elements.as_ref();
        Self {
            report: Rc::clone(&self.report),
            elements: elements.map(|elements| elements.iter().map(image).collect()),
        }
    }

    /// Returns the report, of the one type that the program's reports have.
    ///
    /// # Panics
    /// If it has another type.
    pub fn as_report<R: Any>(&self) -> &R {
        let report = self.report.downcast_ref();
        report.expect("all reports are of one type")
    }

    /// Returns the report by value. It is copied only if the answer is also kept elsewhere.
    ///
    /// # Panics
    /// If it has another type.
    pub fn into_report<R: Any + Clone>(self) -> R {
        let report = self.report.downcast().ok();
        Rc::unwrap_or_clone(report.expect("all reports are of one type"))
    }

    /// Borrows the values, if the answer is a row of them.
    pub fn items(&self) -> Option<&Rc<[Value]>> {
        self.elements.as_ref()
    }

    /// Returns the values, if the answer is a row of them.
    pub fn elements(&self) -> Option<Rc<[Value]>> {
        self.elements.clone()
    }
}

impl fmt::Debug for AnswerValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut answer = f.debug_struct("Answer");
        answer
            .field("elements", &self.elements)
            .finish_non_exhaustive()
    }
}
