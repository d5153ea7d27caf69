//! Reports as text, for reading: what the REPL and `show` print, and what snapshots hold.

use std::fmt;

use super::{Advice, Decision, Moves, Ply, Promise, Report, Scalar, Strategy, Table, outline};
use crate::rules::FieldValue;
use crate::syntax::quoted;

/// How many columns of a table stand side by side, as in the papers' tables.
pub const BLOCK: usize = 12;

/// The longest list that is printed on one line, in characters.
const LINE: usize = 100;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::List(items) => f.write_str(&list(items)),
            Self::Tuple(_) | Self::Rules(_) => f.write_str(&nested(self)),
            Self::Record(facts) => f.write_str(&record(facts)),
            Self::Table(table) => f.write_str(&blocks(table)),
            Self::Strategy(strategy) => f.write_str(&advice(strategy)),
            Self::Moves(found) => f.write_str(&moves(found)),
            Self::Tree(tree) => f.write_str(&outline::of(tree)),
            Self::Nash(nash) => f.write_str(&nash.text()),
            Self::Closed(form) => f.write_str(&form.text()),
            Self::Listing(listing) => f.write_str(&listing.text()),
            Self::Hasse(order) => f.write_str(&order.text()),
            Self::Plot(plot) => f.write_str(&plot.text()),
            Self::Heat(heat) => f.write_str(&heat.text()),
            Self::Pivotal(board) => f.write_str(&board.text()),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Rational(value) => value.fmt(f),
            Self::Chips(chips) => chips.fmt(f),
            Self::Interval(interval) => f.write_str(&interval.text()),
            Self::Bounds(bounds) => f.write_str(&bounds.text()),
            Self::Tuple(parts) => {
                write!(f, "({})", parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
            }
            Self::Bool(value) => value.fmt(f),
            Self::String(text) | Self::Game(text) => f.write_str(text),
            Self::Player(player) => f.write_str(player.word()),
            Self::Outcome(outcome) => f.write_str(outcome.word()),
            Self::Word(word) => f.write_str(word),
            Self::Function { name, parameters } => write!(f, "{name}({})", parameters.join(", ")),
        }
    }
}

/// `label = value` on one line, or the label and the value below it when it takes several lines: what `show` prints.
pub fn labelled(label: &str, value: &Report) -> String {
    let text = value.to_string();
    if text.contains('\n') { format!("{label}\n{text}") } else { format!("{label} = {text}") }
}

/// A value inside another one: strings are quoted.
fn nested(report: &Report) -> String {
    match report {
        Report::Scalar(Scalar::String(text)) => quoted(text),
        Report::List(items) => format!("[{}]", joined(items)),
        Report::Tuple(items) => format!("({})", joined(items)),
        Report::Rules(fields) => braces(fields),
        Report::Scalar(_)
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
        | Report::Pivotal(_) => report.to_string(),
    }
}

fn joined(items: &[Report]) -> String {
    items.iter().map(nested).collect::<Vec<_>>().join(", ")
}

fn braces(fields: &[FieldValue]) -> String {
    if fields.is_empty() {
        return "{ }".to_owned();
    }
    let words: Vec<_> =
        fields.iter().map(FieldValue::words).map(|(field, value)| format!("{field}: {value}")).collect();
    format!("{{ {} }}", words.join(", "))
}

/// A list on one line if it is short, filled lines if its items are short, else an item per line.
fn list(items: &[Report]) -> String {
    let items: Vec<String> = items.iter().map(nested).collect();
    let line = format!("[{}]", items.join(", "));
    let has_long_items = items.iter().any(|item| item.contains('\n') || item.chars().count() > LINE / 2);
    if !line.contains('\n') && line.chars().count() <= LINE {
        line
    } else if has_long_items {
        let indented = items.iter().map(|item| format!("  {},\n", item.replace('\n', "\n  ")));
        format!("[\n{}]", indented.collect::<String>())
    } else {
        fill(&items)
    }
}

fn fill(items: &[String]) -> String {
    let mut text = "[".to_owned();
    let mut width = 1;
    for (index, item) in items.iter().enumerate() {
        let separator = if index + 1 == items.len() { "]" } else { "," };
        let length = item.chars().count() + separator.len() + 1;
        if width + length > LINE {
            text.push('\n');
            width = 0;
        }
        if width != 1 || index != 0 {
            text.push(' ');
        }
        text.push_str(item);
        text.push_str(separator);
        width += length;
    }
    text
}

/// Rows of cells as left-aligned columns, two spaces apart.
pub(super) fn align(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell: &String| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| line(row, &widths));
    lines.collect::<Vec<_>>().join("\n")
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).map(|(cell, width)| padded(cell, *width));
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

/// Text with spaces up to a width that may be more than the 65,535 that formatting allows.
fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

fn record(facts: &[(String, Report)]) -> String {
    align(&facts.iter().map(|(name, value)| vec![name.clone(), value.to_string()]).collect::<Vec<_>>())
}

/// The table in blocks of [`BLOCK`] columns of equal width.
fn blocks(table: &Table) -> String {
    let cells = table.columns.iter().chain(table.rows.iter().flat_map(|row| &row.values));
    let width = cells.map(|cell| cell.to_string().chars().count()).max().unwrap_or(0);
    let labels = table.rows.iter().map(|row| &row.label).chain([&table.parameter]);
    let label_width = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    let row = |label: &str, values: &[Scalar]| {
        let cells = values.iter().map(|value| format!("  {}", padded(&value.to_string(), width)));
        format!("{}{}", padded(label, label_width), cells.collect::<String>()).trim_end().to_owned()
    };
    let block = |start: usize| {
        let range = start..table.columns.len().min(start + BLOCK);
        let header = row(&table.parameter, &table.columns[range.clone()]);
        let rows = table.rows.iter().map(|each| row(&each.label, &each.values[range.clone()]));
        [header].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
    };
    (0..table.columns.len().max(1)).step_by(BLOCK).map(block).collect::<Vec<_>>().join("\n\n")
}

fn advice(strategy: &Strategy) -> String {
    strategy.advice.iter().map(advice_for).collect::<Vec<_>>().join("\n")
}

fn advice_for(advice: &Advice) -> String {
    let promise = match &advice.promise {
        Promise::Win => "wins".to_owned(),
        Promise::NoLoss => "does not lose".to_owned(),
        Promise::Nothing => "can be beaten".to_owned(),
        Promise::Score(score) => {
            let verb = if advice.player == crate::player::Player::Alice { "gets" } else { "concedes" };
            format!("{verb} {}", Promise::bound(advice.player, score))
        }
    };
    let mut rows = Vec::new();
    let mut fact = |name: &str, value: String| rows.push(vec![format!("  {name}"), value]);
    if let Some(bid) = &advice.bid {
        fact("bid", bid.to_string());
    }
    if let Some(uses) = advice.use_advantage {
        fact("on a tie", if uses { "use the advantage" } else { "keep the advantage" }.to_owned());
    }
    for (name, decision) in [("if won", &advice.decision), ("if a tie is won", &advice.tied_decision)] {
        match decision {
            Some(Decision::Move(ply)) => fact(name, format!("move {}", ply_text(ply))),
            Some(Decision::LetMove) => fact(name, format!("let {} move", advice.player.other().word())),
            None => {}
        }
    }
    if let Some(ply) = &advice.forced {
        fact("if made to move", ply_text(ply));
    }
    let head = format!("{} {promise}", advice.player.word());
    if rows.is_empty() { head } else { format!("{head}\n{}", align(&rows)) }
}

/// `place(1, 1) to ".../.A./..."`, or only where it leads.
fn ply_text(ply: &Ply) -> String {
    if ply.action.is_empty() { format!("to {}", ply.position) } else { format!("{} to {}", ply.action, ply.position) }
}

fn moves(found: &Moves) -> String {
    let head = ["player", "move", "to", &found.measure, ""].map(str::to_owned).to_vec();
    let rows = found.moves.iter().map(|each| {
        let best = if each.best { "best" } else { "" };
        let ply = &each.ply;
        vec![
            ply.player.word().to_owned(),
            ply.action.clone(),
            ply.position.clone(),
            each.value.to_string(),
            best.into(),
        ]
    });
    let rows: Vec<_> = [head].into_iter().chain(rows).collect();
    let named = found.moves.iter().any(|each| !each.ply.action.is_empty());
    align(&if named { rows } else { without_column(rows, 1) })
}

fn without_column(mut rows: Vec<Vec<String>>, column: usize) -> Vec<Vec<String>> {
    for row in &mut rows {
        row.remove(column);
    }
    rows
}
