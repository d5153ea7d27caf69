//! Reports as JSON, for programs. The schema is `docs/json.md`: every value is an object whose `type` says what it is, and
//! numbers are strings, since they are unbounded.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{
    Advice, ClosedForm, Curve, Decided, Decision, Exception, Formula, Hasse, Listing, MixedBid, Moves, Nash, Page,
    Pivotal, PivotalCell, Plot, Ply, Promise, Report, Rest, Row, Scalar, Strategy, Table, Tree, TreeNode, ValuedMove,
    Weight,
};
use crate::player::Player;
use crate::rules::{Chips, FieldValue, Mark};

/// A JSON document that keeps its keys in the order of the schema, `type` first.
enum Json<'a> {
    Null,
    Bool(bool),
    Index(usize),
    Text(String),
    Array(Items<'a>),
    Object(Vec<(String, Json<'a>)>),
}

/// The items of an array, made one after the other as they are written: what is long or nested deeply never stands as a whole.
type Items<'a> = Box<dyn Fn() -> Box<dyn Iterator<Item = Json<'a>> + 'a> + 'a>;

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Index(value) => serializer.serialize_u64(*value as u64),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items()),
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl From<&str> for Json<'_> {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Json<'_> {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl<'a, T: Into<Json<'a>>> From<Option<T>> for Json<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// An object with its keys in this order.
fn object<'a, const N: usize>(fields: [(&str, Json<'a>); N]) -> Json<'a> {
    Json::Object(fields.map(|(key, value)| (key.to_owned(), value)).into())
}

/// An array of the images of the items.
fn array<'a, T>(items: &'a [T], image: impl Fn(&'a T) -> Json<'a> + Copy + 'a) -> Json<'a> {
    Json::Array(Box::new(move || Box::new(items.iter().map(image))))
}

/// An array of two.
fn pair<'a, T>(items: [T; 2], image: impl Fn(T) -> Json<'a> + Copy + 'a) -> Json<'a>
where
    T: Copy + 'a,
{
    Json::Array(Box::new(move || Box::new(items.into_iter().map(image))))
}

fn serialised(json: &Json<'_>, page: &mut Page<'_>) -> fmt::Result {
    // Strings, booleans and indices always serialise: only the page fails, when it is stopped.
    serde_json::to_writer(page, json).map_err(|_| fmt::Error)
}

/// Writes the report as one line of JSON.
///
/// # Errors
/// If the page's watch stops it.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    serialised(&value(report), page)
}

/// Writes a shown value with its label, as one line of JSON.
///
/// # Errors
/// If the page's watch stops it.
pub fn labelled(label: &str, report: &Report, page: &mut Page<'_>) -> fmt::Result {
    serialised(&object([("label", label.into()), ("value", value(report))]), page)
}

fn value(report: &Report) -> Json<'_> {
    match report {
        Report::Scalar(scalar) => scalar_value(scalar),
        Report::List(items) => object([("type", "list".into()), ("items", array(items, value))]),
        Report::Tuple(items) => object([("type", "tuple".into()), ("items", array(items, value))]),
        Report::Rules(fields) => rules(fields),
        Report::Record(facts) => record(facts),
        Report::Table(found) => table(found),
        Report::Strategy(Strategy { advice: found }) => {
            object([("type", "strategy".into()), ("advice", array(found, advice))])
        }
        Report::Moves(found) => moves(found),
        Report::Tree(found) => tree(found),
        Report::Nash(found) => nash(found),
        Report::Closed(found) => closed(found),
        Report::Listing(found) => listing(found),
        Report::Pivotal(found) => pivotal(found),
        Report::Hasse(found) => hasse(found),
        Report::Plot(found) => plot(found),
        Report::Heat(found) => object([("type", "heat".into()), ("table", table(&found.table))]),
    }
}

fn scalar_value<'a>(scalar: &'a Scalar) -> Json<'a> {
    let plain = |kind: &str, value: Json<'a>| object([("type", kind.into()), ("value", value)]);
    match scalar {
        Scalar::Integer(value) => integer(value),
        Scalar::Rational(value) => rational(value),
        Scalar::Chips(chips) => chips_value(chips),
        Scalar::Interval(bounds) => object([
            ("type", "interval".into()),
            ("low", Json::Text(bounds.low.to_string())),
            ("high", Json::Text(bounds.high.to_string())),
        ]),
        Scalar::Bounds(bounds) => {
            object([("type", "bounds".into()), ("low", rational(&bounds.low)), ("high", rational(&bounds.high))])
        }
        Scalar::Tuple(parts) => object([("type", "tuple".into()), ("items", array(parts, scalar_value))]),
        Scalar::Bool(value) => plain("bool", Json::Bool(*value)),
        Scalar::String(text) => plain("string", text.into()),
        Scalar::Player(player) => plain("player", player.word().into()),
        Scalar::Outcome(outcome) => plain("outcome", outcome.word().into()),
        Scalar::Word(word) => plain("word", (*word).into()),
        Scalar::Game(text) => plain("game", text.into()),
        Scalar::Function { name, parameters } => object([
            ("type", "function".into()),
            ("name", name.into()),
            ("parameters", array(parameters, |name| name.into())),
        ]),
    }
}

/// A rational that is written as an integer if it is one.
fn number<'a>(value: &BigRational) -> Json<'a> {
    if value.is_integer() { integer(value.numer()) } else { rational(value) }
}

fn integer<'a>(value: &BigInt) -> Json<'a> {
    object([("type", "integer".into()), ("value", Json::Text(value.to_string()))])
}

fn rational<'a>(value: &BigRational) -> Json<'a> {
    object([
        ("type", "rational".into()),
        ("numerator", Json::Text(value.numer().to_string())),
        ("denominator", Json::Text(value.denom().to_string())),
    ])
}

fn chips_value(chips: &Chips) -> Json<'_> {
    let mark = match chips.mark {
        Mark::MinusEpsilon => "minus_epsilon",
        Mark::None => "none",
        Mark::Star => "star",
    };
    object([("type", "chips".into()), ("count", Json::Text(chips.count.to_string())), ("mark", mark.into())])
}

fn rules(fields: &[FieldValue]) -> Json<'_> {
    let fields = fields.iter().map(FieldValue::words).map(|(field, value)| (field.to_owned(), Json::Text(value)));
    object([("type", "rules".into()), ("fields", Json::Object(fields.collect()))])
}

fn record(facts: &[(String, Report)]) -> Json<'_> {
    let fields = facts.iter().map(|(name, fact)| (name.clone(), value(fact)));
    object([("type", "record".into()), ("fields", Json::Object(fields.collect()))])
}

fn table<'a>(table: &'a Table) -> Json<'a> {
    let row =
        move |row: &'a Row| object([("label", (&row.label).into()), ("values", array(&row.values, scalar_value))]);
    object([
        ("type", "table".into()),
        ("parameter", (&table.parameter).into()),
        ("columns", array(&table.columns, scalar_value)),
        ("rows", array(&table.rows, row)),
    ])
}

fn closed<'a>(form: &'a ClosedForm) -> Json<'a> {
    let exception = move |exception: &'a Exception| {
        object([
            ("k", Json::Text(exception.total.to_string())),
            ("value", scalar_value(&exception.value)),
            ("formula", scalar_value(&exception.formula)),
        ])
    };
    let formula = move |formula: &'a Formula| {
        object([
            ("label", (&formula.label).into()),
            ("period", Json::Text(formula.period.to_string())),
            ("increment", Json::Text(formula.increment.to_string())),
            ("terms", array(&formula.terms, scalar_value)),
            ("exceptions", array(&formula.exceptions, exception)),
        ])
    };
    object([
        ("type", "closed_form".into()),
        ("formulas", array(&form.formulas, formula)),
        ("proof", (&form.proof).into()),
    ])
}

fn listing(found: &Listing) -> Json<'_> {
    object([
        ("type", "listing".into()),
        ("columns", array(&found.columns, |column| column.into())),
        ("rows", array(&found.rows, |row| array(row, scalar_value))),
        ("note", (&found.note).into()),
    ])
}

fn advice<'a>(advice: &'a Advice) -> Json<'a> {
    let promise = match &advice.promise {
        Promise::Win => "win".into(),
        Promise::NoLoss => "no_loss".into(),
        Promise::Nothing => "nothing".into(),
        Promise::Score(score) => {
            let bound = match advice.player {
                Player::Alice => "at_least",
                Player::Bob => "at_most",
            };
            object([(bound, scalar_value(score))])
        }
    };
    let decided = move |decision: &'a Option<Decision>| {
        decision.as_ref().map(|decision| match decision {
            Decision::Move(made) => ply(made),
            Decision::LetMove => object([("let_move", advice.player.other().word().into())]),
        })
    };
    object([
        ("player", advice.player.word().into()),
        ("promise", promise),
        ("bid", advice.bid.as_ref().map(|bid| Json::Text(bid.to_string())).into()),
        ("use_advantage", advice.use_advantage.map(Json::Bool).into()),
        ("decision", decided(&advice.decision).into()),
        ("tied_decision", decided(&advice.tied_decision).into()),
        ("forced", advice.forced.as_ref().map(ply).into()),
    ])
}

fn ply(ply: &Ply) -> Json<'_> {
    object([("player", ply.player.word().into()), ("move", (&ply.action).into()), ("position", (&ply.position).into())])
}

fn moves<'a>(found: &'a Moves) -> Json<'a> {
    let valued = move |ValuedMove { ply: made, value, best }: &'a ValuedMove| {
        object([("ply", ply(made)), ("value", scalar_value(value)), ("best", Json::Bool(*best))])
    };
    object([("type", "moves".into()), ("measure", (&found.measure).into()), ("moves", array(&found.moves, valued))])
}

fn tree<'a>(tree: &'a Tree) -> Json<'a> {
    let node = move |TreeNode { position, hexagons: _, value, moves, rest }: &'a TreeNode| {
        let edges = array(moves, |(player, action, to)| {
            object([("player", player.word().into()), ("move", action.into()), ("to", Json::Index(*to))])
        });
        let rest = match rest {
            Rest::Shown => "shown",
            Rest::Decided => "decided",
            Rest::LeftOut => "left_out",
        };
        object([("position", position.into()), ("value", scalar_value(value)), ("moves", edges), ("rest", rest.into())])
    };
    object([("type", "tree".into()), ("measure", (&tree.measure).into()), ("nodes", array(&tree.nodes, node))])
}

fn plot<'a>(plot: &'a Plot) -> Json<'a> {
    let point = move |(x, y): &'a (Scalar, Scalar)| pair([x, y], scalar_value);
    let curve = move |curve: &'a Curve| match curve {
        Curve::Values { label, points } => object([("label", label.into()), ("points", array(points, point))]),
        Curve::Line(slope) => object([("line", number(slope))]),
    };
    object([("type", "plot".into()), ("parameter", (&plot.parameter).into()), ("curves", array(&plot.curves, curve))])
}

fn hasse<'a>(order: &'a Hasse) -> Json<'a> {
    let cover = move |&(below, above): &'a (usize, usize)| pair([below, above], Json::Index);
    object([
        ("type", "hasse".into()),
        ("games", array(&order.games, |game| game.into())),
        ("covers", array(&order.covers, cover)),
    ])
}

fn nash(nash: &Nash) -> Json<'_> {
    object([
        ("type", "nash".into()),
        ("measure", nash.worth.word().into()),
        ("value", scalar_value(&nash.value)),
        ("method", nash.method.into()),
        ("strategies", array(&nash.players, mixed_bid)),
    ])
}

fn pivotal<'a>(board: &'a Pivotal) -> Json<'a> {
    let cell = move |cell: &'a PivotalCell| match cell {
        PivotalCell::Taken(player) => object([("taken", player.word().into())]),
        PivotalCell::Open { probability, best } => {
            object([("pivotal", scalar_value(probability)), ("best", Json::Bool(*best))])
        }
    };
    object([
        ("type", "pivotal".into()),
        ("win", scalar_value(&board.win)),
        ("bid", board.bid.as_ref().map(scalar_value).into()),
        ("method", (&board.method).into()),
        ("cols", Json::Index(board.cols)),
        ("cells", array(&board.cells, cell)),
    ])
}

fn mixed_bid<'a>(mixed: &'a MixedBid) -> Json<'a> {
    let bid = move |(bid, weight): &'a (BigInt, Weight)| {
        object([("bid", Json::Text(bid.to_string())), ("probability", Json::Text(weight.full()))])
    };
    let decided = move |Decided { chips: (least, most), decision, position }: &'a Decided| {
        let what = match decision {
            Decision::Move(made) => ply(made),
            Decision::LetMove => {
                object([("let_move", mixed.player.other().word().into()), ("position", position.into())])
            }
        };
        object([("least", least.into()), ("most", most.into()), ("decision", what)])
    };
    object([
        ("player", mixed.player.word().into()),
        ("chips", (&mixed.chips).into()),
        ("bids", array(&mixed.bids, bid)),
        ("decisions", array(&mixed.decisions, decided)),
    ])
}
