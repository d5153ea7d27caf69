//! Where things are printed: results to standard output, everything else to standard error.

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

use super::args::{Colour, Options};
use super::status::Status;
use super::terminal_guard::TerminalGuard;

/// The terminal, or what stands in its place.
#[derive(Debug)]
pub struct Output {
    /// How values are written.
    pub format: Format,
    /// Watches over evaluations.
    pub guard: Arc<TerminalGuard>,
    /// Whether standard output is coloured.
    pub colour: bool,
    /// Whether standard error is coloured.
    pub colour_errors: bool,
    quiet: bool,
    /// Whether somebody has been told what `3-ε` is.
    told_of_minus_epsilon: AtomicBool,
}

impl Output {
    /// The output that the options ask for.
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

    /// A session on the disk's files, under the guard.
    pub fn session(&self) -> Session {
        self.session_over(Rc::new(DiskFiles))
    }

    /// The same on other files.
    pub fn session_over(&self, files: Rc<dyn Files>) -> Session {
        Session::over(files, Arc::clone(self.guard.guard()))
    }

    /// Prints a result and a newline. No character of it drives the terminal: JSON escapes such
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

    /// Prints a source as it is, which may be empty; on a terminal no character of it drives that.
    pub fn source(&self, text: &str) {
        self.guard.clear_progress();
        print(&if stdout().is_terminal() {
            safe::visible(text)
        } else {
            text.into()
        });
    }

    /// Prints sentences as a result: on a terminal, broken between words where a line is full.
    pub fn prose(&self, text: &str) {
        if stdout().is_terminal() {
            // A word that is longer than a line stays whole.
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

    /// Draws a diagnostic over its source on standard error; warnings not under `--quiet`.
    pub fn diagnostic(&self, sources: &SourceMap, diagnostic: &Diagnostic) {
        if let Some(drawn) = self.drawn(sources, diagnostic) {
            self.guard.clear_progress();
            complain_coloured(&drawn);
        }
    }

    /// A diagnostic as it is printed, if it is.
    pub fn drawn(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> Option<String> {
        let hidden = self.quiet && diagnostic.severity() == Severity::Warning;
        (!hidden).then(|| render::diagnostic(sources, diagnostic, self.colour_errors))
    }

    /// Says that a file cannot be read or written.
    pub fn file_error(&self, action: &str, path: &Path, error: &io::Error) -> Status {
        let message = format!("cannot {action} {}: {}", path.display(), plain(error));
        self.diagnostic(
            &SourceMap::default(),
            &Diagnostic::new(Code::NoFile, message),
        );
        Status::Wrong
    }

    /// Says why nothing can be done.
    pub fn trouble(&self, trouble: &Diagnostic) -> Status {
        self.diagnostic(&SourceMap::default(), trouble);
        Status::Wrong
    }

    /// Says that the command line is wrong.
    pub fn usage_error(&self, message: String, help: Option<String>) -> Status {
        self.diagnostic(
            &SourceMap::default(),
            &Diagnostic::new(Code::CommandLine, message).maybe_help(help),
        );
        Status::Wrong
    }

    /// Prints what happened while a source ran. Checks that hold and the names of tests are not
    /// worth a line.
    pub fn event(&self, sources: &SourceMap, event: SessionEvent) {
        match event {
            SessionEvent::Shown { label, value, .. } => {
                self.written(value.labelled(&label, self.format, &self.guard.context()))
            }
            SessionEvent::Value(value) => {
                self.written(value.render(self.format, &self.guard.context()))
            }
            SessionEvent::CheckFailed(diagnostic) | SessionEvent::Diagnostic(diagnostic) => {
                self.diagnostic(sources, &diagnostic)
            }
            SessionEvent::CheckPassed { .. }
            | SessionEvent::TestStarted { .. }
            | SessionEvent::TestSkipped { .. }
            | SessionEvent::TestEnded { .. } => {}
        }
    }

    /// Prints what was written; of what was stopped nothing, for the session asks the same watch
    /// and says so.
    fn written(&self, text: Result<String, Stop>) {
        let Ok(text) = text else { return };
        self.result(&text);
        if stdout().is_terminal()
            && text.contains("-ε")
            && !self.told_of_minus_epsilon.swap(true, Ordering::Relaxed)
        {
            self.remark(
                "(3-ε: three chips suffice even for who loses ties; 3: only for who wins them)",
            );
        }
    }
}

/// Where a line goes on that is too long: below the text of a list of names with texts.
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

/// Prints to standard error, with nothing that drives a terminal.
pub fn complain(text: &str) {
    complain_coloured(&safe::visible(text));
}

/// Prints what has colours to standard error; if that cannot be written there is nobody left to
/// tell.
pub fn complain_coloured(text: &str) {
    let text = format!("{}\n", text.trim_end_matches('\n'));
    let _ = stderr().lock().write_all(text.as_bytes());
}

/// Ends the program because standard output cannot be written: silently if the reader has gone
/// away.
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

fn wants_colour(colour: Colour, is_terminal: bool) -> bool {
    let is_set = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            is_terminal
                && !is_set("NO_COLOR")
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
