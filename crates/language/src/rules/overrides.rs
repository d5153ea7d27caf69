//! Rules as users write them: some fields named, the others as they are in force.

use borsh::{BorshDeserialize, BorshSerialize};
use num_rational::BigRational;

use super::fields::FIELDS;
use super::{
    BidKind, Draws, MinimumBid, Objective, Payment, Precision, RobinHood, Rules, Solver, Stuck,
    StuckResult, TieBreak, Winner,
};

/// The value of a rules expression: the fields that were written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Overrides {
    /// `pay`
    pub pay: Option<Payment>,
    /// `bids`
    pub bids: Option<BidKind>,
    /// `ties`
    pub ties: Option<TieBreak>,
    /// `winner`
    pub winner: Option<Winner>,
    /// `draws`
    pub draws: Option<Draws>,
    /// `minimum_bid`
    pub minimum_bid: Option<MinimumBid>,
    /// `stuck`
    pub stuck: Option<Stuck>,
    /// `objective`
    pub objective: Option<Objective>,
    /// `solver`
    pub solver: Option<Solver>,
    /// `precision`
    pub precision: Option<Precision>,
    /// `robin_hood`
    pub robin_hood: Option<RobinHood>,
}

impl Overrides {
    /// The rules in force with the written fields replaced.
    #[must_use]
    pub fn over(&self, base: &Rules) -> Rules {
        Rules {
            pay: self.pay.clone().unwrap_or_else(|| base.pay.clone()),
            bids: self.bids.unwrap_or(base.bids),
            ties: self.ties.unwrap_or(base.ties),
            winner: self.winner.unwrap_or(base.winner),
            draws: self.draws.unwrap_or(base.draws),
            minimum_bid: self.minimum_bid.unwrap_or(base.minimum_bid),
            stuck: self.stuck.unwrap_or(base.stuck),
            objective: self.objective.unwrap_or(base.objective),
            solver: self.solver.unwrap_or(base.solver),
            precision: self
                .precision
                .clone()
                .unwrap_or_else(|| base.precision.clone()),
            robin_hood: self
                .robin_hood
                .clone()
                .unwrap_or_else(|| base.robin_hood.clone()),
        }
    }

    /// Both, the later one where both write a field.
    #[must_use]
    pub fn then(&self, later: &Self) -> Self {
        Self {
            pay: later.pay.clone().or_else(|| self.pay.clone()),
            bids: later.bids.or(self.bids),
            ties: later.ties.or(self.ties),
            winner: later.winner.or(self.winner),
            draws: later.draws.or(self.draws),
            minimum_bid: later.minimum_bid.or(self.minimum_bid),
            stuck: later.stuck.or(self.stuck),
            objective: later.objective.or(self.objective),
            solver: later.solver.or(self.solver),
            precision: later.precision.clone().or_else(|| self.precision.clone()),
            robin_hood: later.robin_hood.clone().or_else(|| self.robin_hood.clone()),
        }
    }

    /// Writes a field.
    pub fn set(&mut self, value: FieldValue) {
        match value {
            FieldValue::Pay(value) => self.pay = Some(value),
            FieldValue::Bids(value) => self.bids = Some(value),
            FieldValue::Ties(value) => self.ties = Some(value),
            FieldValue::Winner(value) => self.winner = Some(value),
            FieldValue::Draws(value) => self.draws = Some(value),
            FieldValue::MinimumBid(value) => self.minimum_bid = Some(value),
            FieldValue::Stuck(value) => self.stuck = Some(value),
            FieldValue::Objective(value) => self.objective = Some(value),
            FieldValue::Solver(value) => self.solver = Some(value),
            FieldValue::Precision(value) => self.precision = Some(value),
            FieldValue::RobinHood(value) => self.robin_hood = Some(value),
        }
    }

    /// The fields that were written, in the order of the table.
    pub fn fields(&self) -> Vec<FieldValue> {
        [
            self.pay.clone().map(FieldValue::Pay),
            self.bids.map(FieldValue::Bids),
            self.ties.map(FieldValue::Ties),
            self.winner.map(FieldValue::Winner),
            self.draws.map(FieldValue::Draws),
            self.minimum_bid.map(FieldValue::MinimumBid),
            self.stuck.map(FieldValue::Stuck),
            self.objective.map(FieldValue::Objective),
            self.solver.map(FieldValue::Solver),
            self.precision.clone().map(FieldValue::Precision),
            self.robin_hood.clone().map(FieldValue::RobinHood),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl From<Rules> for Overrides {
    fn from(rules: Rules) -> Self {
        Self {
            pay: Some(rules.pay),
            bids: Some(rules.bids),
            ties: Some(rules.ties),
            winner: Some(rules.winner),
            draws: Some(rules.draws),
            minimum_bid: Some(rules.minimum_bid),
            stuck: Some(rules.stuck),
            objective: Some(rules.objective),
            solver: Some(rules.solver),
            precision: Some(rules.precision),
            robin_hood: Some(rules.robin_hood),
        }
    }
}

/// A field with a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub enum FieldValue {
    /// `pay`
    Pay(Payment),
    /// `bids`
    Bids(BidKind),
    /// `ties`
    Ties(TieBreak),
    /// `winner`
    Winner(Winner),
    /// `draws`
    Draws(Draws),
    /// `minimum_bid`
    MinimumBid(MinimumBid),
    /// `stuck`
    Stuck(Stuck),
    /// `objective`
    Objective(Objective),
    /// `solver`
    Solver(Solver),
    /// `precision`
    Precision(Precision),
    /// `robin_hood`
    RobinHood(RobinHood),
}

impl FieldValue {
    /// The value that a field's value name stands for; `None` if there is none, or it needs an
    /// argument.
    pub fn parse(field: &str, value: &str) -> Option<Self> {
        Some(match (field, value) {
            ("pay", "richman") => Self::Pay(Payment::Richman),
            ("pay", "poorman") => Self::Pay(Payment::Poorman),
            ("pay", "all_pay") => Self::Pay(Payment::AllPay),
            ("pay", "all_pay_bank") => Self::Pay(Payment::AllPayBank),
            ("bids", "discrete") => Self::Bids(BidKind::Discrete),
            ("bids", "real") => Self::Bids(BidKind::Real),
            ("ties", "advantage") => Self::Ties(TieBreak::Advantage),
            ("ties", "marker") => Self::Ties(TieBreak::Marker),
            ("ties", "make_it_take_it") => Self::Ties(TieBreak::MakeItTakeIt),
            ("ties", "losers_ball") => Self::Ties(TieBreak::LosersBall),
            ("ties", "ladies_first") => Self::Ties(TieBreak::LadiesFirst),
            ("ties", "gentlemen_first") => Self::Ties(TieBreak::GentlemenFirst),
            ("ties", "richer") => Self::Ties(TieBreak::Richer),
            ("ties", "coin") => Self::Ties(TieBreak::Coin),
            ("ties", "nobody") => Self::Ties(TieBreak::Nobody),
            ("ties", "attached") => Self::Ties(TieBreak::Attached),
            ("winner", "chooses") => Self::Winner(Winner::Chooses),
            ("winner", "moves") => Self::Winner(Winner::Moves),
            ("draws", "neither") => Self::Draws(Draws::Neither),
            ("draws", "alice") => Self::Draws(Draws::Alice),
            ("draws", "bob") => Self::Draws(Draws::Bob),
            ("draws", "half") => Self::Draws(Draws::Half),
            ("stuck", "opponent_moves") => Self::Stuck(Stuck::OpponentMoves),
            ("stuck", "loses") => Self::Stuck(Stuck::Ends(StuckResult::Loss)),
            ("stuck", "wins") => Self::Stuck(Stuck::Ends(StuckResult::Win)),
            ("stuck", "draws") => Self::Stuck(Stuck::Ends(StuckResult::Draw)),
            ("stuck", "passes") => Self::Stuck(Stuck::Passes),
            ("objective", "reachability") => Self::Objective(Objective::Reachability),
            ("objective", "buchi") => Self::Objective(Objective::Buchi),
            ("objective", "parity") => Self::Objective(Objective::Parity),
            ("objective", "mean_payoff") => Self::Objective(Objective::MeanPayoff),
            ("solver", "auto") => Self::Solver(Solver::Auto),
            ("solver", "acyclic") => Self::Solver(Solver::Acyclic),
            ("solver", "strategy_improvement") => Self::Solver(Solver::StrategyImprovement),
            ("solver", "path_slopes") => Self::Solver(Solver::PathSlopes),
            ("solver", "two_moves") => Self::Solver(Solver::TwoMoves),
            ("solver", "iteration") => Self::Solver(Solver::Iteration),
            ("solver", "exact") => Self::Solver(Solver::Exact),
            ("solver", "toeplitz") => Self::Solver(Solver::Toeplitz),
            ("solver", "linear_program") => Self::Solver(Solver::LinearProgram),
            ("solver", "search") => Self::Solver(Solver::Search),
            _ => return None,
        })
    }

    /// `taxman(t)`, for a part t of the bid between 0 and 1.
    pub fn taxman(part: BigRational) -> Option<Self> {
        let zero = BigRational::from_integer(0.into());
        let one = BigRational::from_integer(1.into());
        (zero <= part && part <= one).then_some(Self::Pay(Payment::Taxman(part)))
    }

    /// A precision, for a number between 0 and 1.
    pub fn precision(distance: BigRational) -> Option<Self> {
        let zero = BigRational::from_integer(0.into());
        let one = BigRational::from_integer(1.into());
        (zero < distance && distance < one).then_some(Self::Precision(Precision(distance)))
    }

    /// A least bid, for a number of chips.
    pub fn minimum_bid(chips: u64) -> Self {
        Self::MinimumBid(MinimumBid(chips))
    }

    /// The field's name and the value as the language writes it.
    pub fn words(&self) -> (&'static str, String) {
        if let Self::Pay(Payment::Taxman(part)) = self {
            return ("pay", format!("taxman({part})"));
        }
        if let Self::MinimumBid(MinimumBid(chips)) = self {
            return ("minimum_bid", chips.to_string());
        }
        if let Self::Precision(Precision(distance)) = self {
            return ("precision", in_powers_of_ten(distance));
        }
        if let Self::RobinHood(robin_hood) = self {
            return ("robin_hood", robin_hood.part().to_string());
        }
        FIELDS
            .iter()
            .flat_map(|field| field.words().map(move |value| (field.name, value)))
            .find(|&(field, value)| Self::parse(field, value).as_ref() == Some(self))
            .map(|(field, value)| (field, value.to_owned()))
            .expect("every value but taxman stands in the table")
    }

    /// What the value means, if it is one that the table explains.
    pub fn meaning(&self) -> Option<&'static str> {
        let (field, value) = self.words();
        let mut values = FIELDS
            .iter()
            .filter(|known| known.name == field)
            .flat_map(|known| known.values);
        values
            .find(|known| known.name == value)
            .map(|known| known.meaning)
    }
}

/// `1e-30` for powers of ten, else as a rational.
fn in_powers_of_ten(number: &BigRational) -> String {
    let zeros = number.denom().to_string().len() - 1;
    let power = num_traits::pow(num_bigint::BigInt::from(10), zeros);
    if number.numer() == &1.into() && number.denom() == &power {
        format!("1e-{zeros}")
    } else {
        number.to_string()
    }
}

/// The rules of a preset.
pub fn preset(name: &str) -> Option<Rules> {
    let default = Rules::default();
    Some(match name {
        "develin_payne" => default,
        "larsson" => Rules {
            ties: TieBreak::Marker,
            winner: Winner::Moves,
            ..default
        },
        "menz" => Rules {
            pay: Payment::AllPay,
            ties: TieBreak::Richer,
            draws: Draws::Half,
            ..default
        },
        "lazarus" => Rules {
            bids: BidKind::Real,
            ties: TieBreak::Coin,
            ..default
        },
        _ => return None,
    })
}

/// Rules as a literal.
pub fn print_rules(rules: &Overrides) -> String {
    print_fields(&rules.fields())
}

/// Fields as a literal of rules.
pub fn print_fields(fields: &[FieldValue]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(FieldValue::words)
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    if fields.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{ {} }}", fields.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::PRESETS;
    use super::*;

    #[test]
    fn every_word_of_the_tables_parses_and_prints_back() {
        for field in FIELDS {
            for value in field.words().filter(|value| *value != "taxman") {
                let parsed =
                    FieldValue::parse(field.name, value).expect("a word of the table parses");
                assert_eq!(parsed.words(), (field.name, value.to_owned()));
            }
        }
        assert!(PRESETS.iter().all(|known| preset(known.name).is_some()));
    }
}
