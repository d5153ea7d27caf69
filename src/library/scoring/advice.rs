//! Optimal play of games with scores: `strategy`, `moves` and `tree`.

use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::game::{NodeId, for_alice, print_position};
use crate::ir::Value;
use crate::library::play::moves::node_of;
use crate::library::play::strategy::{in_words, move_to};
use crate::library::scoring::pure::{ScoringPosition, cell, scalar, scoring, split};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{
    BoardLook, Moves, Report, ReportedAdvice, ReportedPly, ReportedPromise, Rest, Strategy, Tree,
    TreeMove, TreeNode, ValuedMove,
};
use crate::rules::{Purses, Tie, settle, tie};
use crate::solve::law::decision::won_by;
use crate::solve::scoring::ScoringSolution;
use crate::watch::Context;

/// Evaluates `strategy(G, a, b)` for a scoring game.
pub(crate) fn strategy(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
    purses: Purses,
) -> Result<Value> {
    let subject = scoring(evaluator, game, purses.total(), call.span)?;
    let mut advice = Vec::new();
    for player in Player::BOTH {
        advice.push(score_advice(evaluator, &subject, player, game, purses)?);
    }
    Ok(Value::answer(Report::Strategy(Strategy { advice })))
}

fn score_advice(
    evaluator: &mut Evaluator<'_>,
    subject: &ScoringPosition,
    player: Player,
    game: GameId,
    purses: Purses,
) -> Result<ReportedAdvice> {
    let sure = subject.values.at(subject.node, &purses).secured(player);
    let promise = ReportedPromise::score(player, scalar(subject.score(sure)));
    if subject.is_over() {
        return Ok(ReportedAdvice::new(player, promise));
    }
    let context = evaluator.context;
    let advice = subject
        .solved()
        .advice(player, subject.node, &purses, context)?;
    in_words(evaluator, &advice, promise, game, &subject.explored)
}

/// Returns the purses after a player has won with his best bid. The win is by a tie if the
/// opponent's best bid is equal, or if the bid is 0.
fn after_best_bid(
    solved: ScoringSolution<'_>,
    node: NodeId,
    purses: &Purses,
    winner: Player,
    context: &Context<'_>,
) -> Result<Purses> {
    let rules = solved.values.rules();
    if solved.game.graph.owner(node).is_some() {
        return Ok(*purses);
    }
    let own = solved.bid(winner, node, purses, context)?.bid;
    let other = solved.bid(winner.other(), node, purses, context)?.bid;
    let tied = own == other || own == 0;
    let bids = if tied {
        PerPlayer::new(own, own)
    } else {
        return Ok(won_by(rules, purses, winner, own));
    };
    Ok(settle(rules, purses, bids, winner))
}

/// Evaluates `moves(G, a, b)` for a scoring game.
pub(crate) fn moves(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
    purses: Purses,
) -> Result<Value> {
    let subject = scoring(evaluator, game, purses.total(), call.span)?;
    let (mut positions, mut found) = (Vec::new(), Vec::new());
    for player in Player::BOTH {
        if subject.is_over() {
            break;
        }
        let context = evaluator.context;
        let after = after_best_bid(subject.solved(), subject.node, &purses, player, context)?;
        let mut valued = Vec::new();
        for named in evaluator.named_moves(game, player)? {
            let head = node_of(evaluator, &subject.explored, named.to);
            let value =
                named.score + subject.score(subject.values.at(head, &after).secured(player));
            let position = print_position(&evaluator.world.games, named.to);
            valued.push((
                value,
                named.to,
                ReportedPly::new(player, named.action, position),
            ));
        }
        valued.sort_by_key(|(value, ..)| std::cmp::Reverse(for_alice(player, *value)));
        let best = valued.first().map(|(value, ..)| *value);
        positions.extend(valued.iter().map(|(_, to, _)| Value::Game(*to)));
        let moves = valued.into_iter();
        found.extend(moves.map(|(value, _, ply)| ValuedMove {
            ply,
            value: scalar(value),
            best: Some(value) == best,
        }));
    }
    let report = Moves {
        measure: "o".to_owned(),
        moves: found,
    };
    Ok(Value::answer_row(Report::Moves(report), positions))
}

/// Evaluates `tree(G, a, b)` for a scoring game: the course of play when both bid and move
/// optimally.
pub(crate) fn line(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
    purses: Purses,
) -> Result<Value> {
    let mut subject = scoring(evaluator, game, purses.total(), call.span)?;
    let rules = evaluator.rules();
    let (mut game, mut purses) = (game, purses);
    let mut nodes: Vec<TreeNode> = Vec::new();
    loop {
        let position = format!(
            "{} {}",
            print_position(&evaluator.world.games, game),
            split(&purses)
        );
        // One solution for the total holds for every split, so it serves the whole line.
        let value = cell(&subject, subject.values.at(subject.node, &purses));
        let turn = subject.explored.graph.owner(subject.node);
        let mut node = TreeNode {
            position,
            board: BoardLook::default(),
            value,
            turn,
            income: Vec::new(),
            moves: Vec::new(),
            rest: Rest::Shown,
        };
        if subject.is_over() {
            nodes.push(node);
            break;
        }
        let solved = subject.solved();
        let context = evaluator.context;
        let [alice, bob] =
            Player::both(|player| solved.bid(player, subject.node, &purses, context));
        let bids = PerPlayer::new(alice?.bid, bob?.bid);
        let (mover, after) = match turn {
            Some(owner) => (owner, purses),
            None => {
                let winner = winner(solved, subject.node, &purses, bids, context)?;
                let after = settle(&rules, &purses, bids, winner);
                (solved.mover(winner, subject.node, &after), after)
            }
        };
        let head = solved
            .destination(mover, subject.node, &after)
            .expect("who is to move can move");
        let named = move_to(evaluator, head, game, mover, &subject.explored)?;
        let told = if turn.is_some() {
            "no bid".to_owned()
        } else {
            format!("bids {}:{}", bids.alice, bids.bob)
        };
        let action = format!(
            "{}{told}",
            if named.action.is_empty() {
                String::new()
            } else {
                named.action + ", "
            }
        );
        node.moves.push(TreeMove {
            player: mover,
            action,
            choices: 1,
            // Scoring games end, so every move leads to a further vertex, which is added next.
            to: nodes.len() + 1,
        });
        nodes.push(node);
        (game, purses, subject.node) = (named.to, after, head);
    }
    Ok(Value::answer(Report::Tree(Tree {
        measure: "o".to_owned(),
        nodes,
    })))
}

/// Returns the winner of these bids; the holder of the tie-breaking advantage decides a tie.
fn winner(
    solved: ScoringSolution<'_>,
    node: NodeId,
    purses: &Purses,
    bids: PerPlayer<u64>,
    context: &Context<'_>,
) -> Result<Player> {
    Ok(match bids.alice.cmp(&bids.bob) {
        std::cmp::Ordering::Greater => Player::Alice,
        std::cmp::Ordering::Less => Player::Bob,
        std::cmp::Ordering::Equal => match tie(solved.values.rules(), purses) {
            Tie::Goes(player) => player,
            Tie::ChosenBy(player) => {
                solved.tie_winner(player, bids.alice, node, purses, context)?
            }
            Tie::Coin | Tie::Nobody => {
                unreachable!("rules by which a tie is not won are not admitted")
            }
        },
    })
}
