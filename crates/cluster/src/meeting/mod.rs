//! How processes find each other.
//!
//! Each process listens, and calls those with lower numbers until they answer. A call begins with
//! greetings on both sides, from which each judges the other: whether they have the same
//! fingerprint, and the numbers that they should have. Strangers are turned away. When a process
//! has met all others it says so to each; when it has heard that from all, work begins. Until then
//! who goes away is waited for again; from then on who goes away is lost.

mod calls;
mod doors;
mod folder;
mod gathering;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use bid_language::diagnostic::{Code, Diagnostic, Result, plain};
use bid_language::watch::Watch;

use self::calls::Whereabouts;
pub use self::folder::usual_folder;
use self::folder::{Board, Note, Posted, Unwritten};
use self::gathering::Gathering;
use crate::fingerprint::Fingerprint;
use crate::health::Pulse;
use crate::hello::{Hello, Purpose};
use crate::hosts::Hosts;
use crate::{Config, Place};

/// The connections to another process.
#[derive(Debug)]
pub struct Contact {
    /// For blocks.
    pub data: TcpStream,
    /// For signs of life.
    pub health: Pulse,
}

/// Everybody.
#[derive(Debug)]
pub struct Met {
    /// The others by number; nothing at the own one.
    pub peers: Vec<Option<Contact>>,
    /// Where others find this process.
    pub presence: Presence,
}

/// Keeps the place of this process, so that the same process is not started twice.
#[derive(Debug)]
pub struct Presence {
    _posted: Option<Posted>,
}

/// What the threads of a meeting tell.
#[derive(Debug)]
enum News {
    /// A process answered on its first connection.
    Greeted { peer: usize, hello: Hello },
    /// A process answered on both.
    Answered {
        peer: usize,
        hello: Hello,
        health: TcpStream,
        data: TcpStream,
    },
    /// A process called, with one of its connections.
    Called { hello: Hello, stream: TcpStream },
    /// Somebody else did.
    Stranger,
    /// Another version of the program is at this place.
    OtherVersion(String),
    /// The name of a process's machine stands for nothing.
    Unresolved { peer: usize, why: String },
    /// A process did not answer yet, and why.
    Trouble { peer: usize, why: String },
}

/// Meets the other processes.
///
/// # Errors
/// If they do not agree, cannot find each other in time, or the watch says stop.
pub fn meet(config: &Config, fingerprint: &Fingerprint, watch: &dyn Watch) -> Result<Met> {
    let mut hello = Hello {
        processes: config.processes,
        process: config.process,
        incarnation: random(),
        fingerprint: fingerprint.clone(),
        token: String::new(),
        purpose: Purpose::Health,
    };
    let (listener, places, posted) = match &config.place {
        Place::Hosts(hosts) => (
            listen_at(hosts, config.process)?,
            Whereabouts::Hosts(hosts.clone()),
            None,
        ),
        Place::Here(folder) => {
            hello.token = format!("{:016x}{:016x}", random(), random());
            let folder = folder.clone().unwrap_or_else(usual_folder);
            let refuse = |why| unwritten(&folder, config.process, why);
            let board = Board::open(&folder, fingerprint, config.processes).map_err(refuse)?;
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_port)?;
            let port = listener.local_addr().map_err(no_port)?.port();
            let note = Note {
                port,
                token: hello.token.clone(),
                fingerprint: fingerprint.clone(),
            };
            let posted = board.post(config.process, &note).map_err(refuse)?;
            (listener, Whereabouts::Board(board), Some(posted))
        }
    };
    let peers = Gathering::begin(config, hello, places, listener)?.gather(watch)?;
    Ok(Met {
        peers,
        presence: Presence { _posted: posted },
    })
}

/// A number that nobody can guess: the system gives each process keys for its hash tables.
fn random() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Listens at the address of a list, and at no other.
fn listen_at(hosts: &Hosts, process: usize) -> Result<TcpListener> {
    let (address, place) = (hosts.address(process), hosts.place(process));
    let addresses = hosts
        .resolve(process)
        .map_err(|error| unresolved(hosts, process, &plain(&error)))?;
    TcpListener::bind(&*addresses).map_err(|error| {
        let diagnostic = match error.kind() {
            io::ErrorKind::AddrInUse => {
                Diagnostic::new(Code::Processes, format!("the port of {address}, {place}, is taken"))
                    .help("end the program that has it, perhaps the same process of the same command, or write another port everywhere")
            }
            io::ErrorKind::AddrNotAvailable => {
                let message = format!("{address}, {place}, is not an address of this machine");
                let help = format!("process {process} runs on that machine; here, give the number of the line of this one");
                Diagnostic::new(Code::Processes, message).help(help)
            }
            _ => Diagnostic::new(Code::Processes, format!("cannot listen at {address}, {place}: {}", plain(&error))),
        };
        diagnostic.into()
    })
}

fn unresolved(hosts: &Hosts, process: usize, why: &str) -> Box<Diagnostic> {
    let (address, place) = (hosts.address(process), hosts.place(process));
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    Diagnostic::new(
        Code::Processes,
        format!("`{host}`, {place}, is the name of no machine that can be found"),
    )
    .note(format!("the system says: {why}"))
    .help("correct the name, or write its address")
    .into()
}

fn no_port(error: io::Error) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Processes,
        format!("cannot listen on 127.0.0.1: {}", plain(&error)),
    )
    .into()
}

fn unwritten(folder: &std::path::Path, process: usize, why: Unwritten) -> Box<Diagnostic> {
    let folder = folder.display();
    let diagnostic = match why {
        Unwritten::Twice => Diagnostic::new(
            Code::Processes,
            format!("process {process} of this command is running on this machine already"),
        )
        .help("give each process another number with `--process I`"),
        Unwritten::Foreign => Diagnostic::new(
            Code::Processes,
            format!("cannot meet other processes in {folder}: others can write to it"),
        )
        .help("remove it, or name the processes' addresses with `--hosts FILE`"),
        Unwritten::Failed(error) => Diagnostic::new(
            Code::Processes,
            format!("cannot meet other processes in {folder}: {}", plain(&error)),
        )
        .help("name the processes' addresses with `--hosts FILE`"),
    };
    diagnostic.into()
}
