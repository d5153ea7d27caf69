//! Tests of mean payoffs, and of the shares with which they are positive.

use super::*;

#[test]
fn mean_payoffs_are_what_positional_strategies_make_of_them() {
    let (mut solved, mut refused) = (0, 0);
    for_all(250, few(0.6, 0.0, 600), |(graph, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let coins: &[(i64, i64)] = if tossed(&graph, 2.0 / 3.0).pairs() > 600 {
            &[(1, 1)]
        } else {
            &[(1, 1), (2, 1), (1, 4)]
        };
        let scores = random_weights(&mut dice, &graph);
        for &(a, b) in coins {
            let coin = Coin::new(&BigRational::new(a.into(), (a + b).into())).expect("a coin");
            let expected = value(&graph, a as f64 / (a + b) as f64, |turns, visits| {
                mean(&scores, &graph, turns, visits)
            });
            for (vertices, _) in graph
                .components()
                .iter()
                .filter(|(vertices, _)| is_closed(&graph, vertices))
            {
                let ring = Ring::new(&graph, &scores, vertices);
                let same = vertices.iter().all(|node| {
                    (expected[node.index()] - expected[vertices[0].index()]).abs() < 1e-9
                });
                match ring
                    .solve(coin, Context::plain())
                    .expect("nothing stops it")
                {
                    Some(found) => {
                        let gain = found.gain.to_f64().expect("a float");
                        let right = expected[vertices[0].index()];
                        assert!(
                            same && (gain - right).abs() < 1e-7,
                            "{gain} {right} {graph:?} {scores:?}"
                        );
                        solved += 1;
                    }
                    None => {
                        assert!(
                            !same,
                            "no certificate was found for {expected:?}: {graph:?} {scores:?}"
                        );
                        refused += 1;
                    }
                }
            }
        }
    });
    assert!(solved > 500, "{solved} {refused}");
}

/// Builds a graph in which both players stay, or go to the other side.
fn bowtie(weights: [i64; 2]) -> (GameGraph, Scores) {
    let mut builder = GameGraphBuilder::default();
    let both = [0, 1].map(NodeId::new);
    for _ in both {
        builder.push(None, &both, &both);
    }
    let graph = builder.finish(both[0]);
    let mut scores = ScoresBuilder::new(&graph);
    for (tail, weight) in both.into_iter().zip(weights) {
        for player in Player::BOTH {
            both.iter()
                .for_each(|head| scores.weigh(player, tail, *head, weight.into()));
        }
    }
    let scores = scores.finish().expect("small numbers");
    (graph, scores)
}

/// Checks a part in which Bob alone can go from 0 to 1, and Alice alone back from 1 to 0; neither
/// wants to, as Bob wins at 0 and Alice at 1.
#[test]
fn a_part_in_which_both_stay_has_no_one_mean() {
    let mut builder = GameGraphBuilder::default();
    let [zero, one] = [0, 1].map(NodeId::new);
    builder.push(None, &[zero], &[zero, one]);
    builder.push(None, &[zero, one], &[one]);
    let graph = builder.finish(zero);
    let mut scores = ScoresBuilder::new(&graph);
    for player in Player::BOTH {
        scores.weigh(player, zero, zero, (-1).into());
        scores.weigh(player, one, one, 1.into());
    }
    let scores = scores.finish().expect("small numbers");
    let rules = Rules::default();
    let goals = Goals::Weights(scores.clone());
    let decided =
        decided(&graph, &goals, &rules, &MoverRule::Coin(Coin::default())).expect("decided");
    let endings = [Ending::Win(Player::Bob), Ending::Win(Player::Alice)];
    assert_eq!(
        [zero, one].map(|node| decided.graph.ending(node)),
        endings.map(Some)
    );
    let payoff = |node| {
        payoff(
            &endless(&graph, &goals),
            &scores,
            node,
            &rules,
            Coin::default(),
            Context::plain(),
        )
    };
    assert_eq!([zero, one].map(payoff), [Ok(ratio(-1, 1)), Ok(ratio(1, 1))]);
}

#[test]
fn the_bowtie_pays_what_the_share_is() {
    let (graph, scores) = bowtie([1, 0]);
    for (a, b) in [(1, 1), (1, 2), (7, 3)] {
        let rules = Rules {
            pay: Payment::Poorman,
            ..Rules::default()
        };
        let coin = coin(&rules.pay, Some(&ratio(a, a + b))).expect("a coin");
        let goals = Goals::Weights(scores.clone());
        let game = endless(&graph, &goals);
        assert_eq!(
            payoff(
                &game,
                &scores,
                graph.start(),
                &rules,
                coin,
                Context::plain()
            ),
            Ok(ratio(a, a + b))
        );
    }
}

/// Checks the threshold of the bowtie of weights x and −y: the coin falls for Alice with
/// probability y/(x + y).
#[test]
fn thresholds_of_mean_payoffs_are_exact_where_rational() {
    for (x, y) in [(1, 1), (1, 2), (5, 3), (7, 11)] {
        let (graph, scores) = bowtie([x, -y]);
        for t in [ratio(1, 1), ratio(1, 2)] {
            for draws in [Draws::Bob, Draws::Alice] {
                let rules = Rules {
                    pay: Payment::Taxman(t.clone()),
                    draws,
                    ..Rules::default()
                };
                let goals = Goals::Weights(scores.clone());
                let decided = decided(&graph, &goals, &rules, &MoverRule::Taxed(t.clone()));
                let decided = decided.expect("decided");
                let shares = solved(&decided, &rules).expect("solved");
                // The threshold solves p = (1 − t + t r)/(2 − t), clamped to 0 and 1.
                let p = ratio(y, x + y);
                let one = ratio(1, 1);
                let right = ((&one + &one - &t) * p - (&one - &t)) / &t;
                let right = right.clamp(ratio(0, 1), one);
                assert_eq!(
                    shares.share(graph.start()),
                    Share::exact(right),
                    "{x} {y} {t}"
                );
            }
        }
    }
}

/// Checks a graph at whose sides only one player moves, and goes back: whether the mean increases
/// with the share depends on the best moves there.
#[test]
fn thresholds_are_exact_where_one_player_alone_could_stay() {
    let mut builder = GameGraphBuilder::default();
    let [middle, low, high] = [0, 1, 2].map(NodeId::new);
    builder.push(None, &[low, high], &[low, high]);
    builder.push(None, &[middle, low], &[]);
    builder.push(None, &[], &[middle, high]);
    let graph = builder.finish(middle);
    let mut scores = ScoresBuilder::new(&graph);
    for head in [middle, low] {
        scores.weigh(Player::Alice, low, head, (-1).into());
    }
    for head in [middle, high] {
        scores.weigh(Player::Bob, high, head, 2.into());
    }
    let goals = Goals::Weights(scores.finish().expect("small numbers"));
    let rules = Rules {
        pay: Payment::Poorman,
        ..Rules::default()
    };
    let decided = decided(&graph, &goals, &rules, &MoverRule::Taxed(ratio(1, 1))).expect("decided");
    let shares = solved(&decided, &rules).expect("solved");
    // Play reaches the high side with the probability of the share: 2p = 1 − p.
    assert_eq!(shares.share(middle), Share::exact(ratio(1, 3)));
}

/// Checks that an irrational threshold is enclosed, and that random turns pay less below and more
/// above.
#[test]
fn thresholds_of_mean_payoffs_are_where_the_mean_changes_its_sign() {
    let (mut inner, mut enclosed) = (0, 0);
    for_all(150, cases(1.0, 0.0), |(graph, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let scores = random_weights(&mut dice, &graph);
        let rules = Rules {
            pay: Payment::Poorman,
            precision: Precision(ratio(1, 1 << 20)),
            ..Rules::default()
        };
        let goals = Goals::Weights(scores.clone());
        let decided =
            decided(&graph, &goals, &rules, &MoverRule::Taxed(ratio(1, 1))).expect("decided");
        for (vertices, _) in graph
            .components()
            .iter()
            .filter(|(vertices, _)| is_closed(&graph, vertices))
        {
            let share = match decided.graph.ending(vertices[0]) {
                Some(Ending::Win(Player::Alice)) => Share::exact(ratio(0, 1)),
                Some(Ending::Win(Player::Bob)) => Share::exact(ratio(1, 1)),
                Some(Ending::Draw) | None => {
                    let known = decided
                        .thresholds
                        .iter()
                        .find(|(node, _)| *node == vertices[0]);
                    known.expect("a threshold").1.clone()
                }
            };
            let ring = Ring::new(&graph, &scores, vertices);
            let gain = |r: BigRational| {
                Coin::new(&r).map(|coin| {
                    ring.solve(coin, Context::plain())
                        .expect("not stopped")
                        .expect("one mean")
                        .gain
                })
            };
            let step = ratio(1, 1000);
            let zero = ratio(0, 1);
            assert!(
                gain(&share.low - &step).is_none_or(|gain| gain <= zero),
                "{share:?} {graph:?} {scores:?}"
            );
            assert!(
                gain(&share.high + &step).is_none_or(|gain| gain > zero),
                "{share:?} {graph:?} {scores:?}"
            );
            inner += usize::from(share.low > zero && share.high < ratio(1, 1));
            enclosed += usize::from(share.value().is_none());
        }
    });
    assert!(inner > 10 && enclosed > 3, "{inner} {enclosed}");
}
