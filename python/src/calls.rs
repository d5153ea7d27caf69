//! Calls of a session, and the reports of their events.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use bid::engine::wait::{AWAKE, receive_within};
use bid::engine::{Event, Finding, Id, Phase};
use bid::session::{EventSink, Session, Summary};
use bid_language::diagnostic::{Diagnostic, Severity};
use bid_language::watch::Settings;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::live::{Live, lock};
use crate::take::Taking;

/// The time to wait for an answer before Python is asked for signals.
const ASK_EVERY: Duration = Duration::from_millis(10);

/// The report of a call: events, its result if it has one and there are no errors, and the counts
/// of errors.
#[derive(IntoPyObject)]
pub struct Answered<'py, T> {
    events: Bound<'py, PyList>,
    pub result: Option<T>,
    pub errors: usize,
    failed_checks: usize,
    pub stopped: bool,
}

impl<'py, T> Answered<'py, T> {
    /// Converts the result.
    pub fn then<U>(self, take: impl FnOnce(T) -> PyResult<U>) -> PyResult<Answered<'py, U>> {
        let Self {
            events,
            result,
            errors,
            failed_checks,
            stopped,
        } = self;
        Ok(Answered {
            events,
            result: result.map(take).transpose()?,
            errors,
            failed_checks,
            stopped,
        })
    }
}

/// The limits of a request, its rules, and the listener of its progress.
#[derive(FromPyObject)]
pub struct CallOptions<'py> {
    pub rules: Option<String>,
    timeout: Option<f64>,
    max_memory: Option<u64>,
    max_positions: Option<u64>,
    progress: Option<Bound<'py, PyAny>>,
    /// The partner of `play`: `say(text)` and `ask(question)`, which answers with a text or `None`.
    dialogue: Bound<'py, PyAny>,
    pub session: Bound<'py, PyAny>,
}

impl CallOptions<'_> {
    fn settings(&self) -> PyResult<Settings> {
        // Asking the machine for its size takes longer than a short question.
        static DEFAULT: OnceLock<Settings> = OnceLock::new();
        let mut settings = *DEFAULT.get_or_init(Settings::default);
        settings.limits.max_memory = self.max_memory.unwrap_or(settings.limits.max_memory);
        settings.limits.max_positions = self.max_positions.unwrap_or(settings.limits.max_positions);
        if let Some(seconds) = self.timeout {
            let timeout = Duration::try_from_secs_f64(seconds);
            settings.timeout = Some(
                timeout.map_err(|_| PyValueError::new_err("a timeout is a number of seconds"))?,
            );
        }
        Ok(settings)
    }
}

/// The result of a call of a session, or its errors.
pub type CallResult<T> = Result<T, Vec<Diagnostic>>;

/// Runs `act` on the session, and waits until it is done.
pub fn run<'py>(
    live: &Live,
    manner: &CallOptions<'py>,
    act: impl FnOnce(&mut Session, &mut EventSink<'_>) -> CallResult<Summary> + Send + 'static,
) -> PyResult<Answered<'py, ()>> {
    call(live, manner, |session, sink| Ok(((), act(session, sink)?)))
}

/// Asks the session a question that causes no events.
pub fn ask<'py, T: Send + 'static>(
    live: &Live,
    manner: &CallOptions<'py>,
    act: impl FnOnce(&mut Session) -> CallResult<T> + Send + 'static,
) -> PyResult<Answered<'py, T>> {
    call(live, manner, |session, _| {
        Ok((act(session)?, Summary::default()))
    })
}

/// Calls the session, and waits for the result. The interpreter lock is released while no event
/// comes.
fn call<'py, T: Send + 'static>(
    live: &Live,
    manner: &CallOptions<'py>,
    act: impl FnOnce(&mut Session, &mut EventSink<'_>) -> CallResult<(T, Summary)> + Send + 'static,
) -> PyResult<Answered<'py, T>> {
    let (results, result) = mpsc::channel();
    let rules = manner.rules.clone();
    let act = move |session: &mut Session, sink: &mut EventSink<'_>| {
        session.lend_games();
        let before = rules.map(|rules| session.put_under(&rules)).transpose()?;
        let done = act(session, sink);
        if let Some(before) = before {
            // The rules of one call must not stay, even if the call has failed.
            session.put_back(before);
        }
        let (found, summary) = done?;
        // The caller may have stopped listening.
        let _ = results.send(found);
        Ok(summary)
    };
    let settings = manner.settings()?;
    let engine = live.engine()?;
    let (sender, events) = mpsc::channel();
    let id = {
        // The lock delays events of the call until the listener is registered.
        let mut waiting = lock(&live.waiting);
        let id = engine.at_prompt(Some(settings), act);
        waiting.insert(id, sender);
        id
    };
    let told = PyList::empty(manner.session.py());
    let summary = listen(live, id, events, &told, manner).inspect_err(|_| {
        lock(&live.waiting).remove(&id);
        engine.stop(id);
    })?;
    Ok(Answered {
        events: told,
        // The result is sent before the event `Done`, so that it is there or will never come.
        result: result.try_recv().ok(),
        errors: summary.errors,
        failed_checks: summary.failed_checks,
        stopped: summary.stopped,
    })
}

/// Listens until a call is answered, and adds its events to a list. Returns an error if Python has
/// a signal for this process, or the listener of progress fails.
fn listen<'py>(
    live: &Live,
    id: Id,
    events: Receiver<Event>,
    told: &Bound<'py, PyList>,
    manner: &CallOptions<'py>,
) -> PyResult<Summary> {
    let py = manner.session.py();
    let engine = live.engine()?;
    let events = Mutex::new(events);
    let taking = Taking::of(&manner.session, live.number)?;
    let mut asked = Instant::now();
    loop {
        // Other threads of Python run while this one waits.
        let next = py.detach(|| receive_within(&lock(&events), AWAKE, ASK_EVERY));
        if asked.elapsed() >= ASK_EVERY {
            // Python handles Ctrl-C only when it is asked, and most rounds of this loop run none of
            // its code.
            py.check_signals()?;
            asked = Instant::now();
        }
        match next {
            Ok(Event::Done(summary)) => return Ok(summary),
            Ok(Event::Progress(progress)) => {
                if let Some(listener) = &manner.progress {
                    listener.call1((progress.stage, progress.done, progress.total))?;
                }
            }
            Ok(Event::Said(text)) => drop(manner.dialogue.call_method1("say", (text,))?),
            Ok(Event::Asked(question)) => {
                let answer = manner.dialogue.call_method1("ask", (question,))?;
                engine.answer(id, answer.extract()?);
            }
            Ok(event) => {
                if let Some(event) = self::event(&taking, event, py)? {
                    told.append(event)?;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyOSError::new_err("the session has ended"));
            }
        }
    }
}

/// Converts an event to a tuple that begins with its kind.
fn event<'py>(
    taking: &Taking<'py>,
    event: Event,
    py: Python<'py>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(match event {
        Event::Value { label, value, .. } => ("value", label, taking.report(*value)?)
            .into_pyobject(py)?
            .into_any(),
        Event::Check { failed, .. } => (
            "check",
            failed.map(|failed| finding(py, &failed)).transpose()?,
        )
            .into_pyobject(py)?
            .into_any(),
        Event::Test { name, phase } => {
            let phase = match phase {
                Phase::Started => "started",
                Phase::Ended => "ended",
                Phase::Skipped => "skipped",
            };
            ("test", name, phase).into_pyobject(py)?.into_any()
        }
        Event::Finding(found) => ("finding", finding(py, &found)?)
            .into_pyobject(py)?
            .into_any(),
        Event::Progress(_)
        | Event::Seen { .. }
        | Event::Said(_)
        | Event::Asked(_)
        | Event::Done(_) => return Ok(None),
    }))
}

/// Converts a diagnostic to a dictionary.
fn finding<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyDict>> {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let spans = finding.places.iter().map(|place| {
        (
            place.document.display().to_string(),
            place.range.start,
            place.range.end,
            place.text.as_str(),
        )
    });
    let entry = PyDict::new(py);
    entry.set_item("code", finding.code.as_str())?;
    entry.set_item("severity", severity)?;
    entry.set_item("message", &finding.message)?;
    entry.set_item("spans", spans.collect::<Vec<_>>())?;
    entry.set_item("notes", finding.notes.clone())?;
    entry.set_item("help", finding.help.clone())?;
    entry.set_item("drawn", &finding.drawn)?;
    entry.set_item("stops", finding.code.is_stop())?;
    Ok(entry)
}
