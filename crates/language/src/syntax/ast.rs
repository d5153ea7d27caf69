//! The abstract syntax: what the user wrote, with a span on every node.
//!
//! The tree keeps parentheses ([`ExprKind::Paren`]) and documentation, so that the formatter can
//! print what was written; comments are kept beside it ([`File::comments`]).

mod graph;

use num_bigint::BigUint;
use num_rational::BigRational;

pub use graph::{GraphItem, GraphItemKind, Mark};

use crate::player::Player;
use crate::source::Span;

/// A whole source.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// The comments in order, `///` documentation not among them.
    pub comments: Vec<Comment>,
    /// The statements that could not be read, in order: a file with any is never run.
    pub broken: Vec<Broken>,
}

/// A statement that could not be read: what an editor still knows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// All of it.
    pub span: Span,
    /// The name that it defines, if it begins like a definition.
    pub name: Option<Name>,
    /// What is left of it without the lines that are wrong, if that can be read.
    pub rest: Option<Statement>,
}

/// A `//` comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text after `//`, as written.
    pub text: String,
    /// From the first `/` to the end of the line (exclusive).
    pub span: Span,
}

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name itself.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A statement with its documentation.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Which kind, and its parts.
    pub kind: StatementKind,
    /// The `///` lines before it, without the slashes, joined by newlines.
    pub doc: Option<String>,
    /// The whole statement, documentation not included.
    pub span: Span,
}

/// The kinds of statements (the heading "Statements" in the page of the language).
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `use "path"`.
    Use {
        /// The path between the quotes.
        path: String,
        /// The string literal, quotes included.
        span: Span,
    },
    /// `let name = body` or `let name(a, b) = body`.
    Let(Definition),
    /// `game name = body` or `game name(n) = graph { … }`.
    Game(Definition),
    /// `game name(n) { state … move … win … }`.
    Ruleset(RulesetDefinition),
    /// `rules name = …` or `rules name { … }`; the body is any expression of type rules.
    Rules {
        /// The new name.
        name: Name,
        /// The rules.
        body: Expr,
    },
    /// `using rules`: the default for the rest of the file.
    Using(Expr),
    /// `show expr`.
    Show(Expr),
    /// `check expr`.
    Check(Expr),
    /// `test "name" { … }`.
    Test {
        /// The string between the quotes.
        name: String,
        /// The string literal, quotes included.
        name_span: Span,
        /// The statements inside.
        body: Vec<Statement>,
    },
    /// An expression on its own: its value is printed.
    Expr(Expr),
}

/// `name = body` or `name(parameters) = body`.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The defined name.
    pub name: Name,
    /// The parameters; `None` without parentheses.
    pub parameters: Option<Vec<Name>>,
    /// The right-hand side.
    pub body: Expr,
}

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Which kind, and its parts.
    pub kind: Box<ExprKind>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `12`.
    Integer(BigUint),
    /// `0.125` or `1e-30`: the exact value and the text as written.
    Decimal(BigRational, String),
    /// `4*`.
    Star(BigUint),
    /// `3-ε` or `3-eps`.
    MinusEpsilon(BigUint),
    /// `"A.B/.B./..A"`, the text between the quotes with escapes resolved.
    String(String),
    /// `true`, `false`.
    Bool(bool),
    /// `alice`, `bob`; also spelled `left`, `right`, `red`, `blue`: the spelling is kept, since
    /// `left` and `right` also name sides of a board.
    Player(Player, &'static str),
    /// A name.
    Name(String),
    /// `f(G, 5)`, `G(4*, 4)`, `R(G, precision: 1e-30)`.
    Call {
        /// What is called.
        callee: Expr,
        /// The arguments in order.
        arguments: Vec<Argument>,
    },
    /// `G[n]`, `board[c]`, `board[r, c]`.
    Index {
        /// What is indexed.
        base: Expr,
        /// One or more indices.
        indices: Vec<Expr>,
    },
    /// `[1, 2]`.
    List(Vec<Expr>),
    /// `[f(A^n, 8) for n in 1..4 if n != 2]`.
    Comprehension {
        /// The element.
        element: Expr,
        /// At least one `for`, then `for`s and `if`s in any order.
        clauses: Vec<Clause>,
    },
    /// `(1, 2)`; at least two elements.
    Tuple(Vec<Expr>),
    /// `(e)`.
    Paren(Expr),
    /// `{ G1, G2 | H1 }`; either side may be empty.
    Braces {
        /// Alice's options.
        alice: Vec<Expr>,
        /// Bob's options.
        bob: Vec<Expr>,
    },
    /// `{ pay: all_pay, ties: advantage }`.
    Rules(Vec<RuleSetting>),
    /// `graph { … }`.
    Graph(Vec<GraphItem>),
    /// `-e`, `~G`, `not e`.
    Unary(UnaryOp, Expr),
    /// `a + b` and so on.
    Binary(BinaryOp, Expr, Expr),
    /// `G at POSITION`.
    At(Expr, Expr),
    /// `G after [alice MOVE, bob MOVE]`.
    After(Expr, Vec<Ply>),
    /// `e using rules`.
    Using(Expr, Expr),
    /// `if c then a else b`.
    If {
        /// The condition.
        condition: Expr,
        /// When it is true.
        then: Expr,
        /// When it is false.
        otherwise: Expr,
    },
    /// `let x = a in b`, `let f(x) = a in b`.
    Let(Definition, Expr),
}

/// An argument, possibly named.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// `name:` before it.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// `field: value` of a rules literal.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSetting {
    /// The field.
    pub name: Name,
    /// The value: a name (`advantage`), a call (`taxman(1/3)`), or any expression.
    pub value: Expr,
}

/// One move of an `after` list.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// Who makes it.
    pub player: Player,
    /// The move as the tool prints moves: `place(1, 1)`, or the node an edge leads to.
    pub action: Expr,
    /// The whole ply.
    pub span: Span,
}

/// Part of a comprehension.
#[derive(Debug, Clone, PartialEq)]
pub enum Clause {
    /// `for x in xs`, `for (x, y) in pairs`.
    For {
        /// The bound names; more than one for a tuple pattern.
        pattern: Vec<Name>,
        /// What is iterated over.
        iterable: Expr,
    },
    /// `if condition`.
    If(Expr),
}

/// Prefix operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    Conjugate,
    /// `not`
    Not,
}

/// Infix operators, tightest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `^`, right associative; binds tighter than a prefix minus.
    Power,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`, the remainder, never negative for a positive divisor.
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `++`, lists end to end.
    Concatenate,
    /// `x ± e`
    PlusMinus,
    /// `∧`, `/\`
    Wedge,
    /// `..`, both ends included; not associative.
    Range,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `≤`, `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `≥`, `>=`
    GreaterEqual,
    /// `≡`: equivalence of games for all chip totals. (`==` is also read so between games.)
    Equivalent,
    /// `≢`
    NotEquivalent,
    /// `∥`, `||`: neither `≤` nor `≥`.
    Incomparable,
    /// `in`: membership in a list.
    In,
    /// `and`
    And,
    /// `or`
    Or,
}
/// `game name(parameters) { … }` with rules of play (the heading "Rulesets").
#[derive(Debug, Clone, PartialEq)]
pub struct RulesetDefinition {
    /// The defined name.
    pub name: Name,
    /// The parameters; `None` without parentheses.
    pub parameters: Option<Vec<Name>>,
    /// The lines in order.
    pub items: Vec<RuleItem>,
}

/// A line of a ruleset.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleItem {
    /// Which kind, and its parts.
    pub kind: RuleItemKind,
    /// The whole line.
    pub span: Span,
}

/// The kinds of ruleset lines.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleItemKind {
    /// `state name = initial`.
    State(Name, Expr),
    /// `let name = e`, `let name(x) = e`: may use the state.
    Let(Definition),
    /// `move [alice|bob] name(arguments) [for …]… [if guard] { updates }`.
    Move {
        /// `None`: both players have it.
        player: Option<Player>,
        /// The move's name.
        name: Name,
        /// What is printed between the parentheses of the move; names bound by the clauses, or
        /// expressions.
        arguments: Vec<Expr>,
        /// `for` and `if` clauses.
        clauses: Vec<Clause>,
        /// What the move does.
        updates: Vec<Update>,
    },
    /// `win PLAYER if cond`; the player is `alice`, `bob`, `me`, `other` or any expression of type
    /// player.
    Win(Expr, Expr),
    /// `turn PLAYER if cond`: there the player moves without a bid.
    Turn(Expr, Expr),
    /// `draw if cond`.
    Draw(Expr),
    /// `score e if cond`.
    Score(Expr, Expr),
    /// `stuck loses` and so on.
    Stuck(StuckKind),
    /// `symmetry board`, `symmetry mirror(board)`, `symmetry rotate(board)`.
    Symmetry(SymmetryKind, Name),
}

/// What happens to a player who must move and cannot, as written.
#[derive(Debug, Clone, PartialEq)]
pub enum StuckKind {
    /// `stuck loses`
    Loses,
    /// `stuck wins`
    Wins,
    /// `stuck draws`
    Draws,
    /// `stuck passes`
    Passes,
    /// `stuck score e`
    Score(Expr),
}

/// Which symmetries of a grid are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymmetryKind {
    /// All symmetries of the grid.
    All,
    /// Left and right exchanged.
    Mirror,
    /// The rotations that keep the shape (by quarter turns on a square, by half turns otherwise).
    Rotate,
}

/// An update inside a move.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// Which kind, and its parts.
    pub kind: UpdateKind,
    /// The whole update.
    pub span: Span,
}

/// The kinds of updates.
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateKind {
    /// `x = e`, `x += e`, `x -= e`, `board[c] = e`.
    Assign {
        /// The state variable.
        target: Name,
        /// The indices; empty for the whole variable.
        indices: Vec<Expr>,
        /// `=`, `+=` or `-=`.
        op: AssignOp,
        /// The value.
        value: Expr,
    },
    /// `drop(board, col, e)`: the lowest empty cell of the column takes the value.
    Drop {
        /// The grid.
        board: Name,
        /// The column, from 0.
        column: Expr,
        /// The value.
        value: Expr,
    },
    /// `score e`.
    Score(Expr),
    /// `if cond { … } else { … }`.
    If {
        /// The condition.
        condition: Expr,
        /// When it is true.
        then: Vec<Update>,
        /// When it is false.
        otherwise: Vec<Update>,
    },
}

/// Assignment operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}
