//! Disjunctive sums, compared with the product of their parts' graphs, played literally.

use crate::oracle::{Oracle, Order, all_purses};
use crate::support::{session, transcript};
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use bid_language::rules::{FieldValue, Rules, Stuck, StuckResult, TieBreak, Winner};
use bid_testing::{GraphShape, Out, for_all, graphs};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;

/// A part: the vertices to which each player can move from each vertex.
type Part = Vec<[Vec<usize>; 2]>;

/// Generates parts of up to three vertices whose starts have a move, because otherwise the graph
/// has no lines.
fn parts() -> impl Strategy<Value = Part> {
    let shape = GraphShape {
        positions: 1..=3,
        stuck: 0.4,
        traps: true,
        cycles: 0.3,
        draws: 0.0,
        out: Out::both(0.2),
        ..GraphShape::SMALL
    };
    let graphs = graphs(shape).prop_map(|graph| -> Part {
        let vertices = graph.vertices.into_iter();
        vertices
            .map(|vertex| [vertex.moves.alice, vertex.moves.bob])
            .collect()
    });
    graphs.prop_filter("the start has a move", |part| {
        part[0].iter().any(|heads| !heads.is_empty())
    })
}

fn source(part: &Part) -> String {
    let mut lines = vec!["start v0".to_owned()];
    for (vertex, heads) in part.iter().enumerate() {
        for (player, heads) in ["alice", "bob"].iter().zip(heads) {
            let heads: Vec<String> = heads.iter().map(|head| format!("v{head}")).collect();
            if !heads.is_empty() {
                lines.push(format!("{player} v{vertex} -> {}", heads.join(", ")));
            }
        }
    }
    format!("graph {{ {} }}", lines.join("; "))
}

/// Returns the parts' sum as text. If `conjugated` is set, the sum of the first two is written as
/// the conjugate of the sum with the players exchanged.
fn sum_of(parts: &[Part], conjugated: bool) -> String {
    let exchanged = |part: &Part| -> Part {
        part.iter()
            .map(|[alice, bob]| [bob.clone(), alice.clone()])
            .collect()
    };
    let joined = |parts: &mut dyn Iterator<Item = String>| parts.collect::<Vec<_>>().join(" + ");
    if !conjugated || parts.len() < 2 {
        return joined(&mut parts.iter().map(source));
    }
    let inner = joined(&mut parts[..2].iter().map(|part| source(&exchanged(part))));
    joined(
        &mut [format!("~({inner})")]
            .into_iter()
            .chain(parts[2..].iter().map(source)),
    )
}

/// Returns the graph of all combinations of the parts' vertices, followed by the three endings.
fn product(parts: &[Part], stuck: Stuck) -> GameGraph {
    let count: usize = parts.iter().map(Vec::len).product();
    let places = |mut number: usize| -> Vec<usize> {
        parts
            .iter()
            .map(|part| (number % part.len(), number /= part.len()).0)
            .collect()
    };
    let number = |places: &[usize]| {
        parts
            .iter()
            .zip(places)
            .rev()
            .fold(0, |number, (part, place)| number * part.len() + place)
    };
    let moves = |places: &[usize], player: Player| -> Vec<NodeId> {
        let mut found = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            for &head in &part[places[index]][player as usize] {
                let mut next = places.to_vec();
                next[index] = head;
                found.push(NodeId::new(number(&next)));
            }
        }
        found
    };
    let ending = |ending: Ending| match ending {
        Ending::Win(Player::Alice) => NodeId::new(count),
        Ending::Win(Player::Bob) => NodeId::new(count + 1),
        Ending::Draw => NodeId::new(count + 2),
    };
    let mut builder = GameGraphBuilder::default();
    for vertex in 0..count {
        let places = places(vertex);
        let [alice, bob] = Player::both(|player| {
            let found = moves(&places, player);
            match stuck {
                _ if !found.is_empty() => found,
                Stuck::Ends(result) => vec![ending(result.for_player(player))],
                Stuck::Passes if !moves(&places, player.other()).is_empty() => {
                    vec![NodeId::new(vertex)]
                }
                Stuck::Passes | Stuck::OpponentMoves => found,
            }
        });
        builder.push(None, &alice, &bob);
    }
    for ending in [
        Ending::Win(Player::Alice),
        Ending::Win(Player::Bob),
        Ending::Draw,
    ] {
        builder.push(Some(ending), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

const STUCK: [Stuck; 5] = [
    Stuck::Ends(StuckResult::Loss),
    Stuck::Ends(StuckResult::Win),
    Stuck::Ends(StuckResult::Draw),
    Stuck::Passes,
    Stuck::OpponentMoves,
];

/// Checks every rule for ties with a winner and every rule for players who cannot move, for sums of
/// one to three parts, cycles among them.
#[test]
fn sums_have_the_outcomes_of_the_product() {
    let ties: Vec<TieBreak> = TieBreak::certain().chain([TieBreak::Attached]).collect();
    for_all(
        1_000,
        (
            0..10_000_usize,
            vec(parts(), 1..=3),
            0..10,
            select(STUCK.to_vec()),
            0..=3_u64,
            select(vec![false, true]),
        ),
        |(which, mut parts, again, stuck, total, conjugated)| {
            if again < 3 {
                parts.push(parts[0].clone());
            }
            let rules = Rules {
                ties: ties[which % ties.len()],
                winner: if which / 8 % 2 == 0 {
                    Winner::Moves
                } else {
                    Winner::Chooses
                },
                stuck,
                ..Rules::default()
            };
            let words = [
                FieldValue::Ties(rules.ties),
                FieldValue::Winner(rules.winner),
                FieldValue::Stuck(rules.stuck),
            ];
            let fields: Vec<String> = words
                .iter()
                .map(|field| field.words())
                .map(|(name, value)| format!("{name}: {value}"))
                .collect();
            let sum = sum_of(&parts, conjugated);
            let graph = product(&parts, rules.stuck);
            let oracle = Oracle {
                graph: &graph,
                rules: &rules,
                total,
            };
            let purses = all_purses(&rules, total);
            let star = |player: Player, holder| if holder == Some(player) { "*" } else { "" };
            let asked: Vec<String> = purses
                .iter()
                .map(|held| {
                    let [alice, bob] = Player::both(|player| {
                        format!("{}{}", held.chips[player], star(player, held.status))
                    });
                    format!("G({alice}, {bob})")
                })
                .collect();
            let program = format!(
                "using {{ {} }}\nlet G = {}\nshow [{}]\n",
                fields.join(", "),
                sum,
                asked.join(", ")
            );
            let said = transcript(&mut session(), "sum.bid", &program);
            let [alice, bob] = Player::both(|player| oracle.won(player, Order::Forcing));
            let [loses, wins] =
                Player::both(|player| oracle.won(player.other(), Order::NotPreventable));
            let outcome = |held| match (
                alice.contains(graph.start(), held),
                bob.contains(graph.start(), held),
            ) {
                (true, _) => "alice",
                (_, true) => "bob",
                _ if loses.contains(graph.start(), held) || wins.contains(graph.start(), held) => {
                    "undetermined"
                }
                _ => "draw",
            };
            let outcomes: Vec<&str> = purses.iter().map(outcome).collect();
            let shown = said
                .lines()
                .filter(|line| !line.starts_with("show"))
                .collect::<Vec<_>>()
                .join(" ");
            let answers = shown
                .rsplit_once("= [")
                .map_or(shown.as_str(), |(_, answers)| answers);
            let answers: Vec<&str> = answers
                .split([',', ' ', ']', '['])
                .filter(|word| !word.is_empty())
                .collect();
            assert!(
                answers.ends_with(&outcomes),
                "{outcomes:?}\n{program}\n{said}"
            );
        },
    );
}
