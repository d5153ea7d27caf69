//! Asks the user questions in a match, and reads the answers. The words are the same in a terminal
//! and on a page.

use super::person::TakenCells;
use crate::diagnostic::Diagnostic;
use crate::eval::{Evaluator, NamedMove, Sight};
use crate::game::print_position;

/// The sentence that is shown once, before the first question.
pub(crate) const HOW_TO_ANSWER: &str =
    "(`hint` shows optimal play, `undo` takes back an answer, `quit` or Ctrl-D stops the match)";

/// The reason that a question has no answer.
pub(crate) enum Unanswered {
    /// The user stops the match.
    Stopped,
    /// The user takes back the answer before this question.
    TakenBack,
    /// Another error occurred.
    Failed(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Unanswered {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Failed(diagnostic)
    }
}

/// The answer to a question, or the reason that there is none.
pub(crate) type AnswerResult<T> = std::result::Result<T, Unanswered>;

/// The moves that a person may make, with the names by which each can be chosen.
pub(crate) struct Choices {
    moves: Vec<MoveChoice>,
    kind: ChoiceKind,
}

/// A move that can be chosen.
struct MoveChoice {
    action: String,
    position: String,
    cell: Option<String>,
    score: String,
}

/// The way in which moves are distinguished.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChoiceKind {
    /// By their numbers in a list from 1 on, or their names.
    Numbered,
    /// By their names, which look like numbers.
    Named,
    /// By the cells of a board, which are not listed.
    Cells,
}

impl Choices {
    pub(crate) fn new(
        evaluator: &Evaluator<'_>,
        moves: &[NamedMove],
        grid: Option<&TakenCells>,
    ) -> Self {
        let cells: Vec<String> = grid.map_or(Vec::new(), |grid| {
            grid.empty().map(|cell| grid.words(cell)).collect()
        });
        let choice = |(index, each): (usize, &NamedMove)| MoveChoice {
            action: each.action.clone(),
            position: print_position(&evaluator.world.games, each.to),
            cell: cells.get(index).cloned(),
            score: each.score.to_string(),
        };
        let moves: Vec<MoveChoice> = moves.iter().enumerate().map(choice).collect();
        let is_number = |choice: &MoveChoice| choice.name().parse::<i64>().is_ok();
        let kind = match grid {
            Some(_) => ChoiceKind::Cells,
            // A number would be ambiguous between the name of a move and its place in the list.
            None if moves.iter().any(is_number) => ChoiceKind::Named,
            None => ChoiceKind::Numbered,
        };
        Self { moves, kind }
    }

    /// Returns the answer that chooses a move.
    pub(crate) fn answer(&self, index: usize) -> String {
        let choice = &self.moves[index];
        match self.kind {
            ChoiceKind::Numbered => (index + 1).to_string(),
            ChoiceKind::Named => choice.name().to_owned(),
            ChoiceKind::Cells => choice.cell.clone().unwrap_or_default(),
        }
    }

    /// Returns the name of a move for the hint.
    pub(crate) fn hint(&self, index: usize) -> &str {
        let choice = &self.moves[index];
        if self.kind == ChoiceKind::Cells {
            choice.cell.as_deref().unwrap_or("")
        } else {
            choice.name()
        }
    }

    /// Returns the list that is shown before the question.
    fn listed(&self, is_scored: bool) -> Vec<String> {
        let line = |(number, choice): (usize, &MoveChoice)| {
            let number = if self.kind == ChoiceKind::Numbered {
                format!("{number}  ")
            } else {
                String::new()
            };
            let score = if is_scored {
                format!("  score {}", choice.score)
            } else {
                String::new()
            };
            let action = if choice.action.is_empty() {
                String::new()
            } else {
                format!("{}  ", choice.action)
            };
            format!("  {number}{action}{}{score}", choice.position)
        };
        if self.kind == ChoiceKind::Cells {
            Vec::new()
        } else {
            (1..).zip(&self.moves).map(line).collect()
        }
    }

    fn question(&self) -> String {
        match self.kind {
            ChoiceKind::Numbered => format!("your move, 1 to {}: ", self.moves.len()),
            ChoiceKind::Named => "your move, by its name: ".to_owned(),
            ChoiceKind::Cells => "your cell, row and column from 0: ".to_owned(),
        }
    }

    /// Returns the index of the move that an answer means, or the message about a wrong answer.
    fn chosen(&self, answer: &str) -> Result<usize, String> {
        let numbered = self.kind == ChoiceKind::Numbered;
        if let Some(number) = answer
            .parse::<usize>()
            .ok()
            .filter(|number| numbered && *number <= self.moves.len())
        {
            // The list begins with 1, so 0 is no move.
            return number.checked_sub(1).ok_or_else(|| self.unknown(answer));
        }
        let parts = parts(answer);
        let named = |choice: &&(usize, &MoveChoice)| {
            choice.1.position == answer || choice.1.is_called(&parts, numbered)
        };
        let moves: Vec<(usize, &MoveChoice)> = self.moves.iter().enumerate().collect();
        match moves.iter().filter(named).collect::<Vec<_>>()[..] {
            [(index, _)] => Ok(*index),
            [] => Err(self.unknown(answer)),
            [..] => Err(format!(
                "more than one move is called `{answer}`; write its name in full"
            )),
        }
    }

    fn unknown(&self, answer: &str) -> String {
        match self.kind {
            ChoiceKind::Cells => {
                format!("`{answer}` is not an empty cell; write a row and a column, as in `3 4`")
            }
            ChoiceKind::Numbered => {
                format!(
                    "`{answer}` is not a move; write its number, 1 to {}, or its name",
                    self.moves.len()
                )
            }
            ChoiceKind::Named => format!("`{answer}` is not a move; write a name from the list"),
        }
    }
}

impl MoveChoice {
    fn name(&self) -> &str {
        if self.action.is_empty() {
            &self.position
        } else {
            &self.action
        }
    }

    /// Returns `true` if the parts of an answer name the move: `take(2)`, `take 2`; `place(1, 2)`
    /// also by `1 2`, `(1, 2)` and `1, 2`. In a numbered list, a single number is an index of the
    /// list.
    fn is_called(&self, answer: &[&str], numbered: bool) -> bool {
        let action = parts(&self.action);
        let arguments = action.get(1..).unwrap_or(&[]);
        let cell = self.cell.as_deref().map(parts);
        let is_number = matches!(answer, [one] if one.parse::<i64>().is_ok());
        !answer.is_empty()
            && (answer == action
                || (answer == arguments && !(numbered && is_number))
                || cell.is_some_and(|cell| cell == answer))
    }
}

/// Splits a text into its names and numbers.
fn parts(text: &str) -> Vec<&str> {
    // A hyphen stays, because it is the sign of a negative number.
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '\''))
        .filter(|part| !part.is_empty())
        .collect()
}

/// Reads a bid of whole chips that a player can afford; the error is the message about a wrong
/// answer.
fn bid(answer: &str, most: u64) -> Result<u64, String> {
    match answer.parse::<u64>() {
        Ok(bid) if bid <= most => Ok(bid),
        Ok(_) => Err(too_large(most)),
        Err(_)
            if answer
                .strip_suffix('*')
                .is_some_and(|chips| chips.parse::<u64>().is_ok()) =>
        {
            Err(format!(
                "a bid has no star: ties are decided after the bids; bid 0 to {most}"
            ))
        }
        Err(_) => Err(no_number(most)),
    }
}

fn too_large(most: u64) -> String {
    format!("you have {most}: bid a number from 0 to {most}")
}

fn no_number(most: u64) -> String {
    format!("a bid is a number from 0 to {most}")
}

/// Passes an event to the program that draws the match, if there is one.
pub(crate) fn see(evaluator: &mut Evaluator<'_>, sight: impl FnOnce() -> Sight) {
    if let Some(dialogue) = evaluator
        .dialogue
        .as_mut()
        .filter(|dialogue| dialogue.draws())
    {
        dialogue.see(sight());
    }
}

/// Tells the user an event in words, and passes it to the program that draws the match.
pub(crate) fn tell(evaluator: &mut Evaluator<'_>, sight: Sight) {
    say(evaluator, sight.words());
    see(evaluator, || sight);
}

pub(crate) fn say(evaluator: &mut Evaluator<'_>, text: &str) {
    if let Some(dialogue) = &mut evaluator.dialogue {
        dialogue.say(text);
    }
}

/// Asks until the answer can be read; `hint` returns the advice of optimal play.
fn ask_until<A>(
    evaluator: &mut Evaluator<'_>,
    question: &str,
    hint: &dyn Fn() -> String,
    read: &dyn Fn(&str) -> Result<A, String>,
) -> AnswerResult<A> {
    loop {
        let dialogue = evaluator.dialogue.as_mut().ok_or(Unanswered::Stopped)?;
        let answer = dialogue.ask(question).ok_or(Unanswered::Stopped)?;
        match answer.trim() {
            "hint" => dialogue.say(&format!("optimal play: {}", hint())),
            "undo" => return Err(Unanswered::TakenBack),
            answer => match read(answer) {
                Ok(answer) => {
                    // Hints and wrong answers do not count, so that `undo` takes back a decision.
                    evaluator.answers += 1;
                    return Ok(answer);
                }
                // These words may also be the names of moves.
                Err(wrong) => match answer {
                    "quit" | "exit" => return Err(Unanswered::Stopped),
                    "help" | "?" => dialogue.say(HOW_TO_ANSWER),
                    _ => dialogue.say(&wrong),
                },
            },
        }
    }
}

/// Asks for a bid of whole chips.
pub(crate) fn ask_chips(
    evaluator: &mut Evaluator<'_>,
    most: u64,
    advice: &dyn Fn() -> u64,
) -> AnswerResult<u64> {
    // A question with a single answer is not asked.
    if most == 0 {
        say(evaluator, "you have no chips, so you bid 0");
        return Ok(0);
    }
    see(evaluator, || Sight::AskBid {
        most,
        advice: Some(advice().to_string()),
        too_large: too_large(most),
        no_number: no_number(most),
    });
    ask_until(
        evaluator,
        &format!("your bid, 0 to {most}: "),
        &|| format!("bid {}", advice()),
        &|answer| bid(answer, most),
    )
}

/// Asks for one of two choices, of which optimal play takes one; returns its index.
pub(crate) fn ask_choice(
    evaluator: &mut Evaluator<'_>,
    question: &str,
    choices: [&str; 2],
    advised: &dyn Fn() -> usize,
) -> AnswerResult<usize> {
    let read = |answer: &str| {
        let answer = answer.to_lowercase();
        let found = choices
            .iter()
            // Every word begins with the empty text, which must not count as an answer.
            .position(|choice| !answer.is_empty() && choice.to_lowercase().starts_with(&answer));
        found.ok_or_else(|| format!("answer {} or {}", choices[0], choices[1]))
    };
    let question = format!("{question} ({})? ", choices.join(" or "));
    ask_until(
        evaluator,
        &question,
        &|| choices[advised()].to_owned(),
        &read,
    )
}

/// Asks for one of the moves, of which optimal play makes one; returns its index.
pub(crate) fn ask_move(
    evaluator: &mut Evaluator<'_>,
    choices: &Choices,
    is_scored: bool,
    advised: Option<usize>,
) -> AnswerResult<usize> {
    for line in choices.listed(is_scored) {
        say(evaluator, &line);
    }
    let hint = || {
        advised
            .map_or("any move", |index| choices.hint(index))
            .to_owned()
    };
    ask_until(evaluator, &choices.question(), &hint, &|answer| {
        choices.chosen(answer)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(kind: ChoiceKind, moves: &[(&str, &str)]) -> Choices {
        let choice = |(action, position): &(&str, &str)| MoveChoice {
            action: (*action).to_owned(),
            position: (*position).to_owned(),
            cell: None,
            score: "0".to_owned(),
        };
        Choices {
            moves: moves.iter().map(choice).collect(),
            kind,
        }
    }

    #[test]
    fn moves_answer_to_their_numbers_names_and_coordinates() {
        let board = choices(
            ChoiceKind::Numbered,
            &[
                ("place((0, 2))", "..A"),
                ("place((1, 0))", "A.."),
                ("pass", "..."),
            ],
        );
        let answers = [
            "2",
            "place((1, 0))",
            "place 1 0",
            "1 0",
            "(1, 0)",
            "1,0",
            "A..",
        ];
        assert!(
            answers.iter().all(|answer| board.chosen(answer) == Ok(1)),
            "{:?}",
            answers.map(|a| board.chosen(a))
        );
        assert_eq!(board.chosen("pass"), Ok(2));
        for wrong in ["0", "4", "", "1 1", "place"] {
            assert!(
                board
                    .chosen(wrong)
                    .is_err_and(|said| said.contains("is not a move")),
                "{wrong}"
            );
        }
        // An index of the list is not taken for a name.
        let path = choices(ChoiceKind::Named, &[("", "-1"), ("", "1")]);
        assert_eq!(
            (path.chosen("1"), path.chosen("-1"), path.answer(0)),
            (Ok(1), Ok(0), "-1".to_owned())
        );
        assert!(path.chosen("2").is_err());
        let columns = choices(
            ChoiceKind::Numbered,
            &[("drop(0)", "A."), ("drop(1)", ".A")],
        );
        assert_eq!(
            (
                columns.chosen("1"),
                columns.chosen("drop 1"),
                columns.chosen("drop(0)")
            ),
            (Ok(0), Ok(1), Ok(0))
        );
        let twice = choices(ChoiceKind::Numbered, &[("go(1)", "x"), ("go(1)", "y")]);
        assert!(
            twice
                .chosen("go 1")
                .is_err_and(|said| said.contains("more than one move"))
        );
        assert_eq!(twice.chosen("y"), Ok(1));
    }

    #[test]
    fn what_is_no_bid_is_refused_with_the_reason() {
        assert_eq!((bid("0", 3), bid("3", 3)), (Ok(0), Ok(3)));
        assert!(bid("4", 3).is_err_and(|said| said.contains("you have 3")));
        assert!(bid("1*", 3).is_err_and(|said| said.contains("no star")));
        for wrong in ["", "-1", "1/2", "all", "*"] {
            assert_eq!(
                bid(wrong, 3),
                Err("a bid is a number from 0 to 3".to_owned()),
                "{wrong}"
            );
        }
    }
}
