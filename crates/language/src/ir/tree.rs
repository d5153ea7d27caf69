//! The intermediate representation. Every name is an id, every call of a known builtin is resolved,
//! and no type error is left that can be found before running.

use std::path::Path;
use std::rc::Rc;

use super::{BuiltinSignature, Value};
use crate::player::{PerPlayer, Player};
use crate::source::Span;
use crate::syntax::ast::{AssignOp, BinaryOp, Mark, SymmetryKind, UnaryOp};

/// A name defined at the top level of a file or in the REPL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// An expression.
#[derive(Debug, Clone)]
pub struct CheckedExpr {
    /// The kind of expression, with its parts.
    pub kind: Box<CheckedExprKind>,
    /// The place of the expression.
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
    /// A call of a function, a family or a game (`G(4*, 4)`). The callee's kind is known only when
    /// it runs.
    Call {
        /// The callee.
        callee: CheckedExpr,
        /// The arguments in order.
        arguments: Vec<CheckedExpr>,
    },
    /// A call of a builtin, whose number of arguments has been checked.
    Builtin {
        /// The builtin.
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
    Comprehension(CheckedExpr, Vec<CheckedClause>, ComprehensionNames),
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
    /// `let x = value in body`. The slot receives the value.
    Let(usize, CheckedExpr, CheckedExpr),
    /// A local function: its code, and the captured values, each of which is a local or captured
    /// value of the surrounding function.
    Closure(Rc<FunctionCode>, Vec<CheckedExpr>),

    // The following kinds occur only inside rulesets.
    /// A state variable, by its index in [`RulesetTemplate::state`].
    State(usize),
    /// `me`.
    Mover,
    /// `other`.
    Opponent,
    /// A `let` line of the ruleset, by its index in [`RulesetTemplate::lets`], with arguments if it
    /// has parameters.
    RuleLet(usize, Vec<CheckedExpr>),
}

impl CheckedExpr {
    /// Returns `true` if every immediate part of an expression passes a test.
    pub fn all_parts(&self, pass: &mut dyn FnMut(&Self) -> bool) -> bool {
        match &*self.kind {
            CheckedExprKind::Constant(_)
            | CheckedExprKind::Primitive(_)
            | CheckedExprKind::Local(_)
            | CheckedExprKind::Captured(_)
            | CheckedExprKind::Global(_)
            | CheckedExprKind::State(_)
            | CheckedExprKind::Mover
            | CheckedExprKind::Opponent => true,
            CheckedExprKind::Call { callee, arguments } => {
                pass(callee) && arguments.iter().all(pass)
            }
            CheckedExprKind::Builtin {
                arguments, named, ..
            } => {
                arguments.iter().all(&mut *pass) && named.iter().all(|(_, argument)| pass(argument))
            }
            CheckedExprKind::Index(base, indices) => pass(base) && indices.iter().all(pass),
            CheckedExprKind::List(items) | CheckedExprKind::Tuple(items) => items.iter().all(pass),
            CheckedExprKind::RuleLet(_, arguments) | CheckedExprKind::Closure(_, arguments) => {
                arguments.iter().all(pass)
            }
            CheckedExprKind::Comprehension(element, clauses, _) => {
                all_clauses(clauses, pass) && pass(element)
            }
            CheckedExprKind::Braces(sides) => sides.alice.iter().chain(&sides.bob).all(pass),
            CheckedExprKind::Rules(fields) => {
                fields.iter().filter_map(RulesField::number).all(pass)
            }
            CheckedExprKind::Graph(items) => items.iter().all(|item| {
                all_clauses(&item.clauses, pass) && item.kind.parts().into_iter().all(&mut *pass)
            }),
            CheckedExprKind::Unary(_, operand) => pass(operand),
            CheckedExprKind::Binary(_, a, b)
            | CheckedExprKind::At(a, b)
            | CheckedExprKind::Using(a, b)
            | CheckedExprKind::Let(_, a, b) => pass(a) && pass(b),
            CheckedExprKind::After(game, plies) => {
                pass(game) && plies.iter().flat_map(|ply| ply.action.parts()).all(pass)
            }
            CheckedExprKind::If(a, b, c) => pass(a) && pass(b) && pass(c),
        }
    }
}

fn all_clauses(clauses: &[CheckedClause], pass: &mut dyn FnMut(&CheckedExpr) -> bool) -> bool {
    clauses.iter().all(|clause| match clause {
        CheckedClause::For(_, iterable) => pass(iterable),
        CheckedClause::If(condition) => pass(condition),
    })
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

/// The code of a function. Its frame contains the function itself if it is local (slot 0), then the
/// parameters, then local variables. Captured values are stored separately.
#[derive(Debug)]
pub struct FunctionCode {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// `true` if slot 0 contains the function itself, because local functions may recurse.
    pub holds_itself: bool,
    /// The number of slots of a frame.
    pub frame: usize,
    /// The body.
    pub body: CheckedExpr,
    /// The place of the name.
    pub span: Span,
}

/// The texts of a comprehension with which tables and pictures name its values.
#[derive(Debug, Clone)]
pub struct ComprehensionNames {
    /// The variables of all its `for` clauses.
    pub variables: Vec<ComprehensionVariable>,
    /// The element as written; its parts if it is a tuple.
    pub parts: Rc<[Rc<str>]>,
}

/// A variable of a comprehension.
#[derive(Debug, Clone)]
pub struct ComprehensionVariable {
    /// The name.
    pub name: Rc<str>,
    /// The slot of its value.
    pub slot: usize,
}

/// A clause of a comprehension, a graph line or a move.
#[derive(Debug, Clone)]
pub enum CheckedClause {
    /// `for x in xs`. The slots take each element, or its parts if it is a tuple.
    For(Vec<usize>, CheckedExpr),
    /// `if c`.
    If(CheckedExpr),
}

/// A field of a rules literal.
#[derive(Debug, Clone)]
pub enum RulesField {
    /// A field whose value is known before running.
    Known(crate::rules::FieldValue),
    /// A field whose value contains a number: `pay: taxman(t)`, `precision: 1e-30`.
    Number(crate::rules::Numeric, CheckedExpr),
}

impl RulesField {
    /// Returns the expression of the field's number, if it is not known before running.
    pub fn number(&self) -> Option<&CheckedExpr> {
        match self {
            Self::Known(_) => None,
            Self::Number(_, number) => Some(number),
        }
    }
}

/// One move of an `after` list.
#[derive(Debug, Clone)]
pub struct CheckedPly {
    /// The player who moves.
    pub player: Player,
    /// The move as the program prints it.
    pub action: Action,
    /// The place of the whole ply.
    pub span: Span,
}

/// A move as written.
#[derive(Debug, Clone)]
pub enum Action {
    /// `place(1, 1)`: the name of a ruleset's move and its arguments.
    Named(String, Vec<CheckedExpr>),
    /// The head of the edge that is played.
    Vertex(CheckedExpr),
}

impl Action {
    /// Returns the expressions in the move.
    pub fn parts(&self) -> &[CheckedExpr] {
        match self {
            Self::Named(_, arguments) => arguments,
            Self::Vertex(vertex) => std::slice::from_ref(vertex),
        }
    }
}

/// A line of an explicit graph. See [`crate::syntax::ast::GraphItemKind`].
#[derive(Debug, Clone)]
pub struct CheckedGraphItem {
    /// The kind of line, with its parts.
    pub kind: CheckedGraphItemKind,
    /// The clauses after it.
    pub clauses: Vec<CheckedClause>,
    /// The place of the whole line.
    pub span: Span,
}

/// The kinds of graph lines.
#[derive(Debug, Clone)]
pub enum CheckedGraphItemKind {
    /// `start x`.
    Start(CheckedExpr),
    /// `both a <-> b, c`.
    Edges {
        /// The owners: one player or both.
        owners: Vec<Player>,
        /// The tail.
        from: CheckedExpr,
        /// `true` for `<->`.
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
        /// The owners that replace those in the file. If there are none, the file's owners are
        /// kept.
        owners: Vec<Player>,
        /// The path as it is written.
        path: Rc<str>,
        /// `turns`: a player who alone has edges at a vertex moves there without a bid.
        turns: bool,
        /// The folder of the source that names the file.
        folder: Rc<Path>,
        /// The place of the path.
        span: Span,
    },
    /// `win alice: x, y`, `draw: x`.
    Ending(crate::player::Ending, Vec<CheckedExpr>),
    /// `score e: x, y`: endings with this score for Alice.
    ScoredEnding(CheckedExpr, Vec<CheckedExpr>),
    /// `turn alice: x`, `accepting: x, y` and similar lines.
    Mark(CheckedMark, Vec<CheckedExpr>),
}

impl CheckedGraphItemKind {
    /// Returns the expressions in the line, without those of its clauses.
    pub fn parts(&self) -> Vec<&CheckedExpr> {
        match self {
            Self::Start(vertex) => vec![vertex],
            Self::Edges {
                from,
                to,
                score,
                weight,
                ..
            } => {
                let numbers = score.iter().chain(weight);
                std::iter::once(from).chain(to).chain(numbers).collect()
            }
            Self::File { .. } => Vec::new(),
            Self::Ending(_, vertices) => vertices.iter().collect(),
            Self::ScoredEnding(score, vertices) => std::iter::once(score).chain(vertices).collect(),
            Self::Mark(mark, vertices) => {
                let number = match mark {
                    Mark::Turn(_) | Mark::Accepting => None,
                    Mark::Priority(number) | Mark::Weight(number) | Mark::Income(_, number) => {
                        Some(number)
                    }
                };
                number.into_iter().chain(vertices).collect()
            }
        }
    }
}

/// A property that lines give to vertices.
pub type CheckedMark = Mark<CheckedExpr>;

/// A ruleset as a template, whose parameters have no values yet.
#[derive(Debug)]
pub struct RulesetTemplate {
    /// Its name.
    pub name: String,
    /// The names of its parameters, which take the first slots of the frame. `None` without
    /// parentheses.
    pub parameters: Option<Vec<String>>,
    /// The number of slots of a frame: parameters, then the variables of clauses and the parameters
    /// of `let` lines.
    pub frame: usize,
    /// The state variables in order.
    pub state: Vec<StateVariable>,
    /// The `let` lines in order. Each may use those before it.
    pub lets: Vec<RuleLet>,
    /// The `move` lines in order.
    pub moves: Vec<MoveRule>,
    /// The `win`, `draw` and `score … if` lines in order.
    pub endings: Vec<EndingRule>,
    /// The `turn` lines in order.
    pub turns: Vec<TurnRule>,
    /// The `income` lines in order.
    pub incomes: Vec<IncomeRule>,
    /// The `stuck` line.
    pub stuck: Option<StuckRule>,
    /// The `symmetry` lines: the index of the state variable, the symmetries, and the place.
    pub symmetries: Vec<(usize, SymmetryKind, Span)>,
    /// The place of the name.
    pub span: Span,
}

/// `state name = initial`.
#[derive(Debug, Clone)]
pub struct StateVariable {
    /// Its name.
    pub name: String,
    /// The initial value. It may use parameters, but not the earlier state variables.
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
    /// The players who may make the move: one or both.
    pub players: Vec<Player>,
    /// Its name.
    pub name: String,
    /// The values printed between the parentheses.
    pub arguments: Vec<CheckedExpr>,
    /// The clauses in order.
    pub clauses: Vec<CheckedClause>,
    /// The updates of the state.
    pub updates: Vec<CheckedUpdate>,
    /// The place of the whole line.
    pub span: Span,
}

/// An update of a move.
#[derive(Debug, Clone)]
pub enum CheckedUpdate {
    /// `x = e`, `board[c] = e`.
    Assign {
        /// The state variable.
        target: usize,
        /// The indices, if the target is one cell or element.
        indices: Vec<CheckedExpr>,
        /// `=`, `+=`, `-=`.
        op: AssignOp,
        /// The value.
        value: CheckedExpr,
        /// The place of the whole update.
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
        /// The place of the whole update.
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
    /// The result.
    pub result: EndingResult,
    /// The condition. If the result is [`EndingResult::WinMe`], `me` in it stands for each player
    /// in turn.
    pub condition: CheckedExpr,
    /// The place of the whole line.
    pub span: Span,
}

/// An `income` line of a ruleset.
#[derive(Debug, Clone)]
pub struct IncomeRule {
    /// The player who receives it.
    pub player: Player,
    /// The part of all money.
    pub part: CheckedExpr,
    /// The condition under which it is received.
    pub condition: CheckedExpr,
}

/// A line that gives a player moves without a bid.
#[derive(Debug, Clone)]
pub struct TurnRule {
    /// The player who moves.
    pub player: CheckedExpr,
    /// The condition under which the player moves.
    pub condition: CheckedExpr,
}

/// The result of a line that ends the game.
#[derive(Debug, Clone)]
pub enum EndingResult {
    /// `win alice`, `win EXPR`: a win of the player that the expression names.
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
