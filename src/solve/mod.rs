//! Exact values of every vertex of a frozen game graph: a module for each theory.

pub mod richman;
