//! The values of a graph without cycles, from its last positions to its first.

use crate::diagnostic::Result;
use crate::game::GameGraph;
use crate::law::Law;
use crate::number::Number;
use crate::player::{Ending, Player};
use crate::watch::{Context, Stop};

/// The number of vertices solved between two checks.
const CHECK_EVERY: usize = 1 << 14;

/// Computes the values of a graph without cycles.
///
/// # Errors
/// If the work is stopped, or the numbers take more memory than there is.
pub fn backward<L: Law>(
    graph: &GameGraph,
    law: &L,
    context: &Context<'_>,
) -> Result<Vec<L::Number>> {
    context.admit_values::<L::Number>(graph.len() as u64)?;
    let mut values = vec![law.ending(Ending::Draw); graph.len()];
    let (mut heap, limit) = (0, context.limits.max_memory);
    let seeker = law.seeker();
    let mut has_long_numbers = false;
    for (done, node) in graph.successors_first().enumerate() {
        // A vertex with long numbers can take as long as thousands of others, so each is followed
        // by a check.
        if done % CHECK_EVERY == 0 || has_long_numbers {
            context.check()?;
            context.report("solving", done as u64, Some(graph.len() as u64));
        }
        let best = |player: Player, better: fn(L::Number, &L::Number) -> L::Number| {
            let (first, rest) = graph.successors(node, player).split_first()?;
            // The first value starts the fold, because a law has no value that is worse than all
            // others.
            let first = values[first.index()].clone();
            Some(
                rest.iter()
                    .fold(first, |best, head| better(best, &values[head.index()])),
            )
        };
        let value = match graph.ending(node) {
            Some(ending) => law.ending(ending),
            None => law.turn(
                best(seeker, L::Number::least),
                best(seeker.other(), L::Number::greatest),
            ),
        };
        has_long_numbers = value.heap() > 0;
        // Values are never dropped during the pass, so their sizes only add up.
        heap += value.heap();
        if heap > limit {
            return Err(Stop::Memory(limit).into());
        }
        values[node.index()] = value;
    }
    Ok(values)
}
