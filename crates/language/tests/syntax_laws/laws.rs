//! Laws for every text, and for every text that can be read.

use bid_language::source::SourceMap;
use bid_language::syntax::{self, Parsed, ast};

use super::same;

/// Reads a text.
pub fn parse(text: &str) -> (SourceMap, Parsed) {
    let mut sources = SourceMap::default();
    let source = sources.add("law", text);
    let parsed = syntax::parse(&sources, source);
    (sources, parsed)
}

/// Returns the comments in the form that they have in the output, documentation included, sorted.
fn comments(file: &ast::File) -> Vec<String> {
    fn docs(statements: &[ast::Statement], into: &mut Vec<String>) {
        for statement in statements {
            into.extend(
                statement
                    .doc
                    .iter()
                    .flat_map(|doc| doc.split('\n'))
                    .map(|line| format!("/ {line}")),
            );
            if let ast::StatementKind::Test { body, .. } = &statement.kind {
                docs(body, into);
            }
        }
    }
    let mut all: Vec<String> = file
        .comments
        .iter()
        .map(|comment| comment.text.clone())
        .collect();
    docs(&file.statements, &mut all);
    // `///x` and `/// x` are the same documentation.
    let squeezed = |comment: String| {
        comment
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("/ ", "/")
    };
    let mut all: Vec<String> = all.into_iter().map(squeezed).collect();
    all.sort();
    all
}

/// Formats a readable text, and checks the laws for the result.
pub fn check_format(text: &str, parsed: &Parsed) {
    let once = syntax::format(&parsed.file, text);
    let (_, again) = parse(&once);
    assert_eq!(again.diagnostics, [], "formatted:\n{once}\nfrom:\n{text}");
    assert_eq!(
        comments(&parsed.file),
        comments(&again.file),
        "comments of:\n{text}\nin:\n{once}"
    );
    assert_eq!(
        same::stripped(&parsed.file),
        same::stripped(&again.file),
        "tree of:\n{text}\nin:\n{once}"
    );
    assert_eq!(
        syntax::format(&again.file, &once),
        once,
        "formatted twice, from:\n{text}"
    );
}

/// Parses any text. Checks the spans, and the formatted text if there are no errors.
pub fn check_any(text: &str) {
    let _ = syntax::is_incomplete(text);
    let (sources, parsed) = parse(text);
    for label in parsed
        .diagnostics
        .iter()
        .flat_map(|diagnostic| &diagnostic.labels)
    {
        let _ = sources.text(label.span);
    }
    if parsed.diagnostics.is_empty() {
        check_format(text, &parsed);
    }
}
