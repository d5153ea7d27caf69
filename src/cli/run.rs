//! `bid run`, `bid eval`, `bid check`, and programs on standard input.

use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

use bid::diagnostic::Diagnostic;
use bid::session::{Event, Session, Sink, Summary, not_utf8};
use bid::source::SourceMap;

use super::output::{Output, plain};
use super::status::Status;
use super::talk;

/// Runs files, each in a session of its own.
pub fn files(output: &Output, files: &[PathBuf]) -> Status {
    let _work = output.guard.begin();
    let mut worst = Status::Good;
    for path in files {
        let status = if path == Path::new("-") { read_and_run(output) } else { file(output, path) };
        worst = worst.max(status);
        if status == Status::Stopped {
            break;
        }
    }
    worst
}

fn file(output: &Output, path: &Path) -> Status {
    let mut session = output.session();
    talk::invite_from_terminal(&mut session, &output.guard);
    session.run_file(path, &mut |sources, event| output.event(sources, event)).into()
}

/// Runs the program on standard input.
pub fn standard_input(output: &Output) -> Status {
    let _work = output.guard.begin();
    read_and_run(output)
}

fn read_and_run(output: &Output) -> Status {
    match read_standard_input(output) {
        Some(text) if text.trim().is_empty() => {
            output.remark(
                "nothing to run on standard input; `bid repl` starts a dialogue, `bid --help` lists the commands",
            );
            Status::Good
        }
        Some(text) => run_text(output, &mut output.session(), "<stdin>", &text).into(),
        None => Status::Wrong,
    }
}

/// The text on standard input; if there is none, that has been said.
pub fn read_standard_input(output: &Output) -> Option<String> {
    let mut bytes = Vec::new();
    if let Err(error) = stdin().lock().read_to_end(&mut bytes) {
        output.usage_error(format!("cannot read standard input: {}", plain(&error)), None);
        return None;
    }
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            output.diagnostic(&SourceMap::default(), &not_utf8("standard input", &error));
            None
        }
    }
}

fn run_text(output: &Output, session: &mut Session, name: &str, text: &str) -> Summary {
    session.run_text(name, text, &mut |sources, event| output.event(sources, event))
}

/// What `bid eval` is asked.
pub struct Asked<'a> {
    /// The files whose definitions the expression may use.
    pub load: &'a [PathBuf],
    /// Rules other than the default.
    pub rules: Option<&'a str>,
    /// The expression.
    pub expression: &'a str,
}

/// Evaluates one expression with the definitions of some files.
pub fn expression(output: &Output, asked: &Asked<'_>) -> Status {
    let _work = output.guard.begin();
    let mut has_value = false;
    let (_, status) = evaluate(output, asked, &mut |sources, event| {
        has_value |= matches!(event, Event::Value(_) | Event::Shown { .. } | Event::CheckPassed { .. });
        output.event(sources, event);
    });
    match status {
        Status::Good if !has_value => {
            let help = "`bid run` runs statements".to_owned();
            output.usage_error(format!("`{}` is no expression with a value", asked.expression), Some(help))
        }
        status @ (Status::Good | Status::CheckFailed | Status::Wrong | Status::Stopped | Status::Internal) => status,
    }
}

/// Evaluates one expression in a new session; what happens goes to the sink.
pub fn evaluate(output: &Output, asked: &Asked<'_>, sink: &mut Sink<'_>) -> (Session, Status) {
    let mut session = output.session();
    talk::invite_from_terminal(&mut session, &output.guard);
    for path in asked.load {
        let summary = session.use_file(path, &mut |sources, event| output.event(sources, event));
        if Status::from(summary) > Status::CheckFailed {
            return (session, summary.into());
        }
    }
    if let Some(rules) = asked.rules
        && let Err(diagnostics) = session.set_rules("<rules>", rules)
    {
        let status = report(output, session.sources(), &diagnostics);
        return (session, status);
    }
    let summary = session.run_text("<expression>", asked.expression, sink);
    (session, summary.into())
}

/// Looks for mistakes in files without running them.
pub fn check(output: &Output, files: &[PathBuf]) -> Status {
    let _work = output.guard.begin();
    let check = |path: &PathBuf| {
        let mut session = output.session();
        let diagnostics = session.check_file(path);
        report(output, session.sources(), &diagnostics)
    };
    files.iter().map(check).max().unwrap_or_default()
}

/// Draws all diagnostics; the status is that of the worst.
pub fn report(output: &Output, sources: &SourceMap, diagnostics: &[Diagnostic]) -> Status {
    for diagnostic in diagnostics {
        output.diagnostic(sources, diagnostic);
    }
    diagnostics.iter().map(Status::from).max().unwrap_or_default()
}
