//! An engine and who waits for it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bid::analysis::{Surroundings, complete};
use bid::engine::wait::{AWAKE, receive_within};
use bid::engine::{Done, Event, Finding, Id, Phase, Settings};
use bid::library;
use bid::session::{self, Callee, Given, Query, Session, Sink, Step, Summary};
use bid_language::diagnostic::{Diagnostic, Severity};
use bid_language::files::Disk;
use bid_language::ir::Kinds;
use bid_language::scalar::NamedGame;
use bid_report::Report;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::give::{GameRef, Giving};
use crate::graph::Listed;
use crate::live::{Live, lock};
use crate::take::Taking;
use crate::told::{self, Told};
use crate::written::rendered;

/// How long to wait for an answer until Python is asked for signals.
const ASK_EVERY: Duration = Duration::from_millis(10);

/// The engine of one session: its threads end with it. In a process that was forked it begins
/// again, and does again what it was told.
///
/// Its locks are held only while the interpreter's is, and are free whenever a process is forked.
#[pyclass(frozen, module = "bid._bid")]
pub struct Engine {
    live: Mutex<Arc<Live>>,
    told: Mutex<Told>,
}

/// What is told of a request: events, what it results in if that is no event, and how it went.
#[derive(IntoPyObject)]
struct Answered<'py> {
    events: Bound<'py, PyList>,
    result: Option<Bound<'py, PyAny>>,
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

#[pymethods]
impl Engine {
    #[new]
    fn new() -> PyResult<Self> {
        Ok(Self {
            live: Mutex::new(Arc::new(Live::start()?)),
            told: Mutex::default(),
        })
    }

    /// Runs text where names stand for values.
    fn evaluate<'py>(
        &self,
        text: String,
        names: &Bound<'py, PyDict>,
        manner: Manner<'py>,
    ) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        let giving = Giving::to(&manner.session, live.number)?;
        let given = |(name, value): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            Ok((name.extract()?, giving.value(&value)?))
        };
        let names: Vec<(String, Report)> = names.iter().map(given).collect::<PyResult<_>>()?;
        let step = told::text(&text, &names, manner.rules.as_ref());
        let answered = run(&live, &manner, move |session, sink| {
            Ok(session.evaluate(&text, &names, sink))
        });
        if let Some(step) = step {
            match &answered {
                Ok(answered) if !answered.stopped => self.keep(&live, step, &manner)?,
                _ => lock(&self.told).tear(),
            }
        }
        answered
    }

    /// Asks a builtin, a function of the session (`name`), or a game (`outcome`, `at`, `after`).
    fn query<'py>(
        &self,
        callee: (String, String),
        arguments: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
        manner: Manner<'py>,
    ) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        let giving = Giving::to(&manner.session, live.number)?;
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
        let query = Query {
            callee,
            arguments,
            named,
        };
        run(&live, &manner, move |session, sink| {
            Ok(session.query(&query, sink))
        })
    }

    /// Makes a name stand for a value.
    fn define<'py>(
        &self,
        name: String,
        value: &Bound<'py, PyAny>,
        manner: Manner<'py>,
    ) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        let value = Giving::to(&manner.session, live.number)?.value(value)?;
        let step = Step::Define(name.clone(), value.clone());
        let answered = run(&live, &manner, move |session, _| {
            session.define(&name, &value).map_err(|why| vec![*why])?;
            Ok(Summary::default())
        })?;
        if answered.errors == 0 {
            lock(&self.told).add(step);
        }
        Ok(answered)
    }

    /// Makes a game of a graph.
    fn graph<'py>(&self, graph: Listed<'py>, manner: Manner<'py>) -> PyResult<Answered<'py>> {
        let edges = graph.edges()?;
        run(self.live()?.as_ref(), &manner, move |session, sink| {
            Ok(session.graph(&edges, sink))
        })
    }

    /// Makes what a file defines visible.
    fn load<'py>(&self, path: PathBuf, manner: Manner<'py>) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        let step = told::load(&path);
        let answered = run(&live, &manner, move |session, sink| {
            Ok(session.load(&path, sink))
        })?;
        if answered.errors == 0 && !answered.stopped {
            self.keep(&live, step, &manner)?;
        }
        Ok(answered)
    }

    /// Makes rules the default from now on.
    fn set_rules<'py>(&self, rules: String, manner: Manner<'py>) -> PyResult<Answered<'py>> {
        let step = Step::Rules(rules.clone());
        let answered = run(self.live()?.as_ref(), &manner, move |session, _| {
            let input = session.next_input();
            session.set_rules(&input, &rules)?;
            Ok(Summary::default())
        })?;
        if answered.errors == 0 {
            lock(&self.told).add(step);
        }
        Ok(answered)
    }

    /// Says which method would answer an expression, and what it would cost.
    fn plan<'py>(&self, text: String, manner: Manner<'py>) -> PyResult<Answered<'py>> {
        run(self.live()?.as_ref(), &manner, move |session, sink| {
            let input = session.next_input();
            for plan in session.plan(&input, &text)? {
                sink(session.sources(), session::Event::Value(plan));
            }
            Ok(Summary::default())
        })
    }

    /// What a word means.
    fn help<'py>(&self, word: String, manner: Manner<'py>) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        ask(&live, &manner, move |session| Ok(session.help(&word)))
    }

    /// The names in scope, each with how it is used and whether it is of the language.
    fn names<'py>(&self, manner: Manner<'py>) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        ask(&live, &manner, |session| {
            let names = session.names().into_iter();
            let names = names.map(|name| (name.name, name.signature, name.builtin));
            Ok(names.collect::<Vec<_>>())
        })
    }

    /// What may stand at the end of a text: where the word begins (in bytes), and what it may
    /// become.
    fn complete<'py>(&self, before: String, manner: Manner<'py>) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        ask(&live, &manner, move |session| {
            let names = session.names().into_iter().map(|symbol| symbol.name);
            let names: Vec<String> = names.collect();
            let around = Surroundings {
                names: &names,
                files: &Disk,
                folder: Path::new(""),
            };
            let found = complete(&before, &around);
            let candidates = found.candidates.into_iter();
            let candidates = candidates.map(|candidate| candidate.text);
            Ok((found.start, candidates.collect::<Vec<_>>()))
        })
    }

    /// Games as bytes, for another session.
    fn pack<'py>(
        &self,
        games: Vec<PyRef<'py, GameRef>>,
        manner: Manner<'py>,
    ) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        let named = games.iter().map(|game| {
            let is_known = game.session == live.number;
            is_known.then(|| game.game.clone()).ok_or_else(|| {
                PyRuntimeError::new_err(format!(
                    "the game {} was made before this process was forked: hand it over as an argument, or make it here",
                    game.game.text
                ))
            })
        });
        let named: Vec<NamedGame> = named.collect::<PyResult<_>>()?;
        let pack = move |session: &mut Session| session.pack(&named).map_err(|why| vec![*why]);
        call(
            &live,
            &manner,
            move |session, _| Ok((pack(session)?, Summary::default())),
            |packed, py| {
                let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
                let programs: Vec<_> = packed
                    .programs
                    .iter()
                    .map(|program| bytes(program))
                    .collect();
                (bytes(&packed.games), packed.has_own_rulesets, programs).into_bound_py_any(py)
            },
        )
    }

    /// The games of such bytes, with what the sessions were told that they come from.
    fn unpack<'py>(
        &self,
        games: &[u8],
        programs: Vec<PyBackedBytes>,
        manner: Manner<'py>,
    ) -> PyResult<Answered<'py>> {
        let live = self.live()?;
        let games = games.to_vec();
        let programs = programs.iter().map(|program| Arc::from(&**program));
        let programs: Vec<Arc<[u8]>> = programs.collect();
        let unpack = move |session: &mut Session| {
            let games = session.unpack(&games, &programs);
            games.map_err(|why| vec![*why])
        };
        let taking = Taking::of(&manner.session, live.number)?;
        call(
            &live,
            &manner,
            move |session, _| Ok((unpack(session)?, Summary::default())),
            |games, py| {
                let games = games.iter().map(|game| taking.game(game));
                games.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)
            },
        )
    }

    /// All that the session was told, as bytes.
    fn program(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        lock(&self.told).bytes(py)
    }

    /// A value of Python's as the language writes it, in a form as `Written.render`.
    #[staticmethod]
    fn render(value: &Bound<'_, PyAny>, format: &str) -> PyResult<String> {
        let report = Giving::to_be_written(value.py())?.value(value)?;
        rendered(value.py(), &report, format)
    }

    /// Whether a text stops in the middle of a statement.
    #[staticmethod]
    fn is_incomplete(text: &str) -> bool {
        bid_language::syntax::is_incomplete(text)
    }

    /// Stops whatever is being done.
    fn stop(&self) -> PyResult<()> {
        let live = self.live()?;
        let ids: Vec<Id> = lock(&live.waiting).keys().copied().collect();
        ids.into_iter()
            .try_for_each(|id| live.engine().map(|engine| engine.stop(id)))
    }
}

impl Engine {
    /// The threads of this process. In one that was forked they are started, and do again what the
    /// session was told.
    fn live(&self) -> PyResult<Arc<Live>> {
        let mut live = lock(&self.live);
        if live.is_here() {
            return Ok(Arc::clone(&live));
        }
        let told = lock(&self.told);
        if let Some(why) = told.obstacle() {
            return Err(PyRuntimeError::new_err(format!(
                "this session was begun before the process was forked, and cannot begin again here, since {why}: make a session in the new process"
            )));
        }
        let fresh = Live::start()?;
        if !told.program.steps.is_empty() {
            let program = told.program.clone();
            let again = move |session: &mut Session, _: &mut Sink<'_>| Ok(session.repeat(&program));
            fresh.engine()?.at_prompt(None, again);
        }
        *live = Arc::new(fresh);
        Ok(Arc::clone(&live))
    }

    /// Keeps a step, and the files that it has read.
    fn keep(&self, live: &Live, step: Step, manner: &Manner<'_>) -> PyResult<()> {
        let reads = match &step {
            Step::Load(_) => true,
            Step::Text { text, .. } => text.contains("use"),
            Step::Define(..) | Step::Rules(_) => false,
        };
        lock(&self.told).add(step);
        if reads {
            let files = |session: &mut Session, _: &mut Sink<'_>| {
                Ok((session.loaded_files(), Summary::default()))
            };
            call(live, manner, files, |files, py| {
                lock(&self.told).read(files);
                Ok(py.None().into_bound(py))
            })?;
        }
        Ok(())
    }
}

/// Has something done by the session, and waits until it is.
fn run<'py>(
    live: &Live,
    manner: &Manner<'py>,
    act: impl FnOnce(&mut Session, &mut Sink<'_>) -> Done + Send + 'static,
) -> PyResult<Answered<'py>> {
    let act = |session: &mut Session, sink: &mut Sink<'_>| Ok(((), act(session, sink)?));
    call(live, manner, act, |(), py| Ok(py.None().into_bound(py)))
}

/// Asks the session for something of which nothing happens there.
fn ask<'py, T: IntoPyObjectExt<'py> + Send + 'static>(
    live: &Live,
    manner: &Manner<'py>,
    act: impl FnOnce(&mut Session) -> Result<T, Vec<Diagnostic>> + Send + 'static,
) -> PyResult<Answered<'py>> {
    let act = |session: &mut Session, _: &mut Sink<'_>| Ok((act(session)?, Summary::default()));
    call(live, manner, act, T::into_bound_py_any)
}

/// Calls the session, and waits for the result, of which `take` makes an object. The interpreter
/// lock is free while nothing comes.
fn call<'py, T: Send + 'static>(
    live: &Live,
    manner: &Manner<'py>,
    act: impl FnOnce(&mut Session, &mut Sink<'_>) -> Result<(T, Summary), Vec<Diagnostic>>
    + Send
    + 'static,
    take: impl FnOnce(T, Python<'py>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Answered<'py>> {
    let (results, result) = mpsc::channel();
    let rules = manner.rules.clone();
    let act = move |session: &mut Session, sink: &mut Sink<'_>| {
        session.lend_games();
        let before = rules.map(|rules| session.put_under(&rules)).transpose()?;
        let done = act(session, sink);
        if let Some(before) = before {
            session.put_back(before);
        }
        let (found, summary) = done?;
        // Whoever asked may have stopped listening.
        let _ = results.send(found);
        Ok(summary)
    };
    let settings = manner.settings()?;
    let engine = live.engine()?;
    let (sender, events) = mpsc::channel();
    let id = {
        // Nothing is told of the request before somebody listens.
        let mut waiting = lock(&live.waiting);
        let id = engine.at_prompt(Some(settings), act);
        waiting.insert(id, sender);
        id
    };
    match listen(live, id, events, manner) {
        Ok(mut answered) => {
            let found = result.try_recv().ok();
            let found = found.map(|found| take(found, manner.session.py()));
            answered.result = found.transpose()?;
            Ok(answered)
        }
        Err(why) => {
            lock(&live.waiting).remove(&id);
            engine.stop(id);
            Err(why)
        }
    }
}

/// Listens to a request until it is answered; an error if Python has a signal for us, or the
/// listener of progress fails.
fn listen<'py>(
    live: &Live,
    id: Id,
    events: Receiver<Event>,
    manner: &Manner<'py>,
) -> PyResult<Answered<'py>> {
    let py = manner.session.py();
    let engine = live.engine()?;
    let events = Mutex::new(events);
    let taking = Taking::of(&manner.session, live.number)?;
    let found = PyList::empty(py);
    let mut asked = Instant::now();
    loop {
        let next = py.detach(|| receive_within(&lock(&events), AWAKE, ASK_EVERY));
        if asked.elapsed() >= ASK_EVERY {
            py.check_signals()?;
            asked = Instant::now();
        }
        match next {
            Ok(Event::Done(summary)) => return Ok(answered(found, summary)),
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

fn answered(events: Bound<'_, PyList>, summary: Summary) -> Answered<'_> {
    Answered {
        events,
        result: None,
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
        Event::Progress(_)
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
