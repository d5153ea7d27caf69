//! Tests of income before bids, Robin Hood among it, against the definition: with a little more than
//! the threshold Alice has a bid after which she has more than the next one, whatever Bob bids; with
//! a little less Bob has one. On cycles, tests against the truncations.

use bid_game::{GameGraph, Goals, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Income, Payment, RobinHood, Rules, Winner};
use bid_language::watch::Context;
use bid_solve::objective::{Endless, MoverRule, decide};
use bid_solve::onward::Onward;
use bid_solve::richman::taxman::{Money, PlayerAim, Share, Shares};
use bid_solve::richman::{Coin, Values};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::collection::vec;
use proptest::prop_oneof;
use proptest::sample::select;
use proptest::strategy::Strategy;

use crate::random::built;
use crate::richman::best_moves;
use bid_testing::{GraphShape, for_all, graphs, share};

pub fn rational(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

fn robin_hood(part: (i64, i64), pay: Payment, draws: Draws) -> Rules {
    let robin_hood = RobinHood::new(rational(part.0, part.1)).expect("a part below a half");
    Rules {
        robin_hood,
        pay,
        draws,
        ..Rules::default()
    }
}

/// The parts of all money that Alice and Bob receive.
type Parts = [(i64, i64); 2];

fn income(parts: Parts) -> Income {
    let [alice, bob] = parts.map(|(n, d)| rational(n, d));
    Income::new(PerPlayer::new(alice, bob)).expect("no part is negative")
}

const PARTS: [(i64, i64); 6] = [(1, 100), (1, 10), (1, 5), (6, 25), (1, 4), (2, 5)];

fn payments() -> [Payment; 3] {
    [
        Payment::Richman,
        Payment::Poorman,
        Payment::Taxman(rational(1, 3)),
    ]
}

/// Generates the income at a vertex, often none. No product of these incomes doubles a difference
/// exactly, since thresholds jump there.
fn parts() -> impl Strategy<Value = Parts> {
    let part = || select(vec![(0, 1), (0, 1), (1, 8), (1, 20), (1, 7)]);
    (part(), part()).prop_map(|(alice, bob)| [alice, bob])
}

/// Generates games, half of them with owners, in a part of which positions may come back, and whose
/// positions may have income.
fn random_games(cycles: f64) -> impl Strategy<Value = GameGraph> {
    const POSITIONS: usize = 7;
    let shape = GraphShape {
        positions: 1..=POSITIONS,
        cycles,
        draws: 0.3,
        owners: 0.5,
        ..GraphShape::SMALL
    };
    (graphs(shape), vec(parts(), POSITIONS)).prop_map(|(plain, incomes)| {
        let mut graph = built(&plain);
        for (node, parts) in graph.nodes().zip(incomes) {
            if graph.ending(node).is_none() && graph.owner(node).is_none() {
                graph.receive(node, income(parts));
            }
        }
        graph
    })
}

fn solve(graph: &GameGraph, rules: &Rules) -> Shares {
    Shares::solve(graph, rules, Context::plain())
        .unwrap_or_else(|error| panic!("{}: {rules:?} {graph:?}", error.message))
}

pub fn float(number: &BigRational) -> f64 {
    number.to_f64().expect("a float")
}

/// The rules of a bid at a vertex, from a player's point of view.
#[derive(Clone, Copy)]
struct BidLaw {
    tax: f64,
    /// The part of the difference that the richer player gives the poorer.
    gift: f64,
    /// The parts of all money that the player and the opponent receive.
    income: [f64; 2],
}

impl BidLaw {
    fn of(rules: &Rules, graph: &GameGraph, node: NodeId) -> Self {
        let own = graph.income(node);
        let part = |player| {
            let own = own.map_or(0.0, |income| float(income.of(player)));
            own + float(rules.income.of(player))
        };
        let t = float(rules.robin_hood.part());
        // Robin Hood's gift is income of both, which comes to that of the position.
        let is_income = own.is_some() || !rules.income.is_idle();
        let (gift, both) = if is_income {
            (0.0, t / (1.0 - 2.0 * t))
        } else {
            (t, 0.0)
        };
        Self {
            tax: float(&rules.pay.tax().expect("the winner pays")),
            gift,
            income: Player::both(|player| part(player) + both),
        }
    }

    fn swapped(self) -> Self {
        let [own, other] = self.income;
        Self {
            income: [other, own],
            ..self
        }
    }
}

/// The money of a player and of the opponent.
#[derive(Clone, Copy)]
struct Purse {
    own: f64,
    other: f64,
}

impl Purse {
    /// Gives both their income, and the poorer a part of the difference.
    fn received(self, law: &BidLaw) -> Self {
        let all = self.own + self.other;
        let whole = 1.0 + law.income[0] + law.income[1];
        let own = (self.own + law.income[0] * all) / whole;
        let other = (self.other + law.income[1] * all) / whole;
        let gift = (own - other) * law.gift;
        Self {
            own: own - gift,
            other: other + gift,
        }
    }

    fn share(self) -> f64 {
        self.own / (self.own + self.other)
    }
}

/// Returns whether a player with this share has a bid, on a grid, with which she exceeds both
/// shares that she may need: `better` at the successor that the bid's winner chooses if she wins,
/// and `worse` at the one that the opponent chooses.
fn has_a_bid(share: f64, law: &BidLaw, better: f64, worse: f64) -> bool {
    const GRID: u32 = 20_000;
    let tax = law.tax;
    let purse = Purse {
        own: share,
        other: 1.0 - share,
    }
    .received(law);
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
        let law = BidLaw::of(rules, graph, node);
        let (more, less) = (value(node) + LITTLE, value(node) - LITTLE);
        if more <= 1.0 {
            assert!(
                has_a_bid(more, &law, low, high),
                "{node:?} {rules:?} {graph:?}"
            );
            compared += 1;
        }
        if less >= 0.0 {
            assert!(
                has_a_bid(1.0 - less, &law.swapped(), 1.0 - high, 1.0 - low),
                "{node:?} {rules:?} {graph:?}"
            );
            compared += 1;
        }
    }
    compared
}

/// Generates Robin Hood's parts and incomes everywhere with each payment, and draws for either
/// player.
fn all_rules() -> impl Strategy<Value = Rules> {
    let draws = || select(vec![Draws::Bob, Draws::Alice]);
    let pay = || select(payments().to_vec());
    let hood = (select(PARTS.to_vec()), pay(), draws());
    let hood = hood.prop_map(|(part, pay, draws)| robin_hood(part, pay, draws));
    let everywhere = (parts(), pay(), draws()).prop_map(|(parts, pay, draws)| Rules {
        income: income(parts),
        pay,
        draws,
        ..Rules::default()
    });
    prop_oneof![hood, everywhere]
}

#[test]
fn thresholds_follow_from_each_other_by_the_definition() {
    let mut compared = 0;
    for_all(500, (all_rules(), random_games(0.0)), |(rules, graph)| {
        compared += follow(&graph, &rules, &solve(&graph, &rules));
    });
    assert!(compared > 2000, "{compared}");
}

/// Checks that there is Richman bidding without gifts.
#[test]
fn a_part_of_nothing_is_no_gift() {
    let shape = GraphShape {
        cycles: 1.0,
        ..GraphShape::OWNED
    };
    for_all(100, crate::random::games(shape), |graph| {
        let rules = robin_hood((0, 1), Payment::Richman, Draws::Bob);
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
fn before(low: f64, high: f64, law: &BidLaw) -> f64 {
    let tax = law.tax;
    let (mut less, mut more) = (0.0, 1.0);
    for _ in 0..50 {
        let share = f64::midpoint(less, more);
        let purse = Purse {
            own: share,
            other: 1.0 - share,
        }
        .received(law);
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

/// Returns whether bounds contain a truncation. Truncations come down to the threshold if play
/// without end is not won, and up otherwise; `left` is the greatest distance that may be left.
pub fn holds_truncation(share: &Share, truncation: f64, draws: Draws, left: f64) -> bool {
    let [low, high] = [&share.low, &share.high].map(float);
    let (below, above) = if draws == Draws::Bob {
        (1e-9, left)
    } else {
        (left, 1e-9)
    };
    low - below <= truncation && truncation <= high + above
}

/// Computes the truncations, starting from the value of play without end.
pub fn truncated(graph: &GameGraph, rules: &Rules, moves: usize) -> Vec<f64> {
    visited(graph, rules, &[], Visits { count: 1, moves })
}

/// The numbers of visits that are wanted, and of moves until each of them.
#[derive(Clone, Copy)]
struct Visits {
    count: usize,
    moves: usize,
}

/// Computes what Alice needs to visit accepting vertices this often, starting from 0 visits that are
/// won. Without accepting vertices, play without end has the value of a draw.
fn visited(graph: &GameGraph, rules: &Rules, accepting: &[NodeId], visits: Visits) -> Vec<f64> {
    let drawn = f64::from(u8::from(rules.draws != Draws::Alice));
    let forever = if accepting.is_empty() { drawn } else { 1.0 };
    let laws: Vec<BidLaw> = graph
        .nodes()
        .map(|node| BidLaw::of(rules, graph, node))
        .collect();
    let end = |node: NodeId| match graph.ending(node) {
        Some(Ending::Win(winner)) => f64::from(u8::from(winner == Player::Bob)),
        Some(Ending::Draw) => drawn,
        None => forever,
    };
    let mut arrived = vec![0.0; graph.len()];
    let mut values: Vec<f64> = Vec::new();
    for _ in 0..visits.count {
        values = graph.nodes().map(end).collect();
        for node in accepting {
            values[node.index()] = arrived[node.index()];
        }
        let next = |values: &[f64], node: NodeId| {
            let law = &laws[node.index()];
            match best_moves(graph, node, values) {
                [Some(alice), Some(bob)] => before(alice.min(bob), alice.max(bob), law),
                [Some(only), None] | [None, Some(only)] if graph.owner(node).is_none() => {
                    before(only, only, law)
                }
                [Some(only), None] | [None, Some(only)] => only,
                [None, None] => values[node.index()],
            }
        };
        for _ in 0..visits.moves {
            let keep = |node: NodeId| match accepting.contains(&node) {
                true => values[node.index()],
                false => next(&values, node),
            };
            values = graph.nodes().map(keep).collect();
        }
        let onward = |node: &NodeId| next(&values, *node);
        let another: Vec<f64> = accepting.iter().map(onward).collect();
        for (node, another) in accepting.iter().zip(another) {
            (arrived[node.index()], values[node.index()]) = (another, another);
        }
    }
    values
}

/// Checks that without cycles thresholds are those that bisection finds.
#[test]
fn without_cycles_thresholds_are_those_of_play() {
    let mut between = 0;
    for_all(3000, (all_rules(), random_games(0.0)), |(rules, graph)| {
        let shares = solve(&graph, &rules);
        let limits = truncated(&graph, &rules, graph.len());
        for (node, limit) in graph.nodes().zip(limits) {
            let share = shares.share(node);
            let value = float(share.value().expect("without cycles they are exact"));
            assert!(
                (value - limit).abs() < 1e-9,
                "{value} {limit}: {rules:?} {graph:?}"
            );
            between += usize::from(0.0 < value && value < 1.0);
        }
    });
    assert!(between > 3000, "{between}");
}

#[test]
fn on_cycles_bounds_hold_the_limit_of_truncations() {
    let (mut exact, mut enclosed, mut met) = (0, 0, 0);
    // Near a jump of the thresholds it takes half a minute before the bounds are refused.
    let settled = all_rules().prop_filter("no jump is near", |rules| {
        (&rules.pay, rules.robin_hood.part()) != (&Payment::Poorman, &rational(1, 4))
    });
    for_all(200, (settled, random_games(1.0)), |(rules, graph)| {
        let Ok(shares) = Shares::solve(&graph, &rules, Context::plain()) else {
            return;
        };
        let limits = truncated(&graph, &rules, 400);
        for (node, limit) in graph.nodes().zip(limits) {
            let share = shares.share(node);
            assert!(
                holds_truncation(&share, limit, rules.draws, 0.5),
                "{share:?} {limit}: {rules:?} {graph:?}"
            );
            met += usize::from((limit - float(&share.low)).abs() < 1e-6);
            *if share.value().is_some() {
                &mut exact
            } else {
                &mut enclosed
            } += 1;
        }
    });
    assert!(exact > 800 && enclosed > 10, "{exact} {enclosed}");
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
        let exchanged = Rules {
            income: rules.income.swapped(),
            ..of(Draws::Alice)
        };
        let (Ok(own), Ok(other)) = (
            Shares::solve(&graph, &of(Draws::Bob), Context::plain()),
            Shares::solve(&graph.conjugate(), &exchanged, Context::plain()),
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
    let mut builder = bid_game::GameGraphBuilder::default();
    let [won, lost] = [Player::Alice, Player::Bob]
        .map(|player| builder.push(Some(Ending::Win(player)), &[], &[]));
    let last = builder.push(None, &[won], &[lost]);
    let first = builder.push(None, &[won], &[last]);
    let graph = builder.finish(first);
    let shares = solve(&graph, &robin_hood((2, 5), Payment::Richman, Draws::Bob));
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
    let bid = Onward::new(
        &graph,
        &shares,
        Player::Alice,
        PlayerAim::Win,
        Winner::Chooses,
        Context::plain(),
    )
    .expect("nothing stops it")
    .bid(first, &money)
    .expect("there is a bid");
    assert!(bid > rational(0, 1) && bid <= rational(4, 1));
    // Nothing is claimed at the limit of the effect of the gift.
    let shares = solve(&graph, &robin_hood((1, 4), Payment::Richman, Draws::Bob));
    assert_eq!(shares.share(first).value(), Some(&rational(0, 1)));
    assert_eq!(shares.standing(&graph, first, &rational(0, 1)), None);
}

/// Builds a race in which both players need some moves and have income at every position.
fn race(alice: usize, bob: usize, own: Parts) -> GameGraph {
    let mut graph = crate::sure_wins::race(alice, bob);
    for node in graph.nodes() {
        if graph.ending(node).is_none() {
            graph.receive(node, income(own));
        }
    }
    graph
}

/// Checks races whose thresholds are known: n wins in a row, and two wins against two.
#[test]
fn thresholds_of_races_are_known() {
    let alone = [(1, 8), (0, 1)];
    let others = [(0, 1), (1, 8)];
    let nothing = [(0, 1), (0, 1)];
    let known = [
        (alone, [(7, 16), (175, 256), (3367, 4096), (58975, 65536)]),
        (others, [(9, 16), (225, 256), (1, 1), (1, 1)]),
    ];
    for (parts, values) in known {
        for (n, value) in (1..).zip(values) {
            let value = rational(value.0, value.1);
            let everywhere = Rules {
                income: income(parts),
                ..Rules::default()
            };
            for (graph, rules) in [
                (race(n, 1, parts), Rules::default()),
                (race(n, 1, nothing), everywhere),
            ] {
                let shares = solve(&graph, &rules);
                assert_eq!(shares.share(graph.start()).value(), Some(&value), "{n}");
            }
        }
    }
    let graph = race(2, 2, alone);
    let shares = solve(&graph, &Rules::default());
    assert_eq!(
        shares.share(graph.start()).value(),
        Some(&rational(671, 2048))
    );
}

/// Returns the vertices among these that lie on cycles.
fn on_cycles(graph: &GameGraph, wanted: &[bool]) -> Vec<NodeId> {
    let components = graph.components();
    let cyclic = components.iter().filter(|(_, cyclic)| *cyclic);
    let nodes = cyclic.flat_map(|(vertices, _)| vertices.to_vec());
    nodes
        .filter(|node| wanted.get(node.index()) == Some(&true))
        .collect()
}

/// Checks the thresholds of visiting vertices again and again against the numbers of visits, for
/// Alice and, with the players exchanged, for Bob.
#[test]
fn thresholds_of_endless_visits_are_limits_of_those_of_many() {
    let (mut met, mut all, mut between, mut refused) = (0, 0, 0, 0);
    let wanted = vec(select(vec![true, false, false]), 7);
    for_all(
        share(300).max(75), // Among fewer, too few are near to their limits.
        (all_rules(), random_games(1.0), wanted),
        |(rules, graph, wanted)| {
            let accepting = on_cycles(&graph, &wanted);
            if accepting.is_empty() || rules.robin_hood.part() >= &rational(1, 4) {
                return;
            }
            let priorities = |own: u32| {
                let priority = |node: NodeId| own - u32::from(!accepting.contains(&node));
                Goals::Priorities(graph.nodes().map(priority).collect())
            };
            let Ok(shares) = Shares::with_goals(&graph, &priorities(2), &rules, Context::plain())
            else {
                refused += 1;
                return;
            };
            let exchanged = Rules {
                income: rules.income.swapped(),
                draws: match rules.draws {
                    Draws::Alice => Draws::Bob,
                    _ => Draws::Alice,
                },
                ..rules.clone()
            };
            let conjugate = graph.conjugate();
            let others =
                Shares::with_goals(&conjugate, &priorities(3), &exchanged, Context::plain());
            let others = others.expect("the exchanged game is solved in the same way");
            let limits = visited(
                &graph,
                &rules,
                &accepting,
                Visits {
                    count: 24,
                    moves: 120,
                },
            );
            for (node, limit) in graph.nodes().zip(limits) {
                let share = shares.share(node);
                assert_eq!(
                    share,
                    others.share(node).complement(),
                    "{rules:?} {graph:?}"
                );
                let (low, high) = (float(&share.low), float(&share.high));
                all += 1;
                met += usize::from(low - 1e-4 <= limit && limit <= high + 1e-4);
                between += usize::from(0.0 < low && high < 1.0);
            }
        },
    );
    assert!(all > share(500) && between > share(60), "{all} {between}");
    assert!(50 * met > 49 * all, "{met} of {all}");
    assert!(refused < share(20).max(5), "{refused}");
}

/// Checks that without income the thresholds of visiting vertices again and again are those of the
/// theory in which play stays in parts that are won whatever the players have.
#[test]
fn without_income_endless_visits_are_decided_by_regions() {
    let (mut compared, mut between) = (0, 0);
    let shape = GraphShape {
        cycles: 1.0,
        ..GraphShape::OWNED
    };
    let case = (
        crate::random::games(shape),
        vec(select(vec![1_u32, 1, 2]), 16),
    );
    for_all(share(100), case, |(graph, priorities)| {
        let Some(priorities) = priorities.get(..graph.len()) else {
            return;
        };
        for seeker in [0, 1] {
            let goals = priorities.iter().map(|priority| priority + seeker);
            let goals = Goals::Priorities(goals.collect());
            let rules = Rules {
                winner: Winner::Chooses,
                ..robin_hood((0, 1), Payment::Richman, Draws::Bob)
            };
            let game = Endless {
                graph: &graph,
                goals: &goals,
                names: &[],
            };
            let turns = MoverRule::Coin(Coin::default());
            let Ok(decided) = decide(&game, &rules, &turns, Context::plain()) else {
                continue;
            };
            let values = Values::solve(&decided.graph, &decided.rules(&rules), Context::plain())
                .expect("solved");
            let Ok(shares) = Shares::with_goals(&graph, &goals, &rules, Context::plain()) else {
                continue;
            };
            for node in graph.nodes() {
                let (share, value) = (shares.share(node), values.value(node));
                let inside = share.low <= value && value <= share.high;
                assert!(
                    inside,
                    "{node:?}: {value} {share:?} {priorities:?} {graph:?}"
                );
                compared += 1;
                between += usize::from(0.0 < float(&value) && float(&value) < 1.0);
            }
        }
    });
    assert!(
        compared > share(400) && between > share(30),
        "{compared} {between}"
    );
}
