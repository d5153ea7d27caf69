//! Writes a file with all its answers as one page for browsers: `bid export`.
//!
//! Each statement is run as a cell of a worksheet is: with the definitions that it needs, while
//! other statements may have errors. The page needs no other file and no network. Beside the files
//! of the playground it can become a worksheet.

mod answers;
mod html;
mod pieces;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bid::engine::{Core, EngineGuard, FileChange, Finding};
use bid::session::{FileForm, Summary};
use bid_language::diagnostic::Severity;
use bid_language::files::{self, DiskFiles};
use bid_language::watch::Settings;
use bid_report::Format;

use super::args::ExportOptions;
use super::output::{Output, complain, print};
use super::run::{STANDARD_INPUT, read_standard_input};
use super::status::Status;
use answers::{AnsweredCell, answer};
use html::ExportedPage;
use pieces::{Piece, pieces};

/// Runs a file and writes the page.
pub fn run(output: &Output, wanted: &ExportOptions, timeout: Option<Duration>) -> Status {
    if let Some(path) = &wanted.output
        && FileForm::of(path).is_ok_and(|form| form != FileForm::Written(Format::Html))
    {
        let message = format!("cannot write {}: a page is HTML", path.display());
        let help = "name it `.html`; `bid eval -o` writes one answer in other forms";
        return output.usage_error(message, Some(help.to_owned()));
    }
    let _work = output.guard.begin();
    let guard = Arc::clone(output.guard.guard());
    let limits = guard.limits();
    let guard = EngineGuard::over(guard, Settings { limits, timeout });
    let mut core = Core::new(Rc::new(DiskFiles), Arc::new(guard));
    let path = match opened(output, &mut core, &wanted.file) {
        Ok(path) => path,
        Err(status) => return status,
    };
    let analysis = match core.desk().analysis(&path, &output.guard.context()) {
        Ok(analysis) => analysis,
        Err(why) => {
            let sources = core.desk().workspace().sources();
            output.diagnostic(sources, &why);
            return Status::from(&*why);
        }
    };
    let cells = core.desk().cells(&analysis);
    let findings = core.desk().findings(&analysis);
    let mut answered = Vec::new();
    // Requests of the engine are numbered from 1 on.
    for (number, cell) in (1..).zip(&cells) {
        let mut answer = if cell.is_readable {
            answer(&mut core, number, &path, cell, &output.guard.context())
        } else {
            AnsweredCell::default()
        };
        answer.add_analysis(cell, &findings);
        answered.push(answer);
        if output.guard.interrupted() {
            output.remark("interrupted: no page was written");
            return Status::Stopped;
        }
    }
    // Findings of no statement come last, under the number after those of all statements.
    answered.push(AnsweredCell::outside(&cells, &findings));
    let desk = core.desk();
    let (text, tokens) = (
        desk.workspace().text(&analysis).1,
        desk.workspace().tokens(&analysis),
    );
    let mut parts = pieces(text, &cells);
    parts.push(Piece::Answer(cells.len()));
    let page = ExportedPage {
        name: &name(&path),
        text,
        playground: wanted.playground.as_deref(),
        pieces: &parts,
        tokens: &tokens,
        answers: &answered,
    };
    // Printing the page may end the program, so that findings come first.
    report(output, &answered);
    match &wanted.output {
        None => print(&page.to_string()),
        Some(path) => {
            if let Err(error) = files::replace(path, page.to_string()) {
                return output.file_error("write", path, &error);
            }
            output.remark(&format!("wrote {}", path.display()));
        }
    }
    let summaries = answered.iter().map(|cell| cell.summary);
    summaries
        .fold(Summary::default(), |all, one| all.and(one))
        .into()
}

/// Opens the file, or standard input, and returns its path among the engine's documents.
///
/// # Errors
/// Returns an error if standard input cannot be read, which has been reported.
fn opened(output: &Output, core: &mut Core, file: &Path) -> Result<PathBuf, Status> {
    if !files::is_standard_input(file) {
        return Ok(file.to_owned());
    }
    let path = PathBuf::from(STANDARD_INPUT);
    let text = read_standard_input(output)?;
    core.change(&FileChange::Open(path.clone(), text));
    Ok(path)
}

/// Returns the name of the file as the page shows it.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Prints what is wrong in the answers, each finding once.
fn report(output: &Output, answered: &[AnsweredCell]) {
    let mut told: Vec<&Finding> = Vec::new();
    for finding in answered.iter().flat_map(AnsweredCell::findings) {
        if !told.contains(&finding) {
            told.push(finding);
            if finding.severity == Severity::Error {
                output.guard.clear_progress();
                complain(&finding.drawn);
            } else {
                output.remark(&finding.drawn);
            }
        }
    }
}
