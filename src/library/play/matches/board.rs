//! Chooses bids and moves on boards of selection games that are too large to be explored, by
//! counting filled boards.

use std::rc::Rc;

use num_traits::Zero;

use super::person::TakenCells;
use super::{ChipsTheory, PlayEngine};
use crate::ask::{Around, JudgedBoard};
use crate::diagnostic::Result;
use crate::eval::{Evaluator, NamedMove};
use crate::game::{Explored, GameExpr, NodeId, Score};
use crate::player::{GameId, Player};
use crate::rules::Rules;
use crate::solve::selection::{self, CountFailure, FillingMethod};

/// The most empty cells of a board that is explored.
const MOST_EXPLORED: usize = 12;

/// The number of empty cells up to which judging all fillings is faster than judging random ones.
const FEW: usize = 18;

/// The number of random fillings on which the advice rests (Arun, section 3).
const FILLINGS: u64 = 500_000;

/// The advice from filled boards: the cell that is likeliest to be pivotal, and the bid for it,
/// half that probability times all chips (Arun, Theorem 3.4).
pub(crate) struct Sampled {
    pub(crate) bid: u64,
    /// The move to the cell.
    pub(crate) best: NamedMove,
    pub(crate) node: NodeId,
}

/// Returns `true` if a game is such a board.
pub(crate) fn is_large_board(evaluator: &Evaluator<'_>, game: GameId) -> bool {
    board_of(evaluator, game).is_some_and(|grid| grid.empty().count() > MOST_EXPLORED)
}

/// Returns the board of a position, if it belongs to a selection game.
pub(crate) fn board_of(evaluator: &Evaluator<'_>, game: GameId) -> Option<TakenCells> {
    let GameExpr::State(id, state) = evaluator.world.games.expr(game) else {
        return None;
    };
    let selection = evaluator.world.games.ruleset(*id).selection(state).ok()?;
    Some(TakenCells {
        cols: selection.cols,
        taken: selection.taken,
    })
}

/// Returns a position of such a board, with the decisions of a player there.
pub(crate) fn sampled_scene<'m>(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    player: Player,
    rules: &'m Rules,
    total: u64,
) -> Result<Around<ChipsTheory<'m>>> {
    let near = Explored::neighbourhood(&evaluator.world.games, game)?;
    let explored = Rc::new(
        near.expect("on a selection game's board nobody passes")
            .explored,
    );
    let start = explored.graph.start();
    let seen = |bid, best, node| Around {
        explored: Rc::clone(&explored),
        node: start,
        solution: ChipsTheory {
            rules,
            engine: PlayEngine::Sampled(Sampled { bid, best, node }),
        },
        is_whole: false,
    };
    // The board may be decided before it is full, and then there is nothing to judge.
    if explored.graph.ending(start).is_some() {
        let best = NamedMove {
            action: String::new(),
            to: game,
            score: Score::zero(),
        };
        return Ok(seen(0, best, start));
    }
    let grid = board_of(evaluator, game).expect("a position of a selection game is one");
    let seed = evaluator
        .dialogue
        .as_mut()
        .map_or(0, |dialogue| dialogue.chance());
    // With the seed in the key, a match that is played again gets the same advice.
    let key = (game, seed);
    let judged = match evaluator.world.memory.judged_boards.get(&key) {
        Some(judged) => *judged,
        None => {
            let judged = judge_board(evaluator, game, seed)?;
            evaluator.world.memory.judged_boards.insert(key, judged);
            judged
        }
    };
    let cell = judged.cell;
    // The product of two numbers of 64 bits needs 128.
    let bid = u128::from(total) * u128::from(judged.agreement) / (2 * u128::from(judged.fillings));
    let bid = u64::try_from(bid).unwrap_or(0);
    let moves = evaluator.named_moves(game, player)?;
    let place = grid
        .empty()
        // On a selection game's board the moves are the empty cells, in order.
        .position(|empty| empty == cell)
        .expect("the cell is empty");
    let best = NamedMove {
        action: grid.words(cell),
        ..moves[place].clone()
    };
    let node = explored.node_of_option(&evaluator.world.games, best.to);
    Ok(seen(bid, best, node))
}

/// Finds the cell that is likeliest to be pivotal.
fn judge_board(evaluator: &Evaluator<'_>, game: GameId, seed: u64) -> Result<JudgedBoard> {
    let GameExpr::State(id, state) = evaluator.world.games.expr(game) else {
        unreachable!("asked for boards only")
    };
    let selection = evaluator.world.games.ruleset(*id).selection(state);
    let selection = selection.unwrap_or_else(|_| unreachable!("asked for selection games only"));
    let empty: Vec<usize> = (0..selection.taken.len())
        .filter(|cell| selection.taken[*cell].is_none())
        .collect();
    let few = empty.len() <= FEW;
    let method = if few {
        FillingMethod::Exact
    } else {
        FillingMethod::Sample {
            fillings: FILLINGS,
            seed,
        }
    };
    let counts = match selection::count(&selection, method, evaluator.context) {
        Ok(counts) => counts,
        Err(CountFailure::Stopped(stop)) => return Err(stop.into()),
        // If a filling does not have exactly one winner, nothing is known about the cells, so
        // nothing is bid.
        Err(CountFailure::NotOneWinner(_)) => {
            return Ok(JudgedBoard {
                cell: empty[0],
                agreement: 0,
                fillings: 1,
            });
        }
    };
    let best = empty
        .into_iter()
        .max_by_key(|cell| counts.agreement(*cell))
        .unwrap_or(0);
    // If even the best cell hurts, nothing is bid for it.
    let agreement = counts.agreement(best).max(0).unsigned_abs();
    Ok(JudgedBoard {
        cell: best,
        agreement,
        fillings: counts.fillings,
    })
}
