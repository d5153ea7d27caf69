//! Answers one request after another: the engine without its threads.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::desk::Desk;
use super::guard::EngineGuard;
use super::message::{Event, FileChange, Finding, Id, Reply, Request};
use super::notebook::{Notebook, RunExtent};
use super::script::{Script, ScriptReader, Sights};
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Result};
use crate::eval::Dialogue;
use crate::files::{Documents, Files};
use crate::session::{self, EventSink, Session, Summary};
use crate::source::{SourceMap, Span};

/// A function that returns the dialogue partner who is asked for moves while a request is answered.
pub type Invite = dyn Fn(Id) -> Box<dyn Dialogue>;

/// The result of an action in the session at the prompt, or its errors.
pub type Done = Result<Summary, Vec<Diagnostic>>;

/// Documents with their analyses, and the sessions in which they are run.
pub struct Core {
    desk: Desk,
    notebooks: HashMap<PathBuf, Notebook>,
    prompt: Session,
    guard: Arc<EngineGuard>,
    invite: Option<Box<Invite>>,
}

/// The sink of the replies to a request.
struct ReplySink<'a> {
    id: Id,
    replies: &'a mut dyn FnMut(Reply),
    documents: Documents,
}

impl ReplySink<'_> {
    fn tell(&mut self, event: Event) {
        (self.replies)(Reply { id: self.id, event });
    }

    /// Reports an event of a session.
    fn happened(
        &mut self,
        statement: Option<Span>,
        sources: &SourceMap,
        event: session::SessionEvent,
    ) {
        // A place in another source has no place in the document.
        let within = move |span: Span| {
            statement
                .filter(|outer| outer.source == span.source)
                .map(|_| span.range())
        };
        let statement = statement.map(Span::range);
        let event = match event {
            session::SessionEvent::Shown { label, value, span } => Event::Value {
                statement,
                place: within(span),
                label: Some(label),
                value: Box::new(value),
            },
            session::SessionEvent::Value(value) => Event::Value {
                statement,
                place: None,
                label: None,
                value: Box::new(value),
            },
            session::SessionEvent::Check { failed } => Event::Check {
                statement,
                failed: failed.map(|why| Finding::of(&self.documents, sources, &why)),
            },
            session::SessionEvent::Diagnostic(diagnostic) => {
                Event::Finding(Finding::of(&self.documents, sources, &diagnostic))
            }
            session::SessionEvent::Test { name, phase } => Event::Test { name, phase },
        };
        self.tell(event);
    }

    /// Reports the events of a match since the last call.
    fn saw(&mut self, statement: Option<Span>, seen: &Sights) {
        for sight in seen.take() {
            self.tell(Event::Seen {
                statement: statement.map(Span::range),
                sight,
            });
        }
    }

    /// Reports all diagnostics, and returns the result of the request, which they end.
    fn wrong(&mut self, sources: &SourceMap, diagnostics: &[Diagnostic]) -> Summary {
        let mut summary = Summary::default();
        for diagnostic in diagnostics {
            summary.count(diagnostic);
            let finding = Finding::of(&self.documents, sources, diagnostic);
            self.tell(Event::Finding(finding));
        }
        summary
    }
}

impl Core {
    /// Creates an engine on these files, under this guard, without open documents.
    pub fn new(beneath: Rc<dyn Files>, guard: Arc<EngineGuard>) -> Self {
        let desk = Desk::new(beneath);
        let prompt = Session::over(Rc::new(desk.documents().clone()), Arc::clone(guard.guard()));
        Self {
            desk,
            notebooks: HashMap::new(),
            prompt,
            guard,
            invite: None,
        }
    }

    /// Sets the dialogue partner for `play`.
    pub fn set_invite(&mut self, invite: Box<Invite>) {
        self.invite = Some(invite);
    }

    /// Returns the desk, which answers questions about texts.
    pub fn desk(&mut self) -> &mut Desk {
        &mut self.desk
    }

    /// Records that a document or a file has changed.
    pub fn change(&mut self, change: &FileChange) {
        self.desk.change(change);
        if let FileChange::Close(path) = change {
            // The values of a closed document would only take memory.
            self.notebooks.remove(path);
        }
    }

    /// Answers a request. Its replies go to `replies`; the last of them is [`Event::Done`].
    pub fn answer(&mut self, id: Id, request: Request, replies: &mut dyn FnMut(Reply)) {
        self.watched(id, replies, |core, answer| match request {
            Request::Run(path, byte) => core.run(&path, byte, false, answer),
            Request::Value(path, byte) => core.run(&path, byte, true, answer),
            Request::Play(path, byte, script) => core.play(&path, byte, script, answer),
            Request::Enter(path, text) => core.enter(&path, &text, answer),
        });
    }

    /// Runs `act` on the session at the prompt. The events of the session go to `replies`, the last
    /// of them being [`Event::Done`].
    pub fn at_prompt(
        &mut self,
        id: Id,
        act: impl FnOnce(&mut Session, &mut EventSink<'_>) -> Done,
        replies: &mut dyn FnMut(Reply),
    ) {
        self.watched(id, replies, |core, answer| {
            if let Some(invite) = &core.invite {
                core.prompt.set_dialogue(invite(id));
            }
            let done = act(&mut core.prompt, &mut |sources, event| {
                answer.happened(None, sources, event)
            });
            done.unwrap_or_else(|wrong| answer.wrong(core.prompt.sources(), &wrong))
        });
    }

    /// Runs `act` under the guard, unless the request was stopped before it began, and reports the
    /// result.
    fn watched(
        &mut self,
        id: Id,
        replies: &mut dyn FnMut(Reply),
        act: impl FnOnce(&mut Self, &mut ReplySink<'_>) -> Summary,
    ) {
        let documents = self.desk.documents().clone();
        let mut answer = ReplySink {
            id,
            replies,
            documents,
        };
        let mut summary = Summary {
            stopped: true,
            ..Summary::default()
        };
        if self.guard.begin(id) {
            summary = act(self, &mut answer);
            self.guard.end();
        }
        // Every request ends with this event, so that the receiver never waits in vain.
        answer.tell(Event::Done(summary));
    }

    /// Runs a statement with the statements that it needs, and reports the value that it names if
    /// `tells_value` is set.
    fn run(
        &mut self,
        path: &Path,
        byte: usize,
        tells_value: bool,
        answer: &mut ReplySink<'_>,
    ) -> Summary {
        self.with_notebook(path, answer, |notebook, analysis, text, answer| {
            let sink =
                &mut |span, sources: &SourceMap, event| answer.happened(span, sources, event);
            match notebook.run(analysis, text, RunExtent::At(byte), sink) {
                (Some(prepared), summary) if tells_value && summary == Summary::default() => {
                    notebook.tell_value(&prepared, analysis, byte, sink)
                }
                (_, summary) => summary,
            }
        })
    }

    /// Runs a statement in which the partner of `play` reads the answers from a script.
    fn play(
        &mut self,
        path: &Path,
        byte: usize,
        script: Script,
        answer: &mut ReplySink<'_>,
    ) -> Summary {
        let seen = Sights::default();
        let partner = ScriptReader::new(script, Rc::clone(&seen));
        self.with_notebook(path, answer, |notebook, analysis, text, answer| {
            notebook.set_dialogue(Box::new(partner));
            let mut sink = |span, sources: &SourceMap, event| {
                // Events of the match come before the value that ends it.
                answer.saw(span, &seen);
                answer.happened(span, sources, event);
            };
            let (_, summary) = notebook.run(analysis, text, RunExtent::At(byte), &mut sink);
            answer.saw(None, &seen);
            summary
        })
    }

    /// Runs text with the names of a document in scope.
    fn enter(&mut self, path: &Path, text: &str, answer: &mut ReplySink<'_>) -> Summary {
        self.with_notebook(path, answer, |notebook, analysis, document, answer| {
            let mut sink = |span, sources: &SourceMap, event| {
                // Values and checks of the document belong to its own cells, not to this input.
                if let session::SessionEvent::Diagnostic(_) = event {
                    answer.happened(span, sources, event);
                }
            };
            let (prepared, summary) =
                notebook.run(analysis, document, RunExtent::Definitions, &mut sink);
            let Some(prepared) = prepared.filter(|_| !summary.stopped) else {
                return summary;
            };
            let session = notebook.session();
            session.adopt(&prepared);
            let name = session.next_input();
            session.run_text(&name, text, &mut |sources, event| {
                answer.happened(None, sources, event)
            })
        })
    }

    /// Runs `act` on the notebook of a document in its present state, its analysis, and its text
    /// with the checksum of the files that it uses. A document that cannot be read is reported.
    fn with_notebook(
        &mut self,
        path: &Path,
        answer: &mut ReplySink<'_>,
        act: impl FnOnce(&mut Notebook, &Analysis, (&str, u128), &mut ReplySink<'_>) -> Summary,
    ) -> Summary {
        let context = self.guard.context();
        let read = self.desk.analysis(path, &context).and_then(|analysis| {
            let uses = self.desk.uses(&analysis, &context)?;
            Ok((analysis, uses))
        });
        let (analysis, uses) = match read {
            Ok(read) => read,
            Err(why) => return answer.wrong(self.desk.workspace().sources(), &[*why]),
        };
        let is_stale = self
            .notebooks
            .get(path)
            .is_none_or(|notebook| notebook.is_stale(uses));
        if is_stale {
            self.notebooks.insert(
                path.to_owned(),
                Notebook::new(self.desk.documents(), Arc::clone(self.guard.guard())),
            );
        }
        let notebook = self
            .notebooks
            .get_mut(path)
            .expect("it has just been put there");
        if let Some(invite) = &self.invite {
            notebook.set_dialogue(invite(answer.id));
        }
        let text = self.desk.workspace().text(&analysis).1;
        act(notebook, &analysis, (text, uses), answer)
    }
}
