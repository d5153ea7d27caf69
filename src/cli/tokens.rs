//! Prints the tokens that the REPL colours, as lines, against which the grammars of editors are
//! tested (`bid tokens`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bid_language::files;
use bid_language::source::SourceMap;
use bid_language::syntax::classify;

use super::output::Output;
use super::run::report;
use super::status::Status;

/// Prints a line for each file, `FILE`, and then one for each of its tokens: first byte, one past
/// the last byte, class.
pub fn run(output: &Output, paths: &[PathBuf]) -> Status {
    paths
        .iter()
        .map(|path| file(output, path))
        .max()
        .unwrap_or_default()
}

fn file(output: &Output, path: &Path) -> Status {
    let name = path.display().to_string();
    let read =
        files::file(path, &output.guard.context()).map_err(|why| files::unreadable(&name, why));
    let text = match read.and_then(|bytes| files::utf8(&name, bytes)) {
        Ok(text) => text,
        Err(wrong) => return report(output, &SourceMap::default(), &[wrong]),
    };
    let mut lines = format!("FILE {name}");
    for token in classify(&text) {
        // Writing to a string cannot fail.
        let _ = write!(
            lines,
            "\n{} {} {}",
            token.start,
            token.end,
            token.class.name()
        );
    }
    output.result(&lines);
    Status::Good
}
