//! Plots of values over a range, with lines for comparison.

use borsh::{BorshDeserialize, BorshSerialize};
use num_rational::BigRational;
use serde::Serialize;

use super::block::{Block, Cell, Medium};
use super::json;
use super::picture::Picture;
use bid_language::scalar::Scalar;
use bid_language::watch::{Context, Stop, watched};

/// Values over a range, and lines through the origin.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "plot")]
pub struct Plot {
    /// The parameter of the range: `k`.
    pub parameter: String,
    /// The curves in the order in which they were given.
    pub curves: Vec<Curve>,
}

/// A curve of a plot.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// The line through the origin with this slope.
    Line(
        #[serde(serialize_with = "json::number")]
        #[borsh(
            serialize_with = "bid_language::codec::write_rational",
            deserialize_with = "bid_language::codec::read_rational"
        )]
        BigRational,
    ),
    /// Values at places, which are drawn as points.
    #[serde(untagged)]
    Values {
        /// The quantity of the values: `f(E, k)`.
        label: String,
        /// The places and the values there.
        points: Vec<(Scalar, Scalar)>,
    },
}

impl Plot {
    /// Subtracts a multiple of the places from the values, which gives their distances from that
    /// line. Values that are not exact numbers are removed.
    pub fn less(mut self, slope: &BigRational, context: &Context<'_>) -> Result<Self, Stop> {
        for curve in &mut self.curves {
            match curve {
                Curve::Line(other) => *other -= slope,
                Curve::Values { label, points } => {
                    *label = format!("{label} - {slope}·{}", self.parameter);
                    let less = |(place, value): &(Scalar, Scalar)| {
                        // Distances may be tiny beside the values, so that floating-point numbers
                        // would lose them.
                        let amount = place.exact()? * slope;
                        Some((place.clone(), value.less(&amount)?))
                    };
                    let found = watched(points.iter(), context).filter_map(|point| match point {
                        Ok(point) => less(point).map(Ok),
                        Err(stop) => Some(Err(stop)),
                    });
                    *points = found.collect::<Result<_, Stop>>()?;
                }
            }
        }
        Ok(self)
    }

    /// Returns `true` if there is anything to draw.
    pub fn has_points(&self) -> bool {
        self.curves
            .iter()
            .any(|curve| curve.points().next().is_some())
    }

    /// Returns the plot as a picture, or in a spreadsheet as a row for each point of each curve.
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        match medium {
            Medium::Terminal | Medium::Page | Medium::Paper => Block::Picture(Picture::Plot(self)),
            Medium::Sheet => {
                let rows = self
                    .curves
                    .iter()
                    .flat_map(|curve| curve.rows(&self.parameter));
                Block::sheet(["curve", &self.parameter, "value"], rows)
            }
        }
    }
}

impl Curve {
    /// Returns `true` if it is a line.
    pub(super) fn is_line(&self) -> bool {
        matches!(self, Self::Line(_))
    }

    /// Returns the name of the curve in the key.
    pub(super) fn label(&self, parameter: &str) -> String {
        match self {
            Self::Values { label, .. } => label.clone(),
            Self::Line(slope) => format!("{slope}·{parameter}"),
        }
    }

    /// Returns the points that can be drawn, which are those that are numbers.
    pub(super) fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let points = match self {
            Self::Values { points, .. } => &points[..],
            Self::Line(_) => &[],
        };
        points
            .iter()
            .filter_map(|(x, y)| Some((x.approximate()?, y.approximate()?)))
    }

    fn rows(&self, parameter: &str) -> Vec<[Cell<'_>; 3]> {
        match self {
            Self::Values { label, points } => points
                .iter()
                .map(|(x, y)| [Cell::text(label), Cell::value(x), Cell::value(y)])
                .collect(),
            Self::Line(slope) => vec![[
                Cell::text(self.label(parameter)),
                // A line through the origin is given by its value at 1.
                Cell::text("1"),
                Cell::rational(slope),
            ]],
        }
    }
}
