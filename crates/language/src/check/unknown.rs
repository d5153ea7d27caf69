//! Reports names that are not known, or not yet, with their remedies.

use super::ruleset::RulesetSection;
use super::{Checker, Typed};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, did_you_mean};
use crate::files::library;
use crate::player::Player;
use crate::rules::{FIELDS, PRESETS, RuleField};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::vocabulary::constants;

impl Checker<'_> {
    /// Reports a name that cannot be used here, with a remedy if one is known.
    pub(super) fn unknown_name(&self, name: &str, span: Span) -> Diagnostic {
        if let Some(diagnostic) = self.defined_by_itself(name, span) {
            return diagnostic;
        }
        if let Some(builtin) = self.definitions.builtin(name) {
            return Diagnostic::new(
                Code::WrongType,
                format!("`{name}` is a function and needs its arguments"),
            )
            .label(span, "only its name stands here")
            .help(
                Help::from(format!("write `{}`", builtin.heading()))
                    .with(Fix::replace(span, builtin.heading())),
            );
        }
        if let Some(definition) = self.defined_later(name) {
            return used_early(name, span, definition);
        }
        unknown(name, span, self.suggestion(name, span))
    }

    /// Reports `tic-tac-toe`, if none of these names is known but a similar one is. The messages
    /// about the parts, after the first `known` ones, are taken back.
    pub(super) fn unknown_hyphenated(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        known: usize,
    ) -> Option<Typed> {
        let name = hyphenated(left, right).filter(|_| self.diagnostics.len() > known)?;
        let is_unknown = |part: &str| self.known_name(part, left.span).is_none();
        if !name.split('-').all(is_unknown) {
            return None;
        }
        let span = left.span.to(right.span);
        let help = self.suggestion(&name, span)?;
        self.diagnostics
            .forget(|at| at.start >= span.start && at.end <= span.end);
        Some(self.broken(unknown(&name, span, Some(help)), span))
    }

    /// Returns the remedy for an unknown name, if one is known.
    fn suggestion(&self, name: &str, span: Span) -> Option<Help> {
        // Further errors are only counted, and comparing with all names takes long.
        if self.diagnostics.are_enough() {
            return None;
        }
        if let Some(rule) = rule_named(name) {
            return Some(rule.into());
        }
        if matches!(self.within, Some(RulesetSection::Lines(_)))
            && matches!(name, "mover" | "player")
        {
            let help = Help::from("the player who moves is `me`, the opponent `other`");
            return Some(help.with(Fix::replace(span, "me")));
        }
        if matches!(self.within, Some(RulesetSection::Start(_))) && matches!(name, "me" | "other") {
            return Some("nobody moves at the start: write `empty`, `alice` or `bob`".into());
        }
        if name == "default" {
            let help = Help::from("the default rules are called `develin_payne`");
            return Some(help.with(Fix::replace(span, "develin_payne")));
        }
        if matches!(name, "print" | "println" | "echo" | "display") {
            return Some(
                "an expression shows its value by itself; in a file, write `show` before it".into(),
            );
        }
        if let Some(remedy) = of_other_programs(name) {
            return Some(remedy.into());
        }
        if let Some(builtin) = self.definitions.builtin_with(name) {
            let heading = builtin.heading();
            return Some(format!("`{name}:` is an argument, as in `{heading}`").into());
        }
        let ruleset = match &self.within {
            Some(RulesetSection::Lines(names)) => Some(names.all()),
            Some(RulesetSection::Start(_)) | None => None,
        };
        let ruleset = ruleset.into_iter().flatten();
        let globals = self.scope.iter().map(|(name, _)| name);
        let presets = PRESETS.iter().map(|preset| preset.name);
        let builtins = self
            .definitions
            .builtin_names()
            .chain(constants())
            .chain(presets)
            .chain(Player::both(Player::word));
        let known = self
            .locals
            .names()
            .chain(ruleset)
            .chain(globals)
            .chain(builtins.map(|name| -> &str { name }));
        let in_library = library_games().find(|(game, _)| *game == name);
        if in_library.is_none()
            && let Some(nearest) = did_you_mean(name, known)
        {
            return Some(Help::did_you_mean(name, nearest, span));
        }
        // A near name in scope is likelier than one of a file that is not used yet.
        let in_library = in_library.or_else(|| {
            // Every short name resembles one of them.
            let games = library_games().map(|(game, _)| game);
            let near = did_you_mean(name, games.filter(|game| game.len() > 3))?;
            library_games().find(|(game, _)| *game == near)
        });
        in_library.map(|(game, file)| {
            let words = format!(
                "`{game}` is in the game library: write `use \"games/{file}\"` first, or `-l games/{file}` on the command line"
            );
            let brought_in = Fix::before(
                Span {
                    start: 0,
                    end: 0,
                    ..span
                },
                format!("use \"games/{file}\"\n"),
            );
            let fix = if game == name {
                brought_in
            } else {
                brought_in.and(Fix::replace(span, game))
            };
            Help::from(words).with(fix)
        })
    }
}

/// Returns the games of the library, each with its file: those of the classics first, because some
/// names occur in several files.
fn library_games() -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_classic = |(file, _): &&(&str, &str)| *file == "classics.bid";
    let classics = library().iter().filter(is_classic);
    let others = library().iter().filter(move |file| !is_classic(file));
    classics.chain(others).flat_map(|&(file, text)| {
        text.lines().filter_map(move |line| {
            let game = line.strip_prefix("game ")?;
            Some((game.split([' ', '(']).next()?, file))
        })
    })
}

fn unknown(name: &str, span: Span, remedy: Option<Help>) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownName,
        format!("nothing here is called `{name}`"),
    )
    .label(span, "unknown name")
    .maybe_help(remedy)
}

/// Returns the remedy for a function of other programs or a term of the papers.
fn of_other_programs(name: &str) -> Option<&'static str> {
    Some(match name {
        "range" => "a range is written `0..3`, and includes both ends",
        "map" => "a list of values is written `[R(G) for G in games]`",
        "round" => "`floor` and `ceil` round to whole numbers, `decimal(x, digits)` to decimals",
        "float" | "double" | "numeric" | "evalf" => {
            "numbers are exact; `decimal(x, digits)` writes one in decimals"
        }
        "sqrt" => "numbers are exact fractions, so there are no roots",
        "richman_value" | "critical_threshold" => {
            "the critical threshold is `R(G)` with real money, `f(G, k)` with k chips in all"
        }
        _ => return None,
    })
}

/// Returns the remedy for the name of a field of rules, or of a field's value, outside of braces.
fn rule_named(name: &str) -> Option<String> {
    let is_value = |field: &&RuleField| field.values.iter().any(|value| value.name == name);
    if let Some(field) = FIELDS.iter().find(is_value) {
        let rules = format!("rules stand in braces: `{{ {}: {name} }}`", field.name);
        return Some(match name {
            "richman" => rules + "; the Richman value of a game is `R(G)`",
            _ => rules,
        });
    }
    let field = FIELDS.iter().find(|field| field.name == name)?;
    Some(format!("rules stand in braces: `{{ {}: … }}`", field.name))
}

/// Reports a name that is used before it is defined.
pub(super) fn used_early(name: &str, span: Span, definition: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownName,
        format!("`{name}` is used before it is defined"),
    )
    .label(span, "used here")
    .label(definition, "defined here")
    .help("move the definition before its first use")
}

/// Returns the name that names joined by `-` stand for in other languages, as `tic-tac-toe`.
fn hyphenated(left: &ast::Expr, right: &ast::Expr) -> Option<String> {
    let before = match &*left.kind {
        ast::ExprKind::Name(name) => name.clone(),
        ast::ExprKind::Binary(ast::BinaryOp::Subtract, left, right) => hyphenated(left, right)?,
        _ => return None,
    };
    match &*right.kind {
        ast::ExprKind::Name(name) if left.span.end + 1 == right.span.start => {
            Some(format!("{before}-{name}"))
        }
        _ => None,
    }
}
