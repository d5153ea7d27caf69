//! Draws curves in the terminal, with a mark for each point or eight dots to a character.

use super::board::Point;

/// The width and the height of the canvas, in characters.
pub(super) const SIZE: (usize, usize) = (64, 18);

/// The mark where points of several curves share a character.
pub(super) const SHARED: char = '*';

/// Dots, marks, and names of curves to the right of them.
pub(super) struct Canvas {
    /// The dots of each character, row by row from the top, in Unicode's encoding of braille.
    cells: Vec<u8>,
    /// The marks, which hide the dots of their characters.
    marks: Vec<Option<char>>,
    /// The text to the right of each row.
    names: Vec<Option<String>>,
}

/// The labels of the axes of a canvas.
pub(super) struct CanvasLabels<'l> {
    /// The name of the vertical axis.
    pub(super) name: &'l str,
    /// Numbers beside the vertical axis, with their places as parts of the height from below.
    pub(super) heights: [(f64, String); 2],
    /// The numbers at both ends of the horizontal axis.
    pub(super) ends: [String; 2],
    /// The name of the horizontal axis.
    pub(super) parameter: &'l str,
}

impl Canvas {
    /// Creates a canvas without dots.
    pub(super) fn new() -> Self {
        Self {
            cells: vec![0; SIZE.0 * SIZE.1],
            marks: vec![None; SIZE.0 * SIZE.1],
            names: vec![None; SIZE.1],
        }
    }

    /// Puts a mark at a place, given as parts of the width and of the height from below. Different
    /// marks at one place become [`SHARED`].
    pub(super) fn mark(&mut self, (x, y): Point, mark: char) {
        let [x, y] = dots(x, y);
        let cell = &mut self.marks[(y as usize / 4) * SIZE.0 + x as usize / 2];
        *cell = match *cell {
            // Otherwise the curve drawn last would hide the others.
            Some(other) if other != mark => Some(SHARED),
            _ => Some(mark),
        };
    }

    /// Returns `true` if points of several curves share a character.
    pub(super) fn has_shared(&self) -> bool {
        self.marks.contains(&Some(SHARED))
    }

    /// Sets the dot at a place, given as parts of the width and of the height from below.
    pub(super) fn point(&mut self, (x, y): Point) {
        let [x, y] = dots(x, y);
        self.dot(x as usize, y as usize);
    }

    /// Draws every n-th dot of a line between two places, given as parts of the width and of the
    /// height from below.
    pub(super) fn line(&mut self, from: Point, to: Point, every: usize) {
        let ([x0, y0], [x1, y1]) = (dots(from.0, from.1), dots(to.0, to.1));
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).max(1.0) as usize;
        for step in (0..=steps).step_by(every) {
            let part = step as f64 / steps as f64;
            self.dot(
                (x0 + (x1 - x0) * part).round() as usize,
                (y0 + (y1 - y0) * part).round() as usize,
            );
        }
    }

    /// Sets the dot in this column and row of dots, counted from the left and from the top.
    fn dot(&mut self, x: usize, y: usize) {
        /// The bits of the two columns of dots of a character, from the top.
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let (column, row) = (x / 2, y / 4);
        // Rounding may lead just out of the canvas.
        if column < SIZE.0 && row < SIZE.1 {
            self.cells[row * SIZE.0 + column] |= BITS[x % 2][y % 4];
        }
    }

    /// Writes a curve's name to the right of its end, in the nearest row that is free.
    pub(super) fn name(&mut self, end: Point, name: String) {
        let row = (dots(end.0, end.1)[1] as usize / 4).min(SIZE.1 - 1);
        let free = (0..SIZE.1)
            .filter(|row| self.names[*row].is_none())
            .min_by_key(|other| other.abs_diff(row));
        match free {
            Some(row) => self.names[row] = Some(name),
            // If there are more curves than rows, the last names share the lowest row.
            None => {
                if let Some(Some(last)) = self.names.last_mut() {
                    last.push_str(&format!(", {name}"));
                }
            }
        }
    }

    /// Returns the canvas between its axes.
    pub(super) fn text(&self, labels: &CanvasLabels<'_>) -> String {
        let wide = |(_, label): &(f64, String)| label.chars().count();
        let margin = labels.heights.iter().map(wide).max().unwrap_or(0);
        let mut lines = vec![labels.name.to_owned()];
        for (row, cells) in self.cells.chunks(SIZE.0).enumerate() {
            let is_here = |(part, _): &&(f64, String)| dots(0.0, *part)[1] as usize / 4 == row;
            let label = labels.heights.iter().find(is_here);
            let label = label.map_or("", |(_, label)| label);
            let marks = &self.marks[row * SIZE.0..];
            let drawn: String = cells
                .iter()
                .zip(marks)
                .map(|(bits, mark)| mark.unwrap_or_else(|| braille(*bits)))
                .collect();
            let name = self.names[row]
                .as_deref()
                .map_or(String::new(), |name| format!("  {name}"));
            lines.push(
                format!("{label:>margin$} │{drawn}{name}")
                    .trim_end()
                    .to_owned(),
            );
        }
        let indent = " ".repeat(margin + 1);
        lines.push(format!("{indent}└{}", "─".repeat(SIZE.0)));
        let [first, last] = &labels.ends;
        let gap = (SIZE.0 + 1).saturating_sub(first.chars().count() + last.chars().count());
        lines.push(format!(
            "{indent}{first}{}{last}  {}",
            " ".repeat(gap),
            labels.parameter
        ));
        lines.join("\n")
    }
}

fn braille(bits: u8) -> char {
    // Unlike the empty braille character, a space is trimmed at the end of a line.
    if bits == 0 {
        ' '
    } else {
        char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ')
    }
}

/// Returns the dots from the left and from the top.
fn dots(x: f64, y: f64) -> [f64; 2] {
    // A character has two dots across and four down.
    let (wide, tall) = ((SIZE.0 * 2 - 1) as f64, (SIZE.1 * 4 - 1) as f64);
    [
        (x.clamp(0.0, 1.0) * wide).round(),
        ((1.0 - y.clamp(0.0, 1.0)) * tall).round(),
    ]
}
