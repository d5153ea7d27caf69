//! The session at the prompt, for programs that hold values: Python, and not a page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::core::{Answer, Core};
use super::message::{Event, Request};
use crate::analysis::{Surroundings, complete};
use crate::diagnostic::Diagnostic;
use crate::interchange::EdgeList;
use crate::report::Report;
use crate::scalar::{NamedGame, Scalar};
use crate::session::{Program, Query, Summary};

/// A request to the session at the prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Prompt {
    /// Asks for help on a word: a name at the prompt, or a word of the language.
    Help(String),
    /// Runs text where these names stand for these values. Games among the answers may be asked
    /// about later.
    Evaluate(String, Vec<(String, Report)>),
    /// Answers a question that is put as values instead of text. Games among the answers may be
    /// asked about later.
    Query(Query),
    /// Makes a name stand for a value.
    Define(String, Report),
    /// Makes a game of a graph; the value is the game.
    Graph(EdgeList),
    /// Asks for games as bytes, for another session.
    Pack(Vec<NamedGame>),
    /// Makes games of such bytes, with the programs of the sessions that they come from; the value
    /// is a list of them.
    Unpack(Arc<[u8]>, Vec<Arc<[u8]>>),
    /// Does again what another session was told.
    Repeat(Arc<Program>),
    /// Asks for the files that have been loaded, with their texts.
    Loaded,
    /// Does something under these rules besides those of the prompt.
    Under(String, Box<Prompt>),
    /// Asks which method would answer an expression, and at what cost.
    Plan(String),
    /// Makes rules (`{ ties: marker }`, or a name) the default.
    Rules(String),
    /// Makes the definitions of a file visible.
    Load(PathBuf),
    /// Asks for the names that are visible.
    Names,
    /// Asks what may stand at the end of this text.
    Complete(String),
}

impl From<Prompt> for Request {
    fn from(prompt: Prompt) -> Self {
        Self::Prompt(Box::new(prompt))
    }
}

impl Core {
    pub(super) fn at_prompt(&mut self, request: Prompt, answer: &mut Answer<'_>) -> Summary {
        match self.done_at_prompt(request, answer) {
            Ok(summary) => summary,
            Err(wrong) => answer.wrong(self.prompt.sources(), &wrong),
        }
    }

    fn done_at_prompt(
        &mut self,
        request: Prompt,
        answer: &mut Answer<'_>,
    ) -> Result<Summary, Vec<Diagnostic>> {
        let one = |why: Box<Diagnostic>| vec![*why];
        let told = match request {
            Prompt::Help(word) => Event::Text(self.prompt.help(&word)),
            Prompt::Evaluate(text, names) => {
                self.prompt.lend_games();
                return Ok(self.prompt.evaluate(&text, &names, &mut |sources, event| {
                    answer.happened(None, sources, event)
                }));
            }
            Prompt::Query(query) => {
                self.prompt.lend_games();
                return Ok(self.prompt.query(&query, &mut |sources, event| {
                    answer.happened(None, sources, event)
                }));
            }
            Prompt::Define(name, value) => {
                self.prompt.define(&name, &value).map_err(one)?;
                return Ok(Summary::default());
            }
            Prompt::Graph(edges) => {
                self.prompt.lend_games();
                return Ok(self.prompt.graph(&edges, &mut |sources, event| {
                    answer.happened(None, sources, event)
                }));
            }
            Prompt::Pack(games) => Event::Packed(self.prompt.pack(&games).map_err(one)?),
            Prompt::Unpack(games, programs) => {
                self.prompt.lend_games();
                let games = self.prompt.unpack(&games, &programs).map_err(one)?;
                let games = games.into_iter().map(|game| Scalar::Game(game).into());
                value(Report::List(games.collect()))
            }
            Prompt::Repeat(program) => return Ok(self.prompt.repeat(&program)),
            Prompt::Loaded => Event::Loaded(self.prompt.loaded_files()),
            Prompt::Under(rules, inner) => {
                let before = self.prompt.put_under(&rules)?;
                let summary = self.at_prompt(*inner, answer);
                self.prompt.put_back(before);
                return Ok(summary);
            }
            Prompt::Plan(text) => {
                let name = self.prompt.next_input();
                let plans = self.prompt.plan(&name, &text)?;
                plans.into_iter().for_each(|plan| answer.tell(value(plan)));
                return Ok(Summary::default());
            }
            Prompt::Rules(text) => {
                let name = self.prompt.next_input();
                self.prompt.set_rules(&name, &text)?;
                return Ok(Summary::default());
            }
            Prompt::Load(path) => {
                return Ok(self.prompt.load(&path, &mut |sources, event| {
                    answer.happened(None, sources, event)
                }));
            }
            Prompt::Names => Event::Names(self.prompt.names()),
            Prompt::Complete(before) => {
                let names = self.prompt.names().into_iter().map(|symbol| symbol.name);
                let names: Vec<String> = names.collect();
                let around = Surroundings {
                    names: &names,
                    files: &self.documents,
                    folder: Path::new(""),
                };
                Event::Completion(complete(&before, &around))
            }
        };
        answer.tell(told);
        Ok(Summary::default())
    }
}

fn value(value: Report) -> Event {
    Event::Value {
        statement: None,
        place: None,
        label: None,
        value: Box::new(value),
    }
}
