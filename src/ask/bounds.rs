//! Bounds by truncation: the value of a game in which every play longer than a given number of
//! moves is won by one player.

use std::rc::Rc;

use num_rational::BigRational;

use super::{About, Answer, Ask, Question};
use crate::diagnostic::Result;
use crate::game::ruleset::{Numbering, Product};
use crate::player::Player;
use crate::solve::chips::Threshold;
use crate::solve::richman;
use crate::solve::richman::taxman::Share;
use crate::solve::truncation::{self, Truncated};

/// Bounds on the value of a truncated game.
pub enum Bounded {
    /// Bounds on its Richman value.
    Shares([BigRational; 2]),
    /// Bounds on Alice's threshold.
    Chips([Threshold; 2]),
}

/// The depth at which play is truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth {
    /// The number of moves after which play is stopped.
    pub moves: u32,
    /// If set, lines that can still be completed count at that depth, where no graph is needed.
    pub lines: bool,
}

/// A position each of whose moves changes one of its parts.
#[derive(Debug)]
pub(super) struct ProductPosition {
    product: Product,
    numbering: Rc<Numbering>,
    /// The position in text, which is part of the checkpoint's identity.
    position: String,
    conjugated: bool,
}

impl ProductPosition {
    fn truncated(&self, Depth { moves, lines }: Depth) -> Truncated<'_> {
        Truncated {
            product: &self.product,
            moves,
            conjugated: self.conjugated,
            lines,
        }
    }
}

impl Ask<'_> {
    /// Returns the number of positions on which bounds are computed if they are computed by the
    /// number of moves made, without a graph; `None` otherwise.
    pub(super) fn positions_of_truncation(
        &mut self,
        question: &Question,
        depth: Depth,
        total: Option<u64>,
    ) -> Result<Option<u64>> {
        let is_for_layers = match total {
            None => richman::in_layers(&question.rules)?,
            Some(total) => truncation::odd_half(&question.rules, total)?.is_some(),
        };
        if !is_for_layers {
            return Ok(None);
        }
        let parts = self.parts(question, depth)?;
        let truncated = parts.as_ref().map(|parts| parts.truncated(depth));
        let positions = truncated
            .filter(|truncated| truncation::is_suited(*truncated))
            .map(truncation::positions);
        // The method starts from the parts that the plan has already built.
        self.memory.parts = parts.map(|parts| (question.game, depth, parts));
        Ok(positions)
    }

    fn parts(
        &mut self,
        question: &Question,
        Depth { moves, lines }: Depth,
    ) -> Result<Option<ProductPosition>> {
        let Some((id, state, conjugated)) = self.games.ruleset_state(question.game) else {
            return Ok(None);
        };
        let state = state.clone();
        let ruleset = Rc::clone(self.games.ruleset(id));
        let Some(numbering) = self.numbering(id)? else {
            return Ok(None);
        };
        // The product must reach as many further moves as count where play is stopped, or else one,
        // to show whether there is a move at all.
        let product = |more: u32| numbering.product(&ruleset, &state, moves.saturating_add(more));
        let onward = if lines { truncation::ONWARD } else { 1 };
        let product = product(onward).or_else(|| product(1));
        Ok(product.map(|product| ProductPosition {
            product,
            position: format!("{:?}", state.words()),
            numbering,
            conjugated,
        }))
    }

    /// Computes bounds by the number of moves made.
    pub(super) fn by_truncation(&mut self, question: &Question) -> Result<Option<Answer>> {
        let About::Truncated { depth, total } = question.about else {
            unreachable!("no other question is answered by truncation")
        };
        let known = self.memory.parts.take();
        // Parts of another game or depth may be left from a plan that was never carried out.
        let known = known.filter(|(game, of, _)| (*game, *of) == (question.game, depth));
        let parts = match known {
            Some((.., parts)) => Some(parts),
            None => self.parts(question, depth)?,
        };
        let Some(parts) = parts else {
            return Ok(None);
        };
        let (truncated, rules) = (parts.truncated(depth), &question.rules);
        // A checkpoint belongs to a position as well as to its ruleset.
        let identity = format!("{} at {}", parts.numbering.identity, parts.position);
        let bounded = self.with_room(|ask, context| {
            let told = (context, &mut *ask.warnings);
            match total {
                None => Ok(Some(Bounded::Shares(truncation::richman(
                    truncated, &identity, rules, told.0, told.1,
                )?))),
                Some(total) => {
                    let found =
                        truncation::chips(truncated, &identity, rules, total, told.0, told.1)?;
                    Ok(found.map(Bounded::Chips))
                }
            }
        })?;
        Ok(bounded.map(Answer::Bounded))
    }

    /// Computes bounds from the two games in which longer plays are wins of Alice and of Bob.
    pub(super) fn by_cut_games(&mut self, question: &Question) -> Result<Answer> {
        let About::Truncated { depth, total } = question.about else {
            unreachable!("no other question is answered by truncation")
        };
        let [low, high] = Player::both(|winner| self.games.cut(question.game, depth.moves, winner));
        let rules = &question.rules;
        Ok(Answer::Bounded(match total {
            // If a threshold is itself enclosed between bounds, the outer ends are valid bounds.
            None => {
                let mut share = |game| self.about::<Share>(game, About::Share, rules);
                Bounded::Shares([share(low)?.low, share(high)?.high])
            }
            Some(total) => {
                let mut threshold = |game| -> Result<Threshold> {
                    Ok(self.thresholds(game, &[total], rules)?.remove(0))
                };
                Bounded::Chips([threshold(low)?, threshold(high)?])
            }
        }))
    }
}
