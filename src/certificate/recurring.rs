//! Finds the sets of states that prove answers about infinite play with chips.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::prove::{Prover, failed, refused};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{Goals, MarkedGraph, NodeId};
use crate::player::{PerPlayer, Player};
use crate::report::Report;
use crate::rules::{Draws, Objective, Purses, Rules};
use crate::scalar::Scalar;
use crate::solve::chips::{CreditGoal, LeastCredits, Outcomes};
use crate::verify::format::{BidOrder, Claim, Fraction, ListedPurses, Proof, SumScale, WinSet};
use crate::verify::lasting::{self, Measure};
use crate::verify::sets::{NeededSet, of_credit};
use crate::verify::states::{Check, States};

/// The most scales that are tried.
const MOST_SCALES: u32 = 24;

/// The least credits that decide about a set.
struct DecidingSums {
    /// `true` if they are those of the player of the set, and `false` if they are the other's.
    kept: bool,
    least: LeastCredits,
    /// The number of units in a credit of 1.
    units: BigInt,
}

impl DecidingSums {
    /// Returns `true` if the player of the set wins. Under the energy objective `credit` is
    /// Alice's, or `None` if she has any, as it is under others.
    fn is_won(&self, node: NodeId, purses: &Purses, credit: Option<&BigRational>) -> bool {
        let least = self.least.least(node, purses).map(BigInt::from);
        let is_enough = |least: BigInt| {
            credit.is_none_or(|credit| BigRational::new(least, self.units.clone()) <= *credit)
        };
        least.is_some_and(is_enough) == self.kept
    }

    /// Returns a rank from which the ranks of a set are lifted, which is not too great.
    fn rank(&self, node: NodeId, purses: &Purses, scale: SumScale) -> Option<i32> {
        let least = self.least.least(node, purses).map(BigInt::from);
        let scaled = least.map(|least| least * scale.scale / &self.units);
        match (self.kept, scaled, scale.most) {
            (true, scaled, _) => scaled?.to_i32(),
            (false, None, _) => Some(0),
            // With the least credit the other keeps the sum up.
            (false, Some(scaled), Some(most)) => {
                let rank = BigInt::max(BigInt::from(most) + BigInt::one() - scaled, BigInt::zero());
                rank.to_i32().filter(|rank| *rank <= most)
            }
            (false, Some(_), None) => None,
        }
    }
}

impl Prover<'_> {
    /// Computes the states of a set with the ranks that prove it. Under the energy objective
    /// `credit` is the one that Alice has, or `None` if she has any.
    pub fn lasting(
        &self,
        needed: NeededSet,
        total: i32,
        credit: Option<&BigRational>,
    ) -> Result<(WinSet, States)> {
        match self.graph.rules.objective {
            Objective::Reachability | Objective::Buchi | Objective::Parity => {
                let members = self.members(needed, total)?;
                let measure = Measure::of(self.graph, needed, None, &members, None);
                let measure = measure.map_err(failed)?;
                if let Some(states) = self.ranked(needed, &measure, members.clone())? {
                    return Ok((self.win_set(needed, &states, None), members));
                }
            }
            Objective::MeanPayoff | Objective::Energy => {
                let energy = self.graph.rules.objective == Objective::Energy;
                let credit = credit.filter(|_| energy);
                let sums = self.sums(needed, total)?;
                let members = self.states(total, |node, purses| {
                    sums.is_won(node, purses, credit).then_some(0)
                })?;
                for scale in self.scales(needed, credit)? {
                    let measure = Measure::of(self.graph, needed, Some(scale), &members, credit);
                    let measure = measure.map_err(failed)?;
                    let start = |node, purses: &_| sums.rank(node, purses, scale);
                    let states = self.ranked(needed, &measure, self.states(total, start)?)?;
                    let proves = |states: &States| {
                        let proved = states.ranks(0).iter().map(|rank| measure.is_enough(*rank));
                        proved.eq(members.ranks(0).iter().map(|rank| *rank >= 0))
                    };
                    if let Some(states) = states.filter(proves) {
                        return Ok((self.win_set(needed, &states, Some(scale)), members));
                    }
                }
            }
        }
        Err(refused("the ranks of the states are too large"))
    }

    /// Returns the scales with which ranks may follow, in the order in which they are tried.
    fn scales(&self, needed: NeededSet, credit: Option<&BigRational>) -> Result<Vec<SumScale>> {
        let (units, mut greatest) = (lasting::units(self.graph), BigRational::zero());
        for position in 0..self.graph.len() {
            for player in Player::BOTH {
                for index in 0..self.graph.moves(position, player).len() {
                    let weight = self.graph.weight(position, player, index);
                    greatest = greatest.max(weight.abs());
                }
            }
        }
        // The loss of one unit a move, all around a cycle, must not exceed the least gain of a
        // cycle.
        let length = BigInt::from(self.graph.len().next_power_of_two());
        let energy = self.graph.rules.objective == Objective::Energy;
        let exact = self.keeps(needed);
        let falls = credit.filter(|_| energy && !exact);
        let scale = |times: u32| {
            let times = BigInt::one() << times;
            let scale = &units
                * if exact {
                    BigInt::one()
                } else {
                    &times * &length
                };
            let reach = (&greatest + BigInt::one()) * (&times * &length);
            let most = falls.map(|credit| {
                let most = (credit + reach) * &scale;
                most.floor().to_integer().to_i32()
            });
            let scale = scale.to_i32()?;
            match most {
                None => Some(SumScale { scale, most: None }),
                Some(most) => Some(SumScale {
                    scale,
                    most: Some(most.filter(|most| *most < i32::MAX)?),
                }),
            }
        };
        // A kept sum follows without rounding, so that a finer scale would change nothing.
        let count = if exact { 1 } else { MOST_SCALES };
        let scales: Vec<_> = (0..count).map_while(scale).collect();
        match scales.is_empty() {
            true => Err(refused("the ranks of the states are too large")),
            false => Ok(scales),
        }
    }

    /// Returns `true` if the player of a set keeps the sum up, and `false` if the player takes away
    /// what the other needs for that.
    fn keeps(&self, needed: NeededSet) -> bool {
        match self.graph.rules.objective {
            Objective::Energy => needed.player == Player::Alice,
            _ => needed.prevents,
        }
    }

    /// Finds the least credits that decide about a set.
    fn sums(&self, needed: NeededSet, total: i32) -> Result<DecidingSums> {
        let graph = self.game_graph();
        let Goals::Weights(weights) = self.goals(&graph)? else {
            return Err(refused("this objective has no weights"));
        };
        let kept = self.keeps(needed);
        let unprevented = needed.order == BidOrder::Unprevented;
        // What one player forces the other cannot prevent, and the other way round.
        let (seeker, drawn) = match kept {
            true => (needed.player, needed.prevents),
            false => (needed.player.other(), !needed.prevents),
        };
        let rules = self.rules_for(seeker, drawn);
        let goal = CreditGoal {
            seeker,
            preventing: unprevented == kept,
        };
        let chips = u64::try_from(total).unwrap_or_default();
        let least = LeastCredits::solve(&graph, &weights, &rules, goal, chips, self.graph.context)?;
        Ok(DecidingSums {
            kept,
            least,
            units: weights.denominator().into(),
        })
    }

    /// Returns the rules under which a draw is good enough for a player, or is not.
    fn rules_for(&self, player: Player, drawn: bool) -> Rules {
        let draws = match (player, drawn) {
            (Player::Alice, true) | (Player::Bob, false) => Draws::Alice,
            (Player::Alice, false) | (Player::Bob, true) => Draws::Bob,
        };
        Rules {
            draws,
            ..self.graph.rules.clone()
        }
    }

    /// Lifts ranks until each follows from the others. Returns `None` if they do not follow for
    /// these members.
    fn ranked(
        &self,
        needed: NeededSet,
        measure: &Measure,
        mut states: States,
    ) -> Result<Option<States>> {
        let falls = matches!(measure, Measure::Sums { most: Some(_), .. });
        let most = measure.bound(states.ranks(0).len());
        let mut fits = true;
        self.rounds(|open| {
            let mut changed = Vec::new();
            for (done, position) in open.iter().enumerate() {
                self.look("finding ranks", done)?;
                let check = Check::new(self.graph, &states, needed, measure);
                let ranks = check.ranks_at(*position).map_err(failed)?;
                let known = states.ranks_mut(*position);
                let is_member = |rank: &i32| *rank >= 0 && *rank <= most;
                // If a member drops out, no further lifting brings it back.
                fits &= falls || ranks.iter().map(is_member).eq(known.iter().map(is_member));
                if !fits {
                    return Ok(Vec::new());
                }
                if known != ranks {
                    known.copy_from_slice(&ranks);
                    changed.push(*position);
                }
            }
            Ok(changed)
        })?;
        Ok(fits.then_some(states))
    }

    /// Returns the states of a set, all with rank 0, as the solver finds them.
    fn members(&self, needed: NeededSet, total: i32) -> Result<States> {
        let graph = self.game_graph();
        let goals = self.goals(&graph)?;
        let game = MarkedGraph::from((&graph, &goals));
        let rules = self.rules_for(needed.player, needed.prevents);
        let chips = u64::try_from(total).unwrap_or_default();
        let found = Outcomes::solve(game, &rules, &[chips], self.graph.context)?;
        let thresholds = &found.thresholds[needed.player];
        self.states(total, |node, purses| {
            let is_member = match needed.order {
                BidOrder::Forces => thresholds.is_forced(node, purses, 0),
                BidOrder::Unprevented => thresholds.is_unpreventable(node, purses, 0),
            };
            is_member.then_some(0)
        })
    }

    /// Creates a set with these ranks.
    fn states(&self, total: i32, rank: impl Fn(NodeId, &Purses) -> Option<i32>) -> Result<States> {
        let mut states = States::none(self.graph, Player::Alice, total).map_err(failed)?;
        let (width, chips) = (states.ranks(0).len(), fit::<u64>(total));
        for position in 0..self.graph.len() {
            self.look("finding states", position)?;
            for place in 0..width {
                let (status, alice) = (
                    place / (fit::<usize>(total) + 1),
                    place as u64 % (chips + 1),
                );
                let purses = Purses {
                    chips: PerPlayer::new(alice, chips - alice),
                    status: (width > fit::<usize>(total) + 1).then_some(Player::BOTH[status]),
                };
                let rank = rank(NodeId::new(position), &purses);
                states.ranks_mut(position)[place] = rank.unwrap_or(-1);
            }
        }
        Ok(states)
    }

    /// Proves the least credit with which Alice keeps the sum up.
    pub fn least_credit(&self, purses: ListedPurses, answer: &Report) -> Result<(Claim, Proof)> {
        let least = match answer {
            Report::Scalar(Scalar::Rational(least)) => Some(least.clone()),
            Report::Scalar(Scalar::Integer(least)) => Some(least.clone().into()),
            _ => None,
        };
        let units = lasting::units(self.graph);
        let needed = of_credit(self.graph.rules, least.as_ref(), &units).map_err(failed)?;
        let long = || refused("these are more chips than a certificate can hold");
        let total = purses.alice.checked_add(purses.bob).ok_or_else(long)?;
        let status = usize::from(purses.holder == Some(Player::Bob));
        let mut sets = Vec::new();
        for (needed, credit) in needed {
            let (set, states) = self.lasting(needed, total, credit.as_ref())?;
            if states.rank(0, status, purses.alice) < 0 {
                return Err(refused("the credit does not follow from sets of states"));
            }
            sets.push(set);
        }
        let answer = least.map(Fraction);
        Ok((Claim::Credit { purses, answer }, Proof::Sets(sets)))
    }
}
