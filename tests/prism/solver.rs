//! Computes exact values of turn-based stochastic games, by strategy improvement in fractions: the
//! probability with which a player can make sure that a set of states is reached, or not reached.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::reader::{Model, State};

/// Computes `<<player>> Pmax=? [ F "label" ]` at the initial state.
pub fn most(model: &Model, player: &str, label: &str) -> BigRational {
    let player = model.player(player);
    Game::new(model, label, |owner| owner == player).value()
}

/// Computes `<<player>> Pmin=? [ F "label" ]` at the initial state.
pub fn least(model: &Model, player: &str, label: &str) -> BigRational {
    let player = model.player(player);
    Game::new(model, label, |owner| owner != player).value()
}

/// A game in which one player wants to reach the target, and the other one wants to avoid it.
struct Game<'a> {
    states: &'a [State],
    target: &'a BTreeSet<usize>,
    /// `true` for the states in which the player who wants to reach the target has the choice.
    seeks: Vec<bool>,
}

/// The number of the choice in each state.
type Choices = Vec<usize>;

impl<'a> Game<'a> {
    fn new(model: &'a Model, label: &str, seeks: impl Fn(usize) -> bool) -> Self {
        Self {
            states: &model.states,
            target: &model.labels[label],
            seeks: model
                .states
                .iter()
                .map(|state| seeks(state.owner))
                .collect(),
        }
    }

    /// Improves the seeker's choices until none is better. The values of choices are never too
    /// high, and those that no choice improves satisfy the equations of which the value is the
    /// least solution.
    fn value(&self) -> BigRational {
        let mut choices = vec![0; self.states.len()];
        loop {
            let values = self.answered(&mut choices);
            if !self.improve(&mut choices, &values, true) {
                return values[0].clone();
            }
        }
    }

    /// Returns the least values to which the other player can keep these choices.
    fn answered(&self, choices: &mut Choices) -> Vec<BigRational> {
        let safe = self.safe(choices);
        loop {
            let values = self.walked(choices, &safe);
            if !self.improve(choices, &values, false) {
                return values;
            }
        }
    }

    /// Returns the states from which the other player can avoid the target for ever. In the others
    /// no choices keep play away from both for ever, so that all their values are unique.
    fn safe(&self, choices: &Choices) -> Vec<bool> {
        let mut safe: Vec<bool> = (0..self.states.len())
            .map(|state| !self.target.contains(&state))
            .collect();
        loop {
            let stays =
                |choice: &Vec<(BigRational, usize)>| choice.iter().all(|(_, state)| safe[*state]);
            let lost = (0..safe.len()).find(|&state| {
                let all = &self.states[state].choices;
                safe[state]
                    && if self.seeks[state] {
                        !stays(&all[choices[state]])
                    } else {
                        !all.iter().any(stays)
                    }
            });
            match lost {
                Some(state) => safe[state] = false,
                None => return safe,
            }
        }
    }

    /// Returns the probability with which these choices lead to the target, by elimination.
    fn walked(&self, choices: &Choices, safe: &[bool]) -> Vec<BigRational> {
        let count = self.states.len();
        let mut rows: Vec<Vec<BigRational>> = (0..count)
            .map(|state| {
                let mut row = vec![BigRational::zero(); count + 1];
                row[state] = BigRational::one();
                if self.target.contains(&state) {
                    row[count] = BigRational::one();
                } else if !safe[state] {
                    for (chance, head) in &self.states[state].choices[choices[state]] {
                        row[*head] -= chance;
                    }
                }
                row
            })
            .collect();
        for pivot in 0..count {
            let found = (pivot..count).find(|row| !rows[*row][pivot].is_zero());
            rows.swap(pivot, found.expect("the values are unique"));
            let mut row = std::mem::take(&mut rows[pivot]);
            let lead = row[pivot].clone();
            row.iter_mut()
                .filter(|entry| !entry.is_zero())
                .for_each(|entry| *entry /= &lead);
            for other in rows.iter_mut().filter(|other| !other.is_empty()) {
                let factor = other[pivot].clone();
                if factor.is_zero() {
                    continue;
                }
                for (entry, own) in other.iter_mut().zip(&row) {
                    if !own.is_zero() {
                        *entry -= own * &factor;
                    }
                }
            }
            rows[pivot] = row;
        }
        rows.into_iter()
            .map(|row| row.into_iter().next_back().expect("a right-hand side"))
            .collect()
    }

    /// Takes a better choice in each state of one player that has one; returns `true` if there was
    /// any.
    fn improve(&self, choices: &mut Choices, values: &[BigRational], seeker: bool) -> bool {
        let mut improved = false;
        for (state, choice) in choices.iter_mut().enumerate() {
            if self.seeks[state] != seeker || self.target.contains(&state) {
                continue;
            }
            for (other, heads) in self.states[state].choices.iter().enumerate() {
                let value: BigRational = heads
                    .iter()
                    .map(|(chance, head)| chance * &values[*head])
                    .sum();
                let better = if seeker {
                    value > values[state]
                } else {
                    value < values[state]
                };
                if better {
                    *choice = other;
                    improved = true;
                    break;
                }
            }
        }
        improved
    }
}
