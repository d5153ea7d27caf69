//! Tests of properties that every answer has in every format, with random answers of all kinds that
//! contain any characters.

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use roxmltree::Document;

use super::block::{Block, Medium};
use super::readers::{graphviz, tex};
use super::{
    BoardLook, ClosedForm, ClosedFormula, Curve, DecisionRange, Exception, ForcedPly, Format,
    Hasse, Heat, Listing, MixedBid, MixedMeasure, Moves, Nash, Page, Pivotal, PivotalCell, Plot,
    Report, ReportedAdvice, ReportedDecision, ReportedPly, ReportedPromise, Rest, RoundedLine, Row,
    Table, Tree, TreeIncome, TreeMove, TreeNode, ValuedMove, Weight, text,
};
use bid_language::player::{GameId, Outcome, Player};
use bid_language::rules::{ChipMark, Chips, FieldValue, TieBreak};
use bid_language::scalar::{Bounds, Interval, NamedGame, Scalar};
use bid_language::watch::Context;

/// A strategy for values with these fields, each drawn by a strategy of its own.
macro_rules! made_of {
    ($($kind:ident)::+ { $($field:ident: $strategy:expr),+ $(,)? }) => {
        ($($strategy,)+).prop_map(|($($field,)+)| $($kind)::+ { $($field),+ }).boxed()
    };
}

/// Returns words of the language and any characters.
fn words() -> BoxedStrategy<String> {
    prop_oneof![
        Just("f(E, k)".to_owned()),
        Just("AB/.A".to_owned()),
        "[a-z<&\"',\n\u{1}-\u{7f}]{0,6}",
        any::<String>()
    ]
    .boxed()
}

fn player() -> BoxedStrategy<Player> {
    prop_oneof![Just(Player::Alice), Just(Player::Bob)].boxed()
}

fn rational() -> BoxedStrategy<BigRational> {
    (any::<i32>(), 1..1000_i32)
        .prop_map(|(n, d)| BigRational::new(n.into(), d.into()))
        .boxed()
}

fn number() -> BoxedStrategy<Scalar> {
    let mark = prop_oneof![
        Just(ChipMark::MinusEpsilon),
        Just(ChipMark::None),
        Just(ChipMark::Star)
    ];
    prop_oneof![
        any::<i64>().prop_map(|value| Scalar::Integer(value.into())),
        rational().prop_map(Scalar::Rational),
        (any::<u32>(), mark).prop_map(|(count, mark)| Scalar::Chips(Chips::new(count, mark))),
        (-9.0..9.0_f64, 0.0..1.0_f64).prop_map(|(low, wide)| Scalar::Interval(Interval {
            low,
            high: low + wide
        })),
        (rational(), 1..99_i32).prop_map(|(low, wide)| {
            let high = &low + BigRational::new(1.into(), wide.into());
            Scalar::from(Bounds { low, high })
        }),
    ]
    .boxed()
}

fn scalar() -> BoxedStrategy<Scalar> {
    let outcome = prop_oneof![
        player().prop_map(Outcome::Wins),
        Just(Outcome::Draw),
        Just(Outcome::Undetermined)
    ];
    let function = made_of!(Scalar::Function {
        name: words(),
        parameters: vec(words(), 0..3)
    });
    prop_oneof![
        number(),
        vec(number(), 1..3).prop_map(Scalar::Tuple),
        number().prop_map(|value| Scalar::Equilibrium(Box::new(value))),
        any::<bool>().prop_map(Scalar::Bool),
        words().prop_map(Scalar::String),
        words().prop_map(|text| Scalar::Game(NamedGame {
            text,
            id: GameId(0)
        })),
        player().prop_map(Scalar::Player),
        outcome.prop_map(Scalar::Outcome),
        Just(Scalar::Word("empty")),
        function,
    ]
    .boxed()
}

fn value() -> BoxedStrategy<Report> {
    let rules = vec(Just(FieldValue::Ties(TieBreak::Marker)), 0..2).prop_map(Report::Rules);
    let leaf = prop_oneof![4 => scalar().prop_map(Report::Scalar), 1 => rules, 1 => table().prop_map(Report::Table)];
    let around = |inner: BoxedStrategy<Report>| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| Report::List(items.into())),
            vec(inner.clone(), 1..4).prop_map(Report::Tuple),
            vec((words(), inner), 0..4).prop_map(Report::Record),
        ]
    };
    leaf.prop_recursive(3, 12, 4, around).boxed()
}

fn table() -> BoxedStrategy<Table> {
    let sized = |columns: usize| {
        let row = made_of!(Row {
            label: words(),
            values: vec(scalar(), columns)
        });
        made_of!(Table {
            parameter: words(),
            columns: vec(number(), columns),
            rows: vec(row, 0..4),
        })
    };
    (0..15_usize).prop_flat_map(sized).boxed()
}

fn listing() -> BoxedStrategy<Listing> {
    let sized = |columns: usize| {
        made_of!(Listing {
            columns: vec(words(), columns),
            rows: vec(vec(scalar(), columns), 0..4),
            note: words(),
        })
    };
    (1..4_usize).prop_flat_map(sized).boxed()
}

fn ply() -> BoxedStrategy<ReportedPly> {
    made_of!(ReportedPly {
        player: player(),
        action: words(),
        position: words()
    })
}

fn decision() -> BoxedStrategy<ReportedDecision> {
    prop_oneof![
        ply().prop_map(ReportedDecision::Move),
        player().prop_map(ReportedDecision::LetMove)
    ]
    .boxed()
}

fn advice() -> BoxedStrategy<ReportedAdvice> {
    let promise = prop_oneof![
        Just(ReportedPromise::Win),
        Just(ReportedPromise::NoLoss),
        Just(ReportedPromise::Nothing),
        number().prop_map(ReportedPromise::AtLeast),
        number().prop_map(ReportedPromise::AtMost)
    ];
    made_of!(ReportedAdvice {
        player: player(),
        promise: promise,
        bid: option::of(rational()),
        use_advantage: any::<Option<bool>>(),
        decision: option::of(decision()),
        tied_decision: option::of(decision()),
        forced: option::of(ply()),
        tied_forced: option::of(ply()),
        forced_by_more: vec(
            made_of!(ForcedPly {
                from: any::<u64>(),
                ply: ply()
            }),
            0..3
        ),
    })
}

fn tree() -> BoxedStrategy<Tree> {
    let rest = || prop_oneof![Just(Rest::Shown), Just(Rest::Decided), Just(Rest::LeftOut)];
    let sized = move |count: usize| {
        let edge = (player(), words(), 0..count).prop_map(|(player, action, to)| TreeMove {
            player,
            action,
            choices: 1 + to,
            to,
        });
        let income = made_of!(TreeIncome {
            player: player(),
            part: scalar()
        });
        let node = made_of!(TreeNode {
            position: words(),
            board: look(),
            value: scalar(),
            turn: option::of(player()),
            income: vec(income, 0..3),
            moves: vec(edge, 0..3),
            rest: rest(),
        });
        made_of!(Tree {
            measure: words(),
            nodes: vec(node, count)
        })
    };
    (1..6_usize).prop_flat_map(sized).boxed()
}

fn look() -> impl Strategy<Value = BoardLook> {
    let sides = proptest::array::uniform4(option::of(player()));
    made_of!(BoardLook {
        hexagons: any::<bool>(),
        sides: sides
    })
}

fn nash() -> BoxedStrategy<Nash> {
    let weight = || {
        prop_oneof![
            (0..9_u32).prop_map(|n| Weight::Exact(BigRational::new(n.into(), 9.into()))),
            (0.0..1.0_f64).prop_map(Weight::Float)
        ]
    };
    let decided = made_of!(DecisionRange {
        won: any::<bool>(),
        chips: (words(), words()),
        against: proptest::option::of((words(), words())),
        decision: decision(),
        position: words(),
    });
    let bid = (0..200_u32, weight()).prop_map(|(bid, weight)| (BigInt::from(bid), weight));
    let mixed = made_of!(MixedBid {
        player: player(),
        chips: words(),
        bids: vec(bid, 0..5),
        decisions: vec(decided, 0..3),
    });
    made_of!(Nash {
        worth: prop_oneof![Just(MixedMeasure::Probability), Just(MixedMeasure::Score)],
        value: number(),
        method: Just("linear programming"),
        players: vec(mixed, 0..3),
    })
}

fn closed() -> BoxedStrategy<ClosedForm> {
    let exception = made_of!(Exception {
        total: any::<u64>(),
        value: number(),
        formula: number()
    });
    let formula = made_of!(ClosedFormula {
        label: words(),
        variable: prop_oneof![Just("k"), Just("b")],
        period: 1..99_u64,
        increment: 0..99_u64,
        terms: vec(number(), 1..30),
        exceptions: vec(exception, 0..3),
    });
    let line = made_of!(RoundedLine {
        label: words(),
        from: any::<u64>(),
        rate: number(),
        root_of: words(),
        offset: [words(), words()],
    });
    made_of!(ClosedForm {
        formulas: vec(formula, 1..3),
        lines: vec(line, 0..2),
        proof: words(),
        limits: vec((words(), number()), 0..2),
    })
}

fn hasse() -> BoxedStrategy<Hasse> {
    let covers = |games: Vec<String>| {
        let pairs = (1..games.len()).map(|above| (above - 1, above)).collect();
        Hasse {
            games,
            covers: pairs,
            conjugates: None,
        }
    };
    vec(words(), 1..6).prop_map(covers).boxed()
}

fn plot() -> BoxedStrategy<Plot> {
    let values = made_of!(Curve::Values {
        label: words(),
        points: vec((number(), scalar()), 0..6),
    });
    let curve = prop_oneof![3 => values, 1 => rational().prop_map(Curve::Line)];
    made_of!(Plot {
        parameter: words(),
        curves: vec(curve, 0..4)
    })
}

fn pivotal() -> BoxedStrategy<Pivotal> {
    let open = made_of!(PivotalCell::Open {
        probability: number(),
        best: any::<bool>()
    });
    let cell = prop_oneof![player().prop_map(PivotalCell::Taken), open];
    let sized = move |(rows, cols): (usize, usize)| {
        made_of!(Pivotal {
            win: number(),
            bid: option::of(number()),
            lets: any::<bool>(),
            method: words(),
            look: look(),
            cols: Just(cols),
            cells: vec(cell.clone(), rows * cols),
        })
    };
    (1..4_usize, 1..4_usize).prop_flat_map(sized).boxed()
}

fn report() -> BoxedStrategy<Report> {
    let moves = made_of!(ValuedMove {
        ply: ply(),
        value: scalar(),
        best: any::<bool>()
    });
    let moves = made_of!(Moves {
        measure: words(),
        moves: vec(moves, 0..4)
    });
    prop_oneof![
        4 => value(),
        1 => table().prop_map(Report::Table),
        1 => vec(advice(), 0..3).prop_map(|advice| Report::Strategy(super::Strategy { advice })),
        1 => moves.prop_map(Report::Moves),
        1 => tree().prop_map(Report::Tree),
        1 => nash().prop_map(Report::Nash),
        1 => closed().prop_map(Report::Closed),
        1 => listing().prop_map(Report::Listing),
        1 => hasse().prop_map(Report::Hasse),
        1 => plot().prop_map(Report::Plot),
        1 => made_of!(Heat { table: table() }).prop_map(Report::Heat),
        1 => pivotal().prop_map(Report::Pivotal),
    ]
    .boxed()
}

/// Reads the fields of each record of comma-separated values, by RFC 4180.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut rest) = (vec![Vec::new()], text);
    loop {
        let field = if let Some(quoted) = rest.strip_prefix('"') {
            let (mut field, mut rest_of_it) = (String::new(), quoted);
            loop {
                let end = rest_of_it.find('"').expect("a quote is closed");
                field.push_str(&rest_of_it[..end]);
                rest_of_it = &rest_of_it[end + 1..];
                match rest_of_it.strip_prefix('"') {
                    Some(after) => (field, rest_of_it) = (field + "\"", after),
                    None => break,
                }
            }
            rest = rest_of_it;
            field
        } else {
            let end = rest.find([',', '\n']).unwrap_or(rest.len());
            let field = rest[..end].to_owned();
            rest = &rest[end..];
            field
        };
        records.last_mut().expect("there is a record").push(field);
        match rest.chars().next() {
            None => return records,
            Some(',') => {}
            Some('\n') => records.push(Vec::new()),
            Some(other) => panic!("{other:?} after a field of {text:?}"),
        }
        rest = &rest[1..];
    }
}

fn rendered(report: &Report, format: Format) -> [String; 2] {
    [
        report.render(format, Context::plain()),
        report.labelled("f(E, \"<k>\")", format, Context::plain()),
    ]
    .map(|text| text.expect("nothing stops it"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(160) })]

    #[test]
    fn html_and_pictures_are_well_formed(report in report()) {
        for html in rendered(&report, Format::Html) {
            let read = Document::parse(&html);
            assert!(read.is_ok(), "{:?}\n{html}", read.err());
        }
        if let Some(diagram) = report.picture().and_then(|picture| picture.diagram()) {
            graphviz::read(&diagram.dot());
        }
        if let Some(picture) = report.picture() {
            let svg = picture.svg(Context::plain()).expect("it is laid out");
            let read = Document::parse(&svg);
            assert!(read.is_ok(), "{:?}\n{svg}", read.err());
        }
    }

    #[test]
    fn json_is_one_line_with_a_type(report in report()) {
        let [json, shown] = rendered(&report, Format::Json);
        let read: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
        assert!(read["type"].is_string(), "{json}");
        assert!(!json.contains('\n'), "{json}");
        let shown: serde_json::Value = serde_json::from_str(&shown).expect("it is JSON");
        assert_eq!(shown["value"], read);
    }

    /// Every field reads back, and if there is a head, all records have its length.
    #[test]
    fn csv_reads_back(report in report()) {
        let [csv, shown] = rendered(&report, Format::Csv);
        let [Block::Grid(grid)] = &report.blocks(Medium::Sheet)[..] else { return Ok(()) };
        let field = |row, column| {
            Page::written(Context::plain(), |page| text::cell(&grid.at(row, column), page)).expect("nothing stops it")
        };
        let record = |row| (0..grid.columns.len()).map(|column| field(row, column)).collect::<Vec<_>>();
        let records: Vec<_> = [None].into_iter().chain((0..grid.rows).map(Some)).map(record).collect();
        assert_eq!(read_csv(&csv), records);
        let labels = read_csv(&shown).into_iter().map(|mut record| record.remove(0));
        assert!(labels.eq(records.iter().map(|_| "f(E, \"<k>\")")), "{shown}");
    }

    /// Every answer can be written as LaTeX and as text, and every LaTeX environment that begins
    /// also ends.
    #[test]
    fn papers_and_terminals_have_all_answers(report in report()) {
        for latex in rendered(&report, Format::Latex) {
            assert_eq!(tex::trouble(&latex), None, "{latex}");
            for environment in ["tabular", "tikzpicture", "axis"] {
                let count = |word| latex.matches(&format!("\\{word}{{{environment}}}")).count();
                assert_eq!(count("begin"), count("end"), "{latex}");
            }
        }
        rendered(&report, Format::Text);
    }
}
