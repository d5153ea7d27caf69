//! A session on a thread of its own, for front ends of every kind: messages go in, events come out,
//! and work can be stopped.
//!
//! [`Core`] takes one message after another and needs no thread: in a browser a worker drives it
//! step by step. [`Engine`] gives it two threads of its own: one answers questions about texts, so
//! that an editor is answered at once, the other one runs them, and stays awake for a moment after
//! each ([`wait`]).

mod cells;
mod core;
mod message;
mod notebook;
#[cfg(not(target_family = "wasm"))]
mod prompt;
mod script;
#[cfg(not(target_family = "wasm"))]
mod thread;
#[cfg(not(target_family = "wasm"))]
pub mod wait;
mod watch;
pub mod wire;

pub use self::core::{Core, Invite};
pub use message::{
    Cell, CellKind, Change, Event, Finding, Id, Mending, Message, Part, Phase, Place, Progress,
    Question, Reply, Request,
};
#[cfg(not(target_family = "wasm"))]
pub use prompt::Prompt;
pub use script::Script;
#[cfg(not(target_family = "wasm"))]
pub use thread::{Engine, STACK};
pub use watch::{EngineWatch, Tell};
