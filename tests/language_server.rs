//! The start and the end of the language server. The messages in between are tested in
//! `editors/tests`.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

fn message(content: &Value) -> String {
    framed(&content.to_string())
}

fn framed(content: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{content}", content.len())
}

fn request(id: u32, method: &str, params: &Value) -> String {
    message(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

fn notification(method: &str) -> String {
    message(&json!({ "jsonrpc": "2.0", "method": method, "params": {} }))
}

fn begun() -> String {
    request(1, "initialize", &json!({ "capabilities": {} })) + &notification("initialized")
}

fn ended() -> String {
    request(2, "shutdown", &Value::Null) + &notification("exit")
}

fn served(arguments: &[&str], said: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("bid"));
    command.arg("lsp").args(arguments).write_stdin(said);
    command.timeout(std::time::Duration::from_secs(60)).assert()
}

/// Checks the option that most editors pass to every server.
#[test]
fn the_usual_option_changes_nothing() {
    for arguments in [&[][..], &["--stdio"]] {
        let said = begun() + &ended();
        let is_served = contains("\"serverInfo\"").and(contains("\"id\":2,\"result\":null"));
        served(arguments, &said)
            .code(0)
            .stdout(is_served)
            .stderr("");
    }
}

#[test]
fn what_is_no_message_is_answered_and_ends_the_server() {
    let unreadable = "not a message of the protocol";
    for broken in [
        framed("{"),
        framed("{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": hover}"),
        framed("[1, 2]"),
        "Content-Length: much\r\n\r\n{}".to_owned(),
        "hello\r\n\r\n".to_owned(),
    ] {
        for before in [String::new(), begun()] {
            let answered = contains("\"code\":-32700").and(contains("\"id\":null"));
            served(&[], &(before + &broken))
                .code(2)
                .stdout(answered)
                .stderr(contains(unreadable));
        }
    }
}

#[test]
fn an_editor_that_goes_too_early_is_told_of() {
    for (said, why) in [
        (String::new(), "did not begin with `initialize`"),
        (notification("exit"), "did not begin with `initialize`"),
        (begun() + &notification("exit"), "`exit` without `shutdown`"),
        (
            begun() + "Content-Length: 100\r\n\r\n{",
            "in the middle of a message",
        ),
    ] {
        served(&[], &said).code(2).stderr(contains(why));
    }
    let parameters = request(1, "initialize", &json!({ "capabilities": 5 }));
    served(&[], &parameters)
        .code(2)
        .stdout(contains("\"code\":-32602"))
        .stderr(contains("the parameters of `initialize` cannot be read"));
}

/// Checks that questions that become stale or are cancelled are answered too, each of them once.
#[test]
fn every_question_is_answered_once() {
    let told = |method: &str, params: &Value| {
        message(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    };
    let document = json!({ "uri": "untitled:a.bid", "languageId": "bid", "version": 1,
        "text": "let half = 1/2\nshow half\n" });
    let mut said = begun() + &told("textDocument/didOpen", &json!({ "textDocument": document }));
    let questions = 10..65_u32;
    for id in questions.clone() {
        let at = json!({ "textDocument": { "uri": "untitled:a.bid" },
            "position": { "line": 1, "character": 6 } });
        let method = ["hover", "completion", "references", "documentSymbol"][id as usize % 4];
        said += &request(id, &format!("textDocument/{method}"), &at);
        if id % 3 == 0 {
            said += &told("$/cancelRequest", &json!({ "id": id }));
        }
        if id % 5 == 0 {
            let document = json!({ "uri": "untitled:a.bid", "version": id });
            let changes = json!([{ "text": format!("let half = {id}/2\nshow half\n") }]);
            let changed = json!({ "textDocument": document, "contentChanges": changes });
            said += &told("textDocument/didChange", &changed);
        }
    }
    let out = served(&[], &(said + &ended())).code(0).stderr("");
    let out = String::from_utf8(out.get_output().stdout.clone()).expect("JSON is UTF-8");
    for id in questions {
        assert_eq!(
            out.matches(&format!("\"id\":{id},")).count(),
            1,
            "{id}: {out}"
        );
    }
}
