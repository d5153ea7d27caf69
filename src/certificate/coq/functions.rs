//! Translates calls: of lines of the ruleset and of functions of the source, which become
//! definitions of the file, and of builtins, which the theory defines.

use std::rc::Rc;

use super::expressions::{Translator, side, untranslated};
use super::scope::TranslationScope;
use super::terms::{GallinaTerm, Type, level};
use crate::diagnostic::{Result, counted};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Clause, Definition, Expr, ExprKind};
use crate::verify::{Callable, FunctionValue, Value};

/// A function of the source as a definition of the file.
#[derive(Debug, Clone)]
pub(super) struct TranslatedFunction {
    name: String,
    /// The state variables, and `me`, that it takes as its first arguments, by their names in the
    /// source.
    used: Vec<String>,
    ty: Type,
}

/// The parts of a definition.
struct FunctionSource<'s> {
    key: String,
    definition: &'s Definition,
    scope: TranslationScope,
}

impl Translator<'_, '_> {
    pub(super) fn call(
        &mut self,
        callee: &Expr,
        arguments: &[&Expr],
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        let ExprKind::Name(name) = &*callee.kind else {
            return Err(untranslated(
                "the theory calls only functions that have names",
                callee.span,
            ));
        };
        if scope.find(name).is_none() && scope.rule_let(name).is_some() {
            let arguments = self.terms(arguments.iter().copied(), scope)?;
            return self.rule_let(name, &arguments, span, scope);
        }
        match self.interpreter.definition(scope.module, name).cloned() {
            Some(Value::Function(function)) => {
                let arguments = self.terms(arguments.iter().copied(), scope)?;
                self.function(&function, arguments, span)
            }
            Some(_) => Err(untranslated(
                format!("`{name}` is not a function"),
                callee.span,
            )),
            None => self.builtin(name, arguments, span, scope),
        }
    }

    /// Translates a call of a `let` line of the ruleset.
    pub(super) fn rule_let(
        &mut self,
        name: &str,
        arguments: &[GallinaTerm],
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        let Some((line, definition)) = scope.rule_let(name) else {
            return Err(untranslated("this line defines nothing", span));
        };
        let mut inside = scope.before(line);
        // In the definition the state variables are parameters, about whose terms nothing is known.
        inside.me = Some(GallinaTerm::atom("me", Type::Player));
        inside.facts = Default::default();
        let source = FunctionSource {
            key: format!("line {line}"),
            definition,
            scope: inside,
        };
        let translated = self.define(source, arguments, span)?;
        let mut all = Vec::new();
        for used in &translated.used {
            scope.used.insert(used.clone());
            let term = match scope.find(used) {
                Some(index) if used != "me" => Some(scope.variables[index].term.clone()),
                _ => scope.me.clone(),
            };
            all.push(term.ok_or_else(|| untranslated("nobody moves here", span))?);
        }
        all.extend(arguments.iter().cloned());
        let all: Vec<&GallinaTerm> = all.iter().collect();
        Ok(GallinaTerm::apply(&translated.name, &all, translated.ty))
    }

    fn function(
        &mut self,
        function: &Rc<FunctionValue>,
        arguments: Vec<GallinaTerm>,
        span: Span,
    ) -> Result<GallinaTerm> {
        let Callable::Definition(definition) = &function.code else {
            return Err(untranslated(
                "the theory cannot express games inside rules",
                span,
            ));
        };
        // A definition of the file sees no variables but its own parameters.
        if !function.captured.is_empty() {
            return Err(untranslated(
                "the theory cannot express functions within functions",
                span,
            ));
        }
        let source = FunctionSource {
            key: format!("function {}", function.id),
            definition,
            scope: TranslationScope::new(function.module),
        };
        let translated = self.define(source, &arguments, span)?;
        let arguments: Vec<&GallinaTerm> = arguments.iter().collect();
        Ok(GallinaTerm::apply(
            &translated.name,
            &arguments,
            translated.ty,
        ))
    }

    /// Defines a function for arguments of these types.
    fn define(
        &mut self,
        source: FunctionSource<'_>,
        arguments: &[GallinaTerm],
        span: Span,
    ) -> Result<TranslatedFunction> {
        let FunctionSource {
            key,
            definition,
            mut scope,
        } = source;
        let name = &definition.name.text;
        let parameters = definition.parameters.as_deref().unwrap_or_default();
        if parameters.len() != arguments.len() {
            return Err(untranslated(
                format!("`{name}` takes {}", counted(parameters.len(), "argument")),
                span,
            ));
        }
        let types: Vec<Type> = arguments
            .iter()
            .map(|argument| argument.ty.clone())
            .collect();
        // A line is translated for the types of the state variables too, which it may read.
        let state = scope.variables[..scope.state].iter();
        let mut known: Vec<Type> = state.map(|variable| variable.term.ty.clone()).collect();
        known.extend(types.iter().cloned());
        let key = (key, known);
        if let Some(translated) = self.functions.get(&key) {
            return Ok(translated.clone());
        }
        // A definition of Coq cannot refer to itself, so recursion is refused.
        if self.open.contains(&key.0) {
            return Err(untranslated(format!("`{name}` calls itself"), span));
        }
        self.open.push(key.0.clone());
        let mut binders = Vec::new();
        for (parameter, ty) in parameters.iter().zip(&types) {
            let coq = scope.bind(&parameter.text, ty.clone(), &self.names);
            binders.push(format!("({coq} : {})", ty.text()));
        }
        let body = self.term(&definition.body, &mut scope)?;
        self.open.pop();
        let mut used = Vec::new();
        let mut first = Vec::new();
        for variable in &scope.variables[..scope.state] {
            if scope.used.contains(&variable.name) {
                used.push(variable.name.clone());
                first.push(format!(
                    "({} : {})",
                    variable.term.name(),
                    variable.term.ty.text()
                ));
            }
        }
        if scope.used.contains("me") {
            used.push("me".to_owned());
            first.push("(me : player)".to_owned());
        }
        first.extend(binders);
        let coq = self.names.define(name);
        let head: Vec<String> = std::iter::once(coq.clone()).chain(first).collect();
        // Functions that the body calls have been pushed before, so the order suits Coq.
        self.definitions.push(format!(
            "Definition {} : {} :=\n  {}.",
            head.join(" "),
            body.ty.text(),
            body.whole().replace('\n', "\n  ")
        ));
        let translated = TranslatedFunction {
            name: coq,
            used,
            ty: body.ty,
        };
        self.functions.insert(key, translated.clone());
        Ok(translated)
    }

    fn builtin(
        &mut self,
        name: &str,
        arguments: &[&Expr],
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        match (name, arguments) {
            // These take their arguments untranslated, because their form decides the translation.
            ("any" | "all", [list]) => return self.quantified(name == "any", list, scope),
            ("floor" | "ceil", [number]) => return self.rounded(name, number, span, scope),
            ("abs", [number]) => return self.absolute(number, span, scope),
            ("connected", [board, who, from, to]) => {
                return self.connected(&[board, who], [from, to], span, scope);
            }
            _ => {}
        }
        let terms = self.terms(arguments.iter().copied(), scope)?;
        let unknown = || {
            untranslated(
                format!("the function `{name}` of these arguments is not in the theory"),
                span,
            )
        };
        let grid = terms.first().and_then(|term| match term.ty {
            Type::Grid { hexagons } => Some(hexagons),
            _ => None,
        });
        if let (Some(hexagons), Some((board, rest))) = (grid, terms.split_first()) {
            return self
                .of_board(name, hexagons, board, rest, span)?
                .ok_or_else(unknown);
        }
        self.of_numbers(name, terms, span)?.ok_or_else(unknown)
    }

    /// Translates a call of a builtin of boards.
    fn of_board(
        &mut self,
        name: &str,
        hexagons: bool,
        board: &GallinaTerm,
        rest: &[GallinaTerm],
        span: Span,
    ) -> Result<Option<GallinaTerm>> {
        let apply = |function: &str, arguments: &[&GallinaTerm], ty| {
            let all: Vec<&GallinaTerm> = std::iter::once(board)
                .chain(arguments.iter().copied())
                .collect();
            Some(GallinaTerm::apply(function, &all, ty))
        };
        let place = |term: &GallinaTerm| term.clone().natural();
        Ok(match (name, rest) {
            ("cells" | "empty_cells", []) => apply(name, &[], Type::cell().list()),
            ("full", []) => apply(name, &[], Type::Bool),
            ("rows" | "cols", []) => apply(name, &[], Type::Natural),
            ("height", [column]) if column.ty.is_number() => {
                apply(name, &[&place(column)], Type::Natural)
            }
            ("line", [who, length]) if who.ty == Type::Player && length.ty.is_number() => {
                let function = if hexagons { "hex_line" } else { "line" };
                apply(function, &[who, &place(length)], Type::Bool)
            }
            ("neighbours", [cell]) if cell.ty == Type::cell() => {
                let function = if hexagons {
                    "hexagons_around"
                } else {
                    "squares_around"
                };
                apply(function, &[cell], Type::cell().list())
            }
            ("count", [content]) => {
                let content = self.of_type(content.clone(), &Type::Content, span)?;
                let all = GallinaTerm::apply("contents", &[board], Type::Content.list());
                Some(GallinaTerm::apply(
                    "how_many",
                    &[&all, &content],
                    Type::Natural,
                ))
            }
            _ => None,
        })
    }

    /// Translates a call of a builtin of lists and numbers.
    fn of_numbers(
        &mut self,
        name: &str,
        mut terms: Vec<GallinaTerm>,
        span: Span,
    ) -> Result<Option<GallinaTerm>> {
        let two = terms.len() == 2 && terms.iter().all(|term| term.ty.is_number());
        let item = match terms.first().map(|term| &term.ty) {
            Some(Type::List(item)) => Some((**item).clone()),
            _ => None,
        };
        Ok(match (name, item, &mut terms[..]) {
            ("min" | "max", _, [a, b]) if two => {
                let bounds = |x: Option<i64>, y: Option<i64>| {
                    x.zip(y)
                        .map(|(x, y)| if name == "min" { x.min(y) } else { x.max(y) })
                };
                let (least, most) = (bounds(a.least, b.least), bounds(a.most, b.most));
                let (ty, [a, b]) = self.alike([a.clone(), b.clone()], span)?;
                let module = if ty == Type::Natural { "Nat" } else { "Z" };
                let term = GallinaTerm::apply(&format!("{module}.{name}"), &[&a, &b], ty);
                Some(term.between(least, most))
            }
            ("len", Some(_), [list]) => Some(GallinaTerm::apply("length", &[list], Type::Natural)),
            ("sum", Some(Type::Natural), [list]) => {
                Some(GallinaTerm::apply("total", &[list], Type::Natural))
            }
            ("sum", Some(Type::Integer), [list]) => {
                Some(GallinaTerm::apply("total_Z", &[list], Type::Integer))
            }
            ("count", Some(item), [list, wanted]) => {
                let Some(ty) = item.join(&wanted.ty) else {
                    return Ok(None);
                };
                let wanted = self.of_type(wanted.clone(), &ty, span)?;
                let list = self.of_type(list.clone(), &ty.list(), span)?;
                Some(GallinaTerm::apply(
                    "how_many",
                    &[&list, &wanted],
                    Type::Natural,
                ))
            }
            ("row", None, [cell]) if cell.ty == Type::cell() => {
                Some(GallinaTerm::apply("fst", &[cell], Type::Natural))
            }
            ("col", None, [cell]) if cell.ty == Type::cell() => {
                Some(GallinaTerm::apply("snd", &[cell], Type::Natural))
            }
            _ => None,
        })
    }

    /// Translates `any` and `all`, of comprehensions `[… for …]` and of other lists.
    fn quantified(
        &mut self,
        any: bool,
        list: &Expr,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        if let ExprKind::Comprehension { element, clauses } = &*list.kind {
            return self.quantifiers(any, clauses, element, scope);
        }
        let term = self.term(list, scope)?;
        let term = self.of_type(term, &Type::Bool.list(), list.span)?;
        let function = if any { "some" } else { "every" };
        let text = format!("{function} (fun x => x) {}", term.outside(0));
        Ok(GallinaTerm::new(text, level::APPLICATION, Type::Bool))
    }

    fn quantifiers(
        &mut self,
        any: bool,
        clauses: &[Clause],
        element: &Expr,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        match clauses.split_first() {
            None => self.truth(element, scope),
            Some((Clause::If(condition), rest)) => {
                let truth = self.truth(condition, scope)?;
                self.learn(condition, scope)?;
                let rest = self.quantifiers(any, rest, element, scope)?;
                let otherwise = GallinaTerm::atom((!any).to_string(), Type::Bool);
                Ok(GallinaTerm::choice(&truth, rest, &otherwise))
            }
            Some((Clause::For { pattern, iterable }, rest)) => {
                let list = self.term(iterable, scope)?;
                let (variables, facts) = (scope.variables.len(), scope.facts.clone());
                let pattern = self.pattern(pattern, &list, iterable.span, scope)?;
                let rest = self.quantifiers(any, rest, element, scope)?;
                // The variable and the facts about it are not visible behind the quantifier.
                scope.variables.truncate(variables);
                scope.facts = facts;
                let function = if any { "some" } else { "every" };
                let text = format!(
                    "{function} (fun {pattern} => {}) {}",
                    rest.whole(),
                    list.outside(0)
                );
                Ok(GallinaTerm::new(text, level::APPLICATION, Type::Bool))
            }
        }
    }

    /// Translates `floor(a / b)` and `ceil(a / b)`, also of an integer.
    fn rounded(
        &mut self,
        name: &str,
        number: &Expr,
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        let mut inner = number;
        while let ExprKind::Paren(within) = &*inner.kind {
            inner = within;
        }
        let ExprKind::Binary(BinaryOp::Divide, above, below) = &*inner.kind else {
            return self.term(number, scope);
        };
        let (a, b) = (self.term(above, scope)?, self.term(below, scope)?);
        if !a.ty.is_number() || !b.ty.is_number() {
            return Err(untranslated("the theory divides only integers", span));
        }
        if name == "floor" && (&a.ty, &b.ty) == (&Type::Natural, &Type::Natural) {
            return Ok(GallinaTerm::infix(
                &a,
                "/",
                &b,
                level::PRODUCT,
                Type::Natural,
            ));
        }
        let a = self.of_type(a, &Type::Integer, span)?;
        let b = self.of_type(b, &Type::Integer, span)?;
        let divisor = b.in_integers(level::PRODUCT - 1);
        // Division in Z rounds down, so a ceiling is the opposite of the floor of the opposite.
        let text = match name {
            "floor" => format!("{} / {divisor}", a.in_integers(level::PRODUCT)),
            _ => format!("- ((- {}) / {divisor})", a.in_integers(level::ATOM)),
        };
        let own = if name == "floor" {
            level::PRODUCT
        } else {
            level::OPPOSITE
        };
        Ok(GallinaTerm::integers(text, own, Type::Integer))
    }

    /// Translates `abs(x - y)`, or `abs` of a number.
    fn absolute(
        &mut self,
        number: &Expr,
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        if let ExprKind::Binary(BinaryOp::Subtract, a, b) = &*number.kind {
            let (a, b) = (self.term(a, scope)?, self.term(b, scope)?);
            // Subtraction of naturals stops at 0, so the theory has a distance of its own.
            if (&a.ty, &b.ty) == (&Type::Natural, &Type::Natural) {
                return Ok(GallinaTerm::apply("distance", &[&a, &b], Type::Natural));
            }
        }
        let number = self.term(number, scope)?;
        match number.ty {
            Type::Natural => Ok(number),
            Type::Integer => Ok(GallinaTerm::apply("Z.abs_nat", &[&number], Type::Natural)),
            _ => Err(untranslated("only a number has an absolute value", span)),
        }
    }

    fn connected(
        &mut self,
        terms: &[&Expr],
        sides: [&Expr; 2],
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<GallinaTerm> {
        let terms = self.terms(terms.iter().copied(), scope)?;
        if terms[0].ty != (Type::Grid { hexagons: true }) || terms[1].ty != Type::Player {
            return Err(untranslated(
                "`connected` is in the theory for a player's stones on boards of hexagons",
                span,
            ));
        }
        let mut words = Vec::new();
        for expr in sides {
            let value = match &*expr.kind {
                _ if scope.is_dynamic(expr) => None,
                _ => self.value(expr, scope).ok(),
            };
            let word = value.as_ref().and_then(side);
            words.push(
                word.ok_or_else(|| untranslated("this side of the board changes", expr.span))?,
            );
        }
        let text = format!(
            "connected {} {} {} {}",
            terms[0].outside(0),
            terms[1].outside(0),
            words[0],
            words[1]
        );
        Ok(GallinaTerm::new(text, level::APPLICATION, Type::Bool))
    }
}
