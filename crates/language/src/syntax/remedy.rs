//! Remedies for common syntax errors. Each remedy examines the tokens around the error.

use super::layout::{Holds, ends_operand};
use super::place::Place;
use super::syntax_error::Expected;
use super::token::{Token, TokenKind};
use super::vocabulary::{WordClass, is_keyword, of_class};
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
    let fix = Fix::before(span, "let ").and(Fix::replace(place.span(0)?, "="));
    Some(
        Diagnostic::new(Code::BareDefinition, "a definition needs `let` or `game`")
            .label(
                span,
                format!(
                    "`{}` is defined here without a keyword",
                    name.text(place.text)
                ),
            )
            .help(Help::from(format!("write `let {head} = {body}`")).with(fix)),
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
    const REMEDIES: [fn(&Place, &Expected) -> Option<Help>; 29] = [
        command,
        imported,
        unnamed_rules,
        ruleset_with_equals,
        second_variable,
        player_as_move,
        line_start,
        update,
        equals,
        other_languages,
        graph_line,
        ending,
        symmetry,
        star_of_variable,
        second_line,
        misspelt_word,
        keyword_as_name,
        missing_quotes,
        missing_player,
        second_value,
        missing_bar,
        dangling_arrow,
        dangling_operator,
        unfinished_if,
        unfinished_let,
        stray_for,
        misspelt_statement,
        side_by_side,
        empty_brackets,
    ];
    REMEDIES.iter().find_map(|remedy| remedy(place, expected))
}

/// Handles a REPL command outside the REPL, as `:help R`.
fn command(place: &Place, _: &Expected) -> Option<Help> {
    let (line, _) = place.line();
    (place.at == line.start && place.word(0) == ":")
        .then(|| "commands like `:help` belong to the REPL: start it with `bid repl`".into())
}

/// Handles an import by another keyword than `use`, as `import "x.bid"`.
fn imported(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let is_path = place.token()?.kind == TokenKind::String && place.at == line.start + 1;
    let is_import = matches!(place.word(-1), "import" | "include" | "load" | "require");
    let keyword = place
        .span(-1)
        .filter(|_| is_path && is_import && matches!(block, None | Some(Holds::Statements)))?;
    Some(
        Help::from(format!("a file is brought in by `use {}`", place.word(0)))
            .with(Fix::replace(keyword, "use")),
    )
}

/// Handles rules without a name, as `rules { pay: poorman }`.
fn unnamed_rules(place: &Place, expected: &Expected) -> Option<Help> {
    let is_unnamed = place.word(-1) == "rules" && place.word(0) == "{" && expected.is_name();
    let keyword = place.span(-1).filter(|_| is_unnamed)?;
    let help = Help::from(
        "`using { … }` sets the rules of the lines below; `rules family { … }` gives rules a name",
    );
    Some(
        help.with(Fix::replace(keyword, "using"))
            .with(Fix::after(keyword, " family")),
    )
}

/// Handles a ruleset with `=` before its lines, as `game row = { state n = 3 … }`.
fn ruleset_with_equals(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let tokens = &place.tokens[line.start..place.at.min(place.tokens.len())];
    if tokens.first()?.text(place.text) != "game"
        || !matches!(block, None | Some(Holds::Statements))
    {
        return None;
    }
    let at = tokens
        .iter()
        .position(|token| token.text(place.text) == "=")?;
    let mut after = tokens[at + 1..]
        .iter()
        .filter(|token| token.kind != TokenKind::Newline);
    let opens = after.next()?.text(place.text) == "{";
    let is_line = matches!(
        after.next()?.text(place.text),
        "state" | "move" | "let" | "win"
    );
    let head = &place.text[tokens[0].start as usize..tokens[at - 1].end as usize];
    let equals = Span {
        source: place.source,
        start: tokens[at - 1].end,
        end: tokens[at].end,
    };
    (opens && is_line).then(|| {
        Help::from(format!(
            "drop the `=`: a game given by its rules is written `{head} {{ state … }}`"
        ))
        .with(Fix::remove(equals).titled("drop the `=`"))
    })
}

/// Handles a second variable after a comma, as in `[i + j for i in 0..1, j in 0..2]`.
fn second_variable(place: &Place, _: &Expected) -> Option<Help> {
    if place.word(0) != "," || place.word(2) != "in" {
        return None;
    }
    let mut depth = 0_usize;
    let is_clause = place.tokens[..place.at]
        .iter()
        .rev()
        .take_while(|token| {
            match token.kind {
                TokenKind::Close => depth += 1,
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

/// Returns the player that a word with another first meaning stands for.
fn other_name_of_player(word: &str) -> Option<&'static str> {
    match word {
        "left" | "red" => Some("Alice"),
        "right" | "blue" => Some("Bob"),
        _ => None,
    }
}

/// Handles a move with another name of a player as its own, as in `move left { … }`.
fn player_as_move(place: &Place, _: &Expected) -> Option<Help> {
    let (word, at) = match place.word(-1) {
        "move" => (place.word(0), 0),
        word => (word, -1),
    };
    let before = place.word(at - 1);
    let player = other_name_of_player(word).filter(|_| before == "move")?;
    let help = Help::from(format!(
        "`{word}` is another name of {player}, and `move {word} step` is {player}'s move `step`; call the move `go_{word}`, say"
    ));
    Some(help.with(Fix::replace(place.span(at)?, format!("go_{word}"))))
}

/// Handles a line that starts with a word or sign with which no line starts.
fn line_start(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let token = place.token().filter(|_| place.at == line.start)?;
    let word = place.word(0);
    let words = starts(block);
    if token.kind == TokenKind::Symbol && matches!(block, None | Some(Holds::Statements)) {
        return Some(format!("to go on with the line above, end that line with `{word}`").into());
    }
    let span = place.span(0)?;
    if let Some(near) =
        did_you_mean(word, words.iter().copied()).filter(|_| token.kind == TokenKind::Word)
    {
        return Some(Help::did_you_mean(word, near, span));
    }
    if block == Some(Holds::Graph) && has(place, &line, &["->", "<->"]) {
        let help = Help::from("say whose edge it is with `alice`, `bob` or `both`");
        return Some(
            ["both ", "alice ", "bob "]
                .into_iter()
                .fold(help, |help, word| help.with(Fix::before(span, word))),
        );
    }
    if block == Some(Holds::Ruleset) && has(place, &line, &["="]) {
        let help =
            Help::from("write `state` before a variable and `let` before a name for a value");
        return Some(
            help.with(Fix::before(span, "state "))
                .with(Fix::before(span, "let ")),
        );
    }
    if matches!(block, None | Some(Holds::Statements)) {
        return None;
    }
    let (last, rest) = words.split_last()?;
    Some(format!("these lines start with `{}` or `{last}`", rest.join("`, `")).into())
}

/// Returns the words that start the lines of a block.
fn starts(block: Option<Holds>) -> Vec<&'static str> {
    let class = match block {
        None | Some(Holds::Statements) => WordClass::Statement,
        Some(Holds::Graph) => WordClass::GraphLine,
        Some(Holds::Ruleset) => WordClass::RulesetLine,
        Some(Holds::Updates | Holds::Parts) => WordClass::Update,
    };
    of_class(class).collect()
}

fn has(place: &Place, line: &std::ops::Range<usize>, words: &[&str]) -> bool {
    place.tokens[line.clone()]
        .iter()
        .any(|token| words.contains(&token.text(place.text)))
}

/// Handles `=` in places where it does not define a name.
fn equals(place: &Place, expected: &Expected) -> Option<Help> {
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
fn other_languages(place: &Place, _: &Expected) -> Option<Help> {
    let operators: &[&str] = match place.word(0) {
        "&&" => &["and"],
        "<>" => &["!="],
        "=<" => &["<="],
        "=>" => &[">=", "->"],
        "**" => &["^"],
        "mod" => &["%"],
        "|" if !place.inside_braces() => &["or"],
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

fn missing_quotes(place: &Place, _: &Expected) -> Option<Help> {
    let token = place
        .token()
        .filter(|token| token.kind == TokenKind::Word)?;
    let word = token.text(place.text);
    match place.word(-1) {
        keyword @ ("use" | "test") => {
            let help = Help::from(format!("write `{keyword} \"{word}\"`"));
            Some(help.with(Fix::replace(place.span(0)?, format!("\"{word}\""))))
        }
        _ => None,
    }
}

/// Handles a move without its player, as in `tictactoe after [place(1, 1)]`.
fn missing_player(place: &Place, expected: &Expected) -> Option<Help> {
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

/// Handles several values in one statement, as in `show 1, 2`.
fn second_value(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let first = place.tokens.get(line.start)?.text(place.text);
    let is_value =
        matches!(first, "show" | "check") && matches!(block, None | Some(Holds::Statements));
    let comma = place.span(0).filter(|_| is_value && place.word(0) == ",")?;
    let help = Help::from(format!(
        "write a second `{first}`, or a tuple in parentheses"
    ));
    let Some(next) = place.span(1) else {
        return Some(help);
    };
    let to_next = Span {
        end: next.start,
        ..comma
    };
    Some(help.with(
        Fix::replace(to_next, format!("\n{first} ")).titled(format!("write a second `{first}`")),
    ))
}

/// Handles a field without its value, as in `using { ties }`, and a game without its bar, as in `{
/// A, B }`.
fn missing_bar(place: &Place, expected: &Expected) -> Option<Help> {
    if place.word(0) == "}" && place.word(-2) == "{" && place.word(-3) == "using" {
        return Some(format!("a field is written with its value: `{}: …`", place.word(-1)).into());
    }
    (place.word(0) == "}" && expected.token("|"))
        .then(|| "a game in braces is written `{ G | H }`: Alice's options, then Bob's".into())
}

/// Handles a line of a move that is not an update, as `n == 3` or `foo(n)`.
fn update(place: &Place, expected: &Expected) -> Option<Help> {
    if place.line().1 != Some(Holds::Updates) || !expected.token("+=") {
        return None;
    }
    Some(match place.word(0) {
        "==" => Help::from("to assign, write `=`").with(Fix::replace(place.span(0)?, "=")),
        _ => "an update is `x = …`, `x += …`, `x -= …`, `drop(board, column, …)`, `score …` or `if … { … }`".into(),
    })
}

/// Handles mistakes in a line of a graph, as `win x`, `alice 0 - 1`, or two arrows.
fn graph_line(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    if block != Some(Holds::Graph) {
        return None;
    }
    match (
        place.tokens.get(line.start)?.text(place.text),
        place.word(0),
    ) {
        ("win", _) if expected.token(":") || place.at == line.start + 1 => {
            Some("write `win alice: x, y`".into())
        }
        ("turn", _) if expected.token(":") || place.at == line.start + 1 => {
            Some("write `turn alice: x, y`".into())
        }
        ("income", found) if expected.token(":") || found == ":" || place.at == line.start + 1 => {
            Some("write `income alice 1/8: x, y`".into())
        }
        (word @ ("draw" | "accepting"), _) if expected.token(":") => {
            let help = Help::from(format!("write `{word}: x, y`"));
            Some(help.with(Fix::after(place.span(-1)?, ":")))
        }
        (word @ ("priority" | "weight" | "score"), found)
            if expected.token(":") || found == ":" =>
        {
            Some(format!("write `{word} 1: x, y`").into())
        }
        (_, "->" | "<->") => Some(
            "a line has one arrow; one that ends with an arrow goes on with the next line".into(),
        ),
        _ if expected.token("->") => Some("an edge has an arrow: `alice 0 -> 1`".into()),
        _ => None,
    }
}

/// Handles the form of graph lines in a ruleset, as `win alice: x`, and an ending without `if`, as
/// `draw full(board)`.
fn ending(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    if block != Some(Holds::Ruleset) || !expected.token("if") {
        return None;
    }
    let word = place.tokens.get(line.start)?.text(place.text);
    if word == "turn" {
        return Some("a line of turns has a condition: `turn alice if …`".into());
    }
    if word == "income" {
        return Some("a line of income has a condition: `income alice 1/8 if …`".into());
    }
    let subject = match word {
        "win" => " me",
        "score" => " …",
        "draw" => "",
        _ => return None,
    };
    Some(format!("an ending has a condition: `{word}{subject} if …`").into())
}

/// Handles an unknown symmetry, as in `symmetry flip(board)`.
fn symmetry(place: &Place, _: &Expected) -> Option<Help> {
    let known = place.word(-2) == "symmetry" && place.word(0) == "(";
    known.then(|| {
        "it is written `symmetry board`, `symmetry mirror(board)` or `symmetry rotate(board)`"
            .into()
    })
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
        .filter(|word| word.starts_with(char::is_alphabetic));
    let near = did_you_mean(token.text(place.text), words)?;
    Some(Help::did_you_mean(
        token.text(place.text),
        near,
        place.span(0)?,
    ))
}

/// Handles an arrow without a head, as in `alice 0 ->`.
fn dangling_arrow(place: &Place, _: &Expected) -> Option<Help> {
    matches!(place.word(-1), "->" | "<->")
        .then(|| "write where the edge leads: `alice 0 -> 1`".into())
}

/// Handles a star behind a variable, as in `f(G, n*)`.
fn star_of_variable(place: &Place, expected: &Expected) -> Option<Help> {
    let (star, before) = (place.span(-1)?, place.span(-2)?);
    let operand = *place.tokens.get(place.at.checked_sub(2)?)?;
    let is_operand = matches!(operand.kind, TokenKind::Word | TokenKind::Close)
        && ends_operand(operand, place.text);
    if place.word(-1) != "*" || !expected.expression || !is_operand || before.end != star.start {
        return None;
    }
    let chips = match operand.kind {
        TokenKind::Word => format!("{} + 0*", place.word(-2)),
        _ => "… + 0*".to_owned(),
    };
    let help = Help::from(format!(
        "only a number takes the star of the tie-breaking advantage, as in `4*`; of other chips it is said by `{chips}`"
    ));
    Some(help.with(Fix::replace(star, " + 0*").titled(format!("write `{chips}`"))))
}

/// Handles an operator without its right operand.
fn dangling_operator(place: &Place, expected: &Expected) -> Option<Help> {
    let before = place.tokens.get(place.at.checked_sub(1)?)?;
    let operator = before.text(place.text);
    let ends = place
        .token()
        .is_none_or(|token| token.kind == TokenKind::Newline || token.kind == TokenKind::Close);
    if !ends
        || !expected.expression
        || before.kind != TokenKind::Symbol
        || matches!(operator, "," | ":" | "|" | "=")
    {
        return None;
    }
    let help = Help::from(format!(
        "write what stands after `{operator}`, or remove it"
    ));
    Some(help.with(Fix::remove(place.span(-1)?).titled(format!("remove `{operator}`"))))
}

fn unfinished_if(_: &Place, expected: &Expected) -> Option<Help> {
    (expected.token("then") || expected.token("else"))
        .then(|| "as an expression it is written `if … then … else …`".into())
}

/// Handles a `let` expression without `in`, as in `show let x = 3`.
fn unfinished_let(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, _) = place.line();
    let inner = place
        .tokens
        .get(line.start + 1..place.at)?
        .iter()
        .any(|token| token.text(place.text) == "let");
    (inner && expected.token("in"))
        .then(|| "as an expression it is written `let … = … in …`".into())
}

/// Handles a `for` outside of a list, as in `show f(k) for k in 1..4`.
fn stray_for(place: &Place, _: &Expected) -> Option<Help> {
    (place.word(0) == "for").then(|| "collect the values in a list: `[… for x in xs]`".into())
}

/// Handles a misspelt keyword at the start of a statement, as in `chek R(G) == 1/2`.
fn misspelt_statement(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let first = place
        .tokens
        .get(line.start)
        .filter(|token| token.kind == TokenKind::Word)?;
    if place.at != line.start + 1 || !matches!(block, None | Some(Holds::Statements)) {
        return None;
    }
    let near = did_you_mean(first.text(place.text), starts(block).iter().copied())?;
    Some(Help::did_you_mean(place.word(-1), near, place.span(-1)?))
}

/// Handles two block lines on one line, as in `state x = 0  move take { … }`.
fn second_line(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let word = place.word(0);
    let can_end = expected.operator || expected.thing("the end of the line");
    if place.at == line.start || !can_end || !starts(block).contains(&word) {
        return None;
    }
    let help = Help::from(format!(
        "`{word}` starts a line of its own; on one line a `;` separates it from what stands before it"
    ));
    Some(
        help.with(
            Fix::replace(place.gap()?, "\n").titled(format!("start a new line with `{word}`")),
        ),
    )
}

/// Handles two operands with nothing between them.
fn side_by_side(place: &Place, expected: &Expected) -> Option<Help> {
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
    Some(match (before.kind, token.kind) {
        (_, TokenKind::String) => Help::from(format!("a position is written `G at {right}`"))
            .with(Fix::replace(gap, " at ").titled("add `at`")),
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

fn empty_brackets(place: &Place, expected: &Expected) -> Option<Help> {
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
