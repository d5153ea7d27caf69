//! `bid eval --certificate FILE EXPR` and `bid verify FILE`.

use std::fs::File;
use std::io::{BufWriter, Error, Write};
use std::path::Path;

use bid::session::SessionEvent;
use bid::session::builtins;
use bid_language::diagnostic::{Code, Diagnostic};
use bid_language::files::Draft;
use bid_language::source::SourceMap;
use bid_language::watch::Stop;
use bid_verify::Failure;
use bid_verify::format::Certificate;

use super::args::AskedExpression;
use super::output::Output;
use super::run;
use super::status::Status;
use super::talk;

/// Evaluates an expression and writes the certificate of its value.
pub fn write(output: &Output, asked: &AskedExpression, path: &Path) -> run::Done {
    let _work = output.guard.begin();
    let mut session = run::opened(output, asked)?;
    talk::invite_from_terminal(&mut session, &output.guard);
    let mut answer = None;
    let summary = session.run_text("<expression>", &asked.expression, &mut |sources, event| {
        if let SessionEvent::Value(value) = &event {
            answer = Some(value.clone());
        }
        output.event(sources, event);
    });
    let answer = run::answered(output, &asked.expression, answer, summary.into())?;
    let written = if path.extension().is_some_and(|extension| extension == "v") {
        session
            .theorem(&asked.expression, &answer)
            .map(CertificateFile::Theorem)
    } else {
        session
            .certificate(&asked.expression, &answer)
            .map(|certificate| CertificateFile::Certificate(Box::new(certificate)))
    };
    let written = written.map_err(|wrong| run::report(output, session.sources(), &[*wrong]))?;
    Ok(save(output, &written, path))
}

/// The content of the file, by its extension.
enum CertificateFile {
    /// `.v`: a theorem for Coq.
    Theorem(String),
    /// A certificate for `bid verify`.
    Certificate(Box<Certificate>),
}

impl CertificateFile {
    fn write(&self, file: &mut impl Write) -> std::io::Result<()> {
        match self {
            Self::Theorem(text) => file.write_all(text.as_bytes()),
            Self::Certificate(certificate) => {
                serde_json::to_writer(&mut *file, certificate).map_err(Error::from)?;
                file.write_all(b"\n")
            }
        }
    }
}

/// Writes a file, unless it is stopped.
fn save(output: &Output, written: &CertificateFile, path: &Path) -> Status {
    let written = Draft::of(path).and_then(|draft| {
        let mut file = BufWriter::with_capacity(
            1 << 16,
            WatchedWriter {
                draft,
                output,
                stop: None,
            },
        );
        let written = written.write(&mut file).and_then(|()| file.flush());
        // Taken apart, the buffer is not flushed once more when it is dropped.
        let (WatchedWriter { draft, stop, .. }, _) = file.into_parts();
        match (stop, written) {
            // The stop was turned into an error of writing, so it is looked at before that error.
            (Some(stop), _) => Ok(Some(stop)),
            (None, Ok(())) => draft.publish().map(|()| None),
            (None, Err(error)) => Err(error),
        }
    });
    match written {
        Ok(None) => Status::Good,
        Ok(Some(stop)) => stopped(output, stop),
        Err(error) => output.file_error("write", path, &error),
    }
}

/// A file whose writing can be stopped.
struct WatchedWriter<'o> {
    draft: Draft,
    output: &'o Output,
    stop: Option<Stop>,
}

impl Write for WatchedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if let Err(stop) = self.output.guard.guard().check() {
            self.stop = Some(stop);
            return Err(Error::other("stopped"));
        }
        self.draft.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.draft.flush()
    }
}

fn stopped(output: &Output, stop: Stop) -> Status {
    output.diagnostic(&SourceMap::default(), &stop.into());
    Status::Stopped
}

/// Checks a certificate.
pub fn verify(output: &Output, path: &Path) -> Status {
    let _work = output.guard.begin();
    let said = |code, message: String, why: String, status| {
        output.diagnostic(
            &SourceMap::default(),
            &Diagnostic::new(code, message).note(why),
        );
        status
    };
    let name = path.display();
    // Reading a pipe could block for ever, and a device never ends.
    let file = match std::fs::metadata(path) {
        Ok(found) if found.is_file() => File::open(path),
        Ok(_) => Err(Error::other("it is not a regular file")),
        Err(error) => Err(error),
    };
    let mut file = match file {
        Ok(file) => file,
        Err(error) => return output.file_error("read", path, &error),
    };
    match bid_verify::verify(&mut file, &builtins(), &output.guard.context()) {
        Ok(proved) => {
            output.result(&format!("proved: {proved}"));
            Status::Good
        }
        Err(Failure::Unproved(why)) => said(
            Code::CheckFailed,
            format!("{name} does not prove its answer"),
            why,
            Status::CheckFailed,
        ),
        Err(Failure::Malformed(why)) => said(
            Code::Certificate,
            format!("{name} is not a certificate"),
            why,
            Status::Wrong,
        ),
        Err(Failure::Stopped(stop)) => stopped(output, stop),
    }
}
