//! Translates games without rules to explicit graphs: every position is a vertex, with its name in
//! a comment.

use std::fmt::Write;

use super::refused;
use crate::diagnostic::Result;
use crate::player::{Ending, Player};
use crate::verify::{CertifiedGraph, Game, GameIndex, Interpreter};

/// The longest name of a vertex.
const LONGEST: usize = 60;

/// Returns the name of a position for a comment.
///
/// # Errors
/// Returns an error if a ruleset's position is part of it, because its rules would have to be in
/// the theorem.
pub(super) fn called(interpreter: &Interpreter<'_>, game: GameIndex) -> Result<String> {
    let mut name = String::new();
    write_name(interpreter, game, &mut name)?;
    Ok(harmless(&name))
}

fn write_name(interpreter: &Interpreter<'_>, game: GameIndex, name: &mut String) -> Result<()> {
    let part = |game: GameIndex, name: &mut String| write_name(interpreter, game, name);
    // A character takes at most four bytes, so enough of them remain to cut the name at. The games
    // within are positions with names of their own.
    if name.len() > LONGEST * 4 {
        name.push('…');
        return Ok(());
    }
    match interpreter.form(game) {
        Game::Over(Ending::Win(Player::Alice)) => name.push('A'),
        Game::Over(Ending::Win(Player::Bob)) => name.push('B'),
        Game::Over(Ending::Draw) => name.push_str("Draw"),
        Game::Power(player, n) => {
            let letter = match player {
                Player::Alice => 'A',
                Player::Bob => 'B',
            };
            let _ = write!(name, "{letter}^{n}");
        }
        Game::Wedge(g, h) => {
            name.push('(');
            part(*g, name)?;
            name.push_str(" ∧ ");
            part(*h, name)?;
            name.push(')');
        }
        Game::Braces(options) => {
            for (player, mark) in [(Player::Alice, "{ "), (Player::Bob, " | ")] {
                name.push_str(mark);
                for (number, option) in options[player].iter().enumerate() {
                    if number > 0 {
                        name.push_str(", ");
                    }
                    part(*option, name)?;
                }
            }
            name.push_str(" }");
        }
        Game::Conjugate(inner) => {
            name.push('~');
            part(*inner, name)?;
        }
        Game::Truncation(inner, n) => {
            part(*inner, name)?;
            let _ = write!(name, "[{n}]");
        }
        Game::Vertex(graph, vertex) => {
            name.push_str(&interpreter.vertex_name(*graph, *vertex));
        }
        Game::State(..) => return ruleset_inside(),
    }
    Ok(())
}

fn ruleset_inside<T>() -> Result<T> {
    Err(refused(
        "a theorem is about a graph or about the rules of one ruleset, and here a ruleset is part of another game",
    ))
}

/// Returns a name that neither ends a comment nor begins a string.
pub(super) fn harmless(name: &str) -> String {
    let short: String = name.chars().take(LONGEST).collect();
    let cut = if short.len() < name.len() { "…" } else { "" };
    let plain = short
        .replace('"', "'")
        .replace("(*", "( *")
        .replace("*)", "* )")
        .replace(|c: char| c.is_control(), " ");
    format!("{plain}{cut}")
}

/// Writes the list of the vertices, numbered from 1 in the order of the listing.
pub(super) fn definition(name: &str, graph: &CertifiedGraph<'_>, names: &[String]) -> String {
    let mut text = format!("Definition {name} : game := graph_game [\n");
    for (position, name) in names.iter().enumerate() {
        let heads = |player: Player| {
            let moves = graph.moves(position, player).iter();
            let moves = moves.filter(|_| graph.ending(position).is_none());
            let heads: Vec<String> = moves.map(|to| (to + 1).to_string()).collect();
            heads.join("; ")
        };
        let winner = match graph.ending(position) {
            Some(Ending::Win(player)) => format!("Some {}", player.name()),
            Some(Ending::Draw) | None => "None".to_owned(),
        };
        let _ = writeln!(
            text,
            "  ({}, ({winner}, [{}], [{}])){} (* {name} *)",
            position + 1,
            heads(Player::Alice),
            heads(Player::Bob),
            if position + 1 == names.len() { "" } else { ";" },
        );
    }
    text.push_str("]%positive.");
    text
}
