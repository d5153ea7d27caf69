//! Files and standard input, whose reading can be stopped.
//!
//! Opening a pipe or reading from a terminal may wait for ever: that is done by a thread of its
//! own, which is left behind when the work is stopped.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::Unread;
use crate::watch::Context;

/// How long to wait for more until the next check.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// How many bytes are read at a time.
const PIECE: usize = 1 << 16;

/// The most bytes of a source: no program that somebody writes is longer.
pub const MOST_BYTES: u64 = 8 << 20;

/// All bytes of a file.
///
/// # Errors
/// As [`all`].
pub fn file(path: &Path, context: &Context<'_>) -> Result<Vec<u8>, Unread> {
    let path = path.to_owned();
    all(move || File::open(path), context)
}

/// All bytes of what `open` opens.
///
/// # Errors
/// If it cannot be read, holds more than [`MOST_BYTES`], or the work is stopped.
pub fn all<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    context: &Context<'_>,
) -> Result<Vec<u8>, Unread> {
    let mut pieces = Pieces::sent(open, context)?;
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.piece()? {
        bytes.extend(piece);
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Unread::TooLong(MOST_BYTES));
        }
    }
    Ok(bytes)
}

/// The bytes of a file as they come, for files of any length.
///
/// # Errors
/// If it cannot be opened.
pub fn pieces<'w>(path: &Path, context: &'w Context<'w>) -> Result<Pieces<'w>, Unread> {
    let length = std::fs::metadata(path)
        .ok()
        .filter(Metadata::is_file)
        .map(|found| found.len());
    let path = path.to_owned();
    Ok(Pieces {
        length,
        ..Pieces::sent(move || File::open(path), context)?
    })
}

/// Bytes that come in pieces; reading them can be stopped.
pub struct Pieces<'w> {
    source: ByteSource,
    /// How many bytes there are in all, where that is known.
    length: Option<u64>,
    done: u64,
    context: &'w Context<'w>,
}

enum ByteSource {
    /// All of them are here.
    Held(Vec<u8>),
    /// A thread reads them.
    Sent(mpsc::Receiver<io::Result<Vec<u8>>>),
}

impl<'w> Pieces<'w> {
    /// Bytes that are all here.
    pub fn held(bytes: Vec<u8>, context: &'w Context<'w>) -> Self {
        Self {
            length: Some(bytes.len() as u64),
            source: ByteSource::Held(bytes),
            done: 0,
            context,
        }
    }

    /// Bytes that a thread of its own reads from what `open` opens.
    ///
    /// # Errors
    /// If there is no such thread.
    pub fn sent<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        context: &'w Context<'w>,
    ) -> Result<Self, Unread> {
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
        Ok(Self {
            source: ByteSource::Sent(pieces),
            length: None,
            done: 0,
            context,
        })
    }

    /// The next bytes; `None` at the end.
    ///
    /// # Errors
    /// If they cannot be read, or the work is stopped.
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

    use crate::watch::{Context, Guard, Observer, Stop};

    use super::*;

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

    /// Notes what it is told.
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
        let bytes: Vec<u8> = (0..3 * PIECE).map(|i| (i % 251) as u8).collect();
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
