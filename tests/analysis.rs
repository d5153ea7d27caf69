//! The answers to an editor's questions about texts: recovery from errors, declarations,
//! references, kinds, completion, tokens.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use bid::analysis::{Analysis, Meaning, Outline, Workspace};
use bid_language::check::DeclarationKind;
use bid_language::diagnostic::Diagnostic;
use bid_language::files::{DiskFiles, Documents};
use bid_language::ir::Kinds;
use bid_language::syntax::{TokenClass, ast};
use bid_language::watch::Context;
use bid_testing::random_cases;
use proptest::prelude::*;

use crate::support::plain;

/// Returns a workspace with this document, and its analysis. `¦` marks the cursor, which is
/// returned as a byte offset.
fn opened(marked: &str) -> (Workspace, Rc<Analysis>, usize) {
    let cursor = marked.find('¦').unwrap_or(0);
    let files = Documents::over(Rc::new(DiskFiles));
    files.set(Path::new("main.bid"), marked.replace('¦', ""));
    let mut workspace = Workspace::new(files);
    let analysis = workspace
        .analysis(Path::new("main.bid"), Context::plain())
        .expect("it is open");
    (workspace, analysis, cursor)
}

fn candidates(marked: &str) -> Vec<String> {
    let (workspace, analysis, cursor) = opened(marked);
    workspace
        .complete(&analysis, cursor)
        .candidates
        .into_iter()
        .map(|candidate| candidate.text)
        .collect()
}

fn names(analysis: &Analysis) -> Vec<&str> {
    analysis.names().map(|(name, _)| name).collect()
}

fn text_at(workspace: &Workspace, path: &Path, range: std::ops::Range<usize>) -> String {
    let known = workspace
        .known()
        .find(|known| known.path == path)
        .expect("it is known");
    workspace.sources().get(known.source).text[range].to_owned()
}

fn said(workspace: &Workspace, diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|diagnostic| plain(workspace.sources(), diagnostic))
        .collect()
}

/// Checks that a half-typed statement hides none of the others, wherever it is broken.
#[test]
fn broken_statements_hide_nothing_else() {
    for broken in [
        "let x = f(1,",
        "show \"",
        "let x = ",
        "show {A | ",
        "x = 3",
        "show A ∧",
        "let y = (1]",
        "game",
    ] {
        let (_, analysis, _) = opened(&format!(
            "let before = 1\n{broken}\nlet later = before\ngame g(n) = A^n\nshow g(later)\n"
        ));
        let known = names(&analysis);
        for name in ["later", "before", "g"] {
            assert!(known.contains(&name), "{broken}: {known:?}");
        }
        assert!(analysis.is_wrong(), "{broken}");
    }
}

const RULESET: &str = "/// Two heaps.\ngame nim(a, b) {\n    state heap = a\n    state other_heap = b\n    let sum = heap + other_heap\n    move take(k) for k in 1..heap {\n        heap -= k\n    }\n    win me if sum == 0\n}\nshow nim(3, 4)\n";

/// Checks that a half-typed line of a ruleset leaves its other lines, the name, the parameters and
/// the documentation known.
#[test]
fn broken_lines_leave_the_rest_of_a_ruleset() {
    let broken = [
        "    state x = max(3,",
        "    move",
        "    let half = (heap",
        "    win me if",
        "    move split(i {",
        "    state s = \"",
        "    state s = { A | ",
        "    )",
    ];
    for line in broken {
        let text = RULESET.replace("    let sum", &format!("{line}\n    let sum"));
        let (workspace, analysis, _) = opened(&text);
        assert!(analysis.is_wrong(), "{line}");
        let outline = workspace.outline(&analysis);
        let game = outline
            .iter()
            .find(|outline| outline.declaration.name == "nim")
            .expect("it is declared");
        assert_eq!(
            game.declaration.doc.as_deref(),
            Some("Two heaps."),
            "{line}"
        );
        let signature = game
            .declaration
            .signature
            .as_ref()
            .expect("it has parameters");
        assert_eq!(
            signature
                .parameters
                .iter()
                .map(|(name, _)| name.as_str())
                .collect::<Vec<_>>(),
            ["a", "b"]
        );
        let inner: Vec<&str> = game
            .inner
            .iter()
            .map(|line| line.declaration.name.as_str())
            .collect();
        for name in ["heap", "other_heap", "sum", "take"] {
            assert!(inner.contains(&name), "{line}: {inner:?}");
        }
        let diagnostics = said(&workspace, &analysis.diagnostics);
        assert!(
            !diagnostics.iter().any(|said| said.contains("nim")),
            "{line}: {diagnostics:?}"
        );
    }
}

/// Checks that a brace still open at the end of the text is treated as closed there.
#[test]
fn an_unfinished_ruleset_is_known_at_its_end() {
    let (workspace, analysis, cursor) =
        opened("game nim(a) {\n state heap = a\n move take(k) for k in 1..3 {\n  heap -= ¦");
    let found: Vec<String> = workspace
        .complete(&analysis, cursor)
        .candidates
        .into_iter()
        .map(|candidate| candidate.text)
        .collect();
    for name in ["heap", "a"] {
        assert!(found.contains(&name.to_owned()), "{name}");
    }
}

#[test]
fn names_are_found_where_they_are_declared_and_used() {
    let text = "let f(n) = n + 1\nlet g(x) = f(x) + f(2)\nshow [f(n) for n in 1..3 if n > g(1)]\n";
    let (workspace, analysis, _) = opened(text);
    let at = |part: &str, nth: usize| text.match_indices(part).nth(nth).expect("it is there").0;
    let places = |byte| {
        let found = workspace.references(&analysis, byte);
        found
            .into_iter()
            .map(|place| place.range.start)
            .collect::<Vec<_>>()
    };
    let f = [at("f(n)", 0), at("f(x)", 0), at("f(2)", 0), at("f(n)", 1)];
    for byte in f {
        assert_eq!(places(byte), f, "f at {byte}");
        assert_eq!(
            workspace
                .definition(&analysis, byte)
                .expect("it is declared")
                .range
                .start,
            f[0]
        );
    }
    // The parameter `n` and the `n` of the list are two names.
    assert_eq!(places(at("n + 1", 0)), [at("n)", 0), at("n + 1", 0)]);
    let listed = [at("n)", 1), at("n in 1..3", 0), at("n > g", 0)];
    assert_eq!(places(listed[0]), listed);
}

#[test]
fn names_inside_rulesets_are_found() {
    let (workspace, analysis, _) = opened(RULESET);
    let declared = RULESET.find("heap = a").expect("it is there");
    let found = workspace.references(&analysis, declared);
    let lines: Vec<usize> = found
        .iter()
        .map(|place| RULESET[..place.range.start].matches('\n').count() + 1)
        .collect();
    assert_eq!(lines, [3, 5, 6, 7]);
    let sum = RULESET.find("sum == 0").expect("it is there");
    let definition = workspace
        .definition(&analysis, sum)
        .expect("it is declared");
    assert_eq!(
        RULESET[..definition.range.start].matches('\n').count() + 1,
        5
    );
}

#[test]
fn names_of_other_files_are_found_there() {
    let text = "use \"games/classics.bid\"\nshow R(tictac¦toe)\n";
    let (workspace, analysis, cursor) = opened(text);
    let place = workspace
        .definition(&analysis, cursor)
        .expect("it is declared");
    assert!(
        place.path.ends_with("games/classics.bid"),
        "{}",
        place.path.display()
    );
    assert_eq!(text_at(&workspace, &place.path, place.range), "tictactoe");
    let file = workspace
        .definition(&analysis, 7)
        .expect("the path leads to the file");
    assert_eq!((file.path, file.range), (place.path, 0..0));
    let described = workspace
        .describe(&analysis, cursor)
        .expect("it is documented");
    assert!(
        described.text.starts_with("game tictactoe\n\n"),
        "{}",
        described.text
    );
    assert_eq!(described.kinds, Some(Kinds::GAME));
}

#[test]
fn kinds_are_those_of_the_innermost_expression() {
    let text = "let x = [1/2, R(E)]\nshow x\n";
    let (workspace, analysis, _) = opened(text);
    let kinds = |part: &str| {
        workspace
            .describe(&analysis, text.find(part).expect("it is there"))
            .and_then(|described| described.kinds)
    };
    assert_eq!(kinds("E)"), Some(Kinds::GAME));
    assert_eq!(kinds("x\n"), Some(Kinds::LIST));
    assert_eq!(kinds("let"), None);
}

#[test]
fn words_of_the_language_are_described() {
    let text = "using { ties: marker }\nshow pivotal(A, samples: 10)\n";
    let (workspace, analysis, _) = opened(text);
    let about = |part: &str| {
        let byte = text.find(part).expect("it is there");
        workspace
            .describe(&analysis, byte)
            .map(|described| described.text)
            .unwrap_or_default()
    };
    assert!(about("using").contains("using"));
    assert!(about("ties").starts_with("ties: …"));
    assert!(about("marker").starts_with("ties: marker"));
    assert!(about("pivotal").starts_with("pivotal(G"));
    assert!(
        about("samples").contains("a parameter of pivotal"),
        "{}",
        about("samples")
    );
    assert_eq!(workspace.describe(&analysis, text.len()), None);
}

#[test]
fn completion_knows_what_is_visible() {
    let has = |marked: &str, name: &str| candidates(marked).contains(&name.to_owned());
    assert!(has("let tower = 3\nshow to¦", "tower"));
    assert!(
        has("show to¦\nlet tower(n) = 3", "tower"),
        "functions further down"
    );
    assert!(
        has("let tower(tall) = tall + ta¦", "tall"),
        "parameters, inside"
    );
    assert!(
        !has("let tower(tall) = tall\nshow ta¦", "tall"),
        "parameters stay inside"
    );
    assert!(has(
        &RULESET.replace("heap -= k", "heap -= ot¦"),
        "other_heap"
    ));
    assert!(has(
        &RULESET.replace("win me if sum == 0", "win me if su¦"),
        "sum"
    ));
    assert!(
        has("use \"games/classics.bid\"\nshow R(tict¦", "tictactoe"),
        "inside brackets that are open"
    );
    assert!(has("show pivotal(A, samp¦", "samples: "));
    assert_eq!(candidates("let a = 1\nshow R(A) using { ti¦"), ["ties: "]);
    assert_eq!(candidates("use \"games/cl¦"), ["games/classics.bid"]);
}

#[test]
fn calls_around_a_place_are_told() {
    let (workspace, analysis, cursor) = opened("let tower(a, b) = a + b\nshow tower(f(1, 2), ¦");
    let call = workspace
        .call_at(&analysis, cursor)
        .expect("it is inside a call");
    assert_eq!(
        (call.heading.as_str(), call.parameters, call.argument),
        ("tower(a, b)", vec!["a".into(), "b".into()], 1)
    );
    let (workspace, analysis, cursor) = opened("show f(E, ¦");
    assert_eq!(
        workspace
            .call_at(&analysis, cursor)
            .map(|call| call.argument),
        Some(1)
    );
}

#[test]
fn tokens_tell_what_names_stand_for() {
    let text = "let f(n) = R(A) + n\n";
    let (workspace, analysis, _) = opened(text);
    let tokens = workspace.tokens(&analysis);
    let of = |start: usize| {
        let (token, meaning) = tokens
            .iter()
            .find(|(token, _)| token.start as usize == start)
            .expect("a token");
        (token.class, *meaning)
    };
    assert_eq!(of(0), (TokenClass::Keyword, Meaning::Plain));
    assert_eq!(
        of(4),
        (
            TokenClass::Name,
            Meaning::Declaration(DeclarationKind::Function)
        )
    );
    assert_eq!(
        of(6),
        (
            TokenClass::Name,
            Meaning::Declaration(DeclarationKind::Parameter)
        )
    );
    assert_eq!(of(11), (TokenClass::Name, Meaning::Builtin));
    assert_eq!(of(13), (TokenClass::Constant, Meaning::Builtin));
    assert_eq!(
        of(18),
        (
            TokenClass::Name,
            Meaning::Declared(DeclarationKind::Parameter)
        )
    );
}

/// Checks that the names that one used file takes from another are reported at its `use`.
#[test]
fn hidden_names_of_used_files_are_reported() {
    let files = Documents::alone();
    let mut workspace = Workspace::new(files.clone());
    let mut codes = |name: &str, text: &str| {
        files.set(Path::new(name), text);
        let analysis = workspace
            .analysis(Path::new(name), Context::plain())
            .expect("it is open");
        let codes = analysis.diagnostics.iter();
        codes.map(|found| found.code.as_str()).collect::<Vec<_>>()
    };
    assert!(codes("a.bid", "let x = 1\n").is_empty());
    assert!(codes("b.bid", "use \"a.bid\"\nlet x = 2\n").is_empty());
    assert!(codes("c.bid", "use \"a.bid\"\nuse \"a.bid\"\nshow x\n").is_empty());
    assert_eq!(
        codes("d.bid", "use \"b.bid\"\nuse \"a.bid\"\nshow x\n"),
        ["W0201"]
    );
}

/// Checks that the analysis of a file is dropped when the file or one that it uses changes, or when
/// a missing file that it uses appears.
#[test]
fn changes_reach_those_who_use_a_file() {
    let files = Documents::alone();
    let mut workspace = Workspace::new(files.clone());
    let main = Path::new("main.bid");
    files.set(main, "use \"a.bid\"\nshow x\n");
    let wrong = |workspace: &mut Workspace| {
        let analysis = workspace
            .analysis(main, Context::plain())
            .expect("it is open");
        analysis
            .diagnostics
            .iter()
            .map(|wrong| wrong.code.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        wrong(&mut workspace),
        ["E0801"],
        "there is no a.bid, and nothing more is said of `x`"
    );
    for (path, text, expected) in [
        ("a.bid", "use \"b.bid\"\n", &[][..]),
        ("b.bid", "let x = 1\n", &[]),
        ("b.bid", "let y = 1\n", &["E0201"]),
        ("b.bid", "use \"main.bid\"\n", &[]),
        ("b.bid", "let x = ", &[]),
        ("b.bid", "let x = A\n", &[]),
    ] {
        files.set(Path::new(path), text);
        workspace.forget(Path::new(path));
        assert_eq!(wrong(&mut workspace), expected, "{path}: {text}");
    }
}

/// Checks that the diagnostics are those of `bid check`, wherever a file is broken.
#[test]
fn diagnostics_are_those_of_checking() {
    for entry in std::fs::read_dir("tests/cases/check/err").expect("the cases are there") {
        let path = entry.expect("it is there").path();
        let mut session = crate::support::session();
        let checked = session.check_file(&path);
        let checked: Vec<String> = checked
            .iter()
            .map(|wrong| plain(session.sources(), wrong))
            .collect();
        let mut workspace = Workspace::new(Documents::over(Rc::new(DiskFiles)));
        let analysis = workspace
            .analysis(&path, Context::plain())
            .expect("it can be read");
        let known = said(&workspace, &analysis.diagnostics);
        // Checking also reports the errors of the files that are used, which the analysis of one
        // file does not.
        let inside = |said: &String| checked.contains(said);
        assert!(
            known.iter().all(inside),
            "{}:\n{known:#?}\n{checked:#?}",
            path.display()
        );
        if analysis.uses.is_empty() {
            assert_eq!(known, checked, "{}", path.display());
        }
    }
}

/// Asks every question at every `step`-th byte, and checks that nothing panics.
fn ask_everything(workspace: &Workspace, analysis: &Analysis, step: usize) {
    let text = workspace.sources().get(analysis.source).text.clone();
    for byte in (0..=text.len()).step_by(step) {
        let _ = workspace.complete(analysis, byte);
        let _ = workspace.describe(analysis, byte);
        let _ = workspace.call_at(analysis, byte);
        let _ = workspace.definition(analysis, byte);
        let _ = workspace.references(analysis, byte);
    }
    for (token, _) in workspace.tokens(analysis) {
        // Slicing panics if the ends do not lie between characters.
        let _ = &text[token.start as usize..token.end as usize];
    }
}

fn all_names(outline: &[Outline], into: &mut Vec<String>) {
    for entry in outline {
        into.push(entry.declaration.name.clone());
        all_names(&entry.inner, into);
    }
}

fn library() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("games").expect("the library is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it is there").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "bid"));
    files.sort();
    files
}

/// Generates a random edit: its place, the number of characters removed, and the text inserted.
fn edit() -> impl Strategy<Value = (f64, usize, String)> {
    let typed = prop_oneof![
        "[a-z(){}\\[\\]\"|,:;= \n∧.0-9]{1,6}",
        Just("let x = ".to_owned()),
        Just("game g {\n".to_owned()),
        Just("\"".to_owned()),
        Just("}".to_owned()),
        Just("(".to_owned()),
        Just("/// doc\n".to_owned()),
        Just("use \"games/classics.bid\"\n".to_owned()),
        Just(String::new()),
    ];
    (
        0.0..1.0,
        prop_oneof![3 => Just(0_usize), 1 => 1..40_usize],
        typed,
    )
}

fn char_floor(text: &str, byte: usize) -> usize {
    text.floor_char_boundary(byte.min(text.len()))
}

proptest! {
    #![proptest_config(random_cases(8, "tests/analysis.proptest-regressions"))]

    /// Checks random edits of the library: nothing panics, and a fresh workspace gives the same
    /// answers. The definitions in untouched statements before the edit are still known, because no
    /// statement can swallow them.
    #[test]
    fn edited_files_are_known(file in 0_usize..6, edits in prop::collection::vec(edit(), 1..5), step in 700_usize..2000) {
        let path = library()[file].canonicalize().expect("it is there");
        let original = std::fs::read_to_string(&path).expect("it is text");
        // Only statements before the earliest edit are compared.
        let (mut text, mut first) = (original.clone(), original.len());
        let files = Documents::over(Rc::new(DiskFiles));
        let mut workspace = Workspace::new(files.clone());
        for (place, gone, typed) in edits {
            let start = char_floor(&text, (place * text.len() as f64) as usize);
            let end = char_floor(&text, start + gone);
            text.replace_range(start..end, &typed);
            first = first.min(start);
            files.set(&path, text.as_str());
            workspace.forget(&path);
            let analysis = workspace.analysis(&path, Context::plain()).expect("it is open");
            // A fresh workspace remembers nothing of earlier texts, so that a stale answer shows as
            // a difference.
            let mut fresh = Workspace::new(files.clone());
            let again = fresh.analysis(&path, Context::plain()).expect("it is open");
            prop_assert_eq!(said(&workspace, &analysis.diagnostics), said(&fresh, &again.diagnostics));
        }
        let analysis = workspace.analysis(&path, Context::plain()).expect("it is open");
        ask_everything(&workspace, &analysis, step);
        let before = Workspace::new(Documents::over(Rc::new(DiskFiles))).analysis(&path, Context::plain()).expect("it is there");
        // The statement before the edit may extend into it.
        let whole: Vec<&ast::Statement> =
            before.file.statements.iter().filter(|statement| (statement.span.end as usize) < first).collect();
        let safe = whole.len().checked_sub(1).map_or(0, |last| whole[last].span.start as usize);
        let mut known = Vec::new();
        all_names(&workspace.outline(&analysis), &mut known);
        for declared in &before.index.declarations {
            let is_global = declared.visible.is_none() && declared.kind != DeclarationKind::Test;
            if is_global && (declared.span.end as usize) < safe {
                prop_assert!(known.contains(&declared.name), "{} is lost", declared.name);
            }
        }
    }

    /// Checks that a broken line between two statements leaves every definition before and after it
    /// known.
    #[test]
    fn definitions_around_a_broken_line_are_known(
        file in 0_usize..6,
        at in 0.0..1.0,
        broken in prop_oneof![
            Just("let x = f(1,"), Just("let y = ("), Just("show R(A"), Just("show \"a"), Just("let z ="), Just("game h = A ∧"), Just("check )"), Just("rules r { pay:"),
        ],
    ) {
        let path = library()[file].canonicalize().expect("it is there");
        let original = std::fs::read_to_string(&path).expect("it is text");
        let files = Documents::over(Rc::new(DiskFiles));
        let before = Workspace::new(files.clone()).analysis(&path, Context::plain()).expect("it is there");
        // The line is put before a definition, whose first word can only begin a statement.
        let starts = before.file.statements.iter().filter(|statement| statement.doc.is_none());
        let starts: Vec<usize> = starts
            .filter(|statement| matches!(statement.kind, ast::StatementKind::Game(_) | ast::StatementKind::Ruleset(_) | ast::StatementKind::Test { .. } | ast::StatementKind::Show(_)))
            .map(|statement| statement.span.start as usize)
            .collect();
        prop_assume!(!starts.is_empty());
        let start = starts[(at * starts.len() as f64) as usize];
        let mut text = original;
        text.insert_str(start, &format!("{broken}\n"));
        files.set(&path, text);
        let mut workspace = Workspace::new(files);
        let analysis = workspace.analysis(&path, Context::plain()).expect("it is open");
        prop_assert!(analysis.is_wrong());
        let known = names(&analysis);
        for (name, _) in before.names() {
            prop_assert!(known.contains(&name), "{name} is lost behind `{broken}`");
        }
    }
}
