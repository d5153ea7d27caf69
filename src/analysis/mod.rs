//! What an editor asks about texts: what is wrong with them, what stands at a place, where it is
//! declared and used, what may stand there, what each token is. Plain functions over data; nothing
//! is run.

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
