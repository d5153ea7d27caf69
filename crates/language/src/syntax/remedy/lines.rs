//! Remedies for errors in statements and in the lines of graphs, rulesets and moves.

use super::other_name_of_player;
use crate::diagnostic::{Fix, Help, did_you_mean};
use crate::source::Span;
use crate::syntax::layout::Holds;
use crate::syntax::place::Place;
use crate::syntax::syntax_error::Expected;
use crate::syntax::token::TokenKind;
use crate::syntax::vocabulary::{WordClass, of_class};

/// Handles a REPL command outside the REPL, as `:help R`.
pub(super) fn command(place: &Place, _: &Expected) -> Option<Help> {
    let (line, _) = place.line();
    (place.at == line.start && place.word(0) == ":")
        .then(|| "commands like `:help` belong to the REPL: start it with `bid repl`".into())
}

/// Handles an import by another keyword than `use`, as `import "x.bid"`.
pub(super) fn imported(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let is_import = matches!(place.word(-1), "import" | "include" | "load" | "require");
    let keyword = place.span(-1).filter(|_| {
        is_import && place.at == line.start + 1 && matches!(block, None | Some(Holds::Statements))
    })?;
    match place.token()?.kind {
        TokenKind::String => Some(
            Help::from(format!("a file is brought in by `use {}`", place.word(0)))
                .with(Fix::replace(keyword, "use")),
        ),
        TokenKind::Word => {
            Some("a file is brought in by its path, as in `use \"games/classics.bid\"`".into())
        }
        _ => None,
    }
}

/// Handles the state of a ruleset as other languages declare variables: `state x: int = 3`,
/// `state x, y = 1, 2`, `state x = 1, y = 2`, and `state x` alone.
pub(super) fn state(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let is_state_line =
        place.tokens.get(line.start)?.text(place.text) == "state" && block == Some(Holds::Ruleset);
    if is_state_line && place.at > line.start + 3 && place.word(0) == "," {
        let next = place.word(1);
        let help = Help::from(format!(
            "each variable has a line of its own: `state {next} = …`"
        ));
        let comma = place.span(0)?;
        return Some(help.with(Fix::replace(comma, "\n    state")));
    }
    let is_state = is_state_line && place.at == line.start + 2 && expected.token("=");
    let name = place.word(-1);
    match place.word(0) {
        ":" if is_state => {
            let help = Help::from(format!(
                "its first value says what it holds: `state {name} = …`"
            ));
            let equals = place.tokens[place.at..line.end]
                .iter()
                .position(|token| token.text(place.text) == "=");
            Some(
                match equals.and_then(|at| place.span(at.cast_signed() - 1)) {
                    Some(last) => {
                        help.with(Fix::remove(place.span(0)?.to(last)).titled("remove the type"))
                    }
                    None => help,
                },
            )
        }
        "," if is_state => {
            Some(format!("each variable has a line of its own: `state {name} = …`").into())
        }
        "" | "\n" | ";" | "}" if is_state => {
            Some(format!("a variable has a first value: `state {name} = …`").into())
        }
        _ => None,
    }
}

/// Handles rules without a name, as `rules { pay: poorman }`.
pub(super) fn unnamed_rules(place: &Place, expected: &Expected) -> Option<Help> {
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
pub(super) fn ruleset_with_equals(place: &Place, _: &Expected) -> Option<Help> {
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
        // The lines of the game usually begin on the line after the brace.
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

/// Handles a move with another name of a player as its own, as in `move left { … }`.
pub(super) fn player_as_move(place: &Place, _: &Expected) -> Option<Help> {
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
pub(super) fn line_start(place: &Place, _: &Expected) -> Option<Help> {
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
    if block == Some(Holds::Ruleset) && matches!(word, "alice" | "bob") {
        return Some(
            format!("a move of one player alone is written `move {word} step {{ … }}`").into(),
        );
    }
    if block == Some(Holds::Ruleset) && matches!(place.word(1), "(" | "for" | "{") {
        let help = Help::from(format!("a move is written `move {word}`"));
        return Some(help.with(Fix::before(span, "move ")));
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

/// Returns `true` if a line has one of some words or signs.
pub(super) fn has(place: &Place, line: &std::ops::Range<usize>, words: &[&str]) -> bool {
    place.tokens[line.clone()]
        .iter()
        .any(|token| words.contains(&token.text(place.text)))
}

pub(super) fn missing_quotes(place: &Place, _: &Expected) -> Option<Help> {
    let token = place
        .token()
        .filter(|token| token.kind == TokenKind::Word)?;
    let word = token.text(place.text);
    match place.word(-1) {
        keyword @ ("use" | "test") => {
            // Only a `.bid` file can be used, and a dot is no part of a word.
            let end = if keyword == "use" { ".bid" } else { "" };
            let quoted = format!("\"{word}{end}\"");
            let help = Help::from(format!("write `{keyword} {quoted}`"));
            Some(help.with(Fix::replace(place.span(0)?, quoted)))
        }
        _ => None,
    }
}

/// Handles a comma too many, as in `[1, , 2]`.
pub(super) fn doubled_comma(place: &Place, _: &Expected) -> Option<Help> {
    let comma = place
        .span(0)
        .filter(|_| place.word(0) == "," && place.word(-1) == ",")?;
    Some(Help::from("leave out one of the commas").with(Fix::remove(comma)))
}

/// Handles several values in one statement, as in `show 1, 2`.
pub(super) fn second_value(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let start = place.tokens.get(line.start)?;
    let first = start.text(place.text);
    let is_value = matches!(first, "show" | "check")
        && matches!(block, None | Some(Holds::Statements))
        && place.bracket().is_none_or(|open| open.start < start.start);
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

/// Handles a line of a move that is not an update, as `n == 3` or `foo(n)`.
pub(super) fn update(place: &Place, expected: &Expected) -> Option<Help> {
    if place.line().1 != Some(Holds::Updates) || !expected.token("+=") {
        return None;
    }
    Some(match place.word(0) {
        "==" => Help::from("to assign, write `=`").with(Fix::replace(place.span(0)?, "=")),
        _ => "an update is `x = …`, `x += …`, `x -= …`, `drop(board, column, …)`, `score …` or `if … { … }`".into(),
    })
}

/// Handles mistakes in a line of a graph, as `win x`, `alice 0 - 1`, or two arrows.
pub(super) fn graph_line(place: &Place, expected: &Expected) -> Option<Help> {
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
        ("start", ":") => {
            let help = Help::from("write `start 0`, without a colon");
            Some(help.with(Fix::replace(place.span(0)?, "")))
        }
        ("start", ",") => {
            let help = Help::from("the lines of a graph are separated by `;` or by ends of lines");
            Some(help.with(Fix::replace(place.span(0)?, ";")))
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
pub(super) fn ending(place: &Place, expected: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    if block != Some(Holds::Ruleset) || !expected.token("if") {
        return None;
    }
    let word = place.tokens.get(line.start)?.text(place.text);
    if word == "turn" {
        return Some("a `turn` line has a condition: `turn alice if …`".into());
    }
    if word == "income" {
        return Some("an `income` line has a condition: `income alice 1/8 if …`".into());
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
pub(super) fn symmetry(place: &Place, _: &Expected) -> Option<Help> {
    // The grammar fails at the bracket, because a name alone may follow the word.
    let known = place.word(-2) == "symmetry" && place.word(0) == "(";
    known.then(|| {
        "it is written `symmetry board`, `symmetry mirror(board)` or `symmetry rotate(board)`"
            .into()
    })
}

/// Handles a part of a variable where only a whole one may stand, as in `symmetry b[1]`.
pub(super) fn part_of_variable(place: &Place, _: &Expected) -> Option<Help> {
    let is_argument = place.word(-2) == "(";
    let named = (place.word(-2) == "symmetry")
        || (is_argument && (place.word(-3) == "drop" || place.word(-4) == "symmetry"));
    (named && place.word(0) == "[").then(|| {
        "only a whole state variable can be named here: keep the board in a variable of its own"
            .into()
    })
}

/// Handles an arrow without a head, as in `alice 0 ->`.
pub(super) fn dangling_arrow(place: &Place, _: &Expected) -> Option<Help> {
    matches!(place.word(-1), "->" | "<->")
        .then(|| "write where the edge leads: `alice 0 -> 1`".into())
}

/// Handles a misspelt keyword at the start of a statement, as in `chek R(G) == 1/2`.
pub(super) fn misspelt_statement(place: &Place, _: &Expected) -> Option<Help> {
    let (line, block) = place.line();
    let first = place
        .tokens
        .get(line.start)
        .filter(|token| token.kind == TokenKind::Word)?;
    if place.at != line.start + 1 || !matches!(block, None | Some(Holds::Statements)) {
        return None;
    }
    // Other languages define functions and variables with these.
    const DEFINING: [&str; 6] = ["const", "def", "fn", "func", "function", "var"];
    if DEFINING.contains(&first.text(place.text)) {
        let fix = Fix::replace(place.span(-1)?, "let");
        return Some(
            Help::from("a definition is written `let name = …`, `let f(x) = …`").with(fix),
        );
    }
    let near = did_you_mean(first.text(place.text), starts(block).iter().copied())?;
    Some(Help::did_you_mean(place.word(-1), near, place.span(-1)?))
}

/// Handles two block lines on one line, as in `state x = 0  move take { … }`.
pub(super) fn second_line(place: &Place, expected: &Expected) -> Option<Help> {
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
