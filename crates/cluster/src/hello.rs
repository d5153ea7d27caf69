//! What two processes say to each other first, and how strangers are told from them.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;

/// What every connection begins with, in all versions of the program; the revision of the rest
/// follows.
const MAGIC: &[u8; 12] = b"bid cluster ";

/// Goes up whenever what follows means something else.
const REVISION: u32 = 1;

/// No greeting is longer.
const MOST: usize = 1 << 16;

/// How long a greeting may take.
const WITHIN: Duration = Duration::from_secs(3);

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Blocks.
    Data,
    /// Signs of life.
    Health,
}

/// What each side says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// How many processes it counts.
    pub processes: usize,
    /// Its number.
    pub process: usize,
    /// A number that no other process has drawn: a process that was started again is another one.
    pub incarnation: u64,
    /// What must be the same everywhere.
    pub fingerprint: Fingerprint,
    /// What only processes of this team can know; empty where the network is trusted.
    pub token: String,
    /// What the connection is for.
    pub purpose: Purpose,
}

/// Why what was said is no greeting.
#[derive(Debug)]
pub enum Unmet {
    /// It is not this program that speaks.
    Stranger,
    /// It is this program, but another version of it.
    OtherVersion,
    /// The connection failed.
    Failed(io::Error),
}

impl From<io::Error> for Unmet {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Says hello.
///
/// # Errors
/// If the connection fails.
pub fn say(stream: &mut TcpStream, hello: &Hello) -> io::Result<()> {
    let text = serde_json::to_vec(hello).map_err(io::Error::other)?;
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    let mut all = Vec::with_capacity(text.len() + 20);
    all.extend_from_slice(MAGIC);
    all.extend_from_slice(&REVISION.to_be_bytes());
    all.extend_from_slice(&length.to_be_bytes());
    all.extend_from_slice(&text);
    stream.set_write_timeout(Some(WITHIN))?;
    stream.write_all(&all)
}

/// Hears what the other says. Neither silence nor one byte at a time takes longer than [`WITHIN`].
///
/// # Errors
/// If it is no greeting.
pub fn hear(stream: &mut TcpStream) -> Result<Hello, Unmet> {
    let end = Instant::now() + WITHIN;
    let mut magic = [0; MAGIC.len()];
    read_until(stream, &mut magic, end).map_err(stranger)?;
    if &magic != MAGIC {
        return Err(Unmet::Stranger);
    }
    let mut number = [0; 4];
    read_until(stream, &mut number, end)?;
    if u32::from_be_bytes(number) != REVISION {
        return Err(Unmet::OtherVersion);
    }
    read_until(stream, &mut number, end)?;
    let length = u32::from_be_bytes(number) as usize;
    if length > MOST {
        return Err(Unmet::Stranger);
    }
    let mut text = vec![0; length];
    read_until(stream, &mut text, end)?;
    serde_json::from_slice(&text).map_err(|_| Unmet::OtherVersion)
}

/// Who says too little to be known is a stranger; one that was cut off may be anybody.
fn stranger(error: io::Error) -> Unmet {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Unmet::Stranger,
        _ => Unmet::Failed(error),
    }
}

fn read_until(stream: &mut TcpStream, mut into: &mut [u8], end: Instant) -> io::Result<()> {
    while !into.is_empty() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(into) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => into = &mut into[read..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Both ends of a connection.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let near =
            TcpStream::connect(listener.local_addr().expect("it is bound")).expect("it listens");
        (near, listener.accept().expect("somebody has called").0)
    }

    fn hello() -> Hello {
        let fingerprint = Fingerprint::new().with("source", "game A = E");
        let token = "abc".to_owned();
        Hello {
            processes: 3,
            process: 1,
            incarnation: u64::MAX,
            fingerprint,
            token,
            purpose: Purpose::Health,
        }
    }

    #[test]
    fn what_is_said_is_heard() {
        let (mut near, mut far) = pair();
        say(&mut near, &hello()).expect("the other end is there");
        assert_eq!(hear(&mut far).expect("it is a greeting"), hello());
    }

    #[test]
    fn strangers_and_other_versions_are_known() {
        let heard = |bytes: &[u8]| {
            let (mut near, mut far) = pair();
            near.write_all(bytes).expect("the other end is there");
            drop(near);
            hear(&mut far)
        };
        assert!(matches!(
            heard(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            Err(Unmet::Stranger)
        ));
        assert!(matches!(
            heard(b"bid cluster \0\0\0\x02and more"),
            Err(Unmet::OtherVersion)
        ));
        assert!(matches!(
            heard(b"bid cluster \0\0\0\x01\0\0\0\x02{}"),
            Err(Unmet::OtherVersion)
        ));
        assert!(matches!(
            heard(b"bid cluster \0\0\0\x01\xff\0\0\0"),
            Err(Unmet::Stranger)
        ));
        assert!(matches!(heard(b"bid clu"), Err(Unmet::Failed(_))));
    }

    #[test]
    fn who_says_nothing_is_not_waited_for_long() {
        let (_near, mut far) = pair();
        let begun = Instant::now();
        assert!(matches!(hear(&mut far), Err(Unmet::Stranger)));
        assert!(begun.elapsed() < 2 * WITHIN);
    }
}
