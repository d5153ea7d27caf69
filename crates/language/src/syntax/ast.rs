//! The abstract syntax of a source as the user wrote it, with a span on every node.
//!
//! The tree keeps parentheses ([`ExprKind::Paren`]) and documentation, so that the formatter can
//! print them as they were written. Comments are kept beside it ([`File::comments`]).

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
    /// The comments in order, except `///` documentation.
    pub comments: Vec<Comment>,
    /// The statements that could not be read, in order. A file with any of them is never run.
    pub broken: Vec<Broken>,
}

/// A statement that could not be read, with the parts of it that an editor can still use.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// The place of the whole statement.
    pub span: Span,
    /// The name that it defines, if it begins like a definition.
    pub name: Option<Name>,
    /// The statement without the lines in error, if the rest can be read.
    pub rest: Option<Statement>,
}

/// A `//` comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text after `//`, as written.
    pub text: String,
    /// The place from the first `/` to the end of the line (exclusive).
    pub span: Span,
}

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name itself.
    pub text: String,
    /// The place of the name.
    pub span: Span,
}

/// A statement with its documentation.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The kind of statement, with its parts.
    pub kind: StatementKind,
    /// The `///` lines before it, without the slashes, joined by newlines.
    pub doc: Option<String>,
    /// The place of the whole statement, without its documentation.
    pub span: Span,
}

/// The kinds of statements (the heading "Statements" in the page of the language).
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `use "path"`.
    Use {
        /// The path between the quotes.
        path: String,
        /// The place of the string literal, quotes included.
        span: Span,
    },
    /// `let name = body` or `let name(a, b) = body`.
    Let(Definition),
    /// `game name = body` or `game name(n) = graph { … }`.
    Game(Definition),
    /// `game name(n) { state … move … win … }`.
    Ruleset(RulesetDefinition),
    /// `rules name = …` or `rules name { … }`. The body is any expression of type rules.
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
        /// The place of the string literal, quotes included.
        name_span: Span,
        /// The statements inside.
        body: Vec<Statement>,
    },
    /// An expression on its own, whose value is printed.
    Expr(Expr),
}

/// `name = body` or `name(parameters) = body`.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The defined name.
    pub name: Name,
    /// The parameters, or `None` without parentheses.
    pub parameters: Option<Vec<Name>>,
    /// The right-hand side.
    pub body: Expr,
}

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The kind of expression, with its parts.
    pub kind: Box<ExprKind>,
    /// The place of the expression.
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
    /// `alice`, `bob`, also spelled `left`, `right`, `red`, `blue`. The spelling is kept, because
    /// `left` and `right` also name sides of a board.
    Player(Player, &'static str),
    /// A name.
    Name(String),
    /// `f(G, 5)`, `G(4*, 4)`, `R(G, precision: 1e-30)`.
    Call {
        /// The callee.
        callee: Expr,
        /// The arguments in order.
        arguments: Vec<Argument>,
    },
    /// `G[n]`, `board[c]`, `board[r, c]`.
    Index {
        /// The indexed value.
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
    /// `(1, 2)`, with at least two elements.
    Tuple(Vec<Expr>),
    /// `(e)`.
    Paren(Expr),
    /// `{ G1, G2 | H1 }`. Either side may be empty.
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
        /// The value if the condition is true.
        then: Expr,
        /// The value if the condition is false.
        otherwise: Expr,
    },
    /// `let x = a in b`, `let f(x) = a in b`.
    Let(Definition, Expr),
}

/// An argument, possibly named.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The name before the colon, if there is one.
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
    /// The player who moves.
    pub player: Player,
    /// The move as the program prints moves: `place(1, 1)`, or the head of an edge.
    pub action: Expr,
    /// The place of the whole ply.
    pub span: Span,
}

/// A clause of a comprehension.
#[derive(Debug, Clone, PartialEq)]
pub enum Clause {
    /// `for x in xs`, `for (x, y) in pairs`.
    For {
        /// The bound names. There is more than one for a tuple pattern.
        pattern: Vec<Name>,
        /// The sequence that is iterated over.
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

/// Infix operators, the most tightly binding first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `^`, which is right associative and binds tighter than a prefix minus.
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
    /// `++`, which concatenates lists.
    Concatenate,
    /// `x ± e`
    PlusMinus,
    /// `∧`, `/\`
    Wedge,
    /// `..`, a range that includes both ends. It is not associative.
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
    /// `≡`, the equivalence of games for all chip totals. Between games, `==` has the same meaning.
    Equivalent,
    /// `≢`
    NotEquivalent,
    /// `∥`, `||`, for games of which neither is `≤` nor `≥` the other.
    Incomparable,
    /// `in`, the membership in a list.
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
    /// The parameters, or `None` without parentheses.
    pub parameters: Option<Vec<Name>>,
    /// The lines in order.
    pub items: Vec<RuleItem>,
}

/// A line of a ruleset.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleItem {
    /// The kind of line, with its parts.
    pub kind: RuleItemKind,
    /// The place of the whole line.
    pub span: Span,
}

/// The kinds of ruleset lines.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleItemKind {
    /// `state name = initial`.
    State(Name, Expr),
    /// `let name = e`, `let name(x) = e`. The body may use the state.
    Let(Definition),
    /// `move [alice|bob] name(arguments) [for …]… [if guard] { updates }`.
    Move {
        /// The player who may make the move, or `None` if both may.
        player: Option<Player>,
        /// The move's name.
        name: Name,
        /// The values printed between the parentheses of the move: names bound by the clauses, or
        /// expressions.
        arguments: Vec<Expr>,
        /// `for` and `if` clauses.
        clauses: Vec<Clause>,
        /// The updates of the state.
        updates: Vec<Update>,
    },
    /// `win PLAYER if cond`. The player is `alice`, `bob`, `me`, `other` or any expression of type
    /// player.
    Win(Expr, Expr),
    /// `turn PLAYER if cond`. Where the condition holds, the player moves without a bid.
    Turn(Expr, Expr),
    /// `income PLAYER e if cond`. Where the condition holds, the player receives the part e of all
    /// money before a bid.
    Income(Player, Expr, Expr),
    /// `draw if cond`.
    Draw(Expr),
    /// `score e if cond`.
    Score(Expr, Expr),
    /// `stuck loses` and so on.
    Stuck(StuckKind),
    /// `symmetry board`, `symmetry mirror(board)`, `symmetry rotate(board)`.
    Symmetry(SymmetryKind, Name),
}

/// The result for a player who must move and cannot, as written.
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

/// The symmetries of a grid under which positions are merged.
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
    /// The kind of update, with its parts.
    pub kind: UpdateKind,
    /// The place of the whole update.
    pub span: Span,
}

/// The kinds of updates.
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateKind {
    /// `x = e`, `x += e`, `x -= e`, `board[c] = e`.
    Assign {
        /// The state variable.
        target: Name,
        /// The indices. There are none if the whole variable is assigned.
        indices: Vec<Expr>,
        /// `=`, `+=` or `-=`.
        op: AssignOp,
        /// The value.
        value: Expr,
    },
    /// `drop(board, col, e)`. The lowest empty cell of the column takes the value.
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
        /// The updates if the condition is true.
        then: Vec<Update>,
        /// The updates if the condition is false.
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
