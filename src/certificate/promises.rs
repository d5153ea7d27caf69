//! Proves critical thresholds and probabilities under random turns by promises: bounds of each
//! position with each player's ranks or potentials.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::prove::{Prover, failed, refused, tossed};
use crate::diagnostic::Result;
use crate::game::{GameGraph, Goals, Scores};
use crate::player::{Ending, Player};
use crate::report::Report;
use crate::rules::{Objective, Payment};
use crate::scalar::Scalar;
use crate::solve::objective::{self, DecidedGame, MoverRule, decide, gains};
use crate::solve::richman::taxman::Shares;
use crate::solve::richman::{Coin, Values};
use crate::verify;
use crate::verify::AskedQuantity;
use crate::verify::format::{Claim, Fraction, Progress, PromisesProof, Proof, Rows};
use crate::verify::promises::{CheckedBounds, PlayerBound, ValueLaw, ValueTheory};

/// The rank of a level position whose distance to the others is not known yet.
const OPEN: i32 = i32::MAX;
/// The greatest multiple of the gain that is added to the bias, as a power of 2.
const MOST_BITS: u32 = 48;

impl Prover<'_> {
    /// Proves the critical threshold, or the probability under random turns.
    pub fn promised(&self, asked: &AskedQuantity, answer: &Report) -> Result<(Claim, Proof)> {
        let rules = self.graph.rules;
        let law = verify::law(rules, asked).map_err(failed)?;
        let theory = ValueTheory::new(self.graph, law);
        let told = matches!(answer, Report::Scalar(Scalar::Bounds(_)));
        let taxed = *asked == AskedQuantity::Richman && rules.pay != Payment::Richman;
        let [low, high] = if rules.objective != Objective::Reachability {
            self.decided(&theory, told)?
        } else if told || taxed && !self.graph.ordered {
            self.enclosed(&theory)?
        } else {
            let values = self.values(&theory)?;
            [values.clone(), values]
        };
        for position in 0..self.graph.len() {
            let checked = theory.nobody_wants_to_lose(&low, &high, position);
            checked.map_err(failed)?;
        }
        let progress = |values, player| {
            let promise = PlayerBound::new(&theory, values, player);
            self.progress(&promise)
        };
        let (alice, bob) = (
            progress(&high, Player::Alice)?,
            progress(&low, Player::Bob)?,
        );
        let (claim, mirrored) = claimed(asked, answer, &low[0], &high[0])?;
        let bounds = CheckedBounds {
            theory: &theory,
            low: &low,
            high: &high,
        };
        let mirror = mirrored.then(|| self.mirror(&bounds)).transpose()?;
        // Bounds that meet everywhere are written once, which halves an exact certificate.
        let low = (low != high).then_some(low);
        let proof = PromisesProof {
            high,
            low,
            alice,
            bob,
            mirror,
        };
        Ok((claim, Proof::Promises(proof)))
    }

    /// Finds a player's progress at the positions that are level by the player's bounds.
    fn progress(&self, promise: &PlayerBound<'_>) -> Result<Option<Progress>> {
        if !promise.level.contains(&true) {
            return Ok(None);
        }
        Ok(Some(match self.graph.rules.objective {
            Objective::Reachability => Progress::Ranks(self.distances(promise)?),
            Objective::MeanPayoff => Progress::Potentials(self.potentials(promise)?),
            _ => Progress::Ranks(self.lifted(promise)?),
        }))
    }

    /// Finds the ranks of play that ends, round by round from known ones.
    fn distances(&self, promise: &PlayerBound<'_>) -> Result<Rows> {
        let start = |level: &bool| if *level { OPEN } else { 0 };
        let mut ranks: Vec<i32> = promise.level.iter().map(start).collect();
        self.settle(
            "finding ranks",
            &mut ranks,
            |ranks: &Vec<i32>, position| {
                let is_open = ranks[position] == OPEN;
                let found = || promise.rank(position, |to| std::slice::from_ref(&ranks[to]));
                Ok(is_open.then(found).flatten().map(|rank| rank[0]))
            },
            |ranks, position, rank| ranks[position] = rank,
        )?;
        if ranks.contains(&OPEN) {
            return Err(refused("no ranks were found that show that play ends"));
        }
        let mut rows = Rows::default();
        ranks
            .into_iter()
            .for_each(|rank| rows.push((rank > 0).then_some(rank)));
        Ok(rows)
    }

    /// Returns the bounds that the solver finds; each follows from the others.
    fn decided(&self, theory: &ValueTheory<'_>, told: bool) -> Result<[Vec<Fraction>; 2]> {
        let law = &theory.law;
        let graph = self.game_graph();
        let goals = self.goals(&graph)?;
        let turns = match law {
            ValueLaw::Taxed(part) if !part.is_zero() => MoverRule::Taxed(part.clone()),
            ValueLaw::Taxed(_) => MoverRule::Richman,
            ValueLaw::Tossed(_) => MoverRule::Coin(coin(law)?),
        };
        let names = vec![String::new(); graph.len()];
        let game = objective::Endless {
            graph: &graph,
            goals: &goals,
            names: &names,
        };
        let decided = decide(&game, self.graph.rules, &turns, self.graph.context)?;
        let rules = decided.rules(self.graph.rules);
        let DecidedGame {
            graph: left,
            thresholds,
            ..
        } = &decided;
        let (mut low, mut high): (Vec<Fraction>, Vec<Fraction>) = match &turns {
            MoverRule::Coin(_) | MoverRule::Richman if !told => {
                let values = Values::with_coin(left, &rules, coin(law)?, self.graph.context)?;
                let values: Vec<Fraction> = graph
                    .nodes()
                    .map(|node| Fraction(values.value(node)))
                    .collect();
                (values.clone(), values)
            }
            MoverRule::Coin(_) | MoverRule::Richman | MoverRule::Taxed(_) => {
                let shares = Shares::solve_to(left, thresholds, &rules, self.graph.context)?;
                shares.covers_all()?;
                let bounds = graph.nodes().map(|node| shares.share(node));
                bounds
                    .map(|share| (Fraction(share.low.clone()), Fraction(share.high.clone())))
                    .unzip()
            }
        };
        self.mend(theory, Player::Bob, &mut low)?;
        self.mend(theory, Player::Alice, &mut high)?;
        Ok([low, high])
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
        self.weights_among(graph, |_, _| true).map(Goals::Weights)
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
    fn potentials(&self, promise: &PlayerBound<'_>) -> Result<Vec<Fraction>> {
        let (graph, weights) = self.among_level(promise)?;
        let coin = coin(&promise.theory.law)?;
        let found = match promise.player {
            Player::Alice => gains(&graph, &weights, coin, self.graph.context)?,
            Player::Bob => {
                // Gains are defined for Alice, so Bob's are those of the conjugate game.
                let exchanged = Coin {
                    weights: coin.weights.swapped(),
                };
                gains(
                    &graph.conjugate(),
                    &weights.conjugate(),
                    exchanged,
                    self.graph.context,
                )?
            }
        };
        let found =
            found.ok_or_else(|| refused("no best strategies were found for the mean payoff"))?;
        // Small multiples come first, because they give the shortest fractions.
        for times in [0]
            .into_iter()
            .chain((0..MOST_BITS).map(|bits| 1_u64 << bits))
        {
            self.graph.context.check()?;
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
        let values = promise.values;
        let keeps =
            |position: usize, to: usize| promise.level[position] && values[position] == values[to];
        let ending = |position: usize| (!promise.level[position]).then_some(Ending::Draw);
        let graph = self.game_graph_among(ending, keeps);
        let weights = self.weights_among(&graph, keeps)?;
        Ok((graph, weights))
    }
}

fn coin(law: &ValueLaw) -> Result<Coin> {
    match law {
        ValueLaw::Taxed(_) => Ok(Coin::default()),
        ValueLaw::Tossed(probability) => tossed(probability),
    }
}

/// Returns the claim that bounds prove, and `true` if only the mirror image of position 0 can show
/// it.
fn claimed(
    asked: &AskedQuantity,
    answer: &Report,
    low: &Fraction,
    high: &Fraction,
) -> Result<(Claim, bool)> {
    let half = Fraction(BigRational::new(1.into(), 2.into()));
    let claim = match (asked, answer) {
        (_, Report::Scalar(Scalar::Bounds(told))) if told.low <= low.0 && high.0 <= told.high => {
            Claim::Between {
                low: Fraction(told.low.clone()),
                high: Fraction(told.high.clone()),
            }
        }
        (_, Report::Scalar(Scalar::Bounds(_))) => {
            return Err(refused(
                "no bounds as close as those of the answer were found",
            ));
        }
        (AskedQuantity::Probability(coin), _) if low == high => Claim::Probability {
            coin: Fraction(verify::fair_or(coin)),
            answer: Fraction(BigRational::one() - &low.0),
        },
        (AskedQuantity::Richman, _) if low == high => Claim::Richman {
            answer: low.clone(),
        },
        (AskedQuantity::Richman, _) if *low < half && half < *high => {
            return Ok((Claim::Richman { answer: half }, true));
        }
        _ => {
            return Err(refused(
                "no bounds that meet were found, and an exact answer needs them",
            ));
        }
    };
    Ok((claim, false))
}
