//! Edges as comma-separated lines below a head that names the columns: `from` and `to`, and
//! `player`, `score`, `weight` where they are needed.
//!
//! Our own reader of some lines, as a flaw is to be told by its column.

use num_traits::Zero;

use super::{EdgeList, Flaw, Growing, Key, ListedEdge, flaw, owner, rational};

/// What a column says of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Player,
    From,
    To,
    Score,
    Weight,
}

const COLUMNS: [(&str, Column); 5] = [
    ("player", Column::Player),
    ("from", Column::From),
    ("to", Column::To),
    ("score", Column::Score),
    ("weight", Column::Weight),
];

/// A field: where it begins, and what it says.
type Field = (usize, String);

/// Reads comma-separated edges.
pub(super) fn read(text: &str) -> Result<EdgeList, Flaw> {
    let start = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let mut at = start;
    let head = record(text, &mut at)?;
    let columns = columns(text, &head)?;
    let mut growing = Growing::default();
    growing.list.is_scored = columns.contains(&Column::Score);
    growing.list.is_weighted = columns.contains(&Column::Weight);
    while at < text.len() {
        let fields = record(text, &mut at)?;
        if let [(_, only)] = &fields[..]
            && only.is_empty()
        {
            continue;
        }
        let edge = edge(text, &columns, &fields, &mut growing)?;
        growing.list.edges.push(edge);
    }
    Ok(growing.list)
}

/// What the columns are, from the first line.
fn columns(text: &str, head: &[Field]) -> Result<Vec<Column>, Flaw> {
    let mut columns = Vec::new();
    for (at, name) in head {
        let known = COLUMNS.iter().find(|(known, _)| known == name);
        let (_, column) = known.ok_or_else(|| {
            flaw(text, *at, format!("there is no column `{name}`: the columns are player, from, to, score and weight"))
        })?;
        if columns.contains(column) {
            return Err(flaw(text, *at, format!("the column `{name}` occurs twice")));
        }
        columns.push(*column);
    }
    for (name, needed) in [("from", Column::From), ("to", Column::To)] {
        if !columns.contains(&needed) {
            return Err(flaw(
                text,
                0,
                format!("the first line names no column `{name}`"),
            ));
        }
    }
    Ok(columns)
}

fn edge(
    text: &str,
    columns: &[Column],
    fields: &[Field],
    growing: &mut Growing,
) -> Result<ListedEdge, Flaw> {
    if fields.len() != columns.len() {
        let message = format!(
            "{} fields are expected here, but there are {}",
            columns.len(),
            fields.len()
        );
        return Err(flaw(text, fields[0].0, message));
    }
    let (mut from, mut to) = (0, 0);
    let mut edge = ListedEdge {
        owner: None,
        from,
        to,
        score: Zero::zero(),
        weight: Zero::zero(),
    };
    for (column, (at, field)) in columns.iter().zip(fields) {
        let number = || {
            rational(field).ok_or_else(|| {
                flaw(
                    text,
                    *at,
                    format!("`{field}` is not a number that fits in 64 bits"),
                )
            })
        };
        let vertex = || match field.as_str() {
            "" => Err(flaw(text, *at, "a vertex is expected here")),
            name => Ok(Key::of_text(name)),
        };
        match column {
            Column::Player => {
                let message = || flaw(text, *at, format!("`{field}` is not alice, bob or both"));
                edge.owner = owner(field).ok_or_else(message)?;
            }
            Column::From => from = growing.vertex(vertex()?),
            Column::To => to = growing.vertex(vertex()?),
            Column::Score if !field.is_empty() => edge.score = number()?,
            Column::Weight if !field.is_empty() => edge.weight = number()?,
            Column::Score | Column::Weight => {}
        }
    }
    Ok(ListedEdge { from, to, ..edge })
}

/// The fields of the record that begins at a byte, which moves to the next one. A field in quotes
/// may hold commas and line ends.
fn record(text: &str, at: &mut usize) -> Result<Vec<Field>, Flaw> {
    let mut fields = Vec::new();
    loop {
        fields.push(field(text, at)?);
        match text[*at..].chars().next() {
            Some(',') => *at += 1,
            Some(_) => {
                *at += if text[*at..].starts_with("\r\n") {
                    2
                } else {
                    1
                };
                return Ok(fields);
            }
            None => return Ok(fields),
        }
    }
}

fn field(text: &str, at: &mut usize) -> Result<Field, Flaw> {
    let ends =
        |rest: &str| rest.is_empty() || rest.starts_with([',', '\n']) || rest.starts_with("\r\n");
    let blanks = text[*at..].len() - text[*at..].trim_start_matches([' ', '\t']).len();
    *at += blanks;
    let start = *at;
    if !text[start..].starts_with('"') {
        let length = text[start..]
            .char_indices()
            .find(|(place, _)| ends(&text[start + place..]));
        *at += length.map_or(text.len() - start, |(place, _)| place);
        return Ok((start, text[start..*at].trim_end().to_owned()));
    }
    let mut value = String::new();
    let mut rest = &text[start + 1..];
    loop {
        let Some(quote) = rest.find('"') else {
            return Err(flaw(text, start, "this quoted field is never closed"));
        };
        value.push_str(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                value.push('"');
                rest = more;
            }
            None => break,
        }
    }
    rest = rest.trim_start_matches([' ', '\t']);
    *at = text.len() - rest.len();
    if ends(rest) {
        Ok((start, value))
    } else {
        Err(flaw(text, *at, "a comma is expected after a quoted field"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Player;

    #[test]
    fn edges_have_owners_names_and_numbers() {
        let text = "\u{feff}player, from,to,score\r\nalice,1,\"a \"\"b\"\"\",-1/2\n\nboth,\"(1, x)\",1,\nblue,Öl,1,0.5\n";
        let list = read(text).expect("it is right");
        let names: Vec<_> = list
            .vertices
            .iter()
            .map(|vertex| vertex.name.as_str())
            .collect();
        assert_eq!(names, ["1", "\"a \\\"b\\\"\"", "(1, x)", "Öl"]);
        let edges: Vec<_> = list
            .edges
            .iter()
            .map(|edge| (edge.owner, edge.from, edge.to, edge.score.to_string()))
            .collect();
        assert_eq!(
            edges,
            [
                (Some(Player::Alice), 0, 1, "-1/2".to_owned()),
                (None, 2, 0, "0".to_owned()),
                (Some(Player::Bob), 3, 0, "1/2".to_owned())
            ]
        );
        assert_eq!(
            (list.is_scored, list.is_weighted, list.start),
            (true, false, None)
        );
    }

    #[test]
    fn flaws_are_told_where_they_are() {
        let told = |text: &str| {
            let Flaw {
                line,
                column,
                message,
            } = read(text).expect_err("it is wrong");
            format!("{line}:{column} {message}")
        };
        assert_eq!(
            told("from,to,colour\n"),
            "1:9 there is no column `colour`: the columns are player, from, to, score and weight"
        );
        assert_eq!(told("from\n1\n"), "1:1 the first line names no column `to`");
        assert_eq!(
            told("from,to\n1,2\nä,3,4\n"),
            "3:1 2 fields are expected here, but there are 3"
        );
        assert_eq!(
            told("player,from,to\nboth,ä,3\ncarol,4,5"),
            "3:1 `carol` is not alice, bob or both"
        );
        assert_eq!(
            told("from,to,weight\nä,3,x"),
            "2:5 `x` is not a number that fits in 64 bits"
        );
        assert_eq!(told("from,to\n1,"), "2:3 a vertex is expected here");
        assert_eq!(
            told("from,to\n1,\"2"),
            "2:3 this quoted field is never closed"
        );
        assert_eq!(
            told("from,to\n1,\"2\"3"),
            "2:6 a comma is expected after a quoted field"
        );
        assert_eq!(
            told(""),
            "1:1 there is no column ``: the columns are player, from, to, score and weight"
        );
    }
}
