//! Layer by layer: solving rulesets every move of which lowers one count ([`measure`]), without
//! storing a graph.
//!
//! The positions of one measure are a *layer*; moves lead from a layer to later ones only. First
//! the layers are found one after another ([`generate`]): what the moves of a layer lead to is
//! sorted and kept once, symmetric positions as one. Then they are solved from the last one back
//! ([`solve`]): the moves are made again, their heads sorted and found in the later layers
//! ([`heads`]), of which the values are kept as long as an earlier layer can lead there.
//!
//! Everything is read and written in the order of the keys and in chunks ([`key`]), which are
//! compressed and kept on the disk, if there is one, where there is no room in memory. Both halves
//! go on from where they were left there.

mod generate;
mod heads;
mod key;
pub(super) mod measure;
mod merge;
mod solve;

use std::collections::BTreeMap;
use std::ops::Range;

use self::generate::{Layers, LayersHalt, LayersTask, Level};
use self::heads::{Expanded, Heads};
use self::measure::MeasureSearch;
use crate::diagnostic::Result;
use crate::game::ruleset::{Ruleset, State};
use crate::player::Player;
use crate::rules::Stuck;
use crate::store::Vault;
use crate::watch::Context;

pub use self::solve::value;

/// How often a measure may turn out to be wrong.
const ATTEMPTS: usize = 20;

/// What is to be found out of layers.
pub trait LayersQuestion {
    /// What is found.
    type Output;

    /// The most moves that a play may have for it to be found.
    fn most_plies(&self) -> u32 {
        u32::MAX
    }

    /// Finds it.
    ///
    /// # Errors
    /// If the work is stopped, or the disk fails.
    fn ask(&self, layers: &dyn LayeredSpace<'_>) -> Result<Self::Output>;
}

/// Layers, whatever the width of their keys: what it takes to run a theory over them.
pub trait LayeredSpace<'a>: Sync {
    /// Which game, from where, in which layers.
    fn task(&self) -> &LayersTask<'a>;

    /// Where the keys are.
    fn vault(&self) -> &Vault<'a>;

    /// What tells these layers from others.
    fn identity(&self) -> &str;

    /// The most levels that a move goes down.
    fn greatest_drop(&self) -> Level;

    /// By level: how many positions each chunk has.
    fn lengths(&self) -> BTreeMap<Level, Vec<u32>>;

    /// Makes the moves of some chunks of a level, and finds the positions that they lead to.
    ///
    /// # Errors
    /// If a position cannot be evaluated, the disk fails, or these are not the layers of the game.
    fn expand(&self, level: Level, chunks: Range<usize>, seeker: Player) -> Result<Expanded>;

    /// The first position of a chunk.
    fn first(&self, level: Level, chunk: usize) -> State;

    /// Finds positions; their places are those of the list.
    ///
    /// # Errors
    /// As [`Self::expand`].
    fn find(&self, positions: &[&State]) -> Result<Vec<Heads>>;

    /// No play has more moves.
    fn plies(&self) -> u32 {
        u32::try_from(self.lengths().len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

/// Whether it seems that a ruleset is of this kind, going by games played at random from a
/// position.
///
/// # Errors
/// If a position cannot be evaluated, or the work is stopped.
pub fn exist(ruleset: &Ruleset, start: &State, context: &Context<'_>) -> Result<bool> {
    if !is_suited(ruleset) {
        return Ok(false);
    }
    let start = ruleset.canonical(start.clone());
    Ok(MeasureSearch::new(ruleset, &start)?
        .measure(context)?
        .is_some())
}

/// Whether plays end by wins, losses and draws, after moves that change something, at positions of
/// a few words.
fn is_suited(ruleset: &Ruleset) -> bool {
    !ruleset.is_scored() && ruleset.stuck() != Stuck::Passes && ruleset.words() <= 4
}

/// Answers a question about a position of a ruleset; `None` if the ruleset is not of this kind.
///
/// # Errors
/// If a position cannot be evaluated, the work is stopped, or there is too little memory.
pub fn ask<Q: LayersQuestion>(
    ruleset: &Ruleset,
    start: &State,
    question: &Q,
    context: &Context<'_>,
) -> Result<Option<Q::Output>> {
    let answer = match ruleset.words() {
        _ if !is_suited(ruleset) => Ok(None),
        1 => ask_wide::<Q, 1>(ruleset, start, question, context),
        2 => ask_wide::<Q, 2>(ruleset, start, question, context),
        3 | 4 => ask_wide::<Q, 4>(ruleset, start, question, context),
        _ => Ok(None),
    };
    answer.map_err(|error| ruleset.blame_growth(error))
}

fn ask_wide<Q: LayersQuestion, const W: usize>(
    ruleset: &Ruleset,
    start: &State,
    question: &Q,
    context: &Context<'_>,
) -> Result<Option<Q::Output>> {
    let start = ruleset.canonical(start.clone());
    let mut search = MeasureSearch::new(ruleset, &start)?;
    let mut whole = true;
    let domain = context.disk.map(|_| ruleset.domain());
    for _ in 0..ATTEMPTS {
        let Some(measure) = search.measure(context)? else {
            return Ok(None);
        };
        let (plies, proved) = (question.most_plies(), ruleset.is_symmetric_from(&start));
        let task = LayersTask {
            ruleset,
            start: &start,
            measure: &measure,
            plies,
            proved,
            domain: domain.as_ref(),
            context,
        };
        match Layers::<W>::generate(task) {
            Ok(layers) => match question.ask(&layers) {
                Err(error) if whole && layers.clear_if_to_blame(&error)? => whole = false,
                answered => return answered.map(Some),
            },
            Err(LayersHalt::NotLowered(from, to)) => search.learn(&from, &to),
            Err(LayersHalt::TooLong) => return Ok(None),
            Err(LayersHalt::Stopped(stopped)) => return Err(stopped),
        }
    }
    Ok(None)
}
