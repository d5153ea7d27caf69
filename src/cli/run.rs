//! Runs files, expressions and programs on standard input: `bid run`, `bid eval`, `bid check`.

use std::io::stdin;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bid::session::{EventSink, FileForm, Session, SessionEvent, Summary};
use bid_language::diagnostic::{Diagnostic, plain};
use bid_language::files::{self, DiskFiles, Documents, Unread};
use bid_language::source::SourceMap;

use super::output::Output;
use super::status::Status;
use super::talk;

/// The name of the program on standard input in messages.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Runs files, each in a session of its own.
pub fn files(output: &Output, files: &[PathBuf]) -> Status {
    let _work = output.guard.begin();
    let mut worst = Status::Good;
    for path in files {
        let status = if files::is_standard_input(path) {
            read_and_run(output)
        } else {
            file(output, path)
        };
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
    session
        .run_file(path, &mut |sources, event| output.event(sources, event))
        .into()
}

/// Runs the program on standard input.
pub fn standard_input(output: &Output) -> Status {
    let _work = output.guard.begin();
    read_and_run(output)
}

fn read_and_run(output: &Output) -> Status {
    match read_standard_input(output) {
        Ok(text) if text.trim().is_empty() => {
            output.remark(
                "nothing to run on standard input; `bid repl` starts a dialogue, `bid --help` lists the commands",
            );
            Status::Good
        }
        Ok(text) => run_text(output, &mut output.session(), STANDARD_INPUT, &text).into(),
        Err(status) => status,
    }
}

/// Returns a session for a file that the command line names, and the path under which the session
/// reads it: `-` is standard input.
///
/// # Errors
/// Returns an error if standard input cannot be read, which has been reported.
pub fn session_for(output: &Output, path: &Path) -> Result<(Session, PathBuf), Status> {
    if !files::is_standard_input(path) {
        return Ok((output.session(), path.to_owned()));
    }
    let documents = Documents::over(Rc::new(DiskFiles));
    let name = PathBuf::from(STANDARD_INPUT);
    documents.set(&name, read_standard_input(output)?);
    Ok((output.session_over(Rc::new(documents)), name))
}

/// Reads the text on standard input.
///
/// # Errors
/// Returns an error if it cannot be read, which has been reported.
pub fn read_standard_input(output: &Output) -> Result<String, Status> {
    let refuse = |why: &Diagnostic| {
        output.diagnostic(&SourceMap::default(), why);
        Status::from(why)
    };
    let bytes = match files::all(|| Ok(stdin()), &output.guard.context()) {
        Ok(bytes) => bytes,
        Err(Unread::Failed(error)) => {
            return Err(output.usage_error(
                format!("cannot read standard input: {}", plain(&error)),
                None,
            ));
        }
        Err(why @ (Unread::TooLong(_) | Unread::Stopped(_))) => {
            return Err(refuse(&files::unreadable("standard input", why)));
        }
    };
    files::utf8("standard input", bytes).map_err(|why| refuse(&why))
}

/// Reads a file; a reason why it cannot be read is reported.
pub fn read_file(output: &Output, path: &Path) -> Result<String, Status> {
    let name = path.display().to_string();
    files::file(path, &output.guard.context())
        .map_err(|why| files::unreadable(&name, why))
        .and_then(|bytes| files::utf8(&name, bytes))
        .map_err(|wrong| report(output, &SourceMap::default(), &[wrong]))
}

fn run_text(output: &Output, session: &mut Session, name: &str, text: &str) -> Summary {
    session.run_text(name, text, &mut |sources, event| {
        output.event(sources, event)
    })
}

/// The arguments of `bid eval`.
pub struct EvalRequest<'a> {
    /// The files whose definitions the expression may use.
    pub load: &'a [PathBuf],
    /// Rules other than the default.
    pub rules: Option<&'a str>,
    /// The expression.
    pub expression: &'a str,
}

/// Evaluates one expression with the definitions of some files.
pub fn expression(output: &Output, asked: &EvalRequest<'_>) -> Status {
    let _work = output.guard.begin();
    let (mut session, status) = opened(output, asked);
    if status != Status::Good {
        return status;
    }
    talk::invite_from_terminal(&mut session, &output.guard);
    value(
        output,
        &mut session,
        asked.expression,
        &mut |sources, event| output.event(sources, event),
    )
}

/// Evaluates one expression, which must have a value, in a session; the events go to the sink.
pub fn value(
    output: &Output,
    session: &mut Session,
    expression: &str,
    sink: &mut EventSink<'_>,
) -> Status {
    let mut has_value = false;
    let summary = session.run_text("<expression>", expression, &mut |sources, event| {
        has_value |= matches!(
            event,
            SessionEvent::Value(_) | SessionEvent::Shown { .. } | SessionEvent::CheckPassed { .. }
        );
        sink(sources, event);
    });
    match summary.into() {
        Status::Good if !has_value => {
            let help = "`bid run` runs statements".to_owned();
            output.usage_error(
                format!("`{expression}` is not an expression with a value"),
                Some(help),
            )
        }
        status @ (Status::Good
        | Status::CheckFailed
        | Status::Wrong
        | Status::Stopped
        | Status::Internal) => status,
    }
}

/// Evaluates one expression and writes its value to a file, in the format of the file's extension.
pub fn to_file(output: &Output, asked: &EvalRequest<'_>, path: &Path) -> Status {
    let _work = output.guard.begin();
    if let Err(wrong) = FileForm::of(path) {
        return output.trouble(&wrong);
    }
    let (mut session, status) = opened(output, asked);
    if status != Status::Good {
        return status;
    }
    talk::invite_from_terminal(&mut session, &output.guard);
    write_value(output, &mut session, path, asked.expression)
}

/// Evaluates an expression in a session and writes its value to a file.
pub fn write_value(
    output: &Output,
    session: &mut Session,
    path: &Path,
    expression: &str,
) -> Status {
    let form = match FileForm::of(path) {
        Ok(form) => form,
        Err(wrong) => return output.trouble(&wrong),
    };
    let mut answer = None;
    session.lend_games();
    let summary = session.run_text(
        "<expression>",
        expression,
        &mut |sources, event| match event {
            SessionEvent::Value(value) | SessionEvent::Shown { value, .. } => answer = Some(value),
            event @ (SessionEvent::CheckPassed { .. }
            | SessionEvent::CheckFailed(_)
            | SessionEvent::Diagnostic(_)
            | SessionEvent::TestStarted { .. }
            | SessionEvent::TestSkipped { .. }
            | SessionEvent::TestEnded { .. }) => output.event(sources, event),
        },
    );
    let Some(answer) = answer.filter(|_| Status::from(summary) == Status::Good) else {
        return match summary.into() {
            Status::Good => output.usage_error(
                format!("`{expression}` is not an expression with a value"),
                None,
            ),
            status @ (Status::CheckFailed | Status::Wrong | Status::Stopped | Status::Internal) => {
                status
            }
        };
    };
    match session.exported(&answer, form) {
        Ok(contents) => match files::replace(path, &contents) {
            Ok(()) => Status::Good,
            Err(error) => output.file_error("write", path, &error),
        },
        Err(diagnostics) => report(output, session.sources(), &diagnostics),
    }
}

/// Prints the method that would answer an expression, and its cost.
pub fn plan(output: &Output, asked: &EvalRequest<'_>) -> Status {
    let _work = output.guard.begin();
    let (mut session, status) = opened(output, asked);
    if status != Status::Good {
        return status;
    }
    match session.plan("<expression>", asked.expression) {
        Ok(plans) => {
            for plan in plans {
                output.event(session.sources(), SessionEvent::Value(plan));
            }
            Status::Good
        }
        Err(diagnostics) => report(output, session.sources(), &diagnostics),
    }
}

/// Evaluates one expression in a new session; the events go to the sink.
pub fn evaluate(
    output: &Output,
    asked: &EvalRequest<'_>,
    sink: &mut EventSink<'_>,
) -> (Session, Status) {
    let (mut session, status) = opened(output, asked);
    if status != Status::Good {
        return (session, status);
    }
    talk::invite_from_terminal(&mut session, &output.guard);
    let summary = session.run_text("<expression>", asked.expression, sink);
    (session, summary.into())
}

/// Creates a session with the definitions and rules that an expression may use, and returns the
/// status of loading them.
pub fn opened(output: &Output, asked: &EvalRequest<'_>) -> (Session, Status) {
    let mut session = output.session();
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
    (session, Status::Good)
}

/// Looks for mistakes in files without running them.
pub fn check(output: &Output, files: &[PathBuf]) -> Status {
    let _work = output.guard.begin();
    let check = |path: &PathBuf| match session_for(output, path) {
        Ok((mut session, path)) => {
            let diagnostics = session.check_file(&path);
            report(output, session.sources(), &diagnostics)
        }
        Err(status) => status,
    };
    files.iter().map(check).max().unwrap_or_default()
}

/// Draws all diagnostics, and returns the status of the worst.
pub fn report(output: &Output, sources: &SourceMap, diagnostics: &[Diagnostic]) -> Status {
    for diagnostic in diagnostics {
        output.diagnostic(sources, diagnostic);
    }
    diagnostics
        .iter()
        .map(Status::from)
        .max()
        .unwrap_or_default()
}
