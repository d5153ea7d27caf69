//! Tests the contents of node-link documents, and the messages about documents without them.

use super::super::{EdgeListFormat, names, read_text};
use super::*;
use crate::player::Player;

fn read(text: &str) -> Result<EdgeList, String> {
    read_text(EdgeListFormat::Json, text.as_bytes())
}

#[test]
fn vertices_and_edges_say_what_they_mean() {
    let text = r#"{"directed": true, "multigraph": false, "graph": {"start": 1, "name": "x"},
        "nodes": [{"id": 1, "colour": [1]}, {"id": "1"}, {"id": [0, "a"], "win": "bob"}, {"id": "d", "draw": true},
                  {"id": 5, "priority": 3, "weight": 0.5, "accepting": true}],
        "edges": [{"source": 1, "target": "1", "player": "alice", "weight": "1/3"}, {"source": 1, "target": [0, "a"]}]}"#;
    let list = read(text).expect("it is right");
    let names = names(&list);
    assert_eq!(names, ["1", "\"1\"", "(0, a)", "d", "5"]);
    assert_eq!(
        list.vertices[2].ending,
        Some((Ending::Win(Player::Bob), Rational64::zero()))
    );
    assert_eq!(
        list.vertices[3].ending,
        Some((Ending::Draw, Rational64::zero()))
    );
    assert_eq!(
        (list.vertices[4].priority, list.vertices[4].is_accepting),
        (Some(3), true)
    );
    assert_eq!(list.vertices[4].weight, Some(Rational64::new(1, 2)));
    assert_eq!(
        (list.start, list.accepts, list.is_weighted, list.is_scored),
        (Some(0), true, true, false)
    );
    let edges: Vec<_> = list
        .edges
        .iter()
        .map(|edge| (edge.owner, edge.from, edge.to))
        .collect();
    assert_eq!(edges, [(Some(Player::Alice), 0, 1), (None, 0, 2)]);
    let old = r#"{"links": [{"source": 0, "target": 1}], "nodes": [{"id": 0}, {"id": 1}], "directed": false}"#;
    assert_eq!(read(old).expect("it is right").edges.len(), 2);
}

#[test]
fn flaws_are_told_where_they_are() {
    let told = |text: &str| read(text).expect_err("it is wrong");
    assert_eq!(
        told("{\n  \"nodes\": [{\"id\": 1.5}]}"),
        "2:20 `id`: a vertex is a whole number, a text or a list of them, not 1.5"
    );
    assert_eq!(
        told("{\"nodes\": [{\"id\": 1, \"win\": \"ä\"}]}"),
        "1:29 `win`: alice or bob is expected, not \"ä\""
    );
    assert_eq!(
        told("{\"edges\": [{\"source\": 1}]}"),
        "1:24 this edge has no `target`"
    );
    assert_eq!(
        told("{\"nodes\": [{\"win\": null}]}"),
        "1:24 this vertex has no `id`"
    );
    assert_eq!(
        told("{\"nodes\": [{\"id\": 1, \"priority\": -1}]}"),
        "1:34 `priority`: a whole number, 0 or more is expected, not -1"
    );
    assert_eq!(
        told("{\"nodes\": [{\"id\": 1, \"weight\": 0.12345678901234567890}]}"),
        "1:32 `weight`: 0.12345678901234567890 is not a number that fits in 64 bits"
    );
}

/// Edges name vertices by their ids, and the list must contain all vertices.
#[test]
fn vertices_that_are_not_in_the_list_are_flaws() {
    let told = |nodes: &str, edge: &str| {
        let text = format!("{{\"nodes\": [{nodes}],\n\"links\": [{edge}]}}");
        read(&text).expect_err("it is wrong")
    };
    let named = r#"{"id": "a"}, {"id": "b"}, {"id": "c"}"#;
    assert_eq!(
        told(named, r#"{"source": 0, "target": 1}"#),
        "2:22 vertex 0 is not in the list of `nodes`: edges name vertices by their `id`, not by their place in the list"
    );
    assert_eq!(
        told(r#"{"id": 1}"#, r#"{"source": 1, "target": "1"}"#),
        "2:35 vertex \"1\" is not in the list of `nodes`, where 1 is a number, not a text"
    );
    assert_eq!(
        told(r#"{"id": "1"}"#, r#"{"source": "1", "target": 1}"#),
        "2:37 vertex 1 is not in the list of `nodes`, where \"1\" is a text, not a number"
    );
    assert_eq!(
        told(r#"{"id": 1}, {"id": 1}"#, ""),
        "1:31 vertex 1 is listed twice"
    );
    for node in [
        r#"{"id": 1, "win": "alice", "draw": true}"#,
        r#"{"id": 1, "score": 2, "win": "bob"}"#,
        r#"{"draw": true, "score": 0, "id": 1}"#,
    ] {
        let flaw = told(node, "");
        assert!(
            flaw.contains("vertex 1 ends the game in two ways"),
            "{flaw}"
        );
    }
    assert_eq!(
        told(r#"{"id": 1}"#, "{\n\"source\": 1,\n\"target\": 22\n}"),
        "4:11 vertex 22 is not in the list of `nodes`: edges name vertices by their `id`, not by their place in the list"
    );
    let start = r#"{"graph": {"start": "b"}, "nodes": [{"id": "a"}], "edges": []}"#;
    assert_eq!(
        read(start),
        Err("1:21 vertex b is not in the list of `nodes`".to_owned())
    );
}

#[test]
fn files_of_another_format_are_refused_by_name() {
    let told = |text: &str| read(text).expect_err("it is wrong");
    for (text, flaw) in [
        (
            "",
            "1:1 this is not JSON: the text ends here, where a value is expected",
        ),
        (
            "{\"edges\": [",
            "1:11 this is not JSON: the text ends here, within a list",
        ),
        (
            "from,to\n",
            "1:2 this is not JSON: a value is expected here",
        ),
        (
            "{\"nodes\": [{\"id\": 1, \"weight\": NaN}]}",
            "1:32 this is not JSON: a value is expected here",
        ),
        (
            "[[1, 2]]",
            "1:1 an object with `nodes` and `edges` is expected here, not a list",
        ),
        (
            "{}",
            "1:1 this is not node-link JSON: it has no list of `nodes`",
        ),
        (
            "{\"nodes\": []}",
            "1:1 this is not node-link JSON: it has no list of `edges`",
        ),
        (
            "{\"directed\": true, \"nodes\": [], \"adjacency\": [[]]}",
            "1:1 this is not node-link JSON: it is adjacency data of networkx",
        ),
        (
            "{\"nodes\": [1]}",
            "1:13 a vertex as an object, like {\"id\": 0}, is expected here, not 1",
        ),
        (
            "{\"nodes\": [[1, \"alice\"]]}",
            "1:12 a vertex as an object, like {\"id\": 0}, is expected here, not a list",
        ),
        (
            "{\"edges\": [[1, 2]]}",
            "1:12 an edge as an object, like {\"source\": 0, \"target\": 1}, is expected here, not a list",
        ),
        (
            "{\"nodes\": {}}",
            "1:11 a list of vertices is expected here, not an object",
        ),
    ] {
        assert_eq!(told(text), flaw, "{text}");
    }
    let deep = format!(
        "{{\"nodes\": [{{\"id\": {}1{}}}]}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(told(&deep).ends_with("a text or a list of them, not a list"));
}

#[test]
fn byte_order_marks_and_attributes_in_pairs_are_read() {
    let plain = r#"{"graph": {"start": 1}, "nodes": [{"id": 1}], "edges": []}"#;
    let pairs = r#"{"graph": [["name", "x"], ["start", 1]], "nodes": [{"id": 1}], "edges": []}"#;
    let read_plain = read(plain).expect("it is right");
    assert_eq!(read(&format!("\u{feff}{plain}")), Ok(read_plain.clone()));
    assert_eq!(read(pairs), Ok(read_plain));
}
