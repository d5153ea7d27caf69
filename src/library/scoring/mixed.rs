//! Scores with mixed bids: `value`, and `nash` for games with scores.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::diagnostic::Result;
use crate::eval::{Builtin, Call, Evaluator, graphs};
use crate::game::{Explored, NodeId};
use crate::ir::{Kinds, Value};
use crate::library::GAME_AND_CHIPS;
use crate::library::play::strategy::ply_to;
use crate::library::scoring::pure::{ScoringPosition, scoring};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{
    DecisionRange, MixedBid, MixedMeasure, Nash, Report, ReportedDecision, Weight,
};
use crate::rules::Purses;
use crate::rules::admit::ChipsQuestion;
use crate::scalar::Scalar;
use crate::solve::law::decision::{Choice, Decision, decisions, movers};
use crate::solve::scoring::Mixed;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "value"(GAME_AND_CHIPS) -> Kinds::NUMBER, Some(graphs), value,
        "The exact value of G with these chips when bids may be mixed: the equilibrium score, also where no equilibrium is \
         pure.",
        "value(graph {\n start x\n both x -> y score 3\n draw: y\n}, 1*, 1) using larsson" => "3";
};

fn value(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (subject, purses) = subject(evaluator, call, call.game())?;
    let units = Mixed::new(subject.solved(), evaluator.context).value(subject.node, &purses)?;
    Ok(Value::rational(score(&subject, units)))
}

fn subject(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
) -> Result<(ScoringPosition, Purses)> {
    let purses = evaluator.purses(call, ChipsQuestion::Score)?;
    Ok((scoring(evaluator, game, purses.total(), call.span)?, purses))
}

fn score(subject: &ScoringPosition, units: BigRational) -> BigRational {
    units / BigInt::from(subject.scores.denominator())
}

/// Evaluates `nash(G, a, b)` for a game with scores.
pub(crate) fn nash(evaluator: &mut Evaluator<'_>, call: &Call<'_>, game: GameId) -> Result<Value> {
    let (subject, purses) = subject(evaluator, call, game)?;
    let (solved, node) = (subject.solved(), subject.node);
    let mut mixed = Mixed::new(solved, evaluator.context);
    let value = Scalar::from(&score(&subject, mixed.value(node, &purses)?));
    let report = |method, players| {
        let nash = Nash {
            worth: MixedMeasure::Score,
            value,
            method,
            players,
        };
        Ok(Value::answer(Report::Nash(nash)))
    };
    if subject.is_over() {
        return report("the score of the ending", Vec::new());
    }
    // If maximin and minimax agree, single bids are an equilibrium and no matrix is solved.
    let pure = solved.values.at(node, &purses).value().is_some();
    let bids = if pure {
        let context = evaluator.context;
        let certain = |player| -> Result<_> {
            let bid = solved.bid(player, node, &purses, context)?.bid;
            Ok(vec![(bid, BigRational::one())])
        };
        PerPlayer::new(certain(Player::Alice)?, certain(Player::Bob)?)
    } else {
        let found = mixed.bids(node, &purses)?;
        let made = |weights: Vec<BigRational>| {
            (0..)
                .zip(weights)
                .filter(|(_, weight)| !weight.is_zero())
                .collect()
        };
        PerPlayer::new(made(found.rows), made(found.columns))
    };
    let position = BidPosition {
        explored: &subject.explored,
        node,
        game,
        purses: &purses,
    };
    let mut players = Vec::new();
    for player in Player::BOTH {
        let made: Vec<u64> = bids[player].iter().map(|(bid, _)| *bid).collect();
        let decisions = position.decided(evaluator, player, &made, |winner, left| {
            let found = if winner == player {
                mixed.decision(node, left, player)
            } else {
                mixed.moved(node, player, left)
            };
            found.map(|found| found.choice)
        })?;
        let weighted = bids[player]
            .iter()
            .map(|(bid, weight)| (BigInt::from(*bid), Weight::Exact(weight.clone())));
        players.push(MixedBid {
            player,
            chips: purses.words(player),
            bids: weighted.collect(),
            decisions,
        });
    }
    report(
        if pure {
            "backward induction: an equilibrium is pure"
        } else {
            "exact matrix games"
        },
        players,
    )
}

/// A position where both players bid, with their purses.
pub(crate) struct BidPosition<'p> {
    pub(crate) explored: &'p Explored,
    pub(crate) node: NodeId,
    pub(crate) game: GameId,
    pub(crate) purses: &'p Purses,
}

impl BidPosition<'_> {
    /// Returns a player's decisions after one of these bids, as reports show them: after winning, and
    /// if the opponent makes the player move. `choice` takes the winner of the bid and the purses
    /// left.
    pub(crate) fn decided(
        &self,
        evaluator: &mut Evaluator<'_>,
        player: Player,
        bids: &[u64],
        mut choice: impl FnMut(Player, &Purses) -> Result<Choice>,
    ) -> Result<Vec<DecisionRange>> {
        let (graph, rules, other) = (&self.explored.graph, evaluator.rules(), player.other());
        // At a vertex with an owner there is no bid that the opponent could win.
        let is_made_to_move = graph.owner(self.node).is_none()
            && movers(graph, self.node, other, rules.winner).contains(&player);
        let mut decided = Vec::new();
        for winner in [player].into_iter().chain(is_made_to_move.then_some(other)) {
            let choice = |left: &Purses| choice(winner, left);
            for found in decisions(&rules, self.purses, player, bids, winner, choice)? {
                decided.push(self.in_words(evaluator, &found, player, winner)?);
            }
        }
        Ok(decided)
    }

    fn in_words(
        &self,
        evaluator: &mut Evaluator<'_>,
        found: &Decision,
        player: Player,
        winner: Player,
    ) -> Result<DecisionRange> {
        let Decision { choice, .. } = found;
        let chips = |player| (found.least.words(player), found.most.words(player));
        let ply = ply_to(evaluator, choice.to, self.game, choice.mover, self.explored)?;
        Ok(DecisionRange {
            won: winner == player,
            chips: chips(player),
            against: found.needs_both.then(|| chips(player.other())),
            position: ply.position.clone(),
            decision: if choice.mover == player {
                ReportedDecision::Move(ply)
            } else {
                ReportedDecision::LetMove(choice.mover)
            },
        })
    }
}
