//! The first moves of long plays.
//!
//! The numbers of a sweep are exact where at most a given number of moves is left. The positions
//! before those are few, because plays begin with few positions. They are found from the start, and
//! their values are computed one by one in numbers of any length. So a board of 36 cells is swept
//! in the numbers of one of 30.

use rustc_hash::{FxHashMap, FxHashSet};

use super::dyadic::Dyadic;
use super::theory::{Ends, RichmanLaw};
use crate::diagnostic::Result;
use crate::game::ruleset::{MoveWalker, Numbering, Ruleset, State};
use crate::law::Law;
use crate::positions::Numbered;
use crate::proof::spot::Spot;
use crate::watch::Context;

/// The greatest number of positions before those with a given number of moves left that counts as
/// few, and the divisor of the number of all positions that gives another such bound.
const MOST: u64 = 1 << 16;
const ONE_IN: u64 = 1 << 14;

/// The number of positions that are examined between two checks.
const CHECK_EVERY: usize = 1 << 10;

/// The positions from which plays may take more moves than a sweep's numbers allow, as far as they
/// can be reached. They are ordered so that moves lead to earlier ones or to those where the sweep
/// is exact.
pub(super) struct Early<'a> {
    ruleset: &'a Ruleset,
    spots: Vec<Spot>,
    /// The first positions where the sweep is exact.
    pub(super) frontier: Vec<State>,
    /// The number of moves that may be left at the positions where the sweep is exact.
    plies: u32,
}

/// The values of such positions.
#[derive(Debug, Default)]
pub(super) struct EarlyValues {
    values: FxHashMap<State, Dyadic>,
    plies: u32,
}

impl<'a> Early<'a> {
    /// Returns whether there are few positions from which plays may take more moves.
    pub(super) fn are_few(numbering: &Numbering, plies: u32) -> bool {
        numbering.positions_before(plies) <= MOST.min(numbering.positions() / ONE_IN)
    }

    /// Finds the positions that play reaches from the given ones.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the work is stopped.
    pub(super) fn new(
        positions: Numbered<'a>,
        plies: u32,
        ends: Ends,
        context: &Context<'_>,
    ) -> Result<Self> {
        let Numbered {
            ruleset, states, ..
        } = positions;
        let numbering = &positions.indexed.numbering;
        let seeker = theory(ends).seeker();
        let mut moves = MoveWalker::new(
            ruleset,
            states.iter().all(|state| ruleset.is_symmetric_from(state)),
        );
        let (mut spots, mut frontier, mut seen) = (Vec::new(), Vec::new(), FxHashSet::default());
        // Of positions that are images of each other, moves lead to the canonical one.
        let mut left: Vec<State> = states
            .iter()
            .map(|state| ruleset.canonical(state.clone()))
            .collect();
        while let Some(state) = left.pop() {
            if seen.len() % CHECK_EVERY == 0 {
                context.check()?;
            }
            // A position may be pushed by several predecessors before it is popped.
            if seen.contains(&state) {
                continue;
            }
            let most = plies_from(numbering, &state);
            if most <= plies {
                // The sweep's value is exact here, so its successors are not needed.
                frontier.push(state.clone());
            } else {
                let spot = Spot::at(&mut moves, state.words(), seeker)?;
                left.extend(
                    spot.sides
                        .iter()
                        .flat_map(|side| side.heads.iter().cloned()),
                );
                spots.push((most, spot));
            }
            seen.insert(state);
        }
        // Every move lowers the number of moves that may be left, so this is the order that the
        // values need.
        spots.sort_by_key(|(most, _)| *most);
        Ok(Self {
            ruleset,
            spots: spots.into_iter().map(|(_, spot)| spot).collect(),
            frontier,
            plies,
        })
    }

    /// Computes the values of the positions, given those of the positions where the sweep is exact.
    pub(super) fn values(
        &self,
        ends: Ends,
        swept: impl Fn(&State) -> Option<Dyadic>,
    ) -> EarlyValues {
        let theory = theory(ends);
        let mut early = EarlyValues {
            values: FxHashMap::default(),
            plies: self.plies,
        };
        for spot in &self.spots {
            let value_of =
                |state: &State| early.values.get(state).cloned().or_else(|| swept(state));
            let value = spot
                .value(&theory, &value_of)
                .expect("what moves lead to has been found before");
            // Moves lead to canonical positions, but a question may name any image of one.
            let images = self
                .ruleset
                .images(&spot.position)
                .map(|image| (image, value.clone()));
            early.values.extend(images);
            early.values.insert(spot.position.clone(), value);
        }
        early
    }
}

impl EarlyValues {
    /// Returns the value of a position, if it is one of these.
    pub(super) fn get(&self, state: &State) -> Option<&Dyadic> {
        self.values.get(state)
    }

    /// Returns whether the sweep's value of a position is exact.
    pub(super) fn is_late(&self, numbering: &Numbering, state: &State) -> bool {
        numbering
            .digits_of(state)
            .is_some_and(|digits| numbering.plies_from(&digits) <= self.plies)
    }
}

fn theory(ends: Ends) -> RichmanLaw<Dyadic> {
    // Dyadics carry their own exponents, so the scale is that of whole numbers.
    RichmanLaw::new(ends, 0)
}

fn plies_from(numbering: &Numbering, state: &State) -> u32 {
    numbering.plies_from(
        &numbering
            .digits_of(state)
            .expect("moves lead from numbered positions to numbered ones"),
    )
}
