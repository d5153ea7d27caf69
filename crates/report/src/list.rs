//! Lists, with the comprehensions that made them.

use std::ops::{Deref, DerefMut};

use borsh::{BorshDeserialize, BorshSerialize};

use super::Report;
use super::block::{Block, Cell, Column, Grid};
use bid_language::scalar::Scalar;

/// The elements of a list. In a spreadsheet, a list that a comprehension made has columns for its
/// variables.
#[derive(Debug, Clone, PartialEq, Default, BorshSerialize, BorshDeserialize)]
pub struct ReportedList {
    items: Vec<Report>,
    along: Option<Box<ReportedAlong>>,
}

/// The comprehension that made a list.
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct ReportedAlong {
    /// The names of the variables, each with its value for each element.
    pub variables: Vec<(String, Vec<Scalar>)>,
    /// The element as written; its parts if it is a tuple.
    pub parts: Vec<String>,
}

impl ReportedList {
    /// Creates a list that a comprehension made, if it is known.
    pub fn made_along(items: Vec<Report>, along: Option<ReportedAlong>) -> Self {
        Self {
            items,
            along: along.map(Box::new),
        }
    }

    /// Returns the elements.
    pub fn into_items(self) -> Vec<Report> {
        self.items
    }

    /// Returns a row for each element: the values of the variables, and the element or its parts.
    /// Returns `None` if no comprehension made the list.
    pub(super) fn sheet(&self) -> Option<Block<'_>> {
        let along = self.along.as_deref()?;
        let parts = self.heads(along);
        // A variable that is a part of the element has its column there.
        let is_part = |name: &String| parts.contains(name);
        let variables: Vec<_> = along
            .variables
            .iter()
            .filter(|(name, _)| !is_part(name))
            .collect();
        let names = variables.iter().map(|(name, _)| name);
        let heads = names.chain(&parts).cloned();
        let columns = heads.map(|head| Column::left(Cell::expression(head)));
        let columns = columns.collect();
        let count = variables.len();
        let cell = move |row: usize, column: usize| match variables.get(column) {
            Some((_, values)) => values.get(row).map_or(Cell::Nothing, Cell::entry),
            None => self.items[row]
                .part(column - count)
                .unwrap_or(Cell::Nothing),
        };
        Some(Block::Grid(Grid::new(columns, self.items.len(), cell)))
    }

    /// Returns the heads of the elements' columns: their texts; for elements that a comprehension
    /// made over the same values, these values; else their numbers.
    fn heads(&self, along: &ReportedAlong) -> Vec<String> {
        let most = self.items.iter().map(Report::count_parts).max();
        let most = most.unwrap_or(along.parts.len());
        // The parts as written are good heads only if each element has as many.
        if most == along.parts.len() {
            return along.parts.clone();
        }
        let inner = |item: &Report| match item {
            Report::List(list) => list.only_variable().cloned(),
            _ => None,
        };
        let shared = self.items.first().and_then(inner);
        let shared = shared.filter(|shared| {
            // Lists over different values have no common heads.
            let is_same = |item| inner(item).is_some_and(|other| other == *shared);
            self.items.iter().all(is_same)
        });
        match shared {
            Some((name, values)) => values
                .iter()
                .map(|value| format!("{name} = {value}"))
                .collect(),
            None => (0..most).map(|number| number.to_string()).collect(),
        }
    }

    /// Returns the variable of the comprehension that made the list, if there is only one.
    fn only_variable(&self) -> Option<&(String, Vec<Scalar>)> {
        match &self.along.as_deref()?.variables[..] {
            [variable] => Some(variable),
            _ => None,
        }
    }
}

impl From<Vec<Report>> for ReportedList {
    fn from(items: Vec<Report>) -> Self {
        Self { items, along: None }
    }
}

impl FromIterator<Report> for ReportedList {
    fn from_iter<I: IntoIterator<Item = Report>>(items: I) -> Self {
        Self::from(Vec::from_iter(items))
    }
}

impl Deref for ReportedList {
    type Target = [Report];

    fn deref(&self) -> &[Report] {
        &self.items
    }
}

impl DerefMut for ReportedList {
    fn deref_mut(&mut self) -> &mut [Report] {
        &mut self.items
    }
}
