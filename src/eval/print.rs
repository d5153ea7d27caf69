//! Values as text on one line, as the language writes them.

use super::board::{Board, Shape};
use super::evaluator::Evaluator;
use super::value::{Side, Value};
use crate::game::{Ending, GameExpr, GameId, Games, Player};
use crate::rules::Overrides;

impl Evaluator<'_> {
    /// The value on one line.
    pub fn print(&self, value: &Value) -> String {
        print(&self.world.games, value)
    }
}

/// A value on one line, as the language writes it.
pub fn print(games: &Games, value: &Value) -> String {
    let all = |items: &[Value]| {
        let items: Vec<String> = items.iter().map(|item| print(games, item)).collect();
        items.join(", ")
    };
    match value {
        Value::Integer(n) => n.to_string(),
        Value::Rational(q) => q.to_string(),
        Value::Chips(chips) => chips.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Text(text) => text.to_string(),
        Value::Player(player) => player.word().to_owned(),
        Value::Empty => "empty".to_owned(),
        Value::Side(side) => side.word().to_owned(),
        Value::Board(board) => print_board(games, board),
        Value::List(items) => format!("[{}]", all(items)),
        Value::Tuple(items) => format!("({})", all(items)),
        Value::Game(game) => print_game(games, *game),
        Value::Function(function) => format!("{}({})", function.name(), function.parameters().join(", ")),
        Value::Rules(rules) => print_rules(rules),
        Value::Outcome(outcome) => outcome.word().to_owned(),
        Value::Answer(answer) => answer.elements().map_or_else(|| "…".to_owned(), |items| format!("[{}]", all(&items))),
    }
}

impl Side {
    /// The word that the language uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }
}

/// Rules as a literal.
pub fn print_rules(rules: &Overrides) -> String {
    let fields: Vec<String> = rules
        .fields()
        .iter()
        .map(|field| {
            let (name, value) = field.words();
            format!("{name}: {value}")
        })
        .collect();
    if fields.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", fields.join(", ")) }
}

fn print_board(games: &Games, board: &Board) -> String {
    let cell = |value: &Value| match value {
        Value::Empty => ".".to_owned(),
        Value::Player(Player::Alice) => "A".to_owned(),
        Value::Player(Player::Bob) => "B".to_owned(),
        other => print(games, other),
    };
    let rows: Vec<String> = board.cells.chunks(board.cols.max(1)).map(|row| row.iter().map(cell).collect()).collect();
    match board.shape {
        Shape::Square | Shape::Hex => rows.join("/"),
    }
}

/// How many levels of a nested expression are printed in full.
const PRINTED_DEPTH: usize = 64;

/// A game as an expression that reads back.
pub fn print_game(games: &Games, game: GameId) -> String {
    print_at_depth(games, game, PRINTED_DEPTH)
}

fn print_at_depth(games: &Games, game: GameId, depth: usize) -> String {
    if depth == 0 {
        return "…".to_owned();
    }
    let part = |game| {
        let text = print_at_depth(games, game, depth - 1);
        if is_compound(games, game) { format!("({text})") } else { text }
    };
    let options = |side: &[GameId]| {
        let options: Vec<String> = side.iter().map(|option| print_at_depth(games, *option, depth - 1)).collect();
        options.join(", ")
    };
    match games.expr(game) {
        GameExpr::Ended(Ending::Win(player)) => letter(*player).to_owned(),
        GameExpr::Ended(Ending::Draw) => "Draw".to_owned(),
        GameExpr::Power(player, n) => format!("{}^{n}", letter(*player)),
        GameExpr::Wedge(..) if is_even(games, game) => "E".to_owned(),
        GameExpr::Wedge(g, h) => format!("{} ∧ {}", part(*g), part(*h)),
        GameExpr::Braces(sides) => {
            let (alice, bob) = (options(&sides.alice), options(&sides.bob));
            format!("{{ {} }}", format!("{alice} | {bob}").trim())
        }
        GameExpr::Conjugate(inner) => format!("~{}", part(*inner)),
        GameExpr::Truncation(inner, n) => format!("{}[{n}]", part(*inner)),
        GameExpr::Vertex(network, vertex) => {
            let network = games.network(*network);
            match network.title() {
                "" => network.vertex(*vertex).name.clone(),
                title if *vertex == network.start() => title.to_owned(),
                title => format!("{title} at {}", network.vertex(*vertex).name),
            }
        }
        GameExpr::State(id, state) => {
            let ruleset = games.ruleset(*id);
            let title = games.ruleset_title(*id);
            if state == ruleset.start() { title.to_owned() } else { format!("{title} at {:?}", ruleset.print(state)) }
        }
    }
}

fn letter(player: Player) -> &'static str {
    match player {
        Player::Alice => "A",
        Player::Bob => "B",
    }
}

/// Whether a game is `A ∧ B`, which prints as `E`.
fn is_even(games: &Games, game: GameId) -> bool {
    let GameExpr::Wedge(g, h) = games.expr(game) else { return false };
    let wins = |game: GameId, player| *games.expr(game) == GameExpr::Ended(Ending::Win(player));
    wins(*g, Player::Alice) && wins(*h, Player::Bob)
}

fn is_compound(games: &Games, game: GameId) -> bool {
    match games.expr(game) {
        GameExpr::Wedge(..) => !is_even(games, game),
        GameExpr::Vertex(network, vertex) => *vertex != games.network(*network).start(),
        GameExpr::State(id, state) => state != games.ruleset(*id).start(),
        GameExpr::Ended(_)
        | GameExpr::Power(..)
        | GameExpr::Braces(_)
        | GameExpr::Conjugate(_)
        | GameExpr::Truncation(..) => false,
    }
}

/// The position of a game as text: a board, a vertex's name, or the game itself.
pub fn print_position(games: &Games, game: GameId) -> String {
    match games.expr(game) {
        GameExpr::Vertex(network, vertex) => games.network(*network).vertex(*vertex).name.clone(),
        GameExpr::State(id, state) => games.ruleset(*id).print(state),
        _ => print_game(games, game),
    }
}
