//! A process among others, from when they have met until they part.

use std::any::Any;
use std::collections::HashMap;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use bid_language::diagnostic::{Code, Diagnostic, Result, plain};
use bid_language::watch::{Departure, Lost, Offered, Peers, Stop, Traffic, Watch, size};
use timely_communication::allocator::ProcessBuilder;
use timely_communication::allocator::zero_copy::bytes_slab::BytesRefill;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::{AllocatorBuilder, Hooks, WorkerGuards, initialize_from};
use xxhash_rust::xxh3::xxh3_64;

use crate::Config;
use crate::courier::{self, Change, Command, STREAMS, WINDOW};
use crate::fingerprint::Fingerprint;
use crate::health::{Health, Word};
use crate::line::Line;
use crate::meeting::{self, Met, Presence};
use crate::message::{Message, encode};
use crate::shared::{Shared, number};

/// How long processes that part in peace wait for each other's last bytes.
const PARTING: Duration = Duration::from_secs(5);

/// What processes have in mind that are done, or have met an error.
const THE_END: &str = "the end";
const GIVEN_UP: &str = "an error";

/// The digest of the latter.
pub fn given_up() -> u64 {
    xxh3_64(GIVEN_UP.as_bytes())
}

/// Empty buffers that each connection keeps.
const SPARE_BUFFERS: usize = 2;

/// A process among others. Dropped without [`finish`](Self::finish), it tells the others that it
/// failed.
#[derive(Debug)]
pub struct Team {
    shared: Arc<Shared>,
    commands: Sender<Command>,
    courier: Thread,
    /// What is needed to part; nothing afterwards.
    parting: Mutex<Option<Parting>>,
}

/// What stands open until processes part.
struct Parting {
    workers: WorkerGuards<()>,
    health: Health,
    /// The connections for blocks.
    lines: Vec<TcpStream>,
    /// The place where others of this machine find this process.
    _presence: Presence,
}

impl std::fmt::Debug for Parting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parting").finish_non_exhaustive()
    }
}

impl Team {
    /// Waits until all processes have found each other and agree.
    ///
    /// # Errors
    /// If they do not agree, cannot find each other in time, or the watch says stop.
    pub fn join(config: &Config, fingerprint: &Fingerprint, watch: &dyn Watch) -> Result<Self> {
        config.check()?;
        let Met { peers, presence } = meeting::meet(config, fingerprint, watch)?;
        let shared = Arc::new(Shared::new(config.process, config.processes));
        let (mut pulses, mut sockets, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for (peer, met) in peers.into_iter().enumerate() {
            let Some(met) = met else {
                sockets.push(None);
                continue;
            };
            lines.push(met.data.try_clone().map_err(exhausted)?);
            sockets.push(Some(Line::new(met.data, Arc::clone(&shared), peer)));
            pulses.push((peer, met.health));
        }
        let health = Health::start(&shared, pulses).map_err(exhausted)?;
        let (commands, received) = mpsc::channel();
        let workers = start(&shared, sockets, received)?;
        let Some(courier) = workers.guards().first().map(|guard| guard.thread().clone()) else {
            return Err(Diagnostic::new(
                Code::Internal,
                "a process has no thread for its messages",
            )
            .into());
        };
        let parting = Mutex::new(Some(Parting {
            workers,
            health,
            lines,
            _presence: presence,
        }));
        Ok(Self {
            shared,
            commands,
            courier,
            parting,
        })
    }

    /// Waits until all processes have done everything, and parts from them in peace.
    ///
    /// # Errors
    /// If the watch says stop, or a process is lost.
    pub fn finish(&self, watch: &dyn Watch) -> Result<()> {
        self.finish_at(THE_END, watch)
    }

    /// The same after an error. Mostly all meet the same one, and part in peace; those who do not
    /// are told.
    ///
    /// # Errors
    /// As [`finish`](Self::finish); or another process does not meet an error.
    pub fn give_up(&self, watch: &dyn Watch) -> Result<()> {
        self.finish_at(GIVEN_UP, watch)
    }

    fn finish_at(&self, place: &str, watch: &dyn Watch) -> Result<()> {
        self.barrier(place, watch)?;
        let Some(Parting {
            workers,
            mut health,
            lines,
            _presence,
        }) = self.take_parting()
        else {
            return Ok(());
        };
        // All have come to the end: nobody needs anything but the last bytes of that.
        self.shared.close();
        self.command(Command::Close);
        part(workers, &lines, PARTING);
        health.end(Word::Done);
        Ok(())
    }

    /// Tells the others why this process works no longer, and parts from them. Does nothing
    /// afterwards.
    pub fn leave(&self, departure: Departure) {
        let Some(Parting {
            workers,
            mut health,
            lines,
            _presence,
        }) = self.take_parting()
        else {
            return;
        };
        // Who follows another's leave does not put itself in the first one's place.
        let own = Lost {
            process: number(self.shared.own),
            departure,
        };
        health.end(Word::Lost(self.shared.lost().unwrap_or(own)));
        self.command(Command::Close);
        part(workers, &lines, Duration::ZERO);
    }

    fn take_parting(&self) -> Option<Parting> {
        self.parting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn command(&self, command: Command) {
        // Nobody listens after parting, when nobody is left to hear of it either.
        let _ = self.commands.send(command);
        self.courier.unpark();
    }

    fn send(&self, to: usize, message: Message<'_>) {
        self.command(Command::Send(to, encode(number(self.shared.own), message)));
    }

    /// The bytes of a block that this process offers itself.
    fn fetch_own(&self, block: u64, most: u64, watch: &dyn Watch) -> Result<Vec<u8>> {
        let found = self.shared.wait(watch, |table| {
            if table.retired.contains(&block) {
                Some(None)
            } else {
                table.offers.get(&block).cloned().map(Some)
            }
        })?;
        let Some(found) = found else {
            return Err(refused(
                block,
                self.shared.own,
                "it does not offer that, or no longer",
            ));
        };
        let mut bytes = room(block, found.size(), most)?;
        bytes.resize(length(found.size()), 0);
        found
            .read(0, &mut bytes)
            .map_err(|error| refused(block, self.shared.own, &plain(&error)))?;
        Ok(bytes)
    }

    /// Follows a block that was asked for until it is there whole.
    fn receive(&self, id: u64, asked: Wanted, watch: &dyn Watch) -> Result<Vec<u8>> {
        let Wanted { block, from, most } = asked;
        let answer = |incoming: &crate::shared::Incoming| {
            let refusal = incoming
                .refused
                .as_ref()
                .map(|why| Err(refused(block, from, why)));
            refusal.or(incoming.total.map(Ok))
        };
        let total = self
            .shared
            .wait(watch, |table| table.incoming.get(&id).and_then(answer))??;
        let bytes = room(block, total, most)?;
        self.shared.wait(watch, |table| {
            let free = table.streaming[from] < STREAMS;
            table.streaming[from] += usize::from(free);
            free.then_some(())
        })?;
        let _stream = Stream {
            shared: &self.shared,
            from,
        };
        if let Some(incoming) = self.shared.table().incoming.get_mut(&id) {
            incoming.bytes = bytes;
        }
        self.send(from, Message::Grant { id, pieces: WINDOW });
        self.shared.wait(watch, |table| {
            let incoming = table.incoming.get_mut(&id)?;
            match &incoming.refused {
                Some(why) => Some(Err(refused(block, from, why))),
                None if incoming.bytes.len() as u64 == total => {
                    Some(Ok(std::mem::take(&mut incoming.bytes)))
                }
                None => None,
            }
        })?
    }
}

/// A block that is fetched: which, from whom, and how large it may be.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    block: u64,
    from: usize,
    most: u64,
}

/// One of the blocks that may stream from a process at a time, until it is dropped.
struct Stream<'a> {
    shared: &'a Shared,
    from: usize,
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        self.shared.table().streaming[self.from] -= 1;
        self.shared.notify();
    }
}

impl Peers for Team {
    fn count(&self) -> usize {
        self.shared.count
    }

    fn own(&self) -> usize {
        self.shared.own
    }

    fn offer(&self, block: u64, bytes: Arc<dyn Offered>) {
        {
            let mut table = self.shared.table();
            table.retired.remove(&block);
            table.offers.insert(block, bytes);
        }
        self.shared.notify();
        self.command(Command::Changed(Change::Block(block)));
    }

    fn fetch(&self, block: u64, from: usize, most: u64, watch: &dyn Watch) -> Result<Vec<u8>> {
        if from == self.shared.own {
            return self.fetch_own(block, most, watch);
        }
        if from >= self.shared.count {
            return Err(Diagnostic::new(
                Code::Internal,
                format!("block {block} belongs to no process"),
            )
            .into());
        }
        let (id, round) = {
            let mut table = self.shared.table();
            table.next += 1;
            let id = table.next;
            table
                .incoming
                .insert(id, crate::shared::Incoming::default());
            (id, table.round)
        };
        self.send(from, Message::Ask { id, round, block });
        let received = self.receive(id, Wanted { block, from, most }, watch);
        self.shared.table().incoming.remove(&id);
        if received.is_err() {
            self.send(from, Message::Cancel { id });
        }
        received
    }

    fn retire(&self, block: u64) {
        {
            let mut table = self.shared.table();
            table.offers.remove(&block);
            table.retired.insert(block);
        }
        self.shared.notify();
        self.command(Command::Changed(Change::Block(block)));
    }

    fn barrier(&self, work: &str, watch: &dyn Watch) -> Result<()> {
        let (digest, others) = (xxh3_64(work.as_bytes()), self.shared.count - 1);
        let round = {
            let mut table = self.shared.table();
            table.is_done = true;
            table.round + 1
        };
        self.command(Command::Changed(Change::Round));
        (0..self.shared.count)
            .filter(|&peer| peer != self.shared.own)
            .for_each(|peer| self.send(peer, Message::Arrive { round, digest }));
        let arrived = self.shared.wait(watch, |table| {
            let arrived = table.arrived.get(&round).map_or(0, HashMap::len);
            (arrived == others).then(|| {
                table.round = round;
                table.is_done = false;
                table.offers.clear();
                table.retired.clear();
                table.arrived.remove(&round).unwrap_or_default()
            })
        })?;
        self.command(Command::Changed(Change::Round));
        match arrived
            .iter()
            .filter(|&(_, other)| *other != digest)
            .map(|(&peer, &other)| (peer, other))
            .min()
        {
            None => Ok(()),
            Some((peer, other)) if other == given_up() => Err(Stop::Process(Lost {
                process: number(peer),
                departure: Departure::Failed,
            })
            .into()),
            Some((peer, _)) => {
                let message =
                    format!("process {peer} has come to another piece of work than `{work}`");
                let help = "give all processes the same limits, as by `--max-memory` and `--max-positions`";
                Err(Diagnostic::new(Code::Processes, message).help(help).into())
            }
        }
    }

    fn lost(&self) -> Option<Lost> {
        self.shared.lost()
    }

    fn traffic(&self) -> Traffic {
        let of = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let Shared {
            sent,
            received,
            fetched,
            ..
        } = &*self.shared;
        Traffic {
            sent: of(sent),
            received: of(received),
            fetched: of(fetched),
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.leave(Departure::Failed);
    }
}

/// Starts timely's threads on the lines, and the courier on its channels.
fn start(
    shared: &Arc<Shared>,
    lines: Vec<Option<Line>>,
    commands: Receiver<Command>,
) -> Result<WorkerGuards<()>> {
    let mut hooks = Hooks::default();
    hooks.refill.limit = Some(SPARE_BUFFERS);
    let BytesRefill { logic, limit } = hooks.refill.clone();
    let own = ProcessBuilder::new_typed_vector(1, BytesRefill { logic, limit }, None);
    let (builders, network) =
        initialize_networking_from_sockets(own, lines, shared.own, 1, hooks).map_err(exhausted)?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let (shared, commands) = (Arc::clone(shared), Mutex::new(Some(commands)));
    let network: Box<dyn Any + Send> = Box::new(network);
    let work = move |allocator| {
        if let Some(commands) = commands
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            courier::run(allocator, &commands, &shared);
        }
    };
    initialize_from(builders, network, work).map_err(|why| {
        Diagnostic::new(Code::Processes, format!("cannot start the channels: {why}")).into()
    })
}

/// Waits until timely's threads have ended; after the given time the connections are cut, with
/// which they end.
fn part(workers: WorkerGuards<()>, lines: &[TcpStream], patience: Duration) {
    let (tell, told) = mpsc::channel();
    let parting = std::thread::Builder::new().name("parting".to_owned());
    let parting = parting.spawn(move || {
        drop(workers);
        let _ = tell.send(());
    });
    if told.recv_timeout(patience).is_err() {
        lines
            .iter()
            .for_each(|line| drop(line.shutdown(Shutdown::Both)));
    }
    if let Ok(parting) = parting {
        let _ = parting.join();
    }
}

/// The number of bytes of what has room in memory.
fn length(size: u64) -> usize {
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// Room for the bytes of a block.
fn room(block: u64, total: u64, most: u64) -> Result<Vec<u8>> {
    if total > most {
        let message = format!("block {block} has {total} bytes, which is more than {most}");
        return Err(Diagnostic::new(Code::Internal, message).into());
    }
    let mut bytes = Vec::new();
    let reserved = usize::try_from(total)
        .ok()
        .and_then(|total| bytes.try_reserve_exact(total).ok());
    let message = || format!("there is no memory for a block of {}", size(total));
    reserved
        .map(|()| bytes)
        .ok_or_else(|| Diagnostic::new(Code::Memory, message()).into())
}

fn refused(block: u64, from: usize, why: &str) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Processes,
        format!("process {from} cannot hand over block {block}: {why}"),
    )
    .into()
}

fn exhausted(error: std::io::Error) -> Box<Diagnostic> {
    Diagnostic::new(Code::Processes, format!("cannot start the connections: {}", plain(&error)))
        .help("each other process takes two connections and four threads: look at the limits of the system")
        .into()
}
