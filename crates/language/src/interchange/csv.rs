//! Reads edges as comma-separated lines below a header that names the columns: `from` and `to`, and
//! `player`, `score`, `weight` where they are needed.
//!
//! The reader is our own, because messages about flaws need the column.

use super::{
    EdgeList, EdgeListError, Growing, LineColumn, ListedEdge, StreamedText, owner, rational,
};

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CsvColumn {
    Player,
    From,
    To,
    Score,
    Weight,
}

const COLUMNS: [(&str, CsvColumn); 5] = [
    ("player", CsvColumn::Player),
    ("from", CsvColumn::From),
    ("to", CsvColumn::To),
    ("score", CsvColumn::Score),
    ("weight", CsvColumn::Weight),
];

/// A field: its place and its text.
struct CsvField {
    place: LineColumn,
    text: String,
}

/// The fields of a record. The next record is read into the same memory.
#[derive(Default)]
struct CsvRecord {
    fields: Vec<CsvField>,
    len: usize,
}

impl CsvRecord {
    fn fields(&self) -> &[CsvField] {
        &self.fields[..self.len]
    }

    /// Begins the next field, and returns its text, which is empty.
    fn begin(&mut self, place: LineColumn) -> &mut String {
        if self.len == self.fields.len() {
            self.fields.push(CsvField {
                place,
                text: String::new(),
            });
        }
        let field = &mut self.fields[self.len];
        self.len += 1;
        field.place = place;
        // The memory of the text stays, since millions of records are read.
        field.text.clear();
        &mut field.text
    }
}

/// Reads comma-separated edges.
pub(super) fn read(text: &mut StreamedText<'_>) -> Result<EdgeList, EdgeListError> {
    let mut record = CsvRecord::default();
    if !next_record(text, &mut record)? {
        return Err(LineColumn::START
            .flaw("this file is empty: its first line should name the columns, as in `player,from,to`")
            .into());
    }
    let columns = columns(record.fields())?;
    let mut growing = Growing::default();
    growing.list.is_scored = columns.contains(&CsvColumn::Score);
    growing.list.is_weighted = columns.contains(&CsvColumn::Weight);
    while next_record(text, &mut record)? {
        let edge = edge(&columns, record.fields(), &mut growing)?;
        growing.list.edges.push(edge);
    }
    Ok(growing.finish())
}

/// Reads the columns that the first line names, in small letters or capitals.
fn columns(head: &[CsvField]) -> Result<Vec<CsvColumn>, EdgeListError> {
    let known = |field: &CsvField| {
        let found = COLUMNS
            .iter()
            .find(|(known, _)| field.text.eq_ignore_ascii_case(known));
        found.map(|(_, column)| *column)
    };
    // A file of another format gets a message about the format and not about one column.
    if head.iter().all(|field| known(field).is_none()) {
        return Err(no_head(head).into());
    }
    let mut columns = Vec::new();
    for field in head {
        let (name, place) = (&field.text, field.place);
        let Some(column) = known(field) else {
            let message = format!(
                "there is no column `{name}`: the columns are player, from, to, score and weight"
            );
            return Err(place.flaw(message).into());
        };
        if columns.contains(&column) {
            return Err(place
                .flaw(format!("the column `{name}` occurs twice"))
                .into());
        }
        columns.push(column);
    }
    for (name, needed) in [("from", CsvColumn::From), ("to", CsvColumn::To)] {
        if !columns.contains(&needed) {
            let message = format!("the first line names no column `{name}`");
            return Err(head[0].place.flaw(message).into());
        }
    }
    Ok(columns)
}

/// Builds the flaw of a first line that names no column.
fn no_head(head: &[CsvField]) -> super::Flaw {
    let names = |sign: char| {
        let mut parts = head[0].text.split(sign);
        parts.any(|part| {
            COLUMNS
                .iter()
                .any(|(known, _)| part.trim().eq_ignore_ascii_case(known))
        })
    };
    let message = if names(';') {
        "commas separate the columns, not semicolons"
    } else if names('\t') {
        "commas separate the columns, not tabs"
    } else {
        "this is not a list of edges: the first line should name its columns, which are player, from, to, score and weight"
    };
    head[0].place.flaw(message)
}

fn edge(
    columns: &[CsvColumn],
    fields: &[CsvField],
    growing: &mut Growing,
) -> Result<ListedEdge, EdgeListError> {
    if fields.len() != columns.len() {
        let message = format!(
            "{} fields are expected here, but there are {}",
            columns.len(),
            fields.len()
        );
        return Err(fields[0].place.flaw(message).into());
    }
    let mut edge = ListedEdge::default();
    for (column, CsvField { place, text }) in columns.iter().zip(fields) {
        let number = || rational(text).map_err(|why| place.flaw(format!("`{text}` {why}")));
        let mut vertex = || match text.as_str() {
            "" => Err(place.flaw("a vertex is expected here")),
            name => Ok(growing.vertex_of_text(name, *place)),
        };
        match column {
            CsvColumn::Player => {
                edge.owner = owner(text).ok_or_else(|| match text.as_str() {
                    "" => place.flaw("a player is expected here: alice, bob or both"),
                    _ => place.flaw(format!("`{text}` is not alice, bob or both")),
                })?;
            }
            CsvColumn::From => edge.from = vertex()?,
            CsvColumn::To => edge.to = vertex()?,
            // An empty cell of a spreadsheet means 0.
            CsvColumn::Score if !text.is_empty() => edge.score = number()?,
            CsvColumn::Weight if !text.is_empty() => edge.weight = number()?,
            CsvColumn::Score | CsvColumn::Weight => {}
        }
    }
    Ok(edge)
}

/// Reads the next record with a field that is not empty, and returns `true` if there is one.
/// Spreadsheets write records of commas alone.
fn next_record(text: &mut StreamedText<'_>, record: &mut CsvRecord) -> Result<bool, EdgeListError> {
    while text.has_more()? {
        read_record(text, record)?;
        if record.fields().iter().any(|field| !field.text.is_empty()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the fields of a record. A field in quotes may contain commas and line ends.
fn read_record(text: &mut StreamedText<'_>, record: &mut CsvRecord) -> Result<(), EdgeListError> {
    record.len = 0;
    loop {
        skip_spaces(text);
        let place = text.place();
        field(text, record.begin(place), place)?;
        let rest = text.rest();
        if rest.as_bytes().first() == Some(&b',') {
            text.pass(1);
        } else {
            // Some programs write several carriage returns at a line end.
            let end = rest.len() - rest.trim_start_matches('\r').len();
            let end = end + usize::from(rest[end..].starts_with('\n'));
            text.pass(end);
            return Ok(());
        }
    }
}

/// The characters that end a field. A carriage return alone ends a line too, as old programs write
/// it.
const ENDS: [char; 3] = [',', '\n', '\r'];

/// Reads a field that begins at a place.
fn field(
    text: &mut StreamedText<'_>,
    said: &mut String,
    place: LineColumn,
) -> Result<(), EdgeListError> {
    let rest = text.rest();
    if rest.as_bytes().first() != Some(&b'"') {
        let length = rest.find(ENDS).unwrap_or(rest.len());
        said.push_str(rest[..length].trim_end());
        text.pass(length);
        return Ok(());
    }
    text.pass(1);
    loop {
        let rest = text.rest();
        let Some(quote) = rest.find('"') else {
            said.push_str(rest);
            let length = rest.len();
            text.pass(length);
            if text.has_more()? {
                continue;
            }
            return Err(place.flaw("this quoted field is never closed").into());
        };
        said.push_str(&rest[..quote]);
        text.pass(quote + 1);
        // Two quotes within a quoted field stand for one.
        if !text.rest().starts_with('"') {
            break;
        }
        said.push('"');
        text.pass(1);
    }
    skip_spaces(text);
    if text.rest().is_empty() || text.rest().starts_with(ENDS) {
        Ok(())
    } else {
        Err(text.flaw("a comma is expected after a quoted field"))
    }
}

fn skip_spaces(text: &mut StreamedText<'_>) {
    let rest = text.rest();
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    text.pass(spaces);
}

#[cfg(test)]
mod tests {
    use super::super::{EdgeListFormat, names, read_text};
    use super::*;
    use crate::player::Player;

    fn read(text: &str) -> Result<EdgeList, String> {
        read_text(EdgeListFormat::Csv, text.as_bytes())
    }

    #[test]
    fn edges_have_owners_names_and_numbers() {
        let text = "\u{feff}player, from,to,score\r\nalice,1,\"a \"\"b\"\"\",-1/2\n\nboth,\"(1, x)\",1,\nblue,Öl,1,0.5\n";
        let list = read(text).expect("it is right");
        let names = names(&list);
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

    /// Numbers are the same vertex wherever they occur, whether or not they fit in 64 bits.
    #[test]
    fn numbers_of_any_length_are_vertices() {
        let numbers = [
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "-1",
        ];
        let records: String = numbers
            .iter()
            .map(|number| format!("{number},{number}\n"))
            .collect();
        let list = read(&format!("from,to\n{records}{records}-0,0\n")).expect("it is right");
        let names = names(&list);
        assert_eq!(names[..5], numbers);
        assert_eq!(names[5..], ["\"-0\"", "0"]);
        assert!(list.edges[..10].iter().all(|edge| edge.from == edge.to));
    }

    #[test]
    fn flaws_are_told_where_they_are() {
        let told = |text: &str| read(text).expect_err("it is wrong");
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
            "2:5 `x` is not a number: numbers are written like 3, -1/2, 0.25 and 1e-3"
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
            told("player,from,to\n,ä,3"),
            "2:1 a player is expected here: alice, bob or both"
        );
        assert_eq!(
            told("from,to,weight\n1,2,\"0,5\""),
            "2:5 `0,5` has a decimal comma: write a point, as in 0.5"
        );
        assert_eq!(
            told("from,to,weight\n1,2,NaN"),
            "2:5 `NaN` is not a number: leave it out where there is none"
        );
        assert_eq!(
            told("from,to,weight\n1,2,1e99"),
            "2:5 `1e99` is not a number that fits in 64 bits"
        );
    }

    #[test]
    fn files_of_another_format_are_refused_by_name() {
        let told = |text: &[u8]| read_text(EdgeListFormat::Csv, text).expect_err("it is wrong");
        let empty = "1:1 this file is empty: its first line should name the columns, as in `player,from,to`";
        for text in ["", "\u{feff}", "\n\n", ",,,\n"] {
            assert_eq!(told(text.as_bytes()), empty);
        }
        let other = "this is not a list of edges: the first line should name its columns, which are player, from, to, score and weight";
        assert_eq!(told(b"{\"nodes\": []}"), format!("1:1 {other}"));
        assert_eq!(told(b"\n1,2\n2,3\n"), format!("2:1 {other}"));
        assert_eq!(
            told(b"From;To\n1;2\n"),
            "1:1 commas separate the columns, not semicolons"
        );
        assert_eq!(
            told(b"from\tto\n1\t2\n"),
            "1:1 commas separate the columns, not tabs"
        );
        assert_eq!(
            told(b"from,to\n1,\xe9\n"),
            "2:3 this is not UTF-8 text: save the file as UTF-8"
        );
        assert_eq!(
            told(b"from,to\n1,\0\n"),
            "2:3 a zero byte stands here: this is not text"
        );
    }

    #[test]
    fn files_of_spreadsheets_are_read() {
        let plain = read("player,from,to\nalice,1,2\nboth,2,x\n").expect("it is right");
        for text in [
            "\u{feff}Player,From,To\r\nAlice,1,2\r\nBOTH,2,x\r\n,,\r\n,,\r\n",
            "player,from,to\ralice,1,2\rboth,2,x\r",
            ",,\n\"player\",\"from\",\"to\"\n\n\"alice\" , \"1\",\"2\"\n,,\nboth,2,x",
        ] {
            assert_eq!(read(text), Ok(plain.clone()), "{text}");
        }
    }

    /// Vertices that other programs might confuse stay distinct, and a doubt reports them.
    #[test]
    fn labels_beside_numbers_are_doubtful() {
        let list = read("from,to\n1,2\n1.0,x\n01,2\n").expect("it is right");
        let names = names(&list);
        assert_eq!(names, ["1", "2", "\"1.0\"", "x", "\"01\""]);
        let [doubt] = &list.doubts[..] else {
            panic!("{:?}", list.doubts)
        };
        assert_eq!((doubt.line, doubt.column), (3, 1));
        assert_eq!(
            doubt.message,
            "vertex \"1.0\" is a label here, and vertex 1 a number: they are never the same vertex"
        );
        for text in ["from,to\n1.0,2.0\n", "from,to\n1,x\n2a,1b\n"] {
            assert_eq!(read(text).expect("it is right").doubts, [], "{text}");
        }
    }

    /// The list does not depend on the pieces in which the bytes arrive.
    #[test]
    fn long_lines_and_many_records() {
        let records: String = (0..20_000)
            .map(|i| format!("{i},\"{}\"\n", i + 1))
            .collect();
        let list = read(&format!("from,to\n{records}")).expect("it is right");
        assert_eq!((list.vertices.len(), list.edges.len()), (20_001, 20_000));
    }
}
