//! Tests of Robin Hood against the definition: with a little more than the threshold Alice has a
//! bid after which she has more than the next one, whatever Bob bids; with a little less Bob has
//! one. On cycles, tests against the truncations.

use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Payment, RobinHood, Rules};
use bid_language::watch::Context;
use bid_solve::game::{GameGraph, NodeId};
use bid_solve::onward::Onward;
use bid_solve::richman::Values;
use bid_solve::richman::taxman::{Money, PlayerAim, Share, Shares};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::sample::select;
use proptest::strategy::Strategy;

use crate::random::games;
use bid_testing::{GraphShape, for_all};

fn rational(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

fn rules(part: (i64, i64), pay: Payment, draws: Draws) -> Rules {
    let robin_hood = RobinHood::new(rational(part.0, part.1)).expect("a part below a half");
    Rules {
        robin_hood,
        pay,
        draws,
        ..Rules::default()
    }
}

const PARTS: [(i64, i64); 6] = [(1, 100), (1, 10), (1, 5), (6, 25), (1, 4), (2, 5)];

fn payments() -> [Payment; 3] {
    [
        Payment::Richman,
        Payment::Poorman,
        Payment::Taxman(rational(1, 3)),
    ]
}

/// Generates games, half of them with owners, in a part of which positions may come back.
fn random_games(cycles: f64) -> impl Strategy<Value = GameGraph> {
    games(GraphShape {
        positions: 1..=7,
        cycles,
        draws: 0.3,
        owners: 0.5,
        ..GraphShape::SMALL
    })
}

fn solve(graph: &GameGraph, rules: &Rules) -> Shares {
    Shares::solve(graph, rules, Context::plain())
        .unwrap_or_else(|error| panic!("{}: {rules:?} {graph:?}", error.message))
}

fn float(number: &BigRational) -> f64 {
    number.to_f64().expect("a float")
}

/// The money of a player and of the opponent.
#[derive(Clone, Copy)]
struct Purse {
    own: f64,
    other: f64,
}

impl Purse {
    fn given(self, part: f64) -> Self {
        let gift = (self.own - self.other) * part;
        Self {
            own: self.own - gift,
            other: self.other + gift,
        }
    }

    fn share(self) -> f64 {
        self.own / (self.own + self.other)
    }
}

/// Returns whether a player with this share has a bid, on a grid, with which she exceeds both
/// shares that she may need: `better` at the successor that the bid's winner chooses if she wins,
/// and `worse` at the one that the opponent chooses.
fn has_a_bid(share: f64, tax: f64, gift: f64, better: f64, worse: f64) -> bool {
    const GRID: u32 = 20_000;
    let purse = Purse {
        own: share,
        other: 1.0 - share,
    }
    .given(gift);
    (0..=GRID).any(|step| {
        let bid = purse.own * f64::from(step) / f64::from(GRID);
        let won = Purse {
            own: purse.own - bid,
            other: purse.other + (1.0 - tax) * bid,
        };
        // The least bid with which Bob can win is equal to hers.
        let lost = Purse {
            own: purse.own + (1.0 - tax) * bid,
            other: purse.other - bid,
        };
        won.share() > better && (bid > purse.other || lost.share() > worse)
    })
}

/// Checks that the thresholds of a graph without cycles follow from each other by the definition.
/// Returns the number of comparisons.
fn follow(graph: &GameGraph, rules: &Rules, shares: &Shares) -> usize {
    const LITTLE: f64 = 1.0 / 500.0;
    let law = (
        float(&rules.pay.tax().expect("the winner pays")),
        float(rules.robin_hood.part()),
    );
    let value = |node: NodeId| {
        float(
            shares
                .share(node)
                .value()
                .expect("without cycles they are exact"),
        )
    };
    let mut compared = 0;
    for node in graph.nodes() {
        if let Some(ending) = graph.ending(node) {
            let lost = ending == Ending::Win(Player::Bob)
                || ending == Ending::Draw && rules.draws == Draws::Bob;
            assert_eq!(value(node), f64::from(u8::from(lost)));
            continue;
        }
        let of = |player: Player| {
            graph
                .successors(node, player)
                .iter()
                .map(|head| value(*head))
        };
        let least = of(Player::Alice).reduce(f64::min);
        let most = of(Player::Bob).reduce(f64::max);
        if graph.owner(node).is_some() {
            assert_eq!(Some(value(node)), least.or(most), "{node:?} {graph:?}");
            continue;
        }
        let (alice, bob) = match (least, most) {
            (Some(alice), Some(bob)) => (alice, bob),
            (only, None) | (None, only) => (
                only.expect("somebody can move"),
                only.expect("somebody can move"),
            ),
        };
        let (low, high) = (alice.min(bob), alice.max(bob));
        let (more, less) = (value(node) + LITTLE, value(node) - LITTLE);
        if more <= 1.0 {
            assert!(
                has_a_bid(more, law.0, law.1, low, high),
                "{node:?} {rules:?} {graph:?}"
            );
            compared += 1;
        }
        if less >= 0.0 {
            assert!(
                has_a_bid(1.0 - less, law.0, law.1, 1.0 - high, 1.0 - low),
                "{node:?} {rules:?} {graph:?}"
            );
            compared += 1;
        }
    }
    compared
}

/// Generates each part with each payment, and draws for either player.
fn all_rules() -> impl Strategy<Value = Rules> {
    let draws = select(vec![Draws::Bob, Draws::Alice]);
    let parts = (select(PARTS.to_vec()), select(payments().to_vec()), draws);
    parts.prop_map(|(part, pay, draws)| rules(part, pay, draws))
}

#[test]
fn thresholds_follow_from_each_other_by_the_definition() {
    let mut compared = 0;
    for_all(250, (all_rules(), random_games(0.0)), |(rules, graph)| {
        compared += follow(&graph, &rules, &solve(&graph, &rules));
    });
    assert!(compared > 1000, "{compared}");
}

/// Checks that there is Richman bidding without gifts.
#[test]
fn a_part_of_nothing_is_no_gift() {
    for_all(100, random_games(1.0), |graph| {
        let rules = rules((0, 1), Payment::Richman, Draws::Bob);
        assert!(rules.has_richman_values());
        let values = Values::solve(&graph, &rules, Context::plain()).expect("solved");
        let shares = solve(&graph, &rules);
        for node in graph.nodes() {
            let (share, value) = (shares.share(node), values.value(node));
            assert!(share.low <= value && value <= share.high);
        }
    });
}

/// Computes the threshold before a bid by bisection, from those after it, without any formula of
/// the solver.
fn before(low: f64, high: f64, tax: f64, gift: f64) -> f64 {
    let (mut less, mut more) = (0.0, 1.0);
    for _ in 0..50 {
        let share = f64::midpoint(less, more);
        let purse = Purse {
            own: share,
            other: 1.0 - share,
        }
        .given(gift);
        // This is the most that she can bid and still have enough if she wins.
        let most = (purse.own - low) / (1.0 - low * tax);
        let lost = Purse {
            own: purse.own + (1.0 - tax) * most,
            other: purse.other - most,
        };
        let enough = most >= 0.0 && (most >= purse.other || lost.share() >= high);
        *if enough { &mut more } else { &mut less } = share;
    }
    f64::midpoint(less, more)
}

/// Computes the truncations, starting from the value of play without end.
fn truncated(graph: &GameGraph, rules: &Rules, moves: usize) -> Vec<f64> {
    let forever = if rules.draws == Draws::Alice {
        0.0
    } else {
        1.0
    };
    let law = (
        float(&rules.pay.tax().expect("the winner pays")),
        float(rules.robin_hood.part()),
    );
    let end = |node: NodeId| match graph.ending(node) {
        Some(Ending::Win(winner)) => f64::from(u8::from(winner == Player::Bob)),
        Some(Ending::Draw) | None => forever,
    };
    let mut values: Vec<f64> = graph.nodes().map(end).collect();
    for _ in 0..moves {
        let next = |node: NodeId| {
            let of = |player| {
                graph
                    .successors(node, player)
                    .iter()
                    .map(|head| values[head.index()])
            };
            let (alice, bob) = (
                of(Player::Alice).reduce(f64::min),
                of(Player::Bob).reduce(f64::max),
            );
            match (alice, bob) {
                (Some(alice), Some(bob)) => before(alice.min(bob), alice.max(bob), law.0, law.1),
                (Some(only), None) | (None, Some(only)) if graph.owner(node).is_none() => {
                    before(only, only, law.0, law.1)
                }
                (Some(only), None) | (None, Some(only)) => only,
                (None, None) => values[node.index()],
            }
        };
        values = graph.nodes().map(next).collect();
    }
    values
}

#[test]
fn on_cycles_bounds_hold_the_limit_of_truncations() {
    let (mut exact, mut enclosed, mut met) = (0, 0, 0);
    // Near a jump of the thresholds it takes half a minute before the bounds are refused.
    let settled = all_rules().prop_filter("no jump is near", |rules| {
        (&rules.pay, rules.robin_hood.part()) != (&Payment::Poorman, &rational(1, 4))
    });
    for_all(200, (settled, random_games(1.0)), |(rules, graph)| {
        let draws = rules.draws;
        let Ok(shares) = Shares::solve(&graph, &rules, Context::plain()) else {
            return;
        };
        let limits = truncated(&graph, &rules, 400);
        for (node, limit) in graph.nodes().zip(limits) {
            let share = shares.share(node);
            let (low, high) = (float(&share.low), float(&share.high));
            // Truncations approach from above if play without end is not won, otherwise from below.
            let (below, above) = if draws == Draws::Bob {
                (1e-9, 0.5)
            } else {
                (0.5, 1e-9)
            };
            assert!(
                low - below <= limit && limit <= high + above,
                "{low} {limit} {high}: {rules:?} {graph:?}"
            );
            met += usize::from((limit - low).abs() < 1e-6);
            *if share.value().is_some() {
                &mut exact
            } else {
                &mut enclosed
            } += 1;
        }
    });
    assert!(exact > 800 && enclosed > 20, "{exact} {enclosed}");
    assert!(
        50 * met > 49 * (exact + enclosed),
        "{met} of {exact} and {enclosed}"
    );
}

/// Checks that the share that Alice needs not to lose is the share that Bob leaves her in the game
/// with the players exchanged.
#[test]
fn exchanged_players_have_exchanged_thresholds() {
    for_all(60, (all_rules(), random_games(0.5)), |(rules, graph)| {
        let of = |draws| Rules {
            draws,
            ..rules.clone()
        };
        let (Ok(own), Ok(other)) = (
            Shares::solve(&graph, &of(Draws::Bob), Context::plain()),
            Shares::solve(&graph.conjugate(), &of(Draws::Alice), Context::plain()),
        ) else {
            return;
        };
        for node in graph.nodes() {
            let (own, other): (Share, Share) = (own.share(node), other.share(node).complement());
            assert!(
                own.low <= other.high && other.low <= own.high,
                "{own:?} {other:?}"
            );
        }
    });
}

/// Checks that with gifts of 2/5 no money at all is enough where one win of two is, but not where a
/// single bid decides.
#[test]
fn gifts_can_be_enough() {
    let mut builder = bid_solve::game::GameGraphBuilder::default();
    let [won, lost] = [Player::Alice, Player::Bob]
        .map(|player| builder.push(Some(Ending::Win(player)), &[], &[]));
    let last = builder.push(None, &[won], &[lost]);
    let first = builder.push(None, &[won], &[last]);
    let graph = builder.finish(first);
    let shares = solve(&graph, &rules((2, 5), Payment::Richman, Draws::Bob));
    let nothing = rational(0, 1);
    assert_eq!(shares.share(first).value(), Some(&nothing));
    assert_eq!(
        shares.standing(&graph, first, &nothing),
        Some(std::cmp::Ordering::Greater)
    );
    assert_eq!(
        shares.standing(&graph, last, &nothing),
        Some(std::cmp::Ordering::Less)
    );
    let money = Money {
        alice: nothing,
        bob: rational(10, 1),
    };
    let bid = Onward::new(&graph, &shares, Player::Alice, PlayerAim::Win)
        .bid(first, &money)
        .expect("there is a bid");
    assert!(bid > rational(0, 1) && bid <= rational(4, 1));
    // Nothing is claimed at the limit of the effect of the gift.
    let shares = solve(&graph, &rules((1, 4), Payment::Richman, Draws::Bob));
    assert_eq!(shares.share(first).value(), Some(&rational(0, 1)));
    assert_eq!(shares.standing(&graph, first, &rational(0, 1)), None);
}
