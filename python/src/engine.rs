//! The engine of a session, as Python calls it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bid::analysis::{Surroundings, complete};
use bid::engine::Id;
use bid::library;
use bid::session::{self, Callee, EventSink, ProgramStep, Query, QueryArgument, Session, Summary};
use bid_language::files::{DiskFiles, WorkFolder};
use bid_language::ir::Kinds;
use bid_language::scalar::NamedGame;
use bid_language::watch::{Batch, Cut, Disk, Sharing, WorkShare};
use bid_report::Report;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::calls::{Answered, CallOptions, ask, run};
use crate::give::{GameRef, Giving};
use crate::graph::ListedGraph;
use crate::live::{Live, lock};
use crate::take::Taking;
use crate::told::{self, SessionRecord};
use crate::written::rendered;

/// The engine of one session: its threads end with it. In a process that was forked it begins
/// again, and does again what it was told.
///
/// Its locks are held only while the interpreter's is, and are free whenever a process is forked.
#[pyclass(frozen, module = "bid._bid", name = "Engine")]
pub struct PyEngine {
    live: Mutex<Arc<Live>>,
    told: Mutex<SessionRecord>,
    /// The folder that it shares with other processes, if there is one.
    folder: Option<Arc<WorkFolder>>,
}

/// A batch: its blocks, the batches before it, and what it takes.
type CutBatch = (Vec<usize>, Vec<usize>, f64, u64);

/// A sweep that has been cut: its name, the memory that a batch takes, and the batches.
type CutSweep = (String, u64, Vec<CutBatch>);

/// A name with the form of its use, and whether it belongs to the language.
type Named = (String, String, bool);

/// Games as bytes, whether they use rulesets of the session, the programs of the sessions from
/// which other rulesets came, and the session's default rules.
type PickledGames<'py> = (Bound<'py, PyBytes>, bool, Vec<Bound<'py, PyBytes>>, String);

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (folder=None))]
    fn new(folder: Option<PathBuf>) -> PyResult<Self> {
        let opened = folder.map(|folder| WorkFolder::share(&folder)).transpose();
        let folder = opened
            .map_err(|why| PyOSError::new_err(why.message))?
            .map(Arc::new);
        Ok(Self {
            live: Mutex::new(Arc::new(Live::start(folder.clone())?)),
            told: Mutex::default(),
            folder,
        })
    }

    /// Sets the share of the next question in its sweeps: a batch, a cut into batches of this many
    /// seconds, or the answer.
    #[pyo3(signature = (kind, batch=None, seconds=None))]
    fn share(
        &self,
        kind: &str,
        batch: Option<(String, Vec<usize>)>,
        seconds: Option<f64>,
    ) -> PyResult<()> {
        let share = match (kind, batch) {
            ("cut", None) => WorkShare::Cut(seconds),
            ("answer", None) => WorkShare::Answer,
            ("work", Some((sweep, blocks))) => WorkShare::Work(sweep, blocks),
            (other, _) => {
                return Err(PyValueError::new_err(format!(
                    "no share is called {other:?}"
                )));
            }
        };
        self.sharing()?.set(share);
        Ok(())
    }

    /// The result of the share, alone in a tuple, if the question got to it: `None` for a batch, and
    /// for a cut the name of the sweep, the memory that a batch takes, and the batches.
    fn shared(&self) -> PyResult<Option<(Option<CutSweep>,)>> {
        let batch = |batch: Batch| (batch.blocks, batch.after, batch.seconds, batch.bytes);
        let cut = |cut: Cut| {
            let batches = cut.batches.into_iter().map(batch).collect();
            (cut.sweep, cut.memory, batches)
        };
        Ok(self.sharing()?.done().map(|done| (done.map(cut),)))
    }

    /// Runs text where names stand for values.
    fn evaluate<'py>(
        &self,
        text: String,
        names: &Bound<'py, PyDict>,
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, ()>> {
        let live = self.live()?;
        let giving = Giving::to(&manner.session, live.number)?;
        let given = |(name, value): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            Ok((name.extract()?, giving.value(&value)?))
        };
        let names: Vec<(String, Report)> = names.iter().map(given).collect::<PyResult<_>>()?;
        // The step is made before the names move into the call.
        let step = told::text(&text, &names, manner.rules.as_ref());
        let answered = run(&live, &manner, move |session, sink| {
            Ok(session.evaluate(&text, &names, sink))
        });
        if let Some(step) = step {
            match &answered {
                Ok(answered) if !answered.stopped => self.keep(&live, step, &manner)?,
                // Some definitions may have taken effect before the stop.
                _ => lock(&self.told).tear(),
            }
        }
        answered
    }

    /// Asks a builtin, a function of the session (`name`), or a game (`outcome`, `at`, `after`).
    fn query<'py>(
        &self,
        kind: &str,
        name: String,
        arguments: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, ()>> {
        let live = self.live()?;
        let giving = Giving::to(&manner.session, live.number)?;
        let signature =
            library::signatures().find(|signature| kind == "builtin" && signature.name == name);
        let needed = |place: usize| match (signature, kind) {
            (Some(signature), _) if !signature.parameters.is_empty() => {
                signature.parameter(place).kinds
            }
            // The first argument is the game, and the others are purses.
            (_, "outcome") if place > 0 => Kinds::HOLDING,
            _ => Kinds::ANY,
        };
        let given =
            |(place, value): (usize, Bound<'py, PyAny>)| giving.argument(&value, needed(place));
        let arguments: Vec<QueryArgument> = arguments
            .iter()
            .enumerate()
            .map(given)
            .collect::<PyResult<_>>()?;
        let named = named
            .iter()
            .map(|(name, value)| Ok((name.extract()?, giving.value(&value)?)));
        let named = named.collect::<PyResult<_>>()?;
        let callee = match kind {
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
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, ()>> {
        let live = self.live()?;
        let value = Giving::to(&manner.session, live.number)?.value(value)?;
        let step = ProgramStep::Define(name.clone(), value.clone());
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
    fn graph<'py>(
        &self,
        graph: ListedGraph<'py>,
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, ()>> {
        let edges = graph.edges()?;
        run(self.live()?.as_ref(), &manner, move |session, sink| {
            Ok(session.graph(&edges, sink))
        })
    }

    /// Makes what a file defines visible.
    fn load<'py>(&self, path: PathBuf, manner: CallOptions<'py>) -> PyResult<Answered<'py, ()>> {
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
    fn set_rules<'py>(
        &self,
        rules: String,
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, ()>> {
        let step = ProgramStep::Rules(rules.clone());
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
    fn plan<'py>(&self, text: String, manner: CallOptions<'py>) -> PyResult<Answered<'py, ()>> {
        run(self.live()?.as_ref(), &manner, move |session, sink| {
            let input = session.next_input();
            for plan in session.plan(&input, &text)? {
                sink(session.sources(), session::SessionEvent::Value(plan));
            }
            Ok(Summary::default())
        })
    }

    /// The help about a word.
    fn help<'py>(
        &self,
        word: String,
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, Option<String>>> {
        let live = self.live()?;
        ask(&live, &manner, move |session| Ok(session.help(&word)))
    }

    /// The names in scope, each with how it is used and whether it is of the language.
    fn names<'py>(&self, manner: CallOptions<'py>) -> PyResult<Answered<'py, Vec<Named>>> {
        let live = self.live()?;
        ask(&live, &manner, |session| {
            let names = session.names().into_iter();
            let names = names.map(|name| (name.name, name.signature, name.builtin));
            Ok(names.collect::<Vec<_>>())
        })
    }

    /// The words that may stand at the end of a text: where the word begins (in bytes), and what it may
    /// become.
    fn complete<'py>(
        &self,
        before: String,
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, (usize, Vec<String>)>> {
        let live = self.live()?;
        ask(&live, &manner, move |session| {
            let names = session.names().into_iter().map(|symbol| symbol.name);
            let names: Vec<String> = names.collect();
            let around = Surroundings {
                names: &names,
                files: &DiskFiles,
                // A session has no file, so that paths are relative to the working folder.
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
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, PickledGames<'py>>> {
        let live = self.live()?;
        let named = games.iter().map(|game| {
            let is_known = game.session == live.number;
            is_known.then(|| game.game.clone()).ok_or_else(|| {
                PyRuntimeError::new_err(format!(
                    "the game {} was made before this process was forked: make it here, or start the process by `spawn` or `forkserver`, or give it to a pool as an argument of its work",
                    game.game.text
                ))
            })
        });
        let named: Vec<NamedGame> = named.collect::<PyResult<_>>()?;
        let packed = ask(&live, &manner, move |session| {
            session.pack(&named).map_err(|why| vec![*why])
        })?;
        packed.then(|packed| {
            let bytes = |bytes: &[u8]| PyBytes::new(manner.session.py(), bytes);
            let programs = packed.programs.iter().map(|program| bytes(program));
            let programs = programs.collect();
            let games = bytes(&packed.games);
            Ok((games, packed.has_own_rulesets, programs, packed.rules))
        })
    }

    /// The games of such bytes, with what the sessions were told that they come from.
    fn unpack<'py>(
        &self,
        games: &[u8],
        programs: Vec<PyBackedBytes>,
        manner: CallOptions<'py>,
    ) -> PyResult<Answered<'py, Vec<Bound<'py, PyAny>>>> {
        let live = self.live()?;
        let games = games.to_vec();
        let programs = programs.iter().map(|program| Arc::from(&**program));
        let programs: Vec<Arc<[u8]>> = programs.collect();
        let unpacked = ask(&live, &manner, move |session| {
            let games = session.unpack(&games, &programs);
            games.map_err(|why| vec![*why])
        })?;
        let taking = Taking::of(&manner.session, live.number)?;
        unpacked.then(|games| games.iter().map(|game| taking.game(game)).collect())
    }

    /// The default rules, as a literal.
    fn rules<'py>(&self, manner: CallOptions<'py>) -> PyResult<Answered<'py, String>> {
        let live = self.live()?;
        ask(&live, &manner, |session| Ok(session.default_rules()))
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

    /// `True` if a text stops in the middle of a statement.
    #[staticmethod]
    fn is_incomplete(text: &str) -> bool {
        bid_language::syntax::is_incomplete(text)
    }

    /// Stops whatever is being done.
    fn stop(&self) -> PyResult<()> {
        let live = self.live()?;
        // The lock is released before the engine is told, because its answers take it.
        let ids: Vec<Id> = lock(&live.waiting).keys().copied().collect();
        ids.into_iter()
            .try_for_each(|id| live.engine().map(|engine| engine.stop(id)))
    }
}

impl PyEngine {
    fn sharing(&self) -> PyResult<&Sharing> {
        let sharing = self.folder.as_deref().and_then(Disk::sharing);
        sharing.ok_or_else(|| PyRuntimeError::new_err("this session shares no folder"))
    }

    /// Returns the threads of this process. In a forked process they are started, and repeat the
    /// inputs of the session.
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
        let fresh = Live::start(self.folder.clone())?;
        if !told.program.steps.is_empty() {
            let program = told.program.clone();
            let again =
                move |session: &mut Session, _: &mut EventSink<'_>| Ok(session.repeat(&program));
            fresh.engine()?.at_prompt(None, again);
        }
        *live = Arc::new(fresh);
        Ok(Arc::clone(&live))
    }

    /// Records a step, and the files that it has read.
    fn keep(&self, live: &Live, step: ProgramStep, manner: &CallOptions<'_>) -> PyResult<()> {
        let reads = match &step {
            ProgramStep::Load(_) => true,
            // A text without the word cannot have read a file.
            ProgramStep::Text { text, .. } => text.contains("use"),
            ProgramStep::Define(..) | ProgramStep::Rules(_) => false,
        };
        lock(&self.told).add(step);
        if reads {
            let loaded = ask(live, manner, |session| Ok(session.loaded_files()))?;
            if let Some(files) = loaded.result {
                lock(&self.told).read(files);
            }
        }
        Ok(())
    }
}
