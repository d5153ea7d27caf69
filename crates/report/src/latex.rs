//! Writes reports as LaTeX, for papers: formulas, and `booktabs` tables in blocks of twelve
//! columns.

use std::fmt::{self, Write};

use num_rational::BigRational;

use super::block::{Align, Block, Cell, Facts, Grid, Medium};
use super::safe::visible;
use super::{Page, Report};
use bid_language::rules::{ChipMark, Chips, FieldValue, print_fields};
use bid_language::scalar::Scalar;

/// Writes the report as LaTeX, without a newline at the end.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    page.joined(
        "\n\n",
        report.blocks(Medium::Paper),
        |page, block| match block {
            Block::Lines(lines) => page.joined("\\\\\n", lines.iter(), |page, line| {
                line.iter().try_for_each(|part| cell(part, page))
            }),
            Block::Grid(found) => grid(&found, page),
            Block::Facts(groups) => groups.iter().try_for_each(|group| facts(group, page)),
            Block::Picture(picture) => picture.latex(page),
        },
    )
}

/// Writes a shown value with its label before it.
pub fn labelled(label: &str, report: &Report, page: &mut Page<'_>) -> fmt::Result {
    // A line end would end the TeX comment.
    writeln!(page, "% {}", label.replace('\n', " "))?;
    write(report, page)
}

/// Writes the contents of a cell: formulas in math mode, words as text.
fn cell(cell: &Cell<'_>, page: &mut Page<'_>) -> fmt::Result {
    match cell {
        Cell::Nothing => Ok(()),
        Cell::Text(text) => page.write_str(&escape(text)),
        Cell::Expression(text) => page.write_str(&in_math(text)),
        Cell::Formula { tex, .. } => write!(page, "${tex}$"),
        Cell::Value(value) => match &**value {
            Scalar::String(text) => page.write_str(&escape(text)),
            value => write!(page, "${}$", formula(value)),
        },
        Cell::Entry(value) => match &**value {
            Scalar::String(text) => page.write_str(&escape(text)),
            // A fraction has to fit into its line, so it is set as `23/64`, as in the papers.
            Scalar::Rational(value) => write!(page, "${value}$"),
            value => write!(page, "${}$", formula(value)),
        },
        Cell::List(_) | Cell::Tuple(_) => {
            page.write_str("$")?;
            math(cell, page)?;
            page.write_str("$")
        }
        Cell::Rules(fields) => page.write_str(&verbatim(&without_braces(fields))),
        Cell::Answer(report) => write(report, page),
        Cell::Fixed(text) => fixed(text, page),
    }
}

/// Writes preformatted lines.
pub(super) fn fixed(text: &str, page: &mut Page<'_>) -> fmt::Result {
    write!(page, "\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}")
}

/// Writes a value inside math mode.
fn math(value: &Cell<'_>, page: &mut Page<'_>) -> fmt::Result {
    match value {
        Cell::Value(value) => page.write_str(&formula(value)),
        Cell::List(items) => maths(items, ["[", "]"], page),
        Cell::Tuple(items) => maths(items, ["(", ")"], page),
        _ => {
            let text = page.part(|page| super::text::cell(value, page))?;
            let lines: Vec<String> = text
                .lines()
                .map(|line| format!("\\text{{{}}}", escape(line)))
                .collect();
            match &lines[..] {
                [line] => page.write_str(line),
                // A paragraph cannot end inside a formula, so several lines become an array.
                lines => write!(
                    page,
                    "\\begin{{array}}{{l}}{}\\end{{array}}",
                    lines.join("\\\\")
                ),
            }
        }
    }
}

fn maths(items: &[Report], [open, close]: [&str; 2], page: &mut Page<'_>) -> fmt::Result {
    page.write_str(open)?;
    page.joined(", ", items, |page, item| math(&item.cell(), page))?;
    page.write_str(close)
}

fn without_braces(fields: &[FieldValue]) -> String {
    print_fields(fields)
        .trim_matches(['{', '}', ' '])
        .to_owned()
}

/// Sets text literally, without raised parts. Control characters are written as in a string
/// literal.
fn verbatim(text: &str) -> String {
    let text = text.replace('\n', "\\n").replace('\t', "\\t");
    let text = visible(&text);
    let letters = text.chars().map(|c| match c {
        // Braces keep these from forming ligatures.
        '-' => "{-}".to_owned(),
        '`' => "{`}".to_owned(),
        '\'' => "{'}".to_owned(),
        '–' => "\\textendash{}".to_owned(),
        c => escaped_letter(c),
    });
    format!("\\texttt{{{}}}", letters.collect::<String>())
}

/// Sets a scalar inside math mode, in the papers' notation.
fn formula(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Integer(value) => value.to_string(),
        Scalar::Rational(value) => fraction(value),
        Scalar::Chips(chips) => chip_count(chips),
        Scalar::Interval(_) | Scalar::Bounds(_) => enclosed(&scalar.to_string()),
        Scalar::Tuple(parts) => format!(
            "({})",
            parts.iter().map(formula).collect::<Vec<_>>().join(", ")
        ),
        Scalar::Game(game) => expression(&game.text),
        Scalar::Equilibrium(value) => format!("[{}]", formula(value)),
        Scalar::Bool(_)
        | Scalar::Player(_)
        | Scalar::Outcome(_)
        | Scalar::Word(_)
        | Scalar::Function { .. } => {
            format!("\\text{{{}}}", escape(&scalar.to_string()))
        }
        Scalar::String(text) => verbatim(text),
    }
}

/// Sets `0.25 ± 1e-13` as a number with its error.
fn enclosed(text: &str) -> String {
    let (value, power) = text.split_once('e').unwrap_or((text, ""));
    let power = if power.is_empty() {
        String::new()
    } else {
        format!("\\cdot 10^{{{power}}}")
    };
    format!("{}{power}", value.replace('±', "\\pm"))
}

fn fraction(value: &BigRational) -> String {
    if value.is_integer() {
        return value.numer().to_string();
    }
    let sign = if value.numer().sign() == num_bigint::Sign::Minus {
        "-"
    } else {
        ""
    };
    format!(
        "{sign}\\frac{{{}}}{{{}}}",
        value.numer().magnitude(),
        value.denom()
    )
}

fn chip_count(chips: &Chips) -> String {
    match chips.mark {
        ChipMark::MinusEpsilon => format!("{}-\\varepsilon", chips.count),
        ChipMark::None => chips.count.to_string(),
        ChipMark::Star => format!("{}^*", chips.count),
    }
}

/// Sets text outside of math mode. Powers in it are raised, but none in quoted labels.
pub(super) fn escape(text: &str) -> String {
    let text = visible(text);
    let (mut escaped, mut rest) = (String::new(), &*text);
    // After the end of a table line, TeX would read these as an optional argument or a star.
    if text.trim_start().starts_with(['[', '*']) {
        escaped += "{}";
    }
    let (mut is_quoted, mut before) = (false, ' ');
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        is_quoted ^= c == '"' && before != '\\';
        before = c;
        let exponent = if c == '^' && !is_quoted {
            // An exponent in a sentence is a word or a number; anything else would be a guess.
            rest.find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(rest.len())
        } else {
            0
        };
        if exponent > 0 {
            escaped += &format!("\\textsuperscript{{{}}}", &rest[..exponent]);
            rest = &rest[exponent..];
        } else if c == '-' && escaped.ends_with('-') {
            // TeX would join two hyphens to a dash.
            escaped += "{-}";
        } else {
            escaped += &escaped_letter(c);
        }
    }
    escaped
}

fn escaped_letter(c: char) -> String {
    match c {
        '\\' => "\\textbackslash{}".to_owned(),
        '{' | '}' | '$' | '&' | '#' | '%' | '_' => format!("\\{c}"),
        '^' => "\\textasciicircum{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        // The usual text font has other characters in the positions of these.
        '<' | '>' | '|' => format!("${c}$"),
        '–' => "--".to_owned(),
        _ => symbol(c).map_or_else(|| c.to_string(), |symbol| format!("${symbol}$")),
    }
}

/// Returns the TeX command for a symbol of the language, or of its answers, in math mode.
fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        '∧' => "\\wedge",
        '≤' => "\\le",
        '≥' => "\\ge",
        '≡' => "\\equiv",
        '≢' => "\\not\\equiv",
        '≠' => "\\ne",
        '∥' => "\\parallel",
        '∈' => "\\in",
        '±' => "\\pm",
        '·' => "\\cdot",
        '×' => "\\times",
        '…' => "\\dots",
        '→' => "\\to",
        '∞' => "\\infty",
        'α' => "\\alpha",
        'β' => "\\beta",
        'ε' => "\\varepsilon",
        // TeX does not accept two superscripts in a row, so that a group follows.
        '²' => "{}^2{}",
        '−' => "-",
        '⌊' => "\\lfloor",
        '⌋' => "\\rfloor",
        '𝔸' => "\\mathbb{A}",
        '𝔹' => "\\mathbb{B}",
        '\\' => "\\backslash",
        _ => return None,
    })
}

/// Writes the facts as a table without a head.
fn facts(facts: &Facts<'_>, page: &mut Page<'_>) -> fmt::Result {
    page.write_str("\\begin{tabular}{ll}\n\\toprule\n")?;
    facts
        .rows
        .iter()
        .try_for_each(|line| row(line.iter().cloned(), page))?;
    page.write_str("\\bottomrule\n\\end{tabular}")
}

/// Writes the table with a rule below each head, as in the papers.
fn grid(grid: &Grid<'_>, page: &mut Page<'_>) -> fmt::Result {
    let parts = grid.parts();
    let align = |column: &usize| match grid.columns[*column].align {
        Align::Left => 'l',
        Align::Right => 'r',
    };
    // All parts stand in one table, whose columns are those of the first, which has the most.
    let columns: String = parts[0].iter().map(align).collect();
    write!(page, "\\begin{{tabular}}{{{columns}}}\n\\toprule\n")?;
    page.joined("\\midrule\n", &parts, |page, part| {
        row(part.iter().map(|column| grid.at(None, *column)), page)?;
        page.write_str("\\midrule\n")?;
        (0..grid.rows).try_for_each(|place| {
            row(
                part.iter().map(|column| grid.at(Some(place), *column)),
                page,
            )
        })
    })?;
    page.write_str("\\bottomrule\n\\end{tabular}")
}

fn row<'a>(cells: impl Iterator<Item = Cell<'a>>, page: &mut Page<'_>) -> fmt::Result {
    // TeX completes a short row by itself.
    let cells = cells.take_while(|cell| !matches!(cell, Cell::Nothing));
    page.joined(" & ", cells, |page, part| match part {
        Cell::Value(value) => cell(&Cell::Entry(value), page),
        part => cell(&part, page),
    })?;
    page.write_str(" \\\\\n")
}

/// Sets a label like `f(E, k)` as a formula.
pub(super) fn in_math(label: &str) -> String {
    format!("${}$", expression(label))
}

/// Sets an expression of the language inside math mode: longer names upright, operators and powers
/// as in the papers, strings without their quotes.
pub(super) fn expression(text: &str) -> String {
    Setting::default().set(text)
}

/// Sets the lines into which an expression was broken, each inside math mode.
pub(super) fn lines_in_math(lines: &[String]) -> Vec<String> {
    let mut setting = Setting::default();
    lines
        .iter()
        .map(|line| format!("${}$", setting.set(line)))
        .collect()
}

/// The state between two lines of an expression, since a line may end inside a string.
#[derive(Default)]
struct Setting {
    /// `true` if the next characters are in a string.
    in_string: bool,
    /// `true` if a backslash stands before the next character.
    is_escaped: bool,
}

impl Setting {
    fn set(&mut self, text: &str) -> String {
        let text = visible(text).replace(['\n', '\t'], " ");
        let mut set = String::new();
        let mut rest = &*text;
        // TeX does not accept two superscripts in a row.
        let mut is_raised = false;
        if self.in_string {
            rest = self.string(rest, &mut set);
        }
        while let Some(first) = rest.chars().next() {
            let word = word(rest);
            // The character before tells a mark of chips from a product.
            let before = text[..text.len() - rest.len()].chars().next_back();
            let was_raised = std::mem::take(&mut is_raised);
            let mut taken = if word > 0 { word } else { first.len_utf8() };
            match first {
                '"' => {
                    self.in_string = true;
                    rest = self.string(&rest[1..], &mut set);
                    continue;
                }
                'a' if &rest[..word] == "at" || &rest[..word] == "after" => {
                    set.push_str(&format!("\\mathbin{{\\mathrm{{{}}}}}", &rest[..word]));
                }
                _ if is_longer_name(&rest[..word]) => {
                    set.push_str(&format!("\\mathrm{{{}}}", escape(&rest[..word])))
                }
                _ if word > 0 => {
                    set.push_str(&letters(&rest[..word]));
                    // A prime takes what is raised right after it, but nothing behind a space.
                    is_raised = rest[..word].ends_with('\'') && rest[word..].starts_with(' ');
                }
                '~' => set.push_str("{\\sim}"),
                '–' => set.push_str("\\text{--}"),
                ' ' if is_between_words(before, &rest[1..]) => set.push_str("\\ "),
                // TeX skips spaces, so they do not part two superscripts.
                ' ' => {
                    is_raised = was_raised;
                    if !set.ends_with(' ') {
                        set.push(' ');
                    }
                }
                '^' => {
                    if let Some((exponent, length)) = exponent(&rest[1..]) {
                        let apart = if was_raised { "{}" } else { "" };
                        set.push_str(&format!("{apart}^{{{exponent}}}"));
                        (taken, is_raised) = (1 + length, true);
                    } else {
                        set.push_str("\\text{\\textasciicircum{}}");
                    }
                }
                '*' if is_mark(before, &rest[1..]) => {
                    set.push_str(if was_raised { "{}^*" } else { "^*" });
                    is_raised = true;
                }
                '*' => set.push_str("\\cdot"),
                '\'' => {
                    set.push_str(if was_raised { "{}'" } else { "'" });
                    is_raised = true;
                }
                '{' | '}' | '%' | '#' | '&' | '$' => set.extend(['\\', first]),
                _ => set.push_str(&letters(&rest[..taken])),
            }
            rest = &rest[taken..];
        }
        set
    }

    /// Sets the rest of a string, without its quotes and without the backslashes of escaped quotes
    /// and backslashes. Returns the text after it.
    fn string<'t>(&mut self, text: &'t str, set: &mut String) -> &'t str {
        let mut inside = String::new();
        let mut end = text.len();
        for (at, c) in text.char_indices() {
            match c {
                _ if std::mem::take(&mut self.is_escaped) => {
                    // Other escapes, such as `\n`, are shown as they are written.
                    if !matches!(c, '"' | '\\') {
                        inside.push('\\');
                    }
                    inside.push(c);
                }
                '\\' => self.is_escaped = true,
                '"' => {
                    self.in_string = false;
                    end = at + 1;
                    break;
                }
                c => inside.push(c),
            }
        }
        set.push_str(&verbatim(&inside));
        &text[end..]
    }
}

/// Returns the length of the word with which a text begins. A name may have primes.
fn word(text: &str) -> usize {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let primes = text[end..].len() - text[end..].trim_start_matches('\'').len();
    if end > 0 { end + primes } else { 0 }
}

/// Returns `true` if a word is a name of several letters, not counting primes, all of which TeX has
/// in formulas.
fn is_longer_name(word: &str) -> bool {
    word.is_ascii()
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.trim_end_matches('\'').len() > 1
}

/// Sets the exponent with which a text begins, and returns it with its length.
fn exponent(text: &str) -> Option<(String, usize)> {
    let unsigned = text.strip_prefix(['-', '−']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let length = sign
        + match unsigned.strip_prefix('(') {
            // The two brackets are counted too, but the closing one may be missing.
            Some(after) => (inside(after) + 2).min(unsigned.len()),
            None => word(unsigned),
        };
    // A sign without a number behind it is no exponent.
    (length > sign).then(|| (expression(&text[..length]), length))
}

/// Sets characters inside math mode, each by itself.
fn letters(text: &str) -> String {
    let letter = |c: char| match (c, symbol(c)) {
        ('_', _) => "\\_".to_owned(),
        (_, Some(symbol)) => format!("{symbol} "),
        // Most fonts for formulas have ASCII letters only.
        (_, None) if !c.is_ascii() => format!("\\text{{{c}}}"),
        (_, None) => c.to_string(),
    };
    text.chars().map(letter).collect()
}

/// Returns the length of a text up to the bracket that closes one opened before it, or to its end.
fn inside(text: &str) -> usize {
    let mut open = 1;
    let closing = text.char_indices().find(|(_, c)| {
        open += i32::from(*c == '(') - i32::from(*c == ')');
        open == 0
    });
    closing.map_or(text.len(), |(place, _)| place)
}

/// Returns `true` if a space separates two words. TeX sets all other spaces itself.
fn is_between_words(before: Option<char>, after: &str) -> bool {
    before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '*' | ')' | ']'))
        && after.starts_with(char::is_alphanumeric)
}

/// Returns `true` if a star marks the holder of the tie status, rather than multiplies.
fn is_mark(before: Option<char>, after: &str) -> bool {
    let multiplies = after.chars().next().is_some_and(char::is_alphanumeric);
    before.is_some_and(|c| c.is_ascii_digit() || (c.is_alphabetic() && !multiplies))
}

#[cfg(test)]
mod tests {
    use super::{escape, expression};

    /// pdflatex rejected each of these, or set it as something else.
    #[test]
    fn what_tex_reads_otherwise_is_written_for_it() {
        for (text, set) in [
            ("A ≤ B", "A $\\le$ B"),
            ("A < B", "A $<$ B"),
            ("A ∥ B", "A $\\parallel$ B"),
            ("0 – 1", "0 -- 1"),
            ("50 % & #1 $ _", "50 \\% \\& \\#1 \\$ \\_"),
        ] {
            assert_eq!(escape(text), set);
        }
        for (label, set) in [
            ("bob\\alice", "\\mathrm{bob}\\backslash \\mathrm{alice}"),
            ("f(B, a* against b)", "f(B, a^*\\ \\mathrm{against}\\ b)"),
            (
                "[R(A^n) for n in 1..3]",
                "[R(A^{n})\\ \\mathrm{for}\\ n\\ \\mathrm{in}\\ 1..3]",
            ),
            ("A^(n + 1) ∧ B", "A^{(n + 1)} \\wedge B"),
            ("_x", "\\_x"),
            ("3-ε", "3-\\varepsilon "),
            ("A ≢ B", "A \\not\\equiv B"),
            ("G'^2", "G'^{2}"),
            ("A^2^3", "A^{2}{}^{3}"),
            ("A^n'", "A^{n'}"),
            ("2^-k", "2^{-k}"),
            ("4*^2", "4^*{}^{2}"),
            ("A^", "A\\text{\\textasciicircum{}}"),
            ("half'", "\\mathrm{half'}"),
            (
                "G at \"a\\\"b\"",
                "G\\ \\mathbin{\\mathrm{at}} \\texttt{a\"b}",
            ),
            (
                "\"a^b \\\\ --\"",
                "\\texttt{a\\textasciicircum{}b \\textbackslash{} {-}{-}}",
            ),
            ("f(\"x)\", é)", "f(\\texttt{x)}, \\text{é})"),
        ] {
            assert_eq!(expression(label), set);
        }
    }
}
