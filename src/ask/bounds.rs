//! Bounds by truncation: what a game is worth if every play of more than so many moves is one
//! player's.

use std::rc::Rc;

use num_rational::BigRational;

use super::{About, Answer, Ask, Question};
use crate::diagnostic::Result;
use crate::game::ruleset::{Numbering, Product};
use crate::player::Player;
use crate::solve::chips::Threshold;
use crate::solve::richman;
use crate::solve::truncation::{self, Truncated};

/// Bounds of a game that is truncated.
pub enum Bounded {
    /// On its Richman value.
    Shares([BigRational; 2]),
    /// On Alice's threshold.
    Chips([Threshold; 2]),
}

/// How far play goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth {
    /// After so many moves it is stopped.
    pub moves: u32,
    /// Whether lines that may still be completed count there, where no graph is needed.
    pub lines: bool,
}

/// A position whose moves change one of its parts each.
#[derive(Debug)]
pub(super) struct ProductPosition {
    product: Product,
    numbering: Rc<Numbering>,
    /// The position, as part of the checkpoint's identity.
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
    /// Whether bounds are worked out by the number of moves made, without a graph; on how many
    /// positions.
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
        // The method begins with what the plan has looked at.
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
        // As many moves more as count where play is stopped, or one, to know whether there is one.
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

    /// Bounds by the number of moves made.
    pub(super) fn by_truncation(&mut self, question: &Question) -> Result<Option<Answer>> {
        let About::Truncated { depth, total } = question.about else {
            unreachable!("no other question is answered by truncation")
        };
        let known = self.memory.parts.take();
        let known = known.filter(|(game, of, _)| (*game, *of) == (question.game, depth));
        let parts = match known {
            Some((.., parts)) => Some(parts),
            None => self.parts(question, depth)?,
        };
        let Some(parts) = parts else {
            return Ok(None);
        };
        let (truncated, rules) = (parts.truncated(depth), &question.rules);
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

    /// Bounds by the games in which longer plays are Alice's wins, and Bob's.
    pub(super) fn by_cut_games(&mut self, question: &Question) -> Result<Answer> {
        let About::Truncated { depth, total } = question.about else {
            unreachable!("no other question is answered by truncation")
        };
        let [low, high] =
            Player::BOTH.map(|winner| self.games.cut(question.game, depth.moves, winner));
        let rules = &question.rules;
        Ok(Answer::Bounded(match total {
            // Where a threshold is itself enclosed, the outer ends hold.
            None => Bounded::Shares([self.share(low, rules)?.low, self.share(high, rules)?.high]),
            Some(total) => {
                let mut threshold = |game| -> Result<Threshold> {
                    Ok(self.thresholds(game, &[total], rules)?.remove(0))
                };
                Bounded::Chips([threshold(low)?, threshold(high)?])
            }
        }))
    }
}
