//! Who knocks: the port of this process.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::News;
use crate::hello::{self, Hello, Unmet};

/// The pause between two looks at the port.
const PAUSE: Duration = Duration::from_millis(10);

/// So many callers may be heard at a time; those beyond it are turned away, and call again if they
/// belong here.
const AT_A_TIME: usize = 64;

/// The port, until it is dropped.
#[derive(Debug)]
pub struct Door {
    over: Arc<AtomicBool>,
    keeper: Option<JoinHandle<()>>,
}

impl Door {
    /// Answers callers with a greeting, and passes on who they are.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn open(listener: TcpListener, own: Hello, news: Sender<News>) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&over);
        let keeper = thread::Builder::new().name("door".to_owned());
        let keeper = keeper.spawn(move || keep(&listener, &Arc::new(own), &news, &until))?;
        Ok(Self {
            over,
            keeper: Some(keeper),
        })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

fn keep(listener: &TcpListener, own: &Arc<Hello>, news: &Sender<News>, over: &AtomicBool) {
    let busy = Arc::new(AtomicUsize::new(0));
    while !over.load(Ordering::Acquire) {
        let Ok((stream, from)) = listener.accept() else {
            thread::sleep(PAUSE);
            continue;
        };
        if busy.fetch_add(1, Ordering::AcqRel) >= AT_A_TIME {
            busy.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (own, news, heard) = (Arc::clone(own), news.clone(), Arc::clone(&busy));
        let answering = thread::Builder::new()
            .name("answering".to_owned())
            .spawn(move || {
                answer(stream, from, &own, &news);
                heard.fetch_sub(1, Ordering::AcqRel);
            });
        if answering.is_err() {
            busy.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// Hears a caller, and says who is here if it is one of us.
fn answer(mut stream: TcpStream, from: SocketAddr, own: &Hello, news: &Sender<News>) {
    // Some systems hand on that the port itself does not wait.
    if stream.set_nonblocking(false).is_err() || stream.set_nodelay(true).is_err() {
        return;
    }
    let told = match hello::hear(&mut stream) {
        Ok(theirs) if theirs.token != own.token => News::Stranger,
        Ok(theirs) => {
            let reply = Hello {
                purpose: theirs.purpose,
                ..own.clone()
            };
            match hello::say(&mut stream, &reply) {
                Ok(()) => News::Called {
                    hello: theirs,
                    stream,
                },
                Err(_) => return,
            }
        }
        Err(Unmet::Stranger) => News::Stranger,
        Err(Unmet::OtherVersion) => {
            // It knows by the first words of the answer.
            let _ = hello::say(&mut stream, own);
            News::OtherVersion(from.to_string())
        }
        Err(Unmet::Failed(_)) => return,
    };
    // Nobody listens any more once all have met.
    let _ = news.send(told);
}
