//! Games: expressions, explicit graphs ("networks"), rulesets, and the frozen graph that the solvers see.

mod explore;
mod expr;
mod graph;
mod network;
mod player;
pub mod ruleset;
mod scores;
mod weigh;

pub use explore::{Explored, Labelled, StateSpace, Successor, explore};
pub use expr::{GameExpr, GameId, Games, NetworkId, RulesetId};
pub use graph::{Components, Ending, GameGraph, GameGraphBuilder, NodeId, distances};
pub use network::{Head, Network, Vertex};
pub use player::{PerPlayer, Player};
pub use scores::{Score, Scores, ScoresBuilder};
pub(crate) use scores::{for_alice, narrow};
