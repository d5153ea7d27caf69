//! `play`: a match against the optimal player.

use std::rc::Rc;

use num_traits::Zero;

use super::engine::{Dice, Engine, Mixed};
use super::play_board;
use super::scoring::number;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, NamedMove, placed};
use crate::game::{Explored, Games, NodeId, Score, print_position, shows_hexagons};
use crate::ir::{BuiltinSignature, Kinds, Parameter, Value};
use crate::plan::Question;
use crate::player::{Ending, GameId, Outcome, PerPlayer, Player};
use crate::report::DrawnBoard;
use crate::rules::{Purses, Rules, Tie, Winner, settle, tie};
use crate::solve::chips::Asked;
use crate::solve::strategy::Strategies;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[Builtin {
    signature: BuiltinSignature {
        named: &[Parameter { name: "as", kinds: Kinds::PLAYER }, Parameter { name: "seed", kinds: Kinds::INTEGER }],
        help: "Plays G with these chips against the optimal player, in the terminal. You are Alice, or whom `as:` names. \
           Where both pay, the optimal player draws its bids from the optimal mixed bid; the same `seed:` gives the same draws. On the \
           board of a large selection game, like Hex on 11 × 11, it bids and moves by judging 500,000 filled boards.",
        examples: &[("play(E, 4*, 0)", "alice")],
        ..BuiltinSignature::new(
            "play",
            &[
                Parameter { name: "G", kinds: Kinds::GAME },
                Parameter { name: "a", kinds: Kinds::HOLDING },
                Parameter { name: "b", kinds: Kinds::HOLDING },
            ],
            Kinds::OUTCOME.or(Kinds::NUMBER).or(Kinds::TEXT),
        )
    },
    run: play,
}];

/// Ctrl-C stops the match, whether it comes at a question or while the engine thinks.
fn play(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    match whole_match(evaluator, call) {
        Err(stop) if stop.code == Code::Interrupted && evaluator.talked => Ok(stopped()),
        ended => ended,
    }
}

fn whole_match(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let mixes = evaluator.rules().pay.is_all_pay();
    if !mixes && evaluator.board_of(game).is_some_and(|grid| grid.is_large()) {
        return play_board::play(evaluator, call, game);
    }
    let asked = evaluator.asked(game)?;
    let purses = if mixes {
        evaluator.bidding_purses(&call.arguments[1], &call.arguments[2], call.span)?
    } else {
        evaluator.purses(&call.arguments[1], &call.arguments[2], asked, call.span)?
    };
    if evaluator.dialogue.is_none() {
        return Err(no_terminal(call));
    }
    evaluator.talked = true;
    let human = human(call);
    let chance = evaluator.dialogue.as_mut().map_or(0, |dialogue| dialogue.chance());
    let seed = call.count("seed", 0)?.unwrap_or(chance);
    let rules = if mixes { evaluator.rules() } else { evaluator.play_rules() };
    let (game, purses) = if asked == Asked::Threshold && !mixes {
        match first_turns(evaluator, &rules, human, (game, purses)).map_err(|error| placed(error, call.span))? {
            Some(reached) => reached,
            None => return Ok(stopped()),
        }
    } else {
        (game, purses)
    };
    let (explored, node) = evaluator.graph_of(game)?;
    let total = purses.chips.alice + purses.chips.bob;
    let subject = if asked == Asked::Score { Some(evaluator.scoring(game, total, call.span)?) } else { None };
    let engine = match &subject {
        None if mixes => {
            let solved = evaluator.solve_all_pay(game, purses.chips, call.span)?.solved;
            Engine::Mixed(Mixed { graph: &explored.graph, rules: &rules, solved, dice: Dice::new(seed) })
        }
        Some(subject) => Engine::Scores(subject.solved()),
        None => {
            let strategies = Strategies::solve(&explored.graph, &rules, total, evaluator.watch);
            Engine::Wins(Box::new(strategies.map_err(|error| placed(error, call.span))?))
        }
    };
    let score = subject.as_ref().map(|_| Score::zero());
    let mut table = Match { rules: &rules, explored: Rc::clone(&explored), engine, human, game, node, purses, score };
    while explored.graph.ending(table.node).is_none() {
        evaluator.watch.check()?;
        if table.turn(evaluator)?.is_none() {
            return Ok(stopped());
        }
    }
    evaluator.say(&drawn(&evaluator.world.games, table.game));
    if let (Some(score), Some(subject)) = (table.score, &subject) {
        let score = score + subject.score(subject.scores.ending(table.node));
        return Ok(Value::rational(number(score)));
    }
    let ending = explored.graph.ending(table.node).expect("the loop ends there");
    Ok(Value::Outcome(match ending {
        Ending::Win(player) => Outcome::Wins(player),
        Ending::Draw => Outcome::Draw,
    }))
}

fn stopped() -> Value {
    Value::text("the match was stopped")
}

/// The turns at positions that are solved without their graph: the engine looks at each position's own moves only. Gives the first
/// position with a graph and the purses there; `None` if the user wants to stop.
fn first_turns(
    evaluator: &mut Evaluator<'_>,
    rules: &Rules,
    human: Player,
    (mut game, mut purses): (GameId, Purses),
) -> Result<Option<(GameId, Purses)>> {
    let total = purses.chips.alice + purses.chips.bob;
    while let Some(near) =
        evaluator.neighbourhood(game, Question::Outcomes(&[total]), rules)?.filter(|near| !near.is_over())
    {
        evaluator.watch.check()?;
        let Some(strategies) = evaluator.swept_strategies(&near, rules, total)? else { break };
        let (explored, engine) = (Rc::clone(&near.explored), Engine::Wins(Box::new(strategies)));
        let mut table = Match { rules, explored, engine, human, game, node: near.node(), purses, score: None };
        if table.turn(evaluator)?.is_none() {
            return Ok(None);
        }
        (game, purses) = (table.game, table.purses);
    }
    Ok(Some((game, purses)))
}

/// Whom the user plays.
pub(super) fn human(call: &Call<'_>) -> Player {
    match call.option("as").map(|(value, _)| value) {
        Some(Value::Player(player)) => *player,
        _ => Player::Alice,
    }
}

/// A position as a board for the terminal, if it is one.
pub(super) fn drawn(games: &Games, game: GameId) -> String {
    let position = print_position(games, game);
    match DrawnBoard::of(&position, shows_hexagons(games, game)) {
        Some(board) => board.lines().join("\n"),
        None => position.replace('/', "\n"),
    }
}

/// A match under way.
struct Match<'a> {
    rules: &'a Rules,
    explored: Rc<Explored>,
    engine: Engine<'a>,
    human: Player,
    game: GameId,
    node: NodeId,
    purses: Purses,
    /// The score so far, in a game with scores.
    score: Option<Score>,
}

impl Match<'_> {
    /// One bid and one move; `None` if the user wants to stop.
    fn turn(&mut self, evaluator: &mut Evaluator<'_>) -> Result<Option<()>> {
        let engine = self.human.other();
        evaluator.say(&format!("\n{}", drawn(&evaluator.world.games, self.game)));
        evaluator.say(&format!(
            "you have {}, {} has {}",
            self.holding(self.human),
            engine.name(),
            self.holding(engine)
        ));
        if let Some(score) = self.score {
            evaluator.say(&format!("the score is {score}"));
        }
        let most = self.purses.chips[self.human];
        let question = format!("your bid, 0 to {most}");
        let Some(own) = evaluator.ask_number(&question, 0, most) else { return Ok(None) };
        let other = self.engine.bid(engine, self.node, self.purses);
        evaluator.say(&format!("you bid {own}, {} bids {other}", engine.name()));
        let Some(winner) = self.winner(own, other, evaluator) else { return Ok(None) };
        let bids = match self.human {
            Player::Alice => PerPlayer::new(own, other),
            Player::Bob => PerPlayer::new(other, own),
        };
        let after = settle(self.rules, &self.purses, bids, winner);
        let Some(mover) = self.mover(winner, &after, evaluator) else { return Ok(None) };
        let moved =
            if mover == self.human { self.human_move(evaluator)? } else { Some(self.engine_move(&after, evaluator)?) };
        let Some(named) = moved else { return Ok(None) };
        self.game = named.to;
        self.score = self.score.map(|score| score + named.score);
        self.node = self.explored.node_of_option(&evaluator.world.games, named.to);
        self.purses = after;
        Ok(Some(()))
    }

    fn holding(&self, player: Player) -> String {
        let star = if self.purses.status == Some(player) { "*" } else { "" };
        format!("{}{star}", self.purses.chips[player])
    }

    fn winner(&mut self, own: u64, other: u64, evaluator: &mut Evaluator<'_>) -> Option<Player> {
        let engine = self.human.other();
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => Some(self.human),
            std::cmp::Ordering::Less => Some(engine),
            std::cmp::Ordering::Equal => match tie(self.rules, &self.purses) {
                Tie::Goes(player) => Some(player),
                Tie::ChosenBy(player) if player == engine => {
                    Some(self.engine.tie_winner(engine, self.node, self.purses, own))
                }
                Tie::ChosenBy(_) => {
                    let uses = evaluator.ask_choice("a tie: use the advantage", ["yes", "no"])?;
                    Some(if uses == 0 { self.human } else { engine })
                }
                Tie::Coin => Some(self.engine.coin()),
            },
        }
    }

    /// Who moves after `winner` has won the bid.
    fn mover(&self, winner: Player, after: &Purses, evaluator: &mut Evaluator<'_>) -> Option<Player> {
        let can = |player| !self.explored.graph.successors(self.node, player).is_empty();
        let engine = self.human.other();
        evaluator.say(&format!("{} the bid", if winner == self.human { "you win" } else { "you lose" }));
        if let Some(only) = Player::BOTH.into_iter().find(|player| !can(player.other())) {
            return Some(only);
        }
        match (self.rules.winner, winner == self.human) {
            (Winner::Moves, _) => Some(winner),
            (Winner::Chooses, false) => Some(self.engine.mover(engine, self.node, self.purses, after)),
            (Winner::Chooses, true) => {
                let let_move = format!("let {} move", engine.name());
                let choice = evaluator.ask_choice("what now", ["move", &let_move])?;
                Some(if choice == 0 { self.human } else { engine })
            }
        }
    }

    fn human_move(&self, evaluator: &mut Evaluator<'_>) -> Result<Option<NamedMove>> {
        let moves = evaluator.named_moves(self.game, self.human)?;
        let games = &evaluator.world.games;
        let words: Vec<String> = moves
            .iter()
            .map(|named| {
                let position = print_position(games, named.to);
                let words = if named.action.is_empty() { position } else { format!("{}  {position}", named.action) };
                if self.score.is_some() { format!("{words}  score {}", named.score) } else { words }
            })
            .collect();
        for (number, words) in words.iter().enumerate() {
            evaluator.say(&format!("  {}  {words}", number + 1));
        }
        let chosen = evaluator.ask_number(&format!("your move, 1 to {}", moves.len()), 1, moves.len() as u64);
        Ok(chosen.map(|number| moves[number as usize - 1].clone()))
    }

    fn engine_move(&self, after: &Purses, evaluator: &mut Evaluator<'_>) -> Result<NamedMove> {
        let engine = self.human.other();
        let node = self.engine.destination(engine, self.node, self.purses, after);
        let node = node.expect("who is to move can move");
        let named = evaluator.move_to(node, self.game, engine, &self.explored)?;
        let position = print_position(&evaluator.world.games, named.to);
        let words = if named.action.is_empty() { &position } else { &named.action };
        evaluator.say(&format!("{} moves: {words}", engine.name()));
        Ok(named)
    }
}

impl Evaluator<'_> {
    pub(super) fn say(&mut self, text: &str) {
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
    pub(super) fn ask_choice(&mut self, question: &str, choices: [&str; 2]) -> Option<usize> {
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
}

pub(super) fn no_terminal(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "`play` needs a terminal to talk to you")
        .label(call.span, "asks for your bids")
        .help("play in the REPL: run `bid` in a terminal")
        .into()
}
