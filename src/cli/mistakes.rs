//! Improves the errors about arguments where clap cannot know the mistake or its remedy.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Parser, ValueEnum};

use super::args::{Args, FormatName};
use bid_language::diagnostic::did_you_mean;

/// Parses the arguments of the process, of which the first is the program.
///
/// # Errors
/// Returns an error if they are wrong, or ask for help or the version.
pub fn parsed(arguments: &[OsString]) -> Result<Args, clap::Error> {
    Args::try_parse_from(arguments).map_err(|error| {
        let found = text(&error, ContextKind::InvalidSubcommand);
        if let Some("--help" | "-h") = found.as_deref() {
            // Clap takes the option in `bid help --help` for a command.
            let asked_once = arguments
                .iter()
                .filter(|&word| word != "--help" && word != "-h");
            return match Args::try_parse_from(asked_once) {
                Err(help) => help,
                Ok(_) => error,
            };
        }
        let words: Vec<String> = arguments
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        worded(error, &words)
    })
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    }
}

fn worded(mut error: clap::Error, words: &[String]) -> clap::Error {
    if let Some(word) = text(&error, ContextKind::InvalidSubcommand) {
        if is_program(&word) {
            let tip = format!("to run the file, write `bid run {word}`");
            advise(&mut error, tip);
        } else if word.contains(|sign: char| !sign.is_alphanumeric() && sign != '-') {
            let tip = format!("to evaluate an expression, write `bid eval '{word}'`");
            advise(&mut error, tip);
        }
    } else if error.kind() == ErrorKind::UnknownArgument
        && let Some(found) = text(&error, ContextKind::InvalidArg)
    {
        improve_argument(&mut error, &found, words);
    }
    error
}

/// Improves the error about an argument that its command does not know.
fn improve_argument(error: &mut clap::Error, found: &str, words: &[String]) {
    let mut root = Args::command();
    root.build();
    let mut after = words.iter().skip(1);
    let command = after
        .find_map(|word| root.find_subcommand(word))
        .unwrap_or(&root);
    let takes_expression = command
        .get_positionals()
        .any(|argument| argument.get_id() == "expression");
    if found.starts_with('-') {
        return improve_option(error, &root, command, found);
    }
    if !takes_expression {
        return;
    }
    // An expression may begin with a hyphen, so an unknown option was taken for it.
    let mut options = after.filter(|word| is_option(word)).map(|word| name(word));
    if let Some(option) = options.find(|option| !has(command, option)) {
        let invalid = ContextValue::String(option.to_owned());
        error.insert(ContextKind::InvalidArg, invalid);
        return improve_option(error, &root, command, option);
    }
    let tip = if is_program(found) {
        format!("to load the definitions of the file, write `-l {found}`")
    } else if found.contains('(') {
        "write several expressions as a list: `[R(G), f(G, 3)]`".to_owned()
    } else {
        "put an expression that has spaces in quotes".to_owned()
    };
    advise(error, tip);
}

/// Improves the error about an option that a command does not have.
fn improve_option(error: &mut clap::Error, root: &Command, command: &Command, option: &str) {
    let usage = command.clone().render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    if let Some(meant) = meant(command, option) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(meant));
        error.remove(ContextKind::Suggested);
        return;
    }
    let format = option
        .strip_prefix("--")
        .filter(|word| FormatName::from_str(word, false).is_ok())
        .map(|format| format!("write `--format {format}`"));
    if let Some(tip) = format.or_else(|| elsewhere(root, command, option)) {
        error.remove(ContextKind::SuggestedArg);
        advise(error, tip);
    }
}

fn advise(error: &mut clap::Error, tip: String) {
    let tips = ContextValue::StyledStrs(vec![tip.into()]);
    error.insert(ContextKind::Suggested, tips);
}

fn is_program(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|end| end == "bid")
}

/// Returns `true` if a word looks like an option: `--word`, `--word=value` or `-x`.
fn is_option(word: &str) -> bool {
    let begins = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic());
    match word.strip_prefix("--") {
        Some(rest) => begins(rest),
        None => word.len() == 2 && word.strip_prefix('-').is_some_and(begins),
    }
}

/// Returns an option without its value.
fn name(option: &str) -> &str {
    option.split_once('=').map_or(option, |(name, _)| name)
}

fn has(command: &Command, option: &str) -> bool {
    command.get_arguments().any(|argument| {
        let long = argument.get_long().map(|long| format!("--{long}"));
        let short = argument.get_short().map(|short| format!("-{short}"));
        [long, short].into_iter().flatten().any(|own| own == option)
    })
}

/// Returns the option of a command that was probably meant.
fn meant(command: &Command, option: &str) -> Option<String> {
    let word = option.strip_prefix("--")?;
    // Among `--max-memory` and `--max-positions` one expects `--max-time`.
    if word.contains("time") {
        return Some("--timeout".to_owned());
    }
    let known: Vec<&str> = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
        .filter_map(clap::Arg::get_long)
        .collect();
    did_you_mean(word, known).map(|meant| format!("--{meant}"))
}

/// Returns a tip about an option of other commands.
fn elsewhere(root: &Command, command: &Command, option: &str) -> Option<String> {
    if matches!(option, "-l" | "--load") && matches!(command.get_name(), "bid" | "repl") {
        return Some("to start the REPL with a file, write `bid repl FILE`".to_owned());
    }
    let owners: Vec<String> = root
        .get_subcommands()
        .filter(|other| !other.is_hide_set() && has(other, option))
        .map(|other| format!("`bid {}`", other.get_name()))
        .collect();
    let (last, others) = owners.split_last()?;
    let owners = if others.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", others.join(", "))
    };
    let tip = format!("`{option}` is an option of {owners}");
    Some(match option {
        "-l" | "--load" => format!("{tip}; a file loads another one by `use \"FILE\"`"),
        _ => tip,
    })
}
