//! Absorbing random walks with rational answers of any length: the linear systems behind cyclic
//! games.
//!
//! From each of n transient states a walk goes on to other states and to known ones, with integer
//! weights `w`; the unknowns are the means at which it ends up:
//!
//! ```text
//! (Σ w) · x = Σ w · (x at the head)          for each transient state
//! ```
//!
//! If from every transient state a known one can be reached, the matrix is a nonsingular M-matrix
//! and there is exactly one solution. The [`elimination`] of states one by one (each is bypassed,
//! its predecessors inherit its successors; Grassmann, Taksar & Heyman 1985) adds, multiplies and
//! divides, but never subtracts: in floats all answers are accurate *relative* to their size, and
//! the same code runs modulo a prime. From there p-adic [`lifting`] (Dixon 1982) gets the rational
//! solution, which is verified in integers before it is returned. Where elimination fills up,
//! [`steps`] along the edges give floats that are good enough for a guess; [`quick`] chooses the
//! faster of both.

mod elimination;
mod lifting;
mod modular;
mod quick;
mod reconstruction;
mod steps;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{FromPrimitive, One};

use self::elimination::{Elimination, Fill, Reals};
pub(crate) use self::quick::{LinearMethod, Quick};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::watch::{Context, Stop};

/// An absorbing random walk.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// The start of each state's edges: `edges[starts[i] .. starts[i + 1]]` leave state i, as head
    /// and weight, each head once, never i itself.
    starts: Vec<u32>,
    /// The heads and weights of the edges. A head below n is a state; n + j is the known state j.
    edges: Vec<(u32, u32)>,
}

/// Returns the least common multiple of denominators, which may be long.
pub(crate) fn common_multiple<'a>(
    denominators: impl IntoIterator<Item = &'a BigInt>,
    context: &Context<'_>,
) -> std::result::Result<BigInt, Stop> {
    let mut common = BigInt::one();
    for denominator in denominators {
        context.check()?;
        // The test saves the greatest common divisor if the denominator divides the multiple
        // already.
        if !common.is_multiple_of(denominator) {
            common = common.lcm(denominator);
        }
    }
    Ok(common)
}

/// Rationals over a common denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RationalSolution {
    pub(crate) numerators: Vec<BigInt>,
    pub(crate) denominator: BigInt,
}

impl RationalSolution {
    /// Brings rationals to their least common denominator.
    pub(crate) fn of(
        values: &[BigRational],
        context: &Context<'_>,
    ) -> std::result::Result<Self, Stop> {
        let denominator = common_multiple(values.iter().map(BigRational::denom), context)?;
        let whole = |value: &BigRational| value.numer() * (&denominator / value.denom());
        Ok(Self {
            numerators: values.iter().map(whole).collect(),
            denominator,
        })
    }
}

impl Walk {
    /// Creates the walk without states.
    pub(crate) fn new() -> Self {
        Self {
            starts: vec![0],
            edges: Vec::new(),
        }
    }

    /// Appends a state with the heads of its edges and their weights; heads may be repeated, and be
    /// the state itself.
    pub(crate) fn push(&mut self, edges: impl IntoIterator<Item = (u32, u32)>) {
        let (from, state) = (self.edges.len(), fit::<u32>(self.len()));
        for (head, weight) in edges {
            match self.edges[from..]
                .iter_mut()
                .find(|(other, _)| *other == head)
            {
                Some((_, sum)) => *sum += weight,
                // An edge to the state itself is dropped on both sides of the equation.
                None if head != state => self.edges.push((head, weight)),
                None => {}
            }
        }
        self.starts
            .push(u32::try_from(self.edges.len()).expect("fewer than 2^32 edges"));
    }

    /// Returns the number of transient states.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the sum of the weights from a state.
    pub(crate) fn total(&self, state: usize) -> u32 {
        self.edges(state).iter().map(|(_, weight)| weight).sum()
    }

    pub(crate) fn edges(&self, state: usize) -> &[(u32, u32)] {
        &self.edges[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// Iterates over the weights to known states: index of the known state and weight.
    fn exits(&self, state: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let n = self.len();
        self.edges(state)
            .iter()
            .filter(move |(head, _)| *head as usize >= n)
            .map(move |&(h, w)| (h as usize - n, w))
    }

    /// Iterates over the weights to transient states.
    fn inner(&self, state: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let n = self.len();
        self.edges(state)
            .iter()
            .map(|&(head, weight)| (head as usize, weight))
            .filter(move |(head, _)| *head < n)
    }

    /// Computes the solutions for several vectors of known values, in floats. For known values ≥ 0
    /// each is accurate relative to its size, however small.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(crate) fn approximate<const M: usize>(
        &self,
        known: [&[f64]; M],
        context: &Context<'_>,
    ) -> Result<[Vec<f64>; M]> {
        Ok(match Elimination::new(self, &Reals, context)? {
            Some(elimination) => self.means(&elimination, known),
            // This happens only by underflow; the result is a guess that exact arithmetic will
            // correct.
            None => known.map(|_| vec![0.0; self.len()]),
        })
    }

    /// Computes the solutions that [`Walk::approximate`] computes if elimination never has more
    /// edges than the walk, as on paths and trees; otherwise returns `None`.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(crate) fn approximate_if_sparse<const M: usize>(
        &self,
        known: [&[f64]; M],
        context: &Context<'_>,
    ) -> Result<Option<[Vec<f64>; M]>> {
        let elimination = Elimination::within(self, &Reals, Fill::NONE, context)?;
        Ok(elimination.map(|elimination| self.means(&elimination, known)))
    }

    fn means<const M: usize>(
        &self,
        elimination: &Elimination<f64>,
        known: [&[f64]; M],
    ) -> [Vec<f64>; M] {
        known.map(|known| {
            let right = (0..self.len())
                .map(|i| self.exits(i).map(|(j, w)| f64::from(w) * known[j]).sum())
                .collect();
            elimination.solve(&Reals, right)
        })
    }

    /// Prepares the answers to sources, in floats. Returns `None` if the walk may never end, as far
    /// as floats can tell.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(crate) fn response(&self, context: &Context<'_>) -> Result<Option<Response>> {
        Ok(Elimination::new(self, &Reals, context)?.map(Response))
    }

    /// Returns the number of binary digits, about, of a number that the denominators of all exact
    /// solutions divide; `None` if elimination fills up, to a full matrix of more than m states.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(crate) fn bits(&self, m: usize, context: &Context<'_>) -> Result<Option<f64>> {
        Elimination::bits(self, Fill::up_to(m), context)
    }

    /// Computes the exact solution for known values that are integers ≥ 0.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(crate) fn solve(
        &self,
        known: &[BigInt],
        context: &Context<'_>,
    ) -> Result<RationalSolution> {
        let right: Vec<BigInt> = (0..self.len())
            .map(|i| self.exits(i).map(|(j, w)| &known[j] * w).sum())
            .collect();
        // The unknowns are means of the known values, so none exceeds the greatest.
        let greatest = known.iter().max().cloned().unwrap_or_default();
        lifting::solve(self, &right, greatest.magnitude(), context)
    }

    /// Computes the exact solution of `(Σ w) · x = Σ w · (x at the head) + source`, where known
    /// states have the value 0, for sources ≥ 0. Returns `None` if the walk goes on for longer than
    /// floats can tell.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(crate) fn gather(
        &self,
        sources: &[BigInt],
        context: &Context<'_>,
    ) -> Result<Option<RationalSolution>> {
        let Some(response) = self.response(context)? else {
            return Ok(None);
        };
        let longest = response
            .to(vec![1.0; self.len()])
            .into_iter()
            .fold(1.0, f64::max);
        // The floats are accurate relative to their size, so twice the longest is a bound for
        // certain.
        let Some(longest) = BigInt::from_f64(2.0 * longest) else {
            return Ok(None);
        };
        // No unknown exceeds the greatest source times the response to sources of 1.
        let greatest = sources.iter().max().cloned().unwrap_or_default() * longest;
        lifting::solve(self, sources, greatest.magnitude(), context).map(Some)
    }

    /// Returns whether a solution is correct, in integers.
    fn verify(&self, right: &[BigInt], solution: &RationalSolution) -> bool {
        let RationalSolution {
            numerators,
            denominator,
        } = solution;
        (0..self.len()).all(|i| {
            let total: u32 = self.edges(i).iter().map(|(_, weight)| weight).sum();
            let inner: BigInt = self
                .inner(i)
                .map(|(j, weight)| &numerators[j] * weight)
                .sum();
            &numerators[i] * total - inner == &right[i] * denominator
        })
    }
}

/// A walk that is prepared for sources: the amounts that each state adds at each visit of the walk.
pub(crate) struct Response(Elimination<f64>);

impl Response {
    /// Computes the solution of `(Σ w) · x = Σ w · (x at the head) + source`, where known states
    /// have the value 0.
    pub(crate) fn to(&self, sources: Vec<f64>) -> Vec<f64> {
        self.0.solve(&Reals, sources)
    }
}

#[cfg(test)]
mod tests;
