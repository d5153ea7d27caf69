//! Tests of all-pay bidding against a slow oracle: the rules played literally, with the matrix game
//! of every turn solved by trying all square submatrices (Shapley & Snow, 1950) in rational
//! arithmetic, which has nothing in common with the simplex method or Toeplitz systems.

use crate::literal::{Literal, truncated};
use crate::oracle::all_rules;
use crate::random::games;
use crate::shared::written;
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{
    Draws, Payment, Purses, Rules, Solver, Tie, TieBreak, Winner, settle, tie,
};
use bid_language::watch::{Context, Guard};
use bid_solve::all_pay::{
    AllPayValues, Budgets, ExactOrCertified, FloatEnclosure, Standing, SureWins,
};
use bid_solve::law::decision::{Choice, Decision, decisions};
use bid_testing::{GraphShape, for_all, share};
use num_rational::BigRational;
use num_traits::One;
use proptest::sample::select;

/// Solves every position, with all purses up to these chips.
pub fn solved(game: Standing<'_>, rules: &Rules, chips: PerPlayer<u64>) -> AllPayValues {
    let solved = AllPayValues::new(game.graph, rules, chips, Context::plain());
    let mut solved = solved.expect("it fits in memory");
    for node in game.graph.nodes() {
        let advanced = solved.advance(game, rules, node, Context::plain());
        advanced.expect("nothing stops it");
    }
    solved
}

/// A game, rules and budgets.
#[derive(Debug, Clone)]
pub struct Question {
    pub graph: GameGraph,
    pub rules: Rules,
    pub chips: PerPlayer<u64>,
}

impl Question {
    /// Creates a question with few chips: up to 3 of each player's, or 2 if bids go to the bank.
    pub fn new(graph: GameGraph, rules: Rules, chips: [u64; 2]) -> Self {
        let most = if rules.pay == Payment::AllPay { 3 } else { 2 };
        let [alice, bob] = chips.map(|chips| chips.min(most));
        Self {
            graph,
            rules,
            chips: PerPlayer::new(alice, bob),
        }
    }
}

/// Returns the rules of a case, given its number: 16 cases have all payments and all ties.
pub fn rules_of_case(case: usize) -> Rules {
    Rules {
        pay: [Payment::AllPay, Payment::AllPayBank][case % 2].clone(),
        ties: TieBreak::ALL[case / 2 % 8],
        ..Rules::default()
    }
}

/// Checks that narrow bounds contain a value.
pub fn encloses(found: &FloatEnclosure, value: &BigRational, context: &str) {
    let bound = |bound: f64| BigRational::from_float(bound).expect("a finite bound");
    assert!(
        bound(found.low) <= *value && *value <= bound(found.high),
        "{found:?} does not hold {value}: {context}"
    );
    assert!(found.width() < 1e-9, "{found:?} is too wide: {context}");
}

/// Compares every position and all purses with the oracle: exact values are those of the literal
/// game, and enclosures contain them, by every method.
fn held_to_the_oracle(question: &Question) {
    let Question {
        graph,
        rules,
        chips,
    } = question;
    let mut literal = Literal::new(graph, rules);
    let solvers: &[Solver] = match rules.pay {
        Payment::AllPay => &[Solver::Exact, Solver::Toeplitz, Solver::LinearProgram],
        _ => &[Solver::Exact, Solver::LinearProgram],
    };
    for &solver in solvers {
        let rules = &Rules {
            solver,
            ..rules.clone()
        };
        let solved = solved(Standing::of(graph), rules, *chips);
        for node in graph.nodes() {
            for purses in Budgets::from(rules, *chips).iter() {
                let value = literal.value(node, purses);
                let context = || format!("{rules:?}, {node:?} with {purses:?}\n{graph:?}");
                match solved.value(node, &purses) {
                    ExactOrCertified::Exact(found) => assert_eq!(*found, value, "{}", context()),
                    ExactOrCertified::Certified(found) => encloses(found, &value, &context()),
                }
            }
        }
    }
}

#[test]
fn every_rule_on_random_games() {
    let draws = [Draws::Half, Draws::Alice, Draws::Bob];
    for_all(
        share(2_400),
        (
            0..96_usize,
            games(GraphShape {
                positions: 1..=4,
                cycles: 0.0,
                owners: 1.0 / 3.0,
                ..GraphShape::SMALL
            }),
            [0..=3_u64, 0..=3],
        ),
        |(which, graph, chips)| {
            let rules = Rules {
                winner: [Winner::Chooses, Winner::Moves][which / 16 % 2],
                draws: draws[which / 32],
                ..rules_of_case(which)
            };
            held_to_the_oracle(&Question::new(graph, rules, chips));
        },
    );
}

/// Checks that sure wins are the states of value 1.
#[test]
fn sure_wins_have_value_one() {
    for_all(
        160,
        (
            0..16_usize,
            games(GraphShape {
                positions: 1..=3,
                moves: 2..=2,
                cycles: 0.0,
                draws: 0.0,
                owners: 1.0 / 3.0,
                ..GraphShape::SMALL
            }),
        ),
        |(which, graph)| {
            let rules = rules_of_case(which);
            let holder = rules.ties.has_status().then_some(Player::Alice);
            let mut literal = Literal::new(&graph, &rules);
            let mut wins = SureWins::new(&graph, &rules, graph.start(), 2, Context::plain());
            for bob in 0..=2 {
                let least = wins.least(bob, holder).expect("nothing stops it");
                for alice in 0..=3 {
                    let purses = Purses::new(alice, bob, holder);
                    let wins = literal.value(graph.start(), purses) == BigRational::one();
                    assert_eq!(
                        least.is_some_and(|least| least <= alice),
                        wins,
                        "{alice} against {bob}, {rules:?}"
                    );
                }
            }
        },
    );
}

/// Checks the payoff matrices of the paper's section 2: Alice, with 5 chips, needs two moves before
/// Bob, with 3, makes one. By the definition both pay each other; the printed rows are those of
/// paying the bank.
#[test]
fn the_payoff_matrix_of_section_2() {
    let graph = crate::sure_wins::race(2, 1);
    let chips = PerPlayer::new(5, 3);
    let by_definition = ["110000", "011000", "001100", "000110"];
    let printed = ["111000", "011100", "001110", "000111"];
    for (pay, rows) in [
        (Payment::AllPay, by_definition),
        (Payment::AllPayBank, printed),
    ] {
        let rules = Rules {
            pay,
            ties: TieBreak::Richer,
            solver: Solver::Exact,
            ..Rules::default()
        };
        let purses = Purses {
            chips,
            status: None,
        };
        let AllPayValues::Exact(table) = solved(Standing::of(&graph), &rules, chips) else {
            unreachable!("exact values were asked for")
        };
        let matrix = table.matrix(&graph, &rules, graph.start(), &purses, Context::plain());
        let matrix = matrix.expect("nobody stops it");
        let digit = |bob: usize, alice: usize| {
            if matrix.at(alice, bob).is_one() {
                '1'
            } else {
                '0'
            }
        };
        let found: Vec<String> = (0..=3)
            .map(|bob| (0..=5).map(|alice| digit(bob, alice)).collect())
            .collect();
        assert_eq!(found, rows);
        assert_eq!(
            table.value(graph.start(), &purses),
            Some(&BigRational::new(1.into(), 2.into()))
        );
    }
}

/// Checks that bounds on cycles contain the values between those of truncations, whatever the
/// unfinished plays are worth, and are at least as tight.
#[test]
fn bounds_on_cycles_close_in_on_truncations() {
    for_all(
        60,
        (
            select(&TieBreak::ALL[..8]),
            games(GraphShape {
                positions: 1..=3,
                moves: 2..=2,
                cycles: 1.0,
                draws: 0.0,
                ..GraphShape::SMALL
            }),
        ),
        |(ties, graph)| {
            let rules = Rules {
                pay: Payment::AllPay,
                ties,
                ..Rules::default()
            };
            let chips = PerPlayer::new(1, 1);
            let holder = rules.ties.has_status().then_some(Player::Alice);
            let purses = Purses {
                chips,
                status: holder,
            };
            let bounds = Rules {
                solver: Solver::Iteration,
                ..rules.clone()
            };
            let bounds = solved(Standing::of(&graph), &bounds, chips);
            let unrolled = truncated(&graph, 4, Ending::Draw);
            let [low, high] = [Draws::Bob, Draws::Alice].map(|draws| {
                let rules = Rules {
                    draws,
                    ..rules.clone()
                };
                Literal::new(&unrolled, &rules).value(unrolled.start(), purses)
            });
            let ExactOrCertified::Certified(found) = bounds.value(graph.start(), &purses) else {
                unreachable!("iteration gives bounds")
            };
            let near = |bound: f64| BigRational::from_float(bound).expect("a finite bound");
            let slack = near(1e-9);
            assert!(
                near(found.low) <= high && near(found.high) >= low,
                "{found:?}, {low}, {high}"
            );
            assert!(
                near(found.low) + &slack >= low && near(found.high) <= high + slack,
                "{found:?}"
            );
        },
    );
}

/// Builds a game in which Alice needs `turns` moves in a row, and each move of Bob's takes one turn
/// more; a draw is near.
fn race(turns: usize) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for turn in 0..turns {
        let next = [turn + 1, (turn + 2).min(turns + 1), turns + 2].map(NodeId::new);
        builder.push(None, &next[..2], &next[1..]);
    }
    let endings = Player::both(Ending::Win).into_iter();
    for ending in endings.chain([Ending::Draw]) {
        builder.push(Some(ending), &[], &[]);
    }
    builder.finish(NodeId::new(0))
}

/// Checks that solved positions stay when the work is stopped, and that the work continues from
/// there.
#[test]
fn interrupted_work_is_kept() {
    let graph = race(12);
    let rules = Rules {
        pay: Payment::AllPay,
        ties: TieBreak::Richer,
        solver: Solver::Toeplitz,
        ..Rules::default()
    };
    let chips = PerPlayer::new(6, 6);
    let mut kept =
        AllPayValues::new(&graph, &rules, chips, Context::plain()).expect("it fits in memory");
    let mut stops = 0;
    while kept
        .advance(
            Standing::of(&graph),
            &rules,
            graph.start(),
            &Guard::of_steps(300).context(),
        )
        .is_err()
    {
        stops += 1;
        assert!(stops < 100, "each round solves some positions");
    }
    assert!(stops > 0);
    let purses = Purses {
        chips,
        status: None,
    };
    let whole = solved(Standing::of(&graph), &rules, chips);
    assert_eq!(
        kept.value(graph.start(), &purses),
        whole.value(graph.start(), &purses)
    );
}

/// Checks that of two positions with the same moves only one is solved, and both have its values.
#[test]
fn equal_turns_are_solved_once() {
    let graph = written(&[[&[1], &[2]], [&[3], &[4]], [&[3], &[4]]]);
    let [left, right] = [1, 2].map(NodeId::new);
    for solver in [Solver::Exact, Solver::Toeplitz] {
        let rules = Rules {
            pay: Payment::AllPay,
            ties: TieBreak::Richer,
            solver,
            ..Rules::default()
        };
        let chips = PerPlayer::new(5, 5);
        let solved = solved(Standing::of(&graph), &rules, chips);
        let purses = Budgets::from(&rules, chips);
        for purses in purses.iter() {
            assert_eq!(solved.value(left, &purses), solved.value(right, &purses));
        }
        let methods = solved.methods();
        assert_eq!(
            methods.exact + methods.pure + methods.toeplitz + methods.linear_program,
            2 * purses.len() as u64,
            "the turns of one of the two, and of the start: {methods:?}"
        );
    }
}

/// Checks that tables beyond the memory limit are refused with the amount of memory that they would
/// need.
#[test]
fn too_many_chips_say_how_much_memory() {
    let graph = race(12);
    let rules = Rules {
        pay: Payment::AllPay,
        ties: TieBreak::Richer,
        solver: Solver::Toeplitz,
        ..Rules::default()
    };
    let error = AllPayValues::new(&graph, &rules, PerPlayer::new(1 << 40, 0), Context::plain())
        .expect_err("too much");
    assert!(
        error
            .message
            .contains("15 positions for 1099511627777 purses each would take 241 TiB"),
        "{}",
        error.message
    );
}

/// Checks that the decisions after a bid that either player wins name every pair of bids' result
/// once, with the action that was chosen for it, whatever both players' chips are then.
#[test]
fn decisions_after_a_bid_name_every_result_once() {
    let mut both = 0;
    for (pay, rules) in [
        Payment::AllPay,
        Payment::AllPayBank,
        Payment::Richman,
        Payment::Poorman,
    ]
    .into_iter()
    .flat_map(|pay| {
        all_rules()
            .into_iter()
            .map(move |rules| (pay.clone(), rules))
    }) {
        let rules = Rules { pay, ..rules };
        for (player, winner, scatter) in (0..24).map(|case| {
            let [player, winner] = [case % 2, case / 2 % 2].map(|index| Player::BOTH[index]);
            (player, winner, case as u64 / 4)
        }) {
            let purses = Purses::new(3, 4, rules.ties.holders()[0]);
            let chosen = |left: &Purses| Choice {
                mover: player,
                to: NodeId::new((left.chips.alice * scatter + left.chips.bob * 3) as usize / 4),
            };
            let bids: Vec<u64> = (0..=purses.chips[player]).collect();
            let found = decisions(&rules, &purses, player, &bids, winner, |left| {
                Ok(chosen(left))
            })
            .expect("nothing is refused");
            both += found.iter().filter(|decision| decision.needs_both).count();
            for (own, other) in bids
                .iter()
                .flat_map(|own| (0..=purses.chips[player.other()]).map(move |other| (*own, other)))
            {
                let can_win_tie = match tie(&rules, &purses) {
                    Tie::Goes(favoured) => favoured == winner,
                    Tie::ChosenBy(_) | Tie::Coin => true,
                    Tie::Nobody => false,
                };
                let bids = PerPlayer::of(player, own, other);
                if bids[winner] < bids[winner.other()] || other == own && !can_win_tie {
                    continue;
                }
                let left = settle(&rules, &purses, bids, winner);
                let names = |decision: &&Decision| {
                    let within = |player: Player| {
                        (decision.least.chips[player]..=decision.most.chips[player])
                            .contains(&left.chips[player])
                    };
                    decision.least.status == left.status
                        && within(player)
                        && (!decision.needs_both || within(player.other()))
                };
                let named: Vec<_> = found.iter().filter(names).collect();
                assert_eq!(named.len(), 1, "{rules:?} {winner:?} {left:?} {found:?}");
                assert_eq!(
                    named[0].choice,
                    chosen(&left),
                    "{rules:?} {left:?} {found:?}"
                );
            }
        }
    }
    assert!(both > 0);
}
