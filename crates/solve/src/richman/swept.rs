//! Richman values of rulesets without their graphs: fixed-point numbers as narrow as the longest
//! play allows, except for its first moves ([`early`](super::early)).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::DrawValue;
use super::dyadic::Dyadic;
use super::early::{Early, EarlyValues};
use super::theory::{Ends, Numerator, RichmanLaw};
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, Numbering, State};
use crate::player::Ending;
use crate::positions::{Layered, Numbered};
use crate::rules::admit;
use crate::rules::{Objective, Rules, Solver, Winner};
use crate::space::layers::{self, LayeredSpace};
use crate::space::sweep::{self, Fixed, Need, Slot, Swept};
use crate::watch::Context;

/// The exact values of a numbered ruleset's positions.
#[derive(Debug)]
pub struct RichmanSweep {
    /// The number that represents 1.
    one: BigInt,
    /// The numerators of the sweep; `None` if all positions asked for come before those at which a
    /// sweep is exact.
    numerators: Option<Swept<BigInt>>,
    /// The values of positions at which the numerators are not exact.
    early: Option<EarlyValues>,
}

/// The widths of numerators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NumeratorWidth {
    Narrow,
    Long,
    Wide,
    Widest,
}

/// The greatest scale that fits any width.
const GREATEST_SCALE: u32 = <Fixed<8> as Numerator>::GREATEST_SCALE;

impl NumeratorWidth {
    /// Returns the narrowest width for a scale; `None` if there is none.
    pub(super) fn of(scale: u32) -> Option<Self> {
        let widths = [
            (Self::Narrow, u32::GREATEST_SCALE),
            (Self::Long, i64::GREATEST_SCALE),
            (Self::Wide, <Fixed<4> as Numerator>::GREATEST_SCALE),
            (Self::Widest, GREATEST_SCALE),
        ];
        widths
            .into_iter()
            .find(|(_, greatest)| scale <= *greatest)
            .map(|(width, _)| width)
    }

    fn bytes(self) -> usize {
        match self {
            Self::Narrow => size_of::<u32>(),
            Self::Long => size_of::<i64>(),
            Self::Wide => size_of::<Fixed<4>>(),
            Self::Widest => size_of::<Fixed<8>>(),
        }
    }
}

/// Returns the scale for plays of at most `plies` moves. A position n moves before the end has a
/// multiple of 1/2^n, and of half of that if a draw is worth a half.
pub(super) fn scale_for(plies: u32) -> u32 {
    plies.saturating_add(1)
}

/// Returns the number of moves for which the numbers of a sweep are exact: as many as fit the
/// narrowest numbers that are exact except at few positions, or those of the longest play.
fn plies_of_sweep(numbering: &Numbering) -> u32 {
    let allowed = [u32::GREATEST_SCALE, i64::GREATEST_SCALE].map(|scale| scale - 1);
    let enough = |plies: &u32| *plies < numbering.plies && Early::are_few(numbering, *plies);
    allowed.into_iter().find(enough).unwrap_or(numbering.plies)
}

/// Returns the resources of a sweep that finds the values of numbered positions; `None` if the
/// rules need a graph, or plays are too long.
///
/// # Errors
/// If the theory does not cover the rules.
pub fn sweep_need(rules: &Rules, numbering: &Numbering) -> Result<Option<Need>> {
    match rules.winner {
        // In this theory first moves may be computed one by one, so the sweep's numbers can be
        // narrow.
        Winner::Chooses => {
            let Some(width) = NumeratorWidth::of(scale_for(plies_of_sweep(numbering))) else {
                return Ok(None);
            };
            Ok(admitted(rules)?.then_some(Need {
                width: width.bytes(),
                sweeps: 1,
            }))
        }
        // Here there are no separate first moves, so the width follows from the longest play.
        Winner::Moves => {
            let Some(width) = NumeratorWidth::of(scale_for(numbering.plies)) else {
                return Ok(None);
            };
            let usual = Rules {
                winner: Winner::Chooses,
                ..rules.clone()
            };
            if width > NumeratorWidth::Long || !admitted(&usual)? {
                return Ok(None);
            }
            admit::shares(rules)?;
            Ok(Some(Need {
                width: 2 * width.bytes(),
                sweeps: 1,
            }))
        }
    }
}

/// Returns whether values can be found layer by layer.
///
/// # Errors
/// If the theory does not cover the rules.
pub fn in_layers(rules: &Rules) -> Result<bool> {
    admitted(rules)
}

impl RichmanSweep {
    /// Solves a numbered ruleset for the values of at least some positions, where [`sweep_need`]
    /// allows it.
    ///
    /// # Errors
    /// If the work is stopped, or there is too little memory.
    ///
    /// # Panics
    /// If plays are too long.
    pub fn solve(positions: Numbered<'_>, rules: &Rules, context: &Context<'_>) -> Result<Self> {
        Self::with_room_for(
            plies_of_sweep(&positions.indexed.numbering),
            positions,
            rules,
            context,
        )
    }

    /// Solves a numbered ruleset in the narrowest numbers that are exact where no more than `plies`
    /// moves are left. The positions before those are computed one by one, however many they are.
    ///
    /// # Errors
    /// The errors of [`solve`](Self::solve).
    ///
    /// # Panics
    /// If no numbers are wide enough for so many moves.
    pub fn with_room_for(
        plies: u32,
        positions: Numbered<'_>,
        rules: &Rules,
        context: &Context<'_>,
    ) -> Result<Self> {
        let scale = scale_for(plies);
        let task = RichmanTask {
            positions,
            ends: Ends::of(positions.conjugated, rules),
            plies,
            scale,
            context,
        };
        match NumeratorWidth::of(scale).expect("the plan looks at the length of plays") {
            NumeratorWidth::Narrow => task.sweep::<u32>(),
            NumeratorWidth::Long => task.sweep::<i64>(),
            NumeratorWidth::Wide => task.sweep::<Fixed<4>>(),
            NumeratorWidth::Widest => task.sweep::<Fixed<8>>(),
        }
    }

    /// Creates values from their numerators and the numerator that represents 1.
    pub(super) fn new(numerators: Swept<BigInt>, one: BigInt) -> Self {
        Self {
            one,
            numerators: Some(numerators),
            early: None,
        }
    }

    /// Returns the value of a position, if it is numbered and its value was kept.
    pub fn value(&self, indexed: &Indexed, state: &State) -> Option<BigRational> {
        if let Some(early) = &self.early {
            if let Some(value) = early.get(state) {
                return Some(value.to_rational());
            }
            // The sweep has a number for this position too, but not an exact one.
            if !early.is_late(&indexed.numbering, state) {
                return None;
            }
        }
        let numerator = self.numerators.as_ref()?.value(indexed, state)?;
        Some(BigRational::new(numerator, self.one.clone()))
    }

    /// Returns the size of the values in bytes.
    pub fn bytes(&self) -> u64 {
        self.numerators
            .as_ref()
            .map_or(0, |numerators| numerators.bytes())
    }
}

/// Returns the value of an ending.
pub fn value_of(ending: Ending, rules: &Rules) -> BigRational {
    BigRational::new(DrawValue::new(rules.draws).of(ending).into(), 2.into())
}

/// Returns whether the rules are ones of this theory under which every value is a mean.
///
/// # Errors
/// If the theory does not cover the rules.
pub(super) fn admitted(rules: &Rules) -> Result<bool> {
    let usual = match (rules.winner, rules.solver) {
        (Winner::Chooses, Solver::Auto | Solver::Acyclic) => true,
        (Winner::Chooses | Winner::Moves, _) => false,
    };
    if !usual || !rules.has_richman_values() || rules.objective != Objective::Reachability {
        return Ok(false);
    }
    admit::shares(rules)?;
    Ok(true)
}

/// Computes the value of a position of a ruleset layer by layer. Returns `None` if this method does
/// not apply: the game has no layers, the rules are not covered, or plays are too long.
///
/// # Errors
/// If the theory does not cover the rules, a position cannot be evaluated, the work is stopped, or
/// there is too little memory.
pub fn layered(
    position: Layered<'_>,
    rules: &Rules,
    context: &Context<'_>,
) -> Result<Option<BigRational>> {
    if !admitted(rules)? {
        return Ok(None);
    }
    let Layered {
        ruleset,
        state,
        conjugated,
    } = position;
    let ends = Ends::of(conjugated, rules);
    let value = |layers: &dyn LayeredSpace<'_>| {
        let scale = scale_for(layers.plies());
        match NumeratorWidth::of(scale) {
            Some(NumeratorWidth::Narrow) => in_width::<u32>(layers, ends, scale),
            Some(NumeratorWidth::Long) => in_width::<i64>(layers, ends, scale),
            Some(NumeratorWidth::Wide) => in_width::<Fixed<4>>(layers, ends, scale),
            Some(NumeratorWidth::Widest) => in_width::<Fixed<8>>(layers, ends, scale),
            None => Ok(None),
        }
    };
    // The scale exceeds the number of moves by one.
    Ok(layers::ask(ruleset, state, GREATEST_SCALE - 1, &value, context)?.flatten())
}

fn in_width<N: Numerator + Slot>(
    layers: &dyn LayeredSpace<'_>,
    ends: Ends,
    scale: u32,
) -> Result<Option<BigRational>> {
    let value = layers::value(layers, &RichmanLaw::<N>::new(ends, scale))?;
    Ok(Some(value.over(scale)))
}

struct RichmanTask<'a> {
    positions: Numbered<'a>,
    ends: Ends,
    /// The number of moves for which its numbers are exact.
    plies: u32,
    scale: u32,
    context: &'a Context<'a>,
}

impl RichmanTask<'_> {
    fn sweep<N: Numerator + Slot + Into<BigInt>>(&self) -> Result<RichmanSweep> {
        let indexed = self.positions.indexed;
        let one = BigInt::one() << self.scale;
        let theory = RichmanLaw::<N>::new(self.ends, self.scale);
        // No play is longer than the numbers allow, so there are no first moves to be found one by
        // one.
        if self.plies >= indexed.numbering.plies {
            return Ok(RichmanSweep::new(
                sweep::sweep(self.positions, &theory, self.context)?,
                one,
            ));
        }
        let early = Early::new(self.positions, self.plies, self.ends, self.context)?;
        let frontier = Numbered {
            states: &early.frontier,
            ..self.positions
        };
        // Games may end before they reach the sweep, and then there is nothing to be swept.
        let swept = (!early.frontier.is_empty())
            .then(|| sweep::sweep(frontier, &theory, self.context))
            .transpose()?;
        let value_of = |state: &State| {
            let numerator = swept.as_ref()?.value(indexed, state)?;
            Some(Dyadic::new(numerator.into_parts().1, self.scale.into()))
        };
        let early = Some(early.values(self.ends, value_of));
        Ok(RichmanSweep {
            one,
            numerators: swept,
            early,
        })
    }
}
