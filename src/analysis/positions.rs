//! Finds positions and moves of the game to which an unfinished text refers, as far as its
//! definition shows them without being run.

use std::collections::BTreeSet;

use super::complete::{Candidate, CandidateKind, is_word_part, matching};
use super::workspace::{Analysis, Workspace};
use crate::check::DeclarationKind;
use crate::syntax::ast::{Expr, ExprKind, GraphItem, GraphItemKind, StatementKind};
use crate::syntax::vocabulary::{WordClass, of_class};
use crate::syntax::{self, Token, TokenKind};

impl Workspace {
    /// Completes the end of `before` if that is a position (`G at "…`) or a move (`G after [alice
    /// …`). Returns the beginning of the unfinished word and the candidates.
    pub(super) fn position_or_move(
        &self,
        analysis: &Analysis,
        before: &str,
    ) -> Option<(usize, Vec<Candidate>)> {
        let word = before.trim_end_matches(is_word_part).len();
        let (mut start, mut tokens) = (word, syntax::tokens(&before[..word]));
        // A string that is not closed yet is a bad token that begins with a quote.
        let is_quoted = tokens
            .last()
            .is_some_and(|last| last.kind == TokenKind::Bad && last.text(before).starts_with('"'));
        if is_quoted {
            start = tokens.pop()?.start as usize + 1;
        }
        let asked = asked(&tokens, before)?;
        let (game, names) = match asked {
            UnfinishedPart::Position(game) if is_quoted => (game, self.labels(analysis, game)),
            UnfinishedPart::Move(game) if !is_quoted => (game, self.moves(analysis, game)),
            UnfinishedPart::Position(_) | UnfinishedPart::Move(_) => return None,
        };
        // A graph names no moves; a move in it is denoted by the vertex that it leads to.
        let names = if names.is_empty() {
            self.labels(analysis, game)
        } else {
            names
        };
        let candidates = names
            .iter()
            .map(|name| Candidate::new(name, CandidateKind::Move));
        Some((start, matching(&before[start..], candidates)))
    }

    /// Returns the labels of the vertices of a game that is defined as a graph.
    fn labels(&self, analysis: &Analysis, game: &str) -> BTreeSet<String> {
        let Some(place) = analysis.definition(game).map(|known| known.span) else {
            return BTreeSet::new();
        };
        let mut labels = BTreeSet::new();
        for known in self.known().filter(|known| known.source == place.source) {
            for statement in &known.file.statements {
                if let StatementKind::Game(defined) | StatementKind::Let(defined) = &statement.kind
                    && defined.name.span == place
                    && let ExprKind::Graph(items) = &*defined.body.kind
                {
                    items
                        .iter()
                        .flat_map(nodes)
                        .for_each(|node| label(node, &mut labels));
                }
            }
        }
        labels
    }

    /// Returns the names of the moves of a game that is defined as a ruleset.
    fn moves(&self, analysis: &Analysis, game: &str) -> BTreeSet<String> {
        let Some(place) = analysis.definition(game).map(|known| known.span) else {
            return BTreeSet::new();
        };
        let Some(outer) = self.declaration(place).map(|declaration| declaration.span) else {
            return BTreeSet::new();
        };
        let known = self.known().filter(|known| known.source == place.source);
        let declared = known.flat_map(|known| &known.index.declarations);
        let inside = declared.filter(|declaration| {
            declaration.kind == DeclarationKind::Move
                && outer.start <= declaration.span.start
                && declaration.span.end <= outer.end
        });
        inside.map(|declaration| declaration.name.clone()).collect()
    }
}

/// The part that an unfinished text expects.
enum UnfinishedPart<'t> {
    /// A position of the game of this name.
    Position(&'t str),
    /// A move of the game of this name.
    Move(&'t str),
}

fn asked<'t>(tokens: &[Token], text: &'t str) -> Option<UnfinishedPart<'t>> {
    let (last, rest) = tokens.split_last()?;
    if last.text(text) == "at" {
        return game_before(rest, text).map(UnfinishedPart::Position);
    }
    let is_player = of_class(WordClass::Player).any(|player| player == last.text(text));
    let after = rest
        .iter()
        .rposition(|token| token.text(text) == "after")
        .filter(|_| is_player)?;
    let inside = &rest[after + 1..];
    // The word of the unfinished move is not among the tokens, so the player must follow `[` or a
    // comma.
    let is_list = inside.first().is_some_and(|open| open.text(text) == "[")
        && inside
            .last()
            .is_some_and(|before| matches!(before.text(text), "[" | ","))
        && inside.iter().all(|token| token.text(text) != "]");
    if is_list {
        game_before(&rest[..after], text).map(UnfinishedPart::Move)
    } else {
        None
    }
}

/// Returns the name of the game whose expression ends there: `hex`, `tug(3)`.
fn game_before<'t>(tokens: &[Token], text: &'t str) -> Option<&'t str> {
    let mut rest = tokens;
    if rest.last()?.kind == TokenKind::Close {
        let mut depth = 0_usize;
        // The last token closes a bracket, so the depth is at least 1 until the search ends.
        let open = rest.iter().rposition(|token| {
            match token.kind {
                TokenKind::Close => depth += 1,
                TokenKind::Open => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        rest = &rest[..open];
    }
    rest.last()
        .filter(|name| name.kind == TokenKind::Word)
        .map(|name| name.text(text))
}

/// Returns the vertices that a line of a graph names.
fn nodes(item: &GraphItem) -> Vec<&Expr> {
    match &item.kind {
        GraphItemKind::Start(node) => vec![node],
        GraphItemKind::Edges { from, to, .. } => to.iter().chain([from]).collect(),
        GraphItemKind::Win(_, nodes)
        | GraphItemKind::Draw(nodes)
        | GraphItemKind::Score(_, nodes)
        | GraphItemKind::Mark(_, nodes) => nodes.iter().collect(),
        GraphItemKind::File { .. } => Vec::new(),
    }
}

fn label(node: &Expr, labels: &mut BTreeSet<String>) {
    if let ExprKind::Name(name) | ExprKind::String(name) = &*node.kind {
        labels.insert(name.clone());
    }
}
