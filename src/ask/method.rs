//! The methods that answer questions, and plans that name them.

use super::cost::Cost;
use crate::diagnostic::counted;
use crate::report::{Report, fact};
use crate::solve::space::sweep::Need;

/// The names of the methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodName {
    /// A sweep through the numbered positions.
    Sweep,
    /// A solution layer by layer.
    Layers,
    /// A search from the position.
    Search,
    /// A computation by the number of moves made.
    Truncate,
    /// A solution on the graph of the positions that can be reached.
    Explore,
}

impl MethodName {
    /// Returns the name in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Sweep => "a sweep",
            Self::Layers => "layer by layer",
            Self::Search => "a search",
            Self::Truncate => "by the number of moves made",
            Self::Explore => "on the graph",
        }
    }
}

/// A step of a plan. If it yields no answer, the next step is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Method {
    /// Sweeps through the numbered positions. Yields no answer if the winner of a bid must move and
    /// there is zugzwang.
    Sweep(Need),
    /// Solves layer by layer. Yields no answer if some move turns out to lower no count.
    Layers,
    /// Searches from the position.
    Search,
    /// Computes by the number of moves made, down from this number.
    Truncate(u32),
    /// Solves the two games in which plays of more than this many moves are wins of one player.
    Cut(u32),
    /// Truncates, one move deeper each time.
    Deepen,
    /// Computes thresholds for totals of chips, and searches between them for the numbers of
    /// Alice's chips.
    ManyTotals,
    /// Solves on the graph of the positions that can be reached.
    Explore,
    /// Solves on the graph of the positions that can be reached, if there are at most this many.
    ExploreUpTo(u64),
    /// Refuses: there are more numbered positions, through which sweeps would go, than the limit
    /// allows.
    Refuse(Need),
}

impl Method {
    /// Returns the method in words.
    pub fn words(&self) -> String {
        match self {
            Self::Sweep(Need { width, sweeps: 1 }) => {
                let bytes = counted(*width, "byte");
                format!("a sweep through numbered positions, {bytes} each")
            }
            Self::Sweep(Need { width, sweeps }) => {
                let bytes = counted(*width, "byte");
                format!("{sweeps} sweeps through numbered positions, up to {bytes} each")
            }
            Self::Layers => "layer by layer".to_owned(),
            Self::Search => "a search from the position asked about".to_owned(),
            Self::Truncate(moves) => format!("by the number of moves made, from {moves} down"),
            Self::Cut(moves) => {
                format!(
                    "by two games in which plays of more than {} are a player's wins",
                    counted(*moves, "move")
                )
            }
            Self::Deepen => "by truncation, one move further each time".to_owned(),
            Self::ManyTotals => "by thresholds for many totals of chips".to_owned(),
            Self::Explore => "on the graph of the positions that can be reached".to_owned(),
            Self::ExploreUpTo(most) => {
                format!(
                    "on the graph, if no more than {} can be reached",
                    counted(*most, "position")
                )
            }
            Self::Refuse(_) => "none".to_owned(),
        }
    }
}

/// A method that was passed over, and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// The method.
    pub method: MethodName,
    /// The reason.
    pub because: &'static str,
}

/// The methods that answer a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The methods, in the order in which they are tried.
    pub methods: Vec<Method>,
    /// The reason for choosing them.
    pub because: &'static str,
    /// The methods that were passed over.
    pub passed: Vec<Passed>,
}

impl Plan {
    pub(super) fn new(methods: impl Into<Vec<Method>>, because: &'static str) -> Self {
        Self {
            methods: methods.into(),
            because,
            passed: Vec::new(),
        }
    }

    pub(super) fn passing(mut self, method: MethodName, because: &'static str) -> Self {
        self.passed.push(Passed { method, because });
        self
    }

    /// Returns the methods in words.
    pub fn words(&self) -> String {
        let words: Vec<String> = self.methods.iter().map(Method::words).collect();
        words.join("; else ")
    }

    /// Returns `true` if the plan begins with a method that needs no graph.
    pub(super) fn is_graphless(&self) -> bool {
        matches!(
            self.methods.first(),
            Some(Method::Sweep(_) | Method::Layers)
        )
    }
}

/// The plan of a question with its cost.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// The cost.
    pub cost: Cost,
}

impl Planned {
    /// Returns the plan as named facts.
    pub fn facts(&self) -> Vec<(String, Report)> {
        let mut facts = vec![
            fact("method", self.plan.words()),
            fact("because", self.plan.because.to_owned()),
        ];
        facts.extend(self.cost.facts());
        let passed = self.plan.passed.iter();
        facts.extend(passed.map(|Passed { method, because }| {
            fact(format!("not {}", method.words()), (*because).to_owned())
        }));
        if let Some(refusal) = &self.cost.refusal {
            facts.push(fact("refused", refusal.message.clone()));
            let help = refusal.help.iter();
            facts.extend(help.map(|help| fact("remedy", help.clone())));
        }
        facts
    }
}
