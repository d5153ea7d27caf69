//! Results of queries that are more than one value.

use std::rc::Rc;

use crate::ir::Value;
use crate::report::Report;

/// A table, strategy or other answer: how it is written, and its values where it is a row of them.
#[derive(Debug)]
pub struct Answer {
    report: Report,
    elements: Option<Rc<[Value]>>,
}

impl Answer {
    /// An answer that is only to be read.
    pub fn report(report: Report) -> Self {
        Self {
            report,
            elements: None,
        }
    }

    /// An answer that is also a list of values: `f(G, 0..255)`.
    pub fn row(report: Report, elements: impl IntoIterator<Item = Value>) -> Self {
        Self {
            report,
            elements: Some(elements.into_iter().collect()),
        }
    }

    /// The same answer with each of its values replaced.
    #[must_use]
    pub fn map(&self, image: impl FnMut(&Value) -> Value) -> Self {
        Self {
            report: self.report.clone(),
            elements: self
                .elements
                .as_ref()
                .map(|elements| elements.iter().map(image).collect()),
        }
    }

    /// How it is written, and its values if it is a row of them.
    pub fn into_parts(self) -> (Report, Option<Rc<[Value]>>) {
        (self.report, self.elements)
    }

    /// How it is written.
    pub fn as_report(&self) -> &Report {
        &self.report
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
