//! Checks the order of the library's modules: each uses only modules above it.
//!
//! The ordered modules, called rooms here, are those of a package's root; the packages of games, of
//! answers and of the checker, which use little, have none. The imports of a module are read from the
//! sources: every path that begins with `crate::`, or with enough `super::` to leave the module.
//! The order is total, so there is no cycle. The root of a package lists its imports from the
//! packages below it, under the modules' own names.
//!
//! `cargo test rooms:: -- --nocapture` prints the uses of each module.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The name used here for the modules of the solvers, one for each theory, which use each other
/// freely.
const THEORIES: &str = "theories";

/// The modules, beginning with those that use no others.
const ORDER: &[&str] = &[
    "convert",
    "source",
    "diagnostic",
    "watch",
    "parallel",
    "files",
    "player",
    "codec",
    "rules",
    "scalar",
    "syntax",
    "interchange",
    "ir",
    "check",
    "number",
    THEORIES,
    "order",
    "ask",
    "eval",
    "library",
    "certificate",
    "analysis",
    "session",
    "engine",
];

/// The use of a module, with the file and the line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    room: String,
    file: PathBuf,
    line: usize,
}

/// Returns the text without comments and without quoted text; line numbers are kept.
fn code_only(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' if quoted => {
                if rest.next() == Some('\n') {
                    code.push('\n');
                }
            }
            '"' => quoted = !quoted,
            '\n' => code.push('\n'),
            _ if quoted => {}
            // The quotation mark of the character literal begins no string.
            '\'' if rest.peek() == Some(&'"') => {
                rest.next();
            }
            '/' if rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            _ => code.push(c),
        }
    }
    code
}

/// Returns the first names after the beginning of a path: one, or those of `{a, b::c}`.
fn first_names(rest: &str) -> Vec<&str> {
    let word = |text: &str| {
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .count()
    };
    let Some(inner) = rest.strip_prefix('{') else {
        return vec![&rest[..word(rest)]];
    };
    let (mut names, mut depth, mut fresh) = (Vec::new(), 0usize, true);
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            _ if fresh && (c.is_alphabetic() || c == '_') => {
                names.push(&inner[at..at + word(&inner[at..])]);
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

/// Returns the modules that a source uses, each with its line. `depth` is the number of `super::`
/// that lead to the crate's root.
fn uses(text: &str, depth: usize) -> Vec<(String, usize)> {
    let code = code_only(text);
    let out = "super::".repeat(depth);
    let mut found = Vec::new();
    for start in ["crate::", &out] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            // The text before shows that this is a part of a longer path or name.
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            let line = code[..at].matches('\n').count() + 1;
            let names = first_names(&code[at + start.len()..]);
            found.extend(
                names
                    .into_iter()
                    .filter(|name| *name != "super")
                    .map(|name| (name.to_owned(), line)),
            );
        }
    }
    found
}

/// The packages whose modules have an order.
const ORDERED: [&str; 3] = ["src", "crates/language/src", "crates/solve/src"];

/// The packages whose order follows from their dependencies alone.
const FREE: [&str; 3] = ["crates/game/src", "crates/report/src", "crates/verify/src"];

/// Returns the folder of a package's sources.
fn root(package: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(package)
}

/// Returns the sources of some packages: the module of each, the file, its path below the package's
/// root, and its depth there.
fn sources(packages: &[&str]) -> Vec<(String, PathBuf, PathBuf, usize)> {
    let packages = packages.iter();
    packages
        .flat_map(|package| sources_below(&root(package)))
        .collect()
}

fn sources_below(root: &Path) -> Vec<(String, PathBuf, PathBuf, usize)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the sources are there") {
            let path = entry.expect("the sources are there").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path
                    .strip_prefix(root)
                    .expect("it was found there")
                    .with_extension("");
                let modules: Vec<String> = inside
                    .iter()
                    .map(|part| part.to_string_lossy().into_owned())
                    .collect();
                // `a/mod.rs` is the module `a` itself, so that it is one level less deep.
                let is_mod = modules.last().is_some_and(|last| last == "mod");
                found.push((
                    modules[0].clone(),
                    path,
                    inside,
                    modules.len() - usize::from(is_mod),
                ));
            }
        }
    }
    found
}

/// The modules of the solvers' package that have their own place in the order.
const SOLVER_ROOMS: [&str; 2] = ["number", "order"];

/// The module of the solvers' package that its tests share, which is none of the rooms.
const SHARED_BY_TESTS: &str = "shared";

/// Returns the modules of the solvers that contain theories.
fn theories() -> BTreeSet<String> {
    let text = fs::read_to_string(root("crates/solve/src").join("lib.rs")).expect("it is there");
    let modules = text
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    modules
        .map(|line| line.trim_end_matches(';').to_owned())
        .filter(|module| !SOLVER_ROOMS.contains(&module.as_str()) && module != SHARED_BY_TESTS)
        .collect()
}

/// Returns the uses of each module by each other.
fn arrows() -> BTreeMap<(String, String), BTreeSet<Use>> {
    let mut arrows: BTreeMap<_, BTreeSet<Use>> = BTreeMap::new();
    let theories = theories();
    for (mut room, file, _, depth) in sources(&ORDERED) {
        let is_solver = file.starts_with(root("crates/solve"));
        if is_solver && theories.contains(&room) {
            room = THEORIES.to_owned();
        }
        if !ORDER.contains(&room.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("the sources are text");
        for (mut used, line) in uses(&text, depth) {
            if is_solver && theories.contains(&used) {
                used = THEORIES.to_owned();
            }
            if used != room && ORDER.contains(&used.as_str()) {
                let arrow = (room.clone(), used.clone());
                arrows.entry(arrow).or_default().insert(Use {
                    room: used,
                    file: file.clone(),
                    line,
                });
            }
        }
    }
    arrows
}

fn rank(room: &str) -> usize {
    ORDER
        .iter()
        .position(|other| *other == room)
        .expect("only rooms of the order are asked for")
}

/// Checks that every module uses only modules above it.
#[test]
fn rooms_use_only_rooms_above_them() {
    let arrows = arrows();
    let mut picture = String::new();
    for room in ORDER {
        let used = arrows
            .keys()
            .filter(|(user, _)| user == room)
            .map(|(_, used)| used.as_str());
        writeln!(
            picture,
            "{room:12} uses {}",
            used.collect::<Vec<_>>().join(", ")
        )
        .expect("strings take all");
    }
    println!("{picture}");
    let mut against = String::new();
    for ((user, used), uses) in &arrows {
        if rank(used) >= rank(user) {
            for Use { file, line, .. } in uses {
                writeln!(
                    against,
                    "{}:{line}: `{user}` uses `{used}`, which stands below it",
                    file.display()
                )
                .expect("strings take all");
            }
        }
    }
    assert!(
        against.is_empty(),
        "against the order of the rooms:\n{against}"
    );
    assert!(
        // A reader that finds no imports would find no mistakes either.
        arrows.len() > 50,
        "the reading of imports has lost them: {} arrows",
        arrows.len()
    );
}

/// Checks that the order names every module of the library, and no other.
#[test]
fn the_order_is_complete() {
    let texts = ORDERED
        .map(|package| fs::read_to_string(root(package).join("lib.rs")).expect("it is there"));
    let lines = texts.iter().flat_map(|text| text.lines());
    let theories = theories();
    let modules = lines
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .filter(|module| !theories.contains(*module))
        .chain([THEORIES]);
    let (modules, order): (BTreeSet<_>, BTreeSet<_>) =
        (modules.collect(), ORDER.iter().copied().collect());
    assert_eq!(modules, order);
}

/// Checks that other packages are named only in the roots, so that the order of modules covers all
/// imports.
#[test]
fn packages_are_named_in_roots_only() {
    let mut naming = Vec::new();
    for (room, file, _, _) in sources(&ORDERED) {
        let code = code_only(&fs::read_to_string(&file).expect("the sources are text"));
        if [
            "bid_game::",
            "bid_language::",
            "bid_report::",
            "bid_solve::",
            "bid_verify::",
        ]
        .iter()
        .any(|name| code.contains(name))
        {
            // The program is a package of its own beside the library.
            if ["cli", "main"].contains(&room.as_str()) {
                continue;
            }
            assert_eq!(room, "lib", "{} names a package", file.display());
            naming.push(file);
        }
    }
    assert_eq!(
        naming.len(),
        2,
        "the solvers and the program use other packages: {naming:?}"
    );
}

/// Returns the names that follow a word in some code.
fn names_after<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = &'c str> {
    code.split(word).skip(1).map(|rest| first_names(rest)[0])
}

/// Checks that the checker of certificates reads the language's rules but interprets them on its
/// own: it uses none of the methods that define their meaning.
#[test]
fn the_checker_works_out_what_rules_mean() {
    let code_of = |files: Vec<(String, PathBuf, PathBuf, usize)>| -> String {
        let texts = files
            .into_iter()
            .map(|(_, file, _, _)| fs::read_to_string(file));
        texts
            .map(|text| code_only(&text.expect("the sources are text")))
            .collect()
    };
    let in_rules = |(room, _, inside, _): &(String, PathBuf, PathBuf, usize)| {
        // Naming, writing and combining fields is not part of their meaning.
        room == "rules"
            && !["fields", "overrides"]
                .iter()
                .any(|part| inside.ends_with(part))
    };
    let mut rules = sources(&["crates/language/src"]);
    rules.retain(in_rules);
    let (rules, checker) = (code_of(rules), code_of(sources(&["crates/verify/src"])));
    let own: BTreeSet<&str> = checker
        .split("fn ")
        .skip(1)
        .filter(|rest| {
            rest.split(')')
                .next()
                .is_some_and(|head| head.contains("self"))
        })
        .map(|rest| first_names(rest)[0])
        .collect();
    let meanings: BTreeSet<&str> = names_after(&rules, "pub fn ").collect();
    assert!(
        meanings.contains("tax") && meanings.contains("has_status"),
        "{meanings:?}"
    );
    // A method of the same name may be the checker's own.
    for meaning in meanings.difference(&own) {
        let used = checker.contains(&format!(".{meaning}("));
        assert!(!used, "the checker uses `{meaning}` of the rules");
    }
    assert!(
        !checker.contains("settle"),
        "the checker uses the place where chips change hands"
    );
}

/// Checks that time, threads and processes are used in a few places only: a browser has none of
/// them, and the other parts build for it.
#[test]
fn only_a_few_places_need_a_machine() {
    const PLACES: [&str; 10] = [
        "cli",
        "main",
        "files/disk",
        "files/folder",
        "files/read",
        "files/write",
        "engine/worker",
        "engine/wait",
        "parallel",
        "watch/machine",
    ];
    let mut needing = BTreeSet::new();
    for (_, file, inside, _) in sources(&[&ORDERED[..], &FREE].concat()) {
        let code = code_only(&fs::read_to_string(&file).expect("the sources are text"));
        let needs = [
            "Instant",
            "SystemTime",
            "std::thread",
            "std::process",
            "std::fs",
            "std::env",
        ]
        .iter()
        .any(|word| {
            code.match_indices(word)
                .any(|(at, _)| !code[at + word.len()..].starts_with(char::is_alphanumeric))
        });
        let is_tests = inside.file_name().is_some_and(|name| name == "tests");
        if needs && !is_tests {
            let place = PLACES.iter().find(|place| inside.starts_with(place));
            assert!(
                place.is_some(),
                "{} needs what a browser lacks",
                file.display()
            );
            needing.extend(place);
        }
    }
    assert_eq!(
        needing,
        PLACES.iter().collect(),
        "the reading of sources has lost some"
    );
}

/// Checks that paths are found in all forms in which they are written, and not in comments and
/// strings.
#[test]
fn imports_are_read() {
    let found = |text: &str, depth| {
        let names: Vec<String> = uses(text, depth)
            .into_iter()
            .map(|(name, line)| format!("{name} {line}"))
            .collect();
        names.join(", ")
    };
    assert_eq!(found("use crate::game::Player;", 1), "game 1");
    assert_eq!(
        found("\nuse crate::{eval, game::{self, Player}, solve::x};", 2),
        "eval 2, game 2, solve 2"
    );
    assert_eq!(found("fn f() { crate::watch::size(3) }", 1), "watch 1");
    assert_eq!(
        found("use super::eval::Value; use super::super::game;", 1),
        "eval 1"
    );
    assert_eq!(
        found("use super::super::eval::Value;\nuse super::game;", 2),
        "eval 1"
    );
    assert_eq!(
        found(
            "// crate::game\n/// [`crate::game`]\nlet s = \"crate::eval \\\" crate::eval\";",
            1
        ),
        ""
    );
    assert_eq!(found("let q = '\"'; crate::rules::x", 1), "rules 1");
}
