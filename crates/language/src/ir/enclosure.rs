//! Numbers for which proved bounds are known.

use std::cmp::Ordering;
use std::rc::Rc;

use num_rational::BigRational;

use super::Value;
use crate::scalar::{Bounds, Scalar};

/// A number between two bounds, the first less than the second.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosure {
    low: BigRational,
    high: BigRational,
    /// The reason why the number has bounds.
    pub origin: Origin,
    written: Scalar,
}

/// The meaning of a number's bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A single unknown number lies between them.
    Proved,
    /// Any number between them is meant, as `x ± e` in a program states.
    Stated,
}

impl Value {
    /// Creates a number between bounds that is written as `written`. If the bounds are equal,
    /// returns the number itself.
    pub fn enclosed([low, high]: [BigRational; 2], written: Scalar) -> Self {
        if low == high {
            return Self::rational(low);
        }
        Self::Enclosure(Rc::new(Enclosure {
            low,
            high,
            origin: Origin::Proved,
            written,
        }))
    }

    /// Creates a number between bounds. If the bounds are equal, returns the number itself.
    pub fn between([low, high]: [BigRational; 2], origin: Origin) -> Self {
        if low == high {
            return Self::rational(low);
        }
        let written = Scalar::from(Bounds {
            low: low.clone(),
            high: high.clone(),
        });
        Self::Enclosure(Rc::new(Enclosure {
            low,
            high,
            origin,
            written,
        }))
    }
}

impl Enclosure {
    /// Returns both bounds, the lesser one first.
    pub fn bounds(&self) -> [&BigRational; 2] {
        [&self.low, &self.high]
    }

    /// Returns the written form.
    pub fn written(&self) -> &Scalar {
        &self.written
    }

    /// Compares the number with another one. Returns `None` where the bounds do not decide.
    pub fn order(&self, [low, high]: [&BigRational; 2]) -> Option<Ordering> {
        if self.high < *low {
            Some(Ordering::Less)
        } else if self.low > *high {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// Returns `true` if every number between these bounds also lies between its own.
    pub fn holds(&self, [low, high]: [&BigRational; 2]) -> bool {
        self.low <= *low && *high <= self.high
    }
}
