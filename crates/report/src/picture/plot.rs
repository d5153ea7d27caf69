//! Draws values over a range as points: as SVG, for the terminal, by `pgfplots` for LaTeX.

use std::fmt::{self, Write};

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::board::Point;
use super::braille::{Canvas, CanvasLabels, SHARED, SIZE};
use super::frame::{DrawingFrame, NumberRange, short};
use super::heat::shared;
use super::svg::{LETTER, Svg, points, px};
use crate::latex::in_math;
use crate::text::widest;
use crate::{Curve, Page, Plot};
use bid_language::watch::{Context, Stop, watched};

/// Okabe and Ito's colours, which colour-blind readers can distinguish. Yellow is left out, because
/// it is too faint for a line.
const PALETTE: [&str; 7] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
];

/// Darker versions of the same colours.
const DARK: [&str; 7] = [
    "#001B2B", "#4A2000", "#003D2D", "#4D2238", "#5C3F00", "#123F5C", "#777777",
];

/// The part of the picture between the axes.
const FRAME: DrawingFrame = DrawingFrame {
    left: 60.0,
    top: 30.0,
    width: 676.0,
    height: 460.0,
};
/// The left end of the key.
const KEY: f64 = 760.0;
/// The number of points of a curve below which each is a mark of its own, with its value under the
/// pointer.
const MARKED: usize = 100;

/// The shapes of the marks, so that curves also differ without colours.
const SHAPES: [Shape; 4] = [
    Shape::Circle,
    Shape::Square,
    Shape::Triangle,
    Shape::Diamond,
];

/// The marks in the terminal.
const MARKS: [char; 7] = ['o', 'x', '+', 'v', '^', 's', 'd'];

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
}

impl Shape {
    /// Returns the name of the mark for `pgfplots`.
    fn latex(self) -> &'static str {
        match self {
            Self::Circle => "*",
            Self::Square => "square*",
            Self::Triangle => "triangle*",
            Self::Diamond => "diamond*",
        }
    }
}

/// Returns the curves with the indices of their colours. A line has the colour of the values before
/// it.
fn coloured(plot: &Plot) -> impl Iterator<Item = (&Curve, usize)> {
    let mut series = 0;
    plot.curves.iter().map(move |curve| {
        if !curve.is_line() {
            series += 1;
        }
        (curve, usize::saturating_sub(series, 1) % PALETTE.len())
    })
}

/// Returns the colour of a curve. A line is darker than the values with which it is compared, so
/// that it is visible on them.
fn colour_of(curve: &Curve, place: usize) -> &'static str {
    if curve.is_line() {
        DARK[place]
    } else {
        PALETTE[place]
    }
}

/// Returns the name of the values: that of the only curve, the common parts of the curves' names,
/// or "value".
fn name_of_values(plot: &Plot) -> String {
    let series = plot.curves.iter().filter(|curve| !curve.is_line());
    let labels: Vec<String> = series.map(|curve| curve.label(&plot.parameter)).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    match (&labels[..], shared(&labels)) {
        ([only], _) => (*only).to_owned(),
        (_, ("", _)) => "value".to_owned(),
        (_, (before, after)) => format!("{before}…{after}"),
    }
}

/// Draws the plot as SVG. Points that are not numbers are left out.
pub(super) fn svg(plot: &Plot, page: &mut Page<'_>) -> fmt::Result {
    let labels: Vec<String> = plot
        .curves
        .iter()
        .map(|curve| curve.label(&plot.parameter))
        .collect();
    // The name of the axis says what a single curve is.
    let has_key = labels.len() > 1;
    let height =
        (FRAME.top + FRAME.height + 46.0).max(FRAME.top + 30.0 + 22.0 * labels.len() as f64);
    let ranges = page.watched(|context| Ranges::of(plot, context))?;
    let ranges = ranges.unwrap_or(Ranges::UNIT);
    let seen = ranges.with_room();
    let width = if has_key {
        KEY + 64.0 + LETTER * widest(&labels) as f64
    } else {
        KEY
    };
    Svg::draw(page, "Plot", (width, height), |svg| {
        let (x, y) = (
            seen.x.axis(&plot.parameter, least_step(plot)),
            seen.y.axis(&name_of_values(plot), 0.0),
        );
        FRAME.draw_lines(svg, &x, &y)?;
        FRAME.draw_axes(svg, &x, &y)?;
        for (curve, colour) in coloured(plot) {
            let place = |point| FRAME.at(seen.part(point));
            match curve {
                Curve::Line(slope) => {
                    let ends = ranges.line(slope).map(place);
                    dashes(svg, ends, colour_of(curve, colour))?;
                }
                Curve::Values { .. } => draw(svg, curve, place, colour)?,
            }
        }
        if !has_key {
            return Ok(());
        }
        for ((curve, colour), (place, label)) in coloured(plot).zip(labels.iter().enumerate()) {
            let y = FRAME.top + 16.0 + 22.0 * place as f64;
            let hue = colour_of(curve, colour);
            match curve {
                Curve::Line(_) => dashes(svg, [(KEY + 8.0, y), (KEY + 40.0, y)], hue)?,
                Curve::Values { .. } => mark(svg, colour, (KEY + 24.0, y), 4.0, None)?,
            }
            svg.text((KEY + 48.0, y + 4.0), "start", label)?;
        }
        Ok(())
    })
}

/// Returns the least distance between ticks of the parameter. If all parameters are whole numbers,
/// there are no ticks between them.
fn least_step(plot: &Plot) -> f64 {
    let is_whole = plot
        .curves
        .iter()
        .flat_map(Curve::points)
        .all(|(x, _)| x.fract() == 0.0);
    if is_whole { 1.0 } else { 0.0 }
}

/// Draws the points of a curve: as marks, or as dots of one path if there are many.
fn draw(
    svg: &mut Svg<'_, '_>,
    curve: &Curve,
    place: impl Fn(Point) -> Point,
    colour: usize,
) -> fmt::Result {
    // The exact number does not matter beyond a thousand, and counting converts each point.
    let count = curve.points().take(10 * MARKED).count();
    if count < MARKED {
        for (x, y) in curve.points() {
            let title = format!("{}: {}", short(x, 6), short(y, 6));
            mark(svg, colour, place((x, y)), 3.2, Some(&title))?;
        }
        return Ok(());
    }
    let dots = svg.watched(|context| {
        let dot = |point: Result<Point, Stop>| {
            let (x, y) = place(point?);
            // A line of length 0 with round caps is drawn as a dot, and takes few bytes.
            Ok(format!("M{x:.1} {y:.1}h0"))
        };
        watched(curve.points(), context)
            .map(dot)
            .collect::<Result<String, Stop>>()
    })?;
    let width = if count < 5 * MARKED { "3.2" } else { "2" };
    svg.shape(
        "path",
        &[
            ("d", dots.as_str()),
            ("fill", "none"),
            ("stroke", PALETTE[colour]),
            ("stroke-width", width),
            ("stroke-linecap", "round"),
        ],
    )
}

/// Draws a mark of the curve with this colour.
fn mark(
    svg: &mut Svg<'_, '_>,
    colour: usize,
    (x, y): Point,
    r: f64,
    title: Option<&str>,
) -> fmt::Result {
    let fill = ("fill", PALETTE[colour]);
    let corners = |corners: &[Point]| points(corners.iter().map(|(a, b)| (x + a * r, y + b * r)));
    let outline = match SHAPES[colour % SHAPES.len()] {
        Shape::Circle => {
            let (cx, cy, r) = (px(x), px(y), px(r));
            let shape = [("cx", cx.as_str()), ("cy", &cy), ("r", &r), fill];
            return match title {
                Some(title) => svg.titled("circle", &shape, title),
                None => svg.shape("circle", &shape),
            };
        }
        Shape::Square => corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        Shape::Triangle => corners(&[(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)]),
        Shape::Diamond => corners(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
    };
    let shape = [("points", outline.as_str()), fill];
    match title {
        Some(title) => svg.titled("polygon", &shape, title),
        None => svg.shape("polygon", &shape),
    }
}

/// Draws a dashed line.
fn dashes(svg: &mut Svg<'_, '_>, ends: [Point; 2], colour: &str) -> fmt::Result {
    svg.shape(
        "polyline",
        &[
            ("points", points(ends).as_str()),
            ("fill", "none"),
            ("stroke", colour),
            ("stroke-width", "1.4"),
            ("stroke-dasharray", "6 4"),
        ],
    )
}

/// Draws the plot for reading. Several curves have different marks, and a single one with many
/// points has dots.
pub(super) fn text(plot: &Plot, context: &Context<'_>) -> Result<String, Stop> {
    let Some(ranges) = Ranges::of(plot, context)? else {
        return Ok("nothing to draw".to_owned());
    };
    let seen = Ranges {
        // In the terminal, the ends of the axis are labelled with the first and last parameter.
        x: ranges.x,
        ..ranges.with_room()
    };
    let mut canvas = Canvas::new();
    let series: Vec<_> = coloured(plot)
        .filter(|(curve, _)| !curve.is_line())
        .collect();
    for curve in &plot.curves {
        if let Curve::Line(slope) = curve {
            let [from, to] = ranges.line(slope).map(|point| seen.part(point));
            // Lines are drawn before the marks, which hide their dots.
            canvas.line(from, to, 4);
        }
    }
    for (curve, place) in &series {
        let is_marked = series.len() > 1 || curve.points().take(SIZE.0 + 1).count() <= SIZE.0;
        let mut end = None;
        for point in watched(curve.points(), context) {
            let point = seen.part(point?);
            if is_marked {
                canvas.mark(point, MARKS[*place]);
            } else {
                canvas.point(point);
            }
            end = Some(point);
        }
        if let (Some(end), true) = (end, series.len() > 1) {
            let name = format!("{} {}", MARKS[*place], curve.label(&plot.parameter));
            canvas.name(end, name);
        }
    }
    let lines = plot.curves.iter().filter(|curve| curve.is_line());
    let lines: Vec<String> = lines.map(|curve| curve.label(&plot.parameter)).collect();
    let mut notes = Vec::new();
    if canvas.has_shared() {
        notes.push(format!("\n{SHARED} several"));
    }
    if !lines.is_empty() {
        notes.push(format!("\ndotted: {}", lines.join(", ")));
    }
    let height = |number: f64| (seen.y.part(number), short(number, 6));
    let name = name_of_values(plot);
    let drawn = canvas.text(&CanvasLabels {
        name: &name,
        heights: [ranges.y.low, ranges.y.high].map(height),
        ends: [ranges.x.low, ranges.x.high].map(|number| short(number, 6)),
        parameter: &plot.parameter,
    });
    Ok(format!("{drawn}{}", notes.concat()))
}

/// Writes the plot for `pgfplots`.
pub(super) fn latex(plot: &Plot, page: &mut Page<'_>) -> fmt::Result {
    writeln!(page, "% needs \\usepackage{{pgfplots}}")?;
    let used = coloured(plot)
        .map(|(_, colour)| colour + 1)
        .max()
        .unwrap_or(0);
    for (place, (hex, dark)) in PALETTE[..used].iter().zip(DARK).enumerate() {
        writeln!(
            page,
            "\\definecolor{{curve{place}}}{{HTML}}{{{}}}",
            &hex[1..]
        )?;
        writeln!(
            page,
            "\\definecolor{{line{place}}}{{HTML}}{{{}}}",
            &dark[1..]
        )?;
    }
    writeln!(
        page,
        "\\begin{{tikzpicture}}\n\\begin{{axis}}[xlabel={{{}}}, ylabel={{{}}}, legend pos=outer north east, legend cell align=left, grid=major]",
        in_math(&plot.parameter),
        in_math(&name_of_values(plot))
    )?;
    for (curve, colour) in coloured(plot) {
        match curve {
            Curve::Values { .. } => {
                let mark = SHAPES[colour % SHAPES.len()].latex();
                write!(
                    page,
                    "\\addplot[only marks, mark={mark}, mark size=1.5pt, curve{colour}] coordinates {{"
                )?;
                page.joined(" ", curve.points(), |page, (x, y)| {
                    write!(page, "({x},{y})")
                })?;
                page.write_str("};\n")?;
            }
            Curve::Line(slope) => {
                let ranges = page.watched(|context| Ranges::of(plot, context))?;
                let (first, last) =
                    ranges.map_or((0.0, 1.0), |ranges| (ranges.x.low, ranges.x.high));
                let (top, bottom) = (slope.numer(), slope.denom());
                writeln!(
                    page,
                    "\\addplot[dashed, line{colour}, domain={first}:{last}] {{{top}/{bottom}*x}};"
                )?;
            }
        }
        writeln!(
            page,
            "\\addlegendentry{{{}}}",
            in_math(&curve.label(&plot.parameter))
        )?;
    }
    page.write_str("\\end{axis}\n\\end{tikzpicture}")
}

/// The ranges of the axes.
struct Ranges {
    x: NumberRange,
    y: NumberRange,
}

impl Ranges {
    /// The ranges of a plot without points.
    const UNIT: Self = Self {
        x: NumberRange {
            low: 0.0,
            high: 1.0,
        },
        y: NumberRange {
            low: 0.0,
            high: 1.0,
        },
    };

    /// Returns ranges with some room at their ends, so that no point touches the frame. A range of
    /// values from zero keeps that end.
    fn with_room(&self) -> Self {
        let room = |range: NumberRange, part: f64| part * (range.high - range.low);
        let (aside, above) = (room(self.x, 0.02), room(self.y, 0.06));
        // Room below 0 would look like room for negative values.
        let below = if self.y.low < 0.0 { above } else { 0.0 };
        Self {
            x: NumberRange {
                low: self.x.low - aside,
                high: self.x.high + aside,
            },
            y: NumberRange {
                low: self.y.low - below,
                high: self.y.high + above,
            },
        }
    }

    /// Returns the ranges of all values, from zero if none is negative, or `None` if there are no
    /// values.
    fn of(plot: &Plot, context: &Context<'_>) -> Result<Option<Self>, Stop> {
        let mut found: Option<(NumberRange, NumberRange)> = None;
        for point in watched(plot.curves.iter().flat_map(Curve::points), context) {
            let (x, y) = point?;
            let (xs, ys) = found.unwrap_or((NumberRange::of(x), NumberRange::of(y)));
            found = Some((xs.with(x), ys.with(y)));
        }
        let Some((x, mut y)) = found else {
            return Ok(None);
        };
        let x = x.wide();
        // An axis from 0 shows the proportions of the values.
        y.low = y.low.min(0.0);
        for curve in &plot.curves {
            if let Curve::Line(slope) = curve {
                y = y.with(slope.to_f64().unwrap_or(0.0) * x.high);
            }
        }
        Ok(Some(Self { x, y: y.wide() }))
    }

    /// Returns the ends of a line through the origin.
    fn line(&self, slope: &BigRational) -> [Point; 2] {
        let slope = slope.to_f64().unwrap_or(0.0);
        [self.x.low, self.x.high].map(|x| (x, slope * x))
    }

    /// Returns the position of a point, as parts of the width and of the height from below.
    fn part(&self, (x, y): Point) -> Point {
        (self.x.part(x), self.y.part(y))
    }
}
