//! Tests of closed forms for all totals against the thresholds that are computed total by total.

use std::ops::RangeInclusive;

use crate::oracle::{Oracle, Order, all_purses, all_rules};
use crate::random::games;
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, Player};
use bid_language::rules::{ChipMark, Chips, Draws, Purses, Rules, TieBreak, Winner};
use bid_language::watch::{Context, Limits};
use bid_solve::chips::{Threshold, Thresholds};
use bid_solve::richman;
use bid_solve::sequences::{Sequence, Sequences};
use bid_testing::{GraphShape, for_all, share};
use proptest::array::uniform2;
use proptest::collection::vec;
use proptest::strategy::{Strategy, Union};

/// Compares every position of a game for all totals up to three periods past the last pre-period.
/// Returns the sequences.
fn held_to_single_totals(graph: &GameGraph, rules: &Rules) -> Option<Sequences> {
    let solved = match Sequences::solve(graph, rules, Context::plain()) {
        Ok(solved) => solved,
        Err(error) => {
            assert_eq!(
                (rules.ties, rules.winner),
                (TieBreak::Richer, Winner::Moves),
                "{error:?}"
            );
            return None;
        }
    };
    let most = graph
        .nodes()
        .map(|node| past(solved.sequences(solved.class(node))))
        .max()
        .expect("there is a position");
    agrees_up_to(graph, rules, &solved, most);
    Some(solved)
}

/// Returns a total three periods past the pre-period.
fn past(sequences: &[Sequence]) -> u64 {
    sequences
        .iter()
        .map(|sequence| sequence.pre_period() + 3 * sequence.period())
        .max()
        .expect("there is one")
}

#[test]
fn every_rule_on_random_games() {
    let draws = [Draws::Neither, Draws::Alice, Draws::Bob];
    let (mut refused, mut asked) = (0, 0);
    for_all(
        400,
        (
            0..3_usize,
            games(GraphShape {
                positions: 1..=8,
                moves: 3..=3,
                cycles: 0.0,
                draws: 0.5,
                ..GraphShape::SMALL
            }),
        ),
        |(which, graph)| {
            for rules in all_rules() {
                let rules = Rules {
                    draws: draws[which],
                    ..rules
                };
                asked += 1;
                refused += usize::from(held_to_single_totals(&graph, &rules).is_none());
            }
        },
    );
    assert!(refused * 20 < asked, "{refused} of {asked} were refused");
}

/// Builds E, joined by wedges with A or B one after the other, as the bits of `word` say: its
/// Richman value is dyadic with denominator 2^(bits + 1), and the words of all orders reach all of
/// them.
fn ladder(builder: &mut GameGraphBuilder, word: u32, bits: u32) -> NodeId {
    let [a, b] = Player::both(|player| builder.push(Some(Ending::Win(player)), &[], &[]));
    let mut game = builder.push(None, &[a], &[b]);
    for bit in 0..bits {
        let (alice, bob) = if word >> bit & 1 == 0 {
            (a, game)
        } else {
            (game, b)
        };
        game = builder.push(None, &[alice], &[bob]);
    }
    game
}

#[test]
fn options_that_cross_late() {
    let bits = 11;
    let mut latest = 0;
    for word in (0..1 << bits).step_by(211) {
        // The words are neighbours: their Richman values differ by 2^-12.
        let mut builder = GameGraphBuilder::default();
        let options = [word, word + 1, word ^ 0b11].map(|word| ladder(&mut builder, word, bits));
        let zugzwang = builder.push(None, &options[1..], &options[..2]);
        let start = builder.push(None, &options, &[options[0], zugzwang]);
        let graph = builder.finish(start);
        for ties in [TieBreak::Advantage, TieBreak::LosersBall] {
            let rules = Rules {
                ties,
                ..Rules::default()
            };
            let solved = held_to_single_totals(&graph, &rules).expect("no refusal");
            latest = latest.max(solved.sequences(solved.class(start))[0].pre_period());
        }
    }
    assert!(latest > 500, "the latest crossing was at {latest} chips");
}

/// The parameters of a game of ladders.
#[derive(Debug, Clone)]
struct Rungs {
    word: u32,
    bits: u32,
    /// The moves of the players from each position, as numbers that are reduced modulo the number
    /// of possible heads.
    tops: Vec<[Vec<usize>; 2]>,
    cycles: bool,
}

impl Rungs {
    fn graph(&self) -> GameGraph {
        let mut builder = GameGraphBuilder::default();
        let most = (1 << self.bits) - 1;
        let word = self.word & most;
        let words = [word, word ^ 1, word ^ 3, word ^ 5 & most, !word & most];
        let mut heads: Vec<NodeId> = words
            .iter()
            .map(|&word| ladder(&mut builder, word, self.bits))
            .collect();
        if self.cycles {
            let tops = builder.len()..builder.len() + self.tops.len();
            heads.extend(tops.map(NodeId::new));
        }
        let mut start = heads[0];
        for moves in &self.tops {
            let [alice, bob] = moves.each_ref().map(|moves| {
                let chosen = moves.iter().map(|place| heads[place % heads.len()]);
                let mut chosen: Vec<NodeId> = chosen.collect();
                chosen.sort_unstable();
                chosen.dedup();
                chosen
            });
            start = builder.push(None, &alice, &bob);
            heads.push(start);
        }
        builder.finish(start)
    }
}

/// Generates graphs of five positions that can move to some of the same few ladders, of
/// neighbouring values and of distant ones, and to each other: only to later ones, or with cycles.
fn ladders(bits: RangeInclusive<u32>, cycles: bool) -> impl Strategy<Value = GameGraph> {
    let tops = vec(uniform2(vec(0..1_000_usize, 1..=3)), 5..=5);
    (0..1_u32 << bits.end(), bits, tops).prop_map(move |(word, bits, tops)| {
        let rungs = Rungs {
            word,
            bits,
            tops,
            cycles,
        };
        rungs.graph()
    })
}

#[test]
fn random_games_of_options_that_cross_late() {
    let mut late = 0;
    for_all(share(48), ladders(5..=8, false), |graph| {
        for rules in all_rules() {
            let Some(solved) = held_to_single_totals(&graph, &rules) else {
                continue;
            };
            late += usize::from(solved.sequences(solved.class(graph.start()))[0].pre_period() > 50);
        }
    });
    assert!(
        late > share(10),
        "only {late} games settle later than after 50 chips"
    );
}

/// Returns whether Alice's holdings reach her threshold, in the rule's notation.
fn reached(threshold: &Threshold, ties: TieBreak, purses: &Purses) -> bool {
    let (count, has_status) = (purses.chips.alice, purses.status == Some(Player::Alice));
    let mark = match (ties, has_status) {
        (TieBreak::Advantage, true) => ChipMark::Star,
        (TieBreak::MakeItTakeIt, false) => ChipMark::MinusEpsilon,
        _ => ChipMark::None,
    };
    let at_least = |chips: &Chips| {
        Chips::new(count, ChipMark::None) >= Chips::new(chips.count.clone(), ChipMark::None)
    };
    match threshold {
        Threshold::One(chips) => Chips::new(count, mark) >= *chips,
        Threshold::Both { with, without } => at_least(if has_status { with } else { without }),
        Threshold::Counts(ranges) => ranges.iter().any(|range| range.contains(&count)),
    }
}

#[test]
fn closed_forms_are_what_literal_play_gives() {
    let draws = [Draws::Neither, Draws::Alice, Draws::Bob];
    let mut held = 0;
    for_all(
        240,
        (
            0..3_usize,
            0..9_u64,
            games(GraphShape {
                positions: 1..=5,
                moves: 2..=2,
                cycles: 0.33,
                draws: 0.5,
                ..GraphShape::SMALL
            }),
        ),
        |(which, total, graph)| {
            for rules in all_rules() {
                let rules = Rules {
                    draws: draws[which],
                    ..rules
                };
                let Ok(solved) = Sequences::solve(&graph, &rules, Context::plain()) else {
                    continue;
                };
                let won = Oracle {
                    graph: &graph,
                    rules: &rules,
                    total,
                }
                .won(Player::Alice, Order::Forcing);
                for node in graph.nodes() {
                    let threshold = solved.threshold(solved.class(node), total);
                    for purses in all_purses(&rules, total) {
                        assert_eq!(
                            reached(&threshold, rules.ties, &purses),
                            won.contains(node, &purses),
                            "{rules:?}: {node:?} with {purses:?}, threshold {threshold}\n{graph:?}"
                        );
                    }
                }
                held += 1;
            }
        },
    );
    assert!(
        held > 2_500,
        "only {held} solutions were held to literal play"
    );
}

/// Literal play with the advantage in which one player, if any, is restricted to decisions that are
/// optimal by the Richman values.
struct Kept<'a> {
    graph: &'a GameGraph,
    values: &'a richman::Values,
    stable: Option<Player>,
    total: u64,
}

impl Kept<'_> {
    /// Returns the positions to which a winner of a bid can lead by deciding that a player moves,
    /// if that decision is allowed.
    fn moves(&self, node: NodeId, winner: Player, mover: Player) -> Option<Vec<NodeId>> {
        let all = self.graph.successors(node, mover);
        let best = |player| self.values.best(self.graph, node, player);
        let preferred = match (best(Player::Alice), best(Player::Bob)) {
            (Some(alice), Some(bob)) if self.stable == Some(winner) => {
                let order = self.values.compare(
                    best(mover)?,
                    if mover == Player::Alice { bob } else { alice },
                );
                if winner == Player::Alice {
                    order.is_le()
                } else {
                    order.is_ge()
                }
            }
            _ => true,
        };
        let is_stable = |head: &NodeId| {
            self.stable != Some(mover)
                || best(mover).is_some_and(|best| self.values.compare(*head, best).is_eq())
        };
        (preferred && !all.is_empty()).then(|| all.iter().copied().filter(is_stable).collect())
    }

    fn place(&self, node: NodeId, alice: u64, star: bool) -> usize {
        (node.index() as u64 * (self.total + 1) + alice) as usize * 2 + usize::from(star)
    }

    /// Returns whether Alice is sure of a won state once the winner of the bid decides.
    fn decided(&self, won: &[bool], node: NodeId, winner: Player, alice: u64, star: bool) -> bool {
        let is_won = |head: NodeId| won[self.place(head, alice, star)];
        let mut ways = Player::BOTH.into_iter().filter_map(|mover| {
            let heads = self.moves(node, winner, mover)?;
            Some(if mover == Player::Alice {
                heads.into_iter().any(is_won)
            } else {
                heads.into_iter().all(is_won)
            })
        });
        if winner == Player::Alice {
            ways.any(|won| won)
        } else {
            ways.all(|won| won)
        }
    }

    fn good(&self, won: &[bool], node: NodeId, alice: u64, star: bool, bids: (u64, u64)) -> bool {
        let to_alice = |star| self.decided(won, node, Player::Alice, alice - bids.0, star);
        let to_bob = |star| self.decided(won, node, Player::Bob, alice + bids.1, star);
        match bids.0.cmp(&bids.1) {
            std::cmp::Ordering::Greater => to_alice(star),
            std::cmp::Ordering::Less => to_bob(star),
            // The holder uses the advantage, which then is the other's, or lets the other win.
            std::cmp::Ordering::Equal if star => to_alice(false) || to_bob(true),
            std::cmp::Ordering::Equal => to_bob(true) && to_alice(false),
        }
    }

    /// Computes the states from which Alice wins.
    fn won(&self) -> Vec<bool> {
        let mut won = vec![false; self.graph.len() * (self.total as usize + 1) * 2];
        loop {
            let mut changed = false;
            for node in self.graph.nodes() {
                for (alice, star) in
                    (0..=self.total).flat_map(|alice| [(alice, false), (alice, true)])
                {
                    let wins = match self.graph.ending(node) {
                        Some(ending) => ending == Ending::Win(Player::Alice),
                        None => (0..=alice).any(|own| {
                            (0..=self.total - alice)
                                .all(|other| self.good(&won, node, alice, star, (own, other)))
                        }),
                    };
                    changed |=
                        wins && !std::mem::replace(&mut won[self.place(node, alice, star)], wins);
                }
            }
            if !changed {
                return won;
            }
        }
    }
}

#[test]
fn stability_is_what_literal_play_gives() {
    let rules = Rules::default();
    let (mut stable, mut unstable, mut cyclic) = (0, 0, 0);
    for_all(
        400,
        (
            0..8_u64,
            Union::new([false, true].map(|cycles| ladders(2..=3, cycles).boxed())),
        ),
        |(total, graph)| {
            let cycles = !graph.is_acyclic();
            let Ok(solved) = Sequences::solve(&graph, &rules, Context::plain()) else {
                return;
            };
            let values =
                richman::Values::solve(&graph, &rules, Context::plain()).expect("Richman bidding");
            let kept = Player::both(|player| {
                Sequences::solve_stable(&graph, &rules, player, &values, Context::plain())
                    .expect("as before")
            });
            let play = |stable| {
                Kept {
                    graph: &graph,
                    values: &values,
                    stable,
                    total,
                }
                .won()
            };
            let (all, alice, bob) = (
                play(None),
                play(Some(Player::Alice)),
                play(Some(Player::Bob)),
            );
            for node in graph.nodes() {
                let row = 2 * (total as usize + 1);
                let states = node.index() * row..(node.index() + 1) * row;
                let expected = all[states.clone()] == alice[states.clone()]
                    && all[states.clone()] == bob[states];
                let found = solved
                    .agreeing(&[&kept[0], &kept[1]], node, Context::plain())
                    .expect("nothing stops it");
                assert_eq!(
                    found.contains(total),
                    expected,
                    "{node:?} with {total} chips\n{graph:?}"
                );
                let count = if expected { &mut stable } else { &mut unstable };
                *count += 1;
                cyclic += usize::from(cycles && !expected);
            }
        },
    );
    assert!(
        unstable > 20 && cyclic > 5 && stable > 1_000,
        "{stable} stable, {unstable} not, {cyclic} of them on cycles"
    );
}

#[test]
fn a_move_is_optimal_where_the_others_may_go() {
    for_all(
        300,
        (
            0..2_usize,
            games(GraphShape {
                moves: 3..=3,
                cycles: 0.0,
                draws: 0.33,
                ..GraphShape::SMALL
            }),
        ),
        |(which, graph)| {
            let rules = Rules {
                draws: [Draws::Alice, Draws::Neither][which],
                ..Rules::default()
            };
            let solved = Sequences::solve(&graph, &rules, Context::plain())
                .expect("these rules have closed forms");
            let start = graph.start();
            for player in Player::BOTH {
                for &head in graph.successors(start, player) {
                    let restricted = with_one_move(&graph, player, head);
                    let restricted =
                        Sequences::solve(&restricted, &rules, Context::plain()).expect("as above");
                    let optimal = solved
                        .optimal(&graph, start, player, head, Context::plain())
                        .expect("as above");
                    for total in 0..200 {
                        let threshold =
                            |solved: &Sequences| solved.threshold(solved.class(start), total);
                        assert_eq!(
                            optimal.contains(total),
                            threshold(&solved) == threshold(&restricted),
                            "{player:?} to {head:?}, {total} chips\n{graph:?}"
                        );
                    }
                }
            }
        },
    );
}

/// Returns the graph without the other moves of a player from the start.
fn with_one_move(graph: &GameGraph, player: Player, head: NodeId) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes() {
        let only = [head];
        let heads = |mover| {
            if (node, mover) == (graph.start(), player) {
                &only[..]
            } else {
                graph.successors(node, mover)
            }
        };
        builder.push(graph.ending(node), heads(Player::Alice), heads(Player::Bob));
    }
    builder.finish(graph.start())
}

#[test]
fn games_with_cycles_follow_their_windows() {
    let rules_of = |ties| Rules {
        ties,
        ..Rules::default()
    };
    let (mut found, mut asked) = (0, 0);
    for_all(
        250,
        games(GraphShape {
            positions: 2..=6,
            moves: 2..=2,
            cycles: 1.0,
            draws: 0.25,
            ..GraphShape::SMALL
        }),
        |graph| {
            let rules = [
                TieBreak::Advantage,
                TieBreak::Marker,
                TieBreak::MakeItTakeIt,
                TieBreak::LosersBall,
                TieBreak::LadiesFirst,
            ];
            for ties in rules {
                for draws in [Draws::Neither, Draws::Alice] {
                    let rules = Rules {
                        draws,
                        ..rules_of(ties)
                    };
                    if (ties, draws) == (TieBreak::Marker, Draws::Alice) {
                        continue;
                    }
                    asked += 1;
                    match Sequences::solve(&graph, &rules, Context::plain()) {
                        Ok(solved) => {
                            found += 1;
                            let forms = graph
                                .nodes()
                                .map(|node| past(solved.sequences(solved.class(node))));
                            let most = forms.max().expect("there is a position").max(500);
                            agrees_up_to(&graph, &rules, &solved, most);
                        }
                        Err(error) => {
                            assert_eq!(
                                error.code,
                                bid_language::diagnostic::Code::NotSupported,
                                "{error:?}"
                            )
                        }
                    }
                }
            }
        },
    );
    assert!(
        found * 10 > asked * 9,
        "only {found} of {asked} were settled"
    );
}

#[test]
fn late_crossings_on_cycles() {
    let (mut late, mut found) = (0, 0);
    for_all(share(80), ladders(3..=6, true), |graph| {
        let rules = [
            TieBreak::Advantage,
            TieBreak::Marker,
            TieBreak::MakeItTakeIt,
            TieBreak::LosersBall,
            TieBreak::GentlemenFirst,
        ];
        for ties in rules {
            let rules = Rules {
                ties,
                ..Rules::default()
            };
            let Ok(solved) = Sequences::solve(&graph, &rules, Context::plain()) else {
                continue;
            };
            let forms = || {
                graph
                    .nodes()
                    .map(|node| solved.sequences(solved.class(node)))
            };
            let most = forms().map(past).max().expect("there is a position");
            agrees_up_to(&graph, &rules, &solved, most);
            late += usize::from(forms().any(|sequences| sequences[0].pre_period() > 20));
            found += 1;
        }
    });
    assert!(
        found > share(40) && late > share(10),
        "{found} settled, {late} of them later than after 20 chips"
    );
}

fn agrees_up_to(graph: &GameGraph, rules: &Rules, solved: &Sequences, most: u64) {
    let totals: Vec<u64> = (0..most).collect();
    let single = Thresholds::solve(graph, rules, Player::Alice, &totals, Context::plain())
        .expect("these rules have thresholds");
    for node in graph.nodes() {
        for &total in &totals {
            assert_eq!(
                solved.threshold(solved.class(node), total),
                single.threshold(node, total as usize),
                "{rules:?}, {node:?}, {total} chips\n{graph:?}"
            );
        }
    }
}

#[test]
fn a_period_too_long_for_the_memory_allowed_says_how_long() {
    let mut builder = GameGraphBuilder::default();
    let start = ladder(&mut builder, 0b1010_1010_1010, 12);
    let graph = builder.finish(start);
    let error = Sequences::solve(
        &graph,
        &Rules::default(),
        &Context::within(Limits::memory(1 << 16)),
    )
    .expect_err("it does not fit");
    assert_eq!(
        error.message,
        "stopped: the closed form has a period of up to 1024, too long for 65536 bytes"
    );
}

/// Checks the marker on cycles where players would rather not move, up to totals far beyond the
/// window.
#[test]
fn the_marker_on_cycles_follows_its_windows() {
    let rules = Rules {
        ties: TieBreak::Marker,
        ..Rules::default()
    };
    let (mut found, mut late, mut burdens) = (0, 0, 0);
    let any = games(GraphShape {
        positions: 2..=7,
        moves: 2..=2,
        cycles: 1.0,
        draws: 0.33,
        ..GraphShape::SMALL
    });
    let cyclic = Union::new_weighted(vec![(1, ladders(3..=3, true).boxed()), (4, any.boxed())]);
    for_all(500, cyclic, |graph| {
        if graph.is_acyclic() {
            return;
        }
        let Ok(solved) = Sequences::solve(&graph, &rules, Context::plain()) else {
            return;
        };
        let most = graph
            .nodes()
            .map(|node| past(solved.sequences(solved.class(node))))
            .max()
            .expect("a position");
        agrees_up_to(&graph, &rules, &solved, (3 * most).clamp(300, 3_000));
        found += 1;
        for node in graph.nodes() {
            let [with, without] = solved.sequences(solved.class(node)) else {
                panic!("a threshold for either holder")
            };
            late += usize::from(with.pre_period() > 5);
            burdens += usize::from((0..60).any(|total| with.at(total) > without.at(total)));
        }
    });
    assert!(
        found > 100 && late > 5 && burdens > 10,
        "{found} settled, {late} late, {burdens} burdens"
    );
}
