//! Reads files and standard input in a way that can be stopped.
//!
//! Opening a pipe or reading from a terminal may wait for ever. A separate thread does this, and is
//! left behind when the work is stopped.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::Unread;
use crate::watch::Context;

/// The time to wait for more bytes before asking again whether to stop.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// The number of bytes read at a time.
const PIECE: usize = 1 << 16;

/// The most bytes of a source. No program that a person writes is longer.
pub const MOST_BYTES: u64 = 8 << 20;

/// Reads all bytes of a file.
pub fn file(path: &Path, context: &Context<'_>) -> Result<Vec<u8>, Unread> {
    let path = path.to_owned();
    all(move || File::open(path), context)
}

/// Reads all bytes of the reader that `open` returns.
///
/// # Errors
/// Returns an error if it cannot be read, has more than [`MOST_BYTES`], or the work is stopped.
pub fn all<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    context: &Context<'_>,
) -> Result<Vec<u8>, Unread> {
    let mut pieces = Pieces::sent(open, context)?;
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.piece()? {
        bytes.extend(piece);
        // The length of a pipe is not known in advance, so it is counted as it arrives.
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Unread::TooLong(MOST_BYTES));
        }
    }
    Ok(bytes)
}

/// Returns the bytes of a file as they arrive, for files of any length.
///
/// # Errors
/// Returns an error if the file cannot be opened.
pub fn pieces<'w>(path: &Path, context: &'w Context<'w>) -> Result<Pieces<'w>, Unread> {
    let length = std::fs::metadata(path)
        .ok()
        // Pipes and devices report a length of 0.
        .filter(Metadata::is_file)
        .map(|found| found.len());
    let path = path.to_owned();
    Ok(Pieces {
        length,
        ..Pieces::sent(move || File::open(path), context)?
    })
}

/// Bytes that arrive in pieces. Reading them can be stopped.
pub struct Pieces<'w> {
    source: ByteSource,
    /// The total number of bytes, if it is known.
    length: Option<u64>,
    done: u64,
    context: &'w Context<'w>,
}

enum ByteSource {
    /// The bytes not yet taken, all in memory.
    Held(Vec<u8>),
    /// The receiver of bytes that a thread reads.
    Sent(mpsc::Receiver<io::Result<Vec<u8>>>),
}

impl<'w> Pieces<'w> {
    /// Creates pieces from bytes that are all in memory.
    pub fn held(bytes: Vec<u8>, context: &'w Context<'w>) -> Self {
        Self {
            length: Some(bytes.len() as u64),
            source: ByteSource::Held(bytes),
            done: 0,
            context,
        }
    }

    /// Creates pieces that a separate thread reads from the reader that `open` returns.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn sent<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        context: &'w Context<'w>,
    ) -> Result<Self, Unread> {
        // With room for one piece the reader does not run ahead of a slow consumer.
        let (sender, pieces) = mpsc::sync_channel(1);
        let read = move || {
            let failed = open().and_then(|mut from| {
                loop {
                    let mut piece = vec![0; PIECE];
                    let length = match from.read(&mut piece) {
                        // A signal interrupts a read without harm.
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        length => length?,
                    };
                    piece.truncate(length);
                    // The empty piece at the end tells the receiver that all has been read.
                    if sender.send(Ok(piece)).is_err() || length == 0 {
                        return Ok(());
                    }
                }
            });
            if let Err(error) = failed {
                // If the work was stopped, nobody receives the error.
                let _ = sender.send(Err(error));
            }
        };
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(read)
            .map_err(Unread::Failed)?;
        Ok(Self {
            source: ByteSource::Sent(pieces),
            length: None,
            done: 0,
            context,
        })
    }

    /// Returns the next bytes, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or the work is stopped.
    pub fn piece(&mut self) -> Result<Option<Vec<u8>>, Unread> {
        let piece = match &mut self.source {
            ByteSource::Held(bytes) => std::mem::take(bytes),
            ByteSource::Sent(pieces) => loop {
                match pieces.recv_timeout(ASK_EVERY) {
                    Ok(piece) => break piece?,
                    Err(RecvTimeoutError::Timeout) => {
                        self.context.check().map_err(Unread::Stopped)?;
                    }
                    Err(RecvTimeoutError::Disconnected) => break Vec::new(),
                }
            },
        };
        self.context.check().map_err(Unread::Stopped)?;
        self.done += piece.len() as u64;
        self.context.report("reading", self.done, self.length);
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use crate::convert::fit;
    use crate::watch::{Context, Guard, Observer, Stop};

    use super::*;

    /// A reader that waits for ever.
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
        let zeros = |count: u64| all(move || Ok(io::repeat(0).take(count)), Context::plain());
        assert!(zeros(0).is_ok_and(|bytes| bytes.is_empty()));
        assert!(zeros(MOST_BYTES).is_ok_and(|bytes| bytes.len() as u64 == MOST_BYTES));
        assert!(matches!(
            zeros(MOST_BYTES + 1),
            Err(Unread::TooLong(MOST_BYTES))
        ));
        assert!(matches!(
            all(|| Ok(io::repeat(0)), Context::plain()),
            Err(Unread::TooLong(_))
        ));
    }

    /// An observer that records its reports.
    #[derive(Default)]
    struct Noting(Mutex<Vec<(u64, Option<u64>)>>);

    impl Observer for Noting {
        fn report(&self, _: &str, done: u64, total: Option<u64>) {
            self.0.lock().expect("nobody panics").push((done, total));
        }
    }

    #[test]
    fn data_comes_in_pieces_and_tells_how_much_has_come() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("data");
        let bytes: Vec<u8> = (0..3 * PIECE).map(|i| fit::<u8>(i % 251)).collect();
        std::fs::write(&path, &bytes).expect("a scratch folder is writable");
        let noting = Noting::default();
        let context = Context {
            progress: Some(&noting),
            ..Context::default()
        };
        let mut pieces = pieces(&path, &context).expect("the file is there");
        let mut read = Vec::new();
        while let Some(piece) = pieces.piece().expect("the file is readable") {
            assert!(piece.len() <= PIECE);
            read.extend(piece);
        }
        assert_eq!(read, bytes);
        let (all, told) = (
            bytes.len() as u64,
            noting.0.into_inner().expect("nobody panics"),
        );
        assert!(told.len() > 3 && told.is_sorted());
        assert_eq!(told.last(), Some(&(all, Some(all))));
    }

    #[test]
    fn what_says_nothing_is_left_behind() {
        let stopped = Guard::default();
        stopped.interrupt();
        assert!(matches!(
            all(|| Ok(Silence), &stopped.context()),
            Err(Unread::Stopped(Stop::Interrupted))
        ));
        let missing = all(|| std::fs::File::open("/no/such/file"), Context::plain());
        assert!(matches!(missing, Err(Unread::Failed(_))));
    }
}
