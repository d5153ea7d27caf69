//! Prints results to standard output, and everything else to standard error.

use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bid::session::{Session, SessionEvent};
use bid_language::diagnostic::{Code, Diagnostic, Severity, plain};
use bid_language::files::{DiskFiles, Files};
use bid_language::source::SourceMap;
use bid_language::watch::Stop;
use bid_report::render;
use bid_report::{Format, safe};
use clap::ColorChoice;

use super::args::Options;
use super::status::Status;
use super::terminal_guard::TerminalGuard;

/// The terminal, or the streams in its place.
#[derive(Debug)]
pub struct Output {
    /// The format of values.
    pub format: Format,
    /// The guard of evaluations.
    pub guard: Arc<TerminalGuard>,
    /// `true` if standard output is coloured.
    pub colour: bool,
    /// `true` if standard error is coloured.
    pub colour_errors: bool,
    quiet: bool,
    /// `true` if the meaning of `3-ε` has been explained.
    told_of_minus_epsilon: AtomicBool,
}

impl Output {
    /// Creates the output that the options ask for.
    pub fn new(options: &Options, guard: Arc<TerminalGuard>) -> Self {
        Self {
            format: options.format.into(),
            guard,
            colour: wants_colour(options.color, stdout().is_terminal()),
            colour_errors: wants_colour(options.color, stderr().is_terminal()),
            quiet: options.quiet,
            told_of_minus_epsilon: AtomicBool::new(false),
        }
    }

    /// Creates a session on the files of the disk, under the guard.
    pub fn session(&self) -> Session {
        self.session_over(Rc::new(DiskFiles))
    }

    /// Creates a session on other files.
    pub fn session_over(&self, files: Rc<dyn Files>) -> Session {
        Session::over(files, Arc::clone(self.guard.guard()))
    }

    /// Prints a result and a newline. No character of it controls the terminal: JSON escapes such
    /// characters, text shows them.
    pub fn result(&self, text: &str) {
        self.guard.clear_progress();
        let text = if self.format == Format::Json {
            safe::json(text)
        } else {
            safe::visible(text)
        };
        print(&format!("{text}\n"));
    }

    /// Prints a source unchanged; it may be empty. On a terminal no character of it controls the
    /// terminal.
    pub fn source(&self, text: &str) {
        self.guard.clear_progress();
        print(&if stdout().is_terminal() {
            safe::visible(text)
        } else {
            text.into()
        });
    }

    /// Prints sentences as a result. On a terminal lines are broken between words.
    pub fn prose(&self, text: &str) {
        if stdout().is_terminal() {
            // A word that is longer than a line is not broken.
            let shape = textwrap::Options::with_termwidth().break_words(false);
            let shape = shape.word_splitter(textwrap::WordSplitter::NoHyphenation);
            let filled = |line: &str| {
                textwrap::fill(
                    line,
                    shape.clone().subsequent_indent(&" ".repeat(hanging(line))),
                )
            };
            self.result(&text.lines().map(filled).collect::<Vec<_>>().join("\n"));
        } else {
            self.result(text);
        }
    }

    /// Prints to standard error, unless `--quiet`.
    pub fn remark(&self, text: &str) {
        if !self.quiet {
            self.guard.clear_progress();
            complain(text);
        }
    }

    /// Draws a diagnostic over its source on standard error; under `--quiet` warnings are left out.
    pub fn diagnostic(&self, sources: &SourceMap, diagnostic: &Diagnostic) {
        if let Some(drawn) = self.drawn(sources, diagnostic) {
            self.guard.clear_progress();
            complain_coloured(&drawn);
        }
    }

    /// Returns a diagnostic as it is printed; `None` if it is not printed.
    pub fn drawn(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> Option<String> {
        let hidden = self.quiet && diagnostic.severity() == Severity::Warning;
        (!hidden).then(|| render::diagnostic(sources, diagnostic, self.colour_errors))
    }

    /// Reports that a file cannot be read or written.
    pub fn file_error(&self, action: &str, path: &Path, error: &io::Error) -> Status {
        let message = format!("cannot {action} {}: {}", path.display(), plain(error));
        self.diagnostic(
            &SourceMap::default(),
            &Diagnostic::new(Code::NoFile, message),
        );
        Status::Wrong
    }

    /// Reports an error that makes the command impossible.
    pub fn trouble(&self, trouble: &Diagnostic) -> Status {
        self.diagnostic(&SourceMap::default(), trouble);
        Status::Wrong
    }

    /// Reports an error in the command line.
    pub fn usage_error(&self, message: String, help: Option<String>) -> Status {
        self.diagnostic(
            &SourceMap::default(),
            &Diagnostic::new(Code::CommandLine, message).maybe_help(help),
        );
        Status::Wrong
    }

    /// Prints an event of a running source. Checks that hold and the names of tests are not
    /// printed.
    pub fn event(&self, sources: &SourceMap, event: SessionEvent) {
        match event {
            SessionEvent::Shown { label, value, .. } => {
                self.written(value.labelled(&label, self.format, &self.guard.context()))
            }
            SessionEvent::Value(value) => {
                self.written(value.render(self.format, &self.guard.context()))
            }
            SessionEvent::Check {
                failed: Some(diagnostic),
            }
            | SessionEvent::Diagnostic(diagnostic) => self.diagnostic(sources, &diagnostic),
            SessionEvent::Check { failed: None } | SessionEvent::Test { .. } => {}
        }
    }

    /// Prints a written value. If the writing was stopped it prints nothing, because the session
    /// checks the same guard and reports the stop.
    fn written(&self, text: Result<String, Stop>) {
        let Ok(text) = text else { return };
        self.result(&text);
        if stdout().is_terminal()
            && text.contains("-ε")
            && !self.told_of_minus_epsilon.swap(true, Ordering::Relaxed)
        {
            self.remark(
                "(3-ε: three chips suffice even for the player who loses ties; 3: only for the one who wins them)",
            );
        }
    }
}

/// Returns the indentation of the rest of a line that is too long: below the text of an entry in a
/// list of names with texts.
fn hanging(line: &str) -> usize {
    let entry = line.trim_start();
    let margin = line.len() - entry.len();
    match entry.find("  ") {
        Some(name) if margin > 0 => line.len() - entry[name..].trim_start().len(),
        _ => margin,
    }
}

/// Prints to standard output, or ends the program if that cannot be written.
pub fn print(text: &str) {
    let mut out = stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        leave(&error);
    }
}

/// Prints to standard error, without characters that control a terminal.
pub fn complain(text: &str) {
    complain_coloured(&safe::visible(text));
}

/// Prints coloured text to standard error; a failure is ignored, because it cannot be reported.
pub fn complain_coloured(text: &str) {
    // One call writes the text with its newline, so that other threads do not come between.
    let text = format!("{}\n", text.trim_end_matches('\n'));
    let _ = stderr().lock().write_all(text.as_bytes());
}

/// Ends the program because standard output cannot be written: silently if the reader has gone.
pub fn leave(error: &io::Error) -> ! {
    let status = if error.kind() == ErrorKind::BrokenPipe {
        Status::Good
    } else {
        complain(&format!(
            "cannot write to standard output: {}",
            plain(error)
        ));
        Status::Wrong
    };
    std::process::exit(status as i32)
}

fn wants_colour(colour: ColorChoice, is_terminal: bool) -> bool {
    let is_set = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    match colour {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            // The convention counts a variable that is set to the empty text as not set.
            is_terminal
                && !is_set("NO_COLOR")
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
