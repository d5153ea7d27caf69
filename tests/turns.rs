//! Games without bids, read from files, compared with the algorithms for parity and reachability
//! games.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use bid::session::Session;
use bid_language::player::Player;
use bid_testing::{GraphShape, graphs, samples};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;

use crate::support;

/// A parity game: for each vertex its priority, its owner and its successors.
#[derive(Debug)]
struct Parity(Vec<(u32, Player, Vec<usize>)>);

/// Generates random parity games of up to seven vertices.
fn parity_games() -> impl Strategy<Value = Parity> {
    let shape = GraphShape {
        positions: 1..=7,
        stuck: 0.0,
        cycles: 1.0,
        ends: 0.0,
        shared: 1.0,
        ..GraphShape::SMALL
    };
    let labels = vec((0..=5_u32, select(Player::BOTH.to_vec())), 7);
    (graphs(shape), labels).prop_map(|(graph, labels)| {
        let vertices = graph.vertices.into_iter().zip(labels);
        let vertices =
            vertices.map(|(vertex, (priority, owner))| (priority, owner, vertex.moves.alice));
        Parity(vertices.collect())
    })
}

impl Parity {
    fn text(&self) -> String {
        let mut text = format!("parity {};\nstart 0;\n", self.0.len() - 1);
        for (place, (priority, owner, heads)) in self.0.iter().enumerate() {
            let heads: Vec<String> = heads.iter().map(ToString::to_string).collect();
            let owner = usize::from(*owner == Player::Bob);
            writeln!(text, "{place} {priority} {owner} {};", heads.join(","))
                .expect("writing to a string succeeds");
        }
        text
    }

    /// Returns the vertices from which a player can force play into a goal within a set (the
    /// attractor).
    fn attracted(&self, player: Player, within: &[bool], goal: &[bool]) -> Vec<bool> {
        let mut found = goal.to_vec();
        loop {
            let mut grown = false;
            for (place, (_, owner, heads)) in self.0.iter().enumerate() {
                let mut inside = heads
                    .iter()
                    .filter(|head| within[**head])
                    .map(|head| found[*head]);
                let comes = if *owner == player {
                    inside.any(|found| found)
                } else {
                    inside.all(|found| found)
                };
                if within[place] && !found[place] && comes {
                    (found[place], grown) = (true, true);
                }
            }
            if !grown {
                return found;
            }
        }
    }

    /// Returns the vertices from which Alice wins within a set that no player has to leave
    /// (Zielonka 1998).
    fn won(&self, within: &[bool]) -> Vec<bool> {
        let inside = |place: &usize| within[*place];
        let places: Vec<usize> = (0..self.0.len()).filter(inside).collect();
        let Some(greatest) = places.iter().map(|place| self.0[*place].0).max() else {
            return vec![false; self.0.len()];
        };
        let player = if greatest % 2 == 0 {
            Player::Alice
        } else {
            Player::Bob
        };
        let top: Vec<bool> = (0..self.0.len())
            .map(|place| within[place] && self.0[place].0 == greatest)
            .collect();
        let near = self.attracted(player, within, &top);
        let rest: Vec<bool> = (0..self.0.len())
            .map(|place| within[place] && !near[place])
            .collect();
        let alices = self.won(&rest);
        let lost: Vec<bool> = (0..self.0.len())
            .map(|place| rest[place] && alices[place] == (player == Player::Bob))
            .collect();
        if !lost.contains(&true) {
            return (0..self.0.len())
                .map(|place| within[place] && player == Player::Alice)
                .collect();
        }
        let away = self.attracted(player.other(), within, &lost);
        let rest: Vec<bool> = (0..self.0.len())
            .map(|place| within[place] && !away[place])
            .collect();
        let alices = self.won(&rest);
        let others = player == Player::Bob;
        (0..self.0.len())
            .map(|place| within[place] && if away[place] { others } else { alices[place] })
            .collect()
    }
}

/// Checks that parity games from files have the winners that Zielonka's algorithm finds, and
/// reachability games those of the attractor.
#[test]
fn games_without_bids_have_their_winners() {
    let mut files = BTreeMap::new();
    let (mut program, mut expected) = (String::new(), String::new());
    for (number, parity) in samples(parity_games()).take(150).enumerate() {
        files.insert(
            PathBuf::from(format!("{number}.pg")),
            parity.text().into_bytes(),
        );
        let all = vec![true; parity.0.len()];
        let goal: Vec<bool> = (0..parity.0.len())
            .map(|place| place + 1 == parity.0.len())
            .collect();
        let reached = parity.attracted(Player::Alice, &all, &goal)[0];
        let won = parity.won(&all)[0];
        let last = parity.0.len() - 1;
        let value = |won: bool| if won { "0" } else { "1" };
        for (line, rules, wins) in [
            ("", "{ objective: parity }", won),
            ("; win alice: LAST", "{}", reached),
        ] {
            let line = line.replace("LAST", &last.to_string());
            writeln!(
                program,
                "R(graph {{ edges \"{number}.pg\" turns{line} }}) using {rules}"
            )
            .expect("a string");
            writeln!(expected, "{}", value(wins)).expect("a string");
        }
        let winner = if reached { "alice" } else { "draw" };
        writeln!(program, "graph {{ edges \"{number}.pg\" turns; win alice: {last} }}(0*, 0) using {{ ties: marker }}")
            .expect("a string");
        writeln!(expected, "{winner}").expect("a string");
    }
    let mut session = Session::new(Box::new(support::Memory(files)), support::small());
    let told = support::transcript(&mut session, "program.bid", &program);
    let told: String = told
        .lines()
        .filter(|line| !line.starts_with([' ', 'W']))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(told, expected);
}
