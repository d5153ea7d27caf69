//! Writes reports as text, for reading: the output of the REPL and of `show`, and the contents of
//! snapshots.

use std::fmt::{self, Write};

use super::block::{Block, Cell, ColumnFlow, Facts, Grid, Line, Medium};
use super::{Page, Report};
use bid_language::rules::print_fields;
use bid_language::scalar::Scalar;
use bid_language::syntax::quoted;
use bid_language::watch::Context;

/// The longest list that is printed on one line, in characters.
const LINE: usize = 100;

/// The width of sentences, so that no terminal breaks them within a word.
const SENTENCE: usize = 80;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text =
            Page::written(Context::plain(), |page| write(self, page)).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

/// Writes the report, without a newline at the end.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    page.joined(
        "\n\n",
        report.blocks(Medium::Terminal),
        |page, block| match block {
            Block::Lines(lines) => {
                page.joined("\n", lines.iter(), |page, found| match &found[..] {
                    [Cell::Text(sentence)] => page.write_str(&filled(sentence, 0)),
                    _ => line(&found, page),
                })
            }
            Block::Grid(found) => grid(&found, page),
            Block::Facts(groups) => page.joined("\n", &groups, |page, group| facts(group, page)),
            Block::Picture(picture) => {
                let picture = page.watched(|context| picture.text(context))?;
                page.write_str(&picture)
            }
        },
    )
}

/// Writes `label = value` on one line, or the label and the value below it if the value has several
/// lines, as `show` does.
pub fn labelled(label: &str, value: &Report, page: &mut Page<'_>) -> fmt::Result {
    // The form depends on the lines of the value, so that it is written before the label.
    let text = page.part(|page| write(value, page))?;
    page.write_str(&beside(label, &text))
}

/// Joins a label and a value on one line, or puts the label above a value of several lines.
pub fn beside(label: &str, value: &str) -> String {
    let between = if value.contains('\n') { "\n" } else { " = " };
    format!("{label}{between}{value}")
}

/// Writes the contents of a cell.
pub fn cell(cell: &Cell<'_>, page: &mut Page<'_>) -> fmt::Result {
    match cell {
        Cell::Nothing => Ok(()),
        Cell::Text(text) | Cell::Expression(text) => page.write_str(text),
        Cell::Formula { text, .. } | Cell::Fixed(text) => page.write_str(text),
        Cell::Value(value) | Cell::Entry(value) => write!(page, "{value}"),
        Cell::List(items) => list(items, page),
        Cell::Tuple(items) => joined(items, ["(", ")"], page),
        Cell::Rules(fields) => page.write_str(&print_fields(fields)),
        Cell::Answer(report) => write(report, page),
    }
}

/// Writes cells one after the other.
pub fn line(line: &Line<'_>, page: &mut Page<'_>) -> fmt::Result {
    line.iter().try_for_each(|part| cell(part, page))
}

/// Writes a value inside another one, with strings in quotes. Nested lists are written directly,
/// each part once.
fn nested(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    match &report.cell() {
        Cell::Value(value) if let Scalar::String(text) = &**value => page.write_str(&quoted(text)),
        Cell::List(items) => joined(items, ["[", "]"], page),
        other => cell(other, page),
    }
}

fn joined(items: &[Report], [open, close]: [&str; 2], page: &mut Page<'_>) -> fmt::Result {
    page.write_str(open)?;
    page.joined(", ", items, |page, item| nested(item, page))?;
    page.write_str(close)
}

/// Writes a list: on one line if it is short, in filled lines if its items are short, else one item
/// per line.
fn list(items: &[Report], page: &mut Page<'_>) -> fmt::Result {
    let parts = items
        .iter()
        .map(|item| page.part(|page| nested(item, page)));
    let items = parts.collect::<Result<Vec<String>, _>>()?;
    // A list that is too long for a line is not joined.
    let short = items.iter().map(String::len).sum::<usize>() <= LINE * char::MAX.len_utf8();
    let line = short.then(|| format!("[{}]", items.join(", ")));
    let has_long_items = items
        .iter()
        .any(|item| item.contains('\n') || item.chars().count() > LINE / 2);
    if let Some(line) = line.filter(|line| !line.contains('\n') && line.chars().count() <= LINE) {
        page.write_str(&line)
    } else if has_long_items {
        page.write_str("[\n")?;
        items
            .iter()
            .try_for_each(|item| writeln!(page, "  {},", item.replace('\n', "\n  ")))?;
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
        // No space stands between the bracket and the first item.
        if width != 1 || index != 0 {
            page.write_str(" ")?;
        }
        page.write_str(item)?;
        page.write_str(separator)?;
        width += length;
    }
    Ok(())
}

/// Writes the rows as left-aligned columns, two spaces apart. The values of a parameter have
/// columns of equal width.
fn grid(grid: &Grid<'_>, page: &mut Page<'_>) -> fmt::Result {
    let rows = || [None].into_iter().chain((0..grid.rows).map(Some));
    let mut widths = vec![0; grid.columns.len()];
    for row in rows() {
        for (column, width) in widths.iter_mut().enumerate() {
            let text = page.part(|page| cell(&grid.at(row, column), page))?;
            *width = text.chars().count().max(*width);
        }
    }
    if let (ColumnFlow::Across, Some((_, values))) = (grid.runs, widths.split_first_mut()) {
        let widest = values.iter().copied().max().unwrap_or(0);
        // Columns of equal width keep the parts of a long table aligned with each other.
        values.fill(widest);
    }
    page.joined("\n\n", grid.parts(), |page, part| {
        page.joined("\n", rows(), |page, row| {
            let text = |column: &usize| page.part(|page| cell(&grid.at(row, *column), page));
            let cells = part.iter().map(text).collect::<Result<Vec<_>, _>>()?;
            page.write_str(&aligned(&cells, part.iter().map(|column| widths[*column])))
        })
    })
}

/// Joins cells of these widths, two spaces apart.
fn aligned(cells: &[String], widths: impl Iterator<Item = usize>) -> String {
    let cells = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| padded(cell, width));
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

/// Breaks a text between words at full lines, if it begins at this distance from the left.
fn filled(text: &str, indent: usize) -> String {
    if indent + text.chars().count() <= SENTENCE {
        return text.to_owned();
    }
    let margin = " ".repeat(indent);
    // If the name is wide, the line is longer, so that half of it is left for the text.
    let shape = textwrap::Options::new(SENTENCE.max(2 * indent)).break_words(false);
    let shape = shape.word_splitter(textwrap::WordSplitter::NoHyphenation);
    let filled = textwrap::fill(
        text,
        shape.initial_indent(&margin).subsequent_indent(&margin),
    );
    filled.get(indent..).unwrap_or_default().to_owned()
}

/// Returns the number of characters of the longest text.
pub(crate) fn widest(texts: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
    let widths = texts.into_iter().map(|text| text.as_ref().chars().count());
    widths.max().unwrap_or(0)
}

/// Appends spaces up to a width. Formatting allows no widths above 65,535.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// Writes each fact on a line, with a text at its end on as many lines as it needs. Below a title,
/// facts are indented.
fn facts(Facts { title, rows }: &Facts<'_>, page: &mut Page<'_>) -> fmt::Result {
    if let Some(title) = title {
        line(title, page)?;
        page.write_str(if rows.is_empty() { "" } else { "\n" })?;
    }
    let mut text = |part: &Cell<'_>| page.part(|page| cell(part, page));
    let texts = |row: &Line<'_>| row.iter().map(&mut text).collect();
    let cells: Vec<Vec<String>> = rows.iter().map(texts).collect::<Result<_, fmt::Error>>()?;
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| widest(cells.iter().filter_map(|row| row.get(column)));
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let margin = if title.is_some() { "  " } else { "" };
    page.joined(
        "\n",
        cells.into_iter().zip(rows),
        |page, (mut cells, row)| {
            if let ([_, Cell::Value(value)], Some(last)) = (&row[..], cells.last_mut())
                && let Scalar::String(text) = &**value
            {
                *last = filled(text, margin.len() + widths[0] + 2);
            }
            page.write_str(margin)?;
            page.write_str(&aligned(&cells, widths.iter().copied()))
        },
    )
}
