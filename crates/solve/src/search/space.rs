//! Where the positions of a search come from: made from each other by moves, and each with a key of
//! W words that is its own.

use super::bounds::TurnKind;
use crate::diagnostic::{Diagnostic, Result};
use crate::game::ruleset::{Outlook, Ruleset, State, Stepper};
use crate::game::{GameGraph, NodeId};
use crate::layers::measure::Measure;
use crate::moves::MoveWalker;
use crate::player::{Ending, Player};
use crate::rules::Stuck;
use crate::watch::Stop;

/// Why a search does not go on.
#[derive(Debug)]
pub enum SearchHalt {
    /// Something is wrong, or the work was stopped.
    Stopped(Box<Diagnostic>),
    /// A move does not lower the count that every move should lower: from where to where.
    NotLowered(State, State),
}

/// What a step of a search gives, unless it halts.
pub type Searching<T> = std::result::Result<T, SearchHalt>;

impl From<Box<Diagnostic>> for SearchHalt {
    fn from(stopped: Box<Diagnostic>) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<Stop> for SearchHalt {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop.into())
    }
}

/// Where a move leads.
#[derive(Debug, Clone, Copy)]
pub enum MoveHead<S, const W: usize> {
    /// To an ending.
    Ended(Ending),
    /// To the position with this key, by this step.
    Open([u64; W], S),
}

/// A move of a player's, with what kind it is: moves of one kind are good or bad at many positions
/// alike.
#[derive(Debug, Clone, Copy)]
pub struct SearchMove<S, const W: usize> {
    pub player: Player,
    pub head: MoveHead<S, W>,
    pub kind: u32,
    /// Who can end the game there, as far as that is seen from here.
    pub outlook: Outlook,
    /// Who moves there without a bid, if it is somebody's turn and that is seen from here.
    pub owner: Option<Player>,
}

impl<S, const W: usize> SearchMove<S, W> {
    /// A move of which nothing is seen but where it leads.
    fn plain(player: Player, head: MoveHead<S, W>, kind: u32) -> Self {
        Self {
            player,
            head,
            kind,
            outlook: Outlook::default(),
            owner: None,
        }
    }
}

/// Positions.
pub trait Space<const W: usize>: Send {
    /// How a position is reached from the one before it.
    type Step: Copy + Send;

    /// The key of the position that it is at; positions that are alike have the same.
    fn key(&self) -> [u64; W];

    /// How the game has ended here, if it has.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    fn ending(&mut self) -> Result<Option<Ending>>;

    /// Calls `visit` with all moves from here, where the game has not ended; there is none where
    /// nobody can move.
    ///
    /// # Errors
    /// If the position cannot be evaluated.
    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<Self::Step, W>)) -> Searching<TurnKind>;

    /// Goes where a step leads.
    fn make(&mut self, step: Self::Step);

    /// Takes the last step back.
    fn unmake(&mut self);
}

/// Positions as digits.
impl Space<1> for Stepper<'_> {
    type Step = u32;

    fn key(&self) -> [u64; 1] {
        [Stepper::key(self)]
    }

    fn ending(&mut self) -> Result<Option<Ending>> {
        Stepper::ending(self)
    }

    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<u32, 1>)) -> Searching<TurnKind> {
        let owner = self.owner()?;
        for player in Player::BOTH
            .into_iter()
            .filter(|player| owner != Some(player.other()))
        {
            let mut any = false;
            self.moves(player, &mut |to| {
                any = true;
                let head = to
                    .ending
                    .map_or(MoveHead::Open([to.key], to.step), MoveHead::Ended);
                visit(SearchMove {
                    player,
                    head,
                    kind: to.kind,
                    outlook: to.outlook,
                    owner: to.owner,
                });
            })?;
            if let (false, Some(ending)) = (any, self.stuck(player)) {
                visit(SearchMove::plain(player, MoveHead::Ended(ending), 0));
            }
        }
        Ok(owner.map_or(TurnKind::Bid, |_| TurnKind::Owned))
    }

    fn make(&mut self, step: u32) {
        Stepper::make(self, step);
    }

    fn unmake(&mut self) {
        Stepper::unmake(self);
    }
}

/// The vertices of a graph without cycles.
pub struct Vertices<'a> {
    graph: &'a GameGraph,
    path: Vec<NodeId>,
}

impl<'a> Vertices<'a> {
    /// At a vertex.
    pub fn at(graph: &'a GameGraph, node: NodeId) -> Self {
        Self {
            graph,
            path: vec![node],
        }
    }

    fn here(&self) -> NodeId {
        *self
            .path
            .last()
            .expect("steps that were made are taken back, no others")
    }
}

impl Space<1> for Vertices<'_> {
    type Step = NodeId;

    fn key(&self) -> [u64; 1] {
        [self.here().index() as u64]
    }

    fn ending(&mut self) -> Result<Option<Ending>> {
        Ok(self.graph.ending(self.here()))
    }

    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<NodeId, 1>)) -> Searching<TurnKind> {
        let here = self.here();
        for player in Player::BOTH {
            for to in self.graph.successors(here, player) {
                let open = MoveHead::Open([to.index() as u64], *to);
                let head = self.graph.ending(*to).map_or(open, MoveHead::Ended);
                visit(SearchMove::plain(player, head, to.index() as u32));
            }
        }
        Ok(self
            .graph
            .owner(here)
            .map_or(TurnKind::Bid, |_| TurnKind::Owned))
    }

    fn make(&mut self, step: NodeId) {
        self.path.push(step);
    }

    fn unmake(&mut self) {
        self.path.pop();
    }
}

/// Positions of a ruleset whose moves lower a count, evaluated by its lines.
pub struct Walked<'a, const W: usize> {
    moves: MoveWalker<'a>,
    measure: &'a Measure,
    stuck: Stuck,
    path: Vec<[u64; W]>,
}

impl<'a, const W: usize> Walked<'a, W> {
    /// At a position, which must be its own representative. The count is tested at every move.
    pub fn at(ruleset: &'a Ruleset, start: &State, measure: &'a Measure) -> Self {
        let moves = MoveWalker::new(ruleset, ruleset.is_symmetric_from(start));
        Self {
            moves,
            measure,
            stuck: ruleset.stuck(),
            path: vec![padded(start.words())],
        }
    }

    fn here(&self) -> [u64; W] {
        *self
            .path
            .last()
            .expect("steps that were made are taken back, no others")
    }

    fn width(&self) -> usize {
        self.moves.words()
    }
}

/// A state's words with as many more as there is room for.
fn padded<const W: usize>(words: &[u64]) -> [u64; W] {
    std::array::from_fn(|word| words.get(word).copied().unwrap_or(0))
}

impl<const W: usize> Space<W> for Walked<'_, W> {
    type Step = [u64; W];

    fn key(&self) -> [u64; W] {
        self.here()
    }

    fn ending(&mut self) -> Result<Option<Ending>> {
        let (here, width) = (self.here(), self.width());
        self.moves.go_to(&here[..width])
    }

    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<[u64; W], W>)) -> Searching<TurnKind> {
        let (here, width) = (self.here(), self.width());
        let mut heads: Vec<(Player, [u64; W])> = Vec::new();
        self.moves.go_to(&here[..width])?;
        let owner = self.moves.owner()?;
        let level = self.measure.of(&here[..width]);
        for player in Player::BOTH
            .into_iter()
            .filter(|player| owner != Some(player.other()))
        {
            let stuck = self
                .moves
                .of(player, &mut |to| heads.push((player, padded(to))))?;
            if let Some(ending) = stuck {
                visit(SearchMove::plain(player, MoveHead::Ended(ending), 0));
            }
        }
        debug_assert!(self.stuck != Stuck::Passes, "who passes stays");
        for (player, to) in heads {
            if self.measure.of(&to[..width]) >= level {
                return Err(SearchHalt::NotLowered(
                    State::from_words(&here[..width]),
                    State::from_words(&to[..width]),
                ));
            }
            let ending = self.moves.go_to(&to[..width])?;
            let changed = here.iter().zip(&to).fold(0_u64, |kind, (from, to)| {
                (kind ^ from ^ to).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            });
            visit(SearchMove::plain(
                player,
                ending.map_or(MoveHead::Open(to, to), MoveHead::Ended),
                (changed >> 32) as u32,
            ));
        }
        Ok(owner.map_or(TurnKind::Bid, |_| TurnKind::Owned))
    }

    fn make(&mut self, step: [u64; W]) {
        self.path.push(step);
    }

    fn unmake(&mut self) {
        self.path.pop();
    }
}
