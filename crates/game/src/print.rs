//! Printing of games on one line, in the syntax of the language.

use super::{GameExpr, Games, Network};
use crate::ir::Side;
use crate::player::{Ending, GameId, PerPlayer, Player};

/// The number of levels of a nested expression that are printed in full.
const PRINTED_DEPTH: usize = 64;

/// The number of primitives, positions and braces of one game that are printed. Shared parts can
/// make a game's text exponentially longer than its representation.
const PRINTED_PARTS: usize = 10_000;

/// Prints a game as an expression that can be read back; parts nested too deeply, or beyond the
/// length limit, are printed as `…`.
pub fn print_game(games: &Games, game: GameId) -> String {
    let mut printer = GamePrinter {
        games,
        parts_left: PRINTED_PARTS,
    };
    printer.game(game, PRINTED_DEPTH)
}

struct GamePrinter<'a> {
    games: &'a Games,
    parts_left: usize,
}

impl GamePrinter<'_> {
    fn game(&mut self, game: GameId, depth: usize) -> String {
        // Both limits are needed: a chain is deep with few parts, and a shared part can be printed
        // often.
        if depth == 0 || self.parts_left == 0 {
            return "…".to_owned();
        }
        let games = self.games;
        match games.expr(game) {
            // `A ∧ B` is read back from `E` as the same game, and users write it so.
            GameExpr::Wedge(..) if is_even(games, game) => self.atom("E".to_owned()),
            GameExpr::Wedge(g, h) => {
                format!("{} ∧ {}", self.operand(*g, depth), self.operand(*h, depth))
            }
            GameExpr::Braces(sides) => {
                self.parts_left -= 1;
                let (alice, bob) = (
                    self.options(&sides.alice, depth),
                    self.options(&sides.bob, depth),
                );
                // A side without options would leave two spaces in a row.
                format!("{{ {} }}", format!("{alice} | {bob}").trim())
            }
            GameExpr::Sum(parts, _) => self.sum(parts, depth),
            // The rule belongs to the rules that a question is asked under, not to the text of the
            // game.
            GameExpr::Ruled(inner, _) => self.game(*inner, depth),
            GameExpr::Conjugate(inner) => format!("~{}", self.operand(*inner, depth)),
            GameExpr::Truncation(inner, n) | GameExpr::Cut(inner, n, _) => {
                format!("{}[{n}]", self.truncated(*inner, depth))
            }
            GameExpr::Ended(Ending::Win(player)) => self.atom(letter(*player).to_owned()),
            GameExpr::Ended(Ending::Draw) => self.atom("Draw".to_owned()),
            GameExpr::Power(player, n) => self.atom(format!("{}^{n}", letter(*player))),
            GameExpr::Vertex(network, vertex) => {
                self.atom(print_vertex(games.network(*network), *vertex))
            }
            GameExpr::State(id, state) => {
                let (title, ruleset) = (games.ruleset_title(*id), games.ruleset(*id));
                let is_start = state == ruleset.start();
                self.atom(if is_start {
                    title.to_owned()
                } else {
                    format!("{title} at {:?}", ruleset.print(state))
                })
            }
        }
    }

    fn sum(&mut self, parts: &[GameId], depth: usize) -> String {
        if parts.is_empty() {
            return self.atom("{ | }".to_owned());
        }
        parts
            .iter()
            .map(|part| self.operand(*part, depth))
            .collect::<Vec<_>>()
            .join(" + ")
    }

    fn atom(&mut self, text: String) -> String {
        self.parts_left -= 1;
        text
    }

    /// Prints a game as an operand: a game with an operator of its own is put in parentheses.
    fn operand(&mut self, game: GameId, depth: usize) -> String {
        let text = self.game(game, depth - 1);
        if is_compound(self.games, game) {
            format!("({text})")
        } else {
            text
        }
    }

    /// Prints a game before `[n]`, which binds more tightly than a power or a conjugate.
    fn truncated(&mut self, game: GameId, depth: usize) -> String {
        match self.games.expr(game) {
            GameExpr::Power(..) | GameExpr::Conjugate(_) => {
                format!("({})", self.game(game, depth - 1))
            }
            _ => self.operand(game, depth),
        }
    }

    fn options(&mut self, side: &[GameId], depth: usize) -> String {
        let options: Vec<String> = side
            .iter()
            .map(|option| self.game(*option, depth - 1))
            .collect();
        options.join(", ")
    }
}

/// Prints a vertex as a game. A graph without a name is not printed as the name of its vertex
/// alone, which would be read as a number or another game.
fn print_vertex(network: &Network, vertex: u32) -> String {
    match &*network.title {
        "" => {
            let from = if vertex == network.start {
                "from"
            } else {
                "at"
            };
            format!("graph {from} {}", network.vertex(vertex).name)
        }
        // The title alone is read back as the start.
        title if vertex == network.start => title.to_owned(),
        title => format!("{title} at {}", network.vertex(vertex).name),
    }
}

fn letter(player: Player) -> &'static str {
    match player {
        Player::Alice => "A",
        Player::Bob => "B",
    }
}

/// Returns `true` if a game is `A ∧ B`, which prints as `E`.
fn is_even(games: &Games, game: GameId) -> bool {
    let GameExpr::Wedge(g, h) = games.expr(game) else {
        return false;
    };
    let wins = |game: GameId, player| *games.expr(game) == GameExpr::Ended(Ending::Win(player));
    wins(*g, Player::Alice) && wins(*h, Player::Bob)
}

fn is_compound(games: &Games, game: GameId) -> bool {
    match games.expr(game) {
        GameExpr::Wedge(..) => !is_even(games, game),
        GameExpr::Sum(parts, _) => parts.len() > 1,
        GameExpr::Ruled(inner, _) => is_compound(games, *inner),
        GameExpr::Vertex(network, vertex) => {
            let network = games.network(*network);
            network.title.is_empty() || *vertex != network.start
        }
        GameExpr::State(id, state) => state != games.ruleset(*id).start(),
        GameExpr::Ended(_)
        | GameExpr::Power(..)
        | GameExpr::Braces(_)
        | GameExpr::Conjugate(_)
        | GameExpr::Truncation(..)
        | GameExpr::Cut(..) => false,
    }
}

/// Prints the target of a move: a position if it is in the same graph or ruleset, else the whole
/// game.
pub fn print_target(games: &Games, from: GameId, to: GameId) -> String {
    let (from, to) = (games.beneath_rules(from), games.beneath_rules(to));
    let same = match (games.expr(from), games.expr(to)) {
        (GameExpr::Vertex(here, _), GameExpr::Vertex(there, _)) => here == there,
        (GameExpr::State(here, _), GameExpr::State(there, _)) => here == there,
        _ => false,
    };
    if same {
        print_position(games, to)
    } else {
        print_game(games, to)
    }
}

/// Prints the position of a game: a board, a vertex's name, or the game itself.
pub fn print_position(games: &Games, game: GameId) -> String {
    match games.expr(games.beneath_rules(game)) {
        GameExpr::Vertex(network, vertex) => games.network(*network).vertex(*vertex).name.clone(),
        GameExpr::State(id, state) => games.ruleset(*id).print(state),
        _ => print_game(games, game),
    }
}

/// Returns the sides of the printed board that each player wins by joining; none if the game is not
/// won by joining sides.
pub fn joined_sides(games: &Games, game: GameId) -> PerPlayer<Vec<Side>> {
    match games.expr(games.beneath_rules(game)) {
        GameExpr::State(id, _) => games.ruleset(*id).joined_sides(),
        _ => PerPlayer::new(Vec::new(), Vec::new()),
    }
}

/// Returns the cells of the printed board that decided the game, row by row from the top; none if it
/// goes on or was decided otherwise.
pub fn deciding_cells(games: &Games, game: GameId) -> Vec<usize> {
    match games.expr(games.beneath_rules(game)) {
        GameExpr::State(id, state) => {
            let cells = games.ruleset(*id).deciding_cells(state);
            cells.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns `true` if the printed position shows a board of hexagons.
pub fn shows_hexagons(games: &Games, game: GameId) -> bool {
    matches!(games.expr(games.beneath_rules(game)), GameExpr::State(id, _) if games.ruleset(*id).shows_hexagons())
}
