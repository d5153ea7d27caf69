//! Reports as JSON, for programs. The schema is `docs/json.md`: every value is an object whose `type` says what it is, and
//! numbers are strings, since they are unbounded.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{
    Advice, ClosedForm, Curve, Decided, Decision, Exception, Formula, Hasse, Listing, MixedBid, Moves, Nash, Pivotal,
    PivotalCell, Plot, Ply, Promise, Report, Rest, Row, Scalar, Strategy, Table, Tree, TreeNode, ValuedMove, Weight,
};
use crate::player::Player;
use crate::rules::{Chips, FieldValue, Mark};

/// A JSON document that keeps its keys in the order of the schema, `type` first.
enum Json {
    Null,
    Bool(bool),
    Index(usize),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Index(value) => serializer.serialize_u64(*value as u64),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
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

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// An object with its keys in this order.
fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.map(|(key, value)| (key.to_owned(), value)).into())
}

/// An array of the images of the items.
fn array<'a, T: 'a>(items: impl IntoIterator<Item = &'a T>, image: impl Fn(&T) -> Json) -> Json {
    Json::Array(items.into_iter().map(image).collect())
}

fn write(json: &Json) -> String {
    serde_json::to_string(json).expect("strings, booleans and indices always serialise")
}

/// The report as one line of JSON.
pub fn render(report: &Report) -> String {
    write(&value(report))
}

/// A shown value with its label, as one line of JSON.
pub fn labelled(label: &str, report: &Report) -> String {
    write(&object([("label", label.into()), ("value", value(report))]))
}

fn value(report: &Report) -> Json {
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

fn scalar_value(scalar: &Scalar) -> Json {
    let plain = |kind: &str, value: Json| object([("type", kind.into()), ("value", value)]);
    match scalar {
        Scalar::Integer(value) => plain("integer", Json::Text(value.to_string())),
        Scalar::Rational(value) => object([
            ("type", "rational".into()),
            ("numerator", Json::Text(value.numer().to_string())),
            ("denominator", Json::Text(value.denom().to_string())),
        ]),
        Scalar::Chips(chips) => chips_value(chips),
        Scalar::Interval(bounds) => object([
            ("type", "interval".into()),
            ("low", Json::Text(bounds.low.to_string())),
            ("high", Json::Text(bounds.high.to_string())),
        ]),
        Scalar::Bounds(bounds) => object([
            ("type", "bounds".into()),
            ("low", scalar_value(&Scalar::Rational(bounds.low.clone()))),
            ("high", scalar_value(&Scalar::Rational(bounds.high.clone()))),
        ]),
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

fn chips_value(chips: &Chips) -> Json {
    let mark = match chips.mark {
        Mark::MinusEpsilon => "minus_epsilon",
        Mark::None => "none",
        Mark::Star => "star",
    };
    object([("type", "chips".into()), ("count", Json::Text(chips.count.to_string())), ("mark", mark.into())])
}

fn rules(fields: &[FieldValue]) -> Json {
    let fields = fields.iter().map(FieldValue::words).map(|(field, value)| (field.to_owned(), Json::Text(value)));
    object([("type", "rules".into()), ("fields", Json::Object(fields.collect()))])
}

fn record(facts: &[(String, Report)]) -> Json {
    let fields = facts.iter().map(|(name, fact)| (name.clone(), value(fact)));
    object([("type", "record".into()), ("fields", Json::Object(fields.collect()))])
}

fn table(table: &Table) -> Json {
    let row = |row: &Row| object([("label", (&row.label).into()), ("values", array(&row.values, scalar_value))]);
    object([
        ("type", "table".into()),
        ("parameter", (&table.parameter).into()),
        ("columns", array(&table.columns, scalar_value)),
        ("rows", array(&table.rows, row)),
    ])
}

fn closed(form: &ClosedForm) -> Json {
    let exception = |exception: &Exception| {
        object([
            ("k", Json::Text(exception.total.to_string())),
            ("value", scalar_value(&exception.value)),
            ("formula", scalar_value(&exception.formula)),
        ])
    };
    let formula = |formula: &Formula| {
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

fn listing(found: &Listing) -> Json {
    object([
        ("type", "listing".into()),
        ("columns", array(&found.columns, |column| column.into())),
        ("rows", array(&found.rows, |row| array(row, scalar_value))),
        ("note", (&found.note).into()),
    ])
}

fn advice(advice: &Advice) -> Json {
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
    let decided = |decision: &Option<Decision>| {
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

fn ply(ply: &Ply) -> Json {
    object([("player", ply.player.word().into()), ("move", (&ply.action).into()), ("position", (&ply.position).into())])
}

fn moves(found: &Moves) -> Json {
    let valued = |ValuedMove { ply: made, value, best }: &ValuedMove| {
        object([("ply", ply(made)), ("value", scalar_value(value)), ("best", Json::Bool(*best))])
    };
    object([("type", "moves".into()), ("measure", (&found.measure).into()), ("moves", array(&found.moves, valued))])
}

fn tree(tree: &Tree) -> Json {
    let node = |TreeNode { position, hexagons: _, value, moves, rest }: &TreeNode| {
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

fn plot(plot: &Plot) -> Json {
    let point = |(x, y): &(Scalar, Scalar)| Json::Array(vec![scalar_value(x), scalar_value(y)]);
    let curve = |curve: &Curve| match curve {
        Curve::Values { label, points } => object([("label", label.into()), ("points", array(points, point))]),
        Curve::Line(slope) => object([("line", scalar_value(&Scalar::from(slope)))]),
    };
    object([("type", "plot".into()), ("parameter", (&plot.parameter).into()), ("curves", array(&plot.curves, curve))])
}

fn hasse(order: &Hasse) -> Json {
    let pair = |&(below, above): &(usize, usize)| Json::Array(vec![Json::Index(below), Json::Index(above)]);
    object([
        ("type", "hasse".into()),
        ("games", array(&order.games, |game| game.into())),
        ("covers", array(&order.covers, pair)),
    ])
}

fn nash(nash: &Nash) -> Json {
    object([
        ("type", "nash".into()),
        ("measure", nash.worth.word().into()),
        ("value", scalar_value(&nash.value)),
        ("method", nash.method.into()),
        ("strategies", array(&nash.players, mixed_bid)),
    ])
}

fn pivotal(board: &Pivotal) -> Json {
    let cell = |cell: &PivotalCell| match cell {
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

fn mixed_bid(mixed: &MixedBid) -> Json {
    let bid = |(bid, weight): &(num_bigint::BigInt, Weight)| {
        object([("bid", Json::Text(bid.to_string())), ("probability", Json::Text(weight.full()))])
    };
    let decided = |Decided { chips: (least, most), decision, position }: &Decided| {
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
