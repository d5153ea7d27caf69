//! Who plays in the terminal: what is shown and asked.

use super::{Held, Seat, State, Step, Table, Theory};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Call, Evaluator, NamedMove, Offer, Sight, Why};
use crate::game::{Games, NodeId, joined_sides, print_position, shows_hexagons};
use crate::ir::{Side, Value};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::DrawnBoard;

/// The user at a table.
pub(in super::super) struct Person {
    pub(in super::super) player: Player,
}

/// Who has taken the cells of a board.
pub(super) struct Grid {
    pub(super) cols: usize,
    pub(super) taken: Vec<Option<Player>>,
}

impl Grid {
    /// The empty cells.
    pub(super) fn empty(&self) -> impl Iterator<Item = usize> {
        (0..self.taken.len()).filter(|cell| self.taken[*cell].is_none())
    }

    /// A cell's row and column.
    pub(super) fn words(&self, cell: usize) -> String {
        format!("{} {}", cell / self.cols, cell % self.cols)
    }
}

impl Person {
    /// Who wins a tied bid, for the holder of the advantage; `None` if the user wants to stop.
    pub(super) fn tie_winner(&self, evaluator: &mut Evaluator<'_>, advised: &dyn Fn() -> Player) -> Option<Player> {
        evaluator.see(|| Sight::AskTie { advice: advised() == self.player });
        let uses = evaluator.ask_choice("a tie: use the advantage", ["yes", "no"])?;
        Some(if uses == 0 { self.player } else { self.player.other() })
    }

    /// Who moves, for the winner of the bid.
    pub(super) fn mover(&self, evaluator: &mut Evaluator<'_>, advised: &dyn Fn() -> Player) -> Option<Player> {
        evaluator.see(|| Sight::AskMover { advice: advised() });
        let let_move = format!("let {} move", self.player.other().name());
        let choice = evaluator.ask_choice("what now", ["move", &let_move])?;
        Some(if choice == 0 { self.player } else { self.player.other() })
    }
}

impl<T: Theory> Table<'_, T> {
    /// The person at the table, if there is one.
    pub(super) fn person(&self) -> Option<Player> {
        let sits = |player: &Player| matches!(self.seats[*player], Seat::Person(_));
        Player::BOTH.into_iter().find(sits)
    }

    /// Shows the position, and what everybody has.
    pub(super) fn show(&self, evaluator: &mut Evaluator<'_>, state: &mut State<T>) {
        let Some(person) = self.person() else { return };
        let other = person.other();
        let game = state.position(evaluator);
        evaluator.say(&format!("\n{}", drawn(&evaluator.world.games, game)));
        self.show_position(evaluator, state, Stage::Turn);
        let (own, others) = (state.held.words(person), state.held.words(other));
        evaluator.say(&format!("you have {own}, {} has {others}", other.name()));
        if state.scene.theory.is_scored() {
            evaluator.say(&format!("the score is {}", state.score));
        }
    }

    /// Shows the last position.
    pub(super) fn show_end(&self, evaluator: &mut Evaluator<'_>, state: &mut State<T>) {
        if self.person().is_none() {
            return;
        }
        let game = state.position(evaluator);
        let blank = if state.scene.theory.named().is_some() { "\n" } else { "" };
        evaluator.say(&format!("{blank}{}", drawn(&evaluator.world.games, game)));
        self.show_position(evaluator, state, Stage::End);
    }

    /// Shows whoever draws the match where it stands.
    fn show_position(&self, evaluator: &mut Evaluator<'_>, state: &mut State<T>, stage: Stage) {
        let (Some(you), game) = (self.person(), state.position(evaluator)) else { return };
        let games = &evaluator.world.games;
        let (position, hexagons) = (print_position(games, game), shows_hexagons(games, game));
        let joins = joined_sides(games, game);
        let words = |sides: &[Side]| sides.iter().map(|side| side.word()).collect();
        evaluator.see(|| Sight::Position {
            position,
            hexagons,
            joins: PerPlayer::new(words(&joins.alice), words(&joins.bob)),
            you,
            holdings: PerPlayer::new(state.held.words(Player::Alice), state.held.words(Player::Bob)),
            score: state.scene.theory.is_scored().then(|| state.score.to_string()),
            over: stage == Stage::End,
        });
    }

    pub(super) fn tell_bids(&self, evaluator: &mut Evaluator<'_>, bids: &PerPlayer<<T::Held as Held>::Bid>) {
        let Some(person) = self.person() else { return };
        evaluator.see(|| Sight::Bids { bids: PerPlayer::new(bids.alice.to_string(), bids.bob.to_string()) });
        let (own, others) = (&bids[person], &bids[person.other()]);
        evaluator.say(&format!("you bid {own}, {} bids {others}", person.other().name()));
    }

    pub(super) fn tell_winner(&self, evaluator: &mut Evaluator<'_>, winner: Player, why: Why) {
        let Some(person) = self.person() else { return };
        evaluator.see(|| Sight::Won { player: winner, why });
        evaluator.say(&format!("{} the bid", if winner == person { "you win" } else { "you lose" }));
    }

    /// The move that a person chooses; `None` if the user wants to stop.
    pub(super) fn asked_step(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut State<T>,
        (person, after): (&Person, &T::Held),
    ) -> Result<Option<Step>> {
        let game = state.position(evaluator);
        let moves = evaluator.named_moves(game, person.player)?;
        let grid = evaluator.board_of(game).filter(|_| state.scene.theory.named().is_some());
        if evaluator.is_drawn() {
            let offers = self.offers(evaluator, state, (person.player, after), (&moves, grid.as_ref()));
            evaluator.see(|| Sight::AskMove { moves: offers });
        }
        let chosen = match grid {
            Some(grid) => evaluator.ask_cell(&grid),
            None => evaluator.ask_move(&moves, state.scene.theory.is_scored()),
        };
        Ok(chosen.map(|index| Step::of(evaluator, state, moves[index].clone())))
    }

    /// The moves that a person may make, with what to answer for each.
    fn offers(
        &self,
        evaluator: &Evaluator<'_>,
        state: &State<T>,
        (player, after): (Player, &T::Held),
        (moves, grid): (&[NamedMove], Option<&Grid>),
    ) -> Vec<Offer> {
        let (games, named) = (&evaluator.world.games, state.scene.theory.named());
        let advised = state.scene.theory.destination(player, &state.spot(), after);
        let cells: Vec<String> = grid.map_or(Vec::new(), |grid| grid.empty().map(|cell| grid.words(cell)).collect());
        let offer = |(index, each): (usize, &NamedMove)| {
            let answer = cells.get(index).cloned().unwrap_or_else(|| (index + 1).to_string());
            let is_advised = match &named {
                Some(named) => named.action == answer,
                None => advised == Some(state.scene.explored.node_of_option(games, each.to)),
            };
            Offer { answer, action: each.action.clone(), position: print_position(games, each.to), is_advised }
        };
        moves.iter().enumerate().map(offer).collect()
    }

    /// The move to a vertex, told to the person at the table.
    pub(super) fn told_step(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut State<T>,
        (mover, node): (Player, NodeId),
    ) -> Result<Step> {
        let game = state.position(evaluator);
        let named = match state.scene.theory.named() {
            Some(named) => named,
            None => evaluator.move_to(node, game, mover, &state.scene.explored)?,
        };
        let position = print_position(&evaluator.world.games, named.to);
        evaluator.see(|| Sight::Moved { player: mover, action: named.action.clone(), position: position.clone() });
        let words = if named.action.is_empty() { &position } else { &named.action };
        evaluator.say(&format!("{} moves: {words}", mover.name()));
        Ok(Step::of(evaluator, state, named))
    }
}

impl Step {
    fn of<T: Theory>(evaluator: &Evaluator<'_>, state: &State<T>, named: NamedMove) -> Self {
        let node = state.scene.explored.node_of_option(&evaluator.world.games, named.to);
        Self { node, game: Some(named.to), score: named.score }
    }
}

/// A position as a board for the terminal, if it is one.
fn drawn(games: &Games, game: GameId) -> String {
    let position = print_position(games, game);
    match DrawnBoard::of(&position, shows_hexagons(games, game)) {
        Some(board) => board.lines().join("\n"),
        None => position.replace('/', "\n"),
    }
}

/// Whether a match goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Another turn begins.
    Turn,
    /// It is over.
    End,
}

impl Evaluator<'_> {
    /// Whether somebody draws the match.
    fn is_drawn(&self) -> bool {
        self.dialogue.as_ref().is_some_and(|dialogue| dialogue.draws())
    }

    /// Shows something to whoever draws the match, if anybody does.
    pub(super) fn see(&mut self, sight: impl FnOnce() -> Sight) {
        if let Some(dialogue) = self.dialogue.as_mut().filter(|dialogue| dialogue.draws()) {
            dialogue.see(sight());
        }
    }

    fn say(&mut self, text: &str) {
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.say(text);
        }
    }

    /// Asks until the answer is a number in the range; `None` if the user wants to stop.
    pub(super) fn ask_number(&mut self, question: &str, least: u64, most: u64) -> Option<u64> {
        let dialogue = self.dialogue.as_mut()?;
        loop {
            let answer = dialogue.ask(&format!("{question}: "))?;
            match answer.trim().parse() {
                Ok(number) if (least..=most).contains(&number) => return Some(number),
                _ => dialogue.say(&format!("a number from {least} to {most}, please; Ctrl-D stops the match")),
            }
        }
    }

    /// Asks until the answer begins like one of the choices; gives its place.
    fn ask_choice(&mut self, question: &str, choices: [&str; 2]) -> Option<usize> {
        let dialogue = self.dialogue.as_mut()?;
        loop {
            let answer = dialogue.ask(&format!("{question} ({})? ", choices.join(" or ")))?;
            let answer = answer.trim().to_lowercase();
            let found = choices.iter().position(|choice| !answer.is_empty() && choice.starts_with(&answer));
            match found {
                Some(index) => return Some(index),
                None => dialogue.say(&format!("{} or {}, please; Ctrl-D stops the match", choices[0], choices[1])),
            }
        }
    }

    /// Asks for one of the moves; gives its place.
    fn ask_move(&mut self, moves: &[NamedMove], is_scored: bool) -> Option<usize> {
        for (number, named) in (1..).zip(moves) {
            let position = print_position(&self.world.games, named.to);
            let words = if named.action.is_empty() { position } else { format!("{}  {position}", named.action) };
            let score = if is_scored { format!("  score {}", named.score) } else { String::new() };
            self.say(&format!("  {number}  {words}{score}"));
        }
        let chosen = self.ask_number(&format!("your move, 1 to {}", moves.len()), 1, moves.len() as u64)?;
        Some(chosen as usize - 1)
    }

    /// Asks until the answer is an empty cell; gives its place among them.
    fn ask_cell(&mut self, grid: &Grid) -> Option<usize> {
        let dialogue = self.dialogue.as_mut()?;
        loop {
            let answer = dialogue.ask("your cell, row and column from 0: ")?;
            let numbers: Vec<usize> = answer.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            if let [row, col] = numbers[..]
                && col < grid.cols
                && let Some(place) = grid.empty().position(|cell| cell == row * grid.cols + col)
            {
                return Some(place);
            }
            dialogue.say("an empty cell, please, as in `3 4`; Ctrl-D stops the match");
        }
    }
}

/// The value of a match that the user has stopped.
pub(in super::super) fn stopped() -> Value {
    Value::text("the match was stopped")
}

pub(in super::super) fn no_terminal(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "`play` needs a terminal to talk to you")
        .label(call.span, "asks for your bids")
        .help("play in the REPL: run `bid` in a terminal")
        .into()
}
