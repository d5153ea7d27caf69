//! Exact values of every vertex of a frozen game graph: a module for each theory.

pub mod certify;
pub mod chips;
mod linear;
mod outcome;
pub mod richman;
pub mod strategy;

pub use outcome::Outcome;
