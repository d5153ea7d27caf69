//! Queries about the value of a game: `R`, `P`, `f`, `size`, `positions`.

use num_rational::BigRational;
use num_traits::One;

use crate::ask::{About, LeastChipsRow};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::print::NEVER;
use crate::eval::{Builtin, Call, Evaluator, Placed, graphs};
use crate::game::Goals;
use crate::ir::{Kinds, Parameter, Value};
use crate::library::values::real::critical;
use crate::library::{GAME, GAME_AND_CHIPS, GAME_AND_COIN};
use crate::library::{arguments, asks};
use crate::player::{GameId, Player};
use crate::report::{Report, Row, Table, fact};
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{ChipMark, Chips, Objective, Rules};
use crate::scalar::Scalar;
use crate::solve::budgets;
use crate::solve::chips::{Threshold, least_credit};
use crate::source::Span;
use crate::watch::watched;

const GAME_AND_TOTALS: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("k", Kinds::TOTALS),
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "R"(GAME)
        -> Kinds::ENCLOSED, Some(asks::share), |evaluator, call| critical(evaluator, call.game()),
        { income: true, endless: true }
        "The Richman value (critical threshold) of G, exact: with more than this share of the money \
         Alice wins under real-valued bidding; with less she does not. Under `pay: poorman` and \
         `taxman(t)`, the threshold of those rules; with income and under `robin_hood: t`, the \
         threshold before the first income. On cycles the value under poorman and taxman rules and \
         with income may be irrational; it is then enclosed as narrowly as `precision` asks, and \
         `R(G)[0]` and `R(G)[1]` are the bounds. Values are also enclosed if thousands of positions \
         lead to one another so densely that the fractions would be too long.",
        "R(A ∧ (A^2 ∧ B^3))" => "9/32",
        "R(B^2)" => "3/4";
    "P"(GAME_AND_COIN) -> Kinds::NUMBER, Some(asks::turns), random_turns,
        { endless: true, required: 1 }
        "Alice's winning probability if a fair coin decides each turn: 1 − R(G) under `pay: richman`. `P(G, p)` uses a \
         coin that falls for her with probability p, from 0 to 1. The winner of the toss decides who \
         moves. Under `winner: moves` the winner has to move; with an unfair coin this makes a \
         difference where a turn is unwanted.",
        "P(A^2)" => "3/4",
        "P(A^2, 2/3)" => "8/9",
        "P({ B | A }, 1/3)" => "1/3",
        "P({ B | A }, 1/3) using { winner: moves }" => "2/3";
    "f"(GAME_AND_TOTALS) -> Kinds::THRESHOLDS, Some(asks::thresholds), thresholds,
        { endless: true, required: 1, named: &[Parameter::new("bob", Kinds::TOTALS)] }
        "The least number of chips, of k in all, with which Alice wins G; over a range of totals, a \
         table. If she cannot win, the answer is k + 1. `x*` is x chips with the tie status, or x + 1 \
         without it; where the two are further apart, the answer is a pair `(x*, y)`. Under an objective of infinite play, it is \
         the least number with which she reaches the objective. `f(G, bob: 0..n)` is the least \
         number of chips with which she wins against that many of Bob's, for each holder of the tie \
         status; it also works where a part of the winning bid goes to the bank. Under `ties: \
         richer` with `winner: moves` more chips can hurt; the answer is then the list of all \
         numbers of chips that win.",
        "f(E, 4)" => "2*",
        "f(A^2, 0..3) == [0, 0*, 0*, 1]" => "true",
        "f({ B | A }, 5) using { ties: richer, winner: moves }" => "[0, 1, 2]",
        "f(B^2, bob: 0..2) using { pay: poorman }" => "b                     0  1  2\nf(B^2, a* against b)  1  3  5\nf(B^2, a against b*)  2  4  6";
    "credit"(GAME_AND_CHIPS) -> Kinds::NUMBER.or(Kinds::NEVER), Some(graphs), credit,
        { endless: true }
        "The least credit c, at least 0, with which Alice keeps the sum of the weights from ever falling \
         below -c when she has a chips and Bob has b: the least `energy: c` for which she wins under \
         `objective: energy`; `never` if there is none. Under `draws: alice` a draw counts as a win of hers.",
        "credit(graph { start 0; both 0 <-> 1; weight 1: 1; weight -1: 0 }, 2*, 2)" => "1";
    "size"(GAME) -> Kinds::ANSWER, Some(graphs), size,
        { income: true, endless: true }
        "The numbers of positions and moves that can be reached from G. Symmetric positions count once.",
        "size(A^2)" => "positions  4\nmoves      6\nendings    2\ncyclic     false";
    "positions"(GAME) -> Kinds::LIST, Some(graphs), positions,
        { income: true, endless: true }
        "The positions that can be reached from G, in the order in which they are found. Each is a game.",
        "positions(A^2)" => "[A^2, A, E, B]";
};

fn random_turns(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    admit::random_turns(&evaluator.rules()).placed(call.span)?;
    let coin = call.coin()?;
    let rules = evaluator.rules();
    let bobs: BigRational = evaluator.ask().about(game, About::Turns(coin), &rules)?;
    // The solvers compute Bob's probability, which equals the Richman value for a fair coin.
    Ok(Value::rational(BigRational::one() - bobs))
}

fn thresholds(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let budgets = call.named.first().map(|(_, given)| given.as_ref());
    let totals = match (call.arguments.get(1), budgets) {
        (None, Some(budgets)) => {
            return against(evaluator, call, game, budgets.value, budgets.span);
        }
        (Some(totals), None) => totals,
        (None, None) | (Some(_), Some(_)) => return Err(which_budget(call.span)),
    };
    let context = evaluator.context;
    let is_one = matches!(totals.value, Value::Integer(_));
    let totals = arguments::totals(&totals.value, totals.span, context)?;
    let found = thresholds_of(evaluator, game, &totals)?;
    if is_one {
        return Ok(threshold_value(&found[0]));
    }
    let values = watched(&found, context)
        .map(|found| found.map(Scalar::from))
        .collect::<Result<_, _>>()?;
    let row = Row {
        label: format!("f({}, k)", call.labels[0]),
        values,
    };
    let columns = watched(totals, context).collect::<Result<Vec<_>, _>>()?;
    let table = Table::over("k", columns, vec![row]);
    let values = watched(&found, context)
        .map(|found| Ok(threshold_value(found?)))
        .collect::<Result<Vec<Value>>>()?;
    Ok(Value::answer_row(Report::Table(table), values))
}

pub(crate) fn threshold_value(threshold: &Threshold) -> Value {
    match threshold {
        Threshold::One(chips) => Value::chips(chips.clone()),
        Threshold::Both { with, without } => {
            Value::tuple([Value::chips(with.clone()), Value::chips(without.clone())])
        }
        Threshold::Counts(ranges) => {
            Value::list(ranges.iter().cloned().flatten().map(Value::integer))
        }
    }
}

fn credit(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let rules = Rules {
        objective: Objective::Energy,
        ..evaluator.rules()
    };
    admit::chips(&rules, ChipsQuestion::Threshold).placed(call.span)?;
    let purses = evaluator.holdings(&call.arguments[1], &call.arguments[2])?;
    let context = evaluator.context;
    let place = evaluator.ask().locate_marked(game, rules.objective)?;
    place.solved.needs_wins()?;
    let Some(Goals::Weights(weights)) = place.solved.goals(&rules) else {
        unreachable!("the marks of the energy objective are weights")
    };
    let graph = &place.solved.explored.graph;
    let least = least_credit(graph, weights, &rules, place.node, &purses, context)?;
    Ok(least.map_or(Value::Never, Value::rational))
}

fn size(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let explored = evaluator.ask().explore(game)?;
    let graph = &explored.graph;
    let endings = graph
        .nodes()
        .filter(|node| graph.ending(*node).is_some())
        .count();
    Ok(Value::answer(Report::Record(vec![
        fact("positions", explored.position_count()),
        fact("moves", graph.edge_count()),
        fact("endings", endings),
        fact("cyclic", !graph.is_acyclic()),
    ])))
}

fn positions(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    Ok(Value::list(
        evaluator.reachable(game)?.into_iter().map(Value::Game),
    ))
}

fn which_budget(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongCount,
        "`f` takes a total of chips or a budget of Bob's",
    )
    .label(span, "needs one of the two")
    .help("write `f(G, 0..n)` for totals of both players' chips, `f(G, bob: 0..n)` for Bob's alone")
    .into()
}

/// Evaluates `f(G, bob: 0..n)`.
fn against(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
    budgets: &Value,
    span: Span,
) -> Result<Value> {
    let chips = arguments::totals(budgets, span, evaluator.context)?;
    let rules = evaluator.rules();
    admit::against(&rules).placed(call.span)?;
    let about = About::Against(chips[..].into());
    let found: Vec<LeastChipsRow> = evaluator
        .ask()
        .about(game, about, &rules)
        .placed(call.span)?;
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for (holder, row) in found {
        let [own, other] = Player::both(|player| if holder == Some(player) { "*" } else { "" });
        let chips =
            |least: &u64| (*least != budgets::NEVER).then(|| Chips::new(*least, ChipMark::None));
        let scalar = |least: &u64| {
            chips(least).map_or(Scalar::Word(NEVER), |chips| Scalar::Integer(chips.count))
        };
        let label = format!("f({}, a{own} against b{other})", call.labels[0]);
        values.push(
            row.iter()
                .map(|least| chips(least).map_or_else(|| Value::Never, Value::chips))
                .collect::<Vec<_>>(),
        );
        rows.push(Row {
            label,
            values: row.iter().map(scalar).collect(),
        });
    }
    let report = Report::Table(Table::over("b", chips, rows));
    let lists = |values: Vec<Vec<Value>>| values.into_iter().map(Value::list).collect::<Vec<_>>();
    let values = match values.len() {
        1 => values.remove(0),
        _ => lists(values),
    };
    Ok(Value::answer_row(report, values))
}

/// Returns the thresholds of a game for these totals, one for each.
pub(crate) fn thresholds_of(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    totals: &[u64],
) -> Result<Vec<Threshold>> {
    let rules = evaluator.rules();
    evaluator.ask().thresholds(game, totals, &rules)
}
