//! Queries about moves: `moves`, `tree`.

use std::collections::HashMap;

use num_traits::{ToPrimitive, Zero};

use crate::ask::{About, Around, PositionValues};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, Placed, look, type_error};
use crate::game::{Explored, GameGraph, NodeId, print_position, print_target};
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::library::GAME_AND_CHIPS;
use crate::library::asks;
use crate::library::scoring::advice;
use crate::player::{GameId, Player};
use crate::report::{
    Moves, Report, ReportedPly, Rest, Tree, TreeIncome, TreeMove, TreeNode, ValuedMove,
};
use crate::rules::admit::{self, ChipsQuestion};
use crate::scalar::Scalar;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "moves"(GAME_AND_CHIPS) -> Kinds::ANSWER, Some(asks::moves), moves,
        { income: true, endless: true, required: 1 }
        "Every move with its value, best first: the Richman value of the position that it leads to, or, \
         with chips, Alice's threshold there for the same total. In a game with scores, the score from here on \
         if the move's player wins the bid with the best bid and makes the move. As a list: the positions that \
         the moves lead to.",
        "moves(A ∧ B^2, 3*, 3)" => "player  to   f\nalice   A    0   best\nalice   B^2  5*\nbob     B^2  5*  best\nbob     A    0",
        "R(moves(A ∧ B^2)[1])" => "3/4";
    "tree"(GAME_AND_CHIPS) -> Kinds::ANSWER, Some(asks::trees), tree,
        { income: true, required: 1, named: &[Parameter::new("depth", Kinds::INTEGER)] }
        "The optimal moves from G onwards with the value of each position: Richman values, or, with a total \
         k, Alice's thresholds. A decided position ends its branch. Where several moves \
         are best, one is shown with their number. `depth:` asks for the first moves only. \
         `svg`, `dot` and `latex` draw the tree without the moves that decide the game. With both players' chips \
         in a game with scores: the course of play when both bid and move their best.",
        "tree(A ∧ B^2)" => "A ∧ B^2  R = 3/8\n\
                 \x20 alice: A  R = 0\n\
                 \x20 bob: B^2  R = 3/4\n\
                 \x20   alice: E  R = 1/2\n\
                 \x20     alice: A  R = 0\n\
                 \x20     bob: B  R = 1\n\
                 \x20   bob: B  R = 1";
};

fn moves(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let total = match &call.arguments[1..] {
        [] => {
            evaluator.needs_endings("`moves` without chips", call.span)?;
            None
        }
        [_, _] => {
            let asked = evaluator.asked(game)?;
            let purses = evaluator.purses(call, asked)?;
            if asked == ChipsQuestion::Score {
                return advice::moves(evaluator, call, game, purses);
            }
            admit::chips(&evaluator.rules(), asked)?;
            admit::valued_moves(&evaluator.rules()).placed(call.span)?;
            Some(purses.total())
        }
        _ => return Err(half_a_split(call)),
    };
    let rules = evaluator.rules();
    let Around {
        explored,
        solution: measure,
        ..
    } = evaluator.ask().about(game, About::Moves(total), &rules)?;
    let mut found = Vec::new();
    for player in Player::BOTH {
        found.extend(valued_moves(evaluator, game, player, &measure, &explored)?);
    }
    let (positions, moves): (Vec<GameId>, Vec<ValuedMove>) = found.into_iter().unzip();
    let report = Moves {
        measure: measure.name().to_owned(),
        moves,
    };
    Ok(Value::answer_row(
        Report::Moves(report),
        positions.into_iter().map(Value::Game),
    ))
}

/// A position of a tree whose moves have not been explored yet.
#[derive(Clone)]
struct TreeLeaf {
    game: GameId,
    /// The number of moves that lead to it.
    moved: usize,
    value: Scalar,
    decided: bool,
}

fn half_a_split(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongCount,
        "`moves` takes a game alone, or with both players' chips",
    )
    .label(call.span, "one chip count is given")
    .help("write `moves(G)` or `moves(G, 4*, 4)`")
    .into()
}

fn tree(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    if call.arguments.len() == 3 {
        let purses = evaluator.purses(call, ChipsQuestion::Score)?;
        return advice::line(evaluator, call, game, purses);
    }
    let (measure, nodes) = optimal_tree(evaluator, game, call.total(1)?, depth(call)?)?;
    let report = Tree {
        measure: measure.to_owned(),
        nodes,
    };
    Ok(Value::answer(Report::Tree(report)))
}

/// Returns the depth, in moves, to which the tree is asked for.
fn depth(call: &Call<'_>) -> Result<usize> {
    let Some(Operand { value, span }) = call.option("depth") else {
        return Ok(usize::MAX);
    };
    match value {
        Value::Integer(depth) => depth.to_usize().ok_or_else(|| {
            Diagnostic::new(Code::BadValue, "`depth` is a number of moves, 0 or more")
                .label(span, "out of range")
                .into()
        }),
        other => Err(type_error(span, Kinds::INTEGER, other)),
    }
}

/// Returns a player's moves, best first, with the positions that they lead to. Moves that lead to
/// the same position up to symmetry are kept apart.
fn valued_moves(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    player: Player,
    measure: &PositionValues,
    explored: &Explored,
) -> Result<Vec<(GameId, ValuedMove)>> {
    let mut placed: Vec<(NodeId, GameId, ReportedPly)> = Vec::new();
    for named in evaluator.named_moves(game, player)? {
        let node = node_of(evaluator, explored, named.to);
        let position = print_target(&evaluator.world.games, game, named.to);
        placed.push((
            node,
            named.to,
            ReportedPly::new(player, named.action, position),
        ));
    }
    // The sort is stable, so equally good moves stay in the order of the rules.
    placed.sort_by(|(a, ..), (b, ..)| measure.preference(player, *a, *b));
    let best = placed.first().map(|(node, ..)| *node);
    let is_best = |node| best.is_some_and(|best| measure.preference(player, best, node).is_eq());
    Ok(placed
        .into_iter()
        .map(|(node, to, ply)| {
            (
                to,
                ValuedMove {
                    ply,
                    value: measure.value(node),
                    best: is_best(node),
                },
            )
        })
        .collect())
}

/// Returns the vertex of a successor in the graph in which its position was found.
pub(crate) fn node_of(evaluator: &Evaluator<'_>, explored: &Explored, game: GameId) -> NodeId {
    explored.node_of_option(&evaluator.world.games, game)
}

/// Returns the name of the values, and the vertices in the order of their distance from the start,
/// up to the depth.
fn optimal_tree(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    total: Option<u64>,
    depth: usize,
) -> Result<(&'static str, Vec<TreeNode>)> {
    let rules = evaluator.rules();
    let mut around: Around<PositionValues> =
        evaluator.ask().about(game, About::Tree(total), &rules)?;
    let (measure, explored) = (&around.solution, &around.explored);
    let (name, start) = (measure.name(), node_of(evaluator, explored, game));
    let mut found = vec![TreeLeaf {
        game,
        moved: 0,
        value: measure.value(start),
        decided: false,
    }];
    // Symmetric positions share a vertex, so the vertex's own game is what identifies them.
    let mut index_of = HashMap::from([(explored.game(&mut evaluator.world.games, start), 0)]);
    let mut nodes: Vec<TreeNode> = Vec::new();
    while let Some(leaf) = found.get(nodes.len()).cloned() {
        evaluator.context.check()?;
        let (mut moves, mut turn, mut income) = (Vec::new(), None, Vec::new());
        let rest = match () {
            () if leaf.decided => Rest::Decided,
            () if leaf.moved >= depth => Rest::LeftOut,
            () => Rest::Shown,
        };
        if rest == Rest::Shown {
            // A neighbourhood has values of one position's moves only, so it is asked for again at
            // each.
            if !around.is_whole {
                around = evaluator
                    .ask()
                    .about(leaf.game, About::Tree(total), &rules)?;
            }
            let (measure, explored) = (&around.solution, &around.explored);
            let node = node_of(evaluator, explored, leaf.game);
            turn = explored.graph.owner(node);
            income = received(&explored.graph, node);
            for player in Player::BOTH {
                let best = best_move(evaluator, explored, node, leaf.game, player, measure)?;
                let Some(BestMove {
                    action,
                    choices,
                    node: head,
                    to,
                }) = best
                else {
                    continue;
                };
                let index = *index_of
                    .entry(explored.game(&mut evaluator.world.games, head))
                    .or_insert_with(|| {
                        let (value, decided) = (measure.value(head), measure.is_decided(head));
                        found.push(TreeLeaf {
                            game: to,
                            moved: leaf.moved + 1,
                            value,
                            decided,
                        });
                        found.len() - 1
                    });
                moves.push(TreeMove {
                    player,
                    action,
                    choices,
                    to: index,
                });
            }
        }
        let board = look(&evaluator.world.games, leaf.game);
        let position = print_position(&evaluator.world.games, leaf.game);
        nodes.push(TreeNode {
            position,
            board,
            value: leaf.value,
            turn,
            income,
            moves,
            rest,
        });
    }
    Ok((name, nodes))
}

/// Returns the income of the players before the bid at a vertex.
fn received(graph: &GameGraph, node: NodeId) -> Vec<TreeIncome> {
    let Some(income) = graph.income(node) else {
        return Vec::new();
    };
    let receive = |player: &Player| !income.of(*player).is_zero();
    Player::BOTH
        .into_iter()
        .filter(receive)
        .map(|player| TreeIncome {
            player,
            part: Scalar::from(income.of(player)),
        })
        .collect()
}

/// A player's best move in words.
struct BestMove {
    action: String,
    /// The number of moves that are as good, this one among them.
    choices: usize,
    /// The vertex to which it leads.
    node: NodeId,
    /// The position to which it leads.
    to: GameId,
}

/// Returns a player's best move, as a move of the position that is shown, not of a symmetric one.
fn best_move(
    evaluator: &mut Evaluator<'_>,
    explored: &Explored,
    node: NodeId,
    position: GameId,
    player: Player,
    measure: &PositionValues,
) -> Result<Option<BestMove>> {
    let Some(best) = measure.best(&explored.graph, node, player) else {
        return Ok(None);
    };
    let (mut found, mut choices) = (None, 0);
    for named in evaluator.named_moves(position, player)? {
        let node = node_of(evaluator, explored, named.to);
        choices += usize::from(measure.preference(player, node, best).is_eq());
        if node == best && found.is_none() {
            found = Some(named);
        }
    }
    Ok(found.map(|named| BestMove {
        action: named.action,
        choices,
        node: best,
        to: named.to,
    }))
}
