//! Several processes, on one machine or many, that answer one question together.
//!
//! [`Team::join`] waits until all processes have found each other and agree on program, source,
//! rules and question; from then on a [`Team`] is the [`Peers`](bid_language::watch::Peers) of the
//! solvers. Blocks travel over channels of `timely_communication`, in pieces for which the receiver
//! grants credit, so that nobody holds more than a few pieces that were not asked for.
//!
//! What that crate leaves open is solved around it:
//!
//! - Its start-up waits for ever, takes whoever connects at their word, and prints. So processes
//!   meet by themselves ([`meeting`]), with time limits and a comparison, and hand over connected
//!   sockets.
//! - Its threads panic when a connection fails. So they are given a stream that never fails
//!   ([`line`]): it notes what happened and says goodbye in the other's stead.
//! - It does not notice a machine that has gone silent. So each pair of processes has a second
//!   connection for signs of life ([`health`]).
//!
//! Nothing is encrypted and nobody is asked for a password: the ports trust their network.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod courier;
mod fingerprint;
mod health;
mod hello;
mod hosts;
mod line;
mod meeting;
mod message;
mod shared;
mod team;

use std::path::PathBuf;
use std::time::Duration;

pub use fingerprint::Fingerprint;
pub use hosts::Hosts;
pub use team::Team;

use bid_language::diagnostic::{Code, Diagnostic, Result};

/// The most processes of a team: each has two connections and four threads for every other one.
pub const MOST_PROCESSES: usize = 256;

/// Who belongs together, and where to find them.
#[derive(Debug, Clone)]
pub struct Config {
    /// How many processes there are.
    pub processes: usize,
    /// The number of this one, from 0.
    pub process: usize,
    /// Where they are.
    pub place: Place,
    /// How long to wait for the others.
    pub patience: Duration,
}

impl Config {
    /// Whether there can be such a team.
    ///
    /// # Errors
    /// If there are too few processes or too many, or none of them has this number.
    pub fn check(&self) -> Result<()> {
        let Self {
            processes, process, ..
        } = self;
        let wrong = |message: String, help: &str| {
            Err(Diagnostic::new(Code::Processes, message).help(help).into())
        };
        if *processes < 2 {
            return wrong(
                format!("{processes} processes are no team"),
                "a process alone needs no others",
            );
        }
        if *processes > MOST_PROCESSES {
            let help = "give each process more threads with `--threads N`";
            return wrong(
                format!("{processes} processes are more than {MOST_PROCESSES}"),
                help,
            );
        }
        if process >= processes {
            let help = format!("the processes have the numbers 0 to {}", processes - 1);
            return wrong(
                format!("there is no process {process} of {processes}"),
                &help,
            );
        }
        Ok(())
    }
}

/// Where the processes are.
#[derive(Debug, Clone)]
pub enum Place {
    /// On this machine; they find each other by way of a folder that belongs to the user. `None`:
    /// [the usual one](usual_folder).
    Here(Option<PathBuf>),
    /// On the machines of a list.
    Hosts(Hosts),
}

pub use meeting::usual_folder;
