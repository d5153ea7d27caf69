//! The table of words: every keyword, constant and operator with its meaning and an example.
//!
//! The list of reserved words, the colours of a line, completion and `:help` are derived from it.
//! Tests compare it with the literals of `grammar/bid.pest` and with the page of the language, and
//! run the examples. The fields and values of rules have a table of their own
//! ([`crate::rules::FIELDS`]), and so have the builtin functions.

/// A table of words: the spellings and the class of each, its meaning, and an example with its
/// output.
macro_rules! words {
    ($($($spelling:literal)+ $class:ident: $meaning:literal, $example:literal => $prints:literal;)*) => {
        &[$(Word {
            spellings: &[$($spelling),+],
            class: $class,
            meaning: $meaning,
            example: $example,
            prints: $prints,
        }),*]
    };
}

mod expressions;
mod lines;
mod operators;

/// A word in one of its uses. A word with several uses has several entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The spellings. The first one is canonical.
    pub spellings: &'static [&'static str],
    /// The class of the word in this use.
    pub class: WordClass,
    /// The meaning, in a sentence or two.
    pub meaning: &'static str,
    /// A program that uses it.
    pub example: &'static str,
    /// The output of that program.
    pub prints: &'static str,
}

/// The role of a word in the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordClass {
    /// It begins a statement.
    Statement,
    /// It begins or joins a part of an expression.
    Expression,
    /// It stands before an operand or between two.
    Operator,
    /// It names a player.
    Player,
    /// It names a value, unless a definition hides it.
    Constant,
    /// It names a player inside a ruleset: the player who moves, or the opponent.
    Mover,
    /// It begins a line of a graph.
    GraphLine,
    /// It stands inside a line of a graph.
    GraphPart,
    /// It begins a line of a ruleset.
    RulesetLine,
    /// It stands inside a line of a ruleset.
    RulesetPart,
    /// It begins an update in a move.
    Update,
}

impl WordClass {
    /// Returns `true` if a word of this class can never be a name.
    pub const fn is_reserved(self) -> bool {
        match self {
            Self::Statement | Self::Expression | Self::Operator | Self::Player => true,
            Self::Constant | Self::Mover | Self::GraphLine | Self::GraphPart => false,
            Self::RulesetLine | Self::RulesetPart | Self::Update => false,
        }
    }

    /// Returns `true` if a word of this class begins a line between braces.
    pub const fn begins_line(self) -> bool {
        match self {
            Self::GraphLine | Self::RulesetLine | Self::Update => true,
            Self::Statement | Self::Expression | Self::Operator | Self::Player => false,
            Self::Constant | Self::Mover | Self::GraphPart | Self::RulesetPart => false,
        }
    }

    /// Returns the name of the class in `:help`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Statement => "a statement",
            Self::Expression => "a word of expressions",
            Self::Operator => "an operator",
            Self::Player => "a player",
            Self::Constant => "a constant",
            Self::Mover => "a player, inside a ruleset",
            Self::GraphLine => "a line of a graph",
            Self::GraphPart => "a part of a graph's line",
            Self::RulesetLine => "a line of a ruleset",
            Self::RulesetPart => "a part of a ruleset's line",
            Self::Update => "an update in a move of a ruleset",
        }
    }
}

impl Word {
    /// Returns `true` if the word is written with letters.
    pub fn is_alphabetic(&self) -> bool {
        self.spellings[0].starts_with(char::is_alphabetic)
    }
}

const TABLES: [&[Word]; 6] = [
    expressions::STATEMENTS,
    expressions::EXPRESSIONS,
    operators::OPERATORS,
    expressions::CONSTANTS,
    lines::GRAPH,
    lines::RULESET,
];

/// Returns all entries.
pub fn words() -> impl Iterator<Item = &'static Word> {
    TABLES.iter().copied().flatten()
}

/// Returns the entries of a word, one for each of its uses.
pub fn uses(word: &str) -> impl Iterator<Item = &'static Word> {
    words().filter(move |entry| entry.spellings.contains(&word))
}

/// Returns the words that cannot be names. One with several uses occurs several times.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    let reserved = words().filter(|word| word.class.is_reserved() && word.is_alphabetic());
    reserved.flat_map(|word| word.spellings.iter().copied())
}

/// Returns `true` if a word cannot be a name.
pub fn is_keyword(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && uses(word).any(|entry| entry.class.is_reserved())
}

/// Returns the names of predefined values, without functions and rules.
pub fn constants() -> impl Iterator<Item = &'static str> {
    of_class(WordClass::Constant)
}

/// Returns the words of a class, in the order of the table.
pub fn of_class(class: WordClass) -> impl Iterator<Item = &'static str> {
    words()
        .filter(move |word| word.class == class)
        .flat_map(|word| word.spellings.iter().copied())
}
