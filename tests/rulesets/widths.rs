//! Numbers of a fixed width: plays and totals of chips below and above the limit of each width,
//! compared with unbounded numbers on the explored graph.

use bid_game::ruleset::{Indexed, Ruleset};
use bid_game::{GameGraph, NodeId};
use bid_language::diagnostic::Code;
use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::chips::Thresholds;
use bid_solve::law::{Ended, Law};
use bid_solve::positions::{Layered, Numbered};
use bid_solve::richman;
use bid_solve::richman::Coin;
use bid_solve::space::sweep::sweep;
use bid_testing::share;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::{Labelled, explore, try_compiled};

/// The lengths of the longest play around the limits of the widths: 32, 64, 256 and 512 bits.
const PLIES: [std::ops::RangeInclusive<i64>; 5] =
    [28..=34, 60..=66, 124..=130, 252..=258, 508..=514];

/// Writes a ruleset whose longest play has n moves: a counter that falls, and a lead for which the
/// players compete.
fn long(seed: u64) -> String {
    let mut dice = StdRng::seed_from_u64(seed);
    let span = dice.random_range(0..=3);
    let mut lines = vec![
        "game long(n) {".into(),
        "    state x = n".into(),
        "    state lead = 0".into(),
    ];
    // The mover can always make the longest play, so that it is as long as the counter.
    let who = |dice: &mut StdRng| {
        *["", "", "alice ", "bob "]
            .choose(dice)
            .expect("there are choices")
    };
    lines.push(format!(
        "    move step if x > 0 {{ x -= 1{} }}",
        towards(&mut dice, span)
    ));
    for number in 0..dice.random_range(0..=2) {
        let (who, take) = (who(&mut dice), dice.random_range(1..=3));
        let lead = towards(&mut dice, span);
        lines.push(format!(
            "    move {who}m{number} if x >= {take} {{ x -= {take}{lead} }}"
        ));
    }
    let goal = dice.random_range(-span..=span);
    for _ in 0..dice.random_range(0..=2) {
        let player = ["alice", "bob"]
            .choose(&mut dice)
            .expect("there are choices");
        let edge = [
            format!("lead == {goal}"),
            format!("lead == {span}"),
            format!("lead == -{span}"),
            "x == 1".into(),
        ];
        let edge = edge.choose(&mut dice).expect("there are choices");
        match dice.random_range(0..3) {
            0 => lines.push(format!("    win {player} if {edge} and x == 0")),
            1 => lines.push(format!("    win {player} if {edge} and x < 3")),
            _ => lines.push(format!("    draw if {edge} and x == 0")),
        }
    }
    let last = ["win alice if x == 0", "win bob if x == 0", "draw if x == 0"].choose(&mut dice);
    lines.push(format!("    {}", last.expect("there are choices")));
    lines.push("}".into());
    lines.join("\n") + "\n"
}

/// Writes an update of the lead that keeps it within bounds, or none.
fn towards(dice: &mut StdRng, span: i64) -> String {
    match dice.random_range(0..4) {
        _ if span == 0 => String::new(),
        0 => format!("; lead = min(lead + 1, {span})"),
        1 => format!("; lead = max(lead - 1, -{span})"),
        2 => format!(
            "; lead = if me == alice then min(lead + 1, {span}) else max(lead - 1, -{span})"
        ),
        _ => String::new(),
    }
}

/// Computes a value for each vertex, after those of its successors, by the definition.
fn values<V: Clone + Ord>(
    graph: &GameGraph,
    ended: impl Fn(Ending) -> V,
    turn: impl Fn(&V, &V) -> V,
) -> Vec<V> {
    let mut recursion = Recursion {
        graph,
        known: vec![None; graph.len()],
        ended: &ended,
        turn: &turn,
    };
    graph.nodes().map(|node| recursion.value(node)).collect()
}

struct Recursion<'a, V> {
    graph: &'a GameGraph,
    known: Vec<Option<V>>,
    ended: &'a dyn Fn(Ending) -> V,
    turn: &'a dyn Fn(&V, &V) -> V,
}

impl<V: Clone + Ord> Recursion<'_, V> {
    fn value(&mut self, node: NodeId) -> V {
        if let Some(value) = &self.known[node.index()] {
            return value.clone();
        }
        let value = match self.graph.ending(node) {
            Some(ending) => (self.ended)(ending),
            None => {
                let [alice, bob] = Player::both(|player| self.after(node, player));
                match (alice.into_iter().min(), bob.into_iter().max()) {
                    (Some(alice), Some(bob)) => (self.turn)(&alice, &bob),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => (self.ended)(Ending::Draw),
                }
            }
        };
        self.known[node.index()] = Some(value.clone());
        value
    }

    fn after(&mut self, node: NodeId, player: Player) -> Vec<V> {
        self.graph
            .successors(node, player)
            .iter()
            .map(|next| self.value(*next))
            .collect()
    }
}

/// Returns the value of an ending under Richman bidding.
fn worth(ending: Ending, draws: Draws) -> BigRational {
    let halves = match (ending, draws) {
        (Ending::Win(Player::Alice), _) | (Ending::Draw, Draws::Alice) => 0,
        (Ending::Win(Player::Bob), _) | (Ending::Draw, Draws::Bob | Draws::Neither) => 2,
        (Ending::Draw, Draws::Half) => 1,
    };
    BigRational::new(halves.into(), 2.into())
}

fn half(sum: BigRational) -> BigRational {
    sum / BigRational::from_integer(2.into())
}

/// The numbers of comparisons.
#[derive(Debug, Default)]
struct Tally {
    swept: usize,
    layered: usize,
    moving: usize,
    tossed: usize,
    /// The number of values at most 1/2
    /// 20 away from 0 or 1.
    extreme: usize,
}

struct Long {
    source: String,
    ruleset: Ruleset,
    explored: Labelled,
}

impl Long {
    fn new(seed: u64, plies: i64) -> Self {
        let source = long(seed);
        let ruleset =
            try_compiled(&source, &[plies]).unwrap_or_else(|error| panic!("{source}\n{error:#?}"));
        let explored = explore(&ruleset, Context::plain()).expect("nobody stops it");
        Self {
            source,
            ruleset,
            explored,
        }
    }

    /// Compares the Richman values of all positions in the sweep, and that of the start in layers.
    fn compare_richman(&self, plies: i64, draws: Draws, tally: &mut Tally) {
        let Self {
            source,
            ruleset,
            explored,
        } = self;
        let rules = Rules {
            draws,
            ..Rules::default()
        };
        let expected = values(
            &explored.graph,
            |ending| worth(ending, draws),
            |a, b| half(a + b),
        );
        let place = || format!("{plies} moves, {draws:?}\n{source}");
        if let Some(indexed) = self.indexed() {
            let start = Numbered::new(ruleset, &indexed, std::slice::from_ref(ruleset.start()));
            let fits = richman::sweep_need(&rules, &indexed.numbering)
                .expect("the usual rules")
                .is_some();
            assert_eq!(fits, indexed.numbering.plies <= 509, "{}", place());
            if fits {
                let plies = indexed.numbering.plies;
                // The numbers of the sweep have room for the whole play, and for the rest of it
                // after the first moves.
                for room in [
                    plies,
                    if draws == Draws::Half {
                        plies / 2
                    } else {
                        plies - 1
                    },
                ] {
                    let swept =
                        richman::RichmanSweep::with_room_for(room, start, &rules, Context::plain());
                    let swept = swept.expect("nobody stops it");
                    for (state, expected) in explored.positions.iter().zip(&expected) {
                        assert_eq!(
                            swept.value(&indexed, state).as_ref(),
                            Some(expected),
                            "room for {room}, {}",
                            place()
                        );
                    }
                }
                tally.swept += 1;
                tally.extreme += usize::from(is_extreme(&expected[0]));
            }
            self.compare_where_the_winner_moves(&indexed, draws, &expected[0], tally);
        }
        let layered = richman::layered(
            Layered::new(ruleset, ruleset.start()),
            &rules,
            Context::plain(),
        );
        if let Some(found) = layered.expect("nobody stops it") {
            assert_eq!(found, expected[0], "{}", place());
            tally.layered += 1;
        }
    }

    fn compare_where_the_winner_moves(
        &self,
        indexed: &Indexed,
        draws: Draws,
        expected: &BigRational,
        tally: &mut Tally,
    ) {
        let rules = Rules {
            draws,
            winner: Winner::Moves,
            ..Rules::default()
        };
        let start = Numbered::new(
            &self.ruleset,
            indexed,
            std::slice::from_ref(self.ruleset.start()),
        );
        let fits = richman::sweep_need(&rules, &indexed.numbering)
            .expect("the usual rules")
            .is_some();
        let found = fits.then(|| {
            richman::without_zugzwang(start, &rules, Context::plain()).expect("nobody stops it")
        });
        if let Some(found) = found.flatten() {
            assert_eq!(&found[0], expected, "{draws:?}\n{}", self.source);
            tally.moving += 1;
        }
    }

    /// Compares Bob's probability of winning when a coin of these weights decides who moves.
    fn compare_tosses(&self, weights: [u32; 2], draws: Draws, tally: &mut Tally) {
        let Self {
            source,
            ruleset,
            explored,
        } = self;
        let [alice, bob] = weights.map(|weight| BigRational::from_integer(weight.into()));
        let probability = &alice / (&alice + &bob);
        let expected = values(
            &explored.graph,
            |ending| worth(ending, draws),
            |a, b| {
                let (low, high) = (a.min(b), a.max(b));
                low * &probability + high * (BigRational::one() - &probability)
            },
        );
        let Some(indexed) = self.indexed() else {
            return;
        };
        let start = Numbered::new(ruleset, &indexed, std::slice::from_ref(ruleset.start()));
        let coin = Coin::new(&probability).expect("a probability");
        let rules = Rules {
            draws,
            ..Rules::default()
        };
        if richman::coin_sweep_need(&rules, coin, indexed.numbering.plies).is_some() {
            let swept = richman::RichmanSweep::tossed(start, &rules, coin, Context::plain())
                .expect("nobody stops it");
            let found = swept
                .value(&indexed, ruleset.start())
                .expect("it was asked for");
            assert_eq!(found, expected[0], "{weights:?}, {draws:?}\n{source}");
            tally.tossed += 1;
        }
    }

    fn indexed(&self) -> Option<Indexed> {
        self.ruleset
            .indexed(Context::plain())
            .expect("nobody stops it")
    }
}

fn is_extreme(value: &BigRational) -> bool {
    // Values near 0 and near 1 use the fewest and the most bits of a number.
    let small = BigRational::new(BigInt::one(), BigInt::one() << 20);
    *value <= small || BigRational::one() - value <= small
}

const DRAWS: [Draws; 4] = [Draws::Neither, Draws::Alice, Draws::Bob, Draws::Half];

#[test]
fn richman_values_on_both_sides_of_each_width() {
    let mut tally = Tally::default();
    let mut seed = 0;
    for plies in PLIES.into_iter().flatten() {
        for _ in 0..share(if plies < 100 { 24 } else { 4 }) {
            seed += 1;
            Long::new(seed, plies).compare_richman(plies, DRAWS[seed as usize % 4], &mut tally);
        }
    }
    let Tally {
        swept,
        layered,
        moving,
        extreme,
        ..
    } = tally;
    assert!(
        swept > share(200) && layered > share(150) && moving > share(30) && extreme > share(50),
        "{tally:?}"
    );
}

/// Checks the greatest scale of each width and one more, with the greatest possible value.
#[test]
fn a_value_of_one_at_each_edge() {
    let source =
        "game one(n) {\n state x = n\n move t if x > 0 { x -= 1 }\n win bob if x == 0\n}\n";
    for plies in PLIES.into_iter().flatten() {
        let ruleset = try_compiled(source, &[plies]).expect("it compiles");
        let indexed = ruleset
            .indexed(Context::plain())
            .expect("nobody stops it")
            .expect("it is numbered");
        let start = Numbered::new(&ruleset, &indexed, std::slice::from_ref(ruleset.start()));
        let rules = Rules::default();
        let fits = richman::sweep_need(&rules, &indexed.numbering)
            .expect("the usual rules")
            .is_some();
        let swept = fits.then(|| {
            richman::RichmanSweep::solve(start, &rules, Context::plain()).expect("nobody stops it")
        });
        let layered = richman::layered(
            Layered::new(&ruleset, ruleset.start()),
            &rules,
            Context::plain(),
        );
        let layered = layered.expect("nobody stops it");
        assert_eq!(
            (swept.is_some(), layered.is_some()),
            (plies <= 509, plies <= 509),
            "{plies} moves"
        );
        assert!(swept.is_none_or(|swept| {
            swept
                .value(&indexed, ruleset.start())
                .is_some_and(|value| value.is_one())
        }));
        assert!(layered.is_none_or(|value| value.is_one()), "{plies} moves");
    }
}

/// Checks the numbers of tosses, which have 64 and 128 bits: (sum of the weights)
/// (moves + 2) times 2 must fit.
#[test]
fn tosses_on_both_sides_of_each_width() {
    let mut tally = Tally::default();
    let mut seed = 0;
    for (weights, edge) in [
        ([1, 1], 60),
        ([1, 2], 37),
        ([3, 7], 16),
        ([1, 1], 123),
        ([2, 1], 77),
        ([99, 1], 16),
    ] {
        for plies in edge - 3..=edge + 3 {
            for _ in 0..4 {
                seed += 1;
                Long::new(seed, plies).compare_tosses(
                    weights,
                    DRAWS[seed as usize % 4],
                    &mut tally,
                );
            }
        }
    }
    assert!(tally.tossed > 100, "{tally:?}");
}

/// Checks the last total that fits in 8, 16 and 32 bits, and its neighbours.
#[test]
fn thresholds_on_both_sides_of_each_width() {
    const EDGES: [u64; 3] = [126, 32_766, 2_147_483_646];
    let mut compared = 0;
    for seed in 0..160 {
        let Long {
            source,
            ruleset,
            explored,
        } = Long::new(seed, 6 + seed as i64 % 7);
        let Some(indexed) = ruleset.indexed(Context::plain()).expect("nobody stops it") else {
            continue;
        };
        let ties: Vec<TieBreak> = TieBreak::certain().collect();
        let ties = ties[seed as usize % ties.len()];
        let winner = [Winner::Chooses, Winner::Moves][seed as usize / ties_count() % 2];
        let rules = Rules {
            ties,
            winner,
            draws: DRAWS[seed as usize % 3],
            ..Rules::default()
        };
        let totals: Vec<u64> = EDGES.iter().flat_map(|edge| edge - 2..=edge + 2).collect();
        // A total beyond all widths makes the explored graph compute in 64 bits.
        let wide: Vec<u64> = totals.iter().copied().chain([1 << 40]).collect();
        for seeker in Player::BOTH {
            let expected =
                Thresholds::solve(&explored.graph, &rules, seeker, &wide, Context::plain())
                    .expect("admitted");
            for (lane, total) in totals.iter().enumerate() {
                let start =
                    Numbered::new(&ruleset, &indexed, std::slice::from_ref(ruleset.start()));
                let found =
                    Thresholds::solve_graphless(start, &rules, seeker, &[*total], Context::plain())
                        .expect("admitted");
                let Some(found) = found else {
                    assert!(*total > EDGES[2], "{total} chips fit");
                    continue;
                };
                let node = NodeId::new(0);
                assert_eq!(
                    found.threshold(node, 0),
                    expected.threshold(node, lane),
                    "{total}, {rules:?}\n{source}"
                );
                assert_eq!(
                    found.raw_unprevented(node, 0),
                    expected.raw_unprevented(node, lane),
                    "{total}, {rules:?}\n{source}"
                );
                compared += 1;
            }
            if rules.ties == TieBreak::Advantage && rules.winner == Winner::Chooses {
                compare_with_the_formula(&explored, &expected, &rules);
            }
        }
    }
    assert!(compared > 2_000, "{compared}");
}

fn ties_count() -> usize {
    TieBreak::certain().count()
}

/// Compares with Theorem 3.7 of Develin & Payne in unbounded numbers: h = ⌈lo/2⌉ + ⌊hi/2⌋, in half
/// chips.
fn compare_with_the_formula(explored: &Labelled, found: &Thresholds, rules: &Rules) {
    let seeker = found.seeker();
    for (lane, total) in found.totals().iter().enumerate() {
        let never = BigUint::from(2 * (total + 1));
        let ended = |ending| match ending {
            Ending::Win(player) if player == seeker => BigUint::zero(),
            Ending::Draw if rules.draws.favours(seeker) => BigUint::zero(),
            Ending::Win(_) | Ending::Draw => never.clone(),
        };
        // The seeker prefers small numbers in both roles; the order of the sides does not matter if
        // the winner chooses.
        let (one, two) = (BigUint::one(), BigUint::from(2u8));
        let swap = |value: BigUint| {
            if seeker == Player::Bob {
                &never - value
            } else {
                value
            }
        };
        let expected = values(
            &explored.graph,
            |ending| swap(ended(ending)),
            |a, b| {
                let (a, b) = (swap(a.clone()), swap(b.clone()));
                let (low, high) = (a.clone().min(b.clone()), a.max(b));
                swap((low + &one) / &two + high / &two)
            },
        );
        for (node, expected) in explored.graph.nodes().zip(expected) {
            let halves = Player::both(|holder| {
                let least = found.forces(node, holder, lane);
                2 * least + u64::from(holder == seeker)
            });
            let expected = swap(expected);
            // This is the least number of half chips that reaches the threshold, with the advantage
            // (odd) and without (even).
            let reaches = |half: u64| BigUint::from(half) >= expected;
            for half in halves {
                assert!(
                    reaches(half) && (half < 2 || !reaches(half - 2)),
                    "{half} for {expected} of {total}"
                );
            }
        }
    }
}

/// A theory with an error at large values, like that of an overflow.
struct Mistaken(Ended<i64>);

impl Law for Mistaken {
    type Number = i64;

    fn name(&self) -> String {
        "mistakes".into()
    }

    fn ended(&self) -> &Ended<i64> {
        &self.0
    }

    fn settle(&self, alice: i64, bob: i64) -> i64 {
        let mean = (alice + bob) >> 1;
        if mean == 1 << 10 { -mean } else { mean }
    }

    fn follows(&self, value: &i64, alice: &i64, bob: &i64) -> bool {
        2 * value == alice + bob
    }
}

/// Checks that a value that does not follow from the lines of the game is refused.
#[test]
fn a_mistake_in_a_sweep_is_noticed() {
    let mut refused = 0;
    for plies in [3, 10, 40] {
        let source =
            "game one(n) {\n state x = n\n move t if x > 0 { x -= 1 }\n win bob if x == 0\n}\n";
        let ruleset = try_compiled(source, &[plies]).expect("it compiles");
        let indexed = ruleset
            .indexed(Context::plain())
            .expect("nobody stops it")
            .expect("it is numbered");
        let start = Numbered::new(&ruleset, &indexed, std::slice::from_ref(ruleset.start()));
        let theory = Mistaken(Ended {
            seeker: Player::Alice,
            values: [0, 1 << 10, 1 << 10],
        });
        let error =
            sweep::<i64, _>(start, &theory, Context::plain()).expect_err("the sum of two is wrong");
        assert_eq!(error.code, Code::Internal, "{error:?}");
        refused += 1;
    }
    assert_eq!(refused, 3);
}
