//! Axes, shared by plots, heat maps and bars.

use std::fmt;

use super::board::Point;
use super::svg::{Svg, px};

/// A range of numbers, the first less than the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NumberRange {
    pub low: f64,
    pub high: f64,
}

/// The labels along a side of a frame.
pub(super) struct Axis {
    /// The name, which may be empty.
    pub name: String,
    /// The ticks: their positions, as parts of the side from the left or from below, and their
    /// labels.
    pub ticks: Vec<(f64, String)>,
}

/// The rectangle that contains a drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct DrawingFrame {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl NumberRange {
    /// Creates the range of one number.
    pub fn of(number: f64) -> Self {
        Self {
            low: number,
            high: number,
        }
    }

    /// Returns the range, or one of length 1 if it is a single point.
    pub fn wide(self) -> Self {
        if self.low < self.high {
            self
        } else {
            Self {
                high: self.low + 1.0,
                ..self
            }
        }
    }

    /// Returns the least range that also contains a number.
    pub fn with(self, number: f64) -> Self {
        Self {
            low: self.low.min(number),
            high: self.high.max(number),
        }
    }

    /// Returns the position of a number in the range: 0 at the low end, 1 at the high one.
    pub fn part(self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }

    /// Returns the number at a position.
    pub fn at(self, part: f64) -> f64 {
        self.low + (self.high - self.low) * part
    }

    /// Creates an axis with at most eleven round numbers on it. They are multiples of 1, 2 or 5
    /// times a power of ten, or of `least` if that is greater.
    pub fn axis(self, name: &str, least: f64) -> Axis {
        let step = round_step(self.high - self.low).max(least);
        let first = (self.low / step).ceil();
        let numbers = (0..=10).map(|place| (first + f64::from(place)) * step);
        // A multiple of the step may exceed the end by rounding only.
        let ticks = numbers.filter(|number| *number <= self.high + step * 1e-9);
        Axis {
            name: name.to_owned(),
            ticks: ticks
                .map(|number| (self.part(number), short(number, 6)))
                .collect(),
        }
    }
}

/// Returns 1, 2 or 5 times a power of ten, such that at most ten steps of it fit into a length.
pub(super) fn round_step(length: f64) -> f64 {
    let power = 10_f64.powf(length.log10().floor() - 1.0);
    [1.0, 2.0, 5.0, 10.0]
        .map(|times| times * power)
        .into_iter()
        // The margin allows for rounding, so that a length of exactly ten steps fits.
        .find(|step| length / step <= 10.0 + 1e-9)
        .unwrap_or(1.0)
}

/// Writes a number with at most this many digits after the point.
pub(super) fn short(number: f64, digits: i32) -> String {
    let unit = 10_f64.powi(digits);
    let rounded = (number * unit).round() / unit;
    // A small negative number would be written as `-0`.
    if rounded == 0.0 {
        "0".to_owned()
    } else {
        rounded.to_string()
    }
}

impl DrawingFrame {
    /// Returns the point at these parts of the width and of the height from below.
    pub fn at(&self, (x, y): Point) -> Point {
        (
            self.left + x * self.width,
            self.top + (1.0 - y) * self.height,
        )
    }

    /// Draws thin lines at the ticks of both axes.
    pub fn draw_lines(&self, svg: &mut Svg<'_, '_>, x: &Axis, y: &Axis) -> fmt::Result {
        let upright = x.ticks.iter().map(|(part, _)| [(*part, 0.0), (*part, 1.0)]);
        let level = y.ticks.iter().map(|(part, _)| [(0.0, *part), (1.0, *part)]);
        for ends in upright.chain(level) {
            let [(x1, y1), (x2, y2)] = ends.map(|end| self.at(end)).map(|(x, y)| (px(x), px(y)));
            svg.shape(
                "line",
                &[
                    ("x1", &x1),
                    ("y1", &y1),
                    ("x2", &x2),
                    ("y2", &y2),
                    ("stroke", "#E1E1E1"),
                ],
            )?;
        }
        Ok(())
    }

    /// Draws the lower and the left axis with their labels.
    pub fn draw_axes(&self, svg: &mut Svg<'_, '_>, x: &Axis, y: &Axis) -> fmt::Result {
        let (right, bottom) = self.at((1.0, 0.0));
        let sides = format!("M{:.1} {:.1} V{bottom:.1} H{right:.1}", self.left, self.top);
        svg.shape(
            "path",
            &[("d", &sides), ("fill", "none"), ("stroke", "#555555")],
        )?;
        for (part, label) in &x.ticks {
            svg.text((self.at((*part, 0.0)).0, bottom + 16.0), "middle", label)?;
        }
        for (part, label) in &y.ticks {
            svg.text(
                (self.left - 6.0, self.at((0.0, *part)).1 + 4.0),
                "end",
                label,
            )?;
        }
        for (name, anchor, at) in [
            (&x.name, "middle", (self.at((0.5, 0.0)).0, bottom + BELOW)),
            (&y.name, "start", (self.left, self.top - 8.0)),
        ] {
            if !name.is_empty() {
                svg.text(at, anchor, name)?;
            }
        }
        Ok(())
    }
}

/// The distance from a frame down to the name of its axis.
pub(super) const BELOW: f64 = 33.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_at_round_numbers() {
        let lengths = [1.0, 10.0, 11.0, 49.0, 55.0, 100.0, 199.0, 0.3, 1.8e19];
        assert_eq!(
            lengths.map(round_step),
            [0.1, 1.0, 2.0, 5.0, 10.0, 10.0, 20.0, 0.05, 2e18]
        );
        let labels = |low, high, least| {
            let axis = NumberRange { low, high }.axis("k", least);
            axis.ticks
                .into_iter()
                .map(|(_, label)| label)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(labels(0.0, 20.0, 0.0), "0 2 4 6 8 10 12 14 16 18 20");
        assert_eq!(labels(-0.25, 0.5, 0.0), "-0.2 -0.1 0 0.1 0.2 0.3 0.4 0.5");
        assert_eq!(labels(0.0, 1.0, 1.0), "0 1");
        assert_eq!(
            labels(3.0, 4.0, 0.0),
            "3 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 4"
        );
    }
}
