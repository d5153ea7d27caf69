//! Texts of which only the beginning is kept.

use std::fmt;

/// The beginning of a text. Writing more than its limit of bytes fails.
pub struct Beginning {
    text: String,
    left: usize,
}

impl Beginning {
    /// Returns the text that `write` writes, cut to `most` bytes. If anything is cut off, `…` takes
    /// its place.
    pub fn written(most: usize, write: impl FnOnce(&mut Self) -> fmt::Result) -> String {
        match Self::whole(most, write) {
            Ok(text) => text,
            Err(text) => text + "…",
        }
    }

    /// Returns the text that `write` writes.
    ///
    /// # Errors
    /// Returns the beginning of the text if it is longer than `most` bytes.
    pub fn whole(
        most: usize,
        write: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> Result<String, String> {
        let mut beginning = Self {
            text: String::new(),
            left: most,
        };
        match write(&mut beginning) {
            Ok(()) => Ok(beginning.text),
            Err(fmt::Error) => Err(beginning.text),
        }
    }
}

impl fmt::Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let fits = text.floor_char_boundary(self.left);
        self.text.push_str(&text[..fits]);
        self.left -= fits;
        if fits == text.len() {
            Ok(())
        } else {
            // A shorter part must not follow behind the cut, so that the text stays a beginning.
            self.left = 0;
            Err(fmt::Error)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn a_beginning_is_cut_between_characters() {
        let write = |page: &mut Beginning| page.write_str("a∧b");
        assert_eq!(Beginning::written(5, write), "a∧b");
        assert_eq!(Beginning::written(4, write), "a∧…");
        assert_eq!(Beginning::written(3, write), "a…");
        assert_eq!(Beginning::written(0, |_| Ok(())), "");
    }
}
