//! Plans the answer to a question about a position of a ruleset: a sweep over its numbers, layer by
//! layer, or explored.

use super::{About, EXPLORED, Method, MethodName, Plan, Question, SMALL};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::ruleset::{Indexed, Numbering, Ruleset, State};
use crate::rules::Winner;
use crate::solve::space::layers;
use crate::solve::space::sweep::{Need, Schedule};
use crate::watch::{Context, Stop, size};

/// The cost of exploring a position, relative to sweeping one: if fewer than one position in this
/// many can be reached, the ruleset is explored. Finding that out costs no more than a sweep, and
/// no more than some seconds ([`LARGE`]).
const CHEAPER: u64 = 1 << 14;

/// The number of reachable positions above which rulesets without a numbering are solved layer by
/// layer, if they have layers. Rulesets with numbered positions are explored on trial up to this
/// many positions, which takes some seconds.
const LARGE: u64 = 1 << 22;

const NOT_SEARCHED: &str = "only `solver: search` asks for one";

/// A position of a ruleset about which a question is asked, with the facts known about it.
#[derive(Debug, Clone, Copy)]
pub(in crate::ask) struct AskedPosition<'a> {
    /// The ruleset.
    pub ruleset: &'a Ruleset,
    /// Its numbering, if it has one.
    pub numbering: Option<&'a Numbering>,
    /// The numbering with its tables, where these have been made.
    pub indexed: Option<&'a Indexed>,
    /// The position.
    pub state: &'a State,
    /// `true` if it is a vertex of a graph that has been explored.
    pub is_explored: bool,
    /// `true` if the ruleset has been swept before.
    pub is_swept: bool,
    /// `true` if exploring has been tried and given up.
    pub is_large: bool,
}

impl AskedPosition<'_> {
    /// Returns the blocks in which its positions are swept, and their order.
    pub(in crate::ask) fn schedule(
        &self,
        need: Need,
        numbering: &Numbering,
        context: &Context<'_>,
    ) -> Result<Schedule, Stop> {
        Schedule::new(need.width, numbering, self.indexed, context)
    }

    pub(super) fn plan(
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
                "a player moves without a bid at some positions, and numbers and layers do not distinguish these from the others",
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

    /// Plans the answer for numbered positions on which a sweep can work.
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
        // If the winner of a bid must move, the sweep finds out whether there is zugzwang.
        // Exploring is the fallback if there is.
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

    /// Plans the answer for positions without a numbering.
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

    /// Returns the diagnostic for a question about a game with more numbered positions than the
    /// limit. It names the options that the question would take.
    pub(in crate::ask) fn refusal(
        &self,
        need: Need,
        context: &Context<'_>,
    ) -> Result<Box<Diagnostic>> {
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
        let schedule = self
            .numbering
            .map(|numbering| self.schedule(need, numbering, context));
        let shortage = match schedule {
            Some(Err(Stop::Shortage(shortage))) => Some(shortage),
            // There is too little memory to find out how much a sweep needs.
            Some(Err(Stop::Memory(_)) | Ok(_)) | None => None,
            Some(Err(stop)) => return Err(stop.into()),
        };
        if let Some(shortage) = shortage.filter(|shortage| shortage.needed < u64::MAX) {
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
        let help = format!(
            "raise the limit with `{options}`, make the game smaller, or ask what its first moves decide: `bounds(G, moves: 8)`"
        );
        Ok(diagnostic.help(help).into())
    }
}
