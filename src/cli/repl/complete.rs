//! Completes an input: commands, and statements as the library completes them.

use std::path::Path;

use bid::analysis::{
    Candidate, CandidateKind, Completion, Surroundings, complete as statement, matching, paths,
    words_with_help,
};
use bid::library::THEMES;
use bid_language::files::DiskFiles;

use super::command::{ArgumentRule, COMMANDS, Kind};

/// Returns the beginning of the unfinished word in `before`, the text before the cursor, and its
/// completions.
pub fn complete(before: &str, names: &[String]) -> (usize, Vec<String>) {
    let around = Surroundings {
        names,
        files: &DiskFiles,
        folder: Path::new(""),
    };
    let Completion { start, candidates } = match before.trim_start().strip_prefix(':') {
        Some(command) => command_and_argument(before, command, &around),
        None => statement(before, &around),
    };
    (
        start,
        candidates
            .into_iter()
            .map(|candidate| candidate.text)
            .collect(),
    )
}

fn command_and_argument(before: &str, command: &str, around: &Surroundings<'_>) -> Completion {
    let Some((name, argument)) = command.split_once(char::is_whitespace) else {
        let words = COMMANDS.iter().map(|each| match each.argument {
            ArgumentRule::None => Candidate::new(each.name, CandidateKind::Word),
            ArgumentRule::Optional(_) | ArgumentRule::Required(_) => {
                Candidate::new(&format!("{} ", each.name), CandidateKind::Word)
            }
        });
        return Completion {
            start: before.len() - command.len(),
            candidates: matching(command, words),
        };
    };
    let kind = COMMANDS
        .iter()
        .find(|each| each.name == name)
        .map(|each| each.argument);
    match kind {
        Some(ArgumentRule::Optional(Kind::File) | ArgumentRule::Required(Kind::File)) => {
            let path = argument.trim_start();
            Completion {
                start: before.len() - path.len(),
                candidates: paths(path, around),
            }
        }
        Some(ArgumentRule::Optional(Kind::Rules) | ArgumentRule::Required(Kind::Rules)) => {
            let typed = format!("using {argument}");
            let Completion { start, candidates } = statement(&typed, around);
            Completion {
                // The argument was completed behind another word, so its place is counted from the
                // end.
                start: (before.len() + start).saturating_sub(typed.len()),
                candidates,
            }
        }
        Some(ArgumentRule::Optional(Kind::Name) | ArgumentRule::Required(Kind::Name)) => {
            let word = argument.trim_start();
            let own = around
                .names
                .iter()
                .map(|name| Candidate::new(name, CandidateKind::Name));
            let words = words_with_help().chain(THEMES.iter().map(|theme| theme.word));
            let words = words.map(|word| Candidate::new(word, CandidateKind::Word));
            Completion {
                start: before.len() - word.len(),
                candidates: matching(word, own.chain(words)),
            }
        }
        Some(
            ArgumentRule::Optional(Kind::Expression) | ArgumentRule::Required(Kind::Expression),
        ) => statement(before, around),
        Some(
            ArgumentRule::Optional(Kind::FileAndExpression)
            | ArgumentRule::Required(Kind::FileAndExpression),
        ) => {
            // The path ends at the first space, and an expression follows.
            if argument.trim_start().contains(char::is_whitespace) {
                return statement(before, around);
            }
            let path = argument.trim_start();
            Completion {
                start: before.len() - path.len(),
                candidates: paths(path, around),
            }
        }
        Some(ArgumentRule::None) | None => Completion {
            start: before.len(),
            candidates: Vec::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(before: &str) -> Vec<String> {
        complete(before, &["tictactoe", "tug", "family"].map(str::to_owned)).1
    }

    #[test]
    fn commands_and_files() {
        assert_eq!(words(":lo"), ["load "]);
        assert_eq!(words(":q"), ["quit"]);
        assert_eq!(words(":type tu"), ["tug"]);
        assert_eq!(words(":help sta"), ["star", "start", "state"]);
        assert_eq!(words(":help tug"), ["tug"]);
        assert_eq!(words(":help ladies"), ["ladies_first"]);
        assert_eq!(words(":help pict"), ["pictures"]);
        assert_eq!(words(":rules { dra"), ["draws: "]);
        assert_eq!(complete(":rules { dra", &[]).0, ":rules { ".len());
        assert_eq!(words("use \"src/cli/re"), ["src/cli/repl/"]);
        assert_eq!(words(":load src/cli/te"), ["src/cli/test/"]);
        assert_eq!(words("show \"tu"), [] as [&str; 0]);
    }
}
