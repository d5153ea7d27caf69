//! `bid explain CODE`.

use bid_language::diagnostic::{Code, did_you_mean};

use super::output::Output;
use super::status::Status;

/// Prints the page of a code, or the list of all codes.
pub fn run(output: &Output, code: Option<&str>) -> Status {
    let Some(text) = code else {
        let lines: Vec<_> = Code::ALL
            .iter()
            .map(|code| format!("{}  {}", code.as_str(), code.title()))
            .collect();
        output.result(&lines.join("\n"));
        return Status::Good;
    };
    if let Some(code) = Code::parse(text) {
        output.prose(code.page().trim_end());
        return Status::Good;
    }
    let near = did_you_mean(text, Code::ALL.iter().map(|code| code.as_str()));
    let help = near.map(|near| format!("did you mean {near}? `bid explain` lists all codes"));
    output.usage_error(
        format!("there is no code `{text}`"),
        help.or(Some("`bid explain` lists all codes".to_owned())),
    )
}
