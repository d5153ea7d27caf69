//! The lines of `graph { … }`.

use super::{Clause, Expr};
use crate::player::Player;
use crate::source::Span;

/// A line of `graph { … }` (the heading "Graphs").
#[derive(Debug, Clone, PartialEq)]
pub struct GraphItem {
    /// The kind of line, with its parts.
    pub kind: GraphItemKind,
    /// The `for` and `if` clauses after it.
    pub clauses: Vec<Clause>,
    /// The place of the whole line.
    pub span: Span,
}

/// The kinds of graph lines. Nodes are expressions, in which a name without another meaning is a
/// label.
#[derive(Debug, Clone, PartialEq)]
pub enum GraphItemKind {
    /// `start x`.
    Start(Expr),
    /// `alice a -> b, c`, `both a <-> b`.
    Edges {
        /// The owner of the edges, or `None` for `both`.
        owner: Option<Player>,
        /// The tail.
        from: Expr,
        /// `true` for `<->`, `false` for `->`.
        two_way: bool,
        /// The heads.
        to: Vec<Expr>,
        /// `score e`, the score of the move.
        score: Option<Expr>,
        /// `weight e`, the weight that the move adds to the mean payoff, whoever makes it.
        weight: Option<Expr>,
    },
    /// `edges "roads.csv"`.
    File {
        /// The owners that replace those in the file. If there are none, the file's owners are
        /// kept.
        owners: Vec<Player>,
        /// The path.
        path: String,
        /// `turns`: a player who alone has edges at a vertex moves there without a bid.
        turns: bool,
        /// The place of the path.
        span: Span,
    },
    /// `win alice: x, y`.
    Win(Player, Vec<Expr>),
    /// `draw: x, y`.
    Draw(Vec<Expr>),
    /// `score e: x, y`.
    Score(Expr, Vec<Expr>),
    /// `turn alice: x`, `accepting: x, y`, `priority e: x`, `weight e: x`, `income alice e: x`.
    Mark(Mark, Vec<Expr>),
}

/// A property that lines give to vertices: the player who moves there without a bid, the income
/// before a bid there, or their meaning in play without end.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark<E = Expr> {
    /// `turn alice`
    Turn(Player),
    /// `accepting`
    Accepting,
    /// `priority e`
    Priority(E),
    /// `weight e`
    Weight(E),
    /// `income alice e`
    Income(Player, E),
}
