//! Queries about scores: `o`, `bidding_matrix` and `monotone`.

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, Placed, graphs, type_error};
use crate::game::{Explored, NodeId, Score, Scores, print_position};
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::library::GAME_AND_CHIPS;
use crate::library::arguments::totals;
use crate::library::scoring::vector;
use crate::player::{GameId, Player};
use crate::report::{Report, Row, Table, fact};
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{FieldValue, Purses, Rules};
use crate::scalar::Scalar;
use crate::solve::scoring::{
    Property, ScoreInterval, ScoreValues, Scored, ScoringSolution, breach, cycle,
};
use crate::source::Span;
use crate::watch::{Context, watched};

const GAME_AND_CHIPS_OR_TOTALS: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("a", Kinds::HOLDING.or(Kinds::TOTALS)),
    Parameter::new("b", Kinds::HOLDING),
];
const GAME_AND_TOTAL: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("TB", Kinds::INTEGER),
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "o"(GAME_AND_CHIPS_OR_TOTALS) -> Kinds::NUMBER.or(Kinds::ANSWER), Some(graphs), outcome,
        { required: 2 }
        "The equilibrium score of G, positive for Alice, with these chips: o(G, p*, q), o(G, p, q*). With \
         one number, the outcome vector: the score for every split of that total; for 0, which is alternating \
         play, the score with either player starting. With a range of totals, a table of their outcome vectors. Where no pure strategies are in equilibrium, the answer is \
         what Alice can be sure of (maximin) and what Bob can be sure of (minimax); in tables, a pair.",
        "o(graph {\n start x\n both x -> y score 3\n draw: y\n}, 1*, 1) using larsson" => "3",
        "o(graph {\n start x\n both x -> y score 3\n draw: y\n}, 0) using larsson" => "alice starts  3\nbob starts    -3";
    "bidding_matrix"(GAME_AND_CHIPS) -> Kinds::ANSWER, Some(graphs), bidding_matrix,
        "The results of all pairs of bids with these chips, a column for each bid of Alice's and a \
         row for each of Bob's, with equilibria in brackets. The last column holds the greatest \
         score of each row, the last row the least score of each column, and the corner the score of \
         the game.",
        "bidding_matrix(graph {\n start x\n both x -> y score 3\n draw: y\n}, 1*, 1) using larsson" => "bob\\alice  0    1    max\n0          3    [3]  3\n1          -3   [3]  3\nmin        -3   3    3";
    "monotone"(GAME_AND_TOTAL) -> Kinds::BOOL.or(Kinds::ANSWER), Some(graphs), monotone,
        "True if every position of G has the uniqueness properties for this total budget: budget \
         monotonicity (A), marker monotonicity (B), marker worth (C). If not, a position that breaks one.",
        "monotone(graph {\n start x\n both x -> y score 3\n draw: y\n}, 2) using larsson" => "true";
};

/// A scoring game with its values for one total budget.
pub(crate) struct ScoringPosition {
    pub(crate) explored: Rc<Explored>,
    pub(crate) scores: Rc<Scores>,
    pub(crate) values: Rc<ScoreValues>,
    pub(crate) node: NodeId,
}

impl ScoringPosition {
    pub(crate) fn solved(&self) -> ScoringSolution<'_> {
        ScoringSolution {
            game: Scored {
                graph: &self.explored.graph,
                scores: &self.scores,
            },
            values: &self.values,
        }
    }

    pub(crate) fn score(&self, units: i64) -> Score {
        self.scores.score(units)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.explored.graph.ending(self.node).is_some()
    }
}

/// Solves a scoring game for its values under the rules in force.
pub(crate) fn scoring(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    total: u64,
    span: Span,
) -> Result<ScoringPosition> {
    let rules = evaluator.rules();
    admit::chips(&rules, ChipsQuestion::Score).placed(span)?;
    let context = evaluator.context;
    let place = evaluator.ask().locate(game)?;
    let node = place.node;
    let Some(scores) = place.solved.scores.clone() else {
        return Err(no_scores(span));
    };
    let explored = Rc::clone(&place.solved.explored);
    // Backward induction needs a last move, and scores could grow without end on a cycle.
    if let Some(cycle) = cycle(&explored.graph) {
        return Err(cyclic(evaluator, &explored, &cycle, span));
    }
    // The message about a cycle needed the games, so the graph is borrowed again only now.
    let chart = evaluator.ask().locate(game)?.solved;
    let values = chart.scoring(&rules, total, node, context).placed(span)?;
    Ok(ScoringPosition {
        explored,
        scores,
        values,
        node,
    })
}

fn cyclic(
    evaluator: &mut Evaluator<'_>,
    explored: &Explored,
    cycle: &[NodeId],
    span: Span,
) -> Box<Diagnostic> {
    /// The number of positions of a cycle that are named.
    const NAMED: usize = 8;
    let games = &mut evaluator.world.games;
    let mut names: Vec<String> = Vec::new();
    for node in cycle.iter().take(NAMED).chain(cycle.first()) {
        let game = explored.game(games, *node);
        names.push(print_position(games, game));
    }
    if cycle.len() > NAMED {
        // The first position closes the list, so the gap is before it.
        names.insert(NAMED, "…".to_owned());
    }
    Diagnostic::new(
        Code::CyclicScores,
        "a scoring game must end, but this one has a cycle",
    )
    .label(span, "asks for its score")
    .note(format!("the cycle is {}", names.join(" → ")))
    .help("let every move make progress, or ask about `G[n]`, the game that ends after n moves")
    .into()
}

fn outcome(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    if call.arguments.len() == 2 {
        let Operand { value, span } = &call.arguments[1];
        return match value.items() {
            Some(_) => {
                let totals = totals(value, *span, evaluator.context)?;
                vector::of_totals(evaluator, call, &totals)
            }
            None => vector::of_total(evaluator, call),
        };
    }
    let purses = evaluator.purses(call, ChipsQuestion::Score)?;
    let subject = scoring(evaluator, game, purses.total(), call.span)?;
    Ok(interval_value(
        &subject,
        subject.values.at(subject.node, &purses),
    ))
}

/// Reads the total budget, a call's second argument.
pub(crate) fn budget(call: &Call<'_>) -> Result<u64> {
    let Operand { value, span } = &call.arguments[1];
    match value {
        Value::Integer(total) => {
            admit::total(total).map_err(|error| error.label(*span, "the total budget").into())
        }
        other => Err(match other {
            Value::Chips(_) => half_a_split(*span),
            _ => type_error(*span, Kinds::INTEGER, other),
        }),
    }
}

/// Converts a score to a number.
pub(crate) fn number(score: Score) -> BigRational {
    BigRational::new(BigInt::from(*score.numer()), BigInt::from(*score.denom()))
}

pub(crate) fn scalar(score: Score) -> Scalar {
    let number = number(score);
    if number.is_integer() {
        Scalar::Integer(number.to_integer())
    } else {
        Scalar::Rational(number)
    }
}

/// Returns the equilibrium score, or both bounds with the note that there is no equilibrium.
fn interval_value(subject: &ScoringPosition, interval: ScoreInterval) -> Value {
    if let Some(value) = interval.value() {
        return Value::rational(number(subject.score(value)));
    }
    let bounds = [interval.least, interval.most].map(|units| subject.score(units));
    let facts = vec![
        fact("maximin", scalar(bounds[0])),
        fact("minimax", scalar(bounds[1])),
        fact("pure equilibrium", Scalar::Word("none")),
    ];
    Value::answer_row(
        Report::Record(facts),
        bounds.map(|bound| Value::rational(number(bound))),
    )
}

/// Returns the score, or the pair of maximin and minimax if there is no equilibrium.
pub(super) fn cell(subject: &ScoringPosition, interval: ScoreInterval) -> Scalar {
    let score = |units| scalar(subject.score(units));
    interval.value().map_or_else(
        || Scalar::Tuple(vec![score(interval.least), score(interval.most)]),
        score,
    )
}

fn bidding_matrix(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let purses = evaluator.purses(call, ChipsQuestion::Score)?;
    let subject = scoring(evaluator, call.game(), purses.total(), call.span)?;
    if subject.is_over() {
        return Err(no_bid(call.span));
    }
    let context = evaluator.context;
    let matrix = subject
        .solved()
        .bidding_matrix(subject.node, purses, context)?;
    let value = subject.values.at(subject.node, &purses);
    let worst = worst_of_columns(&matrix, context)?;
    let cells = (matrix.len() + 1).saturating_mul(worst.len() + 1);
    context.admit_values::<Scalar>(cells as u64)?;
    let mut rows = Vec::new();
    for (bid, row) in matrix.iter().enumerate() {
        let best = best_of_row(row);
        let mut values = Vec::with_capacity(row.len() + 1);
        for pair in watched(row.iter().zip(&worst), context) {
            let (entry, worst) = pair?;
            // An entry that is best in its row and worst in its column is a saddle point.
            let saddle = entry.value().is_some() && *entry == best && entry == worst;
            let cell = cell(&subject, *entry);
            values.push(if saddle {
                Scalar::Equilibrium(Box::new(cell))
            } else {
                cell
            });
        }
        context.check()?;
        values.push(cell(&subject, best));
        rows.push(Row {
            label: bid.to_string(),
            values,
        });
    }
    let least = worst.iter().copied().chain([value]);
    rows.push(Row {
        label: "min".to_owned(),
        values: least.map(|entry| cell(&subject, entry)).collect(),
    });
    let bids = (0..worst.len())
        .map(Scalar::from)
        .chain([Scalar::Word("max")]);
    let table = Table::over("bob\\alice", bids, rows);
    Ok(Value::answer(Report::Table(table)))
}

/// Returns the values that both players can guarantee in a row of the matrix, if Alice's bid is
/// still open.
fn best_of_row(row: &[ScoreInterval]) -> ScoreInterval {
    let best = |a: ScoreInterval, b: &ScoreInterval| ScoreInterval {
        least: a.least.max(b.least),
        most: a.most.max(b.most),
    };
    // Every player can bid at least 0, so that a row is not empty.
    row[1..].iter().fold(row[0], best)
}

/// Returns the values that both players can guarantee in each column, if Bob's bid is still open.
fn worst_of_columns(
    matrix: &[Vec<ScoreInterval>],
    context: &Context<'_>,
) -> Result<Vec<ScoreInterval>> {
    let mut worst = matrix[0].clone();
    for row in &matrix[1..] {
        context.check()?;
        for (worst, entry) in worst.iter_mut().zip(row) {
            worst.least = worst.least.min(entry.least);
            worst.most = worst.most.min(entry.most);
        }
    }
    Ok(worst)
}

fn monotone(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let total = budget(call)?;
    let rules = evaluator.rules();
    if !rules.ties.has_status() {
        return Err(no_marker(&rules, call.span));
    }
    let game = call.game();
    let subject = scoring(evaluator, game, total, call.span)?;
    let Some(found) = breach(subject.solved(), subject.node, evaluator.context)? else {
        return Ok(Value::Bool(true));
    };
    let position = subject
        .explored
        .game(&mut evaluator.world.games, found.node);
    let position = print_position(&evaluator.world.games, position);
    let score = |(purses, interval): (Purses, ScoreInterval)| {
        fact(split(&purses), scalar(subject.score(interval.least)))
    };
    let fails = match found.property {
        Property::Budget => "one more chip makes Alice's score worse",
        Property::Marker => "having the marker makes Alice's score worse",
        Property::Worth => "the marker is worth more than a chip",
    };
    let facts = vec![
        fact("fails", found.property.words().to_owned()),
        fact("position", position),
        score(found.poorer),
        score(found.richer),
        fact("that is", fails.to_owned()),
    ];
    Ok(Value::answer(Report::Record(facts)))
}

/// Formats purses as `(4*, 4)`.
pub(crate) fn split(purses: &Purses) -> String {
    let [alice, bob] = Player::both(|player| purses.words(player));
    format!("({alice}, {bob})")
}

fn no_scores(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::WrongTheory, "this game has no scores: it is won or lost")
        .label(span, "asks for its score")
        .help("ask `f(G, k)` for the chips that win it, `G(4*, 4)` for who wins, or `tree(G, 8)` for the moves with 8 chips in all; scores are written `score e`")
        .into()
}

fn no_bid(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadPosition, "the game is over, so nobody bids")
        .label(span, "asks for the bids")
        .into()
}

fn half_a_split(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadChips,
        "a total budget has no star: it marks one player's chips",
    )
    .label(span, "one player's chips")
    .help("write `o(G, 5*, 5)` with both budgets, or `o(G, 10)` for every split of a total")
    .into()
}

fn no_marker(rules: &Rules, span: Span) -> Box<Diagnostic> {
    let (name, value) = FieldValue::Ties(rules.ties).words();
    Diagnostic::new(
        Code::RulesClash,
        format!("under `{name}: {value}` there is no marker whose worth could be tested"),
    )
    .label(span, "asks about the marker")
    .help("add `using { ties: marker }`, or `using larsson`")
    .into()
}
