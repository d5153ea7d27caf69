//! Describes errors in a JSON document in the words of the format. The messages of its reader speak
//! of sequences, structs and machine integers.

/// Describes an error without its place.
pub fn json_trouble(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message
        // The caller names the place in its own words.
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _)| message);
    if error.is_data() {
        return data(message).unwrap_or_else(|| message.to_owned());
    }
    let what = match message.strip_prefix("EOF while parsing ") {
        Some("a value") => "the text ends here, where a value is expected".to_owned(),
        Some(within) => format!("the text ends here, within {within}"),
        None => match message {
            "expected ident" | "expected value" => "a value is expected here".to_owned(),
            "invalid unicode code point" => "this is not UTF-8 text".to_owned(),
            message => message.to_owned(),
        },
    };
    format!("this is not JSON: {what}")
}

/// Describes an error in a document that is valid JSON.
fn data(message: &str) -> Option<String> {
    let inside = |text: &str| -> Option<String> {
        let (_, rest) = text.split_once('`')?;
        Some(rest.split_once('`')?.0.to_owned())
    };
    let choices = || {
        message
            .split_once(", expected ")
            .map(|(_, choices)| choices)
    };
    Some(match message.split_once(' ')? {
        ("missing", _) => format!("the member `{}` is missing", inside(message)?),
        ("duplicate", _) => format!("the member `{}` occurs twice", inside(message)?),
        ("unknown", rest) => {
            let what = if rest.starts_with("field") {
                "is not a known member here"
            } else {
                "is not known here"
            };
            let known =
                choices().map_or_else(String::new, |choices| format!("; expected {choices}"));
            format!("`{}` {what}{known}", inside(message)?)
        }
        ("invalid", rest) => {
            let (found, expected) = rest.split_once(", expected ")?;
            let expected = expectation(expected);
            match found.split_once(' ')? {
                ("type:" | "value:", found) => {
                    format!("{expected} is expected here, not {}", thing(found))
                }
                ("length", count) => {
                    format!("{expected} is expected here, not a list of length {count}")
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Describes the value that was found.
fn thing(found: &str) -> String {
    let named = ["integer `", "floating point `", "boolean `"];
    let value = named.iter().find_map(|named| found.strip_prefix(named));
    match (found, value) {
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "an object".to_owned(),
        (_, Some(value)) => value.trim_end_matches('`').to_owned(),
        _ => match found.strip_prefix("string ") {
            Some(text) => format!("the text {text}"),
            None => found.to_owned(),
        },
    }
}

/// Describes the value that was expected.
fn expectation(expected: &str) -> String {
    let first = expected
        .split_once(' ')
        .map_or(expected, |(first, _)| first);
    match first {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more,".to_owned(),
        "i8" | "i16" | "i32" | "i64" => "a whole number".to_owned(),
        "struct" | "map" => "an object".to_owned(),
        "variant" | "enum" => "one of the known kinds".to_owned(),
        "tuple" => "a list".to_owned(),
        _ => match expected {
            "a string" | "string" => "a text".to_owned(),
            "a boolean" => "true or false".to_owned(),
            "a sequence" => "a list".to_owned(),
            "a map" => "an object".to_owned(),
            "unit" => "nothing".to_owned(),
            _ if expected.starts_with("a tuple") || expected.starts_with("an array") => {
                "a list".to_owned()
            }
            _ => expected.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the reading is looked at")]
    struct SampleDocument {
        count: u32,
        names: Vec<String>,
        pair: Option<(i64, bool)>,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    enum Kind {
        #[serde(rename = "short")]
        Short,
        #[serde(rename = "long")]
        Long,
    }

    #[test]
    fn no_word_of_an_implementation_is_told() {
        let told = |text| {
            let error = serde_json::from_str::<SampleDocument>(text).expect_err("it is wrong");
            json_trouble(&error)
        };
        for (text, words) in [
            (
                "",
                "this is not JSON: the text ends here, where a value is expected",
            ),
            (
                "{\"count\": 1",
                "this is not JSON: the text ends here, within an object",
            ),
            ("from,to", "this is not JSON: a value is expected here"),
            ("{} {}", "the member `count` is missing"),
            ("[]", "an object is expected here, not a list of length 0"),
            ("7", "an object is expected here, not 7"),
            (
                r#"{"count": -1}"#,
                "a whole number, 0 or more, is expected here, not -1",
            ),
            (
                r#"{"count": 1.5}"#,
                "a whole number, 0 or more, is expected here, not 1.5",
            ),
            (
                r#"{"count": "a"}"#,
                "a whole number, 0 or more, is expected here, not the text \"a\"",
            ),
            (
                r#"{"count": 1, "count": 2}"#,
                "the member `count` occurs twice",
            ),
            (
                r#"{"count": 1, "names": {}}"#,
                "a list is expected here, not an object",
            ),
            (r#"{"names": [null]}"#, "a text is expected here, not null"),
            (
                r#"{"pair": [1]}"#,
                "a list is expected here, not a list of length 1",
            ),
            (
                r#"{"pair": [1, 2]}"#,
                "true or false is expected here, not 2",
            ),
            (
                r#"{"colour": 1}"#,
                "`colour` is not a known member here; expected one of `count`, `names`, `pair`, `kind`",
            ),
            (
                r#"{"kind": "wide"}"#,
                "`wide` is not known here; expected `short` or `long`",
            ),
        ] {
            assert_eq!(told(text), words, "{text}");
        }
    }
}
