//! Results of queries that are more than one value.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use crate::ir::Value;

/// A table, strategy or other answer: how it is written, and its values where it is a row of them.
///
/// Answers are written by a package that knows this one, so that a change in a writer or picture
/// compiles no solver: here a report is anything that can be kept.
#[derive(Clone)]
pub struct AnswerValue {
    report: Rc<dyn Any>,
    elements: Option<Rc<[Value]>>,
}

impl AnswerValue {
    /// An answer that is only to be read.
    pub fn report(report: impl Any) -> Self {
        Self {
            report: Rc::new(report),
            elements: None,
        }
    }

    /// An answer that is also a list of values: `f(G, 0..255)`.
    pub fn row(report: impl Any, elements: impl IntoIterator<Item = Value>) -> Self {
        Self {
            report: Rc::new(report),
            elements: Some(elements.into_iter().collect()),
        }
    }

    /// This answer with each of its values replaced.
    #[must_use]
    pub fn map(&self, image: impl FnMut(&Value) -> Value) -> Self {
        let elements = self.elements.as_ref();
        Self {
            report: Rc::clone(&self.report),
            elements: elements.map(|elements| elements.iter().map(image).collect()),
        }
    }

    /// The report, of the one type that the program makes reports of.
    ///
    /// # Panics
    /// If it is of another type.
    pub fn as_report<R: Any>(&self) -> &R {
        let report = self.report.downcast_ref();
        report.expect("all reports are of one type")
    }

    /// The report, which is copied only where the answer is kept elsewhere too.
    ///
    /// # Panics
    /// If it is of another type.
    pub fn into_report<R: Any + Clone>(self) -> R {
        let report = self.report.downcast().ok();
        Rc::unwrap_or_clone(report.expect("all reports are of one type"))
    }

    /// Its values, if it is a row of them, where they stand.
    pub fn items(&self) -> Option<&Rc<[Value]>> {
        self.elements.as_ref()
    }

    /// Its values, if it is a row of them.
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
