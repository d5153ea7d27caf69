//! Reports as LaTeX, for papers: formulas, and `booktabs` tables in blocks of twelve columns.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::safe::visible;
use super::text::BLOCK;
use super::{ClosedForm, Diagram, Formula, Listing, MixedBid, Moves, Nash, Report, Scalar, Table, Weight};
use crate::rules::{Chips, FieldValue, Mark};
use crate::watch::Unwatched;

/// The report as LaTeX, without a newline at the end.
pub fn render(report: &Report) -> String {
    match report {
        Report::Scalar(Scalar::String(text)) => escape(text),
        Report::Scalar(_) | Report::List(_) | Report::Tuple(_) => format!("${}$", math(report)),
        Report::Rules(fields) => verbatim(
            &fields.iter().map(FieldValue::words).map(|(f, v)| format!("{f}: {v}")).collect::<Vec<_>>().join(", "),
        ),
        Report::Record(facts) => tabular(
            "ll",
            "",
            &facts.iter().map(|(name, fact)| format!("{} & {}", escape(name), render(fact))).collect::<Vec<_>>(),
        ),
        Report::Table(table) => blocks(table),
        Report::Moves(found) => moves(found),
        Report::Closed(form) => closed(form),
        Report::Listing(listing) => listed(listing),
        Report::Nash(found) => nash(found),
        Report::Tree(tree) => drawn(&tree.diagram()),
        Report::Hasse(order) => drawn(&order.diagram()),
        Report::Plot(plot) => plot.latex(),
        Report::Heat(heat) => heat.latex(),
        Report::Strategy(_) | Report::Pivotal(_) => {
            format!("\\begin{{verbatim}}\n{report}\n\\end{{verbatim}}")
        }
    }
}

/// A shown value with its label before it.
pub fn labelled(label: &str, report: &Report) -> String {
    format!("% {}\n{}", label.replace('\n', " "), render(report))
}

/// The diagram by TikZ; it is small enough for that to take no time.
fn drawn(diagram: &Diagram) -> String {
    diagram.tikz(&Unwatched).unwrap_or_else(|undrawn| format!("% {undrawn}"))
}

fn verbatim(text: &str) -> String {
    format!("\\texttt{{{}}}", escape(text))
}

/// The report inside math mode.
fn math(report: &Report) -> String {
    match report {
        Report::Scalar(scalar) => formula(scalar),
        Report::List(items) => format!("[{}]", items.iter().map(math).collect::<Vec<_>>().join(", ")),
        Report::Tuple(items) => format!("({})", items.iter().map(math).collect::<Vec<_>>().join(", ")),
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
            format!("\\text{{{}}}", escape(&report.to_string()))
        }
    }
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
fn nash(found: &Nash) -> String {
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
    let mut parts = vec![format!("{} ${}$.", found.worth.sentence(), formula(&found.value))];
    if !found.players.is_empty() {
        let rows: Vec<String> = bids.into_iter().map(row).collect();
        parts.push(tabular(&format!("r{}", "l".repeat(found.players.len())), &head, &rows));
    }
    let decisions = found.players.iter().flat_map(|mixed| mixed.decisions.iter().map(move |decided| (mixed, decided)));
    parts.extend(
        decisions.map(|(mixed, decided)| escape(&format!("{} {}.", mixed.player.name(), decided.text(mixed.player)))),
    );
    parts.join("\n\n")
}

fn tabular(columns: &str, head: &str, rows: &[String]) -> String {
    let body = rows.iter().map(|row| format!("{row} \\\\\n")).collect::<String>();
    format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}{body}\\bottomrule\n\\end{{tabular}}")
}

/// The table in blocks of [`BLOCK`] columns, with a rule below each header, as the papers set them.
fn blocks(table: &Table) -> String {
    let width = table.columns.len().clamp(1, BLOCK);
    let row = |label: &str, values: &[Scalar]| {
        let cells = values.iter().map(|value| format!(" & ${}$", cell(value)));
        format!("{}{} \\\\\n", in_math(label), cells.collect::<String>())
    };
    let block = |start: usize| {
        let range = start..table.columns.len().min(start + BLOCK);
        let header = row(&table.parameter, &table.columns[range.clone()]);
        let rows = table.rows.iter().map(|each| row(&each.label, &each.values[range.clone()]));
        format!("{header}\\midrule\n{}", rows.collect::<String>())
    };
    let blocks = (0..table.columns.len().max(1)).step_by(BLOCK).map(block).collect::<Vec<_>>().join("\\midrule\n");
    format!("\\begin{{tabular}}{{l{}}}\n\\toprule\n{blocks}\\bottomrule\n\\end{{tabular}}", "r".repeat(width))
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

fn moves(found: &Moves) -> String {
    let rows = found.moves.iter().map(|each| {
        let action = escape(&each.ply.action);
        format!("{} & {action} & {} & ${}$", each.ply.player.word(), escape(&each.ply.position), cell(&each.value))
    });
    let head = format!("player & move & to & {} \\\\\n\\midrule\n", in_math(&found.measure));
    tabular("llll", &head, &rows.collect::<Vec<_>>())
}

/// The formula, then its terms as the papers set them: a row for every twelve residues, headed by the first of them.
fn closed(form: &ClosedForm) -> String {
    form.formulas.iter().map(terms).collect::<Vec<_>>().join("\n\n")
}

fn terms(formula: &Formula) -> String {
    let width = formula.terms.len().min(BLOCK);
    let places: String = (0..width).map(|place| format!(" & $+{place}$")).collect();
    let rows = formula.terms.chunks(BLOCK).enumerate().map(|(block, terms)| {
        let cells: String = terms.iter().map(|term| format!(" & ${}$", self::formula(term))).collect();
        format!("${}+${cells}", block * BLOCK)
    });
    let head = format!("${}+${places} \\\\\n\\midrule\n", Formula::multiple(formula.period));
    let table = tabular(&format!("l{}", "r".repeat(width)), &head, &rows.collect::<Vec<_>>());
    let except = formula
        .exceptions
        .iter()
        .map(|exception| format!("${}$ at $k = {}$", self::formula(&exception.value), exception.total));
    let except = except.collect::<Vec<_>>().join(", ");
    let except = if except.is_empty() { String::new() } else { format!(" except {except}") };
    let equation = in_math(&formula.equation()).replace("\\mathrm{t\\_r}", "t_r");
    format!("{equation}{except}.\n\n{table}")
}

fn listed(listing: &Listing) -> String {
    let head = listing.columns.iter().map(|column| escape(column)).collect::<Vec<_>>().join(" & ");
    let rows = listing
        .rows
        .iter()
        .map(|row| row.iter().map(|cell| render(&cell.clone().into())).collect::<Vec<_>>().join(" & "));
    tabular(&"l".repeat(listing.columns.len()), &format!("{head} \\\\\n\\midrule\n"), &rows.collect::<Vec<_>>())
}
