//! Draws tables as shades. [`cells`](super::cells) uses the same scale from white to dark blue.

use std::fmt::{self, Write};

use super::colour;
use super::frame::{Axis, BELOW, DrawingFrame, NumberRange, short};
use super::svg::{LETTER, Svg};
use crate::{Heat, Page, Table, latex};
use bid_language::player::{Outcome, Player};
use bid_language::scalar::Scalar;

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

/// Returns the least and the greatest number of a table, widened to include zero.
fn scale(table: &Table) -> NumberRange {
    let numbers = table
        .rows
        .iter()
        .flat_map(|row| row.values.iter().filter_map(Scalar::approximate));
    numbers.fold(
        NumberRange {
            low: 0.0,
            high: 0.0,
        },
        NumberRange::with,
    )
}

fn shade_of(scale: NumberRange, cell: &Scalar) -> Shade {
    match (cell, cell.approximate()) {
        (Scalar::Outcome(outcome), _) => Shade::Who(*outcome),
        (_, Some(number)) if scale.high > scale.low => Shade::Part(scale.part(number)),
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
    let mut cells = table.rows.iter().flat_map(|row| &row.values);
    cells.any(|cell| cell.approximate().is_none() && !matches!(cell, Scalar::Outcome(_)))
}

fn has_outcomes(table: &Table) -> bool {
    table
        .rows
        .iter()
        .flat_map(|row| &row.values)
        .any(|cell| matches!(cell, Scalar::Outcome(_)))
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
        (part * 4.0).ceil().clamp(1.0, 4.0) as usize
    }
}

/// The most rows and columns of the reduced map in the terminal.
const MOST: (usize, usize) = (40, 50);

/// Writes the map for reading: shaded blocks, or letters for outcomes.
pub(super) fn text(Heat { table }: &Heat) -> String {
    let scale = scale(table);
    let (down, across) = (
        table.rows.len().div_ceil(MOST.0).max(1),
        table.columns.len().div_ceil(MOST.1).max(1),
    );
    let names = RowNames::of(table);
    let margin = names
        .ticks
        .iter()
        .step_by(down)
        .map(|tick| tick.chars().count())
        .max()
        .unwrap_or(0);
    let mut lines: Vec<String> = names.title().map(str::to_owned).into_iter().collect();
    for (label, row) in names.ticks.iter().zip(&table.rows).step_by(down) {
        let cells: String = row
            .values
            .iter()
            .step_by(across)
            .map(|cell| shade_of(scale, cell).glyph())
            .collect();
        let padding = " ".repeat(margin - label.chars().count());
        lines.push(format!("{label}{padding} │{cells}").trim_end().to_owned());
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
    lines.push(key(table, scale));
    if (down, across) != (1, 1) {
        lines.push(format!(
            "every {} row and {} column is shown",
            nth(down),
            nth(across)
        ));
    }
    lines.join("\n")
}

/// Explains the glyphs.
fn key(table: &Table, scale: NumberRange) -> String {
    if has_outcomes(table) {
        return "A alice wins   B bob wins   = draw".to_owned();
    }
    let steps = (0..=4_u8).map(|step| {
        let part = f64::from(step) / 4.0;
        format!("{} {}", Shade::Part(part).glyph(), short(scale.at(part), 4))
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
    let scale = scale(table);
    let size = 0.5_f64.min(12.0 / table.columns.len().max(1) as f64);
    writeln!(page, "% needs \\usepackage{{tikz}}")?;
    writeln!(
        page,
        "\\begin{{tikzpicture}}[x={size:.3}cm, y={size:.3}cm, font=\\scriptsize]"
    )?;
    let names = RowNames::of(table);
    if let Some(title) = names.title() {
        writeln!(
            page,
            "\\node[anchor=south east] at (0,0) {{{}}};",
            latex::in_math(title)
        )?;
    }
    for (row, (line, tick)) in table.rows.iter().zip(&names.ticks).enumerate() {
        writeln!(
            page,
            "\\node[anchor=east] at (0,-{row}.5) {{{}}};",
            latex::in_math(tick)
        )?;
        for (column, cell) in line.values.iter().enumerate() {
            let (fill, _) = shade_of(scale, cell).colours();
            let [red, green, blue] =
                [1, 3, 5].map(|digit| u8::from_str_radix(&fill[digit..digit + 2], 16).unwrap_or(0));
            writeln!(
                page,
                "\\filldraw[draw=gray, fill={{rgb,255:red,{red};green,{green};blue,{blue}}}] ({column},-{row}) rectangle +(1,-1);"
            )?;
        }
    }
    for (column, value) in table.columns.iter().enumerate() {
        writeln!(
            page,
            "\\node[anchor=south] at ({column}.5,0) {{${value}$}};"
        )?;
    }
    page.write_str("\\end{tikzpicture}")
}

/// Draws the map: a square for each cell, with its value in it where there is room.
pub(super) fn svg(Heat { table }: &Heat, page: &mut Page<'_>) -> fmt::Result {
    let (scale, grid) = (scale(table), Squares::of(table, page)?);
    Svg::draw(page, "Heat map", grid.size(), |svg| {
        for (row, line) in table.rows.iter().enumerate() {
            for (column, cell) in line.values.iter().enumerate() {
                grid.draw(svg, row, column, shade_of(scale, cell), &cell.to_string())?;
            }
        }
        grid.frame
            .draw_axes(svg, &grid.columns(table), &grid.rows(table))?;
        if has_outcomes(table) {
            grid.who(svg)
        } else {
            grid.bar(svg, scale, has_gaps(table))
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
    fn of(table: &Table) -> Self {
        let labels: Vec<&str> = table.rows.iter().map(|row| row.label.as_str()).collect();
        let (before, after) = shared(&labels);
        let title = if before.is_empty() && after.is_empty() {
            String::new()
        } else {
            format!("{before}…{after}")
        };
        let ticks = labels
            .iter()
            .map(|label| label[before.len()..label.len() - after.len()].to_owned())
            .collect();
        Self { title, ticks }
    }

    /// Returns the title above the names, if the labels have common parts.
    fn title(&self) -> Option<&str> {
        Some(self.title.as_str()).filter(|title| !title.is_empty())
    }
}

/// Returns the common beginning and the common end of labels that differ, without parts of words or
/// numbers. Both are empty if the labels begin differently.
fn shared<'l>(labels: &[&'l str]) -> (&'l str, &'l str) {
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
    if before.is_empty() {
        return ("", "");
    }
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

/// The squares of a picture.
struct Squares {
    /// The width and height of each square.
    cell: f64,
    frame: DrawingFrame,
    /// The width of the parameter's values.
    head: f64,
    names: RowNames,
    /// `true` if there is room for the values.
    written: bool,
}

const TOP: f64 = 16.0;
/// The height of the title of the rows.
const TITLE: f64 = 12.0;
/// The height of the key below the axis.
const KEY: f64 = 54.0;

impl Squares {
    fn of(table: &Table, page: &mut Page<'_>) -> Result<Self, fmt::Error> {
        let mut values = 0;
        for cell in table.rows.iter().flat_map(|row| &row.values) {
            values = values.max(page.part(|page| write!(page, "{cell}"))?.chars().count());
        }
        let names = RowNames::of(table);
        let labels = names
            .ticks
            .iter()
            .map(|tick| tick.chars().count())
            .max()
            .unwrap_or(0);
        let heads = table
            .columns
            .iter()
            .map(|value| value.to_string().chars().count())
            .max()
            .unwrap_or(0);
        let columns = table.columns.len().max(1) as f64;
        let roomy = (values as f64 * LETTER + 8.0).max(26.0);
        let written = roomy <= 48.0 && columns <= 24.0;
        let cell = if written {
            roomy
        } else {
            (7200.0 / columns).floor().clamp(30.0, 260.0) / 10.0
        };
        let (left, width, height) = (
            labels as f64 * LETTER + 16.0,
            cell * columns,
            cell * table.rows.len() as f64,
        );
        let top = if names.title.is_empty() {
            TOP
        } else {
            TOP + TITLE
        };
        Ok(Self {
            cell,
            frame: DrawingFrame {
                left,
                top,
                width,
                height,
            },
            head: heads as f64 * LETTER + 8.0,
            names,
            written,
        })
    }

    /// Returns the axis of the parameter, with as many of its values as there is room for.
    fn columns(&self, table: &Table) -> Axis {
        let every = (self.head / self.cell).ceil().max(1.0) as usize;
        let part = |column: usize| (column as f64 + 0.5) / table.columns.len() as f64;
        let ticks = table.columns.iter().enumerate().step_by(every);
        Axis {
            name: table.parameter.clone(),
            ticks: ticks
                .map(|(column, value)| (part(column), value.to_string()))
                .collect(),
        }
    }

    /// Returns the axis of the rows, with as many of their labels as there is room for.
    fn rows(&self, table: &Table) -> Axis {
        let every = (15.0 / self.cell).ceil().max(1.0) as usize;
        let part = |row: usize| 1.0 - (row as f64 + 0.5) / table.rows.len() as f64;
        let ticks = table.rows.iter().enumerate().step_by(every);
        Axis {
            name: self.names.title.clone(),
            ticks: ticks
                .map(|(row, _)| (part(row), self.names.ticks[row].clone()))
                .collect(),
        }
    }

    fn size(&self) -> (f64, f64) {
        let DrawingFrame {
            left,
            top,
            width,
            height,
        } = self.frame;
        (
            (left + width + 20.0).max(left + 360.0),
            top + height + BELOW + KEY,
        )
    }

    fn draw(
        &self,
        svg: &mut Svg<'_, '_>,
        row: usize,
        column: usize,
        shade: Shade,
        value: &str,
    ) -> fmt::Result {
        let (x, y) = (
            self.frame.left + column as f64 * self.cell,
            self.frame.top + row as f64 * self.cell,
        );
        let (fill, ink) = shade.colours();
        let style = [
            ("fill", fill.as_str()),
            ("stroke", "#AAAAAA"),
            ("stroke-width", "0.5"),
        ];
        let shown = if self.cell >= 10.0 { style.len() } else { 1 };
        svg.rectangle((x, y), (self.cell, self.cell), &style[..shown], Some(value))?;
        let word = match shade {
            Shade::Who(_) if self.cell >= 14.0 => shade.glyph().trim(),
            Shade::Part(_) | Shade::Nothing if self.written => value,
            _ => return Ok(()),
        };
        let middle = (x + self.cell / 2.0, y + self.cell / 2.0 + 4.0);
        svg.styled(middle, &[("text-anchor", "middle"), ("fill", ink)], word)
    }

    /// Draws the scale below the axis.
    fn bar(&self, svg: &mut Svg<'_, '_>, scale: NumberRange, gaps: bool) -> fmt::Result {
        const STEP: f64 = 12.0;
        let (left, y) = self.key();
        for step in 0..=20_u8 {
            let (colour, _) = shade(visible(f64::from(step) / 20.0));
            let place = (left + f64::from(step) * STEP, y);
            svg.rectangle(place, (STEP, STEP), &[("fill", &colour)], None)?;
        }
        svg.rectangle(
            (left, y),
            (21.0 * STEP, STEP),
            &[("fill", "none"), ("stroke", "#888888")],
            None,
        )?;
        for (part, x) in [(0.0, 0.0), (0.5, 126.0), (1.0, 252.0)] {
            svg.text((left + x, y + 26.0), "middle", &short(scale.at(part), 4))?;
        }
        if gaps {
            self.named(svg, 272.0, Shade::Nothing, "no value")?;
        }
        Ok(())
    }

    /// Draws the key of outcomes.
    fn who(&self, svg: &mut Svg<'_, '_>) -> fmt::Result {
        let words = [
            (Outcome::Wins(Player::Alice), "alice wins"),
            (Outcome::Wins(Player::Bob), "bob wins"),
            (Outcome::Draw, "draw"),
        ];
        for (place, (outcome, words)) in words.into_iter().enumerate() {
            self.named(svg, place as f64 * 105.0, Shade::Who(outcome), words)?;
        }
        Ok(())
    }

    /// Draws an entry of the key at this distance to the right.
    fn named(&self, svg: &mut Svg<'_, '_>, right: f64, shade: Shade, words: &str) -> fmt::Result {
        let (left, y) = self.key();
        let (fill, _) = shade.colours();
        svg.rectangle(
            (left + right, y),
            (14.0, 14.0),
            &[("fill", &fill), ("stroke", "#888888")],
            None,
        )?;
        svg.text((left + right + 20.0, y + 11.5), "start", words)
    }

    /// Returns the upper left corner of the key.
    fn key(&self) -> (f64, f64) {
        (self.frame.left, self.frame.at((0.0, 0.0)).1 + BELOW + 12.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

    fn names(labels: &[&str]) -> (String, Vec<String>) {
        let row = |label: &&str| Row {
            label: (*label).to_owned(),
            values: Vec::new(),
        };
        let rows = labels.iter().map(row).collect();
        let RowNames { title, ticks } = RowNames::of(&Table {
            parameter: "b".to_owned(),
            columns: Vec::new(),
            rows,
        });
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
            (&["v(E, 10, b)", "v(E, 11, b)"], "v(E, …, b)", &["10", "11"]),
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
}
