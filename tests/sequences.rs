//! Closed forms for all totals, held to the thresholds that are computed total by total.

mod oracle;

use bid::game::{Ending, GameGraph, GameGraphBuilder, NodeId, Player};
use bid::rules::{Draws, Rules, TieBreak, Winner};
use bid::solve::chips::Thresholds;
use bid::solve::sequences::{Sequence, Sequences};
use bid::watch::{Limits, Stop, Unwatched, Watch};
use oracle::all_rules;
use oracle::random::{Shape, dice, game};

/// Compares every position of a game for all totals up to three periods past the last pre-period; gives the sequences.
fn held_to_single_totals(graph: &GameGraph, rules: &Rules, context: &str) -> Option<Sequences> {
    let solved = match Sequences::solve(graph, rules, &Unwatched) {
        Ok(solved) => solved,
        Err(error) => {
            assert_eq!((rules.ties, rules.winner), (TieBreak::Richer, Winner::Moves), "{context}: {error:?}");
            return None;
        }
    };
    let most = graph.nodes().map(|node| past(solved.sequences(solved.class(node)))).max().expect("there is a position");
    agrees_up_to(graph, rules, &solved, most, context);
    Some(solved)
}

/// A total three periods past the pre-period.
fn past(sequences: &[Sequence]) -> u64 {
    sequences.iter().map(|sequence| sequence.pre_period() + 3 * sequence.period()).max().expect("there is one")
}

#[test]
fn every_rule_on_random_games() {
    let draws = [Draws::Neither, Draws::Alice, Draws::Bob];
    let (mut refused, mut asked) = (0, 0);
    for seed in 0..400_u64 {
        let mut dice = dice(seed);
        let positions = 1 + seed as usize % 8;
        let graph = game(&mut dice, Shape { positions, moves: 3, cycles: false, draws: seed % 2 == 0 });
        for rules in all_rules() {
            let rules = Rules { draws: draws[seed as usize % draws.len()], ..rules };
            asked += 1;
            refused += usize::from(held_to_single_totals(&graph, &rules, &format!("seed {seed}")).is_none());
        }
    }
    assert!(refused * 20 < asked, "{refused} of {asked} were refused");
}

/// E, joined by wedges with A or B one after the other, as the bits of `word` say: its Richman value is dyadic with denominator
/// 2^(bits + 1), and the words of all orders reach all of them.
fn ladder(builder: &mut GameGraphBuilder, word: u32, bits: u32) -> NodeId {
    let [a, b] = Player::BOTH.map(|player| builder.push(Some(Ending::Win(player)), &[], &[]));
    let mut game = builder.push(None, &[a], &[b]);
    for bit in 0..bits {
        let (alice, bob) = if word >> bit & 1 == 0 { (a, game) } else { (game, b) };
        game = builder.push(None, &[alice], &[bob]);
    }
    game
}

#[test]
fn options_that_cross_late() {
    let bits = 11;
    let mut latest = 0;
    for word in (0..1 << bits).step_by(211) {
        // Neighbours: their Richman values differ by 2^-12.
        let mut builder = GameGraphBuilder::default();
        let options = [word, word + 1, word ^ 0b11].map(|word| ladder(&mut builder, word, bits));
        let zugzwang = builder.push(None, &options[1..], &options[..2]);
        let start = builder.push(None, &options, &[options[0], zugzwang]);
        let graph = builder.finish(start);
        for ties in [TieBreak::Advantage, TieBreak::LosersBall] {
            let rules = Rules { ties, ..Rules::default() };
            let solved = held_to_single_totals(&graph, &rules, &format!("word {word}")).expect("no refusal");
            latest = latest.max(solved.sequences(solved.class(start))[0].pre_period());
        }
    }
    assert!(latest > 500, "the latest crossing was at {latest} chips");
}

#[test]
fn a_move_is_optimal_where_the_others_may_go() {
    for seed in 0..300_u64 {
        let mut dice = dice(5_000 + seed);
        let graph = game(&mut dice, Shape { positions: 6, moves: 3, cycles: false, draws: seed % 3 == 0 });
        let rules = Rules { draws: if seed % 2 == 0 { Draws::Alice } else { Draws::Neither }, ..Rules::default() };
        let solved = Sequences::solve(&graph, &rules, &Unwatched).expect("these rules have closed forms");
        let start = graph.start();
        for player in Player::BOTH {
            for &head in graph.successors(start, player) {
                let restricted = with_one_move(&graph, player, head);
                let restricted = Sequences::solve(&restricted, &rules, &Unwatched).expect("as above");
                let optimal = solved.optimal(&graph, start, player, head, &Unwatched).expect("as above");
                for total in 0..200 {
                    let threshold = |solved: &Sequences| solved.threshold(solved.class(start), total);
                    assert_eq!(
                        optimal.contains(total),
                        threshold(&solved) == threshold(&restricted),
                        "seed {seed}, {player:?} to {head:?}, {total} chips\n{graph:?}"
                    );
                }
            }
        }
    }
}

/// The graph without the other moves of a player from the start.
fn with_one_move(graph: &GameGraph, player: Player, head: NodeId) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes() {
        let only = [head];
        let heads = |mover| {
            if (node, mover) == (graph.start(), player) { &only[..] } else { graph.successors(node, mover) }
        };
        builder.push(graph.ending(node), heads(Player::Alice), heads(Player::Bob));
    }
    builder.finish(graph.start())
}

#[test]
fn games_with_cycles_follow_their_windows() {
    let rules_of = |ties| Rules { ties, ..Rules::default() };
    let (mut found, mut asked) = (0, 0);
    for seed in 0..250_u64 {
        let mut dice = dice(9_000 + seed);
        let positions = 2 + seed as usize % 5;
        let graph = game(&mut dice, Shape { positions, moves: 2, cycles: true, draws: seed % 4 == 0 });
        for ties in [TieBreak::Advantage, TieBreak::MakeItTakeIt, TieBreak::LosersBall, TieBreak::LadiesFirst] {
            for draws in [Draws::Neither, Draws::Alice] {
                let rules = Rules { draws, ..rules_of(ties) };
                asked += 1;
                match Sequences::solve(&graph, &rules, &Unwatched) {
                    Ok(solved) => {
                        found += 1;
                        agrees_up_to(&graph, &rules, &solved, 500, &format!("seed {seed}"));
                    }
                    Err(error) => assert_eq!(error.code, bid::diagnostic::Code::NotSupported, "{error:?}"),
                }
            }
        }
    }
    assert!(found * 10 > asked * 9, "only {found} of {asked} were settled");
}

fn agrees_up_to(graph: &GameGraph, rules: &Rules, solved: &Sequences, most: u64, context: &str) {
    let totals: Vec<u64> = (0..most).collect();
    let single =
        Thresholds::solve(graph, rules, Player::Alice, &totals, &Unwatched).expect("these rules have thresholds");
    for node in graph.nodes() {
        for &total in &totals {
            assert_eq!(
                solved.threshold(solved.class(node), total),
                single.threshold(node, total as usize),
                "{context}, {rules:?}, {node:?}, {total} chips\n{graph:?}"
            );
        }
    }
}

#[test]
fn a_period_too_long_for_the_memory_allowed_says_how_long() {
    struct Cramped;
    impl Watch for Cramped {
        fn check(&self) -> Result<(), Stop> {
            Ok(())
        }
        fn limits(&self) -> Limits {
            Limits { max_memory: 1 << 16, ..Limits::default() }
        }
    }
    let mut builder = GameGraphBuilder::default();
    let start = ladder(&mut builder, 0b1010_1010_1010, 12);
    let graph = builder.finish(start);
    let error = Sequences::solve(&graph, &Rules::default(), &Cramped).expect_err("it does not fit");
    assert_eq!(error.message, "stopped: the closed form has a period of up to 1024, too long for 65536 bytes");
}
