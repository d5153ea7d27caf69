//! Theories: the values of endings, and the value of a turn computed from the values of its moves.
//!
//! A solver is a theory run over a space: numbered positions ([`sweep`](super::sweep)), layers by a
//! count ([`layers`](super::layers)), or the vertices of a graph without cycles ([`backward`]). No
//! theory has a copy for each space.

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};
use crate::watch::{Context, Stop};

/// A number, or a vector of numbers.
pub trait Number: Clone + Send + Sync + Debug + 'static {
    /// Returns the lesser of two numbers, component by component.
    fn least(self, other: &Self) -> Self;

    /// Returns the greater of two numbers, component by component.
    fn greatest(self, other: &Self) -> Self;

    /// Returns the number of bytes on the heap, beyond the number's own size.
    fn heap(&self) -> u64 {
        0
    }
}

macro_rules! machine_numbers {
    ($($number:ty),*) => {$(
        impl Number for $number {
            #[inline(always)]
            fn least(self, other: &Self) -> Self {
                self.min(*other)
            }

            #[inline(always)]
            fn greatest(self, other: &Self) -> Self {
                self.max(*other)
            }
        }
    )*};
}

machine_numbers!(i64, i128, u16, u32, u64, u128);

/// A rule by which values follow from each other.
pub trait Theory: Sync {
    /// The value of a position.
    type Number: Number;

    /// Returns the name of the theory, with everything that the values depend on besides the game.
    fn name(&self) -> String;

    /// Returns the player for whom less is better.
    fn seeker(&self) -> Player;

    /// Returns the value of an ending.
    fn ending(&self, ending: Ending) -> Self::Number;

    /// Returns the value of a position from the best values that the seeker and the opponent can
    /// move to.
    fn settle(&self, seeker: Self::Number, opponent: Self::Number) -> Self::Number;

    /// Returns `true` if a value is the one that [`settle`](Self::settle) should return, computed
    /// in numbers without bounds, and lies in the range of possible values.
    fn follows(&self, value: &Self::Number, seeker: &Self::Number, opponent: &Self::Number)
    -> bool;

    /// Compares two values; the lesser one is better for the seeker. Vectors are compared by their
    /// first component.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Ordering;

    /// Returns the value of a position where a player may have no move: then the other one moves,
    /// and without any move it is a draw.
    #[inline(always)]
    fn turn(&self, seeker: Option<Self::Number>, opponent: Option<Self::Number>) -> Self::Number {
        match (seeker, opponent) {
            (Some(seeker), Some(opponent)) => self.settle(seeker, opponent),
            (Some(only), None) | (None, Some(only)) => self.settle(only.clone(), only),
            (None, None) => self.ending(Ending::Draw),
        }
    }
}

/// The number of vertices solved between two checks.
const CHECK_EVERY: usize = 1 << 14;

/// Computes the values of a graph without cycles, whose vertices are given with successors first.
///
/// # Errors
/// If the work is stopped, or the numbers take more memory than there is.
pub fn backward<T: Theory>(
    graph: &GameGraph,
    order: impl Iterator<Item = NodeId>,
    theory: &T,
    context: &Context<'_>,
) -> Result<Vec<T::Number>> {
    let mut values = vec![theory.ending(Ending::Draw); graph.len()];
    let (mut heap, limit) = (0, context.limits.max_memory);
    let seeker = theory.seeker();
    let mut has_long_numbers = false;
    for (done, node) in order.enumerate() {
        if done % CHECK_EVERY == 0 || has_long_numbers {
            context.check()?;
            context.report("solving", done as u64, Some(graph.len() as u64));
        }
        let best = |player: Player, better: fn(T::Number, &T::Number) -> T::Number| {
            let (first, rest) = graph.successors(node, player).split_first()?;
            let first = values[first.index()].clone();
            Some(
                rest.iter()
                    .fold(first, |best, head| better(best, &values[head.index()])),
            )
        };
        let value = match graph.ending(node) {
            Some(ending) => theory.ending(ending),
            None => theory.turn(
                best(seeker, T::Number::least),
                best(seeker.other(), T::Number::greatest),
            ),
        };
        has_long_numbers = value.heap() > 0;
        heap += value.heap();
        if heap > limit {
            return Err(Stop::Memory(limit).into());
        }
        values[node.index()] = value;
    }
    Ok(values)
}
