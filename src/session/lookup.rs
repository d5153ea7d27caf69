//! Looks up the names of a session: for completion, `:help`, `:list`, `:type` and `:rules`.

use std::rc::Rc;

use super::{Session, Symbol};
use crate::analysis::words;
use crate::check::{self, GlobalDefinition, TopExpr};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::eval::{Frame, look};
use crate::game::{GameExpr, print_position};
use crate::library;
use crate::report::{DrawnBoard, Report};
use crate::rules::PRESETS;
use crate::scalar::NamedGame;
use crate::source::{SourceId, Span};
use crate::syntax::vocabulary::constants;
use crate::syntax::{self, ast};

impl Session {
    /// Returns what a game looks like: the board of its position, or its start and size. Returns
    /// `None` if its expression says it.
    pub fn described(&self, game: &NamedGame) -> Option<String> {
        let games = &self.world.games;
        if !games.knows(game.id) {
            return None;
        }
        let position = print_position(games, game.id);
        let board = DrawnBoard::of(&position, look(games, game.id)).map(|board| board.lines());
        // A board of one line says no more than the position in text.
        if let Some(lines) = board.filter(|lines| lines.len() > 1) {
            return Some(lines.join("\n"));
        }
        match games.expr(games.beneath_rules(game.id)) {
            GameExpr::Vertex(network, _) => {
                let network = games.network(*network);
                let start = &network.vertex(network.start).name;
                let count = network.vertices().len();
                let vertices = if count == 1 { "vertex" } else { "vertices" };
                Some(format!("start {start}, {count} {vertices}"))
            }
            GameExpr::State(..) => Some(format!("start {position}")),
            _ => None,
        }
    }

    /// Returns all names in scope, in alphabetical order.
    pub fn names(&self) -> Vec<Symbol> {
        let defined = self.scope.iter().map(|(name, id)| Symbol {
            name: name.to_owned(),
            signature: self.definitions.get(id).heading(),
            builtin: false,
        });
        let builtins = library::signatures().map(|builtin| Symbol {
            name: builtin.name.to_owned(),
            signature: builtin.heading(),
            builtin: true,
        });
        let constants = constants()
            .chain(PRESETS.iter().map(|preset| preset.name))
            .map(|name| Symbol {
                name: name.to_owned(),
                signature: name.to_owned(),
                builtin: true,
            });
        let mut names: Vec<Symbol> = defined.chain(builtins).chain(constants).collect();
        names.sort_by(|a, b| a.name.cmp(&b.name));
        names
    }

    /// Returns the text that `:help NAME` prints: signature or use, meaning, examples. Returns
    /// `None` if the word is not known.
    pub fn help(&self, name: &str) -> Option<String> {
        let defined = self
            .scope
            .find(name)
            .map(|id| self.help_on_definition(self.definitions.get(id)));
        let builtin = self.definitions.builtin(name).map(words::help_on_builtin);
        let (named, others) = words::help(name);
        let sections: Vec<String> = match defined {
            // The user's definition hides the builtin and the constant, but no keyword.
            Some(section) => [section].into_iter().chain(others).collect(),
            None => builtin.into_iter().chain(named).chain(others).collect(),
        };
        if sections.is_empty() {
            return words::glossary(name);
        }
        Some(sections.join("\n\n"))
    }

    fn help_on_definition(&self, definition: &GlobalDefinition) -> String {
        let (line, _) = self.sources.position(definition.span);
        let source = &self.sources.get(definition.span.source).name;
        let doc = definition
            .doc
            .as_deref()
            .unwrap_or("(no documentation: put `///` lines before the definition)");
        format!(
            "{}\n\n{}\n\ndefined in {source}, line {line}",
            definition.heading(),
            doc.trim()
        )
    }

    /// Returns the type of an expression, without evaluating it.
    pub fn type_of(&mut self, name: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
        let source = self.sources.add(name, text);
        Ok(self.lone_expr(source)?.kinds.to_string())
    }

    /// Plans each question about a game that an expression asks: the method that would answer it,
    /// the reason, the reasons against the other methods, and the cost. Nothing is answered.
    pub fn plan(&mut self, name: &str, text: &str) -> Result<Vec<Report>, Vec<Diagnostic>> {
        let source = self.sources.add(name, text);
        let top = self.lone_expr(source)?;
        let mut frame = Frame::new(top.frame);
        let questions = self.evaluating(|evaluator| evaluator.questions(&top.expr, &mut frame));
        Ok(questions.map_err(|error| vec![*error])?.reports())
    }

    /// Makes the rules that `text` denotes (`{ ties: marker }`, or a name) the default from now on.
    ///
    /// # Errors
    /// Returns an error if the text is not an expression of rules.
    pub fn set_rules(&mut self, name: &str, text: &str) -> Result<(), Vec<Diagnostic>> {
        let source = self.sources.add(name, text);
        self.set_rules_of(source)
    }

    /// Makes the rules that the text of a source denotes the default.
    pub(super) fn set_rules_of(&mut self, source: SourceId) -> Result<(), Vec<Diagnostic>> {
        let top = self.lone_expr(source)?;
        let mut frame = Frame::new(top.frame);
        let rules = self.evaluating(|evaluator| evaluator.eval_rules(&top.expr, &mut frame));
        let rules = rules.map_err(|error| vec![*error])?;
        self.defaults = Rc::new(self.defaults.then(&rules));
        Ok(())
    }

    /// Parses and checks a source that is one expression.
    fn lone_expr(&mut self, source: SourceId) -> Result<TopExpr, Vec<Diagnostic>> {
        let parsed = syntax::parse(&self.sources, source);
        if !parsed.diagnostics.is_empty() {
            return Err(parsed.diagnostics);
        }
        let [
            ast::Statement {
                kind: ast::StatementKind::Expr(expr),
                ..
            },
        ] = &parsed.file.statements[..]
        else {
            let length = self.sources.get(source).text.len();
            return Err(vec![no_expression(Span::new(source, 0..length))]);
        };
        let (top, diagnostics) = check::check_expr(&mut self.definitions, &mut self.scope, expr);
        if diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
        {
            return Err(diagnostics);
        }
        Ok(top)
    }
}

fn no_expression(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Syntax, "one expression is expected").label(span, "something else")
}
