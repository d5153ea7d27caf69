//! The questions, by builtin, and the games that they concern.

/// Rulesets with more positions than fit anywhere, and graphs that are easily made large.
pub const GAMES: &str = r#"
use "games/classics.bid"
let nest(n) = if n == 0 then [1] else let l = nest(n - 1) in [l, l]
game scores(n) {
    state x = n
    move t(s) for s in 1..3 if s <= x { x -= s; score s }
}
game counter(n) {
    state x = n
    move down if x > 0 { x -= 1 }
    move up if x < 2 * n { x += 1 }
    win alice if x == 2 * n
    win bob if x == 0
}
game ladder(n) {
    state x = n
    move down(s) for s in 1..2 if s <= x { x -= s }
    win bob if x == 0
}
game walk(n) = graph {
    start 0
    both i <-> i + 1 for i in -n .. n - 1
    win alice: n
    win bob: -n
}
game tangle(n) = graph {
    start 0
    alice i -> i + 1, (7 * i + 3) % n, (5 * i + 1) % n for i in 0 .. n - 1
    bob i -> i - 1, (11 * i + 5) % n, (3 * i + 2) % n for i in 0 .. n - 1
    win alice: n
    win bob: -1
}
game paid(n) = graph {
    start 0
    alice i -> (i + 1) % n, (7 * i + 3) % n for i in 0 .. n - 1
    bob i -> (i + n - 1) % n, (5 * i + 2) % n for i in 0 .. n - 1
    weight i % 7: i for i in 0 .. n - 1
}
game heaps(n) {
    state x = n
    move t(s) for s in 1..3 if s <= x { x -= s }
    stuck loses
}
"#;

/// The questions about the language itself.
pub const EXPRESSIONS: &[&str] = &[
    "hex(64, 64) == hex(64, 63)",
    "tangle(500) <= walk(400)",
    "R(hex(64, 64)[1000000000])",
    "R(~hex(64, 64) after [alice place((0, 0))])",
    "R({ hex(64, 64) | tangle(3000) })",
    "R(hex(64, 64) ∧ connect(64, 64, 64))",
    "R(heaps(10^6) + hex(64, 64)) using { stuck: loses }",
    "size(heaps(10^6) + heaps(10^6)) using { stuck: loses }",
    "(0..3000000) ++ (0..3000000)",
    "[2^300000 - i for i in 1..1500] ++ [2^300000 - i for i in 1..1500]",
    "-1 in [2^300000 - i for i in 1..1500]",
    "[x for x in 0..9999999]",
    "[(x, y, z) for x in 0..9999 for y in 0..9999 for z in 0..9999 if x < 0]",
    "[2^300000 - i for i in 1..1500] == [2^300000 - i for i in 1..1500]",
    "let sq(x, n) = if n == 0 then x else sq(x * x, n - 1) in sq(3, 40)",
    "let fib(n, m) = if n < 2 then m else fib(n - 1, m) + fib(n - 2, m) in [fib(n, n) for n in 30..60]",
    "[nest(n) for n in 1..1000000]",
    "R(graph { start 0; both i -> i + 1 for i in 0..9999999; win alice: 10000000 })",
    "R(graph { start 0; both i -> j for i in 0..9999 for j in 0..9999; alice 0 -> a; win alice: a })",
];

/// The questions about each builtin.
pub const QUESTIONS: &[(&str, &[&str])] = &[
    (
        "R",
        &[
            "R(hex(64, 64))",
            "R(A^1000000)",
            "R(counter(10^7))",
            "R(tangle(20000)) using { pay: poorman }",
            "R(ladder(2000000)) using { pay: poorman }",
            "R(paid(3000)) using { objective: mean_payoff }",
            "R(tangle(300)) using { pay: poorman, precision: 1e-3000 }",
        ],
    ),
    (
        "P",
        &[
            "P(A^20000, 2/3)",
            "P(A^20000 ∧ B^20000, 2/3)",
            "P(tangle(3000), 1/3)",
            "P(hex(64, 64), 1/3)",
        ],
    ),
    (
        "f",
        &[
            "f(A^20000, 0..1000000)",
            "f(tictactoe, 0..9999999)",
            "f(hex(64, 64), 5)",
            "f(tictactoe, bob: 0..1000000) using { pay: poorman }",
            "f(tangle(300), bob: 0..10000) using { pay: poorman }",
        ],
    ),
    (
        "size",
        &[
            "size(connect(64, 64, 64))",
            "size(hex(64, 64))",
            "size(counter(10^8))",
        ],
    ),
    (
        "positions",
        &[
            "positions(hex(64, 64))",
            "positions(counter(10^7))",
            "positions(tangle(300000))",
        ],
    ),
    (
        "bounds",
        &[
            "bounds(hex(64, 64), moves: 20)",
            "bounds(tangle(3000), moves: 100000)",
            "bounds(connect(4, 6, 7), moves: 40)",
        ],
    ),
    (
        "thresholds",
        &[
            "thresholds(tangle(2000)) using { pay: poorman }",
            "thresholds(hex(64, 64)) using { pay: poorman }",
        ],
    ),
    (
        "credit",
        &[
            "credit(~paid(3000), 1000*, 1000)",
            "credit(~paid(30), 1000000000*, 1000000000)",
        ],
    ),
    (
        "payoff",
        &["payoff(paid(5000), 10^6, 10^6)", "payoff(paid(500000))"],
    ),
    (
        "table",
        &[
            "table(A ∧ B^2, bob: 10^10) using { pay: poorman }",
            "table(E, bob: 10^9) using { pay: poorman }",
            "table(E, bob: 10^7) using { pay: poorman }",
            "table(E, bob: 10^9) using { pay: taxman(1/2) }",
            "table(tug(3), bob: 10^9) using { pay: poorman }",
            "table(E, bob: 10^9) using menz",
            "table(ladder(30000), bob: 3000) using { pay: all_pay_bank, ties: richer, draws: half }",
            "table(tangle(1000))",
            "table(walk(500))",
            "table(hex(64, 64))",
        ],
    ),
    ("stable", &["stable(hex(64, 64))", "stable(tangle(3000))"]),
    (
        "openings",
        &[
            "openings(hex(64, 64))",
            "openings(A^3000 ∧ B^2000)",
            "openings(tangle(500))",
        ],
    ),
    (
        "compare",
        &[
            "compare(tangle(500), walk(300))",
            "compare(hex(64, 64), hex(64, 63))",
        ],
    ),
    ("games", &["games(birthday: 9)", "games(birthday: 4)"]),
    (
        "hasse",
        &["hasse(games(birthday: 4))", "hasse([A^n for n in 1..3000])"],
    ),
    (
        "simplify",
        &["simplify(tangle(2000))", "simplify(hex(64, 64))"],
    ),
    (
        "minimise",
        &["minimise(hex(64, 64))", "minimise(tangle(100000))"],
    ),
    (
        "classes",
        &["classes(hex(64, 64))", "classes(tangle(3000))"],
    ),
    (
        "strategy",
        &[
            "strategy(hex(64, 64), 1000000000*, 1000000000)",
            "strategy(tangle(3000), 10000000*, 10000000)",
            "strategy(tangle(20000), 1/2, 1/3) using { bids: real, pay: poorman }",
        ],
    ),
    (
        "moves",
        &[
            "moves(hex(64, 64))",
            "moves(tangle(3000), 10000000*, 10000000)",
        ],
    ),
    (
        "tree",
        &[
            "tree(hex(64, 64))",
            "tree(hex(3, 5))",
            "tree(ladder(2000000))",
        ],
    ),
    ("play", &["play(hex(64, 64), 5*, 5)", "play(E, 5*, 5)"]),
    (
        "simulate",
        &[
            "simulate(hex(64, 64))",
            "simulate(tangle(3000))",
            "simulate(walk(1000), games: 10^9)",
            "simulate(walk(30), 100000*, 100000, games: 10^9)",
            "simulate(paid(300), games: 10^9) using { objective: mean_payoff }",
        ],
    ),
    (
        "v",
        &[
            "v(tictactoe, 10^4, 10^4) using menz",
            "v(hex(64, 64), 3, 3) using menz",
            "v(tangle(300), 1000, 1000) using menz",
            "v(E, 10^9, 10^9) using menz",
            "v(A ∧ B^2, 300, 300) using { pay: all_pay_bank, ties: richer, draws: half }",
            "v(E, 3000, 3000) using { pay: all_pay_bank, ties: richer, draws: half }",
        ],
    ),
    (
        "nash",
        &[
            "nash(tictactoe, 10^4, 10^4) using menz",
            "nash(tangle(300), 1000, 1000) using menz",
            "nash(A^3 ∧ B^3, 2000, 2000) using menz",
        ],
    ),
    (
        "precise",
        &[
            "precise(tictactoe, 10^4, 10^4) using menz",
            "precise(E, 10^9, 10^9) using menz",
        ],
    ),
    (
        "length",
        &[
            "length(hex(64, 64), 5, 5) using menz",
            "length(tictactoe, 10^4, 10^4) using menz",
        ],
    ),
    (
        "sure",
        &[
            "sure(tangle(3000), 10^6) using menz",
            "sure(tangle(300), 1000) using menz",
            "sure(hex(64, 64), 3) using menz",
            "sure(E, 10^10) using menz",
            "sure(tictactoe, 0..100000) using { pay: all_pay_bank, ties: richer, draws: half }",
        ],
    ),
    (
        "o",
        &[
            "o(scores(10^6), 10000*, 10000)",
            "o(scores(3000), 10000000*, 10000000)",
            "o(hex(64, 64), 3*, 3)",
        ],
    ),
    (
        "bidding_matrix",
        &[
            "bidding_matrix(scores(600), 6000*, 6000)",
            "bidding_matrix(scores(10), 1000000*, 1000000)",
            "bidding_matrix(scores(10), 3000*, 3000) using larsson",
        ],
    ),
    (
        "monotone",
        &[
            "monotone(scores(3000), 10^6)",
            "monotone(scores(10^6), 10^4)",
        ],
    ),
    (
        "value",
        &[
            "value(scores(600), 6000*, 6000)",
            "value(scores(60), 600*, 600)",
        ],
    ),
    (
        "period",
        &[
            "period([1, 3], 10^9)",
            "period([1, 3], 2^61)",
            "period(1..100000, 10)",
            "period([1, 3], 1000000, bob: [1, 2])",
            "period(tangle(1000))",
        ],
    ),
    (
        "distinguish",
        &[
            "distinguish({ | }, { { | } | { | } }, 10^6) using { ties: attached, winner: moves, stuck: loses }",
            "distinguish(heaps(100000), heaps(99999), 1000) using { ties: attached, winner: moves, stuck: loses }",
            "distinguish({ | }, { | }, 30, birthday: 5) using { ties: attached, winner: moves, stuck: loses }",
        ],
    ),
    (
        "pivotal",
        &["pivotal(hex(64, 64), samples: 10^9)", "pivotal(hex(6, 6))"],
    ),
    (
        "plot",
        &[
            "plot(f(tictactoe, 0..1000000))",
            "plot([1 for i in 0..3000000])",
        ],
    ),
    ("heat", &["heat(outcomes(tictactoe, 0..3000, 0..3000))"]),
    (
        "outcomes",
        &[
            "outcomes(tictactoe, 0..3000, 0..3000)",
            "outcomes(tictactoe, 0..1000000, 0..1000000)",
            "outcomes(hex(64, 64), 0..3, 0..3)",
        ],
    ),
    (
        "mixed_bids",
        &[
            "mixed_bids(tictactoe, 0..1000, 1000) using menz",
            "mixed_bids(E, 10^9, 10^9) using menz",
        ],
    ),
    (
        "json",
        &["json(nest(40))", "json([2^300000 - i for i in 1..1500])"],
    ),
    (
        "csv",
        &["csv(nest(40))", "csv([2^300000 - i for i in 1..1500])"],
    ),
    (
        "latex",
        &["latex(nest(40))", "latex([1 for i in 0..3000000])"],
    ),
    (
        "html",
        &["html(nest(40))", "html([2^300000 - i for i in 1..1500])"],
    ),
    (
        "svg",
        &[
            "svg(tree(hex(3, 5)))",
            "svg(plot([1 for i in 0..3000000]))",
            "svg(heat(outcomes(tictactoe, 0..3000, 0..3000)))",
            "svg(hex(64, 64))",
            "svg(tangle(100000))",
        ],
    ),
    (
        "draw",
        &[
            "draw(hex(64, 64))",
            "draw(tangle(100000))",
            "draw(tug(300000), 9)",
        ],
    ),
    ("dot", &["dot(hex(64, 64))", "dot(tangle(100000))"]),
    (
        "node_link",
        &["node_link(hex(64, 64))", "node_link(tangle(300000))"],
    ),
    (
        "prism",
        &["prism(hex(64, 64), 1/2)", "prism(tangle(300000), 1/2)"],
    ),
    (
        "nfg",
        &[
            "nfg(tictactoe, 100000, 100000) using menz",
            "nfg(hex(64, 64), 3, 3) using menz",
        ],
    ),
    (
        "efg",
        &[
            "efg(tictactoe, 100000, 100000) using menz",
            "efg(hex(64, 64), 3, 3) using menz",
        ],
    ),
    (
        "floor",
        &["[floor(3^40000 / 7^(i % 20000)) for i in 1..1000000]"],
    ),
    (
        "ceil",
        &["[ceil(3^40000 / 7^(i % 20000)) for i in 1..1000000]"],
    ),
    ("abs", &["[abs(1/3^(i % 40000)) for i in 1..1000000]"]),
    (
        "decimal",
        &[
            "decimal(1/3, 65535)",
            "decimal(2^500000, 100000)",
            "[decimal(1/3^(i % 40000), 99999) for i in 1..10000]",
        ],
    ),
    (
        "min",
        &[
            "min([2^300000 - i for i in 1..5000])",
            "min([(0..3000000) for i in 1..10000])",
        ],
    ),
    (
        "max",
        &[
            "max([2^300000 - i for i in 1..5000])",
            "max([(0..3000000) for i in 1..10000])",
        ],
    ),
    (
        "sum",
        &[
            "sum([1/i for i in 1..1000000])",
            "sum([2^500000 for i in 1..1000000])",
        ],
    ),
    (
        "len",
        &[
            "len([(a, b) for a in 0..1000000 for b in 0..1000000])",
            "len(nest(40))",
            "len(0..10^12)",
        ],
    ),
    ("all", &["all([true for i in 1..9999999])"]),
    ("any", &["any([false for i in 1..9999999])"]),
    (
        "sort",
        &[
            "sort([2^300000 - i for i in 1..5000])",
            "sort(reverse(0..3000000))",
        ],
    ),
    (
        "reverse",
        &[
            "reverse([2^300000 - i for i in 1..5000])",
            "reverse(0..9999999)",
        ],
    ),
    (
        "unique",
        &[
            "unique([2^300000 - i for i in 1..5000])",
            "unique(0..3000000)",
        ],
    ),
    (
        "zip",
        &[
            "zip(0..3000000, 0..3000000)",
            "zip([2^300000 - i for i in 1..2500], [2^300000 - i for i in 1..2500])",
        ],
    ),
    (
        "tabulate",
        &[
            "tabulate([\"a\"], [[nest(40)]])",
            "tabulate([\"a\"], [[i] for i in 0..3000000])",
        ],
    ),
    (
        "grid",
        &["grid(10^6, 10^6)", "[grid(64, 64) for i in 1..1000000]"],
    ),
    (
        "hexgrid",
        &[
            "hexgrid(10^6, 10^6)",
            "[hexgrid(64, 64) for i in 1..1000000]",
        ],
    ),
    ("cells", &["[cells(grid(64, 64)) for i in 1..100000]"]),
    (
        "empty_cells",
        &["[empty_cells(grid(64, 64)) for i in 1..100000]"],
    ),
    ("rows", &["[rows(grid(64, 64)) for i in 1..1000000]"]),
    ("cols", &["[cols(grid(64, 64)) for i in 1..1000000]"]),
    ("row", &["[row(grid(64, 64), 1) for i in 1..1000000]"]),
    ("col", &["[col(grid(64, 64), 1) for i in 1..1000000]"]),
    (
        "count",
        &[
            "[count(grid(64, 64), alice) for i in 1..1000000]",
            "count([1 for i in 0..9999999], 1)",
        ],
    ),
    ("height", &["[height(grid(64, 64), 1) for i in 1..1000000]"]),
    ("full", &["[full(grid(64, 64, alice)) for i in 1..1000000]"]),
    (
        "line",
        &["[line(grid(64, 64, alice), alice, 64) for i in 1..1000000]"],
    ),
    (
        "connected",
        &["[connected(hexgrid(64, 64, alice), alice, left, right) for i in 1..1000000]"],
    ),
    (
        "neighbours",
        &["[neighbours(hexgrid(64, 64), (i % 64, 1)) for i in 0..1000000]"],
    ),
];
