//! The threads of an engine.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::core::Core;
use super::message::{Change, Event, Finding, Id, Message, Reply, Request};
use super::wait::{AWAKE, receive};
use super::watch::EngineWatch;
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::Dialogue;
use crate::files::Files;
use crate::render;
use crate::session::Summary;
use crate::source::SourceMap;
use crate::watch::{Context, Settings, Timer};

/// The stack of a thread that interprets: address space, not memory, until deep recursion uses it.
pub const STACK: usize = 1 << 30;

/// How long to wait for an answer until the next check.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// Takes what comes out of an engine, from any thread.
type Replies = Arc<dyn Fn(Reply, &Context<'_>) + Send + Sync>;

/// A thread that takes messages.
struct Worker {
    messages: Option<Sender<Message>>,
    context: Arc<EngineWatch>,
    thread: Option<JoinHandle<()>>,
}

/// How many documents can be run at a time.
enum Benches {
    One,
    Two,
}

/// What is in order of sending.
struct Sent {
    last: Id,
    /// Questions about documents that have not been answered.
    open: Vec<(Id, PathBuf)>,
}

/// An engine on threads of its own. When it is dropped, what it does is stopped.
pub struct Engine {
    /// Answers questions about texts.
    desk: Worker,
    /// Runs them.
    bench: Worker,
    /// Runs them too, beside what the bench does, where the front end wants that.
    spare: Option<Worker>,
    sent: Arc<Mutex<Sent>>,
    answers: Sender<(Id, Option<String>)>,
}

impl Engine {
    /// Starts an engine on files; what comes out of it goes to `replies`, from any thread, with the
    /// context of the request that it answers: who makes much of a reply asks it whether to go on.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn start(
        files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static,
        replies: impl Fn(Reply, &Context<'_>) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::with_benches(files, replies, Benches::One)
    }

    /// Starts an engine for a worksheet: two of its cells can run at a time
    /// ([`Engine::request_beside`]).
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn start_for_worksheet(
        files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static,
        replies: impl Fn(Reply, &Context<'_>) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::with_benches(files, replies, Benches::Two)
    }

    fn with_benches(
        files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static,
        replies: impl Fn(Reply, &Context<'_>) + Send + Sync + 'static,
        benches: Benches,
    ) -> io::Result<Self> {
        let sent = Arc::new(Mutex::new(Sent {
            last: 0,
            open: Vec::new(),
        }));
        let answered = Arc::clone(&sent);
        let replies: Replies = Arc::new(move |reply: Reply, context: &Context<'_>| {
            if matches!(reply.event, Event::Done(_)) {
                lock(&answered).open.retain(|(id, _)| *id != reply.id);
            }
            replies(reply, context);
        });
        let files = Arc::new(files);
        let (answers, given) = mpsc::channel();
        let desk = Worker::start(
            "desk",
            Arc::clone(&files),
            Arc::clone(&replies),
            None,
            Duration::ZERO,
        )?;
        let spare = match benches {
            Benches::One => None,
            Benches::Two => Some(Worker::start(
                "spare bench",
                Arc::clone(&files),
                Arc::clone(&replies),
                None,
                Duration::ZERO,
            )?),
        };
        let bench = Worker::start("bench", files, replies, Some(given), AWAKE)?;
        Ok(Self {
            desk,
            bench,
            spare,
            sent,
            answers,
        })
    }

    /// Says that a document or a file is another one now. Questions about the one before are
    /// stopped.
    pub fn change(&self, change: Change) {
        let sent = lock(&self.sent);
        for (id, _) in sent.open.iter().filter(|(_, path)| path == change.path()) {
            self.desk.context.stop(*id);
        }
        for worker in self.workers() {
            worker.send(Message::Change(change.clone()));
        }
    }

    /// Asks something; the replies bear the number that comes back.
    pub fn request(&self, request: Request) -> Id {
        self.request_within(None, request)
    }

    /// The same, where so much may be done for this one request.
    pub fn request_within(&self, settings: Option<Settings>, request: Request) -> Id {
        let mut sent = lock(&self.sent);
        let id = sent.last + 1;
        self.ask(&mut sent, id, settings, request);
        id
    }

    /// Asks something under a number of the caller's; false, and nothing is asked, if that is not
    /// greater than those before.
    pub fn request_as(&self, id: Id, request: Request) -> bool {
        let mut sent = lock(&self.sent);
        let is_next = id > sent.last;
        if is_next {
            self.ask(&mut sent, id, None, request);
        }
        is_next
    }

    /// The same, where a request that runs a part of a document is answered while another one runs,
    /// if the engine was started for that. What the other one has solved is not known there.
    pub fn request_beside(&self, id: Id, request: Request) -> bool {
        let runs_document = matches!(
            request,
            Request::Run(..) | Request::Play(..) | Request::Enter(Some(_), _)
        );
        let Some(spare) = self.spare.as_ref().filter(|_| runs_document) else {
            return self.request_as(id, request);
        };
        let mut sent = lock(&self.sent);
        let is_next = id > sent.last;
        if is_next {
            sent.last = id;
            spare.send(Message::Request(id, request));
        }
        is_next
    }

    fn workers(&self) -> impl Iterator<Item = &Worker> {
        [&self.desk, &self.bench].into_iter().chain(&self.spare)
    }

    fn ask(&self, sent: &mut Sent, id: Id, settings: Option<Settings>, request: Request) {
        sent.last = id;
        let worker = match &request {
            Request::Ask(path, _) => {
                sent.open.push((id, path.clone()));
                &self.desk
            }
            Request::Explain(_) | Request::Library => &self.desk,
            Request::Run(..) | Request::Play(..) | Request::Enter(..) | Request::Prompt(_) => {
                &self.bench
            }
        };
        if let Some(settings) = settings {
            worker.context.set_for(id, settings);
        }
        worker.send(Message::Request(id, request));
    }

    /// Answers what somebody is asked while a request is answered; `None` ends the conversation.
    pub fn answer(&self, id: Id, answer: Option<String>) {
        // Nobody waits for it if the engine has gone.
        let _ = self.answers.send((id, answer));
    }

    /// Stops a request, whether it is being answered or has not begun.
    pub fn stop(&self, id: Id) {
        for worker in self.workers() {
            worker.context.stop(id);
        }
    }

    /// From the next request on so much may be done.
    pub fn set(&self, settings: Settings) {
        for worker in self.workers() {
            worker.context.set(settings);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let mut workers: Vec<&mut Worker> = [&mut self.desk, &mut self.bench]
            .into_iter()
            .chain(&mut self.spare)
            .collect();
        for worker in &mut workers {
            worker.messages = None;
            worker.context.close();
        }
        for thread in workers
            .into_iter()
            .filter_map(|worker| worker.thread.take())
        {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

impl Worker {
    /// Starts a thread that takes messages; after each it looks so long for the next one before it
    /// sleeps.
    fn start(
        name: &str,
        files: Arc<impl Fn() -> Rc<dyn Files> + Send + Sync + 'static>,
        replies: Replies,
        answers: Option<Receiver<(Id, Option<String>)>>,
        awake: Duration,
    ) -> io::Result<Self> {
        let (messages, received) = mpsc::channel();
        let progress = Arc::clone(&replies);
        let tell = Box::new(move |id, progressed| {
            progress(
                Reply {
                    id,
                    event: Event::Progress(progressed),
                },
                Context::plain(),
            )
        });
        let context = Arc::new(EngineWatch::new(Arc::new(Timer::default()), tell));
        let watched = Arc::clone(&context);
        let work = move || {
            let mut core = Core::new(files(), Arc::clone(&watched));
            if let Some(answers) = answers {
                let answers = Rc::new(answers);
                let replies = Arc::clone(&replies);
                let context = Arc::clone(&watched);
                core.set_invite(Box::new(move |id| {
                    let (replies, context) = (Arc::clone(&replies), Arc::clone(&context));
                    Box::new(Conversation {
                        id,
                        replies,
                        context,
                        answers: Rc::clone(&answers),
                    })
                }));
            }
            let mut has_panicked = false;
            while let Some(message) = receive(&received, awake) {
                let id = match &message {
                    Message::Request(id, _) => Some(*id),
                    Message::Change(_) => None,
                };
                if !has_panicked {
                    let handle = AssertUnwindSafe(|| {
                        core.handle(message, &mut |reply| replies(reply, &watched.context()))
                    });
                    has_panicked = catch_unwind(handle).is_err();
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
            messages: Some(messages),
            context,
            thread: Some(thread),
        })
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // A worker that panicked takes no more.
            let _ = messages.send(message);
        }
    }
}

/// What is said of a request that a panic has ended, and of all that come after it: what the
/// session holds may be half done.
fn panicked() -> [Event; 2] {
    let why = Diagnostic::new(
        Code::Internal,
        "the program has failed, and this session with it",
    )
    .help("start another session; what went wrong stands on standard error, and is worth a report");
    let sources = SourceMap::default();
    let finding = Finding {
        code: why.code,
        severity: why.severity(),
        message: why.message.clone(),
        places: Vec::new(),
        notes: Vec::new(),
        help: why.help.clone(),
        mendings: Vec::new(),
        drawn: render::diagnostic(&sources, &why, false),
    };
    let summary = Summary {
        errors: 1,
        contradicted: true,
        ..Summary::default()
    };
    [Event::Finding(finding), Event::Done(summary)]
}

/// Somebody who is asked for moves by events, and answers by [`Engine::answer`].
struct Conversation {
    id: Id,
    replies: Replies,
    context: Arc<EngineWatch>,
    answers: Rc<Receiver<(Id, Option<String>)>>,
}

impl Conversation {
    fn tell(&self, event: Event) {
        (self.replies)(Reply { id: self.id, event }, &self.context.context());
    }
}

impl Dialogue for Conversation {
    fn say(&mut self, text: &str) {
        self.tell(Event::Said(text.to_owned()));
    }

    fn ask(&mut self, question: &str) -> Option<String> {
        self.tell(Event::Asked(question.to_owned()));
        while self.context.context().check().is_ok() {
            match self.answers.recv_timeout(ASK_EVERY) {
                Ok((id, answer)) if id == self.id => return answer,
                // It was for a conversation that is over.
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }

    /// From the keys that the standard library draws for its hash maps.
    fn chance(&mut self) -> u64 {
        RandomState::new().build_hasher().finish()
    }
}

fn lock(sent: &Mutex<Sent>) -> MutexGuard<'_, Sent> {
    sent.lock().unwrap_or_else(PoisonError::into_inner)
}
