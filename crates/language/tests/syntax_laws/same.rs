//! Compares trees up to spans and parentheses.

/// Returns the tree as text, without spans and parentheses.
///
/// The derived debug form shows every field, so that no field is forgotten when the tree gets a new
/// one. Spans and parentheses are removed from it.
pub fn stripped(file: &bid_language::syntax::ast::File) -> String {
    let shown = format!("{:?}", file.statements);
    let mut bare = without_spans(&shown);
    while let Some(simpler) = without_one_paren(&bare) {
        bare = simpler;
    }
    bare
}

fn without_spans(shown: &str) -> String {
    let mut bare = String::with_capacity(shown.len());
    let mut rest = shown;
    while let Some(start) = rest.find("Span { source: SourceId(") {
        bare.push_str(&rest[..start]);
        let end = rest[start..].find('}').expect("a span ends");
        bare.push('@');
        rest = &rest[start + end + 1..];
    }
    bare + rest
}

/// Replaces `Expr { kind: Paren(Expr { … }), span: @ }` by the inner `Expr { … }`.
fn without_one_paren(bare: &str) -> Option<String> {
    const OPEN: &str = "Expr { kind: Paren(";
    const CLOSE: &str = "), span: @ }";
    let start = bare.rfind(OPEN)?;
    let inner = start + OPEN.len();
    let end = inner + matching(&bare[inner..]);
    assert!(bare[end..].starts_with(CLOSE));
    Some(format!(
        "{}{}{}",
        &bare[..start],
        &bare[inner..end],
        &bare[end + CLOSE.len()..]
    ))
}

/// Returns the length up to the parenthesis that closes the one opened before `text`. Strings are
/// skipped.
fn matching(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' => depth += 1,
            ')' if depth == 0 => return i,
            ')' => depth -= 1,
            _ => {}
        }
    }
    unreachable!("the debug form is balanced")
}
