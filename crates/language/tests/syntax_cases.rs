//! Tests of the syntax stage on files: the canonical text of readable ones, and the diagnostics of
//! the others.

use std::fmt::Write;
use std::path::Path;

use bid_language::diagnostic::Diagnostic;
use bid_language::source::SourceMap;
use bid_language::syntax::{self, Parsed};

fn parse(name: &str, text: &str) -> (SourceMap, Parsed) {
    let mut sources = SourceMap::default();
    let source = sources.add(name, text);
    let parsed = syntax::parse(&sources, source);
    (sources, parsed)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the cases are readable")
}

/// Returns the comments without the spaces at their ends, sorted. Documentation is included in its
/// form as comments.
fn all_comments(parsed: &Parsed) -> Vec<String> {
    let mut comments: Vec<_> = parsed
        .file
        .comments
        .iter()
        .map(|c| c.text.trim_end().to_owned())
        .collect();
    let mut statements: Vec<_> = parsed.file.statements.iter().collect();
    while let Some(statement) = statements.pop() {
        comments.extend(
            statement
                .doc
                .iter()
                .flat_map(|doc| doc.split('\n'))
                .map(|line| format!("/ {line}")),
        );
        if let syntax::ast::StatementKind::Test { body, .. } = &statement.kind {
            statements.extend(body);
        }
    }
    for comment in &mut comments {
        *comment = comment.trim_end().to_owned();
    }
    comments.sort();
    comments
}

/// Formats a text that must be readable. Checks that nothing is lost and that formatting again
/// changes nothing.
fn formatted(name: &str, text: &str) -> String {
    let (sources, parsed) = parse(name, text);
    let complaints: String = parsed
        .diagnostics
        .iter()
        .map(|diagnostic| plain(&sources, diagnostic))
        .collect();
    assert_eq!(complaints, "", "{name} is readable");
    let canonical = syntax::format(&parsed.file, text);
    let (sources, again) = parse(name, &canonical);
    let complaints: String = again
        .diagnostics
        .iter()
        .map(|diagnostic| plain(&sources, diagnostic))
        .collect();
    assert_eq!(
        complaints, "",
        "the formatted {name} is readable:\n{canonical}"
    );
    assert_eq!(
        all_comments(&parsed),
        all_comments(&again),
        "{name} keeps its comments"
    );
    assert_eq!(
        syntax::format(&again.file, &canonical),
        canonical,
        "formatting {name} twice changes nothing more"
    );
    canonical
}

/// Writes a diagnostic as plain lines.
fn plain(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let mut text = format!("{} {}\n", diagnostic.code.as_str(), diagnostic.message);
    for label in &diagnostic.labels {
        let (line, column) = sources.position(label.span);
        let shown = sources.text(label.span);
        let shown: String = shown.chars().take(30).collect();
        writeln!(text, "  {line}:{column} `{shown}` {}", label.text)
            .expect("writing to a string succeeds");
    }
    for note in &diagnostic.notes {
        writeln!(text, "  note: {note}").expect("writing to a string succeeds");
    }
    if let Some(help) = &diagnostic.help {
        writeln!(text, "  help: {help}").expect("writing to a string succeeds");
    }
    text
}

#[test]
fn readable_cases_in_canonical_form() {
    insta::glob!("cases/syntax/ok/*.bid", |path| {
        insta::assert_snapshot!(formatted(&path.display().to_string(), &read(path)));
    });
}

#[test]
fn unreadable_cases_with_their_diagnostics() {
    insta::glob!("cases/syntax/err/*.bid", |path| {
        let (sources, parsed) = parse("case", &read(path));
        let kept = parsed.file.statements.len();
        let mut text: String = parsed
            .diagnostics
            .iter()
            .map(|diagnostic| plain(&sources, diagnostic))
            .collect();
        writeln!(text, "statements read: {kept}").expect("writing to a string succeeds");
        insta::assert_snapshot!(text);
    });
}

/// On the pages of the codes, the first example shows the mistake, and the others show corrections.
#[test]
fn the_pages_of_the_codes_show_what_they_say() {
    use bid_language::diagnostic::Code::{self, *};
    let codes: [Code; 6] = [
        Syntax,
        UnclosedBracket,
        MismatchedBracket,
        UnclosedString,
        BareDefinition,
        BadLiteral,
    ];
    for code in codes {
        let mut examples = code
            .page()
            .split("```bid\n")
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap_or(""));
        let mistake = examples.next().expect("the page has an example");
        let (_, parsed) = parse("page", mistake);
        assert!(
            parsed
                .diagnostics
                .iter()
                .all(|diagnostic| diagnostic.code == code),
            "{}",
            code.as_str()
        );
        assert!(!parsed.diagnostics.is_empty(), "{}", code.as_str());
        for mended in examples {
            let (_, parsed) = parse("page", mended);
            assert_eq!(parsed.diagnostics, [], "{}", code.as_str());
        }
    }
}

#[test]
fn the_game_library_formats_without_loss() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games"))
        .expect("the library is there");
    let paths = files.map(|file| file.expect("the library is readable").path());
    let sources: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "bid"))
        .collect();
    assert!(!sources.is_empty());
    for path in sources {
        formatted(&path.display().to_string(), &read(&path));
    }
}
