//! Writes SVG, element by element. No other module formats or escapes SVG.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::board::Point;
use crate::Page;
use crate::safe::xml;
use bid_language::watch::{Context, Stop};

/// A picture that is being written.
pub(super) struct Svg<'p, 'w> {
    page: &'p mut Page<'w>,
}

/// The names and values of attributes.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a str)];

/// The typical width of a letter.
pub(super) const LETTER: f64 = 7.2;

impl<'p, 'w> Svg<'p, 'w> {
    /// Writes a white picture of this size, with the contents that `draw` draws.
    pub fn draw(
        page: &'p mut Page<'w>,
        title: &str,
        (width, height): Point,
        draw: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        let mut svg = Self { page };
        let (width, height) = (format!("{width:.0}"), format!("{height:.0}"));
        svg.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg"),
                ("width", &width),
                ("height", &height),
                ("viewBox", &format!("0 0 {width} {height}")),
                ("font-family", "sans-serif"),
                ("font-size", "12"),
            ],
        )?;
        svg.element("title", &[], Some(title))?;
        // Without a background the black text could not be read on a dark page.
        svg.shape(
            "rect",
            &[("width", "100%"), ("height", "100%"), ("fill", "white")],
        )?;
        draw(&mut svg)?;
        svg.page.write_str("</svg>")
    }

    /// Returns the result of `work` under the page's context.
    pub fn watched<T>(
        &mut self,
        work: impl FnOnce(&Context<'_>) -> Result<T, Stop>,
    ) -> Result<T, fmt::Error> {
        self.page.watched(work)
    }

    /// Writes an element without content.
    pub fn shape(&mut self, name: &str, attributes: Attributes<'_>) -> fmt::Result {
        self.element(name, attributes, None)
    }

    /// Writes a shape with a text that appears under the pointer.
    pub fn titled(&mut self, name: &str, attributes: Attributes<'_>, title: &str) -> fmt::Result {
        self.tag(name, attributes)?;
        writeln!(self.page, "><title>{}</title></{name}>", xml(title))
    }

    /// Writes a rectangle, with a text that appears under the pointer, if there is one.
    pub fn rectangle(
        &mut self,
        (x, y): Point,
        (width, height): Point,
        style: Attributes<'_>,
        title: Option<&str>,
    ) -> fmt::Result {
        let [x, y, width, height] = [x, y, width, height].map(px);
        let place = [
            ("x", x.as_str()),
            ("y", &y),
            ("width", &width),
            ("height", &height),
        ];
        let attributes = [&place, style].concat();
        match title {
            Some(title) => self.titled("rect", &attributes, title),
            None => self.shape("rect", &attributes),
        }
    }

    /// Writes text whose anchor is `start`, `middle` or `end`.
    pub fn text(&mut self, at: Point, anchor: &str, text: &str) -> fmt::Result {
        self.styled(at, &[("text-anchor", anchor)], text)
    }

    /// Writes text with these attributes.
    pub fn styled(&mut self, (x, y): Point, attributes: Attributes<'_>, text: &str) -> fmt::Result {
        let (x, y) = (px(x), px(y));
        self.element(
            "text",
            &[&[("x", x.as_str()), ("y", &y)], attributes].concat(),
            Some(text),
        )
    }

    /// Writes the beginning of an element that contains others.
    pub fn open(&mut self, name: &str, attributes: Attributes<'_>) -> fmt::Result {
        self.tag(name, attributes)?;
        self.page.write_str(">\n")
    }

    /// Writes the end of an element that contains others.
    pub fn close(&mut self, name: &str) -> fmt::Result {
        writeln!(self.page, "</{name}>")
    }

    fn element(
        &mut self,
        name: &str,
        attributes: Attributes<'_>,
        text: Option<&str>,
    ) -> fmt::Result {
        self.tag(name, attributes)?;
        match text {
            Some(text) => writeln!(self.page, ">{}</{name}>", xml(&raised(text))),
            None => self.page.write_str("/>\n"),
        }
    }

    fn tag(&mut self, name: &str, attributes: Attributes<'_>) -> fmt::Result {
        write!(self.page, "<{name}")?;
        attributes
            .iter()
            .try_for_each(|(name, value)| write!(self.page, " {name}=\"{}\"", xml(value)))
    }
}

/// Raises the exponents in a text: `A^12` becomes `A¹²`.
fn raised(text: &str) -> Cow<'_, str> {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if !text.contains('^') {
        return Cow::Borrowed(text);
    }
    let mut raised = String::with_capacity(text.len());
    let mut parts = text.split('^');
    raised.extend(parts.next());
    for part in parts {
        let (digits, rest) =
            part.split_at(part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len());
        // Only exponents of digits are raised.
        if digits.is_empty() {
            raised.push('^');
        }
        raised.extend(
            digits
                .bytes()
                .map(|digit| DIGITS[usize::from(digit - b'0')]),
        );
        raised.push_str(rest);
    }
    Cow::Owned(raised)
}

/// Writes a length or a coordinate, to a tenth of a pixel.
pub(super) fn px(length: f64) -> String {
    format!("{length:.1}")
}

/// Writes the points of a line or a polygon.
pub(super) fn points(points: impl IntoIterator<Item = Point>) -> String {
    points
        .into_iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::raised;

    #[test]
    fn exponents_are_raised() {
        for (text, shown) in [
            ("A^2 ∧ B^10", "A² ∧ B¹⁰"),
            ("A^n", "A^n"),
            ("A^(n + 1)^2", "A^(n + 1)²"),
            ("^", "^"),
            ("2^", "2^"),
            ("no power", "no power"),
        ] {
            assert_eq!(raised(text), shown);
        }
    }
}
