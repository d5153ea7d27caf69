//! R where the winner of a bid must move, by a sweep: the values of the other rule, with a test for
//! zugzwang.
//!
//! The two rules give the same values as long as no player would rather lose a bid at any position
//! that can be reached ([`refuse`](super::refuse)). This condition is propagated from a position's
//! successors to the position, as the values are.

use bytemuck::{Pod, Zeroable};
use num_rational::BigRational;

use super::swept::{NumeratorWidth, scale_for};
use super::theory::{Ends, Numerator, RichmanLaw};
use crate::diagnostic::Result;
use crate::law::{Ended, Law};
use crate::number::Number;
use crate::positions::Numbered;
use crate::rules::Rules;
use crate::space::sweep::{self, Slot};
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
    let means = RichmanLaw::<N>::new(Ends::of(positions.conjugated, rules), scale);
    let ended = Ended {
        seeker: means.seeker(),
        values: means
            .ended()
            .values
            .map(|value| ValueWithZugzwang([value, N::zeroed()])),
    };
    let theory = ZugzwangLaw { means, ended };
    let swept = sweep::sweep::<ValueWithZugzwang<N>, _>(positions, &theory, context)?;
    let values = states
        .iter()
        .map(|state| swept.value(indexed, state).expect("what is wanted is kept"));
    let value = |ValueWithZugzwang([value, zugzwang]): ValueWithZugzwang<N>| {
        // A single flag makes the whole answer `None`, because `collect` stops at it.
        (zugzwang == N::zeroed()).then(|| value.over(scale))
    };
    Ok(values.map(value).collect())
}

/// A value, and a flag that is 0 unless a player may want to lose a bid from there on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
struct ValueWithZugzwang<N>([N; 2]);

impl<N: Number + Copy> Number for ValueWithZugzwang<N> {
    #[inline(always)]
    fn least(self, other: &Self) -> Self {
        let (Self([value, zugzwang]), Self([other, likewise])) = (self, other);
        Self([value.least(other), zugzwang.greatest(likewise)])
    }

    #[inline(always)]
    fn greatest(self, other: &Self) -> Self {
        let (Self([value, zugzwang]), Self([other, likewise])) = (self, other);
        Self([value.greatest(other), zugzwang.greatest(likewise)])
    }
}

impl<N: Slot> Slot for ValueWithZugzwang<N> {
    #[inline(always)]
    fn select(self, bit: u32, other: Self) -> Self {
        let (Self([value, zugzwang]), Self([other, likewise])) = (self, other);
        Self([value.select(bit, other), zugzwang.select(bit, likewise)])
    }
}

/// The theory of means, with the test for zugzwang.
struct ZugzwangLaw<N> {
    means: RichmanLaw<N>,
    ended: Ended<ValueWithZugzwang<N>>,
}

impl<N: Numerator + Slot> Law for ZugzwangLaw<N> {
    type Number = ValueWithZugzwang<N>;

    fn name(&self) -> String {
        format!("{}, without zugzwang", self.means.name())
    }

    fn ended(&self) -> &Ended<ValueWithZugzwang<N>> {
        &self.ended
    }

    #[inline(always)]
    fn settle(
        &self,
        ValueWithZugzwang([alice, by_alice]): ValueWithZugzwang<N>,
        ValueWithZugzwang([bob, by_bob]): ValueWithZugzwang<N>,
    ) -> ValueWithZugzwang<N> {
        let here = if alice > bob {
            // This is the number 1, which serves as a flag.
            N::halves(2, 0)
        } else {
            N::zeroed()
        };
        let later = by_alice.greatest(&by_bob);
        ValueWithZugzwang([self.means.settle(alice, bob), here.greatest(&later)])
    }

    fn follows(
        &self,
        ValueWithZugzwang([value, zugzwang]): &ValueWithZugzwang<N>,
        ValueWithZugzwang([alice, by_alice]): &ValueWithZugzwang<N>,
        ValueWithZugzwang([bob, by_bob]): &ValueWithZugzwang<N>,
    ) -> bool {
        let later = [by_alice, by_bob]
            .iter()
            .any(|later| **later != N::zeroed());
        self.means.follows(value, alice, bob)
            && (*zugzwang != N::zeroed()) == (later || alice > bob)
    }
}
