//! The fixes of diagnostics: each can be applied to the text, and removes the diagnostic at its
//! place.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use bid::analysis::Workspace;
use bid_language::diagnostic::{Diagnostic, Fix};
use bid_language::files::{DiskFiles, Documents};
use bid_language::watch::Context;

/// Returns the diagnostics of a text.
fn wrong(text: &str) -> Vec<Diagnostic> {
    let files = Documents::over(Rc::new(DiskFiles));
    files.set(Path::new("main.bid"), text);
    let mut workspace = Workspace::new(files);
    let analysis = workspace
        .analysis(Path::new("main.bid"), Context::plain())
        .expect("it is open");
    analysis.diagnostics.clone()
}

/// Applies the edits of a fix to the text; they must not overlap.
fn mended(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.span);
    assert!(
        edits
            .windows(2)
            .all(|pair| pair[0].span.end <= pair[1].span.start),
        "{fix:?} overlaps"
    );
    let mut mended = text.to_owned();
    for edit in edits.iter().rev() {
        mended.replace_range(edit.span.range(), &edit.text);
    }
    mended
}

fn cases() -> Vec<PathBuf> {
    let folders = [
        "tests/cases/check/err",
        "crates/language/tests/cases/syntax/err",
    ];
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("the cases are there"));
    let mut cases: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it is there").path())
        .collect();
    cases.retain(|path| path.extension().is_some_and(|end| end == "bid"));
    cases.sort();
    cases
}

/// Returns `true` if the same diagnostic is still reported at its place, which the fix may have
/// moved.
fn is_still_said(before: &Diagnostic, fix: &Fix, after: &[Diagnostic]) -> bool {
    let Some(place) = before.span() else {
        return false;
    };
    let earlier = fix.edits.iter().filter(|edit| edit.span.end <= place.start);
    let moved: i64 = earlier
        .map(|edit| edit.text.len() as i64 - edit.span.range().len() as i64)
        .sum();
    let start = i64::from(place.start) + moved;
    after.iter().any(|other| {
        other.message == before.message
            && other
                .span()
                .is_some_and(|span| i64::from(span.start) == start)
    })
}

/// Checks every fix in all cases of the tests: the diagnostic that it fixes disappears.
#[test]
fn what_a_fix_mends_is_not_said_any_more() {
    let (mut tried, mut useless) = (0, Vec::new());
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("it is text");
        for diagnostic in wrong(&text) {
            for fix in diagnostic.fixes.iter() {
                tried += 1;
                let mended = mended(&text, fix);
                if is_still_said(&diagnostic, fix, &wrong(&mended)) {
                    useless.push(format!(
                        "{}: {} ({})",
                        path.display(),
                        diagnostic.message,
                        fix.title
                    ));
                }
            }
        }
    }
    assert!(tried > 60, "only {tried} fixes were tried");
    assert!(
        useless.is_empty(),
        "{tried} tried, of no use:\n{}",
        useless.join("\n")
    );
}

/// Applies the first fix of the first diagnostic to a text.
fn first(text: &str) -> String {
    let diagnostics = wrong(text);
    let fix = diagnostics
        .iter()
        .find_map(|diagnostic| diagnostic.fixes.first())
        .expect("there is a fix");
    mended(text, fix)
}

#[test]
fn fixes_do_what_their_help_says() {
    for (text, mended) in [
        (
            "show R(ultimatun(5))\nlet ultimatum(n) = A^n\n",
            "show R(ultimatum(5))\nlet ultimatum(n) = A^n\n",
        ),
        ("let n = 3\nshow 2 n\n", "let n = 3\nshow 2 * n\n"),
        ("let n = 3\nshow 4* n\n", "let n = 3\nshow 4 * n\n"),
        ("let n = 3\nshow 2n\n", "let n = 3\nshow 2*n\n"),
        ("x = 3\n", "let x = 3\n"),
        ("check 1 = 1\n", "check 1 == 1\n"),
        ("show f(A, 5\nshow 1\n", "show f(A, 5)\nshow 1\n"),
        (
            "game hill(n) = A^n\nshow R(hill)\n",
            "game hill(n) = A^n\nshow R(hill(n))\n",
        ),
        (
            "game hill(n) = A^n\nshow A ∧ hill\n",
            "game hill(n) = A^n\nshow A ∧ hill(n)\n",
        ),
        ("show f\n", "show f(G[, k][, bob: …])\n"),
        ("using { tees: marker }\n", "using { ties: marker }\n"),
        (
            "show R(tictactoe)\n",
            "use \"games/classics.bid\"\nshow R(tictactoe)\n",
        ),
        (
            "game g = graph {\n    start 0\n    0 -> A\n}\n",
            "game g = graph {\n    start 0\n    both 0 -> A\n}\n",
        ),
        ("show [i for i = 1..3]\n", "show [i for i in 1..3]\n"),
        (
            "import \"games/classics.bid\"\n",
            "use \"games/classics.bid\"\n",
        ),
        ("rules { pay: poorman }\n", "using { pay: poorman }\n"),
        ("show f(E, [0..3])\n", "show f(E, 0..3)\n"),
        (
            "show R(tic-tac-toe)\n",
            "use \"games/classics.bid\"\nshow R(tictactoe)\n",
        ),
        (
            "show R(E) using default\n",
            "show R(E) using develin_payne\n",
        ),
        (
            "game g {\n    state n: int = 3\n    move dec { n -= 1 }\n}\n",
            "game g {\n    state n = 3\n    move dec { n -= 1 }\n}\n",
        ),
        (
            "game hill(n) = A^n\nshow R(hill)\n",
            "game hill(n) = A^n\nshow R(hill(n))\n",
        ),
        ("show R(A and B)\n", "show R(A ∧ B)\n"),
        ("show R(A wedge B)\n", "show R(A ∧ B)\n"),
        ("show E(4 *, 4)\n", "show E(4*, 4)\n"),
        ("show E(*4, 4)\n", "show E(4*, 4)\n"),
        ("use classics\n", "use \"classics.bid\"\n"),
        (
            "game g = graph { start: 0, both 0 -> A }\n",
            "game g = graph { start 0, both 0 -> A }\n",
        ),
        (
            "game g = graph { start 0, both 0 -> A }\n",
            "game g = graph { start 0; both 0 -> A }\n",
        ),
        ("show “a”\n", "show \"a\"\n"),
        ("show [1, 2\n", "show [1, 2]\n"),
    ] {
        assert_eq!(first(text), mended, "{text}");
    }
}
