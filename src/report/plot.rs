//! Plots of values over a range, with lines to compare them with: SVG drawn by the crate `plotters`, braille for the terminal,
//! `pgfplots` for LaTeX.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use plotters::prelude::*;

use super::Scalar;
use super::braille::Canvas;
use super::latex::in_math;
use super::safe::visible;

/// Values over a range, and lines through the origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// What they run over: `k`.
    pub parameter: String,
    /// In the order in which they were given.
    pub curves: Vec<Curve>,
}

/// Something that is drawn in a plot.
#[derive(Debug, Clone, PartialEq)]
pub enum Curve {
    /// A staircase: each value holds from its place to the next.
    Values {
        /// What the values are: `f(E, k)`.
        label: String,
        /// The places and the values there.
        points: Vec<(Scalar, Scalar)>,
    },
    /// The line whose height over k is so many times k.
    Line(BigRational),
}

/// Okabe and Ito's colours, which colour-blind readers can tell apart; yellow, too faint for a line, is left out.
const PALETTE: [(RGBColor, &str); 7] = [
    (RGBColor(0x00, 0x72, 0xB2), "0072B2"),
    (RGBColor(0xD5, 0x5E, 0x00), "D55E00"),
    (RGBColor(0x00, 0x9E, 0x73), "009E73"),
    (RGBColor(0xCC, 0x79, 0xA7), "CC79A7"),
    (RGBColor(0xE6, 0x9F, 0x00), "E69F00"),
    (RGBColor(0x56, 0xB4, 0xE9), "56B4E9"),
    (RGBColor(0x00, 0x00, 0x00), "000000"),
];

/// The size of the part of the picture between the axes and their labels.
const CHART: (u32, u32) = (760, 520);
const FONT: (&str, i32) = ("sans-serif", 14);
/// The room for a letter of the key.
const LETTER: u32 = 8;
/// Points are marked on staircases of fewer steps.
const MARKED: usize = 48;

impl Plot {
    /// Whether there is anything to draw.
    pub fn has_points(&self) -> bool {
        self.curves.iter().any(|curve| !curve.points().is_empty())
    }

    /// The plot as SVG; `None` if there is nothing to draw, or the drawing fails.
    pub fn svg(&self) -> Option<String> {
        let frame = Frame::of(self)?;
        let widest = self.curves.iter().map(|curve| curve.label(&self.parameter).chars().count()).max().unwrap_or(0);
        let key = 64 + LETTER * u32::try_from(widest).ok()?;
        let mut svg = String::new();
        self.draw(&frame, key, &mut svg).ok()?;
        Some(visible(&svg).into_owned())
    }

    fn draw(&self, frame: &Frame, key: u32, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(svg, (CHART.0 + key, CHART.1)).into_drawing_area();
        root.fill(&WHITE)?;
        let (left, right) = root.split_horizontally(CHART.0);
        let mut chart = ChartBuilder::on(&left)
            .margin(14)
            .margin_right(24)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(frame.x.0..frame.x.1, frame.y.0..frame.y.1)?;
        chart
            .configure_mesh()
            .x_desc(&self.parameter)
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(225, 225, 225))
            .label_style(FONT)
            .x_label_formatter(&|x| tick(*x))
            .y_label_formatter(&|y| tick(*y))
            .draw()?;
        for (place, (curve, colour)) in self.coloured().enumerate() {
            let y = 30 + 22 * i32::try_from(place)?;
            let colour = PALETTE[colour].0;
            match curve {
                Curve::Values { .. } => {
                    let points = curve.points();
                    chart.draw_series(LineSeries::new(stairs(&points), colour.stroke_width(2)))?;
                    if points.len() < MARKED {
                        chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
                    }
                    right.draw(&PathElement::new(vec![(8, y), (40, y)], colour.stroke_width(2)))?;
                }
                Curve::Line(slope) => {
                    chart.draw_series(DashedLineSeries::new(frame.line(slope), 6, 4, colour.stroke_width(1)))?;
                    for start in [8, 18, 28] {
                        right.draw(&PathElement::new(vec![(start, y), (start + 6, y)], colour.stroke_width(1)))?;
                    }
                }
            }
            right.draw(&Text::new(curve.label(&self.parameter), (48, y - 7), FONT))?;
        }
        root.present()?;
        Ok(())
    }

    /// The curves with the places of their colours: a line has that of the values before it.
    fn coloured(&self) -> impl Iterator<Item = (&Curve, usize)> {
        let mut staircases = 0;
        self.curves.iter().map(move |curve| {
            if matches!(curve, Curve::Values { .. }) {
                staircases += 1;
            }
            (curve, usize::saturating_sub(staircases, 1) % PALETTE.len())
        })
    }

    /// For reading: the curves in dots, each named where it ends.
    pub(super) fn text(&self) -> String {
        let Some(frame) = Frame::of(self) else { return "nothing to draw".to_owned() };
        let mut canvas = Canvas::new();
        for curve in &self.curves {
            let end = match curve {
                Curve::Values { .. } => {
                    let points = stairs(&curve.points());
                    points.windows(2).for_each(|ends| canvas.line(frame.dot(ends[0]), frame.dot(ends[1]), 1));
                    points.last().copied()
                }
                Curve::Line(slope) => {
                    let ends = frame.line(slope);
                    canvas.line(frame.dot(ends[0]), frame.dot(ends[1]), 4);
                    None
                }
            };
            if let Some(end) = end {
                canvas.name(frame.dot(end), curve.label(&self.parameter));
            }
        }
        let lines: Vec<String> = self
            .curves
            .iter()
            .filter(|curve| matches!(curve, Curve::Line(_)))
            .map(|curve| curve.label(&self.parameter))
            .collect();
        let dotted = if lines.is_empty() { String::new() } else { format!("\ndotted: {}", lines.join(", ")) };
        let [low, high] = [frame.y.0, frame.y.1].map(tick);
        format!("{}{dotted}", canvas.text((&low, &high), (&tick(frame.x.0), &tick(frame.x.1), &self.parameter)))
    }

    /// For `pgfplots`.
    pub(super) fn latex(&self) -> String {
        let mut parts = vec!["% needs \\usepackage{pgfplots}".to_owned()];
        let used = self.coloured().map(|(_, colour)| colour + 1).max().unwrap_or(0);
        let colours = PALETTE[..used].iter().enumerate();
        parts.extend(colours.map(|(place, (_, hex))| format!("\\definecolor{{curve{place}}}{{HTML}}{{{hex}}}")));
        parts.push(format!(
            "\\begin{{tikzpicture}}\n\\begin{{axis}}[xlabel={}, legend pos=outer north east, legend cell align=left, grid=major]",
            in_math(&self.parameter)
        ));
        for (curve, colour) in self.coloured() {
            let name = in_math(&curve.label(&self.parameter));
            parts.push(match curve {
                Curve::Values { .. } => {
                    let points: Vec<String> = curve.points().iter().map(|(x, y)| format!("({x},{y})")).collect();
                    format!("\\addplot[const plot, curve{colour}] coordinates {{{}}};", points.join(" "))
                }
                Curve::Line(slope) => {
                    let ends = Frame::of(self).map_or((0.0, 1.0), |frame| frame.x);
                    let (top, bottom) = (slope.numer(), slope.denom());
                    format!("\\addplot[dashed, curve{colour}, domain={}:{}] {{{top}/{bottom}*x}};", ends.0, ends.1)
                }
            });
            parts.push(format!("\\addlegendentry{{{name}}}"));
        }
        parts.push("\\end{axis}\n\\end{tikzpicture}".to_owned());
        parts.join("\n")
    }

    /// For spreadsheets: a row for each point of each curve.
    pub(super) fn cells(&self) -> Vec<Vec<String>> {
        let mut rows = vec![vec!["curve".to_owned(), self.parameter.clone(), "value".to_owned()]];
        for curve in &self.curves {
            let label = curve.label(&self.parameter);
            match curve {
                Curve::Values { points, .. } => {
                    rows.extend(points.iter().map(|(x, y)| vec![label.clone(), x.to_string(), y.to_string()]));
                }
                Curve::Line(slope) => rows.push(vec![label, "1".to_owned(), slope.to_string()]),
            }
        }
        rows
    }
}

impl Curve {
    /// What the key calls it.
    pub(super) fn label(&self, parameter: &str) -> String {
        match self {
            Self::Values { label, .. } => label.clone(),
            Self::Line(slope) => format!("{slope}·{parameter}"),
        }
    }

    /// What can be drawn: the points that are numbers.
    fn points(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Values { points, .. } => {
                points.iter().filter_map(|(x, y)| Some((x.approximate()?, y.approximate()?))).collect()
            }
            Self::Line(_) => Vec::new(),
        }
    }
}

/// Each value holds up to the next place.
fn stairs(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners = Vec::new();
    for (place, &(x, y)) in points.iter().enumerate() {
        corners.push((x, y));
        if let Some((next, _)) = points.get(place + 1) {
            corners.push((*next, y));
        }
    }
    corners
}

/// A number at an axis.
fn tick(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// The ranges of the axes.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    /// Around all values, from zero where they are not negative; `None` if there are none.
    fn of(plot: &Plot) -> Option<Self> {
        let points: Vec<(f64, f64)> = plot.curves.iter().flat_map(Curve::points).collect();
        let range = |of: fn(&(f64, f64)) -> f64| {
            let values = points.iter().map(of);
            Some((values.clone().reduce(f64::min)?, values.reduce(f64::max)?))
        };
        let x = wide(range(|point| point.0)?);
        let (mut low, mut high) = range(|point| point.1)?;
        for curve in &plot.curves {
            if let Curve::Line(slope) = curve {
                let end = slope.to_f64().unwrap_or(0.0) * x.1;
                (low, high) = (low.min(end), high.max(end));
            }
        }
        Some(Self { x, y: wide((low.min(0.0), high)) })
    }

    /// The ends of a line through the origin.
    fn line(&self, slope: &BigRational) -> [(f64, f64); 2] {
        let slope = slope.to_f64().unwrap_or(0.0);
        [self.x.0, self.x.1].map(|x| (x, slope * x))
    }

    /// Where a point lies, as parts of the width and the height from below.
    fn dot(&self, (x, y): (f64, f64)) -> (f64, f64) {
        ((x - self.x.0) / (self.x.1 - self.x.0), (y - self.y.0) / (self.y.1 - self.y.0))
    }
}

/// A range that is not empty.
fn wide((low, high): (f64, f64)) -> (f64, f64) {
    if low < high { (low, high) } else { (low, low + 1.0) }
}
