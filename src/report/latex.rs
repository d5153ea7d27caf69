//! Reports as LaTeX, for papers: formulas, and `booktabs` tables in blocks of twelve columns.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use num_bigint::BigInt;
use num_rational::BigRational;

use super::safe::visible;
use super::text::BLOCK;
use super::{ClosedForm, Diagram, Formula, Listing, MixedBid, Moves, Nash, Page, Report, Scalar, Table, Weight};
use crate::rules::{Chips, FieldValue, Mark};
use crate::watch::Unwatched;

/// Writes the report as LaTeX, without a newline at the end.
///
/// # Errors
/// If the page's watch stops it.
pub fn write(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    match report {
        Report::Scalar(Scalar::String(text)) => page.write_str(&escape(text)),
        Report::Scalar(_) | Report::List(_) | Report::Tuple(_) => {
            page.write_str("$")?;
            math(report, page)?;
            page.write_str("$")
        }
        Report::Rules(fields) => page.write_str(&verbatim(
            &fields.iter().map(FieldValue::words).map(|(f, v)| format!("{f}: {v}")).collect::<Vec<_>>().join(", "),
        )),
        Report::Record(facts) => tabular(page, "ll", "", facts, |page, (name, fact)| {
            write!(page, "{} & ", escape(name))?;
            write(fact, page)
        }),
        Report::Table(table) => blocks(table, page),
        Report::Moves(found) => moves(found, page),
        Report::Closed(form) => closed(form, page),
        Report::Listing(listing) => listed(listing, page),
        Report::Nash(found) => nash(found, page),
        Report::Tree(tree) => page.write_str(&drawn(&tree.diagram())),
        Report::Hasse(order) => page.write_str(&drawn(&order.diagram())),
        Report::Plot(plot) => page.write_str(&plot.latex()),
        Report::Heat(heat) => heat.latex(page),
        Report::Strategy(_) | Report::Pivotal(_) => {
            write!(page, "\\begin{{verbatim}}\n{report}\n\\end{{verbatim}}")
        }
    }
}

/// Writes a shown value with its label before it.
///
/// # Errors
/// If the page's watch stops it.
pub fn labelled(label: &str, report: &Report, page: &mut Page<'_>) -> fmt::Result {
    writeln!(page, "% {}", label.replace('\n', " "))?;
    write(report, page)
}

/// The diagram by TikZ; it is small enough for that to take no time.
fn drawn(diagram: &Diagram) -> String {
    diagram.tikz(&Unwatched).unwrap_or_else(|undrawn| format!("% {undrawn}"))
}

fn verbatim(text: &str) -> String {
    format!("\\texttt{{{}}}", escape(text))
}

/// The report inside math mode.
fn math(report: &Report, page: &mut Page<'_>) -> fmt::Result {
    match report {
        Report::Scalar(scalar) => page.write_str(&formula(scalar)),
        Report::List(items) => maths(items, ["[", "]"], page),
        Report::Tuple(items) => maths(items, ["(", ")"], page),
        Report::Rules(_)
        | Report::Record(_)
        | Report::Table(_)
        | Report::Strategy(_)
        | Report::Moves(_)
        | Report::Tree(_)
        | Report::Nash(_)
        | Report::Closed(_)
        | Report::Listing(_)
        | Report::Hasse(_)
        | Report::Plot(_)
        | Report::Heat(_)
        | Report::Pivotal(_) => {
            write!(page, "\\text{{{}}}", escape(&report.to_string()))
        }
    }
}

fn maths(items: &[Report], [open, close]: [&str; 2], page: &mut Page<'_>) -> fmt::Result {
    page.write_str(open)?;
    for (place, item) in items.iter().enumerate() {
        page.write_str(if place == 0 { "" } else { ", " })?;
        math(item, page)?;
    }
    page.write_str(close)
}

/// A scalar inside math mode, in the papers' notation.
fn formula(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Integer(value) => value.to_string(),
        Scalar::Rational(value) => fraction(value),
        Scalar::Chips(chips) => chip_count(chips),
        Scalar::Interval(bounds) => bounds.text().replace('±', "\\pm"),
        Scalar::Bounds(bounds) => bounds.text().replace('±', "\\pm"),
        Scalar::Tuple(parts) => format!("({})", parts.iter().map(formula).collect::<Vec<_>>().join(", ")),
        Scalar::Game(text) => expression(text),
        Scalar::Bool(_) | Scalar::Player(_) | Scalar::Outcome(_) | Scalar::Word(_) | Scalar::Function { .. } => {
            format!("\\text{{{}}}", escape(&scalar.to_string()))
        }
        Scalar::String(text) => format!("\\texttt{{{}}}", escape(text)),
    }
}

fn fraction(value: &BigRational) -> String {
    if value.is_integer() {
        return value.numer().to_string();
    }
    let sign = if value.numer().sign() == num_bigint::Sign::Minus { "-" } else { "" };
    format!("{sign}\\frac{{{}}}{{{}}}", value.numer().magnitude(), value.denom())
}

fn chip_count(chips: &Chips) -> String {
    match chips.mark {
        Mark::MinusEpsilon => format!("{}-\\varepsilon", chips.count),
        Mark::None => chips.count.to_string(),
        Mark::Star => format!("{}^*", chips.count),
    }
}

pub(super) fn escape(text: &str) -> String {
    visible(text)
        .chars()
        .map(|c| match c {
            '\\' => "\\textbackslash{}".to_owned(),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => format!("\\{c}"),
            '^' => "\\textasciicircum{}".to_owned(),
            '~' => "\\textasciitilde{}".to_owned(),
            '∧' => "$\\wedge$".to_owned(),
            'ε' => "$\\varepsilon$".to_owned(),
            _ => c.to_string(),
        })
        .collect()
}

/// The value, a column of probabilities for each player, and what each does on winning.
fn nash(found: &Nash, page: &mut Page<'_>) -> fmt::Result {
    let bids: BTreeSet<&BigInt> =
        found.players.iter().flat_map(|mixed| mixed.bids.iter().map(|(bid, _)| bid)).collect();
    let probability = |mixed: &MixedBid, bid: &BigInt| {
        let weight = mixed.bids.iter().find(|(other, _)| other == bid).map(|(_, weight)| weight);
        weight.map_or(String::new(), |weight| match weight {
            Weight::Exact(exact) if exact.is_integer() => format!("${}$", exact.numer()),
            Weight::Exact(exact) => format!("${}$", fraction(exact)),
            Weight::Float(_) => weight.short(),
        })
    };
    let row = |bid: &BigInt| {
        let cells = found.players.iter().map(|mixed| format!(" & {}", probability(mixed, bid)));
        format!("{bid}{}", cells.collect::<String>())
    };
    let names = found.players.iter().map(|mixed| format!(" & {} with {}", mixed.player.name(), mixed.chips));
    let head = format!("bid{} \\\\\n\\midrule\n", names.collect::<String>());
    write!(page, "{} ${}$.", found.worth.sentence(), formula(&found.value))?;
    if !found.players.is_empty() {
        page.write_str("\n\n")?;
        let columns = format!("r{}", "l".repeat(found.players.len()));
        tabular(page, &columns, &head, bids, |page, bid| page.write_str(&row(bid)))?;
    }
    let decisions = found.players.iter().flat_map(|mixed| mixed.decisions.iter().map(move |decided| (mixed, decided)));
    for (mixed, decided) in decisions {
        let sentence = format!("{} {}.", mixed.player.name(), decided.text(mixed.player));
        write!(page, "\n\n{}", escape(&sentence))?;
    }
    Ok(())
}

/// A table; `write` writes a row.
fn tabular<T>(
    page: &mut Page<'_>,
    columns: &str,
    head: &str,
    rows: impl IntoIterator<Item = T>,
    write: impl Fn(&mut Page<'_>, T) -> fmt::Result,
) -> fmt::Result {
    write!(page, "\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}")?;
    for row in rows {
        write(page, row)?;
        page.write_str(" \\\\\n")?;
    }
    page.write_str("\\bottomrule\n\\end{tabular}")
}

/// The table in blocks of [`BLOCK`] columns, with a rule below each header, as the papers set them.
fn blocks(table: &Table, page: &mut Page<'_>) -> fmt::Result {
    let width = table.columns.len().clamp(1, BLOCK);
    let row = |label: &str, values: &[Scalar]| {
        let cells = values.iter().map(|value| format!(" & ${}$", cell(value)));
        format!("{}{} \\\\\n", in_math(label), cells.collect::<String>())
    };
    write!(page, "\\begin{{tabular}}{{l{}}}\n\\toprule\n", "r".repeat(width))?;
    for start in (0..table.columns.len().max(1)).step_by(BLOCK) {
        page.write_str(if start == 0 { "" } else { "\\midrule\n" })?;
        let range = start..table.columns.len().min(start + BLOCK);
        writeln!(page, "{}\\midrule", row(&table.parameter, &table.columns[range.clone()]))?;
        table.rows.iter().try_for_each(|each| page.write_str(&row(&each.label, &each.values[range.clone()])))?;
    }
    page.write_str("\\bottomrule\n\\end{tabular}")
}

/// A label like `f(E, k)`, set as a formula.
pub(super) fn in_math(label: &str) -> String {
    format!("${}$", expression(label))
}

/// An expression of the language inside math mode: longer names upright, operators and powers as the papers set them.
fn expression(text: &str) -> String {
    let mut set = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let quoted = rest.strip_prefix('"').and_then(|inside| inside.find('"')).map(|end| end + 2);
        let taken = quoted.unwrap_or(if word > 0 { word } else { first.len_utf8() });
        let before = text[..text.len() - rest.len()].chars().next_back();
        match first {
            '"' if quoted.is_some() => set.push_str(&verbatim(&rest[1..taken - 1])),
            'a' if &rest[..word] == "at" || &rest[..word] == "after" => {
                set.push_str(&format!("\\mathbin{{\\mathrm{{{}}}}}", &rest[..word]));
            }
            _ if word > 0 && before == Some('^') => set.push_str(&format!("{{{}}}", &rest[..word])),
            'A'..='Z' | 'a'..='z' if word > 1 => set.push_str(&format!("\\mathrm{{{}}}", escape(&rest[..word]))),
            _ if word > 0 => set.push_str(&rest[..word]),
            '∧' => set.push_str("\\wedge"),
            '~' => set.push_str("{\\sim}"),
            '≤' => set.push_str("\\le"),
            '≥' => set.push_str("\\ge"),
            '≡' => set.push_str("\\equiv"),
            '*' if is_mark(before, &rest[1..]) => set.push_str("^*"),
            '…' => set.push_str("\\dots "),
            '·' => set.push_str("\\cdot "),
            '*' => set.push_str("\\cdot"),
            '{' | '}' | '%' | '#' | '&' | '$' => set.extend(['\\', first]),
            'ε' => set.push_str("\\varepsilon"),
            _ => set.push(first),
        }
        rest = &rest[taken..];
    }
    set
}

/// Whether a star marks who has the tie status, rather than multiplies.
fn is_mark(before: Option<char>, after: &str) -> bool {
    let multiplies = after.chars().next().is_some_and(char::is_alphanumeric);
    before.is_some_and(|c| c.is_ascii_digit() || (c.is_alphabetic() && !multiplies))
}

/// A scalar in a cell, where a fraction has to fit into its line: `23/64`, as in the papers.
fn cell(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Rational(value) => value.to_string(),
        other => formula(other),
    }
}

fn moves(found: &Moves, page: &mut Page<'_>) -> fmt::Result {
    let head = format!("player & move & to & {} \\\\\n\\midrule\n", in_math(&found.measure));
    tabular(page, "llll", &head, &found.moves, |page, each| {
        let (action, position) = (escape(&each.ply.action), escape(&each.ply.position));
        write!(page, "{} & {action} & {position} & ${}$", each.ply.player.word(), cell(&each.value))
    })
}

/// The formula, then its terms as the papers set them: a row for every twelve residues, headed by the first of them.
fn closed(form: &ClosedForm, page: &mut Page<'_>) -> fmt::Result {
    for (place, formula) in form.formulas.iter().enumerate() {
        page.write_str(if place == 0 { "" } else { "\n\n" })?;
        terms(formula, page)?;
    }
    Ok(())
}

fn terms(formula: &Formula, page: &mut Page<'_>) -> fmt::Result {
    let width = formula.terms.len().min(BLOCK);
    let places: String = (0..width).map(|place| format!(" & $+{place}$")).collect();
    let head = format!("${}+${places} \\\\\n\\midrule\n", Formula::multiple(formula.period));
    let except = formula
        .exceptions
        .iter()
        .map(|exception| format!("${}$ at $k = {}$", self::formula(&exception.value), exception.total));
    let except = except.collect::<Vec<_>>().join(", ");
    let except = if except.is_empty() { String::new() } else { format!(" except {except}") };
    let equation = in_math(&formula.equation()).replace("\\mathrm{t\\_r}", "t_r");
    write!(page, "{equation}{except}.\n\n")?;
    let rows = formula.terms.chunks(BLOCK).enumerate();
    tabular(page, &format!("l{}", "r".repeat(width)), &head, rows, |page, (block, terms)| {
        write!(page, "${}+$", block * BLOCK)?;
        terms.iter().try_for_each(|term| write!(page, " & ${}$", self::formula(term)))
    })
}

fn listed(listing: &Listing, page: &mut Page<'_>) -> fmt::Result {
    let head = listing.columns.iter().map(|column| escape(column)).collect::<Vec<_>>().join(" & ");
    let columns = "l".repeat(listing.columns.len());
    tabular(page, &columns, &format!("{head} \\\\\n\\midrule\n"), &listing.rows, |page, row| {
        for (place, cell) in row.iter().enumerate() {
            page.write_str(if place == 0 { "" } else { " & " })?;
            write(&cell.clone().into(), page)?;
        }
        Ok(())
    })
}
