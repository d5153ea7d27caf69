//! Remedies for errors in expressions.

use crate::diagnostic::{Fix, Help};
use crate::rules::FIELDS;
use crate::syntax::layout::{Holds, ends_operand};
use crate::syntax::place::Place;
use crate::syntax::syntax_error::Expected;
use crate::syntax::token::TokenKind;
use crate::syntax::vocabulary::is_keyword;

/// Handles a second variable after a comma, as in `[i + j for i in 0..1, j in 0..2]`, and a tuple
/// of variables without its parentheses, as in `for r, c in cells(board)`.
pub(super) fn second_variable(place: &Place, _: &Expected) -> Option<Help> {
    if place.word(0) != "," || place.word(2) != "in" {
        return None;
    }
    if place.word(-2) == "for" {
        let both = place.span(-1)?.to(place.span(1)?);
        let pair = format!("({}, {})", place.word(-1), place.word(1));
        let help = Help::from(format!(
            "the parts of a tuple stand in parentheses: `for {pair} in …`"
        ));
        return Some(help.with(Fix::replace(both, pair)));
    }
    let mut depth = 0_usize;
    let is_clause = place.tokens[..place.at]
        .iter()
        .rev()
        .take_while(|token| {
            match token.kind {
                TokenKind::Close => depth += 1,
                // A `for` outside of this bracket belongs to another list.
                TokenKind::Open if depth == 0 => return false,
                TokenKind::Open => depth -= 1,
                _ => {}
            }
            true
        })
        .any(|token| token.text(place.text) == "for");
    let comma = place.span(0).filter(|_| is_clause)?;
    let variable = place.word(1);
    Some(
        Help::from(format!(
            "write `for … for …`: each variable has a `for` of its own, here `for {variable} in …`"
        ))
        .with(Fix::replace(comma, " for").titled(format!("write `for {variable} in …`"))),
    )
}

/// Handles `=` in places where it does not define a name.
pub(super) fn equals(place: &Place, expected: &Expected) -> Option<Help> {
    if !matches!(place.word(0), "=" | ":=") {
        return None;
    }
    let span = place.span(0)?;
    let field = matches!(place.word(-2), "{" | ",") && expected.token(":");
    Some(if expected.token("in") && !expected.operator {
        let help = Help::from("`for` goes through a range or a list with `in`: `for i in 1..3`");
        help.with(Fix::replace(span, "in"))
    } else if expected.token("=") {
        Help::from("a definition is written with `=`").with(Fix::replace(span, "="))
    } else if field {
        Help::from("a field is written `name: value`")
            .with(Fix::replace(place.gap()?.to(span), ":"))
    } else {
        Help::from("to compare, write `==`").with(Fix::replace(span, "=="))
    })
}

/// Handles operators of other languages.
pub(super) fn other_languages(place: &Place, _: &Expected) -> Option<Help> {
    let operators: &[&str] = match place.word(0) {
        "&&" => &["and"],
        "<>" => &["!="],
        "=<" => &["<="],
        // This sign may stand for either, so that both are offered.
        "=>" if place.line().1 == Some(Holds::Graph) => &["->"],
        "=>" => &[">=", "->"],
        "**" => &["^"],
        "mod" => &["%"],
        // Between braces the bar separates Alice's options from Bob's.
        // As in the notation of sets.
        "|" if place.word(2) == "in" || [place.word(2), place.word(3)] == ["<", "-"] => {
            let help = Help::from("a list over a range is written `[f(n) for n in 1..5]`");
            return Some(help.with(Fix::replace(place.span(0)?, "for")));
        }
        "|" if !place.inside_braces() => {
            let help = Help::from(
                "write `or` between conditions; the game in which Alice moves to G and Bob to H is `{ G | H }`",
            );
            return Some(help.with(Fix::replace(place.span(0)?, "or")));
        }
        "->" | "<->" if place.line().1 != Some(Holds::Graph) => {
            return Some("edges belong in `graph { … }`".into());
        }
        _ => return None,
    };
    let (help, span) = (
        Help::from(format!("write `{}`", operators.join("` or `"))),
        place.span(0)?,
    );
    Some(operators.iter().fold(help, |help, operator| {
        help.with(Fix::replace(span, *operator))
    }))
}

/// Handles a move without its player, as in `tictactoe after [place(1, 1)]`.
pub(super) fn missing_player(place: &Place, expected: &Expected) -> Option<Help> {
    let word = place
        .token()
        .filter(|token| token.kind == TokenKind::Word)?
        .text(place.text);
    let span = place.span(0).filter(|_| expected.is_player())?;
    let help = Help::from(format!("say who moves: `alice {word}…` or `bob {word}…`"));
    Some(
        help.with(Fix::before(span, "alice "))
            .with(Fix::before(span, "bob ")),
    )
}

/// Handles a field without its value, as in `using { ties }`, and a game without its bar, as in `{
/// A, B }`.
pub(super) fn missing_bar(place: &Place, expected: &Expected) -> Option<Help> {
    if place.word(0) == "}" && place.word(-2) == "{" && place.word(-3) == "using" {
        return Some(format!("a field is written with its value: `{}: …`", place.word(-1)).into());
    }
    (place.word(0) == "}" && expected.token("|"))
        .then(|| "a game in braces is written `{ G | H }`: Alice's options, then Bob's".into())
}

/// Handles rules without their braces, as in `R(G) using pay: poorman`.
pub(super) fn missing_braces(place: &Place, _: &Expected) -> Option<Help> {
    let field = place.word(-1);
    let is_rule = FIELDS.iter().any(|known| known.name == field) && place.word(-2) == "using";
    (place.word(0) == ":" && is_rule)
        .then(|| format!("rules stand in braces: `using {{ {field}: … }}`").into())
}

/// Handles rules in a place where none can stand: before an expression, among the arguments of a call,
/// and inside a game.
pub(super) fn misplaced_rules(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let first = place.tokens.get(line.start)?.text(place.text);
    if first == "using" && place.word(-1) == "}" {
        return Some("the rules of one question stand behind it: `R(G) using { … }`".into());
    }
    if place.word(-1) == "using" && matches!(place.word(-2), "," | "(") {
        return Some(
            "rules stand behind the parenthesis that closes the call: `R(G) using { … }`".into(),
        );
    }
    (place.word(0) == "using" && block == Some(Holds::Ruleset)).then(|| {
        "rules stand outside of a game: `using { … }` on a line before it, or behind a question, `R(G) using { … }`"
            .into()
    })
}

/// Handles the changes of a move without their braces, as in `move take if n > 0  n -= 1`.
pub(super) fn changes_without_braces(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let is_move = place.tokens.get(line.start)?.text(place.text) == "move";
    let is_change = matches!(place.word(1), "=" | "+=" | "-=");
    (block == Some(Holds::Ruleset) && is_move && is_change && expected.token("{")).then(|| {
        let (name, sign) = (place.word(0), place.word(1));
        format!("the changes of a move stand in braces: `{{ {name} {sign} … }}`").into()
    })
}

/// Handles named rules with further ones, as in `R(G) using r { ties: marker }` and `using { r, ties:
/// marker }`.
pub(super) fn further_rules(place: &Place, _: &Expected) -> Option<Help> {
    let words = |offsets: [isize; 2]| offsets.map(|offset| place.word(offset));
    let is_behind = place.word(0) == "{" && place.word(-2) == "using";
    let is_inside = place.word(0) == ":"
        && place.word(-2) == ","
        && words([-5, -4]) == ["using", "{"]
        && FIELDS.iter().any(|known| known.name == place.word(-1));
    let named = match (is_behind, is_inside) {
        (true, _) => place.word(-1),
        (_, true) => place.word(-3),
        (false, false) => return None,
    };
    let help =
        format!("add rules to named ones with a second `using`: `(… using {{ … }}) using {named}`");
    Some(help.into())
}

/// Handles moves without their brackets, as in `tictactoe after alice place(0, 0)`.
pub(super) fn missing_brackets(place: &Place, expected: &Expected) -> Option<Help> {
    (place.word(-1) == "after" && expected.token("["))
        .then(|| "moves stand in brackets: `G after [alice MOVE, bob MOVE]`".into())
}

/// Handles a star behind a variable, as in `f(G, n*)`.
pub(super) fn star_of_variable(place: &Place, expected: &Expected) -> Option<Help> {
    let (star, before) = (place.span(-1)?, place.span(-2)?);
    let operand = *place.tokens.get(place.at.checked_sub(2)?)?;
    let is_operand = matches!(operand.kind, TokenKind::Word | TokenKind::Close)
        // A word that is an operator is not multiplied.
        && ends_operand(operand, place.text);
    if place.word(-1) != "*" || !expected.expression || !is_operand || before.end != star.start {
        return None;
    }
    let chips = match operand.kind {
        TokenKind::Word => format!("{} + 0*", place.word(-2)),
        _ => "… + 0*".to_owned(),
    };
    let help = Help::from(format!(
        "only a number takes the star of the tie-breaking advantage, as in `4*`; here write `{chips}`"
    ));
    Some(help.with(Fix::replace(star, " + 0*").titled(format!("write `{chips}`"))))
}

/// Handles a star apart from its number or before it, as in `G(4 *, 4)` and `G(*4, 4)`.
pub(super) fn misplaced_star(place: &Place, expected: &Expected) -> Option<Help> {
    let kind = |offset| {
        let index = place.at.checked_add_signed(offset)?;
        place.tokens.get(index).map(|token| token.kind)
    };
    if !expected.expression {
        return None;
    }
    // A star apart from the number may be a multiplication that lacks its left side.
    let is_joined = place
        .span(1)
        .is_some_and(|next| place.span(0).is_some_and(|star| star.end == next.start));
    let (star, number) = match (place.word(-1), place.word(0)) {
        (_, "*") if kind(1) == Some(TokenKind::Number) && is_joined => (0, 1),
        ("*", "," | ")") if kind(-2) == Some(TokenKind::Number) => (-1, -2),
        _ => return None,
    };
    let chips = place.word(number);
    if !chips.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(
            "only a whole number takes the star of the tie-breaking advantage, as in `4*`".into(),
        );
    }
    let (one, other) = (place.span(star)?, place.span(number)?);
    let both = if star < number {
        one.to(other)
    } else {
        other.to(one)
    };
    let help = Help::from(format!(
        "the star of the tie-breaking advantage stands directly behind the number: `{chips}*`"
    ));
    Some(help.with(Fix::replace(both, format!("{chips}*"))))
}

/// Handles an operator without its right operand.
pub(super) fn dangling_operator(place: &Place, expected: &Expected) -> Option<Help> {
    let before = place.tokens.get(place.at.checked_sub(1)?)?;
    let operator = before.text(place.text);
    let ends = place
        .token()
        .is_none_or(|token| token.kind == TokenKind::Newline || token.kind == TokenKind::Close);
    if !ends
        || !expected.expression
        || before.kind != TokenKind::Symbol
        // After these signs something is missing, but they are no operators.
        || matches!(operator, "," | ":" | "|" | "=")
    {
        return None;
    }
    let help = Help::from(format!(
        "write what stands after `{operator}`, or remove it"
    ));
    Some(help.with(Fix::remove(place.span(-1)?).titled(format!("remove `{operator}`"))))
}

/// Handles `if` without one of its parts, or behind a value as in `1 if c else 2`.
pub(super) fn unfinished_if(place: &Place, expected: &Expected) -> Option<Help> {
    let is_behind = place.word(0) == "if" && expected.operator;
    let (line, _) = place.line();
    let later = place.tokens.get(place.at..line.end)?;
    let mut words = later.iter().map(|token| token.text(place.text));
    if is_behind && words.any(|word| word == "for") {
        return Some(
            "a list takes its conditions after the values: `[x for x in xs if x > 2]`".into(),
        );
    }
    (is_behind || expected.token("then") || expected.token("else"))
        .then(|| "as an expression it is written `if … then … else …`".into())
}

/// Handles a `let` expression without `in`, as in `show let x = 3`.
pub(super) fn unfinished_let(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, _) = place.line();
    // The `let` of a definition begins the line, so that only a later one is an expression.
    let inner = place
        .tokens
        .get(line.start + 1..place.at)?
        .iter()
        .any(|token| token.text(place.text) == "let");
    (inner && expected.token("in"))
        .then(|| "as an expression it is written `let … = … in …`".into())
}

/// Handles a `for` outside of a list, as in `show f(k) for k in 1..4`.
pub(super) fn stray_for(place: &Place, _: &Expected) -> Option<Help> {
    if place.word(0) != "for" {
        return None;
    }
    let (line, _) = place.line();
    let before = place.tokens.get(line.start..place.at)?.iter().rev();
    let mut open = 0_usize;
    for token in before {
        match token.text(place.text) {
            ")" | "]" | "}" => open += 1,
            "(" | "[" | "{" if open > 0 => open -= 1,
            // The options of a game in braces are no list.
            "{" => {
                return Some("values are collected in a list, `[… for x in xs]`; moves to each game of a list are edges: `graph { start s; alice s -> G for G in xs; … }`".into());
            }
            "(" | "[" => break,
            _ => {}
        }
    }
    Some("collect the values in a list: `[… for x in xs]`".into())
}

/// Handles two operands with nothing between them.
pub(super) fn side_by_side(place: &Place, expected: &Expected) -> Option<Help> {
    let token = place.token()?;
    let before = place.tokens.get(place.at.checked_sub(1)?)?;
    let starts = matches!(
        token.kind,
        TokenKind::Number | TokenKind::String | TokenKind::Word
    );
    let is_keyword = is_keyword(place.word(0));
    if !expected.operator || !starts || is_keyword || !ends_operand(*before, place.text) {
        return None;
    }
    let (left, right) = (place.word(-1), place.word(0));
    let (gap, first, second) = (place.gap()?, place.span(-1)?, place.span(0)?);
    if left == "print" {
        let help = Help::from(format!("a value is shown by `show {right}…`"));
        return Some(help.with(Fix::replace(first, "show")));
    }
    let product = Fix::replace(gap, " * ").titled("multiply them");
    if let Some(number) = left
        .strip_suffix('*')
        .filter(|_| token.kind != TokenKind::String)
    {
        let help = Help::from(format!(
            "`{left}` is a chip count; a product is written `{number} * {right}`"
        ));
        return Some(help.with(Fix::replace(first, format!("{number} *")).titled("multiply them")));
    }
    if FIELDS.iter().any(|field| field.name == left) && place.inside_braces() {
        let help = Help::from(format!("a rule is written with a colon: `{left}: {right}`"));
        return Some(help.with(Fix::replace(gap, ": ")));
    }
    if matches!(right, "v" | "V" | "vee" | "wedge") && place.span(1).is_some() {
        let help = Help::from("the wedge of two games is written `G ∧ H` or `G /\\ H`");
        return Some(help.with(Fix::replace(second, "∧").titled("write `∧`")));
    }
    Some(match (before.kind, token.kind) {
        (_, TokenKind::String) => Help::from(format!("a position is written `G at {right}`"))
            .with(Fix::replace(gap, " at ").titled("add `at`")),
        _ if expected.token(",") => {
            let comma = Fix::replace(gap, ", ").titled("add a comma");
            let help = Help::from(format!(
                "a comma separates them: `{left}, {right}`; a product is written `{left} * {right}`"
            ));
            help.with(comma).with(product)
        }
        (TokenKind::Word, _) => {
            let call = Fix::replace(gap, "(")
                .and(Fix::after(second, ")"))
                .titled(format!("call `{left}`"));
            let help = Help::from(format!(
                "a product is written `{left} * {right}`, a call `{left}({right})`"
            ));
            help.with(product).with(call)
        }
        (TokenKind::Number, _) => {
            Help::from(format!("a product is written `{left} * {right}`")).with(product)
        }
        _ => Help::from(format!("a product is written `… * {right}`")).with(product),
    })
}

pub(super) fn empty_brackets(place: &Place, expected: &Expected) -> Option<Help> {
    match (place.word(-1), place.word(0)) {
        ("(", ")") if expected.expression => {
            Some("parentheses hold an expression or a tuple".into())
        }
        (",", ")") if expected.expression => {
            Some("a tuple has two elements or more, and no comma at its end".into())
        }
        _ => None,
    }
}
