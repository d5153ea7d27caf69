//! Random questions: every query, under rules with any of their fields.

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::games::{Game, Kind};

/// The part of two answers that must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// The value, regardless of the names of positions.
    Value,
    /// The whole text, among ways with the same names of positions.
    Text,
}

/// A question about `G`.
#[derive(Debug)]
pub struct Question {
    /// The function that is called.
    pub query: &'static str,
    /// The whole question.
    pub text: String,
    pub compared: Compared,
}

/// The chips of a query: `a` and `b` with the star if the rules need one.
#[derive(Debug, Clone, Copy)]
struct Chips {
    a: u32,
    b: u32,
    star: Option<bool>,
}

impl Chips {
    fn random(dice: &mut StdRng, ties: &str) -> Self {
        let status = matches!(
            ties,
            "advantage" | "marker" | "make_it_take_it" | "losers_ball"
        );
        // Occasionally the number of stars is wrong.
        let starred = if dice.random_bool(0.05) {
            !status
        } else {
            status
        };
        Self {
            a: dice.random_range(0..=4),
            b: dice.random_range(0..=4),
            star: starred.then(|| dice.random_bool(0.5)),
        }
    }

    fn both(self) -> String {
        let (a, b) = match self.star {
            None => ("", ""),
            Some(true) => ("*", ""),
            Some(false) => ("", "*"),
        };
        format!("{}{a}, {}{b}", self.a, self.b)
    }
}

const TIES: [&str; 8] = [
    "advantage",
    "marker",
    "make_it_take_it",
    "losers_ball",
    "ladies_first",
    "gentlemen_first",
    "richer",
    "coin",
];

/// The subject of a query, which decides the payments that fit it.
#[derive(Debug, Clone, Copy)]
enum About {
    Shares,
    Chips,
    Sequences,
    AllPay,
    Scores,
    /// An objective of infinite play.
    Marks,
    Anything,
}

/// A query: the name, its subject, the part that is compared, and the expression for these chips
/// and a small number.
type Query = (&'static str, About, Compared, fn(Chips, u32) -> String);

const QUERIES: &[Query] = &[
    ("R", About::Shares, Compared::Value, |_, _| "R(G)".into()),
    ("P", About::Shares, Compared::Value, |_, _| "P(G)".into()),
    ("P with a coin", About::Shares, Compared::Value, |_, n| {
        format!(
            "P(G, {})",
            ["0", "1", "1/3", "2/3", "1/2", "3/4"][n as usize % 6]
        )
    }),
    ("f", About::Chips, Compared::Value, |_, n| {
        format!("f(G, {n})")
    }),
    ("f over totals", About::Chips, Compared::Value, |_, n| {
        format!("f(G, 0..{})", 3 * n)
    }),
    (
        "f against budgets",
        About::Chips,
        Compared::Value,
        |_, n| format!("f(G, bob: 0..{n})"),
    ),
    (
        "f against a budget",
        About::Chips,
        Compared::Value,
        |_, n| format!("f(G, bob: {n})"),
    ),
    ("outcome", About::Chips, Compared::Value, |chips, _| {
        format!("G({})", chips.both())
    }),
    ("outcomes", About::Chips, Compared::Value, |_, n| {
        format!("outcomes(G, 0..{n}, 0..3)")
    }),
    ("thresholds", About::Shares, Compared::Value, |_, _| {
        "thresholds(G)".into()
    }),
    ("bounds", About::Shares, Compared::Value, |_, n| {
        format!("bounds(G, moves: {n})")
    }),
    (
        "bounds in chips",
        About::Chips,
        Compared::Value,
        |chips, n| format!("bounds(G, moves: {n}, chips: {})", chips.a),
    ),
    ("payoff", About::Marks, Compared::Value, |_, n| {
        let asked = if n % 2 == 0 {
            "payoff(G)".into()
        } else {
            format!("payoff(G, {n}, 2)")
        };
        format!("{asked} using {{ objective: mean_payoff, bids: real }}")
    }),
    (
        "R of an objective",
        About::Marks,
        Compared::Value,
        |_, n| {
            format!(
                "R(G) using {{ objective: {} }}",
                ["buchi", "parity", "mean_payoff"][n as usize % 3]
            )
        },
    ),
    (
        "thresholds of an objective",
        About::Marks,
        Compared::Value,
        |_, n| {
            format!(
                "thresholds(G) using {{ objective: {} }}",
                ["buchi", "parity", "mean_payoff"][n as usize % 3]
            )
        },
    ),
    ("table", About::Sequences, Compared::Value, |_, _| {
        "table(G)".into()
    }),
    ("stable", About::Sequences, Compared::Value, |_, _| {
        "stable(G)".into()
    }),
    ("period", About::Sequences, Compared::Value, |_, _| {
        "period(G)".into()
    }),
    ("order", About::Sequences, Compared::Value, |_, n| {
        let other = ["E", "A^2", "B^2", "A ∧ B^2", "(A ∧ B^2) ∧ B", "G"][n as usize % 6];
        format!("[G <= {other}, G >= {other}, G == {other}, G || {other}]")
    }),
    ("simplify", About::Sequences, Compared::Text, |_, _| {
        "simplify(G)".into()
    }),
    ("openings", About::Sequences, Compared::Text, |_, _| {
        "openings(G)".into()
    }),
    ("compare", About::Sequences, Compared::Text, |_, n| {
        format!(
            "compare(G, {})",
            ["E", "A^2", "B^2", "A ∧ B^2", "(A ∧ B^2) ∧ B", "G"][n as usize % 6]
        )
    }),
    ("classes", About::Sequences, Compared::Text, |_, _| {
        "classes(G)".into()
    }),
    ("strategy", About::Chips, Compared::Text, |chips, _| {
        format!("strategy(G, {})", chips.both())
    }),
    (
        "strategy with money",
        About::Shares,
        Compared::Text,
        |chips, _| {
            format!(
                "strategy(G, {}, {}) using {{ bids: real }}",
                chips.a, chips.b
            )
        },
    ),
    ("moves", About::Shares, Compared::Text, |_, _| {
        "moves(G)".into()
    }),
    (
        "moves with chips",
        About::Chips,
        Compared::Text,
        |chips, _| format!("moves(G, {})", chips.both()),
    ),
    ("tree", About::Shares, Compared::Text, |_, n| {
        format!("tree(G, depth: {n})")
    }),
    ("size", About::Anything, Compared::Text, |_, _| {
        "size(G)".into()
    }),
    ("positions", About::Anything, Compared::Text, |_, _| {
        "positions(G)".into()
    }),
    ("v", About::AllPay, Compared::Value, |chips, _| {
        format!("v(G, {})", chips.both())
    }),
    (
        "v over budgets",
        About::AllPay,
        Compared::Value,
        |chips, n| format!("v(G, 0..{n}, {})", chips.b.min(3)),
    ),
    ("nash", About::AllPay, Compared::Text, |chips, _| {
        format!("nash(G, {})", chips.both())
    }),
    ("precise", About::AllPay, Compared::Value, |chips, _| {
        format!("precise(G, {})", chips.both())
    }),
    ("length", About::AllPay, Compared::Value, |chips, _| {
        format!("length(G, {})", chips.both())
    }),
    ("sure", About::AllPay, Compared::Value, |_, n| {
        format!("sure(G, {n})")
    }),
    (
        "sure over budgets",
        About::AllPay,
        Compared::Value,
        |_, n| format!("sure(G, 0..{n})"),
    ),
    ("o", About::Scores, Compared::Value, |chips, _| {
        format!("o(G, {})", chips.both())
    }),
    ("o for a total", About::Scores, Compared::Value, |_, n| {
        format!("o(G, {n})")
    }),
    ("value", About::Scores, Compared::Value, |chips, _| {
        format!("value(G, {})", chips.both())
    }),
    ("monotone", About::Scores, Compared::Text, |_, n| {
        format!("monotone(G, {n})")
    }),
    (
        "bidding_matrix",
        About::Scores,
        Compared::Value,
        |chips, _| format!("bidding_matrix(G, {})", chips.both()),
    ),
];

impl Question {
    /// Returns `true` if the requested method needs a graph of a certain shape. Whether there is an
    /// answer then depends on which equal positions are one vertex.
    pub fn depends_on_shape(&self) -> bool {
        ["two_moves", "path_slopes"]
            .iter()
            .any(|solver| self.text.contains(&format!("solver: {solver}")))
    }

    pub fn random(dice: &mut StdRng, game: &Game) -> Self {
        let marked = matches!(&game.kind, Kind::Graph(graph) if graph.marks.is_some());
        let scored = game.is_scored();
        let fitting = |(_, about, ..): &&Query| match about {
            About::Scores => scored,
            About::Marks => marked,
            About::Anything => true,
            About::Shares | About::Chips | About::Sequences | About::AllPay => !scored,
        };
        // Occasionally the question does not fit the game.
        let queries: Vec<&Query> = QUERIES
            .iter()
            .filter(|query| dice.random_bool(0.05) || fitting(query))
            .collect();
        let (query, about, compared, write) = **queries.choose(dice).expect("there are queries");
        let about = if dice.random_bool(0.1) {
            About::Anything
        } else {
            about
        };
        let mut fields = Vec::new();
        let mut ties = "advantage";
        if dice.random_bool(0.7) {
            ties = TIES.choose(dice).expect("there are rules for ties");
            fields.push(format!("ties: {ties}"));
        }
        if let Some(pay) = pay(dice, about) {
            fields.push(format!("pay: {pay}"));
        }
        let mut any = |chance: f64, field: &str, values: &[&str]| {
            if dice.random_bool(chance) {
                fields.push(format!(
                    "{field}: {}",
                    values.choose(dice).expect("there are values")
                ));
            }
        };
        any(0.5, "winner", &["chooses", "moves"]);
        any(0.6, "draws", &["neither", "alice", "bob", "half"]);
        any(0.05, "bids", &["discrete", "real"]);
        any(
            if marked { 0.7 } else { 0.03 },
            "objective",
            &["reachability", "buchi", "parity", "mean_payoff"],
        );
        any(
            0.1,
            "solver",
            &[
                "acyclic",
                "strategy_improvement",
                "path_slopes",
                "two_moves",
                "iteration",
                "exact",
                "toeplitz",
                "linear_program",
            ],
        );
        any(0.05, "precision", &["1e-3", "1e-9", "1e-20"]);
        let chips = Chips::random(dice, ties);
        let asked = write(chips, dice.random_range(0..=6));
        let text = if fields.is_empty() {
            asked
        } else if let Some((asked, more)) = asked.split_once(" using { ") {
            format!("{asked} using {{ {}, {more}", fields.join(", "))
        } else {
            format!("({asked}) using {{ {} }}", fields.join(", "))
        };
        Self {
            query,
            text,
            compared,
        }
    }
}

/// Draws a payment that mostly fits.
fn pay(dice: &mut StdRng, about: About) -> Option<&'static str> {
    const ALL: [&str; 7] = [
        "richman",
        "poorman",
        "taxman(1/3)",
        "taxman(0)",
        "taxman(1)",
        "all_pay",
        "all_pay_bank",
    ];
    let fitting: &[&str] = match about {
        About::Shares | About::Marks => &[
            "richman",
            "richman",
            "richman",
            "poorman",
            "taxman(1/3)",
            "taxman(1)",
            "taxman(0)",
        ],
        About::Chips => &[
            "richman",
            "richman",
            "richman",
            "richman",
            "richman",
            "richman",
            "poorman",
            "taxman(1/2)",
        ],
        About::Sequences | About::Scores => &["richman"],
        About::AllPay => &["all_pay", "all_pay_bank"],
        About::Anything => &ALL,
    };
    fitting
        .choose(dice)
        .copied()
        .filter(|pay| *pay != "richman" || dice.random_bool(0.2))
}
