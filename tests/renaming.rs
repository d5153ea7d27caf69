//! Renames declared names: no answer of the program changes, or the name is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bid::analysis::{Renamed, Workspace};
use bid::session::{Session, SessionEvent};
use bid_language::check::DeclarationKind;
use bid_language::files::Documents;
use bid_language::watch::Context;
use bid_testing::random_cases;
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::support::{Memory, small};

/// Texts by their paths.
type Files = BTreeMap<PathBuf, String>;

fn files(texts: &[(&str, &str)]) -> Files {
    let named = texts
        .iter()
        .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
    named.collect()
}

fn workspace(files: &Files) -> Workspace {
    let documents = Documents::alone();
    for (path, text) in files {
        documents.set(path, text.clone());
    }
    let mut workspace = Workspace::new(documents);
    for path in files.keys() {
        workspace
            .analysis(path, Context::plain())
            .expect("it can be read");
    }
    workspace
}

/// Renames the name at a byte of a file; returns the new files, or the reason for a refusal.
fn rename(files: &Files, path: &Path, offset: usize, name: &str) -> Result<Files, String> {
    let mut workspace = workspace(files);
    let analysis = workspace
        .analysis(path, Context::plain())
        .expect("it is there");
    let places = match workspace
        .renamed(&analysis, offset, name, Context::plain())
        .expect("nothing stops it")
    {
        Renamed::At(places) => places,
        Renamed::Refused(why) => return Err(why),
    };
    let mut renamed = files.clone();
    for place in places.iter().rev() {
        let text = renamed.get_mut(&place.path).expect("it is one of these");
        text.replace_range(place.range.clone(), name);
    }
    Ok(renamed)
}

/// Returns the values, checks and diagnostics of a file among these, without the messages.
fn answers(files: &Files, path: &Path) -> Vec<String> {
    let memory = files.iter().map(|(path, text)| {
        let text = text.clone().into_bytes();
        (path.clone(), text)
    });
    let mut session = Session::new(Box::new(Memory(memory.collect())), small());
    let mut answers = Vec::new();
    session.run_file(path, &mut |_, event| {
        answers.extend(match event {
            SessionEvent::Value(value) | SessionEvent::Shown { value, .. } => {
                Some(value.to_string())
            }
            SessionEvent::Check { failed } => Some(failed.map_or("holds", |_| "fails").to_owned()),
            SessionEvent::Diagnostic(wrong) => Some(wrong.code.as_str().to_owned()),
            SessionEvent::Test { .. } => None,
        });
    });
    answers
}

/// Returns a text without the mark `¦`, and the place of the mark.
fn marked(text: &str) -> (String, usize) {
    let offset = text.find('¦').expect("a place is marked");
    (text.replace('¦', ""), offset)
}

/// Checks names that would change a meaning, or have none.
#[test]
fn names_that_would_mean_something_else_are_refused() {
    for (text, name, why) in [
        (
            "let ¦n = 5\nshow [n + k for k in 1..3]\n",
            "k",
            "`k` is a name already: it is declared in line 2 of main.bid",
        ),
        (
            "let n = 5\nshow [n + ¦k for k in 1..3]\n",
            "n",
            "`n` is a name already: it is declared in line 1 of main.bid",
        ),
        (
            "let ¦a = 1\nlet b = 2\nshow a\n",
            "b",
            "`b` is a name already: it is declared in line 2 of main.bid",
        ),
        (
            "use \"used.bid\"\nlet ¦a = 1\nshow a\n",
            "half",
            "`half` is a name already: it is declared in line 1 of used.bid",
        ),
        ("let ¦a = 1\nshow a\n", "R", "`R` is a name of the language"),
        ("let ¦a = 1\nshow a\n", "E", "`E` is a name of the language"),
        ("let ¦a = 1\nshow a\n", "game", "`game` cannot be a name"),
        ("let ¦a = 1\nshow a\n", "", "`` cannot be a name"),
        ("let ¦a = 1\nshow a\n", "a b", "`a b` cannot be a name"),
        // The label would become the value.
        (
            "let ¦a = 5\ngame g = graph { start x\n both x -> a, y\n win alice: a\n win bob: y }\nshow R(g)\n",
            "x",
            "`x` would stand for something else in line 2 of main.bid",
        ),
        // `3-eps` is a number of chips.
        (
            "let ¦a = 5\nshow [3-a, 3-a]\n",
            "eps",
            "with the name `eps` the program would have another meaning",
        ),
        // A move is looked up at run time.
        (
            "game nim(h) {\n state n = h\n move ¦take(s) for s in 1..2 if s <= n { n -= s }\n win alice if n == 0\n}\nshow R(nim(3) after [alice take(1)])\n",
            "grab",
            "moves are found by their names as the program runs, and take occurs in line 6 of main.bid",
        ),
    ] {
        let (text, offset) = marked(text);
        let files = files(&[("main.bid", &text), ("used.bid", "let half = 1/2\n")]);
        let refused = rename(&files, Path::new("main.bid"), offset, name);
        assert_eq!(
            refused.as_ref().err().map(String::as_str),
            Some(why),
            "{text}"
        );
    }
}

#[test]
fn other_names_are_written_wherever_they_stand() {
    let main = "use \"used.bid\"\nshow [half + k for k in 1..2]\nshow \"half\"\n";
    let files = files(&[("main.bid", main), ("used.bid", "let half = 1/2\n")]);
    let renamed = rename(&files, Path::new("used.bid"), 4, "third").expect("it is free");
    assert_eq!(renamed[Path::new("used.bid")], "let third = 1/2\n");
    assert_eq!(
        renamed[Path::new("main.bid")],
        "use \"used.bid\"\nshow [third + k for k in 1..2]\nshow \"half\"\n"
    );
    let same = rename(&files, Path::new("used.bid"), 4, "half").expect("it is the same");
    assert_eq!(same, files);
    // A name may be used where the other one is not visible.
    let apart = "let f(n) = n + 1\nshow [f(k) for k in 1..2]\n";
    let files = self::files(&[("main.bid", apart)]);
    let renamed = rename(&files, Path::new("main.bid"), 6, "k").expect("it is free there");
    assert_eq!(
        renamed[Path::new("main.bid")],
        "let f(k) = k + 1\nshow [f(k) for k in 1..2]\n"
    );
}

const POOL: [&str; 9] = ["n", "k", "x", "f", "half", "eps", "s", "lost", "fresh"];

/// A writer of programs in which names are reused again and again.
struct Writer {
    random: StdRng,
    /// The visible names of numbers.
    numbers: Vec<String>,
    /// The visible names of functions of one number.
    functions: Vec<String>,
}

impl Writer {
    fn name(&mut self) -> String {
        (*POOL.choose(&mut self.random).expect("there are some")).to_owned()
    }

    /// Returns a name that no top-level definition has yet.
    fn new_name(&mut self) -> Option<String> {
        let name = self.name();
        (!self.numbers.contains(&name) && !self.functions.contains(&name)).then_some(name)
    }

    fn number(&mut self, depth: usize) -> String {
        let most = if depth == 0 { 2 } else { 7 };
        match self.random.random_range(0..most) {
            1 if !self.numbers.is_empty() => self
                .numbers
                .choose(&mut self.random)
                .expect("there are some")
                .clone(),
            2 => format!("{} + {}", self.number(depth - 1), self.number(depth - 1)),
            3 => format!("3-{}", self.number(0)),
            4 => {
                let value = self.number(depth - 1);
                let (name, body) = self.inside(depth);
                format!("(let {name} = {value} in {body})")
            }
            5 => {
                let (name, body) = self.inside(depth);
                format!("sum([{body} for {name} in 1..3])")
            }
            6 if !self.functions.is_empty() => {
                let function = self
                    .functions
                    .choose(&mut self.random)
                    .expect("there are some")
                    .clone();
                format!("{function}({})", self.number(depth - 1))
            }
            _ => self.random.random_range(0..10).to_string(),
        }
    }

    /// Returns a name, and an expression of a number in which it is visible.
    fn inside(&mut self, depth: usize) -> (String, String) {
        let name = self.name();
        let (numbers, functions) = (self.numbers.clone(), self.functions.clone());
        self.functions.retain(|function| *function != name);
        self.numbers.push(name.clone());
        let body = self.number(depth - 1);
        (self.numbers, self.functions) = (numbers, functions);
        (name, body)
    }

    fn definition(&mut self) -> Option<String> {
        let name = self.new_name()?;
        Some(match self.random.random_range(0..4) {
            0 => {
                let (parameter, body) = self.inside(3);
                self.functions.push(name.clone());
                format!("let {name}({parameter}) = {body}")
            }
            1 => {
                let vertex = self.name();
                let line = format!(
                    "check R(graph {{ start 0; both 0 -> {vertex}, \"y\"; win alice: {vertex}; win bob: \"y\" }}) == 1/2"
                );
                let value = self.number(1);
                self.numbers.push(name.clone());
                format!("{line}\nlet {name} = {value}")
            }
            2 => {
                let value = self.number(1);
                let state = self.name();
                self.numbers.push(name.clone());
                format!(
                    "let {name} = {value}\ncheck R({{ A | B }}) == 1/2\ngame nim_{name}(h) {{\n    state {state}_ = h\n    move take(s) for s in 1..2 if s <= {state}_ {{ {state}_ -= s }}\n    win alice if {state}_ == 0\n}}\nshow R(nim_{name}(3) after [bob take(1)])"
                )
            }
            _ => {
                let value = self.number(3);
                self.numbers.push(name.clone());
                format!("let {name} = {value}")
            }
        })
    }

    fn program(&mut self) -> String {
        let mut lines = Vec::new();
        for _ in 0..4 {
            lines.extend(self.definition());
            lines.push(format!("show {}", self.number(3)));
        }
        lines.join("\n") + "\n"
    }
}

fn written(seed: u64) -> String {
    let random = StdRng::seed_from_u64(seed);
    let (numbers, functions) = (Vec::new(), Vec::new());
    Writer {
        random,
        numbers,
        functions,
    }
    .program()
}

/// Renames each declared name of a program to each name of the pool; returns the number of names
/// that were accepted.
fn keeps_answers(program: &str) -> usize {
    let files = files(&[("main.bid", program)]);
    let path = Path::new("main.bid");
    let before = answers(&files, path);
    let mut workspace = workspace(&files);
    let analysis = workspace
        .analysis(path, Context::plain())
        .expect("it is there");
    let declared: Vec<(usize, DeclarationKind)> = analysis
        .index
        .declarations
        .iter()
        .map(|declared| (declared.name_span.range().start, declared.kind))
        .collect();
    let mut taken = 0;
    for (offset, kind) in declared {
        for name in POOL.into_iter().chain(["take", "R"]) {
            if let Ok(renamed) = rename(&files, path, offset, name) {
                taken += 1;
                let after = answers(&renamed, path);
                assert_eq!(
                    before, after,
                    "{kind:?} at {offset} to {name} in\n{program}"
                );
            }
        }
    }
    taken
}

proptest! {
    #![proptest_config(random_cases(8, "tests/proptest-regressions/renaming.txt"))]

    #[test]
    fn answers_stay_as_they_are(seed in any::<u64>()) {
        let program = written(seed);
        prop_assert!(keeps_answers(&program) > 0, "no name is free:\n{program}");
    }
}

/// Checks that the writer's programs are valid: only few of them have errors.
#[test]
fn the_programs_can_be_run() {
    let right = (0..40).filter(|seed| {
        let files = files(&[("main.bid", &written(*seed))]);
        let answers = answers(&files, Path::new("main.bid"));
        answers.len() >= 4 && !answers.iter().any(|answer| answer.starts_with('E'))
    });
    let right = right.count();
    assert!(right >= 25, "{right} of 40");
}
