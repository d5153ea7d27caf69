//! Guarantees: the bids that prove bounds under all-pay bidding on cycles, in exact fractions, with
//! their ranks.
//!
//! The bounds are those of the solver, which are floating-point numbers and thus exact fractions.
//! The solver allows for rounding when it proves them, so they also hold for the exact bids, which
//! are its weights divided by their sum. The checker's own step confirms this before anything is
//! written.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::Zero;

use super::prove::{Prover, failed, refused};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::report::{MixedBid, Nash, Weight};
use crate::rules;
use crate::solve::all_pay::{AllPayValues, Equilibrium, ExactOrCertified, Standing};
use crate::verify::bidding::onward;
use crate::verify::format::{Fraction, Guarantee, Guaranteed, ListedPurses};
use crate::verify::guarantees::{GuaranteeCheck, OPEN};

/// A game whose turns are solved.
struct SolvedGame<'a> {
    graph: &'a GameGraph,
    solved: &'a AllPayValues,
}

impl Prover<'_> {
    /// Returns the turns that play can reach, in order, with the guarantees of both players. At the
    /// first turn play follows the given bids.
    pub(super) fn guarantees(
        &self,
        start: ListedPurses,
        given: Option<&Nash>,
    ) -> Result<Vec<Guaranteed>> {
        let graph = self.game_graph();
        let chips = PerPlayer::new(fit::<u64>(start.alice), fit::<u64>(start.bob));
        let mut solved = AllPayValues::new(&graph, self.graph.rules, chips, self.graph.context)?;
        solved.advance(
            Standing::of(&graph),
            self.graph.rules,
            NodeId::new(0),
            self.graph.context,
        )?;
        let played = SolvedGame {
            graph: &graph,
            solved: &solved,
        };
        let (mut reached, mut open) = (BTreeSet::from([(0, start)]), vec![(0, start)]);
        while let Some((position, held)) = open.pop() {
            self.look("listing turns", reached.len())?;
            if self.graph.ending(position).is_none() {
                let next = onward(self.graph, position, &held)?;
                open.extend(next.into_iter().filter(|place| reached.insert(*place)));
            }
        }
        let mut listed = Vec::new();
        for (position, held) in reached
            .into_iter()
            .filter(|(position, _)| self.graph.ending(*position).is_none())
        {
            self.look("writing turns", listed.len())?;
            let mut turn = self.guaranteed(&played, position, &held)?;
            // The claim names the bids of the answer, so these are the ones that must guarantee the
            // bounds.
            if let Some(given) = given.filter(|_| (position, held) == (0, start)) {
                for bids in &given.players {
                    let side = if bids.player == Player::Alice {
                        &mut turn.alice
                    } else {
                        &mut turn.bob
                    };
                    side.bids = guarantee(BigRational::zero(), weights_given(bids)?).bids;
                }
            }
            listed.push(turn);
        }
        self.rank(&mut listed)?;
        Ok(listed)
    }

    fn guaranteed(
        &self,
        played: &SolvedGame<'_>,
        position: usize,
        held: &ListedPurses,
    ) -> Result<Guaranteed> {
        let chips = PerPlayer::new(fit::<u64>(held.alice), fit::<u64>(held.bob));
        let purses = rules::Purses {
            chips,
            status: held.holder,
        };
        let found = played.solved.equilibrium(
            played.graph,
            self.graph.rules,
            NodeId::new(position),
            &purses,
            self.graph.context,
        )?;
        let (alice, bob) = match found {
            ExactOrCertified::Exact(Equilibrium {
                value, strategies, ..
            }) => (
                guarantee(value.clone(), strategies.alice),
                guarantee(value, strategies.bob),
            ),
            ExactOrCertified::Certified(Equilibrium {
                value, strategies, ..
            }) => {
                let all = |weights: Vec<f64>| weights.into_iter().map(exact).collect();
                (
                    guarantee(exact(value.low), all(strategies.alice)),
                    guarantee(exact(value.high), all(strategies.bob)),
                )
            }
        };
        Ok(Guaranteed {
            position: fit::<i32>(position),
            purses: *held,
            alice,
            bob,
        })
    }

    /// Finds the ranks of the turns round by round. Each round ranks the turns that follow from the
    /// ranks of earlier rounds.
    fn rank(&self, listed: &mut [Guaranteed]) -> Result<()> {
        for player in Player::BOTH {
            let mut check = GuaranteeCheck::new(self.graph, listed).map_err(failed)?;
            check.ranks[player].fill(OPEN);
            let mut open: Vec<usize> = (0..listed.len()).collect();
            while !open.is_empty() {
                let mut found = Vec::new();
                for &number in &open {
                    let rank = check.rank_at(number, player).map_err(failed)?;
                    found.extend((rank != OPEN).then_some((number, rank)));
                }
                // A round that ranks nothing would repeat itself for ever.
                if found.is_empty() {
                    return Err(refused(
                        "no proof was found that play ends, or that it has the value of endless play",
                    ));
                }
                found
                    .into_iter()
                    .for_each(|(number, rank)| check.ranks[player][number] = rank);
                open.retain(|number| check.ranks[player][*number] == OPEN);
            }
            // The check borrows the turns, so its ranks are taken out before the turns are changed.
            let ranks = std::mem::take(&mut check.ranks[player]);
            for (turn, rank) in listed.iter_mut().zip(ranks) {
                match player {
                    Player::Alice => turn.alice.rank = rank,
                    Player::Bob => turn.bob.rank = rank,
                }
            }
        }
        Ok(())
    }
}

/// Makes the guarantee of a bound; its bids are the weights divided by their sum.
fn guarantee(bound: BigRational, weights: Vec<BigRational>) -> Guarantee {
    let sum: BigRational = weights.iter().sum();
    let mut bids: Vec<Fraction> = weights
        .into_iter()
        .map(|weight| Fraction(weight / &sum))
        .collect();
    // Bids of weight 0 at the end say nothing and would lengthen the certificate.
    while bids.last().is_some_and(|last| last.0.is_zero()) {
        bids.pop();
    }
    Guarantee {
        bound: Fraction(bound),
        bids,
        rank: OPEN,
    }
}

/// Returns the weights of given bids, from 0 on.
fn weights_given(given: &MixedBid) -> Result<Vec<BigRational>> {
    let mut weights = Vec::new();
    for (bid, weight) in &given.bids {
        let bid = usize::try_from(bid)
            .map_err(|_| refused("these are more chips than a certificate can hold"))?;
        weights.resize(bid + 1, BigRational::zero());
        weights[bid] = match weight {
            Weight::Exact(weight) => weight.clone(),
            Weight::Float(weight) => exact(*weight),
        };
    }
    Ok(weights)
}

fn exact(number: f64) -> BigRational {
    BigRational::from_float(number).unwrap_or_default()
}
