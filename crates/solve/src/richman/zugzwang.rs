//! R where the winner of a bid must move, by a sweep: the values of the other rule, with a test for
//! zugzwang.
//!
//! The two rules give the same values as long as no player would rather lose a bid at any position
//! that can be reached ([`refuse`](super::refuse)). This condition is propagated from a position's
//! successors to the position, as the values are.

use std::cmp::Ordering;

use num_rational::BigRational;

use super::swept::{NumeratorWidth, scale_for};
use super::theory::{Ends, Numerator, RichmanTheory};
use crate::diagnostic::Result;
use crate::graphless::Numbered;
use crate::player::{Ending, Player};
use crate::rules::Rules;
use crate::store::Packed;
use crate::sweep::{self, Slot};
use crate::theory::{Number, Theory};
use crate::watch::Context;

/// Finds the values of some positions of a numbered ruleset, where
/// [`sweep_need`](super::sweep_need) allows it. Returns `None` if a player may want to lose a bid.
///
/// # Errors
/// If the work is stopped, or there is too little memory.
pub fn without_zugzwang(
    positions: Numbered<'_>,
    rules: &Rules,
    context: &Context<'_>,
) -> Result<Option<Vec<BigRational>>> {
    let scale = scale_for(positions.indexed.numbering.plies);
    match NumeratorWidth::of(scale) {
        Some(NumeratorWidth::Narrow) => solve::<u32>(positions, rules, scale, context),
        Some(NumeratorWidth::Long) => solve::<u64>(positions, rules, scale, context),
        Some(NumeratorWidth::Wide | NumeratorWidth::Widest) | None => {
            unreachable!("the plan looks at the length of plays")
        }
    }
}

fn solve<N: Numerator + Slot>(
    positions: Numbered<'_>,
    rules: &Rules,
    scale: u32,
    context: &Context<'_>,
) -> Result<Option<Vec<BigRational>>> {
    let Numbered {
        indexed, states, ..
    } = positions;
    let theory = ZugzwangTheory(RichmanTheory::<N>::new(
        Ends::of(positions.conjugated, rules),
        scale,
    ));
    let swept = sweep::sweep(positions, &theory, context)?;
    let values = states
        .iter()
        .map(|state| swept.value(indexed, state).expect("what is wanted is kept"));
    let value = |ValueWithZugzwang { value, zugzwang }: ValueWithZugzwang<N>| {
        (zugzwang == N::BLANK).then(|| value.over(scale))
    };
    Ok(values.map(value).collect())
}

/// A value, and a flag that is 0 unless a player may want to lose a bid from there on.
#[derive(Debug, Clone, Copy)]
struct ValueWithZugzwang<N> {
    value: N,
    zugzwang: N,
}

impl<N: Number> Number for ValueWithZugzwang<N> {
    #[inline(always)]
    fn least(self, other: &Self) -> Self {
        Self {
            value: self.value.least(&other.value),
            zugzwang: self.zugzwang.greatest(&other.zugzwang),
        }
    }

    #[inline(always)]
    fn greatest(self, other: &Self) -> Self {
        Self {
            value: self.value.greatest(&other.value),
            zugzwang: self.zugzwang.greatest(&other.zugzwang),
        }
    }
}

impl<N: Slot> Slot for ValueWithZugzwang<N> {
    const BLANK: Self = Self {
        value: N::BLANK,
        zugzwang: N::BLANK,
    };

    #[inline(always)]
    fn select(self, bit: u32, other: Self) -> Self {
        Self {
            value: self.value.select(bit, other.value),
            zugzwang: self.zugzwang.select(bit, other.zugzwang),
        }
    }
}

impl<N: Packed> Packed for ValueWithZugzwang<N> {
    const BYTES: usize = 2 * N::BYTES;

    fn byte(&self, index: usize) -> u8 {
        if index < N::BYTES {
            self.value.byte(index)
        } else {
            self.zugzwang.byte(index - N::BYTES)
        }
    }

    fn from_bytes(bytes: impl Fn(usize) -> u8) -> Self {
        Self {
            value: N::from_bytes(&bytes),
            zugzwang: N::from_bytes(|index| bytes(N::BYTES + index)),
        }
    }
}

/// The theory of means, with the test for zugzwang.
struct ZugzwangTheory<N>(RichmanTheory<N>);

impl<N: Numerator + Slot> Theory for ZugzwangTheory<N> {
    type Number = ValueWithZugzwang<N>;

    fn name(&self) -> String {
        format!("{}, without zugzwang", self.0.name())
    }

    fn seeker(&self) -> Player {
        self.0.seeker()
    }

    fn ending(&self, ending: Ending) -> ValueWithZugzwang<N> {
        ValueWithZugzwang {
            value: self.0.ending(ending),
            zugzwang: N::BLANK,
        }
    }

    #[inline(always)]
    fn settle(
        &self,
        alice: ValueWithZugzwang<N>,
        bob: ValueWithZugzwang<N>,
    ) -> ValueWithZugzwang<N> {
        let here = if alice.value > bob.value {
            N::halves(2, 0)
        } else {
            N::BLANK
        };
        let later = alice.zugzwang.greatest(&bob.zugzwang);
        ValueWithZugzwang {
            value: self.0.settle(alice.value, bob.value),
            zugzwang: here.greatest(&later),
        }
    }

    fn follows(
        &self,
        value: &ValueWithZugzwang<N>,
        alice: &ValueWithZugzwang<N>,
        bob: &ValueWithZugzwang<N>,
    ) -> bool {
        let zugzwang = [alice.zugzwang, bob.zugzwang]
            .iter()
            .any(|later| *later != N::BLANK);
        self.0.follows(&value.value, &alice.value, &bob.value)
            && (value.zugzwang != N::BLANK) == (zugzwang || alice.value > bob.value)
    }

    fn compare(&self, a: &ValueWithZugzwang<N>, b: &ValueWithZugzwang<N>) -> Ordering {
        self.0.compare(&a.value, &b.value)
    }
}
