//! Prints the tokens that the REPL colours, as lines, against which the grammars of editors are
//! tested (`bid tokens`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bid_language::syntax::classify;

use super::output::Output;
use super::run::{Done, read_file};
use super::status::Status;

/// Prints a line for each file, `FILE`, and then one for each of its tokens: first byte, one past
/// the last byte, class.
pub fn run(output: &Output, paths: &[PathBuf]) -> Status {
    paths
        .iter()
        .map(|path| file(output, path).unwrap_or_else(|status| status))
        .max()
        .unwrap_or_default()
}

fn file(output: &Output, path: &Path) -> Done {
    let name = path.display().to_string();
    let text = read_file(output, path)?;
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
    Ok(Status::Good)
}
