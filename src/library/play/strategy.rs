//! Advises a bid, and the decisions after it (`strategy`).

use num_rational::BigRational;

use crate::ask::{About, Around};
use crate::diagnostic::Result;
use crate::eval::{Builtin, Call, Evaluator, NamedMove, Placed};
use crate::game::{Explored, NodeId, for_alice, print_target};
use crate::ir::{Kinds, Parameter, Value};
use crate::library::asks;
use crate::library::scoring::advice;
use crate::library::values::real;
use crate::player::{GameId, Outcome, Player};
use crate::report::{
    ForcedPly, Report, ReportedAdvice, ReportedDecision, ReportedPly, ReportedPromise, Strategy,
};
use crate::rules::admit::ChipsQuestion;
use crate::rules::{BidKind, Purses};
use crate::solve::law::advice::Advice;
use crate::solve::law::decision::WinnerChoice;
use crate::solve::strategy::{Promise, Solution, Strategies};

const GAME_AND_BUDGETS: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("a", Kinds::HOLDING.or(Kinds::NUMBER)),
    Parameter::new("b", Kinds::HOLDING.or(Kinds::NUMBER)),
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "strategy"(GAME_AND_BUDGETS) -> Kinds::ANSWER, Some(asks::strategies), strategy,
        { income: true, endless: true }
        "An optimal bid and move with these chips, for the side that wins; for both sides, if the \
         game is a draw or has scores. A player who follows it gets what it promises, whatever the \
         opponent bids and does. Under `bids: real` a and b are any amounts of money, and the \
         promise holds whoever wins ties.",
        "strategy(A, 1*, 1)" => "alice wins",
        "strategy(E, 3, 2) using { bids: real }" => "alice wins\n  bid     5/2\n  if won  move to A";
};

fn strategy(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    if evaluator.rules().bids == BidKind::Real {
        evaluator.needs_endings("`strategy` with real bids", call.span)?;
        return real::strategy(evaluator, call, game);
    }
    let asked = evaluator.asked(game)?;
    let purses = evaluator.purses(call, asked)?;
    if asked == ChipsQuestion::Score {
        return advice::strategy(evaluator, call, game, purses);
    }
    let rules = evaluator.play_rules();
    let total = purses.total();
    let around = evaluator
        .ask()
        .about(game, About::Strategies(total), &rules);
    let around: Around<Solution> = around.placed(call.span)?;
    let (explored, node) = (&around.explored, around.node);
    let solved = around.solution.on(&explored.graph, &rules);
    advise(evaluator, game, explored, node, &solved, purses)
}

/// Returns the advice for a game that is over.
fn finished(player: Player, outcome: Outcome) -> ReportedAdvice {
    let promise = if outcome == Outcome::Wins(player) {
        ReportedPromise::Win
    } else {
        ReportedPromise::NoLoss
    };
    ReportedAdvice::new(player, promise)
}

/// Returns the advice with these chips: for the side that wins, or for both.
fn advise(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    explored: &Explored,
    node: NodeId,
    solved: &Strategies<'_>,
    purses: Purses,
) -> Result<Value> {
    let players: &[Player] = match solved.outcome(node, &purses) {
        Outcome::Wins(Player::Alice) => &[Player::Alice],
        Outcome::Wins(Player::Bob) => &[Player::Bob],
        Outcome::Draw | Outcome::Undetermined => &Player::BOTH,
    };
    let over = explored.graph.ending(node).is_some();
    let mut advice = Vec::new();
    for &player in players {
        advice.push(if over {
            finished(player, solved.outcome(node, &purses))
        } else {
            let turn = solved.turn(player, node, purses);
            let promise = match turn.promise() {
                Promise::Win => ReportedPromise::Win,
                Promise::Draw => ReportedPromise::NoLoss,
                Promise::Nothing => ReportedPromise::Nothing,
            };
            in_words(evaluator, &turn.advice(), promise, game, explored)?
        });
    }
    Ok(Value::answer(Report::Strategy(Strategy { advice })))
}

/// Returns advice with its moves in words.
pub(crate) fn in_words(
    evaluator: &mut Evaluator<'_>,
    found: &Advice,
    promise: ReportedPromise,
    game: GameId,
    explored: &Explored,
) -> Result<ReportedAdvice> {
    let player = found.player;
    let won = found
        .on_win
        .map(|choice| decision(evaluator, choice, game, player, explored))
        .transpose()?;
    let tied = found
        .on_tied_win
        .map(|choice| decision(evaluator, choice, game, player, explored))
        .transpose()?;
    let mut by_higher = found.on_loss.iter().copied();
    let usual = by_higher.next().map(|(_, head)| head);
    let by_tie = found.on_tied_loss.filter(|tied| usual != Some(*tied));
    let mut made_to = |node| ply_to(evaluator, node, game, player, explored);
    Ok(ReportedAdvice {
        player,
        promise,
        bid: found.bid.map(|bid| BigRational::from_integer(bid.into())),
        use_advantage: found.use_advantage,
        // After a tie the payment may differ; the decision is told only if it differs too.
        tied_decision: tied.filter(|tied| Some(tied) != won.as_ref()),
        decision: won,
        forced: usual.or(by_tie).map(&mut made_to).transpose()?,
        tied_forced: usual.and(by_tie).map(&mut made_to).transpose()?,
        forced_by_more: by_higher
            .map(|(from, head)| made_to(head).map(|ply| ForcedPly { from, ply }))
            .collect::<Result<_>>()?,
    })
}

pub(crate) fn decision(
    evaluator: &mut Evaluator<'_>,
    choice: WinnerChoice,
    game: GameId,
    player: Player,
    explored: &Explored,
) -> Result<ReportedDecision> {
    match choice {
        WinnerChoice::LetMove => Ok(ReportedDecision::LetMove(player.other())),
        WinnerChoice::Move(node) => {
            ply_to(evaluator, node, game, player, explored).map(ReportedDecision::Move)
        }
    }
}

/// Returns the move that leads to a vertex, in words.
pub(crate) fn ply_to(
    evaluator: &mut Evaluator<'_>,
    node: NodeId,
    game: GameId,
    player: Player,
    explored: &Explored,
) -> Result<ReportedPly> {
    let named = move_to(evaluator, node, game, player, explored)?;
    let position = print_target(&evaluator.world.games, game, named.to);
    Ok(ReportedPly::new(player, named.action, position))
}

/// Returns the move that leads to a vertex; of several, the best for the player.
pub(crate) fn move_to(
    evaluator: &mut Evaluator<'_>,
    node: NodeId,
    game: GameId,
    player: Player,
    explored: &Explored,
) -> Result<NamedMove> {
    let moves = evaluator.named_moves(game, player)?;
    let games = &evaluator.world.games;
    let leads_there = |named: &NamedMove| explored.node_of_option(games, named.to) == node;
    let named = moves
        .into_iter()
        .filter(leads_there)
        .max_by_key(|named| for_alice(player, named.score));
    Ok(named.expect("every edge of the graph is a move"))
}
