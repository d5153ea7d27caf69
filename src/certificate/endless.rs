//! Computes bounds of thresholds if infinite play has a winner, with each player's ranks or
//! potentials.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::prove::{Prover, failed, refused, tossed};
use crate::diagnostic::{Diagnostic, Result};
use crate::game::{GameGraph, GameGraphBuilder, Goals, NodeId, Scores, ScoresBuilder, narrow};
use crate::player::{Ending, Player};
use crate::report::Report;
use crate::rules::Objective;
use crate::scalar::Scalar;
use crate::solve::objective::{self, DecidedGame, MoverRule, decide, gains};
use crate::solve::richman::taxman::Shares;
use crate::solve::richman::{Coin, Values};
use crate::verify;
use crate::verify::AskedQuantity;
use crate::verify::endless::PlayerBound;
use crate::verify::format::{Claim, EndlessProof, Fraction, MeansProof, Proof, Rows};
use crate::verify::values::{ValueLaw, ValueTheory};

/// The greatest multiple of the gain that is added to the bias, as a power of 2.
const MOST_BITS: u32 = 48;

/// Both bounds of each position.
struct EndlessBounds {
    low: Vec<Fraction>,
    high: Vec<Fraction>,
}

impl Prover<'_> {
    /// Proves the critical threshold, or the probability under random turns, for an objective of
    /// infinite play.
    pub fn endless(&self, asked: &AskedQuantity, answer: &Report) -> Result<(Claim, Proof)> {
        let law = verify::law(self.graph.rules, asked).map_err(failed)?;
        let theory = ValueTheory::new(self.graph, law.clone());
        if self.graph.rules.objective == Objective::MeanPayoff
            && matches!(&law, ValueLaw::Taxed(part) if !part.is_zero())
        {
            return Err(refused(
                "under poorman and taxman bidding the mean payoff depends on the share of the money that is left when play comes to a part of the graph; only enclosures of it are known",
            ));
        }
        let both = self.decided(&theory, answer)?;
        for position in 0..self.graph.len() {
            let checked = theory.nobody_wants_to_lose(&both.low, &both.high, position);
            checked.map_err(failed)?;
        }
        let claim = claimed(asked, answer, &both)?;
        let promises = [(&both.low, Player::Bob), (&both.high, Player::Alice)]
            .map(|(values, player)| PlayerBound::new(theory.step(values), player));
        let proof = if self.graph.rules.objective == Objective::MeanPayoff {
            let [low_potentials, high_potentials] = promises
                .each_ref()
                .map(|promise| self.potentials(promise, &law));
            let (low_potentials, high_potentials) = (low_potentials?, high_potentials?);
            drop(promises);
            Proof::Means(MeansProof {
                low: both.low,
                high: both.high,
                low_potentials,
                high_potentials,
            })
        } else {
            let [low_ranks, high_ranks] = promises.each_ref().map(|promise| self.lifted(promise));
            let (low_ranks, high_ranks) = (low_ranks?, high_ranks?);
            drop(promises);
            Proof::Endless(EndlessProof {
                low: both.low,
                high: both.high,
                low_ranks,
                high_ranks,
            })
        };
        Ok((claim, proof))
    }

    /// Returns the bounds that the solver finds; each follows from the others.
    fn decided(&self, theory: &ValueTheory<'_>, answer: &Report) -> Result<EndlessBounds> {
        let law = &theory.law;
        let graph = self.game_graph();
        let goals = self.goals(&graph)?;
        let turns = match law {
            ValueLaw::Taxed(part) if !part.is_zero() => MoverRule::Taxed(part.clone()),
            ValueLaw::Taxed(_) | ValueLaw::Tossed(_) => MoverRule::Coin(coin(law)?),
        };
        let names = vec![String::new(); graph.len()];
        let game = objective::Endless {
            graph: &graph,
            goals: &goals,
            names: &names,
        };
        let decided = decide(&game, self.graph.rules, &turns, self.context)?;
        let told = matches!(answer, Report::Scalar(Scalar::Bounds(_)));
        let rules = decided.rules(self.graph.rules);
        let DecidedGame {
            graph: left,
            thresholds,
            ..
        } = &decided;
        let (mut low, mut high): (Vec<Fraction>, Vec<Fraction>) = match &turns {
            MoverRule::Coin(coin) if !told => {
                let values = Values::with_coin(left, &rules, *coin, self.context)?;
                let values: Vec<Fraction> = graph
                    .nodes()
                    .map(|node| Fraction(values.value(node)))
                    .collect();
                (values.clone(), values)
            }
            MoverRule::Coin(_) | MoverRule::Taxed(_) => {
                let shares = Shares::solve_to(left, thresholds, &rules, self.context)?;
                let bounds = graph.nodes().map(|node| shares.share(node));
                bounds
                    .map(|share| (Fraction(share.low.clone()), Fraction(share.high.clone())))
                    .unzip()
            }
        };
        self.mend(theory, Player::Bob, &mut low)?;
        self.mend(theory, Player::Alice, &mut high)?;
        Ok(EndlessBounds { low, high })
    }

    /// Returns the listing's labels for infinite play.
    pub(super) fn goals(&self, graph: &GameGraph) -> Result<Goals> {
        let objective = self.graph.rules.objective;
        if !matches!(objective, Objective::MeanPayoff | Objective::Energy) {
            let priority = |position| self.graph.priority(position).unwrap_or_default();
            return Ok(Goals::Priorities(
                (0..self.graph.len()).map(priority).collect(),
            ));
        }
        let mut weights = ScoresBuilder::new(graph);
        for (position, tail) in graph.nodes().enumerate() {
            for player in Player::BOTH {
                for (index, to) in self.graph.moves(position, player).iter().enumerate() {
                    let weight = narrow(&self.graph.weight(position, player, index))
                        .ok_or_else(too_large)?;
                    weights.weigh(player, tail, NodeId::new(*to as usize), weight);
                }
            }
        }
        weights.finish().map(Goals::Weights).ok_or_else(too_large)
    }

    /// Finds the least ranks: they are lifted from 0 until each follows from the others.
    fn lifted(&self, promise: &PlayerBound<'_>) -> Result<Rows> {
        let none = vec![0; promise.bad.len()];
        let mut ranks = vec![none; self.graph.len()];
        self.rounds(|open| {
            let mut changed = Vec::new();
            for (done, position) in open.iter().enumerate().filter(|(_, position)| promise.level[**position]) {
                self.look("lifting ranks", done)?;
                let rank = promise.rank(*position, |to| &ranks[to]).ok_or_else(|| {
                    refused("no ranks were found that show who wins the play that goes on for ever at one threshold")
                })?;
                if rank != ranks[*position] {
                    ranks[*position] = rank;
                    changed.push(*position);
                }
            }
            Ok(changed)
        })?;
        let mut rows = Rows::default();
        for (rank, level) in ranks.into_iter().zip(&promise.level) {
            rows.push(rank.into_iter().filter(|_| *level));
        }
        Ok(rows)
    }

    /// Computes potentials of level positions: the bias of optimal play among them, plus the gain
    /// as often as needed.
    fn potentials(&self, promise: &PlayerBound<'_>, law: &ValueLaw) -> Result<Vec<Fraction>> {
        let (graph, weights) = self.among_level(promise)?;
        let coin = coin(law)?;
        let found = match promise.player {
            Player::Alice => gains(&graph, &weights, coin, self.context)?,
            Player::Bob => {
                let exchanged = Coin {
                    weights: coin.weights.swapped(),
                };
                gains(
                    &graph.conjugate(),
                    &weights.conjugate(),
                    exchanged,
                    self.context,
                )?
            }
        };
        let found =
            found.ok_or_else(|| refused("no best strategies were found for the mean payoff"))?;
        for times in [0]
            .into_iter()
            .chain((0..MOST_BITS).map(|bits| 1_u64 << bits))
        {
            self.context.check()?;
            let heights = found
                .iter()
                .map(|(gain, bias)| bias + gain * BigInt::from(times));
            let potentials: Vec<Fraction> = heights
                .map(|height| match promise.player {
                    Player::Alice => Fraction(height),
                    Player::Bob => Fraction(-height),
                })
                .collect();
            let mut level = (0..self.graph.len()).filter(|position| promise.level[*position]);
            if level.all(|position| promise.is_paid(position, &potentials)) {
                return Ok(potentials);
            }
        }
        Err(refused(
            "no potentials were found that show who wins the play that goes on for ever at one threshold",
        ))
    }

    /// Returns the level positions with the moves that keep the bound; all other positions are
    /// endings.
    fn among_level(&self, promise: &PlayerBound<'_>) -> Result<(GameGraph, Scores)> {
        let keeps = |position: usize, to: i32| {
            promise.step.values[position] == promise.step.values[to as usize]
        };
        let heads = |position: usize, player: Player| -> Vec<(NodeId, BigRational)> {
            let moves = self.graph.moves(position, player).iter().enumerate();
            let mut heads: Vec<(NodeId, BigRational)> = moves
                .filter(|(_, to)| promise.level[position] && keeps(position, **to))
                .map(|(index, to)| {
                    (
                        NodeId::new(*to as usize),
                        self.graph.weight(position, player, index),
                    )
                })
                .collect();
            heads.sort_unstable();
            heads
        };
        let mut builder = GameGraphBuilder::default();
        for position in 0..self.graph.len() {
            let [alice, bob] = Player::BOTH.map(|player| {
                heads(position, player)
                    .into_iter()
                    .map(|(to, _)| to)
                    .collect::<Vec<_>>()
            });
            builder.push(
                (!promise.level[position]).then_some(Ending::Draw),
                &alice,
                &bob,
            );
        }
        let graph = builder.finish(NodeId::new(0));
        let mut weights = ScoresBuilder::new(&graph);
        for (position, tail) in graph.nodes().enumerate() {
            for player in Player::BOTH {
                for (head, weight) in heads(position, player) {
                    weights.weigh(player, tail, head, narrow(&weight).ok_or_else(too_large)?);
                }
            }
        }
        let weights = weights.finish().ok_or_else(too_large)?;
        Ok((graph, weights))
    }
}

fn coin(law: &ValueLaw) -> Result<Coin> {
    match law {
        ValueLaw::Taxed(_) => Ok(Coin::default()),
        ValueLaw::Tossed(probability) => tossed(probability),
    }
}

fn too_large() -> Box<Diagnostic> {
    refused("the weights are too large")
}

/// Returns the claim that bounds prove.
fn claimed(asked: &AskedQuantity, answer: &Report, both: &EndlessBounds) -> Result<Claim> {
    let (low, high) = (&both.low[0], &both.high[0]);
    match (asked, answer) {
        (_, Report::Scalar(Scalar::Bounds(told))) if told.low <= low.0 && high.0 <= told.high => {
            Ok(Claim::Between {
                low: Fraction(told.low.clone()),
                high: Fraction(told.high.clone()),
            })
        }
        (AskedQuantity::Probability(coin), _) if low == high => {
            let answer = Fraction(BigRational::one() - &low.0);
            Ok(Claim::Probability {
                coin: Fraction(verify::fair_or(coin)),
                answer,
            })
        }
        (AskedQuantity::Richman, _) if low == high => Ok(Claim::Richman {
            answer: low.clone(),
        }),
        _ => Err(refused(
            "no bounds as close as those of the answer were found",
        )),
    }
}
