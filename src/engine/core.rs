//! What answers messages, one after another: the engine without its threads.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::cells::cells;
use super::message::{
    Change, Event, Finding, Id, Mending, Message, Part, Phase, Place, Question, Reply, Request,
};
use super::notebook::{self, Notebook};
use super::script::{Reader, Script, Seen};
use super::watch::EngineWatch;
use crate::analysis::{Analysis, Location, Renamed, Use, Workspace};
use crate::diagnostic::{Diagnostic, Fix, Label, Result};
use crate::eval::Dialogue;
use crate::files::{self, Documents, Files};
use crate::render;
use crate::session::{self, Session, Summary};
use crate::source::{SourceMap, Span};

/// Who is asked for moves while a request is answered, if anybody can be.
pub type Invite = dyn Fn(Id) -> Box<dyn Dialogue>;

/// Documents, what is known of them, and the sessions in which they are run.
pub struct Core {
    pub(super) documents: Documents,
    workspace: Workspace,
    notebooks: HashMap<PathBuf, Notebook>,
    pub(super) prompt: Session,
    context: Arc<EngineWatch>,
    invite: Option<Box<Invite>>,
}

/// Where replies to a request go.
pub(super) struct Answer<'a> {
    id: Id,
    replies: &'a mut dyn FnMut(Reply),
    documents: Documents,
}

impl Answer<'_> {
    pub(super) fn tell(&mut self, event: Event) {
        (self.replies)(Reply { id: self.id, event });
    }

    /// Tells what happened in a session.
    pub(super) fn happened(
        &mut self,
        statement: Option<Span>,
        sources: &SourceMap,
        event: session::Event,
    ) {
        // What stands in another source has no place in the document.
        let within = move |span: Span| {
            statement
                .filter(|outer| outer.source == span.source)
                .map(|_| span.range())
        };
        let statement = statement.map(Span::range);
        let event = match event {
            session::Event::Shown { label, value, span } => Event::Value {
                statement,
                place: within(span),
                label: Some(label),
                value: Box::new(value),
            },
            session::Event::Value(value) => Event::Value {
                statement,
                place: None,
                label: None,
                value: Box::new(value),
            },
            session::Event::CheckPassed { .. } => Event::Check {
                statement,
                failed: None,
            },
            session::Event::CheckFailed(why) => Event::Check {
                statement,
                failed: Some(finding(&self.documents, sources, &why)),
            },
            session::Event::Diagnostic(diagnostic) => {
                Event::Finding(finding(&self.documents, sources, &diagnostic))
            }
            session::Event::TestStarted { name, .. } => Event::Test {
                name,
                phase: Phase::Started,
            },
            session::Event::TestEnded { name } => Event::Test {
                name,
                phase: Phase::Ended,
            },
            session::Event::TestSkipped { name } => Event::Test {
                name,
                phase: Phase::Skipped,
            },
        };
        self.tell(event);
    }

    /// Tells what has been seen in a match since the last time.
    fn saw(&mut self, statement: Option<Span>, seen: &Seen) {
        for sight in seen.take() {
            self.tell(Event::Seen {
                statement: statement.map(Span::range),
                sight,
            });
        }
    }

    /// Tells all that is wrong; how a request went that this ends.
    pub(super) fn wrong(&mut self, sources: &SourceMap, diagnostics: &[Diagnostic]) -> Summary {
        let mut summary = Summary::default();
        for diagnostic in diagnostics {
            summary.count(diagnostic);
            let finding = finding(&self.documents, sources, diagnostic);
            self.tell(Event::Finding(finding));
        }
        summary
    }
}

impl Core {
    /// An engine on these files, watched over; nothing is open.
    pub fn new(beneath: Rc<dyn Files>, context: Arc<EngineWatch>) -> Self {
        let documents = Documents::over(beneath);
        let prompt = Session::over(Rc::new(documents.clone()), Arc::clone(context.guard()));
        let workspace = Workspace::new(documents.clone());
        Self {
            documents,
            workspace,
            notebooks: HashMap::new(),
            prompt,
            context,
            invite: None,
        }
    }

    /// Lets `play` talk with somebody.
    pub fn set_invite(&mut self, invite: Box<Invite>) {
        self.invite = Some(invite);
    }

    /// Takes a message; what comes of it goes to `replies`, the last of them being [`Event::Done`]
    /// if it is a request.
    pub fn handle(&mut self, message: Message, replies: &mut dyn FnMut(Reply)) {
        match message {
            Message::Change(change) => self.change(&change),
            Message::Request(id, request) => {
                let mut answer = Answer {
                    id,
                    replies,
                    documents: self.documents.clone(),
                };
                let summary = if self.context.begin(id) {
                    let summary = self.answer(request, &mut answer);
                    self.context.end();
                    summary
                } else {
                    Summary {
                        stopped: true,
                        ..Summary::default()
                    }
                };
                answer.tell(Event::Done(summary));
            }
        }
    }

    fn change(&mut self, change: &Change) {
        // A name may mean another file once a document is open or closed: what was known is
        // forgotten under both.
        self.workspace.forget(change.path());
        match change {
            Change::Open(path, text) => self.documents.set(path, text.as_str()),
            Change::Close(path) => {
                self.documents.close(path);
                self.notebooks.remove(path);
            }
            Change::Disk(_) => {}
        }
        self.workspace.forget(change.path());
    }

    fn answer(&mut self, request: Request, answer: &mut Answer<'_>) -> Summary {
        if let Some(invite) = &self.invite {
            self.prompt.set_dialogue(invite(answer.id));
        }
        match request {
            Request::Ask(path, question) => self.question(&path, question, answer),
            Request::Explain(code) => {
                answer.tell(Event::Text(Some(code.page().to_owned())));
                Summary::default()
            }
            Request::Run(path, part) => self.run(&path, part, answer),
            Request::Play(path, part, script) => self.play(&path, part, script, answer),
            Request::Enter(None, text) => self.prompt.enter(&text, &mut |sources, event| {
                answer.happened(None, sources, event)
            }),
            Request::Enter(Some(path), text) => self.enter(&path, &text, answer),
            Request::Library => {
                answer.tell(Event::Library(files::library()));
                Summary::default()
            }
            #[cfg(not(target_family = "wasm"))]
            Request::Prompt(prompt) => self.at_prompt(*prompt, answer),
        }
    }

    /// What is known of a document.
    fn analysis(&mut self, path: &Path) -> Result<Rc<Analysis>> {
        self.workspace.analysis(path, &self.context.context())
    }

    fn question(&mut self, path: &Path, question: Question, answer: &mut Answer<'_>) -> Summary {
        let analysis = match self.analysis(path) {
            Ok(analysis) => analysis,
            Err(why) => return answer.wrong(self.workspace.sources(), &[*why]),
        };
        let workspace = &self.workspace;
        answer.tell(match question {
            Question::Diagnose => {
                let findings = analysis.diagnostics.iter();
                let findings =
                    findings.map(|wrong| finding(&self.documents, workspace.sources(), wrong));
                Event::Diagnostics(findings.collect())
            }
            Question::Complete(byte) => Event::Completion(workspace.complete(&analysis, byte)),
            Question::Describe(byte) => Event::Description(workspace.describe(&analysis, byte)),
            Question::Call(byte) => Event::Call(workspace.call_at(&analysis, byte)),
            Question::Definition(byte) => Event::Locations(
                workspace
                    .definition(&analysis, byte)
                    .into_iter()
                    .collect::<Vec<Location>>(),
            ),
            Question::References(byte) => Event::Locations(workspace.references(&analysis, byte)),
            Question::Rename(byte) => renamed(workspace.renamable(&analysis, byte)),
            Question::RenameTo(byte, name) => {
                match workspace.renamed(&analysis, byte, &name, &self.context.context()) {
                    Ok(found) => renamed(found),
                    Err(why) => return answer.wrong(workspace.sources(), &[*why]),
                }
            }
            Question::Outline => Event::Outline(workspace.outline(&analysis)),
            Question::Tokens => Event::Tokens(workspace.tokens(&analysis)),
            Question::Cells => Event::Cells(cells(&analysis, workspace.text(&analysis).1)),
            Question::Uses => Event::Uses(
                analysis
                    .uses
                    .iter()
                    .filter(|used| used.is_found)
                    .map(used)
                    .collect(),
            ),
            Question::Folds => Event::Folds(workspace.folds(&analysis)),
            Question::Selections(byte) => Event::Selections(workspace.selections(&analysis, byte)),
            Question::Format => Event::Formatted(workspace.formatted(&analysis, None)),
            Question::FormatPart { start, end } => {
                Event::Formatted(workspace.formatted(&analysis, Some(start..end)))
            }
        });
        Summary::default()
    }

    fn run(&mut self, path: &Path, part: Part, answer: &mut Answer<'_>) -> Summary {
        let done = self.with_notebook(path, answer.id, |notebook, analysis, text| {
            let sink =
                &mut |span, sources: &SourceMap, event| answer.happened(span, sources, event);
            let (prepared, summary) = notebook.run(analysis, text, part, sink);
            match (part, prepared) {
                (Part::Value(byte), Some(prepared)) if summary == Summary::default() => {
                    notebook.tell_value(&prepared, analysis, byte, sink)
                }
                _ => summary,
            }
        });
        done.unwrap_or_else(|why| answer.wrong(self.workspace.sources(), &[*why]))
    }

    /// The same, where `play` has a partner who reads from a script.
    fn play(
        &mut self,
        path: &Path,
        part: Part,
        script: Script,
        answer: &mut Answer<'_>,
    ) -> Summary {
        let seen = Seen::default();
        let partner = Reader::new(script, Rc::clone(&seen));
        let done = self.with_notebook(path, answer.id, |notebook, analysis, text| {
            notebook.set_dialogue(Box::new(partner));
            let mut sink = |span, sources: &SourceMap, event| {
                answer.saw(span, &seen);
                answer.happened(span, sources, event);
            };
            notebook.run(analysis, text, part, &mut sink).1
        });
        answer.saw(None, &seen);
        done.unwrap_or_else(|why| answer.wrong(self.workspace.sources(), &[*why]))
    }

    /// Runs text where the names of a document are visible.
    fn enter(&mut self, path: &Path, text: &str, answer: &mut Answer<'_>) -> Summary {
        let done = self.with_notebook(path, answer.id, |notebook, analysis, document| {
            let mut sink = |span, sources: &SourceMap, event| match event {
                session::Event::Diagnostic(_) => answer.happened(span, sources, event),
                session::Event::Shown { .. }
                | session::Event::Value(_)
                | session::Event::CheckPassed { .. }
                | session::Event::CheckFailed(_)
                | session::Event::TestStarted { .. }
                | session::Event::TestSkipped { .. }
                | session::Event::TestEnded { .. } => {}
            };
            let (prepared, summary) =
                notebook.run(analysis, document, Part::Definitions, &mut sink);
            let Some(prepared) = prepared.filter(|_| !summary.stopped) else {
                return summary;
            };
            let session = notebook.session();
            session.adopt(&prepared);
            let name = session.next_input();
            session.run_text(&name, text, &mut |sources, event| {
                answer.happened(None, sources, event)
            })
        });
        done.unwrap_or_else(|why| answer.wrong(self.workspace.sources(), &[*why]))
    }

    /// Does something with the notebook of a document as it is now, what is known of it, and its
    /// text.
    fn with_notebook<T>(
        &mut self,
        path: &Path,
        id: Id,
        act: impl FnOnce(&mut Notebook, &Analysis, (&str, u128)) -> T,
    ) -> Result<T> {
        let analysis = self.analysis(path)?;
        let uses = notebook::uses(&mut self.workspace, &analysis, &self.context.context())?;
        let is_stale = self
            .notebooks
            .get(path)
            .is_none_or(|notebook| notebook.is_stale(uses));
        if is_stale {
            self.notebooks.insert(
                path.to_owned(),
                Notebook::new(&self.documents, Arc::clone(self.context.guard())),
            );
        }
        let notebook = self
            .notebooks
            .get_mut(path)
            .expect("it has just been put there");
        if let Some(invite) = &self.invite {
            notebook.set_dialogue(invite(id));
        }
        Ok(act(
            notebook,
            &analysis,
            (self.workspace.text(&analysis).1, uses),
        ))
    }
}

/// Where a file is used, and its beginning.
fn used(used: &Use) -> (Range<usize>, Location) {
    (
        used.span.range(),
        Location {
            path: used.path.clone(),
            range: 0..0,
        },
    )
}

/// A diagnostic that needs no sources to be understood.
fn finding(documents: &Documents, sources: &SourceMap, diagnostic: &Diagnostic) -> Finding {
    let document = |span: Span| {
        let name = Path::new(&sources.get(span.source).name);
        documents
            .canonical(name)
            .unwrap_or_else(|_| name.to_owned())
    };
    let place = |label: &Label| Place {
        document: document(label.span),
        range: label.span.range(),
        text: label.text.clone(),
    };
    let mending = |fix: &Fix| {
        let edits = fix
            .edits
            .iter()
            .map(|edit| (document(edit.span), edit.span.range(), edit.text.clone()));
        Mending {
            title: fix.title.clone(),
            edits: edits.collect(),
        }
    };
    Finding {
        code: diagnostic.code,
        severity: diagnostic.severity(),
        message: diagnostic.message.clone(),
        places: diagnostic.labels.iter().map(place).collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
        mendings: diagnostic.fixes.iter().map(mending).collect(),
        drawn: render::diagnostic(sources, diagnostic, false),
    }
}

fn renamed(found: Renamed) -> Event {
    match found {
        Renamed::At(places) => Event::Locations(places),
        Renamed::Refused(why) => Event::Refused(why),
    }
}
