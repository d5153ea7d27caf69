//! Terms of Gallina: their text, their type, and the level of their outermost operator.

use super::names::TakenNames;

/// The types of the translated language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Type {
    /// An integer that cannot be negative: `nat`.
    Natural,
    /// An integer: `Z`.
    Integer,
    Bool,
    Player,
    /// A player or nobody: `option player`.
    Content,
    /// A board of squares, or of hexagons.
    Grid {
        hexagons: bool,
    },
    List(Box<Type>),
    Tuple(Vec<Type>),
    /// The type of the elements of an empty list.
    Unknown,
}

impl Type {
    pub fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// Returns the type of a cell of a board: its row and column.
    pub fn cell() -> Self {
        Self::Tuple(vec![Self::Natural, Self::Natural])
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Self::Natural | Self::Integer)
    }

    /// Returns the type that contains the values of both.
    pub fn join(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a.clone()),
            (Self::Unknown, known) | (known, Self::Unknown) => Some(known.clone()),
            (Self::Natural, Self::Integer) | (Self::Integer, Self::Natural) => Some(Self::Integer),
            (Self::Player, Self::Content) | (Self::Content, Self::Player) => Some(Self::Content),
            (Self::List(a), Self::List(b)) => a.join(b).map(Self::list),
            (Self::Tuple(a), Self::Tuple(b)) if a.len() == b.len() => {
                let parts = a.iter().zip(b).map(|(a, b)| a.join(b));
                parts.collect::<Option<Vec<_>>>().map(Self::Tuple)
            }
            _ => None,
        }
    }

    /// Returns its text.
    pub fn text(&self) -> String {
        match self {
            Self::Natural | Self::Unknown => "nat".to_owned(),
            Self::Integer => "Z".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Player => "player".to_owned(),
            Self::Content => "option player".to_owned(),
            Self::Grid { .. } => "grid".to_owned(),
            Self::List(item) => match item.text() {
                text if text.contains(' ') && !text.starts_with('(') => format!("list ({text})"),
                text => format!("list {text}"),
            },
            Self::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::text).collect();
                format!("({})", parts.join(" * "))
            }
        }
    }

    /// Returns some value of the type, which is used for an element that does not exist.
    pub fn default(&self) -> String {
        match self {
            Self::Natural | Self::Unknown => "0".to_owned(),
            Self::Integer => "0%Z".to_owned(),
            Self::Bool => "false".to_owned(),
            Self::Player => "Alice".to_owned(),
            Self::Content => "None".to_owned(),
            Self::Grid { .. } | Self::List(_) => "[]".to_owned(),
            Self::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::default).collect();
                format!("({})", parts.join(", "))
            }
        }
    }

    /// Returns its name in messages.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Natural | Self::Integer => "a number",
            Self::Bool => "true or false",
            Self::Player => "a player",
            Self::Content => "a player or `empty`",
            Self::Grid { .. } => "a board",
            Self::List(_) => "a list",
            Self::Tuple(_) => "a tuple",
            Self::Unknown => "nothing",
        }
    }
}

/// The levels of Coq's grammar: an operator that binds more strongly has a smaller level.
pub(super) mod level {
    /// The level of names, numbers, and terms in brackets.
    pub const ATOM: u8 = 0;
    /// `f x`
    pub const APPLICATION: u8 = 10;
    /// `x ^ y`
    pub const POWER: u8 = 30;
    /// `-x` in Z
    pub const OPPOSITE: u8 = 35;
    /// `x * y`, `x mod y`, `a && b`
    pub const PRODUCT: u8 = 40;
    /// `x + y`, `x - y`, `a || b`
    pub const SUM: u8 = 50;
    /// `l ++ m`
    pub const APPEND: u8 = 60;
    /// `x =? y`
    pub const COMPARISON: u8 = 70;
    /// `if`, `let`, `match`, `fun`
    pub const WHOLE: u8 = 200;
}

/// A term.
#[derive(Debug, Clone)]
pub(super) struct GallinaTerm {
    text: String,
    level: u8,
    pub ty: Type,
    /// `true` if the text is to be read in the scope of Z.
    in_integers: bool,
    /// The bounds of a number, if they are known.
    pub least: Option<i64>,
    pub most: Option<i64>,
}

impl GallinaTerm {
    pub fn new(text: impl Into<String>, level: u8, ty: Type) -> Self {
        let least = (ty == Type::Natural).then_some(0);
        Self {
            text: text.into(),
            level,
            ty,
            in_integers: false,
            least,
            most: None,
        }
    }

    pub fn atom(text: impl Into<String>, ty: Type) -> Self {
        Self::new(text, level::ATOM, ty)
    }

    /// Applies a function: `function x y …`.
    pub fn apply(function: &str, arguments: &[&Self], ty: Type) -> Self {
        let mut text = function.to_owned();
        for argument in arguments {
            text.push(' ');
            text.push_str(&argument.outside(level::ATOM));
        }
        Self::new(text, level::APPLICATION, ty)
    }

    /// Returns an operator that associates to the left, between two terms: `x + y`.
    pub fn infix(a: &Self, sign: &str, b: &Self, level: u8, ty: Type) -> Self {
        let text = format!("{} {sign} {}", a.outside(level), b.outside(level - 1));
        Self::new(text, level, ty)
    }

    /// Returns `if condition then x else y`, with the type of `x`.
    pub fn choice(condition: &Self, then: Self, otherwise: &Self) -> Self {
        let text = format!(
            "if {} then {} else {}",
            condition.whole(),
            then.whole(),
            otherwise.whole()
        );
        Self::new(text, level::WHOLE, then.ty)
    }

    /// Returns the tuple of some terms: `(x, y, …)`.
    pub fn tuple(parts: Vec<Self>) -> Self {
        let text: Vec<String> = parts.iter().map(Self::whole).collect();
        let ty = Type::Tuple(parts.into_iter().map(|part| part.ty).collect());
        Self::atom(format!("({})", text.join(", ")), ty)
    }

    /// Returns the term of a number.
    pub fn number(n: i64) -> Self {
        let ty = if n < 0 { Type::Integer } else { Type::Natural };
        let level = if n < 0 { level::OPPOSITE } else { level::ATOM };
        Self {
            in_integers: n < 0,
            ..Self::new(n.to_string(), level, ty)
        }
        .between(Some(n), Some(n))
    }

    /// Creates a term whose text is to be read in the scope of Z.
    pub fn integers(text: impl Into<String>, level: u8, ty: Type) -> Self {
        Self {
            in_integers: true,
            ..Self::new(text, level, ty)
        }
    }

    pub fn between(self, least: Option<i64>, most: Option<i64>) -> Self {
        let least = match self.ty {
            // A bound from arithmetic may be weaker than what the type itself says.
            Type::Natural => Some(least.unwrap_or(0).max(0)),
            _ => least,
        };
        Self {
            least,
            most,
            ..self
        }
    }

    /// Returns its text for a place of this level, outside of the scope of Z.
    pub fn outside(&self, level: u8) -> String {
        if self.in_integers {
            return format!("({})%Z", self.text);
        }
        self.inside(level)
    }

    /// Returns its text for a place of this level, in the scope of Z. A term that is not to be read
    /// in that scope is marked, except for names and functions on integers.
    pub fn in_integers(&self, level: u8) -> String {
        // In an application to names and numbers each argument is read in the scope of its type.
        let plain = self.level == level::APPLICATION
            && self.ty == Type::Integer
            && !self.text.contains(['(', '[']);
        if self.in_integers || self.is_name() || plain || self.text.starts_with("Z.of_nat ") {
            return self.inside(level);
        }
        format!("({})%nat", self.text)
    }

    /// Returns its text for a place of this level, in its own scope.
    fn inside(&self, level: u8) -> String {
        if self.level > level {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }

    /// Returns the term with another type.
    pub fn typed(self, ty: Type) -> Self {
        Self { ty, ..self }
    }

    /// Returns its text without brackets, which for a variable is its name.
    pub fn name(&self) -> &str {
        &self.text
    }

    /// Returns its whole text.
    pub fn whole(&self) -> String {
        self.outside(level::WHOLE)
    }

    /// Returns `true` if the text is a name or a number, which have the same meaning in every
    /// scope.
    fn is_name(&self) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || "_'".contains(c);
        self.text.chars().all(is_part)
    }

    /// Returns `true` if it is written as a number.
    pub fn is_written_number(&self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Converts the term to a wider type; `None` if the type is not wider.
    pub fn wide(self, ty: &Type, names: &mut TakenNames) -> Option<Self> {
        match (&self.ty, ty) {
            (from, to) if from == to => Some(self),
            (Type::Natural, Type::Integer) => {
                let (least, most) = (self.least, self.most);
                let term = if self.is_written_number() {
                    Self::integers(self.text, level::ATOM, Type::Integer)
                } else {
                    // The scope of an argument does not apply to the terms within it.
                    let inner = match self.is_name() {
                        true => self.text.clone(),
                        false => format!("({})%nat", self.whole()),
                    };
                    Self::new(
                        format!("Z.of_nat {inner}"),
                        level::APPLICATION,
                        Type::Integer,
                    )
                };
                Some(term.between(least, most))
            }
            (Type::Player, Type::Content) => Some(Self::apply("Some", &[&self], Type::Content)),
            // An empty list has every type of list, so its text stays as it is.
            (Type::List(from), Type::List(_)) if **from == Type::Unknown => {
                Some(self.typed(ty.clone()))
            }
            (Type::List(from), Type::List(to)) => {
                let name = names.fresh("x");
                let item = Self::atom(&name, (**from).clone()).wide(to, names)?;
                let text = format!("map (fun {name} => {}) {}", item.whole(), self.outside(0));
                Some(Self::new(text, level::APPLICATION, ty.clone()))
            }
            (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
                let parts: Vec<String> = from.iter().map(|_| names.fresh("x")).collect();
                let mut wide = Vec::new();
                for ((name, from), to) in parts.iter().zip(from).zip(to) {
                    wide.push(Self::atom(name, from.clone()).wide(to, names)?.whole());
                }
                let text = format!(
                    "let '({}) := {} in ({})",
                    parts.join(", "),
                    self.whole(),
                    wide.join(", ")
                );
                Some(Self::new(text, level::WHOLE, ty.clone()))
            }
            _ => None,
        }
    }

    /// Converts a number that cannot be negative, such as an index of a list or a column, to a
    /// natural one.
    pub fn natural(self) -> Self {
        if self.ty == Type::Integer {
            let (least, most) = (self.least, self.most);
            return Self::apply("Z.to_nat", &[&self], Type::Natural).between(least, most);
        }
        self
    }
}

/// Makes a list of terms of one type; `None` if they have no common type.
pub(super) fn listed(items: Vec<GallinaTerm>, names: &mut TakenNames) -> Option<GallinaTerm> {
    let ty = common(&items)?;
    let items = items
        .into_iter()
        .map(|item| item.wide(&ty, names).map(|item| item.whole()))
        .collect::<Option<Vec<_>>>()?;
    Some(GallinaTerm::atom(
        format!("[{}]", items.join("; ")),
        ty.list(),
    ))
}

/// Returns the type that contains all terms.
pub(super) fn common(items: &[GallinaTerm]) -> Option<Type> {
    items
        .iter()
        .try_fold(Type::Unknown, |ty, item| ty.join(&item.ty))
}
