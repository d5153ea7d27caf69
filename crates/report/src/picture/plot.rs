//! Draws curves over a range: as SVG, in braille for the terminal, by `pgfplots` for LaTeX.

use std::fmt::{self, Write};

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::braille::Canvas;
use super::frame::{DrawingFrame, NumberRange, short};
use super::svg::{LETTER, Svg, points, px};
use crate::latex::in_math;
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
    top: 14.0,
    width: 676.0,
    height: 460.0,
};
/// The left end of the key.
const KEY: f64 = 760.0;
/// The number of steps below which the points of a staircase are marked.
const MARKED: usize = 48;

/// Returns the curves with the indices of their colours. A line has the colour of the values before
/// it.
fn coloured(plot: &Plot) -> impl Iterator<Item = (&Curve, usize)> {
    let mut staircases = 0;
    plot.curves.iter().map(move |curve| {
        if !curve.is_line() {
            staircases += 1;
        }
        (curve, usize::saturating_sub(staircases, 1) % PALETTE.len())
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

/// Draws the plot as SVG. Points that are not numbers are left out.
pub(super) fn svg(plot: &Plot, page: &mut Page<'_>) -> fmt::Result {
    let labels: Vec<String> = plot
        .curves
        .iter()
        .map(|curve| curve.label(&plot.parameter))
        .collect();
    let widest = labels
        .iter()
        .map(|label| label.chars().count())
        .max()
        .unwrap_or(0);
    let height = (FRAME.top + FRAME.height + 46.0).max(30.0 + 22.0 * labels.len() as f64);
    let ranges = page.watched(|context| Ranges::of(plot, context))?;
    let ranges = ranges.unwrap_or(Ranges {
        x: NumberRange {
            low: 0.0,
            high: 1.0,
        },
        y: NumberRange {
            low: 0.0,
            high: 1.0,
        },
    });
    Svg::draw(
        page,
        "Plot",
        (KEY + 64.0 + LETTER * widest as f64, height),
        |svg| {
            let (x, y) = (
                ranges.x.axis(&plot.parameter, least_step(plot)),
                ranges.y.axis("", 0.0),
            );
            FRAME.draw_lines(svg, &x, &y)?;
            FRAME.draw_axes(svg, &x, &y)?;
            let (lines, stairs): (Vec<_>, Vec<_>) =
                coloured(plot).partition(|(curve, _)| curve.is_line());
            for (curve, colour) in stairs.into_iter().chain(lines) {
                draw(svg, curve, &ranges, colour_of(curve, colour))?;
            }
            for ((curve, colour), (place, label)) in coloured(plot).zip(labels.iter().enumerate()) {
                let colour = colour_of(curve, colour);
                let y = 30.0 + 22.0 * place as f64;
                line(svg, curve, [(KEY + 8.0, y), (KEY + 40.0, y)], colour)?;
                svg.text((KEY + 48.0, y + 4.0), "start", label)?;
            }
            Ok(())
        },
    )
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

fn draw(svg: &mut Svg<'_, '_>, curve: &Curve, ranges: &Ranges, colour: &str) -> fmt::Result {
    let place = |point| FRAME.at(ranges.part(point));
    if let Curve::Line(slope) = curve {
        return line(svg, curve, ranges.line(slope).map(place), colour);
    }
    line(svg, curve, stairs(curve).map(place), colour)?;
    let is_marked = curve.points().take(MARKED).count() < MARKED;
    for (x, y) in curve.points().filter(|_| is_marked) {
        let (cx, cy) = place((x, y));
        let title = format!("{}: {}", short(x, 6), short(y, 6));
        svg.titled(
            "circle",
            &[
                ("cx", &px(cx)),
                ("cy", &px(cy)),
                ("r", "3"),
                ("fill", colour),
            ],
            &title,
        )?;
    }
    Ok(())
}

/// Draws a line in the style of the curve. A staircase is solid.
fn line(
    svg: &mut Svg<'_, '_>,
    curve: &Curve,
    line: impl IntoIterator<Item = (f64, f64)>,
    colour: &str,
) -> fmt::Result {
    let style: &[_] = match curve {
        Curve::Values { .. } => &[("stroke-width", "2")],
        Curve::Line(_) => &[("stroke-width", "1.4"), ("stroke-dasharray", "6 4")],
    };
    let line = svg.watched(|context| watched(line, context).collect::<Result<Vec<_>, Stop>>())?;
    let line = points(line);
    let place = [
        ("points", line.as_str()),
        ("fill", "none"),
        ("stroke", colour),
        ("stroke-linejoin", "round"),
    ];
    svg.shape("polyline", &[&place, style].concat())
}

/// Draws the plot for reading: the curves in dots, each named at its end.
pub(super) fn text(plot: &Plot, context: &Context<'_>) -> Result<String, Stop> {
    let Some(ranges) = Ranges::of(plot, context)? else {
        return Ok("nothing to draw".to_owned());
    };
    let mut canvas = Canvas::new();
    for curve in &plot.curves {
        match curve {
            Curve::Values { .. } => {
                let mut end = None;
                for corner in watched(stairs(curve), context) {
                    let corner = ranges.part(corner?);
                    if let Some(end) = end.replace(corner) {
                        canvas.line(end, corner, 1);
                    }
                }
                if let Some(end) = end {
                    canvas.name(end, curve.label(&plot.parameter));
                }
            }
            Curve::Line(slope) => {
                let [from, to] = ranges.line(slope).map(|point| ranges.part(point));
                canvas.line(from, to, 4);
            }
        }
    }
    let lines = plot.curves.iter().filter(|curve| curve.is_line());
    let lines: Vec<String> = lines.map(|curve| curve.label(&plot.parameter)).collect();
    let dotted = if lines.is_empty() {
        String::new()
    } else {
        format!("\ndotted: {}", lines.join(", "))
    };
    let [low, high, first, last] =
        [ranges.y.low, ranges.y.high, ranges.x.low, ranges.x.high].map(|number| short(number, 6));
    Ok(format!(
        "{}{dotted}",
        canvas.text(&low, &high, &first, &last, &plot.parameter)
    ))
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
        "\\begin{{tikzpicture}}\n\\begin{{axis}}[xlabel={{{}}}, legend pos=outer north east, legend cell align=left, grid=major]",
        in_math(&plot.parameter)
    )?;
    for (curve, colour) in coloured(plot) {
        match curve {
            Curve::Values { .. } => {
                write!(page, "\\addplot[const plot, curve{colour}] coordinates {{")?;
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

/// Returns the corners of a staircase, in which each value extends to the next place.
fn stairs(curve: &Curve) -> impl Iterator<Item = (f64, f64)> + '_ {
    let mut before = None;
    curve.points().flat_map(move |(x, y)| {
        let corner = before.replace(y).map(|before| (x, before));
        corner.into_iter().chain([(x, y)])
    })
}

/// The ranges of the axes.
struct Ranges {
    x: NumberRange,
    y: NumberRange,
}

impl Ranges {
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
        y.low = y.low.min(0.0);
        for curve in &plot.curves {
            if let Curve::Line(slope) = curve {
                y = y.with(slope.to_f64().unwrap_or(0.0) * x.high);
            }
        }
        Ok(Some(Self { x, y: y.wide() }))
    }

    /// Returns the ends of a line through the origin.
    fn line(&self, slope: &BigRational) -> [(f64, f64); 2] {
        let slope = slope.to_f64().unwrap_or(0.0);
        [self.x.low, self.x.high].map(|x| (x, slope * x))
    }

    /// Returns the position of a point, as parts of the width and of the height from below.
    fn part(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.part(x), self.y.part(y))
    }
}
