//! Sources through the whole pipeline: `tests/cases/{check,eval}/{ok,err}/*.bid`, each with a snapshot of all that
//! happens. In a file of several programs, a line `// ---` separates them; each runs in a session of its own.

use crate::support::{session, transcript};

#[test]
fn cases() {
    insta::glob!("cases", "{check,eval}/*/*.bid", |path| {
        let text = std::fs::read_to_string(path).expect("a case is readable text");
        let mut all = String::new();
        for program in text.split("// ---\n") {
            let name = path.file_name().expect("a case is a file").to_string_lossy();
            all.push_str(&format!("{}\n{}\n", program.trim(), arrows(&transcript(&mut session(), &name, program))));
        }
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(all);
        });
    });
}

/// Sets the results apart from the source above them.
fn arrows(transcript: &str) -> String {
    transcript.lines().map(|line| format!("  ▸ {line}\n")).collect()
}

/// Every example of every builtin prints what its help says.
#[test]
fn help_examples() {
    for builtin in bid::library::signatures() {
        for (expr, printed) in builtin.examples {
            assert_eq!(transcript(&mut session(), "example", expr).trim_end(), *printed, "example {expr}");
        }
    }
}

/// Every code has a page with more than its title, and the page begins with code and title.
#[test]
fn every_code_is_explained() {
    for code in bid::diagnostic::Code::ALL {
        let title = format!("# {}: {}\n", code.as_str(), code.title());
        assert!(code.page().starts_with(&title), "{} begins with its title", code.as_str());
        assert!(code.page().len() > title.len() + 80, "{} explains itself", code.as_str());
    }
}
