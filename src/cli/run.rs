//! Runs files, expressions and programs on standard input: `bid run`, `bid eval`, `bid check`.

use std::io::stdin;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bid::session::{FileForm, Session, SessionEvent, Summary};
use bid_language::diagnostic::{Diagnostic, plain};
use bid_language::files::{self, DiskFiles, Documents, Unread};
use bid_language::source::SourceMap;
use bid_report::Report;

use super::args::AskedExpression;
use super::output::Output;
use super::status::Status;
use super::talk;

/// The name of the program on standard input in messages.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Runs files, each in a session of its own.
pub fn files(output: &Output, files: &[PathBuf]) -> Status {
    let _work = output.guard.begin();
    let (mut worst, mut used) = (Status::Good, None);
    for path in files {
        // The memory of a file is free before the next one runs.
        drop(used.take());
        let status = if files::is_standard_input(path) {
            read_and_run(output)
        } else {
            file(output, used.insert(output.session()), path)
        };
        worst = worst.max(status);
        // A limit or an interrupt ends the whole command, not only this file.
        if status == Status::Stopped {
            break;
        }
    }
    // The process ends after this, which frees the memory of millions of positions at once.
    std::mem::forget(used);
    worst
}

fn file(output: &Output, session: &mut Session, path: &Path) -> Status {
    talk::invite_from_terminal(session, &output.guard);
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

/// The status of a command, or the one with which it ended early.
pub type Done = Result<Status, Status>;

/// Evaluates one expression with the definitions of some files.
pub fn expression(output: &Output, asked: &AskedExpression) -> Done {
    let _work = output.guard.begin();
    // The process ends after this, which frees the memory of millions of positions at once.
    let mut session = ManuallyDrop::new(opened(output, asked)?);
    talk::invite_from_terminal(&mut session, &output.guard);
    let mut has_value = false;
    let summary = session.run_text("<expression>", &asked.expression, &mut |sources, event| {
        has_value |= matches!(
            event,
            SessionEvent::Value(_)
                | SessionEvent::Shown { .. }
                | SessionEvent::Check { failed: None }
        );
        output.event(sources, event);
    });
    match summary.into() {
        // Statements without a value run well, but `bid eval` is asked for a value.
        Status::Good if !has_value => {
            let help = "`bid run` runs statements".to_owned();
            Err(no_value(output, &asked.expression, Some(help)))
        }
        status => Ok(status),
    }
}

/// Reports an expression without a value.
fn no_value(output: &Output, expression: &str, help: Option<String>) -> Status {
    let message = format!("`{expression}` is not an expression with a value");
    output.usage_error(message, help)
}

/// Returns the value of an expression if the evaluation, which has this status, has found one.
pub fn answered(
    output: &Output,
    expression: &str,
    answer: Option<Report>,
    status: Status,
) -> Result<Report, Status> {
    match answer {
        _ if status != Status::Good => Err(status),
        Some(answer) => Ok(answer),
        None => Err(no_value(output, expression, None)),
    }
}

/// Evaluates one expression and writes its value to a file, in the format of the file's extension.
pub fn to_file(output: &Output, asked: &AskedExpression, path: &Path) -> Done {
    let _work = output.guard.begin();
    FileForm::of(path).map_err(|wrong| output.trouble(&wrong))?;
    let mut session = opened(output, asked)?;
    talk::invite_from_terminal(&mut session, &output.guard);
    write_value(output, &mut session, path, &asked.expression)
}

/// Evaluates an expression in a session and writes its value to a file.
pub fn write_value(output: &Output, session: &mut Session, path: &Path, expression: &str) -> Done {
    let form = FileForm::of(path).map_err(|wrong| output.trouble(&wrong))?;
    let mut answer = None;
    session.lend_games();
    let sink = &mut |sources: &SourceMap, event| match event {
        SessionEvent::Value(value) | SessionEvent::Shown { value, .. } => answer = Some(value),
        event => output.event(sources, event),
    };
    let summary = session.run_text("<expression>", expression, sink);
    let answer = answered(output, expression, answer, summary.into())?;
    let contents = session.exported(&answer, form);
    let contents = contents.map_err(|wrong| report(output, session.sources(), &wrong))?;
    match files::replace(path, &contents) {
        Ok(()) => Ok(Status::Good),
        Err(error) => Err(output.file_error("write", path, &error)),
    }
}

/// Prints the method that would answer an expression, and its cost.
pub fn plan(output: &Output, asked: &AskedExpression) -> Done {
    let _work = output.guard.begin();
    let mut session = opened(output, asked)?;
    let plans = session.plan("<expression>", &asked.expression);
    for plan in plans.map_err(|wrong| report(output, session.sources(), &wrong))? {
        output.event(session.sources(), SessionEvent::Value(plan));
    }
    Ok(Status::Good)
}

/// Creates a session with the definitions and rules that an expression may use. Unless files are
/// named, these are the definitions of the library's classics, as in Python.
pub fn opened(output: &Output, asked: &AskedExpression) -> Result<Session, Status> {
    let mut session = output.session();
    let classics = [PathBuf::from("games/classics.bid")];
    let files = if asked.load.is_empty() {
        &classics[..]
    } else {
        &asked.load
    };
    for path in files {
        let summary = session.use_file(path, &mut |sources, event| output.event(sources, event));
        // A failed check leaves the definitions usable.
        if Status::from(summary) > Status::CheckFailed {
            return Err(summary.into());
        }
    }
    if let Some(rules) = &asked.rules {
        let set = session.set_rules("<rules>", rules);
        set.map_err(|wrong| report(output, session.sources(), &wrong))?;
    }
    Ok(session)
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
