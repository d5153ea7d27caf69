//! The plan of a question: the methods that answer it, in the order in which they are tried, and why
//! they are the ones. Nothing else decides that.
//!
//! A position of a ruleset has three ways to an answer. Where positions can be *numbered* a sweep
//! goes through all numbers, at some 10^8 positions a second; it needs no graph, but it works on
//! numbers that no play reaches as well. Where every move lowers a count the positions that can be
//! reached are found and solved *layer by layer*. Otherwise they are *explored* into a graph, which
//! every theory can work on, at some 10^6 positions a second and a hundred bytes or more each.
//!
//! Games that are no positions of a ruleset (expressions, explicit graphs) are explored.

use std::rc::Rc;

use super::cost::Cost;
use super::{About, Ask, Depth, Question};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::Explored;
use crate::game::ruleset::{Indexed, Numbering, Ruleset, State};
use crate::player::GameId;
use crate::report::Report;
use crate::rules::{Draws, Objective, Payment, Rules, Solver, Winner};
use crate::scalar::Scalar;
use crate::solve::chips::Thresholds;
use crate::solve::layers;
use crate::solve::richman::{self, Coin};
use crate::solve::sweep::{Need, Schedule};
use crate::watch::{Context, Shortage, size};

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
pub(super) const EXPLORED: u64 = 256;

/// A position of a ruleset about which something is asked, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedPosition<'a> {
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

impl AskedPosition<'_> {
    /// In which blocks and in which order its positions are swept.
    pub(super) fn schedule(
        &self,
        need: Need,
        numbering: &Numbering,
        context: &Context<'_>,
    ) -> std::result::Result<Schedule, Shortage> {
        Schedule::new(need.layout, numbering, self.indexed, context)
    }
}

/// The methods by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodName {
    /// Sweeps through the numbered positions.
    Sweep,
    /// Layer by layer.
    Layers,
    /// Search from the position.
    Search,
    /// By the number of moves made.
    Truncate,
    /// On the graph of the positions that can be reached.
    Explore,
}

impl MethodName {
    /// The name in words.
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

/// A step of a plan. Where it comes to no answer the next one is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Method {
    /// Sweeps through the numbered positions. It comes to no answer if the winner of a bid must move
    /// and there is zugzwang.
    Sweep(Need),
    /// Layer by layer. It comes to no answer if a move lowers no count after all.
    Layers,
    /// Search from the position.
    Search,
    /// By the number of moves made, down from this many.
    Truncate(u32),
    /// By the two games in which plays of more than so many moves are a player's wins.
    Cut(u32),
    /// By truncation, one move further each time.
    Deepen,
    /// By thresholds for totals of chips, between which the numbers of her chips are searched for.
    ManyTotals,
    /// On the graph of the positions that can be reached.
    Explore,
    /// The same, if there are no more of them than so many.
    ExploreUpTo(u64),
    /// Not at all: the numbered positions, through which sweeps would go, are more than the limit.
    Refuse(Need),
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
            Self::Cut(moves) => {
                format!(
                    "by two games in which plays of more than {moves} moves are a player's wins"
                )
            }
            Self::Deepen => "by truncation, one move further each time".to_owned(),
            Self::ManyTotals => "by thresholds for many totals of chips".to_owned(),
            Self::Explore => "on the graph of the positions that can be reached".to_owned(),
            Self::ExploreUpTo(most) => {
                format!("on the graph, if no more than {most} positions can be reached")
            }
            Self::Refuse(_) => "none".to_owned(),
        }
    }
}

/// A method that was passed over, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// The method.
    pub method: MethodName,
    /// The reason.
    pub because: &'static str,
}

/// How a question is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The methods, in the order in which they are tried.
    pub methods: Vec<Method>,
    /// The reason for them.
    pub because: &'static str,
    /// The methods that were passed over.
    pub passed: Vec<Passed>,
}

impl Plan {
    fn new(methods: impl Into<Vec<Method>>, because: &'static str) -> Self {
        Self {
            methods: methods.into(),
            because,
            passed: Vec::new(),
        }
    }

    fn passing(mut self, method: MethodName, because: &'static str) -> Self {
        self.passed.push(Passed { method, because });
        self
    }

    /// The methods in words.
    pub fn words(&self) -> String {
        let words: Vec<String> = self.methods.iter().map(Method::words).collect();
        words.join("; else ")
    }

    /// Whether it begins with a method that needs no graph.
    fn is_graphless(&self) -> bool {
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
    /// The plan as named facts.
    pub fn facts(&self) -> Vec<(String, Report)> {
        let word = |text: String| Report::Scalar(Scalar::String(text));
        let mut facts = vec![
            ("method".to_owned(), word(self.plan.words())),
            ("because".to_owned(), word(self.plan.because.to_owned())),
        ];
        facts.extend(self.cost.facts());
        for Passed { method, because } in &self.plan.passed {
            facts.push((
                format!("not {}", method.words()),
                word((*because).to_owned()),
            ));
        }
        if let Some(refusal) = &self.cost.refusal {
            facts.push(("refused".to_owned(), word(refusal.message.clone())));
            facts.extend(
                refusal
                    .help
                    .iter()
                    .map(|help| ("remedy".to_owned(), word(help.clone()))),
            );
        }
        facts
    }
}

/// Why a question takes a graph under these rules, for a game that scores or not.
fn why_a_graph(rules: &Rules, is_scored: bool) -> &'static str {
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

impl About {
    /// The layout and the number of the sweeps that answer it; `None` if it takes a graph under these rules, or plays too
    /// long for any width of numbers.
    fn need(&self, rules: &Rules, numbering: &Numbering) -> Result<Option<Need>> {
        match self {
            Self::Share | Self::Moves(None) | Self::Tree(None) => {
                richman::sweep_need(rules, numbering)
            }
            Self::Bounds => richman::bounds_need(rules, numbering),
            Self::Turns(Some(coin)) => Ok(richman::coin_sweep_need(rules, *coin, numbering.plies)),
            Self::Turns(None) => Self::PlayTurns(Coin::default()).need(rules, numbering),
            Self::PlayTurns(coin) => match swept_turns(rules, *coin) {
                Some(plain) => richman::sweep_need(&plain, numbering),
                None => Ok(richman::coin_sweep_need(rules, *coin, numbering.plies)),
            },
            Self::Thresholds(totals) => Thresholds::sweep_need(rules, totals, 1),
            Self::Moves(Some(total)) | Self::Tree(Some(total)) => {
                Thresholds::sweep_need(rules, &[*total], 1)
            }
            Self::Outcomes(purses) => {
                let totals: Vec<u64> = purses.iter().map(super::total_of).collect();
                Thresholds::sweep_need(rules, &totals, 2)
            }
            Self::Strategies(total) | Self::Play(total) => {
                Thresholds::sweep_need(rules, &[*total], 2)
            }
            Self::Against(_) | Self::Truncated { .. } | Self::Graph => Ok(None),
        }
    }

    /// Whether it can be answered layer by layer under these rules.
    fn has_layers(&self, rules: &Rules) -> Result<bool> {
        match self {
            Self::Share => richman::in_layers(rules),
            Self::Thresholds(totals) => Ok(Thresholds::sweep_need(rules, totals, 1)?.is_some()),
            Self::Outcomes(purses) => {
                let totals: Vec<u64> = purses.iter().map(super::total_of).collect();
                Ok(Thresholds::sweep_need(rules, &totals, 1)?.is_some())
            }
            // The values of several positions are asked for, and layers keep that of one.
            _ => Ok(false),
        }
    }

    /// Whether it is asked about a position with those that its moves lead to.
    fn is_near(&self) -> bool {
        matches!(
            self,
            Self::Strategies(_)
                | Self::Play(_)
                | Self::PlayTurns(_)
                | Self::Moves(_)
                | Self::Tree(_)
        )
    }

    /// Whether it is asked again about the positions that play comes to.
    fn goes_on(&self) -> bool {
        matches!(self, Self::Play(_) | Self::PlayTurns(_) | Self::Tree(_))
    }
}

/// The rules of bidding under which values are those of random turns with this coin, if there are
/// any. With a fair coin a turn is worth the mean of the two players' best moves, whoever of them
/// must move.
pub(super) fn bidding_for_turns(rules: &Rules, coin: Coin) -> Option<Rules> {
    let is_plain = rules.objective == Objective::Reachability || rules.winner == Winner::Chooses;
    (coin.is_fair() && is_plain).then(|| Rules {
        pay: Payment::Richman,
        winner: Winner::Chooses,
        ..rules.clone()
    })
}

/// The same for a sweep: its values are kept for every question with as much for a draw.
pub(super) fn swept_turns(rules: &Rules, coin: Coin) -> Option<Rules> {
    let bidding = bidding_for_turns(rules, coin)?;
    (bidding.objective == Objective::Reachability).then(|| Rules {
        draws: rules.draws,
        solver: rules.solver,
        ..Rules::default()
    })
}

const NOT_SEARCHED: &str = "only `solver: search` asks for one";
const NO_POSITION: &str = "the game is not a position of a ruleset";

impl Ask<'_> {
    /// The plan of a question.
    ///
    /// # Errors
    /// If the rules have no such answer, or a position cannot be evaluated.
    pub fn plan(&mut self, question: &Question) -> Result<Plan> {
        let rules = &question.rules;
        match &question.about {
            About::Graph => {
                let is_scored = self.games.is_scored(question.game);
                Ok(Plan::new([Method::Explore], why_a_graph(rules, is_scored)))
            }
            About::Thresholds(_) | About::Outcomes(_) if rules.solver == Solver::Search => {
                Ok(self.plan_of_search(question.game))
            }
            About::Truncated { depth, total } => self.plan_of_truncation(question, *depth, *total),
            About::Against(budgets) => self.plan_against(question, budgets),
            About::Bounds => {
                let plan = self.plan_of_position(question)?;
                let sweeps = plan
                    .methods
                    .iter()
                    .any(|method| matches!(method, Method::Sweep(_)));
                Ok(if sweeps {
                    plan
                } else {
                    Plan::new([Method::Deepen], "the bounds may be found before play ends")
                        .passing(
                            MethodName::Sweep,
                            "numbers of 16 bits are no answer as narrow as `precision` asks, or the positions cannot be numbered",
                        )
                })
            }
            _ => self.plan_of_position(question),
        }
    }

    /// The plan with its cost, for whoever wants to know before asking.
    ///
    /// # Errors
    /// As [`Ask::plan`].
    pub fn planned(&mut self, question: &Question) -> Result<Planned> {
        let plan = self.plan(question)?;
        let cost = self.cost(&plan, question)?;
        Ok(Planned { plan, cost })
    }

    fn plan_of_search(&mut self, game: GameId) -> Plan {
        let searched = self
            .games
            .ruleset_state(game)
            .is_some_and(|(id, ..)| !self.games.ruleset(id).is_scored());
        if searched {
            Plan::new(
                [Method::Search],
                "`solver: search` asks for it; how many positions it meets shows when it is done",
            )
        } else {
            Plan::new(
                [Method::Search],
                "`solver: search` asks for it; the game is no position of a ruleset, so its graph is explored first",
            )
        }
    }

    fn plan_of_truncation(
        &mut self,
        question: &Question,
        depth: Depth,
        total: Option<u64>,
    ) -> Result<Plan> {
        let is_suited = self.memory.preferred != Some(MethodName::Explore)
            && self
                .positions_of_truncation(question, depth, total)?
                .is_some();
        Ok(if is_suited {
            Plan::new(
                [Method::Truncate(depth.moves), Method::Cut(depth.moves)],
                "each move changes one part of the position, whatever the others contain",
            )
        } else {
            Plan::new(
                [Method::Cut(depth.moves)],
                "moves change several parts of the position, or the game has no parts",
            )
        })
    }

    /// The plan of `f(G, bob: b)`: where the winner of a bid pays the loser, chips stay in play, so
    /// that thresholds for totals of chips answer it.
    fn plan_against(&mut self, question: &Question, budgets: &Rc<[u64]>) -> Result<Plan> {
        let explore = |because| Plan::new([Method::Explore], because);
        if question.rules.pay != Payment::Richman {
            return Ok(explore(why_a_graph(&question.rules, false)));
        }
        if budgets.is_empty() {
            return Ok(explore("nothing is asked"));
        }
        let share = self.plan_of_position(&share_for(question))?;
        let totals = self.plan_of_position(&Question {
            about: About::Thresholds(Rc::clone(budgets)),
            ..question.clone()
        })?;
        let graphless = |plan: &Plan| {
            plan.is_graphless()
                || plan
                    .methods
                    .get(1)
                    .is_some_and(|method| matches!(method, Method::Sweep(_) | Method::Layers))
        };
        Ok(if graphless(&share) && graphless(&totals) {
            Plan::new(
                [Method::ManyTotals],
                "the winner of a bid pays the loser, and thresholds for totals need no graph",
            )
        } else {
            explore(share.because)
        })
    }

    /// The plan of a question about a position of a ruleset, or of another game, which is explored.
    fn plan_of_position(&mut self, question: &Question) -> Result<Plan> {
        let (preferred, context) = (self.memory.preferred, self.context);
        let plan = self.with_subject(question.game, |subject| {
            subject.plan(question, preferred, context)
        })?;
        let Some(plan) = plan else {
            return Ok(
                Plan::new([Method::Explore], "it is not a position of a ruleset")
                    .passing(MethodName::Sweep, NO_POSITION)
                    .passing(MethodName::Layers, NO_POSITION),
            );
        };
        let explores = plan.methods == [Method::Explore];
        if !explores
            && question.about.is_near()
            && Explored::neighbourhood(self.games, question.game)?.is_none()
        {
            return Ok(Plan::new(
                [Method::Explore],
                "a stuck player passes there, so its moves are not all that can follow",
            ));
        }
        Ok(plan)
    }
}

impl Ask<'_> {
    /// Works with a position of a ruleset and what is known of it; `None` for other games.
    pub(super) fn with_subject<T>(
        &mut self,
        game: GameId,
        work: impl FnOnce(&AskedPosition<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some((id, state, _)) = self.games.ruleset_state(game) else {
            return Ok(None);
        };
        let state = state.clone();
        let (ruleset, index) = (Rc::clone(self.games.ruleset(id)), self.index_of(id)?);
        let subject = AskedPosition {
            ruleset: &ruleset,
            numbering: index.numbering(),
            indexed: index.tables(),
            state: &state,
            is_explored: self.memory.graphs.knows(self.games, game),
            is_swept: self.memory.sweeps.has(id),
            is_large: self.memory.sweeps.is_large(game),
        };
        work(&subject).map(Some)
    }

    /// The diagnostic of a question about a game with more numbered positions than the limit.
    pub(super) fn refusal(&mut self, question: &Question, need: Need) -> Result<Box<Diagnostic>> {
        let context = self.context;
        let refusal =
            self.with_subject(question.game, |subject| Ok(subject.refusal(need, context)))?;
        Ok(refusal.expect("positions of rulesets alone are refused for their numbers"))
    }
}

/// The question about the critical threshold that bounds what Alice needs against any number of
/// Bob's chips.
pub(super) fn share_for(question: &Question) -> Question {
    Question {
        game: question.game,
        about: About::Share,
        rules: usual(&question.rules),
    }
}

/// The rules of Richman games in which a draw is worth as much as under these.
fn usual(rules: &Rules) -> Rules {
    let draws = if rules.draws == Draws::Alice {
        Draws::Alice
    } else {
        Draws::Bob
    };
    Rules {
        draws,
        solver: rules.solver,
        ..Rules::default()
    }
}

impl AskedPosition<'_> {
    fn plan(
        &self,
        question: &Question,
        preferred: Option<MethodName>,
        context: &Context<'_>,
    ) -> Result<Plan> {
        let explore = |because| Plan::new([Method::Explore], because);
        match preferred {
            Some(MethodName::Explore) => return Ok(explore("the chosen method works on graphs")),
            None if self.is_explored => return Ok(explore("its graph is known already")),
            _ => {}
        }
        if self.ruleset.has_turns() {
            return Ok(explore(
                "a player moves without a bid at some positions, which numbers and layers do not tell from the others",
            ));
        }
        let numbered = self.numbering.filter(|numbering| {
            preferred != Some(MethodName::Layers) && numbering.digits_of(self.state).is_some()
        });
        if question.about.goes_on() {
            let is_small = numbered.is_none_or(|numbering| numbering.positions() <= SMALL);
            let insists =
                preferred == Some(MethodName::Sweep) && !matches!(question.about, About::Tree(_));
            if self.ruleset.is_scored() || (is_small && !insists) {
                return Ok(explore("it has few positions, and play goes on from each"));
            }
        }
        let need = numbered
            .map(|numbering| question.about.need(&question.rules, numbering))
            .transpose()?
            .flatten();
        match numbered.zip(need) {
            Some((numbering, need)) => {
                Ok(self.swept(question, numbering, need, preferred, context))
            }
            None => self.layered(question, preferred, context),
        }
    }

    /// The plan for numbered positions that a sweep can answer about.
    fn swept(
        &self,
        question: &Question,
        numbering: &Numbering,
        need: Need,
        preferred: Option<MethodName>,
        context: &Context<'_>,
    ) -> Plan {
        let limits = context.limits;
        let positions = numbering.positions();
        let explorable = limits
            .max_positions
            .min(limits.room() / EXPLORED)
            .min(LARGE);
        let plan = |methods: &[Method], because| {
            Plan::new(methods, because)
                .passing(MethodName::Search, NOT_SEARCHED)
                .passing(MethodName::Layers, "a sweep takes less time for a position")
        };
        if positions > limits.max_positions {
            return if self.is_large {
                plan(
                    &[Method::Refuse(need)],
                    "there are more numbered positions than the limit",
                )
            } else {
                plan(
                    &[Method::ExploreUpTo(explorable), Method::Refuse(need)],
                    "there are more numbered positions than the limit, but perhaps few can be reached",
                )
            };
        }
        // Where the winner of a bid must move, a sweep shows whether there is zugzwang.
        let sweep: &[Method] = if question.rules.winner == Winner::Moves {
            &[Method::Sweep(need), Method::Explore]
        } else {
            &[Method::Sweep(need)]
        };
        if preferred == Some(MethodName::Sweep) || positions <= SMALL || self.is_swept {
            return plan(sweep, "its positions can be numbered, and play always ends").passing(
                MethodName::Explore,
                "a sweep takes less time for a position",
            );
        }
        if self.is_large {
            return plan(
                sweep,
                "its positions can be numbered, and many of them can be reached",
            )
            .passing(
                MethodName::Explore,
                "it was tried, and there were too many positions",
            );
        }
        let first = [Method::ExploreUpTo(explorable.min(positions / CHEAPER))];
        plan(
            &[&first, sweep].concat(),
            "its positions can be numbered, but perhaps few of them can be reached",
        )
    }

    /// The plan for positions without a numbering.
    fn layered(
        &self,
        question: &Question,
        preferred: Option<MethodName>,
        context: &Context<'_>,
    ) -> Result<Plan> {
        const NO_NUMBERS: &str =
            "its positions cannot be numbered, or this question takes a graph under these rules";
        let explore = |because| {
            Plan::new([Method::Explore], because)
                .passing(MethodName::Search, NOT_SEARCHED)
                .passing(MethodName::Sweep, NO_NUMBERS)
        };
        let limits = context.limits;
        let insists = preferred == Some(MethodName::Layers);
        if !insists && self.ruleset.bits() <= LARGE.ilog2() {
            return Ok(explore("it has few positions"));
        }
        if !question.about.has_layers(&question.rules)? {
            return Ok(explore("the question needs a graph under these rules"));
        }
        if !layers::exist(self.ruleset, self.state, context)? {
            return Ok(explore(
                "its positions cannot be numbered, and no count falls with every move",
            ));
        }
        let because = "its positions cannot be numbered, but a count falls with every move";
        let layers = [Method::Layers, Method::Explore];
        if insists || self.is_large {
            return Ok(Plan::new(layers, because).passing(MethodName::Sweep, NO_NUMBERS));
        }
        let most = LARGE
            .min(limits.max_positions)
            .min(limits.room() / EXPLORED);
        let first = [Method::ExploreUpTo(most)];
        Ok(Plan::new([&first[..], &layers].concat(), because)
            .passing(MethodName::Sweep, NO_NUMBERS))
    }

    /// The diagnostic of a question about a game with more numbered positions than the limit: what
    /// it would take.
    pub(super) fn refusal(&self, need: Need, context: &Context<'_>) -> Box<Diagnostic> {
        let limits = context.limits;
        let positions = self.numbering.map_or(u64::MAX, Numbering::positions);
        let mut diagnostic = Diagnostic::new(
            Code::Positions,
            format!(
                "this game has {positions} numbered positions, and the limit is {}",
                limits.max_positions
            ),
        );
        let mut options = format!("--max-positions {positions}");
        if let Some(numbering) = self.numbering
            && let Err(shortage) = self.schedule(need, numbering, context)
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
        diagnostic
            .help(format!(
                "raise the limit with `{options}`, or make the game smaller"
            ))
            .into()
    }
}
