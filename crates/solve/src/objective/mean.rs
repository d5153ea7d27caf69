//! Mean payoffs of random turns on a strongly connected part of a graph: the income per move in the
//! long run.
//!
//! # The certificate
//! A number g and a *bias* h(v) with
//!
//! ```text
//! g + h(v) = p · max (a, b) + (1 − p) · min (a, b)        a = max (w + h) over Alice's moves, b = min (w + h) over Bob's
//! ```
//!
//! (the only player's best where only one can move; the winner of a toss decides who moves) prove
//! that g is the average payoff that both players can enforce: along the play `h + (payoff so far)
//! − g · (moves)` is a submartingale if Alice plays her maximum, a supermartingale if Bob plays his
//! minimum, with bounded steps. Strategy improvement finds them (Howard 1960; Hoffman & Karp 1966):
//! a pair of strategies has a gain at each vertex, and a bias, which is normalised to mean 0 on
//! each recurrent class; improvement goes by the gain, then by the bias. All of it is exact.
//! However the improvement proceeds, only a pair with the certificate is returned.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::chain::RecurrentChain;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId, Scores};
use crate::law::best::BestValues;
use crate::number::linear::RationalSolution;
use crate::player::{PerPlayer, Player};
use crate::richman::Coin;
use crate::watch::Context;

/// The number of pairs of strategies that are evaluated before the work is given up.
const ROUNDS: usize = 400;

/// A move within a part of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WeightedMove {
    /// The number of the vertex that the move leads to.
    pub(super) head: u32,
    /// The weight of the move, in whole units.
    pub(super) weight: i64,
}

impl WeightedMove {
    /// Returns its weight plus the bias of the vertex that it leads to.
    fn value(self, bias: &[BigRational]) -> BigRational {
        &bias[self.head as usize] + BigInt::from(self.weight)
    }
}

/// A part of a graph with the moves within it, its vertices numbered from 0, with the weights of
/// the moves in whole units. An ending goes on for ever, with a weight of one unit for each move.
#[derive(Debug)]
pub(super) struct Ring {
    pub(super) moves: Vec<PerPlayer<Vec<WeightedMove>>>,
    /// The number of units that make 1.
    units: i64,
}

/// The choices of both players at each vertex.
pub(super) type StrategyPair = Vec<PerPlayer<VertexChoice>>;

/// The choice of a player at a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct VertexChoice {
    /// The move, if there is one.
    step: Option<usize>,
    /// If set, the player lets the opponent move after winning the toss.
    lets: bool,
}

/// The certificate where the gain depends on where play begins, in units: each player's edges are
/// best by the gain of their heads, and among those of the same gain by the equation for the bias.
#[derive(Debug)]
pub(super) struct MeanCertificate {
    pub(super) gains: Vec<BigRational>,
    bias: Vec<BigRational>,
    pair: StrategyPair,
}

impl MeanCertificate {
    /// Returns the gain if it is the same at all vertices.
    fn gain(self) -> Option<Gain> {
        let gain = self.gains.first()?.clone();
        self.gains
            .iter()
            .all(|other| *other == gain)
            .then_some(Gain {
                gain,
                bias: self.bias,
            })
    }
}

/// The certificate, in units.
#[derive(Debug)]
pub(super) struct Gain {
    pub(super) gain: BigRational,
    bias: Vec<BigRational>,
}

/// The gain and bias of a pair of strategies at each vertex, in units.
struct GainAndBias {
    gains: Vec<BigRational>,
    bias: Vec<BigRational>,
}

impl Ring {
    pub(super) fn new(graph: &GameGraph, scores: &Scores, vertices: &[NodeId]) -> Self {
        let number: std::collections::HashMap<_, _> = vertices
            .iter()
            .zip(0_u32..)
            .map(|(node, number)| (*node, number))
            .collect();
        let of = |node, player| -> Vec<WeightedMove> {
            if graph.ending(node).is_some() {
                return if player == Player::Alice {
                    vec![WeightedMove {
                        head: number[&node],
                        weight: 1,
                    }]
                } else {
                    Vec::new()
                };
            }
            let moves = scores.moves(graph, node, player);
            moves
                .filter_map(|(head, weight)| {
                    Some(WeightedMove {
                        head: *number.get(&head)?,
                        weight,
                    })
                })
                .collect()
        };
        let moves = vertices
            .iter()
            .map(|&node| PerPlayer::new(of(node, Player::Alice), of(node, Player::Bob)));
        Self {
            moves: moves.collect(),
            units: scores.denominator(),
        }
    }

    /// Returns the ring in which one player makes all moves.
    pub(super) fn of_one(&self, player: Player) -> Self {
        let all = |moves: &PerPlayer<Vec<WeightedMove>>| {
            let mut given = PerPlayer::default();
            given[player] = moves.alice.iter().chain(&moves.bob).copied().collect();
            given
        };
        Self {
            moves: self.moves.iter().map(all).collect(),
            units: self.units,
        }
    }

    /// Finds the gain with its certificate. Returns `None` if it depends on where play begins, or
    /// the improvement does not end.
    pub(super) fn solve(&self, coin: Coin, context: &Context<'_>) -> Result<Option<Gain>> {
        Ok(self
            .certificate(coin, context)?
            .and_then(MeanCertificate::gain))
    }

    /// Finds the gains with their certificate. Returns `None` if the improvement does not end.
    pub(super) fn certificate(
        &self,
        coin: Coin,
        context: &Context<'_>,
    ) -> Result<Option<MeanCertificate>> {
        // A player without moves lets the opponent move from the start, so every pair is playable.
        let first = |moves: &PerPlayer<Vec<_>>, player: Player| VertexChoice {
            step: (!moves[player].is_empty()).then_some(0),
            lets: moves[player].is_empty(),
        };
        let both = |moves| PerPlayer::new(first(moves, Player::Alice), first(moves, Player::Bob));
        let mut pair: StrategyPair = self.moves.iter().map(both).collect();
        for _ in 0..ROUNDS {
            context.check()?;
            let Some(worth) = self.worth(&pair, coin, context)? else {
                return Ok(None);
            };
            // The best reply comes first, because Alice has to improve against nothing less.
            if self.improve(&mut pair, &worth, Player::Bob)
                || self.improve(&mut pair, &worth, Player::Alice)
            {
                continue;
            }
            let GainAndBias { gains, bias } = worth;
            return Ok(Some(MeanCertificate { gains, bias, pair }));
        }
        Ok(None)
    }

    /// Returns the head of a player's best edge at a vertex, by its number.
    pub(super) fn step(
        &self,
        certificate: &MeanCertificate,
        vertex: usize,
        player: Player,
    ) -> Option<usize> {
        let step = certificate.pair[vertex][player].step?;
        Some(self.moves[vertex][player][step].head as usize)
    }

    /// Returns whether a player who has won the toss at a vertex prefers to let the other one move.
    pub(super) fn lets(certificate: &MeanCertificate, vertex: usize, player: Player) -> bool {
        let choices = certificate.pair[vertex];
        choices[player].lets && choices[player.other()].step.is_some()
    }

    /// Returns the difference that a toss at a vertex makes, in units: the difference of the values
    /// to which both players' tosses lead.
    pub(super) fn stake(&self, certificate: &MeanCertificate, vertex: usize) -> f64 {
        let best = |player: Player| {
            let step = certificate.pair[vertex][player].step?;
            Some(self.moves[vertex][player][step].value(&certificate.bias))
        };
        match Player::both(best) {
            [Some(alice), Some(bob)] => (alice - bob).abs().to_f64().unwrap_or(0.0),
            _ => 0.0,
        }
    }

    /// Returns whether Alice prefers play at `a` to play at `b`.
    pub(super) fn is_better(&self, certificate: &MeanCertificate, a: usize, b: usize) -> bool {
        let order = certificate.gains[a].cmp(&certificate.gains[b]);
        order
            .then_with(|| certificate.bias[a].cmp(&certificate.bias[b]))
            .is_gt()
    }

    /// Converts a number of units to a payoff.
    pub(super) fn payoff(&self, units: &BigRational) -> BigRational {
        units / BigInt::from(self.units)
    }

    /// Returns the gain and the bias of each vertex, as payoffs.
    pub(super) fn payoffs(&self, certificate: &MeanCertificate) -> Vec<(BigRational, BigRational)> {
        let both = certificate.gains.iter().zip(&certificate.bias);
        both.map(|(gain, bias)| (self.payoff(gain), self.payoff(bias)))
            .collect()
    }
    /// Switches a player to strictly better moves, or to letting the other one move where that is
    /// better. Returns whether anything was switched.
    fn improve(&self, pair: &mut StrategyPair, worth: &GainAndBias, player: Player) -> bool {
        let better = |a: WeightedMove, b: WeightedMove| {
            // The gain decides in the long run; the bias counts only between equal gains.
            let gains = worth.gains[a.head as usize].cmp(&worth.gains[b.head as usize]);
            let order = gains.then_with(|| a.value(&worth.bias).cmp(&b.value(&worth.bias)));
            if player == Player::Alice {
                order.is_gt()
            } else {
                order.is_lt()
            }
        };
        let mut switched = false;
        for (moves, choices) in self.moves.iter().zip(pair) {
            let Some(old) = choices[player].step else {
                continue;
            };
            let steps = &moves[player];
            let best = (0..steps.len()).fold(old, |best, step| {
                if better(steps[step], steps[best]) {
                    step
                } else {
                    best
                }
            });
            let lets = choices[player].lets;
            let now = choices[player.other()]
                .step
                .map(|step| moves[player.other()][step])
                .is_some_and(|other| {
                    // A tie keeps the former choice, so that improvement cannot go round.
                    better(other, steps[best]) || (lets && !better(steps[best], other))
                });
            switched |= best != old || now != lets;
            choices[player] = VertexChoice {
                step: Some(best),
                lets: now,
            };
        }
        switched
    }

    /// Returns the vertices to which a pair of strategies leads from a vertex, with the income,
    /// when each player wins the toss.
    pub(super) fn tosses(&self, pair: &StrategyPair, vertex: usize) -> [WeightedMove; 2] {
        let chosen = |player: Player| {
            pair[vertex][player]
                .step
                .map(|step| self.moves[vertex][player][step])
        };
        Player::both(|player| {
            let mover = if pair[vertex][player].lets {
                player.other()
            } else {
                player
            };
            chosen(mover).expect(
                "a vertex without an ending has an edge, and nobody lets a player move who cannot",
            )
        })
    }

    /// Computes the gain and bias of a pair of strategies. Returns `None` if floats cannot tell how
    /// long a round trip takes.
    fn worth(
        &self,
        pair: &StrategyPair,
        coin: Coin,
        context: &Context<'_>,
    ) -> Result<Option<GainAndBias>> {
        let chain = RecurrentChain::new(self, pair, coin);
        let least = self
            .moves
            .iter()
            .flat_map(|moves| moves.alice.iter().chain(&moves.bob))
            .map(|step| step.weight)
            .min();
        // All weights are raised to be non-negative for the linear solver; the gain is lowered
        // again below.
        let least = BigInt::from(least.unwrap_or(0));
        let ones = vec![BigInt::from(chain.total()); self.moves.len()];
        let above: Vec<BigInt> = (0..self.moves.len())
            .map(|v| chain.income(v) - &least * chain.total())
            .collect();
        let (Some(times), Some(sums)) =
            (chain.trips(&ones, context)?, chain.trips(&above, context)?)
        else {
            return Ok(None);
        };
        // A round trip starts from the representative of a class.
        let means: Vec<BigRational> = chain
            .classes
            .iter()
            .map(|&v| &sums[v] / &times[v])
            .collect();
        let above = chain.settle(&means, context)?;
        let trips = |amounts: &[BigRational]| -> Result<Option<Vec<BigRational>>> {
            let common = RationalSolution::of(amounts, context)?;
            let weighted = common.numerators.iter().map(|whole| whole * chain.total());
            let trips = chain.trips(&weighted.collect::<Vec<_>>(), context)?;
            let over = |trip: BigRational| trip / &common.denominator;
            Ok(trips.map(|trips| trips.into_iter().map(over).collect()))
        };
        let Some(drift) = trips(&above)? else {
            return Ok(None);
        };
        // The trip of a representative is the whole round trip, so its bias is 0 before it is
        // normalised.
        let mut bias: Vec<BigRational> = sums
            .iter()
            .zip(&drift)
            .map(|(sum, drift)| sum - drift)
            .collect();
        chain
            .classes
            .iter()
            .for_each(|&v| bias[v] = BigRational::zero());
        let lowest = bias.iter().min().cloned().unwrap_or_default();
        let raised: Vec<BigRational> = bias.iter().map(|bias| bias - &lowest).collect();
        let Some(areas) = trips(&raised)? else {
            return Ok(None);
        };
        // The mean of the bias over a round trip is subtracted, so that it becomes 0 on each class.
        let offsets: Vec<BigRational> = chain
            .classes
            .iter()
            .map(|&v| &areas[v] / &times[v] + &lowest)
            .collect();
        let offsets = chain.settle(&offsets, context)?;
        let bias = bias
            .into_iter()
            .zip(offsets)
            .map(|(bias, offset)| bias - offset)
            .collect();
        let least = BigRational::from_integer(least);
        Ok(Some(GainAndBias {
            gains: above.into_iter().map(|gain| gain + &least).collect(),
            bias,
        }))
    }

    /// Returns whether the gain is strictly larger with every coin that falls for Alice more often
    /// (or, for Bob, strictly smaller with every coin that falls for him more often). This is so if
    /// the opponent of the favoured player can nowhere keep to vertices where it makes no
    /// difference who moves.
    ///
    /// *Proof.* Let Alice keep to the best moves by the bias for p, and let p' > p. By the
    /// certificate, with a and b the best values of both at a vertex, the income there under p',
    /// whatever Bob does, exceeds g by `(p' − p) |a − b|` at least, and by more where Bob alone
    /// moves and does not make his best move. In every recurrent class there is a vertex where that
    /// is positive. ∎
    pub(super) fn rises(&self, certificate: &Gain, favoured: Player) -> bool {
        let best = |vertex: usize, player: Player| {
            let values = self.moves[vertex][player]
                .iter()
                .map(|step| (step.value(&certificate.bias), step.head));
            let least = |a: &(BigRational, u32), b: &(BigRational, u32)| a.0.cmp(&b.0);
            if player == Player::Alice {
                values.max_by(least)
            } else {
                values.min_by(least)
            }
        };
        let mut kept: Vec<bool> = (0..self.moves.len())
            .map(|vertex| match Player::both(|player| best(vertex, player)) {
                [Some(alice), Some(bob)] => alice.0 == bob.0,
                _ => true,
            })
            .collect();
        loop {
            let stays = |vertex: usize, kept: &[bool]| {
                // The favoured player keeps to best moves, and the opponent cannot prevent those.
                let forced = best(vertex, favoured).is_none_or(|(_, head)| kept[head as usize]);
                let own = !self.moves[vertex][favoured].is_empty();
                let alike = |step: &&WeightedMove| {
                    best(vertex, favoured.other())
                        .is_some_and(|(value, _)| step.value(&certificate.bias) == value)
                };
                let mut others = self.moves[vertex][favoured.other()].iter().filter(alike);
                // The opponent can also let the favoured player move where it makes no difference.
                forced && (own || others.any(|step| kept[step.head as usize]))
            };
            let left: Vec<_> = (0..kept.len())
                .filter(|&vertex| kept[vertex] && !stays(vertex, &kept))
                .collect();
            if left.is_empty() {
                return !kept.contains(&true);
            }
            left.into_iter().for_each(|vertex| kept[vertex] = false);
        }
    }

    /// Encloses the gain with a coin that falls for Alice with any probability. For every h it lies
    /// between the least and the greatest `Φ(h) − h`, which are exact; h is the result of value
    /// iteration in floats from the bias of a coin nearby.
    pub(super) fn enclosure(
        &self,
        probability: &BigRational,
        near: &Gain,
        context: &Context<'_>,
    ) -> Result<[BigRational; 2]> {
        /// The number of steps of the iteration. It is lazy, so that it does not oscillate.
        const STEPS: usize = 4000;
        let p = probability.to_f64().unwrap_or(0.5);
        let mut bias: Vec<f64> = near
            .bias
            .iter()
            .map(|bias| bias.to_f64().unwrap_or(0.0))
            .collect();
        for step in 0..STEPS {
            if step % 64 == 0 {
                context.check()?;
            }
            let next = |vertex: usize| {
                let values = |player: Player| {
                    self.moves[vertex][player]
                        .iter()
                        .map(|step| bias[step.head as usize] + step.weight as f64)
                };
                let mean = BestValues::fold(values, f64::max, f64::min)
                    .turn(|alice, bob| p * alice.max(bob) + (1.0 - p) * alice.min(bob));
                f64::midpoint(bias[vertex], mean)
            };
            let after: Vec<f64> = (0..bias.len()).map(next).collect();
            // The bias grows by the gain with each step, and shifting keeps it in the accurate
            // range of floats.
            let shift = after[0];
            bias = after.into_iter().map(|bias| bias - shift).collect();
        }
        let bias: Vec<BigRational> = bias
            .into_iter()
            .map(|bias| BigRational::from_float(bias).unwrap_or_default())
            .collect();
        let rest = BigRational::from_integer(1.into()) - probability;
        let gain = |vertex: usize| {
            let values = |player: Player| {
                self.moves[vertex][player]
                    .iter()
                    .map(|step| step.value(&bias))
            };
            let mean = BestValues::fold(values, BigRational::max, BigRational::min).turn(|a, b| {
                let (most, least) = if a > b { (a, b) } else { (b, a) };
                most * probability + least * &rest
            });
            mean - &bias[vertex]
        };
        let gains: Vec<BigRational> = (0..bias.len()).map(gain).collect();
        Ok(
            [gains.iter().min(), gains.iter().max()]
                .map(|bound| bound.cloned().unwrap_or_default()),
        )
    }

    /// Returns whether a player would rather lose a toss, where the gain depends on where play
    /// begins.
    pub(super) fn has_some_zugzwang(&self, certificate: &MeanCertificate) -> bool {
        let lets = |choices: &PerPlayer<VertexChoice>| {
            Player::BOTH
                .iter()
                .all(|&player| choices[player].step.is_some())
                && Player::BOTH.iter().any(|&player| choices[player].lets)
        };
        certificate.pair.iter().any(lets)
    }

    /// Returns whether a player would rather lose a toss.
    pub(super) fn has_zugzwang(&self, certificate: &Gain) -> bool {
        self.moves.iter().any(|moves| {
            let values = |player: Player| {
                moves[player]
                    .iter()
                    .map(|step| step.value(&certificate.bias))
            };
            match (values(Player::Alice).max(), values(Player::Bob).min()) {
                (Some(alice), Some(bob)) => alice < bob,
                _ => false,
            }
        })
    }
}
