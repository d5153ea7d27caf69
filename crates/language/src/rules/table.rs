//! The table of rules: the fields with their values, ranges and help, and the presets. Reading,
//! printing, completion, `:help` and messages are derived from it.

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use super::admit::MOST_CHIPS;
use super::fields::{Numeric, RuleField, RuleWord, WordMeaning};
use super::{
    BidKind, Credit, Draws, FieldValue, Income, MinimumBid, Objective, Payment, Precision,
    RobinHood, Rules, Solver, Stuck, StuckResult, TieBreak, Winner,
};
use crate::player::{PerPlayer, Player};

/// The words of a field: the value of each, its meaning, and an example with its output.
macro_rules! words {
    ($($name:literal = $kind:ident($value:expr): $meaning:literal, $example:literal => $prints:literal;)*) => {
        &[$(RuleWord {
            name: $name,
            meant: meaning!($kind($value)),
            meaning: $meaning,
            example: $example,
            prints: $prints,
        }),*]
    };
}

/// A value of a field, the numbers with which a word is called, or the rules of a preset.
macro_rules! meaning {
    (Rules($rules:expr)) => {
        WordMeaning::Rules($rules)
    };
    (Number($numeric:expr)) => {
        WordMeaning::Number($numeric)
    };
    ($field:ident($value:expr)) => {
        WordMeaning::Value(|| FieldValue::$field($value))
    };
}

/// The fields, in the order in which rules are printed.
pub const FIELDS: &[RuleField] = &[
    RuleField::of_words("pay", "who pays after a bid, and to whom", PAY, 1),
    RuleField::of_words("bids", "what may be bid in games of chips", BIDS, 1),
    RuleField::of_words("ties", "who wins a tied bid", TIES, 1),
    RuleField::of_words("winner", "what the winner of a bid wins", WINNER, 1),
    RuleField::of_words(
        "draws",
        "what a draw is worth where one number is asked for",
        DRAWS,
        1,
    ),
    RuleField::of_numbers(
        "minimum_bid",
        "a whole number, 0 by default: with `ties: nobody`, the least bid of a player who has that many chips; a player with fewer bids all of them",
        MINIMUM_BID,
        "v(E, 2, 1) using { pay: all_pay_bank, ties: nobody, minimum_bid: 1, draws: half }",
        "1",
    ),
    RuleField::of_words(
        "stuck",
        "what happens to a player who must move and has no move, where the game itself does not say",
        STUCK,
        2,
    ),
    RuleField::of_words(
        "objective",
        "what the players want of play that does not end, under real-valued bidding and with chips, and, where equal bids move nobody, of play that stands still",
        OBJECTIVE,
        1,
    ),
    RuleField::of_numbers(
        "energy",
        "a number c, 0 by default: under `objective: energy` Alice wins if the sum of the weights never falls below -c",
        ENERGY,
        "f(graph { start 0; both 0 <-> 1; weight 1: 1; weight -1: 0 }, 4) using { objective: energy, energy: 1 }",
        "0",
    ),
    RuleField::of_words(
        "solver",
        "the algorithm that finds the answer; the answer does not depend on it",
        SOLVER,
        1,
    ),
    RuleField::of_numbers(
        "precision",
        "a number between 0 and 1: how far apart the proved bounds of a value that is not exact may be, 1e-12 by default",
        PRECISION,
        "use \"games/classics.bid\"\nR(tug(3) at 1) using { pay: poorman, precision: 1e-3 }",
        "0.4142 ± 2e-4",
    ),
    RuleField::of_numbers(
        "robin_hood",
        "a part t, 0 ≤ t < 1/2, 0 by default: before each bid the richer player gives the poorer this part of the difference of \
                  their money; for real-valued bidding",
        ROBIN_HOOD,
        "R(B^2) using { robin_hood: 1/10 }",
        "13/16",
    ),
    RuleField::of_numbers(
        "income",
        "a list `[r, s]`, [0, 0] by default: before each bid Alice receives the part r of all money, Bob the part s, and then both \
                  have together what they had before; for real-valued bidding",
        INCOME,
        "R(B^2) using { income: [1/8, 0] }",
        "175/256",
    ),
];

const PAY: &[RuleWord] = words! {
    "richman" = Pay(Payment::Richman): "the winner pays the loser",
        "R(B^2) using { pay: richman }" => "3/4";
    "poorman" = Pay(Payment::Poorman): "the winner pays the bank",
        "R(B^2) using { pay: poorman }" => "2/3";
    "taxman" = Number(TAXMAN): "taxman(t): the winner pays the part t to the bank, rounded up to whole chips where bids are whole, and the rest to the loser",
        "R(B^2) using { pay: taxman(1/2) }" => "5/7";
    "all_pay" = Pay(Payment::AllPay): "both pay their bids, to each other",
        "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first }" => "46/55";
    "all_pay_bank" = Pay(Payment::AllPayBank): "both pay their bids to the bank",
        "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay_bank, ties: ladies_first }" => "1";
};

const BIDS: &[RuleWord] = words! {
    "discrete" = Bids(BidKind::Discrete): "bids are whole chips",
        "f(E, 5) using { bids: discrete }" => "3";
    "real" = Bids(BidKind::Real): "bids are any amounts of money; R is about these in any case",
        "R(E) using { bids: real }" => "1/2";
};

const TIES: &[RuleWord] = words! {
    "advantage" = Ties(TieBreak::Advantage): "the holder of the advantage may use it to win the tie, and then passes it",
        "f(A^2 ∧ B^2, 0..5) using { ties: advantage }" => "k                0   1   2   3   4   5\nf(A^2 ∧ B^2, k)  0*  1   1*  2   2*  3";
    "marker" = Ties(TieBreak::Marker): "the holder of the marker must use it, wins the tie and passes it",
        "f(A^2 ∧ B^2, 0..5) using { ties: marker }" => "k                0        1        2        3        4        5\nf(A^2 ∧ B^2, k)  (0*, 1)  (1*, 1)  (1*, 2)  (2*, 2)  (2*, 3)  (3*, 3)";
    "make_it_take_it" = Ties(TieBreak::MakeItTakeIt): "the winner of the last bid wins ties: the star in `G(4*, 4)` marks that player; 3-ε is three chips of the other, who loses the next tie",
        "f(A^2 ∧ B^2, 0..5) using { ties: make_it_take_it }" => "k                0    1    2    3    4    5\nf(A^2 ∧ B^2, k)  0    1-ε  1    2-ε  2    3-ε";
    "losers_ball" = Ties(TieBreak::LosersBall): "the loser of the last bid wins ties",
        "f(A^2 ∧ B^2, 0..5) using { ties: losers_ball }" => "k                0        1        2        3        4        5\nf(A^2 ∧ B^2, k)  (0*, 1)  (1*, 1)  (1*, 2)  (2*, 2)  (2*, 3)  (3*, 3)";
    "ladies_first" = Ties(TieBreak::LadiesFirst): "Alice wins ties",
        "f(A^2 ∧ B^2, 0..5) using { ties: ladies_first }" => "k                0  1  2  3  4  5\nf(A^2 ∧ B^2, k)  0  0  1  2  2  2";
    "gentlemen_first" = Ties(TieBreak::GentlemenFirst): "Bob wins ties",
        "f(A^2 ∧ B^2, 0..5) using { ties: gentlemen_first }" => "k                0  1  2  3  4  5\nf(A^2 ∧ B^2, k)  1  2  2  2  3  4";
    "richer" = Ties(TieBreak::Richer): "the player with more chips wins ties, Alice if both have the same",
        "f(A^2 ∧ B^2, 0..5) using { ties: richer }" => "k                0  1  2  3  4  5\nf(A^2 ∧ B^2, k)  0  1  1  2  2  3";
    "coin" = Ties(TieBreak::Coin): "a fair coin decides who wins a tie",
        "v(A^2 ∧ B^2, 4, 4) using { pay: all_pay, ties: coin }" => "1/2";
    "nobody" = Ties(TieBreak::Nobody): "nobody wins the tie: no one moves, and both bid again with what is left to them",
        "v(E, 2, 1) using { pay: all_pay_bank, ties: nobody, minimum_bid: 1, draws: half }" => "1";
    "attached" = Ties(TieBreak::Attached): "the holder of the marker wins the tie; the marker may be attached to a bid, and passes with each tie and each winning bid that it \
                 is attached to (Kant, Larsson, Rai & Upasany 2022)",
        "f({ | }, 0..3) using { ties: attached, winner: moves, stuck: loses }" => "k            0        1        2        3\nf({ | }, k)  (1*, 0)  (2*, 0)  (3*, 0)  (4*, 0)";
};

const WINNER: &[RuleWord] = words! {
    "chooses" = Winner(Winner::Chooses): "the winner of a bid decides who makes the next move",
        "f({ B | A }, 0..5) using { winner: chooses }" => "k                0   1   2   3   4   5\nf({ B | A }, k)  0*  1   1*  2   2*  3";
    "moves" = Winner(Winner::Moves): "the winner of a bid makes the next move, like it or not",
        "f({ B | A }, 0..5) using { winner: moves }" => "k                0        1        2        3        4        5\nf({ B | A }, k)  0*       (0*, 2)  (0*, 3)  (0*, 4)  (0*, 5)  (0*, 6)";
};

const DRAWS: &[RuleWord] = words! {
    "neither" = Draws(Draws::Neither): "a draw counts as not won, for either player",
        "R(A ∧ Draw) using { draws: neither }" => "1/2";
    "alice" = Draws(Draws::Alice): "a draw counts as a win for Alice",
        "R(A ∧ Draw) using { draws: alice }" => "0";
    "bob" = Draws(Draws::Bob): "a draw counts as a win for Bob",
        "R(A ∧ Draw) using { draws: bob }" => "1/2";
    "half" = Draws(Draws::Half): "a draw counts as half a win for each player",
        "v(Draw, 4, 4) using { pay: all_pay, ties: richer, draws: half }" => "1/2";
};

const STUCK: &[RuleWord] = words! {
    "opponent_moves" = Stuck(Stuck::OpponentMoves): "the other player moves; if neither can, the game is drawn",
        "R({ A | }) using { stuck: opponent_moves }" => "0";
    "loses" = Stuck(Stuck::Ends(StuckResult::Loss)): "the player loses, as in normal play",
        "R({ A | }) using { stuck: loses }" => "0";
    "wins" = Stuck(Stuck::Ends(StuckResult::Win)): "the player wins, as in misère play",
        "R({ A | }) using { stuck: wins }" => "1/2";
    "draws" = Stuck(Stuck::Ends(StuckResult::Draw)): "the game is drawn",
        "R({ A | }) using { stuck: draws, draws: bob }" => "1/2";
    "passes" = Stuck(Stuck::Passes): "the position stays as it is; if neither can move, the game is drawn",
        "R({ A | }) using { stuck: passes }" => "0";
};

const OBJECTIVE: &[RuleWord] = words! {
    "reachability" = Objective(Objective::Reachability): "play that does not end is a draw, and only endings are won",
        "R(graph { start 0; both 0 <-> 1; both 1 -> A, B }) using { objective: reachability }" => "1/2";
    "buchi" = Objective(Objective::Buchi): "Alice wins if she comes again and again to vertices of the lines `accepting: x, y`",
        "R(graph { start 0; both 0 <-> 1; accepting: 1 }) using { objective: buchi }" => "0";
    "parity" = Objective(Objective::Parity): "Alice wins if the greatest priority that comes again and again is even; `priority 2: x` gives x a priority",
        "R(graph { start 0; both 0 <-> 1; priority 1: 0; priority 2: 1 }) using { objective: parity }" => "0";
    "mean_payoff" = Objective(Objective::MeanPayoff): "Alice wins if the weights of `weight 1: x` and `both x -> y weight 1` have a positive mean per move; the mean 0 is a draw",
        "R(graph { start 0; both 0 <-> 1; weight 1: 1 }) using { objective: mean_payoff }" => "0";
    "energy" = Objective(Objective::Energy): "Alice wins if the sum of the weights never falls below -c, where `energy: c` gives c; with chips",
        "f(graph { start 0; both 0 <-> 1; weight 1: 1; weight -1: 0 }, 4) using { objective: energy, energy: 1 }" => "0";
};

const SOLVER: &[RuleWord] = words! {
    "auto" = Solver(Solver::Auto): "the program picks the fastest algorithm that applies",
        "R(E) using { solver: auto }" => "1/2";
    "acyclic" = Solver(Solver::Acyclic): "backward from the endings, over a graph without cycles",
        "R(A ∧ B^2) using { solver: acyclic }" => "3/8";
    "strategy_improvement" = Solver(Solver::StrategyImprovement): "strategy improvement on each strongly connected component, exact",
        "use \"games/classics.bid\"\nR(tug(3) at 1) using { solver: strategy_improvement }" => "1/3";
    "path_slopes" = Solver(Solver::PathSlopes): "for R of undirected graphs: path by path, the steepest first (Arun, Theorem 2.6)",
        "use \"games/classics.bid\"\nR(tug(3) at 1) using { solver: path_slopes }" => "1/3";
    "two_moves" = Solver(Solver::TwoMoves): "for R where each position has two moves at most: one linear system (Arun, Theorem 2.5)",
        "use \"games/classics.bid\"\nR(tug(3) at 1) using { solver: two_moves }" => "1/3";
    "iteration" = Solver(Solver::Iteration): "fixed points by iteration; for R, proved bounds that close in from both sides",
        "use \"games/classics.bid\"\nf(tug(3), 5) using { solver: iteration }" => "3";
    "exact" = Solver(Solver::Exact): "for all-pay bidding: exact rationals, whatever the total",
        "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first, solver: exact }" => "46/55";
    "toeplitz" = Solver(Solver::Toeplitz): "for all-pay bidding: the Toeplitz structure of the matrices, and linear programs where that proves too little",
        "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first, solver: toeplitz }" => "0.836363636363636 ± 6e-15";
    "linear_program" = Solver(Solver::LinearProgram): "for all-pay bidding: linear programs, with certified results",
        "v(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first, solver: linear_program }" => "0.836363636363636 ± 6e-15";
    "search" = Solver(Solver::Search): "for outcomes and thresholds in chips of games in which play always ends: search from the position asked about, without a table \
                 of all positions",
        "use \"games/classics.bid\"\ntictactoe(4*, 4) using { solver: search }" => "alice";
};

/// The rules that are named after papers.
pub const PRESETS: &[RuleWord] = words! {
    "develin_payne" = Rules(Rules::default): "Develin & Payne 2010: the winner pays the loser, and ties are broken by the tie-breaking advantage.",
        "f(A^2 ∧ B^2, 0..5) using develin_payne" => "k                0   1   2   3   4   5\nf(A^2 ∧ B^2, k)  0*  1   1*  2   2*  3";
    "larsson" = Rules(larsson): "Larsson, Patel & Rai 2020: the winner pays the loser and moves; the marker's holder must use it on a tie, and passes it.",
        "f(A^2 ∧ B^2, 0..5) using larsson" => "k                0        1        2        3        4        5\nf(A^2 ∧ B^2, k)  (0*, 1)  (1*, 1)  (1*, 2)  (2*, 2)  (2*, 3)  (3*, 3)";
    "menz" = Rules(menz): "Menz, Wang & Xie 2015: both players pay, to each other; the richer player wins ties; a draw is half a win.",
        "v(A^2 ∧ B^2, 4, 3) using menz" => "7/9";
    "lazarus" = Rules(lazarus): "Lazarus et al. 1999: bids are real numbers, the winner pays the loser, and a coin decides ties.",
        "R(A ∧ B^2) using lazarus" => "3/8";
};

const TAXMAN: Numeric = Numeric {
    for_each_player: false,
    value: |numbers| {
        let part = only(numbers)?;
        let is_part = !part.is_negative() && part <= BigRational::one();
        is_part.then_some(FieldValue::Pay(Payment::Taxman(part)))
    },
    text: |value| match value {
        FieldValue::Pay(Payment::Taxman(part)) => Some(part.to_string()),
        _ => None,
    },
    takes: "`taxman` takes a part between 0 and 1",
    refusal: [
        "taxman's part lies between 0 and 1",
        "outside 0 … 1",
        "0 is `richman`, 1 is `poorman`",
    ],
};

const MINIMUM_BID: Numeric = Numeric {
    for_each_player: false,
    value: |numbers| {
        let number = only(numbers)?;
        let chips = number.is_integer().then(|| number.to_integer().to_u64());
        let chips = chips.flatten().filter(|chips| *chips <= MOST_CHIPS);
        chips.map(|chips| FieldValue::MinimumBid(MinimumBid(chips)))
    },
    text: |value| match value {
        FieldValue::MinimumBid(MinimumBid(chips)) => Some(chips.to_string()),
        _ => None,
    },
    takes: "a least bid is a whole number of chips",
    refusal: [
        "a least bid is a whole number of chips, from 0 to 2^61",
        "not a number of chips",
        "write, for example, `minimum_bid: 1`",
    ],
};

const ENERGY: Numeric = Numeric {
    for_each_player: false,
    value: |numbers| {
        let credit = only(numbers)?;
        (!credit.is_negative()).then_some(FieldValue::Energy(Credit(credit)))
    },
    text: |value| match value {
        FieldValue::Energy(Credit(credit)) => Some(credit.to_string()),
        _ => None,
    },
    takes: "`energy` takes a number, zero or more",
    refusal: [
        "the credit of `energy` is a number, zero or more",
        "less than 0",
        "write, for example, `energy: 3`: then the sum of the weights may fall to -3",
    ],
};

const PRECISION: Numeric = Numeric {
    for_each_player: false,
    value: |numbers| {
        let distance = only(numbers)?;
        let is_less_than_one = distance.is_positive() && distance < BigRational::one();
        is_less_than_one.then_some(FieldValue::Precision(Precision(distance)))
    },
    text: |value| match value {
        FieldValue::Precision(Precision(distance)) => Some(in_powers_of_ten(distance)),
        _ => None,
    },
    takes: "a precision is a number between 0 and 1",
    refusal: [
        "a precision lies between 0 and 1",
        "not a precision",
        "write, for example, `precision: 1e-30`; the default is 1e-12",
    ],
};

const ROBIN_HOOD: Numeric = Numeric {
    for_each_player: false,
    value: |numbers| RobinHood::new(only(numbers)?).map(FieldValue::RobinHood),
    text: |value| match value {
        FieldValue::RobinHood(robin_hood) => Some(robin_hood.part().to_string()),
        _ => None,
    },
    takes: "`robin_hood` takes a part, at least 0 and less than 1/2",
    refusal: [
        "Robin Hood's part is at least 0 and less than 1/2",
        "not in this range",
        "0 gives nothing; with 1/2 both would have the same money before each bid",
    ],
};

const INCOME: Numeric = Numeric {
    for_each_player: true,
    value: |numbers| match numbers {
        [alice, bob] => {
            let parts = PerPlayer::new(alice.clone(), bob.clone());
            Income::new(parts).map(FieldValue::Income)
        }
        _ => None,
    },
    text: |value| match value {
        FieldValue::Income(income) => {
            let [alice, bob] = Player::both(|player| income.of(player));
            Some(format!("[{alice}, {bob}]"))
        }
        _ => None,
    },
    takes: "`income` takes a list of two parts, Alice's and Bob's",
    refusal: [
        "income is a list of two parts, Alice's and Bob's, each at least 0",
        "not two such parts",
        "write, for example, `income: [1/8, 0]`, where Bob receives nothing",
    ],
};

fn only(numbers: &[BigRational]) -> Option<BigRational> {
    match numbers {
        [number] => Some(number.clone()),
        _ => None,
    }
}

/// Writes powers of ten as `1e-30`, other numbers as rationals.
fn in_powers_of_ten(number: &BigRational) -> String {
    // A power of ten has one digit more than zeros.
    let zeros = number.denom().to_string().len() - 1;
    let power = num_traits::pow(num_bigint::BigInt::from(10), zeros);
    if number.numer().is_one() && number.denom() == &power {
        format!("1e-{zeros}")
    } else {
        number.to_string()
    }
}

fn larsson() -> Rules {
    Rules {
        ties: TieBreak::Marker,
        winner: Winner::Moves,
        ..Rules::default()
    }
}

fn menz() -> Rules {
    Rules {
        pay: Payment::AllPay,
        ties: TieBreak::Richer,
        draws: Draws::Half,
        ..Rules::default()
    }
}

fn lazarus() -> Rules {
    Rules {
        bids: BidKind::Real,
        ties: TieBreak::Coin,
        ..Rules::default()
    }
}
