//! Tests of moves that make progress, and of bids, on random graphs.

use bid_testing::{GraphShape, Out, for_all};
use num_rational::BigRational;
use num_traits::One;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::game::GameGraphBuilder;
use crate::player::Ending;
use crate::random::games;
use crate::richman::taxman::Money;
use crate::rules::{Draws, Payment, Rules, Winner};
use crate::shared::{mirrored, tug};
use crate::watch::{Context, Guard};

/// A few positions, many of which belong to one player alone.
const SHAPE: GraphShape = GraphShape {
    moves: 2..=2,
    stuck: 0.2,
    cycles: 1.0,
    draws: 0.0,
    out: Out::Evenly,
    ..GraphShape::SMALL
};

/// Returns the advice of a graph's thresholds for a player with this aim.
fn advised<'a>(
    graph: &'a GameGraph,
    shares: &'a Shares,
    player: Player,
    aim: PlayerAim,
    winner: Winner,
) -> Onward<'a> {
    Onward::new(graph, shares, player, aim, winner, Context::plain()).expect("nothing stops it")
}

/// Tests that wherever Alice can win with less than all the money, the advised move makes progress,
/// or Bob cannot avoid making progress; so play does not stay for ever among vertices of one
/// threshold.
#[test]
fn where_there_is_a_win_play_gets_on() {
    let (mut seen, mut tied) = (0, 0);
    for_all(400, (games(SHAPE), 0..3_u32), |(graph, halves)| {
        let part = BigRational::new(halves.into(), 2.into());
        let rules = Rules {
            draws: Draws::Bob,
            pay: Payment::Taxman(part),
            ..Rules::default()
        };
        let Ok(shares) = Shares::solve(&graph, &rules, Context::plain()) else {
            return;
        };
        let onward = advised(
            &graph,
            &shares,
            Player::Alice,
            PlayerAim::Win,
            Winner::Chooses,
        );
        let wins =
            |node: &NodeId| graph.ending(*node).is_none() && !shares.share(*node).high.is_one();
        for node in graph.nodes().filter(wins) {
            let gets_on = |head: NodeId| onward.gets_on(node, head);
            let bobs = graph.successors(node, Player::Bob);
            let forced = !bobs.is_empty() && bobs.iter().all(|head| gets_on(*head));
            assert!(
                onward.best(node).is_some_and(gets_on)
                    || forced
                    || onward.penniless.is_enough(node),
                "{node:?} {onward:?}"
            );
            seen += 1;
            tied += usize::from(onward.best(node) != shares.best(&graph, node, Player::Alice));
        }
    });
    assert!(seen > 400 && tied > 10, "{seen} {tied}");
}

fn whole(number: u32) -> BigRational {
    BigRational::from_integer(number.into())
}

/// Draws a player with an aim, and the rule for the winner of a bid.
fn drawn(dice: &mut StdRng) -> (Player, PlayerAim, Winner) {
    (
        Player::BOTH[dice.random_range(0..2)],
        [PlayerAim::Win, PlayerAim::NoLoss][dice.random_range(0..2)],
        [Winner::Chooses, Winner::Moves][dice.random_range(0..2)],
    )
}

/// Solves for a player's aim when the bank keeps so many halves of a bid.
fn thresholds(
    graph: &GameGraph,
    player: Player,
    aim: PlayerAim,
    winner: Winner,
    halves: u32,
) -> Option<Shares> {
    let draws = match (player, aim) {
        (Player::Alice, PlayerAim::Win) | (Player::Bob, PlayerAim::NoLoss) => Draws::Bob,
        (Player::Bob, PlayerAim::Win) | (Player::Alice, PlayerAim::NoLoss) => Draws::Alice,
    };
    let rules = Rules {
        draws,
        winner,
        pay: Payment::Taxman(BigRational::new(halves.into(), 2.into())),
        ..Rules::default()
    };
    Shares::solve(graph, &rules, Context::plain()).ok()
}

fn is_enough(onward: &Onward<'_>, node: NodeId, money: &Money) -> bool {
    let Some(share) = money.share() else {
        return onward.penniless.is_enough(node);
    };
    let wanted = match onward.player {
        Player::Alice => Ordering::Greater,
        Player::Bob => Ordering::Less,
    };
    onward.shares.standing(&onward.graph, node, &share) == Some(wanted)
}

/// Returns the money after this player has won with this bid.
fn paid(money: &Money, winner: Player, bid: &BigRational, halves: u32) -> Money {
    let kept = bid * BigRational::new((2 - halves).into(), 2.into());
    match winner {
        Player::Alice => Money {
            alice: &money.alice - bid,
            bob: &money.bob + kept,
        },
        Player::Bob => Money {
            alice: &money.alice + kept,
            bob: &money.bob - bid,
        },
    }
}

/// Returns the vertices that a bid can lead to when `winner` wins it, by all moves of the opponent.
fn outcomes(graph: &GameGraph, onward: &Onward<'_>, node: NodeId, winner: Player) -> Vec<NodeId> {
    let others = graph.successors(node, onward.player.other());
    let mut heads = Vec::new();
    match onward.step(node) {
        Some(WinnerChoice::Move(head)) if winner == onward.player => return vec![head],
        _ if winner == onward.player => {}
        // Where the winner of a bid must move, an opponent with moves plays one of them.
        _ if onward.winner == Winner::Moves && !others.is_empty() => {}
        _ => heads.extend(onward.best(node)),
    }
    heads.extend(others);
    heads
}

/// Tests that a player who has more than the threshold still has so after the bid, whatever the
/// opponent bids, and whoever wins ties.
#[test]
fn bids_keep_the_promise_against_all_replies() {
    let (mut bids, mut narrow, mut without, mut moved, mut elsewhere) = (0, 0, 0, 0, 0);
    for_all(
        1_200,
        (games(SHAPE), 0..3_u32, 0..u64::MAX),
        |(graph, halves, seed)| {
            let mut dice = StdRng::seed_from_u64(seed);
            let (player, aim, winner) = drawn(&mut dice);
            let Some(shares) = thresholds(&graph, player, aim, winner, halves) else {
                return;
            };
            let onward = advised(&graph, &shares, player, aim, winner);
            for node in graph.nodes().filter(|node| graph.ending(*node).is_none()) {
                let is_covered = shares.covers_all().is_ok();
                let money = Money {
                    alice: whole(dice.random_range(0..12)),
                    bob: whole(dice.random_range(0..12)),
                };
                if !is_enough(&onward, node, &money) || money.share().is_none() {
                    continue;
                }
                let about = format!("{player:?} {aim:?} {halves} {node:?} {money:?} {onward:?}");
                let Some(bid) = onward.bid(node, &money) else {
                    panic!("no bid: {about}")
                };
                let (own, other) = match player {
                    Player::Alice => (&money.alice, &money.bob),
                    Player::Bob => (&money.bob, &money.alice),
                };
                assert!(bid >= whole(0) && bid <= *own, "{bid} {about}");
                if !onward.is_bid_for(node) {
                    continue;
                }
                let won = paid(&money, player, &bid, halves);
                for head in outcomes(&graph, &onward, node, player) {
                    assert!(
                        is_enough(&onward, head, &won),
                        "{bid} won, to {head:?}: {about}"
                    );
                }
                let more = [whole(0), (other - &bid) / whole(7), other - &bid];
                for reply in more
                    .iter()
                    .map(|more| &bid + more)
                    .filter(|reply| reply >= &bid && reply <= other)
                {
                    let lost = paid(&money, player.other(), &reply, halves);
                    for head in outcomes(&graph, &onward, node, player.other()) {
                        assert!(
                            is_enough(&onward, head, &lost),
                            "{bid} lost to {reply}, to {head:?}: {about}"
                        );
                    }
                }
                let must_move = winner == Winner::Moves && onward.best(node).is_some();
                assert!(
                    !must_move || onward.step(node) != Some(WinnerChoice::LetMove),
                    "an illegal decision: {about}"
                );
                moved += usize::from(must_move);
                bids += 1;
                elsewhere += usize::from(!is_covered);
                narrow += usize::from(&bid > other);
                without += usize::from(*own == whole(0));
            }
        },
    );
    assert!(
        bids > 700 && narrow > 100 && without > 5 && moved > 100 && elsewhere > 20,
        "{bids} {narrow} {without} {moved} {elsewhere}"
    );
}

/// Returns a graph with its vertices in the opposite order, behind a cycle from which its start can
/// be reached.
fn surrounded(graph: &GameGraph) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes().rev() {
        let [alice, bob] = Player::both(|player| {
            let heads = graph.successors(node, player).iter().rev();
            heads.map(|head| mirrored(graph, *head)).collect::<Vec<_>>()
        });
        builder.push(graph.ending(node), &alice, &bob);
    }
    let before = NodeId::new(graph.len());
    let heads = [before, mirrored(graph, graph.start())];
    builder.push(None, &heads, &heads);
    builder.finish(before)
}

/// Tests that a play may follow advice from two sessions, in which the vertices have other numbers
/// and more of them are known: bids and decisions are equal, and so are the sets of best moves.
#[test]
fn advice_does_not_depend_on_the_numbers_of_vertices() {
    let (mut bids, mut choices, mut free) = (0, 0, 0);
    for_all(
        800,
        (games(SHAPE), 0..3_u32, 0..u64::MAX),
        |(graph, halves, seed)| {
            let mut dice = StdRng::seed_from_u64(seed);
            let (player, aim, winner) = drawn(&mut dice);
            let around = surrounded(&graph);
            let solved =
                [&graph, &around].map(|graph| thresholds(graph, player, aim, winner, halves));
            let [Some(shares), Some(other)] = solved else {
                return;
            };
            let here = advised(&graph, &shares, player, aim, winner);
            let there = advised(&around, &other, player, aim, winner);
            for node in graph.nodes().filter(|node| graph.ending(*node).is_none()) {
                let image = mirrored(&graph, node);
                let money = Money {
                    alice: whole(dice.random_range(0..12)),
                    bob: whole(dice.random_range(0..12)),
                };
                if money.share().is_none() || !is_enough(&here, node, &money) {
                    continue;
                }
                let about = format!("{player:?} {aim:?} {node:?} {money:?} {here:?} {there:?}");
                assert_eq!(here.bid(node, &money), there.bid(image, &money), "{about}");
                let lets =
                    |onward: &Onward<'_>, node| onward.step(node) == Some(WinnerChoice::LetMove);
                assert_eq!(lets(&here, node), lets(&there, image), "{about}");
                let mut best: Vec<NodeId> = here.all_best(node).collect();
                let mut image: Vec<NodeId> = there
                    .all_best(image)
                    .map(|head| mirrored(&graph, head))
                    .collect();
                best.sort_unstable();
                image.sort_unstable();
                assert_eq!(best, image, "{about}");
                bids += 1;
                choices += usize::from(best.len() > 1);
                free += usize::from(here.penniless.is_enough(node));
            }
        },
    );
    assert!(
        bids > 400 && choices > 50 && free > 50,
        "{bids} {choices} {free}"
    );
}

/// Tests that a player who is promised a win does win, even on cycles and against an opponent who
/// has all ties and bids the same again and again.
#[test]
fn bids_win_although_the_opponent_ties() {
    let (mut matches, mut longest) = (0, 0);
    for_all(
        800,
        (games(SHAPE), 0..3_u32, 0..u64::MAX),
        |(graph, halves, seed)| {
            let mut dice = StdRng::seed_from_u64(seed);
            let player = Player::BOTH[dice.random_range(0..2)];
            let winner = [Winner::Chooses, Winner::Moves][dice.random_range(0..2)];
            let Some(shares) = thresholds(&graph, player, PlayerAim::Win, winner, halves) else {
                return;
            };
            let onward = advised(&graph, &shares, player, PlayerAim::Win, winner);
            let mut node = graph.start();
            let mut money = Money {
                alice: whole(dice.random_range(1..12)),
                bob: whole(dice.random_range(1..12)),
            };
            let far = onward
                .wins
                .iter()
                .flatten()
                .max()
                .is_some_and(|wins| *wins > 2);
            if !is_enough(&onward, node, &money) || far {
                return;
            }
            let start = money.clone();
            let mut moves = 0;
            while graph.ending(node).is_none() {
                let about = || format!("{player:?} {halves} {start:?} {money:?} {onward:?}");
                assert!(moves < 20_000, "{}", about());
                moves += 1;
                let bid = onward
                    .bid(node, &money)
                    .unwrap_or_else(|| panic!("no bid: {}", about()));
                let other = match player {
                    Player::Alice => &money.bob,
                    Player::Bob => &money.alice,
                };
                let winner = if bid <= *other {
                    player.other()
                } else {
                    player
                };
                money = paid(&money, winner, &bid, halves);
                let heads = outcomes(&graph, &onward, node, winner);
                // Most often the opponent chooses the move that is worst for the player.
                let worst = |a: &&NodeId, b: &&NodeId| {
                    let order = onward.shares.compare(**a, **b);
                    if player == Player::Alice {
                        order
                    } else {
                        order.reverse()
                    }
                };
                let first = heads.iter().max_by(worst).expect("there is a move");
                node = if dice.random_bool(0.7) {
                    *first
                } else {
                    heads[dice.random_range(0..heads.len())]
                };
            }
            assert_eq!(graph.ending(node), Some(Ending::Win(player)));
            matches += 1;
            longest = longest.max(moves);
        },
    );
    assert!(matches > 60 && longest > 20, "{matches} {longest}");
}

/// Tests that with no money at all nothing is promised if the opponent can prolong play by empty
/// bids.
#[test]
fn without_money_no_bid_is_won() {
    let mut builder = GameGraphBuilder::default();
    let [round, won] = [0, 1].map(NodeId::new);
    builder.push(None, &[won], &[round]);
    builder.push(Some(Ending::Win(Player::Alice)), &[], &[]);
    let graph = builder.finish(round);
    let shares =
        thresholds(&graph, Player::Alice, PlayerAim::Win, Winner::Chooses, 0).expect("solved");
    assert_eq!(shares.share(round).value(), Some(&whole(0)));
    assert_eq!(shares.standing(&graph, round, &whole(0)), None);
    assert_eq!(
        shares.standing(&graph, won, &whole(0)),
        Some(Ordering::Greater)
    );
    let money = Money {
        alice: whole(1),
        bob: whole(1),
    };
    let onward = advised(
        &graph,
        &shares,
        Player::Alice,
        PlayerAim::Win,
        Winner::Chooses,
    );
    assert!(onward.bid(round, &money).expect("there is a bid") > whole(0));
}

/// Checks that the work asks again and again whether to go on, the last time at the last vertex.
#[test]
fn advice_can_be_stopped() {
    let graph = tug(150, 150);
    let shares =
        thresholds(&graph, Player::Alice, PlayerAim::Win, Winner::Chooses, 0).expect("solved");
    let within = |guard: &Guard| {
        let (player, aim, winner) = (Player::Alice, PlayerAim::Win, Winner::Chooses);
        Onward::new(&graph, &shares, player, aim, winner, &guard.context()).map(|_| guard.now())
    };
    let all = within(&Guard::of_steps(u64::MAX)).expect("nothing stops it");
    assert!(all > graph.len() as u64, "{all} checks");
    for steps in 0..all - 1 {
        assert_eq!(within(&Guard::of_steps(steps)), Err(Stop::Time));
    }
}
