//! Tests laws of the syntax stage on random trees and random texts.
//!
//! - Printing and parsing again gives the same tree, up to spans and parentheses, and printing that
//!   tree gives the same text.
//! - No text makes the parser panic, and every span that it returns lies in the text.
//! - Formatting keeps every comment, wherever a comment may stand, and formatting twice changes
//!   nothing more.

pub mod laws;
mod same;
mod soup;
mod trees;

use bid_language::syntax::{self, ast};
use bid_testing::random_cases;
use proptest::prelude::*;

use laws::{check_any, check_format, parse};

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, ..random_cases(400, "tests/proptest-regressions/syntax_laws.txt") })]

    #[test]
    fn printed_trees_read_back(file in trees::file()) {
        let text = syntax::format(&file, "");
        let (_, parsed) = parse(&text);
        prop_assert_eq!(&parsed.diagnostics, &vec![], "{}", text);
        prop_assert_eq!(same::stripped(&file), same::stripped(&parsed.file), "{}", text);
        prop_assert_eq!(syntax::format(&parsed.file, &text), text);
    }

    #[test]
    fn printed_expressions_read_back_from_one_line(expr in trees::expr()) {
        let text = syntax::print_expr(&expr);
        prop_assert!(!text.contains('\n'));
        let (_, parsed) = parse(&text);
        prop_assert_eq!(&parsed.diagnostics, &vec![], "{}", text);
        let kind = ast::StatementKind::Expr(expr.clone());
        let file = ast::File { statements: vec![trees::statement_of(kind)], comments: vec![], broken: vec![] };
        prop_assert_eq!(same::stripped(&file), same::stripped(&parsed.file), "{}", text);
    }

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        check_any(&text);
    }

    #[test]
    fn any_tokens_are_answered(text in soup::tokens()) {
        check_any(&text);
    }

    #[test]
    fn mutated_programs_are_answered(text in soup::mutated()) {
        check_any(&text);
    }

    #[test]
    fn comments_stay_at_the_ends_of_any_lines(text in soup::commented()) {
        let (_, parsed) = parse(&text);
        prop_assert_eq!(&parsed.diagnostics, &vec![], "{}", text);
        check_format(&text, &parsed);
    }
}

#[test]
fn nesting_of_any_kind_ends_in_a_diagnostic_not_in_an_overflow() {
    let deep = 100_000;
    let cases = [
        "(".repeat(deep),
        "[".repeat(deep) + &"]".repeat(deep),
        "f(".repeat(deep) + &")".repeat(deep),
        "{".repeat(deep),
        "(]".repeat(deep),
        "graph {".repeat(deep),
        "f".to_owned() + &"(1)".repeat(deep),
        "A ∧ ".repeat(deep) + "A",
        "-".repeat(deep) + "x",
        "~".repeat(deep) + "x",
        "not ".repeat(deep) + "x",
        "x^".repeat(deep) + "x",
        "if a then b else ".repeat(deep) + "c",
        "let x = ".repeat(deep) + "1",
        "let x = 1 in ".repeat(deep) + "1",
        "a using ".repeat(deep) + "b",
        "\n".repeat(deep) + "then",
        "game g {\nmove m { ".to_owned() + &"if a { } else ".repeat(deep) + "{ } }\n}",
    ];
    for text in cases {
        let (_, parsed) = parse(&text);
        let start: String = text.chars().take(40).collect();
        assert!(!parsed.diagnostics.is_empty(), "{start}");
        assert!(parsed.diagnostics.len() <= 30, "{start}");
        let _ = syntax::is_incomplete(&text);
    }
}

#[test]
fn nesting_up_to_the_limit_is_read_and_printed() {
    let cases = [
        "(".repeat(200) + "x" + &")".repeat(200),
        "f(".repeat(199) + "x" + &")".repeat(199),
        "A ∧ ".repeat(990) + "A",
        "-".repeat(990) + "x",
        "x^".repeat(990) + "x",
        "if a then b else ".repeat(300) + "c",
        "let x = 1 in ".repeat(300) + "1",
    ];
    for text in cases {
        let (_, parsed) = parse(&text);
        assert_eq!(parsed.diagnostics, []);
        let once = syntax::format(&parsed.file, &text);
        let (_, again) = parse(&once);
        assert_eq!(again.diagnostics, []);
        assert_eq!(syntax::format(&again.file, &once), once);
    }
}

#[test]
fn an_unfinished_text_asks_for_more() {
    for text in [
        "f(",
        "let x =",
        "a ∧",
        "graph {",
        "test \"t\" {\n show 1",
        "if a then b",
        "[1,\n2",
        "a and",
        "not",
    ] {
        assert!(syntax::is_incomplete(text), "{text}");
    }
    for text in [
        "",
        "f()",
        "let x = 3",
        "\"abc",
        "f(]",
        ")",
        "(1]",
        "4*",
        "if a then b else c",
        "f(\nshow 3",
        "3.",
    ] {
        assert!(!syntax::is_incomplete(text), "{text}");
    }
}
