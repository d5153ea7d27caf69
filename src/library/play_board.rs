//! Matches on boards of selection games that are too large to be explored: the engine bids and moves by counting filled boards.

use std::cmp::Ordering;

use super::play::{drawn, human, no_terminal};
use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::game::GameExpr;
use crate::ir::Value;
use crate::player::{Ending, GameId, Outcome, PerPlayer, Player};
use crate::rules::{Purses, Tie, settle, tie};
use crate::solve::chips::Asked;
use crate::solve::selection::{self, Failure, Method};

/// Boards with more empty cells are not explored.
const MOST_EXPLORED: usize = 12;

/// With so many, all fillings are judged sooner than random ones.
const FEW: usize = 18;

/// How many random fillings tell the engine what to do (Arun, section 3).
const FILLINGS: u64 = 500_000;

/// Who has taken the cells of a board.
pub(super) struct Grid {
    cols: usize,
    taken: Vec<Option<Player>>,
}

impl Grid {
    /// Whether it is too large to be explored.
    pub(super) fn is_large(&self) -> bool {
        self.taken.iter().filter(|owner| owner.is_none()).count() > MOST_EXPLORED
    }
}

/// `play` on such a board.
pub(super) fn play(evaluator: &mut Evaluator<'_>, call: &Call<'_>, mut game: GameId) -> Result<Value> {
    let mut purses = evaluator.purses(&call.arguments[1], &call.arguments[2], Asked::Threshold, call.span)?;
    if evaluator.dialogue.is_none() {
        return Err(no_terminal(call));
    }
    evaluator.talked = true;
    let human = human(call);
    loop {
        evaluator.watch.check()?;
        evaluator.say(&format!("\n{}", drawn(&evaluator.world.games, game)));
        if let Some(ending) = evaluator.world.games.ending(game)? {
            return Ok(Value::Outcome(match ending {
                Ending::Win(player) => Outcome::Wins(player),
                Ending::Draw => Outcome::Draw,
            }));
        }
        match evaluator.board_turn(game, purses, human)? {
            Some((next, after)) => (game, purses) = (next, after),
            None => return Ok(Value::text("the match was stopped")),
        }
    }
}

impl Evaluator<'_> {
    /// The board of a position, if it is one of a selection game.
    pub(super) fn board_of(&self, game: GameId) -> Option<Grid> {
        let GameExpr::State(id, state) = self.world.games.expr(game) else { return None };
        let selection = self.world.games.ruleset(*id).selection(state).ok()?;
        Some(Grid { cols: selection.cols, taken: selection.taken })
    }

    /// The cell that is likeliest to be pivotal, and the bid for it: half that probability, of all chips (Arun, Theorem 3.4).
    fn board_advice(&self, game: GameId, total: u64, seed: u64) -> Result<(usize, u64)> {
        let GameExpr::State(id, state) = self.world.games.expr(game) else { unreachable!("asked for boards only") };
        let selection = self.world.games.ruleset(*id).selection(state);
        let selection = selection.unwrap_or_else(|_| unreachable!("asked for selection games only"));
        let empty: Vec<usize> = (0..selection.taken.len()).filter(|cell| selection.taken[*cell].is_none()).collect();
        let few = empty.len() <= FEW;
        let method = if few { Method::Exact } else { Method::Sample { fillings: FILLINGS, seed } };
        let counts = match selection::count(&selection, method, self.watch) {
            Ok(counts) => counts,
            Err(Failure::Stopped(stop)) => return Err(stop.into()),
            // Then nothing is known, and nothing is bid.
            Err(Failure::NotOneWinner(_)) => return Ok((empty[0], 0)),
        };
        let best = empty.into_iter().max_by_key(|cell| counts.agreement(*cell)).unwrap_or(0);
        let agreement = counts.agreement(best).max(0).unsigned_abs();
        let bid = u128::from(total) * u128::from(agreement) / (2 * u128::from(counts.fillings));
        Ok((best, u64::try_from(bid).unwrap_or(0)))
    }

    /// One bid and one move; `None` if the user wants to stop.
    fn board_turn(&mut self, game: GameId, purses: Purses, human: Player) -> Result<Option<(GameId, Purses)>> {
        let (engine, rules) = (human.other(), self.rules());
        let held = |player: Player| {
            let star = if purses.status == Some(player) { "*" } else { "" };
            format!("{}{star}", purses.chips[player])
        };
        self.say(&format!("you have {}, {} has {}", held(human), engine.name(), held(engine)));
        let grid = self.board_of(game).expect("a position of a selection game is one");
        let seed = self.dialogue.as_mut().map_or(0, |dialogue| dialogue.chance());
        let (cell, bid) = self.board_advice(game, purses.chips.alice + purses.chips.bob, seed)?;
        let other = bid.min(purses.chips[engine]);
        let most = purses.chips[human];
        let Some(own) = self.ask_number(&format!("your bid, 0 to {most}"), 0, most) else { return Ok(None) };
        self.say(&format!("you bid {own}, {} bids {other}", engine.name()));
        let winner = match (own.cmp(&other), tie(&rules, &purses)) {
            (Ordering::Greater, _) => human,
            (Ordering::Less, _) => engine,
            (Ordering::Equal, Tie::Goes(player)) => player,
            // A move is always worth having here, and the advantage less than a chip.
            (Ordering::Equal, Tie::ChosenBy(player)) if player == engine => engine,
            (Ordering::Equal, Tie::ChosenBy(_)) => match self.ask_choice("a tie: use the advantage", ["yes", "no"]) {
                Some(0) => human,
                Some(_) => engine,
                None => return Ok(None),
            },
            (Ordering::Equal, Tie::Coin) => unreachable!("rules with a coin are not admitted"),
        };
        let bids = match human {
            Player::Alice => PerPlayer::new(own, other),
            Player::Bob => PerPlayer::new(other, own),
        };
        self.say(&format!("{} the bid", if winner == human { "you win" } else { "you lose" }));
        let moves = self.named_moves(game, winner)?;
        let empty: Vec<usize> = (0..grid.taken.len()).filter(|cell| grid.taken[*cell].is_none()).collect();
        let chosen = if winner == human {
            let Some(chosen) = self.ask_cell(&grid) else { return Ok(None) };
            chosen
        } else {
            self.say(&format!("{} moves: {} {}", engine.name(), cell / grid.cols, cell % grid.cols));
            cell
        };
        let place = empty.iter().position(|empty| *empty == chosen).expect("the chosen cell is empty");
        Ok(Some((moves[place].to, settle(&rules, &purses, bids, winner))))
    }

    /// Asks until the answer is an empty cell; `None` if the user wants to stop.
    fn ask_cell(&mut self, grid: &Grid) -> Option<usize> {
        let dialogue = self.dialogue.as_mut()?;
        loop {
            let answer = dialogue.ask("your cell, row and column from 0: ")?;
            let numbers: Vec<usize> = answer.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            if let [row, col] = numbers[..]
                && col < grid.cols
                && grid.taken.get(row * grid.cols + col) == Some(&None)
            {
                return Some(row * grid.cols + col);
            }
            dialogue.say("an empty cell, please, as in `3 4`; Ctrl-D stops the match");
        }
    }
}
