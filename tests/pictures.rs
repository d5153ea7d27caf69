//! Pictures: they are well-formed and true, and nothing in them overlaps.

use std::sync::Arc;

use bid::session::{Session, SessionEvent};
use bid_language::watch::{Context, Guard, Stop};
use bid_testing::{GraphShape, Out, for_all, graphs};
use roxmltree::{Document, Node};

/// Returns the values and diagnostics that a program prints.
fn run(text: &str) -> Vec<String> {
    run_watched(text, Arc::default())
}

fn run_watched(text: &str, context: Arc<Guard>) -> Vec<String> {
    let mut shown = Vec::new();
    let mut session = Session::new(Box::new(bid_language::files::Nowhere), context);
    session.run_text("pictures", text, &mut |_, event| match event {
        SessionEvent::Value(value) => shown.push(value.to_string()),
        SessionEvent::Diagnostic(diagnostic) => shown.push(diagnostic.message),
        _ => {}
    });
    shown
}

fn one(text: &str) -> String {
    run(text)
        .pop()
        .unwrap_or_else(|| panic!("no value of {text}"))
}

/// Returns the library's definition of a game.
fn classic(name: &str) -> &'static str {
    let library = include_str!("../games/classics.bid");
    let start = library.find(&format!("game {name}")).expect("it is there");
    // A game ends with the first brace at the left margin.
    let end = library[start..].find("\n}").expect("it ends");
    &library[start..start + end + 2]
}

fn tictactoe() -> &'static str {
    classic("tictactoe")
}

#[derive(Debug, Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn of(node: Node<'_, '_>) -> Self {
        let numbers: Vec<f64> = numbers(node.attribute("data-box").expect("a vertex has a box"));
        let [left, top, width, height] = numbers[..] else {
            panic!("a box has four numbers")
        };
        Self {
            left,
            top,
            right: left + width,
            bottom: top + height,
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Returns `true` if a line between two points enters the box by more than rounding.
    fn is_crossed(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        // Coordinates are rounded to a tenth, so that lines on a border may enter by as much.
        const SLACK: f64 = 0.2;
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (start, end, low, high) in [
            (from.0, to.0, self.left + SLACK, self.right - SLACK),
            (from.1, to.1, self.top + SLACK, self.bottom - SLACK),
        ] {
            let step = end - start;
            if step.abs() < 1e-9 {
                if start <= low || start >= high {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low - start) / step, (high - start) / step);
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        }
        first < last
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', ','])
        .map(|number| number.parse().expect("a number"))
        .collect()
}

/// Checks that no boxes touch, no edge enters a box, no two edges are the same line, and all lies
/// inside the picture.
fn holds_together(svg: &str) {
    let document = Document::parse(svg).expect("well-formed XML");
    let size = ["width", "height"].map(|name| {
        document
            .root_element()
            .attribute(name)
            .expect("a size")
            .parse::<f64>()
            .expect("a number")
    });
    let boxes: Vec<Area> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("vertex"))
        .map(Area::of)
        .collect();
    assert!(!boxes.is_empty());
    for (index, area) in boxes.iter().enumerate() {
        assert!(
            area.left >= 0.0 && area.top >= 0.0 && area.right <= size[0] && area.bottom <= size[1],
            "{area:?}"
        );
        for other in &boxes[..index] {
            assert!(
                !area.meets(other),
                "{area:?} and {other:?} overlap in\n{svg}"
            );
        }
    }
    let mut seen = Vec::new();
    for edge in document
        .descendants()
        .filter(|node| node.has_tag_name("polyline"))
    {
        let points: Vec<(f64, f64)> = numbers(edge.attribute("points").expect("points"))
            .chunks(2)
            .map(|pair| (pair[0], pair[1]))
            .collect();
        assert!(!seen.contains(&points), "two edges are one line in\n{svg}");
        for ends in points.windows(2) {
            let crossed = boxes.iter().find(|area| area.is_crossed(ends[0], ends[1]));
            assert!(
                crossed.is_none(),
                "an edge runs through {crossed:?} in\n{svg}"
            );
        }
        seen.push(points);
    }
}

#[test]
fn nothing_overlaps_in_trees_of_random_games() {
    let shape = GraphShape {
        positions: 3..=13,
        moves: 1..=2,
        stuck: 0.0,
        cycles: 0.8,
        out: Out::both(0.2),
        ..GraphShape::SMALL
    };
    let mut edges = 0;
    for_all(150, graphs(shape), |graph| {
        let game = format!("game g = graph {{\n{}}}", graph.text());

        let svg = one(&format!("{game}\nsvg(tree(g))"));
        assert!(svg.starts_with("<svg"), "{game}\n{svg}");
        holds_together(&svg);
        holds_together(&one(&format!("{game}\nsvg(draw(g))")));
        edges += svg.matches("<polyline").count();
    });
    assert!(
        edges > 300,
        "{edges} edges: the games are too small to tell"
    );
}

#[test]
fn nothing_overlaps_in_diagrams_of_orders() {
    holds_together(&one("svg(hasse(games(birthday: 4)))"));
}

/// Checks that the boxes of an order that exchanging the players reverses are those of its
/// reflection, and that other orders are drawn too.
#[test]
fn diagrams_of_orders_are_symmetric_under_exchange_of_the_players() {
    for (days, count) in [(3, 11), (4, 83)] {
        let svg = one(&format!("svg(hasse(games(birthday: {days})))"));
        let document = Document::parse(&svg).expect("well-formed XML");
        let middles: Vec<(f64, f64)> = document
            .descendants()
            .filter(|node| node.attribute("class") == Some("vertex"))
            .map(|node| {
                let area = Area::of(node);
                let middle = |a: f64, b: f64| f64::midpoint(a, b);
                (middle(area.left, area.right), middle(area.top, area.bottom))
            })
            .collect();
        assert_eq!(middles.len(), count);
        let ends = middles.iter().map(|(_, y)| *y);
        let sum = ends.clone().fold(f64::MAX, f64::min) + ends.fold(0.0, f64::max);
        for (x, y) in &middles {
            let is_image = |(a, b): &&(f64, f64)| (a - x).abs() < 0.3 && (y + b - sum).abs() < 0.3;
            assert!(
                middles.iter().any(|other| is_image(&other)),
                "{x}, {y} in\n{svg}"
            );
        }
    }
    holds_together(&one("svg(hasse([A, E, A^2, B^2 ∧ A]))"));
    holds_together(&one(
        "svg(hasse(games(birthday: 3))) using { ties: ladies_first }",
    ));
}

/// Checks that the greatest and the least game stand in the middle of the frame.
#[test]
fn diagrams_of_orders_are_centred() {
    for (order, rules) in [
        ("games(birthday: 2)", ""),
        ("games(birthday: 4)", ""),
        ("games(birthday: 3)", " using { ties: ladies_first }"),
        ("[A, A^2, A^2 ∧ E, A ∧ B^2, A ∧ B^3, E, B]", ""),
    ] {
        let svg = one(&format!("svg(hasse({order})){rules}"));
        let document = Document::parse(&svg).expect("well-formed XML");
        let width = document.root_element().attribute("width");
        let width: f64 = width.expect("it has a width").parse().expect("a number");
        let ends = ["A", "B"].map(|game| {
            let mut texts = document
                .descendants()
                .filter(|node| node.text() == Some(game));
            let x = texts.next().and_then(|node| node.attribute("x"));
            let x: f64 = x.expect("its place").parse().expect("a number");
            2.0 * x - width
        });
        assert!(
            ends.iter().all(|off| off.abs() <= 1.0),
            "{ends:?} off in\n{svg}"
        );
    }
}

/// Checks that the picture has every threshold of Figure 1 of Develin & Payne.
#[test]
fn the_papers_tree_of_tic_tac_toe() {
    let svg = one(&format!("{}\nsvg(tree(tictactoe))", tictactoe()));
    holds_together(&svg);
    let document = Document::parse(&svg).expect("well-formed XML");
    let texts: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    for threshold in [
        "133/256", "23/64", "87/128", "15/64", "31/64", "35/64", "13/16", "15/32", "9/32", "11/16",
        "11/32", "3/4", "5/8", "9/16", "1/4", "3/8", "1/2", "7/8",
    ] {
        assert!(texts.contains(&threshold), "{threshold} is missing");
    }
}

#[test]
fn hexagonal_boards_are_drawn_with_hexagons() {
    let forms = run(&format!(
        "{}\nsvg(tree(hex(2, 3)))\ntree(hex(2, 3), depth: 1)",
        classic("hex(m, n)")
    ));
    let [svg, text] = &forms[..] else {
        panic!("two forms, not {forms:?}")
    };
    holds_together(svg);
    let document = Document::parse(svg).expect("well-formed XML");
    let cells: Vec<usize> = document
        .descendants()
        .filter_map(|node| {
            node.attribute("points")
                .filter(|_| node.has_tag_name("polygon"))
        })
        .map(|points| points.split(' ').count())
        .collect();
    assert!(
        cells.len() >= 12
            && cells.len().is_multiple_of(6)
            && cells.iter().all(|corners| *corners == 6),
        "{cells:?}"
    );
    assert!(text.starts_with(". . .\n . . .  R = "), "{text}");
}

#[test]
fn moves_back_on_cycles_are_drawn() {
    let game = "game tug(n) = graph {\n start 0\n both i <-> i + 1 for i in -n .. n - 1\n win alice: n\n win bob: -n\n}\n";
    let svg = one(&format!("{game}svg(tree(tug(3)))"));
    holds_together(&svg);
    // There are five vertices with two moves each, except the two that decide the game.
    assert_eq!(svg.matches("<polyline").count(), 8);
    assert_eq!(svg.matches("marker-end").count(), 8);
}

#[test]
fn a_large_tree_says_what_is_left_out() {
    let printed = one("svg(tree(B^600))");
    holds_together(&printed);
    assert!(
        printed.contains("The first 400 of 600 positions; … marks where more follow."),
        "{}",
        &printed[printed.len() - 400..]
    );
    assert!(one("tree(B^3, depth: 1)").contains("B^2  R = 3/4  …"));
}

#[test]
fn the_layout_can_be_interrupted() {
    let tree = bid_report::Hasse {
        games: (0..300).map(|game| format!("G{game}")).collect(),
        covers: (0..299).map(|below| (below, below + 1)).collect(),
        conjugates: None,
    };
    let stopped = Guard::default();
    stopped.interrupt();
    let stopped = tree.diagram().svg(&stopped.context());
    assert_eq!(stopped, Err(Stop::Interrupted));
    holds_together(&tree.diagram().svg(Context::plain()).expect("not stopped"));
}

/// Checks that every value is drawn at its height, which is that of f(G, ·).
#[test]
fn plots_are_well_formed_and_true() {
    let svg = one("svg(plot(f(E, 0..300), R(E), f(A^2 ∧ B, 0..300), f(B^2, 0..300)))");
    let document = Document::parse(&svg).expect("well-formed XML");
    let words: Vec<String> = document
        .descendants()
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_owned())
        .collect();
    for word in ["f(E, k)", "1/2·k", "f(A² ∧ B, k)", "f(B², k)", "300", "k"] {
        assert!(words.iter().any(|other| other == word), "{word} is missing");
    }
    let curves: Vec<Vec<f64>> = document
        .descendants()
        .filter(|node| node.has_tag_name("path"))
        .filter_map(|node| node.attribute("d"))
        .filter(|dots| dots.contains("h0"))
        .map(|dots| {
            let dots = dots.split("h0").filter(|dot| !dot.is_empty());
            let height = |dot: &str| dot.rsplit(' ').next().expect("it has a height").parse();
            dots.map(|dot| height(dot).expect("it is a number"))
                .collect()
        })
        .collect();
    assert_eq!(curves.len(), 3);
    for heights in curves {
        assert_eq!(heights.len(), 301);
        assert!(
            // The vertical coordinate of SVG grows downwards.
            heights.windows(2).all(|pair| pair[1] <= pair[0]),
            "thresholds never fall"
        );
    }
}

#[test]
fn heat_maps_have_a_cell_for_each_value() {
    for (table, rules, cells) in [
        ("outcomes(E, 0..3, 0..4)", "", 40),
        ("v(B^2, 0..30, 0..30)", "using menz", 961),
        ("f(E, 0..7)", "", 8),
    ] {
        let svg = one(&format!("svg(heat({table})) {rules}"));
        let document = Document::parse(&svg).expect("well-formed XML");
        let titled = document
            .descendants()
            .filter(|node| node.has_tag_name("rect") && node.has_children())
            .count();
        assert_eq!(titled, cells, "{table}");
    }
}

/// Checks that `outcomes` gives for every pair of budgets the outcome of the game called with them.
#[test]
fn outcomes_are_those_of_single_questions() {
    let table = one("outcomes(A^2 ∧ B, 0..3, 0..3)");
    for (row, line) in table.lines().skip(1).enumerate() {
        let (a, alice_has) = (row % 4, row < 4);
        for (b, word) in line
            .split("  ")
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .skip(1)
            .enumerate()
        {
            let (own, other) = if alice_has { ("*", "") } else { ("", "*") };
            assert_eq!(
                one(&format!("(A^2 ∧ B)({a}{own}, {b}{other})")),
                word,
                "{line}"
            );
        }
    }
}

/// Checks that `mixed_bids` gives the probabilities of `nash`.
#[test]
fn mixed_bids_are_those_of_nash() {
    let csv = one("csv(mixed_bids(B^2, 4..6, 5)) using menz");
    for (column, a) in csv.lines().skip(1).zip(4..) {
        let nash = one(&format!("csv(nash(B^2, {a}, 5)) using menz"));
        let positive = column
            .split(',')
            .skip(1)
            .filter(|cell| {
                cell.parse::<f64>()
                    .map_or(*cell != "–", |weight| weight > 0.0)
            })
            .count();
        let expected = nash
            .lines()
            .filter(|line| line.starts_with("alice"))
            .count();
        assert_eq!(positive, expected, "{column}\n{nash}");
    }
}

#[test]
fn in_the_terminal_and_for_other_programs() {
    let queries = concat!(
        "tree(tictactoe, depth: 2)\n",
        "draw(graph { start 0; both i <-> i + 1 for i in -1..1; turn alice: 1; win alice: 2; win bob: -1 })\n",
        "hasse(games(birthday: 3))\n",
        "plot(f(E, 0..20), R(E), f(B^2, 0..20))\n",
        "plot([1, 4, 9, 16])\n",
        "heat(outcomes(E, 0..4, 0..6))\n",
        "heat(v(B^2, 0..6, 0..12)) using menz\n",
        "dot(tree(tictactoe, depth: 1))\n",
        "dot(hasse([A, B, E]))\n",
        "latex(tree(tictactoe, depth: 1))\n",
        "latex(hasse([A, B, E]))\n",
        "latex(plot(f(E, 0..4), R(E)))\n",
        "latex(heat(outcomes(E, 0..1, 0..1)))\n",
        "json(tree(A^2, depth: 1))\n",
        "json(draw(E))\n",
        "csv(draw(E))\n",
        "json(hasse([A, E]))\n",
        "json(plot(f(E, 0..2), R(E)))\n",
        "csv(plot(f(E, 0..2), R(E)))\n",
        "plot(1/2)\n",
        "heat(size(E))\n",
        "svg(size(E))\n",
        "mixed_bids(B^2, 0..3, 0..3) using menz\n",
    );
    let forms = run(&format!("{}\n{queries}", tictactoe()));
    insta::assert_snapshot!(forms.join("\n\n"));
}
