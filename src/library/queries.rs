//! Queries about the value of a game: `R`, `P`, `f`, `size`, `positions`.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::{Builtin, Call, Parameter};
use crate::check::Kinds;
use crate::diagnostic::Result;
use crate::eval::{Answer, Evaluator, Value, elements, type_error};
use crate::game::{GameId, Player};
use crate::report::{Report, Row, Scalar, Table};
use crate::solve::chips::{self, Threshold};
use crate::source::Span;

const GAME: &[Parameter] = &[Parameter { name: "G", kinds: Kinds::GAME }];
const GAME_AND_TOTALS: &[Parameter] =
    &[Parameter { name: "G", kinds: Kinds::GAME }, Parameter { name: "k", kinds: Kinds::TOTALS }];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        help: "The Richman value (critical threshold) of G, exact: with more than this part of the money Alice wins under \
               real-valued bidding, with less she does not.",
        examples: &[("R(A ∧ (A^2 ∧ B^3))", "9/32"), ("R(B^2)", "3/4")],
        run: |evaluator, call| evaluator.richman(call.game()?).map(Value::rational),
        ..Builtin::new("R", GAME, Kinds::NUMBER)
    },
    Builtin {
        help: "Alice's winning probability when a fair coin decides each turn: 1 − R(G).",
        examples: &[("P(A^2)", "3/4")],
        run: |evaluator, call| Ok(Value::rational(BigRational::one() - evaluator.richman(call.game()?)?)),
        ..Builtin::new("P", GAME, Kinds::NUMBER)
    },
    Builtin {
        help: "The least chips with which Alice wins G, of k in all; over a range of totals, a table. If she never wins it is \
               the value for B, k + 1.",
        examples: &[("f(E, 4)", "2*"), ("f(A^2, 0..3) == [0, 0*, 0*, 1]", "true")],
        run: thresholds,
        ..Builtin::new("f", GAME_AND_TOTALS, Kinds::THRESHOLDS)
    },
    Builtin {
        help: "How many positions and moves can be reached from G, symmetric positions counted once.",
        examples: &[("size(A^2)", "positions  4\nmoves      6\nendings    2\ncyclic     false")],
        run: size,
        ..Builtin::new("size", GAME, Kinds::ANSWER)
    },
    Builtin {
        help: "The positions that can be reached from G, in the order in which they are found; each is a game.",
        examples: &[("positions(A^2)", "[A^2, A, E, B]")],
        run: positions,
        ..Builtin::new("positions", GAME, Kinds::LIST)
    },
];

impl Call<'_> {
    /// The first argument, a game.
    ///
    /// # Errors
    /// If it is something else.
    pub fn game(&self) -> Result<GameId> {
        match &self.arguments[0] {
            (Value::Game(game), _) => Ok(*game),
            (other, span) => Err(type_error(*span, Kinds::GAME, other)),
        }
    }
}

fn thresholds(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let (totals, span) = &call.arguments[1];
    if let Value::Integer(k) = totals {
        let found = evaluator.thresholds(game, &[total(k, *span)?])?;
        return Ok(threshold_value(&found[0]));
    }
    let columns = elements(totals, *span)?;
    let totals = columns.iter().map(|k| integer_total(k, *span)).collect::<Result<Vec<u64>>>()?;
    let found = evaluator.thresholds(game, &totals)?;
    let row = Row { label: format!("f({}, k)", call.labels[0]), values: found.iter().map(Scalar::from).collect() };
    let table = Table {
        parameter: "k".to_owned(),
        columns: totals.iter().map(|k| Scalar::Integer(BigInt::from(*k))).collect(),
        rows: vec![row],
    };
    Ok(Value::Answer(Answer::row(Report::Table(table), found.iter().map(threshold_value)).into()))
}

fn integer_total(value: &Value, span: Span) -> Result<u64> {
    match value {
        Value::Integer(k) => total(k, span),
        other => Err(type_error(span, Kinds::INTEGER, other)),
    }
}

fn total(k: &BigInt, span: Span) -> Result<u64> {
    chips::total(k).map_err(|error| error.label(span, "the total of both players' chips").into())
}

fn threshold_value(threshold: &Threshold) -> Value {
    match threshold {
        Threshold::One(chips) => Value::chips(chips.clone()),
        Threshold::Both { with, without } => Value::tuple([Value::chips(with.clone()), Value::chips(without.clone())]),
        Threshold::Counts(ranges) => Value::list(ranges.iter().cloned().flatten().map(Value::integer)),
    }
}

fn size(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let explored = evaluator.explore(game)?;
    let graph = &explored.graph;
    let count = |n: usize| Report::Scalar(Scalar::Integer(BigInt::from(n)));
    let endings = graph.nodes().filter(|node| graph.ending(*node).is_some()).count();
    let facts = [
        ("positions", count(explored.position_count())),
        ("moves", count(graph.edge_count())),
        ("endings", count(endings)),
        ("cyclic", Report::Scalar(Scalar::Bool(!graph.components().acyclic()))),
    ];
    let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(Value::Answer(Answer::report(Report::Record(facts)).into()))
}

fn positions(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    Ok(Value::list(evaluator.reachable(game)?.into_iter().map(Value::Game)))
}

impl Evaluator<'_> {
    /// The thresholds of a game for these totals, one for each.
    fn thresholds(&mut self, game: GameId, totals: &[u64]) -> Result<Vec<Threshold>> {
        let rules = self.rules();
        let watch = self.watch;
        chips::admit(&rules, chips::Asked::Threshold)?;
        let place = self.locate(game)?;
        let solved = place.chart.thresholds(&rules, totals, watch)?;
        debug_assert_eq!(solved.seeker(), Player::Alice);
        Ok((0..totals.len()).map(|lane| solved.threshold(place.node, lane)).collect())
    }

    /// The Richman value of a game under the rules in force.
    fn richman(&mut self, game: GameId) -> Result<BigRational> {
        let rules = self.rules();
        let watch = self.watch;
        let place = self.locate(game)?;
        Ok(place.chart.richman(&rules, watch)?.value(place.node))
    }
}
