//! The sources of a search's positions. Positions are made from each other by moves, and each has a
//! unique key of W words.

use super::bounds::TurnKind;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::ruleset::{MoveWalker, Ruleset, State, Stepper};
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, Player};
use crate::rules::Stuck;
use crate::space::layers::key::key_of;
use crate::space::layers::measure::{Attempt, Halt, Measure};

/// The position after a move.
#[derive(Debug, Clone, Copy)]
pub enum MoveHead<S, const W: usize> {
    /// The game has ended.
    Ended(Ending),
    /// The game goes on at the position with this key, reached by this step.
    Open([u64; W], S),
}

/// A player's move with its kind: moves of one kind tend to be good or bad at many positions alike.
#[derive(Debug, Clone, Copy)]
pub struct SearchMove<S, const W: usize> {
    pub player: Player,
    pub head: MoveHead<S, W>,
    pub kind: u32,
}

/// A set of positions, with one of them the current position.
pub trait Space<const W: usize>: Send {
    /// The data that leads from a position to the next one.
    type Step: Copy + Send;

    /// Returns the key of the current position; equivalent positions have the same key.
    fn key(&self) -> [u64; W];

    /// Returns the ending if the game has ended at the current position.
    ///
    /// # Errors
    /// Returns an error if the position cannot be evaluated.
    fn ending(&mut self) -> Result<Option<Ending>>;

    /// Calls `visit` with all moves from the current position, where the game has not ended. There
    /// are none if nobody can move.
    ///
    /// # Errors
    /// Returns an error if the position cannot be evaluated.
    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<Self::Step, W>)) -> Attempt<TurnKind>;

    /// Makes a step from the current position.
    fn make(&mut self, step: Self::Step);

    /// Takes the last step back.
    fn unmake(&mut self);
}

/// Represents positions as digits.
impl Space<1> for Stepper<'_> {
    type Step = u32;

    fn key(&self) -> [u64; 1] {
        [Stepper::key(self)]
    }

    fn ending(&mut self) -> Result<Option<Ending>> {
        Stepper::ending(self)
    }

    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<u32, 1>)) -> Attempt<TurnKind> {
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
                });
            })?;
            // A stuck player has no move to show the ending, so it counts as a move to it.
            if let (false, Some(ending)) = (any, self.stuck(player)) {
                visit(SearchMove {
                    player,
                    head: MoveHead::Ended(ending),
                    kind: 0,
                });
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
    /// Starts at a vertex.
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

    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<NodeId, 1>)) -> Attempt<TurnKind> {
        let here = self.here();
        for player in Player::BOTH {
            for to in self.graph.successors(here, player) {
                let open = MoveHead::Open([to.index() as u64], *to);
                let head = self.graph.ending(*to).map_or(open, MoveHead::Ended);
                let kind = fit::<u32>(to.index());
                visit(SearchMove { player, head, kind });
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

/// The positions of a ruleset whose moves lower a count, evaluated by its lines.
pub struct Walked<'a, const W: usize> {
    moves: MoveWalker<'a>,
    measure: &'a Measure,
    stuck: Stuck,
    path: Vec<[u64; W]>,
}

impl<'a, const W: usize> Walked<'a, W> {
    /// Starts at a position, which must be its own representative. The count is tested at every
    /// move.
    pub fn at(ruleset: &'a Ruleset, start: &State, measure: &'a Measure) -> Self {
        let moves = MoveWalker::new(ruleset, ruleset.is_symmetric_from(start));
        Self {
            moves,
            measure,
            stuck: ruleset.stuck(),
            path: vec![key_of(start.words())],
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

impl<const W: usize> Space<W> for Walked<'_, W> {
    type Step = [u64; W];

    fn key(&self) -> [u64; W] {
        self.here()
    }

    fn ending(&mut self) -> Result<Option<Ending>> {
        let (here, width) = (self.here(), self.width());
        self.moves.go_to(&here[..width])
    }

    fn expand(&mut self, visit: &mut impl FnMut(SearchMove<[u64; W], W>)) -> Attempt<TurnKind> {
        let (here, width) = (self.here(), self.width());
        let mut heads: Vec<(Player, [u64; W])> = Vec::new();
        // The walker may still be at the successor that was looked at last.
        self.moves.go_to(&here[..width])?;
        let owner = self.moves.owner()?;
        let level = self.measure.of(&here[..width]);
        for player in Player::BOTH
            .into_iter()
            .filter(|player| owner != Some(player.other()))
        {
            let stuck = self
                .moves
                .of(player, &mut |to| heads.push((player, key_of(to))))?;
            if let Some(ending) = stuck {
                visit(SearchMove {
                    player,
                    head: MoveHead::Ended(ending),
                    kind: 0,
                });
            }
        }
        debug_assert!(self.stuck != Stuck::Passes, "who passes stays");
        for (player, to) in heads {
            // Without this test a play could go round, and the search would never end.
            if self.measure.of(&to[..width]) >= level {
                return Err(Halt::NotLowered(
                    here[..width].to_vec(),
                    to[..width].to_vec(),
                ));
            }
            let ending = self.moves.go_to(&to[..width])?;
            let changed = here.iter().zip(&to).fold(0_u64, |kind, (from, to)| {
                // The bits that a move changes make its kind, so equal moves at different positions
                // share a score.
                (kind ^ from ^ to).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            });
            visit(SearchMove {
                player,
                head: ending.map_or(MoveHead::Open(to, to), MoveHead::Ended),
                kind: (changed >> 32) as u32,
            });
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
