//! The stable codes of diagnostics, with a page for each.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::Severity;

/// Declares the codes: name, printed code, title. The page of a code is `docs/codes/<code>.md`.
macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        /// The subject of a diagnostic. `E` codes are errors, `W` codes warnings. A code never
        /// changes its meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// Every code, in the order of the list above.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// Returns the printed form, like `E0101`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// Returns a short title.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// Returns the page that `bid explain` prints: the meaning, an example and the remedy.
            pub fn page(self) -> &'static str {
                match self { $(Code::$name => include_str!(concat!("../../../../docs/codes/", $code, ".md")),)* }
            }
        }
    };
}

codes! {
    // 01: the text.
    Syntax = "E0101", "the text is not a program";
    UnclosedBracket = "E0102", "a bracket is never closed";
    MismatchedBracket = "E0103", "a closing bracket has no match";
    UnclosedString = "E0104", "a string is never closed";
    TooDeep = "E0105", "brackets are nested too deeply";
    BareDefinition = "E0106", "a definition needs `let`, `game` or `rules`";
    BadLiteral = "E0107", "a number or chip count is malformed";
    // 02: names.
    UnknownName = "E0201", "a name is not known here";
    DuplicateName = "E0202", "a name is defined twice";
    // 03: types.
    WrongType = "E0301", "a value of another type is needed";
    WrongCount = "E0302", "the number of arguments is wrong";
    NotCallable = "E0303", "this cannot be called";
    // 04: games and graphs.
    BadPower = "E0401", "a power of a game is not defined";
    NoStart = "E0402", "a graph has no start";
    BadGraph = "E0403", "a graph contradicts itself";
    BadPosition = "E0404", "a position does not belong to the game";
    BadMove = "E0405", "a move is not legal here";
    WinsAndScores = "E0406", "a game has both wins and scores";
    CyclicScores = "E0407", "a scoring game has a cycle";
    WrongTheory = "E0408", "the question does not fit the game";
    Unmarked = "E0409", "a game lacks the marks that the objective needs";
    // 05: rulesets.
    BadRuleset = "E0501", "a ruleset is malformed";
    OutOfRange = "E0502", "a ruleset's state leaves its range";
    NotSymmetric = "E0503", "a ruleset does not respect its symmetry";
    // 06: rules.
    UnknownField = "E0601", "rules have no such field or value";
    RulesClash = "E0602", "a combination of rules has no meaning";
    NotSupported = "E0603", "not supported";
    // 07: evaluation.
    BadChips = "E0701", "chips do not add up";
    BadValue = "E0702", "a value is out of its domain";
    CheckFailed = "E0703", "a check failed";
    DivisionByZero = "E0704", "division by zero";
    Undecided = "E0705", "bounds overlap, so a comparison has no answer";
    // 08: files and the command line.
    NoFile = "E0801", "a file cannot be read";
    NotUtf8 = "E0802", "a file is not UTF-8";
    ImportCycle = "E0803", "files import each other in a circle";
    CommandLine = "E0804", "the command line is wrong";
    Checkpoint = "E0805", "a checkpoint cannot be used";
    Certificate = "E0806", "a file is not a certificate";
    // 09: limits.
    Positions = "E0901", "too many positions";
    Memory = "E0902", "too much memory";
    Time = "E0903", "out of time";
    Interrupted = "E0904", "interrupted";
    Recursion = "E0905", "recursion is too deep";
    // 10: errors of the program itself.
    Internal = "E1001", "the program contradicts itself";
    // Warnings.
    Shadowed = "W0201", "a name hides another one";
    NeverEqual = "W0301", "values of different types are never equal";
    RangeInList = "W0302", "a list holds a range as its only element";
    IdleRules = "W0303", "rules have no effect";
    EmptyRange = "W0304", "a range has no elements";
    UnreachableNode = "W0401", "a vertex cannot be reached";
    DeadEnd = "W0402", "a vertex has no edges and is not an ending";
    LikelyMisspelling = "W0403", "a label looks like a misspelling";
    NeverPlayed = "W0404", "an edge is never played";
    LabelsLikeNumbers = "W0405", "a file's labels look like numbers";
    IdleIncome = "W0406", "income is never received";
    SharedVertex = "W0407", "two names are the same vertex";
    MoverNotAsked = "W0501", "`win me` does not ask who `me` is";
    DeadEnding = "W0502", "an ending never decides a game";
    NeverWon = "W0503", "nobody can win a game";
    OnCycles = "W0701", "a value on a cycle is enclosed, not exact";
    NotNarrow = "W0702", "bounds are wider than asked, as a limit was reached";
    DamagedCheckpoint = "W0801", "files of a checkpoint are damaged, and their work is repeated";
}

impl Code {
    /// Returns the severity that the code's letter stands for.
    pub fn severity(self) -> Severity {
        match self.as_str().as_bytes()[0] {
            b'W' => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// Finds the code with this printed form, in either case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str().eq_ignore_ascii_case(text))
    }

    /// Returns `true` if a limit or an interrupt stopped the work, rather than a mistake (exit
    /// status 3, not 2).
    pub fn is_stop(self) -> bool {
        // The group of limits has this number, so a new limit needs no entry here.
        self.as_str().starts_with("E09")
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("there is no code {text}")))
    }
}
