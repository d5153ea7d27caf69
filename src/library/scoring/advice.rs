//! Optimal play of games with scores: `strategy`, `moves` and `tree`.

use num_rational::BigRational;

use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::game::{NodeId, for_alice, print_position};
use crate::ir::Value;
use crate::library::play::moves::node_of;
use crate::library::play::strategy::{move_to, ply_to};
use crate::library::scoring::pure::{ScoringPosition, cell, scalar, scoring, split};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{
    BoardLook, Moves, Report, ReportedAdvice, ReportedDecision, ReportedPly, ReportedPromise, Rest,
    Strategy, Tree, TreeMove, TreeNode, ValuedMove,
};
use crate::rules::{Purses, Rules, Tie, settle, tie};
use crate::solve::law::decision::{enriching_reply, movers};
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
    let rules = evaluator.rules();
    let mut advice = Vec::new();
    for player in Player::BOTH {
        advice.push(score_advice(
            evaluator, &subject, &rules, player, game, purses,
        )?);
    }
    Ok(Value::answer(Report::Strategy(Strategy { advice })))
}

fn score_advice(
    evaluator: &mut Evaluator<'_>,
    subject: &ScoringPosition,
    rules: &Rules,
    player: Player,
    game: GameId,
    purses: Purses,
) -> Result<ReportedAdvice> {
    let sure = subject.values.at(subject.node, &purses).secured(player);
    let promise = ReportedPromise::score(player, scalar(subject.score(sure)));
    let mut advice = ReportedAdvice::new(player, promise);
    if subject.is_over() {
        return Ok(advice);
    }
    let solved = subject.solved();
    if let Some(owner) = subject.explored.graph.owner(subject.node) {
        advice.decision = Some(match owner == player {
            true => score_decision(evaluator, subject, player, game, &purses)?,
            false => ReportedDecision::LetMove(owner),
        });
        return Ok(advice);
    }
    let bid = solved
        .bid(player, subject.node, &purses, evaluator.context)?
        .bid;
    // A tie takes an equal bid, which the opponent may not be able to make.
    let affordable = bid <= purses.chips[player.other()];
    let chooses = affordable && tie(rules, &purses) == Tie::ChosenBy(player);
    let winner = solved.tie_winner(player, bid, subject.node, &purses, evaluator.context)?;
    let uses = winner == player;
    let wins_ties = affordable && (tie(rules, &purses) == Tie::Goes(player) || chooses && uses);
    let other = player.other();
    // The opponent may use the advantage on a tie, or keep it.
    let is_open = affordable && tie(rules, &purses) == Tie::ChosenBy(other);
    advice.bid = Some(BigRational::from_integer(bid.into()));
    advice.use_advantage = chooses.then_some(uses);
    // No bid is lower than 0, so a bid of 0 can win only by a tie.
    if bid > 0 {
        advice.decision = Some(score_decision(
            evaluator,
            subject,
            player,
            game,
            &won(rules, &purses, player, bid),
        )?);
    }
    if wins_ties || is_open {
        let after = settle(rules, &purses, PerPlayer::new(bid, bid), player);
        let tied = Some(score_decision(evaluator, subject, player, game, &after)?);
        advice.tied_decision = tied.filter(|tied| Some(tied) != advice.decision.as_ref());
    }
    let graph = &subject.explored.graph;
    if movers(graph, subject.node, other, rules.winner).contains(&player) {
        let mut made_to = |after: Option<Purses>| {
            let head = after.and_then(|after| solved.destination(player, subject.node, &after));
            head.map(|head| ply_to(evaluator, head, game, player, &subject.explored))
                .transpose()
        };
        // Of all higher bids the least pays this player least.
        let outbid = bid < purses.chips[other];
        let by_higher = made_to(outbid.then(|| won(rules, &purses, other, bid + 1)))?;
        let loses_tie = affordable && !wins_ties;
        let tied = || settle(rules, &purses, PerPlayer::new(bid, bid), other);
        let by_tie = made_to(loses_tie.then(tied))?;
        let enriching = enriching_reply(rules, &purses, player, bid);
        let as_richer = made_to(enriching.map(|reply| won(rules, &purses, other, reply)))?;
        advice.make_to_move(by_higher, by_tie, as_richer);
    }
    Ok(advice)
}

/// Returns a player's decision after winning the bid and paying.
fn score_decision(
    evaluator: &mut Evaluator<'_>,
    subject: &ScoringPosition,
    player: Player,
    game: GameId,
    after: &Purses,
) -> Result<ReportedDecision> {
    let solved = subject.solved();
    if solved.mover(player, subject.node, after) != player {
        return Ok(ReportedDecision::LetMove(player.other()));
    }
    let head = solved
        .destination(player, subject.node, after)
        .expect("who is to move can move");
    ply_to(evaluator, head, game, player, &subject.explored).map(ReportedDecision::Move)
}

/// Returns the purses after a higher bid has won.
fn won(rules: &Rules, purses: &Purses, winner: Player, bid: u64) -> Purses {
    let bids = match winner {
        Player::Alice => PerPlayer::new(bid, 0),
        Player::Bob => PerPlayer::new(0, bid),
    };
    settle(rules, purses, bids, winner)
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
        return Ok(won(rules, purses, winner, own));
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
            Player::BOTH.map(|player| solved.bid(player, subject.node, &purses, context));
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
