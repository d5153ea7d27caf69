//! Tests of scores under bidding against the definition: maximin and minimax over all pairs of
//! bids, all choices and all moves, for every rule for ties, on random acyclic games with weights
//! of both signs, different for the two players, including zugzwang.

use crate::advised::{AdvisedTurn, advised};
use std::collections::HashMap;

use crate::oracle::{LiteralTurn, all_purses, all_rules, best, chosen};
use crate::random::built;
use bid_game::{GameGraph, GameGraphBuilder, NodeId, Scores, ScoresBuilder};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Purses, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::matrix::MatrixSolution;
use bid_solve::scoring::{
    KeptRows, Mixed, ScoreInterval, ScoreValues, Scored, ScoringSolution, breach, cycle,
};
use bid_testing::{GraphShape, Out, for_all, graphs};
use num_rational::BigRational;
use proptest::collection::vec;
use proptest::strategy::Strategy;

/// The kind of weights of a random game.
#[derive(Debug, Clone, Copy)]
enum Weights {
    /// Arbitrary weights, different for the players.
    Partizan,
    /// Equal moves for both players, with weights that are not negative for the mover: inside the
    /// monotone class.
    SymmetricGains,
}

/// An acyclic game whose two endings count only by their scores.
#[derive(Debug, Clone)]
struct Game {
    graph: GameGraph,
    scores: Scores,
}

impl Game {
    fn scored(&self) -> Scored<'_> {
        Scored {
            graph: &self.graph,
            scores: &self.scores,
        }
    }
}

/// Generates random games with weights of a kind.
fn random_games(kind: Weights) -> impl Strategy<Value = Game> {
    let (owners, shared, stuck, weights) = match kind {
        Weights::Partizan => (0.4, 0.0, 0.1, -3..=3_i64),
        Weights::SymmetricGains => (0.0, 1.0, 0.0, 0..=4_i64),
    };
    let graphs = graphs(GraphShape {
        positions: 1..=5,
        moves: 3..=3,
        stuck,
        cycles: 0.0,
        draws: 0.0,
        out: Out::Evenly,
        owners,
        shared,
        ..GraphShape::SMALL
    });
    let parts = (graphs, vec(weights, 40), [-4..=4_i64, -4..=4]);
    parts.prop_map(move |(mut graph, weights, ends)| {
        for vertex in &mut graph.vertices {
            vertex.ending = vertex.ending.map(|_| Ending::Draw);
        }
        let graph = built(&graph);
        let scores = weighed(&graph, kind, &weights, &ends);
        Game { graph, scores }
    })
}

fn weighed(graph: &GameGraph, kind: Weights, weights: &[i64], ends: &[i64]) -> Scores {
    let mut scores = ScoresBuilder::new(graph);
    let (mut weights, mut ends) = (weights.iter().cycle(), ends.iter().cycle());
    let mut next = || *weights.next().expect("they go round");
    for tail in graph.nodes() {
        for &head in graph.successors(tail, Player::Alice) {
            let weight = next();
            scores.weigh(Player::Alice, tail, head, weight.into());
            if let Weights::SymmetricGains = kind {
                scores.weigh(Player::Bob, tail, head, (-weight).into());
            }
        }
        if let Weights::Partizan = kind {
            for &head in graph.successors(tail, Player::Bob) {
                scores.weigh(Player::Bob, tail, head, next().into());
            }
            if graph.ending(tail).is_some() {
                scores.end(tail, (*ends.next().expect("they go round")).into());
            }
        }
    }
    scores.finish().expect("small scores")
}

/// The literal definition: every bid of both, every choice on a tie, every mover and every move.
pub struct Literal<'a> {
    game: Scored<'a>,
    rules: &'a Rules,
    known: HashMap<(NodeId, Purses, Player), i64>,
}

impl<'a> Literal<'a> {
    pub fn new(game: Scored<'a>, rules: &'a Rules) -> Self {
        Self {
            game,
            rules,
            known: HashMap::new(),
        }
    }

    /// Returns the value that `player` can guarantee.
    pub fn sure(&mut self, node: NodeId, purses: Purses, player: Player) -> i64 {
        if self.game.graph.ending(node).is_some() {
            return self.game.scores.ending(node);
        }
        if let Some(&known) = self.known.get(&(node, purses, player)) {
            return known;
        }
        if let Some(owner) = self.game.graph.owner(node) {
            let moves = self.game.scores.moves(self.game.graph, node, owner);
            let values = moves.map(|(head, weight)| weight + self.sure(head, purses, player));
            return best(owner, values);
        }
        let (own, others) = (purses.chips[player], purses.chips[player.other()]);
        let worst = |bid| {
            let bids = (0..=others).map(|reply| PerPlayer::of(player, bid, reply));
            best(
                player.other(),
                bids.map(|bids| self.result(node, purses, player, bids)),
            )
        };
        let value = best(player, (0..=own).map(worst));
        self.known.insert((node, purses, player), value);
        value
    }

    fn result(
        &mut self,
        node: NodeId,
        purses: Purses,
        player: Player,
        bids: PerPlayer<u64>,
    ) -> i64 {
        let game = self.game;
        let turn = LiteralTurn {
            graph: game.graph,
            rules: self.rules,
            node,
            purses,
        };
        turn.after_bids(bids, chosen, |played| {
            let weight = weight(game, node, played.mover, played.to);
            weight + self.sure(played.to, played.after, player)
        })
    }
}

/// Returns the weight of a move; of several moves to one vertex the mover makes the best.
fn weight(game: Scored<'_>, node: NodeId, mover: Player, to: NodeId) -> i64 {
    let moves = game.scores.moves(game.graph, node, mover);
    let moves = moves.filter(|(head, _)| *head == to);
    best(mover, moves.map(|(_, weight)| weight))
}

/// Compares all states of a game. Returns the number of reachable states without a pure
/// equilibrium.
fn held_to_the_definition(game: Scored<'_>, rules: &Rules, total: u64) -> usize {
    let values = ScoreValues::solve(game, rules, total, KeptRows::All, Context::plain())
        .expect("small scores");
    let mut literal = Literal::new(game, rules);
    let mut unsettled = 0;
    let reached = game.graph.reachable(game.graph.start());
    for node in game.graph.nodes() {
        for purses in all_purses(rules, total) {
            let [least, most] = Player::both(|player| literal.sure(node, purses, player));
            let state = || format!("{rules:?} at {node:?} with {purses:?}\n{game:?}");
            assert_eq!(
                values.at(node, &purses),
                ScoreInterval { least, most },
                "{}",
                state()
            );
            unsettled += usize::from(least != most && reached.contains(&node));
            let solved = ScoringSolution {
                game,
                values: &values,
            };
            if game.graph.ending(node).is_none() {
                advice_keeps_what_it_promises(solved, node, purses, &state);
            }
            if game.graph.ending(node).is_none() && game.graph.owner(node).is_none() {
                assert_eq!(
                    bids_keep_what_they_promise(solved, &mut literal, node, purses),
                    Ok(()),
                    "{}",
                    state()
                );
            }
        }
    }
    unsettled
}

/// Checks that a player who follows advice to the letter gets the score, whatever the opponent does.
fn advice_keeps_what_it_promises(
    solved: ScoringSolution<'_>,
    node: NodeId,
    purses: Purses,
    state: &dyn Fn() -> String,
) {
    let ScoringSolution { game, values } = solved;
    for player in Player::BOTH {
        let advice = solved.advice(player, node, &purses, Context::plain());
        let advice = advice.expect("nobody stops it");
        let promised = values.at(node, &purses).secured(player);
        for reply in 0..=purses.chips[player.other()] {
            let played = advised(game.graph, values.rules(), &advice, node, &purses, reply);
            for AdvisedTurn { mover, to, after } in played {
                let result = weight(game, node, mover, to) + values.at(to, &after).secured(player);
                assert_eq!(
                    best(player, [promised, result]),
                    result,
                    "{player:?}, by {advice:?} against {reply}: {}",
                    state()
                );
            }
        }
    }
}

/// Checks that each player's bid is the least that guarantees the value, by the literal results,
/// and that the matrix has those results.
fn bids_keep_what_they_promise(
    solved: ScoringSolution<'_>,
    literal: &mut Literal<'_>,
    node: NodeId,
    purses: Purses,
) -> Result<(), String> {
    let values = solved.values;
    let matrix = solved.bidding_matrix(node, purses, Context::plain());
    let matrix = matrix.expect("nobody stops it");
    for player in Player::BOTH {
        let (own, others) = (purses.chips[player], purses.chips[player.other()]);
        let mut sure_of = |bid| {
            let results = (0..=others).map(|reply| {
                let bids = PerPlayer::of(player, bid, reply);
                let entry = matrix[bids.bob as usize][bids.alice as usize].secured(player);
                (entry, literal.result(node, purses, player, bids))
            });
            let results: Vec<_> = results.collect();
            let agree = results.iter().all(|(entry, result)| entry == result);
            let results = results.into_iter().map(|(_, result)| result);
            (agree, best(player.other(), results))
        };
        let advised = solved.bid(player, node, &purses, Context::plain());
        let advised = advised.expect("nobody stops it");
        let all: Vec<_> = (0..=own).map(&mut sure_of).collect();
        if all.iter().any(|(agree, _)| !agree) {
            return Err(format!("the matrix differs: {matrix:?}"));
        }
        let least = all
            .iter()
            .position(|(_, sure)| *sure == values.at(node, &purses).secured(player));
        if least != Some(advised.bid as usize)
            || advised.sure != values.at(node, &purses).secured(player)
        {
            return Err(format!("{player:?} is advised {advised:?}, of {all:?}"));
        }
    }
    Ok(())
}

#[test]
fn random_games_under_every_rule_for_ties() {
    let rules = all_rules();
    let mut unsettled = 0;
    for_all(
        120,
        (0..5_u64, random_games(Weights::Partizan)),
        |(total, game)| {
            for rules in &rules {
                unsettled += held_to_the_definition(game.scored(), rules, total);
            }
        },
    );
    assert!(
        unsettled > 0,
        "some of these games have no pure equilibrium"
    );
}

#[test]
fn the_monotone_class_by_the_fast_method() {
    let rules = Rules {
        ties: TieBreak::Marker,
        winner: Winner::Moves,
        ..Rules::default()
    };
    let mut inside = 0;
    for_all(
        300,
        (0..8_u64, random_games(Weights::SymmetricGains)),
        |(total, game)| {
            let (graph, game) = (&game.graph, game.scored());

            let unsettled = held_to_the_definition(game, &rules, total);
            let values = ScoreValues::solve(game, &rules, total, KeptRows::All, Context::plain())
                .expect("small scores");
            if breach(
                ScoringSolution {
                    game,
                    values: &values,
                },
                graph.start(),
                Context::plain(),
            ) == Ok(None)
            {
                inside += 1;
                assert_eq!(
                    unsettled, 0,
                    "Theorem 3: inside the class every equilibrium is unique"
                );
            }
        },
    );
    assert!(
        inside > 200,
        "most of these games are in the class, so the fast method is used: {inside}"
    );
}

/// Checks that only the rows that are asked for are kept, and that they are the same.
#[test]
fn rows_are_dropped_without_changing_the_answer() {
    let rules = Rules {
        ties: TieBreak::Marker,
        ..Rules::default()
    };
    for_all(100, random_games(Weights::Partizan), |game| {
        let (graph, game) = (&game.graph, game.scored());

        let all = ScoreValues::solve(game, &rules, 3, KeptRows::All, Context::plain())
            .expect("small scores");
        let start = [graph.start()];
        let one = ScoreValues::solve(game, &rules, 3, KeptRows::Only(&start), Context::plain())
            .expect("small scores");
        assert!(
            all_purses(&rules, 3)
                .iter()
                .all(|purses| all.at(start[0], purses) == one.at(start[0], purses))
        );
    });
}

/// Checks that the conjugate game has the opposite scores: o(~G, p*, q) = −o(G, q, p*).
#[test]
fn conjugates_have_opposite_scores() {
    for_all(
        100,
        (0..4_u64, random_games(Weights::Partizan)),
        |(total, Game { graph, scores })| {
            let (other_graph, other_scores) = (graph.conjugate(), scores.conjugate());
            for rules in all_rules() {
                // Two of these rules favour a player by name, and the richer player's tie favours
                // one when both are equally rich.
                if !rules.ties.has_status() {
                    continue;
                }
                let solve = |graph, scores| {
                    ScoreValues::solve(
                        Scored { graph, scores },
                        &rules,
                        total,
                        KeptRows::All,
                        Context::plain(),
                    )
                    .expect("small scores")
                };
                let (values, others) = (solve(&graph, &scores), solve(&other_graph, &other_scores));
                for purses in all_purses(&rules, total) {
                    let exchanged = Purses {
                        chips: purses.chips.swapped(),
                        status: purses.status.map(Player::other),
                    };
                    let (found, other) = (
                        values.at(graph.start(), &purses),
                        others.at(graph.start(), &exchanged),
                    );
                    assert_eq!((found.least, found.most), (-other.most, -other.least));
                }
            }
        },
    );
}

/// Checks the value of every state by matrix games of literal results, each certified by both
/// players' best responses.
#[test]
fn mixed_values_are_certified_by_best_responses() {
    let mut mixed_bids = 0;
    for_all(
        60,
        (0..4_u64, random_games(Weights::Partizan)),
        |(total, game)| {
            let (graph, game) = (&game.graph, game.scored());

            for rules in all_rules() {
                let values =
                    ScoreValues::solve(game, &rules, total, KeptRows::All, Context::plain())
                        .expect("small scores");
                let mut mixed = Mixed::new(
                    ScoringSolution {
                        game,
                        values: &values,
                    },
                    Context::plain(),
                );
                for node in graph.nodes().filter(|node| graph.ending(*node).is_none()) {
                    for purses in all_purses(&rules, total) {
                        if let Some(owner) = graph.owner(node) {
                            assert_eq!(
                                mixed.value(node, &purses),
                                Ok(without_bid(&mut mixed, game, node, owner, &purses))
                            );
                            continue;
                        }
                        let found = mixed.bids(node, &purses).expect("nothing stops it");
                        let value = mixed.value(node, &purses).expect("nothing stops it");
                        assert_eq!(found.value, value, "the pure and the mixed method agree");
                        let entry = |bids| entry(&mut mixed, game, &rules, node, &purses, bids);
                        assert_eq!(
                            certified(&found, entry),
                            Ok(()),
                            "{rules:?} at {node:?} with {purses:?}\n{game:?}"
                        );
                        let interval = values.at(node, &purses);
                        assert!(value >= whole(interval.least) && value <= whole(interval.most));
                        mixed_bids += usize::from(interval.value().is_none());
                    }
                }
            }
        },
    );
    assert!(mixed_bids > 0, "some of these states need mixed bids");
}

fn whole(units: i64) -> BigRational {
    BigRational::from_integer(units.into())
}

/// Returns the value of an owner's best move, literally.
fn without_bid(
    mixed: &mut Mixed<'_>,
    game: Scored<'_>,
    node: NodeId,
    owner: Player,
    purses: &Purses,
) -> BigRational {
    let moves = game.scores.moves(game.graph, node, owner);
    let value =
        |(head, weight)| whole(weight) + mixed.value(head, purses).expect("nothing stops it");
    best(owner, moves.map(value))
}

/// Returns the value after these bids, literally.
fn entry(
    mixed: &mut Mixed<'_>,
    game: Scored<'_>,
    rules: &Rules,
    node: NodeId,
    purses: &Purses,
    bids: PerPlayer<u64>,
) -> BigRational {
    let turn = LiteralTurn {
        graph: game.graph,
        rules,
        node,
        purses: *purses,
    };
    turn.after_bids(bids, chosen, |played| {
        let weight = weight(game, node, played.mover, played.to);
        let value = mixed.value(played.to, &played.after);
        whole(weight) + value.expect("nothing stops it")
    })
}

/// Checks that each player's mixed bids guarantee the value against every pure reply.
fn certified(
    found: &MatrixSolution<BigRational>,
    mut entry: impl FnMut(PerPlayer<u64>) -> BigRational,
) -> Result<(), String> {
    let (rows, columns) = (found.rows.len() as u64, found.columns.len() as u64);
    let matrix: Vec<Vec<BigRational>> = (0..rows)
        .map(|row| {
            (0..columns)
                .map(|column| entry(PerPlayer::new(row, column)))
                .collect()
        })
        .collect();
    let against = |column: usize| -> BigRational {
        found
            .rows
            .iter()
            .zip(&matrix)
            .map(|(weight, row)| weight * &row[column])
            .sum()
    };
    let conceded = |row: &Vec<BigRational>| -> BigRational {
        found
            .columns
            .iter()
            .zip(row)
            .map(|(weight, entry)| weight * entry)
            .sum()
    };
    let one = whole(1);
    if found.rows.iter().sum::<BigRational>() != one
        || found.columns.iter().sum::<BigRational>() != one
    {
        return Err("the bids' probabilities do not add up to 1".to_owned());
    }
    if (0..columns as usize).any(|column| against(column) < found.value) {
        return Err(format!(
            "Alice's bids do not guarantee the value: {found:?} of {matrix:?}"
        ));
    }
    if matrix.iter().any(|row| conceded(row) > found.value) {
        return Err(format!(
            "Bob's bids concede more than the value: {found:?} of {matrix:?}"
        ));
    }
    Ok(())
}

#[test]
fn a_cycle_is_named() {
    let mut builder = GameGraphBuilder::default();
    let nodes: Vec<_> = (0..4).map(NodeId::new).collect();
    builder.push(None, &[nodes[1]], &[nodes[3]]);
    builder.push(None, &[nodes[2]], &[nodes[3]]);
    builder.push(None, &[nodes[3]], &[nodes[1]]);
    builder.push(Some(Ending::Draw), &[], &[]);
    assert_eq!(
        cycle(&builder.finish(nodes[0])),
        Some(vec![nodes[1], nodes[2]])
    );
}
