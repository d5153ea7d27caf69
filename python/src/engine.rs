//! An engine and who waits for it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use bid::diagnostic::Severity;
use bid::engine::wait::{AWAKE, receive_within};
use bid::engine::{self, Event, Finding, Id, Phase, Request, Settings};
use bid::files::Disk;
use bid::ir::Kinds;
use bid::library;
use bid::session::{Callee, Given, Query, Summary};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::give::Giving;
use crate::graph::Listed;
use crate::take::Taking;
use crate::written::Written;

/// How long to wait for an answer until Python is asked for signals.
const ASK_EVERY: Duration = Duration::from_millis(10);

/// Where the events of a request go.
type Waiting = Arc<Mutex<HashMap<Id, Sender<Event>>>>;

/// The engine of one session: its threads end with it.
#[pyclass(frozen, module = "bid._bid")]
pub struct Engine {
    engine: engine::Engine,
    waiting: Waiting,
    /// What tells sessions apart.
    number: u64,
}

/// What is told of a request: events, and how it went.
#[derive(IntoPyObject)]
struct Told<'py> {
    events: Bound<'py, PyList>,
    errors: usize,
    failed_checks: usize,
    stopped: bool,
}

/// How much may be done for a request, under which rules, and who is told how far it has come.
#[derive(FromPyObject)]
struct Manner<'py> {
    rules: Option<String>,
    timeout: Option<f64>,
    max_memory: Option<u64>,
    max_positions: Option<u64>,
    progress: Option<Bound<'py, PyAny>>,
    /// Who plays: `say(text)` and `ask(question)`, which answers with a text or nothing.
    dialogue: Bound<'py, PyAny>,
    session: Bound<'py, PyAny>,
}

impl Manner<'_> {
    fn settings(&self) -> PyResult<Settings> {
        // To ask the machine how large it is takes longer than a short question.
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Engine {
    #[new]
    fn new() -> PyResult<Self> {
        static SESSIONS: AtomicU64 = AtomicU64::new(0);
        let waiting = Waiting::default();
        let listeners = Arc::clone(&waiting);
        let engine = engine::Engine::start(
            || Rc::new(Disk),
            move |reply| {
                let mut listeners = lock(&listeners);
                let is_last = matches!(reply.event, Event::Done(_));
                if let Some(listener) = listeners.get(&reply.id) {
                    // Whoever asked may have stopped listening.
                    let _ = listener.send(reply.event);
                }
                if is_last {
                    listeners.remove(&reply.id);
                }
            },
        );
        let engine = engine.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Self {
            engine,
            waiting,
            number: SESSIONS.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// Runs text where names stand for values.
    fn evaluate<'py>(
        &self,
        text: String,
        names: &Bound<'py, PyDict>,
        manner: Manner<'py>,
    ) -> PyResult<Told<'py>> {
        let giving = Giving::to(names.py(), self.number)?;
        let given = |(name, value): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            Ok((name.extract()?, giving.value(&value)?))
        };
        let names = names.iter().map(given).collect::<PyResult<_>>()?;
        self.answer(Request::Evaluate(text, names), &manner)
    }

    /// Asks a builtin, a function of the session (`name`), or a game (`outcome`, `at`, `after`).
    fn query<'py>(
        &self,
        callee: (String, String),
        arguments: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
        manner: Manner<'py>,
    ) -> PyResult<Told<'py>> {
        let giving = Giving::to(arguments.py(), self.number)?;
        let (kind, name) = callee;
        let signature =
            library::signatures().find(|signature| kind == "builtin" && signature.name == name);
        let needed = |place: usize| match (signature, kind.as_str()) {
            (Some(signature), _) if !signature.parameters.is_empty() => {
                signature.parameter(place).kinds
            }
            (_, "outcome") if place > 0 => Kinds::HOLDING,
            _ => Kinds::ANY,
        };
        let given =
            |(place, value): (usize, Bound<'py, PyAny>)| giving.argument(&value, needed(place));
        let arguments: Vec<Given> = arguments
            .iter()
            .enumerate()
            .map(given)
            .collect::<PyResult<_>>()?;
        let named = named
            .iter()
            .map(|(name, value)| Ok((name.extract()?, giving.value(&value)?)));
        let named = named.collect::<PyResult<_>>()?;
        let callee = match kind.as_str() {
            "builtin" => Callee::Builtin(name),
            "name" => Callee::Name(name),
            "outcome" => Callee::Outcome,
            "at" => Callee::At,
            "after" => Callee::After,
            other => {
                return Err(PyValueError::new_err(format!(
                    "nothing is asked by {other:?}"
                )));
            }
        };
        self.answer(
            Request::Query(Box::new(Query {
                callee,
                arguments,
                named,
            })),
            &manner,
        )
    }

    /// Makes a name stand for a value.
    fn define<'py>(
        &self,
        name: String,
        value: &Bound<'py, PyAny>,
        manner: Manner<'py>,
    ) -> PyResult<Told<'py>> {
        let value = Giving::to(value.py(), self.number)?.value(value)?;
        self.answer(Request::Define(name, Box::new(value)), &manner)
    }

    /// Makes a game of a graph.
    fn graph<'py>(&self, graph: Listed<'py>, manner: Manner<'py>) -> PyResult<Told<'py>> {
        self.answer(Request::Graph(Box::new(graph.edges()?)), &manner)
    }

    /// Makes what a file defines visible.
    fn load<'py>(&self, path: PathBuf, manner: Manner<'py>) -> PyResult<Told<'py>> {
        self.answer(Request::Load(path), &manner)
    }

    /// Makes rules the default from now on.
    fn set_rules<'py>(&self, rules: String, manner: Manner<'py>) -> PyResult<Told<'py>> {
        self.answer(Request::Rules(rules), &manner)
    }

    /// Says which method would answer an expression, and what it would cost.
    fn plan<'py>(&self, text: String, manner: Manner<'py>) -> PyResult<Told<'py>> {
        self.answer(Request::Plan(text), &manner)
    }

    /// What a word means.
    fn help<'py>(&self, word: String, manner: Manner<'py>) -> PyResult<Told<'py>> {
        self.answer(Request::Help(word), &manner)
    }

    /// The names in scope.
    fn names<'py>(&self, manner: Manner<'py>) -> PyResult<Told<'py>> {
        self.answer(Request::Names, &manner)
    }

    /// What may stand at the end of a text: where the word begins (in bytes), and what it may
    /// become.
    fn complete<'py>(&self, before: String, manner: Manner<'py>) -> PyResult<Told<'py>> {
        self.answer(Request::Complete(before), &manner)
    }

    /// A value of Python's as the language writes it, in a form as `Written.render`.
    fn render(&self, value: &Bound<'_, PyAny>, format: &str) -> PyResult<String> {
        let report = Giving::to(value.py(), self.number)?.value(value)?;
        Written(Arc::new(report)).render(value.py(), format)
    }

    /// Whether a text stops in the middle of a statement.
    #[staticmethod]
    fn is_incomplete(text: &str) -> bool {
        bid::syntax::is_incomplete(text)
    }

    /// Stops whatever is being done.
    fn stop(&self) {
        let ids: Vec<Id> = lock(&self.waiting).keys().copied().collect();
        ids.into_iter().for_each(|id| self.engine.stop(id));
    }
}

impl Engine {
    /// Sends a request and waits until it is answered. The interpreter lock is free while nothing
    /// comes.
    fn answer<'py>(&self, request: Request, manner: &Manner<'py>) -> PyResult<Told<'py>> {
        let request = match &manner.rules {
            Some(rules) => Request::Under(rules.clone(), Box::new(request)),
            None => request,
        };
        let settings = manner.settings()?;
        let (sender, events) = mpsc::channel();
        let id = {
            // Nothing is told of the request before somebody listens.
            let mut waiting = lock(&self.waiting);
            let id = self.engine.request_within(Some(settings), request);
            waiting.insert(id, sender);
            id
        };
        let told = self.listen(id, events, manner);
        if told.is_err() {
            lock(&self.waiting).remove(&id);
            self.engine.stop(id);
        }
        told
    }

    /// Listens to a request until it is answered; an error if Python has a signal for us, or the
    /// listener of progress fails.
    fn listen<'py>(
        &self,
        id: Id,
        events: Receiver<Event>,
        manner: &Manner<'py>,
    ) -> PyResult<Told<'py>> {
        let py = manner.session.py();
        let events = Mutex::new(events);
        let taking = Taking::of(&manner.session, self.number)?;
        let found = PyList::empty(py);
        let mut asked = Instant::now();
        loop {
            let next = py.detach(|| receive_within(&lock(&events), AWAKE, ASK_EVERY));
            if asked.elapsed() >= ASK_EVERY {
                py.check_signals()?;
                asked = Instant::now();
            }
            match next {
                Ok(Event::Done(summary)) => return Ok(told(found, summary)),
                Ok(Event::Progress(progress)) => {
                    if let Some(listener) = &manner.progress {
                        listener.call1((progress.stage, progress.done, progress.total))?;
                    }
                }
                Ok(Event::Said(text)) => drop(manner.dialogue.call_method1("say", (text,))?),
                Ok(Event::Asked(question)) => {
                    let answer = manner.dialogue.call_method1("ask", (question,))?;
                    self.engine.answer(id, answer.extract()?);
                }
                Ok(event) => {
                    if let Some(event) = self::event(&taking, event, py)? {
                        found.append(event)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyOSError::new_err("the session has ended"));
                }
            }
        }
    }
}

fn told(events: Bound<'_, PyList>, summary: Summary) -> Told<'_> {
    Told {
        events,
        errors: summary.errors,
        failed_checks: summary.failed_checks,
        stopped: summary.stopped,
    }
}

/// An event as a tuple that begins with what it is.
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
        Event::Text(text) => ("text", text).into_pyobject(py)?.into_any(),
        Event::Names(names) => {
            let names: Vec<_> = names
                .into_iter()
                .map(|name| (name.name, name.signature, name.builtin))
                .collect();
            ("names", names).into_pyobject(py)?.into_any()
        }
        Event::Completion(found) => {
            let candidates: Vec<String> = found
                .candidates
                .into_iter()
                .map(|candidate| candidate.text)
                .collect();
            ("completion", found.start, candidates)
                .into_pyobject(py)?
                .into_any()
        }
        Event::Progress(_)
        | Event::Diagnostics(_)
        | Event::Description(_)
        | Event::Call(_)
        | Event::Locations(_)
        | Event::Refused(_)
        | Event::Outline(_)
        | Event::Tokens(_)
        | Event::Cells(_)
        | Event::Uses(_)
        | Event::Folds(_)
        | Event::Selections(_)
        | Event::Formatted(_)
        | Event::Library(_)
        | Event::Seen { .. }
        | Event::Said(_)
        | Event::Asked(_)
        | Event::Done(_) => return Ok(None),
    }))
}

/// A diagnostic as a dictionary.
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
