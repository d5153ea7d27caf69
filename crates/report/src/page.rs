//! Text output that can be stopped.

use std::fmt;
use std::io;

use bid_language::watch::{Context, Stop};

/// The number of bytes written between two checks.
const ASK_EVERY: usize = 4096;

/// A text that grows until its writing is stopped. Writers need no checks of their own, because
/// writing fails when the work is stopped.
pub struct Page<'w> {
    text: Vec<u8>,
    context: &'w Context<'w>,
    /// The number of bytes written since the last check.
    unasked: usize,
    stop: Option<Stop>,
}

impl<'w> Page<'w> {
    /// Returns the text that `write` writes.
    pub fn written(
        context: &'w Context<'w>,
        write: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> Result<String, Stop> {
        let mut page = Self {
            text: Vec::new(),
            context,
            unasked: 0,
            stop: None,
        };
        let written = write(&mut page);
        match page.stop {
            Some(stop) => Err(stop),
            None => {
                written.expect("a page fails only when it is stopped");
                Ok(String::from_utf8(page.text).expect("only text is written"))
            }
        }
    }

    /// Returns a piece of text that must be known before it can be placed. Its writing is checked
    /// in the same way.
    pub fn part(
        &mut self,
        write: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> Result<String, fmt::Error> {
        let before = self.text.len();
        write(self)?;
        Ok(String::from_utf8(self.text.split_off(before)).expect("only text is written"))
    }

    /// Writes items with a separator between them.
    pub fn joined<T>(
        &mut self,
        separator: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> fmt::Result,
    ) -> fmt::Result {
        for (place, item) in items.into_iter().enumerate() {
            fmt::Write::write_str(self, if place == 0 { "" } else { separator })?;
            write(self, item)?;
        }
        Ok(())
    }

    /// Returns the result of `work` under the page's context.
    pub fn watched<T>(
        &mut self,
        work: impl FnOnce(&Context<'_>) -> Result<T, Stop>,
    ) -> Result<T, fmt::Error> {
        work(self.context).map_err(|stop| {
            // A formatting error carries no reason, so that the reason is kept here.
            self.stop = Some(stop);
            fmt::Error
        })
    }

    /// Checks whether to stop, if enough has been written since the last check.
    fn ask(&mut self, more: usize) -> fmt::Result {
        self.unasked += more;
        // After a stop every write fails, so that no writer can swallow the first error.
        if self.stop.is_none() && self.unasked >= ASK_EVERY {
            self.unasked = 0;
            self.stop = self.context.check().err();
        }
        if self.stop.is_some() {
            Err(fmt::Error)
        } else {
            Ok(())
        }
    }
}

impl fmt::Write for Page<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.ask(text.len())?;
        self.text.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Writes bytes, all of which must be text.
impl io::Write for Page<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.ask(bytes.len()).map_err(io::Error::other)?;
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use bid_language::watch::Guard;

    use super::*;

    #[test]
    fn a_page_ends_when_it_is_stopped() {
        let words = |page: &mut Page<'_>| (0..10_000).try_for_each(|n| write!(page, "{n:04} "));
        assert_eq!(
            Page::written(Context::plain(), words).map(|text| text.len()),
            Ok(50_000)
        );
        assert_eq!(
            Page::written(&Guard::of_steps(12).context(), words).map(|text| text.len()),
            Ok(50_000),
            "asked 12 times"
        );
        assert_eq!(
            Page::written(&Guard::of_steps(11).context(), words),
            Err(Stop::Time)
        );
    }
}
