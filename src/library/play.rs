//! `play`: a match against the optimal player.

use std::rc::Rc;

use super::{Builtin, Call, Parameter};
use crate::check::Kinds;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Evaluator, Outcome, Value, placed, print_position};
use crate::game::{Ending, Explored, GameId, NodeId, PerPlayer, Player};
use crate::rules::{Purses, Rules, Tie, Winner, settle, tie};
use crate::solve::strategy::Strategies;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[Builtin {
    named: &[Parameter { name: "as", kinds: Kinds::PLAYER }],
    help: "Plays G with these chips against the optimal player, in the terminal. You are Alice, or whom `as:` names.",
    run: play,
    ..Builtin::new(
        "play",
        &[
            Parameter { name: "G", kinds: Kinds::GAME },
            Parameter { name: "a", kinds: Kinds::HOLDING },
            Parameter { name: "b", kinds: Kinds::HOLDING },
        ],
        Kinds::OUTCOME.or(Kinds::TEXT),
    )
}];

fn play(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let purses = evaluator.purses(&call.arguments[1], &call.arguments[2], call.span)?;
    if evaluator.dialogue.is_none() {
        return Err(no_terminal(call));
    }
    evaluator.talked = true;
    let human = match call.named.first() {
        Some((_, Value::Player(player), _)) => *player,
        _ => Player::Alice,
    };
    let rules = evaluator.rules();
    let (explored, node) = evaluator.graph_of(game)?;
    let total = purses.chips.alice + purses.chips.bob;
    let strategies = Strategies::solve(&explored.graph, &rules, total, evaluator.watch);
    let strategies = strategies.map_err(|error| placed(error, call.span))?;
    let mut table =
        Match { rules: &rules, explored: Rc::clone(&explored), strategies: &strategies, human, game, node, purses };
    while explored.graph.ending(table.node).is_none() {
        evaluator.watch.check()?;
        if table.turn(evaluator)?.is_none() {
            return Ok(Value::text("the match was stopped"));
        }
    }
    evaluator.say(&board(&print_position(&evaluator.world.games, table.game)));
    let ending = explored.graph.ending(table.node).expect("the loop ends there");
    Ok(Value::Outcome(match ending {
        Ending::Win(player) => Outcome::Wins(player),
        Ending::Draw => Outcome::Draw,
    }))
}

/// A match under way.
struct Match<'a> {
    rules: &'a Rules,
    explored: Rc<Explored>,
    strategies: &'a Strategies<'a>,
    human: Player,
    game: GameId,
    node: NodeId,
    purses: Purses,
}

impl Match<'_> {
    /// One bid and one move; `None` if the user wants to stop.
    fn turn(&mut self, evaluator: &mut Evaluator<'_>) -> Result<Option<()>> {
        let engine = self.human.other();
        evaluator.say(&format!("\n{}", board(&print_position(&evaluator.world.games, self.game))));
        evaluator.say(&format!(
            "you have {}, {} has {}",
            self.holding(self.human),
            engine.name(),
            self.holding(engine)
        ));
        let most = self.purses.chips[self.human];
        let question = format!("your bid, 0 to {most}");
        let Some(own) = evaluator.ask_number(&question, 0, most) else { return Ok(None) };
        let other = self.strategies.turn(engine, self.node, self.purses).bid();
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
        let Some(game) = moved else { return Ok(None) };
        self.game = game;
        self.node = self.explored.node(&evaluator.world.games, game).expect("the graph is closed under moves");
        self.purses = after;
        Ok(Some(()))
    }

    fn holding(&self, player: Player) -> String {
        let star = if self.purses.status == Some(player) { "*" } else { "" };
        format!("{}{star}", self.purses.chips[player])
    }

    fn winner(&self, own: u64, other: u64, evaluator: &mut Evaluator<'_>) -> Option<Player> {
        let engine = self.human.other();
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => Some(self.human),
            std::cmp::Ordering::Less => Some(engine),
            std::cmp::Ordering::Equal => match tie(self.rules, &self.purses) {
                Tie::Goes(player) => Some(player),
                Tie::ChosenBy(player) if player == engine => {
                    Some(self.strategies.turn(engine, self.node, self.purses).tie_winner(own))
                }
                Tie::ChosenBy(_) => {
                    let uses = evaluator.ask_choice("a tie: use the advantage", ["yes", "no"])?;
                    Some(if uses == 0 { self.human } else { engine })
                }
                Tie::Coin => unreachable!("rules with a coin have no thresholds, so no match begins"),
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
            (Winner::Chooses, false) => Some(self.strategies.turn(engine, self.node, self.purses).mover(after)),
            (Winner::Chooses, true) => {
                let let_move = format!("let {} move", engine.name());
                let choice = evaluator.ask_choice("what now", ["move", &let_move])?;
                Some(if choice == 0 { self.human } else { engine })
            }
        }
    }

    fn human_move(&self, evaluator: &mut Evaluator<'_>) -> Result<Option<GameId>> {
        let moves = evaluator.named_moves(self.game, self.human)?;
        let games = &evaluator.world.games;
        let words: Vec<String> = moves
            .iter()
            .map(|named| {
                let position = print_position(games, named.to);
                if named.action.is_empty() { position } else { format!("{}  {position}", named.action) }
            })
            .collect();
        for (number, words) in words.iter().enumerate() {
            evaluator.say(&format!("  {}  {words}", number + 1));
        }
        let chosen = evaluator.ask_number(&format!("your move, 1 to {}", moves.len()), 1, moves.len() as u64);
        Ok(chosen.map(|number| moves[number as usize - 1].to))
    }

    fn engine_move(&self, after: &Purses, evaluator: &mut Evaluator<'_>) -> Result<GameId> {
        let engine = self.human.other();
        let node = self.strategies.turn(engine, self.node, self.purses).destination(after);
        let node = node.expect("who is to move can move");
        let moves = evaluator.named_moves(self.game, engine)?;
        let games = &evaluator.world.games;
        let named = moves.into_iter().find(|named| self.explored.node(games, named.to) == Some(node));
        let named = named.expect("every edge of the graph is a move");
        let words = if named.action.is_empty() { print_position(games, named.to) } else { named.action };
        evaluator.say(&format!("{} moves: {words}", engine.name()));
        Ok(named.to)
    }
}

/// A board's rows one below the other.
fn board(position: &str) -> String {
    position.replace('/', "\n")
}

impl Evaluator<'_> {
    fn say(&mut self, text: &str) {
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.say(text);
        }
    }

    /// Asks until the answer is a number in the range; `None` if the user wants to stop.
    fn ask_number(&mut self, question: &str, least: u64, most: u64) -> Option<u64> {
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
}

fn no_terminal(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "`play` needs a terminal to talk to you")
        .label(call.span, "asks for your bids")
        .help("play in the REPL: run `bid` in a terminal")
        .into()
}
