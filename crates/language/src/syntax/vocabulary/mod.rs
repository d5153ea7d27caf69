//! The table of words: every keyword, constant and operator with what it means and an example.
//!
//! The list of reserved words, the colours of a line, completion and `:help` come from it. Tests
//! compare it with the literals of `grammar/bid.pest`, with the page of the language, and run the
//! examples. The fields and values of rules have a table of their own ([`crate::rules::FIELDS`]),
//! and so have the builtin functions.

mod expressions;
mod lines;
mod operators;

/// A word in one of its uses: a word with several uses has several entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// How it is written; the first spelling is the canonical one.
    pub spellings: &'static [&'static str],
    /// What it is in this use.
    pub class: WordClass,
    /// What it means, in a sentence or two.
    pub meaning: &'static str,
    /// A program that uses it.
    pub example: &'static str,
    /// What the program prints.
    pub prints: &'static str,
}

/// What a word is.
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
    /// It names a player inside a ruleset: who moves, or the opponent.
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
    /// Whether a word of this class can never be a name.
    pub const fn is_reserved(self) -> bool {
        match self {
            Self::Statement | Self::Expression | Self::Operator | Self::Player => true,
            Self::Constant | Self::Mover | Self::GraphLine | Self::GraphPart => false,
            Self::RulesetLine | Self::RulesetPart | Self::Update => false,
        }
    }

    /// Whether a word of this class begins a line between braces.
    pub const fn begins_line(self) -> bool {
        match self {
            Self::GraphLine | Self::RulesetLine | Self::Update => true,
            Self::Statement | Self::Expression | Self::Operator | Self::Player => false,
            Self::Constant | Self::Mover | Self::GraphPart | Self::RulesetPart => false,
        }
    }

    /// What `:help` calls it.
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
    /// A word with one spelling, whose example prints something.
    const fn new(
        word: &'static [&'static str],
        class: WordClass,
        meaning: &'static str,
        example: &'static str,
        prints: &'static str,
    ) -> Self {
        Self {
            spellings: word,
            class,
            meaning,
            example,
            prints,
        }
    }

    /// Whether it is written with letters.
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

/// All entries.
pub fn words() -> impl Iterator<Item = &'static Word> {
    TABLES.iter().copied().flatten()
}

/// The entries of a word: its uses.
pub fn uses(word: &str) -> impl Iterator<Item = &'static Word> {
    words().filter(move |entry| entry.spellings.contains(&word))
}

/// The words that cannot be names; one with several uses comes several times.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    let reserved = words().filter(|word| word.class.is_reserved() && word.is_alphabetic());
    reserved.flat_map(|word| word.spellings.iter().copied())
}

/// Whether a word cannot be a name.
pub fn is_keyword(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && uses(word).any(|entry| entry.class.is_reserved())
}

/// The names of values that are there from the start, functions and rules apart.
pub fn constants() -> impl Iterator<Item = &'static str> {
    of_class(WordClass::Constant)
}

/// The words of a class, in the order of the table.
pub fn of_class(class: WordClass) -> impl Iterator<Item = &'static str> {
    words()
        .filter(move |word| word.class == class)
        .flat_map(|word| word.spellings.iter().copied())
}
