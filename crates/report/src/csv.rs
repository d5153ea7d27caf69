//! Writes reports as comma-separated values (RFC 4180), for spreadsheets.
//!
//! A table has one line per value of its parameter, a list has one line per item, and a single
//! value is a line of its own.

use std::fmt::{self, Write};

use super::block::{Block, Cell, Medium};
use super::{Page, Report, text};

/// Writes the report as lines, without a newline at the end.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    records(report, None, page)
}

/// Writes a shown value with its label before each of its lines.
pub fn labelled(label: &str, report: &Report, page: &mut Page<'_>) -> fmt::Result {
    records(report, Some(label), page)
}

/// Writes each row of each block, with a label before it.
fn records<'a>(report: &'a Report, label: Option<&'a str>, page: &mut Page<'_>) -> fmt::Result {
    let mut is_first = true;
    let mut write = |page: &mut Page<'_>, row: &mut dyn Iterator<Item = Cell<'a>>| {
        page.write_str(if std::mem::take(&mut is_first) {
            ""
        } else {
            "\n"
        })?;
        // The label is repeated in each record, so that records of several answers can be told
        // apart.
        record(label.map(Cell::text).into_iter().chain(row), page)
    };
    for block in report.blocks(Medium::Sheet) {
        match block {
            Block::Lines(lines) => lines
                .iter()
                .try_for_each(|line| write(page, &mut line.into_iter()))?,
            Block::Grid(grid) => {
                for row in [None].into_iter().chain((0..grid.rows).map(Some)) {
                    let mut row = (0..grid.columns.len()).map(|column| grid.at(row, column));
                    write(page, &mut row)?;
                }
            }
            Block::Facts(groups) => {
                let rows = groups.into_iter().flat_map(|group| group.rows);
                rows.into_iter()
                    .try_for_each(|row| write(page, &mut row.into_iter()))?;
            }
            Block::Picture(picture) => {
                let picture = page.watched(|context| picture.text(context))?;
                write(page, &mut [Cell::text(picture)].into_iter())?;
            }
        }
    }
    Ok(())
}

fn record<'a>(cells: impl Iterator<Item = Cell<'a>>, page: &mut Page<'_>) -> fmt::Result {
    page.joined(",", cells, |page, cell| {
        let text = page.part(|page| text::cell(&cell, page))?;
        page.write_str(&field(&text))
    })
}

fn field(text: &str) -> String {
    // RFC 4180 asks for quotes only around these.
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
