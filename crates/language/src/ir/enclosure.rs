//! Numbers of which proved bounds are known.

use std::cmp::Ordering;
use std::rc::Rc;

use num_rational::BigRational;

use super::Value;
use crate::scalar::{Bounds, Scalar};

/// A number between two bounds, of which the first is less than the second.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosure {
    low: BigRational,
    high: BigRational,
    /// How it came about.
    pub origin: Origin,
    written: Scalar,
}

/// What the bounds of a number say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// One number lies between them, which is not known.
    Proved,
    /// Any number between them is meant: `x ± e` in a program.
    Stated,
}

impl Value {
    /// A number between bounds, as it is written here; the number itself where the bounds are
    /// equal.
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

    /// A number between bounds; the number itself where they are equal.
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
    /// Both bounds, the lesser one first.
    pub fn bounds(&self) -> [&BigRational; 2] {
        [&self.low, &self.high]
    }

    /// How it is written.
    pub fn written(&self) -> &Scalar {
        &self.written
    }

    /// How the number compares with another one; `None` where the bounds do not tell.
    pub fn order(&self, [low, high]: [&BigRational; 2]) -> Option<Ordering> {
        if self.high < *low {
            Some(Ordering::Less)
        } else if self.low > *high {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// Whether all that lies between these bounds also lies between its own.
    pub fn holds(&self, [low, high]: [&BigRational; 2]) -> bool {
        self.low <= *low && *high <= self.high
    }
}
