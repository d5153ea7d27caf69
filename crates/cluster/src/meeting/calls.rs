//! Whom this process calls: those with lower numbers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::News;
use super::folder::Board;
use crate::hello::{self, Hello, Purpose, Unmet};
use crate::hosts::Hosts;

/// How long one address may take to answer.
const CONNECT: Duration = Duration::from_secs(2);

/// The pause between two calls of who does not answer yet.
const PAUSE: Duration = Duration::from_millis(50);

/// Where a process is to be found.
#[derive(Debug, Clone)]
pub enum Whereabouts {
    /// In a note on the board of this machine.
    Board(Board),
    /// In a list.
    Hosts(Hosts),
}

/// A connection with what was said on it.
struct Call {
    hello: Hello,
    stream: TcpStream,
}

/// Why a call led to nothing.
enum Vain {
    /// Nobody is there yet; perhaps why, in words.
    Absent(Option<String>),
    /// It never will.
    Never(News),
}

/// Calls a process until it answers on both connections, or it is `over`.
pub fn call(
    peer: usize,
    places: &Whereabouts,
    own: &Hello,
    news: &Sender<News>,
    over: &Arc<AtomicBool>,
) {
    while !over.load(Ordering::Acquire) {
        let told = match both(peer, places, own, news) {
            Ok((health, data)) => News::Answered {
                peer,
                hello: health.hello,
                health: health.stream,
                data: data.stream,
            },
            Err(Vain::Never(told)) => told,
            Err(Vain::Absent(why)) => {
                if let Some(why) = why {
                    let _ = news.send(News::Trouble { peer, why });
                }
                std::thread::sleep(PAUSE);
                continue;
            }
        };
        let _ = news.send(told);
        return;
    }
}

/// Both connections, to the same process.
fn both(
    peer: usize,
    places: &Whereabouts,
    own: &Hello,
    news: &Sender<News>,
) -> Result<(Call, Call), Vain> {
    let health = one(peer, places, own, Purpose::Health)?;
    // Who does not belong here goes away when it has heard the greeting: it does not answer again.
    let _ = news.send(News::Greeted {
        peer,
        hello: health.hello.clone(),
    });
    let data = one(peer, places, own, Purpose::Data)?;
    if health.hello.incarnation == data.hello.incarnation {
        Ok((health, data))
    } else {
        Err(Vain::Absent(None))
    }
}

fn one(peer: usize, places: &Whereabouts, own: &Hello, purpose: Purpose) -> Result<Call, Vain> {
    let (addresses, token) = find(peer, places)?;
    let mut why = None;
    for address in addresses {
        let mut stream = match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => stream,
            Err(error) => {
                why = Some(error.to_string());
                continue;
            }
        };
        let said = stream.set_nodelay(true).and_then(|()| {
            hello::say(
                &mut stream,
                &Hello {
                    purpose,
                    token: token.clone(),
                    ..own.clone()
                },
            )
        });
        match said
            .map_err(Unmet::Failed)
            .and_then(|()| hello::hear(&mut stream))
        {
            Ok(hello) => return Ok(Call { hello, stream }),
            Err(Unmet::OtherVersion) => {
                return Err(Vain::Never(News::OtherVersion(format!("process {peer}"))));
            }
            Err(Unmet::Stranger) => why = Some("what answers there is another program".to_owned()),
            Err(Unmet::Failed(error)) => why = Some(error.to_string()),
        }
    }
    Err(Vain::Absent(why))
}

/// The addresses of a process, and what to tell it.
fn find(peer: usize, places: &Whereabouts) -> Result<(Vec<SocketAddr>, String), Vain> {
    match places {
        Whereabouts::Board(board) => {
            let note = board.note(peer).ok_or(Vain::Absent(None))?;
            Ok((
                vec![SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), note.port)],
                note.token,
            ))
        }
        Whereabouts::Hosts(hosts) => match hosts.resolve(peer) {
            Ok(addresses) => Ok((addresses, String::new())),
            Err(error) => Err(Vain::Never(News::Unresolved {
                peer,
                why: error.to_string(),
            })),
        },
    }
}
