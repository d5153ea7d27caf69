//! Calls functions, and families, whose instances are rulesets with their parameters.

use std::fmt::{self, Write};
use std::mem;
use std::rc::Rc;

use super::evaluator::Evaluator;
use super::frame::Frame;
use super::memo::{CallKey, Memo};
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::print::print_briefly;
use crate::game::{Called, Games, ruleset};
use crate::ir::{CheckedExprKind, Function, FunctionCode, Operand, RulesetTemplate, Value};
use crate::player::GameId;
use crate::report::Page;
use crate::rules::print_rules;
use crate::source::Span;

/// The greatest depth to which calls of users' functions may nest.
const MAX_DEPTH: usize = 10_000;

impl Evaluator<'_> {
    /// Calls a function or family.
    ///
    /// # Errors
    /// Returns an error if the number of arguments is wrong, or the error of the function.
    pub(crate) fn apply(
        &mut self,
        function: &Rc<Function>,
        arguments: Vec<Operand<Value>>,
        span: Span,
    ) -> Result<Value> {
        if arguments.len() != function.parameters().len() {
            return Err(wrong_count(function, arguments.len(), span));
        }
        let arguments: Vec<Value> = arguments.into_iter().map(|given| given.value).collect();
        match &**function {
            Function::Family { ruleset } => {
                self.instance(ruleset, &arguments, span).map(Value::Game)
            }
            Function::Closure {
                code,
                captured,
                defaults,
            } => {
                // A function is evaluated under the rules of the file that defines it.
                let outside = mem::replace(&mut self.defaults, Rc::clone(defaults));
                // The key has no captured values, so closures that have some are not remembered.
                let key = if captured.is_empty() {
                    Memo::key(code, &arguments)
                } else {
                    None
                };
                let value = match key {
                    Some(key) => self.remembered(key, |evaluator| {
                        evaluator.run(function, code, captured, arguments, span)
                    }),
                    None => self.run(function, code, captured, arguments, span),
                };
                self.defaults = outside;
                value
            }
        }
    }

    /// Evaluates the body of a function whose arguments may depend on answers.
    pub(super) fn within<T>(
        &mut self,
        function: &Rc<Function>,
        arguments: Vec<Option<Value>>,
        work: impl FnOnce(&mut Self, &FunctionCode, &mut Frame) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let Function::Closure {
            code,
            captured,
            defaults,
        } = &**function
        else {
            return Ok(None);
        };
        let first = usize::from(code.holds_itself);
        let values = arguments
            .iter()
            // Unknown arguments have a stand-in, and the frame marks their slots below.
            .map(|argument| argument.clone().unwrap_or(Value::Bool(false)));
        let mut frame = Self::frame(function, code, captured, values.collect());
        for (place, argument) in arguments.into_iter().enumerate() {
            frame.set_if_known(first + place, argument);
        }
        let outside = mem::replace(&mut self.defaults, Rc::clone(defaults));
        self.depth += 1;
        let done = work(self, code, &mut frame);
        self.depth -= 1;
        self.defaults = outside;
        done
    }

    /// Returns the value of a call from the memo. If it is not there, it is computed and stored,
    /// unless the call has talked with the user.
    fn remembered(
        &mut self,
        key: CallKey,
        compute: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        if let Some(value) = self.memo.recall(&key, &self.defaults, &self.explicit) {
            return Ok(value);
        }
        let value = compute(self)?;
        // A repeated call has to ask the user again.
        if !self.talked {
            self.memo
                .remember(key, &self.defaults, &self.explicit, &value);
        }
        Ok(value)
    }

    fn run(
        &mut self,
        function: &Rc<Function>,
        code: &FunctionCode,
        captured: &[Value],
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<Value> {
        if self.depth == MAX_DEPTH {
            return Err(too_deep(&code.name, span));
        }
        let mut frame = Self::frame(function, code, captured, arguments);
        self.depth += 1;
        let value = self.eval(&code.body, &mut frame);
        self.depth -= 1;
        match *code.body.kind {
            // An error in a family's graph usually depends on the arguments, so the call is named
            // too.
            CheckedExprKind::Graph(_) => value.map_err(|error| instance_error(error, span)),
            _ => value,
        }
    }

    fn frame(
        function: &Rc<Function>,
        code: &FunctionCode,
        captured: &[Value],
        arguments: Vec<Value>,
    ) -> Frame {
        let first = usize::from(code.holds_itself);
        let slots = first..first + arguments.len();
        let mut frame = Frame::new(code.frame).titled_call(&code.name, slots.clone());
        frame.captured = captured.into();
        if code.holds_itself {
            frame.set(0, Value::Function(Rc::clone(function)));
        }
        slots
            .zip(arguments)
            .for_each(|(slot, argument)| frame.set(slot, argument));
        frame
    }

    /// Returns the start of a ruleset with these parameters, which is compiled once.
    ///
    /// # Errors
    /// Returns an error if the ruleset cannot be compiled with them.
    pub fn instance(
        &mut self,
        ruleset: &Rc<RulesetTemplate>,
        arguments: &[Value],
        span: Span,
    ) -> Result<GameId> {
        let title = match ruleset.parameters {
            None => ruleset.name.clone(),
            Some(_) => instance_title(&self.world.games, &ruleset.name, arguments),
        };
        let key = arguments
            .iter()
            .map(|argument| self.identity(argument))
            .collect::<Result<Option<Vec<_>>>>()?;
        // The span tells rulesets of the same name apart.
        let key = key.map(|arguments| format!("{:?} {arguments:?}", ruleset.span));
        let id = match key
            .as_ref()
            .and_then(|key| self.world.games.find_ruleset(key))
        {
            Some(id) => id,
            None => {
                let context = self.context;
                let compiled = ruleset::compile(ruleset, arguments, self, context)
                    .map_err(|error| instance_error(error, span))?;
                self.warnings.extend_from_slice(compiled.warnings());
                let called = Called {
                    title,
                    name: ruleset.name.clone(),
                    arguments: arguments.to_vec(),
                };
                self.world.games.add_ruleset(key, called, compiled)
            }
        };
        let start = self.world.games.ruleset(id).start().clone();
        Ok(self.world.games.state(id, start))
    }

    /// Returns a text that distinguishes the value from all others, if values of its kind have one.
    fn identity(&self, value: &Value) -> Result<Option<String>> {
        let mut has_one = true;
        let text = Page::written(self.context, |page| {
            has_one = write_identity(value, page)?;
            Ok(())
        })?;
        Ok(has_one.then_some(text))
    }
}

/// Formats a call as it is mentioned: `tug(3)`.
pub(super) fn instance_title(games: &Games, name: &str, arguments: &[Value]) -> String {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| print_briefly(games, argument))
        .collect();
    format!("{name}({})", arguments.join(", "))
}

/// Writes a text that distinguishes a value from all others; returns `false` if there is none.
fn write_identity(value: &Value, out: &mut dyn Write) -> Result<bool, fmt::Error> {
    // The kind comes first, since `1` may be a number or a string.
    write!(out, "{:?} ", value.kinds())?;
    match value {
        Value::Integer(n) => write!(out, "{n}")?,
        Value::Rational(q) => write!(out, "{q}")?,
        Value::Enclosure(bounds) => {
            let [low, high] = bounds.bounds();
            write!(out, "{:?} {low} {high}", bounds.origin)?;
        }
        Value::Chips(chips) => write!(out, "{chips}")?,
        Value::Bool(value) => write!(out, "{value}")?,
        Value::Text(text) => write!(out, "{text:?}")?,
        Value::Player(player) => out.write_str(player.word())?,
        Value::Empty | Value::Never => {}
        Value::Side(side) => out.write_str(side.word())?,
        Value::Board(board) => {
            write!(out, "{:?} {} {}", board.shape, board.rows, board.cols)?;
            return write_identities(&board.cells, out);
        }
        Value::List(items) | Value::Tuple(items) => return write_identities(items, out),
        Value::Game(game) => write!(out, "{game:?}")?,
        Value::Rules(rules) => out.write_str(&print_rules(rules))?,
        Value::Outcome(outcome) => out.write_str(outcome.word())?,
        Value::Function(_) | Value::Answer(_) => return Ok(false),
    }
    Ok(true)
}

fn write_identities(values: &[Value], out: &mut dyn Write) -> Result<bool, fmt::Error> {
    out.write_char('[')?;
    for value in values {
        if !write_identity(value, out)? {
            return Ok(false);
        }
        out.write_char(',')?;
    }
    out.write_char(']')?;
    Ok(true)
}

fn wrong_count(function: &Function, found: usize, span: Span) -> Box<Diagnostic> {
    let expected = function.parameters().len();
    let message = format!(
        "`{}` is called with {}, but takes {expected}",
        function.name(),
        counted(found, "argument")
    );
    let heading = format!("{}({})", function.name(), function.parameters().join(", "));
    Diagnostic::new(Code::WrongCount, message)
        .label(span, "called here")
        .help(format!("write `{heading}`"))
        .into()
}

fn too_deep(name: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::Recursion,
        format!("`{name}` calls itself more than {MAX_DEPTH} times deep"),
    )
    .label(span, "the call that went too deep")
    .help("give the recursion an end, `if n == 0 then … else …`, or smaller arguments")
    .into()
}

/// Adds to a diagnostic of a ruleset or graph the place of the call that made the instance.
fn instance_error(error: Box<Diagnostic>, span: Span) -> Box<Diagnostic> {
    let inside = |place: Span| {
        place.source == span.source && span.start <= place.start && place.end <= span.end
    };
    if error.span().is_some_and(inside) {
        error
    } else {
        error.label(span, "made here").into()
    }
}
