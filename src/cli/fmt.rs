//! Formats files in the canonical form (`bid fmt`).

use std::path::{Path, PathBuf};

use bid_language::files;
use bid_language::source::SourceMap;
use bid_language::syntax;

use super::output::Output;
use super::run::{Done, STANDARD_INPUT, read_file, read_standard_input, report};
use super::status::Status;

/// Formats files in place; with `check`, only reports the files that would change.
pub fn run(output: &Output, paths: &[PathBuf], check: bool) -> Status {
    let _work = output.guard.begin();
    match files::bid_files(paths) {
        // A file behind a link in a folder is formatted in its own place, if that is among the
        // paths.
        Ok(files) => files
            .iter()
            .filter(|path| paths.contains(path) || !path.is_symlink())
            .map(|path| file(output, path, check).unwrap_or_else(|status| status))
            .max()
            .unwrap_or_default(),
        Err((path, error)) => output.file_error("read", &path, &error),
    }
}

fn standard_input(output: &Output, check: bool) -> Done {
    let text = read_standard_input(output)?;
    let new = formatted(output, STANDARD_INPUT, &text)?;
    if check {
        return Ok(difference(STANDARD_INPUT, output, new == text));
    }
    output.source(&new);
    Ok(Status::Good)
}

fn file(output: &Output, path: &Path, check: bool) -> Done {
    if files::is_standard_input(path) {
        return standard_input(output, check);
    }
    let name = path.display().to_string();
    let text = read_file(output, path)?;
    let new = formatted(output, &name, &text)?;
    if check {
        return Ok(difference(&name, output, new == text));
    }
    // A file that would not change keeps its time, so that other tools do not see a change.
    if new == text {
        return Ok(Status::Good);
    }
    match files::replace(path, &new) {
        Ok(()) => {
            output.remark(&format!("formatted {name}"));
            Ok(Status::Good)
        }
        Err(error) => Err(output.file_error("write", path, &error)),
    }
}

fn difference(name: &str, output: &Output, same: bool) -> Status {
    if same {
        return Status::Good;
    }
    output.result(&format!("{name} is not formatted"));
    Status::CheckFailed
}

/// Returns the canonical form. A text with syntax errors is refused, because its unreadable part
/// would be lost.
fn formatted(output: &Output, name: &str, text: &str) -> Result<String, Status> {
    let mut sources = SourceMap::default();
    let id = sources.add(name, text);
    let parsed = syntax::parse(&sources, id);
    match report(output, &sources, &parsed.diagnostics) {
        Status::Good => Ok(syntax::format(&parsed.file, text)),
        status @ (Status::CheckFailed | Status::Wrong | Status::Stopped | Status::Internal) => {
            Err(status)
        }
    }
}
