//! Draws the squares of heat maps, with their axes and keys, as SVG.

use std::fmt::{self, Write};

use super::{Panel, Shade, has_gaps, scale_label, shade, visible};
use crate::picture::frame::{Axis, BELOW, DrawingFrame, NumberRange};
use crate::picture::svg::{LETTER, Svg};
use crate::text::widest;
use crate::{Page, Table};
use bid_language::player::{Outcome, Player};
use bid_language::scalar::Scalar;

/// The sizes of squares and labels, which are the same for all panels.
pub(super) struct Lettering {
    /// The width and height of each square.
    cell: f64,
    /// The width of the parameter's values.
    head: f64,
    /// `true` if there is room for the values in the squares.
    written: bool,
}

impl Lettering {
    pub(super) fn of(
        table: &Table,
        panels: usize,
        page: &mut Page<'_>,
    ) -> Result<Self, fmt::Error> {
        let mut values = 0;
        for cell in table.rows.iter().flat_map(|row| &row.values) {
            // An outcome is written as one letter.
            values = values.max(match cell {
                Scalar::Outcome(_) => 1,
                other => page.part(|page| write!(page, "{other}"))?.chars().count(),
            });
        }
        let heads = widest(table.columns.iter().map(Scalar::to_string));
        let columns = table.columns.len().max(1) as f64;
        let roomy = (values as f64 * LETTER + 8.0).max(26.0);
        // Longer values or more columns would make the picture too wide.
        let written = roomy <= 48.0 && columns <= 24.0;
        let cell = if written {
            roomy
        } else {
            // The width is in tenths of a pixel: 720 pixels for one panel, 480 for each of two.
            let most = if panels > 1 { 4800.0 } else { 7200.0 };
            (most / columns).floor().clamp(30.0, 260.0) / 10.0
        };
        Ok(Self {
            cell,
            head: heads as f64 * LETTER + 8.0,
            written,
        })
    }
}

/// The squares of a panel.
pub(super) struct Squares<'p> {
    pub(super) panel: &'p Panel<'p>,
    lettering: &'p Lettering,
    pub(super) frame: DrawingFrame,
}

const TOP: f64 = 16.0;
/// The height of the title of the rows.
const TITLE: f64 = 12.0;
/// The height of the key below the axis.
pub(super) const KEY: f64 = 54.0;
/// The distance between two panels.
const BETWEEN: f64 = 24.0;

impl<'p> Squares<'p> {
    /// Places a panel to the right of those that end there.
    pub(super) fn of(panel: &'p Panel<'p>, lettering: &'p Lettering, right: f64) -> Self {
        let labels = widest(&panel.names.ticks) as f64 * LETTER;
        let title = panel.names.title.chars().count() as f64 * LETTER;
        let columns = panel.table.columns.len().max(1) as f64;
        let gap = if right > 0.0 { BETWEEN } else { 0.0 };
        let frame = DrawingFrame {
            left: right + gap + labels + 16.0,
            top: if title > 0.0 { TOP + TITLE } else { TOP },
            width: (lettering.cell * columns),
            height: lettering.cell * panel.rows.len() as f64,
        };
        Self {
            panel,
            lettering,
            frame,
        }
    }

    /// Returns the right end of the squares and of the title above them.
    pub(super) fn right(&self) -> f64 {
        let title = self.panel.names.title.chars().count() as f64 * LETTER;
        self.frame.left + self.frame.width.max(title)
    }

    /// Returns the axis of the parameter, with as many of its values as there is room for.
    pub(super) fn columns(&self) -> Axis {
        let table = self.panel.table;
        let every = (self.lettering.head / self.lettering.cell).ceil().max(1.0) as usize;
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
    pub(super) fn rows(&self) -> Axis {
        let (rows, names) = (self.panel.rows, &self.panel.names);
        let every = (15.0 / self.lettering.cell).ceil().max(1.0) as usize;
        let part = |row: usize| 1.0 - (row as f64 + 0.5) / rows.len() as f64;
        let ticks = (0..rows.len()).step_by(every);
        Axis {
            name: names.title.clone(),
            ticks: ticks
                .map(|row| (part(row), names.ticks[row].clone()))
                .collect(),
        }
    }

    pub(super) fn draw(
        &self,
        svg: &mut Svg<'_, '_>,
        row: usize,
        column: usize,
        shade: Shade,
        value: &str,
    ) -> fmt::Result {
        let &Lettering { cell, written, .. } = self.lettering;
        let (x, y) = (
            self.frame.left + column as f64 * cell,
            self.frame.top + row as f64 * cell,
        );
        let (fill, ink) = shade.colours();
        let style = [
            ("fill", fill.as_str()),
            ("stroke", "#AAAAAA"),
            ("stroke-width", "0.5"),
        ];
        // Borders would hide the colours of small squares.
        let shown = if cell >= 10.0 { style.len() } else { 1 };
        svg.rectangle((x, y), (cell, cell), &style[..shown], Some(value))?;
        let word = match shade {
            Shade::Who(_) if cell >= 14.0 => shade.glyph().trim(),
            Shade::Part(_) | Shade::Nothing if written => value,
            _ => return Ok(()),
        };
        let middle = (x + cell / 2.0, y + cell / 2.0 + 4.0);
        svg.styled(middle, &[("text-anchor", "middle"), ("fill", ink)], word)
    }

    /// Draws the scale below the axis.
    pub(super) fn bar(
        &self,
        svg: &mut Svg<'_, '_>,
        table: &Table,
        scale: NumberRange,
    ) -> fmt::Result {
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
            let label = scale_label(table, scale.at(part));
            svg.text((left + x, y + 26.0), "middle", &label)?;
        }
        if has_gaps(table) {
            self.named(svg, 272.0, Shade::Nothing, "no value")?;
        }
        Ok(())
    }

    /// Draws the key of outcomes.
    pub(super) fn who(&self, svg: &mut Svg<'_, '_>) -> fmt::Result {
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
