//! Text that is written under a watch.

use std::fmt;
use std::io;

use bid_language::watch::{Stop, Watch};

/// How many bytes are written between two looks at the watch.
const ASK_EVERY: usize = 4096;

/// Text that grows as long as a watch lets it. What writes to it needs no watch of its own: when
/// the watch says no, writing fails.
pub struct Page<'w> {
    text: Vec<u8>,
    watch: &'w dyn Watch,
    /// How many bytes were written since the watch was last asked.
    unasked: usize,
    stop: Option<Stop>,
}

impl<'w> Page<'w> {
    /// The text that `write` writes.
    ///
    /// # Errors
    /// If the watch stops it.
    pub fn written(
        watch: &'w dyn Watch,
        write: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> Result<String, Stop> {
        let mut page = Self {
            text: Vec::new(),
            watch,
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

    /// A piece of text that has to be known before it can be placed, written under the same watch.
    ///
    /// # Errors
    /// If the watch stops it.
    pub fn part(
        &mut self,
        write: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> Result<String, fmt::Error> {
        let before = self.text.len();
        write(self)?;
        Ok(String::from_utf8(self.text.split_off(before)).expect("only text is written"))
    }

    /// Writes items with a separator between them.
    ///
    /// # Errors
    /// If the watch stops it.
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

    /// What `work` does under the page's watch.
    ///
    /// # Errors
    /// If the watch stops it.
    pub fn watched<T>(
        &mut self,
        work: impl FnOnce(&dyn Watch) -> Result<T, Stop>,
    ) -> Result<T, fmt::Error> {
        work(self.watch).map_err(|stop| {
            self.stop = Some(stop);
            fmt::Error
        })
    }

    /// Asks the watch if enough has been written since the last time.
    fn ask(&mut self, more: usize) -> fmt::Result {
        self.unasked += more;
        if self.stop.is_none() && self.unasked >= ASK_EVERY {
            self.unasked = 0;
            self.stop = self.watch.check().err();
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

/// For what writes bytes, all of them text.
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
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use bid_language::watch::Unwatched;

    /// Stops when it has been asked so many times.
    struct Patience(AtomicU32);

    impl Watch for Patience {
        fn check(&self) -> Result<(), Stop> {
            let left = self
                .0
                .load(Ordering::Relaxed)
                .checked_sub(1)
                .ok_or(Stop::Time)?;
            self.0.store(left, Ordering::Relaxed);
            Ok(())
        }
    }

    #[test]
    fn a_page_ends_when_the_watch_says_so() {
        let words = |page: &mut Page<'_>| (0..10_000).try_for_each(|n| write!(page, "{n:04} "));
        assert_eq!(
            Page::written(&Unwatched, words).map(|text| text.len()),
            Ok(50_000)
        );
        assert_eq!(
            Page::written(&Patience(AtomicU32::new(12)), words).map(|text| text.len()),
            Ok(50_000),
            "asked 12 times"
        );
        assert_eq!(
            Page::written(&Patience(AtomicU32::new(11)), words),
            Err(Stop::Time)
        );
    }
}
