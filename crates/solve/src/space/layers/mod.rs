//! Layer-by-layer solution of rulesets in which every move lowers one count ([`measure`]), without
//! storing a graph.
//!
//! The positions of one measure form a *layer*; moves lead from a layer to later ones only. First
//! the layers are generated one after another ([`generate`]): the targets of a layer's moves are
//! sorted and stored once, symmetric positions as one. Then they are solved from the last one back
//! ([`solve`]): the moves are made again, and their targets are sorted and looked up in the later
//! layers ([`heads`]), whose values are kept as long as moves of an earlier layer can lead there.
//!
//! All data is read and written in the order of the keys and in chunks ([`key`]), which are
//! compressed, and stored on the disk, if there is one, when memory is short. Both phases can be
//! interrupted and resumed from the disk.

mod generate;
mod heads;
pub(crate) mod key;
pub(crate) mod measure;
mod merge;
mod solve;

use std::collections::BTreeMap;
use std::ops::Range;

use self::generate::{Layers, LayersTask, Level};
use self::heads::{Expanded, Heads};
use self::measure::MeasureSearch;
use crate::diagnostic::Result;
use crate::game::ruleset::{Ruleset, State};
use crate::player::Player;
use crate::rules::Stuck;
use crate::space::store::Tables;
use crate::watch::Context;

pub use self::solve::value;

/// A question that layers answer.
pub type LayersQuestion<'q, R> = dyn Fn(&dyn LayeredSpace<'_>) -> Result<R> + 'q;

/// Layers with keys of any width: the interface for running a theory over them.
pub trait LayeredSpace<'a>: Sync {
    /// Returns the game, the start and the measure of the layers.
    fn task(&self) -> &LayersTask<'a>;

    /// Returns the tables that store the keys.
    fn tables(&self) -> &Tables<'a>;

    /// Returns the text that identifies these layers.
    fn identity(&self) -> &str;

    /// Returns the greatest number of levels that a move goes down.
    fn greatest_drop(&self) -> Level;

    /// Returns the number of positions of each chunk, by level.
    fn lengths(&self) -> BTreeMap<Level, Vec<u32>>;

    /// Makes the moves of some chunks of a level, and finds the positions that they lead to.
    ///
    /// # Errors
    /// If a position cannot be evaluated, the disk fails, or these are not the layers of the game.
    fn expand(&self, level: Level, chunks: Range<usize>, seeker: Player) -> Result<Expanded>;

    /// Returns the first position of a chunk.
    fn first(&self, level: Level, chunk: usize) -> State;

    /// Finds positions; the places in the result are their indices in the list.
    ///
    /// # Errors
    /// As [`Self::expand`].
    fn find(&self, positions: &[&State]) -> Result<Vec<Heads>>;

    /// Returns an upper bound on the number of moves of a play.
    fn plies(&self) -> u32 {
        u32::try_from(self.lengths().len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

/// Returns `true` if a ruleset seems to be of this kind, judging by games played at random from a
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

/// Returns `true` if plays end by wins, losses and draws, nobody passes, and positions have a few
/// words.
fn is_suited(ruleset: &Ruleset) -> bool {
    // A pass would lead to the position itself, which no measure lowers.
    !ruleset.is_scored() && ruleset.stuck() != Stuck::Passes && ruleset.words() <= 4
}

/// Answers a question about a position of a ruleset; returns `None` if the ruleset is not of this
/// kind, or a play may have more than `plies` moves.
///
/// # Errors
/// If a position cannot be evaluated, the work is stopped, or there is too little memory.
pub fn ask<R>(
    ruleset: &Ruleset,
    start: &State,
    plies: u32,
    question: &LayersQuestion<'_, R>,
    context: &Context<'_>,
) -> Result<Option<R>> {
    let mut answer = None;
    let mut answering = |layers: &dyn LayeredSpace<'_>| {
        answer = Some(question(layers)?);
        Ok(())
    };
    let mut asking = LayersAsking {
        ruleset,
        start,
        plies,
        answering: &mut answering,
        context,
    };
    let found = match ruleset.words() {
        _ if !is_suited(ruleset) => Ok(false),
        1 => asking.ask::<1>(),
        2 => asking.ask::<2>(),
        // Three words are padded to four, since each width is compiled apart.
        3 | 4 => asking.ask::<4>(),
        _ => Ok(false),
    };
    let found = found.map_err(|error| ruleset.blame_growth(error, &[]))?;
    Ok(answer.filter(|_| found))
}

/// A question about a position, of whatever kind.
struct LayersAsking<'a> {
    ruleset: &'a Ruleset,
    start: &'a State,
    /// The greatest number of moves of a play for which the question can be answered.
    plies: u32,
    answering: &'a mut dyn FnMut(&dyn LayeredSpace<'_>) -> Result<()>,
    context: &'a Context<'a>,
}

impl LayersAsking<'_> {
    /// Answers the question with keys of W words; returns `false` if the ruleset is not of this
    /// kind.
    fn ask<const W: usize>(&mut self) -> Result<bool> {
        let Self {
            ruleset,
            plies,
            context,
            ..
        } = *self;
        let start = ruleset.canonical(self.start.clone());
        let domain = context.own_disk().map(|_| ruleset.domain());
        let found = measure::attempt(ruleset, &start, context, |measure| {
            let task = LayersTask {
                ruleset,
                start: &start,
                measure,
                plies,
                proved: ruleset.is_symmetric_from(&start),
                domain: domain.as_ref(),
                context,
            };
            let layers = Layers::<W>::generate(task)?;
            match (self.answering)(&layers) {
                // If the files may be wrong they are removed, and the question is asked once more.
                Err(error) if layers.clear_if_to_blame(&error)? => drop(layers),
                answered => return Ok(answered?),
            }
            Ok((self.answering)(&Layers::<W>::generate(task)?)?)
        })?;
        Ok(found.is_some())
    }
}
