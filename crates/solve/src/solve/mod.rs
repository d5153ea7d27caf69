//! Exact values of every vertex of a frozen game graph: a module for each theory. A [`theory`] of
//! values that follow from each other runs over any space: [`sweep`] does without the graph where
//! positions can be numbered, [`layers`] where every move changes a count in one direction.

pub mod all_pay;
pub mod budgets;
pub mod certify;
pub mod chips;
pub mod decision;
mod graphless;
pub mod layers;
mod linear;
pub mod matrix;
pub mod moves;
pub mod objective;
pub mod onward;
pub mod richman;
pub mod scoring;
pub mod search;
pub mod selection;
pub mod sequences;
mod spot;
pub mod strategy;
pub mod sweep;
pub mod theory;
pub mod truncation;
mod turns;
mod worklist;

pub use graphless::{Graphless, Layered, Numbered};
pub use spot::contradiction;
