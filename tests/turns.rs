//! Vertices where a player moves without a bid, where other files do not hold them to literal play:
//! closed forms, sure wins on cycles, games without any bid, and the ways in which graphs and
//! rulesets say whose turn it is.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use bid::session::Session;
use bid_language::diagnostic::Code;
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Payment, Purses, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::all_pay::{Solved, Standing, SureWins};
use bid_solve::chips::Thresholds;
use bid_solve::game::{GameGraph, NodeId};
use bid_solve::richman::Values;
use bid_solve::sequences::Sequences;
use rand::RngExt;
use rand::rngs::StdRng;

use crate::oracle::random::{Shape, dice, game, with_owners};
use crate::oracle::{Oracle, Order, all_rules};
use crate::support;

fn owned_game(dice: &mut StdRng, cycles: bool) -> GameGraph {
    let shape = Shape {
        positions: dice.random_range(2..=6),
        moves: dice.random_range(1..=3),
        cycles,
        draws: dice.random_bool(0.3),
    };
    let graph = game(dice, shape);
    with_owners(&graph, dice)
}

/// Closed forms are the thresholds total by total, where bids about nothing change nothing;
/// elsewhere they are refused.
#[test]
fn closed_forms_are_the_thresholds() {
    let mut dice = dice(77);
    let (mut compared, mut refused) = (0, 0);
    for round in 0..60 {
        let graph = owned_game(&mut dice, round % 4 == 0);
        if !graph.has_owners() {
            continue;
        }
        for rules in all_rules() {
            let indifferent = match rules.ties {
                TieBreak::LadiesFirst | TieBreak::GentlemenFirst => true,
                TieBreak::Advantage | TieBreak::MakeItTakeIt | TieBreak::Richer => {
                    rules.winner == Winner::Chooses
                }
                TieBreak::Marker
                | TieBreak::Attached
                | TieBreak::LosersBall
                | TieBreak::Coin
                | TieBreak::Nobody => false,
            };
            let solved = match Sequences::solve(&graph, &rules, Context::plain()) {
                Ok(solved) => solved,
                Err(error) => {
                    assert_eq!(error.code, Code::NotSupported);
                    refused += usize::from(!indifferent);
                    assert!(
                        !indifferent || !graph.components().acyclic(),
                        "{}",
                        error.message
                    );
                    continue;
                }
            };
            assert!(indifferent, "{rules:?}");
            let totals: Vec<u64> = (0..60).collect();
            let thresholds =
                Thresholds::solve(&graph, &rules, Player::Alice, &totals, Context::plain())
                    .expect("solved");
            for node in graph.nodes() {
                for (lane, total) in totals.iter().enumerate() {
                    let form = solved.threshold(solved.class(node), *total);
                    assert_eq!(
                        form,
                        thresholds.threshold(node, lane),
                        "{rules:?} {node:?} {total} {graph:?}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20_000 && refused > 100, "{compared} {refused}");
}

/// Sure wins on cycles are what the literal game forces.
#[test]
fn sure_wins_are_forced() {
    let mut dice = dice(78);
    let mut compared = 0;
    for round in 0..60 {
        let graph = owned_game(&mut dice, true);
        let ties = TieBreak::certain().nth(round % 7).expect("there are seven");
        let rules = Rules {
            pay: Payment::AllPay,
            ties,
            draws: Draws::Bob,
            ..Rules::default()
        };
        let holder = rules.ties.has_status().then_some(Player::Bob);
        let mut wins = SureWins::new(&graph, &rules, graph.start(), 2, Context::plain());
        for bob in 0..=2_u64 {
            let Ok(least) = wins.least(bob, holder) else {
                continue;
            };
            for alice in 0..=4_u64 {
                let won = Oracle {
                    graph: &graph,
                    rules: &rules,
                    total: alice + bob,
                }
                .won(Player::Alice, Order::Forcing);
                let purses = Purses {
                    chips: PerPlayer::new(alice, bob),
                    status: holder,
                };
                let wins = won.contains(graph.start(), &purses);
                assert_eq!(
                    least.is_some_and(|least| least <= alice),
                    wins,
                    "{alice} {bob} {rules:?} {graph:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Mixed bids are refused where positions come back at which there is no bid.
#[test]
fn mixed_bids_need_bids_on_cycles() {
    let mut builder = bid_solve::game::GameGraphBuilder::default();
    let heads = [1, 2].map(NodeId::new);
    builder.push(None, &heads, &heads);
    builder.push(None, &[NodeId::new(0)], &[]);
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    builder.own(NodeId::new(1), Player::Alice);
    let graph = builder.finish(NodeId::new(0));
    let rules = Rules {
        pay: Payment::AllPay,
        draws: Draws::Half,
        ties: TieBreak::Richer,
        ..Rules::default()
    };
    let mut solved =
        Solved::new(&graph, &rules, PerPlayer::new(2, 2), Context::plain()).expect("it fits");
    let refused = solved
        .advance(
            Standing::of(&graph),
            &rules,
            graph.start(),
            Context::plain(),
        )
        .expect_err("there is no bid at 1");
    assert_eq!(refused.code, Code::NotSupported);
}

/// Under real-valued bidding an owner is the only one who can move.
#[test]
fn real_valued_thresholds_take_an_owner_for_the_only_mover() {
    let mut dice = dice(79);
    for round in 0..200 {
        let graph = owned_game(&mut dice, round % 2 == 0);
        let rules = Rules {
            draws: [Draws::Bob, Draws::Alice, Draws::Half][round % 3],
            ..Rules::default()
        };
        let values = Values::solve(&graph, &rules, Context::plain()).expect("solved");
        for node in graph.nodes() {
            let Some(owner) = graph.owner(node) else {
                continue;
            };
            let heads = graph
                .successors(node, owner)
                .iter()
                .map(|head| values.value(*head));
            let best = if owner == Player::Alice {
                heads.min()
            } else {
                heads.max()
            };
            assert_eq!(Some(values.value(node)), best);
        }
    }
}

/// A parity game: for each vertex its priority, its owner and its successors.
struct Parity(Vec<(u32, Player, Vec<usize>)>);

impl Parity {
    fn random(dice: &mut StdRng) -> Self {
        let count = dice.random_range(1..=7_usize);
        let vertex = |dice: &mut StdRng| {
            let owner = if dice.random_bool(0.5) {
                Player::Alice
            } else {
                Player::Bob
            };
            let heads = (0..dice.random_range(1..=3))
                .map(|_| dice.random_range(0..count))
                .collect();
            (dice.random_range(0..=5), owner, heads)
        };
        Self((0..count).map(|_| vertex(dice)).collect())
    }

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

    /// What a player can be sure to reach within a set (the attractor).
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

    /// From where Alice wins within a set, which nobody has to leave (Zielonka 1998).
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

/// Parity games from files have the winners that Zielonka's algorithm finds, and reachability games
/// those of the attractor.
#[test]
fn games_without_bids_have_their_winners() {
    let mut dice = dice(80);
    let mut files = BTreeMap::new();
    let (mut program, mut expected) = (String::new(), String::new());
    for number in 0..150 {
        let parity = Parity::random(&mut dice);
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
