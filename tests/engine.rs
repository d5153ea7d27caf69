//! The engine as its front ends use it: questions at a desk, requests in, events out.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use bid::analysis::Analysis;
use bid::engine::wire::{self, WireOrder, WireQuestion};
use bid::engine::{
    CellKind, Core, Desk, DocumentCell, Done, Engine, EngineGuard, Event, FileChange, Finding, Id,
    Phase, Reply, Request, Script,
};
use bid::session::{Callee, EventSink, Query, QueryArgument, Session, Summary};
use bid_language::diagnostic::Code;
use bid_language::files::{Documents, Files};
use bid_language::player::Player;
use bid_language::scalar::Scalar;
use bid_language::watch::{Limits, Settings, Timer};
use bid_report::Report;
use serde_json::{Value, json};

use crate::support::Disk;

/// An engine and its replies.
struct Client {
    engine: Engine,
    replies: Receiver<Reply>,
}

/// The events of a request except progress, and its result.
struct Answer {
    events: Vec<Event>,
    summary: Summary,
}

impl Client {
    fn on(files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static) -> Self {
        let (sender, replies) = mpsc::channel();
        let engine = Engine::start_for_worksheet(files, move |reply, _| drop(sender.send(reply)))
            .expect("there are threads");
        Self { engine, replies }
    }

    /// Starts an engine without files.
    fn alone() -> Self {
        Self::on(|| Rc::new(Documents::alone()))
    }

    /// Starts an engine on the repository's files.
    fn on_disk() -> Self {
        Self::on(|| Rc::new(Disk))
    }

    fn open(&self, path: &str, text: &str) {
        self.engine
            .change(FileChange::Open(path.into(), text.to_owned()));
    }

    /// Returns the next event of a request.
    fn next(&self, id: Id) -> Event {
        loop {
            let reply = self.replies.recv().expect("the engine answers");
            if reply.id == id {
                return reply.event;
            }
        }
    }

    /// Waits until a request has begun its work.
    fn wait_for_progress(&self, id: Id) {
        match self.next(id) {
            Event::Progress(progress) => assert!(!progress.stage.is_empty()),
            other => panic!("it is over: {other:?}"),
        }
    }

    /// Returns all events of a request except progress, and its result.
    fn all(&self, id: Id) -> Answer {
        let mut events = Vec::new();
        loop {
            match self.next(id) {
                Event::Done(summary) => return Answer { events, summary },
                Event::Progress(_) => {}
                event => events.push(event),
            }
        }
    }

    fn answer(&self, request: Request) -> Answer {
        self.all(self.engine.request(request))
    }

    /// Runs the statement at a byte.
    fn run(&self, path: &str, byte: usize) -> String {
        written(&self.answer(Request::Run(path.into(), byte)).events)
    }

    /// Runs all statements with output, one after the other.
    fn run_all(&self, path: &str) -> String {
        let cells = self.at_desk(path, Desk::cells);
        let said = cells.iter().filter(|cell| cell.kind != CellKind::Silent);
        said.map(|cell| self.run(path, cell.range.start)).collect()
    }

    /// Asks the desk about a document.
    fn at_desk<T: Send + 'static>(
        &self,
        path: &str,
        question: impl FnOnce(&Desk, &Analysis) -> T + Send + 'static,
    ) -> T {
        let (sender, answers) = mpsc::channel();
        let (id, path) = (self.next_id(), PathBuf::from(path));
        let about = path.clone();
        let is_asked = self.engine.ask(id, Some(&about), move |desk, guard| {
            let analysis = desk
                .analysis(&path, &guard.context())
                .expect("it can be read");
            drop(sender.send(question(desk, &analysis)));
        });
        assert!(is_asked);
        answers.recv().expect("the desk answers")
    }

    /// Returns a number that no request has had.
    fn next_id(&self) -> Id {
        let nothing = |_: &mut Session, _: &mut EventSink<'_>| Ok(Summary::default());
        let last = self.engine.at_prompt(None, nothing);
        self.all(last);
        last + 1
    }

    fn at_prompt(
        &self,
        act: impl FnOnce(&mut Session, &mut EventSink<'_>) -> Done + Send + 'static,
    ) -> Answer {
        self.all(self.engine.at_prompt(None, act))
    }

    fn query(&self, query: Query) -> Answer {
        self.at_prompt(move |session, sink| {
            session.lend_games();
            Ok(session.query(&query, sink))
        })
    }

    fn load(&self, path: &'static str) -> Answer {
        self.at_prompt(move |session, sink| Ok(session.load(path.as_ref(), sink)))
    }

    fn evaluate(&self, text: &str, names: &[(&str, i64)]) -> Answer {
        self.at_prompt(evaluate(text, names))
    }

    fn enter(&self, text: &str) -> String {
        let text = text.to_owned();
        written(
            &self
                .at_prompt(move |session, sink| Ok(session.enter(&text, sink)))
                .events,
        )
    }

    fn findings(&self, path: &str) -> Vec<Finding> {
        self.at_desk(path, Desk::findings)
    }
}

/// Runs text in which names denote integers.
fn evaluate(
    text: &str,
    names: &[(&str, i64)],
) -> impl FnOnce(&mut Session, &mut EventSink<'_>) -> Done + Send + use<> {
    let names: Vec<(String, Report)> = names
        .iter()
        .map(|(name, value)| ((*name).to_owned(), integer(*value)))
        .collect();
    let text = text.to_owned();
    move |session, sink| {
        session.lend_games();
        Ok(session.evaluate(&text, &names, sink))
    }
}

/// Formats events in short: `6..14 label = value`.
fn written(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        let line = match event {
            Event::Value {
                statement,
                label,
                value,
                ..
            } => {
                let at = statement
                    .as_ref()
                    .map_or(String::new(), |at| format!("{}..{} ", at.start, at.end));
                let label = label
                    .as_ref()
                    .map_or(String::new(), |label| format!("{label} = "));
                format!("{at}{label}{value}")
            }
            Event::Check { failed: None, .. } => "held".to_owned(),
            Event::Check {
                failed: Some(why), ..
            } => format!("failed: {}", why.message),
            Event::Finding(finding) => {
                let at: Vec<String> = finding
                    .places
                    .iter()
                    .map(|place| {
                        format!(
                            "{}:{}..{}",
                            place.document.display(),
                            place.range.start,
                            place.range.end
                        )
                    })
                    .collect();
                format!("{} {}", finding.code.as_str(), at.join(" "))
            }
            Event::Test { name, phase } => format!("{phase:?} {name}"),
            other => format!("{other:?}"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[test]
fn values_come_with_their_statements() {
    let client = Client::alone();
    client.open(
        "a.bid",
        "let x = 1/2\nshow x + 1\nx * 4\ncheck x < 1\ncheck x > 1\ntest \"t\" { show 2 }\n",
    );
    let out = client.run_all("a.bid");
    assert_eq!(
        out,
        "12..22 x + 1 = 3/2\n23..28 2\nheld\nfailed: the check failed\nStarted t\n53..72 2 = 2\nEnded t\n"
    );
}

#[test]
fn the_prompt_keeps_what_is_defined() {
    let client = Client::alone();
    assert_eq!(client.enter("let half = 1/2"), "");
    assert_eq!(client.enter("half + half"), "1\n");
    assert_eq!(client.enter("hal"), "E0201 <input 3>:0..3\n");
    let (sender, answers) = mpsc::channel();
    let Answer { events, summary } = client.at_prompt(move |session, sink| {
        let name = session.next_input();
        session.set_rules(&name, "{ pay: poorman }")?;
        drop(sender.send((session.names(), session.help("half"))));
        for plan in session.plan(&name, "R(A)")? {
            sink(session.sources(), bid::session::SessionEvent::Value(plan));
        }
        Ok(Summary::default())
    });
    assert_eq!(summary, Summary::default());
    let (names, help) = answers.recv().expect("they were asked for");
    assert!(
        names
            .iter()
            .any(|known| known.name == "half" && !known.builtin)
    );
    assert!(help.is_some_and(|help| help.starts_with("half\n")));
    assert!(matches!(&events[..], [Event::Value { .. }]), "{events:?}");
    let Answer { events, summary } = client.at_prompt(|session, _| {
        session.set_rules("<rules>", "{ pay: nobody }")?;
        Ok(Summary::default())
    });
    assert_eq!((summary.errors, events.len()), (1, 1));
}

/// Checks that two unsaved documents, of which one imports the other, are run and analysed with the
/// present text of the other.
#[test]
fn unsaved_imports_are_read_again() {
    let client = Client::alone();
    client.open("main.bid", "use \"lib.bid\"\nlet y = x + 1\nshow y\n");
    assert_eq!(
        client.findings("main.bid").len(),
        1,
        "there is no lib.bid yet"
    );
    client.open("lib.bid", "let x = 1\n");
    assert_eq!(client.findings("main.bid"), []);
    assert_eq!(client.run_all("main.bid"), "28..34 y = 2\n");
    client.open("lib.bid", "let x = 10\n");
    assert_eq!(client.run_all("main.bid"), "28..34 y = 11\n");
    client.open("lib.bid", "let z = 10\n");
    let findings = client.findings("main.bid");
    assert_eq!(findings.len(), 1);
    assert_eq!(
        (
            findings[0].code.as_str(),
            findings[0].places[0].range.clone()
        ),
        ("E0201", 22..23)
    );
    assert!(
        findings[0].drawn.contains("main.bid:2:9"),
        "{}",
        findings[0].drawn
    );
    client.engine.change(FileChange::Close("lib.bid".into()));
    assert_eq!(client.findings("main.bid")[0].code.as_str(), "E0801");
}

#[test]
fn the_disk_counts_again_when_a_document_is_closed() {
    let client = Client::on_disk();
    client.open("main.bid", "use \"games/classics.bid\"\nR(tictactoe)\n");
    client.open("games/classics.bid", "game tictactoe = A\n");
    assert_eq!(client.run_all("main.bid"), "25..37 0\n");
    client
        .engine
        .change(FileChange::Close("games/classics.bid".into()));
    assert_eq!(client.run_all("main.bid"), "25..37 133/256\n");
}

/// Checks that a statement runs with the statements that it needs, despite errors elsewhere; its
/// places are those of the document.
#[test]
fn statements_run_alone() {
    let client = Client::alone();
    let text = "let a = 1\nlet broken = (\nlet b = a + 1\nshow b\nshow 1 / (b - 2)\nshow later(3)\nlet later(n) = n * b\n";
    client.open("a.bid", text);
    let at = |part: &str| text.find(part).expect("it is there");
    assert_eq!(client.run("a.bid", at("show b")), "39..45 b = 2\n");
    let zero = text.find("b - 2").expect("it is there");
    assert_eq!(
        client.run("a.bid", at("show 1 /")),
        format!("E0704 a.bid:{}..{}\n", zero, zero + "b - 2".len())
    );
    assert_eq!(
        client.run("a.bid", at("show later")),
        "E0201 a.bid:68..73 a.bid:81..86\n",
        "as when all of it runs"
    );
    assert_eq!(client.run("a.bid", 0), "", "a definition says nothing");
    assert!(client.run("a.bid", at("let broken")).starts_with("E0102 "));
    let entered = client.answer(Request::Enter("a.bid".into(), "later(b) + a".into()));
    assert_eq!(written(&entered.events), "5\n");
    client.open("b.bid", "use \"lib.bid\"\nusing { ties: marker }\nshow 1\n");
    client.open("lib.bid", "let half = 1/2\n");
    let entered = client.answer(Request::Enter("b.bid".into(), "half".into()));
    assert_eq!(
        written(&entered.events),
        "1/2\n",
        "a name that comes with `use` is visible, though nothing in the document needs it"
    );
}

/// Checks that a definition keeps its value as long as its text and the texts that it needs are
/// unchanged, and that an error in it is reported at its present place.
#[test]
fn definitions_keep_their_values() {
    let client = Client::on_disk();
    let text = |take: &str, more: &str| {
        format!("{more}use \"games/classics.bid\"\nlet n = {take}\nlet x = R(hex(3, n))\nshow x\n")
    };
    client.open("a.bid", &text("2", ""));
    let first = client.run_all("a.bid");
    assert!(first.contains(" x = "), "{first}");
    let value = first
        .split(" x = ")
        .nth(1)
        .expect("it has a value")
        .to_owned();
    let few = Limits {
        max_positions: 5,
        ..Limits::default()
    };
    client.engine.set(Settings {
        limits: few,
        timeout: None,
    });
    client.open("a.bid", &text("2", "// A comment above.\n"));
    let again = client.run_all("a.bid");
    assert_eq!(
        again.split(" x = ").nth(1),
        Some(value.as_str()),
        "it is not worked out again: {again}"
    );
    client.open("a.bid", &text("3", ""));
    let changed = client.run_all("a.bid");
    assert!(
        changed.starts_with("E09"),
        "what it needs has changed: {changed}"
    );
}

/// Checks that a function of a value whose evaluation was stopped works once the value exists.
#[test]
fn values_that_were_stopped_are_there_later() {
    let client = Client::on_disk();
    client.open(
        "a.bid",
        "use \"games/classics.bid\"\nlet x = R(hex(2, 2))\nlet times(n) = n * x\nshow times(0)\n",
    );
    client.engine.set(Settings {
        limits: Limits {
            max_positions: 1,
            ..Limits::default()
        },
        timeout: None,
    });
    let stopped = client.run_all("a.bid");
    assert!(stopped.starts_with("E0901"), "{stopped}");
    client.engine.set(Settings::default());
    for _ in 0..2 {
        let mended = client.run_all("a.bid");
        assert!(mended.ends_with(" times(0) = 0\n"), "{mended}");
    }
}

/// Checks the place of an error in a function that was defined before the text above it grew.
#[test]
fn errors_stand_where_the_text_stands_now() {
    let client = Client::alone();
    client.open(
        "a.bid",
        "let inverse(n) = 1 / n\nlet y = inverse(1)\nshow inverse(0)\n",
    );
    assert_eq!(client.run_all("a.bid"), "E0704 a.bid:21..22\n");
    client.open(
        "a.bid",
        "// More.\nlet inverse(n) = 1 / n\nlet y = inverse(1)\nshow inverse(0)\n",
    );
    assert_eq!(client.run_all("a.bid"), "E0704 a.bid:30..31\n");
}

/// A game that takes a sweep of 400 million positions.
const LONG: &str = "\
game long(n) {
    state x = n
    state y = n
    move first if x > 0 { x -= 1 }
    move second if y > 0 { y -= 1 }
    win bob if x + y == 0
}
show R(long(20000))
";

/// Starts to run the last statement of a document with that game.
fn long_run(client: &Client) -> Request {
    client.open("a.bid", LONG);
    Request::Run("a.bid".into(), LONG.find("show").expect("it is there"))
}

/// Checks that work of hours can be stopped; the engine goes on, and the next request is answered.
#[test]
fn long_work_is_stopped() {
    let client = Client::on_disk();
    let id = client.engine.request(long_run(&client));
    let waiting = client.engine.at_prompt(None, evaluate("1 + 1", &[]));
    let never = client.engine.at_prompt(None, evaluate("2 + 2", &[]));
    client.engine.stop(never);
    client.wait_for_progress(id);
    // Meanwhile questions about texts are answered, and another statement is run.
    let (sender, answers) = mpsc::channel();
    let path = PathBuf::from("a.bid");
    assert!(client.engine.ask(never + 1, None, move |desk, guard| {
        let analysis = desk
            .analysis(&path, &guard.context())
            .expect("it can be read");
        drop(sender.send(desk.findings(&analysis)));
    }));
    assert_eq!(answers.recv(), Ok(Vec::new()));
    let beside = Request::Enter("a.bid".into(), "2 * 2".into());
    assert!(client.engine.request_beside(never + 2, beside));
    assert_eq!(written(&client.all(never + 2).events), "4\n");
    client.engine.stop(id);
    let Answer { events, summary } = client.all(id);
    assert!(summary.stopped, "{events:?}");
    assert!(
        matches!(&events[..], [Event::Finding(why)] if why.code.as_str() == "E0904"),
        "{events:?}"
    );
    assert_eq!(written(&client.all(waiting).events), "2\n");
    let Answer { events, summary } = client.all(never);
    assert!(events.is_empty() && summary.stopped);
    assert_eq!(client.enter("3 + 3"), "6\n");
}

#[test]
fn limits_stop_work_too() {
    let client = Client::on_disk();
    let request = long_run(&client);
    let timeout = Some(std::time::Duration::from_millis(1));
    client.engine.set(Settings {
        timeout,
        ..Settings::default()
    });
    let Answer { events, summary } = client.answer(request);
    assert!(summary.stopped, "{events:?}");
    assert!(written(&events).starts_with("E0903"), "{events:?}");
}

/// Checks that dropping an engine during work ends that work.
#[test]
fn a_dropped_engine_ends() {
    let client = Client::on_disk();
    let id = client.engine.request(long_run(&client));
    client.wait_for_progress(id);
    let Client { engine, replies } = client;
    drop(engine);
    assert!(
        replies
            .into_iter()
            .last()
            .is_some_and(|reply| matches!(reply.event, Event::Done(_)))
    );
}

/// Checks that questions about a text that has changed are stopped or answered, never lost.
#[test]
fn every_question_is_answered() {
    let client = Client::on_disk();
    let ((sender, said), mut asked) = (mpsc::channel(), Vec::new());
    for edit in 0..50 {
        client.open(
            "a.bid",
            &format!("use \"games/classics.bid\"\nlet tower{edit} = R(E)\nshow tower_{edit}"),
        );
        for question in [
            WireQuestion::Analyse("a.bid".into()),
            WireQuestion::Complete("a.bid".into(), 40),
            WireQuestion::Describe("a.bid".into(), 30),
            WireQuestion::Library,
        ] {
            let (id, sender) = (asked.len() as Id + 1, sender.clone());
            let about = question.path().cloned();
            let is_asked = client.engine.ask(id, about.as_ref(), move |desk, guard| {
                wire::ask(desk, guard, id, &question, &mut |text| {
                    drop(sender.send(text));
                });
            });
            assert!(is_asked);
            asked.push(id);
        }
    }
    assert!(
        !client
            .engine
            .ask(1, None, |_, _| panic!("it was asked before"))
    );
    drop(sender);
    let said: Vec<Value> = said
        .iter()
        .map(|text| serde_json::from_str(&text).expect("it is JSON"))
        .collect();
    let done = said.iter().filter(|said| said["event"] == "done");
    let done: Vec<Id> = done.filter_map(|said| said["id"].as_u64()).collect();
    assert_eq!(done, asked);
    let last = said.iter().rfind(|said| said["event"] == "analysis");
    let last = last.expect("nothing has changed after the last questions");
    assert_eq!(last["findings"][0]["help"], "did you mean `tower49`?");
    assert_eq!(last["cells"][2]["range"], json!({ "start": 44, "end": 57 }));
    assert_eq!(last["tokens"][2], "keyword", "from byte 0 to byte 3");
}

/// Checks that orders are parsed as the page writes them.
#[test]
fn orders_are_read() {
    let orders = wire::orders(
        r#"[
            {"change": {"open": ["a.bid", "A"]}},
            {"ask": [1, {"analyse": "a.bid"}]},
            {"ask": [2, {"complete": ["a.bid", 1]}]},
            {"ask": [3, "library"]},
            {"request": [4, {"play": ["a.bid", 0, {"seed": 1, "answers": ["2"]}]}]},
            {"beside": [5, {"enter": ["a.bid", "1 + 1"]}]},
            {"stop": 4}
        ]"#,
    );
    let script = Script {
        seed: 1,
        answers: vec!["2".to_owned()],
    };
    let path = || PathBuf::from("a.bid");
    let expected = vec![
        WireOrder::Change(FileChange::Open(path(), "A".to_owned())),
        WireOrder::Ask(1, WireQuestion::Analyse(path())),
        WireOrder::Ask(2, WireQuestion::Complete(path(), 1)),
        WireOrder::Ask(3, WireQuestion::Library),
        WireOrder::Request(4, Request::Play(path(), 0, script)),
        WireOrder::Beside(5, Request::Enter(path(), "1 + 1".to_owned())),
        WireOrder::Stop(4),
    ];
    assert_eq!(orders, Ok(expected));
    assert!(wire::orders(r#"[{"ask": [1, {"explain": "E0101"}]}]"#).is_err());
}

#[test]
fn matches_are_played_by_questions_and_answers() {
    let client = Client::alone();
    let id = client
        .engine
        .at_prompt(None, evaluate("play(A ∧ B, 3*, 3)", &[]));
    loop {
        match client.next(id) {
            Event::Asked(_) => client.engine.answer(id, None),
            Event::Done(summary) => {
                assert_eq!(summary.errors, 0);
                break;
            }
            Event::Said(_) | Event::Value { .. } | Event::Progress(_) | Event::Finding(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(client.enter("1 + 1"), "2\n");
}

#[test]
fn cells_tell_what_they_need() {
    let client = Client::alone();
    client
        .open("a.bid", "let a = 1\nlet f(n) = g(n) + a\nlet g(n) = f(n)\nusing { pay: poorman }\nshow f(2)\nshow (\n");
    let cells: Vec<DocumentCell> = client.at_desk("a.bid", Desk::cells);
    let needs: Vec<&[usize]> = cells.iter().map(|cell| &cell.needs[..]).collect();
    assert_eq!(needs, [&[][..], &[0, 2], &[0, 1], &[], &[0, 1, 2, 3], &[3]]);
    let defines: Vec<Option<&str>> = cells.iter().map(|cell| cell.defines.as_deref()).collect();
    assert_eq!(defines, [Some("a"), Some("f"), Some("g"), None, None, None]);
    assert_eq!(
        cells
            .iter()
            .map(|cell| cell.is_readable)
            .collect::<Vec<_>>(),
        [true, true, true, true, true, false]
    );
}

#[test]
fn tests_that_a_stop_skips_are_named() {
    let client = Client::on_disk();
    let text = LONG.replace("show R", "let x = R") + "test \"later\" { show x }\n";
    client.open("a.bid", &text);
    let test = text.find("test").expect("it is there");
    let id = client.engine.request(Request::Run("a.bid".into(), test));
    client.wait_for_progress(id);
    client.engine.stop(id);
    let Answer { events, .. } = client.all(id);
    assert!(
        matches!(events.last(), Some(Event::Test { name, phase: Phase::Skipped }) if name == "later"),
        "{events:?}"
    );
}

/// Checks that the core needs no thread, as in a browser's worker.
#[test]
fn the_core_answers_step_by_step() {
    let context = Arc::new(EngineGuard::new(
        Arc::new(Timer::default()),
        Box::new(|_, _| {}),
    ));
    let mut core = Core::new(Rc::new(Documents::alone()), context);
    let mut out = Vec::new();
    let path = PathBuf::from("a.bid");
    core.change(&FileChange::Open(path.clone(), "show 1 + 1\n".into()));
    core.answer(1, Request::Run(path, 0), &mut |reply| out.push(reply));
    assert!(out.iter().all(|reply| reply.id == 1));
    let events: Vec<Event> = out.into_iter().map(|reply| reply.event).collect();
    assert!(
        matches!(&events[..], [Event::Value { .. }, Event::Done(_)]),
        "{events:?}"
    );
}

/// Keeps values that fit in one line, and checks that hold. Of equal positions a table names the
/// one that was found first, which depends on earlier runs.
fn short(said: Vec<String>) -> Vec<String> {
    let short = said.into_iter().filter(|said| !said.contains('\n'));
    short.collect()
}

/// Returns the output of a file that is run as a whole.
fn said_together(text: &str) -> Vec<String> {
    use bid::session::SessionEvent;
    let mut session = Session::new(Box::new(Disk), Arc::default());
    let mut said = Vec::new();
    let summary = session.run_text("all.bid", text, &mut |_, event| match event {
        SessionEvent::Shown { label, value, .. } => said.push(format!("{label} = {value}")),
        SessionEvent::Value(value) => said.push(value.to_string()),
        SessionEvent::Check { failed: None } => said.push("held".to_owned()),
        _ => {}
    });
    assert_eq!(summary, Summary::default(), "{text}");
    said
}

/// Returns the output of a statement.
fn said_alone(events: Vec<Event>) -> Vec<String> {
    let said = events.into_iter().filter_map(|event| match event {
        Event::Value { label, value, .. } => {
            Some(label.map_or(String::new(), |label| format!("{label} = ")) + &value.to_string())
        }
        Event::Check { failed: None, .. } => Some("held".to_owned()),
        _ => None,
    });
    said.collect()
}

/// Checks that statements have the same output when run alone as when the whole file runs: the
/// statements that they need are found, and no others are needed.
#[test]
fn statements_say_alone_what_they_say_together() {
    let (client, mut compared) = (Client::on_disk(), 0);
    for case in ["constants", "graphs", "names", "values"] {
        let path = format!("tests/cases/eval/ok/{case}.bid");
        let text = std::fs::read_to_string(&path).expect("a case is readable text");
        for (number, program) in text.split("// ---\n").enumerate() {
            let document = |part: usize| format!("{path}-{number}-{part}.bid");
            let mut alone = Vec::new();
            client.open(&document(program.len()), program);
            for cell in client.at_desk(&document(program.len()), Desk::cells) {
                let start = cell.range.start;
                client.open(&document(start), program);
                let Answer { events, .. } =
                    client.answer(Request::Run(document(start).into(), start));
                let own = events.into_iter().filter(|event| match event {
                    Event::Value { statement, .. } | Event::Check { statement, .. } => {
                        statement.as_ref() == Some(&cell.range)
                    }
                    _ => false,
                });
                alone.extend(said_alone(own.collect()));
            }
            let expected = short(said_together(program));
            assert_eq!(short(alone), expected, "{path}: {program}");
            compared += expected.len();
        }
    }
    assert!(compared > 50, "{compared} values were compared");
}

/// Returns the values of an answer without errors.
fn values(answer: Answer) -> Vec<Report> {
    assert_eq!(
        answer.summary,
        Summary::default(),
        "{}",
        written(&answer.events)
    );
    let value = |event| match event {
        Event::Value { value, .. } => Some(*value),
        _ => None,
    };
    answer.events.into_iter().filter_map(value).collect()
}

fn query(callee: Callee, arguments: Vec<Report>) -> Query {
    let arguments = arguments.into_iter().map(QueryArgument::Value).collect();
    Query {
        callee,
        arguments,
        named: Vec::new(),
    }
}

fn integer(n: i64) -> Report {
    Report::Scalar(Scalar::Integer(n.into()))
}

fn text(text: &str) -> Report {
    Report::Scalar(Scalar::String(text.to_owned()))
}

/// Checks that a question as values has the answer of the corresponding text, including its labels,
/// and that its errors refer to that text.
#[test]
fn questions_may_be_put_as_values() {
    let client = Client::on_disk();
    assert_eq!(
        client.load("games/classics.bid").summary,
        Summary::default()
    );
    let ask = |callee, arguments| values(client.query(query(callee, arguments))).remove(0);
    let tug = ask(Callee::Name("tug".into()), vec![integer(3)]);
    let range = Report::List((0..8).map(integer).collect());
    let asked = ask(Callee::Builtin("f".into()), vec![tug.clone(), range]);
    assert_eq!(asked.to_string() + "\n", client.enter("f(tug(3), 0..7)"));
    let ranged = |first: i64, last: i64| {
        let range = QueryArgument::Range {
            first: first.into(),
            last: last.into(),
        };
        let arguments = vec![QueryArgument::Value(tug.clone()), range];
        let query = Query {
            callee: Callee::Builtin("f".into()),
            arguments,
            named: Vec::new(),
        };
        client.query(query)
    };
    assert_eq!(values(ranged(0, 7)), [asked]);
    let Answer { events, summary } = ranged(0, i64::MAX);
    assert!(
        summary.stopped,
        "a range is made within the limits of the session"
    );
    assert!(written(&events).contains("E0902"), "{}", written(&events));
    let at = ask(Callee::At, vec![tug.clone(), integer(1)]);
    let moved = Report::Tuple(vec![
        Report::Scalar(Scalar::Player(Player::Alice)),
        integer(1),
    ]);
    assert_eq!(ask(Callee::After, vec![tug.clone(), moved]), at);
    assert_eq!(
        ask(Callee::Builtin("R".into()), vec![at.clone()]).to_string() + "\n",
        client.enter("R(tug(3) at 1)")
    );
    let chips = |text: &str| values(client.evaluate(text, &[])).remove(0);
    let outcome = ask(Callee::Outcome, vec![at, chips("4*"), chips("3")]);
    assert_eq!(
        outcome.to_string() + "\n",
        client.enter("(tug(3) at 1)(4*, 3)")
    );
    let wrong = |callee, arguments| {
        let Answer { events, summary } = client.query(query(callee, arguments));
        assert_eq!(summary.errors, 1);
        match &events[..] {
            [Event::Finding(finding)] => finding.clone(),
            other => panic!("{other:?}"),
        }
    };
    let finding = wrong(Callee::Outcome, vec![tug.clone(), integer(4), integer(3)]);
    assert!(
        finding.drawn.contains("1 │ tug(3)(4, 3)"),
        "{}",
        finding.drawn
    );
    let finding = wrong(Callee::Builtin("f".into()), vec![tug.clone(), text("x")]);
    assert!(
        finding.drawn.contains("f(tug(3), x)") && finding.message.contains("takes"),
        "{}",
        finding.drawn
    );
    assert_eq!(
        wrong(Callee::Name("tgu".into()), vec![integer(3)]).code,
        Code::UnknownName
    );
    assert_eq!(
        wrong(Callee::Name("tug".into()), Vec::new()).code,
        Code::WrongCount
    );
    assert_eq!(
        wrong(Callee::After, vec![tug, integer(3)]).code,
        Code::WrongType
    );
}

/// Checks that names given with a text are known only in it, that definitions stay, and that rules
/// apply only to the questions asked under them.
#[test]
fn values_are_given_with_a_text() {
    let client = Client::alone();
    assert_eq!(
        values(client.evaluate("x + y", &[("x", 2), ("y", 3)])),
        [integer(5)]
    );
    assert_eq!(client.enter("x"), "E0201 <input 2>:0..1\n");
    let define = |name: &'static str| {
        client.at_prompt(move |session, _| {
            session
                .define(name, &integer(7))
                .map_err(|why| vec![*why])?;
            Ok(Summary::default())
        })
    };
    assert_eq!(define("x").summary, Summary::default());
    assert_eq!(values(client.evaluate("x", &[("x", 8)])), [integer(8)]);
    assert_eq!(client.enter("x"), "7\n");
    assert_eq!(define("let").summary.errors, 1);
    let under = |rules: &'static str| {
        client.at_prompt(move |session, sink| {
            let before = session.put_under(rules)?;
            let done = evaluate("f(E, 4)", &[])(session, sink);
            session.put_back(before);
            done
        })
    };
    assert_eq!(values(under("{ ties: gentlemen_first }")), [integer(3)]);
    assert_eq!(values(under("{ ties: ladies_first }")), [integer(2)]);
    assert_eq!(client.enter("f(E, 4)"), "2*\n");
    assert_eq!(under("{ ties: nobody }").summary.errors, 1);
    assert_eq!(client.enter("f(E, 4)"), "2*\n");
}

/// Checks that limits given with a request apply to it alone.
#[test]
fn a_request_has_limits_of_its_own() {
    let client = Client::on_disk();
    client.load("games/classics.bid");
    let few = Settings {
        limits: Limits {
            max_positions: 10,
            ..Limits::of_machine()
        },
        timeout: None,
    };
    let size = evaluate("size(tictactoe)", &[]);
    let Answer { summary, .. } = client.all(client.engine.at_prompt(Some(few), size));
    assert!(summary.stopped);
    assert_eq!(values(client.evaluate("size(tictactoe)", &[])).len(), 1);
}

/// Files whose reading panics.
struct Trap;

impl Files for Trap {
    fn read(
        &self,
        _: &std::path::Path,
        _: &bid_language::watch::Context<'_>,
    ) -> Result<Vec<u8>, bid_language::files::Unread> {
        panic!("a trap")
    }

    fn canonical(&self, path: &std::path::Path) -> std::io::Result<PathBuf> {
        Ok(path.to_owned())
    }

    fn library_path(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// Checks that a panic ends a session and is reported, and that no request waits for ever.
#[test]
fn a_panic_is_told() {
    let client = Client::on(|| Rc::new(Trap));
    assert_eq!(client.enter("1 + 1"), "2\n");
    let Answer { events, summary } = client.load("a.bid");
    assert!(summary.contradicted && summary.errors == 1, "{summary:?}");
    assert_eq!(written(&events), "E1001 \n");
    assert_eq!(client.enter("1 + 1"), "E1001 \n");
}
