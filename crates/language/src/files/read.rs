//! Files and standard input, read under the watch.
//!
//! Opening a pipe or reading from a terminal may wait for ever: that is done by a thread of its
//! own, which is left behind when the work is stopped.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::Unread;
use crate::watch::Watch;

/// How long to wait for more until the watch is asked again.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// How many bytes are read at a time.
const PIECE: usize = 1 << 16;

/// The most bytes of a source: no program that somebody writes is longer.
pub const MOST_BYTES: u64 = 8 << 20;

/// All bytes of a file.
///
/// # Errors
/// As [`all`].
pub fn file(path: &Path, watch: &dyn Watch) -> Result<Vec<u8>, Unread> {
    let path = path.to_owned();
    all(move || File::open(path), watch)
}

/// All bytes of what `open` opens.
///
/// # Errors
/// If it cannot be read, holds more than [`MOST_BYTES`], or the watch stops the work.
pub fn all<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    watch: &dyn Watch,
) -> Result<Vec<u8>, Unread> {
    let (sender, pieces) = mpsc::sync_channel(1);
    let read = move || {
        let failed = open().and_then(|mut from| {
            loop {
                let mut piece = vec![0; PIECE];
                let length = match from.read(&mut piece) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    length => length?,
                };
                piece.truncate(length);
                if sender.send(Ok(piece)).is_err() || length == 0 {
                    return Ok(());
                }
            }
        });
        if let Err(error) = failed {
            // Nobody waits for it if the work was stopped.
            let _ = sender.send(Err(error));
        }
    };
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(read)
        .map_err(Unread::Failed)?;
    let mut bytes = Vec::new();
    loop {
        match pieces.recv_timeout(ASK_EVERY) {
            Ok(Ok(piece)) if piece.is_empty() => return Ok(bytes),
            Ok(Ok(piece)) => bytes.extend(piece),
            Ok(Err(error)) => return Err(Unread::Failed(error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(bytes),
        }
        watch.check().map_err(Unread::Stopped)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Unread::TooLong(MOST_BYTES));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::watch::{Stop, Unwatched};

    use super::*;

    struct Stopped;

    impl Watch for Stopped {
        fn check(&self) -> Result<(), Stop> {
            Err(Stop::Interrupted)
        }
    }

    /// Waits for ever.
    struct Silence;

    impl Read for Silence {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn everything_is_read_up_to_the_limit() {
        let zeros = |count: u64| all(move || Ok(io::repeat(0).take(count)), &Unwatched);
        assert!(zeros(0).is_ok_and(|bytes| bytes.is_empty()));
        assert!(zeros(MOST_BYTES).is_ok_and(|bytes| bytes.len() as u64 == MOST_BYTES));
        assert!(matches!(
            zeros(MOST_BYTES + 1),
            Err(Unread::TooLong(MOST_BYTES))
        ));
        assert!(matches!(
            all(|| Ok(io::repeat(0)), &Unwatched),
            Err(Unread::TooLong(_))
        ));
    }

    #[test]
    fn what_says_nothing_is_left_behind() {
        assert!(matches!(
            all(|| Ok(Silence), &Stopped),
            Err(Unread::Stopped(Stop::Interrupted))
        ));
        let missing = all(|| std::fs::File::open("/no/such/file"), &Unwatched);
        assert!(matches!(missing, Err(Unread::Failed(_))));
    }
}
