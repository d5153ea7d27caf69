//! A session for front ends of every kind: requests go in, events come out, and work can be
//! stopped.
//!
//! Editors ask about texts by plain calls of a [`Desk`]; this runs nothing. [`Core`] answers one
//! request after another and needs no thread: in a browser a worker drives it step by step.
//! [`Engine`] gives it a thread of its own, the bench, which stays awake for a moment after each
//! request ([`wait`]). For a worksheet the engine has two such threads, and a desk beside them.

mod cells;
mod core;
mod desk;
mod guard;
mod message;
mod notebook;
mod script;
#[cfg(not(target_family = "wasm"))]
mod thread;
#[cfg(not(target_family = "wasm"))]
pub mod wait;
pub mod wire;
#[cfg(not(target_family = "wasm"))]
mod worker;

pub use self::core::{Core, Done, Invite};
pub use crate::session::Phase;
pub use desk::Desk;
pub use guard::{EngineGuard, Tell};
pub use message::{
    CellKind, DocumentCell, DocumentEdit, DocumentPlace, Event, FileChange, Finding, Id, Mending,
    Progress, Reply, Request,
};
pub use script::Script;
#[cfg(not(target_family = "wasm"))]
pub use thread::{Engine, STACK};
