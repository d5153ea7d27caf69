//! Exit statuses.

use std::process::ExitCode;

use bid::session::Summary;
use bid_language::diagnostic::{Code, Diagnostic, Severity};

/// The result of a command, from best to worst; the program's exit status is that of its worst
/// part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Status {
    /// There were no errors.
    #[default]
    Good = 0,
    /// A check or a snapshot failed.
    CheckFailed = 1,
    /// The source or the command line was wrong.
    Wrong = 2,
    /// A limit or an interrupt stopped it.
    Stopped = 3,
    /// The program contradicted itself: an internal error, with the status of a Rust program that
    /// panicked.
    Internal = 101,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

impl From<Summary> for Status {
    fn from(summary: Summary) -> Self {
        if summary.contradicted {
            Self::Internal
        } else if summary.stopped {
            Self::Stopped
        } else if summary.errors > 0 {
            Self::Wrong
        } else if summary.failed_checks > 0 {
            Self::CheckFailed
        } else {
            Self::Good
        }
    }
}

impl From<&Diagnostic> for Status {
    fn from(diagnostic: &Diagnostic) -> Self {
        match diagnostic.severity() {
            _ if diagnostic.code == Code::Internal => Self::Internal,
            Severity::Warning => Self::Good,
            Severity::Error if diagnostic.code.is_stop() => Self::Stopped,
            Severity::Error => Self::Wrong,
        }
    }
}
