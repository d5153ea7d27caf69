//! Reports as comma-separated values (RFC 4180), for spreadsheets.
//!
//! A table has one line per value of its parameter; a list one line per item; a single value is a line of its own.

use super::{Advice, Decision, Formula, Moves, Nash, Pivotal, PivotalCell, Ply, Report, Scalar, Strategy, Table, Tree};
use crate::rules::FieldValue;

/// The report as lines, without a newline at the end.
pub fn render(report: &Report) -> String {
    let lines: Vec<String> = rows(report).iter().map(|row| line(row)).collect();
    lines.join("\n")
}

/// A shown value with its label before each of its lines.
pub fn labelled(label: &str, report: &Report) -> String {
    let with_label = |row: Vec<String>| line(&[vec![label.to_owned()], row].concat());
    rows(report).into_iter().map(with_label).collect::<Vec<_>>().join("\n")
}

fn line(cells: &[String]) -> String {
    cells.iter().map(|cell| field(cell)).collect::<Vec<_>>().join(",")
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn rows(report: &Report) -> Vec<Vec<String>> {
    match report {
        Report::Scalar(_) => vec![vec![report.to_string()]],
        Report::List(items) => items.iter().map(cells).collect(),
        Report::Tuple(_) => vec![cells(report)],
        Report::Rules(fields) => {
            fields.iter().map(FieldValue::words).map(|(field, value)| vec![field.into(), value]).collect()
        }
        Report::Record(facts) => facts.iter().map(|(name, fact)| vec![name.clone(), fact.to_string()]).collect(),
        Report::Table(table) => transposed(table),
        Report::Strategy(strategy) => advice(strategy),
        Report::Moves(found) => moves(found),
        Report::Tree(tree) => edges(tree),
        Report::Hasse(order) => order.cells(),
        Report::Plot(plot) => plot.cells(),
        Report::Heat(heat) => transposed(&heat.table),
        Report::Nash(nash) => bids(nash),
        Report::Closed(form) => [words(["formula", "kind", "place", "value"])]
            .into_iter()
            .chain(form.formulas.iter().flat_map(Formula::cells))
            .collect(),
        Report::Listing(listing) => listing.cells(),
        Report::Pivotal(board) => pivotal(board),
    }
}

/// The cells of an item: the parts of a tuple or list, else the item itself.
fn cells(item: &Report) -> Vec<String> {
    match item {
        Report::List(items) | Report::Tuple(items) => items.iter().map(ToString::to_string).collect(),
        Report::Scalar(_)
        | Report::Rules(_)
        | Report::Record(_)
        | Report::Table(_)
        | Report::Strategy(_)
        | Report::Moves(_)
        | Report::Tree(_)
        | Report::Nash(_)
        | Report::Closed(_)
        | Report::Listing(_)
        | Report::Hasse(_)
        | Report::Plot(_)
        | Report::Heat(_)
        | Report::Pivotal(_) => vec![item.to_string()],
    }
}

fn transposed(table: &Table) -> Vec<Vec<String>> {
    let labels = table.rows.iter().map(|row| row.label.clone());
    let head = [table.parameter.clone()].into_iter().chain(labels).collect();
    let value = |scalar: &Scalar| scalar.to_string();
    let body = table.columns.iter().enumerate().map(|(index, column)| {
        [value(column)].into_iter().chain(table.rows.iter().map(|row| value(&row.values[index]))).collect()
    });
    [head].into_iter().chain(body).collect()
}

/// A line for each cell; those of a cell that is taken say by whom.
fn pivotal(board: &Pivotal) -> Vec<Vec<String>> {
    let cell = |(index, cell): (usize, &PivotalCell)| {
        let [taken, probability] = match cell {
            PivotalCell::Taken(player) => [player.word().to_owned(), String::new()],
            PivotalCell::Open { probability, .. } => [String::new(), probability.to_string()],
        };
        vec![(index / board.cols).to_string(), (index % board.cols).to_string(), taken, probability]
    };
    let head = words(["row", "col", "taken", "pivotal"]);
    [head].into_iter().chain(board.cells.iter().enumerate().map(cell)).collect()
}

fn words<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn advice(strategy: &Strategy) -> Vec<Vec<String>> {
    let head = words(["player", "promise", "bid", "use_advantage", "if_won", "if_tie_won", "if_made_to_move"]);
    let row = |advice: &Advice| {
        let promise = match &advice.promise {
            super::Promise::Win => "win".to_owned(),
            super::Promise::NoLoss => "no_loss".to_owned(),
            super::Promise::Nothing => "nothing".to_owned(),
            super::Promise::Score(score) => super::Promise::bound(advice.player, score),
        };
        let bid = advice.bid.as_ref().map(ToString::to_string).unwrap_or_default();
        let uses = advice.use_advantage.map(|uses| uses.to_string()).unwrap_or_default();
        let decided = |decision: &Option<Decision>| match decision {
            Some(Decision::Move(made)) => ply(made),
            Some(Decision::LetMove) => format!("let {} move", advice.player.other().word()),
            None => String::new(),
        };
        let (decision, tied) = (decided(&advice.decision), decided(&advice.tied_decision));
        let forced = advice.forced.as_ref().map(ply).unwrap_or_default();
        vec![advice.player.word().to_owned(), promise, bid, uses, decision, tied, forced]
    };
    [head].into_iter().chain(strategy.advice.iter().map(row)).collect()
}

/// The move by its name, or by where it leads.
fn ply(ply: &Ply) -> String {
    if ply.action.is_empty() { ply.position.clone() } else { ply.action.clone() }
}

fn moves(found: &Moves) -> Vec<Vec<String>> {
    let head = words(["player", "move", "position", &found.measure, "best"]);
    let rows = found.moves.iter().map(|each| {
        let best = each.best.to_string();
        words([each.ply.player.word(), &each.ply.action, &each.ply.position, &each.value.to_string(), &best])
    });
    [head].into_iter().chain(rows).collect()
}

/// One line per bid that is made.
fn bids(nash: &Nash) -> Vec<Vec<String>> {
    let head = words(["player", "bid", "probability"]);
    let rows = nash.players.iter().flat_map(|mixed| {
        mixed.bids.iter().map(|(bid, weight)| words([mixed.player.word(), &bid.to_string(), &weight.full()]))
    });
    [head].into_iter().chain(rows).collect()
}

/// One line per optimal move, with both positions and their values.
fn edges(tree: &Tree) -> Vec<Vec<String>> {
    let head = words(["from", &tree.measure, "player", "move", "to", &tree.measure]);
    let rows = tree.nodes.iter().flat_map(|node| {
        node.moves.iter().map(|(player, action, to)| {
            let head = &tree.nodes[*to];
            let (value, reached) = (node.value.to_string(), head.value.to_string());
            words([&node.position, &value, player.word(), action, &head.position, &reached])
        })
    });
    [head].into_iter().chain(rows).collect()
}
