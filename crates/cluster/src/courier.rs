//! The thread that hands messages between the solvers of this process and the channels to the
//! others.
//!
//! A block is asked for, announced as soon as it is there, and sent in pieces for which the
//! receiver grants credit. So at most [`STREAMS`] × [`WINDOW`] pieces are under way from one
//! process to another, 2 MiB, whatever the sizes of blocks.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use bid_language::watch::{Departure, Offered};
use timely_communication::{Allocator, Pull, Push};

use crate::message::{Message, PIECE, Packet, decode, encode};
use crate::shared::{Shared, Table, number};

/// How many pieces of a block are under way at most.
pub const WINDOW: u64 = 8;

/// How many blocks stream from one process to another at a time. Only blocks that are there stream,
/// so nobody waits in this queue for work.
pub const STREAMS: usize = 4;

/// Whoever has something to do for this thread wakes it; it looks by itself only now and then.
const REST: Duration = Duration::from_millis(250);

/// What the solvers' threads want done.
pub enum Command {
    /// A message, encoded, for a process.
    Send(usize, Vec<u8>),
    /// Those who asked may be answered.
    Changed(Change),
    /// Nothing comes any more.
    Close,
}

/// What changed in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// This block was offered or retired.
    Block(u64),
    /// This process has come to a barrier, or passed it.
    Round,
}

/// A block that is wanted.
#[derive(Debug, Clone, Copy)]
struct Asked {
    by: usize,
    id: u64,
    round: u64,
    block: u64,
}

/// A block on its way out.
struct Cursor {
    block: Arc<dyn Offered>,
    total: u64,
    sent: u64,
    credit: u64,
}

/// The state of the thread.
struct Courier<'a> {
    shared: &'a Shared,
    pushers: Vec<Box<dyn Push<Packet>>>,
    /// What was asked for and is not there yet.
    asked: Vec<Asked>,
    /// By who fetches and the number of the fetch.
    cursors: HashMap<(usize, u64), Cursor>,
}

/// Works until it is told to close.
pub fn run(mut allocator: Allocator, commands: &Receiver<Command>, shared: &Shared) {
    let (pushers, mut puller) = allocator.allocate::<Packet>(0);
    let mut courier = Courier {
        shared,
        pushers,
        asked: Vec::new(),
        cursors: HashMap::new(),
    };
    loop {
        allocator.receive();
        allocator.events().borrow_mut().clear();
        while let Some(packet) = Pull::recv(&mut puller) {
            courier.receive(packet.bytes());
        }
        let mut open = true;
        for command in commands.try_iter() {
            open &= courier.obey(command);
        }
        courier.pushers.iter_mut().for_each(|pusher| pusher.done());
        allocator.release();
        if !open {
            return;
        }
        // A message or a command that came meanwhile has left a token, with which this returns at
        // once.
        allocator.await_events(Some(REST));
    }
}

impl Courier<'_> {
    fn send(&mut self, to: usize, message: Message<'_>) {
        self.push(to, encode(number(self.shared.own), message));
    }

    fn push(&mut self, to: usize, bytes: Vec<u8>) {
        self.pushers[to].send(Packet::Out(bytes));
    }

    /// Whether there is more to come.
    fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Send(to, bytes) => self.push(to, bytes),
            Command::Changed(change) => {
                let concerned = |asked: &mut Asked| match change {
                    Change::Block(block) => asked.block == block,
                    Change::Round => true,
                };
                let again: Vec<Asked> = self.asked.extract_if(.., concerned).collect();
                again.into_iter().for_each(|asked| self.answer(asked));
            }
            Command::Close => return false,
        }
        true
    }

    fn receive(&mut self, bytes: &[u8]) {
        let Some((from, message)) =
            decode(bytes).filter(|(from, _)| usize::from(*from) < self.shared.count)
        else {
            // It was cut short: the line has noted whose it was.
            return;
        };
        let from = usize::from(from);
        match message {
            Message::Ask { id, round, block } => self.answer(Asked {
                by: from,
                id,
                round,
                block,
            }),
            Message::Cancel { id } => {
                self.cursors.remove(&(from, id));
                self.asked
                    .retain(|asked| (asked.by, asked.id) != (from, id));
            }
            Message::Grant { id, pieces } => {
                if let Some(cursor) = self.cursors.get_mut(&(from, id)) {
                    cursor.credit = cursor.credit.saturating_add(pieces);
                    self.stream(from, id);
                }
            }
            Message::Ready { id, total } => {
                self.incoming(id, |incoming| incoming.total = Some(total))
            }
            Message::Refused { id, why } => {
                self.incoming(id, |incoming| incoming.refused = Some(why.to_owned()))
            }
            Message::Piece { id, bytes } => self.take(from, id, bytes),
            Message::Arrive { round, digest } => {
                if digest == crate::team::given_up() {
                    self.shared.suspect(from, Departure::Failed);
                }
                self.table()
                    .arrived
                    .entry(round)
                    .or_default()
                    .insert(from, digest);
                self.shared.notify();
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.shared.table()
    }

    /// Tells who fetches something new; they may have given up.
    fn incoming(&self, id: u64, news: impl FnOnce(&mut crate::shared::Incoming)) {
        if let Some(incoming) = self.table().incoming.get_mut(&id) {
            news(incoming);
            self.shared.notify();
        }
    }

    /// Answers who asks, or remembers that they have asked.
    fn answer(&mut self, asked: Asked) {
        let Asked {
            by,
            id,
            round,
            block,
        } = asked;
        let (here, is_over, found) = {
            let table = self.table();
            (
                table.round,
                table.is_done || table.retired.contains(&block),
                table.offers.get(&block).cloned(),
            )
        };
        match found {
            _ if round > here => self.asked.push(asked),
            Some(found) if round == here => {
                let total = found.size();
                self.cursors.insert(
                    (by, id),
                    Cursor {
                        block: found,
                        total,
                        sent: 0,
                        credit: 0,
                    },
                );
                self.send(by, Message::Ready { id, total });
            }
            None if round == here && !is_over => self.asked.push(asked),
            Some(_) | None => self.send(
                by,
                Message::Refused {
                    id,
                    why: "it does not offer that, or no longer",
                },
            ),
        }
    }

    /// Sends what there is credit for.
    fn stream(&mut self, to: usize, id: u64) {
        let Some(mut cursor) = self.cursors.remove(&(to, id)) else {
            return;
        };
        let mut buffer = Vec::new();
        while cursor.credit > 0 && cursor.sent < cursor.total {
            // A piece fits in memory.
            let length = (cursor.total - cursor.sent).min(PIECE as u64) as usize;
            buffer.resize(length, 0);
            if let Err(error) = cursor.block.read(cursor.sent, &mut buffer) {
                return self.send(
                    to,
                    Message::Refused {
                        id,
                        why: &error.to_string(),
                    },
                );
            }
            self.send(to, Message::Piece { id, bytes: &buffer });
            cursor.sent += length as u64;
            cursor.credit -= 1;
        }
        if cursor.sent < cursor.total {
            self.cursors.insert((to, id), cursor);
        }
    }

    /// Takes a piece in, and grants credit for more.
    fn take(&mut self, from: usize, id: u64, bytes: &[u8]) {
        self.shared
            .fetched
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let mut table = self.shared.table();
        let Some(incoming) = table.incoming.get_mut(&id) else {
            return;
        };
        incoming.bytes.extend_from_slice(bytes);
        let (have, total) = (incoming.bytes.len() as u64, incoming.total.unwrap_or(0));
        incoming.ungranted += 1;
        let grant = have < total && incoming.ungranted >= WINDOW / 2;
        let pieces = if grant {
            std::mem::take(&mut incoming.ungranted)
        } else {
            0
        };
        drop(table);
        if have > total {
            self.shared.suspect(from, Departure::Garbled);
        } else if have == total {
            self.shared.notify();
        } else if grant {
            self.send(from, Message::Grant { id, pieces });
        }
    }
}
