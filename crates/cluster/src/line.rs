//! A stream for timely's threads that never fails.
//!
//! `timely_communication` reads and writes each connection in a thread of its own, which panics if
//! that fails, if the connection ends without a goodbye, or if what comes is no message. A [`Line`]
//! stands between: it follows the messages by their headers. When the connection fails, it notes
//! so, fills up the message that was cut short (its checksum is wrong then, so nobody reads it),
//! and says goodbye in the other's stead; what is written from then on goes nowhere.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bid_language::watch::Departure;
use timely_communication::allocator::zero_copy::stream::Stream;

use crate::message;
use crate::shared::Shared;

/// A message's header: six numbers, big end first. They are channel, source, first target, end of
/// the targets, length, and a serial number; a length of 0 is a goodbye.
const HEADER: usize = 6 * 8;

/// Where in the messages reading is.
enum Reading {
    /// In a header, of which so many bytes have come.
    Header([u8; HEADER], usize),
    /// Handing over a header, of which so many bytes are gone; then come so many bytes.
    Handing([u8; HEADER], usize, usize),
    /// In a message, of which so many bytes are missing.
    Body(usize),
    /// The same, but they do not come any more.
    Filling(usize),
    /// Behind the goodbye.
    Over,
}

/// The end here of a connection for blocks.
pub struct Line {
    stream: TcpStream,
    shared: Arc<Shared>,
    /// Who is at the other end.
    peer: usize,
    reading: Reading,
    /// Whether writing has failed.
    deaf: bool,
}

impl Line {
    /// A line to a process.
    pub fn new(stream: TcpStream, shared: Arc<Shared>, peer: usize) -> Self {
        Self {
            stream,
            shared,
            peer,
            reading: Reading::Header([0; HEADER], 0),
            deaf: false,
        }
    }

    /// Reads from the connection; 0 if it has ended or failed, which is noted.
    fn read_some(&mut self, into: &mut [u8]) -> usize {
        let read = loop {
            match self.stream.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read.unwrap_or(0),
            }
        };
        self.shared
            .received
            .fetch_add(read as u64, Ordering::Relaxed);
        if read == 0 {
            self.shared.suspect(self.peer, Departure::Ended);
        }
        read
    }

    /// What follows a header that has come whole: if it is none of ours, a goodbye.
    fn follow(&self, header: [u8; HEADER]) -> Reading {
        let numbers: [u64; 6] = std::array::from_fn(|at| {
            let (_, rest) = header.split_at(at * 8);
            rest.first_chunk()
                .map_or(0, |bytes| u64::from_be_bytes(*bytes))
        });
        let [channel, source, target, targets_end, length, _] = numbers;
        let own = self.shared.own as u64;
        let is_ours = (channel, source, target, targets_end) == (0, self.peer as u64, own, own + 1);
        match usize::try_from(length) {
            Ok(0) => Reading::Handing(header, 0, 0),
            Ok(length) if is_ours && length <= message::MOST => Reading::Handing(header, 0, length),
            Ok(_) | Err(_) => {
                self.shared.suspect(self.peer, Departure::Garbled);
                goodbye()
            }
        }
    }
}

fn goodbye() -> Reading {
    Reading::Handing([0; HEADER], 0, 0)
}

impl Read for Line {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.reading, Reading::Over) {
                Reading::Header(mut header, have) => {
                    let read = self.read_some(&mut header[have..]);
                    self.reading = match have + read {
                        _ if read == 0 => goodbye(),
                        HEADER => self.follow(header),
                        have => Reading::Header(header, have),
                    };
                }
                Reading::Handing(header, gone, length) => {
                    let part = into.len().min(HEADER - gone);
                    into[..part].copy_from_slice(&header[gone..gone + part]);
                    self.reading = match (gone + part, length) {
                        (HEADER, 0) => Reading::Over,
                        (HEADER, length) => Reading::Body(length),
                        (gone, length) => Reading::Handing(header, gone, length),
                    };
                    return Ok(part);
                }
                Reading::Body(left) => {
                    let most = into.len().min(left);
                    let read = self.read_some(&mut into[..most]);
                    self.reading = match left - read {
                        0 => Reading::Header([0; HEADER], 0),
                        left if read == 0 => Reading::Filling(left),
                        left => Reading::Body(left),
                    };
                    if read > 0 {
                        return Ok(read);
                    }
                }
                Reading::Filling(left) => {
                    let part = into.len().min(left);
                    into[..part].fill(0);
                    self.reading = if part == left {
                        goodbye()
                    } else {
                        Reading::Filling(left - part)
                    };
                    return Ok(part);
                }
                Reading::Over => return Ok(0),
            }
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.deaf || bytes.is_empty() {
            return Ok(bytes.len());
        }
        match self.stream.write(bytes) {
            Ok(written @ 1..) => {
                self.shared
                    .sent
                    .fetch_add(written as u64, Ordering::Relaxed);
                Ok(written)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(0) | Err(_) => {
                self.shared.suspect(self.peer, Departure::Ended);
                self.deaf = true;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self::new(
            self.stream.try_clone()?,
            Arc::clone(&self.shared),
            self.peer,
        ))
    }

    /// The streams that are handed over are blocking already.
    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Where the connection is gone there is nothing to shut down.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A line to process 1 in process 0, and what is at its other end.
    fn line() -> (Line, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let far =
            TcpStream::connect(listener.local_addr().expect("it is bound")).expect("it listens");
        let near = listener.accept().expect("somebody has called").0;
        (Line::new(near, Arc::new(Shared::new(0, 2)), 1), far)
    }

    fn header(numbers: [u64; 6]) -> Vec<u8> {
        numbers
            .iter()
            .flat_map(|number| number.to_be_bytes())
            .collect()
    }

    /// What a line hands over when these bytes come and the connection ends, `step` bytes at a
    /// time.
    fn handed(bytes: &[u8], step: usize) -> Vec<u8> {
        let (mut line, mut far) = line();
        far.write_all(bytes).expect("the other end is there");
        drop(far);
        let (mut all, mut piece) = (Vec::new(), vec![0; step]);
        loop {
            match line.read(&mut piece).expect("a line never fails") {
                0 => return all,
                read => all.extend_from_slice(&piece[..read]),
            }
        }
    }

    #[test]
    fn whole_messages_pass_and_broken_ones_end_in_a_goodbye() {
        let mut message = header([0, 1, 0, 1, 5, 0]);
        message.extend_from_slice(b"bytes");
        let end = vec![0; HEADER];
        for step in [1, 7, 48, 1000] {
            let whole = [message.clone(), end.clone()].concat();
            assert_eq!(handed(&whole, step), whole);
            assert_eq!(handed(&message, step), whole);
            assert_eq!(
                handed(&[message.as_slice(), &message[..30]].concat(), step),
                whole
            );
            let filled = [
                header([0, 1, 0, 1, 5, 0]),
                b"by\0\0\0".to_vec(),
                end.clone(),
            ]
            .concat();
            assert_eq!(handed(&message[..HEADER + 2], step), filled);
            assert_eq!(handed(b"", step), end);
        }
    }

    #[test]
    fn what_is_no_header_of_ours_ends_it() {
        let too_long = message::MOST as u64 + 1;
        let foreign = [
            [1, 1, 0, 1, 5, 0],
            [0, 0, 0, 1, 5, 0],
            [0, 1, 1, 2, 5, 0],
            [0, 1, 0, 9, 5, 0],
            [0, 1, 0, 1, too_long, 0],
        ];
        for numbers in foreign {
            assert_eq!(
                handed(&[header(numbers), vec![9; 100]].concat(), 64),
                vec![0; HEADER]
            );
        }
    }

    #[test]
    fn what_is_written_to_nobody_goes_nowhere() {
        let (mut line, far) = line();
        drop(far);
        for _ in 0..1000 {
            line.write_all(&[1; 10_000]).expect("a line never fails");
        }
        assert!(line.deaf);
    }
}
