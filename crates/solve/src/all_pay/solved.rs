//! Exact values or enclosures, as the rules ask and the size allows.

use num_rational::BigRational;

use super::table::{AllPayWork, ValueTable};
use super::{Budgets, Equilibrium, FloatEnclosure, Matrix, Methods};
use crate::diagnostic::Result;
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, PerPlayer};
use crate::rules::{MinimumBid, Purses, Rules, Solver, TieBreak};
use crate::watch::{Context, Stop};

/// The amount of exact arithmetic that is tried before settling for enclosures, in multiplications
/// of machine words, roughly.
const EXACT_FUEL: u64 = 100_000_000;

/// The values of a game for given budgets, as far as they are solved.
#[derive(Debug, Clone)]
pub enum AllPayValues {
    /// Exact values.
    Exact(ValueTable<BigRational>),
    /// Enclosures.
    Certified(ValueTable<FloatEnclosure>),
}

/// Computes the same from the table of either kind.
macro_rules! with_table {
    ($values:expr, $table:ident => $result:expr) => {
        match $values {
            $crate::all_pay::AllPayValues::Exact($table) => $result,
            $crate::all_pay::AllPayValues::Certified($table) => $result,
        }
    };
}
pub(super) use with_table;

/// A result of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum ExactOrCertified<E, C> {
    /// An exact result.
    Exact(E),
    /// An enclosure.
    Certified(C),
}

/// A game with the results of play that stays at a vertex for ever; such play is a draw where none
/// is given.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// The game.
    pub graph: &'a GameGraph,
    /// The results, by vertex.
    pub standing: &'a [Ending],
}

impl<'a> Standing<'a> {
    /// Creates a game in which such play is a draw everywhere.
    pub fn of(graph: &'a GameGraph) -> Self {
        Self {
            graph,
            standing: &[],
        }
    }
}

impl AllPayValues {
    /// Creates a table with nothing solved yet. `solver: exact` asks for exact values, another
    /// method for enclosures; `auto` tries exact ones first.
    ///
    /// # Errors
    /// If the values would not fit in memory.
    pub fn new(
        graph: &GameGraph,
        rules: &Rules,
        chips: PerPlayer<u64>,
        context: &Context<'_>,
    ) -> Result<Self> {
        let budgets = Budgets::from(rules, chips);
        let exact = match rules.solver {
            Solver::Exact => true,
            // The product is only a first estimate; the fuel limits the work that is really done.
            Solver::Auto | Solver::Acyclic => {
                budgets.work().saturating_mul(graph.len() as u64) <= EXACT_FUEL
            }
            Solver::Toeplitz
            | Solver::LinearProgram
            | Solver::Iteration
            | Solver::StrategyImprovement
            | Solver::PathSlopes
            | Solver::TwoMoves
            | Solver::Search => false,
        };
        let ends = if rules.ties == TieBreak::Nobody {
            rules.minimum_bid > MinimumBid::default()
        } else {
            graph.is_acyclic()
        };
        if exact && (rules.solver == Solver::Exact || ends) {
            return ValueTable::new(graph, budgets, context).map(Self::Exact);
        }
        ValueTable::new(graph, budgets, context).map(Self::Certified)
    }

    /// Solves all positions that can be reached from a vertex. The solved ones stay if the work is
    /// stopped. `game.standing` has the results of play that stays at a vertex for ever, where
    /// equal bids move nobody.
    ///
    /// # Errors
    /// If the work is stopped, or the graph has cycles and exact values are asked for.
    pub fn advance(
        &mut self,
        game: Standing<'_>,
        rules: &Rules,
        from: NodeId,
        context: &Context<'_>,
    ) -> Result<()> {
        let Standing { graph, standing } = game;
        let work = AllPayWork {
            graph,
            rules,
            context,
            standing,
        };
        super::refuse::turns_without_bids(graph, rules)?;
        if let Self::Exact(table) = self {
            super::refuse::exact_is_possible(graph, rules)?;
            let mut fuel = if rules.solver == Solver::Exact {
                u64::MAX
            } else {
                EXACT_FUEL
            };
            if table.advance(work, from, &mut fuel)? {
                return Ok(());
            }
            // Exact values have become too expensive. A table holds one kind of number, so it
            // starts again.
            *self = Self::Certified(ValueTable::new(graph, *table.budgets(), context)?);
        }
        match self {
            Self::Exact(_) => Ok(()),
            Self::Certified(table) => table
                // Arithmetic in floats has no cost in fuel, so this cannot run out.
                .advance(work, from, &mut u64::MAX.clone())
                .map(|_| ()),
        }
    }

    /// Returns the value of a solved position.
    pub fn value(
        &self,
        node: NodeId,
        purses: &Purses,
    ) -> ExactOrCertified<&BigRational, &FloatEnclosure> {
        const SOLVED: &str = "the position has been solved";
        match self {
            Self::Exact(table) => ExactOrCertified::Exact(table.value(node, purses).expect(SOLVED)),
            Self::Certified(table) => {
                ExactOrCertified::Certified(table.value(node, purses).expect(SOLVED))
            }
        }
    }

    /// Finds the optimal bids at a solved position that is not an ending.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn equilibrium(
        &self,
        graph: &GameGraph,
        rules: &Rules,
        node: NodeId,
        purses: &Purses,
        context: &Context<'_>,
    ) -> std::result::Result<
        ExactOrCertified<Equilibrium<BigRational>, Equilibrium<FloatEnclosure>>,
        Stop,
    > {
        Ok(match self {
            Self::Exact(table) => {
                ExactOrCertified::Exact(table.equilibrium(graph, rules, node, purses, context)?)
            }
            Self::Certified(table) => {
                ExactOrCertified::Certified(table.equilibrium(graph, rules, node, purses, context)?)
            }
        })
    }

    /// Computes the payoff matrix at a solved position that is not an ending.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn matrix(
        &self,
        graph: &GameGraph,
        rules: &Rules,
        node: NodeId,
        purses: &Purses,
        context: &Context<'_>,
    ) -> std::result::Result<ExactOrCertified<Matrix<BigRational>, Matrix<FloatEnclosure>>, Stop>
    {
        Ok(match self {
            Self::Exact(table) => {
                ExactOrCertified::Exact(table.matrix(graph, rules, node, purses, context)?)
            }
            Self::Certified(table) => {
                ExactOrCertified::Certified(table.matrix(graph, rules, node, purses, context)?)
            }
        })
    }

    /// Returns the number of times that the bounds on cycles were improved; `None` if no position
    /// comes back.
    pub fn rounds(&self) -> Option<u64> {
        match self {
            Self::Exact(_) => None,
            Self::Certified(table) => Some(table.rounds).filter(|rounds| *rounds > 0),
        }
    }

    /// Returns the number of turns solved by each method.
    pub fn methods(&self) -> Methods {
        with_table!(self, table => table.methods)
    }
}
