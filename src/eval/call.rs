//! Evaluates calls of builtins, and the games that they are about.

use std::collections::{HashMap, HashSet};
use std::mem;

use super::builtin::{Builtin, Call, Run};
use super::evaluator::{Evaluator, type_error};
use super::frame::Frame;
use super::query::Placed;
use crate::ask::Question;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::ir::{BuiltinSignature, CheckedExpr, Kinds, Operand, Value};
use crate::player::GameId;
use crate::rules::Stuck;
use crate::source::Span;

/// Visits the games in a value, those of a list that occurs in several places once.
fn visit_games(value: &Value, seen: &mut HashSet<*const Value>, visit: &mut dyn FnMut(GameId)) {
    let items = match value {
        Value::Game(game) => return visit(*game),
        Value::List(items) | Value::Tuple(items) => &items[..],
        Value::Answer(answer) => match answer.items() {
            Some(items) => &items[..],
            None => return,
        },
        _ => return,
    };
    // A list can contain the same list many times, and visiting each would take exponential time.
    if seen.insert(items.as_ptr()) {
        items
            .iter()
            .for_each(|item| deeper(|| visit_games(item, seen, visit)));
    }
}

/// Returns a value with all games in it replaced.
fn each_game(value: &Value, image: &mut dyn FnMut(GameId) -> GameId) -> Value {
    let mut has_games = false;
    // A value without games is shared and not copied.
    visit_games(value, &mut HashSet::new(), &mut |_| has_games = true);
    match has_games {
        true => replaced(value, image, &mut HashMap::new()),
        false => value.clone(),
    }
}

/// The new values of lists and tuples that have been replaced, by the place of their elements.
type Replaced = HashMap<*const Value, Value>;

fn replaced(value: &Value, image: &mut dyn FnMut(GameId) -> GameId, known: &mut Replaced) -> Value {
    let elements = match value {
        Value::Game(game) => return Value::Game(image(*game)),
        Value::Answer(answer) => {
            let answer = answer.map(|item| deeper(|| replaced(item, image, known)));
            return Value::Answer(answer.into());
        }
        Value::List(items) | Value::Tuple(items) => items.as_ptr(),
        _ => return value.clone(),
    };
    if let Some(known) = known.get(&elements) {
        return known.clone();
    }
    let mut new = value.clone();
    if let Value::List(items) | Value::Tuple(items) = &mut new {
        for item in items.to_mut() {
            *item = deeper(|| replaced(item, image, known));
        }
    }
    known.insert(elements, new.clone());
    new
}

/// Runs `work` with enough stack: lists may be nested more deeply than the stack allows.
fn deeper<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, work)
}

impl Evaluator<'_> {
    pub(super) fn call(
        &mut self,
        callee: &CheckedExpr,
        arguments: &[CheckedExpr],
        frame: &mut Frame,
        span: Span,
    ) -> Result<Value> {
        let called = self.eval(callee, frame)?;
        let arguments = self.spanned(arguments, frame)?;
        match called {
            Value::Function(function) => self.apply(&function, arguments, span),
            Value::Game(game) => self.outcome(game, &arguments, span).map(Value::Outcome),
            other => Err(type_error(
                callee.span,
                Kinds::FUNCTION.or(Kinds::GAME),
                &other,
            )),
        }
    }

    pub(super) fn builtin(
        &mut self,
        signature: &BuiltinSignature,
        call: &Call<'_>,
    ) -> Result<Value> {
        let builtin = self.world.builtins.find(signature);
        self.admit_call(builtin, call)?;
        let games = call.arguments.iter().map(|given| &given.value);
        let has_income = builtin.asks.is_some() && self.have_income(games);
        self.about_games(has_income, |evaluator| {
            evaluator.admitted_call(builtin.run, call)
        })
    }

    /// Runs a builtin that can take its arguments under the rules in force.
    fn admitted_call(&mut self, run: Run, call: &Call<'_>) -> Result<Value> {
        let stuck = self.rules().stuck;
        if stuck == Stuck::OpponentMoves {
            return self.asking(call.span, |evaluator| run(evaluator, call));
        }
        let ruled = self.ruled(call, stuck);
        for given in &call.arguments {
            self.warn_of_own_stuck(&given.value, call.span);
        }
        let value = self.asking(call.span, |evaluator| run(evaluator, &ruled))?;
        Ok(each_game(&value, &mut |game| {
            self.world.games.unruled(game)
        }))
    }

    /// Warns of games that say themselves what happens to a stuck player, unlike the rules.
    pub(super) fn warn_of_own_stuck(&mut self, value: &Value, span: Span) {
        let stuck = self.rules().stuck;
        if stuck == Stuck::OpponentMoves {
            return;
        }
        let games = &self.world.games;
        let mut differing = Vec::new();
        visit_games(value, &mut HashSet::new(), &mut |game| {
            let line = games.line_stuck(game);
            differing.extend(line.filter(|(_, own)| *own != stuck));
        });
        for (ruleset, _) in differing {
            let title = games.ruleset_title(ruleset);
            // One warning serves for all games of a family.
            let name = title.split_once('(').map_or(title, |(name, _)| name);
            let message = format!(
                "`{name}` has a line `stuck` of its own, so the rule `stuck` has no effect on it"
            );
            if self.warnings.iter().all(|other| other.message != message) {
                let warning = Diagnostic::new(Code::IdleRules, message)
                    .label(span, "asked for here")
                    .help("leave the line out of the game, and ask under `{ stuck: loses }` or another rule");
                self.warnings.push(warning);
            }
        }
    }

    /// Returns `true` if positions of one of the games in some values may have income.
    pub(super) fn have_income<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> bool {
        let games = &self.world.games;
        // Most sessions have no income at all, and then no list has to be searched.
        if !games.defines_income() {
            return false;
        }
        let (mut found, mut seen) = (false, HashSet::new());
        for value in values {
            visit_games(value, &mut seen, &mut |game| {
                found |= games.has_income(game);
            });
        }
        found
    }

    /// Answers questions about games, whose positions may have income.
    pub(super) fn about_games<T>(
        &mut self,
        has_income: bool,
        answer: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outside = mem::replace(&mut self.has_positions_with_income, has_income);
        // An error must not leave the state changed, so it is returned only after the reset.
        let answered = answer(self);
        self.has_positions_with_income = outside;
        answered
    }

    /// Answers questions asked at a place, to which errors and warnings without a place refer.
    pub(super) fn asking<T>(
        &mut self,
        span: Span,
        answer: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let answered = self.independently(answer);
        for warning in self
            .warnings
            .iter_mut()
            .filter(|warning| warning.labels.is_empty())
        {
            *warning = warning.clone().label(span, "asked for here");
        }
        for game in self.one_sided.drain(..) {
            self.perhaps_unwinnable.entry(game).or_insert(span);
        }
        answered.placed(span)
    }

    /// Answers questions so that a refusal does not depend on earlier ones. A game that was found
    /// in the graph of an earlier question may be refused for positions that it cannot reach, so it
    /// is asked about once more without the earlier graphs.
    pub(crate) fn independently<T>(
        &mut self,
        mut answer: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let were_shared = mem::replace(&mut self.world.memory.graphs.were_shared, false);
        let warnings = self.warnings.len();
        let answered = answer(self);
        let is_refused = answered
            .as_ref()
            .is_err_and(|refusal| !refusal.code.is_stop());
        // A match that has begun is not played again.
        if !is_refused || !self.world.memory.graphs.were_shared || self.talked {
            self.world.memory.graphs.were_shared |= were_shared;
            return answered;
        }
        let earlier = mem::take(&mut self.world.memory.graphs);
        self.warnings.truncate(warnings);
        let answered = answer(self);
        let own = mem::replace(&mut self.world.memory.graphs, earlier);
        self.world.memory.graphs.extend(own);
        // Calls around this one need not ask once more: the refusal would be repeated.
        self.world.memory.graphs.were_shared = false;
        answered
    }

    /// Warns of games asked about that nobody can win. This takes a search of its own, so it is
    /// done when the value is known: if it is stopped, no answer is lost.
    pub fn warn_of_unwinnable_games(&mut self) {
        for (game, span) in mem::take(&mut self.perhaps_unwinnable) {
            let searched =
                self.asking(span, |evaluator| evaluator.ask().warn_if_no_play_wins(game));
            if searched.is_err_and(|error| error.code.is_stop()) {
                break;
            }
        }
    }

    /// Returns the questions about games that a builtin would ask.
    pub(super) fn questions_of(
        &mut self,
        signature: &BuiltinSignature,
        call: &Call<'_>,
    ) -> Result<Vec<Question>> {
        let builtin = self.world.builtins.find(signature);
        self.admit_call(builtin, call)?;
        let Some(asks) = builtin.asks else {
            return Ok(Vec::new());
        };
        let stuck = self.rules().stuck;
        let ruled = self.ruled(call, stuck);
        let has_income = self.have_income(ruled.arguments.iter().map(|given| &given.value));
        self.about_games(has_income, |evaluator| asks(evaluator, &ruled))
            .placed(call.span)
    }

    /// Returns a call with its games put under a rule for the player who is stuck.
    fn ruled<'c>(&mut self, call: &Call<'c>, stuck: Stuck) -> Call<'c> {
        let games = &mut self.world.games;
        let mut arguments = call.arguments.clone();
        for given in &mut arguments {
            given.value = each_game(&given.value, &mut |game| games.ruled(game, stuck));
        }
        Call {
            name: call.name,
            arguments,
            named: call.named.clone(),
            labels: call.labels,
            span: call.span,
        }
    }

    /// Checks that a builtin can take these arguments under the rules in force.
    fn admit_call(&self, builtin: &Builtin, call: &Call<'_>) -> Result<()> {
        let (signature, is_about_play) = (&builtin.signature, builtin.asks.is_some());
        for (index, Operand { value, span }) in call.arguments.iter().enumerate() {
            let needed = signature.parameter(index).kinds;
            if !value.kinds().meets(needed) {
                return Err(type_error(*span, needed, value));
            }
        }
        for (name, Operand { value, span }) in &call.named {
            let parameter = signature
                .named
                .iter()
                .find(|parameter| parameter.name == *name);
            let needed = parameter.expect("checking has found it").kinds;
            if !value.kinds().meets(needed) {
                return Err(type_error(*span, needed, value));
            }
        }
        if is_about_play
            && !signature.endless
            && call
                .arguments
                .iter()
                .any(|given| matches!(given.value, Value::Game(_)))
        {
            self.needs_endings(&format!("`{}`", signature.name), call.span)?;
        }
        if is_about_play && !signature.income {
            let games = call.arguments.iter().map(|given| &given.value);
            self.needs_no_income(games, &format!("`{}`", signature.name), call.span)?;
        }
        Ok(())
    }
}
