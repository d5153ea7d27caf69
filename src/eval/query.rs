//! Functions that queries share: locating a game's graph, reading purses, the outcome with given
//! chips.

use num_traits::{Signed, ToPrimitive};

use super::builtin::Call;
use super::evaluator::{Evaluator, type_error};
use crate::ask::About;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir::{Kinds, Operand, Value};
use crate::player::{GameId, Outcome, Player};
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{ChipMark, Chips, Draws, FieldValue, Objective, Purses, Rules, TieBreak};
use crate::source::Span;

impl Evaluator<'_> {
    /// Checks that play without end is a draw under the rules. `asked` names the question in the
    /// message.
    ///
    /// # Errors
    /// Returns an error if the rules have another objective.
    pub fn needs_endings(&self, asked: &str, span: Span) -> Result<()> {
        let rules = self.rules();
        if rules.objective == Objective::Reachability {
            return Ok(());
        }
        Err(admit::unsupported(asked, &FieldValue::Objective(rules.objective))
            .label(span, "asked for here")
            .note("objectives of infinite play are solved for real-valued bidding and random turns, `R(G)`, `thresholds(G)`, `P(G)`, `payoff(G)`, and with chips, `f(G, k)`, `G(a*, b)`, `outcomes`, `strategy`, `moves`")
            .help("leave out the objective: then play without end is a draw")
            .into())
    }

    /// Checks that no positions of the games in some values have income. `asked` names the question
    /// in the message.
    ///
    /// # Errors
    /// Returns an error if a position may have income.
    pub(super) fn needs_no_income<'v>(
        &self,
        values: impl IntoIterator<Item = &'v Value>,
        asked: &str,
        span: Span,
    ) -> Result<()> {
        if !self.have_income(values) {
            return Ok(());
        }
        Err(Diagnostic::unsupported(format!("{asked} where players receive income"))
        .label(span, "asked for here")
        .note("income is money, and its theory is that of real-valued bidding: `R(G)`, `thresholds(G)`, `bounds(G)`, `moves(G)`, `tree(G)`, and with `bids: real` also `strategy(G, a, b)` and `simulate(G, a, b)`")
        .help("leave out the lines `income …` of the game")
        .into())
    }

    /// Returns all positions that can be reached from a game.
    pub fn reachable(&mut self, game: GameId) -> Result<Vec<GameId>> {
        let explored = self.ask().explore(game)?;
        // Vertices behind these stand for endings that belong to no position.
        let nodes = explored.graph.nodes().take(explored.position_count());
        let mut found = Vec::new();
        for node in nodes {
            self.step()?;
            found.push(explored.game(&mut self.world.games, node));
        }
        Ok(found)
    }

    /// Evaluates `G(4*, 4)` to the outcome. A draw is reported as such, regardless of its value
    /// under the rules.
    pub(super) fn outcome(
        &mut self,
        game: GameId,
        arguments: &[Operand<Value>],
        span: Span,
    ) -> Result<Outcome> {
        self.needs_no_income([&Value::Game(game)], "an outcome in chips", span)?;
        self.about_games(false, |evaluator| {
            let purses = evaluator.purses_of_call(arguments, span)?;
            let stuck = evaluator.rules().stuck;
            evaluator.warn_of_own_stuck(&Value::Game(game), span);
            let game = evaluator.world.games.ruled(game, stuck);
            Ok(evaluator.outcomes(game, &[purses], span)?[0])
        })
    }

    /// Reads the purses of `G(4*, 4)`.
    pub(super) fn purses_of_call(
        &self,
        arguments: &[Operand<Value>],
        span: Span,
    ) -> Result<Purses> {
        let [alice, bob] = arguments else {
            return Err(two_counts(arguments.len(), span));
        };
        admit::chips(&self.play_rules(), ChipsQuestion::Outcome).placed(span)?;
        self.holdings(alice, bob)
    }

    /// Returns the outcome with each of these pairs of purses, which must fit the rules. A draw is
    /// reported as such, regardless of its value under the rules.
    ///
    /// # Errors
    /// Returns the errors of [`Ask::locate`](crate::ask::Ask::locate), and an error if the rules do
    /// not have outcomes.
    pub fn outcomes(
        &mut self,
        game: GameId,
        purses: &[Purses],
        span: Span,
    ) -> Result<Vec<Outcome>> {
        let rules = self.play_rules();
        admit::chips(&rules, ChipsQuestion::Outcome).placed(span)?;
        let about = About::Outcomes(purses.into());
        self.asking(span, |evaluator| {
            evaluator.ask().about(game, about.clone(), &rules)
        })
    }

    /// Returns the purses that the second and third argument of a call denote under the rules in
    /// force, which must answer the question `asked`.
    ///
    /// # Errors
    /// Returns the errors of [`Evaluator::holdings`], and an error if the rules do not answer the
    /// question.
    pub fn purses(&self, call: &Call<'_>, asked: ChipsQuestion) -> Result<Purses> {
        admit::chips(&self.play_rules(), asked).placed(call.span)?;
        self.holdings(&call.arguments[1], &call.arguments[2])
    }

    /// Returns the rules in force for a question about play, under which a draw is a draw. The
    /// value of a draw matters only to questions about one number.
    pub fn play_rules(&self) -> Rules {
        Rules {
            draws: Draws::Neither,
            ..self.rules()
        }
    }

    /// Returns the kind of a query about play: about the score if the game has scores, and
    /// otherwise about bids.
    pub fn asked(&mut self, game: GameId) -> Result<ChipsQuestion> {
        let scoring = match self.world.games.ruleset_state(game) {
            // A ruleset says so itself, so that its graph need not be explored.
            Some((id, ..)) => self.world.games.ruleset(id).is_scored(),
            None => self.ask().locate(game)?.solved.scores.is_some(),
        };
        Ok(if scoring {
            ChipsQuestion::Score
        } else {
            ChipsQuestion::Bid
        })
    }

    /// Returns the purses that two chip counts denote under the rules in force.
    ///
    /// # Errors
    /// Returns an error if they do not match: two stars, none although one is needed, or a negative
    /// count.
    pub fn holdings(&self, alice: &Operand<Value>, bob: &Operand<Value>) -> Result<Purses> {
        let rules = self.rules();
        let (a, b) = (
            read_chips(&alice.value, alice.span)?,
            read_chips(&bob.value, bob.span)?,
        );
        let status = match (a.mark, b.mark) {
            (ChipMark::Star, ChipMark::Star) => return Err(two_stars(alice.span, bob.span)),
            (ChipMark::MinusEpsilon, ChipMark::MinusEpsilon) => {
                return Err(two_epsilons(alice.span, bob.span));
            }
            // Bob's missing ε means that Alice holds the tie.
            (ChipMark::Star, _) | (_, ChipMark::MinusEpsilon) => Some(Player::Alice),
            (_, ChipMark::Star) | (ChipMark::MinusEpsilon, _) => Some(Player::Bob),
            (ChipMark::None, ChipMark::None) => None,
        };
        for (chips, place) in [(&a, alice.span), (&b, bob.span)] {
            if chips.mark == ChipMark::MinusEpsilon && rules.ties != TieBreak::MakeItTakeIt {
                return Err(stray_epsilon(place));
            }
        }
        let purses = Purses::new(count(&a, alice.span)?, count(&b, bob.span)?, status);
        let span = alice.span.to(bob.span);
        admit::purses(&rules, &purses).placed(span)?;
        Ok(purses)
    }
}

/// A result whose error may have no place in the source, like those of solvers.
pub(crate) trait Placed<T> {
    /// Labels an error that has no place with the place of the question.
    fn placed(self, span: Span) -> Result<T>;
}

impl<T, E: Into<Box<Diagnostic>>> Placed<T> for Result<T, E> {
    fn placed(self, span: Span) -> Result<T> {
        self.map_err(|error| {
            let error: Box<Diagnostic> = error.into();
            match error.labels.is_empty() {
                true => error.label(span, "asked for here").into(),
                false => error,
            }
        })
    }
}

fn read_chips(value: &Value, span: Span) -> Result<Chips> {
    value
        .as_chips()
        .ok_or_else(|| type_error(span, Kinds::HOLDING, value))
}

fn count(chips: &Chips, span: Span) -> Result<u64> {
    if chips.count.is_negative() {
        return Err(
            Diagnostic::new(Code::BadChips, "nobody holds a negative number of chips")
                .label(span, "negative")
                .into(),
        );
    }
    chips.count.to_u64().ok_or_else(|| {
        Diagnostic::new(Code::BadChips, "these are more chips than can be counted")
            .label(span, "too many")
            .into()
    })
}

fn two_counts(found: usize, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::WrongCount,
        format!("a game is called with Alice's chips and Bob's, but {found} given"),
    )
    .label(span, "needs two chip counts")
    .help("write `G(4*, 4)`: the star marks who has the tie-breaking advantage")
    .into()
}

fn two_stars(alice: Span, bob: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadChips,
        "both sides have a star, but only one player can have the tie-breaking advantage",
    )
    .label(bob, "a second star")
    .label(alice, "the first star")
    .help("take one `*` away")
    .into()
}

fn two_epsilons(alice: Span, bob: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadChips,
        "both sides have the −ε chip, but there is only one",
    )
    .label(bob, "a second −ε chip")
    .label(alice, "the first one")
    .help("take one `-ε` away")
    .into()
}

fn stray_epsilon(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadChips,
        "the −ε chip exists only under `ties: make_it_take_it`",
    )
    .label(span, "no such chip here")
    .help("add `using { ties: make_it_take_it }`, or mark the tie status with `*`")
    .into()
}
