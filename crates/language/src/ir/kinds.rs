//! The kinds of values that an expression may have, as a set of ground kinds.
//!
//! The language has no type annotations. For each expression, checking finds a set that contains
//! every kind that its value can have, and reports an error only if that set and the needed one are
//! disjoint. Parameters start as "anything" and are narrowed by their unconditional uses.

use std::fmt;

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u32);

/// The names of single kinds, in the order of their bits.
const NAMES: &[(Kinds, &str)] = &[
    (Kinds::INTEGER, "an integer"),
    (Kinds::RATIONAL, "a rational"),
    (Kinds::CHIPS, "a number of chips with a star"),
    (Kinds::BOOL, "true or false"),
    (Kinds::TEXT, "a string"),
    (Kinds::PLAYER, "a player"),
    (Kinds::EMPTY, "`empty`"),
    (Kinds::SIDE, "a side"),
    (Kinds::BOARD, "a board"),
    (Kinds::LIST, "a list"),
    (Kinds::TUPLE, "a tuple"),
    (Kinds::GAME, "a game"),
    (Kinds::FUNCTION, "a function"),
    (Kinds::RULES, "rules"),
    (Kinds::OUTCOME, "an outcome"),
    (Kinds::ANSWER, "a table or report"),
    (Kinds::BOUNDS, "a number between bounds"),
    (Kinds::NEVER, "`never`"),
];

/// Sets for which messages have a single name.
const COMMON: &[(Kinds, &str)] = &[
    (Kinds::ANY, "anything"),
    (Kinds::NUMBER, "a number"),
    (Kinds::ENCLOSED, "a number"),
    (Kinds::AMOUNT, "a number or a number of chips"),
    (Kinds::HOLDING, "a number of chips"),
    (
        Kinds::TOTALS,
        "a total of chips without a star, or a range of totals,",
    ),
    (Kinds::SEQUENCE, "a list"),
    (Kinds::THRESHOLDS, "a number of chips, or a table of them"),
];

impl Kinds {
    /// Integers.
    pub const INTEGER: Self = Self(1);
    /// Rationals that are not integers.
    pub const RATIONAL: Self = Self(1 << 1);
    /// Marked chips.
    pub const CHIPS: Self = Self(1 << 2);
    /// `true`, `false`.
    pub const BOOL: Self = Self(1 << 3);
    /// Strings and labels.
    pub const TEXT: Self = Self(1 << 4);
    /// Players.
    pub const PLAYER: Self = Self(1 << 5);
    /// `empty`.
    pub const EMPTY: Self = Self(1 << 6);
    /// Sides of a board.
    pub const SIDE: Self = Self(1 << 7);
    /// Boards.
    pub const BOARD: Self = Self(1 << 8);
    /// Lists and ranges.
    pub const LIST: Self = Self(1 << 9);
    /// Tuples and cells.
    pub const TUPLE: Self = Self(1 << 10);
    /// Games.
    pub const GAME: Self = Self(1 << 11);
    /// Functions and families.
    pub const FUNCTION: Self = Self(1 << 12);
    /// Rules.
    pub const RULES: Self = Self(1 << 13);
    /// Outcomes.
    pub const OUTCOME: Self = Self(1 << 14);
    /// Tables, strategies and other answers.
    pub const ANSWER: Self = Self(1 << 15);
    /// Numbers for which proved bounds are known.
    pub const BOUNDS: Self = Self(1 << 16);
    /// `never`.
    pub const NEVER: Self = Self(1 << 17);
    /// Every kind.
    pub const ANY: Self = Self((1 << 18) - 1);
    /// Integers and rationals.
    pub const NUMBER: Self = Self::INTEGER.or(Self::RATIONAL);
    /// Numbers, known exactly or between bounds.
    pub const ENCLOSED: Self = Self::NUMBER.or(Self::BOUNDS);
    /// Amounts that a player may hold: chips with or without a mark.
    pub const HOLDING: Self = Self::INTEGER.or(Self::CHIPS);
    /// Summands: numbers and chips.
    pub const AMOUNT: Self = Self::ENCLOSED.or(Self::CHIPS);
    /// One chip total or several.
    pub const TOTALS: Self = Self::INTEGER.or(Self::LIST);
    /// The chips of one player, once or several times.
    pub const PURSES: Self = Self::HOLDING.or(Self::LIST);
    /// Results of `f`: chips, a pair of them, the counts, `never`, or a table.
    pub const THRESHOLDS: Self = Self::HOLDING
        .or(Self::TUPLE)
        .or(Self::LIST)
        .or(Self::NEVER)
        .or(Self::ANSWER);
    /// Values that `for` can iterate over: lists, tables, tuples.
    pub const SEQUENCE: Self = Self::LIST.or(Self::ANSWER).or(Self::TUPLE);
    /// The kinds that a message names where an index needs something with elements.
    pub const INDEXED: Self = Self::GAME.or(Self::LIST).or(Self::BOARD);

    /// Returns the union.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns `true` if the sets have a kind in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if these are numbers of chips, one or several.
    pub const fn are_chips(self) -> bool {
        matches!(self, Self::TOTALS | Self::PURSES)
    }

    /// Returns the remedy for a value of these kinds where others are needed, if one is known.
    pub fn remedy(self, needed: Self) -> Option<&'static str> {
        match needed {
            Self::GAME if self == Self::OUTCOME => Some(
                "a game that is called with chips is an outcome; put a whole expression in parentheses before the call: `(A ∧ B)(2*, 1)`",
            ),
            Self::NUMBER | Self::ENCLOSED | Self::AMOUNT if self == Self::GAME => {
                Some("the threshold of a game is the number `R(G)`; `~G` exchanges the players")
            }
            Self::GAME if self == Self::LIST => Some(
                "moves to each game of a list are edges of a graph: `graph { start s; alice s -> G for G in list; bob s -> B }`",
            ),
            Self::GAME => Some(
                "games are `A`, `B`, `E`, expressions like `A ∧ B^2`, and names defined with `game`",
            ),
            Self::RULES => Some("rules are written `{ ties: marker }`, or defined with `rules`"),
            // In other languages numbers are conditions.
            Self::BOOL if self.meets(Self::NUMBER) => Some("compare it with something: `x != 0`"),
            _ if self == Self::CHIPS && needed.meets(Self::NUMBER) => Some(
                "`floor(x)` is the number of chips without the star; a product is written `2 * x`",
            ),
            Self::HOLDING | Self::TOTALS | Self::PURSES if self == Self::RATIONAL => Some(
                "chips are whole numbers; for real-valued bids ask for the threshold, `R(G)`, or for `strategy(G, a, b) using { bids: real }`",
            ),
            Self::HOLDING if self == Self::LIST => {
                Some("ask about each of its elements: `[f(G, k) for k in 0..5]`")
            }
            Self::INTEGER if self == Self::RATIONAL => Some("`floor(x)` rounds down to an integer"),
            Self::INDEXED if self == Self::RATIONAL => {
                Some("an exact number has no bounds: leave out the index")
            }
            Self::LIST | Self::SEQUENCE if self.meets(Self::INTEGER) => {
                Some("a range is written `0..5`, a list `[5, 1/8]`")
            }
            _ => None,
        }
    }

    /// Returns `true` if no value of one set equals a value of the other. Values of different kinds
    /// may be equal within three groups: numbers and chips; players, outcomes, sides and cells;
    /// lists and tables.
    pub fn never_equal(self, other: Self) -> bool {
        const ALIKE: [Kinds; 3] = [
            Kinds::AMOUNT.or(Kinds::NEVER),
            Kinds::PLAYER
                .or(Kinds::OUTCOME)
                .or(Kinds::SIDE)
                .or(Kinds::EMPTY),
            Kinds::LIST.or(Kinds::ANSWER),
        ];
        let alike = |kinds: Self| {
            ALIKE
                .into_iter()
                .filter(|alike| alike.meets(kinds))
                .fold(kinds, |all, alike| all.or(alike))
        };
        !alike(self).meets(other)
    }

    /// Returns `true` if every kind of this set is in the other.
    pub const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A set with a name of its own is not listed kind by kind.
        if let Some((_, name)) = COMMON.iter().find(|(kinds, _)| kinds == self) {
            return f.write_str(name);
        }
        let names: Vec<&str> = NAMES
            .iter()
            .filter(|(kind, _)| kind.meets(*self))
            .map(|(_, name)| *name)
            .collect();
        match names.split_last() {
            None => f.write_str("nothing"),
            Some((last, [])) => f.write_str(last),
            Some((last, others)) => write!(f, "{} or {last}", others.join(", ")),
        }
    }
}
