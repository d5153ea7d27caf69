//! Tracks the messages that the editor has sent and the server has not handled yet. A change makes
//! the current question stale, and a question may be cancelled.

use std::collections::HashSet;
use std::sync::Mutex;

use bid_language::parallel::lock;
use bid_language::watch::{Context, Guard};
use lsp_server::{Message, Notification, RequestId};
use serde_json::Value;

use super::protocol::{
    self, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    Notification as _,
};

/// Guards the answers to the editor's questions. The thread that reads its messages updates it.
#[derive(Default)]
pub struct Arrivals {
    state: Mutex<ArrivalState>,
    /// Stops the current work.
    guard: Guard,
}

#[derive(Default)]
struct ArrivalState {
    /// The number of changes that have arrived and have not been handled.
    changes: usize,
    /// The questions that have been cancelled.
    cancelled: HashSet<RequestId>,
    /// The question that is being answered.
    current: Option<RequestId>,
    /// `true` if the editor has gone.
    is_closed: bool,
}

impl Arrivals {
    /// Records that a message has arrived.
    pub fn arrived(&self, message: &Message) {
        if let Message::Notification(told) = message {
            self.update(|state| match &*told.method {
                protocol::Exit::METHOD => state.is_closed = true,
                protocol::Cancel::METHOD => state.cancelled.extend(cancelled(&told.params)),
                _ if is_change(told) => state.changes += 1,
                _ => {}
            });
        }
    }

    /// Records that no more messages will arrive.
    pub fn close(&self) {
        self.update(|state| state.is_closed = true);
    }

    /// Records that the server handles a notification.
    pub fn taken_in(&self, told: &Notification) {
        self.update(|state| {
            if let Some(id) = cancelled(&told.params).filter(|_| is_cancel(told)) {
                // An editor may use the number again, and the new question is not cancelled.
                state.cancelled.remove(&id);
            } else if is_change(told) {
                state.changes -= 1;
            }
        });
    }

    /// Records that the server begins to answer a question.
    pub fn begin(&self, id: &RequestId) {
        self.update(|state| state.current = Some(id.clone()));
    }

    /// Records the end of the question; returns `true` if it was cancelled.
    pub fn end(&self) -> bool {
        let mut is_cancelled = false;
        self.update(|state| {
            let question = state.current.take();
            is_cancelled = question.is_some_and(|id| state.cancelled.contains(&id));
        });
        is_cancelled
    }

    fn update(&self, change: impl FnOnce(&mut ArrivalState)) {
        let mut state = lock(&self.state);
        change(&mut state);
        let is_cancelled = state
            .current
            .as_ref()
            .is_some_and(|id| state.cancelled.contains(id));
        // The guard is set anew each time, because a stop must not outlive its reason.
        if state.is_closed || state.changes > 0 || is_cancelled {
            self.guard.interrupt();
        } else {
            self.guard.begin();
        }
    }

    /// Returns the context of an answer.
    pub fn context(&self) -> Context<'_> {
        self.guard.context()
    }
}

fn is_cancel(told: &Notification) -> bool {
    told.method == protocol::Cancel::METHOD
}

fn is_change(told: &Notification) -> bool {
    let changes = [
        DidOpenTextDocument::METHOD,
        DidChangeTextDocument::METHOD,
        DidCloseTextDocument::METHOD,
        DidChangeWatchedFiles::METHOD,
    ];
    changes.contains(&&*told.method)
}

/// Returns the question that `$/cancelRequest` names.
pub fn cancelled(params: &Value) -> Option<RequestId> {
    match &params["id"] {
        Value::Number(number) => number
            .as_i64()
            .and_then(|id| i32::try_from(id).ok())
            .map(RequestId::from),
        Value::String(id) => Some(RequestId::from(id.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use bid_language::watch::Stop;
    use serde_json::json;

    use super::*;

    fn told(method: &str, params: Value) -> Message {
        Notification::new(method.to_owned(), params).into()
    }

    fn taken_in(arrivals: &Arrivals, message: Message) {
        if let Message::Notification(told) = message {
            arrivals.taken_in(&told);
        }
    }

    #[test]
    fn a_change_stops_questions_until_it_is_taken_in() {
        let arrivals = Arrivals::default();
        let changed = || told(DidChangeTextDocument::METHOD, Value::Null);
        arrivals.arrived(&told("initialized", Value::Null));
        assert_eq!(arrivals.guard.check(), Ok(()));
        arrivals.arrived(&changed());
        arrivals.arrived(&changed());
        taken_in(&arrivals, changed());
        assert_eq!(arrivals.guard.check(), Err(Stop::Interrupted));
        taken_in(&arrivals, changed());
        assert_eq!(arrivals.guard.check(), Ok(()));
        arrivals.close();
        assert_eq!(arrivals.guard.check(), Err(Stop::Interrupted));
    }

    #[test]
    fn only_the_question_that_was_meant_is_cancelled() {
        let arrivals = Arrivals::default();
        let cancel = || told(protocol::Cancel::METHOD, json!({ "id": 2 }));
        arrivals.begin(&RequestId::from(1));
        arrivals.arrived(&cancel());
        assert_eq!(arrivals.guard.check(), Ok(()));
        assert!(!arrivals.end());
        arrivals.begin(&RequestId::from(2));
        assert_eq!(arrivals.guard.check(), Err(Stop::Interrupted));
        assert!(arrivals.end());
        taken_in(&arrivals, cancel());
        arrivals.begin(&RequestId::from(2));
        assert_eq!(arrivals.guard.check(), Ok(()), "numbers may be used again");
    }
}
