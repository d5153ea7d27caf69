//! What `:help` says about the words of the language that are no names: keywords, and the fields and values of rules.

use crate::rules::FIELDS;

/// What each keyword begins or joins, with an example.
const KEYWORDS: &[(&str, &str, &str)] = &[
    ("after", "the position after some moves", "tictactoe after [alice place(1, 1)]"),
    ("alice", "the player Alice, also written left and red", "alice"),
    ("and", "both conditions hold", "1 < 2 and 2 < 3"),
    ("at", "the game from another position, written as positions print", "tictactoe at \"A../.B./...\""),
    ("blue", "the player Bob", "blue == bob"),
    ("bob", "the player Bob, also written right and blue", "bob"),
    (
        "check",
        "a condition that must hold; if it does not, both sides are shown and the run goes on",
        "check R(E) == 1/2",
    ),
    ("else", "what a condition's failure gives", "if 1 < 2 then A else B"),
    ("false", "the condition that never holds", "not false"),
    ("for", "takes each element of a list in turn", "[f(A^n, 8) for n in 1..4]"),
    ("game", "defines a game: an expression, a graph, or rules of play", "game race = A^2 ∧ B^3"),
    ("graph", "a game as an explicit graph", "graph { start 0; both 0 -> A, B }"),
    ("if", "chooses by a condition; keeps elements that satisfy one", "if 1 < 2 then A else B"),
    ("in", "joins a variable to its list or its body; membership in a list", "let x = A^2 in x ∧ B"),
    ("left", "the player Alice; the left side of a board", "left == alice"),
    ("let", "defines a value or a function", "let c(n) = (2^(n-1) + 1) / 2^n"),
    ("not", "the condition does not hold", "not (1 == 2)"),
    ("or", "one of the conditions holds", "1 == 2 or 2 == 2"),
    ("red", "the player Alice", "red == alice"),
    ("right", "the player Bob; the right side of a board", "right == bob"),
    ("rules", "names rules", "rules family { ties: make_it_take_it }"),
    ("show", "prints an expression with its value; tests compare it with a snapshot", "show f(E, 0..7)"),
    ("test", "a named group of statements with a snapshot of its own", "test \"Figure 1\" { show R(E) }"),
    ("then", "what a condition gives if it holds", "if 1 < 2 then A else B"),
    ("true", "the condition that always holds", "true"),
    ("use", "brings in what a file defines", "use \"games/classics.bid\""),
    ("using", "other rules: for one expression, or for the rest of the file", "f(E, 5) using { ties: marker }"),
];

/// What each field of rules is about.
const FIELD_MEANINGS: &[(&str, &str)] = &[
    ("pay", "who pays after a bid, and to whom"),
    ("bids", "what may be bid in games of chips"),
    ("ties", "who wins a tied bid"),
    ("winner", "what the winner of a bid wins"),
    ("draws", "what a draw is worth where one number is asked for"),
    ("objective", "what the players want of play that does not end, under real-valued bidding"),
    ("solver", "the algorithm; the answer never depends on it"),
    ("precision", "a number: how far apart the proved bounds of a value that is not exact may be, 1e-12 by default"),
];

/// What each value of a field means.
const VALUE_MEANINGS: &[(&str, &str, &str)] = &[
    ("pay", "richman", "the winner pays the loser"),
    ("pay", "poorman", "the winner pays the bank"),
    ("pay", "taxman", "taxman(t): the winner pays the part t to the bank, the rest to the loser"),
    ("pay", "all_pay", "both pay their bids, to each other"),
    ("pay", "all_pay_bank", "both pay their bids to the bank"),
    ("objective", "reachability", "nothing: it is a draw, and only endings are won"),
    ("objective", "buchi", "Alice wins if she comes again and again to positions of the lines `accepting: x, y`"),
    ("objective", "parity", "Alice wins if the greatest `priority 2: x` that comes again and again is even"),
    (
        "objective",
        "mean_payoff",
        "Alice wins if the weights (`weight 1: x`, `both x -> y weight 1`) have a positive mean; 0 is a draw",
    ),
    ("bids", "discrete", "whole chips"),
    ("bids", "real", "any amount; R is always about these"),
    ("ties", "advantage", "the holder of the advantage may use it to win the tie, and then passes it"),
    ("ties", "marker", "the holder of the marker must use it, wins the tie and passes it"),
    ("ties", "make_it_take_it", "the winner of the last bid wins ties"),
    ("ties", "losers_ball", "the loser of the last bid wins ties"),
    ("ties", "ladies_first", "Alice wins ties"),
    ("ties", "gentlemen_first", "Bob wins ties"),
    ("ties", "richer", "the player with more chips wins ties, Alice when equal"),
    ("ties", "coin", "a fair coin decides"),
    ("winner", "chooses", "to decide who makes the next move"),
    ("winner", "moves", "to make the next move, like it or not"),
    ("draws", "neither", "not won, for either player"),
    ("draws", "alice", "won by Alice"),
    ("draws", "bob", "won by Bob"),
    ("draws", "half", "half a win for each"),
    ("solver", "auto", "the fastest that applies"),
    ("solver", "acyclic", "backward over a graph without cycles"),
    ("solver", "strategy_improvement", "strategy improvement on each component, exact"),
    ("solver", "path_slopes", "R of undirected graphs: path by path, the steepest first (Arun, Theorem 2.6)"),
    (
        "solver",
        "two_moves",
        "R where there are two moves at most from each position: one linear system (Arun, Theorem 2.5)",
    ),
    ("solver", "iteration", "fixed points by iteration; for R, proved bounds that close in from both sides"),
    ("solver", "exact", "all-pay in exact rationals, whatever the total"),
    ("solver", "toeplitz", "all-pay by the structure of its matrices, by linear programs where that proves too little"),
    ("solver", "linear_program", "all-pay by linear programming, certified"),
];

/// What `:help` prints for a word of the language that is no name.
pub(super) fn help(word: &str) -> Option<String> {
    keyword(word).or_else(|| field(word)).or_else(|| value(word))
}

fn keyword(word: &str) -> Option<String> {
    let (_, meaning, example) = KEYWORDS.iter().find(|(keyword, ..)| *keyword == word)?;
    Some(format!("{word}\n\n{meaning}\n\n{example}"))
}

fn field(word: &str) -> Option<String> {
    let (field, values) = FIELDS.iter().find(|(field, _)| *field == word)?;
    let (_, about) = FIELD_MEANINGS.iter().find(|(name, _)| name == field)?;
    let lines = values.iter().map(|value| format!("  {value:22}{}", meaning(field, value)));
    if values.is_empty() {
        return Some(format!("{word}: …\n\n{about}"));
    }
    Some(format!("{word}: …\n\n{about}; the first is the default\n\n{}", lines.collect::<Vec<_>>().join("\n")))
}

fn value(word: &str) -> Option<String> {
    let (field, ..) = VALUE_MEANINGS.iter().find(|(_, value, _)| *value == word)?;
    Some(format!("{field}: {word}\n\n{}", meaning(field, word)))
}

fn meaning(field: &str, value: &str) -> &'static str {
    let found = VALUE_MEANINGS.iter().find(|(name, word, _)| *name == field && *word == value);
    found.map_or("", |(_, _, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_without_help() {
        for keyword in crate::syntax::KEYWORDS {
            assert!(help(keyword).is_some_and(|text| text.starts_with(keyword)), "{keyword}");
        }
        for (field, values) in FIELDS {
            assert!(help(field).is_some_and(|text| text.starts_with(&format!("{field}: …"))), "{field}");
            for value in *values {
                assert!(!meaning(field, value).is_empty(), "{field}: {value}");
                assert!(help(value).is_some(), "{value}");
            }
        }
    }

    #[test]
    fn every_example_parses() {
        let mut sources = crate::source::SourceMap::default();
        for (keyword, _, example) in KEYWORDS {
            let id = sources.add(*keyword, *example);
            assert!(crate::syntax::parse(&sources, id).diagnostics.is_empty(), "{example}");
        }
    }
}
