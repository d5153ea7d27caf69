//! Remedies for habits of other languages and of mathematical writing.

use super::lines::has;
use crate::diagnostic::{Fix, Help};
use crate::player::Player;
use crate::rules::FIELDS;
use crate::syntax::layout::Holds;
use crate::syntax::place::Place;
use crate::syntax::syntax_error::Expected;
use crate::syntax::token::TokenKind;

/// Handles words that have the meaning of an operator elsewhere, as in `x is y` and `R(G) with …`.
pub(super) fn foreign_word(place: &Place, expected: &Expected) -> Option<Help> {
    if !expected.operator {
        return None;
    }
    let (help, word) = match place.word(0) {
        "where" | "when" => (
            "a condition stands behind `if`: `[… for i in 0..4 if i != 2]`",
            "if",
        ),
        "with" | "under" => (
            "the rules of a question stand behind `using`: `R(G) using { … }`",
            "using",
        ),
        "is" | "equals" => ("to compare, write `==`", "=="),
        _ => return None,
    };
    Some(Help::from(help).with(Fix::replace(place.span(0)?, word)))
}

/// Handles a comment of another language, as `% …`, `-- …` and `/* … */`.
pub(super) fn comment(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    if !matches!(block, None | Some(Holds::Statements)) {
        return None;
    }
    let words = place.tokens[line].iter().take(2);
    let words: Vec<&str> = words.map(|token| token.text(place.text)).collect();
    let is_comment = match *words.as_slice() {
        ["/", "*"] | ["-", "-"] => true,
        [word, ..] => word == "%",
        [] => false,
    };
    is_comment.then(|| "a comment starts with `//`".into())
}

/// Handles a message behind a check, as in `check x == 2 "too small"`.
pub(super) fn message_of_check(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, _) = place.line();
    let is_check = place.tokens.get(line.start)?.text(place.text) == "check";
    let is_text = place.token()?.kind == TokenKind::String;
    (is_check && is_text && expected.operator)
        .then(|| "a check has no message; a comment behind it starts with `//`".into())
}

/// Handles a range as other languages write it, as `0:11` and `0..<5`.
pub(super) fn range(place: &Place, expected: &Expected) -> Option<Help> {
    if place.word(-1) == ".." && place.word(0) == "<" {
        return Some("a range includes both ends: `0..4` has five numbers".into());
    }
    let is_number = |at: Option<usize>| Some(place.tokens.get(at?)?.kind == TokenKind::Number);
    let numbers = is_number(place.at.checked_sub(1))? && is_number(place.at.checked_add(1))?;
    if place.word(0) != ":" || !numbers || !expected.operator {
        return None;
    }
    let (from, to) = (place.word(-1), place.word(1));
    let help = Help::from(format!("a range is written `{from}..{to}`"));
    Some(help.with(Fix::replace(place.span(0)?, "..")))
}

/// Handles LaTeX's `A^{2}` and `4^*`.
pub(super) fn exponent(place: &Place, _: &Expected) -> Option<Help> {
    if place.word(0) == "}" && place.word(-2) == "{" && place.word(-3) == "^" {
        let (exponent, all) = (place.word(-1), place.span(-2)?.to(place.span(0)?));
        let help = Help::from(format!("an exponent has no braces: `^{exponent}`"));
        return Some(help.with(Fix::replace(all, exponent)));
    }
    let is_star = place.word(0) == "*" && place.word(-1) == "^";
    let (count, caret) = (place.word(-2), place.span(-1).filter(|_| is_star)?);
    let help = Help::from(format!(
        "the tie-breaking advantage is a star directly behind the number: `{count}*`"
    ));
    Some(help.with(Fix::remove(caret)))
}

/// Handles a function with its parameter side by side, as in `let g n = n + 1`, and a graph with a
/// name behind its keyword, as in `graph g { … }`.
pub(super) fn definition(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    if !matches!(block, None | Some(Holds::Statements)) {
        return None;
    }
    let first = place.tokens.get(line.start)?.text(place.text);
    let (before, word) = (place.word(-1), place.word(0));
    match first {
        "let" | "game" if place.at == line.start + 2 && expected.token("=") => {
            let is_word = place.token()?.kind == TokenKind::Word;
            is_word.then(|| {
                format!("parameters stand in parentheses: `{first} {before}({word}) …`").into()
            })
        }
        "graph" if place.at == line.start + 1 => {
            Some(format!("a graph gets its name by `game {word} = graph {{ … }}`").into())
        }
        "ruleset" if place.at == line.start + 1 => Some(
            Help::from(format!("a ruleset starts with `game {word}`"))
                .with(Fix::replace(place.span(-1)?, "game")),
        ),
        "assert" if place.at == line.start + 1 => Some(
            Help::from("a claim is checked by `check`")
                .with(Fix::replace(place.span(-1)?, "check")),
        ),
        _ => None,
    }
}

/// Handles the edges and endings of graphs as other languages write them.
pub(super) fn graph(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    if block != Some(Holds::Graph) {
        return None;
    }
    let (before, word) = (place.word(-1), place.word(0));
    let words = place.tokens[line.clone()]
        .iter()
        .map(|token| token.text(place.text));
    let words: Vec<&str> = words.collect();
    let is_reversed = words.windows(2).any(|pair| pair == ["<", "-"]);
    let new_player = [before, word].into_iter().find(|word| is_player(word));
    match (*words.first()?, before, word) {
        ("edges", "edges", ":") => {
            let help = Help::from("write `edges \"roads.csv\"`, without a colon");
            Some(help.with(Fix::remove(place.span(0)?)))
        }
        (player, before, ":") if before == player && is_player(player) => {
            let help = Help::from(format!("an edge has no colon: `{player} 0 -> 1`"));
            Some(help.with(Fix::remove(place.span(0)?)))
        }
        ("edges", "edges", _) => {
            Some("the path of the file stands in quotes: `edges \"roads.csv\"`".into())
        }
        ("win", "win", _) if is_player(&word.to_lowercase()) => {
            let lower = word.to_lowercase();
            let help = Help::from(format!("players are written in lower case: `{lower}`"));
            Some(help.with(Fix::replace(place.span(0)?, lower)))
        }
        (ending @ ("win" | "turn"), player, _) if is_player(player) && expected.token(":") => {
            let help = Help::from(format!("write `{ending} {player}: x, y`"));
            Some(help.with(Fix::after(place.span(-1)?, ":")))
        }
        ("lose", ..) if place.at == line.start => Some(
            "a loss of one player is a win of the other: write `win alice: x` or `win bob: x`"
                .into(),
        ),
        (_, "-", "->") => {
            let arrow = place.span(-1)?.to(place.span(0)?);
            Some(Help::from("an arrow is written `->`").with(Fix::replace(arrow, "->")))
        }
        // The brace that is closed here was opened on this line.
        (_, _, "}") if words.contains(&"->") && words.contains(&"{") => {
            Some("the heads of several edges are separated by commas: `both 0 -> 1, 2`".into())
        }
        (player, ..) if is_player(player) && matches!(words.get(1), Some(&("win" | "wins"))) => {
            Some(format!("an ending is written `win {player}: x, y`").into())
        }
        _ if is_reversed && expected.token("->") => {
            Some("an edge is written from its tail to its head: `both 1 -> 0`".into())
        }
        _ if words.contains(&"->") && words.contains(&",") => {
            let player = new_player.filter(|_| place.at > line.start + 2)?;
            Some(
                format!("`{player}` starts a line of its own; `;` separates lines, a comma the heads of edges")
                    .into(),
            )
        }
        _ => None,
    }
}

/// Handles the lines of rulesets as other languages write them: a change before its condition, a
/// loop in a move, and a condition before its ending.
pub(super) fn ruleset(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let first = place.tokens.get(line.start)?.text(place.text);
    match (block?, first) {
        (Holds::Ruleset, first)
            if place.at == line.start
                && (matches!(first, "start" | "edges" | "both")
                    || has(place, &line, &["->", "<->"])) =>
        {
            Some("the lines of a graph stand in `game g = graph { … }`, with `=`".into())
        }
        (Holds::Ruleset, "misere" | "misère") if place.at == line.start => {
            Some("a player who cannot move wins in misère play: `stuck wins`".into())
        }
        (Holds::Ruleset, "lose") if place.at == line.start => {
            Some("a loss of one player is a win of the other: `win other if …`".into())
        }
        (Holds::Ruleset, "if") if place.at == line.start => {
            Some("the condition of an ending stands behind it: `win alice if …`".into())
        }
        (Holds::Updates, "for") if place.at == line.start => Some(
            "a move has no loops; a list gets all its values at once: `xs = [… for i in 0..2]`"
                .into(),
        ),
        (Holds::Updates, _) if place.word(0) == "if" && place.at > line.start => {
            Some("a condition stands before the changes: `if … { x -= 1 }`".into())
        }
        _ => None,
    }
}

/// Handles rules in parentheses or with a colon, and a value of a rule without its field.
pub(super) fn rules(place: &Place, _: &Expected) -> Option<Help> {
    let words = [-2, -1, 0].map(|offset| place.word(offset));
    match words {
        ["{", value, "}"] if place.word(-3) == "using" => {
            let field = FIELDS
                .iter()
                .find(|field| field.values.iter().any(|word| word.name == value))?;
            let rule = format!("{}: {value}", field.name);
            let help = Help::from(format!("a rule is written with its field: `{rule}`"));
            Some(help.with(Fix::replace(place.span(-1)?, rule)))
        }
        ["(", field, ":"] if place.word(-3) == "using" => {
            Some(format!("rules stand in braces: `using {{ {field}: … }}`").into())
        }
        [_, "using", ":"] => {
            let help = Help::from("`using` has no colon: `using { … }`");
            Some(help.with(Fix::remove(place.span(0)?)))
        }
        [_, "using", "rules"] => {
            let help = Help::from("rules are written `using { … }`, or `using NAME`");
            Some(help.with(Fix::remove(place.span(0)?)))
        }
        [_, "taxman", _] if place.token()?.kind == TokenKind::Number => {
            Some("the part that goes to the bank stands in parentheses: `taxman(1/2)`".into())
        }
        _ => None,
    }
}

/// Handles a position without quotes, as in `G at x=1`, and a colon between a player and a move.
pub(super) fn position(place: &Place, _: &Expected) -> Option<Help> {
    let words = [-2, -1, 0].map(|offset| place.word(offset));
    match words {
        ["at", variable, "="] => Some(
            format!(
                "a position is written in quotes: `at \"{variable}={}\"`",
                place.word(1)
            )
            .into(),
        ),
        ["[" | ",", player, ":"] if is_player(player) => {
            let help = Help::from(format!(
                "a player and a move stand side by side: `{player} {}…`",
                place.word(1)
            ));
            Some(help.with(Fix::remove(place.span(0)?)))
        }
        _ => None,
    }
}

fn is_player(word: &str) -> bool {
    Player::both(Player::word).contains(&word)
}
