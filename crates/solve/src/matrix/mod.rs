//! Zero-sum matrix games: each row is a choice of Alice's, each column one of Bob's, the entry what
//! she gets from him.
//!
//! By the minimax theorem (von Neumann, 1928) each player has a mixed choice that is optimal
//! whatever the other one does, and both guarantee the same value. With all entries positive they
//! are, up to scale, the optimal solutions of a linear program and its dual: maximise Σ y subject
//! to `M y ≤ 1`, `y ≥ 0`; then the value is `1 / Σ y` (Gale, Kuhn & Tucker, 1951).
//!
//! [`exact`] solves it in whole numbers; [`float`] quickly and without a promise, so that what it
//! finds has to be certified by both players' best responses.

pub mod exact;
pub mod float;

/// The value of a matrix game with an optimal mixed choice of each player.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixSolution<N> {
    /// The value that both players guarantee.
    pub value: N,
    /// The probabilities of Alice's rows.
    pub rows: Vec<N>,
    /// The probabilities of Bob's columns.
    pub columns: Vec<N>,
}
