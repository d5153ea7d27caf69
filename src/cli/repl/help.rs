//! The command `:help`: an overview, topics, and the meanings of names.

use std::fmt::Write as _;

use bid::analysis::words_with_help;
use bid::library::{THEMES, Theme};
use bid_language::diagnostic::{Code, did_you_mean};
use bid_language::ir::BuiltinSignature;

use super::super::status::Status;
use super::Repl;
use super::command::{COMMANDS, find, wrong};

/// Explains a name, a command, a topic or a code; without a name, gives an overview.
pub fn help(repl: &mut Repl, name: &str) -> Status {
    if name.is_empty() {
        repl.output.result(&overview());
        return Status::Good;
    }
    // A call is explained by its function.
    let name = match name.split_once('(') {
        Some((function, _)) if !function.is_empty() => function.trim_end(),
        _ => name,
    };
    if let Ok(command) = find(name.trim_start_matches(':'))
        && name.starts_with(':')
    {
        repl.output
            .result(&format!("{}: {}", command.usage(), command.summary));
        return Status::Good;
    }
    // Names of the language come before topics, so that no topic hides one.
    if let Some(help) = repl.session.help(name) {
        repl.output.prose(help.trim_end());
        return Status::Good;
    }
    if let Some(theme) = THEMES.iter().find(|theme| theme.word == name) {
        repl.output.result(&topic(theme));
        return Status::Good;
    }
    if let Some(code) = Code::parse(name) {
        repl.output.prose(code.page().trim_end());
        return Status::Good;
    }
    let names = repl.session.names();
    let known = names.iter().map(|known| known.name.as_str());
    let near = did_you_mean(
        name,
        known.chain(
            words_with_help()
                .chain(THEMES.iter().map(|theme| theme.word))
                .map(|word| -> &str { word }),
        ),
    );
    let hint = near.map_or(" (:help lists the topics)".to_owned(), |near| {
        format!("; did you mean `{near}`?")
    });
    wrong(&format!("nothing is known about `{name}`{hint}"))
}

/// The width of the pages of `:help`, which fit a terminal of 80 × 24 with the prompt below.
const HELP_WIDTH: usize = 80;

fn overview() -> String {
    let mut text = "Type an expression to see its value, or a statement:\n".to_owned();
    let examples = [
        (
            "R(A ∧ A^2)",
            "the Richman value of a game (ASCII: A /\\ A^2)",
        ),
        (
            "f(E, 0..7)",
            "the least chips with which Alice wins, of 0, 1, … 7",
        ),
        ("use \"games/classics.bid\"", "load a file's definitions"),
    ];
    for (example, meaning) in examples {
        let _ = writeln!(text, "  {example:26}{meaning}");
    }
    text.push_str("Commands:\n");
    for command in COMMANDS {
        let _ = writeln!(text, "  {:22}{}", command.usage(), command.summary);
    }
    let topics: Vec<&str> = THEMES.iter().map(|theme| theme.word).collect();
    let topics = format!("Functions by topic, `:help TOPIC`: {}.", topics.join(", "));
    let _ = writeln!(text, "{}", textwrap::fill(&topics, HELP_WIDTH));
    text.push_str("Tab completes, Ctrl-R searches the history, Ctrl-C stops, Ctrl-D leaves.");
    text
}

/// Returns the page of a topic: its functions, each with the beginning of its help.
fn topic(theme: &Theme) -> String {
    let headings: Vec<String> = theme.signatures().map(BuiltinSignature::heading).collect();
    let names = theme
        .signatures()
        .map(|builtin| builtin.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!(
        "Functions: {}. `:help NAME` says more, with examples.\n",
        theme.title
    );
    for (heading, builtin) in headings.iter().zip(theme.signatures()) {
        let fits = headings
            .iter()
            .all(|heading| heading.chars().count() <= HELP_WIDTH / 3);
        let (word, width) = if fits {
            (heading.as_str(), HELP_WIDTH / 3)
        } else {
            (builtin.name, names)
        };
        let _ = writeln!(
            text,
            "  {word:width$}  {}",
            beginning(builtin.help, HELP_WIDTH - width - 4)
        );
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns the first sentence of a text, cut after a word if it is longer than `most` characters.
fn beginning(text: &str, most: usize) -> String {
    let sentence = text
        .split_once(". ")
        .map_or(text, |(first, _)| first)
        .trim_end_matches('.');
    let shape = textwrap::Options::new(most.saturating_sub(2))
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    match &textwrap::wrap(sentence, shape)[..] {
        [whole] => whole.clone().into_owned(),
        [first, ..] => format!("{first} …"),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that on a terminal of 80 × 24 each page fits above the next prompt, and every topic
    /// has a word of its own.
    #[test]
    fn the_pages_of_help_fit_a_small_terminal() {
        let fits = |page: &str| {
            let lines: Vec<&str> = page.lines().collect();
            lines.len() <= 22 && lines.iter().all(|line| line.chars().count() <= HELP_WIDTH)
        };
        assert!(fits(&overview()), "{}", overview());
        for theme in THEMES {
            assert!(fits(&topic(theme)), "{}", topic(theme));
            assert!(
                theme
                    .signatures()
                    .all(|builtin| topic(theme).contains(builtin.name)),
                "{}",
                topic(theme)
            );
            let is_word =
                words_with_help().chain(bid::library::signatures().map(|builtin| builtin.name));
            assert!(
                !is_word.into_iter().any(|word| word == theme.word),
                "{}",
                theme.word
            );
        }
    }
}
