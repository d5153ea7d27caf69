//! The elements of lists and tuples, with the numbers along which a comprehension made them.

use std::ops::Deref;
use std::rc::Rc;

use num_bigint::BigInt;

use crate::ir::Value;

/// The elements of a list or a tuple.
#[derive(Debug, Clone)]
pub struct Items {
    values: Rc<[Value]>,
    along: Option<Rc<Along>>,
}

/// The variable of a comprehension with one `for`, and its value for each element. Where the
/// elements are drawn, these values are the abscissae.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Along {
    /// The name of the variable.
    pub name: Rc<str>,
    places: Places,
}

/// Integers, one for each element.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Places {
    /// An arithmetic progression.
    Steps { first: BigInt, step: BigInt },
    /// Integers in any order.
    Listed(Vec<BigInt>),
}

impl Items {
    /// Returns the elements.
    pub fn values(&self) -> &Rc<[Value]> {
        &self.values
    }

    /// Borrows the elements to change them. They are copied if they are shared.
    pub fn to_mut(&mut self) -> &mut [Value] {
        Rc::make_mut(&mut self.values)
    }

    /// Returns the variable along which they were made, if it is known.
    pub fn along(&self) -> Option<&Along> {
        self.along.as_deref()
    }

    /// Sets the variable along which they were made.
    pub fn made_along(self, along: Option<Along>) -> Self {
        Self {
            along: along.map(Rc::new),
            ..self
        }
    }
}

impl Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

impl<T: Into<Rc<[Value]>>> From<T> for Items {
    fn from(values: T) -> Self {
        Self {
            values: values.into(),
            along: None,
        }
    }
}

impl FromIterator<Value> for Items {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        values.into_iter().collect::<Rc<[Value]>>().into()
    }
}

impl Along {
    /// Returns the value of the variable for the element with this index.
    pub fn place(&self, number: usize) -> Option<BigInt> {
        match &self.places {
            Places::Steps { first, step } => Some(first + step * number),
            Places::Listed(places) => places.get(number).cloned(),
        }
    }
}

/// Records the values of a variable, element after element.
#[derive(Debug, Clone)]
pub struct Abscissae {
    name: Rc<str>,
    /// `None` before the first value. Nothing more is recorded after a value that is not an
    /// integer.
    places: Option<Places>,
    len: usize,
    is_lost: bool,
}

impl Abscissae {
    /// Creates an empty record for the variable with this name.
    pub fn of(name: &Rc<str>) -> Self {
        Self {
            name: Rc::clone(name),
            places: None,
            len: 0,
            is_lost: false,
        }
    }

    /// Records the next value.
    pub fn push(&mut self, value: &Value) {
        let Value::Integer(place) = value else {
            self.is_lost = true;
            return;
        };
        match &mut self.places {
            None => {
                self.places = Some(Places::Steps {
                    first: place.clone(),
                    step: BigInt::ZERO,
                })
            }
            Some(Places::Steps { first, step }) if self.len == 1 => *step = place - &*first,
            Some(Places::Steps { first, step }) if *place == &*first + &*step * self.len => {}
            Some(Places::Steps { first, step }) => {
                let mut places: Vec<BigInt> = (0..self.len)
                    .map(|number| &*first + &*step * number)
                    .collect();
                places.push(place.clone());
                self.places = Some(Places::Listed(places));
            }
            Some(Places::Listed(places)) => places.push(place.clone()),
        }
        self.len += 1;
    }

    /// Returns the recorded values, or `None` if one of them was not an integer.
    pub fn finish(self) -> Option<Along> {
        let places = self.places.filter(|_| !self.is_lost)?;
        Some(Along {
            name: self.name,
            places,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(places: &[i64]) -> Along {
        let mut abscissae = Abscissae::of(&"n".into());
        places
            .iter()
            .for_each(|place| abscissae.push(&Value::integer(*place)));
        abscissae.finish().expect("they are integers")
    }

    #[test]
    fn places_are_those_pushed() {
        for places in [
            &[5][..],
            &[5, 6],
            &[5, 6, 7, 8],
            &[3, 3, 3],
            &[9, 7, 5, 3],
            &[2, 3, 5, 7, 11],
            &[1, 2, 3, 5],
        ] {
            let along = along(places);
            let found: Vec<i64> = (0..places.len())
                .map(|n| {
                    along
                        .place(n)
                        .expect("it has one")
                        .try_into()
                        .expect("small")
                })
                .collect();
            assert_eq!(found, places);
        }
        assert!(
            matches!(along(&[4, 6, 8]).places, Places::Steps { .. }),
            "a range takes no room"
        );
    }

    #[test]
    fn what_is_no_integer_is_no_place() {
        let mut abscissae = Abscissae::of(&"x".into());
        abscissae.push(&Value::integer(1));
        abscissae.push(&Value::text("a"));
        assert_eq!(abscissae.finish(), None);
        assert_eq!(Abscissae::of(&"x".into()).finish(), None);
    }
}
