//! Random turns: the players hold and bid nothing, and a coin decides each turn.

use std::collections::HashMap;
use std::rc::Rc;

use super::{DecisionPoint, Dice, Held, PlayTheory};
use crate::ask::PositionValues;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Call, Evaluator, type_error};
use crate::game::{Explored, NodeId, print_game};
use crate::ir::{Function, Kinds, Operand, Value};
use crate::player::{PerPlayer, Player};
use crate::rules::Rules;
use crate::source::Span;
use crate::watch::{Context, Stop};

/// The budgets in random turns: nothing.
#[derive(Clone, Copy)]
pub(crate) struct NothingHeld;

impl Held for NothingHeld {
    type Bid = u64;

    const BIDS_IN_VAIN: bool = true;
    const IS_NOTHING: bool = true;

    fn any_bid(&self, _: Player, _: &Dice) -> u64 {
        0
    }

    fn settle(&self, _: &Rules, _: PerPlayer<u64>, _: Player) -> Self {
        Self
    }
}

impl PlayTheory for PositionValues {
    type Held = NothingHeld;

    fn bid(
        &self,
        _: Player,
        _: &DecisionPoint<'_, NothingHeld>,
        _: &Context<'_>,
    ) -> Result<u64, Stop> {
        Ok(0)
    }

    fn mover(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, NothingHeld>,
        _: &NothingHeld,
        told: PerPlayer<Option<NodeId>>,
    ) -> Player {
        let goes =
            |player: Player| told[player].or_else(|| self.best(spot.graph, spot.node, player));
        match (goes(player), goes(player.other())) {
            (Some(own), Some(other)) if self.rather_lets(spot.node, player, own, other) => {
                player.other()
            }
            _ => player,
        }
    }

    fn destination(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, NothingHeld>,
        _: &NothingHeld,
    ) -> Option<NodeId> {
        self.best(spot.graph, spot.node, player)
    }
}

/// A strategy that the user gives, with its choices so far.
pub(crate) struct UserStrategy {
    function: Rc<Function>,
    span: Span,
    known: HashMap<NodeId, NodeId>,
}

impl UserStrategy {
    /// Returns a player's strategy, if the call gives one.
    pub(crate) fn new(call: &Call<'_>, player: Player) -> Option<Self> {
        let Operand { value, span } = call.option(player.word())?;
        let Value::Function(function) = value else {
            return None;
        };
        Some(Self {
            function: Rc::clone(function),
            span,
            known: HashMap::new(),
        })
    }

    /// Drops the choices so far, because the vertices have changed.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Returns the vertex that the strategy chooses from a position, if its player can move there.
    pub(crate) fn choice(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        explored: &Explored,
        node: NodeId,
        player: Player,
    ) -> Result<Option<NodeId>> {
        let heads = explored.graph.successors(node, player);
        // A strategy need not have an answer for positions where its player cannot move.
        if heads.is_empty() {
            return Ok(None);
        }
        // A strategy depends on the position alone, so it is asked once for each vertex.
        if let Some(head) = self.known.get(&node) {
            return Ok(Some(*head));
        }
        let (function, span) = (&self.function, self.span);
        let position = explored.game(&mut evaluator.world.games, node);
        let said = evaluator.apply(
            function,
            vec![Operand::new(Value::Game(position), span)],
            span,
        )?;
        let head = match &said {
            Value::Game(to) => explored.node(&evaluator.world.games, *to),
            _ => return Err(type_error(span, Kinds::GAME, &said)),
        };
        let Some(head) = head.filter(|head| heads.contains(head)) else {
            return Err(no_move(
                &print_game(&evaluator.world.games, position),
                player,
                span,
            ));
        };
        self.known.insert(node, head);
        Ok(Some(head))
    }
}

fn no_move(position: &str, player: Player, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadMove, format!("this strategy makes no move of {}'s from {position}", player.name()))
        .label(span, "its value is not a position that can be moved to")
        .help("a strategy takes a position and gives the one to move to, as in `let s(G) = G after [alice place((0, 0))]`")
        .into()
}
