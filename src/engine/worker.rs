//! A thread that does one job after another on a state that it owns.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::guard::{EngineGuard, WorkDisk};
use super::message::{Event, Finding, Id, Reply};
use super::thread::{Replies, STACK};
use super::wait::receive;
use crate::diagnostic::{Code, Diagnostic};
use crate::files::Documents;
use crate::session::Summary;
use crate::source::SourceMap;
use crate::watch::{Context, Timer};

/// A job, with the request to which it belongs.
struct Job<S> {
    id: Option<Id>,
    act: Box<Act<S>>,
}

/// A function that works on the state of the thread.
type Act<S> = dyn FnOnce(&mut S, &EngineGuard) + Send;

/// A thread that does jobs. Its work is stopped when it is dropped.
pub struct Worker<S> {
    jobs: Option<Sender<Job<S>>>,
    pub guard: Arc<EngineGuard>,
    thread: Option<JoinHandle<()>>,
}

impl<S: 'static> Worker<S> {
    /// Starts a thread on the state that `make` creates there. After each job it stays awake for
    /// `awake` to look for the next one before it sleeps.
    pub fn start(
        name: &str,
        awake: Duration,
        replies: &Replies,
        disk: WorkDisk,
        make: impl FnOnce(&Arc<EngineGuard>) -> S + Send + 'static,
    ) -> io::Result<Self> {
        let (jobs, received) = mpsc::channel::<Job<S>>();
        let progress = Arc::clone(replies);
        let tell = Box::new(move |id, progressed| {
            progress(
                Reply {
                    id,
                    event: Event::Progress(progressed),
                },
                Context::plain(),
            )
        });
        let guard = Arc::new(EngineGuard::on_disk(Arc::new(Timer::default()), tell, disk));
        let (watched, replies) = (Arc::clone(&guard), Arc::clone(replies));
        let work = move || {
            // The state is made on its thread, because it need not be able to move between threads.
            let mut owned = make(&watched);
            let mut has_panicked = false;
            while let Some(Job { id, act }) = receive(&received, awake) {
                // Later jobs still arrive and are answered below, since their senders wait for an
                // answer.
                if !has_panicked {
                    let act = AssertUnwindSafe(|| act(&mut owned, &watched));
                    has_panicked = catch_unwind(act).is_err();
                }
                if let Some(id) = id.filter(|_| has_panicked) {
                    panicked()
                        .into_iter()
                        .for_each(|event| replies(Reply { id, event }, &watched.context()));
                }
            }
        };
        let thread = Builder::new()
            .name(name.to_owned())
            .stack_size(STACK)
            .spawn(work)?;
        Ok(Self {
            jobs: Some(jobs),
            guard,
            thread: Some(thread),
        })
    }

    /// Sends a job, for a request or none.
    pub fn send(&self, id: Option<Id>, act: impl FnOnce(&mut S, &EngineGuard) + Send + 'static) {
        if let Some(jobs) = &self.jobs {
            // If the worker has gone, there is no receiver.
            let _ = jobs.send(Job {
                id,
                act: Box::new(act),
            });
        }
    }
}

impl<S> Drop for Worker<S> {
    fn drop(&mut self) {
        // Without a sender the loop of the thread ends after the jobs that are queued.
        self.jobs = None;
        self.guard.close();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already been reported.
            let _ = thread.join();
        }
    }
}

/// Returns the events of a request that a panic has ended, and of all requests after it: the
/// worker's state may be inconsistent.
fn panicked() -> [Event; 2] {
    let why = Diagnostic::new(
        Code::Internal,
        "the program has failed, and this session with it",
    )
    .help("start another session; standard error says what went wrong; please report it");
    let finding = Finding::of(&Documents::alone(), &SourceMap::default(), &why);
    let summary = Summary {
        errors: 1,
        contradicted: true,
        ..Summary::default()
    };
    [Event::Finding(finding), Event::Done(summary)]
}
