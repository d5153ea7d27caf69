//! Shows a match to the user in the terminal, and asks for the user's decisions.

use super::questions::{AnswerResult, Choices};
use super::{Held, MatchSetup, MatchState, PlayTheory, Played, PlayedMove, Seat};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{
    Call, Evaluator, MatchResult, NamedMove, Offer, Sight, Why, look, score_in_words,
};
use crate::game::{Games, NodeId, deciding_cells, joined_sides, print_position, shows_hexagons};
use crate::ir::{Side, Value};
use crate::library::play::matches::board::board_of;
use crate::library::play::matches::questions::{ask_choice, ask_move, say, see, tell};
use crate::library::play::strategy::move_to;
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::report::DrawnBoard;

/// The user as a player of the match.
pub(crate) struct Person {
    pub(crate) player: Player,
}

/// The cells of a board with the players who have taken them.
pub(crate) struct TakenCells {
    pub(crate) cols: usize,
    pub(crate) taken: Vec<Option<Player>>,
}

impl TakenCells {
    /// Returns the empty cells.
    pub(crate) fn empty(&self) -> impl Iterator<Item = usize> {
        (0..self.taken.len()).filter(|cell| self.taken[*cell].is_none())
    }

    /// Formats a cell as its row and column.
    pub(crate) fn words(&self, cell: usize) -> String {
        format!("{} {}", cell / self.cols, cell % self.cols)
    }
}

impl Person {
    /// Asks the holder of the tie-breaking advantage who wins a tied bid.
    pub(crate) fn tie_winner(
        &self,
        evaluator: &mut Evaluator<'_>,
        advised: &dyn Fn() -> Player,
    ) -> AnswerResult<Player> {
        see(evaluator, || Sight::AskTie {
            advice: advised() == self.player,
        });
        let question = "a tie, and you hold the advantage: use it";
        let uses = ask_choice(evaluator, question, ["yes", "no"], &|| {
            usize::from(advised() != self.player)
        })?;
        Ok(if uses == 0 {
            self.player
        } else {
            self.player.other()
        })
    }

    /// Asks the winner of the bid, who can make these moves, who moves.
    pub(crate) fn mover(
        &self,
        evaluator: &mut Evaluator<'_>,
        moves: Vec<Offer>,
        advised: &dyn Fn() -> Player,
    ) -> AnswerResult<Player> {
        see(evaluator, || Sight::AskMover {
            advice: advised(),
            moves,
        });
        let let_move = format!("let {} move", self.player.other().name());
        let advised = || usize::from(advised() != self.player);
        let choice = ask_choice(evaluator, "what now", ["move", &let_move], &advised)?;
        Ok(if choice == 0 {
            self.player
        } else {
            self.player.other()
        })
    }
}

impl<T: PlayTheory> MatchSetup<'_, T> {
    /// Returns the user's player, if the user plays.
    pub(crate) fn person(&self) -> Option<Player> {
        let sits = |player: &Player| matches!(self.seats[*player], Seat::Person(_));
        Player::BOTH.into_iter().find(sits)
    }

    /// Shows the position and both budgets.
    pub(super) fn show(&self, evaluator: &mut Evaluator<'_>, state: &mut MatchState<T>) {
        let Some(person) = self.person() else { return };
        let other = person.other();
        let game = state.position(evaluator);
        say(
            evaluator,
            &format!("\n{}", drawn(&evaluator.world.games, game)),
        );
        self.show_position(evaluator, state, MatchStage::Turn);
        let (own, others) = (state.held.words(person), state.held.words(other));
        say(
            evaluator,
            &format!("you have {own}, {} has {others}", other.name()),
        );
        if state.scene.solution.is_scored() {
            let score = score_in_words(state.score, person);
            say(evaluator, &format!("the score is {score}"));
        }
    }

    /// Shows the last position, and the result to the program that draws the match.
    pub(super) fn show_end(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        played: &Played,
    ) {
        let Some(person) = self.person() else { return };
        let game = state.position(evaluator);
        let blank = if state.scene.solution.named().is_some() {
            "\n"
        } else {
            ""
        };
        say(
            evaluator,
            &format!("{blank}{}", drawn(&evaluator.world.games, game)),
        );
        self.show_position(evaluator, state, MatchStage::End);
        if state.scene.solution.is_scored() {
            let score = score_in_words(played.score, person);
            say(evaluator, &format!("the final score is {score}"));
        }
        let result = match played.ending {
            // An ending of a scoring game is stored as a draw, so the score is looked at first.
            _ if state.scene.solution.is_scored() => MatchResult::Scored(played.score),
            Ending::Win(player) => MatchResult::Won(player),
            Ending::Draw => MatchResult::Drawn,
        };
        let cells = deciding_cells(&evaluator.world.games, game);
        see(evaluator, || Sight::over(result, cells, person));
    }

    /// Passes the state of the match to the program that draws it.
    fn show_position(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        stage: MatchStage,
    ) {
        let (Some(you), game) = (self.person(), state.position(evaluator)) else {
            return;
        };
        let games = &evaluator.world.games;
        let (position, hexagons) = (print_position(games, game), shows_hexagons(games, game));
        let joins = joined_sides(games, game);
        let words = |sides: &[Side]| sides.iter().map(|side| side.word()).collect();
        see(evaluator, || Sight::Position {
            position,
            hexagons,
            joins: PerPlayer::new(words(&joins.alice), words(&joins.bob)),
            you,
            holdings: PerPlayer::new(
                state.held.words(Player::Alice),
                state.held.words(Player::Bob),
            ),
            score: state
                .scene
                .solution
                .is_scored()
                .then(|| state.score.to_string()),
            over: stage == MatchStage::End,
        });
    }

    pub(crate) fn tell_bids(
        &self,
        evaluator: &mut Evaluator<'_>,
        bids: &PerPlayer<<T::Held as Held>::Bid>,
    ) {
        let Some(person) = self.person() else { return };
        let bids = PerPlayer::new(bids.alice.to_string(), bids.bob.to_string());
        tell(evaluator, Sight::bids(bids, person));
    }

    pub(crate) fn tell_winner(&self, evaluator: &mut Evaluator<'_>, winner: Player, why: Why) {
        let Some(person) = self.person() else { return };
        tell(evaluator, Sight::won(winner, why, person));
    }

    /// Returns the move that a person chooses.
    pub(super) fn asked_step(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        person: &Person,
        after: &T::Held,
    ) -> AnswerResult<PlayedMove> {
        let offered = self.offered(evaluator, state, person.player, after)?;
        // A question with a single answer is not asked.
        if let [only] = &offered.moves[..] {
            let position = print_position(&evaluator.world.games, only.to);
            tell(
                evaluator,
                Sight::only_move(person.player, only.action.clone(), position),
            );
            return Ok(PlayedMove::of(evaluator, state, only.clone()));
        }
        // Offers print every position, so they are made only for a program that draws them.
        if is_drawn(evaluator) {
            let moves = offered.offers(evaluator);
            see(evaluator, || Sight::AskMove { moves });
        }
        let index = ask_move(
            evaluator,
            &offered.choices,
            state.scene.solution.is_scored(),
            offered.advised.first().copied(),
        )?;
        Ok(PlayedMove::of(
            evaluator,
            state,
            offered.moves[index].clone(),
        ))
    }

    /// Returns the moves that a player can make, with those of optimal play.
    pub(super) fn offered(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        player: Player,
        after: &T::Held,
    ) -> Result<OfferedMoves> {
        let game = state.position(evaluator);
        let moves = evaluator.named_moves(game, player)?;
        let grid = board_of(evaluator, game).filter(|_| state.scene.solution.named().is_some());
        let choices = Choices::new(evaluator, &moves, grid.as_ref());
        let advised = advised(evaluator, state, player, after, &moves, &choices);
        Ok(OfferedMoves {
            moves,
            choices,
            advised,
        })
    }

    /// Returns the move to a vertex, and tells it to the user if the user plays.
    pub(super) fn told_step(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        mover: Player,
        node: NodeId,
    ) -> Result<PlayedMove> {
        let game = state.position(evaluator);
        let named = match state.scene.solution.named() {
            Some(named) => named,
            None => move_to(evaluator, node, game, mover, &state.scene.explored)?,
        };
        let position = print_position(&evaluator.world.games, named.to);
        tell(
            evaluator,
            Sight::moved(mover, named.action.clone(), position),
        );
        Ok(PlayedMove::of(evaluator, state, named))
    }
}

/// The moves that a player can make.
pub(super) struct OfferedMoves {
    moves: Vec<NamedMove>,
    choices: Choices,
    /// The indices of the moves that optimal play chooses.
    advised: Vec<usize>,
}

impl OfferedMoves {
    /// Returns the moves as data for the program that draws the match.
    pub(super) fn offers(&self, evaluator: &Evaluator<'_>) -> Vec<Offer> {
        let games = &evaluator.world.games;
        let offer = |(index, each): (usize, &NamedMove)| Offer {
            answer: self.choices.answer(index),
            action: each.action.clone(),
            position: print_position(games, each.to),
            is_advised: self.advised.contains(&index),
        };
        self.moves.iter().enumerate().map(offer).collect()
    }
}

impl PlayedMove {
    fn of<T: PlayTheory>(
        evaluator: &Evaluator<'_>,
        state: &MatchState<T>,
        named: NamedMove,
    ) -> Self {
        let node = state
            .scene
            .explored
            .node_of_option(&evaluator.world.games, named.to);
        Self {
            node,
            game: Some(named.to),
            score: named.score,
        }
    }
}

/// Returns the indices of the moves that optimal play chooses: several if they lead to one
/// position.
fn advised<T: PlayTheory>(
    evaluator: &Evaluator<'_>,
    state: &MatchState<T>,
    player: Player,
    after: &T::Held,
    moves: &[NamedMove],
    choices: &Choices,
) -> Vec<usize> {
    let (games, named) = (&evaluator.world.games, state.scene.solution.named());
    let destination = state
        .scene
        .solution
        .destination(player, &state.spot(), after);
    let is_advised = |index: &usize| match &named {
        Some(named) => named.action == choices.answer(*index),
        None => destination == Some(state.scene.explored.node_of_option(games, moves[*index].to)),
    };
    (0..moves.len()).filter(is_advised).collect()
}

/// Formats a position as a board for the terminal, if it is one.
fn drawn(games: &Games, game: GameId) -> String {
    let position = print_position(games, game);
    match DrawnBoard::of(&position, look(games, game)) {
        Some(board) => board.numbered_lines().join("\n"),
        // Positions of several boards or rows use this sign between lines.
        None => position.replace('/', "\n"),
    }
}

/// The stage of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MatchStage {
    /// Another turn begins.
    Turn,
    /// It is over.
    End,
}

/// Returns `true` if a front end draws the board of the match.
pub(super) fn is_drawn(evaluator: &Evaluator<'_>) -> bool {
    evaluator
        .dialogue
        .as_ref()
        .is_some_and(|dialogue| dialogue.draws())
}

/// Returns the value of a match that was stopped.
pub(crate) fn stopped() -> Value {
    Value::text("the match was stopped")
}

pub(crate) fn no_terminal(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "`play` needs a terminal to talk to you")
        .label(call.span, "asks for your bids")
        .help("play in the REPL: run `bid` in a terminal")
        .into()
}
