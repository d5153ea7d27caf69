//! `bid serve` as seen by a browser and by an attacker. The page itself is tested in `web/test`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A server in a scratch folder, which ends with the test.
struct Server {
    folder: TempDir,
    program: Child,
    address: String,
    host: String,
    token: String,
}

/// The response to a request.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("bid"));
    command
        .current_dir(folder)
        .arg("serve")
        .args(arguments)
        .env_remove("BID_PATH");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Server {
    /// Starts a server with these files in its folder.
    fn with(files: &[(&str, &str)], arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("inside the folder"))
                .expect("a scratch folder is writable");
            fs::write(path, text).expect("a scratch folder is writable");
        }
        let mut program = program(folder.path(), arguments)
            .spawn()
            .expect("the program is built");
        let mut address = String::new();
        let out = program.stdout.take().expect("it is piped");
        BufReader::new(out)
            .read_line(&mut address)
            .expect("it prints its address");
        let address = address.trim().to_owned();
        let (host, token) = address
            .trim_start_matches("http://")
            .split_once("/?token=")
            .expect("an address with a token");
        let (host, token) = (host.to_owned(), token.to_owned());
        Self {
            folder,
            program,
            address,
            host,
            token,
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Sends a request with these headers.
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a time-out can be set");
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        // A request that is refused early need not be read completely.
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body.as_bytes()));
        stream
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let with_close = [headers, &[("connection", "close")]].concat();
        let mut text = Vec::new();
        let _ = self
            .send(method, path, &with_close, body)
            .read_to_end(&mut text);
        let text = String::from_utf8(text).expect("answers are text");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or(0);
        Answer {
            status,
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    /// Returns the headers that a page of this server sends.
    fn own(&self) -> [(String, String); 3] {
        let port = self.host.split(':').nth(1).expect("a port");
        [
            ("host".to_owned(), self.host.clone()),
            ("origin".to_owned(), format!("http://{}", self.host)),
            (
                "cookie".to_owned(),
                format!("other=1; bid-{port}={}", self.token),
            ),
        ]
    }

    fn page(&self, method: &str, path: &str, body: &str) -> Answer {
        let own = self.own();
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        self.ask(method, path, &own, body)
    }

    fn save(&self, path: &str, text: &str, seen: Option<&str>) -> Answer {
        self.page(
            "POST",
            "/api/save",
            &json!({ "path": path, "text": text, "seen": seen }).to_string(),
        )
    }

    /// Returns the events of a session from a given one on.
    fn events(&self, session: &str, last: Option<u64>) -> BufReader<TcpStream> {
        let own = self.own();
        let mut headers: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let last = last.map(|last| last.to_string());
        headers.extend(last.as_deref().map(|last| ("last-event-id", last)));
        BufReader::new(self.send(
            "GET",
            &format!("/api/events?session={session}"),
            &headers,
            "",
        ))
    }

    fn order(&self, session: &str, orders: &Value) -> Answer {
        self.page(
            "POST",
            &format!("/api/orders?session={session}"),
            &orders.to_string(),
        )
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Reads the next event of a stream: its number and its data.
fn next(events: &mut BufReader<TcpStream>) -> (Option<u64>, Value) {
    let (mut number, mut line) = (None, String::new());
    loop {
        line.clear();
        assert!(
            events.read_line(&mut line).expect("the stream goes on") > 0,
            "the stream has ended"
        );
        if let Some(id) = line.strip_prefix("id: ") {
            number = id.trim().parse().ok();
        }
        if let Some(data) = line.strip_prefix("data: ") {
            return (number, serde_json::from_str(data).expect("JSON"));
        }
    }
}

/// Returns the place of a `show` in a text.
fn at(text: &str) -> usize {
    text.find("show").expect("it shows something")
}

/// Returns all events of a request, up to the last one, and the number of that one.
fn all(events: &mut BufReader<TcpStream>, id: u64) -> (Vec<Value>, u64) {
    let mut found = Vec::new();
    loop {
        let (number, event) = next(events);
        if event["id"] != id || event["event"] == "progress" {
            continue;
        }
        if event["event"] == "done" {
            return (found, number.expect("events are numbered"));
        }
        found.push(event);
    }
}

const ONE: &str = "00000000000000000000000000000001";
const TWO: &str = "00000000000000000000000000000002";

#[test]
fn the_token_is_exchanged_for_a_cookie() {
    let server = Server::with(&[], &[]);
    let host = [("host", server.host.as_str())];
    let answer = server.ask("GET", &format!("/?token={}", server.token), &host, "");
    assert_eq!(answer.status, 303);
    assert!(answer.head.contains("location: /\r\n"), "{}", answer.head);
    let cookie = answer
        .head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .expect("a cookie")
        .to_owned();
    assert!(
        cookie.contains("httponly") && cookie.contains("samesite=strict"),
        "{cookie}"
    );
    let pair = cookie.split(';').next().expect("a pair");
    let page = server.ask("GET", "/", &[host[0], ("cookie", pair)], "");
    assert!(
        page.status == 200 && page.body.contains("<script"),
        "{page:?}"
    );
    assert!(
        page.head
            .contains("content-security-policy: default-src 'none'"),
        "{}",
        page.head
    );
    for (path, kind) in [("/app.js", "text/javascript"), ("/app.css", "text/css")] {
        let part = server.page("GET", path, "");
        assert!(
            part.status == 200 && part.head.contains(kind) && part.body.len() > 1000,
            "{path}"
        );
    }
    assert!(
        server.address.starts_with("http://127.0.0.1:"),
        "this machine only: {}",
        server.address
    );
}

#[test]
fn strangers_are_turned_away() {
    let server = Server::with(&[("a.bid", "show 1")], &[]);
    let own = server.own();
    let own: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let [host, origin, cookie] = [own[0], own[1], own[2]];
    let wrong = format!("/?token={}", "0".repeat(server.token.len()));
    let file = "/api/file?path=a.bid";
    assert_eq!(
        server.ask("GET", &wrong, &[host], "").status,
        403,
        "another token"
    );
    assert_eq!(
        server.ask("GET", "/?token=", &[host], "").status,
        403,
        "no token"
    );
    assert_eq!(
        server.ask("GET", "/", &[host], "").status,
        403,
        "neither token nor cookie"
    );
    assert_eq!(
        server.ask("GET", file, &[host], "").status,
        403,
        "no cookie"
    );
    let token = format!("{file}&token={}", server.token);
    assert_eq!(
        server.ask("GET", &token, &[host], "").status,
        403,
        "a token opens the door, nothing else"
    );
    let foreign = [
        ("host", "evil.example"),
        ("host", "127.0.0.1"),
        ("host", "127.0.0.1:1"),
        ("host", ""),
    ];
    for other in foreign {
        assert_eq!(
            server.ask("GET", file, &[other, cookie], "").status,
            421,
            "{other:?}: DNS rebinding"
        );
    }
    for other in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
    ] {
        let headers = [host, ("origin", other), cookie];
        assert_eq!(server.ask("GET", file, &headers, "").status, 403, "{other}");
        assert_eq!(
            server.ask("POST", "/api/save", &headers, "{}").status,
            403,
            "{other}"
        );
    }
    assert_eq!(
        server
            .ask("POST", "/api/save", &[host, cookie], "{}")
            .status,
        403,
        "a post says where it comes from"
    );
    assert_eq!(
        server.ask("GET", file, &[host, origin, cookie], "").status,
        200,
        "the page itself"
    );
    assert_eq!(server.page("GET", "/api/nothing", "").status, 404);
}

/// Checks that the longest worksheet that can be opened can be saved, although its encoding is
/// longer, and that no longer one can.
#[test]
fn a_long_worksheet_is_saved() {
    let server = Server::with(&[], &[]);
    let save = |text: &str| {
        let body = json!({ "path": "a.bid", "text": text, "seen": null }).to_string();
        let _ = fs::remove_file(server.path("a.bid"));
        server.page("POST", "/api/save", &body)
    };
    for text in ["// \\\n".repeat(8 << 18), "// x\n".repeat(600_000)] {
        let text = &text[..text.len().min(8 << 20)];
        assert_eq!(save(text).status, 200);
        let saved = fs::read_to_string(server.path("a.bid")).expect("it is there");
        assert!(saved == text);
        assert_eq!(
            server.page("GET", "/api/file?path=a.bid", "").json()["text"],
            text
        );
    }
    let refused = save(&"x".repeat((8 << 20) + 1));
    assert_eq!(refused.status, 422);
    assert_eq!(
        refused.json()["error"],
        "a.bid is too long for a worksheet, which has up to 8 MB"
    );
    assert!(!server.path("a.bid").exists());
}

#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let outside = tempfile::tempdir().expect("a scratch folder");
    let secret = outside.path().join("secret.bid");
    fs::write(&secret, "let secret = 12345").expect("writable");
    let server = Server::with(
        &[
            ("a.bid", "show 1"),
            ("sub/b.bid", "show 2"),
            ("notes.txt", "private"),
        ],
        &[],
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(&secret, server.path("link.bid")).expect("a link");
        symlink(outside.path(), server.path("away")).expect("a link");
        symlink(outside.path().join("new.bid"), server.path("dangling.bid")).expect("a link");
        symlink("notes.txt", server.path("notes.bid")).expect("a link");
    }
    let absolute = secret.to_str().expect("a name").to_owned();
    let bad = [
        "../secret.bid",
        "sub/../../x.bid",
        "%2e%2e/x.bid",
        "link.bid",
        "away/secret.bid",
        "away/new.bid",
        "dangling.bid",
        "notes.bid",
        "notes.txt",
        "./a.bid/..",
        "sub",
        "",
        "a.bid%00.txt",
        "..%5cx.bid",
        &absolute,
    ];
    for path in bad {
        let read = server.page("GET", &format!("/api/file?path={path}"), "");
        assert!(matches!(read.status, 403 | 422), "{path}: {read:?}");
        assert!(
            !read.body.contains("12345") && !read.body.contains("private"),
            "{path}"
        );
        let plain = path
            .replace("%2e", ".")
            .replace("%5c", "\\")
            .replace("%00", "\0");
        let written = server.save(&plain, "overwritten", None);
        assert!(matches!(written.status, 403 | 422), "{path}: {written:?}");
    }
    assert_eq!(
        fs::read_to_string(&secret).expect("still there"),
        "let secret = 12345"
    );
    assert_eq!(
        fs::read_dir(outside.path()).expect("still there").count(),
        1
    );
    assert_eq!(
        server.page("GET", "/api/file?path=sub/b.bid", "").json()["text"],
        "show 2"
    );
    assert_eq!(
        server.page("GET", "/api/files", "").json()["files"],
        json!(["a.bid", "sub/b.bid"])
    );
    // A program cannot read it either.
    let mut events = server.events(ONE, None);
    next(&mut events);
    for (id, path) in (1..).zip(["link.bid", "away/secret.bid", "../secret.bid", &absolute]) {
        let text = format!("use \"{path}\"\nshow secret\n");
        server.order(
            ONE,
            &json!([{ "change": { "open": ["x.bid", text] } }, { "request": [id, { "run": ["x.bid", at(&text)] }] }]),
        );
        let (found, _) = all(&mut events, id);
        assert!(!format!("{found:?}").contains("12345"), "{path}: {found:?}");
        assert!(format!("{found:?}").contains("E0801"), "{path}: {found:?}");
    }
}

#[test]
fn saving_is_whole_and_notices_other_writers() {
    let server = Server::with(&[("a.bid", "show 1\n")], &[]);
    let opened = server.page("GET", "/api/file?path=a.bid", "").json();
    let version = opened["version"].as_str().expect("a version").to_owned();
    let saved = server.save("a.bid", "show 2 ∧\n", Some(&version));
    assert_eq!(
        (
            saved.status,
            fs::read_to_string(server.path("a.bid")).expect("there")
        ),
        (200, "show 2 ∧\n".to_owned())
    );
    let stale = server.save("a.bid", "show 3\n", Some(&version));
    assert_eq!(
        (stale.status, stale.json()["text"].clone()),
        (409, json!("show 2 ∧\n"))
    );
    assert_eq!(
        fs::read_to_string(server.path("a.bid")).expect("there"),
        "show 2 ∧\n"
    );
    let seen = stale.json()["version"]
        .as_str()
        .expect("a version")
        .to_owned();
    assert_eq!(server.save("a.bid", "show 3\n", Some(&seen)).status, 200);
    assert_eq!(server.save("new.bid", "show 4\n", None).status, 200);
    assert_eq!(
        server.save("new.bid", "show 5\n", None).status,
        409,
        "it is there by now"
    );
    assert_eq!(server.save("none/new.bid", "show 5\n", None).status, 422);
    assert_eq!(
        server.page("POST", "/api/save", "{\"path\": 1}").status,
        400
    );
    let mut left: Vec<_> = fs::read_dir(server.folder.path())
        .expect("there")
        .map(|entry| entry.expect("there").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["a.bid", "new.bid"], "nothing half is left");
}

#[test]
fn too_much_is_refused() {
    let server = Server::with(&[("bad.bid", "")], &[]);
    fs::write(server.path("bad.bid"), [0xff, 0xfe]).expect("writable");
    let unread = server.page("GET", "/api/file?path=bad.bid", "");
    assert!(
        unread.status == 422 && unread.body.contains("not UTF-8"),
        "{unread:?}"
    );
    let long = "x".repeat(25 << 20);
    let answer = server.page("POST", "/api/save", &long);
    assert!(
        answer.status == 413 || answer.status == 0,
        "refused, or cut off before it was sent whole: {}",
        answer.status
    );
    assert_eq!(
        server.page("GET", "/api/events?session=short", "").status,
        400
    );
    assert_eq!(
        server.order(ONE, &json!([])).status,
        404,
        "nobody has opened it"
    );
    let mut events = server.events(ONE, None);
    next(&mut events);
    assert_eq!(
        server
            .page(
                "POST",
                &format!("/api/orders?session={ONE}"),
                "[{\"run\": 1}]"
            )
            .status,
        400
    );
}

#[test]
fn a_broken_connection_loses_nothing_and_two_tabs_do_not_meet() {
    let server = Server::with(&[], &[]);
    let mut events = server.events(ONE, None);
    assert_eq!(next(&mut events).1, json!({ "new": true }));
    let run = |session: &str, id: u64, text: &str| {
        let orders = json!([{ "change": { "open": ["a.bid", text] } }, { "request": [id, { "run": ["a.bid", at(text)] }] }]);
        assert_eq!(server.order(session, &orders).status, 200);
    };
    run(ONE, 1, "show R(E)\n");
    let (found, last) = all(&mut events, 1);
    assert_eq!(
        (found[0]["label"].clone(), found[0]["forms"][0][1].clone()),
        (json!("R(E)"), json!("R(E) = 1/2"))
    );
    drop(events);
    run(ONE, 2, "show R(E) + 1\n");
    let mut other = server.events(TWO, None);
    assert_eq!(next(&mut other).1, json!({ "new": true }));
    run(TWO, 1, "show 7\n");
    assert_eq!(all(&mut other, 1).0[0]["forms"][0][1], "7 = 7");
    let mut again = server.events(ONE, Some(last));
    assert_eq!(next(&mut again).1, json!({ "new": false }));
    assert_eq!(
        all(&mut again, 2).0[0]["forms"][0][1],
        "R(E) + 1 = 3/2",
        "it comes when the page is back"
    );
    // A request under an old number is not answered.
    run(ONE, 2, "show 8\n");
    run(ONE, 3, "show 9\n");
    assert_eq!(all(&mut again, 3).0[0]["forms"][0][1], "9 = 9");
    server.page("POST", &format!("/api/close?session={ONE}"), "");
    assert_eq!(server.order(ONE, &json!([])).status, 404);
}

#[test]
fn long_work_is_stopped() {
    let server = Server::with(&[], &["--timeout", "1s"]);
    let mut events = server.events(ONE, None);
    next(&mut events);
    let text = "use \"classics.bid\"\nshow R(connect(4, 6, 7))\n";
    let orders = |id: u64| json!([{ "change": { "open": ["a.bid", text] } }, { "request": [id, { "run": ["a.bid", at(text)] }] }]);
    server.order(ONE, &orders(1));
    let (found, _) = all(&mut events, 1);
    assert_eq!(
        found[0]["finding"]["code"], "E0903",
        "the server's own limit: {found:?}"
    );
    server.order(ONE, &json!([{ "limit": { "seconds": 600 } }]));
    server.order(ONE, &orders(2));
    assert_eq!(
        all(&mut events, 2).0[0]["finding"]["code"],
        "E0903",
        "a page cannot raise it"
    );
    server.order(ONE, &orders(3));
    server.order(ONE, &json!([{ "stop": 3 }]));
    assert_eq!(
        all(&mut events, 3)
            .0
            .first()
            .map_or(json!("E0904"), |first| first["finding"]["code"].clone()),
        "E0904"
    );
}

/// Checks that a client which sends the head of a request slowly is cut off, at the first request
/// of a connection and at a later one.
#[test]
fn heads_of_requests_must_arrive_in_time() {
    let server = Server::with(&[], &[]);
    let mut never = TcpStream::connect(&server.host).expect("it listens");
    let head = format!("GET / HTTP/1.1\r\nhost: {}\r\n", server.host);
    never.write_all(head.as_bytes()).expect("it is taken");
    let mut again = server.send("GET", "/", &[("host", &server.host)], "");
    let begun = Instant::now();
    for stream in [&mut never, &mut again] {
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .expect("a time-out can be set");
        // The response to the second client is a refusal.
        let mut said = Vec::new();
        stream.read_to_end(&mut said).expect("the server ends it");
    }
    let waited = begun.elapsed();
    assert!((5..25).contains(&waited.as_secs()), "{waited:?}");
    assert_eq!(
        server.page("GET", "/api/start", "").status,
        200,
        "others are served"
    );
}

/// Checks that long work in one cell does not prevent another one from running; each is stopped by
/// itself.
#[test]
fn two_cells_run_at_a_time() {
    let server = Server::with(&[], &[]);
    let mut events = server.events(ONE, None);
    next(&mut events);
    let text = "use \"classics.bid\"\nshow R(connect(4, 6, 7))\nlet n = 6\nshow n * 7\n";
    let at = |words: &str| json!(["a.bid", text.find(words).expect("a cell")]);
    server.order(
        ONE,
        &json!([
            { "change": { "open": ["a.bid", text] } },
            { "request": [1, { "run": at("show R") }] },
            { "beside": [2, { "run": at("show n") }] },
            { "beside": [3, { "enter": ["a.bid", "n + 1"] }] },
        ]),
    );
    assert_eq!(all(&mut events, 2).0[0]["forms"][0][1], "n * 7 = 42");
    assert_eq!(all(&mut events, 3).0[0]["forms"][0][1], "7");
    server.order(
        ONE,
        &json!([{ "stop": 1 }, { "beside": [4, { "run": at("show R") }] }]),
    );
    assert_eq!(
        all(&mut events, 1).0[0]["finding"]["code"],
        "E0904",
        "the long work went on until it was stopped"
    );
    server.order(ONE, &json!([{ "stop": 4 }]));
    let (found, _) = all(&mut events, 4);
    assert!(
        found.iter().all(|event| event["event"] == "finding"),
        "{found:?}"
    );
}

#[test]
fn what_cannot_be_served_is_said() {
    let server = Server::with(&[], &[]);
    let port = server.host.split(':').nth(1).expect("a port");
    let fails = |arguments: &[&str], words: &str| {
        let out = program(server.folder.path(), arguments)
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    };
    fails(&["--port", port], "is taken");
    fails(&["notes.txt"], "it is not a `.bid` file");
    fails(&["missing/a.bid"], "no such file");
    fs::create_dir(server.path("dir.bid")).expect("writable");
    fs::write(server.path("bad.bid"), [0xff]).expect("writable");
    fails(&["bad.bid"], "not UTF-8");
}

#[test]
fn the_page_hears_of_the_playground_that_was_chosen() {
    let start = |arguments: &[&str]| {
        let mut server = Server::with(&[], arguments);
        let start = server.page("GET", "/api/start", "").json();
        let _ = server.program.kill();
        start["playground"].clone()
    };
    assert_eq!(start(&[]), Value::Null);
    let address = "https://example.org/bid/";
    assert_eq!(start(&["--playground", address]), address);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    let mut server = Server::with(&[("a.bid", "show 1")], &["a.bid"]);
    assert_eq!(server.page("GET", "/api/start", "").json()["file"], "a.bid");
    let mut events = server.events(ONE, None);
    next(&mut events);
    let text = "use \"classics.bid\"\nshow R(connect(4, 6, 7))\n";
    server.order(
        ONE,
        &json!([{ "change": { "open": ["b.bid", text] } }, { "request": [1, { "run": ["b.bid", at(text)] }] }]),
    );
    let kill = Command::new("kill")
        .args(["-INT", &server.program.id().to_string()])
        .status();
    assert!(kill.is_ok_and(|status| status.success()));
    assert_eq!(
        server.program.wait().expect("it ends").code(),
        Some(0),
        "with an engine at work and a page that listens"
    );
}
