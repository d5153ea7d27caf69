//! The engine as its front ends drive it: messages in, events out.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use bid::engine::{
    Change, Core, Engine, EngineWatch, Event, Finding, Id, Message, Part, Phase, Prompt, Question,
    Reply, Request,
};
use bid::session::{Callee, Given, Query, Summary};
use bid_language::diagnostic::Code;
use bid_language::files::{Documents, Files};
use bid_language::player::Player;
use bid_language::scalar::Scalar;
use bid_language::watch::{Limits, Settings, Timer};
use bid_report::Report;

use crate::support::Disk;

/// An engine and what has come out of it.
struct Client {
    engine: Engine,
    replies: Receiver<Reply>,
}

impl Client {
    fn on(files: impl Fn() -> Rc<dyn Files> + Send + Sync + 'static) -> Self {
        let (sender, replies) = mpsc::channel();
        let engine = Engine::start(files, move |reply, _| drop(sender.send(reply)))
            .expect("there are threads");
        Self { engine, replies }
    }

    /// Without files beneath.
    fn alone() -> Self {
        Self::on(|| Rc::new(Documents::alone()))
    }

    /// On the repository's files.
    fn on_disk() -> Self {
        Self::on(|| Rc::new(Disk))
    }

    fn open(&self, path: &str, text: &str) {
        self.engine
            .change(Change::Open(path.into(), text.to_owned()));
    }

    /// The next event of a request.
    fn next(&self, id: Id) -> Event {
        loop {
            let reply = self.replies.recv().expect("the engine answers");
            if reply.id == id {
                return reply.event;
            }
        }
    }

    /// Waits until a request is in the midst of work.
    fn wait_for_progress(&self, id: Id) {
        match self.next(id) {
            Event::Progress(progress) => assert!(!progress.stage.is_empty()),
            other => panic!("it is over: {other:?}"),
        }
    }

    /// All events of a request but progress, and how it went.
    fn all(&self, id: Id) -> (Vec<Event>, Summary) {
        let mut events = Vec::new();
        loop {
            match self.next(id) {
                Event::Done(summary) => return (events, summary),
                Event::Progress(_) => {}
                event => events.push(event),
            }
        }
    }

    fn answer(&self, request: impl Into<Request>) -> (Vec<Event>, Summary) {
        self.all(self.engine.request(request.into()))
    }

    fn run(&self, path: &str, part: Part) -> String {
        written(&self.answer(Request::Run(path.into(), part)).0)
    }

    fn enter(&self, text: &str) -> String {
        written(&self.answer(Request::Enter(None, text.to_owned())).0)
    }

    fn findings(&self, path: &str) -> Vec<Finding> {
        let (events, _) = self.answer(Request::Ask(path.into(), Question::Diagnose));
        match &events[..] {
            [Event::Diagnostics(findings)] => findings.clone(),
            [Event::Finding(finding)] => vec![finding.clone()],
            other => panic!("{other:?}"),
        }
    }
}

/// Events in short: `6..14 label = value`.
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
    let out = client.run("a.bid", Part::All);
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
    let (_, summary) = client.answer(Prompt::Rules("{ pay: poorman }".into()));
    assert_eq!(summary, Summary::default());
    let (events, _) = client.answer(Prompt::Names);
    let [Event::Names(names)] = &events[..] else {
        panic!("{events:?}")
    };
    assert!(
        names
            .iter()
            .any(|known| known.name == "half" && !known.builtin)
    );
    let (events, _) = client.answer(Prompt::Help("half".into()));
    assert!(
        matches!(&events[..], [Event::Text(Some(help))] if help.starts_with("half\n")),
        "{events:?}"
    );
    let (events, _) = client.answer(Prompt::Plan("R(A)".into()));
    assert!(matches!(&events[..], [Event::Value { .. }]), "{events:?}");
}

/// One document imports another; neither is saved, and what one runs and says follows the other.
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
    assert_eq!(client.run("main.bid", Part::All), "28..34 y = 2\n");
    client.open("lib.bid", "let x = 10\n");
    assert_eq!(client.run("main.bid", Part::All), "28..34 y = 11\n");
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
    client.engine.change(Change::Close("lib.bid".into()));
    assert_eq!(client.findings("main.bid")[0].code.as_str(), "E0801");
}

#[test]
fn the_disk_counts_again_when_a_document_is_closed() {
    let client = Client::on_disk();
    client.open("main.bid", "use \"games/classics.bid\"\nR(tictactoe)\n");
    client.open("games/classics.bid", "game tictactoe = A\n");
    assert_eq!(client.run("main.bid", Part::All), "25..37 0\n");
    client
        .engine
        .change(Change::Close("games/classics.bid".into()));
    assert_eq!(client.run("main.bid", Part::All), "25..37 133/256\n");
}

/// A statement runs with what it needs, whatever is wrong elsewhere; its places are those of the
/// document.
#[test]
fn statements_run_alone() {
    let client = Client::alone();
    let text = "let a = 1\nlet broken = (\nlet b = a + 1\nshow b\nshow 1 / (b - 2)\nshow later(3)\nlet later(n) = n * b\n";
    client.open("a.bid", text);
    let at = |part: &str| Part::At(text.find(part).expect("it is there"));
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
    assert_eq!(
        client.run("a.bid", Part::At(0)),
        "",
        "a definition says nothing"
    );
    assert!(client.run("a.bid", at("let broken")).starts_with("E0102 "));
    assert!(
        client.run("a.bid", Part::All).starts_with("E0102 "),
        "all of it runs only if it is right"
    );
    let entered = client.answer(Request::Enter(Some("a.bid".into()), "later(b) + a".into()));
    assert_eq!(written(&entered.0), "5\n");
    client.open("b.bid", "use \"lib.bid\"\nusing { ties: marker }\nshow 1\n");
    client.open("lib.bid", "let half = 1/2\n");
    let entered = client.answer(Request::Enter(Some("b.bid".into()), "half".into()));
    assert_eq!(
        written(&entered.0),
        "1/2\n",
        "a name that comes with `use` is visible, though nothing in the document needs it"
    );
}

/// A definition keeps its value as long as neither its text nor that of what it needs changes, and
/// an error in it stands where it stands now.
#[test]
fn definitions_keep_their_values() {
    let client = Client::on_disk();
    let text = |take: &str, more: &str| {
        format!("{more}use \"games/classics.bid\"\nlet n = {take}\nlet x = R(hex(3, n))\nshow x\n")
    };
    client.open("a.bid", &text("2", ""));
    let first = client.run("a.bid", Part::All);
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
    let again = client.run("a.bid", Part::All);
    assert_eq!(
        again.split(" x = ").nth(1),
        Some(value.as_str()),
        "it is not worked out again: {again}"
    );
    client.open("a.bid", &text("3", ""));
    let changed = client.run("a.bid", Part::All);
    assert!(
        changed.starts_with("E09"),
        "what it needs has changed: {changed}"
    );
}

/// A function of a value that was stopped works as soon as that value is there.
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
    let stopped = client.run("a.bid", Part::All);
    assert!(stopped.starts_with("E0901"), "{stopped}");
    client.engine.set(Settings::default());
    for _ in 0..2 {
        let mended = client.run("a.bid", Part::All);
        assert!(mended.ends_with(" times(0) = 0\n"), "{mended}");
    }
}

/// An error in a function that was defined before the text above it grew.
#[test]
fn errors_stand_where_the_text_stands_now() {
    let client = Client::alone();
    client.open(
        "a.bid",
        "let inverse(n) = 1 / n\nlet y = inverse(1)\nshow inverse(0)\n",
    );
    assert_eq!(client.run("a.bid", Part::All), "E0704 a.bid:21..22\n");
    client.open(
        "a.bid",
        "// More.\nlet inverse(n) = 1 / n\nlet y = inverse(1)\nshow inverse(0)\n",
    );
    assert_eq!(client.run("a.bid", Part::All), "E0704 a.bid:30..31\n");
}

/// A sweep of 400 million positions.
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

/// Work that would take hours is stopped; the engine goes on, and the next request is answered.
#[test]
fn long_work_is_stopped() {
    let client = Client::on_disk();
    client.open("a.bid", LONG);
    let id = client
        .engine
        .request(Request::Run("a.bid".into(), Part::All));
    let waiting = client.engine.request(Request::Enter(None, "1 + 1".into()));
    let never = client.engine.request(Request::Enter(None, "2 + 2".into()));
    client.engine.stop(never);
    client.wait_for_progress(id);
    // Questions about texts are answered meanwhile.
    assert_eq!(client.findings("a.bid"), []);
    client.engine.stop(id);
    let (events, summary) = client.all(id);
    assert!(summary.stopped, "{events:?}");
    assert!(
        matches!(&events[..], [Event::Finding(why)] if why.code.as_str() == "E0904"),
        "{events:?}"
    );
    assert_eq!(written(&client.all(waiting).0), "2\n");
    let (events, summary) = client.all(never);
    assert!(events.is_empty() && summary.stopped);
    assert_eq!(client.enter("3 + 3"), "6\n");
}

#[test]
fn limits_stop_work_too() {
    let client = Client::on_disk();
    client.open("a.bid", LONG);
    let timeout = Some(std::time::Duration::from_millis(1));
    client.engine.set(Settings {
        timeout,
        ..Settings::default()
    });
    let (events, summary) = client.answer(Request::Run("a.bid".into(), Part::All));
    assert!(summary.stopped, "{events:?}");
    assert!(written(&events).starts_with("E0903"), "{events:?}");
}

/// An engine that is dropped in the midst of work ends that work.
#[test]
fn a_dropped_engine_ends() {
    let client = Client::on_disk();
    client.open("a.bid", LONG);
    let id = client
        .engine
        .request(Request::Run("a.bid".into(), Part::All));
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

/// Questions about a text that has changed are stopped or answered, never lost.
#[test]
fn every_question_is_answered() {
    let client = Client::on_disk();
    let mut asked = Vec::new();
    for edit in 0..50 {
        client.open(
            "a.bid",
            &format!("use \"games/classics.bid\"\nlet tower{edit} = R(E)\nshow tower_{edit}"),
        );
        for question in [
            Question::Diagnose,
            Question::Complete(40),
            Question::Outline,
            Question::Tokens,
            Question::Cells,
        ] {
            asked.push(
                client
                    .engine
                    .request(Request::Ask("a.bid".into(), question)),
            );
        }
    }
    let last = *asked.last().expect("something was asked");
    let mut done = Vec::new();
    while done.last() != Some(&last) {
        let reply = client.replies.recv().expect("the engine answers");
        if matches!(reply.event, Event::Done(_)) {
            done.push(reply.id);
        }
    }
    assert_eq!(done, asked);
    let findings = client.findings("a.bid");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `tower49`?"));
}

#[test]
fn matches_are_played_by_questions_and_answers() {
    let client = Client::alone();
    let id = client
        .engine
        .request(Request::Enter(None, "play(A ∧ B, 3*, 3)".into()));
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
    let (events, _) = client.answer(Request::Ask("a.bid".into(), Question::Cells));
    let [Event::Cells(cells)] = &events[..] else {
        panic!("{events:?}")
    };
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
    client.open("a.bid", &format!("{LONG}test \"later\" {{ show 1 }}\n"));
    let id = client
        .engine
        .request(Request::Run("a.bid".into(), Part::All));
    client.wait_for_progress(id);
    client.engine.stop(id);
    let (events, _) = client.all(id);
    assert!(
        matches!(events.last(), Some(Event::Test { name, phase: Phase::Skipped }) if name == "later"),
        "{events:?}"
    );
}

/// The core needs no thread: a browser's worker drives it so.
#[test]
fn the_core_answers_step_by_step() {
    let context = Arc::new(EngineWatch::new(
        Arc::new(Timer::default()),
        Box::new(|_, _| {}),
    ));
    let mut core = Core::new(Rc::new(Documents::alone()), context);
    let mut out = Vec::new();
    let path = PathBuf::from("a.bid");
    core.handle(
        Message::Change(Change::Open(path.clone(), "show 1 + 1\n".into())),
        &mut |_| panic!("nobody asked"),
    );
    core.handle(
        Message::Request(1, Request::Run(path, Part::All)),
        &mut |reply| out.push(reply),
    );
    assert!(out.iter().all(|reply| reply.id == 1));
    let events: Vec<Event> = out.into_iter().map(|reply| reply.event).collect();
    assert!(
        matches!(&events[..], [Event::Value { .. }, Event::Done(_)]),
        "{events:?}"
    );
}

/// What a statement says in one line. Of positions that are equal, a table names the one that was
/// met first: what ran before has a say in that.
fn said_by(events: &[Event], range: &std::ops::Range<usize>) -> Vec<String> {
    let from = |event: &&Event| match event {
        Event::Value { statement, .. } | Event::Check { statement, .. } => {
            statement.as_ref() == Some(range)
        }
        _ => false,
    };
    let said = events
        .iter()
        .filter(from)
        .map(|event| written(std::slice::from_ref(event)));
    said.filter(|said| said.lines().count() == 1).collect()
}

/// A statement that runs alone says what it says when all of the document runs: what it needs is
/// found, and nothing else is needed.
#[test]
fn statements_say_alone_what_they_say_together() {
    let (client, mut compared) = (Client::on_disk(), 0);
    for case in ["constants", "graphs", "names", "values"] {
        let path = PathBuf::from(format!("tests/cases/eval/ok/{case}.bid"));
        let text = std::fs::read_to_string(&path).expect("a case is readable text");
        for (number, program) in text.split("// ---\n").enumerate() {
            let document = |part: &str| format!("{}-{number}-{part}.bid", path.display());
            let run = |name: String, part: Part| {
                client.open(&name, program);
                client.answer(Request::Run(name.into(), part))
            };
            let (together, summary) = run(document("all"), Part::All);
            assert_eq!(
                summary.errors,
                0,
                "{}: {}",
                path.display(),
                written(&together)
            );
            let (cells, _) = client.answer(Request::Ask(document("all").into(), Question::Cells));
            let [Event::Cells(cells)] = &cells[..] else {
                panic!("{cells:?}")
            };
            for cell in cells {
                let (alone, _) = run(
                    document(&cell.range.start.to_string()),
                    Part::At(cell.range.start),
                );
                let expected = said_by(&together, &cell.range);
                let source = &program[cell.range.clone()];
                assert_eq!(
                    said_by(&alone, &cell.range),
                    expected,
                    "{}: {source}",
                    path.display()
                );
                compared += expected.len();
            }
        }
    }
    assert!(compared > 50, "{compared} values were compared");
}

/// The values of an answer, which is right.
fn values((events, summary): (Vec<Event>, Summary)) -> Vec<Report> {
    assert_eq!(summary, Summary::default(), "{}", written(&events));
    let value = |event| match event {
        Event::Value { value, .. } => Some(*value),
        _ => None,
    };
    events.into_iter().filter_map(value).collect()
}

fn query(callee: Callee, arguments: Vec<Report>) -> Prompt {
    let arguments = arguments.into_iter().map(Given::Value).collect();
    Prompt::Query(Query {
        callee,
        arguments,
        named: Vec::new(),
    })
}

fn integer(n: i64) -> Report {
    Report::Scalar(Scalar::Integer(n.into()))
}

fn text(text: &str) -> Report {
    Report::Scalar(Scalar::String(text.to_owned()))
}

/// A question as values has the answer of the text that it would be, also in its labels, and its
/// mistakes point into that text.
#[test]
fn questions_may_be_put_as_values() {
    let client = Client::on_disk();
    assert_eq!(
        client.answer(Prompt::Load("games/classics.bid".into())).1,
        Summary::default()
    );
    let ask = |callee, arguments| values(client.answer(query(callee, arguments))).remove(0);
    let tug = ask(Callee::Name("tug".into()), vec![integer(3)]);
    let range = Report::List((0..8).map(integer).collect());
    let asked = ask(Callee::Builtin("f".into()), vec![tug.clone(), range]);
    assert_eq!(asked.to_string() + "\n", client.enter("f(tug(3), 0..7)"));
    let ranged = |first: i64, last: i64| {
        let range = Given::Range {
            first: first.into(),
            last: last.into(),
        };
        let arguments = vec![Given::Value(tug.clone()), range];
        let query = Query {
            callee: Callee::Builtin("f".into()),
            arguments,
            named: Vec::new(),
        };
        client.answer(Prompt::Query(query))
    };
    assert_eq!(values(ranged(0, 7)), [asked]);
    let (events, summary) = ranged(0, i64::MAX);
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
    let chips =
        |text: &str| values(client.answer(Prompt::Evaluate(text.into(), Vec::new()))).remove(0);
    let outcome = ask(Callee::Outcome, vec![at, chips("4*"), chips("3")]);
    assert_eq!(
        outcome.to_string() + "\n",
        client.enter("(tug(3) at 1)(4*, 3)")
    );
    let wrong = |callee, arguments| {
        let (events, summary) = client.answer(query(callee, arguments));
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

/// Names given with a text are known in it only; a definition stays; rules hold for what is asked
/// under them.
#[test]
fn values_are_given_with_a_text() {
    let client = Client::alone();
    let evaluate = |text: &str, names: &[(&str, i64)]| {
        let names = names
            .iter()
            .map(|(name, value)| ((*name).to_owned(), integer(*value)))
            .collect();
        Prompt::Evaluate(text.to_owned(), names)
    };
    assert_eq!(
        values(client.answer(evaluate("x + y", &[("x", 2), ("y", 3)]))),
        [integer(5)]
    );
    assert_eq!(client.enter("x"), "E0201 <input 2>:0..1\n");
    assert_eq!(
        client.answer(Prompt::Define("x".into(), integer(7))).1,
        Summary::default()
    );
    assert_eq!(
        values(client.answer(evaluate("x", &[("x", 8)]))),
        [integer(8)]
    );
    assert_eq!(client.enter("x"), "7\n");
    assert_eq!(
        client
            .answer(Prompt::Define("let".into(), integer(7)))
            .1
            .errors,
        1
    );
    let under = |rules: &str| Prompt::Under(rules.to_owned(), Box::new(evaluate("f(E, 4)", &[])));
    assert_eq!(
        values(client.answer(under("{ ties: gentlemen_first }"))),
        [integer(3)]
    );
    assert_eq!(
        values(client.answer(under("{ ties: ladies_first }"))),
        [integer(2)]
    );
    assert_eq!(client.enter("f(E, 4)"), "2*\n");
    assert_eq!(client.answer(under("{ ties: nobody }")).1.errors, 1);
    assert_eq!(client.enter("f(E, 4)"), "2*\n");
}

#[test]
fn what_may_stand_at_the_end_of_an_input() {
    let client = Client::alone();
    client.enter("let hundred = 100");
    let (events, _) = client.answer(Prompt::Complete("1 + hund".into()));
    let [Event::Completion(found)] = &events[..] else {
        panic!("{events:?}")
    };
    let candidates: Vec<&str> = found
        .candidates
        .iter()
        .map(|candidate| candidate.text.as_str())
        .collect();
    assert_eq!((found.start, candidates), (4, vec!["hundred"]));
}

/// Limits that are given with a request hold for it alone.
#[test]
fn a_request_has_limits_of_its_own() {
    let client = Client::on_disk();
    client.answer(Prompt::Load("games/classics.bid".into()));
    let size = || Prompt::Evaluate("size(tictactoe)".into(), Vec::new());
    let few = Settings {
        limits: Limits {
            max_positions: 10,
            ..Limits::of_machine()
        },
        timeout: None,
    };
    let (_, summary) = client.all(client.engine.request_within(Some(few), size().into()));
    assert!(summary.stopped);
    assert_eq!(values(client.answer(size())).len(), 1);
}

/// Files whose reading fails badly.
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

/// A panic ends a session, and says so; nobody waits for ever.
#[test]
fn a_panic_is_told() {
    let client = Client::on(|| Rc::new(Trap));
    assert_eq!(client.enter("1 + 1"), "2\n");
    let (events, summary) = client.answer(Prompt::Load("a.bid".into()));
    assert!(summary.contradicted && summary.errors == 1, "{summary:?}");
    assert_eq!(written(&events), "E1001 \n");
    assert_eq!(client.enter("1 + 1"), "E1001 \n");
}
