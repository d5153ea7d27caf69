//! Computes bounds of thresholds with ranks: those of the solver, moved outward where they do not
//! follow from each other.

use std::collections::HashSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::prove::{Prover, failed, refused};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::report::Report;
use crate::scalar::Scalar;
use crate::solve::richman::taxman::Shares;
use crate::verify::bounds::{self, Reflection, seeker};
use crate::verify::format::{BoundsProof, Claim, Fraction, Proof, Rows};
use crate::verify::values::{BackwardStep, ValueTheory};
use crate::verify::{self, AskedQuantity};
use bid_language::convert::fit;

/// The number of times that a bound may be moved outward before the proof is given up.
const ROUNDS: usize = 1 << 12;
/// The binary places of moved bounds beyond those of the precision.
const GUARD: u64 = 64;

impl Prover<'_> {
    /// Proves bounds of the critical threshold for an answer, exact or not.
    pub fn enclosed(&self, answer: &Report) -> Result<(Claim, Proof)> {
        let law = verify::law(self.graph.rules, &AskedQuantity::Richman).map_err(failed)?;
        let theory = ValueTheory::new(self.graph, law);
        let bounds = self.bounds(&theory)?;
        let (low, high) = (&bounds.low[0], &bounds.high[0]);
        let half = Fraction(BigRational::new(1.into(), 2.into()));
        let claim = match answer {
            Report::Scalar(Scalar::Bounds(told)) if told.low <= low.0 && high.0 <= told.high => {
                Claim::Between {
                    low: Fraction(told.low.clone()),
                    high: Fraction(told.high.clone()),
                }
            }
            Report::Scalar(Scalar::Bounds(_)) => {
                return Err(refused(
                    "no bounds as close as those of the answer were found",
                ));
            }
            _ if low == high => Claim::Richman {
                answer: low.clone(),
            },
            _ if low.0 < half.0 && half.0 < high.0 => {
                let mirror = Some(self.mirror(&theory, &bounds)?);
                return Ok((
                    Claim::Richman { answer: half },
                    Proof::Bounds(BoundsProof { mirror, ..bounds }),
                ));
            }
            _ => {
                return Err(refused(
                    "no bounds that meet were found, and an exact answer needs them",
                ));
            }
        };
        Ok((claim, Proof::Bounds(bounds)))
    }

    /// Returns the pairs of positions that follow from position 0 being its own mirror image.
    fn mirror(&self, theory: &ValueTheory<'_>, bounds: &BoundsProof) -> Result<Rows> {
        let [low, high] = [&bounds.low[..], &bounds.high[..]];
        let bounds = bounds::CheckedBounds { theory, low, high };
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

    fn bounds(&self, theory: &ValueTheory<'_>) -> Result<BoundsProof> {
        let Some(seeker) = seeker(self.graph.rules) else {
            return Err(refused(
                "where a draw is half a win thresholds have no bounds",
            ));
        };
        let shares = Shares::proof(&self.game_graph(), self.graph.rules, self.context)?;
        let (mut low, mut high) = (
            Vec::with_capacity(shares.len()),
            Vec::with_capacity(shares.len()),
        );
        for share in shares {
            low.push(Fraction(share.low));
            high.push(Fraction(share.high));
        }
        self.mend(theory, Player::Bob, &mut low)?;
        self.mend(theory, Player::Alice, &mut high)?;
        for position in 0..self.graph.len() {
            let checked = theory.nobody_wants_to_lose(&low, &high, position);
            checked.map_err(failed)?;
        }
        let against: BackwardStep<'_> = theory.step(match seeker {
            Player::Alice => &high,
            Player::Bob => &low,
        });
        let ranks = self.levels(|ranks, position| against.bounded_rank(seeker, ranks, position))?;
        Ok(BoundsProof {
            low,
            high,
            ranks,
            mirror: None,
        })
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
            left -= 1;
            let mut changed = Vec::new();
            for (done, position) in open.iter().enumerate() {
                self.look("mending bounds", done)?;
                let step = theory.step(values);
                if step.holds(player, *position) {
                    continue;
                }
                let made = step.value_at(*position);
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
