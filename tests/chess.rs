//! The endgames of `games/chess.bid`, compared with a graph whose moves are generated square by
//! square.

use std::collections::HashMap;

use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use bid_language::rules::Rules;
use bid_language::watch::Context;
use bid_solve::richman::Values;

use crate::support::{session, transcript};

type Square = (i8, i8);

/// A position: Alice's king, Bob's king, and Alice's man, if it has not been taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    king: Square,
    foe: Square,
    man: Option<Square>,
}

/// The way in which a man moves.
#[derive(Debug, Clone, Copy)]
struct Kind {
    word: &'static str,
    runs: bool,
    may_step: fn(i8, i8) -> bool,
}

const KINDS: [Kind; 4] = [
    Kind {
        word: "queen",
        runs: true,
        may_step: |r, c| r == 0 || c == 0 || r == c || r == -c,
    },
    Kind {
        word: "rook",
        runs: true,
        may_step: |r, c| r == 0 || c == 0,
    },
    Kind {
        word: "bishop",
        runs: true,
        may_step: |r, c| r == c || r == -c,
    },
    Kind {
        word: "knight",
        runs: false,
        may_step: |r, c| r.abs() + c.abs() == 3 && r != 0 && c != 0,
    },
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Next {
    Goes(Position),
    Ends(Player),
}

fn moves(position: Position, player: Player, kind: Kind, size: i8) -> Vec<Next> {
    let Position { king, foe, man } = position;
    let squares = || (0..size).flat_map(|r| (0..size).map(move |c| (r, c)));
    let beside = |a: Square, b: Square| a != b && (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1;
    if player == Player::Bob {
        let goes = |to: Square| {
            let left = man.filter(|man| *man != to);
            if to == king {
                Next::Ends(Player::Bob)
            } else {
                Next::Goes(Position {
                    foe: to,
                    man: left,
                    ..position
                })
            }
        };
        return squares().filter(|to| beside(foe, *to)).map(goes).collect();
    }
    let captures = |to: Square, next: Position| {
        if to == foe {
            Next::Ends(Player::Alice)
        } else {
            Next::Goes(next)
        }
    };
    let mut found: Vec<Next> = squares()
        .filter(|to| beside(king, *to) && Some(*to) != man)
        .map(|to| {
            captures(
                to,
                Position {
                    king: to,
                    ..position
                },
            )
        })
        .collect();
    if let Some(from) = man {
        let reached = |to: &Square| {
            let (r, c) = (to.0 - from.0, to.1 - from.1);
            let steps = if kind.runs { r.abs().max(c.abs()) } else { 1 };
            let between = |k: i8| (from.0 + k * r.signum(), from.1 + k * c.signum());
            *to != from
                && *to != king
                && (kind.may_step)(r, c)
                && (1..steps).all(|k| between(k) != king && between(k) != foe)
        };
        found.extend(squares().filter(reached).map(|to| {
            captures(
                to,
                Position {
                    man: Some(to),
                    ..position
                },
            )
        }));
    }
    found
}

/// Returns the graph of all positions that can be reached, with the given position first.
fn graph(start: Position, kind: Kind, size: i8) -> (GameGraph, Vec<Next>) {
    let mut numbers = HashMap::from([(Next::Goes(start), 0)]);
    let mut places = vec![Next::Goes(start)];
    let mut builder = GameGraphBuilder::default();
    let mut done = 0;
    while done < places.len() {
        let place = places[done];
        let mut heads = |player| -> Vec<NodeId> {
            let Next::Goes(position) = place else {
                return Vec::new();
            };
            let number = |next| {
                *numbers.entry(next).or_insert_with(|| {
                    places.push(next);
                    places.len() - 1
                })
            };
            moves(position, player, kind, size)
                .into_iter()
                .map(number)
                .map(NodeId::new)
                .collect()
        };
        let [alice, bob] = Player::both(&mut heads);
        let ending = match place {
            Next::Ends(player) => Some(Ending::Win(player)),
            Next::Goes(_) => None,
        };
        builder.push(ending, &alice, &bob);
        done += 1;
    }
    (builder.finish(NodeId::new(0)), places)
}

#[test]
fn endgames_have_the_values_of_another_graph() {
    for (kind, size) in KINDS.into_iter().flat_map(|kind| [(kind, 3), (kind, 4)]) {
        let start = Position {
            king: (0, 0),
            foe: (size - 1, size - 1),
            man: Some((0, 1)),
        };
        let (graph, places) = graph(start, kind, size);
        let values =
            Values::solve(&graph, &Rules::default(), Context::plain()).expect("nothing stops it");
        let text = |(r, c): Square| format!("({r}, {c})");
        let mut program = format!(
            "use \"games/chess.bid\"\nlet G = endgame({size}, {size}, [{}])\n",
            kind.word
        );
        let mut expected = Vec::new();
        for (number, place) in places.iter().enumerate().step_by(places.len() / 40) {
            let Next::Goes(Position { king, foe, man }) = place else {
                continue;
            };
            let squares = [text(*king), text(*foe), text(man.unwrap_or((-1, -1)))].join(", ");
            program.push_str(&format!("R(G at [{squares}])\n"));
            expected.push(values.value(NodeId::new(number)).to_string());
        }
        assert!(expected.len() > 10);
        let said = transcript(&mut session(), "chess.bid", &program);
        assert_eq!(
            said.lines().collect::<Vec<_>>(),
            expected,
            "{kind:?} on {size} × {size}"
        );
    }
}
