//! Reports as comma-separated values (RFC 4180), for spreadsheets.
//!
//! A table has one line per value of its parameter; a list one line per item; a single value is a line of its own.

use std::fmt::{self, Write};
use std::iter;

use super::{Advice, Decision, Formula, Moves, Nash, Page, Pivotal, PivotalCell, Ply, Report, Strategy, Table, Tree};
use crate::rules::FieldValue;

/// Writes the report as lines, without a newline at the end.
///
/// # Errors
/// If the page's watch stops it.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    lines(rows(report), page)
}

/// Writes a shown value with its label before each of its lines.
///
/// # Errors
/// If the page's watch stops it.
pub fn labelled(label: &str, report: &Report, page: &mut Page<'_>) -> fmt::Result {
    lines(rows(report).map(|row| iter::once(Cell::Text(label.to_owned())).chain(row).collect()), page)
}

/// What stands in a cell.
enum Cell<'a> {
    Text(String),
    Report(&'a Report),
}

fn lines<'a>(rows: impl Iterator<Item = Vec<Cell<'a>>>, page: &mut Page<'_>) -> fmt::Result {
    for (place, row) in rows.enumerate() {
        page.write_str(if place == 0 { "" } else { "\n" })?;
        for (place, cell) in row.into_iter().enumerate() {
            let text = match cell {
                Cell::Text(text) => text,
                Cell::Report(report) => page.part(|page| super::text::write(report, page))?,
            };
            page.write_str(if place == 0 { "" } else { "," })?;
            page.write_str(&field(&text))?;
        }
    }
    Ok(())
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// The lines, made one after the other as they are written.
fn rows(report: &Report) -> Box<dyn Iterator<Item = Vec<Cell<'_>>> + '_> {
    let texts = |row: Vec<String>| row.into_iter().map(Cell::Text).collect();
    match report {
        Report::List(items) => Box::new(items.iter().map(cells)),
        Report::Scalar(_) | Report::Tuple(_) => Box::new(iter::once(cells(report))),
        Report::Record(facts) => {
            Box::new(facts.iter().map(|(name, fact)| vec![Cell::Text(name.clone()), Cell::Report(fact)]))
        }
        Report::Table(table) => Box::new(transposed(table).map(texts)),
        Report::Heat(heat) => Box::new(transposed(&heat.table).map(texts)),
        Report::Rules(_)
        | Report::Strategy(_)
        | Report::Moves(_)
        | Report::Tree(_)
        | Report::Nash(_)
        | Report::Closed(_)
        | Report::Listing(_)
        | Report::Hasse(_)
        | Report::Plot(_)
        | Report::Pivotal(_) => Box::new(short(report).into_iter().map(texts)),
    }
}

/// The lines of what has few of them.
fn short(report: &Report) -> Vec<Vec<String>> {
    match report {
        Report::Scalar(_)
        | Report::List(_)
        | Report::Tuple(_)
        | Report::Record(_)
        | Report::Table(_)
        | Report::Heat(_) => unreachable!("written line by line"),
        Report::Rules(fields) => {
            fields.iter().map(FieldValue::words).map(|(field, value)| vec![field.into(), value]).collect()
        }
        Report::Strategy(strategy) => advice(strategy),
        Report::Moves(found) => moves(found),
        Report::Tree(tree) => edges(tree),
        Report::Hasse(order) => order.cells(),
        Report::Plot(plot) => plot.cells(),
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
fn cells(item: &Report) -> Vec<Cell<'_>> {
    match item {
        Report::List(items) | Report::Tuple(items) => items.iter().map(Cell::Report).collect(),
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
        | Report::Pivotal(_) => vec![Cell::Report(item)],
    }
}

fn transposed(table: &Table) -> impl Iterator<Item = Vec<String>> {
    let labels = table.rows.iter().map(|row| row.label.clone());
    let head = [table.parameter.clone()].into_iter().chain(labels).collect();
    let body = table.columns.iter().enumerate().map(|(index, column)| {
        let values = table.rows.iter().map(|row| row.values[index].to_string());
        iter::once(column.to_string()).chain(values).collect()
    });
    iter::once(head).chain(body)
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
