//! Resolves the layout: which line ends end a statement, which brackets belong together, and which
//! comments document a statement.
//!
//! The rules stand at the head of `grammar/bid.pest`. The result is a *masked* text of the same
//! length in bytes. It contains only the tokens and the line ends that separate statements or block
//! lines; everything else is replaced by spaces. The grammar reads this text, so its byte offsets
//! are those of the source.
//!
//! Bracket errors are found here, at most one for each statement. The bound on nesting is also
//! checked here, so that no later stage can exhaust the stack.

mod brackets;
mod height;

use self::height::Height;
use super::ast::Comment;
use super::token::{Token, TokenKind};
use crate::diagnostic::{Findings, lookalike};
use crate::source::{SourceId, Span};

/// The most brackets that may be open at once.
pub const MAX_BRACKETS: usize = 200;

/// The greatest height of a syntax tree. The height is bounded from above by the brackets and
/// operators on a path, counted as if every operator nested in the one before it.
pub const MAX_HEIGHT: u32 = 1000;

/// A text with its layout resolved.
pub struct Layout {
    /// The text in which everything except tokens and separators is replaced by spaces. Tokens that
    /// the scanner rejected are replaced by signs that the grammar rejects too.
    pub masked: String,
    /// The tokens and separators.
    pub tokens: Vec<Token>,
    /// The statements of the outermost level.
    pub pieces: Vec<Piece>,
    /// Every comment that is not documentation of a statement.
    pub comments: Vec<Comment>,
    /// The documentation, in order: the byte where each documented statement starts, and the text.
    pub docs: Vec<(u32, String)>,
    /// The opening braces of blocks of statements, lines or updates, in order, with the contents of
    /// the blocks.
    pub blocks: Vec<(u32, Holds)>,
    /// Bracket errors and nesting beyond the bounds.
    pub diagnostics: Findings,
    /// `true` if brackets were still open at the end of the text.
    pub open_at_end: bool,
    /// `true` if brackets were still open at the end, or where a new statement began.
    is_unclosed: bool,
}

/// A statement of the outermost level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The range of its tokens, without separators at its end.
    pub tokens: std::ops::Range<usize>,
    /// `true` if its brackets are in order and its nesting is within bounds.
    pub sound: bool,
}

/// Resolves the layout of the scanned `tokens` of `text`.
pub fn layout(text: &str, source: SourceId, tokens: &[Token]) -> Layout {
    let result = Resolver::new(text, source, false).run(tokens);
    if !result.is_unclosed {
        return result;
    }
    // A bracket is never closed. A `let` at the left margin is then more likely a new statement
    // than part of an expression in brackets. Resolving again on that assumption finds the place of
    // the mistake.
    Resolver::new(text, source, true).run(tokens)
}

/// The contents of a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Statements: the whole source, and `test "…" { … }`.
    Statements,
    /// The lines of a graph.
    Graph,
    /// The lines of a ruleset.
    Ruleset,
    /// The updates of a move, a line each.
    Updates,
    /// Part of an expression or a list.
    Parts,
}

/// An open bracket. The first frame stands for the whole source.
struct OpenBracket {
    opening: Token,
    holds: Holds,
    /// The index in the resolved tokens at which the current statement or line starts.
    item: usize,
    height: Height,
}

struct Resolver<'s> {
    text: &'s str,
    source: SourceId,
    let_at_margin_is_new: bool,
    stack: Vec<OpenBracket>,
    tokens: Vec<Token>,
    pieces: Vec<Piece>,
    /// A line end that separates, unless the next line continues the same statement.
    line_end: Option<Token>,
    sound: bool,
    comments: Vec<Comment>,
    pending_docs: Vec<Token>,
    docs: Vec<(u32, String)>,
    blocks: Vec<(u32, Holds)>,
    diagnostics: Findings,
    is_unclosed: bool,
}

impl<'s> Resolver<'s> {
    fn new(text: &'s str, source: SourceId, let_at_margin_is_new: bool) -> Self {
        let opening = Token {
            kind: TokenKind::Newline,
            start: 0,
            end: 0,
        };
        let root = OpenBracket {
            opening,
            holds: Holds::Statements,
            item: 0,
            height: Height::default(),
        };
        Self {
            text,
            source,
            let_at_margin_is_new,
            stack: vec![root],
            tokens: vec![],
            pieces: vec![],
            line_end: None,
            sound: true,
            comments: vec![],
            pending_docs: vec![],
            docs: vec![],
            blocks: vec![],
            diagnostics: Findings::default(),
            is_unclosed: false,
        }
    }

    fn run(mut self, tokens: &[Token]) -> Layout {
        let mut first_on_line = true;
        for (i, &token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Comment => self.comment(token),
                TokenKind::Doc => self.doc(token),
                TokenKind::Newline => self.line_end(token),
                _ => self.significant(token, tokens.get(i + 1), first_on_line),
            }
            first_on_line = token.kind == TokenKind::Newline;
        }
        self.finish()
    }

    fn finish(mut self) -> Layout {
        let open_at_end = self.stack.len() > 1;
        if open_at_end {
            self.close_unclosed(1, None);
        }
        self.end_piece();
        self.docs_are_comments();
        // Documentation that belongs to nothing is added late, but comments are printed in order.
        self.comments.sort_by_key(|comment| comment.span.start);
        let masked = mask(self.text, &self.tokens);
        let Self {
            tokens,
            pieces,
            comments,
            docs,
            blocks,
            diagnostics,
            is_unclosed,
            ..
        } = self;
        Layout {
            masked,
            tokens,
            pieces,
            comments,
            docs,
            blocks,
            diagnostics,
            open_at_end,
            is_unclosed,
        }
    }

    // ---- Comments and documentation
    // --------------------------------------------------------------------------

    fn span(&self, token: Token) -> Span {
        Span {
            source: self.source,
            start: token.start,
            end: token.end,
        }
    }

    fn comment(&mut self, token: Token) {
        let text = token.text(self.text)[2..].to_owned();
        self.comments.push(Comment {
            text,
            span: self.span(token),
        });
    }

    fn doc(&mut self, token: Token) {
        let between = self.line_end.is_some() || self.item_is_empty();
        if between && self.top().holds == Holds::Statements {
            self.pending_docs.push(token);
        } else {
            self.comment(token);
        }
    }

    fn docs_are_comments(&mut self) {
        for token in std::mem::take(&mut self.pending_docs) {
            self.comment(token);
        }
    }

    fn attach_docs(&mut self, start: u32) {
        if self.pending_docs.is_empty()
            || self.top().holds != Holds::Statements
            || !self.item_is_empty()
        {
            return;
        }
        let line = |token: &Token| {
            let line = &token.text(self.text)[3..];
            line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
        };
        let lines: Vec<_> = self.pending_docs.iter().map(line).collect();
        self.docs.push((start, lines.join("\n")));
        self.pending_docs.clear();
    }

    // ---- Statements and lines
    // --------------------------------------------------------------------------------

    fn top(&self) -> &OpenBracket {
        self.stack.last().expect("the root frame is never popped")
    }

    fn top_mut(&mut self) -> &mut OpenBracket {
        self.stack
            .last_mut()
            .expect("the root frame is never popped")
    }

    fn item_is_empty(&self) -> bool {
        self.top().item == self.tokens.len()
    }

    fn last_text(&self) -> Option<&'s str> {
        self.tokens.last().map(|token| token.text(self.text))
    }

    fn line_end(&mut self, token: Token) {
        // A bracket with parts has no lines, an empty line ends nothing, and several line ends are
        // one.
        let ignored =
            self.top().holds == Holds::Parts || self.item_is_empty() || self.line_end.is_some();
        if !ignored {
            self.line_end = Some(token);
        }
    }

    fn significant(&mut self, token: Token, next: Option<&Token>, first_on_line: bool) {
        let text = token.text(self.text);
        if let Some(line_end) = self.line_end.take() {
            // The next word decides, and between it and the line end there may be comments.
            if self.goes_on(text) {
                self.docs_are_comments();
            } else {
                self.separate(line_end);
            }
        }
        if first_on_line {
            self.resynchronise(token, next);
        }
        // These tokens end something, and a doc comment belongs to what begins.
        if !matches!(token.kind, TokenKind::Close | TokenKind::Semicolon) {
            self.attach_docs(token.start);
        }
        match token.kind {
            TokenKind::Semicolon if self.top().holds != Holds::Parts => {
                return self.separate(token);
            }
            TokenKind::Open => return self.open(token),
            TokenKind::Close => return self.close(token),
            TokenKind::Symbol | TokenKind::Word => self.weigh(token),
            TokenKind::Bad if text.starts_with(['"', '“', '”', '„']) => {
                self.forget_brackets_before(token)
            }
            // Something that looks like a bracket was reported already, so its partner is not
            // reported too.
            TokenKind::Bad if is_like_bracket(text) => self.sound = false,
            _ => {}
        }
        self.tokens.push(token);
    }

    /// Returns `true` if a line that starts with this word belongs to the one before it.
    fn goes_on(&self, word: &str) -> bool {
        match word {
            "then" | "else" | "in" | "for" | "and" | "or" | "at" | "after" => true,
            "if" if matches!(self.top().holds, Holds::Graph | Holds::Ruleset) => true,
            // A line that ends with an operator continues on the next line, unless a new statement
            // starts there.
            _ => {
                !starts_statement(word)
                    && self
                        .tokens
                        .last()
                        .is_some_and(|last| continues(*last, self.text))
            }
        }
    }

    fn separate(&mut self, token: Token) {
        if self.stack.len() == 1 {
            self.end_piece();
        }
        self.tokens.push(token);
        let next = self.tokens.len();
        let top = self.top_mut();
        top.item = next;
        match top.holds {
            Holds::Statements => top.height = Height::default(),
            Holds::Graph | Holds::Ruleset | Holds::Updates | Holds::Parts => {
                top.height.next_element()
            }
        }
    }

    fn end_piece(&mut self) {
        let tokens = self.stack[0].item..self.tokens.len();
        if !tokens.is_empty() {
            self.pieces.push(Piece {
                tokens,
                sound: self.sound,
            });
        }
        // An error in one piece says nothing about the next one.
        self.sound = true;
    }

    /// Handles a word at the start of a line that can only start a statement: reports brackets that
    /// are still open as unclosed, and begins a new statement.
    fn resynchronise(&mut self, token: Token, next: Option<&Token>) {
        if self.top().holds == Holds::Statements
            // A word before a colon is the name of a field or an argument.
            || next.is_some_and(|next| next.text(self.text) == ":")
        {
            return;
        }
        let at_margin = token.start == 0 || self.text.as_bytes()[token.start as usize - 1] == b'\n';
        let word = token.text(self.text);
        let is_new =
            // Inside brackets a `let` may also begin an expression.
            starts_statement(word) || (word == "let" && at_margin && self.let_at_margin_is_new);
        if !is_new {
            return;
        }
        let statements = |frame: &OpenBracket| frame.holds == Holds::Statements;
        // A `test` block may contain statements, so that it stays open.
        let keep = self.stack.iter().rposition(statements).map_or(1, |i| i + 1);
        self.close_unclosed(keep, Some(token));
        self.separate(Token {
            kind: TokenKind::Newline,
            start: token.start,
            end: token.start,
        });
    }
}

/// A sign that the grammar accepts nowhere outside of strings.
const REFUSED: char = '?';

/// Keeps the tokens and replaces everything else by spaces. The grammar must reject whatever the
/// scanner rejected, such as numbers that are too long, because everything that it reads is
/// evaluated.
fn mask(text: &str, tokens: &[Token]) -> String {
    let mut masked = String::with_capacity(text.len());
    for token in tokens {
        // The mask has as many bytes as the text, so that places in it are places of the source.
        let gap = (token.start as usize).saturating_sub(masked.len());
        masked.extend(std::iter::repeat_n(' ', gap));
        let written = token.text(text);
        match token.kind {
            TokenKind::Bad => masked.extend(std::iter::repeat_n(REFUSED, written.len())),
            _ => masked.push_str(written),
        }
    }
    masked
}

/// Returns `true` if a statement continues after a line that ends with this token.
pub fn continues(token: Token, text: &str) -> bool {
    match token.kind {
        TokenKind::Symbol => true,
        TokenKind::Word => is_operator_word(token.text(text)),
        _ => false,
    }
}

/// Returns `true` if a word starts statements and has no other use.
fn starts_statement(word: &str) -> bool {
    matches!(word, "use" | "game" | "rules" | "show" | "check" | "test")
}

fn is_operator_word(word: &str) -> bool {
    matches!(
        word,
        "and" | "or" | "not" | "in" | "then" | "else" | "at" | "after" | "using"
    )
}

/// Returns `true` if an expression can end with this token.
pub fn ends_operand(token: Token, text: &str) -> bool {
    match token.kind {
        TokenKind::Number | TokenKind::String | TokenKind::Close | TokenKind::Bad => true,
        TokenKind::Word => {
            let word = token.text(text);
            !is_operator_word(word) && !matches!(word, "if" | "let" | "for")
        }
        _ => false,
    }
}

/// Returns `true` if a text without a meaning looks like a bracket of the language.
fn is_like_bracket(text: &str) -> bool {
    let meant = text.chars().next().and_then(lookalike::sign);
    meant.is_some_and(|sign| sign.starts_with(['(', ')', '[', ']', '{', '}']))
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::{WordClass, uses, words};
    use super::*;
    use crate::source::SourceMap;
    use crate::syntax::token::scan;

    fn resolve(text: &str) -> Layout {
        let source = SourceMap::default().add("test", text);
        layout(text, source, &scan(text, source).0)
    }

    fn statements(text: &str) -> Vec<String> {
        let layout = resolve(text);
        let start = |piece: &Piece| layout.tokens[piece.tokens.start].start as usize;
        let end = |piece: &Piece| layout.tokens[piece.tokens.end - 1].end as usize;
        layout
            .pieces
            .iter()
            .map(|piece| layout.masked[start(piece)..end(piece)].to_owned())
            .collect()
    }

    /// The words that the layout knows agree with the table of words.
    #[test]
    fn the_words_of_the_layout_are_those_of_the_table() {
        let written = words().filter(|entry| entry.is_alphabetic());
        for word in written.flat_map(|entry| entry.spellings) {
            let is = |class| uses(word).any(|entry| entry.class == class);
            let begins_only =
                is(WordClass::Statement) && !is(WordClass::Expression) && !is(WordClass::Operator);
            assert_eq!(starts_statement(word), begins_only, "{word}");
            let wants_operand = is(WordClass::Operator) || matches!(*word, "then" | "else");
            assert_eq!(is_operator_word(word), wants_operand, "{word}");
        }
    }

    #[test]
    fn masked_text_keeps_every_byte_offset() {
        let text = "let größe = 1 // ∧∧\n  + 2\n/// doc\nlet b = [1,\n2] // end";
        let layout = resolve(text);
        for token in &layout.tokens {
            assert_eq!(token.text(&layout.masked), token.text(text));
        }
        assert_eq!(
            layout.masked.matches('\n').count(),
            2,
            "{:?}",
            layout.masked
        );
    }

    #[test]
    fn what_the_scan_has_refused_is_not_shown_to_the_grammar() {
        let text = "let x =\nlet y = 1e99999999999 + “a” + 3. # no\nshow \"z";
        let layout = resolve(text);
        assert_eq!(layout.masked.len(), text.len());
        for refused in ["1e9", "“", "3.", "#", "\""] {
            assert!(!layout.masked.contains(refused), "{}", layout.masked);
        }
    }

    #[test]
    fn lines_go_on_in_brackets_after_operators_and_before_some_words() {
        assert_eq!(statements("f(a,\nb)\nc"), ["f(a, b)", "c"]);
        assert_eq!(statements("a +\nb; c"), ["a + b", "c"]);
        assert_eq!(
            statements("if a\nthen b\n\nelse c\nd"),
            ["if a then b  else c", "d"]
        );
        assert_eq!(statements("a\n+ b"), ["a", "+ b"]);
        assert_eq!(statements("4*\nb"), ["4*", "b"]);
        assert_eq!(statements("a +\nshow b"), ["a +", "show b"]);
    }

    #[test]
    fn lines_end_in_blocks_and_not_in_the_braces_of_expressions() {
        assert_eq!(
            statements("game g {\nstate a = {A |\nB}\n}"),
            ["game g { state a = {A | B}\n}"]
        );
        assert_eq!(
            statements("rules r {\npay: richman\n}"),
            ["rules r { pay: richman }"]
        );
        assert_eq!(
            statements("[graph {\nstart 0\nwin bob: 1\n},\nA]"),
            ["[graph { start 0\nwin bob: 1\n}, A]"]
        );
        let moves = "game g {\nmove m if a == {} {\nx = 1\ny = 2\n}\n}";
        assert_eq!(
            statements(moves),
            ["game g { move m if a == {} { x = 1\ny = 2\n}\n}"]
        );
    }

    #[test]
    fn documentation_belongs_to_the_next_statement() {
        let layout =
            resolve("/// a\n///  b\n\nlet x = 1 /// no doc\ntest \"t\" {\n/// c\nshow 1\n/// d\n}");
        let texts: Vec<_> = layout.docs.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["a\n b", "c"]);
        let comments: Vec<_> = layout
            .comments
            .iter()
            .map(|comment| comment.text.as_str())
            .collect();
        assert_eq!(comments, ["/ no doc", "/ d"]);
    }
}
