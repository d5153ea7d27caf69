//! Computes bounds of thresholds: those of the solver, moved outward where they do not
//! follow from each other.

use std::collections::HashSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::prove::{Prover, refused};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::player::Player;
use crate::rules::Draws;
use crate::solve::richman::taxman::Shares;
use crate::verify::format::{Fraction, Rows};
use crate::verify::promises::{CheckedBounds, Reflection, ValueTheory};

/// The number of times that a bound may be moved outward before the proof is given up.
const ROUNDS: usize = 1 << 12;
/// The binary places of moved bounds beyond those of the precision.
const GUARD: u64 = 64;

impl Prover<'_> {
    /// Returns the pairs of positions that follow from position 0 being its own mirror image.
    pub(super) fn mirror(&self, bounds: &CheckedBounds<'_>) -> Result<Rows> {
        let (mut pairs, mut met) = (vec![(0, 0)], HashSet::from([(0, 0)]));
        let mut done = 0;
        while let Some(pair) = pairs.get(done).copied() {
            self.look("finding mirror images", done)?;
            done += 1;
            let known = |pair: &(usize, usize)| met.contains(pair);
            let next = match bounds.reflect(pair.0, pair.1) {
                Some(Reflection { pairs, later }) if !(later && pairs.iter().any(known)) => pairs,
                _ => {
                    return Err(refused(
                        "no bounds that meet were found, and an exact answer needs them",
                    ));
                }
            };
            pairs.extend(next.into_iter().filter(|pair| met.insert(*pair)));
        }
        let mut rows = Rows::default();
        pairs
            .into_iter()
            .for_each(|(a, b)| rows.push([fit::<i32>(a), fit::<i32>(b)]));
        Ok(rows)
    }

    /// Finds a lower and an upper bound of the threshold of each position, the lower ones first.
    pub(super) fn enclosed(&self, theory: &ValueTheory<'_>) -> Result<[Vec<Fraction>; 2]> {
        if self.graph.rules.draws == Draws::Half {
            return Err(refused(
                "where a draw is half a win thresholds have no bounds",
            ));
        }
        let shares = Shares::proof(&self.game_graph(), self.graph.rules, self.graph.context)?;
        let bounds = shares
            .into_iter()
            .map(|share| (Fraction(share.low), Fraction(share.high)));
        let (mut low, mut high): (Vec<Fraction>, Vec<Fraction>) = bounds.unzip();
        self.mend(theory, Player::Bob, &mut low)?;
        self.mend(theory, Player::Alice, &mut high)?;
        Ok([low, high])
    }

    /// Moves the bounds that a player guarantees outward until each follows from those of its
    /// successors.
    pub(super) fn mend(
        &self,
        theory: &ValueTheory<'_>,
        player: Player,
        values: &mut [Fraction],
    ) -> Result<()> {
        let precision = &self.graph.rules.precision.0;
        let places = (precision.denom() / precision.numer()).bits() + GUARD;
        let unit = BigRational::from_integer(BigInt::one() << places);
        let mut left = ROUNDS;
        self.rounds(|open| {
            if left == 0 {
                return Err(refused("no bounds that follow from each other were found"));
            }
            // Bounds on cycles may creep towards a limit for ever, so the rounds are counted.
            left -= 1;
            let mut changed = Vec::new();
            for (done, position) in open.iter().enumerate() {
                self.look("mending bounds", done)?;
                if theory.holds(values, player, *position) {
                    continue;
                }
                let made = theory.value_at(values, *position);
                // Rounding outward keeps the fractions short; exact ones would grow with every
                // round.
                values[*position] = Fraction(match player {
                    Player::Alice => (made * &unit).ceil() / &unit,
                    Player::Bob => (made * &unit).floor() / &unit,
                });
                changed.push(*position);
            }
            Ok(changed)
        })
    }
}
