//! The fields of rules, their values and the presets: one table each, from which reading,
//! completion, `:help` and messages come.

/// A field of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// How it is written.
    pub name: &'static str,
    /// What it decides.
    pub meaning: &'static str,
    /// The names of its values; the first is the default. A field without any takes a number.
    pub values: &'static [RuleWord],
    /// A program that writes the field.
    pub example: &'static str,
    /// What the program prints.
    pub prints: &'static str,
}

/// A value of a field, or rules with a name of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleWord {
    /// How it is written.
    pub name: &'static str,
    /// What it means, as a sentence.
    pub meaning: &'static str,
    /// A program that uses it.
    pub example: &'static str,
    /// What the program prints.
    pub prints: &'static str,
}

impl Field {
    /// The names of its values.
    pub fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.values.iter().map(|value| value.name)
    }
}

impl RuleWord {
    const fn new(
        name: &'static str,
        meaning: &'static str,
        example: &'static str,
        prints: &'static str,
    ) -> Self {
        Self {
            name,
            meaning,
            example,
            prints,
        }
    }
}

/// The fields. What takes a number is an entry of [`super::Numeric`].
pub const FIELDS: &[Field] = &[
    Field {
        name: "pay",
        meaning: "who pays after a bid, and to whom",
        values: &[
            RuleWord::new(
                "richman",
                "the winner pays the loser",
                "R(B^2) using { pay: richman }",
                "3/4",
            ),
            RuleWord::new(
                "poorman",
                "the winner pays the bank",
                "R(B^2) using { pay: poorman }",
                "2/3",
            ),
            RuleWord::new(
                "taxman",
                "taxman(t): the winner pays the part t to the bank, rounded up to whole chips where bids are whole, and the rest to the loser",
                "R(B^2) using { pay: taxman(1/2) }",
                "5/7",
            ),
            RuleWord::new(
                "all_pay",
                "both pay their bids, to each other",
                "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first }",
                "46/55",
            ),
            RuleWord::new(
                "all_pay_bank",
                "both pay their bids to the bank",
                "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay_bank, ties: ladies_first }",
                "1",
            ),
        ],
        example: "R(B^2) using { pay: poorman }",
        prints: "2/3",
    },
    Field {
        name: "bids",
        meaning: "what may be bid in games of chips",
        values: &[
            RuleWord::new(
                "discrete",
                "bids are whole chips",
                "f(E, 5) using { bids: discrete }",
                "3",
            ),
            RuleWord::new(
                "real",
                "bids are any amounts of money; R is about these in any case",
                "R(E) using { bids: real }",
                "1/2",
            ),
        ],
        example: "R(E) using { bids: real }",
        prints: "1/2",
    },
    Field {
        name: "ties",
        meaning: "who wins a tied bid",
        values: &[
            RuleWord::new(
                "advantage",
                "the holder of the advantage may use it to win the tie, and then passes it",
                "f(A^2 ∧ B^2, 0..5) using { ties: advantage }",
                "k                0   1   2   3   4   5\nf(A^2 ∧ B^2, k)  0*  1   1*  2   2*  3",
            ),
            RuleWord::new(
                "marker",
                "the holder of the marker must use it, wins the tie and passes it",
                "f(A^2 ∧ B^2, 0..5) using { ties: marker }",
                "k                0        1        2        3        4        5\nf(A^2 ∧ B^2, k)  (0*, 1)  (1*, 1)  (1*, 2)  (2*, 2)  (2*, 3)  (3*, 3)",
            ),
            RuleWord::new(
                "make_it_take_it",
                "the winner of the last bid wins ties: the star in `G(4*, 4)` marks that player; 3-ε is three chips of the other, who loses the next tie",
                "f(A^2 ∧ B^2, 0..5) using { ties: make_it_take_it }",
                "k                0    1    2    3    4    5\nf(A^2 ∧ B^2, k)  0    1-ε  1    2-ε  2    3-ε",
            ),
            RuleWord::new(
                "losers_ball",
                "the loser of the last bid wins ties",
                "f(A^2 ∧ B^2, 0..5) using { ties: losers_ball }",
                "k                0        1        2        3        4        5\nf(A^2 ∧ B^2, k)  (0*, 1)  (1*, 1)  (1*, 2)  (2*, 2)  (2*, 3)  (3*, 3)",
            ),
            RuleWord::new(
                "ladies_first",
                "Alice wins ties",
                "f(A^2 ∧ B^2, 0..5) using { ties: ladies_first }",
                "k                0  1  2  3  4  5\nf(A^2 ∧ B^2, k)  0  0  1  2  2  2",
            ),
            RuleWord::new(
                "gentlemen_first",
                "Bob wins ties",
                "f(A^2 ∧ B^2, 0..5) using { ties: gentlemen_first }",
                "k                0  1  2  3  4  5\nf(A^2 ∧ B^2, k)  1  2  2  2  3  4",
            ),
            RuleWord::new(
                "richer",
                "the player with more chips wins ties, Alice if both have the same",
                "f(A^2 ∧ B^2, 0..5) using { ties: richer }",
                "k                0  1  2  3  4  5\nf(A^2 ∧ B^2, k)  0  1  1  2  2  3",
            ),
            RuleWord::new(
                "coin",
                "a fair coin decides who wins a tie",
                "v(A^2 ∧ B^2, 4, 4) using { pay: all_pay, ties: coin }",
                "1/2",
            ),
            RuleWord::new(
                "nobody",
                "nobody wins the tie: no one moves, and both bid again with what is left to them",
                "v(E, 2, 1) using { pay: all_pay_bank, ties: nobody, minimum_bid: 1, draws: half }",
                "1",
            ),
            RuleWord::new(
                "attached",
                "the holder of the marker wins the tie; the marker may be attached to a bid, and passes with each tie and each winning bid that it \
                 is attached to (Kant, Larsson, Rai & Upasany 2022)",
                "f({ | }, 0..3) using { ties: attached, winner: moves, stuck: loses }",
                "k            0        1        2        3\nf({ | }, k)  (1*, 0)  (2*, 0)  (3*, 0)  (4*, 0)",
            ),
        ],
        example: "f(A^2 ∧ B^2, 0..5) using { ties: marker }",
        prints: "k                0        1        2        3        4        5\nf(A^2 ∧ B^2, k)  (0*, 1)  (1*, 1)  (1*, 2)  (2*, 2)  (2*, 3)  (3*, 3)",
    },
    Field {
        name: "winner",
        meaning: "what the winner of a bid wins",
        values: &[
            RuleWord::new(
                "chooses",
                "the winner of a bid decides who makes the next move",
                "f({ B | A }, 0..5) using { winner: chooses }",
                "k                0   1   2   3   4   5\nf({ B | A }, k)  0*  1   1*  2   2*  3",
            ),
            RuleWord::new(
                "moves",
                "the winner of a bid makes the next move, like it or not",
                "f({ B | A }, 0..5) using { winner: moves }",
                "k                0        1        2        3        4        5\nf({ B | A }, k)  0*       (0*, 2)  (0*, 3)  (0*, 4)  (0*, 5)  (0*, 6)",
            ),
        ],
        example: "f({ B | A }, 0..5) using { winner: moves }",
        prints: "k                0        1        2        3        4        5\nf({ B | A }, k)  0*       (0*, 2)  (0*, 3)  (0*, 4)  (0*, 5)  (0*, 6)",
    },
    Field {
        name: "draws",
        meaning: "what a draw is worth where one number is asked for",
        values: &[
            RuleWord::new(
                "neither",
                "a draw counts as not won, for either player",
                "R(A ∧ Draw) using { draws: neither }",
                "1/2",
            ),
            RuleWord::new(
                "alice",
                "a draw counts as a win for Alice",
                "R(A ∧ Draw) using { draws: alice }",
                "0",
            ),
            RuleWord::new(
                "bob",
                "a draw counts as a win for Bob",
                "R(A ∧ Draw) using { draws: bob }",
                "1/2",
            ),
            RuleWord::new(
                "half",
                "a draw counts as half a win for each player",
                "v(Draw, 4, 4) using { pay: all_pay, ties: richer, draws: half }",
                "1/2",
            ),
        ],
        example: "R(A ∧ Draw) using { draws: alice }",
        prints: "0",
    },
    Field {
        name: "minimum_bid",
        meaning: "a whole number, 0 by default: with `ties: nobody`, the least bid of a player who has so many chips; who has fewer bids all of them",
        values: &[],
        example: "v(E, 2, 1) using { pay: all_pay_bank, ties: nobody, minimum_bid: 1, draws: half }",
        prints: "1",
    },
    Field {
        name: "stuck",
        meaning: "what happens to a player who must move and has no move, where the game itself does not say",
        values: &[
            RuleWord::new(
                "opponent_moves",
                "the other player moves; if neither can, the game is drawn",
                "R({ A | }) using { stuck: opponent_moves }",
                "0",
            ),
            RuleWord::new(
                "loses",
                "the player loses, as in normal play",
                "R({ A | }) using { stuck: loses }",
                "0",
            ),
            RuleWord::new(
                "wins",
                "the player wins, as in misère play",
                "R({ A | }) using { stuck: wins }",
                "1/2",
            ),
            RuleWord::new(
                "draws",
                "the game is drawn",
                "R({ A | }) using { stuck: draws, draws: bob }",
                "1/2",
            ),
            RuleWord::new(
                "passes",
                "the position stays as it is; if neither can move, the game is drawn",
                "R({ A | }) using { stuck: passes }",
                "0",
            ),
        ],
        example: "R({ A | }) using { stuck: wins }",
        prints: "1/2",
    },
    Field {
        name: "objective",
        meaning: "what the players want of play that does not end, under real-valued bidding and, where equal bids move nobody, of play that stands still",
        values: &[
            RuleWord::new(
                "reachability",
                "play that does not end is a draw, and only endings are won",
                "R(graph { start 0; both 0 <-> 1; both 1 -> A, B }) using { objective: reachability }",
                "1/2",
            ),
            RuleWord::new(
                "buchi",
                "Alice wins if she comes again and again to vertices of the lines `accepting: x, y`",
                "R(graph { start 0; both 0 <-> 1; accepting: 1 }) using { objective: buchi }",
                "0",
            ),
            RuleWord::new(
                "parity",
                "Alice wins if the greatest priority that comes again and again is even; `priority 2: x` gives x a priority",
                "R(graph { start 0; both 0 <-> 1; priority 1: 0; priority 2: 1 }) using { objective: parity }",
                "0",
            ),
            RuleWord::new(
                "mean_payoff",
                "Alice wins if the weights of `weight 1: x` and `both x -> y weight 1` have a positive mean per move; the mean 0 is a draw",
                "R(graph { start 0; both 0 <-> 1; weight 1: 1 }) using { objective: mean_payoff }",
                "0",
            ),
        ],
        example: "R(graph { start 0; both 0 <-> 1; accepting: 1 }) using { objective: buchi }",
        prints: "0",
    },
    Field {
        name: "solver",
        meaning: "the algorithm that finds the answer; the answer does not depend on it",
        values: &[
            RuleWord::new(
                "auto",
                "the program picks the fastest algorithm that applies",
                "R(E) using { solver: auto }",
                "1/2",
            ),
            RuleWord::new(
                "acyclic",
                "backward from the endings, over a graph without cycles",
                "R(A ∧ B^2) using { solver: acyclic }",
                "3/8",
            ),
            RuleWord::new(
                "strategy_improvement",
                "strategy improvement on each strongly connected component, exact",
                "use \"games/classics.bid\"\nR(tug(3) at 1) using { solver: strategy_improvement }",
                "1/3",
            ),
            RuleWord::new(
                "path_slopes",
                "for R of undirected graphs: path by path, the steepest first (Arun, Theorem 2.6)",
                "use \"games/classics.bid\"\nR(tug(3) at 1) using { solver: path_slopes }",
                "1/3",
            ),
            RuleWord::new(
                "two_moves",
                "for R where each position has two moves at most: one linear system (Arun, Theorem 2.5)",
                "use \"games/classics.bid\"\nR(tug(3) at 1) using { solver: two_moves }",
                "1/3",
            ),
            RuleWord::new(
                "iteration",
                "fixed points by iteration; for R, proved bounds that close in from both sides",
                "use \"games/classics.bid\"\nf(tug(3), 5) using { solver: iteration }",
                "3",
            ),
            RuleWord::new(
                "exact",
                "for all-pay bidding: exact rationals, whatever the total",
                "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first, solver: exact }",
                "46/55",
            ),
            RuleWord::new(
                "toeplitz",
                "for all-pay bidding: the Toeplitz structure of the matrices, and linear programs where that proves too little",
                "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first, solver: toeplitz }",
                "0.83636363636364 ± 1e-14",
            ),
            RuleWord::new(
                "linear_program",
                "for all-pay bidding: linear programs, with certified results",
                "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first, solver: linear_program }",
                "0.83636363636364 ± 1e-14",
            ),
            RuleWord::new(
                "search",
                "for outcomes and thresholds in chips of games in which play always ends: search from the position asked about, without a table \
                 of all positions",
                "use \"games/classics.bid\"\ntictactoe(4*, 4) using { solver: search }",
                "alice",
            ),
        ],
        example: "R(A ∧ B^2) using { solver: acyclic }",
        prints: "3/8",
    },
    Field {
        name: "precision",
        meaning: "a number between 0 and 1: how far apart the proved bounds of a value that is not exact may be, 1e-12 by default",
        values: &[],
        example: "use \"games/classics.bid\"\nR(tug(3) at 1) using { pay: poorman, precision: 1e-3 }",
        prints: "0.4142 ± 2e-4",
    },
    Field {
        name: "robin_hood",
        meaning: "a part t, 0 ≤ t < 1/2, 0 by default: before each bid the richer player gives the poorer this part of the difference of \
                  their money; for real-valued bidding",
        values: &[],
        example: "R(B^2) using { robin_hood: 1/10 }",
        prints: "13/16",
    },
];

/// The rules that carry the papers' names.
pub const PRESETS: &[RuleWord] = &[
    RuleWord::new(
        "develin_payne",
        "Develin & Payne 2010: the winner pays the loser, and ties are broken by the tie-breaking advantage.",
        "f(A^2 ∧ B^2, 0..5) using develin_payne",
        "k                0   1   2   3   4   5\nf(A^2 ∧ B^2, k)  0*  1   1*  2   2*  3",
    ),
    RuleWord::new(
        "larsson",
        "Larsson, Patel & Rai 2020: the winner pays the loser and moves; the marker's holder must use it on a tie, and passes it.",
        "f(A^2 ∧ B^2, 0..5) using larsson",
        "k                0        1        2        3        4        5\nf(A^2 ∧ B^2, k)  (0*, 1)  (1*, 1)  (1*, 2)  (2*, 2)  (2*, 3)  (3*, 3)",
    ),
    RuleWord::new(
        "menz",
        "Menz, Wang & Xie 2015: both players pay, to each other; the richer player wins ties; a draw is half a win.",
        "v(A^2 ∧ B^2, 4, 3) using menz",
        "7/9",
    ),
    RuleWord::new(
        "lazarus",
        "Lazarus et al. 1999: bids are real numbers, the winner pays the loser, and a coin decides ties.",
        "R(A ∧ B^2) using lazarus",
        "3/8",
    ),
];
