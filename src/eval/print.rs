//! Values as text on one line, as the language writes them.

use super::board::{Board, Shape};
use super::evaluator::Evaluator;
use super::value::{Side, Value};
use crate::game::{Ending, GameExpr, GameId, Games, Network, Player};
use crate::report::text::quoted;
use crate::rules::Overrides;
use crate::syntax::KEYWORDS;

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

/// How many primitives, positions and braces of one game are printed: shared parts make some games far longer than their memory.
const PRINTED_PARTS: usize = 10_000;

/// A game as an expression that reads back; what is nested too deeply or too long to read is left out as `…`.
pub fn print_game(games: &Games, game: GameId) -> String {
    let mut printer = Printer { games, parts_left: PRINTED_PARTS };
    printer.game(game, PRINTED_DEPTH)
}

struct Printer<'a> {
    games: &'a Games,
    parts_left: usize,
}

impl Printer<'_> {
    fn game(&mut self, game: GameId, depth: usize) -> String {
        if depth == 0 || self.parts_left == 0 {
            return "…".to_owned();
        }
        let games = self.games;
        match games.expr(game) {
            GameExpr::Wedge(..) if is_even(games, game) => self.atom("E".to_owned()),
            GameExpr::Wedge(g, h) => format!("{} ∧ {}", self.operand(*g, depth), self.operand(*h, depth)),
            GameExpr::Braces(sides) => {
                self.parts_left -= 1;
                let (alice, bob) = (self.options(&sides.alice, depth), self.options(&sides.bob, depth));
                format!("{{ {} }}", format!("{alice} | {bob}").trim())
            }
            GameExpr::Conjugate(inner) => format!("~{}", self.operand(*inner, depth)),
            GameExpr::Truncation(inner, n) => format!("{}[{n}]", self.truncated(*inner, depth)),
            GameExpr::Ended(Ending::Win(player)) => self.atom(letter(*player).to_owned()),
            GameExpr::Ended(Ending::Draw) => self.atom("Draw".to_owned()),
            GameExpr::Power(player, n) => self.atom(format!("{}^{n}", letter(*player))),
            GameExpr::Vertex(network, vertex) => self.atom(print_vertex(games.network(*network), *vertex)),
            GameExpr::State(id, state) => {
                let (title, ruleset) = (games.ruleset_title(*id), games.ruleset(*id));
                let is_start = state == ruleset.start();
                self.atom(if is_start { title.to_owned() } else { format!("{title} at {:?}", ruleset.print(state)) })
            }
        }
    }

    fn atom(&mut self, text: String) -> String {
        self.parts_left -= 1;
        text
    }

    /// A game as an operand: what has an operator of its own is put in parentheses.
    fn operand(&mut self, game: GameId, depth: usize) -> String {
        let text = self.game(game, depth - 1);
        if is_compound(self.games, game) { format!("({text})") } else { text }
    }

    /// A game before `[n]`, which binds more tightly than a power or a conjugate.
    fn truncated(&mut self, game: GameId, depth: usize) -> String {
        match self.games.expr(game) {
            GameExpr::Power(..) | GameExpr::Conjugate(_) => format!("({})", self.game(game, depth - 1)),
            _ => self.operand(game, depth),
        }
    }

    fn options(&mut self, side: &[GameId], depth: usize) -> String {
        let options: Vec<String> = side.iter().map(|option| self.game(*option, depth - 1)).collect();
        options.join(", ")
    }
}

fn print_vertex(network: &Network, vertex: u32) -> String {
    match network.title() {
        "" => network.vertex(vertex).name.clone(),
        title if vertex == network.start() => title.to_owned(),
        title => format!("{title} at {}", network.vertex(vertex).name),
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

/// What a value is called as a vertex: strings that are no bare names are quoted, so that `1` and `"1"` differ and every
/// name reads back.
pub fn print_vertex_name(games: &Games, value: &Value) -> String {
    match value {
        Value::Text(text) if !is_bare_name(text) => quoted(text),
        Value::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| print_vertex_name(games, part)).collect();
            format!("({})", parts.join(", "))
        }
        other => print(games, other),
    }
}

/// Whether a text stands for itself where a vertex is named.
fn is_bare_name(text: &str) -> bool {
    let letters = text.trim_end_matches('\'');
    letters.starts_with(char::is_alphabetic)
        && letters.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !KEYWORDS.contains(&text)
        && !matches!(text, "A" | "B" | "E" | "Draw")
}

/// Where a move leads: a position of the same graph or ruleset, or the game itself.
pub fn print_target(games: &Games, from: GameId, to: GameId) -> String {
    let same = match (games.expr(from), games.expr(to)) {
        (GameExpr::Vertex(here, _), GameExpr::Vertex(there, _)) => here == there,
        (GameExpr::State(here, _), GameExpr::State(there, _)) => here == there,
        _ => false,
    };
    if same { print_position(games, to) } else { print_game(games, to) }
}

/// The position of a game as text: a board, a vertex's name, or the game itself.
pub fn print_position(games: &Games, game: GameId) -> String {
    match games.expr(game) {
        GameExpr::Vertex(network, vertex) => games.network(*network).vertex(*vertex).name.clone(),
        GameExpr::State(id, state) => games.ruleset(*id).print(state),
        _ => print_game(games, game),
    }
}

/// Whether that text shows a board of hexagons.
pub fn shows_hexagons(games: &Games, game: GameId) -> bool {
    matches!(games.expr(game), GameExpr::State(id, _) if games.ruleset(*id).shows_hexagons())
}
