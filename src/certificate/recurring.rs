//! Finds the sets of states that prove answers about infinite play with chips.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::prove::{Prover, failed, refused};
use crate::diagnostic::Result;
use crate::game::MarkedGraph;
use crate::player::{PerPlayer, Player};
use crate::report::Report;
use crate::rules::{Credit, Draws, Objective, Purses, Rules};
use crate::scalar::Scalar;
use crate::solve::chips::Outcomes;
use crate::verify::format::{BidOrder, Claim, Fraction, ListedPurses, Proof, SumScale, WinSet};
use crate::verify::lasting::{self, Measure};
use crate::verify::sets::{NeededSet, of_credit};
use crate::verify::states::{Check, States};

/// The most scales that are tried.
const MOST_SCALES: u32 = 24;

impl Prover<'_> {
    /// Computes the states of a set with the ranks that prove it.
    /// Under the energy objective `credit` is the one that Alice has, or `None` if she has any.
    pub fn lasting(
        &self,
        needed: NeededSet,
        total: i32,
        credit: Option<&BigRational>,
    ) -> Result<(WinSet, States)> {
        let any = BigRational::from_integer(BigInt::one() << 96_u32);
        let members = self.members(needed, total, credit.unwrap_or(&any))?;
        let started = match self.graph.rules.objective {
            // Of the states between, those count from which some sum is enough.
            Objective::Energy => self.members(needed, total, &any)?,
            _ => members.clone(),
        };
        let scales = match self.graph.rules.objective {
            Objective::MeanPayoff | Objective::Energy => self.scales(needed, credit)?,
            Objective::Reachability | Objective::Buchi | Objective::Parity => vec![None],
        };
        for sums in scales {
            let measure =
                Measure::of(self.graph, needed, sums, &members, credit).map_err(failed)?;
            let lifted = self.ranked(needed, &measure, &started)?;
            let proves = |states: &States| {
                let proved = states.ranks(0).iter().map(|rank| measure.is_enough(*rank));
                proved.eq(members.ranks(0).iter().map(|rank| *rank >= 0))
            };
            if let Some(states) = lifted.filter(proves) {
                let set = WinSet {
                    player: needed.player,
                    order: needed.order,
                    total,
                    states: states.rows(self.graph.len()),
                    sums,
                };
                return Ok((set, members));
            }
        }
        Err(refused("the ranks of the states are too large"))
    }

    /// Returns the scales with which ranks may follow, in the order in which they are tried.
    fn scales(
        &self,
        needed: NeededSet,
        credit: Option<&BigRational>,
    ) -> Result<Vec<Option<SumScale>>> {
        let (units, mut greatest) = (lasting::units(self.graph), BigRational::zero());
        for position in 0..self.graph.len() {
            for player in Player::BOTH {
                for index in 0..self.graph.moves(position, player).len() {
                    let weight = self.graph.weight(position, player, index);
                    greatest = greatest.max(weight.abs());
                }
            }
        }
        let length = BigInt::from(self.graph.len().next_power_of_two());
        let energy = self.graph.rules.objective == Objective::Energy;
        let exact = match energy {
            true => needed.player == Player::Alice,
            false => needed.prevents,
        };
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
        let count = if exact { 1 } else { MOST_SCALES };
        let scales: Vec<_> = (0..count).map_while(scale).map(Some).collect();
        match scales.is_empty() {
            true => Err(refused("the ranks of the states are too large")),
            false => Ok(scales),
        }
    }

    /// Lifts the ranks of a set from 0 until each follows from the others. Returns `None` if they
    /// do not follow for these members.
    fn ranked(
        &self,
        needed: NeededSet,
        measure: &Measure,
        members: &States,
    ) -> Result<Option<States>> {
        let mut states = members.clone();
        let fixed = matches!(measure, Measure::Sums { most: Some(_), .. });
        if fixed {
            (0..self.graph.len()).for_each(|position| states.ranks_mut(position).fill(0));
        }
        let most = measure.bound(states.ranks(0).len());
        let mut fits = true;
        self.rounds(|open| {
            let mut changed = Vec::new();
            for (done, position) in open.iter().enumerate() {
                self.look("finding ranks", done)?;
                let check = Check::reaching(self.graph, &states, needed.player, needed.order)
                    .lasting(measure, needed.prevents);
                let ranks = check.ranks_at(*position).map_err(failed)?;
                let known = states.ranks_mut(*position);
                let is_member = |rank: &i32| *rank >= 0 && *rank <= most;
                fits &= fixed || ranks.iter().map(is_member).eq(known.iter().map(is_member));
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
    fn members(&self, needed: NeededSet, total: i32, credit: &BigRational) -> Result<States> {
        let graph = self.game_graph();
        let goals = self.goals(&graph)?;
        let game = MarkedGraph {
            graph: &graph,
            goals: Some(&goals),
        };
        // A draw is worth what the set says.
        let draws = match (needed.player, needed.prevents) {
            (Player::Alice, true) | (Player::Bob, false) => Draws::Alice,
            (Player::Alice, false) | (Player::Bob, true) => Draws::Bob,
        };
        let rules = Rules {
            draws,
            energy: Credit(credit.clone()),
            ..self.graph.rules.clone()
        };
        let chips = u64::try_from(total).unwrap_or_default();
        let found = Outcomes::solve(game, &rules, &[chips], self.context)?;
        let thresholds = &found.thresholds[needed.player];
        let mut states = States::none(self.graph, Player::Alice, total).map_err(failed)?;
        let width = states.ranks(0).len();
        let held = |place: usize| {
            let (status, alice) = (place / (total as usize + 1), place as u64 % (chips + 1));
            Purses {
                chips: PerPlayer::new(alice, chips - alice),
                status: (width > total as usize + 1).then_some(Player::BOTH[status]),
            }
        };
        for (position, node) in graph.nodes().enumerate() {
            for place in 0..width {
                let purses = held(place);
                let is_member = match needed.order {
                    BidOrder::Forces => thresholds.is_forced(node, &purses, 0),
                    BidOrder::Unprevented => thresholds.is_unpreventable(node, &purses, 0),
                };
                states.ranks_mut(position)[place] = if is_member { 0 } else { -1 };
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

    /// Proves an outcome.
    pub fn lasting_outcome(&self, purses: ListedPurses, total: i32) -> Result<(Claim, Proof)> {
        let status = usize::from(purses.holder == Some(Player::Bob));
        for (answer, last) in [
            ("alice", Player::Alice),
            ("bob", Player::Bob),
            ("draw", Player::Bob),
            ("undetermined", Player::Alice),
            ("undetermined", Player::Bob),
        ] {
            let needed = NeededSet::of_outcome(answer, last).expect("a word for an outcome");
            let mut sets = Vec::new();
            for needed in &needed {
                let (set, states) =
                    self.lasting(*needed, total, Some(&self.graph.rules.energy.0))?;
                if states.rank(0, status, purses.alice) < 0 {
                    break;
                }
                sets.push(set);
            }
            if sets.len() == needed.len() {
                let answer = answer.to_owned();
                return Ok((Claim::Outcome { purses, answer }, Proof::Sets(sets)));
            }
        }
        Err(refused("the outcome does not follow from sets of states"))
    }
}
