//! Draws tables as shades. [`cells`](super::cells) uses the same scale from white to dark blue.

mod squares;

use std::fmt::{self, Write};

use super::colour;
use super::frame::{BELOW, NumberRange, short};
use super::svg::Svg;
use crate::text::{padded, widest};
use crate::{Heat, Page, Row, Table, latex};
use bid_language::player::{Outcome, Player};
use bid_language::rules::ChipMark;
use bid_language::scalar::Scalar;
use squares::{KEY, Lettering, Squares};

/// The contents of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shade {
    /// A number, as a part of the greatest one.
    Part(f64),
    /// The outcome.
    Who(Outcome),
    /// A value that is not a number.
    Nothing,
}

/// Returns the colour between white for the least part and dark blue for the greatest, and the
/// colour of text on it.
pub(super) fn shade(part: f64) -> (String, &'static str) {
    let [red, green, blue] = mixed(part);
    (
        format!("#{red:02X}{green:02X}{blue:02X}"),
        if part > 0.5 { "white" } else { "black" },
    )
}

fn mixed(part: f64) -> [u8; 3] {
    [8.0, 64.0, 129.0].map(|dark| (255.0 + (dark - 255.0) * part.clamp(0.0, 1.0)).round() as u8)
}

/// Returns all cells of a table.
fn cells(table: &Table) -> impl Iterator<Item = &Scalar> {
    table.rows.iter().flat_map(|row| &row.values)
}

/// Returns the least and the greatest number of a table, widened to include zero.
fn scale(table: &Table) -> NumberRange {
    let numbers = cells(table).filter_map(Scalar::approximate);
    numbers.fold(NumberRange::of(0.0), NumberRange::with)
}

fn shade_of(scale: NumberRange, cell: &Scalar) -> Shade {
    match (cell, cell.approximate()) {
        (Scalar::Outcome(outcome), _) => Shade::Who(*outcome),
        (_, Some(number)) if scale.high > scale.low => Shade::Part(scale.part(number)),
        // All numbers are 0, so that there is no range to divide by.
        (_, Some(_)) => Shade::Part(0.0),
        (_, None) => Shade::Nothing,
    }
}

/// Returns the shade of a part. Every part above the least is visibly different from it.
fn visible(part: f64) -> f64 {
    const FAINTEST: f64 = 0.12;
    if part > 0.0 {
        FAINTEST + (1.0 - FAINTEST) * part
    } else {
        0.0
    }
}

/// Returns `true` if a cell has no value.
fn has_gaps(table: &Table) -> bool {
    cells(table).any(|cell| cell.approximate().is_none() && !matches!(cell, Scalar::Outcome(_)))
}

fn has_outcomes(table: &Table) -> bool {
    cells(table).any(|cell| matches!(cell, Scalar::Outcome(_)))
}

impl Shade {
    /// Returns two characters for the terminal.
    fn glyph(self) -> &'static str {
        const SHADES: [&str; 5] = ["  ", "░░", "▒▒", "▓▓", "██"];
        match self {
            Self::Part(part) => SHADES[step(part)],
            Self::Who(Outcome::Wins(Player::Alice)) => "A ",
            Self::Who(Outcome::Wins(Player::Bob)) => "B ",
            Self::Who(Outcome::Draw) => "= ",
            Self::Who(Outcome::Undetermined) | Self::Nothing => "? ",
        }
    }

    /// Returns the colour of a cell, and that of text on it.
    fn colours(self) -> (String, &'static str) {
        match self {
            Self::Part(part) => shade(visible(part)),
            Self::Who(Outcome::Wins(player)) => (colour(player).to_owned(), "white"),
            Self::Who(Outcome::Draw) => ("#FFFFFF".to_owned(), "black"),
            Self::Who(Outcome::Undetermined) | Self::Nothing => ("#BBBBBB".to_owned(), "black"),
        }
    }
}

/// Returns one of five shades. Only the least is blank.
fn step(part: f64) -> usize {
    if part <= 0.0 {
        0
    } else {
        // Rounding up keeps every positive part visible.
        (part * 4.0).ceil().clamp(1.0, 4.0) as usize
    }
}

/// The most rows and columns of the reduced map in the terminal.
const MOST: (usize, usize) = (40, 50);

/// The widest map in the terminal whose panels stand side by side, in characters.
const WIDEST: usize = 100;

/// The rows that are drawn as one map. A table with values for both holders of the tie-breaking
/// advantage has a panel for each.
fn panels(table: &Table) -> Vec<Panel<'_>> {
    let rows = &table.rows[..];
    let (first, second) = rows.split_at(rows.len() / 2);
    // The rows of both holders differ only in the star.
    let plain = |row: &Row| row.label.replace('*', "");
    let is_same = |(a, b): (&Row, &Row)| a.label != b.label && plain(a) == plain(b);
    let are_halves =
        first.len() > 1 && first.len() == second.len() && first.iter().zip(second).all(is_same);
    let parts = if are_halves {
        vec![first, second]
    } else {
        vec![rows]
    };
    let panel = |rows| Panel {
        table,
        rows,
        names: RowNames::of(rows, &table.parameter),
    };
    parts.into_iter().map(panel).collect()
}

/// A map of some rows of a table.
struct Panel<'t> {
    table: &'t Table,
    rows: &'t [Row],
    names: RowNames,
}

/// Writes the map for reading: shaded blocks, or letters for outcomes.
pub(super) fn text(Heat { table }: &Heat) -> String {
    let scale = scale(table);
    let panels = panels(table);
    // A terminal has no room for a large table, so that rows and columns are left out evenly.
    let every = (
        panels[0].rows.len().div_ceil(MOST.0).max(1),
        table.columns.len().div_ceil(MOST.1).max(1),
    );
    let drawn: Vec<Vec<String>> = panels
        .iter()
        .map(|panel| panel.lines(scale, every.0, every.1))
        .collect();
    let mut lines = beside(drawn);
    lines.push(key(table, scale));
    if every != (1, 1) {
        lines.push(format!(
            "every {} row and {} column is shown",
            nth(every.0),
            nth(every.1)
        ));
    }
    lines.join("\n")
}

/// Puts panels side by side, or one below the other if they are too wide.
fn beside(panels: Vec<Vec<String>>) -> Vec<String> {
    const GAP: usize = 4;
    let widths: Vec<usize> = panels.iter().map(widest).collect();
    if widths.iter().sum::<usize>() + GAP > WIDEST {
        return panels.concat();
    }
    let row = |place: usize| {
        let cells = panels
            .iter()
            .zip(&widths)
            .map(|(lines, width)| padded(lines.get(place).map_or("", String::as_str), width + GAP));
        cells.collect::<String>().trim_end().to_owned()
    };
    let most = panels.iter().map(Vec::len).max().unwrap_or(0);
    (0..most).map(row).collect()
}

impl Panel<'_> {
    /// Returns the lines for the terminal, with every so many rows and columns.
    fn lines(&self, scale: NumberRange, down: usize, across: usize) -> Vec<String> {
        let (table, names) = (self.table, &self.names);
        let margin = widest(names.ticks.iter().step_by(down));
        let mut lines: Vec<String> = names.title().map(str::to_owned).into_iter().collect();
        for (label, row) in names.ticks.iter().zip(self.rows).step_by(down) {
            let cells: String = row
                .values
                .iter()
                .step_by(across)
                .map(|cell| shade_of(scale, cell).glyph())
                .collect();
            let label = padded(label, margin);
            lines.push(format!("{label} │{cells}").trim_end().to_owned());
        }
        let width = 2 * table.columns.len().div_ceil(across);
        let indent = " ".repeat(margin + 1);
        lines.push(format!("{indent}└{}", "─".repeat(width)));
        if let (Some(first), Some(last)) = (
            table.columns.first(),
            table.columns.iter().step_by(across).next_back(),
        ) {
            let (first, last) = (first.to_string(), last.to_string());
            let gap = (width + 1)
                .saturating_sub(first.chars().count() + last.chars().count())
                .max(1);
            lines.push(format!(
                "{indent}{first}{}{last}  {}",
                " ".repeat(gap),
                table.parameter
            ));
        }
        lines
    }
}

/// Writes a number of the scale. Where a cell counts chips with the tie-breaking advantage, the
/// number is a count of chips too: 6.5 is `6*`, and 3.25 lies above `3` and below `3*`.
fn scale_label(table: &Table, number: f64) -> String {
    let is_starred =
        |cell: &Scalar| matches!(cell, Scalar::Chips(chips) if chips.mark == ChipMark::Star);
    if !cells(table).any(is_starred) {
        return short(number, 4);
    }
    let star = if number.fract() < 0.5 { "" } else { "*" };
    format!("{}{star}", number.floor())
}

/// Explains the glyphs.
fn key(table: &Table, scale: NumberRange) -> String {
    if has_outcomes(table) {
        return "A alice wins   B bob wins   = draw".to_owned();
    }
    let steps = (0..=4_u8).map(|step| {
        let part = f64::from(step) / 4.0;
        format!(
            "{} {}",
            Shade::Part(part).glyph(),
            scale_label(table, scale.at(part))
        )
    });
    let gaps = if has_gaps(table) { "  ? no value" } else { "" };
    format!("up to: {}{gaps}", steps.collect::<Vec<_>>().join("  "))
}

fn nth(n: usize) -> String {
    match n {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{n}th"),
    }
}

/// Writes the map for TikZ: a square for each cell.
pub(super) fn latex(Heat { table }: &Heat, page: &mut Page<'_>) -> fmt::Result {
    let panels = panels(table);
    let across = (table.columns.len().max(1) * panels.len()) as f64;
    let size = 0.5_f64.min(12.0 / across);
    writeln!(page, "% needs \\usepackage{{tikz}}")?;
    writeln!(
        page,
        "\\begin{{tikzpicture}}[x={size:.3}cm, y={size:.3}cm, font=\\scriptsize]"
    )?;
    for (place, panel) in panels.iter().enumerate() {
        let margin = (widest(&panel.names.ticks) as f64 * 0.15 + 0.5) / size;
        let left = (table.columns.len() as f64 + margin).ceil() as usize * place;
        panel.latex(scale(table), left, page)?;
    }
    page.write_str("\\end{tikzpicture}")
}

impl Panel<'_> {
    /// Writes the squares and names, this many squares to the right of the origin.
    fn latex(&self, scale: NumberRange, left: usize, page: &mut Page<'_>) -> fmt::Result {
        if let Some(title) = self.names.title() {
            writeln!(
                page,
                "\\node[anchor=south east] at ({left},0) {{{}}};",
                latex::in_math(title)
            )?;
        }
        for (row, (line, tick)) in self.rows.iter().zip(&self.names.ticks).enumerate() {
            writeln!(
                page,
                "\\node[anchor=east] at ({left},-{row}.5) {{{}}};",
                latex::in_math(tick)
            )?;
            for (column, cell) in (left..).zip(&line.values) {
                let (fill, _) = shade_of(scale, cell).colours();
                // The colour is written as `#RRGGBB`, but this option of TikZ takes decimal
                // numbers.
                let [red, green, blue] = [1, 3, 5]
                    .map(|digit| u8::from_str_radix(&fill[digit..digit + 2], 16).unwrap_or(0));
                writeln!(
                    page,
                    "\\filldraw[draw=gray, fill={{rgb,255:red,{red};green,{green};blue,{blue}}}] ({column},-{row}) rectangle +(1,-1);"
                )?;
            }
        }
        for (column, value) in (left..).zip(&self.table.columns) {
            writeln!(
                page,
                "\\node[anchor=south] at ({column}.5,0) {{${value}$}};"
            )?;
        }
        Ok(())
    }
}

/// Draws the map: a square for each cell, with its value in it where there is room.
pub(super) fn svg(Heat { table }: &Heat, page: &mut Page<'_>) -> fmt::Result {
    let scale = scale(table);
    let panels = panels(table);
    let lettering = Lettering::of(table, panels.len(), page)?;
    let mut grids: Vec<Squares<'_>> = Vec::new();
    for panel in &panels {
        let right = grids.last().map_or(0.0, Squares::right);
        grids.push(Squares::of(panel, &lettering, right));
    }
    let first = &grids[0];
    let right = grids.last().map_or(0.0, Squares::right);
    let height = first.frame.at((0.0, 0.0)).1 + BELOW + KEY;
    let size = ((right + 20.0).max(first.frame.left + 360.0), height);
    Svg::draw(page, "Heat map", size, |svg| {
        for grid in &grids {
            for (row, line) in grid.panel.rows.iter().enumerate() {
                for (column, cell) in line.values.iter().enumerate() {
                    grid.draw(svg, row, column, shade_of(scale, cell), &cell.to_string())?;
                }
            }
            grid.frame.draw_axes(svg, &grid.columns(), &grid.rows())?;
        }
        if has_outcomes(table) {
            first.who(svg)
        } else {
            first.bar(svg, table, scale)
        }
    })
}

/// The names of the rows beside the squares. The common parts of their labels stand once, above
/// them.
#[derive(Debug, PartialEq)]
struct RowNames {
    /// The labels with `…` where they differ: `E(…)`. Empty if they have no common parts.
    title: String,
    /// The part in which each label differs: `3*, b`.
    ticks: Vec<String>,
}

impl RowNames {
    /// Creates the names of rows whose columns are values of a parameter.
    fn of(rows: &[Row], parameter: &str) -> Self {
        let labels: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
        let (before, after) = shared(&labels);
        let ticks: Vec<String> = labels
            .iter()
            .map(|label| label[before.len()..label.len() - after.len()].to_owned())
            .collect();
        let title = if before.is_empty() && after.is_empty() {
            String::new()
        } else {
            // Of `m = 1`, `m = 2` or `row 1`, `row 2` the variable is the title.
            let name = before.strip_suffix(" = ").or(before.strip_suffix(' '));
            let name =
                name.filter(|name| after.is_empty() && name.chars().all(char::is_alphabetic));
            // Other numbers, like bids, do not stand among the arguments of a call.
            let is_argument = before.ends_with('(') || before.ends_with(", ");
            let variable = match parameter {
                "b" if is_argument => chips_of_alice(&ticks).unwrap_or("…"),
                _ => "…",
            };
            name.map_or_else(|| format!("{before}{variable}{after}"), str::to_owned)
        };
        Self { title, ticks }
    }

    /// Returns the title above the names, if the labels have common parts.
    fn title(&self) -> Option<&str> {
        Some(self.title.as_str()).filter(|title| !title.is_empty())
    }
}

/// Returns the letter for Alice's chips, if these are all numbers with or all without a star.
fn chips_of_alice(ticks: &[String]) -> Option<&'static str> {
    let is_plain = |tick: &str| tick.parse::<u64>().is_ok();
    let is_starred = |tick: &str| tick.strip_suffix('*').is_some_and(is_plain);
    if ticks.iter().all(|tick| is_plain(tick)) {
        Some("a")
    } else {
        ticks.iter().all(|tick| is_starred(tick)).then_some("a*")
    }
}

/// Returns the common beginning and the common end of labels that differ, without parts of words or
/// numbers. Both are empty if the labels begin differently.
pub(super) fn shared<'l>(labels: &[&'l str]) -> (&'l str, &'l str) {
    let (Some(first), true) = (
        labels.first(),
        labels.windows(2).any(|pair| pair[0] != pair[1]),
    ) else {
        return ("", "");
    };
    let same =
        |one: &[char], other: &[char]| one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let letters = |label: &&str| label.chars().collect::<Vec<_>>();
    let backwards = |label: &&str| label.chars().rev().collect::<Vec<_>>();
    let before = labels
        .iter()
        .map(|label| same(&letters(label), &letters(first)))
        .min()
        .unwrap_or(0);
    let before = &first[..first.chars().take(before).map(char::len_utf8).sum()];
    let before = before.trim_end_matches(is_inside);
    // Without a common beginning, a common end is a coincidence.
    if before.is_empty() {
        return ("", "");
    }
    // The end is sought in what is left, so that it cannot overlap with the beginning.
    let rests: Vec<&str> = labels.iter().map(|label| &label[before.len()..]).collect();
    let after = rests
        .iter()
        .map(|rest| same(&backwards(rest), &backwards(&rests[0])))
        .min()
        .unwrap_or(0);
    let after: usize = first.chars().rev().take(after).map(char::len_utf8).sum();
    (
        before,
        first[first.len() - after..].trim_start_matches(is_inside),
    )
}

/// Returns `true` if a character may stand within a word, a number or a chip count.
fn is_inside(letter: char) -> bool {
    letter.is_alphanumeric() || "_^*/.-".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(labels: &[&str]) -> (String, Vec<String>) {
        let row = |label: &&str| Row {
            label: (*label).to_owned(),
            values: Vec::new(),
        };
        let rows: Vec<Row> = labels.iter().map(row).collect();
        let RowNames { title, ticks } = RowNames::of(&rows, "b");
        (title, ticks)
    }

    #[test]
    fn what_rows_have_in_common_stands_once() {
        for (labels, title, ticks) in [
            (
                &["(A ∧ B^2)(0*, b)", "(A ∧ B^2)(0, b*)"][..],
                "(A ∧ B^2)(…)",
                &["0*, b", "0, b*"][..],
            ),
            (&["v(E, 10, b)", "v(E, 11, b)"], "v(E, a, b)", &["10", "11"]),
            (&["E(0*, b)", "E(1*, b)"], "E(a*, b)", &["0*", "1*"]),
            (&["row 0", "row 1"], "row", &["0", "1"]),
            (&["m = 1", "m = 2"], "m", &["1", "2"]),
            (
                &["bid 20 with a* against 5", "bid 0 with a* against 5"],
                "bid … with a* against 5",
                &["20", "0"],
            ),
            (&["f(E, k)", "R(G)"], "", &["f(E, k)", "R(G)"]),
            (&["f(E, k)"], "", &["f(E, k)"]),
            (&["aa", "aaa"], "", &["aa", "aaa"]),
            (&["(x, x", "(x, x, x"], "(x, …", &["x", "x, x"]),
        ] {
            let ticks = ticks.iter().map(|&tick| tick.to_owned()).collect();
            assert_eq!(names(labels), (title.to_owned(), ticks));
        }
    }

    #[test]
    fn both_holders_have_a_panel_each() {
        let counted = |labels: &[&str]| {
            let row = |label: &&str| Row {
                label: (*label).to_owned(),
                values: Vec::new(),
            };
            let table = Table {
                parameter: "b".to_owned(),
                columns: Vec::new(),
                rows: labels.iter().map(row).collect(),
            };
            panels(&table).len()
        };
        assert_eq!(
            counted(&["E(0*, b)", "E(1*, b)", "E(0, b*)", "E(1, b*)"]),
            2
        );
        for one in [
            &["E(0*, b)", "E(0, b*)"][..],
            &["E(0, b)", "E(1, b)", "E(2, b)", "E(3, b)"],
            &["a", "b", "a", "b"],
            &["a*", "b*", "a"],
        ] {
            assert_eq!(counted(one), 1, "{one:?}");
        }
    }
}
