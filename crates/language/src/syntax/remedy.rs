//! Remedies for common syntax errors. Each remedy examines the tokens around the error.

mod expressions;
mod habits;
mod lines;

use super::layout::Holds;
use super::place::Place;
use super::syntax_error::Expected;
use super::token::{Token, TokenKind};
use super::vocabulary::{constants, is_keyword};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, did_you_mean};
use crate::source::Span;

/// Reports `G = A` on its own, a definition without its keyword.
pub fn bare_definition(place: &Place) -> Option<Diagnostic> {
    let (line, block) = place.line();
    let tokens = &place.tokens[line.clone()];
    let is_definition =
        matches!(place.word(0), "=" | ":=") && matches!(block, None | Some(Holds::Statements));
    let name = *tokens
        .first()
        .filter(|token| token.kind == TokenKind::Word)?;
    if !is_definition
        || is_keyword(name.text(place.text))
        || !is_head(&tokens[..place.at - line.start])
    {
        return None;
    }
    let end = tokens[place.at - line.start - 1].end;
    let head = &place.text[name.start as usize..end as usize];
    let body = place.text[place.token()?.end as usize..tokens.last()?.end as usize].trim();
    // The help is one short line, so that a longer text is left out.
    let body = if body.contains('\n') || body.chars().count() > 40 || body.is_empty() {
        "…"
    } else {
        body
    };
    let span = Span {
        source: place.source,
        start: name.start,
        end,
    };
    let sign = place.span(0)?;
    let fix = Fix::before(span, "let ").and(Fix::replace(sign, "="));
    let definition = format!("write `let {head} = {body}`");
    // A call or a constant may be meant as one side of an equation: `R(E) = 1/2`, `A = ~B`.
    let is_side = tokens[place.at - line.start - 1].kind == TokenKind::Close
        || constants().any(|constant| constant == head);
    let help = if is_side {
        let comparison = Fix::replace(sign, "==").titled("compare with `==`");
        let help = format!("{definition} to define, `{head} == {body}` to compare");
        Help::from(help).with(fix).with(comparison)
    } else {
        Help::from(definition).with(fix)
    };
    Some(
        Diagnostic::new(Code::BareDefinition, "a definition needs `let` or `game`")
            .label(
                span,
                format!(
                    "`{}` is defined here without a keyword",
                    name.text(place.text)
                ),
            )
            .help(help),
    )
}

/// Returns `true` for `name` or `name(…)`.
fn is_head(tokens: &[Token]) -> bool {
    match tokens {
        [_] => true,
        [_, open, inside @ .., close] => {
            let nested = inside
                .iter()
                .any(|token| matches!(token.kind, TokenKind::Open | TokenKind::Close));
            open.kind == TokenKind::Open && close.kind == TokenKind::Close && !nested
        }
        _ => false,
    }
}

/// Returns the remedy for the error at this place, if one is known.
pub fn remedy(place: &Place, expected: &Expected) -> Option<Help> {
    // The first remedy that fits is taken, so that special mistakes come before general ones.
    const REMEDIES: [fn(&Place, &Expected) -> Option<Help>; 48] = [
        lines::command,
        habits::comment,
        habits::rules,
        habits::position,
        habits::graph,
        habits::ruleset,
        lines::imported,
        expressions::misplaced_rules,
        expressions::changes_without_braces,
        lines::unnamed_rules,
        lines::state,
        lines::ruleset_with_equals,
        expressions::second_variable,
        lines::player_as_move,
        lines::line_start,
        lines::update,
        habits::definition,
        habits::range,
        habits::exponent,
        expressions::equals,
        expressions::other_languages,
        lines::graph_line,
        lines::ending,
        lines::symmetry,
        lines::part_of_variable,
        expressions::star_of_variable,
        expressions::misplaced_star,
        lines::second_line,
        misspelt_word,
        keyword_as_name,
        lines::missing_quotes,
        expressions::missing_player,
        lines::doubled_comma,
        lines::second_value,
        expressions::missing_bar,
        expressions::missing_braces,
        expressions::further_rules,
        expressions::missing_brackets,
        lines::dangling_arrow,
        expressions::dangling_operator,
        expressions::unfinished_if,
        expressions::unfinished_let,
        expressions::stray_for,
        lines::misspelt_statement,
        habits::message_of_check,
        habits::foreign_word,
        expressions::side_by_side,
        expressions::empty_brackets,
    ];
    REMEDIES.iter().find_map(|remedy| remedy(place, expected))
}

/// Returns the player that a word with another first meaning stands for.
fn other_name_of_player(word: &str) -> Option<&'static str> {
    match word {
        "left" | "red" => Some("Alice"),
        "right" | "blue" => Some("Bob"),
        _ => None,
    }
}

fn keyword_as_name(place: &Place, expected: &Expected) -> Option<Help> {
    let word = place.word(0);
    if !expected.is_name() || !is_keyword(word) {
        return None;
    }
    let help = Help::from(match other_name_of_player(word) {
        Some(player) => {
            format!("`{word}` is another name of {player}: choose another name, such as `{word}_1`")
        }
        None => format!("choose another name, such as `{word}_1`"),
    });
    Some(help.with(Fix::replace(place.span(0)?, format!("{word}_1"))))
}

/// Handles a word that is similar to one that could stand there.
fn misspelt_word(place: &Place, expected: &Expected) -> Option<Help> {
    let token = place
        .token()
        .filter(|token| token.kind == TokenKind::Word)?;
    let words = expected
        .tokens
        .iter()
        .copied()
        // A word is never a misspelt sign.
        .filter(|word| word.starts_with(char::is_alphabetic));
    let near = did_you_mean(token.text(place.text), words)?;
    Some(Help::did_you_mean(
        token.text(place.text),
        near,
        place.span(0)?,
    ))
}
