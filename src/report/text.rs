//! Reports as text, for reading: what the REPL and `show` print, and what snapshots hold.

use std::fmt::{self, Write};

use super::{Advice, Decision, Moves, Page, Ply, Promise, Report, Scalar, Strategy, Table, outline};
use crate::rules::FieldValue;
use crate::syntax::quoted;
use crate::watch::Unwatched;

/// How many columns of a table stand side by side, as in the papers' tables.
pub const BLOCK: usize = 12;

/// The longest list that is printed on one line, in characters.
const LINE: usize = 100;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Page::written(&Unwatched, |page| write(self, page)).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

/// Writes the report, without a newline at the end.
///
/// # Errors
/// If the page's watch stops it.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    match report {
        Report::Scalar(scalar) => write!(page, "{scalar}"),
        Report::List(items) => list(items, page),
        Report::Tuple(_) | Report::Rules(_) => nested(report, page),
        Report::Record(facts) => record(facts, page),
        Report::Table(table) => blocks(table, page),
        Report::Strategy(strategy) => page.write_str(&advice(strategy)),
        Report::Moves(found) => page.write_str(&moves(found)),
        Report::Tree(tree) => page.write_str(&outline::of(tree)),
        Report::Nash(nash) => page.write_str(&nash.text()),
        Report::Closed(form) => page.write_str(&form.text()),
        Report::Listing(listing) => listing.write(page),
        Report::Hasse(order) => page.write_str(&order.text()),
        Report::Plot(plot) => page.write_str(&plot.text()),
        Report::Heat(heat) => page.write_str(&heat.text()),
        Report::Pivotal(board) => page.write_str(&board.text()),
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
///
/// # Errors
/// If the page's watch stops it.
pub fn labelled(label: &str, value: &Report, page: &mut Page<'_>) -> fmt::Result {
    let text = page.part(|page| write(value, page))?;
    page.write_str(label)?;
    page.write_str(if text.contains('\n') { "\n" } else { " = " })?;
    page.write_str(&text)
}

/// A value inside another one: strings are quoted. Lists in lists are written as they are met, each part once.
fn nested(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    match report {
        Report::Scalar(Scalar::String(text)) => page.write_str(&quoted(text)),
        Report::List(items) => joined(items, ["[", "]"], page),
        Report::Tuple(items) => joined(items, ["(", ")"], page),
        Report::Rules(fields) => page.write_str(&braces(fields)),
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
        | Report::Pivotal(_) => write(report, page),
    }
}

fn joined(items: &[Report], [open, close]: [&str; 2], page: &mut Page<'_>) -> fmt::Result {
    page.write_str(open)?;
    for (place, item) in items.iter().enumerate() {
        page.write_str(if place == 0 { "" } else { ", " })?;
        nested(item, page)?;
    }
    page.write_str(close)
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
fn list(items: &[Report], page: &mut Page<'_>) -> fmt::Result {
    let parts = items.iter().map(|item| page.part(|page| nested(item, page)));
    let items = parts.collect::<Result<Vec<String>, _>>()?;
    // What no line has room for is not joined first.
    let short = items.iter().map(String::len).sum::<usize>() <= LINE * char::MAX.len_utf8();
    let line = short.then(|| format!("[{}]", items.join(", ")));
    let has_long_items = items.iter().any(|item| item.contains('\n') || item.chars().count() > LINE / 2);
    if let Some(line) = line.filter(|line| !line.contains('\n') && line.chars().count() <= LINE) {
        page.write_str(&line)
    } else if has_long_items {
        page.write_str("[\n")?;
        items.iter().try_for_each(|item| writeln!(page, "  {},", item.replace('\n', "\n  ")))?;
        page.write_str("]")
    } else {
        fill(&items, page)
    }
}

fn fill(items: &[String], page: &mut Page<'_>) -> fmt::Result {
    page.write_str("[")?;
    let mut width = 1;
    for (index, item) in items.iter().enumerate() {
        let separator = if index + 1 == items.len() { "]" } else { "," };
        let length = item.chars().count() + separator.len() + 1;
        if width + length > LINE {
            page.write_str("\n")?;
            width = 0;
        }
        if width != 1 || index != 0 {
            page.write_str(" ")?;
        }
        page.write_str(item)?;
        page.write_str(separator)?;
        width += length;
    }
    Ok(())
}

/// Rows of cells as left-aligned columns, two spaces apart.
pub(super) fn align(rows: &[Vec<String>]) -> String {
    Page::written(&Unwatched, |page| aligned(rows, page)).expect("nothing stops it")
}

/// The same under a watch.
pub(super) fn aligned(rows: &[Vec<String>], page: &mut Page<'_>) -> fmt::Result {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell: &String| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for (place, row) in rows.iter().enumerate() {
        page.write_str(if place == 0 { "" } else { "\n" })?;
        page.write_str(&line(row, &widths))?;
    }
    Ok(())
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

fn record(facts: &[(String, Report)], page: &mut Page<'_>) -> fmt::Result {
    let row = |(name, value): &(String, Report)| Ok(vec![name.clone(), page.part(|page| write(value, page))?]);
    let rows = facts.iter().map(row).collect::<Result<Vec<_>, fmt::Error>>()?;
    aligned(&rows, page)
}

/// The table in blocks of [`BLOCK`] columns of equal width.
fn blocks(table: &Table, page: &mut Page<'_>) -> fmt::Result {
    let cells = table.columns.iter().chain(table.rows.iter().flat_map(|row| &row.values));
    let mut width = 0;
    for cell in cells {
        width = width.max(page.part(|page| write!(page, "{cell}"))?.chars().count());
    }
    let labels = table.rows.iter().map(|row| &row.label).chain([&table.parameter]);
    let label_width = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    let row = |label: &str, values: &[Scalar]| {
        let cells = values.iter().map(|value| format!("  {}", padded(&value.to_string(), width)));
        format!("{}{}", padded(label, label_width), cells.collect::<String>()).trim_end().to_owned()
    };
    for start in (0..table.columns.len().max(1)).step_by(BLOCK) {
        page.write_str(if start == 0 { "" } else { "\n\n" })?;
        let range = start..table.columns.len().min(start + BLOCK);
        page.write_str(&row(&table.parameter, &table.columns[range.clone()]))?;
        for each in &table.rows {
            write!(page, "\n{}", row(&each.label, &each.values[range.clone()]))?;
        }
    }
    Ok(())
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
