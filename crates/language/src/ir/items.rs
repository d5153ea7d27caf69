//! The elements of lists and tuples, with the variables along which a comprehension made them.

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

/// The comprehension that made a list: its variables with their values for each element. Where the
/// elements are drawn or written as a table, these values are the abscissae or the columns.
#[derive(Debug, Clone)]
pub struct Along {
    /// The variables of its `for` clauses.
    pub variables: Vec<AlongVariable>,
    /// The element as written; its parts if it is a tuple.
    pub parts: Rc<[Rc<str>]>,
}

/// A variable of a comprehension, with its value for each element.
#[derive(Debug, Clone)]
pub struct AlongVariable {
    /// The name of the variable.
    pub name: Rc<str>,
    places: Places,
}

/// Values, one for each element.
#[derive(Debug, Clone)]
enum Places {
    /// An arithmetic progression of integers.
    Steps { first: BigInt, step: BigInt },
    /// Values in any order.
    Listed(Vec<Value>),
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

    /// Returns the comprehension that made them, if one did.
    pub fn along(&self) -> Option<&Along> {
        self.along.as_deref()
    }

    /// Sets the comprehension that made them.
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
    /// Returns the variable, if there is only one.
    pub fn only(&self) -> Option<&AlongVariable> {
        match &self.variables[..] {
            [variable] => Some(variable),
            _ => None,
        }
    }
}

impl AlongVariable {
    /// Returns the value of the variable for the element with this index.
    pub fn place(&self, number: usize) -> Option<Value> {
        match &self.places {
            Places::Steps { first, step } => Some(Value::Integer(first + step * number)),
            Places::Listed(places) => places.get(number).cloned(),
        }
    }
}

impl Places {
    /// Adds the value that follows the first `len` values.
    fn push(&mut self, value: &Value, len: usize) {
        match (&mut *self, value) {
            // The second value fixes the step, which is 0 until then.
            (Self::Steps { first, step }, Value::Integer(place)) if len == 1 => {
                *step = place - &*first;
            }
            (Self::Steps { first, step }, Value::Integer(place))
                if *place == &*first + &*step * len => {}
            // The first value off the progression turns it into a list, once and for all.
            (Self::Steps { first, step }, _) => {
                let places = (0..len).map(|number| Value::Integer(&*first + &*step * number));
                *self = Self::Listed(places.chain([value.clone()]).collect());
            }
            (Self::Listed(places), _) => places.push(value.clone()),
        }
    }
}

/// Records the values of the variables of a comprehension, element after element.
#[derive(Debug, Clone)]
pub struct Abscissae {
    /// The variables. They have no values before the first element.
    variables: Vec<(Rc<str>, Option<Places>)>,
    len: usize,
}

impl Abscissae {
    /// Creates an empty record for variables with these names.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n Rc<str>>) -> Self {
        let variables = names.into_iter().map(|name| (Rc::clone(name), None));
        Self {
            variables: variables.collect(),
            len: 0,
        }
    }

    /// Records the values of the variables for the next element, in order.
    pub fn push<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        for ((_, places), value) in self.variables.iter_mut().zip(values) {
            match (places, value) {
                (Some(places), value) => places.push(value, self.len),
                (places, Value::Integer(first)) => {
                    *places = Some(Places::Steps {
                        first: first.clone(),
                        step: BigInt::ZERO,
                    });
                }
                (places, other) => *places = Some(Places::Listed(vec![other.clone()])),
            }
        }
        self.len += 1;
    }

    /// Returns the number of values that are kept for each element.
    pub fn kept(&self) -> usize {
        let is_kept = |places: &Option<Places>| matches!(places, Some(Places::Listed(_)));
        let kept = self.variables.iter().filter(|(_, places)| is_kept(places));
        kept.count()
    }

    /// Returns the recorded values with the texts of the elements' parts, or `None` if there are no
    /// elements.
    pub fn finish(self, parts: &Rc<[Rc<str>]>) -> Option<Along> {
        let variable = |(name, places): (Rc<str>, Option<Places>)| {
            Some(AlongVariable {
                name,
                places: places?,
            })
        };
        let variables: Option<Vec<_>> = self.variables.into_iter().map(variable).collect();
        Some(Along {
            variables: variables.filter(|variables| !variables.is_empty())?,
            parts: Rc::clone(parts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(places: &[i64]) -> AlongVariable {
        let mut abscissae = Abscissae::of([&"n".into()]);
        places
            .iter()
            .for_each(|place| abscissae.push([&Value::integer(*place)]));
        let along = abscissae.finish(&["n".into()].into());
        along
            .expect("there are elements")
            .only()
            .expect("there is one variable")
            .clone()
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
            let variable = integers(places);
            let found: Vec<i64> = (0..places.len())
                .map(|n| match variable.place(n) {
                    Some(Value::Integer(place)) => place.try_into().expect("small"),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(found, places);
        }
        assert!(
            matches!(integers(&[4, 6, 8]).places, Places::Steps { .. }),
            "a range takes no room"
        );
    }

    #[test]
    fn variables_keep_other_values_too() {
        let mut abscissae = Abscissae::of([&"x".into(), &"n".into()]);
        abscissae.push([&Value::integer(1), &Value::integer(7)]);
        abscissae.push([&Value::text("a"), &Value::integer(8)]);
        assert_eq!(abscissae.kept(), 1);
        let along = abscissae.finish(&["x".into()].into());
        let along = along.expect("there are elements");
        assert!(along.only().is_none());
        let place = |variable: usize, number| along.variables[variable].place(number);
        assert!(matches!(place(0, 0), Some(Value::Integer(n)) if n == 1.into()));
        assert!(matches!(place(0, 1), Some(Value::Text(text)) if &*text == "a"));
        assert!(matches!(place(1, 1), Some(Value::Integer(n)) if n == 8.into()));
        let empty = Abscissae::of([&"x".into()]).finish(&["x".into()].into());
        assert!(empty.is_none());
    }
}
