//! Runs sources through the whole pipeline: `tests/cases/{check,eval}/{ok,err}/*.bid`, each with a
//! snapshot of all events. In a file of several programs, a line `// ---` separates them; each runs
//! in a session of its own.

use bid::eval::Dialogue;

use crate::support::{session, transcript};

#[test]
fn cases() {
    insta::glob!("cases", "{check,eval}/*/*.bid", |path| {
        let text = std::fs::read_to_string(path).expect("a case is readable text");
        let mut all = String::new();
        for program in text.split("// ---\n") {
            let name = path
                .file_name()
                .expect("a case is a file")
                .to_string_lossy();
            all.push_str(&format!(
                "{}\n{}\n",
                program.trim(),
                arrows(&transcript(&mut session(), &name, program))
            ));
        }
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(all);
        });
    });
}

/// Sets the results off from the source above them.
fn arrows(transcript: &str) -> String {
    transcript
        .lines()
        .map(|line| format!("  ▸ {line}\n"))
        .collect()
}

/// A user who bids one chip and chooses the first answer that is offered.
struct Obliging;

impl Dialogue for Obliging {
    fn say(&mut self, _: &str) {}

    fn ask(&mut self, question: &str) -> Option<String> {
        let Some((_, answers)) = question.split_once('(') else {
            return Some("1".to_owned());
        };
        answers.split([' ', ',', ')']).next().map(str::to_owned)
    }

    fn chance(&mut self) -> u64 {
        0
    }
}

/// Checks that every builtin has an example, and every example prints the output in its help.
#[test]
fn help_examples() {
    for builtin in bid::library::signatures() {
        assert!(
            !builtin.examples.is_empty(),
            "`{}` has an example",
            builtin.name
        );
        for (expr, printed) in builtin.examples {
            let mut session = session();
            session.set_dialogue(Box::new(Obliging));
            assert_eq!(
                transcript(&mut session, "example", expr).trim_end(),
                *printed,
                "example {expr}"
            );
        }
    }
}

/// Checks that the codes are listed in the order of their groups and numbers.
#[test]
fn codes_are_in_order() {
    let codes = bid_language::diagnostic::Code::ALL;
    assert!(codes.is_sorted_by_key(|code| code.as_str()));
}

/// Checks that every code has a page with more than its title, and that the page begins with code
/// and title.
#[test]
fn every_code_is_explained() {
    for code in bid_language::diagnostic::Code::ALL {
        let title = format!("# {}: {}\n", code.as_str(), code.title());
        assert!(
            code.page().starts_with(&title),
            "{} begins with its title",
            code.as_str()
        );
        assert!(
            code.page().len() > title.len() + 80,
            "{} explains itself",
            code.as_str()
        );
    }
}
