//! Draws curves in the terminal, with eight dots to a character.

/// The width and the height of the canvas, in characters.
const SIZE: (usize, usize) = (64, 18);

/// Dots, and names of curves to the right of them.
pub(super) struct Canvas {
    /// The dots of each character, row by row from the top, in Unicode's encoding of braille.
    cells: Vec<u8>,
    /// The text to the right of each row.
    names: Vec<Option<String>>,
}

impl Canvas {
    /// Creates a canvas without dots.
    pub(super) fn new() -> Self {
        Self {
            cells: vec![0; SIZE.0 * SIZE.1],
            names: vec![None; SIZE.1],
        }
    }

    /// Draws every n-th dot of a line between two places, given as parts of the width and of the
    /// height from below.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), every: usize) {
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
        if column < SIZE.0 && row < SIZE.1 {
            self.cells[row * SIZE.0 + column] |= BITS[x % 2][y % 4];
        }
    }

    /// Writes a curve's name to the right of its end, in the nearest row that is free.
    pub(super) fn name(&mut self, end: (f64, f64), name: String) {
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

    /// Returns the canvas between its axes, with the least and the greatest value of each, and the
    /// name of the horizontal one.
    pub(super) fn text(
        &self,
        low: &str,
        high: &str,
        first: &str,
        last: &str,
        parameter: &str,
    ) -> String {
        let margin = low.chars().count().max(high.chars().count());
        let mut lines = Vec::new();
        for (row, cells) in self.cells.chunks(SIZE.0).enumerate() {
            let label = match row {
                0 => high,
                _ if row + 1 == SIZE.1 => low,
                _ => "",
            };
            let drawn: String = cells.iter().map(|bits| braille(*bits)).collect();
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
        let gap = (SIZE.0 + 1).saturating_sub(first.chars().count() + last.chars().count());
        lines.push(format!(
            "{indent}{first}{}{last}  {parameter}",
            " ".repeat(gap)
        ));
        lines.join("\n")
    }
}

fn braille(bits: u8) -> char {
    if bits == 0 {
        ' '
    } else {
        char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ')
    }
}

/// Returns the dots from the left and from the top.
fn dots(x: f64, y: f64) -> [f64; 2] {
    let (wide, tall) = ((SIZE.0 * 2 - 1) as f64, (SIZE.1 * 4 - 1) as f64);
    [
        (x.clamp(0.0, 1.0) * wide).round(),
        ((1.0 - y.clamp(0.0, 1.0)) * tall).round(),
    ]
}
