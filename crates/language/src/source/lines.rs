//! Converts between places of a text and lines and columns. Editors count these from 0, in units of
//! their own.

/// The unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// Bytes of UTF-8.
    Bytes,
    /// Characters.
    Characters,
    /// Units of UTF-16: two for a character beyond the first 65,536.
    Utf16,
}

impl Columns {
    fn width(self, c: char) -> usize {
        match self {
            Self::Bytes => c.len_utf8(),
            Self::Characters => 1,
            Self::Utf16 => c.len_utf16(),
        }
    }
}

/// The beginnings of the lines of a text. Only line feeds end lines.
#[derive(Debug, Clone)]
pub struct LineStarts {
    starts: Vec<usize>,
}

impl LineStarts {
    /// Finds the lines of a text.
    pub fn of(text: &str) -> Self {
        let after = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| at + 1);
        Self {
            starts: std::iter::once(0).chain(after).collect(),
        }
    }

    /// Returns the line and column, both from 0, of a byte of the text.
    pub fn position(&self, text: &str, byte: usize, columns: Columns) -> (usize, usize) {
        // A place may lie within a character, where the text cannot be cut.
        let byte = text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let before = &text[self.starts[line]..byte];
        let column = if before.is_ascii() {
            // Every unit is a byte here. An editor asks for each word of a line, which may be long.
            before.len()
        } else {
            before.chars().map(|c| columns.width(c)).sum()
        };
        (line, column)
    }

    /// Returns the byte of the text at a line and column, both from 0. A column beyond the line
    /// gives the end of the line, a line beyond the text the end of the text.
    pub fn byte(&self, text: &str, line: usize, column: usize, columns: Columns) -> usize {
        let Some(&start) = self.starts.get(line) else {
            return text.len();
        };
        let (mut at, mut left) = (start, column);
        for c in text[start..].chars() {
            // A column within a character means the place before it.
            if c == '\n' || left < columns.width(c) {
                break;
            }
            left -= columns.width(c);
            at += c.len_utf8();
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_every_unit() {
        let text = "R(𝔸∧B)\nx";
        let lines = LineStarts::of(text);
        let after = text.find('B').expect("it is there");
        let column = |columns| lines.position(text, after, columns);
        assert_eq!(column(Columns::Bytes), (0, 9));
        assert_eq!(column(Columns::Characters), (0, 4));
        assert_eq!(column(Columns::Utf16), (0, 5));
    }

    #[test]
    fn every_place_comes_back() {
        let text = "a\r\n\n🎲∧\nε";
        let lines = LineStarts::of(text);
        for columns in [Columns::Bytes, Columns::Characters, Columns::Utf16] {
            for (byte, _) in text.char_indices() {
                let (line, column) = lines.position(text, byte, columns);
                assert_eq!(lines.byte(text, line, column, columns), byte);
            }
            assert_eq!(lines.byte(text, 9, 0, columns), text.len());
            assert_eq!(lines.byte(text, 1, 7, columns), 3);
        }
        assert_eq!(
            lines.byte(text, 2, 1, Columns::Utf16),
            4,
            "half a character is none of it"
        );
    }
}
