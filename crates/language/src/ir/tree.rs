//! The intermediate representation: every name an id, every call of a known builtin resolved,
//! nothing ill-typed left that could be told before running.

use std::path::Path;
use std::rc::Rc;

use super::{BuiltinSignature, Value};
use crate::player::{PerPlayer, Player};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, BinaryOp, SymmetryKind, UnaryOp};

/// A name defined at the top level of a file or in the REPL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// An expression.
#[derive(Debug, Clone)]
pub struct CheckedExpr {
    /// Which kind, and its parts.
    pub kind: Box<CheckedExprKind>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum CheckedExprKind {
    /// A literal, a primitive, or the label of a vertex.
    Constant(Value),
    /// `A`, `B`, `Draw`, `E`: constants that need the session's games.
    Primitive(Primitive),
    /// A parameter or local variable: a slot of the frame.
    Local(usize),
    /// A value that a local function captured where it was defined.
    Captured(usize),
    /// A top-level definition.
    Global(GlobalId),
    /// A call of a function, a family or a game (`G(4*, 4)`): which one is seen when it runs.
    Call {
        /// What is called.
        callee: CheckedExpr,
        /// The arguments in order.
        arguments: Vec<CheckedExpr>,
    },
    /// A call of a builtin, its number of arguments checked.
    Builtin {
        /// Which one.
        builtin: &'static BuiltinSignature,
        /// The positional arguments in order.
        arguments: Vec<CheckedExpr>,
        /// The named arguments.
        named: Vec<(&'static str, CheckedExpr)>,
        /// The arguments as written, for the labels of tables.
        labels: Vec<String>,
    },
    /// `G[n]`, `list[i]`, `board[c]`, `board[r, c]`.
    Index(CheckedExpr, Vec<CheckedExpr>),
    /// `[a, b]`.
    List(Vec<CheckedExpr>),
    /// `[e for x in xs if c]`.
    Comprehension(
        CheckedExpr,
        Vec<CheckedClause>,
        Option<ComprehensionVariable>,
    ),
    /// `(a, b)`.
    Tuple(Vec<CheckedExpr>),
    /// `{ G | H }`.
    Braces(PerPlayer<Vec<CheckedExpr>>),
    /// `{ ties: marker }`.
    Rules(Vec<RulesField>),
    /// `graph { … }`.
    Graph(Vec<CheckedGraphItem>),
    /// A prefix operator.
    Unary(UnaryOp, CheckedExpr),
    /// An infix operator.
    Binary(BinaryOp, CheckedExpr, CheckedExpr),
    /// `G at POSITION`.
    At(CheckedExpr, CheckedExpr),
    /// `G after [alice MOVE, …]`.
    After(CheckedExpr, Vec<CheckedPly>),
    /// `e using rules`.
    Using(CheckedExpr, CheckedExpr),
    /// `if c then a else b`.
    If(CheckedExpr, CheckedExpr, CheckedExpr),
    /// `let x = value in body`; the slot takes the value.
    Let(usize, CheckedExpr, CheckedExpr),
    /// A local function: its code and what it captures, each a local or captured value of the
    /// surrounding function.
    Closure(Rc<FunctionCode>, Vec<CheckedExpr>),

    // Only inside rulesets:
    /// A state variable, by its place in [`RulesetTemplate::state`].
    State(usize),
    /// `me`.
    Mover,
    /// `other`.
    Opponent,
    /// A `let` line of the ruleset, by its place in [`RulesetTemplate::lets`], with arguments if it
    /// has parameters.
    RuleLet(usize, Vec<CheckedExpr>),
}

/// `A`, `B`, `Draw`, `E`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primitive {
    /// `A` or `B`.
    Win(Player),
    /// `Draw`.
    Draw,
    /// `E`.
    Even,
}

/// The code of a function. Its frame holds the function itself if it is local (slot 0), then the
/// parameters, then local variables; captured values stand apart.
#[derive(Debug)]
pub struct FunctionCode {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Whether slot 0 holds the function itself (local functions may recurse).
    pub holds_itself: bool,
    /// The number of slots of a frame.
    pub frame: usize,
    /// The body.
    pub body: CheckedExpr,
    /// The name's place.
    pub span: Span,
}

/// The variable of a comprehension with one `for`.
#[derive(Debug, Clone)]
pub struct ComprehensionVariable {
    /// What it is called.
    pub name: Rc<str>,
    /// Where it stands.
    pub slot: usize,
}

/// Part of a comprehension or of a graph line or move.
#[derive(Debug, Clone)]
pub enum CheckedClause {
    /// `for x in xs`: the slots take an element (or the parts of a tuple) in turn.
    For(Vec<usize>, CheckedExpr),
    /// `if c`.
    If(CheckedExpr),
}

/// A field of a rules literal.
#[derive(Debug, Clone)]
pub enum RulesField {
    /// A field with a value known before running.
    Known(crate::rules::FieldValue),
    /// One made of a number: `pay: taxman(t)`, `precision: 1e-30`.
    Number(crate::rules::Numeric, CheckedExpr),
}

/// One move of an `after` list.
#[derive(Debug, Clone)]
pub struct CheckedPly {
    /// Who makes it.
    pub player: Player,
    /// The move as the tool prints it.
    pub action: Action,
    /// The whole ply.
    pub span: Span,
}

/// A move as written.
#[derive(Debug, Clone)]
pub enum Action {
    /// `place(1, 1)`: the name of a ruleset's move and its arguments.
    Named(String, Vec<CheckedExpr>),
    /// The vertex that an edge leads to.
    Vertex(CheckedExpr),
}

/// A line of an explicit graph; see [`crate::syntax::ast::GraphItemKind`].
#[derive(Debug, Clone)]
pub struct CheckedGraphItem {
    /// Which kind, and its parts.
    pub kind: CheckedGraphItemKind,
    /// The clauses after it.
    pub clauses: Vec<CheckedClause>,
    /// The whole line.
    pub span: Span,
}

/// The kinds of graph lines.
#[derive(Debug, Clone)]
pub enum CheckedGraphItemKind {
    /// `start x`.
    Start(CheckedExpr),
    /// `both a <-> b, c`.
    Edges {
        /// Whose: one player's or both.
        owners: Vec<Player>,
        /// The tail.
        from: CheckedExpr,
        /// `<->`.
        two_way: bool,
        /// The heads.
        to: Vec<CheckedExpr>,
        /// `score e`.
        score: Option<CheckedExpr>,
        /// `weight e`.
        weight: Option<CheckedExpr>,
    },
    /// `edges "roads.csv"`.
    File {
        /// Whose edges they are: players instead of those that the file says; without any, as the
        /// file says.
        owners: Vec<Player>,
        /// The path as it is written.
        path: Rc<str>,
        /// `turns`: where one player alone has edges, that player moves without a bid.
        turns: bool,
        /// The folder of the source that names it.
        folder: Rc<Path>,
        /// The path's place.
        span: Span,
    },
    /// `win alice: x, y`, `draw: x`.
    Ending(crate::player::Ending, Vec<CheckedExpr>),
    /// `score e: x, y`: endings with this score for Alice.
    ScoredEnding(CheckedExpr, Vec<CheckedExpr>),
    /// `turn alice: x`, `accepting: x, y` and their like.
    Mark(CheckedMark, Vec<CheckedExpr>),
}

/// What lines say of vertices; see [`crate::syntax::ast::Mark`].
#[derive(Debug, Clone)]
pub enum CheckedMark {
    /// `turn alice`
    Turn(Player),
    /// `accepting`
    Accepting,
    /// `priority e`
    Priority(CheckedExpr),
    /// `weight e`
    Weight(CheckedExpr),
}

/// A ruleset as a template: parameters not yet fixed.
#[derive(Debug)]
pub struct RulesetTemplate {
    /// Its name.
    pub name: String,
    /// The names of its parameters; they take the first slots of the frame. `None` without
    /// parentheses.
    pub parameters: Option<Vec<String>>,
    /// The number of slots of a frame: parameters, then the variables of clauses and of `let`s'
    /// parameters.
    pub frame: usize,
    /// The state variables in order.
    pub state: Vec<StateVariable>,
    /// The `let` lines in order; each may use the ones before.
    pub lets: Vec<RuleLet>,
    /// The `move` lines in order.
    pub moves: Vec<MoveRule>,
    /// The `win`, `draw` and `score … if` lines in order.
    pub endings: Vec<EndingRule>,
    /// The `turn` lines in order.
    pub turns: Vec<TurnRule>,
    /// The `stuck` line.
    pub stuck: Option<StuckRule>,
    /// The `symmetry` lines: which state variable, which symmetries, where.
    pub symmetries: Vec<(usize, SymmetryKind, Span)>,
    /// The place of the name.
    pub span: Span,
}

/// `state name = initial`.
#[derive(Debug, Clone)]
pub struct StateVariable {
    /// Its name.
    pub name: String,
    /// The initial value; it may use parameters and earlier state variables' initial values are not
    /// visible to it.
    pub initial: CheckedExpr,
    /// The place of the name.
    pub span: Span,
}

/// `let name = body`, `let name(x) = body` inside a ruleset.
#[derive(Debug, Clone)]
pub struct RuleLet {
    /// Its name.
    pub name: String,
    /// The slots of its parameters.
    pub parameters: Vec<usize>,
    /// The body, evaluated anew at each use.
    pub body: CheckedExpr,
}

/// A `move` line.
#[derive(Debug, Clone)]
pub struct MoveRule {
    /// Who has it: one player or both.
    pub players: Vec<Player>,
    /// Its name.
    pub name: String,
    /// What is printed between the parentheses.
    pub arguments: Vec<CheckedExpr>,
    /// The clauses in order.
    pub clauses: Vec<CheckedClause>,
    /// What it does.
    pub updates: Vec<CheckedUpdate>,
    /// The whole line.
    pub span: Span,
}

/// An update of a move.
#[derive(Debug, Clone)]
pub enum CheckedUpdate {
    /// `x = e`, `board[c] = e`.
    Assign {
        /// The state variable.
        target: usize,
        /// The indices, if one cell or element is meant.
        indices: Vec<CheckedExpr>,
        /// `=`, `+=`, `-=`.
        op: AssignOp,
        /// The value.
        value: CheckedExpr,
        /// The whole update.
        span: Span,
    },
    /// `drop(board, col, e)`.
    Drop {
        /// The grid.
        target: usize,
        /// The column.
        column: CheckedExpr,
        /// The value.
        value: CheckedExpr,
        /// The whole update.
        span: Span,
    },
    /// `score e`.
    Score(CheckedExpr),
    /// `if c { … } else { … }`.
    If(CheckedExpr, Vec<CheckedUpdate>, Vec<CheckedUpdate>),
}

/// A line that ends the game.
#[derive(Debug, Clone)]
pub struct EndingRule {
    /// How.
    pub result: EndingResult,
    /// When; `me` in it stands for each player in turn if the result is [`EndingResult::WinMe`].
    pub condition: CheckedExpr,
    /// The whole line.
    pub span: Span,
}

/// A line that says where a player moves without a bid.
#[derive(Debug, Clone)]
pub struct TurnRule {
    /// Who.
    pub player: CheckedExpr,
    /// When.
    pub condition: CheckedExpr,
}

/// How a line ends the game.
#[derive(Debug, Clone)]
pub enum EndingResult {
    /// `win alice`, `win EXPR`: the player the expression names.
    Win(CheckedExpr),
    /// `win me`: the first player, Alice first, for whom the condition holds.
    WinMe,
    /// `draw`.
    Draw,
    /// `score e`.
    Score(CheckedExpr),
}

/// The `stuck` line.
#[derive(Debug, Clone)]
pub enum StuckRule {
    /// `stuck loses`, `wins`, `draws`, `passes`.
    Fixed(crate::rules::Stuck),
    /// `stuck score e`.
    Score(CheckedExpr),
}
