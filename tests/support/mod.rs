//! Helpers for the tests of the whole pipeline: files in memory, and a transcript of a session.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bid::session::{Phase, Session, SessionEvent};
use bid_language::diagnostic::Diagnostic;
use bid_language::files::{Files, Unread};
use bid_language::source::SourceMap;
use bid_language::watch::{Context, Guard, Limits};

/// Files in memory.
#[derive(Default)]
pub struct Memory(pub BTreeMap<PathBuf, Vec<u8>>);

impl Files for Memory {
    fn read(&self, path: &Path, _: &Context<'_>) -> Result<Vec<u8>, Unread> {
        self.0
            .get(path)
            .cloned()
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound).into())
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.0
            .contains_key(path)
            .then(|| path.to_owned())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn library_path(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// Returns this many threads, on which work runs instead of on all threads of the machine.
pub fn threads(count: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
    pool.build().expect("threads can be started")
}

/// The files of the repository.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path, _: &Context<'_>) -> Result<Vec<u8>, Unread> {
        Ok(std::fs::read(path)?)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    fn library_path(&self) -> Vec<PathBuf> {
        vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))]
    }
}

/// Returns a guard that stops at a small number of positions, so that an error in a test cannot run
/// for ever.
pub fn small() -> Arc<Guard> {
    Arc::new(Guard::default().within(Limits::positions(100_000)))
}

/// Creates a session on the repository's files with small limits.
pub fn session() -> Session {
    Session::new(Box::new(Disk), small())
}

/// Runs a text and returns a transcript of its events.
pub fn transcript(session: &mut Session, name: &str, text: &str) -> String {
    let mut out = String::new();
    session.run_text(name, text, &mut |sources, event| {
        write_event(&mut out, sources, event)
    });
    out
}

/// Writes one event.
pub fn write_event(out: &mut String, sources: &SourceMap, event: SessionEvent) {
    let written = match event {
        SessionEvent::Shown { label, value, .. } => {
            let value = value.to_string();
            if value.contains('\n') {
                writeln!(out, "{label}\n{value}")
            } else {
                writeln!(out, "{label} = {value}")
            }
        }
        SessionEvent::Value(value) => writeln!(out, "{value}"),
        SessionEvent::Check { failed: None } => Ok(()),
        SessionEvent::Check {
            failed: Some(diagnostic),
        }
        | SessionEvent::Diagnostic(diagnostic) => {
            out.push_str(&plain(sources, &diagnostic));
            Ok(())
        }
        SessionEvent::Test { name, phase } => match phase {
            Phase::Started => writeln!(out, "test {name:?}"),
            Phase::Skipped => writeln!(out, "test {name:?} not run"),
            Phase::Ended => writeln!(out, "end of {name:?}"),
        },
    };
    written.expect("writing to a string succeeds");
}

/// Formats a diagnostic as plain lines: code and message, each label with line, column and the text
/// it covers, notes, help.
pub fn plain(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let mut out = format!("{}: {}\n", diagnostic.code.as_str(), diagnostic.message);
    for label in &diagnostic.labels {
        let (line, column) = sources.position(label.span);
        let covered = sources.text(label.span).replace('\n', "⏎");
        writeln!(out, "  {line}:{column} `{covered}`: {}", label.text)
            .expect("writing to a string succeeds");
    }
    for note in &diagnostic.notes {
        writeln!(out, "  note: {note}").expect("writing to a string succeeds");
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  help: {help}").expect("writing to a string succeeds");
    }
    out
}
