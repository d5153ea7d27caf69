//! Signs of life: a connection to each other process that carries nothing else.
//!
//! Each process says that it is there four times a second, whatever its solvers do. A connection
//! that ends without a goodbye is a process that was killed; one that is silent for [`SILENCE`] is
//! a machine that is off or cut off. Who leaves says why, and who is to blame.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bid_language::watch::{Departure, Lost};

use crate::shared::{Shared, number};

/// The pause between two signs of life.
const BEAT: Duration = Duration::from_millis(250);

/// Who says nothing for so long is lost: the others are to stop within five seconds.
const SILENCE: Duration = Duration::from_secs(4);

/// A word of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// I am here.
    Beat,
    /// I have met everybody.
    Ready,
    /// I go, because of this.
    Lost(Lost),
    /// I go, as all is done.
    Done,
}

/// How many bytes a word has: its kind, a departure, the number of a process.
const WORD: usize = 4;

impl Word {
    fn encode(self) -> [u8; WORD] {
        match self {
            Self::Beat => [1, 0, 0, 0],
            Self::Ready => [2, 0, 0, 0],
            Self::Lost(Lost { process, departure }) => {
                let [low, high] = process.to_le_bytes();
                let kind = Departure::ALL
                    .iter()
                    .position(|&other| other == departure)
                    .unwrap_or(0);
                [3, u8::try_from(kind).unwrap_or(0), low, high]
            }
            Self::Done => [4, 0, 0, 0],
        }
    }

    fn decode(word: [u8; WORD]) -> Option<Self> {
        match word {
            [1, ..] => Some(Self::Beat),
            [2, ..] => Some(Self::Ready),
            [3, departure, low, high] => {
                let departure = *Departure::ALL.get(usize::from(departure))?;
                Some(Self::Lost(Lost {
                    process: u16::from_le_bytes([low, high]),
                    departure,
                }))
            }
            [4, ..] => Some(Self::Done),
            _ => None,
        }
    }
}

/// What was heard.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A word.
    Word(Word),
    /// Nothing yet.
    Nothing,
    /// The connection has ended.
    End,
    /// What is no word.
    Garble,
}

/// The connection to one process.
#[derive(Debug)]
pub struct Pulse {
    stream: TcpStream,
    /// A word that has not come whole.
    part: Vec<u8>,
}

impl Pulse {
    /// On a connection.
    pub fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            part: Vec::new(),
        }
    }

    /// Listens for a word at most so long.
    pub fn hear(&mut self, within: Duration) -> Heard {
        let mut buffer = [0; WORD];
        loop {
            if let Some((word, _)) = self.part.split_first_chunk::<WORD>() {
                let word = Word::decode(*word);
                self.part.clear();
                return word.map_or(Heard::Garble, Heard::Word);
            }
            let most = WORD - self.part.len();
            let read = self
                .stream
                .set_read_timeout(Some(within))
                .and_then(|()| self.stream.read(&mut buffer[..most]));
            match read.map_err(|error| error.kind()) {
                Ok(0) => return Heard::End,
                Ok(read) => self.part.extend_from_slice(&buffer[..read]),
                Err(io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => return Heard::Nothing,
                Err(io::ErrorKind::Interrupted) => {}
                Err(_) => return Heard::End,
            }
        }
    }

    /// Says a word.
    ///
    /// # Errors
    /// If the connection has ended, or is full: then nobody has listened for an hour.
    pub fn say(&self, word: Word) -> io::Result<()> {
        self.stream.set_write_timeout(Some(BEAT))?;
        (&self.stream).write_all(&word.encode())
    }

    /// Another handle of the connection.
    ///
    /// # Errors
    /// If the system has none left.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            stream: self.stream.try_clone()?,
            part: self.part.clone(),
        })
    }
}

/// The threads that give and take signs of life.
#[derive(Debug)]
pub struct Health {
    shared: Arc<Shared>,
    pulses: Arc<Vec<Pulse>>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Health {
    /// Starts them on the connections to the other processes.
    ///
    /// # Errors
    /// If the system has no threads or handles left.
    pub fn start(shared: &Arc<Shared>, pulses: Vec<(usize, Pulse)>) -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let mut threads = Vec::with_capacity(pulses.len() + 1);
        let mut kept = Vec::with_capacity(pulses.len());
        for (peer, pulse) in pulses {
            kept.push(pulse.try_clone()?);
            let shared = Arc::clone(shared);
            let listener = thread::Builder::new().name(format!("health-{peer}"));
            threads.push(listener.spawn(move || listen(&shared, peer, pulse))?);
        }
        let kept = Arc::new(kept);
        let (pulses, until, of) = (Arc::clone(&kept), Arc::clone(&over), Arc::clone(shared));
        threads.push(
            thread::Builder::new()
                .name("health".to_owned())
                .spawn(move || {
                    while !until.load(Ordering::Acquire) {
                        // Who does not hear is noticed by who listens.
                        pulses.iter().for_each(|pulse| drop(pulse.say(Word::Beat)));
                        of.judge_suspects();
                        thread::park_timeout(BEAT);
                    }
                })?,
        );
        Ok(Self {
            shared: Arc::clone(shared),
            pulses: kept,
            over,
            threads,
        })
    }

    /// Says a last word to everybody and ends the connections.
    pub fn end(&mut self, word: Word) {
        self.shared.close();
        self.over.store(true, Ordering::Release);
        for pulse in &*self.pulses {
            let _ = pulse.say(word);
            // What was written is still delivered: only then comes the end.
            let _ = pulse.stream.shutdown(Shutdown::Both);
        }
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// Listens to a process until it goes.
fn listen(shared: &Shared, peer: usize, mut pulse: Pulse) {
    let gone = |departure| {
        shared.lose(Lost {
            process: number(peer),
            departure,
        })
    };
    loop {
        match pulse.hear(SILENCE) {
            Heard::Word(Word::Beat | Word::Ready) => {}
            Heard::Word(Word::Done) => return,
            Heard::Word(Word::Lost(lost)) => return shared.lose(lost),
            Heard::Nothing => return gone(Departure::Silent),
            Heard::End => return gone(Departure::Ended),
            Heard::Garble => return gone(Departure::Garbled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        let lost = |departure| {
            Word::Lost(Lost {
                process: 300,
                departure,
            })
        };
        let words = [Word::Beat, Word::Ready, Word::Done]
            .into_iter()
            .chain(Departure::ALL.map(lost));
        for word in words {
            assert_eq!(Word::decode(word.encode()), Some(word));
        }
        assert_eq!(Word::decode([3, 99, 0, 0]), None);
        assert_eq!(Word::decode([0; WORD]), None);
    }
}
