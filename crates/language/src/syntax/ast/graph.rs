//! The lines of `graph { … }`.

use super::{Clause, Expr};
use crate::player::Player;
use crate::source::Span;

/// A line of `graph { … }` (the heading "Graphs").
#[derive(Debug, Clone, PartialEq)]
pub struct GraphItem {
    /// Which kind, and its parts.
    pub kind: GraphItemKind,
    /// The `for` and `if` clauses after it.
    pub clauses: Vec<Clause>,
    /// The whole line.
    pub span: Span,
}

/// The kinds of graph lines. Nodes are expressions; a name without another meaning is a label.
#[derive(Debug, Clone, PartialEq)]
pub enum GraphItemKind {
    /// `start x`.
    Start(Expr),
    /// `alice a -> b, c`, `both a <-> b`.
    Edges {
        /// Whose edges; `None` for `both`.
        owner: Option<Player>,
        /// The tail.
        from: Expr,
        /// `<->` rather than `->`.
        two_way: bool,
        /// The heads.
        to: Vec<Expr>,
        /// `score e`: what the move is worth.
        score: Option<Expr>,
        /// `weight e`: what the move adds to the mean payoff, whoever makes it.
        weight: Option<Expr>,
    },
    /// `edges "roads.csv"`.
    File {
        /// Whose edges they are: players instead of those that the file says; without any, as the
        /// file says.
        owners: Vec<Player>,
        /// The path.
        path: String,
        /// `turns`: where one player alone has edges, that player moves without a bid.
        turns: bool,
        /// Its place.
        span: Span,
    },
    /// `win alice: x, y`.
    Win(Player, Vec<Expr>),
    /// `draw: x, y`.
    Draw(Vec<Expr>),
    /// `score e: x, y`.
    Score(Expr, Vec<Expr>),
    /// `turn alice: x`, `accepting: x, y`, `priority e: x`, `weight e: x`.
    Mark(Mark, Vec<Expr>),
}

/// What lines say of vertices: who moves there without a bid, and what they mean to play without
/// end.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// `turn alice`
    Turn(Player),
    /// `accepting`
    Accepting,
    /// `priority e`
    Priority(Expr),
    /// `weight e`
    Weight(Expr),
}
