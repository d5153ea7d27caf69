//! Games: expressions, explicit graphs ("networks"), rulesets, and the frozen graph that the
//! solvers see.
//!
//! Nothing here knows who wins: the package says which positions there are and which moves, and the
//! solvers do the rest.

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use bid_language::{
    codec, convert, diagnostic, ir, parallel, player, rules, source, syntax, watch,
};

mod explore;
mod expr;
mod goals;
mod graph;
mod income;
mod moves;
mod network;
mod parts;
mod print;
pub mod ruleset;
mod scores;
mod sum;
mod weigh;

pub use explore::{Blocks, Explored, Neighbourhood, Positions, explore_ruleset, neighbourhood};
pub use expr::{Called, GameExpr, Games, GamesMark, NetworkId, RulesetId};
pub use goals::{EndlessMarks, EndlessPlay, Goals, MarkedGraph};
pub use graph::{Components, GameGraph, GameGraphBuilder, NodeId};
pub use network::{Edge, Head, Marks, Network, Vertex};
pub use parts::{Parts, RulesetPart};
pub use print::{
    deciding_cells, joined_sides, print_game, print_position, print_target, shows_hexagons,
};
pub use scores::{Score, Scores, ScoresBuilder};
pub use scores::{better, for_alice, narrow};
