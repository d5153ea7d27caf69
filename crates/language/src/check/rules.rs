//! Lowers rules literals: `{ pay: taxman(1/3), ties: marker }`.

use super::{Checker, Target, Typed};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, did_you_mean};
use crate::ir::{CheckedExprKind, Kinds, RulesField};
use crate::rules::{FIELDS, Numeric, RuleField};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    pub(super) fn rules_literal(&mut self, fields: &[ast::RuleSetting], span: Span) -> Typed {
        for (i, field) in fields.iter().enumerate() {
            if let Some(first) = fields[..i]
                .iter()
                .find(|other| other.name.text == field.name.text)
            {
                self.report(field_twice(&field.name, first.name.span));
            }
        }
        let lowered = fields
            .iter()
            .filter_map(|field| self.rules_field(field))
            .collect();
        Typed::new(CheckedExprKind::Rules(lowered), Kinds::RULES, span)
    }

    fn rules_field(&mut self, field: &ast::RuleSetting) -> Option<RulesField> {
        let name = &field.name;
        let Some(known) = RuleField::named(&name.text) else {
            self.report(unknown_field(name));
            return None;
        };
        self.refer_to(name.span, || Target::Field(known.name));
        if let ast::ExprKind::Call { callee, arguments } = &*field.value.kind
            && let (ast::ExprKind::Name(called), [part]) = (&*callee.kind, &arguments[..])
            && let Some(numeric) = known.called(called)
        {
            self.refer_to(callee.span, || {
                Target::FieldValue(known.name, called.clone())
            });
            return Some(RulesField::Number(
                numeric,
                self.needs(&part.value, Kinds::NUMBER, numeric.takes),
            ));
        }
        if let Some(numeric) = known.number {
            let kinds = if numeric.for_each_player {
                Kinds::LIST
            } else {
                Kinds::NUMBER
            };
            let value = self.expr(&field.value);
            // Where a list is missing, the general remedy suggests a range, which does not fit here.
            if numeric.for_each_player && !value.kinds.meets(kinds) {
                self.report(not_for_each_player(numeric, &value));
                return None;
            }
            return Some(RulesField::Number(
                numeric,
                self.fitting(value, kinds, numeric.takes).expr,
            ));
        }
        let word = match &*field.value.kind {
            ast::ExprKind::Name(word) => word.as_str(),
            // Some values are spelt like players, which the parser reads as such.
            ast::ExprKind::Player(_, spelling) => spelling,
            _ => {
                self.report(not_a_value(name, known, &field.value));
                return None;
            }
        };
        let value = known.value(word).map(RulesField::Known);
        if value.is_some() {
            self.refer_to(field.value.span, || {
                Target::FieldValue(known.name, word.to_owned())
            });
        } else {
            self.report(unknown_value(name, word, known, field.value.span));
        }
        value
    }
}

fn unknown_field(name: &ast::Name) -> Diagnostic {
    let fields: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    let help = match did_you_mean(&name.text, fields.iter().copied()) {
        Some(nearest) => Help::did_you_mean(&name.text, nearest, name.span),
        None => format!("the fields are {}", fields.join(", ")).into(),
    };
    Diagnostic::new(
        Code::UnknownField,
        format!("rules have no field `{}`", name.text),
    )
    .label(name.span, "unknown field")
    .help(help)
}

fn field_twice(name: &ast::Name, first: Span) -> Diagnostic {
    Diagnostic::new(
        Code::DuplicateName,
        format!("the field `{}` is given twice", name.text),
    )
    .label(name.span, "again here")
    .label(first, "first here")
    .help("keep one of them")
}

fn unknown_value(name: &ast::Name, word: &str, field: &RuleField, span: Span) -> Diagnostic {
    let help = match did_you_mean(word, field.words()) {
        // A fix would leave out the number, so there are only words here.
        Some("taxman") => "write `taxman(t)` with the part t that goes to the bank".into(),
        Some(nearest) => Help::did_you_mean(word, nearest, span),
        None if word == "taxman" => {
            "write `taxman(t)` with the part t that goes to the bank".into()
        }
        None => format!(
            "the values are {}",
            field.words().collect::<Vec<_>>().join(", ")
        )
        .into(),
    };
    Diagnostic::new(
        Code::UnknownField,
        format!("`{}` has no value `{word}`", name.text),
    )
    .label(span, "unknown value")
    .help(help)
}

fn not_for_each_player(numeric: Numeric, value: &Typed) -> Diagnostic {
    let message = format!("{}, but this is {}", numeric.takes, value.kinds);
    Diagnostic::new(Code::WrongType, message)
        .label(value.expr.span, format!("this is {}", value.kinds))
        .help(numeric.refusal[2])
}

fn not_a_value(name: &ast::Name, field: &RuleField, value: &ast::Expr) -> Diagnostic {
    let quoted = match &*value.kind {
        ast::ExprKind::String(text) => field.words().find(|word| *word == text.as_str()),
        _ => None,
    };
    let help = match quoted {
        Some(word) => Help::from(format!("write it without quotes: `{}: {word}`", name.text))
            .with(Fix::replace(value.span, word)),
        None => format!(
            "the values are {}",
            field.words().collect::<Vec<_>>().join(", ")
        )
        .into(),
    };
    Diagnostic::new(
        Code::UnknownField,
        format!("the value of `{}` is one word", name.text),
    )
    .label(value.span, "not one of them")
    .help(help)
}
