//! The threads of an engine, and the process to which they belong.
//!
//! A fork copies a process without its threads. A caller that waits for them in the copy, or ends
//! them, waits for ever. So an engine that finds itself in another process leaves its copied state
//! alone, and starts again.

use std::collections::HashMap;
use std::process;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bid::ask::MethodName;
use bid::engine::{self, Event, Id};
use bid::session::Summary;
use bid_language::files::{DiskFiles, WorkFolder};
use bid_language::watch::Disk;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// The receivers of the events of each request.
pub type EventReceivers = Arc<Mutex<HashMap<Id, Sender<Event>>>>;

/// An engine with its threads.
pub struct Live {
    /// The engine, until it is dropped.
    engine: Option<engine::Engine>,
    /// The receivers of its events.
    pub waiting: EventReceivers,
    /// A number that no other engine of this process has.
    pub number: u64,
    process: u32,
}

impl Live {
    /// Starts the threads, whose work is kept in a folder if there is one.
    pub fn start(folder: Option<Arc<WorkFolder>>) -> PyResult<Self> {
        static ENGINES: AtomicU64 = AtomicU64::new(0);
        let waiting = EventReceivers::default();
        let listeners = Arc::clone(&waiting);
        let shares = folder.is_some();
        let engine = engine::Engine::start_on_disk(
            || Rc::new(DiskFiles),
            move |reply, _| {
                let mut listeners = lock(&listeners);
                let is_last = matches!(reply.event, Event::Done(_));
                if let Some(listener) = listeners.get(&reply.id) {
                    // The caller may have stopped listening.
                    let _ = listener.send(reply.event);
                }
                if is_last {
                    listeners.remove(&reply.id);
                }
            },
            folder.map(|folder| folder as Arc<dyn Disk + Send>),
        );
        let engine = engine.map_err(|error| PyOSError::new_err(error.to_string()))?;
        if shares {
            // Only sweeps are shared, so none of the other methods is tried first.
            engine.at_prompt(None, |session, _| {
                session.prefer(Some(MethodName::Sweep));
                Ok(Summary::default())
            });
        }
        Ok(Self {
            engine: Some(engine),
            waiting,
            number: ENGINES.fetch_add(1, Ordering::Relaxed),
            process: process::id(),
        })
    }

    /// Returns the engine.
    pub fn engine(&self) -> PyResult<&engine::Engine> {
        let engine = self.engine.as_ref();
        engine.ok_or_else(|| PyOSError::new_err("the session has ended"))
    }

    /// Returns `true` if the threads belong to this process.
    pub fn is_here(&self) -> bool {
        self.process == process::id()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if !self.is_here() {
            // Dropping the engine would join threads that do not exist in this process.
            std::mem::forget(self.engine.take());
        }
    }
}

/// Returns the value of a lock, even if a holder of it has panicked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
