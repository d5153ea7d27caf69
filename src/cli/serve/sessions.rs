//! The engines of the tabs. The events of an engine are numbered and kept until the page has
//! confirmed them, so that a broken connection loses none.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use bid::engine::wire::{self, WireOrder};
use bid::engine::{Engine, Event};
use bid_language::files::Files;
use bid_language::parallel::lock;
use bid_language::watch::Settings;
use tokio::sync::watch;

use super::folder::ServedFiles;

/// The most tabs with engines at a time.
const MOST_SESSIONS: usize = 16;

/// The time after which an idle engine of an absent tab is ended.
const PATIENCE: Duration = Duration::from_secs(600);

/// The most bytes that are kept for a page that has not confirmed them.
const MOST_KEPT: usize = 64 << 20;

/// The engines, each under the name that its tab has drawn.
pub struct Sessions {
    settings: Settings,
    open: Mutex<HashMap<String, Arc<TabSession>>>,
}

/// The engine of a tab.
pub struct TabSession {
    engine: Engine,
    log: Arc<Log>,
}

/// The events of an engine.
pub struct Log {
    kept: Mutex<KeptEvents>,
    /// The number of the last event.
    news: watch::Sender<u64>,
}

struct KeptEvents {
    /// The number of the first event that is kept.
    first: u64,
    events: VecDeque<Arc<str>>,
    bytes: usize,
    listeners: usize,
    /// The number of requests that have not been answered.
    running: usize,
    /// The time of the tab's last message, if it is not listening.
    left: Instant,
}

impl Sessions {
    /// Creates the sessions without engines; the settings limit each engine.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            open: Mutex::default(),
        }
    }

    /// Returns the engine of a tab.
    pub fn find(&self, name: &str) -> Option<Arc<TabSession>> {
        lock(&self.open).get(name).cloned()
    }

    /// Returns the engine of a tab, a new one if it has none.
    ///
    /// # Errors
    /// Returns an error if there are too many.
    pub fn start(&self, name: &str, root: &Path) -> io::Result<Arc<TabSession>> {
        let mut open = lock(&self.open);
        if let Some(found) = open.get(name) {
            return Ok(Arc::clone(found));
        }
        // Only a new session needs room, so this is the time to clear away old ones.
        self.tidy(&mut open);
        if open.len() >= MOST_SESSIONS {
            return Err(io::Error::other(format!(
                "{MOST_SESSIONS} tabs are open already: close one of them"
            )));
        }
        let session = Arc::new(TabSession::start(self.settings, root)?);
        open.insert(name.to_owned(), Arc::clone(&session));
        Ok(session)
    }

    /// Ends the engine of a tab.
    pub fn close(&self, name: &str) {
        if let Some(session) = lock(&self.open).remove(name) {
            end(session);
        }
    }

    /// Ends idle engines whose tabs have been away for long. If there are still too many, the
    /// engine of the tab that has been away for longest is ended, idle ones first.
    fn tidy(&self, open: &mut HashMap<String, Arc<TabSession>>) {
        let away = |session: &TabSession| {
            let kept = session.log.kept();
            (kept.listeners == 0).then(|| (kept.running == 0, kept.left.elapsed()))
        };
        let mut gone: Vec<String> = open
            .iter()
            .filter(|(_, session)| {
                away(session).is_some_and(|(is_idle, time)| is_idle && time > PATIENCE)
            })
            .map(|(name, _)| name.clone())
            .collect();
        if gone.is_empty() && open.len() >= MOST_SESSIONS {
            let longest = open
                .iter()
                .filter_map(|(name, session)| Some((away(session)?, name)))
                // The order puts idle engines last, and among equals the longest absence.
                .max();
            gone.extend(longest.map(|(_, name)| name.clone()));
        }
        for name in gone {
            open.remove(&name).into_iter().for_each(end);
        }
    }
}

/// Ends an engine, which may take a moment.
fn end(session: Arc<TabSession>) {
    // If there is no thread left, it ends at once.
    let _ = thread::Builder::new()
        .name("closing".to_owned())
        .spawn(move || drop(session));
}

impl TabSession {
    fn start(settings: Settings, root: &Path) -> io::Result<Self> {
        let left = Instant::now();
        let kept = KeptEvents {
            first: 1,
            events: VecDeque::new(),
            bytes: 0,
            listeners: 0,
            running: 0,
            left,
        };
        let log = Arc::new(Log {
            kept: Mutex::new(kept),
            news: watch::Sender::new(0),
        });
        let (told, root) = (Arc::clone(&log), root.to_path_buf());
        let files = move || -> Rc<dyn Files> { Rc::new(ServedFiles::new(root.clone())) };
        let engine = Engine::start_for_worksheet(files, move |reply, context| {
            // A value whose writing is stopped is not sent; the session reports the stop.
            if let Ok(Some(text)) = wire::write(&reply, context) {
                told.push(text);
            }
            if matches!(reply.event, Event::Done(_)) {
                told.kept().running -= 1;
            }
        })?;
        engine.set(settings);
        Ok(Self { engine, log })
    }

    /// Carries out an order.
    pub fn obey(&self, order: WireOrder) {
        match order {
            WireOrder::Change(change) => self.engine.change(change),
            WireOrder::Ask(id, question) => {
                let log = Arc::clone(&self.log);
                self.ask(|engine| {
                    let path = question.path().cloned();
                    engine.ask(id, path.as_ref(), move |desk, guard| {
                        wire::ask(desk, guard, id, &question, &mut |text| log.push(text));
                        log.kept().running -= 1;
                    })
                });
            }
            WireOrder::Request(id, request) => self.ask(|engine| engine.request_as(id, request)),
            WireOrder::Beside(id, request) => self.ask(|engine| engine.request_beside(id, request)),
            WireOrder::Stop(id) => self.engine.stop(id),
        }
    }

    /// Asks a question, which may be refused. It is counted before it can be answered.
    fn ask(&self, ask: impl FnOnce(&Engine) -> bool) {
        self.log.kept().running += 1;
        if !ask(&self.engine) {
            self.log.kept().running -= 1;
        }
    }

    /// Returns the events of the engine.
    pub fn log(&self) -> &Arc<Log> {
        &self.log
    }
}

impl Log {
    fn kept(&self) -> MutexGuard<'_, KeptEvents> {
        lock(&self.kept)
    }

    fn push(&self, text: String) {
        let mut kept = self.kept();
        kept.bytes += text.len();
        kept.events.push_back(text.into());
        // The newest event stays, however long it is, since the page waits for it.
        while kept.bytes > MOST_KEPT && kept.events.len() > 1 {
            kept.drop_first();
        }
        let last = kept.first + kept.events.len() as u64 - 1;
        // The lock is released before listeners are woken, since they take it at once.
        drop(kept);
        self.news.send_replace(last);
    }

    /// Records that the page is present, and has received the events up to `number`, which are
    /// dropped.
    pub fn seen(&self, number: u64) {
        let mut kept = self.kept();
        kept.left = Instant::now();
        while kept.first <= number && !kept.events.is_empty() {
            kept.drop_first();
        }
    }

    /// Returns the first kept event after an event, with its number; the events between them are
    /// lost.
    pub fn after(&self, number: u64) -> Option<(u64, Arc<str>)> {
        let kept = self.kept();
        let next = kept.first.max(number.saturating_add(1));
        let event = kept.events.get(usize::try_from(next - kept.first).ok()?)?;
        Some((next, Arc::clone(event)))
    }

    /// Returns a receiver of the last event's number.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// Registers a listener, until the result is dropped.
    pub fn listen(self: &Arc<Self>) -> Listening {
        self.kept().listeners += 1;
        Listening(Arc::clone(self))
    }
}

/// A registered listener of an engine.
pub struct Listening(Arc<Log>);

impl Drop for Listening {
    fn drop(&mut self) {
        let mut kept = self.0.kept();
        kept.listeners -= 1;
        kept.left = Instant::now();
    }
}

impl KeptEvents {
    fn drop_first(&mut self) {
        if let Some(event) = self.events.pop_front() {
            self.bytes -= event.len();
            self.first += 1;
        }
    }
}
