//! Heat maps: the numbers or outcomes of a table as shades. The scale is also that of [`pivotal`](super::pivotal).

use std::fmt::{self, Write};

use num_traits::ToPrimitive;

use super::picture::{Svg, colour};
use super::{Page, Scalar, Table};
use crate::player::{Outcome, Player};
use crate::watch::{Stop, Watch};

/// A table whose cells are drawn as shades.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// What is drawn.
    pub table: Table,
}

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shade {
    /// A number, as a part of the greatest one.
    Part(f64),
    /// Who wins.
    Who(Outcome),
    /// Something that is no number.
    Nothing,
}

/// The least and the greatest number of a table; zero is always between them.
#[derive(Debug, Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

/// From white for the least to dark blue for the greatest, and the colour to write in.
pub(super) fn fill(part: f64) -> (String, &'static str) {
    let mix = |from: f64, to: f64| (from + (to - from) * part.clamp(0.0, 1.0)).round() as u8;
    let fill = format!("#{:02X}{:02X}{:02X}", mix(255.0, 8.0), mix(255.0, 64.0), mix(255.0, 129.0));
    (fill, if part > 0.5 { "white" } else { "black" })
}

impl Scalar {
    /// The nearest floating-point number to a number of any kind, or the middle of an interval. A star counts a half: 3* lies
    /// between 3 and 4.
    pub(super) fn approximate(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => value.to_f64(),
            Self::Rational(value) => value.to_f64(),
            Self::Chips(chips) => {
                let half = if chips.mark == crate::rules::Mark::Star { 0.5 } else { 0.0 };
                chips.count.to_f64().map(|count| count + half)
            }
            Self::Interval(bounds) => Some(f64::midpoint(bounds.low, bounds.high)),
            Self::Bounds(bounds) => Some(f64::midpoint(bounds.low.to_f64()?, bounds.high.to_f64()?)),
            Self::Tuple(_)
            | Self::Bool(_)
            | Self::String(_)
            | Self::Player(_)
            | Self::Outcome(_)
            | Self::Word(_)
            | Self::Game(_)
            | Self::Function { .. } => None,
        }
    }
}

impl Scale {
    fn of(table: &Table) -> Self {
        let numbers = table.rows.iter().flat_map(|row| row.values.iter().filter_map(Scalar::approximate));
        let (low, high) = numbers.fold((0.0_f64, 0.0_f64), |(low, high), number| (low.min(number), high.max(number)));
        Self { low, high }
    }

    fn shade(self, cell: &Scalar) -> Shade {
        match (cell, cell.approximate()) {
            (Scalar::Outcome(outcome), _) => Shade::Who(*outcome),
            (_, Some(number)) if self.high > self.low => Shade::Part((number - self.low) / (self.high - self.low)),
            (_, Some(_)) => Shade::Part(0.0),
            (_, None) => Shade::Nothing,
        }
    }

    /// A number of the scale.
    fn at(self, part: f64) -> String {
        let value = self.low + (self.high - self.low) * part;
        format!("{}", (value * 1e4).round() / 1e4)
    }
}

impl Shade {
    /// Two characters for the terminal.
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

    /// The colour of a cell, and that of what is written on it.
    fn colours(self) -> (String, &'static str) {
        match self {
            Self::Part(part) => fill(part),
            Self::Who(Outcome::Wins(player)) => (colour(player).to_owned(), "white"),
            Self::Who(Outcome::Draw) => ("#FFFFFF".to_owned(), "black"),
            Self::Who(Outcome::Undetermined) | Self::Nothing => ("#BBBBBB".to_owned(), "black"),
        }
    }
}

/// One of five shades; only the least is blank.
fn step(part: f64) -> usize {
    if part <= 0.0 { 0 } else { (part * 4.0).ceil().clamp(1.0, 4.0) as usize }
}

/// The most rows and columns of the reduced form in the terminal.
const MOST: (usize, usize) = (40, 50);

impl Heat {
    /// For reading: shaded blocks, or letters for outcomes.
    pub(super) fn text(&self) -> String {
        let (table, scale) = (&self.table, Scale::of(&self.table));
        let (down, across) = (table.rows.len().div_ceil(MOST.0).max(1), table.columns.len().div_ceil(MOST.1).max(1));
        let labels: Vec<&str> = table.rows.iter().step_by(down).map(|row| row.label.as_str()).collect();
        let margin = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let mut lines = Vec::new();
        for (label, row) in labels.iter().zip(table.rows.iter().step_by(down)) {
            let cells: String = row.values.iter().step_by(across).map(|cell| scale.shade(cell).glyph()).collect();
            let padding = " ".repeat(margin - label.chars().count());
            lines.push(format!("{label}{padding} │{cells}").trim_end().to_owned());
        }
        let width = 2 * table.columns.len().div_ceil(across);
        let indent = " ".repeat(margin + 1);
        lines.push(format!("{indent}└{}", "─".repeat(width)));
        if let (Some(first), Some(last)) = (table.columns.first(), table.columns.iter().step_by(across).next_back()) {
            let (first, last) = (first.to_string(), last.to_string());
            let gap = (width + 1).saturating_sub(first.chars().count() + last.chars().count()).max(1);
            lines.push(format!("{indent}{first}{}{last}  {}", " ".repeat(gap), table.parameter));
        }
        lines.push(self.key(scale));
        if (down, across) != (1, 1) {
            lines.push(format!("every {} row and {} column is shown", nth(down), nth(across)));
        }
        lines.join("\n")
    }

    /// What the glyphs mean.
    fn key(&self, scale: Scale) -> String {
        if self.has_outcomes() {
            return "A alice wins   B bob wins   = draw".to_owned();
        }
        let steps = (0..=4_u8).map(|step| {
            let part = f64::from(step) / 4.0;
            format!("{} {}", Shade::Part(part).glyph(), scale.at(part))
        });
        format!("up to: {}", steps.collect::<Vec<_>>().join("  "))
    }

    fn has_outcomes(&self) -> bool {
        self.table.rows.iter().flat_map(|row| &row.values).any(|cell| matches!(cell, Scalar::Outcome(_)))
    }

    /// As a picture: a square for each cell, its value in it where there is room.
    ///
    /// # Errors
    /// If the watch stops it.
    pub fn svg(&self, watch: &dyn Watch) -> Result<String, Stop> {
        let (table, scale, grid) = (&self.table, Scale::of(&self.table), Grid::of(&self.table));
        let mut svg = Svg::new("Heat map", grid.size());
        for (row, line) in table.rows.iter().enumerate() {
            watch.check()?;
            if row % grid.every == 0 {
                let y = grid.top() + (row as f64 + 0.5) * grid.cell + 4.0;
                svg.text((grid.left - 6.0, y), "end", &line.label);
            }
            for (column, cell) in line.values.iter().enumerate() {
                grid.draw(&mut svg, (row, column), scale.shade(cell), &cell.to_string());
            }
        }
        for (column, value) in table.columns.iter().enumerate().step_by(grid.every_column) {
            svg.text((grid.left + (column as f64 + 0.5) * grid.cell, grid.top() - 6.0), "middle", &value.to_string());
        }
        svg.text((grid.left + grid.width / 2.0, 16.0), "middle", &table.parameter);
        if self.has_outcomes() {
            grid.who(&mut svg)
        } else {
            grid.bar(&mut svg, scale)
        }
        Ok(svg.finish())
    }

    /// For TikZ: a square for each cell.
    pub(super) fn latex(&self, page: &mut Page<'_>) -> fmt::Result {
        let (table, scale) = (&self.table, Scale::of(&self.table));
        let size = 0.5_f64.min(12.0 / table.columns.len().max(1) as f64);
        writeln!(page, "% needs \\usepackage{{tikz}}")?;
        writeln!(page, "\\begin{{tikzpicture}}[x={size:.3}cm, y={size:.3}cm, font=\\scriptsize]")?;
        for (row, line) in table.rows.iter().enumerate() {
            writeln!(page, "\\node[anchor=east] at (0,-{row}.5) {{{}}};", super::latex::in_math(&line.label))?;
            for (column, cell) in line.values.iter().enumerate() {
                let (fill, _) = scale.shade(cell).colours();
                let (red, green, blue) = (hex(&fill[1..3]), hex(&fill[3..5]), hex(&fill[5..7]));
                writeln!(
                    page,
                    "\\filldraw[draw=gray, fill={{rgb,255:red,{red};green,{green};blue,{blue}}}] ({column},-{row}) rectangle +(1,-1);"
                )?;
            }
        }
        for (column, value) in table.columns.iter().enumerate() {
            writeln!(page, "\\node[anchor=south] at ({column}.5,0) {{${value}$}};")?;
        }
        page.write_str("\\end{tikzpicture}")
    }
}

fn hex(digits: &str) -> u8 {
    u8::from_str_radix(digits, 16).unwrap_or(0)
}

fn nth(n: usize) -> String {
    match n {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{n}th"),
    }
}

/// The measures of a picture.
struct Grid {
    cell: f64,
    left: f64,
    width: f64,
    height: f64,
    /// How many rows share a label.
    every: usize,
    /// How many columns share one.
    every_column: usize,
    /// Whether there is room for the values.
    written: bool,
}

const LETTER: f64 = 7.2;
const TOP: f64 = 42.0;
const KEY: f64 = 44.0;

impl Grid {
    fn of(table: &Table) -> Self {
        let widest =
            |texts: &mut dyn Iterator<Item = String>| texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64;
        let values = widest(&mut table.rows.iter().flat_map(|row| row.values.iter().map(ToString::to_string)));
        let labels = widest(&mut table.rows.iter().map(|row| row.label.clone()));
        let headers = widest(&mut table.columns.iter().map(ToString::to_string));
        let columns = table.columns.len().max(1);
        let roomy = (values * LETTER + 8.0).max(26.0);
        let written = roomy <= 48.0 && columns <= 24;
        let cell = if written { roomy } else { (720.0 / columns as f64).clamp(3.0, 26.0) };
        Self {
            cell,
            left: labels * LETTER + 16.0,
            width: cell * columns as f64,
            height: cell * table.rows.len() as f64,
            every: (15.0 / cell).ceil().max(1.0) as usize,
            every_column: ((headers * LETTER + 8.0) / cell).ceil().max(1.0) as usize,
            written,
        }
    }

    fn top(&self) -> f64 {
        TOP
    }

    fn size(&self) -> (f64, f64) {
        ((self.left + self.width + 20.0).max(self.left + 330.0), TOP + self.height + KEY + 10.0)
    }

    fn draw(&self, svg: &mut Svg, (row, column): (usize, usize), shade: Shade, value: &str) {
        let (x, y) = (self.left + column as f64 * self.cell, TOP + row as f64 * self.cell);
        let (fill, ink) = shade.colours();
        let edge = if self.cell >= 10.0 { " stroke=\"#AAAAAA\" stroke-width=\"0.5\"" } else { "" };
        svg.line(format!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{0:.2}\" height=\"{0:.2}\" fill=\"{fill}\"{edge}><title>{value}</title></rect>",
            self.cell
        ));
        let word = match shade {
            Shade::Who(_) if self.cell >= 14.0 => shade.glyph().trim(),
            Shade::Part(_) | Shade::Nothing if self.written => value,
            _ => return,
        };
        svg.line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{word}</text>",
            x + self.cell / 2.0,
            y + self.cell / 2.0 + 4.0
        ));
    }

    /// The scale below the cells.
    fn bar(&self, svg: &mut Svg, scale: Scale) {
        let y = TOP + self.height + 14.0;
        for step in 0..=20_u8 {
            let (colour, _) = fill(f64::from(step) / 20.0);
            let x = self.left + f64::from(step) * 12.0;
            svg.line(format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"));
        }
        svg.line(format!(
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"252\" height=\"12\" fill=\"none\" stroke=\"#888888\"/>",
            self.left
        ));
        for (part, x) in [(0.0, 0.0), (0.5, 126.0), (1.0, 252.0)] {
            svg.text((self.left + x, y + 26.0), "middle", &scale.at(part));
        }
    }

    /// Who the colours are.
    fn who(&self, svg: &mut Svg) {
        let y = TOP + self.height + 14.0;
        let words = [
            (Outcome::Wins(Player::Alice), "alice wins"),
            (Outcome::Wins(Player::Bob), "bob wins"),
            (Outcome::Draw, "draw"),
        ];
        for (place, (outcome, words)) in words.into_iter().enumerate() {
            let x = self.left + place as f64 * 105.0;
            let (fill, _) = Shade::Who(outcome).colours();
            svg.line(format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"14\" height=\"14\" fill=\"{fill}\" stroke=\"#888888\"/>"
            ));
            svg.text((x + 20.0, y + 11.5), "start", words);
        }
    }
}
