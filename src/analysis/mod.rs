//! Answers the questions of an editor about texts: their errors, the item at a place, its
//! declaration and uses, the completions at a place, and the meaning of each token. Plain functions
//! over data; nothing is run.

mod ask;
mod complete;
mod place;
mod positions;
mod rename;
mod shape;
pub mod words;
mod workspace;

pub use ask::{CallAt, Description, Location, Meaning, Outline};
pub use complete::{
    Candidate, CandidateKind, Completion, Surroundings, complete, matching, paths, words_with_help,
};
pub use rename::Renamed;
pub use shape::{Fold, FoldKind};
pub use workspace::{Analysis, Use, Workspace};
