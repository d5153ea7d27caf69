//! Bounds of thresholds: those of the solver, moved outward where they do not follow from each
//! other, with ranks.

use std::collections::HashSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::prove::{Prover, failed, refused};
use crate::diagnostic::Result;
use crate::report::Report;
use crate::scalar::Scalar;
use crate::solve::richman::taxman::Shares;
use crate::verify;
use crate::verify::bounds::{Check, Reflection, Side};
use crate::verify::format::{Bounds, Claim, Fraction, Proof, Rows};

/// How often a bound may be moved outward before it is given up.
const ROUNDS: usize = 1 << 12;
/// The binary places that bounds which are moved have beyond those of the precision.
const GUARD: u64 = 64;

impl Prover<'_> {
    /// Bounds of the critical threshold that prove an answer, exact or not.
    pub fn enclosed(&self, answer: &Report) -> Result<(Claim, Proof)> {
        let (bounds, check) = self.bounds()?;
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
                let mirror = Some(self.mirror(&check, &bounds)?);
                return Ok((
                    Claim::Richman { answer: half },
                    Proof::Bounds(Bounds { mirror, ..bounds }),
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

    /// The pairs that follow from position 0 as its own mirror image.
    fn mirror(&self, check: &Check<'_>, bounds: &Bounds) -> Result<Rows> {
        let (mut pairs, mut met) = (vec![(0, 0)], HashSet::from([(0, 0)]));
        let mut done = 0;
        while let Some(pair) = pairs.get(done).copied() {
            self.look("finding mirror images", done)?;
            done += 1;
            let next = match check.reflect(&bounds.low, &bounds.high, pair.0, pair.1) {
                Some(Reflection::Known) => Vec::new(),
                Some(Reflection::Turn(pairs)) => pairs.to_vec(),
                Some(Reflection::Forced(next)) if !met.contains(&next) => vec![next],
                Some(Reflection::Forced(_)) | None => {
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
            .for_each(|(a, b)| rows.push([a as i32, b as i32]));
        Ok(rows)
    }

    fn bounds(&self) -> Result<(Bounds, Check<'_>)> {
        let part = verify::bank(self.rules).map_err(failed)?;
        let Some(check) = Check::new(self.graph, self.rules, &part) else {
            return Err(refused(
                "where a draw is half a win thresholds have no bounds",
            ));
        };
        let shares = Shares::proof(&self.game_graph(), self.rules, self.context)?;
        let (mut low, mut high) = (
            Vec::with_capacity(shares.len()),
            Vec::with_capacity(shares.len()),
        );
        for share in shares {
            low.push(Fraction(share.low));
            high.push(Fraction(share.high));
        }
        self.mend(&check, Side::Low, &mut low)?;
        self.mend(&check, Side::High, &mut high)?;
        for position in 0..self.graph.len() {
            check
                .nobody_wants_to_lose(&low, &high, position)
                .map_err(failed)?;
        }
        let against = match check.against() {
            Side::Low => &low,
            Side::High => &high,
        };
        let ranks = self.levels(|ranks, position| check.rank(against, ranks, position))?;
        Ok((
            Bounds {
                low,
                high,
                ranks,
                mirror: None,
            },
            check,
        ))
    }

    /// Moves bounds outward until each follows from those it leads to.
    pub(super) fn mend(
        &self,
        check: &Check<'_>,
        side: Side,
        values: &mut [Fraction],
    ) -> Result<()> {
        let precision = &self.rules.precision.0;
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
                if check.holds(side, values, *position) {
                    continue;
                }
                let made = check.made(values, *position);
                values[*position] = Fraction(match side {
                    Side::Low => (made * &unit).floor() / &unit,
                    Side::High => (made * &unit).ceil() / &unit,
                });
                changed.push(*position);
            }
            Ok(changed)
        })
    }
}
