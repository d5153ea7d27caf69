//! The checker's own interpreter, which derives positions, endings and moves directly from the
//! syntax tree.
//!
//! It knows the parts of games: numbers, lists, functions, graphs, rulesets and the operators on
//! games. It knows no query, so a game whose description asks for `R` or `f` is not checked. It is
//! slow and plain. With the rest of the program it shares only the parser and the checking of names
//! and types.

mod boards;
mod eval;
mod games;
mod graphs;
mod positions;
mod question;
mod rulesets;
mod value;
mod view;

use std::collections::HashMap;
use std::rc::Rc;

pub use games::{Game, GameIndex, GamePosition};
pub use question::{AskedQuantity, GameQuery};
pub use rulesets::{Instance, let_line};
pub use value::{BoardSide, BoardValue, Callable, FunctionValue, Number, Trouble, Value};

use self::games::GameTable;
use self::value::{Result, placed, wrong};
use crate::check::{self, Definitions, Scope};
use crate::diagnostic::{Diagnostic, Severity};
use crate::format::SourceText;
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::{self, ast};
use crate::watch::Context;

/// The refusal of games whose positions have income.
const NO_INCOME: &str = "games in which players receive income have no certificate";

/// The greatest depth to which expressions, calls and games may be nested.
const MOST_DEEP: usize = 20_000;
/// The number of steps between two checks.
const CHECK_EVERY: u32 = 4096;

/// The texts of a question, with their definitions.
pub struct Interpreter<'a> {
    /// The limits of the work, and what may stop it.
    pub context: &'a Context<'a>,
    sources: SourceMap,
    definitions: Definitions,
    scopes: Vec<Scope>,
    /// The values of the names of each text.
    modules: Vec<HashMap<String, Value>>,
    /// The index of the text whose code is running.
    module: usize,
    games: GameTable,
    /// The results of calls, by function and arguments.
    memo: HashMap<(u64, Vec<Value>), Value>,
    /// `true` if moves are given their names.
    naming: bool,
    /// The number of functions created so far.
    functions: u64,
    depth: usize,
    steps: u32,
    /// The number of elements that further lists may have in all.
    room: u64,
}

/// The local names of a piece of code.
#[derive(Debug, Clone, Default)]
pub struct LocalFrame {
    locals: Vec<(Rc<str>, Value)>,
    /// The `let` lines of the surrounding ruleset, if there is one.
    lets: Option<Lets>,
}

/// The `let` lines that a piece of a ruleset can use.
#[derive(Debug, Clone)]
struct Lets {
    ruleset: Rc<ast::RulesetDefinition>,
    /// The number of the ruleset's lines that precede the piece.
    before: usize,
    /// The number of the frame's locals that are visible in every line of the ruleset.
    base: usize,
    /// `true` while the state is not known yet. Then only constants are visible.
    at_start: bool,
}

impl LocalFrame {
    /// Returns `true` if there are no names.
    pub fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.lets.is_none()
    }

    fn bind(&mut self, name: &ast::Name, value: Value) {
        self.locals.push((name.text.as_str().into(), value));
    }

    fn bind_all(&mut self, names: &[ast::Name], values: &[Value]) {
        let both = names.iter().zip(values);
        both.for_each(|(name, value)| self.bind(name, value.clone()));
    }

    fn find(&self, name: &str) -> Option<&Value> {
        self.locals
            .iter()
            .rev()
            .find(|(local, _)| **local == *name)
            .map(|(_, value)| value)
    }
}

impl<'a> Interpreter<'a> {
    /// Reads texts, which may name some builtins, and evaluates their definitions.
    ///
    /// # Errors
    /// If one of them has an error, or the work is stopped.
    pub fn new(
        texts: &[SourceText],
        builtins: &Definitions,
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let mut this = Self {
            context,
            sources: SourceMap::default(),
            definitions: builtins.clone(),
            scopes: Vec::new(),
            modules: Vec::new(),
            module: 0,
            games: GameTable::default(),
            memo: HashMap::new(),
            naming: false,
            functions: 0,
            depth: 0,
            steps: 0,
            // Lists take most of the memory, and each of their elements is a value.
            room: context.limits.max_memory / size_of::<Value>() as u64,
        };
        for text in texts {
            this.load(text)?;
        }
        Ok(this)
    }

    fn load(&mut self, text: &SourceText) -> Result<()> {
        let id = self.sources.add(text.name.clone(), text.text.clone());
        let statements = self.parse(id)?;
        let mut uses = text.uses.iter();
        let mut scope = Scope::default();
        self.module = self.modules.len();
        self.modules.push(HashMap::new());
        for statement in &statements {
            if let ast::StatementKind::Use { span, .. } = statement.kind {
                // A text can use only earlier ones, so that no circle arises.
                match uses.next().filter(|used| **used < self.module) {
                    Some(&used) => self.import(used, &mut scope),
                    None => {
                        return Err(Trouble::Wrong(
                            "no earlier text is named for this `use`".into(),
                            Some(span),
                        ));
                    }
                }
            }
        }
        if uses.next().is_some() {
            return wrong(format!(
                "text {} has fewer `use` lines than are named",
                self.module
            ));
        }
        // The interpreter relies on names and types that have been checked.
        self.check(&statements, &mut scope)?;
        for statement in statements {
            let span = statement.span;
            placed(self.define(statement), span)?;
        }
        self.scopes.push(scope);
        Ok(())
    }

    /// Makes the names of a text visible in the one that is loaded.
    fn import(&mut self, used: usize, scope: &mut Scope) {
        scope.import(&self.scopes[used]);
        let names = self.modules[used].clone();
        self.modules[self.module].extend(names);
    }

    fn parse(&self, id: SourceId) -> Result<Vec<ast::Statement>> {
        let parsed = syntax::parse(&self.sources, id);
        parsed.diagnostics.first().map_or(Ok(()), said)?;
        Ok(parsed.file.statements)
    }

    /// Checks the names and types of statements.
    fn check(&mut self, statements: &[ast::Statement], scope: &mut Scope) -> Result<()> {
        let (_, diagnostics) = check::check(&mut self.definitions, scope, statements);
        let mut diagnostics = diagnostics.iter();
        let error = diagnostics.find(|diagnostic| diagnostic.severity() == Severity::Error);
        error.map_or(Ok(()), said)
    }

    fn define(&mut self, statement: ast::Statement) -> Result<()> {
        use ast::StatementKind as Kind;
        let module = self.module;
        let (name, value) = match statement.kind {
            Kind::Let(definition) | Kind::Game(definition) => {
                let (name, constant) = (definition.name.clone(), definition.parameters.is_none());
                (
                    name,
                    self.defined(Callable::Definition(definition), constant)?,
                )
            }
            Kind::Ruleset(ruleset) => {
                let (name, constant) = (ruleset.name.clone(), ruleset.parameters.is_none());
                (
                    name,
                    self.defined(Callable::Ruleset(Rc::new(ruleset)), constant)?,
                )
            }
            Kind::Rules { name, body } => (name, self.eval(&body, &mut LocalFrame::default())?),
            Kind::Use { .. }
            | Kind::Using(_)
            | Kind::Show(_)
            | Kind::Check(_)
            | Kind::Test { .. }
            | Kind::Expr(_) => return Ok(()),
        };
        self.modules[module].insert(name.text, value);
        Ok(())
    }

    /// Returns the value of a definition: its body's value if it is a constant, else a function. A
    /// constant that this interpreter cannot evaluate hides the earlier meaning of its name, and
    /// fails where it is used.
    fn defined(&mut self, code: Callable, constant: bool) -> Result<Value> {
        let function = self.function(code, LocalFrame::default());
        if !constant {
            return Ok(Value::Function(function));
        }
        match self.call(&function, Vec::new()) {
            Err(Trouble::Wrong(why, span)) => Ok(Value::Failed(Rc::new((why, span)))),
            value => value,
        }
    }

    /// Runs work one level deeper.
    fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.step()?;
        if self.depth == MOST_DEEP {
            return wrong(format!("this is nested more than {MOST_DEEP} deep"));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || work(self));
        self.depth -= 1;
        result
    }

    fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps == CHECK_EVERY {
            // A check reads the clock, which takes longer than a step.
            self.steps = 0;
            self.context.check()?;
        }
        Ok(())
    }

    /// Counts the elements of a list against the memory limit.
    fn admit(&mut self, length: usize) -> Result<()> {
        let left = self.room.checked_sub(length as u64);
        self.room = left.ok_or(crate::watch::Stop::Memory(self.context.limits.max_memory))?;
        Ok(())
    }

    /// Returns the place of a span: the text's name, the line and the column.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.sources.position(span);
        format!("{}:{line}:{column}", self.sources.get(span.source).name)
    }
}

/// Returns a diagnostic as an error of the interpreter.
fn said(diagnostic: &Diagnostic) -> Result<()> {
    let (message, span) = (diagnostic.message.clone(), diagnostic.span());
    Err(Trouble::Wrong(message, span))
}
