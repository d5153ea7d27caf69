//! The engine for a page in a browser: a C ABI with JSON.
//!
//! The page writes orders ([`bid::engine::wire`]) to the place that [`input`] returns, calls
//! [`handle`], and receives replies during that call. There is one thread, so a request can be
//! stopped only by terminating the worker in which this runs.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bid::engine::wire::{self, WireOrder};
use bid::engine::{Core, EngineGuard, Event, Progress, Reply};
use bid_language::files::Library;
use bid_language::watch::{Context, Machine};

/// The functions that the page provides.
mod page {
    unsafe extern "C" {
        /// Receives a reply of this many bytes.
        pub fn reply(start: *const u8, length: usize);
        /// Returns the milliseconds since a fixed moment.
        pub safe fn now() -> f64;
    }
}

/// The machine that the page runs on.
struct PageMachine;

impl Machine for PageMachine {
    fn now(&self) -> Duration {
        Duration::from_secs_f64(page::now().max(0.0) / 1000.0)
    }
}

/// The engine, with its guard.
struct EngineWorker {
    core: Core,
    guard: Arc<EngineGuard>,
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static WORKER: RefCell<EngineWorker> = RefCell::new(EngineWorker::new());
}

impl EngineWorker {
    fn new() -> Self {
        std::panic::set_hook(Box::new(|panic| {
            let what = panic.payload_as_str().unwrap_or("no message");
            let place = panic
                .location()
                .map_or_else(String::new, |place| format!(" at {place}"));
            send(&format!(
                "{{\"id\":0,\"event\":\"broken\",\"text\":{:?}}}",
                format!("{what}{place}")
            ));
        }));
        let tell = Box::new(|id, progress: Progress| {
            tell(
                &Reply {
                    id,
                    event: Event::Progress(progress),
                },
                None,
            )
        });
        let guard = Arc::new(EngineGuard::new(Arc::new(PageMachine), tell));
        Self {
            core: Core::new(Rc::new(Library), Arc::clone(&guard)),
            guard,
        }
    }

    fn obey(&mut self, order: WireOrder) {
        let Self { core, guard } = self;
        let mut replies = |reply: Reply| tell(&reply, Some(guard));
        match order {
            WireOrder::Change(change) => core.change(&change),
            WireOrder::Ask(id, question) => {
                wire::ask(core.desk(), guard, id, &question, &mut |text| send(&text));
            }
            // There is one thread, so requests to be answered beside another are answered here in
            // turn. The page has another worker for them.
            WireOrder::Request(id, request) | WireOrder::Beside(id, request) => {
                core.answer(id, request, &mut replies);
            }
            WireOrder::Stop(id) => guard.stop(id),
        }
    }
}

/// Sends a reply, unless writing it is stopped.
fn tell(reply: &Reply, guard: Option<&EngineGuard>) {
    let written = match guard {
        Some(guard) => wire::write(reply, &guard.context()),
        None => wire::write(reply, Context::plain()),
    };
    if let Ok(Some(text)) = written {
        send(&text);
    }
}

fn send(text: &str) {
    // SAFETY: the page copies the bytes before it returns, and the text lives until then.
    unsafe { page::reply(text.as_ptr(), text.len()) }
}

/// Returns the place to which the page writes this many bytes of orders before it calls [`handle`].
// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Executes the orders that have been written. Returns 1 if they cannot be read, else 0.
// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn handle() -> u32 {
    let text = String::from_utf8(INPUT.take()).unwrap_or_default();
    let Ok(orders) = wire::orders(&text) else {
        return 1;
    };
    WORKER.with_borrow_mut(|worker| orders.into_iter().for_each(|order| worker.obey(order)));
    0
}
