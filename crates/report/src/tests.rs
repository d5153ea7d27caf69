//! Tests of each kind of report in each format.

use num_bigint::BigInt;
use num_rational::BigRational;

use bid_language::convert::fit;
use bid_language::scalar::{Bounds, Interval};

use super::*;
use bid_language::player::{GameId, Outcome, Player};
use bid_language::rules::{ChipMark, Chips, FieldValue, TieBreak};
use bid_language::watch::{Context, Guard, Stop};

fn integer(value: i64) -> Scalar {
    Scalar::Integer(value.into())
}

fn star(count: i64) -> Scalar {
    Scalar::Chips(Chips::new(count, ChipMark::Star))
}

fn game(text: &str) -> Scalar {
    Scalar::Game(NamedGame {
        text: text.to_owned(),
        id: GameId(0),
    })
}

fn text(text: &str) -> Report {
    Scalar::String(text.to_owned()).into()
}

fn row(label: &str, values: Vec<Scalar>) -> Row {
    Row {
        label: label.to_owned(),
        values,
    }
}

fn ply(player: Player, action: &str, position: &str) -> ReportedPly {
    ReportedPly::new(player, action.to_owned(), position.to_owned())
}

fn all_forms(report: &Report) -> String {
    [Format::Text, Format::Json, Format::Csv, Format::Latex]
        .map(|format| {
            report
                .render(format, Context::plain())
                .expect("nothing stops it")
        })
        .join("\n--\n")
}

#[test]
fn scalars() {
    let rational = BigRational::new(BigInt::from(-133), BigInt::from(256));
    let scalars = [
        integer(5),
        Scalar::Rational(rational),
        star(4),
        Scalar::Chips(Chips::new(3, ChipMark::MinusEpsilon)),
        Scalar::String("A.B/\"x\"".to_owned()),
        game("A ∧ B^12 ∧ tug_of(3)"),
    ];
    let forms = scalars.map(|scalar| all_forms(&scalar.into()));
    insta::assert_snapshot!(forms.join("\n====\n"));
}

/// In papers, powers within words are raised, and errors are written as powers of ten.
#[test]
fn powers_and_errors_are_set_in_latex() {
    let latex = |report: Report| {
        report
            .render(Format::Latex, Context::plain())
            .expect("nothing stops it")
    };
    let power = "A\\textsuperscript{2} $\\wedge$ (E $\\wedge$ B\\textsuperscript{10})";
    assert_eq!(latex(text("A^2 ∧ (E ∧ B^10)")), power);
    assert_eq!(
        latex(text("x ^ y^")),
        "x \\textasciicircum{} y\\textasciicircum{}"
    );
    let label = r#""d^\"e^2" at A^2"#;
    let set =
        r#""d\textasciicircum{}\textbackslash{}"e\textasciicircum{}2" at A\textsuperscript{2}"#;
    assert_eq!(latex(text(label)), set);
    assert_eq!(latex(text("a-b --> c–d")), "a-b -{-}$>$ c--d");
    let interval = Scalar::Interval(Interval {
        low: 0.333_333_333_333,
        high: 0.333_333_333_334,
    });
    assert_eq!(
        latex(interval.into()),
        "$0.3333333333335 \\pm 6\\cdot 10^{-13}$"
    );
    assert_eq!(
        latex(
            Scalar::Interval(Interval {
                low: 0.25,
                high: 0.75
            })
            .into()
        ),
        "$0.50 \\pm 0.25$"
    );
}

/// Sentences and texts among facts are broken between words. Labels and values are not broken.
#[test]
fn long_sentences_are_broken_between_words() {
    let why =
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";
    let facts = Report::Record(vec![
        ("why".to_owned(), text(why)),
        ("and".to_owned(), integer(1).into()),
    ]);
    let told = facts.to_string();
    assert_eq!(
        told,
        why.replacen(" fourteen", "\n     fourteen", 1)
            .replacen("one", "why  one", 1)
            + "\nand  1"
    );
    let listing = Listing::new(["x"], vec![vec![integer(1)]]).noted(why.to_owned());
    assert!(
        Report::Listing(listing)
            .to_string()
            .ends_with("\n\none two three four five six seven eight nine ten eleven twelve thirteen fourteen\nfifteen")
    );
    assert_eq!(text(why).to_string(), why);
}

#[test]
fn equilibria_are_numbers() {
    let value = Scalar::Equilibrium(Box::new(integer(4)));
    assert_eq!(
        (value.exact(), value.approximate()),
        (Some(BigRational::from_integer(4.into())), Some(4.0))
    );
    assert_eq!(
        all_forms(&value.into()),
        "[4]\n--\n{\"type\":\"equilibrium\",\"value\":{\"type\":\"integer\",\"value\":\"4\"}}\n--\n[4]\n--\n$[4]$"
    );
}

#[test]
fn a_table_wraps_after_twelve_columns() {
    let values = (0..14)
        .map(|k| {
            if k % 2 == 0 {
                star(k / 2)
            } else {
                integer((k + 1) / 2)
            }
        })
        .collect();
    let table = Table::over("k", 0..14_u64, vec![row("f(E, k)", values)]);
    insta::assert_snapshot!(all_forms(&Report::Table(table)));
}

#[test]
fn lists_stay_on_a_line_while_they_fit() {
    let numbers = |n: i64| Report::List((0..n).map(integer).map(Report::from).collect());
    assert_eq!(numbers(3).to_string(), "[0, 1, 2]");
    assert_eq!(numbers(0).to_string(), "[]");
    let long = numbers(60).to_string();
    assert!(
        long.lines().count() == 3 && long.lines().all(|line| line.chars().count() <= 100),
        "{long}"
    );
    assert!(
        long.starts_with("[0, 1,") && long.ends_with(" 58, 59]"),
        "{long}"
    );
    let nested = vec![
        text("A."),
        Report::Tuple(vec![integer(1).into(), text("B\n")]),
    ];
    let nested = Report::List(nested.into());
    assert_eq!(nested.to_string(), "[\"A.\", (1, \"B\\n\")]");
}

#[test]
fn labels_stand_before_one_line_and_above_several() {
    let labelled = |label, report: &Report| report.labelled(label, Format::Text, Context::plain());
    assert_eq!(
        labelled("R(E)", &integer(1).into()).as_deref(),
        Ok("R(E) = 1")
    );
    let record = Report::Record(vec![
        ("positions".to_owned(), integer(3).into()),
        ("moves".to_owned(), integer(12).into()),
    ]);
    assert_eq!(
        labelled("size(E)", &record).as_deref(),
        Ok("size(E)\npositions  3\nmoves      12")
    );
}

#[test]
fn records_and_rules() {
    let rules = Report::Rules(vec![FieldValue::Ties(TieBreak::Marker)]);
    let record = Report::Record(vec![("positions".to_owned(), integer(3).into())]);
    insta::assert_snapshot!(
        [rules, Report::Rules(Vec::new()), record]
            .map(|report| all_forms(&report))
            .join("\n====\n")
    );
}

#[test]
fn a_strategy_says_what_to_bid_and_what_then() {
    let advice = vec![
        ReportedAdvice {
            bid: Some(BigRational::from_integer(2.into())),
            use_advantage: Some(true),
            decision: Some(ReportedDecision::Move(ply(
                Player::Alice,
                "place(1, 1)",
                ".../.A./...",
            ))),
            tied_decision: Some(ReportedDecision::Move(ply(
                Player::Alice,
                "place(0, 0)",
                "A../.../...",
            ))),
            ..ReportedAdvice::new(Player::Alice, ReportedPromise::NoLoss)
        },
        ReportedAdvice {
            bid: Some(BigRational::from_integer(0.into())),
            decision: Some(ReportedDecision::LetMove(Player::Alice)),
            forced: Some(ply(Player::Bob, "", "B^2")),
            tied_forced: Some(ply(Player::Bob, "", "B")),
            forced_by_more: vec![
                ForcedPly {
                    from: 3,
                    ply: ply(Player::Bob, "", "E"),
                },
                ForcedPly {
                    from: 7,
                    ply: ply(Player::Bob, "", "B^3"),
                },
            ],
            ..ReportedAdvice::new(Player::Bob, ReportedPromise::Win)
        },
    ];
    insta::assert_snapshot!(all_forms(&Report::Strategy(Strategy { advice })));
}

#[test]
fn moves_and_trees() {
    let valued = |player, action: &str, value, best| ValuedMove {
        ply: ply(player, action, "A ∧ B"),
        value,
        best,
    };
    let named = vec![
        valued(Player::Alice, "take(1)", star(1), true),
        valued(Player::Bob, "take(2)", integer(3), false),
    ];
    let unnamed = vec![valued(Player::Alice, "", integer(1), true)];
    let node = |position: &str, value, moves: Vec<TreeMove>| TreeNode {
        position: position.to_owned(),
        board: BoardLook::default(),
        value: integer(value),
        turn: (position == "H").then_some(Player::Alice),
        income: Vec::new(),
        rest: if moves.is_empty() {
            Rest::Decided
        } else {
            Rest::Shown
        },
        moves,
    };
    let to = |player, action: &str, to| TreeMove {
        player,
        action: action.to_owned(),
        choices: if to == 1 { 2 } else { 1 },
        to,
    };
    let nodes = vec![
        node(
            "G",
            1,
            vec![to(Player::Alice, "a", 1), to(Player::Bob, "", 1)],
        ),
        node("H", 2, vec![to(Player::Alice, "", 2)]),
        node("A", 0, Vec::new()),
    ];
    let reports = [
        Report::Moves(Moves {
            measure: "f".to_owned(),
            moves: named,
        }),
        Report::Moves(Moves {
            measure: "R".to_owned(),
            moves: unnamed,
        }),
        Report::Tree(Tree {
            measure: "R".to_owned(),
            nodes,
        }),
    ];
    insta::assert_snapshot!(reports.map(|report| all_forms(&report)).join("\n====\n"));
}

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn table() -> Table {
    let values = vec![
        Scalar::Rational(fraction(1, 2)),
        star(1),
        Scalar::Chips(Chips::new(2, ChipMark::MinusEpsilon)),
    ];
    Table::over("k", 0..3_u64, vec![row("f(A & B, k)", values)])
}

fn mixed(player: Player) -> MixedBid {
    let half = || Weight::Exact(fraction(1, 2));
    let decision = match player {
        Player::Alice => ReportedDecision::Move(ply(player, "take(1)", "A")),
        Player::Bob => ReportedDecision::LetMove(Player::Alice),
    };
    let decided = |won, decision| DecisionRange {
        won,
        chips: ("0".to_owned(), "1".to_owned()),
        against: (player == Player::Bob).then(|| ("2".to_owned(), "3".to_owned())),
        decision,
        position: "A".to_owned(),
    };
    let forced = ReportedDecision::Move(ply(player, "take(2)", "A"));
    let bids = vec![
        (0.into(), half()),
        (3.into(), Weight::Float(0.25)),
        (10.into(), half()),
    ];
    MixedBid {
        player,
        chips: "10*".to_owned(),
        bids,
        decisions: vec![decided(true, decision), decided(false, forced)],
    }
}

/// Returns answers of the kinds that no other test here writes.
fn other_kinds() -> Vec<(&'static str, Report)> {
    let exceptions = vec![Exception {
        total: 7,
        value: star(3),
        formula: integer(4),
    }];
    let formula = |period, increment, terms: i64, exceptions| ClosedFormula {
        label: "f(G, k)".to_owned(),
        variable: "k",
        period,
        increment,
        terms: (0..terms).map(integer).collect(),
        exceptions,
    };
    let closed = ClosedForm {
        formulas: vec![
            formula(14, 7, 14, exceptions),
            formula(1, 2, 1, Vec::new()),
            formula(1, 0, 1, Vec::new()),
        ],
        lines: Vec::new(),
        proof: "proved by induction".to_owned(),
        limits: Vec::new(),
    };
    let against = ClosedFormula {
        label: "f(G, bob: b)".to_owned(),
        variable: "b",
        ..formula(3, 2, 3, Vec::new())
    };
    let line = RoundedLine {
        label: "f(G, bob: b) without the tie status".to_owned(),
        from: 2,
        rate: Scalar::Rational(fraction(7, 5)),
        root_of: "5α² − 7".to_owned(),
        offset: ["0.25", "0.5"].map(str::to_owned),
    };
    let budgets = ClosedForm {
        formulas: vec![against],
        lines: vec![line],
        proof: "seen up to b = 40, not proved".to_owned(),
        limits: vec![(
            "f/b at b = 40".to_owned(),
            Scalar::Rational(fraction(57, 40)),
        )],
    };
    let rows = vec![
        vec![integer(1), Scalar::Rational(fraction(-1, 3))],
        vec![text_of("<b>"), Scalar::Bool(true)],
    ];
    let listing = Listing::new(["n & m", "R"], rows).noted("all of them".to_owned());
    let games = ["A", "E", "B"].map(str::to_owned).to_vec();
    let curves = vec![
        Curve::Values {
            label: "f(E, k)".to_owned(),
            points: (0..4).map(|k| (integer(k), star(k / 2))).collect(),
        },
        Curve::Line(fraction(1, 2)),
    ];
    let open = |eighths, best| PivotalCell::Open {
        probability: Scalar::Rational(fraction(eighths, 8)),
        best,
    };
    let pivotal = Pivotal {
        win: Scalar::Interval(Interval {
            low: 0.25,
            high: 0.75,
        }),
        bid: Some(Scalar::Rational(fraction(3, 16))),
        lets: false,
        method: "all 8 fillings".to_owned(),
        look: BoardLook {
            hexagons: true,
            ..BoardLook::default()
        },
        cols: 2,
        cells: vec![
            open(1, false),
            PivotalCell::Taken(Player::Bob),
            open(3, true),
            open(1, false),
        ],
    };
    let value = Scalar::from(Bounds {
        low: fraction(1, 3),
        high: fraction(2, 3),
    });
    let nash = Nash {
        worth: MixedMeasure::Probability,
        value,
        method: "simplex",
        players: Player::both(mixed).into(),
    };
    vec![
        (
            "list",
            Report::List(vec![Report::Scalar(star(1)), Report::Table(table())].into()),
        ),
        ("closed form", Report::Closed(closed)),
        ("closed form against budgets", Report::Closed(budgets)),
        ("listing", Report::Listing(listing)),
        ("nash", Report::Nash(nash)),
        (
            "hasse",
            Report::Hasse(Hasse {
                games,
                covers: vec![(0, 1), (1, 2)],
                conjugates: None,
            }),
        ),
        (
            "plot",
            Report::Plot(Plot {
                parameter: "k".to_owned(),
                curves,
            }),
        ),
        ("heat", Report::Heat(Heat { table: table() })),
        ("pivotal", Report::Pivotal(pivotal)),
    ]
}

fn text_of(text: &str) -> Scalar {
    Scalar::String(text.to_owned())
}

#[test]
fn other_kinds_in_all_forms() {
    let forms = other_kinds()
        .into_iter()
        .map(|(name, report)| format!("{name}\n--\n{}", all_forms(&report)));
    insta::assert_snapshot!(forms.collect::<Vec<_>>().join("\n====\n"));
}

#[test]
fn pages() {
    let rules = Report::Rules(vec![FieldValue::Ties(TieBreak::Marker)]);
    let scalars = [
        Scalar::Rational(fraction(-133, 256)),
        star(4),
        Scalar::Chips(Chips::new(3, ChipMark::MinusEpsilon)),
        game("A ∧ B^2"),
        Scalar::Interval(Interval {
            low: 0.25,
            high: 0.75,
        }),
        Scalar::Outcome(Outcome::Draw),
        text_of("<&\"\u{1b}"),
    ];
    let values = Report::List(scalars.map(Report::from).to_vec().into());
    let record = Report::Record(vec![(
        "R & <k>".to_owned(),
        Scalar::Rational(fraction(1, 2)).into(),
    )]);
    let wide = vec![row("f", (0..14).map(integer).collect())];
    let wide = Table::over("k", 0..14_u64, wide);
    let mut reports = vec![
        values,
        Report::Tuple(vec![rules.clone()]),
        record,
        Report::Table(wide),
    ];
    reports.extend(other_kinds().into_iter().map(|(_, report)| report));
    let written = reports
        .iter()
        .map(|report| report.render(Format::Html, Context::plain()));
    let shown = [rules, Report::Table(table())]
        .map(|report| report.labelled("x < y", Format::Html, Context::plain()));
    let pages: Vec<String> = written
        .chain(shown)
        .map(|page| page.expect("nothing stops it"))
        .collect();
    insta::assert_snapshot!(pages.join("\n====\n"));
}

/// Returns long reports, of the kinds that a user can make long.
fn long_reports() -> [Report; 4] {
    let numbers = |n: i64| (0..n).map(integer).collect::<Vec<_>>();
    let items: Vec<Report> = numbers(20_000).into_iter().map(Report::from).collect();
    let table = Table::over("k", numbers(20_000), vec![row("f", numbers(20_000))]);
    let listing = Listing::new(["n"], (0..20_000).map(|n| vec![integer(n)]).collect());
    let pairs = Report::Tuple(vec![
        Report::List(items.clone().into()),
        Report::List(items.clone().into()),
    ]);
    [
        Report::List(items.into()),
        pairs,
        Report::Table(table),
        Report::Listing(listing),
    ]
}

#[test]
fn every_writer_asks_as_it_writes_and_stops_where_it_is_told_to() {
    for report in long_reports() {
        for format in Format::ALL {
            let guard = Guard::of_steps(u64::MAX);
            let text = report
                .render(format, &guard.context())
                .expect("nothing stops it");
            let asked = fit::<usize>(guard.now());
            // A page checks every 4096 bytes. Pieces that are measured first are written twice.
            assert!(
                asked >= text.len() / 4096 / 2,
                "{format:?}: asked {asked} times in {} bytes",
                text.len()
            );
            for most in [0, 1, asked / 2, asked - 1] {
                let guard = Guard::of_steps(most as u64);
                assert_eq!(
                    report.render(format, &guard.context()),
                    Err(Stop::Time),
                    "{format:?} after {most} of {asked}"
                );
                assert_eq!(fit::<usize>(guard.now()), most + 1, "{format:?}");
            }
        }
    }
}

/// The time for nested lists is linear in their text: the page checks once in 4096 bytes written
/// anywhere.
#[test]
fn nested_lists_are_written_in_linear_time() {
    const DEPTH: usize = 20_000;
    let work = || {
        let report = (0..DEPTH).fold(Report::List(Vec::new().into()), |inner, _| {
            Report::List(vec![inner].into())
        });
        for format in Format::ALL {
            let guard = Guard::of_steps(u64::MAX);
            let text = report
                .render(format, &guard.context())
                .expect("nothing stops it");
            let brackets = text.matches('[').count();
            assert!(brackets + 1 >= DEPTH, "{format:?}: {brackets}");
            let asked = fit::<usize>(guard.now());
            assert!(
                asked <= 3 * (text.len() / 4096) + 3,
                "{format:?}: asked {asked} times in {} bytes",
                text.len()
            );
        }
    };
    let thread = std::thread::Builder::new()
        .stack_size(1 << 29)
        .spawn(work)
        .expect("there is room for a thread");
    thread.join().expect("it does not panic");
}
