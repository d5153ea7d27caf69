//! Writes reports as HTML, for pages: grids as tables, fractions as MathML, pictures as inline SVG.
//!
//! The output is a fragment with one element around it, `<div class="bid">`, and is well-formed XML
//! too. Its appearance is left to the page: only pictures contain colours and lengths. The cell of
//! a number has its approximate value in `data-value`, so that a table can be sorted.

use std::fmt::{self, Write};

use num_bigint::Sign;
use num_rational::BigRational;

use super::block::{Block, Cell, ColumnFlow, Facts, Grid, Line, Medium};
use super::picture::Picture;
use super::safe::xml;
use super::{Page, Report};
use bid_language::rules::{ChipMark, Chips, print_fields};
use bid_language::scalar::Scalar;
use bid_language::syntax::quoted;

/// Writes the report as HTML, without a newline at the end.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    page.write_str("<div class=\"bid\">\n")?;
    blocks(&report.blocks(Medium::Page), page)?;
    page.write_str("</div>")
}

/// Writes a shown value with its label: before a single line, above anything else.
pub fn labelled(label: &str, report: &Report, page: &mut Page<'_>) -> fmt::Result {
    let label = xml(label);
    let found = report.blocks(Medium::Page);
    page.write_str("<div class=\"bid\">\n")?;
    match &found[..] {
        // Only a single line has room for the label before it.
        [Block::Lines(only)] if only.iter().len() == 1 => {
            write!(page, "<div><code>{label}</code> = ")?;
            only.iter().try_for_each(|line| cells(&line, page))?;
            page.write_str("</div>\n")?;
        }
        _ => {
            writeln!(page, "<div class=\"label\"><code>{label}</code></div>")?;
            blocks(&found, page)?;
        }
    }
    page.write_str("</div>")
}

fn blocks(blocks: &[Block<'_>], page: &mut Page<'_>) -> fmt::Result {
    blocks.iter().try_for_each(|block| match block {
        Block::Lines(found) => found.iter().try_for_each(|found| line(&found, page)),
        Block::Grid(found) => grid(found, page),
        Block::Facts(groups) => groups.iter().try_for_each(|group| facts(group, page)),
        Block::Picture(found) => picture(*found, page),
    })
}

fn line(line: &Line<'_>, page: &mut Page<'_>) -> fmt::Result {
    page.write_str("<div>")?;
    cells(line, page)?;
    page.write_str("</div>\n")
}

fn cells(line: &Line<'_>, page: &mut Page<'_>) -> fmt::Result {
    line.iter().try_for_each(|part| cell(part, page))
}

/// Writes the contents of a cell.
fn cell(cell: &Cell<'_>, page: &mut Page<'_>) -> fmt::Result {
    match cell {
        Cell::Nothing => Ok(()),
        Cell::Text(text) => page.write_str(&xml(text)),
        Cell::Expression(text) => code(text, page),
        Cell::Formula { text, .. } => code(text, page),
        Cell::Value(value) | Cell::Entry(value) => scalar(value, page),
        Cell::List(items) => joined(items, ["[", "]"], page),
        Cell::Tuple(items) => joined(items, ["(", ")"], page),
        Cell::Rules(fields) => code(&print_fields(fields), page),
        Cell::Answer(report) => blocks(&report.blocks(Medium::Page), page),
        Cell::Fixed(text) => write!(page, "<pre>{}</pre>", xml(text)),
    }
}

fn code(text: &str, page: &mut Page<'_>) -> fmt::Result {
    write!(page, "<code>{}</code>", xml(text))
}

/// Writes values inside another one, with strings in quotes.
fn joined(items: &[Report], [open, close]: [&str; 2], page: &mut Page<'_>) -> fmt::Result {
    page.write_str(open)?;
    page.joined(", ", items, |page, item| match item {
        // Without quotes a comma in a string would look like one between items.
        Report::Scalar(Scalar::String(text)) => page.write_str(&xml(&quoted(text))),
        item => cell(&item.cell(), page),
    })?;
    page.write_str(close)
}

fn scalar(scalar: &Scalar, page: &mut Page<'_>) -> fmt::Result {
    match scalar {
        Scalar::Rational(value) => fraction(value, page),
        Scalar::Chips(chips) => chip_count(chips, page),
        Scalar::Interval(bounds) => enclosed(scalar, [&bounds.low, &bounds.high], page),
        Scalar::Bounds(bounds) => enclosed(scalar, [&bounds.low, &bounds.high], page),
        Scalar::Tuple(parts) => {
            page.write_str("(")?;
            page.joined(", ", parts, |page, part| self::scalar(part, page))?;
            page.write_str(")")
        }
        Scalar::Game(game) => code(&game.text, page),
        Scalar::Equilibrium(value) => {
            page.write_str("[")?;
            self::scalar(value, page)?;
            page.write_str("]")
        }
        Scalar::Function { .. } => code(&scalar.to_string(), page),
        Scalar::Integer(_)
        | Scalar::Bool(_)
        | Scalar::String(_)
        | Scalar::Player(_)
        | Scalar::Outcome(_)
        | Scalar::Word(_) => page.write_str(&xml(&scalar.to_string())),
    }
}

fn fraction(value: &BigRational, page: &mut Page<'_>) -> fmt::Result {
    if value.is_integer() {
        return write!(page, "{value}");
    }
    let sign = if value.numer().sign() == Sign::Minus {
        "<mo>−</mo>"
    } else {
        ""
    };
    let (top, bottom) = (value.numer().magnitude(), value.denom());
    write!(
        page,
        "<math>{sign}<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac></math>"
    )
}

fn chip_count(Chips { count, mark }: &Chips, page: &mut Page<'_>) -> fmt::Result {
    match mark {
        ChipMark::MinusEpsilon => write!(page, "<math><mn>{count}</mn><mo>−</mo><mi>ε</mi></math>"),
        ChipMark::None => write!(page, "{count}"),
        ChipMark::Star => write!(page, "<math><msup><mn>{count}</mn><mo>*</mo></msup></math>"),
    }
}

/// Writes a number between bounds. The bounds appear under the pointer.
fn enclosed(
    scalar: &Scalar,
    [low, high]: [&dyn fmt::Display; 2],
    page: &mut Page<'_>,
) -> fmt::Result {
    write!(page, "<span title=\"from {low} to {high}\">{scalar}</span>")
}

/// Writes a table for each part of the grid. If the columns are a range, the names of the rows are
/// header cells.
fn grid(grid: &Grid<'_>, page: &mut Page<'_>) -> fmt::Result {
    for part in grid.parts() {
        page.write_str("<table>\n<thead>\n<tr>")?;
        for column in &part {
            page.write_str("<th scope=\"col\">")?;
            cell(&grid.at(None, *column), page)?;
            page.write_str("</th>")?;
        }
        page.write_str("</tr>\n</thead>\n<tbody>\n")?;
        for place in 0..grid.rows {
            let heads = usize::from(grid.runs == ColumnFlow::Across);
            row(
                part.iter().map(|column| grid.at(Some(place), *column)),
                heads,
                page,
            )?;
        }
        page.write_str("</tbody>\n</table>\n")?;
    }
    Ok(())
}

fn facts(Facts { title, rows }: &Facts<'_>, page: &mut Page<'_>) -> fmt::Result {
    page.write_str("<table>\n")?;
    if let Some(title) = title {
        page.write_str("<caption>")?;
        cells(title, page)?;
        page.write_str("</caption>\n")?;
    }
    page.write_str("<tbody>\n")?;
    rows.iter()
        .try_for_each(|line| row(line.iter().cloned(), 1, page))?;
    page.write_str("</tbody>\n</table>\n")
}

/// Writes a row whose first cells are header cells.
fn row<'a>(
    cells: impl Iterator<Item = Cell<'a>>,
    heads: usize,
    page: &mut Page<'_>,
) -> fmt::Result {
    page.write_str("<tr>")?;
    for (place, part) in cells.enumerate() {
        let size = match &part {
            Cell::Value(value) | Cell::Entry(value) => value.approximate(),
            _ => None,
        };
        let tag = match (place < heads, size) {
            (true, _) => "th scope=\"row\"".to_owned(),
            (false, Some(size)) => format!("td data-value=\"{size}\""),
            (false, None) => "td".to_owned(),
        };
        write!(page, "<{tag}>")?;
        cell(&part, page)?;
        // The name of the element is `th` or `td`, without its attributes.
        write!(page, "</{}>", &tag[..2])?;
    }
    page.write_str("</tr>\n")
}

/// Writes the picture as SVG.
fn picture(picture: Picture<'_>, page: &mut Page<'_>) -> fmt::Result {
    let svg = page.watched(|context| picture.svg(context))?;
    write!(page, "<figure>\n{svg}\n</figure>\n")
}
