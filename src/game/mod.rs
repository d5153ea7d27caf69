//! Games: expressions, explicit graphs ("networks"), rulesets, and the frozen graph that the solvers see.

mod explore;
mod expr;
mod goals;
mod graph;
mod network;
mod player;
pub mod ruleset;
mod scores;
mod weigh;

pub use explore::{Blocks, Explored, Labelled, Near, StateSpace, Successor, explore, explore_ruleset, neighbourhood};
pub use expr::{GameExpr, GameId, Games, GamesMark, NetworkId, RulesetId};
pub use goals::Goals;
pub use graph::{Components, Ending, GameGraph, GameGraphBuilder, NodeId, distances};
pub use network::{Head, Marks, Network, Vertex};
pub use player::{PerPlayer, Player};
pub use scores::{Score, Scores, ScoresBuilder};
pub(crate) use scores::{for_alice, narrow};
