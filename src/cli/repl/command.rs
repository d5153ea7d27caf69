//! The `:commands`: one table entry each, from which parsing, completion and help are derived.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bid::session::SessionEvent;
use bid_language::diagnostic::{counted, did_you_mean};
use bid_language::files;
use bid_language::rules::{FIELDS, Overrides, RuleField, preset};
use bid_language::syntax::vocabulary::{WordClass, of_class};

use super::super::output::complain;
use super::super::run;
use super::super::status::Status;
use super::help::help;
use super::{Flow, Repl};

/// A command.
pub struct ReplCommand {
    /// The word after the colon.
    pub name: &'static str,
    /// The argument that may follow it.
    pub argument: ArgumentRule,
    /// One line for `:help`.
    pub summary: &'static str,
    run: fn(&mut Repl, &str) -> Status,
}

/// The argument of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentRule {
    /// No argument.
    None,
    /// An argument of this kind, or none.
    Optional(Kind),
    /// An argument of this kind.
    Required(Kind),
}

/// Kinds of arguments, as help and completion need them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name in scope.
    Name,
    /// Rules: a literal or a name.
    Rules,
    /// A path.
    File,
    /// An expression.
    Expression,
    /// A path, and an expression after it.
    FileAndExpression,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Name => "NAME",
            Self::Rules => "RULES",
            Self::File => "FILE",
            Self::Expression => "EXPR",
            Self::FileAndExpression => "FILE EXPR",
        }
    }
}

/// A table of commands: the name and the argument of each, the function that runs it, and its
/// summary.
macro_rules! commands {
    ($($name:expr, $argument:expr, $run:expr => $summary:literal;)*) => {
        &[$(ReplCommand { name: $name, argument: $argument, run: $run, summary: $summary }),*]
    };
}

/// All commands.
pub const COMMANDS: &[ReplCommand] = commands! {
    "help", ArgumentRule::Optional(Kind::Name), help => "the meaning of a name, or this list";
    "rules", ArgumentRule::Optional(Kind::Rules), rules => "the default rules, or set them";
    "load", ArgumentRule::Required(Kind::File), load => "load the definitions of a file";
    "reload", ArgumentRule::None, reload => "load all files anew and repeat the session's definitions";
    "type", ArgumentRule::Required(Kind::Expression), type_of => "the type of an expression, without evaluating it";
    "plan", ArgumentRule::Required(Kind::Expression), plan => "the method that would answer, why, and its cost";
    "time", ArgumentRule::Required(Kind::Expression), time => "evaluate and say how long it took";
    "write", ArgumentRule::Required(Kind::FileAndExpression), write => "write an answer to a file in the format of its extension";
    "list", ArgumentRule::None, list => "the definitions of this session and its files";
    "forget", ArgumentRule::Required(Kind::Name), forget => "take back a definition; a builtin that it hid returns";
    "save", ArgumentRule::Required(Kind::File), save => "write this session's inputs to a file";
    QUIT, ArgumentRule::None, |_, _| Status::Good => "leave (so does Ctrl-D)";
};

const QUIT: &str = "quit";

impl ReplCommand {
    /// Formats the use of a command: `load FILE`, `help [NAME]`.
    pub fn usage(&self) -> String {
        match self.argument {
            ArgumentRule::None => format!(":{}", self.name),
            ArgumentRule::Optional(kind) => format!(":{} [{}]", self.name, kind.word()),
            ArgumentRule::Required(kind) => format!(":{} {}", self.name, kind.word()),
        }
    }
}

/// Runs the command after the colon.
pub fn run(repl: &mut Repl, text: &str) -> (Status, Flow) {
    let (name, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let argument = argument.trim();
    let command = match find(name) {
        Ok(command) => command,
        Err(message) => return (wrong(&message), Flow::Continue),
    };
    let is_misused = match command.argument {
        ArgumentRule::None => !argument.is_empty(),
        ArgumentRule::Required(_) => argument.is_empty(),
        ArgumentRule::Optional(_) => false,
    };
    if is_misused {
        return (
            wrong(&format!("usage: {}", command.usage())),
            Flow::Continue,
        );
    }
    let flow = if command.name == QUIT {
        Flow::Quit
    } else {
        Flow::Continue
    };
    ((command.run)(repl, argument), flow)
}

/// Returns the command that is meant by an input without a colon, as other programs have them:
/// `quit`, `help(R)`, `?R`. A word that has a meaning of its own is no command.
pub fn meant(text: &str, has_meaning: &dyn Fn(&str) -> bool) -> Option<String> {
    let asked = text.strip_prefix('?').or_else(|| text.strip_suffix('?'));
    if let Some(name) = asked
        .map(str::trim)
        .filter(|name| !name.contains(char::is_whitespace))
    {
        return Some(format!("help {name}"));
    }
    let end = text.find(|c: char| !c.is_ascii_alphabetic());
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let name = usual_name(word);
    let command = COMMANDS.iter().find(|command| command.name == name)?;
    let called = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let argument = match called {
        Some(argument) => argument.trim(),
        None if rest.starts_with(char::is_whitespace) => rest.trim(),
        None => rest,
    };
    // `plan = 3` and `list[0]` are no commands, whatever the names mean.
    let is_separate = called.is_some() || rest.is_empty() || rest.starts_with(' ');
    // Without a needed argument the command itself says what its use is.
    let fits = command.argument != ArgumentRule::None || argument.is_empty();
    let is_operand = argument.starts_with(|c: char| "=+-*/^<>~∧:,;)]}.".contains(c));
    (is_separate && fits && !is_operand && !has_meaning(word))
        .then(|| format!("{name} {argument}").trim_end().to_owned())
}

/// Returns the name of the command that other programs call by this word.
fn usual_name(word: &str) -> &str {
    match word {
        "exit" | "bye" => QUIT,
        "?" => "help",
        word => word,
    }
}

/// Returns the command with this name, or the only one that begins with it.
pub fn find(name: &str) -> Result<&'static ReplCommand, String> {
    let name = usual_name(name);
    if let Some(command) = COMMANDS.iter().find(|command| command.name == name) {
        return Ok(command);
    }
    let beginning: Vec<_> = COMMANDS
        .iter()
        .filter(|command| !name.is_empty() && command.name.starts_with(name))
        .collect();
    // A beginning must be unique; otherwise a new command would change what it means.
    if let [command] = beginning[..] {
        return Ok(command);
    }
    let near =
        did_you_mean(name, COMMANDS.iter().map(|command| command.name)).map(|near| vec![near]);
    let meant = near.unwrap_or_else(|| beginning.iter().map(|command| command.name).collect());
    let is_statement = of_class(WordClass::Statement).any(|word| word == name);
    let hint = if is_statement {
        format!("; `{name}` is written without the colon")
    } else if meant.is_empty() {
        String::new()
    } else {
        format!("; did you mean :{}?", meant.join(" or :"))
    };
    Err(format!(
        "there is no command :{name}{hint} (:help lists them all)"
    ))
}

pub fn wrong(message: &str) -> Status {
    complain(message);
    Status::Wrong
}

/// Returns the rule that a word is the value of, or a rule of the field that it names.
fn rule_with(word: &str) -> Option<String> {
    let rule = |field: &RuleField| {
        let value = field.values.iter().find(|value| value.name == word);
        let other = || field.values.get(1).filter(|_| field.name == word);
        let value = value.or_else(other)?;
        Some(format!("{}: {}", field.name, value.name))
    };
    let number = |field: &RuleField| (field.name == word).then(|| format!("{word}: …"));
    FIELDS
        .iter()
        .find_map(|field| rule(field).or_else(|| number(field)))
}

fn rules(repl: &mut Repl, text: &str) -> Status {
    // The word alone asks what it means; rules in braces and names of rules are set.
    if let Some(rule) = rule_with(text)
        && preset(text).is_none()
        && !repl.has_meaning(text)
    {
        let status = help(repl, text);
        repl.output
            .remark(&format!("`:rules {{ {rule} }}` sets it"));
        return status;
    }
    let (field, _) = text.split_once(':').unwrap_or_default();
    if FIELDS.iter().any(|known| known.name == field.trim_end()) {
        return repl.evaluate(&format!("using {{ {text} }}"));
    }
    if !text.is_empty() {
        return repl.evaluate(&format!("using {text}"));
    }
    let fields = Overrides::from(repl.session.rules()).fields();
    let lines = fields
        .iter()
        .map(bid_language::rules::FieldValue::words)
        .map(|(field, value)| format!("{field}: {value}"));
    repl.output.result(&lines.collect::<Vec<_>>().join("\n"));
    Status::Good
}

fn load(repl: &mut Repl, path: &str) -> Status {
    let path = Path::new(unquoted(path));
    let known: BTreeSet<String> = repl
        .session
        .names()
        .into_iter()
        .map(|known| known.name)
        .collect();
    let status = repl.load(path);
    if status == Status::Good {
        let new = repl
            .session
            .names()
            .iter()
            .filter(|now| !known.contains(&now.name))
            .count();
        let names = if new == 1 {
            "one new name".to_owned()
        } else {
            format!("{new} new names")
        };
        repl.output.remark(&format!(
            "loaded {}: {names} (:list shows all)",
            path.display()
        ));
    }
    status
}

/// Removes the quotes of a path, which may be quoted as after `use`.
fn unquoted(path: &str) -> &str {
    path.strip_prefix('"')
        .and_then(|path| path.strip_suffix('"'))
        .unwrap_or(path)
}

fn reload(repl: &mut Repl, _: &str) -> Status {
    repl.reload()
}

fn type_of(repl: &mut Repl, text: &str) -> Status {
    let name = repl.session.next_input();
    match repl.session.type_of(&name, text) {
        Ok(found) => {
            repl.output.result(&found);
            Status::Good
        }
        Err(diagnostics) => run::report(repl.output, repl.session.sources(), &diagnostics),
    }
}

fn plan(repl: &mut Repl, text: &str) -> Status {
    let name = repl.session.next_input();
    let _work = repl.output.guard.begin();
    match repl.session.plan(&name, text) {
        Ok(plans) => {
            for plan in plans {
                repl.output
                    .event(repl.session.sources(), SessionEvent::Value(plan));
            }
            Status::Good
        }
        Err(diagnostics) => run::report(repl.output, repl.session.sources(), &diagnostics),
    }
}

fn time(repl: &mut Repl, text: &str) -> Status {
    let began = Instant::now();
    let status = repl.evaluate(text);
    repl.output
        .result(&format!("{:.3} s", began.elapsed().as_secs_f64()));
    status
}

fn write(repl: &mut Repl, text: &str) -> Status {
    let quoted = text.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let Some((path, expression)) = quoted.or_else(|| text.split_once(char::is_whitespace)) else {
        return wrong("usage: :write FILE EXPR");
    };
    let path = Path::new(path);
    let status = {
        let _work = repl.output.guard.begin();
        run::write_value(repl.output, &mut repl.session, path, expression.trim())
            .unwrap_or_else(|status| status)
    };
    if let Some(written) = fs::metadata(path).ok().filter(|_| status == Status::Good) {
        repl.output.remark(&format!(
            "wrote {}: {}",
            path.display(),
            counted(written.len(), "byte")
        ));
    }
    status
}

fn list(repl: &mut Repl, _: &str) -> Status {
    let own: Vec<_> = repl
        .session
        .names()
        .into_iter()
        .filter(|known| !known.builtin)
        .collect();
    if own.is_empty() {
        repl.output.remark("nothing is defined yet");
        return Status::Good;
    }
    let lines: Vec<_> = own.into_iter().map(|known| known.signature).collect();
    repl.output.result(&lines.join("\n"));
    Status::Good
}

fn forget(repl: &mut Repl, name: &str) -> Status {
    if !repl.session.forget(name) {
        return wrong(&format!(
            "nothing called `{name}` is defined here (:list shows what is)"
        ));
    }
    let is_back = repl.session.names().iter().any(|known| known.name == name);
    repl.output.remark(&if is_back {
        format!("forgot your `{name}`: the name means the builtin again")
    } else {
        format!("forgot `{name}`")
    });
    Status::Good
}

fn save(repl: &mut Repl, path: &str) -> Status {
    let path = PathBuf::from(unquoted(path));
    // Only files that this session has written are replaced without a question.
    if path.exists() && !repl.saved.contains(&path) {
        return wrong(&format!(
            "{} exists already; save under another name",
            path.display()
        ));
    }
    let script = repl.session.script();
    if let Err(error) = files::replace(&path, &script) {
        return repl.output.file_error("write", &path, &error);
    }
    let lines = counted(script.lines().count(), "line");
    repl.output
        .remark(&format!("saved {}: {lines}", path.display()));
    repl.saved.push(path);
    Status::Good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_without_a_colon_are_understood() {
        let defined = |word: &str| word == "list";
        for (text, command) in [
            ("quit", Some("quit")),
            ("exit", Some("quit")),
            ("exit()", Some("quit")),
            ("bye", Some("quit")),
            ("help", Some("help")),
            ("help()", Some("help")),
            ("help(R)", Some("help R")),
            ("help ties", Some("help ties")),
            ("?", Some("help ")),
            ("? R", Some("help R")),
            ("R?", Some("help R")),
            ("plan R(E)", Some("plan R(E)")),
            ("time(R(E))", Some("time R(E)")),
            ("save", Some("save")),
            // These are statements and expressions.
            ("R(E)", None),
            ("help = 3", None),
            ("plan == 3", None),
            ("time[0]", None),
            ("exit 3", None),
            ("list", None),
        ] {
            assert_eq!(meant(text, &defined).as_deref(), command, "{text}");
        }
    }

    #[test]
    fn commands_may_be_cut_short_while_they_are_unique() {
        assert_eq!(find("bye").map(|command| command.name), Ok("quit"));
        assert_eq!(find("q").map(|command| command.name), Ok("quit"));
        assert_eq!(find("rel").map(|command| command.name), Ok("reload"));
        assert_eq!(
            find("t").err(),
            Some(
                "there is no command :t; did you mean :type or :time? (:help lists them all)"
                    .into()
            )
        );
        assert_eq!(
            find("laod").err(),
            Some("there is no command :laod; did you mean :load? (:help lists them all)".into())
        );
        assert_eq!(
            find("xyzzy").err(),
            Some("there is no command :xyzzy (:help lists them all)".into())
        );
    }
}
