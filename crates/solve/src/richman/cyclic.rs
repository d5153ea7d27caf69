//! Graphs with cycles, solved component by component, successors first, each by strategy
//! improvement.
//!
//! Floats give a guess at the optimal strategies; exact arithmetic starts from there and corrects
//! it.

use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;

use super::arena::{Arena, ArenaNumbering, ArenaStrategies};
use super::escape::level_ranks;
use super::fraction::UnreducedFraction;
use super::guess::guess;
use super::improve::{Improvement, begin};
use super::numbers::Numbers;
use super::valuation::{Approximate, Chain, Exact, Valuation};
use super::{Coin, ComponentMethod, DrawValue, RankCertificate, Values, slopes};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::law::best::BestValues;
use crate::number::linear::{LinearMethod, RationalSolution};
use crate::player::{PerPlayer, Player};
use crate::watch::{Asking, Context, Stop};

/// The number of components that are solved between two checks.
const CHECK_EVERY: usize = 1 << 12;

/// The size of a component from which a guess pays off; in smaller ones the exact values take no
/// longer.
const GUESS_FROM: usize = 8;

/// The size of a component from which elimination may fill up, and there are quicker guesses.
const LARGE: usize = 300;

/// The number of pairs of strategies that are tried by elimination before a guess is made.
const FEW: u64 = 40;

/// The number of tries after which floats do not improve strategies any more.
const GUESSES: u64 = 200;

/// Computes the values of a graph.
pub(super) fn solve(
    graph: &GameGraph,
    draw: DrawValue,
    coin: Coin,
    method: ComponentMethod,
    context: &Context<'_>,
) -> Result<Values> {
    context.admit_values::<(UnreducedFraction, u32)>(graph.len() as u64)?;
    let mut solver = CyclicSolver::new(graph, draw, coin, method, context);
    let mut asking = Asking::every(CHECK_EVERY, context);
    let mut bytes = 0;
    for (vertices, cyclic) in graph.components().iter() {
        // Long numbers count for more, because the time that they take grows with their length.
        asking.step(1 + fit::<usize>(solver.bytes - bytes))?;
        bytes = solver.bytes;
        if cyclic {
            // Only components with cycles are reported, because single vertices take no noticeable
            // time.
            context.report("solving", vertices[0].index() as u64, None);
            solver.component(vertices)?;
        } else {
            vertices.iter().for_each(|&node| solver.vertex(node));
        }
        // The limit is checked between components, since the length of the fractions is known only
        // then.
        if solver.bytes > context.limits.max_memory {
            return Err(Stop::Memory(context.limits.max_memory).into());
        }
    }
    Ok(Values {
        numbers: Numbers::Fraction(solver.values),
        certificate: RankCertificate {
            ranks: solver.ranks,
        },
    })
}

struct CyclicSolver<'a> {
    graph: &'a GameGraph,
    draw: DrawValue,
    coin: Coin,
    method: ComponentMethod,
    context: &'a Context<'a>,
    values: Vec<UnreducedFraction>,
    ranks: Vec<u32>,
    /// The greatest rank so far. Ranks continue from component to component, so that leaving one
    /// decreases the rank as well.
    greatest_rank: u32,
    numbering: ArenaNumbering,
    /// The numbers 0, 1/2 and 1.
    constants: [UnreducedFraction; 3],
    bytes: u64,
}

impl<'a> CyclicSolver<'a> {
    fn new(
        graph: &'a GameGraph,
        draw: DrawValue,
        coin: Coin,
        method: ComponentMethod,
        context: &'a Context<'a>,
    ) -> Self {
        let unit = Arc::new(BigInt::one());
        let whole = |n: i32| UnreducedFraction {
            numerator: n.into(),
            denominator: Arc::clone(&unit),
        };
        let half = UnreducedFraction {
            numerator: BigInt::one(),
            denominator: Arc::new(2.into()),
        };
        let constants = [whole(0), half, whole(1)];
        Self {
            graph,
            draw,
            coin,
            method,
            context,
            // The placeholder shares its denominator, so it costs no allocation for each vertex.
            values: vec![constants[0].clone(); graph.len()],
            ranks: vec![0; graph.len()],
            greatest_rank: 0,
            numbering: ArenaNumbering::new(graph),
            constants,
            bytes: 0,
        }
    }

    /// Solves a vertex that is on no cycle.
    fn vertex(&mut self, node: NodeId) {
        let of = |player| {
            let heads = self.graph.successors(node, player).iter();
            heads.map(|head| &self.values[head.index()])
        };
        let value = match self.graph.ending(node) {
            Some(ending) => self.constants[usize::from(self.draw.of(ending))].clone(),
            None => match BestValues::ordered(of) {
                BestValues::Both(alice, bob) => self.coin.mean(alice, bob),
                BestValues::Only(only) => only.clone(),
            },
        };
        self.bytes += value.bytes();
        self.values[node.index()] = value;
    }

    /// Solves a strongly connected component with a cycle.
    fn component(&mut self, vertices: &[NodeId]) -> Result<()> {
        let mut arena = Arena::new(self.graph, vertices, &mut self.numbering);
        arena.coin = self.coin;
        let (values, denominator) = match self.method {
            ComponentMethod::Improvement => self.improved(&arena)?,
            ComponentMethod::Slopes => self.by_slopes(&arena)?,
        };
        // Numerators over one denominator compare like the values.
        let compare = |a: usize, b: usize| values[a].cmp(&values[b]);
        let PerPlayer { alice, bob } =
            arena.for_both(|escaper| level_ranks(&arena, escaper, None, compare));
        self.keep(&arena, values, denominator, |vertex| {
            // At most one of the two is positive: a value is better than play without end for one
            // player only.
            alice[vertex].max(bob[vertex])
        })?;
        Ok(())
    }

    fn exits(&self, arena: &Arena) -> Vec<&UnreducedFraction> {
        arena
            .exits()
            .iter()
            .map(|node| &self.values[node.index()])
            .collect()
    }

    /// Returns the value of play without end.
    fn forever(&self) -> &UnreducedFraction {
        &self.constants[usize::from(self.draw.halves())]
    }

    /// Computes the values of a component, its exits and play without end, over a common
    /// denominator, by strategy improvement.
    fn improved(&self, arena: &Arena) -> Result<(Vec<BigInt>, BigInt)> {
        let (exits, hero) = (self.exits(arena), hero(self.draw));
        let mut valuation = Exact::new(&exits, self.draw, self.context)?;
        if let Some(only) = arena.only_strategies() {
            let values = valuation.values(&Chain::new(arena, &only), self.context)?;
            return Ok((values, valuation.denominator));
        }
        let known: Vec<&UnreducedFraction> =
            exits.iter().copied().chain([self.forever()]).collect();
        let mut strategies = begin(arena, hero, &known);
        // A good start saves exact evaluations, each of which is expensive.
        if arena.len >= GUESS_FROM {
            self.improve_in_floats(arena, &known, &mut strategies)?;
        }
        let mut exact = Improvement {
            arena,
            valuation,
            hero,
            budget: u64::MAX,
            context: self.context,
        };
        let values = exact.run(&mut strategies)?;
        Ok((values, exact.valuation.denominator))
    }

    /// Improves strategies as far as floats can tell, given the values of the exits and of play
    /// without end.
    fn improve_in_floats(
        &self,
        arena: &Arena,
        known: &[&UnreducedFraction],
        strategies: &mut ArenaStrategies,
    ) -> Result<()> {
        let hero = hero(self.draw);
        let mut improvement = Improvement {
            arena,
            valuation: Approximate::new(known),
            hero,
            budget: GUESSES,
            context: self.context,
        };
        if arena.len >= LARGE {
            let first = strategies.clone();
            // On paths and trees elimination is the quickest method, and there is little to improve.
            for _ in 0..FEW {
                let chain = Chain::new(arena, strategies);
                match improvement.valuation.sparse_values(&chain, self.context)? {
                    Some(values) if improvement.step(strategies, &values) => {}
                    Some(_) => return Ok(()),
                    None => break,
                }
            }
            let known = known.iter().map(|value| value.approximate()[0]).collect();
            let guess = guess(arena, hero, first, known, self.context)?;
            *strategies = guess.strategies;
            // Only a valuation by elimination is more accurate than the guess.
            if guess.way != LinearMethod::Elimination {
                return Ok(());
            }
        }
        improvement.run(strategies)?;
        Ok(())
    }

    /// Computes the same values in an undirected graph.
    fn by_slopes(&self, arena: &Arena) -> Result<(Vec<BigInt>, BigInt)> {
        let known = self.exits(arena).into_iter().chain([self.forever()]);
        let known: Vec<BigRational> = known.map(UnreducedFraction::to_rational).collect();
        let mut values = slopes::solve(arena, &known, self.context)?;
        values.extend(known);
        // Exact values of paths have different denominators, and the ranks compare them as
        // integers.
        let common = RationalSolution::of(&values, self.context)?;
        Ok((common.numerators, common.denominator))
    }

    /// Stores the values of a component over their least common denominator, with the ranks.
    fn keep(
        &mut self,
        arena: &Arena,
        values: Vec<BigInt>,
        denominator: BigInt,
        rank: impl Fn(usize) -> u32,
    ) -> Result<()> {
        let mut common = denominator.clone();
        let mut asking = Asking::every(CHECK_EVERY, self.context);
        // The work on a long number grows with its length.
        let work = |value: &BigInt| 1 + fit::<usize>(value.bits() / 64);
        for value in &values[..arena.len] {
            // Once the divisor is 1 it stays 1, and the other gcds need not be computed.
            if common.is_one() {
                break;
            }
            asking.step(work(value))?;
            common = common.gcd(value);
        }
        let denominator = Arc::new(denominator / &common);
        // Ranks start above all earlier ones, because an edge that leaves the component must lower
        // them.
        let base = self.greatest_rank;
        for (vertex, (&node, value)) in arena.vertices().iter().zip(values).enumerate() {
            asking.step(work(&value))?;
            let numerator = if common.is_one() {
                value
            } else {
                value / &common
            };
            let fraction = UnreducedFraction {
                numerator,
                denominator: Arc::clone(&denominator),
            };
            self.bytes += fraction.bytes();
            self.values[node.index()] = fraction;
            if rank(vertex) > 0 {
                self.ranks[node.index()] = base + rank(vertex);
                self.greatest_rank = self.greatest_rank.max(base + rank(vertex));
            }
        }
        Ok(())
    }
}

/// Returns the player whose strategy is improved. If draws are worth all or nothing, play without
/// end is the worst result for this player.
pub(super) fn hero(draw: DrawValue) -> Player {
    match draw {
        DrawValue::Win | DrawValue::Half => Player::Alice,
        DrawValue::Nothing => Player::Bob,
    }
}
