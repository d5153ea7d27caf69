//! A meeting under way: who is there, who is missing, and who does not belong.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use bid_language::diagnostic::{Code, Diagnostic, Result};
use bid_language::watch::{Departure, Lost, Stop, Watch};

use super::calls::{self, Whereabouts};
use super::doors::Door;
use super::{Contact, News, unresolved};
use crate::Config;
use crate::health::{Heard, Pulse, Word};
use crate::hello::{Hello, Purpose};
use crate::shared::number;

/// The pause between two looks at the watch.
const LOOK: Duration = Duration::from_millis(20);

/// How long those of this machine that wait with another fingerprint may be others' fellows.
const BENEFIT_OF_DOUBT: Duration = Duration::from_secs(5);

/// The pause between two looks at what others of this machine wait for.
const GLANCE: Duration = Duration::from_millis(250);

/// One who has called, with what it has brought so far.
#[derive(Debug, Default)]
struct Caller {
    incarnation: u64,
    data: Option<TcpStream>,
    health: Option<Pulse>,
    /// Whether it has met everybody.
    is_ready: bool,
}

impl Caller {
    fn is_there(&self) -> bool {
        self.data.is_some() && self.health.is_some()
    }
}

/// A meeting under way.
pub struct Gathering {
    own: Hello,
    patience: Duration,
    places: Whereabouts,
    news: Receiver<News>,
    tell: Sender<News>,
    callers: Vec<Caller>,
    /// The last reason why each did not answer.
    troubles: Vec<Option<String>>,
    strangers: u64,
    over: Arc<AtomicBool>,
    /// Who waits on this machine with something else in mind, and since when.
    other: Option<(usize, Instant)>,
    looked: Instant,
    /// The port is closed with it.
    _door: Door,
}

impl Drop for Gathering {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
    }
}

impl Gathering {
    /// Opens the door and calls who is to be called.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn begin(
        config: &Config,
        own: Hello,
        places: Whereabouts,
        listener: TcpListener,
    ) -> Result<Self> {
        let (tell, news) = mpsc::channel();
        let door = Door::open(listener, own.clone(), tell.clone()).map_err(super::no_port)?;
        let gathering = Self {
            patience: config.patience,
            places,
            news,
            tell,
            callers: (0..config.processes).map(|_| Caller::default()).collect(),
            troubles: vec![None; config.processes],
            strangers: 0,
            over: Arc::new(AtomicBool::new(false)),
            other: None,
            looked: Instant::now(),
            _door: door,
            own,
        };
        (0..config.process).try_for_each(|peer| gathering.call(peer))?;
        Ok(gathering)
    }

    /// Calls a process from a thread of its own.
    fn call(&self, peer: usize) -> Result<()> {
        let (places, own) = (self.places.clone(), self.own.clone());
        let (tell, over) = (self.tell.clone(), Arc::clone(&self.over));
        let calling = std::thread::Builder::new().name(format!("calling-{peer}"));
        calling
            .spawn(move || calls::call(peer, &places, &own, &tell, &over))
            .map(drop)
            .map_err(super::no_port)
    }

    /// Waits until everybody is there and knows it.
    ///
    /// # Errors
    /// If one does not belong or is missing when the time is up, or the watch says stop.
    pub fn gather(mut self, watch: &dyn Watch) -> Result<Vec<Option<Contact>>> {
        let begun = Instant::now();
        let mut said = false;
        while !(said && self.all(|caller| caller.is_ready)) {
            if let Ok(news) = self.news.recv_timeout(LOOK) {
                self.take(news).inspect_err(|_| self.warn())?;
            }
            while let Ok(news) = self.news.try_recv() {
                self.take(news).inspect_err(|_| self.warn())?;
            }
            self.listen(said)?;
            if !said && self.all(Caller::is_there) {
                self.callers
                    .iter()
                    .filter_map(|caller| caller.health.as_ref())
                    .for_each(|pulse| {
                        // Who is gone meanwhile is noticed by listening.
                        let _ = pulse.say(Word::Ready);
                    });
                said = true;
            }
            let missing = self.missing();
            let there = self.own.processes - 1 - missing.len();
            watch.report(
                "waiting for the other processes",
                there as u64,
                Some(self.own.processes as u64 - 1),
            );
            self.look_for_mismatch(&missing)?;
            match watch.check() {
                Err(Stop::Time) => return Err(self.absent(&missing, begun.elapsed())),
                Err(stop) => return Err(stop.into()),
                Ok(()) if begun.elapsed() > self.patience => {
                    return Err(self.absent(&missing, begun.elapsed()));
                }
                Ok(()) => {}
            }
        }
        Ok(self
            .callers
            .drain(..)
            .map(|caller| {
                Some(Contact {
                    data: caller.data?,
                    health: caller.health?,
                })
            })
            .collect())
    }

    fn all(&self, is: impl Fn(&Caller) -> bool) -> bool {
        self.callers
            .iter()
            .enumerate()
            .all(|(process, caller)| process == self.own.process || is(caller))
    }

    fn missing(&self) -> Vec<usize> {
        let is_missing =
            |&process: &usize| process != self.own.process && !self.callers[process].is_there();
        (0..self.own.processes).filter(is_missing).collect()
    }

    /// Takes in what a thread tells.
    fn take(&mut self, news: News) -> Result<()> {
        match news {
            News::Stranger => self.strangers += 1,
            News::OtherVersion(who) => return Err(self.other_version(&who)),
            News::Trouble { peer, why } => self.troubles[peer] = Some(why),
            News::Unresolved { peer, why } => match &self.places {
                Whereabouts::Hosts(hosts) => return Err(unresolved(hosts, peer, &why)),
                Whereabouts::Board(_) => self.troubles[peer] = Some(why),
            },
            News::Greeted { peer, hello } => self.judge(&hello, Some(peer))?,
            News::Answered {
                peer,
                hello,
                health,
                data,
            } => {
                self.judge(&hello, Some(peer))?;
                self.place(&hello, Purpose::Health, health);
                self.place(&hello, Purpose::Data, data);
            }
            News::Called { hello, stream } => {
                self.judge(&hello, None)?;
                self.place(&hello, hello.purpose, stream);
            }
        }
        Ok(())
    }

    /// Keeps a connection. One of a process that was started again takes the place of the old ones.
    fn place(&mut self, hello: &Hello, purpose: Purpose, stream: TcpStream) {
        let caller = &mut self.callers[hello.process];
        if caller.incarnation != hello.incarnation {
            *caller = Caller {
                incarnation: hello.incarnation,
                ..Caller::default()
            };
        }
        // Greetings had time limits; what follows has its own.
        let unlimited = stream
            .set_read_timeout(None)
            .and_then(|()| stream.set_write_timeout(None));
        match (unlimited, purpose) {
            (Err(_), _) => {}
            (Ok(()), Purpose::Data) => caller.data = Some(stream),
            (Ok(()), Purpose::Health) => caller.health = Some(Pulse::new(stream)),
        }
    }

    /// Whether who greets is one of us; `called` is whom this process has called.
    fn judge(&self, hello: &Hello, called: Option<usize>) -> Result<()> {
        let (theirs, own) = (hello.process, &self.own);
        if let Some(difference) = own.fingerprint.difference(&hello.fingerprint) {
            return Err(differs(theirs, &difference));
        }
        let wrong = |message: String, help: &str| {
            Err(Diagnostic::new(Code::Processes, message).help(help).into())
        };
        if hello.processes != own.processes {
            let message = format!(
                "process {theirs} counts {} processes, and this one {}",
                hello.processes, own.processes
            );
            return wrong(message, "give the same `--processes N` everywhere");
        }
        match called {
            _ if theirs == own.process => wrong(
                format!("there is another process {theirs}"),
                "give each process another number with `--process I`",
            ),
            Some(peer) if theirs != peer => wrong(
                format!("process {theirs} answers where process {peer} should be"),
                "give each process the number of its line of the list, and the same list everywhere",
            ),
            None if theirs < own.process || theirs >= own.processes => wrong(
                format!(
                    "process {theirs} takes this one for another than process {}",
                    own.process
                ),
                "give the same list of machines everywhere",
            ),
            Some(_) | None => Ok(()),
        }
    }

    /// Listens whether those who came are still there, and who of them has met everybody; `said` is
    /// whether this process has said that it has.
    fn listen(&mut self, said: bool) -> Result<()> {
        /// A read that does not wait needs a time limit, and 0 is none.
        const AT_ONCE: Duration = Duration::from_millis(1);
        for process in 0..self.callers.len() {
            let Some(pulse) = &mut self.callers[process].health else {
                continue;
            };
            match pulse.hear(AT_ONCE) {
                Heard::Word(Word::Ready) => self.callers[process].is_ready = true,
                Heard::Nothing | Heard::Word(Word::Beat | Word::Done) => {}
                Heard::Word(Word::Lost(lost)) => return Err(Stop::Process(lost).into()),
                Heard::End | Heard::Garble if said => {
                    let lost = Lost {
                        process: number(process),
                        departure: Departure::Ended,
                    };
                    return Err(Stop::Process(lost).into());
                }
                Heard::End | Heard::Garble => {
                    self.callers[process] = Caller::default();
                    if process < self.own.process {
                        self.call(process)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Tells those who are there that nothing comes of it.
    fn warn(&self) {
        let lost = Lost {
            process: number(self.own.process),
            departure: Departure::Failed,
        };
        self.callers
            .iter()
            .filter_map(|caller| caller.health.as_ref())
            .for_each(|pulse| {
                let _ = pulse.say(Word::Lost(lost));
            });
    }

    /// On one machine those who differ do not find each other: looks whether one that is missing
    /// waits with something else in mind.
    fn look_for_mismatch(&mut self, missing: &[usize]) -> Result<()> {
        let Whereabouts::Board(board) = &self.places else {
            return Ok(());
        };
        if self.looked.elapsed() < GLANCE {
            return Ok(());
        }
        self.looked = Instant::now();
        let found = missing
            .iter()
            .find_map(|&process| board.other_note(process).map(|note| (process, note)));
        // One who has a fellow of the number here does not wait for this process.
        let Some((process, note)) =
            found.filter(|(_, note)| !board.has_fellow(note, self.own.process))
        else {
            self.other = None;
            return Ok(());
        };
        let (_, since) = *self.other.get_or_insert((process, Instant::now()));
        match self.own.fingerprint.difference(&note.fingerprint) {
            Some(difference) if since.elapsed() > BENEFIT_OF_DOUBT => {
                self.warn();
                // The other one is about to find the same, if the note here stays.
                std::thread::sleep(2 * GLANCE);
                Err(differs(process, &difference))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The diagnostic of those who did not come in time.
    fn absent(&self, missing: &[usize], waited: Duration) -> Box<Diagnostic> {
        let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let seconds = waited.as_secs().max(1);
        let message = match &*names {
            [] => "stopped: the other processes did not all meet in time".to_owned(),
            [one] => format!("stopped: process {one} did not come within {seconds} s"),
            many => format!(
                "stopped: processes {} did not come within {seconds} s",
                many.join(", ")
            ),
        };
        let mut diagnostic = Diagnostic::new(Code::Process, message);
        for &process in missing {
            if let Some(why) = &self.troubles[process] {
                let place = match &self.places {
                    Whereabouts::Hosts(hosts) => format!(" at {}", hosts.address(process)),
                    Whereabouts::Board(_) => String::new(),
                };
                diagnostic = diagnostic.note(format!("process {process}{place}: {why}"));
            }
        }
        if self.strangers > 0 {
            diagnostic = diagnostic.note(format!(
                "strangers who called were turned away: {}",
                self.strangers
            ));
        }
        let last = self.own.processes - 1;
        diagnostic
            .help(format!(
                "start the same command with `--process 0` to `--process {last}`, once each"
            ))
            .into()
    }

    fn other_version(&self, who: &str) -> Box<Diagnostic> {
        Diagnostic::new(
            Code::Processes,
            format!("{who} runs another version of the program"),
        )
        .help("install the same version everywhere")
        .into()
    }
}

/// The diagnostic of a process with something else in mind.
fn differs(process: usize, difference: &crate::fingerprint::Difference) -> Box<Diagnostic> {
    let name = &difference.name;
    let mut diagnostic = Diagnostic::new(
        Code::Processes,
        format!("the {name} of process {process} is not the one here"),
    );
    if let Some((here, there)) = &difference.excerpts {
        diagnostic = diagnostic
            .note(format!("here: {here}"))
            .note(format!("there: {there}"));
    }
    diagnostic
        .help("give the same command, with the same files and the same program, everywhere")
        .into()
}
