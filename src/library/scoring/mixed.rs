//! Scores with mixed bids: `value`, and `nash` for games with scores.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::diagnostic::Result;
use crate::eval::{Builtin, Call, Evaluator, graphs};
use crate::game::{Explored, GameGraph, NodeId};
use crate::ir::{Kinds, Value};
use crate::library::GAME_AND_CHIPS;
use crate::library::play::strategy::ply_to;
use crate::library::scoring::pure::{ScoringPosition, scoring};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{
    DecisionRange, MixedBid, MixedMeasure, Nash, Report, ReportedDecision, Weight,
};
use crate::rules::admit::ChipsQuestion;
use crate::rules::{Purses, Winner};
use crate::scalar::Scalar;
use crate::solve::law::decision::{self, decisions, movers};
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
    let rules = evaluator.rules();
    let mut players = Vec::new();
    for player in Player::BOTH {
        let made: Vec<u64> = bids[player].iter().map(|(bid, _)| *bid).collect();
        let mut decided = Vec::new();
        for winner in deciders(&subject.explored.graph, node, player, rules.winner) {
            let choice = |left: &Purses| {
                let found = if winner == player {
                    mixed.decision(node, left, player)
                } else {
                    mixed.moved(node, player, left)
                };
                found.map(|found| found.choice)
            };
            let found = decisions(&rules, &purses, player, &made, winner, choice)?;
            let explored = &subject.explored;
            decided.extend(decided_in_words(
                evaluator, found, game, explored, player, winner,
            )?);
        }
        let weighted = bids[player]
            .iter()
            .map(|(bid, weight)| (BigInt::from(*bid), Weight::Exact(weight.clone())));
        players.push(MixedBid {
            player,
            chips: purses.words(player),
            bids: weighted.collect(),
            decisions: decided,
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

/// Returns the winners of a bid after whom a player has something to decide: the player, and the
/// opponent if that can make the player move.
pub(crate) fn deciders(
    graph: &GameGraph,
    node: NodeId,
    player: Player,
    rule: Winner,
) -> impl Iterator<Item = Player> + use<> {
    let is_made_to_move = movers(graph, node, player.other(), rule).contains(&player);
    [player]
        .into_iter()
        .chain(is_made_to_move.then_some(player.other()))
}

/// Returns a player's decisions after a bid that `winner` has won, as reports show them.
pub(crate) fn decided_in_words(
    evaluator: &mut Evaluator<'_>,
    found: Vec<decision::Decision>,
    game: GameId,
    explored: &Explored,
    player: Player,
    winner: Player,
) -> Result<Vec<DecisionRange>> {
    let mut decided = Vec::new();
    for decision::Decision {
        least,
        most,
        choice,
        needs_both,
    } in found
    {
        let chips = |player| (least.words(player), most.words(player));
        let ply = ply_to(evaluator, choice.to, game, choice.mover, explored)?;
        let position = ply.position.clone();
        let decision = if choice.mover == player {
            ReportedDecision::Move(ply)
        } else {
            ReportedDecision::LetMove(choice.mover)
        };
        decided.push(DecisionRange {
            won: winner == player,
            chips: chips(player),
            against: needs_both.then(|| chips(player.other())),
            decision,
            position,
        });
    }
    Ok(decided)
}
