//! Checks calls of builtins, functions, families and games.

use std::ops::RangeInclusive;

use super::expr::{only_range, range_in_list};
use super::ruleset::RulesetSection;
use super::{Checker, Target, Typed};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, counted, did_you_mean};
use crate::ir::{BuiltinSignature, CheckedExpr, CheckedExprKind, Kinds, Value};
use crate::rules::RuleField;
use crate::source::Span;
use crate::syntax::vocabulary::constants;
use crate::syntax::{ast, print_expr};

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        callee: &ast::Expr,
        arguments: &[ast::Argument],
        span: Span,
    ) -> Typed {
        if let ast::ExprKind::Name(name) = &*callee.kind {
            // A `let` line of the ruleset hides everything of its name, so it is tried first.
            if let Some(called) = self.rule_let(name, callee.span, arguments, span) {
                return called;
            }
            // The outcome `draw` hides no builtin, because outcomes cannot be called.
            let is_outcome = |typed: &Typed| {
                matches!(
                    *typed.expr.kind,
                    CheckedExprKind::Constant(Value::Outcome(_))
                )
            };
            let known = self.known_name(name, callee.span);
            let hidden = known.is_some_and(|known| !is_outcome(&known));
            if let Some(diagnostic) = self.defined_by_itself(name, callee.span) {
                return self.broken(diagnostic, span);
            }
            if let Some(builtin) = self.definitions.builtin(name).filter(|_| !hidden) {
                return self.builtin_call(builtin, arguments, callee.span, span);
            }
        }
        let callee = self.expr(callee);
        if !callee.kinds.meets(Kinds::GAME.or(Kinds::FUNCTION)) {
            let hidden = self.hidden_builtin(&callee.expr);
            let meant = match callee.kinds {
                // A call binds tighter than `at`: `G at "…" (4*, 4)` calls the position.
                Kinds::TEXT => Some("to call the game at a position, write `(G at \"…\")(4*, 4)`"),
                Kinds::EMPTY => Some("a cell is compared with it: `board[c] == empty`"),
                _ => None,
            };
            let wrong = not_callable(&callee).maybe_help(hidden.or(meant.map(str::to_owned)));
            return self.broken(wrong, span);
        }
        let arguments = self.positional(arguments);
        let result = self.check_arguments(&callee, &arguments, span);
        let arguments = arguments
            .into_iter()
            .map(|argument| argument.expr)
            .collect();
        Typed::new(
            CheckedExprKind::Call {
                callee: callee.expr,
                arguments,
            },
            result,
            span,
        )
    }

    /// Returns the remedy for a name whose definition hides a builtin or a constant.
    pub(super) fn hidden_builtin(&self, named: &CheckedExpr) -> Option<String> {
        let CheckedExprKind::Global(id) = *named.kind else {
            return None;
        };
        let name = &self.definitions.get(id).name;
        let builtin = match self.definitions.builtin(name) {
            Some(builtin) => builtin.heading(),
            None => constants().find(|constant| constant == name)?.to_owned(),
        };
        Some(format!(
            "your own `{name}` hides the builtin `{builtin}`: give yours another name; in the REPL, `:forget {name}` takes it back"
        ))
    }

    /// Lowers the arguments of a callee that takes no named ones.
    fn positional(&mut self, arguments: &[ast::Argument]) -> Vec<Typed> {
        for argument in arguments {
            if let Some(name) = &argument.name {
                self.report(no_named(name, argument.value.span));
            }
        }
        arguments
            .iter()
            .map(|argument| self.expr(&argument.value))
            .collect()
    }

    /// Checks everything about a call that is known before it runs. Returns the kinds of the
    /// result.
    fn check_arguments(&mut self, callee: &Typed, arguments: &[Typed], span: Span) -> Kinds {
        if callee.kinds == Kinds::GAME {
            if arguments.len() == 2 {
                return Kinds::OUTCOME;
            }
            self.report(needs_chips(callee, arguments.len(), span));
            // Arguments of another number may be meant as parameters, so that the result is unknown.
            return Kinds::ANY;
        }
        let CheckedExprKind::Global(id) = *callee.expr.kind else {
            return Kinds::ANY;
        };
        let definition = self.definitions.get(id).clone();
        let Some(signature) = &definition.signature else {
            return Kinds::ANY;
        };
        let expected = signature.parameters.len();
        if expected != arguments.len() {
            self.report(wrong_count(
                &definition.name,
                expected..=expected,
                arguments.len(),
                &definition.heading(),
                span,
            ));
            // With a wrong number the pairs below would not match, and one error suffices.
            return signature.result;
        }
        for ((name, kinds), argument) in signature.parameters.iter().zip(arguments) {
            if !argument.kinds.meets(*kinds) {
                let why = format!("`{}` takes {kinds} as `{name}`", definition.name);
                self.report(self.wrong_type(&argument.expr, &why, *kinds, argument.kinds));
            }
        }
        signature.result
    }

    fn builtin_call(
        &mut self,
        builtin: &'static BuiltinSignature,
        arguments: &[ast::Argument],
        name_span: Span,
        span: Span,
    ) -> Typed {
        let (named, positional): (Vec<_>, Vec<_>) = arguments
            .iter()
            .partition(|argument| argument.name.is_some());
        let (mut known, mut unknown) = (Vec::new(), false);
        for argument in named {
            let name = argument.name.as_ref().expect("partitioned by name");
            let mut parameters = builtin.named.iter();
            match parameters.find(|parameter| parameter.name == name.text) {
                Some(parameter) => known.push((parameter, name.span, &argument.value)),
                None => {
                    self.report(unknown_named(builtin, name));
                    unknown = true;
                }
            }
        }
        if !builtin.counts().contains(&positional.len()) {
            // An argument of an unknown name may be meant for one that is missing.
            if !unknown {
                self.report(wrong_count(
                    builtin.name,
                    builtin.counts(),
                    positional.len(),
                    &builtin.heading(),
                    span,
                ));
            }
            return Typed::stand_in(name_span);
        }
        self.refer_to(name_span, || Target::Builtin(builtin.name.to_owned()));
        let labels = arguments
            .iter()
            .map(|argument| print_expr(&argument.value))
            .collect();
        let mut lowered = Vec::new();
        for (index, argument) in positional.iter().enumerate() {
            let parameter = builtin.parameter(index);
            let why = format!(
                "`{}` takes {} as `{}`",
                builtin.name, parameter.kinds, parameter.name
            );
            lowered.push(self.argument(&argument.value, parameter.kinds, &why));
        }
        let mut named_lowered = Vec::new();
        for (parameter, name_span, value) in known {
            self.refer_to(name_span, || {
                Target::Parameter(builtin.name, parameter.name)
            });
            let why = format!("`{}:` takes {}", parameter.name, parameter.kinds);
            // Some kinds are described up to a comma, which the message sets itself.
            let why = why.trim_end_matches(',');
            named_lowered.push((parameter.name, self.argument(value, parameter.kinds, why)));
        }
        let kind = CheckedExprKind::Builtin {
            builtin,
            arguments: lowered,
            named: named_lowered,
            labels,
        };
        Typed::new(kind, builtin.result, span)
    }

    /// Lowers an argument of a builtin. A list like `[1..3]` is an error where numbers are meant.
    fn argument(&mut self, value: &ast::Expr, needed: Kinds, why: &str) -> CheckedExpr {
        if let Some(range) = only_range(value).filter(|_| needed.are_chips()) {
            let message = format!("{why}, but this is a list of one list");
            let diagnostic = range_in_list(Code::WrongType, message, value.span, range);
            return self.broken(diagnostic, value.span).expr;
        }
        self.needs(value, needed, why)
    }

    /// Lowers a call of a `let` line of the ruleset that is being checked.
    fn rule_let(
        &mut self,
        name: &str,
        name_span: Span,
        arguments: &[ast::Argument],
        span: Span,
    ) -> Option<Typed> {
        let Some(RulesetSection::Lines(names)) = &mut self.within else {
            return None;
        };
        let (index, expected) = names.find_let(name)?;
        self.refer(name, name_span);
        if expected != arguments.len() {
            self.report(wrong_count(
                name,
                expected..=expected,
                arguments.len(),
                name,
                span,
            ));
        }
        let arguments = self
            .positional(arguments)
            .into_iter()
            .map(|argument| argument.expr)
            .collect();
        Some(Typed::new(
            CheckedExprKind::RuleLet(index, arguments),
            Kinds::ANY,
            span,
        ))
    }
}

fn not_callable(callee: &Typed) -> Diagnostic {
    Diagnostic::new(
        Code::NotCallable,
        format!(
            "only functions and games can be called, but this is {}",
            callee.kinds
        ),
    )
    .label(callee.expr.span, format!("this is {}", callee.kinds))
}

fn needs_chips(callee: &Typed, found: usize, span: Span) -> Diagnostic {
    let message = format!(
        "a game is called with Alice's chips and Bob's, but {} given",
        are(found)
    );
    let call = "write `G(4*, 4)`: the star marks who has the tie-breaking advantage";
    let diagnostic =
        Diagnostic::new(Code::WrongCount, message).label(span, "needs two chip counts");
    match *callee.expr.kind {
        CheckedExprKind::Global(_) => {
            diagnostic.help(format!("{call}; this game has no parameters"))
        }
        _ => diagnostic.help(call),
    }
}

fn no_named(name: &ast::Name, value: Span) -> Diagnostic {
    let to_value = Span {
        // The removed text reaches to the value, so that the colon goes too.
        end: value.start,
        ..name.span
    };
    Diagnostic::new(
        Code::WrongCount,
        format!(
            "only builtin functions take named arguments like `{}:`",
            name.text
        ),
    )
    .label(name.span, "a named argument")
    .help(Help::from("leave out the name").with(Fix::remove(to_value).titled("leave out the name")))
}

fn unknown_named(builtin: &BuiltinSignature, name: &ast::Name) -> Diagnostic {
    let names = builtin.named.iter().map(|parameter| parameter.name);
    let mut positional = builtin.parameters.iter();
    let is_rule = name.text == "using" || RuleField::named(&name.text).is_some();
    let help = if is_rule {
        Some("rules stand behind the parenthesis that closes the call: `R(G) using { … }`".into())
    } else if positional.any(|parameter| parameter.name == name.text) {
        Some(
            format!(
                "`{}` stands without its name: `{}`",
                name.text,
                builtin.heading()
            )
            .into(),
        )
    } else {
        did_you_mean(&name.text, names).map(|nearest| {
            Help::from(format!("did you mean `{nearest}:`?")).with(Fix::replace(name.span, nearest))
        })
    };
    Diagnostic::new(
        Code::WrongCount,
        format!("`{}` has no argument called `{}`", builtin.name, name.text),
    )
    .label(name.span, "unknown argument")
    .maybe_help(help)
}

fn wrong_count(
    name: &str,
    expected: RangeInclusive<usize>,
    found: usize,
    heading: &str,
    span: Span,
) -> Diagnostic {
    let (least, most) = expected.into_inner();
    let takes = if least == most {
        counted(most, "argument")
    } else if most == usize::MAX {
        format!("{} or more", counted(least, "argument"))
    } else {
        format!("{least} to {}", counted(most, "argument"))
    };
    Diagnostic::new(
        Code::WrongCount,
        format!("`{name}` takes {takes}, but {} given", are(found)),
    )
    .label(span, format!("{} given here", are(found)))
    .help(if heading.contains('[') {
        format!("write `{heading}`, where parts in brackets may be left out")
    } else {
        format!("write `{heading}`")
    })
}

fn are(count: usize) -> String {
    match count {
        0 => "none is".to_owned(),
        1 => "one is".to_owned(),
        _ => format!("{count} are"),
    }
}
