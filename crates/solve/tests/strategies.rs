//! Tests that strategies keep their promises: against every reply on small games, against random
//! replies on large ones.

use std::collections::BTreeSet;

use crate::advised::advised;
use crate::oracle::{LiteralTurn, Oracle, Order, all_purses, all_rules};
use crate::random::games;
use crate::shared::{mirrored, written};
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::diagnostic::Code;
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Purses, Rules, Tie, TieBreak, Winner};
use bid_language::watch::{Context, Limits};
use bid_solve::law::decision::WinnerChoice;
use bid_solve::strategy::{Promise, Strategies, Turn};
use bid_testing::{GraphShape, for_all, share};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A strategy's player against an opponent who may do anything.
pub struct Play<'a> {
    pub strategies: &'a Strategies<'a>,
    pub graph: &'a GameGraph,
    pub rules: &'a Rules,
    pub player: Player,
}

impl Play<'_> {
    /// Returns the results of one turn for one reply: all choices of the opponent after the bids
    /// are tried.
    pub fn results(&self, turn: &Turn, node: NodeId, reply: u64) -> Vec<(NodeId, Purses)> {
        let (bid, purses) = (turn.bid(), turn.purses());
        if let Some(owner) = self.graph.owner(node) {
            let heads = self.graph.successors(node, owner);
            let own = || vec![turn.destination(purses).expect("an owner has a move")];
            let heads = if owner == self.player {
                own()
            } else {
                heads.to_vec()
            };
            return heads.into_iter().map(|head| (head, *purses)).collect();
        }
        let bids = PerPlayer::of(self.player, bid, reply);
        let literal = LiteralTurn {
            graph: self.graph,
            rules: self.rules,
            node,
            purses: *purses,
        };
        let winners = match literal.decided(bids) {
            Tie::Goes(winner) => vec![winner],
            Tie::ChosenBy(chooser) if chooser == self.player => vec![turn.tie_winner(bid)],
            Tie::ChosenBy(_) => Player::BOTH.to_vec(),
            Tie::Coin | Tie::Nobody => unreachable!("no coin here"),
        };
        winners
            .into_iter()
            .flat_map(|winner| self.moved(turn, literal, winner, literal.settled(bids, winner)))
            .collect()
    }

    fn moved(
        &self,
        turn: &Turn,
        literal: LiteralTurn<'_>,
        winner: Player,
        after: Purses,
    ) -> Vec<(NodeId, Purses)> {
        let mut able = literal.movers(winner);
        if winner == self.player {
            let chosen = turn.mover(&after);
            assert!(
                able.contains(&chosen),
                "a player who cannot move is made to"
            );
            able = vec![chosen];
        }
        let to = |mover: Player| {
            if mover == self.player {
                vec![turn.destination(&after).expect("who moves has a move")]
            } else {
                self.graph.successors(literal.node, mover).to_vec()
            }
        };
        able.into_iter()
            .flat_map(to)
            .map(|node| (node, after))
            .collect()
    }

    /// Checks that the promise is kept, and that progress was made towards a win.
    fn check(
        &self,
        from: (NodeId, &Purses),
        promise: Promise,
        to: (NodeId, &Purses),
        context: &dyn Fn() -> String,
    ) {
        let draw_is_enough = promise == Promise::Draw || self.rules.draws.favours(self.player);
        match self.graph.ending(to.0) {
            Some(Ending::Win(winner)) => {
                assert!(
                    winner == self.player || promise == Promise::Nothing,
                    "lost: {}",
                    context()
                );
            }
            Some(Ending::Draw) => assert!(
                draw_is_enough || promise == Promise::Nothing,
                "only drawn: {}",
                context()
            ),
            None => {
                let kept = self.strategies.turn(self.player, to.0, *to.1).promise() >= promise;
                assert!(kept, "the promise is broken: {}", context());
                let before = self.strategies.progress(self.player, from.0, from.1);
                let after = self.strategies.progress(self.player, to.0, to.1);
                assert!(
                    before.is_none() || after < before,
                    "{before:?} to {after:?} is no progress: {}",
                    context()
                );
            }
        }
    }
}

fn against_every_reply(graph: &GameGraph, rules: &Rules, total: u64) {
    let strategies = Strategies::solve(graph, rules, total, Context::plain())
        .expect("these rules have strategies");
    let positions = graph.nodes().filter(|&node| graph.ending(node).is_none());
    for (player, node) in positions.flat_map(|node| Player::both(|player| (player, node))) {
        let play = Play {
            strategies: &strategies,
            graph,
            rules,
            player,
        };
        for purses in all_purses(rules, total) {
            let turn = strategies.turn(player, node, purses);
            assert!(turn.bid() <= purses.chips[player], "a bid beyond the purse");
            let advice = turn.advice();
            for reply in 0..=purses.chips[player.other()] {
                let results = play.results(&turn, node, reply);
                let advised = advised(graph, rules, &advice, node, &purses, reply);
                let advised = advised.into_iter().map(|play| (play.to, play.after));
                for (to, after) in results.into_iter().chain(advised) {
                    let state = || {
                        format!(
                            "{rules:?} {player:?} at {node:?} with {purses:?}, bid {} against {reply}",
                            turn.bid()
                        )
                    };
                    play.check((node, &purses), turn.promise(), (to, &after), &state);
                }
            }
        }
    }
}

/// Returns the graph with its vertices numbered from the end. Its edges are in the order of their
/// heads, as in explored graphs.
pub fn renumbered(graph: &GameGraph) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes().rev() {
        let [alice, bob] = Player::both(|player| {
            let heads = graph.successors(node, player).iter();
            let heads = heads.map(|head| mirrored(graph, *head));
            heads
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect::<Vec<_>>()
        });
        let pushed = builder.push(graph.ending(node), &alice, &bob);
        if let Some(owner) = graph.owner(node) {
            builder.own(pushed, owner);
        }
    }
    builder.finish(mirrored(graph, graph.start()))
}

/// A play may follow advice that was found in two sessions, in which the vertices have other
/// numbers: every move of one strategy makes progress by the order of the other.
#[test]
fn advice_does_not_depend_on_the_numbers_of_vertices() {
    let mut inside = 0;
    for_all(
        share(3_000),
        (games(GraphShape::OWNED), 0..7_u64),
        |(graph, total)| {
            let other = renumbered(&graph);
            for rules in all_rules() {
                let [here, there] = [&graph, &other].map(|graph| {
                    Strategies::solve(graph, &rules, total, Context::plain())
                        .expect("these rules have strategies")
                });
                let positions = graph.nodes().filter(|&node| graph.ending(node).is_none());
                for (player, node) in
                    positions.flat_map(|node| Player::both(|player| (player, node)))
                {
                    let play = Play {
                        strategies: &here,
                        graph: &graph,
                        rules: &rules,
                        player,
                    };
                    let order = |node, purses: &Purses| {
                        there.progress(player, mirrored(&graph, node), purses)
                    };
                    for purses in all_purses(&rules, total) {
                        let turn = here.turn(player, node, purses);
                        let before = order(node, &purses);
                        if before.is_none() {
                            continue;
                        }
                        for reply in 0..=purses.chips[player.other()] {
                            let results = play.results(&turn, node, reply).into_iter();
                            for (to, after) in results.filter(|(to, _)| graph.ending(*to).is_none())
                            {
                                inside += 1;
                                assert!(
                                    order(to, &after) < before,
                                    "{rules:?} {player:?} at {node:?} with {purses:?} to {to:?} \
                                     is no progress: {graph:?}"
                                );
                            }
                        }
                    }
                }
            }
        },
    );
    assert!(inside > share(10_000), "{inside}");
}

#[test]
fn every_promise_is_kept_against_every_reply() {
    let draws = [Draws::Neither, Draws::Neither, Draws::Alice, Draws::Bob];
    for_all(
        share(1_200),
        (0..4_usize, games(GraphShape::OWNED), 0..7_u64),
        |(which, graph, total)| {
            for rules in all_rules() {
                let rules = Rules {
                    draws: draws[which],
                    ..rules
                };
                against_every_reply(&graph, &rules, total);
            }
        },
    );
}

/// Checks the one rule under which more chips can hurt, so that a high bid of the opponent's needs
/// another move than a low one.
#[test]
fn promises_are_kept_where_the_richer_player_has_to_move() {
    let rules = Rules {
        ties: TieBreak::Richer,
        winner: Winner::Moves,
        ..Rules::default()
    };
    let shape = GraphShape {
        positions: 4..=9,
        ..GraphShape::OWNED
    };
    for_all(
        share(12_000),
        (games(shape), 0..12_u64),
        |(graph, total)| against_every_reply(&graph, &rules, total),
    );
}

/// Checks that without cycles every smaller bid is refuted by some reply.
#[test]
fn bids_are_the_least_good_ones() {
    for_all(
        600,
        (
            games(GraphShape {
                cycles: 0.0,
                draws: 0.5,
                ..GraphShape::SMALL
            }),
            0..7_u64,
        ),
        |(graph, total)| {
            for rules in all_rules() {
                let strategies = Strategies::solve(&graph, &rules, total, Context::plain())
                    .expect("these rules have strategies");
                let oracle = Oracle {
                    graph: &graph,
                    rules: &rules,
                    total,
                };
                for player in Player::BOTH {
                    let own = oracle.won(player, Order::Forcing);
                    let others = oracle.won(player.other(), Order::NotPreventable);
                    for (node, purses) in states(&graph, &rules, total) {
                        let turn = strategies.turn(player, node, purses);
                        let good = |&bid: &u64| match turn.promise() {
                            Promise::Win => oracle.forces(&own, player, node, &purses, bid),
                            Promise::Draw => {
                                oracle.prevents(&others, player.other(), node, &purses, bid)
                            }
                            Promise::Nothing => true,
                        };
                        let least = (0..=purses.chips[player]).find(good);
                        if turn.promise() != Promise::Nothing {
                            assert_eq!(
                                Some(turn.bid()),
                                least,
                                "{rules:?} {player:?} at {node:?} {purses:?}"
                            );
                        }
                    }
                }
            }
        },
    );
}

fn states(graph: &GameGraph, rules: &Rules, total: u64) -> Vec<(NodeId, Purses)> {
    let positions = graph.nodes().filter(|&node| graph.ending(node).is_none());
    positions
        .flat_map(|node| {
            all_purses(rules, total)
                .into_iter()
                .map(move |purses| (node, purses))
        })
        .collect()
}

/// Plays one game to the end, or long enough for a draw by repetition, against random replies.
fn against_random_replies(play: &Play, dice: &mut StdRng, purses: Purses) -> Promise {
    let (mut node, mut purses) = (play.graph.start(), purses);
    let promise = play.strategies.turn(play.player, node, purses).promise();
    let mut promised = promise;
    for _ in 0..400 {
        if play.graph.ending(node).is_some() {
            break;
        }
        let turn = play.strategies.turn(play.player, node, purses);
        promised = turn.promise().max(promised);
        let (bid, others) = (turn.bid(), purses.chips[play.player.other()]);
        let near = [
            0,
            bid.min(others),
            (bid + 1).min(others),
            others,
            dice.random_range(0..=others),
        ];
        let reply = *near.choose(dice).expect("there are replies");
        let results = play.results(&turn, node, reply);
        let (to, after) = *results.choose(dice).expect("every reply leads somewhere");
        let state = || {
            format!(
                "{:?} {:?} at {node:?} with {purses:?}",
                play.rules, play.player
            )
        };
        play.check((node, &purses), promised, (to, &after), &state);
        (node, purses) = (to, after);
    }
    promise
}

#[test]
fn promises_are_kept_in_long_plays_of_large_games() {
    let mut promises = [0; 3];
    for_all(
        40,
        (
            0..u64::MAX,
            games(GraphShape {
                positions: 60..=60,
                moves: 4..=4,
                cycles: 0.75,
                draws: 0.33,
                ..GraphShape::SMALL
            }),
            0..=300_u64,
        ),
        |(seed, graph, total)| {
            let mut dice = StdRng::seed_from_u64(seed);
            for rules in all_rules() {
                let strategies = Strategies::solve(&graph, &rules, total, Context::plain())
                    .expect("these rules have strategies");
                for _ in 0..6 {
                    let alice = dice.random_range(0..=total);
                    let chips = PerPlayer::new(alice, total - alice);
                    let status = rules
                        .ties
                        .has_status()
                        .then(|| *Player::BOTH.choose(&mut dice).expect("two players"));
                    for player in Player::BOTH {
                        let play = Play {
                            strategies: &strategies,
                            graph: &graph,
                            rules: &rules,
                            player,
                        };
                        let promise =
                            against_random_replies(&play, &mut dice, Purses { chips, status });
                        promises[promise as usize] += 1;
                    }
                }
            }
        },
    );
    assert!(
        promises[Promise::Win as usize] > 1000,
        "too few wins to say anything: {promises:?}"
    );
}

/// Builds a game with a start and a second move that wins: neither player wants the first move.
fn second_move_wins() -> GameGraph {
    written(&[[&[1], &[1]], [&[2], &[3]]])
}

/// Checks Example 3.5 of Develin & Payne: bid zero, decline to use the advantage, and bid
/// everything for the second move.
#[test]
fn example_3_5_declines_the_advantage() {
    let (graph, rules) = (second_move_wins(), Rules::default());
    let strategies = Strategies::solve(&graph, &rules, 8, Context::plain())
        .expect("the default rules have strategies");
    let purses = Purses::new(4, 4, Some(Player::Alice));
    let turn = strategies.turn(Player::Alice, graph.start(), purses);
    let advice = turn.advice();
    assert_eq!(
        (turn.promise(), advice.bid, advice.use_advantage),
        (Promise::Win, Some(0), Some(false))
    );
    assert_eq!((advice.on_win, advice.on_tied_win), (None, None));
    assert_eq!(advice.on_loss, [(1, NodeId::new(1))]);
    let second = strategies
        .turn(Player::Alice, NodeId::new(1), purses)
        .advice();
    assert_eq!((second.bid, second.use_advantage), (Some(4), Some(true)));
    assert_eq!(second.on_tied_win, Some(WinnerChoice::Move(NodeId::new(2))));
}

/// Checks that in zugzwang the winner of the bid lets the opponent move.
#[test]
fn the_winner_of_a_bid_may_let_the_opponent_move() {
    let graph = written(&[[&[2], &[1]]]);
    let rules = Rules {
        ties: TieBreak::LadiesFirst,
        ..Rules::default()
    };
    let strategies = Strategies::solve(&graph, &rules, 7, Context::plain())
        .expect("these rules have strategies");
    let purses = Purses::new(4, 3, None);
    let turn = strategies.turn(Player::Alice, graph.start(), purses);
    let advice = turn.advice();
    assert_eq!((turn.promise(), advice.bid), (Promise::Win, Some(3)));
    assert_eq!(
        (advice.on_win, advice.on_tied_win),
        (Some(WinnerChoice::LetMove), Some(WinnerChoice::LetMove))
    );
}

#[test]
fn the_order_of_progress_keeps_to_the_memory_limit() {
    let graph = written(&[[&[0, 1], &[0, 2]]]);
    // There is memory for the thresholds, but not for the order in which they were found.
    let tight = Context::within(Limits::memory(16));
    let stopped =
        Strategies::solve(&graph, &Rules::default(), 9, &tight).expect_err("there is no room");
    assert_eq!(stopped.code, Code::Memory);
    assert!(Strategies::solve(&graph, &Rules::default(), 9, Context::plain()).is_ok());
}
