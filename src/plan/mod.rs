//! Which method answers a question about a game, and what it costs: one function ([`plan`]) from
//! the question, the game, the rules and the limits to a [`Method`].
//!
//! A position of a ruleset has three ways to an answer. Where positions can be *numbered* a sweep
//! goes through all numbers, at some 10^8 positions a second; it needs no graph, but it works on
//! numbers that no play reaches as well. Where every move lowers a count the positions that can be
//! reached are found and solved *layer by layer*. Otherwise they are *explored* into a graph, which
//! every theory can work on, at some 10^6 positions a second and a hundred bytes or more each.
//!
//! Games that are no positions of a ruleset (expressions, explicit graphs) are explored.

mod cost;

use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::ruleset::{Indexed, Numbering, Ruleset, State};
use crate::rules::{Objective, Payment, Rules};
use crate::solve::chips::Thresholds;
use crate::solve::layers;
use crate::solve::richman::{self, Coin};
use crate::solve::sweep::{Need, Schedule};
use crate::watch::{Limits, Shortage, Watch, size};

pub use cost::{Cost, Count, Cycles};

/// Rulesets with no more positions than this are swept without looking how many can be reached.
pub const SMALL: u64 = 1 << 21;

/// In a sweep a position costs so much less than in an exploration: where fewer than one in so many
/// can be reached, the ruleset is explored. Finding that out costs no more than a sweep, nor more
/// than some seconds ([`LARGE`]).
const CHEAPER: u64 = 1 << 14;

/// Rulesets without a numbering are solved layer by layer, if they have layers, where more
/// positions than this can be reached. Those with numbered positions are explored for a try up to
/// so many at most: some seconds' work.
const LARGE: u64 = 1 << 22;

/// About how many bytes a position takes with its moves: no more are explored than fit in memory.
const EXPLORED: u64 = 256;

/// What is asked of a game.
#[derive(Debug, Clone, Copy)]
pub enum Question<'a> {
    /// Richman values: `R`, `P`, `thresholds`, moves by their values.
    Richman,
    /// Bounds on a Richman value, as narrow as the rules ask: `bounds`.
    Bounds,
    /// Values when this coin decides each turn: `P(G, p)`.
    Coin(Coin),
    /// Alice's thresholds for these totals of chips: `f(G, k)`.
    Thresholds(&'a [u64]),
    /// Both players' thresholds: outcomes and strategies.
    Outcomes(&'a [u64]),
}

impl Question<'_> {
    /// What a sweep needs to answer it; `None` if it takes a graph under these rules, or plays too
    /// long for any width of numbers.
    fn need(&self, rules: &Rules, numbering: &Numbering) -> Result<Option<Need>> {
        match self {
            Self::Richman => richman::sweep_need(rules, numbering),
            Self::Bounds => richman::bounds_need(rules, numbering),
            Self::Coin(coin) => Ok(richman::coin_sweep_need(rules, *coin, numbering.plies)),
            Self::Thresholds(totals) => Thresholds::sweep_need(rules, totals, 1),
            Self::Outcomes(totals) => Thresholds::sweep_need(rules, totals, 2),
        }
    }

    /// Whether it can be answered layer by layer under these rules.
    fn has_layers(&self, rules: &Rules) -> Result<bool> {
        match self {
            Self::Richman => richman::in_layers(rules),
            Self::Bounds | Self::Coin(_) => Ok(false),
            Self::Thresholds(totals) | Self::Outcomes(totals) => {
                Ok(Thresholds::sweep_need(rules, totals, 1)?.is_some())
            }
        }
    }
}

/// Where the positions of a ruleset are to come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// From where that costs least.
    #[default]
    Cheapest,
    /// From a numbering, where there is one.
    Numbered,
    /// From layers, where there are any.
    Layers,
    /// From exploring.
    Graph,
}

/// A position of a ruleset about which something is asked, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The ruleset.
    pub ruleset: &'a Ruleset,
    /// Its numbering, if it has one.
    pub numbering: Option<&'a Numbering>,
    /// The numbering with its tables, where these have been made.
    pub indexed: Option<&'a Indexed>,
    /// The position.
    pub state: &'a State,
    /// Whether it is a vertex of a graph that has been explored.
    pub is_explored: bool,
    /// Whether the ruleset has been swept before.
    pub is_swept: bool,
    /// Whether exploring has been tried and given up.
    pub is_large: bool,
}

impl Subject<'_> {
    /// In which blocks and in which order its positions are swept.
    fn schedule(
        &self,
        need: Need,
        numbering: &Numbering,
        watch: &dyn Watch,
    ) -> std::result::Result<Schedule, Shortage> {
        Schedule::new(need.layout, (numbering, self.indexed), watch)
    }
}

/// How a question is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Method {
    /// By sweeps through the numbered positions.
    Sweep(Need),
    /// Layer by layer.
    Layers,
    /// By search from the position.
    Search,
    /// By the number of moves made, up to this many.
    Truncate(u32),
    /// On the graph of the positions that can be reached.
    Explore,
    /// On the graph, if it has no more positions than this; else by the other method.
    TryExploring(u64, Box<Method>),
    /// Not at all: the numbered positions, through which sweeps would go, are more than the limit.
    TooLarge(Need),
}

impl Method {
    /// The method in words.
    pub fn words(&self) -> String {
        match self {
            Self::Sweep(Need { layout, sweeps: 1 }) => {
                format!("a sweep through numbered positions, {} each", layout.size())
            }
            Self::Sweep(Need { layout, sweeps }) => {
                format!(
                    "{sweeps} sweeps through numbered positions, up to {} each",
                    layout.size()
                )
            }
            Self::Layers => "layer by layer".to_owned(),
            Self::Search => "a search from the position asked about".to_owned(),
            Self::Truncate(moves) => format!("by the number of moves made, from {moves} down"),
            Self::Explore => "on the graph of the positions that can be reached".to_owned(),
            Self::TryExploring(most, otherwise) => {
                format!(
                    "on the graph, if no more than {most} positions can be reached; else {}",
                    otherwise.words()
                )
            }
            Self::TooLarge(_) => "none".to_owned(),
        }
    }
}

/// A method with the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// Why it is the one.
    pub because: &'static str,
}

impl Plan {
    fn new(method: Method, because: &'static str) -> Self {
        Self { method, because }
    }

    /// The plan where a search is asked for.
    pub fn search() -> Self {
        Self::new(
            Method::Search,
            "`solver: search` asks for it; how many positions it meets shows when it is done",
        )
    }

    /// The plan for bounds by truncation after so many moves, where moves change one part of the
    /// position each.
    pub fn truncate(moves: u32) -> Self {
        Self::new(
            Method::Truncate(moves),
            "each move changes one part of the position, whatever the others contain",
        )
    }

    /// The plan for a game that is no position of a ruleset, or a question that only a graph
    /// answers.
    pub fn explore(because: &'static str) -> Self {
        Self::new(Method::Explore, because)
    }
}

/// Why a question takes a graph under these rules, for a game that scores or not.
pub fn why_a_graph(rules: &Rules, is_scored: bool) -> &'static str {
    match (&rules.pay, rules.objective) {
        (Payment::AllPay | Payment::AllPayBank, _) => {
            "players mix their bids: each position has a matrix of bids for every split of the chips"
        }
        (_, Objective::Buchi | Objective::Parity | Objective::MeanPayoff) => {
            "the objective is one of endless play: parts with cycles are solved as a whole"
        }
        (_, Objective::Reachability) if is_scored => "scores are added up along the moves",
        (_, Objective::Reachability) if !rules.robin_hood.is_idle() => {
            "the richer player gives the poorer one money before each bid: thresholds are no means of those that follow"
        }
        (Payment::Poorman | Payment::Taxman(_), Objective::Reachability) => {
            "the bank takes part of the bids: what one player needs depends on what the other has"
        }
        (Payment::Richman, Objective::Reachability) => "the question needs a graph",
    }
}

/// How a question about a position of a ruleset is answered.
///
/// # Errors
/// If the rules have no such answer, or a position cannot be evaluated.
pub fn plan(
    subject: &Subject<'_>,
    question: &Question<'_>,
    rules: &Rules,
    space: Space,
    watch: &dyn Watch,
) -> Result<Plan> {
    match space {
        Space::Graph => return Ok(Plan::explore("the chosen method works on graphs")),
        Space::Cheapest if subject.is_explored => {
            return Ok(Plan::explore("its graph is known already"));
        }
        Space::Cheapest | Space::Numbered | Space::Layers => {}
    }
    if subject.ruleset.has_turns() {
        return Ok(Plan::explore(
            "a player moves without a bid at some positions, which numbers and layers do not tell from the others",
        ));
    }
    let limits = watch.limits();
    let numbered = subject
        .numbering
        .filter(|numbering| space != Space::Layers && numbering.digits_of(subject.state).is_some());
    let need = numbered
        .map(|numbering| question.need(rules, numbering))
        .transpose()?
        .flatten();
    match numbered.zip(need) {
        Some((numbering, need)) => Ok(swept(subject, numbering, need, space, watch)),
        None => layered(subject, question, rules, (space, limits)),
    }
}

/// The plan for numbered positions that a sweep can answer about.
fn swept(
    subject: &Subject<'_>,
    numbering: &Numbering,
    need: Need,
    space: Space,
    watch: &dyn Watch,
) -> Plan {
    let (sweep, limits) = (Method::Sweep(need), watch.limits());
    let positions = numbering.positions();
    let explorable = limits
        .max_positions
        .min(limits.room() / EXPLORED)
        .min(LARGE);
    if positions > limits.max_positions {
        let because =
            "there are more numbered positions than the limit, but perhaps few can be reached";
        return if subject.is_large {
            Plan::new(
                Method::TooLarge(need),
                "there are more numbered positions than the limit",
            )
        } else {
            Plan::new(
                Method::TryExploring(explorable, Box::new(Method::TooLarge(need))),
                because,
            )
        };
    }
    if space == Space::Numbered || positions <= SMALL || subject.is_swept {
        return Plan::new(sweep, "its positions can be numbered, and play always ends");
    }
    if subject.is_large {
        return Plan::new(
            sweep,
            "its positions can be numbered, and many of them can be reached",
        );
    }
    let because = "its positions can be numbered, but perhaps few of them can be reached";
    Plan::new(
        Method::TryExploring(explorable.min(positions / CHEAPER), Box::new(sweep)),
        because,
    )
}

/// The plan for positions without a numbering.
fn layered(
    subject: &Subject<'_>,
    question: &Question<'_>,
    rules: &Rules,
    (space, limits): (Space, Limits),
) -> Result<Plan> {
    let ruleset = subject.ruleset;
    let insists = space == Space::Layers;
    if !insists && ruleset.bits() <= LARGE.ilog2() {
        return Ok(Plan::explore("it has few positions"));
    }
    if !question.has_layers(rules)? {
        return Ok(Plan::explore(
            "the question needs a graph under these rules",
        ));
    }
    if !layers::exist(ruleset, subject.state)? {
        return Ok(Plan::explore(
            "its positions cannot be numbered, and no count falls with every move",
        ));
    }
    let because = "its positions cannot be numbered, but a count falls with every move";
    if insists || subject.is_large {
        return Ok(Plan::new(Method::Layers, because));
    }
    let most = LARGE
        .min(limits.max_positions)
        .min(limits.room() / EXPLORED);
    Ok(Plan::new(
        Method::TryExploring(most, Box::new(Method::Layers)),
        because,
    ))
}

/// Why a question about a game with so many positions is not begun, and what it would take.
///
/// # Errors
/// Always.
pub fn refuse<T>(subject: &Subject<'_>, need: Need, watch: &dyn Watch) -> Result<T> {
    let limits = watch.limits();
    let positions = subject.numbering.map_or(u64::MAX, Numbering::positions);
    let mut diagnostic = Diagnostic::new(
        Code::Positions,
        format!(
            "this game has {positions} numbered positions, and the limit is {}",
            limits.max_positions
        ),
    );
    let mut options = format!("--max-positions {positions}");
    if let Some(numbering) = subject.numbering
        && let Err(shortage) = subject.schedule(need, numbering, watch)
        && shortage.needed < u64::MAX
    {
        let with_disk = shortage
            .with_disk
            .map(|less| format!(", or {} and a disk (`--checkpoint DIR`)", size(less)));
        let with_disk = with_disk.unwrap_or_default();
        diagnostic = diagnostic.note(format!(
            "a sweep needs {} of memory{with_disk}",
            size(shortage.needed)
        ));
        options += &format!(" --max-memory {}", size(shortage.needed));
    }
    Err(diagnostic
        .help(format!(
            "raise the limit with `{options}`, or make the game smaller"
        ))
        .into())
}
