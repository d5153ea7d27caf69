//! The threads of an engine.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::core::{Core, Done};
use super::desk::Desk;
use super::guard::{EngineGuard, WorkDisk};
use super::message::{Event, FileChange, Id, Reply, Request};
use super::wait::AWAKE;
use super::worker::Worker;
use crate::eval::Dialogue;
use crate::files::Files;
use crate::parallel::lock;
use crate::session::{EventSink, Session};
use crate::watch::{Context, Settings};

/// The stack of a thread that interprets. It takes address space, and memory only where deep
/// recursion uses it.
pub const STACK: usize = 1 << 30;

/// The time to wait for an answer between two checks for a stop.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// The receiver of an engine's replies, from any thread.
pub(super) type Replies = Arc<dyn Fn(Reply, &Context<'_>) + Send + Sync>;

/// An engine on threads of its own. Its work is stopped when it is dropped.
pub struct Engine {
    /// The thread that runs texts.
    bench: Worker<Core>,
    /// The additional threads of a worksheet.
    beside: Option<Beside>,
    replies: Replies,
    last: Mutex<Id>,
    answers: Sender<(Id, Option<String>)>,
}

/// The threads that a worksheet has beside the bench.
struct Beside {
    /// The thread that answers questions about texts.
    desk: Worker<Desk>,
    /// A thread that runs texts while the bench runs others.
    spare: Worker<Core>,
    /// The questions that have not been answered, with the documents that they concern.
    open: Arc<Mutex<Vec<(Id, PathBuf)>>>,
}

impl Engine {
    /// Starts an engine on files. Its replies go to `replies`, from any thread, with the context of
    /// the request that they answer. A receiver that does long work on a reply should check that
    /// context.
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn start(
        files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static,
        replies: impl Fn(Reply, &Context<'_>) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::start_on_disk(files, replies, None)
    }

    /// Starts an engine as [`Engine::start`] does, whose work is kept on a disk if there is one.
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn start_on_disk(
        files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static,
        replies: impl Fn(Reply, &Context<'_>) + Send + Sync + 'static,
        disk: WorkDisk,
    ) -> io::Result<Self> {
        Self::with(Arc::new(files), Arc::new(replies), None, disk)
    }

    /// Starts an engine for a worksheet: it has a desk ([`Engine::ask`]), and two parts of a
    /// document can run at the same time ([`Engine::request_beside`]).
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn start_for_worksheet(
        files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static,
        replies: impl Fn(Reply, &Context<'_>) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (files, replies): (_, Replies) = (Arc::new(files), Arc::new(replies));
        let (of_desk, of_spare) = (Arc::clone(&files), Arc::clone(&files));
        let desk = move |_: &Arc<EngineGuard>| Desk::new(of_desk());
        let spare = move |guard: &Arc<EngineGuard>| Core::new(of_spare(), Arc::clone(guard));
        let beside = Beside {
            // A page waits for a network anyway, so that its threads do not stay awake.
            desk: Worker::start("desk", Duration::ZERO, &replies, None, desk)?,
            spare: Worker::start("spare bench", Duration::ZERO, &replies, None, spare)?,
            open: Arc::default(),
        };
        Self::with(files, replies, Some(beside), None)
    }

    fn with(
        files: Arc<impl Fn() -> Rc<dyn Files> + Send + Sync + 'static>,
        replies: Replies,
        beside: Option<Beside>,
        disk: WorkDisk,
    ) -> io::Result<Self> {
        let (answers, given) = mpsc::channel();
        let said = Arc::clone(&replies);
        let make = move |guard: &Arc<EngineGuard>| {
            let mut core = Core::new(files(), Arc::clone(guard));
            let (given, guard) = (Rc::new(given), Arc::clone(guard));
            core.set_invite(Box::new(move |id| {
                Box::new(Conversation {
                    id,
                    replies: Arc::clone(&said),
                    guard: Arc::clone(&guard),
                    answers: Rc::clone(&given),
                })
            }));
            core
        };
        Ok(Self {
            bench: Worker::start("bench", AWAKE, &replies, disk, make)?,
            beside,
            replies,
            last: Mutex::new(0),
            answers,
        })
    }

    /// Records that a document or a file has changed. Questions about its earlier text are stopped.
    pub fn change(&self, change: FileChange) {
        if let Some(Beside { desk, spare, open }) = &self.beside {
            let open = lock(open);
            for (id, _) in open.iter().filter(|(_, path)| path == change.path()) {
                // Its answer would be about a text that the page no longer has.
                desk.guard.stop(*id);
            }
            let (for_desk, for_spare) = (change.clone(), change.clone());
            desk.send(None, move |desk, _| desk.change(&for_desk));
            spare.send(None, move |core, _| core.change(&for_spare));
        }
        self.bench.send(None, move |core, _| core.change(&change));
    }

    /// Sends a request; returns the number that its replies carry.
    pub fn request(&self, request: Request) -> Id {
        let mut last = lock(&self.last);
        *last += 1;
        // The lock is held while the job is sent, so that requests arrive in the order of their
        // numbers.
        self.run(&self.bench, *last, request);
        *last
    }

    /// Sends a request under a number of the caller's; returns `false`, and does nothing, if the
    /// number is not greater than those before.
    pub fn request_as(&self, id: Id, request: Request) -> bool {
        self.is_next(id, || self.run(&self.bench, id, request))
    }

    /// Sends a request under a number as in [`Engine::request_as`], to be answered while the bench
    /// works on another one, if the engine was started for that. The solutions of the bench are not
    /// available there. Returns `false` as [`Engine::request_as`] does.
    pub fn request_beside(&self, id: Id, request: Request) -> bool {
        let spare = self.beside.as_ref().map(|beside| &beside.spare);
        self.is_next(id, || self.run(spare.unwrap_or(&self.bench), id, request))
    }

    /// Asks the desk a question about a document; the number is as in [`Engine::request_as`].
    /// Returns `false`, and does nothing, if the engine was started without a desk or the number is
    /// not greater than those before.
    pub fn ask(
        &self,
        id: Id,
        path: Option<&PathBuf>,
        question: impl FnOnce(&mut Desk, &EngineGuard) + Send + 'static,
    ) -> bool {
        let Some(Beside { desk, open, .. }) = &self.beside else {
            return false;
        };
        self.is_next(id, || {
            // The question is listed before it is sent, so that a change cannot miss it.
            lock(open).extend(path.map(|path| (id, path.clone())));
            let open = Arc::clone(open);
            desk.send(Some(id), move |desk, guard| {
                question(desk, guard);
                lock(&open).retain(|(open, _)| *open != id);
            });
        })
    }

    /// Runs `act` on the session at the prompt, under settings of its own if they are given.
    /// Returns the number that the replies with its events carry.
    pub fn at_prompt(
        &self,
        settings: Option<Settings>,
        act: impl FnOnce(&mut Session, &mut EventSink<'_>) -> Done + Send + 'static,
    ) -> Id {
        let mut last = lock(&self.last);
        *last += 1;
        let (id, replies) = (*last, Arc::clone(&self.replies));
        if let Some(settings) = settings {
            self.bench.guard.set_for(id, settings);
        }
        self.bench.send(Some(id), move |core, guard| {
            core.at_prompt(id, act, &mut |reply| replies(reply, &guard.context()));
        });
        id
    }

    fn run(&self, worker: &Worker<Core>, id: Id, request: Request) {
        let replies = Arc::clone(&self.replies);
        worker.send(Some(id), move |core, guard| {
            core.answer(id, request, &mut |reply| replies(reply, &guard.context()));
        });
    }

    /// Calls `send` if the number is greater than those before; returns `true` if it is.
    fn is_next(&self, id: Id, send: impl FnOnce()) -> bool {
        let mut last = lock(&self.last);
        let is_next = id > *last;
        if is_next {
            *last = id;
            send();
        }
        is_next
    }

    fn watches(&self) -> impl Iterator<Item = &EngineGuard> {
        let beside = self.beside.iter();
        let beside = beside.flat_map(|beside| [&*beside.desk.guard, &*beside.spare.guard]);
        beside.chain([&*self.bench.guard])
    }

    /// Answers a question that was asked while a request is answered; `None` ends the conversation.
    pub fn answer(&self, id: Id, answer: Option<String>) {
        // If the engine has gone, there is no receiver.
        let _ = self.answers.send((id, answer));
    }

    /// Stops a request, whether it is being answered or has not begun.
    pub fn stop(&self, id: Id) {
        self.watches().for_each(|guard| guard.stop(id));
    }

    /// Sets the limits of each request from the next one on.
    pub fn set(&self, settings: Settings) {
        self.watches().for_each(|guard| guard.set(settings));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // All of them are stopped before the first is waited for.
        self.watches().for_each(EngineGuard::close);
    }
}

/// A partner who is asked for moves by events, and answers by [`Engine::answer`].
struct Conversation {
    id: Id,
    replies: Replies,
    guard: Arc<EngineGuard>,
    answers: Rc<Receiver<(Id, Option<String>)>>,
}

impl Conversation {
    fn tell(&self, event: Event) {
        (self.replies)(Reply { id: self.id, event }, &self.guard.context());
    }
}

impl Dialogue for Conversation {
    fn say(&mut self, text: &str) {
        self.tell(Event::Said(text.to_owned()));
    }

    fn ask(&mut self, question: &str) -> Option<String> {
        self.tell(Event::Asked(question.to_owned()));
        // The wait is cut into pieces, because a stop does not wake a receiver.
        while self.guard.context().check().is_ok() {
            match self.answers.recv_timeout(ASK_EVERY) {
                Ok((id, answer)) if id == self.id => return answer,
                // The answer was for a conversation that is over.
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }

    /// Returns a random number from the keys that the standard library draws for its hash maps.
    fn chance(&mut self) -> u64 {
        RandomState::new().build_hasher().finish()
    }
}
