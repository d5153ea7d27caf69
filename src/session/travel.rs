//! Moves games to another session, and restores sessions in another process.
//!
//! A game is sent as its parts. Its rulesets are programs, which are not sent as such: the session
//! that receives the game has them too, or makes them from the [`Program`] that comes with the
//! game, hidden from its own names. In both cases it checks that the rulesets play the same.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use xxhash_rust::xxh3::xxh3_128;

use super::load::{Load, Purpose};
use super::{EventSink, Session, Summary};
use crate::check::Scope;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval;
use crate::files::{self, Documents};
use crate::game::{Parts, RulesetId, RulesetPart, print_game};
use crate::ir::{Function, Value};
use crate::report::Report;
use crate::rules::Overrides;
use crate::scalar::NamedGame;
use crate::source::Span;

/// A step that changes the meaning of later inputs of a session.
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize)]
pub enum ProgramStep {
    /// A file was loaded, given by its full path.
    Load(String),
    /// A text with definitions was run.
    Text {
        /// The text; files that it uses have full paths.
        text: String,
        /// The values that names in it denoted.
        names: Vec<(String, Report)>,
        /// The rules that applied to it alone.
        rules: Option<String>,
    },
    /// A name was given a value.
    Define(String, Report),
    /// Rules were made the default.
    Rules(String),
}

/// All inputs of a session that define something, with the texts of the files that it read.
#[derive(Debug, Clone, PartialEq, Default, BorshSerialize, BorshDeserialize)]
pub struct Program {
    /// The files by their full paths, without those of the game library, which every session has.
    pub files: Vec<(String, String)>,
    /// The steps, in order.
    pub steps: Vec<ProgramStep>,
}

/// Games as bytes, with the programs that another session may need to make them.
#[derive(Debug)]
pub struct PackedGames {
    /// The bytes.
    pub games: Vec<u8>,
    /// `true` if they are made of rulesets that this session defines.
    pub has_own_rulesets: bool,
    /// The programs that define the rulesets of games that came from other sessions.
    pub programs: Vec<Arc<[u8]>>,
    /// The default rules of the session, as a literal.
    pub rules: String,
}

/// Games in transit.
#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Luggage {
    /// The version of the program that packed them.
    version: String,
    parts: Parts,
    /// The calls that make each of their rulesets.
    calls: Vec<RulesetCall>,
}

/// A call that makes a ruleset.
#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct RulesetCall {
    name: String,
    /// The arguments; `None` if they are not plain values.
    arguments: Option<Vec<Report>>,
}

/// The parts of a session that are set aside while another program is run.
struct Aside {
    files: Rc<dyn files::Files>,
    scope: Scope,
    defaults: Rc<Overrides>,
    numbers: HashMap<PathBuf, usize>,
    loads: Vec<usize>,
}

impl ProgramStep {
    /// Returns `true` if the step can be repeated in another session. Games given as values are
    /// numbers of the session to which they were given.
    pub fn can_be_repeated(&self) -> bool {
        match self {
            Self::Load(_) | Self::Rules(_) => true,
            Self::Text { names, .. } => names.iter().all(|(_, value)| !value.mentions_games()),
            Self::Define(_, value) => !value.mentions_games(),
        }
    }
}

impl Session {
    /// Packs games as bytes, for another session.
    ///
    /// # Errors
    /// Returns an error if this session does not have them, or no name of the session makes one of
    /// their rulesets any more.
    pub fn pack(&mut self, games: &[NamedGame]) -> Result<PackedGames> {
        if let Some(game) = games.iter().find(|game| !self.world.games.knows(game.id)) {
            let message = format!("{} does not belong to this session", game.text);
            return Err(broken(message));
        }
        let ids: Vec<_> = games.iter().map(|game| game.id).collect();
        let (parts, rulesets) = self.world.games.parts(&ids);
        let scope = self.scope.clone();
        let (mut calls, mut programs) = (Vec::new(), BTreeSet::new());
        let mut has_own_rulesets = false;
        for (ruleset, part) in rulesets.iter().zip(parts.rulesets()) {
            let called = self.world.games.called(*ruleset);
            let call = RulesetCall {
                name: called.name.clone(),
                arguments: self.plain(&called.arguments)?,
            };
            if let Some(program) = self.brought.get(ruleset) {
                programs.insert(Arc::clone(program));
            } else if self.made(&scope, part, &call)?.is_some() {
                has_own_rulesets = true;
            } else {
                // The error is returned here, because a pool of processes that receives the game
                // has no way to report it.
                return Err(renamed(&part.title, &call.name));
            }
            calls.push(call);
        }
        let luggage = Luggage {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            parts,
            calls,
        };
        Ok(PackedGames {
            games: borsh::to_vec(&luggage).map_err(|why| broken(why.to_string()))?,
            has_own_rulesets,
            programs: programs.into_iter().collect(),
            rules: self.default_rules(),
        })
    }

    /// Unpacks games from bytes, as games of this session. The programs are those of the sessions
    /// that packed the games.
    ///
    /// # Errors
    /// Returns an error if the bytes are not games, or a ruleset is not here and cannot be made.
    pub fn unpack(&mut self, games: &[u8], programs: &[Arc<[u8]>]) -> Result<Vec<NamedGame>> {
        let luggage = Luggage::try_from_slice(games)
            .map_err(|why| broken(format!("these bytes are not games: {why}")))?;
        let mut rulesets = Vec::new();
        for (part, call) in luggage.parts.rulesets().to_vec().iter().zip(&luggage.calls) {
            let found = self.ruleset(part, call, programs)?;
            rulesets.push(found.ok_or_else(|| not_here(&part.title, &luggage.version))?);
        }
        let put_together = self.world.games.put_together(luggage.parts, &rulesets);
        let games = put_together.ok_or_else(|| broken("these bytes are not games".to_owned()))?;
        self.world.lend_games();
        let named = games.into_iter().map(|id| NamedGame {
            text: print_game(&self.world.games, id),
            id,
        });
        Ok(named.collect())
    }

    /// Repeats the inputs of another session, as far as they define something: nothing is shown,
    /// and steps that failed there fail here.
    pub fn repeat(&mut self, program: &Program) -> Summary {
        let files = Documents::over(Rc::clone(&self.files));
        for (path, text) in &program.files {
            files.set(Path::new(path), text.as_str());
        }
        // The texts that came along are read, even if other files have these paths here.
        let before = std::mem::replace(&mut self.files, Rc::new(files));
        let mut all = Summary::default();
        for step in &program.steps {
            all = all.and(self.repeat_step(step, &mut |_, _| {}));
            if all.stopped {
                break;
            }
        }
        self.files = before;
        all
    }

    /// Returns the files that have been loaded, by their full paths, without those of the game
    /// library.
    pub fn loaded_files(&self) -> Vec<(String, String)> {
        let mut found: Vec<_> = self
            .numbers
            .iter()
            .filter(|(path, _)| !files::is_built_in(path))
            .map(|(path, number)| {
                let text = &self.sources.get(self.modules[*number].source).text;
                (path.to_string_lossy().into_owned(), text.clone())
            })
            .collect();
        // The map has no order, and equal programs must have equal checksums.
        found.sort_unstable();
        found
    }

    fn repeat_step(&mut self, step: &ProgramStep, sink: &mut EventSink) -> Summary {
        match step {
            ProgramStep::Load(path) => self.use_file(Path::new(path), sink),
            ProgramStep::Rules(rules) => {
                // Rules with errors changed nothing in the original session either.
                let _ = self.put_under(rules);
                Summary::default()
            }
            ProgramStep::Define(name, value) => {
                self.define_again(name, value);
                Summary::default()
            }
            ProgramStep::Text { text, names, rules } => {
                let defaults = rules.as_ref().and_then(|rules| self.put_under(rules).ok());
                let before = self.scope.clone();
                for (name, value) in names {
                    self.define_again(name, value);
                }
                let input = self.next_input();
                let mut load = Load::new(self, sink);
                load.text(&input, text, Purpose::Import);
                let summary = load.summary;
                for (name, _) in names {
                    self.scope.restore(name, &before);
                }
                if let Some(defaults) = defaults {
                    self.put_back(defaults);
                }
                summary
            }
        }
    }

    /// Gives a name its value. A value that does not belong here leaves the name undefined, rather
    /// than with an earlier value.
    fn define_again(&mut self, name: &str, value: &Report) {
        if value.mentions_games() || self.define(name, value).is_err() {
            self.scope.restore(name, &Scope::default());
        }
    }

    /// Finds the ruleset of a game from another session: one that is here already, one that the
    /// session's own names make, or one that a program makes.
    fn ruleset(
        &mut self,
        part: &RulesetPart,
        call: &RulesetCall,
        programs: &[Arc<[u8]>],
    ) -> Result<Option<RulesetId>> {
        let known = self.world.games.like(part);
        // A ruleset that was brought has its program already, so it can be sent on.
        if known.is_some_and(|known| self.brought.contains_key(&known)) {
            return Ok(known);
        }
        let own = self.scope.clone();
        if let Some(made) = self.made(&own, part, call)? {
            return Ok(Some(known.unwrap_or(made)));
        }
        for program in programs {
            let scope = self.names_of(program)?;
            if let Some(made) = self.made(&scope, part, call)? {
                // Equal games are stored once, so the ruleset may already be here under a name that
                // has since been redefined.
                let found = known.unwrap_or(made);
                self.brought.insert(found, Arc::clone(program));
                return Ok(Some(found));
            }
        }
        Ok(known)
    }

    /// Returns the ruleset that a call makes with these names in scope, if it is the intended one.
    fn made(
        &mut self,
        scope: &Scope,
        part: &RulesetPart,
        call: &RulesetCall,
    ) -> Result<Option<RulesetId>> {
        let value = scope
            .find(&call.name)
            .and_then(|id| self.world.globals.get(id.0 as usize).cloned().flatten());
        let game = match (value, &call.arguments) {
            (Some(Value::Game(game)), _) => Some(game),
            (Some(Value::Function(function)), Some(arguments)) => {
                self.instance(&function, arguments, &part.title)?
            }
            _ => None,
        };
        let found = game.and_then(|game| self.world.games.ruleset_state(game));
        let id = found.map(|(id, ..)| id);
        Ok(id.filter(|id| self.world.games.is_like(*id, part)))
    }

    /// Returns the game that a family makes of these arguments; `None` if it refuses them.
    fn instance(
        &mut self,
        function: &Function,
        arguments: &[Report],
        title: &str,
    ) -> Result<Option<crate::player::GameId>> {
        let Function::Family { ruleset } = function else {
            return Ok(None);
        };
        let span = Span::new(self.sources.add("<game>", title), 0..0);
        let values = arguments.iter().map(|argument| self.value(argument, span));
        let values: Vec<Value> = values.collect::<Result<_>>()?;
        match self.evaluating(|evaluator| evaluator.instance(ruleset, &values, span)) {
            Ok(game) => Ok(Some(game)),
            Err(error) if error.code.is_stop() => Err(error),
            // A family of the same name may take other arguments, and is then not the one meant.
            Err(_) => Ok(None),
        }
    }

    /// Returns the names that a program defines. They are hidden from the session's own names.
    fn names_of(&mut self, program: &[u8]) -> Result<Scope> {
        // A program may come with thousands of games and is run once.
        let key = xxh3_128(program);
        if let Some(known) = self.visitors.get(&key) {
            return Ok(known.clone());
        }
        let read = Program::try_from_slice(program)
            .map_err(|why| broken(format!("these bytes are not a program: {why}")))?;
        let aside = Aside {
            files: Rc::clone(&self.files),
            scope: std::mem::take(&mut self.scope),
            defaults: std::mem::take(&mut self.defaults),
            numbers: std::mem::take(&mut self.numbers),
            loads: std::mem::take(&mut self.loads),
        };
        let summary = self.repeat(&read);
        let scope = std::mem::replace(&mut self.scope, aside.scope);
        self.files = aside.files;
        self.defaults = aside.defaults;
        self.numbers = aside.numbers;
        self.loads = aside.loads;
        // A program that was stopped is not kept, since some of its names may be missing.
        if summary.stopped {
            self.guard.check()?;
            return Ok(scope);
        }
        self.visitors.insert(key, scope.clone());
        Ok(scope)
    }

    /// Converts values to reports; `None` unless all of them can be restored from their reports.
    fn plain(&self, values: &[Value]) -> Result<Option<Vec<Report>>> {
        if !values.iter().all(is_plain) {
            return Ok(None);
        }
        let report = |value| eval::report(&self.world.games, value, &self.guard.context());
        Ok(Some(values.iter().map(report).collect::<Result<_, _>>()?))
    }
}

/// Returns `true` for a value that is determined by its report.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Integer(_)
        | Value::Rational(_)
        | Value::Chips(_)
        | Value::Bool(_)
        | Value::Text(_)
        | Value::Player(_)
        | Value::Empty
        | Value::Side(_)
        | Value::Rules(_)
        | Value::Outcome(_) => true,
        Value::List(items) => items.iter().all(is_plain),
        Value::Tuple(parts) => parts.iter().all(is_plain),
        _ => false,
    }
}

fn broken(message: String) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, message)
        .help("take the game anew from the session that it belongs to")
        .into()
}

fn renamed(title: &str, name: &str) -> Box<Diagnostic> {
    let message = format!(
        "the game {title} cannot travel: `{name}` does not make it any more, as its rules have changed"
    );
    Diagnostic::new(Code::UnknownName, message)
        .help("take the game anew, or give other rules another name")
        .into()
}

fn not_here(title: &str, version: &str) -> Box<Diagnostic> {
    let here = env!("CARGO_PKG_VERSION");
    let note = format!("it was packed by bid {version}; this is bid {here}");
    Diagnostic::new(
        Code::UnknownName,
        format!("the rules of the game {title} cannot be made here as they were"),
    )
    .note(note)
    .help("load the file that defines the game here too; a name that has been defined anew means another game now")
    .into()
}
